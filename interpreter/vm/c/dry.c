/* Dry runs: whether a play can be completed. A chain of rules in progress that can branch, so that nothing changes; where
   a hook could miss something behind an effect, the effect is tried out on the position, which is put back. In Python:
   `completes` of `plain/machine.py`, `plain/trial.py` and `ir/trials.py`. */
#include "state.h"

#include <stdlib.h>

/* ------------------------------------------------------------------ positions */

VmStatus backup(Vm *vm, size_t *mark) {
    size_t n = vm->p->fixed_bytes;
    if (vm->scratch_top + n > vm->scratch_room) {
        size_t room = (vm->scratch_top + n) * 2;
        uint8_t *scratch = realloc(vm->scratch, room);
        if (!scratch) return VM_NO_MEMORY;
        vm->scratch = scratch;
        vm->scratch_room = room;
    }
    memcpy(vm->scratch + vm->scratch_top, vm->s, n);
    *mark = vm->scratch_top;
    vm->scratch_top += n;
    return VM_OK;
}

void restore(Vm *vm, size_t mark) {
    memcpy(vm->s, vm->scratch + mark, vm->p->fixed_bytes);
    wrote_all(vm);
    vm->scratch_top = mark;
}

Caught catch_begin(const Vm *vm) {
    return (Caught){vm->scratch_top, vm->temp_top, vm->top, vm->heap_top, vm->nested, vm->self_calls, vm->trying, vm->floor,
                    vm->floor_base, vm->n_returns, vm->n_dry, vm->viewer, vm->n_pending, vm->pending_from, vm->n_noting,
                    vm->dry_started};
}

void catch_end(Vm *vm, const Caught *before) {
    if (vm->scratch_top > before->scratch) restore(vm, before->scratch); /* the first that was kept since */
    vm->temp_top = before->temp;
    vm->top = before->top;
    vm->heap_top = before->heap_top;
    vm->nested = before->nested;
    vm->self_calls = before->self_calls;
    vm->trying = before->trying;
    vm->floor = before->floor;
    vm->floor_base = before->floor_base;
    vm->n_returns = before->n_returns;
    vm->n_dry = before->n_dry;
    vm->viewer = before->viewer;
    vm->n_pending = before->n_pending;
    vm->pending_from = before->pending_from;
    vm->n_noting = before->n_noting;
    vm->read_places = vm->read_slots = UINT64_MAX; /* what was read is not known any more */
    vm->dry_started = before->dry_started;
}

static Word position_work(const Vm *vm) { return 1 + ((META(vm, PIECES) + META(vm, SLOTS)) >> 2); }

/* ------------------------------------------------------------------ what lies ahead of a block */

static int may_follow(const int32_t *block, uint64_t started) {
    int32_t loop = block[BLOCKS_LOOP];
    return loop == -1 || (loop >= 0 && (started >> loop & 1));
}

static uint64_t started_in(const int32_t *block) {
    return (uint32_t)block[BLOCKS_STARTED_LOW] | (uint64_t)(uint32_t)block[BLOCKS_STARTED_HIGH] << 32;
}

static int32_t follow_on(const int32_t *block, uint64_t started, int32_t *to) {
    int32_t n = 0;
    if (!may_follow(block, started)) return 0;
    if (block[BLOCKS_NEXT] >= 0) to[n++] = block[BLOCKS_NEXT];
    if (block[BLOCKS_OTHER] >= 0) to[n++] = block[BLOCKS_OTHER];
    return n;
}

/* Follow all ways from some blocks on, within one rule. */
static VmStatus look(Vm *vm, int32_t rule, int32_t *waiting, int32_t n, uint64_t started, Ahead *out) {
    int32_t first = REC(vm, RULES, rule, FIRST_BLOCK), blocks = REC(vm, RULES, rule, BLOCKS);
    uint8_t *seen;
    TRY(temp_bytes(vm, blocks, &seen));
    memset(seen, 0, (size_t)blocks);
    while (n) {
        int32_t place = waiting[--n];
        if (seen[place]) continue;
        seen[place] = 1;
        const int32_t *block = SEC(vm, BLOCKS) + (first + place) * N_BLOCKS;
        started |= started_in(block);
        out->fails |= block[BLOCKS_FAILS] != 0;
        out->hook_fails |= block[BLOCKS_HOOK_FAILS] != 0;
        out->returns |= block[BLOCKS_RETURNS] != 0;
        n += follow_on(block, started, waiting + n);
    }
    return VM_OK;
}

