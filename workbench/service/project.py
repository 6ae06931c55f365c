"""A project of rules as an editor has it: open texts over the files of the disk, checked as they change.

A file belongs to the stack its folder makes: a file of a game to the game, one of an overlay to the game it is on with
all it needs and the overlay. What is found is what a load of the same texts finds; only what did not change is kept.
"""

from __future__ import annotations

import gc
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from attrs import define, evolve, field, frozen

from warlock_dsl import (
    MAX_FILE_BYTES,
    OVERLAY_FILE,
    Diagnostic,
    Gathered,
    Index,
    Loaded,
    Loading,
    Span,
    available_overlays,
    check_gathered,
    default_roots,
    find_overlay,
    find_ruleset,
    finish_gathered,
    gather_texts,
    index_of,
    loaded_so_far,
    parse,
    parse_stack,
    stack_of,
    toml_error,
    toml_errors,
)

INNER = ("names", "scenarios", "mutants")  # folders inside that of a game or an overlay
GAME_FILE = "game.toml"
RULE_FILES = (".warlock", ".toml", ".csv")
MAX_KEPT = 16  # stacks


@define(eq=False)
class Analysis:
    """One stack as it was checked: what was found, and which file each text is from."""

    loaded: Loaded
    paths: Mapping[str, Path]  # by the name that places have
    broken: frozenset[str] = frozenset()  # tables that are no TOML and were read as they last were
    folders: Mapping[str, Path] = field(factory=dict)  # of the game and the overlays, the topmost last
    _index: Index | None = None

    @property
    def index(self) -> Index:
        if self._index is None:
            self._index = index_of(self.loaded)
        return self._index

    def name_of(self, path: Path) -> str:
        """The name that places in a file have; "" for one that is no part of the stack."""
        return next((name for name, known in self.paths.items() if known == path), "")

    def by_path(self) -> dict[Path, list[Diagnostic]]:
        """Every error by the file it is in; one that is in no file is told at the first."""
        found: dict[Path, list[Diagnostic]] = {path: [] for path in self.paths.values()}
        for one in self.loaded.diagnostics:
            path = self.paths.get(one.span.file) or next(iter(self.paths.values()), None)
            if path is not None:
                found[path].append(one)
        return found


@frozen
class Folders:
    """A stack as it lies on the disk: its texts, and the folder of the game and of each overlay by the names of places
    in it begin with."""

    found: Gathered
    folders: Mapping[str, Path]

    def name_of(self, path: Path) -> str:
        """The name that places in a file have, whether it is on the disk or not; "" for one that is no rules file."""
        for before, folder in self.folders.items():
            if path.parent == folder and path.suffix in RULE_FILES:
                return before + path.name
            if path.parent == folder / "names" and path.suffix == ".toml":
                return f"{before}names/{path.name}"
        return ""


@define(eq=False)
class Checked:
    """A stack as it was last checked, and with its lints if somebody has asked for them."""

    texts: Mapping[str, str]
    broken: Mapping[str, tuple[Diagnostic, ...]]
    loading: Loading
    paths: Mapping[str, Path]
    folders: Mapping[str, Path]
    analyses: dict[bool, Analysis] = field(factory=dict)

    def analysis(self, lints: bool) -> Analysis:
        if lints not in self.analyses:
            loaded = finish_gathered(self.loading) if lints else loaded_so_far(self.loading)
            shown = muted(loaded, self.broken, self.texts)
            self.analyses[lints] = Analysis(shown, self.paths, frozenset(self.broken), self.folders)
        return self.analyses[lints]


def muted(loaded: Loaded, broken: Mapping[str, tuple[Diagnostic, ...]], texts: Mapping[str, str]) -> Loaded:
    """What was found with tables as they last were: of those, as they are now, their own errors alone; and nothing to
    be played."""
    if not broken:
        return loaded
    kept = [one for one in loaded.diagnostics if one.span.file not in broken]
    errors = (*(one for found in broken.values() for one in found), *kept)
    return evolve(loaded, ruleset=None, diagnostics=errors, sources={**loaded.sources, **texts})


def home_of(path: Path) -> Path:
    """The folder of the game or overlay that a file belongs to."""
    return path.parent.parent if path.parent.name in INNER else path.parent


