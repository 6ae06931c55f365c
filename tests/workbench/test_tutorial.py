"""The tutorial, run as it is written: its files are made, its commands given, their output compared."""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
from pathlib import Path

import pytest

from workbench.cli import main

ROOT = Path(__file__).parents[2]
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
    """Whether the output is the one expected; a line of three dots stands for any lines."""
    if not wanted:
        return not shown
    if wanted[0] == "...":
        return any(fits(wanted[1:], shown[start:]) for start in range(len(shown) + 1))
    return bool(shown) and shown[0].rstrip() == wanted[0].rstrip() and fits(wanted[1:], shown[1:])


def run(command: str, capsys: pytest.CaptureFixture[str]) -> list[str]:
    words = shlex.split(command)
    if words[0] == "warlock":
        main(words[1:])
        return capsys.readouterr().out.splitlines()
    assert words[0] in ("cp", "sed")
    return subprocess.run(words, check=True, capture_output=True, text=True).stdout.splitlines()


def test_the_tutorial(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    shutil.copytree(ROOT / "rules", tmp_path / "rules")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "160")
    commands = 0
    for language, file, text in BLOCK.findall((ROOT / "docs" / "tutorial.md").read_text(encoding="utf-8")):
        if file:
            (tmp_path / file).write_text(text, encoding="utf-8")
        elif language == "console":
            for command, wanted in sessions(text):
                shown = run(command, capsys)
                assert fits(wanted, shown), f"{command}\n" + "\n".join(shown)
                commands += 1
    assert commands >= 10
