"""Reads `.warlock` text: every declaration that can be read, and every error, in one pass."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, lru_cache
from importlib.resources import files
from typing import Any

from attrs import frozen
from lark import Lark, Token, Tree
from lark.exceptions import UnexpectedCharacters, UnexpectedInput, UnexpectedToken
from lark.lark import PostLex

from warlock_dsl.diagnostics.diagnostic import Diagnostic, Span
from warlock_dsl.syntax.build_tree import MAX_TREE_DEPTH, Builder, deepest
from warlock_dsl.syntax.chunks import Chunk, cut, masked, open_brackets, too_much, unreadable
from warlock_dsl.syntax.help import Stuck, explain
from warlock_dsl.syntax.tree import Declaration, Do, Expression, Module

MAX_BLOCK_DEPTH = 60
MAX_ERRORS = 100
STARTS = ["chunk", "lone_expression", "lone_call"]
LAYOUT = frozenset({"_NEWLINE", "_INDENT", "_DEDENT"})


class Indentation(PostLex):
    """Gives indentation as tokens. A line that fits no block, or lies too deep, comes as a token nothing accepts."""

    always_accept = ("_NEWLINE",)

    def process(self, stream: Iterator[Token]) -> Iterator[Token]:
        brackets, levels = 0, [0]
        last: Token | None = None
        for token in stream:
            if token.type == "_NEWLINE":
                if brackets == 0:
                    yield token
                    yield from _change_of_level(token, levels)
                continue
            if last is not None and last.type == "NUMBER" and last.end_pos == token.start_pos and token[0].isalpha():
                token = _retyped("GLUED", token)
            yield token
            brackets += {"LPAR": 1, "LSQB": 1, "RPAR": -1, "RSQB": -1}.get(token.type, 0)
            last = token
        if last is not None:
            for _ in levels[1:]:
                yield Token.new_borrow_pos("_DEDENT", "", last)


def _change_of_level(newline: Token, levels: list[int]) -> Iterator[Token]:
    """The tokens between a line and the next, whose indentation ends the newline token."""
    indent = len(newline) - newline.rfind("\n") - 1
    end = newline.end_pos or 0
    here = Token("_INDENT", "", end, newline.end_line, indent + 1, newline.end_line, indent + 1, end)
    if indent > levels[-1]:
        levels.append(indent)
        yield here if len(levels) <= MAX_BLOCK_DEPTH else _retyped("TOO_DEEP", here)
        return
    while indent < levels[-1]:
        levels.pop()
        yield _retyped("_DEDENT", here)
    if indent != levels[-1]:
        yield _retyped("BAD_DEDENT", here)


def _retyped(kind: str, token: Token) -> Token:
    return Token.new_borrow_pos(kind, str(token), token)


def grammar() -> str:
    """The text of the grammar, which is shipped with the package."""
    return files("warlock_dsl.syntax").joinpath("grammar.lark").read_text(encoding="utf-8")


def _visible(node: Any) -> bool:
    """Whether a token counts for the extent of a node: the layout between lines does not."""
    return not (isinstance(node, Token) and node.type in LAYOUT)


@cache
def parser() -> Lark:
    """The parser, built at first use. The basic lexer keeps reserved words reserved wherever they stand."""
    return Lark(
        grammar(),
        parser="lalr",
        lexer="basic",
        start=STARTS,
        postlex=Indentation(),
        propagate_positions=_visible,
        maybe_placeholders=True,
    )


@frozen
class Reading:
    """What came of one chunk."""

    result: Any
    errors: tuple[Diagnostic, ...]


def parse(text: str, file: str) -> tuple[Module, list[Diagnostic]]:
    """All declarations of a file that could be read, its comments, and every syntax error."""
    module, errors = _parsed(text, file)
    return module, list(errors)


@lru_cache(maxsize=128)  # the files of a game are read anew for every stack of overlays on it
def _parsed(text: str, file: str) -> tuple[Module, tuple[Diagnostic, ...]]:
    refusal = unreadable(text, file)
    if refusal is not None:
        return Module(file, (), ()), (refusal,)
    pieces = cut(text)
    declarations: list[Declaration] = []
    errors: list[Diagnostic] = []
    bodiless = False
    for chunk in pieces.chunks:
        reading = _read(chunk, file, "chunk")
        codes = {error.code for error in reading.errors}
        if bodiless and "W120" in codes:
            continue  # the body that was missed above, not indented: that has been told
        bodiless = "W111" in codes
        errors.extend(reading.errors)
        if reading.result is not None:
            declarations.append(reading.result)
        if len(errors) >= MAX_ERRORS:
            line = chunk.line + chunk.text.count("\n")
            message = f"reading stopped after {MAX_ERRORS} faults"
            errors.append(Diagnostic("W141", message, Span(file, line, 1, line, 2), hint="mend these first"))
            break
    return Module(file, tuple(declarations), tuple(remark.comment for remark in pieces.remarks)), tuple(errors)


def parse_expression(text: str, file: str) -> tuple[Expression | None, list[Diagnostic]]:
    """One value, such as `count(deck) is 3`."""
    reading = _read_alone(text, file, "lone_expression")
    return reading.result, list(reading.errors)


def parse_call(text: str, file: str) -> tuple[Do | None, list[Diagnostic]]:
    """One call, such as `f(a, 3) by p`."""
    reading = _read_alone(text, file, "lone_call")
    return reading.result, list(reading.errors)


def _read_alone(text: str, file: str, start: str) -> Reading:
    refusal = unreadable(text, file)
    if refusal is not None:
        return Reading(None, (refusal,))
    return _read(Chunk(1, text.rstrip(" \r\n") + "\n"), file, start)


def _read(chunk: Chunk, file: str, start: str) -> Reading:
    """One chunk: its first syntax error, or all that the builder found."""
    refusal = too_much(chunk, file) or _indented_start(chunk, file, start)
    if refusal is not None:
        return Reading(None, (refusal,))
    try:
        tree: Tree[Token] = parser().parse(chunk.text, start=start)
    except UnexpectedInput as error:
        return Reading(None, (explain(_stuck(error, chunk, file, start)),))
    if deepest(tree) > MAX_TREE_DEPTH:
        message = "this is nested, or strung together, too deep to be read"
        hint = "give parts of it names with 'define' or 'let', or make rules of them"
        span = Span(file, chunk.line, 1, chunk.line, 2)
        return Reading(None, (Diagnostic("W140", message, span, hint=hint),))
    builder = Builder(file, chunk.line)
    result = builder.build(tree)
    return Reading(None if builder.fatal else result, tuple(builder.errors))


def _indented_start(chunk: Chunk, file: str, start: str) -> Diagnostic | None:
    """The error of a file whose first line of code is indented."""
    if start != "chunk" or not chunk.text.startswith(" "):
        return None
    column = len(chunk.text) - len(chunk.text.lstrip(" ")) + 1
    span = Span(file, chunk.line, column, chunk.line, column + 1)
    message = "the first declaration is indented"
    return Diagnostic("W109", message, span, "expected the first column", "a declaration begins in the first column")


def _stuck(error: UnexpectedInput, chunk: Chunk, file: str, start: str) -> Stuck:
    """What is known about the place where lark gave up."""
    code = masked(chunk.text)
    at = len(code)
    kind, text, accepts = "CHARACTER", "", frozenset[str]()
    if isinstance(error, UnexpectedCharacters):
        at = error.pos_in_stream or 0
        text = chunk.text[at : at + 1]
    elif isinstance(error, UnexpectedToken):
        kind, text = error.token.type, str(error.token)
        at = len(code) if kind == "$END" else error.token.start_pos or 0
        accepts = _accepted(chunk.text, start)
    return Stuck(file, chunk.line - 1, code, at, kind, text, accepts, tuple(open_brackets(code, at)))


def _accepted(text: str, start: str) -> frozenset[str]:
    """The terminals that could have stood at the first error.

    The parser may reduce before it sees that a token does not fit, and then knows fewer; so the text is read once
    more, and the state before the last token is the one that is asked.
    """
    reader = parser().parse_interactive(text, start=start)
    state = reader.parser_state
    states, values = list(state.state_stack), list(state.value_stack)
    try:
        for _ in reader.iter_parse():
            states, values = list(state.state_stack), list(state.value_stack)
    except UnexpectedInput:
        state.state_stack, state.value_stack = states, values
    accepted: set[str] = reader.accepts()  # type: ignore[no-untyped-call]  # lark leaves it untyped
    return frozenset(accepted)
