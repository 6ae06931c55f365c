"""Backgammon beside OpenSpiel: every way to play a roll, and what the game is worth."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from interpreter import Game
from tests.conftest import ruleset_named

pyspiel = pytest.importorskip("pyspiel", reason="OpenSpiel is not installed: pip install -e '.[peers]'")

BAR, PASS = 24, 25
ROLLS = 500


def thrown(theirs: Any) -> tuple[int, int]:
    """Their dice, the lower first, from the picture of a position."""
    line = next(line for line in str(theirs).splitlines() if line.startswith("Dice:"))
    low, high = line.removeprefix("Dice:").replace("u", "").split()[0]
    return int(low), int(high)


def begun(pick: Random) -> tuple[Game, Any, list[tuple[int, int]]]:
    """Both games with the same rolls: ours is told all of them before it begins, theirs one after another."""
    theirs = pyspiel.load_game("backgammon(scoring_type=full_scoring,max_player_turns=100000)").new_initial_state()
    theirs.apply_action(pick.choice([action for action, _ in theirs.chance_outcomes()]))
    low, high = thrown(theirs)
    white, black = (high, low) if theirs.current_player() == 0 else (low, high)
    pairs = [(a, b) for a in range(1, 7) for b in range(1, 7) if a != b]
    rolls = [(pick.randint(1, 6), pick.randint(1, 6)) for _ in range(ROLLS)]
    ours = Game.start(ruleset_named("backgammon"), 2, 0, laws=False, backend="plain")
    state = ours.machine.start(0)
    state.fate = [pairs.index((white, black)), *(die - 1 for roll in rolls for die in roll)]
    return ours.at(state), theirs, rolls


def outcomes() -> dict[tuple[int, int], int]:
    """Their number for each roll."""
    found = {}
    state = pyspiel.load_game("backgammon").new_initial_state()
    state.apply_action(0)
    while not state.is_chance_node():
        state.apply_action(state.legal_actions()[0])
    for action, _ in state.chance_outcomes():
        after = state.clone()
        after.apply_action(action)
        found.setdefault(thrown(after), action)
    return found


def moves(action: int, dice: tuple[int, int]) -> list[tuple[int, int]]:
    """An action of theirs as dice and where they are played from; what is passed is left out."""
    low, high = dice
    first, second = (high, low) if action < 676 else (low, high)
    played = [(first, action % 676 % 26), (second, action % 676 // 26)]
    return [(die, start) for die, start in played if start != PASS]


def start(game: Game, key: str) -> int:
    """Where a man of ours stands, as theirs counts."""
    layout, state = game.machine.layout, game.state
    cell = state.cell[layout.piece_number[key]]
    return BAR if cell < 0 else 23 - layout.cell_plan[cell]


def answer(game: Game, name: str, names: dict[int, str], wanted: set[int], taken: int) -> int:
    """One question of ours, if there is a choice; whether there was one."""
    if len(wanted) == 1:
        return 0
    assert game.question == f"turn.{name}" and set(names) == wanted, (names, wanted)
    game.answer(names[taken])
    return 1


def follow(seed: int) -> tuple[int, float]:
    """A game of random moves; how many questions were compared, and what it was worth."""
    pick = Random(seed)
    (ours, theirs, rolls), numbers, compared = begun(pick), outcomes(), 0
    while not theirs.is_terminal():
        if theirs.is_chance_node():
            low, high = sorted(rolls.pop(0))
            theirs.apply_action(numbers[low, high])
            continue
        player, dice = theirs.current_player(), thrown(theirs)
        ways = {tuple(moves(action, dice)): action for action in theirs.legal_actions()}
        taken = pick.choice(sorted(ways))
        for step, (die, source) in enumerate(taken):
            left = [way for way in ways if way[:step] == taken[:step]]
            dies = {way[step][0] for way in left}
            sources = {way[step][1] for way in left if way[step][0] == die}
            if len(dies) > 1 or len(sources) > 1:
                assert ours.to_move == player
            names = {int(option.key): option.key for option in ours.options()} if len(dies) > 1 else {}
            compared += answer(ours, "die", names, dies, die)
            names = {start(ours, one.key): one.key for one in ours.options()} if len(sources) > 1 else {}
            compared += answer(ours, "man", names, sources, source)
        theirs.apply_action(ways[taken])
    assert ours.over and [sheet.total for sheet in ours.scores()] == [max(0, won) for won in theirs.returns()]
    assert ours.winners == (theirs.returns().index(max(theirs.returns())),)
    return compared, max(theirs.returns())


def test_a_few_games() -> None:
    assert sum(follow(seed)[0] for seed in range(2)) > 2 * 40


@pytest.mark.long
def test_hundreds_of_games() -> None:
    found = [follow(seed) for seed in range(100, 300)]
    worth = [sum(won == points for _, won in found) for points in (1, 2, 3)]
    print(f"{len(found)} games, {sum(compared for compared, _ in found)} questions, worth 1, 2, 3: {worth}")
    assert sum(compared for compared, _ in found) > 200 * 40 and all(worth)
