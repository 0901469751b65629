"""What the ledger of a Python child says about a call that a dead process left open."""

from __future__ import annotations

import json
import os
import signal
import sys
import threading
import time
from pathlib import Path
from typing import Any

from workbench.engine.decider import Recollection
from workbench.engine.journal.lease import started_of
from workbench.engine.journal.run_events import ToolResult
from workbench.engine.ports import Broke, NeverBegun, Unknown

if sys.platform != "win32":  # there is no fcntl on Windows
    import fcntl

_POLL_S = 0.05


def recollect(ledger: Path, key: str) -> Recollection:
    """What became of the call *key*. Asks for a ledger that no process writes any more: see ``settle``."""
    last: dict[str, Any] = {}
    for entry in _entries(ledger):
        if entry.get("key") == key:
            last = entry
    match last.get("state"):
        case None:
            return NeverBegun()
        case "done":
            return ToolResult(last["value"], recovered=True)
        case "failed":
            return Broke(last["message"])
        case _:
            return Unknown()


def _entries(ledger: Path) -> list[dict[str, Any]]:
    """The entries of *ledger*; one that was cut off is left out."""
    try:
        lines = ledger.read_bytes().split(b"\n")
    except FileNotFoundError:
        return []
    entries = []
    for line in lines:
        try:
            entries.append(json.loads(line))
        except ValueError:
            continue
    return entries


def settle(ledger: Path, patience_s: float, is_given_up: threading.Event) -> None:
    """Wait until no child writes *ledger* any more; one that takes longer than *patience_s* is killed.

    A child outlives a killed run only until the call at hand has ended.
    """
    deadline = time.monotonic() + patience_s
    while ledger.exists() and not is_given_up.is_set() and not _is_free(ledger):
        if time.monotonic() > deadline:
            _kill_writer(ledger)
        is_given_up.wait(_POLL_S)


def _is_free(ledger: Path) -> bool:
    if sys.platform == "win32":
        return True
    with ledger.open("rb") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            return False
        return True


def _kill_writer(ledger: Path) -> None:
    writers = [entry for entry in _entries(ledger) if "pid" in entry]
    if sys.platform == "win32" or not writers:
        return
    pid, started = writers[-1]["pid"], writers[-1]["started"]
    if started and started_of(pid) == started:
        os.killpg(pid, signal.SIGKILL)
