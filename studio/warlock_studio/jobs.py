"""Jobs of a page: each in a process of its own, which reports as it goes and can be stopped at any moment."""

from __future__ import annotations

import asyncio
import multiprocessing
import threading
from collections.abc import Callable
from contextlib import suppress
from multiprocessing.connection import Connection
from typing import Any

from warlock_studio.worker import Json, limit_memory

MAX_JOBS = 2  # of one page at a time
MAX_GAMES = 100_000


def work(connection: Connection, kind: str, words: tuple[Any, ...]) -> None:
    """What runs in the process of a job."""
    limit_memory()
    from interpreter import PlayError
    from workbench.service.jobs import JOBS

    try:
        for report in JOBS[kind](*words):
            connection.send(report)
        connection.send({"done": True})
    except PlayError as error:
        connection.send({"done": True, "error": error.message})
    except MemoryError:
        connection.send({"done": True, "error": "the rules need more memory than they are given"})
    except (EOFError, OSError, KeyboardInterrupt):
        return


class Jobs:
    """The jobs of one page."""

    def __init__(self, tell: Callable[[str, Json], None]) -> None:
        self.tell = tell
        self.loop = asyncio.get_running_loop()
        self.running: dict[int, Any] = {}
        self.number = 0

    def start(self, kind: str, words: tuple[Any, ...]) -> Json:
        if len(self.running) >= MAX_JOBS:
            return {"error": {"message": f"at most {MAX_JOBS} jobs run at a time: stop one"}}
        self.number += 1
        context = multiprocessing.get_context("spawn")
        mine, other = context.Pipe(duplex=False)
        process = context.Process(target=work, args=(other, kind, words), daemon=True)
        process.start()
        other.close()
        self.running[self.number] = process
        threading.Thread(target=self._listen, args=(self.number, kind, mine), daemon=True).start()
        return {"result": {"job": self.number}}

    def _listen(self, number: int, kind: str, connection: Connection) -> None:
        report: Json | None = {}
        while report is not None and not report.get("done"):
            try:
                report = connection.recv()
            except (EOFError, OSError):
                report = None
            found = {"done": True, "stopped": True} if report is None else report
            with suppress(RuntimeError):  # the server has ended meanwhile: nobody listens any more
                self.loop.call_soon_threadsafe(self._heard, number, kind, found)
        connection.close()

    def _heard(self, number: int, kind: str, report: Json) -> None:
        if report.get("done"):
            self.running.pop(number, None)
        self.tell("job/report", {"job": number, "kind": kind, **report})

    def stop(self, number: int) -> Json:
        process = self.running.get(number)
        if process is not None:
            process.kill()
        return {"result": {}}

    def close(self) -> None:
        for process in self.running.values():
            process.kill()
