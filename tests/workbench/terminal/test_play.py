"""Playing at the terminal: whole games in each language, undo, save, and hands that stay hidden."""

from __future__ import annotations

import io
import json
from collections.abc import Callable, Iterable
from pathlib import Path

import pytest
from rich.console import Console

from interpreter import Game
from interpreter.state.visibility import sees_piece
from warlock_dsl.load import load
from warlock_dsl.ruleset import Ruleset
from workbench.language.event_log import tell
from workbench.language.phrases import LANGUAGES, Phrases
from workbench.language.sentences import Words
from workbench.support.errors import UsageError
from workbench.terminal.session import Session, listing
from workbench.terminal.sitting import End, Seat, Sitting, Start, resume, seat_from
from workbench.transcripts.running_game import RunningGame

Answer = str | None
Script = Callable[["Desk", str], Answer]


@pytest.fixture(scope="module")
def tiny() -> Ruleset:
    loaded = load(str(Path(__file__).parents[1] / "data" / "tiny"))
    assert loaded.ruleset is not None, loaded.diagnostics
    return loaded.ruleset


class Desk:
    """A session whose input is a script and whose output is kept, prompt by prompt."""

    def __init__(
        self, ruleset: Ruleset, seats: str, script: Script | Iterable[Answer], lang: str = "en", seed: int = 4,
        start: Start | None = None, terminal: bool = False, kept: RunningGame | None = None,
    ) -> None:  # fmt: skip
        self.seats = [seat_from(word) for word in seats.split(",")]
        names = [str(seat) for seat in self.seats]
        phrases = Phrases(lang)
        self.words = Words(ruleset, lang, [seat.called(n, phrases) for n, seat in enumerate(self.seats)])
        self.script = script if callable(script) else _from(script)
        self.start = start or Start(Game.start(ruleset, len(names), seed, names, log=True))
        self.game = self.start.game
        self.out = io.StringIO()
        self.read_to = 0
        self.parts: list[str] = []  # what was printed before each prompt
        console = Console(file=self.out, width=100, highlight=False, force_terminal=terminal, color_system=None)
        self.session = Session(Sitting(self.start, self.seats, kept), self.words, console, self.read)

    def read(self, prompt: str) -> Answer:
        self.parts.append(self.out.getvalue()[self.read_to :])
        self.read_to = len(self.out.getvalue())
        return self.script(self, prompt)

    def play(self) -> End:
        return self.session.play()

    @property
    def text(self) -> str:
        return self.out.getvalue()


def _from(answers: Iterable[Answer]) -> Script:
    waiting = iter(answers)
    return lambda desk, prompt: next(waiting, None)


def ones(desk: Desk, prompt: str) -> Answer:
    return "1"


# ---------------------------------------------------------------- whole games


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_game_to_its_end(tiny: Ruleset, lang: str) -> None:
    desk = Desk(tiny, "human=Ann,random,first", ones, lang)
    assert desk.play() is End.OVER
    phrases = Phrases(lang)
    assert desk.game.over and phrases("scores") in desk.text
    assert desk.words.title() in desk.text
    assert "{" not in desk.text
    total = phrases.number(desk.game.scores()[0].total_text)
    assert total in desk.text.split(phrases("total"))[-1]
    winners = ", ".join(desk.words.seat(seat) for seat in desk.game.winners)
    assert winners in desk.text.splitlines()[-1]


def test_a_game_of_the_large_kind_to_its_end(maldorf: Ruleset) -> None:
    desk = Desk(maldorf, "human=Ann,random,random", ones, "fr")
    assert desk.play() is End.OVER
    assert max(len(line) for line in desk.text.splitlines()) <= 100
    assert "{" not in desk.text


def test_bots_answer_as_they_do_without_people(tiny: Ruleset) -> None:
    """A person who always takes the first option is the bot that does."""
    digests = []
    for seats in ("human,random", "first,random"):
        desk = Desk(tiny, seats, ones)
        desk.play()
        digests.append(desk.game.state.digest())
    assert digests[0] == digests[1]


# ------------------------------------------------------------------- commands


def test_leaving_at_the_end_of_the_input(tiny: Ruleset) -> None:
    desk = Desk(tiny, "human,random", ["1", None])
    assert desk.play() is End.LEFT
    assert "left before its end" in desk.text


@pytest.mark.parametrize(("word", "left"), [("n", True), ("x", False), (None, True)])
def test_leaving_is_asked_for_twice(tiny: Ruleset, word: Answer, left: bool) -> None:
    desk = Desk(tiny, "human,random", ["q", word, None])
    desk.play()
    assert len(desk.parts) == (2 if left else 3)


