"""For the tests of hostile checkpoints: runs that leave one behind, and ways to tamper with it."""

from __future__ import annotations

import base64
import copy
import json
import random
import struct
import zlib
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from workbench.cli import main

GAME = {
    "game.toml": '[game]\nplayers = "2..2"\n[variable.game]\nn = "0..9"\n',
    "rules.warlock": "rule play:\n    repeat 4:\n        for me in players:\n"
    "            choose k in 1..2: add k - 1 to n\nscore s = n\ninvariant small = n < 3\n",
}
LAID = {  # a game with pieces: what `diff` keeps of it is a table that is laid out
    "game.toml": '[game]\nplayers = "2..2"\n[table.face]\nrows = ["low", "high"]\n[kind.card]\nrows = "face"\n'
    'copies = 3\n[zone]\ndeck = { holds = "card", start = "card" }\nhand = { each = "player", holds = "card" }\n'
    '[variable.player]\nmark = "face"\n',
    "rules.warlock": "rule play:\n    for p in players: move top(deck, 2) to p.hand\n    repeat 4:\n"
    "        for me in players: turn()\nrule turn:\n    choose f in face: set my.mark to f\n"
    "    may choose card in my.hand where card.face is my.mark: move card to deck\n",
}
LINES, STORE = "run.jsonl", "store"
# What keeps a checkpoint: the words of the command, and the file it is kept in.
RUNS: Mapping[str, tuple[tuple[str, ...], str]] = {
    "sim": (("sim", "./count", "--games", "6", "--checkpoint", LINES), LINES),
    "coverage": (("coverage", "./count", "--games", "16", "--checkpoint", LINES), LINES),
    "mutate": (("mutate", "./calm", "--games", "1", "--sample", "4", "--checkpoint", LINES), LINES),
    "fuzz": (("fuzz", "./count", "--games", "24", "--out", "out"), "out/checkpoint.jsonl"),
    "explore": (("explore", "./count", "--checkpoint", STORE), STORE),
    "diff": (("diff", "./laid", "./other", "--checkpoint", LINES), LINES),
}
PACKED = {"sim": base64.b64encode, "fuzz": base64.b64encode}


def words_of(run: str) -> list[str]:
    return [*RUNS[run][0], "--jobs", "1", "--json"]


def lay_out(folder: Path) -> None:
    """The games of the runs, in a folder: one that breaks a law, one that does not, and two that differ."""
    for game, law in (("count", "n < 3"), ("calm", "n < 9")):
        (folder / game).mkdir(parents=True)
        for name, text in GAME.items():
            (folder / game / name).write_text(text.replace("n < 3", law), encoding="utf-8")
    for game, answers in (("laid", "card.face is my.mark"), ("other", "card.face is not my.mark")):
        (folder / game).mkdir(parents=True)
        for name, text in LAID.items():
            rules = text.replace("card.face is my.mark", answers)
            (folder / game / name).write_text(rules, encoding="utf-8")


@cache
def checkpoint_of(run: str) -> bytes:
    """The checkpoint that a run leaves behind."""
    import contextlib
    import io
    import os

    before = Path.cwd()
    with TemporaryDirectory() as name:
        lay_out(Path(name))
        os.chdir(name)
        try:
            with contextlib.redirect_stdout(io.StringIO()):
                assert main(words_of(run)) in (0, 1)
            return Path(RUNS[run][1]).read_bytes()
        finally:
            os.chdir(before)


# -------------------------------------------------------------------- records


def records_of(run: str, content: bytes) -> list[Any]:
    """The records of a checkpoint, unpacked."""
    if run == "explore":
        found, at = [], 0
        while at < len(content):
            _, length, _ = struct.unpack_from("<4sII", content, at)
            found.append(json.loads(zlib.decompress(content[at + 12 : at + 12 + length])))
            at += 12 + length
        return found
    return [_opened(run, json.loads(line)) for line in content.splitlines()]


def _opened(run: str, record: Any) -> Any:
    if run == "sim" and "data" in record:
        record["data"] = json.loads(zlib.decompress(base64.b64decode(record["data"])))
    if run == "fuzz" and "data" in record:
        record["data"]["games"] = json.loads(zlib.decompress(base64.b64decode(record["data"]["games"])))
    return record


def written(run: str, records: list[Any]) -> bytes:
    """A checkpoint of these records, packed as the run packs them."""
    if run == "explore":
        return b"".join(framed(zlib.compress(json.dumps(record).encode())) for record in records)
    return b"".join(json.dumps(_closed(run, copy.deepcopy(record))).encode() + b"\n" for record in records)


def framed(packed: bytes) -> bytes:
    """A record of a store of states, with the checksum that fits it."""
    return struct.pack("<4sII", b"wtr1", len(packed), zlib.crc32(packed)) + packed


