"""What rules reveal: hidden pieces that are moved into the open, and open variables that are set from hidden things.

A game that declares one (`reveals turn: shown`) declares them all: what is not declared, or declared and not needed, is
a warning. Only what everybody comes to see counts: to show something to one player is what dealing is for.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from attrs import define, evolve, field, frozen

from warlock_dsl.check import program as checked
from warlock_dsl.check.context import CheckInput
from warlock_dsl.check.foresight.estimate import Env, Estimate, Estimator
from warlock_dsl.check.foresight.walk_rules import Flow, estimator_of
from warlock_dsl.check.lint_data import warning
from warlock_dsl.check.names import address
from warlock_dsl.check.nonempty import gives
from warlock_dsl.diagnostics.diagnostic import Diagnostic, Severity, Span, closest
from warlock_dsl.sight import counted_by_all, opens, seen_by_all, top_is_seen
from warlock_dsl.syntax import tree as syntax
from warlock_dsl.syntax.walk import fields_of
from warlock_dsl.tables.components import Components
from warlock_dsl.types import ListType, PieceType

MAX_DEPTH = 40  # expressions within one another, through definitions


def check_reveals(given: CheckInput) -> Iterator[Diagnostic]:
    """Reveals that nobody declared, and declarations that nothing needs."""
    declared = [one for module in given.modules for one in module.declarations if isinstance(one, syntax.Reveals)]
    if not declared:
        return
    revealed = _revealed(estimator_of(given))
    wanted = dict(_declared(declared, given))
    for (rule, place), found in revealed.items():
        if (rule, place) not in wanted:
            yield warning(
                "W460",
                f"'{rule}' reveals what lies hidden: {found.what} {found.source} {found.to} '{place}', which all see",
                found.span,
                "not declared",
                f"declare it, with its source above: reveals {_written(rule)}: {place}",
            )
    for (rule, place), name in wanted.items():
        of_the_game = bool(given.layers) and not name.span.file.startswith("+")  # an overlay may have done away with it
        if (rule, place) not in revealed and not of_the_game and (rule, place) not in _if_opened(given, name):
            yield warning(
                "W461",
                f"'{rule}' reveals nothing in '{place}'",
                name.span,
                "nothing needs this",
                "take it away, or look whether the rule still does what it is to do",
            )
    for one in declared:
        if given.components.ledger and not one.marks:
            hint = 'write its ids above: @printed "...", or @assumed "..." with a ruling'
            yield warning("W462", "what is revealed has no source", one.span, "according to what?", hint)
    yield from _unknown(declared, given)


def _revealed(estimator: Estimator) -> dict[tuple[str, str], Reveal]:
    flow = _Reveals(estimator, lambda *seen: None)
    flow.run()
    return flow.found


def _if_opened(given: CheckInput, place: syntax.Name) -> dict[tuple[str, str], Reveal]:
    """What an overlay's rules reveal where all see the zone: it may say so for stacks in which another opens it."""
    parts = given.components
    zone = parts.zones.get(place.text)
    if zone is None or seen_by_all(zone) or not place.span.file.startswith("+"):
        return {}
    opened = evolve(parts, zones={**parts.zones, zone.name: evolve(zone, sees="all", hidden_by="")})
    return _revealed(Estimator(given.program, opened))


def _written(rule: str) -> str:
    name, dot, key = rule.partition(".")
    return f"{name}[{key}]" if dot else name


def _declared(declared: list[syntax.Reveals], given: CheckInput) -> Iterator[tuple[tuple[str, str], syntax.Name]]:
    rules, places = {rule.address for rule in given.program.rules}, _places(given.components)
    for one in declared:
        for place in one.places:
            if address(one.name.text, one.key) in rules and place.text in places:
                yield (address(one.name.text, one.key), place.text), place


def _unknown(declared: list[syntax.Reveals], given: CheckInput) -> Iterator[Diagnostic]:
    rules, places = [rule.address for rule in given.program.rules], _places(given.components)
    for one in declared:
        rule = address(one.name.text, one.key)
        if rule not in rules:
            span = one.name.span if one.key is None else one.name.span.to(one.key.span)
            yield _error(f"there is no rule '{rule}'", span, "unknown rule", closest(rule, rules))
        for place in one.places:
            if place.text not in places:
                message = f"there is no zone and no variable '{place.text}'"
                yield _error(message, place.span, "unknown place", closest(place.text, places))


def _error(message: str, span: Span, label: str, hint: str) -> Diagnostic:
    return Diagnostic("W301", message, span, label, hint, Severity.ERROR)


def _places(parts: Components) -> list[str]:
    return [*parts.zones, *(name for _, name in parts.variables)]


# --------------------------------------------------------------------- the walk


@frozen
class Reveal:
    """A statement that reveals something: what, from where, and how."""

    what: str
    source: str
    to: str
    span: Span


