"""Laying out a position: which pieces lie where, and what the variables say."""

from __future__ import annotations

from collections.abc import Iterator

from attrs import define, field

from interpreter import Layout, PlainMachine, PlayError, State, lift_piece, opening_state, put_piece
from warlock_dsl import Ruleset, Span
from workbench.scenario.model import Filling, Given, Moment, Scenario, Word
from workbench.scenario.stage import Stage, WorkBudget, machine_for
from workbench.scenario.values import Vocabulary

MAX_DECISIONS = 4000  # of the game that is played up to a moment


class PlacementError(Exception):
    """A position cannot be laid out as written: for want of pieces or of room."""

    def __init__(self, expected: str, found: str, span: Span) -> None:
        super().__init__(expected)
        self.expected = expected
        self.found = found
        self.span = span


class MomentError(PlacementError):
    """A real game does not come to the moment a position is laid over."""


def stage_for(ruleset: Ruleset, scenario: Scenario, budget: WorkBudget, machine: PlainMachine | None = None) -> Stage:
    """The position of a scenario, its rule ready to run; nothing has run from it yet."""
    machine = machine or machine_for(ruleset, len(scenario.players))
    words = Vocabulary(machine.layout, scenario.players, scenario.absent)
    given = scenario.given
    if given.at is not None:
        stage = Stage(ruleset, machine, machine.start(scenario.seed), scenario.seed, words, budget)
        reach(stage, given.at)
        lay_over(machine.layout, stage.state, words, given)
    else:
        state = opening_state(machine.layout, scenario.seed)
        lay_out(machine.layout, state, words, given)
        stage = Stage(ruleset, machine, state, scenario.seed, words, budget)
    for setting in given.settings:
        stage.state.variables[setting.slot] = setting.value
    stage.chance = [word.text for word in given.chance]
    if any(step.hearings for step in scenario.steps):
        stage.state.events = []
    if given.begin is not None:
        with stage.working():
            push(stage, scenario)
    return stage


def push(stage: Stage, scenario: Scenario) -> None:
    """Put the rule of `begin` on the stack."""
    call = scenario.given.begin
    assert call is not None
    machine, state = stage.machine, stage.state
    slots: list[object] = [None] * call.slots
    slots[0] = 0
    for name, slot in call.names.items():
        slots[slot] = scenario.players.index(name)
    me = 0 if call.by is None else machine.ev(state, call.by, slots)  # type: ignore[arg-type]
    slots[0] = me
    rule = machine.member(state, call.target, slots)  # type: ignore[arg-type]
    arguments = [machine.ev(state, argument, slots) for argument in call.arguments]  # type: ignore[arg-type]
    machine.push(state, rule, arguments, me)


# --------------------------------------------------------------- a real game


def reach(stage: Stage, moment: Moment) -> None:
    """Play a real game, with the first option each time, to the moment a rule begins."""
    left, decisions = moment.nth, 0

    def here() -> bool:
        nonlocal left
        left -= begins(stage, moment)
        return left == 0

    try:
        while decisions < MAX_DECISIONS and left > 0:
            offer = stage.run(here)
            if offer is None:
                break
            decisions += 1
            stage.machine.take(stage.state, offer.answers[0])
    except PlayError as error:
        raise MomentError(f"a game that comes to {moment.text}", str(error), moment.span) from None
    if left > 0:
        over = "it never came there" if decisions >= MAX_DECISIONS else "the game was over before"
        raise MomentError(f"a game that comes to {moment.text}", f"{over} ({decisions} decisions)", moment.span)


def begins(stage: Stage, moment: Moment) -> bool:
    """Whether the topmost rule is the one, at its very beginning. Its first block is never come back to."""
    frame = stage.state.stack[-1]
    if frame.rule != moment.rule or frame.block != stage.machine.lowered_rules[frame.rule].entry:
        return False
    me = frame.locals[0]
    if moment.me >= 0 and me != moment.me:
        return False
    return moment.where is None or bool(stage.evaluate(moment.where, me if isinstance(me, int) else 0))


# ---------------------------------------------------------------- laying out


