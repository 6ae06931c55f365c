"""An overlay adds a law, takes one away, or puts another in its place: by its address, with its digest."""

from __future__ import annotations

import pytest

from interpreter import Game, LawViolationError
from tests.interpreter.tiny import CARDS, TABLES
from warlock_dsl.load import load_files
from warlock_dsl.ruleset import Loaded
from warlock_dsl.stack import Use
from workbench.fuzz.law_tests import law_names

RULES = """
rule play:
    repeat 3:
        for me in players: earn(1)
    finish most(p in players: p.step)

rule earn(n: number):
    choose k in 1..3: add n to my.step

invariant modest = all(p in players: p.step < 3)
invariant earned after earn(n) = my.step is was(my.step) + n
invariant best_wins after finish(winners) = all(w in winners: all(p in players: p.step <= w.step))
"""
BASE = {"game.toml": TABLES, "cards.csv": CARDS, "rules.warlock": RULES}


def stacked(head: str = "", rules: str = "") -> Loaded:
    files = {"overlay.toml": f'[overlay]\non = "tiny"\nabout = "a house rule"\n{head}', "house.warlock": rules}
    return load_files(BASE, "tiny", (), [(Use("house"), files)])


def digest_of(address: str) -> str:
    """As the error tells it that asks for another one."""
    told = [error for error in stacked(f'[drop]\n"{address}" = "00000000"\n').diagnostics if error.code == "W614"]
    return told[0].message.rpartition(" ")[2]


def end(loaded: Loaded) -> Game:
    assert loaded.ruleset is not None, [error.message for error in loaded.diagnostics]
    game = Game.start(loaded.ruleset, 2)
    while not game.over:
        game.choose(0)
    return game


def test_the_game_breaks_its_own_law() -> None:
    with pytest.raises(LawViolationError, match="modest"):
        end(stacked(rules="invariant idle_ = true\n"))


def test_a_law_is_dropped() -> None:
    loaded = stacked(f'[drop]\n"invariant.modest" = "{digest_of("invariant.modest")}"\n')
    assert end(loaded).over
    assert loaded.ruleset is not None and law_names(loaded.ruleset) == ["best_wins", "earned"]


def test_a_law_is_relaxed() -> None:
    head = f'[replace]\n"invariant.modest" = "{digest_of("invariant.modest")}"\n'
    assert end(stacked(head, "invariant modest = all(p in players: p.step < 4)\n")).over


@pytest.mark.parametrize(
    ("name", "rules"),
    [
        ("earned", "invariant earned after earn(n) = my.step is was(my.step)\n"),
        ("best_wins", "invariant best_wins after finish(w) = not any(w)\n"),
    ],
)
def test_laws_of_steps_and_of_the_end_are_replaced(name: str, rules: str) -> None:
    head = f'[replace]\n"invariant.{name}" = "{digest_of(f"invariant.{name}")}"\n'
    with pytest.raises(LawViolationError, match=name):
        end(stacked(head + f'[drop]\n"invariant.modest" = "{digest_of("invariant.modest")}"\n', rules))


def test_a_law_is_added() -> None:
    with pytest.raises(LawViolationError, match="stingy"):
        end(stacked(rules="invariant stingy before earn(n) = n < 1\n"))


def test_a_law_of_the_same_name_must_say_that_it_replaces() -> None:
    loaded = stacked(rules="invariant modest = true\n")
    assert loaded.ruleset is None
    assert any("modest" in error.message for error in loaded.diagnostics)


def test_a_law_that_does_not_exist_cannot_be_dropped() -> None:
    loaded = stacked('[drop]\n"invariant.modset" = "00000000"\n')
    assert loaded.ruleset is None
    assert any("did you mean 'invariant.modest'" in error.hint for error in loaded.diagnostics)
