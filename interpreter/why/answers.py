"""Why something is on offer, why it is not, and what a score is made of: answers for one seat, as data."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from itertools import islice, product
from typing import Any

from interpreter.errors import AnswerError, PlayError, RulesError
from interpreter.ir.lower import lower
from interpreter.outcome import ScoreSheet, exact_number
from interpreter.plain.laws import table_winners
from interpreter.plain.machine import PlainMachine
from interpreter.plain.questions import item_type
from interpreter.plain.reader import at_question
from interpreter.state.labels import Shown, answer_key, show_value
from interpreter.state.layout import Layout
from interpreter.state.random import seeded
from interpreter.state.state import State
from interpreter.state.visibility import sees_piece
from interpreter.why.clause_text import clause_text
from interpreter.why.explainer import Explainer
from interpreter.why.model import Cause, Change, ScorePart, ScoreTerm, Source, Why, WhyNot, WhyRule, WhyWon
from interpreter.why.universe import values_of
from interpreter.why.ways import Blamed, Noted, Way
from warlock_dsl import Ruleset, nodes, overlay_of
from warlock_dsl import types as t
from warlock_dsl.check import program as checked
from warlock_dsl.tables.components import Cite

Explain = Callable[[Explainer, State, str], tuple[object, bool]]  # an answer, and whether hidden things were read
MAX_ARGUMENTS = 200  # sets of arguments of a rule that are looked at
WORLDS = 6  # deals that look the same to the player, in which the answer has to be the same


@lru_cache(maxsize=8)
def explainer_for(ruleset: Ruleset, players: int) -> Explainer:
    return Explainer(Layout(ruleset.program, ruleset.components, players), lower(ruleset.program))


# ------------------------------------------------------------------- candidates


def candidate(explainer: Explainer, s: State, key: str) -> Any:
    """The value that a key means at the question: any value of its type, or a set of them."""
    question, player = s.offer.ask.question, s.offer.player
    item = item_type(question)

    def one(word: str) -> Any:
        for value in values_of(explainer.layout, item):
            shown = show_value(explainer.layout, s, value, item, player, placed=True)
            if word in (shown.key(player), answer_key("value", shown, player)):
                return value
        raise AnswerError(f"'{word[:60]}' is nothing that '{question.name}' could be")

    if question.yes_no:
        return True
    if question.mode == "one":
        return one(key)
    if s.offer.partial is not None and (key == "stop" or "+" not in key.removeprefix("+")):
        return s.offer.partial if key == "stop" else (*s.offer.partial, one(key.removeprefix("+")))
    return tuple(one(word) for word in key.removeprefix("+").split("+")) if key != "none" else ()


def _listed(explainer: Explainer, s: State, key: str, value: Any) -> bool | None:
    """Of one more member of a set that is asked for piece by piece: whether it is among the options; else None."""
    if s.offer.partial is None or key == "stop" or "+" in key.removeprefix("+"):
        return None
    return explainer.may_be_added(s, value)


# ---------------------------------------------------------------------- answers


def why_not(ruleset: Ruleset, players: int, packed: dict[str, Any], key: str, seat: int | None = None) -> WhyNot:
    """Why a key is not among the options of the question that waits. It tells what the asked player may know."""
    explainer = explainer_for(ruleset, players)
    state = at_question(explainer, packed)
    if state.offer is None:
        return WhyNot("", key, -1 if seat is None else seat, False, reason="over")
    player, question = state.offer.player, explainer.question(state)
    if seat not in (None, player):
        return WhyNot(question, key, player, False, reason="not_asked")
    found, tainted = _explained(explainer, state, key)
    if tainted and not found.offered and _differs(explainer, state, key, found, _explained):
        return WhyNot(question, key, player, False, hides=True)
    return found


def _differs(explainer: Explainer, s: State, key: str, found: object, explain: Explain) -> bool:
    """Whether the answer is another one in a deal that looks the same to the player who is asked."""
    for seed in range(WORLDS):
        try:
            _, other = explainer.redeal(s, s.offer.player, seeded(seed))
            explainer.run(other)
            if explain(explainer, other, key)[0] != found:
                return True
        except PlayError:
            return True
    return False


def _explained(explainer: Explainer, s: State, key: str) -> tuple[WhyNot, bool]:
    ask, player, question = s.offer.ask, s.offer.player, explainer.question(s)
    if key == "decline":
        offered = ask.question.may
        return WhyNot(question, key, player, offered, reason="offered" if offered else "must"), False
    value = candidate(explainer, s, key)
    listed = _listed(explainer, s, key, value)
    with explainer.seen_by(player):
        if explainer.attempt(s, ask, value, ()) if listed is None else listed:
            return WhyNot(question, key, player, True, reason="offered"), explainer.tainted
        if listed is False and explainer.completed(s, ask, value) is not None:
            return WhyNot(question, key, player, False, reason="order"), explainer.tainted
        ways = explainer.ways(s, ask, value) or explainer.breaking(s, ask, value)
        told = list(dict.fromkeys(causes_of(explainer, s, way, player) for way in ways))
        first, others = (told[0], tuple(told[1:])) if told else ((), ())
        reason = "" if told else "unknown"
        changes = _one_step(explainer, s, ways, value, player)
        return WhyNot(question, key, player, False, first, others, False, reason, changes), explainer.tainted


def _one_step(explainer: Explainer, s: State, ways: Sequence[Way], value: Any, player: int) -> tuple[Change, ...]:
    figures = explainer.figures_in(one.node for way in ways for one in way if one.removal.what != "limit")
    questions = [one.node for way in ways for one in way if one.removal.what == "limit"]
    figures += explainer.figures_in((node.low, node.high) for node in questions)
    show = explainer.layout, s
    return tuple(
        Change(
            f"{figure.group}.{figure.name}",
            show_value(*show, figure.value, figure.type, player),
            show_value(*show, step, figure.type, player),
        )
        for figure, step in explainer.one_step(s, s.offer.ask, value, figures)
    )


def why(ruleset: Ruleset, players: int, packed: dict[str, Any], key: str) -> Why:
    """Why an option is on offer: what holds, and has to."""
    explainer = explainer_for(ruleset, players)
    state = at_question(explainer, packed)
    if state.offer is None:
        raise AnswerError("no question is open: the game is over")
    player = state.offer.player
    if key == "decline":
        return Why(explainer.question(state), key, player, ())
    found, tainted = _upheld(explainer, state, key)
    if tainted and _differs(explainer, state, key, found, _upheld):
        return Why(explainer.question(state), key, player, (), hides=True)
    return found


def _upheld(explainer: Explainer, s: State, key: str) -> tuple[Why, bool]:
    ask, player = s.offer.ask, s.offer.player
    value = candidate(explainer, s, key)
    with explainer.seen_by(player):
        if _listed(explainer, s, key, value):
            value = explainer.completed(s, ask, value) or value  # it is on offer for the sake of a set that it leads to
        if not explainer.attempt(s, ask, value, ()):
            raise AnswerError(f"'{key[:60]}' is not on offer; ask why not")
        holds = causes_of(explainer, s, tuple(explainer.needed(s, ask, value)), player)
        return Why(explainer.question(s), key, player, holds), explainer.tainted


def causes_of(explainer: Explainer, s: State, way: Way, player: int) -> tuple[Cause, ...]:
    asking = explainer.lowered_rules[s.stack[-1].rule].address
    return tuple(_cause(explainer, s, one, player, asking) for one in way)


def _cause(explainer: Explainer, s: State, blamed: Blamed, player: int, asking: str) -> Cause:
    home, node = explainer.homes[blamed.removal.key], blamed.node
    names, values = _locals(explainer, s, blamed, player, home)
    if blamed.removal.what == "limit":
        text, kind = node.name, "limit"
    else:
        text = clause_text(explainer.layout, node, names)
        kind = "member" if blamed.removal.what == "without" else blamed.removal.what
        if isinstance(node, checked.Binary) and blamed.slots and kind == "clause":
            values = {**values, **_sides(explainer, s, node, blamed, player, names)}
    chain = tuple(dict.fromkeys((asking, *blamed.path, home)))
    layer = overlay_of(node.span).removeprefix(" (overlay ").removesuffix(")")
    wanted = blamed.removal.wanted if blamed.removal.what == "clause" else True
    return Cause(
        kind, chain, text, tuple(values.items()), node.span, bool(wanted), blamed.distance, layer,
        _sources(explainer, home),
    )  # fmt: skip


def _locals(
    explainer: Explainer, s: State, blamed: Blamed, player: int, home: str
) -> tuple[dict[int, str], dict[str, Shown]]:
    """What the slots of a clause are called: as in the rule, or by their value where they have no name."""
    lowered = next((one for one in explainer.lowered_rules if one.address == home), None)
    known = dict(lowered.names) if lowered is not None else {}
    names, values = {0: "me"}, dict[str, Shown]()
    for node in nodes(blamed.node):
        if isinstance(node, checked.Local) and node.slot < len(blamed.slots):
            value = blamed.slots[node.slot]
            if value is None:
                continue
            shown = show_value(explainer.layout, s, value, node.type, player)
            if node.slot == 0:
                names[0] = "me" if value == player else shown.key(player)
                continue
            if node.slot not in known and shown.what == "player" and value == player:
                names[node.slot] = "me"
                continue
            name = known[node.slot][0] if node.slot in known else shown.key(player)
            names[node.slot] = name
            values[name] = shown
        elif isinstance(node, checked.Local) and node.slot in known:
            names[node.slot] = known[node.slot][0]
    return names, values


def _sides(
    explainer: Explainer, s: State, node: checked.Binary, blamed: Blamed, player: int, names: dict[int, str]
) -> dict[str, Shown]:
    found = {}
    for side in (node.left, node.right):
        if isinstance(side, checked.Const | checked.Local):
            continue
        try:
            value = explainer.ev(s, side, list(blamed.slots))
        except RulesError:
            continue
        name = clause_text(explainer.layout, side, names)
        found[name] = show_value(explainer.layout, s, value, side.type, player)
    return found


def _sources(explainer: Explainer, home: str) -> tuple[Source, ...]:
    program = explainer.layout.program
    declared: tuple[checked.Rule | checked.Define, ...] = (*program.rules, *program.defines)
    return next((_cited(explainer, one.cites) for one in declared if one.address == home), ())


def _cited(explainer: Explainer, cites: Sequence[Cite]) -> tuple[Source, ...]:
    ledger = explainer.layout.components.ledger
    found = []
    for cite in cites:
        for id in cite.ids:
            row = ledger.get(id)
            more = () if row is None else (row.says, tuple(row.at.items()))
            found.append(Source(id, cite.standing, *more))
    return tuple(found)


# ----------------------------------------------------------------------- scores


def why_score(
    ruleset: Ruleset, players: int, packed: dict[str, Any], player: int, viewer: int
) -> tuple[ScorePart, ...]:
    """The parts of a player's score, and what each is the sum of."""
    explainer = explainer_for(ruleset, players)
    state = explainer.unpack(packed, trusted=True)
    explainer.work, found = 0, []
    for score in ruleset.program.scores:
        slots: list[Any] = [None] * score.slots
        slots[0] = player
        with explainer.seen_by(-1 if state.winners is not None else viewer):
            points = explainer.ev(state, score.value, slots)
        sources = _cited(explainer, score.cites)
        if explainer.tainted:
            found.append(ScorePart(score.name, Shown("none"), (), score.span, sources, hides=True))
            continue
        value = show_value(explainer.layout, state, points, score.value.type, viewer)
        terms = tuple(_term(explainer, state, one, slots, player, viewer) for one in _added(score.value))
        found.append(ScorePart(score.name, value, terms, score.span, sources))
    return tuple(found)


