"""Properties of many games: each kind finds the error that is planted for it, and tells of one that says nothing."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from interpreter import Game
from warlock_dsl import Loaded
from workbench.cli import main
from workbench.fuzz.goals import goals_of, held
from workbench.fuzz.relations import Pair, relations_of
from workbench.sim.stated_shares import ShareTests, outcome_of
from workbench.sim.statistics import rate
from workbench.support.rulesets import load_named, rules_roots

PLANTED = Path(__file__).parents[2] / "planted" / "properties"


TOO_FEW = "too few games to tell"
GOALS = ("two_are_left", "second_wins")


def loaded(name: str) -> Loaded:
    return load_named(name, rules_roots(PLANTED))


def fuzzed(name: str, capsys: pytest.CaptureFixture[str], *more: str) -> tuple[int, dict[str, Any], dict[str, Any]]:
    """The exit code of a search, and what it says of each goal and relation."""
    code = main(["fuzz", name, "--games", "48", "--jobs", "1", "--json", "--rules", str(PLANTED), *more])
    told = json.loads(capsys.readouterr().out)
    goals = {one["law"].removeprefix("sometimes."): one for one in told["sometimes"]}
    return code, goals, {one["law"].removeprefix("relation."): one for one in told["relations"]}


def simulated(name: str, games: int, capsys: pytest.CaptureFixture[str]) -> tuple[int, dict[str, Any]]:
    code = main(["sim", name, "--games", str(games), "--jobs", "1", "--json", "--rules", str(PLANTED)])
    told = json.loads(capsys.readouterr().out)
    return code, {one["law"].removeprefix("share."): one for one in told["shares"][0]["shares"]}


@pytest.fixture(autouse=True)
def own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


# ------------------------------------------------------------------------- sound


def test_properties_that_hold(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    code, goals, relations = fuzzed("nim", capsys, "--out", str(tmp_path / "out"))
    assert code == 0
    assert {name: one["verdict"] for name, one in goals.items()} == dict.fromkeys(GOALS, "reached")
    compared = relations["greed_has_more"]
    assert compared["verdict"] == "holds" and compared["stack"] == "nim+greedy(most=4)"
    assert compared["comparisons"] > compared["different"] > 24
    for one in goals.values():
        assert 0 < one["in_games"] <= one["games"] and one["always"] < 48


def test_a_witness_is_the_shortest_game(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """From eleven or twelve coins three answers lead to two; the replay on the disk leads there, too."""
    _, goals, _ = fuzzed("nim", capsys, "--out", str(tmp_path / "out"))
    one = goals["two_are_left"]
    assert one["witness"]["decisions"] == 3
    rules = loaded("nim").ruleset
    assert rules is not None
    witness = one["witness"]
    game = Game.again(rules, witness["players"], witness["seed"], witness["answers"])
    assert held(game, goals_of(rules)) == ["two_are_left"]
    replay = json.loads(Path(one["replay"]).read_text(encoding="utf-8"))
    assert Game.from_replay(rules, replay).digest() == game.digest()


def test_a_killed_search_goes_on_with_what_it_has_reached(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    out = str(tmp_path / "out")
    main(["fuzz", "nim", "--games", "24", "--jobs", "1", "--json", "--rules", str(PLANTED), "--out", out])
    capsys.readouterr()
    runs = [fuzzed("nim", capsys, "--out", folder) for folder in (out, str(tmp_path / "new"))]
    for _, goals, _ in runs:
        for one in goals.values():
            assert Path(one.pop("replay")).is_file()
    assert runs[0] == runs[1]


def test_a_share_holds_in_many_games_and_few_do_not_tell(capsys: pytest.CaptureFixture[str]) -> None:
    code, shares = simulated("nim", 700, capsys)
    assert code == 0 and shares["seats"]["verdict"] == "holds" and len(shares["seats"]["places"]) == 2
    code, shares = simulated("nim", 20, capsys)
    assert code == 0 and shares["seats"]["verdict"] == "too few games to tell"


# ----------------------------------------------------------------- planted errors


def test_something_that_is_never_so_any_more(capsys: pytest.CaptureFixture[str]) -> None:
    code, goals, _ = fuzzed("nim+unreachable", capsys)
    assert code == 1 and goals["two_are_left"]["verdict"] == "never" and goals["two_are_left"]["games"] == 48
    assert goals["second_wins"]["verdict"] == "reached"


def test_a_share_that_is_broken(capsys: pytest.CaptureFixture[str]) -> None:
    code, shares = simulated("nim+lopsided", 60, capsys)
    assert code == 1 and shares["seats"]["verdict"] == "broken"
    assert [place["verdict"] for place in shares["seats"]["places"]] == ["broken", "broken"]


def test_a_relation_that_is_broken(capsys: pytest.CaptureFixture[str]) -> None:
    code, _, relations = fuzzed("nim+reversed", capsys)
    found = relations["greed_has_more"]
    assert code == 1 and found["verdict"] == "broken" and found["message"] == "options is 3 here and 2 there"
    assert found["game"]["decisions"] == 0  # the very first question shows it


# ------------------------------------------------------------- that say nothing


def test_what_says_nothing_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    code, goals, relations = fuzzed("nim+vacuous", capsys)
    verdicts = {name: one["verdict"] for name, one in goals.items()}
    assert code == 1 and verdicts == {
        "two_are_left": "reached",
        "second_wins": "reached",
        "there_is_a_heap": "always",
        "somebody_wins": "always",
        "heap_grows": "never",
    }
    assert relations["as_many_seats"]["verdict"] == "never differed"
    assert relations["as_many_seats"]["comparisons"] > 24
    _, shares = simulated("nim+vacuous", 30, capsys)
    assert shares["of_a_crowd"]["verdict"] == "never" and shares["of_a_crowd"]["places"] == []


def test_few_games_do_not_tell(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["fuzz", "nim+unreachable", "--games", "12", "--jobs", "1", "--rules", str(PLANTED)]) == 0
    told = capsys.readouterr().out
    assert "two_are_left  never in 12 games (too few games to tell)" in told
    assert "shares are counted by warlock sim: seats" in told


# ------------------------------------------------------------------------- relations


def test_a_stack_that_is_the_other_one_is_not_compared(capsys: pytest.CaptureFixture[str]) -> None:
    code, _, relations = fuzzed("nim+greedy", capsys)
    assert code == 0 and relations["greed_has_more"]["verdict"] == "not compared"
    assert relations["greed_has_more"]["message"] == "this stack is the same"


def overlay(folder: Path, rules: str) -> None:
    """The planted game, and an overlay on it with these rules."""
    here = folder / "variants" / "nim" / "own"
    here.mkdir(parents=True)
    (here / "overlay.toml").write_text('[overlay]\non = "nim"\nabout = "test"\n', encoding="utf-8")
    (here / "rules.warlock").write_text(rules, encoding="utf-8")


@pytest.mark.parametrize(
    ("rules", "told"),
    [
        ("relation r with gredy = options is there\n", "error[W602]: with gredy: there is no overlay 'gredy' on nim"),
        ("relation r with greedy(mst = 4) = options is there\n", "error[W607]: with greedy(mst=4): "),
    ],
)
def test_check_tells_of_a_stack_that_cannot_be_made(
    rules: str, told: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    overlay(tmp_path, rules)
    where = ["--rules", str(PLANTED), "--rules", str(tmp_path)]
    assert main(["check", "nim+own", *where]) == 1
    out = capsys.readouterr().out
    assert told in out and "--> +own/rules.warlock:1:1" in out
    assert main(["check", "nim+own", "--json", *where]) == 1
    assert json.loads(capsys.readouterr().out)["errors"] == 1


def test_games_that_ask_different_questions_part() -> None:
    """With one coin at a time nothing is asked: the other game is over at once."""
    rules = loaded("nim+greedy(most=1)")
    (related,) = relations_of(rules, rules_roots(PLANTED))
    assert related.other is not None
    pair = Pair(related, 2, 0)
    assert pair.parted and not pair.comparisons and not pair.broken


def test_lists_are_compared_place_by_place(tmp_path: Path) -> None:
    overlay(tmp_path, "relation r with greedy = [n in 1..heap: options] <= there\n")
    rules = load_named("nim+own", [*rules_roots(PLANTED), *rules_roots(tmp_path)])
    related = relations_of(rules, rules_roots(PLANTED))[-1]
    pair = Pair(related, 2, 0)
    assert pair.comparisons == 1 and pair.differing == 1 and not pair.broken


@pytest.mark.parametrize("values", ["[n in 1..201: n]", "[n in 1..options * 100: n]"])
def test_a_long_list_is_not_compared(values: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A list of 100,000 numbers took seconds at every question. In the second only the other stack has a long one."""
    overlay(tmp_path, f"relation r with greedy(most = 4) = {values} <= there\n")
    where = ["--rules", str(PLANTED), "--rules", str(tmp_path)]
    assert main(["fuzz", "nim+own", "--games", "4", "--jobs", "1", *where]) == 1
    assert "is too long to count or to compare\n  hint: a property may give up to 200 " in capsys.readouterr().err


# --------------------------------------------------------------------------- shares


def test_what_a_game_adds_to_a_share() -> None:
    rules = loaded("nim+vacuous").ruleset
    assert rules is not None
    game = Game.start(rules, 2, 1)
    while not game.over:
        game.choose(0)
    assert outcome_of(game) == {"seats": [int(seat in game.winners) for seat in range(2)]}


@pytest.mark.parametrize(
    ("hits", "games", "verdict"),
    [(25, 100, TOO_FEW), (250, 1000, "holds"), (60, 100, "broken"), (2, 100, "broken"), (1, 2, TOO_FEW)],
)
def test_the_verdict_on_a_share(hits: int, games: int, verdict: str) -> None:
    assert ShareTests("x", (20, 30), games, (rate(hits, games),)).verdict == verdict
