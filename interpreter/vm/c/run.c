/* The loop that runs bytecode. What an instruction does is in opcodes.toml; helpers longer than a few lines are in the
   other files. Registers and jumps are verified when a program is loaded; what depends on data is tested here. */
#include "state.h"

#define NEED_ROOM(top) CHECK(stack_room(vm, (top)))
#define CHECK(call) do { status = (call); if (__builtin_expect(status != VM_OK, 0)) goto fail; } while (0)
#define FAULT(code, x, y) do { status = vm_fail(vm, (code), (x), (y)); goto fail; } while (0)
#define GO(target) do { pc = (target); i = code[pc]; goto *labels[i.op]; } while (0)
#define STEP_ON GO(pc + 1)
#define LEAVE(k, x) do { out->kind = (k); out->number = (x); goto leave; } while (0)

static inline int beyond(Word value) { return value > MAX_NUMBER || value < -MAX_NUMBER; }

static VmStatus product(Vm *vm, Word left, Word right, Word *out) {
    __int128 value = (__int128)left * right;
    int32_t unit = META(vm, UNIT);
    if (value % unit) return vm_fail(vm, FAULT_FINE, 0, 0);
    value /= unit;
    if (value > MAX_NUMBER || value < -MAX_NUMBER) return vm_fail(vm, FAULT_BEYOND, 0, 0);
    *out = (Word)value;
    return VM_OK;
}

static VmStatus range_list(Vm *vm, Word low, Word high, Word *out) {
    int32_t unit = META(vm, UNIT), at;
    if (floor_div(high - low, unit) > MAX_ITEMS) return vm_fail(vm, FAULT_RANGE, 0, 0);
    TRY(tick(vm, high > low ? (high - low) / unit : 0));
    Word n = high < low ? 0 : (high - low) / unit + 1;
    TRY(list_new(vm, n, out, &at));
    for (Word k = 0; k < n; k++) vm->mem[at + k] = low + k * unit;
    return VM_OK;
}

/* An entry by its number, which may lie outside: `beyond` says what then (0: an error, 1: the last, 2: zero). */
static VmStatus numbered(Vm *vm, Word list, Word key, Word first, int beyond, Word *out) {
    int32_t n, at, unit = META(vm, UNIT);
    TRY(list_at(vm, list, &n, &at));
    Word number = floor_div(key, unit), rest = key - number * unit;
    if (rest == 0 && first <= number && number < first + n) {
        *out = vm->mem[at + (number - first)];
    } else if (number >= first && n && beyond == 1) {
        *out = vm->mem[at + n - 1];
    } else if (beyond == 2) {
        *out = 0;
    } else {
        return vm_fail(vm, FAULT_ENTRY, number, first * ((Word)1 << 32) + first + n - 1);
    }
    return VM_OK;
}

static VmStatus entry(Vm *vm, Word list, Word index, Word *out) {
    int32_t n, at;
    TRY(list_at(vm, list, &n, &at));
    TRY(in_range(vm, index, n));
    *out = vm->mem[at + index];
    return VM_OK;
}

static VmStatus pieces_list(Vm *vm, Word place, Word *out) {
    int32_t at;
    TRY(in_range(vm, place, META(vm, PLACES)));
    int32_t n = zone_size(vm, (int32_t)place);
    const uint16_t *pieces = zone_pieces(vm, (int32_t)place);
    read_place(vm, (int32_t)place);
    TRY(tick(vm, n >> 4));
    TRY(list_new(vm, n, out, &at));
    for (int32_t k = 0; k < n; k++) vm->mem[at + k] = pieces[k];
    return VM_OK;
}

static VmStatus narrowed(Vm *vm, Word list, int32_t set, Word *out) {
    int32_t n, at, to, kept = 0;
    TRY(list_at(vm, list, &n, &at));
    TRY(tick(vm, n >> 3));
    TRY(list_new(vm, n, out, &to));
    const int32_t *bits = SEC(vm, KINDSETS) + set * META(vm, KIND_WORDS);
    for (int32_t k = 0; k < n; k++) {
        Word piece = vm->mem[at + k];
        TRY(in_range(vm, piece, META(vm, PIECES)));
        int32_t kind = SEC(vm, KIND_OF)[piece];
        if (bits[kind >> 5] >> (kind & 31) & 1) vm->mem[to + kept++] = piece;
    }
    vm->mem[to - 1] = kept;
    vm->top = to + kept;
    return VM_OK;
}

