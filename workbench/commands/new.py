"""`warlock new`: a commented starter, sound as it is: a small whole game, or a variant of one."""

from __future__ import annotations

import re
from argparse import ArgumentParser, Namespace
from pathlib import Path

from warlock_dsl import OVERLAY_FILE, OVERLAY_NAME, find_overlay
from workbench.support.arguments import add_folder, add_ruleset, output
from workbench.support.errors import UsageError
from workbench.support.files import write_folder
from workbench.support.output import put_json, say
from workbench.support.rulesets import roots, sound_ruleset
from workbench.support.starters import game_files, variant_files

GAME_NAME = re.compile(r"[a-z][a-z0-9_-]{0,59}\Z")
EXAMPLES = (
    ("warlock new game coin-toss", "a small whole game in the folder coin-toss"),
    ("warlock new game coin-toss --out rules", "in rules/coin-toss, where it is found by its name"),
    ("warlock new variant longer --of maldorf", "a variant in variants/maldorf/longer"),
)


def add_arguments(parser: ArgumentParser) -> None:
    what = parser.add_argument_group("what to write")
    what.add_argument("what", choices=["game", "variant"], metavar="game|variant", help="what to begin")
    what.add_argument("name", metavar="NAME", help="what it is called")
    add_ruleset(what, "--of", "the game of a variant, or a stack")
    out = output(parser)
    add_folder(out, "--out", "where its folder is made; that of a variant in 'variants' (default: the current folder)")


def run(arguments: Namespace) -> int:
    """Write the starter; nothing that is there is touched."""
    return _game(arguments) if arguments.what == "game" else _variant(arguments)


def _variant(arguments: Namespace) -> int:
    if not arguments.of:
        raise UsageError("a variant is of a game: say which with --of")
    where = roots(arguments)
    name = arguments.name
    if not OVERLAY_NAME.match(name) or len(name) > 60:
        raise UsageError("a variant is named with small letters, digits and underscores, beginning with a letter")
    ruleset, loaded = sound_ruleset(arguments.of, where)
    there = find_overlay(loaded.name, name, where)
    if there is not None:
        raise UsageError(f"there is a variant '{name}' of {loaded.name} already: {there}")
    folder = Path(arguments.out or ".") / "variants" / loaded.name / name
    files = variant_files(ruleset, loaded, name, folder.as_posix())
    written = write_folder(folder, files)
    stack = f"{ruleset.name}+{name}" if Path(arguments.out or ".") == Path(".") else folder.as_posix()
    if arguments.json:
        put_json({"ruleset": f"{ruleset.name}+{name}", "folder": str(folder), "files": written})
        return 0
    for file in written:
        say(f"written: {file}")
    say(f"""
It changes one thing, as an example. Now:
  edit   {folder.as_posix()}/{OVERLAY_FILE}
  check  warlock check {stack}
  test   warlock test {folder.as_posix()}
  play   warlock play {stack}""")
    return 0


def _game(arguments: Namespace) -> int:
    name = arguments.name
    if not GAME_NAME.match(name):
        raise UsageError("a game is named with small letters, digits, hyphens and underscores, beginning with a letter")
    if arguments.of:
        raise UsageError(
            f"a game begins from nothing: 'warlock new variant {name} --of {arguments.of}' begins a variant"
        )
    folder = Path(arguments.out or ".") / name
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
