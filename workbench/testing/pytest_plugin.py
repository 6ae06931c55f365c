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
    from warlock_dsl import Loaded

GAME, OVERLAY, SCENARIOS = "game.toml", "overlay.toml", "scenarios"
USUAL_GAMES = "12"


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

    @property
    def rules(self) -> Loaded:
        if self._loaded is None:
            self._loaded = loaded(self.path.parent, self.config)
        return self._loaded

    def collect(self) -> Iterator[pytest.Item]:
        yield CheckItem.from_parent(self, name="check")
        if not int(self.config.getini("warlock_games")) or self.rules.ruleset is None:
            return
        from workbench.fuzz.laws import law_names
        from workbench.fuzz.violation import FREE

        for name in law_names(self.rules.ruleset):
            yield LawItem.from_parent(self, name=f"law {name}", law=f"invariant.{name}")
        for name in FREE:
            yield LawItem.from_parent(self, name=f"free law {name}", law=name)

    def broken(self, law: str) -> str:
        """The shortest game found in which a law breaks, in words; nothing if it held."""
        if self._broken is None:
            self._broken = self._search()
        return self._broken.get(law, "")

    def _search(self) -> dict[str, str]:
        from workbench.fuzz.campaign import Plan
        from workbench.fuzz.findings import Finding, report
        from workbench.fuzz.playthrough import MAX_LENGTH
        from workbench.fuzz.search import Limits, Search
        from workbench.support.ruleset_source import source_of
        from workbench.support.workers import WorkerPool

        rules = self.rules
        assert rules.ruleset is not None
        components = rules.ruleset.components
        players = tuple(range(components.min_players, components.max_players + 1))
        plan = Plan(source_of(rules), players, int(self.config.getini("warlock_seed")), MAX_LENGTH)
        folder = self.config.rootpath / ".warlock" / self.path.parent.name
        found: dict[str, str] = {}

        def told(finding: Finding | None, data: dict[str, Any]) -> None:
            assert finding is not None
            files = f"replay {data['replay']}\nscenario {data['scenario']}\n"
            found[finding.violation.law] = found.get(finding.violation.law, "") + report(finding, rules.sources) + files

        limits = Limits(games=int(self.config.getini("warlock_games")))
        Search(rules, plan, folder, keep=False).run(WorkerPool(), limits, told, lambda *done: None)
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
