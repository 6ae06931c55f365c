/* What asking is made of: candidates in classes (candidates.c), and questions over them (ask.c). */
#ifndef WARLOCK_ASK_H
#define WARLOCK_ASK_H

#include "state.h"

#define Q(field) REC(vm, QUESTIONS, q, field)

/* The candidates of a question in classes of interchangeable members. All arrays are of the machine's temp. */
typedef struct {
    Word source;
    int32_t n, classes;
    int32_t *class_of;          /* by place in the source */
    int32_t *sort_key;          /* by place: the last place of the same candidate */
    int32_t *sizes;             /* by class */
    int32_t *first_at;          /* by class: where its members begin in `members` */
    int32_t *members;           /* places in the source, class by class */
} Pool;

/* A bound name of a rule in progress that means a piece. */
typedef struct {
    int32_t piece, depth, slot;
} Mention;

/* Candidates as they are compared: the first of each class so far. All arrays are of the machine's temp. */
typedef struct {
    int pieces;
    int32_t n, player, n_named;
    Word *first;
    uint8_t *whole;             /* by class: whether the first is wholly seen, once that was looked at */
    Mention *named;
    Bag bag;                    /* of values, where there are many; its room is 0 where there are few */
} Comparing;

VmStatus candidates(Vm *vm, int32_t q, int32_t base, Word *out, int32_t *n);
VmStatus compare_begin(Vm *vm, int32_t q, const Dry *dry, int32_t base, int32_t n, Comparing *c);
VmStatus class_of(Vm *vm, Comparing *c, Word item, int32_t *out); /* c->n: a new one */
VmStatus classes(Vm *vm, int32_t q, const Dry *dry, int32_t base, Pool *pool); /* in the order of their first member */
VmStatus member(Vm *vm, const Pool *pool, int32_t class, int32_t number, Word *out);
VmStatus pick(Vm *vm, const Pool *pool, const int32_t *counts, Word *out); /* a list, in the order of the source */
VmStatus counts_of(Vm *vm, const Pool *pool, Word chosen, int32_t *counts); /* how many of each class a set has */

#endif
