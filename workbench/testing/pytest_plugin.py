"""The pytest plugin: a folder of rules is a folder of tests. Nothing else of a repository is touched.

Collected are `overlay.toml` with a table `[overlay]` that says what it is on, `game.toml` beside `.warlock` files, and
`scenarios/*.toml` in the folders of both. Of each folder of rules the check is a test and every law is one: a short
search tries to break them. `-p no:warlock` turns the plugin off.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from warlock_dsl import Loaded, Property

GAME, OVERLAY, SCENARIOS = "game.toml", "overlay.toml", "scenarios"
USUAL_GAMES = "12"
SHARE_GAMES = 5  # games of random answers that shares are counted over, for each of those


def pytest_addoption(parser: pytest.Parser) -> None:
    text = "games that try to break the laws of each folder of rules (12; 0: laws are not tested)"
    parser.addini("warlock_games", text, default=USUAL_GAMES)
    parser.addini("warlock_seed", "what those games begin with (0)", default="0")


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    """The plugin's only reach: files of rules, by name and content."""
    if file_path.suffix != ".toml":
        return None
    if file_path.name in (GAME, OVERLAY) and is_rules(file_path.parent):
        return RulesFile.from_parent(parent, path=file_path)
    if file_path.parent.name == SCENARIOS and is_rules(file_path.parent.parent):
        return ScenarioFile.from_parent(parent, path=file_path)
    return None


def is_rules(folder: Path) -> bool:
    """Whether a folder holds a game or an overlay, as this package means them."""
    if (folder / OVERLAY).is_file():
        head = _table(folder / OVERLAY).get("overlay")
        return isinstance(head, dict) and isinstance(head.get("on"), str)
    return (folder / GAME).is_file() and any(folder.glob("*.warlock")) and "game" in _table(folder / GAME)


def _table(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        # A broken file beside rules is still theirs: the check tells what is wrong with it.
        return {"overlay": {"on": ""}, "game": {}} if any(path.parent.glob("*.warlock")) else {}


def loaded(folder: Path, config: pytest.Config) -> Loaded:
    """The ruleset a folder makes: a game, or an overlay on what it needs."""
    from workbench.support.rulesets import load_named

    return load_named(str(folder), _roots(config))


def _roots(config: pytest.Config) -> list[Path]:
    from warlock_dsl import default_roots

    return default_roots([config.rootpath / "rules"])


class Failed(Exception):
    """What a test of rules tells when it fails: a text, ready to be read."""


class RulesItem(pytest.Item):
    """A test of rules; a failure is told in words, without the innards of the machine."""

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        if isinstance(excinfo.value, Failed):
            return str(excinfo.value)
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Path, int | None, str]:
        return self.path, None, self.name


# ------------------------------------------------------------------- scenarios


class ScenarioFile(pytest.File):
    """A file of scenarios: each is a test. The file is run once."""

    _results: dict[str, str] | None = None
    _errors = ""

    def collect(self) -> Iterator[pytest.Item]:
        listed = _table(self.path).get("scenario")
        names = (
            [one["name"] for one in listed if isinstance(one, dict) and isinstance(one.get("name"), str)]
            if (isinstance(listed, list))
            else []
        )
        for name in dict.fromkeys(names or ["file"]):
            yield ScenarioItem.from_parent(self, name=name)

    def outcome(self, name: str) -> str:
        """What went wrong with a scenario, or nothing."""
        if self._results is None:
            from warlock_dsl import render_text
            from workbench.scenario.run import run_path
            from workbench.support.rulesets import load_named

            where = _roots(self.config)
            report = run_path(self.path, lambda wanted: load_named(wanted, where))
            self._errors = render_text(report.diagnostics, report.sources)
            self._results = {
                one.scenario.name: "\n".join(failure.text for failure in one.failures) for one in report.results
            }
        return self._errors or self._results.get(name, "this scenario was not run")


class ScenarioItem(RulesItem):
    def runtest(self) -> None:
        assert isinstance(self.parent, ScenarioFile)
        if told := self.parent.outcome(self.name):
            raise Failed(told)


# ------------------------------------------------------------------------ laws


