/* Inside the machine: the program as it is read, the state as it is worked on, and what the files of the core offer one
   another. Only verify.c and image.c make programs; all else may take for granted what they have tested. */
#ifndef WARLOCK_STATE_H
#define WARLOCK_STATE_H

#include "opcodes.h"
#include "vm.h"

#include <string.h>

typedef struct {
    uint16_t op, a, b, c;
} Instr;

static inline int32_t instr_bc(Instr i) { return (int32_t)((uint32_t)i.b | (uint32_t)i.c << 16); }

struct VmProgram {
    int32_t *words;            /* all sections of 32 bits, owned */
    Word *pool;                /* owned */
    Instr *code;               /* owned */
    int32_t n_pool, n_code;
    const int32_t *section[N_S];
    int32_t length[N_S];
    int32_t meta[N_META];
    /* where the arrays of a state begin, in bytes, and how long all of them are */
    uint32_t at_vars, at_known, at_place, at_cell, at_order, at_first, at_at, fixed_bytes;
    int32_t max_window;
};

/* A rule in progress. Its slots are the words from `base` on. */
typedef struct {
    int32_t rule, block;
    int32_t base, pad;
} Frame;

/* A rule in a dry run and who called it; see dry.c. */
typedef struct Dry Dry;
struct Dry {
    int32_t rule, block, base, depth;
    const Dry *caller;
    uint64_t started;
};

enum { MODE_REAL, MODE_DRY, MODE_TRIAL };

#define STACK_WORDS (1 << 20)
#define MAX_HEAP (1 << 26)      /* words of lists: half a gigabyte */
#define TEMP_BYTES (16 << 20)
#define MAX_NESTED 160          /* guards and trials within one another */
#define MAX_RETURNS 20000       /* calls of definitions within one another */
#define MAX_DRY 20000
#define MAX_TRIALS 8
#define TURNS_A_STEP 1024       /* turns of loops for each step of work that is allowed: no rules need so many */
#define SEARCH_SHARE 6
#define MAX_PENDING 32          /* guards within one another whose results are to be kept */
#define MAX_NOTING 64           /* definitions within one another whose values are to be kept */

typedef struct {
    int32_t pc, base, to;
    int16_t self, noted;        /* counted against the depth; its value is to be kept */
} ReturnTo;

/* What can come from a block on: a requirement that may fail, one that a hook brings, the end of the rule. */
typedef struct Ahead {
    uint64_t started;
    int32_t block; /* -1: nothing is known here */
    uint8_t behind, fails, hook_fails, returns;
} Ahead;
#define AHEAD_ROOM 4096

/* What was before a `would`. */
typedef struct {
    size_t mark;
    int32_t top, heap_top, floor, floor_base;
} Before;

/* What chance is to give while it is branched over; all zero: the stream says it (branch.c). */
typedef struct {
    const int32_t *told;
    int32_t n_told, n_used;
    int rolls, shuffles, every; /* what is told; whether questions with one answer are asked */
    int too_many, odd;          /* a shuffle has more orders than max_orders; something was told that cannot be */
    int64_t max_orders, fork_ways;
} Branching;

typedef struct Memory Memory;   /* remember.c */

