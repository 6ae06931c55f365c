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
from warlock_dsl.check.texts.lint_figures import WORD, FigureCheck, expressions_in
from warlock_dsl.diagnostics.diagnostic import Diagnostic, Related, Severity, Span, closest, suggest
from warlock_dsl.limits import MAX_TOLD
from warlock_dsl.overlay.changes import Layer
from warlock_dsl.sight import seen_by_nobody
from warlock_dsl.syntax.walk import nodes_of_program
from warlock_dsl.tables.components import ADDED, Components, Entry, Variable
from warlock_dsl.tables.fallback import by_preference, words_of
from warlock_dsl.tables.names import MAX_SHORT, fits_a_cell
from warlock_dsl.types import PLAYER, UNKNOWN, KeyType, ListType, PieceType, Type, tables_in

SECTION_WORD = re.compile(r"[A-Za-z]{2,}")  # what a language may have a word for: "2.3 ex."
TURNS = ("turn", "turns")  # which turn of a `repeat` it is, and of how many
NOTES = ("note.table.", "note.seat.")


@frozen
class Needed:
    """A key of a catalogue: what it is for, where that is, the names its text may use, whether it should be there."""

    why: str
    span: Span
    names: tuple[str, ...] = ()
    required: bool = True
    unseen: tuple[str, ...] = ()  # names it might use if anybody saw what they stand for
    scope: Mapping[str, Type] | None = None  # of names in expressions; None: it has no expressions
    for_me: bool = False  # whoever reads it is `me`
    spoken: bool = True  # false: the tables have something to say in its place, in any language


def required_names(program: checked.Program, components: Components) -> dict[str, Needed]:
    """Every key a catalogue may have, in a stable order; those that it should have are marked as required."""
    keys: dict[str, Needed] = {"game": Needed("the name of the game", components.span)}
    for key, needed in (
        *_nouns(program, components),
        *_families(program, components),
        *((f"score.{score.name}", Needed("a part of the score", score.span)) for score in program.scores),
        *_variables(components),
        *_questions(program),
        *_notes(components),
        *_short(components),
        *_documents(components),
        *((f"rule.{rule.address}", Needed("a rule", rule.span, _slot_names(rule), False)) for rule in program.rules),
        *((f"about.{rule.address}", _about(rule.span)) for rule in program.rules),
        *((f"about.{one.address}", _about(one.span)) for one in program.defines),
        *((f"says.{rule.address}", Needed("what a rule does", rule.span, (), False)) for rule in program.rules),
        *((f"progress.{one.address}", Needed("a repeated rule", one.span, TURNS, False)) for one in program.rules),
    ):
        known = keys.get(key)
        keys[key] = needed if known is None else _both(known, needed)
    return keys


def _about(span: Span) -> Needed:
    return Needed("a rule or a definition, in words", span, (), False, spoken=False)


def _both(one: Needed, other: Needed) -> Needed:
    """Two questions of one rule under one name: a text may use only what both know."""
    names = tuple(name for name in one.names if name in other.names)
    scope = None
    if one.scope is not None and other.scope is not None:
        scope = {name: type_ for name, type_ in one.scope.items() if other.scope.get(name) == type_}
    return Needed(one.why, one.span, names, one.required or other.required, one.unseen, scope, one.for_me)


Keys = Iterator[tuple[str, Needed]]


def _nouns(program: checked.Program, components: Components) -> Keys:
    shown = _shown_tables(program, components)
    for table in components.tables.values():
        for row, span in zip(table.rows, table.row_spans, strict=True):
            required = bool(table.columns) or table.name in shown
            yield f"{table.name}.{row}", Needed(f"a row of table '{table.name}'", span, (), required)
    for zone in components.zones.values():
        yield f"zone.{zone.name}", Needed("a zone", zone.span)
    for grid in components.grids.values():
        yield from ((f"region.{name}", Needed("a region", grid.span, (), False)) for name in grid.regions)
    for kind in components.kinds.values():
        names = (*kind.fields, "id", "number", *(("face",) if kind.table else ()))
        yield f"kind.{kind.name}", Needed("a kind of piece", kind.span)
        yield f"piece.{kind.name}", Needed("a piece of this kind, in short", kind.span, names)
        yield f"card.{kind.name}", Needed("a piece of this kind, in full", kind.span, names)
        own = [one for one in components.variables.values() if one.owner == kind.name and not one.by]
        marks = tuple(one.name for one in own if not seen_by_nobody(one))
        unseen = tuple(one.name for one in own if seen_by_nobody(one))
        zones = tuple(one.name for one in components.zones.values() if one.owner == kind.name and not one.by)
        scope: dict[str, Type] = {kind.name: PieceType((kind.name,))}
        if own or zones:
            why = "a piece of this kind as it is now"
            yield f"now.{kind.name}", Needed(why, kind.span, (*names, *marks, *zones), False, unseen, scope)
        why = "the figures of a piece of this kind on the board"
        yield f"figure.{kind.name}", Needed(why, kind.span, (*names, *marks, *zones), False, unseen, scope)


