"""The store that the commands about runs use, and what a finished run adds to the library."""

from __future__ import annotations

import argparse
from pathlib import Path

from workbench.disk.files import is_there
from workbench.disk.places import places
from workbench.engine.journal.journal import Journal
from workbench.engine.journal.signing import own_key
from workbench.engine.language.procedures.start import who
from workbench.engine.running.run import Run
from workbench.i18n import _
from workbench.library.store import PatternStore, back_up_when_due
from workbench.planning.lessons import learn

_JOURNAL = "runs.sqlite"
_PATTERNS = "patterns.sqlite"
_SHELF = "shelf.sqlite"


def add_store(parser: argparse.ArgumentParser) -> None:
    """Let *parser* take the folder of the store."""
    parser.add_argument("--store", type=Path, metavar="DIR", help=_("run store (default: yours)"))


def journal_in(store: Path | None) -> Journal:
    """The journal in the folder *store*, or the person's own. Raises StoreFailed."""
    return Journal(places().runs_file if store is None else store / _JOURNAL, own_key())


def patterns_file_in(store: Path | None) -> Path:
    """The file of the library in the folder *store*, or the person's own."""
    return places().patterns_file if store is None else store / _PATTERNS


def shelf_file_in(store: Path | None) -> Path:
    """The file of the shelf in the folder *store*, or the person's own."""
    return places().shelf_file if store is None else store / _SHELF


def learn_from(run: Run, journal: Journal, store: Path | None) -> None:
    """Record the pattern of a run that has ended well or badly, and rate the kept playbook that it carried out."""
    patterns, events = PatternStore(patterns_file_in(store)), journal.read(run.id)
    try:
        if learn(patterns, events, run.state, run.snapshot.program) is not None:
            back_up_when_due(patterns)
    finally:
        patterns.close()
    shelf = shelf_file_in(store)
    if is_there(shelf):
        from workbench.planning.shelf.keeping import rate  # noqa: PLC0415 - few people have a shelf

        rate(shelf, who(), run.state, run.snapshot.text, events)
