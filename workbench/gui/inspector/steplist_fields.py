"""The fields of a step in a step list as the inspector shows them: how each is called, and how its value is written."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QEvent, QObject, Qt, Signal, Slot
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QCheckBox, QComboBox, QLineEdit, QWidget

from workbench.engine.fields import FieldKind, FieldType, NotThatType, value_of
from workbench.gui.inspector.item_rows import ItemRows
from workbench.gui.look.label import Label
from workbench.gui.look.layouts import PaneForm, in_column
from workbench.gui.look.written_words import follow_words
from workbench.gui.words import widget_text
from workbench.i18n import N_, LazyText, _
from workbench.model.loader.step_reading import FAILURE_POLICIES
from workbench.model.loader.steplist import PlaybookStep, thawed
from workbench.model.meaning import StepListEntry
from workbench.model.program import Step, StepId
from workbench.model.snapshot import Snapshot
from workbench.model.steplists.program import fields_of

_NAMES = FieldType(FieldKind.LIST, item=FieldType(FieldKind.TEXT))
_TOOLS = ("expected_tools", "allowed_tools")


@dataclass(frozen=True, slots=True)
class FieldSpec:
    """One field. *name*: as in the file. *default*: what it is where it is not written.

    *has_names*: the items of a LIST are names, else sentences.
    """

    name: str
    label: LazyText | str
    kind: FieldKind
    default: Any = None
    hint: LazyText | None = None
    has_names: bool = True


CHOICES = ("", *FAILURE_POLICIES)
LIST_FIELDS = (
    FieldSpec("id", N_("Id"), FieldKind.TEXT),
    FieldSpec("expected_tools", N_("Tools"), FieldKind.LIST, (), N_("names, separated by commas")),
    FieldSpec("hints", N_("Hints"), FieldKind.LIST, (), N_("another hint"), has_names=False),
    FieldSpec("required", N_("Required"), FieldKind.YES_NO, True),
    FieldSpec("min_tool_calls", N_("Min. calls"), FieldKind.WHOLE_NUMBER),
    FieldSpec("max_tool_calls", N_("Max. calls"), FieldKind.WHOLE_NUMBER),
    FieldSpec("timeout_seconds", N_("Time limit"), FieldKind.NUMBER, None, N_("seconds")),
    FieldSpec("validation", N_("Validation"), FieldKind.DATA, {}, N_('JSON, such as {"min_tool_calls": 1}')),
    FieldSpec("required_probes", N_("Evidence"), FieldKind.DATA, [], N_('JSON, such as [{"name": "a", "match": "b"}]')),
    FieldSpec("uses", N_("Skills"), FieldKind.LIST, (), N_("names, separated by commas")),
    FieldSpec("any_tool", N_("Any tool"), FieldKind.YES_NO, False),
    FieldSpec("count_failures", N_("Count failed calls"), FieldKind.YES_NO, False),
    FieldSpec("retry_limit", N_("Retries"), FieldKind.WHOLE_NUMBER),
    FieldSpec("on_failure", N_("On failure"), FieldKind.CHOICE, ""),
    FieldSpec("metadata", N_("Metadata"), FieldKind.DATA, {}, N_("JSON")),
)
GRAPH_FIELDS = (
    FieldSpec("id", N_("Id"), FieldKind.TEXT),
    FieldSpec("allowed_tools", N_("Tools"), FieldKind.LIST, (), N_("names, separated by commas")),
    FieldSpec("after", N_("After"), FieldKind.LIST, (), N_("ids, separated by commas")),
    FieldSpec("required", N_("Required"), FieldKind.YES_NO, True),
    FieldSpec("max_tool_calls", N_("Max. calls"), FieldKind.WHOLE_NUMBER),
)


def value_in(spec: FieldSpec, meaning: StepListEntry, step: PlaybookStep) -> Any:
    """The value of the field *spec* in *step*."""
    if spec.name == "after":
        return meaning.after
    name = "expected_tools" if spec.name == "allowed_tools" else spec.name
    if name == "required_probes":
        return [
            {key: text for key in ("name", "match", "description") if (text := getattr(probe, key))}
            for probe in step.required_probes
        ]
    return thawed(getattr(step, name)) if spec.kind is FieldKind.DATA else getattr(step, name)


def shown(spec: FieldSpec, value: Any) -> str:
    """*value* as it stands in the editor."""
    match spec.kind:
        case FieldKind.LIST:
            return ("; " if spec.has_names else "\n").join(value)
        case FieldKind.DATA:
            return json.dumps(value, ensure_ascii=False) if value else ""
        case FieldKind.NUMBER:
            return f"{value:.15g}" if value is not None else ""
        case _:
            return "" if value is None else str(value)


def entered(spec: FieldSpec, text: str) -> Any:
    """The value that *text* stands for; None takes the field out. Raises NotThatType."""
    if not text.strip():
        return None
    value = value_of(text.strip(), FieldType(spec.kind))
    match spec.kind:
        case FieldKind.DATA if not isinstance(value, Mapping | list):
            raise NotThatType(_("Enter a list or a mapping."))
        case FieldKind.DATA:
            return value or None
        case FieldKind.WHOLE_NUMBER | FieldKind.NUMBER:
            return _in_range(spec, value)
        case _:
            return value


def _in_range(spec: FieldSpec, value: float) -> float:
    """*value*, whole where it can be; a count starts at 0, a time limit above it."""
    if value < 0 or (spec.kind is FieldKind.NUMBER and value == 0):
        raise NotThatType(_("The number is too small."))
    return int(value) if value == int(value) else value


@dataclass(frozen=True, slots=True)
class NewValue:
    """What somebody entered for a field of a step; None takes it out."""

    step: StepId
    field: str
    value: Any


class StepListField(QWidget):
    """Applies what was entered with Enter or by leaving it; Esc takes it back."""

    value_written = Signal(object)  # NewValue
    edited = Signal()

    def __init__(self, spec: FieldSpec, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.spec = spec
        self._step: StepId | None = None
        self._value: Any = None
        self._is_applying = False
        self._problem = Label(parent=self, role="problem", wraps=True)
        self._problem.hide()
        self.editor = self._make_editor()
        self.editor.setAccessibleName(str(spec.label))
        self.editor.setToolTip(str(spec.hint or spec.name))
        in_column(self, self.editor, self._problem, margins=0, spacing=2)

    def _make_editor(self) -> QWidget:
        match self.spec.kind:
            case FieldKind.YES_NO:
                box = QCheckBox(self)
                box.clicked.connect(self._on_clicked)
                return box
            case FieldKind.CHOICE:
                choice = QComboBox(self)
                choice.addItems([each or _("as set for the playbook") for each in CHOICES])
                choice.activated.connect(self._on_activated)
                return choice
        line = QLineEdit(self, placeholderText=str(self.spec.hint or ""))
        follow_words(line)
        line.editingFinished.connect(self.apply)
        line.textChanged.connect(self.edited)
        line.installEventFilter(self)
        return line

    def show_value(self, step: StepId, value: Any) -> None:
        """Show *value* of *step*; what is being entered for the same step stays, and what was refused."""
        if self.is_being_written and (not self._is_applying or value == self._value):
            if step == self._step:
                return
            self.apply()
        self._step = step
        self._value = value
        self._show()
        self._say("")

    def _show(self) -> None:
        """Show what the document has."""
        words, editor = shown(self.spec, self._value), self.editor
        if isinstance(editor, QCheckBox):
            editor.setChecked(words == "True")
        elif isinstance(editor, QComboBox):
            editor.setCurrentIndex(CHOICES.index(words) if words in CHOICES else 0)
        elif isinstance(editor, QLineEdit) and self.written != words:
            editor.setText(widget_text.shown(words))
            editor.setCursorPosition(0)

    @property
    def step(self) -> StepId | None:
        """The step whose field this is."""
        return self._step

    @property
    def is_being_written(self) -> bool:
        """True while there is something that was not applied."""
        return self._step is not None and self.written != shown(self.spec, self._value)

    @property
    def written(self) -> str:
        """What stands in it, in the characters of the document."""
        words = shown(self.spec, self._value)
        return widget_text.rewritten(words, self.editor.text()) if isinstance(self.editor, QLineEdit) else words

    def _entered(self) -> Any:
        """The value that stands in it; None takes the field out. Raises NotThatType."""
        return entered(self.spec, self.written)

    @Slot()
    def apply(self) -> None:
        """Report what was entered, where it can be read; it stays where that is refused."""
        if not self.is_being_written or self._is_applying:
            return
        try:
            value = self._entered()
        except NotThatType as problem:
            self._say(str(problem))
            return
        self._say("")
        self._is_applying = True
        self._report(value)
        self._is_applying = False

    def take_back(self) -> None:
        """Show again what the document has."""
        self._show()
        self._say("")

    def _report(self, value: Any) -> None:
        if self._step is not None:
            self.value_written.emit(NewValue(self._step, self.spec.name, value))

    def _say(self, words: str) -> None:
        self._problem.setText(words)
        self._problem.setVisible(bool(words))
        self.editor.setAccessibleDescription(words)

    @Slot(bool)
    def _on_clicked(self, is_checked: bool) -> None:  # noqa: FBT001 - the form of Qt's signal
        self._report(None if is_checked is self.spec.default else is_checked)

    @Slot(int)
    def _on_activated(self, index: int) -> None:
        self._report(CHOICES[index] or None)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Esc takes back."""
        is_press = event.type() is QEvent.Type.KeyPress and self.is_being_written
        if is_press and isinstance(event, QKeyEvent) and event.key() == Qt.Key.Key_Escape:
            self.take_back()
            return True
        return super().eventFilter(watched, event)


