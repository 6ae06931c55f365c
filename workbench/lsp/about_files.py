"""What an editor asks about a file: its symbols, layout and colours, what can be done, the scenarios of its rules."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

from lsprotocol import types as lsp

from workbench.lsp.about_names import edits_of, ours
from workbench.lsp.positions import units
from workbench.lsp.server import Server, path_of, uri_of
from workbench.scenario.model import Result
from workbench.service.actions import Action
from workbench.service.language_service import Lens
from workbench.service.project import home_of

RUN = "warlock.runScenarios"
NO_RULES = "the rules have errors: no scenario is run"
# The colours of names, by what they are.
TOKENS = {
    "rule": "function",
    "define": "function",
    "score": "function",
    "invariant": "function",
    "sometimes": "function",
    "share": "function",
    "relation": "function",
    "local": "parameter",
    "row": "enumMember",
    "member": "enumMember",
    "table": "enum",
    "kind": "class",
    "zone": "variable",
    "variable": "variable",
    "column": "property",
    "field": "property",
    "figure": "property",
    "group": "namespace",
}
LEGEND = lsp.SemanticTokensLegend(sorted(set(TOKENS.values())), ["declaration"])
SYMBOLS = {
    "rule": lsp.SymbolKind.Function,
    "define": lsp.SymbolKind.Constant,
    "score": lsp.SymbolKind.Number,
    "invariant": lsp.SymbolKind.Boolean,
    "sometimes": lsp.SymbolKind.Boolean,
    "share": lsp.SymbolKind.Number,
    "relation": lsp.SymbolKind.Boolean,
    "table": lsp.SymbolKind.Enum,
    "row": lsp.SymbolKind.EnumMember,
    "kind": lsp.SymbolKind.Class,
    "column": lsp.SymbolKind.Field,
    "field": lsp.SymbolKind.Field,
}


def answer_about_files(server: Server) -> None:
    language = server.language

    @server.feature(lsp.TEXT_DOCUMENT_DOCUMENT_SYMBOL)
    def outline(given: lsp.DocumentSymbolParams) -> list[lsp.DocumentSymbol]:
        path = ours(server, given.text_document.uri)
        return [
            lsp.DocumentSymbol(
                one.name,
                SYMBOLS.get(one.what, lsp.SymbolKind.Variable),
                server.range(path, one.span),
                server.range(path, one.name_span),
                one.what,
            )
            for one in (language.outline(path) if path is not None else ())
            if path is not None
        ]

    @server.feature(lsp.WORKSPACE_SYMBOL)
    def symbols(given: lsp.WorkspaceSymbolParams) -> list[lsp.SymbolInformation]:
        return [
            lsp.SymbolInformation(
                server.location(where), ".".join(symbol[1:]), SYMBOLS.get(symbol[0], lsp.SymbolKind.Variable)
            )
            for symbol, where in language.symbols(given.query)
        ]

    @server.feature(lsp.TEXT_DOCUMENT_FORMATTING)
    def formatted(given: lsp.DocumentFormattingParams) -> list[lsp.TextEdit]:
        path = path_of(given.text_document.uri)
        text = language.format(path) if path is not None else None
        if path is None or text is None or text == language.text(path):
            return []
        lines = server.lines(path)
        end = lsp.Position(len(lines) - 1, units(lines[-1], server.encoding))
        return [lsp.TextEdit(lsp.Range(lsp.Position(0, 0), end), text)]

    @server.feature(lsp.TEXT_DOCUMENT_CODE_ACTION)
    def actions(given: lsp.CodeActionParams) -> list[lsp.CodeAction]:
        path = ours(server, given.text_document.uri)
        if path is None:
            return []
        found = language.actions(path, given.range.start.line + 1, given.range.end.line + 1)
        return [_action(server, path, one) for one in found]

    @server.feature(lsp.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL, LEGEND)
    def tokens(given: lsp.SemanticTokensParams) -> lsp.SemanticTokens:
        path = ours(server, given.text_document.uri)
        return _tokens(server, path) if path is not None else lsp.SemanticTokens([])

    @server.feature(lsp.TEXT_DOCUMENT_CODE_LENS, lsp.CodeLensOptions(resolve_provider=True))
    def lenses(given: lsp.CodeLensParams) -> list[lsp.CodeLens]:
        path = ours(server, given.text_document.uri)
        return [_lens(server, path, one) for one in language.lenses(path)] if path is not None else []

    @server.feature(lsp.CODE_LENS_RESOLVE)
    async def resolved(given: lsp.CodeLens) -> lsp.CodeLens:
        data: Any = given.data if isinstance(given.data, dict) else {}
        path = ours(server, str(data.get("uri", "")))
        if path is None:
            return given
        await server.find_usage(path)
        lens = next((one for one in language.lenses(path) if one.address == data.get("address")), None)
        if lens is None or lens.cases is None:
            return lsp.CodeLens(given.range, lsp.Command(NO_RULES, ""), given.data)
        return _lens(server, path, lens)

    @server.command(RUN)
    async def run(uri: str = "", address: str = "") -> dict[str, Any] | None:
        path = ours(server, str(uri))
        return await _run(server, path, str(address)) if path is not None else None


def _action(server: Server, path: Path, action: Action) -> lsp.CodeAction:
    changes: list[Any] = []
    for file, edits in action.edits.items():
        if not file.exists() and file not in server.language.versions:
            changes.append(lsp.CreateFile(uri_of(file)))
        document = lsp.OptionalVersionedTextDocumentIdentifier(uri_of(file), server.language.versions.get(file))
        changes.append(lsp.TextDocumentEdit(document, edits_of(server, file, edits)))
    told = [server.diagnostic(action.error, path, None)] if action.error is not None else None
    kind = lsp.CodeActionKind.QuickFix if told else lsp.CodeActionKind.Source
    edit = lsp.WorkspaceEdit(document_changes=changes)
    return lsp.CodeAction(action.title, kind, told, is_preferred=action.sure if told else None, edit=edit)


def _tokens(server: Server, path: Path) -> lsp.SemanticTokens:
    """The names of a file, each by its distance from the one before, as the protocol wants it."""
    data: list[int] = []
    last = lsp.Position(0, 0)
    lines = server.lines(path)
    for span, what, defines in server.language.tokens(path):
        kind = TOKENS.get(what)
        text = lines[span.line - 1] if span.line <= len(lines) else ""
        start = lsp.Position(span.line - 1, units(text[: span.column - 1], server.encoding))
        if kind is None or (start.line, start.character) < (last.line, last.character):
            continue
        ahead = start.character - (last.character if start.line == last.line else 0)
        data += [start.line - last.line, ahead, units(text[span.column - 1 : span.end_column - 1], server.encoding)]
        data += [LEGEND.token_types.index(kind), 1 if defines else 0]
        last = start
    return lsp.SemanticTokens(data)


# ---------------------------------------------------------------- scenarios


def _lens(server: Server, path: Path, lens: Lens) -> lsp.CodeLens:
    """One above a rule: how many scenarios use it is found when the editor asks."""
    where = server.range(path, lens.span)
    data = {"uri": uri_of(path), "address": lens.address}
    if lens.cases is None:
        return lsp.CodeLens(where, data=data)
    if not lens.cases:
        return lsp.CodeLens(where, lsp.Command("no scenario uses this rule", ""), data)
    count = len(lens.cases)
    title = f"run the {count} scenarios that use this rule" if count > 1 else "run the scenario that uses this rule"
    return lsp.CodeLens(where, lsp.Command(title, RUN, arguments=[uri_of(path), lens.address]), data)


async def _run(server: Server, path: Path, address: str) -> dict[str, Any] | None:
    """Run the scenarios of a rule; those that fail are shown where they are written."""
    language = server.language
    await server.find_usage(path)
    lens = next((one for one in language.lenses(path) if one.address == address), None)
    if lens is None or lens.cases is None:
        say(server, lsp.MessageType.Warning, NO_RULES)
        return None
    results: list[Result] = []
    for result in language.run_scenarios(path, lens.cases):
        results.append(result)
        await asyncio.sleep(0)
    found: dict[Path, list[lsp.Diagnostic]] = {case.file: [] for case in lens.cases}
    for result in results:
        for one in result.failures:
            file = Path(one.span.file)
            message = f"{result.scenario.name}\nexpected: {one.expected}\nfound: {one.found}"
            place = server.range(file, one.span)
            found.setdefault(file, []).append(lsp.Diagnostic(place, message, source="warlock test"))
    server.tell(home_of(path) / "scenarios", found)
    failed = [result.scenario.name for result in results if not result.passed]
    told = f"{address}: {len(results) - len(failed)} of {len(results)} scenarios pass"
    kind = lsp.MessageType.Warning if failed else lsp.MessageType.Info
    say(server, kind, told + "".join(f"; failed: {name}" for name in failed[:3]))
    return {"address": address, "ran": len(results), "failed": failed}


def say(server: Server, kind: lsp.MessageType, text: str) -> None:
    server.window_show_message(lsp.ShowMessageParams(kind, text))
