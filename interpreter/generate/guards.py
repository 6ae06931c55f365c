"""Guards as Python: whether a play can be completed, as nested loops that stop at the first way through.

A guard follows a rule dry from a block on and says DEAD (no way through), DONE (an effect, a loop or a roll is reached)
or BACK (the rule ends before that: what calls it decides). What a caller does then cannot hang on what the rule bound,
so BACK is one answer whatever way led there. Of several ways, DONE is better than BACK, and BACK better than DEAD.
Where to come back is as good as an effect (the caller acts at once), a loose guard is asked, which says DONE for both.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from interpreter.generate.acts import Acts
from interpreter.generate.expressions import Scope
from interpreter.generate.facts import UNKNOWN
from interpreter.generate.text import Body
from interpreter.ir import blocks as ir
from warlock_dsl.check import program as checked

if TYPE_CHECKING:
    from interpreter.generate.module import Module

MAX_DEPTH = 3  # guards written into guards
DEAD, DONE, BACK, ERROR = 0, 1, 2, 3  # ERROR: looking may end in an error
Outcomes = frozenset[int]
ONLY_DONE: Outcomes = frozenset({DONE})


class UnclearGuardError(Exception):
    """A guard that has no code of its own: the plain machine looks."""


class Guards:
    """What guards of one program can say, found once for each block."""

    def __init__(self, module: Module) -> None:
        self.m = module
        self.known: dict[tuple[int, int], Outcomes] = {}
        self.open: set[tuple[int, int]] = set()

    def outcomes(self, rule: int, block: int) -> Outcomes:
        key = (rule, block)
        if key not in self.known:
            if key in self.open:
                raise UnclearGuardError("rules that call each other before they act")
            self.open.add(key)
            try:
                self.known[key] = self._outcomes(rule, block)
            finally:
                self.open.discard(key)
        return self.known[key]

    def _outcomes(self, rule: int, block: int) -> Outcomes:
        found = self.m.lowered_rules[rule].blocks[block]
        facts = self.m.facts
        if found.acts:
            return ONLY_DONE
        extra: set[int] = set()
        for step in found.steps:
            match step:
                case ir.Need():
                    test = facts.constant(step.test)
                    if test is UNKNOWN:
                        extra.add(DEAD)
                    elif not test:
                        return frozenset({DEAD})
                    self._unsafe(step.test, extra)
                case ir.Bind():
                    self._unsafe(step.value, extra)
                case ir.Enter():
                    self._unsafe(step.source, extra)
                case ir.Times():
                    self._unsafe(step.count, extra)
                case _:
                    pass
        return frozenset(extra) | self._ending(rule, found.end)

    def _unsafe(self, e: checked.Expr | None, extra: set[int]) -> None:
        if not self.m.facts.safe(e):
            extra.add(ERROR)

    def _ending(self, rule: int, end: ir.End) -> Outcomes:
        facts = self.m.facts
        extra: set[int] = set()
        match end:
            case ir.Goto():
                return self.outcomes(rule, end.to)
            case ir.Branch():
                self._unsafe(end.test, extra)
                test = facts.constant(end.test)
                if test is not UNKNOWN:
                    return self.outcomes(rule, end.yes if test else end.no)
                return frozenset(extra) | self.outcomes(rule, end.yes) | self.outcomes(rule, end.no)
            case ir.Ask():
                return self._asking(rule, end)
            case ir.Call():
                for argument in (*end.arguments, end.by, end.target.key):
                    self._unsafe(argument, extra)
                rules = (end.target.rule,) if end.target.key is None else end.target.members
                return frozenset(extra) | self._calling(rule, rules, end.then)
            case ir.Instead():
                for hook in end.hooks:
                    self._unsafe(hook.where, extra)
                if len(end.hooks) > 1:
                    extra.add(ERROR)
                own = self.outcomes(rule, end.body)
                return frozenset(extra) | own | self._calling(rule, tuple(h.rule for h in end.hooks), end.then)
            case ir.Return():
                return frozenset({BACK})
            case _:
                return ONLY_DONE

    def _calling(self, rule: int, rules: tuple[int, ...], then: int) -> Outcomes:
        inner = frozenset[int]().union(*(self.outcomes(r, self.m.lowered_rules[r].entry) for r in rules))
        return (inner - {BACK}) | self.outcomes(rule, then) if BACK in inner else inner

    def _asking(self, rule: int, end: ir.Ask) -> Outcomes:
        question = end.question
        extra: set[int] = set()
        for part in (question.source, question.where, question.by, question.low, question.high):
            self._unsafe(part, extra)
        yes = self.outcomes(rule, end.then) | {DEAD}
        no = self.outcomes(rule, end.otherwise) if end.otherwise >= 0 else frozenset({DEAD})
        errors = (yes | no) & {ERROR} | extra
        order = [DEAD, BACK, DONE]
        both = {max(a, b, key=order.index) for a in yes - {ERROR} for b in no - {ERROR}}
        return frozenset(both | errors)

    def live(self, rule: int, block: int) -> frozenset[int]:
        """The slots a guard reads from a block on."""
        return self._live(rule, block, set())

    def _live(self, rule: int, block: int, seen: set[int]) -> frozenset[int]:
        key = ("live", rule, block)
        if key in self.m.memo:
            return frozenset(self.m.memo[key])
        found = self.m.lowered_rules[rule].blocks[block]
        live: frozenset[int] = frozenset()
        if not found.acts and self.outcomes(rule, block) != ONLY_DONE:
            live = self._live_end(rule, found.end)
            for step in self.steps(rule, block)[::-1]:
                live = self._live_step(step, live)
        self.m.memo[key] = live
        return live

    def steps(self, rule: int, block: int) -> list[ir.Step]:
        """The steps of a block that matter to a guard: what only laws read does not, where it cannot fail."""
        kept = self.m.lowered_rules[rule].kept
        found: list[ir.Step] = []
        for step in self.m.lowered_rules[rule].blocks[block].steps:
            past = isinstance(step, ir.Bind) and step.slot in kept and self.m.facts.safe(step.value)
            brought = isinstance(step, ir.Keep) and step.other in kept
            if not past and not brought and not isinstance(step, ir.LawStep):
                found.append(step)
        return found

    def _live_step(self, step: ir.Step, live: frozenset[int]) -> frozenset[int]:
        reads = self.m.facts.reads
        match step:
            case ir.Bind():
                return (live - {step.slot}) | reads(step.value)
            case ir.Clear():
                return live - {step.slot}
            case ir.Keep():
                return (live - {step.slot}) | {step.other}
            case ir.Enter():
                return (live - {step.list_slot, step.place_slot}) | reads(step.source)
            case ir.Times():
                return (live - {step.slot}) | reads(step.count)
            case ir.Need():
                return live | reads(step.test)
            case _:
                return live

    def _live_end(self, rule: int, end: ir.End) -> frozenset[int]:
        reads = self.m.facts.reads
        match end:
            case ir.Goto():
                return self.live(rule, end.to)
            case ir.Branch():
                return self.live(rule, end.yes) | self.live(rule, end.no) | reads(end.test)
            case ir.Ask():
                question = end.question
                after = self.live(rule, end.then) - {question.slot}
                if end.otherwise >= 0:
                    after |= self.live(rule, end.otherwise)
                inner = reads(question.where) - {question.slot}
                rest = reads(question.source) | reads(question.by) | reads(question.low) | reads(question.high)
                return after | inner | rest | {0}
            case ir.Call():
                own = frozenset[int]().union(*(reads(argument) for argument in end.arguments))
                rules = (end.target.rule,) if end.target.key is None else end.target.members
                back = any(BACK in self.outcomes(r, self.m.lowered_rules[r].entry) for r in rules)
                after = self.live(rule, end.then) if back else frozenset()
                return own | reads(end.by) | reads(end.target.key) | after | {0}
            case ir.Instead():
                tests = frozenset[int]().union(*(reads(hook.where) for hook in end.hooks))
                given = frozenset(range(1 + end.parameters))
                return tests | given | self.live(rule, end.body) | self.live(rule, end.then)
            case _:
                return frozenset()


class Guard(Acts):
    """Writes the function of one guard."""

    def __init__(self, module: Module, body: Body, rule: int, loose: bool) -> None:
        super().__init__(module, body)
        self.rule = rule
        self.loose = loose
        self.enough = ONLY_DONE | {BACK} if loose else ONLY_DONE
        self.lowered = module.lowered_rules[rule]
        self.scope = module.slot_names(rule)
        self.guards = module.guards
        self.depth = 0
        self.fail = ["return back"]  # what is done where a way ends, innermost loop last

    def bind(self, slot: int, text: str) -> None:
        if self.scope[slot] != text and text != "None":
            self.body.line(f"{self.scope[slot]} = {text}")

    def won(self) -> str:
        """What is done where a way through is found."""
        return "return 1"

    def dead(self) -> None:
        self.body.line(self.fail[-1])

    def flow(self, block: int) -> None:
        """The code of a guard from a block on; all of its ways end in `return`, or in the next turn of a loop."""
        possible = self.guards.outcomes(self.rule, block)
        if possible <= self.enough:
            self.body.line(self.won())
            return
        if possible == {DEAD}:
            self.dead()
            return
        found = self.lowered.blocks[block]
        for step in self.guards.steps(self.rule, block):
            if isinstance(step, ir.Need):
                self.unless(step.test, self.scope, self.fail[-1])
            else:
                self.step(step, self.scope)
        self.end(found.end)

    def end(self, end: ir.End) -> None:
        match end:
            case ir.Goto():
                self.flow(end.to)
            case ir.Branch():
                known = self.facts.constant(end.test)
                if known is not UNKNOWN:
                    self.flow(end.yes if known else end.no)
                    return
                with self.body.block(f"if {self.test(end.test, self.scope)}:"):
                    self.way(end.yes)
                self.way(end.no)
            case ir.Ask():
                self.ask(end)
            case ir.Call():
                self.call(end)
            case ir.Instead():
                self.instead(end)
            case ir.Return():
                self.back()
            case _:
                self.body.line(self.won())

    def back(self) -> None:
        if self.loose:
            self.body.line(self.won())
        else:
            self.body.line("back = 2")
            self.dead()

    def way(self, block: int) -> None:
        """One of several ways: written out where it is short, else a guard of its own."""
        if self.m.is_short(self.rule, block):
            self.flow(block)
            return
        call = self.m.guard_call(self.rule, block, self.scope, self.loose)
        self.decide(call, self.guards.outcomes(self.rule, block), None)

    def decide(self, call: str, possible: frozenset[int], then: int | None) -> None:
        """Act on what another guard says; `then` is where this rule goes on when the other comes back."""
        if BACK not in possible or self.passes(then):
            self.body.line(f"if {call}: {self.won()}")
            self.dead()
            return
        found = self.body.fresh("way")
        self.body.line(f"{found} = {call}")
        self.body.line(f"if {found} == 1: {self.won()}")
        with self.body.block(f"if {found}:"):
            if then is None:
                self.back()
            else:
                self.way(then)
        self.dead()

    def passes(self, then: int | None) -> bool:
        """Whether to come back here is as good as an effect."""
        return self.loose if then is None else self.guards.outcomes(self.rule, then) <= self.enough

    # --------------------------------------------------------------- questions

    def ask(self, end: ir.Ask) -> None:
        """Each answer is a way; the first way through is enough."""
        done = end.otherwise >= 0 and self.guards.outcomes(self.rule, end.otherwise) <= self.enough
        parts = (end.question.source, end.question.where, end.question.by, end.question.low, end.question.high)
        inside = self.guards.outcomes(self.rule, end.then)
        if not done or ERROR in inside or not all(self.facts.safe(part) for part in parts):
            match end.question.mode:
                case "one":
                    self.ask_one(end)
                case "minimal":
                    self.ask_minimal(end)
                case _:
                    self.ask_set(end)
        if end.otherwise >= 0:
            self.flow(end.otherwise)
        else:
            self.dead()

    def ask_one(self, end: ir.Ask) -> None:
        question = end.question
        self.m.regular(self.rule, end)
        after = self.guards.outcomes(self.rule, end.then)
        if question.where is None and after <= self.enough:
            self.body.line(f"if {self.any(question.source, self.scope)}: {self.won()}")
            return
        if question.slot not in self.guards.live(self.rule, end.then):
            self.ask_once(end)
            return
        place = self.body.here()
        self.candidate(end)
        self.fail.append("continue")
        self.flow(end.then)
        self.fail.pop()
        self.body.back_to(place)

    def candidate(self, end: ir.Ask) -> None:
        """A loop over the answers, left open."""
        question = end.question
        item = self.open(question.source, self.scope)
        if item != self.scope[question.slot]:
            self.body.line(f"{self.scope[question.slot]} = {item}")
        self.unless(question.where, self.scope, "continue")

    def ask_once(self, end: ir.Ask) -> None:
        """Nothing that follows hangs on the answer: if there is one, all of it need be looked at only once."""
        found = self.body.fresh("any")
        if end.question.where is None:
            found = self.any(end.question.source, self.scope)
        else:
            self.body.line(f"{found} = False")
            place = self.body.here()
            self.candidate(end)
            self.body.line(f"{found} = True")
            self.body.line("break")
            self.body.back_to(place)
        if self.guards.outcomes(self.rule, end.then) <= self.enough:
            self.body.line(f"if {found}: {self.won()}")
            return
        if end.otherwise < 0:
            with self.body.block(f"if {found}:"):
                self.flow(end.then)
            return
        call = self.m.guard_call(self.rule, end.then, self.scope, self.loose)
        if self.loose or BACK not in self.guards.outcomes(self.rule, end.then):
            self.body.line(f"if {found} and {call}: {self.won()}")
            return
        way = self.body.fresh("way")
        self.body.line(f"{way} = {call} if {found} else 0")
        self.body.line(f"if {way} == 1: {self.won()}")
        self.body.line(f"if {way}: back = 2")

    def ask_minimal(self, end: ir.Ask) -> None:
        """Some set with nothing to spare is enough exactly where the whole pool is."""
        question = end.question
        if not self.guards.outcomes(self.rule, end.then) <= self.enough:
            raise UnclearGuardError("a minimal set on which something hangs before the first effect")
        name = self.early(question.source, self.scope, self.whole_pool, 0)
        self.scope[question.slot] = name or self.body.held(self.whole_pool(question.source, self.scope))
        texts = [self.test(part, self.scope) for part in self.conditions(question.where)]
        self.body.line(f"if {' and '.join(texts) or 'True'}: {self.won()}")

    def whole_pool(self, e: checked.Expr, scope: Scope) -> str:
        return f"WHOLE({self.items(e, scope)})"

    def ask_set(self, end: ir.Ask) -> None:
        question = end.question
        if question.where is not None or not self.guards.outcomes(self.rule, end.then) <= self.enough:
            raise UnclearGuardError("a set on which something hangs before the first effect")
        pool = self.body.held(self.items(question.source, self.scope))
        if question.mode != "count":
            self.body.line(f"if len({pool}) >= {1 if question.mode == 'some' else 0}: {self.won()}")
            return
        assert question.low is not None and question.high is not None
        low = self.body.held(self.whole(question.low, self.scope))
        high = self.body.held(self.whole(question.high, self.scope))
        self.body.line(f"if {low} <= min({high}, len({pool})) >= 0: {self.won()}")

    # ------------------------------------------------------------------- calls

    def call(self, end: ir.Call) -> None:
        rules = (end.target.rule,) if end.target.key is None else end.target.members
        key = self.body.held(self.value(end.target.key, self.scope)) if end.target.key is not None else None
        arguments = [self.given(argument) for argument in end.arguments]
        me = self.scope[0] if end.by is None else self.body.held(self.value(end.by, self.scope))
        self.calling(rules, key, [me, *arguments], end.then)

    def given(self, e: checked.Expr) -> str:
        return self.early(e, self.scope, self.stored, 1) or self.body.held(self.stored(e, self.scope))

    def calling(self, rules: tuple[int, ...], key: str | None, given: list[str], then: int) -> None:
        possible = frozenset[int]().union(*(self.guards.outcomes(r, self.m.lowered_rules[r].entry) for r in rules))
        loose = self.passes(then)
        if possible <= (ONLY_DONE | {BACK} if loose else ONLY_DONE):
            self.body.line(self.won())
        elif possible == {BACK}:
            self.flow(then)
        elif key is None and loose and self.depth < MAX_DEPTH and self.m.is_small(rules[0]):
            self.written_in(rules[0], given)
        else:
            name = self.m.entry_guard(rules[0], loose) if key is None else f"{self.m.entry_guards(rules, loose)}[{key}]"
            self.decide(f"{name}({', '.join(['s', *given])})", possible, then)

    def written_in(self, rule: int, given: list[str]) -> None:
        """The guard of a small rule in place of a call: what the loops around it do not change is worked out once."""
        inner = Guard(self.m, self.body, rule, True)
        inner.won = self.won  # type: ignore[method-assign]
        inner.depth, inner.fail = self.depth + 1, self.fail
        inner.scope = {slot: self.body.fresh(name.strip("_")) for slot, name in inner.scope.items()}
        inner.scope |= dict(enumerate(given))
        inner.flow(self.m.lowered_rules[rule].entry)

    def instead(self, end: ir.Instead) -> None:
        fits = [
            "True" if hook.where is None else self.body.held(self.test(hook.where, self.scope)) for hook in end.hooks
        ]
        if len(fits) > 1:
            total = " + ".join(f"bool({fit})" for fit in fits)
            name = self.m.end_name(self.rule, self.m.block_of(self.rule, end))
            self.body.line(f"if {total} > 1: raise TWO({name}, [{', '.join(fits)}])")
        given = [self.scope[place] for place in range(1 + end.parameters)]
        for fit, hook in zip(fits, end.hooks, strict=True):
            with self.body.block(f"if {fit}:"):
                self.calling((hook.rule,), None, given, end.then)
        self.flow(end.body)


class Sieve(Guard):
    """A guard written into the loop over the answers of a question: those that lead on are found."""

    def __init__(self, module: Module, body: Body, rule: int, scope: dict[int, str], item: str) -> None:
        super().__init__(module, body, rule, False)
        self.scope = scope
        self.item = item
        self.fail = ["continue"]

    def won(self) -> str:
        if len(self.fail) > 1:
            raise UnclearGuardError("a loop within the loop over the answers")
        return f"found.append({self.item}); continue"

    def back(self) -> None:
        self.body.line("if onward is None: onward = ONWARD(s)")
        self.body.line(f"if onward: {self.won()}")
        self.dead()
