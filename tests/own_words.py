"""Looks for runs of words that the project shares with documents: `python tests/own_words.py FOLDER [--words 8]`.

FOLDER holds the documents as text files. Every text of the project that people read is compared with them: rules, data,
docs and code. Letters alone count, whatever their case and accents (a scan loses those first), so that a line break or
a comma between two words hides nothing. A shared run is printed with its places; the exit code is 1 where there is one,
2 where there is nothing to compare.
"""

from __future__ import annotations

import argparse
import re
import sys
import unicodedata
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
FOLDERS = ("rules", "variants", "docs", "warlock_dsl", "interpreter", "workbench", "warlock_rules", "tests")
ENDINGS = {".toml", ".warlock", ".md", ".py", ".csv", ".txt", ".html", ".txtar"}
WORD = re.compile(r"[^\W\d_]+")  # figures are facts

Found = tuple[str, int]  # a word, and its line


def words_of(text: str) -> list[Found]:
    """The words of a text without case and accents, each with its line."""
    found = []
    for number, line in enumerate(text.splitlines(), start=1):
        plain = "".join(c for c in unicodedata.normalize("NFKD", line) if not unicodedata.combining(c))
        found += [(word.casefold(), number) for word in WORD.findall(plain)]
    return found


def runs(words: list[Found], length: int) -> Iterator[tuple[tuple[str, ...], int]]:
    """Every run of so many words in a row, and the line it begins in."""
    for place in range(len(words) - length + 1):
        part = words[place : place + length]
        yield tuple(word for word, _ in part), part[0][1]


def texts(root: Path) -> Iterator[Path]:
    """The files of the project that people read."""
    yield from sorted(root.glob("*.md"))
    for folder in FOLDERS:
        yield from sorted(path for path in (root / folder).rglob("*") if path.suffix in ENDINGS and path.is_file())


def shared(documents: Path, root: Path, length: int) -> list[str]:
    """A line for each run of words that the project shares with a document, the first run of a passage only."""
    known: dict[tuple[str, ...], str] = {}
    for document in sorted(path for path in documents.rglob("*") if path.is_file()):
        for run, line in runs(words_of(document.read_text(errors="replace")), length):
            known.setdefault(run, f"{document.name}:{line}")
    found = []
    for path in texts(root):
        before = -1
        for place, (run, line) in enumerate(runs(words_of(path.read_text(errors="replace")), length)):
            if run in known:
                if place != before + 1 or before < 0:
                    found.append(f"{path.relative_to(root)}:{line}: {known[run]}: {' '.join(run)}")
                before = place
    return found


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="own_words.py", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("folder", type=Path, help="the documents, as text files")
    parser.add_argument("--words", type=int, default=8, help="how many words in a row count (default 8)")
    given = parser.parse_args(arguments)
    if not given.folder.is_dir() or not any(path.is_file() for path in given.folder.rglob("*")):
        print(f"there are no documents in {given.folder}", file=sys.stderr)
        return 2
    found = shared(given.folder, ROOT, given.words)
    print("\n".join(found) or f"no {given.words} words in a row are shared")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
