"""Games without end: after how few answers is it certain, as far as trying shows, that no end comes any more?"""

from __future__ import annotations

from attrs import evolve

from warlock_dsl import Ruleset
from workbench.fuzz.bots import GuidedBot
from workbench.fuzz.playthrough import Playthrough, Watch
from workbench.transcripts.transcript import Transcript

TRIED = 3  # games played on from a place before it is said that none comes to an end
SHARE = 6  # how much shorter than the longest game those may be


def shortest_nontermination(ruleset: Ruleset, transcript: Transcript, max_length: int) -> tuple[Transcript, int]:
    """The shortest beginning of a course from which no game that was tried came to an end, and how many were tried."""
    low, high, tries = 0, len(transcript.moves), 0
    while low < high:
        middle = 0 if not tries else (low + high) // 2  # most often it is the whole game that has no end
        place = evolve(transcript, moves=transcript.moves[:middle])
        tries += TRIED
        if any(_ends(ruleset, place, max_length // SHARE, number) for number in range(TRIED)):
            low = middle + 1
        else:
            high = middle
    return evolve(transcript, moves=transcript.moves[:high]), tries


def _ends(ruleset: Ruleset, transcript: Transcript, max_length: int, number: int) -> bool:
    """Whether one game from there ends within a number of further decisions."""
    watch = Watch(hidden=0, trips=0, max_length=len(transcript.moves) + max_length)
    walk = Playthrough(ruleset, transcript.players, transcript.seed, watch)
    bot = GuidedBot(ruleset, ("even", "curious", "whims")[number % 3], number, {})
    ahead = list(reversed(transcript.moves))
    while (game := walk.standing) is not None:
        keys = [option.key for option in game.options()]
        key = ahead.pop().key if ahead else None
        walk.choose(keys.index(key) if key in keys else bot.pick(game))
    return walk.violation is None or walk.violation.law != "ends"
