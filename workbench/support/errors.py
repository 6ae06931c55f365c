"""Usage errors: what a person asked for and cannot have, as a sentence and an exit code."""

from __future__ import annotations

NOT_FOUND = 2  # the exit code of what is not there or was asked for in a wrong way


class UsageError(Exception):
    """Something a person asked for that cannot be done, as a sentence; `code` is the exit code it leads to."""

    def __init__(self, message: str, code: int = NOT_FOUND) -> None:
        super().__init__(message)
        self.message = message
        self.code = code
