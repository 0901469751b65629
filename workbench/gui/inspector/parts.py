"""The parts that the inspector is made of."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFormLayout, QFrame, QLabel, QVBoxLayout, QWidget

from workbench.gui.control.context import WindowContext
from workbench.gui.fixes.fix_row import FixRow
from workbench.gui.inspector.meaning_words import Row
from workbench.gui.look.icons import Picture, icon
from workbench.gui.look.theme import SMALL_ICON_PX, severity_ink
from workbench.gui.words.drawable import drawable
from workbench.syntax.diagnostics import Diagnostic


class RowsView(QWidget):
    """Labels and values, one below the other."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._form = QFormLayout(self)
        self._form.setContentsMargins(12, 2, 12, 8)
        self._form.setHorizontalSpacing(12)
        self._form.setVerticalSpacing(4)
        self._form.setRowWrapPolicy(QFormLayout.RowWrapPolicy.WrapLongRows)
        self._rows: tuple[Row, ...] = ()

    @property
    def rows(self) -> tuple[Row, ...]:
        """What is shown."""
        return self._rows

    def show_rows(self, rows: Iterable[Row]) -> None:
        """Show exactly *rows*."""
        wanted = tuple(rows)
        if wanted == self._rows:
            return
        self._rows = wanted
        while self._form.rowCount():
            self._form.removeRow(0)
        for label, value in wanted:
            self._form.addRow(_muted(label, self), _value(value, self))


def _muted(text: str, parent: QWidget) -> QLabel:
    label = QLabel(text, parent)
    label.setProperty("role", "secondary")
    return label


def _value(text: str, parent: QWidget) -> QLabel:
    label = QLabel(drawable(text), parent)
    label.setTextFormat(Qt.TextFormat.PlainText)
    label.setWordWrap(True)
    label.setProperty("role", "mono" if _is_code(text) else "")
    label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    return label


def _is_code(text: str) -> bool:
    """True for values that are written in the language of the steps."""
    return any(sign in text for sign in "$=()[]{}\"'<>") or text.replace(".", "").isdigit()


class FindingsView(QWidget):
    """Findings with their fixes."""

    def __init__(self, context: WindowContext, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._context = context
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(12, 2, 12, 8)
        self._column.setSpacing(2)
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
        message = QLabel(finding.message, card)
        message.setTextFormat(Qt.TextFormat.PlainText)
        message.setWordWrap(True)
        row.addRow(picture, message)
        column.addLayout(row)
        fixes = FixRow(self._context, card)
        fixes.show_fixes(finding)
        column.addWidget(fixes)
        return card
