"""A cooperative game, played, recorded and counted: the table wins or loses as one."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from interpreter import Game, PlainMachine, RulesError, machine_for, play_again
from interpreter.vm.machine import VmMachine
from warlock_dsl.diagnostics.diagnostic import Severity
from warlock_dsl.load import load_files
from warlock_dsl.ruleset import Ruleset
from workbench.cli import main
from workbench.language.sentences import Words
from workbench.players.registry import bot_of
from workbench.players.rollouts import standing
from workbench.terminal.board import verdict

# A tower of stones, none on a lighter one; the table wins if all that were dealt lie there.
TABLES = """
[game]
players = "2..3"
cooperative = true

[kind.stone]
rows = "stones.csv"
fields = { weight = "number" }

[zone]
sack = { holds = "stone", sees = "none", start = "stone" }
hand = { each = "player", holds = "stone" }
tower = { holds = "stone" }

[variable.game]
waits = { type = "0..3", first = 3 }
"""
STONES = "id,weight\n" + "".join(f"s{weight},{weight}\n" for weight in range(1, 10))
RULES = """
rule play:
    shuffle sack
    for p in players: move top(sack, 2) to p.hand
    repeat 12:
        for me in players where any(my.hand): turn()
    finish players

rule turn:
    if waits is 0: build()
    else:
        may wait: take 1 from waits
        else: build()

rule build:
    choose stone in my.hand
    if any(s in tower where s.weight < stone.weight): finish []
    move stone to tower

score height = count(tower)

