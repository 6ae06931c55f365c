"""Streams that are closed, full or without a reader, and names that would steer a terminal: for every command."""

from __future__ import annotations

import errno
import io
import json
import os
import signal
import subprocess
import sys
import unicodedata
from pathlib import Path

import pytest

from tests.house.hostile_runs import lay_out
from workbench.cli import main
from workbench.commands import COMMANDS
from workbench.pages.page import render_page
from workbench.support.output import console, put_json
from workbench.support.streams import shown

RUN = [sys.executable, "-m", "workbench.cli"]
# A quick call of every command that prints something.
CALLS = {
    "bench": "bench ./calm --seconds 0.1",
    "check": "check ./calm",
    "completion": "completion bash",
    "coverage": "coverage ./calm --games 2 --jobs 1",
    "derive": "derive ./calm ./count",
    "diff": "diff ./calm ./count --games 1 --jobs 1",
    "docs": "docs sim",
    "explore": "explore ./calm --jobs 1",
    "fmt": "fmt ./calm --check",
    "fuzz": "fuzz ./count --games 12 --jobs 1",
    "list": "list",
    "mutate": "mutate ./calm --sample 1 --games 1 --jobs 1",
    "names": "names ./calm --lang de",
    "new": "new game fresh",
    "play": "play ./calm --seed 1",
    "rebase": "rebase ./calm",
    "replay": "replay game.json",
    "review": "review ./calm",
    "show": "show ./calm",
    "sim": "sim ./calm --games 2 --jobs 1",
    "sources": "sources ./calm",
    "test": "test ./calm",
}
SERVERS = ("lsp",)  # they print nothing of their own: they answer what an editor says


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    lay_out(tmp_path)
    assert main(["play", "./calm", "--seats", "random,random", "--replay", "game.json", "--quiet"]) == 0
    return tmp_path


def shell(line: str) -> tuple[int, str]:
    """The exit code of the first command of a line, and what it says on the error stream."""
    script = f"{' '.join(map(shell_quoted, RUN))} {line}; exit ${{PIPESTATUS[0]}}"
    run = subprocess.run(["bash", "-c", script], capture_output=True, text=True, timeout=300)
    return run.returncode, run.stderr


def shell_quoted(word: str) -> str:
    return f"'{word}'"


def test_every_command_is_called() -> None:
    assert sorted([*CALLS, *SERVERS]) == sorted(COMMANDS)


class Failing(io.StringIO):
    """A stream that takes a little and then fails."""

    def __init__(self, number: int) -> None:
        super().__init__()
        self.number = number

    def write(self, text: str) -> int:
        raise OSError(self.number, os.strerror(self.number))


