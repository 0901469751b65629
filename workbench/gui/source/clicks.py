"""What a click in the text does besides: one on the number of a step sets a breakpoint or takes it away, one with Ctrl
on a link follows it.
"""

from __future__ import annotations

from PySide6.QtCore import QObject, Slot

from workbench.gui.control.context import WindowContext
from workbench.gui.control.running.breakpoints import can_stop_at
from workbench.gui.look.signs import LineSign
from workbench.gui.source.document_sync import DocumentSync
from workbench.gui.source.editor import SourceEditor
from workbench.i18n import _
from workbench.model.program import StepId


class StepSigns(QObject):
    """Asks for the breakpoint of each line while it is painted, so that it stays with its step."""

    def __init__(self, context: WindowContext, editor: SourceEditor, sync: DocumentSync) -> None:
        super().__init__(editor)
        self._context = context
        self._gutter = editor.gutter
        self._sync = sync
        self._gutter.sign_of = self._sign_of
        self._gutter.number_clicked.connect(self._on_number_clicked)
        context.breakpoints.changed.connect(self._on_changed)

    def _step_of(self, line: int) -> StepId | None:
        """The step that begins on the 0-based *line*."""
        return self._sync.step_beginning_on(line, self._context.documents.snapshot)

    def _sign_of(self, line: int) -> LineSign | None:
        breakpoints = self._context.breakpoints
        step = self._step_of(line) if breakpoints.stops else None
        return breakpoints.sign(step) if step is not None else None

    @Slot(object)
    def _on_number_clicked(self, line: int) -> None:
        step, breakpoints = self._step_of(line), self._context.breakpoints
        if step is not None and can_stop_at(self._context.documents.snapshot, step):
            breakpoints.toggle(step)
        else:
            self._context.notices.tell(_("No step begins on this line, so no run can stop here."))

    @Slot(object)
    def _on_changed(self, _steps: object) -> None:
        self._gutter.update()


class SourceLinks(QObject):
    """Follows the link that was clicked."""

    def __init__(self, context: WindowContext, editor: SourceEditor, sync: DocumentSync) -> None:
        super().__init__(editor)
        self._context = context
        self._sync = sync
        editor.link_requested.connect(self._on_link_requested)

    @Slot(object)
    def _on_link_requested(self, position: int) -> None:
        link = self._context.links.link_at(self._sync.positions.offset(position))
        if link is not None:
            self._context.links.open(link)
