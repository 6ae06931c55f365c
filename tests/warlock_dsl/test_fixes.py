"""Did-you-means as data: in every golden file that has one, taking it gets rid of the error."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from attrs import evolve

from tests.warlock_dsl.test_goldens import GOLDEN, NAMES, archive, base
from warlock_dsl.diagnostics.diagnostic import Diagnostic, Fix, Span, Suggestion
from warlock_dsl.diagnostics.fixes import fixes_of
from warlock_dsl.load import load_files
from warlock_dsl.syntax.advice import Advice
from warlock_dsl.syntax.help import ADVICE
from warlock_dsl.syntax.parse import parse

BASE = {
    "game.toml": '[game]\nplayers = 2\n[table.colour]\nrows = ["red", "blue"]\n[zone]\n',
    "a.warlock": "rule play:\n    finish []\n\nscore s = count([red, blu])\n",
}


def applied(files: Mapping[str, str], fix: Fix) -> dict[str, str]:
    """The files after the edits of a fix."""
    made = dict(files)
    for edit in sorted(fix.edits, key=lambda one: one.span, reverse=True):
        span = edit.span
        lines = made[span.file].split("\n")
        line = lines[span.line - 1]
        lines[span.line - 1] = line[: span.column - 1] + edit.text + line[span.end_column - 1 :]
        made[span.file] = "\n".join(lines)
    return made


def test_a_misspelt_row_is_mended() -> None:
    found = load_files(BASE, "g")
    errors = [one for one in found.diagnostics if isinstance(one.hint, Suggestion)]
    assert [one.hint for one in errors] == ["did you mean 'blue'?"]
    [fix] = fixes_of(errors[0], found.sources)
    assert fix.title == "change 'blu' to 'blue'"
    assert load_files(applied(BASE, fix), "g").ruleset is not None


@pytest.mark.parametrize("word", ["deck", "dekc"])
def test_a_word_that_is_there_twice_or_not_at_all_has_no_fix(word: str) -> None:
    error = Diagnostic("W301", "", Span("a.warlock", 1, 1, 1, 20), hint=Suggestion(word, "deck"))
    assert not fixes_of(error, {"a.warlock": "move deck to deck"})
    assert not fixes_of(evolve(error, hint=""), {"a.warlock": "move dekc to deck"})
    assert not fixes_of(evolve(error, span=Span("b.warlock", 9, 1, 9, 2)), {})


@pytest.mark.parametrize("row", [row for row in ADVICE if row.instead is not None], ids=lambda row: row.example)
def test_advice_that_says_what_to_write_is_right(row: Advice) -> None:
    """The error is gone, or only another one is left, such as that of an elif that still stands under nothing."""
    files = {"a.warlock": row.example}
    [error] = parse(row.example, "a.warlock")[1]
    [fix] = fixes_of(error, files)
    assert parse(applied(files, fix)["a.warlock"], "a.warlock")[1] == []


@pytest.mark.parametrize(
    ("line", "title"),
    [
        ("    shuffle my.deck", "write 'deck' without an owner"),
        ("    shuffle hand", "change 'hand' to 'my.hand'"),
        ("    set turn to my", "change 'my' to 'me'"),
        ("    set my.likes to red", "change 'red' to 'colour.red'"),
        ("    set turn to first_one()", "write 'first_one' alone"),
    ],
)
def test_what_a_hint_says_can_be_done(line: str, title: str) -> None:
    tables = """[game]
players = 2
[table.colour]
rows = ["red", "blue"]
[table.light]
rows = ["red", "green"]
[kind.card]
count = 3
[zone]
deck = { holds = "card", start = "card" }
hand = { each = "player", holds = "card" }
[variable.game]
turn = "player"
[variable.player]
likes = "number"
"""
    rules = f"rule play:\n{line}\n    finish []\n\ndefine first_one = players[0]\n"
    files = {"game.toml": tables, "a.warlock": rules}
    found = load_files(files, "g")
    fixes = [(error, fix) for error in found.diagnostics for fix in fixes_of(error, found.sources)]
    error, fix = next((error, fix) for error, fix in fixes if fix.title == title)
    after = load_files(applied(files, fix), "g").diagnostics
    assert error.code not in [one.code for one in after if one.span.line == error.span.line and one.code != "W312"]


def meant(name: str) -> bool:
    archived = archive(GOLDEN / f"{name}.txtar")
    return "did you mean" in archived.files["expected"] and not any(file.startswith("scen") for file in archived.given)


@pytest.mark.parametrize("name", [name for name in NAMES if archive(GOLDEN / f"{name}.txtar").given and meant(name)])
def test_every_golden_that_asks_what_was_meant_is_mended_by_it(name: str) -> None:
    files = {**base(), **archive(GOLDEN / f"{name}.txtar").given}
    found = load_files(files, "base")
    errors = [one for one in found.diagnostics if one.hint.startswith("did you mean")]
    for error in errors:
        [fix] = fixes_of(error, found.sources)
        after = load_files(applied(files, fix), "base")
        assert not [one for one in after.diagnostics if (one.code, one.message) == (error.code, error.message)]
    assert errors
