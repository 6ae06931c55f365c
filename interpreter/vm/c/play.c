/* The public functions: a machine and its workspace, states opened and saved, whole games, scores and laws. */
#include "state.h"

#include <stdlib.h>

/* ------------------------------------------------------------------ machines */

static void lay_out(Vm *vm) { /* where the arrays of the open state are */
    uint8_t *base = (uint8_t *)vm->s;
    const VmProgram *p = vm->p;
    vm->vars = (Word *)(base + p->at_vars);
    vm->known = (uint32_t *)(base + p->at_known);
    vm->place = (uint16_t *)(base + p->at_place);
    vm->cell = (uint16_t *)(base + p->at_cell);
    vm->order = (uint16_t *)(base + p->at_order);
    vm->first = (uint16_t *)(base + p->at_first);
    vm->at = (uint16_t *)(base + p->at_at);
}

VmStatus vm_new(const VmProgram *program, Vm **out) {
    Vm *vm = calloc(1, sizeof *vm);
    *out = NULL;
    if (!vm) return VM_NO_MEMORY;
    vm->p = program;
    vm->n_frames_room = (program->meta[META_DEPTH] + 16) * (MAX_TRIALS + 2);
    vm->mem_room = program->n_pool + 8192;
    vm->s = calloc(1, program->fixed_bytes);
    vm->frames = malloc((size_t)vm->n_frames_room * sizeof(Frame));
    /* behind it room for any window: a program that is not ours may name slots of another rule */
    vm->stack = malloc((STACK_WORDS + (1 << 18)) * sizeof(Word));
    vm->mem = malloc((size_t)vm->mem_room * sizeof(Word));
    vm->returns = malloc(MAX_RETURNS * sizeof(ReturnTo));
    vm->dry = malloc(MAX_DRY * sizeof(Dry));
    vm->temp = malloc(TEMP_BYTES);
    vm->ahead = malloc(AHEAD_ROOM * sizeof(Ahead));
    if (!vm->s || !vm->frames || !vm->stack || !vm->mem || !vm->returns || !vm->dry || !vm->temp || !vm->ahead) {
        vm_free(vm);
        return VM_NO_MEMORY;
    }
    if (memory_new(vm) != VM_OK) {
        vm_free(vm);
        return VM_NO_MEMORY;
    }
    for (int32_t k = 0; k < AHEAD_ROOM; k++) vm->ahead[k].block = -1;
    memcpy(vm->mem, program->pool, (size_t)program->n_pool * sizeof(Word));
    vm->top = vm->heap_top = vm->opened_top = program->n_pool;
    vm->gc_at = 2 * vm->top + (1 << 16);
    vm->max_work = program->meta[META_WORK];
    lay_out(vm);
    *out = vm;
    return VM_OK;
}

void vm_free(Vm *vm) {
    if (!vm) return;
    free(vm->s);
    free(vm->frames);
    free(vm->stack);
    free(vm->mem);
    free(vm->returns);
    free(vm->dry);
    free(vm->temp);
    free(vm->ahead);
    free(vm->scratch);
    free(vm->spare);
    memory_free(vm);
    free(vm);
}

const VmFault *vm_fault(const Vm *vm) { return &vm->fault; }
Word vm_work(const Vm *vm) { return vm->work; }
int vm_players(const VmProgram *program) { return program->meta[META_PLAYERS]; }
int vm_score_parts(const VmProgram *program) { return program->length[S_SCORES] / N_SCORES; }
const VmState *vm_head(const Vm *vm) { return vm->s; }

/* Whatever a fault has left under way is over. */
static void at_rest(Vm *vm) {
    vm->nested = vm->self_calls = vm->trying = vm->floor = vm->floor_base = vm->n_returns = vm->n_dry = vm->n_noting = vm->n_pending = vm->pending_from = 0;
    vm->scratch_top = vm->temp_top = 0;
}

/* ------------------------------------------------------------------ states */

VmStatus vm_start(Vm *vm, uint64_t rng) {
    const VmProgram *p = vm->p;
    at_rest(vm);
    wrote_all(vm);
    memset(vm->s, 0, p->fixed_bytes);
    *vm->s = (VmState){.rng = rng, .asking = -1, .winners = -1, .player = -1, .offered = WORD_NONE, .partial = WORD_NONE,
                       .fate = WORD_NONE};
    vm->top = vm->heap_top = vm->opened_top = p->n_pool;
    memset(vm->place, 0xFF, (size_t)META(vm, PIECES) * sizeof(uint16_t));
    memset(vm->cell, 0xFF, (size_t)META(vm, PIECES) * sizeof(uint16_t));
    memset(vm->at, 0xFF, (size_t)META(vm, CELLS) * sizeof(uint16_t));
    memcpy(vm->vars, p->pool + SEC(vm, LISTS)[L_FIRST] + 1, (size_t)META(vm, SLOTS) * sizeof(Word));
    for (int32_t place = 0; place < META(vm, PLACES); place++)
        for (int32_t k = SEC(vm, STARTS_AT)[place]; k < SEC(vm, STARTS_AT)[place + 1]; k++)
            put_piece(vm, SEC(vm, STARTS)[k], place, -1);
    vm->work = 0;
    Word me = 0;
    return push_frame(vm, META(vm, START), &me, 1);
}

