"""Questions as Python: the answers on offer, each once, and only those that lead on. Labels are made by others."""

from __future__ import annotations

from typing import TYPE_CHECKING

from interpreter.generate.acts import Acts
from interpreter.generate.guards import BACK, ONLY_DONE, Sieve, UnclearGuardError
from interpreter.generate.piece_classes import class_key, piece_classes
from interpreter.generate.text import Body
from interpreter.ir import blocks as ir
from interpreter.plain.questions import item_type
from warlock_dsl import types as t
from warlock_dsl.check import program as checked

if TYPE_CHECKING:
    from interpreter.generate.module import Module


class Asking(Acts):
    """Writes the function of one question: it gives an offer, or goes on where nothing is to be decided."""

    def __init__(self, module: Module, body: Body, rule: int, block: int) -> None:
        super().__init__(module, body)
        self.rule = rule
        self.block = block
        self.lowered = module.lowered_rules[rule]
        self.scope = module.slot_names(rule)
        end = self.lowered.blocks[block].end
        assert isinstance(end, ir.Ask)
        self.ask = end
        self.name = module.end_name(rule, block)
        self.rule_name = module.rule_name(rule)

    def bind(self, slot: int, text: str) -> None:
        self.body.line(f"L[{slot}] = {self.scope[slot]} = {text}")

    def question(self) -> None:
        self.body.mark = self.m.mark(self.rule, self.block)
        question = self.ask.question
        self.body.comment(f"{question.span.file}:{question.span.line}: {question.name}")
        if question.mode != "one":
            self.set_parts()
            self.body.line(f"return ASK_SET(s, f, {self.name})")
            return
        player = self.scope[0] if question.by is None else self.body.held(self.value(question.by, self.scope))
        self.body.line("found = []")
        if self.menu():
            self.offer(player)
            return
        leads = self.leads_on()
        fixed = bool(leads[0] and leads[1]) and question.slot not in self.m.guards.live(self.rule, self.ask.then)
        if fixed:
            self.body.line("leads = None")
        elif BACK in leads[1]:
            self.body.line("onward = None")
        place = self.body.here()
        self.candidates(player)
        self.unless(question.where, self.scope, "continue")
        if fixed:
            self.guard_once(*leads)
        elif self.sieved(*leads):
            self.body.back_to(place)
            self.offer(player)
            return
        else:
            self.guard(*leads)
        self.body.line(f"found.append({self.scope[question.slot]})")
        self.body.back_to(place)
        self.offer(player)

    def menu(self) -> bool:
        """A choice from a list that never changes, each entry a rule of a family: a test for each, no loop."""
        question = self.ask.question
        entries = self.facts.constant(question.source)
        block = self.lowered.blocks[self.ask.then]
        call = block.end
        if question.where is not None or block.steps or not isinstance(call, ir.Call) or call.arguments or call.by:
            return False
        key = call.target.key
        if not isinstance(entries, tuple) or not isinstance(key, checked.Local) or key.slot != question.slot:
            return False
        members = [call.target.members[entry] for entry in entries]
        if len(set(entries)) != len(entries) or (call.then >= 0 and any(map(self.comes_back, members))):
            return False
        for entry, rule in zip(entries, members, strict=True):
            self.body.line(f"{self.entry_test(entry, rule)}found.append({entry})")
        return True

    def comes_back(self, rule: int) -> bool:
        try:
            return BACK in self.m.guards.outcomes(rule, self.m.lowered_rules[rule].entry)
        except UnclearGuardError:
            return False

    def entry_test(self, entry: int, rule: int) -> str:
        """Whether an entry of a menu leads on. The plain machine looks where there is no guard."""
        try:
            if self.m.guards.outcomes(rule, self.m.lowered_rules[rule].entry) == ONLY_DONE:
                return ""
            return f"if {self.m.entry_guard(rule, False)}(s, {self.scope[0]}): "
        except UnclearGuardError:
            return f"if LEADS_ON(s, {self.name}, {entry}): "

    def set_parts(self) -> None:
        """The functions a set is asked with: its pool, its condition, and whether a set leads on."""
        question, stem = self.ask.question, f"{self.rule_name}_{self.block}"
        slot = self.scope[question.slot]
        pool = Asking(self.m, Body(f"pool_{stem}", ["s", "L"]), self.rule, self.block)
        pool.body.line(f"return {pool.stored(question.source, pool.scope)}")
        made, names = [pool], [pool.body.name, "None", "None", "None", "None"]
        if question.where is not None:
            fits = Asking(self.m, Body(f"fits_{stem}", ["s", "L", slot]), self.rule, self.block)
            fits.unless(question.where, fits.scope, "return False")
            fits.body.line("return True")
            names[1] = fits.body.name
            made.append(fits)
        leads = Asking(self.m, Body(f"leads_{stem}", ["s", "L", slot]), self.rule, self.block)
        call, possible = leads.leads_on()
        if call:
            leads.body.line(f"way = {call}")
            leads.body.line("return ONWARD(s) if way == 2 else way" if BACK in possible else "return way")
            names[2] = leads.body.name
            made.append(leads)
        if isinstance(item_type(question), t.PieceType) and not self.singles(question.source):
            names[3] = piece_classes(self.m, question.source, question.by is None)
        if question.low is not None and question.high is not None:
            bounds = Asking(self.m, Body(f"bounds_{stem}", ["s", "L"]), self.rule, self.block)
            low = bounds.body.held(bounds.whole(question.low, bounds.scope))
            bounds.body.line(f"return {low}, {bounds.whole(question.high, bounds.scope)}")
            names[4] = bounds.body.name
            made.append(bounds)
        for one in made:
            one.body.mark = None
            self.m.functions[one.body.name] = self.m.with_slots(one.body, self.rule, "L")
        self.m.sets[self.rule, self.block] = f"({', '.join(names)})"

    def leads_on(self) -> tuple[str, frozenset[int]]:
        """What says whether an answer leads on, and what it can say."""
        try:
            possible = self.m.guards.outcomes(self.rule, self.ask.then)
            if possible == ONLY_DONE:
                return "", possible
            return self.m.guard_call(self.rule, self.ask.then, self.scope), possible
        except UnclearGuardError:
            return f"LEADS_ON(s, {self.name}, {self.scope[self.ask.question.slot]})", frozenset()

    def sieved(self, call: str, possible: frozenset[int]) -> bool:
        """Write the guard into the loop, if it can be: what no answer changes is then looked at once for all."""
        if not call or not possible:
            return False
        body = self.body
        kept = (list(body.lines), [(head, head.index, dict(head.ready)) for head in body.heads], body.level)
        try:
            Sieve(self.m, body, self.rule, dict(self.scope), self.scope[self.ask.question.slot]).flow(self.ask.then)
            return True
        except UnclearGuardError:
            body.lines, body.level = kept[0], kept[2]
            body.heads = [head for head, _, _ in kept[1]]
            for head, index, ready in kept[1]:
                head.index, head.ready = index, ready
            return False

    def guard(self, call: str, possible: frozenset[int]) -> None:
        if not call:
            return
        if BACK not in possible:
            self.body.line(f"if not {call}: continue")
            return
        self.body.line(f"way = {call}")
        with self.body.block("if way == 2:"):
            self.body.line("if onward is None: onward = ONWARD(s)")
            self.body.line("way = onward")
        self.body.line("if not way: continue")

    def guard_once(self, call: str, possible: frozenset[int]) -> None:
        """What follows does not hang on the answer: it is looked at for the first."""
        with self.body.block("if leads is None:"):
            self.body.line(f"leads = {call}")
            if BACK in possible:
                self.body.line("if leads == 2: leads = ONWARD(s)")
            self.body.line("if not leads: break")

    # -------------------------------------------------------------- candidates

    def candidates(self, player: str) -> None:
        """A loop over the candidates, one of each class; the slot of the question holds it."""
        question, slot = self.ask.question, self.scope[self.ask.question.slot]
        if isinstance(item_type(question), t.PieceType):
            self.pieces(player)
            return
        if self.facts.distinct(question.source):
            item = self.open(question.source, self.scope)
            self.body.line(f"{slot} = {item}")
            return
        items = self.items(question.source, self.scope)
        self.loop(slot, f"dict.fromkeys({items})")

    def loop(self, name: str, items: str) -> None:
        self.body.enter(name, items)

    def pieces(self, player: str) -> None:
        question, slot = self.ask.question, self.scope[self.ask.question.slot]
        pool = self.body.fresh("pool")
        self.body.line(f"{pool} = {self.items(question.source, self.scope)}")
        if not self.singles(question.source):
            key = class_key(self.m, question.source, question.by is None)
            self.body.line(f"player = {player}") if "player" in key else None
            self.body.line(f"keys = [{key} for x in {pool}]")
            self.body.line(f"if len(set(keys)) != len(keys): {pool} = SPLIT(s, {pool}, keys, {question.slot})")
        self.loop(slot, pool)

    def singles(self, e: checked.Expr) -> bool:
        """Whether every piece is a class of its own: no two lie on one cell of a grid."""
        return self.m.on_grids(e) and self.facts.distinct(e)

    # ------------------------------------------------------------------- offers

    def offer(self, player: str) -> None:
        ask = self.ask
        with self.body.block("if not found:"):
            if ask.otherwise < 0:
                self.body.line(f"raise NO_ANSWER({player}, {self.name})")
            else:
                self.body.line(f"L[{ask.question.slot}] = None")
                self.body.line(f"f.block = {ask.otherwise}")
                self.body.line("return")
        if not ask.question.may:
            with self.body.block("if len(found) == 1:"):
                self.body.line(f"L[{ask.question.slot}] = found[0]")
                self.body.line(f"f.block = {ask.then}")
                self.body.line("return")
        self.body.line(f"return Offer({player}, {self.rule}, {self.name}, found)")
