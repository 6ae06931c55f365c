/* What the primitives mean; `interpreter/plain/primitives.py` has the same in Python, and the records of the language say
   what each promises. Arguments lie in registers one after another. */
#include "state.h"

#include <stdlib.h>

#define MAX_SUMS 100000

static VmStatus bounded(Vm *vm, Word value, Word *out) {
    *out = value;
    return value > MAX_NUMBER || value < -MAX_NUMBER ? vm_fail(vm, FAULT_BEYOND, 0, 0) : VM_OK;
}

static VmStatus counted_list(Vm *vm, Word from, Word n, Word modulo, Word *out) {
    int32_t at;
    TRY(list_new(vm, n, out, &at));
    for (Word k = 0; k < n; k++) vm->mem[at + k] = modulo ? (from + k) % modulo : from + k;
    return VM_OK;
}

static VmStatus cell_in(Vm *vm, Word cell, int32_t *out) { /* -1: on no grid */
    if (cell < 0) {
        *out = -1;
        return VM_OK;
    }
    TRY(in_range(vm, cell, META(vm, CELLS)));
    *out = (int32_t)cell;
    return VM_OK;
}

static VmStatus sum_of(Vm *vm, Word list, Word *out) {
    int32_t n, at;
    Word sum = 0;
    TRY(list_at(vm, list, &n, &at));
    for (int32_t k = 0; k < n; k++)
        if (__builtin_add_overflow(sum, vm->mem[at + k], &sum)) return vm_fail(vm, FAULT_BEYOND, 0, 0);
    return bounded(vm, sum, out);
}

static VmStatus union_of(Vm *vm, Word lists, Word *out) {
    int32_t n, at, m, bt, to;
    int64_t size = 0;
    TRY(list_at(vm, lists, &n, &at));
    for (int32_t k = 0; k < n; k++) {
        TRY(list_at(vm, vm->mem[at + k], &m, &bt));
        size += m;
    }
    TRY(tick(vm, size));
    TRY(list_new(vm, size, out, &to));
    for (int32_t k = 0; k < n; k++) {
        TRY(list_at(vm, vm->mem[at + k], &m, &bt));
        memcpy(vm->mem + to, vm->mem + bt, (size_t)m * sizeof(Word));
        to += m;
    }
    return VM_OK;
}

static int by_value(const void *a, const void *b) {
    Word x = *(const Word *)a, y = *(const Word *)b;
    return x < y ? -1 : x > y;
}

/* Every total of one value out of each list; in order, each once. */
static VmStatus sums_of(Vm *vm, Word lists, Word *out) {
    int32_t n, at, m, bt, to, known, kt;
    Word totals, grown;
    TRY(list_at(vm, lists, &n, &at));
    TRY(list_new(vm, 1, &totals, &to));
    vm->mem[to] = 0;
    for (int32_t k = 0; k < n; k++) {
        TRY(list_at(vm, vm->mem[at + k], &m, &bt));
        TRY(list_at(vm, totals, &known, &kt));
        TRY(tick(vm, (Word)known * m));
        TRY(list_new(vm, (int64_t)known * m, &grown, &to));
        for (int32_t x = 0; x < known; x++)
            for (int32_t y = 0; y < m; y++)
                if (__builtin_add_overflow(vm->mem[kt + x], vm->mem[bt + y], vm->mem + to + x * m + y))
                    return vm_fail(vm, FAULT_BEYOND, 0, 0);
        qsort(vm->mem + to, (size_t)known * (size_t)m, sizeof(Word), by_value);
        int32_t kept = 0;
        for (int32_t x = 0; x < known * m; x++)
            if (!kept || vm->mem[to + kept - 1] != vm->mem[to + x]) vm->mem[to + kept++] = vm->mem[to + x];
        vm->mem[to - 1] = kept;
        vm->top = to + kept;
        totals = grown;
        if (kept > MAX_SUMS) return vm_fail(vm, FAULT_SUMS, 0, 0);
    }
    Word end;
    TRY(list_at(vm, totals, &known, &kt));
    if (known) {
        TRY(bounded(vm, vm->mem[kt], &end));
        TRY(bounded(vm, vm->mem[kt + known - 1], &end));
    }
    *out = totals;
    return VM_OK;
}

