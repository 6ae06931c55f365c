"""Stated totals: what they may be of, when the parts are told not to reach them, and what overlays do to that."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from tests.warlock_dsl.test_goldens import BASE, base
from warlock_dsl.diagnostics.diagnostic import Diagnostic, Severity
from warlock_dsl.load import load_files
from warlock_dsl.ruleset import Loaded
from warlock_dsl.stack import Use

HEAD = '[overlay]\non = "base"\nabout = "A test"\n'
COLOURS = '[table.shade]\ncolumns = { copies = "number" }\nrows = { pale = { copies = 2 }, dark = { copies = 3 } }\n'
USED = "invariant shades_read = sum(s in shade: s.copies) > 0\n"


def loaded(total: str, *overlays: str, more: Mapping[str, str] | None = None) -> Loaded:
    files = {**base(), "more.toml": f"[total]\nall = {total}\n", **(more or {})}
    stack = [(Use(f"o{number}"), {"overlay.toml": text}) for number, text in enumerate(overlays)]
    return load_files(files, BASE, (), stack)


def told(total: str, *overlays: str, more: Mapping[str, str] | None = None) -> list[Diagnostic]:
    return list(loaded(total, *overlays, more=more).diagnostics)


@pytest.mark.parametrize(
    ("of", "stated"),
    [
        ('"token"', 8),  # the pieces of a kind
        ('"card.value"', 2 * (1 + 2 + 3 + 4)),  # a field of pieces
        ('"size.hand"', 2),  # a figure
        ('["token", "size.hand", "card.value"]', 8 + 2 + 20),
    ],
)
def test_what_adds_up_is_not_told(of: str, stated: int) -> None:
    assert told(f"{{ of = {of}, is = {stated} }}") == []
    (error,) = told(f"{{ of = {of}, is = {stated + 1} }}")
    assert error.code == "W240" and error.severity is Severity.WARNING
    assert f"is {stated + 1}, but" in error.message and error.message.endswith(f"up to {stated}")


def test_a_column_of_a_table() -> None:
    more = {"shades.toml": COLOURS, "used.warlock": USED}
    assert told('{ of = "shade.copies", is = 5 }', more=more) == []
    assert [one.code for one in told('{ of = "shade.copies", is = 6 }', more=more)] == ["W240"]


def test_an_added_and_a_removed_row_count() -> None:
    more = {"shades.toml": COLOURS, "used.warlock": USED}
    add = HEAD + 'kind = "edition"\n[[add]]\nat = "shade.grey"\nnow = { copies = 1 }\n'
    remove = HEAD + 'kind = "edition"\n[[remove]]\nat = "shade.dark"\n'
    (error,) = told('{ of = "shade.copies", is = 5 }', add, more=more)
    assert (error.severity, error.related[0].text) == (Severity.WARNING, "'o0' adds this")
    (error,) = told('{ of = "shade.copies", is = 5 }', remove, more=more)
    assert (error.severity, error.related[0].text) == (Severity.WARNING, "'o0' takes this away")


def test_what_a_house_rule_changes_is_only_noted() -> None:
    rule = HEAD + '[[change]]\nat = "kind.token.count"\nwas = 8\nnow = 9\n'
    (error,) = told('{ of = "token", is = 8 }', rule)
    assert error.severity is Severity.NOTE
    other = HEAD + '[[change]]\nat = "size.hand"\nwas = 2\nnow = 3\n'
    (error,) = told('{ of = "token", is = 9 }', other)
    assert error.severity is Severity.WARNING and error.related == (), "what it changed is no part of the total"


def test_an_overlay_may_state_another_total() -> None:
    rule = HEAD + '[[change]]\nat = "kind.token.count"\nwas = 8\nnow = 9\n'
    rule += '[[change]]\nat = "total.all"\nwas = 8\nnow = 9\n'
    assert told('{ of = "token", is = 8 }', rule) == []


@pytest.mark.parametrize(
    ("total", "code"),
    [
        ('{ of = "deck", is = 8 }', "W241"),  # a zone
        ('{ of = "card.colour", is = 8 }', "W241"),  # no number
        ("{ of = [], is = 8 }", "W237"),
        ('{ of = "token", is = "eight" }', "W209"),
        ('{ of = "token" }', "W206"),
        ('{ off = "token", is = 8 }', "W204"),
    ],
)
def test_errors(total: str, code: str) -> None:
    assert code in [one.code for one in told(total)]
