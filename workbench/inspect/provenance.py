"""Which layer of a stack put something there: what it changed, what stood there before, and where it says so."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from attrs import frozen

from warlock_dsl import (
    OVERLAY_FILE,
    Applied,
    Layer,
    Loaded,
    Ruleset,
    Span,
    address_place,
    plain_value,
    value_at,
)
from warlock_dsl.tables.toml_spans import Path
from workbench.inspect.addresses import Entry, plain
from workbench.inspect.traceability import RULES

MAX_LENGTH = 70  # of a value that is told in one line


@frozen
class Touch:
    """A change that a layer made to something, or to a part of it."""

    layer: str
    change: Applied


def where(span: Span) -> str:
    """A place as a person finds it: files of an overlay lie in the folder of its name."""
    return f"{span.file.removeprefix('+')}:{span.line}"


def touches(entry: Entry, loaded: Loaded, ruleset: Ruleset) -> list[Touch]:
    """What the layers did to a declaration, from the bottom up."""
    if not ruleset.layers or loaded.final is None:
        return []
    own = _place(entry, ruleset, loaded.final.tree)
    return [
        Touch(layer.name, change)
        for layer in ruleset.layers
        for change in layer.changes
        if _overlap(_plain(change.place), own)
    ]


def _place(entry: Entry, ruleset: Ruleset, tree: Mapping[str, Any]) -> Path:
    if entry.what in RULES:
        return "rule", entry.address
    if entry.what.startswith("piece:"):
        return "piece", entry.address
    if entry.what == "field of a piece":
        id, _, column = entry.address.rpartition(".")
        return "piece", id, column
    if entry.what == "variable":
        variables = ruleset.components.variables
        owner = next((owner for (owner, _), one in variables.items() if one.span == entry.span), "")
        return "variable", owner or "game", entry.address.removeprefix("variable.")
    return address_place(tree, entry.address)


def _plain(where: Path) -> Path:
    return ("rule", *where[1:]) if where[:1] == ("order",) else where


def _overlap(one: Path, other: Path) -> bool:
    shorter = min(len(one), len(other))
    return shorter > 0 and one[:shorter] == other[:shorter]


def told(entry: Entry, changed: Sequence[Touch]) -> Iterator[str]:
    """Who put a declaration there, as lines: each change says who, where, and what stood there."""
    if not changed and entry.span.file.startswith("+") and entry.what != "overlay":
        yield f"put there by {entry.span.file.partition('/')[0]} ({where(entry.span)})"
    for touch in changed:
        change = touch.change
        what = f"{change.target}: " if change.target != entry.address else ""
        done = "put there by" if change.now else "taken away by"
        short = "\n" not in change.was and len(change.was) <= MAX_LENGTH
        was = f", was {change.was}" if change.was and short else ", was" if change.was else ""
        yield f"{what}{done} +{touch.layer} ({where(change.span)}){was}"
        if not short:
            yield from (f"    {line}" for line in change.was.split("\n"))


def touch_data(touch: Touch) -> dict[str, Any]:
    change = touch.change
    return {
        "layer": touch.layer,
        "target": change.target,
        "was": change.was,
        "now": change.now,
        "file": change.span.file,
        "line": change.span.line,
        "ids": [id for cite in change.cites for id in cite.ids],
    }


# ----------------------------------------------------------------------- hooks


@frozen
class Hanging:
    """What hangs on a rule: when it runs, what it is, under which condition or none, and where it is written."""

    when: str
    address: str
    overlay: str  # "" for the game itself
    conditional: bool
    span: Span

    def line(self) -> str:
        told = f" (overlay {self.overlay})" if self.overlay else ""
        return f"{self.when}: {self.address}{told}{', on a condition' if self.conditional else ''}  {where(self.span)}"

    def data(self) -> dict[str, Any]:
        place = {"file": self.span.file, "line": self.span.line}
        told = {"when": self.when, "address": self.address, "overlay": self.overlay, "conditional": self.conditional}
        return {**told, **place}


def hanging(entry: Entry, ruleset: Ruleset) -> list[Hanging]:
    """What hangs on a rule, in the order in which it runs."""
    rules = ruleset.program.rules
    rule = next((rule for rule in rules if rule.address == entry.address and entry.what in ("rule", "event")), None)
    if rule is None:
        return []
    hooks = [hook for when in ("before", "instead", "after") for hook in rule.hooks if hook.when == when]
    return [
        Hanging(
            hook.when,
            rules[hook.rule].address if hook.law is None else f"invariant.{hook.law.invariant}",
            hook.span.file[1:].partition("/")[0] if hook.span.file.startswith("+") else "",
            hook.where is not None,
            hook.span,
        )
        for hook in hooks
    ]


# ------------------------------------------------------- every address of a change


def at_address(address: str, entries: Sequence[Entry], loaded: Loaded, ruleset: Ruleset) -> list[Entry]:
    """What an address means that no declaration has as its own: another way to write one, a value inside one, or a
    column, whose cells a change with `where` picks."""
    if loaded.final is None:
        return []
    tree = loaded.final.tree
    place = address_place(tree, address)
    placed = [(entry, _place(entry, ruleset, tree)) for entry in entries]
    same = [entry for entry, at in placed if at == place]
    if same:
        return same
    around = [(len(at), entry) for entry, at in placed if at == place[: len(at)]]
    value = value_at(tree, address)
    if value is not None:
        span = max(around, key=lambda one: one[0])[1].span if around else _section(place, loaded.sources)
        return [Entry(address, "value", span, (), (("value", plain_value(value)),))]
    return _column(address, ruleset)


def _section(place: Path, sources: Mapping[str, str]) -> Span:
    """The first line of a section of the tables of the game."""
    for file, text in sources.items():
        for number, line in enumerate(text.split("\n"), 1) if file.endswith(".toml") and "/" not in file else ():
            if line.startswith(f"[{place[0]}"):
                return Span(file, number, 1, number, 1 + len(line))
    return Span(next(iter(sources)), 1, 1, 1, 1)


def _column(address: str, ruleset: Ruleset) -> list[Entry]:
    """A column of a table or of a kind of pieces: each value, with the rows that have it."""
    parts = ruleset.components
    name, _, column_name = address.partition(".")
    rows = parts.tables[name].rows if name in parts.tables else parts.kinds[name].pieces if name in parts.kinds else ()
    columns = parts.tables[name].columns if name in parts.tables else parts.kinds[name].fields if rows else {}
    column = columns.get(column_name)
    if column is None:
        return []
    by_value: dict[str, list[str]] = {}
    for row, value in zip(rows, column.values, strict=True):
        by_value.setdefault(plain(value, column.type, parts), []).append(row)
    facts = [("type", str(column.type)), *((value, ", ".join(found)) for value, found in by_value.items())]
    return [Entry(address, "column", column.span, (), tuple(facts))]


# ---------------------------------------------------------------------- layers


def layer_entries(ruleset: Ruleset) -> Iterator[Entry]:
    """The overlays of a stack as something one can look at."""
    for layer in ruleset.layers:
        facts = [("about", layer.about), ("kind", layer.kind), ("language", layer.language)]
        facts += [(f"parameter {name}", value) for name, value in parameters(layer)]
        span = Span(f"+{layer.name}/{OVERLAY_FILE}", 1, 1, 1, 1)
        yield Entry(layer.name, "overlay", span, (), tuple(fact for fact in facts if fact[1]))


def parameters(layer: Layer) -> Sequence[tuple[str, str]]:
    """The parameters of a layer: what they are, and what they may be."""
    return [
        (name, f"{value} ({layer.ranges[name]})" if layer.ranges.get(name) else value)
        for name, value in layer.parameters.items()
    ]


def changes_of(entry: Entry, ruleset: Ruleset) -> Sequence[Applied]:
    """What an overlay does, if the entry is one."""
    if entry.what != "overlay":
        return ()
    return next(layer.changes for layer in ruleset.layers if layer.name == entry.address)
