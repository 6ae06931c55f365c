"""A finding written down: the course as a replay, and as a scenario that anybody can run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import tomli_w

from interpreter import REPLAY_FORMAT, Game, PlayError
from warlock_dsl import Ruleset
from workbench.transcripts.transcript import Transcript

SEATS = ("ann", "ben", "cid", "dot", "eve", "fay", "gus", "hal", "ivy", "jon", "kim", "leo")


def seat_names(ruleset: Ruleset, players: int) -> tuple[str, ...]:
    """Names for the seats that mean nothing else in the game."""
    components = ruleset.components
    taken = {*components.kinds, *(zone.name for zone in components.zones.values()), *components.tables}
    taken |= {row for table in components.tables.values() for row in table.rows}
    free = [name for name in SEATS if name not in taken]
    return tuple(free[:players]) if len(free) >= players else tuple(f"seat{number}" for number in range(players))


def replayed(ruleset: Ruleset, transcript: Transcript, laws: bool = True) -> Game:
    """The game of a course, answer for answer."""
    game = Game.start(ruleset, transcript.players, transcript.seed, laws=laws)
    for move in transcript.moves:
        game.answer(move.key)
    return game


def replay_data(ruleset: Ruleset, transcript: Transcript) -> dict[str, Any]:
    """A course as a replay. Where its last answer breaks the rules, the replay ends just before it."""
    try:
        game = Game.start(ruleset, transcript.players, transcript.seed, laws=False)
    except PlayError:  # it breaks before anybody is asked: there is no position to end in
        heading = {
            "ruleset": ruleset.name,
            "hash": ruleset.hash,
            "players": transcript.players,
            "seed": transcript.seed,
        }
        return {"format": REPLAY_FORMAT, **heading, "seats": ["?"] * transcript.players, "answers": []}
    for move in transcript.moves:
        try:
            game.answer(move.key)
        except PlayError:
            break
    return game.replay()


def scenario_text(
    ruleset: Ruleset,
    transcript: Transcript,
    name: str,
    about: str,
    checks: Sequence[Mapping[str, Any]],
    cites: Sequence[str] = (),
) -> str:
    """A scenario: the real game of this course from its start, then these steps (`asks`, `offers_only`, ...)."""
    start = ruleset.program.rules[ruleset.program.start].address
    scenario: dict[str, Any] = {
        "name": name,
        "ruleset": ruleset.name,
        "players": list(seat_names(ruleset, transcript.players)),
        "seed": transcript.seed,
        "given": {"at": {"rule": start}},
        "step": [],
    }
    if cites:
        scenario["cites"] = list(cites)
    if transcript.moves:
        names = scenario["players"]
        scenario["step"].append({"answers": [f"{names[move.player]}: {move.key}" for move in transcript.moves]})
    scenario["step"] += [dict(check) for check in checks]
    return tomli_w.dumps({"about": about, "scenario": [scenario]}, multiline_strings=False)
