"""The conformance kit: what every ruleset must do for every number of players, whatever game it is.

`conform` plays one game and tests at every decision what a program may rely on; `playthrough` writes a game down as a
text that is compared with one recorded before.
"""

from __future__ import annotations

import json

from attrs import frozen

from interpreter import BACKENDS, Game
from interpreter.state import random as chance
from warlock_dsl import Ruleset
from workbench.fuzz.laws import hidden, options_of, replays, round_trips
from workbench.fuzz.violation import FREE
from workbench.language.sentences import Words, languages_of
from workbench.service.table import question_for, table_for
from workbench.transcripts.record import seat_names
from workbench.transcripts.transcript import question_of

MAX_TOLD_LENGTH = 400  # decisions of a playthrough
TABLE_EVERY = 20  # decisions after which a playthrough tells what lies where


class ConformanceError(AssertionError):
    """A ruleset does not do what every ruleset must."""


@frozen
class Effort:
    """How much of one game is tested: at most this many decisions, the costly laws at every n-th of them."""

    decisions: int = 60
    hidden: int = 5
    trips: int = 15
    words: int = 10


def conform(ruleset: Ruleset, players: int, seed: int, effort: Effort) -> Game:
    """Play one game at random, on every backend side by side; `ConformanceError` says what is wrong."""
    games = [Game.start(ruleset, players, seed, backend=backend) for backend in BACKENDS]
    first = games[0]
    if first.digest() != Game.start(ruleset, players, seed).digest():
        raise ConformanceError("the same seed begins another game")
    stream = chance.seeded(seed * 31 + players)
    for number in range(effort.decisions):
        if first.over:
            break
        _offer(first)
        _look(first, number, effort)
        stream, pick = chance.below(stream, first.option_count)
        if number % effort.trips == 0:
            round_trips(first, pick)
        for game in games:
            game.choose(pick)
        for game in games[1:]:
            if (game.digest(), options_of(game)) != (first.digest(), options_of(first)):
                raise ConformanceError(FREE["backends"])
    _end(first)
    return first


def _offer(game: Game) -> None:
    """The question that waits: somebody is asked, every option once, each told apart by its key."""
    decision = game.decision
    if decision is None or not 0 <= decision.player < game.players or decision.player != game.to_move:
        raise ConformanceError("a game that is not over asks nobody")
    keys = [option.key for option in decision.options]
    if len(keys) != game.option_count or len(set(keys)) != len(keys) or not all(keys):
        raise ConformanceError(f"'{question_of(decision)}' has options that their keys do not tell apart: {keys[:12]}")
    if len(keys) < 2 and not decision.may:
        raise ConformanceError(f"'{question_of(decision)}' leaves no choice and is asked all the same")


def _look(game: Game, number: int, effort: Effort) -> None:
    """What everybody sees and what is said of it, now and then."""
    if number % effort.hidden == 0:
        hidden(game, 2)
    if number % effort.words:
        return
    decision = game.decision
    assert decision is not None
    words = Words(game.ruleset, "en", seat_names(game.ruleset, game.players))
    for viewer in (-1, *range(game.players + 1)):
        json.dumps(table_for(words, game, viewer, scored=True).data())
    if len(game.scores()) != game.players:
        raise ConformanceError("there is not one score for each seat")
    for language in languages_of(game.ruleset):
        words = Words(game.ruleset, language, seat_names(game.ruleset, game.players))
        asked = question_for(words, game)
        told = [] if asked is None else [asked.text, *(option.text for option in asked.options)]
        if not all(text.strip() for text in told) or any("{" in text for text in told):
            raise ConformanceError(f"'{game.question}' is not put into words in '{language}': {told[:4]}")


def _end(game: Game) -> None:
    replays(game)
    json.dumps(game.save())
    before, answers = game.digest(), game.answers[:]
    again = game.copy()
    for _ in answers:
        again.undo()
    if again.digest() != Game.start(game.ruleset, game.players, game.seed).digest() or game.digest() != before:
        raise ConformanceError("taking back every answer does not lead to the start")
    if game.over and (game.decision is not None or not set(game.winners) <= set(range(game.players))):
        raise ConformanceError("a game that is over asks somebody, or is won by nobody who plays")


# ---------------------------------------------------------------- playthroughs


def playthrough(ruleset: Ruleset, players: int, seed: int) -> str:
    """A game at random as a text: every question and answer, now and then what lies where, the scores at the end.

    Only what can be seen is told, nothing of how the rules are kept: it changes when the rules do, and not before.
    """
    names = seat_names(ruleset, players)
    game = Game.start(ruleset, players, seed)
    stream = chance.seeded(seed + 7919)
    lines = [f"{ruleset.name}, {players} players, seed {seed}", ""]
    while not game.over and len(game.answers) < MAX_TOLD_LENGTH:
        decision = game.decision
        assert decision is not None
        stream, pick = chance.below(stream, len(decision.options))
        asked = f"{names[decision.player]} {question_of(decision)}"
        lines.append(f"{len(game.answers) + 1:4} {asked} [{len(decision.options)}] {decision.options[pick].key}")
        game.choose(pick)
        if len(game.answers) % TABLE_EVERY == 0:
            lines.append(f"     {_table(game, names)}")
    lines += ["", _table(game, names), f"over: {'yes' if game.over else 'not yet'}"]
    for seat, sheet in enumerate(game.scores()):
        parts = ", ".join(f"{name} {value}" for name, value in sheet.part_texts.items())
        lines.append(f"{names[seat]}: {sheet.total_text} ({parts})")
    lines.append(f"won by: {', '.join(names[seat] for seat in game.winners) or 'nobody'}")
    return "\n".join(lines) + "\n"


def _table(game: Game, names: tuple[str, ...]) -> str:
    """How many pieces lie where, empty places left out, and what the variables of the game and of players say."""
    view = game.observe(-1)
    zones = [
        f"{_whose(zone.owner, names)}{zone.holder and f'{zone.holder}.'}{zone.word} {len(zone.pieces)}"
        for zone in view.zones
        if zone.pieces
    ]
    said = [
        f"{_whose(one.owner, names)}{one.word} {one.value.key()}"
        for one in view.variables
        if one.value is not None and not one.holder
    ]
    return "; ".join([*zones, *said])


def _whose(owner: int, names: tuple[str, ...]) -> str:
    return f"{names[owner]}." if owner >= 0 else ""
