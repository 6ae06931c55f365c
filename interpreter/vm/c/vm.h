/* The machine's public face: programs, states and what can be done with them. No Python here, no globals.

   A word is 64 bits and says itself what it is: a number (below 2^60), a truth, a list (an offset into the memory of
   the machine that reads it), or nothing yet. So a wrong operand is a fault, never a wild read.

   Three lifetimes: a program (made by vm_program_load, never changed, shared by any number of machines and threads), a
   state (VmState: one block without pointers, copied by memcpy), and a machine (Vm: a workspace for one thread, into
   which a state is opened and from which it is saved). Every function that can fail returns a VmStatus. */
#ifndef WARLOCK_VM_H
#define WARLOCK_VM_H

#include <stddef.h>
#include <stdint.h>

typedef int64_t Word;

#define WORD_NONE INT64_MIN
#define TRUTH_TAG ((Word)1 << 60)
#define LIST_TAG ((Word)1 << 61)
#define MAX_NUMBER 1000000000000LL /* as in the plain machine */
#define MAX_ITEMS 100000           /* elements of a list that is kept */
#define NOWHERE 0xFFFF             /* a cell or a place that is none */

static inline int is_list(Word w) { return (w >> 60) == 2; }
static inline int is_truth(Word w) { return (w >> 60) == 1; }
static inline Word truth(int yes) { return TRUTH_TAG | (yes != 0); }

typedef enum { VM_OK, VM_FAULT, VM_NO_MEMORY } VmStatus;

/* Where and why rules cannot go on: `code` is one of FAULT_* (opcodes.h), `a` and `b` are numbers for the message. `pc`
   is the instruction, whose line in the table of spans is meant if `spanned`; `rule` and `block` say where the rules
   stand, `score` which part of the score was worked out (-1: none). `placed`: rule and block stand as they are. */
typedef struct {
    int32_t code, pc, spanned, rule, block, score, placed;
    Word a, b;
} VmFault;

/* Why an image is no program: `code` is one of LOAD_* (opcodes.h), `at` an instruction or an entry of a table, `operand`
   which of its operands. */
typedef struct {
    int32_t code, at, operand;
} VmLoadError;

typedef struct VmProgram VmProgram;
typedef struct Vm Vm;

/* The beginning of every state. The arrays follow it at offsets that the program knows (state.h). */
typedef struct {
    uint32_t bytes;    /* of the whole block */
    int32_t height;    /* frames */
    int32_t n_slots;   /* words of all frames */
    int32_t n_heap;    /* words of lists in slots, variables and the offer */
    uint64_t rng;
    int32_t asking;    /* how deep the frame lies that collects secret answers; -1: none */
    int32_t winners;   /* bits; -1: not over */
    int32_t n_known;   /* pieces that were shown to somebody */
    int32_t player;    /* who is asked; -1: nobody */
    int32_t question;  /* its number */
    int32_t count;     /* of options */
    int32_t stop;      /* whether the first is to stop */
    int32_t pad;
    Word offered;      /* a list: the values */
    Word partial;      /* a list: what has been picked, when a set is asked for piece by piece; or nothing */
    Word fate;         /* a list: what chance will say next; or nothing */
} VmState;

/* ------------------------------------------------------------------ programs */

/* Reads and verifies an image. The program is the caller's, who frees it after every machine that runs it. */
VmStatus vm_program_load(const uint8_t *image, size_t n_bytes, VmProgram **out, VmLoadError *out_error);
void vm_program_free(VmProgram *program);
int vm_players(const VmProgram *program);

/* ------------------------------------------------------------------ machines */

VmStatus vm_new(const VmProgram *program, Vm **out);
void vm_free(Vm *vm);
const VmFault *vm_fault(const Vm *vm); /* of the last call that gave VM_FAULT */
Word vm_work(const Vm *vm);            /* since the last run, as the plain machine counts it */

/* The opening position with this random stream, opened; its first rule waits. */
VmStatus vm_start(Vm *vm, uint64_t rng);

/* Open a state in the workspace, and save the workspace as a state of the caller's (freed with free). */
VmStatus vm_open(Vm *vm, const VmState *state);
VmStatus vm_save(Vm *vm, VmState **out);
VmState *vm_copy(const VmState *state); /* NULL: no memory */

/* All below work on the state that is open. */
VmStatus vm_run(Vm *vm);                            /* to the next question, or to the end */
const VmState *vm_head(const Vm *vm);               /* who is asked, how many options, who has won */
VmStatus vm_choose(Vm *vm, int32_t option);         /* answer; what follows happens when it is run */
VmStatus vm_play_out(Vm *vm, uint64_t *stream, int32_t maximum, int32_t *out_answers);
VmStatus vm_points(Vm *vm, int seat, Word *out_parts); /* room for the parts of the score; work is not reset */
VmStatus vm_laws(Vm *vm);                           /* FAULT_LAW and the like where one is broken */
int vm_score_parts(const VmProgram *program);

/* The stream of random numbers: SplitMix64. */
uint64_t vm_random_below(uint64_t *stream, uint64_t n);
uint64_t vm_seeded(uint64_t seed); /* the first state of the stream for a seed; for one below zero 2 * abs + 1, else 2 * it */

#endif
