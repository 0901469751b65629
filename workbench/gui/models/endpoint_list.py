"""The list of model endpoints."""

from __future__ import annotations

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QListWidget, QWidget

from workbench.gui.words.values import drawable_line
from workbench.i18n import _
from workbench.providers.endpoints import Endpoint
from workbench.providers.known import Endpoints


class EndpointList(QListWidget):
    """Shows which endpoints there are, and says which is chosen."""

    chosen = Signal(object)  # Endpoint

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setAccessibleName(_("Model endpoints"))
        self._known = Endpoints()
        self.currentRowChanged.connect(self._on_row)

    def show_endpoints(self, known: Endpoints, name: str) -> bool:
        """Show *known*, and choose the one called *name*, or the first. False where there is none."""
        self._known = known
        self.blockSignals(True)  # rows come and go; the one to show is chosen below
        self.clear()
        self.addItems([self._row(each) for each in known.known])
        self.blockSignals(False)
        names = [each.name for each in known.known]
        self.setCurrentRow(names.index(name) if name in names else 0 if names else -1)
        return bool(names)

    def _row(self, endpoint: Endpoint) -> str:
        notes = [_("default")] if endpoint.name == self._known.default else []
        notes += [_("project")] if endpoint.origin else []
        return drawable_line(f"{endpoint.name} ({', '.join(notes)})" if notes else endpoint.name)

    @Slot(int)
    def _on_row(self, row: int) -> None:
        if row >= 0:
            self.chosen.emit(self._known.known[row])
