"""The state of a game as plain data: zones, cells, variables, the random stream and the place in the rules."""

from __future__ import annotations

import hashlib
import json
from typing import Any

from interpreter.errors import GameFileError, RulesError
from interpreter.state.layout import Layout
from interpreter.state.random import seeded
from warlock_dsl import types as t
from warlock_dsl.check.program import Constant

Local = Constant | None
MAX_KEPT = 2_000_000  # elements of all variables and slots together


class Frame:
    """A rule in progress: which rule, which block of it, and its slots (0 is `me`)."""

    __slots__ = ("block", "locals", "rule")

    def __init__(self, rule: int, block: int, locals_: list[Local]) -> None:
        self.rule = rule
        self.block = block
        self.locals = locals_

    def copy(self) -> Frame:
        return Frame(self.rule, self.block, self.locals[:])


class State:
    """Everything that changes. Lists of small integers; tuples inside are never altered.

    Nor are the lists of pieces: a zone that changes is given a new one, so that copies share those that do not.
    """

    __slots__ = (
        "asking", "at", "cell", "events", "fate", "foreign", "known", "offer", "place", "rng", "stack", "variables",
        "winners", "zones",
    )  # fmt: skip

    def __init__(self) -> None:
        self.zones: list[list[int]] = []  # by place: its pieces, the last on top
        self.place: list[int] = []  # by piece
        self.cell: list[int] = []  # by piece: its cell, or -1
        self.at: list[int] = []  # by cell: its piece (of several, the top), or -1
        self.variables: list[Constant] = []
        self.known: dict[int, int] = {}  # by piece that was shown to somebody: to which seats, as bits
        self.rng = 0
        self.stack: list[Frame] = []
        self.asking = -1  # how deep the frame lies that is collecting secret answers, or -1
        self.fate: list[int] = []  # what chance will say next, before the stream is asked (scenarios)
        self.winners: tuple[int, ...] | None = None  # None: not over
        self.foreign = False  # true: from a save, whose place in the rules nobody here has come to
        # What the machine that runs it keeps at hand; no part of what is saved, compared or hashed.
        self.offer: Any = None  # the question that waits, once the machine has run to it
        self.events: list[Any] | None = None  # what has happened, oldest first; None: no log is kept

    def copy(self) -> State:
        new = _new_state(State)
        new.zones = self.zones[:]
        new.place = self.place[:]
        new.cell = self.cell[:]
        new.at = self.at[:]
        new.variables = self.variables[:]
        new.known = self.known.copy() if self.known else {}
        new.rng = self.rng
        new.stack = stack = []
        for frame in self.stack:
            twin = _new_frame(Frame)
            twin.rule = frame.rule
            twin.block = frame.block
            twin.locals = [*frame.locals]
            stack.append(twin)
        new.asking = self.asking
        new.fate = self.fate[:]
        new.winners = self.winners
        new.foreign = self.foreign
        new.offer = self.offer
        new.events = None if self.events is None else self.events[:]
        return new

    def become(self, other: State) -> None:
        """Be as another, which is of no more use then."""
        for name in State.__slots__:
            setattr(self, name, getattr(other, name))

    def position(self) -> State:
        """A copy of where everything lies, with no rule in progress and no log."""
        new = State()
        new.zones, new.place, new.cell, new.at = self.zones[:], self.place[:], self.cell[:], self.at[:]
        new.variables, new.rng, new.foreign = self.variables[:], self.rng, self.foreign
        new.known = self.known.copy()
        return new

    def without(self, place: int, piece: int) -> None:
        """Take a piece out of the list of a place; where it lies is not changed."""
        pieces = self.zones[place]
        if pieces[-1] == piece:
            self.zones[place] = pieces[:-1]
        else:
            at = pieces.index(piece)
            self.zones[place] = pieces[:at] + pieces[at + 1 :]

    # ------------------------------------------------------------- compare, save

    def frozen(self) -> bytes:
        """The same in few bytes."""
        return json.dumps(self.data(), separators=(",", ":")).encode()

    def data(self) -> dict[str, Any]:
        """The state as JSON would hold it. Zones alone say where pieces lie; the rest of that is derived."""
        found = {
            "zones": self.zones,
            "cells": self.cell,
            "variables": self.variables,
            "rng": self.rng,
            "stack": [[frame.rule, frame.block, frame.locals] for frame in self.stack],
            "asking": self.asking,
            "fate": self.fate,
            "winners": self.winners,
        }
        return {**found, "known": [list(one) for one in sorted(self.known.items())]} if self.known else found

    def key(self) -> bytes:
        self._bounded()
        return json.dumps(self.data(), separators=(",", ":"), sort_keys=True).encode()

    def digest(self) -> str:
        """A name for the state, the same on every machine."""
        return hashlib.sha256(self.key()).hexdigest()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, State) and self._facts() == other._facts()

    def __hash__(self) -> int:
        return hash(self._facts())

    def _facts(self) -> tuple[object, ...]:
        """What a save would hold, for this process alone: hashed and compared without being written out."""
        self._bounded()
        frames = [(frame.rule, frame.block, tuple(frame.locals)) for frame in self.stack]
        zones, cells, values = tuple(map(tuple, self.zones)), tuple(self.cell), tuple(self.variables)
        known = frozenset(self.known.items())
        return zones, cells, values, self.rng, tuple(frames), self.asking, tuple(self.fate), self.winners, known

    def _bounded(self) -> None:
        left = MAX_KEPT
        kept: list[Any] = [self.variables, *[frame.locals for frame in self.stack]]
        for values in kept:
            for value in values:
                if type(value) is tuple:
                    left = _count(value, left)


