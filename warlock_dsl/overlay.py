"""Reading an overlay: what it changes, what it expects to find, what it needs, and its parameters."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from attrs import evolve, field, frozen

from warlock_dsl import syntax
from warlock_dsl.citations import STANDINGS, parse_cite
from warlock_dsl.diagnostics import Diagnostic, Span
from warlock_dsl.faults import Faults, near, quoted
from warlock_dsl.layout import declaration_text
from warlock_dsl.model import Cite
from warlock_dsl.schema import ABSENT, TextMap, Words, closed, structure
from warlock_dsl.toml_places import Places, read_toml

OVERLAY_CODES: Mapping[str, str] = {
    "W601": "the name of a stack cannot be read",
    "W602": "there is no such overlay",
    "W603": "an overlay cannot be read",
    "W604": "an overlay on another game",
    "W605": "an overlay that needs another below it",
    "W606": "overlays that do not go together",
    "W607": "a parameter that is unknown, out of range or of another type",
    "W608": "a change of something that does not exist",
    "W609": "a change that expects something else",
    "W610": "two overlays change the same thing",
    "W611": "a change without effect",
    "W612": "something added that is already there",
    "W613": "a declaration that is already there",
    "W614": "a declaration that has changed since it was replaced",
    "W615": "a replacement that replaces nothing",
    "W616": "a parameter nothing uses",
    "W617": "an overlay twice in one stack",
}

HEAD = "overlay.toml"
NONE = Words(())
PARAMETER = re.compile(r"\{([a-z_][a-z0-9_]*)\}\Z")


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
    printed: str = ""
    derived: str = ""
    assumed: str = ""


@closed
@frozen(kw_only=True)
class RawOverlay:
    overlay: RawHead
    change: list[RawEdit] = field(factory=list)
    add: list[RawEdit] = field(factory=list)
    remove: list[RawEdit] = field(factory=list)
    replace: TextMap = field(factory=lambda: TextMap({}))
    drop: TextMap = field(factory=lambda: TextMap({}))


@frozen
class Edit:
    """One change to the tables. `verb` is change, add or remove."""

    verb: str
    at: str
    was: Any
    now: Any
    cites: tuple[Cite, ...]
    path: tuple[str | int, ...]  # where it stands in the overlay's own file
    span: Span


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
    figures: Mapping[str, Mapping[str, Any]]  # the parameters its rules read, as figures
    edits: tuple[Edit, ...]
    replace: Mapping[str, tuple[str, Span]]
    drop: Mapping[str, tuple[str, Span]]
    files: Mapping[str, str] = field(repr=False)  # by their path in the ruleset: `+name/rules.warlock`
    places: Places = field(repr=False)
    span: Span = field(repr=False)


def digest(declaration: syntax.Declaration) -> str:
    """What names a declaration as it stands: marks, comments and layout do not count."""
    text = declaration_text(evolve(declaration, marks=()))
    return hashlib.sha256(text.encode()).hexdigest()[:8]


def address_of(declaration: syntax.Declaration) -> str:
    name = declaration.name.text
    match declaration:
        case syntax.Rule():
            return name if declaration.key is None else f"{name}.{declaration.key.text}"
        case syntax.Score():
            return f"score.{name}"
        case syntax.Invariant():
            return f"invariant.{name}"
        case _:
            return name


def read_overlay(
    files: Mapping[str, str], name: str, given: Mapping[str, str]
) -> tuple[Overlay | None, list[Diagnostic]]:
    """An overlay from the texts of its folder, its parameters as given."""
    faults = Faults()
    own = {f"+{name}/{file}": text for file, text in files.items()}
    file = f"+{name}/{HEAD}"
    here = Span(file, 1, 1, 1, 1)
    if file not in own:
        faults.add("W603", f"the overlay '{name}' has no file '{HEAD}'", here)
        return None, faults.all()
    document, places, found = read_toml(own[file], file)
    faults.extend(found)
    if document is None:
        return None, faults.all()
    raw, misfits = structure(document, RawOverlay, ())
    for one in misfits:
        span = places.key(one.path) if one.code == "W204" else places.of(one.path)
        hint = near(str(one.path[-1]), one.known, "keys") if one.known else ""
        last = quoted(one.path[-1]) if one.path else ""
        faults.add("W603", one.message.replace("{}", last), span, hint=hint)
    if raw is None:
        return None, faults.all()
    parameters = _parameters(raw.overlay, given, places, faults)
    if faults.found:
        return None, faults.all()
    head = raw.overlay
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
        figures=_figures(raw.overlay, name, parameters, own),
        edits=_edits(raw, parameters, places, faults),
        replace={at: (was, places.key(("replace", at))) for at, was in raw.replace.items()},
        drop={at: (was, places.key(("drop", at))) for at, was in raw.drop.items()},
        files=own,
        places=places,
        span=places.key(("overlay",)),
    )
    _check_use(overlay, raw, places, faults)
    return (None if faults.found else overlay), faults.all()


# ---------------------------------------------------------------- parameters


def _parameters(head: RawHead, given: Mapping[str, str], places: Places, faults: Faults) -> dict[str, Any]:
    values = {}
    for name, raw in head.parameters.items():
        at = ("overlay", "parameters", name)
        value = raw.is_
        if name in given:
            value = _read(given[name], raw)
            if value is None:
                wanted = raw.type or ("true or false" if isinstance(raw.is_, bool) else "a number")
                faults.add("W607", f"{name}={given[name]}: {wanted} is wanted", places.of(at))
                continue
        if not _within(value, raw.range):
            text = f"{name}={value} lies outside the range {raw.range}"
            faults.add("W607", text, places.of((*at, "range")))
        values[name] = value
    for name in given:
        if name not in head.parameters:
            text = f"there is no parameter {quoted(name)}"
            faults.add("W607", text, places.key(("overlay",)), hint=near(name, head.parameters, "parameters"))
    return values


def _read(text: str, raw: RawParameter) -> Any:
    if isinstance(raw.is_, bool):
        return {"true": True, "false": False}.get(text)
    if raw.type:
        return text if re.fullmatch(r"[\w.-]+", text) else None
    if re.fullmatch(r"-?\d{1,12}", text):
        return int(text)
    return Fraction(text) if re.fullmatch(r"-?\d{1,12}\.\d{1,6}", text) else None


def _within(value: Any, span: str) -> bool:
    ends = re.fullmatch(r"\s*(-?[\d.]+?)\s*\.\.\s*(-?[\d.]+)\s*", span)
    if ends is None or isinstance(value, bool | str):
        return True
    return bool(Fraction(ends[1]) <= value <= Fraction(ends[2]))


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


def _edits(raw: RawOverlay, parameters: Mapping[str, Any], places: Places, faults: Faults) -> tuple[Edit, ...]:
    found = []
    for verb, edits in (("change", raw.change), ("remove", raw.remove), ("add", raw.add)):
        for number, edit in enumerate(edits):
            path = (verb, number)
            for key, wanted in (("was", verb == "change"), ("now", verb in ("change", "add"))):
                if (getattr(edit, key) is not ABSENT) != wanted and not (key == "was" and verb == "remove"):
                    text = f"a '{verb}' {'needs' if wanted else 'has no'} '{key}'"
                    faults.add("W603", text, places.key((*path, "at")))
            cites = tuple(
                parse_cite(standing, getattr(edit, standing), places.of((*path, standing)))
                for standing in STANDINGS
                if getattr(edit, standing)
            )
            now = _filled(edit.now, parameters)
            found.append(Edit(verb, edit.at, edit.was, now, cites, path, places.of((*path, "at"))))
    return tuple(found)


def _check_use(overlay: Overlay, raw: RawOverlay, places: Places, faults: Faults) -> None:
    if overlay.kind not in ("house", "edition", "errata"):
        text = f"an overlay is a house rule, an edition or an erratum, not {quoted(overlay.kind)}"
        faults.add("W603", text, places.of(("overlay", "kind")), hint="house, edition or errata")
    values = repr([edit.now for edit in (*raw.change, *raw.add)])
    for name in raw.overlay.parameters:
        if name not in overlay.figures and f"{{{name}}}" not in values:
            hint = f'write "{{{name}}}" for a value, or {overlay.name}.{name} in a rule'
            span = places.key(("overlay", "parameters", name))
            faults.add("W616", f"nothing uses the parameter {quoted(name)}", span, hint=hint)
    rules = any(text.strip() for file, text in overlay.files.items() if not file.endswith(HEAD))
    if not (overlay.edits or overlay.drop or rules):
        faults.add("W611", f"the overlay '{overlay.name}' changes nothing", overlay.span)




