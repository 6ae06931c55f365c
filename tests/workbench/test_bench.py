"""`warlock bench` and `warlock show --generated`: what they print."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.interpreter.same_in_c import need_compiler
from workbench.cli import main


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))


def test_bench_tells_both_backends(capsys: pytest.CaptureFixture[str]) -> None:
    need_compiler()
    assert main(["bench", "tic-tac-toe", "--seconds", "0.1", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert set(found["backends"]) == {"plain", "generated", "generated_without_c"} and found["players"] == 2
    assert found["backends"]["generated"]["plays_in_c"] and found["compile_c_s"] > 0
    for speed in found["backends"].values():
        assert all(speed[name] > 0 for name in ("games_per_s", "decisions_per_s", "copies_per_s"))
        assert speed["load_cached_s"] > 0 and speed["load_cold_s"] > 0
    assert 5 <= found["decisions_per_game"] <= 9 and found["state_bytes"] > 0
    speeds = [found["backends"][name]["decisions_per_s"] for name in ("generated", "generated_without_c", "plain")]
    assert speeds == sorted(speeds, reverse=True)


def test_bench_without_a_compiler(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr("workbench.support.native.compiler", lambda: ())
    assert main(["bench", "tic-tac-toe", "--seconds", "0.1", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert set(found["backends"]) == {"plain", "generated"} and found["compile_c_s"] is None
    assert main(["bench", "tic-tac-toe", "--seconds", "0.1"]) == 0
    assert "no C compiler" in capsys.readouterr().out


def test_bench_for_people(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", "tic-tac-toe", "--seconds", "0.1"]) == 0
    out = capsys.readouterr().out
    assert "generated" in out and "plain" in out and "times as fast" in out


@pytest.mark.parametrize("wrong", [["--players", "9"], ["--seconds", "0"], ["--seconds", "-1"], ["--seconds", "nan"]])
def test_bench_with_wrong_arguments(wrong: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", "tic-tac-toe", *wrong]) == 2
    assert "Traceback" not in capsys.readouterr().err


def test_the_generated_source_can_be_read(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["show", "tic-tac-toe", "--generated", "--laws"]) == 0
    out = capsys.readouterr().out
    assert "Generated: do not edit" in out.splitlines()[0]
    compile(out, "shown", "exec")  # it is whole
    assert "rules.warlock:" in out  # and says which lines it carries out
    assert main(["show", "tic-tac-toe", "--generated", "--players", "7"]) == 2


def test_the_c_can_be_read(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["show", "tic-tac-toe", "--native"]) == 0
    out = capsys.readouterr().out
    assert "Generated: do not edit" in out.splitlines()[0] and "/* turn */" in out
