"""Traceability: which declaration follows which rule of the ledger, which departs from it and why, what is left over.

A declaration departs from a rule that it cites as `against`, and an edition from one that its document has otherwise.
Where overlays change something, what the last of them cites goes before what stood there.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from attrs import frozen

from warlock_dsl import AGAINST, MARKS, STANDINGS, Ruleset
from warlock_dsl.syntax.tree import Module
from warlock_dsl.tables.components import Cite, Column, Components
from workbench.inspect.addresses import Entry, every_entry

WORDS = (*MARKS, "unmarked")


@frozen
class Departure:
    """What does not follow a rule of the ledger, the differences whose other reading it follows, and the rulings."""

    by: tuple[str, ...]
    differences: tuple[str, ...]
    rulings: tuple[str, ...]

    def data(self) -> dict[str, Any]:
        return {"by": list(self.by), "differences": list(self.differences), "rulings": list(self.rulings)}


@frozen
class Traces:
    """What `warlock sources` reports. A rule of the ledger stands in one place: where it is followed, where another
    reading of the documents is followed instead, where it is set aside, idle, or unaccounted."""

    ruleset: str
    hash: str
    followed: Mapping[str, tuple[str, ...]]  # ledger id -> the declarations that cite it
    other_reading: Mapping[str, Departure]
    set_aside: Mapping[str, Departure]
    silent: tuple[str, ...]  # not cited, and the document of this edition does not say it either
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
            "followed": {id: list(by) for id, by in self.followed.items()},
            "other_reading": {id: departure.data() for id, departure in self.other_reading.items()},
            "set_aside": {id: departure.data() for id, departure in self.set_aside.items()},
            "silent": list(self.silent),
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
    by, against = citers(entries), departures(ruleset, entries)
    rest = [row for row in parts.ledger.values() if not row.idle and row.id not in by and row.id not in against]
    editions = [layer.name for layer in ruleset.layers if layer.name in parts.documents]
    silent = tuple(row.id for row in rest if editions and row.status.get(editions[-1]) == "silent")
    ledger, rulings = parts.ledger.values(), parts.rulings.values()
    return Traces(
        ruleset.name,
        ruleset.hash,
        {row.id: by[row.id] for row in ledger if row.id in by and not row.idle and row.id not in against},
        {id: departure for id, departure in against.items() if departure.differences},
        {id: departure for id, departure in against.items() if not departure.differences},
        silent,
        {row.id: row.idle for row in ledger if row.idle},
        tuple(row.id for row in rest if row.id not in silent),
        {ruling.id: by[ruling.id] for ruling in rulings if ruling.id in by and not ruling.idle},
        {ruling.id: ruling.idle for ruling in rulings if ruling.idle},
        tuple(ruling.id for ruling in rulings if not ruling.idle and ruling.id not in by),
        counted(row.standing for row in ledger),
        counted(weakest(entry) for entry in entries if entry.what in RULES and not entry.span.file.startswith("std/")),
        _figures(parts),
    )


RULES = ("rule", "event", "definition", "part of the score", "invariant", "sometimes", "share", "relation", "reveals")


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


def departures(ruleset: Ruleset, entries: Iterable[Entry]) -> dict[str, Departure]:
    """The rules of the ledger that something does not follow, in the order of the ledger."""
    parts = ruleset.components
    last: dict[tuple[str, str], Cite] = {}  # by rule and declaration: what is said of it last
    for entry in entries:
        for cite in entry.cites if entry.what != "row" else ():
            last.update({(id, entry.group or entry.address): cite for id in cite.ids})
    changes = {change.target: change.cites for layer in ruleset.layers for change in layer.changes}
    for target, cites in changes.items():
        last.update({(id, target): cite for cite in cites for id in cite.ids})
    found: dict[str, list[tuple[str, Cite]]] = {}
    for (id, address), cite in last.items():
        row = parts.ledger.get(id)
        if row is not None and not row.idle and (cite.standing == AGAINST or _otherwise(id, cite, parts)):
            found.setdefault(id, []).append((address, cite))
    return {
        id: Departure(
            tuple(dict.fromkeys(address for address, _ in found[id])),
            _cited(found[id], parts.differences),
            _cited(found[id], parts.rulings),
        )
        for id in parts.ledger
        if id in found
    }


def _cited(cites: Iterable[tuple[str, Cite]], known: Mapping[str, object]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(id for _, cite in cites for id in cite.ids if id in known))


def _otherwise(id: str, cite: Cite, parts: Components) -> bool:
    """Whether an edition cites a rule because its own document has it otherwise. An edition is called like its
    document, and names the difference."""
    edition = cite.span.file[1:].partition("/")[0] if cite.span.file.startswith("+") else ""
    named = any(id in parts.differences[one].rules for one in cite.ids if one in parts.differences)
    return named and parts.ledger[id].status.get(edition) == "differs"


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
