/* Values and lists. A list is an offset into the machine's memory: its length, then its elements. Lists are never
   altered once they are made; what nobody holds any more is given back by moving `top` down, or by `collect`. */
#include "state.h"

#include <stdlib.h>

void vm_note_fault(Vm *vm, int32_t code, Word a, Word b) {
    memset(&vm->fault, 0, sizeof vm->fault);
    vm->fault.code = code;
    vm->fault.a = a;
    vm->fault.b = b;
    vm->fault.pc = -1;
    vm->fault.score = -1;
}

VmStatus list_room(Vm *vm, int64_t words) {
    int64_t wanted = vm->top + words;
    if (wanted <= vm->mem_room) return VM_OK;
    if (wanted > MAX_HEAP) return vm_fail(vm, FAULT_TOO_MUCH, 0, 0);
    int64_t room = wanted + wanted / 2 + 1024;
    Word *mem = realloc(vm->mem, (size_t)room * sizeof(Word));
    if (!mem) return VM_NO_MEMORY;
    vm->mem = mem;
    vm->mem_room = (int32_t)room;
    return VM_OK;
}

VmStatus list_new(Vm *vm, int64_t n, Word *out, int32_t *at) {
    TRY(list_room(vm, n + 1));
    vm->mem[vm->top] = n;
    *out = LIST_TAG | vm->top;
    *at = vm->top + 1;
    vm->top += (int32_t)n + 1;
    return VM_OK;
}

VmStatus weigh(Vm *vm, Word w) {
    int32_t n, at;
    if (!is_list(w)) return VM_OK;
    TRY(list_at(vm, w, &n, &at));
    TRY(tick(vm, 1 + (n >> 3)));
    if (n && is_list(vm->mem[at]))
        for (int32_t i = 0; i < n; i++) TRY(weigh(vm, vm->mem[at + i]));
    return VM_OK;
}

static VmStatus size_of(Vm *vm, Word w, int64_t maximum, int64_t *out) {
    int32_t n, at;
    if (!is_list(w)) {
        *out = 1;
        return VM_OK;
    }
    TRY(list_at(vm, w, &n, &at));
    int64_t total = n, inner;
    if (n && is_list(vm->mem[at]))
        for (int32_t i = 0; i < n && total <= maximum; i++) {
            TRY(size_of(vm, vm->mem[at + i], maximum - total, &inner));
            total += inner;
        }
    *out = total;
    return VM_OK;
}

VmStatus stored(Vm *vm, Word w) {
    int64_t size;
    if (!is_list(w)) return VM_OK;
    TRY(size_of(vm, w, MAX_ITEMS, &size));
    return size > MAX_ITEMS ? vm_fail(vm, FAULT_STORED, 0, 0) : VM_OK;
}

/* ------------------------------------------------------------------ comparing */

VmStatus compare_words(Vm *vm, Word a, Word b, int *out) {
    int32_t n, m, at, bt;
    if (!is_list(a) || !is_list(b)) {
        *out = a < b ? -1 : a > b;
        return VM_OK;
    }
    if (a == b) {
        *out = 0;
        return VM_OK;
    }
    TRY(list_at(vm, a, &n, &at));
    TRY(list_at(vm, b, &m, &bt));
    for (int32_t i = 0; i < n && i < m; i++) {
        TRY(compare_words(vm, vm->mem[at + i], vm->mem[bt + i], out));
        if (*out) return VM_OK;
    }
    *out = n < m ? -1 : n > m;
    return VM_OK;
}

VmStatus same(Vm *vm, Word a, Word b, int *out) {
    int32_t n, m, at, bt;
    if (a == b || !is_list(a) || !is_list(b)) {
        *out = a == b;
        return VM_OK;
    }
    TRY(list_at(vm, a, &n, &at));
    TRY(list_at(vm, b, &m, &bt));
    *out = n == m;
    for (int32_t i = 0; i < n && *out; i++) TRY(same(vm, vm->mem[at + i], vm->mem[bt + i], out));
    return VM_OK;
}

static VmStatus hash_of(Vm *vm, Word w, uint64_t *hash) {
    int32_t n, at;
    if (is_list(w)) {
        TRY(list_at(vm, w, &n, &at));
        for (int32_t i = 0; i < n; i++) TRY(hash_of(vm, vm->mem[at + i], hash));
        w = n;
    }
    *hash = (*hash ^ (uint64_t)w) * 0x9E3779B97F4A7C15u;
    *hash ^= *hash >> 29;
    return VM_OK;
}

static uint32_t bag_room(int64_t n) {
    uint32_t room = 16;
    while (room < (uint64_t)n * 2) room *= 2;
    return room;
}

