"""Find steps of the open document by their words."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QFrame, QLineEdit, QToolButton, QWidget

from workbench.gui.control.context import WindowContext
from workbench.gui.look.icons import Picture, icon
from workbench.gui.look.label import Label
from workbench.gui.look.layouts import in_row
from workbench.gui.look.theming import Ink
from workbench.i18n import _, ngettext, numeral
from workbench.model.program import StepId
from workbench.model.showing.words import plain_text
from workbench.model.snapshot import Snapshot


def steps_with(snapshot: Snapshot, words: str) -> tuple[StepId, ...]:
    """The steps whose text holds *words* (any letter case), as written or as shown, in source order; none for none."""
    wanted = words.casefold().strip()
    if not wanted:
        return ()
    return tuple(
        step.id
        for playbook in snapshot.program.playbooks
        for section in playbook.sections
        for top in section.steps
        for step in top.walk()
        if wanted in step.text.casefold() or wanted in plain_text(step).casefold()
    )


class FindBar(QFrame):
    """A field, how many steps fit, and a way through them."""

    left = Signal()

    def __init__(self, context: WindowContext, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("find-bar")
        self._context = context
        self._found: tuple[StepId, ...] = ()
        self.field = QLineEdit(self, placeholderText=_("Text in a step"))
        self.field.setAccessibleName(_("Find"))
        self.count = Label(parent=self)
        self._buttons = (
            self._button("up", _("Previous step"), self.go_back),
            self._button("down", _("Next step"), self.go_on),
            self._button("cross", _("Close"), self.close_bar),
        )
        self._lay_out()
        self.field.textEdited.connect(self._on_text_edited)
        context.documents.document_changed.connect(self._on_document_changed)
        context.documents.document_opened.connect(self._on_document_changed)
        self.hide()

    def _lay_out(self) -> None:
        picture = Picture(icon("search", Ink.MUTED), self)
        in_row(self, picture, (self.field, 1), self.count, *self._buttons, margins=(12, 4, 8, 4))

    def _button(self, icon_name: str, tooltip: str, pressed: Callable[[], None]) -> QToolButton:
        button = QToolButton(self)
        button.setIcon(icon(icon_name, Ink.MUTED))
        button.setToolTip(tooltip)
        button.setAccessibleName(tooltip)
        button.clicked.connect(pressed)
        return button

    def open(self) -> None:
        """Show the bar and wait for words."""
        self.show()
        self.field.setFocus()
        self.field.selectAll()
        self._search()

    @Slot()
    def close_bar(self) -> None:
        """Hide the bar; what was found stays selected."""
        self.hide()
        self.left.emit()

    @Slot()
    def go_on(self) -> None:
        """Reveal the next step that fits, from the selected one on."""
        self._go(1)

    @Slot()
    def go_back(self) -> None:
        """Reveal the one before."""
        self._go(-1)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter goes on, Shift+Enter back, Esc closes."""
        if event.key() == Qt.Key.Key_Escape:
            self.close_bar()
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._go(-1 if event.modifiers() & Qt.KeyboardModifier.ShiftModifier else 1)
        else:
            super().keyPressEvent(event)

    def _search(self) -> None:
        self._found = steps_with(self._context.documents.snapshot, self.field.text())
        self._tell()

    def _go(self, by: int) -> None:
        if not self._found:
            return
        at = self._place()
        index = (at + by) % len(self._found) if at is not None else (0 if by > 0 else len(self._found) - 1)
        self._context.selection.reveal((self._found[index],), "find")
        self._tell()

    def _place(self) -> int | None:
        """Where the selected step is among those found."""
        selected = self._context.selection.selected
        return self._found.index(selected[0]) if selected and selected[0] in self._found else None

    def _tell(self) -> None:
        at = self._place()
        if not self.field.text().strip():
            text = ""
        elif not self._found:
            text = _("No matches")
        elif at is None:
            text = ngettext("{count} step", "{count} steps", len(self._found))
        else:
            text = _("{place} of {count}").format(place=numeral(at + 1), count=numeral(len(self._found)))
        self.count.setText(text)

    @Slot(str)
    def _on_text_edited(self, _text: str) -> None:
        """Show the first step that fits while typing."""
        self._search()
        if self._found and self._place() is None:
            self._go(1)

    @Slot(object)
    def _on_document_changed(self, _change: object) -> None:
        if self.isVisible():
            self._search()
