"""Whole state spaces: the tutorial's game and one cut-down instance of each shipped game, every law in every state."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[3]
BLOCK = re.compile(r"^```(\w+)(?: file=(\S+))?\n(.*?)^```$", re.MULTILINE | re.DOTALL)
MEMORY = 2000  # megabytes that a run may take

# Each run by what it is given: states, ends, depth.
Runs = dict[tuple[str, ...], tuple[int, int, int]]
SMALL: Runs = {
    ("tic-tac-toe",): (5_478, 958, 9),
    ("goblin-warlord+tiny", "--chance", "fixed"): (232, 45, 18),
    ("warlock-1980+tiny", "--chance", "fixed"): (95, 50, 10),
}
LARGE: Runs = {
    ("connect-four+small",): (161_029, 26_740, 16),
    ("connect-four+small+taller",): (1_706_255, 357_814, 20),
    ("goblin-warlord+tiny",): (95_738, 5_950, 24),
    ("maldorf+tiny",): (85_488, 18_832, 25),
    ("warlock-1980+tiny(days=2)",): (74_952, 23_752, 17),
}
TUTORIAL: Runs = {
    ("smugglers+nine_crates",): (31_080, 6_720, 6),
    ("smugglers+short(rounds=2)", "--chance", "fixed"): (22_983, 13_185, 16),
}


def explored(arguments: tuple[str, ...], where: Path) -> dict[str, Any]:
    """A run in a process of its own, so that the memory it tells is its own."""
    command = [sys.executable, "-m", "workbench.cli", "explore", *arguments, "--jobs", "1", "--json"]
    done = subprocess.run([*command, "--max-memory", str(MEMORY)], cwd=where, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    told: dict[str, Any] = json.loads(done.stdout)
    return told


def judge(found: dict[str, Any], figures: tuple[int, int, int]) -> None:
    assert found["complete"] is True and found["findings"] == []
    assert (found["states"], found["ends"], found["depth"]) == figures
    assert found["looked_at"] == found["states"] == sum(found["by_depth"])
    assert 0 < found["memory_mb"] < MEMORY


@pytest.mark.parametrize("arguments", SMALL, ids=lambda given: given[0])
def test_a_small_instance_is_looked_at_whole(arguments: tuple[str, ...], tmp_path: Path) -> None:
    judge(explored(arguments, tmp_path), SMALL[arguments])


@pytest.mark.long
@pytest.mark.parametrize("arguments", LARGE, ids=lambda given: given[0])
def test_an_instance_of_every_game_is_looked_at_whole(arguments: tuple[str, ...], tmp_path: Path) -> None:
    judge(explored(arguments, tmp_path), LARGE[arguments])


def test_all_of_them_are_more_than_a_million_states() -> None:
    """Every game that is shipped is among them, but for classics too large to be cut down; the tutorial's too."""
    runs = {**LARGE, **TUTORIAL, ("tic-tac-toe",): SMALL["tic-tac-toe",]}
    assert sum(states for states, _, _ in runs.values()) > 1_000_000
    games = {arguments[0].split("+")[0] for arguments in runs}
    classics = {path.parent.name for path in (ROOT / "rules" / "classics").rglob("game.toml")}
    shipped = {path.parent.name for path in (ROOT / "rules").rglob("game.toml")}
    assert games == (shipped - classics) | {"tic-tac-toe", "connect-four", "smugglers"}


@pytest.mark.parametrize("height", [4, pytest.param(5, marks=pytest.mark.long)])
def test_the_positions_of_connect_four_were_counted_without_the_rules(height: int) -> None:
    name = "connect-four+small" + "+taller" * (height - 4)
    assert racks(4, height, 4) == LARGE[name,][:2]


