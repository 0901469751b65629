"""What help shows: the topic of that which has the keys, or of what is chosen in it, and the dialogs of the Help menu.

The dialogs tell the keys, what this program is, and what a report about it needs.
"""

from __future__ import annotations

import platform
from collections.abc import Iterator

import PySide6
from PySide6.QtCore import Qt, Slot, qVersion
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QDockWidget,
    QHBoxLayout,
    QPlainTextEdit,
    QPushButton,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from workbench import __version__
from workbench.gui.canvas.canvas_panel import CanvasPanel
from workbench.gui.control.action_spec import ShortcutScope
from workbench.gui.control.action_table import ACTIONS
from workbench.gui.control.actions import native
from workbench.gui.control.context import WindowContext
from workbench.gui.control.explaining.help_controller import Explained
from workbench.gui.help.help_panel import HelpPanel
from workbench.gui.look.icons import Picture, icon
from workbench.gui.look.label import Label
from workbench.gui.look.layouts import in_column, in_row, resize_on_screen
from workbench.gui.look.theming import Ink, current_theme
from workbench.gui.shell.find_bar import FindBar
from workbench.gui.shell.menus import plain_name
from workbench.gui.source.source_panel import SourcePanel
from workbench.help.context import topic_at, topic_of_step
from workbench.help.pages import CONTENTS
from workbench.help.topics import Topic, topic_of
from workbench.i18n import N_, _, language

DIALOGS = {
    "AboutDialog": "whats-new",
    "AnswerDialog": "change-values",
    "ArgumentsDialog": "parameters",
    "BreakpointDialog": "breakpoints",
    "BreakpointsDialog": "breakpoints",
    "ComparisonDialog": "compare-runs",
    "ContextDialog": "model-context",
    "EntryDialog": "shelf",
    "ExportDialog": "export-flowchart",
    "ExportProgress": "export-flowchart",
    "ForkDialog": "fork",
    "GoalDialog": "goal-form",
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
    "ReuseDialog": "shelf",
    "RevisionDialog": "versions",
    "SavedTestsDialog": "saved-tests",
    "SearchProgress": "quick-fix",
    "ShelfExportDialog": "shelf-exchange",
    "ShelfImportDialog": "shelf-exchange",
    "ShortcutsDialog": "keys",
    "StateDialog": "local-history",
    "TemplateDialog": "first-playbook",
    "TrustDialog": "trust",
    "VersionDialog": "versions",
}
"""The topic of each dialog, by the name of its class: dialogs need not know that there is a guide."""
_WHERE = {
    ShortcutScope.WINDOW: N_("everywhere"),
    ShortcutScope.STEPS: N_("in the flowchart"),
    ShortcutScope.SOURCE: N_("in the source"),
    ShortcutScope.DOCUMENT: N_("in the flowchart and the source"),
}


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


class ShortcutsDialog(QDialog):
    """Every action that has keys, and a way to change them."""

    def __init__(self, context: WindowContext, parent: QWidget) -> None:
        super().__init__(parent)
        self._actions = context.actions
        self.setWindowTitle(_("Keyboard shortcuts"))
        self.table = QTreeWidget(self)
        self.table.setHeaderLabels([_("Action"), _("Shortcut"), _("Where")])
        self.table.setRootIsDecorated(False)
        self._change = QPushButton(_("Change keys…"), self, autoDefault=False)
        self._change.clicked.connect(self._on_change)
        _add_close(self, QVBoxLayout(self), self.table, self._change)
        resize_on_screen(self, 620, 520)
        context.actions.keys_changed.connect(self.fill)
        self.fill()

    @Slot()
    def fill(self) -> None:
        """Show the keys as they are."""
        self.table.clear()
        for spec in ACTIONS:
            if keys := self._actions.keys(spec.id):
                told = ", ".join(native(each) for each in keys)
                QTreeWidgetItem(self.table, [plain_name(spec), told, str(_WHERE[spec.scope])])
        for column in range(3):
            self.table.resizeColumnToContents(column)

    @Slot()
    def _on_change(self) -> None:
        self.close()
        self._actions.trigger("edit.keys")


