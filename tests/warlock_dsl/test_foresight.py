"""Trouble seen before play: unseen choices, lookups beyond the end, owners and cells that are not there."""

from __future__ import annotations

import pytest

from tests.warlock_dsl.test_goldens import base
from warlock_dsl.load import load_files

CODES = {"W453", "W454", "W455"}

TABLES = """
[zone]
pile = { holds = "card", sees = "top" }
row = { holds = "card", hidden_by = "turned" }
aside = { each = "player", holds = "card", sees = "none" }
bag = { holds = "token", sees = "none" }
box = { holds = "card" }

[variable.card]
turned = "truth"

[variable.game]
day = "1..9"
era = "number"

[series.short]
is = [1, 2, 3]

[series.wide]
is = [1, 2, 3]
beyond = "last"

[series.eight]
is = [0, 0, 0, 0, 0, 0, 0, 0, 0]
from = 0

[table.tier]
columns = { step = "number" }
rows = { low = { step = 1 }, high = { step = 4 } }

[figure.given]
step = { is = 2, range = "1..5" }
three = { is = 3 }
list = { is = [5, 6], type = "number" }
"""


def found(rules: str) -> list[str]:
    loaded = load_files({**base(), "more.toml": TABLES, "mod.warlock": rules}, "base")
    assert loaded.ruleset is not None, [(one.code, one.message) for one in loaded.diagnostics]
    return [one.code for one in loaded.diagnostics if one.code in CODES]


# A score that is looked up, and whether it may go beyond the end.
LOOKUPS = [
    ("short[3]", False),
    ("short[4]", True),
    ("short[day]", True),
    ("wide[day]", False),
    ("short[min(3, day)]", False),
    ("short[era]", False),  # nothing is known of it
    ("short[count(players)]", True),
    ("short[count(opponents)]", False),
    ("short[low.step]", False),
    ("short[high.step]", True),
    ("sum(t in tier: short[t.step])", True),
    ("short[given.step]", True),  # the range, not the value
    ("short[given.three]", False),
    ("short[given.three + 1]", True),
    ("short[count(my.hand)]", True),
    ("eight[count(my.hand)]", False),
    ("eight[count(my.board)]", False),
    ("short[1 + count(distinct(c in my.hand: c.colour))]", False),
    ("short[2 + count(distinct(c in my.hand: c.colour))]", True),
    ("sum(k in 1..count(my.hand): short[k])", True),
    ("sum(k in 1..count(my.hand) where k <= 3: short[k])", False),
    ("if count(my.hand) < 4 then short[count(my.hand)] else 0", False),
    ("if count(my.hand) > 3 then 0 else short[count(my.hand)]", False),
    ("if count(my.hand) > 4 then 0 else short[count(my.hand)]", True),
    ("sum(c in my.hand: short[c.value])", True),
    ("sum(c in my.hand where c.value is 2: short[c.value])", False),
    ("short[step_of(day)]\ndefine step_of(n: number) = n - 6", False),
    ("short[step_of(day)]\ndefine step_of(n: number) = n - 5", True),
    ("given.list[day]", True),
    ("given.list[2]", False),
]


@pytest.mark.parametrize(("value", "warned"), LOOKUPS)
def test_a_lookup_that_may_go_beyond_the_end(value: str, warned: bool) -> None:
    assert ("W453" in found(f"score extra = {value}\n")) == warned


