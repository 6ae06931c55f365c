"""Overlays: stacks and their names, parameters, what may be changed and how, who collides, and hostile ones."""

from __future__ import annotations

import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
import tomli_w
from hypothesis import given, settings
from hypothesis import strategies as st

from interpreter import Game
from tests.warlock_dsl.test_goldens import base
from warlock_dsl.diagnostics.diagnostic import Severity
from warlock_dsl.files import available_overlays, find_overlay, stack_of
from warlock_dsl.load import load, load_files
from warlock_dsl.overlay.apply_where import MAX_PICKING
from warlock_dsl.overlay.read import MAX_EDITS, declaration_address, declaration_digest
from warlock_dsl.ruleset import Loaded
from warlock_dsl.stack import Stack, Use, parse_stack
from warlock_dsl.syntax.parse import parse

DIGESTS = {
    declaration_address(d): declaration_digest(d)
    for d in parse(base()["rules.warlock"], "rules.warlock")[0].declarations
}


def text(document: Mapping[str, Any], **head: object) -> str:
    return tomli_w.dumps({"overlay": {"on": "base", "about": "a test", **head}, **document})


def change(at: str, was: object, now: object, **more: object) -> dict[str, Any]:
    return {"change": [{"at": at, "was": was, "now": now, **more}]}


def laid_on(*overlays: Mapping[str, str], given: Mapping[str, str] | None = None, **files: str) -> Loaded:
    """The base game with these overlays, called one, two, three."""
    uses = [Use(name, given or {}) for name in ("one", "two", "three")]
    stack = list(zip(uses, overlays, strict=False))
    return load_files({**base(), **files}, "base", (), stack)


def codes(loaded: Loaded, severity: Severity = Severity.ERROR) -> list[str]:
    return [error.code for error in loaded.diagnostics if error.severity is severity]


def figure(loaded: Loaded, group: str, name: str) -> object:
    assert loaded.ruleset is not None, [error.message for error in loaded.diagnostics]
    return loaded.ruleset.components.figures[group, name].value


# ---------------------------------------------------------------------- stacks


@pytest.mark.parametrize(
    ("name", "stack"),
    [
        ("game", Stack("game")),
        ("game+a", Stack("game", (Use("a"),))),
        (" game + a + b ", Stack("game", (Use("a"), Use("b")))),
        ("game+a(x=1)+b", Stack("game", (Use("a", {"x": "1"}), Use("b")))),
        ("game+a( x = 1 , y = red )", Stack("game", (Use("a", {"x": "1", "y": "red"}),))),
        ("./my game+../other", Stack("./my game", (Use("../other"),))),
    ],
)
def test_the_name_of_a_stack(name: str, stack: Stack) -> None:
    assert parse_stack(name) == stack
    assert parse_stack(str(stack)) == stack


@pytest.mark.parametrize(
    "name", ["game+", "game+a(", "game+a)b", "game+a(1)", "game+a(x=1,x=2)", "game+a(x==2)", "g" * 3000]
)
def test_what_is_no_name_of_a_stack(name: str) -> None:
    assert isinstance(parse_stack(name), str)


@given(st.text(max_size=60))
def test_any_text_is_a_stack_or_told(name: str) -> None:
    found = parse_stack(name)
    assert isinstance(found, str) or parse_stack(str(found)) == found


def test_the_hash_names_the_stack_and_its_parameters() -> None:
    head = {"overlay": {"on": "base", "about": "a test", "parameters": {"cards": {"is": 3}}}}
    one = {"overlay.toml": tomli_w.dumps({**head, **change("size.hand", 2, "{cards}")})}
    two = {"overlay.toml": text(change("kind.token.count", 8, 9))}
    stacks = [laid_on(), laid_on(one), laid_on(two), laid_on(one, two), laid_on(one, given={"cards": "4"})]
    hashes = [found.ruleset.hash for found in stacks if found.ruleset is not None]
    assert len(set(hashes)) == len(stacks)
    again = laid_on(one, two).ruleset
    assert again is not None and again.hash == hashes[3] and again.name == "base+one+two"
    assert load_files(base(), "base").ruleset.hash == hashes[0]  # type: ignore[union-attr]