class AboutDialog(QDialog):
    """Name, version, one sentence, licence."""

    def __init__(self, _context: WindowContext, parent: QWidget) -> None:
        super().__init__(parent)
        self.setWindowTitle(_("About Playbook Workbench"))
        picture = Picture(icon("workbench", Ink.ACCENT), self, 64)
        title = Label(_("Playbook Workbench {version}").format(version=__version__), self, role="title")
        words = Label(
            _(
                "Write, see, run, check and grow agent playbooks. The text and its flowchart are the same thing.\n\n"
                "Works offline, without an account. MIT licence."
            ),
            self,
            wraps=True,
        )
        words.setMinimumWidth(current_theme().px(360))
        row = QHBoxLayout()
        row.addWidget(picture, 0, Qt.AlignmentFlag.AlignTop)
        column = in_column(None, title, words)
        row.addLayout(column, 1)
        whole = QVBoxLayout(self)
        whole.addLayout(row)
        _add_close(self, whole)


class HelpDialog(QDialog):
    """The guide in a window of its own, for as long as a dialog keeps the pane out of reach."""

    def __init__(self, context: WindowContext, parent: QWidget) -> None:
        super().__init__(parent)
        self.setWindowTitle(_("Guide"))
        self.panel = HelpPanel(context, self)
        self.panel.left.connect(self.reject)
        in_column(self, (self.panel, 1), margins=0)
        resize_on_screen(self, 560, 600)


class ProblemReportDialog(QDialog):
    """What somebody who looks into a problem has to know, to be copied. Nothing is sent."""

    def __init__(self, context: WindowContext, parent: QWidget) -> None:
        super().__init__(parent)
        self.setWindowTitle(_("Report a problem"))
        words = Label(
            _(
                "Write down what you did, what happened, and what you expected. Add the lines below. Nothing is sent "
                "from here: you decide who gets them."
            ),
            self,
            wraps=True,
        )
        self.facts = QPlainTextEdit(report_text(context), self, readOnly=True)
        self.facts.setAccessibleName(_("Versions and folders"))
        self.copy_button = QPushButton(_("&Copy"), self)
        self.copy_button.clicked.connect(self._on_copy_clicked)
        self.told = Label("", self, role="secondary")
        row = in_row(None, self.copy_button, self.told, 1)
        column = in_column(self, words, (self.facts, 1), row)
        _add_close(self, column)
        resize_on_screen(self, 560, 380)

    @Slot()
    def _on_copy_clicked(self) -> None:
        QGuiApplication.clipboard().setText(self.facts.toPlainText())
        self.told.setText(_("Copied."))


def report_text(context: WindowContext) -> str:
    """The versions of all that takes part, how the window looks, and where files are; nothing of any playbook."""
    settings, places, screen = context.settings.current, context.places, QGuiApplication.primaryScreen()
    return "\n".join(
        (
            f"Playbook Workbench {__version__}",
            f"Python {platform.python_version()}, PySide6 {PySide6.__version__}, Qt {qVersion()}",
            f"{platform.platform()}, {QGuiApplication.platformName()}",
            f"language {language()} ({settings.language}), theme {settings.theme}, text {settings.text_scale}",
            f"screen {screen.size().width()} x {screen.size().height()}, ratio {screen.devicePixelRatio()}",
            f"settings: {places.config_dir}",
            f"runs and patterns: {places.data_dir}",
            f"logs and crash reports: {places.log_dir}",
        )
    )


def _add_close(dialog: QDialog, column: QVBoxLayout, *widgets: QWidget) -> None:
    """*widgets* and a button that closes *dialog*."""
    for widget in widgets:
        column.addWidget(widget, 1)
    buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close, dialog)
    buttons.rejected.connect(dialog.reject)
    column.addWidget(buttons)
