"""A run: many games of one ruleset or of several on common seeds, shared out to workers, kept in a checkpoint."""

from __future__ import annotations

import base64
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from attrs import frozen

from workbench.players.registry import thinks
from workbench.sim.games import GAMES, GameRecord, Setup, apart, belongs, play_one, setups, together
from workbench.support.checkpoint import Checkpoint
from workbench.support.packed import DamagedError, checked, pack, unpack
from workbench.support.progress import Advance
from workbench.support.ruleset_source import RulesetSource
from workbench.support.workers import WorkerPool
from workbench.transcripts.transcript import MAX_DECISIONS

MAX_BATCH = 40  # games of quick players that are handed out and noted together


@frozen
class Branch:
    """One of the rulesets of a run, under the name it was asked for by."""

    name: str
    source: RulesetSource


@frozen
class Plan:
    """What is played: the rulesets, the kinds of players (they change seats from game to game), seeds and how many."""

    branches: tuple[Branch, ...]
    kinds: tuple[str, ...]
    seed: int
    games: int
    laws: bool = False
    cap: int = MAX_DECISIONS

    def heading(self, version: str) -> dict[str, Any]:
        """What makes two runs the same run. How many games there are to be does not: a run can be made longer."""
        return {
            "rulesets": [[branch.name, branch.source.ruleset().hash] for branch in self.branches],
            "kinds": list(self.kinds),
            "seed": self.seed,
            "laws": self.laws,
            "cap": self.cap,
            "version": version,
        }

    def setups(self, branch: int, numbers: Sequence[int]) -> tuple[Setup, ...]:
        return tuple(setups(self.branches[branch].source, self.kinds, self.seed, numbers, self.laws, self.cap))


class Played:
    """The games of a run, by branch and number, packed as they came: ten thousand of them fit into memory with ease."""

    def __init__(self, branches: int) -> None:
        self._batches: list[tuple[int, bytes]] = []  # the number of the first game, and the records
        self._where: list[dict[int, int]] = [{} for _ in range(branches)]  # by game: its batch

    def add(self, branch: int, first: int, count: int, text: str) -> None:
        """Take in what a worker sent or a checkpoint kept: games with consecutive numbers."""
        self._where[branch].update(dict.fromkeys(range(first, first + count), len(self._batches)))
        self._batches.append((first, base64.b64decode(text)))

    def has(self, branch: int, number: int) -> bool:
        return number in self._where[branch]

    def records(self, branch: int, games: int) -> Iterator[GameRecord]:
        """The games of a branch in the order of their numbers, however they came."""
        opened, first, records = -1, 0, list[GameRecord]()
        for number in range(games):
            at = self._where[branch][number]
            if at != opened:
                first, content = self._batches[at]
                opened, records = at, apart(unpack(content))
            yield records[number - first]


@frozen
class Batch:
    """A task: consecutive games of one branch."""

    branch: int
    first: int
    setups: tuple[Setup, ...]

    @property
    def key(self) -> str:
        return f"{self.branch}:{self.first}"


def play_batch(batch: Batch) -> str:
    """Play the games of a batch; packed, for the journey and for the checkpoint."""
    return base64.b64encode(pack(together([play_one(setup) for setup in batch.setups]), 1)).decode()


def unpacked(text: str) -> list[GameRecord]:
    """The records of a packed batch, which may be a stranger's."""
    try:
        content = base64.b64decode(text, validate=True)
    except ValueError:
        raise DamagedError("it is not packed") from None
    try:
        return apart(checked(unpack(content), GAMES))
    except DamagedError:
        raise
    except (LookupError, ValueError):
        raise DamagedError("it names uses that there are not") from None


def read_batch(plan: Plan, key: str, text: object) -> Any:
    """What a checkpoint has for a batch, if it can be one of this run: it may be a stranger's."""
    branch, _, first = key.partition(":")
    if not all(word.isascii() and word.isdecimal() and len(word) < 10 for word in (branch, first)):
        raise DamagedError("it names no games")
    if int(branch) >= len(plan.branches):
        raise DamagedError("it names another ruleset")
    kept = checked(text, str)
    found = unpacked(kept)
    scores = len(plan.branches[int(branch)].source.ruleset().program.scores)
    for record, setup in zip(found, plan.setups(int(branch), range(int(first), int(first) + len(found))), strict=True):
        if not belongs(record, setup, scores):
            raise DamagedError("it holds another game")
    return kept


def batches(plan: Plan, played: Played, workers: int) -> Iterator[Batch]:
    """What is still to be played. The branches go forward together, so that an early stop leaves pairs."""
    size = batch_size(plan, workers)
    for start in range(0, plan.games, size):
        for branch in range(len(plan.branches)):
            missing = [n for n in range(start, min(start + size, plan.games)) if not played.has(branch, n)]
            for numbers in _runs(missing):
                yield Batch(branch, numbers[0], plan.setups(branch, numbers))


def batch_size(plan: Plan, workers: int) -> int:
    """How many games go together: one where players think, else few enough that all workers end at about the same
    time. The results do not depend on it."""
    if any(thinks(kind) for kind in plan.kinds):
        return 1
    return max(1, min(MAX_BATCH, plan.games * len(plan.branches) // (workers * 8)))


def _runs(numbers: Sequence[int]) -> Iterator[list[int]]:
    """Numbers in runs without a gap."""
    run: list[int] = []
    for number in numbers:
        if run and number != run[-1] + 1:
            yield run
            run = []
        run.append(number)
    if run:
        yield run


def resumed(plan: Plan, done: Mapping[str, Any]) -> Played:
    """The games that a checkpoint has already."""
    played = Played(len(plan.branches))
    for key, text in done.items():
        branch, _, first = key.partition(":")
        played.add(int(branch), int(first), len(unpacked(text)), text)
    return played


def carry_out(plan: Plan, pool: WorkerPool, book: Checkpoint | None, advance: Advance) -> Played:
    """Play all games of a plan that the checkpoint does not have."""
    played = resumed(plan, book.done if book is not None else {})
    had = sum(played.has(branch, n) for branch in range(len(plan.branches)) for n in range(plan.games))
    advance(had, "")
    handed: list[Batch] = []

    def tasks() -> Iterator[Batch]:
        for batch in batches(plan, played, pool.workers):
            handed.append(batch)
            yield batch

    for number, text in pool.done(play_batch, tasks()):
        batch = handed[number]
        played.add(batch.branch, batch.first, len(batch.setups), text)
        if book is not None:
            book.note(batch.key, text)
        advance(len(batch.setups), plan.branches[batch.branch].name if len(plan.branches) > 1 else "")
    return played
