"""Tables in Markdown, and their place in a page."""

from __future__ import annotations

from collections.abc import Sequence

from benchmarks.lane import Absent
from benchmarks.measure import Found, Rate, Rounds, decisions_per_s, games_per_s, length, ratio, victories

NOTHING = "-"
BEGIN, END = "<!-- printed by benchmarks/run: {} -->", "<!-- end of {} -->"


def markdown(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A table; the first column reads from the left, the others are figures."""
    lines = [head, ["---", *["---:"] * (len(head) - 1)], *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines) + "\n"


def short(value: float) -> str:
    """Three figures that mean something: 1,230,000, 453, 7.62."""
    if value <= 0:
        return "0"
    digits = 0
    while value * 10**digits < 100 and digits < 3:
        digits += 1
    if digits:
        return f"{value:.{digits}f}"
    size = 1
    while value / size >= 1000:
        size *= 10
    return f"{round(value / size) * size:,}"


def span(found: Rate) -> str:
    return f"{short(found.middle)} ({short(found.minimum)} to {short(found.maximum)})"


def peers(found: Found, titles: Sequence[str], games: Sequence[str], base: str) -> str:
    """Decisions a second of every lane, and beside the base; the fastest first, the absent last, with the reason."""
    head = [""]
    for game in games:
        head += [f"{game}: decisions/s", "times the base"]
    rows = []
    for title in titles:
        cells, order = [title], 0.0
        for game in games:
            rounds, model = found[title, game], found[base, game]
            if isinstance(rounds, Absent):
                cells += [rounds.why if rounds.why == "no such game" else f"absent ({rounds.why})", NOTHING]
                continue
            order = order or decisions_per_s(rounds).middle
            beside = NOTHING if isinstance(model, Absent) else short(ratio(rounds, model))
            cells += [span(decisions_per_s(rounds)), beside]
        rows.append((order, cells))
    return markdown(head, [cells for _, cells in sorted(rows, key=lambda row: -row[0])])


def same_game(found: Found, titles: Sequence[str], games: Sequence[str], odd: Sequence[tuple[str, str]]) -> str:
    """What shows that all play the same game: its length, and who wins."""
    head = [""]
    for game in games:
        head += [f"{game}: games played", "decisions a game", "first wins", "second wins"]
    rows = []
    for title in titles:
        cells = [title]
        for game in games:
            rounds = found[title, game]
            cells += [NOTHING] * 4 if isinstance(rounds, Absent) else _evidence(rounds, (title, game) in odd)
        rows.append(cells)
    return markdown(head, rows)


def _evidence(rounds: Rounds, odd: bool) -> list[str]:
    games = f"{sum(s.games for s in rounds):,}"
    won = victories(rounds)
    if won is None:
        return [games, "not told", "not told", "not told"]
    mark = " **(another game?)**" if odd else ""
    return [games, f"{length(rounds):.2f}", *(f"{100 * share:.1f} %{mark}" for share in won)]


def growth(heading: str, rows: Sequence[tuple[str, Rounds | Absent]]) -> str:
    """How cost grows: each row beside the first."""
    head = [heading, "decisions a game", "games/s", "decisions/s", "µs a decision", "a game, times the first"]
    first = next((1e6 / games_per_s(r).middle for _, r in rows if not isinstance(r, Absent)), 1.0)
    lines = []
    for name, rounds in rows:
        if isinstance(rounds, Absent):
            lines.append([name, f"absent ({rounds.why})", *[NOTHING] * 4])
            continue
        games, decisions = games_per_s(rounds), decisions_per_s(rounds)
        cost = [short(1e6 / decisions.middle), short(1e6 / games.middle / first)]
        lines.append([name, f"{length(rounds):.1f}", span(games), short(decisions.middle), *cost])
    return markdown(head, lines)


def placed(page: str, name: str, text: str) -> str:
    """The page with the text between the marks of that name; a page without them is a mistake."""
    begin, end = BEGIN.format(name), END.format(name)
    before, found, rest = page.partition(begin)
    _, closed, after = rest.partition(end)
    if not found or not closed:
        raise ValueError(f"the page has no place for '{name}': {begin} ... {end}")
    return f"{before}{begin}\n\n{text.strip()}\n\n{end}{after}"
