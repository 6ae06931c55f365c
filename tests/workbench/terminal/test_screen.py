"""The table on a whole screen of 80 by 24: whole games by the keyboard, with all that a decision needs in sight."""

from __future__ import annotations

import random
import re
from fractions import Fraction
from itertools import product
from pathlib import Path

import pytest
from attrs import evolve
from rich.text import Text

from interpreter import Game, number_text
from tests.conftest import ruleset_named
from tests.workbench.terminal.test_play import tiny
from warlock_dsl.ruleset import Ruleset
from workbench.language.explain import about_rule, explain
from workbench.language.phrases import LANGUAGES, Phrases
from workbench.language.sentences import Words
from workbench.terminal.panes import MIN_HEIGHT, MIN_WIDTH, Screen, share_out
from workbench.terminal.screen import PlayScreen
from workbench.terminal.sitting import Sitting, Start, seat_from

__all__ = ["tiny"]
WIDTH, HEIGHT = 80, 24
GAMES = {"maldorf": 3, "goblin-warlord": 3, "warlock-1980": 3}


def seated(ruleset: Ruleset, seats: str, lang: str = "en", seed: int = 4) -> tuple[Sitting, Words]:
    found = [seat_from(word) for word in seats.split(",")]
    phrases = Phrases(lang)
    words = Words(ruleset, lang, [seat.called(number, phrases) for number, seat in enumerate(found)])
    game = Game.start(ruleset, len(found), seed, [str(seat) for seat in found], laws=False, log=True)
    return Sitting(Start(game), found), words


def one_line(text: str) -> str:
    return " ".join(text.split())


def look(screen: PlayScreen) -> Screen:
    """Draw, and check what must be in sight: the question, the selected option, one's own area."""
    drawn = screen.draw(WIDTH, HEIGHT)
    assert len(drawn.lines) == HEIGHT and all(line.cell_len == WIDTH for line in drawn.lines)
    question, line = screen.table.question, screen.view.menu.selected
    assert question is not None and line is not None
    assert one_line(question.text) in one_line(drawn.pane("question"))
    assert one_line(line.text) in one_line(drawn.pane("options"))
    own = one_line(drawn.pane("own"))
    for zone in screen.table.zones_of(screen.seat):
        if zone.is_map:
            assert all(re.search(rf"^ ?{row}[ \[]", drawn.pane("own"), re.MULTILINE) for row in zone.rows)
        elif zone.count != 0:
            assert one_line(zone.label) in own, f"{zone.label} is out of sight"
            for piece in zone.pieces:  # in full, or, where that is too much, in short
                short = piece.short.split()[0] in own.split(one_line(zone.label), 1)[1] if piece.name else True
                assert one_line(piece.label) in own or short, f"{piece.label} is out of sight"
    return drawn


def take(screen: PlayScreen, place: int, dice: random.Random) -> int:
    """Take an option by the keyboard: by its number, or by going to it, through folds."""
    menu = screen.view.menu
    if dice.random() < 0.5:
        for digit in str(place + 1):
            assert screen.play(digit) is None
        assert menu.selected is not None and place in menu.selected.options
    else:
        line = next(number for number, one in enumerate(menu.lines) if place in one.options)
        for _ in range(len(menu.lines)):
            if menu.place != line:
                assert screen.play("down" if menu.place < line else "up") is None
        look(screen)
    found = screen.play("enter")
    while found is None:  # a fold was opened
        look(screen)
        line = next(number for number, one in enumerate(menu.lines) if place in one.options)
        for _ in range(line):
            screen.play("down")
        found = screen.play("enter")
    assert found == place
    return place


def gold_of(words: Words, piece: str) -> list[Fraction]:
    """What a card may count as in a bid, from the tables."""
    kind = words.components.kinds["creature"]
    return list(kind.fields["gold"].values[kind.pieces.index(piece)])  # type: ignore[arg-type]


