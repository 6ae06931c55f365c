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

import json
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

import hypothesis.strategies as st
from hypothesis import HealthCheck, settings
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
from workbench.fuzz.bots import GUIDED_BOTS, GuidedBot
from workbench.fuzz.findings import moves_in_words
from workbench.fuzz.locate import known
from workbench.fuzz.playthrough import Playthrough, Watch
from workbench.fuzz.shrink import Shrinking, Small, shrunk
from workbench.fuzz.violation import Violation
from workbench.support.ruleset_source import source_of
from workbench.support.rulesets import load_named
from workbench.testing.searched_games import searched_games

SMALL_SEED = (1 << 16) - 1
SHARES = 60  # parts of a game, any number of which a bot plays
ENDS = 4  # draws in addition that are whole games: what is wrong at the end is wrong there only
DRAWN = 60  # answers after those that are drawn one by one
STEPS = 30  # of a state machine, one of which is an answer or a leg that a bot plays
LEG = 120  # answers of a bot, at most
SEARCH = 100  # games of a search that positions and state machines begin in, if nothing else is said
POSITIONS = Watch(trips=0)  # on the way to a position every law is tested, what is hidden included

Roots = Sequence[Path] | None


class LawsViolatedError(AssertionError):
    """A law does not hold: which, and the shortest game found that shows it, to be pasted and in words."""

    def __init__(self, violation: Violation, walk: Playthrough) -> None:
        small = _small(walk.ruleset, violation, walk)
        violation, transcript = small.violation, small.transcript
        place = f"{violation.span.file}:{violation.span.line}: " if known(violation.span) else ""
        lines = [
            f"{violation.law}: {place}{violation.message}",
            f"{transcript.players} players, seed {transcript.seed}",
            f"Game.again({walk.ruleset.name!r}, players={transcript.players}, seed={transcript.seed},"
            f" answers={[move.key for move in transcript.moves]!r})",
        ]
        for number, move in enumerate(moves_in_words(walk.ruleset, transcript), 1):
            lines.append(f"{number:4}  {move['who']}: {move['question']} {move['answer']}")
        super().__init__("\n".join(lines))
        self.violation = violation
        self.transcript = transcript


def ruleset_of(name: str, roots: Roots = None) -> Ruleset:
    """A ruleset by its name (`maldorf+fr`) or folder, an overlay's too; an error that tells what is wrong with it."""
    loaded = load_named(name, default_roots(list(roots or ())))
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


def positions(
    ruleset: Ruleset, maximum: int = 0, players: st.SearchStrategy[int] | None = None, search: int | None = None
) -> st.SearchStrategy[Game]:
    """A game at any point of its length, after at most `maximum` answers if given; `LawsViolatedError` if a law breaks.

    Positions are reached by play, never laid out: what they show can really happen. A share of a whole game is played,
    then come answers that are drawn one by one; a position shrinks to few of both. That whole game is one of the first
    `search` games of a search of `warlock fuzz`, which branch off from rare positions. With `players`, or with
    `search=0`, a bot plays a game of its own.
    """
    if search and players is not None:
        raise ValueError("the games of a search have players of their own: give search or players")
    number = (SEARCH if players is None else 0) if search is None else search
    seated = players if players is not None else seats(ruleset)
    # Without arguments: Hypothesis would write a whole ruleset down as the name of the strategy.
    return st.composite(lambda draw: _position(draw, ruleset, maximum, seated, number))()


def states(ruleset: Ruleset, maximum: int = 0, search: int = SEARCH) -> st.SearchStrategy[dict[str, Any]]:
    """A position as JSON holds it: what `Game.save` gives and `Game.load` takes."""
    return positions(ruleset, maximum, search=search).map(_as_json)


def _as_json(game: Game) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(json.dumps(game.save()))
    return found


def _position(
    draw: st.DrawFn, ruleset: Ruleset, maximum: int, players: st.SearchStrategy[int], search: int
) -> Game:
    if search:
        return _searched_position(draw, ruleset, maximum, search)
    number, seed = draw(players), draw(st.integers(0, SMALL_SEED))
    bot, share = draw(st.sampled_from(GUIDED_BOTS)), draw(st.integers(0, SHARES + ENDS))
    answers = draw(st.lists(st.integers(0, 255), max_size=min(maximum or DRAWN, DRAWN)))
    walk = Playthrough(ruleset, number, seed, POSITIONS)
    _complain(walk)
    picked = _whole_game(ruleset, number, seed, bot) if share else ()
    ahead = len(picked) * min(share, SHARES) // SHARES
    for pick in (*picked[: min(ahead, maximum) if maximum else ahead], *answers):
        game = walk.standing
        if game is None or 0 < maximum <= len(game.answers):
            break
        walk.choose(pick % game.option_count)
        _complain(walk)
    assert walk.game is not None
    return walk.game


