"""TOML as a person would lay it out: a header, a line a key, short lists and tables on it; scalars are tomli-w's."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import tomli_w

from warlock_dsl.tables.values import written

BARE = re.compile(r"[A-Za-z0-9_-]+\Z")
WIDTH = 110


def table_text(header: str, content: Mapping[str, Any]) -> str:
    """A table under its header, `[overlay]` or `[[change]]`; without one, just its lines."""
    lines = [header] if header else []
    for key, value in content.items():
        line = f"{_key(key)} = {inline(value)}"
        if len(line) > WIDTH and isinstance(value, list):
            line = f"{_key(key)} = [\n" + "".join(f"    {inline(item)},\n" for item in value) + "]"
        lines.append(line)
    return "\n".join(lines) + "\n"


def inline(value: Any) -> str:
    """A value on one line."""
    if isinstance(value, list | tuple):
        return f"[{', '.join(inline(item) for item in value)}]"
    if isinstance(value, Mapping):
        inner = ", ".join(f"{_key(key)} = {inline(item)}" for key, item in value.items())
        return f"{{ {inner} }}" if inner else "{}"
    return tomli_w.dumps({"v": written(value)}).removeprefix("v = ").removesuffix("\n")


def _key(key: str) -> str:
    return key if BARE.match(key) else inline(key)
