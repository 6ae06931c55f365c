"""`warlock show`: the definition in force at an address, where it is written, which overlay wrote it, its source."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from attrs import frozen
from rich.text import Text

from interpreter import disassembled
from warlock_dsl import Applied, Loaded, Ruleset, suggest
from warlock_dsl.tables.components import Cite
from workbench.inspect.addresses import Entry, every_entry, source_text
from workbench.inspect.provenance import (
    at_address,
    changes_of,
    hanging,
    layer_entries,
    told,
    touch_data,
    touches,
    where,
)
from workbench.inspect.statements import said_where, statements
from workbench.inspect.summary import changes_in_words
from workbench.inspect.traceability import citers
from workbench.support.arguments import add_players, add_ruleset, output
from workbench.support.errors import UsageError
from workbench.support.output import console, put_json
from workbench.support.rulesets import playable, roots, sound_ruleset

MAX_LISTED = 12  # addresses of one group that are listed, where a group is long
LONG_GROUPS = ("cell of a table", "field of a piece", "rule of the ledger", "ruling", "difference", "section", "text")
EXAMPLES = (
    ("warlock show maldorf+fr", "what a stack changes, in sentences, and every address"),
    ("warlock show maldorf size.hand", "a figure, and what the rulebook says"),
    ("warlock show maldorf+fr score.printed", "a rule as the French edition has it"),
    ("warlock show tic-tac-toe turn --bytecode", "what the fast machine runs for a rule, with its lines"),
)
GROUNDS = ("rule of the ledger", "ruling", "difference")


@frozen
class Book:
    """A ruleset to look things up in: all its entries, and who cites what."""

    ruleset: Ruleset
    loaded: Loaded
    entries: Sequence[Entry]
    by: Mapping[str, Sequence[str]]


def open_book(ruleset: Ruleset, loaded: Loaded) -> Book:
    modules = loaded.final.modules if loaded.final is not None else None
    entries = [*every_entry(ruleset, loaded.sources, modules), *layer_entries(ruleset)]
    return Book(ruleset, loaded, entries, citers(entries))


def add_arguments(parser: ArgumentParser) -> None:
    what = parser.add_argument_group("what to show")
    add_ruleset(what)
    every = "an address (default: what the stack changes, and all addresses)"
    what.add_argument("id", nargs="?", metavar="ID", help=every)
    out = output(parser)
    out.add_argument("--bytecode", action="store_true", help="print what the fast machine runs for it, or for all")
    add_players(out, "as few as the game allows; with --bytecode")


def run(arguments: Namespace) -> int:
    """Show what an address names; without one, say what the stack changes, and list all addresses."""
    if arguments.bytecode:
        return _bytecode(arguments)
    book = open_book(*sound_ruleset(arguments.ruleset, roots(arguments)))
    ruleset = book.ruleset
    if not arguments.id:
        _list(ruleset, book.entries, arguments.json)
        return 0
    found = [entry for entry in book.entries if entry.address == arguments.id]
    found = found or at_address(arguments.id, book.entries, book.loaded, ruleset)
    if not found:
        hint = suggest(arguments.id, (entry.address for entry in book.entries), "addresses")
        raise UsageError(f"{ruleset.name} has nothing under '{arguments.id}'; {hint}")
    if arguments.json:
        data = [_data(entry, book) for entry in found]
        put_json({"ruleset": ruleset.name, "hash": ruleset.hash, "id": arguments.id, "definitions": data})
        return 0
    for number, entry in enumerate(found):
        if number:
            console().print()
        _print_entry(entry, book)
    return 0


# ------------------------------------------------------------------------ list


def _groups(entries: Iterable[Entry]) -> dict[str, list[str]]:
    groups: dict[str, dict[str, None]] = {}
    for entry in entries:
        groups.setdefault(entry.what, {})[entry.address] = None
    return {what: list(addresses) for what, addresses in groups.items()}


def _bytecode(arguments: Namespace) -> int:
    """What the fast machine runs for a rule, a definition or all of them, with the lines they come from."""
    ruleset = playable(arguments.ruleset, roots(arguments))
    minimum, maximum = ruleset.components.min_players, ruleset.components.max_players
    players = arguments.players or minimum
    if not minimum <= players <= maximum:
        raise UsageError(f"{ruleset.name} is for {minimum} to {maximum} players, not {players}")
    found = disassembled(ruleset, players)
    wanted = {name: text for name, text in found.items() if not arguments.id or name == arguments.id}
    if not wanted:
        hint = suggest(arguments.id, found, "rules and definitions")
        raise UsageError(f"nothing of {ruleset.name} that is run is called '{arguments.id}'; {hint}")
    if arguments.json:
        put_json({"ruleset": ruleset.name, "hash": ruleset.hash, "players": players, "bytecode": wanted})
    else:
        sys.stdout.write("\n".join(wanted.values()))
    return 0


def _list(ruleset: Ruleset, entries: Sequence[Entry], as_json: bool) -> None:
    groups, changes = _groups(entries), tuple(changes_in_words(ruleset))
    if as_json:
        changed = {one.overlay: list(one.sentences) for one in changes}
        put_json({"ruleset": ruleset.name, **({"changes": changed} if changed else {}), "addresses": groups})
        return
    out = console()
    for one in changes:
        out.print(Text.assemble((f"+{one.overlay}", "bold"), f"  {one.about}"), soft_wrap=True)
        for sentence in one.sentences:
            out.print(Text(f"  {sentence}"), soft_wrap=True)
        out.print()
    for what, addresses in groups.items():
        brief = what in LONG_GROUPS or what.startswith("piece:")
        shown = addresses[:MAX_LISTED] if brief else addresses
        more = f" … ({len(addresses)} in all)" if len(shown) < len(addresses) else ""
        out.print(Text.assemble((what, "bold cyan"), f": {', '.join(shown)}{more}"))


# ------------------------------------------------------------------------- one


def _print_entry(entry: Entry, book: Book) -> None:
    out = console()
    standing = f", {entry.standing}" if entry.standing else ""
    title = (entry.what, "cyan"), " ", (entry.address, "bold"), f"{standing}  ", (where(entry.span), "dim")
    out.print(Text.assemble(*title))
    for name, value in entry.facts:
        if name == "note":
            out.print(Text(f"  {value}", "dim"))
        else:
            out.print(Text.assemble("  ", (f"{name}: ", "cyan"), value), soft_wrap=True)
    hooks = hanging(entry, book.ruleset)
    if hooks:
        out.print(Text("  what hangs on it, in this order:", "cyan"))
    for hook in hooks:
        out.print(Text(f"    {hook.line()}"), soft_wrap=True)
    changed = touches(entry, book.loaded, book.ruleset)
    for line in told(entry, changed):
        out.print(Text(f"  {line}", "yellow"), soft_wrap=True)
    edits = [touch.change.span for touch in changed if touch.change.span.file.endswith(".toml")]
    texts = [source_text(span, book.loaded.sources) for span in (entry.span, *edits) if entry.what != "overlay"]
    for number, lines in enumerate(texts):
        if lines and lines not in texts[:number]:
            out.print()
            out.print(Text("\n".join(f"    {line}" for line in lines)), soft_wrap=True)
    if any(cite.ids or cite.remark for cite in entry.cites):
        out.print()
    for cites in (entry.cites, *(touch.change.cites for touch in changed if touch.change.span in edits)):
        for ground in _grounds(cites, book.ruleset, "  "):
            out.print(ground, soft_wrap=True)
    for change in changes_of(entry, book.ruleset):
        _print_change(change, book)
    users = book.by.get(entry.address, ()) if entry.what in GROUNDS else ()
    if users:
        out.print(Text.assemble("  ", ("cited by: ", "cyan"), ", ".join(users)), soft_wrap=True)


def _print_change(change: Applied, book: Book) -> None:
    """What an overlay changed, in a line where it fits, and the sources it names for it."""
    out = console()
    short = "\n" not in change.was + change.now
    if change.cites or not short:
        out.print()
    was, now = change.was or "nothing", change.now or "nothing"
    what = f": {was} -> {now}" if short else ""
    out.print(Text.assemble("  ", (change.target, "bold"), what, "  ", (where(change.span), "dim")), soft_wrap=True)
    if not short:
        for sign, text in (("-", change.was), ("+", change.now)):
            for line in text.split("\n") if text else ():
                out.print(Text(f"    {sign} {line}"), soft_wrap=True)
    for ground in _grounds(change.cites, book.ruleset, "    "):
        out.print(ground, soft_wrap=True)


def _grounds(cites: Iterable[Cite], ruleset: Ruleset, indent: str) -> Iterator[Text]:
    """What a declaration rests on: rows of the ledger with their sections, rulings with their reasons, differences."""
    parts = ruleset.components
    for cite in cites:
        if not cite.ids and not cite.remark:
            continue  # a bare standing is shown in the first line
        remark = f": {cite.remark}" if cite.remark else ""
        yield Text.assemble(indent, (cite.standing, "green"), remark)
        for id in cite.ids:
            row, ruling, difference = parts.ledger.get(id), parts.rulings.get(id), parts.differences.get(id)
            if row is not None:
                at = (f"  ({said_where(statements(row, parts.differences))})", "dim")
                yield Text.assemble(f"{indent}  ", (id, "bold"), f"  {row.says}", at)
            elif ruling is not None:
                yield Text.assemble(f"{indent}  ", (id, "bold"), f"  {ruling.question}")
                yield Text(f"{indent}    takes: {ruling.takes}")
                yield Text(f"{indent}    because: {ruling.because}")
            elif difference is not None:
                yield Text.assemble(f"{indent}  ", (id, "bold"), f"  {difference.title}")
            else:
                yield Text.assemble(f"{indent}  ", (id, "bold"))


def _data(entry: Entry, book: Book) -> dict[str, Any]:
    changes = changes_of(entry, book.ruleset)
    return {
        "address": entry.address,
        "what": entry.what,
        "file": entry.span.file,
        "line": entry.span.line,
        "standing": sorted({cite.standing for cite in entry.cites}),
        "facts": dict(entry.facts),
        "source": "\n".join(source_text(entry.span, book.loaded.sources)),
        "cites": _cites(entry.cites, book.ruleset),
        "cited_by": list(book.by.get(entry.address, ())) if entry.what in GROUNDS else [],
        "layers": [touch_data(touch) for touch in touches(entry, book.loaded, book.ruleset)],
        **({"hooks": [hook.data() for hook in hooks]} if (hooks := hanging(entry, book.ruleset)) else {}),
        **({"changes": [_change(change, book.ruleset) for change in changes]} if changes else {}),
    }


def _change(change: Applied, ruleset: Ruleset) -> dict[str, Any]:
    return {
        "target": change.target,
        "was": change.was,
        "now": change.now,
        "file": change.span.file,
        "line": change.span.line,
        "cites": _cites(change.cites, ruleset),
    }


def _cites(cites: Iterable[Cite], ruleset: Ruleset) -> list[dict[str, Any]]:
    return [
        {"standing": cite.standing, "remark": cite.remark, "ids": [_ground(id, ruleset) for id in cite.ids]}
        for cite in cites
    ]


def _ground(id: str, ruleset: Ruleset) -> dict[str, Any]:
    parts = ruleset.components
    row, ruling, difference = parts.ledger.get(id), parts.rulings.get(id), parts.differences.get(id)
    if row is not None:
        said = [one.data() for one in statements(row, parts.differences)]
        return {"id": id, "says": row.says, "at": dict(row.at), "said": said, "standing": row.standing}
    if ruling is not None:
        return {"id": id, "question": ruling.question, "takes": ruling.takes, "because": ruling.because}
    if difference is not None:
        return {"id": id, "title": difference.title, "says": dict(difference.says)}
    return {"id": id}
