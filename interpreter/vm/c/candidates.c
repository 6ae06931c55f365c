/* The candidates of a question, in classes of those that are alike for who is asked. */
#include "ask.h"

#define FEW 12 /* values that are compared one by one */

VmStatus asked_player(Vm *vm, int32_t q, int32_t base, int32_t *out) {
    Word player = vm->stack[base];
    if (Q(BY) >= 0) TRY(vm_value(vm, Q(BY), base, &player));
    TRY(in_range(vm, player, META(vm, PLAYERS)));
    *out = (int32_t)player;
    return VM_OK;
}

/* ------------------------------------------------------------------ candidates */

/* Which bound names of the rules in progress mean a piece: a piece that has a name is not like the others. */
static VmStatus mentions(Vm *vm, const Dry *dry, int32_t own, Mention **out, int32_t *n_out) {
    int32_t n = 0, depth = 0;
    Mention *found = (Mention *)(vm->temp + vm->temp_top);
    for (const Dry *frame = dry; frame; frame = frame->caller, depth++) {
        int32_t first = REC(vm, RULES, frame->rule, PIECE_SLOTS), count = REC(vm, RULES, frame->rule, N_PIECE_SLOTS);
        TRY(tick(vm, 1 + (count >> 2)));
        for (int32_t k = first; k < first + count; k++) {
            int32_t slot = SEC(vm, PIECE_SLOTS)[k], size = 1, at = 0;
            Word value = depth || slot != own ? vm->stack[frame->base + slot] : WORD_NONE;
            if (value == WORD_NONE) continue;
            if (is_list(value)) {
                TRY(list_at(vm, value, &size, &at));
                TRY(tick(vm, size >> 1));
            }
            void *more;
            TRY(temp_bytes(vm, size * (int64_t)sizeof(Mention) + 16, &more));
            for (int32_t x = 0; x < size; x++) {
                Word piece = at ? vm->mem[at + x] : value;
                found[n++] = (Mention){piece == WORD_NONE ? -1 : (int32_t)piece, depth, slot};
            }
        }
    }
    vm->temp_top = (size_t)((uint8_t *)(found + n) - vm->temp + 15) & ~(size_t)15;
    *out = found;
    *n_out = n;
    return VM_OK;
}

static int named_alike(const Mention *found, int32_t n, int32_t a, int32_t b) {
    int32_t x = 0, y = 0;
    for (;; x++, y++) {
        while (x < n && found[x].piece != a) x++;
        while (y < n && found[y].piece != b) y++;
        if (x >= n || y >= n) return x >= n && y >= n;
        if (found[x].depth != found[y].depth || found[x].slot != found[y].slot) return 0;
    }
}

/* ------------------------------------------------------------------ classes */

VmStatus compare_begin(Vm *vm, int32_t q, const Dry *dry, int32_t base, int32_t n, Comparing *c) {
    c->n = 0;
    c->pieces = Q(PIECE);
    if (!c->pieces) {
        TRY(temp_bytes(vm, n * (int64_t)sizeof(Word), &c->first));
        return n > FEW ? bag_in_temp(vm, &c->bag, n) : (c->bag.room = 0, VM_OK);
    }
    TRY(asked_player(vm, q, base, &c->player));
    TRY(mentions(vm, dry, Q(SLOT), &c->named, &c->n_named));
    TRY(temp_bytes(vm, n * (int64_t)sizeof(Word), &c->first));
    return temp_bytes(vm, n, &c->whole);
}

static VmStatus class_of_value(Vm *vm, Comparing *c, Word value, int32_t *out) {
    if (c->bag.room) {
        int32_t *count;
        TRY(bag_find(vm, &c->bag, value, &count));
        if (!*count) *count = ++c->n; /* its number, and one more */
        *out = *count - 1;
        return VM_OK;
    }
    for (*out = 0; *out < c->n; ++*out) {
        int equal;
        TRY(same(vm, c->first[*out], value, &equal));
        if (equal) return VM_OK;
    }
    c->first[c->n++] = value;
    return VM_OK;
}

/* Whether they are alike as far as that is quickly told. */
static int near_alike(const Vm *vm, int32_t a, int32_t b) {
    return SEC(vm, TWIN)[a] == SEC(vm, TWIN)[b] && vm->place[a] == vm->place[b] && vm->known[a] == vm->known[b];
}

enum { NOT_LOOKED, SEEN, HIDDEN };

VmStatus class_of(Vm *vm, Comparing *c, Word item, int32_t *out) {
    if (!c->pieces) return class_of_value(vm, c, item, out);
    TRY(in_range(vm, item, META(vm, PIECES)));
    int32_t piece = (int32_t)item, kind = SEC(vm, KIND_OF)[piece];
    int seen = -1;
    read_place(vm, vm->place[piece]);
    TRY(tick(vm, 2 + ((SEC(vm, KIND_VARS_AT)[kind + 1] - SEC(vm, KIND_VARS_AT)[kind]) >> 3)));
    for (*out = 0; *out < c->n; ++*out) {
        int32_t other = (int32_t)c->first[*out];
        if (other == piece) return VM_OK;
        if (!near_alike(vm, piece, other)) continue;
        if (seen < 0) seen = sees_wholly(vm, piece, c->player);
        if (!seen) continue;
        if (c->whole[*out] == NOT_LOOKED) c->whole[*out] = sees_wholly(vm, other, c->player) ? SEEN : HIDDEN;
        if (c->whole[*out] == SEEN && alike(vm, piece, other, c->player, 1) &&
            (!c->n_named || named_alike(c->named, c->n_named, piece, other)))
            return VM_OK;
    }
    c->first[c->n] = item;
    c->whole[c->n++] = seen < 0 ? NOT_LOOKED : seen ? SEEN : HIDDEN;
    return VM_OK;
}

