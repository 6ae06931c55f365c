"""Starters: the files of a new game or of a new variant, commented, sound as they are."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from fractions import Fraction
from importlib import resources
from importlib.resources.abc import Traversable
from string import Template

from attrs import frozen

from warlock_dsl import (
    OVERLAY_FILE,
    Loaded,
    Ruleset,
    Use,
    declaration_address,
    declaration_digest,
    declaration_text,
    load_files,
    names_of,
    plain_value,
)
from warlock_dsl.syntax import tree as syntax
from warlock_dsl.tables.components import Figure
from warlock_dsl.types import NUMBER, TRUTH
from workbench.support.errors import UsageError

SEATS = ("ann", "ben", "cid", "dan", "eve", "fay", "gus", "hal", "ivy", "joe")


@frozen
class Example:
    """A change that every game can make in some way: how the overlay says it, and what is true then."""

    parameters: str
    change: str
    title: str
    truth: str


# ------------------------------------------------------------------------ games


def game_files(name: str, folder: str) -> dict[str, str]:
    """The files of a new game by their path inside its folder."""
    title = re.sub(r"[_-]+", " ", name).strip().capitalize()
    values = {"name": name, "folder": folder, "title": title}
    root = resources.files("workbench") / "templates" / "game"
    return {path: Template(file.read_text(encoding="utf-8")).substitute(values) for path, file in _files(root, "")}


def _files(folder: Traversable, path: str) -> Iterator[tuple[str, Traversable]]:
    for child in sorted(folder.iterdir(), key=lambda one: (one.is_dir(), one.name)):
        if child.is_dir():
            yield from _files(child, f"{path}{child.name}/")
        elif child.name.endswith((".toml", ".warlock")):
            yield f"{path}{child.name}", child


# -------------------------------------------------------------------- variants


def variant_files(ruleset: Ruleset, loaded: Loaded, name: str, folder: str) -> dict[str, str]:
    """The files of a new overlay: with the first of the examples that the game takes."""
    for example in examples(ruleset, name):
        files = _filled(ruleset, loaded, name, folder, example)
        tried = load_files(loaded.base, loaded.name, (), (*loaded.stack, (Use(name), _rules(files))))
        if tried.ruleset is not None:
            return files
    raise UsageError(f"{ruleset.name} takes no change that could be an example")


def _rules(files: Mapping[str, str]) -> dict[str, str]:
    return {file: text for file, text in files.items() if "/" not in file}


def examples(ruleset: Ruleset, name: str) -> Iterator[Example]:
    """Changes to try: a figure with a range first, then any figure, at last one of the overlay's own."""
    figures = [figure for figure in ruleset.components.figures.values() if not figure.idle]
    for figure in sorted(figures, key=lambda one: one.high is None):
        if figure.type == NUMBER:
            yield _number(ruleset.name, name, figure)
    for figure in figures:
        if figure.type == TRUTH:
            address, now = f"{figure.group}.{figure.name}", "false" if figure.value else "true"
            truth = f"not {address}" if figure.value else address
            yield Example("", _change(address, plain_value(figure.value), now), f"{address} is {now}", truth)
    change = f'[[add]]\nat = "figure.{name}.example"\nnow = {{ is = 1, idle = "an example" }}\n'
    yield Example("", change, "the example is there", f"{name}.example is 1")


def _number(on: str, name: str, figure: Figure) -> Example:
    """A figure that a parameter sets: one more than it was, or one less where that is the most."""
    assert isinstance(figure.value, Fraction)
    now = plain_value(figure.value + 1 if figure.high is None or figure.value < figure.high else figure.value - 1)
    address, own = f"{figure.group}.{figure.name}", figure.name
    ranged = figure.low is not None and figure.high is not None
    span = f', range = "{plain_value(figure.low)}..{plain_value(figure.high)}"' if ranged else ""
    parameters = f"""
# A parameter, given as {on}+{name}({own}={now}); a rule reads it as {name}.{own}
[overlay.parameters]
{own} = {{ is = {now}{span} }}
"""
    change = _change(address, plain_value(figure.value), f'"{{{own}}}"')
    return Example(parameters, change, f"{address} is {now}", f"{address} is {now}")


