"""What turns one ruleset into another: their differences by address, and the smallest overlay that makes them."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from attrs import evolve, frozen

from warlock_dsl.format.formatter import declaration_text
from warlock_dsl.overlay.addresses import SPEAKING, address_place, cells_of, csv_files
from warlock_dsl.overlay.apply import Layer
from warlock_dsl.overlay.read import OVERLAY_FILE, declaration_address, declaration_digest
from warlock_dsl.quick_load import load_for_play
from warlock_dsl.ruleset import Final, Loaded
from warlock_dsl.stack import Use
from warlock_dsl.syntax import tree as syntax
from warlock_dsl.tables.citations import parse_cite
from warlock_dsl.tables.components import Cite
from warlock_dsl.tables.schema import is_mark
from warlock_dsl.tables.toml_writer import table_text
from warlock_dsl.tables.values import bare, plain_value, same

Path = tuple[str, ...]


@frozen
class Unit:
    """One difference. `verb` is change, add or remove (tables, pieces, names), replace, declare, drop or move (rules).

    What is added, declared or moved comes before the one named in `before`; default the end.
    """

    target: str
    verb: str
    was: Any
    now: Any
    was_text: str
    now_text: str
    ids: tuple[str, ...] = ()
    before: str = ""
    cites: tuple[Cite, ...] = ()  # the marks the second ruleset's overlays give for it


def derive(a: Loaded, b: Loaded) -> tuple[Unit, ...]:
    """Every difference in content between two rulesets of one game. Marks, comments and layout do not count.

    The order of things counts where it can be met in play: zones, variables, rows, pieces, faces, declarations.
    """
    if a.final is None or b.final is None:
        return ()
    units = [
        *_tables(a.final, b.final),
        *_pieces(a.final, b.final),
        *_names(a.final, b.final),
        *_declarations(a.final, b.final),
    ]
    ids = _ids(a), _ids(b)
    cites = {change.place: change.cites for layer in _layers(b) for change in layer.changes}
    found = []
    for unit in units:
        given = () if _is_rule(unit) else cites.get(_place(b.final, unit), ())
        found.append(evolve(unit, ids=_merged(unit, *ids), cites=given))
    return tuple(found)


def _layers(loaded: Loaded) -> Sequence[Layer]:
    return loaded.ruleset.layers if loaded.ruleset is not None else ()


def _ids(loaded: Loaded) -> dict[str, tuple[str, ...]]:
    """The sources the layers of a ruleset name for what they changed; a declaration's are its marks."""
    found: dict[str, tuple[str, ...]] = {}
    layers = _layers(loaded)
    for layer in layers:
        for change in layer.changes:
            found[change.target] = tuple(id_ for cite in change.cites for id_ in cite.ids)
    for module in loaded.final.modules if loaded.final is not None else ():
        if module.file.startswith("+"):
            for declaration in module.declarations:
                found[declaration_address(declaration)] = _marked(declaration)
    for layer in layers:  # a replaced declaration is in the file of the game's module, with the overlay's marks
        for change in layer.changes:
            if not found.get(change.target):
                declared = [d for m in (loaded.final.modules if loaded.final else ()) for d in m.declarations]
                marks = [_marked(d) for d in declared if declaration_address(d) == change.target]
                found[change.target] = marks[0] if marks else ()
    return found


def _marked(declaration: syntax.Declaration) -> tuple[str, ...]:
    return tuple(id_ for mark in declaration.marks for id_ in parse_cite(mark.standing, mark.text, mark.span).ids)


def _merged(unit: Unit, a: Mapping[str, tuple[str, ...]], b: Mapping[str, tuple[str, ...]]) -> tuple[str, ...]:
    found = dict.fromkeys((*a.get(unit.target, ()), *b.get(unit.target, ())))
    return tuple(found)


# ---------------------------------------------------------------------- order


def in_order(old: Sequence[str], new: Sequence[str]) -> set[str]:
    """The longest part of two lists of names that has the same order in both: what can stay where it is."""
    number = {name: address_place for address_place, name in enumerate(old)}
    tails: list[int] = []  # the least last place of an ordered part, by its length
    ends: list[str] = []
    before: dict[str, str] = {}
    for name in (name for name in new if name in number):
        length = bisect_left(tails, number[name])
        tails[length:] = [number[name], *tails[length + 1 :]]
        ends[length:] = [name, *ends[length + 1 :]]
        before[name] = ends[length - 1] if length else ""
    kept: set[str] = set()
    name = ends[-1] if ends else ""
    while name:
        kept.add(name)
        name = before[name]
    return kept


def anchors(new: Sequence[str], kept: set[str]) -> dict[str, str]:
    """For each name that is put in: the next one that stays where it is, or "" at the end."""
    found: dict[str, str] = {}
    following = ""
    for name in reversed(new):
        found[name] = following
        if name in kept:
            following = name
    return found


