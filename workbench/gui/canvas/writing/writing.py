"""Writing words in place: the field over a block, and naming playbooks."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QMimeData, QObject, QPointF, QRect, QSize, Qt, Signal, Slot
from PySide6.QtGui import QFocusEvent, QKeyEvent, QKeySequence, QTextCursor
from PySide6.QtWidgets import QFrame, QPlainTextEdit

from workbench.assist.openings import blank_in
from workbench.assist.values import Around, Completions
from workbench.editing.change import DocumentChange
from workbench.editing.commands import (
    AddNote,
    AddPlaybook,
    AddTrigger,
    Command,
    ExtractPlaybook,
    RenamePlaybook,
    SetStepText,
)
from workbench.gui.assist.completion_list import Chosen, CompletionList
from workbench.gui.assist.knowledge import Knowledge
from workbench.gui.canvas.content.canvas_state import Hit, HitPart
from workbench.gui.canvas.content.shown_boxes import ShownBox
from workbench.gui.canvas.painting.outlines import area_of
from workbench.gui.canvas.painting.text_layout import sized
from workbench.gui.canvas.steps.verbs import Verbs
from workbench.gui.canvas.view.camera import centre_point, reveal
from workbench.gui.canvas.view.canvas_view import CanvasView
from workbench.gui.control.action_spec import CommandOf
from workbench.gui.control.context import WindowContext
from workbench.gui.words.widget_text import rewritten, shown
from workbench.i18n import _
from workbench.model.layout.shapes import Rect, Shape
from workbench.model.meaning import StepKind
from workbench.model.program import StepId

if TYPE_CHECKING:
    from workbench.assist.names import Place

_SMALLEST_PX = 13
_INSET_PX = 4.0
# Words that are hardly readable are not edited in place: the canvas comes nearer first.
_SMALLEST_ZOOM = 0.75
NEW_NAME = "NewPlaybook"


class WordCompletion(CompletionList):
    """The names that can go on what is written: Enter and Tab take one, Esc closes the list."""

    def __init__(self, field: QPlainTextEdit, knowledge: Knowledge) -> None:
        super().__init__(field)
        self._editor = field
        self._knowledge = knowledge
        self._written_at: Place | None = None
        self.chosen.connect(self._insert)

    def write_at(self, place: Place | None) -> None:
        """Words at *place* are written from now on; None: a name, which nothing completes."""
        self._written_at = place
        self.hide()

    def offer_names(self) -> None:
        """Open the list where a name has been begun, close it where not."""
        from workbench.assist.completing import names_in_words  # noqa: PLC0415 - the window does not start with it

        self._offer(names_in_words)

    def offer_all(self) -> None:
        """List all that can be written at the cursor."""
        from workbench.assist.completing import completions_in_words  # noqa: PLC0415 - the same

        self._offer(completions_in_words)

    def _offer(self, completing: Callable[[Place, str, int, Around], Completions]) -> None:
        if self._written_at is not None:
            at = len(_before(self._editor.textCursor()))
            words = self._editor.document().toRawText()
            caret = self._editor.cursorRect()
            where = QRect(self._editor.viewport().mapToGlobal(caret.topLeft()), caret.size())
            self.offer(completing(self._written_at, words, at, self._knowledge.around), where)

    @Slot(object)
    def _insert(self, chosen: Chosen) -> None:
        """Put what was chosen in its place, and select what is still to be written over."""
        cursor, words = self._editor.textCursor(), self._editor.document().toRawText()
        written = chosen.completion
        start = _units(words[: chosen.span.start])
        cursor.setPosition(start)
        cursor.setPosition(_units(words[: chosen.span.end]), QTextCursor.MoveMode.KeepAnchor)
        is_called = words[chosen.span.end : chosen.span.end + 1] == "(" and written.step is StepKind.CALL
        text = written.label if is_called else written.text
        cursor.insertText(text)
        at = text.find(written.blank) if written.blank else -1
        if at >= 0:
            cursor.setPosition(start + _units(text[:at]))
            cursor.setPosition(cursor.position() + _units(written.blank), QTextCursor.MoveMode.KeepAnchor)
        self._editor.setTextCursor(cursor)


def _before(cursor: QTextCursor) -> str:
    """What stands before *cursor*."""
    to_start = QTextCursor(cursor)
    to_start.setPosition(0)
    to_start.setPosition(cursor.position(), QTextCursor.MoveMode.KeepAnchor)
    return to_start.selectedText()


def _units(text: str) -> int:
    """How many positions *text* takes in the widget."""
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


@dataclass(frozen=True, slots=True)
class TextEntered:
    """The words that a person wrote over a box: a step, or the title of a playbook."""

    box: ShownBox
    text: str


class InlineEditor(QPlainTextEdit):
    """The field over a block. Enter and leaving the field take the words; Esc leaves them as they were."""

    text_entered = Signal(object)  # TextEntered

    def __init__(self, view: CanvasView, knowledge: Knowledge) -> None:
        super().__init__(view.viewport())
        self._view = view
        self._box: ShownBox | None = None
        self._before = ""
        self.completion = WordCompletion(self, knowledge)
        self.setObjectName("inline-editor")
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setAccessibleName(_("Text of the step"))
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAsNeeded)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setTabChangesFocus(True)
        self.hide()

    def edit(self, box: ShownBox, text: str, chosen: str = "") -> None:
        """Open over *box* with *text*; *chosen* is the part that typing replaces (all where empty)."""
        self._box = box
        self._before = text
        self.setPlainText(shown(text))
        self._dress(box)
        self._choose(shown(text), chosen)
        self.show()
        self.setFocus(Qt.FocusReason.OtherFocusReason)

    @property
    def box(self) -> ShownBox | None:
        """What it is open over."""
        return self._box

    @property
    def written(self) -> str:
        """What stands in it, in the characters of the document."""
        return rewritten(self._before, self.document().toRawText())

    @property
    def is_being_written(self) -> bool:
        """True while there is something that was not taken."""
        return self._box is not None and bool(self.written.strip()) and self.written != self._before

    def take_back(self) -> None:
        """Close without taking the words. The keys go back to the flowchart, unless they are elsewhere already."""
        if self._box is not None:
            had_focus = self.hasFocus()
            self._box = None
            self.completion.hide()
            self.hide()
            if had_focus:
                self._view.setFocus(Qt.FocusReason.OtherFocusReason)

    def take(self) -> None:
        """Close and take the words, if they changed and something is left of them."""
        box, text, is_changed = self._box, self.written, self.is_being_written
        self.take_back()
        if box is not None and is_changed:
            self.text_entered.emit(TextEntered(box, text))

    apply = take

    def _dress(self, box: ShownBox) -> None:
        """Cover the words of the block, with letters as large as theirs."""
        theme, zoom = self._view.theme, self._view.zoom
        self.setFont(sized(theme.body_font(), max(_SMALLEST_PX, round(13 * zoom))))
        rect = area_of(box.rect).adjusted(-_INSET_PX, -_INSET_PX, _INSET_PX, _INSET_PX)
        area = self._view.mapFromScene(rect).boundingRect()
        least = QSize(260, 3 * self.fontMetrics().lineSpacing() + 16)
        self.setGeometry(area.x(), area.y(), max(area.width(), least.width()), max(area.height(), least.height()))

    def _choose(self, text: str, chosen: str) -> None:
        cursor = self.textCursor()
        start = text.find(chosen) if chosen else 0
        length = len(chosen) if chosen and start >= 0 else len(text)
        cursor.setPosition(max(0, start))
        cursor.setPosition(max(0, start) + length, QTextCursor.MoveMode.KeepAnchor)
        if not chosen:
            cursor.movePosition(QTextCursor.MoveOperation.End)
        self.setTextCursor(cursor)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter takes, Esc leaves; everything else is typing."""
        if self.completion.takes(event.key()):
            return
        if event.key() == Qt.Key.Key_Space and event.modifiers() == Qt.KeyboardModifier.ControlModifier:
            self.completion.offer_all()
            return
        if event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter}:
            self.take()
        elif event.key() == Qt.Key.Key_Escape:
            self.take_back()
        else:
            super().keyPressEvent(event)
            if (event.text().isprintable() and event.text()) or event.key() == Qt.Key.Key_Backspace:
                self.completion.offer_names()

    def focusNextPrevChild(self, forward: bool) -> bool:  # noqa: FBT001 - Qt's signature
        """Tab takes a name from the open list; else it leaves the field."""
        return self.completion.takes(Qt.Key.Key_Tab) or super().focusNextPrevChild(forward)

    def event(self, event: QEvent) -> bool:
        """Keys belong to the field while it is open: no shortcut of the window takes them but Save."""
        if isinstance(event, QKeyEvent) and event.type() is QEvent.Type.ShortcutOverride:
            event.setAccepted(not event.matches(QKeySequence.StandardKey.Save))
            return True
        return super().event(event)

    def insertFromMimeData(self, source: QMimeData) -> None:
        """What is pasted becomes part of one line."""
        self.insertPlainText(" ".join(line.strip() for line in source.text().splitlines()))

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Taking the focus elsewhere takes the words."""
        super().focusOutEvent(event)
        if event.reason() not in {Qt.FocusReason.PopupFocusReason, Qt.FocusReason.ActiveWindowFocusReason}:
            self.take()


class Writing(QObject):
    """Opens the field over a step, and turns what was written into a command."""

    def __init__(self, view: CanvasView, verbs: Verbs, context: WindowContext) -> None:
        super().__init__(view)
        self._view = view
        self._verbs = verbs
        self.knowledge = Knowledge(context, self)
        self.editor = InlineEditor(view, self.knowledge)
        self.editor.text_entered.connect(self._on_text_entered)
        self.editor.textChanged.connect(verbs.documents.fields.changed)
        verbs.documents.fields.add(self.editor)
        verbs.documents.document_changed.connect(self._on_document_changed)

    @Slot(object)
    def edit(self, step: StepId) -> None:
        """Edit the words of *step* in place; typing replaces what is still to be written."""
        from workbench.assist.names import place_of_step  # noqa: PLC0415 - the window does not start with it

        self.editor.take()
        shown = self._verbs.documents.snapshot.find(step)
        if shown is None:
            return
        self._come_near(step)
        box = self._shown_box(step)
        if box is not None:
            self.editor.completion.write_at(place_of_step(self._verbs.documents.snapshot, shown))
            self.editor.edit(box, shown.text, blank_in(shown.text))

    def edit_selected(self) -> None:
        """Edit the selected step."""
        if steps := self._verbs.steps:
            self.edit(steps[0])

    def do_and_write(self, command: CommandOf) -> None:
        """Do what *command* makes of the selected steps, and let the person write the words of that at once."""
        if steps := self._verbs.do_to_selected(command):
            self.edit(steps[0])

    def add_trigger(self) -> None:
        """Add a trigger to the playbook of the selection, and edit its words at once."""
        if (playbook := self._verbs.playbook) is not None:
            self._write_new(AddTrigger(playbook.address, _("When program starts")))

    def add_note(self) -> None:
        """Add a note to the playbook of the selection, and edit its words at once."""
        if (playbook := self._verbs.playbook) is not None:
            self._write_new(AddNote(playbook.address, _("Note")))

    @Slot(object)
    def on_edit_requested(self, hit: Hit) -> None:
        """Edit the step that was double-clicked."""
        if hit.step is not None:
            self.edit(hit.step)

    def _write_new(self, command: Command) -> None:
        if steps := self._verbs.do(command):
            self.edit(steps[0])

    @Slot(object)
    def _on_text_entered(self, entered: TextEntered) -> None:
        if entered.box.step is not None:
            self.do_or_keep(SetStepText(entered.box.step, entered.text), entered.text)

    def do_or_keep(self, command: Command, words: str) -> None:
        """Do *command*; where it is refused, what was written is left over."""
        if self._verbs.can(command) is not None:
            self._verbs.documents.fields.left_over.emit(words)
        self._verbs.do(command)

    @Slot(object)
    def _on_document_changed(self, change: DocumentChange) -> None:
        """Close the field over a step that is gone; what was written in it is left over."""
        box = self.editor.box
        if box is not None and box.step in change.removed:
            if self.editor.is_being_written:
                self._verbs.documents.fields.left_over.emit(self.editor.written)
            self.editor.take_back()

    def _come_near(self, step: StepId) -> None:
        """Bring *step* into view, large enough to read."""
        place = self._view.state.layout.place_of(step)
        if place is None:
            return
        if self._view.zoom < _SMALLEST_ZOOM:
            point = QPointF(place.x + place.width / 2, place.y + 40)
            self._view.look_at(1.0, point, centre_point(self._view))
        reveal(self._view, Rect(place.x, place.y, place.width, min(place.height, 120.0)))

    def _shown_box(self, step: StepId) -> ShownBox | None:
        return next((box for box in self._view.shown.boxes.values() if box.step == step), None)


class Naming(QObject):
    """Adds playbooks, and renames them with every call of them."""

    def __init__(self, view: CanvasView, verbs: Verbs, writing: Writing) -> None:
        super().__init__(view)
        self._view = view
        self._verbs = verbs
        self._writing = writing
        self._named = ""
        writing.editor.text_entered.connect(self._on_text_entered)

    def add_playbook(self) -> None:
        """Add a playbook at the end, and let the person name it at once."""
        name = free_name({playbook.name for playbook in self._verbs.documents.snapshot.program.playbooks})
        self._verbs.do(AddPlaybook(name))
        self.rename(name)

    def extract(self) -> None:
        """Move the selected steps into a playbook of their own, and let the person name it at once."""
        before = {playbook.address for playbook in self._verbs.documents.snapshot.program.playbooks}
        self._verbs.do_to_selected(partial(ExtractPlaybook, name=""))
        after = [playbook.address for playbook in self._verbs.documents.snapshot.program.playbooks]
        for address in [each for each in after if each not in before]:
            self.rename(address)

    def rename_current(self) -> None:
        """Rename the playbook of the selection."""
        if (playbook := self._verbs.playbook) is not None:
            self.rename(playbook.address)

    def rename(self, address: str) -> None:
        """Edit the title of the playbook with *address* in place."""
        named = next((each for each in self._view.state.layout.playbooks if each.playbook.address == address), None)
        if named is None:
            return
        place = named.title.rect
        reveal(self._view, place)
        for box in self._view.shown.boxes.values():
            if box.content.shape is Shape.TITLE and (box.x, box.y) == (place.x, place.y):
                self._named = address
                self._writing.editor.completion.write_at(None)
                self._writing.editor.edit(box, named.playbook.name)

    @Slot(object)
    def on_edit_requested(self, hit: Hit) -> None:
        """Rename the playbook whose title was double-clicked."""
        if hit.part is HitPart.TITLE:
            self.rename(hit.playbook)

    @Slot(object)
    def _on_text_entered(self, entered: TextEntered) -> None:
        if entered.box.step is None:
            self._writing.do_or_keep(RenamePlaybook(self._named, entered.text), entered.text)


def free_name(taken: set[str]) -> str:
    """A name for a new playbook that no other has."""
    number = 1
    while (name := NEW_NAME if number == 1 else f"{NEW_NAME}{number}") in taken:
        number += 1
    return name
