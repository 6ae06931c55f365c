"""Whether the order of overlays matters: every order is checked, and where two orders differ a game is looked for."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import combinations, permutations
from typing import Any

from attrs import asdict, frozen

from interpreter import PlayError
from interpreter.state import random as chance
from warlock_dsl import Loaded, Ruleset, Severity, Stack, declaration_address, declaration_text, overlay_of
from workbench.diff.describe import moment
from workbench.diff.lockstep import Lockstep

MAX_ALL = 4  # overlays of which every order is checked; of more, any two next to each other, in either order
MAX_DECISIONS = 150  # of one game
GAMES = 20  # that are played to find a witness

Load = Callable[[str], Loaded]
Order = tuple[int, ...]  # overlays by their place in the given stack


@frozen
class Change:
    """Something that another order of two overlays changes: what, where, and how it is in either order."""

    what: str
    at: str
    one: str
    other: str


@frozen
class Seen:
    """The moment at which two orders part in a game."""

    players: int
    seed: int
    decisions: int
    kind: str
    text: str


@frozen
class PairOfOverlays:
    """Two overlays of a stack, in either order. `verdict` is same, differs (there is a witness), unseen (there is
    none), one (only the first of the two orders loads) or none (neither does)."""

    names: tuple[str, str]
    orders: tuple[str, str]
    verdict: str
    changes: tuple[Change, ...] = ()
    error: str = ""  # why the second order does not load
    seen: Seen | None = None
    games: int = 0

    def lines(self) -> Iterator[str]:
        """The result as text."""
        one, other = self.names
        match self.verdict:
            case "same":
                yield f"{one}, {other}: the order does not matter"
                return
            case "one":
                yield f"{one}, {other}: only {self.orders[0]} loads; the other way round, {self.error}"
                return
            case "none":
                yield f"{one}, {other}: neither order loads; {self.error}"
                return
        yield f"{one}, {other}: {'the order matters' if self.seen else 'the order makes a difference in the rules'}"
        for change in self.changes:
            yield f"  {change.what} {change.at}: {change.one}; the other way round, {change.other}"
        if self.seen is None:
            yield f"  no difference found in {self.games} games"
        else:
            seen = self.seen
            yield f"  {seen.players} players, seed {seen.seed}, after {seen.decisions} decisions: {seen.text}"


@frozen
class Orders:
    """All orders of a stack that were tried, and what was found for each pair of overlays."""

    stack: str
    tried: int
    loading: int
    pairs: tuple[PairOfOverlays, ...]

    @property
    def matters(self) -> bool:
        """Whether a game shows that the order matters."""
        return any(pair.verdict == "differs" for pair in self.pairs)

    def data(self) -> dict[str, Any]:
        """The result as JSON has it."""
        return {
            "tried": self.tried,
            "loading": self.loading,
            "matters": self.matters,
            "pairs": [*map(asdict, self.pairs)],
        }

    def text(self) -> str:
        head = f"{self.stack}: {self.loading} of {self.tried} orders load"
        return "\n".join((head, *(line for pair in self.pairs for line in pair.lines())))


def permuted(stack: Stack, load: Load, games: int = GAMES) -> Orders:
    """Check a stack in other orders. Two orders that differ by the exchange of two neighbours are compared."""
    orders = list(dict.fromkeys(orders_of(len(stack.uses))))
    loaded = {order: load(named(stack, order)) for order in orders}
    pairs = tuple(_pair(stack, loaded, one, other, games) for one, other in combinations(range(len(stack.uses)), 2))
    sound = sum(found.ruleset is not None for found in loaded.values())
    return Orders(str(stack), len(orders), sound, pairs)


def orders_of(overlays: int) -> Iterator[Order]:
    """The orders that are tried, the given one first."""
    given = tuple(range(overlays))
    if overlays <= MAX_ALL:
        yield from permutations(given)
        return
    yield given
    for one, other in combinations(given, 2):
        others = [place for place in given if place != other]
        beside = (*others[: one + 1], other, *others[one + 1 :])
        yield beside
        yield exchanged(beside, one, other)


def exchanged(order: Order, one: int, other: int) -> Order:
    """An order with two overlays in each other's place."""
    return tuple(other if place == one else one if place == other else place for place in order)


def named(stack: Stack, order: Order) -> str:
    return str(Stack(stack.base, tuple(stack.uses[place] for place in order)))


