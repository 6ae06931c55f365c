"""What the sections and keys of tables mean, in a sentence each: for hovers, and beside what completion offers."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

MARKS = {
    "printed": "The rulebook says it: ids of the ledger, and after a colon a remark.",
    "derived": "It follows from what is printed: from which ids.",
    "secondary": "Somebody else says so: the ruling that names who.",
    "assumed": "The documents leave it open: the ruling that was taken.",
    "against": "The documents have a rule that is not followed here: which, and by which ruling.",
}
SECTIONS = {
    "game": "For how many players the game is, whether they win together, and its limits.",
    "table": "A closed type: its columns, and its rows with what each has there.",
    "kind": "A kind of piece: from a file, from the rows of a table, or all alike.",
    "grid": "The plan of a board as a picture, a letter a cell; or a table whose rows are cells.",
    "zone": "Places for pieces: what each holds, whose it is, and who sees what lies there.",
    "variable": "Markers, counters and flags: of the game, of each player, or of each piece of a kind.",
    "series": "Figures that are looked up by a number.",
    "matrix": "What is looked up by two rows of tables.",
    "die": "How many faces of a die show each row of a table.",
    "figure": "Named figures and settings, by their group: `size.hand` in rules.",
    "total": "Sums that the documents state, which the check compares with their parts.",
    "look": "Colours and short labels of pieces and zones on the screen.",
    "document": "The documents of the game, by a short name.",
    "chapter": "The titles of their chapters, by the number that their sections begin with.",
    "ledger": "One row for each rule that the documents hold.",
    "ruling": "A question the documents leave open, and the answer that is taken here.",
    "difference": "A point in which the documents differ.",
    "overlay": "What this overlay is on, and how it goes with others.",
    "change": "One value of the tables becomes another; `was` is what is expected to be there.",
    "add": "Something new in the tables.",
    "remove": "Something of the tables that goes away.",
    "replace": "Declarations of the rules that this overlay writes anew, each with the digest of what it expects.",
    "drop": "Declarations of the rules that go away, each with the digest of what it expects.",
    "before": "Declarations that are to come before another one.",
}
OVERLAY_ENTRY = {
    "at": "The address of what is changed, as `warlock show` writes it: `size.hand`, `zone.hand.sees`.",
    "was": "What is expected to be there; if the game has something else, that is an error with both places.",
    "now": 'What is there from now on; "{cards}", alone in its text, is the parameter `cards` of the overlay.',
    "before": "What is added comes before this one, not at the end.",
    "where": "Which rows are changed, by what other cells of theirs hold.",
    "warns": "What a check says of this change as a warning.",
}
KEYS: Mapping[str, Mapping[str, str]] = {
    "game": {
        "players": 'For how many it is: a number, or a range such as "2..5".',
        "cooperative": "The table wins or loses as one.",
        "limits": "Bounds the game sets itself: `listed`, `depth`, `work`.",
    },
    "table": {
        "columns": "The columns, each with its type.",
        "rows": "The rows with their cells, or a list of words.",
    },
    "kind": {
        "rows": "A CSV file beside this one, or a table: a piece for each row.",
        "copies": "How many pieces of each row: a number, or the column that says it.",
        "each": '"player": a set of them for every player.',
        "count": "How many there are, all alike.",
        "fields": "What each piece has, with its type.",
        "values": "What the pieces have there, where all are alike.",
        "marks": "The CSV column with letters of standing (`column`), and the fields they are for (`of`).",
        "called_by": "The field by which a piece is named in a scenario.",
    },
    "grid": {
        "cells": "The plan, a letter a cell and a line a row; or the name of a table whose rows are the cells.",
        "near": "The column of the table that lists the neighbours of each cell.",
        "one_way": "A neighbour need not have the cell as its neighbour.",
        "regions": "Sets of cells by name, each as the letters that belong to it.",
        "slots": "Cells that have no neighbours.",
        "shape": '"square" or "hex".',
        "stacks": "Several pieces may lie on one cell.",
        "from_below": "Rows are counted from the bottom, as on a chessboard.",
    },
    "zone": {
        "holds": "The kinds of pieces that may lie here.",
        "each": 'Whose it is: "player", a kind of piece, or a table; several in a list. Without it, everybody\'s.',
        "sees": "Who sees the pieces: `all`, `owner`, `others`, `none`, `top`, or a variable of players.",
        "count": 'Who sees how many there are: "all" or "owner".',
        "grid": "The grid whose cells the pieces lie on.",
        "hidden_by": "A truth variable of the pieces that turns one face down.",
        "start": "The kinds of pieces that lie here before the game begins.",
    },
    "variable": {
        "type": 'Its type: `number`, `truth`, a table, "0..3" for a counter, "[player]" for a list, or its words.',
        "first": "Its value before anything happens.",
        "lasts": "A rule: when that begins, it has its first value again. Or `move`: when the piece moves.",
        "sees": "Who sees it: `all`, `owner`, `others`, `none`, or a variable of players.",
    },
    "series": {
        "is": "The figures, in order.",
        "from": "The number of the first.",
        "beyond": 'What is beyond the end: "error", "last" or "zero".',
    },
    "matrix": {
        "rows": "The table whose rows are looked up first.",
        "columns": "The table whose rows are looked up second.",
        "of": "The table whose rows are found, or a list of words.",
        "cells": "What is found, by row and column.",
    },
    "die": {"of": "The table whose rows its faces show.", "faces": "How many faces show each row."},
    "figure": {
        "is": "Its value.",
        "type": "Its type, where it is a word: a table.",
        "range": 'What it may become in an overlay or a sweep, such as "2..8".',
        "idle": "Why no rule reads it.",
    },
    "total": {"of": "What is summed: one address or a list.", "is": "What the documents say it comes to."},
    "look": {
        "colour": "The colour on the screen.",
        "short": "A short label, as wide as a cell of the board.",
        "by": "The field or the variable that decides about the look.",
        "off_board": "It is not drawn on the board.",
    },
    "ledger": {
        "says": "The rule, in paraphrase.",
        "standing": "On what it rests: printed, derived, secondary or assumed.",
        "at": "The section in each document.",
        "status": "In each document: same, differs or silent.",
        "ruling": "The ruling that settles what it leaves open.",
        "differences": "The differences of the documents that are about it.",
        "idle": "Why it has no effect on play.",
    },
    "ruling": {
        "question": "What the documents leave open.",
        "options": "The answers there could be.",
        "takes": "The answer that is taken here.",
        "because": "Why.",
        "editions": "What the editions say.",
        "idle": "Why nothing follows it.",
    },
    "difference": {
        "title": "What it is about.",
        "kind": "`mechanical`, `visibility`, `component`, `misprint` or `wording`.",
        "says": "What each document says.",
        "rules": "The rules of the ledger that it is about.",
        "carried": "The overlay that carries it out, and at which address.",
        "idle": "Why it has no effect on play.",
    },
    "overlay": {
        "on": "The game it changes.",
        "about": "What it does, in a line.",
        "kind": "`house`, `edition` or `errata`.",
        "language": "Of an edition: the language it is played in, unless `--lang` says otherwise.",
        "requires": "Overlays that must come before it in the stack.",
        "conflicts": "Overlays that may not be in the same stack.",
        "builds_on": "Overlays whose changes it may change again; it requires them, too.",
        "parameters": "What whoever asks for the overlay may choose, each with its default (`is`) and its range.",
    },
    "change": OVERLAY_ENTRY,
    "add": OVERLAY_ENTRY,
    "remove": OVERLAY_ENTRY,
}
SEES = {
    "all": "Everybody sees the pieces.",
    "owner": "Whoever owns the place sees the pieces; others see how many there are.",
    "others": "All but the owner see the pieces.",
    "none": "Nobody sees the pieces.",
    "top": "Everybody sees the last piece, and nobody the others.",
}


def about_word(lines: Sequence[str], line: int, column: int) -> tuple[str, tuple[int, int] | None]:
    """What the word at a place of a table means, and where it begins and ends: a section, a key, a mark, who sees."""
    text = lines[line - 1] if line <= len(lines) else ""
    found = next((one for one in re.finditer(r"\w+", text) if one.start() < column <= one.end() + 1), None)
    if found is None:
        return "", None
    word, before, after = found.group(), text[: found.start()], text[found.end() :]
    said = ""
    if re.fullmatch(r"\s*\[{1,2}\s*", before):
        said = SECTIONS.get(word, "")
    elif re.match(r"\s*=", after) and not before.count('"') % 2:
        said = keys_of(section_at(lines, line)).get(word, "")
    elif re.search(r"\bsees\s*=\s*\"$", before):
        said = SEES.get(word, "")
    return (f"`{word}`\n\n{said}", (found.start() + 1, found.end() + 1)) if said else ("", None)


def section_at(lines: Sequence[str], line: int) -> str:
    """The section that a line of a table is in: the first word of the last heading above."""
    heading = next((one for one in reversed(lines[:line]) if re.match(r"\s*\[", one)), "")
    word = re.match(r"\s*\[{1,2}\s*([\w-]+)", heading)
    return word[1] if word else ""


def keys_of(section: str) -> dict[str, str]:
    """The keys that what is declared in a section can have, each with what it means; marks last."""
    return {**KEYS.get(section, {}), **(MARKS if section in KEYS and section != "overlay" else {})}
