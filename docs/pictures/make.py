"""Makes the pictures of the README with the program itself: `python docs/pictures/make.py` (needs the extra `browser`).

`play.png` is the terminal of somebody in the middle of a game, `diff.png` the first screen of the page that
`warlock diff` writes. Both are drawn by the system's Chromium.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from io import BytesIO, StringIO
from pathlib import Path

from PIL import Image
from playwright.sync_api import sync_playwright
from rich.console import Console
from rich.terminal_theme import TerminalTheme
from rich.text import Text

from interpreter import Game
from workbench.players.registry import bot_of
from workbench.support.rulesets import playable

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
COLUMNS = 104
NEWS = 3  # lines of what happened before
COLOURS = 256  # of a picture: enough for text, and half the bytes
PLAYERS = ["human=Ann", "greedy=Ben", "greedy=Cleo"]
SEED, DECISIONS = 7, 300
EDITIONS = ["maldorf+en", "maldorf+fr"]

INK, GREY = (36, 41, 47), (110, 118, 129)
HUES = [(190, 30, 45), (26, 127, 55), (154, 103, 0), (9, 90, 200), (130, 60, 190), (20, 120, 130)]  # red to cyan
LIGHT = TerminalTheme((255, 255, 255), INK, [INK, *HUES, GREY], [GREY, *HUES, INK])
PAGE = """<!doctype html><meta charset="utf-8"><style>
{stylesheet}
body {{ margin: 0; color: {foreground}; background: {background}; }}
pre {{ margin: 0; padding: 18px 22px; width: max-content; font: 15px/17px "DejaVu Sans Mono", monospace; }}
</style><pre>{code}</pre>"""


def middle_of_a_game(save: Path) -> None:
    """Save a game among bots at a moment when the first seat is asked."""
    game = Game.start(playable("maldorf", [ROOT / "rules"]), len(PLAYERS), SEED, PLAYERS, log=True)
    bot = bot_of("greedy", SEED)
    while len(game.answers) < DECISIONS or game.to_move != 0:
        game.choose(bot.pick(game))
    save.write_text(json.dumps(game.save()), encoding="utf-8")


def warlock(*words: str) -> str:
    """What a command prints on a terminal with colours."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "FORCE_COLOR": "1", "COLUMNS": str(COLUMNS)}
    command = [sys.executable, "-m", "workbench.cli", *words]
    done = subprocess.run(command, cwd=ROOT, env=environment, stdin=subprocess.DEVNULL, capture_output=True)
    assert done.returncode in (0, 1), done.stderr.decode()  # 1: the rulesets differ
    return done.stdout.decode()


def terminal_page(save: Path, page: Path) -> None:
    """What the player of the first seat sees when the saved game is taken up again, as a page."""
    lines = warlock("play", "maldorf", "--load", str(save)).splitlines()
    board = next(number for number, line in enumerate(lines) if "╭" in line)
    prompt = [number for number, line in enumerate(lines) if number > board and line.strip()][-2]
    console = Console(record=True, width=COLUMNS, file=StringIO())
    console.print(Text("$ warlock play maldorf --seats human=Ann,greedy=Ben,greedy=Cleo", "bold"))
    console.print(Text.from_ansi("\n".join(lines[board - NEWS : prompt + 1])))
    page.write_text(console.export_html(theme=LIGHT, code_format=PAGE), encoding="utf-8")


def keep(name: str, png: bytes) -> None:
    with Image.open(BytesIO(png)) as picture:
        picture.convert("RGB").quantize(COLOURS).save(HERE / name, optimize=True)
    print(f"{name}: {(HERE / name).stat().st_size // 1000} kB")


def main() -> None:
    chromium = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as driver:
        save, terminal, diff = (Path(folder, name) for name in ("save.json", "play.html", "diff.html"))
        middle_of_a_game(save)
        terminal_page(save, terminal)
        browser = driver.chromium.launch(executable_path=chromium)
        page = browser.new_page(device_scale_factor=1.5, color_scheme="light")
        page.goto(terminal.as_uri())
        keep("play.png", page.locator("pre").screenshot())
        warlock("diff", *EDITIONS, "--html", str(diff))
        page.set_viewport_size({"width": 1100, "height": 950})
        page.goto(diff.as_uri())
        keep("diff.png", page.screenshot())
        browser.close()


if __name__ == "__main__":
    main()
