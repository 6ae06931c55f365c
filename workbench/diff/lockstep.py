"""Two games in lockstep: the same seats, seed and answers under two rulesets, and the first moment at which they part.

Things are compared by their names, since the same piece or place may have another number under other rules. A zone that
only one of the two has counts once something lies in it. A variable that only one has is mere bookkeeping: it counts by
what it does.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache

from attrs import field, frozen

from interpreter import (
    Game,
    Layout,
    Machine,
    Observation,
    PlayError,
    VariableView,
    ZoneView,
    change_words,
    declared_sight,
    other_sight,
)
from warlock_dsl import Ruleset
from workbench.transcripts.transcript import Move, Script, Transcript, question_of

Thing = tuple[str, str, int, str]  # zone or variable, its word, the seat that owns it (-1: none), the piece that does
EVERYBODY = -1  # a viewer to whom nothing is hidden


@frozen
class Fact:
    """What a viewer knows of one thing: how many pieces lie there (None: even that is hidden, or it is a variable), and
    the names of those that can be named, with their cells (-1: none); or a variable's value, if it is known."""

    count: int | None
    content: tuple[tuple[str, int, int], ...]


Facts = Mapping[Thing, Fact]


@frozen
class Divergence:
    """How two games differ at a moment. `kind` is one of `DIVERGENCES`.

    `keys_old` and `keys_new` are the options that only one of them has, the places in the rules where something is
    asked, the parts of the score, or the winners. Where it is a matter of what the seat `viewer` sees, `facts_old` and
    `facts_new` are the things that differ and what is known of each.
    """

    kind: str
    viewer: int = EVERYBODY
    keys_old: tuple[str, ...] = ()
    keys_new: tuple[str, ...] = ()
    facts_old: Facts = field(factory=dict)
    facts_new: Facts = field(factory=dict)
    told: str = ""  # what an error says


