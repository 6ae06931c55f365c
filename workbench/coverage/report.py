"""What came up in many games and what never did: sums up the batches of `covering` and tells why."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from attrs import define, evolve, field, frozen

from warlock_dsl import Loaded, Ruleset
from workbench.coverage.collect import Batch, Plan, cover, seating
from workbench.coverage.features import SORTS, Feature, features
from workbench.inspect.addresses import Entry, every_entry
from workbench.inspect.traceability import RULES
from workbench.support.checkpoint import Checkpoint
from workbench.support.packed import DamagedError, checked
from workbench.support.progress import progress
from workbench.support.workers import WorkerPool

BATCH = 8  # games that a process plays before it tells


@define
class Sums:
    """Everything that was counted so far."""

    games: int = 0
    decisions: int = 0
    unfinished: int = 0
    errors: list[list[Any]] = field(factory=list)
    found: dict[tuple[str, str], list[int]] = field(factory=dict)  # times, games, first seed
    lines: Counter[tuple[str, int]] = field(factory=Counter)

    def add(self, data: Mapping[str, Any]) -> None:
        self.games += data["games"]
        self.decisions += data["decisions"]
        self.unfinished += data["unfinished"]
        self.errors += data["errors"]
        for sort, name, times, games, seed in data["features"]:
            entry = self.found.setdefault((sort, name), [0, 0, seed])
            entry[2] = min(entry[2], seed) if games and entry[1] else seed if games else entry[2]
            entry[0] += times
            entry[1] += games
        for file, line, count in data["lines"]:
            self.lines[file, line] += count


BATCH_SHAPE = {
    "games": int,
    "decisions": int,
    "unfinished": int,
    "errors": [(int, int, str)],
    "features": [(str, str, int, int, int)],
    "lines": [(str, int, int)],
}


def run(plan: Plan, seed: int, games: int, checkpoint: Checkpoint | None, pool: WorkerPool) -> Sums:
    """Play the games, in batches that a checkpoint may have already."""
    starts = range(0, games, BATCH)
    batches = [Batch(plan, tuple(seed + n for n in range(start, min(start + BATCH, games)))) for start in starts]
    sums = Sums()
    done = checkpoint.done if checkpoint is not None else {}
    left = []
    for batch in batches:
        if (key := _key(batch)) in done:
            sums.add(done[key])
        else:
            left.append(batch)
    with progress("games", games) as advance:
        advance(sums.games, "")
        for number, data in pool.done(cover, left):
            sums.add(data)
            if checkpoint is not None:
                checkpoint.note(_key(left[number]), data)
            advance(len(left[number].seeds), f"{len(sums.found):,} things came up")
    return sums


def read_batch(questions: frozenset[str], key: str, data: object) -> Any:
    """What a checkpoint has for a batch of games with these questions, if a run writes such: it may be a stranger's."""
    found = checked(data, BATCH_SHAPE)
    counts = [found["games"], found["decisions"], found["unfinished"]]
    counts += [count for *_, times, games, _ in found["features"] for count in (times, games)]
    counts += [count for *_, count in found["lines"]]
    if min(counts) < 0 or found["games"] > BATCH:
        raise DamagedError("it counts what cannot be")
    options = (name for sort, name, *_ in found["features"] if sort == "option")
    if any(name.partition(" = ")[0] not in questions for name in options):
        raise DamagedError("it has answers to a question that nobody asks")
    return found


def questions_of(ruleset: Ruleset) -> frozenset[str]:
    return frozenset(feature.name for feature in features(ruleset) if feature.sort == "question")


def _key(batch: Batch) -> str:
    return f"{batch.seeds[0]}+{len(batch.seeds)}"


# ----------------------------------------------------------------------- report


@frozen
class Item:
    """A feature and how it fared; `seed` begins the first game that shows it."""

    feature: Feature
    times: int
    games: int
    seed: int

    @property
    def fired(self) -> bool:
        return self.times > 0

    def data(self) -> dict[str, Any]:
        feature = self.feature
        found: dict[str, Any] = {"sort": feature.sort, "name": feature.name, "what": feature.what}
        found |= {"file": feature.span.file, "line": feature.span.line}
        if self.fired:
            return found | {"times": self.times, "games": self.games, "seed": self.seed}
        return found | ({"ruled_out": feature.ruled_out} if feature.ruled_out else {})


