"""Colours that can be read on a dark and on a light terminal alike: the tint a game asks for, at the one lightness that
stands out from both. Nothing is told by colour alone: what a colour says stands there as a word or a sign, too.
"""

from __future__ import annotations

from colorsys import hls_to_rgb, rgb_to_hls
from functools import lru_cache

from rich.color import Color
from rich.color_triplet import ColorTriplet
from rich.errors import StyleSyntaxError
from rich.style import Style

MIN_RATIO = 4.5  # of text to its ground, as the guidelines for accessible pages have it
MIDDLE = 0.179  # the luminance that is as far from the darkest ground as from the lightest


def luminance(colour: ColorTriplet) -> float:
    """How light a colour is, from 0 to 1."""
    parts = [part / 255 for part in colour]
    red, green, blue = (p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def legibility_ratio(one: ColorTriplet, other: ColorTriplet) -> float:
    """How far two colours stand apart, from 1 to 21."""
    lighter, darker = sorted((luminance(one), luminance(other)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


@lru_cache(maxsize=256)
def style_of(colour: str) -> Style:
    """A style from a game's tables, its colour made legible; what rich does not know is plain."""
    try:
        wanted = Style.parse(colour)
    except StyleSyntaxError:
        return Style()
    plain = Style(bold=wanted.bold, italic=wanted.italic, underline=wanted.underline)
    return plain if wanted.color is None or wanted.color.is_default else plain + Style(color=legible(wanted.color))


def legible(colour: Color) -> Color:
    """The same tint, as light as can be read on both grounds."""
    tint, _, saturation = rgb_to_hls(*(part / 255 for part in colour.get_truecolor()))
    darkest, lightest = 0.0, 1.0
    for _ in range(20):
        middle = (darkest + lightest) / 2
        found = ColorTriplet(*(round(part * 255) for part in hls_to_rgb(tint, middle, saturation)))
        if luminance(found) < MIDDLE:
            darkest = middle
        else:
            lightest = middle
    return Color.from_triplet(found)


QUIET = style_of("grey50")  # what is there, but not what one looks for
TURN = style_of("bold orange3")  # whose turn it is
TOKEN = style_of("bold cyan")  # a marker in front of somebody
CHOSEN = Style(reverse=True, bold=True)  # what the selected option is about; no other style is reversed
STRONG = Style(bold=True)
