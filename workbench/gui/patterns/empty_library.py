"""What the library shows while it is empty, or cannot be opened."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import QLabel, QPushButton, QVBoxLayout, QWidget

from workbench.gui.look.icons import pixmap
from workbench.gui.look.theme import GRID_PX, Theme, ThemeController
from workbench.i18n import _

_ICON_PX = 32


class EmptyLibrary(QWidget):
    """Says how patterns come to be, or why there is nothing to see."""

    import_requested = Signal()

    def __init__(self, theme: ThemeController, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._icon_name = "pattern"
        self._icon = QLabel(self)
        self.title = QLabel(self)
        self.title.setProperty("role", "title")
        self.text = QLabel(self)
        self.text.setProperty("role", "muted")
        self.bring_in = QPushButton(_("Import…"), self)
        self.bring_in.clicked.connect(self._on_import_clicked)
        column = QVBoxLayout(self)
        column.setContentsMargins(2 * GRID_PX, 2 * GRID_PX, 2 * GRID_PX, 2 * GRID_PX)
        column.setSpacing(GRID_PX)
        column.addStretch(1)
        for label in (self._icon, self.title, self.text):
            label.setAlignment(Qt.AlignmentFlag.AlignCenter)
            label.setTextFormat(Qt.TextFormat.PlainText)
            label.setWordWrap(True)
            column.addWidget(label)
        column.addWidget(self.bring_in, 0, Qt.AlignmentFlag.AlignCenter)
        column.addStretch(2)
        theme.theme_changed.connect(self._on_theme_changed)
        self.show_invitation()

    def show_invitation(self) -> None:
        """Say how patterns come to be."""
        self._show(
            "pattern",
            _("No patterns yet"),
            _(
                "When a run succeeds, the tools and Python functions that it called are recorded here, in their order. "
                "What has worked three times can be promoted to a skill or to a playbook."
            ),
        )
        self.bring_in.show()

    def show_failure(self, why: str) -> None:
        """Say why the library cannot be shown."""
        self._show("warning", _("The library cannot be shown"), why)
        self.bring_in.hide()

    def _show(self, icon_name: str, title: str, text: str) -> None:
        self._icon_name = icon_name
        self.title.setText(title)
        self.text.setText(text)
        self._on_theme_changed(self._theme.theme)

    @Slot()
    def _on_import_clicked(self) -> None:
        self.import_requested.emit()

    @Slot(object)
    def _on_theme_changed(self, theme: Theme) -> None:
        self._icon.setPixmap(pixmap(self._icon_name, theme.muted, _ICON_PX, self.devicePixelRatioF()))
