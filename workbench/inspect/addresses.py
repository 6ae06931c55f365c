"""Every address of a ruleset: what is declared under it, where, in which words, and what it rests on."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction

from attrs import evolve, field, frozen

from interpreter import number_text
from warlock_dsl import STANDINGS, Ruleset, Span, declaration_digest, parse, parse_cite, sight_facts
from warlock_dsl import types as t
from warlock_dsl.syntax import tree as syntax
from warlock_dsl.tables.components import Cite, Column, Components, Value

ME_IN_RULES = "`me`, the player who acts, is an implicit parameter"
ME_IN_SCORES = "`me` is the player whose points are counted"
ME_IN_LAWS = "`me` is the player who acts when the rule is called"


@frozen
class Entry:
    """One declaration: `what` it is, its span with the marks above it, and facts about it."""

    address: str
    what: str
    span: Span
    cites: tuple[Cite, ...] = ()
    facts: tuple[tuple[str, str], ...] = field(default=())
    group: str = ""  # what it is told as where many are alike: the field, for the fields of pieces

    @property
    def standing(self) -> str:
        """The standings of its marks, strongest first."""
        found = {cite.standing for cite in self.cites}
        return ", ".join(word for word in STANDINGS if word in found)


def every_entry(
    ruleset: Ruleset, sources: Mapping[str, str], modules: Sequence[syntax.Module] | None = None
) -> list[Entry]:
    """All declarations in a stable order: rules, tables, names, then what they rest on.

    `modules` are the rules in force where overlays replaced some; without them all that the sources declare.
    """
    parts = ruleset.components
    tables = list(_tables(parts))
    loose = _loose_marks(parts, tables, sources)
    tables = [evolve(entry, cites=entry.cites + loose.pop(entry.address, ())) for entry in tables]
    sections = [Entry(address, "section", cites[0].span, cites) for address, cites in loose.items()]
    return [*_rules(sources, modules), *tables, *sections, *_names(parts), *_grounds(parts)]


# ----------------------------------------------------------------------- rules


def _rules(sources: Mapping[str, str], modules: Sequence[syntax.Module] | None) -> Iterator[Entry]:
    if modules is None:
        modules = [parse(sources[file], file)[0] for file in sorted(sources) if file.endswith(".warlock")]
    for module in sorted(modules, key=lambda one: one.file.startswith("std/")):
        yield from (_declaration(node) for node in module.declarations)


def _declaration(node: syntax.Declaration) -> Entry:
    cites = tuple(parse_cite(mark.standing, mark.text, mark.span) for mark in node.marks)
    span = node.marks[0].span.to(node.span) if node.marks else node.span
    named = ("digest", declaration_digest(node))
    match node:
        case syntax.Rule():
            address = f"{node.name.text}.{node.key.text}" if node.key is not None else node.name.text
            event = node.body is None and node.hook is None
            facts = [_parameters(node.parameters), named, ("note", ME_IN_RULES)]
            if node.hook is not None:
                facts.insert(0, ("hangs", f"{node.hook.when} {_target(node.hook)}"))
            return Entry(address, "event" if event else "rule", span, cites, tuple(f for f in facts if f[1]))
        case syntax.Define():
            facts = [_parameters(node.parameters), named, ("note", ME_IN_RULES)]
            return Entry(node.name.text, "definition", span, cites, tuple(f for f in facts if f[1]))
        case syntax.Score():
            return Entry(f"score.{node.name.text}", "part of the score", span, cites, (named, ("note", ME_IN_SCORES)))
        case syntax.Invariant():
            hangs = [("hangs", f"{node.hook.when} {_target(node.hook)}")] if node.hook else []
            facts = [*hangs, named, *([("note", ME_IN_LAWS)] if node.hook else [])]
            return Entry(f"invariant.{node.name.text}", "invariant", span, cites, tuple(facts))
        case syntax.Reveals():
            key = f".{node.key.text}" if node.key is not None else ""
            return Entry(f"reveals.{node.name.text}{key}", "reveals", span, cites, (named,))
        case syntax.Property():
            return Entry(f"{node.kind}.{node.name.text}", node.kind, span, cites, (named,))


def _parameters(parameters: tuple[syntax.Parameter, ...]) -> tuple[str, str]:
    return "parameters", ", ".join(f"{one.name.text}: {one.type.text}" for one in parameters)


def _target(hook: syntax.Hook) -> str:
    if hook.every is not None:
        return f"{hook.target.text}[{hook.every.name.text} in {hook.every.source.text}]"
    return f"{hook.target.text}.{hook.key.text}" if hook.key is not None else hook.target.text


# ---------------------------------------------------------------------- tables


def _tables(parts: Components) -> Iterator[Entry]:
    for (group, name), figure in parts.figures.items():
        facts = [("value", plain(figure.value, figure.type, parts)), ("type", str(figure.type))]
        facts += _range(figure.low, figure.high) + ([("idle", figure.idle)] if figure.idle else [])
        yield Entry(f"{group}.{name}", "figure", figure.span, figure.cites, tuple(facts))
    for table in parts.tables.values():
        yield Entry(table.name, "table", table.span, (), (("rows", ", ".join(table.rows)),))
        for number, row in enumerate(table.rows):
            columns = table.columns.values()
            cites = tuple(cite for column in columns if (cite := column.cites[number]) is not None)
            values = _values(table.columns.values(), number, parts)
            yield Entry(f"{table.name}.{row}", "row", table.row_spans[number], cites, values)
            for column in columns:
                yield _cell(f"{table.name}.{row}.{column.name}", "cell of a table", column, number, parts)
    yield from _lookups(parts)
    yield from _places(parts)
    yield from _pieces(parts)


def _values(columns: Iterable[Column], number: int, parts: Components) -> tuple[tuple[str, str], ...]:
    """The figures of a row or a piece, each with its standing."""
    found = []
    for column in columns:
        cite = column.cites[number]
        standing = f" ({cite.standing})" if cite is not None else ""
        found.append((column.name, plain(column.values[number], column.type, parts) + standing))
    return tuple(found)


def _cell(address: str, what: str, column: Column, number: int, parts: Components, group: str = "") -> Entry:
    cite = column.cites[number]
    facts = (("value", plain(column.values[number], column.type, parts)), ("type", str(column.type)))
    return Entry(address, what, column.spans[number], (cite,) if cite is not None else (), facts, group)


def _lookups(parts: Components) -> Iterator[Entry]:
    for series in parts.series.values():
        values = ", ".join(number_text(v.numerator, v.denominator) for v in series.values)
        facts = (("values", values), ("from", str(series.first)), ("beyond", series.beyond))
        yield Entry(series.name, "series", series.span, series.cites, facts)
    for matrix in parts.matrices.values():
        facts = (("rows", matrix.rows), ("columns", matrix.columns), ("of", matrix.of))
        yield Entry(matrix.name, "matrix", matrix.span, matrix.cites, facts)
        lines, columns = parts.tables[matrix.rows].rows, parts.tables[matrix.columns].rows
        for (y, x), cell in matrix.given.items():
            value = parts.tables[matrix.of].rows[matrix.cells[y][x]]
            address = f"{matrix.name}.cells.{lines[y]}.{columns[x]}"
            yield Entry(address, "cell of a matrix", cell.span, cell.cites, (("value", value),), matrix.name)
    for die in parts.dice.values():
        rows = parts.tables[die.of].rows
        yield Entry(die.name, "die", die.span, die.cites, (("faces", ", ".join(rows[face] for face in die.faces)),))
    for total in parts.totals.values():
        found = sum(total.amounts, Fraction(0))
        value, sums = (number_text(n.numerator, n.denominator) for n in (total.stated, found))
        said = (("value", value), ("of", ", ".join(total.of)), ("adds up to", sums))
        yield Entry(f"total.{total.name}", "stated total", total.span, total.cites, said)


def _places(parts: Components) -> Iterator[Entry]:
    for zone in parts.zones.values():
        each = " and ".join(one for one in (zone.owner, zone.by) if one)
        facts = [("of each", each), ("holds", ", ".join(zone.kinds)), *sight_facts(zone)]
        facts += [("grid", zone.grid)]
        yield Entry(f"zone.{zone.name}", "zone", zone.span, zone.cites, tuple(f for f in facts if f[1]))
    for grid in parts.grids.values():
        shape = grid.shape if grid.shape != "square" else ""
        facts = [("size", f"{grid.width} by {grid.height}"), ("shape", shape), ("cells", grid.table)]
        facts += [("regions", ", ".join(grid.regions))]
        yield Entry(f"grid.{grid.name}", "grid", grid.span, (), tuple(f for f in facts if f[1]))
    for (owner, name), variable in parts.variables.items():
        type_ = t.MapType(variable.by, variable.type) if variable.by else variable.type
        facts = [("type", str(type_)), ("of each", owner), *sight_facts(variable)]
        facts += [("first", plain(variable.first, type_, parts)), ("lasts", variable.lasts)]
        facts += _range(variable.low, variable.high)
        yield Entry(f"variable.{name}", "variable", variable.span, variable.cites, tuple(f for f in facts if f[1]))


def _pieces(parts: Components) -> Iterator[Entry]:
    for kind in parts.kinds.values():
        facts = [("pieces", str(len(kind.pieces))), ("fields", ", ".join(kind.fields)), ("called by", kind.called_by)]
        yield Entry(f"kind.{kind.name}", "kind of piece", kind.span, (), tuple(f for f in facts if f[1]))
        for number, piece in enumerate(kind.pieces):
            columns = kind.fields.values()
            cites = dict.fromkeys(cite for column in columns if (cite := column.cites[number]) is not None)
            span = min((column.spans[number] for column in columns), default=kind.span)
            yield Entry(piece, f"piece: {kind.name}", span, tuple(cites), _values(columns, number, parts))
            for column in columns:
                group = f"{kind.name}.{column.name}"
                yield _cell(f"{piece}.{column.name}", "field of a piece", column, number, parts, group)


def _range(low: Fraction | None, high: Fraction | None) -> list[tuple[str, str]]:
    if low is None or high is None:
        return []
    return [("range", "..".join(number_text(end.numerator, end.denominator) for end in (low, high)))]


def plain(value: Value, kind: t.Type, parts: Components) -> str:
    """A value in the words of the tables."""
    if isinstance(kind, t.RowType | t.KeyType) and isinstance(value, int):
        return parts.words_of(kind)[value]
    if isinstance(kind, t.RegionType):
        regions = (region for grid in parts.grids.values() for region in grid.regions.items())
        return next((name for name, cells in regions if cells == value), "")
    if isinstance(kind, t.PlayerType):
        return f"seat {value}"
    if isinstance(value, tuple):
        inner = kind.item if isinstance(kind, t.ListType) else kind.value if isinstance(kind, t.MapType) else None
        return f"[{', '.join(plain(item, inner or t.UNKNOWN, parts) for item in value)}]"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, Fraction):
        return number_text(value.numerator, value.denominator)
    return str(value)


# --------------------------------------------------------------- marks, grounds


def _loose_marks(parts: Components, tables: list[Entry], sources: Mapping[str, str]) -> dict[str, tuple[Cite, ...]]:
    """Marks that no component keeps as they are (counts, numbers of players), by the section they stand in."""
    kept = {(cite.span.file, cite.span.line, id) for entry in tables for cite in entry.cites for id in cite.ids}
    found: dict[str, tuple[Cite, ...]] = {}
    for cite in parts.marks:
        if any((cite.span.file, cite.span.line, id) not in kept for id in cite.ids):
            section = _section(sources.get(cite.span.file, ""), cite.span.line)
            found[section] = (*found.get(section, ()), cite)
    return found


def _section(text: str, line: int) -> str:
    for above in reversed(text.split("\n")[:line]):
        if above.startswith("["):
            return above.strip().strip("[]").partition("#")[0].strip().rstrip("]")
    return ""


def _names(parts: Components) -> Iterator[Entry]:
    for language, texts in parts.names.items():
        for key, entry in texts.items():
            yield Entry(f"names.{language}.{key}", "text", entry.span, (), (("text", entry.text),))


def _grounds(parts: Components) -> Iterator[Entry]:
    for row in parts.ledger.values():
        facts = [("says", row.says), ("at", sections(row.at)), ("status", sections(row.status))]
        facts += [("standing", row.standing), ("rulings", ", ".join(row.rulings))]
        facts += [("differences", ", ".join(row.differences)), ("idle", row.idle)]
        yield Entry(row.id, "rule of the ledger", row.span, (), tuple(f for f in facts if f[1]))
    for ruling in parts.rulings.values():
        facts = [("question", ruling.question), ("options", "; ".join(ruling.options)), ("takes", ruling.takes)]
        facts += [("because", ruling.because), ("editions", ruling.editions), ("idle", ruling.idle)]
        yield Entry(ruling.id, "ruling", ruling.span, (), tuple(f for f in facts if f[1]))
    for one in parts.differences.values():
        facts = [("title", one.title), ("kind", one.kind)]
        facts += [(f"says {document}", text) for document, text in one.says.items()]
        facts += [("rules", ", ".join(one.rules)), ("carried out by", "; ".join(one.carried)), ("idle", one.idle)]
        yield Entry(one.id, "difference", one.span, (), tuple(f for f in facts if f[1]))


def sections(at: Mapping[str, str]) -> str:
    """Where the documents say it: "en 2.1, fr 2"."""
    return ", ".join(f"{document} {section}" for document, section in at.items())


# ----------------------------------------------------------------- source text


def source_text(span: Span, sources: Mapping[str, str]) -> list[str]:
    """The lines of a declaration: those of its span, the comment above it, the whole of a section it heads."""
    lines = sources.get(span.file, "").split("\n")
    first, last = span.line - 1, span.end_line
    if not 0 <= first < len(lines):
        return []
    if span.file.endswith(".warlock"):
        while first > 0 and lines[first - 1].startswith("#") and "----" not in lines[first - 1]:
            first -= 1
    elif lines[first].startswith("[") or _in_edit(lines, first):
        while not lines[first].startswith("["):
            first -= 1
        while last < len(lines) and not lines[last].startswith("["):
            last += 1
    else:
        depth = _open_brackets(lines[first])
        while depth > 0 and last < len(lines):
            depth += _open_brackets(lines[last])
            last += 1
    found = lines[first:last]
    while found and (not found[-1].strip() or (found[-1].startswith("#") and len(found) > 1)):
        found.pop()
    return found


def _in_edit(lines: list[str], number: int) -> bool:
    """Whether a line belongs to one change of an overlay: a table of its own, told as a whole."""
    heads = [line for line in lines[: number + 1] if line.startswith("[")]
    return bool(heads) and heads[-1].startswith("[[") and not lines[number].startswith((" ", "\t"))


def _open_brackets(line: str) -> int:
    """How many brackets a line leaves open; those in texts do not count."""
    depth, quote = 0, ""
    for char in line:
        if quote:
            quote = "" if char == quote else quote
        elif char in "\"'":
            quote = char
        elif char == "#":
            break
        else:
            depth += (char in "[{") - (char in "]}")
    return depth
