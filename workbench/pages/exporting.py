"""The audit of a run as a file holds it: every event, a page, or spans."""

from __future__ import annotations

import enum
from pathlib import Path

from workbench.engine.audit.chain import json_lines
from workbench.engine.audit.deeds import plan_at_end
from workbench.engine.audit.otlp import otlp_text
from workbench.engine.journal.events import RunEvent, RunId
from workbench.engine.journal.journal import Journal
from workbench.engine.language.program.linked import linked_from
from workbench.engine.starting import snapshot_of
from workbench.engine.state.fold import fold
from workbench.errors import StoreFailed
from workbench.model.snapshot import Snapshot
from workbench.pages.run_page import run_page


class AuditForm(enum.Enum):
    """How an audit is written."""

    JSON_LINES = "jsonl"
    PAGE = "html"
    OTLP = "otlp"


def form_of(path: Path) -> AuditForm:
    """The form that the ending of *path* asks for; JSON lines unless it is that of a page, or of spans."""
    if path.name.lower().endswith((".otlp.json", ".otlp")):
        return AuditForm.OTLP
    return AuditForm.PAGE if path.suffix.lower() in (".html", ".htm") else AuditForm.JSON_LINES


def audit_bytes(journal: Journal, run: RunId, form: AuditForm, *, contents: bool = False) -> bytes:
    """The audit of *run* as it stands in a file. Raises StoreFailed as ``audit_text`` does."""
    return audit_text(journal, run, form, contents=contents).encode("utf-8", "backslashreplace")


def audit_text(journal: Journal, run: RunId, form: AuditForm, *, contents: bool = False) -> str:
    """The audit of *run*. Raises StoreFailed where it is unknown, or is not as it was written.

    *contents*: whether spans hold what was said, given and came back; the other forms always do.
    """
    events = journal.check(run)
    if form is AuditForm.OTLP:
        return otlp_text(events, contents=contents)
    if form is AuditForm.JSON_LINES:
        return "".join(f"{line}\n" for line in json_lines(events))
    return run_page(events, plan_at_end(events, journal), _texts_of(events, journal))


def _texts_of(events: tuple[RunEvent, ...], journal: Journal) -> dict[str, Snapshot]:
    """The text that the run of *events* carried out, and those that its steps link to, by what stands before their
    addresses; empty where one is lost.
    """
    state = fold(events)
    try:
        linked = linked_from(state.origin.linked, journal)
        return {"": snapshot_of(state, journal), **{f"{path}/": each for path, each in linked.items()}}
    except StoreFailed:
        return {}
