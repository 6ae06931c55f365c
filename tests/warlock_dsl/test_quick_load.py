"""A ruleset that is only to be played is the same one, and is refused for the same errors."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from warlock_dsl import Loaded, Severity, Use, load_files, load_for_play, pack_ruleset
from warlock_dsl.load import load
from workbench.mutate.mutants import altered, texts_of
from workbench.mutate.run import every_mutant, sample

RULES = [Path(__file__).parents[2] / "rules"]


def errors(found: Loaded) -> list[object]:
    return [one for one in found.diagnostics if one.severity is Severity.ERROR]


def same(files: Mapping[str, str], name: str, overlays: list[tuple[Use, Mapping[str, str]]]) -> bool:
    """Whether both ways come to the same; whether there is a ruleset."""
    whole, quick = load_files(files, name, (), overlays), load_for_play(files, name, overlays)
    assert errors(whole) == errors(quick)
    assert (whole.ruleset is None) == (quick.ruleset is None) and (whole.final is None) == (quick.final is None)
    if whole.ruleset is not None and quick.ruleset is not None:
        assert pack_ruleset(whole.ruleset) == pack_ruleset(quick.ruleset)
    return whole.ruleset is not None


@pytest.mark.parametrize(("name", "count"), [("maldorf", 8), ("goblin-warlord+walls", 6), ("tic-tac-toe", 12)])
def test_mutants(name: str, count: int) -> None:
    loaded = load(name, RULES)
    source = texts_of(loaded)
    sound = 0
    for mutant in sample(every_mutant(loaded), count, 4):
        changed = altered(source, mutant)
        overlays = [(Use(one, dict(given)), dict(files)) for one, given, files in changed.stack]
        sound += same(dict(changed.base), changed.name, overlays)
    assert sound


def test_errors_of_every_stage() -> None:
    loaded = load("maldorf", RULES)
    files = dict(loaded.base)
    rules = next(file for file in files if file.endswith(".warlock"))
    tables, names = "game.toml", "names/en.toml"
    assert same(files, "maldorf", [])
    for file, text in (
        (rules, "\nrule broken(:\n"),
        (rules, "\ndefine broken = no_such_name\n"),
        (tables, "\n[[[broken\n"),
        (tables, '\n[option.broken]\nvalue = "x"\nkind = 3\n'),
        (names, '\n"ask.no_such_rule.x" = "never shown"\n'),
    ):
        assert not same({**files, file: files[file] + text}, "maldorf", [])
        assert same(files, "maldorf", [])  # nothing of the broken one is remembered


def test_tables_that_change_are_read_again() -> None:
    loaded = load("tic-tac-toe", RULES)
    before = load_for_play(loaded.base, loaded.name).ruleset
    changed = [altered(texts_of(loaded), one) for one in every_mutant(loaded) if not one.file.endswith(".warlock")]
    found = [load_for_play(dict(one.base), one.name).ruleset for one in changed]
    sound = [one for one in found if one is not None]
    assert before is not None and sound and all(one.components != before.components for one in sound)
