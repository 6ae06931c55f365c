"""One game of the search, as a task that any process can do."""

from __future__ import annotations

from attrs import field, frozen

from workbench.fuzz.breach import Breach
from workbench.fuzz.pilots import Pilot
from workbench.fuzz.traits import Traits
from workbench.fuzz.walk import Walk, Watch
from workbench.lab.course import Course
from workbench.lab.recipe import Recipe

MOST_FORGIVEN = 200  # answers that break a law already known, which one game steers around


@frozen
class Hunt:
    """What to play: who answers, after which answers, and which laws are known to be broken anyway."""

    recipe: Recipe
    number: int
    players: int
    seed: int
    pilot: str
    start: tuple[str, ...] = ()
    further: int = 0  # how many decisions after those it goes on; 0: to its end
    seen: dict[tuple[str, str], int] = field(factory=dict, repr=False)
    known: frozenset[str] = frozenset()
    watch: Watch = field(factory=Watch)


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
    breach: Breach | None = None
    course: Course | None = None


def hunt(task: Hunt) -> Quarry:
    """Play one game until a law breaks that was not known to be broken, or to its end."""
    ruleset = task.recipe.ruleset()
    walk = Walk(ruleset, task.players, task.seed, task.watch)
    traits, pilot = Traits(ruleset), Pilot(ruleset, task.pilot, task.seed * 1_000_003 + task.number, task.seen)
    ahead, forgiven = list(reversed(task.start)), 0
    most = len(task.start) + task.further if task.further else task.watch.longest
    while (game := walk.standing) is not None and len(walk.moves) < most:
        decision = game.decision
        assert decision is not None
        traits.stands(game)
        number = -1
        if ahead:
            key = ahead.pop()
            number = next((n for n, option in enumerate(decision.options) if option.key == key), -1)
        if number < 0:
            ahead.clear()
            number = pilot.pick(game)
        traits.answered(decision, number, len(game.answers))
        breach = walk.choose(number)
        if breach is not None and breach.key in task.known and forgiven < MOST_FORGIVEN and breach.law != "ends":
            forgiven += 1
            walk.forgive()
    game = walk.game
    if game is not None and walk.breach is None:
        traits.stands(game)
    new = walk.breach is not None and walk.breach.key not in task.known
    return Quarry(
        task.number,
        task.players,
        task.seed,
        tuple(game.answers) if game is not None else (),
        game is not None and game.over,
        traits.first,
        dict(traits.taken),
        walk.breach,
        walk.course if new else None,
    )
