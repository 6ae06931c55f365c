"""Renaming in scenarios, whose words have no declared meaning: the edits are those after which all of them come out as
they did before."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from attrs import frozen

from warlock_dsl import Loaded, Ruleset, Span, Symbol, TextEdit, read_toml
from workbench.scenario.run import read_scenarios, run_scenario
from workbench.service.project import Analysis, Project

TITLES = frozenset({"about", "name", "players", "cites"})
# Where the words of some symbols stand: under one of these keys.
UNDER = {"zone": {"zones", "rest", "piles"}, "variable": {"variables"}}
Outcome = list[tuple[str, ...]]


@frozen
class Word:
    """A word of a scenario: where it is, under which keys, and what is right before it."""

    span: Span
    keys: frozenset[str]
    before: str


def in_scenarios(
    project: Project, analysis: Analysis, after: Loaded, symbol: Symbol, new: str
) -> dict[Path, list[TextEdit]] | str:
    """The edits in the scenarios of a stack's own folder, by file; or why there are none that keep them as they are."""
    found: dict[Path, list[TextEdit]] = {}
    rules, others = analysis.loaded.ruleset, after.ruleset
    if rules is None or others is None or not analysis.folders:
        return found
    top = list(analysis.folders.values())[-1]
    for path in sorted((top / "scenarios").glob("*.toml")):
        text = project.text(path)
        words = list(_words(text, path, symbol[-1]))
        if not words:
            continue
        wanted = outcomes(text, path, rules)
        for chosen in _ways(words, symbol):
            edits = [TextEdit(word.span, new) for word in chosen]
            if outcomes(_edited(text, edits), path, others, symbol[-1], new) == _told(wanted, symbol[-1], new):
                if edits:
                    found[path] = edits
                break
        else:
            return f"what '{symbol[-1]}' means in the scenarios of {path.name} is in doubt"
    return found


def _words(text: str, path: Path, word: str) -> Iterator[Word]:
    """Every place of a word in the keys and values of a file, titles and remarks aside."""
    tree, places, errors = read_toml(text, path.name)
    if tree is None or errors:
        return
    lines = text.split("\n")
    leaves = [*places.keys.items(), *(one for one in places.values.items() if _is_leaf(one[0], tree))]
    seen: set[Span] = set()
    for keys, span in leaves:
        named = frozenset(str(key) for key in keys if isinstance(key, str))
        if (keys and keys[-1] in TITLES) or (len(keys) > 1 and keys[-2] in TITLES):
            continue
        for number in range(span.line, span.end_line + 1):
            line = lines[number - 1]
            first = span.column - 1 if number == span.line else 0
            last = span.end_column - 1 if number == span.end_line else len(line)
            for match in re.finditer(rf"(?<![\w-]){re.escape(word)}(?![\w-])", line[:last]):
                place = Span(path.as_posix(), number, match.start() + 1, number, match.end() + 1)
                if match.start() >= first and place not in seen:
                    seen.add(place)
                    yield Word(place, named, line[: match.start()])


def _is_leaf(keys: tuple[str | int, ...], tree: object) -> bool:
    for key in keys:
        try:
            tree = tree[key]  # type: ignore[index]
        except (KeyError, IndexError, TypeError):
            return False
    return not isinstance(tree, dict | list)


def _ways(words: list[Word], symbol: Symbol) -> Iterator[list[Word]]:
    """Which words may be meant, the likeliest first."""
    what, owner = symbol[0], symbol[1] if len(symbol) > 2 else ""
    if what == "local":
        behind = [word for word in words if re.search(r"\w\.$", word.before)]
        yield []
        yield behind
        return
    if what in UNDER:
        other = set().union(*(keys for key, keys in UNDER.items() if key != what))
        yield [word for word in words if not word.keys & other]
        yield [word for word in words if word.keys & UNDER[what]]
    if what in ("figure", "row", "member", "column", "field"):
        yield [word for word in words if word.before.endswith(f"{owner}.")]
        yield [word for word in words if not word.keys & {"zones"} or not word.before.endswith(".")]
    if what in ("figure", "group", "column", "field", "define", "rule", "score"):
        plain = [word for word in words if not word.keys & {"zones", "variables"}]
        yield plain
        yield [word for word in plain if not word.before.endswith(".")]
    yield words
    yield []


def outcomes(text: str, path: Path, rules: Ruleset, word: str = "", new: str = "") -> Outcome:
    """What becomes of every scenario of a file under some rules, in the old words."""
    scenarios, errors = read_scenarios(text, path.as_posix(), lambda _: rules, rules.name)
    found: Outcome = [("error", one.code, str(one.span.line)) for one in errors]
    for scenario in scenarios:
        result = run_scenario(rules, scenario)
        told = [f"{one.step} {one.expected} {one.found}" for one in result.failures]
        found.append((scenario.name, result.outcome, *told))
    return _told(found, word, new)


def _told(found: Outcome, word: str, new: str) -> Outcome:
    """With the old and the new word as one: what failed before may be told in either."""
    if not word:
        return found
    return [tuple(re.sub(rf"\b{re.escape(new)}\b", word, part) for part in one) for one in found]


def _edited(text: str, edits: list[TextEdit]) -> str:
    lines = text.split("\n")
    for edit in sorted(edits, key=lambda one: one.span, reverse=True):
        span = edit.span
        line = lines[span.line - 1]
        lines[span.line - 1] = line[: span.column - 1] + edit.text + line[span.end_column - 1 :]
    return "\n".join(lines)
