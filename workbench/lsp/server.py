"""The language server: documents and the waves of their errors, as an editor follows them over the protocol."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from lsprotocol import types as lsp
from pygls.lsp.server import LanguageServer
from pygls.uris import from_fs_path, to_fs_path

from warlock_dsl import Diagnostic, Severity, Span
from workbench import __version__
from workbench.lsp.positions import column_at, range_of
from workbench.service.language_service import Language, Location, Wave
from workbench.service.project import Analysis, home_of

KNOWN = (".warlock", ".toml", ".csv")
PAUSE = 0.03  # seconds without an edit before the rules are checked
IDLE = 0.5  # seconds without an edit before scenarios are run
SEVERITIES = {
    Severity.ERROR: lsp.DiagnosticSeverity.Error,
    Severity.WARNING: lsp.DiagnosticSeverity.Warning,
    Severity.NOTE: lsp.DiagnosticSeverity.Information,
}
Told = Mapping[Path, Sequence[lsp.Diagnostic]]


class Server(LanguageServer):
    """The server with its service, and what it last told of each file."""

    def __init__(self) -> None:
        # whole texts: the library applies parts by lines that it ends at U+2028 and others, where no editor does
        super().__init__("warlock", __version__, text_document_sync_kind=lsp.TextDocumentSyncKind.Full)
        self.language = Language()
        self.found: dict[Path, Told] = {}  # by the folder of the stack, or of the scenarios
        self.told: dict[Path, list[lsp.Diagnostic]] = {}
        self.edits: dict[Path, int] = {}  # how often each file was edited
        self.running: dict[Path, asyncio.Task[None]] = {}  # scenarios, by the folder of their game or overlay

    def report_server_error(self, error: Exception, source: object) -> None:
        """What an editor sent could not be read, or could not be answered: a line for its log, and on we go."""
        text = f"{type(error).__name__}: {error}"[:500]
        self.window_log_message(lsp.LogMessageParams(lsp.MessageType.Warning, text))

    # ------------------------------------------------------------ places

    @property
    def encoding(self) -> str:
        return str(getattr(self.workspace.position_encoding, "value", self.workspace.position_encoding))

    def lines(self, path: Path) -> list[str]:
        return self.language.text(path).split("\n")

    def column(self, path: Path, position: lsp.Position) -> tuple[int, int]:
        """Line and column of a position, from 1."""
        lines = self.lines(path)
        text = lines[position.line] if position.line < len(lines) else ""
        return position.line + 1, column_at(text, position.character, self.encoding)

    def range(self, path: Path, span: Span) -> lsp.Range:
        return range_of(span, self.lines(path), self.encoding)

    def location(self, where: Location) -> lsp.Location:
        return lsp.Location(uri_of(where.path), self.range(where.path, where.span))

    # ------------------------------------------------------------ diagnostics

    def diagnostic(self, one: Diagnostic, path: Path, analysis: Analysis | None) -> lsp.Diagnostic:
        hint = f"\n{one.hint}" if one.hint else ""
        related = []
        for other in one.related if analysis is not None else ():
            where = analysis.paths.get(other.span.file) if analysis is not None else None
            if where is not None:
                place = self.location(Location(where, other.span))
                related.append(lsp.DiagnosticRelatedInformation(place, other.text))
        severity = SEVERITIES[one.severity]
        message = one.message + hint
        return lsp.Diagnostic(
            self.range(path, one.span), message, severity, one.code, source="warlock", related_information=related
        )

    def tell(self, home: Path, found: Told) -> None:
        """Tell what is new of each file, whichever stack it comes from."""
        before = self.found.get(home, {})
        self.found[home] = {path: list(own) for path, own in found.items() if own}
        for path in {**before, **found}:
            diagnostics = self.of_all_stacks(path)
            if self.told.get(path, []) != diagnostics:
                self.told[path] = diagnostics
                version = self.language.versions.get(path)
                told = lsp.PublishDiagnosticsParams(uri_of(path), diagnostics, version)
                self.text_document_publish_diagnostics(told)

    def of_all_stacks(self, path: Path) -> list[lsp.Diagnostic]:
        """What is wrong in a file: in its own stack, and what only another stack that is open finds there."""
        own = list(self.found.get(home_of(path), {}).get(path, ()))
        known = {(one.code, one.range.start.line, one.range.start.character) for one in own}
        for home, found in self.found.items():
            for one in found.get(path, ()) if home != home_of(path) else ():
                key = (one.code, one.range.start.line, one.range.start.character)
                if key not in known and one.severity != lsp.DiagnosticSeverity.Information:
                    known.add(key)
                    message = one.message if one.source != "warlock" else f"with +{home.name}: {one.message}"
                    own.append(
                        lsp.Diagnostic(
                            one.range, message, one.severity, one.code, source=one.source,
                            related_information=one.related_information,
                        )
                    )  # fmt: skip
        return own

    def tell_wave(self, path: Path, wave: Wave) -> None:
        """A wave as it is told: errors of syntax at once, beside what is known of the other files."""
        analysis = wave.analysis
        found = {file: [self.diagnostic(one, file, analysis) for one in own] for file, own in wave.diagnostics.items()}
        if wave.name == "syntax":
            if found[path]:
                self.tell(home_of(path), {**self.found.get(home_of(path), {}), **found})
            return
        self.tell(home_of(path), found)

    async def edited(self, path: Path) -> None:
        """The waves after an edit, then those of the other stacks that have the file; a newer edit stops them."""
        mark = self.edits[path] = self.edits.get(path, 0) + 1
        if not await self.follow(path, path, mark):
            return
        for other in self.language.stacks_with(path):
            await asyncio.sleep(PAUSE)
            if not await self.follow(other, path, mark):
                return
        await asyncio.sleep(IDLE)
        if self.edits.get(path) == mark:
            await self.find_usage(path)

    async def follow(self, path: Path, edited: Path, mark: int) -> bool:
        """Tell the waves of one stack; False where a newer edit came between."""
        for wave in self.language.waves(path):
            if self.edits.get(edited) != mark:
                return False
            self.tell_wave(path, wave)
            await asyncio.sleep(PAUSE if wave.name == "syntax" else 0)
        return self.edits.get(edited) == mark

    async def check_all(self) -> None:
        """The disk has changed: what is open is checked anew, once for each stack."""
        self.language.changed_on_disk()
        for path in {home_of(path): path for path in self.language.versions}.values():
            await self.edited(path)

    def forget(self, path: Path) -> None:
        """A file is closed: what its stack has found goes with the last of its files."""
        self.edits.pop(path, None)
        self.language.close(path)
        if not any(home_of(one) == home_of(path) for one in self.language.versions):
            self.tell(home_of(path), {})
            self.found.pop(home_of(path), None)

    # ------------------------------------------------------------ scenarios

    async def find_usage(self, path: Path) -> None:
        """Find which scenarios use what, a step after another, so that questions are answered in between."""
        home = home_of(path)
        task = self.running.get(home)
        if task is None or task.done():
            task = self.running[home] = asyncio.create_task(self.step_through(path))
        with suppress(asyncio.CancelledError):
            await asyncio.shield(task)

    async def step_through(self, path: Path) -> None:
        edits = dict(self.edits)
        for _ in self.language.find_usage(path):
            await asyncio.sleep(0.001)
            if self.edits != edits:
                return


def path_of(uri: str) -> Path | None:
    """The file of an address, if it is one of ours."""
    try:
        name = to_fs_path(uri)
        path = Path(name).resolve() if name else None
    except (ValueError, OSError, RuntimeError):
        return None
    return path if path is not None and path.suffix in KNOWN and uri.startswith("file:") else None


def uri_of(path: Path) -> str:
    return from_fs_path(str(path)) or path.as_uri()


def locations(server: Server, found: Iterable[Location]) -> list[lsp.Location]:
    return [server.location(one) for one in found]
