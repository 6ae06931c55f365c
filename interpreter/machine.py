"""The protocol that every machine follows, and which machine plays: the fast one, or the plain one.

A state is an opaque handle: what a caller wants to know of it or do with it, it asks the machine that runs it.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Protocol

from interpreter.errors import AnswerError
from interpreter.ir.blocks import LoweredRule
from interpreter.ir.lower import lower
from interpreter.outcome import Outcome, Outcomes, ScoreSheet, Snapshot
from interpreter.plain.ahead import Followed
from interpreter.plain.bots import MachineBot, Said
from interpreter.plain.machine import PlainMachine
from interpreter.plain.questions import Answer
from interpreter.plain.stepping import MAX_ANSWERS
from interpreter.plain.successors import Chance, Successor
from interpreter.state.decision import Decision, Option
from interpreter.state.events import Event
from interpreter.state.hidden_parts import HiddenParts
from interpreter.state.layout import Layout
from interpreter.state.observe import Observation
from interpreter.state.redeal import EVERYTHING, Anew
from interpreter.state.state import State
from interpreter.vm.library import is_built
from warlock_dsl import Ruleset
from warlock_dsl.check import program as checked

BACKENDS = ("vm", "plain")
Handle = Any  # a state, as its machine holds it


class Machine(Protocol):
    """Runs states of one ruleset for one number of players. It holds nothing of a game: the state does."""

    def __hash__(self) -> int: ...

    @property
    def players(self) -> int: ...

    @property
    def layout(self) -> Layout:
        """Everything that stays the same through a game."""
        ...

    @property
    def unit(self) -> int:
        """How many of its numbers make one whole."""
        ...

    @property
    def lowered_rules(self) -> tuple[LoweredRule, ...]:
        """The rules, lowered; the number of a rule is its place."""
        ...

    @property
    def hidden_parts(self) -> HiddenParts:
        """What somebody may not see."""
        ...

    @property
    def plain(self) -> PlainMachine:
        """The plain machine of the same rules, for what it alone has: explaining, a log, running a single rule."""
        ...

    @property
    def kind(self) -> str:
        """Which machine this is, as `BACKENDS` names it."""
        ...

    @property
    def why_plain(self) -> str:
        """Why this is the plain machine though the fast one was wanted; "" where it was not, or is not."""
        ...

    @property
    def work(self) -> int:
        """What the last run has cost."""
        ...

    # ----------------------------------------------------------------- running

    def start(self, seed: int, /, log: bool = False) -> Handle:
        """A new game, not yet begun; `log` keeps what happens (a machine without a log refuses)."""
        ...

    def run(self, state: Handle, /) -> object:
        """Go on to the next question that somebody has to answer; None when the game is over."""
        ...

    def run_branching(self, state: Handle, told: Sequence[int], chance: str, max_orders: int, /) -> int:
        """The same with chance giving what `told` says, and with questions asked that have a single answer; 0, or in
        how many ways chance could go on where nothing more is told: then the state is of no more use. `chance` is
        what is told: `fixed` nothing, `rolls`, or `all`, shuffles included, of at most `max_orders` orders."""
        ...

    def successors(self, packed: bytes, trusted: bool, chance: Chance, /) -> Sequence[Successor]:
        """What every answer leads to, whatever chance gives, the laws tested; from a state in few bytes, as `freeze`
        gives it, that need not stand at its question."""
        ...

    def play_out(self, state: Handle, stream: int, maximum: int = MAX_ANSWERS, /) -> tuple[int, int]:
        """Play on with random answers, at most `maximum`; the stream after it, and how many they were."""
        ...

    def play_games(self, first: int, count: int, /) -> Outcomes:
        """`count` whole games of random answers, with the seeds from `first` on."""
        ...

    def look_ahead(self, state: Handle, stream: int, steps: int, /) -> Sequence[Snapshot]:
        """What each option comes to at once, settled on a copy each, with the same stream."""
        ...

    def follow(
        self, state: Handle, stream: int, steps: int, quarter: int, me: int, secret: int, tried: int = 0, /
    ) -> Followed:
        """Play on for `steps` answers, on a copy: how things stood when another than `me` was first asked, after
        `quarter` answers, and at the end. Each answer is the best at once of `tried`, or any for 0."""
        ...

    def laws(self, state: Handle, /) -> None:
        """Test every law of a state, where the machine was made to; a LawViolationError for one that is broken."""
        ...

    # ------------------------------------------------------ the question that waits

    def to_move(self, state: Handle, /) -> int:
        """The seat that is asked; -1 where no question waits."""
        ...

    def question(self, state: Handle, /) -> str:
        """The address of the question: its rule, and the name it binds; "" where none waits."""
        ...

    def count(self, state: Handle, /) -> int:
        """How many options there are; 0 where no question waits."""
        ...

    def answers(self, state: Handle, /) -> Sequence[Answer]:
        """What the options are, without their labels."""
        ...

    def move_keys(self, state: Handle, /) -> Sequence[Hashable]:
        """By option, what makes it the same move in another deal: the question and the answer, alike pieces being
        one."""
        ...

    def secret_depth(self, state: Handle, /) -> int:
        """How deep the rule lies that is collecting secret answers; -1 where none does."""
        ...

    def option(self, state: Handle, number: int, /) -> Option:
        """An option with its label, as the asked player may see it."""
        ...

    def key(self, state: Handle, number: int, /) -> str:
        """The word for an option in a replay. It names a piece that the asked player cannot see by its place."""
        ...

    def keys(self, state: Handle, /) -> Sequence[str]:
        """The same of every option."""
        ...

    def options_said(self, state: Handle, /) -> Sequence[Said | None]:
        """The options in words; None for those whose key does not say all of it, as of a piece that the player does not
        see. A machine may leave any."""
        ...

    def decision(self, state: Handle, /) -> Decision | None:
        """The question with all its options and labels."""
        ...

    def choose(self, state: Handle, number: int, /) -> None:
        """Answer with an option; what follows happens when the state is run."""
        ...

    def advance(self, state: Handle, number: int, /) -> tuple[Handle, str]:
        """Answer with an option, go on to the next question and test the laws: the state as it was before, and the key
        of the option. Where that breaks down the state is as it was; an AnswerError where there is no such option."""
        ...

    # ------------------------------------------------------------------------- bots

    def pick(self, state: Handle, bot: MachineBot, given: int, /) -> int:
        """The number of the option that a bot takes after so many answers."""
        ...

    def play_among(
        self, state: Handle, bots: Sequence[MachineBot], given: int, maximum: int, /
    ) -> tuple[Sequence[Hashable], int]:
        """Play on among bots, one for each seat, from a question that waits after `given` answers up to `maximum` of
        them, and test the laws: the answers (`said` has them in words), and the number of the next one where it is left
        to the caller, or -1. A machine may leave any. Where the rules break down the state is as it was."""
        ...

    def said(self, answer: Hashable, /) -> Said:
        """An answer that `play_among` gave, in words."""
        ...

    # ------------------------------------------------------------------ the state

    def over(self, state: Handle, /) -> bool:
        """Whether the game is over."""
        ...

    def winners(self, state: Handle, /) -> tuple[int, ...] | None:
        """The seats that have won; None as long as the game is not over."""
        ...

    def sizes(self, state: Handle, /) -> Sequence[int]:
        """How many pieces lie in each place, by its number."""
        ...

    def values(self, state: Handle, /) -> Sequence[checked.Constant]:
        """What each variable says, by its number."""
        ...

    def rules(self, state: Handle, /) -> Sequence[str]:
        """The addresses of the rules under way, the first begun first."""
        ...

    def table(self, state: Handle, /) -> Hashable:
        """What lies where, what variables say and who was shown what: equal for two states that differ in nothing of
        it, whatever rules are under way. States of two machines can be compared if they are of one kind and number
        things alike."""
        ...

    def scores(self, state: Handle, /) -> tuple[ScoreSheet, ...]:
        """The points of each seat as the table is now."""
        ...

    def points(self, state: Handle, /) -> Sequence[Sequence[int]]:
        """The same by seat and part, in units of the ruleset."""
        ...

    def totals(self, state: Handle, /) -> tuple[int, ...]:
        """Of each seat all of it."""
        ...

    def observe(self, state: Handle, seat: int, /) -> Observation:
        """What a seat sees; -1 sees everything."""
        ...

    def same_view(self, state: Handle, other: Handle, seat: int, /) -> bool:
        """Whether two states look the same to a seat: what `observe` gives of both is equal."""
        ...

    def redeal(self, state: Handle, seat: int, stream: int, /, anew: Anew = EVERYTHING) -> tuple[int, Handle]:
        """Another state that looks the same to a seat, and the stream after it was dealt; `anew` says what may differ.
        A PlayError where none was found."""
        ...

    def events(self, state: Handle, mark: int = 0, /) -> Sequence[Event]:
        """What has happened since a mark, which is a number of events; nothing where no log is kept."""
        ...

    def copy(self, state: Handle, /) -> Handle: ...

    def pack(self, state: Handle, /) -> dict[str, Any]:
        """The state as JSON would hold it. The log is no part of it."""
        ...

    def unpack(self, data: object, /, trusted: bool = False, log: bool = False) -> Handle:
        """The state that was packed, every part of it tested unless it is trusted: a save may be a stranger's."""
        ...

    def freeze(self, state: Handle, /) -> bytes:
        """The state in few bytes, for a machine of the same kind. The log is no part of it, nor is the question."""
        ...

    def thaw(self, data: bytes, /, trusted: bool = False) -> Handle:
        """The state of these bytes, every part of it tested unless it is trusted; a GameFileError where it is none."""
        ...

    def position(self, state: Handle, /) -> State:
        """The state as the plain machine holds it, for whoever looks at all of it; what is done to it is not done
        to the game."""
        ...

    def adopt(self, position: State, /) -> Handle:
        """The other way round, tested."""
        ...

    def digest(self, state: Handle, /) -> str:
        """A name for the state, the same on every machine."""
        ...

    def identity(self, state: Handle, chance: bool = True, /) -> bytes:
        """The same for two states that no rule and no player can tell apart: twins that change places, slots that
        nobody reads any more. `chance`: whether the random stream counts. Equal on every machine."""
        ...


