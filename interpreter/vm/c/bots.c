/* Players that a machine can be by itself, and whole games among them. In Python: `plain/bots.py`. */
#include "tools.h"

#include <stdlib.h>

#define DEALS_TRIED 2 /* for each that is wanted: one that cannot be made is replaced by another */

static uint64_t own_stream(uint64_t state, int32_t seat, int32_t given) {
    const uint64_t numbers[] = {(uint64_t)seat + 1, (uint64_t)given + 1};
    for (int k = 0; k < 2; k++) {
        state ^= numbers[k];
        uint64_t word = random_word(&state);
        state ^= word;
    }
    return state;
}

/* ------------------------------------------------------------------ greedy */

/* What options came to, over all deals: what was won of the game, and how far ahead in points. */
typedef struct {
    int32_t count, me;
    double *results;
    Word *points, *room;
} Tried;

static double result_of(const Vm *vm, int32_t won, int32_t seat) {
    if (won < 0) return 0;
    if (META(vm, COOPERATIVE)) return won ? 1 : -1;
    if (won >> seat & 1) return 1.0 / __builtin_popcount((unsigned)won);
    return won ? -1 : 0;
}

static Word ahead(const Vm *vm, const Word *totals, int32_t seat) {
    int32_t players = META(vm, PLAYERS);
    Word most = INT64_MIN, sum = 0;
    for (int32_t k = 0; k < players; k++) {
        sum += totals[k];
        if (k != seat && totals[k] > most) most = totals[k];
    }
    if (META(vm, COOPERATIVE)) return sum;
    return players > 1 ? totals[seat] - most : totals[seat];
}

static void count_deal(const Vm *vm, Tried *t) {
    const Word *one = t->room;
    for (int32_t k = 0; k < t->count; k++, one += META(vm, PLAYERS) + 1) {
        t->results[k] += result_of(vm, (int32_t)one[META(vm, PLAYERS)], t->me);
        t->points[k] += ahead(vm, one, t->me);
    }
}

/* One deal: whether it could be made; what its options come to counts, unless the rules break down there. */
static VmStatus try_deal(Vm *vm, const VmTools *tools, const VmState *from, int32_t horizon, uint64_t deal, Tried *t, int *made) {
    int32_t dealt;
    VmState *world;
    *made = 0;
    TRY(vm_open(vm, from));
    VmStatus status = vm_redeal(vm, tools, t->me, ANEW_NAMES | ANEW_VARIABLES, &deal, &dealt);
    if (status == VM_OK && dealt == DEALT) status = vm_run(vm);
    if (status != VM_OK) return status == VM_FAULT ? VM_OK : status;
    if (dealt != DEALT || vm->s->player != t->me || vm->s->count != t->count) return VM_OK;
    *made = 1;
    TRY(vm_save(vm, &world));
    status = vm_look_ahead(vm, world, deal, horizon, t->room);
    free(world);
    if (status == VM_OK) count_deal(vm, t);
    return status == VM_FAULT ? VM_OK : status;
}

static VmStatus try_deals(Vm *vm, const VmTools *tools, const VmBot *bot, const VmState *from, uint64_t stream, Tried *t) {
    int32_t wanted = bot->budget / t->count, found = 0;
    if (wanted > bot->tries) wanted = bot->tries;
    if (wanted < 1) wanted = 1;
    for (int32_t k = 0; k < wanted * DEALS_TRIED && found < wanted; k++) {
        int made;
        TRY(try_deal(vm, tools, from, bot->horizon, random_word(&stream), t, &made));
        found += made;
    }
    return VM_OK;
}

static int32_t best_of(const Tried *t) {
    int32_t best = 0;
    for (int32_t k = 1; k < t->count; k++) {
        int better = t->results[k] > t->results[best];
        if (better || (t->results[k] == t->results[best] && t->points[k] > t->points[best])) best = k;
    }
    return best;
}

static VmStatus greedy(Vm *vm, const VmTools *tools, const VmBot *bot, uint64_t stream, int32_t *out) {
    Tried t = {.count = vm->s->count, .me = vm->s->player};
    size_t n = (size_t)t.count;
    VmState *from = NULL;
    t.results = calloc(n, sizeof *t.results);
    t.points = calloc(n, sizeof *t.points);
    t.room = malloc(n * ((size_t)META(vm, PLAYERS) + 1) * sizeof(Word));
    VmStatus status = t.results && t.points && t.room ? vm_save(vm, &from) : VM_NO_MEMORY;
    if (status == VM_OK) status = try_deals(vm, tools, bot, from, stream, &t);
    if (status == VM_OK) *out = best_of(&t);
    if (status == VM_OK) status = vm_open(vm, from);
    free(from);
    free(t.results);
    free(t.points);
    free(t.room);
    return status;
}

/* ------------------------------------------------------------------ playing */

VmStatus vm_pick(Vm *vm, const VmTools *tools, const VmBot *bot, int32_t given, int32_t *out) {
    const VmState *s = vm->s;
    uint64_t stream = own_stream(bot->stream, s->player, given);
    *out = 0;
    if (bot->kind == BOT_RANDOM) *out = (int32_t)vm_random_below(&stream, (uint64_t)s->count);
    return bot->kind == BOT_GREEDY && s->count > 1 ? greedy(vm, tools, bot, stream, out) : VM_OK;
}

VmStatus vm_play_among(Vm *vm, const VmTools *tools, const Among *among, int32_t given, Row *row, int32_t *left) {
    for (*left = -1; given < among->maximum && vm->s->player >= 0; given++) {
        int32_t pick;
        int hidden;
        TRY(vm_pick(vm, tools, among->bots + vm->s->player, given, &pick));
        TRY(vm_answer(vm, tools, pick, row, &hidden));
        if (hidden) {
            *left = pick;
            return VM_OK;
        }
        TRY(among->heard(among->context, row));
        TRY(vm_choose(vm, pick));
        TRY(vm_run(vm));
        if (among->laws) TRY(vm_laws(vm));
    }
    return VM_OK;
}