VmStatus vm_open(Vm *vm, const VmState *state) {
    const uint8_t *from = (const uint8_t *)state + vm->p->fixed_bytes;
    at_rest(vm);
    wrote_all(vm);
    memcpy(vm->s, state, vm->p->fixed_bytes);
    size_t frames = (size_t)state->height * sizeof(Frame), slots = (size_t)state->n_slots * sizeof(Word);
    memcpy(vm->frames, from, frames);
    memcpy(vm->stack, from + frames, slots);
    vm->top = vm->p->n_pool;
    TRY(list_room(vm, state->n_heap));
    memcpy(vm->mem + vm->top, from + frames + slots, (size_t)state->n_heap * sizeof(Word));
    vm->top += state->n_heap;
    vm->heap_top = vm->opened_top = vm->top;
    return VM_OK;
}

VmStatus vm_save(Vm *vm, VmState **out) {
    VmState *s = vm->s;
    *out = NULL;
    vm->top = vm->heap_top;
    if (vm->top != vm->opened_top) TRY(collect(vm));
    vm->opened_top = vm->top;
    s->n_heap = vm->top - vm->p->n_pool;
    size_t fixed = vm->p->fixed_bytes, frames = (size_t)s->height * sizeof(Frame), slots = (size_t)s->n_slots * sizeof(Word);
    size_t heap = (size_t)s->n_heap * sizeof(Word);
    if (fixed + frames + slots + heap > UINT32_MAX) return vm_fail(vm, FAULT_TOO_MUCH, 0, 0);
    s->bytes = (uint32_t)(fixed + frames + slots + heap);
    uint8_t *to = malloc(s->bytes);
    if (!to) return VM_NO_MEMORY;
    memcpy(to, s, fixed);
    memcpy(to + fixed, vm->frames, frames);
    memcpy(to + fixed + frames, vm->stack, slots);
    memcpy(to + fixed + frames + slots, vm->mem + vm->p->n_pool, heap);
    *out = (VmState *)to;
    return VM_OK;
}

VmState *vm_copy(const VmState *state) {
    VmState *copy = malloc(state->bytes);
    if (copy) memcpy(copy, state, state->bytes);
    return copy;
}

/* ------------------------------------------------------------------ playing */

VmStatus vm_run(Vm *vm) {
    vm->work = 0;
    vm->s->player = -1;
    vm->s->count = 0;
    vm->s->offered = vm->s->partial = WORD_NONE;
    VmStatus status = run_to_floor(vm);
    if (status != VM_OK) {
        at_rest(vm);
        return status;
    }
    if (!vm->s->height && vm->s->winners < 0) vm->s->winners = 0;
    return VM_OK;
}

VmStatus vm_choose(Vm *vm, int32_t option) {
    VmState *s = vm->s;
    int32_t n, at;
    if (s->player < 0 || option < 0 || option >= s->count) return vm_fail(vm, FAULT_ANSWER, 0, 0);
    if (s->stop && !option) return give_answer(vm, ANSWER_STOP, WORD_NONE);
    TRY(list_at(vm, s->offered, &n, &at));
    option -= s->stop;
    if (option >= n) return give_answer(vm, ANSWER_DECLINE, WORD_NONE);
    return give_answer(vm, s->partial == WORD_NONE ? ANSWER_VALUE : ANSWER_ADD, vm->mem[at + option]);
}

VmStatus vm_play_out(Vm *vm, uint64_t *stream, int32_t maximum, int32_t *out_answers) {
    for (*out_answers = 0; *out_answers < maximum; ++*out_answers) {
        TRY(vm_run(vm));
        if (vm->s->player < 0) return VM_OK;
        TRY(vm_choose(vm, (int32_t)vm_random_below(stream, (uint64_t)vm->s->count)));
    }
    return VM_OK;
}

/* ------------------------------------------------------------------ scores and laws */

VmStatus score_parts(Vm *vm, Word seat, int32_t sp, Word *out_sum, Word *out_parts) {
    int32_t n = vm->p->length[S_SCORES] / N_SCORES, mark = vm->top;
    TRY(in_range(vm, seat, META(vm, PLAYERS)));
    TRY(tick(vm, META(vm, SCORE_COST)));
    *out_sum = 0;
    if (vm->nested >= MAX_NESTED) return vm_fail(vm, FAULT_DEEP, 0, 0);
    vm->nested++;
    for (int32_t k = 0; k < n; k++) {
        Word part = 0;
        VmStatus status = stack_room(vm, (int64_t)sp + REC(vm, SCORES, k, WINDOW));
        vm->stack[sp] = seat;
        if (status == VM_OK) status = vm_value(vm, REC(vm, SCORES, k, PC), sp, &part);
        if (status != VM_OK) {
            if (status == VM_FAULT && vm->fault.score < 0 && !vm->fault.placed) vm->fault.score = k;
            return status;
        }
        *out_sum += part;
        if (out_parts) out_parts[k] = part;
        vm->top = mark;
    }
    vm->nested--;
    return VM_OK;
}

