"""What the inspector shows of a skill while no step is selected: its front matter."""

from __future__ import annotations

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QScrollArea, QWidget

from workbench.editing.commands import Refusal
from workbench.gui.control.context import WindowContext
from workbench.gui.inspector.findings_view import FindingsView
from workbench.gui.inspector.front_matter_fields import FrontMatterFields
from workbench.gui.inspector.steplist_fields import NewValue
from workbench.gui.look.icons import Picture, icon
from workbench.gui.look.label import Label
from workbench.gui.look.layouts import in_column, in_row
from workbench.i18n import _
from workbench.model.kinds import FileKind
from workbench.model.markdown.front_matter import FrontMatter, front_of
from workbench.model.snapshot import Snapshot

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
