"""The C machine is built with the package, or the package says why not: `hatch_build.py` on a small checkout."""

from __future__ import annotations

import importlib.util
import os
import shutil
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path
from typing import Any

import pytest

from tests.building import BUILD, build_if_stale

ROOT = Path(__file__).parents[2]

C_MODULE = """
#include <Python.h>
static PyObject *answer(PyObject *self, PyObject *none) { return PyLong_FromLong(42); }
static PyMethodDef methods[] = {{"answer", answer, METH_NOARGS, ""}, {NULL, NULL, 0, NULL}};
static PyModuleDef_Slot slots[] = {{0, NULL}};
static struct PyModuleDef module = {PyModuleDef_HEAD_INIT, "_vm", "", 0, methods, slots, NULL, NULL, NULL};
PyMODINIT_FUNC PyInit__vm(void) { return PyModuleDef_Init(&module); }
"""


needs_compiler = pytest.mark.skipif(next(BUILD.compilers(), None) is None, reason="no C compiler is installed")


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A project with our build files, four nearly empty packages and a C module that takes a moment to compile."""
    root = tmp_path / "checkout"
    (root / "interpreter" / "vm" / "c").mkdir(parents=True)
    for package in ("warlock_rules", "warlock_dsl", "interpreter", "interpreter/vm", "workbench"):
        (root / package).mkdir(exist_ok=True)
        (root / package / "__init__.py").write_text('__version__ = "1.0"\n', encoding="utf-8")
    for folder in ("rules", "variants", "docs"):
        (root / folder).mkdir()
        (root / folder / "a.toml").touch()
    for name in ("hatch_build.py", "pyproject.toml", ".gitignore"):
        shutil.copy(ROOT / name, root)
    (root / "README.md").touch()
    (root / "interpreter" / "vm" / "c" / "core.c").write_text(C_MODULE, encoding="utf-8")
    (root / "interpreter" / "vm" / "c" / "fuzz.c").write_text("#error only tests build this\n", encoding="utf-8")
    return root


@pytest.fixture
def broken(tmp_path: Path) -> dict[str, str]:
    """An environment whose compilers all fail."""
    folder = tmp_path / "bin"
    folder.mkdir()
    for name in ("cc", "gcc", "clang"):
        (folder / name).write_text("#!/bin/sh\necho 'error: no' >&2\nexit 1\n", encoding="utf-8")
        (folder / name).chmod(0o755)
    return {"PATH": f"{folder}{os.pathsep}{Path('/bin')}", "CC": str(folder / "cc")}


def call(root: Path, function: str, folder: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    """A function of the build backend as pip calls it: in the checkout, in a process of its own."""
    argument = "" if function.startswith("get_requires") else repr(str(folder))
    code = f"import hatchling.build as backend; print(backend.{function}({argument}))"
    clean = {key: value for key, value in os.environ.items() if key not in ("CC", "CFLAGS", "WARLOCK_BUILD")}
    return subprocess.run(
        [sys.executable, "-c", code], cwd=root, env={**clean, **environment}, capture_output=True, text=True
    )


def built(root: Path, **environment: str) -> Path:
    """The wheel of a checkout."""
    folder = root.parent / "dist"
    done = call(root, "build_wheel", folder, **environment)
    assert done.returncode == 0, done.stderr
    (wheel,) = folder.glob("*.whl")
    return wheel


def names(wheel: Path) -> set[str]:
    with zipfile.ZipFile(wheel) as archive:
        return set(archive.namelist())


def reason(wheel: Path) -> str:
    with zipfile.ZipFile(wheel) as archive:
        return archive.read("interpreter/vm/not_built.txt").decode()


@needs_compiler
def test_a_compiler_makes_one_wheel_for_every_python(checkout: Path, tmp_path: Path) -> None:
    wheel = built(checkout)
    assert "-cp311-abi3-" in wheel.name and "any" not in wheel.name
    assert not any("/c/" in name or name.endswith("not_built.txt") for name in names(wheel))
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(tmp_path / "site")
    code = "from interpreter.vm import _vm; print(_vm.answer(), _vm.__file__)"
    environment = {**os.environ, "PYTHONPATH": str(tmp_path / "site")}
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, env=environment, capture_output=True, text=True)
    assert done.stdout.startswith(f"42 {tmp_path / 'site'}"), done.stderr
    assert not list((checkout / "interpreter" / "vm").glob("_vm*")), "a wheel leaves nothing in the checkout"


@needs_compiler
def test_the_module_remembers_no_path_of_this_machine(checkout: Path) -> None:
    with zipfile.ZipFile(built(checkout)) as archive:
        module = archive.read(f"interpreter/vm/_vm{BUILD.suffix()}")
    for path in (checkout, Path(sys.prefix), Path(sys.base_prefix)):
        assert str(path).encode() not in module, "a RUNPATH, or a name of a file"


def test_a_compiler_that_fails_makes_a_pure_wheel_that_says_so(checkout: Path, broken: dict[str, str]) -> None:
    wheel = built(checkout, **broken)
    assert wheel.name.endswith("-py3-none-any.whl")
    assert "no C compiler was found" in reason(wheel)


@needs_compiler
def test_c_that_does_not_compile_makes_a_pure_wheel_with_its_error(checkout: Path) -> None:
    (checkout / "interpreter" / "vm" / "c" / "core.c").write_text("#error planted\n", encoding="utf-8")
    wheel = built(checkout)
    assert wheel.name.endswith("-py3-none-any.whl")
    assert "planted" in reason(wheel)


@needs_compiler
def test_a_broken_cc_does_not_hide_a_good_compiler(checkout: Path, broken: dict[str, str]) -> None:
    assert "-abi3-" in built(checkout, CC=broken["CC"]).name


def test_plain_builds_nothing_and_asks_for_nothing(checkout: Path, broken: dict[str, str]) -> None:
    wheel = built(checkout, WARLOCK_BUILD="plain")
    assert wheel.name.endswith("-py3-none-any.whl")
    assert "WARLOCK_BUILD=plain" in reason(wheel)
    assert call(checkout, "get_requires_for_build_wheel", checkout, WARLOCK_BUILD="plain", **broken).stdout == "[]\n"


def test_zig_is_asked_for_only_where_it_helps_and_can_be_had(
    checkout: Path, broken: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for function in ("get_requires_for_build_wheel", "get_requires_for_build_editable"):
        assert BUILD.ZIG in call(checkout, function, checkout, **broken).stdout
    monkeypatch.setattr(BUILD, "compilers", lambda: iter(()))
    assert BUILD.requirements(checkout) == [BUILD.ZIG]
    for name, value in (("ZIG_WHEELS", {}), ("unfit", lambda: "no headers"), ("compilers", lambda: iter([("cc",)]))):
        with monkeypatch.context() as patch:
            patch.setattr(BUILD, name, value)
            assert BUILD.requirements(checkout) == [], name
    shutil.rmtree(checkout / "interpreter" / "vm" / "c")
    assert BUILD.requirements(checkout) == []


@needs_compiler
def test_a_compiler_that_is_there_asks_for_nothing(checkout: Path) -> None:
    assert call(checkout, "get_requires_for_build_wheel", checkout).stdout == "[]\n"


def test_require_fails_where_nothing_can_be_built(checkout: Path, broken: dict[str, str]) -> None:
    done = call(checkout, "build_wheel", checkout.parent / "dist", WARLOCK_BUILD="require", **broken)
    assert done.returncode != 0 and "cannot be built" in done.stderr


def test_an_unknown_wish_is_refused(checkout: Path) -> None:
    done = call(checkout, "build_wheel", checkout.parent / "dist", WARLOCK_BUILD="fast")
    assert done.returncode != 0 and "'fast'" in done.stderr


def editable(root: Path, monkeypatch: pytest.MonkeyPatch, wish: str) -> dict[str, Any]:
    """What the hook says to hatchling for an editable install; the rest of it needs a package that is not installed."""
    monkeypatch.setenv("WARLOCK_BUILD", wish)
    data: dict[str, Any] = {"force_include": {}}
    made = BUILD.CustomBuildHook(str(root), {}, None, None, "", "wheel")
    made.initialize("editable", data)
    made.finalize("editable", data, "")
    return data


@needs_compiler
def test_an_editable_install_builds_in_place_and_plain_takes_it_away(
    checkout: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    module = checkout / "interpreter" / "vm" / f"_vm{BUILD.suffix()}"
    assert editable(checkout, monkeypatch, "")["tag"] == BUILD.tag()
    assert module.exists()
    assert "tag" not in editable(checkout, monkeypatch, "plain")
    assert not module.exists()
    assert (module.parent / "not_built.txt").exists()
    monkeypatch.delenv("WARLOCK_BUILD")
    script = [sys.executable, "hatch_build.py"]
    subprocess.run(script, cwd=checkout, check=True, capture_output=True)
    assert module.exists() and not (module.parent / "not_built.txt").exists()
    assert f"interpreter/vm/{module.name}" in names(built(checkout)), "once, though it lies there as well"
    assert f"interpreter/vm/{module.name}" not in names(built_plain(checkout))


def built_plain(root: Path) -> Path:
    shutil.rmtree(root.parent / "dist")
    return built(root, WARLOCK_BUILD="plain")


@needs_compiler
def test_a_source_distribution_has_what_it_is_built_from(checkout: Path, tmp_path: Path) -> None:
    folder = checkout.parent / "dist"
    assert call(checkout, "build_sdist", folder).returncode == 0
    (archive,) = folder.glob("*.tar.gz")
    with tarfile.open(archive) as packed:
        packed.extractall(tmp_path / "from", filter="data")
    (root,) = (tmp_path / "from").iterdir()
    assert (root / "interpreter" / "vm" / "c" / "fuzz.c").exists()
    assert "-abi3-" in built(root).name


@needs_compiler
def test_this_checkout_is_built(checkout: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A compiler is here, so the machine must be; what is older than its C is built anew."""
    if BUILD.c_files(ROOT):
        assert importlib.util.find_spec("interpreter.vm._vm") is not None, "python hatch_build.py"
    monkeypatch.setattr("tests.building.ROOT", checkout)
    module = checkout / "interpreter" / "vm" / f"_vm{BUILD.suffix()}"
    build_if_stale()
    first = module.stat().st_mtime_ns
    build_if_stale()
    assert module.stat().st_mtime_ns == first
    os.utime(checkout / "interpreter" / "vm" / "c" / "core.c", ns=(first + 10**9, first + 10**9))
    build_if_stale()
    assert module.stat().st_mtime_ns > first


def test_without_c_the_hook_does_nothing(checkout: Path) -> None:
    shutil.rmtree(checkout / "interpreter" / "vm" / "c")
    wheel = built(checkout)
    assert wheel.name.endswith("-py3-none-any.whl")
    assert not any(name.endswith("not_built.txt") for name in names(wheel))
