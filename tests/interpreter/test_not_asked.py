"""Why a player was not asked: the questions that were passed over, each proven by taking the named clauses out."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

import pytest

from interpreter import AnswerError
from interpreter.ir import blocks as ir
from interpreter.plain.dry_run import dry_run
from interpreter.plain.machine import PlainMachine
from interpreter.why import answers as why_answers
from interpreter.why.not_asked import watcher_for
from interpreter.why.passed import Passed, Watcher
from tests.interpreter.tiny import ruleset
from tests.interpreter.why_proof import grafted
from warlock_dsl import Ruleset
from warlock_rules import Game, load

LEAKS = Path(__file__).parents[1] / "planted" / "leaks"


def outcome(machine: PlainMachine, watcher: Watcher, one: Passed) -> bool:
    """Where a machine goes on at the place at which questions were passed over."""
    state, seat = one.at, watcher.seat
    machine.work = 0
    frame = state.stack[-1]
    end, slots = machine.lowered_rules[frame.rule].blocks[frame.block].end, frame.locals[:]
    match end:
        case ir.Branch():
            return bool(machine.ev(state, end.test, slots))
        case ir.Ask():
            dry = dry_run(state)
            return any(machine.leads_on(state, end, dry, value) for value in machine.possible(state, end, dry))
        case ir.NextOf():
            items: Any = slots[end.list_slot]
            if seat in items:
                assert end.where is not None
                slots[end.slot] = seat
                return bool(machine.ev(state, end.where, slots))
            source = Watcher.source_of(machine, frame.rule, frame.block, end)  # type: ignore[arg-type]
            return seat in machine.ev(state, source, slots)
    raise AssertionError(end)


def proven(rules: Ruleset, players: int, games: int, seed: int) -> Counter[str]:
    """Random games, in which seats ask now and then why they are not asked."""
    tally, random = Counter[str](), Random(seed)
    watcher = watcher_for(rules, players)
    for number in range(games):
        game = Game.start(rules, players, seed=seed + number)
        while not game.over and len(game.answers) < 300:
            if random.random() < 0.15:
                seat = random.randrange(players)
                found = game.why_not_asked(seat)
                assert (found.player, found.question) == (game.to_move, game.question)
                tally["asked"] += 1
                tally["hides"] += found.hides
                for one in watcher.found:
                    tally[one.what] += 1
                    tally["no clause found"] += not one.ways and not one.hides and one.what != "only"
                    prove(rules, players, watcher, one)
            game.choose(random.randrange(game.option_count))
    return tally


def prove(rules: Ruleset, players: int, watcher: Watcher, one: Passed) -> None:
    plain = PlainMachine(watcher.layout, watcher.lowered_rules, laws=False)
    before = outcome(plain, watcher, one) if one.ways else False
    for way in one.ways:
        removals = [blamed.removal for blamed in way]
        assert outcome(grafted(rules, players, removals), watcher, one) is not before, (one.questions, removals)
        for left in removals:
            kept = [other for other in removals if other != left]
            assert outcome(grafted(rules, players, kept), watcher, one) is before, (one.questions, removals, left)


@pytest.mark.parametrize(
    ("name", "players"), [("maldorf", 3), ("goblin-warlord", 3), ("warlock-1980", 3), ("hearts", 4), ("go-fish", 3)]
)
def test_questions_that_were_passed_over(name: str, players: int) -> None:
    tally = proven(load(name), players, 1, seed=5)
    assert tally["asked"] > 5
    assert tally["no clause found"] <= sum(tally[what] for what in ("branch", "turn", "nothing")) // 10, tally


@pytest.mark.long
@pytest.mark.parametrize(("name", "players"), [("maldorf", 3), ("goblin-warlord", 3), ("warlock-1980", 3)])
def test_twenty_games(name: str, players: int) -> None:
    tally = proven(load(name), players, 20, seed=50)
    assert tally["no clause found"] <= sum(tally[what] for what in ("branch", "turn", "nothing")) // 10, tally


def test_who_bids_nothing_picks_nothing() -> None:
    game, random = Game.start(load("maldorf"), 3, seed=5), Random(5)
    while game.question != "pick.cards":
        keys = [option.key for option in game.options()]
        declines = game.question == "bid.cards" and game.to_move == 0
        game.choose(keys.index("decline") if declines else random.randrange(len(keys)))
    found = game.why_not_asked(0)
    assert found.player == game.to_move != 0 and found.rules[-1] == "pick"
    (one,) = [one for one in found.passed if "pick.cards" in one.questions]
    assert one.what == "turn" and [cause.text for cause in one.causes] == ["my.bid > 0"]
    assert dict(one.causes[0].values)["my.bid"].name == "0"
    assert any(source.says for source in one.causes[0].sources)
    assert found.data()["passed"]


def test_an_empty_hand_is_not_asked() -> None:
    rules = """rule play:
    for me in players: move top(deck) to my.hand
    for me in players: drop()
    for me in players: drop()
    for me in players: end_of_turn()
    finish [leader]

