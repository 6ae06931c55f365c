"""A process that does the work for one page, so that rules which never end or eat memory can be stopped."""

from __future__ import annotations

import asyncio
import multiprocessing
import threading
from collections.abc import Callable
from contextlib import suppress
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from attrs import frozen

Json = dict[str, Any]
MAX_SECONDS = 20.0  # of one request
MAX_MEMORY = 3 << 30
WATCH_EVERY = 1.0  # seconds without a request, before the disk is looked at


@frozen
class Opened:
    """What a page was opened on."""

    folder: Path
    stack: str
    rules: tuple[Path, ...] = ()


class RefusedError(Exception):
    """Why a request was not carried out, in words for the user; `data` says more where there is more."""

    def __init__(self, message: str, data: Json | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.data = data


def work(connection: Connection, opened: Opened) -> None:
    """What runs in the process: one request after another; what is left to do is done when nobody asks."""
    limit_memory()
    from warlock_studio.desk import Desk

    def tell(event: str, data: Json) -> None:
        connection.send(("event", event, data))

    desk = Desk(opened, tell)
    try:
        while True:
            while not connection.poll(0 if desk.busy else WATCH_EVERY):
                if desk.busy:
                    desk.go_on()
                else:
                    desk.watch()
            number, method, params = connection.recv()
            connection.send(("answer", number, desk.handle(method, params)))
    except (EOFError, OSError, KeyboardInterrupt):
        return


def limit_memory() -> None:
    try:
        import resource
    except ImportError:  # not on this system
        return
    hard = resource.getrlimit(resource.RLIMIT_AS)[1]
    if hard == resource.RLIM_INFINITY or hard > MAX_MEMORY:
        resource.setrlimit(resource.RLIMIT_AS, (MAX_MEMORY, hard))


class Worker:
    """The process of one page, and its requests. One that takes too long is stopped, and a new process takes over."""

    def __init__(self, opened: Opened, tell: Callable[[str, Json], None], max_seconds: float = MAX_SECONDS) -> None:
        self.opened = opened
        self.tell = tell
        self.max_seconds = max_seconds
        self.loop = asyncio.get_running_loop()
        self.waiting: dict[int, asyncio.Future[Json]] = {}
        self.number = 0
        self.closed = False
        self._begin()

    def _begin(self) -> None:
        context = multiprocessing.get_context("spawn")
        self.connection, other = context.Pipe()
        self.process = context.Process(target=work, args=(other, self.opened), daemon=True)
        self.process.start()
        other.close()
        threading.Thread(target=self._listen, args=(self.connection,), daemon=True).start()

    def _listen(self, connection: Connection) -> None:
        while True:
            try:
                found = connection.recv()
            except (EOFError, OSError, TypeError):  # the last: it was closed here while this thread was reading
                found = None
            with suppress(RuntimeError):  # the server has ended meanwhile: nobody listens any more
                self.loop.call_soon_threadsafe(self._heard, connection, found)
            if found is None:
                return

    def _heard(self, connection: Connection, found: tuple[Any, ...] | None) -> None:
        if connection is not self.connection or self.closed:
            return
        if found is None:
            self._again("the rules have stopped the program that plays them")
        elif found[0] == "event":
            self.tell(found[1], found[2])
        else:
            future = self.waiting.pop(found[1], None)
            if future is not None and not future.done():
                future.set_result(found[2])

    async def ask(self, method: str, params: Json) -> Json:
        """The answer to a request: `{"result": ...}` or `{"error": ...}`."""
        self.number += 1
        future: asyncio.Future[Json] = self.loop.create_future()
        self.waiting[self.number] = future
        try:
            self.connection.send((self.number, method, params))
        except (OSError, ValueError):
            self._again("the program that plays the rules had stopped")
        try:
            return await asyncio.wait_for(future, self.max_seconds)
        except TimeoutError:
            message = f"this took longer than {self.max_seconds:g} seconds and was stopped"
            self._again(message)
            return {"error": {"message": message}}

    def _again(self, message: str) -> None:
        """A new process takes over; whoever waits is told."""
        self._end()
        for future in self.waiting.values():
            if not future.done():
                future.set_result({"error": {"message": message}})
        self.waiting.clear()
        self._begin()
        self.tell("worker/restarted", {"message": message})

    def _end(self) -> None:
        self.connection.close()
        self.process.kill()
        self.process.join(5)

    def close(self) -> None:
        self.closed = True
        self._end()
