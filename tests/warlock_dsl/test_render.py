"""Diagnostics in words: the exact text a person sees, and the data a tool reads."""

from __future__ import annotations

import json
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from warlock_dsl.diagnostics.diagnostic import Diagnostic, Related, Severity, Span
from warlock_dsl.diagnostics.render import render_json, render_text, summary

SOURCES = {
    "game.toml": '[zone]\nhand = { holds = "crad" }\n\tdeck = 3\n',
    "more.toml": "\n" * 11 + "hand = 1\n",
}


def span(line: int, column: int, end: int, file: str = "game.toml") -> Span:
    return Span(file, line, column, line, end)


KIND = Diagnostic("W215", "there is no kind of piece 'crad'", span(2, 18, 24), "used here", "did you mean 'card'?")


def test_an_error_shows_its_place_its_line_a_caret_and_a_hint() -> None:
    assert render_text([KIND], SOURCES) == (
        "error[W215]: there is no kind of piece 'crad'\n"
        " --> game.toml:2:18\n"
        "  |\n"
        '2 | hand = { holds = "crad" }\n'
        "  |                  ^^^^^^ used here\n"
        "hint: did you mean 'card'?\n"
        "\n"
        "1 error\n"
    )


def test_related_places_are_shown_with_their_own_lines() -> None:
    other = Related(span(12, 1, 5, "more.toml"), "first given here")
    error = Diagnostic("W212", "'hand' is given twice", span(2, 1, 5), "and again here", related=(other,))
    assert render_text([error], SOURCES) == (
        "error[W212]: 'hand' is given twice\n"
        "  --> game.toml:2:1\n"
        "   |\n"
        ' 2 | hand = { holds = "crad" }\n'
        "   | ^^^^ and again here\n"
        "  --> more.toml:12:1\n"
        "   |\n"
        "12 | hand = 1\n"
        "   | ---- first given here\n"
        "\n"
        "1 error\n"
    )


def test_order_and_summary() -> None:
    late = Diagnostic("W201", "late", span(3, 2, 6))
    warning = Diagnostic("W400", "careful", span(1, 1, 2), severity=Severity.WARNING)
    note = Diagnostic("W299", "more", span(3, 2, 6), severity=Severity.NOTE)
    elsewhere = Diagnostic("W201", "first", span(1, 1, 2, "a.toml"))
    text = render_text([late, note, KIND, warning, elsewhere], SOURCES)
    heads = [line for line in text.split("\n") if "]: " in line]
    assert heads == [
        "error[W201]: first",
        "error[W201]: late",
        "error[W215]: there is no kind of piece 'crad'",  # a file that cannot be read may be the cause
        "warning[W400]: careful",
        "note[W299]: more",
    ]
    assert text.endswith("\n\n3 errors, 1 warning, 1 note\n")
    assert render_text([elsewhere, warning, KIND, note, late], SOURCES) == text


def test_nothing_to_say() -> None:
    assert render_text([], SOURCES) == ""
    assert summary([]) == "no errors"


def test_a_file_without_text_shows_only_the_place() -> None:
    error = Diagnostic("W250", "cannot be read", Span("gone.csv", 1, 1, 1, 1), "here")
    assert render_text([error], {}) == "error[W250]: cannot be read\n --> gone.csv:1:1: here\n\n1 error\n"


def shown(line: str, column: int, end: int, label: str = "") -> list[str]:
    """The line and the underline an error in this line is shown with."""
    error = Diagnostic("W201", "x", span(1, column, end, "t"), label)
    return render_text([error], {"t": line}).split("\n")[3:5]


def test_a_tab_is_as_wide_as_it_is_shown() -> None:
    assert shown("\tdeck = 3", 2, 6) == ["1 |     deck = 3", "  |     ^^^^"]


def test_control_characters_are_escaped_and_carets_still_fit() -> None:
    assert shown("a\x1b[31m = b\u202e", 10, 11) == ["1 | a\\x1b[31m = b\\u202e", "  |             ^"]
    error = Diagnostic("W201", "no \x1b[2J\nhere", span(1, 1, 2, "t\x07"), hint="\u2028")
    text = render_text([error], {"t\x07": "\x00"})
    assert text.startswith("error[W201]: no \\x1b[2J\\x0ahere\n --> t\\x07:1:1\n")
    assert "hint: \\u2028" in text
    assert all(char == "\n" or char.isprintable() for char in text)


def test_wide_and_combining_characters() -> None:
    assert shown("日本 = x", 6, 7) == ["1 | 日本 = x", "  |        ^"]
    assert shown("e\u0301a", 3, 4) == ["1 | e\u0301a", "  |  ^"]


def test_an_error_past_the_end_of_a_line_has_a_caret() -> None:
    assert shown("abc", 9, 10) == ["1 | abc", "  |    ^"]
    assert shown("", 1, 1) == ["1 |", "  | ^"]


def test_an_error_over_several_lines_underlines_its_first() -> None:
    error = Diagnostic("W201", "x", Span("t", 1, 5, 3, 2))
    assert render_text([error], {"t": "a = [\n1\n]"}).split("\n")[3:5] == ["1 | a = [", "  |     ^"]


@pytest.mark.parametrize("before", [0, 50, 5000])
@pytest.mark.parametrize("after", [0, 50, 5000])
@pytest.mark.parametrize("length", [1, 30, 3000])
def test_long_lines_are_cut_around_the_caret(before: int, after: int, length: int) -> None:
    line = "a" * before + "X" * length + "b" * after
    text, underline = shown(line, before + 1, before + length + 1, "here")
    assert len(text) < 130
    start = underline.index("^")
    marked = text[start : underline.rindex("^") + 1]
    assert set(marked) == {"X"}
    assert text[start - 1] in "a ."
    assert len(marked) >= min(length, 40)
    assert ("..." in text) == (len(line) > 100)


def test_data_for_tools() -> None:
    other = Related(span(12, 1, 5, "more.toml"), "first")
    error = Diagnostic("W212", "twice", span(2, 1, 5), "again", "drop one", related=(other,))
    data = render_json([KIND, error])
    assert data == [
        {
            "code": "W212",
            "severity": "error",
            "message": "twice",
            "file": "game.toml",
            "line": 2,
            "column": 1,
            "end_line": 2,
            "end_column": 5,
            "label": "again",
            "hint": "drop one",
            "related": [
                {"text": "first", "file": "more.toml", "line": 12, "column": 1, "end_line": 12, "end_column": 5}
            ],
        },
        data[1],
    ]
    assert data[1]["code"] == "W215"
    assert json.loads(json.dumps(data)) == data


@given(
    st.text(max_size=300),
    st.integers(1, 5),
    st.integers(1, 400),
    st.integers(1, 5),
    st.integers(1, 400),
    st.text(max_size=20),
)
def test_any_span_in_any_text_can_be_shown(
    text: str, line: int, column: int, end_line: int, end_column: int, label: str
) -> None:
    error = Diagnostic("W201", label, Span("t", line, column, end_line, end_column), label, label)
    shown_text = render_text([error], {"t": text})
    shown = [char for char in shown_text if char != "\n" and unicodedata.category(char) != "Zs"]  # blanks are safe
    assert all(char.isprintable() for char in shown)
    assert all(len(one) < 1000 for one in shown_text.split("\n"))
