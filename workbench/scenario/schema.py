"""The shape of a scenario file: one frozen class a table, structured by cattrs."""

from __future__ import annotations

from typing import Any, TypeVar

from attrs import define, field, frozen

from warlock_dsl import DiagnosticList, Span, quoted, suggest
from warlock_dsl.tables.schema import MisfitError, TextMap, Texts, Tree, Words, structure
from warlock_dsl.tables.toml_spans import Path, Places

MAX_SCENARIOS = 500
MAX_STEPS = 1000  # of one scenario
MAX_WORDS = 1000  # of one list
MAX_FRAGMENTS = 3000  # expressions and calls of one file
MAX_WORD_LENGTH = 400

# What cattrs finds, under the codes of scenario files.
RENAMED = {"W204": "W502", "W205": "W503", "W206": "W504"}

T = TypeVar("T")


NO_TEXTS = Texts(())
NO_WORDS = Words(())


def _tree() -> Tree:
    return Tree({})


@frozen(kw_only=True)
class RawFile:
    about: str = ""
    scenario: Any = None


@frozen(kw_only=True)
class RawScenario:
    name: str
    players: Texts
    cites: Texts = NO_TEXTS
    seed: int = 0
    ruleset: str = ""
    given: Any = field(factory=dict)
    step: Any = field(factory=list)


@frozen(kw_only=True)
class RawGiven:
    variables: Tree = field(factory=_tree)
    zones: Tree = field(factory=_tree)
    grids: Tree = field(factory=_tree)
    rest: TextMap = field(factory=lambda: TextMap({}))
    chance: Texts = NO_TEXTS
    begin: str = ""
    at: Any = None


@frozen(kw_only=True)
class RawMoment:
    rule: str
    me: str = ""
    where: str = ""
    nth: int = 1


@frozen(kw_only=True)
class RawStep:
    asks: str = ""
    question: str = ""
    offers: Words = NO_WORDS
    refuses: Words = NO_WORDS
    offers_only: Texts | None = None
    true: Words = NO_WORDS
    false: Words = NO_WORDS
    zones: Tree = field(factory=_tree)
    grids: Tree = field(factory=_tree)
    score: Tree = field(factory=_tree)
    sees: Tree = field(factory=_tree)
    hidden: Tree = field(factory=_tree)
    names: Tree = field(factory=_tree)
    heard: Tree = field(factory=_tree)
    unheard: Tree = field(factory=_tree)
    variables: Tree = field(factory=_tree)
    over: bool | None = None
    winners: Texts | None = None
    error: str = ""
    answers: Texts = NO_TEXTS


@define
class Shaper:
    """Gives tables of one document their shape, and notes what keeps them from it."""

    places: Places
    errors: DiagnosticList

    def of(self, *path: str | int) -> Span:
        return self.places.of(path)

    def shaped(self, value: object, shape: type[T], path: Path) -> T | None:
        """A table in its shape, or None after its errors were noted."""
        if not isinstance(value, dict):
            self.misfit("a table", value, path)
            return None
        made, misfits = structure(value, shape, path)
        for one in misfits:
            last = quoted(one.path[-1]) if one.path else ""
            span = self.places.key(one.path) if one.code == "W204" else self.places.of(one.path)
            if one.code == "W206":
                span = self.places.of(one.path[:-1])
            hint = suggest(str(one.path[-1]), one.known, "keys", 20) if one.known else ""
            self.errors.add(RENAMED.get(one.code, one.code), one.message.replace("{}", last), span, hint=hint)
        return made

    def tables(self, value: object, path: Path, maximum: int, what: str) -> list[Any]:
        """A list of tables, cut where there are too many."""
        if not isinstance(value, list):
            self.misfit("a list of tables", value, path)
            return []
        if len(value) > maximum:
            self.errors.add("W505", f"there are {len(value):,} {what}; at most {maximum:,} are read", self.of(*path))
            return []
        return value

    def misfit(self, wanted: str, value: object, path: Path) -> None:
        self.errors.add("W503", str(MisfitError(wanted, value)), self.of(*path))

    def texts(self, value: object, path: Path) -> tuple[str, ...] | None:
        """A list of texts, or one text."""
        if isinstance(value, str):
            return (value,)
        if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
            self.misfit("a list of texts", value, path)
            return None
        return tuple(value)
