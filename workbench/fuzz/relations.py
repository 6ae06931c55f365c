"""Relations between two stacks (`relation f with O(n = 3) = options <= there`), tested on pairs of games.

Both games begin with the same seed and are given the same answers, for as long as both ask the same player the same
question. At each question, and at the end, the value that is compared is worked out in both.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import lru_cache
from pathlib import Path
from typing import Any

from attrs import evolve, field, frozen

from interpreter import Game
from warlock_dsl import (
    NOWHERE,
    Diagnostic,
    Fragment,
    Fragments,
    Loaded,
    Property,
    Ruleset,
    Severity,
    Use,
    find_overlay,
    load_files,
    parse_stack,
    read_folder,
)
from warlock_dsl import types as t
from workbench.fuzz.bots import GuidedBot
from workbench.fuzz.findings import moves_in_words
from workbench.fuzz.law_tests import ENOUGH, number_of_games
from workbench.support.game_values import short, values_for
from workbench.support.ruleset_source import RulesetSource, source_of
from workbench.support.workers import WorkerPool
from workbench.transcripts.shrink import Budget, shrink
from workbench.transcripts.transcript import Recorder, Script, Transcript

BOTS = ("even", "whims")
WAVE = 12  # games that are handed out together
TRIES, SECONDS = 200, 30.0  # that go into making a game short
MAX_LENGTH = 3000  # decisions


# ------------------------------------------------------------------- the other stack


@frozen
class Related:
    """A relation with both of its stacks, or with what is wrong with the other one."""

    property: Property
    ours: RulesetSource
    other: RulesetSource | None
    error: str = ""  # what is wrong with the relation itself, and the code of that error
    code: str = ""
    moot: str = ""  # why this stack has no such other one


def relations_of(loaded: Loaded, roots: Sequence[Path]) -> list[Related]:
    """The relations of a ruleset, each with the stack it is compared with."""
    assert loaded.ruleset is not None
    return [_related(loaded, one, roots) for one in loaded.ruleset.properties if one.kind == "relation"]


WRONG = ("W602", "W607")  # an overlay or a parameter that does not exist: whoever wrote the relation has to mend it


def _related(loaded: Loaded, one: Property, roots: Sequence[Path]) -> Related:
    made = Related(one, source_of(loaded), None)
    use, overlays, why = _overlays(loaded, one, roots)
    if why:
        return evolve(made, moot=why)
    if overlays is None:
        return evolve(made, error=f"there is no overlay '{use.name}' on {loaded.name}", code="W602")
    other = load_files(loaded.base, loaded.name, (), overlays)
    if other.ruleset is None:
        errors = [error for error in other.diagnostics if error.severity is Severity.ERROR]
        wrong = [error for error in errors if error.code in WRONG]
        return _wrong(made, wrong) if wrong else evolve(made, moot=errors[0].message if errors else "it has errors")
    if other.final == loaded.final:
        return evolve(made, moot="this stack is the same")
    _, errors = _there(other.ruleset, one)
    return _wrong(made, errors) if errors else evolve(made, other=source_of(other))


def _wrong(made: Related, errors: Sequence[Diagnostic]) -> Related:
    return evolve(made, error=errors[0].message, code=errors[0].code)


def relation_errors(loaded: Loaded, roots: Sequence[Path]) -> list[Diagnostic]:
    """What is wrong with the relations of a ruleset, as `check` tells it: it takes the other stacks to see that."""
    found = []
    for one in relations_of(loaded, roots):
        if one.error:
            stack = " ".join(one.property.other)
            found.append(Diagnostic(one.code, f"{stack}: {one.error}", one.property.span, "cannot be compared"))
    return found


def _overlays(loaded: Loaded, one: Property, roots: Sequence[Path]) -> tuple[Use, list[tuple[Use, Any]] | None, str]:
    """The overlay that is named, the overlays of the other stack (None: it is not found), or why there is no such."""
    word, text = one.other
    stack = parse_stack(f"{loaded.name}+{text}")
    assert not isinstance(stack, str)  # the grammar takes nothing else
    use = stack.uses[0]
    names = [other.name for other, _ in loaded.stack]
    if word == "without":
        left = [pair for pair in loaded.stack if pair[0].name != use.name]
        return use, left, "" if use.name in names else "this stack is without it"
    if use.name in names:
        changed = [(use if old.name == use.name else old, texts) for old, texts in loaded.stack]
        return use, changed, ""
    folder = find_overlay(loaded.name, use.name, list(roots))
    if folder is None:
        return use, None, ""
    texts, _ = read_folder(folder)
    return use, [*loaded.stack, (use, texts)], ""


@lru_cache(maxsize=32)
def _there(other: Ruleset, one: Property) -> tuple[Fragment | None, list[Diagnostic]]:
    """The value that is compared, as the other rules understand it."""
    made, errors = Fragments(other.program, other.components).expression(
        one.text, {"options": t.NUMBER}, one.span.file, NOWHERE
    )
    return made, [error for error in errors if error.severity is Severity.ERROR]


# -------------------------------------------------------------------- a pair of games


@frozen
class PairTask:
    """A pair of games to be played: by a bot, or as a transcript was."""

    related: Related
    players: int
    seed: int
    bot: str


@frozen
class Compared:
    """What came of a pair: how often the values were compared and how often they differed, whether the two asked
    different questions in the end; and what was found, with the game that shows it."""

    comparisons: int = 0
    differing: int = 0
    parted: bool = False
    broken: str = ""
    transcript: Transcript | None = None
    before: int = 0  # decisions of the game it was found in


class Pair:
    """Two games in lockstep."""

    def __init__(self, related: Related, players: int, seed: int) -> None:
        assert related.other is not None
        self.property = related.property
        ours, other = related.ours.ruleset(), related.other.ruleset()
        self.recorder = Recorder(Game.start(ours, players, seed, laws=False))
        self.theirs = Game.start(other, players, seed, laws=False)
        self.here = values_for(ours, players)
        self.there = values_for(other, players)
        fragment, _ = _there(other, related.property)
        assert fragment is not None
        self.fragment = fragment
        self.comparisons = self.differing = 0
        self.parted = False
        self.broken = ""
        self.compare()

    @property
    def ours(self) -> Game:
        return self.recorder.game

    @property
    def standing(self) -> bool:
        going = not (self.parted or self.broken or self.ours.over)
        return going and len(self.ours.answers) < MAX_LENGTH

    def choose(self, number: int) -> None:
        """Give both the same answer; where the other has no such option the two part."""
        self.recorder.choose(number)
        keys = [option.key for option in self.theirs.options()]
        key = self.ours.answers[-1]
        if key not in keys:
            self.parted = True
            return
        self.theirs.choose(keys.index(key))
        self.compare()

    def compare(self) -> None:
        ours, theirs = self.ours, self.theirs
        if (ours.over, ours.to_move, ours.question) != (theirs.over, theirs.to_move, theirs.question):
            self.parted = True
            return
        one = self.property
        here = _exact(
            self.here.value(self.here.position(ours), one, ours.option_count * ours.ruleset.program.unit),
            ours.ruleset.program.unit,
        )
        there = _exact(self._there(), theirs.ruleset.program.unit)
        self.comparisons += 1
        self.differing += here != there if one.sign != "is" else ours.option_count != theirs.option_count
        if not _holds(here, one.sign, there):
            self.broken = f"{one.text} is {_shown(here)} here and {_shown(there)} there"

    def _there(self) -> Any:
        machine, fragment, unit = self.there.machine, self.fragment, self.theirs.ruleset.program.unit
        slots: list[Any] = [0, *[None] * max(0, fragment.slots - 1)]
        slots[fragment.names["options"]] = self.theirs.option_count * unit
        machine.work = 0
        return short(machine.ev(self.there.position(self.theirs), fragment.value, slots), self.property)

    def result(self) -> Compared:
        moves = Transcript(self.ours.players, self.ours.seed, tuple(self.recorder.moves)) if self.broken else None
        return Compared(self.comparisons, self.differing, self.parted, self.broken, moves, len(self.recorder.moves))


def _exact(value: Any, unit: int) -> Any:
    if isinstance(value, tuple):
        return tuple(_exact(item, unit) for item in value)
    return value if isinstance(value, bool) else Fraction(value, unit)


def _holds(here: Any, sign: str, there: Any) -> bool:
    if isinstance(here, tuple):
        return len(here) == len(there) and all(_holds(a, sign, b) for a, b in zip(here, there, strict=True))
    order = {"<": here < there, "<=": here <= there, ">": here > there, ">=": here >= there, "is": here == there}
    return bool(order[sign])


def _shown(value: Any) -> str:
    if isinstance(value, tuple):
        return f"[{', '.join(map(_shown, value))}]"
    return str(value).lower()


def play_pair(task: PairTask) -> Compared:
    """Play a pair of games; where the relation is broken, the shortest game found that shows it."""
    pair = Pair(task.related, task.players, task.seed)
    bot = GuidedBot(task.related.ours.ruleset(), task.bot, task.seed, {})
    while pair.standing:
        pair.choose(bot.pick(pair.ours))
    found = pair.result()
    if found.transcript is None:
        return found
    minimum = max(one.ruleset().components.min_players for one in (task.related.ours, task.related.other) if one)
    small = shrink(found.transcript, lambda one: _shows(task.related, one), Budget(TRIES, SECONDS), minimum)
    again = _followed(task.related, small).result()
    return evolve(found, transcript=small, broken=again.broken or found.broken)


def _followed(related: Related, transcript: Transcript) -> Pair:
    pair, script = Pair(related, transcript.players, transcript.seed), Script(transcript.moves)
    while pair.standing:
        pair.choose(script.pick(pair.ours))
    return pair


def _shows(related: Related, transcript: Transcript) -> Transcript | None:
    return _followed(related, transcript).result().transcript


# ---------------------------------------------------------------------- all of it


@frozen
class RelationTests:
    """How a relation fared."""

    name: str
    stack: str
    games: int = 0
    comparisons: int = 0
    differing: int = 0
    parted: int = 0
    error: str = ""
    moot: str = ""
    broken: str = ""
    transcript: Transcript | None = None
    moves: tuple[dict[str, Any], ...] = field(default=(), repr=False)
    same: bool = False  # it says that a value is the same: then the games have to differ in something else

    @property
    def verdict(self) -> str:
        """error, not compared, broken, holds, never differed, or too few games to tell."""
        for verdict, told in (("error", self.error), ("not compared", self.moot), ("broken", self.broken)):
            if told:
                return verdict
        if self.differing or (self.same and self.parted):
            return "holds"
        return "never differed" if self.games >= ENOUGH else "too few games to tell"

    @property
    def found(self) -> bool:
        return self.verdict in ("error", "broken", "never differed")

    def lines(self) -> Iterator[str]:
        if self.error or self.moot:
            yield f"{self.stack}: {'error' if self.error else 'not compared'}: {self.error or self.moot}"
            return
        where = f"compared with {self.stack}"
        what = "with other options" if self.same else "different"
        often = f"{self.comparisons:,} times in {number_of_games(self.games)}, {what} {self.differing:,} times"
        apart = f", {self.parted:,} of the games parted" if self.parted else ""
        notes = {
            "never differed": " (warning: it says nothing of these rules)",
            "too few games to tell": " (too few games to tell)",
        }
        yield f"{where} {often}{apart}{notes.get(self.verdict, '')}"
        if self.transcript is not None:
            game = self.transcript
            yield f"  broken: {self.broken}"
            yield f"  {game.players} players, seed {game.seed}, {len(game.moves)} decisions:"
            for number, move in enumerate(self.moves, 1):
                yield f"  {number:4}  {move['who']}: {move['question']} {move['answer']}"

    def data(self) -> dict[str, Any]:
        game = self.transcript
        shown = None
        if game is not None:
            answers = [move.key for move in game.moves]
            shown = {"players": game.players, "seed": game.seed, "decisions": len(answers), "answers": answers}
        return {
            "law": f"relation.{self.name}",
            "stack": self.stack,
            "verdict": self.verdict,
            "games": self.games,
            "comparisons": self.comparisons,
            "different": self.differing,
            "parted": self.parted,
            "message": self.error or self.moot or self.broken,
            "game": shown,
            "moves": [dict(move) for move in self.moves],
        }


def compare_stacks(related: Related, pool: WorkerPool, players: Sequence[int], seed: int, games: int) -> RelationTests:
    """Pairs of games until one breaks the relation, or there have been enough."""
    name, stack = related.property.name, " ".join(related.property.other)
    if related.other is None:
        return RelationTests(name, stack, error=related.error, moot=related.moot)
    components = related.other.ruleset().components
    numbers = [one for one in players if components.min_players <= one <= components.max_players]
    if not numbers:
        return RelationTests(name, stack, moot="it is for other numbers of players")
    found = RelationTests(name, related.other.name, same=related.property.sign == "is")
    for first in range(0, games, WAVE):
        tasks = [
            PairTask(related, numbers[n % len(numbers)], seed * 100_000 + n, BOTS[n % len(BOTS)])
            for n in range(first, min(first + WAVE, games))
        ]
        found = _added(found, pool.all(play_pair, tasks), related.ours.ruleset())
        if found.broken:
            break
    return found


def games_for(limit: int) -> int:
    """How many pairs of games a relation gets in a search of so many games; 0: one that is bound by time."""
    return max(ENOUGH, limit // 4)


def relation_lines(tests: Sequence[RelationTests]) -> list[str]:
    """What is told of relations."""
    if not tests:
        return []
    width = max(len(one.name) for one in tests)
    told = ["how this stack compares with others:"]
    for one in tests:
        first, *rest = one.lines()
        told += [f"  {one.name:{width}}  {first}", *(f"  {line}" for line in rest)]
    return told


def _added(found: RelationTests, more: Sequence[Compared], ruleset: Ruleset) -> RelationTests:
    broken = [(one.broken, one.transcript) for one in more if one.transcript is not None]
    if broken:
        what, shortest = min(broken, key=lambda one: len(one[1].moves))
        found = evolve(found, broken=what, transcript=shortest, moves=moves_in_words(ruleset, shortest))
    return evolve(
        found,
        games=found.games + len(more),
        comparisons=found.comparisons + sum(one.comparisons for one in more),
        differing=found.differing + sum(one.differing for one in more),
        parted=found.parted + sum(one.parted for one in more),
    )
