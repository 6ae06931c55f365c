/* The module: programs, machines and states as Python objects. */
#include "bind_tools.h"
#include "tools.h"

#include <stdlib.h>

/* ------------------------------------------------------------------ programs */

static PyObject *program_new(PyTypeObject *type, PyObject *args, PyObject *kwargs) {
    const char *image;
    Py_ssize_t n;
    VmLoadError error;
    (void)kwargs;
    if (!PyArg_ParseTuple(args, "y#", &image, &n)) return NULL;
    ProgramObject *self = (ProgramObject *)((allocfunc)PyType_GetSlot(type, Py_tp_alloc))(type, 0);
    if (!self) return NULL;
    VmStatus status = vm_program_load((const uint8_t *)image, (size_t)n, &self->program, &error);
    if (status == VM_OK) return (PyObject *)self;
    Py_DECREF(self);
    if (status == VM_NO_MEMORY) return PyErr_NoMemory();
    PyObject *why = Py_BuildValue("(iii)", error.code, error.at, error.operand);
    if (why) PyErr_SetObject(PyExc_ValueError, why);
    Py_XDECREF(why);
    return NULL;
}

static void free_object(PyObject *self) {
    PyTypeObject *type = Py_TYPE(self);
    ((freefunc)PyType_GetSlot(type, Py_tp_free))(self);
    Py_DECREF(type);
}

static void program_dealloc(PyObject *self) {
    vm_program_free(((ProgramObject *)self)->program);
    free_object(self);
}

/* ------------------------------------------------------------------ states */

static void state_dealloc(PyObject *self) {
    StateObject *state = (StateObject *)self;
    if (state->machine && state->machine->opened == state) {
        state->machine->opened = NULL;
        state->machine->changed = 0;
    }
    free(state->block);
    Py_XDECREF((PyObject *)state->machine);
    free_object(self);
}

StateObject *bind_new_state(MachineObject *m) {
    PyTypeObject *type = (PyTypeObject *)m->state_type;
    StateObject *state = (StateObject *)((allocfunc)PyType_GetSlot(type, Py_tp_alloc))(type, 0);
    if (!state) return NULL;
    Py_INCREF((PyObject *)m);
    state->machine = m;
    state->block = NULL;
    return state;
}

StateObject *bind_state(MachineObject *m, PyObject *object) {
    if ((PyObject *)Py_TYPE(object) != m->state_type || ((StateObject *)object)->machine != m) {
        PyErr_SetString(PyExc_TypeError, "this is no state of this machine");
        return NULL;
    }
    return (StateObject *)object;
}

int bind_flush(MachineObject *m) {
    VmState *block;
    if (!m->opened || !m->changed) return 0;
    VmStatus status = vm_save(m->vm, &block);
    if (status != VM_OK) {
        bind_raise(m, status, 1);
        return -1;
    }
    free(m->opened->block);
    m->opened->block = block;
    m->changed = 0;
    return 0;
}

int bind_open(MachineObject *m, StateObject *state) {
    if (m->opened == state) return 0;
    if (bind_flush(m) < 0) return -1;
    m->opened = NULL;
    VmStatus status = state->block ? vm_open(m->vm, state->block) : VM_NO_MEMORY;
    if (status != VM_OK) {
        bind_raise(m, status, 1);
        return -1;
    }
    m->opened = state;
    m->changed = 0;
    return 0;
}

const VmState *bind_head(MachineObject *m, StateObject *state) {
    return m->opened == state ? vm_head(m->vm) : state->block;
}

/* The exception that a fault is. `spoilt`: the workspace holds nothing sound any more, and no question waits. */
PyObject *bind_raise(MachineObject *m, VmStatus status, int spoilt) {
    VmFault f = *vm_fault(m->vm);
    PyObject *rules = PyList_New(0);
    for (int32_t k = 0; rules && k < m->vm->s->height; k++) {
        PyObject *rule = PyLong_FromLong(m->vm->frames[k].rule);
        if (!rule || PyList_Append(rules, rule) < 0) Py_CLEAR(rules);
        Py_XDECREF(rule);
    }
    if (spoilt && m->opened) {
        StateObject *state = m->opened;
        if (state->block) {
            state->block->player = -1;
            state->block->count = 0;
            m->opened = NULL;
        } else { /* nothing older is known: the state stands as it is, at its last frame */
            m->vm->s->player = -1;
        }
        m->changed = 0;
        if (!state->block) m->changed = 1;
    }
    if (status == VM_NO_MEMORY) {
        Py_XDECREF(rules);
        return PyErr_NoMemory();
    }
    if (!rules) return NULL;
    PyObject *error = PyObject_CallFunction(m->on_fault, "iiiiiiiLLN", f.code, f.pc, f.spanned, f.rule, f.block, f.score,
                                            f.placed, (long long)f.a, (long long)f.b, rules);
    if (error) PyErr_SetObject((PyObject *)Py_TYPE(error), error);
    Py_XDECREF(error);
    return NULL;
}

