"""Inserting by typing, with suggestions: below the selection, on an edge, at the end, or as the very first step."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QEvent, QObject, QPoint, QPointF, Qt, Signal, Slot
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QFrame, QLineEdit, QListWidget, QListWidgetItem

from workbench.assist.openings import as_typed, matching
from workbench.assist.values import Completion
from workbench.editing.commands import AddPlaybook, InsertStep, Place
from workbench.gui.assist.completion_list import icon_name
from workbench.gui.assist.knowledge import Knowledge
from workbench.gui.canvas.content.drop_slots import DropSlot
from workbench.gui.canvas.steps.verbs import Verbs
from workbench.gui.canvas.view.camera import centre_point
from workbench.gui.canvas.view.canvas_view import CanvasView
from workbench.gui.canvas.writing.writing import Writing
from workbench.gui.control.selection import place_at_end
from workbench.gui.look.icons import icon
from workbench.gui.look.layouts import in_column
from workbench.gui.look.written_words import read_as_written
from workbench.gui.words.directions import ordered
from workbench.gui.words.values import drawable_line, tip
from workbench.i18n import _
from workbench.model.program import StepId
from workbench.model.snapshot import Snapshot
from workbench.syntax.text import Span

_WIDTH_PX = 360
_ROWS = 8
_ROLE = Qt.ItemDataRole.UserRole
FIRST_PLAYBOOK = "Main"


@dataclass(frozen=True, slots=True)
class InsertChosen:
    """What a person chose to insert, and where."""

    place: Place
    suggestion: Completion


class InsertPopup(QFrame):
    """Opens at a place; Enter inserts, Esc closes, arrows choose."""

    insert_chosen = Signal(object)  # InsertChosen

    def __init__(self, view: CanvasView, knowledge: Knowledge) -> None:
        super().__init__(view.viewport())
        self._view = view
        self._place: Place | None = None
        self._document: Snapshot | None = None
        self._knowledge = knowledge
        self._span: Span | None = None  # of a variable that is being written
        self.field = QLineEdit(self, placeholderText=_("Type a step or search…"))
        self.field.setAccessibleName(_("New step"))
        self.field.textEdited.connect(self._fill)
        self.field.installEventFilter(self)
        self._list = QListWidget(self)
        read_as_written(self._list)
        self._list.setAccessibleName(_("Suggestions"))
        self._list.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._list.itemClicked.connect(self._choose)
        in_column(self, self.field, self._list, margins=8)
        self.setObjectName("insert-popup")
        self.hide()

    def open_at(self, place: Place, document: Snapshot, at: QPoint) -> None:
        """Ask what to insert at *place*, near *at* of the viewport."""
        self._place, self._document = place, document
        self.field.clear()
        self._fill("")
        area = self._view.viewport().rect()
        x = max(8, min(at.x(), area.width() - self.width() - 8))
        y = max(8, min(at.y(), area.height() - self.height() - 8))
        self.move(x, y)
        self.show()
        self.raise_()
        self.field.setFocus(Qt.FocusReason.PopupFocusReason)

    def close_popup(self) -> None:
        """Insert nothing."""
        if self._place is not None:
            self._place = None
            self.hide()
            self._view.setFocus(Qt.FocusReason.OtherFocusReason)

    def _fill(self, query: str) -> None:
        """List what fits *query*."""
        self._list.clear()
        for suggestion in self._found(query):
            row = QListWidgetItem(icon(icon_name(suggestion), suggestion.step), _row(suggestion))
            row.setData(_ROLE, suggestion)
            row.setToolTip(tip(suggestion.text))
            self._list.addItem(row)
        self._list.setCurrentRow(0)
        rows = max(1, min(_ROWS, self._list.count()))
        self._list.setFixedHeight(rows * max(22, self._list.sizeHintForRow(0)) + 4)
        self.setFixedSize(_WIDTH_PX, self.sizeHint().height())

    def _found(self, query: str) -> tuple[Completion, ...]:
        """What fits *query*; where a variable is begun at the cursor, those that go on with it."""
        assert self._document is not None and self._place is not None, "open_at comes first"
        at = self.field.cursorPosition()
        around = self._knowledge.around
        if "$" in query:
            from workbench.assist.completing import names_in_words  # noqa: PLC0415 - the window does not start with it
            from workbench.assist.names import place_in  # noqa: PLC0415

            names = names_in_words(place_in(self._document, self._place.playbook), query, at, around)
            if names.items and names.span.of(query).startswith("$"):
                self._span = names.span
                return names.items[:_ROWS]
        self._span = None
        program = self._document.program
        home = program.addressed(self._place.playbook)
        return matching(program, query, around, program.agent_of(home) if home is not None else None)

    def _choose(self, item: QListWidgetItem | None) -> None:
        place, span = self._place, self._span
        if item is None or place is None:
            return
        suggestion = item.data(_ROLE)
        if span is not None:
            written = self.field.text()
            self.field.setText(written[: span.start] + suggestion.text + written[span.end :])
            self.field.setCursorPosition(span.start + len(suggestion.text))
            self._fill(self.field.text())
            return
        self.close_popup()
        self.insert_chosen.emit(InsertChosen(place, suggestion))

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Keys of the field: arrows and Enter act on the list, Esc and leaving the field close."""
        if event.type() is QEvent.Type.ShortcutOverride:
            event.accept()
            return True
        if event.type() is QEvent.Type.KeyPress and isinstance(event, QKeyEvent):
            return self._take_key(event.key())
        if event.type() is QEvent.Type.FocusOut and self._place is not None and self.isVisible():
            self.close_popup()
        return super().eventFilter(watched, event)

    def _take_key(self, key: int) -> bool:
        """Act on *key*; false where it belongs to the field."""
        if key in {Qt.Key.Key_Down, Qt.Key.Key_Up}:
            step = 1 if key == Qt.Key.Key_Down else -1
            self._list.setCurrentRow((self._list.currentRow() + step) % max(1, self._list.count()))
            return True
        if key in {Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Tab}:
            self._choose(self._list.currentItem())
            return True
        if key == Qt.Key.Key_Escape:
            self.close_popup()
            return True
        return False


