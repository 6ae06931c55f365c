"""What a player heard: answers, rolls, what was shown and said, each told to those who could notice it."""

from __future__ import annotations

import json

import pytest

from interpreter import Game, GameFileError
from interpreter.machine import machine_for
from interpreter.plain.machine import PlainMachine
from interpreter.state import random as chance
from interpreter.vm.machine import VmMachine
from tests.interpreter.pair import side_by_side
from tests.interpreter.tiny import CARDS, TABLES, ruleset, zone
from warlock_dsl.load import load_files
from warlock_dsl.ruleset import Ruleset
from workbench.fuzz.laws import hidden, replays, round_trips
from workbench.language.event_log import tell
from workbench.language.sentences import Words

SEATS = range(3)
# Everybody rolls a die that he alone sees, says what he has, and is believed or not.
LIARS = """
[game]
players = "2..3"

[variable.game]
bid = "0..6"

[variable.player]
die = { type = "0..6", sees = "owner" }
points = "number"
"""
CLAIMS = """
rule play:
    for me in players: throw()
    for me in players: turn()
    finish most(p in players: p.points)

rule throw:
    roll n in 1..6 by me
    set my.die to n

rule turn:
    choose claim in 1..6
    say claims(claim)
    choose doubts in 0..1 by next(me)
    if doubts is 1 and my.die is not claim: add 1 to next(me).points
"""
NAMES = """
"game" = "Liars"
"say.turn.claims" = "{me}: I have a {claim}!"
"answer.turn.doubts" = "the next one believes it: {doubts}"
"""


def liars(**more: str) -> Ruleset:
    files = {"game.toml": LIARS, "rules.warlock": CLAIMS, **more}
    found = load_files(files, "liars").ruleset
    assert found is not None
    return found


def heard(game: Game, seat: int, *what: str) -> list[tuple[str, int, str, dict[str, str]]]:
    return [
        (one.what, one.who, one.name, {name: shown.key() for name, shown in one.values})
        for one in game.observe(seat).heard
        if one.what in what
    ]


def test_only_one_player_learns_what_was_rolled_for_him() -> None:
    game = Game.start(liars(), 3, 4, log=True)
    for seat in SEATS:
        (rolled,) = heard(game, seat, "roll")
        (changed,) = heard(game, seat, "variable")
        assert rolled[1:3] == (seat, "throw.n") and changed[1:3] == (seat, "die")
        assert rolled[3]["n"] == changed[3]["value"]
    assert len(heard(game, -1, "roll")) == 3
    decision = game.decision
    assert decision is not None and not decision.bound
    hidden(game, deals=5)


def test_the_generated_machine_plays_it_alike() -> None:
    assert isinstance(machine_for(liars(), 3, True), VmMachine)
    quiet = load_files({"game.toml": LIARS, "rules.warlock": CLAIMS.replace("    say claims(claim)\n", "")}, "quiet")
    assert quiet.ruleset is not None and isinstance(machine_for(quiet.ruleset, 3, True), VmMachine)
    for seed in range(5):
        side_by_side(quiet.ruleset, 3, seed)


def test_answers_and_what_is_said_are_heard_by_all() -> None:
    game = Game.start(liars(), 3, 4, log=True)
    before = game.digest()
    game.answer("5")
    game.answer("1")
    for seat in SEATS:
        assert heard(game, seat, "answer", "say")[:3] == [
            ("answer", 0, "turn.claim", {"claim": "5"}),
            ("say", 0, "turn.claims", {"me": "seat0", "claim": "5"}),
            ("answer", 1, "turn.doubts", {"doubts": "1"}),
        ]
    game.undo()
    assert [one[0] for one in heard(game, 2, "answer", "say")] == ["answer", "say"]
    game.undo()
    assert not heard(game, 2, "answer", "say") and game.digest() == before


def test_nothing_is_heard_without_a_log_and_nothing_else_knows_of_it() -> None:
    loud, quiet = (Game.start(liars(), 3, 4, log=log) for log in (True, False))
    for game in (loud, quiet):
        game.choose(2)
    assert loud.digest() == quiet.digest() and loud.save() == quiet.save()
    assert loud.observe(1) == quiet.observe(1) and loud.observe(1).heard and not quiet.observe(1).heard
    assert json.loads(json.dumps(loud.observe(1).data()))["heard"][-1] == {
        "what": "say", "who": 0, "name": "turn.claims",
        "values": {"me": {"what": "player", "key": "seat0", "owner": 0}, "claim": {"what": "number", "key": "3"}},
    }  # fmt: skip


