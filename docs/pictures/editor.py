"""Makes the pictures of the editor: `python docs/pictures/editor.py SERVER PACKAGE` (extras `browser` and `lsp`).

SERVER is a folder outside of the repository in which `npm install code-server` has put VS Code for the browser, PACKAGE
the extension that `editors/vscode/build.py` wrote. A copy of the rules is edited; nothing is installed or changed here.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from urllib.parse import quote

from PIL import Image
from playwright.sync_api import Page, sync_playwright

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
COLOURS = 128  # of a picture: enough for text, and a third of the bytes
SETTINGS = {
    "warlock.command": [sys.executable, "-m", "workbench.cli", "lsp"],
    "workbench.startupEditor": "none",
    "workbench.colorTheme": "Default Light Modern",
    "workbench.tips.enabled": False,
    "telemetry.telemetryLevel": "off",
    "update.mode": "none",
    "extensions.ignoreRecommendations": True,
    "chat.commandCenter.enabled": False,
    "editor.minimap.enabled": False,
    "editor.fontSize": 14,
    "editor.hover.delay": 100,
    "editor.semanticHighlighting.enabled": True,
    "window.commandCenter": False,
    "git.enabled": False,
}


@contextmanager
def server(place: Path, package: Path, folder: Path) -> Iterator[str]:
    """VS Code in the browser with the extension: its address, with the folder opened."""
    program = next(place.rglob("lib/vscode/out/server-main.js"))
    data = folder / "data"
    settings = data / "data/Machine/settings.json"
    settings.parent.mkdir(parents=True)
    settings.write_text(json.dumps(SETTINGS), encoding="utf-8")
    own = ["--server-data-dir", str(data), "--extensions-dir", str(data / "extensions")]
    common = ["node", str(program), *own, "--accept-server-license-terms"]
    subprocess.run([*common, "--install-extension", str(package)], check=True, stdout=subprocess.DEVNULL)
    words = [*common, "--host", "127.0.0.1", "--port", "0", "--without-connection-token"]
    with subprocess.Popen(words, stdout=subprocess.PIPE, text=True) as running:
        assert running.stdout is not None
        found = None
        while found is None:
            line = running.stdout.readline()
            assert line, "the server ended"
            found = re.search(r"http://[\w.]+:\d+", line)
        try:
            yield f"{found[0]}/?folder={folder / 'games'}"
        finally:
            running.terminate()


def open_file(page: Page, address: str, file: Path) -> None:
    """Open the folder anew, with one file."""
    host = address.split("/")[2]
    payload = json.dumps([["openFile", f"vscode-remote://{host}{file}"]])
    page.goto(f"{address}&payload={quote(payload)}")
    page.wait_for_selector(f".tab.active:has-text('{file.name}')")
    page.wait_for_selector(".monaco-editor .view-line")
    page.wait_for_timeout(3_000)
    trust = page.locator("text=Yes, I trust the authors")
    if trust.is_visible():
        trust.click()
    page.locator(".monaco-editor .view-lines").first.click()


def go_to(page: Page, line: int, column: int) -> None:
    page.keyboard.press("Control+g")
    page.wait_for_selector(".quick-input-widget input")
    page.keyboard.type(f":{line}:{column}")
    page.keyboard.press("Enter")
    page.wait_for_timeout(300)


def place_of(file: Path, text: str, ahead: int) -> tuple[int, int]:
    """The line of a text, and the column some signs into it."""
    for number, line in enumerate(file.read_text(encoding="utf-8").split("\n"), start=1):
        if text in line:
            return number, line.index(text) + 1 + ahead
    raise LookupError(text)


def save(page: Page, name: str) -> None:
    with Image.open(BytesIO(page.screenshot())) as picture:
        picture.convert("RGB").quantize(COLOURS).save(HERE / name, optimize=True)


def hover(page: Page, address: str, games: Path) -> None:
    """What an overlay of an overlay has put there, with the printed rule and what it was."""
    file = games / "variants/maldorf/de_errata/empire.warlock"
    open_file(page, address, file)
    page.wait_for_selector(".codelens-decoration a")
    go_to(page, *place_of(file, "rule pay", 6))
    page.wait_for_timeout(20_000)  # the scenarios run, a step at a time
    page.keyboard.press("Control+k")
    page.keyboard.press("Control+i")
    page.wait_for_selector(".monaco-hover:has-text('put there by')")
    page.wait_for_timeout(1_000)
    save(page, "editor.png")
    page.keyboard.press("Escape")


def mistake(page: Page, address: str, games: Path) -> None:
    """A slip with its fix."""
    file = games / "rules/maldorf/course.warlock"
    open_file(page, address, file)
    go_to(page, *place_of(file, "shuffle deck", len("shuffle de")))
    page.keyboard.press("Delete")
    page.wait_for_selector(".squiggly-error")
    page.keyboard.press("Control+.")
    page.wait_for_selector(".action-widget")
    page.wait_for_timeout(1_000)
    save(page, "editor-fix.png")


def main(place: str, package: str) -> None:
    chromium = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    with tempfile.TemporaryDirectory() as made, sync_playwright() as driver:
        games = Path(made) / "games"
        for name in ("rules", "variants"):
            shutil.copytree(ROOT / name, games / name)
        with server(Path(place), Path(package).resolve(), Path(made)) as address:
            browser = driver.chromium.launch(executable_path=chromium)
            page = browser.new_page(viewport={"width": 1300, "height": 800}, locale="en-GB")
            page.set_default_timeout(120_000)
            hover(page, address, games)
            mistake(page, address, games)
            browser.close()


if __name__ == "__main__":
    main(*sys.argv[1:])
