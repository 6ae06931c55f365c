"""Who may speak to the local server, and what its page may do: every request is refused unless it is our own."""

from __future__ import annotations

import hmac
import secrets
from collections.abc import Mapping

from attrs import field, frozen
from starlette.datastructures import Headers
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send

TOKEN_BYTES = 24
# What a page of ours is answered with, besides its policy. No other origin may read it, frame it or learn where we are.
HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
}


@frozen
class Guard:
    """The one address this server answers to, and the secret that only the person who started it has."""

    port: int
    token: str = field(factory=lambda: secrets.token_urlsafe(TOKEN_BYTES), repr=False)

    @property
    def hosts(self) -> tuple[str, ...]:
        return (f"127.0.0.1:{self.port}", f"localhost:{self.port}")

    @property
    def url(self) -> str:
        """With the secret behind the hash: a browser does not send that to anybody."""
        return f"http://127.0.0.1:{self.port}/#{self.token}"

    def is_ours(self, headers: Mapping[str, str], socket: bool) -> bool:
        """Whether the names in a request are ours: a page of another site, or a name that was made to point here, has
        others. A socket always says where it comes from."""
        if headers.get("host", "") not in self.hosts:
            return False
        origin = headers.get("origin")
        if origin is None:
            return not socket
        return origin in {f"http://{host}" for host in self.hosts}

    def knows(self, token: object) -> bool:
        return isinstance(token, str) and hmac.compare_digest(token.encode(), self.token.encode())


def policy(nonce: str) -> str:
    """What a page may load and run: our own files, styles that carry this word, nothing else."""
    return (
        f"default-src 'none'; script-src 'self'; style-src 'self' 'nonce-{nonce}'; connect-src 'self'; img-src data:;"
        " base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    )


class Guarded:
    """The application behind the guard."""

    def __init__(self, app: ASGIApp, guard: Guard) -> None:
        self.app = app
        self.guard = guard

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
            return
        socket = scope["type"] == "websocket"
        if self.guard.is_ours(Headers(scope=scope), socket):
            await self.app(scope, receive, send)
        elif socket:
            await receive()
            await send({"type": "websocket.close", "code": 1008})
        else:
            await PlainTextResponse("not for you\n", 403, HEADERS)(scope, receive, send)
