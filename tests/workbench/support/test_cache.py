"""The cache: what was made once is found again; what is stale, cut short, altered or another's is never used."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from warlock_dsl.cache import OFF, entries_folder
from warlock_dsl.load import load
from warlock_dsl.serialize import ArchiveError, pack_ruleset, unpack_ruleset
from workbench.support import cache, rulesets
from workbench.support.errors import UsageError
from workbench.support.rulesets import playable

RULES = [Path(__file__).parents[3] / "rules"]
KEY = "a" * 64


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.delenv(OFF, raising=False)
    return tmp_path / "warlock-rules"


def test_what_was_kept_is_found(place: Path) -> None:
    assert cache.read(KEY) is None
    cache.write(KEY, "one\ntwo: ü\n")
    assert cache.read(KEY) == "one\ntwo: ü\n"
    assert place.stat().st_mode & 0o077 == 0 and (place / KEY).stat().st_mode & 0o077 == 0


def test_an_entry_that_was_touched_is_not_used(place: Path) -> None:
    cache.write(KEY, "print(1)\n" * 100)
    whole = (place / KEY).read_bytes()
    for data in (whole[:-1], whole + b"x", whole.replace(b"1", b"2", 1), b"", b"\n", whole[:40], b"print(1)\n"):
        (place / KEY).write_bytes(data)
        assert cache.read(KEY) is None
    (place / ("b" * 64)).write_bytes(whole)  # whole, but of another key
    assert cache.read("b" * 64) is None


def test_a_place_that_others_can_write_to_is_not_used(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cache.write(KEY, "text")
    (place / KEY).chmod(0o666)
    assert cache.read(KEY) is None
    (place / KEY).chmod(0o600)
    assert cache.read(KEY) == "text"
    place.chmod(0o777)
    assert entries_folder() is None and cache.read(KEY) is None
    place.chmod(0o700)
    monkeypatch.setattr(os, "getuid", lambda: place.stat().st_uid + 1)
    assert entries_folder() is None and cache.read(KEY) is None


def test_links_are_not_followed(place: Path, tmp_path: Path) -> None:
    cache.write(KEY, "text")
    (tmp_path / "elsewhere").write_bytes((place / KEY).read_bytes())
    (place / KEY).unlink()
    (place / KEY).symlink_to(tmp_path / "elsewhere")
    assert cache.read(KEY) is None
    place.rename(tmp_path / "moved")
    place.symlink_to(tmp_path / "moved")
    assert entries_folder() is None


def test_no_cache_where_none_is_wanted(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(OFF, "1")
    cache.write(KEY, "text")
    assert cache.read(KEY) is None and not place.exists()


def test_a_change_of_the_package_or_of_a_text_is_another_key(monkeypatch: pytest.MonkeyPatch) -> None:
    key = cache.key_of("ruleset", {"a": "b", "c": "d"})
    assert key == cache.key_of("ruleset", {"c": "d", "a": "b"})
    others = [("code", {"a": "b", "c": "d"}), ("ruleset", {"a": "bc", "": "d"}), ("ruleset", {"a": "b", "c": "D"})]
    assert key not in {cache.key_of(kind, parts) for kind, parts in others}
    monkeypatch.setattr(cache, "fingerprint", lambda: "another")
    assert cache.key_of("ruleset", {"a": "b", "c": "d"}) != key


def test_folders_are_where_the_system_wants_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    path = cache.kept_in("sim", {"seed": 1})
    assert path.parent == tmp_path / "state" / "warlock-rules" and path.parent.stat().st_mode & 0o077 == 0
    assert path == cache.kept_in("sim", {"seed": 1}) != cache.kept_in("sim", {"seed": 2})
    (tmp_path / "file").touch()
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "file"))
    with pytest.raises(UsageError, match="--checkpoint"):
        cache.kept_in("sim", {"seed": 1})


def test_a_relative_folder_is_not_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("XDG_CACHE_HOME", "here")
    assert entries_folder() in (None, tmp_path / "home" / ".cache" / "warlock-rules")
    assert not (tmp_path / "here").exists()


# ------------------------------------------------------------------- rulesets


@pytest.mark.parametrize("name", ["maldorf+fr", "tic-tac-toe"])
def test_a_ruleset_comes_back_whole(name: str) -> None:
    ruleset = load(name, RULES).ruleset
    assert ruleset is not None
    again = unpack_ruleset(pack_ruleset(ruleset))
    for part in ("name", "hash", "digest", "program", "components", "layers"):
        assert getattr(again, part) == getattr(ruleset, part)


@pytest.mark.parametrize("text", ["", "[]", "[1,2,3]", '{"a":1}', "[[1],[],[99]]", "null", '"x"', "[[]"])
def test_what_is_no_archive_is_told(text: str) -> None:
    with pytest.raises(ArchiveError):
        unpack_ruleset(text)


def test_an_archive_makes_nothing_but_values(monkeypatch: pytest.MonkeyPatch) -> None:
    ruleset = load("tic-tac-toe", RULES).ruleset
    assert ruleset is not None
    text = pack_ruleset(ruleset)
    for old, new in (("[0,", "[7,"), ("[0,", '["x",'), ("[4,", "[4000,"), ("[4,0]", "[4,999999]")):
        with pytest.raises(ArchiveError):
            unpack_ruleset(text.replace(old, new))


def test_a_checked_ruleset_is_not_checked_again(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rulesets, "_loaded", {})
    first = playable("tic-tac-toe", RULES)
    assert playable("tic-tac-toe", RULES) is first  # this process has it
    monkeypatch.setattr(rulesets, "_loaded", {})
    monkeypatch.setattr(rulesets, "sound_ruleset", lambda *_: pytest.fail("it was checked again"))
    again = playable("tic-tac-toe", RULES)
    assert again is not first and again.program == first.program
    for entry in place.iterdir():
        entry.write_bytes(entry.read_bytes()[:-9])
    with pytest.raises(pytest.fail.Exception):
        playable("tic-tac-toe", RULES)
