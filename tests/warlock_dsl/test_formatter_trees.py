"""The formatter on random trees: what is printed is read back the same, and noise is laid out once and for all."""

from __future__ import annotations

import random
from fractions import Fraction

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from warlock_dsl.diagnostics.diagnostic import NOWHERE
from warlock_dsl.format.formatter import declaration_text, format_text, value_text
from warlock_dsl.syntax import tree as t
from warlock_dsl.syntax.equal import same_tree
from warlock_dsl.syntax.keywords import STANDINGS
from warlock_dsl.syntax.parse import parse, parse_expression

# --------------------------------------------------------------------- random trees

NAMES = st.sampled_from(["a", "b", "card", "deck", "hand", "me", "my", "pile_of_cards", "x1", "_y"])
name = st.builds(t.Name, NAMES, st.just(NOWHERE))
number = st.builds(lambda n, d: t.Number(Fraction(n, 10**d), NOWHERE), st.integers(0, 9999), st.integers(0, 3))
truth = st.builds(t.Truth, st.booleans(), st.just(NOWHERE))
nowhere = st.just(NOWHERE)


def binders(value: st.SearchStrategy[t.Expression]) -> st.SearchStrategy[t.Binder]:
    return st.builds(t.Binder, name, value, st.none() | value, nowhere)


def calls(value: st.SearchStrategy[t.Expression]) -> st.SearchStrategy[t.Call]:
    return st.builds(t.Call, name, st.none() | value, st.lists(value, max_size=3).map(tuple), nowhere)


def grown(value: st.SearchStrategy[t.Expression]) -> st.SearchStrategy[t.Expression]:
    operators = st.sampled_from(["+", "-", "*", "<", "<=", ">", ">=", "is", "has", "and", "or"])
    return st.one_of(
        st.builds(t.Attribute, value, NAMES, nowhere, nowhere),
        st.builds(t.Index, value, st.lists(value, min_size=1, max_size=2).map(tuple), nowhere),
        calls(value),
        st.builds(t.Fold, name, binders(value), st.none() | value, nowhere),
        st.builds(t.Listing, st.lists(value, max_size=3).map(tuple), nowhere),
        st.builds(t.Comprehension, binders(value), st.none() | value, nowhere),
        st.builds(t.Range, value, value, nowhere),
        st.builds(t.Binary, operators, value, value, nowhere),
        st.builds(t.Not, value, nowhere),
        st.builds(t.Conditional, value, value, value, nowhere),
        st.builds(t.Can, calls(value), nowhere),
        st.builds(t.Would, calls(value), st.none() | value, value, nowhere),
    )


values: st.SearchStrategy[t.Expression] = st.recursive(name | number | truth, grown, max_leaves=8)
counts = values.filter(lambda value: not isinstance(value, t.Range))


@st.composite
def asks(draw: st.DrawFn) -> t.Ask:
    mode = draw(st.sampled_from(["one", "count", "some", "minimal"]))
    low = draw(counts) if mode == "count" else None
    high = draw(st.just(low) | counts) if mode == "count" else None
    optional = st.none() | values
    return t.Ask(mode, low, high, draw(name), draw(values), draw(optional), draw(optional), NOWHERE)


def pairs() -> st.SearchStrategy[tuple[t.Pair, ...]]:
    return st.lists(st.builds(t.Pair, values, values, nowhere), min_size=1, max_size=2).map(tuple)


def several(value: st.SearchStrategy[t.Expression]) -> st.SearchStrategy[tuple[t.Expression, ...]]:
    return st.lists(value, min_size=1, max_size=2).map(tuple)


