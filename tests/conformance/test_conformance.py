"""Every game under rules/, alone and with each overlay on it, for every number of players, passes one kit of tests.

Games and overlays are found by listing the folders. The small profile plays the beginning of one game a ruleset, the
numbers of players in turn; the long one whole games for each number of players.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest

from interpreter import Game
from tests.interpreter.tiny import ruleset as tiny
from warlock_dsl.diagnostics.diagnostic import Severity
from warlock_dsl.files import available, available_overlays, stack_of
from warlock_dsl.load import load
from warlock_dsl.ruleset import Ruleset
from workbench.fuzz.violation import ViolationError
from workbench.testing.conformance import ConformanceError, Effort, conform, playthrough

ROOT = Path(__file__).parents[2]
RULES = [ROOT / "rules"]
GOLDEN = ROOT / "tests" / "golden" / "playthroughs"
GAMES = [game.name for game in available(RULES)]
STACKS = [
    *GAMES,
    *(stack_of(overlay.path) for game in GAMES for overlay in available_overlays(game, RULES)),
]
WHOLE = Effort(decisions=3000, hidden=3, trips=10, words=25)


def named(stack: str) -> str:
    return stack.replace(f"{ROOT / 'variants'}/", "").replace("/", ".")


@cache
def ruleset_of(stack: str) -> Ruleset:
    loaded = load(stack, RULES)
    errors = [error.message for error in loaded.diagnostics if error.severity is Severity.ERROR]
    assert loaded.ruleset is not None, errors
    return loaded.ruleset


def counts(ruleset: Ruleset) -> range:
    return range(ruleset.components.min_players, ruleset.components.max_players + 1)


@pytest.mark.parametrize("number", range(len(STACKS)), ids=[named(stack) for stack in STACKS])
def test_the_beginning_of_a_game(number: int) -> None:
    ruleset = ruleset_of(STACKS[number])
    players = counts(ruleset)[number % len(counts(ruleset))]
    assert conform(ruleset, players, number, Effort(decisions=40)).answers


@pytest.mark.parametrize("game", GAMES)
def test_every_number_of_players_begins(game: str) -> None:
    ruleset = ruleset_of(game)
    for players in counts(ruleset):
        assert conform(ruleset, players, players, Effort(decisions=12, words=12)).players == players
    for players in (counts(ruleset)[0] - 1, counts(ruleset)[-1] + 1):
        with pytest.raises(Exception, match="players"):
            Game.start(ruleset, players)


@pytest.mark.long
@pytest.mark.parametrize("stack", STACKS, ids=named)
def test_whole_games_for_every_number_of_players(stack: str) -> None:
    ruleset = ruleset_of(stack)
    for players in counts(ruleset):
        for seed in range(3):
            assert conform(ruleset, players, seed, WHOLE).over


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("take", [0, 1, 2])
def test_a_recorded_game_is_played_as_it_was(game: str, take: int, golden: Callable[[Path, str], None]) -> None:
    """What a change of the rules does to whole games shows here; `pytest --accept` records them anew."""
    ruleset = ruleset_of(game)
    players = counts(ruleset)[take % len(counts(ruleset))]
    golden(GOLDEN / f"{game}-{players}-{take}.txt", playthrough(ruleset, players, take))


# ------------------------------------------------------ the kit can fail

LEAKY = """
rule play:
    shuffle deck
    for me in players: move top(deck) to my.hand
    for me in players:
        choose n in 1..9 where n > sum(c in next(me).hand: c.value): add n to my.step
    finish players
"""


def test_a_leak_is_noticed() -> None:
    with pytest.raises(ViolationError, match="other options"):
        for seed in range(6):
            conform(tiny(LEAKY), 2, seed, Effort(hidden=1))


def test_a_game_that_forgets_its_seed_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    fair = tiny(LEAKY.replace("> sum(c in next(me).hand: c.value)", "> 3"))
    start, calls = Game.start, []

    def drifting(*arguments: object, **more: object) -> Game:
        calls.append(1)
        ruleset, players, _, *rest = arguments
        return start(ruleset, players, len(calls), *rest, **more)  # type: ignore[arg-type]

    conform(fair, 2, 3, Effort())
    monkeypatch.setattr(Game, "start", drifting)
    with pytest.raises(ConformanceError, match="begins another game"):
        conform(fair, 2, 3, Effort())
