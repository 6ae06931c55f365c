"""The layout holds: no import cycle, one meaning a name, folders one can take in, only public modules, plain words."""

from __future__ import annotations

import ast
import importlib
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.house import structure
from tests.house.structure import PACKAGES, read_words

ROOT = Path(__file__).parents[2]
WORDS = read_words()


@pytest.mark.parametrize("package", PACKAGES)
@pytest.mark.parametrize("rule", [structure.cycles, structure.base_names, structure.crowded], ids=lambda r: r.__name__)
def test_a_package(package: str, rule: Callable[[Path, str], list[str]]) -> None:
    assert not rule(ROOT, package)


def test_every_file_can_be_read_in_one_sitting() -> None:
    assert not structure.long_files(ROOT)


def test_only_public_modules_are_imported() -> None:
    assert not structure.inner_imports(ROOT)


def test_plain_words() -> None:
    assert not structure.banned_words(ROOT, WORDS)


def test_every_role_and_every_public_module_is_needed() -> None:
    """A role that only one folder uses, or a public module that nobody else imports, comes off the list."""
    bases = [name.rpartition(".")[2] for package in PACKAGES for name in structure.modules(ROOT, package)]
    assert not [role for role in structure.ROLES if bases.count(role) < 2]
    known = {name: path for package in PACKAGES for name, path in structure.modules(ROOT, package).items()}
    used = {
        to
        for name, path in known.items()
        for _, to in structure.imports(path, known)
        if to.partition(".")[0] != name.partition(".")[0]
    }
    assert not [name for package in ("warlock_dsl", "interpreter") for name in structure.PUBLIC[package] - used]


@pytest.mark.parametrize("package", ["warlock_dsl", "interpreter"])
def test_what_a_package_lists_is_what_it_gives(package: str) -> None:
    """The names for type checkers, the homes of the names, and `__all__` say the same; every name is there."""
    tree = ast.parse((ROOT / package / "__init__.py").read_text(encoding="utf-8"))
    typed = {
        alias.asname or alias.name: f"{node.module}:{alias.name}"
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith(f"{package}.")
        for alias in node.names
    }
    module = importlib.import_module(package)
    homes = {name: f"{package}.{home}" + ("" if ":" in home else f":{name}") for name, home in module._HOMES.items()}
    assert homes == typed and sorted(homes) == sorted(module.__all__)
    for name, home in homes.items():
        place, _, own = home.partition(":")
        assert getattr(module, name) is getattr(importlib.import_module(place), own)


# ------------------------------------------------------------------------- broken on purpose


def plant(root: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return root


def test_a_cycle_is_found_also_where_it_is_for_types_alone(tmp_path: Path) -> None:
    types = "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from workbench.b import B\n"
    root = plant(tmp_path, {"workbench/a.py": types, "workbench/b.py": "from workbench import a\n"})
    assert structure.cycles(root, "workbench") == ["workbench: these import one another: workbench.a, workbench.b"]
    lazy = "def later():\n    from workbench.a import A\n"
    assert structure.cycles(plant(tmp_path, {"workbench/b.py": lazy}), "workbench")
    assert not structure.cycles(plant(tmp_path, {"workbench/b.py": ""}), "workbench")


def test_a_name_with_two_meanings_is_found(tmp_path: Path) -> None:
    root = plant(
        tmp_path, {"workbench/sim/layout.py": "", "workbench/diff/layout.py": "", "workbench/diff/page.py": ""}
    )
    assert structure.base_names(plant(root, {"workbench/sim/page.py": ""}), "workbench") == [
        "'layout' means something in workbench.diff, workbench.sim"
    ]


def test_a_crowded_folder_is_found(tmp_path: Path) -> None:
    many = {f"workbench/sim/m{number}.py": "" for number in range(structure.MAX_MODULES)}
    assert not structure.crowded(plant(tmp_path, many), "workbench")
    assert structure.crowded(plant(tmp_path, {"workbench/sim/one_more.py": ""}), "workbench")


@pytest.mark.parametrize("name", ["interpreter/vm/c/run.c", "workbench/long.py"])
def test_a_long_file_is_found(tmp_path: Path, name: str) -> None:
    assert not structure.long_files(plant(tmp_path, {name: "\n" * structure.MAX_LINES}))
    assert structure.long_files(plant(tmp_path, {name: "\n" * (structure.MAX_LINES + 1)}))


def test_an_inner_module_is_found(tmp_path: Path) -> None:
    known = {"interpreter/plain/machine.py": "", "interpreter/__init__.py": "", "interpreter/ir/blocks.py": ""}
    sound = "from interpreter import Game\nfrom interpreter.ir import blocks as ir\n"
    assert not structure.inner_imports(plant(tmp_path, {**known, "workbench/tool.py": sound}))
    inner = "def late():\n    from interpreter.plain import machine\n"
    assert structure.inner_imports(plant(tmp_path, {"workbench/tool.py": inner})) == [
        "workbench/tool.py:2: interpreter.plain.machine is an inner module of interpreter"
    ]


@pytest.mark.parametrize(
    "name",
    ["most_players", "MOST_ROWS", "Trouble", "the_crew", "RuleBreach", "Glimpse", "Purse", "LawBroken", "notebook"],
)
def test_a_banned_word_is_found(tmp_path: Path, name: str) -> None:
    assert structure.banned_words(plant(tmp_path, {"workbench/tool.py": f"{name} = 1\n"}), WORDS)


def test_words_that_only_look_alike_are_left_alone(tmp_path: Path) -> None:
    text = "almost = innermost = default = recourse = 1  # most_players\n"
    assert not structure.banned_words(plant(tmp_path, {"workbench/tool.py": text}), WORDS)
