"""From a name to a checked ruleset: its files are found and read, then taken through `STAGES`, one after another.

A stage is a function of what came before: it takes a `Loading` and gives one with more in it. None calls another, and
none changes what it was given. No error stops the way: each stage does what can be done with what there is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from attrs import evolve, field, frozen

from warlock_dsl.check.check import lint, resolve
from warlock_dsl.check.context import CheckInput, Seen
from warlock_dsl.check.laws.properties import Property
from warlock_dsl.check.program import Program
from warlock_dsl.check.suppress import doubts
from warlock_dsl.diagnostics.collect import DiagnosticList
from warlock_dsl.diagnostics.diagnostic import Diagnostic, Severity, Span
from warlock_dsl.files import content_digest, std_files
from warlock_dsl.gather import Gathered, gather
from warlock_dsl.limits import MAX_RULES, MAX_TOLD
from warlock_dsl.overlay import apply
from warlock_dsl.overlay.apply_rules import change_rules
from warlock_dsl.overlay.apply_tables import Written, at_home, change_tables
from warlock_dsl.overlay.changes import Claims, Layer
from warlock_dsl.overlay.read import Overlay
from warlock_dsl.overlay.read_stack import read_overlays
from warlock_dsl.ruleset import Draft, Final, Loaded, Ruleset
from warlock_dsl.stack import Stack, Use
from warlock_dsl.syntax.parse import parse
from warlock_dsl.syntax.tree import Module, Rule
from warlock_dsl.tables.citations import check_cite
from warlock_dsl.tables.components import Components
from warlock_dsl.tables.merge import Document, merge_files
from warlock_dsl.tables.names import read_names
from warlock_dsl.tables.read import read_components
from warlock_dsl.tables.totals import check_totals


def load(name: str, roots: Sequence[Path] | None = None) -> Loaded:
    """The ruleset of this name (or in this folder), overlays included, with every error found."""
    return load_gathered(gather(name, roots))


def load_gathered(found: Gathered) -> Loaded:
    """The ruleset of the texts that were read, with every error found."""
    return finish_gathered(check_gathered(found))


def check_gathered(found: Gathered) -> Loading:
    """The same up to the lints: what is wrong is known, and sooner."""
    if not found.name:
        return begin({}, "", found.missing, ()).having(refused=True)
    return check_files(found.files, found.name, (*found.errors, *found.missing), found.overlays)


def finish_gathered(loading: Loading) -> Loaded:
    """What was checked, with the lints and the ruleset."""
    for stage in () if loading.refused else FINISHING:
        loading = stage(loading)
    return result(loading)


def load_files(
    files: Mapping[str, str],
    name: str,
    errors: Sequence[Diagnostic] = (),
    overlays: Sequence[tuple[Use, Mapping[str, str]]] = (),
) -> Loaded:
    """The ruleset these files make, the standard library beside them and the overlays on them."""
    return finish_gathered(check_files(files, name, errors, overlays))


def check_files(
    files: Mapping[str, str],
    name: str,
    errors: Sequence[Diagnostic] = (),
    overlays: Sequence[tuple[Use, Mapping[str, str]]] = (),
) -> Loading:
    """The same up to the lints."""
    loading = begin(files, name, errors, overlays)
    long = too_long(loading.sources)
    if long is not None:
        return loading.having([long], refused=True)
    for stage in CHECKING:
        loading = stage(loading)
    return loading


def too_long(files: Mapping[str, str]) -> Diagnostic | None:
    """The error of rules that would take too long to read, though no single file does."""
    length = 0
    for path in sorted(files):
        length += len(files[path]) if path.endswith(".warlock") else 0
        if length > MAX_RULES:
            message = f"with this file the rules have more than {MAX_RULES:,} characters; none of them are read"
            return Diagnostic("W100", message, Span(path, 1, 1, 1, 2))
    return None


# ---------------------------------------------------------------- what the stages pass on


@frozen(kw_only=True)
class Loading:
    """A ruleset on its way: its texts, every error so far, and what the stages made of it."""

    name: str
    files: Mapping[str, str]  # of the game, by their path in its folder
    stack: tuple[tuple[Use, Mapping[str, str]], ...]  # the overlays asked for, with their files
    library: Mapping[str, str]
    sources: Mapping[str, str]  # all texts, by the names that places of errors have
    diagnostics: tuple[Diagnostic, ...]
    overlays: tuple[Overlay, ...] = ()
    document: Document = field(factory=Document)
    tables: Mapping[str, str] = field(factory=dict)  # the files of the game as overlays left them
    written: Written = field(factory=dict)
    claims: Claims = field(factory=Claims)  # which overlay changed what
    components: Components | None = None
    modules: tuple[Module, ...] = ()  # of the library and the game
    added: Mapping[str, tuple[Module, ...]] = field(factory=dict)  # of each overlay
    program: Program | None = None
    seen: tuple[Seen, ...] = ()  # every name of the rules, as it was resolved
    properties: tuple[Property, ...] = ()
    ruleset: Ruleset | None = None
    refused: bool = False  # not read at all

    def having(self, errors: Iterable[Diagnostic] = (), **found: Any) -> Loading:
        """The same with more errors and with what was found."""
        return evolve(self, diagnostics=(*self.diagnostics, *errors), **found)

    @property
    def sound(self) -> bool:
        return not any(error.severity is Severity.ERROR for error in self.diagnostics)

    @property
    def layers(self) -> tuple[Layer, ...]:
        return apply.layers_of(self.overlays, self.claims)


NOT_THERE = ("W608", "W615")  # a change of what does not exist, a replacement by what does not
Stage = Callable[[Loading], Loading]


def begin(
    files: Mapping[str, str],
    name: str,
    errors: Sequence[Diagnostic],
    overlays: Sequence[tuple[Use, Mapping[str, str]]],
) -> Loading:
    library = std_files() if name else {}
    sources = {**library, **files}
    sources |= {f"+{use.name}/{file}": text for use, more in overlays for file, text in more.items()}
    return Loading(
        name=name,
        files=files,
        stack=tuple(overlays),
        library=library,
        sources=sources,
        diagnostics=tuple(errors),
        tables=dict(files),
    )


def result(loading: Loading) -> Loaded:
    """What loading gives, when all stages are done."""
    final = None
    if loading.components is not None:
        pieces = {file: text for file, text in loading.tables.items() if file.endswith(".csv")}
        final = Final(loading.document.tree, pieces, loading.components.names, loading.modules)
    errors = _fewer(loading.diagnostics)
    draft = None
    if loading.components is not None and loading.program is not None:
        draft = Draft(loading.components, loading.program, loading.layers, loading.seen)
    return Loaded(loading.ruleset, errors, loading.sources, loading.name, loading.files, loading.stack, final, draft)


def _fewer(found: Sequence[Diagnostic]) -> tuple[Diagnostic, ...]:
    """The errors; where they are too many to be read, errors before warnings before notes."""
    if len(found) <= MAX_TOLD:
        return tuple(found)
    order = list(Severity)
    ranked = sorted(found, key=lambda error: order.index(error.severity))
    text = f"{len(found) - MAX_TOLD:,} further errors are not shown"
    last = Diagnostic("W299", text, ranked[MAX_TOLD - 1].span, severity=Severity.NOTE)
    return (*ranked[:MAX_TOLD], last)


# ---------------------------------------------------------------- the stages, in their order


def choose_overlays(loading: Loading) -> Loading:
    """The overlays that can be applied: read, and such as fit together."""
    overlays, errors = read_overlays(loading.stack, loading.name)
    return loading.having(errors, overlays=overlays)


def merge_tables(loading: Loading) -> Loading:
    """The TOML files of the game as one document."""
    return loading.having(document=merge_files(loading.files))


def apply_to_tables(loading: Loading) -> Loading:
    """The changes of the overlays to that document and to the files of pieces."""
    if not loading.overlays:
        return loading
    claims = loading.claims.copy()
    document, tables, written = change_tables(loading.overlays, loading.document, loading.files, claims)
    return loading.having(document=document, tables=tables, written=written, claims=claims)


def parse_rules(loading: Loading) -> Loading:
    """The rules of the library, the game and the overlays."""
    errors: list[Diagnostic] = []
    modules = (*_parsed(loading.library, errors), *_parsed(loading.files, errors))
    added = {overlay.name: _parsed(overlay.files, errors) for overlay in loading.overlays}
    return loading.having(errors, modules=modules, added=added)


def _parsed(files: Mapping[str, str], errors: list[Diagnostic]) -> tuple[Module, ...]:
    modules = []
    for path in sorted(files):
        if path.endswith(".warlock"):
            module, found = parse(files[path], path)
            modules.append(module)
            errors += found
    return tuple(modules)


def apply_to_rules(loading: Loading) -> Loading:
    """The changes of the overlays to the rules."""
    claims = loading.claims.copy()
    modules = change_rules(loading.overlays, loading.modules, loading.added, claims)
    return loading.having(modules=tuple(modules), claims=claims)


def families_of(modules: Iterable[Module]) -> dict[str, tuple[str, ...]]:
    """The families of the rules and the keys of each, in the order of their definition: they are types of tables."""
    found: dict[str, dict[str, None]] = {}
    for module in modules:
        for one in module.declarations:
            if isinstance(one, Rule) and one.key is not None and one.hook is None:
                found.setdefault(one.name.text, {})[one.key.text] = None
    return {name: tuple(keys) for name, keys in found.items()}


def shape_tables(loading: Loading) -> Loading:
    """The components of the game, from the document; None after errors that leave too much unknown."""
    families = families_of(loading.modules)
    components, errors = read_components(loading.document, loading.tables, loading.name, families)
    unread = doubts(loading.diagnostics, loading.sources)  # a family of which nothing could be read is no unknown type
    told = [error for error in errors if error.code != "W207" or not unread.about(error)]
    return loading.having((at_home(error, loading.written) for error in told), components=components)


def apply_to_names(loading: Loading) -> Loading:
    """The catalogues of the overlays over those of the game."""
    if loading.components is None or not loading.overlays:
        return loading
    errors: list[Diagnostic] = []
    entries = {}
    for overlay in loading.overlays:
        own = DiagnosticList()
        entries[overlay.name] = read_names(overlay.files, own)
        errors += own.all()
    claims = loading.claims.copy()
    names = apply.change_names(loading.overlays, loading.components.names, entries, claims)
    return loading.having(errors, components=evolve(loading.components, names=names), claims=claims)


def report_overlays(loading: Loading) -> Loading:
    """What is wrong with the changes of the overlays, and what they warn of themselves.

    Something that is not there to be changed or replaced, only because it could not be read, is no error of its own.
    """
    unread = doubts(loading.diagnostics, loading.sources)
    found = loading.claims.errors.all()
    errors = [error for error in found if error.code not in NOT_THERE or not unread.about(error)]
    return loading.having([*errors, *apply.warnings(loading.overlays, loading.claims)])


def check_sources(loading: Loading) -> Loading:
    """Changes that cite a source nobody knows; what they put into the tables was looked at there."""
    components = loading.components
    if components is None or not components.ledger:
        return loading
    known = {*components.ledger, *components.rulings, *components.differences}
    cites = [cite for overlay in loading.overlays for edit in overlay.edits for cite in edit.cites]
    return loading.having(error for cite in cites for error in check_cite(cite, known))


def check_sums(loading: Loading) -> Loading:
    """Totals that their parts do not add up to."""
    return loading.having(check_totals(loading.components, loading.layers) if loading.components else ())


def report_idle_overlays(loading: Loading) -> Loading:
    """Overlays that change nothing, unless an error may be the reason."""
    return loading.having(apply.idle(loading.overlays, loading.claims) if loading.sound else ())


def check_rules(loading: Loading) -> Loading:
    """The checked program; an error that only follows from one before is left out."""
    if loading.components is None:
        return loading
    unread = doubts(loading.diagnostics, loading.sources)
    found = resolve(loading.modules, loading.components)
    errors = (error for error in found.diagnostics if not unread.about(error))
    return loading.having(errors, program=found.program, seen=found.seen, properties=found.properties)


def lint_rules(loading: Loading) -> Loading:
    """What is never used, and which texts are missing; not where nothing begins, as nothing is in use then."""
    program, components = loading.program, loading.components
    if program is None or components is None or program.start < 0:
        return loading
    suspects = doubts(loading.diagnostics, loading.sources)
    retired = frozenset(loading.claims.retired)
    layers, properties = loading.layers, loading.properties
    given = CheckInput(program, components, loading.modules, layers, retired, suspects, properties)
    return loading.having(lint(given))


def make_ruleset(loading: Loading) -> Loading:
    """The ruleset, if there was no error."""
    program, components = loading.program, loading.components
    if program is None or components is None or program.start < 0 or not loading.sound:
        return loading
    stack = Stack(loading.name, tuple(use for use, _ in loading.stack))
    digest = content_digest({**loading.sources, "+": str(stack)} if loading.stack else loading.sources)
    made = Ruleset(str(stack), digest[:16], components, program, loading.layers, digest, loading.properties)
    return loading.having(ruleset=made)


CHECKING: tuple[Stage, ...] = (
    choose_overlays,
    merge_tables,
    apply_to_tables,
    parse_rules,
    apply_to_rules,
    shape_tables,
    apply_to_names,
    report_overlays,
    check_sources,
    check_sums,
    report_idle_overlays,
    check_rules,
)
FINISHING: tuple[Stage, ...] = (lint_rules, make_ruleset)
STAGES = (*CHECKING, *FINISHING)
