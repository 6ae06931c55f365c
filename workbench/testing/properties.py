"""Hypothesis for rulesets: games, positions and stacks of overlays to draw from, and a state machine for any game.

What Hypothesis draws for a game are its number of players, its seed and the numbers of the options taken, so that it
shrinks a failing game to few players, a small seed and few answers that are not the first on offer. Needs the extra
`properties` (Hypothesis).

    from hypothesis import given
    from warlock_rules.testing import positions, ruleset_of

    @given(positions(ruleset_of("maldorf")))
    def test_nobody_owes(game):
        assert all(sheet.total >= 0 for sheet in game.scores())
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import hypothesis.strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, precondition, rule

from interpreter import Game
from warlock_dsl import (
    Overlay,
    Ruleset,
    Severity,
    Use,
    default_roots,
    find_overlay,
    load_ruleset,
    parse_stack,
    read_folder,
    read_overlay,
)
from workbench.fuzz.findings import moves_in_words
from workbench.fuzz.locate import known
from workbench.fuzz.playthrough import Playthrough, Watch
from workbench.fuzz.violation import Violation

SMALL_SEED = (1 << 16) - 1
MAX_ANSWERS = 60  # of a position
THOROUGH = Watch(hidden=2, trips=6, twins=True)

Roots = Sequence[Path] | None


class LawsViolatedError(AssertionError):
    """A law does not hold: which, and the game that shows it in words."""

    def __init__(self, violation: Violation, walk: Playthrough) -> None:
        transcript = walk.transcript
        place = f"{violation.span.file}:{violation.span.line}: " if known(violation.span) else ""
        lines = [
            f"{violation.law}: {place}{violation.message}",
            f"{transcript.players} players, seed {transcript.seed}",
        ]
        for number, move in enumerate(moves_in_words(walk.ruleset, transcript), 1):
            lines.append(f"{number:4}  {move['who']}: {move['question']} {move['answer']}")
        super().__init__("\n".join(lines))
        self.violation = violation
        self.transcript = transcript


def ruleset_of(name: str, roots: Roots = None) -> Ruleset:
    """A ruleset by its name (`maldorf+fr`) or folder; an error that tells its errors if it has any."""
    loaded = load_ruleset(name, list(roots) if roots is not None else None)
    if loaded.ruleset is None:
        errors = [one for one in loaded.diagnostics if one.severity is Severity.ERROR]
        raise ValueError("; ".join(f"{one.span.file}:{one.span.line}: {one.message}" for one in errors[:5]))
    return loaded.ruleset


# ------------------------------------------------------------------ strategies


def seats(ruleset: Ruleset) -> st.SearchStrategy[int]:
    """How many play, the fewest first."""
    return st.integers(ruleset.components.min_players, ruleset.components.max_players)


def games(ruleset: Ruleset, players: st.SearchStrategy[int] | None = None) -> st.SearchStrategy[Game]:
    """A game at its first question."""
    return st.builds(
        lambda number, seed: Game.start(ruleset, number, seed),
        players if players is not None else seats(ruleset),
        st.integers(0, SMALL_SEED),
    )


@st.composite
def positions(
    draw: st.DrawFn, ruleset: Ruleset, maximum: int = MAX_ANSWERS, players: st.SearchStrategy[int] | None = None
) -> Game:
    """A game somewhere on its way, after at most `maximum` answers; `LawsViolatedError` where a law does not hold.

    Positions are reached by play, never laid out: what they show can really happen.
    """
    number = draw(players if players is not None else seats(ruleset))
    walk = Playthrough(ruleset, number, draw(st.integers(0, SMALL_SEED)), Watch(hidden=0, trips=0))
    answers = draw(st.lists(st.integers(0, 255), max_size=maximum))
    _complain(walk)
    for answer in answers:
        game = walk.standing
        if game is None:
            break
        walk.choose(answer % game.option_count)
        _complain(walk)
    assert walk.game is not None
    return walk.game


def _complain(walk: Playthrough) -> None:
    if walk.violation is not None:
        raise LawsViolatedError(walk.violation, walk)


def parameters(base: str, overlay: str, roots: Roots = None) -> st.SearchStrategy[dict[str, str]]:
    """Values for the parameters of an overlay, each within its range; the default first."""
    head = _overlay(base, overlay, roots)
    return st.fixed_dictionaries({name: _values(head, name, value) for name, value in head.parameters.items()})


def stacks(base: str, overlay: str, roots: Roots = None) -> st.SearchStrategy[str]:
    """Names of rulesets: an overlay with values for its parameters, `game+overlay(limit=2)`. Only sound ones."""
    given = parameters(base, overlay, roots)
    names = given.map(lambda values: f"{base}+{Use(overlay, values)}")
    where = list(roots) if roots is not None else None
    return names.filter(lambda name: load_ruleset(name, where).ruleset is not None)


def _overlay(base: str, overlay: str, roots: Roots) -> Overlay:
    stack = parse_stack(base)
    if isinstance(stack, str):
        raise ValueError(stack)
    folder = find_overlay(stack.base, overlay, default_roots(list(roots or ())))
    if folder is None:
        raise ValueError(f"there is no overlay '{overlay}' on {stack.base}")
    files, _ = read_folder(folder)
    head, errors = read_overlay(files, overlay, {})
    if head is None:
        raise ValueError("; ".join(error.message for error in errors))
    return head


def _values(head: Overlay, name: str, default: Any) -> st.SearchStrategy[str]:
    """The values one parameter may have, as they are written in a name."""
    if isinstance(default, bool):
        return st.sampled_from([default, not default]).map(lambda value: "true" if value else "false")
    low, found, high = head.ranges.get(name, "").partition("..")
    if not found:
        return st.just(str(default))
    numbers = [number for number in range(int(low), int(high) + 1) if number != int(default)]
    return st.sampled_from([int(default), *numbers]).map(str)


# --------------------------------------------------------------- state machine


def state_machine(ruleset: Ruleset, watch: Watch = THOROUGH) -> type[RuleBasedStateMachine]:
    """A state machine that plays any game of a ruleset with every law tested, the free ones included.

    `TestGame = state_machine(ruleset_of("maldorf")).TestCase` is a test; a failure is a short game in words.
    """

    class Playing(RuleBasedStateMachine):
        walk: Playthrough | None = None

        @initialize(players=seats(ruleset), seed=st.integers(0, SMALL_SEED))
        def begin(self, players: int, seed: int) -> None:
            self.walk = Playthrough(ruleset, players, seed, watch)
            _complain(self.walk)

        @precondition(lambda self: self.walk is not None and self.walk.standing is not None)
        @rule(answer=st.integers(0, 255))
        def answer(self, answer: int) -> None:
            assert self.walk is not None and self.walk.standing is not None
            self.walk.choose(answer % self.walk.standing.option_count)
            _complain(self.walk)

        @precondition(lambda self: self.walk is not None and self.walk.standing is None)
        @rule()
        def over(self) -> None:
            """Nobody is asked any more."""
            assert self.walk is not None and self.walk.game is not None and self.walk.game.over

    Playing.__name__ = Playing.__qualname__ = "Playing"
    return Playing