/* ------------------------------------------------------------------ machines */

static PyObject *machine_new(PyTypeObject *type, PyObject *args, PyObject *kwargs) {
    PyObject *program, *on_fault, *program_type, *state_type;
    (void)kwargs;
    PyObject *module = PyType_GetModule(type);
    if (!module || !PyArg_ParseTuple(args, "OO", &program, &on_fault)) return NULL;
    program_type = PyObject_GetAttrString(module, "Program");
    state_type = PyObject_GetAttrString(module, "State");
    int sound = program_type && state_type && (PyObject *)Py_TYPE(program) == program_type;
    Py_XDECREF(program_type);
    if (!sound) {
        Py_XDECREF(state_type);
        PyErr_SetString(PyExc_TypeError, "a machine is made of a program");
        return NULL;
    }
    MachineObject *self = (MachineObject *)((allocfunc)PyType_GetSlot(type, Py_tp_alloc))(type, 0);
    if (!self) {
        Py_DECREF(state_type);
        return NULL;
    }
    Py_INCREF(program);
    Py_INCREF(on_fault);
    self->program = (ProgramObject *)program;
    self->on_fault = on_fault;
    self->state_type = state_type;
    if (vm_new(self->program->program, &self->vm) != VM_OK) {
        Py_DECREF(self);
        return PyErr_NoMemory();
    }
    return (PyObject *)self;
}

static int machine_traverse(PyObject *self, visitproc visit, void *arg) {
    Py_VISIT(((MachineObject *)self)->on_fault);
    Py_VISIT(Py_TYPE(self));
    return 0;
}

static int machine_clear(PyObject *self) {
    Py_CLEAR(((MachineObject *)self)->on_fault);
    return 0;
}

static void machine_dealloc(PyObject *object) {
    MachineObject *self = (MachineObject *)object;
    PyObject_GC_UnTrack(object);
    if (self->vm) vm_snapshots_free(self->vm->snapshots);
    vm_free(self->vm);
    vm_tools_free(self->tools);
    Py_XDECREF((PyObject *)self->program);
    Py_XDECREF(self->on_fault);
    Py_XDECREF(self->state_type);
    free_object(object);
}

#define SELF MachineObject *m = (MachineObject *)self
#define STATE(object) StateObject *state = bind_state(m, (object)); if (!state) return NULL
#define OPEN(object) STATE(object); if (bind_open(m, state) < 0) return NULL

static PyObject *machine_start(PyObject *self, PyObject *arg) {
    SELF;
    uint64_t rng = PyLong_AsUnsignedLongLongMask(arg);
    if (PyErr_Occurred() || bind_flush(m) < 0) return NULL;
    m->opened = NULL;
    VmStatus status = vm_start(m->vm, rng);
    if (status != VM_OK) return bind_raise(m, status, 0);
    StateObject *state = bind_new_state(m);
    m->opened = state;
    m->changed = state != NULL;
    return (PyObject *)state;
}

static PyObject *machine_run(PyObject *self, PyObject *arg) {
    SELF;
    OPEN(arg);
    m->changed = 1;
    VmStatus status = vm_run(m->vm);
    if (status != VM_OK) return bind_raise(m, status, 1);
    if (vm_head(m->vm)->player < 0) Py_RETURN_NONE;
    Py_RETURN_TRUE;
}

static int two(PyObject *const *args, Py_ssize_t n, long long *out) {
    if (n != 2) {
        PyErr_SetString(PyExc_TypeError, "a state and a number are wanted");
        return -1;
    }
    *out = PyLong_AsLongLong(args[1]);
    return *out == -1 && PyErr_Occurred() ? -1 : 0;
}

static PyObject *machine_choose(PyObject *self, PyObject *const *args, Py_ssize_t n) {
    SELF;
    long long number;
    if (two(args, n, &number) < 0) return NULL;
    OPEN(args[0]);
    int32_t count = vm_head(m->vm)->count;
    if (number < 0) number += count; /* as of any row in Python */
    m->changed = 1;
    VmStatus status = vm_choose(m->vm, number < 0 || number >= count ? -1 : (int32_t)number);
    if (status != VM_OK) return bind_raise(m, status, vm_fault(m->vm)->code != FAULT_ANSWER);
    Py_RETURN_NONE;
}

static PyObject *machine_copy(PyObject *self, PyObject *arg) {
    SELF;
    STATE(arg);
    if (m->opened == state && bind_flush(m) < 0) return NULL;
    StateObject *copy = bind_new_state(m);
    if (!copy) return NULL;
    copy->block = vm_copy(state->block);
    if (!copy->block) {
        Py_DECREF(copy);
        return PyErr_NoMemory();
    }
    return (PyObject *)copy;
}

