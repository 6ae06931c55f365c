/* Values of definitions that are kept until something they were worked out from is written. What a value was worked out
   from is noted while that is done: one bit for each place and each variable that is read (64 share a bit). The work that
   it took is kept with it and counted again, so that a game is the same game with and without this memory. */
#include "state.h"

#include <stdlib.h>

#define ROOM 4096               /* values that are kept: a new one takes the place of the one it meets */
#define MAX_KEY 26              /* numbers of 32 bits */
#define MAX_VALUE 22
#define PROBATION 2048          /* calls after which a definition must have been worth it */

typedef struct {
    uint64_t hash, stamp, current; /* current: no need to test it while nothing more has been written */
    uint64_t places, slots;
    Word work, value;
    int32_t define;             /* -1: free */
    int16_t n_key, n_items;     /* items: -1 where the value is no list */
    int32_t key[MAX_KEY], items[MAX_VALUE];
} Kept;

/* A definition that is being worked out. */
typedef struct {
    uint64_t hash, stamp, places, slots;
    Word work;
    int32_t define, n_key, trials;
    int32_t key[MAX_KEY];
} Noting;

struct Memory {
    Kept kept[ROOM];
    Noting noting[MAX_NOTING];
    int32_t n_defines;
    int32_t *tries, *hits;      /* by definition; tries: -1 where it is not worth it */
};

VmStatus memory_new(Vm *vm) {
    int32_t n = vm->p->length[S_DEFINES] / N_DEFINES;
    Memory *m = vm->memory = malloc(sizeof *m);
    if (!m) return VM_NO_MEMORY;
    for (int32_t k = 0; k < ROOM; k++) m->kept[k].define = -1;
    m->n_defines = n;
    m->tries = calloc((size_t)n * 2 + 1, sizeof(int32_t));
    m->hits = m->tries + n;
    return m->tries ? VM_OK : VM_NO_MEMORY;
}

void memory_free(Vm *vm) {
    if (vm->memory) free(vm->memory->tries);
    free(vm->memory);
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

static int untouched(const Vm *vm, const uint64_t *written, uint64_t bits, uint64_t stamp) {
    (void)vm;
    for (; bits; bits &= bits - 1)
        if (written[__builtin_ctzll(bits)] > stamp) return 0;
    return 1;
}

static int still_holds(const Vm *vm, Kept *kept) {
    if (kept->current == vm->clock || !(kept->places | kept->slots)) return 1;
    if (vm->all_written > kept->stamp || !untouched(vm, vm->written, kept->places, kept->stamp) ||
        !untouched(vm, vm->written + 64, kept->slots, kept->stamp))
        return 0;
    kept->current = vm->clock;
    return 1;
}

VmStatus recall(Vm *vm, int32_t define, const Word *window, Word *out, int *how) {
    Memory *m = vm->memory;
    *how = UNKNOWN;
    if (m->tries[define] < 0 || vm->n_noting == MAX_NOTING) return VM_OK;
    Noting *noting = m->noting + vm->n_noting;
    noting->n_key = key_of(vm, define, window, noting->key);
    if (noting->n_key < 0) return VM_OK;
    noting->hash = hash_key(define, noting->key, noting->n_key);
    Kept *kept = m->kept + noting->hash % ROOM;
    m->tries[define]++;
    if (kept->define == define && kept->hash == noting->hash && kept->n_key == noting->n_key &&
        !memcmp(kept->key, noting->key, (size_t)kept->n_key * sizeof(int32_t)) && still_holds(vm, kept)) {
        m->hits[define]++;
        *how = KNOWN;
        vm->read_places |= kept->places;
        vm->read_slots |= kept->slots;
        TRY(tick(vm, kept->work));
        if (kept->n_items < 0) {
            *out = kept->value;
        } else {
            int32_t at;
            TRY(list_new(vm, kept->n_items, out, &at));
            for (int32_t k = 0; k < kept->n_items; k++) vm->mem[at + k] = kept->items[k];
        }
        return VM_OK;
    }
    if (m->tries[define] == PROBATION) {
        if (m->hits[define] < PROBATION / 4) {
            m->tries[define] = -1;
            return VM_OK;
        }
        m->tries[define] = m->hits[define] = 0;
    }
    noting->define = define;
    noting->stamp = vm->clock;
    noting->places = vm->read_places;
    noting->slots = vm->read_slots;
    noting->work = vm->work;
    noting->trials = vm->n_trials;
    vm->read_places = vm->read_slots = 0;
    vm->n_noting++;
    *how = NOTED;
    return VM_OK;
}

void note_value(Vm *vm, Word value) {
    Memory *m = vm->memory;
    const Noting *noting = m->noting + --vm->n_noting;
    uint64_t places = vm->read_places, slots = vm->read_slots;
    int32_t n = -1;
    vm->read_places |= noting->places;
    vm->read_slots |= noting->slots;
    if (noting->trials != vm->n_trials) return; /* what was tried out may have read anything */
    Kept *kept = m->kept + noting->hash % ROOM;
    if (is_list(value)) {
        uint64_t at = (uint64_t)(value & ~LIST_TAG);
        if (at >= (uint64_t)vm->top || vm->mem[at] < 0 || vm->mem[at] > MAX_VALUE) return;
        n = (int32_t)vm->mem[at];
        if ((uint64_t)n > (uint64_t)vm->top - at - 1) return;
        for (int32_t k = 0; k < n; k++)
            if (!fits(vm->mem[at + 1 + (uint64_t)k])) return;
        for (int32_t k = 0; k < n; k++) kept->items[k] = (int32_t)vm->mem[at + 1 + (uint64_t)k];
    }
    kept->hash = noting->hash;
    kept->stamp = noting->stamp;
    kept->current = vm->clock;
    kept->places = places;
    kept->slots = slots;
    kept->work = vm->work - noting->work;
    kept->value = value;
    kept->define = noting->define;
    kept->n_key = (int16_t)noting->n_key;
    kept->n_items = (int16_t)n;
    memcpy(kept->key, noting->key, (size_t)noting->n_key * sizeof(int32_t));
}
