/* What the tools ask of a machine, for Python. */
#include "bind_tools.h"

#include "tools.h"

#include <stdlib.h>

#define SELF MachineObject *m = (MachineObject *)self
#define OPEN(object) StateObject *state = bind_state(m, (object)); if (!state || bind_open(m, state) < 0) return NULL

PyObject *tool_set(PyObject *self, PyObject *words) {
    SELF;
    char *from;
    Py_ssize_t n;
    VmTools *tools;
    if (PyBytes_AsStringAndSize(words, &from, &n) < 0) return NULL;
    VmStatus status = n % 4 ? VM_FAULT : vm_tools_new(m->program->program, (const int32_t *)(const void *)from, n / 4, &tools);
    if (status == VM_NO_MEMORY) return PyErr_NoMemory();
    if (status != VM_OK) {
        PyErr_SetString(PyExc_ValueError, "this does not fit the program");
        return NULL;
    }
    vm_snapshots_free(m->vm->snapshots);
    vm_tools_free(m->tools);
    m->tools = tools;
    m->vm->snapshots = vm_snapshots_new(tools);
    if (!m->vm->snapshots) return PyErr_NoMemory();
    Py_RETURN_NONE;
}

int bind_have_tools(MachineObject *m) {
    if (m->tools) return 1;
    PyErr_SetString(PyExc_SystemError, "the tools were not told of the program");
    return 0;
}

/* What was played lies in the workspace, not the state it began from: that one is as it was. */
static int leave(MachineObject *m) {
    if (bind_flush(m) < 0) return -1;
    m->opened = NULL;
    return 0;
}

static int stream_of(PyObject *number, uint64_t *out) {
    *out = PyLong_AsUnsignedLongLongMask(number);
    return PyErr_Occurred() ? -1 : 0;
}

static PyObject *snapshot(MachineObject *m, const Word *from) { /* the totals, and the winners as bits */
    int players = vm_players(m->program->program);
    PyObject *totals = PyTuple_New(players);
    for (int k = 0; totals && k < players; k++) {
        PyObject *number = PyLong_FromLongLong(from[k]);
        if (!number || PyTuple_SetItem(totals, k, number) < 0) Py_CLEAR(totals);
    }
    return totals ? Py_BuildValue("(NL)", totals, (long long)from[players]) : NULL;
}

/* ------------------------------------------------------------------ playing ahead */

PyObject *tool_look_ahead(PyObject *self, PyObject *args) {
    SELF;
    PyObject *object, *number, *found = NULL;
    int steps, width = vm_players(m->program->program) + 1;
    uint64_t stream;
    if (!PyArg_ParseTuple(args, "OOi", &object, &number, &steps) || stream_of(number, &stream) < 0) return NULL;
    OPEN(object);
    if (leave(m) < 0) return NULL;
    int32_t count = state->block->player < 0 ? 0 : state->block->count;
    Word *room = malloc(((size_t)count * (size_t)width + 1) * sizeof(Word));
    if (!room) return PyErr_NoMemory();
    VmStatus status = count ? vm_look_ahead(m->vm, state->block, stream, steps, room) : VM_OK;
    if (status != VM_OK) bind_raise(m, status, 0);
    else found = PyList_New(count);
    for (int32_t k = 0; found && k < count; k++) {
        PyObject *one = snapshot(m, room + (int64_t)k * width);
        if (!one || PyList_SetItem(found, k, one) < 0) Py_CLEAR(found);
    }
    free(room);
    return found;
}

PyObject *tool_follow(PyObject *self, PyObject *args) {
    SELF;
    PyObject *object, *number;
    Following how;
    uint64_t stream;
    int32_t there[3], width = vm_players(m->program->program) + 1;
    if (!PyArg_ParseTuple(args, "OOiiiii", &object, &number, &how.steps, &how.quarter, &how.me, &how.secret, &how.tried)) return NULL;
    if (stream_of(number, &stream) < 0) return NULL;
    OPEN(object);
    if (leave(m) < 0) return NULL;
    Word *room = malloc((size_t)width * 3 * sizeof(Word));
    if (!room) return PyErr_NoMemory();
    VmStatus status = vm_follow(m->vm, &how, stream, room, there);
    PyObject *found = status == VM_OK ? PyTuple_New(3) : bind_raise(m, status, 0);
    for (int k = 0; found && k < 3; k++) {
        PyObject *one = there[k] ? snapshot(m, room + k * width) : Py_NewRef(Py_None);
        if (!one || PyTuple_SetItem(found, k, one) < 0) Py_CLEAR(found);
    }
    free(room);
    return found;
}

/* ------------------------------------------------------------------ dealing anew */

