"""Finding rules folders and reading their files. The only part of the language that reads rules from a disk."""

from __future__ import annotations

import hashlib
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from attrs import frozen

from warlock_dsl.diagnostics.diagnostic import Diagnostic, Span
from warlock_dsl.limits import MAX_FILE_BYTES
from warlock_dsl.stack import is_plain_name

STANDARD = "std"  # the folder of rules that belong to every game
OTHERS = (STANDARD, "names", "scenarios")  # folders with rules or tables in them that are no game
RULES, OVERLAYS = "rules", "variants"  # the folders of games and of overlays on them
MAX_FILES = 200
MAX_TOTAL = 3_000_000
_SUFFIXES = (".toml", ".warlock", ".csv")


@frozen
class FoundRuleset:
    """A folder of rules: the name it is asked for by, and where it is."""

    name: str
    path: Path


# ---------------------------------------------------------------- where to look


def shipped(what: str = "rules") -> Path:
    """The folder that comes with the package: inside it when installed, beside it in a checkout."""
    package = Path(__file__).resolve().parent
    inside = package / "shipped" / what
    return inside if inside.is_dir() else package.parent / what


def is_shipped(folder: Path) -> bool:
    """Whether a folder is part of what comes with the package."""
    return any(_real(folder).is_relative_to(_real(shipped(what))) for what in ("rules", "variants"))


def rules_roots(folder: Path) -> list[Path]:
    """The folders of rulesets that a person means by one: itself, or the one in it, or beside it where it is the one of
    overlays; those are looked for beside the folder of the rulesets."""
    if folder.name == OVERLAYS and not _is_folder(folder / OVERLAYS):
        return [folder.parent / RULES]
    inner = [folder / name for name in (RULES, OVERLAYS)]
    if not any(_is_folder(one) and not _holds_rules(one) for one in inner):
        return [folder]
    games = any(_holds_rules(child) for child in _children(folder) if child not in inner)
    return [folder / RULES, folder] if games else [folder / RULES]


def searched(folders: Sequence[Path]) -> str:
    """The folders that were looked into, as a sentence of a hint names them."""
    here = _real(Path.cwd())
    shown = []
    for folder in map(_real, folders):
        own = folder.relative_to(here) if folder.is_relative_to(here) else folder
        shown.append("what is shipped" if is_shipped(folder) else f"{own.as_posix()}/")
    return f"looked in {', '.join(dict.fromkeys(shown))}" if shown else ""


def default_roots(given: Sequence[Path] = (), what: str = "rules") -> list[Path]:
    """Where rules are looked for, first to last: the given folders, the current folder's own, what is shipped."""
    roots = [*given, Path.cwd() / what, shipped(what)]
    unique = {_real(root): root for root in reversed(roots)}
    return [root for root in roots if unique.get(_real(root)) is root]


def find_ruleset(name: str, roots: Sequence[Path] | None = None) -> Path | None:
    """The folder of a ruleset, by its name in one of the roots or by its path; None if there is none."""
    if not name or "\0" in name:
        return None
    if "/" in name or "\\" in name or name in (".", ".."):
        try:
            path = Path(name).expanduser()
        except RuntimeError:  # ~ of somebody who is not known here
            return None
        return path if _is_folder(path) else None
    for root in default_roots() if roots is None else roots:
        for path in (root / name, *(group / name for group in _groups(root))):
            if _is_folder(path) and not _is_group(path):
                return path
    return None


def is_folder_here(name: str) -> bool:
    """Whether a bare name is a folder of rules in the current one, where only a path finds it."""
    return bool(name) and "\0" not in name and _holds_rules(Path.cwd() / name)


def available(roots: Sequence[Path] | None = None) -> list[FoundRuleset]:
    """Every ruleset that can be found by name, sorted; of two with the same name, the one that would be found."""
    found: dict[str, FoundRuleset] = {}
    for root in default_roots() if roots is None else roots:
        for path in (*_children(root), *(game for group in _groups(root) for game in _children(group))):
            if path.name not in OTHERS and path.name not in found and _holds_rules(path):
                found[path.name] = FoundRuleset(path.name, path)
    return [found[name] for name in sorted(found)]


def _groups(root: Path) -> list[Path]:
    """The folders of a root that only hold games, so that small ones of a sort can be kept together."""
    return [path for path in _children(root) if _is_group(path)]


def _is_group(path: Path) -> bool:
    games = (child for child in _children(path) if child.name not in OTHERS)
    return not _holds_rules(path) and any(_holds_rules(child) for child in games)


def overlay_roots(roots: Sequence[Path] | None = None) -> list[Path]:
    """Where overlays are looked for: beside the given rules folders, in the current folder, what is shipped."""
    return default_roots([root.parent / "variants" for root in roots or ()], "variants")


def find_overlay(base: str, name: str, roots: Sequence[Path] | None = None) -> Path | None:
    """The folder of an overlay on a game, by its name or by its path; None if there is none."""
    if "/" in name or "\\" in name or name in (".", ".."):
        return find_ruleset(name)
    for root in overlay_roots(roots):
        if name and "\0" not in name and _is_folder(root / base / name):
            return root / base / name
    return None


