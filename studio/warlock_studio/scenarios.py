"""The scenarios of a stack: run again after an edit, told beside the rules that they use, opened as tables."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from warlock_dsl import Ruleset
from warlock_studio.files import FileError, read
from warlock_studio.worker import Json
from workbench.scenario.run import read_scenarios
from workbench.service.margin import Margin, ran

if TYPE_CHECKING:
    from warlock_studio.desk import Desk

MAX_FILES = 400
TOLD_EVERY = 8  # scenarios


class ScenarioDesk:
    """The scenarios of the stack that is open: the files, and how each came out under the rules as they are."""

    def __init__(self, desk: Desk) -> None:
        self.desk = desk
        self.running: Iterator[Json] | None = None
        self.results: dict[tuple[str, int], Json] = {}
        self.margin = Margin()

    def methods(self) -> dict[str, Callable[[Json], Any]]:
        return {"scenarios/open": self.open}

    def files(self) -> dict[str, Path]:
        """Every scenario file of the stack, by the name that places in it have."""
        homes: dict[str, Path] = {}
        for name, path in self.desk.paths.items():
            if path.parent.name != "names":
                homes.setdefault(name.partition("/")[0] + "/" if name.startswith("+") else "", path.parent)
        found: dict[str, Path] = {}
        for before, home in homes.items():
            for path in sorted((home / "scenarios").glob("*.toml")):
                if len(found) < MAX_FILES:
                    found[f"{before}scenarios/{path.name}"] = path
        if not any(path.is_relative_to(self.desk.opened.folder) for path in homes.values()):
            for path in sorted((self.desk.opened.folder / "scenarios").glob("*.toml"))[:MAX_FILES]:
                found[f"./scenarios/{path.name}"] = path
        return found

    def text(self, path: Path) -> str:
        return self.desk.project.open_texts.get(path) or read(path)

    def again(self, ruleset: Ruleset) -> None:
        """The rules or the scenarios have changed: all run again, those first that use what changed."""
        self.running = self.run(ruleset)

    def go_on(self) -> None:
        """Run one more, and tell how all of them stand."""
        assert self.running is not None
        found = next(self.running, None)
        if found is None:
            self.running = None
        if found is None or len(self.results) % TOLD_EVERY == 0 or found["outcome"] != "passed":
            self.tell(done=found is None)

    def tell(self, done: bool) -> None:
        own = list(self.results.values())
        margin = self.margin.data() if done else None
        self.desk.tell("scenarios/results", {"done": done, "results": own, "margin": margin})

    def run(self, ruleset: Ruleset) -> Iterator[Json]:
        """Each scenario under the rules as they are now."""
        before = self.margin
        self.margin, self.results = Margin(), {}
        texts: dict[str, str] = {}
        files = self.files()
        for name, path in files.items():
            try:
                texts[name] = self.text(path)
            except FileError:
                continue
        changed = self.desk.changed_addresses()
        for result in ran(ruleset, texts, self.margin, lambda case: before.touches(case, changed)):
            own = self.desk.folder.inside(files[result["file"]])
            self.results[result["file"], result["line"]] = {**result, "own": own}
            yield result

    def open(self, params: Json) -> Json:
        """A scenario of the stack as a table, at its position; its answers lie ahead."""
        file, line = str(params["file"]), int(params.get("line") or 0)
        text = self.text(self.files()[file])
        ruleset = self.desk.table.rules()
        scenarios, _ = read_scenarios(text, file, lambda _: ruleset, ruleset.name, ruleset)
        number = next((number for number, one in enumerate(scenarios) if one.span.line == line), 0)
        return self.desk.table.open_scenario({**params, "text": text, "number": number})
