"""The formatter: one canonical layout of a `.warlock` file, without options. Meaning and comments are kept."""

from __future__ import annotations

from warlock_dsl.diagnostics.diagnostic import Diagnostic, Span
from warlock_dsl.format.comments import Remarks
from warlock_dsl.format.document import STEP, WIDTH, Doc, cat, flat, render
from warlock_dsl.format.expressions import Placed, ValuePrinter, end, start
from warlock_dsl.format.statements import Part, declaration_parts, head_parts, lone_body, mark_text, print_line
from warlock_dsl.syntax import tree as t
from warlock_dsl.syntax.chunks import MAX_TEXT_SIZE, Place
from warlock_dsl.syntax.equal import same_tree
from warlock_dsl.syntax.parse import parse


def format_text(text: str, file: str) -> tuple[str, list[Diagnostic]]:
    """The text in canonical layout; unchanged, with the errors, when it cannot be read."""
    module, errors = parse(text, file)
    if errors:
        return text, errors
    laid_out = Layout(text).module(module)
    again, errors = parse(laid_out, file)
    if len(laid_out) > MAX_TEXT_SIZE:
        return text, errors
    if errors or not same_tree(module, again) or _texts(module) != _texts(again):
        message = "this file could not be laid out without changing what it says; it was left as it is"
        hint = "this is an error of the formatter: please report it"
        return text, [Diagnostic("W199", message, Span(file, 1, 1, 1, 2), hint=hint)]
    return laid_out, []


def declaration_text(node: t.Declaration) -> str:
    """A declaration laid out from its tree alone, marks included, comments not."""
    return Layout("").module(t.Module("", (node,), ()))


def value_text(node: t.Expression) -> str:
    """A value on one line."""
    return flat(ValuePrinter([]).value(node)) or ""


def _texts(module: t.Module) -> list[str]:
    return [comment.text for comment in module.comments]


