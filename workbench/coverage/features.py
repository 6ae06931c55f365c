"""What of a ruleset can come up in play: rules, branches, definitions, questions, pieces, figures, sources.

Each has a name that every process gives it alike, a place in the files, and the reason where the ruleset rules it out.
"""

from __future__ import annotations

from collections.abc import Iterator

from attrs import frozen

from interpreter import DryRuns, Layout, class_name, lower, successors
from interpreter.ir import blocks as ir
from warlock_dsl import Ruleset, Span, nodes
from warlock_dsl import types as t
from warlock_dsl.check import program as checked
from warlock_dsl.tables.components import Components

SORTS = ("rule", "branch", "definition", "score", "question", "option", "piece", "figure", "source")


@frozen
class Feature:
    """`sort` is one of SORTS; `what` says in words what it is; `ruled_out` why it cannot come up, or ""."""

    name: str
    sort: str
    what: str
    span: Span
    ruled_out: str = ""


def way_name(span: Span, way: str) -> str:
    """The name of a way out of a place in the rules."""
    return f"{span.file}:{span.line}:{span.column} {way}"


WAYS = {
    "yes": "the condition holds", "no": "the condition does not hold", "turn": "at least one turn", "body": "as it is",
    "instead": "something else instead", "taken": "answered", "declined": "declined", "nothing": "nothing to choose",
}  # fmt: skip


def features(ruleset: Ruleset) -> list[Feature]:
    """Everything that can be told before a game is played, in the order of the files."""
    found = [*_rules(ruleset), *menus(ruleset), *_values(ruleset), *_tables(ruleset.components), *_sources(ruleset)]
    unique = {(feature.sort, feature.name): feature for feature in reversed(found)}
    order = {sort: place for place, sort in enumerate(SORTS)}
    return sorted(unique.values(), key=lambda f: (order[f.sort], f.span.file, f.span.line, f.span.column, f.name))


# ----------------------------------------------------------------------- rules


def _rules(ruleset: Ruleset) -> Iterator[Feature]:
    dead = unreachable(ruleset)
    for lowered in lower(ruleset.program):
        why = dead.get(lowered.rule, "")
        yield Feature(lowered.address, "rule", f"rule {lowered.address}", lowered.span, why)
        for end, shut in _ends(lowered):
            yield from _ways(lowered, end, why or shut)


def _ends(lowered: ir.LoweredRule) -> Iterator[tuple[ir.End, str]]:
    """How the blocks of a rule end, each with why it is never come to, or ""."""
    reached = {lowered.entry: ""}
    todo = [lowered.entry]
    while todo:
        number = todo.pop()
        end = lowered.blocks[number].end
        for to, shut in _leads(end):
            why = reached[number] or shut
            if to >= 0 and (to not in reached or (reached[to] and not why)):
                reached[to] = why
                todo.append(to)
    for number in sorted(reached):
        yield lowered.blocks[number].end, reached[number]


def _leads(end: ir.End) -> Iterator[tuple[int, str]]:
    """Where an end leads, and why it never does."""
    if isinstance(end, ir.Branch):
        said = folded(end.test)
        yield end.yes, told(end.test) if said is False else ""
        yield end.no, told(end.test) if said is True else ""
    else:
        for to in successors(end):
            yield to, ""


def _ways(lowered: ir.LoweredRule, end: ir.End, why: str) -> Iterator[Feature]:
    def way(word: str, shut: str = "") -> Feature:
        what = f"{lowered.address}, line {end.span.line}: {WAYS[word]}"
        return Feature(way_name(end.span, word), "branch", what, end.span, why or shut)

    match end:
        case ir.Branch():
            said = folded(end.test)
            yield way("yes", told(end.test) if said is False else "")
            yield way("no", told(end.test) if said is True else "")
        case ir.NextOf() | ir.Again():
            yield way("turn")
        case ir.Instead():
            yield way("body")
            yield way("instead")
        case ir.Ask():
            yield from _question(lowered, end, why)
            if end.otherwise >= 0:
                yield way("taken")
            if end.otherwise >= 0 and not (end.question.yes_no and DryRuns(()).sure(lowered, end.then)):
                yield way("nothing")
            if end.question.may:
                yield way("declined")


def _question(lowered: ir.LoweredRule, end: ir.Ask, why: str) -> Iterator[Feature]:
    address = f"{lowered.address}.{end.question.name}"
    yield Feature(address, "question", f"question {address}", end.span, why)


def menus(ruleset: Ruleset) -> Iterator[Feature]:
    """The lines of the menus: what a question about the members of a family may be answered with."""
    for lowered in lower(ruleset.program):
        for end, shut in _ends(lowered):
            kind = end.question.source.type if isinstance(end, ir.Ask) else None
            item = kind.item if isinstance(kind, t.ListType) else None
            if isinstance(end, ir.Ask) and isinstance(item, t.KeyType) and end.question.mode == "one":
                address = f"{lowered.address}.{end.question.name}"
                for key in ruleset.program.families[item.family].keys:
                    yield Feature(option_name(address, key), "option", f"{address}: {key}", end.span, shut)


