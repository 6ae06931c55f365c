"""`warlock names`: the texts that the languages of a ruleset lack, each with a first draft, printed or written."""

from __future__ import annotations

import re
from argparse import ArgumentParser, Namespace
from collections.abc import Mapping, Sequence
from pathlib import Path

from warlock_dsl import Ruleset, is_shipped
from workbench.support.arguments import add_ruleset, output
from workbench.support.catalogues import catalogue_lines, write_catalogue
from workbench.support.errors import UsageError
from workbench.support.missing_texts import Missing, first_drafts, missing_texts
from workbench.support.output import put_json, put_text, say
from workbench.support.rulesets import found_texts, roots, sound_ruleset

LANGUAGE = re.compile(r"[a-z]{2,3}(?:-[A-Za-z0-9]{2,8})?\Z")
EXAMPLES = (
    ("warlock names variants/maldorf/truce", "print what an overlay has no text for, in any of its languages"),
    ("warlock names variants/maldorf/truce --write", "write first drafts into the files names/*.toml of the overlay"),
    ("warlock names maldorf --lang es", "print what a translation of the whole game would have to say"),
)


def add_arguments(parser: ArgumentParser) -> None:
    what = parser.add_argument_group("what to look for")
    add_ruleset(what)
    about = "only this language, and everything it lacks (default: every language that is there)"
    what.add_argument("--lang", metavar="LANGUAGE", help=about)
    about = "write the drafts into names/*.toml of the topmost overlay, or of the game; what is there stays"
    output(parser).add_argument("--write", action="store_true", help=about)


def run(arguments: Namespace) -> int:
    """Print what is missing, or write it. Nothing that is missing is an error."""
    if arguments.lang and not LANGUAGE.match(arguments.lang):
        raise UsageError(f"'{arguments.lang[:20]}' is not the code of a language: en, fr, de and the like")
    where = roots(arguments)
    ruleset, _ = sound_ruleset(arguments.ruleset, where)
    missing, others = missing_texts(ruleset, arguments.lang or "")
    drafts = {language: first_drafts(ruleset, language, found) for language, found in missing.items()}
    written: list[str] = []
    if arguments.write and drafts:
        folder = found_texts(arguments.ruleset, where).folder
        assert folder is not None  # a sound ruleset has one
        written = _write(folder, drafts)
    if arguments.json:
        put_json(_data(ruleset, missing, others, drafts, written))
    else:
        _tell(ruleset, drafts, others, written)
    return 0


# ------------------------------------------------------------------------ writing


def _write(folder: Path, drafts: Mapping[str, Mapping[str, str]]) -> list[str]:
    if is_shipped(folder):
        raise UsageError(f"{folder} comes with Warlock and is left alone: begin an overlay with `warlock new variant`")
    files = {language: folder / "names" / f"{language}.toml" for language in drafts}
    for language, file in files.items():
        write_catalogue(file, drafts[language])
    here = Path.cwd()
    return [(file.relative_to(here) if file.is_relative_to(here) else file).as_posix() for file in files.values()]


# ------------------------------------------------------------------------ what is printed


def _tell(
    ruleset: Ruleset, drafts: Mapping[str, Mapping[str, str]], others: Sequence[str], written: Sequence[str]
) -> None:
    for language, texts in drafts.items() if not written else ():
        put_text(f"-- names/{language}.toml --\n{catalogue_lines(texts)}")
    for file in written:
        say(f"written: {file}")
    for overlay in others:
        say(f"more is missing below: see `warlock names {_up_to(ruleset, overlay)}`")
    if written:
        say("what is new there is a first draft: put it into the language")
    elif not drafts and not others:
        say(f"{ruleset.name}: no text is missing")


def _up_to(ruleset: Ruleset, overlay: str) -> str:
    """The stack with this overlay on top."""
    base, *parts = ruleset.name.split("+")
    names = [layer.name for layer in ruleset.layers]
    return "+".join((base, *parts[: names.index(overlay) + 1])) if overlay else base


def _data(
    ruleset: Ruleset,
    missing: Missing,
    others: Sequence[str],
    drafts: Mapping[str, Mapping[str, str]],
    written: Sequence[str],
) -> dict[str, object]:
    listed = {
        language: [
            {
                "key": one.key,
                "what": one.needed.why,
                "names": list(one.needed.names),
                "required": one.needed.required,
                "draft": drafts[language][one.key],
            }
            for one in found
        ]
        for language, found in missing.items()
    }
    below = [_up_to(ruleset, overlay) for overlay in others]
    return {"ruleset": ruleset.name, "missing": listed, "missing_below": below, "written": list(written)}
