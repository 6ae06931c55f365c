"""What a dry run needs to look at: found once for a ruleset, so that no play is tried twice for nothing."""

from __future__ import annotations

from typing import Any

from attrs import fields, has

from interpreter.ir import blocks as ir
from warlock_dsl import types as t
from warlock_dsl.check import program as checked
from warlock_dsl.diagnostics.diagnostic import Span


class Reading:
    """Follows dry runs through the blocks of a ruleset: an effect, a loop or a roll is the end of one."""

    def __init__(self, codes: tuple[ir.Code, ...]) -> None:
        self.codes = codes
        self.known: dict[int, set[int] | None] = {}  # by rule, from its entry; None while it is looked at

    def sure(self, code: ir.Code, number: int, back: bool = False) -> bool:
        """Whether a play can be completed from a block on, whatever the state (`back`: or comes back to the caller)."""
        block = code.blocks[number]
        if block.acts:
            return True
        if any(isinstance(step, ir.Need) for step in block.steps):
            return False
        match block.end:
            case ir.Goto(to=to):
                return self.sure(code, to, back)
            case ir.Branch(yes=yes, no=no):
                return self.sure(code, yes, back) and self.sure(code, no, back)
            case ir.Ask(otherwise=otherwise):
                return otherwise >= 0 and self.sure(code, otherwise, back)
            case ir.NextOf() | ir.Again() | ir.RollEnd() | ir.Seats():
                return True
            case ir.Return():
                return back
            case _:
                return False

    def slots(self, code: ir.Code, number: int) -> set[int]:
        """The slots whose values may matter to a dry run from a block on."""
        found: set[int] = set()
        seen: set[int] = set()
        waiting = [number]
        while waiting:
            at = waiting.pop()
            if at < 0 or at in seen or code.blocks[at].acts:
                continue
            seen.add(at)
            block, end = code.blocks[at], code.blocks[at].end
            found |= _read(block.steps)
            match end:
                case ir.Goto(to=to):
                    waiting.append(to)
                case ir.Branch(test=test, yes=yes, no=no):
                    found |= _read(test)
                    waiting += (yes, no)
                case ir.Ask(question=question, then=then, otherwise=otherwise):
                    found |= _read(question)
                    waiting += (then, otherwise)
                case ir.Instead(body=body, then=then):
                    found |= set(range(1 + end.parameters)) | _read(end.hooks)
                    waiting += (body, then)
                case ir.Call(then=then):
                    found |= self.handed_on(end)
                    waiting.append(then)
                case _:
                    pass
        return found

    def handed_on(self, end: ir.Call) -> set[int]:
        """The slots that a call reads: of its arguments only those that matter to the rule called."""
        found = {0} | _read(end.target.key) | _read(end.by)
        for rule in end.target.members if end.target.key is not None else (end.target.rule,):
            wanted = self.entry(rule)
            for place, argument in enumerate(end.arguments):
                if wanted is None or 1 + place in wanted:
                    found |= _read(argument)
        return found

    def entry(self, rule: int) -> set[int] | None:
        """The slots that matter when a rule is called; None: all of them may."""
        if rule not in self.known:
            self.known[rule] = None
            self.known[rule] = self.slots(self.codes[rule], self.codes[rule].entry)
        return self.known[rule]


def _read(part: object) -> set[int]:
    """The slots that a step or an expression reads."""
    if isinstance(part, checked.Local):
        return {part.slot}
    if isinstance(part, ir.Keep):
        return {part.other}
    if isinstance(part, tuple):
        return set[int]().union(*map(_read, part))
    kind: Any = type(part)
    if not has(kind) or isinstance(part, Span) or kind.__module__ == t.__name__:
        return set()
    return set[int]().union(*(_read(getattr(part, field.name)) for field in fields(kind)))
