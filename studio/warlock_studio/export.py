"""Pages that need no server: a game or a comparison in one file, its script allowed by its hash and nothing else."""

from __future__ import annotations

import base64
import hashlib
import json
from html import escape

from warlock_studio.assets import asset
from warlock_studio.worker import Json, RefusedError
from workbench.pages.page import MARK

MAX_BYTES = 60_000_000


def game_page(title: str, lang: str, ruleset: str, frames: Json, told: str = "") -> str:
    """A game that can be stepped through. `told` says what was found in it."""
    return page({"kind": "game", "title": title, "lang": lang, "ruleset": ruleset, "told": told, **frames})


def comparison_page(report: Json, found: Json) -> str:
    """A comparison with the positions that were found for its differences."""
    lang = str(report["lang"])
    return page({"kind": "compare", "title": report["title"], "lang": lang, "report": report, "found": found})


def page(data: Json) -> str:
    script, style = asset("export.js"), asset("export.css")
    if script is None or style is None:
        raise RefusedError("the page of the studio was not built when it was installed: nothing can be exported")
    text = json.dumps(data, ensure_ascii=True, separators=(",", ":")).replace("<", "\\u003c")
    if len(text) > MAX_BYTES:
        raise RefusedError(f"the page would have more than {MAX_BYTES:,} bytes")
    licences = (asset("export-licences.txt") or b"").decode().replace("--", "- -")
    code, look = script.decode().replace("</script", "<\\/script"), style.decode()
    policy = f"default-src 'none'; script-src {hashed(code)}; style-src {hashed(look)}; img-src data:; base-uri 'none'"
    return (
        f"<!doctype html>\n{MARK}\n<!-- What is in this page besides:\n{licences}-->\n"
        f'<html lang="{escape(str(data["lang"]))}"><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">'
        f"<title>{escape(str(data['title']))}</title>"
        '<meta name="viewport" content="width=device-width, initial-scale=1"><link rel="icon" href="data:,">'
        f"<style>{look}</style></head>"
        f'<body><div id="export"></div><script type="application/json" id="data">{text}</script>'
        f"<script>{code}</script></body></html>\n"
    )


def hashed(text: str) -> str:
    """A script or a style as a policy names it."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"
