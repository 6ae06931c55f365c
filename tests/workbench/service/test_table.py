"""The one view of a table: what a seat sees, hears and is asked, and nothing of what is hidden from it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from interpreter import Game
from interpreter.state.visibility import sees_piece
from tests.conftest import ruleset_named
from warlock_dsl.load import load
from warlock_dsl.ruleset import Ruleset
from workbench.language.sentences import Words, languages_of
from workbench.players.base import Random
from workbench.service.table import EVERYBODY, question_for, table_for

GAMES = ("maldorf", "warlock-1980", "goblin-warlord", "hearts", "hex", "liars-dice")


@pytest.fixture(scope="module")
def tiny() -> Ruleset:
    loaded = load(str(Path(__file__).parents[1] / "data" / "tiny"))
    assert loaded.ruleset is not None, loaded.diagnostics
    return loaded.ruleset


def played(ruleset: Ruleset, answers: int, seed: int = 3, log: bool = False) -> Game:
    players = max(2, ruleset.components.min_players)
    game, bot = Game.start(ruleset, players, seed, laws=False, log=log), Random(seed)
    while not game.over and len(game.answers) < answers:
        game.choose(bot.pick(game))
    return game


@pytest.mark.parametrize("name", GAMES)
def test_what_is_hidden_is_not_in_the_data(name: str) -> None:
    """No piece that a seat cannot see is named anywhere: not in zones, options, log or figures."""
    ruleset = ruleset_named(name)
    for answers in (0, 7, 31):
        game = played(ruleset, answers, log=True)
        layout, state = game.machine.layout, game.state
        words = Words(ruleset, "en")
        for viewer in range(game.players):
            table = table_for(words, game, viewer)
            keys = {piece.key for zone in table.zones for piece in zone.pieces}
            if table.question is not None:
                keys |= {piece for option in table.question.options for piece in option.pieces}
            hidden = {n for p, n in enumerate(layout.piece_names) if not sees_piece(layout, state, p, viewer)}
            assert not keys & hidden
            unseen = [piece for zone in table.zones for piece in zone.pieces if not piece.name]
            assert not any(piece.short or piece.colour or piece.remarks for piece in unseen)


@pytest.mark.parametrize("name", GAMES)
def test_the_question_is_there_for_whom_it_is_put_to(name: str) -> None:
    """What an option is about is a piece, a cell or a zone of the same view, so that it can be marked there."""
    ruleset = ruleset_named(name)
    game, bot, words, marked = played(ruleset, 0), Random(5), Words(ruleset, "en"), 0
    for _ in range(40):
        if game.over:
            break
        table = table_for(words, game, game.to_move)
        assert table.question == question_for(words, game)
        assert table.question is not None and len(table.question.options) == game.option_count
        pieces = {piece.key for zone in table.zones for piece in zone.pieces}
        cells = {cell.key for zone in table.zones for cell in zone.cells}
        zones = {zone.key for zone in table.zones}
        for option in table.question.options:
            assert set(option.pieces) <= pieces and set(option.cells) <= cells and set(option.zones) <= zones
            marked += bool(option.pieces or option.cells)
        others = {*range(game.players + 1)} - {game.to_move}
        assert all(table_for(words, game, other).question is None for other in others)
        game.choose(bot.pick(game))
    assert marked or name == "liars-dice"


@pytest.mark.parametrize("name", GAMES)
def test_it_is_json_in_every_language(name: str) -> None:
    ruleset = ruleset_named(name)
    game = played(ruleset, 12)
    for lang in languages_of(ruleset):
        for viewer in (EVERYBODY, *range(game.players + 1)):
            data = table_for(Words(ruleset, lang), game, viewer, scored=True).data()
            assert json.loads(json.dumps(data))["format"] == "warlock-table/1"


def test_points_that_hang_on_hidden_cards_are_not_told_before_the_end(maldorf: Ruleset) -> None:
    game = played(maldorf, 60)
    seen = table_for(Words(maldorf), game, 0, scored=True)
    everything = table_for(Words(maldorf), game, EVERYBODY, scored=True)
    assert all(seat.total for seat in everything.seats)
    for own, all_known in zip(seen.seats, everything.seats, strict=True):
        assert own.total in ("", all_known.total)


def test_a_bystander_hears_what_everybody_heard(tiny: Ruleset) -> None:
    """Cards that were dealt into a hand are named to their owner, and to no bystander."""
    game = played(tiny, 8, log=True)
    told = table_for(Words(tiny), game, game.players).log
    assert told and not any(" k0" in line and "hand" in line for line in told)
    assert not [one for one in game.observe(game.players).heard if one not in game.observe(0).heard]


def test_the_log_begins_where_it_was_last_read(tiny: Ruleset) -> None:
    game = played(tiny, 4, log=True)
    first = table_for(Words(tiny), game, 0)
    game.choose(0)
    later = table_for(Words(tiny), game, 0, since=first.events)
    assert (*first.log, *later.log) == table_for(Words(tiny), game, 0).log or later.log
    assert later.events >= first.events and len(later.log) < len(first.log)
