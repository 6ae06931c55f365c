"""What one page works on, in a process of its own: the files of a stack as they are open, and a table that plays them.

All of it is the workbench's: this only says what was asked for, and puts what was found into messages.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from interpreter import PlayError
from warlock_dsl import (
    Diagnostic,
    Gathered,
    Loaded,
    Loading,
    Ruleset,
    check_gathered,
    default_roots,
    find_overlay,
    find_ruleset,
    finish_gathered,
    fixes_of,
    gather_texts,
    loaded_so_far,
    parse,
    parse_stack,
    rules_roots,
)
from warlock_dsl.syntax.keywords import KEYWORDS
from warlock_studio.files import Autosave, FileError, Folder
from warlock_studio.jobs import MAX_GAMES
from warlock_studio.live_scenarios import own_scenarios
from warlock_studio.table import TableDesk
from warlock_studio.texts import TextDesk
from warlock_studio.worker import Json, Opened, RefusedError
from workbench.players.registry import KINDS
from workbench.service.project import Project, muted, with_texts
from workbench.support.errors import UsageError
from workbench.support.ruleset_source import source_of

MAX_LENGTH = 4_000_000  # characters of a text
Told = Callable[[str, Json], None]


class Desk:
    """The project of a page, its table, and what is still to be checked."""

    def __init__(self, opened: Opened, tell: Told) -> None:
        self.opened = opened
        self.tell = tell
        self.folder = Folder(opened.folder)
        self.autosave = Autosave(self.folder)
        self.stack = opened.stack
        self.project = Project()
        self.version = 0  # of all texts: every edit is a new one
        self.due: list[str] = []  # waves of diagnostics that are still to come
        self.ruleset: Ruleset | None = None  # the last good one
        self.found: Gathered | None = None
        self.paths: dict[str, Path] = {}
        self.loaded: Loaded | None = None
        self.checking: Loading | None = None  # checked, and still without the lints
        self.broken: Mapping[str, tuple[Diagnostic, ...]] = {}  # tables that are no TOML, with their errors
        self.scenarios: Iterator[Json] | None = None  # those that are still to be run again
        self.results: list[Json] = []
        self.table = TableDesk(self)
        self.texts = TextDesk(self)
        self.methods: dict[str, Callable[[Json], Any]] = {
            "project/open": self.open_project,
            "job/words": self.job_words,
            **self.texts.methods(),
            **self.table.methods(),
        }

    # ------------------------------------------------------------ requests

    def handle(self, method: str, params: Json) -> Json:
        """The answer to a request: what is wrong with it is said, never raised."""
        found = self.methods.get(method)
        if found is None:
            return {"error": {"message": f"there is no method '{method[:60]}'"}}
        try:
            return {"result": found(params)}
        except RefusedError as error:
            return {"error": {"message": error.message, "data": error.data}}
        except FileError as error:
            return {"error": {"message": error.message, "data": {"text": error.text}}}
        except (PlayError, UsageError) as error:
            return {"error": {"message": error.message}}
        except (LookupError, TypeError, ValueError, OverflowError):
            return {"error": {"message": "the request does not say what it needs, or says it wrongly"}}
        except RecursionError:
            return {"error": {"message": "the rules are nested too deeply"}}
        except MemoryError:
            return {"error": {"message": "the rules need more memory than they are given"}}

    @property
    def busy(self) -> bool:
        """Whether there is something to do when nobody asks."""
        return bool(self.due) or self.scenarios is not None

    def go_on(self) -> None:
        """Do the next thing that is left to do: a wave of diagnostics, then one scenario after another."""
        if not self.due:
            self.next_scenario()
            return
        wave = self.due.pop(0)
        if wave == "check":
            self.check()
        elif wave == "lints":
            self.lint()

    # ------------------------------------------------------------ the stack

    def open_project(self, params: Json) -> Json:
        """Read a stack from the disk; its files, and what can be opened besides."""
        stack = str(params.get("stack") or self.stack)[:500]
        read = parse_stack(stack)
        if isinstance(read, str):
            raise RefusedError(read)
        self.stack = stack
        self.project = Project()
        self.read_disk()
        self.due = ["check", "lints"]
        return {"stack": stack, "folder": str(self.opened.folder), "files": self.files(), "lacks": self.lacks(),
                "keywords": sorted(KEYWORDS)}

    def read_disk(self) -> None:
        """The texts of the stack, and where each comes from."""
        places = (self.opened.folder, *self.opened.rules)
        roots = default_roots([root for place in places for root in rules_roots(place)])
        found = gather_texts(self.stack, roots)
        stack = parse_stack(self.stack)
        folders: dict[str, Path] = {}
        base = None if isinstance(stack, str) else find_ruleset(stack.base, roots)
        if base is not None:
            folders[""] = base.resolve()
        for use, _ in found.overlays:
            asked = () if isinstance(stack, str) else stack.uses
            wanted = next((one.name for one in asked if Path(one.name).name == use.name), use.name)
            place = find_overlay(found.name, wanted, roots)
            if place is not None:
                folders[f"+{use.name}/"] = place.resolve()
        self.found = found
        names = [*found.files, *(f"+{use.name}/{file}" for use, more in found.overlays for file in more)]
        self.paths = {}
        for name in names:
            before, slash, rest = name.partition("/") if name.startswith("+") else ("", "", name)
            if before + slash in folders:
                self.paths[name] = folders[before + slash] / rest

    def lacks(self) -> list[str]:
        """What is wrong with the stack as a whole, where nothing of it can be shown."""
        found = self.found
        return [] if found is None else [one.message for one in found.missing]

    def files(self) -> list[Json]:
        return [
            {"name": name, "path": str(path), "own": self.folder.inside(path), "open": path in self.project.open_texts}
            for name, path in self.paths.items()
        ]

    def text_of(self, name: str) -> str:
        """A text of the stack as it is open, or as the disk has it."""
        path = self.paths.get(name)
        if path is None:
            raise RefusedError("there is no such file in this stack")
        if path in self.project.open_texts:
            return self.project.open_texts[path]
        return self.on_disk(name)

    def on_disk(self, name: str) -> str:
        assert self.found is not None
        if name.startswith("+"):
            before, _, rest = name[1:].partition("/")
            return next((more[rest] for use, more in self.found.overlays if use.name == before and rest in more), "")
        return self.found.files.get(name, "")

    def edited(self, path: Path, text: str) -> None:
        if len(text) > MAX_LENGTH:
            raise RefusedError(f"a text has at most {MAX_LENGTH:,} characters")
        self.project.open(path, text)
        self.version += 1
        self.due = ["check", "lints"]
        if self.folder.inside(path):
            self.autosave.keep(path, text)

    def job_words(self, params: Json) -> Any:
        """What a job is begun with: the rules as they are now, packed for another process."""
        loaded = self.up_to_date()
        if loaded.ruleset is None:
            raise RefusedError("the rules have errors: mend these first")
        ruleset, kind = loaded.ruleset, str(params["kind"])
        minimum, maximum = ruleset.components.min_players, ruleset.components.max_players
        games, seed = max(1, min(MAX_GAMES, int(params["games"]))), int(params.get("seed") or 0)
        if kind == "sim":
            kinds = tuple(str(one) for one in params["seats"])
            if not minimum <= len(kinds) <= maximum or any(one not in KINDS for one in kinds):
                raise RefusedError(f"a bot for each of {minimum} to {maximum} seats")
            return source_of(ruleset), kinds, seed, games
        if kind == "fuzz":
            return source_of(ruleset), tuple(range(minimum, maximum + 1)), seed, games
        raise RefusedError("there is no such job")

    # ------------------------------------------------------------ diagnostics, in waves

    def syntax(self, name: str) -> None:
        text = self.text_of(name)
        errors = parse(text, name)[1] if name.endswith(".warlock") else []
        self.publish("syntax", errors, {name: text}, [name])

    def check(self) -> None:
        """Everything but the lints."""
        assert self.found is not None
        texts = {name: self.text_of(name) for name in self.paths}
        read, broken = self.project.mended(texts, self.paths)
        self.checking = check_gathered(with_texts(self.found, read))
        self.broken = broken
        self.publish("check", muted(loaded_so_far(self.checking), broken, texts).diagnostics, texts, list(self.paths))

    def lint(self) -> None:
        """The lints, and the rules if they are sound: the table goes on under these."""
        if self.checking is None:
            self.check()
        assert self.checking is not None
        texts = {name: self.text_of(name) for name in self.paths}
        self.loaded = muted(finish_gathered(self.checking), self.broken, texts)
        self.checking = None
        self.publish("lints", self.loaded.diagnostics, texts, list(self.paths))
        found = self.loaded.ruleset
        self.tell("table/rules", {"sound": found is not None, "version": self.version})
        if found is not None and (self.ruleset is None or self.ruleset.hash != found.hash):
            self.ruleset = found
            self.table.rules_changed()
            self.scenarios, self.results = own_scenarios(found, self.own_homes()), []

    def own_homes(self) -> list[Path]:
        """The folders of the games and overlays of the stack that are in the folder that was opened."""
        homes = {path.parent for path in self.paths.values() if path.parent.name != "names"}
        return sorted(home for home in homes if self.folder.inside(home))

    def next_scenario(self) -> None:
        """Run one more scenario, and tell how all of them stand."""
        assert self.scenarios is not None
        found = next(self.scenarios, None)
        if found is not None:
            self.results.append(found)
        else:
            self.scenarios = None
        self.tell("scenarios/results", {"done": found is None, "results": self.results})

    def up_to_date(self) -> Loaded:
        """The stack as it is now, checked with everything."""
        while self.due:
            self.go_on()
        assert self.loaded is not None
        return self.loaded

    def publish(self, wave: str, errors: Any, texts: dict[str, str], names: list[str]) -> None:
        """Tell what was found in these files."""
        found: dict[str, list[Json]] = {name: [] for name in names}
        for one in errors:
            name = one.span.file if one.span.file in found else names[0] if names else ""
            if name:
                found[name].append(diagnostic_data(one, texts))
        self.tell("document/diagnostics", {"wave": wave, "version": self.version, "files": found})


def diagnostic_data(one: Diagnostic, texts: dict[str, str]) -> Json:
    fixes = fixes_of(one, texts)
    return {
        "code": one.code,
        "severity": one.severity.value,
        "message": one.message,
        "label": one.label,
        "hint": str(one.hint),
        "span": span_data(one),
        "fixes": [
            {"title": fix.title, "edits": [{"span": span_data(edit), "text": edit.text} for edit in fix.edits]}
            for fix in fixes
        ],
    }


def span_data(holder: Any) -> Json:
    span = holder.span
    return {
        "file": span.file, "line": span.line, "column": span.column, "endLine": span.end_line,
        "endColumn": span.end_column,
    }  # fmt: skip


