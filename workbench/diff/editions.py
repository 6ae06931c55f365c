"""Any number of rulesets in one table: differences down, editions across, in the language that was asked for."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from attrs import evolve, field, frozen

from warlock_dsl import Layer, Loaded, Ruleset, Unit, words_of
from warlock_dsl.tables.components import Cite, Components, LedgerRow
from warlock_dsl.tables.components import Difference as Documented
from workbench.diff.model import Cell, Change, Difference, Edition, Reading, Source
from workbench.diff.structure import SIGHT, Strand, cites_by_address, strands
from workbench.inspect.statements import statements
from workbench.language.phrases import Phrases

SECTION_WORD = re.compile(r"([A-Za-z]{2,})\.?")
MAX_SAID = 2  # rules that are quoted where no document speaks for a ruleset
FIGURE = "figure."
BECAME = {
    "change": "diff_another_value",
    "add": "diff_new",
    "remove": "diff_gone",
    "replace": "diff_another_rule",
    "declare": "diff_new_rule",
    "drop": "diff_rule_less",
    "move": "diff_another_order",
}


@frozen
class Row:
    """A difference, and for each of its readings the units that make it: what is laid on the first ruleset, and the new
    rows of tables it is laid on (`on`)."""

    difference: Difference
    units: tuple[tuple[Unit, ...], ...]
    on: tuple[tuple[Unit, ...], ...] = ()


@frozen
class _Side:
    """One of the rulesets: what changed it, and what its addresses rest on."""

    number: int
    ruleset: Ruleset
    document: str
    cites: Mapping[str, tuple[Cite, ...]] = field(repr=False)


def table_of_differences(rulesets: Sequence[Loaded], lang: str = "en", idle: bool = True) -> tuple[Row, ...]:
    """Every difference of any of the rulesets from the first, by chapter, then as the documents list them. With
    `idle` also what only the documents say otherwise, of those that two of the rulesets follow."""
    sides = [_side(number, loaded) for number, loaded in enumerate(rulesets)]
    found: dict[str, dict[int, Strand]] = {}
    for number, other in enumerate(rulesets[1:], 1):
        for strand in strands(rulesets[0], other):
            found.setdefault(strand.difference.id, {})[number] = strand
    books = _books(sides, lang)
    rows = [_row(by_number, sides, books) for by_number in found.values()]
    if idle:
        rows += [Row(one, ()) for one in _idle(sides, books, found)]
    chapters = {chapter: number for number, chapter in enumerate(sides[0].ruleset.components.chapters)}
    order = {id: number for number, id in enumerate(books.differences)}

    def place(row: Row) -> tuple[int, int]:
        return chapters.get(row.difference.chapter, len(chapters)), order.get(row.difference.id, len(order))

    return tuple(sorted(rows, key=place))


def _side(number: int, loaded: Loaded) -> _Side:
    assert loaded.ruleset is not None
    return _Side(number, loaded.ruleset, document_of(loaded.ruleset), cites_by_address(loaded, loaded.ruleset))


@frozen
class _Books:
    """What is known of the documents, as the language has it: the differences they list, and their rules."""

    parts: Components  # of the first ruleset
    lang: str
    differences: Mapping[str, Documented]
    ledger: Mapping[str, LedgerRow]


def _books(sides: Sequence[_Side], lang: str) -> _Books:
    parts = sides[0].ruleset.components
    known = {id: one for side in reversed(sides) for id, one in side.ruleset.components.differences.items()}
    ledger = {
        id: evolve(row, says=said_in(parts, lang, f"about.{id}") or row.says, at=_sections(row.at, parts, lang))
        for id, row in {
            id: row for side in reversed(sides) for id, row in side.ruleset.components.ledger.items()
        }.items()
    }
    return _Books(parts, lang, {id: _translated(one, parts, lang) for id, one in known.items()}, ledger)


def _translated(one: Documented, parts: Components, lang: str) -> Documented:
    key = f"difference.{one.id}"
    says = {document: said_in(parts, lang, f"{key}.{document}") or text for document, text in one.says.items()}
    title, idle = said_in(parts, lang, f"{key}.title"), said_in(parts, lang, f"{key}.idle")
    return evolve(one, title=title or one.title, says=says, idle=idle or one.idle)


# ----------------------------------------------------------------------- editions


def document_of(ruleset: Ruleset) -> str:
    """The document that a ruleset follows: the one that its last overlay of that name carries out; "" for none."""
    parts = ruleset.components
    return next((layer.name for layer in reversed(ruleset.layers) if layer.name in parts.documents), "")


def editions_of(rulesets: Sequence[Ruleset], lang: str = "en") -> tuple[Edition, ...]:
    """The rulesets with their titles, no two of them alike."""
    titles = [_title(ruleset, lang) for ruleset in rulesets]
    return tuple(
        Edition(
            ruleset.name,
            ruleset.hash,
            title if titles.count(title) == 1 else f"{title} ({ruleset.name})",
            "; ".join(about for layer in ruleset.layers if (about := _about(layer, ruleset.components, lang))),
            document_of(ruleset),
        )
        for ruleset, title in zip(rulesets, titles, strict=True)
    )


def _about(layer: Layer, parts: Components, lang: str) -> str:
    """What an overlay says of itself; that of a document has a text in each language."""
    document = layer.name in parts.documents
    return (said_in(parts, lang, f"document.{layer.name}.about") if document else "") or layer.about


def _title(ruleset: Ruleset, lang: str) -> str:
    parts, phrases = ruleset.components, Phrases(lang)
    document = document_of(ruleset)
    others = [_overlay(layer.name, layer.parameters) for layer in ruleset.layers if layer.name != document]
    added = phrases("diff_with", overlays=", ".join(others)) if others else ""
    if document:
        title = said_in(parts, lang, f"document.{document}") or parts.documents[document]
        return f"{title}, {added}" if added else title
    return added or phrases("diff_base")


def _overlay(name: str, parameters: Mapping[str, str]) -> str:
    given = ", ".join(f"{words_of(key)} {value}" for key, value in parameters.items())
    return f"{words_of(name)} ({given})" if given else words_of(name)


def said_in(parts: Components, lang: str, key: str) -> str:
    """The text of a language for what the tables say in English; "" where it has none."""
    entry = parts.names.get(lang, {}).get(key)
    return entry.text if entry is not None else ""


def chapters_of(parts: Components, lang: str = "en") -> dict[str, str]:
    """The chapters of the documents, by the number that their sections begin with."""
    return {number: said_in(parts, lang, f"chapter.{number}") or title for number, title in parts.chapters.items()}


def _chapter(rules: Sequence[LedgerRow], sides: Sequence[_Side]) -> str:
    """The chapter of the first rule, as the first document that has it counts."""
    parts = sides[0].ruleset.components
    wanted = [side.document for side in sides if side.document]
    for row in rules:
        for section in (row.at[document] for document in (*wanted, *row.at) if document in row.at):
            first = section.split(" ")[0]
            while first and first not in parts.chapters:
                first = first.rpartition(".")[0]
            if first:
                return first
    return ""


# -------------------------------------------------------------------------- rows


def _row(
    found: Mapping[int, Strand],
    sides: Sequence[_Side],
    books: _Books,
) -> Row:
    """One difference from the strands of each ruleset that has it; those that are written alike are one reading."""
    readings: dict[object, tuple[Reading, Strand]] = {}
    for number, strand in found.items():
        key = tuple((unit.target, unit.verb, unit.now_text, unit.before) for unit in (*strand.units, *strand.on))
        if key in readings:
            reading, own = readings[key]
            readings[key] = evolve(reading, editions=(*reading.editions, number)), own
        else:
            readings[key] = evolve(strand.difference.readings[0], editions=(number,)), strand
    each = [strand.difference for strand in found.values()]
    first = each[0]
    rules = tuple(dict.fromkeys(rule for one in each for rule in one.rules))
    whole = evolve(first, rules=rules, readings=tuple(reading for reading, _ in readings.values()))
    laid = [strand for _, strand in readings.values()]
    units, on = tuple(strand.units for strand in laid), tuple(strand.on for strand in laid)
    return Row(_worded(whole, books, sides), units, on)


def _idle(sides: Sequence[_Side], books: _Books, found: Mapping[str, object]) -> Iterator[Difference]:
    """What the documents of these rulesets say otherwise without any effect on play."""
    documents = dict.fromkeys(side.document for side in sides if side.document)
    for id, one in books.differences.items():
        if one.idle and id not in found and len({one.says.get(document, "") for document in documents}) > 1:
            rules = tuple(rule for rule in one.rules if rule in books.parts.ledger)
            yield _worded(Difference(id, one.title, one.kind, rules, idle=one.idle), books, sides)


def _worded(whole: Difference, books: _Books, sides: Sequence[_Side]) -> Difference:
    """With its cells, its chapter and its sources, in the words of the language."""
    ledger, said = books.ledger, books.differences.get(whole.id)
    own = [ledger[rule] for rule in (said.rules if said is not None else whole.rules) if rule in ledger]
    if said is not None:
        whole = evolve(whole, title=said.title, says=said.says)
    elif not whole.title:
        whole = evolve(whole, title=_became(whole, sides, books.lang))
    rows = [ledger[rule] for rule in whole.rules]
    sources = tuple(Source(row.id, row.says, row.standing, statements(row, books.differences)) for row in rows)
    cells = tuple(_cell(whole, side, own, ledger) for side in sides)
    readings = tuple(
        evolve(one, units=tuple(evolve(unit, gloss=_gloss(unit.target, sides, books)) for unit in one.units))
        for one in whole.readings
    )
    chapter = _chapter([books.parts.ledger.get(row.id, row) for row in own], sides)
    return evolve(whole, cells=cells, chapter=chapter, sources=sources, readings=readings)


def _became(whole: Difference, sides: Sequence[_Side], lang: str) -> str:
    """What became of what stands at an address, by its name in the language, if it has one."""
    say = Phrases(lang)
    if whole.id.startswith("names."):
        return say("diff_catalogue", catalogue=whole.id.removeprefix("names."))
    found = [side.ruleset.components for side in reversed(sides)]
    keys = whole.id, f"rule.{whole.id}"
    name = next((text for parts in found for key in keys if (text := said_in(parts, lang, key))), whole.id)
    verb = next((unit.verb for reading in whole.readings for unit in reading.units if _is_at(unit, whole.id)), "change")
    return say("diff_became", what=name, how=say(BECAME[verb]))


def _is_at(unit: Change, id: str) -> bool:
    return unit.target.removeprefix(FIGURE) == id.removeprefix(FIGURE)


def _sections(at: Mapping[str, str], parts: Components, lang: str) -> dict[str, str]:
    """Sections as the language calls them: "2.3 ex."."""

    def word(found: re.Match[str]) -> str:
        return said_in(parts, lang, f"section.{found[1]}") or found[0]

    return {document: SECTION_WORD.sub(word, section) for document, section in at.items()}


def _gloss(target: str, sides: Sequence[_Side], books: _Books) -> str:
    """What stands at an address, in plain words: those of the language for it, else the name of a rule and the rules of
    the documents it carries out, or the questions that a value settles."""
    parts, lang = books.parts, books.lang
    address = target.removeprefix(FIGURE)
    told = said_in(parts, lang, f"about.{address}") or _gloss_of_zone(address, parts, lang)
    if told:
        return told
    cites = [cite for side in sides for cite in _resting(address, side)]
    ids = dict.fromkeys(id for cite in cites for id in cite.ids)
    questions = [parts.rulings[id].question for id in ids if id in parts.rulings]
    says = [row.says for id in ids if (row := books.ledger.get(id)) is not None and row.standing != "assumed"]
    named = said_in(parts, lang, f"rule.{address}") or said_in(parts, "en", f"rule.{address}")
    about = says if named or not questions else questions
    return " \u2013 ".join([*([named] if named else []), *([" ".join(about[:MAX_SAID])] if about else [])])


def _gloss_of_zone(address: str, parts: Components, lang: str) -> str:
    """Who sees what of a zone."""
    group, _, rest = address.partition(".")
    name, _, key = rest.rpartition(".")
    if group != "zone" or key not in SIGHT or name not in parts.zones:
        return ""
    zone = said_in(parts, lang, f"zone.{name}") or said_in(parts, "en", f"zone.{name}") or words_of(name)
    return Phrases(lang)("diff_who_sees", zone=zone)


# ------------------------------------------------------------------------- cells


def _cell(whole: Difference, side: _Side, own: Sequence[LedgerRow], ledger: Mapping[str, LedgerRow]) -> Cell:
    """What one ruleset has there: what its document says, unless another overlay has the last word."""
    reading = next((n for n, one in enumerate(whole.readings, 1) if side.number in one.editions), 0)
    targets = {unit.target.removeprefix(FIGURE) for unit in whole.units if not unit.target.startswith("names.")}
    document = side.document
    touching = [
        (layer, change)
        for layer in side.ruleset.layers
        for change in layer.changes
        if change.target.removeprefix(FIGURE) in targets
    ]
    last = touching[-1][0] if touching else None
    cites = [cite for layer, change in touching if layer is last for cite in _cited(change.cites, change.target, side)]
    sections = tuple(dict.fromkeys(row.at[document] for row in own if document in row.at))
    if last is not None and last.name != document:
        return Cell(reading, last.about or words_of(last.name), (), _standings(cites))
    if document and whole.says.get(document):
        status = own[0].status.get(document, "same") if own else "same"
        if last is None and status == "silent":
            return Cell(reading, whole.says[document], sections, ("assumed",), True)
        standing = _standings(cites) if last is not None else (own[0].standing,) if own else ()
        return Cell(reading, whole.says[document], sections, standing)
    resting = [cite for target in sorted(targets) for cite in _resting(target, side)]
    says = " ".join(_quoted(resting, side.ruleset.components, ledger)[:MAX_SAID])
    return Cell(reading, says, (), _standings(resting) if last is None else _standings(cites))


def _resting(target: str, side: _Side) -> tuple[Cite, ...]:
    """The marks of an address, or of what it is part of."""
    while target and target not in side.cites:
        target = target.rpartition(".")[0]
    return side.cites.get(target, ())


def _quoted(cites: Sequence[Cite], parts: Components, ledger: Mapping[str, LedgerRow]) -> list[str]:
    """What a ruleset follows where no document speaks for it: rules of the documents, then rulings on what they leave
    open, with how they are settled."""
    ids = dict.fromkeys(id for cite in cites if cite.standing != "against" for id in cite.ids if id in ledger)
    says = [ledger[id].says for id in ids if ledger[id].standing != "assumed"]
    rulings = dict.fromkeys(id for cite in cites for id in cite.ids if id in parts.rulings)
    return says or [f"{parts.rulings[id].question} {parts.rulings[id].takes}" for id in rulings]


def _cited(cites: tuple[Cite, ...], target: str, side: _Side) -> tuple[Cite, ...]:
    """The marks of a change; those of a rule stand above it."""
    return cites or side.cites.get(target.removeprefix(FIGURE), ())


def _standings(cites: Sequence[Cite]) -> tuple[str, ...]:
    """On what a reading rests. What is not followed is as much as assumed."""
    found = ["assumed" if cite.standing == "against" else cite.standing for cite in cites]
    return tuple(dict.fromkeys(found))
