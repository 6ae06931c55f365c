"""Texts that a stranger might hand in: too large, too deep, too many, binary. Small to write, dear to read."""

from __future__ import annotations

from collections.abc import Callable, Mapping

HUGE = "0x" + "f" * 9000  # Python refuses to print such a number

RULES: Mapping[str, str] = {
    "declarations": "".join(f"define a{n} = {n}\n" for n in range(4000)),
    "too many characters": "".join(f"define a{n} = {n}\n" for n in range(100_000)),
    "rules": "".join(f"rule a{n}: pass\n" for n in range(3000)),
    "unknown names": "".join(f"invariant a{n} = zz{n}\n" for n in range(3000)),
    "a list of unknown names": "define a = [" + ",\n".join(f"zz{n}" for n in range(8000)) + "]\n",
    "hooks": "".join(f"rule a{n} after turn(): pass\n" for n in range(2000)),
    "replacements": "".join(f"rule a{n} instead turn() where leader is me: pass\n" for n in range(1500)),
    "a family": "".join(f"rule f[k{n}]: pass\n" for n in range(3000))
    + "rule go after turn():\n    choose k in f: f[k]()\n",
    "a tower": "define a0 = 1\n" + "".join(f"define a{n} = a{n - 1} + a{n - 1}\n" for n in range(1, 2500)),
    "a ring": "".join(f"define a{n} = a{(n + 1) % 2500}\n" for n in range(2500)),
    "two rings and more": "define a = b\ndefine b = a\ndefine cc = 3\ninvariant i = cc > 2\n",
    "uses of all others": "".join(
        f"define a{n} = count([{', '.join(f'a{k}' for k in range(n))}])\n" for n in range(110)
    ),
    "a long body": "rule a after turn():\n" + "    add 1 to my.points\n" * 3000,
    "a chain of questions": "rule a after turn():\n" + "".join(f"    choose c{n} in my.hand\n" for n in range(3000)),
    "a chain of names": "rule a after turn():\n" + "".join(f"    let c{n} = 1\n" for n in range(3000)),
    "nested ifs": "rule a after turn():\n" + "".join(" " * (4 * n) + "if true:\n" for n in range(1, 300)),
    "a chain of else": "rule a after turn():\n    if true: pass\n" + "    else if false: pass\n" * 4000,
    "open brackets": "define a = " + "(" * 5000,
    "brackets on lines": "define a = " + "[\n" * 50_000,
    "a long sum": "define a = (" + "1 +\n" * 20_000 + "1)\n",
    "not not not": "define a = " + "not " * 2000 + "true\n",
    "dots": "define a = me" + ".x" * 4000 + "\n",
    "calls in calls": "define a = " + "count(" * 55 + "deck" + ")" * 55 + "\n",
    "a long line": "define a = " + "9" * 200_000 + "\n",
    "marks": '@printed "a"\n' * 8000 + "rule a after turn(): pass\n",
    "bad marks": "@\n" * 50_000,
    "comments": "#\n" * 60_000,
    "blank lines": "\n" * 240_000,
    "quotes": '"\n' * 60_000,
    "garbage": "".join(chr(33 + n * 7 % 90) + ("\n" if n % 70 == 0 else "") for n in range(60_000)),
    "a zero byte": "define a = \0\n",
    "a byte order mark": "\ufeffdefine aa = 1\n",
    "a lone surrogate": "define a = \ud800\n",
    "lone returns": "define aa = 1\rdefine b = 2\r",
    "a line separator": "define aa = 1\u2028define b = 2\n",
    "tabs": "rule a after turn():\n" + "\t" * 9000 + "pass\n",
}

SOUND_RULES: Mapping[str, str] = {
    "returns and newlines": "rule aa after turn():\r\n    add 1 to my.points\r\n",
    "nothing": "",
    "only a comment": "# nothing",
}


def _rows(count: int) -> str:
    return ", ".join(f"'r{n}'" for n in range(count))