struct Vm {
    const VmProgram *p;
    /* the state that is open */
    VmState *s;                 /* with the arrays behind it: p->fixed_bytes */
    Word *vars;
    uint32_t *known;
    uint16_t *place, *cell, *order, *first, *at;
    Frame *frames;              /* room for meta depth + 64 */
    int32_t n_frames_room;
    Word *stack;                /* slots and registers */
    Word *mem;                  /* the pool, then lists */
    int32_t mem_room, top;      /* words */
    int32_t heap_top;           /* lists below it are kept: they may stand in a slot or a variable */
    int32_t gc_at;              /* when top passes it, lists that nobody holds are given back */
    /* counts */
    Word work, max_work;
    int32_t nested, self_calls, trying;
    ReturnTo *returns;
    int32_t n_returns;
    Dry *dry;
    int32_t n_dry;
    uint8_t *scratch;           /* backups of positions while something is tried out */
    size_t scratch_room, scratch_top;
    uint8_t *temp;              /* arrays of questions under way; given back by moving temp_top */
    size_t temp_top;
    uint64_t dry_started;       /* loops that began in the dry run under way */
    int32_t viewer;             /* who is asked, while effects are tried out */
    int32_t floor;              /* frames below it are not of the position that is tried out */
    int32_t floor_base;         /* where the slots of the first frame above it begin */
    Before before[MAX_TRIALS + 1];
    VmFault fault;
    Branching branching;
    Word *spare;                /* where lists are copied to while others are given back */
    int64_t spare_room, n_spare;
    struct Ahead *ahead;        /* what dry runs have found out about blocks; dry.c */
    struct Snapshots *snapshots; /* positions whose points are known, or NULL; snapshot.c */
    Memory *memory;
    int32_t n_pending, pending_from; /* guards whose results are to be kept; those of the dry run under way begin here */
    int32_t n_noting, n_trials; /* n_trials: how often something was tried out or run dry within an expression */
    uint64_t read_places, read_slots; /* by the definition that is worked out, 64 sharing a bit */
    uint64_t clock, all_written, written[128]; /* when what was written last: places, then variables */
    int32_t opened_top;         /* the lists of the state as it was opened end here */
};

/* ------------------------------------------------------------------ access */

#define SEC(vm, name) ((vm)->p->section[S_##name])
#define META(vm, name) ((vm)->p->meta[META_##name])
#define REC(vm, name, i, field) ((vm)->p->section[S_##name][(i) * N_##name + name##_##field])

static inline int32_t block_id(const Vm *vm, int32_t rule, int32_t block) {
    return REC(vm, RULES, rule, FIRST_BLOCK) + block;
}

void vm_note_fault(Vm *vm, int32_t code, Word a, Word b);

static inline VmStatus vm_fail(Vm *vm, int32_t code, Word a, Word b) {
    vm_note_fault(vm, code, a, b);
    return VM_FAULT;
}

static inline VmStatus tick(Vm *vm, Word amount) {
    vm->work += amount;
    return vm->work > vm->max_work ? vm_fail(vm, FAULT_WORK, 0, 0) : VM_OK;
}

#define TRY(call) do { VmStatus try_status = (call); if (try_status != VM_OK) return try_status; } while (0)

enum { L_FIRST, L_BOUNDS, L_FIXED }; /* the lists that every program has: first values, bounds of each variable */

/* A list of the memory, tested: how many, and where its elements begin. */
static inline VmStatus list_at(Vm *vm, Word w, int32_t *n, int32_t *at) {
    if (!is_list(w)) return vm_fail(vm, FAULT_BROKEN, 0, 0);
    uint64_t offset = (uint64_t)(w & ~LIST_TAG);
    if (offset >= (uint64_t)vm->top) return vm_fail(vm, FAULT_BROKEN, 1, 0);
    Word length = vm->mem[offset];
    if (length < 0 || (uint64_t)length > (uint64_t)vm->top - offset - 1) return vm_fail(vm, FAULT_BROKEN, 2, 0);
    *n = (int32_t)length;
    *at = (int32_t)offset + 1;
    return VM_OK;
}

static inline VmStatus in_range(Vm *vm, Word w, int32_t n) {
    return (uint64_t)w < (uint64_t)n ? VM_OK : vm_fail(vm, FAULT_BROKEN, 3, 0);
}

/* Lists made so far may stand in a slot or a variable from now on. What is tried out or run dry is given back whole. */
static inline void keep_lists(Vm *vm) {
    if (!vm->nested) vm->heap_top = vm->top;
}

