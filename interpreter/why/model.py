"""What an answer to "why" and "why not" is made of: plain values, the same for terminal, page and test."""

from __future__ import annotations

from typing import Any

from attrs import frozen

from interpreter.state.labels import Shown
from warlock_dsl import Span

Key = tuple[Span, str]  # a part of the rules: where it is written, and its form


@frozen
class Source:
    """A rule of the documents that a clause rests on: in our words, its section in each edition, its standing."""

    id: str
    standing: str
    says: str = ""
    at: tuple[tuple[str, str], ...] = ()

    def data(self) -> dict[str, Any]:
        return {"id": self.id, "standing": self.standing, "says": self.says, "at": dict(self.at)}


@frozen
class Change:
    """A figure of the rules that, changed by one step, would put the candidate on offer."""

    address: str
    before: Shown
    after: Shown

    def data(self) -> dict[str, Any]:
        return {"address": self.address, "from": self.before.data(), "to": self.after.data()}


@frozen
class Cause:
    """One clause that decides. `what` is clause (a condition), member (not among the candidates) or limit (of a set).

    `rules` is the chain from the rule that asks down to the one that has the clause; `text` the clause; `values` what
    its parts are now; `wanted` what a condition would have to be; `distance` how far it is from that; `layer` the
    overlay that it is written in.
    """

    what: str
    rules: tuple[str, ...]
    text: str
    values: tuple[tuple[str, Shown], ...]
    span: Span
    wanted: bool
    distance: int
    layer: str = ""
    sources: tuple[Source, ...] = ()

    @property
    def pieces(self) -> tuple[str, ...]:
        """The keys of the pieces that it is about."""
        return tuple(dict.fromkeys(key for _, shown in self.values for key in _pieces(shown)))

    def data(self) -> dict[str, Any]:
        return {
            "what": self.what,
            "rule": self.rules[-1],
            "rules": list(self.rules),
            "span": {"file": self.span.file, "line": self.span.line, "column": self.span.column},
            "clause": self.text,
            "values": {name: shown.data() for name, shown in self.values},
            "pieces": list(self.pieces),
            "overlay": self.layer or None,
            "sources": [source.data() for source in self.sources],
            "wanted": self.wanted,
            "distance": self.distance,
        }


@frozen
class WhyNot:
    """Why a candidate is not on offer. `causes` is the nearest way to being met: all of these clauses are in the way;
    `others` are further ways. `hides`: it hangs on what the player may not know, and no clause is named. `reason` is
    for what has no clause: offered, over, not_asked (`player` is who is asked), must (one cannot decline), order (sets
    are put together in one order, and this comes before what was picked), or unknown (no clause was found).
    `would_hold_if`: figures of the rules of which one step would put it on offer."""

    question: str
    candidate: str
    player: int
    offered: bool
    causes: tuple[Cause, ...] = ()
    others: tuple[tuple[Cause, ...], ...] = ()
    hides: bool = False
    reason: str = ""
    would_hold_if: tuple[Change, ...] = ()

    def data(self) -> dict[str, Any]:
        return {
            "question": self.question,
            "candidate": self.candidate,
            "player": self.player,
            "offered": self.offered,
            "causes": [cause.data() for cause in self.causes],
            "others": [[cause.data() for cause in way] for way in self.others],
            "hides": self.hides,
            "reason": self.reason,
            "would_hold_if": [change.data() for change in self.would_hold_if],
        }


@frozen
class Why:
    """Why an option is on offer: every condition that it meets, without each of which it would not be."""

    question: str
    option: str
    player: int
    holds: tuple[Cause, ...]
    hides: bool = False  # it hangs on what the player may not know, and no clause is named

    def data(self) -> dict[str, Any]:
        holds = [cause.data() for cause in self.holds]
        return {
            "question": self.question, "option": self.option, "player": self.player, "holds": holds,
            "hides": self.hides,
        }  # fmt: skip


