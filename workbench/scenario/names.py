"""What the words of a scenario stand for in its ruleset: seats, places, pieces, questions, expressions."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from fractions import Fraction
from functools import cached_property, lru_cache

from interpreter import Layout, Slot
from warlock_dsl import CallFragment, Fragment, Fragments, Ruleset, Span, closest, nodes, quoted, suggest
from warlock_dsl.check import program as checked
from warlock_dsl.tables.toml_spans import Inexact, Path
from warlock_dsl.types import PLAYER, TRUTH, Type
from workbench.scenario.model import Word
from workbench.scenario.schema import MAX_FRAGMENTS, MAX_WORD_LENGTH, MAX_WORDS, Shaper
from workbench.scenario.stage import machine_for
from workbench.scenario.values import COUNTED, Vocabulary, parts_of

MAX_IN_SET = 200  # words of one set


class Known:
    """What the rules of a scenario name, found once for a ruleset and a number of players."""

    def __init__(self, ruleset: Ruleset, layout: Layout) -> None:
        self.ruleset = ruleset
        self.layout = layout
        self.fragments = Fragments(ruleset.program, ruleset.components)

    @cached_property
    def questions(self) -> frozenset[str]:
        """The address of every question: that of its rule, and its name."""
        return frozenset(
            f"{rule.address}.{node.name}"
            for rule in self.ruleset.program.rules
            for node in nodes(rule.body)
            if isinstance(node, checked.Question)
        )

    @cached_property
    def told(self) -> frozenset[str]:
        """The address of everything that can be heard: questions, rolls, and what is said."""
        return self.questions | {
            f"{rule.address}.{node.name}"
            for rule in self.ruleset.program.rules
            for node in nodes(rule.body)
            if isinstance(node, checked.Roll | checked.Say)
        }

    @cached_property
    def rules(self) -> dict[str, int]:
        return {rule.address: number for number, rule in enumerate(self.ruleset.program.rules)}


@lru_cache(maxsize=32)
def known_for(ruleset: Ruleset, players: int) -> Known:
    """Found once, though many scenarios ask for it."""
    return Known(ruleset, machine_for(ruleset, players).layout)


class Names:
    """The words of one scenario. Whatever is not found is noted with its place and a suggestion."""

    def __init__(
        self, shaper: Shaper, known: Known, seats: tuple[str, ...], spent: list[int], absent: frozenset[int]
    ) -> None:
        self.shaper = shaper
        self.errors = shaper.errors
        self.known = known
        self.layout = known.layout
        self.program = known.ruleset.program
        self.components = known.ruleset.components
        self.seats = seats
        self.vocabulary = Vocabulary(known.layout, seats, absent)
        self.spent = spent  # how many fragments the file has so far

    @cached_property
    def words(self) -> frozenset[str]:
        return frozenset(self.vocabulary.words())

    def missing(self, code: str, what: str, word: str, span: Span, known: Collection[str], plural: str) -> None:
        self.errors.add(code, f"there is no {what} {quoted(word)}", span, hint=lambda: suggest(word, known, plural))

    # --------------------------------------------------------------- seats

    def seat(self, word: str, span: Span) -> int | None:
        if word in self.seats:
            return self.seats.index(word)
        self.missing("W508", "seat", word, span, self.seats, "seats")
        return None

    def place(self, word: str, span: Span) -> int | None:
        """A place on the table: `pile`, `anna.hand`."""
        found = self.vocabulary.place_of.get(word)
        if found is not None:
            return found
        owner, dot, name = word.partition(".")
        zone = self.components.zones.get(name if dot else owner)
        known: Collection[str] = self.vocabulary.place_of
        if zone is not None and zone.owner == "player" and not dot:
            seat = self.seats[0]
            hint = f"every player has one: write {quoted(f'{seat}.{owner}')}"
        elif dot and zone is not None and zone.owner == "player":
            hint = suggest(owner, self.seats, "seats")
        else:
            hint = suggest(word, known, "zones")
        self.errors.add("W509", f"there is no zone {quoted(word)}", span, hint=hint)
        return None

    # ----------------------------------------------------------- variables

    @cached_property
    def variable_names(self) -> dict[str, int]:
        """Every variable on the table by its name: `round`, `anna.coins`, `R-01.turned`."""
        return {self.slot_name(slot): number for number, slot in reversed(list(enumerate(self.layout.slots)))}

    def slot_name(self, slot: Slot) -> str:
        if slot.owner_kind == "player":
            return f"{self.seats[slot.owner]}.{slot.word}"
        return f"{self.layout.piece_names[slot.owner]}.{slot.word}" if slot.owner_kind else slot.word

    # -------------------------------------------------------------- pieces

    def piece(self, word: str, span: Span) -> Word | None:
        """`red`, `R-01`, or `red*3`."""
        text, count = word.strip(), 1
        counted = COUNTED.match(text)
        if counted and text not in self.vocabulary.piece_words:
            text, count = counted[1], int(counted[2])
        if text not in self.vocabulary.piece_words:
            self.missing("W510", "piece", text, span, self.vocabulary.piece_words, "pieces")
            return None
        if text in self.layout.piece_number and count != 1:
            self.errors.add("W511", f"there is only one {quoted(text)}", span)
            return None
        if count > self.layout.piece_count:
            self.errors.add("W505", f"the whole game has {self.layout.piece_count} pieces", span)
            return None
        return Word(text, span, count)

    def may_lie(self, word: Word, place: int) -> bool:
        """Whether a piece the word means may lie in the place."""
        kinds = self.layout.places[place].kinds
        calls = self.vocabulary.calls
        if any(word.text in calls[p] and self.layout.kind_of[p] in kinds for p in range(self.layout.piece_count)):
            return True
        name = self.vocabulary.place_name(place)
        held = ", ".join(self.layout.kind_names[kind] for kind in sorted(kinds))
        hint = f"it holds: {held}"
        self.errors.add("W512", f"{quoted(word.text)} cannot lie in {quoted(name)}", word.span, hint=hint)
        return False

    # ------------------------------------------------------------- answers

    def answer(self, text: str, span: Span) -> Word | None:
        """An answer word, `who: word` included."""
        head, colon, rest = text.partition(":")
        who = head.strip() if colon else ""
        word = (rest if colon else text).strip()
        if who and self.seat(who, span) is None:
            return None
        if len(word) > MAX_WORD_LENGTH or len(parts_of(word)) > MAX_IN_SET:
            self.errors.add("W505", "this answer is too long to be read", span)
            return None
        unknown = self.vocabulary.unknown(word, self.words)
        if unknown in self.layout.piece_number:
            self.missing("W510", "piece", unknown, span, self.vocabulary.piece_words, "pieces")
            return None
        if unknown:
            hint = closest(unknown, self.words) or "a piece, a place, a seat, a row, a key, a number, no, stop or none"
            self.errors.add("W522", f"no answer can be {quoted(unknown)}", span, hint=hint)
            return None
        return Word(word, span, 1, who)

    def answers(self, texts: Sequence[str], path: Path) -> tuple[Word, ...]:
        if len(texts) > MAX_WORDS:
            self.errors.add("W505", f"there are {len(texts):,} words; at most {MAX_WORDS:,} are read", self.of(path))
            return ()
        found = (self.answer(text, self.of((*path, place))) for place, text in enumerate(texts))
        return tuple(word for word in found if word is not None)

    def of(self, path: Path) -> Span:
        return self.shaper.of(*path)

    # --------------------------------------------------------- expressions

    def _allowed(self, span: Span) -> bool:
        self.spent[0] += 1
        if self.spent[0] == MAX_FRAGMENTS + 1:
            self.errors.add("W505", f"only the first {MAX_FRAGMENTS:,} expressions of a file are read", span)
        return self.spent[0] <= MAX_FRAGMENTS

    def expression(self, text: str, span: Span) -> Fragment | None:
        """A truth about the table; seat names are players."""
        if not self._allowed(span):
            return None
        found, errors = self.known.fragments.expression(text, self._seat_types(), span.file, span, TRUTH)
        self.errors.extend(errors)
        return found

    def call(self, text: str, span: Span) -> CallFragment | None:
        if not self._allowed(span):
            return None
        found, errors = self.known.fragments.call(text, self._seat_types(), span.file, span)
        self.errors.extend(errors)
        return found

    def _seat_types(self) -> dict[str, Type]:
        return dict.fromkeys(self.seats, PLAYER)

    # ------------------------------------------------------------- numbers

    def number(self, value: object, span: Span, code: str, what: str) -> Fraction | None:
        """An exact number that the game can count."""
        if isinstance(value, Inexact):
            self.errors.add("W527", f"{value.text} is no exact number", span)
            return None
        if isinstance(value, bool) or not isinstance(value, int | Fraction):
            self.errors.add(code, f"{what} must be a number", span)
            return None
        number = Fraction(value)
        if (number * self.program.unit).denominator != 1 or abs(number) > 10**12:
            unit = self.program.unit
            hint = "the game counts in wholes" if unit == 1 else f"the game counts in steps of 1/{unit}"
            self.errors.add(code, "the game has no such number", span, hint=hint)
            return None
        return number
