"""The language server, made of its parts, and how it follows the documents of an editor."""

from __future__ import annotations

import asyncio
import logging
from contextlib import suppress

from lsprotocol import types as lsp

from workbench.lsp.about_files import answer_about_files
from workbench.lsp.about_names import answer_about_names
from workbench.lsp.server import Server, path_of
from workbench.service.project import check_often


def make_server() -> Server:
    """The server with everything it can do."""
    library = logging.getLogger("pygls")  # a message that is no message is told in a line, not on the error stream
    library.propagate = False
    library.addHandler(logging.NullHandler())
    check_often()
    server = Server()
    follow_documents(server)
    answer_about_names(server)
    answer_about_files(server)
    return server


def follow_documents(server: Server) -> None:
    @server.feature(lsp.INITIALIZED)
    async def ready(given: lsp.InitializedParams) -> None:
        workspace = server.client_capabilities.workspace
        watched = workspace.did_change_watched_files if workspace is not None else None
        if watched is not None and watched.dynamic_registration:
            options = lsp.DidChangeWatchedFilesRegistrationOptions([lsp.FileSystemWatcher("**/*.{warlock,toml,csv}")])
            wanted = lsp.Registration("files", lsp.WORKSPACE_DID_CHANGE_WATCHED_FILES, options)
            with suppress(Exception):  # an editor that says no has its reasons; saving a file is told anyway
                await server.client_register_capability_async(lsp.RegistrationParams([wanted]))

    @server.feature(lsp.TEXT_DOCUMENT_DID_OPEN)
    async def opened(given: lsp.DidOpenTextDocumentParams) -> None:
        await changed_to(given.text_document.uri, given.text_document.version)

    @server.feature(lsp.TEXT_DOCUMENT_DID_CHANGE)
    async def changed(given: lsp.DidChangeTextDocumentParams) -> None:
        await changed_to(given.text_document.uri, given.text_document.version)

    async def changed_to(uri: str, version: int) -> None:
        path = path_of(uri)
        if path is not None:
            server.language.open(path, server.workspace.get_text_document(uri).source, version)
            with suppress(asyncio.CancelledError):  # the editor has gone: nobody is to be told
                await server.edited(path)

    @server.feature(lsp.TEXT_DOCUMENT_DID_SAVE)
    async def saved(given: lsp.DidSaveTextDocumentParams) -> None:
        server.language.changed_on_disk()

    @server.feature(lsp.WORKSPACE_DID_CHANGE_WATCHED_FILES)
    async def on_disk(given: lsp.DidChangeWatchedFilesParams) -> None:
        with suppress(asyncio.CancelledError):
            await server.check_all()

    @server.feature(lsp.TEXT_DOCUMENT_DID_CLOSE)
    def closed(given: lsp.DidCloseTextDocumentParams) -> None:
        path = path_of(given.text_document.uri)
        if path is not None:
            server.forget(path)
