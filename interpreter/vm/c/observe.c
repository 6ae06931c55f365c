/* What a seat sees of a state, as a row of words: equal for two states just where `state/observe.py` gives the same. Not
   for games in which pieces own zones. */
#include "tools.h"

#define HIDDEN ((Word)-1) /* of a count or a piece, neither of which is negative */
#define ADD(word) TRY(row_add(row, (word)))

/* A piece, or where one lies that cannot be seen. */
static VmStatus piece_seen(Vm *vm, int32_t piece, int32_t seat, Row *row) {
    if (sees_piece(vm, piece, seat)) return row_add(row, piece);
    ADD(HIDDEN - 1 - SEC(vm, KIND_OF)[piece]);
    ADD(vm->place[piece]);
    return row_add(row, index_in_zone(vm, vm->place[piece], piece));
}

static VmStatus value_seen(Vm *vm, Word word, int kind, int32_t seat, Row *row) {
    int32_t n, at;
    if (is_list(word)) {
        TRY(list_at(vm, word, &n, &at));
        ADD(LIST_TAG | n);
        for (int32_t k = 0; k < n; k++) TRY(value_seen(vm, vm->mem[at + k], kind, seat, row));
        return VM_OK;
    }
    if (kind != NAMED_PIECE || word == WORD_NONE) return row_add(row, word);
    TRY(in_range(vm, word, META(vm, PIECES)));
    return piece_seen(vm, (int32_t)word, seat, row);
}

static VmStatus zones_seen(Vm *vm, int32_t seat, Row *row) {
    for (int32_t place = 0; place < META(vm, PLACES); place++) {
        if (!sees_count(vm, place, seat)) {
            ADD(HIDDEN);
            continue;
        }
        int32_t n = zone_size(vm, place), on_cells = SEC(vm, PLACE_FIRST_CELL)[place] >= 0;
        const uint16_t *pieces = zone_pieces(vm, place);
        ADD(n);
        for (int32_t k = 0; k < n; k++) {
            ADD(sees_piece(vm, pieces[k], seat) ? pieces[k] : HIDDEN - 1 - SEC(vm, KIND_OF)[pieces[k]]);
            if (on_cells) ADD(vm->cell[pieces[k]]);
        }
    }
    return VM_OK;
}

static VmStatus variables_seen(Vm *vm, const VmTools *tools, int32_t seat, Row *row) {
    const Word *first = vm->p->pool + SEC(vm, LISTS)[L_FIRST] + 1;
    for (int32_t slot = 0; slot < META(vm, SLOTS); slot++) {
        int32_t owner = SEC(vm, SLOT_OWNER)[slot], held = SEC(vm, SLOT_OWNER_KIND)[slot] == 2;
        if (held && !sees_piece(vm, owner, seat)) continue;
        ADD(slot);
        if (!sees_variable(vm, slot, seat)) ADD(WORD_NONE);
        else TRY(value_seen(vm, vm->vars[slot], tools->var_kind[slot], seat, row));
    }
    /* Of pieces that the seat cannot name, by their places, and only what is out of the ordinary. */
    for (int32_t place = 0; place < META(vm, PLACES); place++) {
        if (!sees_count(vm, place, seat)) continue;
        for (int32_t k = 0; k < zone_size(vm, place); k++) {
            int32_t piece = zone_pieces(vm, place)[k], kind = SEC(vm, KIND_OF)[piece];
            const int32_t *at = SEC(vm, KIND_VARS_AT);
            if (at[kind] == at[kind + 1] || sees_piece(vm, piece, seat)) continue;
            for (int32_t i = at[kind]; i < at[kind + 1]; i++) {
                int32_t variable = SEC(vm, KIND_VARS)[i], rows = SEC(vm, VAR_ROWS)[variable];
                int32_t slot = SEC(vm, VAR_FIRST)[variable] + piece * rows - SEC(vm, VAR_SHIFT)[variable];
                for (int32_t end = slot + rows; slot < end; slot++) {
                    int equal;
                    TRY(same(vm, vm->vars[slot], first[slot], &equal));
                    if (equal || !sees_variable(vm, slot, seat)) continue;
                    ADD(place);
                    ADD(k);
                    ADD(variable);
                    ADD(rows - (end - slot));
                    TRY(value_seen(vm, vm->vars[slot], tools->var_kind[slot], seat, row));
                }
            }
        }
    }
    return VM_OK;
}

VmStatus vm_view(Vm *vm, const VmTools *tools, int32_t seat, Row *row) {
    ADD(vm->s->winners >= 0);
    TRY(zones_seen(vm, seat, row));
    return variables_seen(vm, tools, seat, row);
}
