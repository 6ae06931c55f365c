"""Where a guard has to look behind an effect: what hangs on a rule may ask or require something after it.

A rule's own author sees what his rule does before it asks. What an overlay hangs on it, he does not: an effect of one
declaration may take away what a hook, or the rule the hook hangs on, needs after it. `Trials` finds the places behind
which that can happen, so that a dry run tries their effects out on a copy of the state there, and nowhere else.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from attrs import frozen

from interpreter.ir import blocks as ir
from interpreter.ir.analysis import called_rules, successors
from warlock_dsl import nodes
from warlock_dsl.check import program as checked

ME = 0  # the slot of the player who acts
Place = tuple[int, int, frozenset[int]]  # a rule, a block, and the loops of the rule that began in the dry run


@frozen
class Ahead:
    """What can come from a place on, up to the end of its rule, to chance, or to the next turn of a loop under way."""

    fails: bool = False  # a requirement or a mandatory question, in the rule or in what it calls
    hook_fails: bool = False  # one that a hook brings: on this rule, or on one that it calls
    returns: bool = False  # the end of the rule


class Trials:
    """What is ahead of each block, for all rules of a program."""

    def __init__(
        self,
        lowered_rules: Sequence[ir.LoweredRule],
        program: checked.Program,
        unrelated: frozenset[tuple[int, int]] = frozenset(),
    ) -> None:
        """`unrelated`: a rule and a hook on it that cannot be foreseen and that nothing after it has to do with."""
        self.lowered_rules = lowered_rules
        self.unrelated = unrelated
        self.hooks = [frozenset(hook.rule for hook in rule.hooks if hook.rule >= 0) for rule in program.rules]
        self.givers = frozenset(number for number, rule in enumerate(program.rules) if rule.gives is not None)
        self._rules = [Ahead() for _ in lowered_rules]
        self._ahead: dict[tuple[Place, bool], Ahead] = {}
        self._loops = [
            frozenset(slot for block in lowered.blocks for slot in started_in(block)) for lowered in lowered_rules
        ]
        self._calls: dict[int, list[tuple[int, int]]] = {}  # by rule: where those who call it go on
        for lowered in lowered_rules:
            for block in lowered.blocks:
                if isinstance(block.end, ir.Call | ir.Instead):
                    for callee in dict.fromkeys(called(block.end)):
                        self._calls.setdefault(callee, []).append((lowered.rule, block.end.then))
        if any(self.hooks):
            while (
                found := [self._look(lowered.rule, [lowered.entry], frozenset()) for lowered in lowered_rules]
            ) != self._rules:
                self._rules = found  # until nothing changes: rules may call one another in circles
        asked = {rule for node in nodes(program) if isinstance(node, checked.Can) for rule in called_rules(node.target)}
        self._entered: set[int] = set(asked)  # rules that a dry run may come to
        reached = list(self._reached_by_guards(asked)) if any(self.hooks) else []
        self.needed = any(self._needed_from(*place) for place in reached)
        self.needed |= any(self._goes_on_behind(rule, hook) for rule, hook in sorted(unrelated))

    def rule_ahead(self, rule: int) -> Ahead:
        """What can come from the beginning of a rule on."""
        return self._rules[rule]

    def needed_at(self, place: Place, callers: Iterable[tuple[Place, int]]) -> bool:
        """Whether what a block does has to be tried out. Of each caller, the
        nearest first: where it goes on, and the rule it called."""
        here = self.ahead(place, behind=True)
        if here.hook_fails:
            return True
        for caller, callee in callers:
            if not here.returns:
                return False
            here = self.ahead(caller)
            if here.fails if callee in self.hooks[caller[0]] else here.hook_fails:
                return True
        return False

    def ahead(self, place: Place, behind: bool = False) -> Ahead:
        """What can come from the beginning of a block on, or from its end on."""
        if (place, behind) not in self._ahead:
            rule, block, started = place
            found = self.lowered_rules[rule].blocks[block]
            blocks = [*must_follow(found.end, started | started_in(found))] if behind else [block]
            self._ahead[place, behind] = self._look(rule, blocks, started)
        return self._ahead[place, behind]

    def _look(self, rule: int, blocks: list[int], started: frozenset[int]) -> Ahead:
        """Follow all ways from these blocks on, within one rule."""
        fails = hook_fails = returns = False
        seen: set[int] = set()
        while blocks:
            place = blocks.pop()
            if place in seen:
                continue
            seen.add(place)
            block = self.lowered_rules[rule].blocks[place]
            started |= started_in(block)
            fails |= any(isinstance(step, ir.Need) for step in block.steps)
            fails |= isinstance(block.end, ir.Ask) and block.end.otherwise < 0
            returns |= isinstance(block.end, ir.Return)
            for number in called(block.end):
                callee = self._rules[number]
                fails |= callee.fails
                hook_fails |= callee.fails if number in self.hooks[rule] else callee.hook_fails
            blocks += must_follow(block.end, started)
        return Ahead(fails, hook_fails, returns)

    # ------------------------------------------------------- whether a guard ever comes to such a place

    def _needed_from(self, rule: int, block: int) -> bool:
        """As `needed_at`, whoever the callers may be."""
        here = self.ahead((rule, block, self._loops[rule]), behind=True)
        if here.hook_fails:
            return True
        seen: set[int] = set()
        waiting = [rule] if here.returns else []
        while waiting:
            number = waiting.pop()
            if number in seen:
                continue
            seen.add(number)
            for caller, place in self._calls_of(number):
                ahead = self.ahead((caller, place, self._loops[caller]))
                if ahead.fails if number in self.hooks[caller] else ahead.hook_fails:
                    return True
                waiting += [caller] if ahead.returns else []
        return False

    def _goes_on_behind(self, rule: int, hook: int) -> bool:
        """Whether a dry run may come to a hook and has something to look for behind it."""
        return hook in self._entered and any(
            self.ahead((caller, place, self._loops[caller])).fails
            for caller, place in self._calls_of(hook)
            if caller == rule
        )

    def _calls_of(self, rule: int) -> Sequence[tuple[int, int]]:
        return self._calls.get(rule, ())

    def _reached_by_guards(self, asked: Iterable[int]) -> Iterator[tuple[int, int]]:
        """The acting blocks that a dry run may come to: from behind every question on, and from where `can` begins."""
        waiting = [(number, self.lowered_rules[number].entry) for number in sorted(asked)]
        for lowered in self.lowered_rules:
            waiting += [(lowered.rule, block.end.then) for block in lowered.blocks if isinstance(block.end, ir.Ask)]
        seen: set[tuple[int, int]] = set()
        while waiting:
            rule, place = waiting.pop()
            if (rule, place) in seen:
                continue
            seen.add((rule, place))
            block = self.lowered_rules[rule].blocks[place]
            if block.acts:
                yield rule, place
                if not self._needed_from(rule, place):
                    continue
            waiting += [(rule, to) for to in may_follow(block.end, self._loops[rule])]
            waiting += [(number, self.lowered_rules[number].entry) for number in called(block.end)]
            self._entered.update(called(block.end))
            if isinstance(block.end, ir.Return):
                waiting += self._calls_of(rule)


def may_follow(end: ir.End, started: frozenset[int]) -> tuple[int, ...]:
    """The blocks of the same rule that a dry run may go on with: it ends at chance, at a secret choice, at loops that
    were already under way, and where another player's turn begins."""
    match end:
        case ir.RollEnd() | ir.Seats():
            return ()
        case ir.NextOf() if end.list_slot not in started or end.slot == ME:
            return ()
        case ir.Again() if end.slot not in started:
            return ()
        case _:
            return successors(end)


def must_follow(end: ir.End, started: frozenset[int]) -> tuple[int, ...]:
    """Of these, the ones a play cannot avoid: where a question may go unanswered, its answers are not among them."""
    if isinstance(end, ir.Ask) and end.otherwise >= 0:
        return (end.otherwise,)
    return may_follow(end, started)


def called(end: ir.End) -> tuple[int, ...]:
    """The rules that the end of a block may call."""
    match end:
        case ir.Call(target=target):
            return called_rules(target)
        case ir.Instead(hooks=hooks):
            return tuple(hook.rule for hook in hooks)
        case _:
            return ()


def started_in(block: ir.Block) -> frozenset[int]:
    """The loops that begin in a block, by the slot that tells them apart."""
    enters = [step.list_slot for step in block.steps if isinstance(step, ir.Enter)]
    return frozenset([*enters, *(step.slot for step in block.steps if isinstance(step, ir.Times))])
