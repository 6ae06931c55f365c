"""What a person does in the studio, done in a real browser."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.studio.conftest import Served

pytestmark = pytest.mark.browser

def answer_prompt(page: Any, text: str) -> None:
    page.once("dialog", lambda dialog: dialog.accept(text))


def new_overlay(page: Any, name: str) -> None:
    answer_prompt(page, name)
    page.click("header >> text=New overlay")
    page.wait_for_selector(f"nav >> text=+{name}/overlay.toml")
    page.wait_for_selector(f".cm-content >> text=# {name}")


def editor_text(page: Any) -> str:
    return str(page.locator(".cm-content").evaluate("(e) => e.cmTile?.view?.state.doc.toString() ?? e.innerText"))


def open_file(page: Any, name: str) -> None:
    page.click(f"nav[aria-label=Files] button:text-is('{name}')")
    page.wait_for_selector(f"nav[aria-label=Files] button.here:text-is('{name}')")


def until(page: Any, holds: Callable[[], bool]) -> None:
    """Wait for what no selector can say. The policy of the page allows no function made of a text: it is asked here."""
    end = time.monotonic() + 90
    while not holds():
        assert time.monotonic() < end, "this never came to be"
        page.wait_for_timeout(50)


def options(page: Any) -> list[str]:
    return [text.split(" ", 1)[1] for text in page.locator(".option").all_inner_texts()]


def at(page: Any) -> str:
    return str(page.locator(".timeline span").inner_text())


def replace_all(page: Any, old: str, new: str) -> None:
    page.click(".cm-content")
    page.keyboard.press("Control+f")
    page.fill(".cm-search input[name=search]", old)
    page.fill(".cm-search input[name=replace]", new)
    page.click(".cm-search button[name=replaceAll]")


def type_at_end(page: Any, text: str) -> None:
    page.click(".cm-content")
    page.keyboard.press("Control+End")
    page.keyboard.type(text)


# -------------------------------------------------------------------- editing


def test_an_error_its_message_and_its_fix(page: Any, served: Served) -> None:
    new_overlay(page, "own")
    open_file(page, "+own/rules.warlock")
    type_at_end(page, "\ndefine twice = count(plyers)\n")
    page.wait_for_selector(".problems >> text=plyers")
    page.wait_for_selector("text=The text has errors: the table plays the last good rules.")
    page.wait_for_selector(".cm-lintRange-error")
    page.click(".problems >> text=change 'plyers' to 'players'")
    page.wait_for_selector(".problems li.error", state="detached")
    page.wait_for_selector("text=The text has errors", state="detached")
    assert "count(players)" in editor_text(page)


def test_completion_hover_and_definition(page: Any) -> None:
    new_overlay(page, "own")
    open_file(page, "+own/rules.warlock")
    type_at_end(page, "\nrule x:\n    cho")
    page.wait_for_selector(".cm-tooltip-autocomplete >> text=choose")
    page.keyboard.press("Escape")
    open_file(page, "rules.warlock")
    page.wait_for_selector(".outline button:has-text('aligned')")
    page.locator(".cm-line", has_text="if aligned").first.hover(position={"x": 80, "y": 8})
    page.wait_for_selector(".hover")


def test_what_is_saved_and_what_is_not_lost(page: Any, served: Served) -> None:
    new_overlay(page, "own")
    file = served.folder / "variants" / "tic-tac-toe" / "own" / "rules.warlock"
    before = file.read_text()
    open_file(page, "+own/rules.warlock")
    type_at_end(page, "\n# a remark\n")
    page.wait_for_selector("header >> text=not saved")
    assert file.read_text() == before
    page.keyboard.press("Control+s")
    page.wait_for_selector(".status:text-is('saved')")
    assert "# a remark" in file.read_text()
    type_at_end(page, "# typed and left\n")
    page.wait_for_selector("nav button:has-text('•')")
    open_file(page, "game.toml")  # and back: what is typed is still there, and can be undone
    open_file(page, "+own/rules.warlock")
    assert "# typed and left" in editor_text(page) and "# typed and left" not in file.read_text()
    side = list((served.folder / ".studio").glob("rules.warlock.*.unsaved"))
    assert side and "# typed and left" in side[0].read_text()
    page.click(".cm-content")

    def undone() -> bool:  # what was typed slowly is undone in several steps
        page.keyboard.press("Control+z")
        return "# typed and" not in editor_text(page)

    until(page, undone)
    type_at_end(page, "# typed again\n")
    until(page, lambda: "# typed again" in side[0].read_text())
    page.on("dialog", lambda dialog: dialog.accept())  # it asks whether to leave what is not saved
    page.reload()
    page.wait_for_selector(".board")
    page.fill("header input[name=stack]", "tic-tac-toe+own")
    page.click("header >> text=Open")
    page.wait_for_selector("nav >> text=+own/overlay.toml")
    open_file(page, "+own/rules.warlock")
    page.click("text=Restore what was typed and not saved")
    assert "# typed again" in editor_text(page)


def test_a_file_that_changed_on_the_disk_is_shown(page: Any, served: Served) -> None:
    """Read again where nothing is typed; beside what is typed where something is. Nothing is overwritten unseen."""
    new_overlay(page, "own")
    file = served.folder / "variants" / "tic-tac-toe" / "own" / "rules.warlock"
    open_file(page, "+own/rules.warlock")
    file.write_text("# somebody else\n")
    page.wait_for_selector("text=was changed on the disk and read again")
    assert editor_text(page) == "# somebody else\n"
    type_at_end(page, "# mine\n")
    file.write_text("# another hand\n")
    page.wait_for_selector("text=The file has changed on the disk. It was not overwritten.")
    page.wait_for_selector(".merged .cm-changedLine")
    assert file.read_text() == "# another hand\n"
    page.click("text=Keep mine")
    page.click("header button:text-is('Save')")
    page.wait_for_selector(".status:text-is('saved')")
    assert "# mine" in file.read_text()


@pytest.mark.parametrize("served", ["connect-four"], indirect=True)
def test_a_change_of_the_game_is_tried_and_kept_as_an_overlay(page: Any, served: Served) -> None:
    """Lower a figure in the game's own file: the table plays it; kept is an overlay, the file is as it was."""
    open_file(page, "game.toml")
    page.wait_for_selector("text=This file is the game's own.")
    replace_all(page, 'is = 4, range = "2..7"', 'is = 3, range = "2..7"')
    page.wait_for_selector("text=The table goes on under the new rules.")
    for key in ("1", "2", "1", "2", "1"):
        page.locator("h1").click()
        number = int(at(page).split()[1])
        page.keyboard.press(key)
        page.wait_for_selector(f".timeline span:text-is('answer {number + 1} of {number + 1}')")
    page.wait_for_selector("text=The game is over. Won by Ann.")
    answer_prompt(page, "three")
    page.click("text=Keep as an overlay")
    page.wait_for_selector("nav button.here:has-text('+three/overlay.toml')")
    page.wait_for_selector(".cm-content >> text=on = ")
    text = (served.folder / "variants" / "connect-four" / "three" / "overlay.toml").read_text()
    assert "was = 4" in text and "now = 3" in text
    open_file(page, "game.toml")
    assert 'is = 4, range = "2..7"' in editor_text(page)