def racks(width: int, height: int, streak: int) -> tuple[int, int]:
    """How many positions there are, and in how many of them the game is over: bits for the discs, no rules."""
    lines = [
        sum(1 << (x + k * dx) * height + y + k * dy for k in range(streak))
        for x in range(width)
        for y in range(height)
        for dx, dy in ((1, 0), (0, 1), (1, 1), (1, -1))
        if 0 <= x + (streak - 1) * dx < width and 0 <= y + (streak - 1) * dy < height
    ]
    shafts = [((1 << height) - 1) << x * height for x in range(width)]
    level, positions, ends = {(0, 0)}, 0, 0  # the discs of who is to move, and of who has just moved
    while level:
        positions += len(level)
        following = set()
        for mine, theirs in level:
            laid = mine | theirs
            if laid == sum(shafts) or any(theirs & line == line for line in lines):
                ends += 1
                continue
            for shaft in shafts:
                place = (laid & shaft) + (shaft & -shaft) & shaft
                if place:
                    following.add((theirs, mine | place))
        level = following
    return positions, ends


# --------------------------------------------------------------- the tutorial


@pytest.fixture(scope="module")
def smugglers(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The game as the tutorial leaves it, and an overlay on it: one round, nine crates of three sorts."""
    folder = tmp_path_factory.mktemp("tutorial")
    for language, file, text in BLOCK.findall((ROOT / "docs" / "tutorial-game.md").read_text(encoding="utf-8")):
        if file:
            (folder / file).parent.mkdir(parents=True, exist_ok=True)
            (folder / file).write_text(text, encoding="utf-8")
        elif language == "console":
            for line in text.splitlines():
                if line.startswith("$ sed "):
                    subprocess.run(line[2:], shell=True, check=True, cwd=folder)
    kept = {"tea": (1, 2, 3), "silk": (1, 2, 3), "salt": (4, 5, 6)}
    removed = [f"{ware}-{n}" for ware, numbers in kept.items() for n in range(1, 11) if n not in numbers]
    overlay = '[overlay]\non = "smugglers"\nabout = "One round, nine crates"\n'
    overlay += '\n[[change]]\nat = "size.rounds"\nwas = 4\nnow = 1\n'
    overlay += "".join(f'\n[[remove]]\nat = "{crate}"\n' for crate in removed)
    (folder / "variants" / "smugglers" / "nine_crates").mkdir(parents=True)
    (folder / "variants" / "smugglers" / "nine_crates" / "overlay.toml").write_text(overlay, encoding="utf-8")
    return folder


WHOLE, LONGER = TUTORIAL


@pytest.mark.parametrize("arguments", [WHOLE, pytest.param(LONGER, marks=pytest.mark.long)], ids=lambda given: given[0])
def test_the_game_of_the_tutorial_is_looked_at_whole(arguments: tuple[str, ...], smugglers: Path) -> None:
    """Whatever the order of the crates; and twice as long for one order."""
    judge(explored(arguments, smugglers), TUTORIAL[arguments])


def test_the_mistake_of_the_tutorial_is_found_with_the_shortest_game(smugglers: Path) -> None:
    """The event too early: the quay is not full when the tip is asked for, which takes a cheap crate, and no more."""
    rules = smugglers / "rules" / "smugglers" / "rules.warlock"
    good = rules.read_text(encoding="utf-8")
    fill, event = "    move top(store) to quay\n", "    loaded(crate)\n"
    early = good.replace(fill + event, event + fill)
    assert early != good
    rules.write_text(early, encoding="utf-8")
    try:
        command = [sys.executable, "-m", "workbench.cli", "explore", "smugglers+nine_crates", "--jobs", "1", "--json"]
        done = subprocess.run([*command, "--max-states", "9000"], cwd=smugglers, capture_output=True, text=True)
    finally:
        rules.write_text(good, encoding="utf-8")
    assert done.returncode == 1, done.stderr
    (finding,) = json.loads(done.stdout)["findings"]
    assert "quay_is_full" in finding["error"]
    assert [step.get("answer", "")[:4] for step in finding["way"]][1:] in (["load", "tea-"], ["load", "silk"])
