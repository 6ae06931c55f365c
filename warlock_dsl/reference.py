"""The language reference, made from the registry: `python -m warlock_dsl.reference > docs/language.md`."""

from __future__ import annotations

from collections.abc import Iterable

from warlock_dsl.diagnostics.codes import codes_of
from warlock_dsl.primitives import ATTRIBUTES, FORMS, FUNCTIONS, KEYED, TYPES, VALUES, Form, Word
from warlock_dsl.syntax.keywords import RESERVED

INTRODUCTION = """\
# The language

*Made from the registry of primitives by `python -m warlock_dsl.reference`; a test keeps it in step.*

A game is a folder. TOML files own the nouns and the figures (pieces, zones, grids, variables, tables, names);
`.warlock` files own the verbs. Both share one namespace. Behaviour reads like a terse rulebook: indented blocks,
lower-case names, `#` comments, a line goes on only inside brackets, and `warlock fmt` knows the one layout.

Seven ideas carry the rest:

1. `x in S where P` always binds. `choose`, `roll`, `for`, `together`, `[...]` and every fold share it; `S has x` tests.
2. Chance uses the words of choice: `roll` is `choose` by nobody.
3. `T[k]` always looks up.
4. A family of rules is a menu: `rule action[k]` adds a line to it, `choose act in action: action[act]()` offers it.
5. Ask, then act. What a rule asks before its first effect is its *opening*; an option is offered only if the rest of
   the opening can be completed. From this come guards, secret simultaneous choice and "no dead ends".
6. A rule hangs on a rule: `after`, `before`, `instead` are triggers, interrupts and replacements at once.
7. Emptiness instead of null: the top of nothing is nothing, and moving nothing is no error.
"""

RUNNING = """\
## How it runs

- **Numbers** are exact: integers of the smallest unit the ruleset's data and literals need (halves, where a 0.5 stands
  somewhere). There is no division; `divide_up` and `divide_down` give whole shares.
- **A decision** is who is asked, the rule and the name it binds, and the options in source order. Pieces alike in
  every respect the asked player sees, in the same place, are one option. One option and no `may` is no question.
- **The opening** runs to the first effect, loop or `roll`, through calls, and down the branch an `if` takes. `can f(x)`
  asks for it by name.
- **Sets** are listed while there are at most `limits.listed` of them; else they are asked for piece by piece in one
  order, so that each set is reached one way, `stop` being offered wherever the set is good.
- **`together`** asks every seat against the same state, keeps the answers where no observation shows them, and then
  runs the effects seat by seat.
- **Triggers** run when their event is complete, on the stack, with its `me`, and may ask: first `before`, then the body
  or its one `instead`, then `after`; several in file order (files by name, the standard library first).
- **Chance** is a SplitMix64 stream inside the state. The same ruleset, seats, seed and answers give the same game
  everywhere.
- **Bounds**: `limits.depth` calls within calls, `limits.work` steps between two decisions. Whoever reaches one gets a
  error that names the rule.
- **Visibility** is declared by zone (`sees`, `count`, `hidden_by`) and variable (`sees`); what a player observes is
  derived from it.
"""


def reference() -> str:
    """The whole manual as Markdown."""
    parts = [INTRODUCTION]
    for group in ("declarations", "statements", "expressions"):
        parts.append(f"## {group.capitalize()}\n\n" + _forms(form for form in FORMS if form.group == group))
    parts.append("## Types\n\n" + "\n".join(f"- `{name}`: {doc}" for name, doc in TYPES.items()) + "\n")
    parts.append(
        "Every kind of piece and every table is a type of its own; `[T]` is a list of T. Parameters are typed, results"
        " are inferred; a local name never hides another; definitions do not call themselves.\n"
    )
    for title, words in (
        ("Values", VALUES),
        ("Attributes of pieces", ATTRIBUTES),
        ("Functions", FUNCTIONS),
        ("Functions with a key", KEYED),
    ):
        parts.append(f"## {title}\n\n" + _words(words))
    parts.append(RUNNING)
    parts.append("## Reserved words\n\n" + " ".join(f"`{word}`" for word in sorted(RESERVED)) + "\n")
    codes = codes_of("W0", "W1", "W2", "W3", "W4")
    rows = "\n".join(f"| {code} | {title} |" for code, title in codes.items())
    parts.append(f"## Codes of errors\n\n| code | what is wrong |\n|---|---|\n{rows}\n")
    return "\n".join(parts)


def _forms(forms: Iterable[Form]) -> str:
    return "\n".join(f"### `{form.pattern}`\n\n{form.doc}\n\n    {form.example}\n" for form in forms)


def _words(words: Iterable[Word]) -> str:
    return "\n".join(f"### `{word.signature}`\n\n**{word.name}**: {word.doc}\n\n    {word.example}\n" for word in words)


if __name__ == "__main__":
    print(reference(), end="")
