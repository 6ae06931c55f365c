/* States as plain Python values, and back: what a save holds. Everything that comes from outside is tested here, so that
   a state that was adopted runs like any other. */
#include "bind.h"

#include <stdlib.h>

PyObject *bind_word(Vm *vm, Word w) {
    int32_t n, at;
    if (w == WORD_NONE) Py_RETURN_NONE;
    if (is_truth(w)) return PyBool_FromLong((long)(w & 1));
    if (!is_list(w)) return PyLong_FromLongLong(w);
    if (list_at(vm, w, &n, &at) != VM_OK) {
        PyErr_SetString(PyExc_SystemError, "a list that is none");
        return NULL;
    }
    PyObject *found = PyTuple_New(n);
    for (int32_t k = 0; found && k < n; k++) {
        PyObject *item = bind_word(vm, vm->mem[at + k]);
        if (!item || PyTuple_SetItem(found, k, item) < 0) Py_CLEAR(found);
    }
    return found;
}

static int unfit(const char *what) {
    PyErr_Format(PyExc_ValueError, "%s", what);
    return -1;
}

int bind_read_word(Vm *vm, PyObject *value, Word *out, int depth) {
    int32_t at;
    if (value == Py_None) {
        *out = WORD_NONE;
    } else if (PyBool_Check(value)) {
        *out = truth(value == Py_True);
    } else if (PyLong_Check(value)) {
        int overflow;
        *out = PyLong_AsLongLongAndOverflow(value, &overflow);
        if (overflow || *out >= TRUTH_TAG || *out <= -TRUTH_TAG) return unfit("a number that no game has");
    } else if ((PyTuple_Check(value) || PyList_Check(value)) && depth < 16) {
        Py_ssize_t n = PySequence_Size(value);
        if (n > 1 << 22 || list_new(vm, n, out, &at) != VM_OK) return unfit("a list that is too long");
        for (Py_ssize_t k = 0; k < n; k++) {
            PyObject *item = PySequence_GetItem(value, k);
            Word word = WORD_NONE;
            int status = item ? bind_read_word(vm, item, &word, depth + 1) : -1;
            Py_XDECREF(item);
            if (status < 0) return -1;
            vm->mem[at + k] = word;
        }
    } else {
        return unfit("a value that no game has");
    }
    return 0;
}

/* ------------------------------------------------------------------ out */

static PyObject *numbers(const uint16_t *from, int32_t n) { /* 0xFFFF is -1 */
    PyObject *found = PyList_New(n);
    for (int32_t k = 0; found && k < n; k++)
        if (PyList_SetItem(found, k, PyLong_FromLong(from[k] == NOWHERE ? -1 : from[k])) < 0) Py_CLEAR(found);
    return found;
}

static PyObject *words(Vm *vm, const Word *from, int32_t n) {
    PyObject *found = PyList_New(n);
    for (int32_t k = 0; found && k < n; k++) {
        PyObject *item = bind_word(vm, from[k]);
        if (!item || PyList_SetItem(found, k, item) < 0) Py_CLEAR(found);
    }
    return found;
}

static PyObject *all_zones(Vm *vm) {
    int32_t n = META(vm, PLACES);
    PyObject *found = PyList_New(n);
    for (int32_t k = 0; found && k < n; k++) {
        PyObject *zone = numbers(zone_pieces(vm, k), zone_size(vm, k));
        if (!zone || PyList_SetItem(found, k, zone) < 0) Py_CLEAR(found);
    }
    return found;
}

static PyObject *all_frames(Vm *vm) {
    PyObject *found = PyList_New(vm->s->height);
    for (int32_t k = 0; found && k < vm->s->height; k++) {
        const Frame *f = vm->frames + k;
        PyObject *slots = words(vm, vm->stack + f->base, REC(vm, RULES, f->rule, SLOTS));
        PyObject *frame = slots ? Py_BuildValue("(iiN)", f->rule, f->block, slots) : NULL;
        if (!frame || PyList_SetItem(found, k, frame) < 0) Py_CLEAR(found);
    }
    return found;
}

static PyObject *all_known(Vm *vm) {
    PyObject *found = PyDict_New();
    for (int32_t k = 0; found && vm->s->n_known && k < META(vm, PIECES); k++) {
        if (!vm->known[k]) continue;
        PyObject *piece = PyLong_FromLong(k), *seats = PyLong_FromUnsignedLong(vm->known[k]);
        if (!piece || !seats || PyDict_SetItem(found, piece, seats) < 0) Py_CLEAR(found);
        Py_XDECREF(piece);
        Py_XDECREF(seats);
    }
    return found;
}

static int set_item(PyObject *tuple, Py_ssize_t at, PyObject *item) { return item ? PyTuple_SetItem(tuple, at, item) : -1; }

