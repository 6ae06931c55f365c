"""What somebody means who asks why a thing is not on offer: its key, or what it is called."""

from __future__ import annotations

from collections.abc import Iterator

from interpreter import Game, PlayError, WhyNot
from workbench.language.sentences import Words
from workbench.service.table import Table
from workbench.terminal.choices import simple

MAX_TRIED = 12  # things of one name that are asked about


def not_offered(words: Words, game: Game, table: Table, typed: str) -> tuple[str, WhyNot | str]:
    """The thing that is meant, and why it is not on offer; or a sentence, where nothing is called that, or the question
    is about other things.

    Several things may have a name: the one is meant that the question could have been about."""
    found: tuple[str, WhyNot] | None = None
    known = False
    offered = {option.key for option in game.options()}
    for title, key in list(dict.fromkeys(_meant(words, game, table, typed)))[:MAX_TRIED]:
        known = known or key != typed or title != typed
        if key in offered:
            continue
        try:
            answer = game.why_not(key)
        except PlayError:
            continue
        if answer.causes or answer.hides:
            return title, answer
        found = found or (title, answer)
    return found or (typed, words.phrases("why_other_kind" if known else "why_nothing_called"))


def _meant(words: Words, game: Game, table: Table, typed: str) -> Iterator[tuple[str, str]]:
    """What may be meant, by its name and its key, the likeliest first."""
    named = list(_everything(words, game, table))
    yield next((name for name, key in named if key == typed), typed), typed
    wanted = simple(typed)
    yield from ((name, key) for name, key in named if simple(name) == wanted)
    yield from ((name, key) for name, key in named if all(word in simple(name) for word in wanted.split()))


def _everything(words: Words, game: Game, table: Table) -> Iterator[tuple[str, str]]:
    """Everything on the table and in the rules that an answer could name."""
    components, program = game.ruleset.components, game.ruleset.program
    for family in program.families.values():
        yield from ((words.name(f"{family.table or family.name}.{key}"), key) for key in family.keys)
    for rows in components.tables.values():
        yield from ((words.name(f"{rows.name}.{row}"), row) for row in rows.rows)
    me = f"seat{table.viewer}."
    for zone in table.zones:
        yield zone.label, zone.key.removeprefix(me)
        yield from ((cell.name, cell.key.removeprefix(me)) for cell in zone.cells if zone.is_map)
        yield from ((piece.label, piece.key) for piece in zone.pieces if piece.name)
    yield from ((seat.name, f"seat{seat.number}") for seat in table.seats)
