"""Finding rules folders and reading them, whatever lies in them."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from warlock_dsl import files as library
from warlock_dsl.files import available, content_hash, default_roots, find_ruleset, read_folder, shipped, std_files
from warlock_dsl.limits import MAX_FILE_BYTES


def folder(root: Path, name: str, **files: str) -> Path:
    path = root / name
    path.mkdir(parents=True)
    for file, text in files.items():
        (path / file.replace("__", ".")).write_text(text, encoding="utf-8")
    return path


# ---------------------------------------------------------------- finding


def test_a_ruleset_is_found_by_name_in_the_first_root_that_has_it(tmp_path: Path) -> None:
    first, second = tmp_path / "one", tmp_path / "two"
    folder(second, "chess", game__toml="")
    mine = folder(first, "go", game__toml="")
    folder(second, "go", game__toml="")
    assert find_ruleset("go", [first, second]) == mine
    assert find_ruleset("chess", [first, second]) == second / "chess"
    assert find_ruleset("nothing", [first, second]) is None
    assert find_ruleset("", [first]) is None
    assert find_ruleset("a\0b", [first]) is None


def test_a_ruleset_may_be_a_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = folder(tmp_path, "mygame", game__toml="")
    assert find_ruleset(str(path), []) == path
    assert find_ruleset(str(path / "none"), []) is None
    monkeypatch.chdir(path)
    assert find_ruleset(".", []) == Path(".")


def test_the_current_folder_comes_before_what_is_shipped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    mine = folder(tmp_path / "rules", "own", game__toml="")
    monkeypatch.chdir(tmp_path)
    given = tmp_path / "given"
    assert default_roots([given]) == [given, tmp_path / "rules", shipped()]
    assert find_ruleset("own") == mine
    assert "own" in [one.name for one in available()]
    assert default_roots(what="variants")[-1] == shipped("variants")


def test_a_root_is_listed_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(shipped().parent)
    assert len(default_roots()) == 1


def test_available_lists_folders_with_rules_and_not_the_standard_library(tmp_path: Path) -> None:
    first, second = tmp_path / "one", tmp_path / "two"
    folder(first, "b", game__toml="")
    folder(first, "std", piles__warlock="")
    folder(first, "empty", notes__txt="")
    folder(second, "a", x__warlock="")
    folder(second, "b", game__toml="")
    (first / "file.toml").write_text("")
    found = available([first, second, tmp_path / "absent"])
    assert [(one.name, one.path) for one in found] == [("a", second / "a"), ("b", first / "b")]


def test_games_may_lie_together_in_a_folder(tmp_path: Path) -> None:
    """A folder without rules of its own is no game: the games in it are found by their own names."""
    go = folder(tmp_path / "old", "go", game__toml="")
    folder(go, "scenarios", first__toml="")
    folder(tmp_path / "bare", "scenarios", first__toml="")
    assert find_ruleset("go", [tmp_path]) == go
    assert (
        find_ruleset("old", [tmp_path]) is None and find_ruleset(str(tmp_path / "old"), [tmp_path]) == tmp_path / "old"
    )
    assert [one.name for one in available([tmp_path])] == ["go"]
    nearer = folder(tmp_path, "go", game__toml="")
    assert find_ruleset("go", [tmp_path]) == nearer == available([tmp_path])[0].path


def test_what_is_shipped(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    assert find_ruleset("maldorf") == shipped() / "maldorf"
    assert "std" not in [one.name for one in available()]
    assert "std/piles.warlock" in std_files()
    assert all(name.startswith("std/") and name.endswith(".warlock") for name in std_files())


def test_inside_a_wheel_the_rules_lie_in_the_package(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    folder(tmp_path / "package" / "shipped" / "rules", "x", game__toml="")
    monkeypatch.setattr(library, "__file__", str(tmp_path / "package" / "library.py"))
    assert shipped() == tmp_path / "package" / "shipped" / "rules"
    assert shipped("variants") == tmp_path / "variants"


# ---------------------------------------------------------------- reading


def test_the_files_of_a_folder(tmp_path: Path) -> None:
    path = folder(tmp_path, "g", game__toml="a", more__toml="b", play__warlock="c", cards__csv="d", notes__txt="e")
    folder(path, "names", en__toml="f", readme__md="g")
    folder(path, "scenarios", one__toml="h")
    folder(path, "deeper", two__toml="i")
    files, errors = read_folder(path)
    assert errors == []
    assert files == {"game.toml": "a", "more.toml": "b", "play.warlock": "c", "cards.csv": "d", "names/en.toml": "f"}


def test_line_ends_and_byte_order_marks_are_made_plain(tmp_path: Path) -> None:
    path = folder(tmp_path, "g")
    (path / "game.toml").write_bytes(b"\xef\xbb\xbfa = 1\r\nb = 2\r\n")
    assert read_folder(path) == ({"game.toml": "a = 1\nb = 2\n"}, [])


def test_a_file_that_is_not_text(tmp_path: Path) -> None:
    path = folder(tmp_path, "g", good__toml="x = 1")
    (path / "game.toml").write_bytes("é = 1\nab".encode() + b"\xff\xfe\x00")
    files, [error] = read_folder(path)
    assert list(files) == ["good.toml"]
    assert (error.code, error.span.file, error.span.line, error.span.column) == ("W251", "game.toml", 2, 3)


def test_a_file_that_is_too_large(tmp_path: Path) -> None:
    path = folder(tmp_path, "g", fits__toml="#" * MAX_FILE_BYTES, large__toml="#" * (MAX_FILE_BYTES + 1))
    files, [error] = read_folder(path)
    assert list(files) == ["fits.toml"]
    assert (error.code, error.span.file) == ("W252", "large.toml")


def test_too_many_files(tmp_path: Path) -> None:
    path = folder(tmp_path, "g", **{f"f{number:03}__toml": "" for number in range(250)})
    files, errors = read_folder(path)
    assert len(files) == 200
    assert [error.code for error in errors] == ["W252"]


def test_links_may_not_lead_out_of_the_folder(tmp_path: Path) -> None:
    secret = tmp_path / "secret.toml"
    secret.write_text("secret = 1")
    path = folder(tmp_path, "g", game__toml="a")
    (path / "out.toml").symlink_to(secret)
    (path / "in.toml").symlink_to(path / "game.toml")
    (path / "loop.toml").symlink_to(path / "loop.toml")
    (path / "gone.csv").symlink_to(path / "nowhere.csv")
    outside = folder(tmp_path, "catalogues", en__toml="x")
    (path / "names").symlink_to(outside)
    files, errors = read_folder(path)
    assert files == {"game.toml": "a", "in.toml": "a"}
    found = {error.span.file: error.code for error in errors}
    assert found == {"out.toml": "W253", "names/en.toml": "W253", "loop.toml": "W250", "gone.csv": "W250"}


def test_a_pipe_does_not_make_the_reader_wait(tmp_path: Path) -> None:
    path = folder(tmp_path, "g")
    os.mkfifo(path / "game.toml")
    (path / "folder.toml").mkdir()
    start = time.process_time()
    files, errors = read_folder(path)
    assert time.process_time() - start < 5
    assert files == {}
    assert [error.code for error in errors] == ["W250", "W250"]


def test_a_file_the_system_refuses(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = folder(tmp_path, "g", game__toml="a")

    def refuse(*_: object, **__: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "open", refuse)
    files, [error] = read_folder(path)
    assert files == {}
    assert (error.code, error.message) == ("W250", "this file cannot be read: Permission denied")


def test_a_folder_that_is_not_there(tmp_path: Path) -> None:
    files, [error] = read_folder(tmp_path / "absent")
    assert files == {}
    assert error.code == "W250"


# ---------------------------------------------------------------- the hash


def test_the_hash_is_that_of_the_content() -> None:
    files = {"game.toml": "a\n", "names/en.toml": "b\n"}
    assert content_hash(files) == "51d7d47e99335dd5"
    assert content_hash(dict(reversed(files.items()))) == content_hash(files)
    assert content_hash({**files, "game.toml": "a\r\n"}) == content_hash(files)
    assert content_hash({**files, "scenarios/one.toml": "x"}) == content_hash(files)


@pytest.mark.parametrize(
    "files",
    [
        {"game.toml": "a\n\n", "names/en.toml": "b\n"},
        {"game.toml": "a\n", "names/fr.toml": "b\n"},
        {"game.toml": "a\n"},
        {"game.toml": "a\n", "names/en.toml": "b\n", "x.csv": ""},
        {"game.toml": "a\nnames/en.toml\n2\nb\n"},
    ],
)
def test_any_change_changes_the_hash(files: dict[str, str]) -> None:
    assert content_hash(files) != content_hash({"game.toml": "a\n", "names/en.toml": "b\n"})
