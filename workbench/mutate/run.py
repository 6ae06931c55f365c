"""A run of mutants: gathers the evidence, tries every mutant on all cores, keeps a checkpoint, sums up."""

from __future__ import annotations

import hashlib
import json
import tomllib
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from attrs import evolve, frozen

from interpreter.state import random as chance
from warlock_dsl import Loaded, find_overlay, find_ruleset, parse_stack
from workbench.mutate.baseline import Case, Look, Recording, all_cases, looked, record
from workbench.mutate.mutants import Mutant, RulesetTexts, Texts, excerpt, in_order, sources_of, texts_of
from workbench.mutate.rules import rule_mutants
from workbench.mutate.tables import table_mutants
from workbench.mutate.trial import KILLERS, SURVIVES, UNSOUND, VERDICTS, Evidence, Trial, Verdict, tried
from workbench.support.checkpoint import Checkpoint
from workbench.support.errors import UsageError
from workbench.support.packed import DamagedError, checked
from workbench.support.progress import progress
from workbench.support.ruleset_source import source_of
from workbench.support.workers import WorkerPool

ARGUED = Path("mutants") / "equivalent.toml"


def every_mutant(loaded: Loaded) -> list[Mutant]:
    """All mutants of a sound ruleset, in the order of the files."""
    assert loaded.ruleset is not None and loaded.final is not None
    sources, components = sources_of(loaded), loaded.ruleset.components
    found = [*rule_mutants(loaded.final.modules, components, sources), *table_mutants(components, sources)]
    return list(in_order(found))


def sample(mutants: Sequence[Mutant], count: int, seed: int) -> list[Mutant]:
    """So many of them, picked by the seed, in their order; all of them where there are no more."""
    if count <= 0 or count >= len(mutants):
        return list(mutants)
    _, order = chance.shuffled(chance.seeded(seed), list(range(len(mutants))))
    return [mutants[number] for number in sorted(order[:count])]


# ------------------------------------------------------------------- equivalent


def argued(name: str, where: list[Path]) -> dict[str, str]:
    """The mutants that are argued to change nothing, each with the reason, from the folder of the ruleset."""
    stack = parse_stack(name)
    assert not isinstance(stack, str)
    base = find_ruleset(stack.base, where)
    assert base is not None
    folder = find_overlay(base.resolve().name, stack.uses[-1].name, where) if stack.uses else base
    file = (folder or base) / ARGUED
    if not file.is_file():
        return {}
    try:
        document = tomllib.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise UsageError(f"{file} cannot be read: {error}") from None
    found: dict[str, str] = {}
    for entry in document.get("equivalent", ()):
        ids = entry.get("ids") if isinstance(entry, dict) else None
        why = entry.get("why") if isinstance(entry, dict) else None
        if not isinstance(ids, list) or not isinstance(why, str) or len(why) < 20:
            raise UsageError(f"{file}: every [[equivalent]] has `ids` and a `why` that argues")
        for one in ids:
            if one in found:
                raise UsageError(f"{file}: '{one}' is argued twice")
            found[str(one)] = why
    return found


# -------------------------------------------------------------------------- run


def gather(loaded: Loaded, name: str, where: list[Path], games: int, seed: int, pool: WorkerPool) -> Evidence:
    """The scenarios with the lines they use, and the recorded games."""
    source = source_of(loaded)
    cases, rulesets = all_cases(name, where)
    bases: dict[Texts, Texts] = {}
    texts = {stack: _shared(texts_of(one), bases) for stack, one in rulesets.items()}
    looks = [
        Look(source_of(one), tuple(case for case in cases if case.stack == stack)) for stack, one in rulesets.items()
    ]
    with progress("scenarios", len(looks) + games) as advance:
        watched: list[Case] = []
        for number, lines in pool.done(looked, looks):
            watched += [evolve(case, lines=used) for case, used in zip(looks[number].cases, lines, strict=True)]
            advance(1, "")
        order = {(case.file, case.name): place for place, case in enumerate(cases)}
        watched.sort(key=lambda case: order[case.file, case.name])
        kept = {}
        for number, game in pool.done(record, [Recording(source, number, seed) for number in range(games)]):
            kept[number] = game
            advance(1, "")
    own = _shared(texts_of(loaded), bases)
    return Evidence(own, tuple(watched), texts, tuple(kept[number] for number in sorted(kept)))


def _shared(source: RulesetTexts, bases: dict[Texts, Texts]) -> RulesetTexts:
    """The texts with a base that is one object for all, so that it is sent away once."""
    return evolve(source, base=bases.setdefault(source.base, source.base))


