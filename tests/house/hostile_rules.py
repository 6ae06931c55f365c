"""Rules that load and then try to run for ever, to fill the memory, or to put the table into a state that cannot be."""

from __future__ import annotations

from collections.abc import Mapping

from warlock_dsl.diagnostics.diagnostic import Severity
from warlock_dsl.load import load_files
from warlock_dsl.ruleset import Ruleset

TABLES = """
[game]
players = "1..4"
limits = {{ work = {work}, depth = {depth} }}

[table.colour]
rows = ["red", "green", "blue"]

[kind.card]
rows = "cards.csv"
fields = {{ colour = "colour", value = "number" }}

[kind.token]
count = 500

[kind.box]
count = 3

[zone]
deck = {{ holds = "card", start = "card" }}
pool = {{ holds = "token", start = "token" }}
store = {{ holds = "box", start = "box" }}
inside = {{ each = "box", holds = ["box", "card"] }}

[variable.game]
n = "number"
ring = "[player]"
nums = "[number]"
"""
COLOURS = ("red", "green", "blue")
CARDS = "id,colour,value\n" + "".join(f"c{n},{COLOURS[n % 3]},{n}\n" for n in range(60))
WORK = 1_000_000
WAIT = "    choose k in colour: add 1 to n\n    choose kk in colour: add 1 to n\n"


def hostile_game(rules: str, work: int = WORK, depth: int = 200) -> Ruleset:
    tables = TABLES.format(work=work, depth=depth)
    loaded = load_files({"game.toml": tables, "cards.csv": CARDS, "rules.warlock": rules}, "hostile")
    errors = [str(error) for error in loaded.diagnostics if error.severity is Severity.ERROR]
    assert loaded.ruleset is not None, errors
    return loaded.ruleset


PLAY = "rule play:\n"


def _chain(length: int, first: str, step: str) -> str:
    """Definitions that stand on one another: `step` speaks of the one before as BELOW."""
    lines = [f"define a0 = {first}\n"]
    lines += [f"define a{n} = {step.replace('BELOW', f'a{n - 1}')}\n" for n in range(1, length)]
    return "".join(lines)


