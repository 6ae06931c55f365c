"""A folder with more than twenty different mistakes: every one told in one run, each message as a golden file."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from warlock_dsl.diagnostics.render import render_text
from warlock_dsl.load import load

HERE = Path(__file__).parent


def test_every_mistake_of_a_folder_is_told_in_one_run(golden: Callable[[Path, str], None]) -> None:
    loaded = load(str(HERE / "broken"))
    assert loaded.ruleset is None
    assert len({(error.code, error.message) for error in loaded.diagnostics}) == len(loaded.diagnostics)
    assert len({error.code for error in loaded.diagnostics}) >= 18 and len(loaded.diagnostics) >= 20
    golden(HERE / "broken.golden.txt", render_text(loaded.diagnostics, loaded.sources))


def test_an_error_is_told_once_and_not_again_where_it_is_felt() -> None:
    """What a faulty declaration declares is not unknown elsewhere, and what it mentions is not unused."""
    loaded = load(str(HERE / "broken"))
    messages = "\n".join(error.message for error in loaded.diagnostics)
    assert "'bonus'" not in messages, "the series has a misspelt key; it is not unknown as well"
    assert "'turn'" not in messages and "'forever'" not in messages, "their texts could not be read"
    assert "'sell'" not in messages, "only the rule that could not be read may have called it"
