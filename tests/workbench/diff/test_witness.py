"""Witnesses on a little game: found, short, told, written down, and true to what they say."""

from __future__ import annotations

import pytest

from interpreter import Game, play_again
from tests.workbench.diff.little import changed, compared, little
from warlock_dsl.load import load_files
from warlock_dsl.overlay.derive import graft
from warlock_dsl.ruleset import Loaded
from warlock_dsl.stack import Use
from workbench.diff.as_scenario import tried
from workbench.diff.lockstep import Lockstep
from workbench.diff.model import Difference
from workbench.diff.report import not_found
from workbench.diff.structure import strands


def only(a: Loaded, b: Loaded, seed: int = 0) -> Difference:
    [difference] = compared(a, b, seed).differences
    return difference


def holds(a: Loaded, difference: Difference) -> None:
    """Whatever a witness says is so: its replay, its overlay, its scenario, its two sides."""
    witness = difference.witness
    assert witness is not None and a.ruleset is not None
    game = play_again(a.ruleset, witness.replay)
    assert len(game.answers) == witness.decisions == len(witness.moves) == witness.replay["parts"]["after"]
    other = load_files(a.base, a.name, (), (*a.stack, (Use("alone"), witness.overlay))).ruleset
    assert other is not None
    pair = Lockstep.begin(a.ruleset, other, witness.players, witness.seed)
    for key in game.answers:
        assert pair.divergence() is None
        pair.choose([option.key for option in pair.old.options()].index(key))
    divergence = pair.divergence()
    assert divergence is not None and divergence.kind == witness.divergence
    assert witness.scenario and tried(witness.scenario, a.ruleset, other)
    assert witness.old.options == tuple(option.key for option in game.options())
    assert witness.what and difference.data()["readings"][0]["witness"]["decisions"] == witness.decisions


@pytest.mark.parametrize(
    ("overlay", "rules", "divergence", "maximum"),
    [
        (changed("size.hand", "4", "3"), "", "options", 0),
        (changed("zone.hand.sees", '"owner"', '"all"'), "", "sight", 0),
        (changed("size.rounds", "2", "1"), "", "end", 30),
        (changed("colour.green.worth", "2", "3"), "", "outcome", 12),
        (changed("variable.player.bonus.first", "0", "1"), "", "outcome", 0),
        ("", "rule action[wait]: pass\n", "options", 8),
        ("", "score tokens = count(my.purse)\n", "score", 14),
        ("", "rule bonus_of after placed(card): choose n in 1..2: add n to my.bonus\n", "asked", 14),
    ],
)
def test_a_witness_for_every_kind_of_change(overlay: str, rules: str, divergence: str, maximum: int) -> None:
    a = little()
    difference = only(a, little(overlay, rules))
    assert difference.witness is not None, difference.search
    assert difference.witness.divergence == divergence
    assert difference.witness.decisions <= maximum
    holds(a, difference)


def test_it_is_found_again_from_any_seed_and_the_same_seed_finds_the_same() -> None:
    a, b = little(), little(changed("colour.green.worth", "2", "3"))
    first, again = (only(a, b, 12345678901234567890123) for _ in range(2))
    assert first.witness is not None and again.witness is not None
    assert first.witness.data() == again.witness.data()
    holds(a, first)


def test_each_difference_is_taken_alone() -> None:
    a = little()
    b = little(changed("size.hand", "4", "3") + changed("colour.green.worth", "2", "3"))
    hand, worth = sorted(compared(a, b).differences, key=lambda one: one.id, reverse=True)
    assert (hand.id, worth.id) == ("size.hand", "colour.green.worth")
    for one in (hand, worth):
        holds(a, one)
    assert "size.hand" not in str(worth.witness.overlay) if worth.witness is not None else False


def test_what_stands_only_together_is_taken_together() -> None:
    """A new zone, the rule that fills it and the one that reads it are one difference."""
    a = little()
    b = little(
        '[[add]]\nat = "zone.attic"\nnow = { holds = "card", sees = "all" }\n',
        "rule action[store]:\n    choose card in my.hand: move card to attic\n",
    )
    difference = only(a, b)
    assert {unit.target for unit in difference.units} == {"zone.attic", "action.store"}
    assert difference.kind == "rule"
    holds(a, difference)


