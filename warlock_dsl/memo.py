"""What was made of a value, kept by the value's identity: to compare two trees takes as long as to make it anew."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import TypeVar

V = TypeVar("V")
R = TypeVar("R")


def kept_by_identity(size: int) -> Callable[[Callable[[V], R]], Callable[[V], R]]:
    """A function of one frozen value that remembers its last results; at most `size` of them, the oldest go first."""

    def remembering(function: Callable[[V], R]) -> Callable[[V], R]:
        known: dict[int, tuple[V, R]] = {}  # the value is kept, too: so nothing else can have its identity

        @wraps(function)
        def remembered(value: V) -> R:
            found = known.get(id(value))
            if found is not None:
                return found[1]
            made = function(value)
            if len(known) >= size:
                del known[next(iter(known))]
            known[id(value)] = value, made
            return made

        return remembered

    return remembering
