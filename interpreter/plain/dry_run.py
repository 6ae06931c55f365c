"""A dry run: the control stack of a state as a chain that can branch, so that guards change nothing."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from interpreter.ir import blocks as ir
from interpreter.ir.trials import Place, Trials
from interpreter.plain.evaluate import Locals
from interpreter.state.state import Local, State


class Dry:
    """A rule in a dry run and who called it. Slots are copied whenever a branch begins.

    `started` are the loops that began in the dry run, by the slot that tells them apart; the others are under way.
    """

    __slots__ = ("block", "caller", "depth", "rule", "slots", "started")

    def __init__(
        self,
        rule: int,
        block: int,
        slots: Locals,
        caller: Dry | None,
        depth: int,
        started: frozenset[int] = frozenset(),
    ) -> None:
        self.rule = rule
        self.block = block
        self.slots = slots
        self.caller = caller
        self.depth = depth
        self.started = started

    def at(self, block: int) -> Dry:
        return Dry(self.rule, block, self.slots, self.caller, self.depth, self.started)

    def with_answer(self, ask: ir.Ask, value: Any) -> Dry:
        slots = self.slots[:]
        slots[ask.question.slot] = value
        return Dry(self.rule, ask.then, slots, self.caller, self.depth, self.started)

    def starting(self, loops: frozenset[int]) -> Dry:
        """In a block in which these loops begin."""
        return Dry(self.rule, self.block, self.slots, self.caller, self.depth, self.started | loops) if loops else self

    @property
    def place(self) -> Place:
        return self.rule, self.block, self.started

    def callers(self) -> Iterator[tuple[Place, int]]:
        """Each caller, from the nearest on: where it goes on, and the rule it called."""
        dry = self
        while dry.caller is not None:
            yield dry.caller.place, dry.rule
            dry = dry.caller

    def calling(self, rule: int, entry: int, slots: Locals) -> Dry:
        return Dry(rule, entry, slots, self, self.depth + 1)

    def back(self) -> Dry | None:
        """To the caller, whose slots are from here on a copy of this branch."""
        caller = self.caller
        if caller is None:
            return None
        return Dry(caller.rule, caller.block, caller.slots[:], caller.caller, caller.depth, caller.started)


class Search:
    """A guard's search for a way on: how much work may have been done when it ends, and whether it looked behind an
    effect. What a hook needs there may be missing whatever is answered, and not every way can be gone."""

    __slots__ = ("behind", "end")

    def __init__(self, end: int) -> None:
        self.end = end
        self.behind = False


def receive(slots: Locals, lowered: ir.LoweredRule, value: Local) -> None:
    """Whoever called a rule that gives a value finds it in a slot of his own, if he takes any."""
    if lowered.received >= 0:
        slots[lowered.received] = value


def dry_run(s: State) -> Dry:
    """The stack of a state, ready to run dry. Inside a secret choice only as far as the seat that is asked."""
    dry: Dry | None = None
    for depth, frame in enumerate(s.stack[s.asking + 1 :] if s.asking >= 0 else s.stack):
        dry = Dry(frame.rule, frame.block, frame.locals, dry, depth + 1)
    assert dry is not None
    return Dry(dry.rule, dry.block, dry.slots[:], dry.caller, dry.depth)


def behind_hook(dry: Dry, trials: Trials) -> Dry | None:
    """Where a dry run goes on behind an effect that nobody can foresee: behind the hook that has it, if that has
    nothing to do with what comes after it on the same rule; None where the dry run ends."""
    while trials.needed and dry.caller is not None:
        caller = dry.caller
        if dry.rule in trials.hooks[caller.rule]:
            if (caller.rule, dry.rule) not in trials.unrelated or dry.rule in trials.givers:
                return None
            return Dry(caller.rule, caller.block, caller.slots[:], None, caller.depth, caller.started)
        dry = caller
    return None
