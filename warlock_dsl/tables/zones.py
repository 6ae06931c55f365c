"""Zones: who owns them, what they hold, who sees it, and where every piece starts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

from attrs import define, field

from warlock_dsl.diagnostics.collect import near, quoted
from warlock_dsl.diagnostics.diagnostic import Related, Span
from warlock_dsl.limits import MAX_PLACES, MAX_SPOTS, MAX_ZONES
from warlock_dsl.sight import COUNT_WORDS, PIECES_WORDS, VALUE_WORDS, Variables, seen_by_all, viewers
from warlock_dsl.tables.components import Grid, Kind, Variable, Zone
from warlock_dsl.tables.context import Reading
from warlock_dsl.tables.merge import Item
from warlock_dsl.tables.schema import RawZone
from warlock_dsl.tables.toml_spans import Path
from warlock_dsl.types import ListType, PlayerType


@define
class ZoneReader:
    """Reads the zones in the order of their declaration."""

    reading: Reading
    kinds: Mapping[str, Kind]
    grids: Mapping[str, Grid]
    starts: dict[str, tuple[str, Span]] = field(factory=dict)  # kind -> where it starts

    def read(self) -> dict[str, Zone]:
        items = list(self.reading.sections.zones.values())
        if len(items) > MAX_ZONES:
            span = self.reading.places.key(items[MAX_ZONES].path)
            self.reading.errors.add("W237", f"a game may have at most {MAX_ZONES} zones", span)
            items = items[:MAX_ZONES]
        zones = {item.name: self.zone(number, item) for number, item in enumerate(items)}
        self.check_all_start()
        self.check_spare(zones)
        self.check_size(zones)
        return zones

    def check_size(self, zones: Mapping[str, Zone]) -> None:
        """Whether there is room on the table for every zone of every owner."""
        places = spots = 0
        for zone in zones.values():
            owners = self.reading.owners(zone.owner, self.kinds, zone.by)
            places += owners
            spots += owners * (len(self.grids[zone.grid].cells) if zone.grid in self.grids else 0)
            if places > MAX_PLACES or spots > MAX_SPOTS:
                text = f"there are more than {MAX_PLACES:,} zones or {MAX_SPOTS:,} cells on the table"
                hint = "a zone counts once for each of its owners and rows"
                self.reading.errors.add("W237", text, zone.span, "with this one", hint)
                return

    def zone(self, number: int, item: Item[RawZone]) -> Zone:
        raw, path, reading = item.raw, item.path, self.reading
        owner, by = self.each(item)
        holds = self.kind_list(raw.holds, (*path, "holds"))
        if not raw.holds:
            reading.errors.add("W205", "a zone holds at least one kind", reading.places.of((*path, "holds")))
        if raw.grid and raw.grid not in self.grids:
            reading.unknown("W216", "grid", raw.grid, (*path, "grid"), self.grids, "grids")
        if raw.hidden_by:
            self.check_hidden(item)
        return Zone(
            item.name,
            number,
            owner,
            tuple(kind for kind in self.kinds if kind in holds),
            raw.grid,
            raw.sees,
            raw.count,
            raw.hidden_by,
            self.start(item, owner, by),
            reading.inherited(reading.marks(raw, path), item.around),
            reading.places.key(path),
            by,
        )

    def each(self, item: Item[RawZone]) -> tuple[str, str]:
        """Whose it is (`player` or a kind of piece, or ""), and the table for each row of which there is one, or ""."""
        reading, path = self.reading, (*item.path, "each")
        owners, tables = [], []
        for index, name in enumerate(item.raw.each):
            if name == "player" or name in self.kinds:
                owners.append(name)
            elif name in reading.rows:
                tables.append(name)
            elif ("table", name) not in reading.sections.broken:
                at = path if reading.places.of((*path, 0)) == reading.places.of(path) else (*path, index)
                reading.unknown("W215", "kind of piece", name, at, ("player", *self.kinds, *reading.rows), "kinds")
        if len(owners) > 1 or len(tables) > 1:
            text = "a zone is for each player or for each piece of a kind, and for each row of one table"
            hint = 'write each = ["player", TABLE]'
            reading.errors.add("W205", text, reading.places.of(path), "too many", hint)
        return (*owners, "")[0], (*tables, "")[0]

    def kind_list(self, names: tuple[str, ...], path: Path) -> list[str]:
        """The kinds that exist among these names."""
        alone = len(names) == 1 and self.reading.places.of((*path, 0)) == self.reading.places.of(path)
        known = []
        for index, name in enumerate(names):
            if self.known_kind(name, path if alone else (*path, index), self.kinds):
                known.append(name)
        return known

    def known_kind(self, name: str, path: Path, known: Mapping[str, Kind] | tuple[str, ...]) -> bool:
        if name not in self.kinds:
            self.reading.unknown("W215", "kind of piece", name, path, known, "kinds")
        return name in self.kinds

    def check_hidden(self, item: Item[RawZone]) -> None:
        """`hidden_by` names a truth variable of a kind the zone holds."""
        reading, raw = self.reading, item.raw
        name, at = raw.hidden_by, (*item.path, "hidden_by")
        owned = {key: one for key, one in reading.sections.variables.items() if key[0] in raw.holds}
        of_that_name = [one for (_, variable), one in owned.items() if variable == name]
        if not of_that_name:
            if any(("variable", kind, name) in reading.sections.broken for kind in raw.holds):
                return
            text = f"no piece of this zone has a variable {quoted(name)}"
            hint = near(name, [variable for _, variable in owned], "variables")
            reading.errors.add("W218", text, reading.places.of(at), hint=hint)
        for one in of_that_name:
            if one.raw.type != "truth":
                other = Related(reading.places.key(one.path), "declared here")
                text = f"{quoted(name)} is no truth, so it cannot hide a piece"
                reading.errors.add("W231", text, reading.places.of(at), related=(other,))

    # ------------------------------------------------------------ where pieces start

    def start(self, item: Item[RawZone], owner: str, by: str) -> tuple[int, ...]:
        raw, path, reading = item.raw, (*item.path, "start"), self.reading
        found: list[Kind] = []
        span = reading.places.of(path)
        for name in self.kind_list(raw.start, path):
            if name in self.starts:
                zone, other = self.starts[name]
                text = f"the pieces of {quoted(name)} start in two zones"
                related = (Related(other, f"in {quoted(zone)}"),)
                reading.errors.add("W226", text, span, f"in {quoted(item.name)}", related=related)
                continue
            self.starts[name] = item.name, span
            if name not in raw.holds and all(kind in self.kinds for kind in raw.holds):
                text = f"the zone {quoted(item.name)} does not hold the kind {quoted(name)}"
                hint = f"add {quoted(name)} to what it holds, or let the pieces start elsewhere"
                reading.errors.add("W227", text, span, hint=hint)
            found.append(self.kinds[name])
        if owner == "player" and not by and all(self.for_each(kind) for kind in found):
            seats = reading.max_seats
            pieces = [piece for seat in range(seats) for kind in found for piece in _share(kind, seat, seats)]
            size = len(pieces) // seats
        else:
            pieces = [piece for kind in found for piece in range(kind.first, kind.first + len(kind.pieces))]
            by_face = bool(by) and not owner and all(kind.table == by for kind in found)
            faces = Counter(face for kind in found for face in kind.faces)
            size = max(faces.values(), default=0) if by_face else len(pieces)
            if pieces and (owner or by) and not by_face:
                each = " and ".join(raw.each)
                text = f"there is a zone {quoted(item.name)} for each {each}, so no piece can start in it"
                hint = "let them start in a zone without 'each', and move them"
                if owner == "player":
                    hint += '; or give each player a set: each = "player" in the kind'
                elif by and not owner:
                    hint += f'; or make them of the rows: rows = "{by}" in the kind'
                reading.errors.add("W227", text, span, hint=hint)
        if raw.grid in self.grids and size > len(self.grids[raw.grid].cells):
            reading.errors.add("W227", "more pieces start here than the grid has cells", span)
        return tuple(pieces)

    def for_each(self, kind: Kind) -> bool:
        """Whether every player has a set of these pieces."""
        return self.reading.sections.kinds[kind.name].raw.each == "player"

    def check_spare(self, zones: Mapping[str, Zone]) -> None:
        """The sets of players who are not there lie in a zone of the table."""
        if self.reading.seats == self.reading.max_seats:
            return
        for name, (zone, span) in self.starts.items():
            owned = zones[zone].owner == "player" and self.for_each(self.kinds[name])
            spare = (one for one in zones.values() if not one.owner and not one.by and not one.grid)
            if owned and not any(name in one.kinds for one in spare):
                text = f"the sets of {quoted(name)} of players who are not there start nowhere"
                hint = f"a zone without 'each' and 'grid' that holds {quoted(name)} takes them in"
                self.reading.errors.add("W225", text, span, f"there may be {self.reading.seats} players", hint)

    def check_all_start(self) -> None:
        for name, kind in self.kinds.items():
            broken = any(key[0] == "zone" for key in self.reading.sections.broken)
            if name not in self.starts and kind.pieces and not broken:
                text = f"the pieces of {quoted(name)} start nowhere"
                hint = f'give a zone that holds them: start = "{name}"'
                self.reading.errors.add("W225", text, kind.span, hint=hint)


def _share(kind: Kind, seat: int, seats: int) -> range:
    """The pieces of one player's set."""
    size = len(kind.pieces) // seats
    return range(kind.first + seat * size, kind.first + (seat + 1) * size)


