"""The header and the Python constants of the fast machine are what the one table of its instructions says."""

from __future__ import annotations

import runpy
from pathlib import Path

from interpreter.vm import opcodes as op

ROOT = Path(__file__).parents[2]


def test_what_is_made_from_the_table_is_up_to_date() -> None:
    made = runpy.run_path(str(ROOT / "make_opcodes.py"))["made"]()
    assert len(made) == 2
    for path, text in made.items():
        assert path.read_text(encoding="utf-8") == text, f"python make_opcodes.py: {path.name} is stale"


def test_instructions_have_numbers_in_their_order() -> None:
    assert [getattr(op, name) for name, _, _ in op.OPCODES] == list(range(len(op.OPCODES)))
