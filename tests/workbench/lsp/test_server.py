"""The language server, spoken to as an editor does: every feature, on games, an overlay of an overlay, and errors."""

from __future__ import annotations

import json
import random
import re
import shutil
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.workbench.lsp.client import ROOT, Client

GAME = ROOT / "rules/classics/hearts"
MALDORF = ROOT / "rules/maldorf"
ERRATA = ROOT / "variants/maldorf/de_errata/overlay.toml"


@pytest.fixture(scope="module")
def client() -> Iterator[Client]:
    made = Client()
    yield made
    assert "Traceback" not in made.stop()


def where(path: Path, word: str, skip: int = 0) -> tuple[int, int]:
    """Line and character of a word in a file, from 0."""
    for number, line in enumerate(path.read_text(encoding="utf-8").split("\n")):
        at = line.find(word)
        if at >= 0:
            if skip == 0:
                return number, at
            skip -= 1
    raise AssertionError(word)


def test_a_mistake_is_told_and_mended_by_its_action(client: Client) -> None:
    path = MALDORF / "course.warlock"
    text = path.read_text(encoding="utf-8")
    uri = client.open(path)
    broken = text.replace("shuffle deck", "shuffle dekc", 1)
    assert broken != text
    client.change(uri, broken)
    [error] = [one for one in client.diagnostics(uri, "W301") if one["code"] == "W301"]
    assert "did you mean 'deck'?" in error["message"] and error["source"] == "warlock"
    actions = client.ask(
        "textDocument/codeAction",
        {"textDocument": {"uri": uri}, "range": error["range"], "context": {"diagnostics": [error]}},
    )
    assert [one["title"] for one in actions] == ["change 'dekc' to 'deck'"]
    [change] = actions[0]["edit"]["documentChanges"]
    assert change["textDocument"]["uri"] == uri and actions[0]["isPreferred"]
    [edit] = change["edits"]
    assert edit["range"] == error["range"] and edit["newText"] == "deck"
    client.change(uri, text, 3)
    assert not [one for one in client.quiet(uri) if one["severity"] == 1]


def test_hover_has_the_value_the_sentence_and_the_overlay(client: Client) -> None:
    uri = client.open(ERRATA)
    line, at = where(ERRATA, "option.second_shown")
    told = client.about("hover", uri, line, at + 10)["contents"]["value"]
    assert "**figure** `option.second_shown`" in told and "put there by +de_errata" in told
    rules = client.open(MALDORF / "empire.warlock")
    line, at = where(MALDORF / "empire.warlock", "rule ")
    told = client.about("hover", rules, line, at + 6)["contents"]["value"]
    assert told.startswith("**rule**") and "printed" in told and "used " in told


def test_definition_and_references_cross_files(client: Client) -> None:
    path = MALDORF / "course.warlock"
    uri = client.open(path)
    line, at = where(path, "shuffle deck")
    [found] = client.about("definition", uri, line, at + 9)
    assert found["uri"] == (MALDORF / "game.toml").as_uri()
    uses = client.about("references", uri, line, at + 9, context={"includeDeclaration": True})
    assert {Path(one["uri"]).suffix for one in uses} == {".warlock", ".toml"}
    fewer = client.about("references", uri, line, at + 9, context={"includeDeclaration": False})
    assert len(fewer) == len(uses) - 1


def test_completion_knows_what_is_behind_a_dot(client: Client) -> None:
    path = MALDORF / "course.warlock"
    text = path.read_text(encoding="utf-8")
    uri = client.open(path)
    client.change(uri, text + "\nrule extra:\n    move my.\n", 9)
    line = text.count("\n") + 2
    words = {one["label"] for one in client.about("completion", uri, line, 12)}
    assert "hand" in words and "deck" not in words
    starts = client.about("completion", uri, line, 4)
    assert any(one.get("insertText", "").startswith("choose ") for one in starts)
    client.change(uri, text, 10)


def test_symbols_formatting_and_colours(client: Client) -> None:
    path = GAME / "rules.warlock"
    uri = client.open(path)
    names = [one["name"] for one in client.ask("textDocument/documentSymbol", {"textDocument": {"uri": uri}})]
    assert "play" in names
    everywhere = client.ask("workspace/symbol", {"query": "hand"})
    assert any(one["location"]["uri"] == (GAME / "game.toml").as_uri() for one in everywhere)
    data = client.ask("textDocument/semanticTokens/full", {"textDocument": {"uri": uri}})["data"]
    assert len(data) % 5 == 0 and len(data) > 500 and min(data) >= 0
    options = {"tabSize": 4, "insertSpaces": True}
    asked = {"textDocument": {"uri": uri}, "options": options}
    assert client.ask("textDocument/formatting", asked) == []
    text = path.read_text(encoding="utf-8")
    client.change(uri, text.replace(" = ", "  =  ", 1), 4)
    [edit] = client.ask("textDocument/formatting", asked)
    assert edit["newText"] == text
    client.change(uri, text, 5)


