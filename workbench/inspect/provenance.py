"""Which layer of a stack put something there: what it changed, what stood there before, and where it says so."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from attrs import frozen

from warlock_dsl import OVERLAY_FILE, Applied, Layer, Loaded, Ruleset, Span, address_place
from warlock_dsl.tables.toml_spans import Path
from workbench.inspect.addresses import Entry
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
