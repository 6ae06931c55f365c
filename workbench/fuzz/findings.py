"""A finding for people and for other tools: a report in words, a replay, a scenario; each file whole or not there."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from attrs import frozen

from interpreter import Game, PlayError
from warlock_dsl import Diagnostic, Related, Ruleset, render_text
from workbench.fuzz.locate import Culprit, culprit, known
from workbench.fuzz.shrink import Small
from workbench.fuzz.violation import FREE, Violation
from workbench.language.sentences import Words
from workbench.service.table import question_for
from workbench.support.errors import UsageError
from workbench.support.packed import Shape
from workbench.transcripts.record import replay_data, scenario_text, seat_names
from workbench.transcripts.transcript import Transcript

MOVE = {"who": str, "rule": str, "question": str, "answer": str, "key": str}
FINDING: Shape = {
    **dict.fromkeys(("law", "message", "rule", "file", "key", "report", "replay", "scenario"), str),
    **dict.fromkeys(("line", "column", "players", "seed", "decisions", "decisions_before", "games_to_shrink"), int),
    **dict.fromkeys(("seconds", "seconds_shrinking"), float),
    "game": int,
    "moves": [MOVE],
}
"""The shape of a finding in a checkpoint."""


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
    def violation(self) -> Violation:
        return self.small.violation

    @property
    def file_name(self) -> str:
        return re.sub(r"[^a-z0-9_.]+", "-", self.violation.key.lower()).strip("-")[:80]

    def data(self) -> dict[str, Any]:
        violation, transcript = self.violation, self.small.transcript
        place = self.culprit.span if known(self.culprit.span) else violation.span
        return {
            "law": violation.law,
            "message": violation.message,
            "rule": self.culprit.rule or violation.rule,
            "file": place.file,
            "line": place.line,
            "column": place.column,
            "players": transcript.players,
            "seed": transcript.seed,
            "decisions": len(transcript.moves),
            "decisions_before": self.small.before,
            "games_to_shrink": self.small.tries,
            "game": self.game,
            "seconds": round(self.seconds, 1),
            "seconds_shrinking": round(self.shrinking, 1),
            "moves": [dict(move) for move in self.moves],
        }


def finding_of(ruleset: Ruleset, small: Small, game: int, seconds: float, shrinking: float) -> Finding:
    """All that can be said of a violation."""
    place = culprit(ruleset, small.transcript, small.violation)
    return Finding(small, place, moves_in_words(ruleset, small.transcript), game, seconds, shrinking)


def moves_in_words(ruleset: Ruleset, transcript: Transcript) -> tuple[dict[str, Any], ...]:
    """Every question and its answer, as whoever was asked saw them; the answer that breaks the law is the last."""
    words = Words(ruleset, "en", [name.capitalize() for name in seat_names(ruleset, transcript.players)])
    found: list[dict[str, Any]] = []
    try:
        game = Game.start(ruleset, transcript.players, transcript.seed, laws=False)
        for move in transcript.moves:
            asked = question_for(words, game)
            assert asked is not None
            place = [option.key for option in asked.options].index(move.key)
            said = {"who": words.seat(move.player), "rule": asked.rule, "question": asked.text}
            found.append({**said, "answer": asked.options[place].text, "key": move.key})
            game.choose(place)
    except PlayError:
        pass
    return tuple(found)


# ---------------------------------------------------------------------- report


def report(finding: Finding, sources: Mapping[str, str]) -> str:
    """The law, the statement that ran last and the law's own line with a caret each, and the decisions in words."""
    transcript, violation = finding.small.transcript, finding.violation
    lines = [_diagnostic(finding, sources).rstrip("\n")]
    if violation.law in FREE:
        lines.append(f"the law '{violation.law}' of every game: {FREE[violation.law]}")
    shorter = f", {finding.small.before} before shrinking" if finding.small.before > len(transcript.moves) else ""
    lines.append(f"{transcript.players} players, seed {transcript.seed}, {len(transcript.moves)} decisions{shorter}:")
    for number, move in enumerate(finding.moves, 1):
        lines.append(f"{number:4}  {move['who']}: {move['question']} {move['answer']}")
    return "\n".join(lines) + "\n"


def _diagnostic(finding: Finding, sources: Mapping[str, str]) -> str:
    violation, place = finding.violation, finding.culprit
    if not known(place.span) and not known(violation.span):
        return f"error[{violation.law}]: {violation.message}"
    label = f"ran last, in rule '{place.rule}'" if place.rule else ""
    related: tuple[Related, ...] = ()
    if known(violation.span) and violation.span != place.span:
        related = (Related(violation.span, "the law" if violation.law.startswith("invariant") else "here"),)
    span = place.span if known(place.span) else violation.span
    one = Diagnostic(violation.law, violation.message, span, label, violation.hint, related=related)
    return render_text([one], sources).rpartition("\n\n")[0]


# ----------------------------------------------------------------------- files


def write(folder: Path, ruleset: Ruleset, finding: Finding, sources: Mapping[str, str]) -> dict[str, str]:
    """Write the finding into a folder; gives the names of its files. An older one of the same law is replaced."""
    transcript, violation = finding.small.transcript, finding.violation
    name = finding.file_name
    replay = {
        **replay_data(ruleset, transcript),
        "transcript": [[m.player, m.question, m.key] for m in transcript.moves],
        "finding": {"law": violation.law, "message": violation.message, "rule": violation.rule},
    }
    texts = {
        "replay": (f"{name}.replay.json", json.dumps(replay, indent=1, ensure_ascii=False) + "\n"),
        "scenario": (f"{name}.toml", _scenario(ruleset, transcript, violation)),
        "report": (f"{name}.txt", report(finding, sources)),
    }
    for file, text in texts.values():
        _write_whole(folder / file, text)
    return {what: str(folder / file) for what, (file, _) in texts.items()}


def write_witness(folder: Path, ruleset: Ruleset, name: str, transcript: Transcript) -> dict[str, str]:
    """Write a game that shows what is sometimes so."""
    file = folder / f"{name}.replay.json"
    _write_whole(file, json.dumps(replay_data(ruleset, transcript), indent=1, ensure_ascii=False) + "\n")
    return {"replay": str(file)}


def _scenario(ruleset: Ruleset, transcript: Transcript, violation: Violation) -> str:
    """The game as a scenario. It passes as long as the error is there: that is how one sees it again."""
    about = f"Found by the search: {violation.message}. It passes while that is so; when the rules are mended it fails."
    raised = violation.law.startswith("invariant") or violation.law in ("pieces", "counters", "dead_end")
    text = scenario_text(ruleset, transcript, f"{violation.law} is broken", about, [])
    if not raised:
        return text
    told = json.dumps(violation.message, ensure_ascii=False)
    if not transcript.moves:
        return f"{text}\n[[scenario.step]]\nfault = {told}\n"
    return f"{text}error = {told}\n"


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
    except OSError as error:
        raise UsageError(f"{path} cannot be written: {error.strerror or 'the system refuses'}") from None
