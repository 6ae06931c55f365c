"""The texts of a stack, as a page edits them: open, edit, save, format, complete, look up, rename, a new overlay."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from warlock_dsl import Span, format_text
from warlock_studio.files import SUFFIXES, digest, replace
from warlock_studio.worker import Json, RefusedError
from workbench.service import answers
from workbench.service.completion import completion
from workbench.service.hover import hover
from workbench.service.project import Analysis
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
            "overlay/new": self.new_overlay,
        }

    def path(self, params: Json) -> Path:
        path = self.desk.paths.get(str(params["name"]))
        if path is None:
            raise RefusedError("there is no such file in this stack")
        return path

    def analysis(self) -> Analysis:
        """The stack as it was last checked."""
        return Analysis(self.desk.up_to_date(), self.desk.paths)

    # ------------------------------------------------------------ text and disk

    def open(self, params: Json) -> Json:
        """The text of a file; and what was typed into it the last time and not saved, if there is such."""
        name, path = str(params["name"]), self.path(params)
        text, own = self.desk.text_of(name), self.desk.folder.inside(path)
        side = self.desk.autosave.found(path) if own else None
        unsaved = side if side is not None and side != self.desk.on_disk(name) else None
        return {"name": name, "text": text, "known": digest(self.desk.on_disk(name)), "own": own, "unsaved": unsaved}

    def edit(self, params: Json) -> Json:
        """A new text: its syntax errors are told at once, all others when they are found."""
        name, path, text = str(params["name"]), self.path(params), str(params["text"])
        if not self.desk.folder.inside(path):
            raise RefusedError("this file is not in the folder that was opened: make an overlay to change it")
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

    def new_overlay(self, params: Json) -> Json:
        """An overlay on the stack that is open, in the folder that was opened; the stack with it on top."""
        desk = self.desk
        name = str(params["name"])
        if not name.isidentifier() or not name.isascii() or not name.islower() or len(name) > 40:
            raise RefusedError("an overlay is named with small letters, figures and _")
        assert desk.found is not None
        game = desk.found.name
        place = desk.opened.folder / "variants" / game / name
        if place.exists() or not desk.folder.inside(place):
            raise RefusedError(f"there is a folder '{name}' already")
        loaded = desk.up_to_date()
        if loaded.ruleset is None:
            raise RefusedError("the rules have errors: mend these first")
        for file, text in variant_files(loaded.ruleset, loaded, name, f"variants/{game}/{name}").items():
            if Path(file).suffix in SUFFIXES:
                replace(place / file, text)
        return {"stack": f"{desk.stack}+{name}", "file": f"+{name}/overlay.toml"}

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
