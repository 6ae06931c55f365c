"""The language service: what it finds is what a load of the same texts finds, whatever was edited before."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from warlock_dsl import Diagnostic, default_roots, gather_texts, load_gathered, stack_of
from warlock_dsl.syntax import lark_parser
from warlock_dsl.syntax import parse as parser
from warlock_dsl.tables import toml_spans
from workbench.service.project import Project, home_of, own_files, read_named
from workbench.service.rename import Refusal, rename

ROOT = Path(__file__).parents[3]
GAMES = sorted(path.parent for path in (ROOT / "rules").rglob("game.toml"))
OVERLAYS = sorted(path.parent for path in (ROOT / "variants").rglob("overlay.toml"))
EVERY = [path.relative_to(ROOT).as_posix() for path in (*GAMES, *OVERLAYS)]
HOMES = [
    "rules/maldorf",
    "rules/goblin-warlord",
    "rules/warlock-1980",
    "rules/classics/hearts",
    "variants/maldorf/de_errata",
    "variants/goblin-warlord/truce",
]


def edited(text: str, chance: random.Random) -> str:
    """A text after one edit such as people make: a line gone or doubled, a word broken, a bracket left open."""
    lines = text.split("\n")
    at = chance.randrange(len(lines))
    match chance.randrange(7):
        case 0:
            del lines[at]
        case 1:
            lines.insert(at, lines[at])
        case 2:
            lines[at] = lines[at].replace("e", "", 1)
        case 3:
            lines[at] += "("
        case 4:
            lines[at] = lines[at].replace("1", "2").replace("true", "false")
        case 5:
            lines[at] = lines[at][: len(lines[at]) // 2]
        case _:
            lines.insert(at, "# a remark")
    return "\n".join(lines)


def cold(path: Path, text: str, folder: Path) -> tuple[tuple[Diagnostic, ...], str]:
    """What loading finds in a copy on the disk, with nothing kept from before."""
    path.write_text(text, encoding="utf-8")
    forget()
    found = load_gathered(gather_texts(stack_of(home_of(path)), default_roots([folder / "rules"])))
    return found.diagnostics, found.ruleset.hash if found.ruleset is not None else ""


def copied(folder: Path, home: str) -> Path:
    """A game or overlay, and the game it is on, in a folder of its own."""
    import shutil

    game = home.split("/")[1] if home.startswith("variants") else home.split("/")[-1]
    source = next(ROOT.glob(f"rules/**/{game}/game.toml")).parent
    shutil.copytree(source, folder / "rules" / game)
    if home.startswith("variants"):
        shutil.copytree(ROOT / "variants" / game, folder / "variants" / game)
    return folder / ("rules" if home.startswith("rules") else f"variants/{game}") / home.split("/")[-1]


def compare(folder: Path, home: str, edits: int) -> None:
    """Edits one after another, each compared with a cold load: the check by its errors before the lints, too."""
    chance = random.Random(home)
    place = copied(folder, home)
    files = [file for file in own_files(place) if file.parent.name not in ("scenarios", "mutants")]
    originals = {file: file.read_text(encoding="utf-8") for file in files}
    project = Project()
    for _ in range(edits):
        file = chance.choice(files)
        text = edited(originals[file], chance)
        project.open(file, text)
        early = project.check(file, False)
        found = project.check(file)
        assert set(early.loaded.diagnostics) <= set(found.loaded.diagnostics)
        if found.broken:  # as the table was when it was last TOML: that is what nobody has edited
            wanted = Project(open_texts={file: text}).check(file)
            assert found.loaded.diagnostics == wanted.loaded.diagnostics and wanted.broken
        else:
            diagnostics, hash_ = cold(file, text, folder)
            assert found.loaded.diagnostics == diagnostics
            assert (found.loaded.ruleset.hash if found.loaded.ruleset is not None else "") == hash_
        file.write_text(originals[file], encoding="utf-8")
        project.open(file, originals[file])
        project.check(file, False)  # so that this is the last good text of a table


def forget() -> None:
    """Nothing is kept any more: what is kept by identity goes with the trees it was made from."""
    for kept in (parser._parsed, parser._read, lark_parser._tree, toml_spans._read, toml_spans._document):
        kept.cache_clear()


def session(folder: Path, home: str, edits: int) -> None:
    """Edits that pile up, in an overlay and in its game at once, some never mended and some taken back: both stacks are
    what they are in a project that was never edited and has these texts."""
    chance = random.Random(f"session {home}")
    place = copied(folder, home)
    base = next(path.parent for path in (folder / "rules").rglob("game.toml"))
    homes = list(dict.fromkeys((place, base)))
    files = [file for one in homes for file in own_files(one) if file.parent.name not in ("scenarios", "mutants")]
    originals = {file: file.read_text(encoding="utf-8") for file in files}
    project = Project()
    for _ in range(edits):
        file = chance.choice(files)
        back = chance.random() < 0.3
        project.open(file, originals[file] if back else edited(project.text(file), chance))
        for one in chance.sample(homes, len(homes)):
            head = one / ("game.toml" if one == base else "overlay.toml")
            found = project.check(head, chance.random() < 0.7)
            found = project.check(head)
            kept = dict(project.good_tables)
            forget()
            fresh = Project(open_texts=dict(project.open_texts), good_tables=kept, stacks=dict(project._stacks))
            wanted = fresh.check(head)
            assert found.loaded.diagnostics == wanted.loaded.diagnostics
            hashes = [one.hash if one is not None else "" for one in (found.loaded.ruleset, wanted.loaded.ruleset)]
            assert hashes[0] == hashes[1] and found.broken == wanted.broken


@pytest.mark.parametrize("home", ["rules/classics/hearts", "variants/goblin-warlord/slow_masons"])
def test_edits_that_pile_up_are_what_a_cold_load_finds(home: str, tmp_path: Path) -> None:
    session(tmp_path, home, 3)


@pytest.mark.long
@pytest.mark.parametrize("home", EVERY)
def test_many_edits_that_pile_up_are_what_a_cold_load_finds(home: str, tmp_path: Path) -> None:
    session(tmp_path, home, 30)


@pytest.mark.parametrize("home", HOMES)
def test_what_is_found_after_edits_is_what_a_cold_load_finds(home: str, tmp_path: Path) -> None:
    compare(tmp_path, home, 5)


@pytest.mark.long
@pytest.mark.parametrize("home", EVERY)
def test_what_is_found_after_many_edits_is_what_a_cold_load_finds(home: str, tmp_path: Path) -> None:
    compare(tmp_path, home, 30)


def test_a_new_file_that_is_not_yet_on_the_disk_belongs_to_its_game() -> None:
    project = Project()
    path = ROOT / "rules/classics/hearts/zz_new.warlock"
    project.open(path, "define wrong = nothing_here\n")
    found = project.check(path)
    assert found.name_of(path) == "zz_new.warlock"
    assert "W301" in [one.code for one in found.by_path()[path]]
    project.close(path)
    assert not project.check(path).name_of(path)


def test_what_an_overlay_needs_is_read_from_its_open_text() -> None:
    project = Project()
    path = ROOT / "variants/maldorf/de_errata/overlay.toml"
    text = project.text(path)
    project.open(path, text.replace('builds_on = ["de"]', 'builds_on = ["fr"]'))
    assert project.open_texts[path] != text
    assert [use.name for use, _ in project.check(path).loaded.stack] == ["fr", "de_errata"]
    project.open(path, text)
    assert [use.name for use, _ in project.check(path).loaded.stack] == ["de", "de_errata"]


@pytest.mark.parametrize("file", ["rulings.toml", "names/de.toml", "game.toml"])
def test_a_table_that_is_no_toml_is_one_error(file: str) -> None:
    project = Project()
    path = ROOT / "rules" / "maldorf" / file
    before = project.check(path)
    project.open(path, project.text(path) + "\nbroken = [")
    found = project.check(path)
    assert next(one.code for one in found.loaded.diagnostics) == "W201"
    assert len(found.loaded.diagnostics) <= len(before.loaded.diagnostics) + 1
    assert found.loaded.ruleset is None and found.loaded.draft is not None
    project.close(path)
    assert project.check(path).loaded.diagnostics == before.loaded.diagnostics


def test_a_file_of_an_overlay_belongs_to_its_stack() -> None:
    found = Project().check(ROOT / "variants/maldorf/de_errata/overlay.toml")
    assert found.loaded.ruleset is not None and found.loaded.ruleset.name == "maldorf+de+de_errata"
    assert found.paths["+de_errata/overlay.toml"] == ROOT / "variants/maldorf/de_errata/overlay.toml"
    assert found.paths["course.warlock"] == ROOT / "rules/maldorf/course.warlock"


def test_a_stack_may_be_asked_for_by_its_name() -> None:
    """All its files belong to it then: of two overlays that do not need each other, each knows what the other adds."""
    found = read_named("goblin-warlord+slow_masons+walls", default_roots([ROOT / "rules"]))
    project = Project(named=found)
    path = ROOT / "variants/goblin-warlord/walls/more.warlock"
    project.open(path, "\ninvariant never_negative = all(p in players: p.works_done >= 0)\n")
    loaded = project.check(ROOT / "rules/goblin-warlord/turn.warlock").loaded
    assert [use.name for use, _ in loaded.stack] == ["slow_masons", "walls"]
    assert loaded.ruleset is not None
    assert not project.has(ROOT / "rules/maldorf/game.toml")
    alone = Project(open_texts=project.open_texts).check(path).loaded
    assert [one.code for one in alone.diagnostics if one.span.file == "+walls/more.warlock"] == ["W305"]
    masons = ROOT / "variants/goblin-warlord/slow_masons/masons.warlock"
    text = project.text(masons)
    line = next(number for number, one in enumerate(text.split("\n"), start=1) if "works_done" in one)
    edits = rename(project, masons, line, text.split("\n")[line - 1].index("works_done") + 2, "works")
    assert not isinstance(edits, Refusal), edits.why
    assert {one.name for one in edits} >= {"masons.warlock", "overlay.toml", "more.warlock"}
