"""Maldorf's Curse as a whole: random games with every invariant, and a second way of computing what the rules say."""

from __future__ import annotations

import json
from itertools import combinations, product

import pytest

from interpreter import Game, play_again
from interpreter.state import random as chance
from tests.games.playing import last_of, random_game, zone
from warlock_dsl.ruleset import Ruleset
from workbench.cli import main

SERIES = [1, 2, 3, 5, 7, 9]
MAJORITY = {"giant": 6, "wizard": 6, "human": 4, "orc": 4, "gnome": 2, "goblin": 2}
EDGE = {(0, 0), (1, 0), (2, 0), (3, 0), (3, 1), (3, 2), (3, 3)}


def card(ruleset: Ruleset, name: str) -> dict[str, object]:
    """A card by its id, as plain Python values."""
    kind = ruleset.components.kinds["creature"]
    races = ruleset.components.tables["race"].rows
    place = kind.pieces.index(name)
    row = {field: column.values[place] for field, column in kind.fields.items()}
    return {
        "race": races[row["race"]],  # type: ignore[index]
        "points": int(row["points"]),  # type: ignore[arg-type]
        "gold": [float(v) for v in row["gold"]],  # type: ignore[union-attr,arg-type]
        "cost": [races[r] for r in row["cost"]],  # type: ignore[union-attr,index]
        "jesters": int(row["jesters"]),  # type: ignore[arg-type]
        "icons": [races[r] for r in row["icons"]],  # type: ignore[union-attr,index]
    }


# ------------------------------------------------------------------- scoring


def empire(ruleset: Ruleset, game: Game, player: int) -> dict[tuple[int, int], tuple[str, int]]:
    """Race and points by place, giants off the edge and wizards on it taken out."""
    view = zone(game, "empire", player)
    kept = {}
    for row, column, number in view.cells:
        if number < 0 or view.pieces[number].of != "creature":
            continue
        facts = card(ruleset, view.pieces[number].name)
        at_edge = (row, column) in EDGE
        if (facts["race"], at_edge) not in (("giant", False), ("wizard", True)):
            kept[row, column] = (str(facts["race"]), int(facts["points"]))  # type: ignore[call-overload]
    return kept


def human_points(kept: dict[tuple[int, int], tuple[str, int]]) -> int:
    todo = {place for place, (race, _) in kept.items() if race == "human"}
    points = 0
    while todo:
        group, edge = 0, [todo.pop()]
        while edge:
            row, column = edge.pop()
            group += 1
            for other in ((row + 1, column), (row - 1, column), (row, column + 1), (row, column - 1)):
                if other in todo:
                    todo.remove(other)
                    edge.append(other)
        points += sum(SERIES[min(i, 5)] for i in range(group))
    return points


def scored(ruleset: Ruleset, game: Game) -> list[dict[str, int]]:
    """The final scoring, computed from the table without the rules."""
    empires = [empire(ruleset, game, player) for player in range(game.players)]
    holds = [{race: sum(1 for r, _ in kept.values() if r == race) for race in MAJORITY} for kept in empires]
    sheets = []
    for player, kept in enumerate(empires):
        maximum = [
            race
            for race in MAJORITY
            if holds[player][race] and holds[player][race] == max(other[race] for other in holds)
        ]
        sheets.append(
            {
                "printed": sum(points for _, points in kept.values()),
                "humans": human_points(kept),
                "majorities": sum(MAJORITY[race] for race in maximum),
                "diversity": [0, 0, 0, 1, 2, 4, 8][len({race for race, _ in kept.values()})],
            }
        )
    return sheets


@pytest.mark.parametrize("players", [3, 4, 5])
def test_scores_against_plain_python(maldorf: Ruleset, players: int) -> None:
    for seed in range(4):
        game = last_of(maldorf, players, seed)
        sheets = scored(maldorf, game)
        found = [dict(sheet.parts) for sheet in game.scores()]
        assert found == sheets
        totals = [sum(sheet.values()) for sheet in sheets]
        assert [sheet.total for sheet in game.scores()] == totals
        assert game.winners == tuple(seat for seat, total in enumerate(totals) if total == max(totals))


# ------------------------------------------------------------------- payment


def can_pay(facts: dict[str, object], paid: tuple[dict[str, object], ...]) -> bool:
    """By assignment: icons to demands one by one, at most one stand-in, each jester any icon left."""
    icons = [icon for one in paid for icon in one["icons"]]  # type: ignore[attr-defined]
    demands = [str(race) for race in facts["cost"]] + ["any"] * int(facts["jesters"])  # type: ignore[call-overload,attr-defined]

    def assign(left: tuple[str, ...], icons: tuple[str, ...], stand_in: bool) -> bool:
        if not left:
            return True
        for place, icon in enumerate(icons):
            rest = icons[:place] + icons[place + 1 :]
            if (icon == left[0] or left[0] == "any") and assign(left[1:], rest, stand_in):
                return True
            if icon == "wizard" and left[0] not in ("any", "wizard") and stand_in and assign(left[1:], rest, False):
                return True
        return False

    return assign(tuple(demands), tuple(str(icon) for icon in icons), True)


def payments(ruleset: Ruleset, city: str, pool: list[str]) -> set[tuple[tuple[object, ...], ...]]:
    """Every payment with nothing to spare, by the looks of its cards."""
    facts = card(ruleset, city)
    cards = {name: card(ruleset, name) for name in pool}
    found = set()
    for size in range(4):
        for paid in combinations(pool, size):
            held = tuple(cards[name] for name in paid)
            fewer = [held[:i] + held[i + 1 :] for i in range(size)]
            if can_pay(facts, held) and not any(can_pay(facts, less) for less in fewer):
                found.add(looks(ruleset, list(paid)))
    return found


