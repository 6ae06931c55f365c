"""Which forms of the language random rulesets have: statements, hooks, laws, sets, primitives, blocks of rules."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import get_args

from interpreter.ir import blocks as ir
from interpreter.ir.lower import lower
from warlock_dsl import nodes
from warlock_dsl.check import program as checked
from warlock_dsl.primitives import RECORDS
from warlock_dsl.ruleset import Ruleset

STATEMENTS = frozenset(f"statement {one.__name__}" for one in get_args(checked.Stmt))
MODES = frozenset(f"question {mode}" for mode in ("one", "count", "some", "minimal", "yes or no", "may", "by"))
HOOKS = frozenset(
    f"{what} {when}"
    for what, when in (
        *(("hook", when) for when in ("before", "after", "instead")),
        ("law", "before"),
        ("law", "after"),
    )
)
LAWS = frozenset({"law of the game", "law of the end"})
EXPRESSIONS = frozenset(f"expression {one.__name__}" for one in get_args(checked.Expr))
BLOCKS = frozenset(f"block {one.__name__}" for one in (*get_args(ir.Step), *get_args(ir.End)))
PRIMITIVES = frozenset(f"primitive {name}" for name in RECORDS if name not in ("me", "my"))
COMMON = STATEMENTS | MODES | HOOKS | LAWS  # in at least one of a hundred rulesets
KNOWN = COMMON | EXPRESSIONS | BLOCKS | PRIMITIVES


def features(ruleset: Ruleset) -> Iterator[str]:
    """Every form that a ruleset has, as often as it has it; the standard library aside where it is not called."""
    program = ruleset.program
    statements, expressions = get_args(checked.Stmt), get_args(checked.Expr)
    for node in nodes(program):
        if isinstance(node, statements):
            yield f"statement {type(node).__name__}"
        elif isinstance(node, expressions):
            yield f"expression {type(node).__name__}"
        if isinstance(node, checked.Primitive | checked.Keyed):
            yield f"primitive {node.name}"
        elif isinstance(node, checked.Question):
            yield f"question {'yes or no' if node.yes_no else node.mode}"
            yield from ["question may"] if node.may else []
            yield from ["question by"] if node.by is not None else []
        elif isinstance(node, checked.HookRef):
            yield f"{'law' if node.law else 'hook'} {node.when}"
            yield from ["statement Ensure"] if node.law else []
    yield from ["law of the game"] * len(program.invariants)
    yield from ["law of the end"] * len(program.endings)
    for lowered in lower(program):
        for block in lowered.blocks:
            yield f"block {type(block.end).__name__}"
            yield from (f"block {type(step).__name__}" for step in block.steps)


class Coverage:
    """In how many rulesets each form was met."""

    def __init__(self) -> None:
        self.rulesets = 0
        self.found: Counter[str] = Counter()

    def add(self, ruleset: Ruleset) -> None:
        self.rulesets += 1
        self.found.update(set(features(ruleset)))

    def lacking(self) -> list[str]:
        """The forms that are too rare: common ones in less than 1 %, any other never."""
        rare = [name for name in COMMON if self.found[name] * 100 < self.rulesets]
        return sorted(rare + [name for name in KNOWN - COMMON if not self.found[name]])

    def report(self) -> str:
        shares = sorted((self.found[name] / max(self.rulesets, 1), name) for name in KNOWN)
        return "\n".join(f"{share:7.2%}  {name}" for share, name in shares)
