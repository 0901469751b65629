"""The strip above a pane: its icon and name, and a way to give it all the room."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt, Signal, Slot
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QToolButton, QVBoxLayout, QWidget

from workbench.gui.look.elided_label import ElidedLabel
from workbench.gui.look.icons import icon, pixmap
from workbench.gui.look.theme import Theme, ThemeController
from workbench.i18n import _


class PaneTitle(QWidget):
    """A pane's name. A double click, or its button, asks for all the room or gives it back."""

    maximise_requested = Signal()

    def __init__(self, text: str, icon_name: str, theme: ThemeController, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("pane-title")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._icon_name = icon_name
        self._is_maximised = False
        self._theme = theme
        self._picture = QLabel(self)
        self._label = ElidedLabel(text, self)
        self._button = QToolButton(self)
        self._button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self._button.clicked.connect(self.maximise_requested)
        self._lay_out()
        theme.theme_changed.connect(self._on_theme_changed)
        self._on_theme_changed(theme.theme)

    def _lay_out(self) -> None:
        row = QHBoxLayout(self)
        row.setContentsMargins(8, 3, 4, 3)
        row.setSpacing(6)
        row.addWidget(self._picture)
        row.addWidget(self._label, 1)
        row.addWidget(self._button)

    def show_maximised(self) -> None:
        """Offer to give the room back."""
        self._is_maximised = True
        self._on_theme_changed(self._theme.theme)

    def show_shared(self) -> None:
        """Offer to take all the room."""
        self._is_maximised = False
        self._on_theme_changed(self._theme.theme)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Ask for the room, as the button does."""
        event.accept()
        self.maximise_requested.emit()

    @Slot(object)
    def _on_theme_changed(self, theme: Theme) -> None:
        self._picture.setPixmap(pixmap(self._icon_name, theme.muted, theme.px(14), self.devicePixelRatioF()))
        self._button.setIconSize(QSize(theme.px(14), theme.px(14)))
        self._button.setIcon(icon("restore" if self._is_maximised else "maximise", theme.muted))
        text = _("Show the pane beside the other") if self._is_maximised else _("Give this pane all the room")
        self._button.setToolTip(text)
        self._button.setAccessibleName(text)


class TitledPane(QWidget):
    """A pane with its title above it."""

    maximise_requested = Signal(object)  # TitledPane

    def __init__(self, title: PaneTitle, content: QWidget, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.title = title
        self.content = content
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(title)
        column.addWidget(content, 1)
        title.maximise_requested.connect(self._on_maximise_requested)

    @Slot()
    def _on_maximise_requested(self) -> None:
        self.maximise_requested.emit(self)
