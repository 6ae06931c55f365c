"""The C core under sanitizers: random rulesets, every game and overlay, and images that a fuzzer makes up.

All of it is in the long profile. `WARLOCK_FUZZ_SECONDS` says how long the fuzzer looks (default 60).
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from interpreter import machine_for
from tests.building import BUILD, ROOT
from tests.conftest import ruleset_named
from tests.random_rules.search import Tally, rulesets
from tests.vm.needs import needs_vm
from tests.vm.planting import sound_machine

pytestmark = [needs_vm, pytest.mark.long]
SANITIZE = "-fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer -g -O1"
SMALL = ("tic-tac-toe", "connect-four", "hex", "liars-dice", "goofspiel")
MAX_IMAGE = 60_000  # bytes; what is larger is slow to change at random


@pytest.fixture(scope="module")
def sanitized(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, str]]:
    """A copy of the checkout whose C machine has sanitizers, and the environment to run it in."""
    library = subprocess.run(["gcc", "-print-file-name=libasan.so"], capture_output=True, text=True)
    if library.returncode or not Path(library.stdout.strip()).is_absolute():
        pytest.skip("gcc and its sanitizers are not installed")
    root = tmp_path_factory.mktemp("sanitized")
    shutil.copytree(ROOT / "interpreter", root / "interpreter", ignore=shutil.ignore_patterns("*.so", "__pycache__"))
    for name in ("warlock_dsl", "workbench", "tests", "rules", "variants", "hatch_build.py"):
        (root / name).symlink_to(ROOT / name)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("CC", "gcc")
        patch.setenv("CFLAGS", SANITIZE)
        made = BUILD.build_or_tell(root, root / BUILD.FOLDER)
    assert made is not None and made.name != BUILD.NOT_BUILT, made and made.read_text(encoding="utf-8")
    environment = {
        **os.environ,
        "PYTHONPATH": str(root),
        "LD_PRELOAD": library.stdout.strip(),
        "ASAN_OPTIONS": "detect_leaks=0",  # Python's own are not ours to mend
        "UBSAN_OPTIONS": "print_stacktrace=1",
    }
    return root, environment


@pytest.mark.parametrize(
    "module",
    [
        ["tests.random_rules.search", "--cases", "300", "--backend", "vm", "--work"],
        ["tests.random_rules.games", "--decisions", "20000", "--backend", "vm"],
    ],
    ids=["random rulesets", "games and overlays"],
)
def test_nothing_is_read_or_written_where_it_must_not_be(
    sanitized: tuple[Path, dict[str, str]], module: list[str]
) -> None:
    root, environment = sanitized
    done = subprocess.run([sys.executable, "-m", *module], cwd=root, env=environment, capture_output=True, text=True)
    assert done.returncode == 0 and "Sanitizer" not in done.stderr, done.stderr[-4000:] + done.stdout[-2000:]


def seed_images(folder: Path) -> None:
    """Programs for the fuzzer to begin with."""
    for name in SMALL:
        machine = machine_for(ruleset_named(name), 2, True)
        (folder / name).write_bytes(machine.program.data)  # type: ignore[attr-defined]
    for seed, case, ruleset in rulesets(range(1000, 1030), (), Tally()):
        data = sound_machine(ruleset, case.players, True).program.data
        if len(data) < MAX_IMAGE:
            (folder / f"random-{seed}").write_bytes(data)


def test_no_image_breaks_the_machine(tmp_path: Path) -> None:
    """libFuzzer changes images; what the verifier lets through is played. A crash, a leak or a hang is a finding."""
    folder, corpus = ROOT / BUILD.SOURCES, tmp_path / "corpus"
    sources = [str(path) for path in sorted(folder.glob("*.c")) if not path.name.startswith("bind")]
    sanitize = SANITIZE.replace("=address", "=fuzzer,address").split()
    fuzzer = tmp_path / "fuzzer"
    command = ["clang", "-std=gnu11", *sanitize, *sources, "-o", str(fuzzer)]
    built = subprocess.run(command, capture_output=True, text=True)
    if built.returncode:
        pytest.skip(f"clang or libFuzzer is not installed: {built.stderr[-200:]}")
    corpus.mkdir()
    seed_images(corpus)
    seconds = os.environ.get("WARLOCK_FUZZ_SECONDS", "60")
    options = ["-max_len=65536", "-timeout=20", f"-max_total_time={seconds}", f"-artifact_prefix={tmp_path}/"]
    done = subprocess.run([str(fuzzer), *options, str(corpus)], capture_output=True, text=True, cwd=tmp_path)
    assert done.returncode == 0, done.stderr[-4000:]
