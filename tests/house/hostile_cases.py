"""The cases of the long hostile run: a number makes a file or a command line, and the case is what comes of it.

A case passes if all that happens is an answer, an error in words, or an exit code. Anything raised is a hole.
"""

from __future__ import annotations

import errno
import io
import json
import os
import random
import shutil
import sys
import tempfile
from collections import defaultdict
from collections.abc import Callable, Mapping
from contextlib import redirect_stderr, redirect_stdout
from functools import cache
from pathlib import Path
from unittest.mock import patch

from interpreter import BACKENDS, Game, Machine, PlayError, play_again
from interpreter.game import UNREACHED
from tests.house.hostile import GAMES, Files, files_of, go_on, play, read_spoilt, rules_of, spoil, told
from tests.house.hostile_overlays import GIVEN, sound_overlay
from tests.house.hostile_runs import (
    RUNS,
    bytes_about,
    checkpoint_of,
    lay_out,
    nudged,
    records_of,
    tampered,
    words_of,
    written,
)
from warlock_dsl.diagnostics.diagnostic import Span
from warlock_dsl.load import load_files
from warlock_dsl.stack import Use
from warlock_dsl.syntax.parse import parse
from warlock_dsl.syntax.walk import nodes
from workbench.cli import main
from workbench.scenario.read import read_scenarios
from workbench.scenario.run import run_scenario
from workbench.transcripts.running_game import games_folder

Case = Callable[[int], None]
NUMBERS = ("0", "1", "-1", "2", "1000", "999999999999", "999999999999999999", "0.5", "0.001", "1000000", "100000")
WRAPPED = ("sum([{0}, {0}])", "({0} + {0})", "not {0}", "[{0}]", "max({0}, {0})", "count([{0}])")
SMALL = ("base", "sample", "tiny")
DECISIONS = 20


# -------------------------------------------------------------------------- rules


@cache
def fragments() -> Mapping[str, tuple[str, ...]]:
    """Pieces of sound rules by the kind of node they are: what may stand in place of one another."""
    found: defaultdict[str, set[str]] = defaultdict(set)
    for game in GAMES:
        for file, text in files_of(game).items():
            for kind, start, end in places(file, text):
                found[kind].add(text[start:end])
    return {kind: tuple(sorted(texts)) for kind, texts in found.items()}


@cache
def places(file: str, text: str) -> tuple[tuple[str, int, int], ...]:
    """Every node of a rule file: its kind, and where it begins and ends in the text."""
    if not file.endswith(".warlock"):
        return ()
    module, _ = parse(text, file)
    starts = [0]
    for line in text.split("\n"):
        starts.append(starts[-1] + len(line) + 1)
    found = []
    for node in nodes(module):
        span = getattr(node, "span", None)
        if isinstance(span, Span) and 0 < span.line <= span.end_line < len(starts):
            start, end = starts[span.line - 1] + span.column - 1, starts[span.end_line - 1] + span.end_column - 1
            if 0 <= start < end <= len(text):
                found.append((type(node).__name__, start, end))
    return tuple(found)


def regrow(files: Files, dice: random.Random) -> dict[str, str]:
    """The files with nodes of their rules replaced by others of their kind, nested in themselves, or made huge."""
    new = dict(files)
    for _ in range(dice.choice([1, 1, 2, 4])):
        file = dice.choice([name for name in new if name.endswith(".warlock")])
        text = files[file]
        if new[file] != text or not places(file, text):  # the places are those of the sound text
            continue
        kind, start, end = dice.choice(places(file, text))
        old = text[start:end]
        match dice.randrange(5):
            case 0:
                part = dice.choice(NUMBERS)
            case 1:
                part = f"({old} {dice.choice('+-*')} {dice.choice(NUMBERS)})"
            case 2:
                inner = dice.choice(
                    ("sum([{0}, {0}])", "({0} + {0})", "not {0}", "[{0}]", "max({0}, {0})", "count([{0}])")
                )
                part = old
                for _ in range(dice.choice([1, 2, 5, 12])):
                    part = inner.format(part) if len(part) < 20_000 else part
            case _:
                part = dice.choice(fragments()[kind])
        new[file] = text[:start] + part + text[end:]
    return new


def rules(number: int) -> None:
    dice = random.Random(number)
    files = files_of(dice.choice(SMALL) if dice.random() < 0.97 else "maldorf")
    spoilt = regrow(files, dice) if dice.random() < 0.6 else spoil(files, number)
    read_spoilt(spoilt, DECISIONS)


def overlays(number: int) -> None:
    dice = random.Random(number)
    overlay = sound_overlay()
    spoilt = regrow(overlay, dice) if dice.random() < 0.4 else spoil(overlay, number)
    loaded = load_files(files_of("base"), "base", (), [(Use("more", dice.choice(GIVEN)), spoilt)])
    told(loaded.diagnostics, loaded.sources)
    assert loaded.ruleset is not None or loaded.diagnostics
    if loaded.ruleset is not None:
        play(loaded.ruleset, 10)


