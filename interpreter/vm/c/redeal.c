/* A position as one seat could imagine it. What is dealt, and from which stream, is what `state/redeal.py` says, so that
   both come to the same position; places whose count is hidden are left to it. */
#include "tools.h"

#include <stdlib.h>

#define MAX_DEALS 100 /* until one keeps the invariants */
#define FOR_VARIABLES 0xE220A8397B1DCDAFu

/* A permutation of the pieces, and what it does to places. */
typedef struct {
    int32_t *piece, *place;
    int32_t *walk, n_walk; /* places in an order that does not depend on names */
    int32_t *lying, *dealt;
} Renaming;

static void renaming_free(Renaming *r) {
    free(r->piece);
    free(r->place);
    free(r->walk);
    free(r->lying);
    free(r->dealt);
}

static VmStatus renaming_new(const Vm *vm, Renaming *r) {
    size_t pieces = (size_t)META(vm, PIECES) + 1, places = (size_t)META(vm, PLACES) + 1;
    r->piece = malloc(pieces * sizeof(int32_t));
    r->place = malloc(places * sizeof(int32_t));
    r->walk = malloc(places * sizeof(int32_t));
    r->lying = malloc(pieces * sizeof(int32_t));
    r->dealt = malloc(pieces * sizeof(int32_t));
    if (r->piece && r->place && r->walk && r->lying && r->dealt) return VM_OK;
    renaming_free(r);
    return VM_NO_MEMORY;
}

/* ------------------------------------------------------------------ which piece is which */

static void walk_from(const Vm *vm, Renaming *r, int32_t place) {
    if (r->n_walk == META(vm, PLACES)) return;
    r->walk[r->n_walk++] = place;
    const uint16_t *pieces = zone_pieces(vm, place);
    for (int32_t k = 0; k < zone_size(vm, place); k++)
        for (int32_t j = SEC(vm, OWNED_AT)[pieces[k]]; j < SEC(vm, OWNED_AT)[pieces[k] + 1]; j++)
            walk_from(vm, r, SEC(vm, OWNED)[j]);
}

static int by_number(const void *a, const void *b) { return *(const int32_t *)a - *(const int32_t *)b; }

/* Deal the names of some pieces out among them: from a fresh order, so that it does not matter how they lie now. */
static void deal_names(Renaming *r, int32_t n, uint64_t *stream) {
    memcpy(r->dealt, r->lying, (size_t)n * sizeof(int32_t));
    qsort(r->dealt, (size_t)n, sizeof(int32_t), by_number);
    for (int32_t last = n - 1; last > 0; last--) {
        int32_t other = (int32_t)vm_random_below(stream, (uint64_t)last + 1), piece = r->dealt[last];
        r->dealt[last] = r->dealt[other];
        r->dealt[other] = piece;
    }
    for (int32_t k = 0; k < n; k++) r->piece[r->lying[k]] = r->dealt[k];
}

static int32_t unseen_in(Vm *vm, Renaming *r, int32_t place, int32_t kind, int32_t viewer, int32_t n) {
    const uint16_t *pieces = zone_pieces(vm, place);
    for (int32_t k = 0; k < zone_size(vm, place); k++)
        if (SEC(vm, KIND_OF)[pieces[k]] == kind && !sees_piece(vm, pieces[k], viewer)) r->lying[n++] = pieces[k];
    return n;
}

static void permute_unseen(Vm *vm, Renaming *r, int32_t viewer, int within, uint64_t *stream) {
    for (int32_t k = 0; k < META(vm, PIECES); k++) r->piece[k] = k;
    r->n_walk = 0;
    for (int32_t place = 0; place < META(vm, PLACES); place++)
        if (SEC(vm, PLACE_OWNER_KIND)[place] != 2) walk_from(vm, r, place);
    for (int32_t kind = 0; kind < META(vm, KINDS); kind++) {
        int32_t n = 0;
        if (within) {
            for (int32_t place = 0; place < META(vm, PLACES); place++)
                deal_names(r, unseen_in(vm, r, place, kind, viewer, 0), stream);
            continue;
        }
        for (int32_t k = 0; k < r->n_walk; k++) n = unseen_in(vm, r, r->walk[k], kind, viewer, n);
        deal_names(r, n, stream);
    }
    for (int32_t place = 0; place < META(vm, PLACES); place++) r->place[place] = place;
    for (int32_t piece = 0; piece < META(vm, PIECES); piece++) {
        int32_t from = SEC(vm, OWNED_AT)[piece], to = SEC(vm, OWNED_AT)[r->piece[piece]];
        for (int32_t k = from; k < SEC(vm, OWNED_AT)[piece + 1]; k++) r->place[SEC(vm, OWNED)[k]] = SEC(vm, OWNED)[to + k - from];
    }
}

