"""What has worked before for the task of a run, in lines; loaded when the first run starts."""

from __future__ import annotations

from workbench.disk.places import Places
from workbench.disk.sqlite_file import WINDOW_WAIT_S
from workbench.engine.running.run import Run
from workbench.errors import StoreFailed
from workbench.i18n import _
from workbench.library.entries import PatternEntry, sequence_text, worked
from workbench.library.relevance.relevance import advice
from workbench.library.store import PatternStore
from workbench.library.task_types import FILE_NAME, load_words
from workbench.planning.lessons import description_of, identity_of


def advice_lines(run: Run, places: Places) -> tuple[str, ...]:
    """Advice for *run*, the best first. Raises CannotRead where the person's table of words is damaged.

    A library that cannot be read gives no advice; the pattern pane says why.
    """
    store = PatternStore(places.patterns_file, WINDOW_WAIT_S)
    try:
        task = description_of(run.state, run.snapshot.program)
        table = load_words(places.config_dir / FILE_NAME)
        entries = advice(store, identity_of(run.state), task, table=table)
    except StoreFailed:
        return ()
    finally:
        store.close()
    return tuple(advice_line(entry) for entry in entries)


def advice_line(entry: PatternEntry) -> str:
    """*Worked 5 of 6 times: find_order → delivery_day (Tells a customer …)*."""
    tried = worked(entry.success_count, entry.attempts)
    return _("{tried}: {tools}  ({title})").format(
        tried=f"{tried[:1].upper()}{tried[1:]}", tools=sequence_text(entry.tool_sequence), title=entry.title
    )
