"""An overlay that does everything an overlay can, to be spoilt, and overlays that were written to do harm."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from tests.house.hostile import files_of
from tests.house.hostile_texts import HUGE
from warlock_dsl.overlay.read import declaration_address, declaration_digest
from warlock_dsl.syntax.parse import parse

HEAD = '[overlay]\non = "base"\nabout = "x"\n'
LIMIT = '[[change]]\nat = "size.hand"\nwas = 2\nnow = "{limit}"\n'


@cache
def sound_overlay() -> Mapping[str, str]:
    module, _ = parse(files_of("base")["rules.warlock"], "rules.warlock")
    known = {declaration_address(declaration): declaration_digest(declaration) for declaration in module.declarations}
    return {
        "overlay.toml": f"""[overlay]
on = "base"
about = "another hand"
kind = "house"

[overlay.parameters]
limit = {{ is = 3, range = "1..4" }}
bonus = {{ is = 2, range = "1..3" }}

{LIMIT}
[[change]]
at = "zone.deck.sees"
was = "none"
now = "all"

[[change]]
at = "r1.value"
was = 1
now = 3

[[remove]]
at = "r2"

[[add]]
at = "b9"
now = {{ colour = "blue", value = 3 }}

[[add]]
at = "size.spare"
now = {{ is = 1, range = "0..2" }}

[replace]
laid = "{known["laid"]}"

[drop]
gift = "{known["gift"]}"
""",
        "more.warlock": "rule laid(card: card): add more.bonus + size.spare to my.points\n\n"
        "rule late after round(): pass\n",
    }


def _change(was: str, now: str, at: str = "size.hand") -> str:
    return f'{HEAD}[[change]]\nat = "{at}"\nwas = {was}\nnow = {now}\n'


HOSTILE_OVERLAYS: Mapping[str, str] = {
    "no range": HEAD + '[overlay.parameters]\nlimit = { is = 3, range = "1.2.3..4" }\n' + LIMIT,
    "a range for a list": HEAD + '[overlay.parameters]\nlimit = { is = [3], range = "1..4" }\n' + LIMIT,
    "a huge number that was": _change(HUGE, "3"),
    "a huge number now": _change("2", HUGE),
    "no number": _change("nan", "nan"),
    "a date": _change("1979-05-27", "1979-05-28"),
    "no address": _change("2", "3", ""),
    "dots": _change("2", "3", "....."),
    "a deep address": _change("2", "3", "a." * 20_000),
    "a picture of nothing": _change('["..", ".."]', "[3, [], {}]", "grid.square.cells"),
    "players": _change('"2..4"', "[]", "game.players"),
    "work": HEAD + '[[add]]\nat = "game.limits"\nnow = { work = 99999999999 }\n',
    "a section": HEAD + '[[add]]\nat = "zone"\nnow = 3\n',
    "a piece that is a number": HEAD + '[[add]]\nat = "zz"\nnow = 3\n',
    "a piece with a zero byte": HEAD + '[[add]]\nat = "zz"\nnow = { colour = "\\u0000", value = 3 }\n',
    "changes": HEAD + "".join(f'[[change]]\nat = "size.a{n}"\nwas = 2\nnow = 3\n' for n in range(3000)),
    "pieces": HEAD + "".join(f'[[add]]\nat = "p{n}"\nnow = {{ colour = "red", value = 1 }}\n' for n in range(3000)),
    "parameters": HEAD + "[overlay.parameters]\n" + "".join(f"p{n} = {{ is = 1 }}\n" for n in range(5000)),
    "needs": HEAD + "requires = [" + ", ".join(f"'r{n}'" for n in range(20_000)) + "]\n",
    "replacements": HEAD + "[replace]\n" + "".join(f"r{n} = 'x'\n" for n in range(8000)),
    "nothing": "",
    "not TOML": "\0",
}

STACKS = [
    *("+", "base+" * 300, "base+x(", "base+(a=1)", "base+x(a=1,a=2)", "base+\0", "base+" + "x" * 1000),
    *("base+../../etc", "base+\ud800", "base+x(" + ",".join(f"a{n}=1" for n in range(200)) + ")"),
]
GIVEN: tuple[Mapping[str, str], ...] = (
    {}, {}, {}, {"limit": "2"}, {"limit": "99"}, {"limit": "x"}, {"limit": "1.5"}, {"limit": ""}, {"no": "1"},
)  # fmt: skip
