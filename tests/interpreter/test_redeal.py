"""Everything a player cannot see is dealt anew: pieces, orders, counts and variables; nothing else, and fairly."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from interpreter import Game, PlayError
from interpreter.state import random as chance
from interpreter.state.redeal import MAX_DEALS, Anew, redealt
from interpreter.state.spread import share_out
from interpreter.state.state import State
from warlock_dsl.load import load_files
from warlock_dsl.ruleset import Ruleset

TABLES = """
[game]
players = "2..4"

[table.colour]
rows = ["red", "green", "blue"]

[kind.stone]
count = 9

[kind.card]
rows = "colour"
copies = 3

[grid.field]
cells = ["...", "..."]

[zone]
quarry = { holds = "stone", start = "stone" }
pouch = { each = "player", holds = "stone", sees = "owner", count = "owner" }
yard = { each = "player", holds = "stone", sees = "owner", count = "owner", grid = "field" }
deck = { holds = "card", sees = "none", start = "card" }
hand = { each = "player", holds = "card", sees = "owner" }
row = { holds = "card", hidden_by = "turned" }

[variable.game]
weather = { type = "1..4", sees = "none" }
open = "1..4"
depth = { type = "number", first = 7, sees = "none" }

[variable.player]
secret = { type = "0..9", sees = "owner" }
rival = { type = "player", sees = "owner" }
liking = { type = "[colour]", sees = "owner" }
prey = { type = "[card]", sees = "owner" }
spot = { type = "[cell]", sees = "owner" }

[variable.card]
mark = { type = "colour", sees = "none" }
hint = "colour"
turned = { type = "truth", sees = "none" }
"""
RULES = """
rule play:
    shuffle deck
    for p in players:
        move top(deck) to p.hand
        move top(quarry, 2) to p.pouch
        set p.secret to 5
        set p.liking to [red, green]
        set p.prey to top(deck, 2)
        set p.spot to [first(free(p.yard))]
    set weather to 2
    for c in top(deck, 2):
        set c.turned to true
        set c.hint to blue
    move top(deck, 3) to row
    set open to 3
    for me in players:
        choose act in action: action[act]()
    finish most(p in players: p.secret)

rule action[wait]: set my.secret to 6

rule action[look]:
    for s in next(me).pouch:
        choose n in [1, 2]: move s to next(me).yard
