"""Random rulesets: they load, they have every form of the language, and they show where two machines differ."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from interpreter import BACKENDS, machine_for
from tests.conftest import ruleset_named
from tests.random_rules.draw import HypothesisDraw
from tests.random_rules.features import COMMON, Coverage
from tests.random_rules.games import game_differences, game_names, long_games
from tests.random_rules.loading import load_case
from tests.random_rules.lockstep import Difference, Plan
from tests.random_rules.planting import PLANTED, found_within
from tests.random_rules.rulebook import Case, make_case, seeded_case
from tests.random_rules.search import Tally, backend, difference_of, plain_machine, rulesets, search
from tests.random_rules.shrink import shrunk
from tests.vm.needs import needs_vm

CASES = 20
VM_CASES, CHUNK = 200, 50
FORM_CASES = 120
MAX_REFUSED = 0.1
SOON = ("set", "roll", "where", "move", "first", "count_options", "work")  # every other case shows one of these
VM_PLAN = Plan(work=True, log=False)
GAMES = [name for name in game_names(overlays=False) if "/" not in name]
REGRESSIONS = sorted(Path(__file__).with_name("regressions").glob("*.txt"))


@cache
def first_cases() -> Tally:
    return search(range(CASES), plain_machine, Plan(work=True))


def test_rulesets_load_and_two_plain_machines_agree() -> None:
    """Copies, packed states, redeals and play-outs included; a crash is a difference."""
    tally = first_cases()
    assert not tally.findings, str(tally.findings[0])
    assert tally.cases == CASES
    assert tally.refused_share < MAX_REFUSED
    assert tally.decisions > 3 * CASES
    assert tally.endings["over"] > CASES / 2


@needs_vm
@pytest.mark.parametrize("first", range(0, VM_CASES, CHUNK))
def test_the_fast_machine_plays_the_same_games(first: int) -> None:
    """Every decision, option, observation, score, law, count of work and error."""
    tally = search(range(first, first + CHUNK), backend("vm"), VM_PLAN)
    assert not tally.findings, str(tally.findings[0])
    assert not tally.left_out, "rules that the fast machine cannot play"
    assert tally.decisions > 3 * CHUNK


def test_every_common_form_is_met_soon() -> None:
    coverage = Coverage()
    for _, _, ruleset in rulesets(range(FORM_CASES), (), Tally()):
        coverage.add(ruleset)
    assert not set(coverage.lacking()) & COMMON, coverage.report()


def test_a_seed_is_a_case_for_ever() -> None:
    assert seeded_case(7) == seeded_case(7)
    assert seeded_case(7) != seeded_case(8)


@pytest.mark.parametrize("name", SOON)
def test_a_mistake_is_found(name: str) -> None:
    assert name in found_within({name: PLANTED[name]}, range(40), Plan(work=True, every=3))


def test_what_is_left_out_is_not_there() -> None:
    without = ("would", "choose", "together", "hooks", "grids", "give")
    for seed in range(15):
        rules = seeded_case(seed, without).files["rules.warlock"]
        assert not {"would", "together", "instead", "free", "give"} & set(rules.replace("(", " ").split())


def test_a_difference_becomes_small() -> None:
    """A machine that rolls otherwise: what has nothing to do with it goes."""
    make = PLANTED["roll"]

    def differs(case: Case) -> bool:
        loaded = load_case(case.files)
        if loaded.ruleset is None:
            return False
        return isinstance(
            difference_of(loaded.ruleset, case.players, 0, make, Plan(max_decisions=6, every=100)), Difference
        )

    case = next(one for one in map(seeded_case, range(60)) if differs(one))
    small = shrunk(case, differs, 120)
    assert differs(small)
    assert len(small.text()) < len(case.text()) * 2 / 3


@given(st.data())
@settings(max_examples=8, suppress_health_check=list(HealthCheck))
def test_hypothesis_makes_rulesets_too(data: st.DataObject) -> None:
    case = make_case(HypothesisDraw(data.draw))
    loaded = load_case(case.files)
    assert loaded.ruleset is not None or loaded.errors


def test_a_case_that_differed_once_is_the_same_on_every_machine() -> None:
    for path in REGRESSIONS:
        files, name = dict[str, str](), ""
        for line in path.read_text(encoding="utf-8").splitlines(keepends=True):
            if line.startswith("-- ") and line.endswith(" --\n"):
                name = line[3:-4]
                files[name] = ""
            else:
                files[name] += line
        loaded = load_case(files)
        assert loaded.ruleset is not None, path
        for players in range(loaded.ruleset.components.min_players, loaded.ruleset.components.max_players + 1):
            for name in BACKENDS:
                found = difference_of(loaded.ruleset, players, 0, backend(name), Plan(work=True, log=name == "plain"))
                assert not isinstance(found, Difference), f"{path}, {name}: {found}"


def test_games_are_compared_too() -> None:
    assert {"maldorf", "maldorf+fr", "chess"} <= set(game_names())
    plan = Plan(max_decisions=6, play_out=5)
    assert not game_differences("tic-tac-toe", backend("plain"), plan)
    assert game_differences("tic-tac-toe", PLANTED["count_options"], plan)


@needs_vm
@pytest.mark.parametrize("game", GAMES)
def test_the_fast_machine_plays_every_game(game: str) -> None:
    assert machine_for(ruleset_named(game), ruleset_named(game).components.min_players, True).why_plain == ""


@needs_vm
@pytest.mark.long
def test_two_million_decisions_of_every_game_and_overlay_are_the_same() -> None:
    plan = Plan(max_decisions=3000, work=True, log=False, every=50, look=10)
    done, found = long_games(2_000_000, backend("vm"), plan)
    assert not found, "\n".join(f"{name}, seed {seed}: {one}" for name, seed, one in found)
    assert done >= 2_000_000


@needs_vm
@pytest.mark.long
@pytest.mark.parametrize("first", range(0, 20_000, 1000))
def test_twenty_thousand_random_rulesets_are_the_same(first: int) -> None:
    tally = search(range(first, first + 1000), backend("vm"), VM_PLAN)
    assert not tally.findings, str(tally.findings[0])
    assert not tally.left_out and tally.refused_share < MAX_REFUSED


@pytest.mark.long
def test_every_form_is_met() -> None:
    coverage, tally = Coverage(), Tally()
    for _, _, ruleset in rulesets(range(20_000), (), tally):
        coverage.add(ruleset)
    assert tally.refused_share < MAX_REFUSED
    assert not coverage.lacking(), coverage.report()


@pytest.mark.long
def test_every_planted_mistake_is_found_within_five_thousand_cases() -> None:
    found = found_within(PLANTED, range(5000), Plan(work=True))
    assert not set(PLANTED) - set(found)
