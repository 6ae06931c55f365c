"""Coverage: what comes up in play is counted, what cannot is told with the reason, every game can be had again."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest

from interpreter import Game
from warlock_dsl.diagnostics.diagnostic import Severity
from warlock_dsl.load import load_files
from warlock_dsl.ruleset import Ruleset
from workbench.cli import main
from workbench.coverage.collect import Batch, Plan, cover, seating
from workbench.coverage.counting_machine import begun, counting_machine, traced_machine
from workbench.coverage.features import SORTS, features
from workbench.players.base import Random, play_out
from workbench.players.biased import BiasedBot
from workbench.support.ruleset_source import source_of

TABLES = """
[game]
players = "2..3"

[table.colour]
rows = ["red", "blue"]

[kind.card]
rows = "cards.csv"
fields = { colour = "colour" }
called_by = "colour"

[zone]
deck = { holds = "card", sees = "all", start = "card" }
spare = { holds = "card", sees = "none" }
heap = { holds = "card", sees = "all" }

[figure.option]
polite = false
wild = true

[variable.player]
calls = "number"
"""
CARDS = "id,colour\nA,red\nB,red\nC,blue\n"
RULES = """
define luck = if option.wild then 2 else 1

rule play:
    for me in players: turn()
    finish [p in players where p.calls > 0]

rule turn:
    choose act in action: action[act]()

rule action[call]:
    add luck to my.calls
    if option.polite: greet()

rule action[lay]:
    choose card in deck: move card to heap

rule action[never]:
    require count(deck) > 9
    move deck to spare

rule greet: add 1 to my.calls

