"""What the readers of the tables share while a folder is read: its sections, their places, its rows, its errors."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import islice

from attrs import define, field

from warlock_dsl.diagnostics.collect import DiagnosticList, near, quoted
from warlock_dsl.limits import MAX_COLUMNS
from warlock_dsl.syntax.keywords import MARKS
from warlock_dsl.tables.citations import parse_cite
from warlock_dsl.tables.components import Cite, Kind
from warlock_dsl.tables.merge import Merged, Sections
from warlock_dsl.tables.schema import Marked
from warlock_dsl.tables.toml_spans import Path


@define
class Reading:
    """The state of reading one folder. A table, kind, grid or region with an error is `known` but has no content."""

    files: Mapping[str, str]
    sections: Sections
    places: Merged
    errors: DiagnosticList
    rows: dict[str, dict[str, int]] = field(factory=dict)  # of each table, inline ones too: row -> its number
    regions: dict[str, tuple[int, ...]] = field(factory=dict)  # region -> its cells
    all_regions: bool = True  # whether every grid could be read, so that a region not among them does not exist
    seats: int = 1  # the smallest number of players
    max_seats: int = 1
    families: Mapping[str, tuple[str, ...]] = field(factory=dict)  # of the rules: the keys of each
    cites: list[Cite] = field(factory=list)  # every mark met, in the order of reading

    def marks(self, raw: Marked, path: Path) -> tuple[Cite, ...]:
        """The marks of a table."""
        found = []
        for standing in MARKS:
            text = getattr(raw, standing)
            if text:
                found.append(parse_cite(standing, text, self.places.of((*path, standing))))
        self.cites += found
        return tuple(found)

    def inherited(self, own: tuple[Cite, ...], around: Iterable[tuple[Path, Marked]]) -> tuple[Cite, ...]:
        """The marks of a figure, or those of the group around it when it has none."""
        if own:
            return own
        return tuple(cite for path, raw in around for cite in self.marks(raw, path))

    def owners(self, owner: str, kinds: Mapping[str, Kind], by: str = "") -> int:
        """How many there are of what each owner has (the game, every player or piece of a kind), for each row."""
        count = len(kinds[owner].pieces) if owner in kinds else self.max_seats if owner == "player" else 1
        return count * (len(self.rows.get(by, ())) if by else 1)

    def few(self, names: Mapping[str, str], path: Path) -> dict[str, str]:
        """The columns or fields of something, or as many of them as it may have."""
        if len(names) > MAX_COLUMNS:
            self.errors.add("W237", f"there may be at most {MAX_COLUMNS} of these", self.places.of(path))
        return dict(islice(names.items(), MAX_COLUMNS))

    def unknown(self, code: str, what: str, word: str, path: Path, known: Iterable[str], plural: str) -> None:
        """Something is referred to that does not exist, unless its declaration is wrong and was reported."""
        section = {"W215": "kind", "W216": "grid", "W219": "table"}.get(code)
        if section is not None and (section, word) in self.sections.broken:
            return
        self.errors.add(
            code,
            f"there is no {what} {quoted(word)}",
            self.places.of(path),
            hint=near(word, known, plural),
        )
