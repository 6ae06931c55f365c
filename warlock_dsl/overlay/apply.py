"""Applying overlays to the names of a game, and what a stack of overlays did to it in all.

Tables are changed in `apply_tables`, rules in `apply_rules`; all three note in one `Claims` who changed what.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from warlock_dsl.diagnostics.collect import near, quoted
from warlock_dsl.diagnostics.diagnostic import Diagnostic, Severity
from warlock_dsl.overlay.changes import Applied, Claims, Layer
from warlock_dsl.overlay.read import Edit, Overlay
from warlock_dsl.tables.citations import told
from warlock_dsl.tables.components import Entry
from warlock_dsl.tables.values import plain_value

__all__ = ["Applied", "Layer", "change_names", "idle", "layers_of", "warnings"]

Names = Mapping[str, Mapping[str, Entry]]  # by language and key


def change_names(
    overlays: Sequence[Overlay], names: Names, entries: Mapping[str, Names], claims: Claims
) -> dict[str, dict[str, Entry]]:
    """The catalogues of a game with what the overlays take from them and what their own (`entries`) put over them."""
    now = {language: dict(texts) for language, texts in names.items()}
    for overlay in overlays:
        for edit in overlay.edits:
            if edit.at.startswith("names."):
                _remove(now, overlay, edit, claims)
        for language, texts in entries.get(overlay.name, {}).items():
            for key, entry in texts.items():
                _put(now.setdefault(language, {}), overlay, f"names.{language}.{key}", key, entry, claims)
    return now


def _put(texts: dict[str, Entry], overlay: Overlay, target: str, key: str, entry: Entry, claims: Claims) -> None:
    """A text that is new or changed."""
    old = texts.get(key)
    if not claims.claim(overlay, target, ("names", target), entry.span):
        return
    if old is not None and old.text == entry.text:
        claims.errors.add("W611", f"{quoted(key)} is called so already", entry.span, "changes nothing")
        return
    texts[key] = entry
    was = old.text if old is not None else ""
    claims.note(overlay, Applied(target, was, entry.text, (), entry.span, ("names", target)))


def _remove(names: dict[str, dict[str, Entry]], overlay: Overlay, edit: Edit, claims: Claims) -> None:
    """A text taken away; new and changed ones are written in the catalogues of the overlay."""
    language, _, key = edit.at.removeprefix("names.").partition(".")
    if edit.verb != "remove":
        hint = f"write it into names/{language}.toml of the overlay"
        claims.errors.add("W603", "a text is added or changed in a catalogue", edit.span, hint=hint)
    elif key not in names.get(language, {}):
        text = f"there is no text {quoted(edit.at)} to remove"
        claims.errors.add("W608", text, edit.span, "unknown", near(key, names.get(language, {}), "texts"))
    elif claims.claim(overlay, edit.at, ("names", edit.at), edit.span):
        gone = names[language].pop(key).text
        claims.note(overlay, Applied(edit.at, gone, "", edit.cites, edit.span, ("names", edit.at)))


# ---------------------------------------------------------------- when all are applied


def layers_of(overlays: Sequence[Overlay], claims: Claims) -> tuple[Layer, ...]:
    """The overlays of a stack, each with what it did."""
    return tuple(
        Layer(
            o.name,
            o.about,
            o.kind,
            o.language,
            {k: plain_value(v) for k, v in o.parameters.items()},
            tuple(claims.done.get(o.name, ())),
            o.ranges,
        )
        for o in overlays
    )


def warnings(overlays: Sequence[Overlay], claims: Claims) -> Iterator[Diagnostic]:
    """What overlays themselves warn of, with its source, unless another above them has changed it again."""
    last = {(claim.overlay.name, claim.span) for claim in claims.touched.values()}
    for overlay in overlays:
        for edit in overlay.edits:
            if edit.warns and (overlay.name, edit.span) in last:
                label, hint = f"'{overlay.name}' does this on purpose", "; ".join(map(told, edit.cites))
                yield Diagnostic("W618", edit.warns, edit.span, label, hint, Severity.WARNING)


def idle(overlays: Sequence[Overlay], claims: Claims) -> Iterator[Diagnostic]:
    """Overlays that change nothing, where no other error explains it."""
    for overlay in overlays:
        if not claims.done.get(overlay.name) and overlay.name not in claims.tried:
            hint = "say what it changes: [[change]], [[add]], [[remove]], or a rule of its own"
            text = f"the overlay '{overlay.name}' changes nothing"
            yield Diagnostic("W611", text, overlay.span, "changes nothing", hint)