def test_rename_reaches_tables_catalogues_and_overlays(client: Client) -> None:
    path = ROOT / "rules/classics/liars-dice/game.toml"
    uri = client.open(path)
    line, at = where(path, "[figure.")
    changes = client.about("rename", uri, line, at + 9, newName="amount")["changes"]
    assert {Path(one).suffix for one in changes} >= {".toml", ".warlock"}
    assert any("/variants/liars-dice/" in one for one in changes)
    assert client.about("rename", uri, line, at + 9, newName="Not A Name") is None
    assert client.messages[-1] == "'Not A Name' cannot be a name"


@pytest.mark.parametrize(("encoding", "ahead"), [("utf-16", 2), ("utf-32", 1), ("utf-8", 4)])
def test_places_are_right_behind_characters_of_several_units(encoding: str, ahead: int) -> None:
    client = Client([encoding])
    assert client.abilities["positionEncoding"] == encoding
    path = GAME / "names/en.toml"
    text = path.read_text(encoding="utf-8")
    line, at = where(path, '"piece.card" = "')
    uri = client.open(path, text.replace('"piece.card" = "', '"piece.card" = "\U0001f0a1{nothing}', 1))
    [error] = [one for one in client.diagnostics(uri, "W432") if one["code"] == "W432"]
    start = at + len('"piece.card" = "') + ahead
    assert error["range"]["start"] in ({"line": line, "character": start}, {"line": line, "character": start + 1})
    told = client.about("hover", uri, line, 8)
    assert told is not None and "card" in told["contents"]["value"]
    assert "Traceback" not in client.stop()


def test_a_lens_runs_the_scenarios_of_a_rule_and_a_hover_counts_them(client: Client) -> None:
    path = GAME / "rules.warlock"
    uri = client.open(path)
    line, at = where(path, "rule trick")
    lens = next(one for one in client.ask("textDocument/codeLens", {"textDocument": {"uri": uri}})
                if one["range"]["start"]["line"] == line)  # fmt: skip
    command = client.ask("codeLens/resolve", lens)["command"]
    assert re.fullmatch(r"run the \d+ scenarios that use this rule", command["title"])
    ran = client.ask("workspace/executeCommand", {"command": command["command"], "arguments": command["arguments"]})
    assert ran["address"] == "trick" and ran["ran"] == int(re.findall(r"\d+", command["title"])[0])
    assert ran["failed"] == [] and "scenarios pass" in client.messages[-1]
    told = client.about("hover", uri, line, at + 6)["contents"]["value"]
    assert f"used in {ran['ran']} of " in told


def test_a_scenario_that_fails_is_shown_where_it_is_written(client: Client) -> None:
    path = GAME / "rules.warlock"
    text = path.read_text(encoding="utf-8")
    uri = client.open(path)
    broken = re.sub(r"(rule settle\b.*\n)", r"\1    add 1 to my.penalty\n", text, count=1)
    assert broken != text
    client.change(uri, broken, 30)
    ran = client.ask("workspace/executeCommand", {"command": "warlock.runScenarios", "arguments": [uri, "settle"]})
    assert ran["failed"]
    shown = [one for name, own in client.published.items() if "/scenarios/" in name for one in own]
    assert shown and all(one["source"] == "warlock test" and "expected:" in one["message"] for one in shown)
    client.change(uri, text, 31)


def test_what_was_there_before_an_overlay_of_an_overlay(client: Client) -> None:
    path = ERRATA.parent / "empire.warlock"
    rules = client.open(path)
    line, at = where(path, "rule pay")
    told = client.about("hover", rules, line, at + 6)["contents"]["value"]
    assert "put there by +de_errata" in told
    before = re.search(r", was\n\n```warlock\n(rule pay.*?)\n```", told, re.DOTALL)
    assert before is not None and "\n\n" not in before[1]  # what it was, as it was laid out
    assert told.index("*printed*") < told.index("put there by")


