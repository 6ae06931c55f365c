"""The random stream of a game: SplitMix64, one 64-bit integer of state, the same on every machine.

`step` adds 0x9E3779B97F4A7C15 and mixes the sum with two xor-shift-multiplies (Steele, Lea and Flood, 2014). A number
below n is the value modulo n, values past the last whole multiple of n being thrown away, so that it is fair.
"""

from __future__ import annotations

MASK = (1 << 64) - 1
GAMMA = 0x9E3779B97F4A7C15


def seeded(seed: int) -> int:
    """The first state for a seed of any size; sizes beyond 64 bits are folded in word by word."""
    state = 0
    seed = abs(seed) * 2 + (1 if seed < 0 else 0)
    while True:
        state, word = step((state ^ (seed & MASK)) & MASK)
        state ^= word
        seed >>= 64
        if not seed:
            return state


def step(state: int) -> tuple[int, int]:
    """The next state and 64 random bits."""
    state = (state + GAMMA) & MASK
    z = state
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
    return state, z ^ (z >> 31)


def below(state: int, n: int) -> tuple[int, int]:
    """The next state and a fair number from 0 to n - 1."""
    limit = (1 << 64) - (1 << 64) % n
    while True:
        state, word = step(state)
        if word < limit:
            return state, word % n


def shuffled(state: int, items: list[int]) -> tuple[int, list[int]]:
    """The next state and the items in a fair order (Fisher and Yates, from the end)."""
    items = items[:]
    for last in range(len(items) - 1, 0, -1):
        state, other = below(state, last + 1)
        items[last], items[other] = items[other], items[last]
    return state, items
