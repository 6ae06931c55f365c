/* A state in few bytes, and back. What is read may come from anywhere: everything is tested, as in bind_state.c, so that
   a state that was read runs like any other. The question that waits is not written: running asks it again. */
#include "tools.h"

#include <stdlib.h>

#define MAX_NESTED_LISTS 16

/* ------------------------------------------------------------------ out */

static VmStatus put_byte(Bytes *b, uint8_t byte) {
    if (b->n == b->room) {
        int64_t room = b->room * 2 + 512;
        uint8_t *bytes = realloc(b->bytes, (size_t)room);
        if (!bytes) return VM_NO_MEMORY;
        b->bytes = bytes;
        b->room = room;
    }
    b->bytes[b->n++] = byte;
    return VM_OK;
}

static VmStatus put(Bytes *b, uint64_t number) {
    for (; number >= 128; number >>= 7) TRY(put_byte(b, (uint8_t)(number | 128)));
    return put_byte(b, (uint8_t)number);
}

/* A number folds its sign in; the last two bits say what it is. */
static VmStatus put_word(Vm *vm, Bytes *b, Word w) {
    int32_t n, at;
    if (w == WORD_NONE) return put(b, 3);
    if (is_truth(w)) return put(b, (uint64_t)(w & 1) << 2 | 1);
    if (!is_list(w)) return put(b, ((uint64_t)w << 1 ^ (uint64_t)(w >> 63)) << 2);
    TRY(list_at(vm, w, &n, &at));
    TRY(put(b, (uint64_t)n << 2 | 2));
    for (int32_t k = 0; k < n; k++) TRY(put_word(vm, b, vm->mem[at + k]));
    return VM_OK;
}

VmStatus vm_pack(Vm *vm, Bytes *b) {
    VmState *s = vm->s;
    const Word *first = vm->p->pool + SEC(vm, LISTS)[L_FIRST] + 1;
    for (int32_t place = 0; place < META(vm, PLACES); place++) {
        int32_t n = zone_size(vm, place), cells = SEC(vm, PLACE_FIRST_CELL)[place];
        const uint16_t *pieces = zone_pieces(vm, place);
        TRY(put(b, (uint64_t)n));
        for (int32_t k = 0; k < n; k++) {
            TRY(put(b, pieces[k]));
            if (cells >= 0) TRY(put(b, (uint64_t)(vm->cell[pieces[k]] - cells)));
        }
    }
    for (int32_t slot = 0, same_ones = 0; slot <= META(vm, SLOTS); slot++, same_ones++) {
        int equal = slot < META(vm, SLOTS);
        if (equal) TRY(same(vm, vm->vars[slot], first[slot], &equal));
        if (equal) continue;
        TRY(put(b, (uint64_t)same_ones)); /* so many that have their first value, then one that has not, or the end */
        if (slot < META(vm, SLOTS)) TRY(put_word(vm, b, vm->vars[slot]));
        same_ones = -1;
    }
    TRY(put(b, (uint64_t)s->n_known));
    for (int32_t k = 0; s->n_known && k < META(vm, PIECES); k++) {
        if (!vm->known[k]) continue;
        TRY(put(b, (uint64_t)k));
        TRY(put(b, vm->known[k]));
    }
    for (int k = 0; k < 8; k++) TRY(put_byte(b, (uint8_t)(s->rng >> 8 * k)));
    TRY(put(b, (uint64_t)(s->asking + 1)));
    TRY(put(b, (uint64_t)((int64_t)s->winners + 1)));
    TRY(put_word(vm, b, s->fate));
    TRY(put(b, (uint64_t)s->height));
    for (int32_t k = 0; k < s->height; k++) {
        const Frame *f = vm->frames + k;
        TRY(put(b, (uint64_t)f->rule));
        TRY(put(b, (uint64_t)f->block));
        for (int32_t i = 0; i < REC(vm, RULES, f->rule, SLOTS); i++) TRY(put_word(vm, b, vm->stack[f->base + i]));
    }
    return VM_OK;
}

