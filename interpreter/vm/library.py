"""The library in C as it was built with the package, if it was: whoever needs it asks here."""

from __future__ import annotations

from typing import Any

from interpreter.vm import opcodes as op

_library: Any = None
try:
    from interpreter.vm import _vm  # type: ignore[attr-defined]  # there where it was built

    _library = _vm if op.FORMAT == _vm.FORMAT else None
except ImportError:
    pass
Machine: Any = None if _library is None else _library.Machine


def is_built() -> bool:
    """Whether the fast machine is there; else the plain one plays."""
    return _library is not None


def load(image: bytes) -> Any:
    """A program that was read and verified; an AssertionError where it is none, since it was compiled here."""
    try:
        return _library.Program(image)
    except ValueError as error:
        code, at, operand = error.args[0] if isinstance(error.args[0], tuple) else error.args
        raise AssertionError(f"the program is refused: {op.LOAD_ERRORS[code]} at {at}, operand {operand}") from None
