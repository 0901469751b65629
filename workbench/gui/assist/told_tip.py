"""What the pointer would be told, shown for who has asked by a key, and read to who listens."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QPoint, QRect, Qt
from PySide6.QtGui import QFocusEvent, QKeyEvent
from PySide6.QtWidgets import QAbstractItemView, QAbstractScrollArea, QTextEdit, QWidget
from shiboken6 import isValid

from workbench.gui.control.explaining.help_controller import Telling, Told
from workbench.gui.look.theming import GRID_PX, current_theme
from workbench.gui.words.directions import ordered
from workbench.gui.words.values import drawable, told_in
from workbench.i18n import _

_WIDE_PX = 420
_MOST_OF_WINDOW = 0.6
_ENDLESS_PX = 100_000
_MODIFIERS = (Qt.Key.Key_Control, Qt.Key.Key_Shift, Qt.Key.Key_Alt, Qt.Key.Key_Meta, Qt.Key.Key_AltGr)
_GOES_WITH = (QEvent.Type.FocusOut, QEvent.Type.Hide, QEvent.Type.Wheel, QEvent.Type.MouseButtonPress)


class ToldTip(QTextEdit):
    """Stands over the window beside what it is about, and goes with the next key; Esc takes it away.

    Asked for once more, it has the keys itself, to be scrolled and copied from.
    """

    def __init__(self, owner: QWidget) -> None:
        super().__init__(owner.window())
        self._owner = owner
        self._told: Told | None = None
        self.setObjectName("told-tip")
        self.setReadOnly(True)
        self.setTabChangesFocus(True)
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        self.setAccessibleName(_("What is known of this"))
        self.hide()
        for each in _watched(owner):
            each.installEventFilter(self)

    @property
    def owner(self) -> QWidget:
        """What has been asked about, which has the keys meanwhile."""
        return self._owner

    def tell(self, told: Told) -> None:
        """Show *told* beside its place; where it is shown already, take the keys."""
        if told == self._told and self.isVisible():
            self.setFocus()
            return
        self._told = told
        self.setPlainText(ordered(drawable(told.words)))
        self._stand_by(told)
        self.show()
        self.raise_()

    def _stand_by(self, told: Told) -> None:
        """Below the place, or above it where there is more room, and within the window."""
        window, frame = self.window(), 2 * self.frameWidth() + GRID_PX
        wide = min(current_theme().px(_WIDE_PX), window.width() - 2 * GRID_PX)
        self.ensurePolished()
        letters, words = self.fontMetrics(), self.toPlainText()
        frame += round(2 * self.document().documentMargin())
        wide = min(wide, max(map(letters.horizontalAdvance, words.split("\n"))) + frame + GRID_PX)
        room = QRect(0, 0, wide - frame - GRID_PX, _ENDLESS_PX)
        high = letters.boundingRect(room, int(Qt.TextFlag.TextWordWrap), words).height() + frame
        self.resize(wide, min(high, round(window.height() * _MOST_OF_WINDOW)))
        below = window.mapFromGlobal(told.place.bottomLeft()) + QPoint(0, 4)
        above = window.mapFromGlobal(told.place.topLeft()).y() - 4 - self.height()
        fits = below.y() + self.height() <= window.height()
        y = below.y() if fits or above < 0 else above
        right, bottom = window.width() - GRID_PX - wide, window.height() - GRID_PX - self.height()
        self.move(max(GRID_PX, min(below.x(), right)), max(GRID_PX, min(y, bottom)))

    def leave(self) -> None:
        """Go away; the keys go back to whoever had them."""
        has_keys = self.hasFocus()
        self.hide()
        if has_keys and isValid(self._owner):
            self._owner.setFocus()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Go with the next key, click or turn of the wheel where it is about; Esc does nothing else then."""
        if self.isHidden():
            return False
        kind = event.type()
        if isinstance(event, QKeyEvent) and kind in (QEvent.Type.KeyPress, QEvent.Type.ShortcutOverride):
            is_esc = event.key() == Qt.Key.Key_Escape
            if is_esc:
                event.accept()
            if kind is QEvent.Type.KeyPress and event.key() not in _MODIFIERS:
                self.hide()
            return is_esc
        if kind in _GOES_WITH and not (kind is QEvent.Type.FocusOut and self.hasFocus()):
            self.hide()
        return super().eventFilter(watched, event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Esc leads back; other keys scroll and select."""
        if event.key() == Qt.Key.Key_Escape:
            self.leave()
        else:
            super().keyPressEvent(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """It is not looked at any longer."""
        super().focusOutEvent(event)
        if event.reason() is not Qt.FocusReason.PopupFocusReason:
            self.hide()


def _watched(owner: QWidget) -> tuple[QWidget, ...]:
    return (owner, owner.viewport()) if isinstance(owner, QAbstractScrollArea) else (owner,)


def told_of(focus: QWidget | None) -> Told | None:
    """What the pointer would be told where the keys are: by what knows its own places, or by a tool tip."""
    widget = focus
    while widget is not None:
        if isinstance(widget, Telling):
            return widget.told_here()
        told = _row_of(widget) if isinstance(widget, QAbstractItemView) else None
        told = told or _tip_of(widget)
        if told is not None or widget.isWindow():
            return told
        widget = widget.parentWidget()
    return None


def _row_of(view: QAbstractItemView) -> Told | None:
    """The tool tip of the current row, without its markup."""
    index = view.currentIndex()
    words = told_in(str(index.data(Qt.ItemDataRole.ToolTipRole) or ""))
    area = view.visualRect(index)
    return Told(words, area.translated(view.viewport().mapToGlobal(QPoint()))) if words else None


def _tip_of(widget: QWidget) -> Told | None:
    words = told_in(widget.toolTip())
    return Told(words, widget.rect().translated(widget.mapToGlobal(QPoint()))) if words else None
