"""Reading an overlay: what it changes, what it expects to find, what it needs, and its parameters."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any

from attrs import evolve, field, frozen

from warlock_dsl.diagnostics.collect import DiagnosticList, near, quoted
from warlock_dsl.diagnostics.diagnostic import Diagnostic, Span
from warlock_dsl.format.formatter import declaration_text
from warlock_dsl.memo import kept_by_identity
from warlock_dsl.syntax import tree as syntax
from warlock_dsl.syntax.keywords import MARKS
from warlock_dsl.tables.citations import parse_cite
from warlock_dsl.tables.components import Cite
from warlock_dsl.tables.schema import ABSENT, MisfitError, TextMap, Tree, Words, closed, structure
from warlock_dsl.tables.toml_spans import Places, read_toml
from warlock_dsl.tables.values import plain_value

OVERLAY_FILE = "overlay.toml"
KINDS = ("house", "edition", "errata")
TITLES = ("title", "name", "description")  # what other formats have
NONE = Words(())
OVERLAY_NAME = re.compile(r"[a-z][a-z0-9_]*\Z")
PARAMETER = re.compile(r"\{([a-z_][a-z0-9_]*)\}\Z")
RANGE = re.compile(r"\s*(-?[0-9]{1,12}(?:\.[0-9]{1,6})?)\s*\.\.\s*(-?[0-9]{1,12}(?:\.[0-9]{1,6})?)\s*\Z")
MAX_EDITS = 2000


@closed
@frozen(kw_only=True)
class RawParameter:
    is_: Any
    range: str = ""
    type: str = ""


@closed
@frozen(kw_only=True)
class RawHead:
    on: str
    about: str
    kind: str = "house"
    language: str = ""
    requires: Words = NONE
    conflicts: Words = NONE
    builds_on: Words = NONE
    parameters: dict[str, RawParameter] = field(factory=dict)


@closed
@frozen(kw_only=True)
class RawEdit:
    at: str
    was: Any = ABSENT
    now: Any = ABSENT
    before: str = ""
    where: Tree = field(factory=lambda: Tree({}))
    warns: str = ""
    printed: str = ""
    derived: str = ""
    secondary: str = ""
    assumed: str = ""
    against: str = ""


@closed
@frozen(kw_only=True)
class RawOverlay:
    overlay: RawHead
    change: list[RawEdit] = field(factory=list)
    add: list[RawEdit] = field(factory=list)
    remove: list[RawEdit] = field(factory=list)
    replace: TextMap = field(factory=lambda: TextMap({}))
    drop: TextMap = field(factory=lambda: TextMap({}))
    before: TextMap = field(factory=lambda: TextMap({}))


@frozen
class Edit:
    """One change to the tables. `verb` is change, add or remove."""

    verb: str
    at: str
    was: Any
    now: Any
    before: str  # what is added comes before this one, not at the end
    where: Mapping[str, Any]  # of a change of many rows: what the others of their cells are
    warns: str  # what a check says of it as a warning, or ""
    asked: str  # "given" or "default": a parameter says what it becomes, and how it got its value; or ""
    cites: tuple[Cite, ...]
    path: tuple[str | int, ...]  # where it is in the overlay's own file
    span: Span
    was_span: Span


@frozen
class Overlay:
    """An overlay with its parameters filled in."""

    name: str
    on: str
    about: str
    kind: str
    language: str
    requires: tuple[str, ...]
    conflicts: tuple[str, ...]
    builds_on: tuple[str, ...]
    parameters: Mapping[str, Any]
    ranges: Mapping[str, str]  # by parameter: its range or its type, or ""
    figures: Mapping[str, Mapping[str, Any]]  # the parameters its rules read, as figures
    edits: tuple[Edit, ...]
    replace: Mapping[str, tuple[str, Span]]
    drop: Mapping[str, tuple[str, Span]]
    before: Mapping[str, tuple[str, Span]]  # declarations that are to come before another
    files: Mapping[str, str] = field(repr=False)  # by their path in the ruleset: `+name/rules.warlock`
    places: Places = field(repr=False)
    span: Span = field(repr=False)


def declaration_digest(declaration: syntax.Declaration) -> str:
    """A short digest of what a declaration says: marks, comments and layout do not count."""
    text = unmarked_text(declaration)
    return hashlib.sha256(text.encode()).hexdigest()[:8]


@kept_by_identity(1024)
def unmarked_text(declaration: syntax.Declaration) -> str:
    """A declaration as it is laid out, without its marks."""
    return declaration_text(evolve(declaration, marks=()))


def declaration_address(declaration: syntax.Declaration) -> str:
    name = declaration.name.text
    match declaration:
        case syntax.Rule():
            return name if declaration.key is None else f"{name}.{declaration.key.text}"
        case syntax.Score():
            return f"score.{name}"
        case syntax.Invariant():
            return f"invariant.{name}"
        case syntax.Reveals():
            return f"reveals.{name}" if declaration.key is None else f"reveals.{name}.{declaration.key.text}"
        case syntax.Property():
            return f"{declaration.kind}.{name}"
        case _:
            return name


def read_overlay(
    files: Mapping[str, str], name: str, given: Mapping[str, str]
) -> tuple[Overlay | None, list[Diagnostic]]:
    """An overlay from the texts of its folder, its parameters as given."""
    errors = DiagnosticList()
    own = {f"+{name}/{file}": text for file, text in files.items()}
    file = f"+{name}/{OVERLAY_FILE}"
    here = Span(file, 1, 1, 1, 1)
    if not OVERLAY_NAME.match(name):
        hint = "a name has small letters, digits and underscores, and begins with a letter"
        errors.add("W603", f"{quoted(name)} cannot be the name of an overlay", here, hint=hint)
    if file not in own:
        hint = "it says what the overlay is on and what it is about; `warlock new variant` writes one"
        errors.add("W603", f"the overlay '{name}' has no file '{OVERLAY_FILE}'", here, hint=hint)
        return None, errors.all()
    _check_files(own, file, errors)
    document, places, found = read_toml(own[file], file)
    errors.extend(found)
    raw = _shaped(document, places, errors) if document is not None else None
    if raw is None or errors.found:
        return None, errors.all()
    head = raw.overlay
    parameters = _parameters(head, given, places, errors)
    if errors.found:
        return None, errors.all()
    overlay = Overlay(
        name=name,
        on=head.on,
        about=head.about,
        kind=head.kind,
        language=head.language,
        requires=tuple(dict.fromkeys((*head.requires, *head.builds_on))),
        conflicts=tuple(head.conflicts),
        builds_on=tuple(head.builds_on),
        parameters=parameters,
        ranges={parameter: raw.range or raw.type for parameter, raw in head.parameters.items()},
        figures=_figures(head, name, parameters, own),
        edits=_edits(raw, parameters, given, places, errors),
        replace=_addressed(raw.replace, "replace", places),
        drop=_addressed(raw.drop, "drop", places),
        before=_addressed(raw.before, "before", places),
        files=own,
        places=places,
        span=places.key(("overlay",)),
    )
    _check_use(overlay, raw, places, errors)
    return (None if errors.found else overlay), errors.all()


def _addressed(table: Mapping[str, str], key: str, places: Places) -> dict[str, tuple[str, Span]]:
    return {at: (text, places.key((key, at))) for at, text in table.items()}


def _shaped(document: dict[str, Any], places: Places, errors: DiagnosticList) -> RawOverlay | None:
    raw, misfits = structure(document, RawOverlay, ())
    for one in misfits:
        span = places.key(one.path) if one.code == "W204" else places.of(one.path)
        hint = near(str(one.path[-1]), one.known, "keys") if one.known else ""
        if one.code == "W204" and one.path[:-1] == ("overlay",) and one.path[-1] in TITLES:
            hint = 'an overlay is called like its folder; about = "..." says in a line what it does'
        last = quoted(one.path[-1]) if one.path else ""
        errors.add("W603", one.message.replace("{}", last), span, hint=hint)
    return raw


def _check_files(own: Mapping[str, str], head: str, errors: DiagnosticList) -> None:
    """Every file of the folder has a meaning: a table beside the one that is read would be silently without any."""
    for file in own:
        if file != head and not file.endswith((".warlock", ".csv")) and "/names/" not in file:
            hint = f"tables are changed in {OVERLAY_FILE}: [[change]], [[add]], [[remove]]"
            errors.add("W603", "an overlay has no such file", Span(file, 1, 1, 1, 1), hint=hint)


# ---------------------------------------------------------------- parameters


def _parameters(head: RawHead, given: Mapping[str, str], places: Places, errors: DiagnosticList) -> dict[str, Any]:
    values = {}
    for name, raw in head.parameters.items():
        at = ("overlay", "parameters", name)
        if not _sound(name, raw, places, errors):
            continue
        value = raw.is_
        if name in given:
            value = _read(given[name], raw)
            if value is None:
                wanted = _wanted(raw)
                errors.add("W607", f"{name}={given[name]}: {wanted} is wanted", places.key(at), "the parameter")
                continue
        if not _within(value, raw.range):
            text = f"{name}={plain_value(value)} is outside the range {raw.range}"
            errors.add("W607", text, places.of((*at, "range")), "its range")
        values[name] = value
    for name in given:
        if name not in head.parameters:
            text = f"there is no parameter {quoted(name)}"
            hint = near(name, head.parameters, "parameters")
            where = ("overlay", "parameters") if head.parameters else ("overlay",)
            errors.add("W607", text, places.key(where), "this overlay", hint)
    return values


def _sound(name: str, raw: RawParameter, places: Places, errors: DiagnosticList) -> bool:
    """Whether a parameter is declared as one can be: a number, a truth or a word, its range readable."""
    at = ("overlay", "parameters", name)
    if not isinstance(raw.is_, bool | int | Fraction | str):
        errors.add("W603", f"{MisfitError('a number, a truth or a word', raw.is_)}", places.of((*at, "is")))
        return False
    if raw.range and (RANGE.match(raw.range) is None or isinstance(raw.is_, bool | str)):
        hint = 'a number may have one: { is = 2, range = "0..16" }'
        errors.add("W603", f"{quoted(raw.range)} is no range for this parameter", places.of((*at, "range")), hint=hint)
        return False
    return True


def _wanted(raw: RawParameter) -> str:
    if isinstance(raw.is_, bool):
        return "true or false"
    return f"a {raw.type}" if raw.type else "a word" if isinstance(raw.is_, str) else "a number"


def _read(text: str, raw: RawParameter) -> Any:
    if isinstance(raw.is_, bool):
        return {"true": True, "false": False}.get(text)
    if isinstance(raw.is_, str):
        return text if re.fullmatch(r"[\w.-]+", text) else None
    if re.fullmatch(r"-?[0-9]{1,12}", text):
        return int(text)
    return Fraction(text) if re.fullmatch(r"-?[0-9]{1,12}\.[0-9]{1,6}", text) else None


def _within(value: Any, span: str) -> bool:
    ends = RANGE.match(span)
    return ends is None or bool(Fraction(ends[1]) <= value <= Fraction(ends[2]))


def _figures(
    head: RawHead, name: str, values: Mapping[str, Any], files: Mapping[str, str]
) -> dict[str, Mapping[str, Any]]:
    """The parameters that rules of the overlay read, as figures of a group of its name."""
    rules = "\n".join(text for file, text in files.items() if file.endswith(".warlock"))
    found: dict[str, Mapping[str, Any]] = {}
    for parameter, raw in head.parameters.items():
        if re.search(rf"\b{re.escape(name)}\.{parameter}\b", rules):
            more = {"range": raw.range} if raw.range else {}
            found[parameter] = {"is": values[parameter], **({"type": raw.type} if raw.type else {}), **more}
    return found


def _filled(value: Any, parameters: Mapping[str, Any]) -> Any:
    """A value with `{parameter}` replaced by what it is."""
    if isinstance(value, str):
        found = PARAMETER.match(value)
        return parameters[found[1]] if found and found[1] in parameters else value
    if isinstance(value, list):
        return [_filled(item, parameters) for item in value]
    if isinstance(value, dict):
        return {key: _filled(item, parameters) for key, item in value.items()}
    return value


# --------------------------------------------------------------------- edits


def _edits(
    raw: RawOverlay, parameters: Mapping[str, Any], given: Mapping[str, str], places: Places, errors: DiagnosticList
) -> tuple[Edit, ...]:
    found: list[Edit] = []
    for verb, edits in (("change", raw.change), ("remove", raw.remove), ("add", raw.add)):
        if len(edits) > MAX_EDITS:
            text = f"an overlay may have at most {MAX_EDITS:,} of these"
            errors.add("W603", text, places.of((verb, MAX_EDITS)))
        for number, edit in enumerate(edits[:MAX_EDITS]):
            path = (verb, number)
            _check_keys(verb, edit, path, places, errors)
            for name in _asked(edit.now):
                if name not in parameters:
                    hint = near(name, parameters, "parameters")
                    text = f"there is no parameter {quoted(name)}"
                    errors.add("W607", text, places.of((*path, "now")), "asked for here", hint)
            cites = tuple(
                parse_cite(standing, getattr(edit, standing), places.of((*path, standing)))
                for standing in MARKS
                if getattr(edit, standing)
            )
            span, was_span = places.of((*path, "at")), places.of((*path, "was"))
            now = _filled(edit.now, parameters)
            names = set(_asked(edit.now))
            asked = "given" if names & given.keys() else "default" if names else ""
            before = (edit.before, edit.where, edit.warns)
            found.append(Edit(verb, edit.at, edit.was, now, *before, asked, cites, path, span, was_span))
    return tuple(found)


def _check_keys(verb: str, edit: RawEdit, path: tuple[str | int, ...], places: Places, errors: DiagnosticList) -> None:
    """Which keys an edit needs and which mean nothing in it."""
    needs = {"change": ("was", "now"), "add": ("now",), "remove": ()}[verb]
    may = {"change": ("where",), "add": ("before",), "remove": ("was",)}[verb]
    article = "an" if verb == "add" else "a"
    for key in ("was", "now", "before", "where"):
        value = getattr(edit, key)
        there = bool(value) if key in ("before", "where") else value is not ABSENT
        if key in needs and not there:
            hint = "what is expected there" if key == "was" else "what is to be there"
            errors.add("W603", f"{article} [[{verb}]] needs '{key}'", places.of((*path, "at")), f"no '{key}'", hint)
        elif there and key not in (*needs, *may):
            errors.add("W603", f"{article} [[{verb}]] has no '{key}'", places.key((*path, key)))


def _asked(value: Any) -> Iterator[str]:
    """The parameters a value asks for."""
    if isinstance(value, str):
        found = PARAMETER.match(value)
        if found is not None:
            yield found[1]
    elif isinstance(value, list | dict):
        for inner in value.values() if isinstance(value, dict) else value:
            yield from _asked(inner)


def _texts(value: Any) -> Iterator[str]:
    """The texts in a value."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, list | dict):
        for inner in value.values() if isinstance(value, dict) else value:
            yield from _texts(inner)


def _check_use(overlay: Overlay, raw: RawOverlay, places: Places, errors: DiagnosticList) -> None:
    if overlay.kind not in KINDS:
        text = f"{quoted(overlay.kind)} is not a kind of overlay"
        hint = 'kind = "house" is a house rule, "edition" an edition, "errata" a list of corrections'
        errors.add("W603", text, places.of(("overlay", "kind")), hint=hint)
    read = {text for edit in (*raw.change, *raw.add) for text in _texts(edit.now)}
    for file in overlay.files:
        name = file.rpartition("/")[2]
        if file.endswith(".csv") and name not in read:
            hint = f'[[add]] at = "KIND", now = "{name}" adds its rows to a kind or a table'
            errors.add("W603", f"nothing reads the file {quoted(name)}", Span(file, 1, 1, 1, 1), hint=hint)
    asked = {name for edit in (*raw.change, *raw.add) for name in _asked(edit.now)}
    for name in raw.overlay.parameters:
        if name not in overlay.figures and name not in asked:
            hint = f'write "{{{name}}}" for a value, or {overlay.name}.{name} in a rule'
            span = places.key(("overlay", "parameters", name))
            errors.add("W616", f"nothing uses the parameter {quoted(name)}", span, "unused", hint)
