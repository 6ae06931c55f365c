"""House rules made from templates: costs, requirements, marks and draws before and after rules of the shipped games.

`python -m tests.games.made_overlays GAME [HOW MANY [GAMES [SEED]]]` checks that many stacks of one or two of them, and
plays each: the ones a check tells of with the check switched off, to find out whether it was right to tell.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from pathlib import Path

from attrs import frozen

from interpreter import Game, PlayError, RulesError
from interpreter.state import random as chance
from warlock_dsl.check import check
from warlock_dsl.check.guards.late_needs import check_late_needs
from warlock_dsl.check.guards.unforeseen import check_unforeseen
from warlock_dsl.check.guards.unguarded import check_unguarded
from warlock_dsl.diagnostics.diagnostic import Severity
from warlock_dsl.files import read_folder
from warlock_dsl.load import load_files
from warlock_dsl.ruleset import Loaded, Ruleset
from warlock_dsl.stack import Use
from workbench.fuzz.bots import GUIDED_BOTS, GuidedBot

ROOT = Path(__file__).parents[2]
TOLD = ("W334", "W335", "W336", "W452", "W453", "W454", "W455")  # what a check tells of because of play
MAX_DECISIONS = 4000
# Bodies of rules, by what they are; $A and $B are zones of a player, $P a hidden pile, $D where discards go.
BODIES = {
    "cost": "    choose due in my.$A: move due to $D\n",
    "cost_b": "    choose due in my.$B: move due to $D\n",
    "costs_two": "    choose 2 due in my.$A: move due to $D\n",
    "if_any": "    choose due in my.$A: move due to $D\n    else: pass\n",
    "needs": "    require any(my.$A)\n",
    "needs_b": "    require any(my.$B)\n",
    "needs_two": "    require count(my.$B) >= 2\n",
    "at_most": "    require my.MARK < 3\n    add 1 to my.MARK\n",
    "marks": "    add 1 to my.MARK\n",
    "first": "    move top(my.$A) to $D\n",
    "burns": "    for c in my.$B: move c to $D\n",
    "draws": "    move top($P) to my.$A\n",
    "mixes": "    shuffle $P\n",
    "mills": "    move top($P) to $D\n",
    "by_chance": "    if any(my.$A):\n        roll drawn in my.$A\n        move drawn to $D\n",
    "perhaps": "    roll luck in 1..2\n    if luck is 1:\n        for c in my.$A: move c to $D\n",
    "robs": "    for victim in opponents: move top(victim.$A) to $D\n",
}
ZONES = {
    "maldorf": [("hand", "mine", "deck", "discard"), ("hand", "dungeon", "deck", "discard")],
    "goblin-warlord": [("hand", "hand", "deck", "discard")],
    "warlock-1980": [("hand", "reserve", "spellbook", "discard")],
}
# The rules they hang on: of menus, called from them, and called by nobody's choice.
TARGETS = {
    "maldorf": [
        "action.mine", "action.dungeon", "action.empire", "action.castle", "action.draw", "power.giant", "power.human",
        "power.goblin", "power.gnome", "power.orc", "power.wizard", "pay", "build", "ravage", "turn", "pick", "bid",
        "third_card", "place_second", "clear_bar",
    ],
    "goblin-warlord": [
        "action.invade", "action.know_wots", "action.hoozits", "action.build", "action.upgrade", "raid", "raze", "pay",
        "fortify", "turn", "give_orders", "raise_banner", "take_recruits",
    ],
    "warlock-1980": [
        "learn", "refill", "launch", "pay", "may_return", "return_from_limbo", "take_back", "undergo", "end_turn",
    ],
}  # fmt: skip


@frozen
class House:
    """A house rule: what it does, before or after which rule, with which zones."""

    body: str
    when: str
    target: str
    zones: tuple[str, str, str, str]

    @property
    def name(self) -> str:
        return f"{self.body}_{self.when}_{self.target.replace('.', '_')}"

    def files(self, game: str) -> dict[str, str]:
        rule = next(one for one in base(game).program.rules if one.address == self.target)
        names = ", ".join(name for name, _ in rule.parameters)
        on = f"{rule.name}[{rule.key}]" if rule.key else rule.name
        text = BODIES[self.body]
        for letter, zone in zip("ABPD", self.zones, strict=True):
            text = text.replace(f"${letter}", zone)
        text = text.replace("MARK", f"marks_of_{self.name}")
        head = f'[overlay]\non = "{game}"\nabout = "A house rule"\n'
        if "marks_of" in text:
            head += f'\n[[add]]\nat = "variable.player.marks_of_{self.name}"\nnow = "0..999"\n'
        return {"overlay.toml": head, "rules.warlock": f"rule {self.name} {self.when} {on}({names}):\n{text}"}


@cache
def game_files(game: str) -> Mapping[str, str]:
    return dict(read_folder(ROOT / "rules" / game)[0])


@cache
def base(game: str) -> Ruleset:
    found = load_files(game_files(game), game).ruleset
    assert found is not None
    return found


def stacked(game: str, stack: tuple[House, ...]) -> Loaded:
    return load_files(dict(game_files(game)), game, (), [(Use(one.name), one.files(game)) for one in stack])


def told(loaded: Loaded) -> list[str]:
    return sorted({one.code for one in loaded.diagnostics if one.code in TOLD and one.severity is not Severity.NOTE})


def untold(game: str, stack: tuple[House, ...]) -> Ruleset:
    """The ruleset as if no check told of what is missing in play."""
    kept = check.CHECKS
    check.CHECKS = tuple(one for one in kept if one not in (check_late_needs, check_unforeseen, check_unguarded))
    try:
        loaded = stacked(game, stack)
    finally:
        check.CHECKS = kept
    assert loaded.ruleset is not None, [(one.code, one.message) for one in loaded.diagnostics]
    return loaded.ruleset


def witness(ruleset: Ruleset, games: int) -> str:
    """The dead end that games come to first, of random answers and of fuzz's bots in turn; "" if they come to none."""
    parts = ruleset.components
    for number in range(2 * games):
        seed = number // 2
        players = parts.min_players + seed % (parts.max_players - parts.min_players + 1)
        try:
            game = Game.start(ruleset, players, seed, laws=False)
            pick = guided(ruleset, seed) if number % 2 else at_random(seed)
            decisions = 0
            while not game.over and decisions < MAX_DECISIONS:
                game.choose(pick(game))
                decisions += 1
        except RulesError as error:
            return f"{players} players, seed {seed}: {error.message}"
        except PlayError as error:
            return f"{players} players, seed {seed}: {error}"
    return ""


