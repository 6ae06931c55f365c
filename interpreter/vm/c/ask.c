/* Questions: which answers there are, each once, and only those with which the play can be completed. The same in
   Python is `plain/questions.py`, whose order and work are kept step by step. */
#include "ask.h"

#include <stdlib.h>

enum { MODE_ONE, MODE_COUNT, MODE_SOME, MODE_MINIMAL };

/* ------------------------------------------------------------------ what may be answered */

static VmStatus fits(Vm *vm, int32_t q, int32_t base, Word value, int *out) {
    int32_t n = 0, at;
    Word found = truth(1);
    if (is_list(value)) TRY(list_at(vm, value, &n, &at));
    TRY(tick(vm, 1 + (n >> 2) + Q(WHERE_COST)));
    vm->stack[base + Q(SLOT)] = value;
    if (Q(WHERE) >= 0) TRY(vm_value(vm, Q(WHERE), base, &found));
    *out = (int)(found & 1);
    return VM_OK;
}

VmStatus leads_on(Vm *vm, int32_t q, const Dry *dry, int32_t sp, Word value, int *out) {
    int32_t viewer;
    TRY(asked_player(vm, q, dry->base, &viewer));
    return completes_with(vm, q, dry, sp, value, viewer, NULL, out);
}

typedef struct {
    Vm *vm;
    int32_t q, base;
    const Pool *pool;
} Fitting;

static VmStatus fits_counts(void *context, const int32_t *counts, int *out) {
    Fitting *f = context;
    int32_t mark = f->vm->top;
    Word value;
    TRY(pick(f->vm, f->pool, counts, &value));
    TRY(fits(f->vm, f->q, f->base, value, out));
    f->vm->top = mark;
    return VM_OK;
}

static VmStatus bounds(Vm *vm, int32_t q, const Pool *pool, int32_t base, int64_t *low, int64_t *high) {
    Word value;
    *low = Q(MODE) == MODE_SOME;
    *high = pool->n;
    if (Q(MODE) != MODE_COUNT) return VM_OK;
    TRY(vm_value(vm, Q(LOW), base, &value));
    *low = floor_div(value, META(vm, UNIT));
    TRY(vm_value(vm, Q(HIGH), base, &value));
    value = floor_div(value, META(vm, UNIT));
    if (value < *high) *high = value;
    return VM_OK;
}

/* The totals that the condition of a set states. Of a piece that the rest of the condition may leave out, a part may be
   an error: then whoever tests the whole condition will tell. */
static VmStatus stated(Vm *vm, int32_t q, int32_t number, const Pool *pool, int32_t base, Totals *t, Word *other, int *out) {
    int32_t total = Q(TOTALS) + number, param = base + REC(vm, RULES, Q(RULE), SLOTS);
    *out = 1;
    Caught before = catch_begin(vm);
    VmStatus status = vm_value(vm, REC(vm, TOTALS, total, OTHER), base, other);
    int32_t at = 0;
    for (int32_t class = 0; class < pool->classes && status == VM_OK; class++) {
        int32_t n, lt, mark;
        Word members, parts, sum = 0;
        t->parts_at[class] = at;
        mark = vm->top;
        if ((status = list_new(vm, pool->sizes[class], &members, &lt)) != VM_OK) break;
        for (int32_t k = 0; k < pool->sizes[class] && status == VM_OK; k++) status = member(vm, pool, class, k, vm->mem + lt + k);
        vm->stack[param] = members;
        if (status == VM_OK) status = vm_value(vm, REC(vm, TOTALS, total, PART), base, &parts);
        if (status == VM_OK) status = list_at(vm, parts, &n, &lt);
        if (status != VM_OK) break;
        if (n != pool->sizes[class]) return vm_fail(vm, FAULT_BROKEN, 13, 0);
        t->parts[at++] = 0;
        for (int32_t k = 0; k < n; k++) t->parts[at++] = sum += vm->mem[lt + k];
        vm->top = mark;
    }
    if (status == VM_FAULT && vm->fault.code != FAULT_TOO_MUCH) {
        catch_end(vm, &before);
        *out = 0;
        return VM_OK;
    }
    return status;
}

