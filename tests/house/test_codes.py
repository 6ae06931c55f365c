"""Error codes have one table: what the code raises is in it, what is in it is raised, and a golden shows each."""

from __future__ import annotations

import re
from pathlib import Path

from warlock_dsl.diagnostics.codes import CODES, HARD_CODES, RANGES, codes_of

ROOT = Path(__file__).parents[2]
TABLE = ROOT / "warlock_dsl" / "diagnostics" / "codes.py"
PACKAGES = ("warlock_dsl", "interpreter", "workbench")
LITERAL = re.compile(r'"(W\d\d\d)"')


def raised() -> dict[str, str]:
    """Every code that is written outside the table, with a file where it is."""
    paths = [path for package in PACKAGES for path in sorted((ROOT / package).rglob("*.py")) if path != TABLE]
    return {code: path.name for path in paths for code in LITERAL.findall(path.read_text(encoding="utf-8"))}


def test_every_code_raised_is_in_the_table_and_every_code_of_the_table_is_raised() -> None:
    found = raised()
    assert not {code: file for code, file in found.items() if code not in CODES}
    assert not CODES.keys() - found.keys()


def test_every_code_has_a_golden() -> None:
    golden = ROOT / "tests" / "golden"
    files = (*golden.glob("*.txtar"), *(golden / "overlays").glob("*.txtar"))
    shown = {path.stem.partition("-")[0] for path in files}
    assert shown == set(CODES)


def test_the_table_is_in_order_and_each_code_in_a_range() -> None:
    written = re.findall(r'^    "(W\d\d\d)":', TABLE.read_text(encoding="utf-8"), re.MULTILINE)
    assert written == sorted(CODES), "sorted, and none twice"
    assert {code[:2] for code in CODES} == set(RANGES)
    assert codes_of(*RANGES) == CODES and CODES.keys() >= HARD_CODES
