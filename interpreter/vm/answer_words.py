"""Answers as the core says them, in words. Each is written once: rows that are equal have the same key."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from typing import Any

from interpreter.ir import blocks as ir
from interpreter.plain.bots import Said
from interpreter.plain.labelled import answer_label
from interpreter.plain.questions import Answer, Offer
from interpreter.state.identity import CELLS, ZONE, naming
from interpreter.state.labels import answer_key
from interpreter.state.layout import Layout
from interpreter.state.state import State
from interpreter.vm.compile.rules import Asked

DOES = ("value", "add", "stop", "decline")  # as state.h has it
TRUTH, LIST = 1, 2  # the kinds of words, in their highest bits
COUNT = (1 << 60) - 1
MAX_KEPT = 200_000
SEES_ALL = -1


class Answers:
    """What the answers of one program are called."""

    def __init__(self, layout: Layout, lowered_rules: Sequence[ir.LoweredRule], questions: Sequence[Asked]) -> None:
        self.layout, self.questions = layout, questions
        self.addresses = [f"{lowered_rules[one.rule].address}.{one.ask.question.name}" for one in questions]
        # What belongs to somebody is called otherwise by whoever owns it; all else has one key for every seat.
        self.owned = [naming(one.ask.question.type) in (ZONE, CELLS) for one in questions]
        self.for_all: dict[tuple[int, bytes], str] = {}
        self.known: dict[bytes, Said] = {}
        self.keys: dict[bytes, str] = {}

    def said(self, words: bytes) -> Said:
        """An answer that is about nothing the asked player does not see."""
        found = self.known.get(words)
        if found is None:
            if len(self.known) >= MAX_KEPT:
                self.known.clear()
                self.keys.clear()
                self.for_all.clear()
            found = self.known[words] = self._said(words)
            self.keys[words] = found.key
        return found

    def _said(self, words: bytes) -> Said:
        row = array("q", words)
        number, seat, what = row[0] >> 8, row[0] >> 2 & 63, row[0] & 3
        if self.owned[number]:
            return Said(seat, self.addresses[number], self._key(number, seat, what, row))
        for_all = number << 2 | what, words[8:]
        key = self.for_all.get(for_all)
        if key is None:
            key = self.for_all[for_all] = self._key(number, seat, what, row)
        return Said(seat, self.addresses[number], key)

    def _key(self, number: int, seat: int, what: int, row: array[int]) -> str:
        """All of it is seen: it is named as for somebody who sees everything, to whom the position does not matter."""
        asked, (value, _) = self.questions[number], _value(row, 1)
        offer = Offer(SEES_ALL, asked.rule, asked.ask, None)
        label = answer_label(self.layout, State(), offer, Answer(DOES[what], value))
        return answer_key(DOES[what], label, seat)


def _value(row: array[int], at: int) -> tuple[Any, int]:
    """The value that begins at a place, and the place after it."""
    word, kind = row[at], row[at] >> 60
    if kind == LIST:
        items, at = [], at + 1
        for _ in range(word & COUNT):
            item, at = _value(row, at)
            items.append(item)
        return tuple(items), at
    return (bool(word & 1) if kind == TRUTH else word), at + 1