def _row(suggestion: Completion) -> str:
    label = ordered(drawable_line(suggestion.label))
    return f"{label}   ·   {ordered(drawable_line(suggestion.detail))}" if suggestion.detail else label


class Inserting(QObject):
    """Opens the popup at a place, and turns what was chosen into a step."""

    def __init__(self, view: CanvasView, verbs: Verbs, writing: Writing) -> None:
        super().__init__(view)
        self._view = view
        self._verbs = verbs
        self._writing = writing
        self.popup = InsertPopup(view, writing.knowledge)
        self.popup.insert_chosen.connect(self._on_insert_chosen)

    def insert_below(self) -> None:
        """Ask what to insert below the selected step, or at the end; make the playbook where there is none."""
        steps = self._verbs.steps
        if not steps:
            self.add_first()
        elif (place := self._verbs.place_for_new()) is not None:
            self._ask(place, self._below(steps[-1]))

    @Slot()
    def add_first(self) -> None:
        """Ask for a step at the end of the first playbook; make one where there is none."""
        if not self._verbs.documents.snapshot.program.playbooks:
            self._verbs.do(AddPlaybook(FIRST_PLAYBOOK))
        playbooks = self._verbs.documents.snapshot.program.playbooks
        if playbooks:
            self._ask(place_at_end(playbooks[0]), centre_point(self._view).toPoint())

    @Slot(object)
    def on_insert_requested(self, slot: DropSlot) -> None:
        """Ask what to insert where the sign on an edge is."""
        self._ask(slot.place, self._view.mapFromScene(QPointF(slot.rect.x, slot.rect.y)))

    def _ask(self, place: Place, at: QPoint) -> None:
        self.popup.open_at(place, self._verbs.documents.snapshot, at)

    @Slot(object)
    def _on_insert_chosen(self, chosen: InsertChosen) -> None:
        suggestion = chosen.suggestion
        steps = self._verbs.do(InsertStep(chosen.place, suggestion.text))
        if steps and suggestion.blank and suggestion != as_typed(suggestion.text):
            self._writing.edit(steps[0])

    def _below(self, step: StepId) -> QPoint:
        place = self._view.state.layout.place_of(step)
        if place is None:
            return centre_point(self._view).toPoint()
        return self._view.mapFromScene(QPointF(place.x, place.y + place.height + 4))
