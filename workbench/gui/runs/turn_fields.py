"""The form of one turn in a step list: which tool was used, with which arguments, and what it gave."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QComboBox, QLabel, QLineEdit, QVBoxLayout, QWidget

from workbench.engine.fields import FieldKind, FieldType
from workbench.engine.ports import Request
from workbench.gui.runs.field import RunField
from workbench.gui.runs.special_fields import SpecialFields
from workbench.i18n import _
from workbench.model.meaning import Variable

_SAYINGS = {
    "done": _("This step is done"),
    "skip": _("Leave this step out"),
    "finish": _("Everything is done"),
}
_OTHER = "\0other"


class TurnFields(SpecialFields):
    """What the person did. The expected tools come first, then what can be said of the step, then any other tool."""

    def __init__(self, request: Request, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        told = dict(request.context)
        self.refused = _words("caution", "\n".join(map(str, told.get("refused", ()))), self)
        self.hints = _words("secondary", "\n".join(map(str, told.get("hints", ()))), self)
        self.left = _words("secondary", _left_words(tuple(map(str, told.get("left", ())))), self)
        self.action = QComboBox(self)
        self.action.setAccessibleName(_("What you did"))
        tools = frozenset(told.get("tools", ()))
        self._sayings = frozenset(request.choices) - tools
        for choice in request.choices:
            used = _("Used {tool}").format(tool=choice)
            self.action.addItem(_SAYINGS.get(choice, choice) if choice in self._sayings else used, choice)
        self.action.addItem(_("Used another tool"), _OTHER)
        self.other = QLineEdit(self)
        self.other.setAccessibleName(_("Name of the tool"))
        self.other.setPlaceholderText(_("Name of the tool"))
        self._problem = QLabel(_("Enter the name of the tool."), self)
        self._problem.setProperty("role", "problem")
        self._problem.hide()
        self.arguments = RunField(Variable(_("arguments"), is_state=False), self, FieldType(FieldKind.OBJECT))
        self.outcome = QComboBox(self)
        self.outcome.setAccessibleName(_("How it went"))
        self.outcome.addItem(_("It worked"), "")
        self.outcome.addItem(_("It failed"), "failed")
        self.result = RunField(Variable(_("result"), is_state=False), self, FieldType(FieldKind.LONG_TEXT))
        self._lay_out()
        self._on_action_changed()

    def values(self) -> tuple[tuple[str, Any], ...]:
        """The call and what came of it, or what is said of the step."""
        said = str(self.result.value())
        if not self._is_call:
            return (("action", self.action.currentData()), ("result", said))
        has_failed = self.outcome.currentData() == "failed"
        return (
            ("action", self._tool),
            ("arguments", self.arguments.value()),
            ("result", "" if has_failed else said),
            ("failure", (said or _("It failed.")) if has_failed else ""),
        )

    def check(self) -> bool:
        """Whether the tool has a name and its arguments can be read."""
        is_named = not self._is_call or bool(self._tool)
        self._problem.setHidden(is_named)
        return is_named and (not self._is_call or self.arguments.check())

    @property
    def _is_call(self) -> bool:
        return self.action.currentData() not in self._sayings

    @property
    def _tool(self) -> str:
        chosen = str(self.action.currentData())
        return self.other.text().strip() if chosen == _OTHER else chosen

    def _lay_out(self) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(8)
        for widget in (
            *(self.refused, self.hints, self.action, self.other, self._problem),
            *(self.arguments, self.outcome, self.result, self.left),
        ):
            column.addWidget(widget)
        for field in (self.arguments, self.result):
            field.submitted.connect(self.submitted)
        self.other.returnPressed.connect(self.submitted)
        self.action.currentIndexChanged.connect(self._on_action_changed)
        self.setFocusProxy(self.action)

    @Slot()
    def _on_action_changed(self) -> None:
        self.other.setVisible(self.action.currentData() == _OTHER)
        self.arguments.setVisible(self._is_call)
        self.outcome.setVisible(self._is_call)
        self._problem.hide()


def _words(role: str, text: str, parent: QWidget) -> QLabel:
    label = QLabel(text, parent)
    label.setProperty("role", role)
    label.setWordWrap(True)
    label.setVisible(bool(text))
    return label


def _left_words(left: tuple[str, ...]) -> str:
    return _("Still to come: {steps}").format(steps=" · ".join(left)) if left else ""
