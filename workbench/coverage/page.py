"""The page of a coverage report: the rule files with counts in the margin, and what never came up."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from workbench.coverage.report import Item, Report
from workbench.pages.page import render_page

SHOWN = 40  # of the rarest


def page(report: Report, sources: Mapping[str, str]) -> str:
    """The report as one page."""
    by_line: dict[tuple[str, int], list[Item]] = {}
    for item in report.items:
        if item.feature.sort in ("rule", "branch", "definition", "score", "question"):
            by_line.setdefault((item.feature.span.file, item.feature.span.line), []).append(item)
    files = [
        (file, [_line(report, by_line.get((file, number), []), file, number, text) for number, text in _lines(rules)])
        for file, rules in sorted(sources.items(), key=lambda one: (one[0].startswith("std/"), one[0]))
        if file.endswith(".warlock")
    ]
    return render_page(
        "coverage.html",
        title=f"Coverage of {report.ruleset.name}",
        subtitle=f"{report.sums.games:,} games, {report.sums.decisions:,} decisions",
        report=report,
        summary=report.summary(),
        never=report.never(),
        ruled_out=report.ruled_out(),
        rarest=[(item, *report.seats(item)) for item in report.rarest(SHOWN)],
        files=files,
    )


def _lines(text: str) -> list[tuple[int, str]]:
    return list(enumerate(text.rstrip("\n").split("\n"), 1))


def _line(report: Report, items: list[Item], file: str, number: int, text: str) -> dict[str, Any]:
    """A line with its count, how it fared, and what there is to say about its branches."""
    count = report.sums.lines.get((file, number))
    missed = [item for item in items if not item.fired and not item.feature.ruled_out]
    shut = [item for item in items if not item.fired and item.feature.ruled_out]
    notes = [f"{item.feature.what}: never" for item in missed]
    notes += [f"{item.feature.what}: cannot come up, {item.feature.ruled_out}" for item in shut]
    state = "missed" if missed else "shut" if shut else "came" if count else "plain"
    return {"number": number, "text": text, "count": count or 0, "state": state, "notes": notes}
