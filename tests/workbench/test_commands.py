"""What holds for every command: imported only when it runs, examples that parse, one exit code for what is missing."""

from __future__ import annotations

import argparse
import ast
import json
import os
import pickle
import re
import shlex
import shutil
import subprocess
import sys
from collections import Counter, defaultdict
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

import warlock_dsl.load
from warlock_dsl.load import load
from workbench import __version__
from workbench.cli import command_in, main, parser
from workbench.commands import COMMANDS, GROUPS
from workbench.commands.docs import pages
from workbench.support import rulesets
from workbench.support.ruleset_source import source_of

ROOT = Path(__file__).parents[2]
DATA = Path(__file__).parent / "data"
TINY = str(DATA / "tiny")
COMMAND_FILES = [path for path in sorted((ROOT / "workbench" / "commands").glob("*.py")) if path.stem != "__init__"]
ENVIRONMENT = {**os.environ, "PYTHONPATH": str(ROOT), "COLUMNS": "100"}


def subparser(name: str) -> argparse.ArgumentParser:
    return next(iter(parser([name])._subparsers._group_actions)).choices[name]  # type: ignore[union-attr,index,return-value]


# ---------------------------------------------------------------------- the table


def test_the_table_has_every_command_and_nothing_else() -> None:
    assert {path.stem for path in COMMAND_FILES} == set(COMMANDS)
    assert {group for group, _ in COMMANDS.values()} == set(GROUPS)


@pytest.mark.parametrize("path", COMMAND_FILES, ids=lambda path: path.stem)
def test_a_command_is_a_file_with_arguments_examples_and_a_run(path: Path) -> None:
    module = import_module(f"workbench.commands.{path.stem}")
    assert callable(module.add_arguments) and callable(module.run)
    assert 2 <= len(module.EXAMPLES) <= 4
    docstring = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8")))
    assert docstring is not None and docstring.startswith(f"`warlock {path.stem}`: ")