def test_where_overlays_are_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    home = tmp_path / "rules" / "base"
    home.mkdir(parents=True)
    for name, content in base().items():
        (home / name).write_text(content, encoding="utf-8")
    for place, hand in (("variants", 3), ("work/variants", 4), ("c++/drafts", 5)):
        folder = tmp_path / place / ("base/more" if "drafts" not in place else "more")
        folder.mkdir(parents=True)
        (folder / "overlay.toml").write_text(text(change("size.hand", 2, hand)), encoding="utf-8")
    roots = [tmp_path / "rules"]
    (tmp_path / "empty").mkdir()
    monkeypatch.chdir(tmp_path / "empty")
    assert figure(load("base+more", roots), "size", "hand") == 3  # beside the rules
    assert [found.name for found in available_overlays("base", roots)] == ["more"]
    monkeypatch.chdir(tmp_path / "work")
    assert find_overlay("base", "more", None) == tmp_path / "work" / "variants" / "base" / "more"
    assert figure(load("base+../variants/base/more", roots), "size", "hand") == 3  # by its path
    assert stack_of(tmp_path / "variants" / "base" / "more") == f"base+{tmp_path / 'variants' / 'base' / 'more'}"
    (tmp_path / "a+b").mkdir()
    (tmp_path / "rules").rename(tmp_path / "a+b" / "rules")
    assert load(str(tmp_path / "a+b" / "rules" / "base")).ruleset is not None  # a plus in a path is no stack


# ------------------------------------------------------------------ parameters


@pytest.mark.parametrize(
    ("parameter", "given", "value"),
    [
        ({"is": 3}, "4", 4),
        ({"is": 3}, "-2", -2),
        ({"is": 3}, "2.5", 2.5),
        ({"is": 0.5, "range": "0..1"}, "0.25", 0.25),
        ({"is": True}, "false", False),
        ({"is": "red", "type": "colour"}, "blue", 1),
    ],
)
def test_a_parameter_is_a_figure_of_the_overlay(parameter: dict[str, Any], given: str, value: object) -> None:
    overlay = {
        "overlay.toml": text({}, parameters={"x": parameter}),
        "rules.warlock": "invariant told = one.x is one.x\n",
    }
    assert figure(laid_on(overlay, given={"x": given}), "one", "x") == value


@pytest.mark.parametrize(
    ("parameter", "given"),
    [
        ({"is": 3}, "four"),
        ({"is": 3}, ""),
        ({"is": 3}, "9" * 40),
        ({"is": 3, "range": "1..4"}, "5"),
        ({"is": 3, "range": "1..4"}, "0.5"),
        ({"is": True}, "yes"),
        ({"is": "red", "type": "colour"}, "r e d"),
    ],
)
def test_a_parameter_that_is_given_wrong(parameter: dict[str, Any], given: str) -> None:
    overlay = {"overlay.toml": text({}, parameters={"x": parameter}), "rules.warlock": "invariant a = one.x is one.x\n"}
    assert codes(laid_on(overlay, given={"x": given})) == ["W607"]


@pytest.mark.parametrize("value", [[1], {"a": 1}, float("nan")])
def test_a_parameter_is_a_number_a_truth_or_a_word(value: object) -> None:
    overlay = {"overlay.toml": text({}, parameters={"x": {"is": value}}), "rules.warlock": "score a = one.x\n"}
    assert codes(laid_on(overlay)) == ["W603"]


def test_a_parameter_inside_of_what_is_added() -> None:
    now = {"is": ["{low}", 9], "beyond": "last"}
    overlay = {
        "overlay.toml": text({"add": [{"at": "series.steps", "now": now}]}, parameters={"low": {"is": 4}}),
        "rules.warlock": "score steps = steps[1]\n",
    }
    ruleset = laid_on(overlay, given={"low": "7"}).ruleset
    assert ruleset is not None and ruleset.components.series["steps"].values == (7, 9)


# --------------------------------------------------------------------- changes


def test_what_a_layer_did_is_remembered() -> None:
    overlay = {
        "overlay.toml": text(
            {
                **change("size.hand", 2, 3, printed="hand: three"),
                "remove": [{"at": "r1"}],
                "replace": {"score.points": DIGESTS["score.points"]},
            },
            kind="edition",
            language="fr",
        ),
        "rules.warlock": "score points = 2 * my.points\n",
    }
    ruleset = laid_on(overlay).ruleset
    assert ruleset is not None and ruleset.language == "fr"
    (layer,) = ruleset.layers
    assert (layer.name, layer.about, layer.kind) == ("one", "a test", "edition")
    told = [(one.target, one.was, one.now, one.span.file) for one in layer.changes]
    assert told == [
        ("size.hand", "2", "3", "+one/overlay.toml"),
        ("r1", "r1,red,1", "", "+one/overlay.toml"),
        ("score.points", "score points = my.points", "score points = 2 * my.points", "+one/rules.warlock"),
    ]
    assert [id for cite in layer.changes[0].cites for id in cite.ids] == ["hand"]


