"""A parting as a scenario: what must hold at that moment under the first ruleset, and does not under the other."""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from interpreter import Game, Shown, ZoneView
from warlock_dsl import Ruleset
from workbench.diff.lockstep import EVERYBODY, Divergence, Thing
from workbench.scenario.run import read_scenarios, run_scenario
from workbench.scenario.stage import WorkBudget
from workbench.transcripts.record import scenario_text, seat_names
from workbench.transcripts.transcript import Transcript

MAX_LISTED = 12  # pieces of a heap that are named one by one
WORK = 50_000_000  # of a scenario that is tried: a whole game may take its time


def scenario_of(
    old: Game, transcript: Transcript, divergence: Divergence, name: str, about: str, cites: Sequence[str]
) -> str:
    """The text of the scenario; "" where the steps have no words for what differs."""
    found = checks(old, divergence)
    return scenario_text(old.ruleset, transcript, name, about, [found], cites) if found else ""


def tried(text: str, old: Ruleset, new: Ruleset) -> bool:
    """Whether a scenario passes under the first ruleset and fails under the other."""
    return _outcome(text, old, old) == "passed" and _outcome(text, old, new) == "failed"


def _outcome(text: str, own: Ruleset, under: Ruleset) -> str:
    """What becomes of a scenario of one ruleset under another; "" where it cannot be read."""
    scenarios, errors = read_scenarios(text, "scenario.toml", lambda _: own, own.name, under)
    if errors or len(scenarios) != 1:
        return ""
    return run_scenario(under, scenarios[0], WorkBudget(WORK)).outcome


def checks(old: Game, divergence: Divergence) -> dict[str, Any]:
    """What a step says of the first game at this moment, so that the other does not fit."""
    seats = seat_names(old.ruleset, old.players)
    match divergence.kind:
        case "end" | "asked" | "error":
            return _question(old, seats)
        case "options":
            keys = [option.key for option in old.options()]
            return {**_question(old, seats), "offers_only": keys}
        case "score":
            return {"score": _points(old, divergence, seats)}
        case "sight":
            return _sight(old, divergence, seats)
    return _table(old, divergence, seats)


def _question(game: Game, seats: Sequence[str]) -> dict[str, Any]:
    if game.over:
        return {"over": True, "winners": [seats[seat] for seat in game.winners]}
    if game.decision is None:  # the one rule that a laid-out position begins with is complete
        return {"asks": "nobody"}
    return {"asks": seats[game.to_move], "question": game.question}


def _points(game: Game, divergence: Divergence, seats: Sequence[str]) -> dict[str, dict[str, int | float]]:
    """The parts of the score that differ, on either side, as they are in the first game."""
    found: dict[str, dict[str, int | float]] = {}
    sheets = [{**sheet.part_texts, "total": sheet.total_text} for sheet in game.scores()]
    for key in (*divergence.keys_old, *divergence.keys_new):
        place, _, _ = key.partition(": ")
        word, _, name = place.partition(".")
        seat = int(word.removeprefix("seat"))
        if name in sheets[seat]:
            found.setdefault(seats[seat], {})[name] = _number(sheets[seat][name])
    return found


def _number(digits: str) -> int | float:
    value = Fraction(digits)
    return int(value) if value.denominator == 1 else float(value)


# ------------------------------------------------------------------- the table


def place_name(thing: Thing, seats: Sequence[str]) -> str:
    """A zone or variable as scenarios name it."""
    _, name, owner, holder = thing
    return f"{holder}.{name}" if holder else f"{seats[owner]}.{name}" if owner >= 0 else name


def _table(game: Game, divergence: Divergence, seats: Sequence[str]) -> dict[str, Any]:
    """What really lies in the places that differ, and what the variables that differ are."""
    zones: dict[str, list[str]] = {}
    grids: dict[str, list[str] | dict[str, str]] = {}
    variables: dict[str, Any] = {}
    counts: list[str] = []
    view = game.observe(EVERYBODY)
    differing = {*divergence.facts_old, *divergence.facts_new}
    for zone in view.zones:
        thing: Thing = ("zone", zone.word, zone.owner, zone.holder)
        if thing not in differing:
            continue
        if _is_counted(thing, divergence, len(zone.pieces)):
            counts.append(f"count({place_name(thing, seats)}) is {len(zone.pieces)}")
            continue
        grid = game.ruleset.components.zones[zone.name].grid
        if grid and not game.ruleset.components.grids[grid].slots:
            table = game.ruleset.components.grids[grid].table
            rows = game.ruleset.components.tables[table].rows if table else ()
            grids[place_name(thing, seats)] = _picture(zone, rows)
        else:
            zones[place_name(thing, seats)] = [piece.name for piece in zone.pieces]
    for variable in view.variables:
        thing = ("variable", variable.word, variable.owner, variable.holder)
        if thing in differing and variable.value is not None:
            variables[place_name(thing, seats)] = value_in_words(variable.value, seats)
    said = {"zones": zones, "grids": grids, "variables": variables, "true": counts}
    return {key: value for key, value in said.items() if value}


def _is_counted(thing: Thing, divergence: Divergence, many: int) -> bool:
    """Whether it is enough to count what lies in a zone: a large heap that is not as high under the other rules. Its
    pieces one by one would be long to read, and the other rules may not have all of them."""
    old, new = divergence.facts_old.get(thing), divergence.facts_new.get(thing)
    known = old is not None and new is not None and None not in (old.count, new.count) and old.count != new.count
    return known and many > MAX_LISTED and thing[1].isidentifier() and not thing[3]


def _picture(zone: ZoneView, names: Sequence[str] = ()) -> list[str] | dict[str, str]:
    """A grid as scenarios draw it: a text a row, a word a cell (a/b for a stack), a dot for a free one.

    `names` are those of the cells, where they are the rows of a table: then what lies on each.
    """
    if names:
        cells = zip(names, zone.lying(), strict=True)
        return {name: "/".join(zone.pieces[n].name for n in there) for name, there in cells if there}
    rows, columns = 1 + max(row for row, _, _ in zone.cells), 1 + max(column for _, column, _ in zone.cells)
    lying = zip(zone.cells, zone.lying(), strict=True)
    words = {(row, column): "/".join(zone.pieces[n].name for n in there) for (row, column, _), there in lying if there}
    return [" ".join(words.get((row, column), ".") for column in range(columns)) for row in range(rows)]


def value_in_words(shown: Shown, seats: Sequence[str]) -> Any:
    """A value as scenarios write it."""
    match shown.what:
        case "number":
            return _number(shown.name)
        case "truth":
            return shown.name == "true"
        case "player":
            return seats[shown.owner]
        case "cell":
            return re.sub(r"\bseat([0-9]+)\b", lambda found: seats[int(found[1])], shown.key())
        case "list":
            return [value_in_words(item, seats) for item in shown.items]
        case _:
            return shown.name


def _sight(game: Game, divergence: Divergence, seats: Sequence[str]) -> dict[str, Any]:
    """Which pieces the viewer can name, in the places that look otherwise."""
    who, found = seats[divergence.viewer], dict[str, list[str]]()
    for zone in game.observe(divergence.viewer).zones:
        thing: Thing = ("zone", zone.word, zone.owner, zone.holder)
        if thing in divergence.facts_old or thing in divergence.facts_new:
            found[place_name(thing, seats)] = [piece.name for piece in zone.pieces if piece.name]
    return {"names": {who: found}} if found else {}
