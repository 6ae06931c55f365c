"""The trial of one mutant: is it sound, and does a scenario, a law or a recorded game tell it from the rules?"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping

from attrs import field, frozen

from warlock_dsl import OVERLAY_FILE, Ruleset, Use, load_for_play
from workbench.mutate.baseline import Case, Recorded, differs
from workbench.mutate.mutants import Mutant, RulesetTexts, altered
from workbench.scenario.run import read_scenarios, run_scenario

MAX_OVERLAYS = 4  # that are asked though nothing says that they have to do with a change
UNSOUND, SURVIVES = "unsound", "survives"
KILLERS = ("scenario", "law", "error", "game")
VERDICTS = (UNSOUND, SURVIVES, *KILLERS)
WORD = re.compile(r"[a-z_][a-z0-9_.]*")
CHANGED = re.compile(r'^at = "([^"]+)"', re.MULTILINE)


@frozen
class Evidence:
    """Everything a mutant is held against. `sources` has the texts of each stack that a case is for."""

    source: RulesetTexts = field(repr=False)
    cases: tuple[Case, ...] = field(repr=False)
    sources: Mapping[str, RulesetTexts] = field(repr=False)
    games: tuple[Recorded, ...] = field(repr=False)


@frozen
class Trial:
    mutant: Mutant
    evidence: Evidence


@frozen
class Verdict:
    """`by` is scenario, law, error, game, or: unsound, survives. `what` names the scenario or says how it showed."""

    by: str
    what: str = ""

    @property
    def killed(self) -> bool:
        return self.by not in (UNSOUND, SURVIVES)

    def data(self) -> list[str]:
        return [self.by, self.what]


def tried(trial: Trial) -> Verdict:
    """Scenarios first, those that use the changed line before the others; then the recorded games."""
    mutant, evidence = trial.mutant, trial.evidence
    rulesets: dict[str, Ruleset | None] = {}
    main = made(altered(evidence.source, mutant))
    if main is None:
        return Verdict(UNSOUND)
    for case in ordered(evidence, mutant):
        if case.stack not in rulesets:
            source = evidence.sources[case.stack]
            rulesets[case.stack] = main if source == evidence.source else made(altered(source, mutant))
        ruleset = rulesets[case.stack]
        # An overlay that no longer fits says nothing: it may only have expected the old wording.
        if ruleset is not None and not passes(ruleset, case):
            return Verdict("scenario", f"{case.file}: {case.name}")
    for game in evidence.games:
        shown = differs(main, game)
        if shown:
            by, _, what = shown.partition(": ")
            return Verdict(by, what)
    return Verdict(SURVIVES)


def made(source: RulesetTexts) -> Ruleset | None:
    """The ruleset of these texts, or None where it has errors. Not kept: no mutant comes twice."""
    overlays = [(Use(name, dict(given)), dict(files)) for name, given, files in source.stack]
    return load_for_play(dict(source.base), source.name, overlays).ruleset


def passes(ruleset: Ruleset, case: Case) -> bool:
    """Whether a scenario still comes out as written. One that cannot even be laid out does not."""
    scenarios, errors = read_scenarios(case.text, case.file, lambda _: ruleset, ruleset.name)
    return bool(scenarios) and not errors and run_scenario(ruleset, scenarios[0]).passed


def ordered(evidence: Evidence, mutant: Mutant) -> Iterator[Case]:
    """The scenarios in the order in which they are likely to tell.

    A rule that a scenario never enters cannot change it. For tables that is not so sure, as zones and counts are
    used without being read; of a game's own scenarios none is then left out. Of the overlays a few are asked: those
    that have to do with what is changed, then those whose scenarios use the line most.
    """
    rules = mutant.file.endswith(".warlock")
    own: list[tuple[int, int, Case]] = []
    foreign: list[tuple[int, int, Case]] = []
    concerned = asked(evidence, mutant)
    for case in evidence.cases:
        line = (mutant.file, mutant.line) in case.lines
        inside = any(file == mutant.file and mutant.begin <= used <= mutant.finish for file, used in case.lines)
        found = (0 if line else 1 if inside else 2, len(case.lines), case)
        if evidence.sources[case.stack] == evidence.source:
            if inside or not rules:
                own.append(found)
        elif case.stack in concerned and (inside or not rules):
            foreign.append(found)
    for group in (own, foreign):
        yield from (case for _, _, case in sorted(group, key=lambda one: one[:2]))


def asked(evidence: Evidence, mutant: Mutant) -> set[str]:
    """The overlays whose scenarios are asked about a mutant."""
    found = [stack for stack, source in evidence.sources.items() if concerns(source, evidence.source, mutant)]
    uses = Counter(case.stack for case in evidence.cases if (mutant.file, mutant.line) in case.lines)
    often = sorted((stack for stack in uses if evidence.sources[stack] != evidence.source), key=lambda s: (-uses[s], s))
    return {*found, *often[:MAX_OVERLAYS]}


def concerns(source: RulesetTexts, own: RulesetTexts, mutant: Mutant) -> bool:
    """Whether an overlay has to do with a change: it changes a figure read there, or its rules name the place."""
    text = next((text for file, text in own.base if file == mutant.file), "")
    declared = "\n".join(text.split("\n")[mutant.begin - 1 : mutant.finish])
    words = set(WORD.findall(declared))
    family, _, key = mutant.address.partition(".")
    told = rf"{family}\[{key}\]|score {key}" if key else mutant.address
    name = re.compile(rf"(?<![\w.])(?:{told})(?!\w)")
    for _, _, files in source.stack:
        for file, content in files:
            if file.endswith(".warlock") and name.search(content):
                return True
            if file == OVERLAY_FILE and any(at in words or at == mutant.address for at in CHANGED.findall(content)):
                return True
    return False
