"""Whole games among bots that a machine can be by itself: the same as answer by answer, on every machine."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from interpreter import BACKENDS, AnswerError, Game, LawViolationError, MachineBot, RulesError, Said
from interpreter.state import random as chance
from tests.interpreter.tiny import ruleset as tiny
from warlock_dsl.load import load
from warlock_dsl.ruleset import Ruleset

RULES = [Path(__file__).parents[2] / "rules"]
GAMES = ["goblin-warlord", "warlock-1980", "connect-four", "goofspiel", "go-fish"]
BOTS = (MachineBot("random", chance.seeded(3)), MachineBot("greedy", chance.seeded(4), 2, 4), MachineBot("first"))
BREAKING = """
rule play:
    repeat 9:
        for me in players:
            choose n in 1..3
            add n to my.step
            {breaks}
    finish players
score steps = my.step
{law}
"""


def loaded(name: str) -> Ruleset:
    found = load(name, RULES).ruleset
    assert found is not None
    return found


def bots(players: int) -> list[MachineBot]:
    return [BOTS[seat % len(BOTS)] for seat in range(players)]


def step_by_step(game: Game, maximum: int) -> list[tuple[int, str, str]]:
    """The same with one answer at a time."""
    said, seats = [], bots(game.players)
    while not game.over and len(game.answers) < maximum:
        seat, question = game.to_move, game.question
        game.choose(game.machine.pick(game.state, seats[seat], len(game.answers)))
        said.append((seat, question, game.answers[-1]))
    return said


def words(said: list[Said]) -> list[tuple[int, str, str]]:
    return [(one.seat, one.question, one.key) for one in said]


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("name", GAMES)
def test_a_game_among_bots_is_that_of_single_answers(name: str, backend: str) -> None:
    ruleset = loaded(name)
    players, maximum = ruleset.components.min_players, 60
    one, other = (Game.start(ruleset, players, 7, backend=backend) for _ in range(2))
    said: list[Said] = []
    one.play_among(bots(players), maximum, said)
    assert words(said) == step_by_step(other, maximum)
    assert (one.answers, one.digest(), one.over) == (other.answers, other.digest(), other.over)
    assert len(one.answers) > 4


def test_every_answer_of_a_stretch_can_be_taken_back() -> None:
    game = Game.start(loaded("goblin-warlord"), 3, 5)
    game.choose(0)
    game.play_among(bots(3), 20)
    answers, digests = game.answers[:], []
    while game.answers:
        digests.append(game.digest())
        game.undo()
    for key in answers:
        game.answer(key)
        assert game.digest() == digests.pop()
    assert not digests


def test_what_is_not_seen_is_named_by_its_place() -> None:
    """Such an answer is left to the caller, who has the key as it was."""
    rules = """
rule play:
    shuffle deck
    for p in players: move top(deck, 2) to p.hand
    for me in players:
        choose c in next(me).hand
        move c to my.shown
    finish players
score cards = count(my.shown)
"""
    games = []
    for backend in BACKENDS:
        game = Game.start(tiny(rules), 3, 3, backend=backend)
        said: list[Said] = []
        game.play_among(bots(3), 99, said)
        games.append((words(said), game.answers, game.digest()))
    assert games[0] == games[1] and all("hand[" in key for key in games[0][1])


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize(
    ("breaks", "law", "error"),
    [("do_nothing()", "invariant few = all(p in players: p.step < 4)", LawViolationError),
     ("if my.step > 6: choose c in my.hand", "", RulesError)],
)  # fmt: skip
def test_where_the_rules_break_down_the_game_stands_before_that_answer(
    breaks: str, law: str, error: type[Exception], backend: str
) -> None:
    rules = BREAKING.format(breaks=breaks.replace("do_nothing()", "pass"), law=law)
    found: list[Any] = []
    for among in (True, False):
        game = Game.start(tiny(rules), 3, 3, backend=backend)
        said: list[Said] = []
        with pytest.raises(error) as met:
            if among:
                game.play_among(bots(3), 99, said)
            else:
                step_by_step(game, 99)
        assert met.value.reached is not None  # type: ignore[attr-defined]
        replay = met.value.reached.replay  # type: ignore[attr-defined]
        found.append((str(met.value), replay["answers"], game.answers, game.digest()))
        assert len(replay["answers"]) == len(game.answers) + 1 and (not among or len(said) == len(game.answers))
        game.undo()
    assert found[0] == found[1]


@pytest.mark.parametrize("backend", BACKENDS)
def test_an_answer_that_there_is_not_changes_nothing(backend: str) -> None:
    game = Game.start(loaded("tic-tac-toe"), 2, 0, backend=backend)
    before = game.digest()
    for number in (-1, 9, 10**30):
        with pytest.raises(AnswerError, match="there are 9 options, not one numbered"):
            game.choose(number)
        with pytest.raises(AnswerError):
            game.machine.advance(game.state, number)
    assert game.digest() == before and not game.answers
    game.play_among(bots(2), 99)
    with pytest.raises(AnswerError, match="the game is over"):
        game.choose(0)
