"""Warlock (1980) as a whole: random games with every invariant, and a second way of computing what the rules say."""

from __future__ import annotations

import json
import tomllib
from collections import Counter
from itertools import combinations
from math import ceil
from pathlib import Path
from typing import Any

import pytest

from interpreter import Decision, Game, Observation, Shown
from interpreter.state import random as chance
from tests.conftest import ruleset_named
from tests.games.playing import last_of, random_game
from warlock_dsl.files import read_folder
from warlock_dsl.load import load, load_files
from warlock_dsl.ruleset import Ruleset

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "rules" / "warlock-1980"
DOCUMENT = tomllib.loads((FOLDER / "spells.toml").read_text(encoding="utf-8"))
EVERY_COUNT = pytest.mark.parametrize("players", range(2, 7))


def bare(value: Any) -> Any:
    return value["is"] if isinstance(value, dict) and "is" in value else value


ROWS = DOCUMENT["table"]["spell"]["rows"]
SPELLS = {name: {column: bare(cell) for column, cell in row.items()} for name, row in ROWS.items()}
INDEX = {
    (blow, ward): bare(word)
    for blow, line in DOCUMENT["matrix"]["lore"]["cells"].items()
    for ward, word in line.items()
    if ward in SPELLS
}
WEAPONS = ("magic_sword", "magic_axe", "magic_bow")
WIELDERS = ("knights", "heroes")


@pytest.fixture(scope="module")
def duels() -> Ruleset:
    return ruleset_named("warlock-1980")


def face(piece: Shown) -> str:
    return piece.name.partition("#")[0]


def faces(value: Shown) -> list[str]:
    return [face(item) for item in value.items]


def lying(view: Observation, zone: str, seat: int) -> list[str]:
    found = next(z for z in view.zones if (z.name, z.owner) == (zone, seat))
    return [face(piece) for piece in found.pieces]


def values(view: Observation, name: str) -> list[str]:
    """A variable: of the game, or of each seat."""
    return [v.value.name for v in view.variables if v.name == name and v.value is not None]


def energies(view: Observation) -> list[int]:
    return [int(number) for number in values(view, "energy")]


def asking(game: Game) -> str:
    """The rule that asks, without the labels of a decision."""
    return game.machine.rules(game.state)[-1] if not game.over else ""


# ----------------------------------------------------- the tables, counted again


def test_the_book_adds_up() -> None:
    """The sums that go with the reconstruction, counted from the file."""
    copies = {name: row["in_book"] for name, row in SPELLS.items()}
    assert (len(SPELLS), sum(copies.values())) == (39, 128)
    assert sum(copies[name] for name, row in SPELLS.items() if row["attack"]) == 91
    assert sum(copies[name] for name, row in SPELLS.items() if row["defence"]) == 98
    assert sum(copies[name] for name, row in SPELLS.items() if row["cut_number"] >= 10) == 55
    assert round(sum(copies[name] * row["cost"] for name, row in SPELLS.items()) / 128, 2) == 5.51


def test_every_attack_can_be_answered() -> None:
    """By the index or by its like, from 10 cards of the book (Demon, Saint with the staff) to 29 (Goblins)."""
    cards: Counter[str] = Counter()
    for blow, ward in INDEX:
        cards[blow] += SPELLS[ward]["in_book"]
    for name, row in SPELLS.items():
        cards[name] += row["in_book"] if row["magical"] and row["attack"] else 0
    attacks = {name: cards[name] for name, row in SPELLS.items() if row["attack"] and cards[name]}
    assert min(attacks.values()) == attacks["demon"] == attacks["the_saint"] == 10
    assert max(attacks.values()) == attacks["goblins"] == 29
    assert {name for name, row in SPELLS.items() if row["attack"]} - set(attacks) == {*WEAPONS, "saintly_staff"}


def test_only_defences_stand_in_the_index() -> None:
    assert all(SPELLS[ward]["defence"] and SPELLS[blow]["attack"] for blow, ward in INDEX)


# ---------------------------------------------- bundles, strength and wards again


def bundles(hand: list[str], attack: bool) -> set[tuple[str, ...]]:
    """Every set of cards that is one spell, built up by hand: a card, an armed being, saint and staff; a witch."""
    found = {(name,) for name in hand if name not in ("the_witch", "saintly_staff", "the_saint" if attack else "")}
    found |= {(being, weapon) for being in WIELDERS for weapon in WEAPONS if being in hand and weapon in hand}
    if "the_saint" in hand and "saintly_staff" in hand:
        found.add(("the_saint", "saintly_staff"))
    if attack:
        found = {bundle for bundle in found if all(SPELLS[name]["attack"] for name in bundle)}
    if "the_witch" in hand:
        found |= {("the_witch", *bundle) for bundle in found}
    return found