@define(eq=False)
class Project:
    """Texts that are open, over the files of the disk. Each file belongs to the stack of its folder, or all to the one
    that somebody has asked for by its name (`read_named`)."""

    named: Folders | None = None
    open_texts: dict[Path, str] = field(factory=dict)
    too_large: set[Path] = field(factory=set)
    good_tables: dict[Path, str] = field(factory=dict)  # the last text of each table that was TOML
    _stacks: dict[Path, tuple[str, str]] = field(factory=dict)  # the open `overlay.toml` and the stack it made
    _folders: dict[tuple[Path, str], Folders] = field(factory=dict)
    _checked: dict[Path, Checked] = field(factory=dict)

    def open(self, path: Path, text: str) -> None:
        """A text is opened or edited; one that no folder may have is not read."""
        if len(text) > MAX_FILE_BYTES:
            self.too_large.add(path)
        else:
            self.too_large.discard(path)
            self.open_texts[path] = text.replace("\r\n", "\n")

    def close(self, path: Path) -> None:
        self.open_texts.pop(path, None)
        self.too_large.discard(path)
        self.refresh()

    def refresh(self) -> None:
        """The disk has changed: everything is read anew."""
        self._folders.clear()
        self._stacks.clear()

    def text(self, path: Path) -> str:
        """The text of a file: as it is open, or as the disk has it."""
        if path in self.open_texts:
            return self.open_texts[path]
        if path.parent.name == "scenarios":
            return text_on_disk(path)
        folders = self.folders(home_of(path))
        return self.texts(folders).get(folders.name_of(path), "")

    def has(self, path: Path) -> bool:
        """Whether a file is part of a game or an overlay."""
        home = home_of(path)
        return (path.suffix == ".warlock" or self.is_home(home)) and bool(self.folders(home).name_of(path))

    def is_home(self, folder: Path) -> bool:
        """Whether a folder is that of a game or an overlay: it has rules, or a table by the name that begins one."""
        if self.named is not None:
            return folder in self.named.folders.values()
        if any(one.parent == folder and is_of_rules(one) for one in self.open_texts):
            return True
        try:
            return any(map(is_of_rules, folder.iterdir()))
        except OSError:
            return False

    # ------------------------------------------------------------ stacks

    def stack(self, home: Path) -> str:
        """The name of the stack of a folder, by its `overlay.toml` as it is open; while that is broken, as it was."""
        text = self.open_texts.get(home / OVERLAY_FILE)
        known = self._stacks.get(home)
        if known is None or (text is not None and known[0] != text and toml_error(text, OVERLAY_FILE) is None):
            sound = text is not None and toml_error(text, OVERLAY_FILE) is None
            self._stacks[home] = known = (text or "", stack_of(home, text if sound else None))
        return known[1]

    def folders(self, home: Path) -> Folders:
        """The stack of a folder, read once until the disk changes."""
        if self.named is not None:
            return self.named
        name = self.stack(home)
        if (home, name) not in self._folders:
            if len(self._folders) >= MAX_KEPT:
                del self._folders[next(iter(self._folders))]
            self._folders[home, name] = read_stack(home, name)
        return self._folders[home, name]

    def texts(self, folders: Folders) -> dict[str, str]:
        """Every text of a stack by the name that places have, those that are open as they are."""
        found = dict(folders.found.files)
        found |= {f"+{use.name}/{file}": text for use, more in folders.found.overlays for file, text in more.items()}
        for path, text in self.open_texts.items():
            name = folders.name_of(path)
            if name:
                found[name] = text
        return found

    def on_top(self, path: Path, words: Collection[str]) -> list[Analysis]:
        """The other stacks of the same game that have one of some words in a text of their own: the game, the overlays
        on it."""
        home = self.top() or home_of(path)
        folders = self.folders(home)
        around = self if self.named is None else Project(open_texts=self.open_texts, good_tables=self.good_tables)
        base = folders.folders.get("", home)
        roots = default_roots([base.parent])
        homes = [base, *(one.path.resolve() for one in available_overlays(folders.found.name, roots))]
        wanted = re.compile(rf"(?<![\w-])(?:{'|'.join(map(re.escape, sorted(words)))})(?![\w-])")
        found = []
        for other in homes:
            own = (self.open_texts.get(file) or text_on_disk(file) for file in own_files(other))
            if other != home and any(wanted.search(text) for text in own):
                found.append(around.check(other / (OVERLAY_FILE if other != base else GAME_FILE)))
        return found

    def top(self) -> Path | None:
        """The topmost folder of the stack that somebody has asked for."""
        homes = list(self.named.folders.values()) if self.named is not None else []
        return homes[-1] if homes else None

    # ------------------------------------------------------------ checking, in waves

    def syntax(self, path: Path) -> list[Diagnostic]:
        """The syntax errors of one open file, at once."""
        name, text = path.name, self.open_texts.get(path, "")
        if path in self.too_large:
            message = f"this file is larger than {MAX_FILE_BYTES:,} characters, and is not read"
            return [Diagnostic("W252", message, Span(name, 1, 1, 1, 1))]
        if path.suffix == ".warlock":
            return parse(text, name)[1]
        if not self.is_home(home_of(path)):
            return []  # some other table, which is nobody's business
        error = toml_error(text, name) if path.suffix == ".toml" else None
        return [] if error is None else [error]

    def check(self, path: Path, lints: bool = True) -> Analysis:
        """The stack that a file belongs to, checked; the lints take longer."""
        home = self.top() or home_of(path)
        folders = self.folders(home)
        texts = self.texts(folders)
        known = self._checked.get(home)
        if known is None or known.texts != texts:
            paths = {name: _path(name, folders.folders) for name in texts}
            read, broken = self.mended(texts, paths)
            loading = check_gathered(with_texts(folders.found, read))
            known = Checked(texts, broken, loading, paths, folders.folders)
            if home not in self._checked and len(self._checked) >= MAX_KEPT:
                del self._checked[next(iter(self._checked))]
            self._checked[home] = known
        return known.analysis(lints)

    def check_texts(self, found: Gathered) -> Loaded:
        """Texts that somebody else has read, checked with all that is kept from before."""
        texts = dict(found.files)
        texts |= {f"+{use.name}/{file}": text for use, more in found.overlays for file, text in more.items()}
        read, broken = self.mended(texts, {name: Path(found.name, name) for name in texts}, False)
        return muted(finish_gathered(check_gathered(with_texts(found, read))), broken, texts)

    def mended(
        self, texts: Mapping[str, str], paths: Mapping[str, Path], on_disk: bool = True
    ) -> tuple[dict[str, str], dict[str, tuple[Diagnostic, ...]]]:
        """The texts with every broken table as it was when it was last TOML, and the errors of those."""
        read, broken = dict(texts), {}
        for name, text in texts.items():
            path = paths[name]
            if path.suffix != ".toml":
                continue
            errors = toml_errors(text, name)
            if not errors:
                self.good_tables[path] = text
                continue
            good = self.good_tables.get(path) or (text_on_disk(path) if on_disk else "")
            if good and not toml_errors(good, name):
                read[name], broken[name] = good, errors
        return read, broken


