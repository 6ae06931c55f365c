"""Words: catalogues become sentences, templates are filled safely, all three languages say everything."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from attrs import evolve

from interpreter import Decision, Game, Option, Shown
from tests.conftest import ruleset_named
from warlock_dsl.diagnostics.diagnostic import NOWHERE
from warlock_dsl.load import load
from warlock_dsl.ruleset import Ruleset
from warlock_dsl.tables.components import Entry
from workbench.language.phrases import LANGUAGES, Phrases, clean, fill
from workbench.language.sentences import Words, cell_name, language_for, languages_of
from workbench.players.base import Random
from workbench.support.errors import UsageError

ROOT = Path(__file__).parents[3]
PLACE = re.compile(r"\{[a-z]+\}")


@pytest.fixture(scope="module")
def tiny() -> Ruleset:
    loaded = load(str(Path(__file__).parents[1] / "data" / "tiny"))
    assert loaded.ruleset is not None, loaded.diagnostics
    return loaded.ruleset


def question(rule: str, name: str, *values: Shown, bound: dict[str, Shown] | None = None) -> Decision:
    options = tuple(Option("value", value, value.key()) for value in values)
    return Decision(0, rule, name, "one", False, tuple((bound or {}).items()), (), options, NOWHERE)


# ------------------------------------------------------------------ templates


@pytest.mark.parametrize(
    "template", ["{x.__class__}", "{0}", "{x!r}", "{x:>10}", "{x[0]}", "{", "}", "{}", "{x", "{ x }", "%s", "{y}"]
)
def test_only_plain_names_are_filled_in(template: str) -> None:
    assert fill(template, {"x": "1"}) == template


def test_what_is_filled_in_is_not_filled_again() -> None:
    assert fill("{x} {y}", {"x": "{y}", "y": "2"}) == "{y} 2"


def test_control_characters_are_taken_out() -> None:
    assert clean("a\x1b[31mb\u202ec\r\n") == "a[31mbc\n"


# ------------------------------------------------------------ the own phrases


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_language_says_everything(lang: str) -> None:
    english, other = Phrases("en"), Phrases(lang)
    assert other.keys() == english.keys()
    for key in english.keys():  # noqa: SIM118 - a method, not a mapping
        assert sorted(PLACE.findall(other(key))) == sorted(PLACE.findall(english(key))), key


def test_the_languages_are_the_files_found() -> None:
    found = {path.stem for path in (ROOT / "workbench" / "language" / "locale").glob("*.toml")}
    assert set(LANGUAGES) == found >= {"en", "fr", "de"}


def test_a_game_may_speak_a_language_of_its_own(tiny: Ruleset) -> None:
    names = {**tiny.components.names, "eo": {"game": Entry("Ludo", tiny.components.span, tiny.components.span)}}
    own = evolve(tiny, components=evolve(tiny.components, names=names))
    assert set(languages_of(own)) == {*LANGUAGES, "eo"} and language_for(own, "eo") == "eo"
    assert Words(own, "eo").name("game") == "Ludo" and Words(own, "eo").phrases("yes") == Phrases("en")("yes")
    assert language_for(own, None, "eo") == "eo" and language_for(tiny, None, "eo") == "en"
    with pytest.raises(UsageError, match=r"there is no language 'eo' for .*: de, en, fr"):
        language_for(tiny, "eo")


def test_the_keys_of_the_leaving_question_differ() -> None:
    for lang in LANGUAGES:
        assert Phrases(lang)("quit_yes") != Phrases(lang)("quit_no")


def test_numbers() -> None:
    assert [Phrases(lang).number("4.5") for lang in ("en", "fr", "de")] == ["4.5", "4,5", "4,5"]


def test_the_code_uses_every_phrase_and_none_that_is_missing() -> None:
    files = [path for ending in ("py", "html") for path in (ROOT / "workbench").rglob(f"*.{ending}")]
    text = "".join(path.read_text(encoding="utf-8") for path in files)
    used = set(re.findall(r"""(?:phrases|\bsay)\(\s*["']([a-z_]+)["']""", text))
    many = set(re.findall(r"""\.many\(\s*["']([a-z_]+)["']""", text))
    assert used and many and used | many | {f"{key}_one" for key in many} <= Phrases("en").keys()
    others = Phrases("en").keys() - {f"{key}_one" for key in many}
    assert not [key for key in others if not re.search(f"[\"']{key}[\"']", text)]


def test_how_many_in_words() -> None:
    assert [Phrases(lang).many("diff_games", 4625) for lang in LANGUAGES] == [
        "4.625 Partien", "4,625 games", "4\u202f625 parties"
    ]  # fmt: skip
    assert [Phrases(lang).many("diff_games", 1) for lang in LANGUAGES] == ["1 Partie", "1 game", "1 partie"]
    assert [Phrases().together(found) for found in ([], ["a"], ["a", "b"], ["a", "b", "c"])] == [
        "", "a", "a and b", "a, b and c"
    ]  # fmt: skip


# --------------------------------------------------------------------- labels


def test_labels(tiny: Ruleset) -> None:
    words = Words(tiny, "de", ["Ann", "Bob"])
    assert words.shown(Shown("piece", "k01", "card")) == "k01 rot 1"
    assert words.shown(Shown("piece", "", "card")) == "Karte (verdeckt)"
    assert words.shown(Shown("row", "blue", "colour")) == "blau"
    assert words.shown(Shown("key", "sell", "action")) == "Karten verkaufen"
    assert words.shown(Shown("player", "seat1", owner=1)) == "Bob"
    assert words.shown(Shown("zone", "hand", owner=1), me=0) == "Hand (Bob)"
    assert words.shown(Shown("zone", "hand", owner=0), me=0) == "Hand"
    assert words.shown(Shown("cell", "", "square", 0, 1, 0), me=0) == "A2"
    assert words.shown(Shown("cell", "", "square", 1, 1, 0), me=0) == "A2 (Bob)"
    assert words.shown(Shown("number", "4.5")) == "4,5"
    assert words.shown(Shown("truth", "true")) == "ja"
    two = Shown("list", items=(Shown("number", "1"), Shown("number", "2"), Shown("number", "1")))
    assert words.shown(two) == "2 \u00d7 1 + 2"
    assert words.shown(Shown("list")) == "nichts"
    assert words.help("k05") == "die Karte k05: blau, 2 Punkte"


def test_cells_are_named_like_those_of_a_sheet() -> None:
    assert [cell_name(1, 0), cell_name(3, 25), cell_name(1, 26), cell_name(10, 27)] == ["A1", "Z3", "AA1", "AB10"]


def test_rows_are_counted_from_the_top_or_from_below() -> None:
    assert Words(ruleset_named("connect-four")).cell("board", 0, 6) == "G1"
    chess = Words(ruleset_named("chess"))
    assert [chess.cell("board", 0, 0), chess.cell("board", 7, 4)] == ["A8", "E1"]


def test_sentences(tiny: Ruleset) -> None:
    words = Words(tiny, "fr", ["Ann", "Bob"])
    asked = question("round", "shown", Shown("piece", "k02", "card"))
    assert words.ask(asked) == "Quelle carte montrez-vous, Ann ?"
    assert words.option(asked, asked.options[0]) == "k02 bleu 1"
    card = Shown("piece", "k03", "card")
    placed = question("action.place", "field", Shown("cell", "", "square", 0, 0, 1), bound={"card": card})
    assert words.ask(placed) == "Où va k03 vert 1 ?"
    assert words.option(placed, placed.options[0]) == "k03 vert 1 en B1"
    gift = question("gift", "other", Shown("player", "seat1", owner=1))
    assert words.option(gift, Option("decline", Shown("none"), "decline")) == "à personne"
    assert words.option(asked, Option("decline", Shown("none"), "decline")) == "non merci"
    steps = evolve(asked, partial=(card,), mode="step")
    assert words.option(steps, Option("add", card, "+k03")) == "ajouter\u202f: k03 vert 1"
    assert words.option(steps, Option("stop", Shown("none"), "stop")) == "c'est tout\u202f: k03 vert 1"


def test_what_a_catalogue_lacks_is_english_then_another_language_then_the_key(tiny: Ruleset) -> None:
    names = {lang: dict(table) for lang, table in tiny.components.names.items()}
    del names["fr"]["zone.hand"], names["fr"]["zone.deck"], names["en"]["zone.deck"]
    for language in names.values():
        del language["ask.round.shown"]
    names["en"]["zone.heap"] = names["fr"]["zone.heap"] = Entry("\x1b[2Jheap {x.__init__}", NOWHERE)
    lacking = evolve(tiny, components=evolve(tiny.components, names=names))
    words = Words(lacking, "fr", ["Ann"])
    assert (words.zone("hand"), words.zone("deck"), words.zone("heap")) == (
        "hand", "Ziehstapel", "[2Jheap {x.__init__}"
    )  # fmt: skip
    assert words.zone("no_such_zone") == "no such zone"
    assert words.ask(question("round", "shown")) == "Ann, choisissez\u202f: shown"
    assert Words(tiny, "xx").title() == "The little game"


def test_pieces_alike_in_words_are_told_apart(tiny: Ruleset) -> None:
    names = {lang: dict(table) for lang, table in tiny.components.names.items()}
    names["en"]["piece.card"] = Entry("{colour}", NOWHERE)
    plain = evolve(tiny, components=evolve(tiny.components, names=names))
    game = Game.start(tiny, 2, 1)
    asked = question("round", "shown", *(Shown("piece", name, "card") for name in ("k01", "k02", "k04")))
    assert Words(plain).options(asked, game.observe(0)) == ["red [k01]", "blue", "red [k04]"]


def test_pieces_on_a_grid_are_told_with_their_cell(tiny: Ruleset) -> None:
    game = Game.start(tiny, 2, 1)
    words = Words(tiny, "en", ["Ann", "Bob"])
    while not any(zone.name == "square" and zone.owner == 0 and zone.pieces for zone in game.observe(0).zones):
        number = next((n for n, option in enumerate(game.options()) if option.key == "place"), 0)
        game.choose(number)
    view = game.observe(0)
    piece = next(zone.pieces[0].name for zone in view.zones if zone.name == "square" and zone.owner == 0)
    asked = question("round", "shown", Shown("piece", piece, "card"))
    assert words.options(asked, view)[0].endswith("(A1)")
    assert words.options(evolve(asked, player=1), view)[0].endswith("(square (Ann) A1)")


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_question_of_a_real_game_is_a_sentence(maldorf: Ruleset, lang: str) -> None:
    """No placeholder left over, no bare key, no two answers with the same words."""
    game = Game.start(maldorf, 3, 11, laws=False)
    words = Words(maldorf, lang, ["Ann", "Bob", "Eve"])
    bot = Random(4)
    while not game.over:
        decision = game.decision
        assert decision is not None
        sentences = [words.ask(decision), *words.options(decision, game.observe(decision.player))]
        assert not [text for text in sentences if "{" in text or "_" in text or not text]
        assert len(set(sentences)) == len(sentences), (decision.rule, sentences)
        assert words.text(f"ask.{decision.rule}.{decision.name}") is not None
        game.choose(bot.pick(game))
