"""What differs between two rulesets as they are written: addresses, gathered into the differences they carry out."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from attrs import evolve, frozen

from warlock_dsl import Loaded, Ruleset, Unit, by_preference, derive
from warlock_dsl.syntax import tree as syntax
from warlock_dsl.tables import components as model
from warlock_dsl.tables.components import Cite, Components
from workbench.diff.model import Change, Difference, Reading
from workbench.inspect.addresses import every_entry
from workbench.support.errors import UsageError

SIGHT = ("sees", "count", "hidden_by")  # the keys of zones and variables that say who sees what
DECLARED = ("replace", "declare", "drop", "move")
WORD = re.compile(r"\w+")


@frozen
class Strand:
    """A difference, and the units that make it: what is laid on the first ruleset to have it alone.

    What speaks of a new row of a table is laid on that row (`on`): so row, rules and score are seen one by one.
    """

    difference: Difference
    units: tuple[Unit, ...]
    on: tuple[Unit, ...] = ()


def strands(a: Loaded, b: Loaded) -> tuple[Strand, ...]:
    """Every difference of two rulesets of one game: those of the documents in their order, then all others."""
    old, new = _sound(a), _sound(b)
    same_game(a, b)
    known = {**old.components.differences, **new.components.differences}
    cites = cites_by_address(a, old), cites_by_address(b, new)
    units = derive(a, b)
    rows = _new_rows(units, old, new)
    groups = _grouped(units, known, rows)
    ledger = {**new.components.ledger, **old.components.ledger}
    about = _abouts(old, new)
    order = {id: number for number, id in enumerate(known)}
    found = _on_rows([_strand(id, units, known, ledger, cites, about) for id, units in groups.items()], rows)
    return tuple(sorted(found, key=lambda strand: order.get(strand.difference.id, len(order))))


def same_game(a: Loaded, b: Loaded) -> None:
    """Two stacks on one game can be compared, and a game with an edited copy of itself; nothing else."""
    old, new = _sound(a), _sound(b)
    if a.name == b.name:
        return
    one, other = ({rule.address for rule in ruleset.program.rules} for ruleset in (old, new))
    if 2 * len(one & other) < max(len(one), len(other)):
        raise UsageError(f"{old.name} and {new.name} are different games: only stacks of one game can be compared")


def _sound(loaded: Loaded) -> Ruleset:
    if loaded.ruleset is None:
        raise ValueError(f"{loaded.name} has errors and cannot be compared")
    return loaded.ruleset


# --------------------------------------------------------------------- groups


def _new_rows(units: Sequence[Unit], old: Ruleset, new: Ruleset) -> dict[str, str]:
    """By its name, the address of every row that the second ruleset adds to a table of the first."""
    found = {}
    for unit in units:
        table, _, row = unit.target.partition(".")
        if unit.verb == "add" and table in old.components.tables and row in new.components.tables[table].rows:
            found[row] = unit.target
    return found


def _on_rows(found: Sequence[Strand], rows: Mapping[str, str]) -> list[Strand]:
    """A row stands with empty rules for what every row must have; what speaks of it is laid on that."""
    strands_ = []
    for strand in found:
        others = [other for other in found if other is not strand]
        own = _stood(strand, others, rows)
        below = [other for other in others if not own and _speaks_of_row(strand, other, rows)]
        on = tuple(unit for other in below for unit in _stood(other, [o for o in found if o is not other], rows))
        strands_.append(Strand(strand.difference, own or strand.units, on))
    return strands_


def _stood(strand: Strand, others: Sequence[Strand], rows: Mapping[str, str]) -> tuple[Unit, ...]:
    """The units of a new row, with an empty rule for each member of a family that is for it; none for anything else."""
    names = [name for name, target in rows.items() if any(unit.target == target for unit in strand.units)]
    members = [
        evolve(unit, now=evolve(unit.now, body=None))
        for other in others
        for unit in other.units
        if unit.verb == "declare" and "." in unit.target and unit.target.rpartition(".")[2] in names
        and isinstance(unit.now, syntax.Rule) and unit.now.key is not None
    ]  # fmt: skip
    return (*strand.units, *members) if names else ()


def _speaks_of_row(strand: Strand, other: Strand, rows: Mapping[str, str]) -> bool:
    names = [name for name, target in rows.items() if any(unit.target == target for unit in other.units)]
    words = {word for unit in strand.units for word in (*WORD.findall(unit.now_text), *unit.target.split("."))}
    return any(name in words for name in names)


def _grouped(
    units: Sequence[Unit], known: Mapping[str, model.Difference], rows: Mapping[str, str]
) -> dict[str, list[Unit]]:
    """Units by the difference they carry out, and whatever cites none by what it hangs together with: something new or
    gone, and all that speaks of it. Texts of the catalogues that belong to nothing are one difference a language."""
    carried = {carrier.partition(": ")[2]: id for id, one in known.items() for carrier in one.carried}
    played = [unit for unit in units if not unit.target.startswith("names.")]
    cited = [_cited(unit, known, carried) for unit in played]
    heads = list(range(len(played)))

    def head(number: int) -> int:
        while heads[number] != number:
            number = heads[number]
        return number

    for one, first in enumerate(played):
        for other, second in enumerate(played):
            alike = cited[one] and cited[one] == cited[other]
            loose = not (cited[one] and cited[other]) and _speaks_of(first, second, rows)
            if one != other and (alike or loose):
                heads[max(head(one), head(other))] = min(head(one), head(other))
    clusters: dict[int, list[int]] = {}
    for number in range(len(played)):
        clusters.setdefault(head(number), []).append(number)
    groups: dict[str, list[Unit]] = {}
    for members in clusters.values():
        id = next((cited[number] for number in members if cited[number]), "") or _head(played[n] for n in members)
        groups.setdefault(id, []).extend(played[number] for number in members)
    for unit in units:
        if unit.target.startswith("names."):
            _, language, key = unit.target.split(".", 2)
            groups.setdefault(_spoken_of(key, groups) or f"names.{language}", []).append(unit)
    return groups


def _cited(unit: Unit, known: Mapping[str, model.Difference], carried: Mapping[str, str]) -> str:
    """The difference of the documents that a unit carries out, or none."""
    found = [id for id in unit.ids if id in known]
    return found[0] if found else carried.get(unit.target.removeprefix("figure."), "")


def _speaks_of(one: Unit, other: Unit, rows: Mapping[str, str]) -> bool:
    """Whether one unit names what the other brings in or takes away. A rule that names a new row is not one with it."""
    if other.verb not in ("add", "declare", "remove", "drop"):
        return False
    if other.target.rpartition(".")[2] in rows and (other.target not in rows.values() or one.verb in DECLARED):
        return False
    text = one.now_text if other.verb in ("add", "declare") else one.was_text
    return other.target.rpartition(".")[2] in WORD.findall(text)


def _head(units: Iterable[Unit]) -> str:
    """The address that stands for several: a rule that is changed, else one that is new, else a value."""
    order = ("replace", "declare", "drop")
    return min(units, key=lambda unit: order.index(unit.verb) if unit.verb in order else len(order)).target


def _spoken_of(key: str, groups: Mapping[str, Sequence[Unit]]) -> str:
    """The difference that has what a text of the catalogues is about, or none."""
    best, length = "", 0
    for id, units in groups.items():
        for target in (unit.target for unit in units if not unit.target.startswith("names.")):
            kind, _, rest = target.partition(".")
            names = (target, f"{kind}.{rest.rpartition('.')[2]}") if kind == "variable" else (target,)
            for name in names:
                fits = any(part == name or part.startswith(f"{name}.") for part in (key, key.partition(".")[2]))
                if fits and len(name) > length:
                    best, length = id, len(name)
    return best


def _strand(
    id: str,
    units: Sequence[Unit],
    known: Mapping[str, model.Difference],
    ledger: Mapping[str, model.LedgerRow],
    cites: Sequence[Mapping[str, Sequence[Cite]]],
    about: Mapping[str, str],
) -> Strand:
    said = known.get(id)
    ids = [*(said.rules if said is not None else ()), *(cited for unit in units for cited in unit.ids)]
    if said is None:
        ids += [cited for unit in units for table in cites for cite in table.get(unit.target, ()) for cited in cite.ids]
    rules = tuple(dict.fromkeys(cited for cited in ids if cited in ledger))
    changes = tuple(_change(unit) for unit in units)
    difference = Difference(
        id,
        said.title if said is not None else _title(units, about),
        said.kind if said is not None else _kind(changes),
        rules,
        (Reading((1,), changes),),
        says=said.says if said is not None else {},
    )
    return Strand(difference, tuple(units))


def _change(unit: Unit) -> Change:
    kind = "rule" if unit.verb in DECLARED else "value"
    if unit.target.startswith(("names.", "look.")):
        kind = "name"
    elif unit.target.startswith(("zone.", "variable.")) and unit.target.rpartition(".")[2] in SIGHT:
        kind = "visibility"
    return Change(unit.target, unit.verb, kind, unit.was_text, unit.now_text)


def _kind(changes: Iterable[Change]) -> str:
    """What a difference is that no document speaks of: the gravest of its changes."""
    found = {change.kind for change in changes}
    return next(kind for kind in ("rule", "value", "visibility", "name") if kind in found)


def _title(units: Sequence[Unit], about: Mapping[str, str]) -> str:
    """What an overlay says of itself, where this difference is its doing: several changes, or the only one it makes."""
    played = [unit.target.removeprefix("figure.") for unit in units if not unit.target.startswith("names.")]
    layers = {about[target] for target in played if target in about}
    if len(layers) != 1:
        return ""
    (said,) = layers
    alone = {target for target, other in about.items() if other == said and not target.startswith("names.")}
    return said if len(played) > 1 or alone <= set(played) else ""


def _abouts(*rulesets: Ruleset) -> dict[str, str]:
    """By address, what the overlay says of itself that alone changed it."""
    found: dict[str, str] = {}
    for ruleset in rulesets:
        for layer in ruleset.layers:
            for change in layer.changes:
                target = change.target.removeprefix("figure.")
                found[target] = layer.about if found.get(target, layer.about) == layer.about else ""
    return found


def cites_by_address(loaded: Loaded, ruleset: Ruleset) -> dict[str, tuple[Cite, ...]]:
    """By address, what a ruleset rests it on: for a change that names no source, what it changes does."""
    modules = loaded.final.modules if loaded.final is not None else None
    return {entry.address: tuple(entry.cites) for entry in every_entry(ruleset, loaded.sources, modules)}


def titled(components: Components, lang: str = "en") -> str:
    """What a game is called in a language, else in English, else in another one."""
    found = (components.names[language].get("game") for language in by_preference(components.names, lang))
    return next((entry.text for entry in found if entry is not None), components.name)
