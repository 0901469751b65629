"""What a call would do, all of it: to be read, scrolled and copied; a difference has the colours of one."""

from __future__ import annotations

from PySide6.QtCore import QSize
from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import QPlainTextEdit, QSizePolicy, QWidget

from workbench.gui.look.theming import current_theme
from workbench.gui.look.tinted_lines import tint_lines
from workbench.gui.words.values import drawable
from workbench.i18n import ngettext, numeral
from workbench.tools.values import Preview

LONGEST_LINE = 160
_MOST_ROWS, _FEWEST_ROWS = 14, 3
_HEADS = ("+++", "---")


class CallView(QPlainTextEdit):
    """Long lines are wrapped, so that nothing of them is out of sight at the side."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent, readOnly=True, tabChangesFocus=True)
        self._is_difference = False
        self.setProperty("role", "mono")
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.MinimumExpanding)
        self.hide()

    def show_preview(self, preview: Preview) -> None:
        """Show what stands in no label: the detail, below the summary where that is long itself."""
        parts = [] if is_short(preview.summary) else [preview.summary]
        text = "\n\n".join(filter(None, (*parts, preview.detail)))
        self._show(text, is_difference=preview.is_difference and not parts)

    def show_text(self, text: str, *, is_difference: bool) -> None:
        """Show *text*."""
        self._show(text, is_difference=is_difference)

    def take_theme(self) -> None:
        """Other colours of the lines, and letters of another height."""
        self._tint()
        self.updateGeometry()

    def sizeHint(self) -> QSize:
        """High enough to see what it is about: where there is more room, it takes that, and else scrolls by itself."""
        return QSize(super().sizeHint().width(), self._height(_FEWEST_ROWS))

    def minimumSizeHint(self) -> QSize:
        """The same."""
        return self.sizeHint()

    @property
    def more_px(self) -> int:
        """How much higher it had to be for most calls to be seen as a whole."""
        return 0 if self.isHidden() else self._height(_MOST_ROWS) - self._height(_FEWEST_ROWS)

    def _show(self, text: str, *, is_difference: bool) -> None:
        self._is_difference = is_difference
        self.setPlainText(drawable(text))
        count = self.blockCount()
        words = ngettext("What would happen, {count} line", "What would happen, {count} lines", count)
        self.setAccessibleName(words.format(count=numeral(count)))
        self.setVisible(bool(text))
        self._tint()
        self.updateGeometry()

    def _tint(self) -> None:
        theme = current_theme()
        tints = {"+": theme.done, "-": theme.failed} if self._is_difference else {}
        lines = enumerate(self.toPlainText().split("\n"))
        tint_lines(self, ((at, tints[line[0]]) for at, line in lines if line[:1] in tints and line[:3] not in _HEADS))

    def _height(self, most_rows: int) -> int:
        rows = sum(1 + len(line) // LONGEST_LINE for line in self.toPlainText().split("\n")[:most_rows])
        line_px = QFontMetrics(current_theme().mono_font()).lineSpacing()
        return line_px * min(rows, most_rows) + 2 * current_theme().px(8)


def is_short(summary: str) -> bool:
    """Whether *summary* is read at one glance, in a label."""
    return "\n" not in summary and len(summary) <= LONGEST_LINE
