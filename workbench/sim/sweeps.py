"""Families of rulesets: an overlay's parameter run through its values, and a stack taken apart overlay by overlay."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import combinations, permutations, product

from attrs import evolve, frozen

from warlock_dsl import Loaded, Stack, Use, parse_stack
from workbench.support.errors import UsageError

MAX_BRANCHES = 64
MAX_SHAPLEY = 4  # overlays whose subsets are all played: sixteen rulesets

SWEEP = re.compile(r"\s*(?P<overlay>[^.=]+)\.(?P<parameter>[a-z_][a-z0-9_]*)\s*=\s*(?P<values>.+?)\s*\Z")
SPAN = re.compile(r"(?P<first>-?[0-9]{1,6})\.\.(?P<last>-?[0-9]{1,6})\Z")
Load = Callable[[str], Loaded | None]
"""Loads a stack by its name; None where it has errors."""


@frozen
class Sweep:
    """A parameter of an overlay, and the values it is to have."""

    overlay: str
    parameter: str
    values: tuple[str, ...]


def sweep_from(text: str) -> Sweep:
    """A span of whole numbers, `overlay.limit=1..4`, or values one by one, `overlay.limit=0.5,1,2`."""
    found = SWEEP.match(text)
    if found is None:
        raise UsageError(f"'{text[:60]}' is no sweep: write OVERLAY.PARAMETER=1..4, or =1,2,4")
    values: list[str] = []
    for word in found["values"].split(","):
        span = SPAN.match(word.strip())
        if span is None:
            values.append(word.strip())
        elif int(span["last"]) - int(span["first"]) >= MAX_BRANCHES:
            raise UsageError(f"'{word.strip()}' are more than {MAX_BRANCHES} rulesets")
        else:
            values += map(str, range(int(span["first"]), int(span["last"]) + 1))
    if not values or "" in values:
        raise UsageError(f"'{text[:60]}' sweeps over nothing")
    if len(set(values)) != len(values):
        raise UsageError(f"'{text[:60]}' has a value twice")
    return Sweep(found["overlay"].strip(), found["parameter"], tuple(values))


def swept(ruleset: str, sweeps: Sequence[Sweep]) -> list[tuple[tuple[str, ...], str]]:
    """The rulesets of a sweep with the values of each: every combination, if several parameters are swept.

    An overlay that the stack has already gets the parameter where it stands; another is laid on top.
    """
    stack = stack_from(ruleset)
    if len({(one.overlay, one.parameter) for one in sweeps}) != len(sweeps):
        raise UsageError("a parameter is swept twice")
    found = []
    for values in product(*(one.values for one in sweeps)):
        made = stack
        for one, value in zip(sweeps, values, strict=True):
            made = _with(made, one, value)
        found.append((values, str(made)))
    if len(found) > MAX_BRANCHES:
        raise UsageError(f"that sweep makes {len(found)} rulesets; there may be {MAX_BRANCHES}")
    return found


def _with(stack: Stack, sweep: Sweep, value: str) -> Stack:
    uses = list(stack.uses)
    places = [place for place, use in enumerate(uses) if use.name == sweep.overlay]
    if not places:
        return evolve(stack, uses=(*uses, Use(sweep.overlay, {sweep.parameter: value})))
    for place in places:
        uses[place] = evolve(uses[place], given={**uses[place].given, sweep.parameter: value})
    return evolve(stack, uses=tuple(uses))


def stack_from(name: str) -> Stack:
    stack = parse_stack(name)
    if isinstance(stack, str):
        raise UsageError(stack)
    return stack


# ---------------------------------------------------------------- attribution


@frozen
class Steps:
    """How the share of each overlay of a stack is found: which rulesets are played, and what each counts for.

    `weights` has, for each overlay, a factor for each ruleset; the factors of all overlays together are 1 for the whole
    stack and -1 for the bare game, so that the shares add up to what the whole stack does.
    """

    overlays: tuple[str, ...]
    rulesets: tuple[str, ...]  # the bare game first, the whole stack last
    weights: tuple[tuple[float, ...], ...]
    shapley: bool


def steps_of(ruleset: str, load: Load) -> Steps:
    """Up to four overlays: each one's Shapley value, its effect averaged over all orders in which the overlays can be
    laid on (an overlay that needs another comes after it). More: each one's effect on those below it in the stack."""
    stack = stack_from(ruleset)
    count = len(stack.uses)
    if not count:
        raise UsageError(f"{ruleset} has no overlays whose shares could be told")
    if count <= MAX_SHAPLEY:
        subsets = [chosen for size in range(count + 1) for chosen in combinations(range(count), size)]
    elif count < MAX_BRANCHES:
        subsets = [tuple(range(size)) for size in range(count + 1)]
    else:
        raise UsageError(f"a stack of {count} overlays is too high")
    named = {chosen: _part(stack, chosen) for chosen in subsets}
    sound = [chosen for chosen in subsets if load(named[chosen]) is not None]
    orders = list(_orders(count, set(sound)))
    if not orders:
        raise UsageError(f"the overlays of {ruleset} cannot be laid on one after another: none of the orders is sound")
    index = {chosen: place for place, chosen in enumerate(sound)}
    weights = [[0.0] * len(sound) for _ in range(count)]
    for order in orders:
        for place, overlay in enumerate(order):
            weights[overlay][index[tuple(sorted(order[: place + 1]))]] += 1 / len(orders)
            weights[overlay][index[tuple(sorted(order[:place]))]] -= 1 / len(orders)
    needed = [n for n in range(len(sound)) if any(abs(row[n]) > 1e-12 for row in weights)]
    return Steps(
        tuple(map(str, stack.uses)),
        tuple(named[sound[n]] for n in needed),
        tuple(tuple(row[n] for n in needed) for row in weights),
        count <= MAX_SHAPLEY and len(orders) > 1,
    )


def _part(stack: Stack, chosen: Sequence[int]) -> str:
    """The stack with some of its overlays, in their order."""
    return str(evolve(stack, uses=tuple(stack.uses[place] for place in chosen)))


def _orders(count: int, sound: set[tuple[int, ...]]) -> Iterator[tuple[int, ...]]:
    """The orders in which the overlays can be laid on, each step of them a sound ruleset."""
    orders = permutations(range(count)) if count <= MAX_SHAPLEY else iter([tuple(range(count))])
    for order in orders:
        if all(tuple(sorted(order[:size])) in sound for size in range(count + 1)):
            yield order
