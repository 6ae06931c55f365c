/* What the tools know of a program, read from a row of numbers that Python makes, and tested; and rows of words. */
#include "tools.h"

#include <stdlib.h>

void vm_tools_free(VmTools *tools) {
    if (!tools) return;
    free(tools->words);
    free(tools->slot_at);
    free(tools->live_at);
    free(tools->deals);
    free(tools);
}

static int kinds_hold(const int32_t *kinds, int64_t n) {
    for (int64_t k = 0; k < n; k++)
        if (kinds[k] < 0 || kinds[k] >= N_NAMED) return 0;
    return 1;
}

/* By block: how many slots may still be read there, and which. The place after them, or -1. */
static int64_t read_live(VmTools *t, int64_t at, int64_t n) {
    const VmProgram *p = t->p;
    const int32_t *rules = p->section[S_RULES];
    for (int32_t rule = 0; rule < p->length[S_RULES] / N_RULES; rule++, rules += N_RULES)
        for (int32_t block = 0; block < rules[RULES_BLOCKS]; block++) {
            if (at >= n || t->words[at] < 0 || t->words[at] > n - at - 1) return -1;
            t->live_at[rules[RULES_FIRST_BLOCK] + block] = (int32_t)at;
            for (int32_t k = 0; k < t->words[at]; k++)
                if (t->words[at + 1 + k] < 0 || t->words[at + 1 + k] >= rules[RULES_SLOTS]) return -1;
            at += 1 + t->words[at];
        }
    return at;
}

/* How many, then that many numbers below a bound. The place after them, or -1. */
static int64_t read_numbers(const VmTools *t, int64_t at, int64_t n, int32_t below, int32_t *out_n, const int32_t **out) {
    if (at < 0 || at >= n || t->words[at] < 0 || t->words[at] > n - at - 1) return -1;
    *out_n = t->words[at++];
    *out = t->words + at;
    for (int32_t k = 0; k < *out_n; k++)
        if ((*out)[k] < 0 || (*out)[k] >= below) return -1;
    return at + *out_n;
}

static int64_t read_score(VmTools *t, int64_t at, int64_t n) {
    if (at < 0 || at >= n || (t->words[at] != 0 && t->words[at] != 1)) return -1;
    t->scores_known = t->words[at];
    at = read_numbers(t, at + 1, n, t->p->meta[META_PLACES], &t->n_score_places, &t->score_places);
    return read_numbers(t, at, n, t->p->meta[META_SLOTS], &t->n_score_slots, &t->score_slots);
}

/* How many, then of each: variable, what, n, step, low in two words. */
static int read_deals(VmTools *t, int64_t at, int64_t n) {
    if (at < 0 || at >= n || t->words[at] < 0 || (n - at - 1) != 6 * (int64_t)t->words[at]) return 0;
    t->n_deals = t->words[at++];
    t->deals = calloc((size_t)t->n_deals + 1, sizeof(Deal));
    for (int32_t k = 0; t->deals && k < t->n_deals; k++, at += 6) {
        const int32_t *w = t->words + at;
        Word low = (Word)((uint64_t)(uint32_t)w[4] | (uint64_t)(uint32_t)w[5] << 32);
        t->deals[k] = (Deal){w[0], w[1], w[2], w[3], low};
        if (w[0] < 0 || w[0] >= t->p->meta[META_SLOTS] || w[1] < 0 || w[1] >= N_DEAL || w[2] < 1 || w[3] < 0) return 0;
        if (low > MAX_NUMBER || low < -MAX_NUMBER || (Word)w[2] * w[3] > MAX_NUMBER) return 0;
    }
    return t->deals != NULL;
}

static int read_tools(VmTools *t, int64_t n) {
    const VmProgram *p = t->p;
    int64_t slots = 0, vars = p->meta[META_SLOTS];
    const int32_t *rules = p->section[S_RULES];
    for (int32_t rule = 0; rule < p->length[S_RULES] / N_RULES; rule++) {
        t->slot_at[rule] = (int32_t)slots;
        slots += rules[rule * N_RULES + RULES_SLOTS];
    }
    if (slots + vars > n) return 0;
    t->slot_kind = t->words;
    t->var_kind = t->words + slots;
    if (!kinds_hold(t->words, slots + vars)) return 0;
    return read_deals(t, read_score(t, read_live(t, slots + vars, n), n), n);
}

VmStatus vm_tools_new(const VmProgram *program, const int32_t *words, int64_t n, VmTools **out) {
    VmTools *t = calloc(1, sizeof *t);
    *out = NULL;
    if (!t) return VM_NO_MEMORY;
    t->p = program;
    t->words = malloc(((size_t)n + 1) * sizeof(int32_t));
    t->slot_at = calloc((size_t)program->length[S_RULES] / N_RULES + 1, sizeof(int32_t));
    t->live_at = calloc((size_t)program->length[S_BLOCKS] / N_BLOCKS + 1, sizeof(int32_t));
    if (!t->words || !t->slot_at || !t->live_at) {
        vm_tools_free(t);
        return VM_NO_MEMORY;
    }
    memcpy(t->words, words, (size_t)n * sizeof(int32_t));
    if (!read_tools(t, n)) {
        vm_tools_free(t);
        return VM_FAULT;
    }
    *out = t;
    return VM_OK;
}

VmStatus row_add(Row *row, Word word) {
    if (row->n == row->room) {
        int64_t room = row->room * 2 + 512;
        Word *words = realloc(row->words, (size_t)room * sizeof(Word));
        if (!words) return VM_NO_MEMORY;
        row->words = words;
        row->room = room;
    }
    row->words[row->n++] = word;
    return VM_OK;
}

void row_free(Row *row) {
    free(row->words);
    row->words = NULL;
}

uint64_t random_word(uint64_t *stream) {
    uint64_t z = *stream += 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}