def test_strange_answers_change_nothing(tiny: Ruleset) -> None:
    strange = ["", "0", "99", "-1", "1.5", "²", "9" * 5000, "?", "? 99", "?x", "x" * 9999, "\x1b[2J"]
    strange += ["u", "b", "h", "l"]
    desk = Desk(tiny, "human,random", strange)
    before = desk.game.answers[:]
    while desk.game.to_move != 0:
        desk.game.choose(0)
        before = desk.game.answers[:]
    desk.play()
    assert desk.game.answers == before
    assert "\x1b" not in desk.text
    assert desk.text.count("╭─ The little game") == 2  # at the beginning, and for `b`


def test_help_on_an_option(tiny: Ruleset) -> None:
    desk = Desk(tiny, "human,random", ["? 1", "?2", None])
    desk.play()
    assert "  the card k" in desk.parts[1] and "  the card k" in desk.parts[2]
    assert desk.parts[1] != desk.parts[2]


def test_undo_to_the_start_and_forward_again(tiny: Ruleset) -> None:
    """Answer all questions but the last, take all back, answer the same: the same game."""

    def by_place(desk: Desk, place: int) -> str:
        return str(1 + place % desk.game.option_count)

    straight = Desk(tiny, "human,random,random", lambda desk, prompt: by_place(desk, len(desk.parts)))
    straight.play()
    count = len(straight.parts)

    def winding(desk: Desk, prompt: str) -> Answer:
        turn = len(desk.parts)
        if turn < count:
            return by_place(desk, turn)
        if turn < 2 * count - 1:
            return "u"
        return by_place(desk, turn - 2 * count + 2)

    undone = Desk(tiny, "human,random,random", winding)
    undone.play()
    assert undone.text.count("Back at your decision") == count - 1
    assert undone.game.digest() == straight.game.digest()
    assert undone.game.answers == straight.game.answers


def test_undo_at_the_first_decision_says_so(tiny: Ruleset) -> None:
    desk = Desk(tiny, "human,first", ["u", None])
    desk.play()
    assert "no earlier decision" in desk.parts[1]


def test_save_and_go_on(tiny: Ruleset, tmp_path: Path) -> None:
    """Saved in the middle of a set asked for piece by piece, loaded, and played on: the same game; undo still works."""
    file = tmp_path / "half.json"

    def until_half_way(desk: Desk, prompt: str) -> Answer:
        decision = desk.game.decision
        assert decision is not None
        if decision.mode == "step" and decision.partial:
            if not file.exists():
                return f"s {file}"
            return None
        keys = [option.key for option in decision.options]
        return str(1 + keys.index("sell")) if "sell" in keys else "1"

    first = Desk(tiny, "human=Ann,first", until_half_way)
    assert first.play() is End.LEFT
    assert f"Saved in {file}" in first.text.replace("\n", "")
    data = json.loads(file.read_text(encoding="utf-8"))
    assert data["seats"] == ["human=Ann", "first"]
    start = resume(tiny, data)
    assert start.game.digest() == data["digest"] and len(start.askers) == len(data["answers"])
    undone = Desk(tiny, "human=Ann,first", ["u", None], start=resume(tiny, data))
    undone.play()
    assert len(undone.game.answers) == len(data["answers"]) - 1
    ends = []
    for begin in (start, Start(Game.load(tiny, data))):
        desk = Desk(tiny, "human=Ann,first", ones, start=begin)
        assert desk.play() is End.OVER
        ends.append(desk.game.digest())
    assert ends[0] == ends[1]


def test_a_file_that_is_no_game_is_left_alone(tiny: Ruleset, tmp_path: Path) -> None:
    precious = tmp_path / "letter.txt"
    precious.write_text("dear friend", encoding="utf-8")
    desk = Desk(tiny, "human,random", [f"s {precious}", f"s {tmp_path / 'no' / 'where'}", "s \0", None])
    desk.play()
    assert desk.text.count("Not saved") == 3
    assert precious.read_text(encoding="utf-8") == "dear friend"
    assert [path.name for path in tmp_path.iterdir()] == ["letter.txt"]


def test_seats_as_they_are_written() -> None:
    assert seat_from("human=Ann") == Seat("human", "Ann") and str(Seat("human", "Ann")) == "human=Ann"
    assert seat_from("greedy") == Seat("greedy")
    with pytest.raises(UsageError, match="no seat is called 'wizard'"):
        seat_from("wizard")


def test_many_short_options_stand_in_columns() -> None:
    assert len(listing(["a"] * 5, 100).columns) == 2
    assert len(listing(["a"] * 12, 100).columns) == 6
    assert len(listing(["a" * 60] * 12, 100).columns) == 2


# ------------------------------------------------------------------- hot seat