# ---------------------------------------------------------------------- documents

SCENARIOS = sorted((GAMES["tiny"] / "scenarios").glob("*.toml"))


def scenarios(number: int) -> None:
    dice = random.Random(number)
    text = spoil({"s.toml": dice.choice(SCENARIOS).read_text(encoding="utf-8")}, number)["s.toml"]
    found, errors = read_scenarios(text, "s.toml", lambda name: rules_of("tiny") if name == "tiny" else None, "tiny")
    told(tuple(errors), {"s.toml": text})
    for scenario in found[:5]:
        run_scenario(rules_of("tiny"), scenario)


STATES = ("tiny", "tiny", "maldorf", "liars-dice", "chess")  # pieces and words, secret choices, dice, a board


@cache
def saved(decisions: int, kind: str, ruleset: str = "tiny") -> str:
    game = Game.start(rules_of(ruleset), 3 if ruleset == "maldorf" else 2, 5)
    go_on(game, decisions, 3)
    return json.dumps(game.save() if kind == "save" else game.replay())


def saves(number: int) -> None:
    dice = random.Random(number)
    ruleset, backend = dice.choice(STATES), dice.choice(BACKENDS)
    data = json.loads(saved(dice.choice([0, 1, 3, 8, 14]), "save", ruleset))
    spoil_state = dice.choice((tampered, nudged, nudged))
    spoilt = {**data, "state": spoil_state(data["state"], dice)} if dice.random() < 0.8 else tampered(data, dice)
    # Whoever tampers with a save writes a digest that fits.
    with patch.object(Game, "digest", lambda game: spoilt.get("digest") if isinstance(spoilt, dict) else ""):
        try:
            game = Game.load(rules_of(ruleset), spoilt, backend=backend)
            go_on(game, 12, number)
            game.save()
        except PlayError as error:
            assert str(error)


def replays(number: int) -> None:
    dice = random.Random(number)
    try:
        play_again(rules_of("tiny"), tampered(json.loads(saved(12, "replay")), dice), log=dice.random() < 0.5)
    except PlayError as error:
        assert str(error)


@cache
def frozen(ruleset: str, decisions: int, backend: str) -> tuple[Machine, bytes]:
    """A machine, and a state of it in few bytes."""
    game = Game.load(rules_of(ruleset), json.loads(saved(decisions, "save", ruleset)), backend=backend)
    return game.machine, game.machine.freeze(game.state)


REFUSED = (PlayError, *UNREACHED)  # what `explore`, which keeps such states, takes as a sign of a wrong one


def packed(number: int) -> None:
    """A state in few bytes, damaged: refused, or played on with all that tools ask of a machine."""
    dice = random.Random(number)
    ruleset, backend = dice.choice(STATES), dice.choice(BACKENDS)
    machine, content = frozen(ruleset, dice.choice([0, 3, 14]), backend)
    for _ in range(dice.choice([1, 1, 3])):
        content = bytes_about(content, dice)
    try:
        state = machine.thaw(content)
        for _ in range(12):
            machine.run(state)
            machine.laws(state)
            for seat in range(machine.players):
                machine.observe(state, seat)
                machine.redeal(state, seat, number)
            machine.scores(state)
            machine.identity(state)
            machine.thaw(machine.freeze(machine.copy(state)))
            if not machine.count(state):
                break
            machine.decision(state)
            machine.choose(state, dice.randrange(machine.count(state)))
    except REFUSED:
        pass


# ----------------------------------------------------------------- at the command

PLACE = Path("case")


def called(words: list[str]) -> int:
    """Run a command as its process would; what it prints is safe to show, and it gives an exit code."""
    out = io.StringIO()
    with redirect_stdout(out), redirect_stderr(out):
        code = main(words)
    said = out.getvalue()
    assert code in (0, 1, 2), (words, code)
    assert "Traceback" not in said, said
    assert said.replace("\n", "").replace("\t", "").replace("\u3000", "").isprintable(), (words, said)
    return code


def fresh_folder() -> None:
    """An empty current folder, with the games of the runs in it."""
    for child in list(Path.cwd().iterdir()):
        shutil.rmtree(child) if child.is_dir() and not child.is_symlink() else child.unlink()
    lay_out(Path.cwd())


def checkpoints(number: int) -> None:
    dice = random.Random(number)
    run = dice.choice(sorted(RUNS))
    records = records_of(run, checkpoint_of(run))
    fresh_folder()
    if dice.random() < 0.7:
        place = dice.randrange(len(records))
        records[place] = tampered(records[place], dice)
        content = written(run, records)
    else:
        content = bytes_about(checkpoint_of(run), dice)
    file = Path(RUNS[run][1])
    file.parent.mkdir(exist_ok=True)
    file.write_bytes(content)
    if called(words_of(run)) == 2:
        assert file.read_bytes() == content, "what is refused is left alone"


