"""A stranger's rules, scenarios, replays and saves: an error within seconds; no traceback, no hang, no code run."""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from attrs import evolve
from hypothesis import given, settings

from interpreter import Game, GameFileError, PlayError, play_again
from interpreter.state.state import state_from_data
from tests.house.hostile import (
    GAMES,
    files_of,
    go_on,
    numbers,
    play,
    quickly,
    read_spoilt,
    rules_of,
    spoil,
    told,
)
from tests.house.hostile_overlays import GIVEN, HOSTILE_OVERLAYS, STACKS, sound_overlay
from tests.house.hostile_rules import CARDS, ENDLESS, SOUND, TABLES, hostile_game
from tests.house.hostile_texts import FORMATS, SOUND_RULES, spoilt_files
from warlock_dsl.diagnostics.diagnostic import NOWHERE, Severity
from warlock_dsl.format.formatter import format_text
from warlock_dsl.load import load, load_files
from warlock_dsl.ruleset import Loaded
from warlock_dsl.stack import Use
from warlock_dsl.tables.components import Entry
from workbench.cli import main
from workbench.language.sentences import Words
from workbench.scenario.read import read_scenarios
from workbench.scenario.run import run_scenario

# ------------------------------------------------------------------ spoilt games


@settings(max_examples=150)
@given(numbers)
def test_a_spoilt_small_game(number: int) -> None:
    with quickly():
        read_spoilt(spoil(files_of("base"), number))


@settings(max_examples=40)
@given(numbers)
def test_a_spoilt_game_with_names_and_a_ledger(number: int) -> None:
    with quickly():
        read_spoilt(spoil(files_of("tiny"), number))


@settings(max_examples=60)
@given(numbers)
def test_spoilt_tables(number: int) -> None:
    with quickly():
        read_spoilt(spoil(files_of("sample"), number))


@settings(max_examples=5)
@given(numbers)
def test_a_spoilt_large_game(number: int) -> None:
    with quickly():
        read_spoilt(spoil(files_of("maldorf"), number))


@settings(max_examples=60)
@given(numbers)
def test_spoilt_rules_are_laid_out_or_left_as_they_are(number: int) -> None:
    files = spoil(files_of("base"), number, ("rules.warlock",))
    with quickly():
        text, errors = format_text(files["rules.warlock"], "rules.warlock")
    if errors:
        assert text == files["rules.warlock"]
        told(tuple(errors), files)


SPOILT = spoilt_files()


@pytest.mark.parametrize("name", SPOILT)
def test_hostile_files(name: str) -> None:
    with quickly():
        read_spoilt({**files_of("base"), **SPOILT[name]()}, decisions=2)


@pytest.mark.parametrize("name", SOUND_RULES)
def test_odd_but_sound_files(name: str) -> None:
    assert read_spoilt({**files_of("base"), "mod.warlock": SOUND_RULES[name]}).ruleset is not None


def test_no_files_at_all() -> None:
    assert read_spoilt({}).ruleset is None


def test_a_stranger_cannot_ask_for_more_work_than_there_is_time() -> None:
    files = {
        "game.toml": TABLES.format(work=10**12, depth=10**6),
        "cards.csv": CARDS,
        "rules.warlock": "rule play: pass\n",
    }
    errors = [error for error in load_files(files, "game").diagnostics if error.severity is Severity.ERROR]
    assert [error.code for error in errors] == ["W224", "W224"]


# ---------------------------------------------------------------------- overlays


def read_overlay(files: Mapping[str, str], given: Mapping[str, str]) -> Loaded:
    loaded = load_files(files_of("base"), "base", (), [(Use("more", given), files)])
    told(loaded.diagnostics, loaded.sources)
    assert loaded.ruleset is not None or loaded.diagnostics
    return loaded


def test_the_overlay_that_is_spoilt_is_sound() -> None:
    assert read_overlay(sound_overlay(), {}).ruleset is not None


@settings(max_examples=80)
@given(numbers)
def test_a_spoilt_overlay(number: int) -> None:
    with quickly():
        loaded = read_overlay(spoil(sound_overlay(), number), random.Random(number).choice(GIVEN))
        if loaded.ruleset is not None:
            play(loaded.ruleset, 10)


@pytest.mark.parametrize("name", HOSTILE_OVERLAYS)
def test_hostile_overlays(name: str) -> None:
    with quickly():
        assert read_overlay({"overlay.toml": HOSTILE_OVERLAYS[name]}, {}).ruleset is None