_new_frame, _new_state = Frame.__new__, State.__new__  # looked up once: a search makes millions


def _count(values: Any, left: int) -> int:
    """How many more elements there may be. A list that stands in many places is written out in each."""
    left -= len(values)
    if left < 0:
        raise RulesError("the rules keep more in mind than can be saved or compared")
    for value in values:
        if isinstance(value, list | tuple):
            left = _count(value, left)
    return left


def opening_state(layout: Layout, seed: int) -> State:
    """All pieces where they start, all variables at their first value, nothing begun."""
    state = State()
    state.zones = [[] for _ in layout.places]
    state.place = [-1] * layout.piece_count
    state.cell = [-1] * layout.piece_count
    state.at = [-1] * len(layout.cell_place)
    state.variables = list(layout.first_values)
    state.rng = seeded(seed)
    for place, pieces in enumerate(layout.starts):
        for piece in pieces:
            put_piece(layout, state, piece, place)
    return state


def put_piece(layout: Layout, state: State, piece: int, place: int, cell: int = -1) -> bool:
    """Lay a piece that lies nowhere on a place (on top, or on a cell); False when there is no room."""
    pieces = state.zones[place]
    first = layout.places[place].first_cell
    if first >= 0:
        if cell < 0:
            size = len(layout.components.grids[layout.places[place].grid].cells)
            cell = next((c for c in range(first, first + size) if state.at[c] < 0), -1)
        if cell < 0 or (state.at[cell] >= 0 and not layout.stacks[cell]):
            return False
        state.at[cell] = piece
        state.cell[piece] = cell
        index = next((i for i, other in enumerate(pieces) if state.cell[other] > cell), len(pieces))
        state.zones[place] = [*pieces[:index], piece, *pieces[index:]]
    else:
        state.zones[place] = [*pieces, piece]
    state.place[piece] = place
    return True


def pieces_on(layout: Layout, state: State, cell: int) -> tuple[int, ...]:
    """What lies on a cell, the top last."""
    top = state.at[cell]
    if top < 0:
        return ()
    if not layout.stacks[cell]:
        return (top,)
    pieces = state.zones[layout.cell_place[cell]]
    last = first = pieces.index(top)
    while first > 0 and state.cell[pieces[first - 1]] == cell:
        first -= 1
    return tuple(pieces[first : last + 1])


def lift_piece(state: State, piece: int) -> None:
    """Take a piece from where it lies."""
    place, cell = state.place[piece], state.cell[piece]
    if cell >= 0:
        if state.at[cell] == piece:
            pieces = state.zones[place]
            before = pieces.index(piece) - 1  # a grid has its pieces in the order of the cells
            under = before >= 0 and state.cell[pieces[before]] == cell
            state.at[cell] = pieces[before] if under else -1
        state.cell[piece] = -1
    state.without(place, piece)
    state.place[piece] = -1


