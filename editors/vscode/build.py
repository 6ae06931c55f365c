"""Packages the extension: `python editors/vscode/build.py`. Needs Node.js with npm, and network for its packages; of
Python nothing but itself.

The packages of the lock file are installed, the client is checked and bundled, and `warlock-rules-VERSION.vsix` is
written beside this file. `code --install-extension` takes it. The grammars are those of the checkout: a test fails
while they are not what `make_grammars.py` makes.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
STEPS = (("ci", "--no-audit", "--no-fund"), ("run", "package"))


def main() -> int:
    npm = shutil.which("npm")
    if npm is None:
        print("npm is not installed: it comes with Node.js", file=sys.stderr)
        return 2
    done = 0
    for step in STEPS:
        done = done or subprocess.run([npm, *step], cwd=HERE, check=False).returncode
    for file in sorted(HERE.glob("*.vsix")) if not done else ():
        print(file)
    return done


if __name__ == "__main__":
    sys.exit(main())
