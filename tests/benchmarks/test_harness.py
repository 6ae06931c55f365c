"""The harness of the side-by-side runs: lanes that play, fail or are absent, medians, tables, their place in a page."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from benchmarks import __main__ as command
from benchmarks import table
from benchmarks.lane import Absent, Lane, Slice
from benchmarks.lanes.serve import run as serve_run
from benchmarks.measure import Found, decisions_per_s, length, ratio, run, strangers, victories, with_decisions

ROOT = Path(__file__).parents[2]
COUNTING = """
from benchmarks.lanes.serve import serve
def find(game):
    return None if game == "chess" else play
def play(first, count):
    return sum(7 for _ in range(count)), [count, 0]
serve(find, "counting 1.0")
"""
ONCE = """
import json, sys
print(json.dumps({"version": "once"}), flush=True)
sys.stdin.readline()
raise ValueError("worn out")
"""


def lane(text: str, title: str = "one", like: str | None = None) -> Lane:
    return Lane(title, [sys.executable, "-c", text], like=like)


def quiet(_: str) -> None:
    pass


def test_a_lane_plays_what_it_is_asked_for() -> None:
    one = lane(COUNTING)
    assert one.start(str(ROOT)) is None and one.version == "counting 1.0"
    try:
        done = one.ask("draughts", 0.05)
        assert isinstance(done, Slice)
        assert done.games > 0 and done.decisions == 7 * done.games and done.wins == (done.games, 0)
        assert 0.05 <= done.seconds < 5
        assert one.ask("chess", 0.05) == Absent("no such game")
        assert isinstance(one.ask("draughts", 0.05), Slice), "and goes on"
    finally:
        one.stop()


@pytest.mark.parametrize(
    ("one", "why"),
    [
        (Lane("one", ["/there/is/no/such/program"]), "not installed"),
        (lane("import there_is_no_such_module"), "not installed"),
        (lane("raise ValueError('as it is')"), "failed: ValueError: as it is"),
    ],
)
def test_a_lane_that_cannot_start_says_why(one: Lane, why: str) -> None:
    assert one.start(str(ROOT)) == Absent(why)
    assert one.ask("draughts", 0.01) == Absent(why)
    one.stop()


def test_a_lane_that_fails_later_is_absent_and_the_others_go_on() -> None:
    lanes = [lane(ONCE, "bad"), lane(COUNTING, "good")]
    for one in lanes:
        assert one.start(str(ROOT)) is None
    found = run(lanes, ["a", "b"], 3, 0.01, quiet)
    for one in lanes:
        one.stop()
    assert found["bad", "a"] == found["bad", "b"] == Absent("failed: ValueError: worn out")
    for game in "ab":
        rounds = found["good", game]
        assert not isinstance(rounds, Absent) and len(rounds) == 3, "the round that warms up does not count"


def test_batches_grow_until_the_clock_costs_nothing() -> None:
    asked: list[tuple[int, int]] = []

    def play(first: int, count: int) -> tuple[int, list[int]]:
        asked.append((first, count))
        return sum(1 for _ in range(count)), [0]

    done, following, size = serve_run(play, 0.01, 5, 1)
    assert done["games"] == sum(count for _, count in asked) == following - 5
    assert size > 1
    assert [first for first, _ in asked] == [5 + sum(c for _, c in asked[:i]) for i in range(len(asked))]


def test_medians_and_ratios_are_of_rounds() -> None:
    slow = tuple(Slice(10, decisions, (5, 5), 1.0) for decisions in (100, 300, 200))
    fast = tuple(Slice(20, decisions, (10, 10), 0.5) for decisions in (200, 150, 100))
    found = decisions_per_s(slow)
    assert (found.middle, found.minimum, found.maximum) == (200, 100, 300)
    assert ratio(fast, slow) == 1.0  # of 4, 1 and 1: not the ratio of the medians, which is 1.5
    assert length(slow) == 20 and victories(slow) == (0.5, 0.5)
    assert victories((Slice(10, 1, (0, 0), 1.0),)) is None


def test_whoever_does_not_count_is_counted_by_another() -> None:
    lanes = [lane("", "a"), lane("", "b", like="a"), lane("", "c", like="d"), lane("", "d")]
    mute = (Slice(100, 0, (0, 0), 1.0),)
    found: Found = {("a", "g"): (Slice(10, 75, (5, 5), 1.0),), ("b", "g"): mute, ("c", "g"): mute}
    whole = with_decisions(lanes, {**found, ("d", "g"): Absent("not installed")})
    rounds = whole["b", "g"]
    assert not isinstance(rounds, Absent) and rounds[0].decisions == 750
    assert isinstance(whole["c", "g"], Absent)


def test_a_lane_that_plays_another_game_is_seen() -> None:
    """The second of three wins 62 % where the others win 58 %: five standard errors. One at 59 % is chance."""
    found: Found = {
        ("a", "g"): (Slice(9000, 1, (5220, 2600), 1.0),),
        ("b", "g"): (Slice(9000, 1, (5580, 2600), 1.0),),
        ("c", "g"): (Slice(9000, 1, (5220, 2600), 1.0),),
        ("d", "g"): (Slice(9000, 1, (0, 0), 1.0),),
    }
    assert strangers(found, "g") == ["b"]
    found["b", "g"] = (Slice(9000, 1, (5310, 2600), 1.0),)
    assert strangers(found, "g") == []


@pytest.mark.parametrize(
    ("value", "text"),
    [(1234567, "1,230,000"), (45349, "45,300"), (453.4, "453"), (7.6154, "7.62"), (0.0567, "0.057"), (0, "0")],
)
def test_figures_are_short(value: float, text: str) -> None:
    assert table.short(value) == text


def test_a_table_has_the_fastest_first_and_the_absent_with_their_reason() -> None:
    found: Found = {
        ("slow", "g"): (Slice(10, 100, (5, 5), 1.0),),
        ("fast", "g"): (Slice(40, 400, (20, 20), 1.0),),
        ("gone", "g"): Absent("not installed"),
        ("other", "g"): Absent("no such game"),
    }
    lines = table.peers(found, ["gone", "slow", "other", "fast"], ["g"], "slow").splitlines()
    assert [line.split(" | ")[0] for line in lines[2:]] == ["| fast", "| slow", "| gone", "| other"]
    assert lines[2] == "| fast | 400 (400 to 400) | 4.00 |"
    assert lines[4] == "| gone | absent (not installed) | - |"
    assert lines[5] == "| other | no such game | - |"
    assert "**(another game?)**" in table.same_game(found, ["fast"], ["g"], [("fast", "g")])
    rows = table.growth("size", [("1", found["fast", "g"]), ("2", found["slow", "g"]), ("3", found["gone", "g"])])
    assert "| 2 | 10.0 | 10.0 (10.0 to 10.0) | 100 | 10000 | 4.00 |" in rows.replace("10,000", "10000")
    assert "absent (not installed)" in rows


def test_a_table_is_put_in_its_place() -> None:
    begin, end = table.BEGIN.format("peers"), table.END.format("peers")
    page = f"before\n{begin}\nold\n{end}\nafter\n"
    new = table.placed(page, "peers", "new\n")
    assert new == f"before\n{begin}\n\nnew\n\n{end}\nafter\n"
    assert table.placed(new, "peers", "new") == new
    with pytest.raises(ValueError, match="no place for 'growth'"):
        table.placed(page, "growth", "x")


def test_the_page_has_a_place_for_every_table() -> None:
    page = command.PAGE.read_text(encoding="utf-8")
    for name in command.TABLES:
        assert table.placed(page, name, "x") != page


def test_the_command_reports_peers_that_are_not_installed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    page = tmp_path / "page.md"
    page.write_text(f"{table.BEGIN.format('peers')}\n{table.END.format('peers')}\n", encoding="utf-8")
    monkeypatch.setattr(command, "PEERS", tmp_path)
    monkeypatch.setattr(command, "PAGE", page)
    assert command.main(["peers", "--rounds", "1", "--seconds", "0.01", "--write"]) == 0
    out = capsys.readouterr().out
    first = out.split("That all of them")[0]
    lines = [line for line in first.splitlines() if line.startswith("| ")][2:]
    assert len(lines) == len(command.lanes_of_all())
    for line in lines:
        assert ("absent (not installed)" in line) is ("Warlock" not in line), line
    assert first.strip() in page.read_text(encoding="utf-8")


@pytest.mark.parametrize("wrong", [["--rounds", "0"], ["--seconds", "0"], ["--seconds", "nan"], ["elsewhere"]])
def test_the_command_with_wrong_arguments(wrong: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stopped:
        command.main(wrong)
    assert stopped.value.code == 2 and "Traceback" not in capsys.readouterr().err
