"""One language is enough: a house rule without names, or with English ones, checks, plays, tests and fuzzes in every
language; `warlock names` lists what is missing and writes first drafts of it."""

from __future__ import annotations

import json
import shutil
import tomllib
from collections.abc import Sequence
from pathlib import Path

import pytest

from warlock_dsl.load import load
from workbench.cli import main
from workbench.support.catalogues import with_texts

OVERLAY = """\
[overlay]
on = "maldorf"
about = "Who settles may pay a toll"

[[add]]
at = "variable.player.tolls"
now = { type = "number" }

[[add]]
at = "zone.toll_house"
now = { holds = "creature" }
"""
RULES = """\
rule toll after settled(city):
    may choose gift in my.hand:
        move gift to toll_house
        add 1 to my.tolls

@assumed "cost.to_discard: house rule, a toll is paid openly"
reveals toll: toll_house

score toll = my.tolls
"""
SCENARIO = """\
about = "A toll"

[[scenario]]
name = "nothing is paid yet"
players = ["ann", "ben", "cid"]

[[scenario.step]]
true = ["ann.tolls is 0"]
"""
ENGLISH = """\
"variable.tolls" = "tolls paid"
"score.toll" = "the toll"
"zone.toll_house" = "house of tolls"
"ask.toll.gift" = "{me}, what do you pay?"
"decline.toll.gift" = "pay nothing"
"choose.toll.gift" = "pay {gift}"
"""
HOME = Path("variants/maldorf/toll")