@define
class _Reveals(Flow):
    """Walks the rules, and notes what becomes open to all; names that were made from hidden things are remembered."""

    found: dict[tuple[str, str], Reveal] = field(factory=dict)
    address: str = ""
    tainted: dict[int, str] = field(factory=dict)  # by slot of the rule: what it was made from
    _applied: dict[tuple[int, tuple[tuple[int, Estimate], ...], tuple[tuple[int, str], ...]], str] = field(factory=dict)

    def look(self, node: object, env: Env, via: tuple[Span, ...] = ()) -> None:
        """Nobody looks: what counts is found statement by statement."""

    def rule(self, number: int) -> None:
        self.address, self.tainted = self.program.rules[number].address, {}
        super().rule(number)

    def statement(self, node: checked.Stmt, env: Env) -> Env | None:
        match node:
            case checked.Let():
                self.taint(node.slot, node.value, env)
            case checked.Change():
                self.changed(node, self.each(node.each, env))
            case _:
                pass
        return super().statement(node, env)

    def choose(self, node: checked.Choose, env: Env) -> Env | None:
        for question in node.questions:
            item = question.source.type.item if isinstance(question.source.type, ListType) else None
            if not isinstance(item, PieceType):
                inner = env
                for before in node.questions[: node.questions.index(question)]:
                    inner = inner.bind(before.slot, self.estimator.of(before.source, inner))
                self.taint(question.slot, question.source, inner)
        return super().choose(node, env)

    def taint(self, slot: int, value: checked.Expr, env: Env) -> None:
        self.tainted.pop(slot, None)
        if not isinstance(value.type, PieceType) and (source := self.hidden(value, env)):
            self.tainted[slot] = source

    def moved(self, node: checked.Move | checked.Swap, env: Env) -> Env:
        of = self.estimator.of
        pairs = list(node.pairs)
        if isinstance(node, checked.Swap):
            pairs += [(where, what) for what, where in node.pairs]
        for what, where in pairs if self.showing else ():
            for to in of(where, env).places or ():
                for source in of(what, env).places or ():
                    before, after = self.estimator.zones[source.zone], self.estimator.zones[to.zone]
                    if opens(before, after):
                        self.note(after.name, Reveal("what is in", f"'{before.name}'", "goes to", node.span))
        return super().moved(node, env)

    def changed(self, node: checked.Change, env: Env) -> None:
        for number, _, value in node.changes if self.showing else ():
            variable = self.estimator.variables[number]
            if seen_by_all(variable) and (source := self.hidden(value, env)):
                self.note(variable.name, Reveal("something of", f"'{source}'", "is written to", node.span))

    def note(self, place: str, reveal: Reveal) -> None:
        self.found.setdefault((self.address, place), reveal)

    # ------------------------------------------------------------ what an expression reads

    def hidden(self, node: object, env: Env, depth: int = 0, tainted: Mapping[int, str] | None = None) -> str:
        """The name of something hidden that an expression reads, or ""."""
        known = self.tainted if tainted is None else tainted
        if depth > MAX_DEPTH or node is None:
            return ""
        match node:
            case tuple():
                return next((found for item in node if (found := self.hidden(item, env, depth + 1, known))), "")
            case checked.Local():
                return known.get(node.slot, "")
            case checked.Field():
                return self.unseen(self.estimator.of(node.of, env)) or self.hidden(node.of, env, depth + 1, known)
            case checked.VariableOf() if not seen_by_all(self.estimator.variables[node.variable]):
                return self.estimator.variables[node.variable].name
            case checked.Primitive(arguments=(checked.PiecesOf() as pieces,)) if gives(node, "length"):
                places = self.estimator.of(pieces, env).places or ()
                zones = [self.estimator.zones[place.zone] for place in places]
                return next((zone.name for zone in zones if not counted_by_all(zone)), "")
            case checked.Gather() | checked.Keyed():
                inside = self.estimator.inside(node, env)
                last = node.body if isinstance(node, checked.Gather) else node.key
                return self.hidden(node.source, env, depth + 1, known) or self.hidden(
                    (node.where, last), inside, depth + 1, known
                )
            case checked.Apply():
                arguments = {n: self.estimator.of(one, env) for n, one in enumerate(node.arguments, start=1)}
                inner = Env({0: env.slots.get(0, Estimate()), **arguments})
                made = {
                    n: found
                    for n, one in enumerate(node.arguments, 1)
                    if (found := self.hidden(one, env, depth + 1, known))
                }
                return self.in_definition(node.define, inner, made, depth)
            case _ if type(node).__module__ == checked.__name__:
                parts = tuple(getattr(node, name) for name in fields_of(type(node)) if name not in ("span", "type"))
                return self.hidden(parts, env, depth + 1, known)
        return ""

    def in_definition(self, number: int, env: Env, made: Mapping[int, str], depth: int) -> str:
        """The same of a definition, which is asked about again and again with the same arguments."""
        key = (number, tuple(env.slots.items()), tuple(made.items()))
        if key not in self._applied:
            define_ = self.program.defines[number]
            self._applied[key] = "" if define_.recursive else self.hidden(define_.value, env, depth + 1, made)
        return self._applied[key]

    def unseen(self, found: Estimate) -> str:
        zones = [self.estimator.zones[place.zone] for place in found.places or ()]
        return next((zone.name for zone in zones if not seen_by_all(zone) and not top_is_seen(zone)), "")
