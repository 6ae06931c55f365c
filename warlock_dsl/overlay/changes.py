"""Who changed what: the claims of the overlays of a stack, their errors, and what each layer did."""

from __future__ import annotations

from collections.abc import Mapping

from attrs import define, field, frozen

from warlock_dsl.diagnostics.collect import DiagnosticList, quoted
from warlock_dsl.diagnostics.diagnostic import NOWHERE, Related, Span
from warlock_dsl.overlay.read import Overlay
from warlock_dsl.tables.citations import parse_cite
from warlock_dsl.tables.components import Cite
from warlock_dsl.tables.toml_spans import Path


@frozen
class Applied:
    """One thing a layer did: its address, what was there, what is there now, and where the overlay says so."""

    target: str
    was: str
    now: str
    cites: tuple[Cite, ...]
    span: Span
    place: Path = ()  # one name for the target, however its address is written


@frozen
class Layer:
    """An overlay of a stack as it was applied."""

    name: str
    about: str
    kind: str
    language: str
    parameters: Mapping[str, str]
    changes: tuple[Applied, ...]
    ranges: Mapping[str, str] = field(factory=dict)  # by parameter: its range or the table of its type, or ""


@frozen
class Claim:
    """Who changed something, under which address, and where."""

    overlay: Overlay
    address: str
    span: Span
    adds: bool = False  # it was not there before


@define
class Claims:
    """What the overlays of one stack have done so far."""

    errors: DiagnosticList = field(factory=DiagnosticList)
    touched: dict[Path, Claim] = field(factory=dict)  # by place: who changed it last
    below: dict[Path, dict[str, Claim]] = field(factory=dict)  # by place: who changed something in it
    done: dict[str, list[Applied]] = field(factory=dict)  # by overlay
    tried: set[str] = field(factory=set)  # overlays that only their parameters keep from changing anything
    retired: set[str] = field(factory=set)  # ids that only what was taken away carried out

    def copy(self) -> Claims:
        return Claims(
            self.errors.copy(),
            dict(self.touched),
            {place: dict(claims) for place, claims in self.below.items()},
            {name: list(changes) for name, changes in self.done.items()},
            set(self.tried),
            set(self.retired),
        )

    def note(self, overlay: Overlay, applied: Applied) -> None:
        self.done.setdefault(overlay.name, []).append(applied)

    def claim(self, overlay: Overlay, address: str, where: Path, span: Span, adds: bool = False) -> bool:
        """Whether this overlay may change something: nobody below it did, or it builds on who did."""
        rivals = [self.touched[where[:end]] for end in range(1, len(where) + 1) if where[:end] in self.touched]
        rivals += self.below.get(where, {}).values()
        own = Claim(overlay, address, span, adds)
        for other in rivals:
            if other.overlay.name not in (*overlay.builds_on, overlay.name):
                lower, upper = other.overlay.name, overlay.name
                text = f"both '{lower}' and '{upper}' change {quoted(address)}"
                if other.address != address:
                    text = f"'{lower}' changes {quoted(other.address)} and '{upper}' {quoted(address)}"
                hint = f"take one of them, or let '{upper}' change what '{lower}' made: builds_on = [\"{lower}\"]"
                if adds and other.adds and other.address == address:
                    text = f"both '{lower}' and '{upper}' add {quoted(address)}"
                    hint = f"rename yours: a name that no other overlay has, such as '{own_name(upper, address)}'"
                self.errors.add("W610", text, span, f"'{upper}'", hint, (Related(other.span, f"'{lower}'"),))
                return False
        self.touched[where] = own
        for end in range(1, len(where)):
            self.below.setdefault(where[:end], {})[overlay.name] = own
        return True


def own_name(overlay: str, address: str) -> str:
    """An address whose last word begins with the name of an overlay, so that it is its own."""
    family, dot, name = address.rpartition(".")
    return f"{family}{dot}{overlay}_{name}"


def ids_of(standing: str, text: str) -> tuple[str, ...]:
    return parse_cite(standing, text, NOWHERE).ids