class ListField(StepListField):
    """A list, whose items are edited one by one."""

    editor: ItemRows

    def _make_editor(self) -> QWidget:
        rows = ItemRows(str(self.spec.hint or ""), has_names=self.spec.has_names, parent=self)
        rows.edited.connect(self.edited)
        rows.finished.connect(self.apply)
        rows.cancelled.connect(self.take_back)
        return rows

    def _show(self) -> None:
        self.editor.show_items(self._value)

    @property
    def is_being_written(self) -> bool:
        """True while there is something that was not applied."""
        return self._step is not None and self.editor.is_changed

    @property
    def written(self) -> str:
        """What stands in its rows."""
        return shown(self.spec, [*self.editor.items, *filter(None, [self.editor.spare.item])])

    def _entered(self) -> Any:
        """The items; names for the spare row are read as everywhere else, several at once where commas are between."""
        spare = self.editor.spare.item.strip()
        added = value_of(spare, _NAMES) if self.spec.has_names else [spare][: len(spare)]
        return (*self.editor.items, *added) or None


class FieldSet(QWidget):
    """Several fields, applied and taken back together."""

    value_written = Signal(object)  # NewValue
    edited = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.fields: dict[str, StepListField] = {}

    @property
    def is_being_written(self) -> bool:
        """True while something in any field was not applied."""
        return any(field.is_being_written for field in self.fields.values())

    @property
    def written(self) -> str:
        """What stands in the fields that were not applied, a line for each."""
        written = (field for field in self.fields.values() if field.is_being_written)
        return "\n".join(f"{field.spec.name}: {field.written}" for field in written)

    def apply(self) -> None:
        """Report what was entered in each."""
        for field in tuple(self.fields.values()):
            field.apply()

    def take_back(self) -> None:
        """Show again what the document has."""
        for field in self.fields.values():
            field.take_back()

    def show_fields(self, form: PaneForm, fields: Iterable[StepListField]) -> None:
        """Show exactly *fields*, below each other in *form*."""
        self.fields = {field.spec.name: field for field in fields}
        for field in self.fields.values():
            field.value_written.connect(self.value_written)
            field.edited.connect(self.edited)
            form.add(str(field.spec.label), field)


