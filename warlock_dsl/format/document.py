"""A small algebra of documents: text that may be broken at marked places, laid out within a width."""

from __future__ import annotations

from attrs import frozen

WIDTH = 120
STEP = 4


@frozen
class Text:
    text: str
    hard: bool = False


@frozen
class Line:
    """A place to break: `flat` when its group stays on one line, else a new line."""

    flat: str = " "
    hard: bool = False


@frozen
class Aside:
    """A comment at the end of a line. It takes no room, and a new line must follow."""

    text: str
    hard: bool = True


@frozen
class WhenBroken:
    """Text that stands only when its group is broken, such as brackets added for the sake of a break."""

    text: str
    hard: bool = False


@frozen
class Cat:
    parts: tuple[Doc, ...]
    hard: bool


@frozen
class Nest:
    """What is broken inside stands one step further in."""

    doc: Doc
    hard: bool


@frozen
class Group:
    """WhenBroken at all its own places or at none."""

    doc: Doc
    hard: bool


Doc = Text | Line | Aside | WhenBroken | Cat | Nest | Group


def cat(*parts: Doc | str) -> Doc:
    docs = tuple(Text(part) if isinstance(part, str) else part for part in parts)
    return Cat(docs, any(doc.hard for doc in docs))


def nest(*parts: Doc | str) -> Doc:
    doc = cat(*parts)
    return Nest(doc, doc.hard)


def group(*parts: Doc | str) -> Doc:
    doc = cat(*parts)
    return Group(doc, doc.hard)


SOFT = Line("")
SPACE = Line(" ")
HARD = Line("", hard=True)


def flat(doc: Doc) -> str | None:
    """The document on one line, or None when it cannot be."""
    if doc.hard:
        return None
    out: list[str] = []
    todo = [doc]
    while todo:
        match todo.pop():
            case Text(text) | Line(text):
                out.append(text)
            case Cat(parts):
                todo.extend(reversed(parts))
            case Nest(inner) | Group(inner):
                todo.append(inner)
    return "".join(out)


Item = tuple[int, bool, Doc]


def render(doc: Doc, indent: int) -> list[str]:
    """The lines of a document whose first line stands at an indentation."""
    lines = [" " * indent]
    todo: list[Item] = [(indent, True, doc)]
    while todo:
        depth, broken, now = todo.pop()
        match now:
            case Text(text) | Aside(text):
                lines[-1] += text
            case WhenBroken(text):
                lines[-1] += text if broken else ""
            case Line(text):
                if broken:
                    lines.append(" " * depth)
                else:
                    lines[-1] += text
            case Cat(parts):
                todo.extend((depth, broken, part) for part in reversed(parts))
            case Nest(inner):
                todo.append((depth + STEP, broken, inner))
            case Group(inner, hard):
                breaks = hard or not _fits(inner, todo, WIDTH - len(lines[-1]))
                todo.append((depth, breaks, inner))
    return [line.rstrip() for line in lines]


def _fits(doc: Doc, rest: list[Item], room: int) -> bool:
    """Whether a document, flat, and what follows up to the next place to break, fit into the room."""
    todo: list[tuple[bool, Doc]] = [(False, doc)]
    behind = len(rest)
    while room >= 0:
        if not todo:
            if behind == 0:
                return True
            behind -= 1
            todo.append((rest[behind][1], rest[behind][2]))
        broken, now = todo.pop()
        match now:
            case Text(text):
                room -= len(text)
            case WhenBroken(text):
                room -= len(text) if broken else 0
            case Line(text):
                if broken:
                    return True
                room -= len(text)
            case Cat(parts):
                todo.extend((broken, part) for part in reversed(parts))
            case Nest(inner) | Group(inner):
                todo.append((broken, inner))
    return False