"""


def rules(more: str = "", tables: str = TABLES) -> Ruleset:
    loaded = load_files({"game.toml": tables, "rules.warlock": RULES + more}, "small")
    assert loaded.ruleset is not None, [str(error) for error in loaded.diagnostics]
    return loaded.ruleset


def started(players: int = 3, more: str = "", seed: int = 4) -> Game:
    return Game.start(rules(more), players, seed, backend="plain")


def values(game: Game, state: State, name: str) -> list[Any]:
    found = zip(game.machine.layout.slots, state.variables, strict=True)
    return [value for slot, value in found if slot.name == name]


def counts(game: Game, state: State, name: str) -> list[int]:
    found = zip(game.machine.layout.places, state.zones, strict=True)
    return [len(pieces) for place, pieces in found if place.name == name]


def deals(game: Game, number: int, viewer: int = 0, anew: Anew | None = None) -> list[State]:
    streams = [chance.seeded(stream) for stream in range(number)]
    return [redealt(game.machine, game.state, viewer, s, *([] if anew is None else [anew]))[1] for s in streams]


def fair(found: Counter[Any], kinds: int) -> bool:
    """Whether each of so many comes up about as often: within five standard deviations."""
    total = sum(found.values())
    expected = total / kinds
    spread = 5 * (expected * (1 - 1 / kinds)) ** 0.5
    return len(found) == kinds and all(abs(count - expected) < spread for count in found.values())


# ------------------------------------------------------------------ what is dealt


def test_what_is_seen_stays_and_everything_else_changes() -> None:
    game = started()
    seen = game.observe(0)
    for state in deals(game, 40):
        game.machine.check_laws(state)
        assert game.at(state).observe(0) == seen
    dealt = deals(game, 300)
    for name in ("weather", "secret", "rival", "liking", "prey", "spot", "mark", "turned"):
        changed = zip(*(values(game, state, name) for state in dealt), strict=True)
        assert any(len(set(column)) > 1 for column in changed), name
    for name in ("open", "hint", "depth"):
        assert len({tuple(sorted(values(game, state, name))) for state in dealt}) == 1, name


def test_hidden_values_are_dealt_fairly() -> None:
    game = started()
    dealt = deals(game, 2000)
    assert fair(Counter(values(game, state, "weather")[0] for state in dealt), 4)
    assert fair(Counter(values(game, state, "secret")[1] for state in dealt), 10)
    assert fair(Counter(values(game, state, "rival")[2] for state in dealt), 3)
    assert fair(Counter(values(game, state, "mark")[0] for state in dealt), 3)
    assert fair(Counter(tuple(values(game, state, "liking")[1]) for state in dealt), 9)
    assert {values(game, state, "secret")[0] for state in dealt} == {5}
    assert fair(Counter(values(game, state, "spot")[1][0] for state in dealt), 18)
    assert all(len(set(values(game, state, "prey")[2])) == 2 for state in dealt)


def test_a_piece_that_is_seen_to_lie_face_down_stays_so_and_others_may_have_been_turned() -> None:
    game = started()
    layout = game.machine.layout
    row = next(number for number, place in enumerate(layout.places) if place.name == "row")
    elsewhere = set()
    for state in deals(game, 60):
        marks = {slot.owner: n for n, slot in enumerate(layout.slots) if slot.name == "turned"}
        assert [state.variables[marks[card]] for card in state.zones[row]] == [True, True, False]
        elsewhere |= {state.variables[n] for card, n in marks.items() if card not in state.zones[row]}
    assert elsewhere == {True, False}


# ---------------------------------------------------------------------- counts


def test_counts_nobody_sees_are_shared_out_in_every_way() -> None:
    """Four stones in two pouches and two yards of others: each of 35 ways as likely."""
    game = started()
    found: Counter[tuple[int, ...]] = Counter()
    for state in deals(game, 3000):
        assert counts(game, state, "quarry") == [3]
        found[*counts(game, state, "pouch"), *counts(game, state, "yard")] += 1
        game.machine.check_laws(state)
    assert all((pouch, yard) == (2, 0) for pouch, _, _, yard, _, _ in found), "what one has oneself is seen"
    assert fair(found, 35)


def test_a_count_that_can_be_told_from_the_others_stays() -> None:
    shown = 'yard = { each = "player", holds = "stone", sees = "owner"'
    tables = TABLES.replace(f'{shown}, count = "owner"', shown)
    assert tables != TABLES
    game = Game.start(rules(tables=tables), 2, 4, backend="plain")
    assert {tuple(counts(game, state, "pouch")) for state in deals(game, 50)} == {(2, 2)}


def test_where_a_rule_has_a_piece_in_mind_the_count_stays() -> None:
    game = started()
    game.answer("look")
    assert game.question == "action.look.n"
    for state in deals(game, 100):
        stone = next(v for v, name in _named(game, state) if name == "s")
        layout = game.machine.layout
        assert (layout.places[state.place[stone]].name, layout.places[state.place[stone]].owner) == ("pouch", 1)
        assert counts(game, state, "pouch")[1] == 2
        game.at(state).choose(0)


def _named(game: Game, state: State) -> list[tuple[Any, str]]:
    frame = state.stack[-1]
    names = game.machine.lowered_rules[frame.rule].names
    return [(frame.locals[slot], name) for slot, (name, _) in names.items()]


def test_cells_that_stack_take_any_number() -> None:
    tables = TABLES.replace('cells = ["...", "..."]', 'cells = [".."]\nstacks = true')
    game = Game.start(rules(tables=tables), 3, 4, backend="plain")
    found = []
    for state in deals(game, 300):
        game.machine.check_laws(state)
        found.append(counts(game, state, "yard")[1])
        game.at(state)
    assert set(found) == {0, 1, 2, 3, 4}


def test_sharing_out_is_exact() -> None:
    stream, found = chance.seeded(1), Counter()
    for _ in range(4000):
        stream, shares = share_out(5, (2, 5, 1), stream)
        assert shares is not None and sum(shares) == 5
        found[tuple(shares)] += 1
    assert fair(found, 6)
    assert share_out(5, (1, 2), stream)[1] is None and share_out(0, (), stream)[1] == []
    stream, large = share_out(400, (400,) * 40, stream)  # more ways than 64 bits can count
    assert large is not None and sum(large) == 400


# ------------------------------------------------------------ independence, invariants


@pytest.mark.parametrize("answers", [[], ["wait"]])
def test_nothing_that_is_dealt_depends_on_what_is_hidden(answers: list[str]) -> None:
    """Two positions that look the same, dealt anew from one stream, become the same position."""
    game = started(4)
    for answer in answers:
        game.answer(answer)
    me = game.to_move
    for state in deals(game, 30, me):
        first, second = (redealt(game.machine, one, me, 77)[1] for one in (game.state, state))
        assert first == second
    assert len({state.digest() for state in deals(game, 30, me)}) == 30


def test_a_deal_keeps_the_invariants_and_stays_fair() -> None:
    game = started(more="invariant apart = count(p in players where p.secret > 6) <= 1\n")
    dealt = deals(game, 3000)
    high = Counter(tuple(n > 6 for n in values(game, state, "secret")[1:]) for state in dealt)
    assert (True, True) not in high
    assert fair(Counter({v: n for v, n in Counter(values(game, s, "secret")[1] for s in dealt).items() if v > 6}), 3)


def test_a_deal_that_no_try_makes_possible_is_dropped() -> None:
    """Nine in ten deals of each of three secrets, and of the weather, are refused: a hundred tries are not enough."""
    exact = "invariant told = all(p in players: p.secret is 5 or p.secret is 6) and weather is 2"
    game = started(4, more=f"{exact} and all(p in players: p.rival is first(players, p))\n")
    assert MAX_DEALS < 1000
    with pytest.raises(PlayError, match="keeps the invariants"):
        redealt(game.machine, game.state, 0, 5)


def test_pieces_keep_the_invariants_as_well() -> None:
    """Nobody keeps three cards of a colour, as in games where such a set is laid down at once."""
    law = (
        "invariant few = all(p in players: count(p.hand) < 3)\ninvariant row_ = not any(c in row where c.face is red)\n"
    )
    game = next(one for seed in range(99) if (one := _lawful(law, seed)) is not None)
    for state in deals(game, 100):
        game.machine.check_laws(state)


def _lawful(law: str, seed: int) -> Game | None:
    try:
        return started(more=law, seed=seed)
    except PlayError:
        return None


def test_rules_that_break_their_own_laws_are_dealt_all_the_same() -> None:
    game = Game.start(rules("invariant never = weather is 5\n"), 3, 4, laws=False, backend="plain")
    assert len({values(game, state, "weather")[0] for state in deals(game, 40)}) == 4


# ------------------------------------------------------------------ apart


def test_each_kind_of_secret_can_be_dealt_alone() -> None:
    game = started()
    layout, state = game.machine.layout, game.state
    order = deals(game, 20, anew=Anew(within=True, counts=False, variables=frozenset()))
    assert all([sorted(z) for z in one.zones] == [sorted(z) for z in state.zones] for one in order)
    assert any(one.zones != state.zones for one in order)
    names = deals(game, 20, anew=Anew(counts=False, variables=frozenset()))
    assert all([len(z) for z in one.zones] == [len(z) for z in state.zones] for one in names)
    assert any([sorted(z) for z in one.zones] != [sorted(z) for z in state.zones] for one in names)
    number = next(n for n, slot in enumerate(layout.slots) if (slot.name, slot.owner) == ("secret", 2))
    alone = deals(game, 20, anew=Anew(names=False, counts=False, variables=frozenset({number})))
    assert all(one.zones == state.zones for one in alone)
    expected = [value for n, value in enumerate(state.variables) if n != number]
    assert all([value for n, value in enumerate(one.variables) if n != number] == expected for one in alone)
    assert len({one.variables[number] for one in alone}) > 5
    spread = deals(game, 20, anew=Anew(names=False, variables=frozenset()))
    assert all(one.variables == state.variables for one in spread)
    assert len({tuple(counts(game, one, "pouch")) for one in spread}) > 3
