/* How rules run for good: frames on the stack of a state, calls and returns, loops over seats that answer in secret, and
   what an answer does. In Python: `plain/machine.py`. */
#include "state.h"

/* ------------------------------------------------------------------ calls */

VmStatus called_rule(Vm *vm, int32_t call, int32_t window, int32_t *rule) {
    *rule = REC(vm, CALLS, call, RULE);
    if (*rule >= 0) return VM_OK;
    Word key = vm->stack[window + 1 + REC(vm, CALLS, call, ARGUMENTS)];
    TRY(in_range(vm, key, REC(vm, CALLS, call, N_MEMBERS)));
    *rule = SEC(vm, MEMBERS)[REC(vm, CALLS, call, MEMBERS) + key];
    return VM_OK;
}

VmStatus new_window(Vm *vm, int32_t rule, int32_t at, const Word *arguments, int32_t n) {
    int32_t slots = REC(vm, RULES, rule, SLOTS);
    TRY(tick(vm, slots >> 5));
    TRY(stack_room(vm, (int64_t)at + REC(vm, RULES, rule, WINDOW)));
    if (n > slots) n = slots;
    memmove(vm->stack + at, arguments, (size_t)n * sizeof(Word));
    for (int32_t k = n; k < slots; k++) vm->stack[at + k] = WORD_NONE;
    return VM_OK;
}

static int32_t next_base(const Vm *vm) {
    if (vm->s->height == vm->floor) return vm->floor_base;
    const Frame *top = vm->frames + vm->s->height - 1;
    return top->base + REC(vm, RULES, top->rule, SLOTS);
}

static VmStatus room_for_frame(Vm *vm) {
    return vm->s->height < vm->n_frames_room ? VM_OK : vm_fail(vm, FAULT_DEEP, 0, 0);
}

static void set_height(Vm *vm, int32_t height) {
    vm->s->height = height;
    vm->s->n_slots = next_base(vm);
}

VmStatus push_frame(Vm *vm, int32_t rule, const Word *arguments, int32_t n) {
    if (vm->s->height - vm->floor >= META(vm, DEPTH)) return vm_fail(vm, FAULT_CALLS, META(vm, DEPTH), rule);
    TRY(room_for_frame(vm));
    int32_t base = next_base(vm);
    TRY(new_window(vm, rule, base, arguments, n));
    vm->frames[vm->s->height] = (Frame){rule, REC(vm, RULES, rule, ENTRY), base, 0};
    set_height(vm, vm->s->height + 1);
    keep_lists(vm);
    return VM_OK;
}

VmStatus stand_in(Vm *vm, int32_t record, Word marked, int32_t *rule) {
    *rule = -1;
    if (!marked) return VM_OK;
    if ((uint64_t)marked & ((uint64_t)marked - 1)) return vm_fail(vm, FAULT_STANDINS, marked, record);
    int32_t number = __builtin_ctzll((unsigned long long)marked);
    TRY(in_range(vm, number, REC(vm, STANDINS, record, N_RULES)));
    *rule = SEC(vm, MEMBERS)[REC(vm, STANDINS, record, RULES) + number];
    return VM_OK;
}

/* ------------------------------------------------------------------ chance */

static VmStatus next_random(Vm *vm, int32_t n, int32_t *out) {
    int32_t left, at, to;
    if (vm->branching.rolls) {
        int64_t pick;
        TRY(told_pick(vm, n, &pick));
        *out = (int32_t)pick;
        return VM_OK;
    }
    if (vm->s->fate != WORD_NONE) {
        TRY(list_at(vm, vm->s->fate, &left, &at));
        if (left) {
            Word pick = vm->mem[at], rest;
            TRY(list_new(vm, left - 1, &rest, &to));
            memcpy(vm->mem + to, vm->mem + at + 1, (size_t)(left - 1) * sizeof(Word));
            vm->s->fate = rest;
            if (pick < 0 || pick >= n) return vm_fail(vm, FAULT_FATE, pick + 1, n);
            *out = (int32_t)pick;
            return VM_OK;
        }
    }
    *out = (int32_t)vm_random_below(&vm->s->rng, (uint64_t)n);
    return VM_OK;
}

