"""Goblin Warlord as a whole: random games with every invariant, and every decision against a second referee."""

from __future__ import annotations

import json
from collections import Counter
from fractions import Fraction
from itertools import product
from typing import Any

import pytest

from interpreter import Decision, Game, Option, play_again
from interpreter.state import random as chance
from interpreter.state.events import Event
from interpreter.state.observe import Observation
from tests.conftest import ruleset_named
from tests.games.goblin_referee import Ask, Camp, Chance, Referee, Seat
from tests.games.playing import last_of, random_game
from warlock_dsl.ruleset import Ruleset
from workbench.cli import main

QUESTIONS = {
    "place_sure.base", "place_more.base", "take_actions.deed", "action.invade.ours", "action.invade.theirs",
    "action.know_wots.ours", "action.know_wots.theirs", "raid.face", "raze.refuge", "action.hoozits.rival",
    "action.upgrade.base", "pay.goblins", "give_orders.decree",
}  # fmt: skip
CASES = {
    "banner", "forced extras", "evil_eye", "zaap", "double loss", "fort turned back", "empty hideout taken", "refugees",
    "no refuge",
}  # fmt: skip


@pytest.fixture(scope="module")
def goblins() -> Ruleset:
    return ruleset_named("goblin-warlord")


# ------------------------------------------------- against a second referee


def face(card: str) -> str:
    """The row a card was made from, by its name."""
    return card.partition("#")[0]


