"""A study for the terminal: tables of figures with their intervals."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from math import inf

from rich import box
from rich.console import Console, RenderableType
from rich.table import Table as Grid
from rich.text import Text

from workbench.sim.compare import Change
from workbench.sim.statistics import Estimate
from workbench.sim.study import Heading, Study
from workbench.sim.tally import MIN_GAMES, Findings, Used

MAX_USES = 20  # options shown at the terminal; JSON and pages have all
DASH = "\u2013"
Name = Callable[[str], str]
"""What a piece is called in words, after its key; nothing for what is no piece."""


def number(value: float) -> str:
    """A value with as many digits as are worth reading."""
    if abs(value) == inf:
        return "?"
    digits = 0 if abs(value) >= 1000 else 1 if abs(value) >= 100 else 2
    return f"{value:.{digits}f}"


def percent(value: float) -> str:
    return f"{value * 100:.1f} %"


def shown(one: Estimate, in_percent: bool = False, signed: bool = False) -> str:
    """A value with its interval in brackets."""
    if not one.count:
        return DASH
    low, high = (f"{end * 100:.1f}" if in_percent else number(end) for end in (one.low, one.high))
    ends = f"{low} to {high}" if one.low != -inf else "?"
    value = percent(one.value) if in_percent else number(one.value)
    return f"{'+' if signed and one.value > 0 else ''}{value} ({ends})"


def is_share(name: str) -> bool:
    """Whether a figure of a comparison is a part of the victories."""
    return name.startswith("won: ")


def write_report(out: Console, study: Study, name: Name) -> None:
    """Everything a study has found, for people."""
    for block in _blocks(study, name):
        out.print(block, soft_wrap=isinstance(block, Text))


def _blocks(study: Study, name: Name) -> Iterator[RenderableType]:
    yield from heading_lines(study.heading)
    if study.compare is not None:
        yield from _compared(study, name)
    elif study.table is not None:
        yield from _table(study)
    elif study.shares is not None:
        yield from _shares(study)
    else:
        yield from _findings(study.findings[0], study.heading, name)
    for (ruleset, _), tests in zip(study.heading.rulesets, study.stated, strict=False):
        for test in tests:
            of = f" ({ruleset})" if len(study.stated) > 1 else ""
            yield Text("\n".join(test.lines()) + of, "bold red" if test.verdict == "broken" else "")


def heading_lines(heading: Heading) -> Iterator[Text]:
    for ruleset, digest in heading.rulesets:
        yield Text.assemble((ruleset, "bold"), f"  {digest[:12]}")
    kinds = ", ".join(f"{count} {kind}" for kind, count in Counter(heading.kinds).items())
    last = heading.seed + heading.games - 1
    yield Text(f"{heading.games} games of {heading.players} players ({kinds}), seeds {heading.seed} to {last}")
    if len(set(heading.kinds)) > 1:
        yield Text("everybody moves on by one seat from game to game", "dim")
    yield Text("in brackets: 95 % intervals", "dim")


# ------------------------------------------------------------------- findings


def _grid(title: str, *columns: str) -> Grid:
    grid = Grid(title=title, title_justify="left", title_style="bold", box=box.SIMPLE_HEAD, pad_edge=False)
    for place, column in enumerate(columns):
        grid.add_column(column, justify="left" if place == 0 else "right", overflow="fold")
    return grid


def _findings(found: Findings, heading: Heading, name: Name) -> Iterator[RenderableType]:
    yield from told(found)
    if not found.finished:
        return
    minimum, quarter, _, three_quarters, maximum = map(round, found.lengths.quartiles)
    yield Text(
        f"decisions a game: {shown(found.decisions)}, from {minimum} to {maximum}, "
        f"half of the games from {quarter} to {three_quarters}"
    )
    if found.cooperative:
        yield from _table_wins(found)
        yield from _uses(found, name)
        return
    if heading.players > 1 and found.parts:
        yield Text(f"first ahead of second by {shown(found.margin)} points")
    if found.decided.value < 1:
        yield Text(f"games with a winner: {shown(found.decided, True)}")
    yield Text(f"shared victories: {shown(found.shared, True)}")
    grid = _grid(f"By seat (by chance: {percent(1 / heading.players)})", "seat", "won", "points")
    for line in found.seats:
        grid.add_row(str(int(line.name) + 1), shown(line.won, True), shown(line.points) if found.parts else DASH)
    yield grid
    if len(found.kinds) > 1:
        grid = _grid(f"By player, each seat (by chance: {percent(1 / heading.players)})", "player", "won", "points")
        for line in found.kinds:
            grid.add_row(line.name, shown(line.won, True), shown(line.points) if found.parts else DASH)
        yield grid
    if found.parts:
        grid = _grid("Points by part", "part", "a seat", "winners have more by")
        for part in found.parts:
            grid.add_row(part.name, shown(part.points), shown(part.ahead, signed=True))
        yield grid
    yield from _uses(found, name)


def _table_wins(found: Findings) -> Iterator[RenderableType]:
    """A cooperative game: how often the table wins, and what points it has."""
    yield Text(f"the table wins: {shown(found.decided, True)}")
    if found.parts:
        grid = _grid("Points by part", "part", "a seat")
        for part in found.parts:
            grid.add_row(part.name, shown(part.points))
        yield grid


def told(found: Findings) -> Iterator[Text]:
    """What is wrong with some of the games."""
    if found.given_up:
        yield Text(f"{found.given_up} games were given up without an end; they are not counted", "yellow")
    if found.broken:
        yield Text(f"{found.broken} games broke the rules and are not counted; the first of them:", "red")
        for seed, error in found.errors:
            yield Text(f"  seed {seed}: {error}", "red")


def ranked(uses: Sequence[Used]) -> list[Used]:
    """Options by how much goes with them: the sure ones first, then by how far the interval stays away from nought."""

    def weight(use: Used) -> tuple[bool, float]:
        near = 0.0 if not use.gain.sure else min(abs(use.gain.low), abs(use.gain.high))
        return use.sure, near if use.gain.count >= MIN_GAMES else 0.0

    return sorted(uses, key=lambda use: (*(-part for part in weight(use)), -use.times.value, use.question, use.key))


def _uses(found: Findings, name: Name) -> Iterator[RenderableType]:
    uses = ranked(found.uses)
    columns = ("option", "% of games", "a game", "won %", "more than others %")
    title = "What is used, and how much more often its users win (* sure, all together)"
    if found.cooperative:
        title = "What is used, and how often the table wins then"
    grid = _grid(title, *columns)
    grid.columns[0].min_width = 22
    grid.columns[-1].no_wrap = True
    for use in uses[:MAX_USES]:
        spoken = name(use.key)
        grid.add_row(
            f"{use.question} {use.key}{f' ({spoken})' if spoken else ''}",
            f"{use.games.value * 100:.1f}",
            number(use.times.value),
            f"{use.won.value * 100:.1f}",
            f"{shown(use.gain, True, True).replace(' %', '')}{' *' if use.sure else ''}"
            if use.gain.count >= MIN_GAMES
            else DASH,
        )
    yield grid
    if len(uses) > MAX_USES:
        yield Text(f"{len(uses) - MAX_USES} more options: --json and --html have them all", "dim")


# ---------------------------------------------------------- several rulesets


def _compared(study: Study, name: Name) -> Iterator[RenderableType]:
    found = study.compare
    assert found is not None
    for (ruleset, _), one in zip(study.heading.rulesets, study.findings, strict=True):
        for line in told(one):
            yield Text.assemble(f"{ruleset}: ", line)
    yield Text(f"{found.pairs} pairs of games, {shown(found.alike, True)} of them the same in both")
    yield _changes(
        "What changes (* sure, all figures looked at together)", found.changes, study.heading, lambda key: ""
    )
    moved = [change for change in found.uses if change.sure]
    if moved:
        moved.sort(key=lambda change: (-abs(change.difference.value), change.name))
        yield _changes("Options taken more or less often, times a game", moved[:MAX_USES], study.heading, name)
    if len(moved) > MAX_USES:
        yield Text(f"{len(moved) - MAX_USES} more options: --json and --html have them all", "dim")
    elif not moved:
        yield Text("no option is surely taken more or less often", "dim")


def _changes(title: str, changes: Sequence[Change], heading: Heading, name: Name) -> Grid:
    (before, _), (after, _) = heading.rulesets
    grid = _grid(title, "", before, after, "difference")
    for change in changes:
        share = is_share(change.name)
        spoken = name(change.name.rpartition(" ")[2])
        grid.add_row(
            f"{change.name}{f' ({spoken})' if spoken else ''}",
            percent(change.before.value) if share else number(change.before.value),
            percent(change.after.value) if share else number(change.after.value),
            f"{shown(change.difference, share, True)}{' *' if change.sure else ''}",
        )
    return grid


def _table(study: Study) -> Iterator[RenderableType]:
    found = study.table
    assert found is not None
    yield Text(f"{found.pairs} games under each ruleset{_left(found.left_out)}")
    for place, figure in enumerate(found.names):
        grid = _grid(figure, "ruleset", "", "from the first")
        for (ruleset, _), values, differences in zip(
            study.heading.rulesets, found.values, found.differences, strict=True
        ):
            share = is_share(figure)
            grid.add_row(ruleset, shown(values[place], share), shown(differences[place], share, True))
        yield grid


def _shares(study: Study) -> Iterator[RenderableType]:
    found, steps = study.shares, study.steps
    assert found is not None and steps is not None
    way = "averaged over all orders" if steps.shapley else "each on those below it"
    yield Text(f"{found.pairs} games under each ruleset{_left(found.left_out)}; the share of each overlay, {way}")
    grid = _grid("What each overlay contributes", "", *steps.overlays, "all together")
    for place, figure in enumerate(found.names):
        share = is_share(figure)
        cells = [shown(row[place], share, True) for row in found.overlays]
        grid.add_row(figure, *cells, shown(found.whole[place], share, True))
    yield grid


def _left(out: int) -> str:
    return f" ({out} left out: not finished under every one)" if out else ""
