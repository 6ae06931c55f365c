"""Traceability: which declaration carries out which rule of the ledger, and what is left over."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from attrs import frozen

from warlock_dsl import STANDINGS, Ruleset
from warlock_dsl.syntax.tree import Module
from warlock_dsl.tables.components import Column, Components
from workbench.inspect.addresses import Entry, every_entry

WORDS = (*STANDINGS, "unmarked")


@frozen
class Traces:
    """What `warlock sources` reports."""

    ruleset: str
    hash: str
    carried_out: Mapping[str, tuple[str, ...]]  # ledger id -> the declarations that cite it
    idle: Mapping[str, str]  # ledger id -> why it has no effect on play
    unaccounted: tuple[str, ...]
    rulings: Mapping[str, tuple[str, ...]]  # ruling -> the declarations that follow it
    idle_rulings: Mapping[str, str]
    unfollowed: tuple[str, ...]
    ledger: Mapping[str, int]  # rows of the ledger by standing
    declarations: Mapping[str, int]  # declarations of the rules by their weakest standing
    figures: Mapping[str, Mapping[str, int]]  # figures by where they stand and standing

    def data(self) -> dict[str, Any]:
        return {
            "ruleset": self.ruleset,
            "hash": self.hash,
            "carried_out": {id: list(by) for id, by in self.carried_out.items()},
            "idle": dict(self.idle),
            "unaccounted": list(self.unaccounted),
            "rulings": {
                "followed": {id: list(by) for id, by in self.rulings.items()},
                "idle": dict(self.idle_rulings),
                "unfollowed": list(self.unfollowed),
            },
            "standing": {
                "ledger": dict(self.ledger),
                "declarations": dict(self.declarations),
                "figures": {where: dict(counts) for where, counts in self.figures.items()},
            },
        }


def trace(ruleset: Ruleset, sources: Mapping[str, str], modules: Sequence[Module] | None = None) -> Traces:
    """Look up every mark of the ruleset."""
    parts = ruleset.components
    entries = every_entry(ruleset, sources, modules)
    by = citers(entries)
    ledger, rulings = parts.ledger.values(), parts.rulings.values()
    return Traces(
        ruleset.name,
        ruleset.hash,
        {row.id: by[row.id] for row in ledger if row.id in by and not row.idle},
        {row.id: row.idle for row in ledger if row.idle},
        tuple(row.id for row in ledger if not row.idle and row.id not in by),
        {ruling.id: by[ruling.id] for ruling in rulings if ruling.id in by and not ruling.idle},
        {ruling.id: ruling.idle for ruling in rulings if ruling.idle},
        tuple(ruling.id for ruling in rulings if not ruling.idle and ruling.id not in by),
        counted(row.standing for row in ledger),
        counted(weakest(entry) for entry in entries if entry.what in RULES and not entry.span.file.startswith("std/")),
        _figures(parts),
    )


RULES = ("rule", "event", "definition", "part of the score", "invariant")


def citers(entries: Iterable[Entry]) -> dict[str, tuple[str, ...]]:
    """For each id that is cited, the addresses that cite it; a row is not named beside its own cells."""
    found: dict[str, dict[str, None]] = {}
    for entry in entries:
        if entry.what == "row" or entry.what.startswith("piece:"):
            continue
        for cite in entry.cites:
            for id in cite.ids:
                found.setdefault(id, {})[entry.group or entry.address] = None
    return {id: tuple(addresses) for id, addresses in found.items()}


def weakest(entry: Entry) -> str:
    """The weakest standing of a declaration."""
    found = {cite.standing for cite in entry.cites}
    return next((word for word in reversed(STANDINGS) if word in found), "unmarked")


def counted(words: Iterable[str]) -> dict[str, int]:
    count = Counter(words)
    return {word: count[word] for word in WORDS if count[word]}


def _figures(parts: Components) -> dict[str, dict[str, int]]:
    """Figures by standing: the named ones, each column of each table and kind, the cells a matrix gives."""
    named = [weakest(Entry("", "", figure.span, figure.cites)) for figure in parts.figures.values()]
    found = {"figures": counted(named)} if named else {}
    for table in parts.tables.values():
        for column in table.columns.values():
            found[f"{table.name}.{column.name}"] = _column(column)
    for kind in parts.kinds.values():
        for column in kind.fields.values() if not kind.table else ():
            found[f"{kind.name}.{column.name}"] = _column(column)
    for matrix in parts.matrices.values():
        found[matrix.name] = counted(weakest(Entry("", "", cell.span, cell.cites)) for cell in matrix.given.values())
    return found


def _column(column: Column) -> dict[str, int]:
    return counted(cite.standing if cite is not None else "unmarked" for cite in column.cites)
