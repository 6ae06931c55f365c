"""`python -m warlock_studio [FOLDER] [RULESET]`: the command, without the others."""

from __future__ import annotations

import argparse
import sys

from warlock_studio.command import add_arguments, run
from workbench.support.errors import UsageError

if __name__ == "__main__":
    parser = argparse.ArgumentParser("warlock studio")
    parser.set_defaults(rules=[], more_rules=[])
    add_arguments(parser)
    try:
        sys.exit(run(parser.parse_args()))
    except UsageError as error:
        sys.exit(f"warlock: {error.message}")
