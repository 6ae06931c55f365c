"""Product code counted in statements, for two revisions: `python -m benchmarks.statements [REVISION [REVISION]]`.

A Python statement is a statement of the syntax tree that is not a docstring; a C statement ends in a semicolon or opens
a block. Comments, layout and long lines do not count, so that the figure cannot be made smaller by writing closer.
"""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path

PACKAGES = ("warlock_dsl", "interpreter", "workbench", "warlock_rules")
HERE = "."  # the working tree
BEFORE = "de3fa10"  # 0.3.0
COMMENT = re.compile(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\])*"', re.DOTALL)


def statements(name: str, text: str) -> int:
    """How many statements a file has."""
    if name.endswith(".py"):
        found = [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.stmt)]
        return sum(1 for node in found if not does_nothing(node))
    bare = COMMENT.sub("", text)
    return bare.count(";") + bare.count("{")


def does_nothing(node: ast.stmt) -> bool:
    """A docstring, or the dots that stand for the body of a declaration."""
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def files(revision: str) -> list[str]:
    listing = ["git", "ls-files"] if revision == HERE else ["git", "ls-tree", "-r", "--name-only", revision]
    names = subprocess.run([*listing], check=True, capture_output=True, text=True).stdout.splitlines()
    return [name for name in names if name.startswith(PACKAGES) and name.endswith((".py", ".c", ".h"))]


def read(revision: str, name: str) -> str:
    if revision == HERE:
        return Path(name).read_text(encoding="utf-8")
    return subprocess.run(["git", "show", f"{revision}:{name}"], check=True, capture_output=True, text=True).stdout


def count(revision: str) -> Counter[str]:
    """Statements by package, Python and C apart."""
    found: Counter[str] = Counter()
    for name in files(revision):
        if revision == HERE and not Path(name).exists():
            continue
        language = "Python" if name.endswith(".py") else "C"
        found[f"{name.partition('/')[0]} ({language})"] += statements(name, read(revision, name))
    return found


def main() -> int:
    before, after = [*sys.argv[1:], *(BEFORE, HERE)[len(sys.argv) - 1 :]][:2]
    try:
        counts = count(before), count(after)
    except subprocess.CalledProcessError:
        print(f"{before} is not in the history of this checkout: nothing to compare with", file=sys.stderr)
        return 2
    print(f"{'':28}{before:>10}{after:>10}")
    for name in sorted(counts[0] | counts[1]):
        print(f"{name:28}{counts[0][name]:10}{counts[1][name]:10}")
    print(f"{'in all':28}{counts[0].total():10}{counts[1].total():10}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
