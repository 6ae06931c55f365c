"""The search for breaches: finds them, makes them small, writes them down; the same on any number of processes."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from interpreter import Game, PlayError, play_again
from tests.interpreter.tiny import CARDS, TABLES, ruleset
from warlock_dsl.load import load
from workbench.cli import main
from workbench.fuzz.laws import hidden, replays, round_trips
from workbench.fuzz.playthrough import Playthrough, Watch
from workbench.fuzz.shrink import Shrinking, shrunk
from workbench.fuzz.task import FuzzTask, task
from workbench.fuzz.violation import Violation, ViolationError
from workbench.support.ruleset_source import source_of
from workbench.transcripts.transcript import Move, Transcript

RICH = """
rule play:
    repeat 6:
        for me in players: turn()
    finish most(p in players: p.gold)

rule turn:
    choose act in action: action[act]()

rule action[wait]: pass
rule action[earn]: add 1 to my.gold

invariant modest = all(p in players: p.gold < 3)
"""

DEAD = """
rule play:
    repeat 9:
        for me in players:
            may choose card in deck: move card to heap
            else: add 1 to my.step
    lay()
    finish players

rule lay:
    choose card in deck where card.value is 5: move card to heap
"""

ENDLESS = """
rule play:
    choose n in 1..3 by first(players, me)
    if n > 1: spin()
    finish players

rule spin:
    repeat 100000:
        for me in players:
            may choose c in colour: set my.mood to calm
"""

QUIET = """
rule play:
    shuffle deck
    for me in players: move top(deck) to my.hand
    for me in players: move top(deck) to my.hand
    together me in players:
        choose card in my.hand: move card to my.shown
        else: pass
    repeat 3:
        for me in players:
            may choose card in my.shown: move card to heap
    finish players
"""


def folder(at: Path, rules: str, name: str = "little") -> str:
    """A game of these rules on the disk."""
    where = at / name
    where.mkdir(parents=True)
    (where / "game.toml").write_text(TABLES, encoding="utf-8")
    (where / "cards.csv").write_text(CARDS, encoding="utf-8")
    (where / "rules.warlock").write_text(rules, encoding="utf-8")
    return str(where)


def searched(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, dict[str, Any]]:
    code = main(["fuzz", *arguments, "--json"])
    return code, json.loads(capsys.readouterr().out)


def test_a_broken_law_comes_back_as_the_shortest_game(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    where, out = folder(tmp_path, RICH), tmp_path / "out"
    code, found = searched(capsys, where, "--games", "2", "--players", "4", "--jobs", "1", "--out", str(out))
    assert code == 1
    [finding] = found["findings"]
    assert (finding["law"], finding["rule"]) == ("invariant.modest", "action.earn")
    assert (finding["file"], finding["line"]) == ("rules.warlock", 11)
    assert finding["players"] == 1 and finding["decisions"] == 3 < finding["decisions_before"]
    assert [move["key"] for move in finding["moves"]] == ["earn", "earn", "earn"]
    # The replay is the game before the fatal answer, and the answer is told beside it.
    replay = json.loads(Path(finding["replay"]).read_text(encoding="utf-8"))
    rules = load(where).ruleset
    assert rules is not None
    with pytest.raises(PlayError, match="modest"):
        play_again(rules, replay).answer("earn")
    # The scenario passes as long as the error is there.
    assert main(["test", finding["scenario"], "--rules", str(tmp_path)]) == 0
    told = Path(finding["report"]).read_text(encoding="utf-8")
    assert "error[invariant.modest]: the invariant 'modest' does not hold" in told
    assert "add 1 to my.gold\n   |                    ^^^^^^^^^^^^^^^^ ran last, in rule 'action.earn'" in told


def test_a_dead_end_is_found_with_its_rule(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = str(tmp_path / "out")
    code, found = searched(capsys, folder(tmp_path, DEAD), "--games", "12", "--jobs", "1", "--out", out)
    [finding] = found["findings"]
    assert code == 1 and (finding["law"], finding["rule"]) == ("dead_end", "lay")
    assert "card" in finding["message"] and finding["line"] == 11
    assert finding["players"] == 1 and "seat 1 must choose" in finding["message"], "seats are counted from 1"
    assert main(["test", finding["scenario"], "--rules", str(tmp_path)]) == 0


def test_a_violation_that_does_not_come_again_is_told_of_the_game_it_was_found_in(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else its message would speak of the fourth seat, and the game beside it have three."""
    source = source_of(load(folder(tmp_path, RICH)))
    found = Violation("hidden", "with other pieces where seat 4 cannot look, another question is asked", "turn")
    transcript = Transcript(4, 1, (Move(3, "turn.act", "wait"),))
    smaller = Transcript(3, 1, ())
    monkeypatch.setattr("workbench.fuzz.shrink._smaller", lambda *_: smaller)
    small = shrunk(Shrinking(source, found, transcript, 10))
    assert (small.violation, small.transcript) == (found, transcript)