VmStatus bag_in_temp(Vm *vm, Bag *bag, int64_t n) {
    bag->room = bag_room(n);
    bag->used = 0;
    TRY(temp_bytes(vm, bag->room * (int64_t)sizeof(Word), &bag->keys));
    TRY(temp_bytes(vm, bag->room * (int64_t)sizeof(int32_t), &bag->counts));
    memset(bag->counts, 0xFF, bag->room * sizeof(int32_t)); /* -1: free */
    return VM_OK;
}

VmStatus bag_new(Vm *vm, Bag *bag, int64_t n) {
    (void)vm;
    bag->room = bag_room(n);
    bag->used = 0;
    bag->keys = malloc(bag->room * sizeof(Word));
    bag->counts = malloc(bag->room * sizeof(int32_t));
    if (!bag->keys || !bag->counts) {
        bag_free(bag);
        return VM_NO_MEMORY;
    }
    memset(bag->counts, 0xFF, bag->room * sizeof(int32_t)); /* -1: free */
    return VM_OK;
}

void bag_free(Bag *bag) {
    free(bag->keys);
    free(bag->counts);
    bag->keys = NULL;
    bag->counts = NULL;
}

/* At most as many different keys are looked for as the bag was made for: so there is always a free place. */
VmStatus bag_find(Vm *vm, Bag *bag, Word key, int32_t **count) {
    uint64_t hash = 0;
    int found;
    TRY(hash_of(vm, key, &hash));
    uint32_t at = (uint32_t)(hash >> 20) & (bag->room - 1);
    while (bag->counts[at] >= 0) {
        TRY(same(vm, bag->keys[at], key, &found));
        if (found) break;
        at = (at + 1) & (bag->room - 1);
    }
    if (bag->counts[at] < 0) {
        bag->keys[at] = key;
        bag->counts[at] = 0;
        bag->used++;
    }
    *count = bag->counts + at;
    return VM_OK;
}

/* ------------------------------------------------------------------ lists */

VmStatus list_has(Vm *vm, Word list, Word item, int *out) {
    int32_t n, at;
    TRY(list_at(vm, list, &n, &at));
    *out = 0;
    if (is_list(item)) {
        for (int32_t i = 0; i < n && !*out; i++) TRY(same(vm, vm->mem[at + i], item, out));
    } else {
        for (int32_t i = 0; i < n; i++)
            if (vm->mem[at + i] == item) {
                *out = 1;
                break;
            }
    }
    return VM_OK;
}

VmStatus list_joined(Vm *vm, Word left, Word right, Word *out) {
    int32_t n, m, at, bt, to;
    TRY(list_at(vm, left, &n, &at));
    TRY(list_at(vm, right, &m, &bt));
    if ((int64_t)n + m > MAX_ITEMS) return vm_fail(vm, FAULT_JOIN, 0, 0);
    TRY(tick(vm, (n + m) >> 4));
    TRY(list_new(vm, (int64_t)n + m, out, &to));
    memcpy(vm->mem + to, vm->mem + at, (size_t)n * sizeof(Word));
    memcpy(vm->mem + to + n, vm->mem + bt, (size_t)m * sizeof(Word));
    return VM_OK;
}

/* A bag with the elements of a list. */
static VmStatus bag_of(Vm *vm, Word list, Bag *bag) {
    int32_t n, at, *count;
    TRY(list_at(vm, list, &n, &at));
    TRY(bag_new(vm, bag, n));
    for (int32_t i = 0; i < n; i++) {
        VmStatus status = bag_find(vm, bag, vm->mem[at + i], &count);
        if (status != VM_OK) {
            bag_free(bag);
            return status;
        }
        ++*count;
    }
    return VM_OK;
}

#define SHORT 24

VmStatus list_without(Vm *vm, Word left, Word right, Word *out) {
    int32_t n, m, at, bt, to, kept = 0;
    TRY(list_at(vm, left, &n, &at));
    TRY(list_at(vm, right, &m, &bt));
    TRY(list_new(vm, n, out, &to));
    if (m <= SHORT) {
        uint8_t used[SHORT] = {0};
        for (int32_t i = 0; i < n; i++) {
            int gone = 0;
            for (int32_t j = 0; j < m && !gone; j++) {
                if (used[j]) continue;
                TRY(same(vm, vm->mem[at + i], vm->mem[bt + j], &gone));
                used[j] = (uint8_t)gone;
            }
            if (!gone) vm->mem[to + kept++] = vm->mem[at + i];
        }
    } else {
        Bag bag;
        VmStatus status = VM_OK;
        TRY(bag_of(vm, right, &bag));
        uint32_t known = bag.used;
        for (int32_t i = 0; i < n && status == VM_OK; i++) {
            int32_t *count;
            status = bag_find(vm, &bag, vm->mem[at + i], &count);
            if (status != VM_OK) break;
            if (*count > 0) {
                --*count;
            } else {
                vm->mem[to + kept++] = vm->mem[at + i];
            }
            if (bag.used > known) { /* a key that is not among them: forget it, so that there is room for the next */
                *count = -1;
                bag.used = known;
            }
        }
        bag_free(&bag);
        TRY(status);
    }
    vm->mem[to - 1] = kept;
    vm->top = to + kept;
    return VM_OK;
}

