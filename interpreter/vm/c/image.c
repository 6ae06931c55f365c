/* Reads an image into a program: a count of sections, the length of each, then their words. Everything is bounds-checked;
   what the sections say is tested by verify.c. */
#include "state.h"

#include <stdlib.h>

VmStatus verify(const VmProgram *p, VmLoadError *error); /* verify.c */

static VmStatus refuse(VmLoadError *error, int32_t code, int32_t at) {
    *error = (VmLoadError){code, at, 0};
    return VM_FAULT;
}

/* Where each array of a state lies. */
static int lay_out(VmProgram *p) {
    uint64_t at = sizeof(VmState);
    const int32_t *m = p->meta;
    if (m[META_PIECES] < 0 || m[META_PIECES] >= NOWHERE || m[META_PLACES] < 0 || m[META_PLACES] >= NOWHERE) return 0;
    if (m[META_CELLS] < 0 || m[META_CELLS] >= NOWHERE || m[META_SLOTS] < 0 || m[META_SLOTS] > 1 << 24) return 0;
    p->at_vars = (uint32_t)at;
    at += (uint64_t)m[META_SLOTS] * sizeof(Word);
    p->at_known = (uint32_t)at;
    at += (uint64_t)m[META_PIECES] * sizeof(uint32_t);
    p->at_place = (uint32_t)at;
    at += (uint64_t)m[META_PIECES] * sizeof(uint16_t);
    p->at_cell = (uint32_t)at;
    at += (uint64_t)m[META_PIECES] * sizeof(uint16_t);
    p->at_order = (uint32_t)at;
    at += ((uint64_t)m[META_PIECES] + 1) * sizeof(uint16_t);
    p->at_first = (uint32_t)at;
    at += ((uint64_t)m[META_PLACES] + 1) * sizeof(uint16_t);
    p->at_at = (uint32_t)at;
    at += ((uint64_t)m[META_CELLS] + 1) * sizeof(uint16_t);
    p->fixed_bytes = (uint32_t)((at + 15) & ~(uint64_t)15);
    return 1;
}

static VmStatus read_sections(VmProgram *p, const int32_t *from, int64_t n, VmLoadError *error) {
    int64_t at = 2 + N_S;
    if (n < at || from[0] != VM_FORMAT || from[1] != N_S) return refuse(error, LOAD_FORMAT, 0);
    for (int32_t k = 0; k < N_S; k++) {
        int32_t length = from[2 + k];
        if (length < 0 || at + length > n) return refuse(error, LOAD_LENGTH, k);
        p->section[k] = p->words + at;
        p->length[k] = length;
        at += length;
    }
    if (at != n) return refuse(error, LOAD_LENGTH, N_S);
    if (p->length[S_META] != N_META || p->length[S_POOL] % 2 || p->length[S_CODE] % 2) return refuse(error, LOAD_SECTION, 0);
    memcpy(p->meta, p->section[S_META], sizeof p->meta);
    return lay_out(p) ? VM_OK : refuse(error, LOAD_SECTION, S_META);
}

VmStatus vm_program_load(const uint8_t *image, size_t n_bytes, VmProgram **out, VmLoadError *error) {
    VmProgram *p = calloc(1, sizeof *p);
    *out = NULL;
    *error = (VmLoadError){0, 0, 0};
    if (!p) return VM_NO_MEMORY;
    VmStatus status = n_bytes % 4 || n_bytes > (size_t)1 << 28 ? refuse(error, LOAD_LENGTH, 0) : VM_OK;
    if (status == VM_OK) {
        p->words = malloc(n_bytes + 16);
        status = p->words ? VM_OK : VM_NO_MEMORY;
    }
    if (status == VM_OK) {
        memcpy(p->words, image, n_bytes);
        status = read_sections(p, p->words, (int64_t)(n_bytes / 4), error);
    }
    if (status == VM_OK) {
        p->n_pool = p->length[S_POOL] / 2;
        p->n_code = p->length[S_CODE] / 2;
        p->pool = malloc(((size_t)p->n_pool + 1) * sizeof(Word));
        p->code = malloc(((size_t)p->n_code + 1) * sizeof(Instr));
        status = p->pool && p->code ? VM_OK : VM_NO_MEMORY;
    }
    if (status == VM_OK) {
        memcpy(p->pool, p->section[S_POOL], (size_t)p->n_pool * sizeof(Word));
        memcpy(p->code, p->section[S_CODE], (size_t)p->n_code * sizeof(Instr));
        for (int32_t k = 0; k < p->length[S_FUNCS] / N_FUNCS; k++) {
            int32_t window = p->section[S_FUNCS][k * N_FUNCS + FUNCS_WINDOW];
            if (window > p->max_window) p->max_window = window;
        }
        status = verify(p, error);
    }
    if (status != VM_OK) {
        vm_program_free(p);
        return status;
    }
    *out = p;
    return VM_OK;
}

void vm_program_free(VmProgram *p) {
    if (!p) return;
    free(p->words);
    free(p->pool);
    free(p->code);
    free(p);
}
