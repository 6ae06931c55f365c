"""The protocol that every machine follows, and which machine plays: the generated one, or the plain one.

A state is an opaque handle: what a caller wants to know of it or do with it, it asks the machine that runs it.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Protocol

from interpreter.errors import AnswerError
from interpreter.ir.blocks import LoweredRule
from interpreter.ir.lower import lower
from interpreter.ir.trials import Trials
from interpreter.outcome import Outcome, ScoreSheet
from interpreter.plain.machine import MAX_ANSWERS, PlainMachine
from interpreter.state.decision import Decision, Option
from interpreter.state.events import Event
from interpreter.state.layout import Layout
from interpreter.state.observe import Observation
from interpreter.state.redeal import EVERYTHING, Anew
from interpreter.state.state import State
from warlock_dsl import Ruleset, keeps_secrets, nodes, stated_totals, unrelated_hooks
from warlock_dsl import types as t
from warlock_dsl.check import program as checked

if TYPE_CHECKING:
    from interpreter.sources import Compiler, Store

BACKENDS = ("generated", "plain")


class Machine(Protocol):
    """Runs states of one ruleset for one number of players. It holds nothing of a game: the state does."""

    @property
    def players(self) -> int: ...

    # ----------------------------------------------------------------- running

    def start(self, seed: int, /, log: bool = False) -> State:
        """A new game, not yet begun; `log` keeps what happens (a machine without a log refuses)."""
        ...

    def run(self, state: State, /) -> object:
        """Go on to the next question that somebody has to answer; None when the game is over."""
        ...

    def play_out(self, state: State, stream: int, maximum: int = MAX_ANSWERS, /) -> tuple[int, int]:
        """Play on with random answers, at most `maximum`; the stream after it, and how many they were."""
        ...

    def laws(self, state: State, /) -> None:
        """Test every law of a state, where the machine was made to; a LawViolationError for one that is broken."""
        ...

    # ------------------------------------------------------ the question that waits

    def to_move(self, state: State, /) -> int:
        """The seat that is asked; -1 where no question waits."""
        ...

    def question(self, state: State, /) -> str:
        """The address of the question: its rule, and the name it binds; "" where none waits."""
        ...

    def count(self, state: State, /) -> int:
        """How many options there are."""
        ...

    def option(self, state: State, number: int, /) -> Option:
        """An option with its label, as the asked player may see it."""
        ...

    def key(self, state: State, number: int, /) -> str:
        """The word for an option in a replay. It names a piece that the asked player cannot see by its place."""
        ...

    def decision(self, state: State, /) -> Decision | None:
        """The question with all its options and labels."""
        ...

    def choose(self, state: State, number: int, /) -> None:
        """Answer with an option; what follows happens when the state is run."""
        ...

    # ------------------------------------------------------------------ the state

    def winners(self, state: State, /) -> tuple[int, ...] | None:
        """The seats that have won; None as long as the game is not over."""
        ...

    def scores(self, state: State, /) -> tuple[ScoreSheet, ...]:
        """The points of each seat as the table is now."""
        ...

    def observe(self, state: State, seat: int, /) -> Observation:
        """What a seat sees; -1 sees everything."""
        ...

    def redeal(self, state: State, seat: int, stream: int, /, anew: Anew = EVERYTHING) -> tuple[int, State]:
        """Another state that looks the same to a seat, and the stream after it was dealt; `anew` says what may differ.
        A PlayError where none was found."""
        ...

    def events(self, state: State, mark: int = 0, /) -> Sequence[Event]:
        """What has happened since a mark, which is a number of events; nothing where no log is kept."""
        ...

    def copy(self, state: State, /) -> State: ...

    def pack(self, state: State, /) -> dict[str, Any]:
        """The state as JSON would hold it. The log is no part of it."""
        ...

    def unpack(self, data: object, /, trusted: bool = False, log: bool = False) -> State:
        """The state that was packed, every part of it tested unless it is trusted: a save may be a stranger's."""
        ...

    def digest(self, state: State, /) -> str:
        """A name for the state, the same on every machine."""
        ...


if TYPE_CHECKING:

    def _plain_follows_it(machine: PlainMachine) -> Machine:
        return machine


_stores: list[Store] = []  # none, or the one that is in use
_compilers: list[Compiler] = []  # likewise


def keep_in(store: Store | None) -> None:
    """Keep generated source in this store from now on."""
    _stores[:] = [] if store is None else [store]


def compile_with(compiler: Compiler | None) -> None:
    """Play whole games in C from now on, where this can make it."""
    _compilers[:] = [] if compiler is None else [compiler]


@lru_cache(maxsize=32)
def machine_for(ruleset: Ruleset, players: int, laws: bool, backend: str = BACKENDS[0]) -> PlainMachine:
    """The machine for a ruleset and a number of players. Rules that cannot be generated are played by the plain one; so
    are those that need what only the plain one knows."""
    if backend not in BACKENDS:
        raise AnswerError(f"there is no backend '{backend}': {' or '.join(BACKENDS)}")
    layout = Layout(ruleset.program, ruleset.components, players)
    lowered_rules = lower(ruleset.program)
    if backend == "generated" and not plain_only(ruleset, lowered_rules):
        from interpreter.sources import generated  # a third of what there is to import, and plain needs none of it

        found = generated(ruleset, layout, lowered_rules, laws, _stores, _compilers)
        if found is not None:
            return found
    return PlainMachine(layout, lowered_rules, laws)


def plain_only(ruleset: Ruleset, lowered_rules: tuple[LoweredRule, ...]) -> bool:
    """Whether rules need what only the plain machine knows: guards that try effects out, sets by their total,
    pieces with secrets, variables that name pieces or cells, stacks, boards
    that are graphs."""
    program, parts = ruleset.program, ruleset.components
    named = any(t.is_placed(variable.type) for variable in parts.variables.values())
    named = named or any(define.recursive for define in program.defines)
    if named or any(grid.stacks or grid.table for grid in parts.grids.values()):
        return True
    unrelated = unrelated_hooks(program, parts)
    if keeps_secrets(parts) or Trials(lowered_rules, program, unrelated).needed:
        return True
    questions = (node for node in nodes(program.rules) if isinstance(node, checked.Question))
    return any(stated_totals(question, program.defines) for question in questions)


def native_source_for(ruleset: Ruleset, players: int, laws: bool) -> str:
    """The ruleset in C, as `warlock show --native` prints it; AnswerError where there is none."""
    from interpreter.sources import in_c

    return in_c(ruleset, Layout(ruleset.program, ruleset.components, players), lower(ruleset.program), laws)


def source_for(ruleset: Ruleset, players: int, laws: bool) -> str:
    """The generated source, as `warlock show --generated` prints it; AnswerError where there is none."""
    from interpreter.sources import in_python

    return in_python(ruleset, Layout(ruleset.program, ruleset.components, players), lower(ruleset.program), laws)


def play_random(ruleset: Ruleset, players: int, seed: int, backend: str = BACKENDS[0], laws: bool = False) -> Outcome:
    """A whole game of random answers."""
    return machine_for(ruleset, players, laws, backend).play_games(seed, 1)[0]