def ordered(path: Path) -> bool:
    """Whether the order of the members of this table can be met in play."""
    if len(path) == 1:
        return path[0] in ("zone", "variable", "kind")
    if len(path) == 2:
        return path[0] == "variable"
    return len(path) == 3 and (path[0], path[2]) in (("table", "rows"), ("die", "faces"))


# --------------------------------------------------------------------- tables


def _tables(a: Final, b: Final) -> Iterator[Unit]:
    for section in (*a.tree, *(s for s in b.tree if s not in a.tree)):
        if section not in SPEAKING:
            old, new = a.tree.get(section, {}), b.tree.get(section, {})
            yield from _compared((section,), old, new)


def _compared(path: Path, old: Any, new: Any) -> Iterator[Unit]:
    """The differences below an address. A figure with marks and a bare one are the same figure."""
    if isinstance(old, dict) and "is" in old:
        yield from _figures(path, old, new if isinstance(new, dict) and "is" in new else {"is": new})
    elif isinstance(old, dict) and isinstance(new, dict) and "is" not in new:
        yield from _members(path, old, new)
    elif not same(value_of(new), old) or settings(new):
        yield _unit("change", path, old, new)


def _members(path: Path, old: dict[str, Any], new: dict[str, Any]) -> Iterator[Unit]:
    names = [key for key in old if not is_mark(key)], [key for key in new if not is_mark(key)]
    kept = in_order(*names) if ordered(path) else set(names[0]) & set(names[1])
    before = anchors(names[1], kept) if ordered(path) else {}
    for key in names[0]:
        if key not in kept:
            yield _unit("remove", (*path, key), old[key], None)
    for key in names[1]:
        if key in kept:
            yield from _compared((*path, key), old[key], new[key])
        else:
            yield evolve(_unit("add", (*path, key), None, new[key]), before=before.get(key, ""))


def _figures(path: Path, old: dict[str, Any], new: dict[str, Any]) -> Iterator[Unit]:
    """A value with something beside it: a range, a type, what a number past the end of a series gives."""
    if not same(old["is"], new["is"]):
        yield _unit("change", path, old["is"], new["is"])
    yield from _members(path, {**settings(old)}, {**settings(new)})


def value_of(value: Any) -> Any:
    return value["is"] if isinstance(value, dict) and "is" in value else value


def settings(value: Any) -> dict[str, Any]:
    """What a figure says besides its value: its type, its range."""
    if not isinstance(value, dict):
        return {}
    return {key: inner for key, inner in value.items() if key != "is" and not is_mark(key)}


def address(path: Path) -> str:
    """The address of a place in the tables, as overlays write it."""
    if path[0] == "figure" and len(path) == 3:
        return ".".join(path[1:])
    if path[0] == "series" and len(path) in (2, 3):
        return ".".join(path[1:])
    if path[0] == "table" and len(path) in (4, 5) and path[2] == "rows":
        return ".".join((path[1], *path[3:]))
    return ".".join(path)


def _unit(verb: str, path: Path, was: Any, now: Any) -> Unit:
    whole = (verb == "add" and path[0] == "figure") or (verb != "change" and path[0] == "series")
    target = ".".join(path) if whole else address(path)
    was_text, now_text = ("" if value is None else plain_value(bare(value)) for value in (was, now))
    return Unit(target, verb, bare(was), now, was_text, now_text)


# ------------------------------------------------------------- pieces and names


def _rows(final: Final) -> dict[str, dict[str, str]]:
    found: dict[str, dict[str, str]] = {}
    for file in dict.fromkeys(csv_files(final.tree)):
        header, *lines = map(cells_of, final.pieces.get(file, "").split("\n"))
        found |= {cells[0]: dict(zip(header[1:], cells[1:], strict=False)) for cells in lines if any(cells)}
    return found


def _pieces(a: Final, b: Final) -> Iterator[Unit]:
    old, new = _rows(a), _rows(b)
    kept = {name for name in in_order([*old], [*new]) if old[name].keys() == new[name].keys()}
    before = anchors([*new], kept)
    for name in old:
        if name not in kept:
            yield Unit(name, "remove", old[name], None, plain_value(old[name]), "")
    for name, row in new.items():
        if name not in kept:
            yield Unit(name, "add", None, row, "", plain_value(row), before=before[name])
            continue
        for column, was in old[name].items():
            if was != row[column]:
                yield Unit(f"{name}.{column}", "change", was, row[column], was, row[column])


def _names(a: Final, b: Final) -> Iterator[Unit]:
    for language in dict.fromkeys((*a.names, *b.names)):
        old, new = a.names.get(language, {}), b.names.get(language, {})
        for key in dict.fromkeys((*old, *new)):
            was, now = (entries[key].text if key in entries else None for entries in (old, new))
            if was != now:
                verb = "add" if was is None else "remove" if now is None else "change"
                yield Unit(f"names.{language}.{key}", verb, was, now, was or "", now or "")


# --------------------------------------------------------------- declarations


