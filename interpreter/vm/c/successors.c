/* What every answer leads to, whatever chance gives, with the laws tested. In Python: `plain/successors.py`. */
#include "tools.h"

#include <stdlib.h>

#define MAX_TOLD 64 /* things that chance gives between two questions; more are left to Python */

typedef struct {
    Vm *vm;
    const Successors *how;
    const VmState *from;
    int32_t option, told[MAX_TOLD], n_told;
} Branch;

/* Where chance could go on in several ways each is a branch; else a state was reached. */
static VmStatus outcomes(Branch *b) {
    Vm *vm = b->vm;
    Branching how = b->how->chance, after;
    TRY(vm_open(vm, b->from));
    TRY(vm_choose(vm, b->option));
    how.told = b->told;
    how.n_told = b->n_told;
    VmStatus status = vm_run_branching(vm, &how, &after);
    if (after.too_many || after.odd || (after.fork_ways && b->n_told == MAX_TOLD)) return VM_FAULT;
    if (!after.fork_ways) {
        TRY(status);
        if (b->how->laws) TRY(vm_laws(vm));
        return b->how->found(b->how->context, b->option, b->told, b->n_told);
    }
    int32_t at = b->n_told++;
    for (int64_t way = 0; way < after.fork_ways; way++) {
        b->told[at] = (int32_t)way;
        TRY(outcomes(b));
    }
    b->n_told = at;
    return VM_OK;
}

VmStatus vm_successors(Vm *vm, const uint8_t *packed, int64_t n, const Successors *how) {
    Branching chance = how->chance, after;
    VmState *from;
    TRY(vm_unpack(vm, packed, n));
    if (vm->s->winners >= 0) return VM_OK;
    VmStatus status = vm_run_branching(vm, &chance, &after);
    if (after.fork_ways || after.too_many || after.odd) return VM_FAULT;
    TRY(status);
    TRY(vm_save(vm, &from));
    Branch b = {.vm = vm, .how = how, .from = from};
    for (; b.option < from->count && status == VM_OK; b.option++) status = outcomes(&b);
    free(from);
    return status;
}
