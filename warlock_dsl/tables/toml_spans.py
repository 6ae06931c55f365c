"""Where everything is in a TOML document: `tomllib` gives the values, this gives the line and column of each."""

from __future__ import annotations

import re
import tomllib
from bisect import bisect_right
from collections.abc import Mapping
from fractions import Fraction
from functools import lru_cache
from typing import Any

from attrs import define, field, frozen

from warlock_dsl.diagnostics.diagnostic import Diagnostic, Span

Path = tuple[str | int, ...]

# Deeper documents are refused before they are parsed: no table of a game needs it, and the parser recurses.
MAX_DEPTH = 24

_BLANK = re.compile(r"[ \t]*")
_SPACE = re.compile(r"(?:[ \t\r\n]+|#[^\n]*)*")
_BARE = re.compile(r"[A-Za-z0-9_-]+")
_SCALAR = re.compile(r"[^,\]}#\r\n]+")
_STRINGS = (
    re.compile(r'"""[^"\\]*(?:(?:\\.|"{1,2}(?!"))[^"\\]*)*"{3,5}', re.DOTALL),
    re.compile(r"'''[^']*(?:'{1,2}(?!')[^']*)*'{3,5}"),
    re.compile(r'"[^"\\\n]*(?:\\.[^"\\\n]*)*"'),
    re.compile(r"'[^'\n]*'"),
)
_ERROR_PLACE = re.compile(r"\s*\(at (?:line (\d+), column (\d+)|end of document)\)\s*\Z")


@frozen
class Places:
    """The span of every key path of a document. Paths that have none of their own get that of what encloses them."""

    file: str
    values: Mapping[Path, Span] = field(repr=False)
    keys: Mapping[Path, Span] = field(repr=False)
    too_deep: Span | None = None  # where the document nests deeper than is read; the places end there

    def of(self, path: Path) -> Span:
        """Where the value is."""
        while path:
            if (span := self.values.get(path)) is not None:
                return span
            path = path[:-1]
        return Span(self.file, 1, 1, 1, 1)

    def key(self, path: Path) -> Span:
        """Where the key is; an item of an array has none, so it is where the item is."""
        return span if (span := self.keys.get(path)) is not None else self.of(path)


@frozen
class Inexact:
    """A TOML number that is no exact figure: nan, infinity, or one of an absurd size."""

    text: str


def exact_float(text: str) -> Fraction | Inexact:
    """A TOML float as the exact decimal that was written."""
    plain = text.replace("_", "")
    mantissa, _, exponent = plain.lower().partition("e")
    if "n" in plain.lower() or len(mantissa) > 60 or len(exponent) > 3:
        return Inexact(text)
    return Fraction(plain)


class _UnreadableError(Exception):
    """The text is not TOML from here on; `tomllib` will say why."""


class _TooDeepError(Exception):
    """The document nests too deeply at this offset."""


@define
class _Scanner:
    """One pass over a document, following the grammar just closely enough to know what each stretch belongs to."""

    text: str
    file: str
    at: int = 0
    values: dict[Path, Span] = field(factory=dict)
    keys: dict[Path, Span] = field(factory=dict)
    explicit: set[Path] = field(factory=set)
    lengths: dict[Path, int] = field(factory=dict)  # of the arrays of tables
    starts: list[int] = field(factory=list)

    def span(self, start: int, end: int) -> Span:
        line, end_line = bisect_right(self.starts, start), bisect_right(self.starts, end)
        return Span(self.file, line, start - self.starts[line - 1] + 1, end_line, end - self.starts[end_line - 1] + 1)

    def document(self) -> None:
        self.starts = [0] + [match.end() for match in re.finditer("\n", self.text)]
        table: Path = ()
        while self.skip(_SPACE) < len(self.text):
            if self.text.startswith("[", self.at):
                table = self.header()
            else:
                self.pair(table)

    def skip(self, pattern: re.Pattern[str]) -> int:
        match = pattern.match(self.text, self.at)
        assert match is not None  # both patterns match nothing at all
        self.at = match.end()
        return self.at

    def expect(self, mark: str) -> None:
        if not self.text.startswith(mark, self.at):
            raise _UnreadableError
        self.at += len(mark)

    def header(self) -> Path:
        start = self.at
        double = self.text.startswith("[[", start)
        self.expect("[[" if double else "[")
        parts = self.dotted()
        self.expect("]]" if double else "]")
        whole = self.span(start, self.at)
        path: Path = ()
        for index, (part, span) in enumerate(parts):
            path = (*path, part)
            last = index == len(parts) - 1
            if path not in self.values or (last and path not in self.explicit):
                self.values[path] = whole if last else span
                self.keys[path] = span
            if last and double:
                self.lengths[path] = self.lengths.get(path, 0) + 1
                self.values[(*path, self.lengths[path] - 1)] = whole
            if path in self.lengths:
                path = (*path, self.lengths[path] - 1)
        self.explicit.add(path)
        self.deep(path, start)
        return path

    def pair(self, table: Path) -> None:
        start = self.at
        parts = self.dotted()
        self.expect("=")
        self.skip(_BLANK)
        path = table
        for part, span in parts:
            path = (*path, part)
            self.keys.setdefault(path, span)
        self.deep(path, start)
        self.value(path)
        whole = self.span(start, self.at)
        while (path := path[:-1]) != table:
            self.values.setdefault(path, whole)

    def dotted(self) -> list[tuple[str, Span]]:
        parts: list[tuple[str, Span]] = []
        while True:
            self.skip(_BLANK)
            start = self.at
            match = _BARE.match(self.text, start)
            if match is not None:
                self.at = match.end()
                parts.append((match[0], self.span(start, self.at)))
            else:
                parts.append((self.quoted_key(), self.span(start, self.at)))
            self.deep(parts, start)
            self.skip(_BLANK)
            if not self.text.startswith(".", self.at):
                return parts
            self.at += 1

    def quoted_key(self) -> str:
        for pattern in _STRINGS[2:]:
            if (match := pattern.match(self.text, self.at)) is not None:
                self.at = match.end()
                if "\\" not in match[0] or match[0][0] == "'":
                    return match[0][1:-1]
                try:
                    return str(tomllib.loads(f"key = {match[0]}")["key"])
                except tomllib.TOMLDecodeError:
                    raise _UnreadableError from None
        raise _UnreadableError

    def value(self, path: Path) -> None:
        start = self.at
        if self.text.startswith("[", start):
            self.array(path)
        elif self.text.startswith("{", start):
            self.inline(path)
        elif self.text.startswith(('"', "'"), start):
            likely = _STRINGS if self.text.startswith(('"""', "'''"), start) else _STRINGS[2:]
            match = next((found for pattern in likely if (found := pattern.match(self.text, start))), None)
            if match is None:
                raise _UnreadableError
            self.at = match.end()
        else:
            match = _SCALAR.match(self.text, start)
            if match is None:
                raise _UnreadableError
            self.at = start + len(match[0].rstrip(" \t"))
        self.values[path] = self.span(start, self.at)

    def array(self, path: Path) -> None:
        start = self.at
        self.deep((*path, 0), start)
        self.at += 1
        index = 0
        while self.skip(_SPACE) < len(self.text) and self.text[self.at] != "]":
            self.value((*path, index))
            index += 1
            self.skip(_SPACE)
            if not self.text.startswith(",", self.at):
                break
            self.at += 1
        self.expect("]")

    def inline(self, path: Path) -> None:
        self.at += 1
        # Newlines and a trailing comma are not TOML 1.0, but 1.1; what `tomllib` makes of them is its business.
        while self.skip(_SPACE) < len(self.text) and self.text[self.at] != "}":
            self.pair(path)
            self.skip(_SPACE)
            if not self.text.startswith(",", self.at):
                break
            self.at += 1
        self.expect("}")

    def deep(self, path: Path | list[tuple[str, Span]], start: int) -> None:
        if len(path) > MAX_DEPTH:
            raise _TooDeepError(start)


