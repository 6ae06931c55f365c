"""What differences come to: the same seeds and seats played under both rulesets, and what changes from game to game."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

from workbench.diff.model import Effect, Measure
from workbench.language.phrases import Phrases
from workbench.language.sentences import Words
from workbench.sim.games import GameRecord, Setup, play_some, record_from, setups
from workbench.sim.statistics import LEVEL, paired, rate
from workbench.support.progress import Advance
from workbench.support.ruleset_source import RulesetSource
from workbench.support.workers import WorkerPool

BATCH = 5  # pairs that a worker plays before it reports

Value = Callable[[GameRecord], float]


def measure_effect(
    pool: WorkerPool,
    old: RulesetSource,
    new: RulesetSource,
    kinds: Sequence[str],
    games: int,
    seed: int,
    advance: Advance,
    until: float = 0.0,
    lang: str = "en",
) -> Effect:
    """Play pairs of games, each with one seed and the same bots in the same seats, and compare them."""
    began = time.monotonic()
    ours, theirs = (list(setups(source, kinds, seed, range(games))) for source in (old, new))
    both = [setup for pair in zip(ours, theirs, strict=True) for setup in pair]
    tasks = [both[first : first + 2 * BATCH] for first in range(0, len(both), 2 * BATCH)]
    found: dict[int, list[GameRecord]] = {}
    for number, records in pool.done(_play, tasks):
        found[number] = records
        advance(len(records) // 2, "")
        if until and time.time() > until:
            break
    played = [record for number in sorted(found) for record in found[number]]
    pairs = list(zip(played[::2], played[1::2], strict=True))
    whole = [pair for pair in pairs if all(record.finished for record in pair)]
    return Effect(
        games=len(whole),
        unfinished=len(pairs) - len(whole),
        players=len(kinds),
        policy=", ".join(kinds),
        level=LEVEL,
        method=Phrases(lang)("diff_method"),
        seeds=tuple(record.seed for record, _ in whole),
        measures=tuple(_measures(old, new, whole, lang)),
        seconds=time.monotonic() - began,
    )


def _play(batch: Sequence[Setup]) -> list[GameRecord]:
    return [record_from(data) for data in play_some(batch)]


# ------------------------------------------------------------------- measures


def _measures(
    old: RulesetSource, new: RulesetSource, pairs: Sequence[tuple[GameRecord, GameRecord]], lang: str
) -> list[Measure]:
    """Every measure, the intervals so wide that all of them hold together (Bonferroni)."""
    say = Phrases(lang)
    points, seats, share = say("diff_unit_points"), say("diff_unit_seats"), say("diff_unit_share")
    names = [[score.name for score in source.ruleset().program.scores] for source in (old, new)]
    wanted: list[tuple[str, str, str, tuple[Value, Value]]] = [
        ("length", say("diff_measure_length"), say("diff_unit_decisions"), (_length, _length)),
        ("total", say("diff_measure_total"), points, (_points, _points)),
        ("winner_total", say("diff_measure_winner_total"), points, (_best, _best)),
        ("margin", say("diff_measure_margin"), points, (_lead, _lead)),
        ("winners", say("diff_measure_winners"), seats, (_won, _won)),
    ]
    if all(record.cooperative for pair in pairs for record in pair):
        wanted[2:] = [("winners", say("diff_measure_table_wins"), share, (_table_wins, _table_wins))]
    for name in dict.fromkeys(names[0] + names[1]):
        values = _part(names[0], name), _part(names[1], name)
        wanted.append((f"part.{name}", _called(name, names[1], old, new, lang), points, values))
    level = 1 - (1 - LEVEL) / (len(wanted) + 1)
    found = [
        _measure(key, label, unit, [(ours(a), theirs(b)) for a, b in pairs], level)
        for key, label, unit, (ours, theirs) in wanted
    ]
    return [*found, _other_winner(pairs, level, say)]


def _called(name: str, known: Sequence[str], old: RulesetSource, new: RulesetSource, lang: str) -> str:
    """What the game calls a part of the score."""
    return Words((new if name in known else old).ruleset(), lang).name(f"score.{name}")


def _other_winner(pairs: Sequence[tuple[GameRecord, GameRecord]], level: float, say: Phrases) -> Measure:
    """In how many of the pairs the winners are not the same: a share, with Wilson's interval."""
    other = tuple((0.0, float(a.winners != b.winners)) for a, b in pairs)
    share = rate(sum(int(changed) for _, changed in other), len(other), level)
    verdict = "unsure" if not other else "more" if share.value else "same"
    together = bool(pairs) and all(record.cooperative for pair in pairs for record in pair)
    label = say("diff_measure_table_ends_otherwise" if together else "diff_measure_other_winner")
    named = ("winner", label, say("diff_unit_share"))
    return Measure(*named, 0.0, share.value, share.value, share.low, share.high, verdict, other)


def _measure(key: str, label: str, unit: str, pairs: Sequence[tuple[float, float]], level: float) -> Measure:
    before, after = [a for a, _ in pairs], [b for _, b in pairs]
    change = paired(before, after, level)
    if all(a == b for a, b in pairs):
        verdict = "same" if pairs else "unsure"
    else:
        verdict = "unsure" if not change.sure else "more" if change.value > 0 else "less"
    count = max(len(pairs), 1)
    return Measure(
        key, label, unit, sum(before) / count, sum(after) / count, change.value, change.low, change.high, verdict,
        tuple(pairs),
    )  # fmt: skip


def _length(record: GameRecord) -> float:
    return record.decisions


def _points(record: GameRecord) -> float:
    return sum(record.totals) / record.unit / len(record.seats)


def _best(record: GameRecord) -> float:
    return max(record.totals) / record.unit


def _lead(record: GameRecord) -> float:
    totals = sorted(record.totals, reverse=True)
    return (totals[0] - totals[1]) / record.unit if len(totals) > 1 else 0.0


def _table_wins(record: GameRecord) -> float:
    return record.share(0)


def _won(record: GameRecord) -> float:
    return len(record.winners)


def _part(names: Sequence[str], name: str) -> Value:
    """The points a seat has of one part on average; a ruleset without that part gives none for it."""
    if name not in names:
        return lambda record: 0.0
    place = names.index(name)
    return lambda record: sum(parts[place] for parts in record.parts) / record.unit / len(record.seats)
