"""The front matter of a file as a form, which the inspector shows of a skill while no step is selected."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from PySide6.QtCore import QEvent, QObject, Qt, Slot
from PySide6.QtGui import QFocusEvent, QKeyEvent
from PySide6.QtWidgets import QScrollArea, QVBoxLayout, QWidget

from workbench.editing.commands import Refusal, SetFrontMatter
from workbench.engine.fields import FieldKind, NotThatType
from workbench.gui.control.context import WindowContext
from workbench.gui.inspector.findings_view import FindingsView
from workbench.gui.inspector.item_rows import SentenceRow
from workbench.gui.inspector.steplist_fields import FieldSet, FieldSpec, ListField, NewValue, StepListField
from workbench.gui.look.icons import Picture, icon
from workbench.gui.look.label import Label, ProblemLabel
from workbench.gui.look.layouts import PaneForm, in_column, in_row
from workbench.i18n import N_, LazyText, _
from workbench.model.checks.ordinary.skills import is_skill
from workbench.model.kinds import FileKind
from workbench.model.markdown.front_matter import FrontField, FrontMatter, Path, front_of
from workbench.model.program import StepId
from workbench.model.snapshot import Snapshot
from workbench.syntax.diagnostics import Diagnostic
from workbench.syntax.text import Span

_ICON_PX = 20


class FrontMatterPage(QScrollArea):
    """Follows the document; ``has_form`` says whether there is anything to show."""

    def __init__(self, context: WindowContext, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._context = context
        self._front: FrontMatter | None = None
        self._start = 0
        page = QWidget(self)
        page.setProperty("role", "surface")
        title = Label(_("Front matter"), page, role="title")
        picture = Picture(icon("inspector"), page, _ICON_PX)
        head = in_row(None, picture, (title, 1), margins=(12, 12, 12, 8), spacing=8)
        self.fields = FrontMatterFields(page)
        self.findings = FindingsView(context, page)
        in_column(page, head, self.fields, self.findings, 1, margins=0, spacing=0)
        self.setWidgetResizable(True)
        self.setWidget(page)
        documents = context.documents
        documents.document_opened.connect(self._on_findings_ready)
        context.diagnosis.ready.connect(self._on_findings_ready)
        self.fields.value_written.connect(self._on_value_written)
        self.fields.edited.connect(documents.fields.changed)
        documents.fields.add(self.fields)
        self.follow()
        self._show_findings()

    @property
    def has_form(self) -> bool:
        """True where a skill is open whose front matter can be read."""
        return self._front is not None

    def follow(self) -> None:
        """Show what the document has."""
        snapshot = self._context.documents.snapshot
        found = front_of(snapshot.blocks) if snapshot.program.kind is FileKind.SKILL else None
        before = self._front
        self._start, self._front = found if found is not None and not found[1].is_broken else (0, None)
        if self._front is before and before is not None:
            return
        if self._front is not None:
            self.fields.show_front(self._front)
        elif self.fields.is_being_written:
            self._context.documents.fields.left_over.emit(self.fields.written)
            self.fields.take_back()

    def _show_findings(self) -> None:
        snapshot = self._context.documents.snapshot
        if self._front is not None and snapshot.is_diagnosed:
            end = self._start + len(self._front.text)
            inside = [each for each in snapshot.diagnostics if self._start <= each.span.start < end]
            self.findings.show_findings(self.fields.show_findings(self._front, inside, self._start))

    @Slot(object)
    def _on_findings_ready(self, _snapshot: Snapshot) -> None:
        self._show_findings()

    @Slot(object)
    def _on_value_written(self, new: NewValue) -> None:
        """Change a value; where that is refused, what was entered stays."""
        outcome = self._context.documents.execute(self.fields.command_of(new), self._context.selection.selected)
        if not isinstance(outcome, Refusal) and new.field in self.fields.fields:
            self.fields.fields[new.field].take_back()


_OWNER = StepId("front matter")
_LONG = 60
_MOST_ROWS = 60
_MOST_SOURCE = 600
_METADATA: Path = ("metadata", "")
"""Stands for an entry that is not there yet."""
_KEPT_EMPTY = (("name",), ("description",))
_LABELS: Mapping[str, LazyText] = {
    "name": N_("Name"),
    "description": N_("Description"),
    "applyTo": N_("Applies to"),
    "model": N_("Model"),
    "tools": N_("Tools"),
    "allowed-tools": N_("Allowed tools"),
    "license": N_("License"),
    "compatibility": N_("Compatibility"),
}
"""The keys that come first, in this order, and what they are called."""
_HINTS: Mapping[Path, LazyText] = {
    ("description",): N_("what it does, and when to use it"),
    ("allowed-tools",): N_("names, with blanks or commas between"),
    _METADATA: N_("another entry, as name: value"),
}
_NOT_SET = N_("not set")
_NAMES = frozenset({"model", "tools", "allowed-tools", "agents", "tags", "keywords"})
_OF_SKILLS = ("name", "description", "allowed-tools", "license", "compatibility")
_OF_INSTRUCTIONS = ("description", "applyTo")
_OF_AGENTS = ("name", "description", "model", "tools")


def usual_keys(front: FrontMatter) -> tuple[str, ...]:
    """The keys that a file with such front matter usually has."""
    values = {field.path[0]: field.value for field in front.fields}
    if is_skill(values):
        return _OF_SKILLS
    return _OF_INSTRUCTIONS if "applyTo" in values else _OF_AGENTS


def rows_of(front: FrontMatter) -> Iterator[FrontField]:
    """What the form shows, in its order: usual keys first, there or not, then the others as they stand."""
    usual, nothing = usual_keys(front), Span(0, 0)
    for key in _LABELS:
        found = front.field((key,))
        if found is not None or (key in usual and not front.holds((key,))):
            yield found or FrontField((key,), "", "", nothing)
    seen: set[Path] = {(key,) for key in _LABELS}
    for field in front.fields:
        if field.path not in seen:
            seen.add(field.path)
            yield front.field(field.path) or field
    has_others = front.field(_METADATA[:1]) is not None
    if not has_others and (usual is _OF_SKILLS or front.holds(_METADATA[:1])):
        yield FrontField(_METADATA, "", "", nothing)


class SentenceField(StepListField):
    """Text of several lines. Enter applies it, Shift+Enter begins a line."""

    editor: SentenceRow

    def _make_editor(self) -> QWidget:
        row = SentenceRow(self)
        row.setPlaceholderText(str(self.spec.hint or ""))
        row.textChanged.connect(self.edited)
        row.installEventFilter(self)
        return row

    def _show(self) -> None:
        self.editor.show_item(self._value)

    @property
    def written(self) -> str:
        """What stands in it, in the characters of the document."""
        return self.editor.item

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Enter and leaving apply; Esc takes back, as in other fields."""
        if isinstance(event, QKeyEvent) and event.type() is QEvent.Type.KeyPress:
            is_enter = event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter)
            if is_enter and not event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
                self.apply()
                return True
        if (
            isinstance(event, QFocusEvent)
            and event.lostFocus()
            and event.reason() is not Qt.FocusReason.PopupFocusReason
        ):
            self.apply()
        return super().eventFilter(watched, event)


