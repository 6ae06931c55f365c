"""Judges a moment of a scenario: what is asked and offered, what lies where, who sees what, what it is worth."""

from __future__ import annotations

import re
from collections.abc import Callable
from fractions import Fraction

from attrs import evolve, frozen

from interpreter import Shown, number_text, sees_count, sees_piece, sees_variable
from warlock_dsl import Span, nodes, reads_me
from warlock_dsl.check import program as checked
from workbench.scenario.model import NOBODY, Filling, Hearing, Naming, Points, Setting, Sight, Step, Test, Word
from workbench.scenario.stage import Stage
from workbench.scenario.values import paired

MAX_LISTED = 24  # options and pieces named in a message


@frozen
class Judge:
    """Compares a table with what a step says of it; `fail` is told the place, what was expected and what was found."""

    stage: Stage
    fail: Callable[[Span, str, str], None]

    def step(self, step: Step) -> None:
        """Everything the step says about this moment."""
        stage = self.stage
        if step.asks is not None:
            seat, span = step.asks
            if stage.to_move != seat:
                who = "nobody" if seat == NOBODY else stage.seats[seat]
                self.fail(span, f"{who} is asked", situation(stage))
        if step.question is not None and step.question.text != stage.address:
            self.fail(step.question.span, f"the question {step.question.text}", situation(stage))
        for word in step.offers:
            if not stage.meant(word.text).found:
                self.fail(word.span, f"'{word.text}' among the options", situation(stage))
        for word in step.refuses:
            if stage.address == "" or stage.meant(word.text).found:
                self.fail(word.span, f"'{word.text}' not among the options", situation(stage))
        if step.offers_only is not None:
            self.all_options(step.offers_only, step.offers_only_span or step.span)
        for test in step.tests:
            self.test(test)
        for points in step.points:
            self.points(points)
        for sight in step.sights:
            self.sight(sight)
        for naming in step.namings:
            self.naming(naming)
        for hearing in step.hearings:
            self.hearing(hearing)
        for setting in step.settings:
            self.setting(setting)
        for filling in step.holds:
            self.place(filling)
        self.end(step)

    def all_options(self, words: tuple[Word, ...], span: Span) -> None:
        stage = self.stage
        choices = stage.choices()
        fitting = [[n for n, word in enumerate(words) if stage.matches(choice, word.text)] for choice in choices]
        if len(words) != len(choices) or not paired(fitting):
            wanted = ", ".join(word.text for word in words) or "none"
            self.fail(span, f"exactly these options: {wanted}", situation(stage))

    def test(self, test: Test) -> None:
        stage = self.stage
        me = stage.to_move
        if me < 0 and speaks_of_me(test.fragment.value):
            self.fail(test.span, "somebody is asked, since the expression speaks of `me`", situation(stage))
            return
        value = bool(stage.evaluate(test.fragment, max(me, 0)))
        if value != test.holds:
            self.fail(test.span, f"{test.text}: {str(test.holds).lower()}", self.sides(test))

    def sides(self, test: Test) -> str:
        """What a comparison compared; of anything else only that it is not so."""
        stage = self.stage
        value = test.fragment.value
        plain = str(not test.holds).lower()
        if not isinstance(value, checked.Binary) or value.op in ("and", "or"):
            return plain
        said = []
        for side in (value.left, value.right):
            found = stage.evaluate(evolve(test.fragment, value=side), max(stage.to_move, 0))
            said.append(stage.words.say(stage.state, found, side.type))
        return f"{plain}: {said[0]} {value.op} {said[1]}"

    def points(self, points: Points) -> None:
        stage = self.stage
        unit = stage.machine.unit
        parts = stage.parts(points.seat)
        found = sum(parts) if points.part < 0 else parts[points.part]
        if Fraction(found, unit) != points.value:
            who = stage.seats[points.seat]
            sheet = " + ".join(
                f"{score.name} {number_text(part, unit)}"
                for score, part in zip(stage.ruleset.program.scores, parts, strict=True)
            )
            wanted = number_text(int(points.value * unit), unit)
            self.fail(points.span, f"{who} has {points.name} {wanted}", f"{sheet} = {number_text(sum(parts), unit)}")

    def sight(self, sight: Sight) -> None:
        stage, who = self.stage, self.stage.seats[sight.seat]
        layout, state = stage.machine.layout, stage.state
        if sight.counts or sight.variable:
            sees = (sees_variable if sight.variable else sees_count)(layout, state, sight.number, sight.seat)
            if sees != sight.seen:
                do, does = ("sees", "does not see") if sight.seen else ("does not see", "sees")
                self.fail(sight.span, f"{who} {do} {sight.name}", f"{who} {does} it")
            return
        there = state.zones[sight.number]
        counted = sees_count(layout, state, sight.number, sight.seat)
        seen = [piece for piece in there if counted and sees_piece(layout, state, piece, sight.seat)]
        if not there:
            self.fail(sight.span, f"pieces in {sight.name}", "it is empty, so there is nothing to see or to hide")
        elif sight.seen and len(seen) != len(there):
            self.fail(sight.span, f"{who} sees every piece of {sight.name}", f"{len(seen)} of {len(there)}")
        elif not sight.seen and seen:
            named = ", ".join(layout.piece_names[piece] for piece in seen[:MAX_LISTED])
            self.fail(sight.span, f"{who} sees no piece of {sight.name}", f"{who} sees {named}")

    def naming(self, naming: Naming) -> None:
        """The seat can name exactly these pieces of a place."""
        stage, words = self.stage, self.stage.words
        layout, state, place = stage.machine.layout, stage.state, naming.filling.place
        there = [piece for piece in state.zones[place] if sees_piece(layout, state, piece, naming.seat)]
        spread = [word.text for word in naming.filling.pieces for _ in range(word.count)]
        fitting = [[n for n, call in enumerate(spread) if call in words.calls[piece]] for piece in there]
        if len(spread) != len(there) or not paired(fitting):
            who = stage.seats[naming.seat]
            found = ", ".join(words.say_piece(state, piece) for piece in there[:MAX_LISTED]) or "none"
            wanted = ", ".join(spread) or "none"
            self.fail(naming.filling.span, f"{who} can name in {naming.name}: {wanted}", found)

    def hearing(self, hearing: Hearing) -> None:
        """The seat has heard it, or nothing of the kind."""
        stage, who = self.stage, self.stage.seats[hearing.seat]
        heard = [one for one in stage.observe(hearing.seat).heard if one.name == hearing.name]
        said = [" ".join(self.word(shown) for name, shown in one.values if name != "me") for one in heard]
        if (bool(said) if not hearing.values else hearing.values in said) != hearing.heard:
            what = f"{hearing.name} = {hearing.values}" if hearing.values else hearing.name
            wanted = f"{who} has heard {what}" if hearing.heard else f"{who} has not heard {what}"
            found = ", ".join(f"{hearing.name} = {one}" for one in said[:MAX_LISTED])
            self.fail(hearing.span, wanted, f"{who} has heard {found or 'nothing of it'}")

    def word(self, shown: Shown) -> str:
        """A label as a scenario writes it: with its own names for the seats, `ben.hand[2]` for a piece by its place."""
        return re.sub(r"\bseat([0-9]+)\b", lambda found: self.stage.seats[int(found[1])], shown.key())

    def setting(self, setting: Setting) -> None:
        stage = self.stage
        slot, found = stage.machine.layout.slots[setting.slot], stage.state.variables[setting.slot]
        if found != setting.value:
            wanted, shown = (stage.words.say(stage.state, value, slot.type) for value in (setting.value, found))
            self.fail(setting.span, f"{slot.word} is {wanted}", shown)

    def place(self, filling: Filling) -> None:
        """Exactly these pieces lie there: in any order, or cell by cell where a picture was given."""
        state, words = self.stage.state, self.stage.words
        there = state.zones[filling.place]
        wanted = [(word.text, cell) for word, cell in zip(filling.pieces, filling.cells, strict=True)]
        spread = [one for one, word in zip(wanted, filling.pieces, strict=True) for _ in range(word.count)]
        fitting = [
            [n for n, (call, cell) in enumerate(spread) if call in words.calls[p] and cell in (-1, state.cell[p])]
            for p in there
        ]
        if len(spread) != len(there) or not paired(fitting):
            named = ", ".join(f"{text}@{words.say_cell(cell)}" if cell >= 0 else text for text, cell in spread)
            found = ", ".join(words.say_piece(state, piece) for piece in there[:MAX_LISTED]) or "nothing"
            name = words.place_name(filling.place)
            self.fail(filling.span, f"in {name}: {named or 'nothing'}", f"{found} ({len(there)} in all)")

    def end(self, step: Step) -> None:
        stage = self.stage
        if step.over is not None and stage.over != step.over[0]:
            self.fail(step.over[1], "the game is over" if step.over[0] else "the game is not over", situation(stage))
        if step.winners is not None and (not stage.over or stage.winners != step.winners[0]):
            names = ", ".join(stage.seats[seat] for seat in step.winners[0]) or "nobody"
            self.fail(step.winners[1], f"won by {names}", situation(stage))


def speaks_of_me(value: checked.Expr) -> bool:
    """Whether an expression itself depends on who acts."""
    for node in nodes(value):
        if isinstance(node, checked.Local) and node.slot == 0:
            return True
        if isinstance(node, checked.Primitive) and reads_me(node.name):
            return True
    return False


def situation(stage: Stage) -> str:
    """What stands open: who is asked what, and the options in words."""
    if stage.over and stage.machine.layout.components.cooperative:
        return f"the game is over, and the table {'wins' if stage.winners else 'loses'}"
    if stage.over:
        return f"the game is over, won by {', '.join(stage.seats[seat] for seat in stage.winners) or 'nobody'}"
    if stage.address == "":
        return "nobody is asked: the rule has run its course"
    said = [stage.say(choice) for choice in stage.choices()]
    more = f" and {len(said) - MAX_LISTED} more" if len(said) > MAX_LISTED else ""
    return f"{stage.seats[stage.to_move]} is asked {stage.address}: {', '.join(said[:MAX_LISTED])}{more}"