PyObject *bind_export(MachineObject *m, PyObject *object) {
    StateObject *state = bind_state(m, object);
    if (!state || bind_open(m, state) < 0) return NULL;
    Vm *vm = m->vm;
    int32_t n = 0, at = 0;
    if (vm->s->fate != WORD_NONE && list_at(vm, vm->s->fate, &n, &at) != VM_OK) return PyErr_NoMemory();
    PyObject *found = PyTuple_New(11);
    if (!found) return NULL;
    int status = set_item(found, 0, all_zones(vm));
    if (!status) status = set_item(found, 1, numbers(vm->place, META(vm, PIECES)));
    if (!status) status = set_item(found, 2, numbers(vm->cell, META(vm, PIECES)));
    if (!status) status = set_item(found, 3, numbers(vm->at, META(vm, CELLS)));
    if (!status) status = set_item(found, 4, words(vm, vm->vars, META(vm, SLOTS)));
    if (!status) status = set_item(found, 5, all_known(vm));
    if (!status) status = set_item(found, 6, PyLong_FromUnsignedLongLong(vm->s->rng));
    if (!status) status = set_item(found, 7, all_frames(vm));
    if (!status) status = set_item(found, 8, PyLong_FromLong(vm->s->asking));
    if (!status) status = set_item(found, 9, words(vm, vm->mem + at, n));
    if (!status) status = set_item(found, 10, PyLong_FromLong(vm->s->winners));
    if (status) Py_CLEAR(found);
    return found;
}

PyObject *bind_values(MachineObject *m, PyObject *object) {
    StateObject *state = bind_state(m, object);
    int32_t n, at;
    if (!state || bind_open(m, state) < 0) return NULL;
    Vm *vm = m->vm;
    if (vm->s->player < 0) Py_RETURN_NONE;
    if (list_at(vm, vm->s->offered, &n, &at) != VM_OK) return PyErr_NoMemory();
    return Py_BuildValue("(iNN)", vm->s->stop, words(vm, vm->mem + at, n), bind_word(vm, vm->s->partial));
}

/* ------------------------------------------------------------------ in */

static int whole(PyObject *value, long low, long high, long *out) {
    if (!PyLong_Check(value) || PyBool_Check(value)) return unfit("no whole number where one is wanted");
    int overflow;
    *out = PyLong_AsLongAndOverflow(value, &overflow);
    return overflow || *out < low || *out > high ? unfit("a number out of its range") : 0;
}

static int whole_at(PyObject *row, Py_ssize_t at, long low, long high, long *out) {
    PyObject *item = PySequence_GetItem(row, at);
    int status = item ? whole(item, low, high, out) : -1;
    Py_XDECREF(item);
    return status;
}

static int read_zone(Vm *vm, int32_t place, PyObject *zone, PyObject *cells) {
    Py_ssize_t n = PySequence_Size(zone);
    for (Py_ssize_t k = 0; k < n; k++) {
        long piece, cell;
        if (whole_at(zone, k, 0, META(vm, PIECES) - 1, &piece) < 0) return -1;
        if (whole_at(cells, piece, -1, (long)META(vm, CELLS) - 1, &cell) < 0) return -1;
        int grid = SEC(vm, PLACE_FIRST_CELL)[place] >= 0;
        if (vm->place[piece] != NOWHERE || grid != (cell >= 0)) return unfit("a piece where it cannot lie");
        if (cell >= 0 && SEC(vm, CELL_PLACE)[cell] != place) return unfit("a piece on a cell of another zone");
        if (!put_piece(vm, (int32_t)piece, place, (int32_t)cell)) return unfit("two pieces on one cell");
    }
    return n < 0 ? -1 : 0;
}

/* A piece that lies in itself would have no end. */
static int nested_soundly(Vm *vm) {
    for (int32_t piece = 0; piece < META(vm, PIECES); piece++) {
        int32_t place = vm->place[piece], steps = 0;
        if (place == NOWHERE) return unfit("a piece that lies nowhere");
        while (SEC(vm, PLACE_OWNER_KIND)[place] == 2) {
            place = vm->place[SEC(vm, PLACE_OWNER)[place]];
            if (place == NOWHERE || steps++ > META(vm, PIECES)) return unfit("a piece that lies in itself");
        }
    }
    return 0;
}

