"""Stacks compared in a page: what differs, and a table to play on from where they part."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from warlock_dsl import Loaded, Ruleset
from warlock_studio.export import comparison_page
from warlock_studio.worker import Json, RefusedError
from workbench.language.sentences import language_for
from workbench.service.comparison import alone, checked, structure

if TYPE_CHECKING:
    from warlock_studio.desk import Desk

MAX_STACKS = 6
MAX_OVERLAY = 200_000  # characters of a difference


class CompareDesk:
    """What can be asked about several stacks."""

    def __init__(self, desk: Desk) -> None:
        self.desk = desk
        self.stacks: list[str] = []
        self.rulesets: list[Loaded] = []
        self.lang = "en"

    def methods(self) -> dict[str, Callable[[Json], Any]]:
        return {"compare/open": self.open, "compare/play": self.play, "compare/export": self.export}

    def open(self, params: Json) -> Json:
        """What the stacks have otherwise, as their files are open."""
        stacks = [str(one)[:500] for one in params["stacks"]][:MAX_STACKS]
        if len(stacks) < 2:
            raise RefusedError("name two rulesets or more")
        rulesets = [checked(self.desk.gathered(stack)) for stack in stacks]
        ruleset = rulesets[-1].ruleset
        assert ruleset is not None
        lang = str(params.get("lang") or "en")[:20]
        self.lang = language_for(ruleset, lang if lang in ruleset.components.names else None)
        found = structure(rulesets, self.lang)
        self.stacks, self.rulesets = stacks, rulesets
        return found

    def words(self, wanted: list[Any]) -> tuple[Any, ...]:
        """What a search for positions is begun with."""
        if not self.rulesets:
            raise RefusedError("nothing is compared yet")
        return tuple(self.desk.gathered(stack) for stack in self.stacks), self.lang, [str(one) for one in wanted]

    def play(self, params: Json) -> Json:
        """A position that shows a difference, on the table: under the first ruleset, under it with the difference alone
        (`overlay`), or under another of those that are compared (`stack`, its number)."""
        if not self.rulesets:
            raise RefusedError("nothing is compared yet")
        ruleset = self.rules(params)
        table = self.desk.table
        alone = params.get("overlay") is not None
        name = f"{self.stacks[0]}, {str(params.get('id'))[:80]}" if alone else ruleset.name
        if params.get("scenario") is not None:
            return table.open_scenario({"text": params["scenario"], "end": True, **view(params)}, ruleset, name)
        return table.load({"replay": params["replay"], **view(params)}, ruleset, name)

    def export(self, params: Json) -> Json:
        """The comparison as one page that needs no server, with the positions that the page has found."""
        if not self.rulesets:
            raise RefusedError("nothing is compared yet")
        found = params.get("found")
        if not isinstance(found, dict):
            raise RefusedError("the positions are missing")
        return {"page": comparison_page(structure(self.rulesets, self.lang), found)}

    def rules(self, params: Json) -> Ruleset:
        overlay = params.get("overlay")
        if overlay is None:
            found = self.rulesets[int(params.get("stack") or 0)]
        elif isinstance(overlay, dict) and sum(len(str(text)) for text in overlay.values()) <= MAX_OVERLAY:
            found = alone(self.rulesets[0], {str(name): str(text) for name, text in overlay.items()})
        else:
            raise RefusedError("this is no difference")
        assert found.ruleset is not None
        return found.ruleset


def view(params: Json) -> Json:
    return {name: params[name] for name in ("viewer", "lang") if name in params}
