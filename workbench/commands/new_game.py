"""`warlock new game`: a small whole game, commented, that checks, plays and passes its own scenarios as it is."""

from __future__ import annotations

import re
from argparse import Namespace
from collections.abc import Iterator
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path
from string import Template

from workbench.support.files import UsageError, write_folder
from workbench.support.output import put_json, say

GAME_NAME = re.compile(r"[a-z][a-z0-9_-]{0,59}\Z")


def new_game(arguments: Namespace) -> int:
    """Write the starter into a folder of its name; nothing that is there is touched."""
    name = arguments.name
    if not GAME_NAME.match(name):
        raise UsageError("a game is named with small letters, digits, hyphens and underscores, beginning with a letter")
    if arguments.of:
        raise UsageError(
            f"a game begins from nothing: 'warlock new variant {name} --of {arguments.of}' begins a variant"
        )
    folder = Path(arguments.at) / name
    written = write_folder(folder, game_files(name, _path(folder)))
    if arguments.json:
        put_json({"game": name, "folder": str(folder), "files": written})
        return 0
    for file in written:
        say(f"written: {file}")
    say(f"""
A small game, whole as it is. Now:
  edit   {folder.as_posix()}/game.toml and {folder.as_posix()}/rules.warlock
  check  warlock check {_path(folder)}
  test   warlock test {_path(folder)}
  play   warlock play {_path(folder)}""")
    return 0


def _path(folder: Path) -> str:
    """A folder as a command takes it: a bare name would be looked for among the rulesets."""
    return folder.as_posix() if folder.is_absolute() else f"./{folder.as_posix()}"


def game_files(name: str, folder: str) -> dict[str, str]:
    """The files of a new game by their path inside its folder."""
    title = re.sub(r"[_-]+", " ", name).strip().capitalize()
    values = {"name": name, "folder": folder, "title": title}
    root = resources.files("workbench") / "templates" / "game"
    return {path: Template(file.read_text(encoding="utf-8")).substitute(values) for path, file in _files(root, "")}


def _files(folder: Traversable, path: str) -> Iterator[tuple[str, Traversable]]:
    for child in sorted(folder.iterdir(), key=lambda one: (one.is_dir(), one.name)):
        if child.is_dir():
            yield from _files(child, f"{path}{child.name}/")
        elif child.name.endswith((".toml", ".warlock")):
            yield f"{path}{child.name}", child
