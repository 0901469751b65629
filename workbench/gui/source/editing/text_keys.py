"""What keys do to the text besides writing it: whole lines, pairs of brackets, and Tab before the words of a step."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QKeyEvent

from workbench.editing.commands import EditText, MoveSteps, Place
from workbench.editing.typing.lines import (
    PAIRS,
    Rewritten,
    closing_for,
    copied_down,
    copied_up,
    is_pair,
    is_typed_over,
    joined,
    moved_down,
    moved_up,
    sorted_lines,
)
from workbench.gui.control.context import WindowContext
from workbench.gui.control.selection import place_after
from workbench.gui.source.document_sync import DocumentSync
from workbench.gui.source.editor import SourceEditor
from workbench.i18n import N_, LazyText
from workbench.model.program import StepId
from workbench.model.snapshot import Snapshot
from workbench.syntax.text import Span

_PLAIN = (Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.KeypadModifier)
_VERBS: dict[str, tuple[Callable[[str, Span], Rewritten | None], LazyText]] = {
    "source.line-up": (moved_up, N_("Move lines up")),
    "source.line-down": (moved_down, N_("Move lines down")),
    "source.copy-up": (copied_up, N_("Copy lines up")),
    "source.copy-down": (copied_down, N_("Copy lines down")),
    "source.join": (joined, N_("Join lines")),
    "source.sort": (sorted_lines, N_("Sort lines")),
}


class SourceLines(QObject):
    """Moves, copies, joins and sorts the lines that are selected; each is one undo."""

    def __init__(self, context: WindowContext, sync: DocumentSync) -> None:
        super().__init__(sync)
        self._sync = sync
        for action, (verb, label) in _VERBS.items():
            context.actions.register(action, partial(_rewrite, sync, verb, label))


def _rewrite(sync: DocumentSync, verb: Callable[[str, Span], Rewritten | None], label: LazyText) -> None:
    chosen, span = sync.selected_span, sync.widened_span
    found = verb(sync.positions.text, span)
    if found is not None:
        left = found.selected.start + chosen.start - span.start
        selected = found.selected if span == chosen else Span(left, left + len(chosen))
        sync.rewrite(EditText(found.edits, str(label)), selected)


class TypedPairs:
    """Closes what is opened, types over what is closed already, and takes both away together."""

    def __init__(self, editor: SourceEditor, sync: DocumentSync) -> None:
        self._editor = editor
        self._sync = sync
        editor.takers.append(self)

    def claims(self, event: QKeyEvent) -> bool:
        """None of these keys means anything else."""
        return False

    def takes(self, event: QKeyEvent) -> bool:
        """Write, or take away, two characters in the place of one."""
        if event.key() == Qt.Key.Key_Backspace and event.modifiers() in _PLAIN:
            return self._take_away()
        return bool(event.text()) and event.text() in '()[]{}"`' and self._type(event.text())

    def _take_away(self) -> bool:
        span = self._sync.selected_span
        if len(span) or not is_pair(self._sync.positions.text, span.start):
            return False
        cursor = self._editor.textCursor()
        position = cursor.position()
        cursor.setPosition(position - 1)
        cursor.setPosition(position + 1, cursor.MoveMode.KeepAnchor)
        cursor.insertText("")
        return True

    def _type(self, typed: str) -> bool:
        text, span, cursor = self._sync.positions.text, self._sync.selected_span, self._editor.textCursor()
        start, end = cursor.selectionStart(), cursor.selectionEnd()
        if len(span):
            if typed not in PAIRS:
                return False
            cursor.insertText(typed + cursor.selectedText().replace("\u2029", "\n") + PAIRS[typed])
            self._editor.place_caret(end + 1, start + 1)
            return True
        if is_typed_over(text, span.start, typed):
            self._editor.place_caret(start + 1)
            return True
        close = closing_for(text, span.start, typed)
        if close:
            cursor.insertText(typed + close)
            self._editor.place_caret(start + 1)
        return bool(close)


class StepTab:
    """Tab before the words of a step nests it, with all that it owns, and Shift+Tab takes it out again.

    Where that cannot be, the line is set in, or out.
    """

    def __init__(self, context: WindowContext, editor: SourceEditor, sync: DocumentSync) -> None:
        self._context = context
        self._editor = editor
        self._sync = sync
        editor.takers.append(self)

    def claims(self, event: QKeyEvent) -> bool:
        """These keys mean nothing else in a text."""
        return False

    def takes(self, event: QKeyEvent) -> bool:
        """Move the step into the one before it, or out of the one that it is in."""
        is_out = event.key() == Qt.Key.Key_Backtab
        if not is_out and (event.key() != Qt.Key.Key_Tab or event.modifiers() != Qt.KeyboardModifier.NoModifier):
            return False
        documents, span = self._context.documents, self._sync.selected_span
        step = self._sync.step_beginning_on(self._sync.positions.line_at(span.start), documents.snapshot)
        if len(span) or step is None or span.start > documents.snapshot.head_span(step).start:
            return False
        command = (leaving if is_out else nesting)(documents.snapshot, step)
        if command is None or documents.can(command) is not None:
            return False
        documents.execute(command, (step,))
        after = documents.snapshot
        if after.has(step):
            self._editor.place_caret(self._sync.positions.position(after.head_span(step).start))
        return True


def leaving(snapshot: Snapshot, step: StepId) -> MoveSteps | None:
    """The command that moves *step* out, below the one that it is nested in; None where it is nested in none."""
    parent = snapshot.parent(step)
    return None if parent is None else MoveSteps((step,), place_after(snapshot, parent.id))


def nesting(snapshot: Snapshot, step: StepId) -> MoveSteps | None:
    """The command that moves *step* to the end of what is nested in the one before it; None where none is."""
    siblings = snapshot.siblings(step)
    at = next((index for index, each in enumerate(siblings) if each.id == step), 0)
    if at == 0:
        return None
    above = siblings[at - 1]
    last = above.children[-1].id if above.children else None
    return MoveSteps((step,), Place(snapshot.playbook_of(step).address, above.id, last))
