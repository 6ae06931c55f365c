"""What calling a rule does, through its calls and hooks: does it ask, does it act, does it ask after acting?"""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Iterator, Sequence

from attrs import frozen

from warlock_dsl.check import program as checked
from warlock_dsl.diagnostics.diagnostic import Diagnostic, Related, Span
from warlock_dsl.memo import kept_by_identity
from warlock_dsl.syntax.walk import nodes

MAX_TURNS = 20  # how often the places in the summary of one rule may change


@frozen
class Summary:
    """The first question, the first effect and the first loop that a call runs; a question after an effect."""

    asks: Span | None = None
    acts: Span | None = None
    loops: Span | None = None
    late: tuple[Span, Span] | None = None  # the effect, then the question
    together: Span | None = None  # a together block
    chance: Span | None = None  # a roll or a shuffle

    def then(self, other: Summary) -> Summary:
        """This, and the other after it."""
        crossing = None if self.acts is None or other.asks is None else (self.acts, other.asks)
        return Summary(
            self.asks or other.asks,
            self.acts or other.acts,
            self.loops or other.loops,
            self.late or crossing or other.late,
            self.together or other.together,
            self.chance or other.chance,
        )

    def either(self, other: Summary) -> Summary:
        """One of the two."""
        return Summary(
            self.asks or other.asks,
            self.acts or other.acts,
            self.loops or other.loops,
            self.late or other.late,
            self.together or other.together,
            self.chance or other.chance,
        )


def called_by(target: checked.Target) -> tuple[int, ...]:
    """The rules a call may mean."""
    return target.members if target.key is not None else (target.rule,)


def targets(node: object) -> Iterator[int]:
    """The rules that something may call, those behind `can` aside."""
    for inner in nodes(node):
        if isinstance(inner, checked.Do):
            yield from called_by(inner.target)


@kept_by_identity(8)  # several checks of one program ask for it
def summaries(rules: Sequence[checked.Rule]) -> tuple[Summary, ...]:
    """A summary of each rule, found by going round until nothing changes.

    Rules that call one another in a ring could pass their places round for ever: after a few turns places are kept.
    """
    found = [Summary() for _ in rules]
    turns = [0] * len(rules)
    callers: list[set[int]] = [set() for _ in rules]
    for number, rule in enumerate(rules):
        for callee in targets(rule.body):
            callers[callee].add(number)
        for hook in rule.hooks:
            if hook.rule >= 0:
                callers[hook.rule].add(number)
    waiting = deque(range(len(rules)))
    queued = set(waiting)
    while waiting:
        number = waiting.popleft()
        queued.discard(number)
        summary = _of_rule(rules[number], found)
        turns[number] += 1
        if turns[number] > MAX_TURNS:
            summary = found[number].either(summary)
        if summary != found[number]:
            found[number] = summary
            for caller in sorted(callers[number] - queued):
                waiting.append(caller)
                queued.add(caller)
    return tuple(found)


def _of_rule(rule: checked.Rule, known: Sequence[Summary]) -> Summary:
    parts = {"before": Summary(), "instead": Summary(), "after": Summary()}
    for hook in rule.hooks:
        if hook.rule >= 0:
            parts[hook.when] = parts[hook.when].then(known[hook.rule])
    body = block(rule.body, known).either(parts["instead"])
    return parts["before"].then(body).then(parts["after"])


def block(statements: Sequence[checked.Stmt], known: Sequence[Summary]) -> Summary:
    """What statements do, one after another."""
    whole = Summary()
    for statement in statements:
        whole = whole.then(_of_statement(statement, known))
    return whole


def _of_statement(node: checked.Stmt, known: Sequence[Summary]) -> Summary:
    match node:
        case checked.Choose():
            rest = block(node.body, known).either(block(node.otherwise or (), known))
            return Summary(asks=node.questions[0].span).then(rest)
        case checked.If():
            return block(node.then, known).either(block(node.otherwise, known))
        case checked.For() | checked.Repeat():
            body = block(node.body, known)
            return (
                Summary(loops=node.span).then(body).then(body)
            )  # twice: what a turn asks follows the effects of the turn before
        case checked.Together():
            return Summary(loops=node.span, together=node.span).then(block(node.body, known))
        case checked.Do():
            called = Summary()
            for number in called_by(node.target):
                called = called.either(known[number])
            return called
        case checked.Require() | checked.Let() | checked.Give() | checked.Stop() | checked.Ensure():
            return Summary()
        case checked.Roll() | checked.Shuffle():
            return Summary(acts=node.span, chance=node.span)
        case _:
            return Summary(acts=node.span)