def test_an_edit_of_the_game_is_told_in_the_overlays_that_are_open(client: Client) -> None:
    overlay = client.open(ROOT / "variants/liars-dice/fewer_dice/overlay.toml")
    path = ROOT / "rules/classics/liars-dice/game.toml"
    text = path.read_text(encoding="utf-8")
    uri = client.open(path)
    client.change(uri, text.replace("dice = { is = 5", "dice = { is = 4", 1), 2)
    assert client.diagnostics(overlay, "W609")
    client.change(uri, text, 3)
    while any(one["code"] == "W609" for one in client.published[overlay]):
        client.next()
    for one in (overlay, uri):
        client.tell("textDocument/didClose", {"textDocument": {"uri": one}})


def test_files_with_errors_are_answered_about(client: Client) -> None:
    path = GAME / "rules.warlock"
    text = path.read_text(encoding="utf-8")
    uri = client.open(path)
    client.change(uri, text + "\nrule broken(\n\nrule half:\n    move top(deck) to nowhere_at_all\n", 40)
    assert client.diagnostics(uri, "W301")
    names = [one["name"] for one in client.ask("textDocument/documentSymbol", {"textDocument": {"uri": uri}})]
    assert "half" in names and "trick" in names
    lens = client.ask("textDocument/codeLens", {"textDocument": {"uri": uri}})[0]
    assert "errors" in client.ask("codeLens/resolve", lens)["command"]["title"]
    line = text.count("\n") + 4
    assert "**zone** `deck`" in client.about("hover", uri, line, 14)["contents"]["value"]
    assert client.about("definition", uri, line, 14)
    assert client.about("prepareRename", uri, line, 14)
    assert client.about("rename", uri, line, 14, newName="stack") is None and "errors" in client.messages[-1]
    client.change(uri, text, 41)


def test_texts_are_sent_whole_since_lines_end_where_editors_end_them(client: Client) -> None:
    """Python ends a line at U+2028, at a form feed and more: parts of a text would be put into the wrong lines."""
    assert client.abilities["textDocumentSync"]["change"] == 1
    path = GAME / "names/en.toml"
    uri = client.open(path)
    text = path.read_text(encoding="utf-8")
    client.change(uri, "# one\u2028two\x85three\n" + text.replace('"piece.card" = "', '"piece.card" = "{nothing}', 1))
    [error] = [one for one in client.diagnostics(uri, "W432") if one["code"] == "W432"]
    assert error["range"]["start"]["line"] == where(path, '"piece.card"')[0] + 1
    client.change(uri, text.replace("\n", "\r\n"), 3)
    assert "W432" not in [one["code"] for one in client.quiet(uri)]
    told = client.about("hover", uri, where(path, '"piece.card"')[0], 8)
    assert "card" in told["contents"]["value"]
    client.change(uri, text, 4)


def test_other_tables_are_left_alone(client: Client, tmp_path: Path) -> None:
    path = tmp_path / "pyproject.toml"
    path.write_text("[tool.ruff]\nline-length = 120\nbroken = [\n", encoding="utf-8")
    uri = client.open(path)
    assert client.quiet(uri, 1) == []
    assert client.about("hover", uri, 0, 3) is None and client.about("completion", uri, 1, 0) == []


def test_a_folder_may_go_and_come_back(client: Client, tmp_path: Path) -> None:
    """What was told of its files is taken back, and every question is answered with nothing."""
    folder = tmp_path / "rules/hearts"
    shutil.copytree(GAME, folder)
    path = folder / "rules.warlock"
    text = path.read_text(encoding="utf-8").replace("shuffle deck", "shuffle dekc", 1)
    uri = client.open(path, text)
    assert client.diagnostics(uri, "W301")
    moved = {"changes": [{"uri": uri, "type": 3}]}
    folder.rename(tmp_path / "rules/elsewhere")
    client.tell("workspace/didChangeWatchedFiles", moved)
    while client.published[uri]:
        client.next()
    for method in ("hover", "definition", "completion", "documentHighlight", "rename", "prepareRename"):
        assert not client.about(method, uri, 3, 6, newName="other")
    client.change(uri, text + "# more\n", 3)
    (tmp_path / "rules/elsewhere").rename(folder)
    client.tell("workspace/didChangeWatchedFiles", moved)
    assert client.diagnostics(uri, "W301")
    client.tell("textDocument/didClose", {"textDocument": {"uri": uri}})


