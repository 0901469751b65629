"""The fields of a step in a step list as the inspector shows them: how each is called, and how its value is written."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QEvent, QModelIndex, QObject, QPersistentModelIndex, QStringListModel, Qt, Signal, Slot
from PySide6.QtGui import QFontMetrics, QKeyEvent
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QCompleter,
    QLineEdit,
    QPlainTextEdit,
    QWidget,
)

from workbench.engine.fields import FieldKind, FieldType, NotThatType, value_of
from workbench.gui.look.label import Label
from workbench.gui.look.layouts import PaneForm, in_column
from workbench.gui.look.theming import current_theme
from workbench.i18n import N_, LazyText, _
from workbench.model.loader.step_reading import FAILURE_POLICIES
from workbench.model.loader.steplist import PlaybookStep, thawed
from workbench.model.meaning import StepListEntry
from workbench.model.program import Step, StepId
from workbench.model.snapshot import Snapshot
from workbench.model.steplists.program import fields_of

_LINES_SHOWN = 3
_TOOLS = ("expected_tools", "allowed_tools")


@dataclass(frozen=True, slots=True)
class FieldSpec:
    """One field. *name*: as in the file. *default*: what it is where it is not written."""

    name: str
    label: LazyText
    kind: FieldKind
    default: Any = None
    hint: LazyText | None = None


CHOICES = ("", *FAILURE_POLICIES)
LIST_FIELDS = (
    FieldSpec("id", N_("Id"), FieldKind.TEXT),
    FieldSpec("expected_tools", N_("Tools"), FieldKind.LIST, (), N_("names, separated by commas")),
    FieldSpec("hints", N_("Hints"), FieldKind.LINES, (), N_("one per line")),
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
            return ", ".join(value)
        case FieldKind.LINES:
            return "\n".join(value)
        case FieldKind.DATA:
            return json.dumps(value, ensure_ascii=False) if value else ""
        case FieldKind.NUMBER:
            return f"{value:g}" if value is not None else ""
        case _:
            return "" if value is None else str(value)


def entered(spec: FieldSpec, text: str) -> Any:
    """The value that *text* stands for; None takes the field out. Raises NotThatType."""
    if not text.strip():
        return None
    value = value_of(text.strip(), FieldType(spec.kind))
    match spec.kind:
        case FieldKind.LIST | FieldKind.LINES:
            return tuple(value) or None
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


class NameCompleter(QCompleter):
    """Completes the name at the end of *line*."""

    def __init__(self, line: QLineEdit) -> None:
        super().__init__(line)
        self._line = line
        self._names = QStringListModel(self)
        self.setModel(self._names)
        self.setCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
        self.setFilterMode(Qt.MatchFlag.MatchContains)
        line.setCompleter(self)

    @property
    def names(self) -> list[str]:
        """What can be completed."""
        return self._names.stringList()

    def show_names(self, names: list[str]) -> None:
        """Complete to *names*."""
        if names != self.names:
            self._names.setStringList(names)

    def splitPath(self, path: str) -> list[str]:
        """The name that is being written."""
        return [path.rpartition(",")[2].strip()]

    def pathFromIndex(self, index: QModelIndex | QPersistentModelIndex) -> str:
        """The whole line with the name at *index* at its end."""
        before = self._line.text().rpartition(",")[0].strip()
        name = str(index.data(Qt.ItemDataRole.DisplayRole))
        return f"{before}, {name}" if before else name


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
        self._shown = ""
        self._is_applying = False
        self._problem = Label(parent=self, role="problem", wraps=True)
        self._problem.hide()
        self.completer: NameCompleter | None = None
        self.editor = self._make_editor()
        self.editor.setAccessibleName(str(spec.label))
        self.editor.setToolTip(str(spec.hint or spec.name))
        in_column(self, self.editor, self._problem, margins=0, spacing=2)
        self.take_theme()

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
            case FieldKind.LINES:
                lines = QPlainTextEdit(self, tabChangesFocus=True)
                lines.installEventFilter(self)
                lines.textChanged.connect(self.edited)
                return lines
        line = QLineEdit(self, placeholderText=str(self.spec.hint or ""))
        line.editingFinished.connect(self.apply)
        line.textChanged.connect(self.edited)
        line.installEventFilter(self)
        if self.spec.kind is FieldKind.LIST:
            self.completer = NameCompleter(line)
        return line

    def show_value(self, step: StepId, value: Any) -> None:
        """Show *value* of *step*; what is being entered for the same step stays."""
        words = shown(self.spec, value)
        if self.is_being_written and not self._is_applying:
            if step == self._step:
                return
            self.apply()
        self._step = step
        self._shown = words
        self._set(words)
        self._say("")

    def _set(self, words: str) -> None:
        editor = self.editor
        if isinstance(editor, QCheckBox):
            editor.setChecked(words == "True")
        elif isinstance(editor, QComboBox):
            editor.setCurrentIndex(CHOICES.index(words) if words in CHOICES else 0)
        elif isinstance(editor, QPlainTextEdit):
            if editor.toPlainText() != words:
                editor.setPlainText(words)
        elif isinstance(editor, QLineEdit) and editor.text() != words:
            editor.setText(words)
            editor.setCursorPosition(0)

    @property
    def step(self) -> StepId | None:
        """The step whose field this is."""
        return self._step

    @property
    def is_being_written(self) -> bool:
        """True while there is something that was not applied."""
        return self._step is not None and self.written != self._shown

    @property
    def written(self) -> str:
        """What stands in it."""
        editor = self.editor
        if isinstance(editor, QPlainTextEdit):
            return editor.toPlainText()
        return editor.text() if isinstance(editor, QLineEdit) else self._shown

    @Slot()
    def apply(self) -> None:
        """Report what was entered, where it can be read; it stays where that is refused."""
        if not self.is_being_written or self._is_applying:
            return
        try:
            value = entered(self.spec, self.written)
        except NotThatType as problem:
            self._say(str(problem))
            return
        self._say("")
        self._is_applying = True
        self._report(value)
        self._is_applying = False

    def take_back(self) -> None:
        """Show again what the document has."""
        self._set(self._shown)
        self._say("")

    def _report(self, value: Any) -> None:
        if self._step is not None:
            self.value_written.emit(NewValue(self._step, self.spec.name, value))

    def _say(self, words: str) -> None:
        self._problem.setText(words)
        self._problem.setVisible(bool(words))
        self.editor.setAccessibleDescription(words)

    def take_theme(self) -> None:
        """Larger letters need more room."""
        if isinstance(self.editor, QPlainTextEdit):
            line_px = QFontMetrics(current_theme().body_font()).lineSpacing()
            self.editor.setFixedHeight(line_px * _LINES_SHOWN + 12)

    @Slot(bool)
    def _on_clicked(self, is_checked: bool) -> None:  # noqa: FBT001 - the form of Qt's signal
        self._report(None if is_checked is self.spec.default else is_checked)

    @Slot(int)
    def _on_activated(self, index: int) -> None:
        self._report(CHOICES[index] or None)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Esc takes back; in several lines Ctrl+Enter and leaving apply."""
        if isinstance(event, QKeyEvent) and event.type() is QEvent.Type.KeyPress:
            is_enter = event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter)
            if event.key() == Qt.Key.Key_Escape and self.is_being_written:
                self.take_back()
                return True
            if is_enter and event.modifiers() & Qt.KeyboardModifier.ControlModifier:
                self.apply()
                return True
        if event.type() is QEvent.Type.FocusOut and isinstance(watched, QPlainTextEdit):
            self.apply()
        return super().eventFilter(watched, event)


