"""`warlock bench`: what it measures and what it says about the machine that plays."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.vm.needs import needs_vm
from workbench.cli import main


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))


@needs_vm
def test_bench_compares_with_the_plain_machine(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", "tic-tac-toe", "--seconds", "0.1", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert set(found["backends"]) == {"vm", "plain"} and found["players"] == 2
    assert (found["runs"], found["why_plain"]) == ("vm", "")
    for speed in found["backends"].values():
        assert all(value > 0 for value in speed.values()), speed
    assert 5 <= found["decisions_per_game"] <= 9 and found["state_bytes"] > 0
    assert found["ratio"] > 1


def test_bench_says_why_the_plain_machine_plays(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("workbench.bench.why_plain", lambda machine: "nobody built the other")
    assert main(["bench", "tic-tac-toe", "--seconds", "0.1", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert set(found["backends"]) == {"plain"} and found["why_plain"] == "nobody built the other"
    assert main(["bench", "tic-tac-toe", "--seconds", "0.1"]) == 0
    assert "because nobody built the other." in " ".join(capsys.readouterr().out.split())


@needs_vm
def test_bench_for_people(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", "tic-tac-toe", "--seconds", "0.1"]) == 0
    out = capsys.readouterr().out
    assert "vm" in out and "plain" in out and "times as fast" in out


@pytest.mark.parametrize("wrong", [["--players", "9"], ["--seconds", "0"], ["--seconds", "-1"], ["--seconds", "nan"]])
def test_bench_with_wrong_arguments(wrong: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", "tic-tac-toe", *wrong]) == 2
    assert "Traceback" not in capsys.readouterr().err