def _closed(run: str, record: Any) -> Any:
    if run in PACKED and isinstance(record, dict) and "data" in record:
        data = record["data"]
        holder, key = (record, "data") if run == "sim" else (data, "games")
        if isinstance(holder, dict) and key in holder:
            holder[key] = PACKED[run](zlib.compress(json.dumps(holder[key]).encode())).decode()
    return record


# ------------------------------------------------------------------ tampering

JUNK: tuple[Any, ...] = (None, True, -1, 0, 1 << 70, 10**300, 0.5, float("nan"), "", "x\ud800", [], {}, [[]], {"": {}})


def tampered(data: Any, dice: random.Random) -> Any:
    """The data with one to three places that hold something else."""
    new = copy.deepcopy(data)
    for _ in range(dice.choice([1, 1, 2, 3])):
        places = list(_places(new))
        if not places:
            return new
        holder, key = dice.choice(places)
        match dice.randrange(5):
            case 0:
                holder[key] = copy.deepcopy(dice.choice(JUNK))
            case 1:
                other, place = dice.choice(places)
                holder[key] = copy.deepcopy(other[place])
            case 2 if isinstance(holder, list):
                holder.insert(key, copy.deepcopy(holder[key]))
            case 3 if type(holder[key]) is int:
                holder[key] += dice.choice([-2, -1, 1, 2, 1000])
            case _:
                del holder[key]
    return new


def nudged(data: Any, dice: random.Random) -> Any:
    """The data with one to three numbers or texts exchanged for others of their kind: mostly of the right shape."""
    new = copy.deepcopy(data)
    places = [(holder, key) for holder, key in _places(new) if type(holder[key]) in (int, str, bool)]
    for _ in range(dice.choice([1, 1, 2, 3]) if places else 0):
        holder, key = dice.choice(places)
        alike = [other for other in places if type(other[0][other[1]]) is type(holder[key])]
        if type(holder[key]) is int and dice.random() < 0.3:
            holder[key] += dice.choice([-1, 1])
            continue
        near = [other for other in alike if other[0] is holder]
        other, place = dice.choice(near if dice.random() < 0.5 else alike)
        holder[key], other[place] = other[place], holder[key]
    return new


def _places(data: Any) -> Any:
    for key, value in data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ():
        yield data, key
        yield from _places(value)


def bytes_about(content: bytes, dice: random.Random) -> bytes:
    """Bytes changed, cut out, doubled, or all that follows left away."""
    at = dice.randrange(len(content) + 1)
    more = dice.choice([1, 1, 4, 40])
    if content and dice.random() < 0.4:  # two bytes exchanged, or one a little more or less
        one, two = dice.randrange(len(content)), dice.randrange(len(content))
        new = bytearray(content)
        new[one], new[two] = (new[two], new[one]) if dice.random() < 0.7 else ((new[one] + 1) % 256, new[two])
        return bytes(new)
    return dice.choice(
        [
            content[:at],
            content[:at] + dice.randbytes(more) + content[at + more :],
            content[:at] + content[at + more :],
            content[:at] + content[max(0, at - more) : at] + content[at:],
        ]
    )


def bombs(run: str) -> dict[str, bytes]:
    """Small files that would take much memory or time, or that no reader should follow."""
    head = records_of(run, checkpoint_of(run))[:1]
    deep = b"[" * 200_000 + b"]" * 200_000
    inside: dict[str, Callable[[], bytes]] = {
        "zeros": lambda: zlib.compress(b"0" * 300_000_000, 9),
        "lists": lambda: zlib.compress(b"[" + b"[]," * 20_000_000 + b"[]]", 9),
        "deep": lambda: zlib.compress(deep),
        "long": lambda: zlib.compress(b"9" * 10_000),
    }
    found = {}
    for name, made in inside.items():
        if run == "explore":
            found[name] = written(run, head) + framed(made())
        elif run in PACKED:
            text = PACKED[run](made()).decode()
            data = text if run == "sim" else {"games": text, "findings": [], "known": []}
            line = json.dumps({"key": "0:0" if run == "sim" else "wave 0", "data": data})
            found[name] = written(run, head) + line.encode() + b"\n"
    if run != "explore":
        found["a deep line"] = written(run, head) + b'{"key": "0:0", "data": ' + deep + b"}\n"
        found["a deep heading"] = b'{"run": ' + deep + b"}\n"
        found["a long number"] = written(run, head) + b'{"key": "0:0", "data": ' + b"9" * 9000 + b"}\n"
        found["many lists"] = written(run, head) + b'{"key": "0:0", "data": [' + b"[]," * 7_000_000 + b"[]]}\n"
    return found
