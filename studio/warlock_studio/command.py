"""`warlock studio`: a local page to edit rules in and to see the table change."""

from __future__ import annotations

import contextlib
import sys
import webbrowser
from argparse import ArgumentParser, Namespace
from pathlib import Path

from workbench.support.arguments import add_file, add_lang
from workbench.support.errors import UsageError

ABOUT = "edit rules and play them in a page on this machine"
EXAMPLES = (
    ("warlock studio maldorf", "the game, with your own overlays in this folder"),
    ("warlock studio ~/games maldorf+mine", "another folder, and a stack"),
    ("warlock studio tic-tac-toe --no-browser", "print the address only"),
    ("warlock studio game.json --export game.html", "a replay as a page that needs no server"),
    ("warlock studio maldorf+en maldorf+fr --export diff.html", "a comparison as such a page"),
)


def add_arguments(parser: ArgumentParser) -> None:
    what = parser.add_argument_group("what to open")
    about = "where files are written, and the stack; for --export a replay, a finding, or rulesets"
    what.add_argument("words", nargs="*", metavar="[FOLDER] [RULESET]", help=about)
    how = parser.add_argument_group("how")
    how.add_argument("--port", type=int, default=0, metavar="N", help="the port (default any that is free)")
    how.add_argument("--no-browser", action="store_true", help="print the address and open no browser")
    page = parser.add_argument_group("a page without a server")
    add_file(page, "--export", "write a replay, a finding or a comparison as one page, and serve nothing")
    page.add_argument("--seat", type=int, metavar="N", help="as the player of this seat saw it (default: all is seen)")
    add_lang(page)


def run(arguments: Namespace) -> int:
    """Serve the page until it is interrupted, or write one that needs no server."""
    if arguments.export:
        from warlock_studio.export_command import export

        return export(arguments)
    from warlock_studio.assets import asset
    from warlock_studio.guard import Guard
    from warlock_studio.server import listening, serve
    from warlock_studio.worker import Opened
    from workbench.support.rulesets import roots

    folder, stack = chosen(arguments.words)
    if not 0 <= arguments.port < 65536:
        raise UsageError("a port is from 0 to 65535")
    roots(arguments)
    rules = tuple(Path(one).resolve() for one in [*arguments.rules, *arguments.more_rules])
    sock = listening(arguments.port)
    guard = Guard(sock.getsockname()[1])
    if asset("main.js") is None:
        print("warlock: the page was not built when the studio was installed; it says what is missing", file=sys.stderr)
    print(f"Warlock Studio: {guard.url}", flush=True)
    print("Ctrl-C ends it.", flush=True)
    if not arguments.no_browser:
        webbrowser.open(guard.url)
    with contextlib.suppress(KeyboardInterrupt):
        serve(guard, Opened(folder, stack, rules), sock)
    return 0


def chosen(words: list[str]) -> tuple[Path, str]:
    """The folder and the stack: a word that is a folder, or looks like a path, is the folder."""
    if len(words) > 2:
        raise UsageError(f"'{words[2][:40]}' is one word too many")
    folders = [word for word in words if is_folder(word)]
    stacks = [word for word in words if not is_folder(word)]
    if len(folders) > 1 or len(stacks) > 1:
        raise UsageError("one folder and one ruleset, such as `warlock studio . maldorf`")
    folder = Path(folders[0] if folders else ".").expanduser()
    if not folder.is_dir():
        raise UsageError(f"there is no folder {folder}")
    return folder.resolve(), stacks[0] if stacks else "tic-tac-toe"


def is_folder(word: str) -> bool:
    return word in (".", "..") or "/" in word or "\\" in word or word.startswith("~")
