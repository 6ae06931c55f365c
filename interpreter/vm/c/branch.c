/* Chance as it is told: what a roll or a shuffle gives is a branch. In Python: `plain/branching.py`. */
#include "tools.h"

#include <stdlib.h>

VmStatus told_pick(Vm *vm, int64_t ways, int64_t *out) {
    Branching *b = &vm->branching;
    *out = 0;
    if (ways < 2) return VM_OK;
    if (b->n_used == b->n_told) {
        b->fork_ways = ways;
        return vm_fail(vm, FAULT_FORK, ways, 0);
    }
    *out = b->told[b->n_used++];
    if (*out >= 0 && *out < ways) return VM_OK;
    b->odd = 1;
    return vm_fail(vm, FAULT_BROKEN, 23, 0);
}

/* In how many orders things of these classes can lie; more than `most` is most + 1. */
static int64_t arrangements(const int32_t *counts, int32_t n, int64_t most) {
    __int128 found = 1;
    int64_t placed = 0;
    for (int32_t k = 0; k < n; k++)
        for (int32_t i = 1; i <= counts[k]; i++) { /* times C(placed + count, count), factor by factor: always whole */
            found = found * ++placed / i;
            if (found > (__int128)most * (1 << 20)) return most + 1; /* it only falls by what is divided out of one class */
        }
    return found > most ? most + 1 : (int64_t)found;
}

/* The pieces of a pile in classes of those that no rule could tell apart, by the least of each. */
static int32_t classes_of(Vm *vm, const uint16_t *pieces, int32_t n, int32_t *sorted, int32_t *of, int32_t *counts) {
    int32_t classes = 0;
    for (int32_t k = 0; k < n; k++) {
        int32_t at = k;
        for (; at > 0 && sorted[at - 1] > pieces[k]; at--) sorted[at] = sorted[at - 1];
        sorted[at] = pieces[k];
    }
    const int32_t *owned = SEC(vm, OWNED_AT);
    for (int32_t k = 0; k < n; k++) {
        int32_t mine = sorted[k], j = 0;
        int owns = owned[mine] < owned[mine + 1];
        for (; j < k && !owns; j++)
            if (owned[sorted[j]] == owned[sorted[j] + 1] && alike(vm, sorted[j], mine, -1, 0)) break;
        of[k] = j < k && !owns ? of[j] : classes++;
        if (of[k] == classes - 1 && !(j < k && !owns)) counts[of[k]] = 0;
        counts[of[k]]++;
    }
    return classes;
}

/* The order of a number: class by class, as `arrangement` has it. */
static void lay_out_order(uint16_t *pieces, int32_t n, const int32_t *sorted, const int32_t *of, int32_t *counts,
                          int32_t classes, int64_t which, int64_t most, uint8_t *used) {
    memset(used, 0, (size_t)n);
    for (int32_t place = 0; place < n; place++)
        for (int32_t c = 0; c < classes; c++) {
            if (!counts[c]) continue;
            counts[c]--;
            int64_t ways = arrangements(counts, classes, most);
            if (which >= ways) {
                which -= ways;
                counts[c]++;
                continue;
            }
            int32_t k = 0;
            while (used[k] || of[k] != c) k++;
            used[k] = 1;
            pieces[place] = (uint16_t)sorted[k];
            break;
        }
}

VmStatus told_shuffle(Vm *vm, int32_t place) {
    int32_t n = zone_size(vm, place);
    uint16_t *pieces = vm->order + vm->first[place];
    int32_t *room = malloc(((size_t)n * 3 + 1) * sizeof(int32_t));
    uint8_t *used = malloc((size_t)n + 1);
    if (!room || !used) {
        free(room);
        free(used);
        return VM_NO_MEMORY;
    }
    int32_t *sorted = room, *of = room + n, *counts = room + 2 * n, classes = classes_of(vm, pieces, n, sorted, of, counts);
    int64_t most = vm->branching.max_orders, orders = arrangements(counts, classes, most), which;
    VmStatus status = VM_OK;
    if (orders > most) {
        vm->branching.too_many = 1;
        status = vm_fail(vm, FAULT_BROKEN, 24, 0);
    }
    if (status == VM_OK) status = told_pick(vm, orders, &which);
    if (status == VM_OK) lay_out_order(pieces, n, sorted, of, counts, classes, which, most, used);
    free(room);
    free(used);
    return status;
}

VmStatus vm_run_branching(Vm *vm, const Branching *how, Branching *after) {
    vm->branching = *how;
    VmStatus status = vm_run(vm);
    *after = vm->branching;
    memset(&vm->branching, 0, sizeof vm->branching);
    return status;
}
