"""How to add a visibility, done for once: `others` (everybody but the owner sees the pieces), in a copy of the house.

The change touches at most three files, data aside; what observes, offers, deals anew, logs and plays follows by itself.
"""

from __future__ import annotations

import ast
from pathlib import Path

from tests.house.howto import ROOT, changed_copy

# What docs/architecture.md says a new visibility touches.
FILES = ["docs/tables.md", "interpreter/state/visibility.py", "warlock_dsl/tables/zones.py"]
EDITS = {
    "warlock_dsl/tables/zones.py": [('"none": False, "top"', '"others": True, "none": False, "top"')],
    "interpreter/state/visibility.py": [
        (
            "            return owner_seat(layout, state, number) == viewer\n        case _:",
            "            return owner_seat(layout, state, number) == viewer\n"
            '        case "others":\n'
            "            return owner_seat(layout, state, number) != viewer\n"
            "        case _:",
        )
    ],
    "docs/tables.md": [("`owner`, `none`, or `top`", "`owner`, `others` (all but the owner), `none`, or `top`")],
}


def test_the_visibility_others_takes_three_files(tmp_path: Path) -> None:
    copy = changed_copy(tmp_path, EDITS)
    assert copy.script(Path(__file__).with_name("held_hands.py").read_text(encoding="utf-8")).startswith("played")
    assert copy.touched() == FILES


READERS = {
    "interpreter/state/visibility.py",  # what the words mean
    "interpreter/state/layout.py",  # copies the words from the tables
    "workbench/inspect/addresses.py",  # prints them
    "workbench/scenario/steps.py",  # a key of scenarios that has the same name
}


def test_one_module_knows_what_the_words_of_visibility_mean() -> None:
    """Outside the generated machine, which asks that module for every word it does not know."""
    found = set()
    for package in ("interpreter", "workbench"):
        for path in (ROOT / package).rglob("*.py"):
            name = path.relative_to(ROOT).as_posix()
            if not name.startswith(("interpreter/generate/", "interpreter/native/")):
                nodes = ast.walk(ast.parse(path.read_text(encoding="utf-8")))
                if any(isinstance(node, ast.Attribute) and node.attr == "sees" for node in nodes):
                    found.add(name)
    assert found <= READERS
