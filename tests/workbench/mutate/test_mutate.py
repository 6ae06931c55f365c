"""Mutants: what is changed, what notices it, what is argued to change nothing, and that a killed run goes on."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from warlock_dsl.load import load
from workbench.cli import main
from workbench.mutate.mutants import altered, excerpt, texts_of
from workbench.mutate.run import argued, every_mutant, sample
from workbench.mutate.trial import made
from workbench.support.errors import UsageError

TABLES = """
[game]
players = "2..2"

[table.colour]
rows = ["red", "blue"]

[kind.card]
rows = "cards.csv"
fields = { colour = "colour", value = "number" }

[zone]
deck = { holds = "card", sees = "none", start = "card" }
heap = { holds = "card", sees = "all" }
hand = { each = "player", holds = "card", sees = "owner" }

[figure.size]
hand = { is = 2, range = "0..3" }
"""
CARDS = "id,colour,value\nA,red,1\nB,blue,2\nC,red,3\nD,blue,4\nE,red,1\nF,blue,2\n"
RULES = """
define reds(p: player) = [c in p.hand where c.colour is red]

rule play:
    for me in players: deal()
    for me in players where any(my.hand):
        may choose card in my.hand where card.value > 1: move card to heap
    finish most(p in players: total(p))

rule deal: move top(deck, size.hand) to my.hand

score cards = sum(c in reds(me): c.value)

invariant all_there = count(everywhere[card]) is 6
"""
WEAK = """
[[scenario]]
name = "two cards are dealt to each"
players = ["ann", "ben"]

[scenario.given]
begin = "deal() by ann"

[[scenario.step]]
asks = "nobody"
true = ["count(ann.hand) is 2", "not any(ben.hand)"]
"""
STRONG = (
    WEAK
    + """
[[scenario]]
name = "a card may be laid on the heap, but no card worth one"
players = ["ann", "ben"]

[scenario.given]
zones = { deck = ["A", "B", "C", "D"] }
rest = { card = "heap" }
begin = "play()"

[[scenario.step]]
asks = "ann"
offers_only = ["C", "D", "no"]
hidden = { ben = ["ann.hand"] }
answers = ["D"]

[[scenario.step]]
asks = "ben"
offers_only = ["B", "no"]
zones = { heap = ["D", "E", "F"] }
score = { ann = { cards = 3 }, ben = { cards = 1 } }
answers = ["no"]

