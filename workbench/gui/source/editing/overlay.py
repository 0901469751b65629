"""What is drawn over the text: guides for what is set in, brackets that belong together, hidden characters."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from PySide6.QtCore import QObject, QPointF, QRectF, Qt, Slot
from PySide6.QtGui import QColor, QPainter, QTextBlock, QTextOption
from PySide6.QtWidgets import QPlainTextEdit

from workbench.editing.typing.lines import matching_brackets
from workbench.gui.control.actions import Mark
from workbench.gui.control.context import WindowContext
from workbench.gui.control.settings_controller import Change
from workbench.gui.look.theming import current_theme
from workbench.gui.source.document_sync import DocumentSync
from workbench.gui.source.editor import TAB_COLUMNS, SourceEditor
from workbench.gui.source.position_map import units
from workbench.i18n import _
from workbench.visible import hidden

_SEED_LINES = 200
_NO_BREAK = "\u00a0"


class SourceOverlay(QObject):
    """Draws what can be seen, anew with every paint; keeps the switches for it."""

    def __init__(self, context: WindowContext, editor: SourceEditor, sync: DocumentSync) -> None:
        super().__init__(editor)
        self._context = context
        self._editor = editor
        self._sync = sync
        self.brackets: tuple[int, ...] = ()
        editor.drawers.append(self.paint)
        editor.caret_moved.connect(self._on_caret_moved)
        sync.typed.connect(self._on_caret_moved)
        sync.changed.connect(self._on_caret_moved)
        context.actions.register("source.wrap", self.toggle_wrap)
        context.actions.register("source.invisible", self.toggle_invisible)
        self._taken: tuple[object, ...] = ()
        context.settings.settings_changed.connect(self._take_settings)
        self._take_settings()

    def toggle_wrap(self) -> None:
        """Break long lines, or scroll sideways."""
        wraps = not self._context.settings.current.wraps_source
        self._change("wraps_source", lambda settings: replace(settings, wraps_source=wraps))

    def toggle_invisible(self) -> None:
        """Show spaces, tabs and what nobody would see, or not."""
        is_shown = not self._context.settings.current.shows_invisible
        self._change("shows_invisible", lambda settings: replace(settings, shows_invisible=is_shown))

    def _change(self, key: str, change: Change) -> None:
        """What a project says about its files stays: then only that is told."""
        settings = self._context.settings
        if settings.project is not None and key in settings.project.values:
            name = settings.project.path.name
            self._context.notices.tell(_("The project has set this, in {file}.").format(file=name))
            self._mark()
        else:
            settings.change(change)

    @Slot()
    def _take_settings(self) -> None:
        kept, editor = self._context.settings.effective, self._editor
        wanted = (kept.wraps_source, kept.shows_invisible, kept.tab_width)
        if wanted == self._taken:
            return
        self._taken = wanted
        editor.set_tab_columns(kept.tab_width)
        never, needed = Qt.ScrollBarPolicy.ScrollBarAlwaysOff, Qt.ScrollBarPolicy.ScrollBarAsNeeded
        editor.setLineWrapMode(_WRAPS if kept.wraps_source else QPlainTextEdit.LineWrapMode.NoWrap)
        editor.setHorizontalScrollBarPolicy(never if kept.wraps_source else needed)
        option = editor.document().defaultTextOption()
        flag, flags = QTextOption.Flag.ShowTabsAndSpaces, option.flags()
        option.setFlags(flags | flag if kept.shows_invisible else flags & ~flag)
        editor.document().setDefaultTextOption(option)
        self._mark()
        editor.view_changed.emit()

    def _mark(self) -> None:
        for action, is_on in zip(("source.wrap", "source.invisible"), self._taken, strict=False):
            self._context.actions.set_mark(action, Mark.ON if is_on else Mark.OFF)

    @Slot()
    def _on_caret_moved(self) -> None:
        """The brackets beside the caret."""
        places = matching_brackets(self._sync.positions.text, self._sync.caret)
        found = tuple(self._sync.positions.position(place) for place in places)
        if found != self.brackets:
            self.brackets = found
            self._editor.viewport().update()

    def paint(self, painter: QPainter) -> None:
        """Draw over what the editor has painted."""
        blocks = [(block, rect.top()) for block, rect in self._editor.visible_blocks()]
        if not blocks:
            return
        self._paint_guides(painter, blocks)
        for position in self.brackets:
            self._paint_bracket(painter, position)
        if self._taken[1]:
            painter.setPen(QColor(current_theme().blocked))
            for block, _top in blocks:
                self._paint_hidden(painter, block)

    def _paint_guides(self, painter: QPainter, blocks: list[tuple[QTextBlock, int]]) -> None:
        """A faint line below the marker of each line that others are set in below."""
        metrics = self._editor.fontMetrics()
        width, height = metrics.horizontalAdvance(" "), metrics.height()
        left = self._editor.contentOffset().x() + self._editor.document().documentMargin()
        painter.setPen(QColor(current_theme().border))
        found = guides([block for block, _top in blocks], self._editor.tab_columns)
        for (_block, top), columns in zip(blocks, found, strict=True):
            for column in columns:
                x = round(left + column * width + width / 2)
                painter.drawLine(x, top, x, top + height)

    def _paint_bracket(self, painter: QPainter, position: int) -> None:
        rect = self._cell(self._editor.document().findBlock(position), position)
        if rect is not None:
            painter.setPen(QColor(current_theme().accent))
            painter.drawRect(rect)

    def _paint_hidden(self, painter: QPainter, block: QTextBlock) -> None:
        """A sign where each hidden character stands: most of them take no room of their own."""
        text = block.text()
        if text.isascii():
            return
        places = [start for start, _end in hidden(text)]
        places += [at for at, char in enumerate(text) if char == _NO_BREAK]
        for at in places:
            rect = self._cell(block, block.position() + units(text[:at]))
            if rect is not None:
                middle, foot = rect.left(), rect.bottom()
                painter.drawLine(QPointF(middle, rect.top() + 1), QPointF(middle, foot))
                painter.drawLine(QPointF(middle - 2, foot), QPointF(middle + 2, foot))

    def _cell(self, block: QTextBlock, position: int) -> QRectF | None:
        """Where the character at *position* of *block* is in the viewport; None where it is not shown."""
        inner = position - block.position()
        line = block.layout().lineForTextPosition(inner) if block.isVisible() else None
        if line is None or not line.isValid():
            return None
        origin = self._editor.blockBoundingGeometry(block).translated(self._editor.contentOffset()).topLeft()
        left, right = x_of(line.cursorToX(inner)), x_of(line.cursorToX(inner + 1))
        return QRectF(origin.x() + left, origin.y() + line.y(), max(1.0, right - left), line.height() - 1)


_WRAPS = QPlainTextEdit.LineWrapMode.WidgetWidth


def x_of(found: object) -> float:
    """The place along a line: Qt gives it with the position that it belongs to."""
    return float(found[0] if isinstance(found, tuple | list) else found)  # type: ignore[arg-type]


def indent_of(text: str, tab: int) -> int | None:
    """How many columns *text* is set in, with tabs of *tab* columns; None where nothing stands in it."""
    words = text.lstrip(" \t")
    return len(text[: len(text) - len(words)].expandtabs(tab)) if words else None


def guides(blocks: list[QTextBlock], tab: int = TAB_COLUMNS) -> Iterator[tuple[int, ...]]:
    """For each of *blocks*, which follow each other, the columns of the lines above that it is set in below."""
    above = _above(blocks[0], tab) if blocks else []
    for block in blocks:
        own = indent_of(block.text(), tab)
        if own is None:
            follower = block.next()
            next_own = indent_of(follower.text(), tab) if follower.isValid() else 0
            yield tuple(column for column in above if column < (next_own or 0))
            continue
        above = [column for column in above if column < own]
        yield tuple(above)
        above.append(own)


def _above(first: QTextBlock, tab: int) -> list[int]:
    """The columns of the lines above *first* that it can be set in below, from the outermost in."""
    found: list[int] = []
    block, least = first.previous(), indent_of(first.text(), tab)
    for _line in range(_SEED_LINES):
        if not block.isValid() or least == 0:
            break
        own = indent_of(block.text(), tab)
        if own is not None and (least is None or own < least):
            found.insert(0, own)
            least = own
        block = block.previous()
    return found
