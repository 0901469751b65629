"""The report of a run in a journal."""

from __future__ import annotations

from workbench.engine.audit.report import has_report, report_of
from workbench.engine.audit.report_markdown import as_markdown
from workbench.engine.journal.events import RunId
from workbench.engine.journal.journal import Journal
from workbench.engine.starting import snapshot_of
from workbench.engine.state.fold import fold
from workbench.errors import CannotRead
from workbench.i18n import _


def report_text(journal: Journal, run: RunId) -> str:
    """The report of *run* as markdown. Raises CannotRead where it did not carry out a procedure."""
    events = journal.read(run)
    if not has_report(events):
        message = _("Run {run} has no report: it did not carry out a procedure. Leave --report out for its audit.")
        raise CannotRead(message.format(run=run))
    return as_markdown(report_of(events, snapshot_of(fold(events), journal).program))