@pytest.mark.parametrize("stack", STACKS, ids=lambda stack: ascii(stack[:12]))
def test_hostile_names_of_rulesets(stack: str) -> None:
    with quickly():
        loaded = load(stack, [GAMES["base"].parent])
    assert loaded.ruleset is None
    told(loaded.diagnostics, loaded.sources)


# ------------------------------------------------------- rules that run for ever


@pytest.mark.parametrize("name", ENDLESS)
def test_rules_that_would_never_end(name: str) -> None:
    rules, said = ENDLESS[name]
    with quickly():
        message = play(hostile_game(rules), 30)
    assert message and said in message


@pytest.mark.parametrize("name", SOUND)
def test_large_but_sound_rules_go_on(name: str) -> None:
    with quickly():
        assert play(hostile_game(SOUND[name]), 30) == ""


def test_what_the_rules_keep_in_mind_can_be_too_much_to_save() -> None:
    """A list that a thousand frames share is small in memory and huge in a save."""
    rules = (
        "rule play: a(1, 1..50000)\nrule a(k: number, l: [number]):\n    if k < 150: a(k + 1, l)\n    else: b(l)\n"
        "rule b(l: [number]):\n    choose k in colour: add 1 to n\n    choose kk in colour: add count(l) to n\n"
    )
    with quickly():
        game = Game.start(hostile_game(rules), 2)
        assert game.options() and game.decision is not None
        for save in (game.save, game.replay, game.digest):
            with pytest.raises(PlayError, match="more in mind"):
                save()


# ------------------------------------------------------------- saves and replays


@cache
def saved(decisions: int, kind: str) -> dict[str, Any]:
    game = Game.start(rules_of("tiny"), 2, 5)
    go_on(game, decisions, 3)
    data = game.save() if kind == "save" else game.replay()
    found: dict[str, Any] = json.loads(json.dumps(data))
    return found


JUNK: list[Any] = [
    *(None, True, False, 0, -1, 1, 2, 7, 10**6, -(10**18), 10**30, 0.5, float("nan"), float("inf")),
    *("", "x", "stop", "\ud800", "\0", "{0!r}", "y" * 3000),
    *([], {}, [[]], [0], [[0, 0, []]], {"a": 1}, [[[[[[[[[[[[[[1]]]]]]]]]]]]]], list(range(500))),
]


def nodes_of(value: Any) -> list[tuple[Any, Any]]:
    """Every place in a document: the container and the key."""
    found = []
    keys = list(value) if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ()
    for key in keys:
        found.append((value, key))
        found += nodes_of(value[key])
    return found


def tampered(data: dict[str, Any], dice: random.Random) -> dict[str, Any]:
    new = copy.deepcopy(data)
    for _ in range(dice.choice([1, 1, 2, 4])):
        places = nodes_of(new)
        if not places:
            break
        holder, key = dice.choice(places)
        match dice.randrange(4):
            case 0:
                holder[key] = copy.deepcopy(dice.choice(JUNK))
            case 1:
                other, place = dice.choice(places)
                holder[key] = copy.deepcopy(other[place])
            case 2 if isinstance(holder, list):
                holder.insert(key, copy.deepcopy(holder[key]))
            case _ if isinstance(holder[key], int) and not isinstance(holder[key], bool):
                holder[key] += dice.choice([-2, -1, 1, 2, 1000])
            case _:
                del holder[key]
    return new


def signed(data: dict[str, Any]) -> dict[str, Any]:
    """A tampered save with a digest that fits its state, as whoever tampered with it would write."""
    machine = Game.start(rules_of("tiny"), 2, 5).machine
    sizes = [(len(code.blocks), code.slots) for code in machine.lowered_rules]
    try:
        return {**data, "digest": state_from_data(machine.layout, data.get("state"), sizes).digest()}
    except PlayError:
        return data


@settings(max_examples=250)
@given(numbers)
def test_a_tampered_save(number: int) -> None:
    dice = random.Random(number)
    data = saved(dice.choice([0, 1, 3, 8, 14]), "save")
    spoilt = dice.choice([{**data, "state": tampered(data["state"], dice)}, tampered(data, dice)])
    with quickly():
        try:
            game = Game.load(rules_of("tiny"), signed(spoilt))
            go_on(game, 12, number)
            game.save()
        except PlayError as error:
            assert str(error)


