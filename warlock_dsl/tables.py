"""Reading the tables of a game: from the texts of its files to `Components`, with every fault of every file."""

from __future__ import annotations

from collections.abc import Mapping

from warlock_dsl.cells import decimal, parse_range, whole
from warlock_dsl.diagnostics import Diagnostic
from warlock_dsl.faults import Faults
from warlock_dsl.figures import read_dice, read_figures, read_matrices, read_series
from warlock_dsl.grids import read_grids
from warlock_dsl.ledger import check_marks, read_differences, read_ledger
from warlock_dsl.limits import MOST_PLAYERS
from warlock_dsl.model import Components, Limits, Table
from warlock_dsl.names_files import read_looks, read_names
from warlock_dsl.naming import check_names
from warlock_dsl.pieces import PieceReader
from warlock_dsl.reading import Reading
from warlock_dsl.rows import read_columns, read_rows
from warlock_dsl.schema import HARD_CODES, Misfit, RawCell, RawGame
from warlock_dsl.sections import Alteration, Item, read_sections, shaped
from warlock_dsl.totals import Summable, read_totals
from warlock_dsl.variables import read_variables
from warlock_dsl.zones import ZoneReader


def read_tables(
    files: Mapping[str, str], name: str, alter: Alteration | None = None
) -> tuple[Components | None, list[Diagnostic]]:
    """The components of a game from the texts of its files, by their path inside the folder, and all faults.

    Only faults after which most is missing (`HARD_CODES`) withhold the components: else the rules can be checked
    beside them. A game with any fault is still not one to be played: what could not be read has no value.
    """
    reading = _begin(files, alter)
    components = _read(reading, name)
    if reading.faults.codes & HARD_CODES:
        return None, reading.faults.all()
    return components, reading.faults.all()


def _begin(files: Mapping[str, str], alter: Alteration | None) -> Reading:
    faults = Faults()
    sections, places = read_sections(files, faults, alter)
    return Reading(files, sections, places, faults)


def _read(reading: Reading, name: str) -> Components:
    """One pass over all sections, in the order in which they need each other."""
    least, most, limits = _game(reading)
    reading.seats, reading.most_seats = least, most
    check_names(reading)
    grids = read_grids(reading)
    tables = _tables(reading)
    kinds = PieceReader(reading, tables).read()
    zones = ZoneReader(reading, kinds, grids).read()
    variables = read_variables(reading, kinds)
    figures = read_figures(reading)
    series, matrices, dice = read_series(reading), read_matrices(reading), read_dice(reading)
    totals = read_totals(reading, Summable(tables, kinds, figures))
    ledger, rulings = read_ledger(reading)
    differences = read_differences(reading, ledger)
    looks = read_looks(reading, kinds, variables)
    reading.cites = list(dict.fromkeys(reading.cites))
    check_marks(reading)
    return Components(
        name=name,
        least_players=least,
        most_players=most,
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
        ledger=ledger,
        rulings=rulings,
        differences=differences,
        names=read_names(reading),
        looks=looks,
        marks=tuple(reading.cites),
        files=dict(reading.files),
        span=reading.places.key(("game",)),
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
            reading.faults.add("W206", "the section 'game' is missing", reading.places.of(("game",)), hint=hint)
        return 1, 1, Limits()
    reading.marks(item.raw, item.path)
    return *_players(reading, item), _limits(reading, item)


def _players(reading: Reading, item: Item[RawGame]) -> tuple[int, int]:
    raw, path = item.raw.players, (*item.path, "players")
    if isinstance(raw, dict):
        cell = shaped(raw, RawCell, path, reading.places, reading.faults)
        if cell is None:
            return 1, 1
        reading.marks(cell, path)
        raw, path = cell.is_, (*path, "is")
    span = reading.places.of(path)
    if isinstance(raw, int) and not isinstance(raw, bool):
        raw = f"{raw}..{raw}"
    if not isinstance(raw, str):
        reading.faults.add("W205", str(Misfit('a range like "2..4"', raw)), span)
        return 1, 1
    ends = parse_range(reading, raw, span)
    if ends is None:
        return 1, 1
    least, most = ends
    if least < 1 or most > MOST_PLAYERS or least.denominator * most.denominator != 1:
        text = f"{decimal(least)}..{decimal(most)} is no number of players"
        reading.faults.add("W223", text, span, hint=f"a game is for 1 to {MOST_PLAYERS} players")
        return 1, 1
    return int(least), int(most)


def _limits(reading: Reading, item: Item[RawGame]) -> Limits:
    raw, path = item.raw.limits, (*item.path, "limits")
    reading.marks(raw, path)
    bounds = {"listed": (1, 10_000), "depth": (1, 1_000), "work": (1, 10_000_000)}
    found = {}
    for key, (least, most) in bounds.items():
        value = whole(reading, getattr(raw, key), (*path, key), least, most).value
        assert isinstance(value, int)
        found[key] = value
    return Limits(**found)
