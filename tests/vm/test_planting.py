"""A mistake in any instruction or primitive of the fast machine is found by random rulesets."""

from __future__ import annotations

import pytest

from tests.random_rules.lockstep import Plan
from tests.random_rules.planting import found_within
from tests.vm.needs import needs_vm
from tests.vm.planting import PLANTED, missing, sound_machine

pytestmark = needs_vm
PLAN = Plan(work=True, log=False, max_decisions=10, every=3, play_out=10)
SOON = ("ADD", "LT", "JMP", "MOVE", "CHANGE", "ASK", "PRIM", "BLOCK", "primitive first")  # in nearly every case


def test_every_opcode_and_primitive_has_a_mistake() -> None:
    assert not missing()


def test_mistakes_are_found() -> None:
    plants = {name: PLANTED[name] for name in SOON}
    assert set(found_within(plants, range(12), PLAN, without=sound_machine)) == set(SOON)


@pytest.mark.long
def test_every_mistake_is_found_within_five_thousand_cases() -> None:
    found = found_within(PLANTED, range(5000), PLAN, without=sound_machine)
    assert not set(PLANTED) - set(found)
