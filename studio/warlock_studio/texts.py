"""The texts of a stack, as a page edits them: open, edit, save, format, complete, look up, rename, a new overlay."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from warlock_dsl import (
    Loaded,
    Ruleset,
    Span,
    Use,
    built_on,
    check_gathered,
    derive,
    finish_gathered,
    format_text,
    load_files,
    overlay_files,
)
from warlock_studio.files import SUFFIXES, digest, replace
from warlock_studio.worker import Json, RefusedError
from workbench.service import answers
from workbench.service.completion import completion
from workbench.service.hover import hover
from workbench.service.project import Analysis, with_texts
from workbench.service.rename import Refusal, rename
from workbench.support.starters import variant_files

if TYPE_CHECKING:
    from warlock_studio.desk import Desk

MAX_OPTIONS = 400


class TextDesk:
    """What can be asked about texts."""

    def __init__(self, desk: Desk) -> None:
        self.desk = desk

    def methods(self) -> dict[str, Callable[[Json], Any]]:
        return {
            "document/open": self.open,
            "document/edit": self.edit,
            "document/save": self.save,
            "document/format": self.format,
            "document/complete": self.complete,
            "document/hover": self.hover,
            "document/definition": self.definition,
            "document/references": self.references,
            "document/rename": self.rename,
            "document/outline": self.outline,
            "document/discard": self.discard,
            "overlay/new": self.new_overlay,
            "overlay/keep": self.keep_as_overlay,
        }

    def path(self, params: Json) -> Path:
        return self.desk.path_of(str(params["name"]))

    def analysis(self) -> Analysis:
        """The stack as it was last checked."""
        return Analysis(self.desk.up_to_date(), self.desk.paths)

    # ------------------------------------------------------------ text and disk

    def open(self, params: Json) -> Json:
        """The text of a file; and what was typed into it the last time and not saved, if there is such."""
        name, path = str(params["name"]), self.path(params)
        text, own = self.desk.text_of(name), self.desk.folder.inside(path)
        side = self.desk.autosave.found(path)
        unsaved = side if side is not None and side not in (self.desk.on_disk(name), text) else None
        dirty = self.desk.is_dirty(name, path)
        known = digest(self.desk.on_disk(name))
        return {"name": name, "text": text, "known": known, "own": own, "dirty": dirty, "unsaved": unsaved}

    def edit(self, params: Json) -> Json:
        """A new text: its syntax errors are told at once, all others when they are found. One of the game itself is
        tried at the table as well; it can be kept as an overlay alone (`keep_as_overlay`)."""
        name, path, text = str(params["name"]), self.path(params), str(params["text"])
        self.desk.edited(path, text)
        self.desk.syntax(name)
        return {"version": self.desk.version}

    def save(self, params: Json) -> Json:
        """Write a text, unless the disk has another one than the page knows of."""
        path = self.path(params)
        text = self.desk.project.open_texts.get(path)
        known = str(params["known"])
        if text is None:
            return {"known": known}
        written = self.desk.folder.write(path, text, known)
        self.desk.autosave.forget(path)
        self.desk.read_disk()
        return {"known": written}

    def discard(self, params: Json) -> Json:
        """Forget what was typed into a file: it is again as the disk has it."""
        name, path = str(params["name"]), self.path(params)
        self.desk.project.open_texts.pop(path, None)
        self.desk.autosave.forget(path)
        self.desk.version += 1
        self.desk.due = ["check", "lints"]
        return {**self.open(params), "name": name}

    def place_for(self, name: str) -> tuple[str, Path]:
        """The game, and where a new overlay on it is written."""
        desk = self.desk
        if not name.isidentifier() or not name.isascii() or not name.islower() or len(name) > 40:
            raise RefusedError("an overlay is named with small letters, figures and _")
        assert desk.found is not None
        game = desk.found.name
        place = desk.opened.folder / "variants" / game / name
        if place.exists() or not desk.folder.inside(place):
            raise RefusedError(f"there is a folder '{name}' already")
        return game, place

    def sound(self) -> tuple[Ruleset, Loaded]:
        loaded = self.desk.up_to_date()
        if loaded.ruleset is None:
            raise RefusedError("the rules have errors: mend these first")
        return loaded.ruleset, loaded

    def write_overlay(self, name: str, place: Path, files: Mapping[str, str]) -> Json:
        for file, text in files.items():
            if Path(file).suffix in SUFFIXES:
                self.desk.folder.check(place / file)
                replace(place / file, text)
        return {"stack": f"{self.desk.stack}+{name}", "file": f"+{name}/overlay.toml"}

    def new_overlay(self, params: Json) -> Json:
        """An overlay on the stack that is open, in the folder that was opened; the stack with it on top."""
        name = str(params["name"])
        game, place = self.place_for(name)
        return self.write_overlay(name, place, variant_files(*self.sound(), name, f"variants/{game}/{name}"))

    def keep_as_overlay(self, params: Json) -> Json:
        """What was typed into files that cannot be written, as an overlay that changes just that; the files are again
        as the disk has them."""
        desk, name = self.desk, str(params["name"])
        game, place = self.place_for(name)
        _, changed = self.sound()
        foreign = [path for path in desk.paths.values()
                   if path in desk.project.open_texts and not desk.folder.inside(path)]  # fmt: skip
        texts = {known: desk.on_disk(known) if path in foreign else desk.text_of(known)
                 for known, path in desk.paths.items()}  # fmt: skip
        assert desk.found is not None
        before = finish_gathered(check_gathered(with_texts(desk.found, texts)))
        units = derive(before, changed) if before.ruleset is not None else ()
        if not units:
            raise RefusedError("nothing that the rules say has been changed")
        about = f"What was changed in {desk.stack}"
        files = overlay_files(units, game, name, about, built_on(before, units))
        made = load_files(before.base, before.name, (), (*before.stack, (Use(name), files)))
        if made.ruleset is None:
            raise RefusedError(next((one.message for one in made.diagnostics), "an overlay cannot say this change"))
        for path in foreign:
            del desk.project.open_texts[path]
            desk.autosave.forget(path)
        return self.write_overlay(name, place, files)

    def format(self, params: Json) -> Json:
        name = str(params["name"])
        text = self.desk.text_of(name)
        if not name.endswith(".warlock"):
            raise RefusedError("only .warlock files have one canonical layout")
        formatted, errors = format_text(text, name)
        if errors:
            raise RefusedError("a file with syntax errors is not formatted")
        return {"text": formatted}

    # ------------------------------------------------------------ what is known of a place

    def complete(self, params: Json) -> Json:
        path, (line, column) = self.path(params), place(params)
        found = completion(self.desk.project, self.analysis(), path, line, column)
        options = [{"label": one.word, "detail": one.what, "snippet": one.snippet} for one in found[:MAX_OPTIONS]]
        return {"options": options}

    def hover(self, params: Json) -> Json:
        path, (line, column) = self.path(params), place(params)
        text, span = hover(self.desk.project, self.analysis(), path, line, column)
        return {"text": text, "span": None if span is None else span_json(span)}

    def definition(self, params: Json) -> Json:
        path, (line, column) = self.path(params), place(params)
        return {"places": [span_json(one) for one in answers.definitions(self.analysis(), path, line, column)]}

    def references(self, params: Json) -> Json:
        path, (line, column) = self.path(params), place(params)
        return {"places": [span_json(one.span) for one in answers.references(self.analysis(), path, line, column)]}

    def outline(self, params: Json) -> Json:
        path = self.path(params)
        found = answers.outline(self.desk.project, path, self.analysis())
        return {"items": [{"name": one.name, "what": one.what, "span": span_json(one.span)} for one in found]}

    def rename(self, params: Json) -> Json:
        """The edits of a rename, by file; they are refused where one of them is not ours to make."""
        path, (line, column) = self.path(params), place(params)
        found = rename(self.desk.project, path, line, column, str(params["to"])[:80])
        if isinstance(found, Refusal):
            raise RefusedError(found.why)
        names = {known: name for name, known in self.desk.paths.items()}
        foreign = [known.name for known in found if not self.desk.folder.inside(known)]
        if foreign:
            raise RefusedError(f"it is also written in {foreign[0]}, which is not in the folder that was opened")
        return {
            "files": {
                names[known]: [{"span": span_json(edit.span), "text": edit.text} for edit in edits]
                for known, edits in found.items()
                if known in names
            }
        }


def place(params: Json) -> tuple[int, int]:
    """Line and column, from 1, in characters."""
    return int(params["line"]), int(params["column"])


def span_json(span: Span) -> Json:
    return {
        "file": span.file, "line": span.line, "column": span.column, "endLine": span.end_line,
        "endColumn": span.end_column,
    }  # fmt: skip