/* The stream, the state, and how it came out: 0, or why there is none. */
PyObject *tool_redeal(PyObject *self, PyObject *args) {
    SELF;
    PyObject *object, *number;
    int seat, anew;
    int32_t dealt = DEALT;
    uint64_t stream;
    if (!PyArg_ParseTuple(args, "OiOi", &object, &seat, &number, &anew) || stream_of(number, &stream) < 0) return NULL;
    if (seat < 0 || seat >= vm_players(m->program->program)) {
        PyErr_SetString(PyExc_ValueError, "there is no such seat");
        return NULL;
    }
    if (!bind_have_tools(m)) return NULL;
    OPEN(object);
    if (leave(m) < 0) return NULL;
    VmStatus status = vm_redeal(m->vm, m->tools, seat, anew, &stream, &dealt);
    if (status != VM_OK) return bind_raise(m, status, 0);
    if (dealt != DEALT) return Py_BuildValue("(KOi)", (unsigned long long)stream, Py_None, dealt);
    StateObject *made = bind_new_state(m);
    if (!made) return NULL;
    m->opened = made;
    m->changed = 1;
    return Py_BuildValue("(KNi)", (unsigned long long)stream, (PyObject *)made, dealt);
}

/* ------------------------------------------------------------------ telling states apart */

static PyObject *row_bytes(MachineObject *m, VmStatus status, Row *row) {
    PyObject *found = NULL;
    if (status == VM_OK) found = PyBytes_FromStringAndSize((const char *)row->words, row->n * (Py_ssize_t)sizeof(Word));
    else bind_raise(m, status, 0);
    row_free(row);
    return found;
}

PyObject *tool_identity(PyObject *self, PyObject *args) {
    SELF;
    PyObject *object;
    int chance;
    Row row = {0};
    if (!PyArg_ParseTuple(args, "Op", &object, &chance) || !bind_have_tools(m)) return NULL;
    OPEN(object);
    return row_bytes(m, vm_identity(m->vm, m->tools, chance, &row), &row);
}

PyObject *tool_view(PyObject *self, PyObject *args) {
    SELF;
    PyObject *object;
    int seat;
    Row row = {0};
    if (!PyArg_ParseTuple(args, "Oi", &object, &seat) || !bind_have_tools(m)) return NULL;
    if (seat < 0 || seat >= vm_players(m->program->program)) {
        PyErr_SetString(PyExc_ValueError, "there is no such seat");
        return NULL;
    }
    OPEN(object);
    return row_bytes(m, vm_view(m->vm, m->tools, seat, &row), &row);
}

PyObject *tool_table(PyObject *self, PyObject *object) {
    SELF;
    Row row = {0};
    OPEN(object);
    return row_bytes(m, vm_table(m->vm, &row), &row);
}

PyObject *tool_sizes(PyObject *self, PyObject *object) {
    SELF;
    OPEN(object);
    int32_t n = m->vm->p->meta[META_PLACES];
    PyObject *found = PyList_New(n);
    for (int32_t k = 0; found && k < n; k++) {
        PyObject *size = PyLong_FromLong(zone_size(m->vm, k));
        if (!size || PyList_SetItem(found, k, size) < 0) Py_CLEAR(found);
    }
    return found;
}

PyObject *tool_variables(PyObject *self, PyObject *object) {
    SELF;
    OPEN(object);
    int32_t n = m->vm->p->meta[META_SLOTS];
    PyObject *found = PyList_New(n);
    for (int32_t k = 0; found && k < n; k++) {
        PyObject *value = bind_word(m->vm, m->vm->vars[k]);
        if (!value || PyList_SetItem(found, k, value) < 0) Py_CLEAR(found);
    }
    return found;
}

PyObject *tool_rules(PyObject *self, PyObject *object) {
    SELF;
    OPEN(object);
    PyObject *found = PyList_New(m->vm->s->height);
    for (int32_t k = 0; found && k < m->vm->s->height; k++) {
        PyObject *rule = PyLong_FromLong(m->vm->frames[k].rule);
        if (!rule || PyList_SetItem(found, k, rule) < 0) Py_CLEAR(found);
    }
    return found;
}

/* ------------------------------------------------------------------ branching, and states in few bytes */

