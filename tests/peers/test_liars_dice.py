"""Liar's Dice beside OpenSpiel, which plays one round of two players with as many dice each.

Every such round of a game of ours is compared: the first one of two players, and the later ones in which two are left
with as many dice.
"""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from interpreter import Game
from tests.conftest import ruleset_named
from tests.peers.beside import variable

pyspiel = pytest.importorskip("pyspiel", reason="OpenSpiel is not installed: pip install -e '.[peers]'")

FACES = ["one", "two", "three", "four", "five", "six"]


def cup(game: Game, seat: int) -> list[int]:
    found = next(v.value for v in game.observe(-1).variables if (v.name, v.owner) == ("cup", seat))
    return [FACES.index(item.name) for item in found.items] if found is not None else []


def shaken(game: Game, seats: list[int]) -> Any:
    """A round of theirs with the dice of ours; their player 0 speaks first."""
    dice = len(cup(game, seats[0]))
    state = pyspiel.load_game(f"liars_dice(players={len(seats)},numdice={dice})").new_initial_state()
    for seat in seats:
        for face in cup(game, seat):
            state.apply_action(face)
    return state


def answer(game: Game, name: str, options: dict[str, str], wanted: set[str], taken: str) -> int:
    if len(wanted) == 1:
        return 0
    assert game.question == name and set(options) == wanted, (options, wanted)
    game.answer(options[taken])
    return 1


def play_round(game: Game, seats: list[int], pick: Random) -> tuple[int, list[float]]:
    """One round in both; the questions compared, and what theirs gives for it."""
    theirs, compared = shaken(game, seats), 0
    while not theirs.is_terminal():
        player = theirs.current_player()
        legal = {theirs.action_to_string(player, action): action for action in theirs.legal_actions()}
        bids = {name for name in legal if name != "Liar"}
        raised = bids if pick.random() < 0.8 else set()
        taken = pick.choice(sorted(raised or (set(legal) - bids) or bids))
        if len(legal) > 1:
            assert game.to_move == seats[player]
        if "Liar" in legal and bids:
            options = {option.key: option.key for option in game.options()}
            said = "decline" if taken == "Liar" else "yes"
            compared += answer(game, "play_round.raise", options, {"yes", "decline"}, said)
        if taken != "Liar":
            number, face = taken.split("-")
            numbers = {name.partition("-")[0] for name in bids}
            options = {option.key: option.key for option in game.options()} if len(numbers) > 1 else {}
            compared += answer(game, "bid.number", options, numbers, number)
            faces = {name.partition("-")[2] for name in bids if name.startswith(f"{number}-")}
            if len(faces) > 1:
                options = {str(FACES.index(option.key) + 1): option.key for option in game.options()}
            compared += answer(game, "bid.shown", options, faces, face)
        theirs.apply_action(legal[taken])
    return compared, theirs.returns()


def follow(players: int, dice: int, seed: int) -> tuple[int, int]:
    """A whole game; the rounds compared, and the questions in them."""
    ruleset = ruleset_named(f"liars-dice+sixes_wild+fewer_dice(dice={dice})")
    ours, pick, rounds, compared = Game.start(ruleset, players, seed), Random(seed), 0, 0
    left = [dice] * players
    while not ours.over:
        speaker = int(variable(ours, "speaker").removeprefix("seat"))
        seats = [(speaker + n) % players for n in range(players) if left[(speaker + n) % players]]
        if len(seats) == 2 and left[seats[0]] == left[seats[1]]:
            more, returns = play_round(ours, seats, pick)
            left[seats[returns.index(-1)]] -= 1
            rounds, compared = rounds + 1, compared + more
        else:
            while left == [int(variable(ours, "dice", seat)) for seat in range(players)]:
                ours.choose(pick.randrange(ours.option_count))
            left = [int(variable(ours, "dice", seat)) for seat in range(players)]
        assert [int(variable(ours, "dice", seat)) for seat in range(players)] == left
    assert ours.winners == tuple(seat for seat in range(players) if left[seat]) and len(ours.winners) == 1
    return rounds, compared


@pytest.mark.parametrize(("players", "dice"), [(2, 1), (2, 5), (6, 1)])
def test_a_few_games(players: int, dice: int) -> None:
    assert all(follow(players, dice, seed)[0] for seed in range(3))


@pytest.mark.long
@pytest.mark.parametrize("players", [2, 3, 4, 5, 6])
def test_hundreds_of_games(players: int) -> None:
    found = [follow(players, dice, seed) for dice in range(1, 6) for seed in range(100, 160)]
    rounds, compared = (sum(column) for column in zip(*found, strict=True))
    print(f"{players} players: {len(found)} games, {rounds} rounds, {compared} questions")
    assert rounds > 100
