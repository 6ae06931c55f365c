"""Builds the C machine: as a hook of the wheel, and as a script that builds it in place (`python hatch_build.py`).

The hook and the compile step ask the same function which compilers there are, so that they cannot disagree. Where none
is found, Zig's is asked for, if its wheel exists for the platform. Where nothing can be built the wheel is pure, the
plain machine plays, and `interpreter/vm/not_built.txt` says why. `WARLOCK_BUILD` is `auto` (the default), `plain` (ask
for nothing, build nothing) or `require` (fail where it cannot be built).
"""

from __future__ import annotations

import os
import platform
import shlex
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from collections.abc import Iterator, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

ROOT = Path(__file__).resolve().parent
FOLDER = "interpreter/vm"
SOURCES = f"{FOLDER}/c"  # every C file in it is compiled, but for those called so, which only tests build
TEST_ONLY = "fuzz"
MODULE = "_vm"
NOT_BUILT = "not_built.txt"

OLDEST = (3, 11)  # the Python whose limited API is used: one wheel serves it and everything newer
ZIG = "ziglang==0.15.2"
ZIG_WHEELS = {
    "linux": ("x86_64", "aarch64", "i686", "armv7l", "ppc64le", "riscv64", "s390x"),
    "darwin": ("x86_64", "arm64"),
    "win32": ("AMD64", "ARM64", "x86"),
}
FLAGS = ("-std=gnu11", "-O2", "-g0", "-fvisibility=hidden", "-fno-strict-aliasing", "-fwrapv", "-DNDEBUG")
PROBE = "#include <Python.h>\nint probe(void) { return Py_IsInitialized(); }\n"


class NotBuiltError(Exception):
    """Why there is no C machine, in words for the user."""


def wish() -> str:
    """What the environment asks for."""
    found = os.environ.get("WARLOCK_BUILD", "") or "auto"
    if found not in ("auto", "plain", "require"):
        raise SystemExit(f"WARLOCK_BUILD is '{found}': it must be 'auto', 'plain' or 'require'")
    return found


def c_files(root: Path) -> list[Path]:
    """The files that make up the machine; none where there is no C."""
    return sorted(path for path in (root / SOURCES).glob("*.c") if not path.name.startswith(TEST_ONLY))


def limited_api() -> str:
    return f"-DPy_LIMITED_API=0x{OLDEST[0]:02X}{OLDEST[1]:02X}0000"


def shared_flags() -> list[str]:
    """How a module is linked here: never with a path of this machine, which would stay in it."""
    include = sysconfig.get_paths()["include"]
    common = ["-shared", f"-I{include}", limited_api()]
    if sys.platform == "darwin":
        return [*common, "-fPIC", "-undefined", "dynamic_lookup"]
    if sys.platform == "win32":
        return [*common, str(Path(sys.base_prefix) / "libs" / "python3.lib")]
    return [*common, "-fPIC"]


def suffix() -> str:
    return ".pyd" if sys.platform == "win32" else ".abi3.so"


def compile_with(compiler: Sequence[str], sources: Sequence[Path], target: Path) -> None:
    """One command from C to a module; NotBuiltError with what the compiler said."""
    own = shlex.split(os.environ.get("CFLAGS", ""))
    command = [*compiler, *FLAGS, *own, *map(str, sources), *shared_flags(), "-o", str(target)]
    try:
        done = subprocess.run(command, capture_output=True, text=True, errors="replace", timeout=900)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise NotBuiltError(f"{compiler[0]}: {error}") from None
    if done.returncode or not target.exists():
        said = next((line for line in done.stderr.splitlines() if "error" in line), done.stderr.strip()[:200])
        raise NotBuiltError(f"{' '.join(compiler)} failed with exit code {done.returncode}: {said}")


def candidates() -> Iterator[tuple[str, ...]]:
    """The compilers to try, best first: the one that CC names, those of the system, Zig's where it is installed."""
    named = tuple(shlex.split(os.environ.get("CC", "")))
    for command in dict.fromkeys((named, ("cc",), ("gcc",), ("clang",))):
        if command and shutil.which(command[0]):
            yield command
    if find_spec("ziglang") is not None:
        yield (sys.executable, "-m", "ziglang", "cc")


