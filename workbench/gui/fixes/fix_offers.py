"""Fixes wherever a finding is shown, in a menu and as buttons, and why it is one: the page of its rule."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QPoint, Slot
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QHBoxLayout, QMenu, QPushButton, QWidget

from workbench.gui.control.context import WindowContext
from workbench.gui.fixes.fix_preview import FixPreview, preview_fix
from workbench.gui.fixes.operations import OfferedOperation, add_operations
from workbench.gui.look.icons import icon
from workbench.gui.look.theming import Ink
from workbench.gui.words.values import menu_text, tip
from workbench.i18n import _
from workbench.model.checks.rules import rule_page
from workbench.syntax.diagnostics import Diagnostic, Fix


class FixAction(QAction):
    """Previews one fix where its menu was."""

    def __init__(self, context: WindowContext, fix: Fix, menu: QMenu) -> None:
        super().__init__(icon("bulb"), menu_text(fix.title), menu)
        self._context = context
        self._fix = fix
        self._menu = menu
        self._revision = context.documents.snapshot.revision
        self.triggered.connect(self._on_triggered)

    @Slot()
    def _on_triggered(self) -> None:
        """Preview the fix, unless the text has changed since it was offered."""
        parent = self._menu.parentWidget()
        if parent is not None and self._context.documents.snapshot.revision == self._revision:
            preview_fix(self._context, self._fix, parent, self._menu.pos())


class WhyAction(QAction):
    """Has the page of a rule shown."""

    def __init__(self, context: WindowContext, code: str, menu: QMenu) -> None:
        super().__init__(icon("info", Ink.MUTED), _("Why? ({code})").format(code=code), menu)
        self._context = context
        self._code = code
        self.triggered.connect(self._on_triggered)

    @Slot()
    def _on_triggered(self) -> None:
        self._context.help.explain(self._code)


def add_fixes(menu: QMenu, context: WindowContext, findings: Sequence[Diagnostic]) -> None:
    """Add the fixes of *findings* to *menu*, and below them why each is a finding."""
    menu.addActions([FixAction(context, fix, menu) for finding in findings for fix in finding.fixes])
    codes = dict.fromkeys(finding.code for finding in findings if rule_page(finding.code) is not None)
    menu.addActions([WhyAction(context, code, menu) for code in codes])


def open_fixes(
    context: WindowContext,
    findings: Sequence[Diagnostic],
    parent: QWidget,
    point: QPoint,
    offers: Sequence[OfferedOperation] = (),
) -> QMenu | FixPreview | None:
    """Offer the fixes of *findings* at *point* of the screen: a menu, or at once the preview of the only one.

    Below them the *offers* that can be done to the steps there.
    """
    fixes = [fix for finding in findings for fix in finding.fixes]
    if len(fixes) == 1:
        return preview_fix(context, fixes[0], parent, point)
    menu = QMenu(parent)
    add_fixes(menu, context, findings)
    menu.addSeparator()
    add_operations(menu, context, offers)
    if not any(not action.isSeparator() for action in menu.actions()):
        menu.deleteLater()
        context.notices.tell(_("Nothing to fix here."))
        return None
    menu.aboutToHide.connect(menu.deleteLater)
    menu.popup(point)
    return menu


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
    """Has the page of one rule shown."""

    def __init__(self, context: WindowContext, parent: QWidget) -> None:
        super().__init__(_("Why?"), parent)
        self._context = context
        self._code = ""
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
        self._context.help.explain(self._code)


class FixRow(QWidget):
    """The fixes of one finding, side by side, and why it is one; hidden where there is nothing to show."""

    def __init__(self, context: WindowContext, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._context = context
        self._row = QHBoxLayout(self)
        self._row.setContentsMargins(8, 4, 8, 4)
        self.why = WhyButton(context, self)
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
