"""The language: from the texts of a ruleset to a checked program. What the other packages use is listed here."""

from warlock_dsl.check.fragment import CallFragment, Fragment, Fragments
from warlock_dsl.check.lint_names import MissingName, missing_names
from warlock_dsl.check.names import names_of
from warlock_dsl.check.uses import uses_of
from warlock_dsl.diagnostics.collect import DiagnosticList, quoted
from warlock_dsl.diagnostics.diagnostic import NOWHERE, Diagnostic, Related, Severity, Span, closest, suggest
from warlock_dsl.diagnostics.render import render_json, render_text
from warlock_dsl.files import (
    FoundRuleset,
    available,
    available_overlays,
    default_roots,
    find_overlay,
    find_ruleset,
    is_shipped,
    read_folder,
    rules_roots,
    stack_of,
)
from warlock_dsl.format.expressions import number_figure
from warlock_dsl.format.formatter import declaration_text, format_text
from warlock_dsl.gather import Gathered, gather
from warlock_dsl.limits import MAX_FILE_BYTES
from warlock_dsl.load import load, load_files, load_gathered
from warlock_dsl.overlay.addresses import address_place
from warlock_dsl.overlay.apply import Applied, Layer
from warlock_dsl.overlay.derive import Unit, built_on, derive, graft, overlay_files, unit_text
from warlock_dsl.overlay.read import (
    OVERLAY_FILE,
    OVERLAY_NAME,
    Overlay,
    declaration_address,
    declaration_digest,
    read_overlay,
)
from warlock_dsl.primitives import (
    FUNCTION_NAMES,
    FUNCTIONS,
    KEYED_NAMES,
    RECORDS,
    VALUE_NAMES,
    Reads,
    assumed,
    reads_me,
)
from warlock_dsl.ruleset import Loaded, Ruleset
from warlock_dsl.serialize import ArchiveError, pack_ruleset, unpack_ruleset
from warlock_dsl.signatures import Either, signatures
from warlock_dsl.stack import Stack, Use, parse_stack
from warlock_dsl.syntax.keywords import STANDINGS, is_name
from warlock_dsl.syntax.parse import parse
from warlock_dsl.syntax.walk import fields_of, nodes
from warlock_dsl.tables.citations import parse_cite
from warlock_dsl.tables.fallback import by_preference, words_of
from warlock_dsl.tables.grids import lines_through
from warlock_dsl.tables.merge import is_catalogue
from warlock_dsl.tables.toml_writer import table_text
from warlock_dsl.tables.values import plain_value
from warlock_dsl.user_folders import cache_folder, is_private, state_folder

__all__ = [
    "FUNCTIONS",
    "FUNCTION_NAMES",
    "KEYED_NAMES",
    "MAX_FILE_BYTES",
    "NOWHERE",
    "OVERLAY_FILE",
    "OVERLAY_NAME",
    "RECORDS",
    "STANDINGS",
    "VALUE_NAMES",
    "Applied",
    "ArchiveError",
    "CallFragment",
    "Diagnostic",
    "DiagnosticList",
    "Either",
    "FoundRuleset",
    "Fragment",
    "Fragments",
    "Gathered",
    "Layer",
    "Loaded",
    "MissingName",
    "Overlay",
    "Reads",
    "Related",
    "Ruleset",
    "Severity",
    "Span",
    "Stack",
    "Unit",
    "Use",
    "address_place",
    "assumed",
    "available",
    "available_overlays",
    "built_on",
    "by_preference",
    "cache_folder",
    "closest",
    "declaration_address",
    "declaration_digest",
    "declaration_text",
    "default_roots",
    "derive",
    "fields_of",
    "find_overlay",
    "find_ruleset",
    "format_text",
    "gather",
    "graft",
    "is_catalogue",
    "is_name",
    "is_private",
    "is_shipped",
    "lines_through",
    "load",
    "load_files",
    "load_gathered",
    "missing_names",
    "names_of",
    "nodes",
    "number_figure",
    "overlay_files",
    "pack_ruleset",
    "parse",
    "parse_cite",
    "parse_stack",
    "plain_value",
    "quoted",
    "read_folder",
    "read_overlay",
    "reads_me",
    "render_json",
    "render_text",
    "rules_roots",
    "signatures",
    "stack_of",
    "state_folder",
    "suggest",
    "table_text",
    "unit_text",
    "unpack_ruleset",
    "uses_of",
    "words_of",
]
