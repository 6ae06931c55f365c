"""Why and why not in sentences: the patterns of the workbench, the names of the game, the clause as it is written."""

from __future__ import annotations

from collections.abc import Sequence

from interpreter import Cause, Source, Why, WhyNot
from workbench.language.phrases import clean
from workbench.language.sentences import Words

REASONS = {"offered": "why_offered", "over": "why_over", "not_asked": "why_not_asked", "unknown": "why_unknown"}
PATTERNS = {"clause": "why_clause", "member": "why_member", "limit": "why_limit"}


def why_lines(words: Words, answer: Why) -> list[str]:
    """Why an option is on offer."""
    if answer.hides:
        return [words.phrases("why_hides")]
    lines = [line for cause in answer.holds for line in _cause(words, cause, answer.player, True)]
    return lines or [words.phrases("why_free")]


def why_not_lines(words: Words, answer: WhyNot) -> list[str]:
    """Why something is not on offer: the nearest way to being met, then the others."""
    if answer.reason == "not_asked":
        return [words.phrases("why_not_asked"), words.phrases("why_asked", player=words.seat(answer.player))]
    if answer.hides or answer.reason:
        return [words.phrases("why_hides" if answer.hides else REASONS[answer.reason])]
    lines = _way(words, answer.causes, answer.player)
    for change in answer.would_hold_if:
        before, after = words.shown(change.before), words.shown(change.after)
        lines.append(words.phrases("why_would", figure=clean(change.address), before=before, after=after))
    for way in answer.others:
        lines += [words.phrases("why_or"), *_way(words, way, answer.player)]
    return lines


def _way(words: Words, causes: Sequence[Cause], me: int) -> list[str]:
    return [line for cause in causes for line in _cause(words, cause, me, False)]


def _cause(words: Words, cause: Cause, me: int, holds: bool) -> list[str]:
    """The clause, what its parts are now, and where it is written."""
    phrases, pattern = words.phrases, PATTERNS[cause.what]
    if cause.what == "member" and holds:
        pattern = "why_member_holds"
    elif cause.what == "clause" and cause.wanted is holds:
        pattern = "why_clause_not"
    lines = [phrases(pattern, clause=clean(cause.text))]
    told = [f"{clean(name)} = {words.shown(value, me)}" for name, value in cause.values if value.key(me) != name]
    if told and not holds:
        lines.append("  " + phrases("why_now", values=", ".join(told)))
    layer = f" +{cause.layer}" if cause.layer else ""
    place = f"{cause.span.file}:{cause.span.line}{layer}"
    lines.append("  " + phrases("why_rule", rule=cause.rules[-1], place=place))
    if cause.sources:
        sources = ", ".join(_source(source) for source in cause.sources[:4])
        lines.append("  " + phrases("why_sources", sources=sources))
    return lines


def _source(source: Source) -> str:
    """A rule of the documents by its id, with its section in each edition and its standing."""
    at = " · ".join(f"{document} {section}" for document, section in source.at)
    return clean(f"{source.id} ({source.standing}{'; ' + at if at else ''})")
