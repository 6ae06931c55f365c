"""The texts a game needs: which keys a catalogue should have, which names may stand in each, what is missing.

A text that is missing is never an error: it is said in another language of the game, or by words made from its key.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice

from attrs import frozen

from warlock_dsl.check import program as checked
from warlock_dsl.check.context import CheckInput
from warlock_dsl.check.names import listed
from warlock_dsl.diagnostics.diagnostic import Diagnostic, Related, Severity, Span, closest, suggest
from warlock_dsl.limits import MAX_TOLD
from warlock_dsl.overlay.changes import Layer
from warlock_dsl.sight import seen_by_nobody
from warlock_dsl.syntax.walk import nodes
from warlock_dsl.tables.components import Components, Entry, Variable
from warlock_dsl.tables.fallback import by_preference, words_of
from warlock_dsl.types import KeyType, ListType, Type, tables_in

PLACEHOLDER = re.compile(r"\{([^{}]*)\}")


@frozen
class Needed:
    """A key of a catalogue: what it is for, where that is, the names its text may use, whether it should be there."""

    why: str
    span: Span
    names: tuple[str, ...] = ()
    required: bool = True
    unseen: tuple[str, ...] = ()  # names it might use if anybody saw what they stand for


def required_names(program: checked.Program, components: Components) -> dict[str, Needed]:
    """Every key a catalogue may have, in a stable order; those that it should have are marked as required."""
    keys: dict[str, Needed] = {"game": Needed("the name of the game", components.span)}
    for key, needed in (
        *_nouns(program, components),
        *_families(program, components),
        *((f"score.{score.name}", Needed("a part of the score", score.span)) for score in program.scores),
        *_variables(components),
        *_questions(program),
        *((f"rule.{rule.address}", Needed("a rule", rule.span, _slot_names(rule), False)) for rule in program.rules),
    ):
        known = keys.get(key)
        keys[key] = needed if known is None else _both(known, needed)
    return keys


def _both(one: Needed, other: Needed) -> Needed:
    """Two questions of one rule under one name: a text may use only what both know."""
    names = tuple(name for name in one.names if name in other.names)
    return Needed(one.why, one.span, names, one.required or other.required, one.unseen)


Keys = Iterator[tuple[str, Needed]]


def _nouns(program: checked.Program, components: Components) -> Keys:
    shown = _shown_tables(program, components)
    for table in components.tables.values():
        for row, span in zip(table.rows, table.row_spans, strict=True):
            required = bool(table.columns) or table.name in shown
            yield f"{table.name}.{row}", Needed(f"a row of table '{table.name}'", span, (), required)
    for zone in components.zones.values():
        yield f"zone.{zone.name}", Needed("a zone", zone.span)
    for kind in components.kinds.values():
        names = (*kind.fields, "id", "number", *(("face",) if kind.table else ()))
        yield f"kind.{kind.name}", Needed("a kind of piece", kind.span)
        yield f"piece.{kind.name}", Needed("a piece of this kind, in short", kind.span, names)
        yield f"card.{kind.name}", Needed("a piece of this kind, in full", kind.span, names)
        own = [one for one in components.variables.values() if one.owner == kind.name and not one.by]
        marks = tuple(one.name for one in own if not seen_by_nobody(one))
        unseen = tuple(one.name for one in own if seen_by_nobody(one))
        zones = tuple(one.name for one in components.zones.values() if one.owner == kind.name and not one.by)
        if own or zones:
            why = "a piece of this kind as it is now"
            yield f"now.{kind.name}", Needed(why, kind.span, (*names, *marks, *zones), False, unseen)


def _shown_tables(program: checked.Program, components: Components) -> set[str]:
    """The tables whose rows a player gets to see: in a question, or as the value of a variable."""
    types: list[Type] = [node.type for node in nodes(program.rules) if isinstance(node, checked.Question)]
    shown = [variable for variable in components.variables.values() if not seen_by_nobody(variable)]
    types += [variable.type for variable in shown]
    rows = {one.by for one in shown if one.by} | {zone.by for zone in components.zones.values() if zone.by}
    return rows | {table for type_ in types for table in tables_in(type_)}


def _families(program: checked.Program, components: Components) -> Keys:
    """The keys of families; those of one that is used as a list or in a variable should have a text."""
    listed: set[str] = set()
    for variable in components.variables.values():
        item = variable.type.item if isinstance(variable.type, ListType) else variable.type
        if isinstance(item, KeyType) and not seen_by_nobody(variable):
            listed.add(item.family)
    for node in nodes(program):
        if isinstance(node, checked.Const) and isinstance(node.type, ListType) and isinstance(node.type.item, KeyType):
            listed.add(node.type.item.family)
    for family in program.families.values():
        for key, number in zip(family.keys, family.rules, strict=True):
            if not family.table:
                span = program.rules[number].span
                yield f"{family.name}.{key}", Needed(f"a member of '{family.name}'", span, (), family.name in listed)


def _variables(components: Components) -> Keys:
    for variable in components.variables.values():
        if not seen_by_nobody(variable):
            yield f"variable.{variable.name}", Needed("a variable the players see", variable.span)


def _slot_names(rule: checked.Rule) -> tuple[str, ...]:
    return ("me", *(name for name, _ in rule.parameters))


def _questions(program: checked.Program) -> Keys:
    for rule in program.rules:
        yield from _in_block(rule, rule.body, _slot_names(rule))


def _in_block(rule: checked.Rule, statements: tuple[checked.Stmt, ...], known: tuple[str, ...]) -> Keys:
    """The questions of a block, each with the names bound before it."""
    for node in statements:
        match node:
            case checked.Choose():
                inside = known
                for question in node.questions:
                    yield from _question(rule, question, inside)
                    inside = (*inside, question.name)
                yield from _in_block(rule, node.body, inside)
                yield from _in_block(rule, node.otherwise or (), known)
            case checked.If():
                yield from _in_block(rule, node.then, known)
                yield from _in_block(rule, node.otherwise, known)
            case checked.For():
                one = () if node.slot == 0 else (rule.slot_names[node.slot][0],)
                yield from _in_block(rule, node.body, (*known, *one))
            case checked.Together() | checked.Repeat():
                yield from _in_block(rule, node.body, known)
            case checked.Let() | checked.Do() if node.slot >= 0:
                known = (*known, rule.slot_names[node.slot][0])
            case checked.Roll():
                names = (*known, node.name)
                yield f"roll.{rule.address}.{node.name}", Needed("what chance picked", node.span, names, False)
                known = names if node.by is None else known  # what only one player learns is in no other text
            case checked.Say():
                names = ("me", *(name for name, _ in node.values))
                yield f"say.{rule.address}.{node.name}", Needed("what is said", node.span, names, False)
            case _:
                pass


def _question(rule: checked.Rule, question: checked.Question, known: tuple[str, ...]) -> Keys:
    where = f"{rule.address}.{question.name}"
    yield f"ask.{where}", Needed("a question", question.span, known)
    if question.may:
        yield f"decline.{where}", Needed("the answer that declines a question", question.span, known)
    yield f"choose.{where}", Needed("an answer to a question", question.span, (*known, question.name), False)
    yield f"answer.{where}", Needed("what was answered", question.span, (*known, question.name), False)


# ------------------------------------------------------------------- what is missing


@frozen
class MissingName:
    """A key without a text: what it is for, the overlay it belongs to ("" for the game), the languages that lack it,
    and one that has it, in which it is said meanwhile, or ""."""

    key: str
    needed: Needed
    overlay: str
    languages: tuple[str, ...]
    said_in: str


def missing_names(
    program: checked.Program, components: Components, layers: Sequence[Layer] = (), language: str = ""
) -> list[MissingName]:
    """Every key that lacks a text in a language which the game, or an overlay not above the key's own, has.

    A key that may be left out is missing only where another language has it. With a language, all that this one lacks,
    whoever has it: what a translation would have to say.
    """
    names, floors = components.names, [layer.name for layer in layers]
    since = {one: min((_floor(e.key, floors) for e in texts.values()), default=0) for one, texts in names.items()}
    found = []
    for key, needed in required_names(program, components).items():
        own = _floor(needed.span, floors)
        wanted = [language] if language else sorted(one for one in names if since[one] <= own)
        lacking = tuple(one for one in wanted if key not in names.get(one, {}))
        said_in = next((one for one in by_preference(names) if key in names[one]), "")
        if lacking and (needed.required or said_in):
            found.append(MissingName(key, needed, floors[own - 1] if own else "", lacking, said_in))
    return found


def _floor(span: Span, overlays: Sequence[str]) -> int:
    """How high in the stack a place is: 0 in the game, 1 in the lowest overlay."""
    name = span.file[1:].partition("/")[0] if span.file.startswith("+") else ""
    return overlays.index(name) + 1 if name in overlays else 0


# -------------------------------------------------------------------------- checking


def check_names(given: CheckInput) -> list[Diagnostic]:
    """Every catalogue held against the keys the game needs; texts for declarations in doubt are left alone.

    A text that nothing shows is an error of the top of the stack: what is below it is checked without it.
    """
    needed = required_names(given.program, given.components)
    top = f"+{given.layers[-1].name}/" if given.layers else ""
    found: list[Diagnostic] = []
    unseen = {f"variable.{one.name}": one for one in given.components.variables.values() if seen_by_nobody(one)}
    for language, entries in given.components.names.items():
        for key, entry in entries.items():
            doubtful = any(part in given.suspects.words for part in key.split(".")[1:])
            if key in unseen and key not in needed and entry.key.file.startswith(top):
                found.append(_unseen(language, key, entry, unseen[key]))
            elif key in needed or (entry.key.file.startswith(top) and not doubtful):
                found.extend(islice(_entry(language, key, entry, needed), MAX_TOLD))
            if len(found) > MAX_TOLD:
                return found
    missing = missing_names(given.program, given.components, given.layers)
    return found + [_missing(one) for one in missing if one.needed.required]


def _missing(missing: MissingName) -> Diagnostic:
    """The warning of a key, with what is said in its place."""
    key, needed = missing.key, missing.needed
    file = f"names/{by_preference(missing.languages)[0]}.toml"
    overlay = f" of the overlay '{missing.overlay}'" if missing.overlay else ""
    if missing.said_in:
        hint = f"until then it is said in '{missing.said_in}'; `warlock names --write` copies that, to be translated"
    else:
        hint = f'add "{key}" = "..." to {file}{overlay}; until then {_meanwhile(key)}'
        if needed.names:
            hint += "; it may use " + ", ".join(f"{{{name}}}" for name in needed.names)
    message = f"there is no text '{key}' in {listed(missing.languages)}"
    return Diagnostic("W430", message, needed.span, needed.why, hint, Severity.WARNING)


def _meanwhile(key: str) -> str:
    """What is said in place of a text that no language has."""
    match key.partition(".")[0]:
        case "game":
            return "it is called like its folder"
        case "ask":
            return f"the question is made from '{words_of(key)}'"
        case "decline":
            return 'it is "no, thank you"'
        case "piece" | "card":
            return "a piece is called by its id"
        case _:
            return f"it is called '{words_of(key)}'"


def _unseen(language: str, key: str, entry: Entry, variable: Variable) -> Diagnostic:
    message = f"nothing shows text '{key}' of catalogue '{language}', as nobody sees the variable"
    hint = 'take the text away, or let somebody see the variable: sees = "all" or sees = "owner"'
    related = (Related(variable.span, 'sees = "none"'),)
    return Diagnostic("W431", message, entry.key, "never said", hint, related=related)


def _entry(language: str, key: str, entry: Entry, needed: Mapping[str, Needed]) -> Iterator[Diagnostic]:
    need = needed.get(key)
    if need is None:
        hint = closest(key, needed) or "take it away"
        yield Diagnostic(
            "W431", f"nothing shows text '{key}' of catalogue '{language}'", entry.key, "unknown key", hint
        )
        return
    for found in PLACEHOLDER.finditer(entry.text):
        name = found[1]
        if name in need.unseen:
            yield Diagnostic(
                "W433",
                f"text '{key}' reads '{name}', which nobody ever sees",
                entry.place(*found.span()),
                "a secret",
                'take it out, or let somebody see the variable: sees = "owner"',
                related=(Related(need.span, need.why),),
            )
        elif name not in need.names:
            hint = suggest(name, need.names, "names for this text") if need.names else "no name is filled in here"
            yield Diagnostic(
                "W432",
                f"text '{key}' cannot use {{{name}}}",
                entry.place(*found.span()),
                "unknown name in braces",
                hint,
                related=(Related(need.span, need.why),),
            )