/* ------------------------------------------------------------------ in */

typedef struct {
    Vm *vm;
    const uint8_t *at, *end;
} Reading;

static VmStatus unfit(Reading *r) { return vm_fail(r->vm, FAULT_BROKEN, 25, 0); }

static VmStatus get(Reading *r, uint64_t below, uint64_t *out) {
    *out = 0;
    for (int shift = 0; shift < 64; shift += 7) {
        if (r->at == r->end) return unfit(r);
        uint8_t byte = *r->at++;
        *out |= (uint64_t)(byte & 127) << shift;
        if (byte < 128) return *out < below ? VM_OK : unfit(r);
    }
    return unfit(r);
}

static VmStatus get_word(Reading *r, int depth, Word *out) {
    uint64_t number;
    TRY(get(r, UINT64_MAX, &number));
    int what = number & 3;
    number >>= 2;
    if (what == 3) {
        *out = WORD_NONE;
    } else if (what == 1) {
        *out = truth((int)(number & 1));
    } else if (what == 0) {
        *out = (Word)(number >> 1) ^ -(Word)(number & 1);
        if (*out >= TRUTH_TAG || *out <= -TRUTH_TAG) return unfit(r);
    } else {
        int32_t at;
        if (number > (uint64_t)(r->end - r->at) || depth >= MAX_NESTED_LISTS) return unfit(r); /* each takes a byte */
        TRY(list_new(r->vm, (int64_t)number, out, &at));
        for (uint64_t k = 0; k < number; k++) r->vm->mem[at + k] = WORD_NONE;
        for (uint64_t k = 0; k < number; k++) {
            Word item;
            TRY(get_word(r, depth + 1, &item));
            r->vm->mem[at + k] = item;
        }
    }
    return VM_OK;
}

static int takes(const Vm *vm, int32_t place, int32_t kind) {
    return SEC(vm, PLACE_KINDS)[place * META(vm, KIND_WORDS) + (kind >> 5)] >> (kind & 31) & 1;
}

static VmStatus get_zones(Reading *r) {
    Vm *vm = r->vm;
    uint64_t n, piece, cell = 0;
    for (int32_t place = 0; place < META(vm, PLACES); place++) {
        int32_t first = SEC(vm, PLACE_FIRST_CELL)[place];
        TRY(get(r, (uint64_t)META(vm, PIECES) + 1, &n));
        for (uint64_t k = 0; k < n; k++) {
            TRY(get(r, (uint64_t)META(vm, PIECES), &piece));
            if (first >= 0) TRY(get(r, (uint64_t)SEC(vm, PLACE_CELLS)[place], &cell));
            if (vm->place[piece] != NOWHERE || !takes(vm, place, SEC(vm, KIND_OF)[piece])) return unfit(r);
            if (!put_piece(vm, (int32_t)piece, place, first >= 0 ? first + (int32_t)cell : -1)) return unfit(r);
        }
    }
    for (int32_t k = 0; k < META(vm, PIECES); k++) { /* each lies somewhere, and none in itself */
        int32_t place = vm->place[k], steps = 0;
        while (place != NOWHERE && SEC(vm, PLACE_OWNER_KIND)[place] == 2 && steps++ <= META(vm, PIECES))
            place = vm->place[SEC(vm, PLACE_OWNER)[place]];
        if (place == NOWHERE || steps > META(vm, PIECES)) return unfit(r);
    }
    return VM_OK;
}

/* A variable is of the kind that its first value is. */
static int of_kind(Word value, Word first) {
    return value != WORD_NONE && is_list(value) == is_list(first) && is_truth(value) == is_truth(first);
}