def test_the_order_of_what_is_added() -> None:
    overlay = {
        "overlay.toml": text(
            {
                "add": [
                    {"at": "zone.side", "now": {"holds": "token"}, "before": "hand"},
                    {"at": "r0", "now": {"colour": "red", "value": 0}, "before": "r1"},
                    {"at": "b5", "now": {"colour": "blue", "value": 5}},
                    {"at": "variable.player.luck", "now": "number", "before": "points"},
                ]
            }
        ),
        "rules.warlock": "score luck = my.luck + count(side)\n",
    }
    found = laid_on(overlay)
    ruleset = found.ruleset
    assert ruleset is not None, [error.message for error in found.diagnostics]
    assert list(ruleset.components.zones) == ["deck", "pool", "side", "hand", "board"]
    assert [name for owner, name in ruleset.components.variables if owner == "player"] == ["luck", "points"]
    pieces = ruleset.components.kinds["card"].pieces
    assert (pieces[0], pieces[1], pieces[-1]) == ("r0", "r1", "b5")


def test_hooks_run_in_the_order_the_overlay_wants() -> None:
    """Whoever comes last settles the leader."""
    rules = "rule late after laid(card): set leader to me\n\nrule early after laid(card): set leader to next(me)\n"
    for before, last in (({}, "early"), ({"early": "late"}, "late"), ({"late": ""}, "late")):
        ruleset = laid_on({"overlay.toml": text({"before": before}), "rules.warlock": rules}).ruleset
        assert ruleset is not None
        hooks = next(rule for rule in ruleset.program.rules if rule.address == "laid").hooks
        assert [ruleset.program.rules[hook.rule].address for hook in hooks if hook.rule >= 0][-1] == last
        assert not Game.start(ruleset, 2, 0).over


def test_a_dropped_rule_takes_its_texts_along_but_a_stray_text_is_told() -> None:
    needed = [error.message.split("'")[1] for error in laid_on(**{"names/en.toml": 'game = "A game"\n'}).diagnostics]
    names = "".join(f'"{key}" = "text"\n' for key in ("game", *needed))
    assert codes(laid_on(**{"names/en.toml": names})) == []
    without = {"overlay.toml": text({"drop": {"gift": DIGESTS["gift"]}})}
    assert codes(laid_on(without, **{"names/en.toml": names})) == []
    stray = {**without, "names/en.toml": '"ask.gift.field" = "Where to?"\n'}
    assert codes(laid_on(stray, **{"names/en.toml": names})) == ["W431"]


def test_checking_goes_on_past_a_wrong_digest() -> None:
    one = {"overlay.toml": text({"replace": {"score.points": "00000000"}}), "r.warlock": "score points = my.piont\n"}
    assert codes(laid_on(one)) == ["W614", "W305"]
    gone = {"overlay.toml": text({"drop": {"gift": "00000000"}}), "r.warlock": "rule more after gift(card): pass\n"}
    assert codes(laid_on(gone)) == ["W614"], "that the rule is missing follows from it"


def test_a_warning_goes_when_another_overlay_mends_it() -> None:
    odd = {"overlay.toml": text(change("size.hand", 2, 3, warns="three is odd"))}
    mended = {"overlay.toml": text(change("size.hand", 3, 4), builds_on=["one"])}
    other = {"overlay.toml": text(change("kind.token.count", 8, 9))}
    assert codes(laid_on(odd), Severity.WARNING) == ["W618"]
    assert codes(laid_on(odd, other), Severity.WARNING) == ["W618"]
    assert codes(laid_on(odd, mended), Severity.WARNING) == []


# ------------------------------------------------------------------ collisions

CLASHES = [
    (change("size.hand", 2, 3), change("figure.size.hand", 2, 4)),
    (change("zone.hand.sees", "owner", "all"), {"remove": [{"at": "zone.hand"}]}),
    ({"remove": [{"at": "zone.hand"}]}, change("zone.hand.sees", "owner", "all")),
    (change("r1.value", 1, 2), {"remove": [{"at": "r1"}]}),
    ({"remove": [{"at": "r1"}]}, change("r1.value", 1, 2)),
    (change("r1.value", 1, 2), change("r1.value", 1, 3)),
    ({"add": [{"at": "r9", "now": {"colour": "red", "value": 9}}]},) * 2,
    ({"add": [{"at": "figure.extra.one", "now": {"is": 1, "idle": "test"}}]},) * 2,
    ({"drop": {"gift": DIGESTS["gift"]}},) * 2,
    ({"before": {"gift": "laid"}},) * 2,
]


