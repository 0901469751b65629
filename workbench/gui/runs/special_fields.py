"""Questions that are not a list of fields: which triggers are the case, and what a playbook without steps does next."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QCheckBox, QComboBox, QVBoxLayout, QWidget

from workbench.engine.fields import FieldKind, FieldType, field_type
from workbench.engine.ports import Request
from workbench.gui.runs.field import RunField
from workbench.i18n import _
from workbench.model.meaning import Variable

_DONE = "done"


class SpecialFields(QWidget):
    """What stands in the place of the fields."""

    submitted = Signal()

    def values(self) -> tuple[tuple[str, Any], ...]:
        """What was chosen and entered; ask ``check`` first."""
        return ()

    def check(self) -> bool:
        """Whether it can be read; shows what is wrong where not."""
        return True


class TriggerChecks(SpecialFields):
    """One box per trigger; those that are not the case stay as they are, so Enter alone says *none*."""

    def __init__(self, request: Request, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(2)
        # the first line of the question is the question, each further one a trigger
        lines = (*request.text.splitlines()[1:], *(field.name for field in request.fields))
        self.boxes = tuple(QCheckBox(line, self) for line, _field in zip(lines, request.fields, strict=False))
        self._names = tuple(field.name for field in request.fields)
        for box in self.boxes:
            column.addWidget(box)

    def values(self) -> tuple[tuple[str, Any], ...]:
        """Yes or no for each trigger."""
        return tuple((name, box.isChecked()) for name, box in zip(self._names, self.boxes, strict=True))


class ActChoice(SpecialFields):
    """A call with its arguments, or the result that ends the playbook."""

    def __init__(self, request: Request, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.action = QComboBox(self)
        self.action.addItem(_("It is done"), _DONE)
        for choice in request.choices:
            if choice != _DONE:
                self.action.addItem(_("Call {name}").format(name=choice), choice)
        self.action.setAccessibleName(_("What to do next"))
        pairs = FieldType(FieldKind.OBJECT)
        self.arguments = RunField(Variable("arguments", is_state=False), self, pairs)
        result = next((field for field in request.fields if field.name == "result"), Variable("result", is_state=False))
        wanted = field_type(result)
        is_text = wanted.kind is FieldKind.TEXT
        self.result = RunField(result, self, FieldType(FieldKind.LONG_TEXT) if is_text else wanted)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(8)
        for widget in (self.action, self.arguments, self.result):
            column.addWidget(widget)
        for field in (self.arguments, self.result):
            field.submitted.connect(self.submitted)
        self.action.currentIndexChanged.connect(self._on_action_changed)
        self._on_action_changed()
        self.setFocusProxy(self.action)

    def values(self) -> tuple[tuple[str, Any], ...]:
        """The call, or that it is done and with what."""
        if self.action.currentData() == _DONE:
            return (("action", _DONE), ("arguments", {}), ("result", self.result.value() or None))
        return (("action", self.action.currentData()), ("arguments", self.arguments.value()), ("result", None))

    def check(self) -> bool:
        """Whether what is entered for this act can be read."""
        return (self.result if self.action.currentData() == _DONE else self.arguments).check()

    @Slot()
    def _on_action_changed(self) -> None:
        is_done = self.action.currentData() == _DONE
        self.result.setVisible(is_done)
        self.arguments.setVisible(not is_done)