def look_at_bids(screen: PlayScreen, drawn: Screen) -> None:
    """All that a bid depends on is in sight: one's own gold card by card, what is put together so far, and the highest
    bid there is; each worked out here from the tables and the state."""
    game, words = screen.sitting.game, screen.words
    say, own = words.phrases.number, one_line(drawn.pane("own"))
    for zone in screen.table.zones_of(screen.seat):
        for piece in zone.pieces if zone.name in ("mine", "open_mine") else ():
            gold = " / ".join(say(number_text(one.numerator, one.denominator)) for one in gold_of(words, piece.name))
            label = f"(?:{re.escape(one_line(piece.label))}|{re.escape(piece.short.split()[0])})"
            assert re.search(rf"{label} {gold} ?\w", own), f"the gold of {piece.label}, {gold}, is out of sight"
    bids = [one.value.name for one in game.observe(-1).variables if one.name == "bid" and one.value is not None]
    highest = say(max(bids, key=Fraction))
    question = one_line(drawn.pane("question"))
    assert re.search(rf"{re.escape(highest)}(?! ?\d)", question), f"the highest bid, {highest}, is out of sight"
    decision = game.decision
    assert decision is not None
    chosen = [gold_of(words, piece.name) for piece in decision.partial]
    totals = {sum(one, Fraction(0)) for one in product(*chosen)}
    texts = [say(number_text(one.numerator, one.denominator)) for one in totals]
    if decision.name == "cards":
        assert any(text in question for text in texts), f"{texts}: what is put together is out of sight in: {question}"


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("name", GAMES)
def test_a_whole_game_at_80_by_24(name: str, lang: str) -> None:
    seats = ",".join(["human=Ann", *["random"] * (GAMES[name] - 1)])
    sitting, words = seated(ruleset_named(name), seats, lang)
    dice, decisions, folded, bids = random.Random(f"{name} {lang}"), 0, 0, 0
    screen = PlayScreen(words, sitting, 0)
    while not sitting.game.over:
        if sitting.let_bot_answer():
            continue
        screen.look()
        drawn = look(screen)
        assert "{" not in drawn.text
        if sitting.game.question.startswith("bid."):
            look_at_bids(screen, drawn)
            bids += 1
        folded += any(line.folded for line in screen.view.menu.lines)
        sitting.answer(take(screen, dice.randrange(sitting.game.option_count), dice))
        decisions += 1
    assert decisions > 10 and (bids > 3 or name != "maldorf")


# ------------------------------------------------------------------- the keys


@pytest.fixture
def screen(maldorf: Ruleset) -> PlayScreen:
    """A person in the middle of a game, at a question about cards of the hand."""
    sitting, words = seated(maldorf, "human=Ann,random,random")
    while len(sitting.game.answers) < 60 or sitting.game.question != "lay_down.shown" or sitting.game.to_move:
        if not sitting.let_bot_answer():
            sitting.answer(0)
    return PlayScreen(words, sitting, 0)


def test_what_an_option_is_about_is_marked(screen: PlayScreen) -> None:
    for _ in range(4):
        line = screen.view.menu.selected
        assert line is not None
        drawn = screen.draw(WIDTH, HEIGHT)
        marked = [line for line in drawn.pane("own").splitlines() if "▸" in line]
        assert marked and drawn.pane("options").count("▸") == 1
        assert screen.play("down") is None


def test_a_cell_is_marked_and_found_by_name(screen: PlayScreen) -> None:
    sitting = screen.sitting
    while sitting.game.to_move or not any(option.value.what == "cell" for option in sitting.game.options()):
        if not sitting.let_bot_answer():
            keys = [option.key for option in sitting.game.options()]
            sitting.answer(keys.index("empire") if "empire" in keys else 0)
    screen.look()
    option = screen.table.question.options[-1]  # type: ignore[union-attr]
    (cell,) = [cell for zone in screen.table.zones for cell in zone.cells if f"seat0.{option.cells[0]}" == cell.key
               or cell.key == option.cells[0]]  # fmt: skip
    for letter in cell.name:
        assert screen.play(letter) is None
    drawn = screen.draw(WIDTH, HEIGHT)
    assert f"[{cell.mark}]" in drawn.pane("own")
    assert screen.play("enter") == option.number - 1