rule drop:
    may choose card in my.hand: move card to heap

rule end_of_turn:
    choose colour in [red, green]: pass
"""
    game = Game.start(ruleset(rules), 2, seed=0)
    assert game.question == "drop.card"
    game.choose(0)
    game.choose(0)
    found = game.why_not_asked(1)
    assert [(one.what, one.questions) for one in found.passed] == [("nothing", ("drop.card",))]
    assert game.question == "end_of_turn.colour" and found.player == 0
    with pytest.raises(AnswerError):
        game.why_not_asked(2)


# ------------------------------------------------------------------ hidden things

SECRET = """rule play:
    shuffle deck
    for p in players: move top(deck) to p.hand
    for me in players: choose colour in [red, green]: pass
    for me in [first(players)]:
        if any(c in {whose} where c.value > 1):
            choose other in [red, blue]: pass
    for me in players: end_of_turn()
    finish [leader]

rule end_of_turn:
    choose colour in [red, green]: pass
"""


@pytest.mark.parametrize("whose", ["my.hand", "next(me).hand"])
def test_what_hangs_on_hidden_things_is_not_told(whose: str) -> None:
    """A rule that looks at a hand: its owner is told why he was not asked, nobody else is."""
    told, rules = Counter[bool](), ruleset(SECRET.replace("{whose}", whose))
    for seed in range(30):
        game = Game.start(rules, 2, seed)
        while game.question == "play.colour":
            game.choose(0)
        if game.question == "play.other":
            continue
        found = game.why_not_asked(0)
        if whose == "my.hand":
            told[bool(found.passed)] += 1
            assert not found.hides and all(one.causes for one in found.passed)
        else:
            assert found.hides and not any(one.causes for one in found.passed)
    assert whose != "my.hand" or told[True] > 3


def test_a_leak_would_be_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """A rule that looks at a number others hold in secret: nothing of it is told. Where the comparison of deals is left
    out, what is told is another thing in another deal: so the tests that compare deals would notice."""
    rules = load(str(LEAKS / "player_variable"))

    def answers(seed: int) -> list[dict[str, Any]]:
        game = Game.start(rules, 2, seed=seed)
        deals = [game, *(game.imagine(game.to_move, number) for number in range(8))]
        return [deal.why_not("raise").data() for deal in deals if "raise" not in {one.key for one in deal.options()}]

    for seed in range(12):
        found = answers(seed)
        assert all(one == found[0] for one in found)
        assert all(one["hides"] and not one["causes"] for one in found)
    monkeypatch.setattr(why_answers, "_differs", lambda *_: False)
    assert any(one != found[0] for seed in range(12) if (found := answers(seed)) for one in found)


def test_answers_that_bots_gave_in_one_call_are_gone_through_again() -> None:
    """Where a game keeps no state before each answer, the same is told as where it does."""
    rules = load("maldorf")
    whole = Game.start(rules, 3, seed=5)
    random = Random(5)
    while len(whole.answers) < 90:
        whole.choose(random.randrange(whole.option_count))
    sparse = whole.copy()
    sparse._past = [state if number % 7 == 0 else None for number, state in enumerate(sparse._past)]
    for seat in range(3):
        assert whole.why_not_asked(seat).data() == sparse.why_not_asked(seat).data()