static PyObject *machine_play_out(PyObject *self, PyObject *args) {
    SELF;
    PyObject *object, *number;
    int maximum, answers;
    if (!PyArg_ParseTuple(args, "OOi", &object, &number, &maximum)) return NULL;
    uint64_t stream = PyLong_AsUnsignedLongLongMask(number);
    if (PyErr_Occurred()) return NULL;
    OPEN(object);
    m->changed = 1;
    VmStatus status = vm_play_out(m->vm, &stream, maximum, &answers);
    if (status != VM_OK) return bind_raise(m, status, 1);
    return Py_BuildValue("(Ki)", (unsigned long long)stream, answers);
}

/* Whole games of random answers: of each its decisions, its winners as bits, the points of every seat. */
static PyObject *machine_games(PyObject *self, PyObject *args) {
    SELF;
    long long first, count;
    int maximum, n_answers;
    unsigned long long mix;
    if (!PyArg_ParseTuple(args, "LLiK", &first, &count, &maximum, &mix) || bind_flush(m) < 0) return NULL;
    m->opened = NULL;
    PyObject *found = PyList_New(0);
    Word *parts = malloc((size_t)(vm_score_parts(m->program->program) + 1) * sizeof(Word));
    for (long long k = 0; found && parts && k < count; k++) {
        uint64_t stream = vm_seeded(((uint64_t)(first + k) ^ mix) * 2);
        VmStatus status = vm_start(m->vm, vm_seeded((uint64_t)(first + k) * 2));
        if (status == VM_OK) status = vm_play_out(m->vm, &stream, maximum, &n_answers);
        PyObject *row = NULL;
        if (status == VM_OK) {
            int32_t won = vm_head(m->vm)->winners;
            row = Py_BuildValue("[ii]", n_answers, won < 0 ? 0 : won);
            m->vm->work = 0;
        }
        for (int seat = 0; row && seat < vm_players(m->program->program); seat++) {
            long long total = 0;
            status = vm_points(m->vm, seat, parts);
            if (status != VM_OK) break;
            for (int x = 0; x < vm_score_parts(m->program->program); x++) total += parts[x];
            PyObject *number = PyLong_FromLongLong(total);
            if (!number || PyList_Append(row, number) < 0) Py_CLEAR(row);
            Py_XDECREF(number);
        }
        if (status != VM_OK) {
            bind_raise(m, status, 0);
            Py_CLEAR(row);
        }
        if (!row || PyList_SetSlice(found, PyList_Size(found), PyList_Size(found), row) < 0) Py_CLEAR(found);
        Py_XDECREF(row);
    }
    free(parts);
    return found;
}

static PyObject *machine_points(PyObject *self, PyObject *arg) {
    SELF;
    OPEN(arg);
    int players = vm_players(m->program->program), n = vm_score_parts(m->program->program);
    PyObject *found = PyList_New(0);
    Word *parts = malloc((size_t)(n + 1) * sizeof(Word));
    if (!parts) Py_CLEAR(found);
    m->vm->work = 0;
    for (int seat = 0; found && seat < players; seat++) {
        VmStatus status = bind_flush(m) < 0 ? VM_FAULT : vm_points(m->vm, seat, parts);
        PyObject *row = NULL;
        if (status != VM_OK) {
            if (!PyErr_Occurred()) bind_raise(m, status, 0);
            m->opened = NULL; /* what was tried out may not be put back */
        } else {
            row = PyTuple_New(n);
        }
        for (int x = 0; row && x < n; x++)
            if (PyTuple_SetItem(row, x, PyLong_FromLongLong(parts[x])) < 0) Py_CLEAR(row);
        if (!row || PyList_Append(found, row) < 0) Py_CLEAR(found);
        Py_XDECREF(row);
    }
    free(parts);
    return found;
}

static PyObject *machine_laws(PyObject *self, PyObject *arg) {
    SELF;
    OPEN(arg);
    if (bind_flush(m) < 0) return NULL;
    VmStatus status = vm_laws(m->vm);
    if (status == VM_OK) Py_RETURN_NONE;
    bind_raise(m, status, 0);
    m->opened = NULL;
    return NULL;
}

#define READER(name, expression) \
    static PyObject *name(PyObject *self, PyObject *arg) { \
        SELF; \
        STATE(arg); \
        const VmState *head = bind_head(m, state); \
        return PyLong_FromLong(expression); \
    }
READER(machine_count, head->player < 0 ? 0 : head->count)
READER(machine_to_move, head->player)
READER(machine_asking, head->asking)
READER(machine_number, head->player < 0 ? -1 : head->question)
READER(machine_winners, head->winners)

