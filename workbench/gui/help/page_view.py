"""A page of the guide as rich text, in the letters and colours of the window. It loads nothing, from nowhere."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QEvent, QObject, Qt, QUrl, Signal, Slot
from PySide6.QtGui import (
    QColor,
    QGuiApplication,
    QKeyEvent,
    QKeySequence,
    QMouseEvent,
    QPaintEvent,
    QPalette,
    QResizeEvent,
    QTextBlock,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
    QTextFormat,
    QTextTable,
)
from PySide6.QtWidgets import QDialog, QTextBrowser, QTextEdit, QWidget

from workbench.gui.look.theming import BODY_PX, TITLE_PX, Theme, current_theme
from workbench.help.pages import LINK, Page
from workbench.i18n import _
from workbench.regex import regex

if TYPE_CHECKING:  # few print
    from PySide6.QtPrintSupport import QPrinter

_MARGIN_PX = 16
_HEADING_PX = {1: 18, 2: TITLE_PX}
_FENCE = regex(r"^~~~~\w+\n(?P<text>.*?)~~~~$", re.MULTILINE | re.DOTALL)
_FEATURES = QTextDocument.MarkdownFeature.MarkdownDialectGitHub | QTextDocument.MarkdownFeature.MarkdownNoHTML
_OPEN, _COPY, _TOPIC = "open", "copy", "help"

Told = Callable[[str, str], str]
"""What an action is called, or which keys it has: of the kind (``name`` or ``key``) and the id of the action."""


def markdown_of(page: Page, told: Told) -> str:
    """*page* as markdown for one reader: keys and names as *told*, and below each example what can be done with it."""
    text = LINK.sub(lambda link: link[0] if link["kind"] == _TOPIC else told(link["kind"], link["target"]), page.text)
    waiting = list(enumerate(page.examples))

    def with_offers(fence: re.Match[str]) -> str:
        if not waiting or waiting[0][1].text != fence["text"]:
            return fence[0]
        at, _example = waiting.pop(0)
        return f"{fence[0]}\n\n[{_('Open as a new playbook')}]({_OPEN}:{at}) · [{_('Copy')}]({_COPY}:{at})\n"

    return _FENCE.sub(with_offers, text)


class PageView(QTextBrowser):
    """Shows a page from one of its sections on. Links, Alt+Left, Ctrl+F and Esc are told, and left to whoever hears."""

    topic_wanted = Signal(object)  # str: the name of a topic
    example_wanted = Signal(object)  # Path
    text_wanted = Signal(str)  # an example that has no file
    back_wanted = Signal()
    forward_wanted = Signal()
    find_wanted = Signal()
    left = Signal()
    seen_empty = Signal()

    def __init__(self, told: Told, parent: QWidget) -> None:
        super().__init__(parent, openLinks=False)
        self._told = told
        self.page: Page | None = None
        self._section = 0
        self._extra: Callable[[], str] = str
        self._is_at_section = False
        self.setAccessibleName(_("Guide"))
        self.setFrameShape(QTextBrowser.Shape.NoFrame)
        self.document().setDocumentMargin(_MARGIN_PX)
        self.anchorClicked.connect(self._on_anchor_clicked)
        self.verticalScrollBar().actionTriggered.connect(self._on_scrolled)

    def loadResource(self, _kind: int, _name: QUrl | str) -> Any:
        """Nothing: a page has no pictures, and nobody is to learn that it is read."""
        return None

    def show_page(self, page: Page, section: int = 0, extra: Callable[[], str] = str) -> None:
        """Show *page* from *section* on; *extra* gives markdown below it that no file has."""
        self.page, self._section, self._extra = page, section, extra
        self.setAccessibleName(page.title)
        self.take_theme()

    @Slot()
    def show_again(self) -> None:
        """Show it with the keys that are set now."""
        place = self.place
        self.take_theme()
        self.go_to_place(place)

    @property
    def place(self) -> int:
        """How far it is scrolled, in pixels."""
        return self.verticalScrollBar().value()

    def go_to_place(self, place: int) -> None:
        """Scroll to where it was."""
        self._is_at_section = False
        self.verticalScrollBar().setValue(place)

    def take_theme(self) -> None:
        """The letters and grounds of the page are part of its text."""
        if self.page is None:
            return
        theme, palette = current_theme(), self.palette()
        palette.setColor(QPalette.ColorRole.Text, QColor(theme.text))
        palette.setColor(QPalette.ColorRole.Base, QColor(theme.surface))
        palette.setColor(QPalette.ColorRole.Link, QColor(theme.accent))
        self.setPalette(palette)
        document = self.document()
        document.setDefaultFont(theme.body_font())
        document.setMarkdown(f"{markdown_of(self.page, self._told)}\n{self._extra()}", _FEATURES)
        # one change, after which the page is laid out once
        change = QTextCursor(document)
        change.beginEditBlock()
        block = document.begin()
        while block.isValid():
            _style(block, theme)
            block = block.next()
        change.endEditBlock()
        for frame in document.rootFrame().childFrames():
            if isinstance(frame, QTextTable):
                form = frame.format()
                form.setBorderBrush(QColor(theme.border))
                form.setBottomMargin(theme.px(4))
                frame.setFormat(form)
        self._is_at_section = True
        self._go_to_section()

    def find_words(self, words: str, *, is_backward: bool = False) -> int:
        """Select the next place where *words* stand, around the end if need be; how many places there are."""
        flags = QTextDocument.FindFlag.FindBackward if is_backward else QTextDocument.FindFlag(0)
        marks = _marks(self.document(), words)
        self.setExtraSelections(marks)
        if marks and not self.find(words, flags):
            end = QTextCursor.MoveOperation.End if is_backward else QTextCursor.MoveOperation.Start
            self.moveCursor(end)
            self.find(words, flags)
        self._is_at_section = False
        return len(marks)

    def event(self, event: QEvent) -> bool:
        """Some keys mean here what they mean in a browser, whatever they mean in the window."""
        if event.type() is QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent) and _is_ours(event):
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Find, go back and forward, leave; else scroll and follow links."""
        if event.matches(QKeySequence.StandardKey.Find):
            self.find_wanted.emit()
        elif _turns(event):
            (self.back_wanted if event.key() == Qt.Key.Key_Left else self.forward_wanted).emit()
        elif event.key() == Qt.Key.Key_Escape:
            self.left.emit()
        else:
            super().keyPressEvent(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """The two buttons for back and forward do that."""
        if event.button() is Qt.MouseButton.BackButton:
            self.back_wanted.emit()
        elif event.button() is Qt.MouseButton.ForwardButton:
            self.forward_wanted.emit()
        else:
            super().mouseReleaseEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Say that somebody sees it before it has a page: a pane behind others is “shown” by Qt, and never painted."""
        super().paintEvent(event)
        if self.page is None:
            self.seen_empty.emit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """What was shown first is shown first in another width as well."""
        super().resizeEvent(event)
        if self._is_at_section:
            self._go_to_section()

    def _go_to_section(self) -> None:
        block, left = self.document().begin(), self._section
        while block.isValid() and left >= 0:
            if block.blockFormat().headingLevel():
                left -= 1
                if left < 0:
                    break
            block = block.next()
        if block.isValid():
            self.setTextCursor(QTextCursor(block))
            top = self.document().documentLayout().blockBoundingRect(block).top()
            self.verticalScrollBar().setValue(round(top) if self._section else 0)

    @Slot(QUrl)
    def _on_anchor_clicked(self, url: QUrl) -> None:
        """Tell what is wanted; any other address leads nowhere."""
        kind, _colon, target = url.toString().partition(":")
        if kind == _TOPIC:
            self.topic_wanted.emit(target)
        elif self.page is not None and kind in (_OPEN, _COPY):
            example = self.page.examples[int(target)]
            if kind == _OPEN and example.path is not None:
                self.example_wanted.emit(example.path)
            elif kind == _OPEN:
                self.text_wanted.emit(example.text)
            else:
                QGuiApplication.clipboard().setText(example.text)

    @Slot()
    def _on_scrolled(self) -> None:
        self._is_at_section = False


class PagePrinter(QObject):
    """Asks for a printer or a file, and prints the page."""

    def __init__(self, view: PageView) -> None:
        super().__init__(view)
        self._view = view
        self.paper: QPrinter | None = None

    @Slot()
    def ask(self) -> None:
        """Ask where the page goes."""
        from PySide6.QtPrintSupport import QPrintDialog, QPrinter  # noqa: PLC0415 - few print

        self.paper = QPrinter(QPrinter.PrinterMode.HighResolution)
        if self._view.page is not None:
            self.paper.setDocName(self._view.page.title)
        dialog = QPrintDialog(self.paper, self._view)
        dialog.setWindowModality(Qt.WindowModality.WindowModal)
        dialog.finished.connect(self._on_answered)
        dialog.finished.connect(dialog.deleteLater)
        dialog.show()

    @Slot(int)
    def _on_answered(self, answer: int) -> None:
        if answer == QDialog.DialogCode.Accepted and self.paper is not None:
            self._view.print_(self.paper)
        self.paper = None


def _marks(document: QTextDocument, words: str) -> list[QTextEdit.ExtraSelection]:
    """Every place where *words* stand, to be shown with a ground of its own."""
    marks: list[QTextEdit.ExtraSelection] = []
    cursor = document.find(words, 0) if words else QTextCursor()
    while not cursor.isNull():
        mark = QTextEdit.ExtraSelection()
        mark.cursor = cursor
        mark.format.setBackground(QColor(current_theme().note))
        marks.append(mark)
        cursor = document.find(words, cursor)
    return marks


def _is_ours(event: QKeyEvent) -> bool:
    return event.matches(QKeySequence.StandardKey.Find) or _turns(event) or event.key() == Qt.Key.Key_Escape


def _turns(event: QKeyEvent) -> bool:
    """Whether it is Alt with an arrow to one side."""
    is_alt = event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier == Qt.KeyboardModifier.AltModifier
    return is_alt and event.key() in (Qt.Key.Key_Left, Qt.Key.Key_Right)


def _style(block: QTextBlock, theme: Theme) -> None:
    """Give headings the sizes of the window and some room, and code a ground of its own and lines that wrap."""
    form = block.blockFormat()
    level = form.headingLevel()
    if level:
        letters, font = QTextCharFormat(), theme.title_font()
        font.setPixelSize(theme.px(_HEADING_PX.get(level, BODY_PX)))
        letters.setFont(font)
        cursor = QTextCursor(block)
        cursor.movePosition(QTextCursor.MoveOperation.EndOfBlock, QTextCursor.MoveMode.KeepAnchor)
        cursor.mergeCharFormat(letters)
        form.setTopMargin(theme.px(16) if level > 1 else 0)
        form.setBottomMargin(theme.px(4))
    elif _is_code(block):
        form.setBackground(QColor(theme.hover))
        form.setNonBreakableLines(False)
        form.setTopMargin(0 if _is_code(block.previous()) else theme.px(4))
        form.setBottomMargin(0 if _is_code(block.next()) else theme.px(4))
    elif block.textList() is None:
        form.setBottomMargin(theme.px(4))
    QTextCursor(block).setBlockFormat(form)


def _is_code(block: QTextBlock) -> bool:
    return block.isValid() and block.blockFormat().hasProperty(QTextFormat.Property.BlockCodeFence)