simple: st.SearchStrategy[t.Statement] = st.one_of(
    st.builds(t.Roll, st.none() | values, name, values, st.none() | values, st.none() | values, nowhere),
    st.builds(t.Require, several(values), nowhere),
    st.builds(t.Let, name, values, nowhere, st.none() | values),
    st.builds(t.Give, values, nowhere),
    st.builds(t.Move, pairs(), nowhere, st.none() | binders(values)),
    st.builds(t.Swap, pairs(), nowhere, st.none() | binders(values)),
    st.builds(t.Shuffle, several(values), nowhere),
    st.builds(t.Show, pairs(), nowhere),
    st.builds(t.Say, name, st.lists(name, max_size=2).map(tuple), st.none() | values, nowhere),
    st.builds(t.Assign, st.sampled_from(["set", "add", "take"]), pairs(), nowhere, st.none() | binders(values)),
    st.builds(t.Do, calls(values), st.none() | values, nowhere),
    st.builds(t.Finish, values, nowhere),
    st.builds(t.Stop, nowhere),
    st.builds(t.Pass, nowhere),
)


def heads(statement: st.SearchStrategy[t.Statement]) -> st.SearchStrategy[t.Statement]:
    block = blocks(statement)
    chosen = st.lists(asks(), min_size=1, max_size=2).map(tuple)
    return st.one_of(
        st.builds(t.Choose, st.booleans(), chosen, st.none() | block, st.none() | block, nowhere),
        st.builds(t.May, name, st.none() | values, block, st.none() | block, nowhere, nowhere),
        st.builds(t.If, values, block, st.none() | block, nowhere),
        st.builds(t.For, binders(values), block, nowhere),
        st.builds(t.Together, binders(values), block, nowhere),
        st.builds(t.Repeat, values, st.none() | values, block, nowhere),
    )


def blocks(statement: st.SearchStrategy[t.Statement]) -> st.SearchStrategy[t.Block]:
    return st.builds(t.Block, st.lists(statement, min_size=1, max_size=3).map(tuple), nowhere)


bodies = blocks(st.recursive(simple, heads, max_leaves=6))
plain_types = st.builds(t.TypeName, st.sampled_from(["number", "card"]), st.none(), nowhere)
types = st.recursive(
    plain_types, lambda inner: inner.map(lambda i: t.TypeName(f"[{i.text}]", i, NOWHERE)), max_leaves=2
)
parameters = st.lists(st.builds(t.Parameter, name, types, nowhere), max_size=3).map(tuple)
texts = st.text(st.characters(codec="utf-8", exclude_categories=["C", "Zl", "Zp"], exclude_characters='"'), max_size=9)
marks = st.lists(st.builds(t.Mark, st.sampled_from(STANDINGS), texts, nowhere), max_size=2)
marked = marks.map(tuple)


def hooks(*when: str) -> st.SearchStrategy[t.Hook]:
    names = st.lists(name, max_size=2).map(tuple)
    rest = (names, st.none() | values, nowhere)
    every = st.builds(t.Every, name, name, nowhere)
    one = st.builds(t.Hook, st.sampled_from(when), name, st.none() | name, *rest)
    return one | st.builds(t.Hook, st.sampled_from(when), name, st.none(), *rest, every)


shares = st.tuples(st.integers(0, 49), st.integers(50, 99))
settings_given = st.lists(st.tuples(name, st.sampled_from(["3", "true", "low"])), max_size=2).map(tuple)
others = st.builds(t.Other, st.just("with"), name, settings_given, nowhere)
others |= st.builds(t.Other, st.just("without"), name, st.just(()), nowhere)
there = st.just(t.Name("there", NOWHERE))
related = st.builds(t.Binary, st.sampled_from(["<", "<=", ">", ">=", "is"]), name, there, nowhere)

declarations: st.SearchStrategy[t.Declaration] = st.one_of(
    st.builds(t.Define, name, parameters, values, marked, nowhere),
    st.builds(t.Score, name, values, marked, nowhere),
    st.builds(t.Invariant, name, st.none() | hooks("before", "after"), values, marked, nowhere),
    st.builds(
        t.Property, st.just("sometimes"), name, st.none() | hooks("after"), st.just((0, 100)), st.none(), values,
        marked, nowhere,
    ),
    st.builds(
        t.Property, st.just("share"), name, st.none() | hooks("after"), shares, st.none(), values, marked, nowhere
    ),
    st.builds(t.Property, st.just("relation"), name, st.none(), st.just((0, 100)), others, related, marked, nowhere),
    st.builds(t.Reveals, name, st.none() | name, st.lists(name, min_size=1, max_size=3).map(tuple), marked, nowhere),
    st.builds(t.Rule, name, st.none() | name, parameters, st.none(), st.none() | bodies, marked, nowhere),
    st.builds(t.Rule, name, st.none() | name, parameters, hooks("before", "after", "instead"), bodies, marked, nowhere),
)