score calls = my.calls
"""
FILES = {"game.toml": TABLES, "cards.csv": CARDS, "play.warlock": RULES}


def ruleset() -> Ruleset:
    loaded = load_files(FILES, "small")
    assert loaded.ruleset is not None, [d.message for d in loaded.diagnostics if d.severity is Severity.ERROR]
    return loaded.ruleset


@pytest.fixture
def game(tmp_path: Path) -> Path:
    folder = tmp_path / "rules" / "small"
    folder.mkdir(parents=True)
    for name, text in FILES.items():
        (folder / name).write_text(text, encoding="utf-8")
    return folder


def covered(game: Path, capsys: pytest.CaptureFixture[str], *more: str) -> dict[str, object]:
    code = main(["coverage", "small", "--rules", str(game.parent), "--jobs", "1", "--json", *more])
    found: dict[str, object] = json.loads(capsys.readouterr().out)
    return {**found, "code": code}


def test_a_counting_machine_plays_the_same_game() -> None:
    rules = ruleset()
    plain = Game.start(rules, 3, 5)
    watched, traced = (begun(rules, make(rules, 3), 5) for make in (counting_machine, traced_machine))
    for one in (plain, watched, traced):
        play_out(one, [Random(1), Random(2), Random(3)])
    assert plain.answers == watched.answers == traced.answers
    assert plain.digest() == watched.digest() == traced.digest()


def test_what_comes_up_is_counted_and_what_is_barred_says_why(game: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = covered(game, capsys, "--games", "24")
    assert found["code"] == 0
    summary = found["summary"]
    assert isinstance(summary, dict)
    assert summary["rule"] == {"all": 8, "fired": 4, "ruled_out": 3, "never": 1}
    never = {(one["sort"], one["name"]) for one in found["never"]}  # type: ignore[attr-defined]
    assert ("rule", "action.never") in never
    assert ("option", "turn.act = never") in never
    barred = {one["name"]: one["ruled_out"] for one in found["ruled_out"]}  # type: ignore[attr-defined]
    assert barred["greet"] == "option.polite is false"
    assert barred["renew"] == "no rule of this game calls it"
    assert "option.wild is true" in barred.values()
    fired = {(one["sort"], one["name"]): one for one in found["fired"]}  # type: ignore[attr-defined]
    assert fired["rule", "turn"]["times"] == sum(seats_of(seed) for seed in range(24))
    laid = fired["option", "action.lay.card = red"]
    assert laid["games"] <= fired["option", "turn.act = lay"]["games"]


def seats_of(seed: int) -> int:
    rules = ruleset()
    plan = Plan(source_of(load_files(FILES, "small")), 0, 75, 100)
    return seating(plan, rules, seed)[0]


def test_the_seed_that_is_told_shows_the_thing(game: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = covered(game, capsys, "--games", "24", "--rarest", "5")
    rarest = found["rarest"]
    assert isinstance(rarest, list) and len(rarest) == 5
    for one in rarest:
        words = one["again"].split()
        assert words[:3] == ["warlock", "coverage", "small"]
        again = covered(game, capsys, *words[3:])
        assert (one["sort"], one["name"]) in {(f["sort"], f["name"]) for f in again["fired"]}  # type: ignore[attr-defined]


def test_strict_fails_where_a_rule_never_came_up(game: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert covered(game, capsys, "--games", "8", "--strict")["code"] == 1


def test_a_broken_game_is_told_with_its_seed(game: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with (game / "play.warlock").open("a", encoding="utf-8") as stream:
        stream.write("\ninvariant quiet = all(p in players: p.calls < 2)\n")
    found = covered(game, capsys, "--games", "8")
    assert found["code"] == 1
    errors = found["errors"]
    assert isinstance(errors, list) and errors
    assert "quiet" in errors[0]["error"]


def test_a_page_has_the_rules_with_their_counts(game: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    page = tmp_path / "coverage.html"
    covered(game, capsys, "--games", "8", "--html", str(page))
    text = page.read_text(encoding="utf-8")
    assert "rule action[never]:" in text
    assert "cannot come up, option.polite is false" in text
    assert 'class="missed"' in text and 'class="came"' in text
    assert "http" not in text.replace("http-equiv", "")


def test_a_run_goes_on_from_its_checkpoint_and_comes_to_the_same(
    game: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    book = tmp_path / "book.jsonl"
    whole = covered(game, capsys, "--games", "20", "--checkpoint", str(book))
    lines = book.read_bytes().split(b"\n")
    assert len(lines) == 1 + 3 + 1
    book.write_bytes(b"\n".join(lines[:2]) + b"\n" + lines[2][:40])
    assert covered(game, capsys, "--games", "20", "--checkpoint", str(book)) == whole


def test_counts_of_a_batch_are_those_of_its_games() -> None:
    plan = Plan(source_of(load_files(FILES, "small")), 2, 50, 100)
    alone: Counter[tuple[str, str]] = Counter()
    for seed in range(4):
        alone.update({(s, n): times for s, n, times, _, _ in cover(Batch(plan, (seed,)))["features"]})
    together = {(s, n): times for s, n, times, _, _ in cover(Batch(plan, (0, 1, 2, 3)))["features"]}
    assert together == dict(alone)


def test_biased_bots_keep_to_their_likings_and_random_ones_have_none() -> None:
    often = RULES.replace("    for me in players: turn()", "    repeat 12:\n        for me in players: turn()")
    often = often.replace("move card to heap", "move card to deck")
    rules = load_files({**FILES, "play.warlock": often}, "small").ruleset
    assert rules is not None

    def steadiness(kind: type[BiasedBot] | type[Random]) -> float:
        """How much of its answers the answer is that a seat gives most."""
        shares = []
        for seed in range(12):
            game = Game.start(rules, 2, seed)
            play_out(game, [kind(seed), kind(seed + 100)])
            acts = Counter(answer for answer in game.answers if answer in ("call", "lay"))
            shares.append(max(acts.values()) / sum(acts.values()))
        return sum(shares) / len(shares)

    assert steadiness(BiasedBot) > steadiness(Random) + 0.15


def test_features_have_names_of_their_own() -> None:
    every = features(ruleset())
    assert len({(one.sort, one.name) for one in every}) == len(every)
    assert {one.sort for one in every} == set(SORTS) - {"source"}
