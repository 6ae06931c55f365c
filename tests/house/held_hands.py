"""Plays a game whose hands only the next seat sees: run by `test_howto_visibility` in a changed copy."""

from __future__ import annotations

from interpreter import Game
from interpreter.machine import BACKENDS, machine_for
from interpreter.state import random as chance
from warlock_dsl.load import load_files
from warlock_dsl.ruleset import Loaded, Ruleset
from workbench.fuzz.laws import hidden, replays, round_trips
from workbench.language.event_log import tell
from workbench.language.sentences import Words
from workbench.players.base import play_out
from workbench.players.greedy import Greedy
from workbench.players.search import Mcts

SEATS = range(3)
TABLES = """
[game]
players = "2..3"
[kind.card]
rows = "cards.csv"
fields = { value = "number" }
[zone]
deck = { holds = "card", sees = "none", start = "card" }
hand = { each = "player", holds = "card", sees = "next" }
row = { holds = "card", sees = "all" }
[variable.player]
points = "number"
"""
CARDS = "id,value\n" + "".join(f"c{n},{n}\n" for n in range(24))
RULES = """
rule play:
    shuffle deck
    for p in players: move top(deck, 4) to p.hand
    repeat 3:
        for me in players: turn()
    finish most(p in players: p.points)

rule turn:
    let other = previous(me)
    choose card in other.hand
    else: pass
    add card.value to my.points
    move card to row
    choose own in my.hand: move own to row
    else: pass
    move top(deck, 1) to my.hand

score points = my.points
"""


def loaded(tables: str = TABLES) -> Loaded:
    return load_files({"game.toml": tables, "cards.csv": CARDS, "rules.warlock": RULES}, "held")


def names(game: Game, viewer: int, owner: int) -> list[str]:
    """The pieces of a hand, as somebody sees them."""
    hand = next(zone for zone in game.observe(viewer).zones if (zone.name, zone.owner) == ("hand", owner))
    return [piece.name for piece in hand.pieces]


def sees(viewer: int, owner: int) -> bool:
    return viewer == (owner + 1) % len(SEATS)


def hands_are_seen_by_the_next(ruleset: Ruleset) -> None:
    game = Game.start(ruleset, 3, 5)
    for owner in SEATS:
        for viewer in SEATS:
            assert [bool(name) for name in names(game, viewer, owner)] == [sees(viewer, owner)] * 4


def every_moment_keeps_what_is_hidden(ruleset: Ruleset) -> None:
    game, words, redeals = Game.start(ruleset, 3, 5, log=True), Words(ruleset, "en", ["A", "B", "C"]), 0
    while not game.over:
        asked, decision = game.to_move, game.decision
        assert decision is not None
        named = [bool(option.value.name) for option in decision.options]
        assert set(named) == {decision.name == "card"}, "one's own cards are told by place"
        seen = [names(game, asked, seat) for seat in SEATS]
        for stream in range(4):
            _, state = game.machine.redeal(game.state, asked, chance.seeded(stream))
            other = game.at(state)
            assert [names(other, asked, seat) for seat in SEATS] == seen
            redeals += names(other, -1, asked) != names(game, -1, asked)
        hidden(game)
        round_trips(game, 0)
        mark = len(game.events)
        game.choose(0)
        for event in game.events[mark:]:
            place = game.machine.layout.places[event.place]
            if event.what == "move" and place.name == "hand":
                assert [seat for seat in SEATS if seat in event.seen] == [s for s in SEATS if sees(s, place.owner)]
                lines = [tell([event], seat, words)[0] for seat in SEATS]
                drawn = game.machine.layout.piece_names[event.piece]
                assert [drawn in line for line in lines] == [sees(seat, place.owner) for seat in SEATS], lines
    replays(game)
    assert redeals, "what its owner cannot see is dealt anew"


def all_machines_play_alike(ruleset: Ruleset) -> None:
    for seed in range(20):
        ends = set()
        for backend in BACKENDS:
            machine = machine_for(ruleset, 3, True, backend)
            state = machine.start(seed)
            machine.play_out(state, chance.seeded(seed))
            ends.add(machine.digest(state))
        assert len(ends) == 1


def bots_play_it(ruleset: Ruleset) -> None:
    game = Game.start(ruleset, 3, 2)
    play_out(game, [Greedy(1), Mcts(1, iterations=16), Greedy(2)], after=hidden)
    assert game.over


def main() -> None:
    found = loaded()
    ruleset = found.ruleset
    assert ruleset is not None, [(one.code, one.message, one.span.line) for one in found.diagnostics]
    unowned = loaded(
        TABLES.replace('row = { holds = "card", sees = "all" }', 'row = { holds = "card", sees = "next" }')
    )
    assert any("no owner" in one.message for one in unowned.diagnostics)
    hands_are_seen_by_the_next(ruleset)
    every_moment_keeps_what_is_hidden(ruleset)
    all_machines_play_alike(ruleset)
    bots_play_it(ruleset)
    print("played")


if __name__ == "__main__":
    main()