invariant all_built after finish(w) where any(w) = count(tower) is 2 * count(players)
"""
FILES = {"game.toml": TABLES, "stones.csv": STONES, "rules.warlock": RULES}


def loaded(**changed: str) -> Ruleset:
    found = load_files({**FILES, **{name.replace("_", "."): text for name, text in changed.items()}}, "tower")
    assert found.ruleset is not None, [str(error) for error in found.diagnostics]
    return found.ruleset


def played(ruleset: Ruleset, kind: str, seed: int) -> Game:
    game = Game.start(ruleset, 2, seed, (kind, kind))
    bots = [bot_of(kind, seed) for _ in range(2)]
    while not game.over:
        game.choose(bots[game.to_move].pick(game))
    return game


def test_the_table_wins_or_loses_as_one() -> None:
    ruleset = loaded()
    games = [played(ruleset, "random", seed) for seed in range(40)]
    assert {game.winners for game in games} == {(), (0, 1)}
    for game in games:
        built = [piece.name for zone in game.observe(-1).zones if zone.name == "tower" for piece in zone.pieces]
        assert bool(game.winners) == (len(built) == 4)
        assert built == sorted(built, reverse=True)
        assert play_again(ruleset, game.replay()).winners == game.winners


@pytest.mark.parametrize(
    ("lang", "wins", "loses"),
    [
        ("en", "The table wins.", "The table loses."),
        ("fr", "La table gagne.", "La table perd."),
        ("de", "Der Tisch gewinnt.", "Der Tisch verliert."),
    ],
)
def test_what_people_read_at_the_end(lang: str, wins: str, loses: str) -> None:
    words = Words(loaded(), lang, ("Ann", "Ben"))
    assert (verdict(words, (0, 1)), verdict(words, ())) == (wins, loses)


def test_bots_want_the_table_to_win() -> None:
    """What is good for one is good for all: the same standing for every seat, and far more wins than by chance."""
    ruleset = loaded()
    for backend, kind in (("plain", PlainMachine), ("vm", VmMachine)):
        game = Game.start(ruleset, 2, 0, backend=backend)
        assert isinstance(game.machine, kind)
        while not game.over:
            found = standing(game.machine, game.state)
            assert found.margins == (found.margins[0],) * 2 and found.result(0) == found.result(1) == 0.0
            game.choose(game.option_count - 1)
        found = standing(game.machine, game.state)
        height = sum(len(zone.pieces) for zone in game.observe(-1).zones if zone.name == "tower")
        assert found.margins == (2 * height * game.machine.unit,) * 2
        assert found.result(0) == found.result(1) == (1.0 if game.winners else -1.0)
    kinds = ("random", "mcts(iterations=40)")
    by_chance, wanted = (sum(bool(played(ruleset, kind, seed).winners) for seed in range(12)) for kind in kinds)
    assert by_chance <= 3 and wanted >= 8, "whoever wanted more than the others would have nothing to look for"


def test_some_winning_without_the_others_is_an_error() -> None:
    wrong = RULES.replace("finish players", "finish opponents")
    ruleset = loaded(rules_warlock=wrong.replace("invariant all_built", "invariant built"))
    with pytest.raises(RulesError, match="won by everybody or by nobody") as error:
        for seed in range(40):
            played(ruleset, "random", seed)
    assert "finish players" in error.value.hint
    files = {**FILES, "rules.warlock": RULES.replace("finish players", "finish [me]")}
    errors = [e.code for e in load_files(files, "tower").diagnostics if e.severity is Severity.ERROR]
    assert errors == ["W342"]
    alone = {**files, "game.toml": TABLES.replace("2..3", "1..3")}
    assert load_files(alone, "tower").ruleset is not None, "whoever plays alone is the table"


def test_generated_code_does_not_know_it() -> None:
    with_generated = loaded(game_toml=TABLES.replace("cooperative = true\n", ""))
    assert isinstance(machine_for(with_generated, 2, laws=False), VmMachine)
    assert isinstance(machine_for(loaded(), 2, laws=False), VmMachine)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    place = tmp_path / "rules" / "tower"
    place.mkdir(parents=True)
    for name, text in FILES.items():
        (place / name).write_text(text, encoding="utf-8")
    low = tmp_path / "variants" / "tower" / "patience"
    low.mkdir(parents=True)
    overlay = '[overlay]\non = "tower"\nabout = "More time"\n\n[[change]]\nat = "variable.game.waits"\n'
    overlay += 'was = { type = "0..3", first = 3 }\nnow = { type = "0..9", first = 9 }\n'
    (low / "overlay.toml").write_text(overlay, encoding="utf-8")
    return tmp_path


def run(folder: Path, capsys: pytest.CaptureFixture[str], *words: str) -> str:
    assert main([*words, "--rules", str(folder)]) == 0
    return capsys.readouterr().out


def test_sim_says_how_often_the_table_wins(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    sim = ("sim", "tower", "--games", "40", "--players", "2", "--jobs", "1")
    text = run(folder, capsys, *sim)
    assert "the table wins: " in text and "By seat" not in text and "shared victories" not in text
    found = json.loads(run(folder, capsys, *sim, "--json"))["findings"][0]
    wins = sum(bool(played(loaded(), "random", seed).winners) for seed in range(1, 41))
    table = found["table_wins"]
    assert found["cooperative"] and round(table["value"] * 40) == wins
    low, high = table["interval"]
    assert 0 <= low < table["value"] < high <= 1
    page = folder / "page.html"
    run(folder, capsys, *sim, "--html", str(page))
    assert "the table wins" in page.read_text(encoding="utf-8")
    assert "Won, by seat" not in page.read_text(encoding="utf-8")


def test_a_comparison_has_one_line_for_the_table(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = run(
        folder, capsys, "sim", "tower", "--compare", "tower+patience", "--games", "40", "--players", "2", "--jobs", "1"
    )
    assert "won: the table" in text and "won: seat" not in text


def test_play_and_replay_tell_it(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    kept = folder / "game.json"
    play = ("play", "tower", "--seats", "greedy,greedy", "--seed", "3", "--replay", str(kept))
    text = run(folder, capsys, *play)
    told = "The table wins." in text
    assert told != ("The table loses." in text)
    assert json.loads(run(folder, capsys, *play[:-2], "--json"))["table_wins"] == told
    assert ("The table wins." in run(folder, capsys, "replay", str(kept))) == told
