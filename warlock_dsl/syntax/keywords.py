"""The words of the language by the part they play, and how a set of them is named to a person."""

from __future__ import annotations

import re
from collections.abc import Iterable

DECLARING = ("define", "rule", "score", "invariant", "sometimes", "share", "relation", "reveals")
HOOKING = ("after", "before", "instead")
# On what a declaration or a figure rests, from the strongest to the weakest.
STANDINGS = ("printed", "derived", "secondary", "assumed")
AGAINST = "against"  # the mark of a declaration that does not follow what it cites
MARKS = (*STANDINGS, AGAINST)

# Words that begin a statement; the heads among them take a body.
HEADS = ("choose", "may", "if", "for", "together", "repeat")
VERBS = (
    *HEADS,
    *("roll", "require", "let", "move", "swap", "shuffle", "show", "say", "set", "add", "take"),
    *("finish", "give", "stop", "pass"),
)
# Words that come between values and never begin one.
JOINING = ("then", "else", "or", "and", "is", "has", "in", "where", "by", "to", "from", "with", "without")
VALUES = ("true", "false", "not", "can", "would")
COUNTS = ("some", "minimal")

# Reserved by the grammar of the `.warlock` files.
KEYWORDS = frozenset((*DECLARING, *HOOKING, *VERBS, *JOINING, *VALUES, *COUNTS))
# No game may use these as a name either: overlays speak of changes with them.
RESERVED = KEYWORDS | {"overlay", "on", "change", "was", "now", "remove"}

SIGNS = {
    "COLON": ":",
    "COMMA": ",",
    "DOT": ".",
    "EQUAL": "=",
    "LPAR": "(",
    "RPAR": ")",
    "LSQB": "[",
    "RSQB": "]",
    "LESS": "<",
    "LESS_OR_SAME": "<=",
    "MORE": ">",
    "MORE_OR_SAME": ">=",
    "PLUS": "+",
    "MINUS": "-",
    "TIMES": "*",
    "RANGE": "..",
}
COMPARISONS = frozenset({"LESS", "LESS_OR_SAME", "MORE", "MORE_OR_SAME", "IS", "HAS"})
CLOSERS = {"(": ")", "[": "]"}

# Groups of terminals that a message names as one, by the first of them.
GROUPS = (
    ("MOVE", "a statement", (*(word.upper() for word in VERBS), "NAME", "NUMBER", "TRUE", "FALSE", "LPAR", "LSQB")),
    ("NUMBER", "a value", ("NUMBER", "NAME", "TRUE", "FALSE", "NOT", "CAN", "WOULD", "IF", "LPAR", "LSQB")),
    ("PLUS", "an operator", ("PLUS", "MINUS", "TIMES", "RANGE", "AND", "OR", *COMPARISONS, "DOT", "LPAR", "LSQB")),
    ("TIMES", "an operator", ("TIMES", "DOT", "LPAR", "LSQB")),
    ("DEFINE", "a declaration", tuple(word.upper() for word in DECLARING)),
)
TOLD = {
    "NAME": "a name",
    "STRING": "a text in quotation marks",
    "MARK": "a mark",
    "_NEWLINE": "the end of the line",
    "_INDENT": "an indented block",
    "_DEDENT": "the end of the block",
    "$END": "the end of the declaration",
}


def quoted(text: str, maximum: int = 40) -> str:
    """A word of the text in quotation marks, cut when it is very long."""
    return f"'{text}'" if len(text) <= maximum else f"'{text[:maximum]}...'"


def expected(accepts: Iterable[str], maximum: int = 5) -> str:
    """What could have been written at a place, in words; nothing when that is too much to list."""
    left = set(accepts)
    told: list[str] = []
    for sign, name, members in GROUPS:
        if sign in left:
            left -= set(members)
            told.append(name)
    for kind in sorted(left - {"_DEDENT"}):
        told.append(TOLD.get(kind) or quoted(SIGNS.get(kind) or kind.lower()))
    if not told or len(told) > maximum:
        return ""
    words = told[0] if len(told) == 1 else ", ".join(told[:-1]) + " or " + told[-1]
    return f"expected {words}"


NAME = re.compile(r"[a-z_][a-z0-9_]*\Z")


def is_name(text: str) -> bool:
    """Whether the text has the shape of a name and is not reserved."""
    return NAME.match(text) is not None and text not in RESERVED
