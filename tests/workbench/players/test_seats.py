"""Bots: they play the same again, never touch the game's chance, and know only what they see."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from interpreter import Game
from interpreter.state import random as chance
from interpreter.state.layout import Layout
from interpreter.state.redeal import redealt
from interpreter.state.state import State
from interpreter.state.visibility import sees_piece
from warlock_dsl.load import load
from warlock_dsl.ruleset import Ruleset
from workbench.players.base import Bot, First, Random, own_stream, play_out
from workbench.players.greedy import Greedy
from workbench.players.registry import BOTS


@pytest.fixture(scope="module")
def tiny() -> Ruleset:
    loaded = load(str(Path(__file__).parents[1] / "data" / "tiny"))
    assert loaded.ruleset is not None, loaded.diagnostics
    return loaded.ruleset


@pytest.fixture
def large(maldorf: Ruleset) -> Ruleset:
    return maldorf


@pytest.mark.parametrize("kind", sorted(BOTS))
def test_a_bot_plays_the_same_game_again(tiny: Ruleset, kind: str) -> None:
    digests = set()
    for _ in range(2):
        game = Game.start(tiny, 3, 5)
        play_out(game, [BOTS[kind](5)] * 3)
        digests.add(game.digest())
    assert len(digests) == 1


def test_streams_differ_by_seed_seat_and_moment() -> None:
    streams = {own_stream(seed, seat, answers) for seed in range(5) for seat in range(5) for answers in range(40)}
    assert len(streams) == 5 * 5 * 40


def test_the_game_chance_is_not_touched(tiny: Ruleset) -> None:
    """Whoever picks, the same answers give the same game: a bot's thinking leaves no trace."""
    game = Game.start(tiny, 2, 9)
    while not game.over:
        before = game.digest()
        pick = Greedy(9).pick(game)
        assert game.digest() == before
        game.choose(pick)
    again = Game.start(tiny, 2, 9)
    for key in game.answers:
        again.answer(key)
    assert again.digest() == game.digest()


def test_random_takes_every_option_and_first_the_first(tiny: Ruleset) -> None:
    game = Game.start(tiny, 2, 1)
    assert {Random(seed).pick(game) for seed in range(60)} == set(range(game.option_count))
    assert First().pick(game) == 0


# --------------------------------------------------------------------- redeal


def positions(ruleset: Ruleset, players: int, seed: int, every: int) -> list[Game]:
    game = Game.start(ruleset, players, seed, laws=False, backend="plain")
    bot = Random(seed)
    found = []
    while not game.over:
        if len(game.answers) % every == 0:
            found.append(game.copy())
        game.choose(bot.pick(game))
    return found


@pytest.mark.parametrize(("name", "every"), [("tiny", 1), ("large", 40)])
def test_what_is_seen_stays_and_all_else_may_change(name: str, every: int, request: pytest.FixtureRequest) -> None:
    """A dealt position is sound: laws hold, what the player sees is the same, and the game can be played on."""
    changed = 0
    for game in positions(request.getfixturevalue(name), 3, 7, every):
        machine, me, before = game.machine, game.to_move, game.digest()
        seen = game.observe(me)
        _, state = redealt(machine, game.state, me, own_stream(1, me, len(game.answers)))
        assert game.digest() == before
        assert state.rng != game.state.rng
        machine.check_laws(state)
        changed += state.zones != game.state.zones
        other = Game(game.ruleset, machine, state, 0, game.seats)
        assert other.observe(me) == seen
        offer = machine.run(state)
        assert offer is not None and offer.player == me and len(offer.answers) == game.option_count
        stream = 5
        for _ in range(30):
            if offer is None:
                break
            stream, pick = chance.below(stream, len(offer.answers))
            machine.take(state, offer.answers[pick])
            offer = machine.run(state)
            machine.check_laws(state)
    assert changed > 3


@pytest.mark.parametrize(("name", "every"), [("tiny", 1), ("large", 60)])
def test_greedy_cannot_peek(name: str, every: int, request: pytest.FixtureRequest) -> None:
    """With other hidden pieces, other secret answers and another stream it takes the same option."""
    for game in positions(request.getfixturevalue(name), 3, 4, every):
        me = game.to_move
        _, state = redealt(game.machine, game.state, me, 99)
        other = Game(game.ruleset, game.machine, state, game.seed, game.seats)
        other.answers = game.answers[:]
        other._go()
        bot = Greedy(3, tries=2, budget=16)
        assert bot.pick(other) == bot.pick(game)


