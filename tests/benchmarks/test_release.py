"""The lane of 0.3.0: there where the history is, told apart where it is not; ratios are of rounds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from benchmarks import release
from benchmarks.lane import Absent, Lane, Slice
from benchmarks.measure import Found


def test_a_checkout_without_history_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(release, "ROOT", tmp_path)
    monkeypatch.setattr(release, "TREE", tmp_path / ".release" / "x")
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))
    found = release.tree()
    assert isinstance(found, Absent) and "history" in found.why
    assert "history" in release.machines(1, 0.01, no_play)
    assert "history" in release.tools(1, lambda _: None)


def no_play(lanes: Sequence[Lane], games: Sequence[str], rounds: int, seconds: float) -> Found:
    raise AssertionError("nothing is played")


def slices(decisions: int, wins: int = 5) -> tuple[Slice, ...]:
    return tuple(Slice(10, decisions * n, (wins, 10 - wins), 1.0) for n in (1, 2, 3))


def test_the_tables_have_ratios_within_rounds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(release, "TREE", tmp_path)

    def play(lanes: Sequence[Lane], games: Sequence[str], rounds: int, seconds: float) -> Found:
        found: Found = {}
        for lane in lanes:
            for game in games:
                found[lane.title, game] = slices(400 if lane.title.startswith("today") else 100)
        found[lanes[-1].title, "tic-tac-toe"] = Absent("no such game")
        return found

    text = release.machines(3, 0.1, play)
    assert text.count("| maldorf, 4 | 200 (100 to 300) | 800 (400 to 1,200) | 4.00 | same shares of wins |") == 3
    assert "| tic-tac-toe | absent (no such game) |" in text
    assert "| copying a state | 1,250 |" in text


def test_other_games_are_told_apart(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(release, "TREE", tmp_path)

    def play(lanes: Sequence[Lane], games: Sequence[str], rounds: int, seconds: float) -> Found:
        return {
            (lane.title, game): (Slice(9000, 1, (5220 if lane.title.startswith("today") else 5580, 2600), 1.0),)
            for lane in lanes
            for game in games
        }

    assert "**another game?**" in release.machines(1, 0.1, play)


def test_a_tool_is_counted_by_what_it_did(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ran: list[tuple[Path, tuple[str, ...], Path]] = []

    def used(folder: Path, arguments: Sequence[str], rules: Path) -> tuple[float, Mapping[str, Any]] | Absent:
        ran.append((folder, tuple(arguments), rules))
        if arguments[0] == "fuzz" and folder == release.ROOT:
            return Absent("failed: it broke")
        games = int(arguments[-1]) if "--games" in arguments else 1
        part = {"finished": games, "given_up": 0, "decisions": {"value": 10.0}}
        return 2.0, {"findings": [part], "looked_at": 50, "games": games, "mutants": 12}

    monkeypatch.setattr(release, "TREE", tmp_path)
    monkeypatch.setattr(release, "used", used)
    text = release.tools(2, lambda _: None)
    assert "| sim maldorf, random, decisions/s | 1,500 (1,500 to 1,500) | 7,500 (7,500 to 7,500) | 5.00 |" in text
    assert "| fuzz maldorf | absent (today: failed: it broke) |" in text
    assert {rules for _, _, rules in ran} == {tmp_path / "rules"}, "the same rules"


def test_games_that_are_given_up_count_as_far_as_they_went() -> None:
    (mcts,) = [tool for tool in release.TOOLS if tool.title.endswith("mcts")]
    part = {"finished": 0, "given_up": 2, "decisions": {"value": 0.0}}
    assert mcts.count({"findings": [part]}) == 80.0


def test_a_command_is_measured(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Today's `list` and a command that fails, as 0.3.0's are run."""
    monkeypatch.setattr(release, "TREE", tmp_path / "x")
    found = release.used(release.ROOT, ["list", "--json"], release.ROOT / "rules")
    assert not isinstance(found, Absent)
    assert found[0] > 0 and found[1]["rulesets"]
    assert isinstance(release.used(release.ROOT, ["no-such-command"], release.ROOT / "rules"), Absent)
