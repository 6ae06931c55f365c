"""A parting in words: what each of two rulesets asks, shows or counts at the moment at which they part."""

from __future__ import annotations

from collections.abc import Sequence

from interpreter import Game
from workbench.diff.lockstep import Divergence, Fact, Facts, Lockstep, Thing, parted
from workbench.diff.model import Moment, Side
from workbench.language.phrases import Phrases
from workbench.language.sentences import Words
from workbench.service.table import question_for, table_for
from workbench.transcripts.record import seat_names

MAX_TOLD = 3  # options or things that a sentence names


def moment(
    pair: Lockstep, divergence: Divergence, names: tuple[str, str], lang: str = "en", seats: Sequence[str] = ()
) -> Moment:
    """The parting at which two games stand; `names` is what the two rulesets are called, `seats` who plays."""
    old, new = _Teller(pair.old, lang, seats), _Teller(pair.new, lang, seats)
    viewer = next((seat for seat in (divergence.viewer, pair.old.to_move, pair.new.to_move) if seat >= 0), -1)
    ours = _only(old, pair, divergence, divergence.keys_old, divergence.facts_old)
    theirs = _only(new, pair, divergence, divergence.keys_new, divergence.facts_new)
    what = _sentence(old, new, divergence, names, (ours, theirs))
    said = old.words.phrases("diff_breaks", message=divergence.told)
    broken = Side(names[1], -1, "", "", said, (), (), (), (), (), None)
    other = broken if divergence.kind == "error" else new.side(names[1], viewer)
    return Moment(what, viewer, old.side(names[0], viewer), other, ours, theirs)


class _Teller:
    def __init__(self, game: Game, lang: str, seats: Sequence[str]) -> None:
        self.game = game
        self.seats = list(seats) or [name.capitalize() for name in seat_names(game.ruleset, game.players)]
        self.words = Words(game.ruleset, lang, self.seats)

    def side(self, name: str, viewer: int) -> Side:
        game, decision = self.game, self.game.decision
        sheets = game.scores()
        table = table_for(self.words, game, viewer)
        seen = dict.fromkeys(piece.name for zone in table.zones for piece in zone.pieces if piece.name)
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
            table,
            tuple((piece, self.words.help(piece)) for piece in seen),
        )

    def labels(self) -> list[str]:
        asked = question_for(self.words, self.game)
        return [] if asked is None else [option.text for option in asked.options]

    def state(self) -> str:
        """Who is asked what, or how the game has come out."""
        decision, say = self.game.decision, self.words.phrases
        if decision is None and not self.game.over:
            return say("diff_nobody_asked")
        if decision is None and self.words.components.cooperative:
            return say("diff_table_wins" if self.game.winners else "diff_table_loses")
        if decision is None:
            won = ", ".join(self.seats[seat] for seat in self.game.winners)
            return say("diff_won", players=won) if won else say("diff_won_by_nobody")
        return say("diff_asked", player=self.seats[decision.player], question=self.words.ask(decision))

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
            found = self.words.phrases("place_of", zone=found, player=self.seats[owner]) if owner >= 0 else found
        whose = f"{self.words.piece(holder)} [{holder}]" if holder else ""
        return self.words.phrases("place_of", zone=found, player=whose) if holder else found

    def fact(self, thing: Thing, fact: Fact | None) -> str:
        """What is known of a thing."""
        say = self.words.phrases
        if fact is None:
            return say("diff_no_such")
        if thing[0] == "variable":
            return fact.content[0][0] if fact.content else say("diff_hidden")
        if fact.count is None:
            return say("diff_hidden_count")
        named = [self._piece(thing[1], *one) for one in fact.content]
        unseen = fact.count - len(named)
        parts = [self.words.listed(named)] if named else []
        parts += [say("diff_unseen" if unseen > 1 else "diff_unseen_one", count=str(unseen))] if unseen else []
        return say("diff_and").join(parts) or say("diff_empty")

    def _piece(self, zone: str, name: str, row: int, column: int) -> str:
        piece = self.words.piece(name)
        place = self.words.cell(zone, row, column) if row >= 0 else ""
        return self.words.phrases("piece_at", piece=piece, place=place) if place else piece


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
    say = teller.words.phrases
    return tuple(
        say("diff_reading", name=teller.thing(thing), found=teller.fact(thing, fact)) for thing, fact in facts.items()
    )


def _part(teller: _Teller, key: str) -> str:
    """A part of the score, from `seat0.name: points`."""
    place, _, points = key.partition(": ")
    seat, _, name = place.partition(".")
    part = teller.words.phrases("diff_in_all") if name == "total" else teller.words.name(f"score.{name}")
    return f"{teller.seats[int(seat.removeprefix('seat'))]}, {part}: {points}"


# ------------------------------------------------------------------- sentences


def _sentence(
    old: _Teller,
    new: _Teller,
    divergence: Divergence,
    names: tuple[str, str],
    only: tuple[tuple[str, ...], tuple[str, ...]],
) -> str:
    say = old.words.phrases
    first, second = names
    match divergence.kind:
        case "error":
            return say("diff_reading", name=second, found=say("diff_breaks", message=divergence.told))
        case "asked" | "end":
            sides = (first, old.state()), (second, new.state())
            return " \u00b7 ".join(say("diff_reading", name=name, found=state) for name, state in sides)
        case "options":
            told = zip(names, only, strict=True)
            tails = [say("diff_only", name=name, found=_few(found, say)) for name, found in told if found]
            return " \u00b7 ".join([old.state(), *tails])
        case "score":
            told = zip(names, only, strict=True)
            points = [say("diff_reading", name=name, found=_few(found, say)) for name, found in told]
            return " \u00b7 ".join([say("diff_points_differ"), *points])
    things = tuple(dict.fromkeys((*divergence.facts_old, *divergence.facts_new)))
    found = [
        say(
            "diff_thing",
            thing=old.thing(thing) if thing in divergence.facts_old else new.thing(thing),
            old=say("diff_fact", name=first, fact=old.fact(thing, divergence.facts_old.get(thing))),
            new=say("diff_fact", name=second, fact=new.fact(thing, divergence.facts_new.get(thing))),
        )
        for thing in things[:MAX_TOLD]
    ]
    found += [say("diff_more", count=str(len(things) - MAX_TOLD))] if len(things) > MAX_TOLD else []
    sees = say("diff_sees", player=old.seats[divergence.viewer])
    lead = sees if divergence.kind == "sight" else say("diff_table_differs")
    return f"{lead} {say.apart(found)}"


def _few(lines: Sequence[str], say: Phrases) -> str:
    if not lines:
        return say("diff_none")
    more = [say("diff_more", count=str(len(lines) - MAX_TOLD))] if len(lines) > MAX_TOLD else []
    return say.apart([*lines[:MAX_TOLD], *more])