static VmStatus ahead(Vm *vm, const Dry *at, int behind, Ahead *out) {
    int32_t id = block_id(vm, at->rule, at->block), *waiting, n = 1;
    uint64_t key = ((uint64_t)id * 2 + (uint64_t)behind + at->started * 0x9E3779B97F4A7C15u) * 0xBF58476D1CE4E5B9u;
    Ahead *known = vm->ahead + (key >> 52) % AHEAD_ROOM;
    if (known->block != id || known->behind != behind || known->started != at->started) {
        const int32_t *block = SEC(vm, BLOCKS) + id * N_BLOCKS;
        size_t temp = vm->temp_top;
        Ahead found = {at->started, id, (uint8_t)behind, 0, 0, 0};
        /* every block is taken once and leads to two at most */
        TRY(temp_bytes(vm, (2 * REC(vm, RULES, at->rule, BLOCKS) + 4) * (int64_t)sizeof(int32_t), &waiting));
        waiting[0] = at->block;
        if (behind) n = follow_on(block, at->started | started_in(block), waiting);
        TRY(look(vm, at->rule, waiting, n, at->started, &found));
        vm->temp_top = temp;
        *known = found;
    }
    *out = *known;
    return VM_OK;
}

static int hangs_on(const Vm *vm, int section, int32_t rule, int32_t hook) {
    const int32_t *pairs = vm->p->section[section];
    for (int32_t k = 0; k + 1 < vm->p->length[section]; k += 2)
        if (pairs[k] == rule && pairs[k + 1] == hook) return 1;
    return 0;
}

/* Whether a dry run has to look behind the block where it is. */
static VmStatus looks_behind(Vm *vm, const Dry *dry, int *out) {
    Ahead here;
    *out = 0;
    if (!META(vm, TRIALS)) return VM_OK;
    TRY(ahead(vm, dry, 1, &here));
    *out = here.hook_fails;
    for (; !*out && dry->caller && here.returns; dry = dry->caller) {
        TRY(ahead(vm, dry->caller, 0, &here));
        *out = hangs_on(vm, S_HOOKS, dry->caller->rule, dry->rule) ? here.fails : here.hook_fails;
    }
    return VM_OK;
}

/* ------------------------------------------------------------------ the run */

typedef struct {
    Vm *vm;
    Dry dry;
    int32_t sp, viewer;
    size_t scratch; /* what was backed up before */
    Search *search;
    int done, result;
} Run;

static VmStatus in_window(Run *r, int32_t rule, int32_t from) { /* a copy of slots in a window of their own */
    Vm *vm = r->vm;
    TRY(stack_room(vm, (int64_t)r->sp + REC(vm, RULES, rule, WINDOW)));
    memcpy(vm->stack + r->sp, vm->stack + from, (size_t)REC(vm, RULES, rule, SLOTS) * sizeof(Word));
    r->dry.base = r->sp;
    r->sp += REC(vm, RULES, rule, WINDOW);
    return VM_OK;
}

static void decide(Run *r, int result) {
    r->done = 1;
    r->result = result;
}

static VmStatus call(Run *r, int32_t rule, int32_t then, const Word *arguments, int32_t n) {
    Vm *vm = r->vm;
    if (vm->n_dry >= MAX_DRY) return vm_fail(vm, FAULT_DEEP, 0, 0);
    TRY(new_window(vm, rule, r->sp, arguments, n));
    r->dry.block = then;
    vm->dry[vm->n_dry] = r->dry;
    r->dry = (Dry){rule, REC(vm, RULES, rule, ENTRY), r->sp, r->dry.depth + 1, vm->dry + vm->n_dry, 0};
    vm->n_dry++;
    r->sp += REC(vm, RULES, rule, WINDOW);
    if (r->dry.depth > META(vm, DEPTH)) decide(r, 0);
    return VM_OK;
}

