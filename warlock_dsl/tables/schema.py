"""The shape of a game's TOML: one frozen class a section, structured by cattrs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NewType, TypeVar

import attrs
from attrs import field, frozen
from cattrs import Converter
from cattrs.errors import (
    AttributeValidationNote,
    ClassValidationError,
    ForbiddenExtraKeysError,
    IterableValidationError,
    IterableValidationNote,
)
from cattrs.gen import make_dict_structure_fn, override

from warlock_dsl.syntax.keywords import MARKS
from warlock_dsl.tables.toml_spans import Inexact, Path

Words = NewType("Words", tuple[str, ...])  # one word, or a list of words
Texts = NewType("Texts", tuple[str, ...])  # a list of texts
Plan = NewType("Plan", str | tuple[str, ...])  # type: ignore[valid-newtype]  # a picture, or the name of a table
TextMap = NewType("TextMap", dict[str, str])
WholeMap = NewType("WholeMap", dict[str, int])
Tree = NewType("Tree", dict[str, Any])  # a table of anything, read by its own rules

ABSENT: Any = object()  # the default of a value that may be left out; nothing that TOML can say


@frozen(kw_only=True)
class Marked:
    """What may have a standing: printed, derived, secondary or assumed, and where it comes from; and what it is
    against: what the documents say and it does not follow."""

    printed: str = ""
    derived: str = ""
    secondary: str = ""
    assumed: str = ""
    against: str = ""


@frozen(kw_only=True)
class RawLimits(Marked):
    listed: int = 40
    depth: int = 64
    work: int = 500_000


@frozen(kw_only=True)
class RawGame(Marked):
    players: Any
    cooperative: bool = False
    limits: RawLimits = field(factory=RawLimits)


@frozen(kw_only=True)
class RawTable(Marked):
    rows: Any
    columns: TextMap = field(factory=lambda: TextMap({}))


@frozen(kw_only=True)
class RawLetters:
    """`marks = { column, of }` of a kind: a CSV column with a letter of standing for each of these fields."""

    column: str
    of: Texts


@frozen(kw_only=True)
class RawKind(Marked):
    rows: str = ""
    copies: Any = ABSENT  # of each row: the name of a column, or a number
    each: str = ""  # "player": a set of them for every player
    count: Any = ABSENT
    fields: TextMap = field(factory=lambda: TextMap({}))
    values: Tree = field(factory=lambda: Tree({}))
    marks: RawLetters | None = None
    called_by: str = ""


@frozen(kw_only=True)
class RawGrid(Marked):
    cells: Plan
    near: str = ""
    one_way: bool = False
    regions: TextMap = field(factory=lambda: TextMap({}))
    slots: bool = False
    shape: str = "square"
    stacks: bool = False
    from_below: bool = False


@frozen(kw_only=True)
class RawZone(Marked):
    holds: Words
    each: Words = Words(())
    sees: str = "all"
    count: str = "all"
    grid: str = ""
    hidden_by: str = ""
    start: Words = Words(())


@frozen(kw_only=True)
class RawVariable(Marked):
    type: Any
    first: Any = ABSENT
    lasts: str = ""
    sees: str = "all"


@frozen(kw_only=True)
class RawSeries(Marked):
    is_: Any
    from_: int = 1
    beyond: str = "error"


@frozen(kw_only=True)
class RawMatrix(Marked):
    rows: str
    columns: str
    of: Any  # the name of a table, or a list of words
    cells: Tree = field(factory=lambda: Tree({}))


@frozen(kw_only=True)
class RawDie(Marked):
    of: str
    faces: WholeMap


@frozen(kw_only=True)
class RawFigure(Marked):
    is_: Any
    type: str = ""
    range: str = ""
    idle: str = ""


@frozen(kw_only=True)
class RawTotal(Marked):
    of: Words
    is_: Any


@frozen(kw_only=True)
class RawCell(Marked):
    """A value of a table, a field or a setting that has marks or a range."""

    is_: Any
    range: str = ""


@frozen(kw_only=True)
class RawLook:
    colour: str = ""
    short: str = ""
    by: str = ""
    off_board: bool = False


@frozen(kw_only=True)
class RawLedger:
    says: str
    standing: str
    at: TextMap = field(factory=lambda: TextMap({}))
    status: TextMap = field(factory=lambda: TextMap({}))
    ruling: Words = Words(())
    differences: Words = Words(())
    idle: str = ""


@frozen(kw_only=True)
class RawRuling:
    question: str
    takes: str
    because: str
    options: Texts = Texts(())
    editions: str = ""
    idle: str = ""


@frozen(kw_only=True)
class RawDifference:
    title: str
    kind: str
    says: TextMap = field(factory=lambda: TextMap({}))
    rules: Words = Words(())
    carried: Texts = Texts(())
    idle: str = ""


SECTIONS: Mapping[str, type] = {
    "game": RawGame,
    "table": RawTable,
    "kind": RawKind,
    "grid": RawGrid,
    "zone": RawZone,
    "variable": RawVariable,
    "series": RawSeries,
    "matrix": RawMatrix,
    "die": RawDie,
    "figure": RawFigure,
    "total": RawTotal,
    "look": RawLook,
    "document": str,
    "chapter": str,
    "ledger": RawLedger,
    "ruling": RawRuling,
    "difference": RawDifference,
}

T = TypeVar("T")


class MisfitError(ValueError):
    """A value is not what its key wants; the argument says what was wanted."""

    def __init__(self, wanted: str, found: object) -> None:
        super().__init__(f"{wanted} is wanted here, not {named(found)}")


def named(value: object) -> str:
    """What a TOML value is, in a person's words."""
    if isinstance(value, bool):
        return "a truth"
    if isinstance(value, str):
        return "a text"
    if isinstance(value, dict):
        return "a table"
    if isinstance(value, list | tuple):
        return "a list"
    if isinstance(value, int | Inexact) or hasattr(value, "numerator"):
        return "a number"
    return "a date or a time"


