"""Where the texts of catalogues speak of names: in the key of a question, and within braces, in small expressions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from attrs import define, field

from warlock_dsl.check.context import Seen
from warlock_dsl.check.fragment import Fragments
from warlock_dsl.check.texts.lint_figures import IN_BRACES
from warlock_dsl.check.texts.lint_names import Needed, required_names
from warlock_dsl.diagnostics.diagnostic import Span
from warlock_dsl.ruleset import Draft
from warlock_dsl.symbols import Place, Symbol, Symbols
from warlock_dsl.tables.components import Entry

OF_A_RULE = ("ask", "choose", "add", "stop", "decline", "roll", "say", "answer", "rule", "progress", "says")
OF_A_PIECE = ("piece", "card", "now", "figure")


@define
class Texts:
    """The names in the texts of one game."""

    draft: Draft
    symbols: Symbols
    places: Sequence[Place]  # of the rules
    locals: Mapping[str, Sequence[Place]] = field(init=False)  # the names that each rule binds, by its address
    fragments: Fragments = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.fragments = Fragments(self.draft.program, self.draft.components)
        bound = sorted((one for one in self.places if one.defines and one.symbol[0] == "local"), key=_where)
        self.locals = {
            rule.address: [one for one in bound if _within(one.span, rule.span)] for rule in self.draft.program.rules
        }

    def found(self) -> Iterator[Place | tuple[Seen, Symbol | None]]:
        """The names of rules and tables in each text: where they are, or as they were resolved in an expression, with
        what a name is that the text was given."""
        needed = required_names(self.draft.program, self.draft.components)
        for entries in self.draft.components.names.values():
            for key, entry in entries.items():
                if key in needed:
                    yield from self.key(key, entry)
                    yield from self.text(key, entry, needed[key])

    def key(self, key: str, entry: Entry) -> Iterator[Place]:
        """The name that a question binds, at the end of the key of its text."""
        rule, name = self.rule(key)
        symbol = self.given(key, name) if name else None
        span = entry.key
        if symbol is not None and rule and span.line == span.end_line and span.end_column - span.column == len(key) + 2:
            end = span.end_column - 1
            yield Place(Span(span.file, span.line, end - len(name), span.line, end), symbol)

    def text(self, key: str, entry: Entry, need: Needed) -> Iterator[Place | tuple[Seen, Symbol | None]]:
        for braces in IN_BRACES.finditer(entry.text):
            inner, span = braces[1], entry.place(*braces.span())
            if span == entry.span:
                continue  # escapes, or several lines: nobody knows where it is
            if inner in need.names:
                symbol = self.given(key, inner)
                if symbol is not None:
                    yield Place(Span(span.file, span.line, span.column + 1, span.line, span.end_column - 1), symbol)
            elif need.scope is not None:
                for seen in self.fragments.seen(inner, need.scope, span, need.for_me):
                    told = seen.bound is not None and seen.bound.span == span
                    if seen.node.span != span:
                        yield seen, self.given(key, getattr(seen.node, "text", "")) if told else None

    def rule(self, key: str) -> tuple[str, str]:
        """The rule that the key of a text speaks of, and the name that is bound there; "" where there is none."""
        sort, _, rest = key.partition(".")
        if sort not in OF_A_RULE:
            return "", ""
        rule, _, name = rest.rpartition(".")
        return (rest, "") if rest in self.locals else (rule, name) if rule in self.locals else ("", "")

    def given(self, key: str, name: str) -> Symbol | None:
        """What a name is that a text was given: a name of its rule, or something of its piece."""
        sort, _, kind = key.partition(".")
        if sort in OF_A_PIECE:
            own = [("field", kind, name), ("variable", kind, name), ("zone", name)]
            known = [self.symbols.canonical(one) for one in own]
            symbol = next((one for one in known if one in self.symbols.by_name.get(name, ())), None)
            return symbol or (("kind", name) if name == kind else None)
        rule, asked = self.rule(key)
        bound = self.locals.get(rule, ())
        last = max((one.span for one in bound if one.symbol[-1] == asked), default=None)
        before = [one for one in bound if one.symbol[-1] == name and (last is None or one.span <= last)]
        return before[-1].symbol if before else None


def _where(place: Place) -> Span:
    return place.span


def _within(span: Span, whole: Span) -> bool:
    return span.file == whole.file and whole.line <= span.line <= whole.end_line
