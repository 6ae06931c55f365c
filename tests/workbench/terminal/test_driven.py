"""`warlock play` itself, driven by keys in a terminal of 80 by 24: what stands on the screen is what a person needs.

The process is another one; what should be on its screen is worked out here from the same keys, line by line, and then
looked at: the question, the selected option, one's own area, every figure that a bid depends on.
"""

from __future__ import annotations

import os
import random
import re
import select
import time
from codecs import getincrementaldecoder
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.conftest import ruleset_named
from tests.workbench.terminal.test_fullscreen import Window
from tests.workbench.terminal.test_screen import HEIGHT, WIDTH, look, look_at_bids, seated
from workbench.language.phrases import LANGUAGES
from workbench.terminal.fullscreen import END
from workbench.terminal.screen import PlayScreen

SENT = {"down": "\x1b[B", "up": "\x1b[A", "enter": "\r", "escape": "\x1b", "tab": "\t"}
DRAWN = re.compile(r"\x1b\[2J|\x1b\[(\d+);1H(.*?)\x1b\[0m\x1b\[K", re.DOTALL)
STYLE = re.compile(r"\x1b\[[0-9;]*m")
SECONDS = 120  # until a screen must be there: other tests run, too


class Terminal(Window):
    """A window, and what stands on its screen."""

    def __init__(self, *words: str) -> None:
        super().__init__(*words, columns=WIDTH, lines=HEIGHT)
        self.lines = [""] * HEIGHT
        self.unread = ""
        self.decoder = getincrementaldecoder("utf-8")("replace")

    def look(self, seconds: float) -> None:
        """Read what has been drawn."""
        while select.select([self.above], [], [], seconds)[0]:
            try:
                self.unread += self.decoder.decode(os.read(self.above, 65536))
            except OSError:
                return
            seconds = 0
        frames, mark, self.unread = self.unread.rpartition(END)
        for found in DRAWN.finditer(frames + mark):
            if found[1] is None:
                self.lines = [""] * HEIGHT
            else:
                self.lines[int(found[1]) - 1] = STYLE.sub("", found[2]).rstrip()

    def shows(self, screen: PlayScreen) -> None:
        """Wait until what should be in sight is."""
        wanted = [line.plain.rstrip() for line in screen.draw(WIDTH, HEIGHT).lines]
        end = time.monotonic() + SECONDS
        while self.lines != wanted:
            assert time.monotonic() < end and self.run.poll() is None, "\n".join([*self.lines, "instead of", *wanted])
            self.look(0.5)


@pytest.fixture
def terminals(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[list[Terminal]]:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    found: list[Terminal] = []
    yield found
    for window in found:
        window.run.kill()
        window.run.wait()
        os.close(window.above)


def press(window: Terminal, screen: PlayScreen, key: str) -> int | str | None:
    window.send(SENT.get(key, key))
    return screen.play(key)


def take(window: Terminal, screen: PlayScreen, dice: random.Random) -> int:
    """Take some option, by typing its number or by going to it, and look at every screen on the way."""
    place = dice.randrange(screen.sitting.game.option_count)
    if dice.random() < 0.5:
        for digit in str(place + 1):
            assert press(window, screen, digit) is None
    while True:
        line = next(number for number, one in enumerate(screen.view.menu.lines) if place in one.options)
        for _ in range(abs(screen.view.menu.place - line)):
            press(window, screen, "down" if screen.view.menu.place < line else "up")
        window.shows(screen)
        look(screen)
        found = press(window, screen, "enter")
        if found is not None:
            assert found == place
            return place


def played(window: Terminal, screen: PlayScreen, dice: random.Random, decisions: int | None) -> tuple[int, int]:
    """Play to the end, or so many decisions; how many there were, and how many of them were about a bid."""
    sitting, count, bids = screen.sitting, 0, 0
    while not sitting.game.over and count != decisions:
        if sitting.let_bot_answer():
            continue
        screen.look()
        window.shows(screen)
        drawn = look(screen)
        if sitting.game.question.startswith("bid."):
            look_at_bids(screen, drawn)
            bids += 1
        if dice.random() < 0.1:  # what is laid over the table, and closed again
            press(window, screen, dice.choice("?wh"))
            window.shows(screen)
            press(window, screen, "escape")
            window.shows(screen)
        sitting.answer(take(window, screen, dice))
        count += 1
    return count, bids


def opened(terminals: list[Terminal], name: str, lang: str, seed: int = 4) -> tuple[Terminal, PlayScreen]:
    seats = "human=Ann,random,random"
    sitting, words = seated(ruleset_named(name), seats, lang, seed)
    while sitting.let_bot_answer():
        pass
    terminals.append(Terminal("play", name, "--seats", seats, "--lang", lang, "--seed", str(seed)))
    return terminals[-1], PlayScreen(words, sitting, 0)


def test_the_first_decisions(terminals: list[Terminal]) -> None:
    window, screen = opened(terminals, "maldorf", "fr", seed=11)
    _, bids = played(window, screen, random.Random(11), 32)
    assert bids


@pytest.mark.long
@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("name", ["maldorf", "goblin-warlord", "warlock-1980"])
def test_a_whole_game(terminals: list[Terminal], name: str, lang: str) -> None:
    window, screen = opened(terminals, name, lang)
    decisions, bids = played(window, screen, random.Random(f"{name} {lang}"), None)
    assert decisions > 10 and (bids > 3 or name != "maldorf")
    window.until("q")  # the score sheet, which waits for a key
    window.send("q")
    assert window.end() == 0
