"""Find and load the ruleset a command names: each at most once a process, and from the cache where that is enough."""

from __future__ import annotations

import json
from argparse import Namespace
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from attrs import asdict, frozen

from warlock_dsl import (
    Gathered,
    available,
    default_roots,
    find_ruleset,
    gather_texts,
    is_plain_name,
    rules_roots,
    stack_of,
)
from workbench.support import cache
from workbench.support.errors import UsageError

if TYPE_CHECKING:
    # The checker is loaded where something has to be checked: `warlock check` of what is known takes a tenth without.
    from warlock_dsl import Loaded, Ruleset

Check = Callable[[Gathered], "Loaded"]
NO_TOML = ("W201", "W202")
GAME, OVERLAY = "game.toml", "overlay.toml"  # the files that make a folder a game or an overlay
MAX_KEPT = 64
_loaded: dict[str, Loaded] = {}  # what this process has checked, by the key of its texts


def roots(arguments: Namespace) -> list[Path]:
    """Where rulesets are looked for: the folders given with --rules first."""
    given = [Path(folder) for folder in [*arguments.rules, *arguments.more_rules]]
    for folder in given:
        if not folder.is_dir():
            raise UsageError(f"--rules: there is no folder {folder}")
    return default_roots([root for folder in given for root in rules_roots(folder)])


def full_name(name: str, where: list[Path]) -> str:
    """The name to load for what a person wrote: a bare name may be a game or an overlay in the current folder, too, and
    the folder of an overlay is the game it is on, with all it needs and the overlay."""
    try:
        folder = find_ruleset(name, where)
        if folder is None and any((Path(name) / file).is_file() for file in (GAME, OVERLAY)):
            folder = Path(name).resolve()
            name = str(folder)
        if folder is not None and (folder / OVERLAY).is_file():
            return stack_of(folder.resolve())
    except (OSError, ValueError):
        pass
    return name


def named_in_file(name: object, file: Path | str) -> str:
    """The name of a ruleset that stands in a file. A file may be a stranger's: it names a ruleset, never a path; that
    is for the person at the command line to give."""
    if not isinstance(name, str):
        raise UsageError(f"{file} does not name its ruleset; name it with --ruleset", 1)
    if not is_plain_name(name):
        raise UsageError(f"{file} names its ruleset by a path, '{name[:60]}'; name it yourself with --ruleset", 1)
    return name


def found_texts(name: str, where: list[Path]) -> Gathered:
    """The texts of a ruleset that must be there: UsageError, with what was meant perhaps, where it is not."""
    found = gather_texts(full_name(name, where), where)
    if found.missing:
        raise UsageError("; ".join(f"{one.message}; {one.hint}" if one.hint else one.message for one in found.missing))
    return found


def load_named(name: str, where: list[Path]) -> Loaded:
    """The ruleset of a name, or in a folder given by its path, with all its errors."""
    return _checked(gather_texts(full_name(name, where), where))


def load_playable(name: str, where: list[Path]) -> Loaded:
    """The same with no warning or note that takes long to find: what is only to be played."""
    from warlock_dsl import load_for_play

    found = gather_texts(full_name(name, where), where)
    if found.errors or found.missing:
        return load_named(name, where)
    return load_for_play(found.files, found.name, found.overlays)


def _checked(found: Gathered, check: Check | None = None) -> Loaded:
    """Check these texts, unless this process has done so before."""
    from warlock_dsl import load_gathered

    run = check or load_gathered
    if found.errors or found.missing:
        return run(found)
    key = cache.key_of("ruleset", found.texts())
    if key not in _loaded:
        if len(_loaded) >= MAX_KEPT:
            del _loaded[next(iter(_loaded))]
        _loaded[key] = run(found)
    return _loaded[key]


def sound_ruleset(name: str, where: list[Path]) -> tuple[Ruleset, Loaded]:
    """The ruleset, if it can be played, with its texts; else a UsageError with every error."""
    loaded = _checked(found_texts(name, where))
    if loaded.ruleset is None:
        from warlock_dsl import Severity, render_text

        errors = [one for one in loaded.diagnostics if one.severity is Severity.ERROR]
        raise UsageError(render_text(errors, loaded.sources).rstrip("\n"), 1)
    return loaded.ruleset, loaded


