/* How things stand in points. What the parts of the score read is known before play (`vm/score_reads.py`): a position
   that has all of it as one before has the same points, and they are not worked out again. */
#include "tools.h"

#include <stdlib.h>

#define KEPT 2048     /* positions: a power of two */
#define MAX_KEY 1500  /* words; a longer row is not worth while */

typedef struct {
    uint64_t hash;
    Word *words; /* owned: what was read, then the totals */
    int32_t n, room;
} Kept;

struct Snapshots {
    const VmTools *tools;
    Row row;
    Kept kept[KEPT];
};

void vm_snapshots_free(Snapshots *s) {
    if (!s) return;
    for (int k = 0; k < KEPT; k++) free(s->kept[k].words);
    row_free(&s->row);
    free(s);
}

Snapshots *vm_snapshots_new(const VmTools *tools) {
    Snapshots *s = calloc(1, sizeof *s);
    if (s) s->tools = tools;
    return s;
}

static VmStatus add_word(Vm *vm, Row *row, Word word) {
    int32_t n, at;
    if (!is_list(word)) return row_add(row, word);
    TRY(list_at(vm, word, &n, &at));
    TRY(row_add(row, LIST_TAG | n));
    for (int32_t k = 0; k < n; k++) TRY(add_word(vm, row, vm->mem[at + k]));
    return VM_OK;
}

/* All that the score reads, as a row. */
static VmStatus read_all(Vm *vm, const VmTools *tools, Row *row) {
    row->n = 0;
    for (int32_t k = 0; k < tools->n_score_places; k++) {
        int32_t place = tools->score_places[k], n = zone_size(vm, place), cells = SEC(vm, PLACE_FIRST_CELL)[place];
        const uint16_t *pieces = zone_pieces(vm, place);
        TRY(row_add(row, n));
        for (int32_t i = 0; i < n; i++) TRY(row_add(row, cells < 0 ? pieces[i] : pieces[i] | (Word)vm->cell[pieces[i]] << 16));
    }
    for (int32_t k = 0; k < tools->n_score_slots; k++) TRY(add_word(vm, row, vm->vars[tools->score_slots[k]]));
    return VM_OK;
}

static uint64_t hash_of(const Row *row) {
    uint64_t hash = 0x9E3779B97F4A7C15u;
    for (int64_t k = 0; k < row->n; k++) {
        hash = (hash ^ (uint64_t)row->words[k]) * 0xBF58476D1CE4E5B9u;
        hash ^= hash >> 29;
    }
    return hash;
}

static VmStatus work_out(Vm *vm, Word *out) {
    int32_t sp = vm->s->n_slots + vm->p->max_window;
    vm->work = 0;
    for (int32_t seat = 0; seat < META(vm, PLAYERS); seat++) TRY(score_parts(vm, seat, sp, out + seat, NULL));
    return VM_OK;
}

static VmStatus remember(Kept *kept, const Row *row, uint64_t hash, const Word *totals, int32_t players) {
    if (kept->room < row->n + players) {
        Word *words = realloc(kept->words, (size_t)(row->n + players) * sizeof(Word));
        if (!words) return VM_NO_MEMORY;
        kept->words = words;
        kept->room = (int32_t)row->n + players;
    }
    kept->hash = hash;
    kept->n = (int32_t)row->n;
    memcpy(kept->words, row->words, (size_t)row->n * sizeof(Word));
    memcpy(kept->words + row->n, totals, (size_t)players * sizeof(Word));
    return VM_OK;
}

VmStatus vm_snapshot(Vm *vm, Word *out) {
    Snapshots *s = vm->snapshots;
    int32_t players = META(vm, PLAYERS);
    out[players] = vm->s->winners;
    if (!s || !s->tools->scores_known) return work_out(vm, out);
    TRY(read_all(vm, s->tools, &s->row));
    if (s->row.n > MAX_KEY) return work_out(vm, out);
    uint64_t hash = hash_of(&s->row);
    Kept *kept = s->kept + (hash & (KEPT - 1));
    size_t bytes = (size_t)s->row.n * sizeof(Word);
    if (kept->words && kept->hash == hash && kept->n == s->row.n && !memcmp(kept->words, s->row.words, bytes)) {
        memcpy(out, kept->words + kept->n, (size_t)players * sizeof(Word));
        return VM_OK;
    }
    TRY(work_out(vm, out));
    return remember(kept, &s->row, hash, out, players);
}