/* Flood from each piece over the neighbours that are in the list. */
static VmStatus groups_of(Vm *vm, Word list, Word *out) {
    int32_t n, at, to, pieces = META(vm, PIECES), found = 0;
    TRY(list_at(vm, list, &n, &at));
    uint8_t *state = calloc((size_t)pieces + 1, 1); /* 1: wanted, 2: met */
    VmStatus status = state ? VM_OK : VM_NO_MEMORY;
    for (int32_t k = 0; k < n && status == VM_OK; k++)
        if ((status = in_range(vm, vm->mem[at + k], pieces)) == VM_OK) state[vm->mem[at + k]] = 1;
    if (status == VM_OK) status = list_new(vm, n, out, &to);
    for (int32_t k = 0; k < n && status == VM_OK; k++) {
        Word group;
        int32_t gt, size = 1;
        int32_t piece = (int32_t)vm->mem[at + k];
        if (state[piece] == 2) continue;
        if ((status = list_new(vm, n, &group, &gt)) != VM_OK) break;
        state[piece] = 2;
        vm->mem[gt] = piece;
        for (int32_t g = 0; g < size; g++) {
            int32_t cell = vm->cell[vm->mem[gt + g]];
            if (cell == NOWHERE) continue;
            const Word *near = vm->p->pool + SEC(vm, CELL_NEAR)[cell];
            read_place(vm, SEC(vm, CELL_PLACE)[cell]);
            for (Word b = SEC(vm, CELL_STACKS)[cell] ? -1 : 0; b < near[0]; b++) {
                const uint16_t *there;
                int32_t lying = lying_on(vm, b < 0 ? cell : (int32_t)near[1 + b], &there);
                if (b >= 0) read_place(vm, SEC(vm, CELL_PLACE)[near[1 + b]]);
                for (int32_t x = 0; x < lying; x++)
                    if (state[there[x]] == 1) {
                        state[there[x]] = 2;
                        vm->mem[gt + size++] = there[x];
                    }
            }
        }
        vm->mem[gt - 1] = size;
        vm->top = gt + size;
        vm->mem[to + found++] = group;
    }
    free(state);
    TRY(status);
    vm->mem[to - 1] = found;
    return tick(vm, n);
}

static VmStatus end_of(Vm *vm, Word list, int last, int n_args, Word other, Word *out) {
    int32_t n, at;
    TRY(list_at(vm, list, &n, &at));
    if (n) {
        *out = vm->mem[at + (last ? n - 1 : 0)];
    } else if (n_args > 1) {
        *out = other;
    } else {
        return vm_fail(vm, last ? FAULT_LAST : FAULT_FIRST, 0, 0);
    }
    return VM_OK;
}

static VmStatus extreme(Vm *vm, int greatest, int n_args, const Word *args, Word *out) {
    int32_t n = 0, at = 0, order;
    int some = 0, k = 0;
    Word found = 0;
    if (is_list(args[0])) {
        TRY(list_at(vm, args[0], &n, &at));
        k = 1;
    }
    for (int32_t x = 0; x < n + n_args - k; x++) {
        Word one = x < n ? vm->mem[at + x] : args[k + x - n];
        order = 0;
        if (some) TRY(compare_words(vm, one, found, &order));
        if (!some || (greatest ? order > 0 : order < 0)) found = one;
        some = 1;
    }
    if (!some) return vm_fail(vm, greatest ? FAULT_GREATEST : FAULT_LEAST, 0, 0);
    *out = found;
    return VM_OK;
}

static VmStatus top_of(Vm *vm, Word pieces, int n_args, Word number, Word *out) {
    int32_t n, at, to;
    TRY(list_at(vm, pieces, &n, &at));
    Word wanted = n_args < 2 ? 1 : floor_div(number, META(vm, UNIT));
    if (wanted < 0) wanted = 0;
    if (wanted > n) wanted = n;
    TRY(list_new(vm, wanted, out, &to));
    for (Word k = 0; k < wanted; k++) vm->mem[to + k] = vm->mem[at + n - 1 - k];
    return VM_OK;
}

/* What lies on some cells, cell by cell; `cells` points into the pool. */
static VmStatus lying(Vm *vm, const Word *cells, Word n_cells, Word *out) {
    const uint16_t *there;
    int32_t size = 0, to;
    for (Word k = 0; k < n_cells; k++) {
        size += lying_on(vm, (int32_t)cells[k], &there);
        read_place(vm, SEC(vm, CELL_PLACE)[cells[k]]);
    }
    TRY(list_new(vm, size, out, &to));
    for (Word k = 0; k < n_cells; k++) {
        int32_t n = lying_on(vm, (int32_t)cells[k], &there);
        for (int32_t x = 0; x < n; x++) vm->mem[to++] = there[x];
    }
    return tick(vm, size >> 3);
}

static VmStatus near_by(Vm *vm, Word at, int number, Word *out) {
    int32_t cell;
    TRY(cell_in(vm, at, &cell));
    if (cell < 0) return lying(vm, NULL, 0, out);
    Word own = cell;
    if (number == P_AT) return lying(vm, &own, 1, out);
    const Word *list = vm->p->pool + (number == P_NEAR ? SEC(vm, CELL_NEAR) : SEC(vm, CELL_AROUND))[cell];
    return lying(vm, list + 1, list[0], out);
}