# What ends in an error, and a word of what is told.
ENDLESS: Mapping[str, tuple[str, str]] = {
    "rules that call each other": ("rule play: a()\nrule a: b()\nrule b: a()\n", "deep"),
    "a hook that calls its target": ("rule play: a()\nrule a: add 1 to n\nrule h after a(): a()\n", "deep"),
    "replacements in a circle": (
        "rule play: a()\nrule a: pass\nrule b instead a() where n is 0: pass\nrule cc instead b() where n is 0: a()\n",
        "deep",
    ),
    "guards in a circle": (
        PLAY + "    if can a(): a()\nrule a:\n    require can b()\n    add 1 to n\n"
        "rule b:\n    require can a()\n    add 1 to n\n",
        "deep",
    ),
    "a score of itself": (f"rule play:\n{WAIT}score s = total(me)\n", "deep"),
    "a score of itself that decides": ("rule play: finish most(p in players: total(p))\nscore s = total(me)\n", "deep"),
    "a deep invariant": (
        _chain(95, "true", "not not not not not not not not not not not not BELOW")
        + f"invariant x = a94\nrule play:\n{WAIT}",
        "deep",
    ),
    "a deep score": (
        _chain(95, "1", "1 + (1 + (1 + (1 + (1 + (1 + (1 + BELOW))))))") + f"score x = a94\nrule play:\n{WAIT}",
        "deep",
    ),
    "questions without an end": (
        "rule play: a(1)\nrule a(k: number):\n    choose x in deck where x.value is not k\n    a(k + 1)\n",
        "",
    ),
    "questions that multiply": (
        "rule play: a(1)\nrule a(k: number):\n    choose x in colour\n"
        "    if k < 40: a(k + 1)\n    else: require false\n",
        "work",
    ),
    "definitions that double": (_chain(60, "1", "BELOW + BELOW") + "rule play: set n to a59\n", "work"),
    "lists that double": (_chain(60, "[1]", "BELOW + BELOW") + "rule play: set n to count(a59)\n", ""),
    "a variable that doubles": (PLAY + "    set nums to [1]\n    repeat 100: set nums to nums + nums\n", "elements"),
    "an impossible set": (PLAY + "    choose some x in deck where count(x) > 100: pass\n    else: pass\n", "work"),
    "what would be after itself": (
        PLAY + "    f()\n    finish players\nrule f:\n    if would f(): n is 1: add 1 to n\n",
        "'would' within 'would'",
    ),
    "what would be, again and again": (
        PLAY + "    set n to sum(x in 1..99999: would f(): n)\n    finish players\nrule f:\n    add 1 to n\n",
        "work",
    ),
    "a value that a rule takes from itself": (
        PLAY + "    let x = f(1)\n    set n to x\nrule f(k: number):\n    if k < 0: give 0\n"
        "    let x = f(k + 1)\n    give x\n",
        "more than 200 deep",
    ),
    "at once for too many": (PLAY + "    repeat 100000000: add x to n for x in 1..50000\n", "work"),
    "too many minimal sets": (PLAY + "    choose minimal x in deck where count(x) > 5: pass\n    else: pass\n", "work"),
    "heavy minimal sets": (
        PLAY + "    choose minimal x in deck where sum(c in x: c.value) > 600: pass\n    else: pass\n",
        "work",
    ),
    "all pairs of pairs": (
        "rule play: set n to count(a in everywhere where any(b in everywhere where any(c in everywhere where a is b"
        " and b is c and false)))\n",
        "work",
    ),
    "all triples": ("rule play: set n to sum(a in 1..1000: sum(b in 1..1000: sum(c in 1..1000: 1)))\n", "work"),
    "ranges again and again": ("rule play: set n to sum(a in 1..100000: count(1..100000))\n", "work"),
    "a list that is searched": (
        PLAY + "    let r = 1..50000\n    set n to count(a in 1..50000 where r has a)\n",
        "work",
    ),
    "lists that are compared": (
        PLAY + "    let r = 1..50000\n    let q = 1..50000\n    set n to count(a in 1..50000 where r is q)\n",
        "work",
    ),
    "a list that is summed": (PLAY + "    let r = 1..100000\n    repeat 1000000: set n to sum(r)\n", "work"),
    "a pile that is read": (PLAY + "    repeat 100000000: set n to count(top(pool, 400))\n", "work"),
    "a pile that is narrowed": (PLAY + "    repeat 100000000: set n to count(everywhere[token])\n", "work"),
    "a pile that is grouped": (PLAY + "    repeat 100000000: set n to count(groups(pool))\n", "work"),
    "a pile that is shuffled": (PLAY + "    repeat 100000000: shuffle pool\n", "work"),
    "a pile that is moved": (PLAY + "    repeat 100000000: move pool to pool\n", "work"),
    "a list that is sorted": (
        PLAY + "    let r = 1..50000\n    repeat 100000: set n to first(falling(a in r: 0 - a), 1)\n",
        "work",
    ),
    "sums that multiply": (
        "rule play: set n to count(sums(c in deck: [c.value, c.value * c.value * 1000, c.value * 77777]))\n",
        "",
    ),
    "lists in lists in lists": (
        PLAY + f"    let r = 1..30000\n    let q = [a in r: r]\n    let z = [a in r: q]\n{WAIT}",
        "elements",
    ),
    "lists in lists that differ": (
        PLAY + "    let r = 1..30000\n    set n to count(distinct([a in r: [b in 1..50: b + a]]))\n",
        "work",
    ),
    "questions about long lists": (
        PLAY + "    let r = 1..3000\n    choose x in [a in r: r + [a]]: set nums to x\n",
        "",
    ),
    "two long questions": (
        PLAY + "    choose x in 1..10000, y in 1..10000 where false: set n to x\n    else: pass\n",
        "work",
    ),
    "five questions": (
        PLAY + "    choose a in deck, b in deck, c in deck, d in deck, e in deck where false: set n to a.value\n"
        "    else: pass\n",
        "work",
    ),
    "fewer rolls than none": (
        PLAY + "    repeat 100000000:\n        roll 0 - 1000000 x in players\n        add 1 to n\n",
        "work",
    ),
    "a million rolls": (PLAY + "    roll 900000 x in players\n    set n to count(x)\n", "rolls"),
    "rolls from a long list": (
        PLAY + "    repeat 100000000:\n        roll x in 1..50000 where x > 3 and x < 100\n        add 1 to n\n",
        "work",
    ),
    "a loop that does nothing": (PLAY + "    repeat 1000000000: pass\n", "work"),
    "loops in loops": (PLAY + "    for a in 1..50000:\n        for b in 1..50000: pass\n", "work"),
    "a long body": (
        PLAY + "    repeat 1000000000:\n" + ("        set n to " + " + ".join(["n - n"] * 50) + "\n") * 60,
        "work",
    ),
    "a storm of hooks": (
        PLAY
        + "    repeat 1000000: a()\nrule a: pass\n"
        + "".join(f"rule h{n} after a(): add 1 to n\n" for n in range(500)),
        "work",
    ),
    "a tower of hooks": (
        "rule play: h0()\nrule h0: pass\n"
        + "".join(f"rule h{n} after h{n - 1}(): add 1 to n\n" for n in range(1, 500)),
        "deep",
    ),
    "many slots": (
        PLAY + "    repeat 100000000: a()\nrule a:\n" + "".join(f"    let v{n} = 1\n" for n in range(800)),
        "work",
    ),
    "secrets without an end": (
        PLAY + "    together me in [a in 1..100000: me]:\n        choose k in colour: add 1 to n\n",
        "",
    ),
    "an endless invariant": (f"rule play:\n{WAIT}invariant x = all(a in 1..9999: all(b in 1..9999: true))\n", "work"),
    "an endless score": (f"rule play:\n{WAIT}score x = sum(a in 1..9999: sum(b in 1..9999: 1))\n", "work"),
    "a number that grows": (PLAY + "    set n to 999999999999\n    repeat 60: set n to n * n\n", "bounds"),
    "a number that is added to": (PLAY + "    repeat 1000000: add 999999999999 to n\n", "bounds"),
    "a piece in itself": (PLAY + f"    for b in store: move b to b.inside\n{WAIT}", "itself"),
    "pieces in each other": (
        PLAY + f"    let a = store[1]\n    let b = store[2]\n    move a to b.inside\n    move b to a.inside\n{WAIT}",
        "itself",
    ),
    "a piece swapped into itself": (
        PLAY + f"    let a = store[1]\n    let b = store[2]\n    move b to a.inside\n    swap a with b\n{WAIT}",
        "lies in it",
    ),
    "the owner of a piece in itself": (
        PLAY + "    let a = store[1]\n    move a to a.inside\n    set ring to [a.owner]\n",
        "itself",
    ),
}

