"""The smallest table that shows a difference: a position laid out, and made smaller piece by piece.

It is taken from a game in which two rulesets diverge, at the moment a rule begins shortly before they do. What is not
needed is laid to rest, zone by zone, then piece by piece, as long as the two still diverge within a few answers and
every law of both holds.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import product
from typing import Any

from attrs import evolve, frozen

from interpreter import Frame, Game, Layout, Observation, PlayError, number_text, opening_state
from warlock_dsl import Ruleset
from warlock_dsl import types as t
from workbench.diff.laid_out import Arranger, LaidOut, Spot, UnreadableError, position_of
from workbench.diff.lockstep import EVERYBODY, Found, Lockstep, follow
from workbench.scenario.place_pieces import PlacementError
from workbench.scenario.stage import Stage, WorkBudget, machine_for
from workbench.scenario.values import Vocabulary
from workbench.transcripts.record import seat_names
from workbench.transcripts.transcript import Move, Transcript

MAX_ANSWERS = 3  # within which two rulesets must diverge on the smallest table
MAX_NAMED = 12  # pieces that it may name
BACK = 8  # answers before the divergence within which the rule may begin
MAX_SHRUNK = 6  # positions that are made smaller, until one is small enough
FEW = range(3)  # pieces of a kind that may be elsewhere when all others fill a place
RESTS = 3  # places that are tried as the one where the other pieces are
TRIES = 160  # positions that are tried to make one smaller
WORK = 20_000_000


@frozen
class Beginning:
    """A moment of a game at which a rule begins: after how many answers, the call, and all that is on the table."""

    answers: int
    begin: str
    view: Observation


@frozen
class Smallest:
    """A laid-out position in which two rulesets diverge, and the answers until they do."""

    laid: LaidOut
    found: Found
    pair: Lockstep  # the two games where they diverge
    reached: bool  # whether this very table was reached in play


def smallest_table(
    old: Ruleset, new: Ruleset, others: Sequence[Ruleset], transcript: Transcript, kind: str
) -> Smallest | None:
    """The smallest table found; None where no rule begins near enough, or it stays too large. `transcript` leads to
    the divergence, `kind` says in which way it is one; the laws of `others` must hold, too."""
    seats = seat_names(old, transcript.players)
    tables = _Tables(old, new, others, seats, transcript, kind)
    best: Smallest | None = None
    positions = sorted(_positions(tables, old, transcript, seats), key=lambda one: one[2])
    for laid, answers, _ in positions[:MAX_SHRUNK]:
        found = tables.made_smaller(laid, answers)
        if found is not None and (best is None or _size(found) < _size(best)):
            best = found
        if best is not None and _size(best)[:2] == (False, False):
            break
    return best if best is not None and _size(best)[:2] == (False, False) else None


def laid_again(
    old: Ruleset, new: Ruleset, laid: LaidOut, answers: Sequence[Move], kind: str, reached: bool
) -> Smallest | None:
    """A table that was found before; None where it does not show the difference."""
    script = Transcript(len(laid.seats), laid.seed, tuple(answers))
    try:
        sides = Arranger(old, laid.seats, laid.seed).stage(laid), Arranger(new, laid.seats, laid.seed, old).stage(laid)
        pair = Lockstep(*sides, scored=kind == "score")
        found = follow(pair, script, len(answers), strict=True)
    except (PlacementError, PlayError, UnreadableError):
        return None
    return None if found is None else Smallest(laid, found, pair, reached)


def _size(found: Smallest) -> tuple[bool, bool, int, int]:
    answers, named = len(found.found.transcript.moves), len(found.laid.spots)
    return answers > MAX_ANSWERS, named > MAX_NAMED, named, answers


# ------------------------------------------------------------------ where to begin


def _positions(
    tables: _Tables, old: Ruleset, transcript: Transcript, seats: Sequence[str]
) -> Iterator[tuple[LaidOut, int, bool]]:
    """Whole positions that show the difference, those nearest to it first, each with the answers given before it and
    whether nobody is asked anything in it before the two diverge, so that it says less."""
    machine = machine_for(old, transcript.players)
    opening = machine.observe(opening_state(machine.layout, transcript.seed), EVERYBODY)
    for moment in _beginnings(old, transcript, seats):
        spots, variables = position_of(old.components, moment.view, seats, opening)
        spots = tables.known(spots)
        for rest in _rests(tables.old, spots):
            named = _named(tables.old, spots, rest)
            laid = LaidOut(tuple(seats), transcript.seed, named, variables, rest, moment.begin)
            found = tables.shows(laid, moment.answers, BACK)
            if found is not None:
                yield laid, moment.answers, bool(moment.begin) and not found.found.transcript.moves
                break


def _beginnings(old: Ruleset, transcript: Transcript, seats: Sequence[str]) -> list[Beginning]:
    """The moments at which a rule begins, and the last position itself; those nearest to the divergence first."""
    machine = machine_for(old, transcript.players)
    first = max(0, len(transcript.moves) - BACK)
    state = machine.start(transcript.seed)
    if first:
        game = Game.start(old, transcript.players, transcript.seed, laws=False)
        for move in transcript.moves[:first]:
            game.answer(move.key)
        state = machine.unpack(game.machine.pack(game.state), trusted=True)
    stage = Stage(old, machine, state, transcript.seed, Vocabulary(machine.layout, seats), WorkBudget(WORK))
    found: list[Beginning] = []
    seen: set[int] = set()

    def note() -> bool:
        frame = stage.state.stack[-1]
        fresh = frame.block == machine.lowered_rules[frame.rule].entry and id(frame) not in seen
        if fresh and stage.state.asking < 0:
            seen.add(id(frame))
            kept.append(frame)
            begin = call_of(old, machine.layout, frame, seats, stage)
            if begin:
                found.append(Beginning(answers, begin, machine.observe(stage.state, EVERYBODY)))
        return False

    kept: list[Frame] = []  # so that no other frame gets the number of one that is gone
    for answers in range(first, len(transcript.moves) + 1):
        stage.state.offer = stage.run(note)
        if answers < len(transcript.moves):
            keys = [machine.key(stage.state, number) for number in range(machine.count(stage.state))]
            machine.choose(stage.state, keys.index(transcript.moves[answers].key))
    here = Beginning(len(transcript.moves), "", machine.observe(stage.state, EVERYBODY))
    return [here, *reversed(found)]


def call_of(ruleset: Ruleset, layout: Layout, frame: Frame, seats: Sequence[str], stage: Stage) -> str:
    """A frame as the call that makes it, in the words of a scenario; "" where there are none for an argument."""
    rule = ruleset.program.rules[frame.rule]
    if rule.hooked or rule.event or rule.past:
        return ""
    values = [
        _argument(layout, frame.locals[1 + place], kind, seats, stage)
        for place, (_, kind) in enumerate(rule.parameters)
    ]
    if "" in values:
        return ""
    me = frame.locals[0]
    name = f"{rule.name}[{rule.key}]" if rule.key else rule.name
    by = f" by {seats[me]}" if isinstance(me, int) and 0 <= me < len(seats) else ""
    return f"{name}({', '.join(values)}){by}"


def _argument(layout: Layout, value: Any, kind: t.Type, seats: Sequence[str], stage: Stage) -> str:
    match kind:
        case t.NumberType():
            return number_text(value, layout.unit)
        case t.TruthType():
            return "true" if value else "false"
        case t.PlayerType():
            return str(seats[value])
        case t.RowType() | t.KeyType():
            return str(layout.components.words_of(kind)[value])
        case t.ZoneType():
            return _zone(layout, value, seats)
        case t.PieceType():
            place = stage.state.place[value]
            top = stage.state.zones[place][-1] == value and layout.places[place].first_cell < 0
            name = _zone(layout, place, seats)
            return f"top({name})" if top and name else ""
    return ""


def _zone(layout: Layout, number: int, seats: Sequence[str]) -> str:
    place = layout.places[number]
    if place.row or place.owner_kind not in ("", "player"):
        return ""
    return f"{seats[place.owner]}.{place.name}" if place.owner_kind else place.name


def _rests(rules: Arranger, spots: Sequence[Spot]) -> Iterator[dict[str, str]]:
    """Where pieces that nothing names may be, by kind: where most of the kind are; then other places for the kind that
    there is most of. A kind most of which is where it starts needs no word."""
    kinds: dict[str, Counter[str]] = {}
    for spot in spots:
        kinds.setdefault(rules.kind(spot), Counter())[spot.place] += 1
    if not kinds:
        yield {}
        return
    ranked = {kind: [place for _, place in sorted((-many, place) for place, many in found.items())]
              for kind, found in kinds.items()}  # fmt: skip
    first = {kind: places[0] for kind, places in ranked.items() if {*rules.homes[kind].values()} != {places[0]}}
    yield first
    largest = max(kinds, key=lambda kind: kinds[kind].total())
    for place in ranked[largest][:RESTS]:
        if first.get(largest) != place:
            yield {**first, largest: place}


def _named(rules: Arranger, spots: Sequence[Spot], rest: Mapping[str, str]) -> tuple[Spot, ...]:
    """The pieces that are not where they would be unnamed."""
    kinds = [rules.kind(spot) for spot in spots]
    return tuple(
        spot
        for spot, kind in zip(spots, kinds, strict=True)
        if spot.place != rest.get(kind, rules.homes[kind][spot.piece])
    )


# ------------------------------------------------------------------ making it small


class _Tables:
    """Tries laid-out positions under two rulesets."""

    def __init__(
        self,
        old: Ruleset,
        new: Ruleset,
        others: Sequence[Ruleset],
        seats: Sequence[str],
        transcript: Transcript,
        kind: str,
    ) -> None:
        self.transcript = transcript
        self.kind = kind
        self.old = Arranger(old, seats, transcript.seed)
        self.new = Arranger(new, seats, transcript.seed, old)
        self.others = [Arranger(other, seats, transcript.seed, old) for other in others]
        self.tries = 0

    def known(self, spots: Sequence[Spot]) -> tuple[Spot, ...]:
        """The same position with pieces that all the rulesets have: each other one changes places with one like it
        that is in the largest heap; where there is none, it is left out."""
        everyone = self.old, self.new, *self.others
        strange = [spot for spot in spots if not all(one.knows(spot) for one in everyone)]
        if not strange:
            return tuple(spots)
        calls = self.old.calls
        counts = Counter(spot.place for spot in spots)
        heap = max(counts, key=lambda place: counts[place])
        spare = [spot.piece for spot in spots if spot.place == heap and spot not in strange]
        instead: dict[str, str] = {}
        for spot in strange:
            like = next((piece for piece in spare if calls[piece] == calls[spot.piece] and spot.place != heap), "")
            if like:
                spare.remove(like)
                instead |= {spot.piece: like, like: spot.piece}
        swapped = [evolve(spot, piece=instead.get(spot.piece, spot.piece)) for spot in spots]
        return tuple(spot for spot in swapped if all(one.knows(spot) for one in everyone))

    def shows(self, laid: LaidOut, answers: int, maximum: int) -> Smallest | None:
        """The position, where the two diverge in it after at most so many answers and no law of either is broken.
        `answers` of the transcript were given before it."""
        self.tries += 1
        moves = self.transcript.moves[answers:]
        script = Transcript(self.transcript.players, self.transcript.seed, moves)
        try:
            scored = self.kind == "score"
            pair = Lockstep(self.old.stage(laid), self.new.stage(laid), scored)
            found = follow(pair, script, maximum)
        except (PlacementError, PlayError, UnreadableError):
            return None
        if found is None or found.divergence.kind == "error":
            return None
        return Smallest(laid, found, pair, False)

    def lawful(self, laid: LaidOut) -> bool:
        """Whether the position can be laid out under the whole of each other ruleset, and breaks no law there."""
        try:
            for other in self.others:
                other.stage(laid)
        except (PlacementError, PlayError, UnreadableError):
            return False
        return True

    def made_smaller(self, laid: LaidOut, answers: int) -> Smallest | None:
        best = self.shows(laid, answers, BACK)
        if best is None:
            return None
        self.tries = 0
        for lawful in (False, True):
            found = self._shrunk(best, answers, lawful)
            if len(found.laid.spots) > MAX_NAMED:
                found = self._filled(found, answers, lawful)
            if self.lawful(found.laid):
                return evolve(found, reached=found.laid == laid)
        return None

    def _filled(self, best: Smallest, answers: int, lawful: bool) -> Smallest:
        """Where a place must be full: fill it with the pieces of a kind that are not named, instead of with named ones.
        Of that kind a few may have to be elsewhere."""
        places = best.laid.places()
        full = max(places, key=lambda name: len(places[name]))
        self.tries = 0
        for kind, homes in self.old.homes.items():
            inside = [spot for spot in places[full] if self.old.kind(spot) != kind]
            moved = {spot.piece for spot in places[full]} & homes.keys()
            elsewhere = [spot for spot in best.laid.spots if spot.place != full and self.old.kind(spot) == kind]
            named = {spot.piece for spot in elsewhere}
            home = [Spot(place, -1, piece) for piece, place in homes.items() if piece not in moved | named]
            for kept, last in product(FEW, (True, False)):
                gone = len(home) - kept
                if kind in best.laid.rest or not 0 < gone <= len(inside):
                    continue
                leave = inside[-gone:] if last else inside[:gone]
                own = tuple(spot for spot in best.laid.spots if spot not in leave and spot.piece not in moved)
                rest = {**best.laid.rest, kind: full}
                found = self.shows(evolve(best.laid, spots=(*own, *home[:kept]), rest=rest), answers, BACK)
                if found is not None and len(found.laid.spots) < len(best.laid.spots):
                    return self._shrunk(found, answers, lawful)
        return best

    def _shrunk(self, best: Smallest, answers: int, lawful: bool) -> Smallest:
        """Lay to rest whatever is not needed. With `lawful` the whole of the other ruleset is asked at every step."""

        def attempt(laid: LaidOut) -> bool:
            nonlocal best
            if self.tries >= TRIES or laid == best.laid:
                return False
            maximum = max(MAX_ANSWERS, len(best.found.transcript.moves))
            found = self.shows(laid, answers, maximum)
            if found is None or (lawful and not self.lawful(laid)):
                return False
            best = found
            return True

        before = None
        while before != best.laid and self.tries < TRIES:
            before = best.laid
            attempt(evolve(best.laid, variables={}))
            for name in [*best.laid.variables]:
                attempt(evolve(best.laid, variables={n: v for n, v in best.laid.variables.items() if n != name}))
            places = best.laid.places()
            for name in sorted(places, key=lambda name: len(places[name]), reverse=True):
                _fewer(places[name], lambda spots: attempt(best.laid.without(spots)))
        return best


def _fewer(spots: Sequence[Spot], attempt: Callable[[Sequence[Spot]], bool]) -> None:
    """Lay the pieces of a place to rest: all of them, else each half of them likewise."""
    if attempt(spots) or len(spots) < 2:
        return
    middle = len(spots) // 2
    _fewer(spots[middle:], attempt)
    _fewer(spots[:middle], attempt)