def cost(bundle: tuple[str, ...]) -> int:
    return 3 if "the_witch" in bundle else sum(SPELLS[name]["cost"] for name in bundle)


def strength(bundle: tuple[str, ...], colour: str) -> int:
    cards = [name for name in bundle if name != "the_witch"]
    own = 2 if len(cards) == 1 and cards[0] in WEAPONS else 0
    return own + sum(SPELLS[name]["pcv"][colour] for name in cards)


def met_as(bundle: tuple[str, ...]) -> str:
    """A being counts as itself, armed or not, unless with the bow; a wizard's weapon as nothing the index knows."""
    cards = [name for name in bundle if name != "the_witch"]
    if "magic_bow" in cards:
        return "magic_bow"
    return next((name for name in cards if name not in (*WEAPONS, "saintly_staff")), cards[0])


def stops(ward: tuple[str, ...], blow: tuple[str, ...], force: int, colour: str) -> bool:
    attack, defence = met_as(blow), met_as(ward)
    if (attack, defence) in INDEX or (attack == defence and SPELLS[attack]["magical"]):
        return True
    return force > 0 and strength(ward, colour) >= force


def expected_bundles(view: Observation, decision: Decision) -> set[tuple[str, ...]]:
    """What a search by hand offers at a question for an attack or a ward."""
    seat, names = decision.player, dict(decision.bound)
    hand = lying(view, "hand", seat)
    if decision.rule in ("prowl", "withstand"):
        hand += lying(view, "reserve", seat)
    found = {b for b in bundles(hand, decision.name == "cards") if cost(b) <= energies(view)[seat]}
    if decision.name == "ward":
        blow = tuple(faces(names["b" if decision.rule == "prowl" else "blow"]))
        force = int(names["force"].name)
        if decision.rule == "defend":
            assert force == strength(blow, lying(view, "robe", names["foe"].owner)[0])
        found = {ward for ward in found if stops(ward, blow, force, lying(view, "robe", seat)[0])}
    return {tuple(sorted(bundle)) for bundle in found}


def test_attacks_and_wards_against_plain_python(duels: Ruleset) -> None:
    """At every attack and defence of some random games, what is on offer is what a search by hand finds."""
    asked: Counter[str] = Counter()
    for seed in range(8):
        for game in random_game(duels, 3 + seed % 4, seed):
            decision = game.decision if asking(game) in ("attack", "defend", "prowl", "withstand") else None
            if decision is None or decision.name == "card":  # a bluff
                continue
            offered = [tuple(sorted(faces(option.value))) for option in decision.options]
            assert sorted(offered) == sorted(expected_bundles(game.observe(-1), decision))
            asked[decision.rule] += 1
            asked["several cards"] += any(len(bundle) > 1 for bundle in offered)
    assert asked["attack"] > 150 and asked["defend"] > 50 and asked["prowl"] > 5 and asked["withstand"] > 2, asked
    assert asked["several cards"] > 50


def test_no_other_set_of_cards_is_a_spell() -> None:
    """The search by hand is not too narrow: of all sets of up to four cards, those of its shapes are all there are."""
    one_of_each = ["the_witch", "fireball", "knights", "heroes", *WEAPONS, "the_saint", "saintly_staff", "dispel_magic"]
    for attack in (True, False):
        found = {tuple(sorted(bundle)) for bundle in bundles(one_of_each, attack)}
        for size in range(1, 5):
            for cards in combinations(sorted(one_of_each), size):
                rest = [name for name in cards if name != "the_witch"]
                beings, weapons = set(rest) & set(WIELDERS), set(rest) & set(WEAPONS)
                plain = len(rest) == 1 and rest[0] != "saintly_staff" and not (attack and rest[0] == "the_saint")
                holy = set(rest) == {"the_saint", "saintly_staff"}
                pair = len(rest) == 2 and (holy or len(beings) == len(weapons) == 1)
                attacks = not attack or all(SPELLS[name]["attack"] for name in rest)
                assert (cards in found) == (attacks and (plain or pair)), cards


# -------------------------------------------------------------------- fees again


