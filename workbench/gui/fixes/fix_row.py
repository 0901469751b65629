"""Buttons that mend what is doubtful, and one that says why it is."""

from __future__ import annotations

from PySide6.QtCore import QPoint, Slot
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QWidget

from workbench.gui.control.context import WindowContext
from workbench.gui.fixes.fix_preview import FixPreview, preview_fix
from workbench.gui.fixes.rule_dialog import RuleDialog, show_rule
from workbench.gui.words.values import menu_text, tip
from workbench.i18n import _
from workbench.model.checks.rules import rule_page
from workbench.syntax.diagnostics import Diagnostic, Fix


class FixButton(QPushButton):
    """Previews one fix above itself."""

    def __init__(self, context: WindowContext, fix: Fix, parent: QWidget) -> None:
        super().__init__(menu_text(fix.title), parent)
        self._context = context
        self._fix = fix
        self._revision = context.documents.snapshot.revision
        self.preview: FixPreview | None = None
        self.setToolTip(tip(_("Preview “{title}”").format(title=fix.title)))
        self.clicked.connect(self._on_clicked)

    @Slot()
    def _on_clicked(self) -> None:
        """Preview the fix, unless the text has changed since it was offered: new findings are on their way then."""
        if self._context.documents.snapshot.revision == self._revision:
            place = self.mapToGlobal(QPoint(0, self.height()))
            self.preview = preview_fix(self._context, self._fix, self, place)


class WhyButton(QPushButton):
    """Opens the page of one rule."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(_("Why?"), parent)
        self._code = ""
        self.dialog: RuleDialog | None = None
        self.setProperty("role", "link")
        self.setToolTip(_("Explain this finding, with an example"))
        self.clicked.connect(self._on_clicked)
        self.hide()

    def show_code(self, code: str) -> None:
        """Lead to the page of *code*; hidden where there is none."""
        self._code = code
        self.setVisible(rule_page(code) is not None)

    @Slot()
    def _on_clicked(self) -> None:
        self.dialog = show_rule(self._code, self)


class FixRow(QWidget):
    """The fixes of one finding, side by side, and why it is one; hidden where there is nothing to show."""

    def __init__(self, context: WindowContext, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._context = context
        self._row = QHBoxLayout(self)
        self._row.setContentsMargins(8, 4, 8, 4)
        self.why = WhyButton(self)
        self._row.addWidget(self.why)
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
        self.why.show_code(finding.code if finding is not None else "")
        self.setVisible(bool(self.buttons) or not self.why.isHidden())
