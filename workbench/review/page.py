"""The page of a review: the marks, what there is to look at, the positions drawn and the effects plotted."""

from __future__ import annotations

from collections.abc import Mapping

from workbench.diff.model import DiffReport
from workbench.diff.page import Drawn, moments_of
from workbench.pages.page import render_page
from workbench.review.model import Review
from workbench.sim.compare import Change, Comparison

Row = tuple[str, float, float, float]


def review_page(review: Review) -> str:
    """The review as one page."""
    diff = next((part.result for part in review.parts if isinstance(part.result, DiffReport)), None)
    effect = next((part.result for part in review.parts if isinstance(part.result, Comparison)), None)
    return render_page(
        "review.html",
        title=f"Review of {review.ruleset}",
        subtitle=review.about or f"compared with {review.base}",
        review=review,
        diff=diff,
        moments=_moments(diff),
        effect=effect,
        plots=_plots(effect),
    )


def _moments(diff: DiffReport | None) -> Mapping[str, tuple[Drawn, ...]]:
    if diff is None:
        return {}
    return {one.id: moments_of(one) for one in diff.differences}


def _plots(effect: Comparison | None) -> list[tuple[str, list[Row]]]:
    """The changes that are measured on one scale: points, decisions, and victories in percent."""
    if effect is None or effect.pairs < 2:
        return []
    groups: dict[str, list[Row]] = {"decisions": [], "points": [], "games won, in percent": []}
    for one in effect.changes:
        if one.difference.low == one.difference.high == 0:
            continue
        won = one.name.startswith("won: ")
        name = "games won, in percent" if won else one.name.partition(":")[0]
        groups[name].append(_row(one, 100 if won else 1))
    return [(f"change in {name}", rows) for name, rows in groups.items() if rows]


def _row(one: Change, scale: int) -> Row:
    low, high = one.difference.low * scale, one.difference.high * scale
    return one.name.removeprefix("won: "), one.difference.value * scale, low, high
