"""Where the editions part ways: every address of the table in the game's README exists and can be shown."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from workbench.cli import main

README = Path(__file__).parents[2] / "rules" / "maldorf" / "README.md"
LINES = README.read_text(encoding="utf-8").splitlines()
ROWS = [line for line in LINES if line.startswith("| ") and line.count("|") == 4]
KEYS = [key for row in ROWS[2:] for key in re.findall(r"`([\w.]+)`", row.split("|")[2])]


def test_there_are_all_of_them() -> None:
    assert len(ROWS) - 1 == 25


@pytest.mark.parametrize("key", KEYS)
def test_the_address_exists(key: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["show", "maldorf", key]) == 0
    assert key in capsys.readouterr().out
