"""The documents a game rests on: the ledger of their rules, the rulings, and the marks that cite them."""

from __future__ import annotations

from collections.abc import Mapping

from warlock_dsl.diagnostics.collect import near, quoted
from warlock_dsl.diagnostics.diagnostic import Related
from warlock_dsl.syntax.keywords import STANDINGS
from warlock_dsl.tables.citations import ID, check_cite
from warlock_dsl.tables.components import Difference, LedgerRow, Ruling
from warlock_dsl.tables.context import Reading
from warlock_dsl.tables.merge import Item
from warlock_dsl.tables.schema import RawLedger
from warlock_dsl.tables.toml_spans import Path

STATUSES = ("same", "differs", "silent")  # what a document does about a rule of the ledger


def read_ledger(reading: Reading) -> tuple[dict[str, LedgerRow], dict[str, Ruling]]:
    """The ledger and the rulings."""
    found = reading.sections
    rulings = {}
    for id, item in found.rulings.items():
        _check_id(reading, id, item.path)
        raw = item.raw
        span = reading.places.key(item.path)
        rulings[id] = Ruling(id, raw.question, raw.options, raw.takes, raw.because, raw.editions, raw.idle, span)
    ledger = {}
    for id, row in found.ledger.items():
        _check_id(reading, id, row.path)
        if id in found.rulings:
            other = Related(reading.places.key(found.rulings[id].path), "the ruling")
            text = f"{quoted(id)} is the id of a ruling too"
            reading.errors.add("W212", text, reading.places.key(row.path), related=(other,))
        ledger[id] = _row(reading, row, rulings)
    return ledger, rulings


def read_differences(reading: Reading, ledger: Mapping[str, LedgerRow]) -> dict[str, Difference]:
    """Where the documents differ. The rules each concerns must be in the ledger."""
    found = {}
    for id, item in reading.sections.differences.items():
        _check_id(reading, id, item.path)
        raw = item.raw
        for document in raw.says:
            if document not in reading.sections.documents:
                hint = near(document, reading.sections.documents, "documents")
                span = reading.places.key((*item.path, "says", document))
                reading.errors.add("W239", f"there is no document {quoted(document)}", span, hint=hint)
        for rule in raw.rules:
            if rule not in ledger:
                span = reading.places.of((*item.path, "rules"))
                text = f"there is no rule {quoted(rule)} in the ledger"
                reading.errors.add("W230", text, span, hint=near(rule, ledger, "rules"))
        if bool(raw.carried) == bool(raw.idle):
            text = f"{quoted(id)} says either what carries it out or, in 'idle', why it has no effect on play"
            reading.errors.add("W206", text, reading.places.key(item.path))
        span = reading.places.key(item.path)
        found[id] = Difference(id, raw.title, raw.kind, raw.says, raw.rules, raw.carried, raw.idle, span)
    return found


def _check_id(reading: Reading, id: str, path: Path) -> None:
    if not ID.match(id):
        hint = "an id has letters, digits, dots, dashes, underscores and #"
        reading.errors.add("W233", f"{quoted(id)} cannot be an id", reading.places.key(path), hint=hint)


def _row(reading: Reading, item: Item[RawLedger], rulings: Mapping[str, Ruling]) -> LedgerRow:
    raw, path = item.raw, item.path
    if raw.standing not in STANDINGS:
        hint = near(raw.standing, STANDINGS, "standings")
        span = reading.places.of((*path, "standing"))
        reading.errors.add("W229", f"'standing' cannot be {quoted(raw.standing)}", span, hint=hint)
    documents = reading.sections.documents
    for key, named in (("at", raw.at), ("status", raw.status)):
        for document in named:
            if document not in documents:
                text = f"there is no document {quoted(document)}"
                hint = near(document, documents, "documents")
                reading.errors.add("W239", text, reading.places.key((*path, key, document)), hint=hint)
    for document, status in raw.status.items():
        if status not in STATUSES:
            hint, span = near(status, STATUSES, "words"), reading.places.of((*path, "status", document))
            reading.errors.add("W229", f"'status' cannot be {quoted(status)}", span, hint=hint)
    for id in raw.ruling:
        if id not in rulings and ("ruling", id) not in reading.sections.broken:
            hint, span = near(id, rulings, "rulings"), reading.places.of((*path, "ruling"))
            reading.errors.add("W230", f"there is no ruling {quoted(id)}", span, hint=hint)
    span = reading.places.key(path)
    return LedgerRow(item.name, raw.says, raw.at, raw.status, raw.standing, raw.ruling, raw.differences, raw.idle, span)


def check_marks(reading: Reading) -> None:
    """With a ledger, every id that a mark of the tables cites must be in it or be a ruling."""
    found = reading.sections
    if not found.ledger:
        return
    broken = (key[-1] for key in found.broken if key[0] in ("ledger", "ruling", "difference"))
    known = dict.fromkeys((*found.ledger, *found.rulings, *found.differences, *broken)).keys()
    for cite in reading.cites:
        reading.errors.extend(check_cite(cite, known, suggestions=not reading.errors.full))