static VmStatus owned_at(Vm *vm, int32_t first, int32_t shift, int32_t n, Word owner, Word *out) {
    Word index = owner >= 0 ? owner - shift : 0;
    TRY(in_range(vm, index, n));
    *out = first + index;
    return VM_OK;
}

/* The loop at some registers begins anew over a list. */
static VmStatus loop_over(Vm *vm, Word *r, Word list, Word steps, int extra) {
    int32_t n, at;
    TRY(list_at(vm, list, &n, &at));
    TRY(tick(vm, n * steps));
    TRY(tick(vm, extra)); /* apart, as the plain machine counts it: the first may be too much */
    r[0] = list;
    r[1] = 0;
    r[2] = vm->top;
    return VM_OK;
}

static VmStatus give_back(Vm *vm, Word mark) {
    if (mark < vm->heap_top || mark > vm->top) return vm_fail(vm, FAULT_BROKEN, 5, 0);
    vm->top = (int32_t)mark;
    return VM_OK;
}

static VmStatus push(Vm *vm, Word list, Word value) {
    uint64_t offset = (uint64_t)(list & ~LIST_TAG);
    if (!is_list(list) || offset < (uint64_t)vm->p->n_pool || offset >= (uint64_t)vm->top) return vm_fail(vm, FAULT_BROKEN, 6, 0);
    Word n = vm->mem[offset];
    if (n < 0 || (uint64_t)n >= (uint64_t)vm->top - offset - 1) return vm_fail(vm, FAULT_BROKEN, 7, 0);
    vm->mem[offset + 1 + (uint64_t)n] = value;
    vm->mem[offset] = n + 1;
    return VM_OK;
}

/* What was just made has room to spare behind it. */
static VmStatus seal(Vm *vm, Word list) {
    int32_t n, at;
    TRY(list_at(vm, list, &n, &at));
    return at > vm->heap_top ? give_back(vm, at + n) : VM_OK;
}

static VmStatus room_for(Vm *vm, Word *r, int each, Word *out) {
    int32_t n, at, to;
    TRY(list_at(vm, r[0], &n, &at));
    TRY(list_new(vm, (int64_t)n * each, out, &to));
    vm->mem[to - 1] = 0;
    r[2] = vm->top;
    return VM_OK;
}

static VmStatus best(Vm *vm, const Word *r, int least, Word *out) {
    int32_t n, m, at, bt, to, kept = 0, order;
    TRY(list_at(vm, r[0], &n, &at));
    TRY(list_at(vm, r[1], &m, &bt));
    if (n != m) return vm_fail(vm, FAULT_BROKEN, 8, 0);
    TRY(list_new(vm, n, out, &to));
    int32_t top = 0;
    for (int32_t k = 1; k < n; k++) {
        TRY(compare_words(vm, vm->mem[at + k], vm->mem[at + top], &order));
        if (least ? order < 0 : order > 0) top = k;
    }
    for (int32_t k = 0; k < n; k++) {
        TRY(compare_words(vm, vm->mem[at + k], vm->mem[at + top], &order));
        if (!order) vm->mem[to + kept++] = vm->mem[bt + k];
    }
    vm->mem[to - 1] = kept;
    vm->top = to + kept;
    return VM_OK;
}

/* Merge sort of places by key: stable, and no worse than n log n. */
static VmStatus sorted(Vm *vm, const Word *r, int falling, Word *out) {
    int32_t n, m, at, bt, to, tmp, order;
    Word spare;
    TRY(list_at(vm, r[0], &n, &at));
    TRY(list_at(vm, r[1], &m, &bt));
    if (n != m) return vm_fail(vm, FAULT_BROKEN, 8, 0);
    TRY(list_new(vm, n, out, &to));
    TRY(list_new(vm, n, &spare, &tmp));
    for (int32_t k = 0; k < n; k++) vm->mem[to + k] = k;
    for (int32_t width = 1; width < n; width *= 2) {
        for (int32_t low = 0; low < n; low += 2 * width) {
            int32_t mid = low + width < n ? low + width : n, high = low + 2 * width < n ? low + 2 * width : n;
            for (int32_t k = low, left = low, right = mid; k < high; k++) {
                int take_right = left >= mid;
                if (left < mid && right < high) {
                    TRY(compare_words(vm, vm->mem[at + vm->mem[to + right]], vm->mem[at + vm->mem[to + left]], &order));
                    take_right = falling ? order > 0 : order < 0;
                }
                vm->mem[tmp + k] = vm->mem[to + (take_right ? right++ : left++)];
            }
        }
        memcpy(vm->mem + to, vm->mem + tmp, (size_t)n * sizeof(Word));
    }
    for (int32_t k = 0; k < n; k++) vm->mem[to + k] = vm->mem[bt + vm->mem[to + k]];
    vm->top = to + n;
    return VM_OK;
}

