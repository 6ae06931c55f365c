/* Answers, and players that are part of the machine, for Python. */
#include "bind_tools.h"
#include "tools.h"

#include <stdlib.h>

#define SELF MachineObject *m = (MachineObject *)self
#define OPEN(object) StateObject *state = bind_state(m, (object)); if (!state || bind_open(m, state) < 0) return NULL

static PyObject *as_bytes(const Row *row) {
    return PyBytes_FromStringAndSize((const char *)row->words, row->n * (Py_ssize_t)sizeof(Word));
}

/* What a state was before: its block, which it has no more use for. */
static int keep_block(MachineObject *m, StateObject *state) {
    if (!state->block) m->changed = 1;
    return bind_flush(m);
}

static PyObject *said(MachineObject *m, int32_t option) { /* None where it is hidden */
    Row row = {0};
    int hidden;
    VmStatus status = vm_answer(m->vm, m->tools, option, &row, &hidden);
    PyObject *found = status != VM_OK ? bind_raise(m, status, 0) : hidden ? Py_NewRef(Py_None) : as_bytes(&row);
    row_free(&row);
    return found;
}

PyObject *tool_answer(PyObject *self, PyObject *args) {
    SELF;
    PyObject *object;
    int option;
    if (!PyArg_ParseTuple(args, "Oi", &object, &option) || !bind_have_tools(m)) return NULL;
    OPEN(object);
    return said(m, option);
}

PyObject *tool_answers(PyObject *self, PyObject *object) {
    SELF;
    if (!bind_have_tools(m)) return NULL;
    OPEN(object);
    int32_t count = vm_head(m->vm)->player < 0 ? 0 : vm_head(m->vm)->count;
    PyObject *found = PyList_New(count);
    for (int32_t k = 0; found && k < count; k++) {
        PyObject *words = said(m, k);
        if (!words || PyList_SetItem(found, k, words) < 0) Py_CLEAR(found);
    }
    return found;
}

static VmStatus go_on(Vm *vm, int32_t option, int laws) {
    TRY(vm_choose(vm, option));
    TRY(vm_run(vm));
    return laws ? vm_laws(vm) : VM_OK;
}

/* A state, the number of an option, whether laws are tested. An answer that breaks down leaves the state as it was. */
PyObject *tool_advance(PyObject *self, PyObject *const *args, Py_ssize_t n) {
    SELF;
    if (n != 3) {
        PyErr_SetString(PyExc_TypeError, "a state, a number and whether laws are tested are wanted");
        return NULL;
    }
    int overflow, laws = args[2] == Py_True;
    long option = PyLong_AsLongAndOverflow(args[1], &overflow);
    if ((option == -1 && PyErr_Occurred()) || !bind_have_tools(m)) return NULL;
    OPEN(args[0]);
    int32_t count = vm_head(m->vm)->player < 0 ? 0 : vm_head(m->vm)->count;
    if (overflow || option < 0 || option >= count) return bind_raise(m, vm_fail(m->vm, FAULT_ANSWER, 0, 0), 0);
    if (keep_block(m, state) < 0) return NULL;
    PyObject *words = said(m, (int32_t)option);
    StateObject *before = words ? bind_new_state(m) : NULL;
    if (!before) {
        Py_XDECREF(words);
        return NULL;
    }
    before->block = state->block;
    state->block = NULL;
    m->changed = 1;
    VmStatus status = go_on(m->vm, (int32_t)option, laws);
    if (status == VM_OK) return Py_BuildValue("(NN)", (PyObject *)before, words);
    bind_raise(m, status, 1);
    state->block = before->block;
    before->block = NULL;
    m->opened = NULL;
    m->changed = 0;
    Py_DECREF((PyObject *)before);
    Py_DECREF(words);
    return NULL;
}

/* ------------------------------------------------------------------ bots */

static int read_bot(PyObject *from, VmBot *bot) {
    unsigned long long stream;
    if (!PyTuple_Check(from) || !PyArg_ParseTuple(from, "iKiii", &bot->kind, &stream, &bot->tries, &bot->horizon, &bot->budget)) {
        if (!PyErr_Occurred()) PyErr_SetString(PyExc_TypeError, "a bot is a tuple");
        return -1;
    }
    bot->stream = stream;
    if (bot->kind >= 0 && bot->kind < N_BOTS && bot->tries > 0 && bot->tries < 1 << 20 && bot->horizon >= 0) return 0;
    PyErr_SetString(PyExc_ValueError, "there is no such bot");
    return -1;
}

PyObject *tool_pick(PyObject *self, PyObject *args) {
    SELF;
    PyObject *object, *given_bot;
    VmBot bot;
    int given;
    int32_t pick;
    if (!PyArg_ParseTuple(args, "OOi", &object, &given_bot, &given) || read_bot(given_bot, &bot) < 0 || !bind_have_tools(m)) return NULL;
    OPEN(object);
    if (vm_head(m->vm)->player < 0) return bind_raise(m, vm_fail(m->vm, FAULT_ANSWER, 0, 0), 0);
    if (keep_block(m, state) < 0) return NULL;
    VmStatus status = vm_pick(m->vm, m->tools, &bot, given, &pick);
    if (status == VM_OK) return PyLong_FromLong(pick);
    m->opened = NULL;
    return bind_raise(m, status, 0);
}

static VmStatus hear(void *context, const Row *answer) {
    PyObject *words = as_bytes(answer);
    int status = words ? PyList_Append((PyObject *)context, words) : -1;
    Py_XDECREF(words);
    return status < 0 ? VM_NO_MEMORY : VM_OK;
}

/* A state at its question, a bot for every seat, how many answers were given, at most how many may be, whether laws are
   tested. Where the rules break down the state is as it was. */
PyObject *tool_play_among(PyObject *self, PyObject *args) {
    SELF;
    PyObject *object, *bots;
    VmBot seats[32];
    Among among = {.bots = seats, .heard = hear};
    int given;
    int32_t left = -1, players = vm_players(m->program->program);
    Row row = {0};
    if (!PyArg_ParseTuple(args, "OO!iip", &object, &PyTuple_Type, &bots, &given, &among.maximum, &among.laws)) return NULL;
    if (PyTuple_Size(bots) != players) {
        PyErr_SetString(PyExc_ValueError, "a bot for every seat is wanted");
        return NULL;
    }
    for (int32_t k = 0; k < players; k++)
        if (read_bot(PyTuple_GetItem(bots, k), seats + k) < 0) return NULL;
    if (!bind_have_tools(m)) return NULL;
    OPEN(object);
    if (keep_block(m, state) < 0) return NULL;
    PyObject *answers = PyList_New(0);
    if (!answers) return NULL;
    among.context = answers;
    VmStatus status = vm_play_among(m->vm, m->tools, &among, given, &row, &left);
    row_free(&row);
    if (status == VM_OK) {
        m->changed = 1;
        return Py_BuildValue("(Ni)", answers, left);
    }
    Py_DECREF(answers);
    m->opened = NULL;
    m->changed = 0;
    return bind_raise(m, status, 0);
}
