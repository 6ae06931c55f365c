"""Runs a checked ruleset. The whole public face: load (from `warlock_dsl`), Game, play_again, and the errors."""

from interpreter.errors import AnswerError, GameFileError, LawViolationError, PlayError, RulesError
from interpreter.game import Game, play_again
from interpreter.ir.analysis import answers_slots, live_slots, successors
from interpreter.machine import Machine
from interpreter.outcome import ScoreSheet
from interpreter.plain.machine import PlainMachine
from interpreter.state.alike import called, class_name, exchangeable, value_class
from interpreter.state.decision import Decision, Option
from interpreter.state.labels import Shown
from interpreter.state.observe import Observation
from interpreter.state.visibility import (
    declared,
    is_hand,
    is_open,
    is_open_variable,
    owner_seat,
    sees_count,
    sees_piece,
    sees_place,
    sees_variable,
)

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
    "answers_slots",
    "called",
    "class_name",
    "declared",
    "exchangeable",
    "is_hand",
    "is_open",
    "is_open_variable",
    "live_slots",
    "owner_seat",
    "play_again",
    "sees_count",
    "sees_piece",
    "sees_place",
    "sees_variable",
    "successors",
    "value_class",
]
