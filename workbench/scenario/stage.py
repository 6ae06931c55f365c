"""A game begun in the middle: it runs from a laid-out position, by one rule alone or on into a real game."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import lru_cache
from math import comb
from typing import Any

from attrs import define, frozen

from interpreter import (
    YES,
    AnswerError,
    Frame,
    Game,
    Layout,
    Offer,
    PlainMachine,
    PlayError,
    RulesError,
    State,
    item_type,
    lower,
)
from interpreter.ir import blocks as ir
from warlock_dsl import Fragment, Ruleset
from warlock_dsl import types as t
from workbench.scenario.values import Vocabulary, parts_of

MAX_WORK = 1_000_000  # of all that one scenario asks for
TOO_MUCH = "this is too much work for a scenario"
TOO_LONG = "an expression or a game that is played up to a moment runs too long; make it several scenarios"
TOO_MANY_SETS = "say how many may be chosen, or let them be chosen from fewer pieces"
MAX_COUNTED = 60  # pieces whose sets are counted in a message
MAX_TRIED = 400  # partial sets tried to find one that is asked for piece by piece


@lru_cache(maxsize=32)
def machine_for(ruleset: Ruleset, players: int) -> PlainMachine:
    """The machine of a ruleset for a number of players, with its invariants tested."""
    layout = Layout(ruleset.program, ruleset.components, players)
    return PlainMachine(layout, lower(ruleset.program), laws=True)


@frozen
class Choice:
    """One thing that may be answered, with its value as the machine holds it."""

    number: int
    what: str
    value: Any
    type: t.Type
    key: str


@frozen
class Meant:
    """What a word means among the options: the options to give one after another, or those it could be, in words."""

    path: tuple[int, ...]
    among: tuple[str, ...] = ()

    @property
    def found(self) -> bool:
        return bool(self.path or self.among)


NOTHING = Meant(())


@define
class WorkBudget:
    """How much work may still be done."""

    left: int = MAX_WORK


class Stage(Game):
    """A game whose end is also that the rule it began with has run its course: then nobody is asked any more."""

    machine: PlainMachine
    state: State

    def __init__(
        self, ruleset: Ruleset, machine: PlainMachine, state: State, seed: int, words: Vocabulary, budget: WorkBudget
    ) -> None:
        super().__init__(ruleset, machine, state, seed, words.seats)
        self.words = words
        self.budget = budget
        self.chance: list[str] = []  # what chance gives next, in words
        self._working = False

    def copy(self) -> Stage:
        """An independent copy; the work it does is taken from the same budget."""
        new = Stage(self.ruleset, self.machine, self.state.copy(), self.seed, self.words, self.budget)
        new.answers, new.chance = self.answers[:], self.chance[:]
        new._decision = self._decision
        return new

    def at(self, state: State) -> Stage:
        """Another one that is in this state, at its question."""
        new = Stage(self.ruleset, self.machine, state, self.seed, self.words, self.budget)
        new._placed = True
        new._go()
        return new

    # -------------------------------------------------------------------- run

    def go(self) -> None:
        """On to the next question, to the end of the game, or to the end of the rule."""
        self._go()

    def choose(self, number: int) -> None:
        """Answer with an option, and go on as far as a scenario does."""
        if not 0 <= number < self.option_count:
            raise AnswerError(f"there are {self.option_count} options, not one numbered {number}")
        before, key = self.state.copy(), self.machine.key(self.state, number)
        self._past.append(before)
        self.answers.append(key)
        try:
            with self._careful():
                self.machine.choose(self.state, number)
            self._go()
        except BaseException:
            self.state = before
            self._past.pop()
            self.answers.pop()
            raise

    def _go(self) -> None:
        self.state.offer = self._decision = None
        self.state.offer = self.run(lambda: False)
        self.machine.laws(self.state)

    def run(self, halt: Callable[[], bool]) -> Offer | None:
        """Block by block to the next question; `halt` is asked before each block."""
        machine, state = self.machine, self.state
        try:
            with self.working(self._sets):
                while state.winners is None and state.stack and not halt():
                    self._foretell()
                    offer = machine.block(state)
                    if offer is not None:
                        return offer
        except PlayError as error:
            raise machine.placed(state, error) from None
        except RecursionError:
            raise machine.placed(state, RulesError("definitions nested too deep")) from None
        return None

    @contextmanager
    def working(self, sets: Callable[[], str] = str) -> Iterator[None]:
        """Let the machine do no more than the scenario has left, and count what it did.

        `sets` says, once that is used up, which choice of a set was to blame, if any.
        """
        machine = self.machine
        if self._working:
            yield
            return
        began = max(0, machine.max_work - self.budget.left)
        machine.work, self._working = began, True
        try:
            yield
        except RulesError as error:
            choice = sets() if machine.work > machine.max_work else ""
            if choice:
                raise RulesError(f"{TOO_MUCH if began else error.message}: {choice}", hint=TOO_MANY_SETS) from None
            if began and machine.work > machine.max_work:
                raise RulesError(TOO_MUCH, hint=TOO_LONG) from None
            raise
        finally:
            self.budget.left = max(0, self.budget.left - (machine.work - began))
            machine.work, self._working = 0, False

    def _sets(self) -> str:
        """The choice of a set that the machine was working out and how many sets there are; "" where it was none."""
        machine, frame = self.machine, self.state.stack[-1]
        lowered = machine.lowered_rules[frame.rule]
        end = lowered.blocks[frame.block].end
        if not isinstance(end, ir.Ask) or end.question.mode == "one":
            return ""
        question, spent = end.question, machine.work
        machine.work = 0
        many = len(machine.ev(self.state, question.source, frame.locals[:]))
        bounds = (1 if question.mode == "some" else 0), many
        if question.low is not None and question.high is not None:
            low, high = (machine.ev(self.state, side, frame.locals[:]) for side in (question.low, question.high))
            bounds = low // machine.unit, min(high // machine.unit, many)
        machine.work = spent
        if many > MAX_COUNTED:
            return f"{lowered.address}.{question.name} is a set of {many:,}"
        total = sum(comb(many, size) for size in range(bounds[0], bounds[1] + 1))
        return f"{lowered.address}.{question.name} is one of up to {total:,} sets of {many}"

    def evaluate(self, fragment: Fragment, me: int) -> Any:
        """The value of an expression as the table stands."""
        slots: list[Any] = [None] * fragment.slots
        slots[0] = me
        for name, slot in fragment.names.items():
            slots[slot] = self.seats.index(name)
        try:
            with self.working():
                return self.machine.ev(self.state, fragment.value, slots)
        except RecursionError:
            raise RulesError("definitions nested too deep") from None

    def parts(self, seat: int) -> tuple[int, ...]:
        """The parts of a seat's score as the table stands."""
        with self.working():
            return self.machine.parts(self.state, seat)

    def _foretell(self) -> None:
        """If chance is about to pick and the scenario says what, tell the machine by its place in the list."""
        state, machine = self.state, self.machine
        frame = state.stack[-1]
        end = machine.lowered_rules[frame.rule].blocks[frame.block].end
        if not self.chance or state.asking >= 0 or not isinstance(end, ir.RollEnd):
            return
        items = self._rolled(frame, end)
        source = end.roll.source.type
        kind = source.item if isinstance(source, t.ListType) and source.item is not None else t.UNKNOWN
        count = 1 if end.roll.count is None else machine.ev(state, end.roll.count, frame.locals) // machine.unit
        while self.chance and len(state.fate) < count:
            word = self.chance.pop(0)
            place = next((n for n, item in enumerate(items) if self.words.fits(state, word, item, kind)), -1)
            if place < 0:
                there = ", ".join(self.words.say(state, item, kind) for item in items[:12])
                raise RulesError(f"chance cannot give '{word}' for '{end.roll.name}': there are {there}", span=end.span)
            state.fate.append(place)

    def _rolled(self, frame: Frame, end: ir.RollEnd) -> list[Any]:
        roll, slots = end.roll, frame.locals[:]
        items = []
        for item in self.machine.ev(self.state, roll.source, slots):
            slots[roll.slot] = item
            if roll.where is None or self.machine.ev(self.state, roll.where, slots):
                items.append(item)
        return items

    # ---------------------------------------------------------------- options

    @property
    def address(self) -> str:
        """The question that waits: the address of its rule and its name; "" when nobody is asked."""
        return self.question

    def choices(self) -> list[Choice]:
        offer = self.state.offer
        if offer is None:
            return []
        found = []
        for number, answer in enumerate(offer.answers):
            kind = offer.ask.question.type if answer.what == "value" else item_type(offer.ask.question)
            found.append(Choice(number, answer.what, answer.value, kind, self.machine.key(self.state, number)))
        return found

    def say(self, choice: Choice) -> str:
        """An option in the words an answer would use."""
        if choice.what == "decline":
            return "no"
        if choice.what == "stop" or choice.key == YES.key():
            return choice.key
        said = self.words.say(self.state, choice.value, choice.type)
        return f"+{said}" if choice.what == "add" else said

    def matches(self, choice: Choice, word: str) -> bool:
        """Whether a word means this very option, a step of a set included."""
        if word == choice.key:
            return True
        if choice.what in ("decline", "stop"):
            return word == ("no" if choice.what == "decline" else "stop")
        return self.words.fits(self.state, word.removeprefix("+"), choice.value, choice.type)

    def meant(self, word: str) -> Meant:
        """What a word means among the options that stand open."""
        choices = self.choices()
        exact = [choice for choice in choices if choice.key == word]
        if not exact:
            stepwise = self.state.offer is not None and self.state.offer.partial is not None
            whole = stepwise and word not in ("no", "stop") and not word.startswith("+")
            if whole:
                return self._set_in_steps(word)
            exact = [choice for choice in choices if self.matches(choice, word)]
        if not exact:
            return NOTHING
        first = exact[0]
        if first.what in ("value", "add") and any(self._differ(first, other) for other in exact[1:]):
            return Meant((), tuple(self.say(choice) for choice in exact))
        return Meant((first.number,))

    def _differ(self, one: Choice, other: Choice) -> bool:
        return bool(self.words.essence(one.value, one.type) != self.words.essence(other.value, other.type))

    # ------------------------------------------------------- sets in many steps

    def _set_in_steps(self, word: str) -> Meant:
        """A whole set where pieces are asked for one by one: the way to it through the options of the machine."""
        search = _SetSearch(parts_of(word))
        search.walk(self, ())
        if not search.found:
            return NOTHING
        first = search.found[0]
        if any(other[1] != first[1] for other in search.found[1:]):
            return Meant((), tuple(said for _, _, said in search.found))
        return Meant(first[0])


