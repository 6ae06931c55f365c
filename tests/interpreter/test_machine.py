"""What each form means, on games of a few lines: questions, guards, sets, secrets, triggers, interrupts, bounds."""

from __future__ import annotations

import json

import pytest

from interpreter import AnswerError, Game, GameFileError, LawViolationError, RulesError
from tests.interpreter.tiny import TABLES, game, keys, ruleset, variable, zone
from warlock_dsl.tables.grids import lines_through

HAND = "rule play:\n    move deck to me.hand\n"


def test_alike_pieces_are_one_option_and_one_option_is_no_question() -> None:
    g = game(HAND + "    choose card in my.hand: move card to my.shown\n    finish [me]\n")
    assert keys(g) == ["r1", "r3", "g1", "g2", "b1"]
    g = game("rule play:\n    choose p in [me]: add 1 to p.gold\n    finish [me]\n")
    assert g.over and variable(g, "gold", 0) == "1"


def test_an_option_is_offered_only_if_the_opening_can_be_completed() -> None:
    rules = """
rule play:
    move deck to me.hand
    choose first_one in my.hand
    choose other in my.hand where other is not first_one and other.colour is first_one.colour
    spend(other)
    move first_one to heap
    finish [me]
rule spend(card: card):
    require card.value < 2
    move card to heap
"""
    g = game(rules)
    assert keys(g) == ["r1", "r3", "g2"]  # b1 has no second, g1 only a dearer one
    g.answer("r3")
    assert zone(g, "heap") == ["r1", "r3"]


def test_the_guard_looks_through_calls_menus_and_branches() -> None:
    rules = """
rule play:
    set my.gold to 2
    choose act in deed: deed[act]()
    finish [me]
rule deed[buy]:
    require my.gold > 2
    add 1 to my.gold
rule deed[sell]:
    if my.gold > 1: choose card in my.hand: move card to heap
    else: add 1 to my.gold
rule deed[wait]: add 2 to my.gold
rule deed[ask]:
    choose p in opponents where can gift(p): gift(p)
rule gift(p: player):
    require p.gold < 1
    add 1 to p.gold
"""
    g = game(rules)
    assert keys(g) == ["wait", "ask"]


def test_may_can_be_declined_and_else_runs() -> None:
    rules = """
rule play:
    move deck to me.hand
    may choose card in my.hand where card.value > 4: move card to heap
    else: add 3 to my.gold
    finish [me]
"""
    g = game(rules)
    assert keys(g) == ["b1", "decline"]
    g.answer("decline")
    assert variable(g, "gold", 0) == "3" and zone(g, "heap") == []


def test_no_option_and_no_else_is_an_error_that_names_the_rule() -> None:
    with pytest.raises(RulesError, match="nothing to choose") as caught:
        game("rule play:\n    add 1 to my.gold\n    choose card in my.hand: move card to heap\n    finish [me]\n")
    assert (caught.value.rule, caught.value.span.line) == ("play", 3)


def test_counters_stop_at_their_ends_and_lasting_variables_go_back() -> None:
    rules = """
rule play:
    turn()
    turn()
    take 9 from my.gold
    finish [me]
rule turn:
    add 4 to my.gold
    add my.gold to my.step
"""
    g = game(rules, tables=TABLES.replace('step = "number"', 'step = { type = "number", lasts = "turn" }'))
    assert (variable(g, "gold", 0), variable(g, "step", 0)) == ("0", "5")


def test_a_line_is_read_whole_before_it_acts() -> None:
    rules = """
rule play:
    set my.gold to 1, next(me).gold to 4
    set my.gold to next(me).gold, next(me).gold to my.gold
    finish [me]
"""
    g = game(rules)
    assert (variable(g, "gold", 0), variable(g, "gold", 1)) == ("4", "1")


# -------------------------------------------------------------------------- sets


def test_few_sets_are_listed_once_per_kind() -> None:
    four = HAND.replace("deck", "top(deck, 4)")
    g = game(four + "    choose 2 cards in my.hand: move cards to heap\n    finish [me]\n")
    assert all("+" in key for key in keys(g)) and len(keys(g)) == len(set(keys(g)))