def _added(e: checked.Expr) -> tuple[checked.Expr, ...]:
    return (*_added(e.left), *_added(e.right)) if isinstance(e, checked.Binary) and e.op == "+" else (e,)


def _term(explainer: Explainer, s: State, e: checked.Expr, slots: list[Any], player: int, viewer: int) -> ScoreTerm:
    """A term; where it adds something for each of several things, what each of them adds."""
    layout, value = explainer.layout, explainer.ev(s, e, slots)
    items: list[tuple[Any, Any]] = []
    kind: t.Type | None = None
    if isinstance(e, checked.Primitive) and len(e.arguments) == 1 and isinstance(e.arguments[0], checked.Gather):
        gather, own = e.arguments[0], slots[:]
        kind = gather.source.type.item if isinstance(gather.source.type, t.ListType) else None
        if gather.body is not None and isinstance(gather.body.type, t.NumberType):
            items = [(item, explainer.ev(s, gather.body, own)) for item in explainer.turns(s, gather, own)]
    if sum(adds for _, adds in items) != value:
        items = []
    told = [
        (show_value(layout, s, one, kind or t.UNKNOWN, viewer), show_value(layout, s, adds, e.type, viewer))
        for one, adds in items
    ]
    text = clause_text(layout, e, {0: "me" if viewer == player else f"seat{player}"})
    return ScoreTerm(text, show_value(layout, s, value, e.type, viewer), tuple(told))


