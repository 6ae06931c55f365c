"""Whole-program checks of the rules: what is never used, what can never run, what the ledger lacks."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence

from warlock_dsl.check import program as checked
from warlock_dsl.check.context import CheckInput
from warlock_dsl.check.lint_data import warning
from warlock_dsl.check.names import in_library
from warlock_dsl.check.rule_summary import called_by, summaries
from warlock_dsl.check.texts.lint_figures import words_in_texts
from warlock_dsl.diagnostics.diagnostic import Diagnostic, Related, Span
from warlock_dsl.syntax.walk import nodes, nodes_of_program
from warlock_dsl.tables.components import Cite, LedgerRow, Ruling

# ------------------------------------------------------------------- in use


def _rule_calls(node: object) -> set[int]:
    found: set[int] = set()
    for inner in nodes(node):
        if isinstance(inner, checked.Target):
            found.update(called_by(inner))
    return found


def _defines_in(node: object) -> set[int]:
    return {inner.define for inner in nodes(node) if isinstance(inner, checked.Apply)}


def _reach(roots: set[int], edges: Sequence[set[int]]) -> set[int]:
    seen = set(roots)
    waiting = sorted(roots)
    while waiting:
        for following in sorted(edges[waiting.pop()] - seen):
            seen.add(following)
            waiting.append(following)
    return seen


def check_use(given: CheckInput) -> Iterator[Diagnostic]:
    """Rules and definitions that are never used, and hooks that can never run."""
    program, doubtful = given.program, given.suspects.words
    defines = _reach_defines(program, given.properties)
    calls = [_rule_calls(rule.body) for rule in program.rules]
    hooks = [rule.hooks for rule in program.rules]
    laws = (program.invariants, program.endings, tuple(given.properties))
    fixed = _rule_calls((program.scores, laws, hooks, [program.defines[n] for n in sorted(defines)]))
    hooked = [{ref.rule for ref in rule.hooks if ref.rule >= 0} for rule in program.rules]
    alive = _reach({program.start}, [one | other for one, other in zip(calls, hooked, strict=True)])
    every_hook = {number for number, rule in enumerate(program.rules) if rule.hooked}
    used = _reach({program.start} | every_hook | fixed, calls)
    yield from _dead_hooks(program, alive, doubtful)
    for number, rule in enumerate(program.rules):
        spared = rule.hooks or rule.name in doubtful or in_library(rule.span)
        if number not in used and not spared:
            yield warning(
                "W401",
                f"rule '{rule.address}' is never used",
                rule.span,
                "nothing calls it",
                "call it, hang something on it, or take it away",
            )
    told = words_in_texts(given.components)
    for number, define in enumerate(program.defines):
        spared = define.address in doubtful or define.address in told or in_library(define.span)
        if number not in defines and not spared:
            yield warning(
                "W401",
                f"definition '{define.address}' is never used",
                define.span,
                "nothing reads it",
                "use it or take it away",
            )


def _reach_defines(program: checked.Program, properties: Sequence[object]) -> set[int]:
    edges = [_defines_in(define.value) for define in program.defines]
    return _reach(
        _defines_in((program.rules, program.scores, program.invariants, program.endings, tuple(properties))), edges
    )


def _dead_hooks(program: checked.Program, alive: set[int], doubtful: Collection[str]) -> Iterator[Diagnostic]:
    for number, target in enumerate(program.rules):
        for ref in target.hooks:
            if isinstance(ref.where, checked.Const) and ref.where.value is False:
                yield warning(
                    "W402",
                    "this can never run: its condition is always false",
                    ref.where.span,
                    "always false",
                    "change the condition, or take this away",
                )
            elif number not in alive and target.name not in doubtful:
                yield warning(
                    "W402",
                    f"this hangs on '{target.address}', which is never called",
                    ref.span,
                    "can never run",
                    "call that rule, or take this away",
                    Related(target.span, "never called"),
                )


def check_idle_calls(given: CheckInput) -> Iterator[Diagnostic]:
    """Calls of rules that only give a value, which nobody takes."""
    rules = given.program.rules
    givers = [number for number, rule in enumerate(rules) if rule.gives is not None]
    known = summaries(rules) if givers else []
    idle = {number for number in givers if known[number].asks is None and known[number].acts is None}
    for node in nodes(rules) if idle else ():
        if not isinstance(node, checked.Do) or node.slot >= 0:
            continue
        if idle.issuperset(called_by(node.target)):
            name = rules[called_by(node.target)[0]].name
            yield warning(
                "W404",
                f"nothing comes of this: '{name}' only gives a value, and nobody takes it",
                node.span,
                "the value is dropped",
                f"write let x = {name}(...), or take the call away",
            )


# ---------------------------------------------------------------- the ledger


def _cited(cites: Iterable[Cite]) -> dict[str, Span]:
    """Every id that is named as a source, with the first place."""
    found: dict[str, Span] = {}
    for cite in cites:
        for id_ in cite.ids:
            found.setdefault(id_, cite.span)
    return found


def check_ledger(given: CheckInput) -> Iterator[Diagnostic]:
    """Rules of the source documents that nothing carries out, rulings nobody follows, idle ones that are cited."""
    program, components = given.program, given.components
    excused = given.suspects.words | given.retired
    if not components.ledger and not components.rulings:
        return
    idle = {cite for figure in components.figures.values() if figure.idle for cite in figure.cites}
    cites = [node for node in nodes_of_program(program) if isinstance(node, Cite)] + [*components.marks]
    named = _cited(cites)
    done = _cited(cite for cite in cites if cite not in idle)  # nothing reads an idle figure
    entries: list[tuple[str, str, LedgerRow | Ruling]] = []
    entries += [("W440", f"rule '{row.id}' of the ledger", row) for row in components.ledger.values()]
    entries += [("W441", f"ruling '{ruling.id}'", ruling) for ruling in components.rulings.values()]
    for code, what, entry in entries:
        if entry.idle and entry.id in done:
            hint = "take 'idle' or the citation away"
            yield warning(
                "W442",
                f"{what} is called idle and is cited",
                entry.span,
                "idle",
                hint,
                Related(done[entry.id], "cited here"),
            )
        elif not entry.idle and entry.id not in named and entry.id not in excused:
            mark = "printed" if code == "W440" else "assumed"
            hint = f"cite it where it is carried out, as in @{mark} \"{entry.id}\", or say in 'idle' why nothing does"
            yield warning(code, f"{what} is cited by nothing", entry.span, "nothing carries it out", hint)
