"""What turns one ruleset into another: their differences by address, and the smallest overlay that makes them."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any

import tomli_w
from attrs import evolve, frozen

from warlock_dsl import syntax
from warlock_dsl.apply import Layer, csv_files, plain
from warlock_dsl.citations import parse_cite
from warlock_dsl.layout import declaration_text
from warlock_dsl.load import load_files
from warlock_dsl.overlay import HEAD, address_of, digest
from warlock_dsl.ruleset import Final, Loaded
from warlock_dsl.schema import is_mark
from warlock_dsl.stack import Use

# What is said about a game, not what it is.
SPEAKING = ("document", "ledger", "ruling", "difference")


@frozen
class Unit:
    """One difference. `verb` is change, add or remove (tables, pieces, names), replace, declare or drop (rules)."""

    target: str
    verb: str
    was: Any
    now: Any
    was_text: str
    now_text: str
    ids: tuple[str, ...] = ()


def derive(a: Loaded, b: Loaded) -> tuple[Unit, ...]:
    """Every difference in content between two rulesets of one game. Marks, comments and layout do not count."""
    if a.final is None or b.final is None:
        return ()
    units = [
        *_tables(a.final, b.final),
        *_pieces(a.final, b.final),
        *_names(a.final, b.final),
        *_declarations(a.final, b.final),
    ]
    ids = _ids(a), _ids(b)
    return tuple(evolve(unit, ids=_merged(unit, *ids)) for unit in units)


def _ids(loaded: Loaded) -> dict[str, tuple[str, ...]]:
    """The sources the layers of a ruleset name for what they changed; a declaration's are its marks."""
    found: dict[str, tuple[str, ...]] = {}
    layers: Sequence[Layer] = loaded.ruleset.layers if loaded.ruleset is not None else ()
    for layer in layers:
        for change in layer.changes:
            found[change.target] = tuple(id_ for cite in change.cites for id_ in cite.ids)
    for module in loaded.final.modules if loaded.final is not None else ():
        if module.file.startswith("+"):
            for declaration in module.declarations:
                found[address_of(declaration)] = _marked(declaration)
    for layer in layers:  # a replaced declaration stands in the file of the game's module, with the overlay's marks
        for change in layer.changes:
            if not found.get(change.target):
                declared = [d for m in (loaded.final.modules if loaded.final else ()) for d in m.declarations]
                marks = [_marked(d) for d in declared if address_of(d) == change.target]
                found[change.target] = marks[0] if marks else ()
    return found


def _marked(declaration: syntax.Declaration) -> tuple[str, ...]:
    return tuple(id_ for mark in declaration.marks for id_ in parse_cite(mark.standing, mark.text, mark.span).ids)


def _merged(unit: Unit, a: Mapping[str, tuple[str, ...]], b: Mapping[str, tuple[str, ...]]) -> tuple[str, ...]:
    found = dict.fromkeys((*a.get(unit.target, ()), *b.get(unit.target, ())))
    return tuple(found)


# --------------------------------------------------------------------- tables


def _tables(a: Final, b: Final) -> Iterator[Unit]:
    for section in (*a.tree, *(s for s in b.tree if s not in a.tree)):
        if section not in SPEAKING:
            old, new = a.tree.get(section, {}), b.tree.get(section, {})
            yield from _compared((section,), old, new)


def _compared(path: tuple[str, ...], old: Any, new: Any) -> Iterator[Unit]:
    """The differences below an address. A figure with marks and a bare one are the same figure."""
    if isinstance(old, dict) and isinstance(new, dict) and not ("is" in old or "is" in new):
        for key in (*old, *(k for k in new if k not in old)):
            if is_mark(key):
                continue
            here = (*path, key)
            if key not in new:
                yield _unit("remove", here, bare(old[key]), None)
            elif key not in old:
                yield _unit("add", here, None, bare(new[key]))
            else:
                yield from _compared(here, old[key], new[key])
        return
    if settings(old) != settings(new):
        yield _unit("remove", path, bare(old), None)
        yield _unit("add", path, None, bare(new))
    elif value_of(old) != value_of(new):
        yield _unit("change", path, value_of(old), value_of(new))


def value_of(value: Any) -> Any:
    return value["is"] if isinstance(value, dict) and "is" in value else value


def settings(value: Any) -> dict[str, Any]:
    """What a figure says besides its value: its type, its range."""
    if not isinstance(value, dict):
        return {}
    return {key: inner for key, inner in value.items() if key != "is" and not is_mark(key)}


def bare(value: Any) -> Any:
    """A value without its marks."""
    if isinstance(value, dict):
        return {key: bare(inner) for key, inner in value.items() if not is_mark(key)}
    return value


