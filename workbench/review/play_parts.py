"""The parts of a review that play games: what the overlay changes, the laws, and its effect on whole games."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from attrs import evolve

from workbench.diff.model import PLAYED, Difference
from workbench.diff.report import not_found
from workbench.diff.run import Plan as DiffPlan
from workbench.diff.run import compare as compare_rulesets
from workbench.fuzz.campaign import Plan as FuzzPlan
from workbench.fuzz.findings import Finding, report
from workbench.fuzz.law_tests import law_names
from workbench.fuzz.search import Limits, Search, Searched
from workbench.fuzz.violation import FREE
from workbench.review.model import LOOK, NOT_RUN, OK, WRONG, Part
from workbench.review.subject import Subject, counted, some, until
from workbench.sim.compare import Change, Comparison, compare
from workbench.sim.games import GameRecord, play_some, record_from, setups
from workbench.sim.tally import MIN_GAMES
from workbench.support.progress import progress
from workbench.support.ruleset_source import source_of
from workbench.support.workers import WorkerPool

MAX_DECISIONS = 3000  # of a game that tries to break a law
DEFAULT_PLAYERS = 4
PAIRS = 5  # that a worker plays before it reports

# ------------------------------------------------------------ what it changes


def changes(subject: Subject, seed: int, seconds: float, pool: WorkerPool) -> Part:
    """Every difference from the stack below, with a position that shows it."""
    with progress("what it changes") as advance:
        plan = DiffPlan(seed, seconds=seconds)
        found = compare_rulesets((subject.base, subject.stack), pool, plan, advance)
    data = found.data()
    if not found.differences:
        return Part("changes", LOOK, "it says the same as the stack below it", data=data)
    sought = [one for one in found.differences if one.search is not None or one.witness is not None]
    seen = sum(one.witness is not None for one in sought)
    says = counted(len(found.differences), "difference")
    says += f", {seen} of {len(sought)} shown by a position" if sought else ", in names alone"
    unseen = [one for one in sought if one.witness is None and one.kind in PLAYED and not _needless(one)]
    mark = LOOK if unseen else OK
    lines = [line for one in found.differences for line in _difference(one)]
    return Part("changes", mark, says, some(lines, 12), True, data, found)


def _needless(one: Difference) -> bool:
    """Whether nobody could see a difference in play: a law decides nothing."""
    return one.search is not None and one.search.why.startswith("an invariant")


def _difference(one: Difference) -> list[str]:
    """A difference in two or three lines: what it is, old and new where that is short, and where it shows."""
    played = [unit for unit in one.units if unit.kind != "name"]
    lines = [f"{one.title or one.id}" + ("" if played else f" ({counted(len(one.units), 'text')})")]
    short = [unit for unit in played if "\n" not in unit.old + unit.new and len(unit.old + unit.new) < 60]
    if len(short) == len(played) <= 3:
        lines += [f"  {unit.target}: {unit.old or 'nothing'} -> {unit.new or 'nothing'}" for unit in short]
    if one.witness is not None:
        shown = one.witness
        lines.append(
            f"  with {shown.players} players and seed {shown.seed}, after {counted(shown.decisions, 'decision')}:"
        )
        lines.append(f"    {shown.what}")
    elif one.search is not None:
        lines.append(f"  {not_found(one.search)}")
    return lines


# ------------------------------------------------------------------------ laws


def laws(subject: Subject, games: int, seed: int, seconds: float, out: Path | None, pool: WorkerPool) -> Part:
    """Games that try to break the laws of the overlay and of the game."""
    components = subject.ruleset.components
    players = tuple(range(components.min_players, components.max_players + 1))
    plan = FuzzPlan(source_of(subject.stack), players, seed, MAX_DECISIONS)
    told: list[str] = []

    def note(finding: Finding | None, data: dict[str, Any]) -> None:
        if finding is not None:
            told.extend(_cut(report(finding, subject.stack.sources).rstrip("\n").split("\n"), len(finding.moves)))
        if out is not None:
            told.append(f"written: {data['report']}, {data['replay']}, {data['scenario']}")

    with TemporaryDirectory() as scratch, progress("laws", games) as advance:
        search = Search(subject.stack, plan, out or Path(scratch), keep=False)
        found = search.run(pool, Limits(games, seconds), note, advance)
    also = _broken_below(subject, found, plan, seconds, pool)
    names, before = law_names(subject.ruleset), law_names(subject.before)
    own = [name for name in names if name not in before]
    gone = [name for name in before if name not in names]
    of_its_own = f", {len(own)} of its own" if own else ""
    says = f"{counted(found.games, 'game')}, {found.decisions:,} decisions, {len(names) + len(FREE)} laws{of_its_own}: "
    broken = len(found.findings)
    says += f"{counted(broken, 'law')} broken" if broken else "none broken"
    says += f", also without it: {', '.join(sorted(also))}" if also else ""
    says += _cut_short(found.games, games)
    says += f"; no longer a law: {', '.join(gone)}" if gone else ""
    data = {"laws": [*(f"invariant.{name}" for name in names), *FREE], "own": own, "dropped": gone, **found.data()}
    if out is None:
        data["findings"] = [{k: v for k, v in one.items() if k not in FILES} for one in found.findings]
    new = [one["law"] for one in found.findings if one["law"] not in also]
    mark = WRONG if new else LOOK if gone or broken else OK
    return Part("laws", mark, says, tuple(told), data={**data, "broken_without_it": sorted(also)})


def _broken_below(subject: Subject, found: Searched, plan: FuzzPlan, seconds: float, pool: WorkerPool) -> set[str]:
    """Which of the broken laws the stack below breaks in as many games: they are none of the overlay's."""
    wanted = {one["law"] for one in found.findings}
    if not wanted or wanted.isdisjoint([*FREE, *(f"invariant.{name}" for name in law_names(subject.before))]):
        return set()
    with TemporaryDirectory() as scratch, progress("laws without it", found.games) as advance:
        search = Search(subject.base, evolve(plan, source=source_of(subject.base)), Path(scratch), keep=False)
        below = search.run(pool, Limits(found.games, seconds), lambda finding, data: None, advance)
    return wanted & {one["law"] for one in below.findings}


