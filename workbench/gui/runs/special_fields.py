"""Questions that are not a list of fields: triggers, what a playbook without steps does next, a turn in a step list, a
plan.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import QCheckBox, QComboBox, QFormLayout, QLineEdit, QWidget

from workbench.engine.fields import FieldKind, FieldType, field_type
from workbench.engine.ports import Purpose, Request
from workbench.gui.forms.field import RunField
from workbench.gui.look.label import Label
from workbench.gui.look.layouts import in_column, in_row
from workbench.gui.look.theming import current_theme
from workbench.gui.words.widget_text import shown
from workbench.i18n import N_, _
from workbench.model.meaning import Variable

_DONE = "done"
_SAYINGS = {
    "done": N_("This step is done"),
    "skip": N_("Skip this step"),
    "finish": N_("Everything is done"),
}
_OTHER = "\0other"
_MAKE = "make"
_PLAN_PX = 420


class SpecialFields(QWidget):
    """What stands in the place of the fields."""

    submitted = Signal()

    def values(self) -> tuple[tuple[str, Any], ...]:
        """What was chosen and entered; ask ``check`` first."""
        return ()

    def check(self) -> bool:
        """Whether it can be read; shows what is wrong where not."""
        return True

    def propose(self, values: Mapping[str, Any]) -> None:
        """Choose and enter *values*, as ``values`` gives them."""


class TriggerChecks(SpecialFields):
    """One box per trigger; those that are not the case stay as they are, so Enter alone says *none*."""

    def __init__(self, request: Request, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        column = in_column(self, margins=0, spacing=2)
        # the first line of the question is the question, each further one a trigger
        lines = (*request.text.splitlines()[1:], *(field.name for field in request.fields))
        self.boxes = tuple(QCheckBox(line, self) for line, _field in zip(lines, request.fields, strict=False))
        self._names = tuple(field.name for field in request.fields)
        for box in self.boxes:
            column.addWidget(box)

    def values(self) -> tuple[tuple[str, Any], ...]:
        """Yes or no for each trigger."""
        return tuple((name, box.isChecked()) for name, box in zip(self._names, self.boxes, strict=True))

    def propose(self, values: Mapping[str, Any]) -> None:
        """Tick what is the case."""
        for name, box in zip(self._names, self.boxes, strict=True):
            box.setChecked(bool(values.get(name)))


class ActChoice(SpecialFields):
    """A call with its arguments, or the result that ends the playbook."""

    def __init__(self, request: Request, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.action = QComboBox(self)
        self.action.addItem(_("Done"), _DONE)
        for choice in request.choices:
            if choice != _DONE:
                self.action.addItem(_("Call {name}").format(name=choice), choice)
        self.action.setAccessibleName(_("What to do next"))
        pairs = FieldType(FieldKind.OBJECT)
        self.arguments = RunField(Variable("arguments", is_state=False), self, pairs)
        result = next((field for field in request.fields if field.name == "result"), Variable("result", is_state=False))
        wanted = field_type(result)
        self.result = RunField(result, self, FieldType(FieldKind.LONG_TEXT) if wanted.is_text else wanted)
        in_column(self, self.action, self.arguments, self.result, margins=0, spacing=8)
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

    def propose(self, values: Mapping[str, Any]) -> None:
        """Choose the act, with what belongs to it."""
        self.action.setCurrentIndex(max(0, self.action.findData(values.get("action"))))
        self.arguments.propose(dict(values.get("arguments") or {}))
        self.result.propose(values.get("result"))

    def check(self) -> bool:
        """Whether what is entered for this act can be read."""
        return (self.result if self.action.currentData() == _DONE else self.arguments).check()

    @Slot()
    def _on_action_changed(self) -> None:
        is_done = self.action.currentData() == _DONE
        self.result.setVisible(is_done)
        self.arguments.setVisible(not is_done)


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
            used = _("Tool: {tool}").format(tool=choice)
            self.action.addItem(str(_SAYINGS.get(choice, choice)) if choice in self._sayings else used, choice)
        self.action.addItem(_("Another tool"), _OTHER)
        self.other = QLineEdit(self)
        self.other.setAccessibleName(_("Tool name"))
        self.other.setPlaceholderText(_("Tool name"))
        self._problem = Label(_("Enter the name of the tool."), self, role="problem")
        self._problem.hide()
        self.arguments = RunField(Variable(_("arguments"), is_state=False), self, FieldType(FieldKind.OBJECT))
        self.outcome = QComboBox(self)
        self.outcome.setAccessibleName(_("Outcome"))
        self.outcome.addItem(_("Succeeded"), "")
        self.outcome.addItem(_("Failed"), "failed")
        self.outcome.addItem(_("Call it now"), _MAKE)
        self.result = RunField(Variable(_("result"), is_state=False), self, FieldType(FieldKind.LONG_TEXT))
        self._lay_out()
        self._on_action_changed()

    def values(self) -> tuple[tuple[str, Any], ...]:
        """The call and what came of it, or what is said of the step."""
        said = str(self.result.value())
        if not self._is_call:
            return (("action", self.action.currentData()), ("result", said))
        has_failed = self.outcome.currentData() == "failed"
        if self.outcome.currentData() == _MAKE:
            return (("action", self._tool), ("arguments", self.arguments.value()), ("make", True))
        return (
            ("action", self._tool),
            ("arguments", self.arguments.value()),
            ("result", "" if has_failed else said),
            ("failure", (said or _("It failed.")) if has_failed else ""),
        )

    def propose(self, values: Mapping[str, Any]) -> None:
        """Choose the call, or what is said of the step, with what belongs to it."""
        action = str(values.get("action", ""))
        known = self.action.findData(action)
        self.action.setCurrentIndex(known if known >= 0 else self.action.findData(_OTHER))
        self.other.setText(shown(action) if known < 0 else "")
        self.arguments.propose(dict(values.get("arguments") or {}))
        self.outcome.setCurrentIndex(self.outcome.findData(_MAKE if values.get(_MAKE) else ""))
        self.result.propose(values.get("result") or "")

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
        column = in_column(self, margins=0, spacing=8)
        choices = in_row(None, (self.action, 2), (self.outcome, 1), spacing=8)
        column.addWidget(self.refused)
        column.addWidget(self.hints)
        column.addLayout(choices)
        for widget in (self.other, self._problem, self.arguments, self.result, self.left):
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


class PlanFields(SpecialFields):
    """A plan as its steps. What is not shown of a plan that was proposed stays what it is."""

    def __init__(self, request: Request, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        from workbench.gui.forms.plan_editor import PlanEditor  # noqa: PLC0415 - few runs ask for a plan
        from workbench.model.plans.plan import Plan  # noqa: PLC0415

        self._plan = Plan("", "", ())
        self.title, self.returns = QLineEdit(self), QLineEdit(self)
        self.title.setPlaceholderText(_("What it is called, in a few words"))
        self.returns.setPlaceholderText(_("what it gives, like $total"))
        self.editor = PlanEditor(self, Qt.Orientation.Vertical)
        self.editor.setMinimumHeight(current_theme().px(_PLAN_PX))
        self._problem = Label(parent=self, role="problem", wraps=True)
        self._problem.hide()
        form = QFormLayout(fieldGrowthPolicy=QFormLayout.FieldGrowthPolicy.ExpandingFieldsGrow)
        form.addRow(_("Title"), self.title)
        gives = QFormLayout(fieldGrowthPolicy=QFormLayout.FieldGrowthPolicy.ExpandingFieldsGrow)
        gives.addRow(_("Returns"), self.returns)
        in_column(self, form, self.editor, gives, self._problem, margins=0, spacing=8)
        self.setFocusProxy(self.title)

    def values(self) -> tuple[tuple[str, Any], ...]:
        """The plan, as data."""
        from workbench.model.plans.plan import plan_to_json  # noqa: PLC0415 - see above

        title, returns = self.title.text().strip(), self.returns.text().strip()
        plan = replace(self._plan, title=title, steps=self.editor.steps, returns=returns)
        return (("plan", plan_to_json(plan)),)

    def propose(self, values: Mapping[str, Any]) -> None:
        """Show the plan; why not, where it is none."""
        from workbench.model.plans.plan import PlanRefused, plan_from_json  # noqa: PLC0415 - see above
        from workbench.planning.request import Offer  # noqa: PLC0415 - see above

        try:
            self._plan = plan_from_json(values.get("plan"))
        except PlanRefused as error:
            self._say("\n".join(error.problems))
            return
        self.title.setText(shown(self._plan.title))
        self.returns.setText(shown(self._plan.returns))
        # what a run can call is told to whoever plans; the form has what the plan calls
        self.editor.show_offers([Offer(name) for name in sorted(self._plan.calls)])
        self.editor.show_steps(self._plan.steps)

    def check(self) -> bool:
        """Whether it has a title and steps; all else is checked when it is answered."""
        is_named, has_steps = bool(self.title.text().strip()), bool(self.editor.steps)
        self._say("" if is_named and has_steps else _("A plan needs a title and at least one step."))
        return is_named and has_steps

    def _say(self, problem: str) -> None:
        self._problem.setText(problem)
        self._problem.setVisible(bool(problem))


def _words(role: str, text: str, parent: QWidget) -> Label:
    label = Label(text, parent, role=role, wraps=True)
    label.setVisible(bool(text))
    return label


def _left_words(left: tuple[str, ...]) -> str:
    return _("Next: {steps}").format(steps=" · ".join(" ".join(step.split()) for step in left)) if left else ""


def special_fields(request: Request, parent: QWidget) -> SpecialFields | None:
    """What stands in the place of the fields of *request*, or None where they are asked for one by one."""
    match request.purpose:
        case Purpose.TRIGGERS | Purpose.MESSAGE:
            return TriggerChecks(request, parent)
        case Purpose.REACT:
            return ActChoice(request, parent)
        case Purpose.TURN:
            return TurnFields(request, parent)
        case _:
            return PlanFields(request, parent) if is_plan(request) else None


def is_plan(request: Request) -> bool:
    """Whether a step of a playbook asks for a plan."""
    from workbench.engine.language.making import is_about_plan  # noqa: PLC0415 - the engine loads with the first run

    return is_about_plan(request)
