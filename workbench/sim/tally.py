"""What the games of one ruleset show: who wins, by what points, how long it takes, what is used and what goes with it.

Every figure has an interval. Games are the independent things here, seats of one game are not: whatever is counted by
seat is first brought to one value a game.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

from attrs import frozen

from workbench.sim.games import GameRecord
from workbench.sim.statistics import Estimate, Running, Spread, among, mean, mean_of_sums, rate, spread

MIN_GAMES = 30  # games that must speak for a difference before it is called sure
MAX_ERRORS = 10  # that are told one by one


@frozen
class Line:
    """Somebody's victories and points: a seat's, or those of a kind of player by the seat."""

    name: str
    won: Estimate
    points: Estimate

    def data(self) -> dict[str, Any]:
        return {"name": self.name, "won": self.won.data(), "points": self.points.data()}


@frozen
class Part:
    """A part of the score: what a seat has of it on average, and how much more of it winners have than the others."""

    name: str
    points: Estimate
    ahead: Estimate

    def data(self) -> dict[str, Any]:
        return {"name": self.name, "points": self.points.data(), "winners_ahead": self.ahead.data()}


@frozen
class Used:
    """An option: how often it is taken, how those fare who take it, and how much better than the others of their game.

    `gain` and `points` compare, within a game and a kind of player, the seats that took it more often than the rest did
    with those that did not. `sure` says that the gain is none of chance, all options looked at together.
    """

    question: str
    key: str
    games: Estimate
    times: Estimate
    won: Estimate
    gain: Estimate
    points: Estimate
    sure: bool

    def data(self) -> dict[str, Any]:
        return {
            "question": self.question,
            "key": self.key,
            "games": self.games.data(),
            "times": self.times.data(),
            "users_won": self.won.data(),
            "gain": self.gain.data(),
            "gain_points": self.points.data(),
            "sure": self.sure,
        }


@frozen
class Findings:
    """Everything that the games of one ruleset show. `finished` games are counted; the others are only told of."""

    games: int
    finished: int
    given_up: int
    errors: tuple[tuple[int, str], ...]  # the seed of a game that broke the rules, and how
    broken: int
    decided: Estimate
    shared: Estimate
    decisions: Estimate
    lengths: Spread
    totals: Spread
    margin: Estimate  # of the first over the second in points
    seats: tuple[Line, ...]
    kinds: tuple[Line, ...]
    parts: tuple[Part, ...]
    uses: tuple[Used, ...]
    cooperative: bool = False  # then `decided` are the games that the table wins

    def data(self) -> dict[str, Any]:
        return {
            **({"cooperative": True, "table_wins": self.decided.data()} if self.cooperative else {}),
            "games": self.games,
            "finished": self.finished,
            "given_up": self.given_up,
            "broken": self.broken,
            "errors": [{"seed": seed, "error": error} for seed, error in self.errors],
            "with_a_winner": self.decided.data(),
            "shared_victories": self.shared.data(),
            "decisions": {**self.decisions.data(), **self.lengths.data()},
            "points": self.totals.data(),
            "margin": self.margin.data(),
            "seats": [line.data() for line in self.seats],
            "kinds": [line.data() for line in self.kinds],
            "parts": [part.data() for part in self.parts],
            "uses": [use.data() for use in self.uses],
        }


def tally(records: Iterable[GameRecord], parts: Sequence[str], kinds: Sequence[str]) -> Findings:
    """Count the games, in the order given. `parts` are the names of the parts of the score."""
    counting = _Counting(parts, tuple(dict.fromkeys(kinds)), len(kinds))
    for record in records:
        counting.add(record)
    return counting.findings()


class _Counting:
    def __init__(self, parts: Sequence[str], kinds: Sequence[str], players: int) -> None:
        self.part_names = parts
        self.games = self.given_up = 0
        self.cooperative = False
        self.errors: list[tuple[int, str]] = []
        self.decided, self.shared = Running(), Running()
        self.lengths: list[float] = []
        self.totals: list[float] = []
        self.margin = Running()
        self.seats = [(Running(), Running()) for _ in range(players)]
        self.kinds = {kind: (Running(), Running()) for kind in kinds}
        self.parts = [(Running(), Running()) for _ in parts]
        self.uses: dict[tuple[str, str], list[_Taken]] = {}  # by question and key: the games in which it was taken

    def add(self, record: GameRecord) -> None:
        self.games += 1
        if record.error:
            self.errors.append((record.seed, record.error))
        elif not record.finished:
            self.given_up += 1
        else:
            self._count(record)

    def _count(self, record: GameRecord) -> None:
        self.cooperative |= record.cooperative
        seats = range(len(record.seats))
        shares = [record.share(seat) for seat in seats]
        points = [record.points(seat) for seat in seats]
        self.decided.add(bool(record.winners))
        self.shared.add(len(record.winners) > 1)
        self.lengths.append(record.decisions)
        self.totals += points
        if len(points) > 1:
            first, second = sorted(points, reverse=True)[:2]
            self.margin.add(first - second)
        for seat, (won, scored) in enumerate(self.seats):
            won.add(shares[seat])
            scored.add(points[seat])
        for kind, (won, scored) in self.kinds.items():
            own = [seat for seat in seats if record.seats[seat] == kind]
            won.add(average(shares, own))
            scored.add(average(points, own))
        self._parts(record)
        self._uses(record, shares, points)

    def _parts(self, record: GameRecord) -> None:
        seats = range(len(record.seats))
        losers = [seat for seat in seats if seat not in record.winners]
        for number, (all_seats, ahead) in enumerate(self.parts):
            values = [record.parts[seat][number] / record.unit for seat in seats]
            all_seats.add(average(values, seats))
            if record.winners and losers:
                ahead.add(average(values, record.winners) - average(values, losers))

    def _uses(self, record: GameRecord, shares: Sequence[float], points: Sequence[float]) -> None:
        groups = [] if record.cooperative else seats_by_kind(record.seats)  # nobody there wins more than another
        known: dict[tuple[int, ...], _Taken] = {}  # most options are taken by one seat once
        for key, counts in record.uses.items():
            taken = known.get(counts)
            if taken is None:
                taken = known[counts] = taken_by(counts, groups, shares, points)
            games = self.uses.get(key)
            if games is None:
                games = self.uses[key] = []
            games.append(taken)

    def findings(self) -> Findings:
        finished = len(self.lengths)
        uses = {key: _Use(games) for key, games in sorted(self.uses.items())}
        level = among(sum(use.gain.count >= MIN_GAMES for use in uses.values()))
        return Findings(
            self.games,
            finished,
            self.given_up,
            tuple(self.errors[:MAX_ERRORS]),
            len(self.errors),
            self.decided.rate(),
            self.shared.rate(),
            mean(self.lengths),
            spread(self.lengths),
            spread(self.totals),
            self.margin.mean(),
            tuple(Line(str(n), won.rate(), scored.mean()) for n, (won, scored) in enumerate(self.seats)),
            tuple(Line(kind, won.rate(), scored.mean()) for kind, (won, scored) in self.kinds.items()),
            tuple(
                Part(name, points.mean(), ahead.mean())
                for name, (points, ahead) in zip(self.part_names, self.parts, strict=True)
            ),
            tuple(use.used(*key, finished, level) for key, use in uses.items()),
            self.cooperative,
        )


_Taken = tuple[int, float, float | None, float]
"""What one game says of an option: how often it was taken, how those fared who took it, how much better than the others
of their kind (None: nothing can be compared), in shares of the win and in points."""


def taken_by(
    counts: Sequence[int], groups: Sequence[Sequence[int]], shares: Sequence[float], points: Sequence[float]
) -> _Taken:
    """The same of every option that was taken as often by each seat."""
    gains, more_points = [], []
    for seats in groups:
        taken = sum(counts[seat] for seat in seats)
        more = [seat for seat in seats if counts[seat] * len(seats) > taken]
        if more:
            less = [seat for seat in seats if seat not in more]
            gains.append(average(shares, more) - average(shares, less))
            more_points.append(average(points, more) - average(points, less))
    won = average(shares, [seat for seat, count in enumerate(counts) if count])
    if not gains:
        return sum(counts), won, None, 0.0
    return sum(counts), won, sum(gains) / len(gains), sum(more_points) / len(more_points)


class _Use:
    """One option, through the games in which it was taken."""

    __slots__ = ("gain", "games", "moments", "points", "times", "won")

    def __init__(self, games: Sequence[_Taken]) -> None:
        self.games = len(games)
        self.times = sum([one[0] for one in games])
        self.moments = sum([one[0] ** 2 for one in games])
        compared = [one for one in games if one[2] is not None]
        self.won = Running.of([one[1] for one in games])
        self.gain = Running.of([one[2] or 0.0 for one in compared])
        self.points = Running.of([one[3] for one in compared])

    def used(self, question: str, key: str, finished: int, level: float) -> Used:
        sure = self.gain.count >= MIN_GAMES and self.gain.mean(level).sure
        return Used(
            question,
            key,
            rate(self.games, finished),
            mean_of_sums(self.times, self.moments, finished),
            self.won.rate(),
            self.gain.mean(),
            self.points.mean(),
            sure,
        )


def average(values: Sequence[float], seats: Sequence[int]) -> float:
    return sum(values[seat] for seat in seats) / len(seats)


def seats_by_kind(seats: Sequence[str]) -> list[list[int]]:
    """The seats that may be compared with one another: those of one kind of player, if there are several."""
    groups: dict[str, list[int]] = {}
    for seat, kind in enumerate(seats):
        groups.setdefault(kind, []).append(seat)
    return [group for group in groups.values() if len(group) > 1]


def metrics(record: GameRecord, parts: Sequence[str]) -> dict[str, float]:
    """The values of one game by which rulesets are compared."""
    seats = range(len(record.seats))
    found: dict[str, float] = {"decisions": record.decisions}
    if parts:
        found["points"] = sum(record.totals) / record.unit / len(record.seats)
    for number, name in enumerate(parts):
        found[f"points: {name}"] = sum(record.parts[seat][number] for seat in seats) / record.unit / len(record.seats)
    if record.cooperative:
        found["won: the table"] = record.share(0)
        return found
    for seat in seats:
        found[f"won: seat {seat + 1}"] = record.share(seat)
    kinds = Counter(record.seats)
    if len(kinds) > 1:
        for kind in sorted(kinds):
            own = [seat for seat in seats if record.seats[seat] == kind]
            found[f"won: {kind}"] = average([record.share(seat) for seat in seats], own)
    return found
