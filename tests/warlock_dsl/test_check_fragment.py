"""Fragments: an expression or a call outside the rules is checked like one inside, and placed to the column."""

from __future__ import annotations

import pytest

from warlock_dsl.check.fragment import Fragments
from warlock_dsl.diagnostics.diagnostic import Span
from warlock_dsl.ruleset import Ruleset
from warlock_dsl.types import NUMBER, PLAYER, TRUTH, Type

NAMES: dict[str, Type] = {"anna": PLAYER, "ben": PLAYER}


def place(text: str) -> Span:
    """Where the text would stand in quotes, in line 5 from column 9."""
    return Span("x.toml", 5, 9, 5, 9 + len(text) + 2)


def test_an_expression_has_its_type_and_the_slots_of_the_names(maldorf: Ruleset) -> None:
    text = "count(anna.hand) + ben.bid"
    found, errors = Fragments(maldorf.program, maldorf.components).expression(text, NAMES, "x.toml", place(text))
    assert not errors and found is not None
    assert found.value.type == NUMBER
    assert set(found.names) == {"anna", "ben"} and max(found.names.values()) < found.slots


def test_definitions_take_what_their_parameters_take(maldorf: Ruleset) -> None:
    fragments = Fragments(maldorf.program, maldorf.components)
    assert fragments.expression("complete(anna)", NAMES, "x.toml", place("x"), TRUTH)[0] is not None
    for text, code in [
        ("complete(3)", "W304"),
        ("complete()", "W308"),
        ("complete", "W308"),
        ("compleet(anna)", "W310"),
    ]:
        found, [error] = fragments.expression(text, NAMES, "x.toml", place(text), TRUTH)
        assert found is None and error.code == code


@pytest.mark.parametrize(
    ("text", "code", "columns"),
    [
        ("count(anna.hant) is 3", "W305", (21, 25)),
        ("anna is", "W", None),
        ("count(anna.hand)", "W304", (10, 26)),
        ("anna.bid is 0.3", "W332", (22, 25)),
    ],
)
def test_errors_are_placed_to_the_column(
    maldorf: Ruleset, text: str, code: str, columns: tuple[int, int] | None
) -> None:
    found, [error] = Fragments(maldorf.program, maldorf.components).expression(
        text, NAMES, "x.toml", place(text), TRUTH
    )
    assert found is None
    assert error.code.startswith(code)
    assert error.span.file == "x.toml" and error.span.line == 5
    assert columns is None or (error.span.column, error.span.end_column) == columns


def test_with_escapes_the_whole_text_is_the_place(maldorf: Ruleset) -> None:
    wide = Span("x.toml", 5, 9, 5, 99)
    _, [error] = Fragments(maldorf.program, maldorf.components).expression("any(nothing)", NAMES, "x.toml", wide)
    assert error.span == wide


def test_a_name_may_not_hide_one_of_the_game(maldorf: Ruleset) -> None:
    _, errors = Fragments(maldorf.program, maldorf.components).expression(
        "any(deck)", {"deck": PLAYER}, "x", place("x")
    )
    assert "W302" in {error.code for error in errors}


def test_calls(maldorf: Ruleset) -> None:
    for text in ("deal()", "turn() by anna", "action[castle]() by ben", "fetch(1, deck, anna.hand)"):
        found, errors = Fragments(maldorf.program, maldorf.components).call(text, NAMES, "x.toml", place(text))
        assert found is not None and not errors, text


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("daal()", "W310"),
        ("action()", "W309"),
        ("deal() by 3", "W304"),
        ("fetch(1)", "W308"),
        ("switch_after_building(3)", "W309"),
    ],
)
def test_calls_that_cannot_be(maldorf: Ruleset, text: str, code: str) -> None:
    found, [error] = Fragments(maldorf.program, maldorf.components).call(text, NAMES, "x.toml", place(text))
    assert found is None and error.code == code


def test_a_fragment_of_absurd_length_is_refused(maldorf: Ruleset) -> None:
    text = "1 + " * 5000 + "1"
    found, [error] = Fragments(maldorf.program, maldorf.components).expression(text, NAMES, "x.toml", place(text))
    assert found is None and error.code == "W339"
