"""Plays random rulesets on two machines. On the command line: `python -m tests.random_rules.search --cases 2000`."""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator

from attrs import define, field, frozen

from interpreter import Machine, machine_for
from interpreter.ir.lower import lower
from interpreter.plain.machine import PlainMachine
from interpreter.state.layout import Layout
from tests.random_rules.loading import load_case
from tests.random_rules.lockstep import USUAL, Difference, Plan, Played, compare
from tests.random_rules.rulebook import Case, seeded_case
from warlock_dsl.ruleset import Ruleset

Maker = Callable[[Ruleset, int, bool], Machine | None]  # of a machine; None for a ruleset that it cannot play


def plain_machine(ruleset: Ruleset, players: int, laws: bool) -> PlainMachine:
    layout = Layout(ruleset.program, ruleset.components, players)
    return PlainMachine(layout, lower(ruleset.program), laws)


def backend(name: str) -> Maker:
    """The machine of a backend, where it is really that one that plays."""

    def make(ruleset: Ruleset, players: int, laws: bool) -> Machine | None:
        found = machine_for(ruleset, players, laws, name)
        return None if type(found) is PlainMachine and name != "plain" else found

    return make


@frozen
class Finding:
    """A random ruleset on which two machines do not agree."""

    seed: int
    case: Case
    difference: Difference

    def __str__(self) -> str:
        return f"case {self.seed}, {self.case.players} players, {self.difference}\n{self.case.text()}"


@define
class Tally:
    """How a search went."""

    cases: int = 0
    refused: int = 0
    left_out: int = 0  # the other machine does not play them
    decisions: int = 0
    endings: Counter[str] = field(factory=Counter)
    findings: list[Finding] = field(factory=list)

    @property
    def refused_share(self) -> float:
        return self.refused / max(self.cases, 1)


def rulesets(seeds: Iterable[int], without: Collection[str], tally: Tally) -> Iterator[tuple[int, Case, Ruleset]]:
    """The random rulesets of some seeds that the checker takes; the others are counted."""
    for seed in seeds:
        case = seeded_case(seed, without)
        loaded = load_case(case.files)
        tally.cases += 1
        if loaded.ruleset is None:
            tally.refused += 1
        else:
            yield seed, case, loaded.ruleset


def difference_of(
    ruleset: Ruleset, players: int, seed: int, other: Maker, plan: Plan, one: Maker = plain_machine
) -> Difference | Played | None:
    """How a ruleset is played by both machines; with laws for even seeds. None where one does not play it."""
    machines = [make(ruleset, players, seed % 2 == 0) for make in (one, other)]
    if machines[0] is None or machines[1] is None:
        return None
    return compare(machines[0], machines[1], seed, plan)


def search(
    seeds: Iterable[int],
    other: Maker,
    plan: Plan = USUAL,
    without: Collection[str] = (),
    max_findings: int = 1,
) -> Tally:
    """Play random rulesets on the plain machine and on another, until so many differences are found."""
    tally = Tally()
    for seed, case, ruleset in rulesets(seeds, without, tally):
        found = difference_of(ruleset, case.players, seed, other, plan)
        if isinstance(found, Difference):
            tally.findings.append(Finding(seed, case, found))
            if len(tally.findings) >= max_findings:
                break
        elif found is None:
            tally.left_out += 1
        else:
            tally.decisions += found.decisions
            tally.endings[found.ending] += 1
    return tally


def main() -> None:
    parser = argparse.ArgumentParser(description="random rulesets on two machines")
    parser.add_argument("--cases", type=int, default=200)
    parser.add_argument("--first", type=int, default=0, help="the number of the first case")
    parser.add_argument("--backend", default="plain", help="what is compared with the plain machine")
    parser.add_argument("--without", default="", help="forms and features to leave out, with commas")
    parser.add_argument("--work", action="store_true", help="compare the work that is counted, too")
    parser.add_argument("--findings", type=int, default=1, help="stop after so many differences")
    parser.add_argument("--print", action="store_true", help="print the files of the cases, and play nothing")
    given = parser.parse_args()
    without = given.without.split(",")
    seeds = range(given.first, given.first + given.cases)
    if given.print:
        for seed in seeds:
            print(seeded_case(seed, without).text())
        return
    plan = Plan(work=given.work, log=given.backend == "plain")
    tally = search(seeds, backend(given.backend), plan, without, given.findings)
    for finding in tally.findings:
        print(finding)
    print(f"{tally.cases} cases, {tally.refused} refused, {tally.left_out} left out, {tally.decisions} decisions")
    for ending, count in tally.endings.most_common(12):
        print(f"{count:6} {ending}")


if __name__ == "__main__":
    main()
