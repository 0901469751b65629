"""What every form of a question has: its head, what scrolls, and what answers it, which is always in view."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import QEvent, Qt, Signal, Slot
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QApplication, QFrame, QHBoxLayout, QPushButton, QScrollArea, QVBoxLayout, QWidget

from workbench.engine.ports import Request
from workbench.gui.look.icons import Picture, icon
from workbench.gui.look.label import Label
from workbench.gui.look.layouts import in_column, in_row
from workbench.gui.look.theming import TOOL_ICON_PX, Ink
from workbench.gui.words.values import menu_text
from workbench.i18n import _


class QuestionFrame(QFrame):
    """One question. *answered* carries the answer once all of it can be read.

    What is asked goes into ``column``, which scrolls where there is little room; what answers it into ``foot``.
    """

    answered = Signal(object)  # Answer
    step_chosen = Signal(object)  # str: the address of the step that asks
    link_wanted = Signal(object)  # str: what a link of the step leads to, to be opened
    laid_out = Signal()  # something in it has come, gone, or become larger

    def __init__(self, request: Request, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.request = request
        self.is_answered = False
        self.column = QVBoxLayout()
        self.foot = QVBoxLayout()
        self.area = QScrollArea(self)
        self._refusal = Label(parent=self, role="problem", wraps=True)
        self._refusal.hide()
        self._lay_out()

    def take_focus(self) -> None:
        """Put the cursor where the answer begins."""

    def written(self) -> dict[str, str]:
        """The words that stand in it, by the names of the fields."""
        return {}

    def write_again(self, words: Mapping[str, str]) -> None:
        """Put *words* back that were written into an earlier form of the same question."""

    def event(self, event: QEvent) -> bool:
        """Tell when the form may need another height."""
        is_done = super().event(event)
        if event.type() in {QEvent.Type.LayoutRequest, QEvent.Type.Resize}:
            self.laid_out.emit()
        return is_done

    def needed_px(self, width_px: int) -> int:
        """The height at which all of it can be seen in a pane of *width_px*."""
        return self.column.totalHeightForWidth(width_px) + max(
            self.foot.totalHeightForWidth(width_px), self.foot.totalSizeHint().height()
        )

    def show_refused(self, words: str) -> None:
        """The run did not take the answer: say why, and let it be changed."""
        self.is_answered = False
        self._refusal.setText(words)
        self._refusal.show()

    def head(self, words: str, icon_name: str, ink: Ink) -> QHBoxLayout:
        """A row that says what kind of question it is, who is asked, and in which step."""
        target = self.request.target
        title = _("{title}, for {person}").format(title=words, person=target) if target else words
        number = StepLink(self.request.step, self)
        number.chosen.connect(self.step_chosen)
        number.setVisible(bool(self.request.step))
        picture = Picture(icon(icon_name, ink), self, TOOL_ICON_PX)
        self.setAccessibleName(words)
        return in_row(None, picture, (Label(title, self, role="secondary", wraps=True), 1), number, spacing=6)

    def _lay_out(self) -> None:
        body = QWidget(self)
        in_column(body, self.column, 1, margins=0, spacing=0)  # aligned to the top, Qt would squeeze lines that wrap
        self.column.setContentsMargins(16, 10, 16, 0)
        self.column.setSpacing(8)
        self.foot.setContentsMargins(16, 8, 16, 8)
        self.foot.addWidget(self._refusal)
        self.area.setFrameShape(QFrame.Shape.NoFrame)
        self.area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.area.setWidgetResizable(True)
        self.area.setWidget(body)
        in_column(self, (self.area, 1), self.foot, margins=0, spacing=0)


class ChoiceButton(QPushButton):
    """A button that says which one it is; Enter presses it, as Space does."""

    chosen = Signal(object)  # str

    def __init__(self, name: str, text: str, parent: QWidget) -> None:
        super().__init__(text, parent)
        self._name = name
        self.setAutoDefault(True)
        self.clicked.connect(self._on_clicked)

    def event(self, event: QEvent) -> bool:
        """The letter of a button is not meant for it where it is pressed in a text that is being written."""
        pane: QWidget | None = self
        while pane is not None and not isinstance(pane, QuestionFrame):
            pane = pane.parentWidget()
        is_letter = event.type() is QEvent.Type.Shortcut
        return True if is_letter and is_typing(QApplication.focusWidget(), pane or self) else super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Outside a dialog Enter does nothing on a button by itself."""
        if event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter}:
            self.click()
        else:
            super().keyPressEvent(event)

    @Slot()
    def _on_clicked(self) -> None:
        self.chosen.emit(self._name)


class StepLink(QPushButton):
    """The number of a step; a click selects it everywhere."""

    chosen = Signal(object)  # str: the address

    def __init__(self, address: str, parent: QWidget) -> None:
        super().__init__(menu_text(address), parent)
        self._address = address
        self.setFlat(True)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setToolTip(_("Show this step"))
        self.clicked.connect(self._on_clicked)

    @Slot()
    def _on_clicked(self) -> None:
        self.chosen.emit(self._address)


def is_typing(focused: QWidget | None, pane: QWidget) -> bool:
    """Whether the keys belong to somebody who types outside *pane*."""
    if focused is None or pane.isAncestorOf(focused):
        return False
    return focused.testAttribute(Qt.WidgetAttribute.WA_InputMethodEnabled)
