"""What a stack changes, in sentences: one overlay after another, each change by what it is about, and what was."""

from __future__ import annotations

from collections.abc import Iterator

from attrs import frozen

from warlock_dsl import Applied, Ruleset
from warlock_dsl.tables.components import Components
from warlock_dsl.tables.components import Difference as DocumentDifference

TEXTS = ("names.", "look.")  # what begins so changes no rule


@frozen
class Changed:
    """What one overlay does: its own words for it, and a sentence for each thing."""

    overlay: str
    about: str
    sentences: tuple[str, ...]


def changes_in_words(ruleset: Ruleset) -> Iterator[Changed]:
    """Each overlay of a stack, from the bottom up. What documents differ in is said in their words, once."""
    parts, hooks = ruleset.components, _hooks(ruleset)
    for layer in ruleset.layers:
        said: dict[str, None] = {}
        texts = 0
        for change in layer.changes:
            about = [parts.differences[id] for cite in change.cites for id in cite.ids if id in parts.differences]
            if change.target.startswith(TEXTS):
                texts += 1
                continue
            change_itself = _of_change(change) + hooks.get(change.target, "")
            if about:
                said.update(dict.fromkeys(_of_documents(one, layer.name, change_itself, parts) for one in about))
            else:
                said[change_itself] = None
        if texts:
            said[f"{texts} name{'s' if texts > 1 else ''} or look{'s' if texts > 1 else ''}"] = None
        yield Changed(layer.name, layer.about, tuple(said))


def _hooks(ruleset: Ruleset) -> dict[str, str]:
    """By address, where a rule hangs: ", before deal"."""
    rules = ruleset.program.rules
    hung = [(hook, on) for on in rules for hook in on.hooks if hook.rule >= 0]
    return {rules[hook.rule].address: f", {hook.when} {on.address}" for hook, on in hung}


def _of_documents(one: DocumentDifference, overlay: str, change: str, parts: Components) -> str:
    """A difference of the documents as this edition has it; where an overlay is no edition, what it does about it."""
    says = one.says.get(overlay, "") if overlay in parts.documents else ""
    return f"{one.title}: {says or change} ({one.id})"


def _of_change(change: Applied) -> str:
    target, was, now = change.target, change.was, change.now
    if "\n" in was + now or target.rpartition(".")[2] in was + now:
        return f"{target} is {'changed' if was and now else 'added' if now else 'gone'}"
    return f"{target} is {now or 'gone'}" + (f", was {was}" if was else ", which is new")
