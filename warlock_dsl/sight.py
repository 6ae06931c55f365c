"""Who sees what, as the tables say it: the words of `sees` and `count`, and what they promise whatever is played.

Nobody else reads these words but `interpreter/state/visibility`, which says what they mean at a moment of a game.
"""

from __future__ import annotations

from collections.abc import Mapping

from warlock_dsl.tables.components import Components, Variable, Zone

Variables = Mapping[tuple[str, str], Variable]

# Each word that says who sees something, and whether it takes an owner. Any other is the name of a variable.
VALUE_WORDS = {"all": False, "owner": True, "others": True, "none": False}
PIECES_WORDS = {**VALUE_WORDS, "top": False}
COUNT_WORDS = {"all": False, "owner": True}


def seen_by_all(thing: Zone | Variable) -> bool:
    """Whether everybody sees what lies in a zone, or the value of a variable, whatever is played."""
    return thing.sees == "all" and not (isinstance(thing, Zone) and thing.hidden_by)


def seen_by_nobody(thing: Zone | Variable) -> bool:
    return thing.sees == "none"


def seen_by_owner_alone(thing: Zone | Variable) -> bool:
    return thing.sees == "owner"


def top_is_seen(zone: Zone) -> bool:
    """Whether a zone is a pile of which everybody sees the top, and nothing below it."""
    return zone.sees == "top"


def opens(before: Zone, after: Zone) -> bool:
    """Whether a piece that goes from one zone to the other is seen by more: by all, or by all others."""
    if seen_by_all(before) or top_is_seen(before) or before.number == after.number:
        return False
    return after.sees in ("all", "top", "others") and not after.hidden_by


def counted_by_all(zone: Zone) -> bool:
    """Whether everybody sees how many pieces lie in a zone."""
    return zone.counted_by == "all"


def surely_sees(thing: Zone | Variable, own: bool, top: bool = False) -> bool:
    """Whether a player is certain to see something: `own` if it is his, `top` if it is the last piece of a zone."""
    if isinstance(thing, Zone) and thing.hidden_by:
        return False
    return thing.sees == "all" or (thing.sees == "owner" and own) or (thing.sees == "top" and top)


def keeps_secrets(components: Components) -> bool:
    """Whether a piece that somebody sees may have variables, or hold a number of pieces, that he does not see."""
    held = [variable for variable in components.variables.values() if variable.owner in components.kinds]
    owned = [zone for zone in components.zones.values() if zone.owner in components.kinds]
    return not all(map(seen_by_all, held)) or not all(map(counted_by_all, owned))


def viewers(thing: Zone | Variable, variables: Variables) -> Variable | None:
    """The variable that says who sees something: of its owner, else of the game; None where a word says it."""
    if thing.sees in PIECES_WORDS:
        return None
    return variables.get((thing.owner, thing.sees)) or variables.get(("", thing.sees))


def read_by_sight(components: Components) -> set[tuple[str, str]]:
    """The variables, by owner and name, that say who sees something."""
    things: list[Zone | Variable] = [*components.zones.values(), *components.variables.values()]
    found = (viewers(thing, components.variables) for thing in things)
    hiders = {(kind, zone.hidden_by) for zone in components.zones.values() for kind in zone.kinds}
    return hiders | {(variable.owner, variable.name) for variable in found if variable is not None}


def sight_key(thing: Zone | Variable) -> str:
    """Who sees something, as its table has it."""
    return f'sees = "{thing.sees}"'


def sight_facts(thing: Zone | Variable) -> list[tuple[str, str]]:
    """What the tables say about who sees something, as `show` prints it."""
    more = [("counted by", thing.counted_by), ("hidden by", thing.hidden_by)] if isinstance(thing, Zone) else []
    return [("seen by", thing.sees), *more]
