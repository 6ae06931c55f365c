"""The page about adaptors: its examples run, in order, and what is trained there has learned something."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from warlock_rules import adaptors, errors

PAGE = (Path(__file__).parents[2] / "docs" / "adaptors.md").read_text(encoding="utf-8")


def test_the_examples_of_the_page_run() -> None:
    for package in ("pettingzoo", "pyspiel"):
        pytest.importorskip(package, reason=f"{package} is not installed: pip install -e '.[peers]'")
    names: dict[str, Any] = {}
    blocks = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
    for block in blocks:
        exec(compile(block, "docs/adaptors.md", "exec"), names)
    assert len(blocks) == 4 and names["state"].game is not None
    assert names["before"] > 40 and names["after"] < names["before"] / 2


def test_what_is_not_installed_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "workbench.adaptors.pettingzoo_env", None)
    with pytest.raises(errors.UsageError, match=r"PettingZoo is not installed: pip install 'warlock-rules\[peers\]'"):
        adaptors.pettingzoo_env("tic-tac-toe", 2)
