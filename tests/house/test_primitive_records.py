"""What is known of a primitive stands in its record: nothing but the machines keeps names of primitives of its own."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from warlock_dsl.primitives import RECORDS

ROOT = Path(__file__).parents[2]
# The records; and the machines, each of which has a function for every primitive by its name.
HOMES = ("warlock_dsl/primitives.py", "interpreter/plain/primitives.py", "interpreter/vm/")


def files() -> list[Path]:
    found = [
        path for name in ("warlock_dsl", "interpreter", "workbench") for path in sorted((ROOT / name).rglob("*.py"))
    ]
    return [path for path in found if not path.relative_to(ROOT).as_posix().startswith(HOMES)]


def own_names(tree: ast.AST) -> Iterator[ast.expr | ast.pattern]:
    """Where a program asks for the name of a primitive, or lists several."""
    for node in ast.walk(tree):
        match node:
            case ast.MatchClass(cls=ast.Attribute(attr="Primitive" | "Keyed")) if "name" in node.kwd_attrs:
                yield node
            case ast.Compare(left=ast.Attribute(attr="name"), comparators=[ast.Constant(value=name)]) if (
                name in RECORDS
            ):
                yield node
            case ast.Tuple(elts=items) | ast.List(elts=items) | ast.Set(elts=items) if len(items) > 1:
                if all(isinstance(item, ast.Constant) and item.value in RECORDS for item in items):
                    yield node


@pytest.mark.parametrize("path", files(), ids=lambda path: path.relative_to(ROOT).as_posix())
def test_no_module_keeps_names_of_primitives(path: Path) -> None:
    found = [node.lineno for node in own_names(ast.parse(path.read_text(encoding="utf-8")))]
    assert not found


@pytest.mark.parametrize(
    "text",
    [
        "match e:\n    case checked.Primitive(name='count'): pass",
        "e.name == 'opponents'",
        "e.name in ('first', 'last')",
        "ORDERED = ['top', 'first']",
    ],
)
def test_a_list_of_names_is_noticed(text: str) -> None:
    assert list(own_names(ast.parse(text)))
