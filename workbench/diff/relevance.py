"""What a difference is about: whether any rule reads what it changes, and which things on the table lie near it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from warlock_dsl import Loaded, Unit, declaration_address, kept_by_identity, unit_text, uses_of
from warlock_dsl.syntax import tree as syntax

WORD = re.compile(r"\w+")
MAX_KEPT = 2000  # declarations whose words are remembered: most of them stand in every stack of a game
MAX_DISTANCE = 4  # steps from rule to rule
TAKEN_FROM_TABLES = ("zone", "variable", "figure", "series", "matrix", "die", "kind", "grid", "table")


def unread(loaded: Loaded, units: Sequence[Unit]) -> str:
    """The figures of a difference, if it changes nothing but figures that no rule reads; else ""."""
    ruleset, final = loaded.ruleset, loaded.final
    if ruleset is None or final is None or not units:
        return ""
    read = uses_of(ruleset.program, ruleset.components, final.modules)
    for unit in units:
        group, _, name = unit.target.partition(".")
        if unit.verb != "change" or (group, name) not in ruleset.components.figures or ("figure", group, name) in read:
            return ""
    return ", ".join(unit.target for unit in units)


def ranks(loaded: Loaded, units: Sequence[Unit]) -> dict[str, int]:
    """How far every word of the rules lies from a difference: 0 in what it changes or in a rule that speaks of it, one
    more with every step to a rule that calls or is called."""
    words = _declarations(loaded)
    near = {at for at in words if any(unit.target == at or words[at] & _names(loaded, unit) for unit in units)}
    found = {word: 0 for unit in units for word in WORD.findall(f"{unit.was_text} {unit.now_text}")}
    found |= {name: 0 for unit in units for name in unit.target.split(".")}
    seen: set[str] = set()
    for step in range(MAX_DISTANCE):
        seen |= near
        for at in sorted(near):
            for word in words[at]:
                found.setdefault(word, step)
        called = set().union(*(words[at] for at in near))
        calling = {part for at in near for part in _parts(at)}
        near = {at for at in words if at not in seen and (words[at] & calling or _parts(at) & called)}
    return found


def _declarations(loaded: Loaded) -> dict[str, set[str]]:
    """The words of every declaration, by its address."""
    modules: Iterable[object] = loaded.final.modules if loaded.final is not None else ()
    return {declaration_address(d): _words(d) for module in modules for d in module.declarations}  # type: ignore[attr-defined]


@kept_by_identity(MAX_KEPT)
def _words(declaration: syntax.Declaration) -> set[str]:
    return set(WORD.findall(unit_text(declaration)))


def _parts(address: str) -> set[str]:
    """The words by which rules speak of a declaration: its name, or that of its family."""
    return {address.partition(".")[0]}


def _names(loaded: Loaded, unit: Unit) -> set[str]:
    """The words by which rules speak of what a unit changes."""
    parts = unit.target.split(".")
    if parts[0] in ("zone", "variable") and len(parts) > 2:
        return {parts[-2]}
    if parts[0] in TAKEN_FROM_TABLES:
        return set(parts[1:])
    components = loaded.ruleset.components if loaded.ruleset is not None else None
    looked_up = components is not None and (parts[0] in components.series or parts[0] in components.matrices)
    return {parts[-1], parts[0]} if looked_up else {parts[-1]}


def scored(loaded: Loaded, units: Sequence[Unit]) -> bool:
    """Whether the points depend on what a difference changes, as far as the words of the rules tell."""
    words = _declarations(loaded)
    reached = {at for at in words if at.startswith("score.")}
    near = set(reached)
    while near:
        said = set().union(*(words[at] for at in near))
        near = {at for at in words if at not in reached and "." not in at and at in said}
        reached |= near
    read = set().union(*(words[at] for at in reached)) if reached else set()
    return any(
        unit.target in reached or unit.target.startswith("score.") or read & _names(loaded, unit) for unit in units
    )
