"""Players that search: the same answer each time, none that rests on what they may not see, and better than chance."""

from __future__ import annotations

import ast
import time
from pathlib import Path

import pytest

from interpreter import Game, PlayError, margins
from interpreter.plain import bots
from tests.conftest import ruleset_named
from warlock_dsl.load import load
from warlock_dsl.ruleset import Ruleset
from workbench.players.base import Bot, First, Random, own_stream, play_out
from workbench.players.greedy import Greedy
from workbench.players.registry import bot_of, split_seats
from workbench.players.rollouts import Standing, standing, worlds
from workbench.players.search import Mcts, MonteCarlo, Transcript, Worth
from workbench.support.errors import UsageError
from workbench.terminal.sitting import seat_from

DEALT = ("redeal", "worlds", "pick")  # `pick` of a machine and `worlds` of all are looked at below
BOTS = sorted((Path(__file__).parents[3] / "workbench" / "players").glob("*.py"))
SEARCHERS: dict[str, Bot] = {
    "greedy": Greedy(3, tries=2, budget=16),
    "montecarlo": MonteCarlo(3, iterations=16, horizon=8),
    "mcts": Mcts(3, iterations=32, horizon=12),
}


@pytest.fixture(scope="module")
def tiny() -> Ruleset:
    loaded = load(str(Path(__file__).parents[1] / "data" / "tiny"))
    assert loaded.ruleset is not None, loaded.diagnostics
    return loaded.ruleset


def positions(ruleset: Ruleset, players: int, seed: int, every: int) -> list[Game]:
    """Every so many decisions of a random game."""
    game = Game.start(ruleset, players, seed, laws=False)
    bot = Random(seed)
    found = []
    while not game.over:
        if len(game.answers) % every == 0 and game.option_count > 1:
            found.append(game.copy())
        game.choose(bot.pick(game))
    return found


def lookalike(game: Game, stream: int) -> Game | None:
    """A game that looks to the asked player just as this one does, with other hidden pieces, secrets and chance."""
    try:
        _, state = game.machine.redeal(game.state, game.to_move, stream)
    except PlayError:
        return None
    other = Game(game.ruleset, game.machine, state, game.seed, game.seats)
    other.answers = game.answers[:]
    other._go()
    return other


# ----------------------------------------------------------------- no peeking


@pytest.mark.parametrize("kind", sorted(SEARCHERS))
@pytest.mark.parametrize(
    ("name", "players", "every"),
    [("tiny", 3, 1), ("maldorf", 3, 70), ("goblin-warlord", 2, 20), ("warlock-1980", 3, 25)],
)
def test_the_answer_is_the_same_for_two_positions_that_look_the_same(
    kind: str, name: str, players: int, every: int, tiny: Ruleset
) -> None:
    ruleset = tiny if name == "tiny" else ruleset_named(name)
    compared = changed = 0
    for game in positions(ruleset, players, 4, every):
        other = lookalike(game, 99)
        if other is None:
            continue
        compared += 1
        changed += game.machine.table(other.state) != game.machine.table(game.state)
        before = game.digest()
        assert SEARCHERS[kind].pick(other) == SEARCHERS[kind].pick(game)
        assert game.digest() == before
    assert compared > 2 and changed > 0


def test_a_player_that_peeks_is_found_out(tiny: Ruleset) -> None:
    """The test above can fail: whoever looks at a hidden hand answers otherwise when that hand is another."""

    class Peeking:
        def pick(self, game: Game) -> int:
            seen = [number for pieces in game.machine.position(game.state).zones for number in pieces]
            return sum(place * piece for place, piece in enumerate(seen)) % game.option_count

    found = 0
    for game in positions(tiny, 3, 4, 1):
        other = lookalike(game, 99)
        found += other is not None and Peeking().pick(other) != Peeking().pick(game)
    assert found > 0