/* A rule that is called: what comes of that may be known. */
static VmStatus called(Run *r, int32_t rule, int32_t number, int32_t window) {
    Vm *vm = r->vm;
    int32_t n = 1 + REC(vm, CALLS, number, ARGUMENTS);
    int how, result;
    TRY(recall_guard(vm, rule, vm->stack + window, n, &r->dry, &how, &result));
    if (how != KNOWN) return call(r, rule, REC(vm, CALLS, number, THEN), vm->stack + window, n);
    decide(r, result);
    return VM_OK;
}

static VmStatus come_back(Run *r, int gives, Word value) {
    Vm *vm = r->vm;
    const Dry *caller = r->dry.caller;
    if (!caller) {
        decide(r, 1);
        return VM_OK;
    }
    r->dry = *caller;
    went_back(vm, r->dry.depth);
    TRY(in_window(r, caller->rule, caller->base));
    int32_t slot = REC(vm, RULES, caller->rule, RECEIVED);
    if (gives && slot >= 0) vm->stack[r->dry.base + slot] = value;
    return VM_OK;
}

/* Behind an effect that nobody can foresee: go on behind the hook that has it, if that has nothing to do with what comes
   after it on the same rule. */
static VmStatus behind_hook(Run *r) {
    Vm *vm = r->vm;
    const Dry *dry = &r->dry;
    for (; META(vm, TRIALS) && dry->caller; dry = dry->caller) {
        const Dry *caller = dry->caller;
        if (!hangs_on(vm, S_HOOKS, caller->rule, dry->rule)) continue;
        if (!hangs_on(vm, S_UNRELATED, caller->rule, dry->rule) || REC(vm, RULES, dry->rule, GIVES)) break;
        r->dry = *caller;
        r->dry.caller = NULL;
        return in_window(r, caller->rule, caller->base);
    }
    decide(r, 1);
    return VM_OK;
}

/* Try an acting block out: 1 done, 0 nobody can know, -1 it cannot be done. */
static VmStatus try_out(Run *r, int32_t pc, Exit *left, int *out) {
    Vm *vm = r->vm;
    Caught before = catch_begin(vm);
    size_t mark;
    VmStatus status = tick(vm, position_work(vm));
    if (status == VM_OK) {
        TRY(backup(vm, &mark));
        vm->viewer = r->viewer;
        vm->nested++;
        status = vm_exec(vm, pc, r->dry.base, MODE_TRIAL, left);
        vm->nested--;
        vm->viewer = before.viewer;
    }
    *out = 1;
    if (status == VM_FAULT) {
        catch_end(vm, &before);
        *out = -1;
        return VM_OK;
    }
    TRY(status);
    if (left->kind == EXIT_UNSEEN) {
        restore(vm, mark);
        *out = 0;
    } else if (mark > r->scratch) {
        vm->scratch_top = mark; /* the position before the first effect is all that is put back */
    }
    return VM_OK;
}

static VmStatus acts(Run *r, Exit *left) {
    Vm *vm = r->vm;
    int behind = 0, done = 0;
    TRY(looks_behind(vm, &r->dry, &behind));
    if (!behind) {
        decide(r, 1);
        return VM_OK;
    }
    r->search->behind = 1;
    if (vm->work > r->search->end) {
        decide(r, 0);
        return VM_OK;
    }
    if (!REC(vm, BLOCKS, left->block, FINISH)) TRY(try_out(r, left->pc + 1, left, &done));
    if (done < 0) {
        decide(r, 0);
    } else if (!done) {
        TRY(behind_hook(r));
    } else {
        r->dry.block = left->block - REC(vm, RULES, r->dry.rule, FIRST_BLOCK);
    }
    return VM_OK;
}

