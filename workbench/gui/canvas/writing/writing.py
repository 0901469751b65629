"""Completing names while words are written: variables of the file, playbooks, Python functions."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QEvent, QMimeData, QObject, QPoint, QPointF, QSize, Qt, Signal, Slot
from PySide6.QtGui import QFocusEvent, QKeyEvent, QKeySequence, QTextCursor
from PySide6.QtWidgets import QFrame, QListWidget, QListWidgetItem, QPlainTextEdit, QWidget

from workbench.editing.change import DocumentChange
from workbench.editing.commands import AddNote, AddPlaybook, AddTrigger, Command, RenamePlaybook, SetStepText
from workbench.gui.canvas.content.canvas_state import Hit, HitPart
from workbench.gui.canvas.content.shown_boxes import ShownBox
from workbench.gui.canvas.painting.outlines import area_of
from workbench.gui.canvas.painting.text_layout import sized
from workbench.gui.canvas.steps.verbs import Verbs
from workbench.gui.canvas.view.camera import centre_point, reveal
from workbench.gui.canvas.view.canvas_view import CanvasView
from workbench.gui.canvas.writing.suggestions import blank_in
from workbench.gui.control.action_spec import CommandOf
from workbench.gui.words.widget_text import rewritten, shown
from workbench.i18n import _
from workbench.model.layout.shapes import Rect, Shape
from workbench.model.program import StepId
from workbench.model.snapshot import Snapshot
from workbench.regex import regex

_VARIABLE = regex(r"\$[^\W\d]\w*")
_BEGUN = regex(r"\$\w*$|\b[^\W\d]\w+$")
_WIDTH_PX = 220
_ROWS = 8
_OFFSET = QPoint(0, 6)
_SMALLEST_PX = 13
_INSET_PX = 4.0
# Words that are hardly readable are not edited in place: the canvas comes nearer first.
_SMALLEST_ZOOM = 0.75
NEW_NAME = "NewPlaybook"


def names_in(snapshot: Snapshot) -> tuple[str, ...]:
    """Every name that a step of *snapshot* may use, sorted: ``$total``, ``CheckOrder``."""
    program = snapshot.program
    called = [playbook.name for playbook in program.playbooks] + [function.name for function in program.functions]
    return tuple(sorted({*_VARIABLE.findall(snapshot.text), *called}, key=str.casefold))


def begun_name(before_cursor: str) -> str:
    """The name that is being written at the end of *before_cursor*, empty where none is."""
    found = _BEGUN.search(before_cursor)
    return found.group() if found is not None else ""


class WordCompletion(QListWidget):
    """A list below the cursor of a field, inside the same window: Enter and Tab take a name, Esc closes it."""

    def __init__(self, field: QPlainTextEdit, parent: QWidget) -> None:
        super().__init__(parent)
        self._field = field
        self._canvas = parent
        self._names: tuple[str, ...] = ()
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setFixedWidth(_WIDTH_PX)
        self.setAccessibleName(_("Names"))
        self.itemClicked.connect(self._on_item_clicked)
        self.hide()

    def set_names(self, names: tuple[str, ...]) -> None:
        """Offer *names* from now on."""
        self._names = names
        self.hide()

    def offer(self) -> None:
        """Open the list where a name has been begun, close it where not."""
        begun = begun_name(self._before_cursor())
        fitting = [name for name in self._names if name.casefold().startswith(begun.casefold()) and name != begun]
        self.clear()
        if not begun or not fitting:
            self.hide()
            return
        self.addItems(fitting[:_ROWS])
        self.setCurrentRow(0)
        self.setFixedHeight(self.count() * self.sizeHintForRow(0) + 4)
        self.move(self._field.mapTo(self._canvas, self._field.cursorRect().bottomLeft()) + _OFFSET)
        self.show()
        self.raise_()

    def takes(self, key: int) -> bool:
        """Act on *key* while the list is open; false where it belongs to the field."""
        if self.isHidden():
            return False
        if key in {Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Tab}:
            self._insert(self.currentItem().text())
        elif key in {Qt.Key.Key_Up, Qt.Key.Key_Down}:
            step = 1 if key == Qt.Key.Key_Down else -1
            self.setCurrentRow((self.currentRow() + step) % self.count())
        elif key == Qt.Key.Key_Escape:
            self.hide()
        else:
            return False
        return True

    def _before_cursor(self) -> str:
        cursor = self._field.textCursor()
        cursor.movePosition(QTextCursor.MoveOperation.StartOfBlock, QTextCursor.MoveMode.KeepAnchor)
        return cursor.selectedText()

    @Slot(QListWidgetItem)
    def _on_item_clicked(self, item: QListWidgetItem) -> None:
        self._insert(item.text())

    def _insert(self, name: str) -> None:
        """Put *name* where its beginning stands."""
        cursor = self._field.textCursor()
        begun = begun_name(self._before_cursor())
        cursor.movePosition(QTextCursor.MoveOperation.Left, QTextCursor.MoveMode.KeepAnchor, len(begun))
        cursor.insertText(name)
        self._field.setTextCursor(cursor)
        self.hide()


@dataclass(frozen=True, slots=True)
class TextEntered:
    """The words that a person wrote over a box: a step, or the title of a playbook."""

    box: ShownBox
    text: str


class InlineEditor(QPlainTextEdit):
    """The field over a block. Enter and leaving the field take the words; Esc leaves them as they were."""

    text_entered = Signal(object)  # TextEntered

    def __init__(self, view: CanvasView) -> None:
        super().__init__(view.viewport())
        self._view = view
        self._box: ShownBox | None = None
        self._before = ""
        self.completion = WordCompletion(self, view.viewport())
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
        """Close without taking the words."""
        if self._box is not None:
            self._box = None
            self.completion.hide()
            self.hide()
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
        if event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter}:
            self.take()
        elif event.key() == Qt.Key.Key_Escape:
            self.take_back()
        else:
            super().keyPressEvent(event)
            if (event.text().isprintable() and event.text()) or event.key() == Qt.Key.Key_Backspace:
                self.completion.offer()

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

    def __init__(self, view: CanvasView, verbs: Verbs) -> None:
        super().__init__(view)
        self._view = view
        self._verbs = verbs
        self.editor = InlineEditor(view)
        self.editor.text_entered.connect(self._on_text_entered)
        self.editor.textChanged.connect(verbs.documents.fields.changed)
        verbs.documents.fields.add(self.editor)
        verbs.documents.document_changed.connect(self._on_document_changed)

    @Slot(object)
    def edit(self, step: StepId) -> None:
        """Edit the words of *step* in place; typing replaces what is still to be written."""
        self.editor.take()
        shown = self._verbs.documents.snapshot.find(step)
        if shown is None:
            return
        self._come_near(step)
        box = self._shown_box(step)
        if box is not None:
            self.editor.completion.set_names(names_in(self._verbs.documents.snapshot))
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
            self._write_new(AddTrigger(playbook.name, _("When program starts")))

    def add_note(self) -> None:
        """Add a note to the playbook of the selection, and edit its words at once."""
        if (playbook := self._verbs.playbook) is not None:
            self._write_new(AddNote(playbook.name, _("Note")))

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
        writing.editor.text_entered.connect(self._on_text_entered)

    def add_playbook(self) -> None:
        """Add a playbook at the end, and let the person name it at once."""
        name = free_name({playbook.name for playbook in self._verbs.documents.snapshot.program.playbooks})
        self._verbs.do(AddPlaybook(name))
        self.rename(name)

    def rename_current(self) -> None:
        """Rename the playbook of the selection."""
        if (playbook := self._verbs.playbook) is not None:
            self.rename(playbook.name)

    def rename(self, name: str) -> None:
        """Edit the title of the playbook *name* in place."""
        layouts = (each for each in self._view.state.layout.playbooks if each.playbook.name == name)
        title = next((each.title for each in layouts), None)
        if title is None:
            return
        reveal(self._view, title.rect)
        for box in self._view.shown.boxes.values():
            if box.content.shape is Shape.TITLE and box.content.text == name:
                self._writing.editor.completion.set_names(())
                self._writing.editor.edit(box, name)

    @Slot(object)
    def on_edit_requested(self, hit: Hit) -> None:
        """Rename the playbook whose title was double-clicked."""
        if hit.part is HitPart.TITLE:
            self.rename(hit.playbook)

    @Slot(object)
    def _on_text_entered(self, entered: TextEntered) -> None:
        if entered.box.step is None:
            self._writing.do_or_keep(RenamePlaybook(entered.box.content.text, entered.text), entered.text)


def free_name(taken: set[str]) -> str:
    """A name for a new playbook that no other has."""
    number = 1
    while (name := NEW_NAME if number == 1 else f"{NEW_NAME}{number}") in taken:
        number += 1
    return name
