/* Rows of words by which states are told apart: as rules and players could (`state/identity.py`), and as they lie on the
   table. */
#include "tools.h"

#include <stdlib.h>

enum { IS_NOTHING, IS_TRUTH, IS_NUMBER, IS_LIST, IS_CELL, IS_PARKED };

typedef struct {
    Vm *vm;
    const VmTools *tools;
    Row *row;
    int32_t *walk; /* place -> where it stands in the walk */
    int32_t *queue;
} Writing;

#define ADD(word) TRY(row_add(w->row, (word)))

static int32_t named(const Writing *w, int32_t piece) {
    int32_t place = w->vm->place[piece];
    return w->walk[place] * META(w->vm, PIECES) + index_in_zone(w->vm, place, piece);
}

static VmStatus zones(Writing *w) {
    Vm *vm = w->vm;
    int32_t n = 0, places = META(vm, PLACES);
    for (int32_t place = 0; place < places; place++)
        if (SEC(vm, PLACE_OWNER_KIND)[place] != 2) w->queue[n++] = place;
    for (int32_t k = 0; k < n; k++) {
        int32_t place = w->queue[k], size = zone_size(vm, place), first = SEC(vm, PLACE_FIRST_CELL)[place];
        const uint16_t *pieces = zone_pieces(vm, place);
        w->walk[place] = k;
        ADD(size);
        for (int32_t i = 0; i < size; i++) ADD(SEC(vm, TWIN)[pieces[i]]);
        for (int32_t i = 0; i < size && first >= 0; i++) ADD(vm->cell[pieces[i]] - first);
        for (int32_t i = 0; i < size; i++)
            for (int32_t j = SEC(vm, OWNED_AT)[pieces[i]]; j < SEC(vm, OWNED_AT)[pieces[i] + 1] && n < places; j++)
                w->queue[n++] = SEC(vm, OWNED)[j];
    }
    return VM_OK;
}

static VmStatus value(Writing *w, Word word, int kind) {
    Vm *vm = w->vm;
    int32_t n, at;
    if (word == WORD_NONE) {
        ADD(IS_NOTHING);
    } else if (is_truth(word)) {
        ADD(IS_TRUTH);
        ADD(word & 1);
    } else if (is_list(word)) {
        TRY(list_at(vm, word, &n, &at));
        ADD(IS_LIST);
        ADD(n);
        for (int32_t k = 0; k < n; k++) TRY(value(w, vm->mem[at + k], kind));
    } else if (kind == NAMED_CELL && word >= 0) {
        TRY(in_range(vm, word, META(vm, CELLS)));
        int32_t place = SEC(vm, CELL_PLACE)[word];
        ADD(IS_CELL);
        ADD(w->walk[place]);
        ADD(word - SEC(vm, PLACE_FIRST_CELL)[place]);
    } else {
        ADD(IS_NUMBER);
        if (kind == NAMED_PIECE) {
            TRY(in_range(vm, word, META(vm, PIECES)));
            word = named(w, (int32_t)word);
        } else if (kind == NAMED_ZONE) {
            TRY(in_range(vm, word, META(vm, PLACES)));
            word = w->walk[word];
        }
        ADD(word);
    }
    return VM_OK;
}

typedef struct {
    int32_t name, owner, slot;
} Changed;

static int by_name(const void *a, const void *b) {
    const Changed *x = a, *y = b;
    if (x->name != y->name) return x->name < y->name ? -1 : 1;
    return x->owner < y->owner ? -1 : x->owner > y->owner;
}

static VmStatus changed_ones(Writing *w, Changed *found, int32_t *n) {
    Vm *vm = w->vm;
    const Word *first = vm->p->pool + SEC(vm, LISTS)[L_FIRST] + 1;
    for (int32_t slot = 0; slot < META(vm, SLOTS); slot++) {
        int equal;
        TRY(same(vm, vm->vars[slot], first[slot], &equal));
        if (equal) continue;
        int32_t variable = SEC(vm, SLOT_VARIABLE)[slot], rows = SEC(vm, VAR_ROWS)[variable];
        found[*n] = (Changed){slot, -1, slot};
        if (SEC(vm, SLOT_OWNER_KIND)[slot] == 2) {
            int32_t base = SEC(vm, VAR_FIRST)[variable];
            found[*n] = (Changed){base + (slot - base) % rows, named(w, SEC(vm, SLOT_OWNER)[slot]), slot};
        }
        ++*n;
    }
    qsort(found, (size_t)*n, sizeof(Changed), by_name);
    return VM_OK;
}

static VmStatus variables(Writing *w) {
    int32_t n = 0;
    Changed *found = malloc(((size_t)META(w->vm, SLOTS) + 1) * sizeof(Changed));
    if (!found) return VM_NO_MEMORY;
    VmStatus status = changed_ones(w, found, &n);
    if (status == VM_OK) status = row_add(w->row, n);
    for (int32_t k = 0; k < n && status == VM_OK; k++) {
        status = row_add(w->row, found[k].name);
        if (status == VM_OK) status = row_add(w->row, found[k].owner);
        if (status == VM_OK) status = value(w, w->vm->vars[found[k].slot], w->tools->var_kind[found[k].slot]);
    }
    free(found);
    return status;
}

/* A rule in progress: the slots that may still be read. Those of a parked one lie in memory, which may move: at `at`, if
   `slots` is NULL. */