/* In a loop that grows, what is new in a list follows. The list of the loop is its own, and all behind it is scratch, so
   it grows where it is; where elements are lists that lie behind it, it is made anew. */
static VmStatus follow(Vm *vm, Word *r, Word more, Word steps) {
    int32_t n, m, at, bt, to, fresh = 0;
    Word once, grown, rest;
    int known, lists = 0;
    TRY(list_distinct(vm, more, &once));
    TRY(list_at(vm, r[0], &n, &at));
    TRY(list_at(vm, once, &m, &bt));
    TRY(list_new(vm, m, &rest, &to));
    for (int32_t k = 0; k < m; k++) {
        TRY(list_has(vm, r[0], vm->mem[bt + k], &known));
        lists |= is_list(vm->mem[bt + k]);
        if (!known) vm->mem[to + fresh++] = vm->mem[bt + k];
    }
    TRY(tick(vm, fresh * steps));
    if (!fresh) return VM_OK;
    int32_t from = to;
    if (!lists && at > vm->heap_top && at + n <= to) {
        memmove(vm->mem + at + n, vm->mem + from, (size_t)fresh * sizeof(Word));
        vm->mem[at - 1] = n + fresh;
        vm->top = at + n + fresh;
        r[2] = vm->top;
        return VM_OK;
    }
    TRY(list_new(vm, (int64_t)n + fresh, &grown, &to));
    memcpy(vm->mem + to, vm->mem + at, (size_t)n * sizeof(Word));
    memcpy(vm->mem + to + n, vm->mem + from, (size_t)fresh * sizeof(Word));
    r[0] = grown;
    r[2] = vm->top;
    return VM_OK;
}

static VmStatus all_seen(Vm *vm, Word what, int variables, int *out) {
    int32_t n = 1, at = 0, room = variables ? META(vm, SLOTS) : META(vm, PIECES);
    if (is_list(what)) TRY(list_at(vm, what, &n, &at));
    *out = 1;
    for (int32_t k = 0; k < n && *out; k++) {
        Word one = is_list(what) ? vm->mem[at + k] : what;
        if (is_list(one)) {
            TRY(all_seen(vm, one, variables, out));
            continue;
        }
        TRY(in_range(vm, one, room));
        *out = variables ? sees_variable(vm, (int32_t)one, vm->viewer) : sees_piece(vm, (int32_t)one, vm->viewer);
    }
    return VM_OK;
}

/* What and where to, by turns; `cells` says which of a turn's pairs go to cells: how many there are, then bits. */
static VmStatus move_all(Vm *vm, Word list, int spec) {
    int32_t n, at, width = spec >> 8;
    TRY(list_at(vm, list, &n, &at));
    for (int32_t k = 0; k + 1 < n; k += 2)
        TRY(move_pieces(vm, vm->mem[at + k], vm->mem[at + k + 1], spec >> (k / 2 % width) & 1));
    return VM_OK;
}

static VmStatus pairs_of(Vm *vm, Word list, int verb) {
    int32_t n, at;
    TRY(list_at(vm, list, &n, &at));
    for (int32_t k = 0; k + 1 < n; k += 2)
        TRY(verb < 0 ? swap_pieces(vm, vm->mem[at + k], vm->mem[at + k + 1])
                     : change_variable(vm, vm->mem[at + k], vm->mem[at + k + 1], verb));
    return VM_OK;
}

static VmStatus lists_work(Vm *vm, const Word *args, int n) {
    int32_t size, at;
    Word sum = 0;
    for (int k = 0; k < n; k++)
        if (is_list(args[k])) {
            TRY(list_at(vm, args[k], &size, &at));
            sum += size;
        }
    return tick(vm, sum >> 4);
}

