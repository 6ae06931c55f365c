"""`warlock check A+B --permute`: whether the order of overlays matters, with a game that shows it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.warlock_dsl.test_goldens import BASE, base
from workbench.cli import main

HEAD = '[overlay]\non = "base"\nabout = "A test"\n'
OVERLAYS: Mapping[str, Mapping[str, str]] = {
    "doubles": {"rules.warlock": "rule doubled before round(): set leader.points to min(9, leader.points * 2)\n"},
    "adds": {"rules.warlock": "rule added before round(): add 1 to leader.points\n"},
    "adds_too": {"rules.warlock": "rule added_too before round(): add 1 to leader.points\n"},
    "other": {"rules.warlock": "rule later after round(): add 1 to leader.points\n"},
    "hand": {"overlay.toml": HEAD + '\n[[change]]\nat = "size.hand"\nwas = 2\nnow = 1\n'},
    "bigger": {
        "overlay.toml": HEAD + 'builds_on = ["hand"]\n\n[[change]]\nat = "size.hand"\nwas = 1\nnow = 2\n',
    },
    "clash": {"overlay.toml": HEAD + '\n[[change]]\nat = "size.hand"\nwas = 2\nnow = 1\n'},
    "needy": {"rules.warlock": "rule needs before laid(card): require my.points < 3\n"},
    "costly": {"rules.warlock": "rule pays before laid(card): add 2 to my.points\n"},
}


@pytest.fixture
def rules(tmp_path: Path) -> Path:
    files = {f"rules/{BASE}/{name}": text for name, text in base().items()}
    for overlay, own in OVERLAYS.items():
        files |= {f"variants/{BASE}/{overlay}/{name}": text for name, text in {"overlay.toml": HEAD, **own}.items()}
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    return tmp_path / "rules"


def asked(rules: Path, stack: str, capsys: pytest.CaptureFixture[str], *more: str) -> tuple[int, str]:
    status = main(["--rules", str(rules), "check", stack, "--permute", *more])
    return status, capsys.readouterr().out


def test_overlays_that_have_nothing_to_do_with_one_another(rules: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status, out = asked(rules, "base+adds+other+hand", capsys)
    assert status == 0
    assert out.splitlines()[-4:] == [
        "base+adds+other+hand: 6 of 6 orders load",
        "adds, other: the order does not matter",
        "adds, hand: the order does not matter",
        "other, hand: the order does not matter",
    ]


def test_an_order_that_matters_has_a_witness(rules: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status, out = asked(rules, "base+doubles+adds", capsys)
    assert status == 1
    assert "doubles, adds: the order matters" in out
    assert "hooks on round: before 'doubled' (overlay doubles), before 'added' (overlay adds)" in out
    assert "2 players, seed 0, after 0 decisions: " in out


def test_hooks_that_only_stand_in_another_order(rules: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status, out = asked(rules, "base+adds+adds_too", capsys, "--games", "3")
    assert status == 0
    assert "the order makes a difference in the rules" in out and "no difference found in 3 games" in out


def test_a_guard_that_comes_after_a_cost_counts_it(rules: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status, out = asked(rules, "base+needy+costly", capsys)
    assert status == 1 and "needy, costly: the order matters" in out


def test_orders_that_do_not_load(rules: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status, out = asked(rules, "base+hand+bigger", capsys)
    assert status == 0
    assert "1 of 2 orders load" in out
    assert "hand, bigger: only base+hand+bigger loads; the other way round, W605" in out
    status, out = asked(rules, "base+hand+clash", capsys)
    assert status == 1 and "hand, clash: neither order loads; W610" in out


def test_json_and_a_single_overlay(rules: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status, out = asked(rules, "base+doubles+adds", capsys, "--json")
    found = json.loads(out)["orders"]
    assert status == 1 and found["tried"] == 2 and found["matters"]
    assert found["pairs"][0]["names"] == ["doubles", "adds"] and found["pairs"][0]["seen"]["players"] == 2
    assert asked(rules, "base+doubles", capsys)[0] == 2


def test_only_the_two_overlays_of_a_pair_are_exchanged(rules: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """What stands between them is not blamed on them; of many overlays not every order is tried."""
    _, out = asked(rules, "base+doubles+adds+hand", capsys)
    assert "doubles, hand: the order does not matter" in out and "adds, hand: the order does not matter" in out
    status, out = asked(rules, "base+doubles+other+hand+needy+adds", capsys)
    assert status == 1 and "doubles, adds: the order matters" in out
    assert out.count("the order does not matter") == 9 and "20 of 20 orders load" not in out