def lay_out(layout: Layout, state: State, words: Vocabulary, given: Given) -> None:
    """Every piece from scratch: what is mentioned as written, all else at rest."""
    picker = Picker(words, list(range(layout.piece_count)))
    chosen = picker.pick(given.fillings)
    taken = {piece for pieces in chosen for piece in pieces}
    home = state.place[:]
    for piece in range(layout.piece_count):
        lift_piece(state, piece)
    cells(layout, state, given, chosen)
    for piece in reversed(range(layout.piece_count)):  # each goes under the last, so that they lie in their order
        if piece not in taken:
            rest(layout, state, given, words, piece, home[piece])
    piles(layout, state, words, given, chosen)


def lay_over(layout: Layout, state: State, words: Vocabulary, given: Given) -> None:
    """A position laid over a real one: only the places that are mentioned change."""
    mentioned = [filling.place for filling in given.fillings]
    lifted = [piece for place in mentioned for piece in state.zones[place]]
    resting = [piece for place in dict.fromkeys(given.rest.values()) for piece in reversed(state.zones[place])]
    order = list(dict.fromkeys([*lifted, *resting, *range(layout.piece_count)]))
    chosen = Picker(words, order).pick(given.fillings)
    taken = {piece for pieces in chosen for piece in pieces}
    home = {piece: zone for zone in range(len(layout.places)) for piece in opening(layout, zone)}
    for piece in dict.fromkeys([*lifted, *taken]):
        lift_piece(state, piece)
    cells(layout, state, given, chosen)
    for piece in reversed(lifted):
        if piece not in taken:
            rest(layout, state, given, words, piece, home[piece])
    piles(layout, state, words, given, chosen)


def opening(layout: Layout, place: int) -> tuple[int, ...]:
    """The pieces that start in a place."""
    return layout.starts[place]


def cells(layout: Layout, state: State, given: Given, chosen: list[list[int]]) -> None:
    """Pieces that lie on named cells go first, before anything looks for a free one."""
    for filling, pieces in zip(given.fillings, chosen, strict=True):
        for piece, cell in zip(pieces, spread(filling), strict=True):
            if cell >= 0:
                put_piece(layout, state, piece, filling.place, cell)


def piles(layout: Layout, state: State, words: Vocabulary, given: Given, chosen: list[list[int]]) -> None:
    """All else that is mentioned, on top of what rests there, the last on top."""
    for filling, pieces in zip(given.fillings, chosen, strict=True):
        for piece, cell in zip(pieces, spread(filling), strict=True):
            if cell < 0 and not put_piece(layout, state, piece, filling.place):
                raise PlacementError("room for every piece", f"{words.place_name(filling.place)} is full", filling.span)


def spread(filling: Filling) -> Iterator[int]:
    """The cell of each piece of a filling; -1: none, or the next free one."""
    for word, cell in zip(filling.pieces, filling.cells, strict=True):
        for _ in range(word.count):
            yield cell


def rest(layout: Layout, state: State, given: Given, words: Vocabulary, piece: int, home: int) -> None:
    """A piece nobody mentions: under what lies in its place of rest. One that the rules do not use stays at home."""
    place = home if piece in words.absent else given.rest.get(layout.kind_of[piece], home)
    if layout.places[place].first_cell >= 0:
        if not put_piece(layout, state, piece, place):
            span = given.fillings[0].span if given.fillings else layout.components.span
            raise PlacementError("room for every piece", f"{words.place_name(place)} is full", span)
        return
    state.zones[place] = [piece, *state.zones[place]]
    state.place[piece] = place


@define
class Picker:
    """Finds pieces for words: exact names are reserved first, then each word takes the first that fits."""

    words: Vocabulary
    order: list[int]
    taken: set[int] = field(factory=set)

    def pick(self, fillings: tuple[Filling, ...]) -> list[list[int]]:
        layout = self.words.layout
        named = [word.text for filling in fillings for word in filling.pieces if word.text in layout.piece_number]
        self.taken = {layout.piece_number[name] for name in named}
        return [[piece for word in filling.pieces for piece in self.pieces(word)] for filling in fillings]

    def pieces(self, word: Word) -> list[int]:
        number = self.words.layout.piece_number.get(word.text)
        if number is not None:
            return [number]
        found: list[int] = []
        for piece in self.order:
            if len(found) == word.count:
                break
            if piece not in self.taken and word.text in self.words.calls[piece]:
                found.append(piece)
        self.taken.update(found)
        if len(found) < word.count:
            have = f"{len(found)} left that nothing else has taken"
            raise PlacementError(f"{word.count} of '{word.text}'", have, word.span)
        return found