static VmStatus wanted_sets(Vm *vm, int32_t q, const Pool *pool, int64_t low, int64_t high, int32_t base, Totals **out,
                            int32_t *n_out, int *tested) {
    Totals *found = NULL;
    int32_t n = 0;
    int known = 1;
    *n_out = 0;
    TRY(temp_bytes(vm, Q(N_TOTALS) * (int64_t)sizeof(Totals), &found));
    *out = found;
    for (int32_t number = 0; number < Q(N_TOTALS); number++) {
        Totals *t = found + n;
        Word other;
        int told;
        *t = (Totals){.n = pool->classes, .sizes = pool->sizes, .low = low, .high = high};
        TRY(temp_bytes(vm, (pool->n + pool->classes) * (int64_t)sizeof(Word), &t->parts));
        TRY(temp_bytes(vm, pool->classes * (int64_t)sizeof(int32_t), &t->parts_at));
        TRY(stated(vm, q, number, pool, base, t, &other, &told));
        if (!told) continue;
        *n_out = ++n;
        TRY(totals_make(vm, t, REC(vm, TOTALS, Q(TOTALS) + number, OP), other));
        known &= t->known;
    }
    *tested = n && n == Q(CONDITIONS) && known;
    return VM_OK;
}

static void free_totals(Totals *totals, int32_t n) {
    for (int32_t k = 0; k < n; k++) totals_free(totals + k);
}

static VmStatus possible_sets(Vm *vm, int32_t q, const Pool *pool, int32_t base, Found found, void *context) {
    Totals *wanted = NULL;
    Sets sets;
    int64_t low, high;
    int32_t n_wanted = 0, mark = vm->top;
    int tested, more, stop = 0, fit;
    Word value;
    TRY(bounds(vm, q, pool, base, &low, &high));
    VmStatus status = wanted_sets(vm, q, pool, low, high, base, &wanted, &n_wanted, &tested);
    if (status == VM_OK) status = sets_begin(vm, &sets, pool->sizes, pool->classes, low, high, NULL, 0, wanted, n_wanted);
    while (status == VM_OK && !stop) {
        if ((status = sets_next(vm, &sets, &more)) != VM_OK || !more) break;
        if ((status = pick(vm, pool, sets.counts, &value)) != VM_OK) break;
        fit = 1;
        if (!tested) status = fits(vm, q, base, value, &fit);
        if (status == VM_OK && fit) status = found(context, value, &stop);
        vm->top = mark;
    }
    free_totals(wanted, n_wanted);
    return status;
}

static VmStatus possible_minimal(Vm *vm, int32_t q, const Pool *pool, int32_t base, Found found, void *context) {
    Fitting fitting = {vm, q, base, pool};
    Minimal minimal;
    int32_t mark = vm->top;
    int more, stop = 0;
    Word value;
    VmStatus status = minimal_begin(vm, &minimal, pool->sizes, pool->classes, fits_counts, &fitting);
    while (status == VM_OK && !stop) {
        if ((status = minimal_next(vm, &minimal, &more)) != VM_OK || !more) break;
        if ((status = pick(vm, pool, minimal.minimum, &value)) != VM_OK) break;
        status = found(context, value, &stop);
        vm->top = mark;
    }
    minimal_free(&minimal);
    return status;
}

