"""A game written down picture by picture."""

from __future__ import annotations

import json

import pytest

from interpreter import Game
from tests.conftest import ruleset_named
from workbench.language.sentences import Words
from workbench.service.frames import SHARED, frames
from workbench.service.table import EVERYBODY, table_for


def played(answers: int) -> tuple[Words, list[str]]:
    ruleset = ruleset_named("go-fish")
    game = Game.start(ruleset, 3, 4, log=True)
    for number in range(answers):
        game.choose(number % game.option_count)
    return Words(ruleset, "en", ("Ann", "Ben", "Cid")), game.answers[:]


def begun() -> Game:
    return Game.start(ruleset_named("go-fish"), 3, 4, log=True)


@pytest.mark.parametrize("viewer", [EVERYBODY, 0])
def test_every_moment_is_the_table_as_the_viewer_saw_it(viewer: int) -> None:
    words, answers = played(12)
    found = frames(begun(), answers, words, viewer)
    game, heard = begun(), 0
    assert len(found["moments"]) == 13
    for number, moment in enumerate(found["moments"]):
        table = table_for(words, game, viewer, heard, scored=True).data()
        heard = len(game.events)
        again = {**moment, **{name: [found["parts"][one] for one in moment[name]] for name in SHARED}}
        chosen = again.pop("chosen")
        assert json.loads(json.dumps(again)) == json.loads(json.dumps(table))
        if number < len(answers):
            assert game.decision is not None
            told = viewer in (EVERYBODY, game.to_move)
            assert (game.decision.options[chosen - 1].key == answers[number]) if told else chosen == 0
            game.answer(answers[number])


def test_parts_are_written_once() -> None:
    words, answers = played(12)
    parts = [json.dumps(one, sort_keys=True) for one in frames(begun(), answers, words, 0)["parts"]]
    assert len(parts) == len(set(parts))


def test_without_a_viewer_each_moment_is_seen_by_who_is_asked() -> None:
    words, answers = played(12)
    found = frames(begun(), answers, words, None)
    assert all(moment["viewer"] == moment["to_move"] and moment["question"] for moment in found["moments"])
