"""Questions: which answers there are, each once, and only those with which the play can be completed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import accumulate
from typing import Any

from attrs import frozen

from interpreter.errors import RulesError
from interpreter.ir import blocks as ir
from interpreter.ir.cost import cost, turn_cost
from interpreter.plain import sets
from interpreter.plain.branching import Told
from interpreter.plain.dry_run import Dry, dry_run
from interpreter.plain.evaluate import MAX_ITEMS, Evaluator, Locals
from interpreter.plain.reachable_totals import ReachableTotals
from interpreter.state.alike import alike
from interpreter.state.layout import Layout
from interpreter.state.state import Frame, State
from warlock_dsl import StatedTotal, conditions, stated_totals
from warlock_dsl import types as t
from warlock_dsl.check import program as checked


@frozen
class Answer:
    """`what` is value (the answer itself), add (one more piece of a set), stop (the set is complete) or decline."""

    what: str
    value: Any = None


NO_OPTION_HINT = "say what happens then with `else`"
DECLINE = Answer("decline")
STOP = Answer("stop")


class Offer:
    """A question that waits: who is asked, where in the rules, and what may be answered, in a stable order.

    Where `values` are known, `answers` is made of them when somebody looks: a `stop` if there is one, the values (what
    may be added, if a set is asked for piece by piece), and to decline if one may.
    """

    __slots__ = ("_answers", "ask", "partial", "player", "rule", "stop", "values")

    def __init__(
        self,
        player: int,
        rule: int,
        ask: ir.Ask,
        values: list[Any] | None,
        answers: tuple[Answer, ...] | None = None,
        partial: tuple[Any, ...] | None = None,  # what has been picked, when a set is asked for piece by piece
        stop: bool = False,
    ) -> None:
        self.player = player
        self.rule = rule
        self.ask = ask
        self.values = values
        self._answers = answers
        self.partial = partial
        self.stop = stop

    @property
    def answers(self) -> tuple[Answer, ...]:
        if self._answers is None:
            what = "value" if self.partial is None else "add"
            values = [Answer(what, value) for value in self.values or ()]
            declines = (DECLINE,) if self.ask.question.may and (values or self.stop) else ()
            self._answers = (*((STOP,) if self.stop else ()), *values, *declines)
        return self._answers

    @property
    def count(self) -> int:
        """How many answers there are."""
        if self.values is None:
            return len(self.answers)
        found = len(self.values) + self.stop
        return found + self.ask.question.may if found else 0


class Pool:
    """The candidates of a set in classes of interchangeable members."""

    def __init__(self, members: list[tuple[Any, ...]], source: tuple[Any, ...]) -> None:
        self.members = members
        self.sizes = tuple(len(m) for m in members)
        self.order = {item: place for place, item in enumerate(source)}

    def pick(self, counts: sets.Counts) -> tuple[Any, ...]:
        """The members of a set, in source order."""
        chosen = [item for members, n in zip(self.members, counts, strict=True) for item in members[:n]]
        return tuple(sorted(chosen, key=lambda item: self.order[item]))

    def counts(self, chosen: tuple[Any, ...]) -> sets.Counts:
        """How many of each class a set has."""
        had = Counter(chosen)
        return tuple(sum((had & Counter(members)).values()) for members in self.members)


def item_type(question: checked.Question) -> t.Type:
    """What the candidates of a question are."""
    kind = question.source.type
    return kind.item if isinstance(kind, t.ListType) and kind.item is not None else t.UNKNOWN


def holds_pieces(kind: t.Type) -> bool:
    return isinstance(kind.item if isinstance(kind, t.ListType) else kind, t.PieceType)


class Questions(Evaluator):
    """How the machine asks."""

    lowered_rules: tuple[ir.LoweredRule, ...]
    told: Told | None
    trying: int
    piece_slots: tuple[tuple[int, ...], ...]  # by rule: the slots that mean a piece or a list of them

    def __init__(self, layout: Layout) -> None:
        super().__init__(layout)
        # By the identity of questions.
        self.known_totals: dict[int, tuple[checked.Question, tuple[StatedTotal, ...]]] = {}

    def completes(self, s: State, dry: Dry | None, viewer: int) -> bool:
        raise NotImplementedError

    # -------------------------------------------------------------- candidates

    def asked(self, s: State, question: checked.Question, slots: Locals) -> int:
        return int(slots[0] if question.by is None else self.ev(s, question.by, slots))  # type: ignore[arg-type]

    def classes(self, s: State, question: checked.Question, dry: Dry, slots: Locals) -> Pool:
        """The candidates, those alike for the asked player together, in the order of their first member."""
        source = self.candidates(s, question, slots)
        groups: dict[Any, list[Any]] = {}
        for item, key in self.with_keys(s, question, dry, slots, source):
            groups.setdefault(key, []).append(item)
        return Pool([tuple(group) for group in groups.values()], source)

    def candidates(self, s: State, question: checked.Question, slots: Locals) -> tuple[Any, ...]:
        source: tuple[Any, ...] = self.stored(self.ev(s, question.source, slots))
        self.weigh(source)
        return source

    def different(self, s: State, question: checked.Question, dry: Dry, slots: Locals) -> Iterator[Any]:
        """The candidates, of those alike only the first. They are compared only where a second one is asked for."""
        source = self.candidates(s, question, slots)
        yield from source[:1]
        seen: set[Any] = set()
        for item, key in self.with_keys(s, question, dry, slots, source) if len(source) > 1 else ():
            if seen and key not in seen:
                yield item
            seen.add(key)

    def with_keys(
        self, s: State, question: checked.Question, dry: Dry, slots: Locals, source: tuple[Any, ...]
    ) -> Iterator[tuple[Any, Any]]:
        """The candidates, each with what it has in common with those that are like it for the asked player."""
        if not isinstance(item_type(question), t.PieceType):
            yield from zip(source, source, strict=True)
            return
        player = self.asked(s, question, slots)
        named = self.mentions(dry, question.slot)
        for piece in source:
            self.tick(2 + (len(self.layout.piece_variables.get(self.layout.kind_of[piece], ())) >> 3))
            yield piece, (alike(self.layout, s, piece, player), named.get(piece))

    def mentions(self, dry: Dry, own: int) -> dict[int, tuple[tuple[int, int], ...]]:
        """Which bound names of the rules in progress mean a piece: a piece that has a name is not like the others."""
        found: dict[int, tuple[tuple[int, int], ...]] = {}
        depth, frame = 0, dry
        while frame is not None:
            self.tick(1 + (len(self.piece_slots[frame.rule]) >> 2))
            for slot in self.piece_slots[frame.rule]:
                value: Any = frame.slots[slot] if depth or slot != own else None
                self.tick(len(value) >> 1 if isinstance(value, tuple) else 0)
                for piece in () if value is None else value if isinstance(value, tuple) else (value,):
                    found[piece] = (*found.get(piece, ()), (depth, slot))
            depth, frame = depth + 1, frame.caller  # type: ignore[assignment]
        return found

    def bounds(self, s: State, question: checked.Question, pool: Pool, slots: Locals) -> tuple[int, int]:
        total = sum(pool.sizes)
        if question.mode != "count":
            return (1 if question.mode == "some" else 0), total
        assert question.low is not None and question.high is not None
        low = self.ev(s, question.low, slots) // self.unit
        return low, min(self.ev(s, question.high, slots) // self.unit, total)

    def fits(self, s: State, question: checked.Question, slots: Locals, value: Any) -> bool:
        self.tick(1 + (len(value) >> 2 if isinstance(value, tuple) else 0) + self.where_cost(question))
        slots[question.slot] = value
        return question.where is None or bool(self.ev(s, question.where, slots))

    def where_cost(self, question: checked.Question) -> int:
        """What a test of the condition costs, found once for each question."""
        known = self.turn_costs.get(id(question))
        if known is None:
            known = self.turn_costs[id(question)] = (question, cost(question.where))
        return known[1]

    def possible(self, s: State, ask: ir.Ask, dry: Dry) -> Iterator[Any]:
        """Everything that could be answered, whatever comes after. For a dry run: the first that works is enough."""
        question = ask.question
        slots = dry.slots[:]
        if question.mode == "one":
            for item in self.different(s, question, dry, slots):
                if self.fits(s, question, slots, item):
                    yield item
            return
        pool = self.classes(s, question, dry, slots)
        if question.mode == "minimal":
            for counts in self.minimum(s, question, slots, pool):
                yield pool.pick(counts)
        else:
            low, high = self.bounds(s, question, pool, slots)
            wanted = self.wanted(s, question, pool, (low, high), slots)
            tested = self.is_all(question, wanted)
            for counts in sets.all_sets(pool.sizes, low, high, wanted=wanted):
                chosen = pool.pick(counts)
                if tested or self.fits(s, question, slots, chosen):
                    yield chosen

    # ------------------------------------------------------------------ asking

    def ask(self, s: State, frame: Frame, ask: ir.Ask) -> Offer | None:
        """The offer of a question; None when there was nothing to decide, and the machine has gone on."""
        question = ask.question
        player = self.asked(s, question, frame.locals)
        self.tick(len(s.stack) >> 1)
        dry = dry_run(s)
        if question.mode == "one":
            partial = None
            values = self.possible(s, ask, dry)
            found = [Answer("value", value) for value in values if self.leads_on(s, ask, dry, value)]
        else:
            partial, found = self.set_answers(s, ask, dry)
        if not found:
            self.nothing(frame, ask, player)
            return None
        if question.may:
            found.append(Answer("decline"))
        elif len(found) == 1 and (self.told is None or self.trying):  # who branches looks at every position
            self.take(s, found[0])
            return None
        return Offer(player, frame.rule, ask, None, tuple(found), partial)

    def leads_on(self, s: State, ask: ir.Ask, dry: Dry, value: Any) -> bool:
        return self.completes(s, dry.with_answer(ask, value), self.asked(s, ask.question, dry.slots))

    def nothing(self, frame: Frame, ask: ir.Ask, player: int) -> None:
        if ask.otherwise < 0:
            raise RulesError(
                f"seat {player + 1} must choose '{ask.question.name}', and there is nothing to choose",
                span=ask.span,
                hint=NO_OPTION_HINT,
            )
        frame.locals[ask.question.slot] = None
        frame.block = ask.otherwise

    def take(self, s: State, answer: Answer) -> None:
        """Give an answer to the question on top of the stack."""
        s.offer = None
        frame = s.stack[-1]
        ask = self.lowered_rules[frame.rule].blocks[frame.block].end
        assert isinstance(ask, ir.Ask)
        slot = ask.question.slot
        partial: Any = frame.locals[slot] or ()
        match answer.what:
            case "value":
                frame.locals[slot] = answer.value
                frame.block = ask.then
            case "add":
                frame.locals[slot] = (*partial, answer.value)
            case "stop":
                order = {item: place for place, item in enumerate(self.ev(s, ask.question.source, frame.locals))}
                frame.locals[slot] = tuple(sorted(partial, key=lambda item: order[item]))
                frame.block = ask.then
            case _:
                frame.locals[slot] = None
                frame.block = ask.otherwise

    # -------------------------------------------------------------------- sets

    def set_answers(self, s: State, ask: ir.Ask, dry: Dry) -> tuple[tuple[Any, ...] | None, list[Answer]]:
        """Few sets are listed; many are asked for piece by piece, in one order, so that each is reached once."""
        question, slots = ask.question, dry.slots
        partial: Any = slots[question.slot]
        pool = self.classes(s, question, dry, slots)
        maximum = self.layout.components.limits.listed
        if question.mode == "minimal":
            minimum = self.minimum(s, question, slots, pool)
            works = [n for n in sorted(minimum, reverse=True) if self.leads_on(s, ask, dry, pool.pick(n))]
            slots[question.slot] = partial
            if partial is None and len(works) <= maximum:
                return None, [Answer("value", pool.pick(counts)) for counts in works]
            return self.steps_among(pool, works, partial or ())
        low, high = self.bounds(s, question, pool, slots)
        if low > sum(pool.sizes) or high < low:
            return None, []
        maximum = min(maximum, MAX_ITEMS // max(sum(pool.sizes), 1))  # large sets are not spelt out by the hundred
        wanted = self.wanted(s, question, pool, (low, high), slots[:])
        if partial is None and sets.how_many(pool.sizes, low, high, maximum, wanted) <= maximum:
            chosen = [pool.pick(counts) for counts in sets.all_sets(pool.sizes, low, high, wanted=wanted)]
            tested = self.is_all(question, wanted)
            return None, [Answer("value", value) for value in chosen if self.works(s, ask, dry, value, tested)]
        return self.steps_through(s, ask, dry, pool, (low, high), wanted, partial or ())

    def wanted(
        self, s: State, question: checked.Question, pool: Pool, bounds: tuple[int, int], slots: Locals
    ) -> list[ReachableTotals]:
        """The totals that the condition of a set states, so that only sets that have them are looked through."""
        known = self.known_totals.get(id(question))
        if known is None:
            known = self.known_totals[id(question)] = (question, stated_totals(question, self.defines))
        found = []
        for one in known[1]:
            try:
                other = self.ev(s, one.other, slots)
                parts = [[*accumulate(self.parts_of(s, one, members, slots), initial=0)] for members in pool.members]
            except RulesError:  # of a piece that the rest of the condition may leave out: whoever tests it will tell
                continue
            found.append(ReachableTotals(parts, bounds, one.op, other, self.tick))
        return found

    def parts_of(self, s: State, total: StatedTotal, members: Sequence[Any], slots: Locals) -> list[int]:
        """What each of these adds to a total."""
        for call in total.within:
            own: Locals = [None] * self.defines[call.define].slots
            own[0] = slots[0]
            for place, argument in enumerate(call.arguments):
                own[1 + place] = self.ev(s, argument, slots)
            slots = own
        gather, slots, found = total.gather, slots[:], []
        self.tick(len(members) * turn_cost(gather))
        for item in members:
            slots[gather.slot] = item
            adds = gather.where is None or self.ev(s, gather.where, slots)
            part = self.unit if total.counts else self.ev(s, gather.body, slots) if adds and gather.body else 0
            found.append(part if adds else 0)
        return found

    def is_all(self, question: checked.Question, wanted: Sequence[ReachableTotals]) -> bool:
        """Whether these totals are all that a condition tests."""
        return bool(wanted) and len(wanted) == len(conditions(question.where)) and all(one.known for one in wanted)

    def works(self, s: State, ask: ir.Ask, dry: Dry, value: Any, tested: bool = False) -> bool:
        """Whether a set fits, unless that was tested, and leads on."""
        return (tested or self.fits(s, ask.question, dry.slots[:], value)) and self.leads_on(s, ask, dry, value)

    def minimum(self, s: State, question: checked.Question, slots: Locals, pool: Pool) -> Iterator[sets.Counts]:
        """The sets of a `minimal` question."""
        return sets.minimal_sets(pool.sizes, lambda n: self.fits(s, question, slots, pool.pick(n)), self.tick)

    def steps_among(
        self, pool: Pool, works: list[sets.Counts], partial: tuple[Any, ...]
    ) -> tuple[tuple[Any, ...], list[Answer]]:
        """The next piece of a set that is one of these."""
        had = pool.counts(partial)
        last = max((i for i, n in enumerate(had) if n), default=0)
        open_sets = [n for n in works if n[:last] == had[:last] and all(a >= b for a, b in zip(n, had, strict=True))]
        found = [Answer("stop")] if had in open_sets else []
        for place in range(last, len(pool.sizes)):
            if any(n[place] > had[place] and n[last:place] == had[last:place] for n in open_sets):
                found.append(Answer("add", pool.members[place][had[place]]))
        return partial, found

    def steps_through(
        self,
        s: State,
        ask: ir.Ask,
        dry: Dry,
        pool: Pool,
        bounds: tuple[int, int],
        wanted: Sequence[ReachableTotals],
        partial: tuple[Any, ...],
    ) -> tuple[tuple[Any, ...], list[Answer]]:
        """One more piece, from the class of the last on, if some set is reached that way; or stop where one is."""
        low, high = bounds
        had = pool.counts(partial)
        last = max((i for i, n in enumerate(had) if n), default=0)
        tested = self.is_all(ask.question, wanted)
        complete = low <= len(partial) <= high and self.works(s, ask, dry, pool.pick(had))
        found = [Answer("stop")] if complete else []
        for place in range(last, len(pool.sizes)):
            if had[place] < pool.sizes[place]:
                more = (*had[:place], had[place] + 1, *had[place + 1 :])
                reach = sets.all_sets(pool.sizes, low, high, more, place, wanted)
                if any(self.works(s, ask, dry, pool.pick(counts), tested) for counts in reach):
                    found.append(Answer("add", pool.members[place][had[place]]))
        return partial, found
