"""The language service: one front for `warlock check`, the language server and the page.

It is given texts and is asked about them; it knows neither a protocol nor a page, and reads files only to fill in what
is not open. Files are paths, places are `Span`s with the path beside them, and lines and columns count from 1.

An edit is answered in waves: `syntax` of the file alone, `check` of its stack, then its `lints`. Each has the version
of the text it is about, so that whoever asked can drop an answer that comes too late.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Literal

from attrs import define, field, frozen

from warlock_dsl import Diagnostic, Gathered, Loaded, Ruleset, Span, Symbol, TextEdit, format_text
from workbench.scenario.model import Result
from workbench.scenario.run import read_scenarios, run_scenario
from workbench.service import actions, answers, completion, hover
from workbench.service.answers import Outline
from workbench.service.project import MAX_KEPT, Analysis, Project, home_of
from workbench.service.rename import Refusal, rename
from workbench.service.usage import Case, Usage, find_usage, scenario_texts

WaveName = Literal["syntax", "check", "lints"]


@frozen
class Location:
    """A place and the file it is in."""

    path: Path
    span: Span


@frozen(eq=False)
class Wave:
    """What is known of some files after an edit; of a file that is not there nothing is said."""

    name: WaveName
    version: int
    diagnostics: Mapping[Path, Sequence[Diagnostic]]
    analysis: Analysis | None = None  # none where one file is looked at alone


@frozen
class Lens:
    """A rule and the scenarios that make use of it; None where that is not known yet."""

    address: str
    span: Span
    cases: tuple[Case, ...] | None


@define(eq=False)
class Language:
    """The texts that are open, and every question about them."""

    project: Project = field(factory=Project)
    versions: dict[Path, int] = field(factory=dict)
    _usage: dict[Path, Usage] = field(factory=dict)

    # ------------------------------------------------------------ texts

    def open(self, path: Path, text: str, version: int = 0) -> None:
        """A text is opened or edited: from now on it is this one, whatever the disk has."""
        self.project.open(path, text)
        self.versions[path] = version

    def close(self, path: Path) -> None:
        self.versions.pop(path, None)
        self.project.close(path)

    def changed_on_disk(self) -> None:
        self.project.refresh()

    def text(self, path: Path) -> str:
        return self.project.text(path)

    def is_current(self, path: Path, wave: Wave) -> bool:
        """Whether a wave is about the text that is open now."""
        return self.versions.get(path, 0) == wave.version

    # ------------------------------------------------------------ errors

    def waves(self, path: Path) -> Iterator[Wave]:
        """What is wrong after an edit, the sooner known the earlier; each wave is found when it is asked for."""
        version = self.versions.get(path, 0)
        yield Wave("syntax", version, {path: self.project.syntax(path)})
        if path in self.project.too_large:
            return
        if not self.project.has(path):  # it may have been when it was last looked at
            yield Wave("check", version, {path: self.project.syntax(path)})
            return
        for lints in (False, True):
            found = self.project.check(path, lints)
            yield Wave("lints" if lints else "check", version, found.by_path(), found)

    def analysis(self, path: Path) -> Analysis:
        """The stack that a file belongs to, checked with its lints."""
        return self.project.check(path)

    def check_texts(self, found: Gathered) -> Loaded:
        """What a command has read, checked."""
        return self.project.check_texts(found)

    def stacks_with(self, path: Path) -> list[Path]:
        """An open file of every other stack that has a file in it: they change with it."""
        homes = {home_of(one): one for one in self.versions if one != path}
        return [one for home, one in homes.items() if home != home_of(path) and self._has(home, path)]

    def _has(self, home: Path, path: Path) -> bool:
        return bool(self.project.folders(home).name_of(path))

    # ------------------------------------------------------------ names

    def hover(self, path: Path, line: int, column: int) -> tuple[str, Span | None]:
        found = self.analysis(path)
        return hover.hover(self.project, found, path, line, column, self.usage(path))

    def completion(self, path: Path, line: int, column: int) -> list[completion.Option]:
        return completion.completion(self.project, self.analysis(path), path, line, column)

    def definitions(self, path: Path, line: int, column: int) -> list[Location]:
        found = self.analysis(path)
        return self._located(found, answers.definitions(found, path, line, column))

    def references(self, path: Path, line: int, column: int, declarations: bool = True) -> list[Location]:
        found = self.analysis(path)
        places = answers.references(found, path, line, column)
        return self._located(found, [one.span for one in places if declarations or not one.defines])

    def name_at(self, path: Path, line: int, column: int) -> Span | None:
        """The name at a place that could be renamed."""
        place = answers.place_at(self.analysis(path), path, line, column)
        return None if place is None else place.span

    def rename(self, path: Path, line: int, column: int, new: str) -> dict[Path, list[TextEdit]] | Refusal:
        return rename(self.project, path, line, column, new)

    def _located(self, found: Analysis, spans: Sequence[Span]) -> list[Location]:
        return [Location(found.paths[span.file], span) for span in spans if span.file in found.paths]

    # ------------------------------------------------------------ files

    def outline(self, path: Path) -> list[Outline]:
        return answers.outline(self.project, path, self.analysis(path))

    def symbols(self, query: str) -> list[tuple[Symbol, Location]]:
        """Every declaration of the stacks that have an open file, with a part of a word in its name."""
        found: dict[tuple[Path, Span, Symbol], None] = {}
        for path in list(self.versions):
            if self.project.has(path):
                analysis = self.analysis(path)
                for symbol, span in answers.everything(analysis, query):
                    if span.file in analysis.paths:
                        where = analysis.paths[span.file]
                        plain = Span(where.name, span.line, span.column, span.end_line, span.end_column)
                        found[where, plain, symbol] = None
        return [(symbol, Location(path, span)) for path, span, symbol in found]

    def tokens(self, path: Path) -> list[tuple[Span, str, bool]]:
        """Every name of a file: where it is, what it is, and whether it is declared there."""
        found = self.analysis(path)
        places = found.index.files.get(found.name_of(path), ())
        return [(place.span, place.symbol[0], place.defines) for place in places]

    def format(self, path: Path) -> str | None:
        """The text as `warlock fmt` lays it out; None for a text that cannot be read."""
        if path.suffix != ".warlock":
            return None
        text, errors = format_text(self.text(path), path.name)
        return None if errors else text

    def actions(self, path: Path, line: int, end_line: int) -> list[actions.Action]:
        return actions.actions_at(self.project, self.analysis(path), path, line, end_line)

    # ------------------------------------------------------------ scenarios

    def usage(self, path: Path) -> Usage | None:
        """Which scenarios use what, if it is known of the rules as they are."""
        known = self._usage.get(home_of(path))
        ruleset = self._ruleset(path)
        if known is None or ruleset is None or known.hash != ruleset.hash:
            return None
        return known if known.texts == scenario_texts(self.project, home_of(path)) else None

    def find_usage(self, path: Path) -> Iterator[None]:
        """Runs the scenarios of the game or overlay of a file; a step after another, so that others have their turn."""
        ruleset = self._ruleset(path)
        if ruleset is None or self.usage(path) is not None:
            return
        home = home_of(path)
        for found in find_usage(ruleset, scenario_texts(self.project, home)):
            if found is not None:
                if len(self._usage) >= MAX_KEPT:
                    del self._usage[next(iter(self._usage))]
                self._usage[home] = found
            yield

    def _ruleset(self, path: Path) -> Ruleset | None:
        return self.analysis(path).loaded.ruleset if self.project.has(path) else None

    def lenses(self, path: Path) -> list[Lens]:
        """The rules of a file."""
        found, usage = self.analysis(path), self.usage(path)
        made = []
        for one in answers.outline(self.project, path, found) if path.suffix == ".warlock" else ():
            if one.what == "rule":
                span = Span(found.name_of(path), one.span.line, 1, one.span.end_line, 1)
                cases = tuple(usage.of([span])) if usage is not None else None
                made.append(Lens(one.name.replace("[", ".").rstrip("]"), one.name_span, cases))
        return made

    def run_scenarios(self, path: Path, cases: Sequence[Case]) -> Iterator[Result]:
        """Runs scenarios under the rules of a file, one after another."""
        ruleset = self._ruleset(path)
        wanted = {(case.file, case.line) for case in cases}
        for file in dict.fromkeys(case.file for case in cases) if ruleset is not None else ():
            assert ruleset is not None
            text = self.text(file)
            scenarios, _ = read_scenarios(text, file.as_posix(), lambda _: ruleset, ruleset.name)
            for scenario in scenarios:
                if (file, scenario.span.line) in wanted:
                    yield run_scenario(ruleset, scenario)


__all__ = ["Language", "Lens", "Location", "Refusal", "Wave"]
