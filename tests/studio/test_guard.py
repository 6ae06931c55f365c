"""Nobody but the page that the command opened is answered, and nothing is written but what may be."""

from __future__ import annotations

import http.client
import json
import os
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from random import Random
from typing import Any

import pytest
from warlock_studio.files import Autosave, FileError, Folder, digest
from warlock_studio.guard import Guard, policy
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import ClientConnection, connect

from tests.studio.conftest import Served


def asked(served: Served, path: str, **headers: str) -> tuple[int, dict[str, str], bytes]:
    with closing(http.client.HTTPConnection("127.0.0.1", served.port, timeout=10)) as connection:
        connection.request("GET", path, headers={"Host": f"127.0.0.1:{served.port}", **headers})
        found = connection.getresponse()
        return found.status, {name.lower(): value for name, value in found.getheaders()}, found.read()


def test_the_page_and_its_policy(served: Served) -> None:
    status, headers, _ = asked(served, "/")
    assert status == 200
    rules = headers["content-security-policy"]
    assert "default-src 'none'" in rules and "unsafe" not in rules and "frame-ancestors 'none'" in rules
    assert headers["x-content-type-options"] == "nosniff" and headers["referrer-policy"] == "no-referrer"
    again = asked(served, "/")[1]["content-security-policy"]
    assert again != rules, "the word of a policy is used once"


@pytest.mark.parametrize("host", ["evil.test", "127.0.0.1", "127.0.0.1:1", "localhost.evil.test:80", ""])
def test_a_name_that_was_made_to_point_here(served: Served, host: str) -> None:
    assert asked(served, "/", Host=host)[0] == 403


def test_a_page_of_another_site(served: Served) -> None:
    assert asked(served, "/", Origin="http://evil.test")[0] == 403
    assert asked(served, "/", Origin=f"http://127.0.0.1:{served.port}")[0] == 200


@pytest.mark.parametrize("path", ["/static/../server.py", "/static/%2e%2e/server.py", "/static/x.js", "/server.py"])
def test_no_other_file(served: Served, path: str) -> None:
    assert asked(served, path)[0] == 404


@contextmanager
def socket_of(served: Served, origin: str | None) -> Iterator[ClientConnection]:
    with connect(f"ws://127.0.0.1:{served.port}/socket", origin=origin, open_timeout=10) as socket:  # type: ignore[arg-type]
        yield socket


@pytest.mark.parametrize("origin", [None, "http://evil.test", "null"])
def test_a_socket_from_elsewhere(served: Served, origin: str | None) -> None:
    with pytest.raises(InvalidStatus), socket_of(served, origin):
        pass


@pytest.mark.parametrize("said", ['{"token": "x"}', "{}", "[]", "nonsense", '{"token": 1}', '{"token": null}'])
def test_a_socket_without_the_secret(served: Served, said: str) -> None:
    with socket_of(served, f"http://127.0.0.1:{served.port}") as socket:
        socket.send(said)
        with pytest.raises(ConnectionClosed):
            socket.send('{"id": 1, "method": "project/open"}')
            socket.recv(timeout=10)


def test_the_secret_is_not_in_what_is_printed_of_a_guard() -> None:
    guard = Guard(80)
    assert len(guard.token) >= 32 and guard.token not in repr(guard) and guard.knows(guard.token)
    assert not guard.knows(guard.token[:-1]) and not guard.knows(None) and not guard.knows("é")
    assert "'nonce-abc'" in policy("abc")


# -------------------------------------------------------------------- messages


@contextmanager
def opened(served: Served) -> Iterator[ClientConnection]:
    with socket_of(served, f"http://127.0.0.1:{served.port}") as socket:
        socket.send(json.dumps({"token": served.token}))
        yield socket


def ask(socket: ClientConnection, number: int, method: Any, params: Any) -> dict[str, Any]:
    socket.send(json.dumps({"jsonrpc": "2.0", "id": number, "method": method, "params": params}))
    while True:
        found: dict[str, Any] = json.loads(socket.recv(timeout=60))
        if found.get("id") == number:
            return found


