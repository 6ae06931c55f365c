"""Goblin Warlord a second time, in plain Python: told what chance gave, it says who must be asked what.

Written from the rulebook alone, as generators: a question goes out with every answer the rules allow, the answer comes
back; a roll or a draw goes out with its name, what chance gave comes back.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Generator
from itertools import combinations_with_replacement
from typing import Any

from attrs import define, field, frozen

RECRUITING = {"crown", "banner", "hoozits", "know_wots"}
INVADING = {"crown", "charge", "know_wots"}
BUILDING = {"crown", "hoozits", "know_wots"}
FULL, PRICE, FORTS, ROUNDS = 4, 3, 4, 200


@frozen
class Ask:
    """A question: to whom, under which name, with which answers; `may`: it can be declined (None)."""

    player: int
    name: str
    answers: frozenset[Any]
    may: bool = False


@frozen
class Chance:
    """So many results of a die, or a card drawn by a player: what came of it is sent back."""

    name: str
    count: int = 1
    player: int = -1


@define
class Camp:
    name: str
    band: int = 0
    fort: bool = False
    raided: bool = False


@define
class Seat:
    hand: Counter[str]
    camps: list[Camp]
    order: str | None = None
    hexed: bool = False
    sneaked: bool = False

    def rule(self) -> str:
        return self.order or "crown"

    def forts(self) -> int:
        return sum(camp.fort for camp in self.camps)

    def goblins(self) -> int:
        return sum(camp.band for camp in self.camps)


class Won(Exception):
    """Somebody has built the last fort."""


Transcript = Generator[Ask | Chance, Any, Any]


@define
class Referee:
    seats: list[Seat]
    first: int
    pool: int
    spare: list[str]  # unused camps, the next one first
    discard: Counter[str] = field(factory=Counter)
    me: int = 0
    winners: tuple[int, ...] = ()
    met: Counter[str] = field(factory=Counter)  # what has come up

    def play(self) -> Transcript:
        try:
            for _ in range(ROUNDS):
                for number in range(len(self.seats)):
                    self.me = (self.first + number) % len(self.seats)
                    yield from self.turn()
        except Won:
            self.winners = (self.me,)
            return
        ranks = [(seat.forts(), len(seat.camps) - seat.forts(), seat.goblins()) for seat in self.seats]
        self.winners = tuple(number for number, rank in enumerate(ranks) if rank == max(ranks))

    def turn(self) -> Transcript:
        mine = self.seats[self.me]
        mine.hexed = mine.sneaked = False
        for seat in self.seats:
            for camp in seat.camps:
                camp.raided = False
        if mine.rule() in RECRUITING:
            yield from self.recruit(self.me, 1, mine.forts())
        if mine.rule() == "banner":
            (face,) = yield Chance("raise_banner.face")
            yield from self.omen(face, self.me, forced=False)
        while (yield from self.act()):
            pass
        card = yield from self.ask(self.me, "give_orders.decree", mine.hand)
        mine.hand -= Counter([card])
        if mine.order:
            self.discard[mine.order] += 1
        mine.order = card
        (drawn,) = yield Chance("draw", player=self.me)
        mine.hand[drawn] += 1

    # ----------------------------------------------------------------- answers

    def ask(self, player: int, name: str, answers: Any, may: bool = False) -> Transcript:
        """Where there is nothing to decide, nobody is asked."""
        found = frozenset(answers)
        if not found:
            return None
        if len(found) == 1 and not may:
            return next(iter(found))
        return (yield Ask(player, name, found, may))

    def pick(self, player: int, name: str, camps: list[Camp], may: bool = False) -> Transcript:
        """One of several camps; of those just alike any one will do."""
        looks: dict[Any, Camp] = {}
        owner = {id(camp): number for number, seat in enumerate(self.seats) for camp in seat.camps}
        for camp in camps:
            looks.setdefault((owner[id(camp)], camp.fort, camp.raided, camp.band), camp)
        name = yield from self.ask(player, name, (camp.name for camp in looks.values()), may)
        return next((camp for camp in camps if camp.name == name), None)

    def lose(self, camp: Camp, count: int) -> None:
        gone = min(count, camp.band)
        camp.band -= gone
        self.pool += gone

    # ------------------------------------------------------------- recruitment

    def recruit(self, player: int, sure: int, more: int) -> Transcript:
        for name, count, may in (("place_sure.base", sure, False), ("place_more.base", more, True)):
            for _ in range(min(count, self.pool)):
                roomy = [camp for camp in self.seats[player].camps if camp.band < FULL]
                camp = yield from self.pick(player, name, roomy, may)
                if camp is None:
                    break
                camp.band += 1
                self.pool -= 1

    def omen(self, face: str, player: int, forced: bool) -> Transcript:
        forts = self.seats[player].forts()
        if face == "banner":
            self.met["forced extras" if forced and forts else "banner"] += 1
            yield from self.recruit(player, 1 + forts if forced else 1, 0 if forced else forts)
        if face in ("evil_eye", "zaap"):
            self.met[face] += 1
            for camp in self.seats[player].camps:
                self.lose(camp, 1)

    # ----------------------------------------------------------------- actions

    def open_seats(self) -> list[int]:
        return [n for n, seat in enumerate(self.seats) if n != self.me and seat.rule() != "hide"]

    def raiders(self) -> list[Camp]:
        return [camp for camp in self.seats[self.me].camps if camp.band and not camp.raided]

    def targets(self, sly: bool) -> list[Camp]:
        seats = [self.seats[number] for number in self.open_seats()]
        lone = [seat.camps[0] for seat in seats if len(seat.camps) == 1 and not seat.camps[0].fort]
        return [camp for seat in seats for camp in seat.camps if not sly or camp not in lone]

    def act(self) -> Transcript:
        mine = self.seats[self.me]
        rich = mine.rule() in BUILDING and mine.goblins() >= PRICE
        open_deeds = {
            "invade": mine.rule() in INVADING and self.raiders() and self.targets(False),
            "know_wots": mine.rule() == "know_wots" and not mine.sneaked and self.raiders() and self.targets(True),
            "hoozits": mine.rule() == "hoozits" and not mine.hexed and self.open_seats(),
            "build": rich and self.spare,
            "upgrade": rich and mine.forts() < len(mine.camps),
        }
        deed = yield from self.ask(self.me, "take_actions.deed", (d for d, can in open_deeds.items() if can), may=True)
        match deed:
            case "invade" | "know_wots":
                yield from self.raid(deed, deed == "know_wots")
            case "hoozits":
                rival = yield from self.ask(self.me, "action.hoozits.rival", self.open_seats())
                mine.hexed = True
                (face,) = yield Chance("action.hoozits.face")
                yield from self.omen(face, rival if face == "zaap" else self.me, forced=True)
            case "build":
                yield from self.pay()
                mine.camps.append(Camp(self.spare.pop(0)))
            case "upgrade":
                hideouts = [camp for camp in mine.camps if not camp.fort]
                camp = yield from self.pick(self.me, "action.upgrade.base", hideouts)
                yield from self.pay()
                camp.fort = True
                if mine.forts() == FORTS:
                    raise Won
        return deed is not None

    def pay(self) -> Transcript:
        """Any three goblins; the answer is from which camps they come."""
        mine = self.seats[self.me]
        held = {camp.name: camp.band for camp in mine.camps}
        ways = (Counter(way) for way in combinations_with_replacement([n for n, band in held.items() if band], PRICE))
        fits = [tuple(sorted(way.elements())) for way in ways if all(count <= held[n] for n, count in way.items())]
        paid = yield from self.ask(self.me, "pay.goblins", fits)
        for camp in mine.camps:
            self.lose(camp, paid.count(camp.name))

    def raid(self, deed: str, sly: bool) -> Transcript:
        mine = self.seats[self.me]
        ours = yield from self.pick(self.me, f"action.{deed}.ours", self.raiders())
        theirs = yield from self.pick(self.me, f"action.{deed}.theirs", self.targets(sly))
        owner = next(n for n, seat in enumerate(self.seats) if any(camp is theirs for camp in seat.camps))
        ours.raided = True
        mine.sneaked |= sly
        strong, weak = max(ours.band, theirs.band), min(ours.band, theirs.band)
        dice = 1 if strong == weak else 2 if strong <= weak + weak else 3
        faces = yield Chance("raid.faces", dice)
        chooser = owner if theirs.band > ours.band else self.me
        face = yield from self.ask(chooser, "raid.face", faces)
        if face == "loss":
            self.lose(ours, 1)
        if face in ("victory", "overrun"):
            if not sly:
                double = face == "overrun" and mine.rule() == "charge"
                self.met["double loss"] += double and theirs.band > 1
                self.lose(theirs, 2 if double else 1)
            elif theirs.fort:
                self.met["fort turned back"] += 1
                theirs.fort = False
            else:
                yield from self.raze(owner, theirs)

    def raze(self, owner: int, base: Camp) -> Transcript:
        seat = self.seats[owner]
        self.met["refugees" if base.band else "empty hideout taken"] += 1
        while base.band:
            others = [camp for camp in seat.camps if camp is not base and camp.band < FULL]
            refuge = yield from self.pick(owner, "raze.refuge", others)
            if refuge is None:
                self.met["no refuge"] += 1
                self.lose(base, base.band)
            else:
                base.band -= 1
                refuge.band += 1
        seat.camps = [camp for camp in seat.camps if camp is not base]
        self.spare.append(base.name)