def _text(value: object, _: object) -> str:
    if not isinstance(value, str):
        raise MisfitError("a text", value)
    return value


def _whole(value: object, _: object) -> int:
    if isinstance(value, bool) or not isinstance(value, int):
        raise MisfitError("a whole number", value)
    return value


def _truth(value: object, _: object) -> bool:
    if not isinstance(value, bool):
        raise MisfitError("true or false", value)
    return value


def _gather(pairs: Iterator[tuple[Any, Any]], check: Any, into: type) -> list[Any]:
    """Check every member, noting its key on each misfit the way cattrs does for its own containers."""
    kept, misfits = [], []
    for key, value in pairs:
        try:
            kept.append((key, check(value, into)))
        except MisfitError as misfit:
            misfit.add_note(IterableValidationNote(f"at {key}", key, into))
            misfits.append(misfit)
    if misfits:
        raise IterableValidationError("members", misfits, into)
    return kept


def _texts(value: object, _: object) -> tuple[str, ...]:
    if not isinstance(value, list):
        raise MisfitError("a list of texts", value)
    return tuple(text for _, text in _gather(iter(enumerate(value)), _text, list))


def _plan(value: object, _: object) -> str | tuple[str, ...]:
    return value if isinstance(value, str) else _texts(value, _)


def _words(value: object, _: object) -> tuple[str, ...]:
    if not isinstance(value, str | list):
        raise MisfitError("a word or a list of words", value)
    return (value,) if isinstance(value, str) else _texts(value, _)


def _tree(value: object, _: object) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise MisfitError("a table", value)
    return value


def _text_map(value: object, _: object) -> dict[str, str]:
    return dict(_gather(iter(_tree(value, _).items()), _text, dict))


def _whole_map(value: object, _: object) -> dict[str, int]:
    return dict(_gather(iter(_tree(value, _).items()), _whole, dict))


def _closed(converter: Converter, shape: type) -> Any:
    """A hook for one section: a table with these keys and no others. `is_` and `from_` are Python's spelling."""
    renamed = {name: override(rename=name[:-1]) for name in _names(shape) if name.endswith("_")}
    inner: Any = make_dict_structure_fn(
        shape,
        converter,
        _cattrs_forbid_extra_keys=True,
        _cattrs_detailed_validation=True,
        **renamed,  # type: ignore[arg-type]  # the other parameters are named above
    )
    return lambda value, wanted: inner(_tree(value, wanted), wanted)


def _names(shape: type) -> list[str]:
    return [one.name for one in attrs.fields(shape)]


def keys_of(shape: type) -> list[str]:
    """The keys a section knows."""
    return [name.rstrip("_") for name in _names(shape)]


def _converter() -> Converter:
    converter = Converter(forbid_extra_keys=True, detailed_validation=True)
    hooks = {str: _text, int: _whole, bool: _truth}
    hooks |= {Words: _words, Texts: _texts, Plan: _plan, TextMap: _text_map, WholeMap: _whole_map, Tree: _tree}
    for wanted, hook in hooks.items():
        converter.register_structure_hook(wanted, hook)
    for shape in (RawLimits, RawLetters, RawCell, *SECTIONS.values()):
        if attrs.has(shape):
            converter.register_structure_hook(shape, _closed(converter, shape))
    return converter


CONVERTER = _converter()


def closed(shape: type[T]) -> type[T]:
    """Registers one more shape: a table with these keys and no others. What it contains must be registered before."""
    CONVERTER.register_structure_hook(shape, _closed(CONVERTER, shape))
    return shape


@frozen
class SchemaError:
    """What is wrong at one path of a document; `known` are the keys the table there could have."""

    code: str
    path: Path
    message: str
    known: tuple[str, ...] = ()


def structure(value: object, shape: type[T], path: Path) -> tuple[T | None, list[SchemaError]]:
    """A raw value in the shape of its section, or every error that keeps it from it."""
    try:
        return CONVERTER.structure(value, shape), []
    except (ClassValidationError, IterableValidationError, MisfitError) as error:
        return None, list(_walk(error, path))


def _walk(error: BaseException, path: Path) -> Iterator[SchemaError]:
    """The errors in a tree of cattrs' exceptions: their notes say which key each belongs to."""
    if isinstance(error, ClassValidationError | IterableValidationError):
        for inner in error.exceptions:
            yield from _walk(inner, path + _step(inner))
    elif isinstance(error, ForbiddenExtraKeysError):
        known = tuple(keys_of(error.cl))
        for key in sorted(error.extra_fields):
            yield SchemaError("W204", (*path, key), "there is no key {} here", known)
    elif isinstance(error, KeyError):
        yield SchemaError("W206", path, "the key {} is missing")
    else:
        yield SchemaError("W205", path, str(error))


def _step(error: BaseException) -> Path:
    for note in getattr(error, "__notes__", ()):
        if isinstance(note, AttributeValidationNote):
            return (note.name.rstrip("_"),)
        if isinstance(note, IterableValidationNote):
            return (note.index,)
    return ()


def is_mark(key: str) -> bool:
    return key in MARKS
