"""Reads the steps of a scenario: what must hold, and which answers are given."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from warlock_dsl import Span, quoted, suggest
from warlock_dsl.tables.toml_spans import Path
from workbench.scenario.model import NOBODY, Hearing, Naming, Points, Sight, Step, Test, Word
from workbench.scenario.names import Names
from workbench.scenario.position import read_fillings, read_settings, read_zone
from workbench.scenario.schema import MAX_WORDS, RawStep

COUNT = re.compile(r"count\(\s*(.*?)\s*\)")


def read_step(names: Names, value: object, path: Path) -> Step | None:
    """One step, or None if it has not the shape of one."""
    raw = names.shaper.shaped(value, RawStep, path)
    if raw is None:
        return None
    reader = _Reader(names, path)
    only = raw.offers_only
    return Step(
        span=names.of(path),
        asks=reader.asks(raw.asks),
        question=reader.question(raw.question),
        offers=names.answers(raw.offers, (*path, "offers")),
        refuses=names.answers(raw.refuses, (*path, "refuses")),
        offers_only=names.answers(only, (*path, "offers_only")) if only is not None else None,
        offers_only_span=names.of((*path, "offers_only")),
        tests=(*reader.tests(raw.true, True), *reader.tests(raw.false, False)),
        points=tuple(reader.points(raw)),
        sights=(*reader.sights(raw.sees, "sees"), *reader.sights(raw.hidden, "hidden")),
        namings=tuple(reader.namings(raw.names)),
        hearings=(*reader.hearings(raw.heard, "heard"), *reader.hearings(raw.unheard, "unheard")),
        settings=read_settings(names, raw.variables, path),
        holds=read_fillings(names, raw.zones, raw.grids, path),
        over=None if raw.over is None else (raw.over, names.of((*path, "over"))),
        winners=reader.winners(raw.winners),
        error=Word(raw.error, names.of((*path, "error"))) if raw.error else None,
        answers=names.answers(raw.answers, (*path, "answers")),
    )


def tests_something(step: Step) -> bool:
    """Whether a step can fail other than by an answer that is not on offer."""
    said = (step.asks, step.question, step.offers_only, step.over, step.winners, step.error)
    lists = (step.offers, step.refuses, step.tests, step.points, step.settings, step.holds)
    known = (step.sights, step.namings, step.hearings)
    return any(one is not None for one in said) or any((*lists, *known))


class _Reader:
    def __init__(self, names: Names, path: Path) -> None:
        self.names = names
        self.errors = names.errors
        self.path = path

    def asks(self, word: str) -> tuple[int, Span] | None:
        if not word:
            return None
        span = self.names.of((*self.path, "asks"))
        if word == "nobody":
            return NOBODY, span
        seat = self.names.seat(word, span)
        return None if seat is None else (seat, span)

    def question(self, word: str) -> Word | None:
        if not word:
            return None
        span = self.names.of((*self.path, "question"))
        if word not in self.names.known.questions:
            self.names.missing("W516", "question", word, span, self.names.known.questions, "questions")
            return None
        return Word(word, span)

    def tests(self, texts: Sequence[str], holds: bool) -> list[Test]:
        path = (*self.path, "true" if holds else "false")
        found = []
        for place, text in enumerate(texts):
            span = self.names.of((*path, place))
            fragment = self.names.expression(text, span)
            if fragment is not None:
                found.append(Test(text, fragment, holds, span))
        return found

    def points(self, raw: RawStep) -> Iterator[Points]:
        parts = [score.name for score in self.names.program.scores]
        for who, sheet in raw.score.items():
            path = (*self.path, "score", who)
            seat = self.names.seat(who, self.names.shaper.places.key(path))
            if not isinstance(sheet, dict):
                self.names.shaper.misfit("a table of parts", sheet, path)
                continue
            for part, value in sheet.items():
                span = self.names.of((*path, part))
                if part != "total" and part not in parts:
                    key = self.names.shaper.places.key((*path, part))
                    hint = suggest(part, [*parts, "total"], "parts")
                    self.errors.add("W519", f"the score has no part {quoted(part)}", key, hint=hint)
                    continue
                number = self.names.number(value, span, "W503", "points")
                if seat is not None and number is not None:
                    yield Points(seat, -1 if part == "total" else parts.index(part), part, number, span)

    def sights(self, tree: Mapping[str, object], key: str) -> Iterator[Sight]:
        for who, value in tree.items():
            path = (*self.path, key, who)
            seat = self.names.seat(who, self.names.shaper.places.key(path))
            texts = self.names.shaper.texts(value, path)
            for place, text in enumerate((texts or ())[:MAX_WORDS]):
                span = self.names.of((*path, place))
                found = self.secret(text, span)
                if seat is not None and found is not None:
                    yield Sight(seat, found[0], text, key == "sees", span, *found[1:])

    def secret(self, text: str, span: Span) -> tuple[int, bool, bool] | None:
        """What somebody may see: the number of a place or a variable, whether it is to count there, and which it is."""
        counted = COUNT.fullmatch(text)
        if counted is None and text in self.names.variable_names and text not in self.names.vocabulary.place_of:
            return self.names.variable_names[text], False, True
        place = self.names.place(counted[1] if counted else text, span)
        return None if place is None else (place, counted is not None, False)

    def hearings(self, tree: Mapping[str, object], key: str) -> Iterator[Hearing]:
        known = self.names.known.told
        for who, value in tree.items():
            path = (*self.path, key, who)
            seat = self.names.seat(who, self.names.shaper.places.key(path))
            for place, text in enumerate((self.names.shaper.texts(value, path) or ())[:MAX_WORDS]):
                span, (name, _, values) = self.names.of((*path, place)), text.partition("=")
                if name.strip() not in known:
                    self.names.missing("W516", "question, roll or saying", name.strip(), span, known, "names")
                elif seat is not None:
                    yield Hearing(seat, name.strip(), values.strip(), key == "heard", span)

    def namings(self, tree: Mapping[str, object]) -> Iterator[Naming]:
        for who, places in tree.items():
            path = (*self.path, "names", who)
            seat = self.names.seat(who, self.names.shaper.places.key(path))
            if not isinstance(places, dict):
                self.names.shaper.misfit("a table of zones", places, path)
                continue
            for name, value in places.items():
                filling = read_zone(self.names, name, value, (*path, name))
                if seat is not None and filling is not None:
                    yield Naming(seat, filling, name)

    def winners(self, seats: Sequence[str] | None) -> tuple[tuple[int, ...], Span] | None:
        if seats is None:
            return None
        path = (*self.path, "winners")
        found = [self.names.seat(seat, self.names.of((*path, place))) for place, seat in enumerate(seats)]
        return tuple(sorted(seat for seat in found if seat is not None)), self.names.of(path)
