"""What can be done about an error: the rules are sound afterwards, or what the action says it mends is gone."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from warlock_dsl import Severity
from workbench.service.actions import Action
from workbench.service.language_service import Language

ROOT = Path(__file__).parents[3]


@pytest.fixture
def game(tmp_path: Path) -> Path:
    """A game, and another with an overlay that replaces a definition."""
    shutil.copytree(ROOT / "rules/classics/hearts", tmp_path / "rules/hearts")
    shutil.copytree(ROOT / "rules/goblin-warlord", tmp_path / "rules/goblin-warlord")
    shutil.copytree(ROOT / "variants/goblin-warlord/walls", tmp_path / "variants/goblin-warlord/walls")
    return tmp_path


def done(service: Language, action: Action) -> None:
    """The edits of an action, made in the open texts."""
    for path, edits in action.edits.items():
        lines = service.text(path).split("\n")
        for edit in sorted(edits, key=lambda one: one.span, reverse=True):
            span = edit.span
            before, after = lines[span.line - 1][: span.column - 1], lines[span.end_line - 1][span.end_column - 1 :]
            lines[span.line - 1 : span.end_line] = (before + edit.text + after).split("\n")
        service.open(path, "\n".join(lines))


def taken(service: Language, path: Path, title: str) -> Action:
    """The action of a title at the errors of a file."""
    found = service.actions(path, 1, 10_000)
    [action] = [one for one in found if one.title.startswith(title)]
    done(service, action)
    return action


def errors(service: Language, path: Path) -> list[str]:
    return [one.message for one in service.analysis(path).loaded.diagnostics if one.severity is Severity.ERROR]


def codes(service: Language, path: Path) -> list[str]:
    return [one.code for one in service.analysis(path).loaded.diagnostics]


def test_a_new_digest_is_taken(game: Path) -> None:
    """The game changes under an overlay that replaces one of its rules."""
    service = Language()
    overlay = game / "variants/goblin-warlord/walls/overlay.toml"
    text = service.text(overlay)
    assert not errors(service, overlay)
    digest = text.partition("[replace]")[2].split('"')[1]
    service.open(overlay, text.replace(digest, "00000000"))
    assert codes(service, overlay)[0] == "W614"
    taken(service, overlay, "take the new digest")
    assert service.text(overlay) == text and not errors(service, overlay)


def test_a_replacement_is_announced(game: Path) -> None:
    service = Language()
    overlay = game / "variants/goblin-warlord/walls/overlay.toml"
    text = service.text(overlay)
    line = next(one for one in text.partition("[replace]")[2].split("\n") if "=" in one)
    service.open(overlay, text.replace(line + "\n", ""))
    rules = next((game / "variants/goblin-warlord/walls").glob("*.warlock"))
    assert "W613" in codes(service, overlay)
    taken(service, rules, "write ")
    assert not errors(service, overlay)


def test_what_nothing_uses_is_taken_away(game: Path) -> None:
    service = Language()
    rules = game / "rules/hearts/rules.warlock"
    text = service.text(rules)
    service.open(rules, text.rstrip("\n") + "\n\ndefine idle_one = 3\n\nrule idle_two:\n    pass\n")
    assert codes(service, rules).count("W401") == 2
    taken(service, rules, "take 'idle_one' away")
    taken(service, rules, "take 'idle_two' away")
    assert "W401" not in codes(service, rules) and service.text(rules).rstrip("\n") == text.rstrip("\n")


def test_missing_texts_are_written(game: Path) -> None:
    """Into the catalogues of the game, in every language; a catalogue that is not there is made."""
    service = Language()
    tables = game / "rules/hearts/game.toml"
    before = service.text(tables)
    service.open(tables, before.replace("[zone]\n", '[zone]\nattic = { holds = "card" }\n', 1))
    rules = game / "rules/hearts/rules.warlock"
    service.open(rules, service.text(rules) + "\ninvariant attic_is_empty = count(attic) is 0\n")
    lacking = codes(service, tables).count("W430")
    assert lacking > 0 and not errors(service, tables)
    action = taken(service, tables, "write the missing texts")
    assert {path.parent.name for path in action.edits} == {"names"} and len(action.edits) >= 1
    assert "W430" not in codes(service, tables)


@pytest.mark.parametrize(
    ("old", "new", "title"),
    [
        ("count(", "cuont(", "change 'cuont' to 'count'"),
        (" is ", " == ", "write 'is'"),
        ("rule trick:", "rule trick", "write ':'"),
        ("shuffle deck", "shuffle my.deck", "write 'deck' without an owner"),
    ],
)
def test_slips_are_mended(game: Path, old: str, new: str, title: str) -> None:
    service = Language()
    rules = game / "rules/hearts/rules.warlock"
    text = service.text(rules)
    service.open(rules, text.replace(old, new, 1))
    assert service.text(rules) != text and errors(service, rules)
    taken(service, rules, title)
    assert service.text(rules) == text and not errors(service, rules)