def _change(address: str, was: str, now: str) -> str:
    return f'[[change]]\nat = "{address}"\nwas = {was}\nnow = {now}\n'


def _filled(ruleset: Ruleset, loaded: Loaded, name: str, folder: str, example: Example) -> dict[str, str]:
    below = [use.name for use, _ in loaded.stack]
    seats = _seats(ruleset)
    rule, define, law = (_declared(loaded, kind) for kind in (syntax.Rule, syntax.Define, syntax.Invariant))
    assert isinstance(rule, syntax.Rule)  # a game begins with one
    parameters = ", ".join(one.name.text for one in rule.parameters)
    zone = next((zone for zone in ruleset.components.zones.values() if zone.owner == "player"), None)
    values = {
        "name": name,
        "game": loaded.name,
        "on": ruleset.name,
        "stack": f"{ruleset.name}+{name}",
        "folder": folder,
        "requires": f"requires = [{', '.join(map(_quoted, below))}]\n" if below else "",
        "parameters": example.parameters,
        "change": example.change,
        "title": example.title,
        "truth": example.truth,
        "thing": _thing(ruleset),
        "define": declaration_address(define or rule),
        "digest": declaration_digest(define or rule),
        "define_text": "\n".join(f"#     {line}" for line in _text(define or rule).split("\n")),
        "dropped": declaration_address(law or rule),
        "dropped_digest": declaration_digest(law or rule),
        "head": f"{rule.name.text}({parameters})",
        "call": f"{rule.name.text}({parameters})",
        "players": ", ".join(map(_quoted, seats)),
        "first": seats[0],
        "zone": f'"{seats[0]}.{zone.name}" = ["{zone.kinds[0]}"]' if zone is not None and zone.kinds else "",
    }
    names = {OVERLAY_FILE: "overlay.toml", "rules.warlock": "rules.warlock", f"scenarios/{name}.toml": "scenarios.toml"}
    return {file: Template(_template(source)).substitute(values) for file, source in names.items()}


def _template(name: str) -> str:
    return (resources.files("workbench") / "templates" / name).read_text(encoding="utf-8")


def _quoted(word: str) -> str:
    return f'"{word}"'


def _text(declaration: syntax.Declaration) -> str:
    return declaration_text(declaration).strip()


def _seats(ruleset: Ruleset) -> list[str]:
    """Names for as many as it takes, none of which means something in the game."""
    known = names_of(ruleset.components)
    free = [seat for seat in (*SEATS, *(f"player_{n}" for n in range(1, 100))) if not known.word(seat)]
    return free[: ruleset.components.min_players]


def _declared(loaded: Loaded, kind: type[syntax.Declaration]) -> syntax.Declaration | None:
    """The first declaration of a kind that the game itself makes: a plain one, with no key and no hook."""
    for module in loaded.final.modules if loaded.final is not None else ():
        for one in module.declarations if not module.file.startswith("std/") else ():
            plain_rule = not isinstance(one, syntax.Rule) or (one.key is None and one.hook is None and one.body)
            if isinstance(one, kind) and plain_rule:
                return one
    return None


def _thing(ruleset: Ruleset) -> str:
    """Something one could take away: a piece, a row of a table, or a zone."""
    parts = ruleset.components
    pieces = [piece for kind in parts.kinds.values() for piece in kind.pieces if not kind.table and "#" not in piece]
    rows = [f"{table.name}.{row}" for table in parts.tables.values() for row in table.rows]
    return next(iter((*pieces, *rows, *(f"zone.{zone}" for zone in parts.zones))), "zone.one")
