"""Exhaustive search of a small instance: every state that can be reached, breadth first, every law tested in each."""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from attrs import define, field, frozen

from interpreter import UNREACHED, GameFileError, Handle
from workbench.explore.store import StateStore
from workbench.explore.walker import Search, Task, Way, look, spelled, walker_for
from workbench.support.packed import checked
from workbench.support.progress import progress
from workbench.support.workers import WorkerPool

RECORD = {
    "from": int,
    "count": int,
    "new": [(str, str, int)],
    "ends": int,
    "transitions": int,
    "errors": [(int, [int], str)],
}
"""The shape of a record of the trail."""
BATCH = 32  # states that a process looks at before it tells


# ----------------------------------------------------------------------- search


@frozen
class Finding:
    """A law that breaks: how many decisions it takes, and the way there from the beginning."""

    depth: int
    error: str
    ways: tuple[Way, ...]  # the first is the set-up

    def data(self) -> dict[str, Any]:
        return {"depth": self.depth, "error": self.error}


@define
class Standing:
    """How far a search has come. States go by number, in the order in which they were found."""

    seen: set[bytes] = field(factory=set, repr=False)
    parents: array[int] = field(factory=lambda: array("l"), repr=False)
    depths: list[int] = field(factory=list)  # how many states each depth has
    looked: int = 0  # states that have been looked at, from the first
    ends: int = 0
    transitions: int = 0
    findings: list[Finding] = field(factory=list)
    bound: str = ""  # what stopped the search before it was done

    @property
    def states(self) -> int:
        return len(self.parents)

    @property
    def done(self) -> bool:
        return self.looked == self.states and not self.bound


