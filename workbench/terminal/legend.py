"""What the signs and the short names on a table mean."""

from __future__ import annotations

from workbench.language.sentences import Words
from workbench.service.table import Table
from workbench.terminal.board import BACK, MARK


def legend(words: Words, table: Table) -> list[str]:
    """A line for each sign and each short name that is on the table now."""
    phrases = words.phrases
    signs = (
        ("▶", "legend_turn"), ("◆", "legend_token"), (BACK, "legend_back"), (f"{MARK} [ ]", "legend_chosen"),
        ("•", "legend_fresh"),
    )  # fmt: skip
    lines = [f"{sign:>5}  {phrases(key)}" for sign, key in signs]
    marks = {cell.mark for zone in table.zones if zone.is_map for cell in zone.cells}
    if marks:
        lines.append(f"{' '.join(sorted(marks)):>5}  {phrases('legend_free')}")
    shown = {piece.short for zone in table.zones for piece in zone.pieces if piece.name}
    for address in words.components.looks:
        short = words.short(address)
        if short in shown:
            lines.append(f"{short:>5}  {words.name(address)}")
    return lines
