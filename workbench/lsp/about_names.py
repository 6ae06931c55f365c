"""What an editor asks about the name at a place: hover, definition, references, completion, rename."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path

from lsprotocol import types as lsp

from warlock_dsl import TextEdit
from workbench.lsp.server import Server, locations, path_of, uri_of
from workbench.service.completion import Option
from workbench.service.language_service import Refusal

PATIENCE = 1.5  # seconds that a hover waits for the scenarios
KINDS = {
    "form": lsp.CompletionItemKind.Snippet,
    "row": lsp.CompletionItemKind.EnumMember,
    "table": lsp.CompletionItemKind.Enum,
    "zone": lsp.CompletionItemKind.Variable,
    "variable": lsp.CompletionItemKind.Variable,
    "name:": lsp.CompletionItemKind.Variable,
    "rule": lsp.CompletionItemKind.Function,
    "definition:": lsp.CompletionItemKind.Function,
    "field:": lsp.CompletionItemKind.Field,
    "column:": lsp.CompletionItemKind.Field,
    "figure": lsp.CompletionItemKind.Constant,
    "type": lsp.CompletionItemKind.Class,
    "key": lsp.CompletionItemKind.Property,
}


def ours(server: Server, uri: str) -> Path | None:
    """The file of a request, if it is part of a game or an overlay."""
    path = path_of(uri)
    return path if path is not None and server.language.project.has(path) else None


def edits_of(server: Server, path: Path, edits: Sequence[TextEdit]) -> list[lsp.TextEdit]:
    return [lsp.TextEdit(server.range(path, one.span), one.text) for one in edits]


def answer_about_names(server: Server) -> None:
    language = server.language

    @server.feature(lsp.TEXT_DOCUMENT_HOVER)
    async def hover(given: lsp.HoverParams) -> lsp.Hover | None:
        path = ours(server, given.text_document.uri)
        if path is None:
            return None
        waiting = asyncio.ensure_future(server.find_usage(path))
        await asyncio.wait([waiting], timeout=PATIENCE)  # what takes longer goes on, and is told the next time
        text, span = language.hover(path, *server.column(path, given.position))
        content = lsp.MarkupContent(lsp.MarkupKind.Markdown, text)
        return lsp.Hover(content, server.range(path, span) if span is not None else None) if text else None

    @server.feature(lsp.TEXT_DOCUMENT_DEFINITION)
    def definition(given: lsp.DefinitionParams) -> list[lsp.Location]:
        path = ours(server, given.text_document.uri)
        return locations(server, language.definitions(path, *server.column(path, given.position))) if path else []

    @server.feature(lsp.TEXT_DOCUMENT_REFERENCES)
    def references(given: lsp.ReferenceParams) -> list[lsp.Location]:
        path = ours(server, given.text_document.uri)
        if path is None:
            return []
        declarations = given.context.include_declaration
        return locations(server, language.references(path, *server.column(path, given.position), declarations))

    @server.feature(lsp.TEXT_DOCUMENT_DOCUMENT_HIGHLIGHT)
    def highlight(given: lsp.DocumentHighlightParams) -> list[lsp.DocumentHighlight]:
        path = ours(server, given.text_document.uri)
        found = language.references(path, *server.column(path, given.position)) if path else []
        return [lsp.DocumentHighlight(server.range(one.path, one.span)) for one in found if one.path == path]

    @server.feature(lsp.TEXT_DOCUMENT_COMPLETION, lsp.CompletionOptions(trigger_characters=[".", "@", '"']))
    def completion(given: lsp.CompletionParams) -> list[lsp.CompletionItem]:
        path = ours(server, given.text_document.uri)
        return [_item(one) for one in language.completion(path, *server.column(path, given.position))] if path else []

    @server.feature(lsp.TEXT_DOCUMENT_PREPARE_RENAME)
    def prepared(given: lsp.PrepareRenameParams) -> lsp.Range | None:
        path = ours(server, given.text_document.uri)
        span = language.name_at(path, *server.column(path, given.position)) if path else None
        return server.range(path, span) if path is not None and span is not None else None

    @server.feature(lsp.TEXT_DOCUMENT_RENAME, lsp.RenameOptions(prepare_provider=True))
    def renamed(given: lsp.RenameParams) -> lsp.WorkspaceEdit | None:
        path = ours(server, given.text_document.uri)
        if path is None:
            return None
        found = language.rename(path, *server.column(path, given.position), given.new_name)
        if isinstance(found, Refusal):
            server.window_show_message(lsp.ShowMessageParams(lsp.MessageType.Warning, found.why))
            return None
        return lsp.WorkspaceEdit({uri_of(file): edits_of(server, file, edits) for file, edits in found.items()})


def _item(option: Option) -> lsp.CompletionItem:
    kind = KINDS.get(option.what.split()[0], lsp.CompletionItemKind.Text)
    shape = lsp.InsertTextFormat.Snippet if option.snippet else None
    about = lsp.MarkupContent(lsp.MarkupKind.Markdown, option.about) if option.about else None
    return lsp.CompletionItem(
        option.word,
        kind=kind,
        detail=option.what,
        documentation=about,
        sort_text=f"{option.rank}{option.word}",
        insert_text=option.snippet or None,
        insert_text_format=shape,
    )