static VmStatus answered(void *context, Word value, int *stop) {
    Run *r = context;
    Vm *vm = r->vm;
    int found;
    int32_t q = r->result; /* while a question is looked through */
    int32_t sp = r->sp + REC(vm, RULES, r->dry.rule, WINDOW);
    TRY(completes_with(vm, q, &r->dry, sp, value, r->viewer, r->search, &found));
    *stop = found;
    if (found) {
        decide(r, 1);
    } else if (r->search->behind && vm->work > r->search->end) {
        decide(r, 0);
        *stop = 1;
    }
    return VM_OK;
}

static VmStatus asks(Run *r, int32_t q) {
    Vm *vm = r->vm;
    r->result = q;
    TRY(possible(vm, q, &r->dry, r->sp, answered, r));
    if (r->done) return VM_OK;
    if (REC(vm, QUESTIONS, q, OTHERWISE) < 0) {
        decide(r, 0);
    } else {
        r->dry.block = REC(vm, QUESTIONS, q, OTHERWISE);
    }
    return VM_OK;
}

static VmStatus instead(Run *r, int32_t record, Word marked) {
    Vm *vm = r->vm;
    int32_t rule;
    TRY(stand_in(vm, record, marked, &rule));
    r->dry.block = REC(vm, STANDINS, record, BODY);
    if (rule < 0) return VM_OK;
    return call(r, rule, REC(vm, STANDINS, record, THEN), vm->stack + r->dry.base, 1 + REC(vm, STANDINS, record, PARAMETERS));
}

static VmStatus go_on(Run *r, int32_t pc, Exit *left) {
    Vm *vm = r->vm;
    vm->dry_started = r->dry.started;
    TRY(vm_exec(vm, pc, r->dry.base, MODE_DRY, left));
    r->dry.started = vm->dry_started;
    r->dry.block = left->block - REC(vm, RULES, r->dry.rule, FIRST_BLOCK);
    return VM_OK;
}

static VmStatus run_dry(Run *r) {
    Vm *vm = r->vm;
    int32_t rule;
    while (!r->done) {
        Exit left = {.block = block_id(vm, r->dry.rule, r->dry.block)};
        TRY(go_on(r, REC(vm, BLOCKS, left.block, PC), &left));
        while (left.kind == EXIT_HEAD) { /* a loop that began in the dry run may have to be followed */
            int behind = 0;
            if (may_follow(SEC(vm, BLOCKS) + left.block * N_BLOCKS, r->dry.started)) TRY(looks_behind(vm, &r->dry, &behind));
            if (!behind) {
                decide(r, 1);
                return VM_OK;
            }
            TRY(go_on(r, left.pc + 1, &left));
        }
        switch (left.kind) {
        case EXIT_FAIL: decide(r, 0); break;
        case EXIT_ACTS: TRY(acts(r, &left)); break;
        case EXIT_ASK: TRY(asks(r, left.number)); break;
        case EXIT_DO:
            TRY(called_rule(vm, left.number, left.reg, &rule));
            TRY(called(r, rule, left.number, left.reg));
            break;
        case EXIT_INSTEAD: TRY(instead(r, left.number, left.value)); break;
        case EXIT_RETURN: TRY(come_back(r, left.number, left.value)); break;
        case EXIT_ROLL: TRY(behind_hook(r)); break;
        default: decide(r, 1); break;
        }
    }
    return VM_OK;
}

VmStatus completes(Vm *vm, const Dry *from, int32_t sp, int32_t viewer, Search *search, int *out) {
    Search own = {vm->work + (vm->max_work >> SEARCH_SHARE), 0};
    Run run = {.vm = vm, .dry = *from, .sp = sp, .viewer = viewer, .search = search ? search : &own};
    int32_t n_dry = vm->n_dry, top = vm->top, n_pending = vm->n_pending;
    size_t temp = vm->temp_top;
    run.scratch = vm->scratch_top;
    uint64_t started = vm->dry_started;
    if (vm->nested >= MAX_NESTED) return vm_fail(vm, FAULT_DEEP, 0, 0);
    vm->nested++;
    VmStatus status = run_dry(&run);
    if (status != VM_OK) return status; /* whoever catches it puts everything back */
    vm->nested--;
    note_guards(vm, n_pending, run.result);
    if (vm->scratch_top > run.scratch) restore(vm, run.scratch);
    vm->n_dry = n_dry;
    vm->top = top;
    vm->temp_top = temp;
    vm->dry_started = started;
    *out = run.result;
    return VM_OK;
}

