"""Completion: what fits by its type comes first, and what could never stand there does not come at all."""

from __future__ import annotations

from pathlib import Path

import pytest

from warlock_dsl import DECLARING, VERBS
from workbench.service.completion import Option, forms
from workbench.service.language_service import Language

ROOT = Path(__file__).parents[3]
RULES = ROOT / "rules/classics/hearts/rules.warlock"


def offered(line: str, above: str = "rule extra(c: card, p: player):") -> dict[str, Option]:
    service = Language()
    text = service.text(RULES)
    service.open(RULES, f"{text}\n{above}\n{line}\n")
    found = service.completion(RULES, text.count("\n") + 3, len(line) + 1)
    assert [one.rank for one in found] == sorted(one.rank for one in found)
    return {one.word: one for one in found}


@pytest.mark.parametrize(
    ("line", "best", "never"),
    [
        ("    move my.", ["hand", "taken"], ["deck", "suit"]),
        ("    let y = c.", ["suit"], ["hand", "deck"]),
        ("    let y = p.", ["hand", "penalty"], ["suit"]),
        ("    shuffle ", ["deck"], ["broken"]),
        ("    choose x in ", ["deck", "players"], []),
        ("    if ", ["true", "not"], []),
        ("    if c.suit is ", ["hearts", "spades"], ["deck"]),
        ("    set leader to ", ["p", "me"], ["deck", "hearts"]),
        ("    add 1 to my.", ["penalty"], ["suit"]),
        ("    if count(my.hand) > goal.", ["penalty"], ["hand"]),
        ("    move [x in my.hand where x.", ["suit"], ["hand"]),
        ("    ", ["choose", "move", "for", "if"], []),
    ],
)
def test_what_fits_comes_first(line: str, best: list[str], never: list[str]) -> None:
    found = offered(line)
    assert [word for word in best if word not in found or found[word].rank > 0] == []
    assert [word for word in never if word in found] == []


def test_types_hooks_marks_and_declarations() -> None:
    assert {"card", "suit", "number", "player"} <= {*offered("rule other(x: ", "")}
    assert "trick" in offered("rule other after ", "")
    assert {*DECLARING, "@printed"} <= {*offered("", "")}


def test_every_statement_and_declaration_has_a_snippet() -> None:
    """They are made from the forms of the manual: a new word of the language has one as soon as it is described."""
    found = {one.word: one for one in forms((*VERBS, *DECLARING))}
    assert {*DECLARING, *VERBS} - {"stop", "pass"} <= {*found}
    assert found["repeat"].snippet.startswith("repeat ${1:") and found["repeat"].about


def test_tables_know_keys_names_and_ids() -> None:
    service = Language()
    path = ROOT / "rules/maldorf/game.toml"
    text = service.text(path)
    line = text.count("\n") + 2
    for typed, wanted in (
        ('x = { holds = "', {"creature"}),
        ('x = { printed = "', {"setup.shuffle"}),
        ("[", {"zone", "figure", "table"}),
    ):
        service.open(path, f"{text}\n{typed}")
        assert wanted <= {one.word for one in service.completion(path, line, len(typed) + 1)}
    service.open(path, f"{text}\n[zone]\nh")
    assert {"holds", "each"} <= {one.word for one in service.completion(path, line + 1, 2)}
    overlay = ROOT / "variants/maldorf/dragons/overlay.toml"
    own = service.text(overlay)
    service.open(overlay, f'{own}\n[[change]]\nat = "')
    assert "limit.gift" in {one.word for one in service.completion(overlay, own.count("\n") + 3, 7)}
