"""Completion, what is known of a word, and the signature of a call, while somebody writes the source."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, QRect, Qt, Slot
from PySide6.QtGui import QHelpEvent, QKeyEvent, QTextCursor
from PySide6.QtWidgets import QToolTip

from workbench.assist.values import Completion, CompletionKind, Completions
from workbench.gui.assist.completion_list import Chosen, CompletionList
from workbench.gui.assist.knowledge import Knowledge
from workbench.gui.assist.signature_tip import SignatureTip
from workbench.gui.control.context import WindowContext
from workbench.gui.control.explaining.help_controller import Told
from workbench.gui.source.document_sync import DocumentSync
from workbench.gui.source.editor import SourceEditor, Splice
from workbench.gui.source.position_map import units
from workbench.gui.words.values import tip
from workbench.regex import regex
from workbench.syntax.change import TextEdit
from workbench.syntax.text import line_start

_BEGUN = regex(r"\$\w*$")
_BEGINS_A_CALL = ("(", ",", ", ")
_CALLS = frozenset({CompletionKind.PLAYBOOK, CompletionKind.FUNCTION, CompletionKind.TOOL})
_LIST_KEYS = frozenset(
    {
        *(Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Tab, Qt.Key.Key_Escape),
        *(Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_PageUp, Qt.Key.Key_PageDown),
    }
)
WriteAtAll = Callable[[TextEdit, str], bool]
"""Makes an edit around every caret, and selects a part of what is written; false where there is only one caret."""
ToldAt = Callable[[int], tuple[str, ...]]
"""What else is told of a position in the widget: what is doubtful there."""


class SourceAssistance(QObject):
    """Opens the list when it is asked for, or a variable is begun; what it offers is worked out from the document.

    *at_all_carets*: who writes where there are several.
    """

    def __init__(self, context: WindowContext, editor: SourceEditor, sync: DocumentSync, told_at: ToldAt) -> None:
        super().__init__(editor)
        self._context = context
        self._editor = editor
        self._sync = sync
        self._knowledge = Knowledge(context, self)
        self.tips = SourceTips(context, editor, sync, self._knowledge, told_at)
        self._asked: tuple[int, int] | None = None
        self.at_all_carets: WriteAtAll | None = None
        self.list = CompletionList(editor)
        self.signature = SignatureTip(editor)
        self.list.chosen.connect(self._on_chosen)
        editor.takers.append(self)
        editor.typed.connect(self._on_typed)
        editor.caret_moved.connect(self._on_caret_moved)
        editor.left.connect(self.close)
        sync.changed.connect(self._on_caret_moved)
        sync.opened.connect(self.close)
        self._knowledge.learned.connect(self._on_learned)
        context.actions.register("source.complete", self.complete)
        context.actions.register("source.signature", self.show_signature)

    def complete(self) -> None:
        """List what can be written at the caret."""
        self._asked = self._here()
        self.list.offer(self._completions(), _caret_of(self._editor))

    def _completions(self) -> Completions:
        from workbench.assist.completing import completions  # noqa: PLC0415 - the window does not start with it

        return completions(self._context.documents.snapshot, self._sync.caret, self._knowledge.around)

    def show_signature(self) -> None:
        """Show the signature of the call that the caret is in; nothing where it is in none."""
        from workbench.assist.hovering import signature_help  # noqa: PLC0415 - the window does not start with it

        found = signature_help(self._context.documents.snapshot, self._sync.caret, self._knowledge.around)
        self.signature.tell(found, _caret_of(self._editor))

    @Slot()
    def _on_learned(self) -> None:
        """Somebody who has asked, and done nothing since, is told what was not known yet."""
        if self._asked == self._here() and self._editor.hasFocus():
            self.complete()

    def _here(self) -> tuple[int, int]:
        """The state of the text, and the caret."""
        return self._context.documents.snapshot.revision, self._sync.caret

    @Slot()
    def close(self) -> None:
        """Show neither."""
        self.list.hide()
        self.signature.tell(None, QRect())

    def claims(self, event: QKeyEvent) -> bool:
        """The keys of the list while it is open, and Esc while there is anything to close."""
        is_esc = event.key() == Qt.Key.Key_Escape and not self.signature.isHidden()
        return is_esc or (not self.list.isHidden() and self._is_plain(event) and event.key() in _LIST_KEYS)

    def takes(self, event: QKeyEvent) -> bool:
        """Act on them."""
        if event.key() == Qt.Key.Key_Escape:
            self._asked = None
        if self._is_plain(event) and self.list.takes(event.key()):
            return True
        if event.key() == Qt.Key.Key_Escape and not self.signature.isHidden():
            self.signature.tell(None, QRect())
            return True
        return False

    def _is_plain(self, event: QKeyEvent) -> bool:
        return event.modifiers() in (Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.KeypadModifier)

    @Slot(object)
    def _on_typed(self, typed: Splice) -> None:
        """A variable that is begun opens the list, a bracket the signature; what is open goes along."""
        text, caret = self._sync.positions.text, self._sync.caret
        before = text[line_start(text, caret) : caret]
        is_begun = len(typed.added) == 1 and _BEGUN.search(before) is not None
        if is_begun or (not self.list.isHidden() and before[-1:].strip()):
            found = self._completions()
            self.list.offer(Completions(found.span) if found.is_whole else found, _caret_of(self._editor))
        else:
            self.list.hide()
        if typed.added.endswith(_BEGINS_A_CALL) or not self.signature.isHidden():
            self.show_signature()

    @Slot()
    def _on_caret_moved(self) -> None:
        """The list belongs to one place, the signature to a call."""
        if self._sync.is_typing:
            return
        self.list.hide()
        if not self.signature.isHidden():
            self.show_signature()

    @Slot(object)
    def _on_chosen(self, chosen: Chosen) -> None:
        """Write it as if it were typed, and select what is still to be written over."""
        text = self._context.documents.snapshot.text
        words = _written(chosen.completion, text[chosen.span.end : chosen.span.end + 1])
        blank = chosen.completion.blank if chosen.completion.blank in words else ""
        if self.at_all_carets is not None and self.at_all_carets(TextEdit(chosen.span, words), blank):
            return
        start, end = self._sync.stretch(chosen.span)
        cursor = self._editor.textCursor()
        cursor.setPosition(start)
        cursor.setPosition(end, QTextCursor.MoveMode.KeepAnchor)
        cursor.insertText(words)
        if blank:
            cursor.setPosition(start + units(words[: words.find(blank)]))
            cursor.setPosition(cursor.position() + units(blank), QTextCursor.MoveMode.KeepAnchor)
        self._editor.setTextCursor(cursor)
        if chosen.completion.kind in _CALLS:
            self.show_signature()


class SourceTips(QObject):
    """Tells what is known of a place, and what is doubtful there: where the pointer rests, or the caret is."""

    def __init__(
        self, context: WindowContext, editor: SourceEditor, sync: DocumentSync, knowledge: Knowledge, told_at: ToldAt
    ) -> None:
        super().__init__(editor)
        self._context = context
        self._editor = editor
        self._sync = sync
        self._knowledge = knowledge
        self._told_at = told_at
        editor.tip_requested.connect(self._on_tip_requested)

    @Slot(object)
    def _on_tip_requested(self, event: QHelpEvent) -> None:
        """What is doubtful there, and what is known of the word."""
        position = self._editor.position_at(event.pos())
        lines: tuple[str, ...] = ()
        if position is not None:
            lines = self._told_at(position) + self._known_at(self._sync.positions.offset(position))
        QToolTip.showText(event.globalPos(), tip("\n".join(lines)), self._editor)

    def told_here(self) -> Told:
        """The same of the caret, and what the gutter tells of its line; off any word, what the step does."""
        snapshot, caret, line = (
            self._context.documents.snapshot,
            self._sync.caret,
            self._editor.textCursor().blockNumber(),
        )
        known = self._known_at(caret)
        step = snapshot.step_at(caret) if not known else None
        known = self._known_at(snapshot.head_span(step).start) if step is not None else known
        return Told("\n".join((*self._editor.gutter.told_of(line), *known)), _caret_of(self._editor))

    def _known_at(self, offset: int) -> tuple[str, ...]:
        """What is known of the word there."""
        from workbench.assist.hovering import hover  # noqa: PLC0415 - the window does not start with it

        found = hover(self._context.documents.snapshot, offset, self._knowledge.around)
        return (found.title, *found.lines) if found is not None else ()


def _caret_of(editor: SourceEditor) -> QRect:
    """Where the caret is on the screen."""
    rect = editor.cursorRect()
    return QRect(editor.viewport().mapToGlobal(rect.topLeft()), rect.size())


def _written(completion: Completion, behind: str) -> str:
    """What is written of *completion* in front of *behind*: of a call only the name where its brackets are there."""
    return completion.label if completion.kind in _CALLS and behind == "(" else completion.text