def _shown_tables(program: checked.Program, components: Components) -> set[str]:
    """The tables whose rows a player gets to see: in a question, or as the value of a variable."""
    types: list[Type] = [node.type for node in nodes_of_program(program) if isinstance(node, checked.Question)]
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
    for node in nodes_of_program(program):
        if isinstance(node, checked.Const) and isinstance(node.type, ListType) and isinstance(node.type.item, KeyType):
            listed.add(node.type.item.family)
    for family in program.families.values():
        for key, number in zip(family.keys, family.rules, strict=True):
            if not family.table:
                span = program.rules[number].span
                yield f"{family.name}.{key}", Needed(f"a member of '{family.name}'", span, (), family.name in listed)


def _documents(components: Components) -> Keys:
    """What is said about the documents, where a language is to have its own words for it."""
    where = components.span
    for name in components.documents:
        yield f"document.{name}", Needed("a document, in short", where, (), False, spoken=False)
        yield f"document.{name}.about", Needed("the overlay of a document", where, (), False, spoken=False)
    for name in components.chapters:
        yield f"chapter.{name}", Needed("a chapter of the documents", where, (), False, spoken=False)
    for one in components.differences.values():
        yield f"difference.{one.id}.title", Needed("a difference of the documents", one.span, (), False, spoken=False)
        for document in one.says:
            yield f"difference.{one.id}.{document}", Needed("what a document says", one.span, (), False, spoken=False)
        if one.idle:
            yield f"difference.{one.id}.idle", Needed("why it changes nothing", one.span, (), False, spoken=False)
    for row in components.ledger.values():
        yield f"about.{row.id}", Needed("a rule of the documents", row.span, (), False, spoken=False)
    sections = (section for row in components.ledger.values() for section in row.at.values())
    for word in dict.fromkeys(word for section in sections for word in SECTION_WORD.findall(section)):
        yield f"section.{word}", Needed("a word in the names of sections", where, (), False, spoken=False)
    for figure in components.figures.values():
        yield f"about.{figure.group}.{figure.name}", Needed("a figure, in words", figure.span, (), False, spoken=False)


def _variables(components: Components) -> Keys:
    for variable in components.variables.values():
        if not seen_by_nobody(variable):
            yield f"variable.{variable.name}", Needed("a variable the players see", variable.span)


def _notes(components: Components) -> Keys:
    """What is told beside the table or a seat: any text that a catalogue has under `note.table` or `note.seat`."""
    if NOTES[0].partition(".")[0] in components.tables:
        return
    for entries in components.names.values():
        for key, entry in entries.items():
            if key.startswith(NOTES):
                for_me = key.startswith(NOTES[1])
                why = "what is told of a seat" if for_me else "what is told of the table"
                yield key, Needed(why, entry.key, ("me",) if for_me else (), True, (), {}, for_me)


def _short(components: Components) -> Keys:
    """What a board calls rows and kinds that have a short name."""
    for address, look in components.looks.items():
        if look.get("short"):
            yield f"short.{address}", Needed("a short name on a board", components.span, (), False, spoken=False)


def _slot_names(rule: checked.Rule) -> tuple[str, ...]:
    return ("me", *(name for name, _ in rule.parameters))


def _questions(program: checked.Program) -> Keys:
    for rule in program.rules:
        yield from _in_block(rule, rule.body, {"me": PLAYER, **dict(rule.parameters)})


Known = Mapping[str, Type]  # the names bound so far


def _in_block(rule: checked.Rule, statements: tuple[checked.Stmt, ...], known: Known) -> Keys:
    """The questions of a block, each with the names bound before it."""
    for node in statements:
        match node:
            case checked.Choose():
                inside = known
                for question in node.questions:
                    yield from _question(rule, question, inside)
                    inside = {**inside, question.name: question.type}
                yield from _in_block(rule, node.body, inside)
                yield from _in_block(rule, node.otherwise or (), known)
            case checked.If():
                yield from _in_block(rule, node.then, known)
                yield from _in_block(rule, node.otherwise, known)
            case checked.For():
                one = {} if node.slot == 0 else dict([rule.slot_names[node.slot]])
                yield from _in_block(rule, node.body, {**known, **one})
            case checked.Together() | checked.Repeat():
                yield from _in_block(rule, node.body, known)
            case checked.Let() | checked.Do() if node.slot >= 0:
                known = {**known, **dict([rule.slot_names[node.slot]])}
            case checked.Roll():
                names = {**known, node.name: node.type}
                yield f"roll.{rule.address}.{node.name}", Needed("what chance picked", node.span, tuple(names), False)
                known = names if node.by is None else known  # what only one player learns is in no other text
            case checked.Say():
                told = ("me", *(name for name, _ in node.values))
                yield f"say.{rule.address}.{node.name}", Needed("what is said", node.span, told, False)
            case _:
                pass


