"""Runs a checked ruleset. What the workbench uses is listed here; the public face of both is `warlock_rules`.

A name is imported from its module when it is first asked for: a command that reads a checked ruleset from the cache
has no use for the checker.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from interpreter.errors import AnswerError, GameFileError, LawViolationError, PlayError, RulesError
    from interpreter.figures import Figures, Progress
    from interpreter.game import REPLAY_FORMAT, SAVE_FORMAT, UNREACHED, Game, play_again
    from interpreter.ir.analysis import DryRuns, answers_slots, live_slots, successors
    from interpreter.ir.lower import lower
    from interpreter.machine import BACKENDS, Handle, Machine, machine_for, why_plain
    from interpreter.outcome import ScoreSheet, Snapshot
    from interpreter.plain.ahead import margins
    from interpreter.plain.bots import MachineBot, Said, own_stream, worlds
    from interpreter.plain.branching import CHANCES, TooManyOrdersError
    from interpreter.plain.evaluate import Locals
    from interpreter.plain.machine import PlainMachine
    from interpreter.plain.questions import Answer, Offer, item_type
    from interpreter.plain.stepping import answer_stream
    from interpreter.plain.successors import Chance, Successor, asked, children, outcomes, told_of
    from interpreter.state.alike import called, class_name, exchangeable, twin_names, value_class
    from interpreter.state.decision import Decision, Option
    from interpreter.state.events import Event, Heard, for_seat, heard
    from interpreter.state.hidden_parts import kept_hidden
    from interpreter.state.labels import YES, Shown, answer_key, change_words, number_text, show_value, words_in
    from interpreter.state.layout import Layout, Slot
    from interpreter.state.observe import Observation, VariableView, ZoneView
    from interpreter.state.redeal import EVERYTHING, Anew
    from interpreter.state.state import Frame, State, lift_piece, opening_state, put_piece
    from interpreter.state.visibility import (
        declared_sight,
        other_sight,
        owner_seat,
        sees_count,
        sees_piece,
        sees_variable,
    )
    from interpreter.vm.disassemble import disassembled
    from interpreter.vm.library import is_built as vm_is_built
    from interpreter.why.model import Cause, PassedOver, ScorePart, Source, Why, WhyNot, WhyNotAsked, WhyRule, WhyWon

_HOMES = {
    "AnswerError": "errors",
    "GameFileError": "errors",
    "LawViolationError": "errors",
    "PlayError": "errors",
    "RulesError": "errors",
    "Game": "game",
    "REPLAY_FORMAT": "game",
    "SAVE_FORMAT": "game",
    "UNREACHED": "game",
    "play_again": "game",
    "DryRuns": "ir.analysis",
    "answers_slots": "ir.analysis",
    "live_slots": "ir.analysis",
    "successors": "ir.analysis",
    "lower": "ir.lower",
    "BACKENDS": "machine",
    "Handle": "machine",
    "Machine": "machine",
    "machine_for": "machine",
    "why_plain": "machine",
    "vm_is_built": "vm.library:is_built",
    "disassembled": "vm.disassemble",
    "ScoreSheet": "outcome",
    "Snapshot": "outcome",
    "margins": "plain.ahead",
    "MachineBot": "plain.bots",
    "Said": "plain.bots",
    "own_stream": "plain.bots",
    "worlds": "plain.bots",
    "CHANCES": "plain.branching",
    "TooManyOrdersError": "plain.branching",
    "Locals": "plain.evaluate",
    "PlainMachine": "plain.machine",
    "answer_stream": "plain.stepping",
    "Chance": "plain.successors",
    "Successor": "plain.successors",
    "asked": "plain.successors",
    "children": "plain.successors",
    "outcomes": "plain.successors",
    "told_of": "plain.successors",
    "Answer": "plain.questions",
    "Offer": "plain.questions",
    "item_type": "plain.questions",
    "called": "state.alike",
    "class_name": "state.alike",
    "exchangeable": "state.alike",
    "twin_names": "state.alike",
    "value_class": "state.alike",
    "Decision": "state.decision",
    "Option": "state.decision",
    "Event": "state.events",
    "Heard": "state.events",
    "Figures": "figures",
    "Progress": "figures",
    "for_seat": "state.events",
    "heard": "state.events",
    "kept_hidden": "state.hidden_parts",
    "Shown": "state.labels",
    "YES": "state.labels",
    "answer_key": "state.labels",
    "change_words": "state.labels",
    "number_text": "state.labels",
    "show_value": "state.labels",
    "words_in": "state.labels",
    "Layout": "state.layout",
    "Slot": "state.layout",
    "Observation": "state.observe",
    "VariableView": "state.observe",
    "ZoneView": "state.observe",
    "Anew": "state.redeal",
    "EVERYTHING": "state.redeal",
    "Frame": "state.state",
    "State": "state.state",
    "lift_piece": "state.state",
    "opening_state": "state.state",
    "put_piece": "state.state",
    "declared_sight": "state.visibility",
    "other_sight": "state.visibility",
    "owner_seat": "state.visibility",
    "sees_count": "state.visibility",
    "sees_piece": "state.visibility",
    "sees_variable": "state.visibility",
    "Cause": "why.model",
    "PassedOver": "why.model",
    "ScorePart": "why.model",
    "Why": "why.model",
    "Source": "why.model",
    "WhyNot": "why.model",
    "WhyNotAsked": "why.model",
    "WhyRule": "why.model",
    "WhyWon": "why.model",
}

__all__ = [
    "BACKENDS",
    "CHANCES",
    "EVERYTHING",
    "REPLAY_FORMAT",
    "SAVE_FORMAT",
    "UNREACHED",
    "YES",
    "Anew",
    "Answer",
    "AnswerError",
    "Cause",
    "Chance",
    "Decision",
    "DryRuns",
    "Event",
    "Figures",
    "Frame",
    "Game",
    "GameFileError",
    "Handle",
    "Heard",
    "LawViolationError",
    "Layout",
    "Locals",
    "Machine",
    "MachineBot",
    "Observation",
    "Offer",
    "Option",
    "PassedOver",
    "PlainMachine",
    "PlayError",
    "Progress",
    "RulesError",
    "Said",
    "ScorePart",
    "ScoreSheet",
    "Shown",
    "Slot",
    "Snapshot",
    "Source",
    "State",
    "Successor",
    "TooManyOrdersError",
    "VariableView",
    "Why",
    "WhyNot",
    "WhyNotAsked",
    "WhyRule",
    "WhyWon",
    "ZoneView",
    "answer_key",
    "answer_stream",
    "answers_slots",
    "asked",
    "called",
    "change_words",
    "children",
    "class_name",
    "declared_sight",
    "disassembled",
    "exchangeable",
    "for_seat",
    "heard",
    "item_type",
    "kept_hidden",
    "lift_piece",
    "live_slots",
    "lower",
    "machine_for",
    "margins",
    "number_text",
    "opening_state",
    "other_sight",
    "outcomes",
    "own_stream",
    "owner_seat",
    "play_again",
    "put_piece",
    "sees_count",
    "sees_piece",
    "sees_variable",
    "show_value",
    "successors",
    "told_of",
    "twin_names",
    "value_class",
    "vm_is_built",
    "why_plain",
    "words_in",
    "worlds",
]


def __getattr__(name: str) -> Any:
    home, _, own = _HOMES.get(name, "").partition(":")
    if not home:
        raise AttributeError(f"module 'interpreter' has no attribute '{name}'")
    found = globals()[name] = getattr(import_module(f"interpreter.{home}"), own or name)
    return found