def check_would(root: object, rules: Sequence[checked.Rule], known: Sequence[Summary]) -> Iterator[Diagnostic]:
    """Every `would` of a rule that asks or rolls, itself or in what it calls and what hangs on it."""
    seen: set[Span] = set()
    for node in nodes(root):
        if not isinstance(node, checked.Would) or node.span in seen:
            continue
        seen.add(node.span)
        for number in called_by(node.target):
            asks, chance = known[number].asks, known[number].chance
            place = asks or chance
            if place is not None:
                does, label = ("asks", "asked here") if asks else ("leaves something to chance", "chance, here")
                yield Diagnostic(
                    "W340",
                    f"what would be after '{rules[number].address}' cannot be known: it {does}",
                    node.span,
                    "tried out here",
                    "try out a rule that only acts, and hand it the answer: would f(x): ...",
                    related=(Related(place, label),),
                )
                break


def check_together(rules: Sequence[checked.Rule], known: Sequence[Summary]) -> Iterator[Diagnostic]:
    """Together blocks in which a question follows an effect, or which hold another one."""
    for rule in rules:
        for node in nodes(rule.body):
            if not isinstance(node, checked.Together):
                continue
            scan = block(node.body, known)
            if scan.late is not None:
                effect, question = scan.late
                yield Diagnostic(
                    "W324",
                    "in a together block no question may follow an effect",
                    question,
                    "asked after something has happened",
                    "ask everything first, or act in a 'for' after the block",
                    related=(Related(effect, "the effect"), Related(node.span, "the together block")),
                )
            if scan.together is not None:
                yield Diagnostic(
                    "W325",
                    "a together block cannot stand inside another",
                    scan.together,
                    "the inner one",
                    "every seat already answers for itself",
                    related=(Related(node.span, "the outer one"),),
                )


# ------------------------------------------------------- what only one player learnt


def private_slots(body: Sequence[checked.Stmt], first: Collection[int] = ()) -> frozenset[int]:
    """The slots that hold what was rolled for one player alone, or what was made from it."""
    found = set(first)
    for node in nodes(body):
        match node:
            case checked.Roll() if node.by is not None and not first:
                found.add(node.slot)
            case checked.Let() if _reads(node.value, found):
                found.add(node.slot)
            case checked.Do() if node.slot >= 0 and _reads(node.arguments, found):
                found.add(node.slot)
    return frozenset(found)


def _reads(root: object, slots: Collection[int]) -> list[checked.Local]:
    return [node for node in nodes(root) if isinstance(node, checked.Local) and node.slot in slots] if slots else []


def check_private(rules: Sequence[checked.Rule], known: Sequence[Summary]) -> Iterator[Diagnostic]:
    """What was rolled for one player alone is not read once somebody may be asked, nor given to the caller: so no rule
    in progress needs a secret at a question."""
    for rule in rules:
        for statements in _blocks(rule.body):
            for place, node in enumerate(statements):
                if isinstance(node, checked.Roll) and node.by is not None:
                    yield from _after_roll(node, statements[place + 1 :], known)


def _after_roll(roll: checked.Roll, rest: Sequence[checked.Stmt], known: Sequence[Summary]) -> Iterator[Diagnostic]:
    private = private_slots(rest, (roll.slot,))
    asked: Span | None = None
    for node in rest:
        asked = asked or _of_statement(node, known).asks
        given = [one for inner in nodes(node) if isinstance(inner, checked.Give) for one in _reads(inner, private)]
        read = _reads(node, private) if asked else given
        if read:
            why = "a question would have to know it" if asked else "the caller would know it"
            places = [Related(roll.span, "rolled here"), *([Related(asked, "asked here")] if asked else [])]
            yield Diagnostic(
                "W344",
                f"only one player knows '{roll.name}': {why}",
                read[0].span,
                "a secret",
                'keep it in a variable that only he sees (sees = "owner"), and read that',
                related=tuple(places),
            )
            return


def _blocks(statements: Sequence[checked.Stmt]) -> Iterator[Sequence[checked.Stmt]]:
    """Statements, and all blocks within them."""
    yield statements
    for node in statements:
        match node:
            case checked.Choose():
                yield from _blocks(node.body)
                yield from _blocks(node.otherwise or ())
            case checked.If():
                yield from _blocks(node.then)
                yield from _blocks(node.otherwise)
            case checked.For() | checked.Together() | checked.Repeat():
                yield from _blocks(node.body)
            case _:
                pass
