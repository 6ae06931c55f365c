"""How to add a visibility, done for once: `next` (only the seat after the owner sees it), in a copy of the house.

The change touches at most three files, data aside; what observes, offers, deals anew, logs and plays follows by itself.
"""

from __future__ import annotations

import ast
from pathlib import Path

from tests.house.howto import ROOT, changed_copy

# What docs/architecture.md says a new visibility touches.
FILES = ["docs/tables.md", "interpreter/state/visibility.py", "warlock_dsl/sight.py"]
EDITS = {
    "warlock_dsl/sight.py": [('"others": True, "none"', '"others": True, "next": True, "none"')],
    "interpreter/state/visibility.py": [
        (
            "            return owner != viewer\n",
            "            return owner != viewer\n"
            '        case "next":\n'
            "            return owner + 1 == viewer or (viewer == 0 and owner == 2)\n",
        )
    ],
    "docs/tables.md": [("`owner`, `others`", "`owner`, `next` (the one after him), `others`")],
}


def test_the_visibility_next_takes_three_files(tmp_path: Path) -> None:
    copy = changed_copy(tmp_path, EDITS)
    assert copy.script(Path(__file__).with_name("held_hands.py").read_text(encoding="utf-8")).startswith("played")
    assert copy.touched() == FILES


# ------------------------------------------------------------- one module that reads the words

WORDS = {"sees", "counted_by", "hidden_by", "hider", "place_viewers", "slot_viewers"}
READERS = {
    "interpreter/state/visibility.py",  # what the words mean at a moment of a game
    "interpreter/state/layout.py",  # copies them from the tables
    "interpreter/vm/compile/tables.py",  # numbers them for the fast machine
    "warlock_dsl/sight.py",  # what they promise before anything is played
    "warlock_dsl/tables/zones.py",  # reads them
    "warlock_dsl/tables/variables.py",  # likewise
    "workbench/scenario/steps.py",  # a key of scenarios that has the same name
}


def reads_words(source: str) -> bool:
    """Whether a module reads one of the words that say who sees what."""
    return any(isinstance(node, ast.Attribute) and node.attr in WORDS for node in ast.walk(ast.parse(source)))


def readers(folder: Path) -> set[str]:
    paths = [path for name in ("interpreter", "workbench", "warlock_dsl") for path in (folder / name).rglob("*.py")]
    found = {path.relative_to(folder).as_posix(): path.read_text(encoding="utf-8") for path in paths}
    return {name for name, source in found.items() if reads_words(source)}


def test_one_module_knows_what_the_words_of_visibility_mean() -> None:
    assert readers(ROOT) == READERS


def test_a_planted_second_reader_is_found(tmp_path: Path) -> None:
    planted = tmp_path / "workbench" / "players" / "peeping.py"
    planted.parent.mkdir(parents=True)
    planted.write_text("def mine(place):\n    return place.sees == 'owner'\n", encoding="utf-8")
    assert readers(tmp_path) == {"workbench/players/peeping.py"}
