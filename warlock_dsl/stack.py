"""The name of a ruleset: a base and an ordered stack of overlays, `game+edition+rule(limit=2)`."""

from __future__ import annotations

import re
from collections.abc import Mapping

from attrs import field, frozen

MAX_LENGTH = 2000
PART = re.compile(r"(?P<name>[^()+]+)(?:\((?P<given>[^()]*)\))?\Z")
PATH_SIGNS = frozenset("/\\:\0")  # of a path on any system
GIVEN = re.compile(r"\s*(?P<name>[a-z_][a-z0-9_]*)\s*=\s*(?P<value>[^=,]*?)\s*\Z")


@frozen
class Use:
    """An overlay as it is asked for: its name or folder, and the parameters given, as they were written."""

    name: str
    given: Mapping[str, str] = field(factory=dict)

    def __str__(self) -> str:
        inside = ",".join(f"{name}={value}" for name, value in sorted(self.given.items()))
        return f"{self.name}({inside})" if inside else self.name


@frozen
class Stack:
    base: str
    uses: tuple[Use, ...] = ()

    def __str__(self) -> str:
        return "+".join((self.base, *map(str, self.uses)))


def is_plain_name(text: str) -> bool:
    """Whether a text names a ruleset or an overlay and is no path: all that a file may say of another folder."""
    names = (part.partition("(")[0].strip() for part in text.split("+"))
    return not PATH_SIGNS.intersection(text) and not any(name in ("", ".", "..") for name in names)


def parse_stack(text: str) -> Stack | str:
    """The stack a name stands for, or what is wrong with it."""
    if len(text) > MAX_LENGTH:
        return "a name this long is none"
    base, *rest = text.split("+")
    uses = []
    for part in rest:
        found = PART.match(part.strip())
        if found is None:
            return f"'{part.strip()[:60]}' is no overlay: name it, or name(parameter=value)"
        given: dict[str, str] = {}
        for pair in found["given"].split(",") if found["given"] else ():
            one = GIVEN.match(pair)
            if one is None:
                return f"'{pair.strip()[:60]}' gives no parameter: write name=value"
            if one["name"] in given:
                return f"the parameter '{one['name']}' is given twice"
            given[one["name"]] = one["value"]
        uses.append(Use(found["name"].strip(), given))
    return Stack(base.strip(), tuple(uses))