def test_explained(screen: PlayScreen) -> None:
    screen.play("?")
    drawn = screen.draw(WIDTH, HEIGHT)
    assert "points" in drawn.pane("overlay") and "gold" in drawn.pane("overlay")  # the figures of the card
    assert "power of the" in drawn.pane("overlay")  # what the card can do
    assert " 2.2" in drawn.text  # where the rulebook says so
    assert "?" in drawn.pane("question")
    screen.play("escape")
    assert screen.view.overlay is None


def test_why_and_why_not(screen: PlayScreen) -> None:
    screen.play("w")
    assert screen.view.overlay is not None and screen.view.overlay.lines
    screen.play("escape")
    card = next(zone for zone in screen.table.zones_of(0) if zone.name == "hand").pieces[0]
    others = [zone.pieces[-1] for zone in screen.table.zones_of(-1) if zone.pieces and zone.pieces[-1].name]
    screen.play("n")
    for letter in others[-1].label:
        screen.play(letter)
    assert others[-1].label in screen.draw(WIDTH, HEIGHT).pane("question")
    screen.play("enter")
    overlay = screen.view.overlay
    assert overlay is not None and overlay.lines and others[-1].label in overlay.title
    assert card.label not in overlay.title


def test_undo_redo_and_looking_back(screen: PlayScreen) -> None:
    sitting = screen.sitting
    before = list(sitting.game.answers)
    text = screen.draw(WIDTH, HEIGHT).text
    for _ in range(5):
        screen.play("[")
    assert sitting.game.answers == before and screen.view.past and screen.draw(WIDTH, HEIGHT).text != text
    assert screen.play("enter") is None and sitting.game.answers == before  # nothing is answered in the past
    screen.play("[")
    screen.play("]")
    assert screen.draw(WIDTH, HEIGHT).text == text
    screen.play("u")
    assert len(sitting.game.answers) < len(before) and sitting.game.to_move == 0
    screen.play("r")
    assert sitting.game.answers == before
    screen.view.message = ""
    assert screen.draw(WIDTH, HEIGHT).pane("question") in text


def test_panes_scroll_by_themselves(screen: PlayScreen) -> None:
    first = screen.draw(WIDTH, HEIGHT)
    screen.play("tab")
    assert screen.view.focus == "table"
    for _ in range(3):
        screen.play("down")
    second = screen.draw(WIDTH, HEIGHT)
    assert second.pane("table") != first.pane("table") and second.pane("log") == first.pane("log")
    screen.play("l")
    screen.play("page-up")
    third = screen.draw(WIDTH, HEIGHT)
    assert third.pane("log") != second.pane("log") and third.pane("table") == second.pane("table")
    screen.play("escape")
    assert screen.view.focus == "options"


@pytest.mark.parametrize("size", [(MIN_WIDTH, MIN_HEIGHT), (100, 32), (120, 40), (200, 60)])
def test_every_size(screen: PlayScreen, size: tuple[int, int]) -> None:
    width, height = size
    drawn = screen.draw(width, height)
    assert len(drawn.lines) == height and {line.cell_len for line in drawn.lines} == {width}
    assert screen.view.menu.selected is not None
    assert one_line(screen.view.menu.selected.text) in one_line(drawn.pane("options"))


def test_shares_of_the_lines() -> None:
    much = {"options": 28, "table": 30, "own": 12, "log": 99}
    little = {"options": 2, "table": 3, "own": 0, "log": 1}
    for room in range(8, 60):
        for wants in (much, little):
            rows = share_out(room, wants)
            assert sum(rows.values()) == room and min(rows.values()) >= 0 and rows["options"] > 0