# ---------------------------------------------------------------------- load


def state_unpacked(layout: Layout, data: Any) -> State:
    """The state that `State.data` gave in this run: nothing of it is tested."""
    state = State()
    state.zones, state.cell = data["zones"], data["cells"]
    state.place = [-1] * len(state.cell)
    state.at = [-1] * len(layout.cell_place)
    for place, pieces in enumerate(state.zones):
        for piece in pieces:
            state.place[piece] = place
            if state.cell[piece] >= 0:
                state.at[state.cell[piece]] = piece  # of several on a cell, the last is the top
    state.variables = [_tuples(value) for value in data["variables"]]
    state.rng, state.asking, state.fate = data["rng"], data["asking"], data["fate"]
    state.stack = [Frame(rule, block, [_tuples(v) for v in slots]) for rule, block, slots in data["stack"]]
    state.winners = None if data["winners"] is None else tuple(data["winners"])
    state.known = dict(data.get("known", ()))
    return state


def _tuples(value: Any) -> Any:
    return tuple(_tuples(item) for item in value) if isinstance(value, list) else value


def thawed(content: bytes) -> object:
    """What `State.frozen` has written, nothing of it tested but that it is data."""
    try:
        return json.loads(content)
    except (ValueError, RecursionError):
        raise GameFileError("what was kept is no state of this ruleset") from None


def state_from_data(layout: Layout, data: object, frame_sizes: list[tuple[int, int]]) -> State:
    """The state a save holds, every part of it tested: a save may come from a stranger.

    `frame_sizes` has, by rule, how many blocks and how many slots there are.
    """
    if not isinstance(data, dict):
        raise GameFileError("the state of the save is not a table")
    state = State()
    state.foreign = True
    _load_pieces(layout, data, state)
    variables = data.get("variables")
    if not isinstance(variables, list) or len(variables) != len(layout.slots):
        raise GameFileError("the save has not the variables of this ruleset")
    state.variables = [_constant(value) for value in variables]
    for value, slot, first in zip(state.variables, layout.slots, layout.first_values, strict=True):
        bad = type(value) is not type(first) or not _of_type(layout, value, slot.type)
        if bad or (slot.low is not None and not slot.low <= int(value) <= (slot.high or 0)):  # type: ignore[arg-type]
            raise GameFileError(f"the save has a value for '{slot.name}' that it cannot have")
    state.rng = _whole(data.get("rng"), 0, (1 << 64) - 1, "random stream")
    fate = data.get("fate")
    state.fate = [_whole(x, 0, 1 << 20, "chance") for x in fate] if isinstance(fate, list) else []
    stack = data.get("stack")
    if not isinstance(stack, list) or len(stack) > layout.components.limits.depth + 8:
        raise GameFileError("the save has no place in the rules")
    state.stack = [frame_from_data(entry, frame_sizes) for entry in stack]
    state.asking = _whole(data.get("asking"), -1, len(state.stack) - 1, "place of a secret choice")
    state.known = _known(layout, data.get("known", []))
    winners = data.get("winners")
    if winners is not None:
        if not isinstance(winners, list):
            raise GameFileError("the winners of the save are no list")
        state.winners = tuple(_whole(w, 0, layout.players - 1, "winner") for w in winners)
    return state


def _of_type(layout: Layout, value: Any, kind: t.Type | None) -> bool:
    """Whether a value names something that there is."""
    match kind:
        case t.ListType():
            return isinstance(value, tuple) and all(_of_type(layout, item, kind.item) for item in value)
        case t.TruthType():
            return isinstance(value, bool)
        case t.PlayerType():
            high = layout.players
        case t.RowType():
            high = len(layout.components.tables[kind.table].rows)
        case t.KeyType():
            high = len(layout.program.families[kind.family].keys)
        case t.CellType():
            high = len(layout.cell_place)
        case t.PieceType():
            high = layout.piece_count
        case _:
            return True
    low = -1 if isinstance(kind, t.CellType) else 0
    if isinstance(value, bool) or not isinstance(value, int) or not low <= value < high:
        return False
    return not isinstance(kind, t.PieceType) or not kind.kinds or layout.kind_names[layout.kind_of[value]] in kind.kinds