class EntryField(StepListField):
    """An entry of a mapping that is not there yet, as ``name: value``."""

    def _entered(self) -> Any:
        key, colon, value = self.written.partition(":")
        if not self.written.strip():
            return None
        if not colon or not key.strip():
            raise NotThatType(_("Write a name, a colon and a value."))
        return key.strip(), value.strip()


class FrontMatterFields(FieldSet):
    """Made anew only where other rows are needed."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._page = QWidget(self)
        self._column: QVBoxLayout = in_column(self, self._page, margins=0, spacing=0)
        self._paths: dict[str, Path] = {}
        self._notes: dict[Path, ProblemLabel] = {}
        self._known: tuple[object, ...] = ()

    def show_front(self, front: FrontMatter) -> None:
        """Show all that stands in *front*, and what could."""
        rows = list(rows_of(front))[:_MOST_ROWS]
        known = tuple((row.path, _widget_of(row), row.source if row.value is None else "") for row in rows)
        if known != self._known:
            self.apply()
            self._known = known
            self._fill(rows)
        for row in rows:
            field = self.fields.get(_name(row.path))
            if field is not None:
                field.show_value(_OWNER, row.value)

    def show_findings(self, front: FrontMatter, findings: Iterable[Diagnostic], start: int) -> tuple[Diagnostic, ...]:
        """Show those of *findings* that belong to a row; the rest. *start*: where *front* stands in the document."""
        said: dict[Path, list[str]] = {}
        rest: list[Diagnostic] = []
        for finding in findings:
            at = finding.span.start - start
            path = next((each.path for each in front.fields if each.span.start <= at <= each.span.end), None)
            if path in self._notes and not finding.fixes:
                said.setdefault(path, []).append(finding.message)
            else:
                rest.append(finding)
        for path, note in self._notes.items():
            note.setText("\n".join(said.get(path, ())))
        return tuple(rest)

    def said_of(self, path: Path) -> str:
        """What is doubtful in the value at *path*."""
        return self._notes[path].text()

    def command_of(self, new: NewValue) -> SetFrontMatter:
        """What sets the value that somebody entered; a name and a description stay where they are emptied."""
        path, value = self._paths[new.field], new.value
        if path == _METADATA:
            key, text = value
            return SetFrontMatter((*path[:-1], key), text)
        return SetFrontMatter(path, "" if value is None and path in _KEPT_EMPTY else value)

    def _fill(self, rows: Sequence[FrontField]) -> None:
        """Other rows; the old ones go when whoever is at work in one of them is done."""
        old, self._page = self._page, QWidget(self)
        self._column.replaceWidget(old, self._page)
        old.hide()
        old.deleteLater()
        form = PaneForm(self._page)
        self._paths = {_name(row.path): row.path for row in rows}
        self._notes = {}
        made = {row.path: _widget_of(row)(_spec(row), self._page) for row in rows if row.value is not None}
        self.fields = {}
        self.show_fields(form, made.values())
        for path, field in made.items():
            field.editor.setToolTip(_name(path))
            self._notes[path] = ProblemLabel(field)
            layout = field.layout()
            assert layout is not None, "a field stands in a column"
            layout.addWidget(self._notes[path])
        for row in rows:
            if row.value is None:
                form.add(_name(row.path), _source_label(row, self._page))


def _name(path: Path) -> str:
    return ".".join(path) if path != _METADATA else "metadata: …"


def _widget_of(row: FrontField) -> type[StepListField]:
    """What a row is edited with."""
    if isinstance(row.value, tuple):
        return ListField
    if row.path == _METADATA:
        return EntryField
    is_long = row.path == ("description",) or "\n" in (row.value or "") or len(row.value or "") > _LONG
    return SentenceField if is_long else StepListField


def _spec(row: FrontField) -> FieldSpec:
    key = row.path[-1]
    kind = FieldKind.LIST if isinstance(row.value, tuple) else FieldKind.TEXT
    label = _LABELS.get(key, key) if len(row.path) == 1 else " › ".join(row.path)
    hint = N_("another one") if kind is FieldKind.LIST else _HINTS.get(row.path, _NOT_SET)
    return FieldSpec(_name(row.path), label if key else N_("Metadata"), kind, hint=hint, has_names=key in _NAMES)


def _source_label(row: FrontField, parent: QWidget) -> Label:
    words = row.source if len(row.source) <= _MOST_SOURCE else row.source[:_MOST_SOURCE] + " …"
    label = Label(words, parent, role="mono", wraps=True)
    label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    label.setToolTip(_("Change this in the source."))
    return label
