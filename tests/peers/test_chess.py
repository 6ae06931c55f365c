"""Chess beside python-chess: the legal moves of positions, and how many games of so many moves there are (perft)."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from interpreter import Game, State, lift_piece, put_piece
from tests.conftest import ruleset_named

chess = pytest.importorskip("chess", reason="python-chess is not installed: pip install -e '.[peers]'")

KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"
PASSING = "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1"
PROMOTIONS = "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1"
RANKS = ["pawn", "knight", "bishop", "rook", "queen", "king"]  # in the order of python-chess, from 1


def beginning() -> Game:
    return Game.start(ruleset_named("chess"), 2, 0, laws=False, backend="plain")


def position(fen: str) -> Game:
    """A game of ours in a position of theirs, White to move."""
    game, board = beginning(), chess.Board(fen)
    assert board.turn == chess.WHITE and board.ep_square is None
    state, layout = game.state.copy(), game.machine.layout
    box, table = range(len(layout.places))
    for piece in list(state.zones[table]):
        lift_piece(state, piece)
        put_piece(layout, state, piece, box)
    for slot, of in enumerate(layout.slots):
        if of.name == "unmoved":
            state.variables[slot] = False
    for square, man in board.piece_map().items():
        name = f"{'white' if man.color else 'black'}_{RANKS[man.piece_type - 1]}#"
        piece = next(p for p in state.zones[box] if layout.piece_names[p].startswith(name))
        lift_piece(state, piece)
        put_piece(layout, state, piece, table, layout.places[table].first_cell + 8 * (7 - square // 8) + square % 8)
        home = board.castling_rights & (0x81 << square - 4 if man.piece_type == chess.KING else 1 << square)
        slot = next(n for n, of in enumerate(layout.slots) if (of.name, of.owner) == ("unmoved", piece))
        state.variables[slot] = bool(home)
    state.offer = None
    return game.at(state)


class Position:
    """Where everything stands in our game, with the definitions and the rule that make its moves.

    A game goes on by itself where there is but one move; so moves are counted here, between two questions.
    """

    def __init__(self, game: Game, state: State | None = None) -> None:
        self.game, self.machine = game, game.machine
        self.state = game.state.position() if state is None else state

    def value(self, name: str, *arguments: Any) -> Any:
        """What a definition of the game says here."""
        define = next(one for one in self.machine.defines if one.address == name)
        self.machine.work = 0
        slots = [0, *arguments, *[None] * (define.slots - 1 - len(arguments))]
        return self.machine.ev(self.state, define.value, slots)

    def moves(self, colour: int) -> Iterator[tuple[str, tuple[int, int, int]]]:
        """The legal moves of a colour as python-chess writes them, each with what the rule that makes it is given."""
        for man in self.value("men", colour):
            for cell in self.value("legal", man):
                for made in (many := self.value("becomes", man, cell)):
                    letter = "-kqrbnpkqrbnp"[made + 1] if len(many) > 1 else ""
                    name = self.square(self.state.cell[man]) + self.square(cell) + letter
                    yield name, (man, cell, made)

    def after(self, move: tuple[int, int, int]) -> Position:
        rule = next(n for n, one in enumerate(self.machine.lowered_rules) if one.address == "make_move")
        state = self.state.position()
        self.machine.push(state, rule, list(move), 0)
        while state.stack:
            self.machine.work = 0
            self.machine.block(state)
        return Position(self.game, state)

    def square(self, cell: int) -> str:
        _, row, column = self.machine.layout.cell_spot[cell]
        return f"{'abcdefgh'[column]}{8 - row}"


def perft(position: Position, depth: int, colour: int = 0) -> int:
    """How many ways there are to play so many moves, both sides counted."""
    moves = list(position.moves(colour))
    if depth == 1:
        return len(moves)
    return sum(perft(position.after(move), depth - 1, 1 - colour) for _, move in moves)


@pytest.mark.parametrize(
    ("fen", "expected"),
    [(chess.STARTING_FEN, [20, 400]), (KIWIPETE, [48]), (PASSING, [14, 191]), (PROMOTIONS, [6, 264])],
)
def test_there_are_as_many_games_as_are_known(fen: str, expected: list[int]) -> None:
    begun = Position(position(fen))
    assert [perft(begun, depth) for depth in range(1, len(expected) + 1)] == expected


@pytest.mark.long
@pytest.mark.parametrize(
    ("fen", "depth", "expected"),
    [
        (chess.STARTING_FEN, 3, 8_902),
        (KIWIPETE, 2, 2_039),
        (KIWIPETE, 3, 97_862),
        (PASSING, 3, 2_812),
        (PROMOTIONS, 3, 9_467),
    ],
)
def test_there_are_as_many_longer_games(fen: str, depth: int, expected: int) -> None:
    assert perft(Position(position(fen)), depth) == expected


# ------------------------------------------------------------------ whole games


def ended(board: Any) -> bool:
    return board.halfmove_clock >= 100 or not any(board.legal_moves)


def follow(seed: int, plies: int = 1000) -> dict[str, int]:
    """A game of random moves in both: at every position the same moves are legal, and it ends in the same way."""
    ours, board, pick = beginning(), chess.Board(), Random(seed)
    seen = dict.fromkeys(["positions", "in check", "castling", "en passant", "promotion", "mate"], 0)
    while not ended(board) and board.ply() < plies:
        legal = sorted(move.uci() for move in board.legal_moves)
        if len(legal) > 1:
            assert not ours.over and ours.to_move == (not board.turn)
            assert sorted(name for name, _ in Position(ours).moves(int(not board.turn))) == legal
            seen["positions"] += 1
            seen["in check"] += board.is_check()
        rare = [move.uci() for move in board.legal_moves if board.is_castling(move) or board.is_en_passant(move)]
        move = chess.Move.from_uci(pick.choice(rare or legal))
        if len(legal) > 1:
            take(ours, move.uci(), legal)
        seen["castling"] += board.is_castling(move)
        seen["en passant"] += board.is_en_passant(move)
        seen["promotion"] += move.promotion is not None
        board.push(move)
    seen["mate"] += board.is_checkmate()
    assert ours.over == ended(board) or len(list(board.legal_moves)) == 1
    assert not ours.over or ours.winners == ((int(board.turn),) if board.is_checkmate() else ())
    return seen


def take(game: Game, move: str, legal: list[str]) -> None:
    """A move in up to three answers: the man, its square, what a pawn becomes. What is not asked has one answer."""
    for end, what in ((2, "man"), (4, "field"), (5, "made")):
        words = sorted({name[:end] for name in legal if name.startswith(move[: end - (2 if end < 5 else 1)])})
        if len(words) < 2:
            continue
        assert game.question == f"turn.{what}" and len(game.options()) == len(words)
        shown = Position(game)
        names = {}
        for option in game.options():
            if what == "man":
                names[shown.square(shown.state.cell[shown.machine.layout.piece_number[option.key]])] = option.key
            elif what == "field":
                row, column = option.key.removeprefix("board@").split(",")
                names[f"{move[:2]}{'abcdefgh'[int(column)]}{8 - int(row)}"] = option.key
            else:
                names[move[:4] + {"knight": "n"}.get(rank := option.key.partition("_")[2], rank[0])] = option.key
        assert sorted(names) == words
        game.answer(names[move[:end]])


def test_the_beginning_of_a_game_of_random_moves() -> None:
    assert follow(3, plies=30)["positions"] > 20


@pytest.mark.long
def test_thousands_of_positions() -> None:
    found = [follow(seed) for seed in range(100, 110)]
    seen = {name: sum(one[name] for one in found) for name in found[0]}
    print(f"{len(found)} games: {seen}")
    assert seen["positions"] > 3000 and all(seen.values())
