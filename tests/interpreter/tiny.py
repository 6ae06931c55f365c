"""Small games for tests: a few lines of tables and rules, loaded as any game is."""

from __future__ import annotations

from interpreter import Game
from tests.interpreter.pair import side_by_side
from warlock_dsl.diagnostics.diagnostic import Severity
from warlock_dsl.load import load_files
from warlock_dsl.ruleset import Ruleset

TABLES = """
[game]
players = "1..4"
limits = { listed = 8 }

[table.colour]
rows = ["red", "green", "blue"]

[table.omen]
columns = { worth = "number" }
rows = { sun = { worth = 2 }, moon = { worth = 0.5 } }

[die.omens]
of = "omen"
faces = { sun = 2, moon = 1 }

[kind.card]
rows = "cards.csv"
fields = { colour = "colour", value = "number" }
called_by = "colour"

[kind.token]
count = 4

[grid.plan]
cells = ["a.", ".a"]
regions = { corners = "a" }

[zone]
deck = { holds = "card", sees = "none", start = "card" }
heap = { holds = "card", sees = "top" }
pool = { holds = "token", sees = "all", start = "token" }
hand = { each = "player", holds = "card", sees = "owner" }
shown = { each = "player", holds = "card", sees = "all" }
board = { each = "player", holds = ["card", "token"], sees = "all", grid = "plan" }
band = { each = "card", holds = "token", sees = "all" }

[variable.game]
leader = "player"
ring = "[player]"

[variable.player]
gold = "0..5"
step = "number"
mood = ["calm", "angry"]

[variable.card]
tired = { type = "truth", lasts = "move" }
"""

CARDS = """id,colour,value
r1,red,1
r2,red,1
r3,red,3
g1,green,1
g2,green,2
b1,blue,5
"""


def ruleset(rules: str, tables: str = TABLES) -> Ruleset:
    """The game these rules make; an error of the test if they do not check."""
    loaded = load_files({"game.toml": tables, "cards.csv": CARDS, "rules.warlock": rules}, "tiny")
    errors = [error for error in loaded.diagnostics if error.severity is Severity.ERROR]
    assert loaded.ruleset is not None, "\n".join(f"{e.span.line}: {e.code} {e.message} {e.hint}" for e in errors)
    return loaded.ruleset


def game(rules: str, players: int = 2, seed: int = 0, tables: str = TABLES) -> Game:
    """A game of these rules; what both backends make of them is compared on the way."""
    made = ruleset(rules, tables)
    side_by_side(made, players, seed, maximum=30)
    return Game.start(made, players, seed, log=True)


def keys(game: Game) -> list[str]:
    return [option.key for option in game.options()]


def variable(game: Game, name: str, owner: int = -1) -> str:
    found = next(v for v in game.observe(-1).variables if (v.name, v.owner) == (name, owner))
    assert found.value is not None
    return found.value.key()


def zone(game: Game, name: str, owner: int = -1, viewer: int = -1, holder: str = "") -> list[str]:
    views = game.observe(viewer).zones
    return [p.key() for v in views if (v.name, v.owner, v.holder) == (name, owner, holder) for p in v.pieces]
