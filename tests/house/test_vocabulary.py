"""The law of the house: no word of a game stands in the code.

The vocabulary of every game under `rules/` is read from its tables and rules: rows, kinds, zones, variables, figures,
families, rules, definitions, scores, and the names its catalogue gives rows and zones. A word of it in the code fails
the test, unless `plain_words.toml` lists it as plain English that the code may use, with the reason.

The classics stand apart. Everybody knows them, and their words (check, point, king, two) are plain English: of a
classic only names put together from several words count.
"""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

from tests.conftest import ruleset_named
from warlock_dsl.files import available
from warlock_dsl.ruleset import Ruleset

ROOT = Path(__file__).parents[2]
FOUND = available([ROOT / "rules"])
GAMES = [found.name for found in FOUND]
CLASSICS = {found.name for found in FOUND if found.path.parent.name == "classics"}
STARTER = ROOT / "workbench" / "templates" / "game"  # a game itself, as data: what `warlock new game` writes
TOPS = ("warlock_dsl", "interpreter", "workbench")
CODE = [p for top in TOPS for p in sorted((ROOT / top).rglob("*")) if not p.is_relative_to(STARTER)]
WORD = re.compile(r"[^\W\d_]+(?:_[^\W\d_]+)*")


def words_of(text: str) -> set[str]:
    """The words of a text in lower case: whole names, and the parts of names with capitals or underlines."""
    split = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", text).lower()
    names = set(WORD.findall(split))
    return names | {part for name in names for part in name.split("_")}


def vocabulary(ruleset: Ruleset) -> set[str]:
    """Every name this game gives to something, and what its catalogues call the rows of its tables."""
    components, program = ruleset.components, ruleset.program
    names = {row for table in components.tables.values() for row in table.rows}
    names |= set(components.tables) | set(components.kinds) | set(components.zones) | set(components.grids)
    names |= {region for grid in components.grids.values() for region in grid.regions}
    names |= {field for kind in components.kinds.values() for field in kind.fields}
    names |= {column for table in components.tables.values() for column in table.columns}
    names |= {name for _, name in components.variables} | {part for figure in components.figures for part in figure}
    names |= set(components.series) | set(components.matrices) | set(components.dice)
    names |= {name for d in (*program.defines, *program.rules) for name in d.address.split(".")}
    names |= {score.name for score in program.scores} | {law.name for law in (*program.invariants, *program.endings)}
    rows = [f"{table.name}.{row}" for table in components.tables.values() for row in table.rows]
    names |= {language[key].text.lower() for language in components.names.values() for key in rows if key in language}
    return {name for name in names if len(name) > 2 and WORD.fullmatch(name) and secret(ruleset, name)}


def secret(ruleset: Ruleset, name: str) -> bool:
    return ruleset.name not in CLASSICS or "_" in name


def plain_words() -> dict[str, str]:
    groups = tomllib.loads((Path(__file__).parent / "plain_words.toml").read_text(encoding="utf-8"))
    return {word: group["why"] for group in groups.values() for word in group["words"]}


def found_in(paths: list[Path], words: set[str]) -> dict[str, list[str]]:
    """Each forbidden word with the places where it stands; plurals count."""
    places: dict[str, list[str]] = {}
    forms = {form: word for word in sorted(words) for form in (word + "es", word + "s", word)}
    for path in paths:
        if path.suffix in (".py", ".lark", ".toml") and path.is_file() and "shipped" not in path.parts:
            for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
                for word in words_of(line) & set(forms):
                    places.setdefault(forms[word], []).append(f"{path.name}:{number}")
    return places


@pytest.mark.parametrize("name", GAMES)
def test_no_word_of_a_game_stands_in_the_code(name: str) -> None:
    words = vocabulary(ruleset_named(name)) - set(plain_words())
    places = found_in(CODE, words)
    assert not places, "\n".join(f"{word}: {', '.join(where[:5])}" for word, where in sorted(places.items()))


def test_the_test_can_fail(tmp_path: Path) -> None:
    """A row, a zone and a rule of a game, each in disguise, are found."""
    ruleset = ruleset_named("maldorf")
    words = vocabulary(ruleset) - set(plain_words())
    for text in ("if card.race == 'giant': pass", "class DungeonView: ...", "# ask whether the empires are full"):
        code = tmp_path / "code.py"
        code.write_text(text)
        assert found_in([code], words), text


def test_of_a_classic_only_names_put_together_count() -> None:
    words = vocabulary(ruleset_named("goofspiel"))
    assert "tied_prize_stays" in words and not words & {"rank", "king", "bid"}


def test_the_list_of_plain_words_is_short_and_needed() -> None:
    """Every plain word is one that some game uses and that the code uses as well; else it is taken off the list."""
    words = set().union(*(vocabulary(ruleset_named(name)) for name in GAMES))
    assert not set(plain_words()) - words
    assert not set(plain_words()) - set(found_in(CODE, words))