@settings(max_examples=80)
@given(numbers)
def test_a_tampered_replay(number: int) -> None:
    dice = random.Random(number)
    spoilt = tampered(saved(12, "replay"), dice)
    with quickly():
        try:
            play_again(rules_of("tiny"), spoilt, log=True)
        except PlayError as error:
            assert str(error)


@pytest.mark.parametrize("junk", JUNK, ids=lambda junk: repr(junk)[:20])
def test_junk_for_a_save_or_a_replay(junk: Any) -> None:
    for read in (Game.load, play_again):
        with pytest.raises(GameFileError):
            read(rules_of("tiny"), junk)


def test_a_save_with_a_piece_in_itself() -> None:
    ruleset = hostile_game("rule play:\n    choose k in colour: add 1 to n\n    choose kk in store: move kk to store\n")
    game = Game.start(ruleset, 2)
    data = json.loads(json.dumps(game.save()))
    layout = game.machine.layout
    box = layout.piece_number["box#1"]
    for zone in data["state"]["zones"]:
        if box in zone:
            zone.remove(box)
    data["state"]["zones"][layout.owned[box][0]].append(box)
    with quickly(), pytest.raises(GameFileError, match="within itself"):
        Game.load(ruleset, data)


FILES: Mapping[str, Callable[[], bytes]] = {
    "deep": lambda: b"[" * 300_000,
    "deep answers": lambda: b'{"format": "warlock-replay/2", "answers": ' + b"[" * 90_000 + b"]" * 90_000 + b"}",
    "a long number": lambda: json.dumps(saved(3, "replay")).replace('"seed": 5', '"seed": ' + "9" * 9000).encode(),
    "a large number": lambda: json.dumps({**saved(3, "replay"), "seed": 10**300}).encode(),
    "no number": lambda: json.dumps({**saved(3, "replay"), "seed": float("nan")}).encode(),
    "answers without an end": lambda: json.dumps({**saved(3, "replay"), "answers": ["stop"] * 200_000}).encode(),
    "a long answer": lambda: json.dumps({**saved(3, "replay"), "answers": ["x" * 10**6]}).encode(),
    "bytes": lambda: bytes(range(256)) * 50,
    "a surrogate": lambda: json.dumps({**saved(3, "replay"), "seats": ["\ud800", "\udfff"]}).encode(),
    "half a file": lambda: json.dumps(saved(8, "save")).encode()[:-40],
    "a path for a ruleset": lambda: json.dumps({**saved(3, "replay"), "ruleset": "../" * 400}).encode(),
}


