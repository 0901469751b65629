"""The ledger of a Python child: what it says about calls that a dead process left open, and who writes it.

It is held by the run and by the child that the run starts. So whoever finds it free knows that nothing is going on any
more that could still write to it, and whoever holds it has no other process to wait for.
"""

from __future__ import annotations

import json
import os
import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from workbench.disk.atomic import remove_file
from workbench.disk.files import open_to_read, why
from workbench.disk.lock import HeldFile
from workbench.engine.backends.python_reply import Failed, Returned, reply_of
from workbench.engine.decider import Recollection
from workbench.engine.journal.instead import NOWHERE, Noted
from workbench.engine.journal.lease import started_of, this_machine
from workbench.engine.journal.run_events import ToolResult
from workbench.engine.ports import Broke, NeverBegun, Unknown
from workbench.errors import Cancelled, StoreFailed
from workbench.i18n import _

_POLL_S = 0.05
_MERCY_S = 3.0
_LINE = 1000


class CallLedger:
    """The ledger at *path*, which comes to be with the first call.

    Its first line gives it a name. The journal says of each call in which ledger, by that name, and on which machine
    its beginning is noted: only there the lack of an entry means that the call never began. *patience_s*: how long a
    child of a run that is gone may take for the call at hand before it is ended.
    """

    def __init__(self, path: Path, patience_s: float) -> None:
        self.path = path
        self.machine = this_machine()
        self._patience_s = patience_s
        self._held: HeldFile | None = None
        self._name = ""
        self._is_given_up = threading.Event()

    def noted(self) -> Noted:
        """Where the beginning of a call that is made from now on is noted. Raises StoreFailed, and Cancelled."""
        self.hold()
        return Noted(self.machine, self._name)

    def hold(self) -> int | None:
        """Keep all others from writing, once nobody does; the descriptor for the child, None where that gets none.

        Raises StoreFailed where the file cannot be used, and Cancelled after ``give_up``.
        """
        with _in_words(self.path):
            if self._held is None:
                self._held = self._taken()
                self._name = _name_in(self.path) or self._named()
            return self._held.handle if os.name == "posix" else None

    def note_writer(self, pid: int) -> None:
        """Write down that the process *pid*, which has heard nothing yet, makes the calls. Raises StoreFailed."""
        with _in_words(self.path):
            self._append({"pid": pid, "started": started_of(pid), "machine": self.machine})

    def recollect(self, key: str, noted: Noted) -> Recollection:
        """What became of the call *key*, which was to be *noted*. Raises StoreFailed, and Cancelled."""
        here = self.noted()
        last = self._last("key", key)
        if last is None and noted in (here, NOWHERE):  # earlier versions knew of one machine only
            return NeverBegun()
        match reply_of(last):
            case Returned(value):
                return ToolResult(value, recovered=True)
            case Failed(message):
                return Broke(message)
        return Unknown()

    def give_up(self) -> None:
        """Wait no longer for anybody; callable from any thread."""
        self._is_given_up.set()

    def let_go(self) -> None:
        """Leave the file to whoever resumes the run."""
        if self._held is not None:
            self._held.let_go()
        self._held, self._name = None, ""

    def forget(self) -> None:
        """Delete the file: the journal knows all that is in it."""
        self.let_go()
        remove_file(self.path)

    def _taken(self) -> HeldFile:
        """The file, once nobody else writes it; another in its place where somebody does who cannot be ended."""
        patient_until = time.monotonic() + self._patience_s
        while (held := self._tried()) is None:
            late_s = time.monotonic() - patient_until
            if late_s > 2 * _MERCY_S:
                remove_file(self.path)
            elif late_s > 0:
                self._end_writer(late_s)
            self._is_given_up.wait(_POLL_S)
            if self._is_given_up.is_set():
                raise Cancelled
        return held

    def _tried(self) -> HeldFile | None:
        """The file, held by us; None while somebody else may write it. Raises OSError."""
        try:
            held = HeldFile.take(self.path)
        except FileNotFoundError:
            return HeldFile.create(self.path)
        if held is not None and not held.has_lock and self._writer():
            held.let_go()
            return None
        return held

    def _named(self) -> str:
        """The name that the ledger gets."""
        name = os.urandom(8).hex()
        self._append({"ledger": name})
        return name

    def _append(self, entry: dict[str, Any]) -> None:
        """Write *entry* on a line of its own, also behind one that was cut off. Raises OSError."""
        assert self._held is not None
        size = self._held.size
        self._held.cut(size)  # that is where the next byte goes
        self._held.append(b"\n" * (size > 0) + json.dumps(entry).encode("ascii") + b"\n")

    def _writer(self) -> int:
        """The number of the process that wrote last, where it still lives on this machine; 0: there is none."""
        match self._last("machine", self.machine):
            case {"pid": int(pid), "started": str(started)} if started and started_of(pid) == started:
                return pid
        return 0

    def _end_writer(self, late_s: float) -> None:
        """Have the guard of another child end it, and after a while do without the guard."""
        if pid := self._writer():
            os.killpg(pid, signal.SIGTERM if late_s < _MERCY_S else signal.SIGKILL)

    def _last(self, name: str, value: str) -> dict[str, Any] | None:
        """The last entry in which *name* is *value*; what was cut off is passed over."""
        found = None
        with open_to_read(self.path) as file:
            for line in file:
                if value.encode() in line and (entry := _entry(line)) is not None and entry.get(name) == value:
                    found = entry
        return found


@contextmanager
def _in_words(path: Path) -> Iterator[None]:
    """Turns what the system raises inside about the ledger *path* into StoreFailed."""
    try:
        yield
    except OSError as error:
        message = _("The notes about calls in “{path}” cannot be written: {reason}.")
        raise StoreFailed(message.format(path=path, reason=why(error))) from error


def _entry(line: bytes) -> dict[str, Any] | None:
    try:
        entry = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return entry if isinstance(entry, dict) else None


def _name_in(path: Path) -> str:
    """The name of the ledger *path*, empty where it has none. Raises OSError."""
    with open_to_read(path) as file:
        entry = _entry(file.readline(_LINE))
    return str(entry.get("ledger", "")) if entry is not None else ""
