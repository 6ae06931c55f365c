"""A real browser for pages: Chromium, without a window. What it measures comes back as data."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from html import unescape
from pathlib import Path
from typing import Any

PROBE = """
<script>
window.addEventListener("load", () => {
  const box = (e) => { const r = e.getBoundingClientRect(); return [r.left, r.top, r.width, r.height]; };
  const plots = [...document.querySelectorAll("svg.plot")].map((svg) => ({
    box: box(svg),
    title: svg.getAttribute("aria-label"),
    outside: [...svg.querySelectorAll("text, circle, rect")].filter((e) => {
      const r = e.getBoundingClientRect(), s = svg.getBoundingClientRect();
      return r.left < s.left - 1 || r.right > s.right + 1 || r.top < s.top - 1 || r.bottom > s.bottom + 1;
    }).map((e) => e.textContent || e.tagName),
    marks: svg.querySelectorAll("circle, rect").length,
  }));
  const found = {
    title: document.title,
    text: document.body.innerText,
    plots: plots,
    wide: document.documentElement.scrollWidth - document.documentElement.clientWidth,
    loaded: performance.getEntriesByType("resource").map((e) => e.name),
    ground: getComputedStyle(document.body).backgroundColor,
  };
  const out = document.createElement("pre");
  out.id = "probe";
  out.textContent = JSON.stringify(found);
  document.body.appendChild(out);
});
</script>
"""


def looked_at(page: Path, folder: Path, width: int = 1200) -> dict[str, Any]:
    """What a browser makes of a page: its text, its plots and their places, what it loads from elsewhere."""
    browser = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    assert browser is not None, "these tests need Chromium (Debian: apt-get install chromium)"
    probed = folder / "probed.html"
    probed.write_text(page.read_text(encoding="utf-8").replace("</body>", PROBE + "</body>"), encoding="utf-8")
    command = [
        browser, "--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={folder / 'profile'}",
        f"--window-size={width},900", "--virtual-time-budget=4000", "--dump-dom", probed.as_uri(),
    ]  # fmt: skip
    done = subprocess.run(command, capture_output=True, timeout=180, check=True)
    [found] = re.findall(r'<pre id="probe">(.*?)</pre>', done.stdout.decode(), re.DOTALL)
    data: dict[str, Any] = json.loads(unescape(found))
    return data


def picture(page: Path, folder: Path) -> bytes:
    """The page as a browser draws it: a PNG."""
    browser = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    assert browser is not None, "these tests need Chromium (Debian: apt-get install chromium)"
    shot = folder / "shot.png"
    command = [
        browser, "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--window-size=800,600",
        f"--user-data-dir={folder / 'profile'}", f"--screenshot={shot}", page.as_uri(),
    ]  # fmt: skip
    subprocess.run(command, capture_output=True, timeout=180, check=True)
    return shot.read_bytes()