# -------------------------------------------------------------- who sees what


def check_sight(reading: Reading, zones: Mapping[str, Zone], variables: Variables) -> None:
    """Whether each word is known, has the owner it takes, or names a variable that can say by whom it is seen."""
    for item in reading.sections.zones.values():
        zone = zones.get(item.name)
        if zone is not None:
            _check_words(reading, zone, variables, (*item.path, "sees"))
            _check_word(reading, zone.counted_by, zone.owner, COUNT_WORDS, COUNT_WORDS, (*item.path, "count"))
    for (group, name), one in reading.sections.variables.items():
        variable = variables.get(("" if group == "game" else group, name))
        if variable is not None:
            _check_words(reading, variable, variables, (*one.path, "sees"))


def _check_words(reading: Reading, thing: Zone | Variable, variables: Variables, path: Path) -> None:
    words = PIECES_WORDS if isinstance(thing, Zone) else VALUE_WORDS
    found = viewers(thing, variables)
    if found is None:
        if not any(("variable", group, thing.sees) in reading.sections.broken for group in (thing.owner, "game")):
            known = [*words, *(one.name for one in variables.values() if _names_players(one, thing.owner))]
            _check_word(reading, thing.sees, thing.owner, words, known, path)
        return
    span, other = reading.places.of(path), Related(found.span, "declared here")
    if not _names_players(found, thing.owner):
        text = f"{quoted(found.name)} is no player and no list of players, so it cannot say who sees this"
        reading.errors.add("W243", text, span, hint="known words: " + ", ".join(words), related=(other,))
    elif not seen_by_all(found):
        text = f"not everybody sees {quoted(found.name)}, so nobody could tell who sees this"
        reading.errors.add("W243", text, span, hint='let all see it: sees = "all"', related=(other,))


def _names_players(variable: Variable, owner: str) -> bool:
    """Whether a variable can say who sees what belongs to such an owner."""
    item = variable.type.item if isinstance(variable.type, ListType) else variable.type
    return isinstance(item, PlayerType) and not variable.by and variable.owner in ("", owner)


def _check_word(
    reading: Reading, word: str, owner: str, words: Mapping[str, bool], known: Iterable[str], path: Path
) -> None:
    span = reading.places.of(path)
    if word not in words:
        hint = near(word, known, "words")
        reading.errors.add("W229", f"{quoted(path[-1])} cannot be {quoted(word)}", span, hint=hint)
    elif words[word] and not owner:
        what, advice = "this zone", 'each = "player" gives every player one'
        if path[0] == "variable":
            what, advice = "a variable of the game", "[variable.player] has one for each player"
        reading.errors.add("W229", f"{what} has no owner", span, hint=advice)
