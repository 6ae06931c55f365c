"""Where a game can be changed: every address of the tables in the games' READMEs exists and can be shown."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from workbench.cli import main

ROOT = Path(__file__).parents[2]
READMES = sorted((ROOT / "rules").glob("*/README.md"))


def rows_of(readme: Path) -> list[str]:
    """The rows of the tables with a column of addresses."""
    found, within = [], False
    for line in readme.read_text(encoding="utf-8").splitlines():
        if "| address |" in line:
            within = True
        elif not line.startswith("|"):
            within = False
        elif within and not line.startswith("|---"):
            found.append(line)
    return found


def keys_of(row: str) -> list[str]:
    return re.findall(r"`([\w.]+)`", row.split("|")[2])


ROWS = {readme.parent.name: rows_of(readme) for readme in READMES}
KEYS = [(game, key) for game, rows in ROWS.items() for row in rows for key in keys_of(row)]


def test_there_are_all_of_them() -> None:
    assert len(ROWS["maldorf"]) == 25 and len(ROWS["goblin-warlord"]) >= 12


@pytest.mark.parametrize(("game", "key"), KEYS)
def test_the_address_exists(game: str, key: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["show", game, key]) == 0
    assert key in capsys.readouterr().out
