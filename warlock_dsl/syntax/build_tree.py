"""Turns lark's parse tree of one chunk into the syntax tree, and says where it took more than the language allows."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from lark import Token, Tree
from lark.tree import Meta

from warlock_dsl.diagnostics.diagnostic import Diagnostic, Span, closest
from warlock_dsl.syntax import tree as t
from warlock_dsl.syntax.keywords import MARKS, VERBS, quoted

MAX_TREE_DEPTH = 150
MAX_NUMBER_LENGTH = 18
RELATING = ("<", "<=", ">", ">=", "is")

Children = list[Any]


def deepest(tree: Tree[Token]) -> int:
    """How many nodes there are on the longest way down, found without recursion."""
    depth, level = 0, [tree]
    while level:
        depth += 1
        level = [child for node in level for child in node.children if isinstance(child, Tree)]
    return depth


class Builder:
    """Builds one declaration, value or call, with a method for each rule of the grammar; no use after a fatal error."""

    def __init__(self, file: str, first_line: int) -> None:
        self.file = file
        self.shift = first_line - 1
        self.errors: list[Diagnostic] = []
        self.fatal = False

    def build(self, tree: Tree[Token]) -> Any:
        """The syntax tree, built from the leaves up and without recursion."""
        order: list[Tree[Token]] = []
        todo = [tree]
        while todo:
            node = todo.pop()
            order.append(node)
            todo.extend(child for child in node.children if isinstance(child, Tree))
        built: dict[int, Any] = {}
        for node in reversed(order):
            children = [built.pop(id(child)) if isinstance(child, Tree) else child for child in node.children]
            built[id(node)] = getattr(self, str(node.data))(node.meta, children)
        return built[id(tree)]

    # ------------------------------------------------------------ places, errors

    def span(self, at: Meta | Token) -> Span:
        line, column, end_line, end_column = at.line, at.column, at.end_line, at.end_column
        assert line is not None and column is not None and end_line is not None and end_column is not None
        return Span(self.file, line + self.shift, column, end_line + self.shift, end_column)

    def error(self, code: str, message: str, span: Span, label: str = "", hint: str = "", fatal: bool = True) -> None:
        self.errors.append(Diagnostic(code, message, span, label, hint))
        self.fatal = self.fatal or fatal

    def starts(self, node: t.Expression, meta: Meta) -> bool:
        """Whether a node begins where its parent does; it does not when it is in brackets of its own."""
        span = self.span(meta)
        return (node.span.line, node.span.column) == (span.line, span.column)

    # -------------------------------------------------------------- declarations

    def chunk(self, meta: Meta, children: Children) -> t.Declaration:
        *marks, build = children
        declaration: t.Declaration = build(tuple(mark for mark in marks if mark is not None))
        return declaration

    def lone_expression(self, meta: Meta, children: Children) -> t.Expression:
        expression: t.Expression = children[0]
        return expression

    def lone_call(self, meta: Meta, children: Children) -> t.Do:
        do: t.Do = children[0]
        return do

    def mark(self, meta: Meta, children: Children) -> t.Mark | None:
        word, text = children
        standing = word[1:]
        if standing in MARKS:
            return t.Mark(standing, text[1:-1], self.span(meta))
        words = "@printed, @derived, @secondary, @assumed or @against"
        hint = closest(word, (f"@{one}" for one in MARKS)) or f"a mark is {words}"
        label = f"expected {words}"
        self.error("W121", f"there is no mark {quoted(word)}", self.span(word), label, hint, fatal=False)
        return None

    # A declaration is finished by `chunk`, which has its marks.

    def define(self, meta: Meta, children: Children) -> Any:
        name, parameters, value = children
        return lambda marks: t.Define(name, parameters or (), value, marks, self.span(meta))

    def score(self, meta: Meta, children: Children) -> Any:
        name, value = children
        return lambda marks: t.Score(name, value, marks, self.span(meta))

    def invariant(self, meta: Meta, children: Children) -> Any:
        name, hook, value = children
        if hook and hook.when == "instead":
            message = "an invariant is checked before or after a rule, never instead of it"
            self.error("W128", message, hook.span, "expected 'before' or 'after'", "write 'before' or 'after'")
        return lambda marks: t.Invariant(name, hook, value, marks, self.span(meta))

    def sometimes(self, meta: Meta, children: Children) -> Any:
        name, hook, value = children
        return lambda marks: t.Property("sometimes", name, hook, (0, 100), None, value, marks, self.span(meta))

    def share(self, meta: Meta, children: Children) -> Any:
        name, low, high, hook, value = children
        bounds = [int(one) if one.isdecimal() and len(one) < 4 else -1 for one in (low, high)]
        if not 0 <= bounds[0] < bounds[1] <= 100:
            span = self.span(low).to(self.span(high))
            message = f"a share is a range of percents, not {low}..{high}"
            self.error(
                "W135", message, span, "expected two whole numbers from 0 to 100", "write in 20..30", fatal=False
            )
        made = (bounds[0], bounds[1])
        return lambda marks: t.Property("share", name, hook, made, None, value, marks, self.span(meta))

    def relation(self, meta: Meta, children: Children) -> Any:
        name, other, value = children
        there = isinstance(value, t.Binary) and value.op in RELATING and value.right
        if not (isinstance(there, t.Name) and there.text == "there"):
            hint = "write what is compared, a sign and 'there': options <= there"
            label = "expected a value, then <, <=, >, >= or is, then 'there'"
            self.error("W135", "a relation compares a value with what it is there", value.span, label, hint)
        return lambda marks: t.Property("relation", name, None, (0, 100), other, value, marks, self.span(meta))

    def reveals(self, meta: Meta, children: Children) -> Any:
        name, key, places = children
        return lambda marks: t.Reveals(name, key, tuple(places), marks, self.span(meta))

    def with_use(self, meta: Meta, children: Children) -> t.Other:
        name, *settings = children
        return t.Other("with", name, tuple(one for one in settings if one is not None), self.span(meta))

    def without_use(self, meta: Meta, children: Children) -> t.Other:
        return t.Other("without", children[0], (), self.span(meta))

    def setting(self, meta: Meta, children: Children) -> tuple[t.Name, str]:
        return children[0], str(children[1])

    def rule(self, meta: Meta, children: Children) -> Any:
        name, key, parameters, hook, *bodies = children
        body = bodies[0] if bodies else None
        if hook and body is None:
            message = f"the rule {quoted(name.text)} hangs on another and does nothing"
            self.error("W111", message, hook.span, "expected ':' and a body", "add ':' and what it does")
        return lambda marks: t.Rule(name, key, parameters or (), hook, body, marks, self.span(meta))

    def parameters(self, meta: Meta, children: Children) -> tuple[t.Parameter, ...]:
        return tuple(children)

    def parameter(self, meta: Meta, children: Children) -> t.Parameter:
        return t.Parameter(children[0], children[1], self.span(meta))

    def plain_type(self, meta: Meta, children: Children) -> t.TypeName:
        return t.TypeName(str(children[0]), None, self.span(meta))

    def list_type(self, meta: Meta, children: Children) -> t.TypeName:
        return t.TypeName(f"[{children[0].text}]", children[0], self.span(meta))

    def hook(self, meta: Meta, children: Children) -> t.Hook:
        when, target, key, names, where = children
        if isinstance(target, Token):  # `finish`, the one verb that something may hang on
            target = t.Name(str(target), self.span(target))
        every, key = (key, None) if isinstance(key, t.Every) else (None, key)
        return t.Hook(str(when), target, key, names or (), where, self.span(meta), every)

    def every(self, meta: Meta, children: Children) -> t.Every:
        return t.Every(children[0], children[1], self.span(meta))

    def names(self, meta: Meta, children: Children) -> tuple[t.Name, ...]:
        return tuple(children)

    # ---------------------------------------------------------------- statements

    def block(self, meta: Meta, children: Children) -> t.Block:
        return t.Block(tuple(children), self.span(meta))

    inline = block

    def choose_head(self, meta: Meta, children: Children) -> tuple[bool, tuple[t.Ask, ...]]:
        return children[0] is not None, tuple(children[1:])

    def choose(self, meta: Meta, children: Children) -> t.Choose:
        (may, asks), body, *rest = children
        return t.Choose(may, asks, body, _otherwise(rest), self.span(meta))

    def bare_choose(self, meta: Meta, children: Children) -> t.Choose:
        (may, asks), *rest = children
        return t.Choose(may, asks, None, _otherwise(rest), self.span(meta))

    def ask(self, meta: Meta, children: Children) -> t.Ask:
        count, name, source, where, by = children
        mode, low, high = "count", count, count
        if count is None:
            mode = "one"
        elif isinstance(count, Token):
            mode, low, high = str(count), None, None
        elif isinstance(count, t.Range):
            low, high = count.low, count.high
        return t.Ask(mode, low, high, name, source, where, by, self.span(meta))

    def may_head(self, meta: Meta, children: Children) -> tuple[t.Name, t.Expression | None, Span]:
        return children[1], children[2], self.span(meta)

    def may(self, meta: Meta, children: Children) -> t.May:
        (name, by, asked), body, *rest = children
        return t.May(name, by, body, _otherwise(rest), asked, self.span(meta))

    def if_(self, meta: Meta, children: Children) -> t.If:
        test, then, *rest = children
        return t.If(test, then, _otherwise(rest), self.span(meta))

    def for_(self, meta: Meta, children: Children) -> t.For:
        return t.For(children[0], children[1], self.span(meta))

    def together(self, meta: Meta, children: Children) -> t.Together:
        return t.Together(children[0], children[1], self.span(meta))

    def repeat(self, meta: Meta, children: Children) -> t.Repeat:
        return t.Repeat(children[0], children[1], children[2], self.span(meta))

    def roll(self, meta: Meta, children: Children) -> t.Roll:
        count, name, source, where, by = children
        return t.Roll(count, name, source, where, by, self.span(meta))

    def require(self, meta: Meta, children: Children) -> t.Require:
        return t.Require(tuple(children), self.span(meta))

    def let(self, meta: Meta, children: Children) -> t.Let:
        return t.Let(children[0], children[1], self.span(meta), children[2])

    def pair(self, meta: Meta, children: Children) -> t.Pair:
        return t.Pair(children[0], children[1], self.span(meta))

    def move(self, meta: Meta, children: Children) -> t.Move:
        return t.Move(tuple(children[:-1]), self.span(meta), children[-1])

    def swap(self, meta: Meta, children: Children) -> t.Swap:
        return t.Swap(tuple(children[:-1]), self.span(meta), children[-1])

    def shuffle(self, meta: Meta, children: Children) -> t.Shuffle:
        return t.Shuffle(tuple(children), self.span(meta))

    def show(self, meta: Meta, children: Children) -> t.Show:
        return t.Show(tuple(children), self.span(meta))

    def say(self, meta: Meta, children: Children) -> t.Say:
        name, values, to = children
        return t.Say(name, tuple(values or ()), to, self.span(meta))

    def assign(self, meta: Meta, children: Children) -> t.Assign:
        return t.Assign(str(children[0]), tuple(children[1:-1]), self.span(meta), children[-1])

    def finish(self, meta: Meta, children: Children) -> t.Finish:
        return t.Finish(children[0], self.span(meta))

    def give(self, meta: Meta, children: Children) -> t.Give:
        return t.Give(children[0], self.span(meta))

    def stop(self, meta: Meta, children: Children) -> t.Stop:
        return t.Stop(self.span(meta))

    def pass_(self, meta: Meta, children: Children) -> t.Pass:
        return t.Pass(self.span(meta))

    def do(self, meta: Meta, children: Children) -> t.Do:
        call, by = children
        if isinstance(call, t.Call) and self.starts(call, meta):
            return t.Do(call, by, self.span(meta))
        hint = "a statement begins with a verb or is a call, such as 'f(x)'"
        if isinstance(call, t.Name) and call.text == "return":
            hint = "'give E' ends a rule with a value; else put what follows under 'if P:'; 'stop' leaves a loop"
        elif isinstance(call, t.Name):
            hint = closest(call.text, VERBS) or f"a rule is called with brackets: '{call.text[:40]}()'"
        elif isinstance(call, t.Fold):
            hint = f"'{call.name.text[:40]}' over 'x in S' gives a value; to act on each write 'for x in S:'"
        self.error("W126", "this is a value, not a statement", self.span(meta), "does nothing here", hint)
        return t.Do(_no_call(call.span), by, self.span(meta))

    # --------------------------------------------------------------- expressions

    def binder(self, meta: Meta, children: Children) -> t.Binder:
        return t.Binder(children[0], children[1], children[2], self.span(meta))

    def conditional(self, meta: Meta, children: Children) -> t.Conditional:
        return t.Conditional(children[0], children[1], children[2], self.span(meta))

    def binary(self, meta: Meta, children: Children) -> t.Binary:
        left, op, right = children
        return t.Binary(str(op), left, right, self.span(meta))

    def is_not(self, meta: Meta, children: Children) -> t.Not:
        span = self.span(meta)
        return t.Not(t.Binary("is", children[0], children[1], span), span)

    def not_(self, meta: Meta, children: Children) -> t.Not:
        return t.Not(children[0], self.span(meta))

    def range(self, meta: Meta, children: Children) -> t.Range:
        return t.Range(children[0], children[1], self.span(meta))

    def can(self, meta: Meta, children: Children) -> t.Can:
        call = children[0]
        if isinstance(call, t.Call):
            return t.Can(call, self.span(meta))
        hint = "'can' asks whether a rule could run now: 'can f(x)'"
        self.error("W127", "'can' is followed by something that is not a call", call.span, "expected a call", hint)
        return t.Can(_no_call(call.span), self.span(meta))

    def would(self, meta: Meta, children: Children) -> t.Would:
        call, by, value = children
        if not isinstance(call, t.Call):
            hint = "'would' asks what would be after a rule: 'would f(x): E'"
            message = "'would' is followed by something that is not a call"
            self.error("W127", message, call.span, "expected a call", hint)
            call = _no_call(call.span)
        return t.Would(call, by, value, self.span(meta))

    def attribute(self, meta: Meta, children: Children) -> t.Attribute:
        of, name = children
        return t.Attribute(of, str(name), self.span(name), self.span(meta))

    def index(self, meta: Meta, children: Children) -> t.Index:
        return t.Index(children[0], children[1], self.span(meta))

    def call(self, meta: Meta, children: Children) -> t.Call:
        called, arguments = children
        if isinstance(called, t.Name) and self.starts(called, meta):
            return t.Call(called, None, arguments or (), self.span(meta))
        if isinstance(called, t.Index) and isinstance(called.of, t.Name) and self.starts(called.of, meta):
            if len(called.keys) == 1:
                return t.Call(called.of, called.keys[0], arguments or (), self.span(meta))
            self.error("W125", "a member of a family has one key", called.span, hint="write 'f[k](x)'")
        else:
            self.uncallable(called)
        return _no_call(self.span(meta))

    def fold(self, meta: Meta, children: Children) -> t.Fold:
        called, binder, body = children
        if not isinstance(called, t.Name) or not self.starts(called, meta):
            self.uncallable(called)
            called = t.Name("", called.span)
        return t.Fold(called, binder, body, self.span(meta))

    def uncallable(self, called: t.Expression) -> None:
        hint = "only a bare name, or 'name[key]', is called; give the value as an argument: 'f(x)', not 'x.f()'"
        self.error("W125", "this cannot be called", called.span, "expected a name", hint)

    def listing(self, meta: Meta, children: Children) -> t.Listing:
        return t.Listing(children[0] or (), self.span(meta))

    def comprehension(self, meta: Meta, children: Children) -> t.Comprehension:
        return t.Comprehension(children[0], children[1], self.span(meta))

    def parenthesis(self, meta: Meta, children: Children) -> t.Expression:
        inner: t.Expression = children[0]
        return inner

    def items(self, meta: Meta, children: Children) -> tuple[t.Expression, ...]:
        return tuple(children)

    def name(self, meta: Meta, children: Children) -> t.Name:
        return t.Name(str(children[0]), self.span(meta))

    def number(self, meta: Meta, children: Children) -> t.Number:
        text = str(children[0])
        if len(text) > MAX_NUMBER_LENGTH:
            message = f"a number has at most {MAX_NUMBER_LENGTH} digits"
            self.error("W105", message, self.span(meta), f"{len(text)} characters")
            text = "0"
        return t.Number(Fraction(text), self.span(meta))

    def truth(self, meta: Meta, children: Children) -> t.Truth:
        return t.Truth(str(children[0]) == "true", self.span(meta))


def _otherwise(rest: Children) -> t.Block | None:
    """The block of an `else`; `else if` comes as the bare statement."""
    if not rest or rest[0] is None:
        return None
    otherwise: t.Block | t.If = rest[0]
    return otherwise if isinstance(otherwise, t.Block) else t.Block((otherwise,), otherwise.span)


def _no_call(span: Span) -> t.Call:
    """Stands in where an error was reported, so that building can go on and find the next one."""
    return t.Call(t.Name("", span), None, (), span)