def available_overlays(base: str, roots: Sequence[Path] | None = None) -> list[FoundRuleset]:
    """Every overlay on a game that can be found by name, sorted."""
    found: dict[str, FoundRuleset] = {}
    for root in overlay_roots(roots):
        for path in _children(root / base):
            if path.name not in found and _holds_rules(path):
                found[path.name] = FoundRuleset(path.name, path)
    return [found[name] for name in sorted(found)]


def stack_of(folder: Path, text: str | None = None) -> str:
    """The ruleset a folder makes: the game in it, or the game an overlay is on with all it needs and the overlay. The
    text of `overlay.toml` is that of the disk, unless one is given.

    What an overlay is on and what it needs are names, never paths: a folder does not make anybody read another one.
    """
    if text is None:
        text, _ = _read_file(folder / "overlay.toml", "overlay.toml", folder)
    try:
        head = tomllib.loads(text or "").get("overlay", {})
    except (tomllib.TOMLDecodeError, RecursionError):
        head = {}
    if not isinstance(head, dict) or not isinstance(head.get("on"), str) or not is_plain_name(head["on"]):
        return str(folder)
    needs = [name for key in ("requires", "builds_on") for name in _word_list(head.get(key)) if is_plain_name(name)]
    return "+".join((head["on"], *dict.fromkeys(needs), str(folder)))


def _word_list(value: object) -> list[str]:
    return [word for word in value if isinstance(word, str)] if isinstance(value, list) else []


def _holds_rules(path: Path) -> bool:
    return any(child.suffix in (".toml", ".warlock") for child in _children(path))


def _children(path: Path) -> list[Path]:
    try:
        return sorted(path.iterdir())
    except (OSError, ValueError):  # also a name that no file can have
        return []


def _is_folder(path: Path) -> bool:
    try:
        return path.is_dir()
    except (OSError, ValueError):
        return False


def _real(path: Path) -> Path:
    try:
        return path.resolve()
    except (OSError, RuntimeError):  # a link that runs in a circle
        return path


# ---------------------------------------------------------------- reading


def read_folder(path: Path) -> tuple[dict[str, str], list[Diagnostic]]:
    """The texts of a rules folder by their path inside it, line ends made plain, and what could not be read."""
    files: dict[str, str] = {}
    errors: list[Diagnostic] = []
    if not _is_folder(path):
        return files, [_error("W250", "there is no such folder", str(path))]
    for file in _rule_files(path):
        name = file.relative_to(path).as_posix()
        if len(files) >= MAX_FILES or sum(map(len, files.values())) > MAX_TOTAL:
            limit = f"a rules folder may have at most {MAX_FILES} files and {MAX_TOTAL:,} characters"
            errors.append(_error("W252", limit, name))
            break
        text, error = _read_file(file, name, path)
        if error is not None:
            errors.append(error)
        elif text is not None:
            files[name] = text
    return files, errors


def _rule_files(path: Path) -> Iterator[Path]:
    yield from (child for child in _children(path) if child.suffix in _SUFFIXES)
    yield from (child for child in _children(path / "names") if child.suffix == ".toml")


def _read_file(file: Path, name: str, folder: Path) -> tuple[str | None, Diagnostic | None]:
    try:
        if not _real(file).is_relative_to(_real(folder)):
            return None, _error("W253", "this is a link that leads out of the folder", name)
        if not file.is_file():  # a pipe would wait for ever
            return None, _error("W250", "this is not a file", name)
        with file.open("rb") as stream:
            content = stream.read(MAX_FILE_BYTES + 1)
    except OSError as error:
        return None, _error("W250", f"this file cannot be read: {error.strerror or 'the system refuses'}", name)
    if len(content) > MAX_FILE_BYTES:
        return None, _error("W252", f"this file is larger than {MAX_FILE_BYTES:,} bytes", name)
    try:
        return content.decode("utf-8-sig").replace("\r\n", "\n"), None
    except UnicodeDecodeError as error:
        before = content[: error.start].decode("utf-8-sig", "replace")
        line, column = before.count("\n") + 1, len(before) - (before.rfind("\n") + 1) + 1
        span = Span(name, line, column, line, column + 1)
        return None, Diagnostic("W251", "this file is not UTF-8 text", span, hint="save it as UTF-8")


def _error(code: str, message: str, name: str) -> Diagnostic:
    return Diagnostic(code, message, Span(name, 1, 1, 1, 1))


def std_files() -> dict[str, str]:
    """The rules that belong to every game, by paths that begin with `std/`."""
    files, _ = read_folder(shipped() / STANDARD)
    return {f"{STANDARD}/{name}": text for name, text in files.items() if name.endswith(".warlock")}


def content_hash(files: Mapping[str, str]) -> str:
    """What names a ruleset: the first 16 hex digits of its digest."""
    return content_digest(files)[:16]


def content_digest(files: Mapping[str, str]) -> str:
    """A SHA-256 over the files of a ruleset.

    Each file, in the order of their paths, adds its path, the length of its text in bytes and its text in UTF-8
    with plain line ends, each followed by a newline. Files in a folder `scenarios` are no part of the rules.
    """
    digest = hashlib.sha256()
    for path in sorted(files):
        if "scenarios" in path.split("/")[:-1]:
            continue
        text = files[path].replace("\r\n", "\n").encode("utf-8", "surrogatepass")
        for part in (path.encode("utf-8", "surrogatepass"), str(len(text)).encode(), text):
            digest.update(part + b"\n")
    return digest.hexdigest()