static VmStatus get_variables(Reading *r) {
    Vm *vm = r->vm;
    const Word *first = vm->p->pool + SEC(vm, LISTS)[L_FIRST] + 1;
    uint64_t skip;
    for (int32_t slot = 0;; slot++) {
        TRY(get(r, (uint64_t)(META(vm, SLOTS) - slot) + 1, &skip));
        slot += (int32_t)skip;
        if (slot == META(vm, SLOTS)) return VM_OK;
        TRY(get_word(r, 0, vm->vars + slot));
        if (!of_kind(vm->vars[slot], first[slot])) return unfit(r);
    }
}

static VmStatus get_known(Reading *r) {
    Vm *vm = r->vm;
    uint64_t n, piece, seats;
    TRY(get(r, (uint64_t)META(vm, PIECES) + 1, &n));
    for (uint64_t k = 0; k < n; k++) {
        TRY(get(r, (uint64_t)META(vm, PIECES), &piece));
        TRY(get(r, (uint64_t)1 << META(vm, PLAYERS), &seats));
        if (!seats || vm->known[piece]) return unfit(r);
        vm->known[piece] = (uint32_t)seats;
        vm->s->n_known++;
    }
    return VM_OK;
}

static VmStatus get_frames(Reading *r) {
    Vm *vm = r->vm;
    uint64_t n, rule, block;
    int32_t base = 0;
    TRY(get(r, (uint64_t)META(vm, DEPTH) + 9, &n));
    for (uint64_t k = 0; k < n; k++) {
        TRY(get(r, (uint64_t)(vm->p->length[S_RULES] / N_RULES), &rule));
        TRY(get(r, (uint64_t)REC(vm, RULES, rule, BLOCKS), &block));
        if ((int64_t)base + REC(vm, RULES, rule, WINDOW) > STACK_WORDS) return unfit(r);
        int32_t slots = REC(vm, RULES, rule, SLOTS);
        for (int32_t i = 0; i < slots; i++) TRY(get_word(r, 0, vm->stack + base + i));
        vm->frames[k] = (Frame){(int32_t)rule, (int32_t)block, base, 0};
        base += slots;
        vm->s->height = (int32_t)k + 1;
        vm->s->n_slots = base;
    }
    return VM_OK;
}

static VmStatus get_state(Reading *r) {
    Vm *vm = r->vm;
    uint64_t asking, winners;
    TRY(get_zones(r));
    TRY(get_variables(r));
    TRY(get_known(r));
    if (r->end - r->at < 8) return unfit(r);
    vm->s->rng = 0;
    for (int k = 0; k < 8; k++) vm->s->rng |= (uint64_t)*r->at++ << 8 * k;
    TRY(get(r, (uint64_t)META(vm, DEPTH) + 9, &asking));
    TRY(get(r, ((uint64_t)1 << META(vm, PLAYERS)) + 1, &winners));
    TRY(get_word(r, 0, &vm->s->fate));
    if (vm->s->fate != WORD_NONE && !is_list(vm->s->fate)) return unfit(r);
    TRY(get_frames(r));
    if ((int64_t)asking > vm->s->height || r->at != r->end) return unfit(r);
    vm->s->asking = (int32_t)asking - 1;
    vm->s->winners = (int32_t)((int64_t)winners - 1);
    return VM_OK;
}

VmStatus vm_unpack(Vm *vm, const uint8_t *bytes, int64_t n) {
    Reading r = {vm, bytes, bytes + n};
    TRY(vm_start(vm, 0));
    memset(vm->first, 0, ((size_t)META(vm, PLACES) + 1) * sizeof(uint16_t));
    memset(vm->place, 0xFF, (size_t)META(vm, PIECES) * sizeof(uint16_t));
    memset(vm->cell, 0xFF, (size_t)META(vm, PIECES) * sizeof(uint16_t));
    memset(vm->at, 0xFF, (size_t)META(vm, CELLS) * sizeof(uint16_t));
    vm->s->height = vm->s->n_slots = 0;
    TRY(get_state(&r));
    vm->heap_top = vm->top;
    return VM_OK;
}
