/* Playing ahead: what an option comes to at once, and how things go if play goes on. In Python: `plain/ahead.py`. */
#include "tools.h"

#include <stdlib.h>

#define LOOK_STEPS 8 /* answers of the same player that may follow the one that is tried */
#define A_WIN 1000000000000000LL

static VmStatus answer_at_random(Vm *vm, uint64_t *stream) {
    return vm_choose(vm, (int32_t)vm_random_below(stream, (uint64_t)vm->s->count));
}

VmStatus vm_settle(Vm *vm, int32_t me, int32_t secret, uint64_t *stream, int32_t steps) {
    for (int32_t k = 0; k < steps; k++) {
        TRY(vm_run(vm));
        while (vm->s->player >= 0 && vm->s->player != me && secret >= 0 && vm->s->asking == secret) {
            TRY(answer_at_random(vm, stream));
            TRY(vm_run(vm));
        }
        if (vm->s->player != me) break;
        TRY(answer_at_random(vm, stream));
    }
    return VM_OK;
}

VmStatus vm_look_ahead(Vm *vm, const VmState *from, uint64_t stream, int32_t steps, Word *out) {
    for (int32_t k = 0; k < from->count; k++) {
        uint64_t own = stream;
        TRY(vm_open(vm, from));
        TRY(vm_choose(vm, k));
        TRY(vm_settle(vm, from->player, from->asking, &own, steps));
        TRY(vm_snapshot(vm, out + (int64_t)k * (META(vm, PLAYERS) + 1)));
    }
    return VM_OK;
}

/* Points ahead of the best other, or what the table has together; to have won is better than any. */
static Word worth(const Vm *vm, const Word *snapshot, int32_t seat) {
    int32_t players = META(vm, PLAYERS), won = (int32_t)snapshot[players];
    Word own = snapshot[seat], most = INT64_MIN;
    if (META(vm, COOPERATIVE)) {
        own = won < 0 ? 0 : won ? A_WIN : -A_WIN;
        for (int32_t k = 0; k < players; k++) own += snapshot[k];
        return own;
    }
    for (int32_t k = 0; k < players; k++)
        if (k != seat && snapshot[k] > most) most = snapshot[k];
    if (players > 1) own -= most;
    if (won <= 0) return own;
    return own + (won >> seat & 1 ? A_WIN / __builtin_popcount((unsigned)won) : -A_WIN);
}

static VmStatus tried_worth(Vm *vm, int32_t pick, int32_t me, int32_t secret, uint64_t *stream, Word *room, Word *out) {
    TRY(vm_choose(vm, pick));
    TRY(vm_settle(vm, me, secret, stream, LOOK_STEPS));
    TRY(vm_snapshot(vm, room));
    *out = worth(vm, room, me);
    return VM_OK;
}

VmStatus vm_best_answer(Vm *vm, int32_t tried, uint64_t *stream, int32_t *out) {
    int32_t me = vm->s->player, secret = vm->s->asking, count = vm->s->count;
    int32_t first = (int32_t)vm_random_below(stream, (uint64_t)count);
    Word most = 0, *room = malloc(((size_t)META(vm, PLAYERS) + 1) * sizeof(Word));
    VmState *before = NULL;
    VmStatus status = room ? vm_save(vm, &before) : VM_NO_MEMORY;
    *out = first;
    for (int32_t k = 0; k < tried && k < count && status == VM_OK; k++) {
        int32_t pick = (first + k) % count;
        Word found = 0;
        if (k) status = vm_open(vm, before);
        if (status == VM_OK) status = tried_worth(vm, pick, me, secret, stream, room, &found);
        if (!k || found > most) most = found, *out = pick;
    }
    if (status == VM_OK) status = vm_open(vm, before);
    free(before);
    free(room);
    return status;
}

VmStatus vm_follow(Vm *vm, const Following *how, uint64_t stream, Word *out, int32_t *there) {
    int32_t width = META(vm, PLAYERS) + 1, step = 0;
    there[0] = there[1] = 0;
    for (; step < how->steps; step++) {
        TRY(vm_run(vm));
        int32_t player = vm->s->player, pick;
        if (player < 0) break;
        if (!there[0] && player != how->me && (how->secret < 0 || vm->s->asking != how->secret)) {
            TRY(vm_snapshot(vm, out));
            there[0] = 1;
        }
        if (step == how->quarter) {
            TRY(vm_snapshot(vm, out + width));
            there[1] = 1;
        }
        if (how->tried) {
            TRY(vm_best_answer(vm, how->tried, &stream, &pick));
            TRY(vm_choose(vm, pick));
        } else {
            TRY(answer_at_random(vm, &stream));
        }
    }
    if (step == how->steps) TRY(vm_run(vm));
    there[2] = 1;
    return vm_snapshot(vm, out + 2 * width);
}
