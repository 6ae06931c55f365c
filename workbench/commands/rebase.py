"""`warlock rebase`: what an overlay expects of its game and no longer finds, old and new side by side."""

from __future__ import annotations

import difflib
from argparse import ArgumentParser, Namespace
from typing import TYPE_CHECKING

from workbench.support import arguments as shared
from workbench.support.output import put_json, put_text, say
from workbench.support.rulesets import load_named, roots, sound_ruleset

if TYPE_CHECKING:
    from warlock_dsl import Stale
    from workbench.support.rebase import Rebase

EXAMPLES = (
    ("warlock rebase variants/maldorf/truce", "what no longer fits, for an overlay in a folder"),
    ("warlock rebase maldorf+truce --write", "take over what the game has now"),
    ("warlock rebase maldorf+truce --old old/maldorf", "with the replaced rules as they were"),
)
EXIT_CODES = """\
Exit codes: 0 the overlay fits, or fits now that it was written; 1 something is out of date or wrong; 2 there is no
such ruleset, or no overlay in it."""


def add_arguments(parser: ArgumentParser) -> None:
    what = parser.add_argument_group("what to look at")
    shared.add_ruleset(what, about="the folder of an overlay, or a game with overlays, the last of which is looked at")
    shared.add_ruleset(what, "--old", "the stack below as it was, to show the text behind an old digest")
    out = shared.output(parser)
    about = "take over what the game has now; comments and layout stay"
    out.add_argument("--write", action="store_true", help=f"{about} (default: print alone)")


def run(arguments: Namespace) -> int:
    """Print what is out of date; 1 unless nothing is, or all of it was taken over and nothing is wrong."""
    from warlock_dsl import OVERLAY_FILE, Stack
    from workbench.review.subject import top_overlay
    from workbench.support.rebase import data_of, rebase, write_over
    from workbench.support.rulesets import found_texts

    where = roots(arguments)
    stack, _, folder = top_overlay(arguments.ruleset, where)
    use, files = found_texts(str(stack), where).overlays[-1]
    _, below = sound_ruleset(str(Stack(stack.base, stack.uses[:-1])), where)
    old = load_named(arguments.old, where) if arguments.old else None
    found = rebase(below, use, files, old)
    written = bool(arguments.write and found.writable)
    if written:
        write_over(folder / OVERLAY_FILE, found.writable)
    if arguments.json:
        put_json(data_of(found, written))
    else:
        print_rebase(found, written)
    fits = not found.left and (not found.found or (written and not found.by_hand))
    return 0 if fits else 1


def print_rebase(found: Rebase, written: bool) -> None:
    """Every expectation that does not hold, then what else is wrong, and a last line that counts."""
    from warlock_dsl import render_text

    for one in found.found:
        print_stale(one, found)
    if found.left:
        say("once this is taken over the check still says:" if found.writable else "the check says:", "bold")
        put_text(render_text(found.left, found.sources))
    if not found.found and not found.left:
        say(f"{found.overlay} fits {found.below}")
    elif found.found:
        many, left = len(found.writable), len(found.by_hand)
        done = f"{many} written" if written else f"{many} can be taken over with --write"
        by_hand = f", {left} must be looked at by hand" if left else ""
        say(f"{found.overlay} on {found.below}: {len(found.found)} out of date, {done}{by_hand}", "bold")


def print_stale(one: Stale, found: Rebase) -> None:
    """One expectation: where it is written, what it is, what is there now, and what the overlay makes of it."""
    say(f"{one.verb} {one.at}  {one.span.file}:{one.span.line}", "bold")
    if one.verb in ("replace", "drop"):
        _declaration(one, found)
    else:
        say(f"  the overlay expects:  {one.expected}")
        say(f"  the game has now:     {one.found or 'nothing'}")
        if one.makes:
            say(f"  the overlay makes it: {one.makes}")
    say(f"  {one.why}" if one.why else f"  to take it over: {one.write}")
    say("")


def _declaration(one: Stale, found: Rebase) -> None:
    say(f"  the overlay expects the digest {one.expected}, the game has {one.found or 'nothing'}")
    was = found.old_texts.get(one.at)
    if was is not None and not one.text:
        say("  it was:")
        put_text("\n".join(f"    {line}" for line in was.split("\n")))
    elif was is not None:
        say("  what has changed in the game:")
        for line in difflib.ndiff(was.split("\n"), one.text.split("\n")):
            if not line.startswith("?"):
                say(f"    {line}")
    elif one.text:
        place = f" ({one.place.file}:{one.place.line})" if one.place is not None else ""
        say(f"  the game has now{place}:")
        put_text("\n".join(f"    {line}" for line in one.text.split("\n")))
    if one.makes:
        say("  the overlay puts in its place:")
        put_text("\n".join(f"    {line}" for line in one.makes.split("\n")))