class StepListFields(QWidget):
    """One row per field; the rows of a graph are others than those of a list."""

    value_written = Signal(object)  # NewValue
    edited = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._form = PaneForm(self)
        self._specs: tuple[FieldSpec, ...] = ()
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

    @property
    def step(self) -> StepId | None:
        """The step whose fields these are."""
        return next((field.step for field in self.fields.values()), None)

    def apply(self) -> None:
        """Report what was entered in each."""
        for field in self.fields.values():
            field.apply()

    def take_back(self) -> None:
        """Show again what the document has."""
        for field in self.fields.values():
            field.take_back()

    def show_step(self, step: Step, snapshot: Snapshot) -> bool:
        """Show the fields of *step*; false where it has none."""
        own = fields_of(step)
        if own is None or not isinstance(step.meaning, StepListEntry):
            return False
        self._show_specs(GRAPH_FIELDS if snapshot.program.format.is_graph else LIST_FIELDS)
        for field in self.fields.values():
            field.show_value(step.id, value_in(field.spec, step.meaning, own))
            if field.completer is not None:
                field.completer.show_names(_names(snapshot, field.spec.name))
        return True

    def _show_specs(self, specs: tuple[FieldSpec, ...]) -> None:
        if specs is self._specs:
            return
        while self._form.rowCount():
            self._form.removeRow(0)
        self._specs = specs
        self.fields = {spec.name: StepListField(spec, self) for spec in specs}
        for field in self.fields.values():
            field.value_written.connect(self.value_written)
            field.edited.connect(self.edited)
            self._form.add(str(field.spec.label), field)


def _names(snapshot: Snapshot, field: str) -> list[str]:
    """The names known in the document that can stand in *field*."""
    steps = [step for root in snapshot.roots if root is not None for step in root.walk()]
    known = [own for step in steps if (own := fields_of(step)) is not None]
    if field == "after":
        return sorted({own.id for own in known})
    names = [own.expected_tools if field in _TOOLS else own.uses for own in known]
    return sorted({name for found in names for name in found})