def test_many_sets_are_asked_for_piece_by_piece_and_each_is_reached_once() -> None:
    rules = """
rule play:
    move deck to me.hand
    may choose some cards in my.hand where sum(c in cards: c.value) <= 4: move cards to heap
    finish [me]
"""
    reached: dict[tuple[str, ...], int] = {}

    def walk(g: Game) -> None:
        if g.over:
            values = tuple(sorted(f"{'rgb'.index(k[0])}{k}" for k in zone(g, "heap")))
            reached[values] = reached.get(values, 0) + 1
            return
        for number in range(g.option_count):
            if g.options()[number].what != "decline":
                other = g.copy()
                other.choose(number)
                walk(other)

    walk(game(rules))
    values = {"r1": 1, "r2": 1, "r3": 3, "g1": 1, "g2": 2}
    from itertools import combinations

    wanted = {
        tuple(sorted(name.replace("r2", "r1") if "r1" not in names else name for name in names))
        for size in range(1, 6)
        for names in combinations(values, size)
        if sum(values[name] for name in names) <= 4
    }
    assert len(reached) == len(wanted) and set(reached.values()) == {1}


def test_withdrawing_is_always_possible_under_may() -> None:
    g = game(HAND + "    may choose some cards in my.hand: move cards to heap\n    finish [me]\n")
    assert "stop" not in keys(g) and keys(g)[-1] == "decline"
    g.answer("+r1")
    assert g.decision is not None and g.decision.mode == "step" and keys(g)[0] == "stop"
    g.answer("+b1")
    g.answer("decline")
    assert g.over and zone(g, "heap") == []


def test_minimal_sets_have_nothing_to_spare() -> None:
    rules = """
define worth(cards: [card]) = sum(c in cards: c.value)
rule play:
    move deck to me.hand
    choose minimal paid in my.hand where worth(paid) >= 4: move paid to heap
    finish [me]
"""
    g = game(rules)
    sets = {frozenset(key.split("+")) for key in keys(g)}
    assert sets == {frozenset(s.split()) for s in ("b1", "r1 r3", "r3 g1", "r3 g2", "r1 r2 g2", "r1 g1 g2")}
    assert len(keys(g)) == len(sets)


# ----------------------------------------------------------------------- secrets


SECRET = """
rule play:
    for p in players: move top(deck, 3) to p.hand
    together me in players:
        choose card in my.hand
        choose other in my.hand where other is not card
        move card to my.shown
        add count(heap) to my.gold
        move other to heap
    finish [me]
"""


def test_secret_choices_are_asked_against_one_state_and_run_in_seat_order() -> None:
    g = game(SECRET, seed=3)
    first, second = zone(g, "hand", 0), zone(g, "hand", 1)
    before = g.observe(1)
    while g.to_move == 0:
        g.choose(0)
    assert g.observe(1) == before, "the second seat sees nothing of what the first answered"
    assert zone(g, "hand", 0) == first and zone(g, "hand", 1) == second
    while not g.over:
        g.choose(0)
    assert (variable(g, "gold", 0), variable(g, "gold", 1)) == ("0", "1")
    assert len(zone(g, "heap")) == 2


def test_a_secret_choice_is_saved_half_answered() -> None:
    g = game(SECRET, seed=3)
    g.choose(1)
    g.choose(0)
    twin = Game.load(g.ruleset, json.loads(json.dumps(g.save())))
    for one in (g, twin):
        while not one.over:
            one.choose(one.option_count - 1)
    assert g.digest() == twin.digest()


# ---------------------------------------------------------------- rules on rules


def test_before_instead_after_run_in_order_and_may_ask() -> None:
    rules = """
rule play:
    set my.gold to 1
    move top(deck) to my.hand
    gain(2)
    gain(3)
    finish [me]
rule gain(n: number): add n to my.gold
rule early before gain(n) where n > 2: take 1 from my.gold
rule other instead gain(n) where n is 2: set my.gold to 4
rule late after gain(n):
    may choose card in my.hand: move card to heap
"""
    g = game(rules)
    assert g.decision is not None and g.decision.rule == "late" and variable(g, "gold", 0) == "4"
    g.answer("decline")
    assert variable(g, "gold", 0) == "5"  # 4 - 1 + 3, stopped at 5


def test_two_instead_at_once_are_an_error() -> None:
    rules = """
rule play:
    gain(2)
    finish [me]
rule gain(n: number): add n to my.gold
rule one instead gain(n) where n > 0: pass
rule two instead gain(n) where n > 1: pass
"""
    with pytest.raises(RulesError, match="one and two"):
        game(rules)


INTERRUPT = """
rule play:
    move deck to me.hand
    cast(first(my.hand))
    finish [me]
rule cast(c: card): move c to heap
rule wander after cast(c) where c.value < 3:
    for p in players:
        choose card in my.hand where card.value >= c.value
        cast(card)
        add 1 to p.gold
        stop
"""


