"""The page of `warlock diff`: the rules side by side, the witness positions drawn, the effects plotted."""

from __future__ import annotations

from collections.abc import Sequence

from attrs import frozen

from warlock_dsl import Ruleset
from workbench.diff.model import Difference, DiffReport, Effect, Measure, Side, Witness
from workbench.language.sentences import Words
from workbench.pages.drawing import Picture, draw
from workbench.pages.page import render_page
from workbench.transcripts.record import seat_names

Row = tuple[str, float, float, float]


@frozen
class Moment:
    """One side of a witness as the page shows it."""

    side: Side
    picture: Picture | None


def diff_page(report: DiffReport, old: Ruleset, new: Ruleset, lang: str = "en") -> str:
    """The whole report as one page; `old` and `new` are the two rulesets, for names and colours."""
    return render_page(
        "diff.html",
        title=f"{report.title}: {report.old} and {report.new}",
        subtitle="What one ruleset says otherwise than the other, a position that shows it, and what it comes to",
        report=report,
        seen=[one for one in report.differences if one.witness is not None],
        sought=[one for one in report.differences if one.search is not None],
        moments={one.id: moments_of(one, old, new, lang) for one in report.differences},
        plots=_plots(report.effect),
    )


def moments_of(difference: Difference, old: Ruleset, new: Ruleset, lang: str) -> tuple[Moment, ...]:
    """The position under each ruleset; once, if both look the same there."""
    witness = difference.witness
    if witness is None:
        return ()
    sides = [(witness.old, old), (witness.new, new)]
    drawn = [Moment(side, _picture(witness, side, ruleset, lang)) for side, ruleset in sides]
    alike = drawn[0].picture is not None and drawn[0].picture == drawn[1].picture
    return (drawn[0], Moment(witness.new, None)) if alike else tuple(drawn)


def _picture(witness: Witness, side: Side, ruleset: Ruleset, lang: str) -> Picture | None:
    if side.view is None:
        return None
    seats = [name.capitalize() for name in seat_names(ruleset, witness.players)]
    return draw(Words(ruleset, lang, seats), side.view, side.asked)


def _plots(effect: Effect | None) -> list[tuple[str, str, list[Row]]]:
    """The measures that can be drawn on one scale: unit, title, rows."""
    if effect is None:
        return []
    groups: dict[str, list[Measure]] = {}
    for measure in effect.measures:
        if measure.verdict != "same":
            groups.setdefault(measure.unit, []).append(measure)
    return [(unit, f"change in {unit}", _rows(measures)) for unit, measures in groups.items()]


def _rows(measures: Sequence[Measure]) -> list[Row]:
    return [(measure.label, measure.difference, measure.low, measure.high) for measure in measures]