static VmStatus frame(Writing *w, Word rule, Word block, const Word *slots, int32_t at);

static VmStatus parked(Writing *w, Word answers) {
    Vm *vm = w->vm;
    int32_t n, at, m, bt, three, ft, size, st;
    TRY(list_at(vm, answers, &n, &at));
    ADD(IS_PARKED);
    ADD(n);
    for (int32_t k = 0; k < n; k++) {
        TRY(list_at(vm, vm->mem[at + k], &m, &bt));
        ADD(m);
        for (int32_t j = 0; j < m; j++) {
            TRY(list_at(vm, vm->mem[bt + j], &three, &ft));
            if (three != 3) return vm_fail(vm, FAULT_BROKEN, 18, 0);
            TRY(in_range(vm, vm->mem[ft], vm->p->length[S_RULES] / N_RULES));
            TRY(list_at(vm, vm->mem[ft + 2], &size, &st));
            if (size != REC(vm, RULES, vm->mem[ft], SLOTS)) return vm_fail(vm, FAULT_BROKEN, 18, 0);
            TRY(frame(w, vm->mem[ft], vm->mem[ft + 1], NULL, st));
        }
    }
    return VM_OK;
}

static VmStatus frame(Writing *w, Word rule, Word block, const Word *slots, int32_t at) {
    Vm *vm = w->vm;
    TRY(in_range(vm, block, REC(vm, RULES, rule, BLOCKS)));
    const int32_t *live = w->tools->words + w->tools->live_at[block_id(vm, (int32_t)rule, (int32_t)block)];
    const int32_t *kinds = w->tools->slot_kind + w->tools->slot_at[rule];
    ADD(rule);
    ADD(block);
    for (int32_t k = 0; k < live[0]; k++) {
        int32_t slot = live[1 + k];
        Word word = slots ? slots[slot] : vm->mem[at + slot];
        if (kinds[slot] == NAMED_WAITING && word != WORD_NONE) TRY(parked(w, word));
        else TRY(value(w, word, kinds[slot]));
    }
    return VM_OK;
}

static VmStatus shown(Writing *w) {
    Vm *vm = w->vm;
    int32_t n = 0;
    Changed *found = malloc(((size_t)META(vm, PIECES) + 1) * sizeof(Changed));
    if (!found) return VM_NO_MEMORY;
    for (int32_t piece = 0; piece < META(vm, PIECES) && vm->s->n_known; piece++)
        if (vm->known[piece]) found[n++] = (Changed){named(w, piece), (int32_t)vm->known[piece], 0};
    qsort(found, (size_t)n, sizeof(Changed), by_name);
    VmStatus status = row_add(w->row, n);
    for (int32_t k = 0; k < n && status == VM_OK; k++) {
        status = row_add(w->row, found[k].name);
        if (status == VM_OK) status = row_add(w->row, found[k].owner);
    }
    free(found);
    return status;
}

static VmStatus whole(Writing *w, int chance) {
    Vm *vm = w->vm;
    VmState *s = vm->s;
    int32_t n = 0, at = 0;
    TRY(zones(w));
    TRY(variables(w));
    ADD(s->height);
    for (int32_t k = 0; k < s->height; k++)
        TRY(frame(w, vm->frames[k].rule, vm->frames[k].block, vm->stack + vm->frames[k].base, 0));
    ADD(s->asking);
    ADD(s->winners);
    if (s->fate != WORD_NONE) TRY(list_at(vm, s->fate, &n, &at));
    ADD(n);
    for (int32_t k = 0; k < n; k++) ADD(vm->mem[at + k]);
    ADD(chance ? (Word)(s->rng >> 32) : 0);
    ADD(chance ? (Word)(s->rng & 0xFFFFFFFFu) : 0);
    return shown(w);
}

VmStatus vm_identity(Vm *vm, const VmTools *tools, int chance, Row *row) {
    size_t places = (size_t)META(vm, PLACES) + 1;
    Writing w = {vm, tools, row, calloc(places, sizeof(int32_t)), malloc(places * sizeof(int32_t))};
    VmStatus status = w.walk && w.queue ? whole(&w, chance) : VM_NO_MEMORY;
    free(w.walk);
    free(w.queue);
    return status;
}

/* A value as it is, lists written out. */
static VmStatus plain_value(Vm *vm, Row *row, Word word) {
    int32_t n, at;
    if (!is_list(word)) return row_add(row, word);
    TRY(list_at(vm, word, &n, &at));
    TRY(row_add(row, LIST_TAG | n));
    for (int32_t k = 0; k < n; k++) TRY(plain_value(vm, row, vm->mem[at + k]));
    return VM_OK;
}

VmStatus vm_table(Vm *vm, Row *row) {
    int32_t places = META(vm, PLACES), pieces = META(vm, PIECES);
    for (int32_t k = 0; k <= places; k++) TRY(row_add(row, vm->first[k]));
    for (int32_t k = 0; k < vm->first[places]; k++) TRY(row_add(row, vm->order[k]));
    for (int32_t k = 0; k < pieces; k++) TRY(row_add(row, vm->cell[k] | (Word)vm->known[k] << 16));
    for (int32_t k = 0; k < META(vm, SLOTS); k++) TRY(plain_value(vm, row, vm->vars[k]));
    return VM_OK;
}
