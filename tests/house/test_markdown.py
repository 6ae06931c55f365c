"""The manual: links lead somewhere, lines are short enough to read and to compare, pictures are small."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))]
CODE = re.compile(r"^```.*?^```$|^    .*?$|`[^`]*`", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\]\((?!https?:|#)([^)#]+)(?:#[^)]*)?\)")
MAX_LENGTH = 119
LONGER = {  # pages that are not wrapped, and why
    "api.md": "is being rewritten",
    "decisions.md": "grows by its end; old entries stay as they were written",
    "language.md": "generated, a line a paragraph",
}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page: Path) -> None:
    links = LINK.findall(CODE.sub("", page.read_text(encoding="utf-8")))
    assert [link for link in links if not (page.parent / link).exists()] == []


@pytest.mark.parametrize("page", [page for page in PAGES if page.name not in LONGER], ids=lambda page: page.name)
def test_lines_are_short(page: Path) -> None:
    """Tables that a program printed may be wider: a row cannot be wrapped."""
    text = re.sub(r"<!-- printed by.*?<!-- end of", "", page.read_text(encoding="utf-8"), flags=re.DOTALL)
    assert [line for line in text.splitlines() if len(line) > MAX_LENGTH] == []


def test_pictures_are_small() -> None:
    pictures = sorted((ROOT / "docs" / "pictures").glob("*.png"))
    studio = ["studio-compare", "studio-lab", "studio"]
    names = ["auction", "diff", "editor-fix", "editor", "explain", "play", "replay", *studio, "why"]
    assert [picture.name for picture in pictures] == [f"{name}.png" for name in names]
    assert all(picture.stat().st_size < 300_000 for picture in pictures)
