"""Reading the tables of a game: from the texts of its files to `Components`, with every error of every file."""

from __future__ import annotations

from collections.abc import Mapping

from warlock_dsl.diagnostics.codes import HARD_CODES
from warlock_dsl.diagnostics.diagnostic import Diagnostic
from warlock_dsl.limits import MAX_PLAYERS
from warlock_dsl.tables.components import Components, Limits, Table
from warlock_dsl.tables.context import Reading
from warlock_dsl.tables.figures import read_dice, read_figures, read_matrices, read_series
from warlock_dsl.tables.grids import read_graphs, read_grids
from warlock_dsl.tables.identifiers import check_names
from warlock_dsl.tables.merge import Document, Item, merge_files, sections_of, shaped
from warlock_dsl.tables.names import read_looks, read_names
from warlock_dsl.tables.pieces import PieceReader
from warlock_dsl.tables.rows import read_columns, read_rows
from warlock_dsl.tables.schema import MisfitError, RawCell, RawGame
from warlock_dsl.tables.sources import check_marks, read_differences, read_ledger
from warlock_dsl.tables.totals import Summable, read_totals
from warlock_dsl.tables.values import decimal, parse_range, whole
from warlock_dsl.tables.variables import read_variables
from warlock_dsl.tables.zones import ZoneReader, check_sight

Families = Mapping[str, tuple[str, ...]]  # of the rules: the keys of each


def read_tables(
    files: Mapping[str, str], name: str, families: Families | None = None
) -> tuple[Components | None, list[Diagnostic]]:
    """The components of a game from the texts of its files, by their path inside the folder, and all errors."""
    return read_components(merge_files(files), files, name, families or {})


def read_components(
    document: Document, files: Mapping[str, str], name: str, families: Families
) -> tuple[Components | None, list[Diagnostic]]:
    """The components of a game from its merged tables and its other files, and all errors of both.

    Only errors after which most is missing (`HARD_CODES`) withhold the components: else the rules can be checked
    beside them. A game with any error is still not one to be played: what could not be read has no value.
    """
    errors = document.errors.copy()
    reading = Reading(files, sections_of(document, errors), document.places, errors, families=families)
    components = _read(reading, name)
    return None if errors.codes & HARD_CODES else components, errors.all()


def _read(reading: Reading, name: str) -> Components:
    """One pass over all sections, in the order in which they need each other."""
    minimum, maximum, limits = _game(reading)
    reading.seats, reading.max_seats = minimum, maximum
    check_names(reading)
    grids = read_grids(reading)
    tables = _tables(reading)
    grids = {**grids, **read_graphs(reading, tables)}
    kinds = PieceReader(reading, tables).read()
    zones = ZoneReader(reading, kinds, grids).read()
    variables = read_variables(reading, kinds)
    check_sight(reading, zones, variables)
    figures = read_figures(reading)
    series, matrices, dice = read_series(reading), read_matrices(reading), read_dice(reading)
    totals = read_totals(reading, Summable(tables, kinds, figures))
    ledger, rulings = read_ledger(reading)
    differences = read_differences(reading, ledger)
    looks = read_looks(reading, kinds, variables, zones)
    reading.cites = list(dict.fromkeys(reading.cites))
    check_marks(reading)
    return Components(
        name=name,
        min_players=minimum,
        max_players=maximum,
        limits=limits,
        kinds=kinds,
        zones=zones,
        grids=grids,
        variables=variables,
        tables=tables,
        figures=figures,
        series=series,
        matrices=matrices,
        dice=dice,
        totals=totals,
        documents=reading.sections.documents,
        chapters=reading.sections.chapters,
        ledger=ledger,
        rulings=rulings,
        differences=differences,
        names=read_names(reading.files, reading.errors),
        looks=looks,
        marks=tuple(reading.cites),
        files=dict(reading.files),
        span=reading.places.key(("game",)),
        families=reading.families,
        cooperative=reading.sections.game is not None and reading.sections.game.raw.cooperative,
    )


def _tables(reading: Reading) -> dict[str, Table]:
    tables = read_rows(reading)
    for name, item in reading.sections.tables.items():
        if name in tables:
            tables[name] = read_columns(reading, item, tables[name])
    return tables


# ---------------------------------------------------------------- the section `game`


def _game(reading: Reading) -> tuple[int, int, Limits]:
    """The numbers of players and the limits."""
    item = reading.sections.game
    if item is None:
        if ("game",) not in reading.sections.broken:
            hint = 'it says for how many it is: [game] players = "2..4"'
            reading.errors.add("W206", "the section 'game' is missing", reading.places.of(("game",)), hint=hint)
        return 1, 1, Limits()
    reading.marks(item.raw, item.path)
    return *_players(reading, item), _limits(reading, item)


def _players(reading: Reading, item: Item[RawGame]) -> tuple[int, int]:
    raw, path = item.raw.players, (*item.path, "players")
    if isinstance(raw, dict):
        cell = shaped(raw, RawCell, path, reading.places, reading.errors)
        if cell is None:
            return 1, 1
        reading.marks(cell, path)
        raw, path = cell.is_, (*path, "is")
    span = reading.places.of(path)
    if isinstance(raw, int) and not isinstance(raw, bool):
        raw = f"{raw}..{raw}"
    if not isinstance(raw, str):
        reading.errors.add("W205", str(MisfitError('a range like "2..4"', raw)), span)
        return 1, 1
    ends = parse_range(reading, raw, span)
    if ends is None:
        return 1, 1
    minimum, maximum = ends
    if minimum < 1 or maximum > MAX_PLAYERS or minimum.denominator * maximum.denominator != 1:
        text = f"{decimal(minimum)}..{decimal(maximum)} is no number of players"
        reading.errors.add("W223", text, span, hint=f"a game is for 1 to {MAX_PLAYERS} players")
        return 1, 1
    return int(minimum), int(maximum)


def _limits(reading: Reading, item: Item[RawGame]) -> Limits:
    raw, path = item.raw.limits, (*item.path, "limits")
    reading.marks(raw, path)
    bounds = {"listed": (1, 10_000), "depth": (1, 1_000), "work": (1, 10_000_000)}
    found = {}
    for key, (minimum, maximum) in bounds.items():
        value = whole(reading, getattr(raw, key), (*path, key), minimum, maximum).value
        assert isinstance(value, int)
        found[key] = value
    return Limits(**found)
