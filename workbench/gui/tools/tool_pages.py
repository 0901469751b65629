"""The pages of what is selected among the tools: one tool, or one server.

Of a tool: what it does, what it takes, when the person is asked, and a form to try it. Of a server: what it is, how it
works, what has changed in it, and what it wrote last.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QCheckBox, QComboBox, QLineEdit, QPushButton, QWidget

from workbench.engine.debugging.mocks import Mock, parse_outcome, written_outcome
from workbench.engine.ports import Answer, Request, RequestKind
from workbench.gui.control.background import BackgroundWork
from workbench.gui.control.running.run_controller import RunController
from workbench.gui.forms.approval_form import ApprovalForm, Word
from workbench.gui.forms.argument_fields import ArgumentFields
from workbench.gui.forms.call_view import CallView
from workbench.gui.look.label import Label, ProblemLabel
from workbench.gui.look.layouts import in_column, in_row
from workbench.gui.tools.tool_desk import Described, ServerReport, ServerRow, ToolDesk, ToolRow, safely
from workbench.i18n import _, ngettext, numeral
from workbench.tools.values import Asking
from workbench.vocabulary import asking_words, safety_words

_LEAVE = (Word.ALLOW, Word.REFUSE)
_USUAL = ""


class ToolPage(QWidget):
    """*said* carries what the person wants to be asked from now on: an ``Asking``, or None for what is usual.

    *mocking*: where it is said that runs do not call the tool.
    """

    said = Signal(object)

    def __init__(
        self, row: ToolRow, desk: ToolDesk, parent: QWidget | None = None, mocking: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        spec = row.spec
        self.row = row
        title = Label(spec.name, self, role="title", wraps=True)
        source = _("Offered by: {source}").format(source=spec.source)
        about = Label(" · ".join((source, safety_words(spec.safety))), self, role="secondary", wraps=True)
        words = Label(spec.description or _("Nothing is said about this tool."), self, wraps=True)
        self.asking = self._asking_box()
        self.asking.setEnabled(desk.file is not None)
        asked = Label(_("You are asked:"), self)
        asked.setBuddy(self.asking)
        self.stricter = Label(self._stricter_words(desk), self, role="secondary", wraps=True)
        self.stricter.setVisible(bool(self.stricter.text()))
        self.trial = ToolTrial(row, desk, self)
        self.schema = _schema_view(row, self)
        parts = (title, about, words, in_row(None, asked, self.asking, 1, spacing=8), self.stricter)
        before = in_column(None, *([mocking] if mocking is not None else []), margins=0)
        in_column(self, *parts, before, self.trial, self.schema, 1, margins=(16, 10, 16, 10), spacing=8)

    def _asking_box(self) -> QComboBox:
        box = QComboBox(self)
        box.setAccessibleName(_("When you are asked about this tool"))
        box.addItem(_("as usual"), _USUAL)
        for asking in Asking:
            box.addItem(asking_words(asking), asking.value)
        box.setCurrentIndex(max(0, box.findData(self.row.said.value if self.row.said is not None else _USUAL)))
        box.activated.connect(self._on_activated)
        return box

    def _stricter_words(self, desk: ToolDesk) -> str:
        """What holds, where it is not what the box says."""
        if desk.file is None:
            return _("Save the playbook to keep permissions for it.")
        now = asking_words(self.row.asking)
        if self.row.said is None:
            return _("Usual here: {asking}").format(asking=now)
        if self.row.asking is self.row.said:
            return ""
        return _("The project or the kind of the tool is stricter: {asking}").format(asking=now)

    @Slot()
    def _on_activated(self) -> None:
        chosen = str(self.asking.currentData())
        self.said.emit(None if chosen == _USUAL else Asking(chosen))


class MockRow(QWidget):
    """What runs of the document get in the place of the results of *tool*.

    Ticked: it is not called. What is changed counts at once, also for the run that goes on.
    """

    def __init__(self, tool: str, runs: RunController) -> None:
        super().__init__()
        self._tool, self._runs = tool, runs
        self.is_mocked = QCheckBox(_("In runs, do not &call it, but give:"), self)
        self.outcome = QLineEdit(self)
        self.outcome.setPlaceholderText(_("a value (JSON or text), or !message to fail"))
        self.outcome.setAccessibleName(_("What the tool gives in runs without being called"))
        mock = runs.mock_of(tool)
        if mock is not None:
            is_text = isinstance(mock.value, str) and not mock.failure
            self.outcome.setText(mock.value if is_text else written_outcome(mock.value, mock.failure))
        self.is_mocked.setChecked(mock is not None)
        self.outcome.setEnabled(mock is not None)
        self.is_mocked.toggled.connect(self._on_changed)
        self.outcome.editingFinished.connect(self._on_changed)
        in_row(self, self.is_mocked, (self.outcome, 1), margins=0, spacing=8)

    @Slot()
    def _on_changed(self) -> None:
        is_mocked = self.is_mocked.isChecked()
        self.outcome.setEnabled(is_mocked)
        self._runs.mock(self._tool, Mock(self._tool, *parse_outcome(self.outcome.text())) if is_mocked else None)


class ToolTrial(QWidget):
    """Makes one call, after the same question as in a run, in the background; it can be given up."""

    came = Signal(object)  # QWidget: what is to be looked at now
    asked = Signal(object)  # ApprovalForm: what is to be answered before anything else

    def __init__(self, row: ToolRow, desk: ToolDesk, parent: QWidget) -> None:
        super().__init__(parent)
        self._row, self._desk = row, desk
        self.form: ApprovalForm | None = None
        self._asked: Described | None = None
        self.fields = ArgumentFields(row.spec.schema, {}, self)
        self.fields.submitted.connect(self._on_try)
        self.button = QPushButton(_("&Try it"), self)
        self.button.clicked.connect(self._on_try)
        self.cancel_button = QPushButton(_("&Cancel"), self)
        self.cancel_button.clicked.connect(self.cancel)
        self.cancel_button.hide()
        self.problem = ProblemLabel(self)
        self.result = CallView(self)
        buttons = in_row(None, self.button, self.cancel_button, 1, spacing=8)
        in_column(self, self.fields, buttons, self.problem, self.result, margins=0, spacing=8)
        self._describing = self._work(self._on_described)
        self._calling = self._work(self._on_called)

    def _work(self, on_done: Callable[[object], None]) -> BackgroundWork:
        work = BackgroundWork(self)
        work.done.connect(on_done)
        return work

    @Slot()
    def _on_try(self) -> None:
        if not self.fields.check() or not self.button.isEnabled():
            return
        self._close_form()
        self._show_busy(is_busy=True)
        work = partial(self._desk.described, self._row.spec.name, self.fields.arguments())
        self._describing.ask(partial(safely, work))

    @Slot(object)
    def _on_described(self, found: object) -> None:
        if not isinstance(found, Described):
            self._fail(found)
        elif found.asking is Asking.FORBIDDEN:
            self._fail(found.reason)
        elif found.asking is Asking.NEVER:
            self._call(found)
        else:
            self._show_busy(is_busy=False)
            self._ask(found)

    def _ask(self, found: Described) -> None:
        form = ApprovalForm(Request("try", RequestKind.APPROVE, "", "", call=found.call), self, _LEAVE)
        form.note.hide()
        form.answered.connect(self._on_answered)
        self.form, self._asked = form, found
        self.asked.emit(form)

    @Slot(object)
    def _on_answered(self, answer: Answer) -> None:
        """Make the call, where it was allowed."""
        asked, self._asked = self._asked, None
        self._close_form()
        if asked is not None and answer.leave is not None and answer.leave.is_given:
            self._call(asked)
        else:
            self.problem.setText(_("The call was not made."))

    def _call(self, found: Described) -> None:
        self._show_busy(is_busy=True)
        self._calling.ask(partial(safely, partial(_result, self._desk, found)))

    @Slot(object)
    def _on_called(self, given: object) -> None:
        if not isinstance(given, tuple):
            self._fail(given)
            return
        self._show_busy(is_busy=False)
        self.result.show_text(given[0] or _("(nothing)"), is_difference=False)
        self.result.setAccessibleName(_("Result"))
        self.came.emit(self.result)

    def _fail(self, reason: object) -> None:
        """*reason*: a sentence, or None where the person has given it up."""
        self._show_busy(is_busy=False)
        self.problem.setText(str(reason) if reason is not None else _("Cancelled."))
        self.came.emit(self.problem)

    def _show_busy(self, *, is_busy: bool) -> None:
        self.button.setEnabled(not is_busy)
        self.cancel_button.setVisible(is_busy)
        if is_busy:
            self.problem.setText("")
            self.result.hide()

    def _close_form(self) -> None:
        if self.form is not None:
            self.form.hide()
            self.form.deleteLater()
            self.form = None

    @Slot()
    def cancel(self) -> None:
        """Give up what is going on, and what was asked."""
        self._close_form()
        self._desk.cancel()


def _result(desk: ToolDesk, found: Described) -> tuple[str]:
    """What the call gives, told apart from a sentence about why it gives nothing."""
    return (desk.called(found.call),)


def _schema_view(row: ToolRow, parent: QWidget) -> QWidget:
    """The schema of the arguments as it is, to be read and copied."""
    view = CallView(parent)
    view.show_text(json.dumps(row.spec.schema, indent=2, ensure_ascii=False), is_difference=False)
    view.setAccessibleName(_("Schema of the arguments"))
    return view


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
