"""Laws that every ruleset has, as tests of a game: nothing hidden shows, and copy, save, undo and replay agree."""

from __future__ import annotations

import json

from interpreter import BACKENDS, Decision, Game, PlayError, play_again
from warlock_dsl import Ruleset
from workbench.fuzz.violation import ViolationError
from workbench.players.base import own_stream


def law_names(ruleset: Ruleset) -> list[str]:
    """The invariants of a ruleset by name: of every moment, of the end, then those that hang on a rule."""
    program = ruleset.program
    hung = [hook.law.invariant for rule in program.rules for hook in rule.hooks if hook.law is not None]
    return [law.name for law in (*program.invariants, *program.endings)] + hung


OTHER_BACKENDS = BACKENDS[1:]  # the ways of running the rules beside the usual one
DEALS = 64  # how many streams of its own a moment may have


def options_of(game: Game) -> tuple[object, ...]:
    """The question of a game with all that its options say, their keys included."""
    decision = game.decision
    return () if decision is None else (decision.player, decision.rule, decision.name, decision.options)


# ---------------------------------------------------------------------- hidden


def imagined(game: Game, stream: int) -> Game | None:
    """The same moment with all that the asked player cannot see dealt anew; None where it could not have come up."""
    try:
        _, state = game.search_machine.redeal(game.state, game.to_move, stream)
        return game.at(state)
    except PlayError:
        return None


def hidden(game: Game, deals: int = 1) -> None:
    """Deal what the asked player cannot see anew: nothing this player sees or is offered may change."""
    seat, decision = game.to_move, game.decision
    if decision is None:
        return
    for deal in range(deals):
        other = imagined(game, own_stream(game.seed, seat, len(game.answers) * DEALS + deal))
        if other is None:
            continue
        found = _difference(game, decision, other, seat)
        if found:
            message = f"with other pieces where seat {seat + 1} cannot look, {found}"
            raise ViolationError("hidden", message, decision.rule, decision.span)


def _difference(game: Game, ours: Decision, other: Game, seat: int) -> str:
    theirs = other.decision
    if theirs is None or other.to_move != seat or (theirs.rule, theirs.name) != (ours.rule, ours.name):
        return "another question is asked"
    if [(o.what, o.value) for o in theirs.options] != [(o.what, o.value) for o in ours.options]:
        return f"'{ours.rule}.{ours.name}' has other options: {_menu(theirs)}; not {_menu(ours)}"
    if (theirs.bound, theirs.partial) != (ours.bound, ours.partial):
        return f"the question '{ours.rule}.{ours.name}' is put in other words"
    if other.observe(seat) != game.observe(seat):
        return "the table looks different"
    return ""


def _menu(decision: Decision) -> str:
    keys = [option.value.key() or option.what for option in decision.options]
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
