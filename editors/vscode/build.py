"""Packages the extension: `python editors/vscode/build.py`. Needs Node.js with npm, and network for its packages.

The grammars are made anew, the packages installed, the client checked and bundled, and `warlock-rules-VERSION.vsix`
is written beside this file. `code --install-extension` takes it.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
STEPS = (("install", "--no-audit", "--no-fund"), ("run", "package"))


def main() -> int:
    npm = shutil.which("npm")
    if npm is None:
        print("npm is not installed: it comes with Node.js", file=sys.stderr)
        return 2
    done = subprocess.run([sys.executable, str(HERE / "make_grammars.py")], check=False).returncode
    for step in STEPS:
        done = done or subprocess.run([npm, *step], cwd=HERE, check=False).returncode
    for file in sorted(HERE.glob("*.vsix")) if not done else ():
        print(file)
    return done


if __name__ == "__main__":
    sys.exit(main())
