"""Reports as one page of HTML that needs nothing beside it: no script from elsewhere, no font, no picture."""

from __future__ import annotations

import os
from functools import lru_cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined

from workbench.pages import plots
from workbench.support.errors import UsageError
from workbench.support.streams import shown

MARK = "<!-- made by warlock -->"  # the second line of every page: what may be written over


@lru_cache(maxsize=1)
def _environment() -> Environment:
    """Everything that comes from a game or a file is escaped; a name that a template misspells is an error."""
    found = Environment(
        loader=PackageLoader("workbench.pages", "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    found.globals.update(
        interval_plot=plots.interval_plot, histogram=plots.histogram, curves=plots.curves, page_mark=MARK
    )
    return found


def render_page(template: str, **content: Any) -> str:
    """A template of `templates`, filled. Those that extend `base.html` give a `title` and a `subtitle`. What would turn
    the order of letters, or is no text, is shown as an escape."""
    return shown(_environment().get_template(template).render(**content))


def write_page(path: Path, text: str) -> None:
    """Write a page. A file that is something else is never overwritten."""
    try:
        if path.exists() and not _is_page(path):
            raise UsageError(f"{path} exists and is no page of ours; it is left alone")
        beside = path.with_name(f"{path.name}.{os.getpid()}.part")
        try:
            beside.write_text(text, encoding="utf-8", newline="\n")
            beside.replace(path)
        finally:
            beside.unlink(missing_ok=True)
    except (OSError, ValueError) as error:
        why = (error.strerror if isinstance(error, OSError) else None) or "the system refuses"
        raise UsageError(f"{path} cannot be written: {why}") from None


def _is_page(path: Path) -> bool:
    with path.open("rb") as stream:
        return MARK.encode() in stream.read(200)
