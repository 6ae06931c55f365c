"""Laws that every ruleset has, as tests of a game: nothing hidden shows, and copy, save, undo and replay agree."""

from __future__ import annotations

import json
from collections.abc import Iterator

from attrs import evolve

from interpreter import BACKENDS, EVERYTHING, Anew, Decision, Game, PlayError, play_again
from workbench.fuzz.violation import ViolationError
from workbench.players.base import own_stream

OTHER_BACKENDS = tuple(name for name in BACKENDS[1:] if name != "plain")  # plain plays beside, too, and counts
DEALS = 64  # how many streams of its own a moment may have


def options_of(game: Game) -> tuple[object, ...]:
    """The question of a game with all that its options say, their keys included."""
    decision = game.decision
    return () if decision is None else (decision.player, decision.rule, decision.name, decision.options)


# ---------------------------------------------------------------------- hidden


def imagined(game: Game, stream: int, anew: Anew = EVERYTHING) -> Game | None:
    """The same moment with all that the asked player cannot see dealt anew; None where it could not have come up."""
    try:
        _, state = game.machine.redeal(game.state, game.to_move, stream, anew)
        return game.at(state)
    except PlayError:
        return None


def hidden(game: Game, deals: int = 1) -> int:
    """Deal what the asked player cannot see anew: nothing this player sees or is offered may change.

    Gives the number of deals that could not be made.
    """
    seat, decision, dropped = game.to_move, game.decision, 0
    if decision is None:
        return 0
    for deal in range(deals):
        stream = own_stream(game.seed, seat, len(game.answers) * DEALS + deal)
        other = imagined(game, stream)
        if other is None:
            dropped += 1
            continue
        found = _difference(game, decision, other, seat)
        if found:
            message = (
                _told_apart(game, decision, seat, stream) or f"with other things hidden from seat {seat + 1}, {found}"
            )
            raise ViolationError("hidden", message, decision.rule, decision.span)
    return dropped


APART = 4  # more deals of one kind of secret alone, to find out which it is that shows
NOTHING = Anew(names=False, counts=False, variables=frozenset())


def _told_apart(game: Game, decision: Decision, seat: int, stream: int) -> str:
    """The difference with the one kind of secret that makes it; "" where no kind does so alone."""
    streams = [stream, *(own_stream(game.seed, seat, stream + number) for number in range(APART))]
    for what, anew in _kinds(game, seat):
        for own in streams:
            other = imagined(game, own, anew)
            found = "" if other is None else _difference(game, decision, other, seat)
            if found:
                return f"{what}, {found}"
    return ""


def _kinds(game: Game, seat: int) -> Iterator[tuple[str, Anew]]:
    """What may be hidden from a player, in words, and how it is dealt anew alone."""
    machine, whom = game.machine, f"seat {seat + 1}"
    yield f"with other answers that are secret from {whom}", NOTHING
    yield f"with the pieces where {whom} cannot look in another order", evolve(NOTHING, names=True, within=True)
    yield f"with other pieces where {whom} cannot look", evolve(NOTHING, names=True)
    yield f"with other counts that {whom} cannot see", evolve(NOTHING, counts=True)
    groups: dict[tuple[str, str], set[int]] = {}
    for number in machine.hidden_parts.variables:
        slot = machine.layout.slots[number]
        whose = f" of seat {slot.owner + 1}" if slot.owner_kind == "player" else f" of a {slot.owner_kind}"
        groups.setdefault((slot.word, whose if slot.owner_kind else ""), set()).add(number)
    for (name, whose), numbers in groups.items():
        yield (
            f"with another value of '{name}'{whose}, hidden from {whom}",
            evolve(NOTHING, variables=frozenset(numbers)),
        )


def _difference(game: Game, ours: Decision, other: Game, seat: int) -> str:
    theirs = other.decision
    if theirs is None:
        return f"'{ours.rule}.{ours.name}' is not asked, and the game is over"
    if (theirs.player, theirs.rule, theirs.name) != (seat, ours.rule, ours.name):
        whom = "" if theirs.player == seat else f" of seat {theirs.player + 1}"
        return f"'{theirs.rule}.{theirs.name}' is asked{whom}, not '{ours.rule}.{ours.name}'"
    if theirs.options != ours.options:
        return f"'{ours.rule}.{ours.name}' has other options: {_menu(theirs)}; not {_menu(ours)}"
    if (theirs.bound, theirs.partial) != (ours.bound, ours.partial):
        return f"the question '{ours.rule}.{ours.name}' is put in other words"
    if not game.machine.same_view(game.state, other.state, seat):
        return "the table looks different"
    return ""


def _menu(decision: Decision) -> str:
    keys = [option.key for option in decision.options]
    return ", ".join(keys[:6]) + (", ..." if len(keys) > 6 else "")


# ----------------------------------------------------------------- round trips


def round_trips(game: Game, number: int) -> None:
    """Copy, save, load and undo around one answer. The game itself is left at its question."""
    before, asked = game.digest(), options_of(game)
    ahead = game.copy()
    try:
        ahead.choose(number)
    except PlayError:
        return  # the answer itself breaks something; it is found when the game gives it
    after, then = ahead.digest(), options_of(ahead)
    if (game.digest(), options_of(game)) != (before, asked):
        raise ViolationError("copy", "an answer given to a copy changes the game it was copied from")
    loaded = Game.load(game.ruleset, json.loads(json.dumps(game.save())))
    if (loaded.digest(), options_of(loaded)) != (before, asked):
        raise ViolationError("save", "the game that is loaded is not the one that was saved")
    loaded.choose(number)
    if (loaded.digest(), options_of(loaded)) != (after, then):
        raise ViolationError("save", "after a save and a load the same answer leads elsewhere")
    ahead.undo()
    if (ahead.digest(), options_of(ahead)) != (before, asked):
        raise ViolationError("undo", "an answer taken back leaves something behind")


def replays(game: Game) -> None:
    """The answers of a game, played again without its laws, give the same game."""
    data = {key: value for key, value in game.replay().items() if key != "digest"}
    again = play_again(game.ruleset, json.loads(json.dumps(data)), laws=False)
    if again.digest() != game.digest():
        raise ViolationError("replay", "the same answers lead to another position")