def _pair(stack: Stack, loaded: Mapping[Order, Loaded], one: int, other: int, games: int) -> PairOfOverlays:
    """What the order of two overlays does: shown by two orders that both load, if there are such, in which the two
    are next to each other, so that nothing else is in another order."""
    candidates = [
        (order, exchanged(order, one, other)) for order in loaded if order.index(other) == order.index(one) + 1
    ]
    candidates = [(a, b) for a, b in candidates if b in loaded]
    names = (stack.uses[one].name, stack.uses[other].name)
    sound = {order for order, found in loaded.items() if found.ruleset is not None}
    for a, b in candidates:
        if a in sound and b in sound:
            return _compared(names, (named(stack, a), named(stack, b)), loaded[a], loaded[b], games)
    half = [(a, b) if a in sound else (b, a) for a, b in candidates if a in sound or b in sound]
    a, b = (half or candidates)[0]
    error = next(one for one in loaded[b].diagnostics if one.severity is Severity.ERROR)
    orders = (named(stack, a), named(stack, b))
    return PairOfOverlays(names, orders, "one" if half else "none", error=f"{error.code}, {error.message}")


def _compared(
    names: tuple[str, str], orders: tuple[str, str], one: Loaded, other: Loaded, games: int
) -> PairOfOverlays:
    changes = tuple(differences(one, other))
    if not changes:
        return PairOfOverlays(names, orders, "same")
    assert one.ruleset is not None and other.ruleset is not None
    for game in range(games):
        parts = one.ruleset.components
        players = parts.min_players + game % (parts.max_players - parts.min_players + 1)
        seen = first_divergence(one.ruleset, other.ruleset, players, game, orders)
        if seen is not None:
            return PairOfOverlays(names, orders, "differs", changes, seen=seen, games=game + 1)
    return PairOfOverlays(names, orders, "unseen", changes, games=games)


# ------------------------------------------------------------------ in the rules


def differences(one: Loaded, other: Loaded) -> Iterator[Change]:
    """What differs between two orders of the same overlays, the order of declarations aside where it means nothing."""
    ours, theirs = _said(one), _said(other)
    for at in sorted(ours.keys() | theirs.keys()):
        now, then = ours.get(at, ""), theirs.get(at, "")
        if now != then:
            yield Change(at[0], at[1], now or "nothing", then or "nothing")


def _said(loaded: Loaded) -> dict[tuple[str, str], str]:
    """All that a stack says, by what and where it is."""
    assert loaded.ruleset is not None and loaded.final is not None
    found: dict[tuple[str, str], str] = {}
    program = loaded.ruleset.program
    for rule in program.rules:
        rules = [hook for hook in rule.hooks if hook.rule >= 0]
        hooks = [hook for when in ("before", "instead", "after") for hook in rules if hook.when == when]
        found["hooks on", rule.address] = ", ".join(
            f"{hook.when} '{program.rules[hook.rule].address}'{overlay_of(hook.span)}"
            for hook in hooks
            if hook.rule >= 0
        )
    for family in program.families.values():
        found["the order of", family.name] = ", ".join(family.keys)
    for module in loaded.final.modules:
        for declaration in module.declarations:
            found["the text of", declaration_address(declaration)] = declaration_text(declaration).strip()
    found.update((("the tables at", at), text) for at, text in _leaves(loaded.final.tree, ()))
    found.update((("the pieces of", file), text) for file, text in loaded.final.pieces.items())
    for language, texts in loaded.final.names.items():
        found.update((("the name of", f"{language}.{key}"), entry.text) for key, entry in texts.items())
    warned = sorted({f"{one.code} {one.message}" for one in loaded.diagnostics})
    found["what is told of", "the stack"] = "; ".join(warned)
    return found


def _leaves(value: Any, path: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    """The values of a document by their addresses, and the order of the rows of each table."""
    if not isinstance(value, dict):
        yield ".".join(path), str(value)
        return
    if path and path[-1] == "rows":
        yield ".".join(path), ", ".join(value)
    for key, inner in value.items():
        yield from _leaves(inner, (*path, str(key)))


# --------------------------------------------------------------------- in a game


def first_divergence(one: Ruleset, other: Ruleset, players: int, seed: int, names: tuple[str, str]) -> Seen | None:
    """The moment at which a game of random answers differs between two rulesets; None if it does not."""
    try:
        pair = Lockstep.begin(one, other, players, seed, scored=False)
    except PlayError:
        return None  # neither begins, or only the second, which the other way round is seen
    dice = chance.seeded(seed + 1)
    for decisions in range(MAX_DECISIONS):
        divergence = pair.divergence()
        if divergence is not None:
            return Seen(players, seed, decisions, divergence.kind, moment(pair, divergence, names).what)
        if pair.old.over:
            return None
        dice, pick = chance.below(dice, pair.old.option_count)
        try:
            pair.choose(pick)
        except PlayError as error:
            if pair.error is not None:
                return None  # both break down
            text = f"{names[0]} breaks down: {error}"
            return Seen(players, seed, decisions + 1, "error", text)
    return None
