"""`warlock show` on a stack: what hangs on a rule, and every address that a change takes."""

from __future__ import annotations

import json

import pytest

from warlock_dsl.load import load
from warlock_dsl.overlay.addresses import addresses, value_at
from workbench.cli import main
from workbench.commands.show import open_book
from workbench.inspect.provenance import at_address


def shown(capsys: pytest.CaptureFixture[str], *call: str) -> str:
    assert main(["show", *call]) == 0
    return capsys.readouterr().out


def test_what_hangs_on_a_rule_is_listed_in_order_with_its_overlay(capsys: pytest.CaptureFixture[str]) -> None:
    out = shown(capsys, "maldorf+omens+truce", "day").splitlines()
    start = out.index("  what hangs on it, in this order:")
    assert out[start + 1 : start + 3] == [
        "    before: read_omen (overlay omens)  omens/omens.warlock:3",
        "    before: sunrise (overlay truce)  truce/truce.warlock:5",
    ]
    out = shown(capsys, "warlock-1980+forfeit", "take_positions")
    assert "    before: pay_forfeit (overlay forfeit), on a condition  forfeit/forfeit.warlock:5\n" in out
    out = shown(capsys, "goblin-warlord+slow_masons", "pay")
    assert out.index("before: invariant.building_is_allowed") < out.index("after: count_works (overlay slow_masons)")
    assert "what hangs on it" not in shown(capsys, "maldorf", "day")
    (found,) = json.loads(shown(capsys, "maldorf+omens+truce", "day", "--json"))["definitions"]
    assert [(one["when"], one["address"], one["overlay"]) for one in found["hooks"]] == [
        ("before", "read_omen", "omens"),
        ("before", "sunrise", "truce"),
    ]


@pytest.mark.parametrize(
    ("address", "lines"),
    [
        ("figure.limit.gift", ["figure limit.gift, printed  game.toml:104", "  value: 2"]),
        (
            "table.race.rows.giant.majority",
            ["cell of a table race.giant.majority, printed  game.toml:13", "  value: 6"],
        ),
        ("zone.hand.sees", ["value zone.hand.sees  game.toml:54", "  value: owner"]),
        ("variable.player.bid", ["variable variable.bid, printed  game.toml:72", "  type: number"]),
        ("variable.player.bid.sees", ["value variable.player.bid.sees  game.toml:72", "  value: all"]),
        ("human_series.beyond", ["value human_series.beyond  game.toml:79", "  value: last"]),
        ("grid.fields.regions.board", ["value grid.fields.regions.board  game.toml:38", "  value: b"]),
        ("kind.dragon.count", ["value kind.dragon.count  game.toml:26", "  value: 15"]),
        ("game.players", ["value game.players  game.toml:3", "  value: 3..5"]),
        ("look.race.giant.colour", ["value look.race.giant.colour  game.toml:132", "  value: blue"]),
        ("race.majority", ["column race.majority  game.toml:10", "  type: number", "  6: giant, wizard"]),
    ],
)
def test_an_address_of_a_change_is_shown(address: str, lines: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert shown(capsys, "maldorf", address).splitlines()[: len(lines)] == lines


@pytest.mark.parametrize("name", ["maldorf+fr", "goblin-warlord", "warlock-1980", "connect-four"])
def test_every_address_that_a_change_takes_is_shown(name: str) -> None:
    loaded = load(name)
    assert loaded.ruleset is not None and loaded.final is not None
    book = open_book(loaded.ruleset, loaded)
    own = {entry.address for entry in book.entries}
    wanted = [one for one in addresses(loaded.final.tree) if value_at(loaded.final.tree, one) is not None]
    assert len(wanted) > 10
    for address in wanted:
        assert address in own or at_address(address, book.entries, loaded, loaded.ruleset), address


def test_a_value_that_an_overlay_changed_says_so(capsys: pytest.CaptureFixture[str]) -> None:
    out = shown(capsys, "maldorf+open_hands", "zone.hand.sees")
    assert "put there by +open_hands" in out
    assert main(["show", "maldorf", "zone.hand.seen"]) == 2
