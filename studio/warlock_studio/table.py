"""The table of a page: a game that is played by clicks and bots, rewound, branched, asked why, kept."""

from __future__ import annotations

import secrets
import time
import tomllib
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import tomli_w
from attrs import asdict, frozen

from interpreter import AnswerError, Game, PlayError
from warlock_dsl import Ruleset
from warlock_studio.export import game_page
from warlock_studio.files import replace
from warlock_studio.worker import Json, RefusedError
from workbench.language.sentences import Words, language_for
from workbench.language.why_words import why_lines, why_not_lines
from workbench.players.registry import KINDS, bot_of
from workbench.scenario.opened import laid_out
from workbench.scenario.read import read_scenarios
from workbench.scenario.stage import Stage
from workbench.service.foresight import foreseen
from workbench.service.frames import frames
from workbench.service.table import EVERYBODY, table_for
from workbench.service.timeline import Timeline
from workbench.support.errors import UsageError
from workbench.transcripts.record import scenario_text, seat_names
from workbench.transcripts.transcript import Move, Transcript, question_of

if TYPE_CHECKING:
    from warlock_studio.desk import Desk

DEFAULT_PLAYERS = 4
PERSON = "person"
FOLLOW = -2  # a viewer: whoever is asked
NAMES = ("Ann", "Ben", "Cid", "Dot", "Eve", "Fay", "Gus", "Hal", "Ivy", "Jon", "Kim", "Leo")
MAX_BOT_ANSWERS = 40  # in one request: the page asks again, and can be stopped
MAX_LOG = 60
MAX_PLAYING = 12.0  # seconds


@frozen
class Position:
    """A scenario that a table began from: its text, and which one of it."""

    text: str
    number: int
    names: tuple[str, ...]  # of the seats