FIRST = {"format": "warlock-game/1"}


def running(dice: random.Random) -> None:
    """A game in progress, which somebody left, damaged: listed, gone on with, told."""
    data = json.loads(saved(8, "replay"))
    answers = data.pop("answers")
    del data["digest"]
    if dice.random() < 0.3:
        data, answers = {**data, "save": tampered(json.loads(saved(8, "save")), dice)}, answers[:3]
    seats = dice.choice((["random", "random"], ["human=Ann", "greedy"], ["?", "?"], ["nobody", "x\x1b"]))
    heading = {**FIRST, **data, **FIRST, "seats": seats, "lang": dice.choice(["en", "en", "xx"])}
    lines: list[object] = [heading, *({"answer": key} for key in answers)]
    damage = dice.randrange(4)
    if damage == 0:
        lines.insert(dice.randrange(1, len(lines) + 1), {"left": dice.choice([0, 1, 5, 10**9])})
    if damage == 1:
        lines = dice.choice((tampered, nudged))(lines, dice)
    content = "".join(json.dumps(line, separators=(",", ":")) + "\n" for line in lines).encode()
    content = bytes_about(content, dice) if damage == 2 else content
    games = games_folder()
    for old in games.iterdir():
        old.unlink()
    (games / "x.jsonl").write_bytes(content)
    Path("game.json").write_bytes(content)
    where = ["--rules", str(GAMES["tiny"].parent)]
    words = (
        ["play", "--resume"],
        ["play", "--resume", "1", "--json"],
        ["play", "--resume", "--lang", "de"],
        ["replay", "game.json", "--moves"],
    )
    with patch("sys.stdin", io.StringIO(dice.choice(["", "1\n1\n", "quit\n"]))):
        called([*dice.choice(words), *where])


def files(number: int) -> None:
    """A save or a replay that is damaged byte by byte, or a folder of spoilt rules, at the command line."""
    dice = random.Random(number)
    fresh_folder()
    if dice.random() < 0.3:
        running(dice)
        return
    if dice.random() < 0.5:
        content = bytes_about(saved(8, dice.choice(["save", "replay"])).encode(), dice)
        Path("game.json").write_bytes(content)
        called(
            [
                "replay",
                "game.json",
                *dice.choice([[], ["--ruleset", str(GAMES["tiny"])]]),
                *dice.choice([[], ["--json"]]),
            ]
        )
        return
    game = dice.choice(SMALL)
    for name, text in spoil(files_of(game), number).items():
        path = Path("mine", name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode("utf-8", "surrogatepass"))
    command = dice.choice((["check"], ["fmt", "--check"], ["show"], ["names", "--lang", "de"], ["sources"], ["list"]))
    called([command[0], "./mine", *command[1:], *dice.choice([[], ["--json"]])])


CALLS = (
    *("check ./calm", "completion bash", "coverage ./calm --games 2 --jobs 1", "derive ./calm ./count", "docs sim"),
    *("explore ./calm --jobs 1 --max-states 50", "fmt ./calm --check", "fuzz ./count --games 2 --jobs 1", "list"),
    *(
        "mutate ./calm --sample 1 --games 1 --jobs 1",
        "names ./calm --lang de",
        "new game fresh",
        "play ./calm --seed 1",
    ),
    *("rebase ./calm", "replay game.json", "show ./calm", "sim ./calm --games 2 --jobs 1", "sources ./calm"),
    *("test ./calm", "play ./calm --seats random,greedy --json", "sim ./calm --games 2 --jobs 1 --compare ./count"),
    *("show ./calm play --bytecode", "check ./calm --permute", "diff ./calm ./count ./calm --structure"),
    *("replay game.json --moves", "replay game.json --at 2 --json", "replay game.json --under ./calm --plain"),
    *("play ./calm --load game.json", "diff ./calm ./count --games 1 --jobs 1 --seconds 1", "show ./calm play"),
)
ODD = (
    *(
        "",
        "-",
        "--",
        "---",
        "x",
        "-x",
        "--x",
        "--x=y",
        "--json",
        "--help",
        "--version",
        "--rules",
        "--rules=.",
        "./calm",
    ),
    *("0", "-1", "3", "x" * 3000, "9" * 30, "nan", "1e9", "\u0663", "\ud800", "\0", "\x1b[31m", "\u202e", "a+b", "+"),
    *("./calm+x", "calm+(", "./nowhere", "/nowhere", "/dev/null", "/dev/full", "~nosuch/x", "game.json", "*", "'"),
    *("--seats", "--seed", "--players", "--lang", "--html", "--out", "--checkpoint", "--games=x", "{0}", "%s", "\n"),
)


