"""The extension for VS Code, without VS Code: its grammars, its manifest, and the client as it is bundled."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from warlock_dsl import KEYWORDS, MARKS, RECORDS, SECTIONS
from workbench import __version__
from workbench.lsp.server import KNOWN

ROOT = Path(__file__).parents[2]
HOME = ROOT / "editors/vscode"
MANIFEST: dict[str, Any] = json.loads((HOME / "package.json").read_text(encoding="utf-8"))


def grammar(name: str) -> dict[str, Any]:
    made: dict[str, Any] = json.loads((HOME / "syntaxes" / name).read_text(encoding="utf-8"))
    return made


def patterns(name: str) -> Iterator[re.Pattern[str]]:
    for one in grammar(name)["patterns"]:
        yield from (re.compile(one[key]) for key in ("match", "begin", "end") if key in one)


def test_the_grammars_are_those_of_the_language(tmp_path: Path) -> None:
    """The script makes what is there: a new word of the language makes this fail until it has run again."""
    shutil.copytree(HOME, tmp_path / "editors/vscode", ignore=shutil.ignore_patterns("node_modules", "dist"))
    (tmp_path / "warlock_dsl").symlink_to(ROOT / "warlock_dsl")
    script = tmp_path / "editors/vscode/make_grammars.py"
    subprocess.run([sys.executable, str(script)], check=True, cwd=tmp_path)
    for made in (tmp_path / "editors/vscode/syntaxes").iterdir():
        known = (HOME / "syntaxes" / made.name).read_text(encoding="utf-8")
        assert made.read_text(encoding="utf-8") == known, "run python editors/vscode/make_grammars.py"


@pytest.mark.parametrize("word", sorted({*KEYWORDS, *(one.name for one in RECORDS.values() if one.kind == "function")}))
def test_every_word_of_the_language_is_in_the_grammar(word: str) -> None:
    text = f"{word} x(" if word in KEYWORDS else f"{word}("
    named = [one for one in grammar("warlock.tmLanguage.json")["patterns"] if one.get("name") != "variable.other"]
    assert any(re.search(one["match"], text) for one in named if "call" not in one.get("name", ""))


@pytest.mark.parametrize("name", ["warlock.tmLanguage.json", "warlock-table.tmLanguage.json"])
def test_every_pattern_can_be_read(name: str) -> None:
    assert len(list(patterns(name))) > 8


def test_tables_know_their_sections_and_marks() -> None:
    found = list(patterns("warlock-table.tmLanguage.json"))
    assert all(found[1].fullmatch(f"[{section}.x]") for section in SECTIONS)
    assert all(any(one.match(f"{mark} = ") for one in found) for mark in MARKS)


def test_the_manifest_says_what_is_there() -> None:
    assert MANIFEST["version"] == __version__
    for one in (*MANIFEST["contributes"]["languages"], *MANIFEST["contributes"]["grammars"]):
        assert (HOME / one.get("configuration", one.get("path", ""))).is_file()
    scopes = {one["scopeName"] for one in MANIFEST["contributes"]["grammars"]}
    assert scopes == {grammar(file.name)["scopeName"] for file in (HOME / "syntaxes").iterdir()}
    languages = {one["id"] for one in MANIFEST["contributes"]["languages"]}
    client = (HOME / "src/extension.ts").read_text(encoding="utf-8")
    assert languages == set(re.findall(r'language: "([\w-]+)"', client))
    assert all(command["command"] in client for command in MANIFEST["contributes"]["commands"])
    watched = re.search(r"createFileSystemWatcher\(\"\*\*/\*\.\{([\w,]+)\}", client)
    assert watched is not None and {f".{one}" for one in watched[1].split(",")} == {*KNOWN}
    assert MANIFEST["contributes"]["configuration"]["properties"]["warlock.command"]["default"] == ["warlock", "lsp"]
    json.loads((HOME / "language-configuration.json").read_text(encoding="utf-8"))


@pytest.mark.long
@pytest.mark.skipif(shutil.which("npm") is None, reason="npm makes the package")
def test_the_package_is_built_and_its_client_runs(tmp_path: Path) -> None:
    """As in a fresh clone: one command; then the grammars and the bundle are tried in Node."""
    clone = tmp_path / "clone"
    subprocess.run(["git", "clone", "-q", str(ROOT), str(clone)], check=True)
    shutil.copytree(HOME, clone / "editors/vscode", dirs_exist_ok=True)
    home = clone / "editors/vscode"
    bare = [sys.executable, "-S", "editors/vscode/build.py"]  # without any package of Python
    subprocess.run(bare, check=True, cwd=clone, timeout=600)
    [package] = home.glob("*.vsix")
    with zipfile.ZipFile(package) as packed:
        names = set(packed.namelist())
        files = {"package.json", "dist/extension.js", "language-configuration.json", "readme.md"}
        files |= {f"syntaxes/{file.name}" for file in (HOME / "syntaxes").iterdir()}
        assert names == {f"extension/{name}" for name in files} | {"extension.vsixmanifest", "[Content_Types].xml"}
    npm = shutil.which("npm")
    assert npm is not None
    subprocess.run([npm, "test"], check=True, cwd=home, timeout=300)