static inline void wrote_place(Vm *vm, int32_t place) { vm->written[place & 63] = ++vm->clock; }
static inline void wrote_slot(Vm *vm, int32_t slot) { vm->written[64 + (slot & 63)] = ++vm->clock; }
static inline void wrote_all(Vm *vm) { vm->all_written = ++vm->clock; }
static inline void read_place(Vm *vm, int32_t place) { vm->read_places |= (uint64_t)1 << (place & 63); }
static inline void read_slot(Vm *vm, int32_t slot) { vm->read_slots |= (uint64_t)1 << (slot & 63); }

static inline Word floor_div(Word a, Word b) {
    if (b == -1) return -a; /* the one quotient that could overflow */
    Word q = a / b;
    return q - (a % b != 0 && (a < 0) != (b < 0));
}

/* ------------------------------------------------------------------ words.c: lists */

VmStatus list_room(Vm *vm, int64_t words);                 /* so many words from top on are there */
VmStatus list_new(Vm *vm, int64_t n, Word *out, int32_t *at); /* a list of n elements, not yet filled in */
VmStatus weigh(Vm *vm, Word w);
VmStatus same(Vm *vm, Word a, Word b, int *out);
VmStatus compare_words(Vm *vm, Word a, Word b, int *out);  /* below, at or above zero */
VmStatus stored(Vm *vm, Word w);
VmStatus list_has(Vm *vm, Word list, Word item, int *out);
VmStatus list_joined(Vm *vm, Word left, Word right, Word *out);
VmStatus list_without(Vm *vm, Word left, Word right, Word *out);
VmStatus list_within(Vm *vm, Word part, Word whole, int *out);
VmStatus list_distinct(Vm *vm, Word list, Word *out);
VmStatus keep_down(Vm *vm, int32_t mark, Word *value);     /* give back all above mark but this value */
VmStatus collect(Vm *vm);                                  /* give back the lists that nothing of the state holds */
VmStatus copy_tree(Vm *vm, Word w, int32_t below, Word *out); /* to spare, as if spare began at `below` */

static inline VmStatus stack_room(Vm *vm, int64_t top) {
    return top <= STACK_WORDS ? VM_OK : vm_fail(vm, FAULT_DEEP, 0, 0);
}

/* Which values there are in lists, each with a count: for lists too long to be compared pair by pair. */
typedef struct {
    Word *keys;
    int32_t *counts;
    uint32_t room, used;
} Bag;
VmStatus bag_new(Vm *vm, Bag *bag, int64_t n);
VmStatus bag_in_temp(Vm *vm, Bag *bag, int64_t n); /* given back with what else is there; no bag_free */
VmStatus bag_find(Vm *vm, Bag *bag, Word key, int32_t **count); /* a new key has the count 0 */
void bag_free(Bag *bag);

/* ------------------------------------------------------------------ table.c: pieces and who sees them */

static inline int32_t zone_size(const Vm *vm, int32_t place) { return vm->first[place + 1] - vm->first[place]; }
static inline const uint16_t *zone_pieces(const Vm *vm, int32_t place) { return vm->order + vm->first[place]; }
int32_t index_in_zone(const Vm *vm, int32_t place, int32_t piece);
int put_piece(Vm *vm, int32_t piece, int32_t place, int32_t cell); /* false: no room. The piece lies nowhere before */
void lift_piece(Vm *vm, int32_t piece);
int32_t lying_on(const Vm *vm, int32_t cell, const uint16_t **pieces); /* how many; the top last */
int32_t owner_seat(const Vm *vm, int32_t place);
void read_owner(Vm *vm, int32_t place);
int encloses(const Vm *vm, int32_t piece, int32_t place);
int sees_piece(Vm *vm, int32_t piece, int32_t viewer);
int sees_variable(Vm *vm, int32_t slot, int32_t viewer);
int sees_count(Vm *vm, int32_t place, int32_t viewer);
int sees_wholly(Vm *vm, int32_t piece, int32_t viewer);
int alike(Vm *vm, int32_t a, int32_t b, int32_t viewer, int placed); /* both wholly seen */
VmStatus move_piece(Vm *vm, Word piece, Word to, int is_cell);
VmStatus move_pieces(Vm *vm, Word what, Word to, int is_cell);
VmStatus swap_pieces(Vm *vm, Word a, Word b);
VmStatus shuffle_zone(Vm *vm, Word place);
VmStatus told_pick(Vm *vm, int64_t ways, int64_t *out); /* branch.c */
VmStatus told_shuffle(Vm *vm, int32_t place);
VmStatus vm_invariants(Vm *vm); /* play.c: of the rules alone */
VmStatus show_pieces(Vm *vm, Word what, Word to);
VmStatus change_variable(Vm *vm, Word slot, Word value, int verb);
VmStatus reset_variable(Vm *vm, int32_t variable);

