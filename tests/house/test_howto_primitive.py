"""The how-to for a primitive is true: a fold over numbers takes a record, a function, and the manual made anew."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.house.howto import ChangedCopy, changed_copy

# What docs/architecture.md says a new primitive touches.
FILES = ["docs/language.md", "interpreter/plain/primitives.py", "warlock_dsl/primitives.py"]

RECORD = """\
    Primitive(
        "product",
        "function",
        "product([number]) -> number",
        "The product; of none, 1.",
        "product(c in my.hand: c.value)",
    ),
"""
FUNCTION = """\
def _product(m: Evaluating, s: State, slots: Slots, items: Items) -> int:
    found = m.unit
    for item in items:
        found, rest = divmod(found * item, m.unit)
        if rest:
            raise RulesError("a product finer than the smallest unit of the ruleset")
    return found


"""
BEFORE_RECORD = '    Primitive(\n        "union",\n'
BEFORE_FUNCTION = "def _union("
BEFORE_ENTRY = '    "union": _union,\n'
EDITS = {
    "warlock_dsl/primitives.py": [(BEFORE_RECORD, RECORD + BEFORE_RECORD)],
    "interpreter/plain/primitives.py": [
        (BEFORE_FUNCTION, FUNCTION + BEFORE_FUNCTION),
        (BEFORE_ENTRY, '    "product": _product,\n' + BEFORE_ENTRY),
    ],
}

TABLES = """\
[game]
players = "2..3"

[table.suit]
columns = { worth = "number" }
rows = { low = { worth = 0.5 }, middle = { worth = 3 }, high = { worth = 4 } }

[kind.card]
rows = "suit"

[zone]
deck = { holds = "card", start = "card" }
hand = { each = "player", holds = "card", sees = "owner" }

[variable.player]
found = "number"
"""
RULES = """\
score found = my.found

rule play:
    choose n in 5..6
    set my.found to product(c in deck: c.face.worth) * n
    if product(p in players: p.found) is 0: set my.found to my.found + 100
    choose c in deck where product([n, 2]) > 0: move c to my.hand
"""
PLAY = """
from pathlib import Path
from interpreter import Game
from interpreter.machine import machine_for
from warlock_dsl.load import load

ruleset = load(str(Path("game").resolve())).ruleset
game = Game.start(ruleset, 2, seed=1)
game.choose(0)
game.choose(0)
print(game.over, game.scores()[0].total, type(machine_for(ruleset, 2, False)).__name__)
"""
COMMAND = "import sys; from workbench.cli import main; sys.exit(main(sys.argv[1:]))"


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> ChangedCopy:
    folder = tmp_path_factory.mktemp("product")
    made = changed_copy(folder, EDITS)
    manual = made.run("-m", "warlock_dsl.reference")
    (folder / "docs" / "language.md").write_text(manual, encoding="utf-8")
    (folder / "game").mkdir()
    (folder / "game" / "game.toml").write_text(TABLES, encoding="utf-8")
    (folder / "game" / "rules.warlock").write_text(RULES, encoding="utf-8")
    return made


def test_a_primitive_touches_three_files(copy: ChangedCopy) -> None:
    assert copy.touched() == FILES


def test_the_checker_and_the_manual_know_it(copy: ChangedCopy) -> None:
    found = json.loads(copy.run("-c", COMMAND, "check", "./game", "--json"))
    assert "product" not in json.dumps(found)
    assert "### `product([number]) -> number`" in (copy.folder / "docs" / "language.md").read_text(encoding="utf-8")


def test_the_default_machine_plays_it(copy: ChangedCopy) -> None:
    """Half of three times four, by five, and a hundred since the other player has nothing yet."""
    assert copy.script(PLAY).split() == ["True", "130", "PlainMachine"]


def test_the_commands_play_it(copy: ChangedCopy) -> None:
    seats = ["--players", "2", "--seats", "first,first", "--seed", "1"]
    played = json.loads(copy.run("-c", COMMAND, "play", "./game", *seats, "--json"))
    assert [one["total"] for one in played["scores"]] == [130, 0]


def test_an_edit_that_finds_no_place_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(AssertionError, match="0 times"):
        changed_copy(tmp_path, {"warlock_dsl/primitives.py": [("no such text", "")]})


def test_every_changed_file_counts(tmp_path: Path) -> None:
    new = {"warlock_dsl/check/more.py": [], "warlock_dsl/types.py": [("class NumberType", "class  NumberType")]}
    changed = changed_copy(tmp_path, new)
    assert changed.touched() == ["warlock_dsl/check/more.py", "warlock_dsl/types.py"]
    (tmp_path / "interpreter" / "vm" / "compile" / "expressions.py").write_text("")
    assert changed.touched()[0] == "interpreter/vm/compile/expressions.py"
    assert len(changed_copy(tmp_path / "another", {}).touched()) == 0
