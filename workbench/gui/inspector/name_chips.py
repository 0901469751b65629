"""Which variables a step reads and which it writes: a chip for each, which leads to where it is set and corrects it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu, QSizePolicy, QToolButton, QWidget

from workbench.gui.inspector.inspector_head import NewWords
from workbench.gui.look.layouts import PaneForm, in_column
from workbench.gui.words.values import drawable_line, menu_text, tip
from workbench.i18n import N_, _
from workbench.model.program import Step
from workbench.model.snapshot import Snapshot

if TYPE_CHECKING:  # loaded with the first step
    from workbench.model.step_names import StepName, StepNames

_TYPES = {
    "str": N_("Text"),
    "int": N_("Whole number"),
    "float": N_("Number"),
    "bool": N_("Yes or no"),
    "list": N_("List"),
}
_TYPE_WORDS = {**_TYPES, "number": N_("Number"), "number|None": N_("Number"), "int|None": N_("Whole number")}


_MOST_SHOWN = 30
"""How many characters a narrow pane has room for."""


class NameChip(QToolButton):
    """One variable of a step. A click goes to where it is set; the menu corrects it."""

    setter_wanted = Signal(object)  # StepId
    words_wanted = Signal(object)  # NewWords

    def __init__(self, name: StepName, step: Step, parent: QWidget, *, is_written: bool) -> None:
        super().__init__(parent)
        self.name = name
        self._is_written = is_written
        self._step = step
        kind = str(_TYPE_WORDS.get(name.type, name.type))
        full = f"{name.name}: {kind}" if kind else name.name
        self.setText(menu_text(full if len(full) <= _MOST_SHOWN else f"{full[: _MOST_SHOWN - 1]}…"))
        self.setAccessibleName(drawable_line(full))
        self.setProperty("role", "chip")
        self.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextOnly)
        self.setPopupMode(QToolButton.ToolButtonPopupMode.MenuButtonPopup)
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        self.choices = QMenu(self)
        self.choices.aboutToShow.connect(self._fill)
        self.choices.triggered.connect(self._on_triggered)
        self.setMenu(self.choices)
        self.clicked.connect(self._on_clicked)

    def say(self, snapshot: Snapshot) -> None:
        """Explain the chip: where the name is set, and why it is a number."""
        lines = [self.accessibleName()] if "…" in self.text() else []
        if self.name.set_by is not None and not self._is_written:
            lines.append(_("Set in {step}. Click to go there.").format(step=snapshot.address(self.name.set_by.id)))
        elif self.name.set_by is not None:
            lines.append(_("Also set in {step}. Click to go there.").format(step=snapshot.address(self.name.set_by.id)))
        if self.name.needed is not None:
            from workbench.model.number_types import reason_words  # noqa: PLC0415 - no start needs it

            lines.append(_("A number: {reason}.").format(reason=reason_words(self.name.needed, snapshot)))
        self.setToolTip(tip("\n".join(lines)))

    @Slot()
    def _on_clicked(self) -> None:
        if self.name.set_by is not None:
            self.setter_wanted.emit(self.name.set_by.id)
        else:
            self.showMenu()

    @Slot()
    def _fill(self) -> None:
        """The menu, made when it is wanted: each entry has the words that the step would have."""
        self.choices.clear()
        if self.name.set_by is not None:
            self._add(_("Go to where it is set"))
        if self._is_written:
            self._offer_writing()
        else:
            from workbench.model.step_names import filled_in  # noqa: PLC0415 - loaded with the first step

            self._offer(_("Fill it in here"), filled_in(self._step, self.name.name))
        if not self.choices.actions():
            self._add(_("Nothing to correct")).setEnabled(False)

    def _offer_writing(self) -> None:
        from workbench.model.step_names import only_read, with_type  # noqa: PLC0415 - loaded with the first step

        for type_, words in _TYPES.items():
            self._offer(_("Type: {type}").format(type=words), with_type(self._step, self.name.name, type_))
        self._offer(_("No type"), with_type(self._step, self.name.name, ""))
        self._offer(_("Only read it here"), only_read(self._step, self.name.name))

    def _offer(self, text: str, words: str | None) -> None:
        if words is not None:
            self._add(text).setData(words)

    def _add(self, text: str) -> QAction:
        action = QAction(menu_text(text), self.choices)
        self.choices.addAction(action)
        return action

    @Slot(QAction)
    def _on_triggered(self, action: QAction) -> None:
        """Want the words that *action* stands for; the one without any leads to where the name is set."""
        if action.data() is None:
            self._on_clicked()
        else:
            self.words_wanted.emit(NewWords(self._step.id, str(action.data())))


class NamesView(QWidget):
    """What a step reads and writes."""

    setter_wanted = Signal(object)  # StepId
    words_wanted = Signal(object)  # NewWords

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._form = PaneForm(self)
        self.reads: tuple[NameChip, ...] = ()
        self.writes: tuple[NameChip, ...] = ()
        self._shown: tuple[Step, StepNames] | None = None

    def show_names(self, step: Step, names: StepNames, snapshot: Snapshot) -> bool:
        """Show exactly *names* of *step*; whether there are any."""
        if self._shown != (step, names):
            self._shown = (step, names)
            while self._form.rowCount():
                self._form.removeRow(0)
            self.reads = self._row(names.reads, step, is_written=False)
            self.writes = self._row(names.writes, step, is_written=True)
        for chip in (*self.reads, *self.writes):
            chip.say(snapshot)
        return bool(self.reads or self.writes)

    def _row(self, names: Sequence[StepName], step: Step, *, is_written: bool) -> tuple[NameChip, ...]:
        if not names:
            return ()
        column = QWidget(self)
        chips = tuple(NameChip(each, step, column, is_written=is_written) for each in names)
        in_column(column, *chips, margins=0, spacing=2)
        for chip in chips:
            chip.setter_wanted.connect(self.setter_wanted)
            chip.words_wanted.connect(self.words_wanted)
        self._form.add(_("Writes") if is_written else _("Reads"), column, "secondary")
        return chips
