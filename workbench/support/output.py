"""How commands print: text for people, one JSON object for scripts, usage errors in one line on the error stream."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from workbench.support.streams import SafeStream, shown

if TYPE_CHECKING:
    from rich.console import Console


def console(to_stderr: bool = False) -> Console:
    """A console that takes texts as they are: no markup, no guessing at what to colour. What it lays out it makes safe
    itself, since the signs that colour a text are those that a stranger's text must not have."""
    from rich.console import Console, ConsoleOptions, RenderableType  # here: a line without colour needs none of it
    from rich.segment import Segment

    class PlainConsole(Console):
        def render(self, renderable: RenderableType, options: ConsoleOptions | None = None) -> Iterator[Segment]:
            for segment in super().render(renderable, options):
                safe = segment.control or segment.text.isprintable()
                yield segment if safe else Segment(shown(segment.text), segment.style)

    stream = sys.stderr if to_stderr else sys.stdout
    file = stream.checked if isinstance(stream, SafeStream) else None
    return PlainConsole(file=file, stderr=to_stderr, highlight=False, markup=False, emoji=False)


def say(text: str, style: str = "") -> None:
    """A line of text as it is, however long."""
    if style:
        from rich.text import Text

        console().print(Text(text, style), soft_wrap=True)
    else:
        print(shown(text))


def complain(text: str) -> None:
    """A usage error, on the error stream."""
    print(shown(text), file=sys.stderr)


def put_json(data: Mapping[str, Any]) -> None:
    """One JSON object. Plain ASCII where the stream could not hold more, and for what must not be shown as it is."""
    wide = (sys.stdout.encoding or "").lower().replace("-", "") == "utf8"
    text = json.dumps(data, indent=2, ensure_ascii=not wide)
    print("\n".join(line if line.isprintable() else _escaped(line) for line in text.split("\n")))


def _escaped(text: str) -> str:
    return "".join(char if char.isprintable() else json.dumps(char)[1:-1] for char in text)


def put_text(text: str) -> None:
    """Text that has been laid out already."""
    sys.stdout.write(shown(text if text.endswith("\n") or not text else text + "\n"))