static VmStatus cells_of(Vm *vm, Word place, int n_args, Word region, int free_only, Word *out) {
    int32_t n, at = 0, to, kept = 0;
    TRY(in_range(vm, place, META(vm, PLACES)));
    int32_t first = SEC(vm, PLACE_FIRST_CELL)[place], count = SEC(vm, PLACE_CELLS)[place];
    n = count;
    if (n_args > 1) TRY(list_at(vm, region, &n, &at));
    if (free_only) read_place(vm, (int32_t)place);
    TRY(list_new(vm, n, out, &to));
    for (int32_t k = 0; k < n; k++) {
        Word plan = n_args > 1 ? vm->mem[at + k] : k; /* it may be a region of a larger grid */
        if (plan < 0 || plan >= count) continue;
        if (free_only && vm->at[first + plan] != NOWHERE) continue;
        vm->mem[to + kept++] = first + plan;
    }
    vm->mem[to - 1] = kept;
    vm->top = to + kept;
    return VM_OK;
}

/* The cell so far away on the same grid; -1 where there is none. */
static int32_t stepped(const Vm *vm, int32_t cell, Word right, Word down) {
    int32_t place = SEC(vm, CELL_PLACE)[cell];
    const int32_t *grid = SEC(vm, GRIDS) + SEC(vm, PLACE_GRID)[place] * N_GRIDS;
    Word row = SEC(vm, CELL_ROW)[cell] + down - grid[GRIDS_ROW], column = SEC(vm, CELL_COLUMN)[cell] + right - grid[GRIDS_COLUMN];
    if (row < 0 || row >= grid[GRIDS_ROWS] || column < 0 || column >= grid[GRIDS_COLUMNS]) return -1;
    int32_t plan = SEC(vm, GRID_MAP)[grid[GRIDS_MAP] + row * grid[GRIDS_COLUMNS] + column];
    return plan < 0 ? -1 : SEC(vm, PLACE_FIRST_CELL)[place] + plan;
}

static VmStatus steps_from(Vm *vm, const Word *args, int along, Word *out) {
    int32_t cell, n = 0, to, unit = META(vm, UNIT);
    TRY(cell_in(vm, args[0], &cell));
    TRY(list_new(vm, along ? META(vm, CELLS) : 1, out, &to));
    if (cell >= 0 && args[1] % unit == 0 && args[2] % unit == 0) {
        Word right = args[1] / unit, down = args[2] / unit;
        if (!along || right || down)
            while ((cell = stepped(vm, cell, right, down)) >= 0) {
                vm->mem[to + n++] = cell;
                if (!along) break;
            }
    }
    vm->mem[to - 1] = n;
    vm->top = to + n;
    return along ? tick(vm, n >> 3) : VM_OK;
}

static VmStatus lines_of(Vm *vm, Word at, Word number, Word *out) {
    int32_t cell, found = 0, to, lt;
    Word length = floor_div(number, META(vm, UNIT)), line;
    TRY(cell_in(vm, at, &cell));
    const int32_t *grid = cell < 0 ? NULL : SEC(vm, GRIDS) + SEC(vm, PLACE_GRID)[SEC(vm, CELL_PLACE)[cell]] * N_GRIDS;
    if (!grid || length < 1 || (length > grid[GRIDS_WIDTH] && length > grid[GRIDS_HEIGHT])) {
        TRY(list_new(vm, 0, out, &to));
        return tick(vm, 0);
    }
    TRY(list_new(vm, length * grid[GRIDS_N_WAYS], out, &to));
    for (int32_t way = 0; way < (length == 1 ? 1 : grid[GRIDS_N_WAYS]); way++) {
        const int32_t *by = SEC(vm, GRID_WAYS) + grid[GRIDS_WAYS] + 2 * way;
        for (Word back = length - 1; back >= 0; back--) {
            Word k = 0;
            TRY(list_new(vm, length, &line, &lt));
            for (; k < length; k++) {
                int32_t there = stepped(vm, cell, (k - back) * by[1], (k - back) * by[0]);
                if (there < 0) break;
                vm->mem[lt + k] = there;
            }
            if (k < length) {
                vm->top = lt - 1;
            } else {
                vm->mem[to + found++] = line;
            }
        }
    }
    vm->mem[to - 1] = found;
    return tick(vm, found);
}

