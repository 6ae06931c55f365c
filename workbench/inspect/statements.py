"""What each document says about a rule of the ledger: the same, something else, or nothing."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from attrs import frozen

from warlock_dsl.tables.components import Difference, LedgerRow


@frozen
class Statement:
    """Of one document: `status` is same, differs or silent; `says` what it says instead, where that is known."""

    document: str
    section: str
    status: str
    says: str = ""

    def __str__(self) -> str:
        if self.status == "silent":
            return f"{self.document} silent"
        otherwise = f" otherwise: {self.says}" if self.says else " otherwise"
        return f"{self.document} {self.section}" + (otherwise if self.status == "differs" else "")

    def data(self) -> dict[str, Any]:
        found = {"document": self.document, "section": self.section, "status": self.status}
        return {**found, "says": self.says} if self.says else found


def statements(row: LedgerRow, differences: Mapping[str, Difference]) -> tuple[Statement, ...]:
    """Of every document that the row names. What one says otherwise stands in a difference that concerns the row."""
    found = []
    for document, section in row.at.items():
        status = row.status.get(document, "same")
        about = [differences[id] for id in row.differences if id in differences]
        about += [one for one in differences.values() if row.id in one.rules and one not in about]
        texts = [one.says[document] for one in about if document in one.says] if status == "differs" else []
        found.append(Statement(document, section, status, texts[0] if texts else ""))
    return tuple(found)


def said_where(found: tuple[Statement, ...]) -> str:
    """Where the documents say it, then who says something else, then who says nothing."""
    same = ", ".join(str(one) for one in found if one.status == "same")
    others = [str(one) for status in ("differs", "silent") for one in found if one.status == status]
    return "; ".join([*([same] if same else []), *others])
