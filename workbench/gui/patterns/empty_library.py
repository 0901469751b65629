"""What the library shows while it is empty, or cannot be opened."""

from __future__ import annotations

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QPushButton, QWidget

from workbench.gui.look.empty_state import EmptyState
from workbench.gui.look.theme import ThemeController
from workbench.i18n import _


class EmptyLibrary(EmptyState):
    """Says how patterns come to be, or why there is nothing to see."""

    import_requested = Signal()

    def __init__(self, theme: ThemeController, parent: QWidget | None = None) -> None:
        super().__init__("pattern", "", "", parent)
        self._theme = theme
        self.bring_in = QPushButton(_("Import…"), self)
        self.bring_in.clicked.connect(self._on_import_clicked)
        self.add_button(self.bring_in)
        theme.theme_changed.connect(self.show_theme)
        self.show_invitation()

    def show_invitation(self) -> None:
        """Say how patterns come to be."""
        self.tell(
            "pattern",
            _("No patterns yet"),
            _(
                "When a run succeeds, the tools and Python functions that it called are recorded here, in their order. "
                "What has worked three times can be promoted to a skill or to a playbook."
            ),
        )
        self.show_theme(self._theme.theme)
        self.bring_in.show()

    def show_failure(self, why: str) -> None:
        """Say why the library cannot be shown."""
        self.tell("warning", _("The library cannot be shown"), why)
        self.show_theme(self._theme.theme)
        self.bring_in.hide()

    @Slot()
    def _on_import_clicked(self) -> None:
        self.import_requested.emit()
