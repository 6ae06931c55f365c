"""Calls: definitions, primitive functions, folds, and the rules a statement or `can` calls."""

from __future__ import annotations

from collections.abc import Sequence

from attrs import define

from warlock_dsl.check import program as checked
from warlock_dsl.check.base import Past, bad
from warlock_dsl.check.lookups import Lookups
from warlock_dsl.check.names import FamilyEntry, RuleEntry, Scope, listed
from warlock_dsl.diagnostics.diagnostic import Span
from warlock_dsl.primitives import FUNCTION_NAMES, KEYED_NAMES
from warlock_dsl.signatures import ListOf, Pattern, Signature, filled, matches, result_of, said, signatures
from warlock_dsl.syntax import tree as syntax
from warlock_dsl.syntax.walk import nodes
from warlock_dsl.types import NUMBER, TRUTH, ListType, PlayerType, RowType, Type, UnknownType, ZoneType, fits, words

WAS = "was"
ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth")


def ordinal(place: int) -> str:
    return ORDINALS[place] if place < len(ORDINALS) else f"{place + 1}th"


@define
class Calls(Lookups):
    """What brackets mean."""

    def call(self, scope: Scope, node: syntax.Call) -> checked.Expr:
        text = node.name.text
        if text in scope.names:
            return self.failed("W309", f"'{text}' is a value, not a function", node.name.span, "cannot be called")
        if text in self.names.families or text in self.names.rules:
            if text in self.contested:
                return bad(node.span)
            hint = f"a rule is a statement; whether it could begin is asked with can {text}(...)"
            return self.failed(
                "W309", f"'{text}' is a rule and has no value", node.name.span, "a rule, not a value", hint
            )
        if node.key is not None:
            return self.failed("W309", f"'{text}' is no family of rules", node.name.span, "has no members")
        if text == WAS:
            return self.was(scope, node)
        if text in self.names.defines:
            return self.apply(scope, node)
        if text in FUNCTION_NAMES:
            return self.primitive(scope, node)
        if text in KEYED_NAMES:
            hint = f"write {text}(x in ...: key)"
            return self.failed("W314", f"'{text}' needs a key for each element", node.span, "no key is given", hint)
        known = [*self.names.defines, *FUNCTION_NAMES, *KEYED_NAMES]
        return self.failed(
            "W310", f"there is no function '{text}'", node.name.span, "unknown", self.closest(text, known)
        )

    def apply(self, scope: Scope, node: syntax.Call) -> checked.Expr:
        text = node.name.text
        entry = self.names.defines[text]
        if not entry.node.parameters and not node.arguments:
            return self.failed("W308", f"'{text}' has no parameters", node.span, "no brackets", f"write {text} alone")
        made = self.definition(text, node.name.span)
        arguments = self.arguments(scope, text, entry.parameters, node.arguments, node.span)
        if made is None or arguments is None:
            return bad(node.span)
        return checked.Apply(entry.number, arguments, made.type, node.span)

    def arguments(
        self,
        scope: Scope,
        text: str,
        parameters: Sequence[tuple[str, Type]],
        given: Sequence[syntax.Expression],
        span: Span,
    ) -> tuple[checked.Expr, ...] | None:
        """The arguments of a definition or a rule, each made to fit its parameter."""
        if len(given) != len(parameters):
            shown = ", ".join(f"{name}: {type_}" for name, type_ in parameters)
            hint = f"its parameters: {shown}" if parameters else "it has no parameters"
            message = f"'{text}' takes {several(len(parameters))}, {len(given)} given"
            self.error("W308", message, span, "wrong number of arguments", hint)
            for argument in given:  # their own errors are worth telling all the same
                self.expr(scope, argument)
            return None
        return tuple(
            self.typed(scope, argument, type_, f"'{name}' of '{text}'")
            for argument, (name, type_) in zip(given, parameters, strict=True)
        )

    # --------------------------------------------------- primitive functions

    def primitive(self, scope: Scope, node: syntax.Call) -> checked.Expr:
        signature = signatures()[node.name.text]
        maximum = signature.maximum
        if len(node.arguments) < signature.minimum or (maximum is not None and len(node.arguments) > maximum):
            message = f"'{signature.name}' does not take {several(len(node.arguments))}"
            self.error("W308", message, node.span, "wrong number of arguments", f"it is {signature.text}")
            for argument in node.arguments:
                self.expr(scope, argument)
            return bad(node.span)
        bound: dict[str, Type] = {}
        given: list[checked.Expr] = []
        for place, argument in enumerate(node.arguments):
            pattern = signature.parameter(place)
            value = self.expr(scope, argument, filled(pattern, bound))
            given.append(self.matched(scope, signature, place, value, bound))
        return checked.Primitive(signature.name, tuple(given), result_of(signature.result, bound), node.span)

    def matched(
        self, scope: Scope, signature: Signature, place: int, value: checked.Expr, bound: dict[str, Type]
    ) -> checked.Expr:
        """One argument of a function, in the shape its signature wants."""
        pattern = signature.parameter(place)
        shaped = self.shaped(scope, value, pattern)
        if matches(pattern, shaped.type, bound, self.kind_order):
            return shaped
        known = filled(pattern, bound)
        wanted = said(pattern) if known is None else words(known)
        several = len(signature.parameters) > 1
        what = f"the {ordinal(place)} argument of '{signature.name}'" if several else f"what '{signature.name}' takes"
        hint = self._fit_hint(value, known) if known is not None else f"it is {signature.text}"
        return self.failed("W304", f"{what} must be {wanted}", value.span, f"this is {words(value.type)}", hint)

    def shaped(self, scope: Scope, value: checked.Expr, pattern: Pattern) -> checked.Expr:
        if isinstance(pattern, ListOf):
            value = self.as_list(value)
            if isinstance(pattern.item, ListOf):
                value = self.as_lists(scope, value)
        return value

    # ------------------------------------------------------------------ past

    def was(self, scope: Scope, node: syntax.Call) -> checked.Expr:
        """`was(E)`: the value E had when the rule began after which an invariant is tested."""
        past = self.past
        if past is None:
            hint = "write it in an invariant after a rule: invariant f after g(x) = ..."
            return self.failed("W333", "'was' looks back to where a rule began, and none has here", node.span, "", hint)
        if past.within:
            return self.failed("W333", "'was' looks back once, not twice", node.span, "inside another 'was'")
        if len(node.arguments) != 1:
            message = f"'was' takes 1 argument, {len(node.arguments)} given"
            return self.failed("W308", message, node.span, "wrong number of arguments", "write was(E)")
        past.within = True
        value = self.as_list(self.expr(scope, node.arguments[0]))
        past.within = False
        if isinstance(value.type, ListType) and isinstance(value.type.item, ZoneType):
            value = self.as_lists(scope, value)
        if isinstance(value.type, UnknownType):
            return value
        return self.looked_back(scope, past, value, node)

    def looked_back(self, scope: Scope, past: Past, value: checked.Expr, node: syntax.Call) -> checked.Expr:
        """A slot that holds the value; where it depends on a player or a row bound here, one value for each of them."""
        slot = scope.frame.fresh()
        found: checked.Expr = checked.Local(slot, value.type, node.span)
        kept = value
        keys = self.bound_later(past, value)
        for key in keys:
            source = self.every(key.type, node.span)
            if source is None:
                name = next((name for name, bound in scope.names.items() if bound.slot == key.slot), "")
                hint = "take the whole list back then: was([x in ...: ...])"
                message = f"'{name}' is bound here and cannot be asked for when the rule began"
                return self.failed("W333", message, key.span, "not known then", hint)
            kept = checked.Gather(key.slot, source, None, kept, ListType(kept.type), node.span)
        whole = checked.Local(slot, kept.type, node.span)
        for place, key in enumerate(reversed(keys)):
            inner = whole if place == 0 else found
            assert isinstance(inner.type, ListType) and inner.type.item is not None
            found = checked.Lookup("map", "", inner, (key,), inner.type.item, node.span)
        past.kept.append((slot, kept))
        return found

    def bound_later(self, past: Past, value: checked.Expr) -> list[checked.Local]:
        """The names in an expression that neither the rule nor the expression itself binds, each once."""
        own = {node.slot for node in nodes(value) if isinstance(node, checked.Gather | checked.Keyed)}
        found: dict[int, checked.Local] = {}
        for node in nodes(value):
            if isinstance(node, checked.Local) and node.slot > past.parameters and node.slot not in own:
                found.setdefault(node.slot, node)
        return list(found.values())

    def every(self, type_: Type, span: Span) -> checked.Expr | None:
        """All values of a type, in the order of their numbers; None where there may be too many."""
        if isinstance(type_, PlayerType):
            return checked.Primitive("players", (), ListType(type_), span)
        if isinstance(type_, RowType):
            count = len(self.components.tables[type_.table].rows)
            return checked.Const(tuple(range(count)), ListType(type_), span)
        return None

    # ---------------------------------------------------------------- folds

    def fold(self, scope: Scope, node: syntax.Fold) -> checked.Expr:
        text = node.name.text
        if text in KEYED_NAMES:
            return self.keyed(scope, node)
        gathered = self.gather(scope, node.binder, node.body, node.span)
        if text in FUNCTION_NAMES:
            bound: dict[str, Type] = {}
            signature = signatures()[text]
            if signature.minimum > 1 or not isinstance(signature.parameter(0), ListOf):
                hint = f"it is {signature.text}"
                return self.failed("W314", f"'{text}' does not run over a selection", node.span, "not a fold", hint)
            value = self.matched(scope, signature, 0, gathered, bound)
            return checked.Primitive(text, (value,), result_of(signature.result, bound), node.span)
        if text in self.names.defines or text in self.names.rules or text in self.names.families:
            hint = f"hand it a list: {text}([x in ...: ...])"
            return self.failed("W314", f"'{text}' is no fold", node.name.span, "takes no selection", hint)
        hint = self.suggest(text, [*FUNCTION_NAMES, *KEYED_NAMES], "folds")
        return self.failed("W310", f"there is no fold '{text}'", node.name.span, "unknown", hint)

    def gather(self, scope: Scope, binder: syntax.Binder, body: syntax.Expression | None, span: Span) -> checked.Expr:
        """`x in S where P: E` as a list."""
        source, inner, where = self.binder(scope, binder, shown=False)
        made = None if body is None else self.expr(inner, body)
        local = inner.names[binder.name.text]
        item = local.type if made is None else made.type
        return checked.Gather(local.slot, source, where, made, ListType(item), span)

    def binder(
        self, scope: Scope, binder: syntax.Binder, *, shown: bool
    ) -> tuple[checked.Expr, Scope, checked.Expr | None]:
        """The source of a binder, the scope in which its name is bound, and its condition."""
        source, item = self.list_of(scope, binder.source, f"what '{binder.name.text}' is taken from")
        inner = self.bind(scope, binder.name, item, shown=shown)
        where = None if binder.where is None else self.typed(inner, binder.where, TRUTH, "a condition")
        return source, inner, where

    def keyed(self, scope: Scope, node: syntax.Fold) -> checked.Expr:
        source, inner, where = self.binder(scope, node.binder, shown=False)
        local = inner.names[node.binder.name.text]
        if node.body is None:
            hint = f"write {node.name.text}({node.binder.name.text} in ...: key)"
            return self.failed("W314", f"'{node.name.text}' needs a key", node.span, "no key is given", hint)
        key = self.as_list(self.expr(inner, node.body))
        if not fits(key.type, NUMBER) and not fits(key.type, ListType(NUMBER)):
            label = f"this is {words(key.type)}"
            key = self.failed("W304", "a key must be a number or a list of numbers", key.span, label)
        return checked.Keyed(node.name.text, local.slot, source, where, key, ListType(local.type), node.span)

    # ---------------------------------------------------------------- rules

    def can(self, scope: Scope, node: syntax.Can) -> checked.Expr:
        if node.call.name.text in self.names.defines or node.call.name.text in FUNCTION_NAMES:
            hint = "'can' asks for the guard of a rule"
            return self.failed("W309", f"'{node.call.name.text}' is no rule", node.call.name.span, "not a rule", hint)
        found = self.target(scope, node.call)
        if found is None:
            return bad(node.span)
        return checked.Can(found[0], found[1], TRUTH, node.span)

    def target(self, scope: Scope, call: syntax.Call) -> tuple[checked.Target, tuple[checked.Expr, ...]] | None:
        """The rule a call means, and its arguments."""
        text = call.name.text
        if call.key is not None:
            return self.member(scope, call, call.key)
        if text in self.names.families:
            keys = ", ".join(self.names.families[text].members)
            hint = f"write {text}[key](...); its keys: {keys}"
            self.error("W309", f"'{text}' is a family of rules", call.name.span, "which member?", hint)
            return None
        rule = self.names.rules.get(text)
        if rule is None:
            self.unknown_rule(text, call.name.span)
            return None
        if self.refuse_hook(rule, call.name.span):
            return None
        arguments = self.arguments(scope, text, rule.parameters, call.arguments, call.span)
        return None if arguments is None else (checked.Target(rule.number, None, ()), arguments)

    def refuse_hook(self, rule: RuleEntry, span: Span) -> bool:
        if rule.node.hook is None:
            return False
        hint = f"it runs by itself, {rule.node.hook.when} '{rule.node.hook.target.text}'"
        self.error("W309", f"'{rule.address}' hangs on another rule and is not called", span, "a hook", hint)
        return True

    def unknown_rule(self, text: str, span: Span) -> None:
        if text in self.contested:
            return
        hint = self.closest(text, self.names.callable_rules())
        if text in self.names.defines or text in FUNCTION_NAMES or text in KEYED_NAMES:
            hint = "it has a value and does nothing; a statement calls a rule"
        self.error("W310", f"there is no rule '{text}'", span, "unknown rule", hint)

    def member(
        self, scope: Scope, call: syntax.Call, key: syntax.Expression
    ) -> tuple[checked.Target, tuple[checked.Expr, ...]] | None:
        """`f[k](a)`: a member known by now, or one that a key picks in play."""
        text = call.name.text
        family = self.names.families.get(text)
        if family is None:
            if text in self.names.rules:
                self.error(
                    "W309", f"'{text}' is no family of rules", call.name.span, "a single rule", f"write {text}(...)"
                )
            elif any(address.startswith(f"{text}.") for address in self.names.rules):
                self.error("W309", f"the rules of '{text}' hang on others and are not called", call.name.span, "hooks")
            else:
                self.error(
                    "W310",
                    f"there is no family '{text}'",
                    call.name.span,
                    "unknown family",
                    self.closest(text, self.names.families),
                )
            return None
        target = self.picked(scope, family, key)
        first = next(iter(family.members.values()))
        arguments = self.arguments(scope, text, first.parameters, call.arguments, call.span)
        return None if target is None or arguments is None else (target, arguments)

    def picked(self, scope: Scope, family: FamilyEntry, key: syntax.Expression) -> checked.Target | None:
        if isinstance(key, syntax.Name) and key.text not in scope.names and key.text in family.members:
            return checked.Target(family.members[key.text].number, None, ())
        wanted = self.key_type(family)
        value = self.typed(scope, key, wanted, f"the key of '{family.name}'")
        if isinstance(value.type, UnknownType):
            return None
        if isinstance(wanted, RowType):
            rows = self.components.tables[wanted.table].rows
            missing = [row for row in rows if row not in family.members]
            if missing:
                message = f"family '{family.name}' has no member for {listed(missing)}"
                hint = f"a key of table '{wanted.table}' may be any of its rows: give each a rule"
                self.error("W319", message, key.span, "any row may come here", hint)
                return None
        else:
            rows = tuple(family.members)
        members = tuple(family.members[row].number for row in rows)
        return checked.Target(-1, value, members)


def several(count: int) -> str:
    return {0: "no arguments", 1: "1 argument"}.get(count, f"{count} arguments")
