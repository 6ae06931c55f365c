"""Tests that need the C machine are skipped where it could not be built; `tests/house/test_build.py` says whether it
should have been."""

from __future__ import annotations

from importlib.util import find_spec

import pytest

needs_vm = pytest.mark.skipif(find_spec("interpreter.vm._vm") is None, reason="the C machine was not built here")
