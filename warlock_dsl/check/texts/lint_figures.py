"""Expressions of the rules in texts, such as `{card.value}`: checked like any other, and only what the reader may see.

A text is read by one player: `me` in a question and its answers, the owner in a note of a seat, anybody in a note of
the table or on a piece. What its reader is not certain to see is an error here; what hangs on the piece at hand is
looked at again when the text is shown (`interpreter/figures`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from attrs import evolve

from warlock_dsl.check import program as checked
from warlock_dsl.check.fragment import Fragments
from warlock_dsl.diagnostics.diagnostic import Diagnostic, Related, Severity, Span
from warlock_dsl.primitives import counts, takes_top
from warlock_dsl.sight import counted_by_all, seen_by_owner_alone, sight_key, surely_sees
from warlock_dsl.syntax.walk import nodes
from warlock_dsl.tables.components import Components, Entry, Variable, Zone
from warlock_dsl.types import UNKNOWN, Type

WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
IN_BRACES = re.compile(r"\{([^{}]*)\}")


def words_in_texts(components: Components) -> frozenset[str]:
    """Every word within braces: a definition that only a text reads is used."""
    texts = {entry.text for entries in components.names.values() for entry in entries.values()}
    return frozenset(word for text in texts for found in IN_BRACES.finditer(text) for word in WORD.findall(found[1]))


class FigureCheck:
    """Checks the expressions in the texts of one game."""

    def __init__(self, program: checked.Program, components: Components) -> None:
        self.program = program
        self.components = components
        self.zones = {zone.number: zone for zone in components.zones.values()}
        self.variables = {one.number: one for one in components.variables.values()}
        self._fragments: Fragments | None = None

    @property
    def fragments(self) -> Fragments:
        if self._fragments is None:
            self._fragments = Fragments(self.program, self.components)
        return self._fragments

    def reads(self, text: str, names: Mapping[str, Type], for_me: bool) -> bool:
        """Whether a text is an expression where these names are bound."""
        here = Span("", 1, 1, 1, len(text) + 3)
        return self.fragments.expression(text, names, "", here, me=for_me, of_rule=True)[0] is not None

    def check(self, text: str, names: Mapping[str, Type], place: Span, for_me: bool, told: Related) -> list[Diagnostic]:
        """The errors of one expression; `for_me`: whoever reads it is `me`."""
        found, errors = self.fragments.expression(text, names, place.file, place, me=for_me, of_rule=True)
        if found is None:
            return [evolve(error, related=(*error.related, told)) for error in errors]
        if found.value.type == UNKNOWN:
            return [Diagnostic("W432", f"{{{text}}} has nothing to show", place, "no value", related=(told,))]
        own = frozenset({0}) if for_me else frozenset[int]()
        hidden = next(self.hidden(found.value, own, frozenset()), None)
        return [] if hidden is None else [_secret(text, *hidden, place, told)]

    def hidden(
        self, e: object, own: frozenset[int], within: frozenset[tuple[int, frozenset[int]]]
    ) -> Iterator[tuple[Zone | Variable, Span]]:
        """What an expression reads that its reader is not certain to see; `own` are the slots that hold the reader."""
        counted = {
            id(part)
            for node in nodes(e)
            if isinstance(node, checked.Primitive) and (counts(node.name) or takes_top(node.name))
            for part in nodes(node.arguments[0])
            if isinstance(part, checked.PiecesOf) and self.enough(node, part, own)
        }
        for node in nodes(e):
            match node:
                case checked.PiecesOf(zone=checked.ZoneOf() as zone) if id(node) not in counted:
                    found = self.zones[zone.zone]
                    if not surely_sees(found, _is(zone.owner, own)):
                        yield found, node.span
                case checked.VariableOf():
                    variable = self.variables[node.variable]
                    held = variable.owner in self.components.kinds and seen_by_owner_alone(variable)
                    if not held and not surely_sees(variable, _is(node.owner, own)):
                        yield variable, node.span
                case checked.Apply():
                    given = [0] if 0 in own else []
                    given += [1 + n for n, argument in enumerate(node.arguments) if _is(argument, own)]
                    inside = node.define, frozenset(given)
                    if inside not in within:
                        for thing, _ in self.hidden(
                            self.program.defines[node.define].value, inside[1], within | {inside}
                        ):
                            yield thing, node.span
                case _:
                    pass

    def enough(self, node: checked.Primitive, part: checked.PiecesOf, own: frozenset[int]) -> bool:
        """Whether it is enough to see how many pieces there are, or the last of them."""
        if not isinstance(part.zone, checked.ZoneOf) or not _plainly(node.arguments[0], part):
            return False
        zone, for_me = self.zones[part.zone.zone], _is(part.zone.owner, own)
        if takes_top(node.name):
            return len(node.arguments) == 1 and surely_sees(zone, for_me, top=True)
        return counted_by_all(zone) or for_me


def _plainly(argument: object, part: checked.PiecesOf) -> bool:
    """Whether pieces are only put together before they are counted."""
    if isinstance(argument, checked.Binary) and argument.op == "join":
        return _plainly(argument.left, part) or _plainly(argument.right, part)
    return argument is part


def _is(owner: checked.Expr | None, own: frozenset[int]) -> bool:
    return isinstance(owner, checked.Local) and owner.slot in own


def _secret(text: str, thing: Zone | Variable, at: Span, place: Span, told: Related) -> Diagnostic:
    what = "what lies in" if isinstance(thing, Zone) else "the value of"
    related = (told, Related(thing.span, sight_key(thing)))
    return Diagnostic(
        "W434",
        f"this text tells {what} '{thing.name}', which its reader may not see",
        at if at.file == place.file else place,
        "hidden from the reader",
        "leave it out; count(...) tells how many there are, `my` what is the reader's own",
        Severity.ERROR,
        related,
    )


def expressions_in(entry: Entry, names: Sequence[str]) -> list[tuple[str, Span]]:
    """What stands within the braces of a text and is none of its names, with its place."""
    found = IN_BRACES.finditer(entry.text)
    return [(one[1], entry.place(*one.span())) for one in found if one[1] not in names]