/* ------------------------------------------------------------------ run.c, primitives.c */

/* How the loop came to its end, and the number that goes with it. */
enum { EXIT_RET, EXIT_ASK, EXIT_DO, EXIT_INSTEAD, EXIT_SEATS, EXIT_FINISH, EXIT_RETURN, EXIT_PARK, EXIT_ACTS, EXIT_HEAD,
       EXIT_ROLL, EXIT_FAIL, EXIT_UNSEEN };
typedef struct {
    int32_t kind, number, reg, pc, block;
    Word value;
} Exit;

/* Runs from pc on, registers from stack[base] on. In MODE_REAL and MODE_TRIAL `block` of the exit is where the rule
   stands. `top` of the registers: nothing above base + the window of the function is touched but by calls. */
VmStatus vm_exec(Vm *vm, int32_t pc, int32_t base, int mode, Exit *out);
VmStatus vm_value(Vm *vm, int32_t pc, int32_t base, Word *out); /* an expression */
VmStatus primitive(Vm *vm, int number, int n, Word *args, int32_t sp, Word me, Word *out);

/* ------------------------------------------------------------------ remember.c: values of definitions that are kept */

enum { UNKNOWN, NOTED, KNOWN };
VmStatus memory_new(Vm *vm);
void memory_free(Vm *vm);
VmStatus recall(Vm *vm, int32_t define, const Word *window, Word *out, int *how); /* NOTED: note_value must follow */
void note_value(Vm *vm, Word value);
VmStatus recall_guard(Vm *vm, int32_t rule, const Word *arguments, int32_t n, const Dry *caller, int *how, int *result);
void went_back(Vm *vm, int32_t depth);                     /* a dry run goes on in the rule so deep in its chain */
void note_guards(Vm *vm, int32_t from, int result);        /* a dry run has ended; `from`: those it began */

VmStatus score_parts(Vm *vm, Word seat, int32_t sp, Word *out_sum, Word *out_parts); /* parts may be NULL */

/* ------------------------------------------------------------------ sets.c: sets as counts of each class */

/* Which totals a condition wants, and which can still be reached; `reachable_totals.py` says how. */
typedef struct {
    int32_t n;                  /* classes */
    const int32_t *sizes;
    Word *parts;                /* by class: what none, the first, the first two, ... of its members add */
    int32_t *parts_at;
    Word *least, step;
    int64_t low, high, width;
    int known, any_size;
    uint64_t *wanted, *ahead;   /* owned; bits */
    int64_t *ahead_at, words;   /* by class: its first row in `ahead`, and how many */
    int32_t *n_ahead;
} Totals;
VmStatus totals_make(Vm *vm, Totals *t, int op, Word other);
void totals_free(Totals *t);

/* Every wanted set of low to high members that contains the start and adds only from a class on. */
typedef struct {
    int32_t n, place, n_path, total, started;
    int64_t low, high;
    const int32_t *sizes;
    int32_t *counts, *spare, *path;
    Totals *wanted;
    int32_t n_wanted;
} Sets;
VmStatus sets_begin(Vm *vm, Sets *sets, const int32_t *sizes, int32_t n, int64_t low, int64_t high, const int32_t *start,
                    int32_t at, Totals *wanted, int32_t n_wanted);