VmStatus roll(Vm *vm, Word items, Word number, int several, Word *out) {
    int32_t n, at, pick, to;
    Word count = several ? floor_div(number, META(vm, UNIT)) : 1, made;
    TRY(list_at(vm, items, &n, &at));
    if (!n && count > 0) return vm_fail(vm, FAULT_ROLL, 0, 0);
    TRY(tick(vm, count > 0 ? count : 0));
    if (count > MAX_ITEMS) return vm_fail(vm, FAULT_ROLLS, 0, 0);
    if (count < 0) count = 0;
    TRY(list_new(vm, count, &made, &to));
    for (Word k = 0; k < count; k++) {
        TRY(next_random(vm, n, &pick));
        vm->mem[to + k] = vm->mem[at + pick];
    }
    *out = several ? made : vm->mem[to];
    return VM_OK;
}

/* ------------------------------------------------------------------ secret choices */

/* A seat has answered: what it began waits until all have. */
static VmStatus park(Vm *vm) {
    int32_t head = vm->s->asking, waiting = vm->s->height - head - 1, at, ft, st, n, bt;
    if (head < 0 || waiting < 0) return vm_fail(vm, FAULT_BROKEN, 16, 0);
    Frame *frame = vm->frames + head;
    int32_t seats = REC(vm, BLOCKS, block_id(vm, frame->rule, frame->block), SEATS);
    if (seats < 0) return vm_fail(vm, FAULT_BROKEN, 17, 0);
    Word *slot = vm->stack + frame->base + REC(vm, SEATS, seats, ANSWERS), parked, one, slots, grown;
    TRY(list_new(vm, waiting, &parked, &at));
    for (int32_t k = 0; k < waiting; k++) {
        const Frame *f = frame + 1 + k;
        TRY(list_new(vm, 3, &one, &ft));
        TRY(list_new(vm, REC(vm, RULES, f->rule, SLOTS), &slots, &st));
        memcpy(vm->mem + st, vm->stack + f->base, (size_t)REC(vm, RULES, f->rule, SLOTS) * sizeof(Word));
        vm->mem[ft] = f->rule;
        vm->mem[ft + 1] = f->block;
        vm->mem[ft + 2] = slots;
        vm->mem[at + k] = one;
    }
    TRY(list_at(vm, *slot, &n, &bt));
    TRY(list_new(vm, n + 1, &grown, &at));
    memcpy(vm->mem + at, vm->mem + bt, (size_t)n * sizeof(Word));
    vm->mem[at + n] = parked;
    *slot = grown;
    keep_lists(vm);
    set_height(vm, head + 1);
    vm->s->asking = -1;
    return VM_OK;
}

/* A frame that was parked goes on. */
static VmStatus unpark(Vm *vm, Word parked) {
    int32_t n, at, m, ft, size, st;
    TRY(list_at(vm, parked, &n, &at));
    for (int32_t k = 0; k < n; k++) {
        TRY(list_at(vm, vm->mem[at + k], &m, &ft));
        if (m != 3) return vm_fail(vm, FAULT_BROKEN, 18, 0);
        TRY(in_range(vm, vm->mem[ft], vm->p->length[S_RULES] / N_RULES));
        int32_t rule = (int32_t)vm->mem[ft], base = next_base(vm);
        TRY(in_range(vm, vm->mem[ft + 1], REC(vm, RULES, rule, BLOCKS)));
        TRY(list_at(vm, vm->mem[ft + 2], &size, &st));
        if (size != REC(vm, RULES, rule, SLOTS)) return vm_fail(vm, FAULT_BROKEN, 18, 0);
        TRY(room_for_frame(vm));
        TRY(stack_room(vm, (int64_t)base + REC(vm, RULES, rule, WINDOW)));
        memcpy(vm->stack + base, vm->mem + st, (size_t)size * sizeof(Word));
        vm->frames[vm->s->height] = (Frame){rule, (int32_t)vm->mem[ft + 1], base, 0};
        set_height(vm, vm->s->height + 1);
    }
    return VM_OK;
}

/* Who sits there: those for whom the condition holds. */
static VmStatus seated(Vm *vm, int32_t record, int32_t base, int32_t cost) {
    int32_t n, at, to, kept = 0, where = REC(vm, SEATS, record, WHERE);
    Word *slots = vm->stack + base, *seats = slots + REC(vm, SEATS, record, SEATS), found;
    TRY(list_at(vm, *seats, &n, &at));
    TRY(tick(vm, (Word)n * cost));
    TRY(list_new(vm, n, &found, &to));
    for (int32_t k = 0; k < n; k++) {
        Word yes = truth(1), seat = vm->mem[at + k];
        slots[REC(vm, SEATS, record, SLOT)] = seat;
        if (where >= 0) TRY(vm_value(vm, where, base, &yes));
        if (yes & 1) vm->mem[to + kept++] = seat;
    }
    vm->mem[to - 1] = kept;
    *seats = found;
    TRY(list_new(vm, 0, slots + REC(vm, SEATS, record, ANSWERS), &to));
    keep_lists(vm);
    return VM_OK;
}

