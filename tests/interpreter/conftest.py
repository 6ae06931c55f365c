"""Tests that look inside the states of a game are played on the plain machine, which holds them as plain data."""

from __future__ import annotations

from functools import partial

import pytest

from interpreter.machine import machine_for

INSIDE = {
    *("test_laws", "test_machine", "test_piece_sets", "test_placed_variables", "test_past_in_hooks", "test_redeal"),
    *("test_show", "test_sight_words", "test_stacked_cells", "test_unseen_choice", "test_at_once", "test_give"),
}


@pytest.fixture(autouse=True)
def plain_where_states_are_looked_into(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    if request.module.__name__.rpartition(".")[2] not in INSIDE:
        return
    monkeypatch.setattr("interpreter.game.BACKENDS", ("plain", "vm"))
    if hasattr(request.module, "machine_for"):
        monkeypatch.setattr(request.module, "machine_for", partial(machine_for, backend="plain"))
