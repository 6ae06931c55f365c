"""Pages: everything from a game is escaped, nothing is fetched, a drawing shows what its viewer may see and no more."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from math import inf
from pathlib import Path

import pytest

from interpreter import Game
from warlock_dsl.ruleset import Ruleset
from workbench.language.sentences import Words
from workbench.pages.drawing import draw
from workbench.pages.page import render_page, write_page
from workbench.pages.plots import curves, histogram, interval_plot, short, ticks
from workbench.service.table import table_for
from workbench.support.errors import UsageError


class _Balanced(HTMLParser):
    """Fails where tags do not nest."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in ("meta", "br", "input"):
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open and self.open.pop() == tag, tag

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert tag in ("line", "circle", "polygon", "polyline")


def balanced(text: str) -> None:
    reader = _Balanced()
    reader.feed(text)
    reader.close()
    assert not reader.open


def test_titles_are_escaped_and_nothing_is_fetched() -> None:
    page = render_page("base.html", title="a <b> & c", subtitle="<script>")
    assert "a &lt;b&gt; &amp; c" in page
    assert "<script" not in page
    assert not re.search(r"https?:|src=|@import|url\(", page)
    balanced(page)


def test_a_file_that_is_no_page_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "notes.html"
    path.write_text("mine", encoding="utf-8")
    with pytest.raises(UsageError, match="left alone"):
        write_page(path, "x")
    assert path.read_text(encoding="utf-8") == "mine"
    fresh = tmp_path / "page.html"
    write_page(fresh, render_page("base.html", title="one", subtitle=""))
    write_page(fresh, render_page("base.html", title="two", subtitle=""))
    assert "two" in fresh.read_text(encoding="utf-8")
    with pytest.raises(UsageError, match="cannot be written"):
        write_page(tmp_path / "no" / "page.html", "x")


@pytest.mark.parametrize(
    ("low", "high", "marks"),
    [(0, 1, [0, 0.2, 0.4, 0.6, 0.8, 1]), (-3, 7, [-4, -2, 0, 2, 4, 6, 8]), (17, 23, [16, 18, 20, 22, 24])],
)
def test_marks_of_an_axis_are_round_and_enclose_the_values(low: float, high: float, marks: list[float]) -> None:
    assert ticks(low, high) == pytest.approx(marks)


@pytest.mark.parametrize(
    ("value", "text"),
    [(0, "0"), (0.25, "0.25"), (-12.5, "\u221212.5"), (10000, "10,000"), (-1234567.8, "\u22121,234,568")],
)
def test_numbers_of_an_axis_are_written_out(value: float, text: str) -> None:
    assert short(value) == text


def test_plots_are_sound_pictures() -> None:
    rows = [("<one>", 1.0, 0.5, 1.5), ("two", -2.0, -inf, inf)]
    for plot in (
        interval_plot(rows, "t"),
        histogram([1, 2, 2, 3], "t", "u"),
        curves([("a", [(1, 2, 1, 3), (2, 2, 1, 3)])], "t", "x", "y"),
    ):
        assert plot.startswith("<svg") and "nan" not in plot and "inf" not in plot
        balanced(plot)
    assert "&lt;one&gt;" in interval_plot(rows, "t")
    assert interval_plot([], "t") == histogram([], "t") == curves([], "t") == ""


def test_a_drawing_shows_a_hand_to_its_owner_alone(maldorf: Ruleset) -> None:
    game = Game.start(maldorf, 3, 1)
    words = Words(maldorf, "en", ["Ann", "Ben", "Cid"])
    picture = draw(table_for(words, game, 0))
    hands = [next(area for area in seat.areas if area.name == "hand") for seat in picture.seats]
    assert [any(chip.back for chip in hand.chips) for hand in hands] == [False, True, True]
    assert [sum(chip.count for chip in hand.chips) for hand in hands] == [5, 5, 5]
    assert [seat.asked for seat in picture.seats].count(True) == 1
    assert all(chip.colour.startswith("#") for chip in hands[0].chips)
    assert not any(area.rows for seat in picture.seats for area in seat.areas), "no empire yet: nothing is drawn"
