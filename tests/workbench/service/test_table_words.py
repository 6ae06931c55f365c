"""Words of tables: every section and key that can be written has a sentence, and no others do."""

from __future__ import annotations

from pathlib import Path

import attrs
import pytest

from warlock_dsl import MARKS, SECTIONS
from warlock_dsl.overlay.read import RawEdit, RawHead, RawOverlay
from warlock_dsl.tables.schema import keys_of as keys_of_shape
from workbench.service import table_words
from workbench.service.language_service import Language

ROOT = Path(__file__).parents[3]
SHAPES = {**SECTIONS, "overlay": RawHead, "change": RawEdit, "add": RawEdit, "remove": RawEdit}


def test_every_section_and_every_key_has_a_sentence() -> None:
    assert set(table_words.SECTIONS) == {*SECTIONS, *(one.name for one in attrs.fields(RawOverlay))}
    assert set(table_words.MARKS) == set(MARKS)
    for section, shape in SHAPES.items():
        keys = set(keys_of_shape(shape)) - set(MARKS) if attrs.has(shape) else set()
        assert set(table_words.KEYS.get(section, ())) == keys, section


@pytest.mark.parametrize(
    ("file", "line", "word", "said"),
    [
        ("rules/maldorf/game.toml", "[zone]", "zone", "who sees what lies there"),
        ("rules/maldorf/game.toml", 'box = { holds = "creature"', "holds", "kinds of pieces"),
        ("rules/maldorf/game.toml", 'sees = "none"', "none", "Nobody sees"),
        ("rules/maldorf/game.toml", "printed = ", "printed", "ids of the ledger"),
        ("rules/maldorf/sources.toml", '{ says = "', "says", "in paraphrase"),
        ("variants/maldorf/de_errata/overlay.toml", "builds_on = ", "builds_on", "change again"),
        ("variants/maldorf/de_errata/overlay.toml", "[[change]]", "change", "expected to be there"),
        ("variants/maldorf/de_errata/overlay.toml", "was = ", "was", "error with both places"),
        ("variants/maldorf/de_errata/overlay.toml", "[drop]", "drop", "go away"),
        ("rules/maldorf/course.warlock", "@printed ", "printed", "ids of the ledger"),
    ],
)
def test_a_hover_tells_it(file: str, line: str, word: str, said: str) -> None:
    service = Language()
    path = ROOT / file
    number, text = next(
        (number, text) for number, text in enumerate(service.text(path).split("\n"), start=1) if line in text
    )
    at = text.index(word, text.index(line)) + 1
    told, _ = service.hover(path, number, at + 1)
    assert f"{word}`" in told and said in told


def test_what_is_a_name_or_a_text_is_no_word_of_tables() -> None:
    service = Language()
    path = ROOT / "rules/maldorf/rulings.toml"
    lines = service.text(path).split("\n")
    number = next(number for number, text in enumerate(lines, start=1) if text.startswith("question = "))
    at = lines[number - 1].index('"') + 3
    assert service.hover(path, number, at)[0] == ""
