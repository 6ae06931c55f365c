"""Where runs are kept until they are finished: so that the same command, given again, goes on where it was stopped."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from workbench.files import Trouble


def kept_in(command: str, heading: Mapping[str, Any]) -> Path:
    """The notebook of a run that was given none: in the user's cache, named after all that makes it that run."""
    given = os.environ.get("XDG_CACHE_HOME", "")
    try:
        cache = Path(given) if given.startswith("/") else Path.home() / ".cache"
        folder = cache / "warlock" / "runs"
        folder.mkdir(parents=True, exist_ok=True)
    except (OSError, RuntimeError) as fault:
        raise Trouble(f"no place to keep the run in: {fault}; name a file with --notebook") from None
    name = hashlib.sha256(json.dumps(heading, sort_keys=True).encode()).hexdigest()[:16]
    return folder / f"{command}-{name}.jsonl"
