"""The pages for modders, run as they are written: their files are made, their commands given, their output compared."""

from __future__ import annotations

import re
import shlex
import subprocess
from pathlib import Path

import pytest

from warlock_dsl.diagnostics.codes import codes_of
from warlock_dsl.overlay.read import KINDS, RawEdit, RawHead, RawOverlay
from warlock_dsl.tables.schema import keys_of
from workbench.cli import main

DOCS = Path(__file__).parents[2] / "docs"
BLOCK = re.compile(r"^```(\w+)(?: file=(\S+))?\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def sessions(text: str) -> list[tuple[str, list[str]]]:
    """The commands of a console block, each with the output expected of it."""
    found: list[tuple[str, list[str]]] = []
    for line in text.splitlines():
        if line.startswith("$ "):
            found.append((line[2:], []))
        else:
            found[-1][1].append(line)
    return found


def fits(wanted: list[str], shown: list[str]) -> bool:
    """Whether the output is the one expected; a line of three dots stands for any lines, dots in one for any words."""
    if not wanted:
        return not shown
    if wanted[0] == "...":
        return any(fits(wanted[1:], shown[start:]) for start in range(len(shown) + 1))
    return bool(shown) and alike(wanted[0].rstrip(), shown[0].rstrip()) and fits(wanted[1:], shown[1:])


def alike(wanted: str, shown: str) -> bool:
    words = " .* ".join(re.escape(part) for part in wanted.split(" ... "))
    return re.fullmatch(words, shown) is not None


def run(command: str, capsys: pytest.CaptureFixture[str]) -> list[str]:
    words = shlex.split(command)
    if words[0] == "warlock":
        main(words[1:])
        shown = capsys.readouterr()
        return (shown.out + shown.err).splitlines()
    assert words[0] == "sed"
    return subprocess.run(words, check=True, capture_output=True, text=True).stdout.splitlines()


@pytest.mark.parametrize(
    ("page", "minimum"),
    [
        ("tutorial.md", 10),
        ("tutorial-game.md", 15),
        ("overlays.md", 15),
        ("diff.md", 7),
        ("sim.md", 6),
        ("review.md", 8),
        ("tutorial-cost.md", 3),
        ("hidden.md", 20),
        ("questions.md", 12),
    ],
)
def test_a_page(
    page: str, minimum: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """In an empty folder, as somebody who has installed the package would."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "118")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    commands = 0
    for language, file, text in BLOCK.findall((DOCS / page).read_text(encoding="utf-8")):
        if file:
            (tmp_path / file).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / file).write_text(text, encoding="utf-8")
        elif language == "console":
            for command, wanted in sessions(text):
                shown = run(command, capsys)
                assert fits(wanted, shown), f"{command}\n" + "\n".join(shown)
                commands += 1
    assert commands >= minimum


def test_the_page_on_overlays_has_every_key_and_every_code() -> None:
    text = (DOCS / "overlays.md").read_text(encoding="utf-8")
    assert set(re.findall(r"^\| (W6\d\d) \| (.*) \|$", text, re.MULTILINE)) == set(codes_of("W6").items())
    for shape in (RawHead, RawEdit):
        for key in keys_of(shape):
            assert f"`{key}`" in text or re.search(rf"\b{key} =", text), key
    for key in keys_of(RawOverlay):
        assert f"[{key}]" in text, key
    assert all(f"`{kind}`" in text for kind in KINDS)