/* Ask every seat against the same state and park its frames; then run the effects, seat by seat. */
static VmStatus secret(Vm *vm, int32_t record) {
    int32_t head = vm->s->height - 1, n, at, m, bt;
    Frame *frame = vm->frames + head;
    Word *slots = vm->stack + frame->base, *answers = slots + REC(vm, SEATS, record, ANSWERS);
    Word *place = slots + REC(vm, SEATS, record, PLACE);
    if (*answers == WORD_NONE)
        TRY(seated(vm, record, frame->base, REC(vm, BLOCKS, block_id(vm, frame->rule, frame->block), COST)));
    TRY(list_at(vm, *answers, &n, &at));
    TRY(list_at(vm, slots[REC(vm, SEATS, record, SEATS)], &m, &bt));
    if (n < m) {
        int32_t base = next_base(vm), size = REC(vm, RULES, frame->rule, SLOTS);
        TRY(room_for_frame(vm));
        TRY(stack_room(vm, (int64_t)base + REC(vm, RULES, frame->rule, WINDOW)));
        vm->s->asking = head;
        memcpy(vm->stack + base, slots, (size_t)size * sizeof(Word));
        vm->stack[base + REC(vm, SEATS, record, SLOT)] = vm->mem[bt + n];
        vm->stack[base + REC(vm, SEATS, record, ANSWERS)] = WORD_NONE; /* no copy of what the others have answered */
        vm->frames[head + 1] = (Frame){frame->rule, REC(vm, SEATS, record, BODY), base, 0};
        set_height(vm, head + 2);
        return VM_OK;
    }
    TRY(*place >= 0 ? VM_OK : vm_fail(vm, FAULT_BROKEN, 19, 0));
    if (*place < m) {
        Word parked = vm->mem[at + *place];
        ++*place;
        return unpark(vm, parked);
    }
    *answers = WORD_NONE;
    frame->block = REC(vm, SEATS, record, OUT);
    return VM_OK;
}

/* ------------------------------------------------------------------ the run */

static VmStatus finish(Vm *vm, Word list) {
    int32_t n, at, found = 0, players = META(vm, PLAYERS);
    uint32_t seats = 0;
    TRY(list_at(vm, list, &n, &at));
    for (int32_t k = 0; k < n; k++) {
        TRY(in_range(vm, vm->mem[at + k], players));
        seats |= 1u << vm->mem[at + k];
    }
    for (uint32_t bits = seats; bits; bits &= bits - 1) found++;
    if (META(vm, COOPERATIVE) && found && found < players) return vm_fail(vm, FAULT_TABLE, 0, 0);
    vm->s->winners = (int32_t)seats;
    set_height(vm, vm->floor);
    return VM_OK;
}

static VmStatus go_back(Vm *vm, int gives, Word value) {
    set_height(vm, vm->s->height - 1);
    if (gives && vm->s->height > vm->floor) {
        const Frame *caller = vm->frames + vm->s->height - 1;
        int32_t slot = REC(vm, RULES, caller->rule, RECEIVED);
        if (slot >= 0) vm->stack[caller->base + slot] = value;
    }
    return vm->s->asking >= 0 && vm->s->height == vm->s->asking + 1 ? park(vm) : VM_OK;
}

static VmStatus stands_in(Vm *vm, Frame *frame, int32_t record, Word marked) {
    int32_t rule;
    TRY(stand_in(vm, record, marked, &rule));
    frame->block = rule < 0 ? REC(vm, STANDINS, record, BODY) : REC(vm, STANDINS, record, THEN);
    if (rule < 0) return VM_OK;
    return push_frame(vm, rule, vm->stack + frame->base, 1 + REC(vm, STANDINS, record, PARAMETERS));
}

