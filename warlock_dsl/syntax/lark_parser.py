"""The parser made by lark from `grammar.lark`: one chunk of text to a syntax tree, or the place where it got stuck.

Everything that needs lark is here and in `build_tree`, and is imported only when something is parsed. The parse table
takes a quarter of a second to make; it is kept in the user's cache as JSON.
"""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Iterator
from functools import cache as once
from functools import lru_cache
from importlib.resources import files
from typing import Any

import lark
from lark import Lark, Token, Tree
from lark.exceptions import UnexpectedCharacters, UnexpectedInput, UnexpectedToken
from lark.grammar import Rule
from lark.lark import PostLex
from lark.lexer import TerminalDef

from warlock_dsl import cache
from warlock_dsl.diagnostics.diagnostic import Diagnostic, Span
from warlock_dsl.syntax.build_tree import MAX_TREE_DEPTH, Builder, deepest
from warlock_dsl.syntax.chunks import Chunk, masked, open_brackets
from warlock_dsl.syntax.help import Stuck, explain

MAX_BLOCK_DEPTH = 60
STARTS = ["chunk", "lone_expression", "lone_call"]
LAYOUT = frozenset({"_NEWLINE", "_INDENT", "_DEDENT"})
# The basic lexer keeps reserved words reserved wherever they are used.
OPTIONS: dict[str, Any] = {"parser": "lalr", "lexer": "basic", "start": STARTS, "maybe_placeholders": True}


class Indentation(PostLex):
    """Gives indentation as tokens. A line that fits no block, or is in too deep, gives a token nothing accepts."""

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


# ---------------------------------------------------------------- the parser and its table


@once
def parser() -> Lark:
    """The parser, made at first use: from the parse table in the cache, or else from the grammar."""
    return _from_cache() or _keep(build_parser())


def build_parser() -> Lark:
    """The parser, made from the grammar."""
    return Lark(grammar(), **OPTIONS, **_hooks())


def _hooks() -> dict[str, Any]:
    """The options that are functions of ours, which no file can hold."""
    return {"postlex": Indentation(), "propagate_positions": _visible}


def _key() -> str:
    """The name of the parse table in the cache: another grammar, lark or Python makes another table."""
    made_from = json.dumps([grammar(), OPTIONS, lark.__version__, sys.version])
    return f"parse-table-{hashlib.sha256(made_from.encode()).hexdigest()}"


def _from_cache() -> Lark | None:
    text = cache.read_entry(_key())
    if text is None:
        return None
    try:
        data, memo = json.loads(text, object_hook=_whole_keys)
        found: Lark = Lark._load_from_dict(data, memo, **_hooks())  # type: ignore[no-untyped-call]  # as its own tool
        return found
    except Exception:  # whatever is wrong with the file or new in lark, the grammar is at hand
        return None


def _whole_keys(table: dict[str, Any]) -> dict[Any, Any]:
    """A table of JSON, whose keys are texts, with the whole numbers that lark had for keys."""
    return {int(key) if key.isdigit() else key: value for key, value in table.items()}


def _keep(made: Lark) -> Lark:
    data, memo = made.memo_serialize([TerminalDef, Rule])
    data["options"] = {name: value for name, value in data["options"].items() if name not in _hooks()}
    cache.write_entry(_key(), json.dumps([data, memo]).encode())
    return made


# ---------------------------------------------------------------- one chunk


@lru_cache(maxsize=512)  # lines that come and go above a declaration leave its text as it is
def _tree(text: str, start: str) -> Tree[Token]:
    return parser().parse(text, start=start)


def read_chunk(chunk: Chunk, file: str, start: str) -> tuple[Any, tuple[Diagnostic, ...]]:
    """What a chunk says, as a syntax tree; with its first syntax error, or all that the builder found."""
    try:
        tree = _tree(chunk.text, start)
    except UnexpectedInput as error:
        return None, (explain(_stuck(error, chunk, file, start)),)
    if deepest(tree) > MAX_TREE_DEPTH:
        message = "this is nested, or strung together, too deep to be read"
        hint = "give parts of it names with 'define' or 'let', or make rules of them"
        span = Span(file, chunk.line, 1, chunk.line, 2)
        return None, (Diagnostic("W140", message, span, hint=hint),)
    builder = Builder(file, chunk.line)
    result = builder.build(tree)
    return None if builder.fatal else result, tuple(builder.errors)


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