/* ------------------------------------------------------------------ carried through the state */

static int32_t cell_renamed(const Vm *vm, const Renaming *r, int32_t cell) {
    if (cell == NOWHERE) return cell;
    int32_t old = SEC(vm, CELL_PLACE)[cell];
    return cell + SEC(vm, PLACE_FIRST_CELL)[r->place[old]] - SEC(vm, PLACE_FIRST_CELL)[old];
}

static VmStatus word_renamed(Vm *vm, const Renaming *r, int kind, Word *word) {
    int32_t n, at, to;
    if (*word == WORD_NONE || is_truth(*word) || kind == NAMED_RAW) return VM_OK;
    if (is_list(*word)) {
        Word made;
        TRY(list_at(vm, *word, &n, &at));
        TRY(list_new(vm, n, &made, &to));
        for (int32_t k = 0; k < n; k++) {
            Word item = vm->mem[at + k];
            TRY(word_renamed(vm, r, kind, &item));
            vm->mem[to + k] = item;
        }
        *word = made;
        return VM_OK;
    }
    if (kind == NAMED_PIECE) {
        TRY(in_range(vm, *word, META(vm, PIECES)));
        *word = r->piece[*word];
    } else if (kind == NAMED_ZONE) {
        TRY(in_range(vm, *word, META(vm, PLACES)));
        *word = r->place[*word];
    } else if (kind == NAMED_CELL && *word >= 0) {
        TRY(in_range(vm, *word, META(vm, CELLS)));
        *word = cell_renamed(vm, r, (int32_t)*word);
    }
    return VM_OK;
}

static VmStatus parked_renamed(Vm *vm, const VmTools *tools, const Renaming *r, Word *word);

static VmStatus slot_renamed(Vm *vm, const VmTools *tools, const Renaming *r, int kind, Word *word) {
    return kind == NAMED_WAITING ? parked_renamed(vm, tools, r, word) : word_renamed(vm, r, kind, word);
}

/* A list of the same length whose elements are worked out one by one. */
static VmStatus list_again(Vm *vm, Word list, int32_t *n, int32_t *at, Word *made, int32_t *to) {
    TRY(list_at(vm, list, n, at));
    TRY(list_new(vm, *n, made, to));
    memcpy(vm->mem + *to, vm->mem + *at, (size_t)*n * sizeof(Word));
    return VM_OK;
}

static VmStatus frame_renamed(Vm *vm, const VmTools *tools, const Renaming *r, Word *word) {
    int32_t n, at, to, size, st, slots_to;
    Word made, slots;
    TRY(list_again(vm, *word, &n, &at, &made, &to));
    if (n != 3) return vm_fail(vm, FAULT_BROKEN, 18, 0);
    TRY(in_range(vm, vm->mem[to], vm->p->length[S_RULES] / N_RULES));
    int32_t rule = (int32_t)vm->mem[to];
    TRY(list_again(vm, vm->mem[to + 2], &size, &st, &slots, &slots_to));
    if (size != REC(vm, RULES, rule, SLOTS)) return vm_fail(vm, FAULT_BROKEN, 18, 0);
    for (int32_t k = 0; k < size; k++) {
        Word one = vm->mem[slots_to + k];
        TRY(slot_renamed(vm, tools, r, tools->slot_kind[tools->slot_at[rule] + k], &one));
        vm->mem[slots_to + k] = one;
    }
    vm->mem[to + 2] = slots;
    *word = made;
    return VM_OK;
}

