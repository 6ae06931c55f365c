"""Runs a checked ruleset. The whole public face: load (from `warlock_dsl`), Game, play_again, and the faults."""

from interpreter.faults import AnswerFault, FileFault, LawBroken, PlayFault, RulesFault
from interpreter.game import Decision, Game, Option, ScoreSheet, play_again
from interpreter.observe import Observation
from interpreter.shown import Shown

__all__ = [
    "AnswerFault",
    "Decision",
    "FileFault",
    "Game",
    "LawBroken",
    "Observation",
    "Option",
    "PlayFault",
    "RulesFault",
    "ScoreSheet",
    "Shown",
    "play_again",
]
