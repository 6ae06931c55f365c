"""Turns the place where the parser got stuck into an error in plain words, by the first row of advice that fits."""

from __future__ import annotations

import re

from attrs import evolve, frozen

from warlock_dsl.diagnostics.diagnostic import Diagnostic, Fix, Remedy, Span, TextEdit, closest
from warlock_dsl.syntax.advice import Advice
from warlock_dsl.syntax.advice_lines import LINES
from warlock_dsl.syntax.advice_words import WORDS
from warlock_dsl.syntax.chunks import Bracket, place_of
from warlock_dsl.syntax.keywords import CLOSERS, DECLARING, VERBS, expected, quoted

ADVICE = (*LINES, *WORDS)

ENDS = frozenset({"_NEWLINE", "_DEDENT", "$END"})
INNER = re.compile(r"\([^()]*\)|\[[^\[\]]*\]")


@frozen
class Stuck:
    """Where the parser could go no further. `code` is the chunk with comments blanked, `at` an offset in it.

    `kind` is the terminal met, or CHARACTER when the lexer knew none; `accepts` are the terminals that would do.
    """

    file: str
    shift: int
    code: str
    at: int
    kind: str
    text: str
    accepts: frozenset[str]
    brackets: tuple[Bracket, ...]

    @property
    def before(self) -> str:
        """The line up to the error."""
        return self.code[self.code.rfind("\n", 0, self.at) + 1 : self.at]

    @property
    def after(self) -> str:
        """The line from the error on."""
        end = self.code.find("\n", self.at)
        return self.code[self.at : len(self.code) if end < 0 else end]

    @property
    def word(self) -> str:
        """The whole word the error is in."""
        return self.before[len(self.before.rstrip(WORD_SIGNS)) :] + re.split(r"\W", self.after, maxsplit=1)[0]

    @property
    def last(self) -> str:
        """The last line with code before the error, without what is in brackets."""
        line = self.code[: self.at].rstrip().rpartition("\n")[2]
        while (shorter := INNER.sub("", line)) != line:
            line = shorter
        return line

    def span(self, at: int, width: int) -> Span:
        line, column = place_of(self.code, at)
        return Span(self.file, line + self.shift, column, line + self.shift, column + max(width, 1))

    def place(self, where: str = "here", width: int = 0) -> Span:
        """Where the caret goes; see `Advice.place`."""
        if where == "bracket" and self.brackets:
            bracket = self.brackets[-1]
            line = bracket.line + self.shift
            return Span(self.file, line, bracket.column, line, bracket.column + 1)
        if where == "behind" or self.kind in ENDS:
            return self.span(len(self.code[: self.at].rstrip()), 1)
        if where == "word":
            return self.span(self.at - len(self.before) + len(self.before.rstrip(WORD_SIGNS)), len(self.word))
        return self.span(self.at, width or len(self.text))


WORD_SIGNS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_"


def explain(stuck: Stuck) -> Diagnostic:
    """The error in words."""
    accepts, kind = set(stuck.accepts), stuck.kind
    if stuck.brackets:
        closer = CLOSERS[stuck.brackets[-1].sign]
        if {"(": "RPAR", "[": "RSQB"}[stuck.brackets[-1].sign] in accepts:
            accepts.add("CLOSER")
        if kind in ("RPAR", "RSQB") and closer != stuck.text:
            kind = "MISMATCH"
    for advice in ADVICE:
        found = _fits(advice, stuck, kind, accepts)
        if found is not None:
            return _told(advice, stuck, found)
    met = {"_NEWLINE": "the line ends too early", "$END": "the text ends too early"}
    message = met.get(kind) or f"{quoted(stuck.text.strip())} cannot be used here"
    return Diagnostic("W190", message, stuck.place(), expected(stuck.accepts))


Found = dict[str, re.Match[str]]


def _fits(advice: Advice, stuck: Stuck, kind: str, accepts: set[str]) -> Found | None:
    """What the patterns of a row found, or None when the row does not fit."""
    if advice.kinds and kind not in advice.kinds:
        return None
    if not advice.accepts <= accepts or advice.refuses & accepts:
        return None
    if advice.inside is not None and advice.inside != bool(stuck.brackets):
        return None
    found: Found = {}
    for name in ("before", "after", "last"):
        pattern: re.Pattern[str] | None = getattr(advice, name)
        if pattern is not None:
            match = pattern.search(getattr(stuck, name))
            if match is None:
                return None
            found[name] = match
    return found


def _told(advice: Advice, stuck: Stuck, found: Found) -> Diagnostic:
    """A row with its braces filled in."""
    opened = stuck.brackets[-1] if stuck.brackets else None
    words = {
        "text": quoted(stuck.text.strip() or "the end of the line"),
        "word": stuck.word[:40],
        "lower": _lower(stuck.word)[:40],
        "bracket": opened.sign if opened else "",
        "closer": CLOSERS[opened.sign] if opened else "",
        "opened": f"line {opened.line + stuck.shift}, column {opened.column}" if opened else "",
        "verb": "",
    }
    for match in found.values():
        words.update({name: text[:40] for name, text in match.groupdict().items()})
    words["verbs"] = closest(words["verb"], VERBS) or "a statement begins with a verb or is a call, such as 'f(x)'"
    words["declarations"] = (
        closest(words["word"], DECLARING) or "a declaration begins with define, rule, score or invariant"
    )
    span = stuck.place(advice.place, len(found["after"].group()) if advice.place == "sign" else 0)
    if advice.place == "verb":
        start, end = found["before"].span("verb")
        span = stuck.span(stuck.at - len(stuck.before) + start, end - start)
    label = advice.label.format(**words) or expected(stuck.accepts)
    whole = words.get(advice.hint[1:-1]) if advice.hint.startswith("{") else None  # a did-you-mean stays one
    hint = whole if whole is not None else advice.hint.format(**words)
    if advice.instead is not None:
        now = advice.instead.format(**words)
        place = evolve(span, end_column=span.column) if advice.place == "behind" else span
        title = f"write '{now.strip()}'" if now.strip() else "write spaces" if now else "take it away"
        hint = Remedy(hint, Fix(title, (TextEdit(place, now),)))
    return Diagnostic(advice.code, advice.message.format(**words), span, label, hint)


def _lower(word: str) -> str:
    """A name in the case of the language: `myCard` becomes `my_card`."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", word).lower()