# ------------------------------------------------- a second, plain printer, with noise


class Plain:
    """Writes trees in another way than the formatter: every value in brackets, and noise wherever it may stand."""

    def __init__(self, noise: random.Random, loudness: float) -> None:
        self.noise, self.loudness, self.notes = noise, loudness, 0

    def note(self) -> str:
        self.notes += 1
        return f"# note {self.notes}"

    def gap(self, inside: bool) -> str:
        """What stands between two words; a new line and comments only inside brackets."""
        if not inside or self.noise.random() > self.loudness:
            return " "
        kinds = ["\n  ", f"  {self.note()}\n", f"\n      {self.note()}\n ", f" {self.note()}\n{self.note()}\n\n  "]
        return self.noise.choice(kinds)

    def line(self, words: list[str], indent: str) -> str:
        """Words joined to a line, with noise inside its brackets and perhaps a comment behind it."""
        out, depth = indent, 0
        for number, word in enumerate(words):
            out += (self.gap(depth > 0) if number else "") + word
            depth += {"(": 1, "[": 1, ")": -1, "]": -1}.get(word, 0)
        return out + (f" {self.note()}" if self.noise.random() < self.loudness else "") + "\n"

    def above(self, indent: str) -> str:
        """Blank lines and comments above a line."""
        kinds = ["", "\n", "\n\n\n", f"{indent}{self.note()}\n", f"\n{indent}  {self.note()}\n\n{self.note()}\n"]
        return self.noise.choice(kinds) if self.noise.random() < self.loudness else ""

    def value(self, node: t.Expression) -> list[str]:
        return ["(", *self.bare(node), ")"]

    def bare(self, node: t.Expression) -> list[str]:
        v = self.value
        match node:
            case t.Number():
                return [f"{float(node.value):f}"]
            case t.Truth():
                return [str(node.value).lower()]
            case t.Name():
                return [node.text]
            case t.Attribute():
                return [*v(node.of), ".", node.name]
            case t.Index():
                return [*v(node.of), "[", *self.commas(node.keys), "]"]
            case t.Call():
                return self.call(node)
            case t.Fold():
                return [node.name.text, "(", *self.bound(node.binder, node.body), ")"]
            case t.Listing():
                return ["[", *self.commas(node.items), "]"]
            case t.Comprehension():
                return ["[", *self.bound(node.binder, node.body), "]"]
            case t.Range():
                return [*v(node.low), "..", *v(node.high)]
            case t.Binary():
                return [*v(node.left), node.op, *v(node.right)]
            case t.Not():
                return ["not", *v(node.of)]
            case t.Conditional():
                return ["if", *v(node.test), "then", *v(node.then), "else", *v(node.otherwise)]
            case t.Can():
                return ["can", *self.call(node.call)]
            case t.Would():
                return ["would", *self.call(node.call), *self.clause("by", node.by), ":", *v(node.value)]

    def call(self, node: t.Call) -> list[str]:
        key = ["[", *self.value(node.key), "]"] if node.key is not None else []
        return [node.name.text, *key, "(", *self.commas(node.arguments), ")"]

    def commas(self, items: tuple[t.Expression, ...]) -> list[str]:
        words: list[str] = []
        for item in items:
            words += [*([","] if words else []), *self.value(item)]
        return words

    def clause(self, word: str, node: t.Expression | None) -> list[str]:
        return [word, *self.value(node)] if node is not None else []

    def bound(self, binder: t.Binder, body: t.Expression | None = None) -> list[str]:
        words = [binder.name.text, "in", *self.value(binder.source), *self.clause("where", binder.where)]
        return [*words, *self.clause(":", body)]

    def each(self, binder: t.Binder | None) -> list[str]:
        return [] if binder is None else ["for", *self.bound(binder)]

    def ask(self, ask: t.Ask) -> list[str]:
        count = [] if ask.mode == "one" else [ask.mode]
        if ask.low is not None and ask.high is not None:
            same = same_tree(ask.low, ask.high)
            count = self.value(ask.low) if same else [*self.value(ask.low), "..", *self.value(ask.high)]
        words = [*count, ask.name.text, "in", *self.value(ask.source)]
        return [*words, *self.clause("where", ask.where), *self.clause("by", ask.by)]

    def pairs(self, pairs: tuple[t.Pair, ...], word: str) -> list[str]:
        words: list[str] = []
        for pair in pairs:
            words += [*([","] if words else []), *self.value(pair.left), word, *self.value(pair.right)]
        return words

    def head(self, node: t.Statement) -> list[str]:
        match node:
            case t.Choose():
                words = ["may", "choose"] if node.may else ["choose"]
                for number, ask in enumerate(node.asks):
                    words += [*([","] if number else []), *self.ask(ask)]
                return words
            case t.May():
                return ["may", node.name.text, *self.clause("by", node.by)]
            case t.If():
                return ["if", *self.value(node.test)]
            case t.For():
                return ["for", *self.bound(node.binder)]
            case t.Together():
                return ["together", *self.bound(node.binder)]
            case t.Repeat():
                return ["repeat", *self.value(node.count), *self.clause("where", node.where)]
            case t.Roll():
                count = self.value(node.count) if node.count is not None else []
                bound = self.bound(t.Binder(node.name, node.source, node.where, NOWHERE))
                return ["roll", *count, *bound, *self.clause("by", node.by)]
            case t.Require():
                return ["require", *self.commas(node.tests)]
            case t.Let():
                return ["let", node.name.text, "=", *self.value(node.value), *self.clause("by", node.by)]
            case t.Give():
                return ["give", *self.value(node.value)]
            case t.Move():
                return ["move", *self.pairs(node.pairs, "to"), *self.each(node.each)]
            case t.Swap():
                return ["swap", *self.pairs(node.pairs, "with"), *self.each(node.each)]
            case t.Shuffle():
                return ["shuffle", *self.commas(node.zones)]
            case t.Show():
                return ["show", *self.pairs(node.pairs, "to")]
            case t.Say():
                names = [word for value in node.values for word in (",", value.text)][1:]
                values = ["(", *names, ")"] if names else []
                return ["say", node.name.text, *values, *self.clause("to", node.to)]
            case t.Assign():
                word = "from" if node.verb == "take" else "to"
                return [node.verb, *self.pairs(node.pairs, word), *self.each(node.each)]
            case t.Do():
                return [*self.call(node.call), *self.clause("by", node.by)]
            case t.Finish():
                return ["finish", *self.value(node.winners)]
            case t.Stop():
                return ["stop"]
            case t.Pass():
                return ["pass"]

    def statement(self, node: t.Statement, indent: str) -> str:
        return self.above(indent) + self.cases(node, indent, [])

    def cases(self, node: t.Statement, indent: str, lead: list[str]) -> str:
        """A statement and what hangs on it; `lead` is the `else` of an `else if`."""
        body = node.then if isinstance(node, t.If) else getattr(node, "body", None)
        otherwise = getattr(node, "otherwise", None)
        out = self.with_body([*lead, *self.head(node)], body, indent)
        if otherwise is None:
            return out
        chained = otherwise.statements[0]
        if len(otherwise.statements) == 1 and isinstance(chained, t.If) and self.noise.random() < 0.5:
            return out + self.above(indent) + self.cases(chained, indent, ["else"])
        return out + self.above(indent) + self.with_body(["else"], otherwise, indent)

    def with_body(self, words: list[str], body: t.Block | None, indent: str) -> str:
        """A head with its body, if it has one, now and then on one line."""
        if body is None:
            return self.line(words, indent)
        inline = self.inline(body)
        if inline is not None and self.noise.random() < 0.5:
            return self.line([*words, ":", *inline], indent)
        return self.line([*words, ":"], indent) + self.block(body, indent)

    def inline(self, block: t.Block) -> list[str] | None:
        """A body on the line of its head, if it can stand there."""
        node = block.statements[0]
        if len(block.statements) > 1 or getattr(node, "otherwise", None) is not None:
            return None
        body = node.then if isinstance(node, t.If) else getattr(node, "body", None)
        if body is None:
            return self.head(node)
        inner = self.inline(body)
        return None if inner is None else [*self.head(node), ":", *inner]

    def block(self, block: t.Block, indent: str) -> str:
        inner = indent + " " * self.noise.randint(1, 5)
        return "".join(self.statement(statement, inner) for statement in block.statements) + self.above(inner)

    def hook(self, hook: t.Hook | None) -> list[str]:
        if hook is None:
            return []
        key = ["[", hook.key.text, "]"] if hook.key else []
        if hook.every:
            key = ["[", hook.every.name.text, "in", hook.every.source.text, "]"]
        names = [word for number, name in enumerate(hook.names) for word in ([","] if number else []) + [name.text]]
        return [hook.when, hook.target.text, *key, "(", *names, ")", *self.clause("where", hook.where)]

    def property_head(self, node: t.Property) -> list[str]:
        if node.kind == "share":
            return ["in", f"{node.bounds[0]} .. {node.bounds[1]}"]
        if node.other is None:
            return []
        given = [word for name, value in node.other.settings for word in (",", name.text, "=", value)]
        return [node.other.word, node.other.name.text, *(["(", *given[1:], ")"] if given else [])]

    def declaration(self, node: t.Declaration) -> str:
        out = self.above("")
        for mark in node.marks:
            out += f'@{mark.standing}  "{mark.text}"\n' + self.above("")
        kind = node.kind if isinstance(node, t.Property) else type(node).__name__.lower()
        words = [kind, node.name.text]
        if isinstance(node, t.Property):
            words += self.property_head(node)
        if isinstance(node, t.Rule | t.Reveals) and node.key:
            words += ["[", node.key.text, "]"]
        if isinstance(node, t.Reveals):
            places = [word for place in node.places for word in (",", place.text)]
            return out + self.line([*words, ":", *places[1:]], "")
        if isinstance(node, t.Rule | t.Define) and node.parameters:
            written = [word for p in node.parameters for word in (",", p.name.text, ":", p.type.text)]
            words += ["(", *written[1:], ")"]
        if isinstance(node, t.Rule | t.Invariant | t.Property):
            words += self.hook(node.hook)
        if not isinstance(node, t.Rule):
            return out + self.line([*words, "=", *self.value(node.value)], "")
        return out + self.with_body(words, node.body, "")