@frozen
class Report:
    ruleset: Ruleset
    plan: Plan
    seed: int
    sums: Sums
    items: tuple[Item, ...]

    def of(self, sort: str) -> list[Item]:
        return [item for item in self.items if item.feature.sort == sort]

    def never(self, sort: str = "") -> list[Item]:
        """What could have come up and did not."""
        return [i for i in self.items if not i.fired and not i.feature.ruled_out and sort in ("", i.feature.sort)]

    def ruled_out(self, sort: str = "") -> list[Item]:
        return [i for i in self.items if not i.fired and i.feature.ruled_out and sort in ("", i.feature.sort)]

    def rarest(self, count: int) -> list[Item]:
        fired = [item for item in self.items if item.fired]
        return sorted(fired, key=lambda item: (item.games, item.times, item.feature.name))[:count]

    def seats(self, item: Item) -> tuple[int, str]:
        return seating(self.plan, self.ruleset, item.seed)

    def again(self, item: Item) -> str:
        """The command that plays the first game in which something came up."""
        players = f" --players {self.plan.players}" if self.plan.players else ""
        guided = f" --guided {self.plan.guided}"
        return f"warlock coverage {self.ruleset.name} --games 1 --seed {item.seed}{players}{guided}"

    def summary(self) -> dict[str, dict[str, int]]:
        return {
            sort: {
                "all": len(self.of(sort)),
                "fired": sum(item.fired for item in self.of(sort)),
                "ruled_out": len(self.ruled_out(sort)),
                "never": len(self.never(sort)),
            }
            for sort in SORTS
            if self.of(sort)
        }

    def data(self, rarest: int) -> dict[str, Any]:
        sums = self.sums
        return {
            "ruleset": self.ruleset.name,
            "hash": self.ruleset.hash,
            "games": sums.games,
            "decisions": sums.decisions,
            "unfinished": sums.unfinished,
            "seed": self.seed,
            "guided": self.plan.guided,
            "summary": self.summary(),
            "never": [item.data() for item in self.never()],
            "ruled_out": [item.data() for item in self.ruled_out()],
            "rarest": [item.data() | {"again": self.again(item)} for item in self.rarest(rarest)],
            "fired": [item.data() for item in self.items if item.fired],
            "errors": [{"seed": seed, "players": players, "error": error} for seed, players, error in sums.errors],
        }


def report(loaded: Loaded, plan: Plan, seed: int, sums: Sums) -> Report:
    """Put what was counted beside what there is."""
    ruleset = loaded.ruleset
    assert ruleset is not None and loaded.final is not None
    every = features(ruleset)
    known = {(feature.sort, feature.name) for feature in every}
    every += [one for one in _offered(every, sums) if (one.sort, one.name) not in known]
    entries = every_entry(ruleset, loaded.sources, loaded.final.modules)
    carried = _carried(entries, sums)
    items = []
    for feature in every:
        times, games, first = sums.found.get((feature.sort, feature.name), (0, 0, seed))
        if feature.sort == "source" and feature.name in carried:
            times, games, first = carried[feature.name]
        items.append(Item(_explained(feature, entries, every, sums), times, games, first))
    return Report(ruleset, plan, seed, sums, tuple(items))


def _offered(every: Sequence[Feature], sums: Sums) -> Iterator[Feature]:
    """Answers that were seen on offer; a question says where they stand."""
    places = {feature.name: feature.span for feature in every if feature.sort == "question"}
    for sort, name in sorted(sums.found):
        if sort == "option":
            question, _, label = name.partition(" = ")
            yield Feature(name, "option", f"{question}: {label}", places[question])


def _counts(entry: Entry, sums: Sums) -> tuple[int, int, int] | None:
    """How an entry fared; None for what lies on the table in every game."""
    address = entry.address
    if entry.what in RULES:
        sort = {"rule": "rule", "event": "rule", "definition": "definition"}.get(entry.what, "score")
        if entry.what in ("invariant", "sometimes", "share", "relation", "reveals"):
            return None
        key = (sort, address.removeprefix("score."))
    elif entry.what == "figure":
        key = ("figure", address)
    elif entry.what == "cell of a table":
        key = ("cell", address)
    elif entry.what in ("series", "matrix"):
        key = ("series", address)
    else:
        return None
    times, games, first = sums.found.get(key, (0, 0, 0))
    return times, games, first


def _carried(entries: Sequence[Entry], sums: Sums) -> dict[str, tuple[int, int, int]]:
    """For each cited source, how the declaration fared that came up most; parts of the table come up in every game."""
    found: dict[str, tuple[int, int, int]] = {}
    for entry in entries:
        counts = _counts(entry, sums) or (sums.games, sums.games, 0)
        for cite in entry.cites:
            for id in cite.ids:
                if counts[1] > found.get(id, (0, 0, 0))[1]:
                    found[id] = counts
    return found


def _explained(feature: Feature, entries: Sequence[Entry], every: Sequence[Feature], sums: Sums) -> Feature:
    """A source that only declarations cite which the ruleset rules out is ruled out with them."""
    if feature.sort != "source" or feature.ruled_out:
        return feature
    citing = {entry.address for entry in entries if any(feature.name in cite.ids for cite in entry.cites)}
    if not citing:
        return evolve(feature, ruled_out="no declaration carries it out")
    reasons = {f.name: f.ruled_out for f in every if f.sort in ("rule", "definition", "figure") and f.ruled_out}
    if citing <= set(reasons):
        return evolve(feature, ruled_out=reasons[min(citing)])
    return feature
