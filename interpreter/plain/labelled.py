"""The question that waits as callers see it: its options with their labels and keys, and what makes two the same."""

from __future__ import annotations

from collections.abc import Hashable, Sequence

from interpreter.ir import blocks as ir
from interpreter.plain.questions import Answer, Offer, item_type
from interpreter.state.alike import value_class
from interpreter.state.decision import Decision, Option
from interpreter.state.labels import YES, Shown, answer_key, show_bound, show_value
from interpreter.state.layout import Layout
from interpreter.state.state import State
from warlock_dsl import types as t


def answer_label(layout: Layout, s: State, offer: Offer, answer: Answer) -> Shown:
    """What an answer is about, as the asked player may see it."""
    if answer.what in ("stop", "decline"):
        return Shown("none")
    if offer.ask.question.yes_no:
        return YES
    kind = offer.ask.question.type if answer.what == "value" else item_type(offer.ask.question)
    return show_value(layout, s, answer.value, kind, offer.player, placed=True)


def option(layout: Layout, s: State, offer: Offer, number: int) -> Option:
    answer = offer.answers[number]
    label = answer_label(layout, s, offer, answer)
    return Option(answer.what, label, answer_key(answer.what, label, offer.player))


def keys(layout: Layout, s: State, offer: Offer) -> list[str]:
    return [
        answer_key(answer.what, answer_label(layout, s, offer, answer), offer.player) for answer in offer.answers
    ]


def decision(layout: Layout, lowered_rules: Sequence[ir.LoweredRule], s: State, offer: Offer) -> Decision:
    """The question with all its options."""
    player, question, lowered = offer.player, offer.ask.question, lowered_rules[offer.rule]
    bound = show_bound(layout, s, lowered.names, s.stack[-1].locals, offer.ask.known, player)
    mode = "one" if question.mode == "one" else "set" if offer.partial is None else "step"
    mode = "yes_no" if question.yes_no else mode
    item = item_type(question)
    partial = tuple(show_value(layout, s, p, item, player, placed=True) for p in offer.partial or ())
    options = tuple(option(layout, s, offer, number) for number in range(len(offer.answers)))
    return Decision(
        player, lowered.address, question.name, mode, question.may, bound, partial, options, offer.ask.span
    )


def move_keys(layout: Layout, offer: Offer) -> Sequence[Hashable]:
    """By answer, what makes it the same move in another deal: the question and the answer, alike pieces being one."""
    question = offer.ask.question
    kinds = {"value": question.type, "add": item_type(question)}
    return [
        (offer.rule, question.slot, one.what, value_class(layout, one.value, kinds.get(one.what, t.UNKNOWN)))
        for one in offer.answers
    ]