@pytest.mark.parametrize(("one", "two"), CLASHES)
def test_two_overlays_on_one_thing(one: dict[str, Any], two: dict[str, Any]) -> None:
    told = laid_on({"overlay.toml": text(one)}, {"overlay.toml": text(two)})
    assert codes(told)[0] == "W610"
    error = next(error for error in told.diagnostics if error.code == "W610")
    assert error.span.file == "+two/overlay.toml" and error.related[0].span.file == "+one/overlay.toml"


@pytest.mark.parametrize(
    ("one", "two"),
    [
        (change("zone.hand.sees", "owner", "all"), change("zone.deck.sees", "none", "all")),
        (change("r1.value", 1, 2), change("r1.colour", "red", "blue")),
        (change("r1.value", 1, 2), {"remove": [{"at": "r2"}]}),
        (change("grid.square.cells", ["..", ".."], ["...", "..."]), change("grid.square.slots", False, True)),
    ],
)
def test_neighbours_do_not_collide(one: dict[str, Any], two: dict[str, Any]) -> None:
    assert codes(laid_on({"overlay.toml": text(one)}, {"overlay.toml": text(two)})) == []


def test_whoever_builds_on_another_may_change_it_again() -> None:
    one = {"overlay.toml": text({**change("size.hand", 2, 3), "drop": {"gift": DIGESTS["gift"]}})}
    two = {
        "overlay.toml": text(change("size.hand", 3, 4), builds_on=["one"]),
        "rules.warlock": "rule gift after laid(card): add 1 to my.points\n",
    }
    three = {"overlay.toml": text(change("size.hand", 4, 1), builds_on=["two"])}
    assert figure(laid_on(one, two), "size", "hand") == 4
    assert figure(laid_on(one, two, three), "size", "hand") == 1
    skipping = {"overlay.toml": text(change("size.hand", 4, 1), builds_on=["one"])}
    assert codes(laid_on(one, two, skipping)) == ["W610"]


def test_one_mistake_is_told_once() -> None:
    """An overlay that cannot be read is not missed by those that need it, nor blamed for what it would have done."""
    broken = {"overlay.toml": "[overlay]\non = 3\n"}
    needs = {"overlay.toml": text(change("kind.token.count", 8, 9), requires=["one"])}
    assert set(codes(laid_on(broken, needs))) == {"W603"}
    other = {"overlay.toml": text(change("nothing.here", 1, 2)).replace('"base"', '"chess"')}
    assert codes(laid_on(other)) == ["W604"]


# --------------------------------------------------------------------- hostile

VALUES = st.recursive(
    st.one_of(st.booleans(), st.integers(-9, 9), st.floats(), st.text(max_size=6), st.dates()),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(st.text(max_size=5), inner, max_size=3)),
    max_leaves=6,
)
ADDRESSES = st.one_of(
    st.sampled_from(["size.hand", "zone.hand", "r1", "r1.value", "names.en.game", "look.x", "game.players", ".", ""]),
    st.text(max_size=12),
)
EDITS = st.lists(
    st.fixed_dictionaries({"at": ADDRESSES}, optional={"was": VALUES, "now": VALUES, "before": ADDRESSES}), max_size=3
)
TABLES = st.dictionaries(ADDRESSES, st.text(max_size=8), max_size=2)
DOCUMENTS = st.fixed_dictionaries(
    {"overlay": st.just({"on": "base", "about": "noise"})},
    optional={"change": EDITS, "add": EDITS, "remove": EDITS, "replace": TABLES, "drop": TABLES, "before": TABLES},
)


@settings(max_examples=80)
@given(DOCUMENTS)
def test_no_overlay_is_a_traceback(document: dict[str, Any]) -> None:
    told = laid_on({"overlay.toml": tomli_w.dumps(document), "rules.warlock": "score luck = 1\n"})
    assert told.ruleset is not None or codes(told)


