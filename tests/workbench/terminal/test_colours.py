"""Colours can be read on black and on white, and nothing is told by colour alone."""

from __future__ import annotations

from pathlib import Path

import pytest
from rich.color import Color, ColorSystem
from rich.color_triplet import ColorTriplet
from rich.style import Style

from tests.conftest import ruleset_named
from workbench.terminal import colours
from workbench.terminal.colours import MIN_RATIO, QUIET, TOKEN, TURN, legibility_ratio, legible, style_of

BLACK, WHITE = ColorTriplet(0, 0, 0), ColorTriplet(255, 255, 255)
GAMES = sorted(path.parent.name for path in (Path(__file__).parents[3] / "rules").glob("*/game.toml"))


def least(colour: Color) -> float:
    """The contrast to the ground that is worse."""
    return min(legibility_ratio(colour.get_truecolor(), ground) for ground in (BLACK, WHITE))


def styles() -> dict[str, Style]:
    found = {name: value for name, value in vars(colours).items() if isinstance(value, Style)}
    for game in GAMES:
        for address, look in ruleset_named(game).components.looks.items():
            found[f"{game} {address}"] = style_of(look.get("colour", ""))
    return found


def test_every_colour_of_the_workbench_and_the_games() -> None:
    coloured = {name: style.color for name, style in styles().items() if style.color is not None}
    assert len(coloured) > 20 and {"QUIET", "TURN", "TOKEN"} <= coloured.keys()
    assert not {name: colour for name, colour in coloured.items() if least(colour) < MIN_RATIO}
    in_256 = {name: colour.downgrade(ColorSystem.EIGHT_BIT) for name, colour in coloured.items()}
    assert not {name: colour for name, colour in in_256.items() if least(colour) < 3}


@pytest.mark.parametrize("colour", ["yellow", "blue", "bright_white", "#0000aa"])
def test_the_check_finds_what_cannot_be_read(colour: str) -> None:
    plain = Style.parse(colour).color
    assert plain is not None and least(plain) < MIN_RATIO <= least(legible(plain))


def test_hues_stay_apart_and_what_nobody_knows_is_plain() -> None:
    found = {style_of(hue).color for hue in ("red", "green", "blue", "yellow", "magenta", "cyan")}
    assert len(found) == 6
    assert style_of("no such colour") == Style() and style_of("bold").bold and style_of("bold").color is None
    assert QUIET.color != TURN.color != TOKEN.color


def test_contrast_as_the_guidelines_have_it() -> None:
    assert legibility_ratio(BLACK, WHITE) == legibility_ratio(WHITE, BLACK) == pytest.approx(21)
    assert legibility_ratio(ColorTriplet(119, 119, 119), WHITE) == pytest.approx(4.48, abs=0.01)
