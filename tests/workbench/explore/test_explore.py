"""Exhaustive search: known figures, chance as branches, shortest ways to what breaks, and runs that are killed."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections import Counter
from math import factorial
from pathlib import Path
from typing import Any

import pytest

from interpreter import BACKENDS, Game, LawViolationError
from interpreter.plain.branching import arrangement, arrangements
from interpreter.state import random as chance
from tests.conftest import ruleset_named
from warlock_dsl.load import load, load_files
from warlock_dsl.ruleset import Loaded
from workbench.cli import main
from workbench.explore.search import Explorer, Finding
from workbench.explore.store import StateStore
from workbench.explore.walker import Search, spelled, walker_for
from workbench.support.errors import UsageError
from workbench.support.files import read_json
from workbench.support.ruleset_source import source_of
from workbench.support.workers import WorkerPool

CLASSICS = Path(__file__).parents[3] / "rules" / "classics"

TABLES = """
[game]
players = "2..2"

[table.colour]
rows = ["red", "blue"]

[die.coin]
of = "colour"
faces = { red = 1, blue = 1 }

[kind.card]
rows = "cards.csv"
fields = { colour = "colour" }

[zone]
deck = { holds = "card", sees = "none", start = "card" }
hand = { each = "player", holds = "card", sees = "owner" }
heap = { holds = "card", sees = "all" }

[variable.player]
points = "0..9"
"""
CARDS = "id,colour\nA,red\nB,red\nC,blue\n"
SHUFFLED = """
rule play:
    shuffle deck
    for me in players:
        choose act in action: action[act]()

rule action[draw]: move top(deck) to my.hand

rule action[toss]:
    roll side in coin
    if side is red: add 2 to my.points
    else: add 1 to my.points
"""


def small(rules: str) -> Loaded:
    loaded = load_files({"game.toml": TABLES, "cards.csv": CARDS, "play.warlock": rules}, "small")
    assert loaded.ruleset is not None, [d.message for d in loaded.diagnostics]
    return loaded


def explored(
    loaded: Loaded, path: Path, branches: str = "all", maximum: int = 10_000, orders: int = 5040, **more: Any
) -> tuple[Search, Explorer, list[Finding]]:
    search = Search(source_of(loaded), 2, 0, branches, orders, **more)
    told: list[Finding] = []
    with StateStore(path, {"search": branches}) as store:
        explorer = Explorer(search, store, maximum, 4000, told.append)
        explorer.run(WorkerPool())
        if explorer.at.findings:  # their ways are read from the trail
            spelled(search, explorer.at.findings[0].ways)
    return search, explorer, told


# ---------------------------------------------------------------- known figures


def test_tic_tac_toe_has_5478_positions_and_958_ends(tmp_path: Path) -> None:
    """The figures are well known. Rotations and reflections are not taken together."""
    _, explorer, _ = explored(load(str(CLASSICS / "tic-tac-toe")), tmp_path / "store")
    at = explorer.at
    assert (at.states, at.ends, len(at.depths) - 1, at.done) == (5478, 958, 9, True)
    assert at.depths == [1, 9, 72, 252, 756, 1260, 1520, 1140, 390, 78]


def test_pieces_that_are_alike_are_one_and_the_same(tmp_path: Path) -> None:
    """Two of four tokens are laid out one after another on four cells: six pictures, however they came about."""
    more = """
[grid.plan]
cells = ["..", ".."]

[kind.token]
count = 4

[zone]
box = { holds = "token", sees = "all", start = "token" }
plan = { holds = "token", sees = "all", grid = "plan" }
"""
    rules = """
rule play:
    repeat 2:
        choose one in box, place in free(plan): move one to place
    move deck to heap
