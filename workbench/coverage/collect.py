"""Plays games on a watched machine and counts what came up in each: the work of `warlock coverage`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import lru_cache
from typing import Any

from attrs import frozen

from interpreter import Game, Layout, Option, PlayError
from warlock_dsl import Ruleset
from workbench.coverage.counting_machine import CountingMachine, Watch, begun, counting_machine
from workbench.coverage.features import class_of, option_name, way_name
from workbench.players.base import Bot, Random, own_stream
from workbench.players.biased import BiasedBot
from workbench.support.ruleset_source import RulesetSource

Key = tuple[str, str]  # sort and name of a feature
SHARED = 2  # of so many games with biased seats, one in which all have the same will


@frozen
class Plan:
    """What decides the games of a run; game `n` begins with the seed `seed + n` and is the same in every run."""

    source: RulesetSource
    players: int  # 0: every number in turn
    guided: int  # percent of the games among biased bots
    cap: int  # decisions after which a game is given up


@frozen
class Batch:
    plan: Plan
    seeds: tuple[int, ...]


def seating(plan: Plan, ruleset: Ruleset, seed: int) -> tuple[int, str]:
    """How many sit at the table in the game of this seed, and how they play: random or biased."""
    minimum, maximum = ruleset.components.min_players, ruleset.components.max_players
    guided = (own_stream(seed, 0, 0) >> 8) % 100 < plan.guided
    return plan.players or minimum + abs(seed) % (maximum - minimum + 1), "biased" if guided else "random"


def bots_for(players: int, policy: str, seed: int) -> list[Bot]:
    alike = own_stream(seed, 1, 0) % SHARED == 0
    streams = [own_stream(seed, 2 if alike else 2 + seat, 0) for seat in range(players)]
    return [BiasedBot(stream) if policy == "biased" else Random(stream) for stream in streams]


def cover(batch: Batch) -> dict[str, Any]:
    """Play the games of a batch. For each feature: how often it came up, in how many games, the first seed."""
    plan = batch.plan
    ruleset = plan.source.ruleset()
    found: dict[Key, list[int]] = {}
    lines: Counter[tuple[str, int]] = Counter()
    errors, unfinished, decisions = [], 0, 0
    for seed in batch.seeds:
        players, policy = seating(plan, ruleset, seed)
        machine = _machine(plan.source, players)
        machine.watch = Watch()
        played = _play(ruleset, machine, seed, bots_for(players, policy, seed), plan.cap)
        decisions += played.decisions
        unfinished += not played.over
        if played.error:
            errors.append([seed, players, played.error])
        for key, count in (*played.counts.items(), *counted(ruleset, machine).items()):
            entry = found.setdefault(key, [0, 0, seed])
            if count and not entry[1]:  # what was only on offer before is shown by this game
                entry[2] = seed
            entry[0] += count
            entry[1] += count > 0
        lines.update(line_counts(ruleset, machine))
    return {
        "games": len(batch.seeds),
        "decisions": decisions,
        "unfinished": unfinished,
        "errors": errors,
        "features": [[*key, *entry] for key, entry in sorted(found.items())],
        "lines": [[*line, count] for line, count in sorted(lines.items())],
    }


@lru_cache(maxsize=16)
def _machine(source: RulesetSource, players: int) -> CountingMachine:
    return counting_machine(source.ruleset(), players)


# ------------------------------------------------------------------------- play


@frozen
class _Played:
    counts: Counter[Key]
    decisions: int
    over: bool
    error: str


def _play(ruleset: Ruleset, machine: CountingMachine, seed: int, bots: list[Bot], cap: int) -> _Played:
    counts: Counter[Key] = Counter()
    game: Game | None = None
    error = ""
    try:
        game = begun(ruleset, machine, seed)
        machine.watch.moves.clear()  # what is laid out before anybody is asked comes up in every game
        while not game.over and len(game.answers) < cap:
            _answer(game, bots[game.to_move], counts)
        game.scores()
    except PlayError as broken:
        error = str(broken)
    over = game is not None and game.over and not error
    return _Played(counts, len(game.answers) if game is not None else 0, over, error)


def _answer(game: Game, bot: Bot, counts: Counter[Key]) -> None:
    """Answer a question; what was on offer is noted with nothing, what was taken with one."""
    layout, question = game.machine.layout, game.question
    counts["question", question] += 1
    options = game.options()
    for option in options:
        counts["option", option_name(question, label_of(layout, option))] += 0
    number = bot.pick(game)
    counts["option", option_name(question, label_of(layout, options[number]))] += 1
    for piece in _pieces(layout, options[number]):
        counts["piece", class_of(layout, piece)] += 1
    game.choose(number)


def _pieces(layout: Layout, option: Option) -> Iterator[int]:
    for shown in option.value.items or (option.value,):
        if shown.what == "piece" and shown.name:
            yield layout.piece_number[shown.name]


def label_of(layout: Layout, option: Option) -> str:
    """An option in a word that many share: pieces by what they are called, places and numbers by what they are."""
    shown = option.value
    match shown.what:
        case "none":
            return option.what
        case "piece" if shown.name:
            return _called(layout, layout.piece_number[shown.name])
        case "piece":
            return shown.of
        case "list":
            return f"{len(shown.items)} at once"
        case "cell":
            return "a cell"
        case "number":
            return "a number"
        case "player":
            return "a player"
    return shown.name


def _called(layout: Layout, piece: int) -> str:
    kind = layout.components.kinds[layout.kind_names[layout.kind_of[piece]]]
    place = piece - kind.first
    if kind.faces:
        return layout.components.tables[kind.table].rows[kind.faces[place]]
    if kind.called_by:
        column = kind.fields[kind.called_by]
        value, table = column.values[place], str(column.type)
        if isinstance(value, int) and table in layout.components.tables:
            return layout.components.tables[table].rows[value]
    return kind.name


# ------------------------------------------------------------------------ counts


def counted(ruleset: Ruleset, machine: CountingMachine) -> Counter[Key]:
    """What a watch has seen, by feature."""
    watch, program, layout = machine.watch, ruleset.program, machine.layout
    found: Counter[Key] = Counter()
    for rule, count in watch.rules.items():
        found["rule", machine.lowered_rules[rule].address] += count
    for (rule, block, way), count in watch.ways.items():
        found["branch", way_name(machine.lowered_rules[rule].blocks[block].end.span, way)] += count
    for (span, side), count in watch.sides.items():
        found["branch", way_name(span, "yes" if side else "no")] += count
    for define, count in watch.defines.items():
        found["definition", program.defines[define].address] += count
    for score in program.scores:
        found["score", score.name] += watch.scored
    for (group, name), count in watch.figures.items():
        found["figure", f"{group}.{name}"] += count
    for piece, count in watch.moves.items():
        found["piece", class_of(layout, piece)] += count
    for (table, column, row), count in watch.cells.items():
        found["cell", f"{table}.{ruleset.components.tables[table].rows[row]}.{column}"] += count
    for (_, name), count in watch.lookups.items():
        found["series", name] += count
    return found


def line_counts(ruleset: Ruleset, machine: CountingMachine) -> dict[tuple[str, int], int]:
    """How often each line of the rules was carried out: of what stands on a line, what came up most."""
    watch = machine.watch
    spans: Counter[Any] = Counter()
    for (rule, block), count in watch.blocks.items():
        one = machine.lowered_rules[rule].blocks[block]
        for span in {part.span for part in (*one.steps, one.end)}:
            spans[span] += count
    for rule, count in watch.rules.items():
        spans[machine.lowered_rules[rule].span] += count
    found: dict[tuple[str, int], int] = {}

    def note(file: str, line: int, count: int) -> None:
        found[file, line] = max(found.get((file, line), 0), count)

    for span, count in spans.items():
        note(span.file, span.line, count)
    for define, count in watch.defines.items():
        _whole(ruleset.program.defines[define].span, count, note)
    for score in ruleset.program.scores:
        _whole(score.span, watch.scored, note)
    return found


def _whole(span: Any, count: int, note: Any) -> None:
    for line in range(span.line, span.end_line + 1):
        note(span.file, line, count)