VmStatus list_within(Vm *vm, Word part, Word whole, int *out) {
    int32_t mark = vm->top, n, at;
    Word rest;
    TRY(list_without(vm, part, whole, &rest));
    TRY(list_at(vm, rest, &n, &at));
    *out = n == 0;
    vm->top = mark;
    return VM_OK;
}

VmStatus list_distinct(Vm *vm, Word list, Word *out) {
    int32_t n, at, to, kept = 0;
    TRY(list_at(vm, list, &n, &at));
    TRY(list_new(vm, n, out, &to));
    if (n <= SHORT) {
        for (int32_t i = 0; i < n; i++) {
            int known = 0;
            for (int32_t j = 0; j < kept && !known; j++) TRY(same(vm, vm->mem[to + j], vm->mem[at + i], &known));
            if (!known) vm->mem[to + kept++] = vm->mem[at + i];
        }
    } else {
        Bag bag;
        VmStatus status = VM_OK;
        TRY(bag_new(vm, &bag, n));
        for (int32_t i = 0; i < n && status == VM_OK; i++) {
            int32_t *count;
            status = bag_find(vm, &bag, vm->mem[at + i], &count);
            if (status == VM_OK && !(*count)++) vm->mem[to + kept++] = vm->mem[at + i];
        }
        bag_free(&bag);
        TRY(status);
    }
    vm->mem[to - 1] = kept;
    vm->top = to + kept;
    return VM_OK;
}

/* ------------------------------------------------------------------ giving back */

static VmStatus spare_words(Vm *vm, int64_t n, int64_t *at) {
    if (vm->n_spare + n > vm->spare_room) {
        if (vm->n_spare + n > MAX_HEAP) return vm_fail(vm, FAULT_TOO_MUCH, 0, 0);
        int64_t room = (vm->n_spare + n) * 2 + 256;
        Word *spare = realloc(vm->spare, (size_t)room * sizeof(Word));
        if (!spare) return VM_NO_MEMORY;
        vm->spare = spare;
        vm->spare_room = room;
    }
    *at = vm->n_spare;
    vm->n_spare += n;
    return VM_OK;
}

VmStatus copy_tree(Vm *vm, Word w, int32_t below, Word *out) {
    int32_t n, at;
    int64_t to;
    if (!is_list(w) || (w & ~LIST_TAG) < below) {
        *out = w;
        return VM_OK;
    }
    TRY(list_at(vm, w, &n, &at));
    TRY(spare_words(vm, (int64_t)n + 1, &to));
    vm->spare[to] = n;
    for (int32_t i = 0; i < n; i++) {
        Word item;
        TRY(copy_tree(vm, vm->mem[at + i], below, &item));
        vm->spare[to + 1 + i] = item;
    }
    *out = LIST_TAG | (below + to);
    return VM_OK;
}

static VmStatus bring_back(Vm *vm, int32_t mark) {
    vm->top = mark;
    TRY(list_room(vm, vm->n_spare));
    if (vm->n_spare) memcpy(vm->mem + mark, vm->spare, (size_t)vm->n_spare * sizeof(Word));
    vm->top = mark + (int32_t)vm->n_spare;
    return VM_OK;
}

VmStatus keep_down(Vm *vm, int32_t mark, Word *value) {
    vm->n_spare = 0;
    TRY(copy_tree(vm, *value, mark, value));
    return bring_back(vm, mark);
}

VmStatus collect(Vm *vm) {
    int32_t below = vm->p->n_pool;
    vm->n_spare = 0;
    for (int32_t i = 0; i < META(vm, SLOTS); i++) TRY(copy_tree(vm, vm->vars[i], below, vm->vars + i));
    for (int32_t i = 0; i < vm->s->n_slots; i++) TRY(copy_tree(vm, vm->stack[i], below, vm->stack + i));
    TRY(copy_tree(vm, vm->s->offered, below, &vm->s->offered));
    TRY(copy_tree(vm, vm->s->partial, below, &vm->s->partial));
    TRY(copy_tree(vm, vm->s->fate, below, &vm->s->fate));
    TRY(bring_back(vm, below));
    vm->heap_top = vm->top;
    vm->gc_at = 2 * vm->top + (1 << 16);
    return VM_OK;
}
