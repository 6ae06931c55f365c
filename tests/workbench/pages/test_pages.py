"""Every report that is a page, of a whole game, in a real browser: all of it is there, readable, and in its place."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.workbench.browser import opened
from workbench.cli import main
from workbench.pages.page import render_page, write_page
from workbench.pages.plots import histogram

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = pytest.mark.browser

PAGES = {
    "diff": ["diff", "maldorf", "maldorf+hand_size", "--games", "4"],
    "editions": ["diff", "maldorf+en", "maldorf+fr", "maldorf+de", "--kind", "visibility,misprint", "--lang", "de"],
    "sim": ["sim", "maldorf", "--players", "3", "--seats", "random,first,random", "-n", "12"],
    "coverage": ["coverage", "maldorf", "--games", "4"],
    "review": ["review", "maldorf+truce", "--games", "6"],
}
HEADINGS = {
    "diff": ["The editions", "What it comes to", "Side by side", "The positions"],
    "editions": ["Die Ausgaben", "Nebeneinander", "Die Stellungen", "Ob eine Karte im Kerker offen liegt"],
    "sim": ["Decisions a game", "Won, by seat", "Points by part", "What is used, and what goes with it"],
    "coverage": ["Never came up", "Cannot come up under this ruleset", "The rarest", "bar.warlock"],
    "review": ["look the game's scenarios", "ok what it changes", "ok effect"],
}
PLOTS = {"diff": 2, "editions": 0, "sim": 5, "coverage": 0, "review": 3}  # at least
ROWS = {"diff": 10, "editions": 20, "sim": 40, "coverage": 300, "review": 8}  # at least


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("pages")
    made = {}
    for name, arguments in PAGES.items():
        made[name] = folder / f"{name}.html"
        assert main([*arguments, "--jobs", "1", "--html", str(made[name])]) in (0, 1), name
    return made


@pytest.mark.parametrize("width", [1200, 520])
@pytest.mark.parametrize("name", PAGES)
def test_a_page_is_whole_and_nothing_sticks_out(
    browser: Browser, pages: dict[str, Path], name: str, width: int
) -> None:
    with opened(browser, pages[name], width) as view:
        assert view.complaints == [] and view.fetched == []
        assert view.too_wide() <= 0, "the page is wider than the window"
        assert view.sticking_out() == []
        shown = {text for text, wide, high in view.sizes("h1, h2, h3") if wide > 20 and high > 10}
        assert set(HEADINGS[name]) <= shown
        plots = view.plots()
        assert len(plots) >= PLOTS[name] and view.page.locator("tr").count() >= ROWS[name]
        for plot in plots:
            assert plot.marks > 0 and plot.outside == [] and plot.width > 250, plot
        if name == "diff":
            chips = view.sizes(".chip")
            assert chips, "pieces are drawn"
            assert all(wide > 10 and high > 10 for _, wide, high in chips)


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize("name", PAGES)
def test_a_page_is_drawn_in_both_schemes(browser: Browser, pages: dict[str, Path], name: str, dark: bool) -> None:
    """Not blank: ink on ground and what lies between, and the ground is that of the scheme."""
    with opened(browser, pages[name], 800, 600, dark) as view:
        ground, ink = view.colour("backgroundColor"), view.colour("color")
        assert (sum(ground) < sum(ink)) is dark and abs(sum(ground) - sum(ink)) > 400
        drawn = view.drawn()
        assert ground in drawn and len(drawn) > 20


def test_a_comparison_is_printed_with_its_tables_and_without_what_is_for_the_screen(
    browser: Browser, pages: dict[str, Path]
) -> None:
    with opened(browser, pages["editions"]) as view:
        assert len(view.sizes(".outlined")) >= 10 and view.page.locator(".grid .line").count() > 0
        assert view.page.locator(".filter").is_visible() and view.page.locator("details").first.is_visible()
        view.page.emulate_media(media="print")
        assert not view.page.locator(".filter").is_visible() and not view.page.locator("details").first.is_visible()
        assert view.page.locator(".legend").first.is_visible() and view.too_wide() <= 0
        assert view.page.pdf(format="A4", print_background=True).startswith(b"%PDF")


def test_a_histogram_of_very_many_has_room_for_its_numbers(browser: Browser, tmp_path: Path) -> None:
    picture = histogram([1.0] * 2_000_000 + [5.0, 9000.0], "many", "points")
    page = tmp_path / "many.html"
    write_page(page, render_page("base.html", title="many", subtitle="").replace("<footer>", f"{picture}<footer>"))
    with opened(browser, page) as view:
        [plot] = view.plots()
        assert plot.outside == [] and plot.marks == 2


def test_a_page_that_is_wrong_is_seen(browser: Browser, tmp_path: Path) -> None:
    """What the tests above look for can be found: too wide, out of its frame or plot, a complaint, a fetched file."""
    page = tmp_path / "wrong.html"
    page.write_text(
        "<!doctype html><html><body><div class='card' style='width: 300px'><p style='width: 3000px'>far</p></div>"
        "<svg class='plot' width='300' height='50'><circle cx='299' cy='9' r='5'/><text x='400' y='9'>out</text></svg>"
        "<script>nothing.there()</script></body></html>",
        encoding="utf-8",
    )
    with opened(browser, page) as view:
        assert view.too_wide() > 1000
        assert view.sticking_out() == ["P: far"]
        assert [plot.outside for plot in view.plots()] == [["circle", "out"]]
        assert len(view.complaints) == 1 and "nothing is not defined" in view.complaints[0]
        assert view.fetched == []
    page.write_text("<!doctype html><html><body><img src='beside.png'></body></html>", encoding="utf-8")
    with opened(browser, page) as view:
        assert view.fetched == [(tmp_path / "beside.png").as_uri()]
    page.write_text("<!doctype html><html><body></body></html>", encoding="utf-8")
    with opened(browser, page) as view:
        assert view.drawn() == {(255, 255, 255)}
