"""A study as one page with plots."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from attrs import frozen

from workbench.pages.page import render_page
from workbench.sim.compare import Change
from workbench.sim.report import DASH, Name, is_share, number, percent, ranked, shown
from workbench.sim.statistics import Estimate
from workbench.sim.study import Study
from workbench.sim.tally import MIN_GAMES, Findings

MAX_PLOTTED = 24
MAX_LABEL_LENGTH = 30
Row = tuple[str, float, float, float]


@frozen
class Figures:
    """Rows of one plot of intervals."""

    title: str
    unit: str
    rows: tuple[Row, ...]


def sim_page(study: Study, name: Name) -> str:
    """The page of a study, whole."""
    heading = study.heading
    names = [ruleset for ruleset, _ in heading.rulesets]
    kinds = ", ".join(f"{count} {kind}" for kind, count in Counter(heading.kinds).items())
    content: dict[str, Any] = {
        "title": _title(study, names),
        "subtitle": f"{heading.games} games of {heading.players} players ({kinds}), "
        f"seeds {heading.seed} to {heading.seed + heading.games - 1}",
        "heading": heading,
        "findings": [_findings(one, ruleset, study, name) for one, ruleset in zip(study.findings, names, strict=False)],
        "comparison": _compared(study, name),
        "sweep": _sweep(study, names),
        "shares": _shares(study),
    }
    return render_page("sim.html", **content)


def _title(study: Study, names: Sequence[str]) -> str:
    if study.compare is not None:
        return f"{names[0]} and {names[1]}"
    if study.table is not None:
        return f"{names[0]} to {names[-1]}"
    return names[-1]


def _row(label: str, one: Estimate, factor: float = 1.0, less: float = 0.0) -> Row:
    """A row of a plot; a label that would not fit beside it is cut, the tables below have it whole."""
    label = label if len(label) <= MAX_LABEL_LENGTH else label[: MAX_LABEL_LENGTH - 1] + "\u2026"
    return label, (one.value - less) * factor, (one.low - less) * factor, (one.high - less) * factor


# ------------------------------------------------------------------- findings


def _findings(found: Findings, ruleset: str, study: Study, name: Name) -> dict[str, Any]:
    fair = 1 / study.heading.players
    more = "percentage points above an equal share"
    plots = (
        []
        if found.cooperative
        else [
            Figures(
                "Won, by seat", more, tuple(_row(f"seat {int(o.name) + 1}", o.won, 100, fair) for o in found.seats)
            ),
        ]
    )
    if len(found.kinds) > 1 and not found.cooperative:
        rows = tuple(_row(line.name, line.won, 100, fair) for line in found.kinds)
        plots.append(Figures("Won, by player", more, rows))
    if found.parts:
        rows = tuple(_row(part.name, part.ahead) for part in found.parts if part.ahead.count)
        plots.append(Figures("Winners have more, by part", "points", rows))
    gains = [use for use in ranked(found.uses) if use.gain.count >= MIN_GAMES and use.gain.sure][:MAX_PLOTTED]
    rows = tuple(_row(f"{use.question} {use.key}", use.gain, 100) for use in gains)
    plots.append(Figures("Options that go with winning or losing", "percentage points", rows))
    return {
        "ruleset": ruleset,
        "found": found,
        "plots": [plot for plot in plots if plot.rows],
        "facts": _facts(found, study),
        "lines": [
            (
                word,
                line.name if word == "player" else str(int(line.name) + 1),
                shown(line.won, True),
                _points(found, line),
            )
            for word, lines in (("seat", found.seats), ("player", found.kinds if len(found.kinds) > 1 else ()))
            for line in lines
        ],
        "parts": [(part.name, shown(part.points), shown(part.ahead, signed=True)) for part in found.parts],
        "uses": _uses(found, name),
    }


def _points(found: Findings, line: Any) -> str:
    return shown(line.points) if found.parts else DASH


def _facts(found: Findings, study: Study) -> list[tuple[str, str]]:
    facts = [("games finished", f"{found.finished} of {found.games}")]
    if found.given_up:
        facts.append(("given up without an end", str(found.given_up)))
    if found.broken:
        facts.append(("broke the rules", str(found.broken)))
    if not found.finished:
        return facts
    quartiles = map(round, found.lengths.quartiles)
    facts.append(("decisions a game", shown(found.decisions)))
    facts.append(("least, quarter, median, three quarters, most", ", ".join(map(str, quartiles))))
    if found.cooperative:
        facts.append(("the table wins", shown(found.decided, True)))
        return facts
    if found.parts and study.heading.players > 1:
        facts.append(("first ahead of second, points", shown(found.margin)))
    facts.append(("with a winner", shown(found.decided, True)))
    facts.append(("shared victories", shown(found.shared, True)))
    return facts


def _uses(found: Findings, name: Name) -> list[dict[str, Any]]:
    return [
        {
            "question": use.question,
            "key": use.key,
            "name": name(use.key),
            "games": shown(use.games, True),
            "times": shown(use.times),
            "won": shown(use.won, True),
            "gain": shown(use.gain, True, True) if use.gain.count >= MIN_GAMES else DASH,
            "points": shown(use.points, signed=True) if use.gain.count >= MIN_GAMES and found.parts else DASH,
            "sure": use.sure,
        }
        for use in ranked(found.uses)
    ]


# ---------------------------------------------------------- several rulesets


def _compared(study: Study, name: Name) -> dict[str, Any] | None:
    found = study.compare
    if found is None:
        return None
    moved = sorted((c for c in found.uses if c.sure), key=lambda c: (-abs(c.difference.value), c.name))
    groups = (
        ("Victories", "percentage points", [c for c in found.changes if is_share(c.name)], 100.0),
        ("Points", "points", [c for c in found.changes if c.name.startswith("points")], 1.0),
        ("Length", "decisions", [c for c in found.changes if c.name == "decisions"], 1.0),
        ("Options, times a game", "times", moved[:MAX_PLOTTED], 1.0),
    )
    return {
        "pairs": found.pairs,
        "left_out": found.left_out,
        "alike": shown(found.alike, True),
        "plots": [
            Figures(title, unit, tuple(_row(c.name, c.difference, factor) for c in changes))
            for title, unit, changes, factor in groups
            if changes
        ],
        "changes": [_change(change, "") for change in found.changes],
        "uses": [_change(change, name(change.name.rpartition(" ")[2])) for change in moved],
        "before": study.heading.rulesets[0][0],
        "after": study.heading.rulesets[1][0],
    }


def _change(change: Change, name: str) -> dict[str, Any]:
    share = is_share(change.name)
    return {
        "name": change.name,
        "spoken": name,
        "before": percent(change.before.value) if share else number(change.before.value),
        "after": percent(change.after.value) if share else number(change.after.value),
        "difference": shown(change.difference, share, True),
        "sure": change.sure,
    }


def _sweep(study: Study, names: Sequence[str]) -> dict[str, Any] | None:
    found = study.table
    if found is None:
        return None
    blocks = []
    for place, figure in enumerate(found.names):
        share = is_share(figure)
        rows = tuple(
            _row(ruleset, values[place], 100.0 if share else 1.0)
            for ruleset, values in zip(names, found.values, strict=True)
        )
        differences = [shown(row[place], share, True) for row in found.differences]
        blocks.append(
            {
                "figures": Figures(figure, "%" if share else "", rows),
                "table": [
                    (ruleset, shown(values[place], share), difference)
                    for ruleset, values, difference in zip(names, found.values, differences, strict=True)
                ],
            }
        )
    return {"pairs": found.pairs, "left_out": found.left_out, "blocks": blocks}


def _shares(study: Study) -> dict[str, Any] | None:
    found, steps = study.shares, study.steps
    if found is None or steps is None:
        return None
    blocks = []
    for place, figure in enumerate(found.names):
        share = is_share(figure)
        factor = 100.0 if share else 1.0
        rows = [_row(name, row[place], factor) for name, row in zip(steps.overlays, found.overlays, strict=True)]
        rows.append(_row("all together", found.whole[place], factor))
        blocks.append(Figures(figure, "percentage points" if share else "", tuple(rows)))
    return {"pairs": found.pairs, "left_out": found.left_out, "blocks": blocks, "shapley": steps.shapley}
