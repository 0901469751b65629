"""The bar above the document that finds text in source and flowchart, and replaces it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QApplication, QFrame, QGridLayout, QLineEdit, QPushButton, QToolButton, QWidget
from shiboken6 import isValid

from workbench.gui.control.actions import ActionRegistry
from workbench.gui.control.context import WindowContext
from workbench.gui.look.action_button import switch_button
from workbench.gui.look.icons import Picture, icon
from workbench.gui.look.label import Label, ProblemLabel
from workbench.gui.look.layouts import in_row
from workbench.gui.look.tag_button import TagButton
from workbench.gui.look.theming import Ink
from workbench.i18n import _, ngettext, numeral
from workbench.search.matching import Query
from workbench.search.replacing import Replacement

_ENTER = (Qt.Key.Key_Return, Qt.Key.Key_Enter)


class FindBar(QFrame):
    """A field, how much was found and a way through it; and on wish a second field for what takes its place."""

    left = Signal()  # the keys go to nobody

    def __init__(self, context: WindowContext, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("find-bar")
        self._context = context
        self._find = context.find
        self.field = _field(self, _("Find"), _("Text in the source or the flowchart"))
        self.replacement = _field(self, _("Replace with"), _("Replace with"))
        self.case = switch_button(self, "Aa", _("Small and capital letters differ"))
        self.word = switch_button(self, "W", _("Whole words only"))
        self.regex = switch_button(self, ".*", _("Regular expression"))
        self.inside = switch_button(self, "", _("Only in the selected text"), "filter")
        self.tags = TagButton(partial(_tag_counts, context), self)
        self.keeping = switch_button(self, "AB", _("Keep small and capital letters as they are there"))
        self.count = Label(parent=self)
        self.problem = ProblemLabel(self)
        self._second = self._replace_row()
        self._came_from: QWidget | None = None
        self._lay_out()
        for switch in (self.case, self.word, self.regex):
            switch.clicked.connect(self._on_changed)
        self.inside.clicked.connect(self._on_inside_clicked)
        self.tags.chosen.connect(self._on_changed)
        self.field.textEdited.connect(self._on_changed)
        self._find.changed.connect(self._tell)
        self._find.moved.connect(self._tell)
        self.hide()

    def register(self, actions: ActionRegistry) -> None:
        """Be what the actions do that find."""
        actions.register("edit.find", self.open)
        actions.register("edit.replace", self.open_replace)
        actions.register("edit.find-next", self._find.go_on)
        actions.register("edit.find-previous", self._find.go_back)

    def _lay_out(self) -> None:
        grid = QGridLayout(self)
        grid.setContentsMargins(12, 4, 8, 4)
        grid.setVerticalSpacing(4)
        up = _button(self, "up", _("Previous match (Shift+F3)"), self._find.go_back)
        down = _button(self, "down", _("Next match (F3)"), self._find.go_on)
        close = _button(self, "cross", _("Close"), self.close_bar)
        grid.addWidget(Picture(icon("search", Ink.MUTED), self), 0, 0)
        grid.addWidget(self.field, 0, 1)
        switches = (self.case, self.word, self.regex, self.inside, self.tags)
        grid.addLayout(in_row(None, *switches, self.count, 1, up, down, close, margins=0, spacing=4), 0, 2)
        grid.addWidget(self._second[0], 1, 0)
        grid.addWidget(self.replacement, 1, 1)
        grid.addWidget(self._second[1], 1, 2)
        grid.addWidget(self.problem, 2, 1, 1, 2)
        grid.setColumnStretch(1, 3)
        grid.setColumnStretch(2, 2)

    def _replace_row(self) -> tuple[QWidget, QWidget]:
        """What stands before and behind the field for what is put in."""
        buttons = QWidget(self)
        one, every = QPushButton(_("Replace"), buttons), QPushButton(_("Replace all"), buttons)
        one.clicked.connect(self._on_replace_one)
        every.clicked.connect(self._on_replace_all)
        in_row(buttons, self.keeping, one, every, 1, margins=0, spacing=4)
        return Picture(icon("edit", Ink.MUTED), self), buttons

    def open(self) -> None:
        """Show the bar, and look for the text that is selected in the source, or for what was looked for last."""
        self._open(is_replacing=self.isVisible() and self.replacement.isVisible())

    def open_replace(self) -> None:
        """The same, with what is put in its place."""
        self._open(is_replacing=True)

    def _open(self, *, is_replacing: bool) -> None:
        for widget in (*self._second, self.replacement):
            widget.setVisible(is_replacing)
        focused = QApplication.focusWidget()
        if focused is not None and not self.isAncestorOf(focused):
            self._came_from = focused
        caret, text = self._context.selection.caret, self._context.documents.snapshot.text
        chosen = caret.of(text)
        if "\n" in chosen or "\r" in chosen:
            self.inside.setChecked(True)
            self._on_inside_clicked()
        elif chosen and self._find.current is None:
            self.field.setText(chosen)
        self.show()
        self.field.setFocus()
        self.field.selectAll()
        self._on_changed()

    @Slot()
    def close_bar(self) -> None:
        """Hide the bar, and give the keys back to who had them; the match that was shown stays selected."""
        self.hide()
        came_from, self._came_from = self._came_from, None
        if came_from is not None and isValid(came_from) and came_from.isVisible():
            came_from.setFocus()
        else:
            self.left.emit()
        self.inside.setChecked(False)
        self.tags.show_tag("")
        self._find.stop()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter goes on, Shift+Enter back, or it replaces, with Ctrl+Alt everything; Esc closes."""
        is_back = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        if event.key() == Qt.Key.Key_Escape:
            self.close_bar()
        elif event.key() not in _ENTER:
            super().keyPressEvent(event)
        elif not self.replacement.hasFocus():
            (self._find.go_back if is_back else self._find.go_on)()
        elif event.modifiers() == Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.AltModifier:
            self._on_replace_all()
        else:
            self._on_replace_one()

    @property
    def query(self) -> Query:
        """What is looked for."""
        switches = self.case.isChecked(), self.word.isChecked(), self.regex.isChecked()
        return Query(self.field.text(), *switches, tag=self.tags.tag)

    @Slot()
    def _on_changed(self) -> None:
        """Look for something else."""
        self._find.look(self.query, self._find.within)

    @Slot()
    def _on_inside_clicked(self) -> None:
        """Look only where something is selected now, or everywhere again."""
        caret = self._context.selection.caret
        within = caret if self.inside.isChecked() and len(caret) else None
        self.inside.setChecked(within is not None)
        self._find.look(self.query, within)

    def _replacement(self) -> Replacement:
        words = self.replacement.text()
        return Replacement(words, self.keeping.isChecked(), self.regex.isChecked(), self.field.text())

    @Slot()
    def _on_replace_one(self) -> None:
        self._find.replacing.replace_one(self._replacement())

    @Slot()
    def _on_replace_all(self) -> None:
        self._find.replacing.replace_all(self._replacement())

    @Slot()
    def _tell(self) -> None:
        found, at = self._find.found, self._find.current
        count = numeral(len(found.matches))
        if self._find.query.is_empty or found.trouble:
            text = ""
        elif not found.matches:
            text = _("No matches")
        elif found.is_cut:
            text = ngettext("More than {count} match", "More than {count} matches", len(found.matches))
        elif at is None:
            text = ngettext("{count} match", "{count} matches", len(found.matches))
        else:
            text = _("{place} of {count}").format(place=numeral(at + 1), count=count)
        if self.isVisible() and text != self.count.text():
            self._context.notices.speak("find", found.trouble or text)
        self.count.setText(text)
        self.problem.setText(found.trouble)


def _tag_counts(context: WindowContext) -> Mapping[str, int]:
    from workbench.model.showing.tags import tags_of  # noqa: PLC0415 - no start needs it

    return tags_of(context.documents.snapshot).counts


def _field(parent: QWidget, name: str, words: str) -> QLineEdit:
    field = QLineEdit(parent, placeholderText=words)
    field.setAccessibleName(name)
    return field


def _button(parent: QWidget, icon_name: str, tooltip: str, pressed: Callable[[], None]) -> QToolButton:
    button = QToolButton(parent)
    button.setIcon(icon(icon_name, Ink.MUTED))
    button.setToolTip(tooltip)
    button.setAccessibleName(tooltip)
    button.clicked.connect(pressed)
    return button
