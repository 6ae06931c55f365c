"""What `warlock diff` finds, as data: the differences of rulesets, their witnesses, and what they come to."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from attrs import field, frozen

from workbench.inspect.statements import Statement
from workbench.service.table import Table

FORMAT = "warlock-diff/3"

# The ways in which two rulesets part at a witness.
DIVERGENCES = ("end", "asked", "options", "outcome", "sight", "score", "error")

# Differences of these kinds can be seen in play, and a witness is looked for.
PLAYED = ("mechanical", "visibility", "component", "rule", "value")


@frozen
class Source:
    """A rule of the documents: its id, what it says, its standing, and which of them says it, and where."""

    id: str
    says: str
    standing: str
    said: tuple[Statement, ...]

    def data(self) -> dict[str, Any]:
        said = [statement.data() for statement in self.said]
        return {"id": self.id, "says": self.says, "standing": self.standing, "said": said}


@frozen
class Change:
    """One address at which the two rulesets differ: its verb, and what stands there under each ("" for nothing).

    `verb` is change, add, remove (values and rows of the tables), replace, declare or drop (declarations). `gloss` says
    in plain words what stands there is about.
    """

    target: str
    verb: str
    kind: str  # value, rule, name or visibility
    old: str
    new: str
    gloss: str = ""

    def data(self) -> dict[str, Any]:
        found = {"target": self.target, "verb": self.verb, "kind": self.kind, "old": self.old, "new": self.new}
        return {**found, "gloss": self.gloss} if self.gloss else found


@frozen
class Side:
    """The moment of parting under one of the two rulesets.

    `asked` is the seat (-1: nobody, the game is over), `rule` and `question` where in the rules it is asked, `options`
    the keys of the answers, `labels` the same in words; `table` is it as the seat `Witness.viewer` sees it.
    """

    ruleset: str
    asked: int
    rule: str
    question: str
    sentence: str
    options: tuple[str, ...]
    labels: tuple[str, ...]
    scores: tuple[str, ...]  # the total of each seat as the table stands
    parts: tuple[tuple[tuple[str, str], ...], ...]  # by seat: the parts of the score
    winners: tuple[int, ...]
    table: Table | None = field(repr=False)
    legend: tuple[tuple[str, str], ...] = field(default=(), repr=False)  # of the pieces in sight: name and figures

    def data(self) -> dict[str, Any]:
        return {
            "ruleset": self.ruleset,
            "asked": self.asked,
            "rule": self.rule,
            "question": self.question,
            "options": list(self.options),
            "scores": list(self.scores),
            "winners": list(self.winners),
        }


@frozen
class Moment:
    """A divergence as a report shows it: a sentence, the seat whose view shows it, and either side. `only` lists what
    one side has and the other has not, as lines of text."""

    what: str
    viewer: int
    old: Side
    new: Side
    only_old: tuple[str, ...]
    only_new: tuple[str, ...]


@frozen
class SmallTable:
    """The smallest table found that shows a difference: laid out by hand, not played.

    `setup` says in words what lies where, `begins` which rule runs then and who acts in it, `answers` what is answered
    until the two diverge. `reached` says whether this very table was reached in play.
    """

    players: int
    named: int  # pieces that the scenario names
    setup: tuple[tuple[str, str], ...]
    begins: str
    answers: tuple[str, ...]
    divergence: str
    moment: Moment
    reached: bool
    scenario: str = field(repr=False)  # TOML: passes under the first ruleset and fails under the other

    def data(self) -> dict[str, Any]:
        return {
            "what": self.moment.what,
            "divergence": self.divergence,
            "players": self.players,
            "named": self.named,
            "setup": [list(line) for line in self.setup],
            "begins": self.begins,
            "answers": list(self.answers),
            "reached": self.reached,
            "viewer": self.moment.viewer,
            "old": self.moment.old.data(),
            "new": self.moment.new.data(),
            "scenario": self.scenario,
        }


@frozen
class Witness:
    """A position in which two rulesets part ways after the same start and the same answers.

    `divergence` is one of `DIVERGENCES`; `what` is a sentence. `viewer` is the seat whose view shows it (-1 is one
    who sees everything). `start` is "" for a game from its seed, else the name of the laid-out position it began from.
    `moves` are the answers that led there, in words. `only` lists what one side has and the other has not: options,
    or parts of what the viewer sees, as lines of text.
    """

    divergence: str
    what: str
    decisions: int
    players: int
    seed: int
    start: str
    viewer: int
    old: Side
    new: Side
    only_old: tuple[str, ...]
    only_new: tuple[str, ...]
    moves: tuple[str, ...]
    replay: Mapping[str, Any] = field(repr=False)  # plays under the first ruleset; its `parts` tells where they part
    scenario: str = field(repr=False)  # TOML: passes under the first ruleset and fails under the other; "" if none
    overlay: Mapping[str, str] = field(factory=dict, repr=False)  # the difference alone, as the files of an overlay
    files: Mapping[str, str] = field(factory=dict)  # where it was written: replay, scenario, table, overlay -> path
    table: SmallTable | None = None

    def data(self) -> dict[str, Any]:
        return {
            "what": self.what,
            "divergence": self.divergence,
            "decisions": self.decisions,
            "players": self.players,
            "seed": self.seed,
            "start": self.start,
            "viewer": self.viewer,
            "old": self.old.data(),
            "new": self.new.data(),
            "only_old": list(self.only_old),
            "only_new": list(self.only_new),
            "moves": list(self.moves),
            "replay": dict(self.replay),
            "scenario": self.scenario,
            "files": dict(self.files),
            "table": None if self.table is None else self.table.data(),
        }


@frozen
class Search:
    """How much was played to find a witness, and what kept it from being found ("" if it only was not met)."""

    games: int
    decisions: int
    seconds: float
    why: str = ""

    def data(self) -> dict[str, Any]:
        return {
            "games": self.games,
            "decisions": self.decisions,
            "seconds": round(self.seconds, 2),
            **({"why": self.why} if self.why else {}),
        }


@frozen
class Cell:
    """What one of the rulesets has in one difference.

    `reading` counts the readings: 0 is the first ruleset's, n the n-th of `Difference.readings`. `says` is what its
    document says, or what stands for it; `sections` where. `standing` says on what the reading rests: printed, derived,
    assumed, or several of them; "" where nothing is cited. `silent`: the document says nothing about it.
    """

    reading: int
    says: str
    sections: tuple[str, ...]
    standing: tuple[str, ...]
    silent: bool = False

    def data(self) -> dict[str, Any]:
        return {
            "reading": self.reading,
            "says": self.says,
            "sections": list(self.sections),
            "standing": list(self.standing),
            "silent": self.silent,
        }


@frozen
class Reading:
    """Another reading than that of the first ruleset: which rulesets have it (by number), what is written otherwise
    there, and a position that shows it."""

    editions: tuple[int, ...]
    units: tuple[Change, ...]
    witness: Witness | None = None
    search: Search | None = None

    def data(self) -> dict[str, Any]:
        return {
            "editions": list(self.editions),
            "units": [unit.data() for unit in self.units],
            "witness": None if self.witness is None else self.witness.data(),
            "search": None if self.search is None else self.search.data(),
        }


@frozen
class Difference:
    """One difference: what the documents say, which addresses carry it out, and where it shows in play.

    One that only the documents have, and that changes nothing in play, has no readings; `idle` says why.
    """

    id: str
    title: str
    kind: str  # mechanical, visibility, component, wording, misprint; or value, rule, name, visibility by what it is
    rules: tuple[str, ...]  # ids of the rules of the documents
    readings: tuple[Reading, ...] = ()
    cells: tuple[Cell, ...] = ()  # one for each ruleset
    says: Mapping[str, str] = field(factory=dict)  # by document: what it says, in paraphrase
    sources: tuple[Source, ...] = ()
    chapter: str = ""  # the number of a chapter; "" for what no chapter is about
    idle: str = ""

    @property
    def units(self) -> tuple[Change, ...]:
        return tuple(dict.fromkeys(unit for reading in self.readings for unit in reading.units))

    @property
    def witness(self) -> Witness | None:
        """The first of its witnesses."""
        return next((reading.witness for reading in self.readings if reading.witness is not None), None)

    @property
    def search(self) -> Search | None:
        """What was searched for the reading that was searched for most."""
        found = [reading.search for reading in self.readings if reading.search is not None]
        return max(found, key=lambda search: search.games, default=None)

    def data(self) -> dict[str, Any]:
        return {
            "id": self.id,
            "title": self.title,
            "kind": self.kind,
            "chapter": self.chapter,
            "rules": list(self.rules),
            "says": dict(self.says),
            "cells": [cell.data() for cell in self.cells],
            "sources": [source.data() for source in self.sources],
            "readings": [reading.data() for reading in self.readings],
            **({"idle": self.idle} if self.idle else {}),
        }


@frozen
class Measure:
    """One thing that was measured in paired games: the mean under each ruleset, the mean of the paired differences
    with its interval, and the pairs themselves, in the order of the seeds.

    `key` is length, finished, winner, total, margin or `part.NAME`. `verdict` is more, less, same (every pair alike) or
    unsure ("too few games to tell").
    """

    key: str
    label: str
    unit: str
    old: float
    new: float
    difference: float
    low: float
    high: float
    verdict: str
    pairs: tuple[tuple[float, float], ...] = field(repr=False)

    def data(self) -> dict[str, Any]:
        return {
            "key": self.key,
            "label": self.label,
            "unit": self.unit,
            "old": _rounded(self.old),
            "new": _rounded(self.new),
            "difference": _rounded(self.difference),
            "interval": [_rounded(self.low), _rounded(self.high)],
            "verdict": VERDICTS[self.verdict],
        }


VERDICTS = {
    "more": "more",
    "less": "less",
    "same": "the same in every game",
    "unsure": "too few games to tell",
}


def _rounded(value: float) -> float:
    return round(value, 4)


@frozen
class Effect:
    """Paired games on common seeds: what the differences together come to."""

    games: int  # pairs
    unfinished: int  # pairs left out because a game did not come to its end in time
    players: int
    policy: str  # who played
    level: float  # of the intervals
    method: str
    seeds: tuple[int, ...]
    measures: tuple[Measure, ...]
    seconds: float

    def data(self) -> dict[str, Any]:
        return {
            "games": self.games,
            "unfinished": self.unfinished,
            "players": self.players,
            "policy": self.policy,
            "level": self.level,
            "method": self.method,
            "measures": [measure.data() for measure in self.measures],
            "seconds": round(self.seconds, 2),
        }


@frozen
class Edition:
    """One of the rulesets that are compared: its stack, what it is called, what its overlays say of themselves, and the
    document it follows ("" for none)."""

    ruleset: str
    hash: str
    title: str
    about: str
    document: str

    def data(self) -> dict[str, Any]:
        return {
            "ruleset": self.ruleset,
            "hash": self.hash,
            "title": self.title,
            "about": self.about,
            "document": self.document,
        }


@frozen
class DiffReport:
    """Everything `warlock diff A B ...` has to say. `played`: whether positions were looked for."""

    game: str  # the base game's name
    title: str  # what the game is called
    editions: tuple[Edition, ...]
    chapters: Mapping[str, str]  # by number: the title
    differences: tuple[Difference, ...]
    seed: int
    seconds: float
    played: bool = True
    lang: str = "en"
    effect: Effect | None = None

    @property
    def names(self) -> str:
        """The rulesets as the command names them."""
        return " ".join(edition.ruleset for edition in self.editions)

    def data(self) -> dict[str, Any]:
        return {
            "format": FORMAT,
            "game": self.game,
            "lang": self.lang,
            "editions": [edition.data() for edition in self.editions],
            "chapters": dict(self.chapters),
            "seed": self.seed,
            "seconds": round(self.seconds, 2),
            "differences": [difference.data() for difference in self.differences],
            "effect": None if self.effect is None else self.effect.data(),
        }
