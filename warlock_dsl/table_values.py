"""Values of the tables as they are compared and written: without their marks, in a person's words, as cells."""

from __future__ import annotations

import csv
import io
from decimal import Decimal
from fractions import Fraction
from typing import Any

from warlock_dsl.schema import is_mark


def bare(value: Any) -> Any:
    """A value without its marks."""
    if isinstance(value, dict):
        return {key: bare(inner) for key, inner in value.items() if not is_mark(key)}
    return value


def same(one: Any, other: Any) -> bool:
    """Whether two values say the same, marks apart. A truth is no number; 2 and 2.0 are one number."""
    if isinstance(one, dict) and isinstance(other, dict):
        one, other = bare(one), bare(other)
        return one.keys() == other.keys() and all(same(one[key], other[key]) for key in one)
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(same, one, other))
    return isinstance(one, bool) is isinstance(other, bool) and bool(one == other)


def plain(value: Any) -> str:
    """A value of the tables as a person writes it."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, Fraction):
        return format(decimal(value), "f") if value.denominator > 1 else str(int(value))
    if isinstance(value, list):
        return "[" + ", ".join(plain(item) for item in value) + "]"
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{key} = {plain(item)}" for key, item in value.items()) + " }"
    return str(value)


def toml(value: Any) -> str:
    """A value as one would write it into an overlay."""
    if isinstance(value, list):
        return "[" + ", ".join(toml(item) for item in value) + "]"
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{key} = {toml(item)}" for key, item in value.items()) + " }"
    return f'"{value}"' if isinstance(value, str) else plain(value)


def decimal(value: Fraction) -> int | Decimal:
    """An exact decimal, whatever its length: numbers of the tables were written as one."""
    if value.denominator == 1:
        return int(value)
    digits = next(n for n in range(1, value.denominator.bit_length() + 1) if 10**n % value.denominator == 0)
    return Decimal(f"{value.numerator * 10**digits // value.denominator}e-{digits}")


def written(value: Any) -> Any:
    """A value as tomli-w takes it."""
    if isinstance(value, Fraction):
        return decimal(value)
    if isinstance(value, list | tuple):
        return [written(item) for item in value]
    if isinstance(value, dict):
        return {key: written(item) for key, item in value.items()}
    return value


def cell_text(value: Any) -> str:
    """A value as a cell of a CSV file holds it."""
    return " ".join(cell_text(item) for item in value) if isinstance(value, list) else plain(value)


def csv_line(cells: list[str]) -> str:
    line = io.StringIO()
    csv.writer(line, lineterminator="").writerow(cells)
    return line.getvalue()
