"""Every mistake one can make with an overlay has a golden file: the overlay in a few lines, and what a modder is told.

A golden file of `tests/golden/overlays` is a txtar archive: a sentence about the mistake, the files of the overlays
(`+name/overlay.toml`), files added to the game in `tests/golden/base`, the stack that is asked for (all overlays in
their order, if it is not given), and the whole of what is told. `pytest --accept` rewrites the last part.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.warlock_dsl.test_goldens import BASE, EXPECTED, GOLDEN, Archive, archive, base, inside
from warlock_dsl.diagnostics.codes import codes_of
from warlock_dsl.diagnostics.render import render_text
from warlock_dsl.load import load
from warlock_dsl.ruleset import Loaded

FOLDER = GOLDEN / "overlays"
STACK = "stack"
NAMES = sorted(path.stem for path in FOLDER.glob("*.txtar"))
WARNINGS = {  # no mistake of the overlay
    "W240-edition", "W240-house", "W430-name", "W430-one-language", "W611-default", "W611-parameter", "W618-warns"
}  # fmt: skip


def loaded(found: Archive, folder: Path) -> Loaded:
    """The stack of a golden file, laid out as a modder would: the game in `rules`, the overlays in `variants`."""
    files = {f"rules/{BASE}/{name}": text for name, text in base().items()}
    for name, text in found.given.items():
        if name != STACK:
            home = f"variants/{BASE}/{name[1:]}" if name.startswith("+") else f"rules/{BASE}/{name}"
            files[home] = text
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    overlays = dict.fromkeys(name[1:].partition("/")[0] for name in found.given if name.startswith("+"))
    stack = found.given.get(STACK, "+".join((BASE, *overlays))).strip()
    return load(stack, [folder / "rules"])


def test_every_code_of_overlays_has_a_golden_file() -> None:
    assert {name.partition("-")[0] for name in NAMES} >= set(codes_of("W6"))


@pytest.mark.parametrize("name", NAMES)
def test_what_a_modder_is_told(
    name: str, golden: Callable[[Path, str], None], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)  # folders are named from here
    path = FOLDER / f"{name}.txtar"
    found = archive(path)
    code = name.partition("-")[0]
    assert len(found.comment.strip().splitlines()) == 1, "one sentence says what the mistake is"
    told = loaded(found, tmp_path)
    assert [error.code for error in told.diagnostics] == [code], "one mistake, and nothing that only follows from it"
    assert (told.ruleset is None) == (name not in WARNINGS)
    (error,) = told.diagnostics
    for span in (error.span, *(other.span for other in error.related)):
        inside(span, told.sources)
    if code in ("W606", "W610"):
        places = {error.span.file.partition("/")[0], *(other.span.file.partition("/")[0] for other in error.related)}
        assert len(places) == 2, "both overlays are shown"
    golden(path, found.text(render_text(told.diagnostics, told.sources)))
    assert f"[{code}]: " in archive(path).files[EXPECTED]