@pytest.mark.parametrize(("number", "code"), [(errno.ENOSPC, 2), (errno.EPIPE, 141), (errno.EIO, 2)])
@pytest.mark.parametrize("command", sorted(set(CALLS) - {"bench"}))
def test_a_stream_that_fails(
    command: str,
    number: int,
    code: int,
    here: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Whatever a command prints, it ends with a code and no more than a line, without a crash."""
    capsys.readouterr()
    monkeypatch.setattr(sys, "stdin", io.StringIO())
    for words in (CALLS[command].split(), [command, "--help"]):
        monkeypatch.setattr(sys, "stdout", Failing(number))
        assert main(words) in (code, 2), words
        said = capsys.readouterr().err
        assert number == errno.EPIPE or os.strerror(number) in said or said, words
    monkeypatch.setattr(sys, "stderr", Failing(number))
    assert main([command, "--nonsense"]) in (code, 2)


SHORT = ("list", "play", "sim")


@pytest.mark.parametrize(
    "command", [pytest.param(one, marks=() if one in SHORT else pytest.mark.long) for one in CALLS]
)
def test_streams_that_fail(command: str, here: Path) -> None:
    """As a shell gives them: closed, full, and without a reader."""
    call = CALLS[command]
    sound, _ = shell(f"{call} < /dev/null > /dev/null")
    again = 2 if command == "new" else sound  # its folder is there by now
    for line, codes in {
        f"{call} <&- >&-": (again,),
        f"{call} <&- >&- 2>&-": (again,),
        f"{call} < /dev/null > /dev/full": (2,),
        f"{call} < /dev/null > /dev/full 2> /dev/full": (2,),
        f"{call} < /dev/null | true": (again, 141),
    }.items():
        code, said = shell(line)
        assert code in codes, (line, code, said)
        assert "Traceback" not in said and "Exception" not in said, (line, said)
        if line.endswith("null > /dev/full") and again != 2:
            assert "No space left" in said, (line, said)


@pytest.mark.parametrize("command", SERVERS)
def test_a_server_whose_streams_fail(command: str) -> None:
    """It ends when nobody speaks to it any more, or never could."""
    asked = "printf 'Content-Length: 2\\r\\n\\r\\n{}'"
    for line, codes in {
        f"{command} < /dev/null > /dev/null": (0,),
        f"{command} <&- >&-": (2,),
        f"{command} < /dev/null > /dev/full": (0,),
        f"{command} < <({asked}) > /dev/full": (0, 2),
        f"{command} < <({asked}) | true": (0, 2, 141),
    }.items():
        code, said = shell(line)
        assert code in codes and "Traceback" not in said, (line, code, said)


def test_no_file_of_ours_takes_the_place_of_a_closed_stream(here: Path) -> None:
    """A file opened while stdout is closed would get its number, and what is printed would go into it."""
    code, _ = shell("sim ./calm --games 4 --jobs 1 --checkpoint run.jsonl --json <&- >&- 2>&-")
    assert code == 0
    lines = (here / "run.jsonl").read_text(encoding="utf-8").splitlines()
    assert all(json.loads(line).keys() in ({"run"}, {"key", "data"}) for line in lines)


# -------------------------------------------------------------------- interrupts


def test_an_interrupt_arrives_where_it_was_ignored_before(here: Path) -> None:
    """As in a job that a shell has started in the background."""
    words = [*RUN, "sim", "./calm", "--games", "1000000", "--jobs", "1", "--checkpoint", "run.jsonl"]
    line = " ".join(map(shell_quoted, words))
    with subprocess.Popen(["bash", "-c", f"trap '' INT; exec {line}"], stderr=subprocess.PIPE, text=True) as run:
        while not Path("run.jsonl").exists() or Path("run.jsonl").read_bytes().count(b"\n") < 3:
            assert run.poll() is None
        run.send_signal(signal.SIGINT)
        _, said = run.communicate(timeout=60)
    assert run.returncode == 130 and "stopped after" in said and "Traceback" not in said


# -------------------------------------------------------------------- characters

STEERING = [
    *("\x1b[31m", "\x1b]0;title\x07", "\x9b2J", "\x08\x08", "\x7f", "\r", "\0", "\x85"),
    *("\u202e", "\u2066", "\u2067", "\u200f", "\u061c", "\u2028", "\ufeff", "\U000e0041", "\ue000"),
]
LOOK = "".join(STEERING)


def is_safe(text: str) -> bool:
    unsafe = ("Cc", "Cf", "Cs", "Co", "Zl", "Zp")
    return all(char in "\n\t" or unicodedata.category(char) not in unsafe for char in text)


def test_what_is_shown() -> None:
    assert shown("Jürgen 漢字 👍\tx\n") == "Jürgen 漢字 👍\tx\n"
    assert shown("a\u202eb\x1bc\r") == "a\\u202eb\\x1bc\\x0d"
    assert all(is_safe(shown(sign)) and shown(sign) for sign in STEERING)


def test_a_console_and_json_and_a_page_show_nothing_raw(capsys: pytest.CaptureFixture[str]) -> None:
    from rich.table import Table
    from rich.text import Text

    table = Table(title=LOOK)
    table.add_column(LOOK)
    table.add_row(Text(LOOK, "red"))
    console().print(table, Text(LOOK), LOOK)
    put_json({LOOK: [LOOK]})
    said = capsys.readouterr().out
    assert is_safe(said) and "\\u202e" in said
    put_json({LOOK: [LOOK]})
    assert json.loads(capsys.readouterr().out) == {LOOK: [LOOK]}
    page = render_page("base.html", title=LOOK, subtitle=LOOK)
    assert is_safe(page) and "\\u202e" in page


def lay_out_steering(folder: Path) -> str:
    """A game whose folder, catalogue and rules are full of what steers a terminal."""
    name = "ga\x1b[31m\u202eme"
    (folder / name / "names").mkdir(parents=True)
    (folder / name / "scenarios").mkdir()
    text = 'game = "T\\u001b[2J\\u202eitle"\nask.play.k = "Wh\\u202eich\\u009b2J?"\n'
    (folder / name / "names" / "en.toml").write_text(text, encoding="utf-8")
    tables = '# a line\u202e of it\n[game]\nplayers = "2..2"\n[variable.game]\nn = "0..9"\n'
    (folder / name / "game.toml").write_text(tables, encoding="utf-8")
    rules = "# \u202e\nrule play:\n    for me in players:\n        choose k in 1..2: add k to n\nscore s = n\n"
    (folder / name / "rules.warlock").write_text(rules, encoding="utf-8")
    scenario = '[[scenario]]\nname = "a\\u202e\\u001b"\nplayers = ["ann", "bob"]\n[[scenario.step]]\nover = true\n'
    (folder / name / "scenarios" / "s\x1b\u202e.toml").write_text(scenario, encoding="utf-8")
    (folder / name / "overlay\u202e.toml").write_text("x = 1\n", encoding="utf-8")
    return name


@pytest.mark.parametrize("style", [(), ("--json",)])
def test_names_from_strangers_are_never_printed_raw(
    style: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    name = lay_out_steering(tmp_path)
    calls = [
        ["list", "--rules", "."], ["check", f"./{name}"], ["test", f"./{name}"], ["show", f"./{name}"],
        ["play", f"./{name}", "--seats", "random,random", "--seed", "1"], ["names", f"./{name}", "--lang", "de"],
        ["sim", f"./{name}", "--games", "2", "--jobs", "1"], ["fmt", f"./{name}"], ["replay", name],
        ["explore", f"./{name}", "--jobs", "1"], ["mutate", f"./{name}", "--jobs", "1"], ["coverage", f"./{name}"],
        ["sources", f"./{name}"], ["list", f"./{name}"], ["diff", f"./{name}", f"./{name}"], ["rebase", name],
        ["fuzz", f"./{name}", "--games", "2", "--jobs", "1"], [name], ["list", f"--{name}"], ["docs", name],
    ]  # fmt: skip
    for words in calls:
        code = main([*words, *style])
        said = capsys.readouterr()
        assert code in (0, 1, 2) and said.out + said.err, words
        assert is_safe(said.out) and is_safe(said.err), (words, said)


def test_a_sound_game_with_such_a_name_is_played(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    name = lay_out_steering(tmp_path)
    (tmp_path / name / "overlay\u202e.toml").unlink()
    assert main(["play", f"./{name}", "--seats", "random,random", "--seed", "1"]) == 0
    assert main(["sim", f"./{name}", "--games", "4", "--jobs", "1", "--html", "page.html"]) == 0
    said = capsys.readouterr()
    assert is_safe(said.out) and is_safe(said.err)
    assert is_safe((tmp_path / "page.html").read_text(encoding="utf-8"))


def test_the_terminal_itself_sees_nothing_raw(tmp_path: Path) -> None:
    """On a terminal of its own, where colours are on: of escapes only those that colour a text."""
    import pty
    import re

    name = lay_out_steering(tmp_path)
    (tmp_path / name / "overlay\u202e.toml").unlink()
    above, below = pty.openpty()
    words = [*RUN, "play", f"./{name}", "--seats", "random,random", "--seed", "1"]
    with subprocess.Popen(words, cwd=tmp_path, stdin=below, stdout=below, stderr=below) as run:
        os.close(below)
        said = b""
        try:
            while more := os.read(above, 65536):
                said += more
        except OSError:  # the other end is closed
            pass
        assert run.wait(60) == 0
    os.close(above)
    text = re.sub(r"\x1b\[([0-9;]*m|\?25[lh]|2K|1A)|\r", "", said.decode())
    assert is_safe(text) and "[2Jitle" in text and "\x1b[1m" in said.decode(), text