def locate(text: str, file: str) -> Places:
    """The places of a document. Of one that is not TOML, the places before its error."""
    scanner = _Scanner(text.replace("\r\n", "\n"), file)
    too_deep = None
    try:
        scanner.document()
    except _TooDeepError as error:
        start = int(error.args[0])
        too_deep = scanner.span(start, start + 1)
    except _UnreadableError:
        pass
    return Places(file, scanner.values, scanner.keys, too_deep)


def read_toml(text: str, file: str) -> tuple[dict[str, Any] | None, Places, list[Diagnostic]]:
    """A document, its places and its errors. Its decimals are exact fractions, or `Inexact`."""
    document, places, errors = _read(text, file)
    return _tamed(document), places, list(errors)  # a copy: overlays change it


@lru_cache(maxsize=48)  # the files of a game are read anew for every stack of overlays on it
def _read(text: str, file: str) -> tuple[dict[str, Any] | None, Places, tuple[Diagnostic, ...]]:
    places = locate(text, file)
    if places.too_deep is not None:
        hint = f"lists and tables are read {MAX_DEPTH} levels deep"
        return None, places, (Diagnostic("W202", "this is nested too deeply to be read", places.too_deep, hint=hint),)
    tree, said = _document(text)
    return tree, places, () if tree is not None else (_syntax_error(said, text, file),)


def toml_errors(text: str, file: str) -> tuple[Diagnostic, ...]:
    """The errors of a document alone."""
    return _read(text, file)[2]


def toml_error(text: str, file: str) -> Diagnostic | None:
    """Why a text is not TOML, without the places of what it says: sooner than reading it."""
    tree, said = _document(text)
    return None if tree is not None else _syntax_error(said, text, file)


@lru_cache(maxsize=48)
def _document(text: str) -> tuple[dict[str, Any] | None, str]:
    """What a text says, or else what `tomllib` says of it."""
    try:
        return tomllib.loads(text, parse_float=exact_float), ""
    except ValueError as error:
        return None, str(error)
    except RecursionError:
        return None, ""


def _tamed(value: Any) -> Any:
    """The document with whole numbers beyond 64 bits, which TOML does not have, as numbers that are not exact."""
    if isinstance(value, dict):
        return {key: _tamed(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [_tamed(inner) for inner in value]
    if isinstance(value, int) and value.bit_length() > 63:
        return Inexact(hex(value)[:20] + "...")
    return value


def _syntax_error(message: str, text: str, file: str) -> Diagnostic:
    place = _ERROR_PLACE.search(message)
    if place is None:  # a whole number of thousands of digits, for one
        return Diagnostic("W201", "this file has a value that cannot be read", Span(file, 1, 1, 1, 2))
    lines = text.replace("\r\n", "\n").split("\n")
    line, column = int(place[1] or len(lines)), int(place[2] or len(lines[-1]) + 1)
    said = message[: place.start()]
    said = said[:1].lower() + said[1:]
    if len(said) > 200:
        said = said[:197] + "..."
    hint = "a text is written in quotes, a table in { } on one line, a list in [ ]"
    return Diagnostic("W201", f"this is not TOML: {said}", Span(file, line, column, line, column + 1), hint=hint)