class Lockstep:
    """Two games that are given the same answers. `scored`: whether the points are compared before the end, too.

    Where the second game cannot even begin, `error` says why, and the first stands in for it.
    """

    def __init__(self, old: Game, new: Game, scored: bool = True) -> None:
        self.old, self.new, self.scored = old, new, scored
        self.pair = paired(old.machine, new.machine)
        self.error: PlayError | None = None  # of the second game, at the last answer

    @classmethod
    def begin(cls, old: Ruleset, new: Ruleset, players: int, seed: int, scored: bool = True) -> Lockstep:
        """Both games at their start; an error of the first is raised."""
        game = Game.start(old, players, seed, laws=False)
        try:
            return cls(game, Game.start(new, players, seed, laws=False), scored)
        except PlayError as error:
            pair = cls(game, game, scored)
            pair.error = error
            return pair

    def copy(self) -> Lockstep:
        found = Lockstep(self.old.copy(), self.new.copy(), self.scored)
        found.error = self.error
        return found

    def choose(self, number: int) -> None:
        """Answer both with an option of the first. They must not have parted."""
        key = self.old.options()[number].key
        self.follow(key)
        self.old.choose(number)

    def follow(self, key: str) -> None:
        """Answer the second alone, with an option of the first: its game is known to go on with that answer."""
        number = [option.key for option in self.old.options()].index(key)
        try:
            self.new.choose(self._place(key, number))
        except PlayError as error:
            self.error = error

    def _place(self, key: str, number: int) -> int:
        """The same option in the second game; of pieces that are alike, the one that stands at the same place."""
        keys = [option.key for option in self.new.options()]
        return keys.index(key) if key in keys else number

    def divergence(self) -> Divergence | None:
        """How the games differ now; None while they do not. What is cheap to compare comes first."""
        if self.error is not None:
            return Divergence("error", told=str(self.error))
        return self._end() or self._question() or self._sight() or self._score()

    def _end(self) -> Divergence | None:
        old, new = self.old, self.new
        if (old.over, old.winners) == (new.over, new.winners):
            return None
        return Divergence("end", keys_old=_outcome(old), keys_new=_outcome(new))

    def _question(self) -> Divergence | None:
        old, new = self.old, self.new
        same_place = old.question == new.question
        if old.to_move != new.to_move:
            return Divergence("asked", keys_old=(old.question,), keys_new=(new.question,))
        ours, theirs = ([option.key for option in game.options()] for game in (old, new))
        if ours == theirs:
            return None  # at whatever place of the rules it is asked
        ours, theirs = self.pair.faces(ours), self.pair.faces(theirs)
        if sorted(ours) == sorted(theirs):
            return None
        if not same_place:
            return Divergence("asked", keys_old=(old.question,), keys_new=(new.question,))
        return Divergence("options", old.to_move, _without(ours, theirs), _without(theirs, ours))

    def _sight(self) -> Divergence | None:
        if self.pair.same_things and self._same_table():
            sizes = self.old.machine.sizes(self.old.state)
            if self.pair.same_eyes or not any(sizes[place] for place in self.pair.other_eyes or range(len(sizes))):
                return None
        asked = self.old.to_move
        seats = sorted(range(self.old.players), key=lambda seat: seat != asked)
        for viewer in seats:
            ours, theirs = self.pair.differing(self.old.observe(viewer), self.new.observe(viewer))
            if ours or theirs:
                return self._seen(viewer, ours, theirs)
        return None

    def _same_table(self) -> bool:
        old, new = self.old, self.new
        return old.machine.table(old.state) == new.machine.table(new.state)

    def _seen(self, viewer: int, ours: Facts, theirs: Facts) -> Divergence:
        """A parting that somebody sees: of what lies where, or only of who sees it."""
        true = self.pair.differing(self.old.observe(EVERYBODY), self.new.observe(EVERYBODY))
        kind = "outcome" if any(thing in side for thing in (*ours, *theirs) for side in true) else "sight"
        return Divergence(kind, viewer, facts_old=ours, facts_new=theirs)

    def _score(self) -> Divergence | None:
        if not self.scored and not self.old.over:
            return None
        ours, theirs = _points(self.old), _points(self.new)
        if ours == theirs:
            return None
        return Divergence("score", keys_old=_without(ours, theirs), keys_new=_without(theirs, ours))


def _outcome(game: Game) -> tuple[str, ...]:
    if not game.over:
        return ("not over",)
    return tuple(f"seat{seat}" for seat in game.winners) or ("nobody",)


def _points(game: Game) -> list[str]:
    """The parts of everybody's points, without those that are nothing: a part that only one ruleset has counts then."""
    return [
        f"seat{seat}.{name}: {points}"
        for seat, sheet in enumerate(game.scores())
        for name, points in (*sheet.part_texts.items(), ("total", sheet.total_text))
        if points != "0" or name == "total"
    ]


def _without(ours: list[str], theirs: list[str]) -> tuple[str, ...]:
    left = list(theirs)
    found = []
    for one in ours:
        if one in left:
            left.remove(one)
        else:
            found.append(one)
    return tuple(found)


# ---------------------------------------------------------------------- seeing


def named(thing: Thing) -> str:
    """A thing as scenarios name it: its owner, then its name."""
    _, name, owner, holder = thing
    return f"{holder}.{name}" if holder else f"seat{owner}.{name}" if owner >= 0 else name


def parted(what: str, word: str) -> tuple[str, str]:
    """The name of a thing, and the row that it is for, or ""."""
    if word.endswith("]"):
        name, _, row = word[:-1].partition("[")
        return name, row
    row, _, name = word.rpartition(".") if what == "zone" else ("", "", word)
    return name, row