def scores_seen(ruleset: Ruleset, players: int, packed: dict[str, Any], viewer: int) -> tuple[ScoreSheet | None, ...]:
    """The points of each seat as far as a viewer can know them; None where they hang on what he does not see."""
    explainer = explainer_for(ruleset, players)
    state = explainer.unpack(packed, trusted=True)
    found: list[ScoreSheet | None] = []
    for seat in range(players):
        with explainer.seen_by(viewer):
            parts = explainer.parts(state, seat)
        shown = zip(ruleset.program.scores, parts, strict=True)
        sheet = ScoreSheet({one.name: exact_number(part, explainer.unit) for one, part in shown},
                           exact_number(sum(parts), explainer.unit))  # fmt: skip
        found.append(None if explainer.tainted else sheet)
    return tuple(found)


# ------------------------------------------------------------- rules and winners


def why_rule(ruleset: Ruleset, players: int, packed: dict[str, Any], address: str) -> WhyRule:
    """Whether whoever is asked could carry out a rule now, with any arguments; if not, what is nearest in the way."""
    explainer = explainer_for(ruleset, players)
    state = at_question(explainer, packed)
    if state.offer is None:
        raise AnswerError("no question is open: the game is over")
    number = next((n for n, rule in enumerate(ruleset.program.rules) if rule.address == address), None)
    if number is None:
        raise AnswerError(f"there is no rule '{address[:60]}'")
    found, tainted = _rule(explainer, state, number)
    if tainted:
        for seed in range(WORLDS):
            try:
                _, other = explainer.redeal(state, state.offer.player, seeded(seed))
                explainer.run(other)
                same = _rule(explainer, other, number)[0] == found
            except PlayError:
                same = False
            if not same:
                return WhyRule(address, state.offer.player, False, hides=True)
    return found