def looking(desk: Desk) -> int:
    return desk.session.at_keyboard


def test_hands_stay_hidden_from_those_who_share_a_keyboard(tiny: Ruleset) -> None:
    """Whatever is printed for a person names no card that this person cannot see and has not seen."""
    known: dict[int, set[str]] = {0: set(), 1: set()}

    def watch(desk: Desk, prompt: str) -> Answer:
        layout, state = desk.game.machine.layout, desk.game.state
        if prompt.startswith("Press Enter"):
            cards = [name for name in layout.piece_names if name.startswith("k")]
            assert not [name for name in cards if name in desk.parts[-1]]
            return ""
        me = looking(desk)
        assert desk.game.to_move == me
        for piece, name in enumerate(layout.piece_names):
            if sees_piece(layout, state, piece, me):
                known[me].add(name)
            elif name in desk.parts[-1]:
                seen = any(event.piece == piece and me in event.seen for event in desk.game.events)
                assert seen or name in known[me], f"{name} shown to seat {me}"
        turn = len(desk.parts)
        if turn % 3 == 0:
            return "l"
        if turn % 7 == 0:
            return "b"
        return str(1 + turn % desk.game.option_count)

    for seed in range(6):
        known = {0: set(), 1: set()}
        desk = Desk(tiny, "human=Ann,human=Bob,random", watch, seed=seed)
        assert desk.play() is End.OVER
        assert sum("Pass the keyboard" in part for part in desk.parts) >= 4


def test_a_secret_answer_is_not_told_before_all_have_answered(tiny: Ruleset) -> None:
    desk = Desk(tiny, "human=Ann,human=Bob", ["", "1", "", "l", None])
    first = desk.game.to_move
    hand = next(zone for zone in desk.game.observe(first).zones if zone.name == "hand" and zone.owner == first)
    desk.play()
    assert desk.game.state.asking >= 0  # the second has not answered
    told = "".join(desk.parts[3:]) + desk.text[desk.read_to :]
    assert not [piece.name for piece in hand.pieces if piece.name in told]


def test_the_screen_is_cleared_between_people(tiny: Ruleset) -> None:
    desk = Desk(tiny, "human=Ann,human=Bob", ["", "1", None], terminal=True)
    desk.play()
    assert desk.text.count("\x1b[2J") == desk.text.count("\x1b[3J") == 3
    assert desk.text.index("\x1b[2J") < desk.text.index("\x1b[3J")


def test_one_person_is_not_asked_to_pass_the_keyboard(tiny: Ruleset) -> None:
    desk = Desk(tiny, "human=Ann,random", ones)
    desk.play()
    assert "Pass the keyboard" not in desk.text


# ------------------------------------------------------------------------ log


def test_the_log_tells_each_what_each_saw(tiny: Ruleset) -> None:
    game = Game.start(tiny, 2, 4, log=True)
    words = Words(tiny, "en", ["Ann", "Bob"])
    lines = [tell(game.events, seat, words) for seat in range(2)]
    assert "deck: shuffled" in lines[0]
    assert any(line.endswith(" begins") for line in lines[0])
    assert any(one.startswith("deck → hand: Ann") and one.endswith("Bob 4 \u00d7 hidden card") for one in lines[0])
    assert any("Ann 4 \u00d7 hidden card; Bob k" in one for one in lines[1])
    assert not [line for line in lines[0] if line.startswith("Bob") and "k0" in line]
    own = [line.partition(";")[0] for line in lines[0] if line.startswith("deck → hand: Ann")]
    assert len(own) == 1 and own[0].count(" + ") == 3


def test_moves_to_a_cell_are_told_with_the_cell(tiny: Ruleset) -> None:
    game = Game.start(tiny, 2, 4, log=True)
    words = Words(tiny, "en", ["Ann", "Bob"])
    while not any("square" in line for line in tell(game.events, 0, words)):
        keys = [option.key for option in game.options()]
        game.choose(keys.index("place") if "place" in keys else 0)
    line = next(line for line in tell(game.events, 0, words) if "square" in line)
    assert line.endswith("(A1)")


def test_an_answer_is_a_whole_line(tiny: Ruleset) -> None:
    desk = Desk(tiny, "human=Ann,random,first", ["1 2", None])
    assert desk.play() is End.LEFT
    assert 0 not in desk.session.sitting.askers and "1 2" in desk.text


def test_why_and_why_not_are_told(tiny: Ruleset) -> None:
    desk = Desk(tiny, "human=Ann,random,first", ["w", "w 1", "w nothing of the kind", None])
    assert desk.play() is End.LEFT
    assert desk.words.phrases("why_which") in desk.text and "nothing of the kind" in desk.text
    assert 0 not in desk.session.sitting.askers
