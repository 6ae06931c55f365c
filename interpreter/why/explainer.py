"""A plain machine that can leave clauses out, and says which clauses stand in the way of a candidate.

The dry run is the machine's own: it is only watched where it fails. What is named is found by trying: the clauses are
left out, one more each time, until the candidate is offered, and then every one of them is shown to be needed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from itertools import islice
from typing import Any

from interpreter.errors import RulesError
from interpreter.ir import blocks as ir
from interpreter.plain import sets
from interpreter.plain.dry_run import Dry, dry_run
from interpreter.plain.evaluate import STOPPING, Locals
from interpreter.plain.machine import PlainMachine
from interpreter.plain.questions import Pool, item_type
from interpreter.plain.reachable_totals import ReachableTotals
from interpreter.plain.reader import Reader
from interpreter.plain.trial import for_laws
from interpreter.state.layout import Layout
from interpreter.state.state import State
from interpreter.why.model import Key
from interpreter.why.universe import values_of
from interpreter.why.ways import MAX_WAYS, Attempt, Blamed, Noted, Removal, Way, least_ways, nearness
from warlock_dsl import nodes
from warlock_dsl import types as t
from warlock_dsl.check import program as checked

MAX_FIGURES = 8  # figures of the rules that are tried one step away
MAX_LOOKED_AT = 60  # elements of a list of which each may have a clause that fails
COMPARED = {"<", "<=", ">", ">="}


def key_of(node: Any) -> Key:
    return node.span, type(node).__name__


class Explainer(Reader):
    """Runs guards with some clauses left out, and notes which others fail."""

    def __init__(self, layout: Layout, lowered_rules: tuple[ir.LoweredRule, ...]) -> None:
        super().__init__(layout, lowered_rules)
        self.ids: dict[Key, list[int]] = {}
        self.homes: dict[Key, str] = {}
        program = layout.program
        named: list[tuple[str, Any]] = [(define.address, define.value) for define in program.defines]
        named += [(lowered.address, lowered.blocks) for lowered in lowered_rules]
        for address, part in named:
            for node in nodes(part):
                if hasattr(node, "span"):
                    self.ids.setdefault(key_of(node), []).append(id(node))
                    self.homes.setdefault(key_of(node), address)
        self.relaxed: dict[int, list[Removal]] = {}
        self.noted: Noted | None = None  # None: nobody wants to know
        self.upheld: dict[Removal, Any] | None = None  # likewise, of clauses that hold
        self.figures: dict[tuple[str, str], Any] = {}  # figures of the rules that are tried otherwise
        self.path: list[str] = []
        self.shallow = False
        self.broke = False  # whether the last guard could not be run to its end

    # -------------------------------------------------------- leaving clauses out

    @contextmanager
    def leaving_out(self, removals: Iterable[Removal]) -> Iterator[None]:
        before = self.relaxed
        self.relaxed = {}
        for removal in removals:
            for number in self.ids.get(removal.key, ()):
                self.relaxed.setdefault(number, []).append(removal)
        try:
            yield
        finally:
            self.relaxed = before

    def ev(self, s: State, e: checked.Expr, slots: Locals) -> Any:
        removals = self.relaxed.get(id(e)) if self.relaxed else None
        if removals is None:
            return self.forms[type(e)](s, e, slots)
        if removals[0].what == "clause":
            return removals[0].wanted
        value = self.forms[type(e)](s, e, slots)
        for one in removals:
            if one.what == "without":
                value = tuple(item for item in value if item != one.wanted)
            else:
                value = (*value, one.wanted)
        return value

    def constant(self, s: State, e: checked.Const | checked.FigureRef, slots: Locals) -> Any:
        if self.figures and isinstance(e, checked.FigureRef):
            return self.figures.get((e.group, e.name), e.value)
        return e.value

    def bounds(self, s: State, question: checked.Question, pool: Pool, slots: Locals) -> tuple[int, int]:
        removals = self.relaxed.get(id(question))
        if removals is not None and removals[0].wanted is not None:
            low, high = removals[0].wanted
            return low, min(high, sum(pool.sizes))
        return super().bounds(s, question, pool, slots)

    def wanted(
        self, s: State, question: checked.Question, pool: Pool, bounds: tuple[int, int], slots: Locals
    ) -> list[ReachableTotals]:
        if self.relaxed:  # a total that is left out is not to be looked for
            found = super().wanted(s, question, pool, bounds, slots)
            known = self.known_totals[id(question)][1]
            calls = [self.defines[call.define].value for total in known for call in total.within]
            if any(id(node) in self.relaxed for part in (question.where, *calls) for node in nodes(part)):
                return []
            return found
        return super().wanted(s, question, pool, bounds, slots)

    # ------------------------------------------------------- where the guard fails

    @contextmanager
    def noting(self, noted: Noted | None) -> Iterator[None]:
        before, self.noted = self.noted, noted
        try:
            yield
        finally:
            self.noted = before

    def can(self, s: State, e: checked.Can, slots: Locals) -> bool:
        with self.noting(None):
            return super().can(s, e, slots)

    def would(self, s: State, e: checked.Would, slots: Locals) -> Any:
        with self.noting(None):
            return super().would(s, e, slots)

    def fits(self, s: State, question: checked.Question, slots: Locals, value: Any) -> bool:
        fits = super().fits(s, question, slots, value)
        if not fits and self.noted is not None:
            assert question.where is not None
            self.blame(s, question.where, slots, True)
        if fits and question.where is not None:
            self.uphold(question.where, True)
        return fits

    def uphold(self, e: checked.Expr, value: bool) -> None:
        """Note the clauses that together make a condition what it is."""
        if isinstance(e, checked.Binary) and e.op == ("and" if value else "or"):
            self.uphold(e.left, value)
            self.uphold(e.right, value)
        elif isinstance(e, checked.Not):
            self.uphold(e.of, not value)
        elif not isinstance(e, checked.Const) and self.upheld is not None:
            self.upheld.setdefault(Removal(key_of(e), "clause", not value), e)

    def needed(self, s: State, ask: ir.Ask, value: Any) -> list[Blamed]:
        """The clauses that hold for what is on offer, and without each of which it would not be."""
        self.upheld, question = {}, ask.question
        self.attempt(s, ask, value, ())
        found, self.upheld = self.upheld, None
        members = (value,) if question.mode == "one" else value
        found = {Removal(key_of(question.source), "without", one): question.source for one in members} | found
        slots = [*s.stack[-1].locals]
        slots[question.slot] = value
        return [
            Blamed(removal, node, tuple(slots) if removal.what == "without" else (), (), 0, False)
            for removal, node in found.items()
            if not self.attempt(s, ask, value, (removal,))
        ]

    def dry_steps(self, s: State, lowered: ir.LoweredRule, block: ir.Block, slots: Locals) -> bool:
        for step in block.steps:
            if isinstance(step, ir.Need):
                if not self.ev(s, step.test, slots):
                    if self.noted is not None:
                        self.blame(s, step.test, slots, True)
                    return False
                self.uphold(step.test, True)
            elif not for_laws(step, lowered):
                self.read(s, step, slots)
        return True

    def possible(self, s: State, ask: ir.Ask, dry: Dry) -> Iterator[Any]:
        found = False
        for value in super().possible(s, ask, dry):
            found = True
            yield value
        if not found and self.noted is not None:
            self.no_candidates(s, ask.question, dry)

    def no_candidates(self, s: State, question: checked.Question, dry: Dry) -> None:
        """Nothing can be chosen: there is nothing to choose from, too little, or no set has the total."""
        slots = dry.slots[:]
        pool = self.classes(s, question, dry, slots)
        if not pool.sizes and (question.mode == "one" or question.mode == "minimal"):
            if not self.empties(s, question.source, slots):
                for value in islice(values_of(self.layout, item_type(question)), 3):
                    self.name_clause("member", question.source, value, slots)
        elif question.mode not in ("one", "minimal"):
            low, high = self.bounds(s, question, pool, slots)
            if low > sum(pool.sizes) or high < low:
                self.name_clause("limit", question, (0, max(sum(pool.sizes), high)), slots)
            else:
                self.blame_conjuncts(question.where, slots)

    def blame_conjuncts(self, e: checked.Expr | None, slots: Locals) -> None:
        if isinstance(e, checked.Binary) and e.op == "and":
            self.blame_conjuncts(e.left, slots)
            self.blame_conjuncts(e.right, slots)
        elif e is not None:
            self.name_clause("clause", e, True, slots)

    # -------------------------------------------------------------------- blame

    def name_clause(self, what: str, node: Any, wanted: Any, slots: Sequence[Any], distance: int = 1) -> None:
        assert self.noted is not None
        removal = Removal(key_of(node), what, wanted)
        if any(removal == one or what == "clause" for one in self.relaxed.get(id(node), ())):
            return
        before = self.noted.get(removal)
        if before is None or distance < before.distance:
            fixed = isinstance(node, checked.FigureRef)  # an option of the game
            self.noted[removal] = Blamed(removal, node, tuple(slots), tuple(self.path), distance, fixed)

    def blame(self, s: State, e: checked.Expr, slots: Locals, wanted: bool) -> None:
        """Note the clauses that make an expression other than it is wanted."""
        if id(e) in self.relaxed:
            return
        match e:
            case checked.Binary(op="and" | "or"):
                both = (e.op == "or") == wanted  # either side would do
                left = bool(self.ev(s, e.left, slots))
                if left != wanted:
                    self.blame(s, e.left, slots, wanted)
                if (both or left == wanted) and bool(self.ev(s, e.right, slots)) != wanted:
                    self.blame(s, e.right, slots, wanted)
            case checked.Not():
                self.blame(s, e.of, slots, not wanted)
            case checked.Conditional() if not self.shallow:
                test = bool(self.ev(s, e.test, slots))
                branch = e.then if test else e.otherwise
                if isinstance(branch, checked.Const):
                    self.blame(s, e.test, slots, not test)
                else:
                    self.blame(s, branch, slots, wanted)
            case checked.Apply() if not self.shallow and not self.defines[e.define].recursive:
                with self.within(self.defines[e.define].address):
                    self.blame(s, self.defines[e.define].value, self.own_slots(s, e, slots), wanted)
            case checked.Can() if wanted and not self.shallow:
                rule = self.member(s, e.target, slots)
                with self.within(self.lowered_rules[rule].address):
                    PlainMachine.can(self, s, e, slots)
            case checked.Primitive() if e.name in STOPPING and wanted and not self.shallow:
                self.blame_fold(s, e, slots)
            case checked.Const():
                pass
            case checked.Binary() if e.op in COMPARED:
                left, right = self.ev(s, e.left, slots), self.ev(s, e.right, slots)
                self.name_clause("clause", e, wanted, slots, abs(left - right) + (e.op in "<>"))
            case _:
                self.name_clause("clause", e, wanted, slots)

    def blame_fold(self, s: State, e: checked.Primitive, slots: Locals) -> None:
        """`any` that found nothing, `all` of which one does not hold."""
        argument = e.arguments[0]
        if STOPPING[e.name]:
            if not self.empties(s, argument, slots):
                self.name_clause("clause", e, True, slots)
            return
        if not isinstance(argument, checked.Gather):
            self.name_clause("clause", e, True, slots)
            return
        own = slots[:]
        for item in self.ev(s, argument.source, slots):
            own[argument.slot] = item
            if argument.where is None or self.ev(s, argument.where, own):
                body = argument.body
                if body is None:
                    self.name_clause("clause", e, True, slots)
                elif not self.ev(s, body, own):
                    self.blame(s, body, own, True)

    @contextmanager
    def within(self, address: str) -> Iterator[None]:
        self.path.append(address)
        try:
            yield
        finally:
            self.path.pop()

    def own_slots(self, s: State, e: checked.Apply, slots: Locals) -> Locals:
        own: Locals = [None] * self.defines[e.define].slots
        own[0] = slots[0]
        for place, argument in enumerate(e.arguments):
            own[1 + place] = self.ev(s, argument, slots)
        return own

    def empties(self, s: State, e: checked.Expr, slots: Locals) -> bool:
        """Note the clauses because of which a list is empty; whether there are any."""
        match e:
            case checked.Gather() if not self.shallow:
                items = self.ev(s, e.source, slots)
                if not items or e.where is None:
                    return self.empties(s, e.source, slots)
                own = slots[:]
                for item in items[:MAX_LOOKED_AT]:
                    own[e.slot] = item
                    self.blame(s, e.where, own, True)
                return True
            case checked.Apply() if not self.shallow and not self.defines[e.define].recursive:
                with self.within(self.defines[e.define].address):
                    return self.empties(s, self.defines[e.define].value, self.own_slots(s, e, slots))
            case checked.Conditional():
                return self.empties(s, e.then if self.ev(s, e.test, slots) else e.otherwise, slots)
            case checked.Binary(op="join"):
                left = self.empties(s, e.left, slots)
                return self.empties(s, e.right, slots) or left
            case _:
                return False

    def lacks(self, s: State, e: checked.Expr, slots: Locals, item: Any) -> None:
        """Note the clauses because of which a list lacks an element."""
        match e:
            case checked.Gather(body=None) if e.where is not None and not self.shallow:
                if item not in self.ev(s, e.source, slots):
                    self.lacks(s, e.source, slots, item)
                    return
                own = slots[:]
                own[e.slot] = item
                self.blame(s, e.where, own, True)
            case checked.Gather() | checked.Primitive(arguments=(checked.Gather(),)) if not self.shallow:
                gather: Any = e if isinstance(e, checked.Gather) else e.arguments[0]
                if not self.lacks_source(s, gather, slots, item, gather is not e):
                    self.name_clause("member", e, item, slots)
            case checked.Keyed() if not self.shallow and item not in self.ev(s, e.source, slots):
                self.lacks(s, e.source, slots, item)
            case checked.Keyed() if e.where is not None and not self.shallow and not self.fits_key(s, e, slots, item):
                own = slots[:]
                own[e.slot] = item
                self.blame(s, e.where, own, True)
            case checked.Apply() if not self.shallow and not self.defines[e.define].recursive:
                with self.within(self.defines[e.define].address):
                    self.lacks(s, self.defines[e.define].value, self.own_slots(s, e, slots), item)
            case checked.Conditional() if not self.shallow:
                self.lacks(s, e.then if self.ev(s, e.test, slots) else e.otherwise, slots, item)
            case checked.Binary(op="join") if not self.shallow:
                self.lacks(s, e.left, slots, item)
                self.lacks(s, e.right, slots, item)
            case checked.Binary(op="without") if not self.shallow and item not in self.ev(s, e.left, slots):
                self.lacks(s, e.left, slots, item)
            case _:
                self.name_clause("member", e, item, slots)

    def fits_key(self, s: State, e: checked.Keyed, slots: Locals, item: Any) -> bool:
        """Whether an element is among those of which the most, the fewest or the order is looked for."""
        own = slots[:]
        own[e.slot] = item
        return e.where is None or bool(self.ev(s, e.where, own))

    def lacks_source(self, s: State, e: checked.Gather, slots: Locals, item: Any, union: bool) -> bool:
        """Where elements that are left out would give the one that is missing: why they are left out."""
        if e.body is None or (union and not isinstance(e.body.type, t.ListType)):
            return False
        kind = e.source.type.item if isinstance(e.source.type, t.ListType) else None
        source, own, found = self.ev(s, e.source, slots), slots[:], False
        for one in islice(values_of(self.layout, kind or t.UNKNOWN), MAX_LOOKED_AT):
            own[e.slot] = one
            try:
                value = self.ev(s, e.body, own)
                if item not in value if union else item != value:
                    continue
                if one not in source:
                    self.lacks(s, e.source, slots, one)
                elif e.where is not None and not self.ev(s, e.where, own):
                    self.blame(s, e.where, own, True)
                else:
                    continue
            except RulesError:
                continue
            found = True
        return found

    # ------------------------------------------------------------------ offering

    def offers(self, s: State, ask: ir.Ask, dry: Dry, value: Any) -> bool:
        """Whether a value, or a whole set, may be answered."""
        question, slots = ask.question, dry.slots[:]
        slots[question.slot] = None
        source = self.ev(s, question.source, slots)
        members = (value,) if question.mode == "one" else value
        missing = Counter(members) - Counter(source)
        if missing:
            if self.noted is not None:
                for item in missing:
                    self.lacks(s, question.source, slots, item)
            return False
        if question.mode == "one":
            return self.fits(s, question, slots, value) and self.leads_on(s, ask, dry, value)
        return self.offers_set(s, ask, dry, value)

    def completed(self, s: State, ask: ir.Ask, value: tuple[Any, ...]) -> tuple[Any, ...] | None:
        """A set that may be answered and has all of these, whatever the order in which it is asked for; or None."""
        dry, question = dry_run(s), ask.question
        slots = dry.slots[:]
        slots[question.slot] = None
        self.work = 0
        try:
            pool = self.classes(s, question, dry, slots)
            had = pool.counts(value)
            if sum(had) != len(value):
                return None
            if question.mode == "minimal":
                least = self.minimum(s, question, slots, pool)
                found = (counts for counts in least if all(a >= b for a, b in zip(counts, had, strict=True)))
                return next((one for one in map(pool.pick, found) if self.leads_on(s, ask, dry, one)), None)
            low, high = self.bounds(s, question, pool, slots)
            wanted = self.wanted(s, question, pool, (low, high), slots[:])
            reach = sets.all_sets(pool.sizes, low, high, had, 0, wanted)
            return next((one for one in map(pool.pick, reach) if self.works(s, ask, dry, one)), None)
        except RulesError:
            return None

    def may_be_added(self, s: State, value: tuple[Any, ...]) -> bool:
        """Of a set that is asked for piece by piece: whether its last, or one like it, is among the options."""
        dry, question = dry_run(s), s.offer.ask.question
        slots = dry.slots[:]
        slots[question.slot] = None
        pool = self.classes(s, question, dry, slots)
        had = pool.counts(value)
        more = [(*s.offer.partial, answer.value) for answer in s.offer.answers if answer.what == "add"]
        return sum(had) == len(value) and any(pool.counts(one) == had for one in more)

    def offers_set(self, s: State, ask: ir.Ask, dry: Dry, value: tuple[Any, ...]) -> bool:
        question, slots = ask.question, dry.slots[:]
        pool = self.classes(s, question, dry, slots)
        value = pool.pick(pool.counts(value))  # as it would be offered: of pieces that are alike, the first
        freed = self.relaxed.get(id(question))
        low, high = self.bounds(s, question, pool, slots)
        if question.mode != "minimal" and not low <= len(value) <= high:
            if self.noted is not None:
                self.name_clause("limit", question, (min(low, len(value)), max(high, len(value))), slots)
            return False
        if not self.fits(s, question, slots, value):
            return False
        if question.mode == "minimal" and freed is None:
            with self.noting(None):
                smaller = [value[:n] + value[n + 1 :] for n in range(len(value))]
                spare = any(self.fits(s, question, slots, one) for one in smaller)
            if spare:
                if self.noted is not None:
                    self.name_clause("limit", question, None, slots)
                return False
        return self.leads_on(s, ask, dry, value)

    # -------------------------------------------------------------------- search

    def attempt(
        self, s: State, ask: ir.Ask, value: Any, removals: Iterable[Removal], noted: Noted | None = None
    ) -> bool:
        """Whether a candidate is on offer with these clauses left out; `noted` is given those that fail."""
        return self.attempted(lambda: self.offers(s, ask, dry_run(s), value), removals, noted)

    def attempted(self, test: Callable[[], bool], removals: Iterable[Removal], noted: Noted | None) -> bool:
        """What a test says with these clauses left out; `noted` is given those that fail."""
        self.work, self.broke = 0, False
        with self.leaving_out(removals), self.noting(noted):
            try:
                return test()
            except RulesError:  # what a clause that is left out has kept away
                self.broke = True
                return False

    def ways(self, s: State, ask: ir.Ask, value: Any) -> list[Way]:
        """The least sets of clauses that stand in a candidate's way, the nearest to being met first."""
        return self.ways_to(partial(self.attempt, s, ask, value))

    def ways_to(self, attempt: Attempt) -> list[Way]:
        """The least sets of clauses that keep something from being so, the nearest to being met first."""
        for self.shallow in (False, True):
            found = least_ways(attempt)
            if found:
                break
        self.shallow = False
        return found

    def breaking(self, s: State, ask: ir.Ask, value: Any) -> list[Way]:
        """The clauses that fail and keep the rules that follow from breaking down: without one of these a candidate is
        not on offer either, as what comes after it has no meaning then."""
        noted: Noted = {}
        self.attempt(s, ask, value, (), noted)
        found: list[Way] = []
        for blamed in noted.values():
            self.attempt(s, ask, value, (blamed.removal,))
            if self.broke:
                found.append((blamed,))
        return sorted(found, key=nearness)[:MAX_WAYS]

    def figures_in(self, parts: Iterable[object]) -> list[checked.FigureRef]:
        """The figures that clauses read, also through definitions."""
        found: dict[tuple[str, str], checked.FigureRef] = {}
        waiting, seen = list(parts), set[int]()
        while waiting:
            for node in nodes(waiting.pop()):
                if isinstance(node, checked.FigureRef):
                    found.setdefault((node.group, node.name), node)
                elif isinstance(node, checked.Apply) and node.define not in seen:
                    seen.add(node.define)
                    waiting.append(self.defines[node.define].value)
        return list(found.values())

    def one_step(
        self, s: State, ask: ir.Ask, value: Any, figures: Sequence[checked.FigureRef]
    ) -> list[tuple[checked.FigureRef, Any]]:
        """The figures, each with the value one step away, that would put a candidate on offer."""
        found = []
        for figure in figures[:MAX_FIGURES]:
            declared = self.layout.components.figures[figure.group, figure.name]
            if isinstance(figure.type, t.TruthType):
                steps: list[Any] = [not figure.value]
            elif isinstance(figure.type, t.NumberType) and isinstance(figure.value, int):
                low, high = declared.low, declared.high
                near = [step for step in (figure.value - self.unit, figure.value + self.unit) if step >= 0]
                near = [step for step in near if low is None or step >= low * self.unit]
                steps = [step for step in near if high is None or step <= high * self.unit]
            else:
                continue
            for step in steps:
                self.figures = {(figure.group, figure.name): step}
                try:
                    if self.attempt(s, ask, value, ()):
                        found.append((figure, step))
                finally:
                    self.figures = {}
        return found
