"""Every report that is a page, of a whole game, in a real browser: all of it is there, readable, and in its place."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.workbench.browser import colours, looked_at, picture
from workbench.cli import main
from workbench.pages.page import render_page, write_page
from workbench.pages.plots import histogram

pytestmark = pytest.mark.browser

PAGES = {
    "diff": ["diff", "maldorf", "maldorf+hand_size", "--games", "4"],
    "sim": ["sim", "maldorf", "--players", "3", "--seats", "random,first,random", "-n", "12"],
    "coverage": ["coverage", "maldorf", "--games", "4"],
}
HEADINGS = {
    "diff": ["What it comes to", "The differences", "Where they part"],
    "sim": ["Decisions a game", "Won, by seat", "Points by part", "What is used, and what goes with it"],
    "coverage": ["Never came up", "Cannot come up under this ruleset", "The rarest", "bar.warlock"],
}
PLOTS = {"diff": 2, "sim": 5, "coverage": 0}  # at least
ROWS = {"diff": 10, "sim": 40, "coverage": 300}  # at least


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
def test_a_page_is_whole_and_nothing_sticks_out(pages: dict[str, Path], tmp_path: Path, name: str, width: int) -> None:
    found = looked_at(pages[name], tmp_path, width)
    assert found["complaints"] == [] and found["loaded"] == []
    assert found["wide"] <= 0, "the page is wider than the window"
    assert found["sticks_out"] == []
    shown = {text for text, _, _, wide, high in found["headings"] if wide > 20 and high > 10}
    assert set(HEADINGS[name]) <= shown
    assert len(found["plots"]) >= PLOTS[name] and found["rows"] >= ROWS[name]
    for plot in found["plots"]:
        assert plot["marks"] > 0 and plot["outside"] == [] and plot["box"][2] > 250, plot
    if name == "diff":
        assert found["chips"], "pieces are drawn"
        assert all(wide > 10 and high > 10 for _, _, wide, high in found["chips"])


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize("name", PAGES)
def test_a_page_is_drawn_in_both_schemes(pages: dict[str, Path], tmp_path: Path, name: str, dark: bool) -> None:
    """Not blank: ink on ground and what lies between, and the ground is that of the scheme."""
    found = looked_at(pages[name], tmp_path, dark=dark)
    ground, ink = ([int(part) for part in found[what][4:-1].split(",")] for what in ("ground", "ink"))
    assert (sum(ground) < sum(ink)) is dark and abs(sum(ground) - sum(ink)) > 400
    drawn = colours(picture(pages[name], tmp_path, dark=dark))
    assert bytes(ground) in drawn and len(drawn) > 20


def test_a_histogram_of_very_many_has_room_for_its_numbers(tmp_path: Path) -> None:
    picture = histogram([1.0] * 2_000_000 + [5.0, 9000.0], "many", "points")
    page = tmp_path / "many.html"
    write_page(page, render_page("base.html", title="many", subtitle="").replace("<footer>", f"{picture}<footer>"))
    [plot] = looked_at(page, tmp_path)["plots"]
    assert plot["outside"] == [] and plot["marks"] == 2


def test_a_page_that_is_wrong_is_seen(tmp_path: Path) -> None:
    """What the tests above look for can be found: too wide, out of its frame, and a complaint."""
    page = tmp_path / "wrong.html"
    page.write_text(
        "<!doctype html><html><body><div class='card' style='width: 300px'><p style='width: 3000px'>far</p></div>"
        "<script>nothing.there()</script></body></html>",
        encoding="utf-8",
    )
    found = looked_at(page, tmp_path)
    assert found["wide"] > 1000
    assert found["sticks_out"] == ["P: far"]
    assert len(found["complaints"]) == 1 and "nothing is not defined" in found["complaints"][0]
    blank = tmp_path / "blank.html"
    blank.write_text("<!doctype html><html><body></body></html>", encoding="utf-8")
    assert len(colours(picture(blank, tmp_path))) == 1
