"""Walks a game from question to question, whatever is answered and whatever chance gives: what a search looks at."""

from __future__ import annotations

import base64
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from typing import Any

from attrs import frozen

from interpreter import BACKENDS, UNREACHED, YES, Answer, GameFileError, PlayError, State, item_type, show_value
from warlock_dsl import Ruleset
from workbench.explore.branching_machine import Forced, Fork, TooManyOrdersError, branching_machine
from workbench.explore.state_key import StateKeys
from workbench.support.errors import UsageError
from workbench.support.ruleset_source import RulesetSource

Way = tuple[int, ...]  # one step: the number of the answer, then what chance gave


@frozen
class Search:
    """What decides a search."""

    source: RulesetSource
    players: int
    seed: int
    chance: str  # fixed, rolls, all: what is branched over
    orders: int  # of a shuffle, at most
    backend: str = BACKENDS[0]


@frozen
class Position:
    """A state at a question: who is asked what, and the answers there are."""

    player: int
    question: str
    answers: tuple[Answer, ...]


class Walker:
    """Runs states of one search from question to question."""

    def __init__(self, search: Search) -> None:
        self.search = search
        self.ruleset: Ruleset = search.source.ruleset()
        self.machine = branching_machine(self.ruleset, search.players, search.chance, search.orders, search.backend)
        self.state_keys = StateKeys(self.machine, chance=search.chance != "all")

    def run(self, state: State) -> Position | None:
        """Go on to the next question; None when the game is over. The laws are tested there."""
        found = self.go(state)
        self.machine.check_laws(state)
        return found

    def go(self, state: State) -> Position | None:
        try:
            offer = self.machine.run(state)
            return None if offer is None else Position(offer.player, self.address(state), tuple(offer.answers))
        except Forced as forced:
            return Position(forced.player, self.address(state), (forced.answer,))

    def address(self, state: State) -> str:
        frame = state.stack[-1]
        lowered = self.machine.lowered_rules[frame.rule]
        end: Any = lowered.blocks[frame.block].end
        return f"{lowered.address}.{end.question.name}"

    def outcomes(self, begin: Callable[[], State]) -> Iterator[tuple[tuple[int, ...], State, PlayError | None]]:
        """Every state that follows, whatever chance gives: what it gave, the state, and the error that was met."""
        todo: list[tuple[int, ...]] = [()]
        while todo:
            told = todo.pop()
            state = begin()
            self.machine.told_ways, self.machine.used = told, 0
            error: PlayError | None = None
            try:
                self.run(state)
            except Fork as fork:
                todo += [(*told, way) for way in reversed(range(fork.ways))]
                continue
            except PlayError as met:
                error = met
            yield told, state, error

    def roots(self) -> Iterator[tuple[tuple[int, ...], State, PlayError | None]]:
        return self.outcomes(lambda: self.machine.start(self.search.seed))

    def position(self, state: State) -> Position | None:
        """The question a state stands at; the state is not changed by looking."""
        if state.winners is not None:
            return None
        self.machine.told_ways, self.machine.used = (), 0
        return self.go(state.copy())

    def children(self, state: State) -> Iterator[tuple[int, tuple[int, ...], State, PlayError | None]]:
        """What every answer leads to: its number, what chance gave, the state, and the error that was met."""
        position = self.position(state)
        for number, answer in enumerate(position.answers if position is not None else ()):

            def begin(answer: Answer = answer) -> State:
                new = state.copy()
                self.machine.take(new, answer)
                return new

            for told, child, error in self.outcomes(begin):
                yield number, told, child, error


@lru_cache(maxsize=4)
def walker_for(search: Search) -> Walker:
    return Walker(search)


# ---------------------------------------------------------------------- workers


@frozen
class Task:
    search: Search
    states: tuple[Any, ...]  # packed; none: the beginnings of the game
    trusted: bool = True  # they were packed in this run, not read from a file that may be a stranger's


def look(task: Task) -> list[list[Any]]:
    """For each state, what it leads to: key, packed state, whether it is over, the way there, the error or ""."""
    walker = walker_for(task.search)
    try:
        if not task.states:
            return [[_told(walker, 0, told, state, error) for told, state, error in walker.roots()]]
        return [
            [_told(walker, *child) for child in walker.children(walker.machine.unpack(data, trusted=task.trusted))]
            for data in task.states
        ]
    except TooManyOrdersError as many:
        maximum = task.search.orders
        text = f"a shuffle of {many.pieces} pieces has {many.orders:,} orders, more than --orders {maximum:,}"
        hint = "cut the pile with an overlay, raise --orders, or take the order of the seed with --chance rolls"
        raise UsageError(f"{text}; {hint}") from None
    except (GameFileError, *UNREACHED):
        if task.trusted:
            raise
        raise UsageError(
            "the checkpoint holds a state that no game of this ruleset reaches; it is left alone"
        ) from None


def _told(walker: Walker, number: int, told: tuple[int, ...], state: State, error: PlayError | None) -> list[Any]:
    if error is not None:
        return ["", None, False, [number, *told], str(error)]
    key = base64.b85encode(walker.state_keys.key(state)).decode()
    return [key, state.data(), state.winners is not None, [number, *told], ""]


# ------------------------------------------------------------------------ words


def spelled(search: Search, ways: Sequence[Way]) -> list[dict[str, Any]]:
    """A way in words: who was asked what and answered what, and what chance gave. The first step is the set-up."""
    walker = walker_for(search)
    state = walker.machine.start(search.seed)
    steps: list[dict[str, Any]] = []
    for place, (number, *told) in enumerate(ways):
        step: dict[str, Any] = {"chance": list(told)} if told else {}
        if place > 0:
            position = walker.position(state)
            assert position is not None
            answer = position.answers[number]
            step = {
                "player": position.player, "question": position.question, "answer": _word(walker, state, answer),
                "forced": len(position.answers) == 1, **step,
            }  # fmt: skip
            walker.machine.take(state, answer)
        steps.append(step)
        walker.machine.told_ways, walker.machine.used = tuple(told), 0
        try:
            walker.go(state)
        except PlayError:
            break
    return steps


def _word(walker: Walker, state: State, answer: Answer) -> str:
    if answer.what in ("stop", "decline"):
        return answer.what
    frame = state.stack[-1]
    end: Any = walker.machine.lowered_rules[frame.rule].blocks[frame.block].end
    if end.question.yes_no:
        return YES.key()
    kind = end.question.type if answer.what == "value" else item_type(end.question)
    word = show_value(walker.machine.layout, state, answer.value, kind, -1).key()
    return f"+{word}" if answer.what == "add" else word
