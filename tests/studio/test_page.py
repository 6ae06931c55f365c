"""What a person does in the studio, done in a real browser."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.studio.conftest import STUDIO, Served

pytestmark = pytest.mark.browser

AXE = STUDIO / "web" / "node_modules" / "axe-core" / "axe.min.js"


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


def options(page: Any) -> list[str]:
    return [text.split(" ", 1)[1] for text in page.locator(".option").all_inner_texts()]


def at(page: Any) -> str:
    return str(page.locator(".timeline span").inner_text())


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
    page.wait_for_timeout(300)
    side = list((served.folder / ".studio").glob("rules.warlock.*.unsaved"))
    assert side and "# typed and left" in side[0].read_text() and "# typed and left" not in file.read_text()


def test_a_file_that_changed_on_the_disk_is_shown(page: Any, served: Served) -> None:
    new_overlay(page, "own")
    file = served.folder / "variants" / "tic-tac-toe" / "own" / "rules.warlock"
    open_file(page, "+own/rules.warlock")
    type_at_end(page, "\n# mine\n")
    file.write_text("# another hand\n")
    page.keyboard.press("Control+s")
    page.wait_for_selector("text=The file has changed on the disk. It was not overwritten.")
    assert file.read_text() == "# another hand\n"
    page.click("text=Keep mine")
    page.click("header button:text-is('Save')")
    page.wait_for_selector(".status:text-is('saved')")
    assert "# mine" in file.read_text()


def test_the_games_own_files_are_not_edited_but_overlaid(page: Any) -> None:
    open_file(page, "rules.warlock")
    page.wait_for_selector("text=This file is the game's own. Make an overlay to change it.")
    before = editor_text(page)
    type_at_end(page, "nonsense")
    assert editor_text(page) == before


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
    page.wait_for_selector(".scenarios h2:has-text('1/1')")
    open_file(page, "+own/overlay.toml")
    page.click(".cm-content")
    page.keyboard.press("Control+f")
    page.fill(".cm-search input[name=search]", "is = 2, range = \"2..3\"")
    page.fill(".cm-search input[name=replace]", "is = 3, range = \"2..3\"")
    page.click(".cm-search button[name=replaceAll]")
    page.wait_for_selector(".scenarios h2:has-text('0/1')")
    page.wait_for_selector(".scenarios li.error")


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
    """The first part of a game by clicks on options, the rest by bots, to its end."""
    for number in range(12):
        page.locator(".option").first.click()
        page.wait_for_selector(f".timeline span:has-text('answer {number + 1} of')")
    page.click("text=Run bots")
    page.wait_for_selector("text=The game is over.", timeout=120_000)
    page.wait_for_selector(".score")


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


def axe(page: Any) -> list[str]:
    page.evaluate(AXE.read_text(encoding="utf-8"))
    found = page.evaluate("async () => (await axe.run(document)).violations")
    return [f"{one['id']}: {one['nodes'][0]['html'][:200]}" for one in found]


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1500, 600])
def test_axe_finds_nothing(page: Any, scheme: str, width: int) -> None:
    page.emulate_media(color_scheme=scheme)
    page.set_viewport_size({"width": width, "height": 950})
    assert axe(page) == []
    page.click(".screens >> text=Lab")
    assert axe(page) == []


@pytest.mark.parametrize(("lang", "word"), [("fr", "Nouvelle table"), ("de", "Neuer Tisch")])
def test_other_languages(page: Any, lang: str, word: str) -> None:
    page.select_option("header select", lang)
    page.wait_for_selector(f"text={word}")
    assert page.locator("html").get_attribute("lang") == lang
    assert page.locator("text=New table").count() == 0


def test_the_board_is_walked_by_arrow_keys(page: Any) -> None:
    page.locator(".cell").first.focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowDown")
    assert page.evaluate("document.activeElement.dataset.cell") == "4"
    page.keyboard.press("Enter")
    page.wait_for_selector(".timeline span:text-is('answer 1 of 1')")


def test_a_page_without_the_key(chromium: Any, served: Served, built_page: None) -> None:
    with chromium.new_context() as context:
        page = context.new_page()
        page.goto(f"http://127.0.0.1:{served.port}/")
        page.wait_for_selector("text=it holds the key to this page")
