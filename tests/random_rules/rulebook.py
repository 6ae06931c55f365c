"""A whole random ruleset: its world, definitions, rules, families, hooks, scores and laws."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from attrs import evolve, frozen

from tests.random_rules.draw import Draw, SeedDraw
from tests.random_rules.expressions import Callable_, Scope
from tests.random_rules.statements import Env, Lines, StatementWriter, indent
from tests.random_rules.world import World, files_of, make_world, type_word
from warlock_dsl import types as t

Parameters = tuple[tuple[str, t.Type], ...]


@frozen
class Case:
    """A random ruleset as its files, and for how many players it is played."""

    files: Mapping[str, str]
    players: int

    def text(self) -> str:
        """The files one after another, to be read or pasted."""
        return "".join(f"-- {name} --\n{text}" for name, text in self.files.items())


def make_case(draw: Draw) -> Case:
    world = make_world(draw)
    rules = Rulebook(draw, world).write()
    return Case({**files_of(world), "rules.warlock": rules}, world.players)


def seeded_case(seed: int, without: Collection[str] = ()) -> Case:
    return make_case(SeedDraw(seed, without))


class Rulebook(StatementWriter):
    """Rules are written from the innermost outwards: each may call those before it, and so no circle comes about."""

    def __init__(self, draw: Draw, world: World) -> None:
        super().__init__(draw, world)
        self.parts: list[str] = []
        self.defines: tuple[Callable_, ...] = ()
        self.rules: list[Callable_] = []  # in the order in which they may call each other
        self.hooked = 0
        self.replaced: set[str] = set()  # rules for which something stands in

    def write(self) -> str:
        self.write_definitions()
        for number in range(self.draw.int(1, 3)):
            self.write_rule(f"q{'abc'[number]}", Env(asks=False, chance=False), quiet=True)
        if self.draw.chance(30):
            self.write_event("ev")
        for number in range(self.draw.choose((1, 0, 2), (5, 3, 2))):
            self.write_rule(f"c{'ab'[number]}", Env(asks=False))
        for number in range(self.draw.choose((1, 2, 0), (5, 3, 2))):
            self.write_rule(f"a{'ab'[number]}", Env())
        for name in self.world.families:
            self.write_family(name)
        if self.draw.feature("rules_within_themselves", 15):
            self.write_ring()
        self.write_turn()
        self.write_play()
        self.write_scores()
        self.write_laws()
        return "\n\n".join(self.parts) + "\n"

    def declare(self, head: str, body: Lines) -> None:
        self.parts.append("\n".join([head, *indent(body)]))

    def scope(self, parameters: Parameters = (), **more: object) -> Scope:
        usable = tuple(self.rules)
        return evolve(Scope(parameters, defines=self.defines, rules=usable), **more)

    def parameters(self, maximum: int = 2) -> Parameters:
        found = []
        for _ in range(self.draw.choose((0, 1, 2)[: maximum + 1])):
            type_ = self.item_type()
            if self.draw.chance(15):
                type_ = t.ListType(type_)
            elif self.draw.chance(8):
                type_ = t.ZoneType()
            found.append((self.name(), type_))
        return tuple(found)

    def written(self, parameters: Parameters) -> str:
        return f"({', '.join(f'{name}: {type_word(type_)}' for name, type_ in parameters)})" if parameters else ""

    # ------------------------------------------------------------------ definitions

    def write_definitions(self) -> None:
        for number in range(self.draw.int(1, 4)):
            name = f"d{'abcd'[number]}"
            me = self.draw.chance(50)
            parameters = tuple(one for one in self.parameters() if not isinstance(one[1], t.ZoneType))
            wanted = self.item_type() if self.draw.chance(50) else self.draw.choose((t.NUMBER, t.TRUTH))
            wanted = t.ListType(wanted) if self.draw.chance(30) else wanted
            scope = Scope(parameters, me=me, scores=False, defines=self.defines)
            if self.draw.feature("recursion", 12):
                parameters = (("n", t.NUMBER), *parameters)
                scope = evolve(scope, names=parameters)
                again = f"{name}(n - 1{''.join(f', {one}' for one, _ in parameters[1:])})"
                op = "-" if self.draw.chance(30) else "+"
                wanted = wanted if isinstance(wanted, t.ListType) else t.NUMBER
                body = f"if n > 0 then {self.value(wanted, scope, 2)} {op} {again} else {self.value(wanted, scope, 1)}"
            else:
                body = self.value(wanted, scope, 3)
            self.parts.append(f"define {name}{self.written(parameters)} = {body}")
            self.defines += (Callable_(name, parameters, wanted, me),)

    # ------------------------------------------------------------------------ rules

    def body(self, scope: Scope, env: Env, size: int = 3) -> Lines:
        """A body that asks first, and then does something that can be seen."""
        lines, inner = self.opening(scope, env) if env.asks or self.draw.chance(30) else ([], scope)
        asks = env.asks and self.draw.chance(30)
        lines += self.block(inner, evolve(env, asks=asks), size)
        variable, text = self.target(scope)
        return [*lines, f"set {text} to {self.expr(variable.type, scope, 2)}"]

    def ending(self, scope: Scope, gives: t.Type) -> Lines:
        early = (
            [f"if {self.truth(scope, 1)}:", f"    give {self.value(gives, scope, 1)}"] if self.draw.chance(40) else []
        )
        return [*early, f"give {self.value(gives, scope, 2)}"]

    def write_rule(self, name: str, env: Env, quiet: bool = False) -> None:
        parameters = self.parameters()
        gives = self.exact_type() if self.draw.feature("give", 25) else None
        gives = t.ListType(gives) if gives is not None and self.draw.chance(20) else gives
        scope = self.scope(parameters)
        self.calls, self.needs = tuple(self.rules), False
        lines = self.body(scope, env)
        lines += self.ending(scope, gives) if gives is not None else []
        self.declare(f"rule {name}{self.written(parameters)}:", lines)
        rule = Callable_(name, parameters, gives, quiet=quiet, needs=self.needs)
        self.write_hooks(rule, env)
        self.rules.append(rule)

    def write_event(self, name: str) -> None:
        parameters = self.parameters()
        self.parts.append(f"rule {name}{self.written(parameters)}")
        rule = Callable_(name, parameters, quiet=True)
        self.write_hooks(rule, Env(asks=False, chance=False), 90)
        self.rules.append(rule)

    def write_family(self, name: str) -> None:
        family = self.world.families[name]
        parameters = self.parameters(1) if self.draw.chance(40) else ()
        self.calls, self.needs = tuple(self.rules), False
        gives = t.NUMBER if self.draw.feature("give", 15) else None
        for key in family.keys:
            own = tuple((self.name(), type_) for _, type_ in parameters)
            scope = self.scope(own)
            lines = self.body(scope, Env(), 2) + (self.ending(scope, gives) if gives is not None else [])
            self.declare(f"rule {name}[{key}]{self.written(own)}:", lines)
        rule = Callable_(name, parameters, gives, key=family.key_type, keys=family.keys, needs=self.needs)
        self.write_hooks(rule, Env(), 60)
        self.rules.append(rule)

    def write_ring(self) -> None:
        """A rule that calls itself, with a number that falls."""
        scope = self.scope((("n", t.NUMBER),))
        self.calls, self.needs = tuple(self.rules), False
        self.declare(
            "rule ring(n: number):",
            [*self.block(scope, Env(depth=1), 2), "if n > 0:", "    if can ring(n - 1): ring(n - 1)"],
        )
        self.rules.append(Callable_("ring", (("n", t.NUMBER),), needs=self.needs))

    # ------------------------------------------------------------------------- hooks

    def write_hooks(self, rule: Callable_, env: Env, percent: int = 40) -> None:
        """What hangs on a rule may do what the rule may."""
        for _ in range(self.draw.choose((1, 2), (4, 1)) if self.draw.feature("hooks", percent) else 0):
            self.write_hook(rule, env)

    def write_hook(self, rule: Callable_, env: Env) -> None:
        when = self.draw.choose(("after", "before", "instead"), (5, 3, 3))
        plain = when == "before" and env.asks and self.draw.chance(80)  # what nobody can foresee is refused there
        self.hooked += 1
        name = f"h{self.hooked}"
        place, own = rule.name, tuple((self.name(), type_) for _, type_ in rule.parameters)
        names = own
        if rule.key is not None:
            if when != "instead" and self.draw.chance(50):
                key = self.name()
                source = rule.key.table if isinstance(rule.key, t.RowType) else rule.name
                place, names = f"{rule.name}[{key} in {source}]", (*own, (key, rule.key))
            else:
                place = f"{rule.name}[{self.draw.choose(rule.keys)}]"
        scope = self.scope(names)
        if when == "after":
            scope = evolve(scope, past=names)
        where = f" where {self.truth(scope, 2)}" if self.draw.chance(60) or place in self.replaced else ""
        if when == "instead":
            self.replaced.add(place)
        self.calls = tuple(self.rules)
        if self.draw.chance(25) and when != "instead":
            law = f"{self.truth(scope, 2)} or {self.likely(scope)}"
            self.parts.append(
                f"invariant l{self.hooked} {when} {place}({', '.join(one for one, _ in own)}){where} = {law}"
            )
            return
        asks = env.asks and self.draw.chance(35)
        lines = self.add(scope, env)[0] if plain else self.body(scope, evolve(env, asks=asks, depth=1), 2)
        if when == "instead" and rule.gives is not None:
            lines += self.ending(scope, rule.gives)
        self.declare(f"rule {name} {when} {place}({', '.join(one for one, _ in own)}){where}:", lines)

    # -------------------------------------------------------------------------- play

    def write_turn(self) -> None:
        self.calls = tuple(self.rules)
        scope = self.scope()
        first, _ = self.add(scope, Env())  # an effect: what is called here is no part of a guard
        lines = [*first, *self.block(scope, Env(finish=True), 2)]
        choose, _ = self.choose(scope, Env(depth=1))
        menu, _ = self.menu(scope, Env(depth=1))
        variable, text = self.target(scope)
        self.declare("rule turn:", [*lines, *choose, *menu, f"set {text} to {self.expr(variable.type, scope, 2)}"])
        self.write_hooks(Callable_("turn", ()), Env(depth=1), 25)

    def write_play(self) -> None:
        scope = self.scope()
        self.calls = tuple(self.rules)
        lines = self.deal(scope)
        if self.draw.chance(25):
            lines += self.block(scope, Env(depth=1), 2)
        where = f" where {self.truth(scope, 2)}" if self.draw.chance(15) else ""
        lines.append(f"repeat {self.draw.choose((2, 1, 3))}{where}:")
        around = self.draw.choose(("players", "clockwise(lead)", "clockwise(next(lead))"), (4, 2, 1))
        lines.append(f"    for me in {around}: turn()")
        if self.draw.chance(90):
            lines.append(f"finish {self.winners(scope)}")
        self.declare("rule play:", lines)

    def deal(self, scope: Scope) -> Lines:
        """Pieces are spread over the table, so that there is something to play with."""
        world, lines = self.world, []
        for zone in world.zones.values():
            if "start" in zone.settings and not zone.grid and not zone.by and not zone.owner and self.draw.chance(60):
                lines.append(f"shuffle {zone.name}")
        if self.draw.chance(80):
            lines.append("set lead to last(players)")
        for zone in world.zones.values():
            sources = [one for one in world.zones.values() if not one.owner and not one.by and one is not zone]
            sources = [one for one in sources if set(one.kinds) <= set(zone.kinds)]
            if not sources or not self.draw.chance(80):
                continue
            source, count = self.draw.choose(sources).name, self.draw.int(1, 3)
            where = zone.name if not zone.owner else f"p.{zone.name}"
            row = f"[{self.draw.choose(world.tables[zone.by].rows)}]" if zone.by else ""
            if zone.by and not zone.owner:
                where, row = f"{self.draw.choose(world.tables[zone.by].rows)}.{zone.name}", ""
            if zone.owner not in ("", "player"):
                continue
            head = "for p in players: " if zone.owner else ""
            if zone.grid:
                head += f"repeat {count}: if any(free({where})): "
                count = 1
            lines.append(f"{head}move top({source}, {count}) to {where}{row}")
        return lines

    # ------------------------------------------------------------------ scores and laws

    def write_scores(self) -> None:
        for number in range(self.draw.choose((1, 2, 0, 3), (4, 3, 2, 1))):
            scope = Scope(scores=False, defines=self.defines)
            self.parts.append(f"score s{number} = {self.number(scope, 3)}")

    def likely(self, scope: Scope) -> str:
        """A test that mostly holds."""
        if self.draw.chance(25):
            return f"{self.number(scope, 1)} {self.draw.choose(('<', '>', 'is not'))} {self.draw.int(2, 6)}"
        kind = self.draw.choose(list(self.world.kinds))
        return self.draw.choose((f"count(everywhere[{kind}]) > 0", "na >= 0", "count(players) > 0"))

    def write_laws(self) -> None:
        everybody = Scope(me=False, defines=self.defines)
        for number in range(self.draw.choose((0, 1, 2), (4, 4, 2))):
            law = f"{self.truth(everybody, 2)} or {self.likely(everybody)}"
            self.parts.append(f"invariant i{number} = {law}")
        if self.draw.chance(15):
            scope = evolve(everybody, names=(("w", t.ListType(t.PLAYER)),))
            where = f" where {self.truth(scope, 1)}" if self.draw.chance(40) else ""
            law = f"{self.truth(scope, 2)} or {self.likely(scope)}"
            self.parts.append(f"invariant ending after finish(w){where} = {law}")
