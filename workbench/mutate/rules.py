"""Mutants of the rules: what a slip of the pen could have made of a declaration, found on its syntax tree."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction

from warlock_dsl import FUNCTION_NAMES, KEYED_NAMES, RECORDS, VALUE_NAMES, Span, nodes, number_figure
from warlock_dsl.syntax import tree as t
from warlock_dsl.tables.components import Components
from workbench.mutate.mutants import Collector, Mutant, Source

NEAREST = {"<": "<=", "<=": "<", ">": ">=", ">=": ">"}
SIGNS = {"+": "-", "-": "+", "*": "+"}
JOINS = {"and": "or", "or": "and"}
TESTS = (t.Invariant, t.Property, t.Reveals)  # their mutants would be weaker tests
EFFECTS = (t.Move, t.Swap, t.Shuffle, t.Show, t.Say, t.Assign, t.Do, t.Finish, t.Stop)


def rule_mutants(
    modules: Sequence[t.Module], components: Components, sources: Mapping[str, Source]
) -> Iterator[Mutant]:
    """The mutants of every declaration that a game runs or scores by; those of laws would be weaker tests."""
    live = _live(modules)
    for module in modules:
        for declaration in module.declarations:
            source = sources.get(declaration.span.file)
            if source is None or isinstance(declaration, TESTS) or id(declaration) not in live:
                continue
            yield from _Mutating(source, declaration, components).mutants()


def _live(modules: Sequence[t.Module]) -> set[int]:
    """The declarations that rules and scores use; a definition that serves only invariants is a test as well."""
    defines = {d.name.text: d for module in modules for d in module.declarations if isinstance(d, t.Define)}
    todo: list[t.Declaration] = [
        d for module in modules for d in module.declarations if isinstance(d, t.Rule | t.Score)
    ]
    live: set[int] = set()
    while todo:
        declaration = todo.pop()
        if id(declaration) not in live:
            live.add(id(declaration))
            words = {node.text for node in nodes(declaration) if isinstance(node, t.Name)}
            todo += [defines[word] for word in sorted(words) if word in defines]
    return live


def address_of(declaration: t.Declaration) -> str:
    match declaration:
        case t.Rule() if declaration.key is not None:
            return f"{declaration.name.text}.{declaration.key.text}"
        case t.Score():
            return f"score.{declaration.name.text}"
    return declaration.name.text


class _Mutating:
    """One declaration."""

    def __init__(self, source: Source, declaration: t.Declaration, components: Components) -> None:
        self.source = source
        self.declaration = declaration
        self.components = components
        self.collector = Collector(source, address_of(declaration), source.offsets(declaration.span))
        self.own = self._own_names()
        self.conditions: set[int] = set()  # tests that stand alone: what denies them is said once

    def mutants(self) -> Iterator[Mutant]:
        declaration = self.declaration
        match declaration:
            case t.Rule():
                parts: tuple[object, ...] = (declaration.hook, declaration.body)
            case t.Define() | t.Score():
                parts = (declaration.value,)
            case _:
                parts = ()
        for node in nodes(parts):
            self.node(node)
        yield from self.collector.found.values()

    def _own_names(self) -> set[str]:
        """Names the declaration itself binds; they hide what the tables call so."""
        found: set[str] = set()
        for node in nodes(self.declaration):
            match node:
                case t.Parameter() | t.Binder() | t.Ask() | t.Let() | t.Roll():
                    found.add(node.name.text)
                case t.Hook():
                    found |= {name.text for name in node.bound}
        return found

    # ------------------------------------------------------------------- nodes

    def node(self, node: object) -> None:
        match node:
            case t.Number():
                self.number(node)
            case t.Truth():
                self.collector.change("flipped", node.span, "false" if node.value else "true")
            case t.Binary():
                self.binary(node)
            case t.Not() if id(node) not in self.conditions:
                self.denied(node)
            case t.Conditional():
                self.conditions.add(id(node.test))
                self.collector.change("branch", node.span, f"({self.source.read(node.then.span)})")
                self.collector.change("branch", node.span, f"({self.source.read(node.otherwise.span)})")
            case t.Would():  # asked of the position as it is
                self.collector.change("at-once", node.span, f"({self.source.read(node.value.span)})")
                self.by(node.by)
            case t.Name():
                self.word(node)
            case t.Attribute():
                self.attribute(node)
            case t.Call() | t.Fold():
                self.called(node)
            case t.Binder() | t.Repeat() | t.Hook() | t.Roll():
                self.where(node.where)
            case t.Ask():
                self.where(node.where)
                self.by(node.by)
            case _:
                self.statement(node)

    def statement(self, node: object) -> None:
        match node:
            case t.If():
                self.where(node.test)
            case t.Require():
                for test in node.tests:
                    self.where(test)
            case t.Choose():
                self.may(node)
            case t.May():
                self.collector.change("must", node.asked, "if true")
                self.by(node.by)
            case t.Together():
                start, _ = self.source.offsets(node.span)
                self.collector.replace("in-turn", start, start + len("together"), "for")
        if isinstance(node, EFFECTS):
            self.effect(node)
        if isinstance(node, t.Do | t.Let):
            self.by(node.by)

    def number(self, node: t.Number) -> None:
        for other in off_by_one(node.value):
            self.collector.change("number", node.span, other)

    def where(self, test: t.Expression | None) -> None:
        """A condition: dropped, or denied."""
        if test is None:
            return
        self.conditions.add(id(test))
        self.collector.change("dropped", test.span, "true")
        if isinstance(test, t.Not):
            self.denied(test)
        else:
            self.collector.change("negated", test.span, f"not ({self.source.read(test.span)})")

    def denied(self, node: t.Not) -> None:
        """The denial taken away; what it denies is not denied a second time."""
        self.conditions.add(id(node.of))
        place = self.operator(node.of, r"is\s+not") if isinstance(node.of, t.Binary) and node.of.op == "is" else None
        if place is not None:
            self.collector.replace("negated", *place, "is")
        else:
            self.collector.change("negated", node.span, f"({self.source.read(node.of.span)})")

    def by(self, who: t.Expression | None) -> None:
        """Somebody else acts: `me` does."""
        if who is not None:
            self.collector.change("by", who.span, "me")

    # --------------------------------------------------------------- operators

    def operator(self, node: t.Binary, pattern: str) -> tuple[int, int] | None:
        """Where the sign between two operands stands."""
        _, start = self.source.offsets(node.left.span)
        end, _ = self.source.offsets(node.right.span)
        match = re.search(pattern, self.source.text[start:end])
        return None if match is None else (start + match.start(), start + match.end())

    def binary(self, node: t.Binary) -> None:
        pattern = rf"(?<!\w){node.op}(?!\w)" if node.op.isalpha() else re.escape(node.op)
        place = self.operator(node, pattern)
        assert place is not None
        start, end = place
        if node.op in JOINS:
            self.collector.replace("joined", start, end, JOINS[node.op])
            whole = self.source.offsets(node.span)
            self.collector.replace("dropped", *whole, self.source.text[whole[0] : start].strip())
            self.collector.replace("dropped", *whole, self.source.text[end : whole[1]].strip())
        elif node.op in SIGNS:
            self.collector.replace("sign", start, end, SIGNS[node.op])
        elif node.op in NEAREST:
            self.collector.replace("turned", start, end, NEAREST[node.op])
        if node.op in (*NEAREST, "is", "has") and id(node) not in self.conditions:
            self.collector.change("negated", node.span, f"(not ({self.source.read(node.span)}))")

    # -------------------------------------------------------------------- words

    def word(self, node: t.Name) -> None:
        """A word that stands for something: another of the same sort."""
        text = node.text
        if text in self.own:
            return
        if text in VALUE_NAMES and RECORDS[text].twin:
            self.collector.change("word", node.span, RECORDS[text].twin)
        elif (zone := self.components.zones.get(text)) is not None and not zone.owner and not zone.by:
            self.zone(text, node.span)
        elif text in self.components.kinds:
            self.collector.change("kind", node.span, after(list(self.components.kinds), text))
        else:
            for table in self.components.tables.values():
                if text in table.rows and text not in self.components.tables:
                    self.collector.change("row", node.span, after(list(table.rows), text))
                    return
            for keys in self.components.families.values():
                if text in keys:
                    self.collector.change("key", node.span, after(list(keys), text))
                    return

    def attribute(self, node: t.Attribute) -> None:
        zone = self.components.zones.get(node.name)
        if zone is not None and (zone.owner or zone.by):
            self.zone(node.name, node.name_span)

    def zone(self, name: str, span: Span) -> None:
        """The next zone of the same owner that holds such pieces."""
        zones = self.components.zones
        this = zones[name]
        same = [zone for zone in zones.values() if (zone.owner, zone.by) == (this.owner, this.by)]
        alike = [zone.name for zone in same if set(zone.kinds) & set(this.kinds)]
        self.collector.change("zone", span, after(alike, name))

    def called(self, node: t.Call | t.Fold) -> None:
        name = node.name.text
        twin = RECORDS[name].twin if name in FUNCTION_NAMES | KEYED_NAMES else ""
        if twin in VALUE_NAMES and isinstance(node, t.Call):
            self.collector.change("order", node.span, twin)
        elif twin and twin not in VALUE_NAMES:
            self.collector.change("twin", node.name.span, twin)

    # ------------------------------------------------------------------ effects

    def may(self, node: t.Choose) -> None:
        start, _ = self.source.offsets(node.span)
        if node.may:
            length = len("may") + len(self.source.text[start + 3 :]) - len(self.source.text[start + 3 :].lstrip())
            self.collector.replace("must", start, start + length, "")
        else:
            self.collector.replace("may", start, start, "may ")

    def effect(
        self, node: t.Move | t.Swap | t.Shuffle | t.Show | t.Say | t.Assign | t.Do | t.Finish | t.Stop
    ) -> None:
        """An effect left out, or one of several; an amount given where it is taken."""
        self.collector.change("left-out", node.span, "pass")
        if isinstance(node, t.Move | t.Swap | t.Assign) and node.each is not None:  # one after another
            start, end = self.source.offsets(node.span)
            last = self.source.offsets(node.pairs[-1].span)[1]
            one = f"for {self.source.read(node.each.span)}: {self.source.text[start:last]}"
            self.collector.replace("in-turn", start, end, one)
            return
        pairs = node.pairs if isinstance(node, t.Move | t.Swap | t.Show | t.Assign) else ()
        for place, pair in enumerate(pairs if len(pairs) > 1 else ()):
            start, end = self.source.offsets(pair.span)
            if place + 1 < len(pairs):
                end = self.source.offsets(pairs[place + 1].span)[0]
            else:
                start = self.source.offsets(pairs[place - 1].span)[1]
            self.collector.replace("left-out", start, end, "")
        if isinstance(node, t.Assign) and node.verb != "set" and len(pairs) == 1:
            left, right = (self.source.read(part.span) for part in (pairs[0].left, pairs[0].right))
            turned = f"take {left} from {right}" if node.verb == "add" else f"add {left} to {right}"
            self.collector.change("sign", node.span, turned)


def after(names: list[str], name: str) -> str:
    """The next name in a list, the first after the last."""
    return names[(names.index(name) + 1) % len(names)]


def off_by_one(value: Fraction) -> list[str]:
    """A figure one higher and, where there is room, one lower."""
    return [number_figure(value + 1), *([number_figure(value - 1)] if value >= 1 else [])]