static VmStatus parked_renamed(Vm *vm, const VmTools *tools, const Renaming *r, Word *word) {
    int32_t n, at, to, m, bt, seat_to;
    Word made, seat;
    if (*word == WORD_NONE) return VM_OK;
    TRY(list_again(vm, *word, &n, &at, &made, &to));
    for (int32_t k = 0; k < n; k++) {
        TRY(list_again(vm, vm->mem[to + k], &m, &bt, &seat, &seat_to));
        for (int32_t j = 0; j < m; j++) {
            Word one = vm->mem[seat_to + j];
            TRY(frame_renamed(vm, tools, r, &one));
            vm->mem[seat_to + j] = one;
        }
        vm->mem[to + k] = seat;
    }
    *word = made;
    return VM_OK;
}

/* Pieces, cells, what a piece is marked with: `old` has them as they were. */
static VmStatus table_renamed(Vm *vm, const VmTools *tools, const Renaming *r, const VmState *old) {
    const uint8_t *base = (const uint8_t *)old;
    const VmProgram *p = vm->p;
    const uint16_t *place = (const uint16_t *)(base + p->at_place), *cell = (const uint16_t *)(base + p->at_cell);
    const uint16_t *order = (const uint16_t *)(base + p->at_order), *first = (const uint16_t *)(base + p->at_first);
    const uint16_t *at = (const uint16_t *)(base + p->at_at);
    const uint32_t *known = (const uint32_t *)(base + p->at_known);
    const Word *vars = (const Word *)(base + p->at_vars);
    int32_t places = META(vm, PLACES);
    for (int32_t k = 0; k < places; k++) vm->first[r->place[k] + 1] = (uint16_t)(first[k + 1] - first[k]);
    vm->first[0] = 0;
    for (int32_t k = 0; k < places; k++) vm->first[k + 1] = (uint16_t)(vm->first[k + 1] + vm->first[k]);
    for (int32_t k = 0; k < places; k++)
        for (int32_t i = first[k], to = vm->first[r->place[k]]; i < first[k + 1]; i++, to++)
            vm->order[to] = (uint16_t)r->piece[order[i]];
    for (int32_t k = 0; k < META(vm, PIECES); k++) {
        vm->place[r->piece[k]] = (uint16_t)r->place[place[k]];
        vm->cell[r->piece[k]] = (uint16_t)cell_renamed(vm, r, cell[k]);
        vm->known[r->piece[k]] = known[k];
    }
    for (int32_t k = 0; k < META(vm, CELLS); k++)
        vm->at[cell_renamed(vm, r, k)] = at[k] == NOWHERE ? NOWHERE : (uint16_t)r->piece[at[k]];
    for (int32_t k = 0; k < META(vm, SLOTS); k++) {
        int32_t target = k, owner = SEC(vm, SLOT_OWNER)[k];
        if (SEC(vm, SLOT_OWNER_KIND)[k] == 2) target += (r->piece[owner] - owner) * SEC(vm, VAR_ROWS)[SEC(vm, SLOT_VARIABLE)[k]];
        Word value = vars[k];
        TRY(word_renamed(vm, r, tools->var_kind[k], &value));
        vm->vars[target] = value;
    }
    return VM_OK;
}

static VmStatus state_renamed(Vm *vm, const VmTools *tools, const Renaming *r, const VmState *old) {
    TRY(table_renamed(vm, tools, r, old));
    for (int32_t k = 0; k < vm->s->height; k++) {
        const int32_t rule = vm->frames[k].rule, *kinds = tools->slot_kind + tools->slot_at[rule];
        Word *slots = vm->stack + vm->frames[k].base;
        for (int32_t slot = 0; slot < REC(vm, RULES, rule, SLOTS); slot++)
            TRY(slot_renamed(vm, tools, r, kinds[slot], slots + slot));
    }
    vm->heap_top = vm->top;
    return VM_OK;
}

/* ------------------------------------------------------------------ variables */

