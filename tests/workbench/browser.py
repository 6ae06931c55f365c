"""A page in a real browser: Chromium, driven by Playwright. What it measures comes back as values, pixels by Pillow."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from attrs import Factory, frozen

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

NAMES = ("chromium", "chromium-browser", "google-chrome")
FRAMES = ".card, .seat, .old, .new, .scroll"
PARTS = "h1, h2, h3, p, li, table, pre, summary, .badge, .chip"

PLOTS = """(plots) => plots.map((svg) => {
  const s = svg.getBoundingClientRect();
  const out = (r) => r.left < s.left - 1 || r.right > s.right + 1 || r.top < s.top - 1 || r.bottom > s.bottom + 1;
  return {
    title: svg.getAttribute("aria-label"), left: s.left, width: s.width, height: s.height,
    marks: svg.querySelectorAll("circle, rect").length,
    outside: [...svg.querySelectorAll("text, circle, rect")].filter((e) => out(e.getBoundingClientRect()))
      .map((e) => e.textContent || e.tagName),
  };
})"""
STICKING_OUT = """(parts, frames) => parts.filter((e) => {
  const frame = e.parentElement.closest(frames) || document.body;
  const r = e.getBoundingClientRect(), f = frame.getBoundingClientRect();
  return getComputedStyle(frame).overflowX !== "auto" && (r.left < f.left - 1 || r.right > f.right + 1);
}).map((e) => e.tagName + ": " + e.textContent.trim().slice(0, 60))"""


@frozen
class Plot:
    title: str
    left: float
    width: float
    height: float
    marks: int
    outside: list[str]  # what is drawn beyond the edge of the plot


@frozen
class View:
    """A page as it is shown in a window, and what happened while it was loaded."""

    page: Page
    complaints: list[str] = Factory(list)  # messages on the console, errors of scripts
    fetched: list[str] = Factory(list)  # addresses other than that of the page itself

    def plots(self) -> list[Plot]:
        return [Plot(**found) for found in self.page.locator("svg.plot").evaluate_all(PLOTS)]

    def sticking_out(self) -> list[str]:
        """The parts of the page that are wider than their frame, where that does not scroll."""
        found: list[str] = self.page.locator(PARTS).evaluate_all(STICKING_OUT, FRAMES)
        return found

    def too_wide(self) -> int:
        """By how many pixels the page is wider than the window."""
        width: int = self.page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
        return width

    def sizes(self, selector: str) -> list[tuple[str, float, float]]:
        """Text, width and height of each element; of one that is not shown the size is 0."""
        found = []
        for element in self.page.locator(selector).all():
            box = element.bounding_box() or {"width": 0, "height": 0}
            found.append((element.inner_text(), box["width"], box["height"]))
        return found

    def colour(self, prop: str) -> tuple[int, ...]:
        """A colour of the body: red, green, blue."""
        style: str = self.page.locator("body").evaluate("(e, prop) => getComputedStyle(e)[prop]", prop)
        return tuple(int(part) for part in style.removeprefix("rgb(").removesuffix(")").split(","))

    def drawn(self) -> set[tuple[int, ...]]:
        """Every colour in the window as the browser draws it."""
        from PIL import Image  # not there without the extra `browser`

        with Image.open(BytesIO(self.page.screenshot())) as shot:
            pixels = shot.convert("RGB")
        return {colour for _, colour in pixels.getcolors(pixels.width * pixels.height) or ()}


@contextmanager
def started() -> Iterator[Browser]:
    """The system's Chromium, without a window. The test that asks is skipped where it, or Playwright, is missing."""
    playwright = pytest.importorskip("playwright.sync_api", reason="needs the extra 'browser' (Playwright)")
    pytest.importorskip("PIL", reason="needs the extra 'browser' (Pillow)")
    chromium = next(filter(None, map(shutil.which, NAMES)), None)
    if chromium is None:
        pytest.skip("needs Chromium (Debian: apt-get install chromium)")
    with playwright.sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=chromium)
        yield browser
        browser.close()


@contextmanager
def opened(browser: Browser, path: Path, width: int = 1200, height: int = 900, dark: bool = False) -> Iterator[View]:
    """A page in a window of this size, with everything that can be unfolded unfolded."""
    window = {"width": width, "height": height}
    with browser.new_context(viewport=window, color_scheme="dark" if dark else "light") as context:
        view = View(context.new_page())
        view.page.on("console", lambda message: view.complaints.append(message.text))
        view.page.on("pageerror", lambda error: view.complaints.append(str(error)))
        view.page.on("request", lambda request: view.fetched.append(request.url))
        view.page.goto(path.as_uri())
        view.fetched.remove(path.as_uri())
        view.page.locator("details").evaluate_all("(all) => all.forEach((one) => { one.open = true; })")
        yield view