@pytest.fixture(autouse=True)
def house_rule(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for variable in ("XDG_CACHE_HOME", "XDG_STATE_HOME"):
        monkeypatch.setenv(variable, str(tmp_path / variable))
    write({"overlay.toml": OVERLAY, "rules.warlock": RULES, "scenarios/toll.toml": SCENARIO})


def write(files: dict[str, str], home: Path = HOME) -> None:
    for name, text in files.items():
        (home / name).parent.mkdir(parents=True, exist_ok=True)
        (home / name).write_text(text, encoding="utf-8")


def run(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    assert main(words) == 0
    return capsys.readouterr().out


def catalogue(language: str, home: Path = HOME) -> dict[str, str]:
    return tomllib.loads((home / "names" / f"{language}.toml").read_text(encoding="utf-8"))


SEATS = ("--players", "3", "--seats", "random,random,random", "--seed", "3")


@pytest.mark.parametrize("names", [{}, {"names/en.toml": ENGLISH}], ids=["no names", "English names"])
def test_a_house_rule_in_one_language(names: dict[str, str], capsys: pytest.CaptureFixture[str]) -> None:
    write(names)
    told = run(capsys, "check", "maldorf+toll")
    assert "5 warnings" in told and "error" not in told, "once a key"
    for language in ("en", "fr", "de"):
        shown = run(capsys, "play", "maldorf+toll", *SEATS, "--lang", language)
        assert ("the toll" if names else "toll") in shown
        assert ("house of tolls" if names else "toll house") in shown
    run(capsys, "test", str(HOME))
    run(capsys, "fuzz", "maldorf+toll", "--games", "3", "--jobs", "1")


def test_names_lists_what_is_missing(capsys: pytest.CaptureFixture[str]) -> None:
    write({"names/en.toml": ENGLISH})
    told = run(capsys, "names", "maldorf+toll")
    assert told.startswith("-- names/de.toml --\n") and '"score.toll" = "the toll"\n' in told
    assert "-- names/en.toml --" not in told
    data = json.loads(run(capsys, "names", "maldorf+toll", "--json"))
    assert sorted(data["missing"]) == ["de", "fr"] and data["written"] == []
    by_key = {one["key"]: one for one in data["missing"]["fr"]}
    assert by_key["ask.toll.gift"]["names"] == ["me", "city"]
    assert by_key["choose.toll.gift"] == {
        "key": "choose.toll.gift",
        "what": "an answer to a question",
        "names": ["me", "city", "gift"],
        "required": False,  # it may be left out; but English has it
        "draft": "pay {gift}",
    }
    assert list(json.loads(run(capsys, "names", "maldorf+toll", "--lang", "fr", "--json"))["missing"]) == ["fr"]
    assert run(capsys, "names", "maldorf") == "maldorf: no text is missing\n"


def test_names_writes_drafts_and_keeps_what_is_there(capsys: pytest.CaptureFixture[str]) -> None:
    write({"names/fr.toml": '# des noms\r\n"score.toll" = "péage"\r\n\r\n[variable]\r\ntolls = "péages"\r\n'})
    told = run(capsys, "names", "maldorf+toll", "--write")
    assert [line for line in told.splitlines() if line.startswith("written: ")] == [
        f"written: variants/maldorf/toll/names/{language}.toml" for language in ("de", "en", "fr")
    ]
    assert catalogue("de") == {
        "zone.toll_house": "toll house",
        "score.toll": "péage",  # said in French meanwhile: no other language has it
        "variable.tolls": "péages",
        "ask.toll.gift": "{me}, bitte wählen: gift",
        "decline.toll.gift": "nein danke",
    }
    french = catalogue("fr")
    assert (french["score.toll"], french["variable"]) == ("péage", {"tolls": "péages"})
    assert french["ask.toll.gift"] == "{me}, choisissez\u202f: gift"
    assert "no errors" in run(capsys, "check", "maldorf+toll")
    assert run(capsys, "names", "maldorf+toll", "--write") == "maldorf+toll: no text is missing\n"


def test_any_catalogue_is_a_language(capsys: pytest.CaptureFixture[str]) -> None:
    write({"names/es.toml": '"score.toll" = "peaje"\n'})
    assert "'es'" in run(capsys, "check", "maldorf+toll")
    assert "'game'" not in run(capsys, "check", "maldorf+toll"), "the game need not know the languages of an overlay"
    assert "peaje" in run(capsys, "play", "maldorf+toll", *SEATS, "--lang", "es", "--quiet")
    run(capsys, "names", "maldorf+toll", "--lang", "es", "--write")
    spanish = catalogue("es")
    assert spanish["score.toll"] == "peaje" and spanish["game"] and len(spanish) > 100
    assert json.loads(run(capsys, "names", "maldorf+toll", "--lang", "es", "--json"))["missing"] == {}


def test_what_an_overlay_below_lacks_is_written_there(capsys: pytest.CaptureFixture[str]) -> None:
    more = {"overlay.toml": '[overlay]\non = "maldorf"\nabout = "More"\n', "more.warlock": "score more = 1\n"}
    write(more, HOME.with_name("more"))
    told = run(capsys, "names", "maldorf+toll+more", "--write")
    assert "see `warlock names maldorf+toll`" in told
    assert catalogue("en", HOME.with_name("more")) == {"score.more": "more"}
    assert not (HOME / "names").exists()


def test_a_game_of_ones_own(capsys: pytest.CaptureFixture[str]) -> None:
    run(capsys, "new", "game", "mine", "--out", "rules")
    run(capsys, "names", "mine", "--lang", "it", "--write")
    assert catalogue("it", Path("rules/mine")).keys() >= catalogue("en", Path("rules/mine")).keys()
    assert "no errors" in run(capsys, "check", "mine")


def refused(capsys: pytest.CaptureFixture[str], words: Sequence[str]) -> str:
    assert main(words) == 2
    return capsys.readouterr().err


def test_what_is_shipped_is_left_alone(capsys: pytest.CaptureFixture[str]) -> None:
    assert "comes with Warlock" in refused(capsys, ["names", "maldorf", "--lang", "es", "--write"])
    assert "comes with Warlock" in refused(capsys, ["names", "maldorf+fr", "--lang", "es", "--write"])
    assert "code of a language" in refused(capsys, ["names", "maldorf", "--lang", "../es"])


def test_a_file_that_cannot_be_written(capsys: pytest.CaptureFixture[str]) -> None:
    (HOME / "names").write_text("a file where the folder should be\n")
    assert "cannot be written" in refused(capsys, ["names", "maldorf+toll", "--write"])


@pytest.mark.parametrize("old", ["", "# a", 'a = "b"', 'a = "b"\n\n', "\ufeffa.b = 'c'\n[x]\ny = 'z'\n", "a = ''\r\n"])
def test_texts_are_added_so_that_both_are_read(old: str) -> None:
    new = with_texts(old, {"score.toll": 'the "toll"'})
    assert new is not None and new.startswith(old.rstrip("\n").partition("[")[0].rstrip("\r\n"))
    assert tomllib.loads(new.removeprefix("\ufeff")) == {
        **tomllib.loads(old.removeprefix("\ufeff")), "score.toll": 'the "toll"'
    }  # fmt: skip


def test_a_text_with_a_line_that_looks_like_a_table_is_left_alone() -> None:
    assert with_texts('a = """\n[b]\n"""\n', {"c": "d"}) is None


def test_a_copy_of_a_game_speaks_its_one_language_everywhere(capsys: pytest.CaptureFixture[str]) -> None:
    source = load("maldorf").ruleset
    assert source is not None
    home = Path(__file__).parents[2] / "rules" / "maldorf"
    shutil.copytree(home, "rules/mine", ignore=shutil.ignore_patterns("en.toml", "de.toml", "scenarios"))
    assert "no errors" in run(capsys, "check", "mine")
    assert "Vainqueur" not in (told := run(capsys, "play", "mine", *SEATS, "--lang", "en", "--quiet"))
    assert "majorités" in told