/* The candidates, of those alike only the first. They are compared only where a second one is wanted. */
static VmStatus possible_ones(Vm *vm, int32_t q, const Dry *dry, int32_t base, Found found, void *context) {
    Comparing comparing = {0};
    Word source, value;
    int32_t n, at, class;
    int fit, stop = 0;
    TRY(candidates(vm, q, base, &source, &n));
    int32_t mark = vm->top;
    for (int32_t k = 0; k < n && !stop; k++) {
        TRY(list_at(vm, source, &n, &at));
        value = vm->mem[at + k];
        if (k == 1) {
            TRY(compare_begin(vm, q, dry, base, n, &comparing));
            TRY(class_of(vm, &comparing, vm->mem[at], &class));
        }
        if (k) {
            int32_t known = comparing.n;
            TRY(class_of(vm, &comparing, value, &class));
            if (class < known) continue;
        } else if (Q(PIECE)) {
            TRY(in_range(vm, value, META(vm, PIECES)));
        }
        TRY(fits(vm, q, base, value, &fit));
        if (fit) TRY(found(context, value, &stop));
        vm->top = mark;
    }
    return VM_OK;
}

VmStatus possible(Vm *vm, int32_t q, const Dry *dry, int32_t sp, Found found, void *context) {
    Pool pool;
    size_t temp = vm->temp_top;
    int32_t rule = Q(RULE);
    TRY(stack_room(vm, (int64_t)sp + REC(vm, RULES, rule, WINDOW)));
    memcpy(vm->stack + sp, vm->stack + dry->base, (size_t)REC(vm, RULES, rule, SLOTS) * sizeof(Word));
    if (Q(MODE) == MODE_ONE) {
        TRY(possible_ones(vm, q, dry, sp, found, context));
    } else {
        TRY(classes(vm, q, dry, sp, &pool));
        TRY(Q(MODE) == MODE_MINIMAL ? possible_minimal(vm, q, &pool, sp, found, context)
                                    : possible_sets(vm, q, &pool, sp, found, context));
    }
    vm->temp_top = temp;
    return VM_OK;
}

/* ------------------------------------------------------------------ asking */

/* What has been found to answer; values that are lists lie in the machine's memory. */
typedef struct {
    Vm *vm;
    int32_t q, sp, base;
    const Dry *dry;
    const Pool *pool;
    Word *values;
    int32_t n, room;
    int stop;                   /* a set is complete as it is */
    Word partial;
} Asking;

static VmStatus offer(Asking *a, Word value) {
    if (a->n == a->room) {
        int32_t room = a->room * 2 + 16;
        Word *values = realloc(a->values, (size_t)room * sizeof(Word));
        if (!values) return VM_NO_MEMORY;
        a->values = values;
        a->room = room;
    }
    a->values[a->n++] = value;
    return VM_OK;
}

static VmStatus offer_one(void *context, Word value, int *stop) {
    Asking *a = context;
    int leads;
    TRY(leads_on(a->vm, a->q, a->dry, a->sp + REC(a->vm, RULES, a->dry->rule, WINDOW), value, &leads));
    *stop = 0;
    return leads ? offer(a, value) : VM_OK;
}

/* Whether a set fits, unless that was tested, and leads on. */
static VmStatus works(Asking *a, Word value, int tested, int *out) {
    Vm *vm = a->vm;
    int32_t rule = a->dry->rule, window = REC(vm, RULES, rule, WINDOW);
    *out = 1;
    if (!tested) {
        TRY(stack_room(vm, (int64_t)a->sp + window));
        memcpy(vm->stack + a->sp, vm->stack + a->dry->base, (size_t)REC(vm, RULES, rule, SLOTS) * sizeof(Word));
        TRY(fits(vm, a->q, a->sp, value, out));
    }
    return *out ? leads_on(vm, a->q, a->dry, a->sp + window, value, out) : VM_OK;
}

/* The last class that a set has a member of. */
static int32_t last_class(const int32_t *counts, int32_t n) {
    int32_t last = 0;
    for (int32_t k = 0; k < n; k++)
        if (counts[k]) last = k;
    return last;
}

