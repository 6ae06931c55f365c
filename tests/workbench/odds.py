"""A game whose odds are known exactly, and an overlay on it that changes them by a known amount.

Two players call 1 or 2. If they call the same, the first seat wins three times in four; if not, the one who called 2.
At random, then, the first seat wins 5/8 of the games; 2 is called once a game, in 3/4 of the games; whoever calls it
more often than the other wins 1/2 more of the games; a player has 3/2 points on average.
"""

from __future__ import annotations

from pathlib import Path

from warlock_dsl.load import load
from workbench.support.ruleset_source import RulesetSource, source_of

GAME = """
[game]
players = "2..2"

[figure.size]
odds = { is = 3, range = "0..4" }

[variable.player]
called = "number"
"""

RULES = """
rule play:
    for me in players:
        choose call in 1..2
        set my.called to call
    roll luck in 1..4
    let callers = most(p in players: p.called)
    let ahead = first(callers, first(players))
    finish [p in players where (p is ahead) is (luck <= size.odds)]

score called = my.called
"""

OVERLAY = """
[overlay]
on = "odds"
about = "Another chance for whoever is ahead"

[overlay.parameters]
of_four = { is = 2, range = "0..4" }

[[change]]
at = "size.odds"
was = 3
now = "{of_four}"
"""

BONUS = """
[overlay]
on = "odds"
about = "The first seat has a point more"
"""

BONUS_RULES = """
score bonus = if me is first(players) then 1 else 0
"""


def write_odds(folder: Path) -> Path:
    """The game and its overlays in a folder that `--rules` can name."""
    files = {
        "rules/odds/game.toml": GAME,
        "rules/odds/rules.warlock": RULES,
        "variants/odds/luck/overlay.toml": OVERLAY,
        "variants/odds/bonus/overlay.toml": BONUS,
        "variants/odds/bonus/rules.warlock": BONUS_RULES,
    }
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    return folder / "rules"


def odds(folder: Path, name: str = "odds") -> RulesetSource:
    loaded = load(name, [write_odds(folder)])
    assert loaded.ruleset is not None, loaded.diagnostics
    return source_of(loaded)