def test_requests_that_are_taken_back_are_no_burden(client: Client) -> None:
    uri = client.open(GAME / "rules.warlock")
    place = {"textDocument": {"uri": uri}, "position": {"line": 9, "character": 12}}
    for number in range(100):
        client.send({"jsonrpc": "2.0", "id": 40_000 + number, "method": "textDocument/hover", "params": place})
        client.send({"jsonrpc": "2.0", "method": "$/cancelRequest", "params": {"id": 40_000 + number}})
    assert client.about("hover", uri, 9, 12) is not None


# ---------------------------------------------------------------- hostile


def test_lies_and_floods_leave_the_server_well(client: Client) -> None:
    chance = random.Random(4)
    uri = (GAME / "rules.warlock").as_uri()
    strange = ["file:///no/such/place.warlock", "untitled:one", "file:///%00.toml", "http://x/y.warlock", "", uri]
    for _ in range(60):
        method = chance.choice(["hover", "definition", "completion", "references", "rename", "documentSymbol"])
        client.about(
            method,
            chance.choice(strange),
            chance.choice([0, 5, 10**6, 2**31 - 1]),
            chance.choice([0, 3, 10**6]),
            **({"context": {"includeDeclaration": True}} if method == "references" else {}),
            newName="x" * chance.choice([0, 1, 5000]),
        )
    client.tell("textDocument/didClose", {"textDocument": {"uri": "file:///never/opened.warlock"}})
    for version in range(40):
        client.change(uri, "rule " * version + "(" * version, 1)
    client.change(uri, "rule play:\n    pass\n" + "# long\n" * 100_000, 1)
    client.send({"jsonrpc": "2.0", "id": "odd", "method": "no/such/thing", "params": {"a": 1}})
    client.send({"jsonrpc": "2.0", "method": "textDocument/hover", "params": "wrong"})
    text = (GAME / "rules.warlock").read_text(encoding="utf-8")
    client.change(uri, text, 99)
    names = client.ask("textDocument/documentSymbol", {"textDocument": {"uri": uri}})
    assert "play" in [one["name"] for one in names]


def test_random_messages_and_huge_documents_leave_the_server_well() -> None:
    made = Client()
    chance = random.Random(9)
    uri = made.open(GAME / "rules.warlock")
    methods = ["initialize", "shutdown?", "$/cancelRequest", "textDocument/didChange", "textDocument/codeAction", "x"]
    methods += ["textDocument/semanticTokens/full", "codeLens/resolve", "workspace/executeCommand", "workspace/symbol"]
    odd: list[object] = [None, 3, "x", [], {}, {"uri": uri}, {"textDocument": {"uri": 7}}, [[[]]], {"arguments": [1]}]
    for number in range(120):
        message: dict[str, object] = {"jsonrpc": chance.choice(["2.0", "1.0", ""]), "method": chance.choice(methods)}
        message |= {"id": chance.choice([number + 5000, "text", None])} if chance.random() < 0.7 else {}
        message |= {"params": chance.choice(odd)} if chance.random() < 0.9 else {}
        made.send(message)
    for content in (b"{", b"[]", b"null", b"\xff\xfe", b'"text"', b"[1, 2]"):
        made.send_raw(b"Content-Length: %d\r\n\r\n" % len(content) + content)
    made.send({"jsonrpc": "2.0", "id": 77777, "result": {"never": "asked"}})
    for version in (9, 3, -1, 2**31 - 1, 5):  # versions that lie
        made.change(uri, f"rule play:\n    pass\n# {version}\n", version)
    made.change(uri, "x" * 2_000_000, 6)
    made.change(uri, "[" * 200_000, 7)
    table = made.open(GAME / "game.toml", "x = " + "[" * 50_000)
    made.change(table, "[" + "a." * 20_000 + "b]\n", 2)
    text = (GAME / "rules.warlock").read_text(encoding="utf-8")
    made.change(uri, text, 8)
    assert made.ask("textDocument/documentSymbol", {"textDocument": {"uri": uri}})
    assert "Traceback" not in made.stop()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL, signal.SIGINT])
def test_a_server_that_is_killed_leaves_nothing_behind(number: int) -> None:
    made = Client()
    made.open(MALDORF / "course.warlock")
    children = Path(f"/proc/{made.process.pid}/task/{made.process.pid}/children").read_text(encoding="ascii").split()
    assert children == []  # scenarios run in the server itself, a step at a time
    made.process.send_signal(number)
    assert "Traceback" not in made.left()


def test_a_server_whose_editor_dies_ends() -> None:
    made = Client()
    made.open(GAME / "rules.warlock")
    made.send_raw(b"Content-Length: 5000\r\n\r\n" + json.dumps({"half": 1}).encode())
    assert "Traceback" not in made.left()
