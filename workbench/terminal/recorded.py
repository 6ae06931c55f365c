"""A game that was played before, position by position: a replay, a save, a finding of `fuzz`, a game in progress."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from attrs import frozen

from interpreter import SAVE_FORMAT, AnswerError, Game, GameFileError, LawViolationError, PlayError, RulesError
from warlock_dsl import Ruleset
from workbench.fuzz.playthrough import Playthrough, watch_for
from workbench.fuzz.violation import FREE, Violation, violation_of
from workbench.language.event_log import tell
from workbench.language.sentences import Words
from workbench.service.table import question_for
from workbench.support.packed import fits
from workbench.terminal.sitting import resume

MOVES = [(int, str, str)]  # of a finding: who, which question, the key of the answer
MAX_ANSWERS = 50_000  # of one game
MAX_LENGTH = 3000  # decisions of a game that is tested for having an end, as in `fuzz`


@frozen
class Recorded:
    """The game as far as it goes; `fatal` is an answer that was given after that and breaks the rules, by its key.

    `violation` is the law that does not hold, and `broken` after how many answers that is so.
    """

    game: Game
    violation: Violation | None = None
    broken: int = -1
    fatal: str = ""

    @property
    def count(self) -> int:
        """How many answers there are."""
        answers: list[str] = self.game.answers
        return len(answers)

    def at(self, answers: int) -> Game:
        """The game after this many answers."""
        game = self.game.copy()
        while len(game.answers) > answers:
            game.undo()
        return game

    def given(self, answers: int) -> str:
        """The key of what was answered next; "" at the end."""
        return self.game.answers[answers] if answers < self.count else self.fatal


def recorded(ruleset: Ruleset, data: dict[str, Any]) -> Recorded:
    """The game of a file. GameFileError where it does not fit the rules or itself."""
    if data.get("format") == SAVE_FORMAT:
        start = resume(ruleset, data)
        if not start.whole:
            raise GameFileError("the answers of the save do not lead to where it is; `warlock play --load` goes on")
        return _tested(ruleset, Recorded(start.game))
    empty = {key: value for key, value in data.items() if key != "digest"}
    Game.from_replay(ruleset, {**empty, "answers": []}, laws=False)  # what the heading says is tested
    claimed = _finding(data)
    keys: Any = [key for _, _, key in data["transcript"]] if claimed else data.get("answers")
    if not fits(keys, [str]) or len(keys) > MAX_ANSWERS:
        raise GameFileError("the file has no list of answers")
    found = _as_far(ruleset, data, keys)
    if claimed:
        return _told(ruleset, found, Violation(claimed["law"], claimed["message"], claimed["rule"]))
    if not found.fatal and "digest" in data and data["digest"] != found.game.digest():
        raise GameFileError("the answers fit, but the game they lead to is not the one the file names")
    return _tested(ruleset, found)


def _finding(data: dict[str, Any]) -> dict[str, str]:
    """What a file of `fuzz` says was found; {} of another file."""
    found = data.get("finding")
    shape = {"law": str, "message": str, "rule": str}
    return found if isinstance(found, dict) and fits(found, shape) and fits(data.get("transcript"), MOVES) else {}


def _as_far(ruleset: Ruleset, data: dict[str, Any], keys: Sequence[str]) -> Recorded:
    """The answers as long as they can be given."""
    game = Game.start(ruleset, data["players"], data["seed"], data["seats"], laws=False, log=True)
    for number, key in enumerate(keys, 1):
        try:
            game.answer(key)
        except AnswerError as error:
            raise GameFileError(f"answer {number}: {error.message}") from None
        except PlayError as error:
            return Recorded(game, violation_of(error), len(game.answers) + 1, key)
    return Recorded(game)


def _told(ruleset: Ruleset, found: Recorded, claimed: Violation) -> Recorded:
    """Where the law breaks that was found broken: as the search tested it, answer by answer."""
    game = found.game
    watched = Playthrough(ruleset, game.players, game.seed, watch_for(claimed, MAX_LENGTH))
    for key in [*game.answers, *([found.fatal] if found.fatal else [])]:
        if watched.violation is not None or watched.game is None:
            break
        keys = [option.key for option in watched.game.options()]
        watched.choose(keys.index(key))
    if watched.violation is None:
        return found
    return Recorded(game, watched.violation, len(watched.moves), found.fatal)


def _tested(ruleset: Ruleset, found: Recorded) -> Recorded:
    """A game with the first of the laws written for it that breaks, if one does."""
    game = found.game
    try:
        again = Game.start(ruleset, game.players, game.seed, game.seats)
        for key in [*game.answers, *([found.fatal] if found.fatal else [])]:
            again.answer(key)
        again.scores()
    except (LawViolationError, RulesError) as error:
        broken = len(error.reached.replay["answers"]) if error.reached is not None else found.count
        return Recorded(game, violation_of(error), broken, found.fatal)
    except AnswerError:  # a save in a state that its answers do not lead to
        return found
    return found


def law_in_words(violation: Violation) -> list[str]:
    """The law that does not hold, and what was seen."""
    lines = [f"{violation.law}: {violation.message}"]
    if violation.law in FREE:
        lines.append(f"the law '{violation.law}' of every game: {FREE[violation.law]}")
    if violation.rule:
        lines.append(f"in rule {violation.rule}, {violation.span.file}:{violation.span.line}")
    return lines


def moves_in_words(found: Recorded, words: Words) -> list[dict[str, Any]]:
    """Every question and its answer, as the player who was asked saw them; a fatal answer is the last."""
    told: list[dict[str, Any]] = []
    game = found.game
    again = Game.start(game.ruleset, game.players, game.seed, game.seats, laws=False)
    for number, key in enumerate([*game.answers, *([found.fatal] if found.fatal else [])], 1):
        asked = question_for(words, again)
        assert asked is not None
        place = [option.key for option in asked.options].index(key)
        told.append({
            "number": number, "seat": again.to_move, "who": words.seat(again.to_move), "rule": asked.rule,
            "name": asked.name, "question": asked.text, "answer": asked.options[place].text, "key": key,
            **({"breaks": True} if number == found.broken else {}),
        })  # fmt: skip
        if number <= found.count:
            again.choose(place)
    return told


def search(found: Recorded, words: Words, text: str, start: int, viewer: int = -1) -> int | None:
    """The first position behind `start` that something led to in whose words the text stands; round the end."""
    marks: list[int] = [len(found.at(number).events) for number in range(found.count + 1)]
    wanted = text.casefold()
    order: list[int] = [*range(start + 1, found.count + 1), *range(1, start + 1)]
    for number in order:
        lines = tell(found.game.events[marks[number - 1] : marks[number]], viewer, words)
        if any(wanted in line.casefold() for line in lines):
            return number
    return None
