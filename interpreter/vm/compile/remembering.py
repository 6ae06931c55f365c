"""Which definitions are worth remembering, and what their values hang on beside what lies on the table.

A value is kept under its arguments. `me` counts only where it is read; an argument of which nothing but fields is read
counts as the first piece that has the same fields, since it cannot be told from that one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from attrs import frozen

from warlock_dsl import fields_of, nodes
from warlock_dsl import types as t
from warlock_dsl.check import program as checked

MAX_MASK = 31  # parameters that can be told apart
ME = 0
LENGTHS = ("count", "any")  # primitives that look at a list only to see how long it is
READS_ME = ("opponents",)
NOT_KEPT = ("sums", "groups", "lines")  # they give lists of lists, or are asked with ever other numbers


@frozen
class Remembered:
    """What the machine must know of a definition whose values it keeps. `twins`: a bit for each parameter."""

    me: bool
    twins: int


def children(node: Any) -> Iterator[Any]:
    """The expressions directly inside an expression."""
    waiting: list[Any] = [getattr(node, name) for name in fields_of(type(node))]
    while waiting:
        value = waiting.pop()
        if isinstance(value, tuple | list):
            waiting.extend(value)
        elif fields_of(type(value)):
            yield value


class Remembering:
    """Looks at the definitions of a program; what they call is looked at first, since none calls itself unless it is
    marked so, and those are not remembered."""

    def __init__(self, defines: Sequence[checked.Define]) -> None:
        self.defines = defines
        self.all_nodes = [list(nodes(define.value)) for define in defines]
        self._me: dict[int, bool] = {}
        self._loops: dict[int, bool] = {}
        self._fields: dict[tuple[int, int], bool] = {}

    def remembered(self, number: int) -> Remembered | None:
        """None: it is worked out anew each time."""
        define = self.defines[number]
        if define.recursive or not self.loops(number) or nested(define.type):
            return None
        if any(isinstance(node, checked.Can | checked.Would) for node in self.all_nodes[number]):
            return None
        slots = range(1, 1 + min(define.parameters, MAX_MASK))
        twins = sum(1 << slot - 1 for slot in slots if self.only_fields(number, slot))
        return Remembered(self.reads_me(number), twins)

    def loops(self, number: int) -> bool:
        """Whether it goes through lists: what does not is worked out as fast as it is looked up."""
        if number not in self._loops:
            self._loops[number] = False  # while it is looked at: it may call itself
            self._loops[number] = any(
                isinstance(node, checked.Gather | checked.Keyed)
                or (isinstance(node, checked.Apply) and self.loops(node.define))
                for node in self.all_nodes[number]
            )
        return self._loops[number]

    def reads_me(self, number: int) -> bool:
        if number not in self._me:
            self._me[number] = True
            self._me[number] = any(
                (isinstance(node, checked.Local) and node.slot == ME)
                or (isinstance(node, checked.Primitive) and node.name in READS_ME)
                or (isinstance(node, checked.Apply) and self.reads_me(node.define))
                for node in self.all_nodes[number]
            )
        return self._me[number]

    def only_fields(self, number: int, slot: int) -> bool:
        """Whether of an argument that is a piece, or pieces, only fields are read."""
        if (number, slot) not in self._fields:
            self._fields[number, slot] = False
            self._fields[number, slot] = self._read_by_field(self.defines[number].value, slot)
        return self._fields[number, slot]

    def _read_by_field(self, e: Any, slot: int) -> bool:
        """Whether a name occurs in an expression only where the same comes of a piece with the same fields."""
        match e:
            case checked.Local():
                return e.slot != slot
            case checked.Field(of=checked.Local(slot=read)) if read == slot:
                return isinstance(e.of.type, t.PieceType)
            case checked.Primitive(name=name, arguments=(first,)) if name in LENGTHS:
                return self._as_list(first, slot) or self._read_by_field(first, slot)
            case checked.Primitive() if e.name in NOT_KEPT:
                return False
            case checked.Gather(source=checked.Local(slot=read)) if read == slot and e.body is not None:
                return self._as_list(e, slot)
            case checked.Apply():
                return all(
                    self.only_fields(e.define, 1 + place)
                    if isinstance(argument, checked.Local) and argument.slot == slot
                    else self._read_by_field(argument, slot)
                    for place, argument in enumerate(e.arguments)
                )
        return all(self._read_by_field(child, slot) for child in children(e))

    def _as_list(self, e: Any, slot: int) -> bool:
        """Whether it goes through the pieces that a name means, reading nothing but their fields and their number."""
        match e:
            case checked.Local():
                return e.slot == slot and is_pieces(e.type)
            case checked.Gather(source=checked.Local(slot=read)) if read == slot and is_pieces(e.source.type):
                inside = [part for part in (e.where, e.body) if part is not None]
                return all(self._read_by_field(part, name) for part in inside for name in (slot, e.slot))
        return False


def is_pieces(kind: t.Type | None) -> bool:
    return isinstance(kind, t.ListType) and isinstance(kind.item, t.PieceType)


def nested(kind: t.Type) -> bool:
    """A list of lists, or what may be one."""
    return isinstance(kind, t.ListType) and isinstance(kind.item, t.ListType | t.MapType | t.UnknownType)
