"""Tables too large, too deep or plainly broken: an error within seconds, never a crash."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from warlock_dsl.diagnostics.codes import HARD_CODES, codes_of
from warlock_dsl.diagnostics.diagnostic import Diagnostic, Severity
from warlock_dsl.files import read_folder
from warlock_dsl.limits import MAX_FILE_BYTES
from warlock_dsl.tables.read import read_tables
from warlock_dsl.tables.toml_spans import locate

ROOT = Path(__file__).resolve().parents[2]
SAMPLE, _ = read_folder(Path(__file__).resolve().parent / "sample_game")
GAME, SOURCES, CARDS = SAMPLE["game.toml"], SAMPLE["sources.toml"], SAMPLE["cards.csv"]
FILES = {"game": "game.toml", "sources": "sources.toml", "cards": "cards.csv", "en": "names/en.toml"}


def files(**changed: str) -> dict[str, str]:
    """The sample game with some of its files changed."""
    return {**SAMPLE, **{FILES[name]: text for name, text in changed.items()}}


def errors_of(**changed: str) -> list[Diagnostic]:
    return read_tables(files(**changed), "sample")[1]


HEAD = '[game]\nplayers = "2..4"\n'


def repeat(form: str, count: int) -> str:
    return "".join(form.format(number) for number in range(count))


HUGE = {
    "zones": (HEAD + "[kind.a]\ncount = 1\n[zone]\n" + repeat("z{} = {{ holds = 'a' }}\n", 201), "W237"),
    "zones of one key": (HEAD + "[kind.a]\ncount = 1\n[zone]\n'" + repeat("z{},", 90_000) + "z' = {holds='a'}", "W237"),
    "rows": (HEAD + "[table.t]\nrows = [" + repeat("'r{}',", 2001) + "]", "W237"),
    "cells": (HEAD + "[grid.g]\ncells = [" + ("'" + "." * 33 + "',") * 32 + "]", "W237"),
    "series": (HEAD + "[series.s]\nis = [" + "1," * 10_001 + "]", "W237"),
    "figures": (HEAD + "[figure.f]\nx = [" + "1," * 10_001 + "]", "W237"),
    "many tables": (HEAD + repeat("[table.t{}]\nrows=['a']\n", 30_000), "W237"),
    "many kinds": (HEAD + repeat("[kind.k{}]\ncount=0\n", 20_000) + repeat("[variable.k{}]\nv=''\n", 20_000), "W237"),
    "many sections": (HEAD + repeat("[s{}]\n", 60_000), "W203"),
    "many keys": (HEAD + "[zone]\nz = {" + repeat("k{} = 1, ", 60_000) + "holds = 'a' }", "W204"),
    "many columns": (
        HEAD
        + "[table.t]\ncolumns = {"
        + repeat("c{} = 'number',", 30_000)
        + "c='number'}\nrows = ["
        + repeat("'r{}',", 2000)
        + "]",
        "W237",
    ),
    "matrices": (
        HEAD
        + "[table.t]\nrows = ["
        + repeat("'r{}',", 2000)
        + "]\n"
        + repeat("[matrix.m{}]\nrows='t'\ncolumns='t'\nof='t'\n", 10_000),
        "W237",
    ),
    "types": (HEAD + "[table.t]\nrows=['a']\n[variable.game]\n" + repeat("v{} = 'nope'\n", 40_000), "W207"),
    "citations": (
        HEAD
        + "[ledger]\n"
        + repeat("'id.{}' = {{says='',standing='printed'}}\n", 9_000)
        + "[figure.f]\n"
        + repeat("f{} = {{is=1,printed='no'}}\n", 4_000),
        "W230",
    ),
    "long word": (HEAD + "[zone]\nz = { holds = '" + "x" * 900_000 + "' }", "W215"),
    "long key": (HEAD + "[" + "x" * 900_000 + "]", "W203"),
    "deep type": (HEAD + "[variable.game]\nv = '" + "[" * 400_000 + "]" * 400_000 + "'", "W207"),
    "by by by": (HEAD + "[variable.game]\nv = '" + "number by " * 90_000 + "'", "W207"),
    "figures in lists": (HEAD + "[figure.f]\nx = [" + "[]," * 300_000 + "]", "W237"),
    "big": (HEAD + "#" * MAX_FILE_BYTES, "W252"),
}


@pytest.mark.parametrize("name", HUGE)
def test_what_is_too_large_is_an_error_within_seconds(name: str) -> None:
    text, code = HUGE[name]
    start = time.process_time()
    game, errors = read_tables({"game.toml": text}, "huge")
    assert time.process_time() - start < 15
    assert game is None or not ({error.code for error in errors} - {"W299"}) & HARD_CODES
    assert code in {error.code for error in errors}
    assert len(errors) <= 201
    assert all(len(error.message) < 400 for error in errors)


def test_a_flood_of_errors_ends_with_a_note() -> None:
    errors = read_tables({"game.toml": HEAD + repeat("[s{}]\n", 500)}, "flood")[1]
    assert len(errors) == 201
    assert (errors[-1].code, errors[-1].severity) == ("W299", Severity.NOTE)
    assert errors[-1].message == "300 further errors are not shown"


@pytest.mark.parametrize(
    "text",
    [
        "id," * 300_000,
        "id\n" * 300_000,
        'id,"' + '""' * 400_000,
        "id,colour\n" + '"' * 900_001,
        "\0" * 1000,
        "id\n" * 5002,
    ],
)
def test_any_csv_gives_errors_and_no_crash(text: str) -> None:
    start = time.process_time()
    assert errors_of(cards=text)
    assert time.process_time() - start < 15


@settings(deadline=None, max_examples=150)
@given(st.data())
def test_no_change_of_a_sound_game_leads_to_a_crash(data: st.DataObject) -> None:
    name = data.draw(st.sampled_from(["game", "sources", "cards", "en"]))
    text = SAMPLE[FILES[name]]
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, min(len(text), start + 30)))
    patch = data.draw(
        st.sampled_from(["", "1", '"x"', "[]", "{}", "nan", "true", "=", "\n", ",", ' "a" ', "1..2", "is"])
    )
    changed = files(**{name: text[:start] + patch + text[end:]})
    game, errors = read_tables(changed, "sample")
    assert game is not None or errors
    for error in errors:
        lines = changed[error.span.file].split("\n") if error.span.file in changed else [""]
        assert 1 <= error.span.line <= len(lines)
        assert error.code in codes_of("W2")
    assert errors == read_tables(changed, "sample")[1]


REPLACEMENTS = [
    "3",
    "-1",
    "0.5",
    "nan",
    "true",
    "[]",
    "[[1]]",
    "{}",
    '""',
    '"nope"',
    '["a", 1]',
    "1979-05-27",
    "{ is = 1 }",
]


@settings(deadline=None, max_examples=300)
@given(st.data())
def test_any_value_in_any_place_is_taken_or_refused(data: st.DataObject) -> None:
    """Every value of the tables replaced by one of any other shape."""
    places = locate(GAME, "game.toml")
    spans = sorted({span for span in places.values.values() if span.line == span.end_line})
    span = data.draw(st.sampled_from([one for one in spans if not GAME.split("\n")[one.line - 1].startswith("[")]))
    lines = GAME.split("\n")
    line = lines[span.line - 1]
    patch = data.draw(st.sampled_from(REPLACEMENTS))
    lines[span.line - 1] = line[: span.column - 1] + patch + line[span.end_column - 1 :]
    game, errors = read_tables(files(game="\n".join(lines)), "sample")
    assert game is not None or errors
    assert "W201" not in {error.code for error in errors}
