"""Tic-tac-toe and connect four against oracles in plain Python: every position of the one, many games of the other."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest

from interpreter import Game
from interpreter.state import random as chance
from tests.conftest import ruleset_named
from warlock_dsl.diagnostics.diagnostic import Severity
from warlock_dsl.load import load
from workbench.scenario.run import run_path

ROOT = Path(__file__).parents[2] / "rules" / "classics"
CLASSICS = sorted(path.name for path in ROOT.iterdir() if path.is_dir())

Board = tuple[int, ...]  # by square: the seat that holds it, or -1
Odds = tuple[Fraction, Fraction, Fraction]  # first wins, second wins, nobody


@pytest.mark.parametrize("name", CLASSICS)
def test_it_is_found_by_its_name_and_checks_clean(name: str) -> None:
    found = load(name, [ROOT.parent])
    assert found.ruleset is not None
    assert all(diagnostic.severity is Severity.NOTE for diagnostic in found.diagnostics)
    assert "en" in found.ruleset.components.names


@pytest.mark.parametrize("name", CLASSICS)
def test_its_scenarios_pass(name: str) -> None:
    report = run_path(ROOT / name, lambda folder: load(folder, [ROOT.parent]))
    assert report.passed and report.results, report.text()


# ----------------------------------------------------------------- tic-tac-toe

ROWS = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]
QUARTER = tuple(3 * (2 - x) + y for y in range(3) for x in range(3))
MIRROR = tuple(3 * y + 2 - x for y in range(3) for x in range(3))


def winner(board: Board) -> int:
    return next((board[a] for a, b, c in ROWS if board[a] == board[b] == board[c] != -1), -1)


def alike(board: Board) -> Board:
    """The least of the eight boards that are this one turned and mirrored."""
    seen, waiting = {board}, [board]
    while waiting:
        one = waiting.pop()
        for turn in (QUARTER, MIRROR):
            other = tuple(one[square] for square in turn)
            if other not in seen:
                seen.add(other)
                waiting.append(other)
    return min(seen)


def odds(game: Game, board: Board, known: dict[Board, Odds], symmetric: bool) -> Odds:
    """What random play comes to from here. At every position the rules offer and end what the oracle does."""
    key = alike(board) if symmetric else board
    if key in known:
        return known[key]
    free = [square for square in range(9) if board[square] < 0]
    won = winner(board)
    if won < 0 and len(free) == 1:  # the last square is taken without a question
        board = tuple(0 if seat < 0 else seat for seat in board)
        won, free = winner(board), []
    assert game.over == (won >= 0 or not free)
    if game.over:
        assert game.winners == ((won,) if won >= 0 else ())
        known[key] = (Fraction(won == 0), Fraction(won == 1), Fraction(won < 0))
        return known[key]
    seat = (9 - len(free)) % 2
    assert game.to_move == seat
    assert [option.key for option in game.options()] == [f"board@{square // 3},{square % 3}" for square in free]
    found = []
    for number, square in enumerate(free):
        after = game.copy()
        after.choose(number)
        found.append(odds(after, (*board[:square], seat, *board[square + 1 :]), known, symmetric))
    first, second, nobody = (sum(column, Fraction(0)) / len(free) for column in zip(*found, strict=True))
    known[key] = (first, second, nobody)
    return known[key]


EXACT = (Fraction(737, 1260), Fraction(121, 420), Fraction(8, 63))


def test_random_tic_tac_toe_comes_to_the_known_odds() -> None:
    """One of each eight positions alike is looked at: of the 765 there are, all but the 15 full boards."""
    known: dict[Board, Odds] = {}
    game = Game.start(ruleset_named("tic-tac-toe"), 2, 0)
    assert odds(game, (-1,) * 9, known, symmetric=True) == EXACT and sum(EXACT) == 1
    assert len(known) == 750


@pytest.mark.long
def test_every_position_of_tic_tac_toe() -> None:
    known: dict[Board, Odds] = {}
    game = Game.start(ruleset_named("tic-tac-toe"), 2, 0)
    assert odds(game, (-1,) * 9, known, symmetric=False) == EXACT
    assert len(known) == 5478 - 78, "a full board is reached with its last square but one"


# ---------------------------------------------------------------- connect four


def connects(grid: dict[tuple[int, int], int], at: tuple[int, int]) -> bool:
    """Whether four of a colour stand in a row through a place."""
    for dy, dx in ((0, 1), (1, 0), (1, 1), (1, -1)):
        run = 1
        for sign in (1, -1):
            y, x = at[0] + sign * dy, at[1] + sign * dx
            while grid.get((y, x)) == grid[at]:
                run, y, x = run + 1, y + sign * dy, x + sign * dx
        if run >= 4:
            return True
    return False


def follow(seed: int) -> int:
    """A game of random answers beside the oracle; who won, or 2."""
    game, dice = Game.start(ruleset_named("connect-four"), 2, seed, laws=False), chance.seeded(seed + 7)
    heights, grid, seat = [0] * 7, dict[tuple[int, int], int](), 0
    while True:
        open_columns = [column for column in range(7) if heights[column] < 6]
        assert game.to_move == seat
        assert [option.key for option in game.options()] == [f"c{column + 1}" for column in open_columns]
        dice, pick = chance.below(dice, len(open_columns))
        game.choose(pick)
        column = open_columns[pick]
        while True:  # when one column is left it is filled without a question
            at = (heights[column], column)
            grid[at] = seat
            heights[column] += 1
            won = connects(grid, at)
            left = [column for column in range(7) if heights[column] < 6]
            if won or len(left) != 1:
                break
            column, seat = left[0], 1 - seat
        if won or not left:
            assert game.over and game.winners == ((seat,) if won else ())
            return seat if won else 2
        assert not game.over
        seat = 1 - seat


def test_random_connect_four_beside_an_oracle() -> None:
    won = [follow(seed) for seed in range(60)]
    assert won.count(0) > won.count(1) > 10, "who begins wins more often, and not always"


@pytest.mark.long
def test_a_thousand_games_of_connect_four_beside_an_oracle() -> None:
    won = [follow(seed) for seed in range(1000)]
    assert 500 < won.count(0) < 610 and won.count(2) < 15  # by the oracle itself: about 56 in a hundred, hardly a draw
