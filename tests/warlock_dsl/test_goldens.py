"""Every code of an error has a golden file: the mistake in a few lines, and what a modder is told.

A golden file is a txtar archive: a sentence about the mistake, the files that hold it (whatever is not given comes from
the sound game in `tests/golden/base`), and the whole of what is told. `pytest --accept` rewrites the last part. A code
has one of its own name; `W304-until.txtar` shows another mistake with that code.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path

import pytest
from attrs import frozen

from warlock_dsl.diagnostics.codes import codes_of
from warlock_dsl.diagnostics.diagnostic import Diagnostic, Span
from warlock_dsl.diagnostics.render import render_text
from warlock_dsl.format import formatter as layout
from warlock_dsl.format.formatter import format_text
from warlock_dsl.limits import MAX_FILE_BYTES
from warlock_dsl.load import load, load_files
from warlock_dsl.ruleset import Loaded, Ruleset
from workbench.scenario.read import read_scenarios

GOLDEN = Path(__file__).parents[1] / "golden"
BASE = "base"
EXPECTED = "expected"
HEADING = re.compile(r"^-- (\S+) --\n", re.MULTILINE)
NAMES = sorted(path.stem for path in GOLDEN.glob("*.txtar"))
CODES = codes_of("W0", "W1", "W2", "W3", "W4", "W5")  # those of overlays: test_overlay_goldens

Told = tuple[tuple[Diagnostic, ...], Mapping[str, str]]
Golden = Callable[[Path, str], None]


@frozen
class Archive:
    """A golden file: the sentence at its head, and its files."""

    comment: str
    files: Mapping[str, str]

    @property
    def given(self) -> dict[str, str]:
        return {name: text for name, text in self.files.items() if name != EXPECTED}

    def text(self, expected: str) -> str:
        parts = [f"-- {name} --\n{text}" for name, text in {**self.given, EXPECTED: expected}.items()]
        return self.comment + "".join(parts)


def archive(path: Path) -> Archive:
    comment, *parts = HEADING.split(path.read_text(encoding="utf-8"))
    return Archive(comment, dict(zip(parts[::2], parts[1::2], strict=True)))


@cache
def base() -> Mapping[str, str]:
    return {file.name: file.read_text(encoding="utf-8") for file in sorted((GOLDEN / BASE).iterdir())}


@cache
def base_rules() -> Ruleset:
    ruleset = load_files(base(), BASE).ruleset
    assert ruleset is not None
    return ruleset


def told(loaded: Loaded) -> Told:
    return loaded.diagnostics, loaded.sources


def told_of_files(files: Mapping[str, str]) -> Told:
    scenarios = {name: text for name, text in files.items() if name.startswith("scenarios/")}
    if not scenarios:
        return told(load_files({**base(), **files}, BASE))
    ((name, text),) = scenarios.items()
    _, errors = read_scenarios(text, name, lambda wanted: base_rules() if wanted == BASE else None, BASE)
    return tuple(errors), scenarios


def in_folder(folder: Path, build: Callable[[Path], None]) -> Told:
    """What is told of a folder that holds the base game and what was built into it."""
    home = folder / "game"
    home.mkdir()
    for name, text in base().items():
        (home / name).write_text(text, encoding="utf-8")
    build(home)
    return told(load("game", [folder]))


# ----------------------------------------------- what no small file can show


def no_ruleset(folder: Path) -> Told:
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(GOLDEN.parent)  # folders are named from here
        return told(load("bsae", [GOLDEN]))


def endless_line(folder: Path) -> Told:
    return told_of_files({"mod.warlock": "invariant low = " + "1 + " * 3000 + "1 < 9\n"})


def a_hundred_errors(folder: Path) -> Told:
    errors, sources = told_of_files({"mod.warlock": "add 1 to my.points\n" * 120})
    return errors[-1:], sources


def unsettled_layout(folder: Path) -> Told:
    """The formatter is made to doubt its own work: no text that it misreads is known."""
    text = "define  low = 3\n"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(layout, "same_tree", lambda one, other: False)
        kept, errors = format_text(text, "mod.warlock")
    assert kept == text
    return tuple(errors), {"mod.warlock": text}


def no_file(folder: Path) -> Told:
    return in_folder(folder, lambda home: (home / "more.toml").mkdir())


def not_utf8(folder: Path) -> Told:
    return in_folder(folder, lambda home: (home / "more.toml").write_bytes("# größer\n".encode("latin-1")) and None)


def too_large(folder: Path) -> Told:
    return in_folder(folder, lambda home: (home / "more.toml").write_text("#" * (MAX_FILE_BYTES + 1)) and None)


def link_outside(folder: Path) -> Told:
    (folder / "secret.toml").write_text("key = 1\n")
    return in_folder(folder, lambda home: (home / "more.toml").symlink_to(folder / "secret.toml"))


def a_flood_of_errors(folder: Path) -> Told:
    errors, sources = told_of_files({"more.toml": "".join(f"[zone{n}]\n" for n in range(250))})
    return errors[-1:], sources


def huge_scenario(folder: Path) -> Told:
    return told_of_files({"scenarios/first.toml": "#" * (MAX_FILE_BYTES + 1)})


SITUATIONS: Mapping[str, Callable[[Path], Told]] = {
    "W001": no_ruleset,
    "W100": endless_line,
    "W141": a_hundred_errors,
    "W199": unsettled_layout,
    "W250": no_file,
    "W251": not_utf8,
    "W252": too_large,
    "W253": link_outside,
    "W299": a_flood_of_errors,
    "W501": huge_scenario,
}


# --------------------------------------------------------------------- tests


def test_the_base_game_is_sound() -> None:
    assert told(load_files(base(), BASE))[0] == ()


def test_every_code_has_a_golden_file_and_every_golden_file_a_code() -> None:
    assert sorted(name for name in NAMES if "-" not in name) == sorted(CODES)
    assert {name.partition("-")[0] for name in NAMES} == set(CODES)


@pytest.mark.parametrize("name", NAMES)
def test_what_a_modder_is_told(name: str, golden: Golden, tmp_path: Path) -> None:
    path, code = GOLDEN / f"{name}.txtar", name.partition("-")[0]
    found = archive(path)
    assert len(found.comment.strip().splitlines()) == 1, "one sentence says what the mistake is"
    situation = SITUATIONS.get(name)
    assert bool(found.given) == (situation is None)
    errors, sources = told_of_files(found.given) if situation is None else situation(tmp_path)
    assert {error.code for error in errors} == {code}, "one mistake, and nothing that only follows from it"
    assert len(errors) == 1
    for error in errors:
        inside(error.span, sources)
    golden(path, found.text(render_text(errors, sources)))
    assert f"[{code}]: " in archive(path).files[EXPECTED]


def inside(span: Span, sources: Mapping[str, str]) -> None:
    """A place that exists, in a file that was read; a file that could not be read has one place."""
    text = sources.get(span.file)
    if text is None:
        assert (span.line, span.column) == (1, 1) or span.file == "more.toml"
        return
    line = text.split("\n")[span.line - 1]
    assert 1 <= span.column <= len(line) + 1