static VmStatus beside(Vm *vm, int n_args, const Word *args, int step, Word *out) {
    int32_t n = META(vm, PLAYERS), at = 0, index = 0;
    if (n_args > 1) {
        TRY(list_at(vm, args[1], &n, &at));
        while (index < n && vm->mem[at + index] != args[0]) index++;
    } else {
        index = args[0] >= 0 && args[0] < n ? (int32_t)args[0] : n;
    }
    if (index == n) return vm_fail(vm, FAULT_RING, 0, 0);
    index = (index + step + n) % n;
    *out = n_args > 1 ? vm->mem[at + index] : index;
    return VM_OK;
}

VmStatus primitive(Vm *vm, int number, int n, Word *args, int32_t sp, Word me, Word *out) {
    int32_t size, at, players = META(vm, PLAYERS), unit = META(vm, UNIT);
    int yes;
    switch (number) {
    case P_PLAYERS: return counted_list(vm, 0, players, 0, out);
    case P_OPPONENTS:
        TRY(in_range(vm, me, players));
        return counted_list(vm, me + 1, players - 1, players, out);
    case P_CLOCKWISE:
        TRY(in_range(vm, args[0], players));
        return counted_list(vm, args[0], players, players, out);
    case P_EVERYWHERE: return counted_list(vm, 0, META(vm, PIECES), 0, out);
    case P_CELL_OF:
        TRY(in_range(vm, args[0], META(vm, PIECES)));
        read_place(vm, vm->place[args[0]]);
        *out = vm->cell[args[0]] == NOWHERE ? -1 : vm->cell[args[0]];
        return VM_OK;
    case P_OWNER_OF:
        TRY(in_range(vm, args[0], META(vm, PIECES)));
        read_owner(vm, vm->place[args[0]]);
        *out = owner_seat(vm, vm->place[args[0]]);
        return *out < 0 ? vm_fail(vm, FAULT_OWNER, 0, 0) : VM_OK;
    case P_FACE_OF:
        TRY(in_range(vm, args[0], META(vm, PIECES)));
        *out = SEC(vm, FACE)[args[0]];
        return VM_OK;
    case P_ANY:
        TRY(list_at(vm, args[0], &size, &at));
        *out = truth(size > 0);
        return VM_OK;
    case P_ALL:
        TRY(list_at(vm, args[0], &size, &at));
        for (yes = 1; size-- > 0 && yes; at++) yes = (int)(vm->mem[at] & 1);
        *out = truth(yes);
        return VM_OK;
    case P_COUNT:
        TRY(list_at(vm, args[0], &size, &at));
        *out = (Word)size * unit;
        return VM_OK;
    case P_SUM: return sum_of(vm, args[0], out);
    case P_UNION: return union_of(vm, args[0], out);
    case P_DISTINCT:
        TRY(weigh(vm, args[0]));
        return list_distinct(vm, args[0], out);
    case P_SUMS: return sums_of(vm, args[0], out);
    case P_GROUPS: return groups_of(vm, args[0], out);
    case P_FIRST: return end_of(vm, args[0], 0, n, args[1], out);
    case P_LAST: return end_of(vm, args[0], 1, n, args[1], out);
    case P_WITHIN:
        TRY(weigh(vm, args[0]));
        TRY(weigh(vm, args[1]));
        TRY(list_within(vm, args[0], args[1], &yes));
        *out = truth(yes);
        return VM_OK;
    case P_MIN: return extreme(vm, 0, n, args, out);
    case P_MAX: return extreme(vm, 1, n, args, out);
    case P_DIVIDE_UP:
    case P_DIVIDE_DOWN: {
        Word whole;
        if (!args[1]) {
            *out = 0;
            return VM_OK;
        }
        whole = number == P_DIVIDE_UP ? -floor_div(-args[0], args[1]) : floor_div(args[0], args[1]);
        if (__builtin_mul_overflow(whole, (Word)unit, &whole)) return vm_fail(vm, FAULT_BEYOND, 0, 0);
        return bounded(vm, whole, out);
    }
    case P_TOP: return top_of(vm, args[0], n, args[1], out);
    case P_AT:
    case P_NEAR:
    case P_AROUND: return near_by(vm, args[0], number, out);
    case P_FREE: return cells_of(vm, args[0], n, args[1], 1, out);
    case P_CELLS: return cells_of(vm, args[0], n, args[1], 0, out);
    case P_LINES: return lines_of(vm, args[0], args[1], out);
    case P_STEP: return steps_from(vm, args, 0, out);
    case P_RAY: return steps_from(vm, args, 1, out);
    case P_NEXT: return beside(vm, n, args, 1, out);
    case P_PREVIOUS: return beside(vm, n, args, -1, out);
    case P_TOTAL: {
        Word sum;
        TRY(tick(vm, 1));
        TRY(score_parts(vm, args[0], sp, &sum, NULL));
        return bounded(vm, sum, out);
    }
    default: return vm_fail(vm, FAULT_BROKEN, 12, 0);
    }
}
