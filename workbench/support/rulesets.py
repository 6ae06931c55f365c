"""Finding and loading the ruleset a command names."""

from __future__ import annotations

from argparse import Namespace
from pathlib import Path

from warlock_dsl.diagnostics.diagnostic import Severity
from warlock_dsl.diagnostics.render import render_text
from warlock_dsl.files import default_roots, find, stack_of
from warlock_dsl.load import gather, load
from warlock_dsl.overlay.read import HEAD
from warlock_dsl.ruleset import Loaded, Ruleset
from warlock_dsl.serialize import ArchiveError, packed, unpacked
from workbench.support import cache
from workbench.support.files import UsageError


def roots(arguments: Namespace) -> list[Path]:
    """Where rulesets are looked for: the folders given with --rules first."""
    given = [Path(folder) for folder in [*arguments.rules, *arguments.more_rules]]
    for folder in given:
        if not folder.is_dir():
            raise UsageError(f"--rules: there is no folder {folder}")
    return default_roots(given)


def load_named(name: str, where: list[Path]) -> Loaded:
    """The ruleset of a name, or in a folder given by its path (a bare name may be a folder here, too).

    The folder of an overlay stands for the game it is on, with all it needs and the overlay.
    """
    return load(full_name(name, where), where)


def full_name(name: str, where: list[Path]) -> str:
    """What `load` is to be asked for."""
    try:
        folder = find(name, where)
        if folder is None and Path(name).is_dir():
            folder = Path(name).resolve()
            name = str(folder)
        if folder is not None and (folder / HEAD).is_file():
            return stack_of(folder.resolve())
    except (OSError, ValueError):
        pass
    return name


def playable(name: str, where: list[Path]) -> Ruleset:
    """The ruleset, if it can be played, from the cache where it was checked before; else trouble, with every error."""
    found = gather(full_name(name, where), where)
    if isinstance(found, Loaded) or found.errors:
        return sound_ruleset(name, where)[0]
    key = cache.key_of("ruleset", found.texts())
    kept = cache.read(key)
    if kept is not None:
        try:
            return unpacked(kept)
        except ArchiveError:
            pass
    ruleset, _ = sound_ruleset(name, where)
    cache.write(key, packed(ruleset))
    return ruleset


def sound_ruleset(name: str, where: list[Path]) -> tuple[Ruleset, Loaded]:
    """The ruleset, if it can be played; else trouble, with every error."""
    loaded = load_named(name, where)
    if loaded.ruleset is None:
        errors = [one for one in loaded.diagnostics if one.severity is Severity.ERROR]
        missing = not loaded.sources
        raise UsageError(render_text(errors, loaded.sources).rstrip("\n"), 2 if missing else 1)
    return loaded.ruleset, loaded
