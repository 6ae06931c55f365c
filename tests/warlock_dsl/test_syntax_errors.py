"""Syntax errors: what is said, where the caret stands, and that no text however hostile breaks the parser."""

from __future__ import annotations

import re
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from warlock_dsl.diagnostics.codes import codes_of
from warlock_dsl.diagnostics.diagnostic import Diagnostic, Span
from warlock_dsl.syntax import tree as t
from warlock_dsl.syntax.advice import Advice
from warlock_dsl.syntax.help import ADVICE
from warlock_dsl.syntax.keywords import KEYWORDS
from warlock_dsl.syntax.parse import parse, parse_expression


def error(text: str) -> Diagnostic:
    """The only error of a text."""
    _, errors = parse(text, "t")
    assert len(errors) == 1, errors
    return errors[0]


def under(text: str, span: Span) -> str:
    """The part of a text that a span covers."""
    lines = text.split("\n")
    if span.line == span.end_line:
        return lines[span.line - 1][span.column - 1 : span.end_column - 1]
    inner = lines[span.line : span.end_line - 1]
    return "\n".join([lines[span.line - 1][span.column - 1 :], *inner, lines[span.end_line - 1][: span.end_column - 1]])


# -------------------------------------------------------------------------- errors


def filled(template: str) -> str:
    """A pattern for a text with words filled in for the braces."""
    return ".*".join(re.escape(part) for part in re.split(r"\{\w+\}", template))


@pytest.mark.parametrize("row", ADVICE, ids=lambda row: f"{row.code} {row.example.split(chr(10))[0][:30]}")
def test_every_row_of_advice_answers_its_example(row: Advice) -> None:
    _, errors = parse(row.example, "t")
    first = errors[0]
    assert first.code == row.code
    assert re.fullmatch(filled(row.message), first.message)
    assert re.fullmatch(filled(row.hint), first.hint)
    assert not row.label or re.fullmatch(filled(row.label), first.label)


HINTS = [
    ("rule f(p: player): p.x = p.x + 1\n", "W113", "add 1 to V"),
    ("rule f:\n    for p in players: p.x = p.x + 1\n", "W113", "add 1 to V"),
    ("rule f:\n    may choose c in deck: my.x = 3\n", "W113", "set V to E"),
    ("rule f:\n    if p: my.x += 2\n", "W113", "add 1 to V"),
    ("score s = my.x / 2\n", "W114", "divide_down(a, b)"),
    ("rule f:\n    if p: return\n", "W126", "put what follows under 'if P:'"),
    ("rule f:\n    if p: return 3\n", "W118", "write 'give 3'; what only has a value is a 'define'"),
    ("define f:\n    return 3\n", "W113", "define f(x: number) = ..."),
]


@pytest.mark.parametrize(("text", "code", "hint"), HINTS)
def test_a_hint_that_leads_on(text: str, code: str, hint: str) -> None:
    _, errors = parse(text, "t")
    assert errors[0].code == code
    assert hint in errors[0].hint