def seal(evidence: Evidence) -> str:
    """What names the evidence: a checkpoint of other scenarios or other games is another run."""
    known = [[case.file, case.name, case.stack.rpartition("/")[2], case.text] for case in evidence.cases]
    games = [[game.marks, game.end] for game in evidence.games]
    return hashlib.sha256(json.dumps([known, games]).encode()).hexdigest()[:16]


def read_verdict(id: str, data: object) -> Verdict:
    """What a checkpoint has for a mutant, if a run writes such: it may be a stranger's."""
    by, what = checked(data, (str, str))
    if by not in VERDICTS:
        raise DamagedError("it is no verdict")
    return Verdict(by, what)


def run(
    mutants: Sequence[Mutant],
    evidence: Evidence,
    checkpoint: Checkpoint | None,
    pool: WorkerPool,
    verdicts: dict[str, Verdict],
) -> None:
    """Fill in the verdict on every mutant; those a checkpoint has are not tried again."""
    known: Mapping[str, Verdict] = checkpoint.done if checkpoint is not None else {}
    verdicts.update({mutant.id: known[mutant.id] for mutant in mutants if mutant.id in known})
    left = [mutant for mutant in mutants if mutant.id not in verdicts]
    alive = sum(verdict.by == SURVIVES for verdict in verdicts.values())
    with progress("mutants", len(mutants)) as advance:
        advance(len(verdicts), f"{alive} alive")
        for number, verdict in pool.done(tried, (Trial(mutant, evidence) for mutant in left)):
            if checkpoint is not None:
                checkpoint.note(left[number].id, verdict.data())
            verdicts[left[number].id] = verdict
            alive += verdict.by == SURVIVES
            advance(1, f"{alive} alive")


# ----------------------------------------------------------------------- report


@frozen
class Outcome:
    """What a run of mutants has shown."""

    ruleset: str
    hash: str
    mutants: tuple[Mutant, ...]  # those that were tried
    verdicts: Mapping[str, Verdict]
    reasons: Mapping[str, str]  # by id: why it changes nothing
    texts: Mapping[str, str]
    stale: tuple[str, ...]  # argued, but there is no such mutant

    def _of(self, *by: str) -> list[Mutant]:
        return [mutant for mutant in self.mutants if self.verdicts[mutant.id].by in by]

    @property
    def sound(self) -> int:
        return len(self.mutants) - len(self._of(UNSOUND))

    @property
    def killed(self) -> int:
        return sum(self.verdicts[mutant.id].killed for mutant in self.mutants)

    @property
    def equivalent(self) -> list[Mutant]:
        return [mutant for mutant in self._of(SURVIVES) if mutant.id in self.reasons]

    @property
    def survivors(self) -> list[Mutant]:
        return [mutant for mutant in self._of(SURVIVES) if mutant.id not in self.reasons]

    @property
    def refuted(self) -> list[Mutant]:
        """Mutants that are argued to change nothing, and did."""
        return [m for m in self.mutants if m.id in self.reasons and self.verdicts[m.id].by != SURVIVES]

    @property
    def rate(self) -> float:
        """The share killed of those that could be: the argued ones do not count."""
        could = self.sound - len(self.equivalent)
        return self.killed / could if could else 1.0

    def by(self) -> dict[str, int]:
        counts = Counter(self.verdicts[mutant.id].by for mutant in self.mutants)
        return {by: counts[by] for by in KILLERS}

    def shown(self, mutant: Mutant) -> dict[str, Any]:
        was, now = excerpt(mutant, self.texts)
        return {
            "id": mutant.id,
            "file": mutant.file,
            "line": mutant.line,
            "operator": mutant.operator,
            "change": mutant.told(),
            "was": was,
            "now": now,
        }

    def data(self) -> dict[str, Any]:
        return {
            "ruleset": self.ruleset,
            "hash": self.hash,
            "mutants": self.sound,
            "killed": self.killed,
            "equivalent": len(self.equivalent),
            "survivors": [self.shown(mutant) for mutant in self.survivors],
            "rate": round(self.rate, 4),
            "killed_by": self.by(),
            "unsound": len(self._of(UNSOUND)),
            "argued": [{"id": m.id, "why": self.reasons[m.id]} for m in self.equivalent],
            "refuted": [{"id": m.id, "by": self.verdicts[m.id].data()} for m in self.refuted],
            "stale": list(self.stale),
        }