def fresh_ruleset(name: str, where: list[Path]) -> Ruleset:
    """The ruleset, checked anew whatever is known of it: to measure what that takes."""
    _loaded.clear()
    return sound_ruleset(name, where)[0]


def playable(name: str, where: list[Path]) -> Ruleset:
    """The ruleset alone, if it can be played, from the cache where it was checked before; else a UsageError."""
    from warlock_dsl import ArchiveError, pack_ruleset, unpack_ruleset

    found = found_texts(name, where)
    if found.errors:
        return sound_ruleset(name, where)[0]
    key = cache.key_of("ruleset", found.texts())
    known = _loaded.get(key)
    if known is not None and known.ruleset is not None:
        return known.ruleset
    kept = cache.read(key)
    if kept is not None:
        try:
            return unpack_ruleset(kept)
        except ArchiveError:
            pass
    ruleset, _ = sound_ruleset(name, where)
    cache.write(key, pack_ruleset(ruleset))
    return ruleset


# -------------------------------------------------------------------- summary


@frozen
class Summary:
    """What a check found: enough to report it, and for a list of games, without the ruleset."""

    name: str  # of the stack; "" after an error
    hash: str | None
    title: str
    players: Sequence[int] | None  # the fewest and the most
    counts: Mapping[str, int]  # of the diagnostics by severity
    diagnostics: Sequence[Mapping[str, Any]]
    text: str  # the diagnostics without notes, for people
    text_with_notes: str


def summary(name: str, where: list[Path], check: Check | None = None) -> Summary:
    """Check a ruleset, or say what is known of the same texts from an earlier check. `check` checks texts that were
    read, if it is not to be done from nothing."""
    found = found_texts(name, where)
    if found.errors:
        return _summarised(_checked(found, check))
    key = cache.key_of("summary", found.texts())
    kept = cache.read(key)
    if kept is not None:
        try:
            return Summary(**json.loads(kept))
        except (ValueError, TypeError):
            pass
    loaded = _checked(found, check)
    made = _summarised(loaded)
    if any(one.code in NO_TOML for one in loaded.diagnostics):
        return made  # a table that somebody edits may have been read as it was before
    cache.write(key, json.dumps(asdict(made)))
    return made


def _summarised(loaded: Loaded) -> Summary:
    from warlock_dsl import Severity, render_json, render_text
    from workbench.language.sentences import Words

    ruleset = loaded.ruleset
    louder = [one for one in loaded.diagnostics if one.severity is not Severity.NOTE]
    return Summary(
        ruleset.name if ruleset is not None else "",
        ruleset.hash if ruleset is not None else None,
        Words(ruleset).title() if ruleset is not None else "",
        [ruleset.components.min_players, ruleset.components.max_players] if ruleset is not None else None,
        {severity.value: loaded.count(severity) for severity in Severity},
        render_json(loaded.diagnostics),
        render_text(louder, loaded.sources),
        render_text(loaded.diagnostics, loaded.sources),
    )


# ---------------------------------------------------------------------- games


@frozen
class GameEntry:
    """A game that can be played by its name."""

    name: str
    path: Path
    about: str  # a line about it, or ""
    summary: Summary

    @property
    def players(self) -> str:
        """How many play, as people write it."""
        return "–".join(map(str, dict.fromkeys(self.summary.players or ())))  # noqa: RUF001


def games(where: list[Path]) -> list[GameEntry]:
    """Every ruleset that can be found by name."""
    found = []
    for one in available(where):
        known = summary(str(one.path), where)
        found.append(GameEntry(one.name, one.path, _about(one.path, known.title), known))
    return found


def _about(folder: Path, title: str) -> str:
    """What the first line of `game.toml` says about the game, if it is a comment; without the title before it."""
    try:
        with (folder / "game.toml").open(encoding="utf-8") as file:
            line = file.readline(400)
    except (OSError, ValueError):
        return ""
    text = line.removeprefix("#").strip().partition(". ")[0].rstrip(".") if line.startswith("#") else ""
    if text.startswith((f"{title}: ", f"{title}, ")):
        text = text[len(title) + 2 :]
    return text[:1].upper() + text[1:]
