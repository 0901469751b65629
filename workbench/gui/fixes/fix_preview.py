"""What a fix does to the text, line by line: before and after."""

from __future__ import annotations

import enum
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import accumulate

from PySide6.QtCore import QPoint, Qt, Slot
from PySide6.QtGui import QCloseEvent, QKeyEvent
from PySide6.QtWidgets import (
    QApplication,
    QDialogButtonBox,
    QFrame,
    QPlainTextEdit,
    QPushButton,
    QWidget,
)
from shiboken6 import isValid

from workbench.editing.commands import Command, EditText
from workbench.gui.control.context import WindowContext
from workbench.gui.control.versions.version_control import Proposal, Version, Wanted
from workbench.gui.look.label import Label
from workbench.gui.look.layouts import in_column
from workbench.gui.look.theming import current_theme
from workbench.gui.look.tinted_lines import tint_lines
from workbench.i18n import _, ngettext
from workbench.model.incremental.advancing import advance
from workbench.model.snapshot import Snapshot
from workbench.syntax.change import TextChange, TextEdit
from workbench.syntax.diagnostics import Fix
from workbench.syntax.differences import windows_between
from workbench.syntax.text import SourceText, split_lines

_WIDTH_PX = 560
_EDGE_PX = 8
_MOST_LINES = 200
_MOST_ROWS = 14


class LineSign(enum.Enum):
    """What happens to a line."""

    STAYS = " "
    GOES = "−"
    COMES = "+"


@dataclass(frozen=True, slots=True)
class FixLine:
    """One line of the preview. *number*: 1-based, in the text before the fix, or after it for what comes."""

    sign: LineSign
    number: int
    text: str


@dataclass(frozen=True, slots=True)
class _Place:
    """Lines that edits touch, as they are and as they will be. *first*: 0-based, before the fix."""

    first: int
    old: list[str]
    new: list[str]


def fix_lines(fix: Fix, text: str) -> tuple[FixLine, ...]:
    """The lines of *text* that *fix* changes, as they are and as they will be, each with a neighbour."""
    lines = split_lines(text)
    found: list[FixLine] = []
    shown = growth = 0
    for place in _places(TextChange(fix.edits), text, lines):
        for window in windows_between(place.old, place.new):
            start, stop = place.first + window.old.start, place.first + window.old.stop
            found += _row(LineSign.STAYS, lines, range(max(shown, start - 1), start), 0)
            found += _row(LineSign.GOES, lines, range(start, stop), 0)
            found += _row(LineSign.COMES, place.new, window.new, place.first + growth)
            shown = min(len(lines), stop + 1)
            found += _row(LineSign.STAYS, lines, range(stop, shown), 0)
        growth += len(place.new) - len(place.old)
    return tuple(found)


def _places(change: TextChange, text: str, lines: Sequence[str]) -> Iterator[_Place]:
    """Where *change* touches *lines*, from its edits: looking for differences takes long in a long text."""
    starts = [*accumulate(map(len, lines), initial=0)]
    group: list[TextEdit] = []
    first = last = 0
    for edit in change.edits:
        low, high = _line_at(starts, edit.span.start), _line_at(starts, edit.span.end)
        if group and low > last + 1:
            yield _place(group, text, starts, range(first, last + 1))
            group = []
        first = first if group else low
        last = high
        group.append(edit)
    if group:
        yield _place(group, text, starts, range(first, last + 1))


def _line_at(starts: Sequence[int], offset: int) -> int:
    """The line that *offset* is in; the end of the text belongs to its last line."""
    return min(bisect_right(starts, offset), max(1, len(starts) - 1)) - 1


def _place(group: Sequence[TextEdit], text: str, starts: Sequence[int], lines: range) -> _Place:
    start, stop = starts[lines.start], starts[min(lines.stop, len(starts) - 1)]
    old = text[start:stop]
    change = TextChange(tuple([TextEdit(edit.span.shifted(-start), edit.insert) for edit in group]))
    return _Place(lines.start, split_lines(old), split_lines(change.apply(old)))


def _row(sign: LineSign, lines: Sequence[str], numbers: range, before: int) -> list[FixLine]:
    """*numbers* of *lines*, of which *before* more stand above them."""
    return [FixLine(sign, before + number + 1, lines[number].rstrip("\r\n")) for number in numbers]


