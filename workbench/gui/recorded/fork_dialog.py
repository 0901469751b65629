"""Asks from where a run is gone on with, and with what; shows before what that means."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from PySide6.QtCore import QSignalBlocker, Qt, Signal, Slot
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QFormLayout,
    QHeaderView,
    QPlainTextEdit,
    QTableWidget,
    QTableWidgetItem,
    QWidget,
)

from workbench.engine.running.controls import EditVariable
from workbench.errors import WorkbenchError
from workbench.gui.control.background import BackgroundWork
from workbench.gui.control.running.run_host import RunHost
from workbench.gui.look.label import Label, ProblemLabel
from workbench.gui.look.layouts import in_column, resize_on_screen
from workbench.gui.look.theming import current_theme
from workbench.gui.recorded.fork_planning import Known, Planned, Point, changed, planned, with_text
from workbench.gui.words.values import drawable, drawable_line, read_form, tip, written_form
from workbench.i18n import _
from workbench.model.snapshot import Snapshot

_KNOWN = Qt.ItemDataRole.UserRole


class ForkDialog(QDialog):
    """*text*: another text that can be gone on with, at *path*; None where there is none."""

    wanted = Signal(object)  # Planned: it is to be carried out

    def __init__(
        self, host: RunHost, points: Sequence[Point], text: Snapshot | None, path: str, parent: QWidget
    ) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._host, self._points, self._text, self._path = host, points, text, path
        self.planned: Planned | None = None
        self.setWindowTitle(_("Fork the run"))
        self.point = QComboBox(self)
        self.point.addItems([drawable_line(point.words) for point in points])
        self.is_with_text = QCheckBox(_("With the &text as it is now"), self)
        self.is_with_text.setEnabled(text is not None)
        self.is_with_text.setChecked(text is not None)
        self.variables = VariableTable(self)
        self.lines = QPlainTextEdit(self, readOnly=True, tabChangesFocus=True)
        self.said = ProblemLabel(self)
        self._arrange()
        self._work = BackgroundWork(self)
        self._work.done.connect(self._on_planned)
        self.point.activated.connect(self._on_point_chosen)
        self.is_with_text.toggled.connect(self._plan)
        self.variables.edited.connect(self._plan)
        self._plan()

    def _arrange(self) -> None:
        self.point.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.point.setMinimumContentsLength(24)
        self.lines.setAccessibleName(_("What comes of it"))
        words = _("The fork is a new run. Nothing that was done before is done again, and this run stays as it is.")
        form = QFormLayout(fieldGrowthPolicy=QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
        form.addRow(_("From &where"), self.point)
        form.addRow(self.is_with_text)
        known = Label(_("&Variables (double-click or F2 to change a value)"), self)
        known.setBuddy(self.variables)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel, self)
        self.start = buttons.addButton(_("&Fork and run"), QDialogButtonBox.ButtonRole.AcceptRole)
        self.start.setDefault(True)
        buttons.accepted.connect(self._on_accepted)
        buttons.rejected.connect(self.reject)
        said = Label(words, self, role="secondary", wraps=True)
        outcome = Label(_("What comes of it"), self)
        parts = (said, form, known, (self.variables, 3), outcome, (self.lines, 2), self.said, buttons)
        in_column(self, *parts, margins=16, spacing=8)
        resize_on_screen(self, 680, 600)

    @Slot()
    def _on_point_chosen(self) -> None:
        self.variables.forget()
        self._plan()

    @Slot()
    def _plan(self) -> None:
        """Find out what comes of what is chosen."""
        self.planned = None
        self.start.setEnabled(False)
        wish = replace(self._points[self.point.currentIndex()].wish, edits=self.variables.edits)
        if self.is_with_text.isChecked() and self._text is not None:
            wish = with_text(wish, self._text, self._path)
        self._work.ask(partial(planned, self._host, wish))

    @Slot(object)
    def _on_planned(self, found: Planned | WorkbenchError) -> None:
        if isinstance(found, WorkbenchError):
            self.lines.setPlainText("")
            self.said.setText(str(found))
            return
        self.planned = found
        self.variables.show_known(found.known)
        self.said.setText(" ".join(found.plan.refusals))
        self.lines.setPlainText(drawable("\n".join(found.lines[len(found.plan.refusals) :])))
        self.start.setEnabled(found.plan.is_possible)

    @Slot()
    def _on_accepted(self) -> None:
        if self.planned is not None and self.planned.plan.is_possible:
            self.accept()
            self.wanted.emit(self.planned)


class VariableTable(QTableWidget):
    """What is known at the event of the fork; a value can be typed.

    *edits*: what was typed.
    """

    edited = Signal()

    def __init__(self, parent: QWidget) -> None:
        super().__init__(0, 2, parent)
        self._typed: dict[str, str] = {}
        self.edits: tuple[EditVariable, ...] = ()
        self.setHorizontalHeaderLabels([_("Name"), _("Value")])
        self.verticalHeader().hide()
        self.horizontalHeader().setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        self.horizontalHeader().setSectionResizeMode(1, QHeaderView.ResizeMode.Stretch)
        self.setColumnWidth(0, current_theme().px(180))
        self.setTabKeyNavigation(False)
        self.itemChanged.connect(self._on_item_changed)

    def forget(self) -> None:
        """Nothing is typed: what is known is another."""
        self._typed, self.edits = {}, ()

    def show_known(self, known: Sequence[Known]) -> None:
        """Show *known*, each with what was typed in its place."""
        with QSignalBlocker(self):
            self.setRowCount(len(known))
            for row, each in enumerate(known):
                name = QTableWidgetItem(drawable_line(each.shown))
                name.setFlags(Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable)
                name.setData(_KNOWN, [each])  # in a list, so that Qt keeps it as it is
                text = self._typed.get(each.shown, written_form(each.edit.value))
                value = QTableWidgetItem(drawable(text))
                value.setToolTip(tip(text))
                if each.shown in self._typed:
                    font = value.font()
                    font.setBold(True)
                    value.setFont(font)
                self.setItem(row, 0, name)
                self.setItem(row, 1, value)

    @Slot(QTableWidgetItem)
    def _on_item_changed(self, item: QTableWidgetItem) -> None:
        named = self.item(item.row(), 0)
        if item.column() != 1 or named is None:
            return
        known: Known = named.data(_KNOWN)[0]
        others = tuple(each for each in self.edits if (each.scope, each.name) != (known.edit.scope, known.edit.name))
        if item.text() == drawable(written_form(known.edit.value)):
            self._typed.pop(known.shown, None)
            self.edits = others
        else:
            self._typed[known.shown] = item.text()
            self.edits = (*others, changed(known, read_form(item.text())))
        self.edited.emit()
