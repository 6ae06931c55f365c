"""Games as records: the same wherever they are played, small enough to keep, and fair to every seat."""

from __future__ import annotations

import json

import pytest

from interpreter import Game
from tests.interpreter.tiny import CARDS, TABLES
from warlock_dsl.load import load_files
from workbench.players.base import First, Random, play_out
from workbench.sim.games import Setup, play_one, play_some, record_from, seated, setups
from workbench.support.errors import UsageError
from workbench.support.ruleset_source import RulesetSource, source_of
from workbench.support.workers import worker_pool

RULES = """
rule play:
    shuffle deck
    for me in players:
        repeat 3:
            may choose n in 1..3: add n to my.step
        repeat 3: move top(deck) to my.hand
        choose 2 kept in my.hand: move kept to my.shown
    finish most(p in players: total(p))

score steps = my.step
score cards = sum(c in my.shown: c.value)
"""

ENDLESS = """
rule play:
    repeat 9000: choose n in 1..2: set leader to first(players)
"""

BROKEN = """
rule play:
    choose n in 1..2: set leader to first(players)
    for me in players:
        choose c in my.hand: move c to heap
"""


def source(rules: str) -> RulesetSource:
    return source_of(load_files({"game.toml": TABLES, "cards.csv": CARDS, "rules.warlock": rules}, "tiny"))


def test_a_record_tells_how_the_game_went() -> None:
    setup = Setup(source(RULES), ("random", "first"), 5)
    record = play_one(setup)
    game = Game.start(setup.source.ruleset(), 2, 5)
    play_out(game, [Random(5), First()])
    assert record.finished
    assert record.decisions == len(game.answers)
    assert record.winners == game.winners
    assert [round(record.points(seat)) for seat in range(2)] == [sheet.total for sheet in game.scores()]
    assert {use: counts[1] for use, counts in record.uses.items() if counts[1] and use[0] == "play.n"} == {
        ("play.n", "1"): 3
    }


def test_of_a_set_every_member_counts_and_alike_pieces_are_one() -> None:
    record = play_one(Setup(source(RULES), ("first", "first"), 1))
    kept = {key: counts for (question, key), counts in record.uses.items() if question == "play.kept"}
    assert sum(map(sum, kept.values())) == 4
    assert set(kept) <= {"r1", "r3", "g1", "g2", "b1"}  # r2 is just like r1


def test_a_record_is_the_same_after_a_journey_as_text() -> None:
    record = play_one(Setup(source(RULES), ("random", "greedy"), 2))
    assert record_from(json.loads(json.dumps(record.data()))) == record


def test_other_processes_play_the_same_games() -> None:
    games = [tuple(setups(source(RULES), ("random", "first"), 7, [number])) for number in range(4)]
    with worker_pool(2) as workers:
        assert workers.all(play_some, games) == [play_some(game) for game in games]


def test_everybody_sits_everywhere() -> None:
    kinds = ("random", "first", "greedy")
    assert [seated(kinds, number) for number in range(3)] == [
        ("random", "first", "greedy"),
        ("greedy", "random", "first"),
        ("first", "greedy", "random"),
    ]
    assert seated(kinds, 3) == seated(kinds, 0)


def test_a_game_without_an_end_is_given_up() -> None:
    record = play_one(Setup(source(ENDLESS), ("first", "first"), 1, cap=20))
    assert (record.finished, record.decisions, record.winners, record.error) == (False, 20, (), "")


def test_rules_that_break_down_are_part_of_the_record() -> None:
    record = play_one(Setup(source(BROKEN), ("first", "first"), 1))
    assert not record.finished
    assert "nothing to choose" in record.error
    assert record.decisions == 0  # the answer that led there is taken back


def test_an_unknown_bot_is_told_with_those_there_are() -> None:
    with pytest.raises(UsageError, match="no seat is called 'oracle'; there are: random"):
        play_one(Setup(source(RULES), ("oracle", "first"), 1))