def _cut(lines: list[str], moves: int) -> list[str]:
    """The report of a finding with the last of its decisions only, where there are many."""
    if moves <= MAX_MOVES:
        return lines
    return [*lines[:-moves], f"  ... {counted(moves - MAX_MOVES, 'earlier decision')} ...", *lines[-MAX_MOVES:]]


FILES = ("report", "replay", "scenario")
MAX_MOVES = 16  # of a game that breaks a law: the last that are shown


def _cut_short(played: int, wanted: int) -> str:
    return f" (of {wanted} games: the time was over)" if played < wanted else ""


# ---------------------------------------------------------------------- effect


def effect(subject: Subject, games: int, seed: int, seconds: float, pool: WorkerPool) -> Part:
    """Games in pairs, with and without the overlay: what becomes of length, points and seats."""
    both = subject.before.components, subject.ruleset.components
    minimum, maximum = max(one.min_players for one in both), min(one.max_players for one in both)
    if minimum > maximum:
        return Part("effect", NOT_RUN, "no number of players can play both with and without it")
    players = max(minimum, min(maximum, DEFAULT_PLAYERS))
    before, after = _pairs(subject, ("random",) * players, games, seed, seconds, pool)
    names = [[score.name for score in one.program.scores] for one in (subject.before, subject.ruleset)]
    found = compare(iter(before), iter(after), (names[0], names[1]))
    data = {"players": players, **found.data()}
    broken = [(a, b) for a, b in zip(before, after, strict=True) if b.error]
    if broken:
        new = [b for a, b in broken if not a.error]
        lines = [f"seed {one.seed}, {players} players: {one.error}" for one in new or [b for _, b in broken]]
        says = f"{len(broken)} of {counted(len(after), 'game')} cannot be played to the end: the rules break down"
        return Part("effect", WRONG if new else LOOK, says, some(lines), data=data, result=found)
    return _judged(found, games, players, data, (before, after))


def _pairs(
    subject: Subject, kinds: Sequence[str], games: int, seed: int, seconds: float, pool: WorkerPool
) -> tuple[list[GameRecord], list[GameRecord]]:
    """The same seeds and seats without and with the overlay; whole pairs, however early it stops."""
    over = until(seconds)
    ours, theirs = (list(setups(source_of(one), kinds, seed, range(games))) for one in (subject.base, subject.stack))
    both = [setup for pair in zip(ours, theirs, strict=True) for setup in pair]
    tasks = [both[first : first + 2 * PAIRS] for first in range(0, len(both), 2 * PAIRS)]
    found: dict[int, list[GameRecord]] = {}
    with progress("effect", games) as advance:
        for number, records in pool.done(play_some, tasks):
            found[number] = [record_from(one) for one in records]
            advance(len(records) // 2, "")
            if over():
                break
    played = [record for number in sorted(found) for record in found[number]]
    return played[::2], played[1::2]


def _judged(
    found: Comparison, games: int, players: int, data: dict[str, Any], both: tuple[list[GameRecord], list[GameRecord]]
) -> Part:
    pairs = f"{counted(found.pairs, 'pair')} of games, {players} players at random"
    sure = [one for one in found.changes if one.sure]
    seats = [one for one in sure if one.name.startswith("won: ")]
    unsure = list(dict.fromkeys(_called(one) for one in found.changes if not one.sure and not _same(one)))
    longer = sum(b.decisions for b in both[1] if not b.finished)
    stuck = sum(a.finished and not b.finished for a, b in zip(*both, strict=True))
    lines = [_change(one) for one in sure]
    lines += [f"too few games to tell: {', '.join(unsure)}"] if unsure else []
    lines += [f"{stuck} games that come to an end without it do not with it ({longer:,} decisions)"] if stuck else []
    if found.pairs < MIN_GAMES:
        says = f"{pairs}: too few games to tell, at least {MIN_GAMES} are needed"
    elif sure:
        says = f"{pairs}: another {', '.join(dict.fromkeys(_called(one) for one in sure))}"
    else:
        says = f"{pairs}: " + ("too few games to tell a change" if unsure else "nothing changes in any of them")
    mark = LOOK if seats or stuck else OK
    return Part("effect", mark, says + _cut_short(len(both[1]), games), some(lines, 10), True, data, found)


def _same(one: Change) -> bool:
    return one.difference.low == one.difference.high == 0


def _called(one: Change) -> str:
    return "chance of a seat to win" if one.name.startswith("won: ") else one.name


def _change(one: Change) -> str:
    scale, unit = (100, " %") if one.name.startswith("won: ") else (1, "")
    values = [scale * value for value in (one.before.value, one.after.value)]
    ends = [scale * end for end in (one.difference.value, one.difference.low, one.difference.high)]
    name = one.name.replace("won: ", "games won by ")
    return f"{name}: {values[0]:.1f}{unit} -> {values[1]:.1f}{unit} ({ends[0]:+.1f}, {ends[1]:+.1f} to {ends[2]:+.1f})"
