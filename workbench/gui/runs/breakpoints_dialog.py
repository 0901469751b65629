"""Dialogs about breakpoints: when runs stop before one step, and all that stop runs of the document."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from itertools import islice

from PySide6.QtCore import QSignalBlocker, Qt, Slot
from PySide6.QtWidgets import (
    QCheckBox,
    QDialog,
    QDialogButtonBox,
    QFormLayout,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QPushButton,
    QSpinBox,
    QWidget,
)

from workbench.engine.debugging.breakpoints import (
    AT_STEPS,
    Breakpoint,
    NoBreakpoint,
    StopKind,
    checked,
    parse_breakpoint,
)
from workbench.engine.debugging.kept import found_again, kept_at
from workbench.engine.journal.events import RunId
from workbench.errors import WorkbenchError
from workbench.gui.control.background import BackgroundWork
from workbench.gui.control.context import WindowContext
from workbench.gui.control.running.breakpoints import DocumentStop
from workbench.gui.control.running.run_host import RunHost
from workbench.gui.look.label import Label
from workbench.gui.look.layouts import in_column, in_row, resize_on_screen
from workbench.gui.look.theming import current_theme
from workbench.gui.look.written_words import read_as_written
from workbench.gui.words.directions import ordered
from workbench.gui.words.values import drawable_line
from workbench.i18n import _, numeral
from workbench.model.program import StepId

_STOP = Qt.ItemDataRole.UserRole
_MOST_HITS = 1_000_000
_MOST_LINES = 1_000


class BreakpointDialog(QDialog):
    """Says when runs stop before *step*, or what they tell there."""

    def __init__(self, context: WindowContext, step: StepId, parent: QWidget) -> None:
        super().__init__(parent)
        self._context = context
        self._step = step
        snapshot = context.documents.snapshot
        self._address = snapshot.address(step)
        self.setWindowTitle(_("Breakpoint"))
        self.condition, self.log = QLineEdit(self), QLineEdit(self)
        self.from_hit = QSpinBox(self, minimum=1, maximum=_MOST_HITS)
        self.is_on = QCheckBox(_("The breakpoint is &on"), self)
        self.at_answer = QCheckBox(_("Stop when the step is &answered, before that is used"), self)
        self.problem = Label(parent=self, role="problem", wraps=True)
        self.past = PastView(context, self.written, self)
        self.buttons = QDialogButtonBox(_OK | _CANCEL, self)
        self._remove = self.buttons.addButton(_("&Remove"), QDialogButtonBox.ButtonRole.DestructiveRole)
        self._arrange(drawable_line(f"{self._address}  {snapshot.step(step).text}"))
        self._before = context.breakpoints.at(step) or Breakpoint(StopKind.STEP, self._address)
        self._show(self._before)
        self._remove.setEnabled(context.breakpoints.at(step) is not None)
        self._connect()

    def _arrange(self, title: str) -> None:
        self.condition.setPlaceholderText("$total > 100")
        self.log.setPlaceholderText("The total is {$total}")
        form = QFormLayout(fieldGrowthPolicy=QFormLayout.FieldGrowthPolicy.ExpandingFieldsGrow)
        form.addRow(_("&Condition"), self.condition)
        form.addRow(_("From the &nth time on"), self.from_hit)
        form.addRow(_("Tell this te&xt instead of stopping"), self.log)
        form.addRow(self.at_answer)
        form.addRow(self.is_on)
        self.problem.hide()
        self.setMinimumWidth(current_theme().px(520))
        head = Label(title, self, role="title", wraps=True)
        in_column(self, head, form, self.problem, (self.past, 1), self.buttons, margins=16)

    def _connect(self) -> None:
        self.buttons.accepted.connect(self._on_accepted)
        self.buttons.rejected.connect(self.reject)
        self._remove.clicked.connect(self._on_removed)

    def _show(self, breakpoint_: Breakpoint) -> None:
        self.condition.setText(breakpoint_.condition)
        self.log.setText(breakpoint_.log)
        self.from_hit.setValue(breakpoint_.from_hit)
        self.at_answer.setChecked(breakpoint_.kind is StopKind.ANSWER)
        self.is_on.setChecked(breakpoint_.is_on)

    def written(self) -> Breakpoint:
        """The breakpoint as it stands in the form."""
        condition, log = self.condition.text().strip(), self.log.text().strip()
        hit, is_on = self.from_hit.value(), self.is_on.isChecked()
        kind = StopKind.ANSWER if self.at_answer.isChecked() else StopKind.STEP
        to_hit, every = self._before.to_hit, self._before.every  # which only the terminal and editors set
        return Breakpoint(kind, self._address, condition, hit, log, is_on, to_hit, every)

    @Slot()
    def _on_accepted(self) -> None:
        try:
            self._context.breakpoints.put(self._step, checked(self.written()))
        except NoBreakpoint as error:
            self.problem.setText(str(error))
            self.problem.show()
        else:
            self.accept()

    @Slot()
    def _on_removed(self) -> None:
        self._context.breakpoints.put(self._step, None)
        self.reject()


class PastView(QWidget):
    """What a breakpoint would have said of the run that is shown. *wanted*: the breakpoint as it is written now."""

    def __init__(self, context: WindowContext, wanted: Callable[[], Breakpoint], parent: QWidget) -> None:
        super().__init__(parent)
        self._context, self._wanted = context, wanted
        self.button = QPushButton(_("Look &back at the run that is shown"), self)
        self.lines = QListWidget(self)
        read_as_written(self.lines)
        self.lines.setAccessibleName(_("What it would have told"))
        self.lines.hide()
        self._work = BackgroundWork(self)
        self._work.done.connect(self._on_found)
        view = context.shown.view
        self.button.setEnabled(view is not None and view.ran is not None)
        self.button.clicked.connect(self._on_clicked)
        self.lines.itemActivated.connect(self._on_activated)
        in_column(self, in_row(None, self.button, 1), (self.lines, 1), margins=0, spacing=8)

    @Slot()
    def _on_clicked(self) -> None:
        view = self._context.shown.view
        if view is None or view.ran is None:
            return
        try:
            there = found_again((kept_at(checked(self._wanted()), self._context.documents.snapshot),), view.ran)
        except NoBreakpoint as error:
            self._show([(-1, str(error))])
            return
        self._work.ask(partial(_looked_back, self._context.runs.host, view.id, there[0].breakpoint))

    @Slot(object)
    def _on_found(self, found: list[tuple[int, str]]) -> None:
        self._context.shown.lines.show({seq: words for seq, words in found if seq >= 0})
        self._show(found or [(-1, _("The run never came by."))])

    def _show(self, lines: list[tuple[int, str]]) -> None:
        self.lines.clear()
        for seq, words in lines:
            told = ordered(drawable_line(words))
            item = QListWidgetItem(f"{numeral(seq)}  {told}" if seq >= 0 else told)
            item.setData(_STOP, seq)
            self.lines.addItem(item)
        self.lines.show()

    @Slot(QListWidgetItem)
    def _on_activated(self, item: QListWidgetItem) -> None:
        """Show the moment at which the run came by."""
        seq = item.data(_STOP)
        if seq > 0:
            self._context.shown.moments.go_to(seq - 1)


def _looked_back(host: RunHost, run: RunId, point: Breakpoint) -> list[tuple[int, str]]:
    """The number of each event that *run* came by *point* with, and what is told there."""
    from workbench.engine.replaying.looking_back import came_by  # noqa: PLC0415 - the engine loads with the first run

    try:
        found = list(islice(came_by(host.journal, run, point), _MOST_LINES))
    except WorkbenchError as error:
        return [(-1, str(error))]
    return [(each.event.seq, each.text or each.problem or str(point.place)) for each in found]


_OK, _CANCEL = QDialogButtonBox.StandardButton.Ok, QDialogButtonBox.StandardButton.Cancel


class BreakpointsDialog(QDialog):
    """Lists all that stops runs of the document; what is changed counts at once."""

    def __init__(self, context: WindowContext, parent: QWidget) -> None:
        super().__init__(parent)
        self._context = context
        self.setWindowTitle(_("Breakpoints"))
        self.list = QListWidget(self)
        read_as_written(self.list)
        self.list.setAccessibleName(_("Breakpoints"))
        self.written = QLineEdit(self)
        self.written.setAccessibleName(_("New breakpoint"))
        self.problem = Label(parent=self, role="problem", wraps=True)
        self.add, self.remove = QPushButton(_("&Add"), self), QPushButton(_("&Remove"), self)
        self._arrange()
        self._fill()
        self.add.clicked.connect(self._on_added)
        self.remove.clicked.connect(self._on_removed)
        self.list.itemChanged.connect(self._on_checked)
        self.list.currentRowChanged.connect(self._on_row_changed)
        self.list.itemActivated.connect(self._on_activated)
        self._on_row_changed(-1)

    def _arrange(self) -> None:
        self.written.setPlaceholderText("Main:04   tool:refund   error   violation   cost:0.5")
        self.problem.hide()
        words = _(
            "A run stops before a step (Main:04), before a call of a tool (tool:NAME), before its result is used "
            "(result:NAME), before the answer to a step is used (answer:Main:04), before a step fails (error), before "
            "a rule of a step list is broken (violation), or when models have cost more than so many US dollars "
            "(cost:0.5). Behind it may stand: if $total > 100, from 3, log The total is {$total}."
        )
        self._quick = [
            self._switch(_("Stop at &errors"), StopKind.ERROR),
            self._switch(_("Stop at &violations"), StopKind.VIOLATION),
        ]
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close, self)
        buttons.rejected.connect(self.reject)
        row = in_row(None, (self.written, 1), self.add, self.remove, spacing=8)
        switches = in_row(None, *self._quick, spacing=16)
        in_column(
            self,
            Label(words, self, role="secondary", wraps=True),
            switches,
            (self.list, 1),
            row,
            self.problem,
            buttons,
            margins=16,
            spacing=10,
        )
        resize_on_screen(self, 640, 460)

    def _switch(self, words: str, kind: StopKind) -> QCheckBox:
        switch = QCheckBox(words, self)
        switch.setChecked(any(each.breakpoint.kind is kind for each in self._context.breakpoints.stops))
        switch.toggled.connect(_switching(self, kind))
        return switch

    def switch(self, kind: StopKind, *, is_on: bool) -> None:
        """Have the breakpoint of *kind* that waits for nothing more, or have it no longer."""
        others = [each for each in self._context.breakpoints.stops if each.breakpoint.kind is not kind]
        self._replace([*others, DocumentStop(Breakpoint(kind))] if is_on else others)

    def _fill(self) -> None:
        with QSignalBlocker(self.list):
            self.list.clear()
            snapshot = self._context.documents.snapshot
            for stop in self._context.breakpoints.placed():
                words = snapshot.step(stop.step).text if stop.step is not None and snapshot.has(stop.step) else ""
                name, told = drawable_line(str(stop.breakpoint)), ordered(drawable_line(words))
                item = QListWidgetItem(f"{name}    {told}".rstrip())
                item.setFlags(item.flags() | Qt.ItemFlag.ItemIsUserCheckable)
                item.setCheckState(Qt.CheckState.Checked if stop.breakpoint.is_on else Qt.CheckState.Unchecked)
                item.setData(_STOP, [stop])  # in a list, so that Qt keeps it as it is
                self.list.addItem(item)

    def _replace(self, stops: list[DocumentStop]) -> None:
        self._context.breakpoints.replace_all(stops)
        self._fill()
        for switch, kind in zip(self._quick, (StopKind.ERROR, StopKind.VIOLATION), strict=True):
            with QSignalBlocker(switch):
                switch.setChecked(any(each.breakpoint.kind is kind for each in stops))

    @property
    def _listed(self) -> list[DocumentStop]:
        items = [self.list.item(row) for row in range(self.list.count())]
        return [_with_state(item) for item in items]

    @Slot()
    def _on_added(self) -> None:
        try:
            added = self._context.breakpoints.stop_for(parse_breakpoint(self.written.text()))
            if added.breakpoint.kind in AT_STEPS and added.step is None:
                raise NoBreakpoint(_("There is no step {address} in this file.").format(address=added.breakpoint.at))
        except NoBreakpoint as error:
            self.problem.setText(str(error))
            self.problem.show()
            return
        self.problem.hide()
        self.written.clear()
        self._replace([*self._listed, added])

    @Slot()
    def _on_removed(self) -> None:
        row = self.list.currentRow()
        self._replace([each for index, each in enumerate(self._listed) if index != row])

    @Slot(QListWidgetItem)
    def _on_checked(self, _item: QListWidgetItem) -> None:
        self._context.breakpoints.replace_all(self._listed)

    @Slot(int)
    def _on_row_changed(self, row: int) -> None:
        self.remove.setEnabled(row >= 0)

    @Slot(QListWidgetItem)
    def _on_activated(self, item: QListWidgetItem) -> None:
        """Go to the step."""
        step = _with_state(item).step
        if step is not None:
            self._context.selection.reveal((step,), "breakpoints")


def _switching(dialog: BreakpointsDialog, kind: StopKind) -> Callable[[bool], None]:
    return lambda is_on: dialog.switch(kind, is_on=is_on)


def _with_state(item: QListWidgetItem) -> DocumentStop:
    """The breakpoint of *item*, on or off as it is ticked."""
    stop: DocumentStop = item.data(_STOP)[0]
    is_on = item.checkState() is Qt.CheckState.Checked
    return replace(stop, breakpoint=replace(stop.breakpoint, is_on=is_on))
