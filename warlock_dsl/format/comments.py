"""The comments and blank lines of a file, handed out in order to the formatter as it passes their places.

A tree may be laid out without its text: then there are no comments and no blank lines, wherever one looks.
"""

from __future__ import annotations

from bisect import bisect_left

from warlock_dsl.syntax.chunks import Place, Remark, cut, masked
from warlock_dsl.syntax.tree import Comment


class Remarks:
    """Comments alone on a line are taken once, in order; those behind code or in brackets are asked for by place."""

    def __init__(self, text: str) -> None:
        remarks = cut(text).remarks
        self.lines = [line.rstrip() for line in text.split("\n")]
        self.code = [line.rstrip() for line in masked(text).split("\n")]
        self.alone = [remark.comment for remark in remarks if remark.opened is None and not remark.trailing]
        self.next = 0
        self.trailing = {r.comment.line: r.comment for r in remarks if r.opened is None and r.trailing}
        self.inside = [remark for remark in remarks if remark.opened is not None]

    def blank_above(self, line: int) -> bool:
        return 2 <= line <= len(self.lines) and not self.lines[line - 2]

    def next_code(self, line: int) -> int:
        """The first line after this one that holds code; past the end when none does."""
        line += 1
        while line <= len(self.code) and not self.code[line - 1]:
            line += 1
        return line

    def starts_line(self, place: Place) -> bool:
        """Whether only spaces stand before a place on its line."""
        return place[0] > len(self.code) or not self.code[place[0] - 1][: place[1] - 1].strip()

    def else_place(self, after: int) -> Place:
        """The `else` that follows the block that ends on a line."""
        line = self.next_code(after)
        code = self.code[line - 1] if line <= len(self.code) else ""
        return line, len(code) - len(code.lstrip()) + 1

    def take_above(self, line: int, right_of: int = 0) -> list[Comment]:
        """The next comments alone on their lines, above a line and to the right of a column."""
        taken: list[Comment] = []
        while self.next < len(self.alone):
            comment = self.alone[self.next]
            if comment.line >= line or comment.column <= right_of:
                break
            taken.append(comment)
            self.next += 1
        return taken

    def stands_above(self, line: int) -> bool:
        """Whether a comment alone on its line is still to be taken above a line."""
        return self.next < len(self.alone) and self.alone[self.next].line < line

    def ends_block(self, end: int, head_column: int) -> bool:
        """Whether comments at the end of a block follow its last line."""
        found = bisect_left(self.alone, end + 1, lo=self.next, key=_line)
        if found == len(self.alone):
            return False
        comment = self.alone[found]
        return comment.line < self.next_code(end) and comment.column > head_column

    def behind(self, first: int, last: int) -> str:
        """The comment at the end of one of these lines, with the space before it, or nothing."""
        found = [self.trailing[line] for line in range(first, last + 1) if line in self.trailing]
        return f"  {found[-1].text}" if found else ""

    def outside(self, first: int, last: int) -> bool:
        """Whether any comment outside brackets stands on these lines."""
        if any(line in self.trailing for line in range(first, last + 1)):
            return True
        found = bisect_left(self.alone, first, lo=self.next, key=_line)
        return found < len(self.alone) and self.alone[found].line <= last

    def within(self, start: Place, end: Place) -> list[Remark]:
        """The comments inside brackets between two places."""
        first = bisect_left(self.inside, start, key=_place)
        return self.inside[first : bisect_left(self.inside, end, lo=first, key=_place)]


def _line(comment: Comment) -> int:
    return comment.line


def _place(remark: Remark) -> Place:
    return remark.place