class _SetSearch:
    """A walk over the partial sets that lead to one the words mean; stops at two that are not alike."""

    def __init__(self, words: list[str]) -> None:
        self.words = words
        self.tried = 0
        self.found: list[tuple[tuple[int, ...], Any, str]] = []  # the way, what the set is, the set in words

    def walk(self, stage: Stage, path: tuple[int, ...]) -> None:
        offer = stage.state.offer
        if offer is None or offer.partial is None:
            return
        choices = stage.choices()
        partial = offer.partial
        item = item_type(offer.ask.question)
        if len(partial) == len(self.words):
            self.finish(stage, choices, path, partial, item)
            return
        for choice in choices:
            grown = (*partial, choice.value)
            if choice.what != "add" or not stage.words.fits_set(stage.state, self.words, grown, item, part=True):
                continue
            self.tried += 1
            if self.tried > MAX_TRIED:
                raise AnswerError("these words mean too many sets", hint="name pieces by their own names")
            self.take(stage, choice, path, grown, item)
            if len(self.found) > 1 and self.found[0][1] != self.found[-1][1]:
                return

    def finish(self, stage: Stage, choices: list[Choice], path: tuple[int, ...], chosen: Any, item: t.Type) -> None:
        stop = next((choice for choice in choices if choice.what == "stop"), None)
        if stop is not None:
            self.note(stage, (*path, stop.number), chosen, item)

    def note(self, stage: Stage, path: tuple[int, ...], chosen: Any, item: t.Type) -> None:
        kind = t.ListType(item)
        self.found.append((path, stage.words.essence(chosen, kind), stage.words.say(stage.state, chosen, kind)))

    def take(self, stage: Stage, choice: Choice, path: tuple[int, ...], grown: Any, item: t.Type) -> None:
        """One more piece, on a copy. Where nothing was left to choose, the machine has completed the set itself."""
        offer = stage.state.offer
        assert offer is not None
        copy = stage.copy()
        frame = copy.state.stack[-1]
        slot = offer.ask.question.slot
        copy.choose(choice.number)
        after = copy.state.offer
        if after is not None and after.ask is offer.ask and after.partial is not None and frame is copy.state.stack[-1]:
            self.walk(copy, (*path, choice.number))
            return
        settled: Any = frame.locals[slot]
        chosen = settled if isinstance(settled, tuple) else grown
        if stage.words.fits_set(stage.state, self.words, chosen, item):
            self.note(stage, (*path, choice.number), chosen, item)
