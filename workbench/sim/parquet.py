"""Games as a Parquet file, for whoever wants to ask more: written and queried with DuckDB, if it is installed."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Sequence
from datetime import date
from decimal import Decimal
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from rich import box
from rich.console import Console
from rich.table import Table

from workbench.sim.runs import Plan, Played
from workbench.sim.study import part_names
from workbench.support.errors import UsageError

PARQUET = b"PAR1"
COLUMNS = {
    "ruleset": "VARCHAR",
    "hash": "VARCHAR",
    "game": "INTEGER",
    "seed": "VARCHAR",
    "seat": "INTEGER",
    "player": "VARCHAR",
    "players": "INTEGER",
    "decisions": "INTEGER",
    "finished": "BOOLEAN",
    "error": "VARCHAR",
    "won": "BOOLEAN",
    "share": "DOUBLE",
    "points": "DOUBLE",
    "parts": "STRUCT(part VARCHAR, points DOUBLE)[]",
    "uses": "STRUCT(question VARCHAR, key VARCHAR, times INTEGER)[]",
}
PARTS = "CREATE TABLE parts AS SELECT g.* EXCLUDE (points, parts, uses), unnest(parts, recursive := true) FROM games g"
USES = "CREATE TABLE uses AS SELECT g.* EXCLUDE (parts, uses), unnest(uses, recursive := true) FROM games g"


def database() -> Any:
    """DuckDB; a sentence where it is not installed."""
    try:
        import duckdb
    except ModuleNotFoundError:
        raise UsageError("games as Parquet need DuckDB: pip install 'warlock-rules[lab]'") from None
    return duckdb


def rows(plan: Plan, played: Played) -> Iterator[dict[str, Any]]:
    """A row for each seat of each game; seats are counted from 1."""
    for branch, one in enumerate(plan.branches):
        ruleset, names = one.source.ruleset(), part_names(plan, branch)
        for number, record in enumerate(played.records(branch, plan.games)):
            for seat, player in enumerate(record.seats):
                yield {
                    "ruleset": one.name,
                    "hash": ruleset.hash,
                    "game": number,
                    "seed": str(record.seed),
                    "seat": seat + 1,
                    "player": player,
                    "players": len(record.seats),
                    "decisions": record.decisions,
                    "finished": record.finished,
                    "error": record.error or None,
                    "won": seat in record.winners,
                    "share": record.share(seat),
                    "points": record.points(seat),
                    "parts": [
                        {"part": name, "points": value / record.unit}
                        for name, value in zip(names, record.parts[seat], strict=False)
                    ],
                    "uses": [
                        {"question": question, "key": key, "times": counts[seat]}
                        for (question, key), counts in record.uses.items()
                        if counts[seat]
                    ],
                }


def write_games(path: Path, plan: Plan, played: Played) -> None:
    """Write the file beside, then in its place. What is no Parquet file is never overwritten."""
    duckdb = database()
    try:
        if path.exists() and not _is_parquet(path):
            raise UsageError(f"{path} exists and is no Parquet file; it is left alone")
        with TemporaryDirectory() as folder:
            lines, made = Path(folder) / "games.jsonl", path.with_name(f"{path.name}.{os.getpid()}.part")
            with lines.open("w", encoding="utf-8") as stream:
                for row in rows(plan, played):
                    stream.write(json.dumps(row, ensure_ascii=False) + "\n")
            try:
                with duckdb.connect() as asked:
                    games = asked.read_json(str(lines), columns=COLUMNS, format="newline_delimited")
                    games.write_parquet(str(made), compression="zstd")
                made.replace(path)
            finally:
                made.unlink(missing_ok=True)
    except OSError as error:
        raise UsageError(f"{path} cannot be written: {error.strerror or 'the system refuses'}") from None
    except duckdb.Error as error:
        raise UsageError(f"{path} cannot be written: {error}") from None


def _is_parquet(path: Path) -> bool:
    with path.open("rb") as stream:
        return stream.read(4) == PARQUET


def answer(path: Path, query: str) -> tuple[list[str], list[list[Any]]]:
    """Ask a file of games. The question sees three tables, games, parts and uses, and no file or network."""
    duckdb = database()
    if not path.is_file():
        raise UsageError(f"there is no file {path}")
    with duckdb.connect() as asked:
        try:
            asked.read_parquet(str(path)).create("games")
            asked.execute(PARTS)
            asked.execute(USES)
        except duckdb.Error:
            raise UsageError(f"{path} is no file of games") from None
        asked.execute("SET enable_external_access = false")
        try:
            found = asked.execute(query)
            columns = [column[0] for column in found.description or ()]
            return columns, [[_plain(value) for value in row] for row in found.fetchall()]
        except duckdb.Error as error:
            raise UsageError(f"the query fails: {error}") from None


def _plain(value: Any) -> Any:
    """A value as JSON can hold it."""
    match value:
        case None | bool() | int() | float() | str():
            return value
        case Decimal():
            return float(value)
        case list() | tuple():
            return [_plain(one) for one in value]
        case dict():
            return {str(key): _plain(one) for key, one in value.items()}
        case date():
            return value.isoformat()
        case _:
            return str(value)


def show_answer(out: Console, columns: Sequence[str], found: Sequence[Sequence[Any]]) -> None:
    grid = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for place, column in enumerate(columns):
        numbers = all(isinstance(row[place], int | float) for row in found)
        grid.add_column(column, justify="right" if numbers else "left", overflow="fold")
    for row in found:
        grid.add_row(*(f"{value:.6g}" if isinstance(value, float) else str(value) for value in row))
    out.print(grid)
