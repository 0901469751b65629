"""The strip above a pane: its icon, its name and its buttons."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QMouseEvent, QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QToolButton, QWidget

from workbench.gui.look.icons import Picture, icon
from workbench.gui.look.label import ElidedLabel
from workbench.gui.look.layouts import in_column, in_row
from workbench.gui.look.theming import GRID_PX, SMALL_ICON_PX, Ink, current_theme
from workbench.i18n import _

_MARGINS_PX = 24


class PaneTitle(QWidget):
    """Icon, name, *detail*, and the buttons that are added. What the mouse does on it is the pane's affair."""

    def __init__(self, icon_name: str, text: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("pane-title")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        picture = Picture(icon(icon_name, Ink.MUTED), self, SMALL_ICON_PX)
        name = ElidedLabel(text, self)
        name.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)
        name.setMinimumWidth(GRID_PX * 3)  # else large text in all panes would make the window wider than a screen
        name.setToolTip(text)
        self.detail = ElidedLabel("", self, role="secondary")
        self._row = in_row(self, picture, name, (self.detail, 1), margins=(8, 3, 4, 3), spacing=6)
        self._name, self._buttons = name, list[QToolButton]()

    def add_button(self, icon_name: str, text: str, pressed: Callable[[], object]) -> QToolButton:
        """A button at the right end."""
        button = QToolButton(self)
        button.clicked.connect(pressed)
        show_on(button, icon_name, text)
        self._row.addWidget(button)
        self._buttons.append(button)
        return button

    def resizeEvent(self, event: QResizeEvent) -> None:
        """The name is worth more than the buttons, all of which have commands; the last one stays."""
        super().resizeEvent(event)
        free = self.width() - self._name.sizeHint().width() - current_theme().px(SMALL_ICON_PX) - _MARGINS_PX
        for at, button in enumerate(reversed(self._buttons)):
            free -= button.sizeHint().width() + self._row.spacing()
            button.setVisible(at == 0 or free >= 0)


def show_on(button: QToolButton, icon_name: str, text: str) -> None:
    """Let *button* show the icon and say *text*."""
    button.setIcon(icon(icon_name, Ink.MUTED))
    button.setToolTip(text)
    button.setAccessibleName(text)


class TitledPane(QWidget):
    """A pane of the middle. A double click on its title, or its button, asks for all the room or gives it back."""

    maximise_requested = Signal(object)  # TitledPane

    content: QWidget

    def __init__(self, icon_name: str, text: str, parent: QWidget) -> None:
        super().__init__(parent)
        self.title = PaneTitle(icon_name, text, self)
        self._button = self.title.add_button("maximise", "", self._on_pressed)
        self._button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.show_shared()

    def hold(self, content: QWidget, *above: QWidget) -> None:
        """Show *content*, and *above* it what stands between the title and it; all of them are children already."""
        self.content = content
        in_column(self, self.title, *above, (content, 1), margins=0, spacing=0)

    def show_maximised(self) -> None:
        """Offer to give the room back."""
        show_on(self._button, "restore", _("Show both panes"))

    def show_shared(self) -> None:
        """Offer to take all the room."""
        show_on(self._button, "maximise", _("Enlarge this pane"))

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """As the button does."""
        if self.title.geometry().contains(event.position().toPoint()):
            self._on_pressed()

    @Slot()
    def _on_pressed(self) -> None:
        self.maximise_requested.emit(self)
