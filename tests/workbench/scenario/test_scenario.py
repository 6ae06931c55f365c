"""Scenarios: the shipped ones hold, positions are laid out as written, failures are told in words."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest

from tests.conftest import ruleset_named
from warlock_dsl.diagnostics.codes import codes_of
from warlock_dsl.load import load, load_files
from warlock_dsl.ruleset import Ruleset
from workbench.scenario.model import Failure, Result
from workbench.scenario.run import read_scenarios, run_scenario
from workbench.scenario.values import paired, parts_of

ROOT = Path(__file__).parents[3]
GAME = ROOT / "rules" / "maldorf"
SMALL = Path(__file__).parents[1] / "data" / "small"
FILES = sorted((GAME / "scenarios").glob("*.toml"))
SHIPPED = sorted((ROOT / "rules").rglob("scenarios/*.toml"))


@cache
def game() -> Ruleset:
    loaded = load("maldorf")
    assert loaded.ruleset is not None
    return loaded.ruleset


@cache
def small() -> Ruleset:
    loaded = load(str(SMALL))
    assert loaded.ruleset is not None, loaded.diagnostics
    return loaded.ruleset


def run(text: str) -> list[Result]:
    scenarios, errors = read_scenarios(text, "test.toml", lambda _: small(), "small")
    assert not errors, errors
    return [run_scenario(small(), scenario) for scenario in scenarios]


HEAD = '[[scenario]]\nname = "x"\nplayers = ["anna", "ben"]\n'


def failures(body: str) -> tuple[Failure, ...]:
    """What fails of one scenario of the small game."""
    return run(HEAD + body)[0].failures


def holds(body: str) -> None:
    found = failures(body)
    assert not found, "\n".join(failure.text for failure in found)


# ------------------------------------------------------------ what is shipped


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: f"{path.parents[1].name}-{path.stem}")
def test_shipped_scenarios_hold(path: Path) -> None:
    name = path.parents[1].name
    ruleset = ruleset_named(name)
    scenarios, errors = read_scenarios(path.read_text(encoding="utf-8"), path.name, lambda _: ruleset, name)
    assert not errors, errors
    assert scenarios
    for scenario in scenarios:
        assert scenario.cites or not ruleset.components.ledger, scenario.name
        result = run_scenario(ruleset, scenario)
        assert result.passed, "\n".join(failure.text for failure in result.failures)


def test_every_printed_example_and_table_has_a_file() -> None:
    begun = {path.stem.rsplit("-", 1)[0][:5] if path.stem.startswith("ex") else path.stem[:4] for path in FILES}
    assert {f"ex-{number:02}" for number in range(1, 17)} <= begun
    assert {f"t-{number:02}" for number in range(1, 7)} <= begun


@pytest.mark.parametrize("game", ["goblin-warlord", "warlock-1980"])
def test_every_worked_case_has_a_scenario(game: str) -> None:
    texts = [path.read_text(encoding="utf-8") for path in SHIPPED if path.parents[1].name == game]
    names = re.findall(r'^name = "T(\d+):', "\n".join(texts), re.MULTILINE)
    assert sorted(set(map(int, names))) == list(range(1, 30))


def test_a_changed_rule_is_noticed() -> None:
    """The shipped scenarios can fail: with one limit changed, some of them do."""
    files = {path.name: path.read_text(encoding="utf-8") for path in GAME.iterdir() if path.is_file()}
    old = "dragons = { is = 3"
    assert old in files["game.toml"]
    files["game.toml"] = files["game.toml"].replace(old, "dragons = { is = 2")
    changed = load_files(files, "maldorf").ruleset
    assert changed is not None
    text = (GAME / "scenarios" / "dragons-limit.toml").read_text(encoding="utf-8")
    scenarios, _ = read_scenarios(text, "x.toml", lambda _: changed, "maldorf")
    assert not all(run_scenario(changed, scenario).passed for scenario in scenarios)


# ------------------------------------------------------------------ positions


def test_a_position_is_laid_out_as_written() -> None:
    holds("""
    given.variables = { leader = "ben", turns = 2, luck = "blue", "ben.gold" = 2.5, "R-1.turned" = true }
    given.zones = { "anna.hand" = ["red*2", "R-1"], "ben.hand" = ["B-2"] }
    given.grids = { "ben.board" = ["token .", "blue ."] }
    [[scenario.step]]
    true = ["leader is ben", "turns is 2", "luck is blue", "ben.gold is 2.5"]
    false = ["all(c in anna.hand: not c.turned)"]
    zones = { "anna.hand" = ["R-1", "R-2", "R-3"], box = ["token*2"] }
    grids = { "ben.board" = ["token .", "B-1 ."] }
    score = { ben = { laid = 1, gold = 2.5, total = 3.5 } }
    """)


def test_what_is_not_mentioned_lies_at_rest_under_what_is() -> None:
    holds("""
    given.zones = { "ben.hand" = ["R-3"] }
    given.rest = { card = "ben.hand" }
    [[scenario.step]]
    true = ["count(ben.hand) is 11", "last(ben.hand).value is 2.5", "not any(stock)"]
    """)


def test_pieces_run_out() -> None:
    [failure] = failures("""
    given.zones = { "anna.hand" = ["red*2"], "ben.hand" = ["red*2"] }
    [[scenario.step]]
    over = false
    """)
    assert failure.step == 0
    assert (failure.expected, failure.found) == ("2 of 'red'", "1 left that nothing else has taken")
    assert failure.span.line == 5


def test_a_real_game_is_played_to_a_moment_and_laid_over() -> None:
    holds("""
    given.at = { rule = "turn", me = "ben", where = "turns is 3" }
    given.zones = { "ben.hand" = ["R-3"] }
    given.rest = { card = "stock" }
    [[scenario.step]]
    asks = "ben"
    question = "turn.act"
    true = ["turns is 4", "count(anna.hand) is 2"]
    zones = { "ben.hand" = ["R-3"] }
    """)


def test_the_second_time_a_rule_begins() -> None:
    holds("""
    given.at = { rule = "turn", me = "ben", nth = 2 }
    [[scenario.step]]
    true = ["turns is 4"]
    """)


def test_a_moment_that_never_comes() -> None:
    [failure] = failures("""
    given.at = { rule = "turn", where = "turns is 9" }
    [[scenario.step]]
    over = false
    """)
    assert failure.expected == "a game that comes to 'turn' where turns is 9"
    assert failure.found == "the game was over before (6 decisions)"


def test_chance_gives_what_is_written() -> None:
    holds("""
    given.chance = ["blue", "ben"]
    given.begin = "dare()"
    [[scenario.step]]
    asks = "nobody"
    over = false
    true = ["luck is blue", "leader is ben"]
    """)


def test_chance_cannot_give_what_is_not_there() -> None:
    [failure] = failures("""
    given.chance = ["ben"]
    given.begin = "dare()"
    [[scenario.step]]
    over = false
    """)
    assert "chance cannot give 'ben' for 'face'" in failure.found


# -------------------------------------------------------------------- answers


def test_words_for_answers() -> None:
    holds("""
    given.zones = { "anna.hand" = ["R-1", "R-2", "B-1"] }
    given.begin = "turn() by anna"
    [[scenario.step]]
    asks = "anna"
    offers_only = ["draw", "lay", "sell"]
    answers = ["anna: lay", "red"]
    [[scenario.step]]
    offers_only = ["0,0", "0,1", "1,0"]
    offers = ["board@0,0", "anna.board@0,1"]
    refuses = ["ben.board@0,0", "1,1"]
    answers = ["1,0"]
    [[scenario.step]]
    asks = "nobody"
    grids = { "anna.board" = [". .", "R-1 ."] }
    """)


SELL = """
given.zones = { "anna.hand" = ["R-1", "R-2", "R-3", "blue*2"] }
given.begin = "action[sell]() by anna"
"""


def test_sets_are_written_with_plus() -> None:
    holds(
        SELL
        + """
    [[scenario.step]]
    offers = ["R-1", "R-1 + R-2", "red*3 + blue*2", "no"]
    refuses = ["none", "red*4", "stop"]
    answers = ["R-3 + B-2"]
    [[scenario.step]]
    true = ["anna.gold is 4.5"]
    zones = { "anna.hand" = ["R-1", "R-2", "B-1"] }
    """
    )


def test_sets_in_steps_are_found_too() -> None:
    """Eight different cards have too many sets to list: the machine asks card by card."""
    holds("""
    given.zones = { "anna.hand" = ["blue*8"] }
    given.begin = "action[sell]() by anna"
    [[scenario.step]]
    offers = ["B-1 + B-5 + B-8", "blue*8", "+B-3", "no"]
    refuses = ["B-1 + B-1", "blue*9", "red"]
    answers = ["B-8 + B-2"]
    [[scenario.step]]
    true = ["anna.gold is 10"]
    """)


def test_a_set_of_a_fixed_size_is_completed_by_the_machine() -> None:
    holds("""
    given.zones = { "anna.hand" = ["blue*8"] }
    given.begin = "pick(7) by anna"
    [[scenario.step]]
    answers = ["B-1 + B-2 + B-3 + B-4 + B-6 + B-7 + B-8"]
    [[scenario.step]]
    asks = "nobody"
    zones = { "anna.hand" = ["B-5"] }
    """)


def test_a_word_that_fits_different_pieces_is_ambiguous() -> None:
    [failure] = failures(
        SELL
        + """
    [[scenario.step]]
    asks = "anna"
    answers = ["red"]
    """
    )
    assert failure.expected == "one option that 'red' means"
    assert "red (R-1)" in failure.found and "red (R-3)" in failure.found


def test_an_ambiguous_set_in_steps() -> None:
    [failure] = failures("""
    given.zones = { "anna.hand" = ["blue*8"] }
    given.begin = "action[sell]() by anna"
    [[scenario.step]]
    asks = "anna"
    answers = ["blue*3"]
    """)
    assert failure.expected == "one option that 'blue*3' means"


@pytest.mark.parametrize(
    ("step", "expected", "found"),
    [
        ('asks = "ben"', "ben is asked", "anna is asked turn.act: draw, lay, sell"),
        ('asks = "nobody"', "nobody is asked", "anna is asked turn.act: draw, lay, sell"),
        ('question = "action.lay.card"', "the question action.lay.card", "anna is asked turn.act"),
        ('offers = ["red"]', "'red' among the options", "draw, lay, sell"),
        ('refuses = ["lay"]', "'lay' not among the options", "draw, lay, sell"),
        ('offers_only = ["lay", "draw"]', "exactly these options: lay, draw", "draw, lay, sell"),
        ('true = ["count(anna.hand) is 3"]', "count(anna.hand) is 3: true", "false: 2 is 3"),
        ('false = ["any(my.hand)"]', "any(my.hand): false", "true"),
        ("score = { anna = { total = 1 } }", "anna has total 1", "laid 0 + gold 0 = 0"),
        ('sees = { ben = ["anna.hand"] }', "ben sees every piece of anna.hand", "0 of 2"),
        ('hidden = { anna = ["anna.hand"] }', "anna sees no piece of anna.hand", "anna sees R-1, B-1"),
        ('hidden = { anna = ["ben.hand"] }', "pieces in ben.hand", "it is empty"),
        ('hidden = { ben = ["anna.gold"] }', "ben does not see anna.gold", "ben sees it"),
        ('hidden = { ben = ["count(anna.hand)"] }', "ben does not see count(anna.hand)", "ben sees it"),
        ('names = { ben = { "anna.hand" = ["red"] } }', "ben can name in anna.hand: red", "none"),
        ('names = { anna = { "anna.hand" = ["red"] } }', "anna can name in anna.hand: red", "red (R-1), blue (B-1)"),
        ("variables = { turns = 3 }", "turns is 3", "1"),
        ('variables = { "R-1.turned" = true, leader = "anna" }', "turned is true", "false"),
        ('zones = { "anna.hand" = ["red*2"] }', "in anna.hand: red, red", "red (R-1), blue (B-1) (2 in all)"),
        ('grids = { "anna.board" = ["red .", ". ."] }', "in anna.board: red@0,0", "nothing (0 in all)"),
        ("over = true", "the game is over", "anna is asked"),
        ('winners = ["anna"]', "won by anna", "anna is asked"),
        ('asks = "anna"\nanswers = ["ben: lay"]', "ben is asked", "anna is asked"),
        ('asks = "anna"\nanswers = ["2.5"]', "'2.5' among the options", "draw, lay, sell"),
        ('error = "too late"\nanswers = ["draw"]', "an error that says 'too late'", "everything could be played"),
        (
            'asks = "anna"\nanswers = ["draw", "draw"]',
            "a question to answer with 'draw'",
            "the rule has run its course",
        ),
    ],
)
def test_what_is_not_so_is_told(step: str, expected: str, found: str) -> None:
    body = 'given.zones = { "anna.hand" = ["R-1", "B-1"] }\ngiven.begin = "turn() by anna"\n[[scenario.step]]\n'
    [failure] = failures(body + step)
    assert failure.step == 1
    assert failure.span.file == "test.toml" and failure.span.line >= 7
    assert failure.expected == expected
    assert found in failure.found
    assert f"test.toml:{failure.span.line}:" in failure.text and expected in failure.text


def test_who_sees_counts_and_variables() -> None:
    tables = (SMALL / "game.toml").read_text(encoding="utf-8")
    hand = 'hand = { each = "player", holds = "card", sees = "owner"'
    hidden = tables.replace(hand, f'{hand}, count = "owner"')
    hidden = hidden.replace("[variable.player]", '[variable.player]\nplan = { type = "0..9", sees = "owner" }', 1)
    assert hidden.count("owner") == tables.count("owner") + 2
    files = {path.name: path.read_text(encoding="utf-8") for path in SMALL.iterdir() if path.is_file()}
    rules = load_files({**files, "game.toml": hidden, "more.warlock": "score plan = my.plan\n"}, "small").ruleset
    assert rules is not None

    def told(said: str) -> list[str]:
        text = f'{HEAD}given.begin = "turn() by anna"\n[[scenario.step]]\n{said}\n'
        [scenario], errors = read_scenarios(text, "test.toml", lambda _: rules, "small")
        assert not errors
        return [failure.expected for failure in run_scenario(rules, scenario).failures]

    assert (
        told('sees = { ben = ["ben.plan", "count(ben.hand)"] }\nhidden = { ben = ["anna.plan", "count(anna.hand)"] }')
        == []
    )
    assert told('sees = { ben = ["anna.plan"] }') == ["ben sees anna.plan"]
    assert told('hidden = { ben = ["count( ben.hand )"] }') == ["ben does not see count( ben.hand )"]


SAID = """
rule murmur:
    roll n in 1..6 by me
    roll m in 1..6
    choose rival in opponents
    say held(m, rival)
    say hinted(m) to rival
    choose act in [1, 2]