VmStatus vm_exec(Vm *vm, int32_t pc, int32_t base, int mode, Exit *out) {
    static const void *const labels[] = {OP_LABELS};
    const Instr *code = vm->p->code;
    Word *R = vm->stack + base;
    VmStatus status = VM_OK;
    int64_t turns = TURNS_A_STEP * vm->max_work + (1 << 20);
    int32_t entered = vm->n_returns, self_calls = vm->self_calls, block = out->block, n, at;
    int32_t noting = vm->n_noting;
    int16_t noted = 0;
    int yes;
    Instr i;
    GO(pc);

op_MOV: R[i.a] = R[i.b]; STEP_ON;
op_K: R[i.a] = vm->p->pool[instr_bc(i)]; STEP_ON;
op_INT: R[i.a] = instr_bc(i); STEP_ON;
op_ADD: {
    Word value;
    if (__builtin_add_overflow(R[i.b], R[i.c], &value) || beyond(value)) FAULT(FAULT_BEYOND, 0, 0);
    R[i.a] = value;
    STEP_ON;
}
op_SUB: {
    Word value;
    if (__builtin_sub_overflow(R[i.b], R[i.c], &value) || beyond(value)) FAULT(FAULT_BEYOND, 0, 0);
    R[i.a] = value;
    STEP_ON;
}
op_MUL: CHECK(product(vm, R[i.b], R[i.c], R + i.a)); STEP_ON;
op_NOT: R[i.a] = truth(!(R[i.b] & 1)); STEP_ON;
op_EQ: R[i.a] = truth(R[i.b] == R[i.c]); STEP_ON;
op_LT: R[i.a] = truth(R[i.b] < R[i.c]); STEP_ON;
op_LE: R[i.a] = truth(R[i.b] <= R[i.c]); STEP_ON;
op_SAME: CHECK(weigh(vm, R[i.b])); CHECK(same(vm, R[i.b], R[i.c], &yes)); R[i.a] = truth(yes); STEP_ON;
op_HAS: CHECK(weigh(vm, R[i.b])); CHECK(list_has(vm, R[i.b], R[i.c], &yes)); R[i.a] = truth(yes); STEP_ON;
op_REGION:
    CHECK(weigh(vm, R[i.b]));
    yes = 0;
    if (R[i.c] >= 0) {
        CHECK(in_range(vm, R[i.c], META(vm, CELLS)));
        CHECK(list_has(vm, R[i.b], SEC(vm, CELL_PLAN)[R[i.c]], &yes));
    }
    R[i.a] = truth(yes);
    STEP_ON;
op_JOIN: CHECK(list_joined(vm, R[i.b], R[i.c], R + i.a)); STEP_ON;
op_LESS: CHECK(weigh(vm, R[i.b])); CHECK(weigh(vm, R[i.c])); CHECK(list_without(vm, R[i.b], R[i.c], R + i.a)); STEP_ON;
op_RANGE: CHECK(range_list(vm, R[i.b], R[i.c], R + i.a)); STEP_ON;
op_LIST: {
    Word made;
    CHECK(list_new(vm, i.c, &made, &at));
    memcpy(vm->mem + at, R + i.b, i.c * sizeof(Word));
    R[i.a] = made;
    STEP_ON;
}
op_SCALE: CHECK(in_range(vm, R[i.b], 1 << 20)); R[i.a] = R[i.b] * i.c; STEP_ON;
op_TIMES: R[i.a] = floor_div(R[i.b], META(vm, UNIT)); STEP_ON;
op_JMP: /* only here a program goes back: an endless loop that counts no work ends, too */
    if (instr_bc(i) <= pc && --turns < 0) FAULT(FAULT_WORK, 0, 0);
    GO(instr_bc(i));
op_JT: if (R[i.a] & 1) goto op_JMP; STEP_ON;
op_JF: if (!(R[i.a] & 1)) goto op_JMP; STEP_ON;
op_TICK: CHECK(tick(vm, instr_bc(i))); STEP_ON;
op_RECALL: {
    int how;
    Word value;
    CHECK(recall(vm, i.c, R + i.b, &value, &how));
    if (how == KNOWN) {
        R[i.a] = value;
        STEP_ON;
    }
    noted = how == NOTED;
    goto op_CALL;
}
op_CALLSELF:
    if (vm->self_calls >= META(vm, DEPTH)) FAULT(FAULT_SELF, i.c, 0);
    vm->self_calls++;
op_CALL: {
    int32_t callee = base + i.b;
    NEED_ROOM((int64_t)callee + REC(vm, DEFINES, i.c, WINDOW));
    if (vm->n_returns >= MAX_RETURNS) FAULT(FAULT_DEEP, 0, 0);
    vm->returns[vm->n_returns++] = (ReturnTo){pc + 1, base, i.a, i.op == OP_CALLSELF, noted};
    noted = 0;
    base = callee;
    R = vm->stack + base;
    GO(REC(vm, DEFINES, i.c, PC));
}
op_RET: {
    Word value = R[i.a];
    if (vm->n_returns == entered) {
        out->value = value;
        LEAVE(EXIT_RET, 0);
    }
    ReturnTo to = vm->returns[--vm->n_returns];
    vm->self_calls -= to.self;
    if (to.noted) note_value(vm, value);
    base = to.base;
    R = vm->stack + base;
    R[to.to] = value;
    GO(to.pc);
}
op_ENTRY: {
    int32_t list = SEC(vm, LISTS)[i.c];
    if ((uint64_t)R[i.b] >= (uint64_t)vm->p->pool[list]) FAULT(FAULT_BROKEN, 9, 0);
    R[i.a] = vm->p->pool[list + 1 + R[i.b]];
    STEP_ON;
}
op_ENTRY2: {
    Word row;
    CHECK(entry(vm, LIST_TAG | SEC(vm, LISTS)[i.c], R[i.b], &row));
    CHECK(entry(vm, row, R[i.b + 1], R + i.a));
    STEP_ON;
}
op_ITEM: CHECK(entry(vm, R[i.b], R[i.c], R + i.a)); STEP_ON;
op_NTH: CHECK(numbered(vm, R[i.b], R[i.c], 1, 0, R + i.a)); STEP_ON;
op_SERIES:
    CHECK(numbered(vm, LIST_TAG | REC(vm, SERIES, i.c, LIST), R[i.b], REC(vm, SERIES, i.c, FIRST),
                   REC(vm, SERIES, i.c, BEYOND), R + i.a));
    STEP_ON;
op_CELLAT:
    CHECK(in_range(vm, R[i.b], META(vm, PLACES)));
    CHECK(in_range(vm, R[i.c], SEC(vm, PLACE_CELLS)[R[i.b]]));
    R[i.a] = SEC(vm, PLACE_FIRST_CELL)[R[i.b]] + R[i.c];
    STEP_ON;
op_ROWOF: {
    Word cell = R[i.b];
    if (cell < 0 || cell >= META(vm, CELLS) || SEC(vm, CELL_TABLE)[cell] != i.c) FAULT(FAULT_ROW, 0, 0);
    R[i.a] = SEC(vm, CELL_PLAN)[cell];
    STEP_ON;
}
op_ZONE:
    CHECK(owned_at(vm, SEC(vm, ZONE_FIRST)[i.c], SEC(vm, ZONE_SHIFT)[i.c], SEC(vm, ZONE_PLACES)[i.c], R[i.b], R + i.a));
    STEP_ON;
op_PIECES: CHECK(pieces_list(vm, R[i.b], R + i.a)); STEP_ON;
op_NARROW: CHECK(narrowed(vm, R[i.b], i.c, R + i.a)); STEP_ON;
op_VARAT:
    CHECK(owned_at(vm, SEC(vm, VAR_FIRST)[i.c], SEC(vm, VAR_SHIFT)[i.c], SEC(vm, VAR_COUNT)[i.c], R[i.b], R + i.a));
    STEP_ON;
op_VAR: {
    Word slot;
    CHECK(owned_at(vm, SEC(vm, VAR_FIRST)[i.c], SEC(vm, VAR_SHIFT)[i.c], SEC(vm, VAR_COUNT)[i.c], R[i.b], &slot));
    read_slot(vm, (int32_t)slot);
    R[i.a] = vm->vars[slot];
    STEP_ON;
}
op_GVAR: read_slot(vm, instr_bc(i)); R[i.a] = vm->vars[instr_bc(i)]; STEP_ON;
op_PRIM: {
    int number = i.c & 0xFF, count = i.c >> 8;
    CHECK(lists_work(vm, R + i.b, count));
    status = primitive(vm, number, count, R + i.b, base + i.b + count, R[0], R + i.a);
    if (status != VM_OK) {
        vm->fault.spanned = 1;
        if (vm->fault.pc < 0) vm->fault.pc = pc;
        goto fail;
    }
    STEP_ON;
}
op_LOOP: CHECK(loop_over(vm, R + i.a, R[i.b], i.c, 1)); STEP_ON;
op_OVER: CHECK(loop_over(vm, R + i.a, R[i.b], 0, 0)); STEP_ON;
op_EACH: CHECK(list_at(vm, R[i.a], &n, &at)); CHECK(tick(vm, (Word)n * i.b)); STEP_ON;
op_NEXT:
    if (R[i.a + 2] != vm->top) CHECK(give_back(vm, R[i.a + 2]));
op_NEXTKEEP:
    CHECK(list_at(vm, R[i.a], &n, &at));
    if ((uint64_t)R[i.a + 1] >= (uint64_t)n) GO(pc + 1 + (int16_t)i.c);
    R[i.b] = vm->mem[at + R[i.a + 1]++];
    STEP_ON;
op_LNEW: CHECK(room_for(vm, R + i.b, i.c, R + i.a)); STEP_ON;
op_PUSH: CHECK(push(vm, R[i.a], R[i.b])); STEP_ON;
op_SEAL: CHECK(seal(vm, R[i.a])); STEP_ON;
op_WEIGH: CHECK(weigh(vm, R[i.a])); STEP_ON;
op_BEST: CHECK(best(vm, R + i.b, i.c, R + i.a)); STEP_ON;
op_SORT: CHECK(sorted(vm, R + i.b, i.c, R + i.a)); STEP_ON;
op_REACH: {
    Word once;
    CHECK(list_distinct(vm, R[i.b], &once));
    CHECK(loop_over(vm, R + i.a, once, i.c, 1));
    STEP_ON;
}
op_FOLLOW: CHECK(follow(vm, R + i.a, R[i.b], i.c)); STEP_ON;
op_CAN:
    CHECK(can_complete(vm, i.c, base + i.b, base + i.b + 2 + REC(vm, CALLS, i.c, ARGUMENTS), &yes));
    R[i.a] = truth(yes);
    STEP_ON;
op_WOULD:
    CHECK(would_begin(vm, i.c, base + i.b, base + i.b + 2 + REC(vm, CALLS, i.c, ARGUMENTS)));
    STEP_ON;
op_BACK: {
    Word value = R[i.b];
    CHECK(would_end(vm, &value));
    R[i.a] = value;
    STEP_ON;
}
op_BLOCK: {
    block = instr_bc(i);
    const int32_t *record = SEC(vm, BLOCKS) + block * N_BLOCKS;
    if (mode == MODE_REAL) {
        if (!vm->nested) { /* nothing of the block before is needed but what is kept */
            vm->top = vm->heap_top;
            if (vm->top > vm->gc_at) CHECK(collect(vm));
        }
        CHECK(tick(vm, record[BLOCKS_COST]));
        if (record[BLOCKS_ACTS] && vm->s->asking >= 0) LEAVE(EXIT_PARK, 0);
    } else if (mode == MODE_DRY) {
        vm->dry_started |= (uint32_t)record[BLOCKS_STARTED_LOW] | (uint64_t)(uint32_t)record[BLOCKS_STARTED_HIGH] << 32;
        CHECK(tick(vm, record[BLOCKS_COST]));
        if (record[BLOCKS_ACTS]) LEAVE(EXIT_ACTS, 0);
    } else { /* the block that was tried out has come to its end */
        LEAVE(EXIT_RET, 0);
    }
    STEP_ON;
}
op_AT: block = instr_bc(i); STEP_ON;
op_SKIPLAW: if (mode != MODE_REAL || vm->trying || !META(vm, LAWS)) GO(instr_bc(i)); STEP_ON;
op_SKIPPAST: if (mode != MODE_REAL || vm->trying) GO(instr_bc(i)); STEP_ON;
op_SKIPSIGHT: if (mode != MODE_TRIAL) GO(instr_bc(i)); STEP_ON;
op_NEED:
    if (!(R[i.a] & 1)) {
        if (mode != MODE_REAL) LEAVE(EXIT_FAIL, 0);
        FAULT(FAULT_NEED, 0, 0);
    }
    STEP_ON;
op_LAW: if (!(R[i.a] & 1)) FAULT(FAULT_LAW, i.b, 0); STEP_ON;
op_STORE: CHECK(stored(vm, R[i.b])); R[i.a] = R[i.b]; keep_lists(vm); STEP_ON;
op_SIZE: CHECK(stored(vm, R[i.a])); STEP_ON;
op_HEAD: if (mode == MODE_DRY) LEAVE(EXIT_HEAD, 0); STEP_ON;
op_STEP:
    CHECK(list_at(vm, R[i.a], &n, &at));
    if ((uint64_t)R[i.a + 1] >= (uint64_t)n) GO(pc + 1 + (int16_t)i.c);
    if (block < 0) FAULT(FAULT_BROKEN, 10, 0);
    CHECK(tick(vm, REC(vm, BLOCKS, block, COST)));
    R[i.b] = vm->mem[at + R[i.a + 1]++];
    STEP_ON;
op_ROLLHEAD:
    if (mode != MODE_REAL) LEAVE(EXIT_ROLL, 0);
    if (vm->s->asking >= 0) LEAVE(EXIT_PARK, 0);
    STEP_ON;
op_TURNS:
    CHECK(list_at(vm, R[i.a], &n, &at));
    if (block < 0) FAULT(FAULT_BROKEN, 10, 0);
    CHECK(tick(vm, (Word)n * REC(vm, BLOCKS, block, COST)));
    STEP_ON;
op_ROLL: CHECK(roll(vm, R[i.b], R[i.b + 1], i.c, R + i.a)); keep_lists(vm); STEP_ON;
op_SEEN: CHECK(all_seen(vm, R[i.a], 0, &yes)); if (!yes) LEAVE(EXIT_UNSEEN, 0); STEP_ON;
op_SEENVAR: CHECK(all_seen(vm, R[i.a], 1, &yes)); if (!yes) LEAVE(EXIT_UNSEEN, 0); STEP_ON;
op_SEENBY:
    yes = R[i.b] == vm->viewer;
    if (is_list(R[i.b])) CHECK(list_has(vm, R[i.b], vm->viewer, &yes));
    if (yes) CHECK(all_seen(vm, R[i.a], 0, &yes)); else yes = 1;
    if (!yes) LEAVE(EXIT_UNSEEN, 0);
    STEP_ON;
op_UNSEEN: LEAVE(EXIT_UNSEEN, 0);
op_MOVE: CHECK(move_pieces(vm, R[i.a], R[i.b], i.c)); STEP_ON;
op_MOVES: CHECK(move_all(vm, R[i.a], i.b)); STEP_ON;
op_SWAP: CHECK(swap_pieces(vm, R[i.a], R[i.b])); STEP_ON;
op_SWAPS: CHECK(pairs_of(vm, R[i.a], -1)); STEP_ON;
op_SHUFFLE: CHECK(shuffle_zone(vm, R[i.a])); STEP_ON;
op_SHOW: CHECK(show_pieces(vm, R[i.a], R[i.b])); STEP_ON;
op_CHANGE: CHECK(change_variable(vm, R[i.a], R[i.b], i.c)); STEP_ON;
op_CHANGES: CHECK(pairs_of(vm, R[i.a], i.b)); STEP_ON;
op_RESET: CHECK(reset_variable(vm, i.a)); STEP_ON;
op_ASK: LEAVE(EXIT_ASK, i.a);
op_DO: out->reg = base + i.b; LEAVE(EXIT_DO, i.c);
op_MARK: if (R[i.b] & 1) R[i.a] |= (Word)1 << (i.c & 63); STEP_ON;
op_INSTEAD: out->value = R[i.a]; LEAVE(EXIT_INSTEAD, i.b);
op_SEATS: LEAVE(EXIT_SEATS, i.a);
op_FINISH: out->value = R[i.a]; LEAVE(EXIT_FINISH, 0);
op_RETURN: out->value = i.a ? R[i.a - 1] : WORD_NONE; LEAVE(EXIT_RETURN, i.a);

leave:
    out->pc = pc;
    out->block = block;
    vm->n_returns = entered;
    vm->n_noting = noting;
    vm->self_calls = self_calls;
    return VM_OK;
fail:
    if (status == VM_FAULT && vm->fault.pc < 0) vm->fault.pc = pc;
    out->pc = pc;
    out->block = block;
    vm->n_returns = entered;
    vm->n_noting = noting;
    vm->self_calls = self_calls;
    return status;
}

VmStatus vm_value(Vm *vm, int32_t pc, int32_t base, Word *out) {
    Exit left = {.block = -1};
    TRY(vm_exec(vm, pc, base, MODE_DRY, &left));
    if (left.kind != EXIT_RET) return vm_fail(vm, FAULT_BROKEN, 11, 0);
    *out = left.value;
    return VM_OK;
}