def states_read(source: str) -> list[str]:
    """Where a bot reads the state of the game it plays in, but to have it dealt anew."""
    tree = ast.parse(source)
    calls = [n for n in ast.walk(tree) if isinstance(n, ast.Call) and isinstance(n.func, ast.Attribute)]
    dealt = {id(given) for call in calls if getattr(call.func, "attr", "") in DEALT for given in call.args}
    return [
        ast.unparse(node)
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute) and id(node) not in dealt
        if node.attr in ("state", "search_state", "observe", "events")
        if ast.unparse(node.value).endswith("game")
    ]


def test_bots_read_no_state_but_to_have_it_dealt_anew() -> None:
    assert not [found for path in BOTS for found in states_read(path.read_text(encoding="utf-8"))]
    assert any("worlds(game.search_machine, game.search_state" in path.read_text(encoding="utf-8") for path in BOTS)
    assert states_read("def pick(self, game): return len(self.game.state.zones[0])") == ["self.game.state"]


def asked_of_states(source: str) -> set[str]:
    """The functions to which the bots of a machine hand the state of the game they play in."""
    calls = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Call)]
    given = [call for call in calls if any(isinstance(one, ast.Name) and one.id == "state" for one in call.args)]
    return {getattr(call.func, "attr", getattr(call.func, "id", "")) for call in given}


def test_a_bot_of_the_machine_asks_no_state_but_who_is_asked_and_to_have_it_dealt_anew() -> None:
    source = Path(bots.__file__).read_text(encoding="utf-8")
    assert asked_of_states(source) == {"count", "to_move", "redeal", "worlds", "_greedy"}
    assert asked_of_states("def pick(machine, state): return machine.totals(state)") == {"totals"}


# --------------------------------------------------------------- the same again


@pytest.mark.parametrize("kind", ["montecarlo(iterations=20)", "mcts(iterations=20)"])
def test_iterations_give_the_same_game_each_time(tiny: Ruleset, kind: str) -> None:
    digests = set()
    for _ in range(2):
        game = Game.start(tiny, 3, 5, laws=False)
        play_out(game, [bot_of(kind, 5), Random(5), bot_of(kind, 5)])
        digests.add(game.digest())
    assert len(digests) == 1


def test_a_budget_of_seconds_is_kept() -> None:
    game = Game.start(ruleset_named("maldorf"), 3, 1, laws=False)
    while game.option_count < 4:
        game.choose(0)
    Mcts(1, iterations=8).pick(game)  # whatever is made once is made
    began = time.process_time()
    assert 0 <= Mcts(1, seconds=0.4).pick(game) < game.option_count
    assert time.process_time() - began < 4


# ------------------------------------------------------------------- reckoning


def test_how_things_stand() -> None:
    assert margins([3, 9, 5]) == (-6, 4, -4)
    assert margins([7, 7]) == (0, 0)
    assert margins([4]) == (4,)
    over = Standing((2, -2), (0,))
    assert (over.result(0), over.result(1)) == (1.0, -1.0)
    assert Standing((0, 0), ()).result(0) == 0.0  # a draw
    assert Standing((0, 0), (0, 1)).result(1) == 0.5
    assert Standing((5, -5), None).result(0) == 0.0


def went(margin: int, winners: tuple[int, ...] | None = None) -> Transcript:
    early = Standing((margin, -margin), None)
    return early, early, Standing((margin, -margin), winners)


def test_worth_rises_with_points_and_more_with_a_win() -> None:
    measure = Worth([went(4), went(-4)])
    behind, level, ahead = (measure.of(went(n), 0)[-1] for n in (-8, 0, 8))
    assert behind < level == 0.5 < ahead
    assert measure.of(went(-8, (0,)), 0)[-1] > ahead
    assert measure.of(went(8, (1,)), 0)[-1] < behind


def test_after_few_tries_the_near_counts_after_many_the_far() -> None:
    calm, wild = Standing((1, -1), None), Standing((-1, 1), None)
    measure = Worth([(calm, calm, Standing((20, -20), None)), (wild, wild, Standing((-20, 20), None))])
    few, many = measure.weights(2), measure.weights(400)
    assert few[0] > 5 * few[-1] and many[-1] > 3 * many[0]
    assert sum(few) == pytest.approx(1) == sum(many)


