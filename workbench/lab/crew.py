"""Work shared out to processes: the same results, in whatever order they are done, on one core or on many machines."""

from __future__ import annotations

import multiprocessing
import os
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Executor, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from typing import TypeVar

from workbench.files import Trouble

Task = TypeVar("Task")
Result = TypeVar("Result")
AHEAD = 2  # tasks handed out for each worker: enough to keep it busy, few enough to stop soon


def cores() -> int:
    """How many processes may work at once here."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


class Crew:
    """Runs a function over tasks. Without an executor everything happens here, one task after another."""

    def __init__(self, executor: Executor | None = None, workers: int = 1) -> None:
        self.executor = executor
        self.workers = workers

    def done(self, work: Callable[[Task], Result], tasks: Iterable[Task]) -> Iterator[tuple[int, Result]]:
        """Each result with the number of its task, as they come. Tasks are taken only as workers are free, so that
        they may be without end; whoever stops listening stops the work."""
        if self.executor is None:
            for number, task in enumerate(tasks):
                yield number, work(task)
            return
        waiting: dict[Future[Result], int] = {}
        left = iter(enumerate(tasks))
        try:
            while True:
                while len(waiting) < self.workers * AHEAD and (one := next(left, None)) is not None:
                    waiting[self.executor.submit(work, one[1])] = one[0]
                if not waiting:
                    return
                ready, _ = wait(waiting, return_when=FIRST_COMPLETED)
                for future in sorted(ready, key=lambda found: waiting[found]):
                    yield waiting.pop(future), future.result()
        except BrokenProcessPool:
            raise Trouble("a worker was killed from outside; what was finished before is kept", 1) from None
        finally:
            for future in waiting:
                future.cancel()

    def all(self, work: Callable[[Task], Result], tasks: Iterable[Task]) -> list[Result]:
        """Every result, in the order of the tasks."""
        return [result for _, result in sorted(self.done(work, tasks), key=lambda found: found[0])]


@contextmanager
def crew(jobs: int = 0) -> Iterator[Crew]:
    """A crew of so many processes on this machine (0: one a core; 1: this process alone)."""
    workers = jobs or cores()
    if workers == 1:
        yield Crew()
        return
    # Fresh processes, not forked ones: a fork copies locks that the thread of a progress display may hold.
    with ProcessPoolExecutor(workers, multiprocessing.get_context("spawn")) as executor:
        try:
            yield Crew(executor, workers)
        finally:
            executor.shutdown(wait=False, cancel_futures=True)
