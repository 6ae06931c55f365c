"""The parse table in the cache: it reads every text as the grammar does, and a file that is not ours is not used."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from lark import Lark, Tree
from lark.exceptions import UnexpectedInput

from warlock_dsl import cache
from warlock_dsl.syntax import lark_parser
from warlock_dsl.syntax.chunks import cut
from warlock_dsl.syntax.lark_parser import _from_cache, _keep, _key, build_parser
from warlock_dsl.user_folders import APP

ROOT = Path(__file__).parents[2]
TEXTS = sorted((ROOT / "rules").rglob("*.warlock")) + sorted((ROOT / "tests" / "golden").glob("W1*.txtar"))


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.delenv(cache.OFF, raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    lark_parser.parser.cache_clear()
    yield tmp_path / APP
    lark_parser.parser.cache_clear()


@pytest.fixture(scope="module")
def built() -> Lark:
    return build_parser()


def outcome(parser: Lark, text: str) -> object:
    """The tree of a chunk with the places of its nodes, or where it got stuck."""
    try:
        tree = parser.parse(text, start="chunk")
    except UnexpectedInput as error:
        return type(error), error.line, error.column
    return tree, [(part.data, vars(part.meta)) for part in tree.iter_subtrees() if isinstance(part, Tree)]


def test_a_table_from_the_cache_reads_as_the_grammar_does(built: Lark) -> None:
    assert _from_cache() is None
    _keep(built)
    kept = _from_cache()
    assert kept is not None
    chunks = [chunk.text for path in TEXTS for chunk in cut(path.read_text(encoding="utf-8")).chunks]
    assert len(chunks) > 500
    for text in chunks:
        assert outcome(kept, text) == outcome(built, text)


@pytest.mark.parametrize("spoil", [lambda b: b[:-1], lambda b: b.replace(b"chunk", b"chank", 1), lambda b: b""])
def test_a_table_that_was_altered_is_not_used(built: Lark, folder: Path, spoil: object) -> None:
    assert callable(spoil)
    _keep(built)
    (path,) = folder.iterdir()
    path.write_bytes(spoil(path.read_bytes()))
    assert _from_cache() is None
    assert lark_parser.parser().parse("define low = 3\n", start="chunk").children
    assert _from_cache() is not None, "it is made anew"


@pytest.mark.parametrize(
    "body", [b"", b"{}", b"[{}, {}]", b"[1, 2]", b"\xff", b"[" * 100_000, b'[{"options": []}, {}]']
)
def test_a_whole_file_that_is_no_table_is_not_used(body: bytes) -> None:
    cache.write_entry(_key(), body)
    assert _from_cache() is None
    assert lark_parser.parser().parse("define low = 3\n", start="chunk").children


def test_a_table_is_plain_data(built: Lark, folder: Path) -> None:
    _keep(built)
    (path,) = folder.iterdir()
    data, memo = json.loads(path.read_bytes().partition(b"\n")[2])
    assert data["rules"] and memo and not {"postlex", "propagate_positions"} & data["options"].keys()


def test_a_folder_that_others_can_write_to_is_no_cache(built: Lark, folder: Path) -> None:
    _keep(built)
    folder.chmod(0o777)
    assert cache.entries_folder() is None and _from_cache() is None
    folder.chmod(0o700)
    (path,) = folder.iterdir()
    path.chmod(0o666)
    assert _from_cache() is None


def test_without_a_cache_nothing_is_kept(built: Lark, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(cache.OFF, "1")
    _keep(built)
    assert _from_cache() is None and not folder.exists()
    monkeypatch.delenv(cache.OFF)
    folder.write_text("a file where the folder should be")
    _keep(built)
    assert _from_cache() is None


def test_lark_is_imported_only_to_parse() -> None:
    """What reads a checked ruleset from the cache, and the loader itself, come without lark."""
    modules = "warlock_dsl.load, warlock_dsl.serialize, warlock_dsl.overlay.derive, warlock_dsl.check.fragment"
    code = f"import sys, {modules}; sys.exit('lark' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], cwd=ROOT).returncode == 0