# The error, and the text under its caret: the end of a line is a blank.
PLACES = [
    ("share f in 60..40 = true\n", "W135", "60..40"),
    ("share f in 0.5..101 = true\n", "W135", "0.5..101"),
    ("relation f without g = options\n", "W135", "options"),
    ("relation f with g(n = 3) = options <= 3\n", "W135", "options <= 3"),
    ("rule f:\n\tstop\n", "W101", "\t"),
    ("define f = a == b\n", "W113", "=="),
    ("rule f:\n    if a = b: stop\n", "W113", "="),
    ("define f = a != b\n", "W114", "!="),
    ("define f = a && b\n", "W114", "&&"),
    ("define f = myCard\n", "W103", "myCard"),
    ("define Card = 3\n", "W103", "Card"),
    ("define f = a + -3\n", "W115", "-"),
    ('define f = a is "red"\n', "W106", '"___"'),
    ("rule f:\n    if p\n        stop\n", "W110", ""),
    ("rule f:\n    if p stop\n", "W110", " "),
    ("rule f:\n    if any(pile: stop\n", "W107", "("),
    ("define f = [a, (b]\n", "W108", "]"),
    ("rule f:\n    if p:\n    stop\n", "W111", ""),
    ("rule f:\n", "W111", ""),
    ("rule f:\n    stop\n    else: stop\n", "W112", "else"),
    ("rule f:\n    for c in deck: choose d in hand: f(d)\n    else: stop\n", "W112", "else"),
    ("rule f:\n    forever: stop\n", "W116", "forever"),
    ("rule f:\n    while(p): stop\n", "W116", "while"),
    ("rule f:\n    repeat where p: stop\n", "W116", "where"),
    ("rule f:\n    for c deck: stop\n", "W117", "deck"),
    ("rule f:\n    shufle deck\n", "W118", "shufle"),
    ("rulle f: stop\n", "W119", "rulle"),
    ('@prined "page 3"\nrule f\n', "W121", "@prined"),
    ("define f = x.set\n", "W104", "set"),
    ("rule f: for to in deck: stop\n", "W104", "to"),
    ("define f = a + then\n", "W190", "then"),
    ("define f = (f)(a)\n", "W125", "f"),
    ("define f = a.b(c)\n", "W125", "a.b"),
    ("define f = g[a, b](c)\n", "W125", "g[a, b]"),
    ("rule f: any(c in deck)\n", "W126", "any(c in deck)"),
    ("rule f: shuffel\n", "W126", "shuffel"),
    ("define f = can g\n", "W127", "g"),
    ("define f = would g: 1\n", "W127", "g"),
    ("invariant f instead g() = true\n", "W128", "instead g()"),
    ("rule f after g(x)\n", "W111", "after g(x)"),
    ("define f = 1234567890123456789\n", "W105", "1234567890123456789"),
]


@pytest.mark.parametrize(("text", "code", "covered"), PLACES, ids=lambda part: repr(part)[:40])
def test_the_caret_stands_at_the_error(text: str, code: str, covered: str) -> None:
    found = error(text)
    assert found.code == code
    shown = re.sub(r'"[^"\n]*"', lambda quote: '"' + "_" * (len(quote.group()) - 2) + '"', text)
    assert under(shown, found.span) == covered


@pytest.mark.parametrize("word", sorted(KEYWORDS))
def test_a_reserved_word_is_no_name(word: str) -> None:
    for text in (f"define {word} = 3\n", f"rule f(x: {word}): stop\n", f"define f = a.{word}\n"):
        found = error(text)
        assert found.code == "W104" and f"'{word}'" in found.message


@pytest.mark.parametrize("word", sorted(KEYWORDS))
def test_a_name_may_begin_like_a_reserved_word(word: str) -> None:
    node, errors = parse_expression(f"{word}s.{word}_", "t")
    assert errors == []
    assert isinstance(node, t.Attribute) and node.name == f"{word}_"
    assert isinstance(node.of, t.Name) and node.of.text == f"{word}s"


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("shufle deck", "shuffle"),
        ("chose c in deck", "choose"),
        ("requires p", "require"),
        ("tack 1 from a", "take"),
    ],
)
def test_a_misspelt_verb_is_guessed(text: str, meant: str) -> None:
    assert error(f"rule f:\n    {text}\n").hint == f"did you mean '{meant}'?"


def test_misspelt_marks_and_declarations_are_guessed() -> None:
    assert error('@asumed "x"\nrule f\n').hint == "did you mean '@assumed'?"
    assert error("invarant f = true\n").hint == "did you mean 'invariant'?"


def test_a_bad_mark_does_not_cost_the_declaration() -> None:
    module, errors = parse('@asumed "x"\n@printed "y"\nrule f: stop\n', "t")
    assert [found.code for found in errors] == ["W121"]
    (rule,) = module.declarations
    assert [mark.text for mark in rule.marks] == ["y"]


def test_every_declaration_tells_its_own_error() -> None:
    text = (
        "define a = 1\n"
        "define b = (1 +\n"
        "rule c:\n"
        "    mov x to y\n"
        "    mov y to x\n"
        "# between\n"
        "rule d: stop\n"
        "nonsense\n"
        "    with more\n"
        '@printed "z"\n'
        "define e = f(x).g(y) + h.i(j)\n"
        "score k = 2\n"
    )
    module, errors = parse(text, "t")
    assert [node.name.text for node in module.declarations] == ["a", "d", "k"]
    assert [(found.code, found.span.line) for found in errors] == [
        ("W107", 2),
        ("W118", 4),
        ("W119", 8),
        ("W125", 11),
        ("W125", 11),
    ]


