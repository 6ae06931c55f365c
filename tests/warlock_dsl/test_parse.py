"""The parser: what each form becomes, and where it stands."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest
from lark import Lark

from warlock_dsl.diagnostics.diagnostic import Span
from warlock_dsl.syntax import tree as t
from warlock_dsl.syntax.equal import same_tree
from warlock_dsl.syntax.keywords import KEYWORDS
from warlock_dsl.syntax.lark_parser import STARTS, Indentation, grammar, parser
from warlock_dsl.syntax.parse import parse, parse_call, parse_expression

RULES = Path(__file__).parents[2] / "rules"


def value(text: str) -> t.Expression:
    node, errors = parse_expression(text, "t")
    assert errors == []
    assert node is not None
    return node


def only(text: str) -> t.Declaration:
    module, errors = parse(text, "t")
    assert errors == []
    (declaration,) = module.declarations
    return declaration


def body(text: str) -> tuple[t.Statement, ...]:
    """The statements of a rule with this body."""
    lines = "".join(f"    {line}\n" for line in text.split("\n"))
    rule = only(f"rule f:\n{lines}")
    assert isinstance(rule, t.Rule) and rule.body is not None
    return rule.body.statements


def under(text: str, span: Span) -> str:
    """The part of a text that a span covers."""
    lines = text.split("\n")
    if span.line == span.end_line:
        return lines[span.line - 1][span.column - 1 : span.end_column - 1]
    inner = lines[span.line : span.end_line - 1]
    return "\n".join([lines[span.line - 1][span.column - 1 :], *inner, lines[span.end_line - 1][: span.end_column - 1]])


# ------------------------------------------------------------------------- grammar


@pytest.mark.parametrize("lexer", ["basic", "contextual"])
def test_the_grammar_has_no_conflicts(lexer: str) -> None:
    Lark(grammar(), parser="lalr", lexer=lexer, strict=True, start=STARTS, postlex=Indentation())


def test_the_list_of_reserved_words_is_the_grammar_s() -> None:
    words = {terminal.pattern.value for terminal in parser().terminals if terminal.pattern.type == "str"}
    assert {word for word in words if word.isalpha()} == KEYWORDS


@pytest.mark.parametrize("path", sorted(RULES.glob("**/*.warlock")), ids=lambda path: path.name)
def test_the_rules_are_read(path: Path) -> None:
    module, errors = parse(path.read_text(encoding="utf-8"), path.name)
    assert errors == []
    assert module.declarations


# -------------------------------------------------------------------------- values


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("a or b and c", "a or (b and c)"),
        ("a or b or c", "(a or b) or c"),
        ("not a and b", "(not a) and b"),
        ("not a is b", "not (a is b)"),
        ("a is not b", "not (a is b)"),
        ("a is b + c", "a is (b + c)"),
        ("a + b..c", "(a + b)..c"),
        ("x has 1..3", "x has (1..3)"),
        ("a - b - c", "(a - b) - c"),
        ("a - b + c", "(a - b) + c"),
        ("a + b * c", "a + (b * c)"),
        ("a * b.c[d]", "a * ((b.c)[d])"),
        ("not can f(a)", "not (can (f(a)))"),
        ("if a then b else if c then d else e", "if a then b else (if c then d else e)"),
        ("if a then b else c or d", "if a then b else (c or d)"),
        ("[x in a where b: c]", "[x in (a) where (b): (c)]"),
        ("f(x in a + b where c or d: e)", "f(x in (a + b) where (c or d): e)"),
    ],
)
def test_looseness(written: str, meant: str) -> None:
    assert same_tree(value(written), value(meant))


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("3", t.Number),
        ("0.5", t.Number),
        ("true", t.Truth),
        ("card", t.Name),
        ("card.value", t.Attribute),
        ("near(c)[red]", t.Index),
        ("grid[a, b]", t.Index),
        ("f()", t.Call),
        ("f[k](a, b)", t.Call),
        ("any(c in deck)", t.Fold),
        ("sum(c in deck where c.red: c.value)", t.Fold),
        ("[]", t.Listing),
        ("[a, b]", t.Listing),
        ("[c in deck where c.red]", t.Comprehension),
        ("1..4", t.Range),
        ("a <= b", t.Binary),
        ("a is not b", t.Not),
        ("if a then b else c", t.Conditional),
        ("can f[k](a)", t.Can),
        ("((a))", t.Name),
    ],
)
def test_kinds_of_value(text: str, kind: type) -> None:
    assert type(value(text)) is kind


def test_parts_of_values() -> None:
    half = value("0.5")
    assert isinstance(half, t.Number) and half.value == Fraction(1, 2)
    call = value("f[a.b](c, 2)")
    assert isinstance(call, t.Call) and isinstance(call.key, t.Attribute) and len(call.arguments) == 2
    fold = value("sum(c in deck: c.value)")
    assert isinstance(fold, t.Fold) and fold.binder.where is None and fold.body is not None
    assert fold.binder.name.text == "c"
    denied = value("a is not b")
    assert isinstance(denied, t.Not) and isinstance(denied.of, t.Binary) and denied.of.op == "is"


@pytest.mark.parametrize("op", ["+", "-", "*", "<", "<=", ">", ">=", "is", "has", "and", "or"])
def test_operators(op: str) -> None:
    node = value(f"a {op} b")
    assert isinstance(node, t.Binary) and node.op == op


# ---------------------------------------------------------------------- statements


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("choose c in deck", t.Choose),
        ("may choose c in deck: stop", t.Choose),
        ("roll 3 faces in die where p", t.Roll),
        ("require a, b", t.Require),
        ("let x = 3", t.Let),
        ("move a to b, c to d", t.Move),
        ("swap a with b", t.Swap),
        ("shuffle a, b", t.Shuffle),
        ("show a to b, c to d", t.Show),
        ("say a", t.Say),
        ("say a(b, c) to d", t.Say),
        ("set a to 1, b to 2", t.Assign),
        ("add 1 to a", t.Assign),
        ("take 1 from a", t.Assign),
        ("f(a)", t.Do),
        ("f[k](a) by p", t.Do),
        ("finish [me]", t.Finish),
        ("if p: stop", t.If),
        ("for c in deck where p: stop", t.For),
        ("together me in players: pass", t.Together),
        ("repeat 3 where p: stop", t.Repeat),
        ("stop", t.Stop),
        ("pass", t.Pass),
    ],
)
def test_kinds_of_statement(text: str, kind: type) -> None:
    (statement,) = body(text)
    assert type(statement) is kind
    (inline,) = _inline(text)
    assert same_tree(statement, inline)


def _inline(text: str) -> tuple[t.Statement, ...]:
    rule = only(f"rule f: {text}\n")
    assert isinstance(rule, t.Rule) and rule.body is not None
    return rule.body.statements


@pytest.mark.parametrize(
    ("text", "mode", "low", "high"),
    [
        ("choose c in deck", "one", None, None),
        ("choose 2 c in deck", "count", "2", "2"),
        ("choose 0..3 c in deck", "count", "0", "3"),
        ("choose n c in deck", "count", "n", "n"),
        ("choose min(a, b) c in deck", "count", "min(a, b)", "min(a, b)"),
        ("choose n + 1..m c in deck", "count", "n + 1", "m"),
        ("choose some c in deck", "some", None, None),
        ("choose minimal c in deck where p(c)", "minimal", None, None),
    ],
)
def test_how_many_are_chosen(text: str, mode: str, low: str | None, high: str | None) -> None:
    (statement,) = body(text)
    assert isinstance(statement, t.Choose)
    (ask,) = statement.asks
    assert ask.mode == mode and ask.name.text == "c"
    assert same_tree(ask.low, value(low) if low else None)
    assert same_tree(ask.high, value(high) if high else None)


def test_several_questions() -> None:
    (statement,) = body("choose a in f(x) where p(a, 1), 2 b in g where q by if r then me else you: move b to a")
    assert isinstance(statement, t.Choose)
    first, second = statement.asks
    assert first.where is not None and first.by is None
    assert second.mode == "count" and isinstance(second.by, t.Conditional)
    assert statement.body is not None and not statement.may


def test_pairs_keep_their_order() -> None:
    (taken,) = body("take 2 from my.gold, 3 from pot")
    assert isinstance(taken, t.Assign) and taken.verb == "take"
    assert [type(pair.left) for pair in taken.pairs] == [t.Number, t.Number]
    assert [type(pair.right) for pair in taken.pairs] == [t.Attribute, t.Name]


def test_else_belongs_to_the_head_at_its_column() -> None:
    outer, last = body("if a:\n    if b: f()\nelse: g()\nstop")
    assert isinstance(outer, t.If) and outer.otherwise is not None and isinstance(last, t.Stop)
    (inner,) = outer.then.statements
    assert isinstance(inner, t.If) and inner.otherwise is None
    (on_one_line,) = body("if a: if b: f()\nelse: g()")
    assert same_tree(on_one_line, outer)


def test_else_if_is_an_else_that_holds_an_if() -> None:
    chained = body("if a: f()\nelse if b: g()\nelse: h()")
    nested = body("if a:\n    f()\nelse:\n    if b:\n        g()\n    else:\n        h()")
    assert same_tree(chained, nested)
    (choose,) = body("choose c in deck: f(c)\nelse if b: g()\nelse: h()")
    assert isinstance(choose, t.Choose) and choose.otherwise is not None
    (hung,) = choose.otherwise.statements
    assert isinstance(hung, t.If) and hung.otherwise is not None


def test_a_choose_without_a_body_may_have_an_else() -> None:
    (statement,) = body("choose c in deck\nelse: stop")
    assert isinstance(statement, t.Choose) and statement.body is None and statement.otherwise is not None


def test_heads_follow_one_another_on_a_line() -> None:
    (outer,) = body("for c in deck: if c.red: repeat 2: f(c)")
    assert same_tree((outer,), body("for c in deck:\n    if c.red:\n        repeat 2:\n            f(c)"))


# -------------------------------------------------------------------- declarations


def test_declarations() -> None:
    text = (
        "define f(x: card, y: [[number]]) = x\n"
        "define g = 3\n"
        "score s = 1\n"
        "invariant i = true\n"
        "invariant j before f(x) where p = true\n"
        "rule e(x: card)\n"
        "rule h[k](x: card) instead g[k](y) where p: stop\n"
    )
    module, errors = parse(text, "t")
    assert errors == []
    assert [type(node).__name__ for node in module.declarations] == [
        *("Define", "Define", "Score", "Invariant", "Invariant", "Rule", "Rule")
    ]
    f, _, _, _, j, e, h = module.declarations
    assert isinstance(f, t.Define) and [p.type.text for p in f.parameters] == ["card", "[[number]]"]
    assert f.parameters[1].type.items is not None and f.parameters[1].type.items.text == "[number]"
    assert isinstance(j, t.Invariant) and j.hook is not None and j.hook.when == "before"
    assert isinstance(e, t.Rule) and e.body is None and e.hook is None
    assert isinstance(h, t.Rule) and h.key is not None and h.hook is not None and h.hook.key is not None
    assert h.hook.when == "instead" and [name.text for name in h.hook.names] == ["y"] and h.hook.where is not None


def test_marks_belong_to_the_declaration_below() -> None:
    text = '@printed "page 3: # no comment"\n# why\n@assumed "ours"\n\nrule f: stop\n\nrule g: stop\n'
    module, errors = parse(text, "t")
    assert errors == []
    f, g = module.declarations
    assert [(mark.standing, mark.text) for mark in f.marks] == [
        ("printed", "page 3: # no comment"),
        ("assumed", "ours"),
    ]
    assert g.marks == ()
    assert f.span.line == 5 and f.marks[0].span.line == 1
    assert [comment.text for comment in module.comments] == ["# why"]


def test_comments_have_their_places() -> None:
    module, _ = parse("# one\nrule f:  # two\n    # three\n    stop # four  \n", "t")
    assert [(c.text, c.line, c.column) for c in module.comments] == [
        ("# one", 1, 1),
        ("# two", 2, 10),
        ("# three", 3, 5),
        ("# four", 4, 10),
    ]


@pytest.mark.parametrize("ends", ["\n", "\r\n"])
def test_lines_continue_inside_brackets_only(ends: str) -> None:
    text = "define f = (\na\n  # between\n      + b  # behind\n)\n\n\ndefine g = [\n    1,\n    2\n]\nrule h:\n"
    text += "\n    f(\n1)\n"
    module, errors = parse(text.replace("\n", ends), "t")
    assert errors == []
    assert [type(node).__name__ for node in module.declarations] == ["Define", "Define", "Rule"]
    assert [node.span.line for node in module.declarations] == [1, 8, 12]


# -------------------------------------------------------------------------- places


def test_a_block_ends_with_its_last_word() -> None:
    text = '# top\n@printed "x"\nrule f:  # head\n    if p:\n        stop  # here\n\n    # end\n\n\nrule g\n'
    module, _ = parse(text, "t")
    rule = module.declarations[0]
    assert isinstance(rule, t.Rule) and rule.body is not None
    assert rule.span == Span("t", 3, 1, 5, 13)
    assert rule.body.span == Span("t", 4, 5, 5, 13)


@pytest.mark.parametrize(
    ("text", "path", "covered"),
    [
        ("(a + b) * c", "", "(a + b) * c"),
        ("(a + b) * c", "left", "a + b"),
        ("f[k](a, b).c", "of", "f[k](a, b)"),
        ("f[k](a, b).c", "name_span", "c"),
        ("x is not (y)", "of", "x is not (y)"),
        ("sum(c in deck where p: e)", "binder", "c in deck where p"),
        ("[\n  a,\n  b\n]", "", "[\n  a,\n  b\n]"),
    ],
)
def test_spans_of_values(text: str, path: str, covered: str) -> None:
    node: object = value(text)
    for name in path.split():
        node = getattr(node, name)
    assert under(text, node if isinstance(node, Span) else node.span) == covered  # type: ignore[attr-defined]


def test_spans_of_statements() -> None:
    text = "rule f:\n    choose 2 c in deck where p by q, d in (e): move c to d, d to c\n    else: stop\n"
    rule = only(text)
    assert isinstance(rule, t.Rule) and rule.body is not None
    (choose,) = rule.body.statements
    assert isinstance(choose, t.Choose) and choose.body and choose.otherwise
    assert under(text, choose.span).startswith("choose 2") and under(text, choose.span).endswith("else: stop")
    assert [under(text, ask.span) for ask in choose.asks] == ["2 c in deck where p by q", "d in (e)"]
    assert under(text, choose.body.span) == "move c to d, d to c"
    assert under(text, choose.otherwise.span) == "stop"


# ----------------------------------------------------------- values and calls by themselves


def test_a_call_by_itself() -> None:
    do, errors = parse_call("visit(a, 3) by p", "t")
    assert errors == []
    assert do is not None and do.call.name.text == "visit" and len(do.call.arguments) == 2
    assert isinstance(do.by, t.Name)
    member, errors = parse_call("action[draw]()", "t")
    assert errors == [] and member is not None and member.call.key is not None


@pytest.mark.parametrize("text", ["", "visit", "a + b", "visit(a) visit(b)", "visit(a)\nvisit(b)", "stop"])
def test_not_a_call(text: str) -> None:
    do, errors = parse_call(text, "t")
    assert do is None and len(errors) == 1


@pytest.mark.parametrize("text", ["", "a b", "a\nb", "move a to b", "(a", "a)", "\x00", "define f = 3"])
def test_not_a_value(text: str) -> None:
    node, errors = parse_expression(text, "t")
    assert node is None and len(errors) == 1
    assert errors[0].span.file == "t"


def test_a_value_by_itself_may_have_spaces_and_comments_around_it() -> None:
    assert same_tree(value("  a + b  # why\n"), value("a + b"))