@frozen
class PassedOver:
    """One question that was not put to a seat, or several that stand together. `what` is nothing (there was nothing to
    choose), only (there was one answer, `given`, which was taken), branch (a condition of the rules led elsewhere) or
    turn (the seat was not among those who are asked). `rules` are those in progress, the outermost first; `causes` and
    `others` as of `WhyNot`."""

    what: str
    questions: tuple[str, ...]
    rules: tuple[str, ...]
    causes: tuple[Cause, ...] = ()
    others: tuple[tuple[Cause, ...], ...] = ()
    given: Shown | None = None
    hides: bool = False

    def data(self) -> dict[str, Any]:
        return {
            "what": self.what,
            "questions": list(self.questions),
            "rules": list(self.rules),
            "causes": [cause.data() for cause in self.causes],
            "others": [[cause.data() for cause in way] for way in self.others],
            "given": None if self.given is None else self.given.data(),
            "hides": self.hides,
        }


@frozen
class WhyNotAsked:
    """Why a seat is not asked: who is, with which question (nobody when the game is over), and which questions the
    rules passed over since that seat last answered. `hides`: what came later hangs on what it does not see."""

    seat: int
    player: int
    question: str
    rules: tuple[str, ...]
    passed: tuple[PassedOver, ...] = ()
    hides: bool = False

    def data(self) -> dict[str, Any]:
        return {
            "seat": self.seat,
            "player": self.player,
            "question": self.question,
            "rules": list(self.rules),
            "passed": [one.data() for one in self.passed],
            "hides": self.hides,
        }


def _pieces(shown: Shown) -> list[str]:
    if shown.what == "list":
        return [key for item in shown.items for key in _pieces(item)]
    return [shown.key()] if shown.what == "piece" else []


@frozen
class WhyRule:
    """Whether a rule could be carried out now by whoever is asked, with some arguments; if not, what stands in the way
    of those that come nearest."""

    rule: str
    player: int
    can: bool
    arguments: tuple[Shown, ...] = ()
    causes: tuple[Cause, ...] = ()
    hides: bool = False

    def data(self) -> dict[str, Any]:
        arguments, causes = [one.data() for one in self.arguments], [cause.data() for cause in self.causes]
        return {
            "rule": self.rule, "player": self.player, "can": self.can, "arguments": arguments, "causes": causes,
            "hides": self.hides,
        }  # fmt: skip


@frozen
class WhyWon:
    """Why these have won: the `finish` of the rules that gives them, and what it compares for each seat."""

    winners: tuple[int, ...]
    rule: str = ""
    text: str = ""
    span: Span | None = None
    seats: tuple[Shown, ...] = ()
    sources: tuple[Source, ...] = ()

    def data(self) -> dict[str, Any]:
        span = None if self.span is None else {"file": self.span.file, "line": self.span.line}
        return {
            "winners": list(self.winners), "rule": self.rule, "clause": self.text, "span": span,
            "seats": [shown.data() for shown in self.seats], "sources": [source.data() for source in self.sources],
        }  # fmt: skip


@frozen
class ScoreTerm:
    """One part of a sum: what it is, its value, and of a sum over several things what each of them adds."""

    text: str
    value: Shown
    items: tuple[tuple[Shown, Shown], ...] = ()

    def data(self) -> dict[str, Any]:
        items = [{"of": one.data(), "adds": part.data()} for one, part in self.items]
        return {"clause": self.text, "value": self.value.data(), "items": items}


@frozen
class ScorePart:
    """One named part of a score, and the terms it is the sum of."""

    name: str
    value: Shown
    terms: tuple[ScoreTerm, ...]
    span: Span
    sources: tuple[Source, ...] = ()
    hides: bool = False  # it hangs on what the viewer does not see, and no value is told

    def data(self) -> dict[str, Any]:
        return {
            "name": self.name,
            "value": self.value.data(),
            "terms": [term.data() for term in self.terms],
            "sources": [source.data() for source in self.sources],
            "hides": self.hides,
        }
