"""Runs a checked ruleset. The whole public face: load (from `warlock_dsl`), Game, play_again, and the errors."""

from interpreter.errors import AnswerError, GameFileError, LawViolationError, PlayError, RulesError
from interpreter.game import Decision, Game, Option, ScoreSheet, play_again
from interpreter.state.labels import Shown
from interpreter.state.observe import Observation

__all__ = [
    "AnswerError",
    "Decision",
    "Game",
    "GameFileError",
    "LawViolationError",
    "Observation",
    "Option",
    "PlayError",
    "RulesError",
    "ScoreSheet",
    "Shown",
    "play_again",
]
