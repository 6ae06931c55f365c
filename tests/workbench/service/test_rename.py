"""Renaming: the rules mean the same afterwards, in every game; where that is not proven, nothing is renamed."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest
from attrs import evolve

from warlock_dsl import TextEdit
from workbench.service.project import Analysis, Project
from workbench.service.rename import Refusal, applied, codes, edits_of, meaning, rename, renamed, unproven

ROOT = Path(__file__).parents[3]
GAMES = sorted(path.parent.relative_to(ROOT / "rules").as_posix() for path in (ROOT / "rules").rglob("game.toml"))
IDS = ("ledger", "ruling", "difference")


def refused(project: Project, found: Analysis, count: int) -> list[str]:
    """Of some names taken at random, those that are not renamed, each with the reason; of the others everything means
    the same afterwards, which is worked out anew from what the edits make of the files."""
    index = found.index
    own = [one for one in index.places if any(place.span.file in found.paths for place in index.definitions(one))]
    chosen = random.Random(count).sample(sorted(own), min(count, len(own)))
    told = []
    for symbol in chosen:
        new = f"NEW-{symbol[-1]}" if symbol[0] in IDS else f"new_{symbol[-1]}"
        place = next(one for one in index.definitions(symbol) if one.span.file in found.paths)
        edits = rename(project, found.paths[place.span.file], place.span.line, place.span.column, new)
        if isinstance(edits, Refusal):
            told.append(f"{symbol}: {edits.why}")
        else:
            same_afterwards(project, found, edits)
    return told


def same_afterwards(project: Project, found: Analysis, edits: Mapping[Path, Sequence[TextEdit]]) -> None:
    """The files with the edits are opened in another project: no error more, and the same without names."""
    other = Project()
    names = {path: name for name, path in found.paths.items()}
    for path, own in edits.items():
        own = [evolve(edit, span=evolve(edit.span, file="it")) for edit in own]
        text = applied({"it": project.text(path)}, own)["it"]
        assert text != project.text(path)
        if path in names:
            other.open(path, text)
    after = other.check(next(iter(found.paths.values()))).loaded
    assert after.ruleset is not None and meaning(after) == meaning(found.loaded)
    assert codes(after) == codes(found.loaded)


@pytest.mark.parametrize("game", ["classics/hearts", "classics/goofspiel", "classics/connect-four", "goblin-warlord"])
def test_names_can_be_renamed(game: str) -> None:
    project = Project()
    assert len(refused(project, project.check(ROOT / "rules" / game / "game.toml"), 8)) <= 1


@pytest.mark.long
def test_95_of_100_names_can_be_renamed() -> None:
    """Of every game; the rule that a game begins with is among those that cannot."""
    told: list[str] = []
    names = 0
    for game in GAMES:
        project = Project()
        found = project.check(ROOT / "rules" / game / "game.toml")
        told += [f"{game} {one}" for one in refused(project, found, 30)]
        names += 30
    assert len(told) <= names * 5 // 100, told


def test_words_of_scenarios_are_renamed_where_they_mean_it() -> None:
    """A variable and a figure of one name: each takes the words that are its own, in scenarios and overlays."""
    project = Project()
    found = project.check(ROOT / "rules/classics/liars-dice/game.toml")
    changed = {}
    for symbol in (("variable", "player", "dice"), ("figure", "size", "dice")):
        place = found.index.definitions(symbol)[0]
        edits = rename(project, found.paths[place.span.file], place.span.line, place.span.column, "cubes")
        assert not isinstance(edits, Refusal)
        changed[symbol[0]] = {path.name: len(own) for path, own in edits.items()}
    assert changed["variable"]["bids.toml"] > 1 and "bids.toml" not in changed["figure"]
    assert "overlay.toml" in changed["figure"] and "overlay.toml" not in changed["variable"]


def renamed_everywhere(project: Project, path: Path, symbol: tuple[str, ...], new: str) -> dict[str, set[str]]:
    """By the overlay or "" what the edits of a name write, after every stack was loaded with them."""
    found = project.check(path)
    place = next(one for one in found.index.definitions(symbol) if one.span.file in found.paths)
    edits = rename(project, found.paths[place.span.file], place.span.line, place.span.column, new)
    assert not isinstance(edits, Refusal), edits.why
    for file, own in edits.items():
        texts = applied({"it": project.text(file)}, [evolve(edit, span=evolve(edit.span, file="it")) for edit in own])
        project.open(file, texts["it"])
    folder = {file: file.parent.parent.name if file.parent.name == "names" else file.parent.name for file in edits}
    return {folder[file]: {edit.text for edit in own} for file, own in edits.items()}


def test_an_overlay_that_replaces_what_reads_otherwise_takes_its_new_digest() -> None:
    """It does not name what is renamed itself: only the digest of what it replaces says that it is concerned."""
    project = Project()
    path = ROOT / "rules/goblin-warlord/game.toml"
    rules = project.text(path.parent / "actions.warlock").split("\n")
    line = next(number for number, text in enumerate(rules, start=1) if text.startswith("rule clear_away(base"))
    index = project.check(path).index
    parameter = index.at("actions.warlock", line, len("rule clear_away(b"))
    assert parameter is not None and parameter.symbol[0] == "local"
    written = renamed_everywhere(project, path, parameter.symbol, "camp_of_it")
    assert set(written) == {"goblin-warlord", "gone_for_good"}
    assert all(len(digest) == 8 for digest in written["gone_for_good"])
    for home in ("rules/goblin-warlord/game.toml", "variants/goblin-warlord/gone_for_good/overlay.toml"):
        assert project.check(ROOT / home).loaded.ruleset is not None


def test_a_declaration_is_renamed_where_overlays_replace_it() -> None:
    project = Project()
    written = renamed_everywhere(
        project, ROOT / "rules/goblin-warlord/game.toml", ("define", "may_construct"), "may_build"
    )
    assert written["slow_masons"] >= {"may_build"}
    assert project.check(ROOT / "variants/goblin-warlord/slow_masons/overlay.toml").loaded.ruleset is not None


def test_what_is_not_the_same_afterwards_is_refused() -> None:
    """Edits that miss a place, or that make one name of two."""
    project = Project()
    found = project.check(ROOT / "rules/classics/hearts/game.toml")
    symbol = ("zone", "hand")
    edits = edits_of(found, symbol, "fist")
    assert not unproven(found.loaded, renamed(found, edits))
    assert unproven(found.loaded, renamed(found, edits[1:])).startswith("it would be an error")
    other = next(one for one in found.index.places if one[0] == "zone" and one != symbol)
    assert unproven(found.loaded, renamed(found, [TextEdit(edit.span, other[-1]) for edit in edits]))


def test_a_bad_name_and_rules_with_errors_are_refused() -> None:
    project = Project()
    path = ROOT / "rules/classics/hearts/rules.warlock"
    text = project.text(path)
    rules = [number for number, one in enumerate(text.split("\n"), start=1) if one.startswith("rule ")]
    line = rules[1]  # the first is the one a game begins with
    assert not isinstance(rename(project, path, line, 6, "a_new_name"), Refusal)
    assert rename(project, path, line, 6, "Two words") == Refusal("'Two words' cannot be a name")
    project.open(path, text + "\ndefine wrong = nothing_here\n")
    found = rename(project, path, line, 6, "a_new_name")
    assert isinstance(found, Refusal) and "errors" in found.why
