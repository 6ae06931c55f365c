"""Which machine plays: the generated one, or the plain one that is the meaning of the language."""

from __future__ import annotations

from functools import lru_cache

from interpreter.faults import AnswerFault
from interpreter.generate.flow import Tangled
from interpreter.generate.text import TooLong
from interpreter.generate.write import generate
from interpreter.generated import Generated
from interpreter.layout import Layout
from interpreter.lower import lower
from interpreter.machine import Machine
from warlock_dsl.ruleset import Ruleset

BACKENDS = ("generated", "plain")
# Rules nested beyond what Python takes.
TOO_HARD = (Tangled, TooLong, RecursionError, SyntaxError, MemoryError, OverflowError)


@lru_cache(maxsize=32)
def machine_for(ruleset: Ruleset, players: int, laws: bool, backend: str = BACKENDS[0]) -> Machine:
    """The machine for a ruleset and a number of players. Rules that cannot be generated are played plainly."""
    if backend not in BACKENDS:
        raise AnswerFault(f"there is no backend '{backend}': {' or '.join(BACKENDS)}")
    layout = Layout(ruleset.program, ruleset.components, players)
    codes = lower(ruleset.program)
    if backend == "generated":
        try:
            return Generated(layout, codes, laws, source_for(ruleset, players, laws))
        except TOO_HARD:
            pass
    return Machine(layout, codes, laws)


def source_for(ruleset: Ruleset, players: int, laws: bool) -> str:
    """The generated source, as `warlock show --generated` prints it."""
    layout = Layout(ruleset.program, ruleset.components, players)
    title = f"{ruleset.name} ({ruleset.hash}) for {players}, laws {'on' if laws else 'off'}. Generated: do not edit."
    return generate(layout, lower(ruleset.program), laws, title)