def test_interrupts_nest_and_are_saved_in_the_middle() -> None:
    """A card cast in answer to a wandering one wanders in its turn; the one below waits because it lies below."""
    g = game(INTERRUPT, seed=2)
    depths = []
    while not g.over:
        depths.append(sum(1 for frame in g.state.stack if g.machine.lowered_rules[frame.rule].address == "wander"))
        loaded = Game.load(g.ruleset, json.loads(json.dumps(g.save())))
        assert loaded.decision == g.decision
        g = loaded
        g.choose(0)
    assert max(depths) >= 2


# ------------------------------------------------------------- chance and pieces


def test_dice_have_named_faces_and_exact_worths() -> None:
    rules = """
rule play:
    roll 4 faces in omens
    add sum(f in faces: f.worth) to my.step
    finish [me]
"""
    made = ruleset(rules)
    found = {variable(Game.start(made, 2, seed), "step", 0) for seed in range(300)}
    assert found == {"2", "3.5", "5", "6.5", "8"}


def test_pieces_own_zones_and_are_told_apart_by_what_they_hold() -> None:
    rules = """
rule play:
    move deck to me.shown
    let holder = first([c in my.shown where c.colour is red], first(everywhere[card]))
    move top(pool, 2) to holder.band
    set holder.tired to true
    choose card in my.shown where card.colour is red: move card.band to pool
    finish [me]
"""
    g = game(rules, seed=1)
    assert len(keys(g)) == 3  # the two alike reds differ now: one holds tokens and is tired


def test_moving_ends_what_lasts_until_a_move() -> None:
    rules = """
rule play:
    move top(deck) to my.hand
    for c in my.hand: set c.tired to true
    add count(c in my.hand where c.tired) to my.gold
    move my.hand to my.shown
    add count(c in my.shown where c.tired) to my.gold
    finish [me]
"""
    assert variable(game(rules), "gold", 0) == "1"


def test_grids_cells_regions_and_groups() -> None:
    rules = """
rule play:
    for f in free(my.board) where corners has f: move top(pool) to f
    add count(groups(my.board)) to my.gold
    move top(pool) to my.board
    add count(groups(my.board)) to my.gold
    add count(near(first(my.board, first(everywhere[token])))) to my.step
    finish [me]
"""
    g = game(rules)
    assert (variable(g, "gold", 0), variable(g, "step", 0)) == ("3", "1")


WIDE = TABLES.replace('cells = ["a.", ".a"]', 'cells = ["a...", "....", ".. .", "...a"]')


def test_free_cells_of_a_region() -> None:
    rules = """
rule play:
    for f in free(my.board, corners): move top(pool) to f
    add count(cells(my.board, corners)) to my.gold
    add count(cells(my.board)) - count(free(my.board)) to my.gold
    add count(free(my.board, corners)) to my.step
    finish [me]
"""
    g = game(rules, tables=WIDE)
    assert (variable(g, "gold", 0), variable(g, "step", 0)) == ("4", "0")


def through(cell: int, length: int) -> list[str]:
    """The lines through a cell, each as the places of its cells, row and column."""
    grid = ruleset("rule play: finish []\n", WIDE).components.grids["plan"]
    return [" ".join("".join(map(str, grid.cells[c])) for c in line) for line in lines_through(grid, cell, length)]


def test_lines_through_a_cell() -> None:
    """Across, down and on both diagonals, each from its upper or left end; the gap in the grid ends a line."""
    assert through(0, 3) == ["00 01 02", "00 10 20"], "the diagonal would go through 22, which is no cell"
    assert through(1, 2) == ["00 01", "01 02", "01 11", "01 12", "01 10"]
    assert through(5, 4) == ["10 11 12 13", "01 11 21 31"]
    assert through(0, 1) == ["00"] and through(0, 5) == [] and through(0, 0) == []


def test_any_and_all_stop_where_the_answer_is_known() -> None:
    """What they would meet behind that is not looked at: the second card lies in nobody's zone."""
    rules = """
rule play:
    move first(deck, first(everywhere[card])) to my.hand
    if all(c in everywhere[card]: c.owner is not me): finish []
    if any(c in everywhere[card] where c.owner is me): finish [me]
"""
    assert game(rules).winners == (0,)


def test_a_rule_looks_along_lines() -> None:
    rules = """
rule play:
    move top(pool, 3) to my.board
    for f in cells(my.board): add count(line in lines(f, 3) where all(c in line: any(at(c)))) to my.step
    add count(lines(cells(my.board)[15], 3)) to my.gold
    finish [me]
"""
    g = game(rules, tables=WIDE)
    assert variable(g, "step", 0) == "3", "the one full line is met at each of its cells"
    assert variable(g, "gold", 0) == "2", "across and down: the diagonal has the gap in it"


