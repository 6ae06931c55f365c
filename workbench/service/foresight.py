"""What whoever is asked can foresee of the table after an answer: what they cannot know now is not shown."""

from __future__ import annotations

from typing import Any

from interpreter import Game, PlayError
from workbench.language.sentences import Words
from workbench.service.table import EVERYBODY, table_for

DEALS = 3  # of what the seat does not see, each with other chance: what differs among them cannot be foreseen
LISTS = ("zones", "notes", "seats")

Report = dict[str, Any]


def foreseen(words: Words, game: Game, viewer: int, number: int) -> Report:
    """The table after an option. For a seat it is made from games that only look the same to it, so that nothing of the
    real one that it does not see can be in it; what is not alike in all of them is marked `unknown` and left out."""
    if viewer == EVERYBODY:
        after = game.copy()
        after.choose(number)
        return _table(words, after, viewer)
    key = game.decision.options[number].key if game.decision is not None else ""
    tables = []
    for deal in range(DEALS):
        imagined = game.imagine(viewer, deal)
        try:
            imagined.answer(key)
        except PlayError:  # a law that breaks, or an option that hangs on what the seat does not see
            continue
        tables.append(_table(words, imagined, viewer))
    if not tables:
        raise PlayError("what follows cannot be foreseen")
    first, *others = tables
    for name in LISTS:
        first[name] = [
            _common(one, [other[name][number] for other in others if number < len(other[name])])
            for number, one in enumerate(first[name])
        ]
    return first


def _common(part: Report, others: list[Report]) -> Report:
    """What is the same in all games: of a zone the pieces, if as many lie there."""
    if all(part == other for other in others):
        return part
    if "pieces" not in part or any(_shape(part) != _shape(other) for other in others):
        return _unknown(part)
    pieces = [
        one if all(other["pieces"][number] == one for other in others) else _turned(one)
        for number, one in enumerate(part["pieces"])
    ]
    return {**part, "pieces": pieces, "unknown": True}


def _shape(zone: Report) -> Report:
    return {"cells": zone["cells"], "count": zone["count"], "many": len(zone["pieces"])}


def _turned(piece: Report) -> Report:
    """A piece of which nobody knows yet which it is."""
    return {**piece, "name": "", "label": "?", "short": "?", "colour": "", "remarks": (), "alike": "", "figures": ""}


def _table(words: Words, game: Game, viewer: int) -> Report:
    found = table_for(words, game, viewer, len(game.events), scored=True).data()
    return {**found, "question": None}


def _unknown(part: Report) -> Report:
    """A zone, a note or a seat of which nothing can be foreseen but that it is there."""
    empty: Report = {"pieces": (), "cells": (), "count": None, "value": "?", "total": "", "parts": ()}
    return {name: empty.get(name, value) for name, value in part.items()} | {"unknown": True}