def commands(number: int) -> None:
    """A command line with words left out, exchanged, doubled, or put in."""
    dice = random.Random(number)
    fresh_folder()
    Path("game.json").write_text(saved(8, "save"), encoding="utf-8")
    words = dice.choice(CALLS).split(" ")
    for _ in range(dice.choice([1, 1, 2, 3])):
        at = dice.randrange(len(words) + 1)
        match dice.randrange(5):
            case 0 if at < len(words):
                del words[at]
            case 1 if at < len(words):
                words[at] = dice.choice(ODD)
            case 2 if at < len(words):
                words.insert(at, words[at])
            case 3 if at < len(words):
                words[at] = words[at][: dice.randrange(len(words[at]) + 1)] + dice.choice(ODD)
            case _:
                words.insert(at, dice.choice(ODD))
    if words[0:1] == ["bench"] or not bounded(words):
        return
    with patch("sys.stdin", io.StringIO(dice.choice(["", "1\n1\n", "\0\n", "9999\nquit\n", "?\n\x1b\n"]))):
        called(words)


def bounded(words: list[str]) -> bool:
    """Whether what is asked for is little: who asks for a minute of games may have it."""
    text = " ".join(words)
    long = {"fuzz": "--games", "sim": "--games", "mutate": "--sample", "coverage": "--games", "diff": "--seconds"}
    command = next((word for word in words if word in long or word in ("review", "bench")), "")
    return command not in ("review", "bench") and (not command or (f"{long[command]} " in text and "--jobs 1" in text))


KINDS: Mapping[str, Case] = {
    case.__name__: case for case in (rules, overlays, scenarios, saves, replays, packed, checkpoints, files, commands)
}
SHARES = {kind: {"rules": 4, "overlays": 3}.get(kind, 2) for kind in KINDS}


def kind_of(number: int) -> str:
    """The kind of the case of a number: each has its share."""
    return random.Random(~number).choices(list(SHARES), list(SHARES.values()))[0]


WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
CHANGING = {"os.rename": 2, "os.link": 2, "os.symlink": 2, "os.remove": 1, "os.rmdir": 1, "os.mkdir": 1}
CHANGING |= {"os.truncate": 1, "os.chmod": 1, "os.chown": 1, "os.utime": 1, "shutil.rmtree": 1, "os.mkfifo": 1}


def confine(folder: Path) -> None:
    """Let this process write nowhere but in a folder, for as long as it lives: a case may ask a command to format all
    that there is. It is refused as the system would refuse it."""
    inside = os.path.realpath(folder)

    def watch(event: str, given: tuple[object, ...]) -> None:
        if event == "open":
            # Opened by the number of a stream, or for reading: nothing is changed.
            paths = given[:1] if isinstance(given[2], int) and given[2] & WRITING else ()
        else:
            paths = given[: CHANGING.get(event, 0)]
        for path in paths:
            if isinstance(path, str | bytes | os.PathLike):
                real = os.path.realpath(os.fsdecode(path))
                if real != inside and not real.startswith((inside + os.sep, "/dev/")):
                    raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), os.fsdecode(path))

    sys.addaudithook(watch)


def enter(folder: Path) -> None:
    """Begin with an empty folder of one's own, and nothing of the user's; nothing else can be changed from now on."""
    confine(folder)
    tempfile.tempdir = str(folder)
    sys.dont_write_bytecode = True
    os.environ["XDG_STATE_HOME"] = os.environ["XDG_CACHE_HOME"] = str(folder / "state")
    (folder / "here").mkdir()
    os.chdir(folder / "here")


# ---------------------------------------------------------------------- planted


def plant(hole: str) -> None:
    """Make a reader that has a hole, so that it can be seen that a run finds it."""
    import interpreter.game as module

    sound = module.heading

    def crashes(ruleset, data, wanted):  # type: ignore[no-untyped-def]
        if isinstance(data, dict) and "seats" not in data:
            raise KeyError("seats")
        return sound(ruleset, data, wanted)

    def hangs(ruleset, data, wanted):  # type: ignore[no-untyped-def]
        while isinstance(data, dict) and not isinstance(data.get("seed"), int):
            pass
        return sound(ruleset, data, wanted)

    def eats(ruleset, data, wanted):  # type: ignore[no-untyped-def]
        if isinstance(data, dict) and not isinstance(data.get("answers"), list):
            bytearray(3 << 30)
        return sound(ruleset, data, wanted)

    def dies(ruleset, data, wanted):  # type: ignore[no-untyped-def]
        if isinstance(data, dict) and data.get("seats") != ["?", "?"]:
            os._exit(3)
        return sound(ruleset, data, wanted)

    module.heading = {"crash": crashes, "hang": hangs, "memory": eats, "death": dies}[hole]
