"""The studio as a person has it: its page built, its server running, Chromium in front of it."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

import pytest

from tests.workbench.browser import started

ROOT = Path(__file__).parents[2]
STUDIO = ROOT / "studio"
if str(STUDIO) not in sys.path:
    sys.path.insert(0, str(STUDIO))


def build_hook() -> Any:
    """`hatch_build.py` of the studio, as a module."""
    spec = spec_from_file_location("studio_build", STUDIO / "hatch_build.py")
    assert spec is not None and spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="session")
def built_page(tmp_path_factory: pytest.TempPathFactory) -> None:
    """The page is built once, by whichever process comes first."""
    import fcntl

    with open(tmp_path_factory.getbasetemp().parent / "studio-page.lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        assert build_hook().build(STUDIO) == ""


class Served:
    """A studio that runs: the folder it writes to, and its address."""

    def __init__(self, folder: Path, stack: str) -> None:
        self.folder = folder
        words = [sys.executable, "-m", "warlock_studio", str(folder), stack, "--no-browser"]
        own = {**os.environ, "PYTHONPATH": f"{STUDIO}:{ROOT}"}
        self.process = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=own)
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        found = re.search(r"http://127\.0\.0\.1:(\d+)/#(\S+)", line)
        assert found is not None, line
        self.port, self.token, self.url = int(found[1]), found[2], found[0]

    def close(self) -> str:
        """End it; what it said on the error stream."""
        self.process.terminate()
        with self.process:
            _, said = self.process.communicate(timeout=20)
        return str(said)


@pytest.fixture
def served(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Served]:
    """A studio on tic-tac-toe, or on what the test asks for."""
    found = Served(tmp_path, getattr(request, "param", "tic-tac-toe"))
    try:
        yield found
    finally:
        said = found.close()
        assert "Traceback" not in said, said


@pytest.fixture(scope="module")
def chromium() -> Iterator[Any]:
    with started() as running:
        yield running


@pytest.fixture
def page(chromium: Any, served: Served, built_page: None) -> Iterator[Any]:
    """The page of the studio. No test may leave an error on its console, or ask for anything but this machine."""
    context = chromium.new_context(viewport={"width": 1500, "height": 950}, locale="en-GB")
    page = context.new_page()
    wrong: list[str] = []
    page.on("console", lambda message: wrong.append(message.text) if message.type in ("error", "warning") else None)
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.on("request", lambda request: None if local(request.url, served.port) else wrong.append(request.url))
    page.set_default_timeout(90_000)  # as long as a busy machine may need: nothing waits for it otherwise
    page.goto(served.url)
    page.wait_for_selector(".board")
    yield page
    context.close()
    assert not wrong, wrong


def local(url: str, port: int) -> bool:
    return url.startswith((f"http://127.0.0.1:{port}/", f"ws://127.0.0.1:{port}/", "blob:", "data:"))
