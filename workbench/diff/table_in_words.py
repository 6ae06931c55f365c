"""The smallest table of a difference as a report shows it: how to set it up, what is played, and the scenario of it."""

from __future__ import annotations

import re
from collections.abc import Sequence

import tomli_w

from interpreter import Game
from warlock_dsl import Ruleset
from workbench.diff.as_scenario import checks, tried
from workbench.diff.describe import moment
from workbench.diff.laid_out import LaidOut, Spot, grid_of, written, zone_names_of
from workbench.diff.lockstep import EVERYBODY
from workbench.diff.model import SmallTable
from workbench.diff.smallest import Smallest
from workbench.language.sentences import Words
from workbench.service.table import question_for

CALL = re.compile(r"(\w+)(?:\[(\w+)\])?\(.*?\)(?: by (\w+))?\Z")


def table_in_words(
    found: Smallest, old: Ruleset, new: Ruleset, name: str, names: tuple[str, str], cites: Sequence[str], lang: str
) -> SmallTable | None:
    """The table as a report shows it, its scenario tried under both; None where it does not tell them apart."""
    seats = found.laid.seats
    words = Words(old, lang, [seat.capitalize() for seat in seats])
    shown = moment(found.pair, found.found.divergence, names, lang)
    text = _scenario(found, old, name, shown.what, cites)
    if not text or not tried(text, old, new):
        return None
    setup = tuple(_setup(found.laid, found.pair.old, words))
    answers = tuple(_answers(found, words))
    divergence = found.found.divergence.kind
    begins = _begins(found.laid.begin, words)
    named = len(found.laid.spots)
    return SmallTable(len(seats), named, setup, begins, answers, divergence, shown, found.reached, text)


def _scenario(found: Smallest, old: Ruleset, name: str, about: str, cites: Sequence[str]) -> str:
    """The text of the scenario; "" where the steps have no words for what differs."""
    check = checks(found.pair.old, found.found.divergence)
    if not check:
        return ""
    laid, seats = found.laid, found.laid.seats
    zones = zone_names_of(found.pair.old.observe(EVERYBODY), seats)
    scenario: dict[str, object] = {"name": name, "ruleset": old.name, "players": [*seats], "seed": laid.seed}
    if cites:
        scenario["cites"] = list(cites)
    scenario["given"] = written(laid, old.components, zones)
    moves = [f"{seats[move.player]}: {move.key}" for move in found.found.transcript.moves]
    scenario["step"] = [*([{"answers": moves}] if moves else []), check]
    return tomli_w.dumps({"about": about, "scenario": [scenario]}, multiline_strings=False)


# --------------------------------------------------------------------- in words


def _setup(laid: LaidOut, game: Game, words: Words) -> list[tuple[str, str]]:
    """What lies where, a place a line; what the variables are; where all other pieces are."""
    zones = zone_names_of(game.observe(EVERYBODY), laid.seats)
    lines = []
    for name, spots in laid.places().items():
        pieces = words.listed([_spot(spot, zones[name], words) for spot in spots])
        lines.append((_place(name, zones[name], laid.seats, words), pieces))
    for name, value in laid.variables.items():
        owner, _, own = name.rpartition(".")
        told = words.seat(laid.seats.index(value)) if value in laid.seats else _value(value, words)
        variable = words.name(f"variable.{own.partition('[')[0]}")
        lines.append((_of(variable, owner, laid.seats, words), told))
    for kind, name in laid.rest.items():
        others = words.phrases("diff_rest", kind=words.name(f"kind.{kind}"))
        lines.append((others, _place(name, zones[name], laid.seats, words)))
    return lines


def _value(value: object, words: Words) -> str:
    if isinstance(value, bool):
        return words.phrases("yes" if value else "no")
    return words.phrases.number(str(value)) if isinstance(value, int | float) else str(value)


def _place(name: str, zone: str, seats: Sequence[str], words: Words) -> str:
    return _of(words.zone(zone), name.rpartition(".")[0], seats, words)


def _of(text: str, owner: str, seats: Sequence[str], words: Words) -> str:
    if not owner:
        return text
    whose = words.seat(seats.index(owner)) if owner in seats else words.piece(owner)
    return words.phrases("place_of", zone=text, player=whose)


def _spot(spot: Spot, zone: str, words: Words) -> str:
    grid = grid_of(words.components, zone)
    if grid is None or spot.cell < 0:
        return words.piece(spot.piece)
    return words.phrases("piece_at", piece=words.piece(spot.piece), place=words.cell(zone, *grid.cells[spot.cell]))


def _begins(call: str, words: Words) -> str:
    """The rule that runs, by its name in the catalogue, and who acts."""
    found = CALL.match(call)
    if found is None:
        return ""
    rule = words.name(f"rule.{found[1]}.{found[2]}" if found[2] else f"rule.{found[1]}")
    return words.phrases("diff_reading", name=found[3].capitalize(), found=rule) if found[3] else rule


def _answers(found: Smallest, words: Words) -> list[str]:
    """The answers in words; the game is taken back for it, and given them again."""
    game = found.pair.old
    again = game.copy()
    again._past = game._past[:]
    for _ in found.found.transcript.moves:
        again.undo()
    lines = []
    for move in found.found.transcript.moves:
        asked = question_for(words, again)
        assert asked is not None
        number = [option.key for option in asked.options].index(move.key)
        answer = f"{asked.text} {asked.options[number].text}"
        lines.append(words.phrases("diff_reading", name=words.seat(again.to_move), found=answer))
        again.choose(number)
    return lines
