"""Why and why not in sentences: the patterns of the workbench, the names and sentences of the game, the clause as it is
written with its values, and where the rulebooks have it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import groupby

from interpreter import Cause, PassedOver, Source, Why, WhyNot, WhyNotAsked
from warlock_dsl import Ruleset, words_of
from workbench.language.explain import about_rule
from workbench.language.phrases import clean
from workbench.language.sentences import Words

REASONS = {
    "offered": "why_offered", "over": "why_over", "unknown": "why_unknown", "must": "why_must", "order": "why_order",
}  # fmt: skip
STANDINGS = {"printed": "diff_printed", "derived": "diff_derived", "assumed": "diff_assumed"}
PATTERNS = {"clause": "why_clause", "member": "why_member", "limit": "why_limit"}
PASSED = {"nothing": "passed_nothing", "only": "passed_only", "branch": "passed_branch", "turn": "passed_turn"}
MAX_SAYS = 2  # sentences of the documents about a definition
MAX_PASSED = 6  # questions that were passed over, the last first
MAX_NAMED = 3  # of those that stand together
ZONE = re.compile(r"(my\.)?(\w+)")


def why_lines(words: Words, ruleset: Ruleset, answer: Why) -> list[str]:
    """Why an option is on offer."""
    if answer.hides:
        return [words.phrases("why_hides")]
    return _causes(words, ruleset, answer.holds, answer.player, True) or [words.phrases("why_free")]


def why_not_lines(words: Words, ruleset: Ruleset, answer: WhyNot) -> list[str]:
    """Why something is not on offer: the nearest way to being met, then the others."""
    if answer.reason == "not_asked":
        return [words.phrases("why_not_asked"), words.phrases("why_asked", player=words.seat(answer.player))]
    if answer.hides or answer.reason:
        return [words.phrases("why_hides" if answer.hides else REASONS[answer.reason])]
    lines = _causes(words, ruleset, answer.causes, answer.player, False)
    for change in answer.would_hold_if:
        before, after = words.shown(change.before), words.shown(change.after)
        lines.append(words.phrases("why_would", figure=clean(change.address), before=before, after=after))
    for way in answer.others:
        lines += ["", words.phrases("why_or"), *_causes(words, ruleset, way, answer.player, False)]
    return lines


def not_asked_lines(words: Words, ruleset: Ruleset, answer: WhyNotAsked) -> list[str]:
    """Who is asked, and which questions were passed over since a seat last answered, the last first."""
    phrases = words.phrases
    if answer.player < 0:
        lines = [phrases("why_over")]
    elif answer.player != answer.seat:
        lines = [phrases("why_asked", player=words.seat(answer.player)), f"  {_called(words, (answer.question,))}"]
    else:
        lines = []
    for one in answer.passed[::-1][:MAX_PASSED]:
        lines += ["", *_passed(words, ruleset, one, answer.seat)]
    if answer.hides:
        lines += ["", phrases("passed_hides")]
    elif not answer.passed:
        lines += ["", phrases("passed_none")]
    return lines[1:] if lines and not lines[0] else lines


def _passed(words: Words, ruleset: Ruleset, one: PassedOver, seat: int) -> list[str]:
    given = "" if one.given is None else words.shown(one.given, seat)
    lines = [words.phrases(PASSED[one.what], question=_called(words, one.questions), answer=given)]
    if one.hides:
        return [*lines, f"  {words.phrases('why_hides')}"]
    return [*lines, *(f"  {line}" for line in _causes(words, ruleset, one.causes, seat, False))]


def _called(words: Words, questions: Sequence[str]) -> str:
    """What questions are called: by the rules that ask them."""
    rules = dict.fromkeys(question.rpartition(".")[0] for question in questions)
    names = [words.text(f"rule.{rule}") or clean(words_of(rule)) for rule in rules]
    more = ", …" if len(names) > MAX_NAMED else ""
    return ", ".join(dict.fromkeys(names[:MAX_NAMED])) + more


# ----------------------------------------------------------------------- causes


def _causes(words: Words, ruleset: Ruleset, causes: Sequence[Cause], me: int, holds: bool) -> list[str]:
    """The clauses, and behind those of one rule what it says and where that stands."""
    lines = []
    for _, group in groupby(causes, key=lambda cause: (cause.rules, cause.layer, cause.sources)):
        found = list(group)
        told = dict.fromkeys(tuple(_clause(words, cause, me, holds)) for cause in found)
        lines += [line for clause in told for line in clause]
        lines += [f"  {line}" for line in _rule(words, ruleset, found[0])]
    return lines


def _clause(words: Words, cause: Cause, me: int, holds: bool) -> list[str]:
    """A clause, and what its parts are now."""
    phrases, pattern = words.phrases, PATTERNS[cause.what]
    text = clean(cause.text)
    if cause.what == "member":
        pattern, text = "why_member_holds" if holds else pattern, _in_words(words, text, me)
    elif holds and cause.what == "clause":  # `wanted` is what would take the option away
        pattern = "why_clause_holds_not" if cause.wanted else "why_clause_holds"
    elif cause.what == "clause" and not cause.wanted:
        pattern = "why_clause_not"
    lines = [phrases(pattern, clause=text)]
    told = {clean(name): words.shown(value, me) for name, value in cause.values if value.key(me) != name}
    if told:
        filled = text
        for name in sorted(told, key=len, reverse=True):  # the sides of a comparison by their values
            if not name.isidentifier():
                filled = filled.replace(name, told[name])
        short = filled != text and not re.search(r"\w\(|\w\.\w", filled)
        values = ", ".join(f"{name} = {value}" for name, value in told.items())
        lines.append("  " + phrases("why_now", values=f"{filled}   ({values})" if short else values))
    return lines


def _in_words(words: Words, text: str, me: int) -> str:
    """What is chosen from, if that is a zone: by its name, and whose it is."""
    found = ZONE.fullmatch(text)
    if found is None or found[2] not in words.components.zones:
        return text
    return words.zone(found[2], me if found[1] else -1)


def _rule(words: Words, ruleset: Ruleset, cause: Cause) -> list[str]:
    """The rule that has a clause: what it is called, what it says, where the rulebooks have it."""
    phrases, rules = words.phrases, {rule.address: rule for rule in ruleset.program.rules}
    layer = f" +{cause.layer}" if cause.layer else ""
    address = cause.rules[-1]
    called = words.text(f"rule.{address}")
    name = f"{called} ({address})" if called else address
    lines = [phrases("why_rule", rule=name, place=f"{cause.span.file}:{cause.span.line}{layer}")]
    if address in rules:
        lines += [f"  {line}" for line in about_rule(words, ruleset, rules[address])[:MAX_SAYS]]
    else:  # a definition: what it serves, and what the documents say of it
        via = next((rule for rule in reversed(cause.rules) if words.text(f"rule.{rule}")), "")
        lines += [f"  {phrases('why_via', rule=words.name(f'rule.{via}'))}"] if via else []
        says = dict.fromkeys(clean(source.says) for source in cause.sources if source.says)
        lines += [f"  {one}" for one in list(says)[:MAX_SAYS]]
    return [*lines, *([f"  {phrases('why_sources', sources=_sources(words, cause.sources))}"] if cause.sources else [])]


def _sources(words: Words, sources: Sequence[Source]) -> str:
    """By standing: the sections of the documents, each once; what stands in none by its id."""
    found: dict[str, dict[str, None]] = {}
    for source in sources:
        at = " · ".join(f"{document} {section}" for document, section in source.at)
        found.setdefault(source.standing, {})[at or source.id] = None
    said = (
        f"{words.phrases(STANDINGS[standing]) if standing in STANDINGS else standing} {', '.join(places)}"
        for standing, places in found.items()
    )
    return clean("; ".join(said))