@pytest.mark.parametrize(
    "files",
    [
        {"overlay.toml": "\0\x01"},
        {"overlay.toml": "[" * 5000},
        {"overlay.toml": "overlay = 3\n"},
        {"overlay.toml": text({"change": {"at": "x"}})},
        {"overlay.toml": text({"change": [3]})},
        {"overlay.toml": text({"change": [{"at": "size.hand", "was": 2, "now": 3}] * (MAX_EDITS + 1)})},
        {"overlay.toml": text({}, parameters={"x": {"is": 1, "range": "1.2.3..4"}})},
        {"overlay.toml": text({}, parameters=3)},
        {"overlay.toml": text({}), "rules.warlock": "rule rule rule\n"},
        {"overlay.toml": text({}), "names/en.toml": "\0"},
        {},
    ],
)
def test_a_hostile_overlay_is_told_soon(files: dict[str, str]) -> None:
    began = time.perf_counter()
    assert codes(laid_on(files))
    assert time.perf_counter() - began < 20


def test_many_rows_are_added_soon() -> None:
    rows = [{"at": f"x{n}", "now": {"colour": "red", "value": n % 9}, "before": "r2"} for n in range(1000)]
    began = time.perf_counter()
    assert laid_on({"overlay.toml": text({"add": rows})}).ruleset is not None
    assert time.perf_counter() - began < 20


def test_a_base_with_errors_of_its_own() -> None:
    for more in ("figure = 3\n", "[zone]\nhand = 3\n", "[kind]\ncard = 1\n"):
        told = laid_on({"overlay.toml": text(change("size.hand", 2, 3))}, **{"more.toml": more})
        assert told.ruleset is None and codes(told)


# ---------------------------------------------------------------- many rows at once

SHADES = """
[table.shade]
columns = { depth = "number", warm = "truth" }
rows = { pale = { depth = 1, warm = false }, rich = { depth = { is = 2, range = "1..9" }, warm = true } }
"""


def spread(*changes: tuple[str, dict[str, object], object, object]) -> dict[str, str]:
    """By address: what an overlay with these changes made of it."""
    edits = [{"at": at, "where": where, "was": was, "now": now} for at, where, was, now in changes]
    tables = {"shades.toml": SHADES, "shades.warlock": "invariant shades = all(s in shade: s.depth > 0 or s.warm)\n"}
    loaded = laid_on({"overlay.toml": text({"change": edits})}, **tables)
    assert loaded.ruleset is not None, [error.message for error in loaded.diagnostics]
    return {one.target: one.now for one in loaded.ruleset.layers[0].changes}


def test_a_change_of_many_pieces() -> None:
    assert spread(("card.value", {"value": 2}, 2, 7)) == {"r2.value": "7", "b2.value": "7"}
    assert spread(("card.value", {"value": 2, "colour": "red"}, 2, 7)) == {"r2.value": "7"}


def test_all_changes_look_at_the_rows_as_the_overlay_finds_them() -> None:
    """Every red card is worth one more: what the first change made 2 is not caught by the second."""
    changes = [("card.value", {"colour": "red", "value": n}, n, n + 1) for n in (1, 2, 3, 4)]
    assert spread(*changes) == {"r1.value": "2", "r2.value": "3", "r3.value": "4", "r4.value": "5"}


def test_a_change_of_many_rows_of_a_table() -> None:
    assert spread(("shade.depth", {"warm": True}, 2, 5)) == {"shade.rich.depth": "5"}
    assert spread(("shade.warm", {"depth": 2}, True, False)) == {"shade.rich.warm": "false"}


def test_many_rows_and_one_of_them_collide() -> None:
    """In either order: a row that is picked by what another overlay changed would be picked or left by chance."""
    many = {"overlay.toml": text(change("card.value", 2, 7, where={"value": 2}))}
    alone = {"overlay.toml": text(change("b2.value", 2, 3))}
    for stack in ((many, alone), (alone, many)):
        assert codes(laid_on(*stack)) == ["W610"]
    other = {"overlay.toml": text(change("b1.value", 1, 6))}
    assert codes(laid_on(many, other)) == [] and codes(laid_on(other, many)) == ["W610"]
    aware = {"overlay.toml": text(change("card.value", 2, 7, where={"value": 2}), builds_on=["one"])}
    assert codes(laid_on(alone, aware)) == []


def test_an_overlay_that_picks_without_end_is_refused() -> None:
    edits = [{"at": "card.value", "where": {"value": 1}, "was": 1, "now": 2}] * (MAX_PICKING + 1)
    assert codes(laid_on({"overlay.toml": text({"change": edits})})) == ["W603"]
