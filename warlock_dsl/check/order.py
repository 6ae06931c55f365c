"""In which order definitions are typed: each after those it uses. Finds definitions that need themselves."""

from __future__ import annotations

from collections.abc import Mapping

from attrs import frozen

from warlock_dsl.syntax import tree as syntax
from warlock_dsl.syntax.walk import nodes


@frozen
class Order:
    """Names of definitions, the used before the user; each ring in the order of use; how long a chain each needs."""

    names: tuple[str, ...]
    rings: tuple[tuple[str, ...], ...]
    heights: Mapping[str, int]


def used_by(node: syntax.Define, known: Mapping[str, object]) -> tuple[str, ...]:
    """The definitions that a definition uses, in reading order. No local may hide one, so a word is enough."""
    own = {parameter.name.text for parameter in node.parameters}
    words = (inner.text for inner in nodes(node.value) if isinstance(inner, syntax.Name))
    return tuple(dict.fromkeys(word for word in words if word in known and word not in own))


def ordered(defines: Mapping[str, syntax.Define]) -> Order:
    """Goes down from each definition without recursion, so that a long chain is no danger."""
    uses = {name: used_by(node, defines) for name, node in defines.items()}
    done: dict[str, int] = {}
    rings: list[tuple[str, ...]] = []
    ringed: set[str] = set()  # one ring is told of each definition, not all there are
    for root in defines:
        waiting = [] if root in done else [(root, iter(uses[root]))]
        path = [name for name, _ in waiting]
        while waiting:
            name, rest = waiting[-1]
            following = next(rest, None)
            if following is None:
                waiting.pop()
                path.pop()
                done[name] = 1 + max((done.get(used, 0) for used in uses[name]), default=0)
            elif following in path:
                if following not in ringed and name not in ringed:
                    rings.append(tuple(path[path.index(following) :]))
                    ringed.update(rings[-1])
            elif following not in done:
                waiting.append((following, iter(uses[following])))
                path.append(following)
    return Order(tuple(done), tuple(rings), done)
