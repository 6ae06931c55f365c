"""What a game may hold at most: generous for any game on a table, small enough that nothing takes minutes."""

from __future__ import annotations

from collections.abc import Mapping

MOST_PIECES = 5000
MOST_CELLS = 1024
MOST_ROWS = 2000
MOST_ZONES = 200
MOST_PLACES = 20_000  # zones on the table, one for each owner
MOST_SPOTS = 50_000  # cells on the table
MOST_SLOTS = 20_000  # variables on the table
MOST_ENTRIES = 10_000
MOST_COLUMNS = 100
MOST_ITEMS: Mapping[str, int] = {
    "table": 500,
    "kind": 200,
    "grid": 100,
    "variable": 1000,
    "series": 500,
    "matrix": 50,
    "die": 500,
    "figure": 5000,
    "total": 500,
    "look": 5000,
    "document": 100,
    "ledger": 10_000,
    "ruling": 10_000,
}
MOST_PLAYERS = 32
MOST_BYTES = 1_000_000
MOST_RULES = 300_000  # characters of all rules of a game
MOST_TOLD = 1000  # faults of a game that are told
