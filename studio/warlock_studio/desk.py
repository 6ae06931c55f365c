"""What one page works on, in a process of its own: the files of a stack as they are open, and a table that plays them.

All of it is the workbench's: this only says what was asked for, and puts what was found into messages.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from interpreter import PlayError
from warlock_dsl import (
    Diagnostic,
    Gathered,
    Loaded,
    Loading,
    Ruleset,
    available_overlays,
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
from warlock_studio.compare import CompareDesk
from warlock_studio.files import Autosave, FileError, Folder, digest, read
from warlock_studio.jobs import MAX_GAMES
from warlock_studio.scenarios import ScenarioDesk
from warlock_studio.table import TableDesk
from warlock_studio.texts import TextDesk
from warlock_studio.worker import Json, Opened, RefusedError
from workbench.players.registry import KINDS
from workbench.service.margin import changed
from workbench.service.project import Project, muted, own_files, with_texts
from workbench.support.errors import UsageError
from workbench.support.ruleset_source import source_of

MAX_LENGTH = 4_000_000  # characters of a text
MAX_WANTED = 400  # differences that positions are looked for
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
        self.good: Loaded | None = None  # the last that was sound, and the one before it
        self.before: Loaded | None = None
        self.stamps: dict[Path, tuple[int, int]] = {}  # of the files as they were read
        self.table = TableDesk(self)
        self.texts = TextDesk(self)
        self.scenarios = ScenarioDesk(self)
        self.comparison = CompareDesk(self)
        self.methods: dict[str, Callable[[Json], Any]] = {
            "project/open": self.open_project,
            "job/words": self.job_words,
            **self.texts.methods(),
            **self.table.methods(),
            **self.scenarios.methods(),
            **self.comparison.methods(),
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
        return bool(self.due) or self.scenarios.running is not None

    def go_on(self) -> None:
        """Do the next thing that is left to do: a wave of diagnostics, then one scenario after another."""
        if not self.due:
            self.scenarios.go_on()
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
        self.good = self.before = None
        self.read_disk()
        self.due = ["check", "lints"]
        return {
            "stack": stack,
            "folder": str(self.opened.folder),
            "files": self.files(),
            "lacks": self.lacks(),
            "keywords": sorted(KEYWORDS),
            "stacks": self.known_stacks(),
        }

    def read_disk(self) -> None:
        """The texts of the stack, and where each comes from."""
        self.found, self.paths = self.texts_of(self.stack)
        self.stamps = self.stamped()

    def texts_of(self, stack: str) -> tuple[Gathered, dict[str, Path]]:
        """The texts of a stack as the disk has them, and the file each is in."""
        found = gather_texts(stack, self.roots)
        read = parse_stack(stack)
        folders: dict[str, Path] = {}
        base = None if isinstance(read, str) else find_ruleset(read.base, self.roots)
        if base is not None:
            folders[""] = base.resolve()
        for use, _ in found.overlays:
            asked = () if isinstance(read, str) else read.uses
            wanted = next((one.name for one in asked if Path(one.name).name == use.name), use.name)
            place = find_overlay(found.name, wanted, self.roots)
            if place is not None:
                folders[f"+{use.name}/"] = place.resolve()
        names = [*found.files, *(f"+{use.name}/{file}" for use, more in found.overlays for file in more)]
        paths = {}
        for name in names:
            before, slash, rest = name.partition("/") if name.startswith("+") else ("", "", name)
            if before + slash in folders:
                paths[name] = folders[before + slash] / rest
        return found, paths

    @property
    def roots(self) -> list[Path]:
        places = (self.opened.folder, *self.opened.rules)
        return default_roots([root for place in places for root in rules_roots(place)])

    def gathered(self, stack: str) -> Gathered:
        """The texts of any stack, those that are open here as they are."""
        found, paths = self.texts_of(stack)
        if found.missing:
            raise RefusedError(found.missing[0].message)
        open_texts = self.project.open_texts
        texts = {**found.files, **{f"+{use.name}/{file}": text for use, more in found.overlays
                                   for file, text in more.items()}}  # fmt: skip
        return with_texts(found, {name: open_texts.get(paths.get(name, Path()), text) for name, text in texts.items()})

    def known_stacks(self) -> list[str]:
        """The game that is open, and each overlay there is on it: what a stack can be made of."""
        assert self.found is not None
        name = self.found.name
        return [name, *(f"{name}+{one.name}" for one in available_overlays(name, self.roots))] if name else []

    # ------------------------------------------------------------ the disk, while the page is open

    def stamped(self) -> dict[Path, tuple[int, int]]:
        """When the files of the stack were last written, and how long they are."""
        homes = {path.parent for path in self.paths.values() if path.parent.name != "names"}
        found = {}
        for file in [file for home in homes for file in own_files(home)]:
            with suppress(OSError):
                about = file.stat()
                found[file] = (about.st_mtime_ns, about.st_size)
        return found

    def watch(self) -> None:
        """See whether somebody else has written a file. One that is not edited here is read again; of one that is, the
        page is told what the disk has."""
        if self.found is None or self.stamped() == self.stamps:
            return
        before = {name: self.on_disk(name) for name in self.paths}
        self.read_disk()
        told = []
        for name, path in self.paths.items():
            now, was = self.on_disk(name), before.get(name)
            if now == was:
                continue
            edited = self.project.open_texts.get(path)
            if edited is not None and edited in (now, was):
                del self.project.open_texts[path]
                edited = None
            told.append({"name": name, "text": now, "known": digest(now), "edited": edited is not None})
        self.version += 1
        self.due = ["check", "lints"]
        if self.ruleset is not None:
            self.scenarios.again(self.ruleset)
        self.tell("disk/changed", {"changed": told, "files": self.files()})

    # ------------------------------------------------------------ the files of the stack

    def lacks(self) -> list[str]:
        """What is wrong with the stack as a whole, where nothing of it can be shown."""
        found = self.found
        return [] if found is None else [one.message for one in found.missing]

    def files(self) -> list[Json]:
        scenarios = {name: path for name, path in self.scenarios.files().items() if self.folder.inside(path)}
        return [
            {"name": name, "path": str(path), "own": self.folder.inside(path), "dirty": self.is_dirty(name, path)}
            for name, path in {**self.paths, **scenarios}.items()
        ]

    def is_dirty(self, name: str, path: Path) -> bool:
        """Whether a file is open with another text than the disk has."""
        return path in self.project.open_texts and self.project.open_texts[path] != self.on_disk(name)

    def path_of(self, name: str) -> Path:
        """The file of a name: one of the stack, or a scenario of it."""
        path = self.paths.get(name) or self.scenarios.files().get(name)
        if path is None:
            raise RefusedError("there is no such file in this stack")
        return path

    def text_of(self, name: str) -> str:
        """A text of the stack as it is open, or as the disk has it."""
        path = self.path_of(name)
        if path in self.project.open_texts:
            return self.project.open_texts[path]
        return self.on_disk(name)

    def on_disk(self, name: str) -> str:
        assert self.found is not None
        if name not in self.paths:
            return read(self.path_of(name))
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
        self.autosave.keep(path, text)  # last: one that is refused does not keep the rules from being tried

    def job_words(self, params: Json) -> Any:
        """What a job is begun with: the rules as they are now, packed for another process."""
        kind = str(params["kind"])
        if kind == "compare":
            return self.comparison.words(list(params["wanted"])[:MAX_WANTED])
        loaded = self.up_to_date()
        if loaded.ruleset is None:
            raise RefusedError("the rules have errors: mend these first")
        ruleset = loaded.ruleset
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
        if name not in self.paths:  # a scenario: it changes no rule
            if self.ruleset is not None:
                self.scenarios.again(self.ruleset)
            return
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
        if found is None:
            return
        self.before, self.good = self.good, self.loaded
        if self.ruleset is None or self.ruleset.hash != found.hash:
            self.ruleset = found
            self.table.rules_changed()
        if self.before is None or self.before.ruleset is None or self.before.ruleset.hash != found.hash:
            self.scenarios.again(found)

    def changed_addresses(self) -> frozenset[str]:
        """What the last change of the rules has changed."""
        return frozenset() if self.good is None else changed(self.before, self.good)

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