@pytest.mark.parametrize("name", COMMANDS)
def test_the_help_of_a_command(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([name, "--help"]) == 0
    text = capsys.readouterr().out
    assert "Examples:" in text and "\nwhat to " in text
    own = text.partition("Examples:")[0]
    assert not re.search(r"without it|so many|\btells?\b|goes with|\bfaults?\b", own), name
    for action in subparser(name)._actions:
        assert action.help, f"{name}: {action.dest} says nothing"


@pytest.mark.parametrize("name", COMMANDS)
def test_every_example_parses(name: str) -> None:
    for line, _ in import_module(f"workbench.commands.{name}").EXAMPLES:
        words = shlex.split(line.replace("(", "'('").replace(")", "')'"))
        words = words[: words.index(">")] if ">" in words else words
        assert words[0] == "warlock" and command_in(words[1:]) == name
        arguments = parser([name]).parse_args(words[1:])
        for key in ("ruleset", "a", "b", "compare", "under", "game"):
            known = getattr(arguments, key, None)
            if known and "/" not in known:
                assert load(known).ruleset is not None, line


def test_the_same_option_is_the_same_in_every_command() -> None:
    found: dict[str, set[Any]] = defaultdict(set)
    for name in COMMANDS:
        for action in subparser(name)._actions:
            for option in action.option_strings:
                found[option].add((getattr(action.type, "__name__", action.type), action.metavar))
    # A stack that is played beside another is B; how many recorded games a mutant meets may be none.
    found["--compare"].clear()
    found["--games"].discard(("count", "N"))
    assert {option: shapes for option, shapes in found.items() if len(shapes) > 1} == {}
    old = {"--memory", "--most", "--longest", "--least", "--max-length", "--min-killed"}
    assert not old & set(found)


# ---------------------------------------------------------------------- start-up


def modules_after(*words: str, **environment: str) -> set[str]:
    code = "import sys; from workbench.cli import main; main(sys.argv[1:]); print(*sys.modules, file=sys.stderr)"
    ran = subprocess.run(
        [sys.executable, "-c", code, *words], env={**ENVIRONMENT, **environment}, capture_output=True, text=True
    )
    return set(ran.stderr.split())


HEAVY = {"lark", "rich", "jinja2", "hypothesis", "interpreter", "cattrs", "importlib.metadata", "duckdb"}


@pytest.mark.parametrize("word", ["--version", "--help"])
def test_no_command_is_imported_before_it_runs(word: str) -> None:
    found = modules_after(word)
    assert "workbench.cli" in found and not found & (HEAVY | {"attrs", "warlock_dsl", "tomllib"})
    assert not [name for name in found if name.startswith("workbench.commands.")]


def test_a_check_of_what_is_known_imports_no_checker(tmp_path: Path) -> None:
    warm = {"XDG_CACHE_HOME": str(tmp_path)}
    modules_after("check", "tic-tac-toe", **warm)
    found = modules_after("check", "tic-tac-toe", **warm)
    assert not found & (HEAVY | {"warlock_dsl.load", "warlock_dsl.check"})
    assert [name for name in found if name.startswith("workbench.commands.")] == ["workbench.commands.check"]


def test_the_version_is_said_in_one_place(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--version"]) == 0 and capsys.readouterr().out == f"warlock {__version__}\n"
    assert 'dynamic = ["version"]' in (ROOT / "pyproject.toml").read_text(encoding="utf-8")


# -------------------------------------------------------------- loaded once


LOADING = {
    "sim": ["sim", "tiny", "-n", "4"],
    "fuzz": ["fuzz", "tiny", "--games", "2", "--out", "found"],
    "coverage": ["coverage", "tiny", "--games", "3"],
    "mutate": ["mutate", "tiny", "--sample", "2", "--games", "1"],
    "explore": ["explore", "tiny", "--chance", "fixed", "--max-states", "30"],
    "play": ["play", "tiny", "--seats", "random,first", "--seed", "1"],
    "bench": ["bench", "tiny", "--seconds", "0.1"],
    "diff": ["diff", "tiny", "tiny+more", "--seconds", "1"],
    "show": ["show", "tiny"],
    "test": ["test", "tiny"],
}
OVERLAY = '[overlay]\non = "tiny"\nabout = "Smaller hands"\n\n[[change]]\nat = "size.hand"\nwas = 4\nnow = 3\n'


@pytest.mark.parametrize("name", LOADING)
def test_a_ruleset_is_loaded_once_a_command(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    shutil.copytree(TINY, tmp_path / "rules" / "tiny")
    overlay = tmp_path / "variants" / "tiny" / "more" / "overlay.toml"
    overlay.parent.mkdir(parents=True)
    overlay.write_text(OVERLAY, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("WARLOCK_NO_CACHE", "1")
    monkeypatch.setattr(rulesets, "_loaded", {})
    loaded: Counter[str] = Counter()
    real = warlock_dsl.load.check_files

    def counting(files: Any, title: str, errors: Any = (), overlays: Any = ()) -> Any:
        loaded[json.dumps([sorted(files.items()), [[str(use), sorted(own.items())] for use, own in overlays]])] += 1
        return real(files, title, errors, overlays)

    monkeypatch.setattr(warlock_dsl.load, "check_files", counting)
    jobs = ["--jobs", "1"] if name in ("sim", "fuzz", "coverage", "mutate", "explore", "diff") else []
    assert main([*LOADING[name], *jobs, "--json"]) in (0, 1, 2)
    assert "error" not in json.loads(capsys.readouterr().out)
    assert loaded and set(loaded.values()) == {1}


def test_workers_get_a_ruleset_as_data(monkeypatch: pytest.MonkeyPatch) -> None:
    source = source_of(load("maldorf+fr"))
    monkeypatch.setattr(warlock_dsl.load, "check_files", lambda *_: pytest.fail("it was checked again"))
    sent = pickle.dumps(source)
    one, two = pickle.loads(sent), pickle.loads(sent)
    assert one == source and one.ruleset() is two.ruleset() is not source.ruleset()
    assert one.ruleset().program == source.ruleset().program and one.ruleset().hash == source.ruleset().hash
    assert len(sent) < sum(path.stat().st_size for path in (ROOT / "rules" / "maldorf").rglob("*.*"))


# ---------------------------------------------------------------- not found


MISSING = [
    ["check", "maldrof"], ["check", "maldorf+nope"], ["check", "maldorf+("], ["play", "maldrof"],
    ["names", "maldrof"], ["names", "maldorf+nope"],
    ["play", "maldorf+nope"], ["show", "maldrof"], ["show", "tic-tac-toe", "nowhere"], ["show", "maldorf+nope"],
    ["show", "maldrof", "--bytecode"], ["sources", "maldrof"], ["sources", "maldorf+nope"], ["test", "maldrof"],
    ["test", "maldorf+nope"], ["test", "/nowhere/x.toml"], ["test", "tic-tac-toe", "--under", "maldrof"],
    ["fuzz", "maldrof"], ["fuzz", "maldorf+nope"], ["coverage", "maldrof"], ["coverage", "maldorf+nope"],
    ["mutate", "maldrof"], ["mutate", "maldorf+nope"], ["explore", "maldrof"], ["explore", "maldorf+nope"],
    ["diff", "maldorf", "maldrof"], ["diff", "maldorf+nope", "maldorf"], ["derive", "maldrof", "maldorf"],
    ["derive", "maldorf", "maldorf+nope"], ["sim", "maldrof"], ["sim", "maldorf+nope"],
    ["sim", "maldorf", "--compare", "maldrof"], ["sim", "nowhere.parquet", "--query", "select 1"],
    ["bench", "maldrof"], ["bench", "maldorf+nope"], ["new", "variant", "one", "--of", "maldrof"],
    ["new", "variant", "one", "--of", "maldorf+nope"], ["replay", "/nowhere"],
    ["play", "tic-tac-toe", "--load", "/nowhere"], ["fmt", "/nowhere"], ["list", "maldrof"], ["docs", "nowhere"],
    ["review", "maldrof"], ["review", "maldorf+nope"], ["rebase", "maldrof"], ["rebase", "maldorf+nope"],
    ["list", "--rules", "/nowhere"], ["check", "maldorf", "--rules", "/nowhere"],
]  # fmt: skip


@pytest.mark.parametrize("words", MISSING, ids=" ".join)
def test_what_is_not_found_is_exit_code_2(words: list[str], capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert main(words) == 2
    said = capsys.readouterr()
    assert said.out == "" and said.err.startswith("warlock: ") and said.err.count("\n") == 1
    if "maldrof" in words:
        assert "did you mean 'maldorf'?" in said.err
    assert main([*words, "--json"]) == 2
    assert json.loads(capsys.readouterr().out)["error"]


def test_every_command_that_can_miss_something_is_tested() -> None:
    assert {words[0] for words in MISSING} == set(COMMANDS) - {"completion", "lsp"}


def test_usage_errors_are_a_sentence_and_a_hint(capsys: pytest.CaptureFixture[str]) -> None:
    for words, said in (
        (["paly"], "did you mean 'play'?"),
        (["sim", "maldorf", "--game", "3"], "did you mean '--games'?"),
        (["sim", "maldorf", "--games", "many"], "'many' is not a whole number from 1"),
        (["check", "maldorf", "more"], "'more' is one word too many"),
        (["explore", "maldorf", "--chance", "none"], "invalid choice"),
        (["fuzz"], "RULESET"),
        (["--verson"], "did you mean '--version'?"),
    ):
        assert main(words) == 2
        err = capsys.readouterr().err
        assert said in err and err.count("\n") == 2 and "\n  hint: " in err


# ----------------------------------------------------- what can be played


def test_warlock_alone_says_what_can_be_played(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([]) == 0
    out = capsys.readouterr().out
    assert "tic-tac-toe" in out and "Three in a row on nine squares" in out and "warlock play GAME" in out
    assert main(["play"]) == 2
    said = capsys.readouterr()
    assert "tic-tac-toe" in said.out and "play what?" in said.err and "hint: warlock play" in said.err


@pytest.mark.parametrize("width", ["80", "120"])
def test_a_game_among_bots_shows_its_end(
    width: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", width)
    words = ["play", "maldorf", "--seats", "random,random,first", "--seed", "7"]
    assert main(words) == 0
    out = capsys.readouterr().out
    assert "╭─ Random bot 1" in out and "decisions. The last of what happened:" in out and "Winner: " in out
    assert max(map(len, out.splitlines())) <= int(width)
    assert main([*words, "--quiet"]) == 0
    quiet = capsys.readouterr().out
    assert "╭─" not in quiet and "Winner: " in quiet and len(quiet.splitlines()) < 15


# ------------------------------------------------------------- completion


def completed(tmp_path: Path, *words: str) -> list[str]:
    """What bash offers for the last of these words."""
    script = tmp_path / "warlock.bash"
    if not script.exists():
        ran = subprocess.run(
            [sys.executable, "-m", "workbench.cli", "completion", "bash"],
            env=ENVIRONMENT,
            capture_output=True,
            check=True,
        )
        script.write_bytes(ran.stdout)
        command = tmp_path / "warlock"
        command.write_text(f'#!/bin/sh\nexec {sys.executable} -m workbench.cli "$@"\n', encoding="utf-8")
        command.chmod(0o755)
    line = f"""
source {script}
COMP_WORDS=({shlex.join(words)})
COMP_CWORD={len(words) - 1}
_shtab_warlock
printf '%s\\n' "${{COMPREPLY[@]}}"
"""
    path = f"{tmp_path}:{os.environ['PATH']}"
    ran = subprocess.run(
        ["bash", "--norc", "-c", line], env={**ENVIRONMENT, "PATH": path}, cwd=tmp_path, capture_output=True, text=True
    )
    assert not re.search("error|not found", ran.stderr), ran.stderr
    return ran.stdout.split()


@pytest.mark.skipif(shutil.which("bash") is None, reason="there is no bash here")
def test_bash_completes(tmp_path: Path) -> None:
    assert completed(tmp_path, "warlock", "co") == ["coverage", "completion"]
    assert set(completed(tmp_path, "warlock", "")) == set(COMMANDS)
    assert completed(tmp_path, "warlock", "sim", "--pl") == ["--players"]
    assert completed(tmp_path, "warlock", "explore", "--chance", "") == ["fixed", "rolls", "all"]
    assert completed(tmp_path, "warlock", "check", "mald")[:2] == ["maldorf", "maldorf+blood_money"]
    assert completed(tmp_path, "warlock", "diff", "maldorf", "maldorf+tr") == ["maldorf+tribute", "maldorf+truce"]
    assert completed(tmp_path, "warlock", "test", "tic-tac-toe", "--under", "tic") == ["tic-tac-toe"]
    assert completed(tmp_path, "warlock", "replay", "warlock.b") == ["warlock.bash"]


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_a_script_for_each_shell(shell: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["completion", shell]) == 0
    text = capsys.readouterr().out
    assert all(name in text for name in COMMANDS) and "warlock list --names" in text
    if shutil.which(shell) is not None:
        script = tmp_path / "script"
        script.write_text(text, encoding="utf-8")
        subprocess.run([shell, "-n", str(script)], check=True)


# ------------------------------------------------------------------- docs


def test_docs(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["docs"]) == 0
    listed = capsys.readouterr().out
    assert all(f"  {name} " in listed for name in pages())
    for word in ("overlays", "overlays.md", "docs/overlays.md", "--open overlays"):  # no pager: this is no terminal
        assert main(["docs", *word.split()]) == 0
        assert capsys.readouterr().out == (ROOT / "docs" / "overlays.md").read_text(encoding="utf-8")


def test_starters_point_at_pages_that_exist() -> None:
    named = set()
    for path in (ROOT / "workbench" / "templates").rglob("*.*"):
        text = path.read_text(encoding="utf-8")
        assert "docs/" not in text, path.name
        named |= set(re.findall(r"warlock docs ([a-z-]+)", text))
    assert named and named <= set(pages())


def test_the_page_on_the_command_line_has_every_command() -> None:
    text = (ROOT / "docs" / "command-line.md").read_text(encoding="utf-8")
    table = dict(re.findall(r"^\| `([a-z]+)` \| (.*) \|$", text, re.MULTILINE))
    assert table == {name: about for name, (_, about) in COMMANDS.items()}
