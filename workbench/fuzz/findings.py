"""A finding for people and for other tools: a report in words, a replay, a scenario; each file whole or not there."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from attrs import frozen

from interpreter import Game, PlayFault
from warlock_dsl.diagnostics import Diagnostic, Related
from warlock_dsl.render import render_text
from warlock_dsl.ruleset import Ruleset
from workbench.files import Trouble
from workbench.fuzz.breach import FREE, Breach
from workbench.fuzz.pinpoint import Culprit, culprit, known
from workbench.fuzz.shrinking import Small
from workbench.lab.course import Course
from workbench.lab.record import replay_data, scenario_text, seat_names
from workbench.words import Words


@frozen
class Finding:
    """A law that was broken, made small, with where and when it was found."""

    small: Small
    culprit: Culprit
    moves: tuple[dict[str, Any], ...]  # the decisions in words
    game: int  # the number of the game it was found in
    seconds: float  # from the start of the search to the end of the wave in which it was found
    shrinking: float  # seconds it took to make it small

    @property
    def breach(self) -> Breach:
        return self.small.breach

    @property
    def file_name(self) -> str:
        return re.sub(r"[^a-z0-9_.]+", "-", self.breach.key.lower()).strip("-")[:80]

    def data(self) -> dict[str, Any]:
        breach, course = self.breach, self.small.course
        place = self.culprit.span if known(self.culprit.span) else breach.span
        return {
            "law": breach.law,
            "message": breach.message,
            "rule": self.culprit.rule or breach.rule,
            "file": place.file,
            "line": place.line,
            "column": place.column,
            "players": course.players,
            "seed": course.seed,
            "decisions": len(course.moves),
            "decisions_before": self.small.before,
            "games_to_shrink": self.small.tries,
            "game": self.game,
            "seconds": round(self.seconds, 1),
            "seconds_shrinking": round(self.shrinking, 1),
            "moves": [dict(move) for move in self.moves],
        }


def finding_of(ruleset: Ruleset, small: Small, game: int, seconds: float, shrinking: float) -> Finding:
    """All that can be said of a breach."""
    place = culprit(ruleset, small.course, small.breach)
    return Finding(small, place, moves_in_words(ruleset, small.course), game, seconds, shrinking)


def moves_in_words(ruleset: Ruleset, course: Course) -> tuple[dict[str, Any], ...]:
    """Every question and its answer, as whoever was asked saw them; the answer that breaks the law is the last."""
    words = Words(ruleset, "en", [name.capitalize() for name in seat_names(ruleset, course.players)])
    found: list[dict[str, Any]] = []
    try:
        game = Game.start(ruleset, course.players, course.seed, laws=False)
        for move in course.moves:
            decision = game.decision
            assert decision is not None
            place = [option.key for option in decision.options].index(move.key)
            who = words.seat(move.player)
            said = words.options(decision, game.observe(decision.player))[place]
            found.append(
                {"who": who, "rule": decision.rule, "question": words.ask(decision), "answer": said, "key": move.key}
            )
            game.choose(place)
    except PlayFault:
        pass
    return tuple(found)


# ---------------------------------------------------------------------- report


def report(finding: Finding, sources: Mapping[str, str]) -> str:
    """The law, the statement that ran last and the law's own line with a caret each, and the decisions in words."""
    course, breach = finding.small.course, finding.breach
    lines = [_diagnostic(finding, sources).rstrip("\n")]
    if breach.law in FREE:
        lines.append(f"the law '{breach.law}' of every game: {FREE[breach.law]}")
    shorter = f", {finding.small.before} before shrinking" if finding.small.before > len(course.moves) else ""
    lines.append(f"{course.players} players, seed {course.seed}, {len(course.moves)} decisions{shorter}:")
    for number, move in enumerate(finding.moves, 1):
        lines.append(f"{number:4}  {move['who']}: {move['question']} {move['answer']}")
    return "\n".join(lines) + "\n"


def _diagnostic(finding: Finding, sources: Mapping[str, str]) -> str:
    breach, place = finding.breach, finding.culprit
    if not known(place.span) and not known(breach.span):
        return f"error[{breach.law}]: {breach.message}"
    label = f"ran last, in rule '{place.rule}'" if place.rule else ""
    related: tuple[Related, ...] = ()
    if known(breach.span) and breach.span != place.span:
        related = (Related(breach.span, "the law" if breach.law.startswith("invariant") else "here"),)
    span = place.span if known(place.span) else breach.span
    one = Diagnostic(breach.law, breach.message, span, label, breach.hint, related=related)
    return render_text([one], sources).rpartition("\n\n")[0]


# ----------------------------------------------------------------------- files


def write(folder: Path, ruleset: Ruleset, finding: Finding, sources: Mapping[str, str]) -> dict[str, str]:
    """Write the finding into a folder; gives the names of its files. An older one of the same law is replaced."""
    course, breach = finding.small.course, finding.breach
    name = finding.file_name
    replay = {**replay_data(ruleset, course), "course": [[m.player, m.question, m.key] for m in course.moves]}
    texts = {
        "replay": (f"{name}.replay.json", json.dumps(replay, indent=1, ensure_ascii=False) + "\n"),
        "scenario": (f"{name}.toml", _scenario(ruleset, course, breach)),
        "report": (f"{name}.txt", report(finding, sources)),
    }
    for file, text in texts.values():
        _write_whole(folder / file, text)
    return {what: str(folder / file) for what, (file, _) in texts.items()}


def _scenario(ruleset: Ruleset, course: Course, breach: Breach) -> str:
    """The game as a scenario. It passes as long as the fault is there: that is how one sees it again."""
    about = f"Found by the search: {breach.message}. It passes while that is so; when the rules are mended it fails."
    raised = breach.law.startswith("invariant") or breach.law in ("pieces", "counters", "dead_end")
    text = scenario_text(ruleset, course, f"{breach.law} is broken", about, [])
    if not raised:
        return text
    told = json.dumps(breach.message, ensure_ascii=False)
    if not course.moves:
        return f"{text}\n[[scenario.step]]\nfault = {told}\n"
    return f"{text}fault = {told}\n"


def _write_whole(path: Path, text: str) -> None:
    """A file is there with all of its text, on the disk, or not at all."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        beside = path.with_name(f"{path.name}.part")
        with beside.open("w", encoding="utf-8", newline="\n") as stream:
            stream.write(text)
            stream.flush()
            os.fsync(stream.fileno())
        beside.replace(path)
    except OSError as fault:
        raise Trouble(f"{path} cannot be written: {fault.strerror or 'the system refuses'}") from None
