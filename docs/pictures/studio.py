"""Makes the picture of the studio with the program itself: `python docs/pictures/studio.py`, where the studio and the
extra `browser` are installed."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tempfile
from io import BytesIO
from pathlib import Path

from PIL import Image
from playwright.sync_api import sync_playwright

HERE = Path(__file__).resolve().parent
SEED, ANSWERS = "7", 14
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
            page.goto(found[0])
            page.fill("input[name=seed]", SEED)
            page.click("text=New table")
            for number in range(ANSWERS):
                page.wait_for_selector(f".timeline span:has-text('answer {number} of')")
                page.locator(".option").first.click()
            page.wait_for_selector(f".timeline span:has-text('answer {ANSWERS} of')")
            page.click("nav[aria-label=Files] button:text-is('powers.warlock')")
            page.locator(".why").first.click()
            page.wait_for_selector(".why-lines li")
            page.mouse.move(0, 0)
            page.wait_for_timeout(500)
            with Image.open(BytesIO(page.screenshot())) as picture:
                picture.convert("RGB").quantize(COLOURS).save(HERE / "studio.png", optimize=True)
            browser.close()
            studio.terminate()


if __name__ == "__main__":
    main()
