"""`warlock derive`: the smallest overlay that turns one ruleset into another, tested before it is printed."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from pathlib import Path
from typing import Any

from warlock_dsl import OVERLAY_NAME, Loaded, Severity, Unit, Use, built_on, load_files, overlay_files, render_text
from warlock_dsl import derive as differences
from workbench.support.arguments import add_folder, add_ruleset, output
from workbench.support.errors import UsageError
from workbench.support.files import write_folder
from workbench.support.output import put_json, put_text, say
from workbench.support.rulesets import roots, sound_ruleset

DEFAULT_NAME = "derived"


EXAMPLES = (
    ("warlock derive maldorf maldorf+fr", "print what the French edition changes"),
    ("warlock derive maldorf copy/maldorf --out variants/maldorf/house", "turn a changed copy into an overlay"),
)


def add_arguments(parser: ArgumentParser) -> None:
    what = parser.add_argument_group("what to compare")
    add_ruleset(what, "a", "the ruleset to begin with", "A")
    add_ruleset(what, "b", "the ruleset it is to become", "B")
    out = output(parser)
    out.add_argument("--name", metavar="NAME", help="what the overlay is called (default: as its folder, or derived)")
    add_folder(out, "--out", "write the overlay into this new folder (default: print it)")


def run(arguments: Namespace) -> int:
    """Print the overlay, or write it into a folder."""
    where = roots(arguments)
    old, a = sound_ruleset(arguments.a, where)
    new, b = sound_ruleset(arguments.b, where)
    name = _name(arguments, a)
    units = differences(a, b)
    language = new.language if new.language != old.language else ""
    below = built_on(a, units)
    about = f"What turns {old.name} into {new.name}"
    files = overlay_files(units, a.name, name, about, below, language) if units else {}
    if units:
        _try(a, b, name, files)
    written = write_folder(Path(arguments.out), files) if arguments.out and units else []
    if arguments.json:
        put_json(
            {
                "from": {"ruleset": old.name, "hash": old.hash},
                "to": {"ruleset": new.name, "hash": new.hash},
                "overlay": name,
                "builds_on": below,
                "units": [_data(unit) for unit in units],
                "files": files,
                "written": written,
            }
        )
    elif not units:
        say(f"{old.name} and {new.name} say the same: there is nothing to derive")
    elif written:
        for file in written:
            say(f"written: {file}")
        many = "1 difference" if len(units) == 1 else f"{len(units)} differences"
        say(f"{many}; {old.name}+{arguments.out} is {new.name}")
    else:
        for file, text in files.items():
            put_text(f"-- {file} --\n{text}")
    return 0


def _name(arguments: Namespace, a: Loaded) -> str:
    """What the overlay is called: as its folder is, or as it was asked for."""
    folder = Path(arguments.out).resolve().name if arguments.out else ""
    name: str = arguments.name or folder or DEFAULT_NAME
    if folder and name != folder:
        raise UsageError(f"an overlay is called like its folder: '{folder}' is not '{name}'")
    if not OVERLAY_NAME.match(name):
        raise UsageError(f"'{name}' is no name for an overlay: small letters, digits and underscores")
    if name in {use.name for use, _ in a.stack}:
        raise UsageError(f"there is an overlay '{name}' in {a.name} already; take another --name")
    return name


def _try(a: Loaded, b: Loaded, name: str, files: dict[str, str]) -> None:
    """Put the overlay on the first ruleset: the result must be the second, to the last word."""
    again = load_files(a.base, a.name, (), (*a.stack, (Use(name), files)))
    if again.ruleset is None:
        errors = [one for one in again.diagnostics if one.severity is Severity.ERROR]
        raise UsageError("no overlay says this difference:\n" + render_text(errors, again.sources).rstrip("\n"), 1)
    left = differences(again, b)
    if left:
        raise UsageError(f"no overlay says this difference; what is left over: {', '.join(u.target for u in left)}", 1)


def _data(unit: Unit) -> dict[str, Any]:
    return {
        "target": unit.target,
        "verb": unit.verb,
        "was": unit.was_text,
        "now": unit.now_text,
        "ids": list(unit.ids),
        **({"before": unit.before} if unit.before else {}),
    }
