"""Reports as pages, opened in a real browser and looked at: everything is there, drawn, in its place, from one file."""

from __future__ import annotations

import zlib
from pathlib import Path
from typing import Any

import pytest

from tests.workbench.lab.browser import looked_at, picture
from tests.workbench.lab.odds import write_odds
from workbench.cli import main

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


@pytest.mark.long
@pytest.mark.parametrize("kind", sorted(KINDS))
@pytest.mark.parametrize("width", [1200, 520])
def test_a_browser_shows_every_plot_in_its_place(place: Path, kind: str, width: int) -> None:
    found: dict[str, Any] = looked_at(page(place, kind), place, width)
    assert SAYS[kind] in found["text"]
    assert found["loaded"] == []
    assert found["wide"] <= 0, "the page is wider than the window"
    assert set(PLOTS[kind]) <= {plot["title"] for plot in found["plots"]}
    for plot in found["plots"]:
        assert plot["marks"] > 0 and plot["outside"] == [], plot
        left, _, wide, high = plot["box"]
        assert left >= 0 and wide > 250 and high > 40, plot


@pytest.mark.long
def test_a_browser_draws_it(place: Path) -> None:
    """The picture is not blank: ground, paper, ink and the colour of the plots are all in it."""
    assert len(colours(picture(page(place, "plain"), place))) > 20


def colours(png: bytes) -> set[bytes]:
    """The colours of every fourth line of a picture without transparency, as the browser writes it."""
    assert png[:8] == b"\x89PNG\r\n\x1a\n"
    at, width, kind, packed = 8, 0, 0, b""
    while at < len(png):
        size, name = int.from_bytes(png[at : at + 4], "big"), png[at + 4 : at + 8]
        content = png[at + 8 : at + 8 + size]
        if name == b"IHDR":
            width, kind = int.from_bytes(content[:4], "big"), content[9]
        elif name == b"IDAT":
            packed += content
        at += 12 + size
    deep = {2: 3, 6: 4}[kind]
    raw, stride = zlib.decompress(packed), width * deep + 1
    lines = unfiltered([raw[start : start + stride] for start in range(0, len(raw), stride)], deep)
    return {line[i : i + 3] for line in lines[::4] for i in range(0, len(line), deep)}


def unfiltered(lines: list[bytes], deep: int) -> list[bytes]:
    """Lines of a PNG with the filters of its standard taken off."""
    found: list[bytes] = []
    before = bytes(len(lines[0]) - 1)
    for line in lines:
        now = bytearray(line[1:])
        for i in range(len(now)):
            left, up = now[i - deep] if i >= deep else 0, before[i]
            corner = before[i - deep] if i >= deep else 0
            nearest = min((left, up, corner), key=lambda v: abs(left + up - corner - v))
            now[i] = (now[i] + (0, left, up, (left + up) // 2, nearest)[line[0]]) & 255
        before = bytes(now)
        found.append(before)
    return found