static int read_table(Vm *vm, PyObject *zones, PyObject *cells, PyObject *variables) {
    if (PySequence_Size(zones) != META(vm, PLACES) || PySequence_Size(cells) != META(vm, PIECES)) return unfit("not the zones of this ruleset");
    if (PySequence_Size(variables) != META(vm, SLOTS)) return unfit("not the variables of this ruleset");
    memset(vm->place, 0xFF, (size_t)META(vm, PIECES) * sizeof(uint16_t));
    memset(vm->cell, 0xFF, (size_t)META(vm, PIECES) * sizeof(uint16_t));
    memset(vm->at, 0xFF, (size_t)META(vm, CELLS) * sizeof(uint16_t));
    for (int32_t k = 0; k < META(vm, PLACES); k++) {
        PyObject *zone = PySequence_GetItem(zones, k);
        int status = zone ? read_zone(vm, k, zone, cells) : -1;
        Py_XDECREF(zone);
        if (status < 0) return -1;
    }
    for (int32_t k = 0; k < META(vm, SLOTS); k++) {
        PyObject *value = PySequence_GetItem(variables, k);
        int status = value ? bind_read_word(vm, value, vm->vars + k, 0) : -1;
        Py_XDECREF(value);
        if (status < 0) return -1;
    }
    return nested_soundly(vm);
}

static int read_frame(Vm *vm, PyObject *entry, int32_t *base) {
    int rule, block;
    PyObject *slots;
    if (!PyTuple_Check(entry) || !PyArg_ParseTuple(entry, "iiO", &rule, &block, &slots)) return unfit("a frame that is none");
    if (rule < 0 || rule >= vm->p->length[S_RULES] / N_RULES) return unfit("a rule that is none");
    if (block < 0 || block >= REC(vm, RULES, rule, BLOCKS)) return unfit("a place in a rule that is none");
    int32_t n = REC(vm, RULES, rule, SLOTS);
    if (PySequence_Size(slots) != n || vm->s->height >= META(vm, DEPTH) + 9) return unfit("a frame with other slots");
    if ((int64_t)*base + REC(vm, RULES, rule, WINDOW) > STACK_WORDS) return unfit("too many frames");
    for (int32_t k = 0; k < n; k++) {
        PyObject *value = PySequence_GetItem(slots, k);
        int status = value ? bind_read_word(vm, value, vm->stack + *base + k, 0) : -1;
        Py_XDECREF(value);
        if (status < 0) return -1;
    }
    vm->frames[vm->s->height++] = (Frame){rule, block, *base, 0};
    *base += n;
    vm->s->n_slots = *base;
    return 0;
}

static int read_known(Vm *vm, PyObject *known) {
    PyObject *pairs = PyDict_Items(known);
    int status = pairs ? 0 : -1;
    for (Py_ssize_t k = 0; !status && k < PyList_Size(pairs); k++) {
        PyObject *pair = PyList_GetItem(pairs, k);
        long piece, seats;
        status = whole_at(pair, 0, 0, META(vm, PIECES) - 1, &piece);
        if (!status) status = whole_at(pair, 1, 1, (1L << META(vm, PLAYERS)) - 1, &seats);
        if (status) break;
        vm->known[piece] = (uint32_t)seats;
        vm->s->n_known++;
    }
    Py_XDECREF(pairs);
    return status;
}

static int read_state(Vm *vm, PyObject *args) {
    PyObject *zones, *cells, *variables, *known, *frames, *fate, *rng;
    int asking, winners;
    int32_t base = 0;
    if (!PyArg_ParseTuple(args, "OOOO!OO!iOi", &zones, &cells, &variables, &PyDict_Type, &known, &rng, &PyList_Type, &frames,
                          &asking, &fate, &winners))
        return -1;
    vm_start(vm, PyLong_AsUnsignedLongLongMask(rng));
    if (PyErr_Occurred()) return -1;
    memset(vm->first, 0, ((size_t)META(vm, PLACES) + 1) * sizeof(uint16_t));
    vm->s->height = vm->s->n_slots = 0;
    if (read_table(vm, zones, cells, variables) < 0) return -1;
    if (read_known(vm, known) < 0) return -1;
    for (Py_ssize_t k = 0; k < PyList_Size(frames); k++)
        if (read_frame(vm, PyList_GetItem(frames, k), &base) < 0) return -1;
    if (asking < -1 || asking >= vm->s->height) return unfit("a secret choice that is none");
    if (winners < -1 || winners >> META(vm, PLAYERS) > 0) return unfit("winners that are none");
    if (PySequence_Size(fate) > 0 && bind_read_word(vm, fate, &vm->s->fate, 0) < 0) return -1;
    vm->s->asking = asking;
    vm->s->winners = winners;
    vm->heap_top = vm->top;
    return 0;
}

PyObject *bind_adopt(MachineObject *m, PyObject *args) {
    if (bind_flush(m) < 0) return NULL;
    m->opened = NULL;
    if (read_state(m->vm, args) < 0) return NULL;
    StateObject *state = bind_new_state(m);
    m->opened = state;
    m->changed = state != NULL;
    return (PyObject *)state;
}
