"""Who carries out a run: one process at a time, known by a row that is renewed while it lives."""

from __future__ import annotations

import contextlib
import hashlib
import logging
import os
import socket
import threading
import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from workbench.errors import StoreFailed

log = logging.getLogger(__name__)

HEARTBEAT_S = 2.0
EXPIRY_S = 10.0
_MACHINE_IDS = ("/etc/machine-id", "/var/lib/dbus/machine-id")


@dataclass(frozen=True, slots=True)
class Owner:
    """A process: *started* tells it from a later one with the same number."""

    pid: int
    started: str
    boot: str
    host: str

    @property
    def is_here(self) -> bool:
        """Whether it is on this machine, since that was started."""
        return (self.host, self.boot) == (socket.gethostname(), _boot())


def this_process() -> Owner:
    """The process that asks."""
    return Owner(os.getpid(), started_of(os.getpid()), _boot(), socket.gethostname())


def this_machine() -> str:
    """A name for this machine that stays the same, and that tells nothing about it."""
    known = socket.gethostname()
    for path in _MACHINE_IDS:
        with contextlib.suppress(OSError):
            known += Path(path).read_text(encoding="utf-8", errors="replace")
            break
    else:
        known += str(uuid.getnode())
    return hashlib.sha256(f"workbench {known}".encode("utf-8", "surrogateescape")).hexdigest()[:16]


def started_of(pid: int) -> str:
    """When the process *pid* began, in ticks since boot; empty where it is gone or cannot be asked."""
    try:
        stat = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""
    fields = stat.rpartition(")")[2].split()
    is_dead = fields[0] in {"Z", "X"}
    return "" if is_dead else fields[19]


def _boot() -> str:
    try:
        return Path("/proc/sys/kernel/random/boot_id").read_text(encoding="ascii").strip()
    except OSError:
        return ""


def is_alive(owner: Owner, heartbeat_ns: int) -> bool:
    """Whether *owner*, last heard of at *heartbeat_ns*, still carries out its run.

    A process of this machine can be looked up, so a run whose process was killed is free at
    once; of another machine only its heartbeat is known.
    """
    here = this_process()
    if (owner.host, owner.boot) == (here.host, here.boot) and owner.started:
        return started_of(owner.pid) == owner.started
    return time.time_ns() - heartbeat_ns < EXPIRY_S * 1e9


class Lease:
    """A held lease: renewed by a thread of its own until it is released."""

    def __init__(self, renew: Callable[[], None], give_up: Callable[[], None]) -> None:
        self._renew = renew
        self._give_up = give_up
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._beat, name="run-lease", daemon=True)
        self._thread.start()

    def _beat(self) -> None:
        while not self._over.wait(HEARTBEAT_S):
            try:
                self._renew()
            except StoreFailed as error:
                # a beat may be missed; a store that is really gone stops the run at its next event
                log.info("Missed a heartbeat: %s", error)

    def release(self) -> None:
        """Let others carry out the run."""
        self._over.set()
        self._thread.join()
        self._give_up()


@contextmanager
def handing_over(lease: Lease) -> Iterator[Lease]:
    """*lease* for the thread of a run that is to begin; given back at once where anything fails before it has."""
    try:
        yield lease
    except BaseException:  # Ctrl+C too: a lease that nobody uses would keep the run from being resumed
        lease.release()
        raise
