"""One game of the search, as a task that any process can do."""

from __future__ import annotations

from attrs import field, frozen

from workbench.fuzz.bots import GuidedBot
from workbench.fuzz.features import StateFeatures, option_classes
from workbench.fuzz.goals import GoalLog
from workbench.fuzz.playthrough import Playthrough, Watch
from workbench.fuzz.violation import Violation
from workbench.support.ruleset_source import RulesetSource
from workbench.transcripts.transcript import Transcript

MAX_FORGIVEN = 200  # answers that break a law already known, which one game steers around


@frozen
class FuzzTask:
    """What to play: who answers, after which answers, and which laws are known to be broken anyway."""

    source: RulesetSource
    number: int
    players: int
    seed: int
    bot: str
    start: tuple[str, ...] = ()
    further: int = 0  # how many decisions after those it goes on; 0: to its end
    seen: dict[tuple[str, str], int] = field(factory=dict, repr=False)
    known: frozenset[str] = frozenset()
    watch: Watch = field(factory=Watch)
    wanted: frozenset[str] = frozenset()  # what is sometimes so, looked for all the way


@frozen
class Quarry:
    """What came of it. `first` has, for each trait of the game, after how many decisions it was first there."""

    number: int
    players: int
    seed: int
    answers: tuple[str, ...]
    over: bool
    first: dict[tuple[str, ...], int] = field(repr=False)
    taken: dict[tuple[str, str], int] = field(repr=False)
    violation: Violation | None = None
    transcript: Transcript | None = None
    deals: int = 0  # how often what is hidden was dealt anew, and how often no such deal could be
    dropped: int = 0
    tested: dict[str, int] | None = None  # how often each law's condition came up, in a game in which that is counted
    opening: tuple[str, ...] = ()  # what is sometimes so: what held at the start, at the end, and where each was first
    closing: tuple[str, ...] = ()
    reached: dict[str, int] = field(factory=dict)
    wanted: frozenset[str] = frozenset()


def task(task: FuzzTask) -> Quarry:
    """Play one game until a law breaks that was not known to be broken, or to its end."""
    ruleset = task.source.ruleset()
    walk = Playthrough(ruleset, task.players, task.seed, task.watch)
    features, bot = StateFeatures(ruleset), GuidedBot(ruleset, task.bot, task.seed * 1_000_003 + task.number, task.seen)
    ahead, forgiven = list(reversed(task.start)), 0
    goals = GoalLog(ruleset, task.wanted)
    if (first := walk.standing) is not None:
        goals.stands(first, opening=True)
    maximum = len(task.start) + task.further if task.further else task.watch.max_length
    while (game := walk.standing) is not None and len(walk.moves) < maximum:
        features.stands(game)
        number = -1
        if ahead:
            key = ahead.pop()
            number = next((n for n, one in enumerate(game.keys) if one == key), -1)
        again = number >= 0
        if not again:
            ahead.clear()
            number = bot.pick(game)
        features.answered(game.question, option_classes(ruleset).of(game)[number], len(game.answers))
        violation = walk.choose(number, again)
        if (
            violation is not None
            and violation.key in task.known
            and forgiven < MAX_FORGIVEN
            and violation.law != "ends"
        ):
            forgiven += 1
            walk.forgive()
        elif violation is None:
            goals.stands(game)
    game = walk.game
    if game is not None and walk.violation is None:
        features.stands(game)
    new = walk.violation is not None and walk.violation.key not in task.known
    return Quarry(
        task.number,
        task.players,
        task.seed,
        tuple(game.answers) if game is not None else (),
        game is not None and game.over,
        features.first,
        dict(features.taken),
        walk.violation,
        walk.transcript if new else None,
        walk.deals,
        walk.dropped,
        None if walk.tested is None else dict(walk.tested),
        tuple(goals.opening),
        tuple(goals.closing),
        goals.reached,
        task.wanted,
    )