class FixPreview(QFrame):
    """Lies over the window, and closes by itself when something else gets the focus.

    *command*: what is done where the edits of *fix* are those of a command, which knows which steps stay.
    """

    def __init__(self, context: WindowContext, fix: Fix, parent: QWidget, command: Command | None = None) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setObjectName("fix-preview")
        self.setAccessibleName(fix.title)
        self._context = context
        self._window = parent
        self._fix = fix
        self._command = command or EditText(fix.edits, fix.title)
        self._before: QWidget | None = None
        self._snapshot = context.documents.snapshot
        self.lines = fix_lines(fix, self._snapshot.text)
        self.text = QPlainTextEdit(self)
        self._fill()
        title = Label(fix.title, self, wraps=True, role="card-title")
        in_column(self, title, (self.text, 1), self._buttons(), margins=12)
        self.setFixedWidth(min(current_theme().px(_WIDTH_PX), max(1, parent.width() - 2 * _EDGE_PX)))
        application = QApplication.instance()
        assert isinstance(application, QApplication)
        application.focusChanged.connect(self._on_focus_changed)

    def _buttons(self) -> QDialogButtonBox:
        buttons = QDialogButtonBox(self)
        self.apply_button = QPushButton(_("Apply"), self, default=True)
        self.apply_button.setToolTip(_("Apply this change (Enter)"))
        cancel = QPushButton(_("Cancel"), self, autoDefault=True)
        cancel.setToolTip(_("Cancel without changes (Esc)"))
        beside = buttons.addButton(_("Side by side…"), QDialogButtonBox.ButtonRole.ActionRole)
        beside.setToolTip(_("Show flowchart and text before and after"))
        beside.clicked.connect(self.show_beside)
        buttons.addButton(self.apply_button, QDialogButtonBox.ButtonRole.AcceptRole)
        buttons.addButton(cancel, QDialogButtonBox.ButtonRole.RejectRole)
        buttons.accepted.connect(self.apply)
        buttons.rejected.connect(self.close)
        return buttons

    def open_at(self, point: QPoint) -> None:
        """Show the fix near *point* of the screen, all of it."""
        self.adjustSize()
        window = self._window
        at, area = window.mapFromGlobal(point), window.rect().adjusted(_EDGE_PX, _EDGE_PX, -_EDGE_PX, -_EDGE_PX)
        x = max(area.left(), min(at.x(), area.right() - self.width()))
        y = max(area.top(), min(at.y(), area.bottom() - self.height()))
        self.move(x, y)
        self._before = window.focusWidget()
        self.show()
        self.raise_()
        self.apply_button.setFocus(Qt.FocusReason.PopupFocusReason)

    @Slot()
    def apply(self) -> None:
        """Make the fix, as one undo entry with its name; not where the text is another by now."""
        self.close()
        if self._context.documents.snapshot is not self._snapshot:
            self._context.notices.tell(_("The text has changed since the fix was shown, so the fix was not applied."))
            return
        self._context.documents.execute(self._command, self._context.selection.selected)

    @Slot()
    def show_beside(self) -> None:
        """Show what the text is beside what it would be, on the flowchart as well."""
        before, fix = self._snapshot, self._fix
        after = advance(before, TextChange(fix.edits))
        now = Version(_("as it is"), partial(_source_of, before))
        self._context.versions.compare(Wanted(now, after, fix.title, Proposal(before, self._command)))
        self.close()

    @Slot(QWidget, QWidget)
    def _on_focus_changed(self, _before: QWidget | None, now: QWidget | None) -> None:
        """Close when a person turns to something else in this window."""
        if now is not None and now is not self and not self.isAncestorOf(now) and self.isVisible():
            self.close()

    def closeEvent(self, event: QCloseEvent) -> None:
        """Give the focus back to where it was, unless a person has turned to something else."""
        before, now = self._before, QApplication.focusWidget()
        if before is not None and isValid(before) and now is not None and self.isAncestorOf(now):
            before.setFocus(Qt.FocusReason.PopupFocusReason)
        super().closeEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter makes the fix, Esc closes, wherever the focus is."""
        if event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter}:
            self.apply()
        elif event.key() == Qt.Key.Key_Escape:
            self.close()
        else:
            super().keyPressEvent(event)

    def _fill(self) -> None:
        """The lines with their signs, on the colours of what goes and what comes."""
        theme, text = current_theme(), self.text
        text.setReadOnly(True)
        text.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        text.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        text.setAccessibleName(_("Lines before and after"))
        text.setFont(theme.mono_font())
        lines = self.lines[:_MOST_LINES]
        rows = [row_text(line) for line in lines]
        if more := len(self.lines) - len(lines):
            rows.append("… " + ngettext("and {count} more line", "and {count} more lines", more))
        text.setPlainText("\n".join(rows))
        tints = {LineSign.GOES: theme.failed, LineSign.COMES: theme.done}
        tint_lines(text, ((index, tints[line.sign]) for index, line in enumerate(lines) if line.sign in tints))
        height = text.fontMetrics().lineSpacing() * min(_MOST_ROWS, max(1, len(rows)))
        text.setFixedHeight(height + 2 * theme.px(8) + text.horizontalScrollBar().sizeHint().height())


def row_text(line: FixLine) -> str:
    """*line* with its sign and its number."""
    # bytes that are no characters cannot be drawn
    text = line.text.encode("utf-8", "replace").decode("utf-8")
    return f"{line.sign.value} {line.number:>4}  {text}"


def _source_of(snapshot: Snapshot) -> SourceText:
    return snapshot.source


def preview_fix(context: WindowContext, fix: Fix, parent: QWidget, point: QPoint) -> FixPreview:
    """Show at *point* of the screen what *fix* would do."""
    preview = FixPreview(context, fix, parent.window())
    preview.open_at(point)
    return preview
