"""`warlock lsp`: the language server that an editor starts and speaks to over its standard streams."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace

from workbench.support.errors import UsageError

EXAMPLES = (
    ("warlock lsp", "what an editor is told to start"),
    ("warlock lsp --stdio", "the same, for editors that say so"),
)


def add_arguments(parser: ArgumentParser) -> None:
    group = parser.add_argument_group("what to speak over")
    group.add_argument("--stdio", action="store_true", help="over the standard streams; there is no other way")


def run(arguments: Namespace) -> int:
    """Serve until the editor is done."""
    try:
        from workbench.lsp.start import make_server
    except ModuleNotFoundError as error:
        if error.name not in ("pygls", "lsprotocol"):
            raise
        raise UsageError("the language server needs pygls: pip install 'warlock-rules[lsp]'") from None
    if sys.__stdin__ is None or sys.__stdout__ is None:
        raise UsageError("the language server speaks over the standard streams, and there are none")
    with (
        open(sys.__stdin__.fileno(), "rb", closefd=False) as told,
        open(sys.__stdout__.fileno(), "wb", closefd=False) as telling,
    ):
        make_server().start_io(told, telling)
    return 0
