"""Statements of every form, in blocks that bind names, ask, leave to chance and act."""

from __future__ import annotations

from collections.abc import Callable

from attrs import evolve, frozen

from tests.random_rules.expressions import Callable_, Scope
from tests.random_rules.forms import FormWriter
from tests.random_rules.world import Variable, Zone
from warlock_dsl import types as t

Lines = list[str]
Made = tuple[Lines, Scope]


@frozen
class Env:
    """What a block may do, and how deep it may nest."""

    asks: bool = True
    chance: bool = True
    loop: bool = False
    me: bool = True  # `me` is who began the rule
    finish: bool = False
    depth: int = 2

    def inner(self) -> Env:
        return evolve(self, depth=self.depth - 1)


def indent(lines: Lines) -> Lines:
    return ["    " + line for line in lines] or ["    pass"]


class StatementWriter(FormWriter):
    """Writes statements over the names that are in scope."""

    calls: tuple[Callable_, ...] = ()  # the rules that the rule at hand may call
    needs: bool = False  # the rule at hand requires something

    # ---------------------------------------------------------------------- blocks

    def block(self, scope: Scope, env: Env, size: int) -> Lines:
        """Up to `size` statements one after another."""
        lines: Lines = []
        for _ in range(self.draw.int(1, max(size, 1))):
            more, scope = self.statement(scope, env)
            lines += more
        if env.loop and self.draw.chance(10):
            lines += [f"if {self.truth(scope, 1)}:", "    stop"]
        return lines

    def statement(self, scope: Scope, env: Env) -> Made:
        forms: list[tuple[str, int, Callable[[Scope, Env], Made]]] = [
            ("move", 10, self.move),
            ("set", 8, self.assign),
            ("add", 6, self.add),
            ("swap", 3, self.swap),
            ("show", 3, self.show),
            ("say", 3, self.say),
            ("let", 4, self.let),
            ("at_once", 4, self.at_once),
            ("pass", 1, lambda s, e: (["pass"], s)),
        ]
        if env.chance:
            forms += [("roll", 6, self.roll), ("shuffle", 3, self.shuffle)]
        if env.depth > 0:
            forms += [("if", 6, self.if_), ("for", 5, self.for_), ("repeat", 3, self.repeat)]
        if env.finish:
            forms.append(("finish", 1, self.finish))
        if self.usable(env):
            forms.append(("call", 8, self.call_rule))
        if env.asks:
            forms += [("choose", 8, self.choose), ("may", 4, self.may)]
            forms += [("set_choice", 6, self.choose_set), ("menu", 6, self.menu)]
            if env.depth > 0:
                forms.append(("together", 4, self.together))
        return self.taste.pick(forms)(scope, env)

    def effects(self, scope: Scope, env: Env, size: int) -> Lines:
        """Statements that ask nothing."""
        return self.block(scope, evolve(env, asks=False), size)

    def usable(self, env: Env) -> list[Callable_]:
        return [rule for rule in self.calls if rule.quiet or (env.asks and env.chance)]

    # --------------------------------------------------------------------- effects

    def move(self, scope: Scope, env: Env) -> Made:
        zone = self.draw.choose(list(self.world.zones.values()))
        where = self.zone(zone, scope, 1)
        what = self.moved(zone, scope)
        cells = [name for name, type_ in scope.names if type_ == t.CELL]
        if cells and zone.grid and self.draw.chance(60):
            return self.move_to_cell(what, self.draw.choose(cells), scope), scope
        if not zone.grid:
            second = ""
            if self.draw.chance(10):
                other = self.draw.choose([one for one in self.world.zones.values() if not one.grid])
                second = f", {self.moved(other, scope)} to {self.zone(other, scope, 0)}"
            return [f"move {what} to {where}{second}"], scope
        if self.draw.chance(50):
            return self.move_to_cell(what, f"last(free({where}), first(cells({where})))", scope), scope
        return [f"if any(free({where})):", f"    move {what} to {where}"], scope

    def move_to_cell(self, what: str, cell: str, scope: Scope) -> Lines:
        if self.world.risky:
            return [f"move {what} to {cell}"]
        return [f"if not any(at({cell})):", f"    move {what} to {cell}"]

    def moved(self, zone: Zone, scope: Scope) -> str:
        """Pieces that may lie in a zone: one on a grid, elsewhere any number."""
        kinds = t.PieceType(zone.kinds)
        if zone.grid or self.draw.chance(50):
            source = self.expr(t.ListType(kinds), scope, 1)
            return f"top({source})" if zone.grid or self.draw.chance(60) else f"top({source}, {self.number(scope, 0)})"
        return self.expr(kinds if self.draw.chance(40) else t.ListType(kinds), scope, 2)

    def swap(self, scope: Scope, env: Env) -> Made:
        kind = t.PieceType((self.draw.choose(list(self.world.kinds)),))
        return [f"swap {self.expr(kind, scope, 1)} with {self.expr(kind, scope, 1)}"], scope

    def shuffle(self, scope: Scope, env: Env) -> Made:
        zones = [zone for zone in self.world.zones.values() if not zone.grid]
        found = [self.zone(self.draw.choose(zones), scope, 1) for _ in range(self.draw.choose((1, 2), (4, 1)))]
        return [f"shuffle {', '.join(found)}"], scope

    def show(self, scope: Scope, env: Env) -> Made:
        piece = t.PieceType((self.draw.choose(list(self.world.kinds)),))
        what = self.expr(piece if self.draw.chance(50) else t.ListType(piece), scope, 1)
        return [f"show {what} to {self.listeners(scope)}"], scope

    def listeners(self, scope: Scope) -> str:
        return self.expr(t.PLAYER if self.draw.chance(60) else t.ListType(t.PLAYER), scope, 1)

    def say(self, scope: Scope, env: Env) -> Made:
        names = self.draw.some([name for name, type_ in scope.names if not isinstance(type_, t.RegionType)], 0, 2)
        listed = f"({', '.join(names)})" if names else ""
        said = f"told_{self.name()}{listed}"
        to = f" to {self.listeners(scope)}" if self.draw.chance(30) else ""
        return [f"say {said}{to}"], scope

    def target(self, scope: Scope, numbers: bool = False) -> tuple[Variable, str]:
        """A variable that is changed."""
        usable = [one for one in self.world.variables if not numbers or one.type == t.NUMBER]
        variable = self.draw.choose(usable)
        return variable, self.variable(variable, scope, 1)

    def assign(self, scope: Scope, env: Env) -> Made:
        pairs = []
        for _ in range(self.draw.choose((1, 2), (5, 1))):
            variable, text = self.target(scope)
            pairs.append(f"{text} to {self.expr(variable.type, scope, 2)}")
        return [f"set {', '.join(pairs)}"], scope

    def add(self, scope: Scope, env: Env) -> Made:
        _, text = self.target(scope, numbers=True)
        if self.draw.chance(60):
            return [f"add {self.number(scope, 2)} to {text}"], scope
        return [f"take {self.number(scope, 2)} from {text}"], scope

    def at_once(self, scope: Scope, env: Env) -> Made:
        """An effect for all of a list at once."""
        item = self.item_type()
        binder, inner, _ = self.binder(item, scope, 1)
        form = self.draw.choose(("set", "add", "take", "move", "swap"), (3, 2, 1, 2, 1))
        if form == "set":
            variable, text = self.target(inner)
            return [f"set {text} to {self.expr(variable.type, inner, 1)} for {binder}"], scope
        if form in ("add", "take"):
            _, text = self.target(inner, numbers=True)
            amount = self.number(inner, 1)
            return [
                f"add {amount} to {text} for {binder}" if form == "add" else f"take {amount} from {text} for {binder}"
            ], scope
        if form == "move":
            zone = self.draw.choose([one for one in self.world.zones.values() if not one.grid])
            return [f"move {self.moved(zone, inner)} to {self.zone(zone, inner, 1)} for {binder}"], scope
        kind = t.PieceType((self.draw.choose(list(self.world.kinds)),))
        return [f"swap {self.expr(kind, inner, 1)} with {self.expr(kind, inner, 1)} for {binder}"], scope

    # --------------------------------------------------------------------- control

    def let(self, scope: Scope, env: Env) -> Made:
        type_ = self.item_type()
        type_ = t.ListType(type_) if self.draw.chance(35) else type_
        name = self.name()
        return [f"let {name} = {self.value(type_, scope, 2)}"], scope.bind(name, type_)

    def if_(self, scope: Scope, env: Env) -> Made:
        lines = [f"if {self.truth(scope, 2)}:", *indent(self.block(scope, env.inner(), 2))]
        if self.draw.chance(20):
            lines += [f"else if {self.truth(scope, 2)}:", *indent(self.block(scope, env.inner(), 1))]
        if self.draw.chance(50):
            lines += ["else:", *indent(self.block(scope, env.inner(), 2))]
        return lines, scope

    def for_(self, scope: Scope, env: Env) -> Made:
        inside = evolve(env.inner(), loop=True)
        if self.draw.chance(40):
            acting = evolve(scope, me=True, past_me=False)
            where = f" where {self.truth(acting, 1)}" if self.draw.chance(30) else ""
            head = f"for me in {self.expr(t.ListType(t.PLAYER), scope, 1)}{where}:"
            return [head, *indent(self.block(acting, inside, 2))], scope
        binder, inner, _ = self.binder(self.item_type(), scope, 1)
        return [f"for {binder}:", *indent(self.block(inner, inside, 2))], scope

    def repeat(self, scope: Scope, env: Env) -> Made:
        where = f" where {self.truth(scope, 1)}" if self.draw.chance(50) else ""
        count = self.draw.choose(("2", "1", "fig.size", "3")) if self.draw.chance(80) else self.number(scope, 1)
        inside = evolve(env.inner(), loop=True)
        return [f"repeat {count}{where}:", *indent(self.block(scope, inside, 2))], scope

    def finish(self, scope: Scope, env: Env) -> Made:
        return [f"if {self.truth(scope, 2)}:", f"    finish {self.winners(scope)}"], scope

    def winners(self, scope: Scope) -> str:
        if self.world.cooperative:
            return self.draw.choose(("players", "[]"))
        if self.draw.chance(20):
            return self.draw.choose(("players", "[]"))
        if self.draw.chance(50):
            return "most(p in players: total(p))"
        return self.expr(t.ListType(t.PLAYER), scope, 2)

    def call_rule(self, scope: Scope, env: Env) -> Made:
        rule = self.draw.choose(self.usable(env))
        call = self.called(rule, scope, 2)
        by = f" by {self.player(scope, 1)}" if self.draw.chance(20) else ""
        if rule.needs or (not rule.quiet and not by and self.draw.chance(70)):
            self.needs |= rule.needs
            return [f"if can {call}:", f"    {call}"], scope
        if rule.gives is not None and self.draw.chance(75):
            name = self.name()
            return [f"let {name} = {call}{by}"], scope.bind(name, rule.gives)
        return [f"{call}{by}"], scope

    # ---------------------------------------------------------------------- chance

    def roll(self, scope: Scope, env: Env) -> Made:
        name, item = self.name(), self.item_type()
        if self.draw.chance(15):
            return self.secret_roll(scope)
        if isinstance(item, t.PieceType | t.CellType):
            source = self.expr(t.ListType(item), scope, 1)
            inner = scope.bind(name, item)
            head = [f"if any({source}):", f"    roll {name} in {source}"]
            return head + indent(self.effects(inner, evolve(env, depth=0), 2)), scope
        sources = {t.NUMBER: "1..6", t.PLAYER: "players"}
        source = sources.get(item) or self.list_leaf(t.ListType(item), scope)
        if self.draw.chance(20):
            return [f"roll {self.draw.choose(('2', '3', 'fig.size', '0'))} {name} in {source}"], scope.bind(
                name, t.ListType(item)
            )
        where = ""
        if self.world.risky and self.draw.chance(40):
            where = f" where {self.truth(scope.bind(name, item), 1)}"
        elif item == t.NUMBER and self.draw.chance(30):
            where = f" where {name} > {self.draw.int(1, 4)}"
        return [f"roll {name} in {source}{where}"], scope.bind(name, item)

    def secret_roll(self, scope: Scope) -> Made:
        """Only one player learns it: it is written into a variable, and its name is not used again."""
        name = self.name()
        _, text = self.target(scope, numbers=True)
        return [f"roll {name} in 1..4 by {self.player(scope, 0)}", f"set {text} to {name}"], scope

    # ------------------------------------------------------------------- questions

    def source(self, scope: Scope) -> tuple[t.Type, str]:
        """What is chosen from."""
        item = self.item_type()
        if self.draw.chance(40):
            item = self.draw.choose((t.NUMBER, t.PLAYER, t.RowType(self.draw.choose(list(self.world.tables)))))
        elif self.draw.chance(4):
            item = t.ListType(item)
        if isinstance(item, t.CellType) and self.draw.chance(60):
            return item, f"free({self.zone(self.draw.choose(self.world.boards), scope, 1)})"
        return item, self.value(t.ListType(item), scope, 1 if self.draw.chance(60) else 2)

    def ask(self, scope: Scope, env: Env) -> tuple[str, Scope]:
        """`x in S where P by p`."""
        item, source = self.source(scope)
        name = self.name()
        inner = scope.bind(name, item)
        text = f"{name} in {source}"
        if self.draw.chance(10) and self.mixed(item):
            text, inner = self.of_kind(name, item, scope, 2)
        elif self.draw.chance(40):
            text += f" where {self.truth(inner, 2)}"
        if self.draw.chance(15) and env.me:
            text += f" by {self.player(scope, 1)}"
        return text, inner

    def choose(self, scope: Scope, env: Env) -> Made:
        asks, inner = self.ask(scope, env)
        if self.draw.chance(25):
            second, inner = self.ask(inner, env)
            asks += f", {second}"
        word = "may choose" if self.draw.chance(25) else "choose"
        return self.asked(f"{word} {asks}", scope, inner, env, word != "choose")

    def asked(self, head: str, scope: Scope, inner: Scope, env: Env, may: bool) -> Made:
        """A question with its block, and mostly with what happens if there is nothing to choose."""
        asks = env.asks and self.draw.chance(25)
        body = self.block(inner, evolve(env.inner(), asks=asks), 2)
        lines = [f"{head}:", *indent(body)]
        if self.draw.chance(40 if may else 85):
            lines += ["else:", *indent(self.effects(scope, env.inner(), 1))]
        return lines, scope

    def may(self, scope: Scope, env: Env) -> Made:
        by = f" by {self.player(scope, 1)}" if self.draw.chance(25) and env.me else ""
        return self.asked(f"may {self.name()}{by}", scope, scope, env, True)

    def few(self, scope: Scope) -> tuple[t.Type, str]:
        """A list of a handful, of which sets are chosen."""
        item = self.item_type()
        if isinstance(item, t.PieceType):
            return item, f"top({self.expr(t.ListType(item), scope, 1)}, {self.draw.int(2, 6)})"
        if isinstance(item, t.NumberType):
            return item, f"1..{self.draw.int(2, 5)}"
        return item, self.list_leaf(t.ListType(item), scope)

    def choose_set(self, scope: Scope, env: Env) -> Made:
        item, source = self.few(scope)
        name = self.name()
        inner = scope.bind(name, t.ListType(item))
        totals = 0 if "totals" in self.draw.without else 3
        form = self.draw.choose(("range", "some", "count", "minimal", "total"), (3, 3, 2, 2, totals))
        where = f" where {self.truth(inner, 2)}" if self.draw.chance(25) else ""
        how = {"some": "some", "count": self.draw.choose(("2", "1", "fig.size")), "minimal": "minimal", "total": "some"}
        head = how.get(form) or f"{self.draw.int(0, 1)}..{self.draw.int(1, 3)}"
        if form in ("minimal", "total"):
            each = f"c_{name}"
            part = self.expr(t.NUMBER, Scope(((each, item),), me=scope.me, scores=False), 1)
            total = f"sum({each} in {name}: {part})" if self.draw.chance(70) else f"count({name})"
            ops = (">=", ">") if form == "minimal" else ("is", "<=", "<", ">", ">=")
            other = self.draw.int(1, 3) if self.draw.chance(70) else self.number(scope, 1)
            where = f" where {total} {self.draw.choose(ops)} {other}"
            if form == "total" and self.draw.chance(20):
                where = f" where [{self.draw.int(1, 3)}, {self.draw.int(2, 5)}] has {total}"
        word = "may choose" if self.draw.chance(25) else "choose"
        return self.asked(f"{word} {head} {name} in {source}{where}", scope, inner, env, word != "choose")

    def menu(self, scope: Scope, env: Env) -> Made:
        """A member of a family is chosen, and called."""
        families = [rule for rule in self.usable(env) if rule.key is not None]
        if not families:
            return self.choose(scope, env)
        rule = self.draw.choose(families)
        name = self.name()
        source = rule.key.table if isinstance(rule.key, t.RowType) else rule.name
        call = f"{rule.name}[{name}]{self.arguments(rule, scope, 1)}"
        lines = [f"choose {name} in {source}:", f"    {call}"]
        return [*lines, "else:", *indent(self.effects(scope, env.inner(), 1))], scope

    def together(self, scope: Scope, env: Env) -> Made:
        """Secret answers: what is asked comes before any effect."""
        acting = evolve(scope, me=True, past_me=False)
        where = f" where {self.truth(acting, 1)}" if self.draw.chance(25) else ""
        head = (
            f"together me in {self.draw.choose(('players', 'players', 'opponents')) if scope.me else 'players'}{where}:"
        )
        inside = evolve(env, me=False, loop=False, depth=0, finish=False)
        form = self.draw.choose((self.choose, self.choose_set, self.may), (4, 2, 1))
        made, _ = form(acting, evolve(inside, asks=False))
        return [head, *indent(made)], scope

    # ---------------------------------------------------------------------- openings

    def opening(self, scope: Scope, env: Env) -> Made:
        """What a rule needs and asks before its first effect."""
        lines: Lines = []
        if self.draw.feature("require", 25):
            tests = [self.truth(scope, 2) for _ in range(self.draw.choose((1, 2), (4, 1)))]
            lines.append(f"require {', '.join(tests)}")
            self.needs = True
        for _ in range(self.draw.choose((1, 2, 0), (5, 3, 2)) if env.asks else 0):
            if self.draw.chance(15):
                name, type_ = self.name(), self.item_type()
                lines.append(f"let {name} = {self.value(type_, scope, 2)}")
                scope = scope.bind(name, type_)
            if self.draw.chance(20):
                item, source = self.few(scope)
                name = self.name()
                low = self.draw.int(0, 2)
                lines.append(
                    f"choose {low}..{low + self.draw.int(0, 1)} {name} in {source}"
                    if self.draw.chance(60)
                    else f"choose some {name} in {source}"
                )
                scope = scope.bind(name, t.ListType(item))
            else:
                asks, scope = self.ask(scope, env)
                lines.append(f"choose {asks}")
        return lines, scope
