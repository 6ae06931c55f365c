"""Runs a checked ruleset. The whole public face: load (from `warlock_dsl`), Game, play_again, and the errors."""

from interpreter.errors import AnswerError, GameFileError, LawViolationError, PlayError, RulesError
from interpreter.game import Game, play_again
from interpreter.machine import Machine
from interpreter.outcome import ScoreSheet
from interpreter.plain.machine import PlainMachine
from interpreter.state.decision import Decision, Option
from interpreter.state.labels import Shown
from interpreter.state.observe import Observation

__all__ = [
    "AnswerError",
    "Decision",
    "Game",
    "GameFileError",
    "LawViolationError",
    "Machine",
    "Observation",
    "Option",
    "PlainMachine",
    "PlayError",
    "RulesError",
    "ScoreSheet",
    "Shown",
    "play_again",
]