def at_random(seed: int) -> Callable[[Game], int]:
    dice = chance.seeded(seed + 11)

    def pick(game: Game) -> int:
        nonlocal dice
        dice, option = chance.below(dice, game.option_count)
        return option

    return pick


def guided(ruleset: Ruleset, seed: int) -> Callable[[Game], int]:
    """One of the bots of fuzz: they empty hands that random answers never empty."""
    return GuidedBot(ruleset, GUIDED_BOTS[seed % len(GUIDED_BOTS)], seed + 11, {}).pick


def stacks(game: str, many: int, seed: int = 0) -> Iterator[tuple[House, ...]]:
    """Stacks of one, and of two on one rule in either order, spread over all there are; others for each seed."""
    dice = chance.seeded(len(game) + 1000 * seed)
    for number in range(many):
        dice, zones = chance.below(dice, len(ZONES[game]))
        dice, target = chance.below(dice, len(TARGETS[game]))
        made = []
        for _ in range(1 if number % 4 == 0 else 2):
            dice, body = chance.below(dice, len(BODIES))
            dice, when = chance.below(dice, 3)
            place = "after" if when == 2 else "before"
            made.append(House([*BODIES][body], place, TARGETS[game][target], ZONES[game][zones]))
        if len({one.name for one in made}) == len(made):
            yield tuple(made)


@frozen
class Verdict:
    """What a check told of a stack, and the dead end that was found in play."""

    stack: tuple[House, ...]
    codes: tuple[str, ...]
    seen: str


def verdicts(game: str, many: int, games: int, seed: int = 0) -> Iterator[Verdict]:
    """`games` are played to find what was told of; a third as many where nothing was."""
    for stack in stacks(game, many, seed):
        loaded = stacked(game, stack)
        codes = tuple(told(loaded))
        errors = {one.code for one in loaded.diagnostics if one.severity is Severity.ERROR}
        if "W324" in errors:
            continue  # on a rule of a secret choice
        assert errors <= set(TOLD), (stack, [(one.code, one.message) for one in loaded.diagnostics])
        yield Verdict(stack, codes, witness(untold(game, stack), games if codes else games // 3))


def main(game: str, many: int, games: int, seed: int) -> None:
    counts: Counter[tuple[str, str]] = Counter()
    for one in verdicts(game, many, games, seed):
        codes = ",".join(one.codes) or "nothing"
        counts[codes, "dead end" if one.seen else "none"] += 1
        names = " + ".join(house.name for house in one.stack)
        if bool(one.codes) != bool(one.seen):
            print(f"told {codes:8} {one.seen or 'no dead end':60.160}  {names} {one.stack[0].zones}", flush=True)
    for (codes, seen), number in sorted(counts.items()):
        print(f"{game}: told {codes}, in play {seen}: {number}")


if __name__ == "__main__":
    main(sys.argv[1], *(int(word) for word in (*sys.argv[2:], *("200", "40", "0")[len(sys.argv) - 2 :])))
