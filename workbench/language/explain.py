"""What a player can read about an option: the pieces with their figures, what a card can do, the rule that asks.

A rule is told by its sentence in the catalogue (`says.RULE`), or else by what the documents say that it carries out;
and where they say it, in the document of the player's language if there is one.
"""

from __future__ import annotations

from collections.abc import Iterator

from interpreter import Decision, Option, Shown
from warlock_dsl import Ruleset
from warlock_dsl import types as t
from warlock_dsl.check import program as checked
from warlock_dsl.tables.components import LedgerRow
from workbench.language.phrases import clean
from workbench.language.sentences import Words, named_pieces

MAX_SENTENCES = 4  # of the documents about one rule


def explain(words: Words, ruleset: Ruleset, decision: Decision, option: Option) -> list[str]:
    """Lines about an option; nothing that its label does not name is in them."""
    lines: list[str] = []
    rules: dict[str, checked.Rule] = {}
    by_address = {rule.address: rule for rule in ruleset.program.rules}
    for piece in dict.fromkeys(named_pieces(option.value)):
        lines.append(words.help(piece))
        for address in _of_piece(words, ruleset, piece):
            rules.setdefault(address, by_address[address])
    for address in _of_value(ruleset, option.value):
        rules.setdefault(address, by_address[address])
    if decision.rule in by_address:
        rules.setdefault(decision.rule, by_address[decision.rule])
    lines = list(dict.fromkeys(lines))
    for address, rule in rules.items():
        if about := about_rule(words, ruleset, rule):
            lines += ["", words.text(f"rule.{address}") or words.name(address), *(f"  {line}" for line in about)]
    return lines


def about_rule(words: Words, ruleset: Ruleset, rule: checked.Rule) -> list[str]:
    """The sentence of a rule in the player's language, or those of the documents, with their sections."""
    parts = ruleset.components
    ids = [id for cite in rule.cites for id in cite.ids]
    rows = [parts.ledger[id] for id in ids if id in parts.ledger]
    changed = [layer for layer in ruleset.layers if any(one.target == rule.address for one in layer.changes)]
    own = words.text(f"says.{rule.address}") if not changed else None  # it says what the rule was before
    if own is not None:
        sections = dict.fromkeys(section for row in rows if (section := _section(words, row)))
        where = f" ({', '.join(list(sections)[:MAX_SENTENCES])})" if sections else ""
        return [f"{own}{where}"]
    lines = [words.phrases("changed_by", overlay=layer.name, about=clean(layer.about)) for layer in changed]
    for row in rows[:MAX_SENTENCES]:
        section = _section(words, row)
        lines.append(clean(row.says) + (f" ({section})" if section else ""))
    for one in (parts.rulings[id] for id in ids if id in parts.rulings):
        lines.append(words.phrases("ruling", question=clean(one.question), takes=clean(one.takes)))
    return list(dict.fromkeys(lines))


def _section(words: Words, row: LedgerRow) -> str:
    """Where a document says it: the one in the player's language, or else the first that does."""
    says = [document for document in row.at if row.status.get(document, "same") != "silent"]
    document = words.lang if words.lang in says else next(iter(says), "")
    name = words.text(f"document.{document}") or document
    return words.phrases("section", document=name, section=clean(row.at[document])) if document else ""


def _of_piece(words: Words, ruleset: Ruleset, piece: str) -> Iterator[str]:
    """The rules that there are for a piece: those of families by a table, a row of which the piece has."""
    parts, program = ruleset.components, ruleset.program
    kind = next((one for one in parts.kinds.values() if piece in one.pieces), None)
    if kind is None:
        return
    number = kind.pieces.index(piece)
    found = {kind.table: parts.tables[kind.table].rows[kind.faces[number]]} if kind.table else {}
    for column in kind.fields.values():
        value = column.values[number]
        if isinstance(column.type, t.RowType) and isinstance(value, int):
            found[column.type.table] = parts.tables[column.type.table].rows[value]
    for family in program.families.values():
        key = found.get(family.table) if family.table else None
        if key in family.keys:
            yield program.rules[family.rules[family.keys.index(key)]].address


def _of_value(ruleset: Ruleset, value: Shown) -> Iterator[str]:
    """The rules that an answer names: the member of a family."""
    program = ruleset.program
    for item in value.items:
        yield from _of_value(ruleset, item)
    if value.what in ("row", "key"):
        for family in program.families.values():
            if value.of in (family.name, family.table) and value.name in family.keys:
                yield program.rules[family.rules[family.keys.index(value.name)]].address
