/* What an answer says, as a row of words: the question, who is asked, what it does, the value. Rows that are equal have
   the same key, so that Python writes each key but once; one that is about a piece the player does not see has not. */
#include "tools.h"

#define NESTED 16

static VmStatus add_value(Vm *vm, Word word, int kind, int32_t viewer, int depth, Row *row, int *hidden) {
    int32_t n, at;
    if (is_list(word)) {
        TRY(list_at(vm, word, &n, &at));
        if (depth == NESTED) return vm_fail(vm, FAULT_DEEP, 0, 0);
        TRY(row_add(row, LIST_TAG | n));
        for (int32_t k = 0; k < n; k++) TRY(add_value(vm, vm->mem[at + k], kind, viewer, depth + 1, row, hidden));
        return VM_OK;
    }
    TRY(row_add(row, word));
    if (word < 0 || is_truth(word) || kind == NAMED_RAW) return VM_OK;
    if (kind == NAMED_CELL) {
        TRY(in_range(vm, word, META(vm, CELLS)));
        word = SEC(vm, CELL_PLACE)[word];
    }
    if (kind != NAMED_PIECE) { /* a place is named by the piece that owns it */
        TRY(in_range(vm, word, META(vm, PLACES)));
        if (SEC(vm, PLACE_OWNER_KIND)[word] != 2) return VM_OK;
        word = SEC(vm, PLACE_OWNER)[word];
    }
    TRY(in_range(vm, word, META(vm, PIECES)));
    if (!sees_piece(vm, (int32_t)word, viewer)) *hidden = 1;
    return VM_OK;
}

VmStatus vm_answer(Vm *vm, const VmTools *tools, int32_t option, Row *row, int *hidden) {
    const VmState *s = vm->s;
    int32_t n, at, what, q = s->question;
    Word value = WORD_NONE;
    *hidden = 0;
    row->n = 0;
    if (s->player < 0 || option < 0 || option >= s->count) return vm_fail(vm, FAULT_ANSWER, 0, 0);
    TRY(list_at(vm, s->offered, &n, &at));
    if (option < s->stop) {
        what = ANSWER_STOP;
    } else if (option - s->stop >= n) {
        what = ANSWER_DECLINE;
    } else {
        what = s->partial == WORD_NONE ? ANSWER_VALUE : ANSWER_ADD;
        value = vm->mem[at + option - s->stop];
    }
    TRY(row_add(row, (Word)q << 8 | (Word)s->player << 2 | what));
    int kind = tools->slot_kind[tools->slot_at[REC(vm, QUESTIONS, q, RULE)] + REC(vm, QUESTIONS, q, SLOT)];
    return add_value(vm, value, kind, s->player, 0, row, hidden);
}
