"""Nobody but the page that the command opened is answered, and nothing is written but what may be."""

from __future__ import annotations

import asyncio
import http.client
import json
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from random import Random
from typing import Any

import pytest
from warlock_studio.files import Autosave, FileError, Folder, digest
from warlock_studio.guard import Guard, policy
from warlock_studio.worker import Opened, Worker
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import ClientConnection, connect

from tests.studio.conftest import ROOT, STUDIO, Served


def asked(served: Served, path: str, **headers: str) -> tuple[int, dict[str, str], bytes]:
    with closing(http.client.HTTPConnection("127.0.0.1", served.port, timeout=60)) as connection:
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
    address = f"ws://127.0.0.1:{served.port}/socket"
    with connect(address, origin=origin, open_timeout=60, max_size=None) as socket:  # type: ignore[arg-type]
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
            socket.recv(timeout=60)


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
    "table/export", "scenarios/open", "compare/open", "compare/play", "compare/export", "overlay/keep",
    "document/discard", "job/words", "job/stop", "nonsense", "__init__", "handle",
)  # fmt: skip
NAMES = ("rules.warlock", "game.toml", "../x.toml", "/etc/passwd", "", "+x/overlay.toml", "names/en.toml")
VALUES = (None, True, -1, 0, 1, 3, 10**30, 1.5, "", "x", "../../etc", [], [1], {}, {"a": 1}, "\ud800", "0" * 3000)


def random_message(dice: Random) -> str:
    if dice.random() < 0.1:
        return dice.choice(["", "{", "[]", "null", "1", '{"id": 1}', "[" * 500, '{"id": true, "method": "x"}'])
    keys = ("name", "text", "known", "line", "column", "to", "stack", "players", "seed", "seats", "viewer", "lang",
            "number", "at", "branch", "step", "as", "key", "seat", "replay", "kind", "games", "job", "stacks", "wanted",
            "scenario", "overlay", "file", "found", "end", "id")  # fmt: skip
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


def test_a_link_in_the_place_of_the_side_files(tmp_path: Path) -> None:
    """A stranger's folder may bring one: nothing is written, read or deleted behind it."""
    root, outside = tmp_path / "root", tmp_path / "outside"
    root.mkdir()
    outside.mkdir()
    side, path = Autosave(Folder(root)), root / "a.toml"
    (outside / side._file(path).name).write_text("theirs")
    (root / ".studio").symlink_to(outside)
    with pytest.raises(FileError):
        side.keep(path, "typed")
    side.forget(path)
    assert side.found(path) is None and [one.read_text() for one in outside.iterdir()] == ["theirs"]


# -------------------------------------------------------------------- a stranger's folder


def stranger(folder: Path, outside: Path) -> None:
    """A game that brings links and programs."""
    game = folder / "rules" / "theirs"
    shutil.copytree(ROOT / "rules" / "classics" / "tic-tac-toe", game)
    (outside / "kept.toml").write_text("a = 1\n")
    (folder / "variants").symlink_to(outside)
    shutil.rmtree(game / "scenarios", ignore_errors=True)
    (game / "scenarios").symlink_to(outside)
    (game / "more.warlock").symlink_to(outside / "kept.toml")
    for name in ("conftest.py", "sitecustomize.py", "__init__.py", "hatch_build.py"):
        (game / name).write_text(f"open({str(outside / 'ran')!r}, 'w').write('ran')\n")


def test_a_strangers_folder_can_only_be_played(tmp_path: Path) -> None:
    folder, outside = tmp_path / "folder", tmp_path / "outside"
    folder.mkdir()
    outside.mkdir()
    stranger(folder, outside)
    served = Served(folder, "theirs")
    try:
        with opened(served) as socket:
            assert "result" in ask(socket, 1, "project/open", {})
            for number, (method, params) in enumerate((
                ("table/new", {"seed": 1}),
                ("table/choose", {"number": 1}),
                ("overlay/new", {"name": "mine"}),
                ("overlay/keep", {"name": "mine"}),
                ("table/keep", {"name": "kept"}),
                ("document/edit", {"name": "more.warlock", "text": "# mine"}),
                ("document/save", {"name": "more.warlock", "known": digest("a = 1\n")}),
            ), 2):  # fmt: skip
                ask(socket, number, method, params)
    finally:
        said = served.close()
    assert "Traceback" not in said
    assert sorted(one.name for one in outside.iterdir()) == ["kept.toml"]
    assert (outside / "kept.toml").read_text() == "a = 1\n"


# -------------------------------------------------------------------- rules that hang, or eat memory


async def hung(folder: Path) -> tuple[dict[str, Any], dict[str, Any], list[str]]:
    told: list[str] = []
    worker = Worker(Opened(folder, "tic-tac-toe"), lambda event, _: told.append(event), max_seconds=60)
    try:
        assert "result" in await worker.ask("project/open", {})
        worker.max_seconds = 0.5
        os.kill(worker.process.pid or 0, signal.SIGSTOP)  # as rules that never end: no answer comes
        stopped = await worker.ask("table/new", {"seed": 1})
        worker.max_seconds = 60
        return stopped, await worker.ask("project/open", {}), told
    finally:
        worker.close()


def test_rules_that_never_end_are_stopped_and_the_page_goes_on(tmp_path: Path) -> None:
    stopped, after, told = asyncio.run(hung(tmp_path))
    assert "longer than 0.5 seconds" in stopped["error"]["message"]
    assert "result" in after and "worker/restarted" in told


async def killed(folder: Path) -> tuple[dict[str, Any], dict[str, Any]]:
    worker = Worker(Opened(folder, "tic-tac-toe"), lambda *_: None, max_seconds=60)
    try:
        assert "result" in await worker.ask("project/open", {})
        asked = asyncio.create_task(worker.ask("table/new", {"seed": 1}))
        os.kill(worker.process.pid or 0, signal.SIGKILL)  # as the system does where memory runs out
        return await asked, await worker.ask("project/open", {})
    finally:
        worker.close()


def test_a_process_that_is_killed_is_replaced(tmp_path: Path) -> None:
    _, after = asyncio.run(killed(tmp_path))
    assert "result" in after


def test_the_process_of_the_rules_gets_no_more_memory_than_it_may() -> None:
    code = (
        "from warlock_studio.worker import MAX_MEMORY, limit_memory\n"
        "limit_memory()\n"
        "try: bytearray(MAX_MEMORY + 1)\n"
        "except MemoryError: print('no more')\n"
    )
    own = {**os.environ, "PYTHONPATH": f"{STUDIO}:{ROOT}"}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=own, timeout=60)
    assert done.stdout == "no more\n", done.stderr


def test_what_a_message_may_weigh(served: Served) -> None:
    """More than a text may have is refused, and the next request answered."""
    with opened(served) as socket:
        assert "result" in ask(socket, 1, "project/open", {})
        assert "error" in ask(socket, 2, "document/edit", {"name": "rules.warlock", "text": "x" * 4_000_001})
        assert "result" in ask(socket, 3, "table/new", {"seed": 1})