def test_errors_are_not_listed_without_end() -> None:
    _, errors = parse("nonsense\n" * 5000, "t")
    assert len(errors) == 101
    assert errors[-1].code == "W141"


def test_every_code_is_used() -> None:
    used = {row.code for row in ADVICE} | {code for _, code, _ in PLACES}
    elsewhere = {"W100", "W140", "W141", "W199"}
    assert set(codes_of("W1")) == used | elsewhere


# -------------------------------------------------------------------------- limits

DEEP = [
    ("brackets", "define f = " + "(" * 61 + "a" + ")" * 61 + "\n", "W140"),
    ("brackets of two kinds", "define f = " + "[f(" * 40 + ")]" * 40 + "\n", "W140"),
    ("blocks", "rule f:\n" + "".join(f"{' ' * n}if p:\n" for n in range(1, 80)) + " " * 80 + "stop\n", "W140"),
    ("heads on a line", "rule f: " + "if p: " * 900 + "stop\n", "W140"),
    ("denials", "define f = " + "not " * 2000 + "a\n", "W140"),
    ("a sum", "define f = (" + "a +\n" * 3000 + "a)\n", "W140"),
    ("cases", "rule f:\n    if p: stop\n" + "    else if p: stop\n" * 3000, "W140"),
    ("dots", "define f = a" + ".b" * 4000 + "\n", "W140"),
    ("a long line", "define f = [" + "a, " * 4000 + "a]\n", "W100"),
    ("a large file", "rule f\n" * 50_000, "W100"),
    ("a null", "rule f\x00\n", "W102"),
    ("a lone carriage return", "rule f # a\rb\n", "W102"),
    ("a byte order mark", "\ufeffrule f\n", "W102"),
    ("half a character", "# \ud800\n", "W102"),
    ("quotes", '"' * 9000 + "\n", "W119"),
    ("open brackets", "([" * 30 + "\n", "W119"),
]


@pytest.mark.parametrize(("text", "code"), [row[1:] for row in DEEP], ids=[row[0] for row in DEEP])
def test_hostile_text_gets_an_error_and_quickly(text: str, code: str) -> None:
    began = time.process_time()
    assert error(text).code == code
    assert time.process_time() - began < 15


def test_what_is_just_within_the_limits_is_read() -> None:
    brackets = "define f = " + "(" * 60 + "a" + ")" * 60 + "\n"
    blocks = "rule f:\n" + "".join(f"{' ' * n}if p:\n" for n in range(1, 59)) + " " * 59 + "stop\n"
    for text in (brackets, blocks, "define f = " + "a + " * 100 + "a\n"):
        module, errors = parse(text, "t")
        assert errors == [] and len(module.declarations) == 1
    assert parse("", "t") == (t.Module("t", (), ()), [])
    assert parse("\n  \n# only this", "t")[1] == []


LETTERS = ["a", "b", "Card", "3", "0.5", '"x"', '"', "@printed", "@", "#", "..", "<=", ">=", "==", "é"]
PIECES = st.sampled_from([*sorted(KEYWORDS), *LETTERS, *"()[].,:=<>+-*!&/;{}", "", "\n", "\n    ", "\n        ", "\t"])


@settings(max_examples=400, deadline=None)
@given(st.lists(PIECES, max_size=25), st.sampled_from(["", "rule f:\n    ", "define f = ", '@printed "x"\n']))
def test_no_text_breaks_the_parser(pieces: list[str], head: str) -> None:
    text = head + " ".join(pieces)
    module, errors = parse(text, "t")
    assert module.declarations or errors or not re.sub(r"#.*", "", text).strip()
    for found in errors:
        assert found.code in codes_of("W1") and found.message
        assert not re.search(r"[A-Z]{3,}|_[A-Z]|__|\{|\}", re.sub(r"'[^ ]*'", "", found.label)), found
        assert 1 <= found.span.line <= text.count("\n") + 1
        assert found.span.column >= 1 and found.span.end_column > found.span.column