"""


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ('heard = { anna = ["murmur.n = 2", "murmur.hinted"], ben = ["murmur.m = 3", "murmur.rival=cleo"] }', []),
        ('heard = { cleo = ["murmur.held = 3 cleo", "murmur.hinted = 3"] }\nunheard = { ben = ["murmur.hinted"] }', []),
        ('unheard = { ben = ["murmur.n", "murmur.m = 2"], anna = ["murmur.act"] }', []),
        ('heard = { ben = ["murmur.n"] }', ["ben has heard murmur.n"]),
        ('heard = { ben = ["murmur.m = 4"] }', ["ben has heard murmur.m = 4"]),
        ('unheard = { cleo = ["murmur.hinted = 3"] }', ["cleo has not heard murmur.hinted = 3"]),
    ],
)
def test_what_somebody_has_heard(said: str, expected: list[str]) -> None:
    files = {path.name: path.read_text(encoding="utf-8") for path in SMALL.iterdir() if path.is_file()}
    rules = load_files({**files, "more.warlock": SAID}, "small").ruleset
    assert rules is not None
    head = HEAD.replace('"ben"', '"ben", "cleo"')
    text = f'{head}given.begin = "murmur() by anna"\ngiven.chance = ["2", "3"]\n'
    text += f'[[scenario.step]]\nasks = "anna"\nanswers = ["cleo"]\n[[scenario.step]]\n{said}\n'
    [scenario], errors = read_scenarios(text, "test.toml", lambda _: rules, "small")
    assert not errors
    assert [failure.expected for failure in run_scenario(rules, scenario).failures] == expected


def test_what_somebody_can_name_and_what_variables_say() -> None:
    holds("""
    given.zones = { "anna.hand" = ["R-1", "B-1"] }
    given.variables = { luck = "blue", "ben.gold" = 2 }
    [[scenario.step]]
    names = { anna = { "anna.hand" = ["blue", "R-1"], stock = [] }, ben = { "anna.hand" = [] } }
    variables = { luck = "blue", "ben.gold" = 2, "anna.gold" = 0 }
    """)


def test_all_failures_of_a_step_are_told_and_later_steps_are_judged() -> None:
    found = failures("""
    given.begin = "turn() by anna"
    [[scenario.step]]
    asks = "ben"
    true = ["turns is 5"]
    [[scenario.step]]
    over = true
    """)
    assert [failure.step for failure in found] == [1, 1, 2]


def test_an_expression_about_me_needs_somebody_who_is_asked() -> None:
    [failure] = failures("""
    [[scenario.step]]
    true = ["any(my.hand)"]
    """)
    assert "speaks of `me`" in failure.expected


def test_an_error_of_the_rules_is_expected_or_told() -> None:
    body = """
    given.zones = { "anna.hand" = ["R-1", "B-1"] }
    given.begin = "stuck() by anna"
    [[scenario.step]]
    asks = "anna"
    answers = ["red"]
    """
    [failure] = failures(body)
    assert failure.expected == "a step that can be played"
    assert re.search(r"rules\.warlock:\d+: .*nothing to choose \(in rule stuck\); say what happens", failure.found)
    holds(body + 'error = "nothing to choose"\n[[scenario.step]]\nasks = "anna"')


def test_an_error_at_the_very_beginning() -> None:
    body = 'given.begin = "stuck() by anna"\n[[scenario.step]]\n'
    [failure] = failures(body + "over = false")
    assert failure.expected == "a rule that runs to its first question"
    holds(body + 'error = "nothing to choose"')


def test_a_broken_invariant_is_a_failure() -> None:
    """Nothing runs without its laws: a position that breaks them is told as such."""
    files = {path.name: path.read_text(encoding="utf-8") for path in SMALL.iterdir()}
    files["cards.csv"] += "".join(f"G-{number},blue,1\n" for number in range(30))
    ruleset = load_files(files, "small").ruleset
    assert ruleset is not None
    body = 'given.rest = { card = "anna.hand" }\ngiven.begin = "turn() by ben"\n[[scenario.step]]\nover = false'
    text = HEAD + body
    [scenario], _ = read_scenarios(text, "test.toml", lambda _: ruleset, "small")
    [failure] = run_scenario(ruleset, scenario).failures
    assert "the invariant 'few' does not hold" in failure.found


# ---------------------------------------------------------------- the manual


def test_the_examples_of_the_manual_hold(tmp_path: Path) -> None:
    text = (ROOT / "docs" / "scenarios.md").read_text(encoding="utf-8")
    examples = re.findall(r"```toml\n(.*?)```", text, re.DOTALL)
    whole = [example for example in examples if "[[scenario]]" in example]
    assert len(whole) >= 5
    for example in whole:
        scenarios, errors = read_scenarios(example, "scenarios.md", lambda _: game(), "maldorf")
        assert scenarios and not errors, errors
        for one in scenarios:
            result = run_scenario(game(), one)
            assert result.passed, "\n".join(failure.text for failure in result.failures)


def test_the_manual_speaks_of_every_key() -> None:
    from attrs import fields

    from workbench.scenario.schema import RawGiven, RawMoment, RawScenario, RawStep

    text = (ROOT / "docs" / "scenarios.md").read_text(encoding="utf-8")
    keys = {field.name for shape in (RawScenario, RawGiven, RawMoment, RawStep) for field in fields(shape)}
    assert not {key for key in keys if f"`{key}`" not in text}
    assert not {code for code in codes_of("W5") if code not in text}


# ------------------------------------------------------------------- matching


def test_parts_of_a_set_word() -> None:
    assert parts_of("red + blue*2") == ["red", "blue", "blue"]
    assert parts_of("none") == []


def test_pairing() -> None:
    assert paired([[0, 1], [0]]) and not paired([[0], [0]]) and paired([])
    assert paired([[0, 1], [0, 2], [0]]) and not paired([[0, 1], [0, 1], [0, 1]])
