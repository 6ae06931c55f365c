"""Makes the pictures of the studio with the program itself: `python docs/pictures/studio.py`, where the studio and the
extra `browser` are installed."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tempfile
from io import BytesIO
from pathlib import Path
from typing import Any

from PIL import Image
from playwright.sync_api import sync_playwright

HERE = Path(__file__).resolve().parent
SEED, ANSWERS, GAMES = "7", 14, "300"
COLOURS = 256  # of a picture: enough for text, and half the bytes


def main() -> None:
    chromium = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as driver:
        words = [sys.executable, "-m", "warlock_studio", folder, "maldorf", "--no-browser"]
        with subprocess.Popen(words, stdout=subprocess.PIPE, text=True) as studio:
            assert studio.stdout is not None
            found = re.search(r"http://\S+", studio.stdout.readline())
            assert found is not None
            browser = driver.chromium.launch(executable_path=chromium)
            page = browser.new_page(viewport={"width": 1400, "height": 900}, color_scheme="light", locale="en-GB")
            page.set_default_timeout(180_000)
            page.goto(found[0])
            edit(page)
            compare(page)
            lab(page)
            browser.close()
            studio.terminate()


def edit(page: Any) -> None:
    page.fill("input[name=seed]", SEED)
    page.click("text=New table")
    for number in range(ANSWERS):
        page.wait_for_selector(f".timeline span:has-text('answer {number} of')")
        page.locator(".option").first.click()
    page.wait_for_selector(f".timeline span:has-text('answer {ANSWERS} of')")
    page.click("nav[aria-label=Files] button:text-is('powers.warlock')")
    page.locator(".why").first.click()
    page.wait_for_selector(".why-lines li")
    page.wait_for_selector(".cm-results .passed")
    take(page, "studio")


def compare(page: Any) -> None:
    page.click(".screens >> text=Compare")
    page.fill(".compare input >> nth=0", "maldorf+en")
    page.fill(".compare input >> nth=1", "maldorf+fr")
    page.click("text=Compare them")
    page.wait_for_selector(".difference .sides")
    page.click(".list button:has-text('Whether a card in the dungeon lies open')")
    page.wait_for_selector("text=The smallest table that shows it")
    take(page, "studio-compare")


def lab(page: Any) -> None:
    page.click(".screens >> text=Lab")
    page.fill(".lab input[type=number]", GAMES)
    page.click("section[aria-label=Simulation] >> text=Start")
    page.wait_for_selector(f"text={GAMES} of {GAMES} games")
    take(page, "studio-lab")


def take(page: Any, name: str) -> None:
    page.mouse.move(0, 0)
    page.wait_for_timeout(500)
    with Image.open(BytesIO(page.screenshot())) as picture:
        picture.convert("RGB").quantize(COLOURS).save(HERE / f"{name}.png", optimize=True)


if __name__ == "__main__":
    main()
