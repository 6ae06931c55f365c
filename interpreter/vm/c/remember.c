/* Values of definitions that are kept until something they were worked out from is written. What a value was worked out
   from is noted while that is done: one bit for each place and each variable that is read (64 share a bit). The work that
   it took is kept with it and counted again, so that a game is the same game with and without this memory. */
#include "state.h"

#include <stdlib.h>

#define ROOM 4096               /* values that are kept: a new one takes the place of the one it meets */
#define MAX_KEY 26              /* numbers of 32 bits */
#define MAX_VALUE 22
#define GUARD_ROOM 1024
#define MAX_GUARD_KEY 62
#define PROBATION 2048          /* calls after which a definition must have been worth it */

/* When something was found out, what it was worked out from, and what that took. */
typedef struct {
    uint64_t hash, stamp, current; /* current: no need to test it while nothing more has been written */
    uint64_t places, slots;
    Word work;
} Noted;

typedef struct {
    Noted found;
    Word value;
    int32_t define;             /* -1: free */
    int16_t n_key, n_items;     /* items: -1 where the value is no list */
    int32_t key[MAX_KEY], items[MAX_VALUE];
} Kept;

/* A definition that is being worked out; `found` has what was before. */
typedef struct {
    Noted found;
    int32_t define, n_key, trials;
    int32_t key[MAX_KEY];
} Noting;

/* Whether a play can be completed from the beginning of a rule on that a dry run calls, where that does not hang on what
   comes after it: kept under the rule, its arguments and the pieces that its callers have named. */
typedef struct {
    Noted found;
    int32_t n_key, result;
    int32_t key[MAX_GUARD_KEY];
} Guard;

typedef struct {
    Noted found;
    int32_t n_key, depth;       /* depth: of the rule in its chain; -1: it went back to its caller */
    int32_t key[MAX_GUARD_KEY];
} Pending;

typedef struct {
    int32_t tries, hits;        /* tries: -1 where remembering was not worth it */
} Worth;

struct Memory {
    Guard guards[GUARD_ROOM];
    Pending pending[MAX_PENDING];
    Kept kept[ROOM];
    Noting noting[MAX_NOTING];
    Worth *defines, *rules;     /* whose guards; owned in one block */
};

VmStatus memory_new(Vm *vm) {
    int32_t defines = vm->p->length[S_DEFINES] / N_DEFINES, rules = vm->p->length[S_RULES] / N_RULES;
    Memory *m = vm->memory = malloc(sizeof *m);
    if (!m) return VM_NO_MEMORY;
    for (int32_t k = 0; k < ROOM; k++) m->kept[k].define = -1;
    for (int32_t k = 0; k < GUARD_ROOM; k++) m->guards[k].n_key = 0;
    m->defines = calloc((size_t)defines + (size_t)rules + 1, sizeof(Worth));
    m->rules = m->defines + defines;
    return m->defines ? VM_OK : VM_NO_MEMORY;
}

void memory_free(Vm *vm) {
    if (vm->memory) free(vm->memory->defines);
    free(vm->memory);
}

/* Whether to go on remembering what was tried so often. */
static int worth_it(Worth *worth) {
    if (worth->tries < PROBATION) return 1;
    if (worth->hits < PROBATION / 4) {
        worth->tries = -1;
        return 0;
    }
    worth->tries = worth->hits = 0;
    return 1;
}

static int fits(Word w) { return w == (int32_t)w; }

/* The arguments as numbers; -1: too many, or of a kind that is not kept. Pieces of which only fields are read stand for
   all that have the same. */
static int32_t key_of(const Vm *vm, int32_t define, const Word *window, int32_t *key) {
    const int32_t *record = SEC(vm, DEFINES) + define * N_DEFINES, *twin = SEC(vm, TWIN);
    int32_t n = 0, pieces = META(vm, PIECES);
    if (record[DEFINES_ME]) {
        key[n++] = (int32_t)(window[0] >> 32);
        key[n++] = (int32_t)window[0];
    }
    for (int32_t k = 0; k < record[DEFINES_PARAMETERS]; k++) {
        Word w = window[1 + k];
        int by_twin = k < 31 && (record[DEFINES_TWINS] >> k & 1);
        if (n + 2 > MAX_KEY) return -1;
        if (is_list(w)) {
            uint64_t at = (uint64_t)(w & ~LIST_TAG);
            if (at >= (uint64_t)vm->top) return -1;
            Word size = vm->mem[at];
            if (size < 0 || n + 1 + size > MAX_KEY || (uint64_t)size > (uint64_t)vm->top - at - 1) return -1;
            key[n++] = (int32_t)size | 1 << 30;
            for (Word x = 0; x < size; x++) {
                Word item = vm->mem[at + 1 + (uint64_t)x];
                if (!fits(item)) return -1;
                key[n++] = by_twin && (uint64_t)item < (uint64_t)pieces ? twin[item] : (int32_t)item;
            }
            continue;
        }
        if (by_twin && (uint64_t)w < (uint64_t)pieces) w = twin[w];
        key[n++] = (int32_t)(w >> 32);
        key[n++] = (int32_t)w;
    }
    return n;
}

