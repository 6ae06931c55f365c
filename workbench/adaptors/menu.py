"""What every harness has to know of a game before it begins: how long a menu may be, what a win is worth."""

from __future__ import annotations

from pathlib import Path

from interpreter import Game
from warlock_dsl import Ruleset, counted_by_all, default_roots, nodes, seen_by_all
from warlock_dsl.check import program as checked
from workbench.coverage.features import unreachable
from workbench.support.errors import UsageError
from workbench.support.rulesets import sound_ruleset

MAX_DECISIONS = 20_000  # of a game: one that goes on is broken off


def ruleset_for(ruleset: Ruleset | str | Path) -> Ruleset:
    """A ruleset that was loaded, or one by its name or folder."""
    return ruleset if isinstance(ruleset, Ruleset) else sound_ruleset(str(ruleset), default_roots([]))[0]


def room_for_options(ruleset: Ruleset, players: int) -> int:
    """How many options a menu may have, where nobody says: any piece, any cell, any row of a table, any set that is
    listed, and to decline. Numbers, and lists that rules make, may be more."""
    parts = ruleset.components
    owners = {"": 1, "player": players} | {name: len(kind.pieces) for name, kind in parts.kinds.items()}
    cells = sum(len(parts.grids[zone.grid].cells) * owners[zone.owner] for zone in parts.zones.values() if zone.grid)
    words = [*(table.rows for table in parts.tables.values()), *(one.keys for one in ruleset.program.families.values())]
    return 1 + max(parts.piece_count, cells, parts.limits.listed, players, *map(len, words))


def check_room(game: Game, room: int) -> None:
    """An error that says what to do, where a menu is longer than what was declared."""
    if game.option_count > room:
        raise UsageError(
            f"'{game.question}' has {game.option_count} options, and there is room for {room}:"
            f" give max_options={game.option_count} or more"
        )


def has_chance(ruleset: Ruleset) -> bool:
    """Whether anything may ever be shuffled or rolled."""
    return any(isinstance(node, checked.Shuffle | checked.Roll) for node in nodes(_rules(ruleset)))


def _rules(ruleset: Ruleset) -> list[checked.Rule]:
    """The rules that a game may come to: the library has more."""
    missing = unreachable(ruleset)
    return [rule for number, rule in enumerate(ruleset.program.rules) if number not in missing]


def has_secrets(ruleset: Ruleset) -> bool:
    """Whether somebody may know what another does not."""
    parts = ruleset.components
    seen = all(map(seen_by_all, parts.zones.values())) and all(map(seen_by_all, parts.variables.values()))
    counted = all(map(counted_by_all, parts.zones.values()))
    return not seen or not counted or any(map(_secret, nodes(_rules(ruleset))))


def _secret(node: object) -> bool:
    """Answers that are given in secret, and what only some learn."""
    said = isinstance(node, checked.Say) and node.to is not None
    return said or isinstance(node, checked.Together) or (isinstance(node, checked.Roll) and node.by is not None)


def table_wins(ruleset: Ruleset, players: int) -> bool:
    """Whether all win or lose as one."""
    return ruleset.components.cooperative or players == 1


def returns(game: Game) -> list[float]:
    """What a game that is over was worth to each seat: the winners share 1, which the others lose; where all or none
    have won, nothing. A table that wins or loses as one gets 1 or -1 each."""
    won, players = set(game.winners), game.players
    if table_wins(game.ruleset, players):
        return [1.0 if won else -1.0] * players
    if len(won) in (0, players):
        return [0.0] * players
    return [1 / len(won) if seat in won else -1 / (players - len(won)) for seat in range(players)]
