"""The fast machine: a core in C (`c/`, built with the package) that runs bytecode made from a checked ruleset in
milliseconds.

`compile` makes the program of a ruleset and a number of players, `machine` plays it through the protocol of
`interpreter.machine`. `opcodes.toml` is the one table of instructions; `make_opcodes.py` at the root makes the header
and the Python constants of it. The plain machine is the meaning: both play the same game, decision for decision and
error for error.
"""