/* The next piece of a set that is one of these. */
static VmStatus steps_among(Asking *a, const int32_t *sets, int32_t n_sets) {
    Vm *vm = a->vm;
    const Pool *pool = a->pool;
    int32_t n = pool->classes, *had;
    uint8_t *open;
    Word value;
    TRY(temp_bytes(vm, n * (int64_t)sizeof(int32_t), &had));
    TRY(temp_bytes(vm, n_sets, &open));
    TRY(counts_of(vm, pool, a->partial, had));
    int32_t last = last_class(had, n);
    for (int32_t k = 0; k < n_sets; k++) {
        const int32_t *set = sets + (int64_t)k * n;
        open[k] = 1;
        for (int32_t x = 0; x < n; x++) open[k] &= x < last ? set[x] == had[x] : set[x] >= had[x];
        if (open[k] && !memcmp(set, had, (size_t)n * sizeof(int32_t))) a->stop = 1;
    }
    for (int32_t place = last; place < n; place++)
        for (int32_t k = 0; k < n_sets; k++) {
            const int32_t *set = sets + (int64_t)k * n;
            if (!open[k] || set[place] <= had[place]) continue;
            if (memcmp(set + last, had + last, (size_t)(place - last) * sizeof(int32_t))) continue;
            TRY(member(vm, pool, place, had[place], &value));
            TRY(offer(a, value));
            break;
        }
    return VM_OK;
}

/* They are found in rising order, and offered in falling order. */
static void turn_round(int32_t *sets, int32_t n_sets, int32_t n) {
    for (int32_t k = 0; k < n_sets / 2; k++)
        for (int32_t x = 0; x < n; x++) {
            int32_t *one = sets + (int64_t)k * n + x, *other = sets + (int64_t)(n_sets - 1 - k) * n + x, count = *one;
            *one = *other;
            *other = count;
        }
}

static VmStatus minimal_answers(Asking *a) {
    Vm *vm = a->vm;
    int32_t q = a->q, n = a->pool->classes, kept = 0, mark;
    Fitting fitting = {vm, q, a->base, a->pool};
    Minimal minimal;
    int more = 1, leads;
    Word value;
    VmStatus status = minimal_begin(vm, &minimal, a->pool->sizes, n, fits_counts, &fitting);
    while (status == VM_OK && more) status = minimal_next(vm, &minimal, &more);
    if (status == VM_OK) turn_round(minimal.found, minimal.n_found, n);
    for (int32_t k = 0; k < minimal.n_found && status == VM_OK; k++) {
        const int32_t *set = minimal.found + (int64_t)k * n;
        mark = vm->top;
        if ((status = pick(vm, a->pool, set, &value)) == VM_OK) status = leads_on(vm, q, a->dry, a->sp, value, &leads);
        vm->top = mark;
        if (status == VM_OK && leads) memmove(minimal.found + (int64_t)kept++ * n, set, (size_t)n * sizeof(int32_t));
    }
    vm->stack[a->base + Q(SLOT)] = a->partial;
    if (status == VM_OK && a->partial == WORD_NONE && kept <= META(vm, LISTED)) {
        for (int32_t k = 0; k < kept && status == VM_OK; k++) {
            status = pick(vm, a->pool, minimal.found + (int64_t)k * n, &value);
            if (status == VM_OK) status = offer(a, value);
        }
    } else if (status == VM_OK) {
        int32_t at;
        if (a->partial == WORD_NONE) status = list_new(vm, 0, &a->partial, &at);
        if (status == VM_OK) status = steps_among(a, minimal.found, kept);
    }
    minimal_free(&minimal);
    return status;
}