def looks(ruleset: Ruleset, names: list[str]) -> tuple[tuple[object, ...], ...]:
    """A set of cards by what is printed on them, so that alike cards are one."""
    return tuple(sorted(tuple((k, str(v)) for k, v in card(ruleset, name).items()) for name in names))


def test_payments_against_plain_python(maldorf: Ruleset) -> None:
    """At every payment of some random games, the sets on offer are those found by brute force."""
    seen = several = 0
    for seed in range(12):
        for game in random_game(maldorf, 3, seed):
            decision = game.decision
            if decision is None or (decision.rule, decision.name, decision.mode) != ("pay", "paid", "set"):
                continue
            bound = dict(decision.bound)
            pool = [item.name for item in bound["pool"].items]
            if len(pool) > 14:
                continue
            offered = [looks(maldorf, [item.name for item in option.value.items]) for option in decision.options]
            assert set(offered) == payments(maldorf, bound["card"].name, pool)
            assert len(offered) == len(set(offered))
            seen += 1
            several += len(offered) > 2
    assert seen > 20 and several > 5


# ---------------------------------------------------------------------- bids


def test_bids_against_plain_python(maldorf: Ruleset) -> None:
    """What a set of cards may be worth: every way to count each human, less what is taken, and nothing for nothing."""
    seen = 0
    for seed in range(10):
        for game in random_game(maldorf, 4, seed):
            decision = game.decision
            if decision is None or (decision.rule, decision.name) != ("bid", "worth"):
                continue
            cards = [item.name for item in dict(decision.bound)["cards"].items]
            ways = product(*(card(maldorf, name)["gold"] for name in cards))  # type: ignore[call-overload]
            variables = game.observe(-1).variables
            taken = {float(v.value.name) for v in variables if v.name == "bid" and v.value is not None}
            worths = {sum(way) for way in ways} - taken
            assert [float(option.value.name) for option in decision.options] == sorted(worths)
            seen += 1
    assert seen > 5


# -------------------------------------------------------- the state as a value


def test_replay_undo_and_save_give_the_same_game(maldorf: Ruleset) -> None:
    game = last_of(maldorf, 4, 7)
    digest, answers = game.digest(), game.answers[:]
    again = play_again(maldorf, json.loads(json.dumps(game.replay())))
    assert again.digest() == digest
    digests = [digest]
    while game.answers:
        game.undo()
        digests.append(game.digest())
    for key, wanted in zip(answers, reversed(digests[:-1]), strict=True):
        game.answer(key)
        assert game.digest() == wanted
    assert len(set(digests)) == len(digests)


def test_a_half_paid_building_is_saved_and_goes_on_the_same(maldorf: Ruleset) -> None:
    """Saved at the last question of a payment, with three rules begun and unfinished on the stack."""
    for seed in range(40):
        for game in random_game(maldorf, 4, seed):
            decision = game.decision
            if decision is not None and (decision.rule, decision.name) == ("pay", "cover"):
                saved = json.loads(json.dumps(game.save()))
                loaded = Game.load(maldorf, saved)
                assert len(loaded.machine.rules(loaded.state)) >= 5
                assert loaded.decision == decision
                for one in (game, loaded):
                    dice = chance.seeded(5)
                    while not one.over:
                        dice, pick = chance.below(dice, one.option_count)
                        one.choose(pick)
                assert loaded.digest() == game.digest()
                return
    raise AssertionError("no game of forty asked in the middle of a payment")


def test_a_copy_shares_nothing(maldorf: Ruleset) -> None:
    game = next(iter(random_game(maldorf, 3, 1)))
    copy, digest = game.copy(), game.digest()
    for _ in range(40):
        copy.choose(copy.option_count - 1)
    assert game.digest() == digest
    mine, again, other = (one.machine.position(one.state) for one in (game, game.copy(), copy))
    assert mine == again and hash(mine) == hash(again)
    assert mine != other


# --------------------------------------------------------------- many, at once


@pytest.mark.parametrize("players", [3, 4, 5])
@pytest.mark.parametrize("batch", range(2))
def test_random_games_end_with_every_law_kept(maldorf: Ruleset, players: int, batch: int) -> None:
    """`Game.start` tests every invariant at every decision; a breach or a dead end would raise."""
    for seed in range(batch * 8, batch * 8 + 8):
        game = last_of(maldorf, players, seed)
        assert game.over and game.winners


@pytest.mark.long
@pytest.mark.parametrize("players", [3, 4, 5])
@pytest.mark.parametrize("batch", range(10))
def test_a_thousand_random_games_each(maldorf: Ruleset, players: int, batch: int) -> None:
    for seed in range(1000 + batch * 100, 1100 + batch * 100):
        assert last_of(maldorf, players, seed).winners


def test_a_full_dungeon_can_be_paid_from(capsys: pytest.CaptureFixture[str]) -> None:
    """A game among bots with a will of their own, one of whom gathers cards: it once ended at the bound of work."""
    game = ["--games", "1", "--seed", "111", "--players", "3", "--jobs", "1"]
    assert main(["coverage", "maldorf", *game, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["games"] == 1 and found["unfinished"] == 0 and found["errors"] == []
