"""Reading the overlays of a stack: each one, and whether it fits the game and the overlays below it."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence

from warlock_dsl.diagnostics.diagnostic import Diagnostic, Related
from warlock_dsl.overlay.read import Overlay, read_overlay
from warlock_dsl.stack import Use


def read_overlays(
    stack: Sequence[tuple[Use, Mapping[str, str]]], base: str
) -> tuple[tuple[Overlay, ...], list[Diagnostic]]:
    """The overlays of a stack that can be applied, each with its files read, and the errors of the others.

    What needs one that was refused is left out without an error: all its errors would follow from that.
    """
    layers: list[Overlay] = []
    found: list[Diagnostic] = []
    seen: set[str] = set()
    refused: set[str] = set()
    for use, files in stack:
        overlay, errors = read_overlay(files, use.name, use.given)
        if overlay is not None and not errors:
            errors = list(misplaced(overlay, layers, seen, base))
        seen.add(use.name)
        found += errors
        if overlay is None or errors or refused.intersection(overlay.requires):
            refused.add(use.name)
        else:
            layers.append(overlay)
    return tuple(layers), found


def misplaced(overlay: Overlay, layers: Sequence[Overlay], below: Collection[str], base: str) -> Iterator[Diagnostic]:
    """Why an overlay cannot be applied on top of those below it."""
    name, place = overlay.name, overlay.places.of
    if overlay.on != base:
        text = f"the overlay '{name}' is on '{overlay.on}', not on '{base}'"
        yield Diagnostic("W604", text, place(("overlay", "on")), "another game")
    if name in below:
        hint = "name it once"
        yield Diagnostic("W617", f"the overlay '{name}' is twice in the stack", overlay.span, hint=hint)
    for needed in overlay.requires:
        if needed not in below:
            key = "builds_on" if needed in overlay.builds_on else "requires"
            text = f"the overlay '{name}' needs '{needed}' below it"
            hint = f"write {base}+{needed}+{name}"
            yield Diagnostic("W605", text, place(("overlay", key)), "needed", hint)
    for layer in layers:
        said = next((one for one, other in ((overlay, layer), (layer, overlay)) if other.name in one.conflicts), None)
        if said is not None:
            text = f"the overlays '{layer.name}' and '{name}' do not go together"
            other = Related(layer.span if said is overlay else overlay.span, "the other one")
            label = f"'{said.name}' says so"
            span = said.places.of(("overlay", "conflicts"))
            yield Diagnostic("W606", text, span, label, "take one of them", related=(other,))
