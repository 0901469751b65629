"""What a run that is killed has written so far."""

from __future__ import annotations

from pathlib import Path

from workbench.engine.journal.events import RunEvent
from workbench.engine.journal.journal import Journal


def events_in(store: Path) -> tuple[RunEvent, ...]:
    """All events of the newest run in the folder *store*; none before the first is written."""
    file = store / "runs.sqlite"
    if not file.exists():
        return ()
    journal = Journal(file)
    try:
        runs = journal.runs()
        return journal.read(runs[0].id) if runs else ()
    finally:
        journal.close()
