"""Planted errors: `warlock fuzz` finds each by the law it breaks, and shrinks it to about the shortest game known."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.planted.measure import LIMITS, by_hypothesis
from workbench.cli import main

ERRORS = Path(__file__).parents[2] / "planted" / "variants"
LEAKS = ERRORS.parent / "leaks"
SECONDS = 60
MORE = 6  # decisions beyond the shortest game known

# By error: the laws that may tell of it, and the decisions of the shortest game known that shows it.
PLANTED = {
    "maldorf/uncounted_dragons": (("invariant.dragons_limited",), 45),
    "maldorf/kept_payment": (("invariant.spent_is_discarded", "invariant.spent_lies_open"), 11),
    "maldorf/equal_bids": (("invariant.bids_differ",), 69),
    "maldorf/guarded_ruin": (("invariant.guarded_is_safe",), 19),
    "maldorf/told_hand": (("hidden",), 11),
    "goblin-warlord/forgotten_band": (("invariant.goblins_conserved", "invariant.spare_camps_empty"), 20),
    "goblin-warlord/two_orders": (("invariant.order_is_given", "invariant.one_order_each"), 3),
    "goblin-warlord/sneaks_twice": (("invariant.one_sneak_a_turn",), 10),
    "goblin-warlord/no_exit": (("ends", "dead_end"), 1),
    "warlock-1980/skipped_defence": (("invariant.target_stands_next",), 8),
    "warlock-1980/greedy_learner": (("invariant.hands_limited",), 4),
    "warlock-1980/unpaid_spell": (("invariant.spent_are_not_awake",), 36),
}
QUICK = ("maldorf/kept_payment", "goblin-warlord/two_orders", "warlock-1980/greedy_learner")


# By leak: what the report says that it is, and the words that let it out.
LEAKING = {
    "player_variable": ("another value of 'bid' of seat ", "    require any(p in opponents where p.bid < 4)\n"),
    "game_variable": ("another value of 'weather', ", "    require weather is fair\n"),
    "piece_variable": ("another value of 'mined' of a stone, ", " where not stone.mined"),
    "count": ("other counts that seat ", " where any(rival.purse)"),
    "order": (
        "the pieces where seat 1 cannot look in another order, ",
        "    require any(c in top(deck, 1) where c.face is high)\n",
    ),
    "others": ("other pieces where seat ", "    require any(c in my.forehead where c.face is high)\n"),
    "private_roll": ("another value of 'die' of seat ", " where rival.die < 4"),
    "shown": ("other pieces where seat ", " where any(c in rival.hand where c.face is high)"),
    "piece": ("other pieces where seat ", " where any(c in rival.hand where c.face is high)"),
}


def found(error: Path, out: Path, capsys: pytest.CaptureFixture[str], *more: str) -> dict[str, Any]:
    code = main(["fuzz", str(error), "--first", "--json", "--out", str(out), *more])
    told = json.loads(capsys.readouterr().out)
    assert code == 1, f"{told['games']} games broke no law"
    return min(told["findings"], key=lambda finding: int(finding["decisions"]))


def judge(error: str, finding: dict[str, Any]) -> None:
    laws, shortest = PLANTED[error]
    assert finding["law"] in laws
    assert finding["decisions"] <= shortest + MORE
    assert len(finding["moves"]) == finding["decisions"]


def test_every_planted_error_is_on_the_list() -> None:
    there = {f"{path.parent.parent.name}/{path.parent.name}" for path in ERRORS.rglob("overlay.toml")}
    assert set(PLANTED) | {"maldorf/complete_attacked"} == there


@pytest.mark.parametrize("error", QUICK)
def test_an_error_is_found_quickly(error: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    judge(error, found(ERRORS / error, tmp_path, capsys, "--games", "12", "--jobs", "1"))


@pytest.mark.long
@pytest.mark.parametrize("error", PLANTED)
def test_an_error_is_found_within_a_minute(error: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    judge(error, found(ERRORS / error, tmp_path, capsys, "--seconds", str(SECONDS)))


@pytest.mark.long
def test_a_law_of_whole_empires_is_tested_by_play_that_aims_for_them(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Uniformly random play all but never completes an empire; branching off from the fullest ones does."""
    finding = found(ERRORS / "maldorf/complete_attacked", tmp_path, capsys, "--seconds", "600")
    assert finding["law"] in ("invariant.guarded_is_safe", "invariant.traded_was_open")


WAYS = ("positions", "state_machine")


def judge_way(error: str, way: str) -> None:
    """The strategies of Hypothesis find it, within their time, and tell a game not much longer than the shortest."""
    one = by_hypothesis(error, 0, way)
    laws, shortest = PLANTED.get(error, (("invariant.guarded_is_safe",), 353))
    assert one and one["law"] in (*laws, "hidden")
    assert one["seconds"] <= LIMITS[way] and one["decisions"] <= shortest + 2 * MORE


@pytest.mark.parametrize("way", WAYS)
def test_an_error_is_found_by_drawing_positions(way: str) -> None:
    judge_way("goblin-warlord/two_orders", way)


@pytest.mark.long
@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("error", [*PLANTED, "maldorf/complete_attacked"])
def test_every_error_is_found_by_drawing_positions(error: str, way: str) -> None:
    judge_way(error, way)


# ----------------------------------------------------------------------- leaks


def test_every_leak_is_on_the_list() -> None:
    assert set(LEAKING) == {path.name for path in LEAKS.iterdir()}


@pytest.mark.parametrize("leak", LEAKING)
def test_a_leak_is_found_in_a_few_games_and_named(
    leak: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    finding = found(LEAKS / leak, tmp_path, capsys, "--games", "12", "--jobs", "1")
    assert finding["law"] == "hidden"
    assert finding["message"].startswith(f"with {LEAKING[leak][0]}")
    assert finding["decisions"] <= 3


def rewritten(leak: str, at: Path, old: str, new: str) -> str:
    """The game of a leak with other words, on the disk."""
    for path in (LEAKS / leak).iterdir():
        text = path.read_text(encoding="utf-8")
        assert path.name == "game.toml" or old in text
        (at / path.name).write_text(text.replace(old, new), encoding="utf-8")
    return str(at)


def nothing_found(where: str, out: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code = main(["fuzz", where, "--games", "36", "--jobs", "1", "--out", str(out), "--json"])
    told = json.loads(capsys.readouterr().out)
    assert (code, told["findings"], told["deals_dropped"]) == (0, [], 0)
    assert told["deals"] >= 20


@pytest.mark.parametrize("leak", LEAKING)
def test_without_the_words_that_let_it_out_nothing_leaks(
    leak: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    nothing_found(rewritten(leak, tmp_path, LEAKING[leak][1], ""), tmp_path / "out", capsys)


def test_what_one_was_shown_is_no_secret(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    seen = "[p in opponents where next(p) is me] where"
    nothing_found(rewritten("shown", tmp_path, "opponents where", seen), tmp_path / "out", capsys)
