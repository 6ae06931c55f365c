"""Work shared out to processes: the same results, in whatever order they are done, on one core or on many machines."""

from __future__ import annotations

import multiprocessing
import os
import signal
from _thread import interrupt_main
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Executor, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager, suppress
from multiprocessing.connection import Connection
from threading import Thread, current_thread, main_thread
from typing import TypeVar

from workbench.support.errors import UsageError
from workbench.support.which_machine import speed_up

Task = TypeVar("Task")
Result = TypeVar("Result")
AHEAD = 2  # tasks handed out for each worker: enough to keep it busy, few enough to stop soon


def cores() -> int:
    """How many processes may work at once here."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


class WorkerPool:
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
                    waiting[self.executor.submit(_task, work, one[1])] = one[0]
                if not waiting:
                    return
                ready, _ = wait(waiting, return_when=FIRST_COMPLETED)
                for future in sorted(ready, key=lambda found: waiting[found]):
                    yield waiting.pop(future), future.result()
        except BrokenProcessPool:
            raise UsageError("a worker was killed from outside; what was finished before is kept", 1) from None
        finally:
            for future in waiting:
                future.cancel()

    def all(self, work: Callable[[Task], Result], tasks: Iterable[Task]) -> list[Result]:
        """Every result, in the order of the tasks."""
        return [result for _, result in sorted(self.done(work, tasks), key=lambda found: found[0])]


# --------------------------------------------------------------- in a worker


class _Stopped(BaseException):
    """Nobody needs this task any more."""


class _Duty:
    """Whether this process still has somebody to work for, and whether it is at a task."""

    over = False
    busy = False


def _task(work: Callable[[Task], Result], task: Task) -> Result:
    """A task, unless nobody waits for it any more."""
    if _Duty.over:
        raise _Stopped
    _Duty.busy = True
    try:
        return work(task)
    finally:
        _Duty.busy = False


def _begin_work(end: Connection) -> None:
    """What a worker does first: it leaves an interrupt to the process it works for, and listens for the end.

    When that process is done with its workers, or was killed, the other end of the line closes. Then the worker drops
    what it is at, so that nobody is kept waiting, and does not outlive the one it works for.
    """
    signal.signal(signal.SIGINT, _interrupted)
    speed_up(tell=False)
    Thread(target=_listen, args=(end,), daemon=True).start()


def _interrupted(number: int, frame: object) -> None:
    if _Duty.over and _Duty.busy:
        raise _Stopped


def _listen(end: Connection) -> None:
    with suppress(EOFError, OSError):
        end.recv_bytes()
    _Duty.over = True
    interrupt_main()
    above = multiprocessing.parent_process()
    if above is not None:
        above.join()
    os._exit(1)


def _nothing(number: int) -> int:
    return number


@contextmanager
def worker_pool(jobs: int = 0) -> Iterator[WorkerPool]:
    """A pool of at most `jobs` processes on this machine (0: one a core; 1: this process alone)."""
    workers = jobs or cores()
    if workers == 1:
        yield WorkerPool()
        return
    # Fresh processes, not forked ones: a fork copies locks that the thread of a progress display may hold.
    fresh = multiprocessing.get_context("spawn")
    end, own = fresh.Pipe(duplex=False)
    with end, ProcessPoolExecutor(workers, fresh, _begin_work, (end,)) as executor:
        try:
            with _undisturbed():
                for number in range(workers):
                    executor.submit(_nothing, number)
            yield WorkerPool(executor, workers)
        finally:
            own.close()
            # Waiting for the last tasks: a pool that is left behind complains when Python ends.
            executor.shutdown(wait=True, cancel_futures=True)


@contextmanager
def _undisturbed() -> Iterator[None]:
    """No interrupts while workers are started: they would take it over, and complain before they can be told not to."""
    if current_thread() is not main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