class Pair:
    """What two layouts have in common: which comparisons can be made number by number."""

    def __init__(self, old: Layout, new: Layout) -> None:
        self.same_things = _things(old) == _things(new) and old.piece_names == new.piece_names
        self.same_eyes = declared_sight(old) == declared_sight(new)
        self.other_eyes = other_sight(old, new) if self.same_things else ()
        alike = old.piece_names == new.piece_names and old.twin == new.twin
        self.face = {name: old.piece_names[old.twin[number]] for number, name in enumerate(old.piece_names)}
        if not alike:
            self.face = {}
        self.slots = {place.name for place in old.places if place.grid and old.components.grids[place.grid].slots}

    def faces(self, keys: list[str]) -> list[str]:
        """Keys in which a piece stands for all that are exactly like it."""
        return [change_words(key, lambda word: self.face.get(word, word)) for key in keys]

    def differing(self, old: Observation, new: Observation) -> tuple[dict[Thing, Fact], dict[Thing, Fact]]:
        """What two viewers in the same seat know differently: of either side, the things that differ."""
        ours, theirs = dict(self._facts(old)), dict(self._facts(new))
        return self._less(ours, theirs), self._less(theirs, ours)

    def _less(self, one: Facts, other: Facts) -> dict[Thing, Fact]:
        return {thing: fact for thing, fact in one.items() if self._matters(thing, fact, other)}

    def _matters(self, thing: Thing, fact: Fact, other: Facts) -> bool:
        if thing in other:
            return other[thing] != fact
        return thing[0] == "zone" and bool(fact.count)

    def _facts(self, view: Observation) -> Iterator[tuple[Thing, Fact]]:
        for zone in view.zones:
            yield ("zone", zone.word, zone.owner, zone.holder), self._zone(zone)
        for variable in view.variables:
            yield _variable(variable)

    def _zone(self, zone: ZoneView) -> Fact:
        names = [self.face.get(piece.name, piece.name) for piece in zone.pieces]
        if zone.cells and zone.name not in self.slots:
            cells = zip(zone.cells, zone.lying(), strict=True)
            lying = [(names[n], row, column) for (row, column, _), there in cells for n in there if names[n]]
            return Fact(zone.count, tuple(lying))
        return Fact(zone.count, tuple((name, -1, -1) for name in sorted(names) if name))


def _variable(view: VariableView) -> tuple[Thing, Fact]:
    value = () if view.value is None else ((view.value.key(), -1, -1),)
    return ("variable", view.word, view.owner, view.holder), Fact(None, value)


def _things(layout: Layout) -> tuple[object, ...]:
    places = [(place.word, place.owner, place.owner_kind, place.grid) for place in layout.places]
    slots = [(slot.word, slot.owner, slot.owner_kind, slot.type) for slot in layout.slots]
    grids = {name: grid.cells for name, grid in layout.components.grids.items()}
    return places, slots, grids, layout.unit


@lru_cache(maxsize=256)
def paired(old: Machine, new: Machine) -> Pair:
    return Pair(old.layout, new.layout)


# --------------------------------------------------------------------- following


@frozen
class Found:
    """Where two games parted: the answers given until then, and how."""

    transcript: Transcript
    divergence: Divergence


def follow(pair: Lockstep, transcript: Transcript, maximum: int, strict: bool = False, every: int = 1) -> Found | None:
    """Give both games the answers of a course, up to `most`, until they part; None if they do not.

    The points, if they are compared, are so at every so-manieth decision: to count them takes its time. Strictly, the
    course ends where an answer is not on offer; else the first option is taken there and wherever answers are wanting.
    """
    script, given, scored = Script(transcript.moves), list[Move](), pair.scored
    while True:
        pair.scored = scored and len(given) % every == 0
        divergence = pair.divergence()
        if divergence is not None:
            return Found(Transcript(transcript.players, transcript.seed, tuple(given)), divergence)
        nobody = pair.old.to_move < 0  # the game is over, or the one rule that was to run is
        if nobody or len(given) >= maximum or (strict and len(given) >= len(transcript.moves)):
            return None
        number = script.pick(pair.old)
        decision = pair.old.decision
        assert decision is not None
        key = decision.options[number].key
        if strict and key != transcript.moves[len(given)].key:
            return None
        given.append(Move(decision.player, question_of(decision), key))
        try:
            pair.choose(number)
        except PlayError:
            return None  # the first ruleset breaks down here: that is no difference between the two