# What hangs on `laid(card)` (it lies on a board), and whether it asks for an owner or a cell that may not be there.
ATTRIBUTES = [
    ("add 1 to card.owner.points", False),
    ("move card to box\n    add 1 to card.owner.points", True),
    ("let whose = card.owner\n    move card to box\n    add 1 to whose.points", False),
    ("move card to my.hand\n    add 1 to card.owner.points", False),
    ("move card to my.hand\n    if any(near(card.cell)): pass", True),
    ("if any(near(card.cell)): add 1 to my.points", False),
    ("for c in deck: add 1 to c.owner.points", True),
    ("for c in deck where my.hand has c: add 1 to c.owner.points", False),
    ("for c in deck: if any(p in players where p.hand has c): add 1 to c.owner.points", False),
    ("for c in everywhere[card]: add 1 to c.owner.points", True),
    ("for p in players: for c in p.hand: add 1 to c.owner.points", False),
    ("if any(box): move card to box\n    add 1 to card.owner.points", True),
    ("move card to box, top(deck) to card.cell", False),  # read before it acts
    ("gone(card)\n    add 1 to card.owner.points\nrule gone(c: card): move c to box", False),  # not followed
    ("gone(card)\nrule gone(c: card): move c to box\nrule paid after gone(c): add 1 to c.owner.points", True),
    ("gone(card)\nrule gone(c: card): move c to box\nrule paid before gone(c): add 1 to c.owner.points", False),
    ("for t in pool: if t.owner is me: add 1 to my.points", True),
    ("if any(c in deck where whose(c) is me): add 1 to my.points\ndefine whose(c: card) = c.owner", True),
]


@pytest.mark.parametrize(("body", "warned"), ATTRIBUTES)
def test_an_owner_or_a_cell_that_may_not_be_there(body: str, warned: bool) -> None:
    rules = (
        "rule extra after laid(card):\n    " + body.replace("\nrule ", "\n\nrule ").replace("\ndef", "\n\ndef") + "\n"
    )
    assert ("W454" in found(rules)) == warned


# A choice of gems, and whether there may be too many sets of them to look through.
SETS = [
    ("choose some gems in my.gems where sum(g in gems: g.worth) * 2 is 14", True),
    ("choose some gems in my.gems where sum(g in gems: g.worth) is 7", False),  # found by their total
    ("choose some gems in my.gems where [6, 7] has worth(gems)", False),  # likewise, in a definition
    ("choose some gems in my.gems where 7 <= sum(g in gems: g.worth)", False),  # likewise
    ("choose some gems in my.gems where sum(g in gems: g.worth) is count(gems)", True),  # no one total
    ("choose some gems in my.gems where sum(g in gems: count(gems)) is 9", True),
    ("choose some gems in my.gems where worth(gems) is 7 and odd(gems)", True),  # and what else?
    ("choose some gems in my.gems", False),  # nothing has to be looked for
    ("choose 1..3 gems in my.gems where odd(gems)", False),
    ("choose 1..count(my.gems) gems in my.gems where odd(gems)", True),
    ("choose minimal gems in my.gems where sum(g in gems: g.worth) >= 7", False),  # pruned
    ("choose some gems in my.few where odd(gems)", False),  # an invariant limits it
    ("choose some gems in pool where count(gems) is 3", False),  # tokens are all alike
]
GEMS = """
[kind.gem]
rows = "gems.csv"
fields = { worth = "number" }

[zone]
mine = { holds = "gem", start = "gem" }
gems = { each = "player", holds = "gem" }
few = { each = "player", holds = "gem" }
"""


@pytest.mark.parametrize(("choice", "warned"), SETS)
def test_too_many_sets_to_look_through(choice: str, warned: bool) -> None:
    rules = f"rule extra after turn():\n    {choice}\n    else: pass\n"
    rules += "\ndefine worth(gems: [gem]) = sum(g in gems: g.worth)\n"
    rules += "\ndefine odd(gems: [gem]) = divide_down(worth(gems), 2) * 2 is not worth(gems)\n"
    rules += "\ninvariant few_gems = all(p in players: count(p.few) <= 6)\n"
    sheet = "id,worth\n" + "".join(f"g{number},{number}\n" for number in range(1, 31))
    files = {**base(), "more.toml": GEMS, "gems.csv": sheet, "mod.warlock": rules}
    loaded = load_files(files, "base")
    assert loaded.ruleset is not None, [(one.code, one.message) for one in loaded.diagnostics]
    assert ("W455" in [one.code for one in loaded.diagnostics]) == warned
