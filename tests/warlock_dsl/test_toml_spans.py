"""Places of a TOML document: every path has one, and the text there is the value."""

from __future__ import annotations

import datetime
import time
import tomllib
from fractions import Fraction
from typing import Any

import pytest
import tomli_w
from hypothesis import given, settings
from hypothesis import strategies as st

from warlock_dsl.diagnostics.diagnostic import Span
from warlock_dsl.tables.toml_spans import Inexact, Path, exact_float, locate, read_toml


def paths_of(value: Any, path: Path = ()) -> dict[Path, Any]:
    """Every path of a document and what stands there."""
    found: dict[Path, Any] = {path: value} if path else {}
    members = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in members:
        found |= paths_of(inner, (*path, key))
    return found


def text_at(text: str, span: Span) -> str:
    lines = text.split("\n")[span.line - 1 : span.end_line]
    lines[-1] = lines[-1][: span.end_column - 1]
    lines[0] = lines[0][span.column - 1 :]
    return "\n".join(lines)


def check_document(text: str) -> None:
    document = tomllib.loads(text)
    places = locate(text, "t.toml")
    assert places.too_deep is None
    wanted = paths_of(document)
    assert set(places.values) == set(wanted)
    for path, value in wanted.items():
        if not isinstance(value, dict | list):
            written = text_at(text, places.of(path))
            assert written == written.strip()
            assert tomllib.loads(f"x = {written}") == {"x": value}
        if isinstance(path[-1], str):
            key = text_at(text, places.key(path))
            assert tomllib.loads(f"{key} = 1") == {path[-1]: 1}


scalars = (
    st.booleans()
    | st.integers(-(10**9), 10**9)
    | st.floats(allow_nan=False)
    | st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
    | st.dates(datetime.date(1900, 1, 1))
    | st.datetimes(datetime.datetime(1900, 1, 1))
    | st.times()
)
keys = st.text(st.characters(exclude_categories=["Cs"]), max_size=6) | st.sampled_from(["a", "b", "a.b", "c d", ""])
values = st.recursive(
    scalars, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(keys, inner, max_size=4), max_leaves=20
)


@settings(deadline=None, max_examples=300)
@given(st.dictionaries(keys, values, max_size=5), st.booleans())
def test_every_path_of_a_written_document_is_located(document: dict[str, Any], multiline: bool) -> None:
    check_document(tomli_w.dumps(document, multiline_strings=multiline))


FORMS = '''\
# a comment with [brackets] and "quotes
title = "a # b" # tail
a.b . c = 1   # dotted
a."d e".'f' = 2
"q\\u0041\\"" = [ 1, [2, 3], # inside
  { x = "]", y.z = '}' }, # more
]
day = 1979-05-27 07:32:00
long = """
one \\
  "two" ""
three\\""""""
raw = \'\'\'
it's ''fine\'\'\'\'\'
again = """x"""
other = \'\'\'y\'\'\'
empty = []
none = {}

[table . "sub table"]
k = -1_000.5e3
[[rows]]
v = 1
[[rows.inner]]
w = [true,
false]
[[rows.inner]]
[rows.inner.deep]
u = 0x1F
[[rows]]
[table]
late = 1
'''


def test_every_form_of_the_grammar_is_located() -> None:
    check_document(FORMS)


def test_windows_line_ends_do_not_move_anything() -> None:
    assert locate(FORMS.replace("\n", "\r\n"), "t.toml").values == locate(FORMS, "t.toml").values


def test_spans_point_at_key_and_value() -> None:
    places = locate('[zone]\nhand = { holds = "card", sees = "owner" }\n', "game.toml")
    assert places.of(("zone", "hand", "sees")) == Span("game.toml", 2, 33, 2, 40)
    assert places.key(("zone", "hand", "sees")) == Span("game.toml", 2, 26, 2, 30)
    assert places.of(("zone",)) == Span("game.toml", 1, 1, 1, 7)
    assert places.key(("zone",)) == Span("game.toml", 1, 2, 1, 6)


def test_a_path_without_a_place_has_that_of_what_encloses_it() -> None:
    places = locate("[a]\nb = [1, 2]\n", "t.toml")
    assert places.of(("a", "b", 7, "x")) == places.of(("a", "b"))
    assert places.key(("a", "b", 1)) == Span("t.toml", 2, 9, 2, 10)
    assert places.of(("z",)) == Span("t.toml", 1, 1, 1, 1)


@pytest.mark.parametrize(
    ("text", "line", "column"),
    [
        ("a = 1\nb = \n", 2, 5),
        ("a = 1\na = 2\n", 2, 6),
        ('a = "open\n', 1, 10),
        ("[a\n", 1, 3),
        ("a = [1, 2", 1, 10),
        ("a = 1 b = 2\n", 1, 7),
        ("= 3\n", 1, 1),
        ("x\0y = 3\n", 1, 2),
    ],
)
def test_what_is_not_toml_is_a_diagnostic_with_its_place(text: str, line: int, column: int) -> None:
    document, _, errors = read_toml(text, "t.toml")
    assert document is None
    assert [error.code for error in errors] == ["W201"]
    assert (errors[0].span.file, errors[0].span.line, errors[0].span.column) == ("t.toml", line, column)


@settings(deadline=None, max_examples=300)
@given(st.text(st.sampled_from("a1.=[]{}\"'#,\n \\tx-\0é"), max_size=40))
def test_any_text_gives_a_document_or_an_error(text: str) -> None:
    document, places, errors = read_toml(text, "t.toml")
    assert (document is None) == bool(errors)
    if document is not None:
        assert set(places.values) == set(paths_of(document))


@pytest.mark.parametrize(
    "text",
    [
        "a = " + "[" * 100_000,
        "a = " + "[" * 100_000 + "]" * 100_000,
        "a = " + "{b = " * 100_000,
        ".".join(["a"] * 300_000) + " = 1",
        "[" + ".".join(["a"] * 300_000) + "]",
        "[[" + ".".join(["a"] * 300_000) + "]]",
    ],
    ids=["open arrays", "arrays", "inline tables", "dotted key", "header", "array header"],
)
def test_depth_is_an_error_and_not_a_crash(text: str) -> None:
    start = time.process_time()
    document, _, errors = read_toml(text, "t.toml")
    assert document is None
    assert [error.code for error in errors] == ["W202"]
    assert time.process_time() - start < 5


def test_a_number_of_thousands_of_digits_is_an_error() -> None:
    document, _, errors = read_toml("a = " + "9" * 100_000, "t.toml")
    assert document is None
    assert [error.code for error in errors] == ["W201"]


def test_decimals_are_exact() -> None:
    document, _, _ = read_toml("a = 0.1\nb = 1_000.5\nc = -2e3\nd = nan\ne = -inf\nf = 1e999999999", "t.toml")
    assert document is not None
    assert document["a"] == Fraction(1, 10)
    assert document["b"] == Fraction(2001, 2)
    assert document["c"] == Fraction(-2000)
    assert all(isinstance(document[key], Inexact) for key in "def")
    assert exact_float("1.5") == Fraction(3, 2)


def test_a_table_stands_where_its_own_header_is() -> None:
    places = locate("[a.b]\n[a]\nc = 1\n", "t.toml")
    assert places.of(("a",)) == Span("t.toml", 2, 1, 2, 4)
    assert places.of(("a", "b")) == Span("t.toml", 1, 1, 1, 6)
