"""Comparing stacks, exporting, and who can use it: done in a real browser as a person does it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.studio.conftest import STUDIO, Served

pytestmark = pytest.mark.browser

AXE = STUDIO / "web" / "node_modules" / "axe-core" / "axe.min.js"


def axe(page: Any) -> list[str]:
    page.evaluate(AXE.read_text(encoding="utf-8"))
    found = page.evaluate("async () => (await axe.run(document)).violations")
    return [f"{one['id']}: {one['nodes'][0]['html'][:200]}" for one in found]


def compare(page: Any, *stacks: str) -> None:
    page.click(".screens >> text=Compare")
    for number, stack in enumerate(stacks):
        if number > 1:
            page.click("text=One more")
        page.fill(f".compare input >> nth={number}", stack)
    page.click("text=Compare them")
    page.wait_for_selector(".differences .list button.here")
    page.wait_for_selector(".difference .sides")


@pytest.mark.parametrize("served", ["connect-four"], indirect=True)
def test_a_difference_its_positions_and_on_from_there(page: Any, served: Served) -> None:
    compare(page, "connect-four", "connect-four+small", "connect-four+small+taller")
    assert page.locator(".says > div").count() == 3
    assert page.locator(".side").count() >= 2 and page.locator(".side .differs").count() >= 2
    page.wait_for_selector(".merged .cm-changedText")
    page.locator(".side1 >> text=Play on from here under this").first.click()
    page.wait_for_selector("text=This table plays connect-four")
    page.locator(".option").first.click()
    page.wait_for_selector(".timeline span:has-text('answer 1 of 1')")
    page.click("text=New table")
    page.wait_for_selector("text=This table plays", state="detached")
    page.click(".screens >> text=Compare")
    page.locator(".side0 >> text=Play on from here under this").last.click()
    page.wait_for_selector("text=This table plays connect-four, not")


@pytest.mark.parametrize("served", ["maldorf+en"], indirect=True)
def test_two_editions_by_chapter(page: Any, served: Served) -> None:
    compare(page, "maldorf+en", "maldorf+fr")
    page.wait_for_selector(".list h2:has-text('The visit to the bar')")
    page.wait_for_selector("text=The smallest table that shows it")
    page.wait_for_selector("text=A position of a real game")
    page.select_option(".list select", "visibility")
    page.locator(".differences .list button").first.click()
    page.wait_for_selector(".difference .sides .board")


def test_what_cannot_be_compared_is_said(page: Any) -> None:
    page.click(".screens >> text=Compare")
    page.fill(".compare input >> nth=0", "maldorf")
    page.fill(".compare input >> nth=1", "tic-tac-toe")
    page.click("text=Compare them")
    page.wait_for_selector(".message:has-text('different games')")


# -------------------------------------------------------------------- pages without a server


class Offline:
    """A page that was exported, opened from the disk: what it says on the console, and all that it asks for."""

    def __init__(self, browser: Any, file: Path, width: int = 1200) -> None:
        self.wrong: list[str] = []
        self.context = browser.new_context(viewport={"width": width, "height": 900}, offline=True)
        self.page = self.context.new_page()
        self.page.on("console", lambda message: self.wrong.append(message.text))
        self.page.on("pageerror", lambda error: self.wrong.append(str(error)))
        own = file.as_uri()
        self.page.on("request", lambda request: request.url in (own, "data:,") or self.wrong.append(request.url))
        self.page.goto(own)

    def close(self) -> None:
        self.context.close()
        assert not self.wrong, self.wrong


def exported(page: Any, tmp_path: Path) -> Path:
    with page.expect_download() as download:
        page.click("text=Export as a page")
    file = tmp_path / "page.html"
    download.value.save_as(file)
    return file


@pytest.mark.parametrize("served", ["go-fish"], indirect=True)
def test_a_game_as_a_page_without_a_server(page: Any, chromium: Any, tmp_path: Path) -> None:
    page.select_option(".seats label:has-text('Seen by') select", label="Ann")
    for number in range(1, 5):
        page.click("text=One bot answer")
        page.wait_for_selector(f".timeline span:text-is('answer {number} of {number}')")
    file = exported(page, tmp_path)
    assert "hidden card" in file.read_text()
    offline = Offline(chromium, file)
    offline.page.wait_for_selector("text=answer 0 of 4")
    offline.page.keyboard.press("ArrowRight")
    offline.page.wait_for_selector("text=answer 1 of 4")
    offline.page.click("button[aria-label=Last]")
    offline.page.wait_for_selector("text=answer 4 of 4")
    assert offline.page.locator(".log li").count() >= 1
    assert axe_by_hand(offline.page)
    offline.close()


UNNAMED = "(all) => all.filter((one) => !(one.innerText || one.getAttribute('aria-label'))).length"


def axe_by_hand(page: Any) -> bool:
    """An exported page runs no script but its own, axe's neither: what matters most is looked at here."""
    unnamed = page.locator("button, input").evaluate_all(UNNAMED)
    return bool(page.locator("h1").count() == 1 and unnamed == 0 and page.locator("html").get_attribute("lang") == "en")


@pytest.mark.parametrize("served", ["connect-four"], indirect=True)
def test_a_comparison_as_a_page_without_a_server(page: Any, chromium: Any, tmp_path: Path) -> None:
    compare(page, "connect-four", "connect-four+small")
    offline = Offline(chromium, exported(page, tmp_path), 600)
    offline.page.wait_for_selector(".difference .sides .board")
    wide = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
    assert offline.page.evaluate(wide) <= 0
    offline.close()


# -------------------------------------------------------------------- for everyone


@pytest.mark.parametrize("served", ["connect-four"], indirect=True)
def test_axe_finds_nothing_on_any_screen(page: Any) -> None:
    """Wide and narrow, light and dark; 750 points is 1,500 at 200 %, and nothing is wider than the window."""
    compare(page, "connect-four", "connect-four+small")
    for screen in ("Compare", "Edit", "Lab"):
        page.click(f".screens >> text={screen}")
        for width, scheme in ((1500, "light"), (750, "dark"), (420, "light")):
            page.emulate_media(color_scheme=scheme)
            page.set_viewport_size({"width": width, "height": 950 if width > 750 else 475})
            assert axe(page) == [], (screen, width, scheme)
            over = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
            assert over <= 0, (screen, width, over)
        page.set_viewport_size({"width": 1500, "height": 950})


def test_by_keyboard_alone(page: Any) -> None:
    """To the editor and out of it, to the board, an answer there, a scenario of it, and to another screen."""
    focus = "document.activeElement"
    page.keyboard.press("Tab")
    for _ in range(60):
        if page.evaluate(f"{focus}.classList.contains('cm-content')"):
            break
        page.keyboard.press("Tab")
    assert page.evaluate(f"{focus}.classList.contains('cm-content')")
    page.keyboard.press("Escape")
    page.keyboard.press("Tab")
    for _ in range(80):
        if page.evaluate(f"{focus}.classList.contains('cell')"):
            break
        page.keyboard.press("Tab")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowDown")
    assert page.evaluate(f"{focus}.dataset.cell") == "4"
    page.keyboard.press("Enter")
    page.wait_for_selector(".timeline span:text-is('answer 1 of 1')")
    page.keyboard.press("1")
    page.wait_for_selector(".timeline span:text-is('answer 2 of 2')")
    page.keyboard.press("[")
    page.wait_for_selector(".timeline span:text-is('answer 1 of 2')")
    page.locator(".screens button").nth(2).focus()
    page.keyboard.press("Enter")
    page.wait_for_selector("section[aria-label=Simulation]")
