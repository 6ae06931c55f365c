"""Runs a checked ruleset. What the workbench uses is listed here; the public face of both is `warlock_rules`."""

from interpreter.errors import AnswerError, GameFileError, LawViolationError, PlayError, RulesError
from interpreter.game import REPLAY_FORMAT, SAVE_FORMAT, Game, play_again
from interpreter.ir.analysis import answers_slots, live_slots, successors
from interpreter.ir.lower import lower
from interpreter.machine import BACKENDS, Machine, compile_with, keep_in, machine_for, native_source_for, source_for
from interpreter.outcome import ScoreSheet
from interpreter.plain.evaluate import Locals
from interpreter.plain.machine import PlainMachine, answer_stream
from interpreter.plain.questions import Answer, Offer, item_type
from interpreter.state.alike import called, class_name, exchangeable, value_class
from interpreter.state.decision import Decision, Option
from interpreter.state.events import Event
from interpreter.state.labels import Shown, number_text, show_value
from interpreter.state.layout import Layout, Slot
from interpreter.state.observe import Observation, VariableView, ZoneView
from interpreter.state.state import Frame, State, lift_piece, opening_state, put_piece
from interpreter.state.visibility import (
    declared_sight,
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
    "BACKENDS",
    "REPLAY_FORMAT",
    "SAVE_FORMAT",
    "Answer",
    "AnswerError",
    "Decision",
    "Event",
    "Frame",
    "Game",
    "GameFileError",
    "LawViolationError",
    "Layout",
    "Locals",
    "Machine",
    "Observation",
    "Offer",
    "Option",
    "PlainMachine",
    "PlayError",
    "RulesError",
    "ScoreSheet",
    "Shown",
    "Slot",
    "State",
    "VariableView",
    "ZoneView",
    "answer_stream",
    "answers_slots",
    "called",
    "class_name",
    "compile_with",
    "declared_sight",
    "exchangeable",
    "is_hand",
    "is_open",
    "is_open_variable",
    "item_type",
    "keep_in",
    "lift_piece",
    "live_slots",
    "lower",
    "machine_for",
    "native_source_for",
    "number_text",
    "opening_state",
    "owner_seat",
    "play_again",
    "put_piece",
    "sees_count",
    "sees_piece",
    "sees_place",
    "sees_variable",
    "show_value",
    "source_for",
    "successors",
    "value_class",
]