VmStatus candidates(Vm *vm, int32_t q, int32_t base, Word *out, int32_t *n) {
    int32_t at;
    TRY(vm_value(vm, Q(SOURCE), base, out));
    TRY(stored(vm, *out));
    TRY(weigh(vm, *out));
    return list_at(vm, *out, n, &at);
}

/* For each place the last place of the same candidate. */
static VmStatus last_places(Vm *vm, const Pool *pool, int pieces, int32_t at) {
    int32_t *last;
    TRY(temp_bytes(vm, (pieces ? META(vm, PIECES) : pool->n) * (int64_t)sizeof(int32_t), &last));
    for (int32_t k = 0; k < pool->n; k++) last[pieces ? vm->mem[at + k] : pool->class_of[k]] = k;
    for (int32_t k = 0; k < pool->n; k++) pool->sort_key[k] = last[pieces ? vm->mem[at + k] : pool->class_of[k]];
    return VM_OK;
}

/* The candidates, those alike for the asked player together, in the order of their first member. */
VmStatus classes(Vm *vm, int32_t q, const Dry *dry, int32_t base, Pool *pool) {
    int32_t at, from = 0;
    Comparing comparing;
    TRY(candidates(vm, q, base, &pool->source, &pool->n));
    TRY(list_at(vm, pool->source, &pool->n, &at));
    TRY(temp_bytes(vm, pool->n * (int64_t)sizeof(int32_t), &pool->class_of));
    TRY(temp_bytes(vm, pool->n * (int64_t)sizeof(int32_t), &pool->sort_key));
    TRY(temp_bytes(vm, pool->n * (int64_t)sizeof(int32_t), &pool->sizes));
    TRY(temp_bytes(vm, pool->n * (int64_t)sizeof(int32_t), &pool->members));
    TRY(temp_bytes(vm, (pool->n + 1) * (int64_t)sizeof(int32_t), &pool->first_at));
    TRY(compare_begin(vm, q, dry, base, pool->n, &comparing));
    memset(pool->sizes, 0, (size_t)pool->n * sizeof(int32_t));
    for (int32_t k = 0; k < pool->n; k++) {
        TRY(class_of(vm, &comparing, vm->mem[at + k], pool->class_of + k));
        pool->sizes[pool->class_of[k]]++;
    }
    pool->classes = comparing.n;
    TRY(last_places(vm, pool, comparing.pieces, at));
    for (int32_t class = 0; class < pool->classes; class++) {
        pool->first_at[class] = from;
        from += pool->sizes[class];
        pool->sizes[class] = 0;
    }
    for (int32_t k = 0; k < pool->n; k++) {
        int32_t class = pool->class_of[k];
        pool->members[pool->first_at[class] + pool->sizes[class]++] = k;
    }
    return VM_OK;
}

VmStatus member(Vm *vm, const Pool *pool, int32_t class, int32_t number, Word *out) {
    int32_t n, at;
    TRY(list_at(vm, pool->source, &n, &at));
    *out = vm->mem[at + pool->members[pool->first_at[class] + number]];
    return VM_OK;
}

/* The members of a set as a list, in the order of the source. */
VmStatus pick(Vm *vm, const Pool *pool, const int32_t *counts, Word *out) {
    int32_t size = 0, n, at, to, kept = 0;
    uint8_t *chosen;
    size_t mark = vm->temp_top;
    for (int32_t class = 0; class < pool->classes; class++) size += counts[class];
    TRY(temp_bytes(vm, pool->n * (int64_t)sizeof(int32_t) + 1, &chosen));
    int32_t *times = (int32_t *)chosen;
    memset(times, 0, (size_t)pool->n * sizeof(int32_t));
    for (int32_t class = 0; class < pool->classes; class++)
        for (int32_t k = 0; k < counts[class]; k++) times[pool->sort_key[pool->members[pool->first_at[class] + k]]]++;
    TRY(list_new(vm, size, out, &to));
    TRY(list_at(vm, pool->source, &n, &at));
    for (int32_t k = 0; k < pool->n; k++)
        for (int32_t x = 0; x < times[k]; x++) vm->mem[to + kept++] = vm->mem[at + k];
    vm->temp_top = mark;
    return VM_OK;
}

/* How many of each class a set has. */
VmStatus counts_of(Vm *vm, const Pool *pool, Word chosen, int32_t *counts) {
    int32_t n, at, m, bt;
    uint8_t *used;
    TRY(temp_bytes(vm, pool->n, &used));
    memset(used, 0, (size_t)pool->n);
    memset(counts, 0, (size_t)pool->classes * sizeof(int32_t));
    TRY(list_at(vm, pool->source, &n, &at));
    TRY(list_at(vm, chosen, &m, &bt));
    for (int32_t x = 0; x < m; x++)
        for (int32_t k = 0; k < n; k++) {
            int equal = 0;
            if (!used[k]) TRY(same(vm, vm->mem[at + k], vm->mem[bt + x], &equal));
            if (equal) {
                used[k] = 1;
                counts[pool->class_of[k]]++;
                break;
            }
        }
    return VM_OK;
}