def _searched_position(draw: st.DrawFn, ruleset: Ruleset, maximum: int, search: int) -> Game:
    number, share = draw(st.integers(0, search - 1)), draw(st.integers(0, SHARES + ENDS))
    answers = draw(st.lists(st.integers(0, 255), max_size=min(maximum or DRAWN, DRAWN)))
    walk = _searched_walk(ruleset, number, share, POSITIONS, maximum)
    for pick in answers:
        game = walk.standing
        if game is None or 0 < maximum <= len(game.answers):
            break
        walk.choose(pick % game.option_count)
        _complain(walk)
    assert walk.game is not None
    return walk.game


def _searched_walk(ruleset: Ruleset, number: int, share: int, watch: Watch, maximum: int = 0) -> Playthrough:
    """A share of a game of the search; all of one that breaks a law."""
    found = searched_games(ruleset).game(number)
    walk = Playthrough(ruleset, found.players, found.seed, watch)
    _complain(walk)
    ahead = len(found.keys) if found.broken else len(found.keys) * min(share, SHARES) // SHARES
    for key in found.keys[: min(ahead, maximum) if maximum else ahead]:
        game = walk.standing
        if game is None:
            break
        keys = [option.key for option in game.options()]
        walk.choose(keys.index(key))
        _complain(walk)
    return walk


@lru_cache(maxsize=256)
def _whole_game(ruleset: Ruleset, players: int, seed: int, bot: str) -> tuple[int, ...]:
    """The numbers of the options that a bot takes in a whole game, or up to where a law breaks."""
    walk = Playthrough(ruleset, players, seed, POSITIONS)
    guide, picks = GuidedBot(ruleset, bot, seed, {}), []
    while (game := walk.standing) is not None:
        picks.append(guide.pick(game))
        walk.choose(picks[-1])
    return tuple(picks)


def _complain(walk: Playthrough) -> None:
    if walk.violation is not None:
        raise LawsViolatedError(walk.violation, walk)


_shortest: dict[tuple[str, str], Small] = {}  # by the digest of a ruleset and the key of a violation


def _small(ruleset: Ruleset, violation: Violation, walk: Playthrough) -> Small:
    """The shortest game known in which the same law breaks: the shrinker of `warlock fuzz` is asked once for each.

    Hypothesis makes small what it drew, which is what `@reproduce_failure` needs; that game is often the longer one.
    """
    key, transcript = (ruleset.digest, violation.key), walk.transcript
    if key not in _shortest:
        _shortest[key] = shrunk(Shrinking(source_of(ruleset), violation, transcript, walk.watch.max_length))
    small = _shortest[key]
    if (transcript.players, len(transcript.moves)) < (small.transcript.players, len(small.transcript.moves)):
        small = _shortest[key] = Small(violation, transcript, small.before, small.tries)
    return small


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


def state_machine(
    ruleset: Ruleset, watch: Watch | None = None, steps: int = STEPS, search: int = SEARCH
) -> type[RuleBasedStateMachine]:
    """A state machine that plays any game of a ruleset with every law tested, the free ones included.

    `TestGame = state_machine(ruleset_of("maldorf")).TestCase` is a test; a failure is a short game in words. A step is
    one answer, or a leg of many by a bot of `warlock fuzz`, so that `steps` steps lead to the end of a long game. It
    begins at any moment of one of the first `search` games of a search; with `search=0` always at the first question.
    """
    watched = watch if watch is not None else Watch()

    class Playing(RuleBasedStateMachine):
        walk: Playthrough | None = None

        @initialize(
            players=seats(ruleset),
            seed=st.integers(0, SMALL_SEED),
            game=st.integers(0, max(0, search - 1)),
            share=st.integers(0, SHARES + ENDS if search else 0),
        )
        def begin(self, players: int, seed: int, game: int, share: int) -> None:
            if search:
                self.walk = _searched_walk(ruleset, game, share, watched)
            else:
                self.walk = Playthrough(ruleset, players, seed, watched)
            _complain(self.walk)

        @precondition(lambda self: self.walk is not None and self.walk.standing is not None)
        @rule(answer=st.integers(0, 255))
        def answer(self, answer: int) -> None:
            assert self.walk is not None and self.walk.standing is not None
            self.walk.choose(answer % self.walk.standing.option_count)
            _complain(self.walk)

        @precondition(lambda self: self.walk is not None and self.walk.standing is not None)
        @rule(bot=st.sampled_from(GUIDED_BOTS), seed=st.integers(0, SMALL_SEED), answers=st.integers(1, LEG))
        def play_on(self, bot: str, seed: int, answers: int) -> None:
            """A bot gives the next answers."""
            assert self.walk is not None
            guide = GuidedBot(ruleset, bot, seed, {})
            for _ in range(answers):
                if (game := self.walk.standing) is None:
                    break
                self.walk.choose(guide.pick(game))
            _complain(self.walk)

        @precondition(lambda self: self.walk is not None and self.walk.standing is None)
        @rule()
        def over(self) -> None:
            """Nobody is asked any more."""
            assert self.walk is not None and self.walk.game is not None and self.walk.game.over

    Playing.__name__ = Playing.__qualname__ = "Playing"
    Playing.TestCase.settings = settings(
        stateful_step_count=steps,
        deadline=None,
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
    )
    return Playing