def test_worlds_look_the_same_and_differ(tiny: Ruleset) -> None:
    game = positions(tiny, 3, 7, 1)[1]
    seen = game.observe(game.to_move)
    hidden = set()
    for world in worlds(game, own_stream(1, 0, 0), 12):
        other = Game(game.ruleset, game.machine, world.state, 0, game.seats)
        assert other.observe(game.to_move) == seen
        assert game.search_machine.count(world.state) == game.option_count
        hidden.add(game.machine.table(world.state))
    assert len(hidden) > 6
    assert standing(game.machine, game.state).winners is None


# -------------------------------------------------------------------- spelling


def test_a_seat_may_have_parameters_and_a_name() -> None:
    assert split_seats("mcts(iterations=50,horizon=9)=Ann, random ,human=Bo") == [
        "mcts(iterations=50,horizon=9)=Ann",
        "random",
        "human=Bo",
    ]
    seat = seat_from("mcts( horizon = 9, iterations=50)=Ann")
    assert (seat.kind, seat.name) == ("mcts(horizon=9,iterations=50)", "Ann")
    bot = bot_of(seat.kind, 1)
    assert isinstance(bot, Mcts) and (bot.iterations, bot.horizon) == (50, 9)


@pytest.mark.parametrize(
    ("word", "message"),
    [
        ("mcts(iteration=5)", "no parameter 'iteration'; did you mean 'iterations'"),
        ("mcts(iterations=5,iterations=6)", "given twice"),
        ("mcts(iterations=1.5)", "a whole number"),
        ("mcts(iterations=many)", "write name=number"),
        ("mcts(iterations=5", "no seat is called"),
        ("human(iterations=5)", "takes nothing in brackets"),
        ("montecarlo(seconds=9999)", "from 0 to 3600"),
    ],
)
def test_a_seat_that_is_misspelt_is_told_why(word: str, message: str) -> None:
    with pytest.raises(UsageError, match=message.replace("(", r"\(")):
        seat_from(word)


# -------------------------------------------------------------------- strength


def won(ruleset: Ruleset, kinds: list[str], games: int) -> float:
    """How much of the games the first kind wins, in all seats in turn."""
    found = 0.0
    for seed in range(games):
        seat = seed % len(kinds)
        seats = [kinds[(place - seat) % len(kinds)] for place in range(len(kinds))]
        game = Game.start(ruleset, len(kinds), seed, laws=False)
        play_out(game, [bot_of(kind, seed) for kind in seats])
        found += seat in game.winners
    return found / games


def test_tree_search_does_not_lose_a_solved_game() -> None:
    """Three in a row: it never loses to the greedy one, and wins more than half of the games."""
    ruleset = ruleset_named("tic-tac-toe")
    assert won(ruleset, ["mcts(iterations=150)", "greedy"], 12) > 0.5
    assert won(ruleset, ["greedy", "mcts(iterations=150)"], 12) == 0


@pytest.mark.parametrize("kind", ["montecarlo(iterations=40)", "mcts(iterations=40)"])
def test_searching_beats_chance_in_a_small_game(tiny: Ruleset, kind: str) -> None:
    assert won(tiny, [kind, "random"], 16) >= 0.75


def test_whoever_has_nothing_to_choose_does_not_think(tiny: Ruleset) -> None:
    class One:
        option_count = 1

    one: Game = One()  # type: ignore[assignment]
    assert [bot.pick(one) for bot in (First(), *SEARCHERS.values())] == [0, 0, 0, 0]


@pytest.mark.parametrize("kind", ["greedy", "first", "random"])
def test_bots_answer_a_game_that_keeps_a_log(kind: str) -> None:
    """At a table the plain machine keeps the log, and the bots think on the fast one: at the same question."""
    with_log = Game.start(ruleset_named("maldorf"), 3, 7, log=True)
    without = Game.start(ruleset_named("maldorf"), 3, 7)
    bot = bot_of(kind, 7)
    for _ in range(6):
        picked = bot.pick(with_log)
        assert picked == bot.pick(without)
        with_log.choose(picked)
        without.choose(picked)