static uint64_t hash_key(int32_t define, const int32_t *key, int32_t n) {
    uint64_t hash = (uint64_t)(uint32_t)define * 0x9E3779B97F4A7C15u;
    for (int32_t k = 0; k < n; k++) hash = (hash ^ (uint32_t)key[k] ^ hash >> 29) * 0xBF58476D1CE4E5B9u;
    return hash ^ hash >> 32;
}

static int untouched(const uint64_t *written, uint64_t bits, uint64_t stamp) {
    for (; bits; bits &= bits - 1)
        if (written[__builtin_ctzll(bits)] > stamp) return 0;
    return 1;
}

static int still_holds(Vm *vm, Noted *found) {
    if (found->current != vm->clock && (found->places | found->slots)) {
        if (vm->all_written > found->stamp || !untouched(vm->written, found->places, found->stamp) ||
            !untouched(vm->written + 64, found->slots, found->stamp))
            return 0;
        found->current = vm->clock;
    }
    vm->read_places |= found->places;
    vm->read_slots |= found->slots;
    return 1;
}

/* From here on it is noted what is read. */
static void begin_noting(Vm *vm, Noted *found) {
    found->stamp = vm->clock;
    found->places = vm->read_places;
    found->slots = vm->read_slots;
    found->work = vm->work;
    vm->read_places = vm->read_slots = 0;
}

/* What was found out since; what has been read counts for what goes on around it, too. */
static Noted end_noting(Vm *vm, const Noted *before) {
    Noted found = {before->hash, before->stamp, before->stamp, vm->read_places, vm->read_slots, vm->work - before->work};
    vm->read_places |= before->places;
    vm->read_slots |= before->slots;
    return found;
}

VmStatus recall(Vm *vm, int32_t define, const Word *window, Word *out, int *how) {
    Memory *m = vm->memory;
    *how = UNKNOWN;
    Worth *worth = m->defines + define;
    if (worth->tries < 0 || vm->n_noting == MAX_NOTING) return VM_OK;
    Noting *noting = m->noting + vm->n_noting;
    noting->n_key = key_of(vm, define, window, noting->key);
    if (noting->n_key < 0) return VM_OK;
    noting->found.hash = hash_key(define, noting->key, noting->n_key);
    Kept *kept = m->kept + noting->found.hash % ROOM;
    worth->tries++;
    if (kept->define == define && kept->found.hash == noting->found.hash && kept->n_key == noting->n_key &&
        !memcmp(kept->key, noting->key, (size_t)kept->n_key * sizeof(int32_t)) && still_holds(vm, &kept->found)) {
        worth->hits++;
        *how = KNOWN;
        TRY(tick(vm, kept->found.work));
        if (kept->n_items < 0) {
            *out = kept->value;
        } else {
            int32_t at;
            TRY(list_new(vm, kept->n_items, out, &at));
            for (int32_t k = 0; k < kept->n_items; k++) vm->mem[at + k] = kept->items[k];
        }
        return VM_OK;
    }
    if (!worth_it(worth)) return VM_OK;
    noting->define = define;
    noting->trials = vm->n_trials;
    begin_noting(vm, &noting->found);
    vm->n_noting++;
    *how = NOTED;
    return VM_OK;
}

void note_value(Vm *vm, Word value) {
    Memory *m = vm->memory;
    const Noting *noting = m->noting + --vm->n_noting;
    Noted found = end_noting(vm, &noting->found);
    int32_t n = -1;
    if (noting->trials != vm->n_trials) return; /* what was tried out may have read anything */
    Kept *kept = m->kept + found.hash % ROOM;
    if (is_list(value)) {
        uint64_t at = (uint64_t)(value & ~LIST_TAG);
        if (at >= (uint64_t)vm->top || vm->mem[at] < 0 || vm->mem[at] > MAX_VALUE) return;
        n = (int32_t)vm->mem[at];
        if ((uint64_t)n > (uint64_t)vm->top - at - 1) return;
        for (int32_t k = 0; k < n; k++)
            if (!fits(vm->mem[at + 1 + (uint64_t)k])) return;
        for (int32_t k = 0; k < n; k++) kept->items[k] = (int32_t)vm->mem[at + 1 + (uint64_t)k];
    }
    kept->found = found;
    kept->value = value;
    kept->define = noting->define;
    kept->n_key = (int16_t)noting->n_key;
    kept->n_items = (int16_t)n;
    memcpy(kept->key, noting->key, (size_t)noting->n_key * sizeof(int32_t));
}