class Sitting:
    """A game of random answers and the referee beside it."""

    def __init__(self, ruleset: Ruleset, players: int, seed: int) -> None:
        self.game = Game.start(ruleset, players, seed, log=True)
        self.dice = chance.seeded(seed + 5)
        self.told = self.opening()
        self.referee = self.newcomer()
        self.asked: Counter[str] = Counter()

    def view(self) -> Observation:
        return self.game.observe(-1)

    def marker(self, name: str) -> str:
        found = next(v.value for v in self.view().variables if v.name == name and v.owner < 0 and not v.holder)
        assert found is not None
        return found.key()

    def opening(self) -> int:
        """Where in the log the first turn begins: with the round it is in."""
        layout = self.game.machine.layout
        rounds = [n for n, e in enumerate(self.game.events) if layout.slots[e.variable].name == "round"]
        return rounds[0]

    def newcomer(self) -> Referee:
        """The table as the rulebook sets it up; the hands and the first player are chance."""
        layout, players = self.game.machine.layout, self.game.players
        hands: list[Counter[str]] = [Counter() for _ in range(players)]
        for event in self.game.events[: self.told]:
            place = layout.places[event.place]
            if event.what == "move" and place.name == "hand":
                hands[place.owner][face(layout.piece_names[event.piece])] += 1
        seats = [Seat(hand, [Camp(f"camp#{number + 1}", 2)]) for number, hand in enumerate(hands)]
        spare = [f"camp#{number}" for number in range(players + 1, 33)]
        return Referee(seats, int(self.marker("warchief")[4:]), 60 - 2 * players, spare)

    # ---------------------------------------------------------------- chance

    def next_event(self, wanted: Any) -> Event:
        while not wanted(self.game.events[self.told]):
            self.told += 1
        self.told += 1
        return self.game.events[self.told - 1]

    def chance(self, wanted: Chance) -> list[str]:
        layout = self.game.machine.layout
        if wanted.name == "draw":
            hand = [n for n, p in enumerate(layout.places) if p.name == "hand" and p.owner == wanted.player]
            event = self.next_event(lambda e: e.what == "move" and e.place in hand)
            return [face(layout.piece_names[event.piece])]
        event = self.next_event(lambda e: e.what == "roll" and e.name == wanted.name)
        table = "clash" if wanted.name == "raid.faces" else "omen"
        values = event.value if isinstance(event.value, tuple) else (event.value,)
        assert len(values) == wanted.count
        return [layout.components.tables[table].rows[int(value)] for value in values]  # type: ignore[arg-type]

    # --------------------------------------------------------------- answers

    def canonical(self, decision: Decision, option: Option) -> Any:
        value = option.value
        match value.what:
            case "none":
                return None
            case "player":
                return value.owner
            case "list":
                return self.homes([item.name for item in value.items])
            case "piece" if value.of == "decree":
                return face(value.name)
        return value.name

    def homes(self, pieces: list[str]) -> tuple[str, ...]:
        holders = {piece.name: zone.holder for zone in self.view().zones for piece in zone.pieces}
        return tuple(sorted(holders[piece] for piece in pieces))

    def answer(self, asked: Ask) -> Any:
        """Compare the question, take any option, and say which it was."""
        decision = self.game.decision
        assert decision is not None
        assert (decision.player, f"{decision.rule}.{decision.name}") == (asked.player, asked.name)
        self.asked[asked.name] += 1
        if decision.mode == "step":
            return self.steps(asked)
        found = [self.canonical(decision, option) for option in decision.options]
        assert len(found) == len(set(found)), "something is offered twice"
        assert set(found) == asked.answers | ({None} if asked.may else set())
        self.dice, pick = chance.below(self.dice, len(found))
        self.game.choose(pick)
        return found[pick]

    def steps(self, asked: Ask) -> Any:
        """A payment asked for goblin by goblin: what left for the pool tells what was picked."""
        layout, before = self.game.machine.layout, len(self.game.events)
        homes = {piece.name: zone.holder for zone in self.view().zones for piece in zone.pieces}
        while not any(event.what == "move" for event in self.game.events[before:]):
            self.dice, pick = chance.below(self.dice, self.game.option_count)
            self.game.choose(pick)
        moved = [event.piece for event in self.game.events[before:] if event.what == "move"]
        paid = tuple(sorted(homes[layout.piece_names[piece]] for piece in moved[:3]))
        assert paid in asked.answers
        self.asked["steps"] += 1
        return paid

    # ------------------------------------------------------------------ table

    def compare(self) -> None:
        """The whole table, as the referee has it and as the game has it."""
        view = self.view()
        zones = {(zone.name, zone.owner, zone.holder): [piece.name for piece in zone.pieces] for zone in view.zones}
        marks = {(v.name, v.holder): v.value.key() for v in view.variables if v.holder and v.value is not None}
        for number, seat in enumerate(self.referee.seats):
            assert zones["camps", number, ""] == [camp.name for camp in seat.camps]
            assert Counter(map(face, zones["hand", number, ""])) == seat.hand
            assert [face(card) for card in zones["in_force", number, ""]] == ([seat.order] if seat.order else [])
            for camp in seat.camps:
                assert len(zones["band", -1, camp.name]) == camp.band
                assert marks["tier", camp.name] == ("fort" if camp.fort else "hideout")
        assert len(zones["horde", -1, ""]) == self.referee.pool
        assert zones["spare_camps", -1, ""] == self.referee.spare

    def play(self) -> Counter[str]:
        transcript = self.referee.play()
        wanted = next(transcript)
        try:
            while True:
                if isinstance(wanted, Chance):
                    wanted = transcript.send(self.chance(wanted))
                else:
                    self.compare()
                    wanted = transcript.send(self.answer(wanted))
        except StopIteration:
            pass
        self.compare()
        assert self.game.over and self.game.winners == self.referee.winners
        return self.asked


@pytest.mark.parametrize("players", [2, 3, 4, 6, 7, 8])
def test_every_decision_is_the_one_a_second_referee_asks_for(goblins: Ruleset, players: int) -> None:
    """Who is asked, what is on offer, what becomes of it, who wins; and every invariant at every decision."""
    sitting = Sitting(goblins, players, 6)
    asked = sitting.play()
    assert sitting.marker("capped") == "false"
    assert players > 3 or asked["steps"]  # these two have payments that are asked for piece by piece


def test_what_is_rare_has_been_judged_too(goblins: Ruleset) -> None:
    sittings = [Sitting(goblins, 5, seed) for seed in (1, 2, 3)]
    asked = sum((sitting.play() for sitting in sittings), Counter[str]())
    met = sum((sitting.referee.met for sitting in sittings), Counter[str]())
    assert set(asked) == QUESTIONS
    assert set(met) == CASES


@pytest.mark.long
@pytest.mark.parametrize("players", range(2, 9))
def test_a_hundred_games_against_the_referee(goblins: Ruleset, players: int) -> None:
    for seed in range(100, 200):
        Sitting(goblins, players, seed).play()


