"""Makes a case on which two machines differ smaller: declarations, statements and lines of tables are taken away, and
brackets replaced by constants, as long as the difference stays."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from attrs import evolve

from tests.random_rules.rulebook import Case

Test = Callable[[Case], bool]
CONSTANTS = ("true", "false", "0", "1", "me", "players")
MAX_TRIES = 3000


def shrunk(case: Case, still_differs: Test, max_tries: int = MAX_TRIES) -> Case:
    """The smallest case found that the test still takes."""
    tries, smaller = 0, True
    while smaller:
        smaller = False
        for step in (_without_blocks, _without_table_lines, _without_brackets):
            begin = 0
            while True:
                for place, candidate in enumerate(reversed(list(step(case)))):  # what is called stands before who calls
                    if place < begin or len(candidate.text()) >= len(case.text()):
                        continue
                    tries += 1
                    if tries > max_tries:
                        return case
                    if still_differs(candidate):
                        case, begin, smaller = candidate, place, True
                        break
                else:
                    break
    return case


def _with(case: Case, file: str, lines: list[str]) -> Case:
    return evolve(case, files={**case.files, file: "\n".join(lines)})


def _indentation(line: str) -> int:
    return len(line) - len(line.lstrip())


def _without_blocks(case: Case) -> Iterator[Case]:
    """A declaration or a statement less, with what stands under it; or what stands under it in its place."""
    lines = case.files["rules.warlock"].split("\n")
    for at, line in enumerate(lines):
        if not line.strip():
            continue
        depth, end = _indentation(line), at + 1
        while end < len(lines) and lines[end].strip() and _indentation(lines[end]) > depth:
            end += 1
        yield _with(case, "rules.warlock", lines[:at] + lines[end:])
        if depth:
            yield _with(case, "rules.warlock", [*lines[:at], " " * depth + "pass", *lines[end:]])
        elif line.endswith(":"):
            yield _with(case, "rules.warlock", [*lines[: at + 1], "    pass", *lines[end:]])
        if depth and end > at + 1:
            inner = [one[4:] for one in lines[at + 1 : end]]
            yield _with(case, "rules.warlock", lines[:at] + inner + lines[end:])


def _without_table_lines(case: Case) -> Iterator[Case]:
    """A line of the tables less, or a whole section."""
    lines = case.files["game.toml"].split("\n")
    for at, line in enumerate(lines):
        end = at + 1
        if line.startswith("["):
            while end < len(lines) and not lines[end].startswith("["):
                end += 1
        if line.strip():
            yield _with(case, "game.toml", lines[:at] + lines[end:])


def _without_brackets(case: Case) -> Iterator[Case]:
    """A constant for what stands in brackets, and conditions less."""
    text = case.files["rules.warlock"]
    for match in re.finditer(r" where [^\n]*?(?=(:| by | =)|\n)", text):
        yield _with(case, "rules.warlock", [text[: match.start()] + text[match.end() :]])
    for begin, sign in enumerate(text):
        if sign != "(" or (begin and (text[begin - 1].isalnum() or text[begin - 1] in "_]")):
            continue
        end = _closing(text, begin)
        for constant in CONSTANTS:
            yield _with(case, "rules.warlock", [text[:begin] + constant + text[end:]])


def _closing(text: str, begin: int) -> int:
    depth = 0
    for at in range(begin, len(text)):
        depth += (text[at] == "(") - (text[at] == ")")
        if not depth:
            return at + 1
    return len(text)