def test_rename_and_format_by_key(page: Any) -> None:
    new_overlay(page, "own")
    open_file(page, "+own/rules.warlock")
    type_at_end(page, "\ndefine  mine_here =   1\n")
    page.wait_for_selector(".outline button:has-text('mine_here')")
    page.keyboard.press("Shift+Alt+F")
    until(page, lambda: "define mine_here = 1" in editor_text(page))
    page.click(".outline button:has-text('mine_here')")
    for _ in range(8):
        page.keyboard.press("ArrowRight")  # over `define `, into the name
    answer_prompt(page, "other_name")
    page.keyboard.press("F2")
    until(page, lambda: "define other_name = 1" in editor_text(page))
    page.wait_for_selector(".outline button:has-text('other_name')")


# -------------------------------------------------------------------- the table


def test_a_whole_game_by_clicking_cells(page: Any) -> None:
    for number in range(9):
        if page.locator("text=The game is over.").count():
            break
        page.locator(".cell.offered").first.click()
        page.wait_for_selector(f".timeline span:text-is('answer {number + 1} of {number + 1}')")
    page.wait_for_selector("text=The game is over.")
    assert page.locator(".cell.taken").count() >= 5


def test_by_keys_rewind_and_branch(page: Any) -> None:
    page.locator("h1").click()
    for number in range(4):
        page.keyboard.press("1")
        page.wait_for_selector(f".timeline span:text-is('answer {number + 1} of {number + 1}')")
    page.click("button[aria-label=Previous]")
    page.wait_for_selector(".timeline span:text-is('answer 3 of 4')")
    page.click("button[aria-label=First]")
    page.wait_for_selector(".timeline span:text-is('answer 0 of 4')")
    page.click("button[aria-label=Next]")
    page.locator("h1").click()
    page.keyboard.press("2")
    page.wait_for_selector(".timeline span:text-is('answer 2 of 2')")
    page.click("text=Other branch (4)")
    page.wait_for_selector(".timeline span:text-is('answer 1 of 4')")


