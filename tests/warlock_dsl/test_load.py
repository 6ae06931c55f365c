"""The stages of loading: each a function of what came before, that changes nothing it was given."""

from __future__ import annotations

import inspect
from pathlib import Path

import pytest

from warlock_dsl.load import STAGES, Gathered, Loading, begin, gather, load, load_files, result
from warlock_dsl.serialize import pack_ruleset

ROOT = Path(__file__).parents[2]
NAMES = ("maldorf", "maldorf+fr", "maldorf+fr+fr_errata", "maldorf+dragons(limit=2)", "maldorf+human_series")


def begun(name: str) -> Loading:
    found = gather(name, [ROOT / "rules"])
    assert isinstance(found, Gathered)
    return begin(found.files, found.name, found.errors, found.overlays)


def content(loading: Loading) -> str:
    """All that stages may have changed, in words."""
    made = (loading.overlays, loading.document, loading.tables, loading.written, loading.claims)
    return repr((*made, loading.components, loading.modules, loading.added, loading.program, loading.diagnostics))


@pytest.mark.parametrize("name", NAMES)
def test_a_stage_changes_nothing_it_was_given(name: str) -> None:
    loading = begun(name)
    for stage in STAGES:
        before = content(loading)
        once, again = stage(loading), stage(loading)
        assert content(loading) == before, stage.__name__
        assert content(once) == content(again), stage.__name__
        assert once.diagnostics[: len(loading.diagnostics)] == loading.diagnostics, "errors are only added"
        loading = once
    whole = load_files(loading.files, loading.name, (), loading.stack)
    assert result(loading).diagnostics == whole.diagnostics
    assert loading.ruleset is not None and whole.ruleset is not None
    assert pack_ruleset(loading.ruleset) == pack_ruleset(whole.ruleset)


def test_stages_are_named_and_say_what_they_do() -> None:
    assert len({stage.__name__ for stage in STAGES}) == len(STAGES)
    for stage in STAGES:
        assert stage.__doc__ and list(inspect.signature(stage).parameters) == ["loading"]


def test_what_is_empty_passes_every_stage() -> None:
    loaded = load_files({}, "empty")
    assert loaded.ruleset is None and [error.code for error in loaded.diagnostics] == ["W206", "W326"]


def test_a_folder_here_is_named_by_its_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "p1").mkdir()
    (tmp_path / "empty").mkdir()
    (tmp_path / "p1" / "game.toml").write_text("[game]\nplayers = 2\n", encoding="utf-8")
    (tmp_path / "p1" / "rules.warlock").write_text("rule play: finish players\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    (missing,) = load("p1").diagnostics
    assert missing.code == "W001" and missing.hint == "there is a folder 'p1' here: write ./p1"
    assert load("./p1").ruleset is not None
    (other,) = load("empty").diagnostics
    assert "./empty" not in other.hint
