/* The methods of a machine that serve the tools; bind.c has them in its table. */
#ifndef WARLOCK_BIND_TOOLS_H
#define WARLOCK_BIND_TOOLS_H

#include "bind.h"

int bind_have_tools(MachineObject *m); /* or an exception */

PyObject *tool_set(PyObject *self, PyObject *words);
PyObject *tool_look_ahead(PyObject *self, PyObject *args);
PyObject *tool_follow(PyObject *self, PyObject *args);
PyObject *tool_redeal(PyObject *self, PyObject *args);
PyObject *tool_identity(PyObject *self, PyObject *args);
PyObject *tool_view(PyObject *self, PyObject *args);
PyObject *tool_table(PyObject *self, PyObject *state);
PyObject *tool_sizes(PyObject *self, PyObject *state);
PyObject *tool_variables(PyObject *self, PyObject *state);
PyObject *tool_rules(PyObject *self, PyObject *state);
PyObject *tool_run_branching(PyObject *self, PyObject *args);
PyObject *tool_advance(PyObject *self, PyObject *const *args, Py_ssize_t n);
PyObject *tool_answer(PyObject *self, PyObject *args);
PyObject *tool_answers(PyObject *self, PyObject *state);
PyObject *tool_pick(PyObject *self, PyObject *args);
PyObject *tool_play_among(PyObject *self, PyObject *args);
PyObject *tool_successors(PyObject *self, PyObject *args);
PyObject *tool_freeze(PyObject *self, PyObject *state);
PyObject *tool_thaw(PyObject *self, PyObject *bytes);

#define TOOL_METHODS \
    {"set_tools", tool_set, METH_O, "What the tools have to know of the program."}, \
    {"look_ahead", tool_look_ahead, METH_VARARGS, "What each option comes to at once."}, \
    {"follow", tool_follow, METH_VARARGS, "How things go if play goes on."}, \
    {"redeal", tool_redeal, METH_VARARGS, "Another state that looks the same to a seat."}, \
    {"identity", tool_identity, METH_VARARGS, "The same for states that nobody can tell apart."}, \
    {"view", tool_view, METH_VARARGS, "The same for states that look the same to a seat."}, \
    {"table", tool_table, METH_O, "What lies where, and what variables say."}, \
    {"sizes", tool_sizes, METH_O, "How many pieces lie in each place."}, \
    {"variables", tool_variables, METH_O, "What each variable says."}, \
    {"rules", tool_rules, METH_O, "The numbers of the rules under way."}, \
    {"run_branching", tool_run_branching, METH_VARARGS, "Go on with chance as it is told: in how many ways it could go on."}, \
    {"advance", (PyCFunction)(void (*)(void))tool_advance, METH_FASTCALL, "Answer and go on: the state before, and what was said."}, \
    {"answer", tool_answer, METH_VARARGS, "What an answer says, or None where it is about what the player does not see."}, \
    {"answers", tool_answers, METH_O, "The same of every option."}, \
    {"pick", tool_pick, METH_VARARGS, "What a bot answers."}, \
    {"play_among", tool_play_among, METH_VARARGS, "Play on among bots: the answers, and one that is left, or -1."}, \
    {"successors", tool_successors, METH_VARARGS, "What every answer to a packed state leads to; None: one by one."}, \
    {"freeze", tool_freeze, METH_O, "A state in few bytes."}, \
    {"thaw", tool_thaw, METH_O, "A state from these, tested."}

#endif