VmStatus completes_with(Vm *vm, int32_t q, const Dry *dry, int32_t sp, Word value, int32_t viewer, Search *search, int *out) {
    Dry after = *dry;
    const int32_t *then = SEC(vm, BLOCKS) + block_id(vm, dry->rule, REC(vm, QUESTIONS, q, THEN)) * N_BLOCKS;
    if (then[BLOCKS_ACTS] && !META(vm, TRIALS)) { /* the answer is followed by an effect: no need to run there */
        if (vm->nested >= MAX_NESTED) return vm_fail(vm, FAULT_DEEP, 0, 0);
        *out = 1;
        return tick(vm, then[BLOCKS_COST]);
    }
    int32_t window = REC(vm, RULES, dry->rule, WINDOW);
    TRY(stack_room(vm, (int64_t)sp + window));
    memcpy(vm->stack + sp, vm->stack + dry->base, (size_t)REC(vm, RULES, dry->rule, SLOTS) * sizeof(Word));
    vm->stack[sp + REC(vm, QUESTIONS, q, SLOT)] = value;
    after.base = sp;
    after.block = REC(vm, QUESTIONS, q, THEN);
    return completes(vm, &after, sp + window, viewer, search, out);
}

VmStatus can_complete(Vm *vm, int32_t number, int32_t window, int32_t sp, int *out) {
    int32_t rule;
    vm->n_trials++;
    TRY(called_rule(vm, number, window, &rule));
    TRY(new_window(vm, rule, sp, vm->stack + window, 1 + REC(vm, CALLS, number, ARGUMENTS)));
    Word me = vm->stack[window];
    TRY(in_range(vm, me, META(vm, PLAYERS)));
    Dry entry = {rule, REC(vm, RULES, rule, ENTRY), sp, 1, NULL, 0};
    int32_t from = vm->pending_from, n_pending = vm->n_pending;
    int how;
    TRY(recall_guard(vm, rule, vm->stack + window, 1 + REC(vm, CALLS, number, ARGUMENTS), NULL, &how, out));
    if (how == KNOWN) return VM_OK;
    vm->pending_from = vm->n_pending; /* what goes back here is no caller of theirs */
    TRY(completes(vm, &entry, sp + REC(vm, RULES, rule, WINDOW), (int32_t)me, NULL, out));
    vm->pending_from = from;
    note_guards(vm, n_pending, *out);
    return VM_OK;
}

/* ------------------------------------------------------------------ would */

VmStatus would_begin(Vm *vm, int32_t number, int32_t window, int32_t sp) {
    int32_t rule;
    vm->n_trials++;
    if (vm->trying >= MAX_TRIALS) return vm_fail(vm, FAULT_WOULDS, 0, 0);
    if (vm->nested >= MAX_NESTED) return vm_fail(vm, FAULT_DEEP, 0, 0);
    Before *before = vm->before + vm->trying;
    TRY(called_rule(vm, number, window, &rule));
    TRY(tick(vm, position_work(vm)));
    *before = (Before){0, vm->top, vm->heap_top, vm->floor, vm->floor_base};
    TRY(backup(vm, &before->mark));
    vm->trying++;
    vm->nested++;
    vm->s->asking = -1;
    vm->s->winners = -1;
    vm->s->player = -1;
    vm->s->fate = WORD_NONE;
    vm->floor = vm->s->height;
    vm->floor_base = sp;
    TRY(push_frame(vm, rule, vm->stack + window, 1 + REC(vm, CALLS, number, ARGUMENTS)));
    return run_to_floor(vm);
}

VmStatus would_end(Vm *vm, Word *value) {
    if (!vm->trying) return vm_fail(vm, FAULT_BROKEN, 15, 0);
    const Before *before = vm->before + --vm->trying;
    vm->nested--;
    vm->floor = before->floor;
    vm->floor_base = before->floor_base;
    vm->heap_top = before->heap_top;
    restore(vm, before->mark);
    return keep_down(vm, before->top, value);
}
