"""Every shipped overlay, alone and in pairs: checks clean, plays to the end, shows what it says; clashes are told."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from itertools import combinations
from pathlib import Path

import pytest

from interpreter import Game
from interpreter.state import random as chance
from warlock_dsl.diagnostics.diagnostic import Diagnostic, Severity
from warlock_dsl.files import available, available_overlays, read_folder
from warlock_dsl.load import load, load_files
from warlock_dsl.overlay.derive import built_on, derive, overlay_files
from warlock_dsl.overlay.read import Overlay, read_overlay
from warlock_dsl.ruleset import Loaded, Ruleset
from warlock_dsl.stack import Use
from workbench.scenario.run import run_path

ROOT = Path(__file__).parents[2]
RULES = [ROOT / "rules"]
COLLISIONS = ("W606", "W610")  # said by one of the two, or found


@cache
def loaded(stack: str) -> Loaded:
    return load(stack, RULES)


def overlay_of(game: str, name: str) -> Overlay:
    files, unread = read_folder(ROOT / "variants" / game / name)
    overlay, errors = read_overlay(files, name, {})
    assert overlay is not None and not unread, [error.message for error in errors]
    return overlay


SHIPPED = [(game.name, one.name) for game in available(RULES) for one in available_overlays(game.name, RULES)]
HEADS = {(game, name): overlay_of(game, name) for game, name in SHIPPED}


def stack_of(game: str, *names: str) -> str:
    """The stack of these overlays, each after what it needs."""
    needed = [needs for name in names for needs in (*HEADS[game, name].requires, name)]
    return "+".join((game, *dict.fromkeys(needed)))


ALONE = [stack_of(*one) for one in SHIPPED]
PAIRS = [(game, one, other) for (game, one), (same, other) in combinations(SHIPPED, 2) if game == same]


def diagnostics(found: Loaded, *severities: Severity) -> list[Diagnostic]:
    """Errors and warnings, but for what an overlay itself warns of and for what an edition adds up wrongly."""
    wanted = severities or (Severity.ERROR, Severity.WARNING)
    return [one for one in found.diagnostics if one.severity in wanted and one.code not in ("W240", "W618")]


def test_only_one_edition_states_a_total_that_it_does_not_reach() -> None:
    """The French one, to the letter; its errata mend it. The check shows the sources of the total and of the part."""
    wrong = {stack: [one for one in loaded(stack).diagnostics if one.code == "W240"] for stack in ALONE}
    assert [stack for stack, found in wrong.items() if found] == ["maldorf+fr"]
    (error,) = wrong["maldorf+fr"]
    assert error.severity is Severity.WARNING and error.message.endswith("is 120, but race.cards adds up to 115")
    assert "comp.creatures_total" in error.hint and "ED-01" in error.hint
    assert error.related[0].span.file == "+fr/overlay.toml"


def play(ruleset: Ruleset, players: int, seed: int) -> Game:
    """A game of random answers to its end; the invariants are tested at every decision."""
    game = Game.start(ruleset, players, seed)
    dice = chance.seeded(seed + 7)
    while not game.over:
        dice, pick = chance.below(dice, game.option_count)
        game.choose(pick)
    return game


def decided(game: Game) -> bool:
    """Somebody has won, or nobody is ahead: a game may know draws."""
    totals = sorted(sheet.total for sheet in game.scores())
    return bool(game.winners) or totals[-1] == totals[-2]


def players_of(ruleset: Ruleset) -> int:
    parts = ruleset.components
    return max(parts.min_players, min(parts.max_players, 3))


# ----------------------------------------------------------------------- alone


def test_there_are_editions_errata_and_house_rules() -> None:
    kinds = [HEADS["maldorf", name].kind for game, name in SHIPPED if game == "maldorf"]
    assert kinds.count("edition") == 3 and kinds.count("errata") >= 2 and kinds.count("house") >= 12
    assert sum(bool(HEADS[one].parameters) for one in SHIPPED) >= 6


@pytest.mark.parametrize("one", SHIPPED, ids=lambda one: "+".join(one))
def test_what_an_overlay_says_of_itself(one: tuple[str, str]) -> None:
    head = HEADS[one]
    assert head.on == one[0] and head.about and not head.about.endswith(".")
    others = {name for game, name in SHIPPED if game == one[0]} - {head.name}
    assert set(head.requires) | set(head.conflicts) <= others, "it names an overlay that there is not"


@pytest.mark.parametrize("stack", ALONE)
def test_it_checks_clean_and_plays_to_the_end(stack: str) -> None:
    found = loaded(stack)
    assert [one.message for one in diagnostics(found)] == []
    assert found.ruleset is not None
    assert decided(play(found.ruleset, players_of(found.ruleset), 1))


@pytest.mark.parametrize("one", SHIPPED, ids=lambda one: "+".join(one))
def test_its_scenarios_pass(one: tuple[str, str]) -> None:
    folder = ROOT / "variants" / one[0] / one[1]
    report = run_path(folder, loaded)
    assert report.passed, report.text() + "\n".join(error.message for error in report.diagnostics)
    assert report.results


@pytest.mark.long
@pytest.mark.parametrize("one", [one for one in SHIPPED if HEADS[one].parameters], ids=lambda one: "+".join(one))
def test_its_parameters_may_be_what_they_say(one: tuple[str, str]) -> None:
    """Both ends of every range are sound."""
    for name, span in HEADS[one].ranges.items():
        for value in span.split("..") if ".." in span else ():
            found = loaded(f"{stack_of(*one)}({name}={value})")
            assert diagnostics(found, Severity.ERROR) == [], f"{name}={value}"


def test_an_edition_says_which_language_it_is_played_in() -> None:
    for game, name in SHIPPED:
        ruleset = loaded(stack_of(game, name)).ruleset
        assert ruleset is not None
        head = HEADS[game, name]
        assert bool(ruleset.language) == (head.kind in ("edition", "errata"))
        assert not ruleset.language or ruleset.language in ruleset.components.names


# ----------------------------------------------------------------------- pairs


def say_they_conflict(game: str, one: str, other: str) -> bool:
    """Whether one of the pair, or what it needs, says that it does not go with another."""
    names = stack_of(game, one, other).split("+")[1:]
    return any(name in HEADS[game, two].conflicts for name in names for two in names)


def touched(game: str, name: str) -> set[tuple[object, ...]]:
    ruleset = loaded(stack_of(game, name)).ruleset
    assert ruleset is not None
    return {change.place for layer in ruleset.layers if layer.name == name for change in layer.changes}


def expected(game: str, one: str, other: str) -> set[str]:
    """What a pair must be told: found by what each says and touches alone, so that the stack is not its own witness.

    A touch inside what the other touches is not looked for here: such a pair may collide, and must then say where.
    """
    if say_they_conflict(game, one, other):
        return {"W606"}
    related = one in HEADS[game, other].requires or other in HEADS[game, one].requires
    return {"W610"} if not related and touched(game, one) & touched(game, other) else set()


def pair_checked(game: str, one: str, other: str) -> Ruleset | None:
    """The ruleset of a pair, checked clean; nothing for one that collides, which is told with both places."""
    found = load(stack_of(game, one, other), RULES)
    errors = diagnostics(found, Severity.ERROR)
    codes = {error.code for error in errors}
    assert expected(game, one, other) <= codes <= set(COLLISIONS), (one, other, [error.message for error in errors])
    for error in errors:
        spans = [error.span, *(two.span for two in error.related)]
        assert len({span.file[1:].partition("/")[0] for span in spans}) == 2 and all(span.line for span in spans)
    if errors:
        assert found.ruleset is None
        return None
    assert [error.message for error in diagnostics(found)] == [], (one, other)
    assert found.ruleset is not None
    return found.ruleset


@pytest.mark.parametrize("one", SHIPPED, ids=lambda one: "+".join(one))
def test_it_goes_with_every_other_or_says_why_not(one: tuple[str, str]) -> None:
    """Every pair of overlays is loaded: clean, or told to collide with both places."""
    for pair in PAIRS:
        if pair[:2] == one:
            pair_checked(*pair)


def test_a_conflict_that_nobody_declared_is_found() -> None:
    """Declared conflicts with the declaration taken away: what touches one thing twice is told with both places."""
    found = 0
    for game, one, other in PAIRS:
        if not say_they_conflict(game, one, other) or not touched(game, one) & touched(game, other):
            continue
        stack = []
        for name in stack_of(game, one, other).split("+")[1:]:
            files = read_folder(ROOT / "variants" / game / name)[0]
            head = re.sub(r"^conflicts = .*$", "", files["overlay.toml"], flags=re.MULTILINE)
            stack.append((Use(name), {**files, "overlay.toml": head}))
        again = load_files(read_folder(ROOT / "rules" / game)[0], game, (), stack)
        told = [error for error in again.diagnostics if error.code == "W610"]
        assert told and again.ruleset is None, (one, other)
        for error in told:
            assert len({span.file.partition("/")[0] for span in (error.span, *(r.span for r in error.related))}) == 2
        found += 1
    assert found > 2


def sample() -> Sequence[tuple[str, str, str]]:
    """A few pairs to be played in the short run; other ones whenever the game changes."""
    found = []
    for game in dict.fromkeys(game for game, _, _ in PAIRS):
        ruleset = loaded(game).ruleset
        pairs = [pair for pair in PAIRS if pair[0] == game and not expected(*pair)]
        start = int(ruleset.hash[:8], 16) if ruleset is not None else 0
        found += [pairs[(start + number * len(pairs) // 3) % len(pairs)] for number in range(min(3, len(pairs)))]
    return found


def test_a_few_pairs_play_to_the_end() -> None:
    for pair in sample():
        ruleset = pair_checked(*pair)
        assert ruleset is None or decided(play(ruleset, players_of(ruleset), 2)), pair


@pytest.mark.long
@pytest.mark.parametrize("stack", ALONE)
def test_fifty_games(stack: str) -> None:
    ruleset = loaded(stack).ruleset
    assert ruleset is not None
    minimum, maximum = ruleset.components.min_players, ruleset.components.max_players
    for seed in range(50):
        assert decided(play(ruleset, minimum + seed % (maximum - minimum + 1), seed))


@pytest.mark.long
@pytest.mark.parametrize("pair", PAIRS, ids=lambda pair: "+".join(pair))
def test_fifty_games_of_a_pair(pair: tuple[str, str, str]) -> None:
    ruleset = pair_checked(*pair)
    if ruleset is not None:
        for seed in range(50):
            assert decided(play(ruleset, players_of(ruleset), seed))


# ---------------------------------------------------------------------- derive


def digests(ruleset: Ruleset, seed: int) -> list[str]:
    game = Game.start(ruleset, players_of(ruleset), seed, laws=False)
    dice, found = chance.seeded(seed), [game.digest()]
    while not game.over and len(found) < 60:
        dice, pick = chance.below(dice, game.option_count)
        game.choose(pick)
        found.append(game.digest())
    return found


def assert_turns_into(old: str, new: str) -> None:
    a, b = loaded(old), loaded(new)
    units = derive(a, b)
    files = overlay_files(units, a.name, "own", "builds on no more than it must", built_on(a, units))
    again = load_files(a.base, a.name, (), (*a.stack, (Use("own"), files)))
    assert again.ruleset is not None and b.ruleset is not None, [error.message for error in diagnostics(again)]
    assert derive(again, b) == () and diagnostics(again) == []
    assert digests(again.ruleset, 3) == digests(b.ruleset, 3)


@pytest.mark.parametrize("one", SHIPPED, ids=lambda one: "+".join(one))
def test_each_can_be_undone(one: tuple[str, str]) -> None:
    assert_turns_into(stack_of(*one), one[0])


@pytest.mark.long
@pytest.mark.parametrize("one", SHIPPED, ids=lambda one: "+".join(one))
def test_each_can_be_derived(one: tuple[str, str]) -> None:
    assert_turns_into(one[0], stack_of(*one))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("maldorf+en", "maldorf+fr"),
        ("maldorf+fr", "maldorf+de"),
        ("maldorf+de", "maldorf+en"),
        ("maldorf+de+de_errata", "maldorf+fr+fr_errata"),
        ("maldorf+pilgrims+first_bird", "maldorf+first_bird+pilgrims"),
        ("maldorf+dragons(limit=4)+omens", "maldorf+fr+dragons(limit=1)"),
    ],
)
def test_stacks_can_be_derived_from_each_other(old: str, new: str) -> None:
    assert_turns_into(old, new)
