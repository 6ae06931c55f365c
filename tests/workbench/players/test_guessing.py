"""Bots guess at chance: a secret of four that could be any, hidden from whoever guesses in every way there is."""

from __future__ import annotations

from functools import cache
from math import comb

import pytest

from interpreter import Anew, Game, State
from interpreter.plain.machine import PlainMachine
from interpreter.state.redeal import redealt
from warlock_dsl.load import load_files
from warlock_dsl.ruleset import Ruleset
from workbench.players.registry import KINDS, bot_of

CHOICES = 4
GAMES = 1000
FEW = 200  # games of each bot and secret in the default profile
WRONGLY_FAILING = 1e-4  # how likely a fair bot among all fails somewhere, if seeds were not fixed

TABLES = """
[game]
players = 3

[table.rank]
columns = { worth = "number" }
rows = { one = { worth = 1 }, two = { worth = 2 }, three = { worth = 3 }, four = { worth = 4 } }

[kind.card]
rows = "rank"

[kind.coin]
count = 3

[kind.box]
count = 1

[zone]
deck = { holds = "card", sees = "none", start = "card" }
spot = { holds = "card", sees = "none" }
bank = { holds = "coin", start = "coin" }
purse = { each = "player", holds = "coin", sees = "owner", count = "owner" }
shelf = { holds = "box", start = "box" }

[variable.game]
weather = { type = "1..4", sees = "none" }

[variable.player]
plan = { type = "1..4", sees = "owner" }
mark = { type = "1..4", sees = "others" }

[variable.box]
content = { type = "1..4", sees = "none" }
"""
RULES = """
rule play:
    shuffle deck
    move top(deck) to spot
    roll n in 1..4
    let other = next(me)
    SECRET
    guess(other) by me
    finish opponents

rule guess(other: player):
    choose g in 1..4
    if RIGHT: finish [me]
"""
SECRETS = {
    "a variable of a player": ("set other.plan to n", "other.plan is g"),
    "a variable of the game": ("set weather to n", "weather is g"),
    "a variable of a piece": ("set first(shelf).content to n", "first(shelf).content is g"),
    "a count": (
        "move top(bank, n - 1) to other.purse\n    move bank to next(other).purse",
        "count(other.purse) + 1 is g",
    ),
    "a roll for another alone": ("roll own in 1..4 by other\n    set other.plan to own", "other.plan is g"),
    "what all others see": ("set my.mark to n", "my.mark is g"),
    "a piece that lies face down": ("pass", "first(spot).face.worth is g"),
}


@cache
def ruleset(secret: str) -> Ruleset:
    rules = RULES.replace("SECRET", SECRETS[secret][0]).replace("RIGHT", SECRETS[secret][1])
    loaded = load_files({"game.toml": TABLES, "rules.warlock": rules}, "guess")
    assert loaded.ruleset is not None, [str(error) for error in loaded.diagnostics]
    return loaded.ruleset


def right(secret: str, bot: str, games: int, backend: str | None = None) -> int:
    """How many of so many secrets a bot guesses."""
    found = 0
    for seed in range(games):
        game = Game.start(ruleset(secret), 3, seed, laws=False, backend=backend)
        assert game.option_count == CHOICES
        game.choose(bot_of(bot, seed).pick(game))
        found += game.winners == (0,)
    return found


def chance_of(successes: range, games: int) -> float:
    """How likely it is to guess right as often as one of these numbers says."""
    miss = CHOICES - 1
    return sum(comb(games, k) * miss ** (games - k) for k in successes) / CHOICES**games


def within_chance(found: int, games: int) -> bool:
    """Whether a number of successes is no surprise, the interval shared over every bot and every secret."""
    tail = WRONGLY_FAILING / (2 * len(KINDS) * len(SECRETS))
    return chance_of(range(found, games + 1), games) > tail and chance_of(range(found + 1), games) > tail


@pytest.mark.parametrize("bot", KINDS)
@pytest.mark.parametrize("secret", SECRETS)
def test_a_bot_guesses_no_better_than_chance(secret: str, bot: str) -> None:
    quick = f"{bot}(iterations=16)" if "iterations" in KINDS[bot].parameters else bot
    assert within_chance(right(secret, quick, FEW), FEW)


@pytest.mark.long
@pytest.mark.parametrize("bot", KINDS)
@pytest.mark.parametrize("secret", SECRETS)
def test_no_better_than_chance_in_a_thousand_games(secret: str, bot: str) -> None:
    assert within_chance(right(secret, bot, GAMES), GAMES)


@pytest.mark.parametrize("bot", ["greedy", "montecarlo(iterations=16)", "mcts(iterations=16)"])
@pytest.mark.parametrize("secret", sorted(set(SECRETS) - {"a piece that lies face down"}))
def test_a_bot_for_which_only_pieces_are_dealt_is_found_out(
    secret: str, bot: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def pieces_alone(machine: PlainMachine, state: State, seat: int, stream: int) -> tuple[int, State]:
        return redealt(machine, state, seat, stream, Anew(counts=False, variables=frozenset()))

    monkeypatch.setattr(PlainMachine, "redeal", pieces_alone)
    assert right(secret, bot, 20, "plain") == 20
    assert not within_chance(20, 20)


@pytest.mark.parametrize("bot", KINDS)
@pytest.mark.parametrize("secret", SECRETS)
def test_a_bot_answers_the_same_whatever_the_secret_is(secret: str, bot: str) -> None:
    """Two positions that look the same to the guesser, with another secret and another chance to come."""
    quick = f"{bot}(iterations=16)" if "iterations" in KINDS[bot].parameters else bot
    winning = set()
    for seed in range(12):
        game = Game.start(ruleset(secret), 3, seed, laws=False)
        other = game.at(game.machine.redeal(game.state, 0, 1000 + seed)[1])
        assert bot_of(quick, 5).pick(other) == bot_of(quick, 5).pick(game)
        for number in range(CHOICES):
            ahead, behind = game.copy(), other.copy()
            ahead.choose(number)
            behind.choose(number)
            winning.add((ahead.winners, behind.winners))
    assert len(winning) == 4, "the secrets of the two are not always the same"