def is_of_rules(path: Path) -> bool:
    """Whether a file makes its folder one of rules."""
    return path.suffix == ".warlock" or path.name in (GAME_FILE, OVERLAY_FILE)


def check_often() -> None:
    """For a process that checks again and again: checked programs are large and short-lived, and Python looks for rings
    among them so often that it takes a tenth of the time."""
    gc.set_threshold(20_000, 20, 20)


def own_files(home: Path) -> list[Path]:
    return [file for file in sorted(home.rglob("*")) if file.suffix in RULE_FILES and file.is_file()]


def text_on_disk(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8", errors="replace").replace("\r\n", "\n")
    except (OSError, ValueError):
        return ""


def _path(name: str, folders: Mapping[str, Path]) -> Path:
    before, slash, rest = name.partition("/")
    return folders[before + slash] / rest if name.startswith("+") else folders[""] / name


def read_stack(home: Path, name: str) -> Folders:
    """The stack that a folder makes, with the texts of the disk."""
    overlay = (home / OVERLAY_FILE).is_file()
    return read_named(name, default_roots([home.parent.parent.parent / "rules"] if overlay else [home.parent]))


def read_named(name: str, roots: Sequence[Path]) -> Folders:
    """A stack by its name, with the texts of the disk."""
    found = gather_texts(name, roots)
    stack = parse_stack(name)
    folders: dict[str, Path] = {}
    base = find_ruleset(name if isinstance(stack, str) else stack.base, roots)
    if base is not None:
        folders[""] = base.resolve()
    for use, _ in found.overlays:
        asked = () if isinstance(stack, str) else stack.uses
        wanted = next((one.name for one in asked if Path(one.name).name == use.name), use.name)
        place = find_overlay(found.name, wanted, roots)
        if place is not None:
            folders[f"+{use.name}/"] = place.resolve()
    return Folders(found, folders)


def with_texts(found: Gathered, texts: Mapping[str, str]) -> Gathered:
    """What was gathered with other texts; a file that is new is there, too."""
    own = {name: texts[name] for name in _as_on_disk(texts) if not name.startswith(("+", "std/"))}
    overlays = tuple((use, dict(_below(f"+{use.name}/", texts))) for use, _ in found.overlays)
    return evolve(found, files=own, overlays=overlays)


def _below(before: str, texts: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    return ((name[len(before) :], texts[name]) for name in _as_on_disk(texts) if name.startswith(before))


def _as_on_disk(names: Iterable[str]) -> list[str]:
    """In the order in which a folder is read: its files, then those of its catalogues."""
    return sorted(names, key=lambda name: ("names/" in name, name))
