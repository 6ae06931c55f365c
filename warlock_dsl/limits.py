"""What a game may hold at most: generous for any game on a table, small enough that nothing takes minutes."""

from __future__ import annotations

from collections.abc import Mapping

MAX_PIECES = 5000
MAX_CELLS = 1024
MAX_ROWS = 2000
MAX_ZONES = 200
MAX_PLACES = 20_000  # zones on the table, one for each owner
MAX_SPOTS = 50_000  # cells on the table
MAX_SLOTS = 20_000  # variables on the table
MAX_ENTRIES = 10_000
MAX_COLUMNS = 100
MAX_ITEMS: Mapping[str, int] = {
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
    "chapter": 1000,
    "ledger": 10_000,
    "ruling": 10_000,
}
MAX_PLAYERS = 32
MAX_FILE_BYTES = 1_000_000
MAX_RULES = 300_000  # characters of all rules of a game
MAX_TOLD = 1000  # errors of a game that are shown
