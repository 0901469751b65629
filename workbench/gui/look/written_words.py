"""Words that run from right to left where they are written, and in the cells of lists.

Qt lets a field run as the first letter in it does, several lines at the left all the same, and a cell as the window
does. A sentence that begins with a name such as ``$order`` runs as its own words do: so flowchart and labels show it.
"""

from __future__ import annotations

from PySide6.QtCore import QEvent, QModelIndex, QObject, QPersistentModelIndex, Qt, Slot
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QApplication,
    QLineEdit,
    QPlainTextEdit,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from workbench.gui.words.directions import begins_left, has_marks, ordered

_AUTO, _LEFT = Qt.LayoutDirection.LayoutDirectionAuto, Qt.LayoutDirection.RightToLeft


class WrittenDirection(QObject):
    """Has a field run as the words in it do, while they are written."""

    def __init__(self, field: QLineEdit | QPlainTextEdit) -> None:
        super().__init__(field)
        self._field = field
        self._is_left = False
        field.textChanged.connect(self._on_changed)
        self._on_changed()

    @Slot()
    def _on_changed(self) -> None:
        field = self._field
        is_left = begins_left(field.text() if isinstance(field, QLineEdit) else field.toPlainText())
        if is_left is self._is_left:
            return
        self._is_left = is_left
        if isinstance(field, QLineEdit):
            # as the keys do by which a person sets the direction; there is no other way in
            key = Qt.Key.Key_Direction_R if is_left else Qt.Key.Key_Direction_L
            QApplication.sendEvent(field, QKeyEvent(QEvent.Type.KeyPress, key, Qt.KeyboardModifier.NoModifier))
        else:
            option = field.document().defaultTextOption()
            option.setTextDirection(_LEFT if is_left else _AUTO)
            option.setAlignment(Qt.AlignmentFlag.AlignRight if is_left else Qt.AlignmentFlag.AlignLeft)
            field.document().setDefaultTextOption(option)


def follow_words(field: QWidget | None) -> None:
    """Let *field* run as its words do from now on, where it is one that words are written in."""
    if not isinstance(field, QLineEdit | QPlainTextEdit) or field.findChild(WrittenDirection, options=_CHILDREN):
        return
    # the source keeps the markers of steps at the left
    if isinstance(field, QLineEdit) or field.document().defaultTextOption().textDirection() is _AUTO:
        WrittenDirection(field)


class FieldsInUse(QObject):
    """Lets every field that gets the keys run as its words do."""

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        application = QApplication.instance()
        if isinstance(application, QApplication):
            application.focusChanged.connect(self._on_focus_changed)

    @Slot(QWidget, QWidget)
    def _on_focus_changed(self, _old: QWidget | None, now: QWidget | None) -> None:
        follow_words(now)


_CHILDREN = Qt.FindChildOption.FindDirectChildrenOnly
AnyIndex = QModelIndex | QPersistentModelIndex


class WordsDelegate(QStyledItemDelegate):
    """Draws cells whose words run from right to left as such, with names and code in them whole."""

    def initStyleOption(self, option: QStyleOptionViewItem, index: AnyIndex) -> None:
        """Only what is drawn: what is copied, searched or edited stays as it is."""
        super().initStyleOption(option, index)
        if not option.text.isascii() and not has_marks(option.text):
            option.text = ordered(option.text)


def read_as_written(view: QAbstractItemView) -> None:
    """Let the cells of *view* be drawn as their words run."""
    view.setItemDelegate(WordsDelegate(view))