def option_name(question: str, label: str) -> str:
    return f"{question} = {label}"


def unreachable(ruleset: Ruleset) -> dict[int, str]:
    """The rules that are never begun, each with the reason: settings bar the way, or nothing calls it."""
    program, lowered_rules = ruleset.program, lower(ruleset.program)
    reached = {program.start}
    todo = [program.start]
    barred: dict[int, str] = {}
    while todo:
        lowered = lowered_rules[todo.pop()]
        for end, shut in _ends(lowered):
            for rule in _called(end):
                if shut:
                    barred.setdefault(rule, shut)
                elif rule not in reached:
                    reached.add(rule)
                    todo.append(rule)
    missing = (rule for rule in range(len(lowered_rules)) if rule not in reached)
    return {rule: barred.get(rule, "no rule of this game calls it") for rule in missing}


def _called(end: ir.End) -> Iterator[int]:
    match end:
        case ir.Call():
            yield from (end.target.rule,) if end.target.key is None else end.target.members
        case ir.Instead():
            yield from (hook.rule for hook in end.hooks)


# --------------------------------------------------------------------- folding


def folded(e: checked.Expr) -> bool | None:
    """What a condition comes to whatever happens, since settings of the ruleset decide it; None: it depends."""
    match e:
        case checked.Const() | checked.FigureRef():
            return e.value if isinstance(e.value, bool) else None
        case checked.Not():
            inner = folded(e.of)
            return None if inner is None else not inner
        case checked.Binary(op="and"):
            both = (folded(e.left), folded(e.right))
            return False if False in both else True if both == (True, True) else None
        case checked.Binary(op="or"):
            both = (folded(e.left), folded(e.right))
            return True if True in both else False if both == (False, False) else None
        case checked.Binary(op="is"):
            if isinstance(e.left, checked.Const | checked.FigureRef) and isinstance(
                e.right, checked.Const | checked.FigureRef
            ):
                return e.left.value == e.right.value
    return None


def told(e: checked.Expr) -> str:
    """The settings that decide a condition, in words."""
    names = {f"{node.group}.{node.name}": node.value for node in nodes(e) if isinstance(node, checked.FigureRef)}
    words = [f"{name} is {str(value).lower()}" for name, value in names.items() if isinstance(value, bool)]
    return " and ".join(words) or "the condition never changes"


# ---------------------------------------------------------------------- values


def _values(ruleset: Ruleset) -> Iterator[Feature]:
    program = ruleset.program
    used = {node.define for root in (program.rules, program.scores, program.invariants) for node in _applied(root)}
    todo = list(used)
    while todo:
        for node in _applied(program.defines[todo.pop()]):
            if node.define not in used:
                used.add(node.define)
                todo.append(node.define)
    for number, define in enumerate(program.defines):
        if number in used:
            yield Feature(define.address, "definition", f"definition {define.address}", define.span)
    for score in program.scores:
        yield Feature(score.name, "score", f"part of the score {score.name}", score.span)
    roots = (program.rules, program.scores, tuple(program.defines[number] for number in sorted(used)))
    for value in nodes(roots):
        if isinstance(value, checked.Conditional):
            said = folded(value.test)
            for side in (True, False):
                shut = told(value.test) if said is (not side) else ""
                what = f"line {value.span.line}: {WAYS['yes' if side else 'no']}"
                yield Feature(way_name(value.span, "yes" if side else "no"), "branch", what, value.span, shut)


def _applied(root: object) -> Iterator[checked.Apply]:
    return (node for node in nodes(root) if isinstance(node, checked.Apply))


# ---------------------------------------------------------------------- tables


def class_of(layout: Layout, piece: int) -> str:
    """What pieces like this one go by: the name of the first of them."""
    return class_name(layout, piece)


def _tables(parts: Components) -> Iterator[Feature]:
    for (group, name), figure in parts.figures.items():
        address = f"{group}.{name}"
        yield Feature(address, "figure", f"figure {address}", figure.span, figure.idle)
    for kind in parts.kinds.values():
        spans = next(iter(kind.fields.values())).spans if kind.fields else (kind.span,) * len(kind.pieces)
        seen: dict[object, list[str]] = {}
        first: dict[object, int] = {}
        for place, piece in enumerate(kind.pieces):
            like = (kind.faces[place] if kind.faces else -1, *(column.values[place] for column in kind.fields.values()))
            seen.setdefault(like, []).append(piece)
            first.setdefault(like, place)
        for key, pieces in seen.items():
            what = pieces[0] if len(pieces) == 1 else f"{pieces[0]} and {len(pieces) - 1} like it"
            yield Feature(pieces[0], "piece", what, spans[first[key]])


def _sources(ruleset: Ruleset) -> Iterator[Feature]:
    for row in ruleset.components.ledger.values():
        yield Feature(row.id, "source", row.says, row.span, row.idle)