[[scenario.step]]
winners = ["ann"]
"""
)


@pytest.fixture
def game(tmp_path: Path) -> Path:
    folder = tmp_path / "rules" / "small"
    (folder / "scenarios").mkdir(parents=True)
    for name, text in (("game.toml", TABLES), ("cards.csv", CARDS), ("play.warlock", RULES)):
        (folder / name).write_text(text, encoding="utf-8")
    (folder / "scenarios" / "weak.toml").write_text(WEAK, encoding="utf-8")
    return folder


def mutate(game: Path, capsys: pytest.CaptureFixture[str], *more: str) -> tuple[int, dict[str, object]]:
    code = main(["mutate", "small", "--rules", str(game.parent), "--jobs", "1", "--json", *more])
    found: dict[str, object] = json.loads(capsys.readouterr().out)
    return code, found


def test_every_mutant_differs_from_the_rules_in_one_place_and_has_a_name_of_its_own(game: Path) -> None:
    loaded = load(str(game))
    mutants = every_mutant(loaded)
    assert len({mutant.id for mutant in mutants}) == len(mutants) == 44
    changes = {(m.operator, m.was, m.now) for m in mutants}
    assert {
        ("number", "2", "3"), ("number", "1", "2"), ("row", "red", "blue"), ("zone", "heap", "deck"),
        ("dropped", "card.value > 1", "true"), ("turned", ">", ">="), ("must", "may ", ""), ("twin", "most", "fewest"),
        ("left-out", "move card to heap", "pass"), ("word", "players", "opponents"), ("turned", '"owner"', '"all"'),
    } <= changes  # fmt: skip
    assert not any("everywhere" in m.was or m.address == "all_there" for m in mutants)
    for mutant in mutants:
        was, now = excerpt(mutant, loaded.sources)
        assert was != now


def test_what_would_be_is_asked_of_the_position_as_it_is(game: Path) -> None:
    choice = "choose card in my.hand where would lay(card) by me: any(my.hand): lay(card)"
    more = f"rule lay(card: card): move card to heap\n\nrule spare after deal():\n    {choice}\n    else: pass\n"
    (game / "more.warlock").write_text(more, encoding="utf-8")
    changes = {(m.operator, m.was, m.now) for m in every_mutant(load(str(game))) if m.address == "spare"}
    assert ("at-once", "would lay(card) by me: any(my.hand)", "(any(my.hand))") in changes


def test_a_question_for_yes_or_no_is_answered_with_yes(game: Path) -> None:
    more = "rule spare after deal():\n    may spare by first(opponents): move top(my.hand) to heap\n    else: pass\n"
    (game / "more.warlock").write_text(more, encoding="utf-8")
    changes = {(m.operator, m.was, m.now) for m in every_mutant(load(str(game))) if m.address == "spare"}
    assert {("must", "may spare by first(opponents)", "if true"), ("by", "first(opponents)", "me")} <= changes


def test_what_happens_at_once_happens_in_turn(game: Path) -> None:
    line = "move p.hand to next(p).hand for p in players where any(p.hand)"
    (game / "more.warlock").write_text(f"rule drift after deal(): {line}\n", encoding="utf-8")
    changes = {(m.operator, m.was, m.now) for m in every_mutant(load(str(game))) if m.address == "drift"}
    loop = "for p in players where any(p.hand): move p.hand to next(p).hand"
    assert {("in-turn", line, loop), ("left-out", line, "pass"), ("dropped", "any(p.hand)", "true")} <= changes


def test_a_name_stays_while_the_declaration_does(game: Path) -> None:
    before = {mutant.id for mutant in every_mutant(load(str(game)))}
    (game / "play.warlock").write_text("# A word first.\n\n" + RULES.replace("size.hand)", "1)"), encoding="utf-8")
    after = {mutant.id for mutant in every_mutant(load(str(game)))}
    gone = {id.split(":")[0] for id in before - after}
    assert gone == {"deal"}


def test_a_mutant_is_the_ruleset_with_one_change(game: Path) -> None:
    loaded = load(str(game))
    mutant = next(m for m in every_mutant(loaded) if m.address == "size.hand" and m.now == "3")
    changed = made(altered(texts_of(loaded), mutant))
    assert changed is not None and changed.components.figures["size", "hand"].value == 3


def test_survivors_are_listed_with_their_lines_and_a_scenario_kills_them(
    game: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, weak = mutate(game, capsys, "--games", "0", "--min-score", "90")
    assert code == 1
    survivors = weak["survivors"]
    assert isinstance(survivors, list)
    kept = next(one for one in survivors if one["operator"] == "must")
    assert kept["file"] == "play.warlock"
    assert kept["line"] == 7
    assert kept["was"] == "may choose card in my.hand where card.value > 1: move card to heap"
    assert kept["now"] == "choose card in my.hand where card.value > 1: move card to heap"
    (game / "scenarios" / "strong.toml").write_text(STRONG.partition(WEAK)[2], encoding="utf-8")
    _, strong = mutate(game, capsys, "--games", "0")
    assert isinstance(strong["killed"], int) and isinstance(weak["killed"], int)
    assert strong["killed"] > weak["killed"] + 10
    assert strong["mutants"] == weak["mutants"]
    assert kept["id"] not in [one["id"] for one in strong["survivors"]]  # type: ignore[attr-defined]


def test_recorded_games_and_laws_kill_what_scenarios_do_not(game: Path, capsys: pytest.CaptureFixture[str]) -> None:
    _, without = mutate(game, capsys, "--games", "0")
    _, found = mutate(game, capsys, "--games", "3")
    by = found["killed_by"]
    assert isinstance(by, dict) and by["game"] > 0
    assert by["scenario"] == without["killed"]


def test_a_run_goes_on_where_it_was_killed_and_finds_the_same(game: Path, capsys: pytest.CaptureFixture[str]) -> None:
    book = game.parent / "book.jsonl"
    _, whole = mutate(game, capsys, "--games", "1", "--checkpoint", str(book))
    content = book.read_bytes()
    lines = content.split(b"\n")
    book.write_bytes(b"\n".join(lines[: len(lines) // 2]) + b"\n" + lines[len(lines) // 2][:9])
    _, again = mutate(game, capsys, "--games", "1", "--checkpoint", str(book))
    assert again == whole
    assert len(book.read_bytes().split(b"\n")) == len(lines)


def test_a_run_that_is_killed_outright_keeps_its_verdicts(game: Path, capsys: pytest.CaptureFixture[str]) -> None:
    _, whole = mutate(game, capsys, "--games", "2")
    book = game.parent / "book.jsonl"
    command = [sys.executable, "-m", "workbench.cli", "mutate", "small", "--rules", str(game.parent), "--jobs", "1"]
    command += ["--games", "2", "--checkpoint", str(book)]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as run:
        until = time.monotonic() + 60
        while time.monotonic() < until and not (book.exists() and book.read_bytes().count(b"\n") > 4):
            time.sleep(0.01)
        os.kill(run.pid, signal.SIGKILL)
    kept = book.read_bytes()
    assert kept.count(b"\n") > 4
    _, again = mutate(game, capsys, "--games", "2", "--checkpoint", str(book))
    assert again == whole
    assert book.read_bytes().startswith(kept[: kept.rindex(b"\n") + 1])  # nothing that was there is done anew


def test_what_is_argued_to_change_nothing_is_tried_all_the_same(game: Path, capsys: pytest.CaptureFixture[str]) -> None:
    mutants = every_mutant(load(str(game)))
    looks_same = next(m for m in mutants if m.operator == "dropped" and m.was == "any(my.hand)")
    plain = next(m for m in mutants if m.address == "size.hand" and m.now == "3")
    why = "who has no card has nothing to choose from, and may decline anyway"
    (game / "mutants").mkdir()
    file = game / "mutants" / "equivalent.toml"
    file.write_text(f'[[equivalent]]\nids = ["{looks_same.id}"]\nwhy = "{why}"\n', encoding="utf-8")
    code, found = mutate(game, capsys, "--games", "2")
    assert code == 0
    assert found["equivalent"] == 1
    assert found["argued"] == [{"id": looks_same.id, "why": why}]
    file.write_text(f'[[equivalent]]\nids = ["{plain.id}", "deal:x:1"]\nwhy = "{why}"\n', encoding="utf-8")
    code, found = mutate(game, capsys, "--games", "0")
    assert code == 1
    assert [one["id"] for one in found["refuted"]] == [plain.id]  # type: ignore[attr-defined]
    assert found["stale"] == ["deal:x:1"]
    file.write_text(f'[[equivalent]]\nids = ["{plain.id}"]\nwhy = "so"\n', encoding="utf-8")
    with pytest.raises(UsageError, match="argues"):
        argued("small", [game.parent])


def test_a_sample_is_the_same_for_the_same_seed(game: Path) -> None:
    mutants = every_mutant(load(str(game)))
    assert sample(mutants, 10, 1) == sample(mutants, 10, 1) != sample(mutants, 10, 2)
    assert len(sample(mutants, 10, 1)) == 10
    assert sample(mutants, 0, 1) == mutants


def test_rules_whose_own_scenarios_fail_are_not_tried(game: Path, capsys: pytest.CaptureFixture[str]) -> None:
    broken = WEAK.replace("is 2", "is 3")
    (game / "scenarios" / "weak.toml").write_text(broken, encoding="utf-8")
    code, found = mutate(game, capsys)
    assert code == 1
    assert "fails before anything is changed" in str(found["error"])


def test_the_mutants_of_a_stack_are_those_of_its_last_overlay() -> None:
    mutants = every_mutant(load("maldorf+dragons"))
    assert mutants
    assert all(mutant.file.startswith("+dragons/") for mutant in mutants)
