"""`warlock docs`: the pages of the manual, which come with the package."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from pathlib import Path

from workbench.support.arguments import output
from workbench.support.errors import UsageError
from workbench.support.output import put_json, put_text, say

EXAMPLES = (
    ("warlock docs", "the list of pages"),
    ("warlock docs tutorial", "print a page"),
    ("warlock docs overlays --open", "read it in a pager"),
)


def add_arguments(parser: ArgumentParser) -> None:
    what = parser.add_argument_group("what to read")
    what.add_argument("page", nargs="?", metavar="PAGE", help="a page (default: list all pages)")
    output(parser).add_argument("--open", action="store_true", help="show the page in a pager, if this is a terminal")


def folder() -> Path:
    """Where the pages are: inside the package when it is installed, beside it in a checkout."""
    package = Path(__file__).resolve().parents[1]
    inside = package / "docs"
    return inside if inside.is_dir() else package.parent / "docs"


def pages() -> dict[str, Path]:
    """Every page by its name."""
    return {path.stem: path for path in sorted(folder().glob("*.md"))}


def run(arguments: Namespace) -> int:
    """Print a page, or list them."""
    found = pages()
    if arguments.page is None:
        titles = {name: _title(path) for name, path in found.items()}
        if arguments.json:
            put_json({"pages": titles, "folder": str(folder())})
        for name, title in titles.items() if not arguments.json else ():
            say(f"  {name:16}{title}")
        return 0
    name = arguments.page.removeprefix("docs/").removesuffix(".md")
    if name not in found:
        from warlock_dsl import suggest

        raise UsageError(f"there is no page '{arguments.page}'; {suggest(name, found, 'pages', len(found))}")
    text = found[name].read_text(encoding="utf-8")
    if arguments.json:
        put_json({"page": name, "text": text})
    elif arguments.open and sys.stdout.isatty():
        import pydoc

        pydoc.pager(text)
    else:
        put_text(text)
    return 0


def _title(path: Path) -> str:
    with path.open(encoding="utf-8") as file:
        return file.readline().lstrip("# ").strip()
