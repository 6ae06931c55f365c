"""Rounds in which every lane has its turn, and what comes of them: medians, and ratios within each round."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import sqrt
from statistics import median

from attrs import frozen

from benchmarks.lane import Absent, Lane, Slice

Rounds = tuple[Slice, ...]
Found = dict[tuple[str, str], Rounds | Absent]  # by lane and game


@frozen
class Rate:
    """So many a second: the median of the rounds, the least and the most."""

    middle: float
    minimum: float
    maximum: float


def run(lanes: Sequence[Lane], games: Sequence[str], rounds: int, seconds: float, tell: Callable[[str], None]) -> Found:
    """Every lane plays every game in every round: a busy machine is busy for all. The first round only warms up."""
    slices: dict[tuple[str, str], list[Slice]] = {}
    found: Found = {}
    for number in range(rounds + 1):
        tell(f"round {number} of {rounds}" if number else "warming up")
        for game in games:
            for lane in lanes:
                key = lane.title, game
                if key in found:
                    continue  # is absent
                done = lane.ask(game, seconds)
                if isinstance(done, Absent):
                    found[key] = done
                elif number:
                    slices.setdefault(key, []).append(done)
    found.update({key: tuple(rounds) for key, rounds in slices.items() if key not in found})
    return with_decisions(lanes, found)


def with_decisions(lanes: Sequence[Lane], found: Found) -> Found:
    """A lane that does not count its decisions has as many a game as the one it is like."""
    whole = dict(found)
    for lane in lanes:
        for (title, game), rounds in found.items():
            if lane.like is None or title != lane.title or isinstance(rounds, Absent):
                continue
            model = found.get((lane.like, game), Absent("no rounds"))
            if isinstance(model, Absent):
                whole[title, game] = Absent(f"nothing to count its decisions by: {lane.like}")
                continue
            each = length(model)
            whole[title, game] = tuple(Slice(s.games, round(s.games * each), s.wins, s.seconds) for s in rounds)
    return whole


def length(rounds: Rounds) -> float:
    """Decisions of a game, on average."""
    return sum(s.decisions for s in rounds) / max(sum(s.games for s in rounds), 1)


def decisions_per_s(rounds: Rounds) -> Rate:
    return rate([s.decisions / s.seconds for s in rounds])


def games_per_s(rounds: Rounds) -> Rate:
    return rate([s.games / s.seconds for s in rounds])


def rate(values: Sequence[float]) -> Rate:
    return Rate(median(values), min(values), max(values))


def ratio(rounds: Rounds, base: Rounds) -> float:
    """How many times as many decisions a second: the median of the ratios within each round."""
    return median((a.decisions / a.seconds) / (b.decisions / b.seconds) for a, b in zip(rounds, base, strict=True))


def victories(rounds: Rounds) -> tuple[float, ...] | None:
    """The share of games each seat won; None where it is not told."""
    games = sum(s.games for s in rounds)
    wins = [sum(seat) for seat in zip(*(s.wins for s in rounds), strict=True)]
    return tuple(seat / games for seat in wins) if any(wins) else None


def strangers(found: Mapping[tuple[str, str], Rounds | Absent], game: str) -> list[str]:
    """Lanes that seem to play another game: a seat wins more or less often there than in all the others together,
    beyond what chance does once in fifteen thousand."""
    played = {title: r for (title, name), r in found.items() if name == game and not isinstance(r, Absent)}
    counts = {
        title: (sum(s.games for s in rounds), [sum(seat) for seat in zip(*(s.wins for s in rounds), strict=True)])
        for title, rounds in played.items()
        if victories(rounds) is not None
    }
    odd = []
    for title, (games, wins) in counts.items():
        others = [counts[other] for other in counts if other != title]
        total = sum(n for n, _ in others)
        if not total:
            continue
        for seat, won in enumerate(wins):
            share = (won + sum(w[seat] for _, w in others)) / (games + total)
            error = sqrt(share * (1 - share) * (1 / games + 1 / total))
            apart = abs(won / games - sum(w[seat] for _, w in others) / total)
            if apart > 4 * error and title not in odd:
                odd.append(title)
    return odd