static PyObject *machine_over(PyObject *self, PyObject *arg) {
    SELF;
    STATE(arg);
    return PyBool_FromLong(bind_head(m, state)->winners >= 0);
}

static PyObject *machine_work(PyObject *self, void *closure) {
    (void)closure;
    return PyLong_FromLongLong(vm_work(((MachineObject *)self)->vm));
}

static PyObject *machine_export(PyObject *self, PyObject *arg) { return bind_export((MachineObject *)self, arg); }
static PyObject *machine_adopt(PyObject *self, PyObject *args) { return bind_adopt((MachineObject *)self, args); }
static PyObject *machine_values(PyObject *self, PyObject *arg) { return bind_values((MachineObject *)self, arg); }

static PyMethodDef machine_methods[] = {
    {"start", machine_start, METH_O, "A new game with this random stream, not yet begun."},
    {"run", machine_run, METH_O, "Go on to the next question; None when the game is over."},
    {"choose", (PyCFunction)(void (*)(void))machine_choose, METH_FASTCALL, "Answer with an option."},
    {"copy", machine_copy, METH_O, "Another state like this one."},
    {"play_out", machine_play_out, METH_VARARGS, "Play on with random answers: the stream after it, and how many."},
    {"games", machine_games, METH_VARARGS, "Whole games of random answers, as a row of numbers each."},
    {"points", machine_points, METH_O, "By seat, the parts of the score."},
    {"laws", machine_laws, METH_O, "Test every law."},
    {"count", machine_count, METH_O, "How many options there are."},
    {"to_move", machine_to_move, METH_O, "Who is asked; -1 where no question waits."},
    {"asking", machine_asking, METH_O, "How deep the frame lies that collects secret answers; -1: none."},
    {"number", machine_number, METH_O, "The number of the question that waits; -1: none."},
    {"over", machine_over, METH_O, "Whether the game is over."},
    {"winners", machine_winners, METH_O, "The winners as bits; -1: not over."},
    {"values", machine_values, METH_O, "The question that waits: whether one may stop, the values, what was picked."},
    {"export", machine_export, METH_O, "All of a state as plain values."},
    {"adopt", machine_adopt, METH_VARARGS, "A state from plain values, tested."},
    TOOL_METHODS,
    {NULL, NULL, 0, NULL},
};
static PyGetSetDef machine_properties[] = {{"work", machine_work, NULL, "Since the last run.", NULL}, {NULL, NULL, NULL, NULL, NULL}};

static PyType_Slot program_slots[] = {{Py_tp_new, (void *)program_new}, {Py_tp_dealloc, (void *)program_dealloc}, {0, NULL}};
static PyType_Slot state_slots[] = {{Py_tp_dealloc, (void *)state_dealloc}, {0, NULL}};
static PyType_Slot machine_slots[] = {
    {Py_tp_new, (void *)machine_new},           {Py_tp_dealloc, (void *)machine_dealloc}, {Py_tp_traverse, (void *)machine_traverse},
    {Py_tp_clear, (void *)machine_clear},       {Py_tp_methods, machine_methods},         {Py_tp_getset, machine_properties},
    {0, NULL},
};
static PyType_Spec program_spec = {"interpreter.vm._vm.Program", sizeof(ProgramObject), 0, Py_TPFLAGS_DEFAULT, program_slots};
static PyType_Spec state_spec = {"interpreter.vm._vm.State", sizeof(StateObject), 0,
                                 Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION, state_slots};
static PyType_Spec machine_spec = {"interpreter.vm._vm.Machine", sizeof(MachineObject), 0,
                                   Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC, machine_slots};

static int add_type(PyObject *module, const char *name, PyType_Spec *spec) {
    PyObject *type = PyType_FromModuleAndSpec(module, spec, NULL);
    int status = type ? PyModule_AddObjectRef(module, name, type) : -1;
    Py_XDECREF(type);
    return status;
}

static int module_exec(PyObject *module) {
    if (add_type(module, "Program", &program_spec) < 0 || add_type(module, "State", &state_spec) < 0) return -1;
    if (add_type(module, "Machine", &machine_spec) < 0) return -1;
    return PyModule_AddIntConstant(module, "FORMAT", VM_FORMAT);
}

static PyModuleDef_Slot module_slots[] = {{Py_mod_exec, (void *)module_exec}, {0, NULL}};
static struct PyModuleDef module_def = {PyModuleDef_HEAD_INIT, "_vm", "The core of the fast machine.", 0, NULL, module_slots, NULL, NULL, NULL};

PyMODINIT_FUNC PyInit__vm(void) { return PyModuleDef_Init(&module_def); }
