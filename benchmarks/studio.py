"""How soon the studio answers, in a real browser: keystroke to errors, keystroke to the table, click to the table.

    python -m benchmarks.studio [RULESET]       default maldorf, in the middle of a game

The times are taken inside the page, from the event to the change of what is shown, and are medians over ROUNDS; they
are those of the clock, since a person waits by the clock. Beyond a bound the exit code is 1. Needs Chromium and the
extra `browser`, and the page of the studio built.
"""

from __future__ import annotations

import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
NAMES = ("chromium", "chromium-browser", "google-chrome")
ROUNDS = 15
ANSWERS = 60  # that are given before anything is measured
BOUNDS = {"keystroke to errors": 0.200, "keystroke to the table": 1.000, "click to the table": 0.100}  # seconds

# Milliseconds from doing something to what is shown then. Nothing polls: a change of the document is seen as it comes.
WAIT = """([does, shows]) => new Promise((done) => {
  const before = document.querySelector(".timeline span").textContent;
  const told = {
    errors: () => document.querySelector(".problems li.error") !== null,
    carried: () => document.querySelector(".message").textContent.includes("goes on under the new rules"),
    answered: () => document.querySelector(".timeline span").textContent !== before,
  };
  const began = performance.now();
  const seen = new MutationObserver(() => {
    if (!told[shows]()) return;
    seen.disconnect();
    done(performance.now() - began);
  });
  seen.observe(document.body, { subtree: true, childList: true, characterData: true });
  if (does === "click") document.querySelector(".option").click();
  else document.execCommand("insertText", false, does);
})"""


def measured(page: Any) -> dict[str, list[float]]:
    """The times, by what they are of."""
    found: dict[str, list[float]] = {name: [] for name in BOUNDS}
    for _ in range(ROUNDS):
        found["click to the table"].append(page.evaluate(WAIT, ["click", "answered"]) / 1000)
    page.once("dialog", lambda dialog: dialog.accept("measured"))
    page.click("header >> text=New overlay")
    page.wait_for_selector("nav >> text=+measured/overlay.toml")
    page.click("nav[aria-label=Files] button:text-is('+measured/rules.warlock')")
    page.wait_for_selector("nav button.here:text-is('+measured/rules.warlock')")
    begin(page)
    page.click(".cm-content")
    page.keyboard.press("Control+End")
    page.keyboard.type("\ndefine measured_here = 0")
    page.wait_for_selector(".message:has-text('goes on under the new rules')")
    for _ in range(ROUNDS):
        found["keystroke to errors"].append(page.evaluate(WAIT, ["x", "errors"]) / 1000)
        page.keyboard.press("Backspace")
        page.wait_for_selector(".problems li.error", state="detached")
        page.click("header button:text-is('Save')")  # another message, so that the next one is new
        page.wait_for_selector(".message:text-is('saved')")
        page.click(".cm-content")
        page.keyboard.press("Control+End")
        found["keystroke to the table"].append(page.evaluate(WAIT, ["1", "carried"]) / 1000)
    return found


def begin(page: Any) -> None:
    """A game with the same seed, some way on."""
    page.fill("input[name=seed]", "7")
    page.click("text=New table")
    page.wait_for_selector(".timeline span:text-is('answer 0 of 0')")
    for number in range(1, ANSWERS + 1):
        page.click("text=One bot answer")
        page.wait_for_selector(f".timeline span:text-is('answer {number} of {number}')")


def main() -> int:
    from playwright.sync_api import sync_playwright

    ruleset = sys.argv[1] if len(sys.argv) > 1 else "maldorf"
    chromium = next(filter(None, map(shutil.which, NAMES)), None)
    own = {**os.environ, "PYTHONPATH": f"{ROOT / 'studio'}:{ROOT}"}
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as driver:
        words = [sys.executable, "-m", "warlock_studio", folder, ruleset, "--no-browser"]
        with subprocess.Popen(words, stdout=subprocess.PIPE, text=True, env=own) as studio:
            assert studio.stdout is not None
            address = re.search(r"http://\S+", studio.stdout.readline())
            assert address is not None
            browser = driver.chromium.launch(executable_path=chromium)
            page = browser.new_page(viewport={"width": 1500, "height": 950}, locale="en-GB")
            page.set_default_timeout(120_000)
            page.goto(address[0])
            page.wait_for_selector(".board")
            begin(page)
            found = measured(page)
            browser.close()
            studio.terminate()
    late = False
    print(f"{ruleset}, after {ANSWERS} answers, {ROUNDS} rounds, by the clock")
    for name, bound in BOUNDS.items():
        median, longest = statistics.median(found[name]) * 1000, max(found[name]) * 1000
        late |= median > bound * 1000
        print(f"  {name:24} median {median:6.0f} ms   longest {longest:6.0f} ms   bound {bound * 1000:5.0f} ms")
    return int(late)


if __name__ == "__main__":
    sys.exit(main())
