"""A comparison in French and in German: nothing that people read is left in English."""

from __future__ import annotations

import html
import re

import pytest

from tests.conftest import ruleset_named
from warlock_dsl.load import load
from workbench.diff.editions import said_in
from workbench.diff.model import DiffReport
from workbench.diff.page import diff_page
from workbench.diff.run import Comparison, Plan

DOCUMENTS = ("en", "fr", "de")
TEXT = re.compile(r">([^<>]+)<")


@pytest.fixture(scope="module")
def editions() -> list[object]:
    return [load(f"maldorf+{document}") for document in DOCUMENTS]


def written(editions: list[object], lang: str) -> DiffReport:
    return Comparison(editions, Plan(0, lang, play=False)).report()  # type: ignore[arg-type]


def read(page: str) -> set[str]:
    """The texts of a page, folds with code and the names of files aside."""
    bare = re.sub(r"<(style|pre)\b.*?</\1>|<[^>]*class=\"mono.*?</", "</", page, flags=re.DOTALL)
    return {html.unescape(text).strip() for text in TEXT.findall(bare)}


@pytest.mark.parametrize("lang", ["fr", "de"])
def test_every_difference_and_every_rule_that_is_shown_has_words_of_the_language(
    editions: list[object], lang: str
) -> None:
    parts = ruleset_named("maldorf").components
    keys = {f"document.{document}{tail}" for document in DOCUMENTS for tail in ("", ".about")}
    for one in parts.differences.values():
        keys |= {f"difference.{one.id}.{key}" for key in ("title", *one.says, *(("idle",) if one.idle else ()))}
    report = written(editions, lang)
    for difference in report.differences:
        keys |= {f"about.{source.id}" for source in difference.sources if difference.readings}
    assert len(report.differences) == len(parts.differences) == 72
    assert sorted(key for key in keys if not said_in(parts, lang, key)) == []


@pytest.mark.parametrize("lang", ["fr", "de"])
def test_no_sentence_of_the_page_is_english(editions: list[object], lang: str) -> None:
    english, page = read(diff_page(written(editions, "en"))), read(diff_page(written(editions, lang)))
    sentences = {text for text in english if len(re.findall(r"[A-Za-z]{2,}", text)) > 3}
    assert len(sentences) > 300
    assert sorted(sentences & page - {"Thomas, Marie, Emilie", "Scott, Sarah, Kate", "Kobe, Norah, Isolde"}) == []
    assert not [text for text in page if re.search(r"\b(the|otherwise|silent|says nothing|printed)\b", text)]


def test_chapters_come_in_their_order_with_every_difference_in_its_own(editions: list[object]) -> None:
    report = written(editions, "en")
    order = list(report.chapters)
    places = [order.index(one.chapter) for one in report.differences]
    assert places == sorted(places)


def test_sections_and_glosses_are_in_the_words_of_the_language(editions: list[object]) -> None:
    found = {one.id: one for one in written(editions, "fr").differences}
    assert found["ED-42"].cells[0].sections == ("5 géants",)
    glosses = [unit.gloss for unit in found["ED-17"].units]
    assert glosses == ["Qui voit ce qui s'y trouve\u202f: geôle."]
    assert [unit.gloss for unit in found["ED-50"].units] == ["Ce qui arrive à une cité frappée par un orc."]
