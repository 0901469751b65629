"""Why something is a finding: the page of its rule, with an example."""

from __future__ import annotations

from PySide6.QtCore import QEvent
from PySide6.QtGui import QColor, QPalette, QTextBlock, QTextCharFormat, QTextCursor, QTextFormat
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QTextBrowser, QVBoxLayout, QWidget

from workbench.gui.look.theming import BODY_PX, TITLE_PX, Theme, current_theme, is_theme_change
from workbench.model.checks.rules import RulePage, rule_page

_SIZE_PX = (640, 560)
_MARGIN_PX = 16
_HEADING_PX = {1: 18, 2: TITLE_PX}


class RuleDialog(QDialog):
    """One page; the window behind it stays usable."""

    def __init__(self, page: RulePage, parent: QWidget) -> None:
        super().__init__(parent)
        self.setWindowTitle(page.title)
        self.text = QTextBrowser(self)
        self.text.setOpenLinks(False)
        self.text.setAccessibleName(page.title)
        self.text.setFrameShape(QTextBrowser.Shape.NoFrame)
        self.text.document().setDocumentMargin(_MARGIN_PX)
        self._page = page
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close, self)
        buttons.rejected.connect(self.reject)
        column = QVBoxLayout(self)
        column.addWidget(self.text, 1)
        column.addWidget(buttons)
        self._render()
        self.resize(*(current_theme().px(side) for side in _SIZE_PX))

    def customEvent(self, event: QEvent) -> None:
        """The letters and grounds of the page are part of its text."""
        if is_theme_change(event):
            self._render()

    def _render(self) -> None:
        theme = current_theme()
        palette = self.text.palette()
        palette.setColor(QPalette.ColorRole.Text, QColor(theme.text))
        palette.setColor(QPalette.ColorRole.Base, QColor(theme.surface))
        self.text.setPalette(palette)
        self.text.document().setDefaultFont(theme.body_font())
        self.text.setMarkdown(self._page.text)
        block = self.text.document().begin()
        while block.isValid():
            _style(block, theme)
            block = block.next()


def _style(block: QTextBlock, theme: Theme) -> None:
    """Give headings the sizes of the window and some room, and code a ground of its own."""
    form = block.blockFormat()
    cursor = QTextCursor(block)
    cursor.movePosition(QTextCursor.MoveOperation.EndOfBlock, QTextCursor.MoveMode.KeepAnchor)
    level = form.headingLevel()
    if level:
        letters = QTextCharFormat()
        font = theme.title_font()
        font.setPixelSize(theme.px(_HEADING_PX.get(level, BODY_PX)))
        letters.setFont(font)
        cursor.mergeCharFormat(letters)
        form.setTopMargin(theme.px(16) if level > 1 else 0)
        form.setBottomMargin(theme.px(4))
    elif form.hasProperty(QTextFormat.Property.BlockCodeFence):
        form.setBackground(QColor(theme.hover))
    else:
        form.setBottomMargin(theme.px(4))
    cursor.setBlockFormat(form)


def show_rule(code: str, parent: QWidget) -> RuleDialog | None:
    """Open the page of *code*; None where there is none."""
    page = rule_page(code)
    if page is None:
        return None
    dialog = RuleDialog(page, parent.window())
    dialog.finished.connect(dialog.deleteLater)
    dialog.show()
    return dialog