def test_fees_against_plain_python(duels: Ruleset) -> None:
    """Who learns pays ten to those who duel, in equal shares rounded up; who has less pays what there is."""
    seen: Counter[str] = Counter()
    for seed in range(12):
        before: list[int] = []  # the energies when the wishes were asked for, until they have been looked at
        for game in random_game(duels, 3 + seed % 4, seed):
            rule = asking(game)
            if rule == "declare_wishes":
                before = before or energies(game.observe(-1))
                continue
            view = game.observe(-1) if before else None
            if view is not None and rule in ("take_positions", "attack") and values(view, "phase")[0] in "01":
                stations = values(view, "station")
                duelling = [seat for seat, word in enumerate(stations) if word == "duelling"]
                learning = [seat for seat, word in enumerate(stations) if word in ("learning", "banished")]
                paid = {seat: min(10, before[seat]) for seat in learning}
                share = ceil(sum(paid.values()) / len(duelling))
                gains = dict.fromkeys(duelling, share) | {seat: -fee for seat, fee in paid.items()}
                assert energies(view) == [energy + gains.get(seat, 0) for seat, energy in enumerate(before)]
                seen["rounded up"] += sum(paid.values()) % len(duelling) > 0
                seen["all that was left"] += any(fee < 10 for fee in paid.values())
            before = []
    assert seen["rounded up"] > 15 and seen["all that was left"] > 0, seen


# ----------------------------------------------------- wandering within wandering


def nested(game: Game) -> int:
    """How many creatures wander at this moment."""
    return sum(rule == "prowl" for rule in game.machine.rules(game.state))


def test_a_game_saved_while_creatures_wander_within_each_other_goes_on_the_same(duels: Ruleset) -> None:
    for seed in range(60):
        for game in random_game(duels, 6, seed):
            if game.over or nested(game) < 2:
                continue
            assert game.decision is not None and game.decision.rule == "prowl"
            loaded = Game.load(duels, json.loads(json.dumps(game.save())))
            assert loaded.decision == game.decision and nested(loaded) == nested(game)
            for one in (game, loaded):
                dice = chance.seeded(5)
                while not one.over:
                    dice, pick = chance.below(dice, one.option_count)
                    one.choose(pick)
            assert loaded.digest() == game.digest()
            return
    raise AssertionError("no creature met another in sixty games")


# ------------------------------------------------------------- it ends, and how


def test_it_checks_clean_in_every_language() -> None:
    loaded = load("warlock-1980", [ROOT / "rules"])
    assert loaded.ruleset is not None and [str(one) for one in loaded.diagnostics] == []
    assert sorted(loaded.ruleset.components.names) == ["de", "en", "fr"]


def test_wizards_who_never_duel_are_stopped(duels: Ruleset) -> None:
    """All learn and nobody draws: after three turns the game is over, and as all have the same it is a draw."""
    game = Game.start(duels, 4, 1)
    while not game.over:
        game.choose(game.option_count - 1)
    view = game.observe(-1)
    assert (values(view, "day"), game.winners, set(energies(view))) == (["3"], (), {199})


def test_a_game_has_at_most_so_many_turns() -> None:
    """With the limit at two turns, the wizard with the most energy wins after the second."""
    files, _ = read_folder(FOLDER)
    files["game.toml"] = files["game.toml"].replace("days = { is = 200", "days = { is = 2")
    found = load_files(files, "short")
    assert found.ruleset is not None, found.diagnostics
    game = last_of(found.ruleset, 5, 3)
    view = game.observe(-1)
    assert values(view, "day") == ["2"]
    leaders = [seat for seat, energy in enumerate(energies(view)) if energy == max(energies(view))]
    assert game.winners == (tuple(leaders) if len(leaders) == 1 else ())


def sound_end(game: Game) -> bool:
    """One wizard is left, or nobody is, or the guard stopped a game that stood still."""
    view = game.observe(-1)
    alive = tuple(seat for seat, word in enumerate(values(view, "station")) if word != "vanquished")
    return game.over and (game.winners == alive if len(alive) < 2 else values(view, "calm") == ["3"])


@EVERY_COUNT
def test_random_games_end_with_every_law_kept(duels: Ruleset, players: int) -> None:
    """`Game.start` tests every invariant at every decision; a breach or a dead end would raise."""
    for seed in range(4):
        assert sound_end(last_of(duels, players, seed))


@pytest.mark.long
@EVERY_COUNT
@pytest.mark.parametrize("batch", range(10))
def test_a_thousand_random_games_each(duels: Ruleset, players: int, batch: int) -> None:
    for seed in range(1000 + batch * 100, 1100 + batch * 100):
        assert sound_end(last_of(duels, players, seed))
