"""Slips of language that a reader stumbles over, looked for in every catalogue that is shipped."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
SEATS = ("me", "player", "players", "rival", "target")  # names of people, which no case changes
BEFORE_SIGN = re.compile("[ \u00a0][?:;!]|[^\\s\u202f?!.:/][?;!]|« |«\u00a0|[ \u00a0]»")
DATIVE = re.compile(r"\bmit \{([a-z_]+)\}")


def french_slips(text: str) -> list[str]:
    """High signs without a narrow no-break space before them."""
    return BEFORE_SIGN.findall(text)


def german_slips(text: str) -> list[str]:
    """A preposition that asks for the dative before a name that the catalogue has in the nominative."""
    return [name for name in DATIVE.findall(text) if name not in SEATS]


def texts(lang: str) -> Iterator[tuple[str, str]]:
    paths = [path for folder in ("rules", "variants") for path in (ROOT / folder).rglob(f"names/{lang}.toml")]
    for path in [*paths, ROOT / "workbench" / "language" / "locale" / f"{lang}.toml"]:
        for key, value in flat(tomllib.loads(path.read_text(encoding="utf-8"))):
            yield f"{path.relative_to(ROOT)} {key}", value


def flat(table: dict[str, object], before: str = "") -> Iterator[tuple[str, str]]:
    for key, value in table.items():
        if isinstance(value, dict):
            yield from flat(value, f"{before}{key}.")
        elif isinstance(value, str):
            yield f"{before}{key}", value


def test_french_signs_have_their_space() -> None:
    found = [(key, text) for key, text in texts("fr") if not key.endswith(" keys") and french_slips(text)]
    assert not found


def test_german_names_are_not_bent() -> None:
    assert not [(key, text) for key, text in texts("de") if german_slips(text)]


@pytest.mark.parametrize("text", ["Quoi ?", "Quoi\u00a0?", "Quoi?", "oui ; non", "ajouter : {item}", "« oui »"])
def test_a_french_slip_is_found(text: str) -> None:
    assert french_slips(text) and not french_slips("Quoi\u202f? oui\u202f; «\u202fnon\u202f»")


def test_a_german_slip_is_found() -> None:
    assert german_slips("mit {ward} abwehren") and not german_slips("mit {rival} tauschen")