/* One more piece, from the class of the last on, if some set is reached that way; or stop where one is. */
static VmStatus steps_through(Asking *a, int64_t low, int64_t high, Totals *wanted, int32_t n_wanted, int tested) {
    Vm *vm = a->vm;
    const Pool *pool = a->pool;
    int32_t n = pool->classes, *had, size, at, mark = vm->top;
    Word value;
    TRY(temp_bytes(vm, n * (int64_t)sizeof(int32_t), &had));
    TRY(counts_of(vm, pool, a->partial, had));
    TRY(list_at(vm, a->partial, &size, &at));
    int32_t last = last_class(had, n);
    if (low <= size && size <= high) {
        TRY(pick(vm, pool, had, &value));
        TRY(works(a, value, 0, &a->stop));
        vm->top = mark;
    }
    for (int32_t place = last; place < n; place++) {
        if (had[place] >= pool->sizes[place]) continue;
        size_t temp = vm->temp_top;
        Sets sets;
        int more = 1, reached = 0;
        had[place]++;
        TRY(sets_begin(vm, &sets, pool->sizes, n, low, high, had, place, wanted, n_wanted));
        had[place]--;
        while (!reached) {
            TRY(sets_next(vm, &sets, &more));
            if (!more) break;
            TRY(pick(vm, pool, sets.counts, &value));
            TRY(works(a, value, tested, &reached));
            vm->top = mark;
        }
        vm->temp_top = temp;
        if (!reached) continue;
        TRY(member(vm, pool, place, had[place], &value));
        TRY(offer(a, value));
    }
    return VM_OK;
}

static VmStatus counted_answers(Asking *a, int64_t low, int64_t high, Totals *wanted, int32_t n_wanted, int tested) {
    Vm *vm = a->vm;
    const Pool *pool = a->pool;
    int64_t maximum = META(vm, LISTED), shared = MAX_ITEMS / (pool->n > 1 ? pool->n : 1), seen = 0;
    Sets sets;
    int more = 1;
    int32_t at;
    if (shared < maximum) maximum = shared; /* large sets are not spelt out by the hundred */
    if (a->partial == WORD_NONE) {
        TRY(sets_begin(vm, &sets, pool->sizes, pool->classes, low, high, NULL, 0, wanted, n_wanted));
        while (more && seen <= maximum) {
            TRY(sets_next(vm, &sets, &more));
            seen += more;
        }
        if (seen <= maximum) { /* all are found before the first is tried */
            Word *all;
            int32_t n = 0;
            TRY(temp_bytes(vm, (seen + 1) * (int64_t)sizeof(Word), &all));
            TRY(sets_begin(vm, &sets, pool->sizes, pool->classes, low, high, NULL, 0, wanted, n_wanted));
            for (more = 1; more;) {
                TRY(sets_next(vm, &sets, &more));
                if (more) TRY(pick(vm, pool, sets.counts, all + n++));
            }
            int32_t mark = vm->top;
            for (int32_t k = 0; k < n; k++) {
                int fit;
                TRY(works(a, all[k], tested, &fit));
                vm->top = mark;
                if (fit) TRY(offer(a, all[k]));
            }
            return VM_OK;
        }
        TRY(list_new(vm, 0, &a->partial, &at));
    }
    return steps_through(a, low, high, wanted, n_wanted, tested);
}

/* Few sets are listed; many are asked for piece by piece, in one order, so that each is reached once. */
static VmStatus set_answers(Asking *a) {
    Vm *vm = a->vm;
    int32_t q = a->q, n_wanted = 0;
    Totals *wanted = NULL;
    Pool pool;
    int64_t low, high;
    int tested;
    a->partial = vm->stack[a->base + Q(SLOT)];
    TRY(classes(vm, q, a->dry, a->base, &pool));
    a->pool = &pool;
    if (Q(MODE) == MODE_MINIMAL) return minimal_answers(a);
    TRY(bounds(vm, q, &pool, a->base, &low, &high));
    if (low > pool.n || high < low) {
        a->partial = WORD_NONE;
        return VM_OK;
    }
    /* the condition is looked at in slots of its own */
    int32_t window = REC(vm, RULES, a->dry->rule, WINDOW);
    TRY(stack_room(vm, (int64_t)a->sp + window));
    memcpy(vm->stack + a->sp, vm->stack + a->base, (size_t)REC(vm, RULES, a->dry->rule, SLOTS) * sizeof(Word));
    VmStatus status = wanted_sets(vm, q, &pool, low, high, a->sp, &wanted, &n_wanted, &tested);
    if (status == VM_OK) status = counted_answers(a, low, high, wanted, n_wanted, tested);
    free_totals(wanted, n_wanted);
    return status;
}

