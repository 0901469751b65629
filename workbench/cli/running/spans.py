"""The spans of a run that the terminal follows, sent to the collector of the settings."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from workbench.cli.terminal import complain
from workbench.disk.places import places
from workbench.engine.journal.events import RunEvent
from workbench.engine.journal.journal import Journal
from workbench.settings import load_settings

ShowEvent = Callable[[RunEvent], None]


@contextmanager
def telling_spans(journal: Journal, show_event: ShowEvent) -> Iterator[ShowEvent]:
    """*show_event*, which also hands the events on to a collector, where the settings name one."""
    endpoint = load_settings(places()).otlp_endpoint
    if not endpoint:
        yield show_event
        return
    from workbench.engine.audit.otlp_live import SpanExporter  # noqa: PLC0415 - seldom wanted

    exporter = SpanExporter(endpoint, complain)
    is_first = True

    def tell(event: RunEvent) -> None:
        nonlocal is_first
        if is_first and event.seq:  # it goes on with what another process has begun
            earlier = (each for each in journal.read(event.run) if each.seq < event.seq)
            exporter.take(earlier, is_earlier=True)
        is_first = False
        exporter.take((event,))
        show_event(event)

    try:
        yield tell
    finally:
        exporter.close()
