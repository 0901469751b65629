"""Shown before a run goes on that was cut off: nothing is resumed without having been looked at."""

from __future__ import annotations

import time

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QGridLayout, QLabel, QVBoxLayout, QWidget

from workbench.engine.journal.events import RunId
from workbench.gui.control.context import WindowContext
from workbench.gui.look.theme import current_theme
from workbench.gui.resume.cut_off_run import CutOffRun, cut_off_run
from workbench.i18n import _


class ResumeDialog(QDialog):
    """*resumed* carries the run that is to go on; closing the dialog leaves it as it is."""

    resumed = Signal(object)  # RunId

    def __init__(self, run: CutOffRun, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._run = run
        self.setWindowTitle(_("Go on with a run"))
        self.setMinimumWidth(current_theme().px(520))
        words = _("{playbook} was stopped {age}") if run.was_stopped else _("{playbook} was cut off {age}")
        title = QLabel(words.format(playbook=run.playbook, age=run.age), self)
        title.setProperty("role", "title")
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 16, 16, 16)
        column.setSpacing(10)
        column.addWidget(title)
        column.addLayout(self._rows())
        for words in self._warnings():
            label = self._words(words)
            label.setProperty("role", "caution")
            column.addWidget(label)
        column.addStretch(1)
        column.addWidget(self._buttons())

    def _rows(self) -> QGridLayout:
        run = self._run
        several = _("{count} steps, the last of them:").format(count=f"{run.done_count:,}")
        head = (_("One step:") if run.done_count == 1 else several) if run.done else _("Nothing yet.")
        rows = (
            (_("Done"), "\n".join((head, *run.done))),
            (_("In doubt"), run.in_doubt or _("Nothing.")),
            (_("Next"), run.next),
        )
        grid = QGridLayout()
        grid.setHorizontalSpacing(16)
        grid.setVerticalSpacing(8)
        grid.setColumnStretch(1, 1)
        for row, (name, words) in enumerate(rows):
            label = QLabel(name, self)
            label.setProperty("role", "muted")
            grid.addWidget(label, row, 0, Qt.AlignmentFlag.AlignTop)
            grid.addWidget(self._words(words), row, 1)
        return grid

    def _warnings(self) -> tuple[str, ...]:
        words = []
        if self._run.in_doubt:
            words.append(_("Unless its result turns out to be known, you will be asked what became of the call."))
        if self._run.is_changed:
            words.append(_("The open file is not the text that ran. The run goes on with the text it was begun with."))
        if self._run.is_old:
            words.append(_("It has waited for more than a day. Check that what it has found out is still so."))
        return tuple(words)

    def _words(self, words: str) -> QLabel:
        label = QLabel(words, self)
        label.setTextFormat(Qt.TextFormat.PlainText)
        label.setWordWrap(True)
        label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        return label

    def _buttons(self) -> QDialogButtonBox:
        buttons = QDialogButtonBox(self)
        self.resume_button = buttons.addButton(_("&Resume"), QDialogButtonBox.ButtonRole.AcceptRole)
        self.later_button = buttons.addButton(_("&Not now"), QDialogButtonBox.ButtonRole.RejectRole)
        self.resume_button.setDefault(True)
        buttons.accepted.connect(self.accept)
        buttons.rejected.connect(self.reject)
        return buttons

    @Slot()
    def accept(self) -> None:
        """Go on."""
        super().accept()
        self.resumed.emit(self._run.id)


def offer_resume(context: WindowContext, run: RunId, window: QWidget) -> ResumeDialog:
    """Show where *run* stands; it goes on when the person says so. Raises StoreFailed."""
    host = context.runs.host
    events = host.events(run)
    told = cut_off_run(events, host.text_of(events), context.documents.snapshot, time.time_ns())
    dialog = ResumeDialog(told, window)
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    dialog.resumed.connect(context.runs.resume)
    dialog.open()
    return dialog