class StepListFields(FieldSet):
    """One row per field; the rows of a graph are others than those of a list."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._form = PaneForm(self)
        self._specs: tuple[FieldSpec, ...] = ()

    @property
    def step(self) -> StepId | None:
        """The step whose fields these are."""
        return next((field.step for field in self.fields.values()), None)

    def show_step(self, step: Step, snapshot: Snapshot) -> bool:
        """Show the fields of *step*; false where it has none."""
        own = fields_of(step)
        if own is None or not isinstance(step.meaning, StepListEntry):
            return False
        self._show_specs(GRAPH_FIELDS if snapshot.program.format.is_graph else LIST_FIELDS)
        for field in self.fields.values():
            field.show_value(step.id, value_in(field.spec, step.meaning, own))
            if isinstance(field, ListField) and field.spec.has_names:
                field.editor.names.setStringList(_names(snapshot, field.spec.name))
        return True

    def _show_specs(self, specs: tuple[FieldSpec, ...]) -> None:
        if specs is self._specs:
            return
        while self._form.rowCount():
            self._form.removeRow(0)
        self._specs = specs
        kinds = [ListField if spec.kind is FieldKind.LIST else StepListField for spec in specs]
        self.show_fields(self._form, [kind(spec, self) for kind, spec in zip(kinds, specs, strict=True)])


def _names(snapshot: Snapshot, field: str) -> list[str]:
    """The names known in the document that can stand in *field*."""
    steps = [step for root in snapshot.roots if root is not None for step in root.walk()]
    known = [own for step in steps if (own := fields_of(step)) is not None]
    if field == "after":
        return sorted({own.id for own in known})
    names = [own.expected_tools if field in _TOOLS else own.uses for own in known]
    return sorted({name for found in names for name in found})