class RulesFile(pytest.File):
    """A folder of rules: its check, and its laws. The search that tries to break them is run once."""

    _loaded: Loaded | None = None
    _broken: dict[str, str] | None = None
    _goals: dict[str, tuple[bool, str]] | None = None  # by what is sometimes so: whether it is a finding, and its line
    _shares: dict[str, tuple[str, str]] | None = None

    @property
    def rules(self) -> Loaded:
        if self._loaded is None:
            self._loaded = loaded(self.path.parent, self.config)
        return self._loaded

    def collect(self) -> Iterator[pytest.Item]:
        yield CheckItem.from_parent(self, name="check")
        if not self.games or self.rules.ruleset is None:
            return
        from workbench.fuzz.law_tests import law_names
        from workbench.fuzz.violation import FREE

        for name in law_names(self.rules.ruleset):
            yield LawItem.from_parent(self, name=f"law {name}", law=f"invariant.{name}")
        for name in FREE:
            yield LawItem.from_parent(self, name=f"free law {name}", law=name)
        for one in self.rules.ruleset.properties:
            yield PropertyItem.from_parent(self, name=f"{one.kind} {one.name}", one=one)

    def broken(self, law: str) -> str:
        """The shortest game found in which a law breaks, in words; nothing if it held."""
        if self._broken is None:
            self._broken = self._search()
        return self._broken.get(law, "")

    @property
    def games(self) -> int:
        return int(self.config.getini("warlock_games"))

    def tell(self, one: Property) -> tuple[str, str]:
        """The verdict on a property of many games, and what is told of it."""
        if one.kind == "sometimes":
            self.broken("")
            assert self._goals is not None
            found, line = self._goals[one.name]
            return "broken" if found else "too few" if "too few" in line else "holds", line
        return self._compared(one) if one.kind == "relation" else self._counted(one)

    def _compared(self, one: Property) -> tuple[str, str]:
        from workbench.fuzz.relations import compare_stacks, relations_of
        from workbench.support.workers import WorkerPool

        related = next(r for r in relations_of(self.rules, _roots(self.config)) if r.property.name == one.name)
        seed = int(self.config.getini("warlock_seed"))
        tests = compare_stacks(related, WorkerPool(), self._players(), seed, self.games)
        told = "\n".join(tests.lines())
        return ("broken" if tests.found else "holds" if tests.verdict == "holds" else "too few"), told

    def _counted(self, one: Property) -> tuple[str, str]:
        """Shares, over games of random answers: what is stated is seldom proven by so few, but badly wrong is seen."""
        if self._shares is None:
            from workbench.sim.games import Setup, play_one
            from workbench.sim.stated_shares import share_tests
            from workbench.support.ruleset_source import source_of

            source, seed = source_of(self.rules), int(self.config.getini("warlock_seed"))
            numbers = self._players()
            setups = [
                Setup(source, ("random",) * numbers[n % len(numbers)], seed * 100_000 + n)
                for n in range(SHARE_GAMES * self.games)
            ]
            tests = share_tests(source.ruleset(), (play_one(setup).shares for setup in setups))
            self._shares = {test.name: (test.verdict, "\n".join(test.lines())) for test in tests}
        verdict, told = self._shares[one.name]
        return verdict if verdict in ("broken", "holds") else "too few", told

    def _players(self) -> tuple[int, ...]:
        assert self.rules.ruleset is not None
        components = self.rules.ruleset.components
        return tuple(range(components.min_players, components.max_players + 1))

    def _search(self) -> dict[str, str]:
        from workbench.fuzz.campaign import Plan
        from workbench.fuzz.findings import Finding, report
        from workbench.fuzz.playthrough import MAX_LENGTH
        from workbench.fuzz.search import Limits, Search
        from workbench.support.ruleset_source import source_of
        from workbench.support.workers import WorkerPool

        rules = self.rules
        assert rules.ruleset is not None
        plan = Plan(source_of(rules), self._players(), int(self.config.getini("warlock_seed")), MAX_LENGTH)
        folder = self.config.rootpath / ".warlock" / self.path.parent.name
        found: dict[str, str] = {}

        def told(finding: Finding | None, data: dict[str, Any]) -> None:
            assert finding is not None
            files = f"replay {data['replay']}\nscenario {data['scenario']}\n"
            found[finding.violation.law] = found.get(finding.violation.law, "") + report(finding, rules.sources) + files

        search = Search(rules, plan, folder, keep=False)
        made = search.run(WorkerPool(), Limits(games=self.games), told, lambda *done: None)
        self._goals = {one.name: (one.found, one.line()) for one in made.goals}
        return found


class CheckItem(RulesItem):
    """No error and no warning."""

    def runtest(self) -> None:
        from warlock_dsl import Severity, render_text

        assert isinstance(self.parent, RulesFile)
        rules = self.parent.rules
        errors = [one for one in rules.diagnostics if one.severity is not Severity.NOTE]
        if errors:
            raise Failed(render_text(errors, rules.sources))


class LawItem(RulesItem):
    """One law, tried by the games of its folder."""

    def __init__(self, *, law: str, **more: Any) -> None:
        super().__init__(**more)
        self.law = law

    def runtest(self) -> None:
        assert isinstance(self.parent, RulesFile)
        if told := self.parent.broken(self.law):
            raise Failed(told)


class PropertyItem(RulesItem):
    """What many games show: something that is sometimes so, a share, a relation to another stack."""

    def __init__(self, *, one: Property, **more: Any) -> None:
        super().__init__(**more)
        self.one = one

    def runtest(self) -> None:
        assert isinstance(self.parent, RulesFile)
        verdict, told = self.parent.tell(self.one)
        if verdict == "broken":
            raise Failed(told)
        if verdict == "too few":
            pytest.skip(told.partition("\n")[0])
