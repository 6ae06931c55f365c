"""Worker pools on other machines: the workers of a running Dask scheduler, if Dask is installed."""

from __future__ import annotations

import platform
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from typing import Any

from workbench import __version__
from workbench.support.errors import UsageError
from workbench.support.workers import WorkerPool

PATIENCE = 10  # seconds until a scheduler must have answered


def about_here() -> tuple[str, str]:
    """What must be the same on every machine of a run: this package, and the version of Python by its first two."""
    return __version__, ".".join(platform.python_version_tuple()[:2])


@contextmanager
def cluster(address: str) -> Iterator[WorkerPool]:
    """A pool of the workers of a scheduler. A worker that goes away takes nothing with it: its tasks go to another."""
    try:
        distributed: Any = import_module("distributed")
    except ModuleNotFoundError:
        raise UsageError("--cluster needs Dask: pip install 'warlock-rules[cluster]'") from None
    try:
        client = distributed.Client(address, timeout=PATIENCE, set_as_default=False)
    except (OSError, ValueError, TypeError) as error:
        raise UsageError(f"no scheduler answers at {address}: {str(error)[:200] or type(error).__name__}") from None
    with client:
        workers = _agreed(client, address)
        executor = client.get_executor(pure=False)
        try:
            yield WorkerPool(executor, workers)
        finally:
            executor.shutdown(wait=False)


def _agreed(client: Any, address: str) -> int:
    """How many tasks the workers take at once; UsageError if there are none, or if one of them has another version."""
    threads = client.nthreads()
    if not threads:
        raise UsageError(f"the scheduler at {address} has no workers")
    try:
        found = client.run(about_here)
    except Exception as error:  # whatever a worker without this package says
        raise UsageError(f"the workers of {address} cannot play: {type(error).__name__}: {str(error)[:200]}") from None
    for worker, about in sorted(found.items()):
        if tuple(about) != about_here():
            here, there = ("warlock {} on Python {}".format(*one) for one in (about_here(), about))
            raise UsageError(f"the worker {worker} has {there}, this machine {here}: they might play other games")
    return int(sum(threads.values()))