class Layout:
    """Writes a module line by line, taking comments and blank lines from the text as it passes them."""

    def __init__(self, text: str) -> None:
        self.remarks = Remarks(text)
        self.out: list[str] = []
        self.fresh = True  # right behind a head no blank line is kept

    # -------------------------------------------------------------------- lines

    def gap(self, line: int) -> None:
        """A blank line, if one stood above this line."""
        if self.remarks.blank_above(line) and not self.fresh:
            self.out.append("")

    def comments(self, above: int, indent: int, right_of: int = 0) -> None:
        """The comments alone on their lines above a line, at this indentation."""
        for comment in self.remarks.take_above(above, right_of):
            self.gap(comment.line)
            self.out.append(" " * indent + comment.text)
            self.fresh = False

    def line(self, doc: Doc, hoisted: list[str], indent: int, behind: str) -> None:
        """A line, the comments that found no place in it above it, and the comment behind it."""
        self.out.extend(" " * indent + comment for comment in hoisted)
        self.out.extend(render(doc, indent))
        self.out[-1] += behind
        self.fresh = False

    # ------------------------------------------------------------- declarations

    def module(self, module: t.Module) -> str:
        before: t.Declaration | None = None
        was_short = False
        for declaration in module.declarations:
            was_short = self.declaration(declaration, before, was_short)
            before = declaration
        self.apart(len(self.remarks.lines) + 1, tight=False)
        self.comments(len(self.remarks.lines) + 1, 0)
        while self.out and not self.out[-1]:
            self.out.pop()
        return "".join(line + "\n" for line in self.out)

    def apart(self, line: int, tight: bool) -> None:
        """One blank line between declarations; between short ones of a kind only where the author put one."""
        if self.out and not (tight and not self.remarks.blank_above(line)):
            self.out.append("")
        self.fresh = True

    def declaration(self, node: t.Declaration, before: t.Declaration | None, was_short: bool) -> bool:
        """Writes a declaration; whether it is one that may stand close to others of its kind."""
        body = node.body if isinstance(node, t.Rule) else None
        limit = start(body) if body else end(node)
        parts = declaration_parts(node)
        doc, hoisted = print_line(parts, self.remarks.within(start(node), limit), limit)
        short = not isinstance(node, t.Rule) and not node.marks and not hoisted and _fits(flat(doc), 0)
        first = node.marks[0].span.line if node.marks else node.span.line
        close = was_short and short and type(before) is type(node) and not self.remarks.stands_above(first)
        self.apart(first, close)
        self.comments(first, 0)
        self.gap(first)
        for mark in node.marks:
            self.comments_close(mark.span.line)
            self.out.append(mark_text(mark) + self.remarks.behind(mark.span.line, mark.span.line))
        if node.marks:
            self.comments_close(node.span.line)
        if body is None:
            self.line(doc, hoisted, 0, self.remarks.behind(node.span.line, node.span.end_line))
        else:
            keep = not self.remarks.starts_line(start(body))
            self.head(parts, body, start(node), 0, keep)
        return short

    def comments_close(self, above: int) -> None:
        """Comments between marks, with no blank lines around them."""
        self.out.extend(comment.text for comment in self.remarks.take_above(above))

    # --------------------------------------------------------------- statements

    def block(self, block: t.Block, indent: int, head_column: int) -> None:
        """Statements one below the other, and the comments at their end."""
        own_lines = self.remarks.starts_line(start(block))
        self.fresh = True
        for statement in block.statements:
            self.statement(statement, indent)
        if own_lines:
            self.comments(self.remarks.next_code(block.span.end_line), indent, head_column)

    def statement(self, node: t.Statement, indent: int) -> None:
        self.comments(node.span.line, indent)
        self.gap(node.span.line)
        body = lone_body(node)
        if body is not None:
            self.head(head_parts(node), body, start(node), indent)
        else:
            self.simple(node, indent)
        if isinstance(node, t.If | t.Choose | t.May) and node.otherwise is not None:
            self.otherwise(node, indent)

    def simple(self, node: t.Statement, indent: int) -> None:
        """A statement without a body; a `choose` may still have an `else`."""
        limit = end(node.asks[-1]) if isinstance(node, t.Choose) else end(node)
        doc, hoisted = print_line(head_parts(node), self.remarks.within(start(node), limit), limit)
        self.line(doc, hoisted, indent, self.remarks.behind(node.span.line, limit[0]))

    def head(self, parts: list[Part], body: t.Block, at: Place, indent: int, join: bool = True) -> None:
        """A head with its body behind it when that is one simple statement and fits, or below it."""
        limit = start(body)
        doc, hoisted = print_line(parts, self.remarks.within(at, limit), limit)
        inline = not self.remarks.starts_line(limit)
        if join and self.joins(body, at):
            joined = _joined(flat(doc), body)
            if _fits(joined, indent):
                behind = self.remarks.behind(at[0], body.span.end_line)
                self.line(cat(joined or ""), hoisted, indent, behind)
                return
        self.line(doc, hoisted, indent, "" if inline else self.remarks.behind(at[0], limit[0] - 1))
        self.block(body, indent + STEP, at[1])

    def joins(self, body: t.Block, at: Place) -> bool:
        """Whether no comment keeps a body from standing behind its head."""
        last = body.span.end_line
        if self.remarks.outside(at[0], last - 1) or self.remarks.within(start(body), end(body)):
            return False
        return not self.remarks.starts_line(start(body)) or not self.remarks.ends_block(last, at[1])

    def otherwise(self, node: t.If | t.Choose | t.May, indent: int) -> None:
        """The `else` of a statement, and the chain that may hang on it."""
        while node.otherwise is not None:
            block = node.otherwise
            then: Placed | None = node.then if isinstance(node, t.If) else node.body
            if isinstance(node, t.Choose) and then is None:
                then = node.asks[-1]
            assert then is not None
            at = self.remarks.else_place(then.span.end_line)
            self.comments(at[0], indent)
            chained = block.statements[0]
            if len(block.statements) > 1 or not isinstance(chained, t.If) or self.commented(at[0], chained):
                self.head(["else:"], block, at, indent)
                return
            self.head(["else ", *head_parts(chained)], chained.then, at, indent)
            node = chained

    def commented(self, line: int, chained: t.If) -> bool:
        """Whether comments between an `else:` and its only `if` keep them apart."""
        return self.remarks.outside(line, chained.span.line - 1)


def _joined(head: str | None, body: t.Block) -> str | None:
    """A head and the one simple statement of its body on one line, or None when they cannot be."""
    statement = body.statements[0]
    ways = isinstance(statement, t.If | t.Choose | t.May) and statement.otherwise
    compound = lone_body(statement) is not None or ways
    if head is None or len(body.statements) > 1 or compound:
        return None
    doc, _ = print_line(head_parts(statement), [], end(statement))
    line = flat(doc)
    return None if line is None else f"{head} {line}"


def _fits(line: str | None, indent: int) -> bool:
    return line is not None and indent + len(line) <= WIDTH
