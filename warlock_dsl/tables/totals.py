"""Totals the documents state: read beside the figures they sum up, and reported when the parts give another sum."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction

from attrs import frozen

from warlock_dsl.diagnostics.collect import near, quoted
from warlock_dsl.diagnostics.diagnostic import Diagnostic, Related, Severity
from warlock_dsl.limits import MAX_COLUMNS
from warlock_dsl.overlay.changes import Applied, Layer
from warlock_dsl.tables.citations import told
from warlock_dsl.tables.components import Column, Components, Figure, Kind, Table, Total
from warlock_dsl.tables.context import Reading
from warlock_dsl.tables.merge import Item
from warlock_dsl.tables.schema import RawTotal
from warlock_dsl.tables.toml_spans import Path
from warlock_dsl.tables.values import Ranged, decimal, number
from warlock_dsl.types import NUMBER


@frozen
class Summable:
    """What a total may be of, by address: the figures, number columns, number fields and kinds of a game."""

    tables: Mapping[str, Table]
    kinds: Mapping[str, Kind]
    figures: Mapping[tuple[str, str], Figure]

    def column(self, head: str, name: str) -> Column | None:
        """A column of a table, or a field of a kind, if it holds numbers."""
        found = self.tables[head].columns.get(name) if head in self.tables else None
        if found is None and head in self.kinds:
            found = self.kinds[head].fields.get(name)
        return found if found is not None and found.type == NUMBER else None

    def amount(self, address: str) -> Fraction | None:
        """The sum of the parts under an address, or nothing if there is nothing to add up."""
        head, dot, name = address.partition(".")
        if not dot:
            return Fraction(len(self.kinds[head].pieces)) if head in self.kinds else None
        figure = self.figures.get((head, name))
        if figure is not None:
            return figure.value if isinstance(figure.value, Fraction) else None
        column = self.column(head, name)
        return sum(map(_number, column.values), Fraction(0)) if column is not None else None

    def addresses(self) -> Iterator[str]:
        yield from self.kinds
        yield from (f"{group}.{name}" for (group, name), figure in self.figures.items() if figure.type == NUMBER)
        for table in self.tables.values():
            yield from (f"{table.name}.{c.name}" for c in table.columns.values() if c.type == NUMBER)
        for kind in self.kinds.values():
            yield from (f"{kind.name}.{c.name}" for c in kind.fields.values() if c.type == NUMBER)


def _number(value: object) -> Fraction:
    return value if isinstance(value, Fraction) else Fraction(0)  # what is no number was reported


def read_totals(reading: Reading, summable: Summable) -> dict[str, Total]:
    """Every stated total with the sums of its parts."""
    return {name: _total(reading, item, summable) for name, item in reading.sections.totals.items()}


def _total(reading: Reading, item: Item[RawTotal], summable: Summable) -> Total:
    raw, path = item.raw, item.path
    span = reading.places.of((*path, "is"))
    stated = number(reading, raw.is_, Ranged(NUMBER), span)
    amounts: list[Fraction] = []
    if not 0 < len(raw.of) <= MAX_COLUMNS:
        text = f"a total is of 1 to {MAX_COLUMNS} things"
        reading.errors.add("W237", text, reading.places.of((*path, "of")))
    for address in raw.of[:MAX_COLUMNS]:
        amount = summable.amount(address)
        if amount is not None:
            amounts.append(amount)
        elif not _broken(reading, address):
            hint = near(address, summable.addresses(), "addresses")
            text = f"there is nothing under {quoted(address)} that could be added up"
            label = "a kind of piece, a figure, a column or a field of numbers is wanted"
            reading.errors.add("W241", text, reading.places.of((*path, "of")), label, hint)
    return Total(item.name, tuple(raw.of), stated, tuple(amounts), reading.marks(raw, path), span)


def _broken(reading: Reading, address: str) -> bool:
    head = address.partition(".")[0]
    return any((section, head) in reading.sections.broken for section in ("table", "kind"))


# ------------------------------------------------------------------------ check


def check_totals(components: Components, layers: Sequence[Layer]) -> Iterator[Diagnostic]:
    """Totals that their parts do not add up to, with what overlays did to the parts, and every source.

    A total is what the documents state. A house rule is no document: what it adds or takes is only noted.
    """
    for total in components.totals.values():
        found = sum(total.amounts, Fraction(0))
        if found == total.stated or len(total.amounts) < len(total.of):
            continue  # it adds up, or a part is missing, which was reported
        changes = [
            (layer, change)
            for layer in layers
            for change in layer.changes
            if any(_touches(components, address, change.place) for address in total.of)
        ]
        house = any(layer.kind == "house" for layer, _ in changes)
        cites = [*total.cites, *(cite for _, change in changes for cite in change.cites)]
        parts = f"{total.of[0]} adds" if len(total.of) == 1 else f"{', '.join(total.of)} add"
        yield Diagnostic(
            "W240",
            f"'total.{total.name}' is {decimal(total.stated)}, but {parts} up to {decimal(found)}",
            total.span,
            "stated here",
            "sources: " + "; ".join(map(told, cites)) if cites else "mend the total or one of its parts",
            Severity.NOTE if house else Severity.WARNING,
            tuple(Related(change.span, _what(layer, change)) for layer, change in changes),
        )


def _what(layer: Layer, change: Applied) -> str:
    if not change.was or not change.now:
        return f"'{layer.name}' {'takes this away' if change.was else 'adds this'}"
    return f"'{layer.name}': {change.was} -> {change.now}"


def _touches(components: Components, address: str, place: Path) -> bool:
    """Whether a change at this place can change the sum of the parts under an address."""
    head, _, name = address.partition(".")
    if (head, name) in components.figures:
        return place[:3] == ("figure", head, name)
    kind = components.kinds.get(head)
    rows = kind.table if kind is not None and kind.table else head
    if place[:3] == ("table", rows, "rows"):
        return len(place) == 4 or not name or place[4] == name
    if kind is None:
        return False
    if place[0] == "piece":  # one that is gone may have been of this kind
        return len(place) == 2 or (place[1] in kind.pieces and place[2] == name)
    return place[:2] == ("kind", head)