def test_a_phase_without_exit_is_cut_to_where_it_begins(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = str(tmp_path / "out")
    arguments = ("--games", "6", "--jobs", "1", "--max-decisions", "150", "--out", out)
    code, found = searched(capsys, folder(tmp_path, ENDLESS), *arguments)
    [finding] = found["findings"]
    assert code == 1 and finding["law"] == "ends"
    assert [move["key"] for move in finding["moves"]] in (["2"], ["3"])


def test_a_sound_game_gives_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    where = folder(tmp_path, QUIET)
    code, found = searched(capsys, where, "--games", "30", "--jobs", "1", "--out", str(tmp_path / "out"))
    assert (code, found["findings"], found["games"]) == (0, [], 30)
    assert "hidden" in found["laws"] and found["traits"] > 20


def test_the_same_seed_gives_the_same_search_on_one_process_and_on_two(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    where = folder(tmp_path, RICH)
    told = []
    for jobs in ("1", "2"):
        out = str(tmp_path / f"out{jobs}")
        _, found = searched(capsys, where, "--games", "18", "--seed", "5", "--jobs", jobs, "--out", out)
        del found["seconds"]
        for finding in found["findings"]:
            for key in ("seconds", "seconds_shrinking", "replay", "scenario", "report"):
                del finding[key]
        told.append(found)
    assert told[0] == told[1]


def test_a_search_that_is_killed_goes_on_and_forgets_no_finding(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    where, out = folder(tmp_path, RICH), tmp_path / "out"
    command = [sys.executable, "-m", "workbench.cli", "fuzz", where, "--seconds", "90", "--jobs", "1"]
    command += ["--out", str(out)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=Path(__file__).parents[3]) as search:
        assert search.stdout is not None
        first = search.stdout.readline()
        deadline = time.monotonic() + 30
        while out.joinpath("checkpoint.jsonl").read_bytes().count(b"\n") < 4 and time.monotonic() < deadline:
            time.sleep(0.05)
        os.kill(search.pid, signal.SIGKILL)
        search.stdout.read()
    assert "invariant.modest" in first
    lines = out.joinpath("checkpoint.jsonl").read_bytes().count(b"\n")
    code, found = searched(capsys, where, "--games", "12", "--jobs", "1", "--out", str(out))
    assert code == 1 and [one["law"] for one in found["findings"]] == ["invariant.modest"]
    assert found["games"] >= (lines - 1) * 12 > 12  # what was played before is taken over, more than was asked for now
    assert Path(found["findings"][0]["replay"]).is_file()


def test_a_checkpoint_of_other_rules_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = str(tmp_path / "out")
    searched(capsys, folder(tmp_path, QUIET), "--games", "1", "--jobs", "1", "--out", out)
    code, found = searched(capsys, folder(tmp_path, RICH, "other"), "--games", "1", "--jobs", "1", "--out", out)
    assert code == 2 and "another run" in found["error"]


def test_bad_arguments_are_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, found = searched(capsys, folder(tmp_path, QUIET), "--players", "9")
    assert code == 2 and "1 to 4 players" in found["error"]
    for wrong in (["--games", "0"], ["--seconds", "-1"], ["--jobs", "x"]):
        assert main(["fuzz", "little", *wrong]) == 2
        capsys.readouterr()


def test_a_game_that_breaks_before_anybody_is_asked(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rules = "rule play:\n    repeat 100000000: add 1 to my.step\n    finish players\n"
    where, out = folder(tmp_path, rules), str(tmp_path / "out")
    for _ in range(2):  # the second time from the checkpoint
        code, found = searched(capsys, where, "--games", "2", "--jobs", "1", "--out", out)
        [finding] = found["findings"]
        assert code == 1 and (finding["law"], finding["rule"]) == ("dead_end", "play")
        assert "too much work" in finding["message"] and finding["decisions"] == 0
    assert json.loads(Path(finding["replay"]).read_text(encoding="utf-8"))["answers"] == []


# -------------------------------------------------------------- the free laws

LEAK = """
rule play:
    shuffle deck
    for me in players: move top(deck) to my.hand
    for me in players:
        may choose n in 1..3 where n is not PEEK: add n to my.step
    finish players
"""


def test_what_a_player_cannot_see_must_not_show_in_the_options() -> None:
    """The checker takes the expression; only dealing anew shows that the menu tells a hidden value."""
    honest = Game.start(ruleset(LEAK.replace("PEEK", "my.step + 9")), 2, 1)
    hidden(honest, 8)
    sneaky = Game.start(ruleset(LEAK.replace("PEEK", "sum(c in next(me).hand: c.value)")), 2, 1)
    with pytest.raises(ViolationError, match="has other options") as told:
        hidden(sneaky, 8)
    assert told.value.violation.law == "hidden"


LEAKS_TWICE = """
rule play:
    shuffle deck
    for me in players: move top(deck) to my.hand
    repeat 9:
        for me in players: stroll()
    for me in players: peek()
    finish players

rule stroll:
    may choose n in 1..3 where n is not sum(c in next(me).hand: c.value): add n to my.step

rule peek:
    may choose n in 1..4 where n is not sum(c in next(me).hand: c.value): add n to my.step
"""


@pytest.mark.parametrize(("rule", "length"), [("stroll", 0), ("peek", 18)])
def test_a_leak_is_made_small_whatever_leaks_before_it(rule: str, length: int, tmp_path: Path) -> None:
    source = source_of(load(folder(tmp_path, LEAKS_TWICE)))
    walk = Playthrough(source.ruleset(), 4, 5, Watch(hidden=1, deals=8, rule=rule))
    while walk.standing is not None:
        walk.choose(0)
    assert walk.violation is not None and walk.violation.key == f"hidden {rule}"
    small = shrunk(Shrinking(source, walk.violation, walk.transcript, 100))
    assert small.violation.key == f"hidden {rule}"
    assert (small.transcript.players, len(small.transcript.moves)) == (2, length)


def test_what_was_tested_in_the_game_it_branches_off_from_is_not_tested_again(tmp_path: Path) -> None:
    source = source_of(load(folder(tmp_path, QUIET)))
    first = task(FuzzTask(source, 0, 2, 7, "even", watch=Watch(hidden=1)))
    again = task(FuzzTask(source, 0, 2, 7, "even", start=first.answers, watch=Watch(hidden=1)))
    assert first.deals > 4 and again.answers == first.answers and again.deals == 1


def test_a_question_is_tested_when_it_comes_up_unless_it_is_familiar() -> None:
    rules = ruleset(QUIET)
    counted = []
    for familiar in ((), ("play.card",)):
        walk = Playthrough(rules, 2, 3, Watch(hidden=1000, familiar=frozenset(familiar)))
        while walk.standing is not None:
            walk.choose(0)
        counted.append(walk.deals)
    assert counted[0] == counted[1] + 1 > 0


def test_round_trips_hold_at_every_moment_of_a_secret_choice() -> None:
    rules = ruleset(QUIET)
    game = Game.start(rules, 4, 3)
    seen = 0
    while not game.over:
        for number in range(game.option_count):
            round_trips(game, number)
            seen += 1
        game.choose(seen % game.option_count)
    replays(game)
    assert seen > 10


def test_a_game_that_forgets_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each round trip, spoilt on purpose."""
    game = Game.start(ruleset(RICH), 2, 0)
    with monkeypatch.context() as patch:
        patch.setattr(Game, "undo", lambda self: None)
        with pytest.raises(ViolationError, match="leaves something behind"):
            round_trips(game, 1)
    with monkeypatch.context() as patch:
        patch.setattr(Game, "copy", lambda self: self)
        with pytest.raises(ViolationError, match="changes the game it was copied from"):
            round_trips(game, 1)
    other = Game.start(ruleset(RICH), 2, 0)
    other.choose(1)
    with monkeypatch.context() as patch:
        patch.setattr(Game, "load", lambda rules, data: other.copy())
        with pytest.raises(ViolationError, match="not the one that was saved"):
            round_trips(Game.start(ruleset(RICH), 2, 0), 1)
    other.answers.clear()
    with pytest.raises(ViolationError, match="another position"):
        replays(other)


def test_a_failure_of_the_machine_is_a_finding_too(monkeypatch: pytest.MonkeyPatch) -> None:
    walk = Playthrough(ruleset(RICH), 2, 0, Watch())
    assert walk.game is not None
    monkeypatch.setattr(walk.game.machine, "advance", lambda *all: {}[3])
    violation = walk.choose(0)
    assert violation is not None and (violation.law, violation.message) == ("machine", "KeyError: 3")


def test_a_known_violation_is_steered_around(tmp_path: Path) -> None:
    source = source_of(load(folder(tmp_path, RICH)))
    stopped = task(FuzzTask(source, 0, 2, 7, "even"))
    assert stopped.violation is not None and not stopped.over
    around = task(FuzzTask(source, 0, 2, 7, "even", known=frozenset({"invariant.modest"})))
    assert around.over and around.violation is None and len(around.answers) == 12


# ------------------------------------------------------- what cannot be dealt anew

SECRETIVE = """
rule play:
    for p in players:
        set p.depth to 3
        set p.path to [red, blue]
        set p.chest to 7
    repeat 3:
        for me in players:
            choose n in 1..3
            set my.step to n
    finish players
"""
HIDING = """
depth = { type = "number", sees = "owner" }
path = { type = "[colour]", sees = "owner" }
chest = { type = "0..999", sees = "owner" }
"""


@pytest.mark.parametrize(
    ("law", "left_out"), [("", False), ("invariant full = all(p in players: p.chest is 7 or p.chest is 0)", True)]
)
def test_the_report_names_what_is_never_dealt_and_counts_deals_left_out(
    law: str, left_out: bool, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    where = folder(tmp_path, f"{SECRETIVE}\n{law}\n")
    tables = (tmp_path / "little" / "game.toml").read_text(encoding="utf-8")
    hiding = tables.replace("[variable.player]", f"[variable.player]{HIDING}")
    (tmp_path / "little" / "game.toml").write_text(hiding, encoding="utf-8")
    arguments = ("--games", "6", "--players", "2", "--jobs", "1", "--out", str(tmp_path / "out"))
    code, found = searched(capsys, where, *arguments)
    assert (code, found["never_dealt"]) == (0, ["'depth'", "how long 'path' is"])
    assert found["deals"] > 3 and (found["deals_dropped"] > found["deals"] // 2) == left_out
    code, again = searched(capsys, where, *arguments)  # taken over from the checkpoint
    assert (again["deals"], again["deals_dropped"]) == (found["deals"], found["deals_dropped"])
    main(["fuzz", where, *arguments])
    told = capsys.readouterr().out
    assert "hidden, and never dealt anew: 'depth', how long 'path' is" in told
    assert ("deals could not be made, and were left out" in told) == left_out


# ------------------------------------------------------ laws that say nothing

VACUOUS = """
invariant lone_red = all(c in heap where c.value > 99: any(deck))
invariant earned after action[earn]() where my.gold > 900 = my.gold > was(my.gold)
invariant counted = all(p in players where p.gold > 0: p.gold < 100)
invariant waited before action[wait]() = not any(heap) or any(deck)
invariant won after finish(winners) = all(w in winners: w.gold >= 0)
invariant idle = true
"""


def test_laws_whose_condition_never_comes_up_are_findings(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    where = folder(tmp_path, RICH.partition("invariant")[0] + VACUOUS)
    arguments = (where, "--games", "200", "--jobs", "1", "--out", str(tmp_path / "out"))
    code, found = searched(capsys, *arguments)
    assert (code, found["findings"], found["law_test_games"]) == (1, [], 25)
    assert found["never_tested"] == ["lone_red", "idle", "waited", "earned"]
    times = {one["law"]: (one["times"], one["games"]) for one in found["law_tests"]}
    assert times["invariant.won"][1] >= 8 and times["invariant.counted"][0] > times["invariant.won"][0]
    assert searched(capsys, *arguments)[1]["law_tests"] == found["law_tests"], "taken over from the checkpoint"
    main(["fuzz", *arguments])
    told = capsys.readouterr().out
    assert "counted in 25 games:\n  lone_red  never in 25 games (warning: it says nothing of these rules)\n" in told


def test_after_few_games_nothing_is_said_of_a_law_that_did_not_come_up(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    where = folder(tmp_path, RICH.partition("invariant")[0] + VACUOUS)
    code, found = searched(capsys, where, "--games", "12", "--jobs", "1", "--out", str(tmp_path / "out"))
    assert (code, found["never_tested"], found["law_test_games"]) == (0, [], 1)
