"""How to add a language, done for once: Spanish, in a copy. One file for the workbench; names of a game are data."""

from __future__ import annotations

from pathlib import Path

from tests.house.howto import ROOT, changed_copy

# What docs/architecture.md says a new language touches, data aside.
FILES = ["workbench/language/locale/es.toml"]
CATALOGUE = "rules/classics/tic-tac-toe/names/es.toml"


def in_spanish(name: str, **words: str) -> str:
    """A file of texts with some of them translated; what is not is said as the original has it."""
    lines = (ROOT / name).read_text(encoding="utf-8").splitlines()
    for place, line in enumerate(lines):
        key = line.partition(" = ")[0].strip().strip('"')
        if key in words:
            lines[place] = f'{line.partition(" = ")[0]} = "{words[key]}"'
    return "\n".join(lines) + "\n"


def test_a_language_takes_one_file(tmp_path: Path) -> None:
    spanish = in_spanish("workbench/language/locale/en.toml", winner="Gana {players}.", decimal_sign=",")
    names = in_spanish("rules/classics/tic-tac-toe/names/en.toml", game="Tres en raya")
    copy = changed_copy(tmp_path, {FILES[0]: [("", spanish)], CATALOGUE: [("", names)]})
    shown = copy.run(
        "-m", "workbench.cli", "play", "tic-tac-toe", "--seats", "first,first", "--seed", "1", "--lang", "es"
    )
    assert "Tres en raya" in shown and "Gana " in shown
    assert "no errors" in copy.run("-m", "workbench.cli", "check", "tic-tac-toe")
    assert [name for name in copy.touched() if name != CATALOGUE] == FILES
