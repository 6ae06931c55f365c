"""Data of long runs as they are kept: compressed JSON. What is read back may be a stranger's: bounded and checked."""

from __future__ import annotations

import json
import zlib
from collections.abc import Mapping
from typing import Any

MAX_BYTES = 64_000_000  # of JSON, unpacked
MAX_VALUES = 6_000_000  # in one piece of JSON: lists and numbers take more room in memory than in a file
MAX_NUMBER = 1 << 260  # a seed may have 256 bits

Shape = Any
"""What data look like: a type; `[shape]` a list; `(shape, shape)` a list of that length; `{"key": shape}` a table with
these keys, one that ends in `?` may be missing; `{str: shape}` a table with any keys."""


class DamagedError(ValueError):
    """What was read is not what a run writes; the message says how."""


def pack(data: object, level: int = 6) -> bytes:
    """Data as compressed JSON."""
    text = json.dumps(data, separators=(",", ":"), ensure_ascii=False).encode()
    if len(text) > MAX_BYTES or values_in(text) > MAX_VALUES:
        raise DamagedError("more data at once than would be read again")
    return zlib.compress(text, level)


def unpack(content: bytes) -> Any:
    """The data that were packed. No more is unpacked than a run would have written."""
    stream = zlib.decompressobj()
    try:
        text = stream.decompress(content, MAX_BYTES + 1)
    except zlib.error:
        raise DamagedError("what is compressed is damaged") from None
    if len(text) > MAX_BYTES:
        raise DamagedError(f"it unpacks to more than {MAX_BYTES:,} bytes")
    if not stream.eof:
        raise DamagedError("what is compressed is cut off")
    return read_json_text(text)


def read_json_text(text: bytes) -> Any:
    """The value of a JSON text; an error where it is none, is nested too deep, or has too many parts."""
    if values_in(text) > MAX_VALUES:
        raise DamagedError(f"more than {MAX_VALUES:,} values")
    try:
        return json.loads(text)
    except RecursionError:
        raise DamagedError("it is nested too deep") from None
    except ValueError:  # also: bytes that are no text, a number that is too long
        raise DamagedError("it is no JSON") from None


def values_in(text: bytes) -> int:
    """At least as many as there are values in a JSON text."""
    return 1 + text.count(b",") + text.count(b"[") + text.count(b"{")


def fits(data: object, shape: Shape) -> bool:
    """Whether data have a shape."""
    match shape:
        case type():
            return type(data) is shape and (not isinstance(data, int | float) or abs(data) < MAX_NUMBER)
        case list():
            return isinstance(data, list) and all(fits(item, shape[0]) for item in data)
        case tuple():
            return isinstance(data, list) and len(data) == len(shape) and all(map(fits, data, shape))
        case Mapping():
            return isinstance(data, dict) and _fits_table(data, shape)
    raise TypeError(f"{shape!r} is no shape")


def _fits_table(data: Mapping[Any, Any], shape: Mapping[Any, Shape]) -> bool:
    if str in shape:
        return all(fits(value, shape[str]) for value in data.values())
    known = {key.removesuffix("?"): (value, key.endswith("?")) for key, value in shape.items()}
    if not known.keys() >= data.keys():
        return False
    return all(fits(data[key], value) if key in data else optional for key, (value, optional) in known.items())


def checked(data: object, shape: Shape) -> Any:
    """The data, if they have this shape."""
    if not fits(data, shape):
        raise DamagedError("it is not what such a run writes")
    return data
