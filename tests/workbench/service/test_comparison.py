"""A comparison as a page asks for it."""

from __future__ import annotations

import pytest

from interpreter import Game
from warlock_dsl import default_roots, gather_texts
from workbench.service.comparison import alone, checked, compared, structure
from workbench.support.errors import UsageError

STACKS = ("connect-four", "connect-four+small")



def test_what_is_written_then_a_position_that_plays_under_either() -> None:
    gathered = [gather_texts(stack, default_roots()) for stack in STACKS]
    rulesets = [checked(one) for one in gathered]
    report = structure(rulesets, "en")
    wanted = [one["id"] for one in report["differences"] if one["readings"]]
    assert wanted and [one["ruleset"] for one in report["editions"]] == list(STACKS)
    reports = list(compared(gathered, "en", wanted[:1]))
    assert reports[-1]["games"] == reports[-1]["of"] == 1
    witness = reports[-1]["found"][wanted[0]]["readings"][0]["witness"]
    assert witness is not None
    tables = [side["table"] for side in witness["position"]["sides"]]
    assert tables[0] is not None and tables[1] is not None and tables[0]["zones"] != tables[1]["zones"]
    for rules in (rulesets[0], alone(rulesets[0], witness["overlay"])):
        assert rules.ruleset is not None
        game = Game.again(rules.ruleset, witness["players"], witness["seed"], witness["answers"], laws=False)
        assert len(game.answers) == len(witness["answers"])


def test_different_games_are_not_compared() -> None:
    rulesets = [checked(gather_texts(stack, default_roots())) for stack in ("connect-four", "maldorf")]
    with pytest.raises(UsageError, match="different games"):
        structure(rulesets, "en")


def test_an_overlay_that_does_not_fit_is_refused() -> None:
    first = checked(gather_texts("connect-four", default_roots()))
    with pytest.raises(UsageError):
        alone(first, {"overlay.toml": '[overlay]\non = "connect-four"\n\n[[change]]\nat = "nothing.here"\nnow = 1\n'})