/* ------------------------------------------------------------------ guards */

static int add_word(int32_t *key, int32_t *n, Word w) {
    if (*n + 2 > MAX_GUARD_KEY) return 0;
    key[(*n)++] = (int32_t)(w >> 32);
    key[(*n)++] = (int32_t)w;
    return 1;
}

static int add_value(const Vm *vm, int32_t *key, int32_t *n, Word w) {
    if (!is_list(w)) return add_word(key, n, w);
    uint64_t at = (uint64_t)(w & ~LIST_TAG);
    if (at >= (uint64_t)vm->top) return 0;
    Word size = vm->mem[at];
    if (size < 0 || *n + 1 + size > MAX_GUARD_KEY || (uint64_t)size > (uint64_t)vm->top - at - 1) return 0;
    key[(*n)++] = (int32_t)size | 1 << 30;
    for (Word k = 0; k < size; k++) {
        Word item = vm->mem[at + 1 + (uint64_t)k];
        if (!fits(item)) return 0;
        key[(*n)++] = (int32_t)item;
    }
    return 1;
}

/* What a guard hangs on: 0 where that is too much. Who has named which piece tells pieces apart, and what it takes to
   find that out is counted: so the names of the callers are part of it, and where they stand. */
static int guard_key(const Vm *vm, int32_t rule, const Word *arguments, int32_t n_arguments, const Dry *caller, Pending *p) {
    int32_t n = 0;
    p->key[n++] = rule;
    p->key[n++] = caller ? caller->depth : 0;
    for (int32_t k = 0; k < n_arguments; k++)
        if (!add_value(vm, p->key, &n, arguments[k])) return 0;
    for (const Dry *frame = caller; frame; frame = frame->caller) {
        int32_t first = REC(vm, RULES, frame->rule, PIECE_SLOTS), count = REC(vm, RULES, frame->rule, N_PIECE_SLOTS);
        if (n == MAX_GUARD_KEY) return 0;
        p->key[n++] = frame->rule;
        for (int32_t k = first; k < first + count; k++)
            if (!add_value(vm, p->key, &n, vm->stack[frame->base + SEC(vm, PIECE_SLOTS)[k]])) return 0;
    }
    p->n_key = n;
    p->found.hash = hash_key(rule, p->key, n);
    return 1;
}

VmStatus recall_guard(Vm *vm, int32_t rule, const Word *arguments, int32_t n, const Dry *caller, int *how, int *result) {
    Memory *m = vm->memory;
    Pending *p = m->pending + vm->n_pending;
    *how = UNKNOWN;
    Worth *worth = m->rules + rule;
    if (vm->n_pending == MAX_PENDING || META(vm, TRIALS) || worth->tries < 0 || !guard_key(vm, rule, arguments, n, caller, p)) return VM_OK;
    Guard *guard = m->guards + p->found.hash % GUARD_ROOM;
    worth->tries++;
    if (guard->found.hash == p->found.hash && guard->n_key == p->n_key &&
        !memcmp(guard->key, p->key, (size_t)p->n_key * sizeof(int32_t)) && still_holds(vm, &guard->found)) {
        *how = KNOWN;
        worth->hits++;
        *result = guard->result;
        return tick(vm, guard->found.work);
    }
    if (!worth_it(worth)) return VM_OK;
    p->depth = caller ? caller->depth + 1 : 1;
    begin_noting(vm, &p->found);
    vm->n_pending++;
    *how = NOTED;
    return VM_OK;
}

void went_back(Vm *vm, int32_t depth) {
    for (int32_t k = vm->n_pending - 1; k >= vm->pending_from; k--)
        if (vm->memory->pending[k].depth > depth) vm->memory->pending[k].depth = -1;
}

void note_guards(Vm *vm, int32_t from, int result) {
    while (vm->n_pending > from) {
        const Pending *p = vm->memory->pending + --vm->n_pending;
        Noted found = end_noting(vm, &p->found);
        if (p->depth < 0) continue;
        Guard *guard = vm->memory->guards + found.hash % GUARD_ROOM;
        guard->found = found;
        guard->n_key = p->n_key;
        guard->result = result;
        memcpy(guard->key, p->key, (size_t)p->n_key * sizeof(int32_t));
    }
}
