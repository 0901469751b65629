"""The local history of the open file: its states in time, each to be compared with, named and restored."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import Qt, Slot
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QHeaderView,
    QInputDialog,
    QPushButton,
    QTreeWidget,
    QTreeWidgetItem,
    QWidget,
)

from workbench.editing.keeping.states import KeptState, Reason, name_state, read_state, states_beside, states_of
from workbench.errors import WorkbenchError
from workbench.gui.control.background import BackgroundWork
from workbench.gui.control.context import WindowContext
from workbench.gui.control.versions.version_control import Version, Wanted
from workbench.gui.look.label import Label, ProblemLabel
from workbench.gui.look.layouts import in_column, in_row, open_on_screen, resize_on_screen
from workbench.gui.look.row_filter import RowFilter
from workbench.gui.look.theming import current_theme
from workbench.gui.look.written_words import read_as_written
from workbench.gui.words.values import drawable_line, moment_text, tip
from workbench.i18n import N_, _
from workbench.syntax.text import SourceText

_STATE = Qt.ItemDataRole.UserRole
_REASONS = {
    Reason.FOUND: N_("was there before"),
    Reason.SAVED: N_("saved"),
    Reason.OUTSIDE: N_("from another program"),
    Reason.NAMED: N_("kept"),
}


class StateDialog(QDialog):
    """A row for each state, the newest first. Stays beside the window, and follows the open document.

    *Compare* shows what differs from it now; *Restore* makes the text what it was, as one edit.
    """

    def __init__(self, context: WindowContext, parent: QWidget) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._context = context
        self.title = Label("", self, role="title", wraps=True)
        self.list = QTreeWidget(self)
        read_as_written(self.list)
        self.words = Label("", self, role="muted", wraps=True)
        self.said = ProblemLabel(self)
        self.compare = QPushButton(_("&Compare"), self)
        self.restore = QPushButton(_("&Restore"), self)
        self.name = QPushButton(_("&Name…"), self)
        self._buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close, self)
        self._arrange()
        self._named: KeptState | None = None
        self._looking = BackgroundWork(self)
        self._looking.done.connect(self._on_states)
        self._buttons.rejected.connect(self.reject)
        self.compare.clicked.connect(self._on_compare)
        self.restore.clicked.connect(self._on_restore)
        self.name.clicked.connect(self._on_name)
        self.list.itemActivated.connect(self._on_compare)
        self.list.currentItemChanged.connect(self._show_state)
        context.documents.document_opened.connect(self.look)
        context.documents.file_state_changed.connect(self.look)
        self.look()

    def _arrange(self) -> None:
        self.setWindowTitle(_("Local history"))
        self.list.setHeaderLabels([_("Time"), _("State"), _("Name")])
        self.list.setAccessibleName(_("States of the file"))
        self.list.setRootIsDecorated(False)
        self.list.setUniformRowHeights(True)
        self.list.setAllColumnsShowFocus(True)
        self.list.header().setSectionResizeMode(2, QHeaderView.ResizeMode.Stretch)
        self.filter = RowFilter(self.list, _("Filter states"), self)
        self.compare.setToolTip(_("Show what differs from this state (Enter)"))
        self.restore.setToolTip(_("Make the text what it was then; you can undo it"))
        self.name.setToolTip(_("Give this state a name, so that it is kept and found again"))
        buttons = (self.compare, self.restore, self.name)
        for button in (*buttons, *self._buttons.buttons()):
            if isinstance(button, QPushButton):
                button.setAutoDefault(False)  # Enter in the list compares
        row = in_row(None, *buttons, 1, self._buttons, spacing=8)
        in_column(self, self.title, self.filter, (self.list, 1), self.words, self.said, row, margins=16, spacing=8)
        theme = current_theme()
        for column, width in enumerate((160, 170)):
            self.list.setColumnWidth(column, theme.px(width))
        resize_on_screen(self, 620, 460)

    @property
    def chosen(self) -> KeptState | None:
        """The state that is chosen."""
        item = self.list.currentItem()
        return item.data(0, _STATE)[0] if item is not None else None

    @Slot()
    def look(self) -> None:
        """Look which states there are of the open document."""
        path = self._context.documents.document.path
        self.title.setText(path.name if path is not None else _("New playbook"))
        if path is None:
            self._on_states(())
        else:
            self._looking.ask(partial(states_of, states_beside(self._context.places.edits_dir), path))

    @Slot(object)
    def _on_states(self, states: tuple[KeptState, ...]) -> None:
        chosen = self.chosen
        self.list.clear()
        self.list.addTopLevelItems([_row(state) for state in states])
        row = next((at for at, each in enumerate(states) if chosen is not None and each.file == chosen.file), 0)
        if states:
            self.list.setCurrentIndex(self.list.model().index(row, 0))
        empty = _("No states of this file are kept yet. One is kept each time you save it.")
        self.words.setText(empty if not states else _("Of older states without a name fewer and fewer are kept."))
        self._show_state()

    @Slot()
    def _show_state(self) -> None:
        for button in (self.compare, self.restore, self.name):
            button.setEnabled(self.chosen is not None)

    @Slot()
    def _on_compare(self) -> None:
        state = self.chosen
        if state is not None:
            name = " · ".join(filter(None, (moment_text(state.time_s), state.name or str(_REASONS[state.reason]))))
            self._context.versions.compare(Wanted(Version(name, partial(_text_of, state))))

    @Slot()
    def _on_restore(self) -> None:
        state, documents = self.chosen, self._context.documents
        if state is None:
            return
        try:
            change = documents.document.restore_state(state)
        except WorkbenchError as error:
            self.said.setText(str(error))
            return
        self.said.setText("")
        documents.tell(change)
        moment = moment_text(state.time_s)
        told = (
            _("The text is what it was on {moment}.") if change else _("The text is already what it was on {moment}.")
        )
        self._context.notices.tell(told.format(moment=moment))

    @Slot()
    def _on_name(self) -> None:
        state = self.chosen
        if state is None:
            return
        self._named = state
        ask_name(self, state.name, self._on_named)

    @Slot(str)
    def _on_named(self, name: str) -> None:
        try:
            if self._named is not None:
                name_state(self._named, name)
        except WorkbenchError as error:
            self.said.setText(str(error))
        self.look()


def ask_name(parent: QWidget, name: str, given: Callable[[str], None]) -> QInputDialog:
    """Ask what a state is called; *given* hears of it. *name*: what it is called now."""
    dialog = QInputDialog(parent)
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    dialog.setWindowTitle(_("Name this state"))
    dialog.setLabelText(_("Name of the state; a state with a name is kept. Leave it empty to take the name away."))
    dialog.setTextValue(name)
    dialog.textValueSelected.connect(given)
    open_on_screen(dialog)
    return dialog


def _row(state: KeptState) -> QTreeWidgetItem:
    cells = (moment_text(state.time_s), str(_REASONS[state.reason]), state.name)
    row = QTreeWidgetItem([drawable_line(cell) for cell in cells])
    row.setData(0, _STATE, [state])  # in a list, so that Qt keeps it as it is
    row.setToolTip(2, tip(state.name))
    return row


def _text_of(state: KeptState) -> SourceText:
    return SourceText.decode(read_state(state))