def test_a_new_row_and_what_speaks_of_it_are_seen_one_by_one() -> None:
    """A new colour: its cards, its score and its line of the menu, each on top of the row, each with a witness."""
    added = '[[add]]\nat = "colour.gold"\nnow = { worth = 3 }\n\n'
    added += "".join(changed(f"{name}.colour", '"green"', '"gold"') for name in ("k03", "k06", "k09", "k12"))
    rules = (
        "score shine = count(c in my.square where c.colour is gold)\n\n"
        "rule action[polish]:\n    require any(c in my.hand where c.colour is gold)\n    add 1 to my.bonus\n"
    )
    found = {one.id: one for one in compared(little(), little(added, rules)).differences}
    assert set(found) == {"colour.gold", "score.shine", "action.polish"}
    for one in found.values():
        assert one.witness is not None and one.witness.table is not None, one.id
    score, menu = found["score.shine"].witness, found["action.polish"].witness
    assert score is not None and menu is not None
    assert (score.divergence, menu.divergence) == ("score", "options")
    assert "colour.gold" in menu.overlay["overlay.toml"] and "shine" not in menu.overlay["rules.warlock"]


def test_nothing_is_ever_called_the_same_for_want_of_a_witness() -> None:
    """A definition said in other words: no game can show it, and all that is told is how much was tried."""
    a = little("", "define rich(p: player) = p.bonus > 2\nscore riches = if rich(me) then 1 else 0\n")
    b = little("", "define rich(p: player) = not p.bonus <= 2\nscore riches = if rich(me) then 1 else 0\n")
    difference = only(a, b)
    assert difference.witness is None and difference.search is not None
    assert difference.search.games > 20 and difference.search.decisions > 400
    said = not_found(difference.search)
    assert f"{difference.search.games} games" in said and "no proof" in said
    assert difference.data()["readings"][0]["witness"] is None


def test_a_figure_that_no_rule_reads_is_not_looked_for() -> None:
    box = '[[add]]\nat = "figure.size.box"\nnow = {{ is = {}, idle = "for the table only" }}\n'
    a, b = little(box.format(1)), little(box.format(2))
    difference = only(a, b)
    assert difference.witness is None and difference.search is not None
    assert difference.search.games == 0 and "nothing in the rules asks for it" in not_found(difference.search)


def test_an_invariant_decides_nothing() -> None:
    difference = only(little(), little("", "invariant tokens_left = count(everywhere[token]) is 4\n"))
    assert difference.witness is None and difference.search is not None
    assert not_found(difference.search) == "No position was looked for: an invariant is tested and decides nothing."


def test_names_are_told_and_not_looked_for() -> None:
    a = little(names=True)
    files = {
        "overlay.toml": '[overlay]\non = "tiny"\nabout = "other words"\n',
        "names/en.toml": '"colour.red" = "scarlet"\n',
    }
    b = load_files(a.base, "tiny", (), [(Use("words"), files)])
    difference = only(a, b)
    assert (difference.id, difference.kind, difference.search) == ("names.en", "name", None)
    assert [(unit.old, unit.new) for unit in difference.units] == [("red", "scarlet")]


def test_rules_that_break_down_are_a_witness_of_the_last_resort() -> None:
    a = little()
    b = little("", "rule stuck after placed(card):\n    add 1 to my.bonus\n    choose c in my.purse: move c to stock\n")
    difference = only(a, b)
    assert difference.witness is not None
    assert difference.witness.divergence in ("error", "outcome")


def test_a_number_of_players_that_is_no_longer_allowed() -> None:
    a = little()
    difference = only(a, little(changed("game.players", '"2..3"', '"2..2"')))
    assert difference.witness is not None
    assert (difference.witness.divergence, difference.witness.players, difference.witness.decisions) == ("error", 3, 0)


def test_the_units_of_a_difference_make_the_ruleset_it_is_seen_in() -> None:
    a, b = little(), little("", "rule action[wait]: pass\n")
    [strand] = strands(a, b)
    made = graft(a, strand.units)
    assert made.ruleset is not None
    game = Game.start(made.ruleset, 2, 0)
    while game.question != "turn.act":
        game.choose(0)
    assert "wait" in [option.key for option in game.options()]
