"""Shared by all tests: rulesets loaded once, golden files that `--accept` rewrites."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from tests.building import build_if_stale
from warlock_dsl.load import load
from warlock_dsl.ruleset import Ruleset

# Deterministic examples, and no clock: a slow machine must not fail a test.
settings.register_profile("house", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("house")

_LOADED: dict[str, Ruleset] = {}


@pytest.fixture(scope="session", autouse=True)
def own_cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """What commands keep is kept in a folder of the tests."""
    with pytest.MonkeyPatch.context() as patch:
        for variable in ("XDG_CACHE_HOME", "XDG_STATE_HOME"):
            patch.setenv(variable, str(tmp_path_factory.mktemp("cache")))
        yield


def pytest_configure(config: pytest.Config) -> None:
    if not hasattr(config, "workerinput"):  # once, before any worker begins
        build_if_stale()


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--accept", action="store_true", help="rewrite golden files with what was found")


def ruleset_named(name: str) -> Ruleset:
    if name not in _LOADED:
        loaded = load(name, [Path(__file__).parents[1] / "rules"])
        assert loaded.ruleset is not None, [str(error) for error in loaded.diagnostics]
        _LOADED[name] = loaded.ruleset
    return _LOADED[name]


@pytest.fixture(scope="session")
def maldorf() -> Ruleset:
    return ruleset_named("maldorf")


@pytest.fixture
def golden(request: pytest.FixtureRequest) -> Callable[[Path, str], None]:
    """Compare a text with a golden file."""

    def compare(path: Path, found: str) -> None:
        if request.config.getoption("--accept"):
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(found, encoding="utf-8", newline="\n")
        assert path.exists(), f"{path} is missing; run pytest --accept and read what it writes"
        assert found == path.read_text(encoding="utf-8")

    return compare
