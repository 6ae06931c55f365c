"""Reports as pages, opened in a real browser and looked at: everything is there, drawn, in its place, from one file."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.workbench.browser import opened
from tests.workbench.odds import write_odds
from workbench.cli import main

if TYPE_CHECKING:
    from playwright.sync_api import Browser

KINDS = {
    "plain": ["odds", "--seats", "random,first"],
    "compare": ["odds", "--compare", "odds+bonus"],
    "sweep": ["odds", "--sweep", "luck.of_four=0..4"],
    "attribute": ["odds+luck+bonus", "--attribute"],
}
PLOTS = {
    "plain": ["Decisions a game", "Points of a seat", "Won, by seat", "Won, by player", "Winners have more, by part"],
    "compare": ["Victories", "Points", "Length", "Decisions a game", "Points of a seat", "Won, by seat"],
    "sweep": ["decisions", "points", "points: called", "won: seat 1", "won: seat 2"],
    "attribute": ["decisions", "points", "points: called", "won: seat 1", "won: seat 2", "points: bonus"],
}
SAYS = {
    "plain": "What is used, and what goes with it",
    "compare": "pairs of games on common seeds",
    "sweep": "odds+luck(of_four=4)",
    "attribute": "all together",
}


@pytest.fixture(autouse=True)
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.chdir(tmp_path)
    write_odds(tmp_path)
    return tmp_path


def page(place: Path, kind: str) -> Path:
    assert main(["sim", *KINDS[kind], "-n", "60", "--jobs", "1", "--html", "report.html"]) == 0
    return place / "report.html"


@pytest.mark.parametrize("kind", sorted(KINDS))
def test_a_page_needs_nothing_beside_it_and_is_the_same_each_time(place: Path, kind: str) -> None:
    first = page(place, kind).read_text(encoding="utf-8")
    assert page(place, kind).read_text(encoding="utf-8") == first
    assert SAYS[kind] in first
    for word in ("<script", "http:", "https:", "<link", "<img", "url("):
        assert word not in first


def test_a_file_that_is_something_else_is_left_alone(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (place / "report.html").write_text("my diary")
    assert main(["sim", "odds", "-n", "4", "--jobs", "1", "--html", "report.html"]) == 2
    assert "it is left alone" in capsys.readouterr().err
    assert (place / "report.html").read_text() == "my diary"


@pytest.mark.browser
@pytest.mark.parametrize("kind", sorted(KINDS))
@pytest.mark.parametrize("width", [1200, 520])
def test_a_browser_shows_every_plot_in_its_place(browser: Browser, place: Path, kind: str, width: int) -> None:
    with opened(browser, page(place, kind), width) as view:
        assert SAYS[kind] in view.page.locator("body").inner_text()
        assert view.complaints == [] and view.fetched == []
        assert view.too_wide() <= 0, "the page is wider than the window"
        plots = view.plots()
        assert set(PLOTS[kind]) <= {plot.title for plot in plots}
        for plot in plots:
            assert plot.marks > 0 and plot.outside == [], plot
            assert plot.left >= 0 and plot.width > 250 and plot.height > 40, plot


@pytest.mark.browser
def test_a_browser_draws_it(browser: Browser, place: Path) -> None:
    """The picture is not blank: ground, paper, ink and the colour of the plots are all in it."""
    with opened(browser, page(place, "plain"), 800, 600) as view:
        assert len(view.drawn()) > 20
