"""A parting in words: what each of two rulesets asks, shows or counts at the moment at which they part."""

from __future__ import annotations

from collections.abc import Sequence

from attrs import frozen

from interpreter import Game
from workbench.diff.lockstep import Divergence, Fact, Facts, Lockstep, Thing, parted
from workbench.diff.model import Side
from workbench.language.sentences import Words
from workbench.transcripts.record import seat_names

MAX_TOLD = 3  # options or things that a sentence names


@frozen
class Moment:
    """A parting as a report tells it."""

    what: str
    viewer: int
    old: Side
    new: Side
    only_old: tuple[str, ...]
    only_new: tuple[str, ...]


def moment(pair: Lockstep, divergence: Divergence, names: tuple[str, str], lang: str = "en") -> Moment:
    """The parting at which two games stand; `names` is what the two rulesets are called."""
    old, new = _Teller(pair.old, lang), _Teller(pair.new, lang)
    viewer = divergence.viewer if divergence.viewer >= 0 else pair.old.to_move
    ours = _only(old, pair, divergence, divergence.keys_old, divergence.facts_old)
    theirs = _only(new, pair, divergence, divergence.keys_new, divergence.facts_new)
    what = _sentence(old, new, divergence, names, (ours, theirs))
    broken = Side(names[1], -1, "", "", f"the rules break down: {divergence.told}", (), (), (), (), (), None)
    other = broken if divergence.kind == "error" else new.side(names[1], viewer)
    return Moment(what, viewer, old.side(names[0], viewer), other, ours, theirs)


class _Teller:
    def __init__(self, game: Game, lang: str) -> None:
        self.game = game
        self.seats = [name.capitalize() for name in seat_names(game.ruleset, game.players)]
        self.words = Words(game.ruleset, lang, self.seats)

    def side(self, name: str, viewer: int) -> Side:
        game, decision = self.game, self.game.decision
        sheets = game.scores()
        return Side(
            name,
            -1 if decision is None else decision.player,
            "" if decision is None else decision.rule,
            "" if decision is None else decision.name,
            self.state(),
            tuple(option.key for option in game.options()),
            tuple(self.labels()),
            tuple(sheet.total_text for sheet in sheets),
            tuple(tuple(sheet.part_texts.items()) for sheet in sheets),
            game.winners,
            game.observe(viewer),
        )

    def labels(self) -> list[str]:
        decision = self.game.decision
        return [] if decision is None else self.words.options(decision, self.game.observe(decision.player))

    def state(self) -> str:
        """Who is asked what, or how the game has come out."""
        decision = self.game.decision
        if decision is None and self.words.components.cooperative:
            return f"the game is over, and the table {'wins' if self.game.winners else 'loses'}"
        if decision is None:
            return f"the game is over, won by {self.people(self.game.winners)}"
        return f"{self.seats[decision.player]} is asked: {self.words.ask(decision)} [{self.game.question}]"

    def people(self, seats: Sequence[int]) -> str:
        return ", ".join(self.seats[seat] for seat in seats) or "nobody"

    # ------------------------------------------------------------------ things

    def thing(self, thing: Thing) -> str:
        what, word, owner, holder = thing
        name, row = parted(what, word)
        components = self.words.components
        if what == "zone":
            found = self.words.zone(name, owner, components.zones[name].by, row)
        else:
            by = next(one.by for (_, own), one in components.variables.items() if own == name)
            found = self.words.of_row(self.words.name(f"variable.{name}"), by, row)
            found += f" of {self.seats[owner]}" if owner >= 0 else ""
        return f"{found} of {self.words.piece(holder)} [{holder}]" if holder else found

    def fact(self, thing: Thing, fact: Fact | None) -> str:
        """What is known of a thing."""
        if fact is None:
            return "there is none"
        if thing[0] == "variable":
            return fact.content[0][0] if fact.content else "hidden"
        if fact.count is None:
            return "hidden, even how many"
        named = [self._piece(thing[1], *one) for one in fact.content]
        unseen = fact.count - len(named)
        parts = [self.words.listed(named)] if named else []
        parts += [f"{unseen} unseen"] if unseen else []
        return " and ".join(parts) or "empty"

    def _piece(self, zone: str, name: str, row: int, column: int) -> str:
        return self.words.piece(name) + (f" at {self.words.cell(zone, row, column)}" if row >= 0 else "")


def _only(
    teller: _Teller, pair: Lockstep, divergence: Divergence, keys: Sequence[str], facts: Facts
) -> tuple[str, ...]:
    """What one side has and the other has not, as lines."""
    if divergence.kind == "options":
        faces = pair.pair.faces([option.key for option in teller.game.options()])
        return tuple(label for face, label in zip(faces, teller.labels(), strict=True) if face in keys)
    if divergence.kind in ("asked", "end"):
        return (teller.state(),)
    if divergence.kind == "score":
        return tuple(_part(teller, key) for key in keys)
    return tuple(f"{teller.thing(thing)}: {teller.fact(thing, fact)}" for thing, fact in facts.items())


def _part(teller: _Teller, key: str) -> str:
    """A part of the score, from `seat0.name: points`."""
    place, _, points = key.partition(": ")
    seat, _, name = place.partition(".")
    part = "in all" if name == "total" else teller.words.name(f"score.{name}")
    return f"{teller.seats[int(seat.removeprefix('seat'))]}, {part}: {points}"


# ------------------------------------------------------------------- sentences


def _sentence(
    old: _Teller,
    new: _Teller,
    divergence: Divergence,
    names: tuple[str, str],
    only: tuple[tuple[str, ...], tuple[str, ...]],
) -> str:
    first, second = names
    match divergence.kind:
        case "error":
            return f"With {second} the rules break down: {divergence.told}"
        case "asked" | "end":
            return f"With {first} {old.state()}; with {second} {new.state()}"
        case "options":
            tails = [f"only with {name}: {_few(found)}" for name, found in zip(names, only, strict=True) if found]
            return f"{old.state()} - {'; '.join(tails)}"
        case "score":
            ours, theirs = (f"with {name} {_few(found)}" for name, found in zip(names, only, strict=True))
            return f"The table is the same, the points are not: {ours}; {theirs}"
    things = tuple(dict.fromkeys((*divergence.facts_old, *divergence.facts_new)))
    told = [
        f"{old.thing(thing) if thing in divergence.facts_old else new.thing(thing)}: with {first} "
        f"{old.fact(thing, divergence.facts_old.get(thing))}, with {second} "
        f"{new.fact(thing, divergence.facts_new.get(thing))}"
        for thing in things[:MAX_TOLD]
    ]
    more = f"; and {len(things) - MAX_TOLD} things more" if len(things) > MAX_TOLD else ""
    lead = f"{old.seats[divergence.viewer]} sees otherwise" if divergence.kind == "sight" else "The table differs"
    return f"{lead}. {'; '.join(told)}{more}"


def _few(lines: Sequence[str]) -> str:
    if not lines:
        return "nothing of the kind"
    shown = "; ".join(lines[:MAX_TOLD])
    return shown if len(lines) <= MAX_TOLD else f"{shown}; and {len(lines) - MAX_TOLD} more"