def address(path: tuple[str, ...]) -> str:
    """The address of a place in the tables, as overlays write it."""
    if path[0] == "figure" and len(path) == 3:
        return ".".join(path[1:])
    if path[0] == "table" and len(path) > 3 and path[2] == "rows":
        return ".".join((path[1], *path[3:]))
    return ".".join(path)


def _unit(verb: str, path: tuple[str, ...], was: Any, now: Any) -> Unit:
    target = ".".join(path) if verb == "add" and path[0] == "figure" else address(path)
    return Unit(target, verb, was, now, "" if was is None else plain(was), "" if now is None else plain(now))


# ------------------------------------------------------------- pieces and names


def _rows(final: Final) -> dict[str, dict[str, str]]:
    found = {}
    for file in csv_files(final.tree):
        for row in csv.DictReader(final.pieces.get(file, "").splitlines()):
            found[str(row.get("id", "")).strip()] = {k: (v or "").strip() for k, v in row.items() if k and k != "id"}
    return found


def _pieces(a: Final, b: Final) -> Iterator[Unit]:
    old, new = _rows(a), _rows(b)
    for name in (*old, *(n for n in new if n not in old)):
        if name not in new:
            yield Unit(name, "remove", old[name], None, plain(old[name]), "")
        elif name not in old:
            yield Unit(name, "add", None, new[name], "", plain(new[name]))
        else:
            for column, was in old[name].items():
                now = new[name].get(column, "")
                if was != now:
                    yield Unit(f"{name}.{column}", "change", was, now, was, now)


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
    return {address_of(d): d for module in final.modules for d in module.declarations}


def text_of(declaration: syntax.Declaration) -> str:
    return declaration_text(evolve(declaration, marks=())).strip()


def _declarations(a: Final, b: Final) -> Iterator[Unit]:
    old, new = _declared(a), _declared(b)
    for at in (*old, *(n for n in new if n not in old)):
        if at not in new:
            yield Unit(at, "drop", old[at], None, text_of(old[at]), "")
        elif at not in old:
            yield Unit(at, "declare", None, new[at], "", text_of(new[at]))
        elif digest(old[at]) != digest(new[at]):
            yield Unit(at, "replace", old[at], new[at], text_of(old[at]), text_of(new[at]))


# -------------------------------------------------------------------- overlays


def overlay_files(
    units: Sequence[Unit], on: str, name: str, about: str, builds_on: Sequence[str] = ()
) -> dict[str, str]:
    """The texts of an overlay that makes these differences."""
    head: dict[str, Any] = {"on": on, "about": about}
    if builds_on:
        head["builds_on"] = list(builds_on)
    document: dict[str, Any] = {"overlay": head}
    names: dict[str, dict[str, str]] = {}
    rules = []
    for unit in units:
        if unit.verb in ("replace", "drop"):
            document.setdefault(unit.verb, {})[unit.target] = digest(unit.was)
        if unit.verb in ("replace", "declare"):
            rules.append(declaration_text(unit.now).strip() + "\n")
        if unit.verb not in ("change", "add", "remove"):
            continue
        if unit.target.startswith("names.") and unit.verb != "remove":
            language, _, key = unit.target.removeprefix("names.").partition(".")
            names.setdefault(language, {})[key] = unit.now
        else:
            document.setdefault(unit.verb, []).append(_edit(unit))
    files = {HEAD: tomli_w.dumps(document)}
    if rules:
        files["rules.warlock"] = "\n".join(rules)
    for language, texts in names.items():
        files[f"names/{language}.toml"] = tomli_w.dumps(texts)
    return files


def _edit(unit: Unit) -> dict[str, Any]:
    edit: dict[str, Any] = {"at": unit.target}
    if unit.verb == "change":
        edit["was"] = written(unit.was)
    if unit.verb in ("change", "add"):
        edit["now"] = written(unit.now)
    return edit


def written(value: Any) -> Any:
    """A value as tomli-w writes it: an exact decimal, never a fraction."""
    if isinstance(value, Fraction):
        return int(value) if value.denominator == 1 else float(value)
    if isinstance(value, list | tuple):
        return [written(item) for item in value]
    if isinstance(value, dict):
        return {key: written(item) for key, item in value.items()}
    return value


def graft(a: Loaded, units: Sequence[Unit], name: str = "graft") -> Loaded:
    """A ruleset with just these differences laid on it."""
    below = [use.name for use, _ in a.stack]
    files = overlay_files(units, a.name, name, "differences taken alone", below)
    return load_files(a.base, a.name, (), (*a.stack, (Use(name), files)))

