"""Applying the overlays of a stack: to the tables, the rules and the names of a game, with every error on the way."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from attrs import define, field

from warlock_dsl.diagnostics.collect import near, quoted
from warlock_dsl.diagnostics.diagnostic import Diagnostic, Severity
from warlock_dsl.overlay.apply_rules import RuleChanges
from warlock_dsl.overlay.apply_tables import TableChanges
from warlock_dsl.overlay.changes import Applied, Claims, Layer
from warlock_dsl.overlay.read import Edit, Overlay
from warlock_dsl.syntax import tree as syntax
from warlock_dsl.tables.citations import told
from warlock_dsl.tables.merge import Merged
from warlock_dsl.tables.values import plain

__all__ = ["Applied", "Applying", "Layer"]


@define
class Applying:
    """The overlays of one stack on their way into a game."""

    overlays: Sequence[Overlay]
    claims: Claims = field(factory=Claims)
    changes: TableChanges = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.changes = TableChanges(self.overlays, self.claims)

    def tables(self, tree: dict[str, Any], places: Merged, files: dict[str, str]) -> None:
        self.changes.tables(tree, places, files)

    def modules(
        self, modules: Sequence[syntax.Module], added: Mapping[str, Sequence[syntax.Module]]
    ) -> list[syntax.Module]:
        return RuleChanges(self.overlays, self.claims).modules(modules, added)

    @property
    def retired(self) -> set[str]:
        return self.claims.retired

    def at_home(self, error: Diagnostic) -> Diagnostic:
        return self.changes.at_home(error)

    # -------------------------------------------------------------------- names

    def names(self, names: dict[str, dict[str, Any]], entries: Mapping[str, Mapping[str, Mapping[str, Any]]]) -> None:
        """Catalogue entries of the overlays over those of the game (`entries` by overlay, language and key)."""
        for overlay in self.overlays:
            for edit in overlay.edits:
                if edit.at.startswith("names."):
                    self.forget(names, overlay, edit)
            for language, texts in entries.get(overlay.name, {}).items():
                for key, entry in texts.items():
                    old = names.setdefault(language, {}).get(key)
                    target = f"names.{language}.{key}"
                    if not self.claims.claim(overlay, target, ("names", target), entry.span):
                        continue
                    if old is not None and old.text == entry.text:
                        text = f"{quoted(key)} is called so already"
                        self.claims.errors.add("W611", text, entry.span, "changes nothing")
                        continue
                    names[language][key] = entry
                    was = old.text if old is not None else ""
                    one = Applied(target, was, entry.text, (), entry.span, ("names", target))
                    self.claims.note(overlay, one)

    def forget(self, names: dict[str, dict[str, Any]], overlay: Overlay, edit: Edit) -> None:
        """A text taken away; new and changed ones stand in the catalogues of the overlay."""
        language, _, key = edit.at.removeprefix("names.").partition(".")
        if edit.verb != "remove":
            hint = f"write it into names/{language}.toml of the overlay"
            self.claims.errors.add("W603", "a text is added or changed in a catalogue", edit.span, hint=hint)
        elif key not in names.get(language, {}):
            text = f"there is no text {quoted(edit.at)} to remove"
            self.claims.errors.add("W608", text, edit.span, "unknown", near(key, names.get(language, {}), "texts"))
        elif self.claims.claim(overlay, edit.at, ("names", edit.at), edit.span):
            gone = names[language].pop(key).text
            self.claims.note(overlay, Applied(edit.at, gone, "", edit.cites, edit.span, ("names", edit.at)))

    # --------------------------------------------------------------------- end

    def layers(self) -> tuple[Layer, ...]:
        return tuple(
            Layer(
                o.name,
                o.about,
                o.kind,
                o.language,
                {k: plain(v) for k, v in o.parameters.items()},
                tuple(self.claims.done.get(o.name, ())),
                o.ranges,
            )
            for o in self.overlays
        )

    def all_errors(self) -> list[Diagnostic]:
        return self.claims.errors.all()

    def warnings(self) -> Iterator[Diagnostic]:
        """What overlays themselves warn of, with its source, unless another above them has changed it again."""
        last = {(claim.overlay.name, claim.span) for claim in self.claims.touched.values()}
        for overlay in self.overlays:
            for edit in overlay.edits:
                if edit.warns and (overlay.name, edit.span) in last:
                    label, hint = f"'{overlay.name}' does this on purpose", "; ".join(map(told, edit.cites))
                    yield Diagnostic("W618", edit.warns, edit.span, label, hint, Severity.WARNING)

    def idle(self) -> Iterator[Diagnostic]:
        """Overlays that change nothing, where no other error explains it."""
        for overlay in self.overlays:
            if not self.claims.done.get(overlay.name) and overlay.name not in self.claims.tried:
                hint = "say what it changes: [[change]], [[add]], [[remove]], or a rule of its own"
                text = f"the overlay '{overlay.name}' changes nothing"
                yield Diagnostic("W611", text, overlay.span, "changes nothing", hint)
