"""Says that fixes are being looked for, once that takes long enough to wonder."""

from __future__ import annotations

from PySide6.QtCore import QTimer, Signal, Slot
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QProgressBar, QVBoxLayout, QWidget

from workbench.gui.look.label import Label
from workbench.i18n import _

_PATIENCE_MS = 300
_WIDTH_PX = 360


class SearchProgress(QDialog):
    """Shown only when the wait is long; the window behind it stays usable."""

    cancelled = Signal()

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setWindowTitle(_("Apply all safe fixes"))
        self.setMinimumWidth(_WIDTH_PX)
        self.words = Label(parent=self)
        self.words.setWordWrap(True)
        bar = QProgressBar(self)
        bar.setRange(0, 0)  # how much a fix brings to light is not known before
        bar.setTextVisible(False)
        bar.setAccessibleName(_("Looking for safe fixes"))
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel, self)
        buttons.rejected.connect(self.reject)
        column = QVBoxLayout(self)
        column.addWidget(self.words)
        column.addWidget(bar)
        column.addWidget(buttons)
        self._wait = QTimer(self, interval=_PATIENCE_MS, singleShot=True)
        self._wait.timeout.connect(self.show)

    def begin(self) -> None:
        """Appear in a moment, unless the search is over by then."""
        self.show_count(0)
        self._wait.start()

    def show_count(self, count: int) -> None:
        """Tell how many fixes have been found."""
        so_far = _("{count} fixes found; checking for follow-ups.").format(count=f"{count:,}")
        self.words.setText(so_far if count else _("Looking for fixes that do not change the meaning."))

    @Slot()
    def finish(self) -> None:
        """The search is over."""
        self._wait.stop()
        self.hide()

    @Slot()
    def reject(self) -> None:
        """Cancel, Esc, or the window's own sign to close."""
        self.finish()
        self.cancelled.emit()
