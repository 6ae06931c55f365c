"""The command `warlock`: finds the command that is meant, lets it read its arguments and run, gives an exit code.

Nothing of a command is imported before it is the one that runs, so that `--version` and `--help` are quick.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Sequence
from contextlib import suppress
from importlib import import_module
from typing import Any, NoReturn

from workbench import __version__
from workbench.commands import COMMANDS, ENTRY_POINTS, GROUPS, PACKAGES
from workbench.support.errors import UsageError
from workbench.support.streams import OutputError, give_up, safe_streams

INTERRUPTED, READER_GONE = 130, 141  # as a shell says it
RULES = "a folder of rulesets, or one that holds `rules` and `variants`"
EXIT_CODES = """\
Exit codes: 0 all is well; 1 what was checked, tested or compared has failed; 2 something named is not there, or
the command cannot be carried out as it was given; 130 interrupted; 141 nobody reads the output any more."""


class Parser(argparse.ArgumentParser):
    """A parser whose errors are one sentence and a hint."""

    def __init__(self, **more: Any) -> None:
        super().__init__(formatter_class=argparse.RawDescriptionHelpFormatter, allow_abbrev=False, **more)

    def error(self, message: str) -> NoReturn:
        self.exit(2, f"{self.prog}: {message}\n  hint: `{self.prog} --help` shows what can be given, with examples\n")

    def unknown(self, word: str) -> NoReturn:
        """The error of a word that no argument takes."""
        import re

        from warlock_dsl import closest

        if not word.startswith("-"):
            self.error(f"'{word[:40]}' is one word too many")
        near = closest(word.partition("=")[0], sorted(set(re.findall(r"--[a-z-]+", self.format_help()))))
        self.error(f"there is no option '{word[:40]}'{f'; {near}' if near else ''}")


def parser(names: Iterable[str] = ()) -> Parser:
    """The parser of the command line, with the arguments of these commands."""
    top = Parser(prog="warlock", usage="warlock [--rules PATH] COMMAND ...", description=overview(), epilog=EXIT_CODES)
    top.add_argument("--version", action="version", version=f"warlock {__version__}")
    top.add_argument("--rules", action="append", default=[], metavar="PATH", help=f"{RULES}; repeatable")
    chosen = list(names)
    commands = top.add_subparsers(prog="warlock", parser_class=Parser, metavar="COMMAND") if chosen else None
    for name in chosen:
        assert commands is not None
        module = module_of(name)
        about = PACKAGES[name][0] if name in PACKAGES else COMMANDS[name][1]
        one = commands.add_parser(
            name, help=about, description=f"{about[0].upper()}{about[1:]}.", epilog=epilog(module)
        )
        one.add_argument("--rules", action="append", default=[], dest="more_rules", metavar="PATH", help=RULES)
        module.add_arguments(one)
        one.set_defaults(run=module.run, parser=one)
    return top


def module_of(name: str) -> Any:
    """The module of a command: one of ours, or one that a package of its own brings."""
    if name not in PACKAGES:
        return import_module(f"workbench.commands.{name}")
    from importlib.metadata import entry_points

    for found in entry_points(group=ENTRY_POINTS, name=name):
        return found.load()
    raise UsageError(f"`warlock {name}` is a package of its own: {PACKAGES[name][1]}, in a checkout")


def overview() -> str:
    """What `warlock` is for, and its commands by group."""
    lines = ["Games as data: play, change, compare and test the rules of tabletop games."]
    for group, title in GROUPS.items():
        lines.append(f"\n{title}:")
        lines += [f"  {name:12}{about}" for name, (own, about) in COMMANDS.items() if own == group]
    lines.append("\nin packages of their own:")
    lines += [f"  {name:12}{about} ({how})" for name, (about, how) in PACKAGES.items()]
    return "\n".join([*lines, "\n`warlock COMMAND --help` shows what a command takes, with examples."])


def epilog(module: Any) -> str:
    """The examples of a command: a command line and what it does, in two columns."""
    width = max(len(command) for command, _ in module.EXAMPLES)
    lines = [f"  {command:{width}}  {about}" for command, about in module.EXAMPLES]
    more = [f"\n{module.EXIT_CODES}"] if hasattr(module, "EXIT_CODES") else []
    return "\n".join(["Examples:", *lines, *more])


def command_in(words: Sequence[str]) -> str | None:
    """The command among the words of a command line: the first that is neither an option nor the value of one."""
    left = iter(words)
    for word in left:
        if word == "--rules":
            next(left, None)
        elif not word.startswith("-"):
            return word
    return None


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command. Whatever a user does wrong ends in a sentence and an exit code, not in a traceback."""
    words = list(sys.argv[1:] if argv is None else argv)
    with safe_streams():
        try:
            code = _main(words)
            sys.stdout.flush()
            sys.stderr.flush()
            return code
        except OutputError as error:
            return _unwritable(error)