class Explorer:
    """One search on its trail."""

    def __init__(
        self, search: Search, store: StateStore, maximum: int, memory: int, tell: Callable[[Finding], None]
    ) -> None:
        self.search = search
        self.store = store
        self.maximum = maximum
        self.memory = memory
        self.before = used_memory()  # what the process had already is not of this search
        self.tell = tell
        self.at = Standing()
        self.level_starts: list[int] = []  # by depth: the number of its first state
        self.places = array("Q")  # by batch of states written: where it begins in the trail
        self.firsts = array("Q")  # by batch: the number of its first state
        self.told: Counter[str] = Counter()
        self.inherited = 1 << 62  # states that come from a file which may be a stranger's; all while it is read

    # ------------------------------------------------------------------ resume

    def resume(self) -> None:
        """Take over what the trail has."""
        for begin, record in _with_places(self.store):
            try:
                if begin:
                    self.note(self.plausible(record), begin, fresh=False)
            except (GameFileError, *UNREACHED):
                raise self.store.damaged("it holds a state that no game of this ruleset reaches") from None
        self.inherited = self.at.states

    def plausible(self, record: object) -> Mapping[str, Any]:
        """A record of the trail, if it can be the next: the file may be a stranger's. The states in it are tested when
        they are looked at."""
        at = self.at
        try:
            found: Mapping[str, Any] = checked(record, RECORD)
            keys = [bytes.fromhex(key) for key, _, _ in found["new"]]
        except ValueError:  # of base64, or DamagedError
            raise self.store.damaged("it holds what no search writes") from None
        root = not at.states
        low = -1 if root else at.looked
        high = -1 if root else at.looked + found["count"] - 1
        parents = [parent for *_, parent in found["new"]]
        if (
            found["from"] != at.looked
            or not 0 <= found["count"] <= at.states - at.looked
            or (not root and not found["count"])
            or min(found["ends"], found["transitions"]) < 0
            or len(set(keys)) < len(keys)
            or not at.seen.isdisjoint(keys)
            or any(not low <= parent <= high for parent in parents)
            or parents != sorted(parents)
            or any(not max(low, 0) <= parent <= max(high, 0) or not way for parent, way, _ in found["errors"])
        ):
            raise self.store.damaged("it holds states that cannot follow those before")
        return found

    def run(self, pool: WorkerPool) -> Standing:
        self.resume()
        with progress("states") as advance:
            if not self.at.states:
                self.add(look(Task(self.search, ())), 0, 1)
            shown = 0
            advance(0, "", self.at.states)
            while self.at.looked < self.at.states and not self.full():
                level = self.depth_of(self.at.looked)
                last = self.level_starts[level] + self.at.depths[level]
                for found, count in self.looked(pool, self.at.looked, last):
                    self.add(found, self.at.looked, count)
                    waiting = self.at.states - self.at.looked
                    advance(self.at.looked - shown, f"depth {level}, {waiting:,} waiting", self.at.states)
                    shown = self.at.looked
                    if self.full():
                        break
        return self.at

    def so_far(self) -> str:
        """What has been done, in words."""
        return (
            f"looking at {self.at.looked:,} of the {self.at.states:,} states found, {len(self.at.findings)} laws break"
        )

    def full(self) -> bool:
        """Whether a bound is reached. What was found so far stays; a later run with a higher bound goes on."""
        if self.at.states >= self.maximum:
            self.at.bound = f"{self.maximum:,} states"
        elif used_memory() - self.before > self.memory:
            self.at.bound = f"{self.memory:,} MB of memory"
        return bool(self.at.bound)

    def looked(self, pool: WorkerPool, begin: int, end: int) -> Iterator[tuple[list[list[Any]], int]]:
        """What the states of these numbers lead to, in their order, by batch."""
        waiting: dict[int, list[list[Any]]] = {}
        sizes: list[int] = []

        def tasks() -> Iterator[Task]:
            for states in self.batches(begin, end):
                sizes.append(len(states))
                yield Task(self.search, tuple(states), begin >= self.inherited)

        following = 0
        for number, found in pool.done(look, tasks()):
            waiting[number] = found
            while following in waiting:
                yield waiting.pop(following), sizes[following]
                following += 1

    def batches(self, begin: int, end: int) -> Iterator[list[Any]]:
        """The packed states of these numbers, a few at a time, read from the trail."""
        batch: list[Any] = []
        number = begin
        for state in self.stored(begin):
            batch.append(state)
            number += 1
            if len(batch) == BATCH or number == end:
                yield batch
                batch = []
            if number == end:
                return

    def stored(self, begin: int) -> Iterator[Any]:
        """The packed states from a number on."""
        place = bisect_right(self.firsts, begin) - 1
        skip = begin - self.firsts[place]
        for _, record in self.store.records(self.places[place]):
            for child in record["new"][skip:]:
                yield child[1]
            skip = max(0, skip - len(record["new"]))

    # --------------------------------------------------------------------- add

    def add(self, found: Sequence[Sequence[Sequence[Any]]], begin: int, count: int) -> None:
        """Write down what some states lead to, the new ones in full, and only then tell of it."""
        new: list[Any] = []
        errors: list[Any] = []
        ends = transitions = 0
        keys: set[bytes] = set()
        root = not self.at.states
        for offset, children in enumerate(found):
            for key, packed, over, way, error in children:
                transitions += 1
                if error:
                    errors.append([begin + offset, way, error])
                    continue
                raw = bytes.fromhex(key)
                if raw in self.at.seen or raw in keys:
                    continue
                keys.add(raw)
                ends += over
                new.append([key, packed, -1 if root else begin + offset])
        record = {
            "from": begin, "count": 0 if root else count, "new": new, "ends": ends, "transitions": transitions,
            "errors": errors,
        }  # fmt: skip
        place = self.store.write(record)
        self.note(record, place, fresh=True)

    def note(self, record: Mapping[str, Any], place: int, fresh: bool) -> None:
        """Take a record of the trail into account."""
        at = self.at
        if record["new"]:
            self.places.append(place)
            self.firsts.append(at.states)
        for key, _, parent in record["new"]:
            at.seen.add(bytes.fromhex(key))
            depth = 0 if parent < 0 else self.depth_of(parent) + 1
            if depth == len(at.depths):
                at.depths.append(0)
                self.level_starts.append(at.states)
            at.depths[depth] += 1
            at.parents.append(parent)
        at.looked += record["count"]
        at.ends += record["ends"]
        at.transitions += record["transitions"]
        for parent, way, error in record["errors"]:
            self.found(parent, way, error, record["count"] == 0, fresh)

    def found(self, parent: int, way: Sequence[int], error: str, root: bool, fresh: bool) -> None:
        """An error: of each sort the first is kept, which is the shortest."""
        self.told[error] += 1
        if self.told[error] == 1:
            depth = 0 if root else self.depth_of(parent) + 1
            steps = () if root else self.way_to(parent)
            finding = Finding(depth, error, (*steps, tuple(way)))
            if not fresh:
                spelled(self.search, finding.ways)  # raises where a stranger's way leads nowhere
            self.at.findings.append(finding)
            self.tell(finding)

    def depth_of(self, number: int) -> int:
        depth = len(self.level_starts) - 1
        while self.level_starts[depth] > number:
            depth -= 1
        return depth

    def way_to(self, number: int) -> tuple[Way, ...]:
        """The way from the beginning to a state: found by looking again at each state on it."""
        chain = [number]
        while self.at.parents[chain[-1]] >= 0:
            chain.append(self.at.parents[chain[-1]])
        walker = walker_for(self.search)
        steps: list[Way] = []
        following: Handle | None = None
        for place, one in enumerate(reversed(chain)):
            state = walker.thawed(next(self.stored(one)), one >= self.inherited)
            key = walker.key_of(state)
            if place == 0:
                ways = [(0, *told) for told, child, _ in walker.roots() if walker.key_of(child) == key]
            else:
                assert following is not None
                children = walker.children(following)
                sound = ((n, told, child) for n, told, child, error in children if error is None)
                ways = [(n, *told) for n, told, child in sound if walker.key_of(child) == key]
            steps.append(ways[0])
            following = state
        return tuple(steps)


def _with_places(store: StateStore) -> Iterator[tuple[int, Any]]:
    begin = 0
    for after, record in store.records():
        yield begin, record
        begin = after


def used_memory() -> int:
    """The memory this process has had at most, in megabytes; 0 where the system does not say."""
    try:
        status = Path("/proc/self/status").read_text(encoding="ascii", errors="replace")
        return int(status.split("VmHWM:", 1)[1].split(None, 1)[0]) >> 10
    except (OSError, LookupError, ValueError):
        pass  # on Linux `resource` would count what the process had that started this one
    try:
        import resource
        import sys
    except ImportError:
        return 0
    scale = 1 << 20 if sys.platform == "darwin" else 1 << 10
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // scale