VmStatus sets_next(Vm *vm, Sets *sets, int *found); /* sets->counts is the set */

/* Every set that is enough with nothing to spare. `enough` is asked about counts. */
typedef VmStatus (*Enough)(void *context, const int32_t *counts, int *out);
typedef struct {
    int32_t n, n_pools, pool_room, next, next_pool, n_found, found_room;
    int32_t *pools;             /* owned: n counts each, in the order in which they are looked at */
    int32_t *found;             /* owned, in order */
    int32_t *index, index_room; /* owned: which pools there are, by hash */
    int32_t *minimum;           /* owned: the last that was found */
    Enough enough;
    void *context;
} Minimal;
VmStatus minimal_begin(Vm *vm, Minimal *m, const int32_t *sizes, int32_t n, Enough enough, void *context);
VmStatus minimal_next(Vm *vm, Minimal *m, int *found); /* m->minimum is the set */
void minimal_free(Minimal *m);

static inline VmStatus temp_bytes(Vm *vm, int64_t n, void *out) {
    n = (n + 15) & ~(int64_t)15;
    if (n > (int64_t)(TEMP_BYTES - vm->temp_top)) return vm_fail(vm, FAULT_TOO_MUCH, 0, 0);
    *(void **)out = vm->temp + vm->temp_top;
    vm->temp_top += (size_t)n;
    return VM_OK;
}

/* ------------------------------------------------------------------ ask.c, dry.c, drive.c */

/* A guard's search: how much work may have been done when it ends, and whether it looked behind an effect. */
typedef struct {
    Word end;
    int behind;
} Search;

VmStatus ask(Vm *vm, int32_t question);                    /* sets the offer, or goes on by itself */
typedef VmStatus (*Found)(void *context, Word value, int *stop);
VmStatus possible(Vm *vm, int32_t question, const Dry *dry, int32_t sp, Found found, void *context);
VmStatus leads_on(Vm *vm, int32_t question, const Dry *dry, int32_t sp, Word value, int *out);
VmStatus completes(Vm *vm, const Dry *from, int32_t sp, int32_t viewer, Search *search, int *out);
VmStatus completes_with(Vm *vm, int32_t question, const Dry *dry, int32_t sp, Word value, int32_t viewer, Search *search,
                        int *out);
VmStatus asked_player(Vm *vm, int32_t question, int32_t base, int32_t *out);
VmStatus can_complete(Vm *vm, int32_t call, int32_t window, int32_t sp, int *out);
VmStatus would_begin(Vm *vm, int32_t call, int32_t window, int32_t sp);
VmStatus would_end(Vm *vm, Word *value);                   /* which is read in the position tried out */
VmStatus called_rule(Vm *vm, int32_t call, int32_t window, int32_t *rule);
VmStatus new_window(Vm *vm, int32_t rule, int32_t at, const Word *arguments, int32_t n); /* n: with me */
VmStatus push_frame(Vm *vm, int32_t rule, const Word *arguments, int32_t n);
VmStatus stand_in(Vm *vm, int32_t record, Word marked, int32_t *rule); /* -1: none */
VmStatus run_to_floor(Vm *vm);                             /* or to a question */
enum { ANSWER_VALUE, ANSWER_ADD, ANSWER_STOP, ANSWER_DECLINE };
VmStatus give_answer(Vm *vm, int what, Word value);
VmStatus roll(Vm *vm, Word items, Word count, int several, Word *out);
VmStatus backup(Vm *vm, size_t *mark);                     /* of the position */
void restore(Vm *vm, size_t mark);

/* What a fault that is caught must leave as it was. */
typedef struct {
    size_t scratch, temp;
    int32_t top, heap_top, nested, self_calls, trying, floor, floor_base, n_returns, n_dry, viewer, n_pending,
        pending_from, n_noting;
    uint64_t dry_started;
} Caught;
Caught catch_begin(const Vm *vm);
void catch_end(Vm *vm, const Caught *before);

#endif
