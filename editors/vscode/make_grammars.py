"""Makes the TextMate grammars from the words of the language: `python editors/vscode/make_grammars.py`.

The words of the rules come from the keywords of the parser and the records of the primitives, those of the tables from
the shapes that they are read into; so the grammars cannot say anything else. A test compares what is in `syntaxes/`.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import attrs

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1]))  # from a checkout that is not installed

from warlock_dsl import DECLARING, KEYWORDS, MARKS, NAMED_TYPES, RECORDS, SECTIONS, VERBS, value_types  # noqa: E402

NUMBER = r"\b[0-9]+(\.[0-9]+)?\b"
COMMENT = {"name": "comment.line.number-sign", "match": "#.*$"}


def words(names: Iterable[str]) -> str:
    """A pattern of whole words, the longest first."""
    return rf"\b({'|'.join(sorted(set(names), key=lambda name: (-len(name), name)))})\b"


def rules() -> dict[str, Any]:
    """The grammar of `.warlock` files."""
    operators = {"and", "or", "not", "is", "has"}
    truths = {"true", "false"}
    functions = [one.name for one in RECORDS.values() if one.kind in ("function", "keyed")]
    rest = KEYWORDS - {*DECLARING, *VERBS} - operators - truths
    declared = words(DECLARING)
    return {
        "scopeName": "source.warlock",
        "name": "Warlock rules",
        "patterns": [
            COMMENT,
            {
                "match": rf'^(@)({"|".join(MARKS)})\s*("[^"]*")?',
                "captures": {
                    "1": {"name": "punctuation.definition.annotation"},
                    "2": {"name": "storage.modifier.standing"},
                    "3": {"name": "string.quoted.double"},
                },
            },
            {"name": "string.quoted.double", "match": '"[^"]*"'},
            {
                "match": rf"^{declared}\s+([a-z_][a-z0-9_]*)(?:\[([a-z_][a-z0-9_]*)\])?",
                "captures": {
                    "1": {"name": "keyword.declaration"},
                    "2": {"name": "entity.name.function"},
                    "3": {"name": "entity.name.function.member"},
                },
            },
            {"name": "support.type", "match": rf"(?:(?<=: )|(?<=: \[)){words(NAMED_TYPES)}(?=[\],)])"},
            {"name": "variable.other.property", "match": r"(?<=\.)(?!\.)[a-z_][a-z0-9_]*"},
            {"name": "keyword.operator.word", "match": words(operators)},
            {"name": "constant.language", "match": words(truths)},
            {"name": "keyword.control", "match": words(VERBS)},
            {"name": "keyword.other", "match": words(rest)},
            {"name": "variable.language", "match": words(value_types())},
            {"name": "support.function", "match": words(functions) + r"(?=\s*\()"},
            {"name": "constant.numeric", "match": NUMBER},
            {"name": "entity.name.function.call", "match": r"\b[a-z_][a-z0-9_]*(?=\s*\()"},
            {"name": "keyword.operator", "match": r"<=|>=|\.\.|[<>+*=-]"},
            {"name": "variable.other", "match": r"\b[a-z_][a-z0-9_]*\b"},
        ],
    }


def tables() -> dict[str, Any]:
    """The grammar of tables: TOML, whose sections and keys are known."""
    keys = {field.name.rstrip("_") for shape in SECTIONS.values() if attrs.has(shape) for field in attrs.fields(shape)}
    overlay = ("overlay", "change", "add", "remove", "replace", "drop", "order", "parameter")
    return {
        "scopeName": "source.warlock-table",
        "name": "Warlock tables",
        "patterns": [
            COMMENT,
            {
                "match": rf"^\s*(\[\[?)\s*{words((*SECTIONS, *overlay))}([^\]]*)(\]\]?)",
                "captures": {
                    "1": {"name": "punctuation.definition.table"},
                    "2": {"name": "keyword.declaration.section"},
                    "3": {"name": "entity.name.section"},
                    "4": {"name": "punctuation.definition.table"},
                },
            },
            {"name": "entity.name.section", "match": r"^\s*\[\[?[^\]]*\]\]?"},
            {"name": "keyword.other.standing", "match": words(MARKS) + r"(?=\s*=)"},
            {"name": "support.type.property-name", "match": words(keys) + r"(?=\s*=)"},
            {"name": "variable.other.key", "match": r'("[^"]*"|[A-Za-z0-9_-]+)(?=\s*(\.[\w".-]+\s*)?=)'},
            {"name": "string.quoted.triple", "begin": '"""', "end": '"""'},
            {"name": "string.quoted.double", "match": r'"(\\.|[^"\\])*"'},
            {"name": "string.quoted.single", "match": "'[^']*'"},
            {"name": "constant.language", "match": words(("true", "false"))},
            {"name": "constant.numeric", "match": r"[+-]?\b[0-9][0-9_]*(\.[0-9]+)?\b"},
        ],
    }


def grammars() -> dict[str, str]:
    """The text of each grammar by its file."""
    made = {"warlock.tmLanguage.json": rules(), "warlock-table.tmLanguage.json": tables()}
    return {name: json.dumps(grammar, indent=2, ensure_ascii=False) + "\n" for name, grammar in made.items()}


def main() -> None:
    for name, text in grammars().items():
        (HERE / "syntaxes" / name).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