def test_secret_answers_are_given_again(tiny: Ruleset) -> None:
    """The last to answer in a secret choice imagines other answers of the others, and none that are impossible."""
    game = Game.start(tiny, 3, 2, backend="plain")
    while len(game.answers) < 2:
        game.choose(0)
    me = game.to_move
    layout = game.machine.layout
    depth = game.state.asking
    assert depth >= 0
    places: list[set[int]] = [set(), set()]  # where in the hands of the other two the card lay that they showed
    for stream in range(40):
        _, state = redealt(game.machine, game.state, me, chance.seeded(stream))
        head = state.stack[depth]
        answers: Any = next(v for v in head.locals if isinstance(v, tuple) and v and isinstance(v[0], tuple))
        slot = next(n for n, (name, _) in game.machine.lowered_rules[head.rule].names.items() if name == "shown")
        for number, parked in enumerate(answers):
            _, _, slots = parked[-1]
            cards = hand(layout, state, slots[0])
            assert not sees_piece(layout, state, slots[slot], me)
            places[number].add(cards.index(slots[slot]))
    assert places == [{0, 1, 2, 3}, {0, 1, 2, 3}]


def test_a_rule_in_progress_points_at_the_pieces_that_lie_there_now(tiny: Ruleset) -> None:
    """Half-way through a rule that goes through a hidden hand: its list and its piece are of the imagined hand."""
    game = Game.start(tiny, 2, 6, backend="plain")
    while game.decision is not None and game.decision.name != "hunch":
        keys = [option.key for option in game.options()]
        game.choose(keys.index("guess") if "guess" in keys else 0)
    layout, other = game.machine.layout, 1 - game.to_move
    imagined = set()
    for stream in range(10):
        _, state = redealt(game.machine, game.state, game.to_move, chance.seeded(stream))
        slots = state.stack[-1].locals
        names = {name: slots[n] for n, (name, _) in game.machine.lowered_rules[state.stack[-1].rule].names.items()}
        assert tuple(hand(layout, state, other)) in slots
        assert names["c"] == hand(layout, state, other)[0]
        imagined.add(names["c"])
    assert len(imagined) > 3


def hand(layout: Layout, state: State, seat: int) -> list[int]:
    place = next(n for n, p in enumerate(layout.places) if p.name == "hand" and p.owner == seat)
    return state.zones[place]


def test_what_a_hidden_piece_holds_and_is_marked_with_goes_with_its_place() -> None:
    """Sacks with a bead inside, hidden from the other player: dealt anew, the full ones are still on the shelves."""
    ruleset = load(str(Path(__file__).parents[1] / "data" / "holders")).ruleset
    assert ruleset is not None
    game = Game.start(ruleset, 2, 1, backend="plain")
    layout = game.machine.layout
    shelves = set()
    weights: dict[int, set[object]] = {}
    for stream in range(20):
        _, state = redealt(game.machine, game.state, 0, chance.seeded(stream))
        game.machine.check_laws(state)
        inside = [n for n, place in enumerate(layout.places) if place.name == "inside"]
        full = {layout.places[place].owner for place in inside if state.zones[place]}
        shelf = [n for n, place in enumerate(layout.places) if place.name == "shelf"]
        assert full == {sack for place in shelf for sack in state.zones[place]}
        values = {(slot.name, slot.owner): value for slot, value in zip(layout.slots, state.variables, strict=True)}
        assert {owner for (name, owner), value in values.items() if name == "sealed" and value} == full
        for owner in full:
            weights.setdefault(owner, set()).add(values["weight", owner])
        for place in inside:
            assert all(state.at[state.cell[bead]] == bead for bead in state.zones[place])
            assert all(layout.cell_place[state.cell[bead]] == place for bead in state.zones[place])
        shelves.add(tuple(state.zones[shelf[1]]))
        assert state.zones[shelf[0]] == game.state.zones[shelf[0]]
    own = game.state.zones[shelf[0]]
    assert all((len(weights[sack]) == 1) == (sack in own) for sack in weights), "a hidden mark is dealt anew"
    assert len(shelves) > 5


# ------------------------------------------------------------------- strength


def test_greedy_looks_beyond_a_secret_choice(tiny: Ruleset) -> None:
    """Calling a number pays if nobody else calls it, but only once all have called: nought is never best."""
    for seed in range(6):
        game = Game.start(tiny, 3, seed)
        while game.decision is not None and game.decision.name != "call":
            game.choose(0)
        assert game.options()[Greedy(seed, tries=12).pick(game)].key != "0"


def test_greedy_beats_random_clearly(tiny: Ruleset) -> None:
    """The same deals twice, seats changed: the greedy one has far more points in all, and most games."""
    won, margin = 0, 0
    for seed in range(10):
        for seat in range(2):
            bots: list[Bot] = [Random(seed), Random(seed)]
            bots[seat] = Greedy(seed)
            game = Game.start(tiny, 2, seed, laws=False)
            play_out(game, bots)
            units = [sheet.total for sheet in game.scores()]
            margin += units[seat] - units[1 - seat]
            won += seat in game.winners
    assert won >= 15 and margin > 0


def test_greedy_beats_random_in_a_large_game(large: Ruleset) -> None:
    bots: list[Bot] = [Random(1), Greedy(1, tries=1, budget=16), Random(1)]
    game = Game.start(large, 3, 1, laws=False)
    play_out(game, bots)
    assert game.winners == (1,)