/* Whether a variable says that its piece lies face down, where it lies now: anybody can see whether it does. */
static int hides_piece(const Vm *vm, int32_t slot) {
    if (SEC(vm, SLOT_OWNER_KIND)[slot] != 2) return 0;
    int32_t piece = SEC(vm, SLOT_OWNER)[slot], zone = SEC(vm, PLACE_ZONE)[vm->place[piece]];
    return SEC(vm, HIDER)[zone * META(vm, KINDS) + SEC(vm, KIND_OF)[piece]] == SEC(vm, SLOT_VARIABLE)[slot];
}

static Word any_value(const Deal *deal, uint64_t *stream) {
    Word pick = (Word)vm_random_below(stream, (uint64_t)deal->n);
    return deal->what == DEAL_TRUTH || deal->what == DEAL_TRUTHS ? truth((int)pick) : deal->low + pick * deal->step;
}

static VmStatus deal_variables(Vm *vm, const VmTools *tools, int32_t viewer, uint64_t stream) {
    for (int32_t k = 0; k < tools->n_deals; k++) {
        const Deal *deal = tools->deals + k;
        if (sees_variable(vm, deal->slot, viewer) || hides_piece(vm, deal->slot)) continue;
        if (deal->what == DEAL_NUMBER || deal->what == DEAL_TRUTH) {
            vm->vars[deal->slot] = any_value(deal, &stream);
            continue;
        }
        int32_t n, at, to;
        Word made;
        TRY(list_again(vm, vm->vars[deal->slot], &n, &at, &made, &to));
        for (int32_t j = 0; j < n; j++) vm->mem[to + j] = any_value(deal, &stream);
        vm->vars[deal->slot] = made;
    }
    vm->heap_top = vm->top;
    return VM_OK;
}

/* ------------------------------------------------------------------ secret answers */

/* A value of a saved state, in the memory of the machine. */
static VmStatus brought_over(Vm *vm, const VmState *saved, Word *word) {
    if (!is_list(*word) || (*word & ~LIST_TAG) < vm->p->n_pool) return VM_OK;
    const Word *heap = (const Word *)((const uint8_t *)saved + vm->p->fixed_bytes + (size_t)saved->height * sizeof(Frame)) +
                       saved->n_slots;
    const Word *list = heap + ((*word & ~LIST_TAG) - vm->p->n_pool);
    Word made;
    int32_t to;
    TRY(list_new(vm, list[0], &made, &to));
    for (Word k = 0; k < list[0]; k++) {
        Word item = list[1 + k];
        TRY(brought_over(vm, saved, &item));
        vm->mem[to + k] = item;
    }
    *word = made;
    return VM_OK;
}

/* How many seats have answered in the secret choice of a frame; -1: none goes on there. */
static VmStatus answered(Vm *vm, int32_t depth, int32_t slot, int32_t *out) {
    int32_t at;
    *out = -1;
    if (vm->s->height <= depth || vm->stack[vm->frames[depth].base + slot] == WORD_NONE) return VM_OK;
    return list_at(vm, vm->stack[vm->frames[depth].base + slot], out, &at);
}

static void cut_to(Vm *vm, int32_t height) {
    const Frame *top = vm->frames + height - 1;
    vm->s->height = height;
    vm->s->n_slots = top->base + REC(vm, RULES, top->rule, SLOTS);
    vm->s->player = -1;
    vm->s->count = 0;
    vm->s->offered = vm->s->partial = WORD_NONE;
}

static VmStatus own_back(Vm *vm, const VmState *saved, int32_t depth) {
    const Frame *frames = (const Frame *)((const uint8_t *)saved + vm->p->fixed_bytes);
    const Word *slots = (const Word *)(frames + saved->height);
    cut_to(vm, depth + 1);
    for (int32_t k = vm->s->n_slots; k < saved->n_slots; k++) {
        Word word = slots[k];
        TRY(brought_over(vm, saved, &word));
        vm->stack[k] = word;
    }
    memcpy(vm->frames + depth + 1, frames + depth + 1, (size_t)(saved->height - depth - 1) * sizeof(Frame));
    cut_to(vm, saved->height);
    vm->s->asking = depth;
    vm->heap_top = vm->top;
    return VM_OK;
}