def _question(rule: checked.Rule, question: checked.Question, known: Known) -> Keys:
    """A question of a set is put again after each piece: its name is then what has been picked."""
    where, is_set = f"{rule.address}.{question.name}", question.mode != "one"
    chosen = {**known, question.name: question.type}
    before = chosen if is_set else known

    def text(why: str, names: Known, required: bool = False) -> Needed:
        scope = {name: type_ for name, type_ in names.items() if name != "me"}
        return Needed(why, question.span, tuple(names), required, (), scope, True)

    yield f"ask.{where}", text("a question", before, True)
    if question.may:
        yield f"decline.{where}", text("the answer that declines a question", known, True)
    yield f"choose.{where}", text("an answer to a question", chosen)
    if is_set and isinstance(question.type, ListType):
        added = {**chosen, ADDED: question.type.item or UNKNOWN}
        yield f"add.{where}", text("one more piece of a set", added)
        yield f"stop.{where}", text("the answer that ends a set", chosen)
    yield f"answer.{where}", Needed("what was answered", question.span, tuple(chosen), False)


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
        if lacking and (needed.required or (said_in and needed.spoken)):
            found.append(MissingName(key, needed, floors[own - 1] if own else "", lacking, said_in))
    return found


def _floor(span: Span, overlays: Sequence[str]) -> int:
    """How high in the stack a place is: 0 in the game, 1 in the lowest overlay."""
    name = span.file[1:].partition("/")[0] if span.file.startswith("+") else ""
    return overlays.index(name) + 1 if name in overlays else 0


# -------------------------------------------------------------------------- checking


def check_names(given: CheckInput) -> list[Diagnostic]:
    """Every catalogue held against the keys the game needs."""
    found = check_texts(given)
    if len(found) > MAX_TOLD:
        return found
    missing = missing_names(given.program, given.components, given.layers)
    return found + [_missing(one) for one in missing if one.needed.required]


def check_texts(given: CheckInput) -> list[Diagnostic]:
    """The errors in texts that are there; those for declarations in doubt are left alone.

    A text that nothing shows is an error of the top of the stack: what is below it is checked without it.
    """
    needed = required_names(given.program, given.components)
    figures = FigureCheck(given.program, given.components)
    top = f"+{given.layers[-1].name}/" if given.layers else ""
    found: list[Diagnostic] = []
    unseen = {f"variable.{one.name}": one for one in given.components.variables.values() if seen_by_nobody(one)}
    for language, entries in given.components.names.items():
        for key, entry in entries.items():
            doubtful = any(part in given.suspects.words for part in key.split(".")[1:])
            if key in unseen and key not in needed and entry.key.file.startswith(top):
                found.append(_unseen(language, key, entry, unseen[key]))
            elif key in needed or (entry.key.file.startswith(top) and not doubtful):
                found.extend(islice(_entry(language, key, entry, needed, figures), MAX_TOLD))
            if len(found) > MAX_TOLD:
                return found
    return found


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


def _entry(
    language: str, key: str, entry: Entry, needed: Mapping[str, Needed], figures: FigureCheck
) -> Iterator[Diagnostic]:
    need = needed.get(key)
    if need is None:
        hint = closest(key, needed) or "take it away"
        yield Diagnostic(
            "W431", f"nothing shows text '{key}' of catalogue '{language}'", entry.key, "unknown key", hint
        )
        return
    told = Related(need.span, need.why)
    if key.startswith("short.") and need.why.startswith("a short") and not fits_a_cell(entry.text):
        text = f"a short name has 1 to {MAX_SHORT} characters one can see"
        yield Diagnostic("W236", text, entry.span, "too long for a cell", related=(told,))
    for name, place in expressions_in(entry, need.names):
        if name in need.unseen:
            yield Diagnostic(
                "W433",
                f"text '{key}' reads '{name}', which nobody ever sees",
                place,
                "a secret",
                'take it out, or let somebody see the variable: sees = "owner"',
                related=(told,),
            )
        elif need.scope is not None and (not WORD.fullmatch(name) or figures.reads(name, need.scope, need.for_me)):
            yield from figures.check(name, need.scope, place, need.for_me, told)
        else:
            hint = suggest(name, need.names, "names for this text") if need.names else "no name is filled in here"
            yield Diagnostic(
                "W432",
                f"text '{key}' cannot use {{{name}}}",
                place,
                "unknown name in braces",
                hint,
                related=(told,),
            )
