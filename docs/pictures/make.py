"""Makes the pictures of the README with the program itself: `python docs/pictures/make.py` (needs the extra `browser`).

`play.png`, `auction.png`, `explain.png`, `why.png` and `replay.png` are terminals, `diff.png` is the first screen of
the page that `warlock diff` writes. All are drawn by the system's Chromium.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from io import BytesIO, StringIO
from pathlib import Path

from PIL import Image
from playwright.sync_api import sync_playwright
from rich.console import Console
from rich.terminal_theme import TerminalTheme
from rich.text import Text

from interpreter import Game
from workbench.language.phrases import Phrases
from workbench.language.sentences import Words
from workbench.players.registry import bot_of
from workbench.support.rulesets import playable
from workbench.terminal.recorded import recorded
from workbench.terminal.screen import PlayScreen
from workbench.terminal.sitting import Sitting, Start, seat_from
from workbench.terminal.walk import Walk, WalkScreen

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
COLUMNS, LINES = 100, 32
SMALL = 80, 24
COLOURS = 256  # of a picture: enough for text, and half the bytes
PLAYERS = ["human=Ann", "greedy=Ben", "greedy=Cleo"]
SEED, DECISIONS = 7, 60
WHY_NOT = "empire"  # what is asked about
EDITIONS = ("maldorf+en", "maldorf+fr", "maldorf+de")

INK, GREY = (36, 41, 47), (110, 118, 129)
HUES = [(190, 30, 45), (26, 127, 55), (154, 103, 0), (9, 90, 200), (130, 60, 190), (20, 120, 130)]  # red to cyan
LIGHT = TerminalTheme((255, 255, 255), INK, [INK, *HUES, GREY], [GREY, *HUES, INK])
PAGE = """<!doctype html><meta charset="utf-8"><style>
{stylesheet}
body {{ margin: 0; color: {foreground}; background: {background}; }}
pre {{ margin: 0; padding: 18px 22px; width: max-content; font: 15px/17px "DejaVu Sans Mono", monospace; }}
</style><pre>{code}</pre>"""


def seated(name: str, lang: str = "en") -> PlayScreen:
    """The screen of the first seat at the beginning of a game; the others are bots."""
    ruleset = playable(name, [ROOT / "rules"])
    seats = [seat_from(word) for word in PLAYERS]
    game = Game.start(ruleset, len(PLAYERS), SEED, PLAYERS, log=True)
    words = Words(ruleset, lang, [seat.called(number, Phrases(lang)) for number, seat in enumerate(seats)])
    return PlayScreen(words, Sitting(Start(game), seats), 0)


def play_on(screen: PlayScreen, question: str, decisions: int = 0) -> None:
    """Let a bot answer for the first seat, too, until a question comes up behind so many decisions."""
    sitting, bot = screen.sitting, bot_of("greedy", SEED)
    while len(sitting.game.answers) < decisions or sitting.game.to_move or sitting.game.question != question:
        if not sitting.let_bot_answer():
            screen.known = len(screen.log)
            sitting.answer(bot.pick(sitting.game))
        screen.look()
    screen.look()


def warlock(*words: str) -> str:
    """What a command prints on a terminal with colours."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "FORCE_COLOR": "1", "COLUMNS": str(COLUMNS)}
    command = [sys.executable, "-m", "workbench.cli", *words]
    done = subprocess.run(command, cwd=ROOT, env=environment, stdin=subprocess.DEVNULL, capture_output=True)
    assert done.returncode in (0, 1), done.stderr.decode()  # 1: the rulesets differ
    return done.stdout.decode()


def terminal_page(lines: Sequence[Text], width: int, page: Path) -> None:
    """A screen as a page."""
    console = Console(record=True, width=width, file=StringIO())
    for line in lines:
        console.print(line, soft_wrap=True)
    page.write_text(console.export_html(theme=LIGHT, code_format=PAGE), encoding="utf-8")


def screens() -> Iterator[tuple[str, Sequence[Text], int]]:
    """The pictures of a terminal: their names, their lines, how wide they are."""
    screen = seated("maldorf")
    play_on(screen, "action.empire.field", DECISIONS)
    yield "play.png", screen.draw(COLUMNS, LINES).lines, COLUMNS
    screen = seated("maldorf")
    play_on(screen, "bid.cards")
    yield "auction.png", screen.draw(*SMALL).lines, SMALL[0]
    screen.play("?")
    yield "explain.png", screen.draw(*SMALL).lines, SMALL[0]
    asked = seated("maldorf")
    play_on(asked, "turn.act")
    for key in ("n", *WHY_NOT, "enter"):
        asked.play(key)
    yield "why.png", asked.draw(*SMALL).lines, SMALL[0]
    walk = Walk(recorded(screen.sitting.game.ruleset, screen.sitting.game.replay()), screen.words)
    walk.go(60)
    yield "replay.png", WalkScreen(walk).draw(COLUMNS, LINES).lines, COLUMNS


def keep(name: str, png: bytes) -> None:
    with Image.open(BytesIO(png)) as picture:
        picture.convert("RGB").quantize(COLOURS).save(HERE / name, optimize=True)
    print(f"{name}: {(HERE / name).stat().st_size // 1000} kB")


def main() -> None:
    chromium = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as driver:
        terminal, diff = (Path(folder, name) for name in ("play.html", "diff.html"))
        browser = driver.chromium.launch(executable_path=chromium)
        page = browser.new_page(device_scale_factor=1.5, color_scheme="light")
        for name, lines, width in screens():
            terminal_page(lines, width, terminal)
            page.goto(terminal.as_uri())
            keep(name, page.locator("pre").screenshot())
        warlock("diff", *EDITIONS, "--html", str(diff))
        page.set_viewport_size({"width": 1100, "height": 950})
        page.goto(diff.as_uri())
        keep("diff.png", page.screenshot())
        browser.close()


if __name__ == "__main__":
    main()