def _main(words: Sequence[str]) -> int:
    name = command_in(words)
    try:
        if name is not None and name not in COMMANDS and name not in PACKAGES:
            return _unknown(name)
        top = parser([name] if name is not None else [])
        arguments, left = top.parse_known_args(words)
        if left:
            getattr(arguments, "parser", top).unknown(left[0])
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else 2
    except UsageError as error:
        return _refused(error.message, error.code, argparse.Namespace())
    if name is None:
        arguments.run, arguments.more_rules = _welcome, []
    return _run(arguments)


def _run(arguments: argparse.Namespace) -> int:
    try:
        code: int = arguments.run(arguments)
        return code
    except UsageError as error:
        return _refused(error.message, error.code, arguments)
    except KeyboardInterrupt:
        print(file=sys.stderr)
        return INTERRUPTED
    except OSError as error:
        return _refused(f"{error.filename or 'a file'}: {error.strerror or 'the system refuses'}", 2, arguments)
    except Exception as error:
        if not _told(error, getattr(arguments, "json", False)):
            raise
        return 1


def _told(error: Exception, json: bool) -> bool:
    """Tell of an error that a game met, if it is one: the rules are at fault, not the command."""
    interpreter = sys.modules.get("interpreter")
    if interpreter is None or not isinstance(error, interpreter.PlayError):
        return False
    from workbench.support.output import complain, put_json
    from workbench.support.run_time import error_data, error_text

    if json:
        put_json(error_data(error))
    else:
        complain(error_text(error))
    return True


def _refused(message: str, code: int, arguments: argparse.Namespace) -> int:
    from workbench.support.output import complain, put_json

    if getattr(arguments, "json", False):
        put_json({"error": message})
    else:
        complain(f"warlock: {message}" if "\n" not in message else message)
    return code


def _unwritable(error: OutputError) -> int:
    """Nothing more can be printed. Where the reader has gone nobody is told, as with every command of a shell."""
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except OutputError:
            give_up(stream)
    if error.gone:
        return READER_GONE
    with suppress(OutputError):
        print(f"warlock: {error}", file=sys.stderr)
        sys.stderr.flush()
    return 2


def _unknown(name: str) -> int:
    from warlock_dsl import suggest
    from workbench.support.output import complain

    hint = suggest(name, COMMANDS, "commands", len(COMMANDS))
    complain(f"warlock: there is no command '{name[:40]}'\n  hint: {hint}; `warlock --help` describes them")
    return 2


def _welcome(arguments: argparse.Namespace) -> int:
    """`warlock` alone: what can be played, and how to find out more."""
    from workbench.commands.list import print_games
    from workbench.support.rulesets import games, roots

    print("Games as data: play, change, compare and test the rules of tabletop games.\n")
    print_games(games(roots(arguments)))
    print("\n  warlock play GAME    play one of them\n  warlock list GAME    show the overlays on one")
    print("  warlock --help       show all commands\n  warlock docs         list the pages of the manual")
    return 0


if __name__ == "__main__":
    sys.exit(main())
