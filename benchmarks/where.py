"""Where the time of generated code goes: the stack is looked at every few milliseconds of processor time.

A sample counts for the innermost function that has a purpose of its own; what serves many purposes (adding up, looking
for a piece in a list) counts for whoever called it. Functions written in C count for the line that calls them.
"""

from __future__ import annotations

import signal
from collections import Counter
from time import process_time
from types import FrameType

from attrs import define, field

from benchmarks.lanes.ours import find
from benchmarks.table import markdown

EVERY = 0.002  # seconds between two samples; the system may make it longer

GUARDS = "guards: may this be chosen, does it lead on"
SETS = "sets: which of many pieces may be given together"
ASKING = "asking: who is asked, the list of options"
MOVES = "moves: pieces lifted and laid down"
CHANCE = "random numbers of the game: shuffles, rolls"
RULES = "rules carried out between two questions"
TAKING = "answers taken"
SCORES = "scores"
START = "starting a game"
LOOP = "the loop: to the next stretch, an answer drawn"
OTHER = "elsewhere"

# By the beginning of a generated function's name.
GENERATED = {
    "can_": GUARDS, "kin_": SETS, "pool_": SETS, "leads_": SETS, "bounds_": SETS, "fits_": SETS,
    "ask_": ASKING, "score_": SCORES,
}  # fmt: skip
# By file and function; a file without one stands for all of its functions. The first that fits counts.
WRITTEN = [
    ("random.py", "", CHANCE), ("moves.py", "", MOVES),
    ("runtime.py", "next_random", CHANCE),
    ("sets.py", "", SETS), ("set_asking.py", "", SETS), ("guards.py", "", GUARDS),
    ("questions.py", "take", TAKING), ("questions.py", "completes", GUARDS), ("questions.py", "leads_on", GUARDS),
    ("questions.py", "", ASKING), ("machine.py", "start", START), ("machine.py", "park", ASKING),
    ("machine.py", "seats", ASKING),
    ("machine.py", "completes", GUARDS), ("machine.py", "can", GUARDS), ("machine.py", "roll", CHANCE),
    ("machine.py", "several", CHANCE), ("generated.py", "onward", GUARDS), ("generated.py", "can_call", GUARDS),
    ("generated.py", "value_leads_on", GUARDS), ("generated.py", "split", ASKING),
    ("generated.py", "names_on", ASKING), ("generated.py", "run", LOOP), ("generated.py", "play_out_here", LOOP),
]  # fmt: skip


def purpose(stack: list[tuple[str, str]]) -> str:
    """What a stack is about: files and functions, the innermost first."""
    for file, name in stack:
        if name.startswith(("<", "the_")):
            continue  # a list or a loop within the function around it; a definition, which serves whoever asks for it
        if file.startswith("<generated"):
            found = [group for prefix, group in GENERATED.items() if name.startswith(prefix)]
            return found[0] if found else RULES
        for where, which, group in WRITTEN:
            if file.rpartition("/")[2] == where and which in ("", name):
                return group
    return OTHER


@define
class Sampler:
    """Looks at the stack whenever the alarm goes off, and winds it up again only then: it never runs into itself."""

    counts: Counter[str] = field(factory=Counter)
    on: bool = True

    def look(self, _: int, frame: FrameType | None) -> None:
        stack = []
        while frame is not None:
            stack.append((frame.f_code.co_filename, frame.f_code.co_name))
            frame = frame.f_back
        self.counts[purpose(stack)] += 1
        if self.on:
            signal.setitimer(signal.ITIMER_PROF, EVERY)


def profile(game: str, seconds: float) -> Counter[str]:
    """Samples by purpose, of whole random games by generated code."""
    play = find("python", "generated", game)
    assert play is not None
    play(0, 5)
    sampler, first = Sampler(), 5
    before = signal.signal(signal.SIGPROF, sampler.look)
    signal.setitimer(signal.ITIMER_PROF, EVERY)
    end = process_time() + seconds
    try:
        while process_time() < end:
            play(first, 1)
            first += 1
    finally:
        sampler.on = False
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)
    return sampler.counts


def shares(games: list[str], seconds: float) -> str:
    """The share of each purpose, in per cent, a column for each game."""
    found = [profile(game, seconds) for game in games]
    rows = []
    for group in sorted({g for counts in found for g in counts}, key=lambda g: -found[0][g]):
        rows.append([group, *(f"{100 * counts[group] / counts.total():.1f}" for counts in found)])
    rows.append(["samples", *(f"{counts.total():,}" for counts in found)])
    return markdown(["share of the time, %", *(game.replace(":", ", ") for game in games)], rows)
