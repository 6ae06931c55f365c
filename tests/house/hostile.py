"""For the tests of hostile input: sound games, ways to spoil them, and what must hold however spoilt they are."""

from __future__ import annotations

import random
import signal
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from types import FrameType

from hypothesis import strategies as st

from interpreter import BACKENDS, Game, PlayError
from interpreter.plain.evaluate import TOO_DEEP
from warlock_dsl.diagnostics.diagnostic import Diagnostic, Span
from warlock_dsl.diagnostics.render import render_json, render_text
from warlock_dsl.files import read_folder
from warlock_dsl.load import load_files
from warlock_dsl.primitives import FUNCTION_NAMES, VALUE_NAMES
from warlock_dsl.ruleset import Loaded, Ruleset
from warlock_dsl.syntax.keywords import RESERVED

TESTS = Path(__file__).parents[1]
GAMES = {
    "base": TESTS / "golden" / "base",
    "sample": TESTS / "warlock_dsl" / "sample_game",
    "tiny": TESTS / "workbench" / "data" / "tiny",
    "maldorf": TESTS.parent / "rules" / "maldorf",
    **{name: TESTS.parent / "rules" / "classics" / name for name in ("liars-dice", "chess")},
}
PATIENCE = 15.0  # seconds of work, for the slowest of hostile inputs

Files = Mapping[str, str]


class TookTooLongError(BaseException):
    """Not an `Exception`: nothing under test may catch it."""


@contextmanager
def quickly(seconds: float = PATIENCE) -> Iterator[None]:
    """Whatever is inside ends in time, or the test fails where it hung. Time of this process counts, not of the clock:
    a busy machine must not fail a test."""

    def ring(number: int, frame: FrameType | None) -> None:
        raise TookTooLongError

    before = signal.signal(signal.SIGPROF, ring)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


@cache
def files_of(game: str) -> Files:
    files, errors = read_folder(GAMES[game])
    assert files and not errors
    return files


@cache
def rules_of(game: str) -> Ruleset:
    ruleset = load_files(files_of(game), game).ruleset
    assert ruleset is not None
    return ruleset


# ---------------------------------------------------------------- what must hold


def told(errors: tuple[Diagnostic, ...], sources: Files) -> str:
    """What is said of a spoilt text: every error has words and a place inside its file."""
    lines = {file: text.replace("\r\n", "\n").split("\n") for file, text in sources.items()}
    for error in errors:
        assert error.message and error.code
        for span in (error.span, *(other.span for other in error.related)):
            inside(span, lines)
    assert len(render_json(errors)) == len(errors)
    return render_text(errors, sources)


def inside(span: Span, sources: Mapping[str, list[str]]) -> None:
    if span.file not in sources:  # a file that is missing
        assert (span.line, span.column, span.end_line) == (1, 1, 1)
        return
    lines = sources[span.file]
    assert 1 <= span.line <= span.end_line <= len(lines), span
    assert 1 <= span.column <= len(lines[span.line - 1]) + 1, span
    # The end is exclusive, and a caret behind the last character is one wide.
    assert 1 <= span.end_column <= len(lines[span.end_line - 1]) + 2, span


def read_spoilt(files: Files, decisions: int = 30) -> Loaded:
    """Load spoilt files as a stranger's game, and play what comes out of them."""
    loaded = load_files(files, "game")
    told(loaded.diagnostics, loaded.sources)
    if loaded.ruleset is None:
        assert loaded.diagnostics
    else:
        play(loaded.ruleset, decisions)
    return loaded


def play(ruleset: Ruleset, decisions: int, seed: int = 0) -> str:
    """Play at random, on each machine; an error of the rules is told, the same by each, anything else is raised.

    How many guards or definitions fit into one another is each machine's own: hundreds, which no game has."""
    ends = {name: _played(ruleset, decisions, seed, name) for name in BACKENDS}
    if all(error != TOO_DEEP for error, _ in ends.values()):
        assert len(set(ends.values())) == 1, ends
    return ends["plain"][0]


def _played(ruleset: Ruleset, decisions: int, seed: int, backend: str) -> tuple[str, str]:
    """What the error of the rules says, or the digest that the game ends with."""
    try:
        game = Game.start(ruleset, ruleset.components.min_players, seed, log=backend == "plain", backend=backend)
        go_on(game, decisions, seed)
        return "", game.digest()
    except PlayError as error:
        assert str(error)
        return error.message, ""


def go_on(game: Game, decisions: int, seed: int = 0) -> None:
    chance = random.Random(seed)
    for _ in range(decisions):
        if game.over:
            break
        game.options()
        game.observe(0)
        game.scores()
        game.choose(chance.randrange(game.option_count))


# --------------------------------------------------------------- ways to spoil

SIGNS = [
    *"\0\ufeff\r\t\u2028\ud800é漢{}()[]=:,.-+*<\\\n @0#'\"",
    *("\x1b[31m", "..", "\n    ", "\n\n", "-1", "0.5", "9" * 30, "nan", "0x" + "f" * 40, "1e999", "true", '"x"'),
    *("[]", "{}", "[1, 2]", '{ is = 1, range = "0..0" }'),
]
WORDS = [*sorted({*RESERVED, *FUNCTION_NAMES, *VALUE_NAMES}), "play", "card", "number", "None", "__class__", "x" * 300]

Spoiler = Callable[[str, random.Random], str]


def _place(text: str, dice: random.Random) -> int:
    return dice.randrange(len(text) + 1)


def insert(text: str, dice: random.Random) -> str:
    at = _place(text, dice)
    return text[:at] + dice.choice(SIGNS) + text[at:]


def cut_out(text: str, dice: random.Random) -> str:
    at = _place(text, dice)
    return text[:at] + text[at + dice.choice([1, 1, 2, 5, 40]) :]


def replace_word(text: str, dice: random.Random) -> str:
    """One word by another of the same text, or by one that means something."""
    words = text.split()
    if not words:
        return text
    old = dice.choice(words)
    at = text.find(old, _place(text, dice))
    at = text.find(old) if at < 0 else at
    return text[:at] + dice.choice([*WORDS, *SIGNS, dice.choice(words), dice.choice(words)]) + text[at + len(old) :]


def lines_about(text: str, dice: random.Random) -> str:
    """A line left out, doubled, moved, or indented in another way."""
    lines = text.split("\n")
    at, to = dice.randrange(len(lines)), dice.randrange(len(lines))
    match dice.randrange(5):
        case 0:
            del lines[at]
        case 1:
            lines.insert(to, lines[at])
        case 2:
            lines[at], lines[to] = lines[to], lines[at]
        case 3:
            lines[at] = " " * dice.choice([0, 1, 3, 4, 8, 12]) + lines[at].lstrip()
        case _:
            lines[at:] = []
    return "\n".join(lines)


SPOILERS: tuple[Spoiler, ...] = (insert, cut_out, replace_word, replace_word, lines_about, lines_about)


def spoil(files: Files, number: int, only: tuple[str, ...] = ()) -> dict[str, str]:
    """The files with one to five mistakes in them; the same number spoils them in the same way."""
    dice = random.Random(number)
    new = dict(files)
    for _ in range(dice.choice([1, 1, 1, 2, 3, 5])):
        name = dice.choice(sorted(only or new))
        new[name] = dice.choice(SPOILERS)(new[name], dice)
    return new


numbers = st.integers(0, 2**32 - 1)
