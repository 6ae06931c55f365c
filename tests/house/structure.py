"""The rules of the layout, as functions of a folder: each gives what breaks it, as lines a person can act on."""

from __future__ import annotations

import ast
import keyword
import re
import tokenize
import tomllib
from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import groupby
from pathlib import Path

PACKAGES = ("warlock_dsl", "interpreter", "workbench", "warlock_rules")
MAX_MODULES = 22
MAX_LINES = 600

# Base names that may stand in several folders of a package: the part a module plays there, the same in each.
ROLES: Mapping[str, str] = {
    "machine": "the protocol, and the plain machine that is the meaning of it",
    "read": "from files to values",
    "run": "the whole of a tool, from its arguments to its result",
    "page": "a report as one page of HTML",
    "report": "a result as text and JSON",
    "model": "the values of a tool, and nothing else",
    "search": "looking for something among many games",
    "names": "what a name stands for",
    "bots": "who plays the games of a tool",
    "features": "what a tool counts or steers by",
    "shrink": "making a finding shorter",
    "statements": "one function a form of the syntax",
    "expressions": "one function a form of the syntax",
    "context": "what the functions of a stage share",
}
NOT_COUNTED = ("commands",)  # one file a command, called like the tool it runs

# What a package shows the others, beside its own name: modules that are used as a vocabulary (`checked.Rule`).
PUBLIC: Mapping[str, frozenset[str]] = {
    "warlock_dsl": frozenset(
        {
            "warlock_dsl",
            "warlock_dsl.types",
            "warlock_dsl.check.program",
            "warlock_dsl.syntax.tree",
            "warlock_dsl.tables.components",
            "warlock_dsl.tables.schema",
            "warlock_dsl.tables.toml_spans",
        }
    ),
    "interpreter": frozenset(
        {"interpreter", "interpreter.ir.blocks", "interpreter.state.random"}
    ),
    "workbench": frozenset({"workbench.cli"}),
}


def modules(root: Path, package: str) -> dict[str, Path]:
    """Every module of a package by its dotted name."""
    found = {}
    for path in sorted((root / package).rglob("*.py")):
        parts = path.relative_to(root).with_suffix("").parts
        found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


def imports(path: Path, known: Mapping[str, Path]) -> Iterator[tuple[int, str]]:
    """The line and the name of every module that a file imports, lazily or for types alone included."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield node.lineno, alias.name
        elif isinstance(node, ast.ImportFrom) and node.module:
            for alias in node.names:
                inner = f"{node.module}.{alias.name}"
                yield (
                    node.lineno,
                    inner if inner in known and not exports(known, node.module, alias.name) else node.module,
                )


def exports(known: Mapping[str, Path], package: str, name: str) -> bool:
    """Whether a package lists a name as its own, though a module of it may be called the same."""
    text = known[package].read_text(encoding="utf-8") if package in known else ""
    return re.search(rf"^__all__ = \[[^]]*\"{name}\"", text, re.MULTILINE) is not None


def cycles(root: Path, package: str) -> list[str]:
    """Modules that import one another, through however many others."""
    known = modules(root, package)
    graph = {name: {to for _, to in imports(path, known) if to in known and to != name} for name, path in known.items()}
    while free := {name for name, to in graph.items() if not to & graph.keys()}:
        graph = {name: to for name, to in graph.items() if name not in free}
    while ends := graph.keys() - {name for to in graph.values() for name in to}:
        graph = {name: to for name, to in graph.items() if name not in ends}
    return [f"{package}: these import one another: {', '.join(sorted(graph))}"] if graph else []


def base_names(root: Path, package: str) -> list[str]:
    """Base names with two meanings: in two folders of a package, and no role."""
    folders: dict[str, set[str]] = {}
    for name in modules(root, package):
        folder, _, base = name.rpartition(".")
        if folder and folder.rpartition(".")[2] not in NOT_COUNTED:
            folders.setdefault(base, set()).add(folder)
    clashes = {base: found for base, found in folders.items() if not_one_idea(base, found)}
    return [f"'{base}' means something in {', '.join(sorted(found))}" for base, found in sorted(clashes.items())]


def not_one_idea(base: str, folders: set[str]) -> bool:
    """A folder may hold the module it is called after (`check/check.py`)."""
    apart = {folder for folder in folders if f"{folder}.{base}" not in {f"{other}" for other in folders}}
    named_after = {folder for folder in folders if folder.rpartition(".")[2] == base}
    return len(apart - named_after) > 1 and base not in ROLES


def crowded(root: Path, package: str) -> list[str]:
    """Folders with more modules than a person takes in at a look."""
    counts = Counter(path.parent for path in modules(root, package).values())
    return [
        f"{folder.relative_to(root)}: {count} modules, at most {MAX_MODULES}"
        for folder, count in sorted(counts.items())
        if count > MAX_MODULES and folder.name not in NOT_COUNTED
    ]


def long_files(root: Path) -> list[str]:
    """Files that cannot be read in one sitting."""
    paths = [
        path for package in PACKAGES for ending in ("py", "c", "h") for path in (root / package).rglob(f"*.{ending}")
    ]
    counted = [(path.relative_to(root), len(path.read_text(encoding="utf-8").splitlines())) for path in sorted(paths)]
    return [
        f"{path}: {lines} lines, at most {MAX_LINES}"
        for path, lines in counted
        if lines > MAX_LINES
    ]


def inner_imports(root: Path) -> list[str]:
    """Modules of another package that are not on its list of public ones."""
    known = {name: path for package in PACKAGES for name, path in modules(root, package).items()}
    found = []
    for name, path in known.items():
        package = name.partition(".")[0]
        for line, to in imports(path, known):
            other = to.partition(".")[0]
            if package != "warlock_rules" and other in PUBLIC and other != package and to not in PUBLIC[other]:
                found.append(f"{path.relative_to(root)}:{line}: {to} is an inner module of {other}")
    return found


def banned_words(root: Path, words: Mapping[str, Mapping[str, str]]) -> list[str]:
    """Identifiers with a word of `words.toml` in them."""
    found = []
    for path in [path for package in PACKAGES for path in modules(root, package).values()]:
        with path.open(encoding="utf-8") as text:
            names = [
                (token.string, token.start[0]) for token in tokenize.generate_tokens(text.readline) if is_name(token)
            ]
        for name, tokens in groupby(sorted(names), key=lambda token: token[0]):
            if (plain := plain_word(name, words)) is not None:
                line = min(number for _, number in tokens)
                found.append(f"{path.relative_to(root)}:{line}: '{name}' (say {plain})")
    for path in [path for package in PACKAGES for path in modules(root, package).values()]:
        if (plain := plain_word(path.stem, words)) is not None:
            found.append(f"{path.relative_to(root)}: the file is called so (say {plain})")
    return found


def is_name(token: tokenize.TokenInfo) -> bool:
    return token.type == tokenize.NAME and not keyword.iskeyword(token.string)


def plain_word(name: str, words: Mapping[str, Mapping[str, str]]) -> str | None:
    """The plain word for a name that has a banned one in it."""
    if name in words["whole"]:
        return words["whole"][name]
    parts = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower().strip("_").split("_")
    if len(parts) > 1 and parts[0] in words["prefix"]:
        return words["prefix"][parts[0]]
    return next((words["part"][part] for part in parts if part in words["part"]), None)


def read_words() -> dict[str, dict[str, str]]:
    found: dict[str, dict[str, str]] = tomllib.loads((Path(__file__).parent / "words.toml").read_text(encoding="utf-8"))
    return found