def _known(layout: Layout, pairs: object) -> dict[int, int]:
    """Which pieces were shown to whom."""
    found: dict[int, int] = {}
    for pair in pairs if isinstance(pairs, list) else [None]:
        if not isinstance(pair, list | tuple) or len(pair) != 2:
            raise GameFileError("what was shown is no part of a game in the save")
        piece = _whole(pair[0], 0, layout.piece_count - 1, "piece")
        found[piece] = _whole(pair[1], 1, (1 << layout.players) - 1, "seat")
    return found


def _load_pieces(layout: Layout, data: dict[str, Any], state: State) -> None:
    zones, cells = data.get("zones"), data.get("cells")
    if not isinstance(zones, list) or len(zones) != len(layout.places):
        raise GameFileError("the save has not the zones of this ruleset")
    if not isinstance(cells, list) or len(cells) != layout.piece_count:
        raise GameFileError("the save has not the pieces of this ruleset")
    blank = opening_state(layout, 0)
    state.zones = [[] for _ in layout.places]
    state.place = [-1] * layout.piece_count
    state.cell = [-1] * layout.piece_count
    state.at = blank.at[:]
    state.at[:] = [-1] * len(state.at)
    for place, pieces in enumerate(zones):
        if not isinstance(pieces, list):
            raise GameFileError("a zone of the save is no list")
        for entry in pieces:
            piece = _whole(entry, 0, layout.piece_count - 1, "piece")
            if state.place[piece] >= 0 or layout.kind_of[piece] not in layout.places[place].kinds:
                raise GameFileError(f"the save has '{layout.piece_names[piece]}' where it cannot lie")
            cell = _whole(cells[piece], -1, len(layout.cell_place) - 1, "cell")
            on_grid = layout.places[place].first_cell >= 0
            if on_grid != (cell >= 0) or (cell >= 0 and layout.cell_place[cell] != place):
                raise GameFileError(f"the save has '{layout.piece_names[piece]}' on a cell of another zone")
            if not put_piece(layout, state, piece, place, cell):
                raise GameFileError(f"the save has two pieces on the cell of '{layout.piece_names[piece]}'")
    if -1 in state.place:
        raise GameFileError(f"the save lacks '{layout.piece_names[state.place.index(-1)]}'")
    for piece in layout.owned:
        outer, steps = layout.places[state.place[piece]], 0
        while outer.owner_kind not in ("", "player"):
            outer, steps = layout.places[state.place[outer.owner]], steps + 1
            if steps > layout.piece_count:
                raise GameFileError(f"the save has '{layout.piece_names[piece]}' within itself")


def frame_from_data(entry: object, frame_sizes: list[tuple[int, int]]) -> Frame:
    if not isinstance(entry, list | tuple) or len(entry) != 3 or not isinstance(entry[2], list | tuple):
        raise GameFileError("a frame of the save is not one")
    rule = _whole(entry[0], 0, len(frame_sizes) - 1, "rule")
    blocks, slots = frame_sizes[rule]
    block = _whole(entry[1], 0, blocks - 1, "place in a rule")
    if len(entry[2]) != slots:
        raise GameFileError("a frame of the save has not the slots of its rule")
    return Frame(rule, block, [None if value is None else _constant(value) for value in entry[2]])


def _whole(value: object, low: int, high: int, what: str) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
        raise GameFileError(f"the save has a {what} that cannot be")
    return value


def _constant(value: object, depth: int = 0) -> Any:
    """Integers, truths and lists of them; deeper or larger things are no part of a game."""
    if isinstance(value, bool) or (isinstance(value, int) and abs(value) < 1 << 64):
        return value
    if value is None and depth:
        return None
    if isinstance(value, list | tuple) and depth < 12 and len(value) <= 100_000:
        return tuple(_constant(item, depth + 1) for item in value)
    raise GameFileError("the save holds a value that no game has")
