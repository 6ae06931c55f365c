"""A game as a sequence of pictures: what one viewer sees at every moment, each part written once."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from interpreter import Game
from workbench.language.sentences import Words
from workbench.service.table import question_for, table_for

MAX_MOMENTS = 2000
SHARED = ("zones", "notes", "seats")  # lists of a table whose members seldom change

Report = dict[str, Any]


class Parts:
    """Pieces of JSON, each written once and named by its number."""

    def __init__(self) -> None:
        self.all: list[Any] = []
        self._numbers: dict[str, int] = {}

    def number(self, part: Any) -> int:
        text = json.dumps(part, sort_keys=True)
        if text not in self._numbers:
            self._numbers[text] = len(self.all)
            self.all.append(part)
        return self._numbers[text]


def frames(game: Game, answers: Sequence[str], words: Words, viewer: int | None, fatal: str = "") -> Report:
    """The moments of a game from where it stands, through these answers. Without a viewer each is seen through the eyes
    of whoever is asked. `fatal` is what is answered at the last, and breaks the rules."""
    parts, moments, heard = Parts(), list[Report](), 0
    given = answers[:MAX_MOMENTS]
    for number, key in enumerate((*given, fatal)):
        eyes = viewer if viewer is not None else game.to_move if game.to_move >= 0 else -1
        table = table_for(words, game, eyes, heard, scored=True).data()
        heard = len(game.events)
        asked = question_for(words, game) if key else None
        chosen = next((one for one in asked.options if one.key == key), None) if asked is not None else None
        told = eyes in (game.to_move, -1)  # what others answer in secret is not told before it shows
        moments.append({
            **{name: value for name, value in table.items() if name not in SHARED},
            **{name: [parts.number(one) for one in table[name]] for name in SHARED},
            "chosen": chosen.number if chosen is not None and told else 0,
        })  # fmt: skip
        if number < len(given):
            game.answer(key)
    return {"parts": parts.all, "moments": moments}