if TYPE_CHECKING:
    from interpreter.vm.machine import VmMachine

    def _both_follow_it(plain: PlainMachine, vm: VmMachine) -> tuple[Machine, Machine]:
        return plain, vm


@lru_cache(maxsize=96)  # a comparison of editions plays some twenty rulesets with three numbers of players
def machine_for(ruleset: Ruleset, players: int, laws: bool, backend: str = BACKENDS[0]) -> Machine:
    """The machine for a ruleset and a number of players: the fast one, where it was built and has room for the rules,
    else the plain one, which `why_plain` tells of."""
    if backend not in BACKENDS:
        raise AnswerError(f"there is no backend '{backend}': {' or '.join(BACKENDS)}")
    layout = Layout(ruleset.program, ruleset.components, players)
    lowered_rules = lower(ruleset.program)
    plain = PlainMachine(layout, lowered_rules, laws)
    if backend == "plain":
        return plain
    if not is_built():
        plain.why_plain = "the fast machine was not built with the package"
        return plain
    from interpreter.vm.machine import NotForTheVm, VmMachine  # plain needs none of it

    try:
        return VmMachine(plain)
    except NotForTheVm as reason:
        plain.why_plain = f"the fast machine has no room for these rules ({reason})"
        return plain


def why_plain(machine: Machine) -> str:
    """Why the plain machine plays where the fast one was wanted; "" where nobody would ask."""
    return machine.why_plain


def play_random(ruleset: Ruleset, players: int, seed: int, backend: str = BACKENDS[0], laws: bool = False) -> Outcome:
    """A whole game of random answers."""
    return machine_for(ruleset, players, laws, backend).play_games(seed, 1)[0]
