"""Applying overlays to the rules: declarations added, replaced, taken away and put in another order."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from attrs import define, evolve

from warlock_dsl.diagnostics.collect import near, quoted
from warlock_dsl.diagnostics.diagnostic import Entry, Related, Suggestion
from warlock_dsl.overlay.changes import Applied, Claims, ids_of
from warlock_dsl.overlay.read import OVERLAY_FILE, Overlay, declaration_address, declaration_digest, unmarked_text
from warlock_dsl.syntax import tree as syntax
from warlock_dsl.tables.citations import parse_cite


def change_rules(
    overlays: Sequence[Overlay],
    modules: Sequence[syntax.Module],
    added: Mapping[str, Sequence[syntax.Module]],
    claims: Claims,
) -> list[syntax.Module]:
    """The files of a game with the changes of all overlays, whose own files are `added` by name."""
    return RuleChanges(overlays, claims).modules(modules, added)


@define
class RuleChanges:
    """The overlays of a stack while their changes to the rules are made."""

    overlays: Sequence[Overlay]
    claims: Claims

    def modules(
        self, modules: Sequence[syntax.Module], added: Mapping[str, Sequence[syntax.Module]]
    ) -> list[syntax.Module]:
        """The files of the game and of every overlay: a replacement takes the place of what it replaces."""
        current = list(modules)
        for overlay in self.overlays:
            own = self.declared(overlay, added.get(overlay.name, ()))
            there = {declaration_address(d): d for module in current for d in module.declarations}
            gone = self.dropped(overlay, own, there)
            for at, declaration in own.items():
                if at not in there:
                    if self.claims.claim(overlay, at, ("rule", at), declaration.name.span, adds=True):
                        self.record(overlay, at, None, declaration)
                elif at not in overlay.replace:
                    self.declared_again(overlay, at, declaration, there[at])
            current = [evolve(m, declarations=tuple(kept(m.declarations, gone))) for m in current]
            for module in added.get(overlay.name, ()):
                fresh = tuple(d for d in module.declarations if declaration_address(d) not in there)
                current.append(evolve(module, declarations=fresh))
            current = self.placed(overlay, current, own)
        return current

    def declared(self, overlay: Overlay, modules: Sequence[syntax.Module]) -> dict[str, syntax.Declaration]:
        """What the files of an overlay declare, by address."""
        own: dict[str, syntax.Declaration] = {}
        for declaration in (d for module in modules for d in module.declarations):
            at = declaration_address(declaration)
            if at in own and at in overlay.replace:  # two of something new are found where all rules are checked
                other = (Related(own[at].name.span, "first here"),)
                text = f"{quoted(at)} is declared twice in the overlay"
                self.claims.errors.add("W613", text, declaration.name.span, "declared again", "", other)
            own.setdefault(at, declaration)
        return own

    def declared_again(
        self, overlay: Overlay, at: str, declaration: syntax.Declaration, old: syntax.Declaration
    ) -> None:
        """A declaration that is there and is not to be replaced: the game's, or that of another overlay."""
        rival = self.claims.touched.get(("rule", at))
        if rival is not None and rival.overlay.name not in overlay.builds_on:
            self.claims.claim(overlay, at, ("rule", at), declaration.name.span, adds=True)
            return
        line = f'"{at}" = "{declaration_digest(old)}"'
        file = f"+{overlay.name}/{OVERLAY_FILE}"
        hint = Entry(f"to replace it, write under [replace]: {line}", file, "replace", line)
        related = (Related(old.name.span, "declared here"),)
        self.claims.errors.add(
            "W613", f"{quoted(at)} is already there", declaration.name.span, "declared again", hint, related
        )

    def dropped(
        self, overlay: Overlay, own: Mapping[str, syntax.Declaration], there: Mapping[str, syntax.Declaration]
    ) -> dict[int, syntax.Declaration | None]:
        """What is replaced or taken away, by the identity of the old declaration."""
        gone: dict[int, syntax.Declaration | None] = {}
        for table, verb in ((overlay.replace, "replace"), (overlay.drop, "drop")):
            for at, (was, span) in table.items():
                old = there.get(at)
                new = own.get(at) if verb == "replace" else None
                if not self.claims.claim(overlay, at, ("rule", at), span):
                    continue
                if old is None:
                    text = f"there is no {quoted(at)} to {verb}"
                    self.claims.errors.add("W608", text, span, "unknown", near(at, there, "declarations"))
                    continue
                if declaration_digest(old) != was:  # an error, but what follows is checked as if it were the right one
                    text = f"{quoted(at)} is not the one this overlay expects: its digest is {declaration_digest(old)}"
                    now = declaration_digest(old)
                    told = f'look whether the overlay still fits, then write "{now}"'
                    hint: str = Suggestion(was, now, text=told, does="take the new digest")
                    other = (Related(old.name.span, "as it is now"),)
                    self.claims.errors.add("W614", text, span, "expects another", hint, other)
                if verb == "replace" and new is None:
                    text = f"the overlay declares no {quoted(at)} to replace the old one"
                    hint = "declare it in a .warlock file of the overlay; to take it away, use [drop]"
                    other = (Related(old.name.span, "the old one"),)
                    self.claims.errors.add("W615", text, span, "replaced by nothing", hint, other)
                elif new is not None and declaration_digest(new) == declaration_digest(old):
                    text = f"{quoted(at)} is declared just so already"
                    other = (Related(old.name.span, "the same"),)
                    self.claims.errors.add("W611", text, new.name.span, "changes nothing", "", other)
                else:
                    self.claims.retired |= {id_ for mark in old.marks for id_ in ids_of(mark.standing, mark.text)}
                    gone[id(old)] = new
                    self.record(overlay, at, old, new)
        return gone

    def placed(
        self, overlay: Overlay, modules: list[syntax.Module], own: Mapping[str, syntax.Declaration]
    ) -> list[syntax.Module]:
        """The declarations that the overlay puts before another, or last (""): the order of menus and of hooks."""
        for at, (other, span) in overlay.before.items():
            there = {declaration_address(d): d for module in modules for d in module.declarations}
            missing = next((one for one in (at, other or at) if one not in there), None)
            if not self.claims.claim(overlay, at, ("order", at), span):
                continue
            if missing is not None:
                text = f"there is no {quoted(missing)} to put in order"
                self.claims.errors.add("W608", text, span, "unknown", near(missing, there, "declarations"))
                continue
            now = [evolve(m, declarations=tuple(moved(m.declarations, there[at], there.get(other)))) for m in modules]
            if not other:
                now[-1] = evolve(now[-1], declarations=(*now[-1].declarations, there[at]))
            if [declaration_address(d) for m in now for d in m.declarations] == list(there):
                self.claims.errors.add("W611", f"{quoted(at)} is in that place already", span, "changes nothing")
                continue
            modules = now
            if at not in own:
                where = f"stands before {other}" if other else "stands last"
                self.claims.note(overlay, Applied(at, "", where, (), span, ("order", at)))
        return modules

    def record(self, overlay: Overlay, at: str, old: syntax.Declaration | None, new: syntax.Declaration | None) -> None:
        was = unmarked_text(old).strip() if old is not None else ""
        now = unmarked_text(new).strip() if new is not None else ""
        span = new.name.span if new is not None else overlay.drop[at][1]
        marks = new.marks if new is not None else ()
        cites = tuple(parse_cite(mark.standing, mark.text, mark.span) for mark in marks)
        self.claims.note(overlay, Applied(at, was, now, cites, span, ("rule", at)))


def kept(
    declarations: Sequence[syntax.Declaration], gone: Mapping[int, syntax.Declaration | None]
) -> Iterator[syntax.Declaration]:
    """The declarations of a file with those replaced that are, and without those taken away."""
    for declaration in declarations:
        now = gone.get(id(declaration), declaration)
        if now is not None:
            yield now


def moved(
    declarations: Sequence[syntax.Declaration], one: syntax.Declaration, other: syntax.Declaration | None
) -> Iterator[syntax.Declaration]:
    """The declarations of a file, `one` before `other` if that is among them, and nowhere else."""
    for declaration in declarations:
        if declaration is other and other is not one:
            yield one
        if declaration is not one or other is one:
            yield declaration