# --------------------------------------------------------------------- dice

RESULTS = ("push", "victory", "overrun", "loss")
BY_HAND = {  # dice, and who picks: the share of each result in thousandths
    (1, "attacker"): (500, 167, 167, 167),
    (2, "attacker"): (417, 250, 306, 28),
    (2, "defender"): (583, 83, 28, 306),
    (3, "attacker"): (292, 282, 421, 5),
    (3, "defender"): (542, 32, 5, 421),
}
BEST = {"attacker": ("overrun", "victory", "push", "loss"), "defender": ("loss", "push", "victory", "overrun")}


@pytest.mark.parametrize(("dice", "picker"), BY_HAND)
def test_what_an_invasion_comes_to(goblins: Ruleset, dice: int, picker: str) -> None:
    """Every throw of the dice in the tables, the best face picked, against shares worked out by hand."""
    die = goblins.components.dice["attack_die"]
    faces = [goblins.components.tables[die.of].rows[row] for row in die.faces]
    assert len(faces) == 6
    shares = dict.fromkeys(RESULTS, Fraction(0))
    for throw in product(faces, repeat=dice):
        shares[min(throw, key=BEST[picker].index)] += Fraction(1, 6**dice)
    assert sum(shares.values()) == 1
    assert tuple(round(shares[result] * 1000) for result in RESULTS) == BY_HAND[dice, picker]


# ---------------------------------------------------------- many, and the end


@pytest.mark.long
@pytest.mark.parametrize("players", range(2, 9))
@pytest.mark.parametrize("batch", range(10))
def test_a_thousand_random_games_each(goblins: Ruleset, players: int, batch: int) -> None:
    for seed in range(1000 + batch * 100, 1100 + batch * 100):
        game = last_of(goblins, players, seed)
        assert game.winners
        assert "true" not in [v.value.key() for v in game.observe(-1).variables if v.name == "capped" and v.value]


@pytest.mark.parametrize("players", [2, 3, 4, 5, 6, 8])
def test_bots_play_it_from_the_command_line(players: int, capsys: pytest.CaptureFixture[str]) -> None:
    seats = ",".join(["random"] * players)
    words = ["play", "goblin-warlord", "--players", str(players), "--seats", seats, "--seed", "7", "--json"]
    assert main(words) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["over"] and told["winners"]
    totals = [sheet["total"] for sheet in told["scores"]]
    assert [totals.index(max(totals))] == told["winners"] and max(totals) >= 40_000


def test_players_who_never_build_are_stopped_and_ranked(goblins: Ruleset) -> None:
    """Everybody always takes the last option, which is to do nothing more where that is one."""
    game = Game.start(goblins, 2, 3)
    while not game.over:
        game.choose(game.option_count - 1)
    view = game.observe(-1)
    marks = {(v.name, v.owner): v.value.key() for v in view.variables if not v.holder and v.value is not None}
    assert marks["capped", -1] == "true" and marks["round", -1] == "200"
    held = {zone.holder: zone.count or 0 for zone in view.zones if zone.holder}
    camps = [next(z for z in view.zones if (z.name, z.owner) == ("camps", seat)).pieces for seat in range(2)]
    ranks = [(0, len(own), sum(held[camp.name] for camp in own)) for own in camps]
    assert game.winners == tuple(seat for seat, rank in enumerate(ranks) if rank == max(ranks))
    assert [sheet.total for sheet in game.scores()] == [100 * camps + goblins for _, camps, goblins in ranks]


def test_replay_and_save_give_the_same_game(goblins: Ruleset) -> None:
    """Saved where the defender is about to pick a die, in the middle of another player's turn."""
    for seed in range(20):
        for game in random_game(goblins, 3, seed):
            decision = game.decision
            if decision is None or decision.rule != "raid":
                continue
            bound = dict(decision.bound)
            loaded = Game.load(goblins, json.loads(json.dumps(game.save())))
            assert loaded.decision == decision and "theirs" in bound
            for one in (game, loaded):
                while not one.over:
                    one.choose(0)
            assert loaded.digest() == game.digest()
            assert play_again(goblins, json.loads(json.dumps(game.replay()))).digest() == game.digest()
            return
    raise AssertionError("no game of twenty asked anybody to pick a die")
