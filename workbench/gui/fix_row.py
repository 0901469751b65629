"""Buttons that mend what is doubtful."""

from __future__ import annotations

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QWidget

from workbench.editing.commands import EditText
from workbench.gui.context import WindowContext
from workbench.i18n import _
from workbench.syntax.diagnostics import Diagnostic, Fix


class FixButton(QPushButton):
    """Applies one fix; its tool tip shows what will be written."""

    def __init__(self, context: WindowContext, fix: Fix, parent: QWidget) -> None:
        super().__init__(fix.title, parent)
        self._context = context
        self._fix = fix
        self._revision = context.documents.snapshot.revision
        self.setToolTip(preview_of(fix, context.documents.snapshot.text))
        self.clicked.connect(self._on_clicked)

    @Slot()
    def _on_clicked(self) -> None:
        """Apply the fix, unless the text has changed since it was offered: new findings are on their way then."""
        if self._context.documents.snapshot.revision == self._revision:
            apply_fix(self._context, self._fix)


class FixRow(QWidget):
    """The fixes of one finding, side by side; hidden where there are none."""

    def __init__(self, context: WindowContext, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._context = context
        self._row = QHBoxLayout(self)
        self._row.setContentsMargins(8, 4, 8, 4)
        self._row.addStretch(1)
        self.buttons: tuple[FixButton, ...] = ()
        self.hide()

    def show_fixes(self, finding: Diagnostic | None) -> None:
        """Offer the fixes of *finding*."""
        for button in self.buttons:
            self._row.removeWidget(button)
            button.hide()
            button.deleteLater()
        fixes = finding.fixes if finding is not None else ()
        self.buttons = tuple(FixButton(self._context, fix, self) for fix in fixes)
        for index, button in enumerate(self.buttons):
            self._row.insertWidget(index, button)
        self.setVisible(bool(self.buttons))


def apply_fix(context: WindowContext, fix: Fix) -> None:
    """Make the edits of *fix*, as one undo entry with its name."""
    context.documents.execute(EditText(fix.edits, fix.title), context.selection.selected)


def preview_of(fix: Fix, text: str) -> str:
    """What the fix takes away and what it writes, line by line."""
    lines: list[str] = []
    for edit in fix.edits:
        old = edit.span.of(text)
        lines += [f"− {line}" for line in old.splitlines()]
        lines += [f"+ {line}" for line in edit.insert.splitlines()]
    return "\n".join(lines[:20]) or _("Removes blank text")