static VmStatus answer_for_others(Vm *vm, int32_t depth, int32_t slot, int32_t wanted, uint64_t *stream, int32_t *given) {
    for (;;) {
        TRY(vm_run(vm));
        TRY(answered(vm, depth, slot, given));
        if (vm->s->player < 0 || *given < 0 || *given >= wanted) return VM_OK;
        TRY(vm_choose(vm, (int32_t)vm_random_below(stream, (uint64_t)vm->s->count)));
    }
}

/* Take back what others have answered in the secret choice that goes on, and answer for them at random. */
static VmStatus answer_again(Vm *vm, uint64_t *stream, int32_t *dealt) {
    int32_t depth = vm->s->asking, wanted, given, at;
    if (depth < 0) return VM_OK;
    const Frame *head = vm->frames + depth;
    int32_t record = REC(vm, BLOCKS, block_id(vm, head->rule, head->block), SEATS);
    if (record < 0) return vm_fail(vm, FAULT_BROKEN, 17, 0);
    int32_t slot = REC(vm, SEATS, record, ANSWERS);
    TRY(answered(vm, depth, slot, &wanted));
    if (wanted <= 0) return VM_OK;
    VmState *saved;
    TRY(vm_save(vm, &saved));
    cut_to(vm, depth + 1);
    vm->s->asking = -1;
    VmStatus status = list_new(vm, 0, vm->stack + vm->frames[depth].base + slot, &at);
    vm->heap_top = vm->top;
    if (status == VM_OK) status = answer_for_others(vm, depth, slot, wanted, stream, &given);
    if (status == VM_OK && given != wanted) *dealt = DEALT_TOO_FAR;
    else if (status == VM_OK) status = own_back(vm, saved, depth);
    free(saved);
    return status;
}

/* ------------------------------------------------------------------ all of it */

static VmStatus deal(Vm *vm, const VmTools *tools, Renaming *r, const VmState *old, int32_t viewer, int anew, uint64_t *stream) {
    uint64_t for_variables = *stream ^ FOR_VARIABLES;
    for_variables = random_word(&for_variables);
    wrote_all(vm);
    if (anew & ANEW_NAMES) {
        permute_unseen(vm, r, viewer, anew & ANEW_WITHIN, stream);
        TRY(state_renamed(vm, tools, r, old));
    }
    return anew & ANEW_VARIABLES ? deal_variables(vm, tools, viewer, for_variables) : VM_OK;
}

/* Whether the position that is open keeps the invariants of the rules. */
static VmStatus lawful(Vm *vm, int *out) {
    VmStatus status = vm_invariants(vm);
    *out = status == VM_OK;
    return status == VM_FAULT ? VM_OK : status;
}

static VmStatus deal_lawfully(
    Vm *vm, const VmTools *tools, Renaming *r, const VmState *old, int32_t viewer, int anew, uint64_t *stream, int32_t *dealt) {
    int tested = vm->p->length[S_INVARIANTS] > 0, fine = 1;
    *dealt = DEALT;
    for (int number = 0; number < MAX_DEALS; number++) {
        if (number) TRY(vm_open(vm, old));
        if (tested && number == 1) TRY(lawful(vm, &tested)); /* rules that break their own laws have worlds that do */
        TRY(deal(vm, tools, r, old, viewer, anew, stream));
        if (tested) TRY(lawful(vm, &fine));
        if (!tested || fine) return VM_OK;
        random_word(stream);
    }
    *dealt = DEALT_UNLAWFUL;
    return VM_OK;
}

VmStatus vm_redeal(Vm *vm, const VmTools *tools, int32_t viewer, int anew, uint64_t *stream, int32_t *dealt) {
    Renaming r = {0};
    VmState *old = NULL;
    TRY(renaming_new(vm, &r));
    VmStatus status = vm_save(vm, &old);
    if (status == VM_OK) status = deal_lawfully(vm, tools, &r, old, viewer, anew, stream, dealt);
    renaming_free(&r);
    free(old);
    TRY(status);
    if (*dealt != DEALT) return VM_OK;
    vm->s->rng = random_word(stream);
    vm->s->fate = vm->s->offered = vm->s->partial = WORD_NONE;
    vm->s->player = -1;
    vm->s->count = 0;
    return answer_again(vm, stream, dealt);
}