def test_a_preview_marks_what_changes(page: Any) -> None:
    page.locator(".option").first.hover()
    page.wait_for_selector("text=After this answer:")
    assert page.locator(".cell.differs").count() == 1
    page.locator("h1").hover()
    page.wait_for_selector("text=After this answer:", state="detached")


def test_why_and_why_not(page: Any) -> None:
    page.click(".cell >> nth=4")
    page.wait_for_selector(".timeline span:text-is('answer 1 of 1')")
    page.locator(".why").first.click()
    page.wait_for_selector(".why-lines li")
    page.click(".cell >> nth=4")
    page.wait_for_selector("h2:has-text('Why not?')")
    page.wait_for_selector(".why-lines li")
    page.click(".why-panel .fix")
    page.wait_for_selector("nav button.here:has-text('rules.warlock')")


def test_bots_run_and_the_position_is_kept(page: Any, served: Served) -> None:
    page.click("text=One bot answer")
    page.wait_for_selector(".timeline span:text-is('answer 1 of 1')")
    answer_prompt(page, "after one answer")
    page.click("text=Keep as scenario")
    page.wait_for_selector("text=Kept as scenarios/after-one-answer.toml")
    assert "offers_only" in (served.folder / "scenarios" / "after-one-answer.toml").read_text()
    page.click("text=Run bots")
    page.wait_for_selector("text=The game is over.")


def test_save_and_open_a_game(page: Any, tmp_path: Path) -> None:
    page.locator("h1").click()
    page.keyboard.press("3")
    page.wait_for_selector(".timeline span:text-is('answer 1 of 1')")
    with page.expect_download() as download:
        page.click("text=Save the game")
    file = tmp_path / "game.json"
    download.value.save_as(file)
    page.click("text=New table")
    page.wait_for_selector(".timeline span:text-is('answer 0 of 0')")
    page.set_input_files("input[type=file]", file)
    page.wait_for_selector(".timeline span:text-is('answer 1 of 1')")


# -------------------------------------------------------------------- live


@pytest.mark.parametrize("served", ["connect-four"], indirect=True)
def test_the_table_goes_on_under_the_new_rules(page: Any, served: Served) -> None:
    page.locator("h1").click()
    page.keyboard.press("1")
    page.wait_for_selector(".timeline span:text-is('answer 1 of 1')")
    new_overlay(page, "own")
    page.locator("h1").click()
    page.keyboard.press("1")
    page.wait_for_selector(".timeline span:text-is('answer 1 of 1')")
    open_file(page, "+own/rules.warlock")
    type_at_end(page, "\ndefine unused_here = 1\n")
    page.wait_for_selector("text=The table goes on under the new rules.")
    assert at(page) == "answer 1 of 1"


def test_scenarios_run_again_after_an_edit(page: Any) -> None:
    new_overlay(page, "own")
    page.wait_for_selector(".scenarios h2:has-text('Scenarios 1/1 (of the game')")
    open_file(page, "+own/overlay.toml")
    replace_all(page, 'is = 2, range = "2..3"', 'is = 3, range = "2..3"')
    page.wait_for_selector(".scenarios h2:has-text('Scenarios 0/1 ')")
    page.wait_for_selector(".scenarios li.error")
    page.click(".scenarios li.error button >> nth=0")
    page.wait_for_selector(".cm-results .failed")
    page.click(".scenarios li.error >> text=as a table")
    page.wait_for_selector("text=The table is at the position of")


