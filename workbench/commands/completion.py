"""`warlock completion`: a script that completes commands, options, choices and the names of rulesets in a shell."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from workbench.support.output import put_text

SHELLS = ("bash", "zsh", "fish")
EXAMPLES = (
    ("warlock completion bash > ~/.local/share/bash-completion/completions/warlock", "for bash"),
    ("warlock completion zsh > ~/.zfunc/_warlock", "for zsh, if ~/.zfunc is in fpath"),
    ("warlock completion fish > ~/.config/fish/completions/warlock.fish", "for fish"),
)


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument_group("what to print").add_argument("shell", choices=SHELLS, help="the shell it is for")


def run(arguments: Namespace) -> int:
    """Print the script: made from the same parsers that read the arguments."""
    from shtab import complete

    from workbench.cli import parser
    from workbench.commands import COMMANDS

    put_text(complete(parser(COMMANDS), arguments.shell))
    return 0
