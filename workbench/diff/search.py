"""Looking for a witness: games of the first ruleset, each followed under every difference that is still unseen.

A game is played once, with every position kept; under a difference alone only the second game has to be run. Games are
played at random first, then driven towards what the unseen differences are about; from their late positions further
games branch off. How much is tried depends on the seed and the differences alone, never on the clock.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence

from attrs import frozen

from interpreter import Game, PlayError
from interpreter.state import random as chance
from warlock_dsl import Ruleset
from workbench.diff.bots import RANDOM, Drive, Driven, in_turn
from workbench.diff.kept import Hit, Rounds, Tally, Trip
from workbench.diff.lockstep import Divergence, Lockstep
from workbench.support.progress import Advance
from workbench.support.ruleset_source import RulesetSource
from workbench.support.workers import WorkerPool
from workbench.transcripts.transcript import Move, Transcript, question_of

MAX_COUNT = 1500  # decisions of one game
OPENING = 60  # decisions of a game of the first round
BRANCHES = 8  # games that branch off from the last part of another
TAIL = 3  # that part: the last third
LENGTH = 60  # decisions of a branch
SCORED = 16  # the points are compared at every so-manieth decision, and at the end
MAX_GAMES = 1000  # of a search
MAX_SEED_LENGTH = 1 << 40
ROUND = 4  # games that are played before the results are looked at


@frozen
class Sought:
    """A difference to be seen: the ruleset with it alone, and what to push to come near it."""

    number: int
    source: RulesetSource
    drives: tuple[Drive, ...]
    rounds: int  # how long it is looked for
    scored: bool = False  # whether the points may depend on it


@frozen
class Task:
    """A game to be played, and the differences under which it is followed."""

    old: RulesetSource
    sought: tuple[tuple[int, RulesetSource, bool], ...]
    drive: Drive
    players: int
    seed: int
    maximum: int  # decisions
    until: float = 0.0  # by the clock: no further difference is looked at after it; 0 is no bound


# ------------------------------------------------------------------ one machine


class Track:
    """A game of the first ruleset with all its positions, from a start on. `moves` are the answers between them."""

    def __init__(self, game: Game, pick: Callable[[Game], int], maximum: int) -> None:
        self.games = [game]
        self.moves: list[Move] = []
        while not game.over and len(self.moves) < maximum:
            number = pick(game)
            decision = game.decision
            assert decision is not None
            move = Move(decision.player, question_of(decision), decision.options[number].key)
            game = game.copy()
            try:
                game.choose(number)
            except PlayError:
                break  # an error of the first ruleset: no difference to be seen beyond it
            self.moves.append(move)
            self.games.append(game)


def explore(task: Task) -> Trip:
    """Play a game and its branches, and follow them under each difference."""
    ruleset = task.old.ruleset()
    if not ruleset.components.min_players <= task.players <= ruleset.components.max_players:
        return Trip()
    try:
        start = Game.start(ruleset, task.players, task.seed, laws=False)
    except PlayError:
        return Trip()
    main = Track(start, Driven(task.drive, task.seed).pick, task.maximum)
    branches = list(_branches(main, task.seed)) if task.drive.what else []
    hits, tallies = {}, {}
    for number, source, scored in task.sought:
        if task.until and time.time() > task.until:
            break
        began = time.monotonic()
        hit, games, decisions = _followed(main, branches, source.ruleset(), scored)
        if hit is not None:
            hits[number] = hit
        tallies[number] = Tally(games, decisions, time.monotonic() - began)
    return Trip(hits, tallies)


def _branches(main: Track, seed: int) -> Iterator[tuple[int, Track]]:
    """Games at random from positions of the last part, each with the number of the position it begins at."""
    whole = len(main.moves)
    for branch in range(min(BRANCHES, whole // TAIL)):
        at = whole - 1 - branch * (whole // TAIL) // BRANCHES
        yield at, Track(main.games[at], Driven(RANDOM, branched(seed, branch)).pick, LENGTH)


def branched(seed: int, number: int) -> int:
    """A seed of its own for a branch."""
    return chance.step(chance.seeded(seed) ^ (number + 1))[1]


def game_seed(seed: int, number: int) -> int:
    """The seed of a game of the search: short where possible, since people read it; never too long for a file."""
    first = abs(seed) if abs(seed) < MAX_SEED_LENGTH else chance.step(chance.seeded(seed))[1] % MAX_SEED_LENGTH
    return first * MAX_GAMES + number


def _followed(
    main: Track, branches: Sequence[tuple[int, Track]], new: Ruleset, scored: bool
) -> tuple[Hit | None, int, int]:
    """The first place where a game or one of its branches parts under other rules; how much was played."""
    start = main.games[0]
    pair = Lockstep.begin(start.ruleset, new, start.players, start.seed, scored=False)
    pair.old = start
    kept: dict[int, Lockstep] = {}
    found, played = _along(pair, main, scored, {at for at, _ in branches}, kept)
    if found is not None:
        return _hit(start, main.moves[: found[0]], found[1]), 1, played
    games, best = 1, None
    for at, track in branches:
        if at not in kept:
            continue
        games += 1
        found, more = _along(kept[at].copy(), track, scored, set(), {})
        played += more
        if found is not None:
            hit = _hit(start, [*main.moves[:at], *track.moves[: found[0]]], found[1])
            best = hit if best is None or hit.size < best.size else best
    return best, games, played


def _along(
    pair: Lockstep, track: Track, scored: bool, keep: set[int], kept: dict[int, Lockstep]
) -> tuple[tuple[int, Divergence] | None, int]:
    """Follow a track with the second game until they part: after how many answers and how, and how far it went."""
    last = len(track.moves)
    for place, game in enumerate(track.games):
        pair.old = game
        pair.scored = scored and (place == last or place % SCORED == 0)
        divergence = pair.divergence()
        if divergence is not None:
            return (place, divergence), place
        if place in keep:
            kept[place] = pair.copy()
        if place < last:
            pair.follow(track.moves[place].key)
    return None, last


def _hit(start: Game, moves: Sequence[Move], divergence: Divergence) -> Hit:
    return Hit(Transcript(start.players, start.seed, tuple(moves)), divergence.kind)


# ------------------------------------------------------------------ all of them


@frozen
class Wanted:
    """What a search is for: differences on one ruleset, until when by the clock (0: no bound), and how many steps the
    whole comparison has."""

    old: RulesetSource
    sought: tuple[Sought, ...]
    seed: int
    until: float
    total: int


def search(
    pool: WorkerPool, wanted: Wanted, rounds: Rounds, advance: Advance
) -> tuple[dict[int, Hit], dict[int, Tally]]:
    """Look for every difference until it is seen, its rounds are used up or the time is over. Rounds that are known are
    not played again. `advance` is told of each that is seen."""
    old, sought, seed, until = wanted.old, wanted.sought, wanted.seed, wanted.until
    hits: dict[int, Hit] = {}
    tallies = {one.number: Tally() for one in sought}
    parts = old.ruleset().components
    counts = range(parts.min_players, parts.max_players + 1)
    used: set[tuple[Drive, int]] = set()
    for number in range(max((one.rounds for one in sought), default=0)):
        left = [one for one in sought if one.number not in hits and number < one.rounds]
        if not left:
            break
        sources = tuple((one.number, one.source, one.scored) for one in left)
        games = list(_games(number, left, counts, used, seed))
        found = rounds.known(number)
        if found is None:
            if until and time.time() > until:
                break
            maximum = MAX_COUNT if number else OPENING
            tasks = [Task(old, sources, drive, players, begun, maximum, until) for drive, players, begun in games]
            found = _together(pool.all(explore, tasks))
            if not until or time.time() <= until:
                rounds.note(number, found)
        new = {one: hit for one, hit in found.hits.items() if one not in hits}
        hits |= new
        for one, tally in found.tallies.items():
            tallies[one] = tallies[one].plus(tally)
        advance(len(new), f"{len(hits)} of {len(sought)} seen", wanted.total)
    return hits, tallies


def _together(trips: Sequence[Trip]) -> Trip:
    """What the games of a round found: of each difference the best place."""
    hits: dict[int, Hit] = {}
    tallies: dict[int, Tally] = {}
    for trip in trips:
        for one, hit in trip.hits.items():
            if one not in hits or hit.size < hits[one].size:
                hits[one] = hit
        for one, tally in trip.tallies.items():
            tallies[one] = tallies.get(one, Tally()).plus(tally)
    return Trip(hits, tallies)


def _games(
    number: int, left: Sequence[Sought], counts: range, used: set[tuple[Drive, int]], seed: int
) -> Iterator[tuple[Drive, int, int]]:
    """The games of a round: at random in the first two (of the first only the opening, for what shows early) and in
    every fourth after; else what the unseen ones want, in turn, with few players before many."""
    wanted = in_turn([one.drives for one in left])
    many = [counts[0], counts[-1], *counts[1:-1]]
    for place in range(ROUND):
        begun = game_seed(seed, number * ROUND + place)
        if number == 0 or number % 4 == 1 or not wanted:
            yield RANDOM, many[place % len(many)], begun
            continue
        fresh = [(drive, players) for players in many for drive in wanted if (drive, players) not in used]
        drive, players = fresh[0] if fresh else (wanted[place % len(wanted)], many[place % len(many)])
        used.add((drive, players))
        yield drive, players, begun
