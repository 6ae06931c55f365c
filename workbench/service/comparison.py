"""Rulesets compared as a page asks for it: what is written otherwise at once, then positions that show it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from warlock_dsl import Gathered, Loaded, Use, check_gathered, finish_gathered, load_files
from workbench.diff.kept import Kept
from workbench.diff.model import Difference, Moment, Reading, Side, Witness
from workbench.diff.run import Comparison, Plan
from workbench.diff.structure import same_game
from workbench.support.errors import UsageError
from workbench.support.workers import WorkerPool

SECONDS = 40.0  # for the positions of one difference
ALONE = "alone"  # what the overlay with a difference alone is called

Report = dict[str, Any]


def checked(texts: Gathered) -> Loaded:
    """A ruleset that is to be compared; a UsageError says what is wrong with it."""
    loaded = finish_gathered(check_gathered(texts))
    if loaded.ruleset is None:
        first = next(iter(loaded.diagnostics), None)
        name = "+".join([texts.name, *(use.name for use, _ in texts.overlays)])
        raise UsageError(f"{name}: {first.message}" if first is not None else f"{name} has errors")
    return loaded


def structure(rulesets: Sequence[Loaded], lang: str) -> Report:
    """What is written otherwise, by chapter; a UsageError where the rulesets are of different games."""
    for other in rulesets[1:]:
        same_game(rulesets[0], other)
    report = Comparison(rulesets, Plan(lang=lang, play=False)).report()
    return {**report.data(), "title": report.title}


def compared(texts: Sequence[Gathered], lang: str, wanted: Sequence[str]) -> Iterator[Report]:
    """Positions that show differences, one difference after another: `found` has those that are new in a report."""
    rulesets = [checked(one) for one in texts]
    for number, id in enumerate(wanted):
        plan = Plan(lang=lang, seconds=SECONDS, only=(id,))
        report = Comparison(rulesets, plan).play(WorkerPool(), Kept(), _unheard)
        found = {one.id: shown(one) for one in report.differences if one.id == id}
        yield {"games": number + 1, "of": len(wanted), "found": found}


def shown(difference: Difference) -> Report:
    """What playing showed of a difference, with tables to draw."""
    return {"readings": [_reading(one) for one in difference.readings]}


def alone(first: Loaded, overlay: Mapping[str, str]) -> Loaded:
    """The first ruleset with one difference laid on it; a UsageError where it does not take that."""
    found = load_files(first.base, first.name, (), (*first.stack, (Use(ALONE), overlay)))
    if found.ruleset is None:
        raise UsageError(next((one.message for one in found.diagnostics), "the difference cannot be laid on the rules"))
    return found


def _reading(reading: Reading) -> Report:
    witness = reading.witness
    return {
        "witness": None if witness is None else _witness(witness),
        "search": None if reading.search is None else reading.search.data(),
    }


def _witness(witness: Witness) -> Report:
    table = witness.table
    moment = Moment(witness.what, witness.viewer, witness.old, witness.new, witness.only_old, witness.only_new)
    return {
        "position": _moment(moment),
        "players": witness.players,
        "seed": witness.seed,
        "answers": list(witness.replay["answers"]),
        "moves": list(witness.moves),
        "overlay": dict(witness.overlay),
        "small": None if table is None else {
            "position": _moment(table.moment),
            "setup": [list(line) for line in table.setup],
            "begins": table.begins,
            "answers": list(table.answers),
            "reached": table.reached,
            "scenario": table.scenario,
        },
    }  # fmt: skip


def _moment(moment: Moment) -> Report:
    return {
        "what": moment.what,
        "viewer": moment.viewer,
        "sides": [_side(moment.old, moment.only_old), _side(moment.new, moment.only_new)],
    }


def _side(side: Side, only: Sequence[str]) -> Report:
    return {
        "ruleset": side.ruleset,
        "sentence": side.sentence,
        "only": list(only),
        "scores": list(side.scores),
        "legend": [list(one) for one in side.legend],
        "table": None if side.table is None else side.table.data(),
    }


def _unheard(more: int, word: str, total: int = 0, /) -> None:
    """Progress that nobody is told of."""
