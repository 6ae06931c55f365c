"""The built wheel, unpacked elsewhere and used from an empty folder: the games and catalogues are inside."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def unpacked(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel as an installer would lay it out; what it depends on is that of the running Python."""
    folder = tmp_path_factory.mktemp("wheel")
    build = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation", "-w", str(folder)]
    subprocess.run([*build, str(ROOT)], check=True, capture_output=True)
    (wheel,) = folder.glob("warlock_rules-*.whl")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(folder / "site")
    return folder / "site"


def run(site: Path, where: Path, *arguments: str) -> str:
    """The command of the wheel, from another folder, with nothing of the checkout on the path before it."""
    code = "import sys; from workbench.cli import main; sys.exit(main(sys.argv[1:]))"
    environment = {**os.environ, "PYTHONPATH": str(site)}
    done = subprocess.run(
        [sys.executable, "-c", code, *arguments], cwd=where, env=environment, capture_output=True, text=True, check=True
    )
    return done.stdout


def test_the_wheel_has_the_games_and_plays_one(unpacked: Path, tmp_path: Path) -> None:
    listed = json.loads(run(unpacked, tmp_path, "list", "--json"))["rulesets"]
    (found,) = [entry for entry in listed if entry["name"] == "maldorf"]
    assert Path(found["path"]).is_relative_to(unpacked)
    seats = ["--players", "3", "--seats", "random,first,random"]
    played = run(unpacked, tmp_path, "play", "maldorf", *seats, "--seed", "3", "--json")
    assert json.loads(played)["winners"]


def test_the_wheel_has_the_manual_and_says_its_version(unpacked: Path, tmp_path: Path) -> None:
    assert run(unpacked, tmp_path, "docs", "overlays") == (ROOT / "docs" / "overlays.md").read_text(encoding="utf-8")
    (info,) = unpacked.glob("warlock_rules-*.dist-info")
    assert run(unpacked, tmp_path, "--version") == f"warlock {info.name.split('-')[1].removesuffix('.dist')}\n"


def test_the_wheel_adds_only_its_packages(unpacked: Path) -> None:
    tops = {path.name for path in unpacked.iterdir() if not path.name.endswith(".dist-info")}
    assert tops == {"warlock_rules", "warlock_dsl", "interpreter", "workbench"}
