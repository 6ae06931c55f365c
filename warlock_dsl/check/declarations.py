"""Declarations: names collected, definitions typed when they are needed, rules and laws put together."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from attrs import define, evolve, field

from warlock_dsl.check import program as checked
from warlock_dsl.check.base import Past, bad
from warlock_dsl.check.hooks import FINISH, Hooks
from warlock_dsl.check.names import DefineEntry, FamilyEntry, RuleEntry, Scope, address, opened
from warlock_dsl.check.order import ordered
from warlock_dsl.check.rule_summary import check_together, summaries
from warlock_dsl.diagnostics.diagnostic import Related, Span
from warlock_dsl.files import STANDARD
from warlock_dsl.primitives import reads_me
from warlock_dsl.syntax import tree as syntax
from warlock_dsl.syntax.walk import nodes
from warlock_dsl.tables.citations import check_cite, parse_cite
from warlock_dsl.tables.components import Cite, Variable
from warlock_dsl.types import NUMBER, PLAYER, TRUTH, UNKNOWN, ListType, Type

HIGHEST = 100  # definitions standing on one another

ScoreOrLaw = TypeVar("ScoreOrLaw", syntax.Score, syntax.Invariant)
Named = syntax.Define | syntax.Rule | syntax.Score | syntax.Invariant


def at_the_end(node: syntax.Invariant) -> bool:
    return node.hook is not None and node.hook.target.text == FINISH


@define
class Declarations(Hooks):
    """The meaning of whole files."""

    order: list[RuleEntry] = field(factory=list)
    eldest: dict[str, RuleEntry] = field(factory=dict)  # the first rule of each name
    scores: dict[str, syntax.Score] = field(factory=dict)
    laws: dict[str, syntax.Invariant] = field(factory=dict)
    acting: set[int] = field(factory=set)  # definitions that speak of `me`

    def program(self, modules: Sequence[syntax.Module]) -> checked.Program:
        """Everything the files declare, checked."""
        for module in modules:
            for node in module.declarations:
                self.collect(node)
        self.families()
        for define_ in self.names.defines.values():
            define_.parameters = self.parameters(define_.node.parameters)
        for rule in self.order:
            self.settle(rule)
        self.compare_members()
        defines = self.definitions()
        bodies = [self.body(rule) for rule in self.order]
        scores = tuple(self.score(node) for node in self.scores.values())
        laws = [self.law(node) for node in self.laws.values()]
        hooks = self.hooks(self.order, list(self.laws.values()), laws)
        rules = tuple(evolve(body, hooks=hooks.get(body.address, ())) for body in bodies)
        self.errors.extend(check_together(rules, summaries(rules)))
        return checked.Program(
            self.unit,
            defines,
            rules,
            self.made_families(),
            scores,
            tuple(law for node, law in zip(self.laws.values(), laws, strict=True) if node.hook is None),
            self.start(modules),
            tuple(law for node, law in zip(self.laws.values(), laws, strict=True) if at_the_end(node)),
        )

    # ------------------------------------------------------------ collecting

    def collect(self, node: syntax.Declaration) -> None:
        match node:
            case syntax.Define():
                if self.free(node.name, node.name.text):
                    self.names.defines[node.name.text] = DefineEntry(len(self.names.defines), node)
            case syntax.Rule():
                self.collect_rule(node)
            case syntax.Score():
                self.only_one(node, self.scores, "score")
            case syntax.Invariant():
                self.only_one(node, self.laws, "invariant")

    def collect_rule(self, node: syntax.Rule) -> None:
        where = address(node.name.text, node.key)
        entry = RuleEntry(len(self.order), node)
        first = self.eldest.get(node.name.text)
        if node.key is not None and first is not None and first.node.key is not None:
            other = self.names.rules.get(where)
            if other is not None:
                self.twice(f"rule '{where}'", node.key.span, other.node.name.span)
                return
        elif not self.free(node.name, node.name.text):
            return
        self.order.append(entry)
        self.eldest.setdefault(node.name.text, entry)
        self.names.rules[where] = entry
        if node.key is not None and node.hook is None:
            family = self.names.families.setdefault(node.name.text, FamilyEntry(node.name.text, node.name.span))
            family.members[node.key.text] = entry

    def free(self, name: syntax.Name, text: str) -> bool:
        """Whether a name may be declared; tells where it is taken."""
        known = self.names.declared(text) or self.names.given(text)
        if known is None and text in self.eldest:
            known = (f"rule '{self.eldest[text].address}'", self.eldest[text].node.name.span)
        word = self.names.word(text)
        if known is None and not word and text not in self.components.kinds:
            return True
        self.contested.add(text)
        if known is not None:
            self.twice(known[0], name.span, known[1])
        elif word:
            self.error(
                "W302",
                f"'{text}' already stands for {word}",
                name.span,
                "this name is taken",
                "choose a name that the language does not use",
            )
        else:
            self.twice(f"kind '{text}'", name.span, self.components.kinds[text].span)
        return False

    def twice(self, what: str, span: Span, other: Span) -> None:
        hint = "choose another name" if what else ""
        self.error(
            "W302",
            f"there already is {what}",
            span,
            "declared again here",
            hint,
            (Related(other, "first declared here"),),
        )

    def only_one(self, node: ScoreOrLaw, others: dict[str, ScoreOrLaw], what: str) -> None:
        other = others.setdefault(node.name.text, node)
        if other is not node:
            self.twice(f"{what} '{node.name.text}'", node.name.span, other.name.span)

    # ------------------------------------------------------------- families

    def families(self) -> None:
        """A family whose keys are all rows of one table is keyed by that table."""
        for family in self.names.families.values():
            tables = [
                table.name
                for table in self.components.tables.values()
                if all(key in table.rows for key in family.members)
            ]
            whole = [name for name in tables if len(self.components.tables[name].rows) == len(family.members)]
            family.table = (whole or tables or [""])[0]

    def compare_members(self) -> None:
        for family in self.names.families.values():
            first = next(iter(family.members.values()))
            for rule in family.members.values():
                types = [type_ for _, type_ in rule.parameters]
                if types != [type_ for _, type_ in first.parameters]:
                    shown = ", ".join(f"{name}: {type_}" for name, type_ in first.parameters)
                    self.error(
                        "W320",
                        f"the members of '{family.name}' must have the same parameters",
                        rule.node.span if rule.node.key is None else rule.node.key.span,
                        "differs from the first member",
                        f"the first has ({shown})" if shown else "the first has none",
                        (Related(first.node.name.span, "the first member"),),
                    )

    def made_families(self) -> dict[str, checked.Family]:
        return {
            name: checked.Family(
                name, tuple(family.members), tuple(rule.number for rule in family.members.values()), family.table
            )
            for name, family in self.names.families.items()
        }

    # ----------------------------------------------------------- definitions

    def parameters(self, given: Sequence[syntax.Parameter]) -> tuple[tuple[str, Type], ...]:
        return tuple((node.name.text, self.written_type(node.type)) for node in given)

    def entered(self, scope: Scope, names: Sequence[syntax.Name], types: Sequence[Type]) -> Scope:
        """The scope inside a rule or definition: its parameters in the slots after `me`."""
        for name, type_ in zip(names, types, strict=True):
            scope = self.bind(scope, name, type_)
        return scope

    def definitions(self) -> tuple[checked.Define, ...]:
        """Every definition, typed after those it uses."""
        entries = self.names.defines
        order = ordered({name: entry.node for name, entry in entries.items()})
        for ring in order.rings:
            self.tell_ring(ring)
        for name in order.names:
            if not order.rings and order.heights[name] == HIGHEST + 1:
                hint = "write some of them out where they are used"
                self.error(
                    "W339",
                    f"definition '{name}' stands on more than {HIGHEST} others in a row",
                    entries[name].node.name.span,
                    "too high a tower",
                    hint,
                )
            self.define(name, entries[name])
        for name in {name for ring in order.rings for name in ring}:
            entries[name].made = None
        return tuple(entry.made or self.unmade(name, entry.node) for name, entry in entries.items())

    def unmade(self, name: str, node: syntax.Define) -> checked.Define:
        """What keeps the number of a definition that needs itself."""
        return checked.Define(name, len(node.parameters), 1, bad(node.span), UNKNOWN, (), node.span)

    def tell_ring(self, ring: tuple[str, ...]) -> None:
        entries = self.names.defines
        through = f" (through {', '.join(ring[1:5])}{', ...' if len(ring) > 5 else ''})" if len(ring) > 1 else ""
        last = entries[ring[-1]].node
        used = (inner for inner in nodes(last.value) if isinstance(inner, syntax.Name) and inner.text == ring[0])
        self.error(
            "W311",
            f"definition '{ring[0]}' needs itself{through}",
            next(used).span,
            "used within its own value",
            "a definition may not go in a circle; a rule may call itself",
            (Related(entries[ring[0]].node.name.span, "defined here"),),
        )

    def definition(self, name: str, span: Span) -> checked.Define | None:
        return self.names.defines[name].made

    def define(self, name: str, entry: DefineEntry) -> None:
        node = entry.node
        scope = self.entered(opened(), [p.name for p in node.parameters], [type_ for _, type_ in entry.parameters])
        value = self.expr(scope, node.value)
        marks = self.cites(node)
        if any(self.needs_me(inner) for inner in nodes(value)):
            self.acting.add(entry.number)
        entry.made = checked.Define(name, len(node.parameters), scope.frame.slots, value, value.type, marks, node.span)

    def needs_me(self, node: object) -> bool:
        """Whether a part of an expression speaks of who acts."""
        match node:
            case checked.Local():
                return node.slot == 0
            case checked.Primitive():
                return reads_me(node.name)
            case checked.Apply():
                return node.define in self.acting
            case _:
                return isinstance(node, checked.Can)

    # ----------------------------------------------------------------- rules

    def settle(self, rule: RuleEntry) -> None:
        """Finds the parameters of a rule; those of a hook are its target's, so that targets come first."""
        fresh: list[RuleEntry] = []
        last: RuleEntry | None = rule
        while last is not None and not last.settled:
            last.settled = True
            fresh.append(last)
            if last.node.hook is None:
                last.parameters = self.parameters(last.node.parameters)
                break
            last.target = self.hook_target(last.node.hook)
            if last.node.parameters:
                hint = "it is given those of its target, by the names after it"
                place = last.node.parameters[0].span
                self.error("W321", "a rule that hangs on another has no parameters of its own", place, "not here", hint)
            last = last.target
        for hung in reversed(fresh):
            if hung.node.hook is not None:
                hung.parameters = self.hook_parameters(hung.node.hook, hung.target)

    def body(self, rule: RuleEntry) -> checked.Rule:
        node = rule.node
        scope = opened()
        names = [p.name for p in node.parameters] if node.hook is None else list(node.hook.names)
        scope = self.entered(scope, names, [type_ for _, type_ in rule.parameters])
        if node.hook is not None and node.hook.where is not None:
            rule.where = self.typed(scope, node.hook.where, TRUTH, "a condition")
        made = self.inner(scope, node.body)
        rule.frame = scope.frame
        return checked.Rule(
            rule.address,
            node.name.text,
            "" if node.key is None else node.key.text,
            rule.parameters,
            scope.frame.slots,
            scope.frame.names,
            made,
            node.body is None and node.hook is None,
            rule.hooked,
            (),
            self.lasting(rule.address),
            self.cites(node),
            node.span,
        )

    def lasting(self, where: str) -> tuple[int, ...]:
        return tuple(variable.number for variable in self.components.variables.values() if variable.lasts == where)

    def start(self, modules: Sequence[syntax.Module]) -> int:
        for variable in self.components.variables.values():
            self.check_lasts(variable)
        play = self.names.rules.get("play")
        if play is None:
            own = (rule.node.span for rule in self.order if not rule.node.span.file.startswith(f"{STANDARD}/"))
            span = next(own, self.components.span)
            self.error("W326", "there is no rule 'play'", span, "", "a game begins with 'rule play:'")
            return -1
        if play.node.parameters or play.hooked:
            self.error(
                "W326",
                "the rule 'play' starts the game: it has no parameters and hangs on nothing",
                play.node.name.span,
                "must stand alone",
            )
        return play.number

    def check_lasts(self, variable: Variable) -> None:
        lasts = variable.lasts
        if lasts and lasts != "move" and lasts not in self.names.rules:
            message = f"variable '{variable.name}' lasts as long as rule '{lasts}', which does not exist"
            self.error("W327", message, variable.span, "no such rule", self.closest(lasts, self.names.rules))

    # ------------------------------------------------------- scores and laws

    def score(self, node: syntax.Score) -> checked.Score:
        scope = opened()
        value = self.typed(scope, node.value, NUMBER, "a score")
        return checked.Score(node.name.text, scope.frame.slots, value, self.cites(node), node.span)

    def law(self, node: syntax.Invariant) -> checked.Invariant:
        ending = at_the_end(node)
        scope = opened(me=node.hook is not None and not ending)
        if node.hook is not None:
            scope = self.law_scope(node.name.text, node.hook, scope)
        self.past = self.law_pasts.get(node.name.text)
        where = None
        if node.hook is not None and node.hook.where is not None:
            where = self.typed(scope, node.hook.where, TRUTH, "a condition")
            self.law_tests[node.name.text] = where
        test = self.typed(scope, node.value, TRUTH, "an invariant")
        self.past = None
        if where is not None and ending:
            test = checked.Binary("or", checked.Not(where, TRUTH, where.span), test, TRUTH, node.value.span)
        for inner in nodes(test) if not scope.me else ():
            if isinstance(inner, checked.Apply) and inner.define in self.acting:
                name = list(self.names.defines)[inner.define]
                self.error(
                    "W330",
                    f"'{name}' speaks of who acts, and in an invariant of the whole game nobody does",
                    inner.span,
                    "who?",
                    "hang the invariant on a rule, or give the definition a player",
                )
        return checked.Invariant(node.name.text, scope.frame.slots, test, self.cites(node), node.span)

    def law_scope(self, name: str, hook: syntax.Hook, scope: Scope) -> Scope:
        """What an invariant that hangs on a rule, or on the end of the game, may speak of."""
        if hook.target.text == FINISH:
            self.refuse_hook_on_finish(hook)
            return self.entered(scope, hook.names, [ListType(PLAYER)] * len(hook.names))
        target = self.hook_target(hook)
        types = [type_ for _, type_ in self.hook_parameters(hook, target)]
        if hook.when == "after":
            self.law_pasts[name] = Past(len(types))
        return self.entered(scope, hook.names, types)

    # --------------------------------------------------------------- sources

    def cites(self, node: Named) -> tuple[Cite, ...]:
        """The marks of a declaration; an id that no ledger has is an error."""
        made = tuple(parse_cite(mark.standing, mark.text, mark.span) for mark in node.marks)
        if self.components.ledger:
            known = {*self.components.ledger, *self.components.rulings, *self.components.differences}
            for cite in made:
                self.errors.extend(check_cite(cite, known))
        return made