/* The frames of the state as a dry run sees them: inside a secret choice only as far as the seat that is asked. */
static VmStatus chain(Vm *vm, const Dry **out) {
    const Dry *caller = NULL;
    for (int32_t k = vm->s->asking + 1, depth = 1; k < vm->s->height; k++, depth++) {
        if (vm->n_dry >= MAX_DRY) return vm_fail(vm, FAULT_DEEP, 0, 0);
        const Frame *frame = vm->frames + k;
        vm->dry[vm->n_dry] = (Dry){frame->rule, frame->block, frame->base, depth, caller, 0};
        caller = vm->dry + vm->n_dry++;
    }
    *out = caller;
    return VM_OK;
}

static VmStatus find_answers(Asking *a, Frame *frame) {
    Vm *vm = a->vm;
    int32_t q = a->q, window = REC(vm, RULES, frame->rule, WINDOW);
    const Dry *top;
    TRY(chain(vm, &top));
    if (!top) return vm_fail(vm, FAULT_BROKEN, 14, 0);
    a->base = frame->base + window;
    a->sp = a->base + window;
    TRY(stack_room(vm, (int64_t)a->sp + window));
    memcpy(vm->stack + a->base, vm->stack + frame->base, (size_t)REC(vm, RULES, frame->rule, SLOTS) * sizeof(Word));
    Dry *own = vm->dry + vm->n_dry - 1;
    own->base = a->base;
    a->dry = own;
    return Q(MODE) == MODE_ONE ? possible(vm, q, own, a->sp, offer_one, a) : set_answers(a);
}

/* What was found becomes the offer; nothing, or one thing only, is no question. */
static VmStatus make_offer(Asking *a, Frame *frame, int32_t player) {
    Vm *vm = a->vm;
    int32_t q = a->q, at, count = a->n + a->stop;
    VmState *s = vm->s;
    if (!count) {
        if (Q(OTHERWISE) < 0) return vm_fail(vm, FAULT_NOTHING, player, q);
        vm->stack[frame->base + Q(SLOT)] = WORD_NONE;
        frame->block = Q(OTHERWISE);
        return VM_OK;
    }
    if (count == 1 && !Q(MAY) && !vm->branching.every) {
        if (a->stop) return give_answer(vm, ANSWER_STOP, WORD_NONE);
        return give_answer(vm, a->partial == WORD_NONE ? ANSWER_VALUE : ANSWER_ADD, a->values[0]);
    }
    TRY(list_new(vm, a->n, &s->offered, &at));
    if (a->n) memcpy(vm->mem + at, a->values, (size_t)a->n * sizeof(Word));
    s->player = player;
    s->question = q;
    s->stop = a->stop;
    s->partial = a->partial;
    s->count = count + (Q(MAY) != 0);
    return VM_OK;
}

VmStatus ask(Vm *vm, int32_t q) {
    Frame *frame = vm->frames + vm->s->height - 1;
    Asking a = {.vm = vm, .q = q, .partial = WORD_NONE};
    int32_t player, n_dry = vm->n_dry;
    size_t temp = vm->temp_top;
    vm->s->question = q;
    TRY(asked_player(vm, q, frame->base, &player));
    TRY(tick(vm, vm->s->height >> 1));
    vm->nested++;
    VmStatus status = find_answers(&a, frame);
    vm->nested--;
    vm->n_dry = n_dry;
    if (status == VM_OK) status = make_offer(&a, frame, player);
    if (status == VM_OK) keep_lists(vm);
    vm->temp_top = temp;
    free(a.values);
    return status;
}