def _rule(explainer: Explainer, s: State, number: int) -> tuple[WhyRule, bool]:
    rule, player, layout = explainer.layout.program.rules[number], s.offer.player, explainer.layout
    kinds = [kind for _, kind in rule.parameters]
    choices = islice(product(*(_known(explainer, s, kind, player) for kind in kinds)), MAX_ARGUMENTS)
    nearest: tuple[Any, ...] | None = None
    with explainer.seen_by(player):
        for arguments in choices:
            explainer.work, noted = 0, Noted()
            constants = tuple(checked.Const(v, k, rule.span) for v, k in zip(arguments, kinds, strict=True))
            call = checked.Can(checked.Target(number, None, ()), constants, t.TRUTH, rule.span)
            with explainer.noting(noted), explainer.within(rule.address):
                can = PlainMachine.can(explainer, s, call, [player])
            shown = tuple(show_value(layout, s, v, k, player, True) for v, k in zip(arguments, kinds, strict=True))
            if can:
                return WhyRule(rule.address, player, True, shown), explainer.tainted
            way = tuple(sorted(noted.values(), key=lambda one: (one.fixed, one.distance)))[:3]
            far = min((one.distance for one in way), default=99)
            if nearest is None or far < nearest[0]:
                nearest = far, shown, way
        if nearest is None:
            return WhyRule(rule.address, player, False), explainer.tainted
        causes = causes_of(explainer, s, nearest[2], player)
        return WhyRule(rule.address, player, False, nearest[1], causes), explainer.tainted


def _known(explainer: Explainer, s: State, kind: t.Type, player: int) -> list[Any]:
    """The values of a type that a player can see: of pieces those that he can name."""
    if isinstance(kind, t.ListType):
        return [()]
    values = values_of(explainer.layout, kind)
    if not isinstance(kind, t.PieceType):
        return list(values)
    return [piece for piece in values if sees_piece(explainer.layout, s, piece, player)]


def why_won(ruleset: Ruleset, players: int, packed: dict[str, Any]) -> WhyWon:
    """Which `finish` of the rules gives the winners, and what it compares."""
    explainer = explainer_for(ruleset, players)
    state = explainer.unpack(packed, trusted=True)
    if state.winners is None:
        raise AnswerError("nobody has won yet: the game is not over")
    for rule in ruleset.program.rules:
        for node in nodes(rule.body):
            if isinstance(node, checked.Finish):
                told = _finish(explainer, state, rule, node)
                if told is not None:
                    return told
    return WhyWon(state.winners)


def _finish(explainer: Explainer, s: State, rule: checked.Rule, node: checked.Finish) -> WhyWon | None:
    slots: list[Any] = [None] * rule.slots
    slots[0], explainer.work = 0, 0
    try:
        if table_winners(explainer.layout, explainer.ev(s, node.winners, slots), node.span) != s.winners:
            return None
        seats: tuple[Shown, ...] = ()
        if isinstance(node.winners, checked.Keyed):
            own = slots[:]
            seats = tuple(_compared(explainer, s, node.winners, own, seat) for seat in range(explainer.players))
    except (RulesError, TypeError):  # it reads names that are bound while it runs
        return None
    text = clause_text(explainer.layout, node.winners, {0: "me"})
    return WhyWon(s.winners or (), rule.address, text, node.span, seats, _cited(explainer, rule.cites))


def _compared(explainer: Explainer, s: State, e: checked.Keyed, slots: list[Any], seat: int) -> Shown:
    slots[e.slot] = seat
    return show_value(explainer.layout, s, explainer.ev(s, e.key, slots), e.key.type, -1)