def test_a_taken_cell_is_an_error() -> None:
    rules = "rule play:\n    for f in free(my.board): move pool to f\n    finish [me]\n"
    with pytest.raises(RulesError, match="that cell is taken"):
        game(rules)


# ------------------------------------------------------------------------- bounds


def test_endless_recursion_and_endless_work_are_errors() -> None:
    with pytest.raises(RulesError, match="deep"):
        game("rule play:\n    add 1 to my.gold\n    play()\n")
    rules = "rule play:\n    repeat 100000: repeat 100000: repeat 100000: add 1 to my.gold\n    finish [me]\n"
    with pytest.raises(RulesError, match="too much work"):
        game(rules)


def test_multiplying_definitions_are_stopped() -> None:
    lines = ["define d0 = count(players)"] + [f"define d{i} = d{i - 1} + d{i - 1}" for i in range(1, 60)]
    with pytest.raises(RulesError, match="too much work"):
        game("\n".join([*lines, "rule play:", "    add d59 to my.step", "    finish [me]", ""]))


def test_numbers_and_lists_have_bounds() -> None:
    with pytest.raises(RulesError, match="beyond all bounds"):
        game("rule play:\n    add 1000000 * 1000000 * 1000000 to my.step\n    finish [me]\n")
    with pytest.raises(RulesError, match="hundred thousand"):
        game("rule play:\n    add count(1..9999999) to my.step\n    finish [me]\n")
    with pytest.raises(RulesError, match="finer than"):
        game("rule play:\n    add 0.5 * 0.5 to my.step\n    finish [me]\n")


def test_laws_are_tested_at_decisions_and_at_steps() -> None:
    rules = """
rule play:
    gain(2)
    gain(4)
    finish [me]
rule gain(n: number): add n to my.gold
invariant modest before gain(n) = n < 3
"""
    with pytest.raises(LawViolationError, match="modest") as caught:
        game(rules)
    assert caught.value.span.line == 7
    with pytest.raises(LawViolationError, match="poor"):
        game("rule play:\n    add 1 to my.gold\n    finish [me]\ninvariant poor = all(p in players: p.gold < 1)\n")


# ------------------------------------------------------------------- the outside


def test_answers_that_are_not_on_offer_change_nothing() -> None:
    g = game("rule play:\n    move deck to me.hand\n    choose card in my.hand: move card to heap\n    finish [me]\n")
    digest = g.digest()
    for bad in (lambda: g.choose(99), lambda: g.choose(-1), lambda: g.answer("nothing")):
        with pytest.raises(AnswerError):
            bad()
    assert g.digest() == digest and not g.answers
    with pytest.raises(AnswerError, match="undo"):
        g.undo()


def test_an_error_in_the_rules_loses_nothing() -> None:
    """The game stands where it stood before the answer that led into the error."""
    rules = """
rule play:
    move deck to me.hand
    choose card in my.hand: move card to heap
    choose other in my.board[token]: move other to pool
    finish [me]
"""
    g = game(rules)
    digest = g.digest()
    with pytest.raises(RulesError):
        g.choose(0)
    assert g.digest() == digest and g.answers == [] and g.decision is not None
    with pytest.raises(RulesError):
        g.choose(1)


def test_saves_are_tested() -> None:
    g = game("rule play:\n    move deck to me.hand\n    choose card in my.hand: move card to heap\n    finish [me]\n")
    good = json.dumps(g.save())
    for path, value in [
        (["hash"], "0"), (["players"], 9), (["players"], True), (["seed"], 0.5), (["answers"], [1]), (["format"], "x"),
        (["state", "zones"], []), (["state", "zones", 0], [999]), (["state", "cells", 0], 3), (["state", "rng"], -1),
        (["state", "stack", 0, 0], 99), (["state", "stack", 0, 2], []), (["state", "variables", 0], "x"),
        (["state", "variables", 2], 99), (["state", "asking"], 5), (["digest"], "0"), (["state"], None),
    ]:  # fmt: skip
        data = json.loads(good)
        spot = data
        for step in path[:-1]:
            spot = spot[step]
        spot[path[-1]] = value
        with pytest.raises(GameFileError):
            Game.load(g.ruleset, data)


def test_players_out_of_range() -> None:
    rules = ruleset("rule play: finish players\n")
    with pytest.raises(AnswerError, match="1 to 4"):
        Game.start(rules, 5)
