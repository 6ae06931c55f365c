"""Plots as inline SVG, coloured by the page's own style so that they follow light and dark."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil, floor, inf, log10

from markupsafe import Markup

WIDTH = 640
LINE = 26  # of a row in a plot of intervals
LETTER = 6.6  # how wide one is at most, on average


def nice_step(span: float, wanted: int = 5) -> float:
    """A round distance between marks: 1, 2 or 5 and noughts."""
    if span <= 0:
        return 1.0
    raw = span / wanted
    scale = 10.0 ** floor(log10(raw))
    return next((scale * round_ for round_ in (1, 2, 5) if scale * round_ >= raw), scale * 10)


def ticks(low: float, high: float, wanted: int = 5) -> list[float]:
    """Round values from below `low` to above `high`."""
    step = nice_step(high - low, wanted)
    first, last = floor(low / step), ceil(high / step)
    return [number * step for number in range(first, last + 1)]


def short(value: float) -> str:
    """A number for an axis or a remark."""
    if abs(value) == inf:
        return "\u221e" if value > 0 else "\u2212\u221e"
    digits = f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.4g}"
    return digits.replace("-", "\u2212")


def _svg(width: int, height: int, title: str, parts: Sequence[Markup]) -> Markup:
    head = Markup('<svg class="plot" viewBox="0 0 {} {}" role="img" aria-label="{}">').format(width, height, title)
    return head + Markup("").join(parts) + Markup("</svg>")


def _text(x: float, y: float, text: str, kind: str) -> Markup:
    return Markup('<text x="{:.1f}" y="{:.1f}" class="{}">{}</text>').format(x, y, kind, text)


def _line(x1: float, y1: float, x2: float, y2: float, kind: str) -> Markup:
    return Markup('<line x1="{:.1f}" y1="{:.1f}" x2="{:.1f}" y2="{:.1f}" class="{}"/>').format(x1, y1, x2, y2, kind)


class _Scale:
    """From values to places between two ends of a picture."""

    def __init__(self, low: float, high: float, first: float, last: float, wanted: int = 5) -> None:
        self.marks = ticks(low, high if high > low else low + 1, wanted)
        self.low, self.high = self.marks[0], self.marks[-1]
        self.first, self.last = first, last

    def __call__(self, value: float) -> float:
        inside = min(max(value, self.low), self.high)
        return self.first + (inside - self.low) / (self.high - self.low) * (self.last - self.first)


def interval_plot(
    rows: Sequence[tuple[str, float, float, float]], title: str, unit: str = "", zero: bool = True
) -> Markup:
    """A line for each row: its label, its value as a dot, and its interval as a stroke. `zero` marks nought."""
    known = [end for _, value, low, high in rows for end in (value, low, high) if abs(end) != inf]
    if not known:
        return Markup("")
    max_length = max(len(label) for label, *_ in rows)
    left, right = min(max(120.0, max_length * LETTER + 20), 320.0), WIDTH - 20.0
    scale = _Scale(min(known + [0.0] * zero), max(known + [0.0] * zero), left, right)
    bottom = LINE * len(rows) + 10
    parts = [_line(scale(mark), 6, scale(mark), bottom, "grid") for mark in scale.marks]
    parts += [_text(scale(mark), bottom + 16, short(mark), "tick") for mark in scale.marks]
    if zero:
        parts.append(_line(scale(0), 2, scale(0), bottom, "zero"))
    for number, (label, value, low, high) in enumerate(rows):
        y = 10 + LINE * number + LINE / 2
        sure = low > 0 or high < 0
        tip = f"{label}: {short(value)} ({short(low)} to {short(high)}) {unit}".rstrip()
        parts.append(Markup('<g class="{}"><title>{}</title>').format("sure" if sure else "unsure", tip))
        parts.append(_text(left - 10, y + 4, label, "label"))
        parts.append(_line(scale(low), y, scale(high), y, "interval"))
        parts.append(Markup('<circle cx="{:.1f}" cy="{:.1f}" r="4.5"/></g>').format(scale(value), y))
    if unit:
        parts.append(_text(right, bottom + 32, unit, "unit"))
    return _svg(WIDTH, bottom + 40, title, parts)


def histogram(values: Sequence[float], title: str, unit: str = "", bins: int = 24) -> Markup:
    """How often values fall where."""
    if not values:
        return Markup("")
    scale = _Scale(min(values), max(values), 0.0, WIDTH, 6)
    step = max((scale.high - scale.low) / bins, 1e-9)
    counts = [0] * bins
    for value in values:
        counts[min(bins - 1, int((value - scale.low) / step))] += 1
    up = _Scale(0, max(counts), 150.0, 10.0, 3)
    left = scale.first = max(44.0, max(len(short(mark)) for mark in up.marks) * LETTER + 14)
    right = scale.last = WIDTH - max(16.0, len(short(scale.high)) * LETTER / 2 + 4)
    parts = [_line(left, up(mark), right, up(mark), "grid") for mark in up.marks]
    parts += [_text(left - 6, up(mark) + 4, short(mark), "label") for mark in up.marks]
    for number, count in enumerate(counts):
        x, width = scale(scale.low + number * step), (scale.last - scale.first) / bins
        if count:
            tip = f"{short(scale.low + number * step)} to {short(scale.low + (number + 1) * step)}: {count}"
            shape = Markup('<rect x="{:.1f}" y="{:.1f}" width="{:.1f}" height="{:.1f}"><title>{}</title></rect>')
            parts.append(shape.format(x + 0.5, up(count), width - 1, 150 - up(count), tip))
    parts += [_text(scale(mark), 168, short(mark), "tick") for mark in scale.marks]
    if unit:
        parts.append(_text(right, 184, unit, "unit"))
    return _svg(WIDTH, 190, title, parts)


Points = Sequence[tuple[float, float, float, float]]


def curves(series: Sequence[tuple[str, Points]], title: str, across: str = "", up: str = "") -> Markup:
    """Lines through points (x, value, low, high) with a ribbon for the interval; one line a series."""
    points = [point for _, line in series for point in line]
    if not points:
        return Markup("")
    ends = [end for _, *three in points for end in three if abs(end) != inf]
    x_scale = _Scale(min(p[0] for p in points), max(p[0] for p in points), 60.0, WIDTH - 20.0, 6)
    y_scale = _Scale(min(ends), max(ends), 230.0, 30.0)
    parts = [_line(60, y_scale(mark), WIDTH - 20, y_scale(mark), "grid") for mark in y_scale.marks]
    parts += [_text(54, y_scale(mark) + 4, short(mark), "label") for mark in y_scale.marks]
    parts += [_text(x_scale(mark), 250, short(mark), "tick") for mark in x_scale.marks]
    for number, (name, line) in enumerate(series):
        kind = f"series{number % 6}"
        upper = [(x_scale(x), y_scale(high)) for x, _, _, high in line]
        lower = [(x_scale(x), y_scale(low)) for x, _, low, _ in reversed(line)]
        parts.append(Markup('<g class="{}">').format(kind))
        parts.append(Markup('<polygon points="{}"/>').format(_points(upper + lower)))
        parts.append(Markup('<polyline points="{}"/>').format(_points([(x_scale(p[0]), y_scale(p[1])) for p in line])))
        for x, value, low, high in line:
            tip = f"{name}, {short(x)}: {short(value)} ({short(low)} to {short(high)})"
            dot = Markup('<circle cx="{:.1f}" cy="{:.1f}" r="4"><title>{}</title></circle>')
            parts.append(dot.format(x_scale(x), y_scale(value), tip))
        parts.append(_text(64 + 130 * (number % 4), 16 + 14 * (number // 4), name, "key") + Markup("</g>"))
    if across:
        parts.append(_text(WIDTH - 20, 266, across, "unit"))
    if up:
        parts.append(_text(4, 22, up, "axis"))
    return _svg(WIDTH, 272, title, parts)


def _points(places: Sequence[tuple[float, float]]) -> str:
    return " ".join(f"{x:.1f},{y:.1f}" for x, y in places)