def test_a_copy_a_save_and_a_replay_have_heard_the_same() -> None:
    game = Game.start(liars(), 3, 4, log=True)
    for number in (2, 1, 0):
        game.choose(number)
    data = json.loads(json.dumps(game.save()))
    again = json.loads(json.dumps(game.replay()))
    copies = [game.copy(), Game.load(game.ruleset, data, log=True), Game.from_replay(game.ruleset, again, log=True)]
    for other in copies:
        assert [other.observe(seat).heard for seat in SEATS] == [game.observe(seat).heard for seat in SEATS]
        other.choose(0)
    assert copies[0].observe(0).heard == copies[1].observe(0).heard == copies[2].observe(0).heard != ()
    data["answers"] = ["1"]  # a state that these answers do not lead to
    assert Game.load(game.ruleset, data, log=True).observe(0).heard == ()
    data["answers"] = ["nonsense"]
    assert Game.load(game.ruleset, data, log=True).observe(0).heard == ()
    with pytest.raises(GameFileError):
        Game.load(game.ruleset, {**data, "digest": "0"}, log=True)


def test_in_words() -> None:
    game = Game.start(liars(**{"names/en.toml": NAMES}), 3, 4, log=True)
    mark = len(game.events)
    game.answer("5")
    game.answer("1")
    words = Words(game.ruleset, "en", ["Ann", "Ben", "Cid"])
    said = [tell(game.events[mark : mark + 3], seat, words) for seat in SEATS]
    assert said[0] == ["Ann: I have a 5!", "the next one believes it: 1"]
    assert said[1] == ["Ann: claim: 5", "Ann: I have a 5!"]
    assert said[2] == ["Ann: claim: 5", "Ann: I have a 5!", "the next one believes it: 1"]
    for lang, line in (("en", "Ann says: claims, claim: 5"), ("fr", "Ann dit\u202f: claims, claim: 5")):
        plain = Game.again(liars(), 3, 4, ["5"], log=True)
        event = next(event for event in plain.events if event.what == "say")
        assert tell([event], 1, Words(plain.ruleset, lang, ["Ann", "Ben", "Cid"])) == [line]
    rolls = [tell(game.events[:mark], seat, words) for seat in SEATS]
    assert all(len(lines) == 2 for lines in rolls), "his own roll and his own die"


def test_whole_games_keep_what_is_hidden() -> None:
    for seed in range(8):
        game, stream = Game.start(liars(), 3, seed, log=True), chance.seeded(seed)
        while not game.over:
            hidden(game, deals=3)
            round_trips(game, 0)
            stream, pick = chance.below(stream, game.option_count)
            game.choose(pick)
        replays(game)


# ------------------------------------------------------------------ secret answers

SECRETS = """
rule play:
    for p in players: move top(deck, 2) to p.hand
    together me in players where me is not last(players):
        choose card in my.hand, n in 1..3
        move card to my.shown
        add n to my.gold
    for me in [first(players)]: wait()
    finish []

rule wait: choose n in 1..2: add n to my.gold
"""


def test_secret_answers_are_heard_when_all_have_answered() -> None:
    game = Game.start(ruleset(SECRETS), 3, log=True)
    own = zone(game, "hand", 0)
    game.answer(own[1])
    game.answer("3")
    assert [one[2:] for one in heard(game, 0, "answer")] == [("play.card", {"card": own[1]}), ("play.n", {"n": "3"})]
    assert not heard(game, 1, "answer") and not heard(game, 2, "answer")
    copy = game.copy()
    while game.question != "wait.n":
        game.choose(0)
    for seat in (1, 2):
        found = heard(game, seat, "answer", "move")[-6:]
        assert [one[0] for one in found] == ["answer"] * 4 + ["move"] * 2, "all of them, before anything moves"
        assert found[0][1:] == (0, "play.card", {"card": "seat0.hand[2]"}) and found[1][3] == {"n": "3"}
        assert found[4][3]["piece"] == own[1]
    assert not heard(copy, 1, "answer")


@pytest.mark.parametrize("how", ["set my.plan to n", "keep(n)\n    pass", "together"])
def test_what_is_written_down_in_secret_is_not_told(how: str) -> None:
    tables = TABLES.replace('step = "number"', 'step = "number"\nplan = { type = "0..9", sees = "owner" }')
    body = f"choose n in 1..9\n    {how}"
    if how == "together":
        body = "together me in players: choose n in 1..9: set my.plan to n"
    rules = f"""
rule play:
    for me in [first(players)]: turn()
    finish []

rule turn:
    {body}
    choose m in 1..2: add m to my.gold

rule keep(x: number): set my.plan to x + 0
"""
    game = Game.start(ruleset(rules, tables), 2, log=True)
    while game.question == "turn.n":
        game.choose(6)
    game.choose(0)
    assert ("answer", 0, "turn.n", {"n": "7"}) in heard(game, 0, "answer")
    assert [one[1:3] for one in heard(game, 1, "answer")] in ([(0, "turn.m")], [(1, "turn.n"), (0, "turn.m")])


# ------------------------------------------------------- to whom, and as each one sees it

