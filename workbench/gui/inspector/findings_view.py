"""Findings of one place, each with what can be done about it."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtWidgets import QFormLayout, QFrame, QVBoxLayout, QWidget

from workbench.gui.control.context import WindowContext
from workbench.gui.fixes.fix_offers import FixRow
from workbench.gui.look.icons import Picture, icon
from workbench.gui.look.label import Label
from workbench.gui.look.layouts import in_column
from workbench.gui.look.theming import SMALL_ICON_PX, severity_ink
from workbench.syntax.diagnostics import Diagnostic


class FindingsView(QWidget):
    """Findings with their fixes."""

    def __init__(self, context: WindowContext, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._context = context
        self._column = in_column(self, margins=(12, 2, 12, 8), spacing=2)
        self._cards: list[QWidget] = []
        self._shown: tuple[int, tuple[Diagnostic, ...]] = (-1, ())

    @property
    def count(self) -> int:
        """How many findings are shown."""
        return len(self._cards)

    def show_findings(self, findings: Sequence[Diagnostic]) -> None:
        """Show exactly *findings*."""
        wanted = (self._context.documents.snapshot.revision, tuple(findings))
        if wanted == self._shown:
            return
        self._shown = wanted
        for card in self._cards:
            self._column.removeWidget(card)
            card.hide()
            card.deleteLater()
        self._cards = [self._card(finding) for finding in findings]
        for card in self._cards:
            self._column.addWidget(card)

    def _card(self, finding: Diagnostic) -> QWidget:
        card = QFrame(self)
        column = QVBoxLayout(card)
        column.setContentsMargins(0, 2, 0, 2)
        row = QFormLayout()
        sign = finding.severity.value
        picture = Picture(icon(sign, severity_ink(sign)), card, SMALL_ICON_PX)
        message = Label(finding.message, card, wraps=True)
        row.addRow(picture, message)
        column.addLayout(row)
        fixes = FixRow(self._context, card)
        fixes.show_fixes(finding)
        column.addWidget(fixes)
        return card