@pytest.mark.parametrize("pane", ["own", "question"])
def test_a_figure_that_is_missing_is_noticed(screen: PlayScreen, pane: str) -> None:
    """The look at bids above finds a screen without the figures of one's cards, or of the bids."""
    sitting = screen.sitting
    while sitting.game.question != "bid.cards" or sitting.game.to_move:
        if not sitting.let_bot_answer():
            sitting.answer(0)
    screen.look()
    drawn = screen.draw(WIDTH, HEIGHT)
    look_at_bids(screen, drawn)
    first, last = drawn.panes[pane]
    blind = [Text(re.sub(r"\d", "", line.plain)) if first <= n < last else line for n, line in enumerate(drawn.lines)]
    with pytest.raises(AssertionError, match="out of sight"):
        look_at_bids(screen, Screen(blind, drawn.panes))


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_legend_tells_every_short_name(screen: PlayScreen, maldorf: Ruleset, lang: str) -> None:
    screen = PlayScreen(Words(maldorf, lang, ["Ann", "Bob", "Cid"]), screen.sitting, 0)
    screen.play("h")
    overlay = screen.view.overlay
    assert overlay is not None
    shorts = {piece.short for zone in screen.table.zones if zone.is_map for piece in zone.pieces if piece.name}
    assert shorts and all(any(line.split()[:1] == [short] for line in overlay.lines) for short in shorts)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_keys_fit_in_a_line(lang: str) -> None:
    phrases = Phrases(lang)
    for key in ("screen_keys", "screen_back_keys", "screen_over_keys"):
        assert len(phrases(key)) <= WIDTH
    for line in phrases("screen_help").split("\n"):
        assert len(line) <= WIDTH - 4


def test_saving(screen: PlayScreen, tmp_path: Path) -> None:
    screen.save_file = tmp_path / "evening.json"
    screen.play("s")
    assert screen.save_file.exists() and "evening.json" in screen.view.message


def test_leaving(screen: PlayScreen) -> None:
    assert screen.play("q") == "leave" and screen.play("ctrl-d") == "leave"


def test_hostile_names_do_not_steer_the_screen(tiny: Ruleset) -> None:
    sitting, words = seated(tiny, "human=\x1b[2JAnn,first")
    screen = PlayScreen(words, sitting, 0)
    assert "\x1b" not in screen.draw(WIDTH, HEIGHT).text


@pytest.mark.parametrize("lang", LANGUAGES)
def test_explained_in_every_language(maldorf: Ruleset, lang: str) -> None:
    """The sentence of the rule and of a card's power in the player's language, and where its rulebook says so."""
    sitting, words = seated(maldorf, "human=Ann,random,random", lang)
    while sitting.let_bot_answer():
        pass
    decision = sitting.game.decision
    assert decision is not None and decision.rule == "lay_down"
    lines = "\n".join(explain(words, maldorf, decision, decision.options[0]))
    race = words.components.kinds["creature"].fields["race"]
    number = words.components.kinds["creature"].pieces.index(decision.options[0].value.name)
    row = words.components.tables["race"].rows[race.values[number]]  # type: ignore[index]
    catalogue = maldorf.components.names[lang]
    for key in ("says.lay_down", f"says.power.{row}"):
        assert catalogue[key].text in lines
    assert f"{words.text(f'document.{lang}') or lang} 2.2" in lines


def test_a_rule_that_an_overlay_changed_is_told_as_changed() -> None:
    """The sentence of the catalogue is about the rule as it was."""
    ruleset = ruleset_named("maldorf+dragons(limit=1)")
    rules = {rule.address: rule for rule in ruleset.program.rules}
    plain = about_rule(Words(ruleset), ruleset, rules["power.giant"])
    layer = ruleset.layers[-1]
    change = evolve(layer.changes[0], target="power.giant")
    changed = evolve(ruleset, layers=(evolve(layer, changes=(change,)),))
    told = about_rule(Words(ruleset), changed, rules["power.giant"])
    assert plain != told and layer.about in told[0] and plain[0] not in told