def _declared(final: Final) -> dict[str, syntax.Declaration]:
    return {declaration_address(d): d for module in final.modules for d in module.declarations}


def unit_text(declaration: syntax.Declaration) -> str:
    return declaration_text(evolve(declaration, marks=())).strip()


def _declarations(a: Final, b: Final) -> Iterator[Unit]:
    old, new = _declared(a), _declared(b)
    kept = in_order([*old], [*new])
    before = anchors([*new], kept)
    for at in old:
        if at not in new:
            yield Unit(at, "drop", old[at], None, unit_text(old[at]), "")
    behind = False  # whether something was moved to the end: what is new there must follow it
    for at, now in new.items():
        if at not in old:
            yield Unit(at, "declare", None, now, "", unit_text(now), before=before[at])
        elif declaration_digest(old[at]) != declaration_digest(now):
            yield Unit(at, "replace", old[at], now, unit_text(old[at]), unit_text(now))
        if at not in kept and (at in old or behind):
            behind = behind or not before[at]
            where = f"stands before {before[at]}" if before[at] else "stands last"
            yield Unit(at, "move", old.get(at), now, "", where, before=before[at])


# -------------------------------------------------------------------- overlays


def overlay_files(
    units: Sequence[Unit], on: str, name: str, about: str, builds_on: Sequence[str] = (), language: str = ""
) -> dict[str, str]:
    """The texts of an overlay that makes these differences."""
    head: dict[str, Any] = {"on": on, "about": about}
    if language:
        head["language"] = language
    if builds_on:
        head["builds_on"] = list(builds_on)
    tables = [table_text("[overlay]", head)]
    tables += [table_text(f"[[{unit.verb}]]", _edit(unit)) for unit in units if _is_edit(unit)]
    declared: dict[str, dict[str, str]] = {"replace": {}, "drop": {}, "before": {}}
    names: dict[str, dict[str, str]] = {}
    for unit in units:
        if unit.verb in ("replace", "drop"):
            declared[unit.verb][unit.target] = declaration_digest(unit.was)
        elif unit.verb == "move" or (unit.verb == "declare" and unit.before):
            declared["before"][unit.target] = unit.before
        elif unit.target.startswith("names.") and not _is_edit(unit):
            tongue, _, key = unit.target.removeprefix("names.").partition(".")
            names.setdefault(tongue, {})[key] = unit.now
    tables += [table_text(f"[{verb}]", content) for verb, content in declared.items() if content]
    files = {OVERLAY_FILE: "\n".join(tables)}
    rules = [declaration_text(unit.now).strip() + "\n" for unit in units if unit.verb in ("replace", "declare")]
    if rules:
        files["rules.warlock"] = "\n".join(rules)
    return files | {f"names/{tongue}.toml": table_text("", texts) for tongue, texts in names.items()}


def _is_edit(unit: Unit) -> bool:
    """Whether the overlay's own tables say it: new and changed texts are in its catalogues."""
    return unit.verb == "remove" or (unit.verb in ("change", "add") and not unit.target.startswith("names."))


def _edit(unit: Unit) -> dict[str, Any]:
    edit: dict[str, Any] = {"at": unit.target}
    if unit.verb == "change":
        edit["was"] = unit.was
    if unit.verb in ("change", "add"):
        edit["now"] = unit.now
    if unit.before:
        edit["before"] = unit.before
    for cite in unit.cites:
        edit[cite.standing] = ", ".join(cite.ids) + (f": {cite.remark}" if cite.remark else "")
    return edit


def built_on(a: Loaded, units: Sequence[Unit]) -> list[str]:
    """The overlays of a ruleset whose changes these units change again, from the bottom up."""
    if a.final is None:
        return []
    targets = [_place(a.final, unit) for unit in units]
    targets += [("order", u.target) for u in units if u.verb == "move" or (u.verb == "declare" and u.before)]
    reached = {target[:end] for target in targets for end in range(1, len(target) + 1)}
    found = []
    for layer in _layers(a):
        touched = [change.place for change in layer.changes]
        inside = any(where[:end] in set(targets) for where in touched for end in range(1, len(where) + 1))
        if inside or any(where in reached for where in touched):
            found.append(layer.name)
    return found


def _place(final: Final, unit: Unit) -> tuple[str | int, ...]:
    """The one name of what a unit changes."""
    if _is_rule(unit):
        return "rule", unit.target
    where = address_place(final.tree, unit.target)
    if where[0] == "piece" and unit.verb == "change":
        id, _, column = unit.target.rpartition(".")
        return "piece", id, column
    return where


def _is_rule(unit: Unit) -> bool:
    return unit.verb in ("replace", "declare", "drop", "move")


def graft(a: Loaded, units: Sequence[Unit], name: str = "graft") -> Loaded:
    """A ruleset with just these differences laid on it."""
    below = [use.name for use, _ in a.stack]
    files = overlay_files(units, a.name, name, "differences taken alone", below)
    return load_for_play(a.base, a.name, (*a.stack, (Use(name), files)))
