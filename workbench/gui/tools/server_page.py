"""One server of tools: what it is, how it works, what has changed in it, and what it wrote last."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QPushButton, QWidget

from workbench.gui.control.background import BackgroundWork
from workbench.gui.forms.call_view import CallView
from workbench.gui.look.label import Label, ProblemLabel
from workbench.gui.look.layouts import in_column, in_row
from workbench.gui.tools.tool_desk import ServerReport, ServerRow, ToolDesk, safely
from workbench.i18n import _, ngettext, numeral


class ServerPage(QWidget):
    """*reported* carries how it works, once it was started; *allowed* comes when the person lets it start."""

    reported = Signal(object)  # ServerReport
    allowed = Signal(object)  # ServerRow

    def __init__(
        self, row: ServerRow, report: ServerReport | None, desk: ToolDesk, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.row = row
        self._desk = desk
        self.state = Label(parent=self, wraps=True)
        self.problem = ProblemLabel(self)
        self.start_button = QPushButton(_("&Start and list its tools"), self)
        self.allow_button = QPushButton(_("&Allow it to start"), self)
        self.approve_button = QPushButton(_("A&pprove the tools as they are now"), self)
        self.cancel_button = QPushButton(_("&Cancel"), self)
        self.changes, self.log = CallView(self), CallView(self)
        self._log_title = Label(_("What it wrote last"), self, role="secondary")
        self._work = BackgroundWork(self)
        self._work.done.connect(self._on_done)
        self._lay_out()
        self._show(report)

    def start(self) -> None:
        """Start it, and say how it works; it ends again at once."""
        self._ask(approves=False)

    @Slot()
    def cancel(self) -> None:
        """Give up what is going on."""
        self._desk.cancel()

    def _lay_out(self) -> None:
        spec = self.row.spec
        title = Label(spec.name, self, role="title", wraps=True)
        target = Label(spec.target, self, role="mono", wraps=True)
        given = ", ".join(spec.variables)
        words = _("Named in {origin}. It is given the variables {names}.") if given else _("Named in {origin}.")
        about = Label(words.format(origin=spec.origin, names=given), self, role="secondary", wraps=True)
        self.start_button.clicked.connect(self.start)
        self.allow_button.clicked.connect(self._on_allow)
        self.approve_button.clicked.connect(self._on_approve)
        self.cancel_button.clicked.connect(self.cancel)
        self.cancel_button.hide()
        buttons = in_row(None, self.allow_button, self.start_button, self.cancel_button, 1, spacing=8)
        parts = (title, target, about, self.state, self.problem, self.changes)
        below = (in_row(None, self.approve_button, 1), buttons, self._log_title, self.log)
        in_column(self, *parts, *below, 1, margins=(16, 10, 16, 10), spacing=8)

    def _show(self, report: ServerReport | None) -> None:
        self.allow_button.setVisible(not self.row.is_allowed)
        self.start_button.setVisible(self.row.is_allowed)
        self.start_button.setText(_("&Restart and list its tools") if report else _("&Start and list its tools"))
        self.state.setText(self._state_words(report))
        self.problem.setText(report.problem if report is not None else "")
        self.changes.show_text(report.difference if report is not None else "", is_difference=True)
        self.changes.setAccessibleName(_("What has changed in its tools"))
        self.approve_button.setVisible(report is not None and bool(report.difference))
        log = report.log if report is not None else self.row.log
        self.log.show_text(log, is_difference=False)
        self.log.setAccessibleName(_("What it wrote last"))
        self._log_title.setVisible(bool(log))

    def _state_words(self, report: ServerReport | None) -> str:
        if report is None and not self.row.is_allowed:
            return _("It may not start yet. Allow it only if you know where it comes from: it can do what you can do.")
        if report is None:
            return _("It starts when something is wanted of it, and has not been started here.")
        if report.problem:
            return _("None of its tools can be called.")
        count = len(report.tools)
        return ngettext("It works and has {count} tool.", "It works and has {count} tools.", count).format(
            count=numeral(count)
        )

    def _ask(self, *, approves: bool) -> None:
        self._show_busy(is_busy=True)
        self.state.setText(_("Starting…"))
        self._work.ask(partial(safely, partial(self._desk.report, self.row.spec, approves=approves)))

    def _show_busy(self, *, is_busy: bool) -> None:
        for button in (self.start_button, self.approve_button):
            button.setEnabled(not is_busy)
        self.cancel_button.setVisible(is_busy)

    @Slot(object)
    def _on_done(self, found: object) -> None:
        self._show_busy(is_busy=False)
        if isinstance(found, ServerReport):
            self._show(found)
            self.reported.emit(found)
            return
        self._show(None)
        self.problem.setText(_("Cancelled.") if found is None else str(found))

    @Slot()
    def _on_allow(self) -> None:
        self.allowed.emit(self.row)

    @Slot()
    def _on_approve(self) -> None:
        self._ask(approves=True)