/* Ways, or 0; -1: a shuffle has too many orders, -2: something was told that cannot be. Then the state is as it was. */
PyObject *tool_run_branching(PyObject *self, PyObject *args) {
    SELF;
    PyObject *object, *told;
    Branching how = {.every = 1}, after;
    long long orders;
    if (!PyArg_ParseTuple(args, "OO!iiL", &object, &PyTuple_Type, &told, &how.rolls, &how.shuffles, &orders)) return NULL;
    OPEN(object);
    if (!state->block) m->changed = 1;
    if (bind_flush(m) < 0) return NULL;
    Py_ssize_t n = PyTuple_Size(told);
    int32_t *ways = malloc(((size_t)n + 1) * sizeof(int32_t));
    if (!ways) return PyErr_NoMemory();
    for (Py_ssize_t k = 0; k < n; k++) {
        long way = PyLong_AsLong(PyTuple_GetItem(told, k));
        ways[k] = way < 0 || way > INT32_MAX ? -1 : (int32_t)way;
    }
    how.told = ways;
    how.n_told = (int32_t)n;
    how.max_orders = orders < 0 ? 0 : orders > (1LL << 40) ? 1LL << 40 : orders;
    m->changed = 1;
    VmStatus status = PyErr_Occurred() ? VM_OK : vm_run_branching(m->vm, &how, &after);
    free(ways);
    if (PyErr_Occurred()) return NULL;
    if (after.fork_ways || after.too_many || after.odd) {
        m->opened = NULL;
        m->changed = 0;
        return PyLong_FromLongLong(after.too_many ? -1 : after.odd ? -2 : after.fork_ways);
    }
    return status == VM_OK ? PyLong_FromLong(0) : bind_raise(m, status, 1);
}

typedef struct {
    MachineObject *m;
    PyObject *list;
    int chance;
    Row row;
    Bytes bytes;
} Gathered;

/* The option, what chance gave, the state in few bytes, its identity, whether the game is over. */
static VmStatus gather(void *context, int32_t option, const int32_t *told, int32_t n_told) {
    Gathered *g = context;
    Vm *vm = g->m->vm;
    g->row.n = g->bytes.n = 0;
    TRY(vm_pack(vm, &g->bytes));
    TRY(vm_identity(vm, g->m->tools, g->chance, &g->row));
    PyObject *ways = PyTuple_New(n_told);
    for (int32_t k = 0; ways && k < n_told; k++)
        if (PyTuple_SetItem(ways, k, PyLong_FromLong(told[k])) < 0) Py_CLEAR(ways);
    PyObject *one = Py_BuildValue("(iNy#y#N)", option, ways, (const char *)g->bytes.bytes, (Py_ssize_t)g->bytes.n,
                                  (const char *)g->row.words, g->row.n * (Py_ssize_t)sizeof(Word),
                                  PyBool_FromLong(vm->s->winners >= 0));
    int status = one ? PyList_Append(g->list, one) : -1;
    Py_XDECREF(one);
    return status < 0 ? VM_NO_MEMORY : VM_OK;
}

PyObject *tool_successors(PyObject *self, PyObject *args) {
    SELF;
    const char *packed;
    Py_ssize_t n;
    long long orders;
    Gathered g = {.m = m};
    Successors how = {.chance = {.every = 1}, .found = gather, .context = &g};
    if (!PyArg_ParseTuple(args, "y#iiLpp", &packed, &n, &how.chance.rolls, &how.chance.shuffles, &orders, &g.chance, &how.laws)) return NULL;
    if (!bind_have_tools(m) || leave(m) < 0) return NULL;
    how.chance.max_orders = orders < 0 ? 0 : orders > (1LL << 40) ? 1LL << 40 : orders;
    g.list = PyList_New(0);
    if (!g.list) return NULL;
    VmStatus status = vm_successors(m->vm, (const uint8_t *)packed, n, &how);
    row_free(&g.row);
    free(g.bytes.bytes);
    if (status == VM_OK) return g.list;
    Py_DECREF(g.list);
    if (PyErr_Occurred()) return NULL;
    if (status == VM_NO_MEMORY) return PyErr_NoMemory();
    Py_RETURN_NONE;
}

PyObject *tool_freeze(PyObject *self, PyObject *object) {
    SELF;
    Bytes bytes = {0};
    OPEN(object);
    VmStatus status = vm_pack(m->vm, &bytes);
    PyObject *found = status == VM_OK ? PyBytes_FromStringAndSize((const char *)bytes.bytes, bytes.n) : bind_raise(m, status, 0);
    free(bytes.bytes);
    return found;
}

PyObject *tool_thaw(PyObject *self, PyObject *packed) {
    SELF;
    char *from;
    Py_ssize_t n;
    if (PyBytes_AsStringAndSize(packed, &from, &n) < 0 || bind_flush(m) < 0) return NULL;
    m->opened = NULL;
    VmStatus status = vm_unpack(m->vm, (const uint8_t *)from, n);
    if (status == VM_NO_MEMORY) return PyErr_NoMemory();
    if (status != VM_OK) {
        PyErr_SetString(PyExc_ValueError, "no state of this program");
        return NULL;
    }
    StateObject *state = bind_new_state(m);
    m->opened = state;
    m->changed = state != NULL;
    return (PyObject *)state;
}
