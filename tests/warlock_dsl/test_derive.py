"""What turns one ruleset into another: found by address, written as an overlay, and exactly the other when laid on."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
import tomli_w
from attrs import field, frozen
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from interpreter import Game, PlayError
from interpreter.state import random as chance
from warlock_dsl.diagnostics.diagnostic import Severity
from warlock_dsl.files import read_folder
from warlock_dsl.load import load_files
from warlock_dsl.overlay.derive import anchors, built_on, derive, graft, in_order, overlay_files
from warlock_dsl.overlay.read import declaration_address, declaration_digest
from warlock_dsl.ruleset import Loaded, Ruleset
from warlock_dsl.stack import Use
from warlock_dsl.syntax.parse import parse

TINY = Path(__file__).parents[1] / "workbench" / "data" / "tiny"
FILES = {name: text for name, text in read_folder(TINY)[0].items() if name not in ("names/de.toml", "names/fr.toml")}
DIGESTS = {
    declaration_address(d): declaration_digest(d)
    for d in parse(FILES["rules.warlock"], "rules.warlock")[0].declarations
}


@frozen
class Atom:
    """A small change that stands on its own: edits, rules, replacements, drops, order, names."""

    edits: Sequence[tuple[str, Mapping[str, Any]]] = ()
    rules: str = ""
    replace: tuple[str, ...] = ()
    drop: tuple[str, ...] = ()
    before: Mapping[str, str] = field(factory=dict)
    names: Mapping[str, str] = field(factory=dict)


def change(at: str, was: object, now: object) -> Atom:
    return Atom([("change", {"at": at, "was": was, "now": now})])


def edit(verb: str, at: str, drop: tuple[str, ...] = (), called: str = "", **more: object) -> Atom:
    return Atom([(verb, {"at": at, **more})], drop=drop, names={called: "new"} if called else {})


def without(at: str, *texts: str) -> Atom:
    return Atom([("remove", {"at": f"names.en.{key}"}) for key in texts], drop=(at,))


CONSERVED = ("invariant.conserved",)
ATOMS: Mapping[str, Atom] = {
    "figure": change("size.hand", 4, 3),
    "figure in full": change("figure.size.rounds", 2, 1),
    "range": change("figure.size.hand.range", "2..5", "1..5"),
    "no range": edit("remove", "figure.size.hand.range"),
    "new figure": edit("add", "figure.extra.one", now={"is": 1.5, "idle": "for the test"}),
    "cell": change("colour.red.worth", 0.5, 1.25),
    "row": edit("add", "colour.violet", called="colour.violet", now={"worth": 3}),
    "row before": edit("add", "colour.white", called="colour.white", now={"worth": 3}, before="blue"),
    "zone": change("zone.hand.sees", "owner", "all"),
    "zone not said": change("zone.purse.count", "all", "owner"),
    "new zone": edit("add", "zone.side", called="zone.side", now={"holds": "card", "each": "player"}),
    "new zone before": edit("add", "zone.first", called="zone.first", now={"holds": "token"}, before="heap"),
    "variable": change("variable.player.bonus.first", 0, 1),
    "bare variable": change("variable.player.called.sees", "all", "owner"),
    "new variable": edit("add", "variable.player.luck", called="variable.luck", now="0..9"),
    "new variable before": edit(
        "add", "variable.player.fate", called="variable.fate", now={"type": "truth"}, before="bonus"
    ),
    "variable of a piece": edit("add", "variable.card.tired", called="variable.tired", now={"type": "truth"}),
    "piece": change("k01.points", 1, 3),
    "no piece": edit("remove", "k07", CONSERVED),
    "last piece gone": edit("remove", "k18", CONSERVED),
    "new piece": edit("add", "k99", CONSERVED, now={"colour": "red", "points": 9}),
    "new piece before": edit("add", "k03x", CONSERVED, now={"colour": "red", "points": 9}, before="k04"),
    "players": change("game.players", "2..3", "2..4"),
    "count": change("kind.token.count", 4, 6),
    "die": edit("add", "die.coin", now={"of": "colour", "faces": {"red": 1, "blue": 1}}),
    "series": edit("add", "series.steps", now={"is": [1, 2, 4], "beyond": "last"}),
    "look": change("look.colour.red.short", "Re", "R"),
    "no look": edit("remove", "look.kind.token"),
    "name": Atom(names={"action.sell": "trade cards in", "score.cards": "laid out"}),
    "no name": edit("remove", "names.en.choose.action.place.field"),
    "hook": Atom(rules="rule cheer after placed(card): add 1 to my.bonus\n"),
    "hook before": Atom(rules="rule hail after placed(card): add 2 to my.bonus\n", before={"hail": "gift"}),
    "replaced": Atom(rules="score bonus = my.bonus + 2 * count(my.purse)\n", replace=("score.bonus",)),
    "dropped": without("action.dig", "action.dig", "ask.action.dig.field"),
    "dropped hook": without("gift", "ask.gift.other", "decline.gift.other"),
    "new key": Atom(rules="rule action[rest]:\n    add 0.5 to my.bonus\n", names={"action.rest": "rest"}),
    "new key before": Atom(
        rules="rule action[wait]:\n    pass\n", before={"action.wait": "action.sell"}, names={"action.wait": "wait"}
    ),
    "order": Atom(before={"action.fetch": "action.place"}),
    "last": Atom(before={"action.place": ""}),
}


def overlay(names: Sequence[str]) -> dict[str, str]:
    """The files of an overlay made of these atoms."""
    atoms = [ATOMS[name] for name in names]
    document: dict[str, Any] = {"overlay": {"on": "tiny", "about": "a test"}}
    for atom in atoms:
        for verb, one in atom.edits:
            document.setdefault(verb, []).append(dict(one))
        for verb, addresses in (("replace", atom.replace), ("drop", atom.drop)):
            document.setdefault(verb, {}).update({at: DIGESTS[at] for at in addresses})
        document.setdefault("before", {}).update(atom.before)
    texts = {key: text for atom in atoms for key, text in atom.names.items()}
    files = {"overlay.toml": tomli_w.dumps(document), "rules.warlock": "\n".join(atom.rules for atom in atoms)}
    return files | ({"names/en.toml": tomli_w.dumps(texts)} if texts else {})


def tiny(*stack: Sequence[str]) -> Loaded:
    uses = [(Use(f"o{number}"), overlay(names)) for number, names in enumerate(stack) if names]
    return load_files(FILES, "tiny", (), uses)


def errors(loaded: Loaded) -> list[str]:
    return [f"{d.code} {d.message}" for d in loaded.diagnostics if d.severity is Severity.ERROR]


def game_of(ruleset: Ruleset, players: int, seed: int) -> Iterator[str]:
    """A game of random answers, by the name of every state it comes to: order and numbering included."""
    game = Game.start(ruleset, players, seed)
    dice = chance.seeded(seed + 1)
    while not game.over:
        yield game.digest()
        dice, pick = chance.below(dice, game.option_count)
        try:
            game.choose(pick)
        except PlayError as error:
            yield error.message
            return
    yield game.digest()


def assert_turns_into(a: Loaded, b: Loaded) -> None:
    units = derive(a, b)
    again = graft(a, units) if units else a
    assert again.ruleset is not None and b.ruleset is not None, errors(again)
    assert derive(again, b) == () and derive(b, again) == ()
    assert list(game_of(again.ruleset, 3, 5)) == list(game_of(b.ruleset, 3, 5))
    files = overlay_files(units, a.name, "own", "builds on no more than it must", built_on(a, units))
    own = load_files(a.base, a.name, (), (*a.stack, (Use("own"), files)))
    assert not units or own.ruleset is not None, errors(own)


# ----------------------------------------------------------------------- atoms


@pytest.mark.parametrize("name", ATOMS)
def test_each_change_is_found_undone_and_small(name: str) -> None:
    base, changed, atom = tiny(), tiny([name]), ATOMS[name]
    assert changed.ruleset is not None, errors(changed)
    rules = 1 if atom.rules else len(atom.before)
    assert len(derive(base, changed)) == len(atom.edits) + len(atom.drop) + len(atom.names) + rules
    assert_turns_into(base, changed)
    assert_turns_into(changed, base)


@settings(max_examples=30)
@given(st.lists(st.lists(st.sampled_from(sorted(ATOMS)), unique=True, max_size=5), min_size=2, max_size=2))
@example([["no piece", "new piece before"], ["last piece gone", "piece"]])
@example([["order", "hook before"], ["last", "new key before"]])
@example([["dropped", "dropped hook"], ["hook", "order", "last"]])
@example([["row", "row before"], ["new zone", "new zone before"]])
@example([["range"], ["no range", "figure"]])
def test_any_two_rulesets_turn_into_each_other(pair: list[list[str]]) -> None:
    a, b = (tiny(names) for names in pair)
    assume(a.ruleset is not None and b.ruleset is not None)
    assert_turns_into(a, b)


@settings(max_examples=12)
@given(st.lists(st.sampled_from(sorted(ATOMS)), unique=True, min_size=2, max_size=4))
def test_stacks_turn_into_each_other_and_order_counts(names: list[str]) -> None:
    upper, lower = names[::2], names[1::2]
    a, b = tiny(lower, upper), tiny(upper, lower)
    assume(a.ruleset is not None and b.ruleset is not None)
    assert_turns_into(a, b)


def test_most_overlays_of_the_property_can_be_played() -> None:
    """What is drawn above must be worth drawing: any single atom loads, and so do most pairs."""
    names = sorted(ATOMS)
    pairs = [(one, other) for one, other in zip(names, names[7:] + names[:7], strict=True)]
    assert sum(tiny(pair).ruleset is not None for pair in pairs) > 0.8 * len(pairs)


# ------------------------------------------------------------------- small parts


def test_what_stays_where_it_is() -> None:
    assert in_order("abcde", "abxcde") == set("abcde")
    assert in_order("abcde", "eabcd") == set("abcd")
    assert in_order("", "abc") == set()
    assert anchors("xaybz", set("ab")) == {"x": "a", "a": "b", "y": "b", "b": "", "z": ""}


def test_marks_comments_and_layout_are_no_difference() -> None:
    rules = FILES["rules.warlock"].replace('@printed "order"\n', "# another remark\n")
    hand = 'hand = { is = 4, range = "2..5", printed = "hands" }'
    tables = FILES["game.toml"].replace(hand, 'hand = { range = "2..5", is = 4 }')
    assert tables != FILES["game.toml"]
    other = load_files({**FILES, "rules.warlock": rules, "game.toml": tables}, "tiny")
    assert derive(tiny(), other) == ()


def test_a_copied_and_edited_game_becomes_an_overlay() -> None:
    tables = FILES["game.toml"].replace("rounds = { is = 2", "rounds = { is = 3")
    rules = FILES["rules.warlock"].replace("rule action[dig]:\n    require any(deck)\n", "rule action[dig]:\n")
    fork = load_files({**FILES, "game.toml": tables, "rules.warlock": rules}, "fork")
    assert [(unit.verb, unit.target) for unit in derive(tiny(), fork)] == [
        ("change", "size.rounds"),
        ("replace", "action.dig"),
    ]
    assert_turns_into(tiny(), fork)


def test_an_overlay_builds_on_what_it_changes_again_and_on_nothing_else() -> None:
    a = tiny(["figure"], ["hook"], ["no piece"], ["new zone"])
    assert built_on(a, derive(a, tiny(["hook"], ["no piece"], ["new zone"]))) == ["o0"]
    assert built_on(a, derive(a, tiny(["figure"], ["no piece"], ["new zone"]))) == ["o1"]
    assert built_on(a, derive(a, tiny(["figure"], ["hook"], ["new zone"]))) == ["o2"]
    assert built_on(a, derive(a, tiny(["figure"], ["hook"], ["no piece"]))) == ["o3"]
    assert built_on(a, derive(a, tiny(["figure"], ["hook"], ["no piece"], ["new zone", "name"]))) == []


def test_numbers_are_written_exactly() -> None:
    long = "0.1234567890123456789012345678901"
    tables = FILES["game.toml"].replace("red = { worth = { is = 0.5", f"red = {{ worth = {{ is = {long}")
    files = overlay_files(derive(tiny(), load_files({**FILES, "game.toml": tables}, "tiny")), "tiny", "x", "")
    assert f"now = {long}\n" in files["overlay.toml"] and "was = 0.5\n" in files["overlay.toml"]


def test_sources_go_along() -> None:
    head = '[overlay]\non = "tiny"\nabout = "a test"\n[[change]]\nat = "size.hand"\nwas = 4\nnow = 3\n'
    files = {"overlay.toml": head + 'printed = "hands: three"\n'}
    changed = load_files(FILES, "tiny", (), [(Use("o0"), files)])
    (unit,) = derive(tiny(), changed)
    assert unit.ids == ("hands",)
    assert 'printed = "hands: three"' in overlay_files([unit], "tiny", "x", "")["overlay.toml"]