"""
    files = {"game.toml": TABLES, "more.toml": more, "cards.csv": CARDS, "play.warlock": rules}
    loaded = load_files(files, "small")
    assert loaded.ruleset is not None, [d.message for d in loaded.diagnostics]
    _, explorer, _ = explored(loaded, tmp_path / "store")
    assert explorer.at.ends == 6
    # Which token (nothing else is possible), then where: 1, 1; 4, 4; 6.
    assert explorer.at.depths == [1, 1, 4, 4, 6]


# ----------------------------------------------------------------------- chance


def test_chance_is_a_branch_or_the_stroke_of_the_seed(tmp_path: Path) -> None:
    loaded = small(SHUFFLED)
    whole = explored(loaded, tmp_path / "all", "all")[1].at
    rolls = explored(loaded, tmp_path / "rolls", "rolls")[1].at
    fixed = explored(loaded, tmp_path / "fixed", "fixed")[1].at
    assert whole.depths[0] == 3  # orders of red, red, blue
    assert rolls.depths[0] == fixed.depths[0] == 1
    assert whole.depths[1] == 3 * 3  # draw; roll red; roll blue
    assert rolls.depths[1] == 3
    assert fixed.depths[1] == 2
    assert fixed.states < rolls.states < whole.states


def test_a_shuffle_of_too_many_orders_is_refused_with_advice(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="a shuffle of 3 pieces has 3 orders, more than --orders 2; cut the pile"):
        explored(small(SHUFFLED), tmp_path / "store", orders=2)


@pytest.mark.parametrize("counts", [{0: 1}, {0: 2, 1: 1}, {0: 2, 1: 2, 2: 1}, {0: 4}])
def test_every_order_has_a_number_of_its_own(counts: dict[int, int]) -> None:
    classes = Counter(counts)
    whole = factorial(sum(counts.values()))
    for count in counts.values():
        whole //= factorial(count)
    assert arrangements(classes) == whole
    orders = {tuple(arrangement(classes, number)) for number in range(whole)}
    assert len(orders) == whole
    assert all(Counter(order) == classes for order in orders)


# --------------------------------------------------------------------- findings

BROKEN = SHUFFLED + "\ninvariant modest = all(p in players: p.points < 2)\n"


def test_the_shortest_way_to_what_breaks_is_told_and_leads_there(tmp_path: Path) -> None:
    search, explorer, told = explored(small(BROKEN), tmp_path / "store")
    (finding,) = explorer.at.findings
    assert told == [finding]
    assert finding.depth == 1
    assert "modest" in finding.error
    steps = spelled(search, finding.ways)
    assert [step.get("answer") for step in steps] == [None, "toss"]
    assert steps[1]["chance"] == [0]


def test_a_way_is_a_replay_where_the_seed_decides(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rules = SHUFFLED.replace("roll side in coin\n", "let side = red\n")
    rules += "\ninvariant modest = sum(p in players: p.points) < 3\n"
    folder = tmp_path / "rules" / "small"
    folder.mkdir(parents=True)
    for name, text in (("game.toml", TABLES), ("cards.csv", CARDS), ("play.warlock", rules)):
        (folder / name).write_text(text, encoding="utf-8")
    arguments = ["explore", "small", "--rules", str(folder.parent), "--jobs", "1", "--chance", "fixed", "--json"]
    code = main([*arguments, "--out", str(tmp_path / "out")])
    found = json.loads(capsys.readouterr().out)
    assert code == 1
    assert found["complete"] is True
    assert found["findings"][0]["depth"] == 2
    replay = read_json(tmp_path / "out" / "finding-1.json")
    assert isinstance(replay, dict)
    ruleset = load(str(folder)).ruleset
    assert ruleset is not None
    game = Game.start(ruleset, 2, replay["seed"])
    for answer in replay["answers"]:
        game.answer(answer)
    with pytest.raises(LawViolationError, match="modest"):
        game.answer(found["findings"][0]["way"][-1]["answer"])


# ----------------------------------------------------------------- bounds, kills


def test_a_bound_ends_the_search_honestly_and_a_higher_one_goes_on(tmp_path: Path) -> None:
    loaded = load(str(CLASSICS / "tic-tac-toe"))
    first = explored(loaded, tmp_path / "store", maximum=700)[1].at
    assert first.bound == "700 states"
    assert not first.done
    assert first.looked < first.states < 1000
    second = explored(loaded, tmp_path / "store")[1].at
    assert (second.states, second.ends, second.done) == (5478, 958, True)


def test_a_store_that_was_cut_off_anywhere_is_gone_on_with(tmp_path: Path) -> None:
    loaded = small(BROKEN)
    path = tmp_path / "store"
    whole = explored(loaded, path)[1]
    content = path.read_bytes()
    step = max(1, len(content) // 23)
    for cut in range(60, len(content), step):
        path.write_bytes(content[:cut])
        again = explored(loaded, path)[1]
        assert again.at.depths == whole.at.depths
        assert again.at.findings == whole.at.findings
        assert again.told == whole.told


def test_a_killed_search_goes_on_and_loses_nothing_it_has_told(tmp_path: Path) -> None:
    """The process is killed outright in the middle; the next one finds the same as one that was left alone."""
    store = tmp_path / "store"
    command = [
        sys.executable, "-m", "workbench.cli", "explore", "tic-tac-toe", "--rules", str(CLASSICS), "--jobs", "1",
        "--checkpoint", str(store), "--json",
    ]  # fmt: skip
    first = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    until = time.monotonic() + 60
    while time.monotonic() < until and not (store.exists() and store.stat().st_size > 3000):
        time.sleep(0.02)
    os.kill(first.pid, signal.SIGKILL)
    first.wait()
    kept = store.stat().st_size
    assert kept > 3000
    found = json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
    assert (found["states"], found["ends"], found["complete"]) == (5478, 958, True)


def test_a_finding_that_was_told_is_told_again_after_a_kill(tmp_path: Path) -> None:
    """A law that breaks with the first disc in the first shaft, in a game too large to be looked at whole."""
    folder = tmp_path / "rules" / "connect-four"
    shutil.copytree(CLASSICS / "connect-four", folder)
    law = "invariant shunned = count(board) is not 1 or count(free(board, r1)) > 5\n"
    (folder / "law.warlock").write_text(law, encoding="utf-8")
    store = tmp_path / "store"
    command = [sys.executable, "-m", "workbench.cli", "explore", "connect-four", "--rules", str(folder.parent)]
    command += ["--jobs", "1", "--checkpoint", str(store)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as search:
        assert search.stdout is not None
        first = search.stdout.readline()
        until = time.monotonic() + 60
        while time.monotonic() < until and store.stat().st_size < 20_000:
            time.sleep(0.02)
        os.kill(search.pid, signal.SIGKILL)
        search.stdout.read()
    assert first.startswith("broken after 1 decisions") and "shunned" in first
    kept = store.read_bytes()
    assert len(kept) >= 20_000
    done = subprocess.run([*command, "--max-states", "5000", "--json"], capture_output=True, text=True)
    assert done.returncode == 1, done.stderr
    found = json.loads(done.stdout)
    assert [(one["depth"], one["way"][-1]["answer"]) for one in found["findings"]] == [(1, "c1")]
    assert found["states"] >= 5000 and store.read_bytes()[: len(kept) // 2] == kept[: len(kept) // 2]


def test_a_search_at_its_bound_stays_there(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The same command once more has nothing to do; a killed one that goes on stops where it would have stopped."""
    arguments = ["explore", "tic-tac-toe", "--rules", str(CLASSICS), "--jobs", "1", "--max-states", "50", "--json"]
    store = tmp_path / "store"
    found = []
    for _ in range(2):
        assert main([*arguments, "--checkpoint", str(store)]) == 2
        found.append({**json.loads(capsys.readouterr().out), "memory_mb": 0, "size": store.stat().st_size})
    assert found[0] == found[1] and found[0]["bound"] == "50 states"


