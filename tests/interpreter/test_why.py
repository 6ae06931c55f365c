"""Why and why not: every answer is proven by taking the named clauses out of the rules, and says nothing hidden."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from interpreter import AnswerError, item_type, show_value
from interpreter.ir.lower import lower
from interpreter.plain.machine import PlainMachine
from interpreter.state.layout import Layout
from interpreter.why.answers import at_question, candidate, explainer_for
from interpreter.why.explainer import Explainer, key_of
from interpreter.why.universe import values_of
from interpreter.why.ways import Removal
from tests.interpreter.why_proof import Tally, grafted, on_offer, prove, with_figure
from warlock_rules import Game, load
from warlock_rules.errors import RulesetError

STACKS = [
    ("tic-tac-toe", 2), ("connect-four", 2), ("hearts", 4), ("go-fish", 3), ("liars-dice", 3), ("goofspiel", 2),
    ("backgammon", 2), ("hex", 2), ("chess", 2), ("goblin-warlord", 3), ("goblin-warlord+truce", 3),
    ("warlock-1980", 3), ("warlock-1980+ransom", 3), ("maldorf", 3), ("maldorf+fr", 3), ("maldorf+no_attacks", 3),
    ("maldorf+sealed_bids", 3),
]  # fmt: skip


def walk(name: str, players: int, positions: int, each: int | None = None, seed: int = 1) -> Tally:
    """Positions of random games, at each of which every candidate is proven, or `each` that are drawn."""
    ruleset, tally, random = load(name), Tally(), Random(seed)
    players = max(ruleset.components.min_players, min(players, ruleset.components.max_players))
    layout = Layout(ruleset.program, ruleset.components, players)
    machine = PlainMachine(layout, lower(ruleset.program), laws=False)
    explainer = Explainer(layout, machine.lowered_rules)
    while tally["positions"] < positions:
        state = machine.start(random.randrange(1 << 30))
        while machine.run(state) is not None and tally["positions"] < positions:
            if random.random() < 0.1:
                tally += prove(ruleset, players, explainer, state, random, each)
            machine.take(state, random.choice(state.offer.answers))
    return tally


@pytest.mark.parametrize(("name", "players"), STACKS)
def test_named_clauses_are_what_stands_in_the_way(name: str, players: int) -> None:
    tally = walk(name, players, 4, 40)
    assert tally["offered"] + tally["not offered"] > 0
    assert tally["ways"] >= tally["not offered"] - tally["no clause found"] - tally["rules break without"]
    assert tally["no clause found"] <= tally["not offered"] // 20


def test_the_proof_finds_a_wrong_clause() -> None:
    """A clause that does not matter, taken out of the rules, puts nothing on offer."""
    rules = load("hearts")
    game = Game.start(rules, players=4, seed=3, backend="plain")
    while game.question != "trick.card":
        game.choose(0)
    wrong = next(define for define in rules.program.defines if define.address == "reached").value
    held = {option.key for option in game.options()}
    zones = [zone for zone in game.observe(game.to_move).zones if (zone.name, zone.owner) == ("hand", game.to_move)]
    missing = next(piece.name for piece in zones[0].pieces if piece.name not in held)
    value = candidate(explainer_for(rules, 4), game.state, missing)
    assert not on_offer(grafted(rules, 4, [Removal(key_of(wrong), "clause", True)]), game.state, value)


@pytest.mark.parametrize(("name", "players"), [("hearts", 4), ("goblin-warlord", 3), ("maldorf", 3), ("chess", 2)])
def test_what_is_on_offer_has_a_why_that_holds(name: str, players: int) -> None:
    game, random = Game.start(load(name), players, seed=5), Random(2)
    for _ in range(12):
        option = random.choice(game.options())
        if option.what == "value":
            found = game.why(option.key)
            assert found.hides or all(cause.text for cause in found.holds)
            with_it = explainer_for(game.ruleset, players)
            state = with_it.unpack(game.machine.pack(game.state), trusted=True)
            with_it.run(state)
            for one in with_it.needed(state, state.offer.ask, candidate(with_it, state, option.key)):
                value = candidate(with_it, state, option.key)
                assert not on_offer(grafted(game.ruleset, players, [one.removal]), state, value)
        game.choose(random.randrange(game.option_count))


def nameable(game: Game) -> list[str]:
    """Every value of the type of the question that waits, by the key that the asked player has for it."""
    explainer = explainer_for(game.ruleset, game.players)
    state = at_question(explainer, game.machine.pack(game.state))
    question = state.offer.ask.question
    if question.yes_no:
        return []
    kind = item_type(question)
    values = values_of(explainer.layout, kind)
    me = game.to_move
    return [show_value(explainer.layout, state, one, kind, me, placed=True).key(me) for one in values]


@pytest.mark.parametrize(("name", "players"), [("hearts", 4), ("go-fish", 3), ("maldorf", 3), ("liars-dice", 3)])
def test_answers_do_not_tell_what_is_hidden(name: str, players: int) -> None:
    game, random, asked = Game.start(load(name), players, seed=8), Random(4), 0
    for _ in range(10):
        for key in random.sample(keys := nameable(game), min(len(keys), 4)):
            found = game.why_not(key)
            other = game.imagine(game.to_move, random.randrange(1000)).why_not(key)
            asked += 1
            assert found.data() == other.data()
        game.choose(random.randrange(game.option_count))
    assert asked >= 10


def test_an_answer_as_data() -> None:
    game = Game.start(load("maldorf"), players=3, seed=7)
    while game.question != "turn.act":
        game.choose(0)
    found = game.why_not("empire")
    assert not found.offered and found.causes
    cause = found.data()["causes"][0]
    assert cause["rules"][0] == "turn" and cause["clause"] and cause["sources"]
    assert game.why_not(game.options()[0].key).reason == "offered"
    assert game.why_not("empire", seat=(game.to_move + 1) % 3).reason == "not_asked"
    with pytest.raises(AnswerError):
        game.why_not("no such thing")


def test_a_score_is_the_sum_of_its_terms() -> None:
    game, random = Game.start(load("maldorf"), players=3, seed=7), Random(1)
    while not game.over:
        game.choose(random.randrange(game.option_count))
    for seat, sheet in enumerate(game.scores()):
        parts = game.why_score(seat)
        assert {part.name: part.value.name for part in parts} == sheet.data()["parts"]
        for term in parts[0].terms:
            assert sum(float(adds.name) for _, adds in term.items) == float(term.value.name)


def test_a_figure_that_would_put_it_on_offer_does() -> None:
    """Each figure that is named, changed by its step in the rules themselves, puts the candidate on offer."""
    told = 0
    for name, players in (("maldorf", 3), ("goblin-warlord", 3), ("warlock-1980", 3)):
        game, random = Game.start(load(name), players, seed=11), Random(6)
        for _ in range(60):
            if game.over:
                break
            for key in random.sample(keys := nameable(game), min(len(keys), 2)):
                found = game.why_not(key)
                for change in found.would_hold_if:
                    explainer = explainer_for(game.ruleset, players)
                    state = at_question(explainer, game.machine.pack(game.state))
                    after = change.after.name
                    unit = game.ruleset.program.unit
                    value = after == "true" if change.after.what == "truth" else int(float(after) * unit)
                    machine = with_figure(game.ruleset, players, change.address, value)
                    assert on_offer(machine, state, candidate(explainer, state, key)), (change, key)
                    told += 1
            game.choose(random.randrange(game.option_count))
    assert told


def test_a_rule_by_its_address() -> None:
    """What a rule needs before it can be carried out; of a family and with arguments, the nearest of them."""
    game, random, blocked = Game.start(load("goblin-warlord"), 3, seed=2), Random(2), 0
    for _ in range(40):
        if game.question == "take_actions.deed":
            offered = {option.key for option in game.options()}
            for key in ("invade", "build", "upgrade", "hoozits", "know_wots"):
                found = game.why_rule(f"action.{key}")
                assert found.hides or found.can == (key in offered)
                blocked += bool(found.causes)
                assert found.data()["rule"] == f"action.{key}"
        game.choose(random.randrange(game.option_count))
    assert blocked
    with pytest.raises(AnswerError):
        game.why_rule("no.such.rule")


@pytest.mark.parametrize(("name", "players"), [("maldorf", 3), ("hearts", 4), ("goofspiel", 2)])
def test_why_these_have_won(name: str, players: int) -> None:
    game, random = Game.start(load(name), players, seed=3), Random(3)
    with pytest.raises(AnswerError):
        game.why_won()
    while not game.over:
        game.choose(random.randrange(game.option_count))
    found = game.why_won()
    assert found.winners == game.winners and found.data()["winners"] == list(game.winners)
    if found.seats:
        points = [float(shown.name) for shown in found.seats]
        assert all(points[seat] in (max(points), min(points)) for seat in game.winners)


def test_points_that_hang_on_hidden_things_are_not_told() -> None:
    """Of every part: told to a seat only where it is the same in a deal that looks the same to it."""
    game, random, hidden = Game.start(load("go-fish"), 3, seed=3), Random(1), 0
    for _ in range(12):
        other = game.imagine(0, random.randrange(99))
        for seat in range(3):
            parts = game.why_score(seat, viewer=0)
            assert [part.data() for part in parts] == [part.data() for part in other.why_score(seat, viewer=0)]
            hidden += any(part.hides for part in parts)
        game.choose(random.randrange(game.option_count))
    assert hidden or all(game.scores_seen(0))


def test_sources_have_their_sections() -> None:
    game = Game.start(load("maldorf"), players=3, seed=7)
    while game.question != "turn.act":
        game.choose(0)
    sources = [source for cause in game.why_not("empire").causes for source in cause.sources]
    assert any(dict(source.at).keys() == {"en", "fr", "de"} and source.says for source in sources)


OVERLAYS = [
    (f"{folder.parent.name}+{folder.name}", players)
    for name, players in STACKS
    if "+" not in name
    for folder in sorted((Path(__file__).parents[2] / "variants" / name).glob("*/"))
    if (folder / "overlay.toml").exists()
]


@pytest.mark.long
@pytest.mark.parametrize(("name", "players"), STACKS)
def test_two_thousand_positions(name: str, players: int) -> None:
    tally = walk(name, players, 2000, 6)
    assert tally["no clause found"] <= tally["not offered"] // 20, tally


@pytest.mark.long
@pytest.mark.parametrize(("name", "players"), OVERLAYS)
def test_positions_of_every_overlay(name: str, players: int) -> None:
    try:
        tally = walk(name, players, 20, 6)
    except RulesetError:
        pytest.skip("it needs another overlay below it")
    assert tally["no clause found"] <= tally["not offered"] // 20, tally