# What is large but sound, and must go on.
SOUND: Mapping[str, str] = {
    "an impossible set of thirty": (
        PLAY + "    choose 30 x in deck where sum(c in x: c.value) > 5000: pass\n    else: pass\n"
    ),
    "an empty set after a search": PLAY + "    choose 59 x in deck where count(x) > 100: pass\n    else: pass\n",
    "sets of hundreds": PLAY + "    choose 400..500 x in pool where count(x) > 600: pass\n    else: pass\n",
    "a set of any size": PLAY + "    choose some x in pool: move x to pool\n",
    "a condition that is not monotone": (
        PLAY + "    choose minimal x in deck where count(x) is 30: pass\n    else: pass\n"
    ),
    "bags": PLAY + "    let r = 1..30000\n    set n to count(r - [a in r: 30001 - a])\n",
    "a bag in a bag": PLAY + "    let r = 1..30000\n    if within(r, r): add 1 to n\n",
    "many options": PLAY + "    choose x in 1..20000: set n to x\n    choose y in 1..20000: set n to y\n",
    "a game without an end": PLAY + "    repeat 1000000000:\n        choose k in colour: add 1 to n\n",
    "a guard that never opens": PLAY + "    if can a(): a()\nrule a: b()\nrule b: a()\n",
    "a long straight rule": "rule play:\n" + "    add 1 to n\n" * 2000,
}
