"""The build script of the C machine, as a module; and the machine built in place when its C is newer."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType

ROOT = Path(__file__).parents[1]


def build_script() -> ModuleType:
    spec = importlib.util.spec_from_file_location("hatch_build", ROOT / "hatch_build.py")
    assert spec is not None and spec.loader is not None
    found = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(found)
    return found


BUILD = build_script()


def build_if_stale() -> None:
    """Tests run on the C that is there, not on what was built from it before."""
    folder = ROOT / BUILD.FOLDER
    made = [path for path in (folder / f"{BUILD.MODULE}{BUILD.suffix()}", folder / BUILD.NOT_BUILT) if path.exists()]
    sources = [path for ending in ("c", "h") for path in (ROOT / BUILD.SOURCES).glob(f"*.{ending}")]
    sources.append(ROOT / "hatch_build.py")
    if not made or max(path.stat().st_mtime for path in sources) > made[0].stat().st_mtime:
        BUILD.build_or_tell(ROOT, folder)
