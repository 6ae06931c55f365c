"""Marks: `printed`, `derived`, `secondary`, `assumed`, `against` = "id, id: remark", in tables and above rules."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from itertools import islice

from warlock_dsl.diagnostics.collect import MAX_WORDS
from warlock_dsl.diagnostics.diagnostic import Diagnostic, Span, closest
from warlock_dsl.syntax.keywords import MARKS
from warlock_dsl.tables.components import Cite

ID = re.compile(r"[A-Za-z0-9._#-]+\Z")

UNKNOWN_CITATION = "W230"


def parse_cite(standing: str, text: str, span: Span) -> Cite:
    """Split "id, id: remark". What is before the colon is taken for ids, whatever it is: `check_cite` judges."""
    head, _, remark = text.partition(":")
    ids = tuple(part for part in (piece.strip() for piece in head.split(",")) if part)
    return Cite(standing, ids, remark.strip(), span)


def told(cite: Cite) -> str:
    """A mark as a sentence: "printed id, id: remark"."""
    return f"{cite.standing} {', '.join(cite.ids)}" + (f": {cite.remark}" if cite.remark else "")


def check_cite(cite: Cite, known: Collection[str], suggestions: bool = True) -> Iterator[Diagnostic]:
    """The ids of a mark that are neither in the ledger nor among the rulings. Without a ledger nothing is known."""
    for id in cite.ids:
        if id in known:
            continue
        hint = "ids come first, separated by commas; a remark follows a colon"
        if ID.match(id) and suggestions:
            hint = closest(id, islice(known, MAX_WORDS)) or hint
        shown = id if len(id) <= 60 else id[:57] + "..."
        text = f"the ledger, the rulings and the differences have no entry '{shown}'"
        yield Diagnostic(UNKNOWN_CITATION, text, cite.span, "cited here", hint)


def weakest(cites: Iterable[Cite]) -> Cite | None:
    """Several marks of one value as one: the ids of all, on the standing of the weakest."""
    ranked = sorted(cites, key=lambda cite: MARKS.index(cite.standing))
    if not ranked:
        return None
    ids = tuple(dict.fromkeys(id for cite in ranked for id in cite.ids))
    remark = "; ".join(cite.remark for cite in ranked if cite.remark)
    return Cite(ranked[-1].standing, ids, remark, ranked[-1].span)
