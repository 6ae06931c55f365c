"""A review at the terminal: one screen with a mark for each part, and below it what there is to look at."""

from __future__ import annotations

from workbench.review.model import LOOK, NOT_RUN, OK, TITLES, WRONG, Review
from workbench.support.output import say

STYLES = {OK: "green", LOOK: "yellow", WRONG: "bold red", NOT_RUN: "dim"}


def tell_review(review: Review) -> None:
    """The marks, the lines of the parts that are not ok, and a last line with the verdict."""
    say(f"{review.ruleset}, compared with {review.base}", "bold")
    if review.about:
        say(review.about)
    say("")
    width = max(map(len, TITLES.values()))
    for part in review.parts:
        say(f"{part.mark:7}  {part.title:{width}}  {part.says}", STYLES[part.mark])
    for part in review.parts:
        if part.shown:
            say(f"\n{part.title}:", "bold")
            for line in part.lines:
                say(f"  {line}" if line else "")
    say(f"\n{review.verdict}; seed {review.seed}, {review.games} games", STYLES[review.mark])
