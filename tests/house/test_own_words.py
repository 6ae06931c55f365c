"""The script that looks for words shared with documents finds a copied sentence, however it is broken up."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.own_words import main, shared

SENTENCE = "Whoever draws the last card of the pile must répondre à every question at once."


@pytest.fixture
def places(tmp_path: Path) -> tuple[Path, Path]:
    """A folder with a document, and a project with a folder for rules."""
    (tmp_path / "documents").mkdir()
    (tmp_path / "documents" / "book.txt").write_text(f"1. The end\n\n{SENTENCE}\n")
    (tmp_path / "project" / "rules").mkdir(parents=True)
    return tmp_path / "documents", tmp_path / "project"


def test_a_copied_sentence_is_found_with_both_places(places: tuple[Path, Path]) -> None:
    documents, project = places
    copied = 'about = "x"\nsays = "whoever DRAWS the last\ncard, of the pile must repondre"\n'
    (project / "rules" / "a.toml").write_text(copied)
    (project / "README.md").write_text("The last card of the pile is drawn by somebody else.\n")
    found = shared(documents, project, 8)
    assert found == ["rules/a.toml:2: book.txt:3: whoever draws the last card of the pile"]


def test_a_passage_is_told_once_and_figures_do_not_count(places: tuple[Path, Path]) -> None:
    documents, project = places
    (documents / "series.txt").write_text("1 2 3 5 7 9 9 9 9")
    (project / "rules" / "a.toml").write_text(f'says = "{SENTENCE}"\nis = [1, 2, 3, 5, 7, 9, 9, 9, 9]\n')
    assert len(shared(documents, project, 8)) == 1


def test_nothing_to_compare_with_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(tmp_path / "nowhere")]) == 2
    assert "there are no documents" in capsys.readouterr().err
