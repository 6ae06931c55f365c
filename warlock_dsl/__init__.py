"""The language: from the texts of a ruleset to a checked program. What the other packages use is listed here.

A name is imported from its module when it is first asked for: a command that reads a checked ruleset from the cache
has no use for the checker.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from warlock_dsl.cache import entries_folder, read_entry, write_entry
    from warlock_dsl.check.context import HOLE, Seen
    from warlock_dsl.check.foresight.stated_totals import StatedTotal, conditions, stated_totals
    from warlock_dsl.check.fragment import CallFragment, Fragment, Fragments
    from warlock_dsl.check.guards.unforeseen import overlay_of, unrelated_hooks
    from warlock_dsl.check.laws.properties import Property
    from warlock_dsl.check.names import names_of
    from warlock_dsl.check.rule_summary import private_slots
    from warlock_dsl.check.texts.lint_names import MissingName, missing_names
    from warlock_dsl.check.uses import uses_of
    from warlock_dsl.diagnostics.collect import DiagnosticList, quoted
    from warlock_dsl.diagnostics.diagnostic import (
        NOWHERE,
        Diagnostic,
        Fix,
        Related,
        Severity,
        Span,
        Suggestion,
        TextEdit,
        closest,
        suggest,
    )
    from warlock_dsl.diagnostics.fixes import fixes_of, place_of_word
    from warlock_dsl.diagnostics.render import excerpt, render_json, render_text, visible
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
    from warlock_dsl.gather import Gathered
    from warlock_dsl.gather import gather as gather_texts
    from warlock_dsl.index import Index, index_of
    from warlock_dsl.index_tables import REMOVED
    from warlock_dsl.limits import MAX_FILE_BYTES
    from warlock_dsl.load import Loading, check_gathered, finish_gathered, load_files, load_gathered
    from warlock_dsl.load import load as load_ruleset
    from warlock_dsl.load import result as loaded_so_far
    from warlock_dsl.memo import kept_by_identity
    from warlock_dsl.overlay.addresses import address_place, value_at
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
    from warlock_dsl.overlay.stale import Stale, by_address, plain_text, stale
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
    from warlock_dsl.quick_load import load_for_play
    from warlock_dsl.reference import FORMS, Form
    from warlock_dsl.ruleset import Draft, Loaded, Ruleset
    from warlock_dsl.serialize import ArchiveError, pack_ruleset, unpack_ruleset
    from warlock_dsl.sight import counted_by_all, keeps_secrets, seen_by_all, seen_by_owner_alone, sight_facts, viewers
    from warlock_dsl.signatures import NAMED as NAMED_TYPES
    from warlock_dsl.signatures import Either
    from warlock_dsl.signatures import signatures as primitive_signatures
    from warlock_dsl.signatures import values as value_types
    from warlock_dsl.stack import Stack, Use, is_plain_name, parse_stack
    from warlock_dsl.symbols import Place, Symbol, Symbols
    from warlock_dsl.syntax.keywords import AGAINST, DECLARING, KEYWORDS, MARKS, STANDINGS, VERBS, is_name
    from warlock_dsl.syntax.parse import parse
    from warlock_dsl.syntax.walk import fields_of, nodes
    from warlock_dsl.tables.citations import parse_cite
    from warlock_dsl.tables.fallback import by_preference, words_of
    from warlock_dsl.tables.grids import SHAPES as GRID_SHAPES
    from warlock_dsl.tables.grids import lines_through
    from warlock_dsl.tables.merge import is_catalogue
    from warlock_dsl.tables.schema import SECTIONS
    from warlock_dsl.tables.toml_spans import read_toml, toml_error, toml_errors
    from warlock_dsl.tables.toml_writer import table_text
    from warlock_dsl.tables.values import plain_value
    from warlock_dsl.user_folders import state_folder

_HOMES = {
    "place_of_word": "diagnostics.fixes",
    "KEYWORDS": "syntax.keywords",
    "VERBS": "syntax.keywords",
    "DECLARING": "syntax.keywords",
    "Symbols": "symbols",
    "SECTIONS": "tables.schema",
    "HOLE": "check.context",
    "Seen": "check.context",
    "FORMS": "reference",
    "Form": "reference",
    "entries_folder": "cache",
    "read_entry": "cache",
    "write_entry": "cache",
    "StatedTotal": "check.foresight.stated_totals",
    "conditions": "check.foresight.stated_totals",
    "stated_totals": "check.foresight.stated_totals",
    "CallFragment": "check.fragment",
    "Fragment": "check.fragment",
    "Fragments": "check.fragment",
    "overlay_of": "check.guards.unforeseen",
    "unrelated_hooks": "check.guards.unforeseen",
    "MissingName": "check.texts.lint_names",
    "missing_names": "check.texts.lint_names",
    "names_of": "check.names",
    "Property": "check.laws.properties",
    "private_slots": "check.rule_summary",
    "uses_of": "check.uses",
    "DiagnosticList": "diagnostics.collect",
    "quoted": "diagnostics.collect",
    "Diagnostic": "diagnostics.diagnostic",
    "NOWHERE": "diagnostics.diagnostic",
    "Related": "diagnostics.diagnostic",
    "Severity": "diagnostics.diagnostic",
    "Span": "diagnostics.diagnostic",
    "closest": "diagnostics.diagnostic",
    "suggest": "diagnostics.diagnostic",
    "excerpt": "diagnostics.render",
    "render_json": "diagnostics.render",
    "render_text": "diagnostics.render",
    "visible": "diagnostics.render",
    "FoundRuleset": "files",
    "available": "files",
    "available_overlays": "files",
    "default_roots": "files",
    "find_overlay": "files",
    "find_ruleset": "files",
    "is_shipped": "files",
    "read_folder": "files",
    "rules_roots": "files",
    "stack_of": "files",
    "number_figure": "format.expressions",
    "declaration_text": "format.formatter",
    "format_text": "format.formatter",
    "Gathered": "gather",
    "gather_texts": "gather:gather",
    "MAX_FILE_BYTES": "limits",
    "load_ruleset": "load:load",
    "load_files": "load",
    "load_for_play": "quick_load",
    "load_gathered": "load",
    "kept_by_identity": "memo",
    "address_place": "overlay.addresses",
    "value_at": "overlay.addresses",
    "Applied": "overlay.apply",
    "Layer": "overlay.apply",
    "Unit": "overlay.derive",
    "built_on": "overlay.derive",
    "derive": "overlay.derive",
    "graft": "overlay.derive",
    "overlay_files": "overlay.derive",
    "unit_text": "overlay.derive",
    "OVERLAY_FILE": "overlay.read",
    "OVERLAY_NAME": "overlay.read",
    "Overlay": "overlay.read",
    "declaration_address": "overlay.read",
    "declaration_digest": "overlay.read",
    "read_overlay": "overlay.read",
    "Stale": "overlay.stale",
    "by_address": "overlay.stale",
    "plain_text": "overlay.stale",
    "stale": "overlay.stale",
    "FUNCTIONS": "primitives",
    "FUNCTION_NAMES": "primitives",
    "KEYED_NAMES": "primitives",
    "RECORDS": "primitives",
    "Reads": "primitives",
    "VALUE_NAMES": "primitives",
    "assumed": "primitives",
    "reads_me": "primitives",
    "Draft": "ruleset",
    "Loaded": "ruleset",
    "Ruleset": "ruleset",
    "ArchiveError": "serialize",
    "pack_ruleset": "serialize",
    "unpack_ruleset": "serialize",
    "Either": "signatures",
    "primitive_signatures": "signatures:signatures",
    "NAMED_TYPES": "signatures:NAMED",
    "value_types": "signatures:values",
    "Stack": "stack",
    "Fix": "diagnostics.diagnostic",
    "TextEdit": "diagnostics.diagnostic",
    "Suggestion": "diagnostics.diagnostic",
    "REMOVED": "index_tables",
    "fixes_of": "diagnostics.fixes",
    "Index": "index",
    "index_of": "index",
    "Place": "symbols",
    "Symbol": "symbols",
    "read_toml": "tables.toml_spans",
    "toml_error": "tables.toml_spans",
    "toml_errors": "tables.toml_spans",
    "Loading": "load",
    "check_gathered": "load",
    "finish_gathered": "load",
    "loaded_so_far": "load:result",
    "Use": "stack",
    "is_plain_name": "stack",
    "parse_stack": "stack",
    "AGAINST": "syntax.keywords",
    "MARKS": "syntax.keywords",
    "STANDINGS": "syntax.keywords",
    "is_name": "syntax.keywords",
    "parse": "syntax.parse",
    "fields_of": "syntax.walk",
    "nodes": "syntax.walk",
    "parse_cite": "tables.citations",
    "by_preference": "tables.fallback",
    "words_of": "tables.fallback",
    "lines_through": "tables.grids",
    "GRID_SHAPES": "tables.grids:SHAPES",
    "is_catalogue": "tables.merge",
    "keeps_secrets": "sight",
    "counted_by_all": "sight",
    "seen_by_all": "sight",
    "seen_by_owner_alone": "sight",
    "sight_facts": "sight",
    "viewers": "sight",
    "table_text": "tables.toml_writer",
    "plain_value": "tables.values",
    "state_folder": "user_folders",
}

__all__ = [
    "AGAINST",
    "DECLARING",
    "FORMS",
    "FUNCTIONS",
    "FUNCTION_NAMES",
    "GRID_SHAPES",
    "HOLE",
    "KEYED_NAMES",
    "KEYWORDS",
    "MARKS",
    "MAX_FILE_BYTES",
    "NAMED_TYPES",
    "NOWHERE",
    "OVERLAY_FILE",
    "OVERLAY_NAME",
    "RECORDS",
    "REMOVED",
    "SECTIONS",
    "STANDINGS",
    "VALUE_NAMES",
    "VERBS",
    "Applied",
    "ArchiveError",
    "CallFragment",
    "Diagnostic",
    "DiagnosticList",
    "Draft",
    "Either",
    "Fix",
    "Form",
    "FoundRuleset",
    "Fragment",
    "Fragments",
    "Gathered",
    "Index",
    "Layer",
    "Loaded",
    "Loading",
    "MissingName",
    "Overlay",
    "Place",
    "Property",
    "Reads",
    "Related",
    "Ruleset",
    "Seen",
    "Severity",
    "Span",
    "Stack",
    "Stale",
    "StatedTotal",
    "Suggestion",
    "Symbol",
    "Symbols",
    "TextEdit",
    "Unit",
    "Use",
    "address_place",
    "assumed",
    "available",
    "available_overlays",
    "built_on",
    "by_address",
    "by_preference",
    "check_gathered",
    "closest",
    "conditions",
    "counted_by_all",
    "declaration_address",
    "declaration_digest",
    "declaration_text",
    "default_roots",
    "derive",
    "entries_folder",
    "excerpt",
    "fields_of",
    "find_overlay",
    "find_ruleset",
    "finish_gathered",
    "fixes_of",
    "format_text",
    "gather_texts",
    "graft",
    "index_of",
    "is_catalogue",
    "is_name",
    "is_plain_name",
    "is_shipped",
    "keeps_secrets",
    "kept_by_identity",
    "lines_through",
    "load_files",
    "load_for_play",
    "load_gathered",
    "load_ruleset",
    "loaded_so_far",
    "missing_names",
    "names_of",
    "nodes",
    "number_figure",
    "overlay_files",
    "overlay_of",
    "pack_ruleset",
    "parse",
    "parse_cite",
    "parse_stack",
    "place_of_word",
    "plain_text",
    "plain_value",
    "primitive_signatures",
    "private_slots",
    "quoted",
    "read_entry",
    "read_folder",
    "read_overlay",
    "read_toml",
    "reads_me",
    "render_json",
    "render_text",
    "rules_roots",
    "seen_by_all",
    "seen_by_owner_alone",
    "sight_facts",
    "stack_of",
    "stale",
    "state_folder",
    "stated_totals",
    "suggest",
    "table_text",
    "toml_error",
    "toml_errors",
    "unit_text",
    "unpack_ruleset",
    "unrelated_hooks",
    "uses_of",
    "value_at",
    "value_types",
    "viewers",
    "visible",
    "words_of",
    "write_entry",
]


def __getattr__(name: str) -> Any:
    home, _, own = _HOMES.get(name, "").partition(":")
    if not home:
        raise AttributeError(f"module 'warlock_dsl' has no attribute '{name}'")
    found = globals()[name] = getattr(import_module(f"warlock_dsl.{home}"), own or name)
    return found
