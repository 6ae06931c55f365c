"""`warlock fmt`: formats `.warlock` files in place, or shows which would change."""

from __future__ import annotations

import difflib
import os
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator
from pathlib import Path

from attrs import define, field

from warlock_dsl import Diagnostic, Span, format_text, render_json, render_text
from workbench.support.arguments import completes, output
from workbench.support.errors import UsageError
from workbench.support.output import put_json, put_text, say

MAX_BYTES = 2_000_000
EXAMPLES = (
    ("warlock fmt rules/my-game", "format every file of a folder"),
    ("warlock fmt --check .", "exit 1 if a file would change"),
    ("warlock fmt --diff rules/my-game/turn.warlock", "show what would change"),
)


@define
class Formatted:
    """What became of the files."""

    changed: list[str] = field(factory=list)
    unchanged: int = 0
    diffs: list[str] = field(factory=list)
    errors: list[Diagnostic] = field(factory=list)
    sources: dict[str, str] = field(factory=dict)


def add_arguments(parser: ArgumentParser) -> None:
    what = parser.add_argument_group("what to format")
    completes(what.add_argument("paths", nargs="+", metavar="PATH", help="files, or folders to search"), "file")
    what.add_argument("--check", action="store_true", help="write nothing; exit 1 if a file would change")
    what.add_argument("--diff", action="store_true", help="write nothing; show what would change")
    output(parser)


def run(arguments: Namespace) -> int:
    """Format every file named; files that cannot be read are left alone."""
    result = Formatted()
    for path in warlock_files([Path(name) for name in arguments.paths]):
        _format_file(path, result, write=not (arguments.check or arguments.diff))
    if arguments.json:
        put_json(
            {
                "changed": result.changed,
                "unchanged": result.unchanged,
                "written": not (arguments.check or arguments.diff),
                "diagnostics": render_json(result.errors),
            }
        )
    else:
        _print_result(result, arguments)
    return 1 if result.errors or (arguments.check and result.changed) else 0


def _print_result(result: Formatted, arguments: Namespace) -> None:
    if result.errors:
        put_text(render_text(result.errors, result.sources))
    if arguments.diff:
        for diff in result.diffs:
            put_text(diff)
    verb = "would change" if arguments.check or arguments.diff else "formatted"
    for file in result.changed:
        say(f"{verb}: {file}")
    say(f"{len(result.changed)} changed, {result.unchanged} as they should be")


def warlock_files(paths: list[Path]) -> Iterator[Path]:
    """The `.warlock` files among these paths; folders are searched."""
    for path in paths:
        try:
            if path.is_dir():
                yield from sorted(child for child in path.rglob("*.warlock") if child.is_file())
            elif path.is_file():
                yield path
            else:
                raise UsageError(f"there is no file or folder {path}")
        except (OSError, ValueError):
            raise UsageError(f"{path} cannot be read") from None


def _format_file(path: Path, result: Formatted, write: bool) -> None:
    name = path.as_posix()
    try:
        content = path.read_bytes() if path.stat().st_size <= MAX_BYTES else None
    except OSError as error:
        result.errors.append(_error(name, f"this file cannot be read: {error.strerror}"))
        return
    if path.suffix != ".warlock":
        result.errors.append(_error(name, "only .warlock files can be formatted"))
        return
    if content is None:
        result.errors.append(_error(name, f"this file is larger than {MAX_BYTES:,} bytes"))
        return
    try:
        text = content.decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError:
        result.errors.append(_error(name, "this file is not UTF-8 text"))
        return
    result.sources[name] = text
    formatted, errors = format_text(text, name)
    result.errors += errors
    if errors or formatted.encode() == content:
        result.unchanged += not errors
        return
    result.changed.append(name)
    before, after = text.splitlines(keepends=True), formatted.splitlines(keepends=True)
    result.diffs.append("".join(difflib.unified_diff(before, after, f"{name} (as it is)", f"{name} (formatted)")))
    if write:
        _write(path, formatted)


def _write(path: Path, text: str) -> None:
    """Replace the file in one step, so that it is never half written; its rights stay."""
    beside = path.with_name(f"{path.name}.{os.getpid()}.part")
    try:
        beside.write_bytes(text.encode())
        beside.chmod(path.stat().st_mode)
        beside.replace(path.resolve())
    except OSError as error:
        raise UsageError(f"{path} cannot be written: {error.strerror}") from None
    finally:
        beside.unlink(missing_ok=True)


def _error(name: str, message: str) -> Diagnostic:
    return Diagnostic("W250", message, Span(name, 1, 1, 1, 1))