TABLES: Mapping[str, str] = {
    "deep lists": "x = " + "[" * 100_000,
    "deep tables": "x = " + "{a=" * 100_000,
    "deep keys": ".".join(["a"] * 100_000) + " = 1\n",
    "a deep heading": "[" + ".".join(["a"] * 50_000) + "]\n",
    "figures": "[figure.size]\n" + "".join(f"a{n} = 1\n" for n in range(20_000)),
    "sections": "".join(f"[s{n}]\n" for n in range(20_000)),
    "tables": "".join(f"[table.t{n}]\nrows = [{_rows(400)}]\n" for n in range(60)),
    "rows": f"[table.t]\nrows = [{_rows(20_000)}]\n",
    "a matrix": f"[table.t]\nrows = [{_rows(2000)}]\n[matrix.m]\nrows = 't'\ncolumns = 't'\nof = ['a', 'b']\n",
    "faces of a die": "[die.d]\nof = 'colour'\nfaces = { red = 999999999 }\n",
    "pieces": "[kind.z]\ncount = 999999999999\n",
    "zones of pieces": "[kind.z]\ncount = 4900\n[zone]\nzz = { holds = 'z', start = 'z' }\n"
    + "".join(f"z{n} = {{ each = 'z', holds = 'token' }}\n" for n in range(190)),
    "variables of pieces": "[kind.z]\ncount = 4900\n[zone]\nzz = { holds = 'z', start = 'z' }\n[variable.z]\n"
    + "".join(f"v{n} = 'number'\n" for n in range(900)),
    "cells": "[grid.g]\ncells = [" + ", ".join(f"'{'.' * 1000}'" for _ in range(300)) + "]\n",
    "grids of players": "".join(
        f"[grid.g{n}]\ncells = [" + ", ".join(f"'{'.' * 32}'" for _ in range(32)) + "]\n" for n in range(60)
    )
    + "[zone]\n"
    + "".join(f"z{n} = {{ each = 'player', holds = 'card', grid = 'g{n}' }}\n" for n in range(60)),
    "regions": f"[grid.g]\ncells = ['{'.' * 1000}']\nregions = {{ "
    + ", ".join(f"r{n} = '.'" for n in range(20_000))
    + " }\n",
    "names of a zone": '[zone]\n"' + ",".join(f"z{n}" for n in range(30_000)) + "\" = { holds = 'card' }\n",
    "unknown kinds": "[zone]\nz = { holds = [" + ", ".join(f"'c{n}'" for n in range(30_000)) + "] }\n",
    "looks": "[look]\n" + "".join(f"'colour.x{n}' = {{ colour = 'red' }}\n" for n in range(6000)),
    "citations": "[figure.size]\nx = { is = 1, printed = '"
    + ",".join(f"l{n}" for n in range(30_000))
    + "' }\n[ledger]\nl = { says = 'x', standing = 'printed' }\n",
    "a nested type": f"[variable.game]\nx = '{'[' * 50_000}number{']' * 50_000}'\n",
    "a chained type": f"[variable.game]\nx = '{'number by ' * 20_000}'\n",
    "a wide range": f"[variable.game]\nx = '{'9' * 100_000}..{'9' * 100_000}'\n",
    "a range of spaces": f"[variable.game]\nx = '{' ' * 200_000}..'\n",
    "backslashes": 'x = "' + "\\" * 200_001 + "\n",
    "a list": "[figure.size]\nx = [" + "1," * 100_000 + "]\n",
    "a number of many digits": "[figure.size]\nx = " + "9" * 100_000 + "\n",
    "a number of many hex digits": f"[figure.size]\nx = {HUGE}\n",
    "a seat of many digits": f"[variable.game]\nx = {{ type = 'player', first = {HUGE} }}\n",
    "a series from afar": f"[series.s]\nis = [1]\nfrom = {HUGE}\n",
    "no numbers": "[figure.size]\nx = nan\ny = inf\nz = 1e999999999\n",
    "a time": "[figure.size]\nx = 1979-05-27T07:32:00Z\n",
    "a zero byte": "x = '\0'\n",
    "a lone surrogate": "x = '\ud800'\n",
    "a byte order mark": "\ufeffx = 1\n",
    "lone returns": "x = 1\ry = 2\r",
    "everything at once": "game = 1\ntable = 2\nkind = []\nzone = ''\nvariable = 1.5\nfigure = true\nlook = 1\n"
    "die = 1\ngrid = 1\n",
}

SHEETS: Mapping[str, str] = {
    "rows": "id,colour,value\n" + "".join(f"c{n},red,1\n" for n in range(70_000)),
    "columns": ",".join(f"c{n}" for n in range(50_000)) + "\n",
    "bad rows": "id,colour,value\n" + 'x"\n' * 60_000,
    "quotes": "id,colour,value\n" + '"' * 300_000,
    "empty cells": "id,colour,value\n" + '"",' * 100_000,
    "spaces": "id,colour,value\n" + " " * 300_000 + "x",
    "a zero byte": "id,colour,value\n\0,red,1\n",
    "a lone surrogate": "id,colour,value\n\ud800,red,1\n",
    "nothing": "",
}

CATALOGUES: Mapping[str, str] = {
    "keys": "".join(f'"zone.k{n}" = "x"\n' for n in range(15_000)),
    "names in braces": 'game = "' + "{x}" * 100_000 + '"\n',
    "braces": 'game = "' + "{" * 300_000 + '"\n',
    "a number": f"game = {HUGE}\n",
}

# What would be read or called if a text of a catalogue were handed to `str.format`.
# Texts that would reach into a value if they were formatted: the codes of the errors that refuse each, and what is
# shown to Ann where it is not refused, or where it stands in a game unchecked.
FORMATS: Mapping[str, tuple[set[str], str]] = {
    "{card.__class__}": ({"W301"}, "?"),
    "{0!r}": ({"W114"}, "?"),
    "{me.__init__.__globals__}": ({"W305"}, "?"),
    "{}": ({"W190", "W234"}, "{}"),
    "{0}": (set(), "0"),  # the number of the rules, not the first of what is given
    "{me!r}": ({"W114"}, "?"),
    "{me:>99999999}": ({"W190"}, "?"),
    "{me[0]}": ({"W307"}, "?"),
    "{game.__class__.__mro__[1].__subclasses__}": ({"W301"}, "?"),
    "%(game)s {x!s:{y}}": ({"W234", "W432"}, "%(game)s {x!s:?}"),
    "${me}": (set(), "$Ann"),
    "{{me.__class__}}": ({"W234", "W305"}, "{?}"),
}


def spoilt_files() -> Mapping[str, Callable[[], Mapping[str, str]]]:
    """Every hostile text, as the file of a game that it stands in."""
    found: dict[str, Callable[[], Mapping[str, str]]] = {}
    for file, texts in (
        ("mod.warlock", RULES),
        ("more.toml", TABLES),
        ("cards.csv", SHEETS),
        ("names/fr.toml", CATALOGUES),
    ):
        for name, text in texts.items():
            found[f"{file}: {name}"] = lambda file=file, text=text: {file: text}  # type: ignore[misc]
    found["many rules files"] = lambda: {f"f{n}.warlock": "# x\n" * 50_000 for n in range(8)}
    found["many tables"] = lambda: {f"f{n}.toml": f"[figure.g{n}]\nx = 1\n" for n in range(200)}
    found["many catalogues"] = lambda: {f"names/{a}{b}.toml": "\n" for a in "abcdefgh" for b in "abcdefghijklmnopqrst"}
    return found