class TableDesk:
    """What can be asked about the table."""

    def __init__(self, desk: Desk) -> None:
        self.desk = desk
        self.line: Timeline | None = None
        self.kinds: list[str] = []
        self.viewer = FOLLOW
        self.lang = "en"
        self.foreign = ""  # what the rules are called, where the table plays others than those of the stack
        self.position: Position | None = None
        self.broken = ("", "")  # the answer at which the game that was opened breaks a law, and what is wrong then

    def methods(self) -> dict[str, Callable[[Json], Any]]:
        return {
            "table/new": self.new,
            "table/show": self.show,
            "table/choose": self.choose,
            "table/go": self.go,
            "table/branch": self.branch,
            "table/bots": self.bots,
            "table/preview": self.preview,
            "table/why": self.why,
            "table/whyNot": self.why_not,
            "table/score": self.score,
            "table/keep": self.keep,
            "table/save": self.save,
            "table/export": self.export,
            "table/load": self.load,
            "table/game": self.played,
        }

    # ------------------------------------------------------------ beginning

    def rules(self) -> Ruleset:
        self.desk.up_to_date()
        if self.desk.ruleset is None:
            raise RefusedError("these rules have errors and were never sound: there is nothing to play yet")
        return self.desk.ruleset

    def new(self, params: Json) -> Json:
        ruleset = self.rules()
        minimum, maximum = ruleset.components.min_players, ruleset.components.max_players
        players = int(params.get("players") or max(minimum, min(maximum, DEFAULT_PLAYERS)))
        seed = params.get("seed")
        number = secrets.randbelow(1 << 32) if seed is None else int(seed)
        kinds = [str(kind) for kind in params.get("seats") or ()][:players]
        self.sit_down(Timeline(ruleset, players, number, [PERSON] * players))
        self.kinds = [kind if kind in KINDS else PERSON for kind in [*kinds, *[PERSON] * (players - len(kinds))]]
        return self.show(params)

    def sit_down(self, line: Timeline, position: Position | None = None, foreign: str = "") -> None:
        """Another game is on the table, with a person at every seat."""
        self.line, self.position, self.foreign = line, position, foreign
        self.broken = ("", "")
        self.kinds = [PERSON] * line.game.players
        self.viewer = min(self.viewer, line.game.players)

    def timeline(self) -> Timeline:
        if self.line is None:
            raise RefusedError("there is no table yet")
        return self.line

    @property
    def game(self) -> Game:
        return self.timeline().game

    @property
    def eyes(self) -> int:
        """Whose eyes the table is seen through: followed are people, or bots where there is nobody else."""
        if self.viewer != FOLLOW:
            return self.viewer
        asked = self.game.to_move
        if (asked >= 0 and self.kinds[asked] == PERSON) or PERSON not in self.kinds:
            return asked if asked >= 0 else self.game.players
        return self.kinds.index(PERSON)

    def words(self) -> Words:
        ruleset = self.game.ruleset
        lang = language_for(ruleset, None if self.lang not in (*ruleset.components.names, "en") else self.lang)
        names = NAMES if self.position is None else self.position.names
        return Words(ruleset, lang, names[: self.game.players])

    def rules_changed(self) -> None:
        """Go on under the rules as they are now, and tell the page how far that went."""
        if self.line is None or self.desk.ruleset is None or self.foreign:
            return
        try:
            carried = self.line.carry_over(self.desk.ruleset)
        except (PlayError, UsageError) as error:
            self.desk.tell("table/carried", {"kept": 0, "stopped": "", "error": error.message})
            return
        found = {**asdict(carried), "table": self.show({})}
        self.desk.tell("table/carried", found)

    # ------------------------------------------------------------ what a page draws

    def show(self, params: Json) -> Json:
        """The table through the eyes of a seat: of the one who is asked, unless another one is named."""
        line, game = self.timeline(), self.game
        if "viewer" in params:
            self.viewer = max(FOLLOW, min(game.players, int(params["viewer"])))
        if "lang" in params:
            self.lang = str(params["lang"])[:20]
        words = self.words()
        viewer = self.eyes
        table = table_for(words, game, viewer, max(0, len(game.events) - MAX_LOG), scored=True)
        components = game.ruleset.components
        return {
            "table": table.data(),
            "viewer": self.viewer,
            "at": line.at,
            "length": len(line.answers),
            "branches": [len(one) for one in line.branches],
            "seed": str(game.seed),
            "players": game.players,
            "range": [components.min_players, components.max_players],
            "seats": self.kinds,
            "names": [words.seat(number) for number in range(game.players)],
            "kinds": [PERSON, *KINDS],
            "langs": sorted(components.names),
            "lang": words.lang,
            "ruleset": game.ruleset.name,
            "foreign": self.foreign,
            "placed": self.position is not None,
        }

    # ------------------------------------------------------------ playing

    def choose(self, params: Json) -> Json:
        self.timeline().choose(int(params["number"]) - 1)
        return self.show(params)

    def go(self, params: Json) -> Json:
        self.timeline().go(int(params["at"]))
        return self.show(params)

    def branch(self, params: Json) -> Json:
        self.timeline().take(int(params["branch"]))
        return self.show(params)

    def bots(self, params: Json) -> Json:
        """Let bots answer: once (`step`), or until a person is asked, but not for too long at a time. `seats` says anew
        who plays."""
        line, game = self.timeline(), self.game
        for number, kind in enumerate(params.get("seats") or ()):
            if number < len(self.kinds) and (kind in KINDS or kind == PERSON):
                self.kinds[number] = kind
        step = bool(params.get("step"))
        forced = str(params.get("as") or "")
        given = 0
        while not game.over and given < (1 if step else MAX_BOT_ANSWERS):
            kind = self.kinds[game.to_move]
            if kind == PERSON:
                if forced not in KINDS:
                    break
                kind = forced
            line.choose(bot_of(kind, game.seed).pick(game))
            given += 1
        waits = not game.over and self.kinds[game.to_move] != PERSON
        return {**self.show(params), "waits": waits}

    def preview(self, params: Json) -> Json:
        """The table after an option, as far as whoever is asked can foresee it."""
        game = self.game
        if self.eyes not in (game.to_move, EVERYBODY):
            raise RefusedError("only who is asked can look ahead")
        return {"table": foreseen(self.words(), game, self.eyes, int(params["number"]) - 1)}

    # ------------------------------------------------------------ why

    def why(self, params: Json) -> Json:
        """Why an option is on offer, or something is not, in words; each clause with its place in the texts."""
        if self.eyes not in (self.game.to_move, EVERYBODY):
            raise RefusedError("only who is asked knows the options")
        found = self.game.why(str(params["key"])[:500])
        lines = why_lines(self.words(), self.game.ruleset, found)
        return {"lines": lines, "causes": [one.data() for one in found.holds]}

    def why_not(self, params: Json) -> Json:
        viewer = self.eyes if 0 <= self.eyes < self.game.players else None
        found = self.game.why_not(str(params["key"])[:500], viewer)
        causes = [*found.causes, *(one for way in found.others for one in way)]
        lines = why_not_lines(self.words(), self.game.ruleset, found)
        return {"lines": lines, "causes": [one.data() for one in causes], "offered": found.offered}

    def score(self, params: Json) -> Json:
        seat = int(params["seat"])
        parts = self.game.why_score(seat, self.eyes)
        words = self.words()
        return {
            "parts": [
                {
                    "name": words.name(f"score.{part.name}"),
                    "value": words.shown(part.value, seat),
                    "terms": [
                        {
                            "text": term.text,
                            "value": words.shown(term.value, seat),
                            "items": [[words.shown(of, seat), words.shown(adds, seat)] for of, adds in term.items],
                        }
                        for term in part.terms
                    ],
                }
                for part in parts
            ]
        }

    # ------------------------------------------------------------ keeping

    def keep(self, params: Json) -> Json:
        """The position as a scenario in the folder that was opened: the way to here, and who is asked what."""
        desk = self.desk
        if self.foreign:
            raise RefusedError("this table plays other rules than the stack that is open: open that stack to keep it")
        name = str(params.get("name") or "")[:80].strip() or f"after {len(self.game.answers)} answers"
        text = self.as_scenario(name)
        assert desk.found is not None
        top = desk.found.overlays[-1][0].name if desk.found.overlays else ""
        own = [path for known, path in desk.paths.items() if known.startswith(f"+{top}/" if top else "")]
        home = own[0].parent if own and desk.folder.inside(own[0]) else desk.opened.folder
        word = "".join(sign if sign.isalnum() and sign.isascii() else "-" for sign in name.lower()).strip("-") or "kept"
        path = home / "scenarios" / f"{word[:40]}.toml"
        number = 1
        while path.exists():
            number += 1
            path = home / "scenarios" / f"{word[:40]}-{number}.toml"
        desk.folder.check(path)
        replace(path, text)
        desk.stamps = desk.stamped()
        if desk.ruleset is not None:
            desk.scenarios.again(desk.ruleset)
        shown = next((known for known, one in desk.scenarios.files().items() if one == path), "")
        return {"path": str(path.relative_to(desk.opened.folder)), "name": shown, "text": text, "files": desk.files()}

    def as_scenario(self, name: str) -> str:
        """The position here as the text of a scenario."""
        game, line, position = self.game, self.timeline(), self.position
        seats = seat_names(game.ruleset, game.players) if position is None else [one.lower() for one in position.names]
        decision = game.decision
        checks: list[Json] = []
        if decision is not None:
            checks = [{"asks": f"{seats[decision.player]}", "offers_only": [one.key for one in decision.options]}]
        moves = moves_of(line)
        if position is None:
            return scenario_text(game.ruleset, Transcript(game.players, game.seed, moves), name, name, checks)
        scenario = dict(tomllib.loads(position.text)["scenario"][position.number])
        given = [f"{seats[move.player]}: {move.key}" for move in moves]
        steps = [{"answers": given}] if given else []
        scenario |= {"name": name, "ruleset": game.ruleset.name, "step": [*steps, *checks]}
        return tomli_w.dumps({"about": name, "scenario": [scenario]}, multiline_strings=False)

    def save(self, params: Json) -> Json:
        """The game as a file that `warlock replay` and `warlock play` read: the page gives it to the person."""
        if self.position is not None:
            raise RefusedError("a table that began from a scenario is kept as a scenario")
        return {"replay": self.game.replay()}

    def export(self, params: Json) -> Json:
        """The game as one page that needs no server: through the eyes that look at it now, all of its line."""
        line, words = self.timeline(), self.words()
        viewer = None if self.viewer == FOLLOW else self.viewer
        fatal, told = self.broken
        found = frames(line.begin(line.game.ruleset), line.answers, words, viewer, fatal)
        return {"page": game_page(words.title(), words.lang, line.game.ruleset.name, found, told)}

    def load(self, params: Json, ruleset: Ruleset | None = None, name: str = "") -> Json:
        """A replay that the page was given, under the rules of the stack that is open, or under others."""
        data = params["replay"]
        if not isinstance(data, dict) or not isinstance(data.get("answers"), list):
            raise RefusedError("this is no replay")
        players, seed = data.get("players"), data.get("seed")
        if not isinstance(players, int) or not isinstance(seed, int) or isinstance(players, bool):
            raise RefusedError("the replay does not say how many play, or with which seed")
        answers = [str(one)[:2000] for one in data["answers"][:50_000]]
        seats = [PERSON] * players

        def untested(rules: Ruleset) -> Game:  # a difference alone may break a law that goes with the others
            return Game.start(rules, players, seed, seats, laws=False, log=True)

        begin = None if ruleset is None else untested
        line = Timeline(ruleset or self.rules(), players, seed, seats, begin=begin)
        stopped, error = given(line, answers)
        self.sit_down(line, foreign=name)
        if error:
            self.broken = (stopped, error)
        return {**self.show(params), "stopped": stopped, "error": error}

    def open_scenario(self, params: Json, ruleset: Ruleset | None = None, name: str = "") -> Json:
        """The position of a scenario; its answers lie ahead, or are given (`end`)."""
        text, number = str(params["text"]), int(params.get("number") or 0)

        def begin(rules: Ruleset) -> Stage:
            scenarios, errors = read_scenarios(text, "scenario", lambda _: rules, rules.name, rules)
            if number >= len(scenarios):
                raise UsageError(errors[0].message if errors else "there is no such scenario")
            return laid_out(scenarios[number], rules, scenarios[number].name).stage

        rules = ruleset or self.rules()
        first = begin(rules)
        scenarios, _ = read_scenarios(text, "scenario", lambda _: rules, rules.name, rules)
        answers = [word.text for step in scenarios[number].steps for word in step.answers]
        line = Timeline(rules, first.players, first.seed, begin=begin)
        stopped = meant(line, answers)
        if not params.get("end"):
            line.go(0)
        names = tuple(name.capitalize() for name in first.seats)
        self.sit_down(line, Position(text, number, names), name)
        return {**self.show(params), "stopped": stopped}

    def played(self, params: Json) -> Json:
        """A game among bots, played once more from its seed, for as long as one request may take."""
        kinds = [str(one) for one in params["seats"]]
        if any(kind not in KINDS for kind in kinds):
            raise RefusedError("a bot for each seat")
        line = Timeline(self.rules(), len(kinds), int(params["seed"]), kinds, log=False)
        bots, end = [bot_of(kind, line.game.seed) for kind in kinds], time.monotonic() + MAX_PLAYING
        while not line.game.over and time.monotonic() < end:
            line.choose(bots[line.game.to_move].pick(line.game))
        kept = Timeline(self.rules(), len(kinds), line.game.seed, [PERSON] * len(kinds))
        kept.answers = line.answers[:]
        kept.go(len(kept.answers))
        self.sit_down(kept)
        return self.show(params)


def given(line: Timeline, answers: Sequence[str]) -> tuple[str, str]:
    """Give answers as far as they go; the first that does not, and what it breaks."""
    stopped = error = ""
    for key in answers:
        try:
            line.game.answer(key)
        except AnswerError:
            stopped = key
            break
        except PlayError as broken:  # the answer at which a law breaks: the table is where it is still to be given
            stopped, error = key, broken.message
            break
    line.answers = line.game.answers[:]
    return stopped, error


def meant(line: Timeline, words: Sequence[str]) -> str:
    """Give the answers of a scenario, as it names them; the first that means nothing here."""
    stopped, game = "", line.game
    assert isinstance(game, Stage)
    for word in words:
        path = game.meant(word).path
        if not path:
            stopped = word
            break
        try:
            for number in path:
                game.choose(number)
        except PlayError:
            stopped = word
            break
    line.answers = game.answers[:]
    return stopped


def moves_of(line: Timeline) -> tuple[Move, ...]:
    """The answers up to here, with who gave them."""
    again = line.begin(line.game.ruleset)
    moves = []
    for key in line.game.answers:
        decision = again.decision
        assert decision is not None
        moves.append(Move(decision.player, question_of(decision), key))
        again.answer(key)
    return tuple(moves)
