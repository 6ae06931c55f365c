"""The menu of a question: long lists are folded, typing narrows them, cells are found by name; keys by their names."""

from __future__ import annotations

import pytest

from interpreter import Game
from tests.conftest import ruleset_named
from workbench.language.sentences import Words
from workbench.service.table import Choice, Question, Table, table_for
from workbench.terminal.choices import Menu, fold
from workbench.terminal.keys import is_partial, keys_in

CARDS = ["red", "blue", "green"]
MANY = [f"add a {colour} card {number}" for colour in CARDS for number in range(5)] + ["add nothing", "stop"]


def menu(texts: list[str]) -> Menu:
    options = tuple(Choice(number, text, "value", text) for number, text in enumerate(texts, 1))
    table = Table("t", "en", 0, 0, False, (), (), (), ())
    return Menu(Question("r", "n", "one", False, "", "?", "", (), options), table)


def texts(found: Menu) -> list[str]:
    return [line.text for line in found.lines]


# ---------------------------------------------------------------------- folds


def test_fewer_than_ten_are_not_folded() -> None:
    assert len(menu(MANY[:9]).lines) == 9


def test_those_that_begin_alike_are_one_line() -> None:
    folded = ["add a red card … (5)", "add a blue card … (5)", "add a green card … (5)"]
    assert texts(menu(MANY[:15])) == folded
    assert texts(menu(MANY)) == [*folded, "add nothing", "stop"]  # what would be the only fold is opened at once


def test_a_fold_opens_and_closes() -> None:
    found = menu(MANY)
    found.move(1)
    assert found.enter() is None and found.opened and len(found.lines) == 5
    found.move(2)
    assert found.enter() == 7
    assert found.back() and found.place == 1 and len(found.lines) == 5 and not found.opened and not found.back()


def test_folds_in_folds() -> None:
    many = [f"{side} {piece} {n}" for side in ("left", "right") for piece in ("cup", "jug") for n in range(6)]
    found = menu(many)
    assert texts(found) == ["left … (12)", "right … (12)"]
    assert found.enter() is None and texts(found) == ["left cup … (6)", "left jug … (6)"]
    assert found.enter() is None and found.enter() == 0


def test_every_option_can_be_reached() -> None:
    for wanted in range(len(MANY)):
        found = menu(MANY)
        taken = None
        while taken is None:
            found.move(next(n for n, line in enumerate(found.lines) if wanted in line.options) - found.place)
            taken = found.enter()
        assert taken == wanted


def test_options_that_all_differ_are_not_folded() -> None:
    assert len(menu([f"{n} apples" for n in range(20)]).lines) == 20
    assert len(fold(["same"] * 12, range(12))) == 12


# --------------------------------------------------------------------- typing


def test_typing_narrows_the_list() -> None:
    found = menu([*MANY, "Âne têtu"])
    found.type("blue 3")
    assert texts(found) == ["add a blue card 3"] and found.enter() == 8
    found.type("ane")
    assert texts(found) == ["Âne têtu"]
    found.type("zebra")
    assert not found.lines and found.enter() is None and not found.marks()
    assert found.back() and len(found.lines) == 6


def test_a_number_is_that_option() -> None:
    found = menu([f"{n} apples" for n in range(20)])
    found.type("1")
    assert found.enter() == 0
    found.type("12")
    assert found.enter() == 11


def test_a_cell_by_its_name() -> None:
    ruleset = ruleset_named("tic-tac-toe")
    game = Game.start(ruleset, 2)
    table = table_for(Words(ruleset), game, game.to_move)
    found = Menu(table.question, table)
    found.type("B2")
    assert [found.options[line.options[0]].key for line in found.lines] == ["board@1,1"]
    assert found.marks() == {"board@1,1"}


# ----------------------------------------------------------------------- keys


@pytest.mark.parametrize(
    ("sent", "keys"),
    [
        ("a\r", ["a", "enter"]),
        ("\x1b[A\x1b[B\x1bOA\x1bOB", ["up", "down", "up", "down"]),
        ("\x1b[5~\x1b[6~\x1b[H\x1b[F\x1b[1~\x1b[4~", ["page-up", "page-down", "home", "end", "home", "end"]),
        ("\x1b[1;5C\x1b[Z\t", ["right", "back-tab", "tab"]),
        ("\x1b", ["escape"]),
        ("\x1b\x1b[A", ["escape", "up"]),
        ("é日\x7f\x04", ["é", "日", "backspace", "ctrl-d"]),
        ("\x1b[200~\x1b[99z\x00\x01\u202e", []),  # unknown sequences, control signs, what turns the order of letters
        ("\x1bx", ["escape", "x"]),
    ],
)
def test_keys(sent: str, keys: list[str]) -> None:
    assert keys_in(sent) == keys


def test_keys_that_come_in_pieces() -> None:
    assert is_partial("\x1b") and is_partial("a\x1b[") and is_partial("\x1b[1;") and is_partial("\x1bO")
    assert not is_partial("a") and not is_partial("\x1b[A")
