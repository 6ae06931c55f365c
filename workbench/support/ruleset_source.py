"""A checked ruleset that can be sent to another process or machine, which need not check it again."""

from __future__ import annotations

import zlib
from collections.abc import Callable
from functools import lru_cache

from attrs import field, frozen

from warlock_dsl import Loaded, Ruleset, pack_ruleset, unpack_ruleset


@frozen
class RulesetSource:
    """A ruleset for a task: sent as data, unpacked once in each process. Equal sources make equal games."""

    name: str
    digest: str
    _made: Ruleset = field(eq=False, repr=False)

    def ruleset(self) -> Ruleset:
        return self._made

    def __reduce__(self) -> tuple[Callable[[str, str, bytes], RulesetSource], tuple[str, str, bytes]]:
        return _received, (self.name, self.digest, _data(self._made))


def source_of(made: Loaded | Ruleset) -> RulesetSource:
    """The source of a ruleset that has no errors."""
    ruleset = made.ruleset if isinstance(made, Loaded) else made
    if ruleset is None:
        raise ValueError("what has errors cannot be played")
    return RulesetSource(ruleset.name, ruleset.digest, ruleset)


@lru_cache(maxsize=64)
def _data(ruleset: Ruleset) -> bytes:
    return zlib.compress(pack_ruleset(ruleset).encode())


def _received(name: str, digest: str, data: bytes) -> RulesetSource:
    return RulesetSource(name, digest, _unpacked(data))


@lru_cache(maxsize=64)
def _unpacked(data: bytes) -> Ruleset:
    return unpack_ruleset(zlib.decompress(data).decode())
