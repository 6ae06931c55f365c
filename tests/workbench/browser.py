"""A real browser for pages: Chromium, without a window. What it measures comes back as data, what it draws as a PNG."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import zlib
from html import unescape
from pathlib import Path
from typing import Any

NAMES = ("chromium", "chromium-browser", "google-chrome")
FLAGS = [
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync", "--hide-scrollbars",
    "--enable-logging=stderr",
]  # fmt: skip
DARK = "--blink-settings=preferredColorScheme=0"

PROBE = """
<script>
window.addEventListener("load", () => {
  const box = (e) => { const r = e.getBoundingClientRect(); return [r.left, r.top, r.width, r.height]; };
  for (const one of document.querySelectorAll("details")) one.open = true;
  const plots = [...document.querySelectorAll("svg.plot")].map((svg) => ({
    box: box(svg),
    title: svg.getAttribute("aria-label"),
    outside: [...svg.querySelectorAll("text, circle, rect")].filter((e) => {
      const r = e.getBoundingClientRect(), s = svg.getBoundingClientRect();
      return r.left < s.left - 1 || r.right > s.right + 1 || r.top < s.top - 1 || r.bottom > s.bottom + 1;
    }).map((e) => e.textContent || e.tagName),
    marks: svg.querySelectorAll("circle, rect").length,
  }));
  const frames = ".card, .seat, .old, .new, .scroll";
  const parts = "h1, h2, h3, p, li, table, pre, summary, .badge, .chip";
  const sticks_out = [...document.querySelectorAll(parts)].filter((e) => {
    const frame = (e.parentElement.closest(frames) || document.body), r = e.getBoundingClientRect();
    if (getComputedStyle(frame).overflowX === "auto") return false;
    const f = frame.getBoundingClientRect();
    return r.left < f.left - 1 || r.right > f.right + 1;
  }).map((e) => e.tagName + ": " + e.textContent.trim().slice(0, 60));
  const found = {
    title: document.title,
    text: document.body.innerText,
    headings: [...document.querySelectorAll("h1, h2, h3")].map((e) => [e.innerText, ...box(e)]),
    plots: plots,
    rows: document.querySelectorAll("tr").length,
    chips: [...document.querySelectorAll(".chip")].map(box),
    sticks_out: sticks_out,
    wide: document.documentElement.scrollWidth - document.documentElement.clientWidth,
    width: document.documentElement.clientWidth,
    loaded: performance.getEntriesByType("resource").map((e) => e.name),
    ground: getComputedStyle(document.body).backgroundColor,
    ink: getComputedStyle(document.body).color,
  };
  const out = document.createElement("pre");
  out.id = "probe";
  out.textContent = JSON.stringify(found);
  document.body.appendChild(out);
});
</script>
"""


def command(folder: Path, width: int, height: int, dark: bool) -> list[str]:
    found = [path for path in map(shutil.which, NAMES) if path is not None]
    assert found, "these tests need Chromium (Debian: apt-get install chromium)"
    flags = [*FLAGS, f"--user-data-dir={folder / 'profile'}", f"--window-size={width},{height}"]
    return [found[0], *flags, *([DARK] if dark else [])]


def looked_at(page: Path, folder: Path, width: int = 1200, dark: bool = False) -> dict[str, Any]:
    """What a browser makes of a page: its text, headings and plots, their places, what it loads from elsewhere, and
    what it complains about."""
    probed = folder / "probed.html"
    probed.write_text(page.read_text(encoding="utf-8").replace("</body>", PROBE + "</body>"), encoding="utf-8")
    dump = [*command(folder, width, 900, dark), "--virtual-time-budget=4000", "--dump-dom", probed.as_uri()]
    done = subprocess.run(dump, capture_output=True, timeout=180, check=True)
    [found] = re.findall(r'<pre id="probe">(.*?)</pre>', done.stdout.decode(), re.DOTALL)
    data: dict[str, Any] = json.loads(unescape(found))
    data["complaints"] = [line for line in done.stderr.decode().splitlines() if "CONSOLE" in line]
    return data


def picture(page: Path, folder: Path, width: int = 800, height: int = 600, dark: bool = False) -> bytes:
    """The page as a browser draws it: a PNG."""
    shot = folder / "shot.png"
    draw = [*command(folder, width, height, dark), f"--screenshot={shot}", page.as_uri()]
    subprocess.run(draw, capture_output=True, timeout=180, check=True)
    return shot.read_bytes()


def colours(png: bytes) -> set[bytes]:
    """The colours of every fourth line of a picture without transparency, as the browser writes it."""
    assert png[:8] == b"\x89PNG\r\n\x1a\n"
    at, width, kind, packed = 8, 0, 0, b""
    while at < len(png):
        size, name = int.from_bytes(png[at : at + 4], "big"), png[at + 4 : at + 8]
        content = png[at + 8 : at + 8 + size]
        if name == b"IHDR":
            width, kind = int.from_bytes(content[:4], "big"), content[9]
        elif name == b"IDAT":
            packed += content
        at += 12 + size
    deep = {2: 3, 6: 4}[kind]
    raw, stride = zlib.decompress(packed), width * deep + 1
    lines = unfiltered([raw[start : start + stride] for start in range(0, len(raw), stride)], deep)
    return {line[i : i + 3] for line in lines[::4] for i in range(0, len(line), deep)}


def unfiltered(lines: list[bytes], deep: int) -> list[bytes]:
    """Lines of a PNG with the filters of its standard taken off."""
    found: list[bytes] = []
    before = bytes(len(lines[0]) - 1)
    for line in lines:
        now = bytearray(line[1:])
        for i in range(len(now)):
            left, up = now[i - deep] if i >= deep else 0, before[i]
            corner = before[i - deep] if i >= deep else 0
            nearest = min((left, up, corner), key=lambda v: abs(left + up - corner - v))
            now[i] = (now[i] + (0, left, up, (left + up) // 2, nearest)[line[0]]) & 255
        before = bytes(now)
        found.append(before)
    return found
