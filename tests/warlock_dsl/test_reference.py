"""The records of the primitives: the plain machine, the checker and the manual agree with them."""

from __future__ import annotations

from pathlib import Path

import pytest

from interpreter.plain.primitives import PRIMITIVES
from warlock_dsl.primitives import RECORDS, Assumptions, Primitive, Reads, assumed
from warlock_dsl.reference import FORMS, TYPES, Form, reference
from warlock_dsl.signatures import NAMED
from warlock_dsl.syntax.parse import parse, parse_expression

ROOT = Path(__file__).parents[2]


def test_the_manual_is_in_step() -> None:
    """Make it anew with `python -m warlock_dsl.reference > docs/language.md`."""
    assert (ROOT / "docs" / "language.md").read_text(encoding="utf-8") == reference()


def test_the_plain_machine_has_the_function_of_every_record_and_no_other() -> None:
    slots = {"me", "my"}  # the checker makes a slot of the frame of these
    assert set(PRIMITIVES) == set(RECORDS) - slots


def test_the_manual_has_every_built_in_type() -> None:
    assert set(TYPES) == set(NAMED)


def test_what_a_record_does_not_say_is_unsafe() -> None:
    nothing = Primitive("unheard_of", "function", "unheard_of([T]) -> number", "", "").assume
    assert nothing == assumed("no such primitive") == Assumptions()
    assert nothing.can_fail(0) and nothing.can_fail(3) and not nothing.cheap
    assert all(read in nothing.reads for read in Reads)
    assert not (nothing.selects or nothing.distinct or nothing.on_cells or nothing.nonempty or nothing.result)
    assert nothing.max_length(1) == ""


def test_assumptions_by_the_number_of_arguments() -> None:
    first, ring, top = (assumed(name) for name in ("first", "next", "top"))
    assert [first.can_fail(1), first.can_fail(2)] == [True, False]
    assert [ring.can_fail(1), ring.can_fail(2)] == [False, True]
    assert [top.max_length(1), top.max_length(2)] == ["one", "list"]


@pytest.mark.parametrize("record", RECORDS.values(), ids=lambda record: record.name)
def test_every_example_of_a_primitive_parses_and_uses_it(record: Primitive) -> None:
    tree, errors = parse_expression(record.example, "example")
    if tree is None:
        module, errors = parse(f"rule example:\n    {record.example}\n", "example")
        assert module.declarations
    assert not errors
    assert record.name in record.example
    assert record.signature.startswith(f"{record.name}(") == (record.kind in ("function", "keyed"))
    assert record.twin == "" or record.twin in RECORDS


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