SHOWN = """
rule play:
    for p in players: move top(deck, 2) to p.hand
    for me in [first(players)]: turn()
    finish []

rule turn:
    choose card in next(me).hand
    show card to me
    say whisper(card) to last(players)
    roll found in next(me).hand
    swap found with my.hand[1]
    choose n in 1..2: add n to my.gold
"""


def test_pieces_are_told_as_each_seat_sees_them() -> None:
    game = Game.start(ruleset(SHOWN), 3, log=True)
    assert type(game.machine) is PlainMachine
    (there, _), mine = zone(game, "hand", 1), zone(game, "hand", 0)
    game.answer("seat1.hand[1]")
    by_place = "seat1.hand[1]"
    answers = [heard(game, seat, "answer")[0][3]["card"] for seat in SEATS]
    assert answers == [by_place, there, by_place]
    shown = [heard(game, seat, "show")[0][3] for seat in SEATS]
    assert [one["piece"] for one in shown] == [there, there, by_place] and {one["to"] for one in shown} == {"seat0"}
    assert [len(heard(game, seat, "say")) for seat in SEATS] == [1, 0, 1], "who says it hears it, too"
    assert heard(game, 2, "say")[0][3]["card"] == by_place
    rolled = heard(game, 2, "roll")[0][3]["found"]
    assert rolled.startswith("seat1.hand[")
    swaps = [heard(game, seat, "swap")[0][3] for seat in SEATS]
    assert (swaps[0]["other"], swaps[2]["other"], swaps[2]["piece"]) == (mine[0], "unseen card", "unseen card")
    words = Words(game.ruleset, "en", ["Ann", "Ben", "Cid"])
    assert "Ann may look: card 1 of Ben's hand" in tell(game.events, 2, words)
    assert f"Ann may look: {there}" in tell(game.events, 1, words)


def test_what_changes_on_an_unseen_piece_is_told_by_its_place() -> None:
    rules = """
rule play:
    for p in players: move top(deck, 2) to p.hand
    for me in [first(players)]:
        for c in top(my.hand): set c.tired to true
        choose n in 1..2: add n to my.gold
    finish []
"""
    game = Game.start(ruleset(rules), 2, log=True)
    marks = [heard(game, seat, "variable")[0][3]["piece"] for seat in range(2)]
    assert marks == [zone(game, "hand", 0)[1], "seat0.hand[2]"]


def test_what_happens_where_nobody_counts_is_not_heard() -> None:
    tables = TABLES.replace('shown = { each = "player", holds = "card", sees = "all" }',
                            'shown = { each = "player", holds = "card", sees = "owner", count = "owner" }')  # fmt: skip
    rules = """
rule play:
    for me in [first(players)]:
        move top(deck) to my.shown
        shuffle my.shown
        swap my.shown[1] with top(deck)[1]
        choose n in 1..2: add n to my.gold
    finish []
"""
    game = Game.start(ruleset(rules, tables), 2, log=True)
    assert [one[0] for one in heard(game, 0, "move", "shuffle", "swap")] == ["move", "shuffle", "swap"]
    (moved,) = heard(game, 1, "move", "shuffle", "swap")
    assert moved[3] == {"piece": "unseen card", "source": "deck", "place": ""}


# ------------------------------------------------------------------------ texts


@pytest.mark.parametrize("text", ["ask.turn.claim", "roll.throw.n"])
def test_a_text_of_another_question_does_not_know_a_private_roll(text: str) -> None:
    rules = CLAIMS.replace("rule turn:\n", "rule turn:\n    roll n in 1..6 by me\n    set my.die to n\n")
    names = {"names/en.toml": NAMES + f'"{text}" = "{{n}}"\n'}
    found = load_files({"game.toml": LIARS, "rules.warlock": rules, **names}, "liars").diagnostics
    assert ("W432" in {one.code for one in found}) == (text == "ask.turn.claim")


def test_a_text_masks_what_its_reader_may_not_see() -> None:
    tables = TABLES + '\nmark = { type = "0..3", sees = "owner" }\n'
    rules = """
rule play:
    for c in top(deck): set c.mark to 2
    for me in [first(players)]:
        move top(deck) to my.shown
        choose card in my.shown + my.hand + deck: move card to heap
    finish []
"""
    files = {"game.toml": tables, "cards.csv": CARDS, "rules.warlock": rules}
    loaded = load_files({**files, "names/en.toml": '"now.card" = "{id} with {mark}"\n'}, "tiny")
    assert loaded.ruleset is not None
    game = Game.start(loaded.ruleset, 2, log=True)
    (piece,) = zone(game, "shown", 0)
    words = Words(game.ruleset, "en", ["Ann", "Ben"])
    said = [words.seeing(game.observe(seat)).piece(piece) for seat in range(2)]
    assert said == [f"{piece} with 2", f"{piece} with ?"]
