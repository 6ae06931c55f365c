"""`warlock show`: the definition in force under an address, where it stands and what it rests on."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from rich.text import Text

from warlock_dsl.diagnostics import suggest
from warlock_dsl.model import Components
from workbench.addresses import Entry, every_entry, sections, source_text
from workbench.files import Trouble
from workbench.output import clean_lines, console, put_json
from workbench.rulesets import roots, sound_ruleset
from workbench.tracing import citers

MOST_LISTED = 12  # addresses of one group that are listed, where a group is long
LONG_GROUPS = ("cell of a table", "field of a piece", "rule of the ledger", "ruling", "section")


def show(arguments: Namespace) -> int:
    """What stands under an address; without one, all addresses."""
    ruleset, loaded = sound_ruleset(arguments.ruleset, roots(arguments))
    entries = every_entry(ruleset, loaded.sources)
    if not arguments.id:
        _list(ruleset.name, entries, arguments.json)
        return 0
    found = [entry for entry in entries if entry.address == arguments.id]
    if not found:
        hint = suggest(arguments.id, (entry.address for entry in entries), "addresses")
        raise Trouble(f"{ruleset.name} has nothing under '{arguments.id}'; {hint}", 1)
    parts = ruleset.components
    by = citers(entries)
    if arguments.json:
        data = [_data(entry, parts, loaded.sources, by) for entry in found]
        put_json({"ruleset": ruleset.name, "hash": ruleset.hash, "id": arguments.id, "definitions": data})
        return 0
    for number, entry in enumerate(found):
        _tell(entry, parts, loaded.sources, by, blank=number > 0)
    return 0


# ------------------------------------------------------------------------ list


def _groups(entries: Iterable[Entry]) -> dict[str, list[str]]:
    groups: dict[str, dict[str, None]] = {}
    for entry in entries:
        groups.setdefault(entry.what, {})[entry.address] = None
    return {what: list(addresses) for what, addresses in groups.items()}


def _list(name: str, entries: Sequence[Entry], as_json: bool) -> None:
    groups = _groups(entries)
    if as_json:
        put_json({"ruleset": name, "addresses": groups})
        return
    out = console()
    for what, addresses in groups.items():
        brief = what in LONG_GROUPS or what.startswith("piece:")
        shown = addresses[:MOST_LISTED] if brief else addresses
        more = f" … ({len(addresses)} in all)" if len(shown) < len(addresses) else ""
        out.print(Text.assemble((what, "bold cyan"), f": {clean_lines(', '.join(shown))}{more}"))


# ------------------------------------------------------------------------- one


def _tell(
    entry: Entry, parts: Components, sources: Mapping[str, str], by: Mapping[str, Sequence[str]], blank: bool
) -> None:
    out = console()
    if blank:
        out.print()
    standing = f", {entry.standing}" if entry.standing else ""
    place = f"{entry.span.file}:{entry.span.line}"
    out.print(Text.assemble((entry.what, "cyan"), " ", (entry.address, "bold"), f"{standing}  ", (place, "dim")))
    for name, value in entry.facts:
        if name == "note":
            out.print(Text(f"  {value}", "dim"))
        else:
            out.print(Text.assemble("  ", (f"{name}: ", "cyan"), clean_lines(value)), soft_wrap=True)
    lines = source_text(entry.span, sources)
    if lines:
        out.print()
        for line in lines:
            out.print(Text(f"    {clean_lines(line)}"), soft_wrap=True)
    if any(cite.ids or cite.remark for cite in entry.cites):
        out.print()
        for ground in _grounds(entry, parts):
            out.print(ground, soft_wrap=True)
    users = by.get(entry.address, ()) if entry.what in ("rule of the ledger", "ruling") else ()
    if users:
        out.print(Text.assemble("  ", ("cited by: ", "cyan"), ", ".join(users)), soft_wrap=True)


def _grounds(entry: Entry, parts: Components) -> Iterable[Text]:
    """What a declaration rests on: rows of the ledger with their sections, rulings with their reasons."""
    for cite in entry.cites:
        if not cite.ids and not cite.remark:
            continue  # a bare standing is told in the first line
        remark = f": {cite.remark}" if cite.remark else ""
        yield Text.assemble("  ", (cite.standing, "green"), clean_lines(remark))
        for id in cite.ids:
            row, ruling = parts.ledger.get(id), parts.rulings.get(id)
            if row is not None:
                where = (f"  ({clean_lines(sections(row.at))})", "dim")
                yield Text.assemble("    ", (id, "bold"), f"  {clean_lines(row.says)}", where)
            elif ruling is not None:
                yield Text.assemble("    ", (id, "bold"), f"  {clean_lines(ruling.question)}")
                yield Text(f"      takes: {clean_lines(ruling.takes)}")
                yield Text(f"      because: {clean_lines(ruling.because)}")
            else:
                yield Text.assemble("    ", (clean_lines(id), "bold"))


def _data(
    entry: Entry, parts: Components, sources: Mapping[str, str], by: Mapping[str, Sequence[str]]
) -> dict[str, Any]:
    return {
        "address": entry.address,
        "what": entry.what,
        "file": entry.span.file,
        "line": entry.span.line,
        "standing": sorted({cite.standing for cite in entry.cites}),
        "facts": dict(entry.facts),
        "source": "\n".join(source_text(entry.span, sources)),
        "cites": [
            {"standing": cite.standing, "remark": cite.remark, "ids": [_ground(id, parts) for id in cite.ids]}
            for cite in entry.cites
        ],
        "cited_by": list(by.get(entry.address, ())) if entry.what in ("rule of the ledger", "ruling") else [],
    }


def _ground(id: str, parts: Components) -> dict[str, Any]:
    row, ruling = parts.ledger.get(id), parts.rulings.get(id)
    if row is not None:
        return {"id": id, "says": row.says, "at": dict(row.at), "standing": row.standing}
    if ruling is not None:
        return {"id": id, "question": ruling.question, "takes": ruling.takes, "because": ruling.because}
    return {"id": id}