def test_the_store_of_another_search_is_left_alone(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["explore", "tic-tac-toe", "--rules", str(CLASSICS), "--jobs", "1", "--max-states", "50"]
    assert main([*arguments, "--checkpoint", str(tmp_path / "store")]) == 2
    capsys.readouterr()
    assert main([*arguments, "--checkpoint", str(tmp_path / "store"), "--seed", "4"]) == 2
    assert "another search" in capsys.readouterr().err
    (tmp_path / "note").write_text("mine", encoding="utf-8")
    assert main([*arguments, "--checkpoint", str(tmp_path / "note")]) == 2
    assert (tmp_path / "note").read_text(encoding="utf-8") == "mine"


# --------------------------------------------------------------------- sameness


def test_what_no_rule_reads_any_more_makes_no_difference() -> None:
    rules = """
rule play:
    for me in players:
        choose n in 1..3, m in 1..2
        let k = n + m
        add k to my.points
        choose card in deck: move card to heap
"""
    search = Search(source_of(small(rules)), 2, 0, "all", 100)
    walker = walker_for(search)
    _, root, _ = next(walker.roots())
    keys: dict[int, set[bytes]] = {}
    for _, _, one, _ in walker.children(root):
        for _, _, two, _ in walker.children(one):
            keys.setdefault(sum(map(int, walker.machine.values(two))), set()).add(walker.key_of(two))
    assert sorted(keys) == [2, 3, 4, 5]
    assert all(len(found) == 1 for found in keys.values())  # 1 + 2 is 2 + 1: which was chosen is forgotten


def test_whatever_is_played_at_random_was_seen(tmp_path: Path) -> None:
    """Keys take together what behaves alike: no game leaves the states that a search has found."""
    for number, loaded in enumerate((small(SHUFFLED), load(str(CLASSICS / "tic-tac-toe")))):
        search, explorer, _ = explored(loaded, tmp_path / str(number))
        walker = walker_for(search)
        stream = 1
        for _ in range(40):
            roots = list(walker.roots())
            stream, pick = chance.below(stream, len(roots))
            state = roots[pick][1]
            while walker.machine.winners(state) is None:
                assert walker.key_of(state) in explorer.at.seen
                children = list(walker.children(state))
                stream, pick = chance.below(stream, len(children))
                state = children[pick][2]
            assert walker.key_of(state) in explorer.at.seen


def test_a_walk_by_first_answers_is_the_game_of_the_first_bot() -> None:
    """The search runs the same game as everybody else, but for questions with one answer."""
    ruleset = ruleset_named("maldorf")
    search = Search(source_of(load("maldorf")), 3, 7, "fixed", 100)
    walker = walker_for(search)
    _, state, _ = next(walker.roots())
    game = Game.start(ruleset, 3, 7)
    for _ in range(60):
        asked, machine = walker.asked(state), walker.machine
        assert machine.count(asked)
        if machine.count(asked) > 1:
            assert game.to_move == machine.to_move(asked)
            assert game.question == machine.question(asked)
            assert game.option_count == machine.count(asked)
            game.choose(0)
        _, _, state, error = next(walker.children(state))
        assert error is None
    while walker.machine.count(walker.asked(state)) == 1:
        _, _, state, _ = next(walker.children(state))
    assert walker.machine.table(state) == game.machine.table(game.state)


@pytest.mark.parametrize("name", ["coins", "goblin-warlord+tiny", "warlock-1980+tiny", "maldorf+tiny"])
@pytest.mark.parametrize("branches", ["all", "fixed"])
def test_both_machines_see_the_same_states(name: str, branches: str, tmp_path: Path) -> None:
    """Every machine against the plain one, state for state."""
    loaded = small(SHUFFLED) if name == "coins" else load(name)
    keys, counts = [], []
    for backend in BACKENDS:
        at = explored(loaded, tmp_path / backend, branches, maximum=500, backend=backend)[1].at
        keys.append(at.seen)
        counts.append((at.depths, at.ends, at.transitions, at.looked))
    assert keys[0] == keys[1]
    assert counts[0] == counts[1]


def test_memory_is_that_of_the_process_and_not_of_the_one_that_started_it() -> None:
    ask = "from workbench.explore.search import used_memory; print(used_memory())"
    large = f"import subprocess, sys; b'x' * (400 << 20); subprocess.run([sys.executable, '-c', {ask!r}], check=True)"
    root = CLASSICS.parents[1]
    found = subprocess.run([sys.executable, "-c", large], cwd=root, capture_output=True, text=True, check=True)
    assert 0 < int(found.stdout) < 300


def test_the_bound_of_memory_counts_what_the_search_takes(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    used = iter(range(5000, 90000, 40))  # of a process that was large before
    monkeypatch.setattr("workbench.explore.search.used_memory", lambda: next(used))
    assert main(["explore", "tic-tac-toe", "--jobs", "1", "--json", "--max-memory", "100"]) == 2
    found = json.loads(capsys.readouterr().out)
    assert found["bound"] == "100 MB of memory" and found["looked_at"] > 0