def compilers() -> Iterator[tuple[str, ...]]:
    """Those that really make a module for this Python: a compiler without Python's headers is none."""
    for command in candidates():
        with tempfile.TemporaryDirectory() as folder:
            source = Path(folder) / "probe.c"
            source.write_text(PROBE, encoding="utf-8")
            try:
                compile_with(command, [source], Path(folder) / f"probe{suffix()}")
            except NotBuiltError:
                continue
        yield command


def unfit() -> str:
    """Why this Python cannot have the module, whatever compiler there is; "" where it can."""
    if sys.implementation.name != "cpython":
        return f"{sys.implementation.name} has not the limited API of CPython"
    if sysconfig.get_config_var("Py_GIL_DISABLED"):
        return "this Python has no global lock, and no limited API yet"
    if not (Path(sysconfig.get_paths()["include"]) / "Python.h").exists():
        return "the headers of Python (Python.h) are not installed"
    return ""


def requirements(root: Path) -> list[str]:
    """What a build needs beside hatchling: Zig, only where it would help and can be had."""
    if wish() == "plain" or not c_files(root) or unfit() or next(compilers(), None) is not None:
        return []
    return [ZIG] if platform.machine() in ZIG_WHEELS.get(sys.platform, ()) else []


def build(root: Path, target: Path) -> None:
    """The module from the C files; NotBuiltError with the reason where that cannot be."""
    if wish() == "plain":
        raise NotBuiltError("it was built with WARLOCK_BUILD=plain")
    if why := unfit():
        raise NotBuiltError(why)
    reasons = []
    for compiler in compilers():
        with tempfile.TemporaryDirectory() as folder:
            made = Path(folder) / target.name
            try:
                compile_with(compiler, c_files(root), made)
            except NotBuiltError as error:
                reasons.append(str(error))
                continue
            shutil.copyfile(made, beside := target.with_name(f"{target.name}.{os.getpid()}"))
            beside.replace(target)  # another process may be running the old one
            return
    raise NotBuiltError("; ".join(reasons) or "no C compiler was found that works with this Python")


def build_or_tell(root: Path, folder: Path) -> Path | None:
    """The module in a folder, or a file there that says why it was not built; None where there is no C."""
    module, reason = folder / f"{MODULE}{suffix()}", folder / NOT_BUILT
    if not c_files(root):
        return None
    try:
        build(root, module)
    except NotBuiltError as error:
        module.unlink(missing_ok=True)  # an old one would play instead
        if wish() == "require":
            raise SystemExit(f"the C machine cannot be built: {error}") from None
        reason.write_text(f"{error}\n", encoding="utf-8")
        return reason
    reason.unlink(missing_ok=True)
    return module


def tag() -> str:
    """The tag of a wheel with the module: this platform, every Python from the oldest."""
    where = sysconfig.get_platform().replace("universal2", platform.machine())
    return f"cp{OLDEST[0]}{OLDEST[1]}-abi3-{where.replace('-', '_').replace('.', '_')}"


class CustomBuildHook(BuildHookInterface):  # type: ignore[type-arg]
    """What hatchling calls when it makes a wheel; an editable one gets the module in place."""

    def dependencies(self) -> list[str]:
        return requirements(Path(self.root))

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        root = Path(self.root)
        self.made = Path(tempfile.mkdtemp())
        built = build_or_tell(root, root / FOLDER if version == "editable" else self.made)
        if built is None:
            return
        if version != "editable":
            build_data["force_include"][str(built)] = f"{FOLDER}/{built.name}"
        if built.name == NOT_BUILT:
            self.app.display_warning(f"the C machine was not built: {built.read_text(encoding='utf-8').strip()}")
        else:
            build_data["pure_python"] = False
            build_data["tag"] = tag()

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        shutil.rmtree(self.made, ignore_errors=True)


def main() -> int:
    """Build in place; exit code 1 where that cannot be."""
    built = build_or_tell(ROOT, ROOT / FOLDER)
    if built is None:
        print(f"there are no C files in {SOURCES}")
        return 0
    if built.name == NOT_BUILT:
        print(f"not built: {built.read_text(encoding='utf-8').strip()}", file=sys.stderr)
        return 1
    print(f"{built.relative_to(ROOT)} built")
    return 0


if __name__ == "__main__":
    sys.exit(main())