UNHURRIED = [HealthCheck.too_slow, HealthCheck.data_too_large]
SLOW = settings(max_examples=150, deadline=None, suppress_health_check=UNHURRIED)
LOUDNESS = st.sampled_from([0, 0.05, 0.3])


@SLOW
@given(values)
def test_a_value_is_read_back_as_it_was(node: t.Expression) -> None:
    read, errors = parse_expression(value_text(node), "t")
    assert errors == []
    assert same_tree(read, node)


@SLOW
@given(declarations)
def test_a_declaration_is_read_back_as_it_was(node: t.Declaration) -> None:
    written = declaration_text(node)
    module, errors = parse(written, "t")
    assert errors == []
    assert same_tree(module.declarations, (node,))
    assert format_text(written, "t") == (written, [])


@SLOW
@given(st.lists(declarations, min_size=1, max_size=3), st.randoms(use_true_random=False), LOUDNESS)
def test_noise_is_laid_out_once_and_for_all(nodes: list[t.Declaration], noise: random.Random, loudness: float) -> None:
    plain = Plain(noise, loudness)
    text = "".join(plain.declaration(node) for node in nodes) + plain.above("")
    module, errors = parse(text, "t")
    assert errors == []
    assert same_tree(module.declarations, tuple(nodes))
    result, errors = format_text(text, "t")
    assert errors == []
    again, errors = parse(result, "t")
    assert errors == []
    assert same_tree(again, module)
    assert [comment.text for comment in again.comments] == [comment.text for comment in module.comments]
    assert format_text(result, "t") == (result, [])
