/* The binding to Python, the only part that knows it; limited API, so that one build serves every version. */
#ifndef WARLOCK_BIND_H
#define WARLOCK_BIND_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include "state.h"

typedef struct {
    PyObject_HEAD
    VmProgram *program;
} ProgramObject;

typedef struct StateObject StateObject;

/* A workspace. `opened` is the state whose position it holds (not counted as a reference: a state that goes away says
   so); `changed`: what it holds is newer than the block of that state. */
typedef struct {
    PyObject_HEAD
    ProgramObject *program;
    PyObject *on_fault;
    PyObject *state_type;
    Vm *vm;
    StateObject *opened;
    int changed;
    struct VmTools *tools; /* NULL until they are told of the program */
} MachineObject;

struct StateObject {
    PyObject_HEAD
    MachineObject *machine;
    VmState *block; /* NULL: only the workspace has it */
};

int bind_open(MachineObject *m, StateObject *state);  /* 0, or -1 with an exception */
int bind_flush(MachineObject *m);
StateObject *bind_state(MachineObject *m, PyObject *object); /* borrowed; NULL with an exception where it is no state of it */
StateObject *bind_new_state(MachineObject *m);
PyObject *bind_raise(MachineObject *m, VmStatus status, int spoilt); /* always NULL */
const VmState *bind_head(MachineObject *m, StateObject *state);
PyObject *bind_word(Vm *vm, Word w);
int bind_read_word(Vm *vm, PyObject *value, Word *out, int depth);
PyObject *bind_export(MachineObject *m, PyObject *state);
PyObject *bind_adopt(MachineObject *m, PyObject *args);
PyObject *bind_values(MachineObject *m, PyObject *state);

#endif
