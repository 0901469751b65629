"""What stands in a step besides its words: its prose, its commands and its tables, as people read them."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QSize, Qt, Slot
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QGridLayout, QSizePolicy, QToolButton, QVBoxLayout, QWidget

from workbench.gui.look.icons import icon
from workbench.gui.look.label import ElidedLabel, Label, WordsLabel
from workbench.gui.look.layouts import in_column, in_row
from workbench.gui.look.theming import SMALL_ICON_PX, Ink
from workbench.gui.words.values import tip
from workbench.i18n import _, ngettext
from workbench.model.program import Step
from workbench.model.showing.texts import Part, PartKind, constraint_in, contents_of

_MOST_PARTS = 40
_MOST_ROWS = 20
_DEEPER_PX = 12
_LONGEST_TIP = 2_000
_SHORT = 30
_NARROW = 16
_BADGES = {"MUST": "badge-must", "SHALL": "badge-must", "SHOULD": "badge-should", "MAY": "badge-may"}


class StepContents(QWidget):
    """Shows the parts of one step; made anew only where they differ."""

    def __init__(self, told: Callable[[str], None], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._told = told
        self.parts: tuple[Part, ...] = ()
        self._page: QWidget | None = None
        self._column: QVBoxLayout = in_column(self, margins=(12, 2, 12, 8), spacing=0)

    def show_step(self, step: Step) -> bool:
        """Show what stands in *step*; false where that is nothing."""
        parts = contents_of(step)
        if parts != self.parts:
            self.parts = parts
            self._fill()
        return bool(parts)

    def _fill(self) -> None:
        if self._page is not None:
            self._column.removeWidget(self._page)
            self._page.hide()
            self._page.deleteLater()
        self._page = page = QWidget(self)
        widgets = [_widget_of(part, page, self._told) for part in self.parts[:_MOST_PARTS]]
        if more := len(self.parts) - len(widgets):
            words = ngettext("… {count} more part, see the source", "… {count} more parts, see the source", more)
            widgets.append(Label(words, page, role="secondary", wraps=True))
        in_column(page, *widgets, margins=0, spacing=6)
        self._column.addWidget(page)


def _widget_of(part: Part, parent: QWidget, told: Callable[[str], None]) -> QWidget:
    if part.kind is PartKind.CODE:
        return CodeView(part, parent, told)
    if part.kind is PartKind.TABLE:
        return _table(part, parent)
    words = WordsLabel(part.source, parent, role="card-title" if part.kind is PartKind.HEADING else None)
    words.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    _take_any_width(words)
    said = constraint_in(part.source)
    if not said and not part.sign:
        return words
    row = QWidget(parent)
    signs: list[QWidget] = [Label(part.sign, row, role="muted")] if part.sign else []
    if said:
        signs.append(Label(said, row, role=_BADGES[said.partition(" ")[0]]))
    for sign in signs:
        sign.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Maximum)
    box = in_row(row, *signs, (words, 1), margins=(part.depth * _DEEPER_PX, 0, 0, 0), spacing=6)
    for each in (*signs, words):
        box.setAlignment(each, Qt.AlignmentFlag.AlignTop)
    return row


def _take_any_width(label: Label) -> None:
    """A long word must not make the pane wider than it is."""
    policy = label.sizePolicy()
    policy.setHorizontalPolicy(QSizePolicy.Policy.Ignored)
    label.setSizePolicy(policy)


class CodeView(QWidget):
    """Lines of code, each as far as there is room for it, below their language and a button that copies all."""

    def __init__(self, part: Part, parent: QWidget, told: Callable[[str], None]) -> None:
        super().__init__(parent)
        self.code = "\n".join([row[0] for row in part.rows])
        self._told = told
        self.button = QToolButton(self)
        self.button.setIcon(icon("copy", Ink.MUTED))
        self.button.setIconSize(QSize(SMALL_ICON_PX, SMALL_ICON_PX))
        self.button.setToolTip(_("Copy this code"))
        self.button.setAccessibleName(_("Copy this code"))
        self.button.clicked.connect(self._on_clicked)
        head = in_row(None, Label(part.language or _("Code"), self, role="secondary"), 1, self.button, margins=0)
        lines = self.code.splitlines()
        labels = [ElidedLabel(line, self, role="mono") for line in lines[:_MOST_ROWS]]
        if more := len(lines) - len(labels):
            words = ngettext("… {count} more line", "… {count} more lines", more)
            labels.append(ElidedLabel(words, self, role="secondary"))
        self.setToolTip(tip(self.code[:_LONGEST_TIP]))
        in_column(self, head, *labels, margins=0, spacing=0)

    @Slot()
    def _on_clicked(self) -> None:
        QGuiApplication.clipboard().setText(self.code)
        lines = len(self.code.splitlines())
        self._told(ngettext("Copied {count} line of code.", "Copied {count} lines of code.", lines))


def _table(part: Part, parent: QWidget) -> QWidget:
    table = QWidget(parent)
    grid = QGridLayout(table)
    grid.setContentsMargins(0, 0, 0, 0)
    grid.setHorizontalSpacing(10)
    grid.setVerticalSpacing(3)
    for index, row in enumerate(part.rows[:_MOST_ROWS]):
        _add_row(grid, index, row, table)
    more = len(part.rows) - _MOST_ROWS
    if more > 0:
        words = ngettext("… {count} more row", "… {count} more rows", more)
        grid.addWidget(Label(words, table, role="secondary"), _MOST_ROWS, 0, 1, -1)
    return table


def _add_row(grid: QGridLayout, index: int, row: Sequence[str], table: QWidget) -> None:
    for column, cell in enumerate(row):
        label = Label(cell, table, role="" if index else "card-title", wraps=True)
        _take_any_width(label)
        grid.addWidget(label, index, column)
        grid.setColumnStretch(column, max(grid.columnStretch(column), min(_SHORT, max(_NARROW, len(cell)))))
