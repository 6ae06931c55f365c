"""What speaks against a changed ruleset: scenarios, laws, and games that were recorded under the rules as they are."""

from __future__ import annotations

import hashlib
import json
import tomllib
from decimal import Decimal
from pathlib import Path

import tomli_w
from attrs import frozen

from interpreter import Game, LawViolationError, PlayError
from warlock_dsl import Loaded, Ruleset, available_overlays, find_overlay, find_ruleset, parse_stack
from workbench.coverage.counting_machine import Line, begun, lines_of, plain_machine, traced_machine
from workbench.players.base import Bot, Random, own_stream
from workbench.players.biased import BiasedBot
from workbench.scenario.run import FOLDER, home_of, read_scenarios, read_text, run_scenario
from workbench.support.errors import UsageError
from workbench.support.ruleset_source import RulesetSource
from workbench.support.rulesets import load_playable, named_in_file
from workbench.transcripts.transcript import Move, Script, Transcript, question_of

# -------------------------------------------------------------------- scenarios


@frozen
class Case:
    """One scenario as a file of its own; `stack` says which rules it is for."""

    name: str
    file: str
    stack: str
    text: str
    lines: frozenset[Line] = frozenset()  # of the rules and tables it makes use of


def cases_in(folder: Path, label: str) -> list[Case]:
    """The scenarios of a folder of rules, each on its own."""
    found = []
    for file in sorted((folder / FOLDER).glob("*.toml")):
        text, error = read_text(file)
        if error is not None:
            raise UsageError(f"{file}: {error.message}")
        try:
            document = tomllib.loads(text, parse_float=Decimal)
        except tomllib.TOMLDecodeError as error:
            raise UsageError(f"{file}: {error}") from None
        except RecursionError:
            raise UsageError(f"{file}: this is nested too deep") from None
        listed = document.get("scenario", [])
        if not isinstance(listed, list) or not all(isinstance(one, dict) for one in listed):
            raise UsageError(f"{file}: a scenario begins with [[scenario]]")
        for scenario in listed:
            named = scenario.pop("ruleset", "")
            home = named_in_file(named, file) if named else home_of(file)
            alone = tomli_w.dumps({"scenario": [scenario]})
            found.append(Case(str(scenario.get("name")), f"{label}/{file.name}", home, alone))
    return found


def all_cases(name: str, where: list[Path]) -> tuple[list[Case], dict[str, Loaded]]:
    """The scenarios of a game and of the overlays on it (of a stack: those of its last overlay), and their rulesets."""
    stack = parse_stack(name)
    base = find_ruleset(name if isinstance(stack, str) else stack.base, where)
    if isinstance(stack, str) or base is None:
        raise UsageError(f"there is no ruleset '{name}'")
    game = base.resolve().name
    if stack.uses:
        top = find_overlay(game, stack.uses[-1].name, where)
        cases = cases_in(top, f"{top.resolve().name}/{FOLDER}") if top is not None else []
    else:
        cases = cases_in(base, FOLDER)
        for overlay in available_overlays(game, where):
            cases += cases_in(overlay.path, f"+{overlay.name}/{FOLDER}")
    rulesets: dict[str, Loaded] = {}
    for case in cases:
        if case.stack not in rulesets:
            rulesets[case.stack] = _sound(case.stack, where)
    return cases, rulesets


def _sound(name: str, where: list[Path]) -> Loaded:
    loaded = load_playable(name, where)
    if loaded.ruleset is None:
        raise UsageError(f"'{name}', which a scenario is for, has errors of its own", 1)
    return loaded


@frozen
class Look:
    """What a process needs to run the scenarios of one ruleset and watch them."""

    source: RulesetSource
    cases: tuple[Case, ...]


