"""Small expressions in texts, such as `{card.value}`, at a moment of a game: what they are to whoever reads them.

They were checked when the rules were loaded (`warlock_dsl/check/texts/lint_figures`). What one reads that its reader
does not see at this moment has no value here.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property, lru_cache
from itertools import pairwise
from typing import Any

from attrs import frozen

from interpreter.errors import RulesError
from interpreter.ir import blocks as ir
from interpreter.ir.analysis import called_rules
from interpreter.ir.lower import lower
from interpreter.plain.questions import item_type
from interpreter.plain.reader import Reader, at_question
from interpreter.state.labels import Shown, show_value
from interpreter.state.layout import Layout
from interpreter.state.state import State
from warlock_dsl import Fragment, Fragments, Ruleset, Span, nodes
from warlock_dsl import types as t
from warlock_dsl.check import program as checked
from warlock_dsl.tables.components import ADDED

HERE = Span("", 1, 1, 1, 1)

Scope = tuple[tuple[str, t.Type], ...]


@lru_cache(maxsize=8)
def reader_for(ruleset: Ruleset, players: int) -> Reader:
    return Reader(Layout(ruleset.program, ruleset.components, players), lower(ruleset.program))


@lru_cache(maxsize=8)
def _fragments(ruleset: Ruleset) -> Fragments:
    return Fragments(ruleset.program, ruleset.components)


@lru_cache(maxsize=2000)
def _compiled(ruleset: Ruleset, text: str, scope: Scope, me: bool) -> Fragment | None:
    return _fragments(ruleset).expression(text, dict(scope), "", HERE, me=me)[0]


@frozen
class Progress:
    """A `repeat` that is under way: the rule that is repeated, which turn this is, and of how many at most."""

    rule: str
    turn: int
    turns: int


class Figures:
    """What the expressions of texts are for one viewer at a moment; None where he cannot know it."""

    def __init__(self, ruleset: Ruleset, players: int, packed: Mapping[str, Any], viewer: int) -> None:
        self.ruleset = ruleset
        self.viewer = viewer
        self.packed = packed
        self.reader = reader_for(ruleset, players)

    @cached_property
    def asked(self) -> State:
        """The state at its question."""
        return at_question(self.reader, dict(self.packed))

    @cached_property
    def state(self) -> State:
        return self.reader.unpack(self.packed, trusted=True)

    # ------------------------------------------------------------------- texts

    def of_question(self, text: str) -> Shown | None:
        """In a question; the name of a set is what has been picked of it."""
        offer = self.asked.offer
        return self._at_question(text, offer.partial or ())

    def of_option(self, number: int, text: str) -> Shown | None:
        """In the text of an option; the name that it answers is the answer."""
        offer = self.asked.offer
        answer, picked = offer.answers[number], offer.partial or ()
        if answer.what == "add":
            return self._at_question(text, (*picked, answer.value), answer.value)
        return self._at_question(text, picked if answer.what == "stop" else answer.value)

    def of_piece(self, name: str, text: str) -> Shown | None:
        """On a piece, under the name of its kind."""
        layout = self.reader.layout
        piece = layout.piece_names.index(name)
        kind = layout.kind_names[layout.kind_of[piece]]
        return self._value(self.state, text, ((kind, t.PieceType((kind,))),), {kind: piece}, -1)

    def of_seat(self, seat: int, text: str) -> Shown | None:
        """Beside the table (-1) or a seat, which is then `me`."""
        return self._value(self.state, text, (), {}, seat)

    def _at_question(self, text: str, answer: Any, added: Any = None) -> Shown | None:
        s = self.asked
        offer, frame = s.offer, s.stack[-1]
        ask: ir.Ask = offer.ask
        names = self.reader.lowered_rules[offer.rule].names
        known = [(name, slot, kind) for slot, (name, kind) in sorted(names.items()) if slot in ask.known]
        values = {name: frame.locals[slot] for name, slot, _ in known}
        scope = {name: kind for name, _, kind in known}
        scope[ask.question.name], values[ask.question.name] = ask.question.type, answer
        if added is not None:
            scope[ADDED], values[ADDED] = item_type(ask.question), added
        scope.pop("me", None)
        return self._value(s, text, tuple(scope.items()), values, offer.player)

    def _value(self, s: State, text: str, scope: Scope, values: Mapping[str, Any], me: int) -> Shown | None:
        found = _compiled(self.ruleset, text, scope, me >= 0)
        if found is None:
            return None
        slots: list[Any] = [None] * found.slots
        slots[0] = me
        for name, slot in found.names.items():
            slots[slot] = values[name]
        with self.reader.seen_by(self.viewer):
            try:
                value = self.reader.ev(s, found.value, slots)
            except (RulesError, TypeError):  # what it reads is not there at this moment
                return None
        return None if self.reader.tainted else show_value(self.reader.layout, s, value, found.value.type, self.viewer)

    # ---------------------------------------------------------------- progress

    def progress(self) -> tuple[Progress, ...]:
        """Every `repeat` that is under way, calls rules and has a number of turns that the tables say, the outermost
        first."""
        found, program = [], self.ruleset.program
        for frame, inner in pairwise(self.state.stack):
            for loop in _loops(program.rules[frame.rule].body, inner.rule):
                assert isinstance(loop.count, checked.Const | checked.FigureRef) and isinstance(loop.count.value, int)
                turns, left = loop.count.value // program.unit, frame.locals[loop.count_slot]
                if isinstance(left, int) and 0 <= left < turns:
                    found.append(Progress(program.rules[inner.rule].address, turns - left, turns))
        return tuple(found)


def _loops(body: object, called: int) -> list[checked.Repeat]:
    """The loops of a rule with a fixed number of turns that call a rule."""
    loops = [node for node in nodes(body) if isinstance(node, checked.Repeat)]
    return [
        loop
        for loop in loops
        if isinstance(loop.count, checked.Const | checked.FigureRef) and isinstance(loop.count.value, int)
        and any(isinstance(do, checked.Do) and called in called_rules(do.target) for do in nodes(loop.body))
    ]  # fmt: skip