METHODS = (
    "project/open", "document/open", "document/edit", "document/save", "document/format", "document/complete",
    "document/hover", "document/definition", "document/references", "document/rename", "document/outline",
    "overlay/new", "table/new", "table/show", "table/choose", "table/go", "table/branch", "table/bots",
    "table/preview", "table/why", "table/whyNot", "table/score", "table/save", "table/load", "table/game",
    "job/words", "job/stop", "nonsense", "__init__", "handle",
)  # fmt: skip
NAMES = ("rules.warlock", "game.toml", "../x.toml", "/etc/passwd", "", "+x/overlay.toml", "names/en.toml")
VALUES = (None, True, -1, 0, 1, 3, 10**30, 1.5, "", "x", "../../etc", [], [1], {}, {"a": 1}, "\ud800", "0" * 3000)


def random_message(dice: Random) -> str:
    if dice.random() < 0.1:
        return dice.choice(["", "{", "[]", "null", "1", '{"id": 1}', "[" * 500, '{"id": true, "method": "x"}'])
    keys = ("name", "text", "known", "line", "column", "to", "stack", "players", "seed", "seats", "viewer", "lang",
            "number", "at", "branch", "step", "as", "key", "seat", "replay", "kind", "games", "job")  # fmt: skip
    params: Any = {key: dice.choice((*VALUES, *NAMES)) for key in dice.sample(keys, dice.randrange(6))}
    if dice.random() < 0.5:
        params["name"] = dice.choice(NAMES)
    return json.dumps({"jsonrpc": "2.0", "id": dice.randrange(10**6), "method": dice.choice(METHODS), "params": params})


def every_file(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def hostile(served: Served, count: int, seed: int) -> None:
    """Random messages: the server answers on, and nothing is written but overlays with a sound name."""
    dice = Random(seed)
    with opened(served) as socket:
        assert "result" in ask(socket, 10**9, "project/open", {})
        for number in range(count):
            socket.send(random_message(dice))
            if number % 50 == 49:
                found = ask(socket, 10**9 + number, "project/open", {"stack": "tic-tac-toe"})
                assert "result" in found
        assert "result" in ask(socket, 2 * 10**9, "table/new", {"seed": 1})
    assert all(name.startswith(("variants/tic-tac-toe/x/", ".studio/")) for name in every_file(served.folder))


def test_random_messages(served: Served) -> None:
    hostile(served, 300, 1)


@pytest.mark.long
def test_ten_thousand_random_messages(served: Served) -> None:
    hostile(served, 10_000, 2)


def test_an_internal_method_is_not_for_pages(served: Served) -> None:
    with opened(served) as socket:
        assert "error" in ask(socket, 1, "job/words", {"kind": "fuzz", "games": 1})


# -------------------------------------------------------------------- files


def test_what_may_be_written(tmp_path: Path) -> None:
    root, outside = tmp_path / "root", tmp_path / "outside"
    root.mkdir()
    outside.mkdir()
    (root / "link").symlink_to(outside)
    (outside / "target.toml").write_text("a = 1\n")
    (root / "file.toml").symlink_to(outside / "target.toml")
    folder = Folder(root)
    assert folder.write(root / "variants" / "a.toml", "x = 1\n", "") == digest("x = 1\n")
    for path in (
        outside / "b.toml", root / ".." / "outside" / "b.toml", root / "link" / "b.toml", root / "file.toml",
        root / "b.py", root / "b", Path("b.toml"),
    ):  # fmt: skip
        with pytest.raises(FileError):
            folder.write(path, "x = 1\n", "")
    assert list(outside.iterdir()) == [outside / "target.toml"]
    assert (outside / "target.toml").read_text() == "a = 1\n"


def test_a_file_that_changed_is_not_overwritten(tmp_path: Path) -> None:
    folder, path = Folder(tmp_path), tmp_path / "a.toml"
    known = folder.write(path, "x = 1\n", "")
    path.write_text("x = 2\n")
    with pytest.raises(FileError) as found:
        folder.write(path, "x = 3\n", known)
    assert found.value.text == "x = 2\n" and path.read_text() == "x = 2\n"
    folder.write(path, "x = 3\n", digest("x = 2\n"))
    assert path.read_text() == "x = 3\n" and os.listdir(tmp_path) == ["a.toml"]


def test_what_was_typed_is_kept_beside(tmp_path: Path) -> None:
    side, path = Autosave(Folder(tmp_path)), tmp_path / "a.toml"
    side.keep(path, "typed")
    assert side.found(path) == "typed" and side.found(tmp_path / "b.toml") is None and not path.exists()
    side.forget(path)
    assert side.found(path) is None
