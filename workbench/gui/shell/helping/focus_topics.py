"""What F1 explains: that which has the keys, or what is chosen in it."""

from __future__ import annotations

from collections.abc import Iterator

from PySide6.QtWidgets import QDialog, QDockWidget, QWidget

from workbench.gui.canvas.canvas_panel import CanvasPanel
from workbench.gui.control.context import WindowContext
from workbench.gui.control.explaining.help_controller import Explained
from workbench.gui.shell.find_bar import FindBar
from workbench.gui.source.source_panel import SourcePanel
from workbench.help.context import topic_at, topic_of_step
from workbench.help.pages import CONTENTS
from workbench.help.topics import Topic, topic_of

DIALOGS = {
    "AboutDialog": "whats-new",
    "AnswerDialog": "change-values",
    "ArgumentsDialog": "parameters",
    "BreakpointDialog": "breakpoints",
    "BreakpointsDialog": "breakpoints",
    "ComparisonDialog": "compare-runs",
    "ContextDialog": "model-context",
    "ExportDialog": "export-flowchart",
    "ExportProgress": "export-flowchart",
    "ForkDialog": "fork",
    "HelpDialog": "contents",
    "JudgesDialog": "models",
    "LinksDialog": "find",
    "ModelsDialog": "endpoints",
    "OutcomeDialog": "change-values",
    "PreferencesDialog": "preferences",
    "ProblemReportDialog": "storage",
    "ProcedureDialog": "procedure-run",
    "PromotionDialog": "promote",
    "RenameDialog": "find",
    "ResumeDialog": "resume",
    "RevisionDialog": "versions",
    "SavedTestsDialog": "saved-tests",
    "SearchProgress": "quick-fix",
    "ShortcutsDialog": "keys",
    "StateDialog": "local-history",
    "TemplateDialog": "first-playbook",
    "TrustDialog": "trust",
    "VersionDialog": "versions",
}
"""The topic of each dialog, by the name of its class: dialogs need not know that there is a guide."""


def topic_here(context: WindowContext, focus: QWidget | None) -> Topic | None:
    """The topic of what has the keys."""
    names = (_name_at(context, widget) for widget in _outwards(focus))
    found = next((name for name in names if name), CONTENTS)
    return found if isinstance(found, Topic) else topic_of(found)


def _outwards(widget: QWidget | None) -> Iterator[QWidget]:
    """*widget*, and what is around it."""
    while widget is not None:
        yield widget
        widget = widget.parentWidget()


def _name_at(context: WindowContext, widget: QWidget) -> Topic | str:
    """The topic of *widget*, or its name; empty where what is around it has to say."""
    if isinstance(widget, Explained) and (name := widget.help_topic()):
        return name
    if isinstance(widget, QDialog):
        return DIALOGS.get(type(widget).__name__, CONTENTS)
    if isinstance(widget, QDockWidget):
        return widget.objectName()  # “pane-outline”, as the section is called
    if isinstance(widget, FindBar):
        return "find"
    if isinstance(widget, SourcePanel):
        return topic_at(context.documents.snapshot, context.selection.caret.end)
    return _chosen_step(context) if isinstance(widget, CanvasPanel) else ""


def _chosen_step(context: WindowContext) -> Topic | str:
    """The construct that the first selected step is; else the flowchart."""
    snapshot = context.documents.snapshot
    steps = (snapshot.find(step_id) for step_id in context.selection.selected)
    step = next((each for each in steps if each is not None), None)
    return topic_of_step(snapshot, step) if step is not None else "pane-canvas"
