"""The machine protocol: a game uses nothing else of its machine, and both machines have all of it."""

from __future__ import annotations

import json
from fractions import Fraction
from typing import Any

import pytest

from interpreter import AnswerError, Game, Machine
from interpreter.machine import BACKENDS, machine_for
from interpreter.state import random as chance
from interpreter.vm.machine import VmMachine
from tests.conftest import ruleset_named
from tests.interpreter.tiny import ruleset

NAMES = frozenset(name for name in vars(Machine) if not name.startswith("_"))
RULES = """
rule play:
    shuffle deck
    for p in players: move top(deck, 2) to p.hand
    repeat 3:
        for me in players:
            roll sign in omens
            may choose card in my.hand: move card to my.shown
            else: add sign.worth to my.step
    finish most(p in players: total(p))
score omens = my.step
score cards = sum(c in my.shown: c.value)
"""


class Only:
    """A machine of which nothing can be had but what the protocol names."""

    def __init__(self, machine: Any) -> None:
        self._machine = machine

    def __getattr__(self, name: str) -> Any:
        assert name in NAMES, f"'{name}' is no name of the protocol"
        return getattr(self._machine, name)


def test_the_protocol_has_the_names_of_the_design() -> None:
    assert {
        "start", "run", "count", "option", "choose", "copy", "pack", "unpack", "digest", "observe", "redeal", "scores",
        "events", "laws", "play_out",
    } <= NAMES  # fmt: skip


def everything(machine: Any, name: str) -> list[Any]:
    """A game with all that can be asked of it, as data."""
    rules = ruleset_named(name)
    game = Game(rules, machine, machine.start(3), 3, ("?",) * 3)
    game._go()
    found: list[Any] = []
    stream = chance.seeded(5)
    while not game.over and len(game.answers) < 120:
        decision = game.decision
        assert decision is not None and game.to_move == decision.player and game.option_count == len(decision.options)
        assert game.question == f"{decision.rule}.{decision.name}"
        stream, pick = chance.below(stream, game.option_count)
        keys = [option.key for option in decision.options]
        found += [decision.data(), keys, game.observe(game.to_move).data(), game.digest()]
        game.copy().choose(pick)
        game.answer(keys[pick])
        if len(game.answers) % 20 == 0:
            game.undo()
            assert game.digest() == found[-1] and [option.key for option in game.options()] == keys
            game.choose(pick)
            found += [sheet.data() for sheet in game.scores()]
    again = machine.unpack(json.loads(json.dumps(machine.pack(game.state))))
    assert machine.digest(again) == game.digest() == machine.digest(machine.unpack(machine.pack(again), trusted=True))
    if not game.over:
        _, other = machine.redeal(game.state, game.to_move, 7)
        machine.run(other)
        assert machine.observe(other, game.to_move) == game.observe(game.to_move)
    return [*found, game.save()["state"], machine.play_out(again, 9), machine.winners(again)]


@pytest.mark.parametrize("name", ["maldorf", "goblin-warlord"])
def test_a_game_needs_nothing_but_the_protocol(name: str) -> None:
    plain, made = (
        everything(Only(machine_for(ruleset_named(name), 3, True, one)), name) for one in ("plain", "vm")
    )
    assert plain == made


def test_a_log_is_kept_by_the_plain_machine_and_said_so() -> None:
    rules = ruleset_named("maldorf")
    game = Game.start(rules, 3, 7, log=True)
    assert not isinstance(game.machine, VmMachine) and game.events
    assert isinstance(game.search_machine, VmMachine)  # what plays ahead need keep no log
    quiet = Game.start(rules, 3, 7)
    assert isinstance(quiet.machine, VmMachine) and not quiet.events and quiet.digest() == game.digest()
    with pytest.raises(AnswerError, match="keeps no log"):
        Game.start(rules, 3, 7, log=True, backend="vm")


def test_events_follow_the_state() -> None:
    game = Game.start(ruleset_named("maldorf"), 3, 7, log=True)
    mark, copy = len(game.events), game.copy()
    while len(game.events) == mark:
        game.choose(0)
    assert len(copy.events) == mark and game.machine.events(game.state, mark) == game.events[mark:]
    game.undo()
    assert len(game.events) == mark
    _, other = game.machine.redeal(game.state, game.to_move, 1)
    assert not game.machine.events(other)  # it tells where the pieces really are


def test_scores_are_exact_numbers() -> None:
    game = Game.start(ruleset(RULES), 2, 1)
    while not game.over:
        game.answer("decline")
    sheets = game.scores()
    assert all(type(part) in (int, Fraction) for sheet in sheets for part in (sheet.total, *sheet.parts.values()))
    assert list(sheets[0].parts) == ["omens", "cards"] and sheets[0].parts["cards"] == 0
    halves = {sheet.total % 1 for seed in range(9) for sheet in declined(seed).scores()}
    assert halves == {0, Fraction(1, 2)}
    assert sheets[0].data() == {"total": sheets[0].total_text, "parts": sheets[0].part_texts}


def declined(seed: int) -> Game:
    game = Game.start(ruleset(RULES), 2, seed)
    while not game.over:
        game.answer("decline")
    return game


@pytest.mark.parametrize("backend", BACKENDS)
def test_repr_gives_the_game_again(backend: str) -> None:
    rules = ruleset(RULES)
    game = Game.start(rules, 2, 4, backend=backend)
    for _ in range(3):
        game.choose(0)
    assert repr(game).startswith("Game.again('tiny', players=2, seed=4, answers=['")
    keys = repr(game).partition("answers=")[2].rstrip(")")
    again = Game.again(rules, players=2, seed=4, answers=json.loads(keys.replace("'", '"')))
    assert again.digest() == game.digest() and repr(again) == repr(game)
    with pytest.raises(AnswerError, match="answer 2: 'nonsense' is not on offer"):
        Game.again(rules, 2, 4, [game.answers[0], "nonsense"])
    assert "put into" in repr(game.at(game.machine.copy(game.state)))