static VmStatus one_stretch(Vm *vm) {
    Frame *frame = vm->frames + vm->s->height - 1;
    Exit left = {.block = block_id(vm, frame->rule, frame->block)};
    int32_t first = REC(vm, RULES, frame->rule, FIRST_BLOCK), rule;
    VmStatus status = vm_exec(vm, REC(vm, BLOCKS, left.block, PC), frame->base, MODE_REAL, &left);
    frame->block = left.block - first;
    TRY(status);
    switch (left.kind) {
    case EXIT_ASK: return vm->floor ? vm_fail(vm, FAULT_BROKEN, 20, 0) : ask(vm, left.number);
    case EXIT_DO:
        TRY(called_rule(vm, left.number, left.reg, &rule));
        return push_frame(vm, rule, vm->stack + left.reg, 1 + REC(vm, CALLS, left.number, ARGUMENTS));
    case EXIT_INSTEAD: return stands_in(vm, frame, left.number, left.value);
    case EXIT_SEATS: return secret(vm, left.number);
    case EXIT_FINISH:
        status = finish(vm, left.value);
        if (status == VM_FAULT && vm->fault.pc < 0) vm->fault.pc = left.pc;
        return status;
    case EXIT_RETURN: return go_back(vm, left.number, left.value);
    case EXIT_PARK: return park(vm);
    default: return vm_fail(vm, FAULT_BROKEN, 21, 0);
    }
}

VmStatus run_to_floor(Vm *vm) {
    int32_t floor = vm->floor; /* of what is being tried out when an error is met, there may be another */
    while (vm->s->height > floor && vm->s->winners < 0 && vm->s->player < 0) {
        VmStatus status = one_stretch(vm);
        if (status == VM_OK) continue;
        vm->floor = floor;
        if (status == VM_FAULT && !vm->fault.placed && vm->s->height > floor) {
            const Frame *frame = vm->frames + vm->s->height - 1;
            vm->fault.placed = floor ? 2 : 1; /* 2: while something was tried out */
            vm->fault.rule = frame->rule;
            vm->fault.block = frame->block;
        }
        return status;
    }
    return VM_OK;
}

/* ------------------------------------------------------------------ answers */

/* A set in the order of the source: by the last place of each member there. */
static VmStatus in_order(Vm *vm, int32_t q, int32_t base, Word *set) {
    int32_t n, at, m, bt, to, key_at;
    Word source, made, keys;
    TRY(vm_value(vm, REC(vm, QUESTIONS, q, SOURCE), base, &source));
    TRY(list_at(vm, source, &n, &at));
    TRY(list_at(vm, *set, &m, &bt));
    TRY(list_new(vm, m, &made, &to));
    TRY(list_new(vm, m, &keys, &key_at));
    for (int32_t k = 0; k < m; k++) {
        Word item = vm->mem[bt + k], key = n;
        for (int32_t x = 0; x < n; x++) {
            int equal;
            TRY(same(vm, vm->mem[at + x], item, &equal));
            if (equal) key = x;
        }
        int32_t place = k;
        for (; place > 0 && vm->mem[key_at + place - 1] > key; place--) {
            vm->mem[to + place] = vm->mem[to + place - 1];
            vm->mem[key_at + place] = vm->mem[key_at + place - 1];
        }
        vm->mem[to + place] = item;
        vm->mem[key_at + place] = key;
    }
    *set = made;
    return VM_OK;
}

VmStatus give_answer(Vm *vm, int what, Word value) {
    VmState *s = vm->s;
    int32_t q = s->question, n, at, to;
    Frame *frame = vm->frames + s->height - 1;
    Word *slot = vm->stack + frame->base + REC(vm, QUESTIONS, q, SLOT), set;
    s->player = -1;
    s->count = 0;
    s->offered = s->partial = WORD_NONE;
    if (what == ANSWER_ADD || what == ANSWER_STOP)
        if (*slot == WORD_NONE) TRY(list_new(vm, 0, slot, &at));
    switch (what) {
    case ANSWER_VALUE: *slot = value; break;
    case ANSWER_ADD:
        TRY(list_at(vm, *slot, &n, &at));
        TRY(list_new(vm, n + 1, &set, &to));
        memcpy(vm->mem + to, vm->mem + at, (size_t)n * sizeof(Word));
        vm->mem[to + n] = value;
        *slot = set;
        break;
    case ANSWER_STOP: TRY(in_order(vm, q, frame->base, slot)); break;
    default: *slot = WORD_NONE; break;
    }
    keep_lists(vm);
    if (what != ANSWER_ADD) frame->block = what == ANSWER_DECLINE ? REC(vm, QUESTIONS, q, OTHERWISE) : REC(vm, QUESTIONS, q, THEN);
    return VM_OK;
}