/* Above the slots of the state, where anything may be worked out. */
static int32_t free_stack(const Vm *vm) { return vm->s->n_slots + vm->p->max_window; }

VmStatus vm_points(Vm *vm, int seat, Word *out_parts) {
    Word sum;
    VmStatus status = score_parts(vm, seat, free_stack(vm), &sum, out_parts);
    if (status != VM_OK) at_rest(vm);
    return status;
}

static VmStatus hold(Vm *vm, int section, int fault, Word winners) {
    const int32_t *laws = vm->p->section[section];
    int32_t sp = free_stack(vm), mark = vm->top;
    for (int32_t k = 0; k < vm->p->length[section] / N_INVARIANTS; k++, laws += N_INVARIANTS) {
        Word yes;
        TRY(tick(vm, laws[INVARIANTS_COST]));
        TRY(stack_room(vm, (int64_t)sp + laws[INVARIANTS_WINDOW]));
        vm->stack[sp] = 0;
        vm->stack[sp + 1] = winners;
        TRY(vm_value(vm, laws[INVARIANTS_PC], sp, &yes));
        if (!(yes & 1)) return vm_fail(vm, fault, k, 0);
        vm->top = mark;
    }
    return VM_OK;
}

static VmStatus pieces_lie(Vm *vm) {
    int32_t places = META(vm, PLACES);
    for (int32_t place = 0; place < places; place++) {
        const uint16_t *pieces = zone_pieces(vm, place);
        for (int32_t k = 0, n = zone_size(vm, place); k < n; k++) {
            int32_t cell = vm->cell[pieces[k]];
            int there = vm->place[pieces[k]] == place;
            if (there && (cell == NOWHERE || vm->at[cell] == pieces[k])) continue;
            if (!there || !SEC(vm, CELL_STACKS)[cell] || k + 1 == n || vm->cell[pieces[k + 1]] != cell)
                return vm_fail(vm, FAULT_PIECES, pieces[k], 0);
        }
    }
    return vm->first[places] == META(vm, PIECES) ? VM_OK : vm_fail(vm, FAULT_NOWHERE, 0, 0);
}

static VmStatus counters_hold(Vm *vm) {
    const Word *bounds = vm->p->pool + SEC(vm, LISTS)[L_BOUNDS] + 1;
    for (int32_t k = 0; k < META(vm, SLOTS); k++, bounds += 2) {
        if (bounds[0] == WORD_NONE || is_list(vm->vars[k])) continue;
        Word high = bounds[1] == WORD_NONE ? 0 : bounds[1];
        if (vm->vars[k] < bounds[0] || vm->vars[k] > high) return vm_fail(vm, FAULT_COUNTERS, k, 0);
    }
    return VM_OK;
}

static VmStatus all_laws(Vm *vm) {
    int32_t mark = vm->top, at, n = 0;
    Word winners = WORD_NONE;
    TRY(hold(vm, S_INVARIANTS, FAULT_INVARIANT, WORD_NONE));
    if (vm->s->winners >= 0) {
        TRY(list_new(vm, META(vm, PLAYERS), &winners, &at));
        for (int32_t k = 0; k < META(vm, PLAYERS); k++)
            if (vm->s->winners >> k & 1) vm->mem[at + n++] = k;
        vm->mem[at - 1] = n;
        TRY(hold(vm, S_ENDINGS, FAULT_ENDING, winners));
    }
    vm->top = mark;
    TRY(pieces_lie(vm));
    return counters_hold(vm);
}

VmStatus vm_invariants(Vm *vm) {
    vm->work = 0;
    vm->nested = 1;
    VmStatus status = hold(vm, S_INVARIANTS, FAULT_INVARIANT, WORD_NONE);
    at_rest(vm);
    return status;
}

VmStatus vm_laws(Vm *vm) {
    vm->work = 0;
    vm->nested = 1;
    VmStatus status = all_laws(vm);
    at_rest(vm);
    return status;
}

uint64_t vm_seeded(uint64_t seed) {
    uint64_t state = seed, word;
    word = state += 0x9E3779B97F4A7C15u;
    word = (word ^ (word >> 30)) * 0xBF58476D1CE4E5B9u;
    word = (word ^ (word >> 27)) * 0x94D049BB133111EBu;
    return state ^ word ^ (word >> 31);
}
