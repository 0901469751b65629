"""The call stack: which playbooks have been called and have not returned, the innermost first."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QFrame, QTreeWidget, QTreeWidgetItem, QWidget

from workbench.engine.state.frames import Frame
from workbench.gui.words.run_words import number_of
from workbench.i18n import _


class CallStack(QTreeWidget):
    """A click or Enter on a frame selects its step and shows its variables."""

    frame_chosen = Signal(object)  # Frame

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._frames: tuple[Frame, ...] = ()
        self.setHeaderLabels([_("Playbook"), _("Step")])
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setRootIsDecorated(False)
        self.setUniformRowHeights(True)
        self.setAllColumnsShowFocus(True)
        self.setAccessibleName(_("Call stack"))
        self.itemClicked.connect(self._on_chosen)
        self.itemActivated.connect(self._on_chosen)

    def chosen(self) -> Frame | None:
        """The frame that is looked at: the one that was chosen, else the innermost."""
        row = self.currentIndex().row()
        if 0 <= row < len(self._frames):
            return self._frames[row]
        return self._frames[0] if self._frames else None

    def show_frames(self, frames: Sequence[Frame]) -> None:
        """Show *frames*, given outermost first; the innermost is looked at again when the depth changes."""
        shown = tuple(reversed(frames))
        if len(shown) != len(self._frames):
            self.clear()
            self.addTopLevelItems([QTreeWidgetItem() for _frame in shown])
            self.setCurrentIndex(self.model().index(0, 0))
        self._frames = shown
        for row, frame in enumerate(shown):
            item = self.topLevelItem(row)
            if item is not None:
                item.setText(0, frame.playbook)
                item.setText(1, number_of(frame.step))

    @Slot()
    def _on_chosen(self) -> None:
        frame = self.chosen()
        if frame is not None:
            self.frame_chosen.emit(frame)