@pytest.mark.parametrize("served", ["connect-four"], indirect=True)
def test_scenarios_stand_in_the_margin_and_open_as_tables(page: Any, served: Served) -> None:
    page.wait_for_selector(".cm-results .passed")
    page.click(".cm-results .passed >> nth=0")
    page.wait_for_selector(".message:has-text('scenarios pass')")
    page.select_option(".scenarios select", index=1)
    page.wait_for_selector("text=The table is at the position of")
    page.click("button[aria-label=Last]")
    page.wait_for_selector(".timeline span:has-text('answer 7 of 7')")
    page.click("button[aria-label=Previous]")
    page.wait_for_selector(".timeline span:has-text('answer 6 of 7')")
    answer_prompt(page, "kept from there")
    page.click("text=Keep as scenario")
    page.wait_for_selector("text=Kept as scenarios/kept-from-there.toml")
    open_file(page, "./scenarios/kept-from-there.toml")
    page.wait_for_selector(".cm-results .passed")


# -------------------------------------------------------------------- what is hidden


@pytest.mark.parametrize("served", ["maldorf"], indirect=True)
def test_hidden_things_are_not_in_the_page(page: Any) -> None:
    page.select_option(".seats label:has-text('Seen by') select", label="Ann")
    page.wait_for_selector(".seat[aria-label=Ann] .zone:has-text('hand') .card:not(.back)")
    own = page.locator(".seat[aria-label=Ann] .zone:has-text('hand') .card:not(.back)").count()
    others = page.locator(".seat[aria-label=Ben] .zone:has-text('hand') .card:not(.back)").count()
    assert own == 5 and others == 0


@pytest.mark.parametrize("served", ["maldorf", "goblin-warlord", "warlock-1980"], indirect=True)
def test_the_games_of_the_documents_by_clicking(page: Any) -> None:
    """The first part of a game by clicks on options, then why a score is what it is, the rest by bots to its end."""
    for number in range(12):
        page.locator(".option").first.click()
        page.wait_for_selector(f".timeline span:has-text('answer {number + 1} of')")
    page.click("text=Run bots")
    page.wait_for_selector("text=The game is over.", timeout=180_000)
    page.click("button.score >> nth=0")
    page.wait_for_selector(".score-view li")


# -------------------------------------------------------------------- the lab


def test_a_simulation_stopped_and_a_game_of_it(page: Any) -> None:
    page.click(".screens >> text=Lab")
    page.fill(".lab input[type=number]", "100000")  # more than any machine plays before the click
    page.click("section[aria-label=Simulation] >> text=Start")
    page.wait_for_selector(".dots circle")
    page.wait_for_selector(".bar-plot")
    page.click("section[aria-label=Simulation] >> text=Stop")
    page.wait_for_selector("section[aria-label=Simulation] >> text=Start")
    page.locator(".dots circle").first.click(force=True)
    page.wait_for_selector("text=The game is over.")


def test_too_few_games_to_tell(page: Any) -> None:
    page.click(".screens >> text=Lab")
    page.fill(".lab input[type=number]", "5")
    page.click("section[aria-label=Simulation] >> text=Start")
    page.wait_for_selector("text=5 of 5 games. too few games to tell")


def test_a_broken_law_is_found_and_opened(page: Any) -> None:
    new_overlay(page, "own")
    open_file(page, "+own/rules.warlock")
    type_at_end(page, "\ninvariant small = count(board) < 4\n")
    page.wait_for_selector("text=The table goes on under the new rules.")
    page.click(".screens >> text=Lab")
    page.click("section[aria-label='Search for broken laws'] >> text=Start")
    page.click("section[aria-label='Search for broken laws'] >> text=invariant.small")
    page.wait_for_selector("text=breaks it")
    page.wait_for_selector(".timeline span:text-is('answer 3 of 3')")


# -------------------------------------------------------------------- for everyone


@pytest.mark.parametrize(("lang", "word"), [("fr", "Nouvelle table"), ("de", "Neuer Tisch")])
def test_other_languages(page: Any, lang: str, word: str) -> None:
    page.select_option("header select", lang)
    page.wait_for_selector(f"text={word}")
    page.wait_for_selector(f"html[lang={lang}]", state="attached")
    assert page.locator("text=New table").count() == 0


def test_a_page_without_the_key(chromium: Any, served: Served, built_page: None) -> None:
    with chromium.new_context() as context:
        page = context.new_page()
        page.goto(f"http://127.0.0.1:{served.port}/")
        page.wait_for_selector("text=it holds the key to this page")
