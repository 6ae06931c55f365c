"""The registry, the machine, the checker and the manual agree about every primitive."""

from __future__ import annotations

from pathlib import Path

import pytest

from interpreter.plain.primitives import PRIMITIVES
from warlock_dsl.primitives import (
    ALL_WORDS,
    ATTRIBUTE_NAMES,
    FORMS,
    FUNCTION_NAMES,
    KEYED_NAMES,
    VALUE_NAMES,
    Form,
    Word,
)
from warlock_dsl.reference import reference
from warlock_dsl.syntax.parse import parse, parse_expression

ROOT = Path(__file__).parents[2]


def test_the_manual_is_in_step() -> None:
    """Make it anew with `python -m warlock_dsl.reference > docs/language.md`."""
    assert (ROOT / "docs" / "language.md").read_text(encoding="utf-8") == reference()


def test_the_machine_has_every_function_and_no_other() -> None:
    values = VALUE_NAMES - {"me", "my"}
    assert set(PRIMITIVES) == FUNCTION_NAMES | values | {f"{name}_of" for name in ATTRIBUTE_NAMES}
    assert not KEYED_NAMES & FUNCTION_NAMES


@pytest.mark.parametrize("word", ALL_WORDS, ids=lambda word: word.name)
def test_every_example_of_a_word_parses_and_uses_it(word: Word) -> None:
    tree, errors = parse_expression(word.example, "example")
    if tree is None:
        module, errors = parse(f"rule example:\n    {word.example}\n", "example")
        assert module.declarations
    assert not errors
    assert word.name in word.example
    assert word.signature.startswith(f"{word.name}(") == (word.kind in ("function", "keyed"))


@pytest.mark.parametrize("form", FORMS, ids=lambda form: form.pattern)
def test_every_example_of_a_form_parses(form: Form) -> None:
    if form.group == "declarations":
        text = f"{form.example}\ndefine below = 1\n" if form.example.startswith("@") else f"{form.example}\n"
    elif form.group == "statements":
        text = f"rule example:\n    repeat 2:\n        {form.example}\n"
    else:
        text = f"define example = {form.example}\n"
    module, errors = parse(text, "example")
    assert not errors and module.declarations
