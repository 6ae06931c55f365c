"""A ruleset that is only to be played: no lints, and tables that are as they were before are not read again.

Mutants, differences taken alone and sweeps are thousands of rulesets that hardly differ. What decides whether one can
be played is tested all the same: here and in `load` the same texts have a ruleset, and it is the same one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypeVar

from attrs import evolve

from warlock_dsl import load
from warlock_dsl.check.context import CheckInput
from warlock_dsl.check.suppress import doubts
from warlock_dsl.check.texts.lint_names import check_texts
from warlock_dsl.load import Loading
from warlock_dsl.ruleset import Loaded
from warlock_dsl.stack import Use

MAX_KEPT = 32  # of each: the rulesets of one run have few tables among them
Value = TypeVar("Value")
_read: dict[Any, Loading] = {}  # by texts: the tables as overlays left them
_shaped: dict[Any, tuple[Loading, Loading]] = {}  # by document and families: before, and with components


def load_for_play(
    files: Mapping[str, str], name: str, overlays: Sequence[tuple[Use, Mapping[str, str]]] = ()
) -> Loaded:
    """The ruleset of these texts, with every error, and with no warning or note that takes long to find."""
    loading = load.begin(files, name, (), overlays)
    too_long = load.too_long(loading.sources)
    if too_long is not None:
        return load.result(loading.having([too_long]))
    loading = _with_tables(loading)
    for stage in load.STAGES[load.STAGES.index(load.parse_rules) :]:
        if stage is load.shape_tables:
            loading = _with_components(loading)
        elif stage is load.lint_rules:
            loading = _with_texts(loading)
        else:
            loading = stage(loading)
    return load.result(loading)


def _with_tables(loading: Loading) -> Loading:
    """The stages before the rules are parsed, which read everything but the rules of the game."""
    data = tuple((file, text) for file, text in loading.files.items() if not file.endswith(".warlock"))
    stack = tuple((use.name, tuple(use.given.items()), tuple(more.items())) for use, more in loading.stack)
    key = (loading.name, data, stack)
    known = _read.get(key)
    if known is None:
        known = loading
        for stage in load.STAGES[: load.STAGES.index(load.parse_rules)]:
            known = stage(known)
        _kept(_read, key, known)
    rules = {file: text for file, text in loading.files.items() if file.endswith(".warlock")}
    return evolve(known, files=loading.files, sources=loading.sources, tables={**known.tables, **rules})


def _with_components(loading: Loading) -> Loading:
    """The components, which depend on the tables and on the families of the rules."""
    if not loading.sound:
        return load.shape_tables(loading)
    families = load.families_of(loading.modules)
    key = (id(loading.document), loading.name, tuple(families.items()))
    if key not in _shaped:
        _kept(_shaped, key, (loading, load.shape_tables(loading)))  # the document is kept, so that its id is
    before, after = _shaped[key]
    components = None if after.components is None else evolve(after.components, files=dict(loading.tables))
    return loading.having(after.diagnostics[len(before.diagnostics) :], components=components)


def _with_texts(loading: Loading) -> Loading:
    """The one lint that finds errors: texts that nothing shows, and names in them that are not there."""
    program, components = loading.program, loading.components
    if program is None or components is None or program.start < 0:
        return loading
    suspects, retired = doubts(loading.diagnostics, loading.sources), frozenset(loading.claims.retired)
    return loading.having(
        check_texts(CheckInput(program, components, loading.modules, loading.layers, retired, suspects))
    )


def _kept(memory: dict[Any, Value], key: Any, value: Value) -> None:
    while len(memory) >= MAX_KEPT:
        del memory[next(iter(memory))]
    memory[key] = value
