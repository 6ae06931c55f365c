"""Keys as a terminal sends them, by name."""

from __future__ import annotations

import re

NAMES = {
    "\r": "enter", "\n": "enter", "\t": "tab", "\x7f": "backspace", "\x08": "backspace", "\x04": "ctrl-d",
    "\x0c": "ctrl-l", "\x03": "ctrl-c", "\x15": "ctrl-u",
}  # fmt: skip
FINALS = {"A": "up", "B": "down", "C": "right", "D": "left", "H": "home", "F": "end", "Z": "back-tab", "M": "enter"}
NUMBERS = {"1": "home", "3": "delete", "4": "end", "5": "page-up", "6": "page-down", "7": "home", "8": "end"}
SEQUENCE = re.compile(r"\x1b(?:\[([0-9;<?]*)([@-~])|O([A-Za-z])|(?=\x1b|\Z)|(.))", re.DOTALL)


def keys_in(text: str) -> list[str]:
    """The keys of what was read: a printable sign is itself, others have names; what is not known is left out."""
    found, place = [], 0
    while place < len(text):
        char = text[place]
        if char != "\x1b":
            place += 1
            if char in NAMES or char.isprintable():
                found.append(NAMES.get(char, char))
            continue
        match = SEQUENCE.match(text, place)
        if match is None:  # the beginning of a sequence without its end
            break
        place = match.end()
        numbers, final, other, with_alt = match.groups()
        name = "escape"
        if final == "~":
            name = NUMBERS.get(numbers.partition(";")[0], "")
        elif final or other:
            name = FINALS.get(final or other, "")
        elif with_alt:  # Escape, and right behind it another key
            place -= 1
        if name:
            found.append(name)
    return found


def is_partial(text: str) -> bool:
    """Whether what was read ends in the middle of a key: more of it may be on its way."""
    return re.search(r"\x1b(?:\[[0-9;<?]*|O)?\Z", text) is not None