@pytest.mark.parametrize("name", FILES)
def test_hostile_files_at_the_command_line(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "game.json"
    file.write_bytes(FILES[name]())
    with quickly():
        for words in (["replay", str(file)], ["replay", str(file), "--ruleset", str(GAMES["tiny"])]):
            code = main(words)
            said = capsys.readouterr()
            assert code in (0, 1, 2) and (code == 0) == (not said.err)
            assert "Traceback" not in said.err + said.out


@settings(max_examples=15)
@given(numbers)
def test_tampered_files_at_the_command_line(number: int) -> None:
    dice = random.Random(number)
    spoilt = tampered(saved(dice.choice([3, 8]), dice.choice(["save", "replay"])), dice)
    file = Path("game.json")
    with pytest.MonkeyPatch.context() as patch, quickly():
        patch.setattr("workbench.commands.replay.read_json", lambda path: spoilt)
        assert main(["replay", str(file), "--ruleset", str(GAMES["tiny"]), "--moves"]) in (0, 1, 2)


# --------------------------------------------------------------------- scenarios

SCENARIOS = sorted((GAMES["tiny"] / "scenarios").glob("*.toml"))


def run_spoilt(text: str, game: str) -> None:
    scenarios, errors = read_scenarios(text, "s.toml", lambda name: rules_of(game) if name == game else None, game)
    told(tuple(errors), {"s.toml": text})
    for scenario in scenarios[:5]:
        run_scenario(rules_of(game), scenario)


@settings(max_examples=80)
@given(numbers)
def test_a_spoilt_scenario(number: int) -> None:
    dice = random.Random(number)
    texts = {"s.toml": dice.choice(SCENARIOS).read_text(encoding="utf-8")}
    with quickly():
        run_spoilt(spoil(texts, number)["s.toml"], "tiny")


BEGIN = '[[scenario]]\nname = "a"\nplayers = ["ann", "bob"]\n'
STEP = "[[scenario.step]]\nover = false\n"
HOSTILE_SCENARIOS: Mapping[str, str] = {
    "deep": "x = " + "[" * 100_000,
    "scenarios": f"{BEGIN}{STEP}\n" * 3000,
    "steps": BEGIN + STEP * 20_000,
    "seats": '[[scenario]]\nname = "a"\nplayers = [' + ", ".join(f'"p{n}"' for n in range(30_000)) + "]\n" + STEP,
    "words": BEGIN
    + "[scenario.given]\nzones = { deck = ["
    + ", ".join(f'"w{n}"' for n in range(20_000))
    + "] }\n"
    + STEP,
    "a long expression": BEGIN + STEP + f'true = ["{"1 + " * 20_000}1 > 0"]\n',
    "a deep expression": BEGIN + STEP + f'true = ["{"(" * 900}true{")" * 900}"]\n',
    "expressions": BEGIN + STEP + "true = [" + ", ".join('"count(deck) > 0"' for _ in range(4000)) + "]\n",
    "work": BEGIN + STEP + 'true = ["all(a in 1..99999: all(b in 1..99999: true))"]\n',
    "a huge seed": BEGIN.replace("players", f"seed = {10**40}\nplayers") + STEP,
    "a large count": BEGIN + '[scenario.given]\nzones = { deck = ["red*99999999999999999999"] }\n' + STEP,
    "an answer of many parts": BEGIN + STEP + f'answers = ["{" + ".join(["red"] * 3000)}"]\n',
    "a moment that never comes": BEGIN
    + '[scenario.given]\nat = { rule = "turn", nth = 999, where = "false" }\n'
    + STEP,
    "zero bytes": BEGIN + STEP + 'asks = "\0"\n',
}


@pytest.mark.parametrize("name", HOSTILE_SCENARIOS)
def test_hostile_scenarios(name: str) -> None:
    with quickly():
        run_spoilt(HOSTILE_SCENARIOS[name], "base")


@pytest.mark.parametrize(
    "where", ['"box#1.inside" = ["box#1"]', '"box#1.inside" = ["box#2"], "box#2.inside" = ["box#1"]']
)
def test_a_scenario_with_a_piece_in_itself(where: str) -> None:
    ruleset = hostile_game("rule play:\n    choose k in store: move k to store\n    else: pass\n")
    text = f'{BEGIN}[scenario.given]\nzones = {{ {where} }}\n{STEP}hidden = {{ ann = ["box#1.inside"] }}\n'
    with quickly():
        scenarios, errors = read_scenarios(text, "s.toml", lambda name: ruleset, "hostile")
        assert errors or not any(run_scenario(ruleset, scenario).passed for scenario in scenarios)


# -------------------------------------------------------------------- catalogues


@pytest.mark.parametrize("text", FORMATS)
def test_a_text_never_reaches_into_a_value(text: str) -> None:
    """What stands in braces is a name that was given or an expression of the rules; anything else is refused."""
    codes, shown = FORMATS[text]
    files = dict(files_of("tiny"))
    spoilt = files["names/en.toml"].replace('"Which card do you show, {me}?"', json.dumps(text))
    assert spoilt != files["names/en.toml"]
    loaded = load_files({**files, "names/en.toml": spoilt}, "tiny")
    assert (loaded.ruleset is None) == bool(codes)
    assert {error.code for error in loaded.diagnostics if error.severity is Severity.ERROR} == codes
    assert {error.span.file for error in loaded.diagnostics} <= {"names/en.toml"}
    told(loaded.diagnostics, loaded.sources)
    assert asked_unchecked(text) == shown


def asked_unchecked(text: str) -> str:
    """What Ann is asked where a text stands in a game that nobody has checked."""
    tiny = rules_of("tiny")
    names = {**tiny.components.names["en"], "ask.round.shown": Entry(text, NOWHERE)}
    game = Game.start(evolve(tiny, components=evolve(tiny.components, names={"en": names})), 2, 1)
    decision = game.decision
    assert decision is not None and (decision.rule, decision.name) == ("round", "shown")
    seats = ["Ann" if seat == decision.player else "Bob" for seat in range(2)]
    words = Words(game.ruleset, "en", seats)
    return words.seeing(game.observe(decision.player), game.figures(decision.player)).ask(decision)