def looked(look: Look) -> list[frozenset[Line]]:
    """The lines each scenario makes use of; every one must pass as the rules are."""
    ruleset = look.source.ruleset()
    found = []
    for case in look.cases:
        scenarios, errors = read_scenarios(case.text, case.file, lambda _: ruleset, look.source.name)
        if not scenarios or errors:
            told = errors[0].message if errors else "it is none"
            raise UsageError(f"{case.file}: '{case.name}' cannot be read: {told}", 1)
        machine = traced_machine(ruleset, len(scenarios[0].players))
        if not run_scenario(ruleset, scenarios[0], machine=machine).passed:
            raise UsageError(f"{case.file}: '{case.name}' fails before anything is changed; mend that first", 1)
        found.append(frozenset(lines_of(ruleset, machine)))
    return found


# ------------------------------------------------------------------------ games


@frozen
class Recorded:
    """A game under the rules as they are: its answers, a mark for every question, one for its end."""

    transcript: Transcript
    marks: tuple[str, ...]
    end: str


def recorded(ruleset: Ruleset, players: int, seed: int, bots: list[Bot]) -> Recorded:
    """Play a game and keep it."""
    game = begun(ruleset, plain_machine(ruleset, players), seed)
    moves, marks = [], []
    while not game.over:
        decision = game.decision
        assert decision is not None
        marks.append(marked(game))
        number = bots[decision.player].pick(game)
        moves.append(Move(decision.player, question_of(decision), decision.options[number].key))
        game.choose(number)
    return Recorded(Transcript(players, seed, tuple(moves)), tuple(marks), closing(game))


def marked(game: Game) -> str:
    """A question as a word: who is asked what, and what may be answered."""
    decision = game.decision
    assert decision is not None
    asked = [decision.player, question_of(decision), [option.key for option in decision.options]]
    return hashlib.sha256(json.dumps(asked).encode()).hexdigest()[:12]


def closing(game: Game) -> str:
    """The end of a game as a word: where everything lies, the points, who has won. The place in the rules is no part
    of it: other rules that do the same are not other games."""
    state = game.machine.pack(game.state)
    sheets = [[list(sheet.part_texts.items()), sheet.total_text] for sheet in game.scores()]
    end = [state["zones"], state["cells"], state["variables"], game.machine.winners(game.state), sheets]
    return hashlib.sha256(json.dumps(end).encode()).hexdigest()[:12]


@frozen
class Recording:
    """What a process needs to record one game of a set."""

    source: RulesetSource
    number: int
    seed: int


def record(task: Recording) -> Recorded:
    """One game of a fixed set: every number of players in turn, every other among bots that are biased."""
    ruleset = task.source.ruleset()
    minimum, maximum = ruleset.components.min_players, ruleset.components.max_players
    players = minimum + task.number % (maximum - minimum + 1)
    bots: list[Bot] = []
    for seat in range(players):
        own = own_stream(task.seed, seat, task.number)
        bots.append(BiasedBot(own) if task.number % 2 else Random(own))
    try:
        return recorded(ruleset, players, task.seed + task.number, bots)
    except PlayError as error:
        game = f"the recorded game {task.number + 1}, of {players} players with seed {task.seed + task.number},"
        raise UsageError(f"{game} breaks its rules before anything is changed; mend that first: {error}", 1) from None


def differs(ruleset: Ruleset, game: Recorded) -> str:
    """Follow a recorded game under other rules: how it shows that they are others, or "".

    After the first question that is another one it is followed as far as it fits, since a law that breaks later tells
    more than a difference does. What comes after the recorded length is not looked at.
    """
    script = Script(game.transcript.moves)
    seen = ""
    try:
        live = begun(ruleset, plain_machine(ruleset, game.transcript.players), game.transcript.seed)
        for number, mark in enumerate(game.marks, 1):
            if live.over or (not seen and marked(live) != mark):
                seen = seen or f"game: question {number} is another one"
            if live.over:
                return seen
            live.choose(script.pick(live))
    except LawViolationError as error:
        return f"law: {error.message}"
    except PlayError as error:
        return f"error: {error.message}"
    if not seen and (not live.over or closing(live) != game.end):
        seen = "game: it ends otherwise"
    return seen
