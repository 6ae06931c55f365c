/* What the tools of the workbench ask of a machine besides playing: looking ahead, dealing anew what a seat cannot see,
   telling states apart, branching over chance. The meaning of each is in Python, in the file that its .c names. */
#ifndef WARLOCK_TOOLS_H
#define WARLOCK_TOOLS_H

#include "state.h"

/* How the values of a slot or a variable are named (`state/identity.py`). */
enum { NAMED_RAW, NAMED_PIECE, NAMED_ZONE, NAMED_CELL, NAMED_WAITING, N_NAMED };

/* A variable that can be dealt anew: any of `n` values from `low` on, `step` apart, or a truth; of a list, each of its
   elements. */
typedef struct {
    int32_t slot, what, n, step;
    Word low;
} Deal;
enum { DEAL_NUMBER, DEAL_TRUTH, DEAL_NUMBERS, DEAL_TRUTHS, N_DEAL };

/* What the tools know of a program: made once, tested, never changed. */
typedef struct VmTools {
    const VmProgram *p;
    int32_t *words;           /* owned: all that follows points into it */
    const int32_t *slot_kind; /* of all slots of all rules, one after another */
    const int32_t *var_kind;  /* by variable on the table */
    int32_t *slot_at;         /* owned; by rule: its first slot in slot_kind */
    int32_t *live_at;         /* owned; by block: where its slots that may still be read begin in words, their number first */
    Deal *deals;              /* owned */
    int32_t n_deals;
    int scores_known;         /* whether it is known what the score reads: these places and variables */
    int32_t n_score_places, n_score_slots;
    const int32_t *score_places, *score_slots;
} VmTools;

VmStatus vm_tools_new(const VmProgram *program, const int32_t *words, int64_t n, VmTools **out); /* VM_FAULT: damaged */
void vm_tools_free(VmTools *tools);

/* A row of words that grows. */
typedef struct {
    Word *words; /* owned */
    int64_t n, room;
} Row;
VmStatus row_add(Row *row, Word word);
void row_free(Row *row);

/* snapshot.c: positions whose points are known; a machine that has such asks it first. */
typedef struct Snapshots Snapshots;
Snapshots *vm_snapshots_new(const VmTools *tools); /* NULL: no memory */
void vm_snapshots_free(Snapshots *snapshots);

/* look.c. A snapshot is the total of every seat, then the winners as bits, or -1. The state that is open may be another
   one afterwards, but for vm_settle, which plays on in it. */
VmStatus vm_snapshot(Vm *vm, Word *out);
VmStatus vm_settle(Vm *vm, int32_t me, int32_t secret, uint64_t *stream, int32_t steps);
VmStatus vm_look_ahead(Vm *vm, const VmState *from, uint64_t stream, int32_t steps, Word *out); /* one for each option */
VmStatus vm_best_answer(Vm *vm, int32_t tried, uint64_t *stream, int32_t *out);
typedef struct {
    int32_t steps, quarter, me, secret, tried;
} Following;
VmStatus vm_follow(Vm *vm, const Following *how, uint64_t stream, Word *out, int32_t *there); /* three; which there are */

/* redeal.c. The state that is open is dealt anew. `anew` says what may differ; `dealt` is how it came out. */
enum { ANEW_NAMES = 1, ANEW_WITHIN = 2, ANEW_VARIABLES = 4 };
enum { DEALT, DEALT_UNLAWFUL, DEALT_TOO_FAR };
VmStatus vm_redeal(Vm *vm, const VmTools *tools, int32_t viewer, int anew, uint64_t *stream, int32_t *dealt);

/* identity.c, observe.c: rows of words that are equal for states that are the same, or look the same to a seat. */
VmStatus vm_identity(Vm *vm, const VmTools *tools, int chance, Row *row);
VmStatus vm_view(Vm *vm, const VmTools *tools, int32_t seat, Row *row); /* not for pieces that own zones */
VmStatus vm_table(Vm *vm, Row *row);

/* branch.c: to the next question or the end, with chance as `how` tells it; `after` says whether more has to be told. */
VmStatus vm_run_branching(Vm *vm, const Branching *how, Branching *after);

/* answer.c: what an answer says, as a row of words; `hidden`: it is about a piece that the asked player does not see. */
VmStatus vm_answer(Vm *vm, const VmTools *tools, int32_t option, Row *row, int *hidden);

/* bots.c: players that are part of the machine. Each has a stream of its own, from which the dice of every decision
   come. In a whole game among them `heard` is told of every answer before it is given; it ends at `maximum` answers or
   before one that is hidden: `left` is its number, or -1. */
enum { BOT_FIRST, BOT_RANDOM, BOT_GREEDY, N_BOTS };
typedef struct {
    int32_t kind, tries, horizon, budget;
    uint64_t stream;
} VmBot;
typedef struct {
    const VmBot *bots; /* by seat */
    int32_t maximum;
    int laws;
    VmStatus (*heard)(void *context, const Row *answer);
    void *context;
} Among;
VmStatus vm_pick(Vm *vm, const VmTools *tools, const VmBot *bot, int32_t given, int32_t *out);
VmStatus vm_play_among(Vm *vm, const VmTools *tools, const Among *among, int32_t given, Row *row, int32_t *left);

/* successors.c: `found` is called for each, in order, with the state open, the option and what chance gave. VM_FAULT where
   one of them breaks down, or there is anything else that Python is to look at. */
typedef struct {
    Branching chance;
    int laws;
    VmStatus (*found)(void *context, int32_t option, const int32_t *told, int32_t n_told);
    void *context;
} Successors;
VmStatus vm_successors(Vm *vm, const uint8_t *packed, int64_t n, const Successors *how);

/* packing.c */
typedef struct {
    uint8_t *bytes; /* owned */
    int64_t n, room;
} Bytes;
VmStatus vm_pack(Vm *vm, Bytes *out);
VmStatus vm_unpack(Vm *vm, const uint8_t *bytes, int64_t n); /* opened; VM_FAULT: no state of this program */

VmStatus vm_invariants(Vm *vm); /* play.c: of the rules alone */
uint64_t random_word(uint64_t *stream); /* the next 64 bits */

#endif
