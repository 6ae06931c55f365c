"""The words of the language that no game may use as a name, and what a name looks like."""

from __future__ import annotations

import re

# Reserved by the grammar of the `.warlock` files.
_SENTENCE = """
    define rule score invariant after before instead where choose may some minimal in by else if then roll require
    let move to swap with shuffle set add take from finish for together repeat stop pass is has not and or can true
    false overlay on change was now remove
"""
RESERVED = frozenset(_SENTENCE.split())

# The built-in types: no table and no kind may bear one of these names, or a type could be read in two ways.
TYPE_WORDS = frozenset({"number", "truth", "player", "cell", "region", "zone", "grid", "piece"})

NAME = re.compile(r"[a-z_][a-z0-9_]*\Z")


def is_name(text: str) -> bool:
    """Whether the text has the shape of a name and is not reserved."""
    return NAME.match(text) is not None and text not in RESERVED
