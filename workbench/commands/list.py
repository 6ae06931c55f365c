"""`warlock list`: the games that can be played, a line about each, and the overlays on them."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from warlock_dsl import FoundRuleset, available, available_overlays, read_folder
from workbench.support.arguments import completes, output
from workbench.support.errors import UsageError
from workbench.support.output import console, put_json, say
from workbench.support.rulesets import GameEntry, games, roots

EXAMPLES = (
    ("warlock list", "the games, with the names of their overlays"),
    ("warlock list maldorf", "what each overlay on a game changes, and its parameters"),
    ("warlock list --long", "everything, with hashes and folders"),
)


def add_arguments(parser: ArgumentParser) -> None:
    group = parser.add_argument_group("what to list")
    completes(group.add_argument("game", nargs="?", metavar="GAME", help="one game (default all)"), "ruleset")
    group.add_argument("--names", action="store_true", help="only the names of games and stacks, one a line; quick")
    out = output(parser)
    out.add_argument("--long", action="store_true", help="the overlays in full, and the hash and folder of each game")


def run(arguments: Namespace) -> int:
    where = roots(arguments)
    if arguments.names:
        return _names(where)
    found = games(where)
    if arguments.game:
        known = [entry.name for entry in found]
        found = [entry for entry in found if entry.name == arguments.game]
        if not found:
            from warlock_dsl import suggest

            raise UsageError(f"there is no ruleset '{arguments.game}'; {suggest(arguments.game, known, 'rulesets')}")
    overlays = {entry.name: available_overlays(entry.name, where) for entry in found}
    if arguments.json:
        put_json({"rulesets": [_data(entry, overlays[entry.name]) for entry in found]})
    elif not found:
        say("no rulesets found")
    elif arguments.game or arguments.long:
        for entry in found:
            _print_in_full(entry, overlays[entry.name], arguments.long)
    else:
        print_games(found, {name: [one.name for one in more] for name, more in overlays.items()})
        say("\n`warlock list GAME` shows what each overlay changes; `warlock play GAME+OVERLAY` plays with it.")
    return 0


def _names(where: list[Path]) -> int:
    for one in available(where):
        say(one.name)
        for overlay in available_overlays(one.name, where):
            say(f"{one.name}+{overlay.name}")
    return 0


def print_games(found: Sequence[GameEntry], overlays: dict[str, list[str]] | None = None) -> None:
    """A line a game: its name, how many play, its title and what it is about; below it its overlays."""
    from rich.table import Table
    from rich.text import Text

    table = Table.grid(padding=(0, 2))
    table.add_column(no_wrap=True)
    table.add_column(no_wrap=True)
    table.add_column(overflow="fold")
    for entry in found:
        what = Text(_title(entry))
        names = (overlays or {}).get(entry.name)
        if names:
            what.append(f"\n+ {', '.join(names)}", "dim")
        players = f"{entry.players} players" if entry.players else ""
        table.add_row(Text(entry.name, "bold"), Text(players), what)
    console().print(table)


def _title(entry: GameEntry) -> str:
    if entry.summary.hash is None:
        return f"has errors: `warlock check {entry.name}` shows them"
    title, about = entry.summary.title, entry.about
    return (about if about.startswith(title) else f"{title}. {about}") if about else title


# ------------------------------------------------------------------------ one


def _print_in_full(entry: GameEntry, overlays: Sequence[FoundRuleset], long: bool) -> None:
    from rich import box
    from rich.table import Table
    from rich.text import Text

    print_games([entry])
    if long:
        say(f"  hash {entry.summary.hash or '(none)'}, in {entry.path}")
    if not overlays:
        say(f"  {entry.name} has no overlays\n")
        return
    say(f"\noverlays, used as {entry.name}+NAME or {entry.name}+NAME(PARAMETER=VALUE)", "bold")
    table = Table(box=box.SIMPLE_HEAD)
    for heading in ("name", "kind", "parameters", "about"):
        table.add_column(heading, overflow="fold")
    for one in map(_overlay, overlays):
        stack = "+".join((entry.name, *one["requires"], one["name"]))
        about = one["about"] or f"{one['errors']} errors: warlock check {stack}"
        needs = f" (on {', '.join(one['requires'])})" if one["requires"] else ""
        given = "\n".join(
            f"{parameter['name']}={parameter['default']}" + (f" ({parameter['range']})" if parameter["range"] else "")
            for parameter in one["parameters"]
        )
        table.add_row(*(Text(cell) for cell in (one["name"], one["kind"], given, about + needs)))
    console().print(table)


def _data(entry: GameEntry, overlays: Sequence[FoundRuleset]) -> dict[str, Any]:
    return {
        "name": entry.name,
        "title": entry.summary.title,
        "about": entry.about,
        "players": entry.summary.players,
        "hash": entry.summary.hash,
        "errors": entry.summary.counts["error"],
        "path": str(entry.path),
        "overlays": [_overlay(one) for one in overlays],
    }


def _overlay(found: FoundRuleset) -> dict[str, Any]:
    """What an overlay says of itself, whether or not it fits the game."""
    from warlock_dsl import plain_value, read_overlay

    files, errors = read_folder(found.path)
    overlay, more = read_overlay(files, found.name, {})
    data: dict[str, Any] = {"name": found.name, "kind": "", "about": "", "language": "", "parameters": []}
    data |= {"requires": [], "conflicts": [], "errors": len(errors) + len(more), "path": str(found.path)}
    if overlay is not None:
        parameters = [
            {"name": name, "default": plain_value(value), "range": overlay.ranges.get(name, "")}
            for name, value in overlay.parameters.items()
        ]
        data |= {"kind": overlay.kind, "about": overlay.about, "language": overlay.language, "parameters": parameters}
        data |= {"requires": list(overlay.requires), "conflicts": list(overlay.conflicts)}
    return data
