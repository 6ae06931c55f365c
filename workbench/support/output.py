"""How commands print: text for people, one JSON object for scripts, usage errors in one line on the error stream."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from workbench.language.phrases import clean

if TYPE_CHECKING:
    from rich.console import Console


def console(to_stderr: bool = False) -> Console:
    """A console that takes texts as they are: no markup, no guessing at what to colour."""
    from rich.console import Console  # here: what prints a line without colour needs none of it

    class PlainConsole(Console):
        """A console that leaves it to the command what happens when nobody reads any more."""

        def on_broken_pipe(self) -> None:
            self.quiet = True
            raise BrokenPipeError

    return PlainConsole(stderr=to_stderr, highlight=False, markup=False, emoji=False)


def say(text: str, style: str = "") -> None:
    """A line of text as it is, however long."""
    if style:
        from rich.text import Text

        console().print(Text(clean_lines(text), style), soft_wrap=True)
    else:
        print(clean_lines(text))


def complain(text: str) -> None:
    """A usage error, on the error stream."""
    print(clean_lines(text), file=sys.stderr)


def clean_lines(text: str) -> str:
    return clean(text.replace("\t", "    "))


def put_json(data: Mapping[str, Any]) -> None:
    """One JSON object. Plain ASCII where the stream could not hold more."""
    wide = (sys.stdout.encoding or "").lower().replace("-", "") == "utf8"
    print(json.dumps(data, indent=2, ensure_ascii=not wide))


def put_text(text: str) -> None:
    """Text that has been laid out already, as it is."""
    sys.stdout.write(text if text.endswith("\n") or not text else text + "\n")
