"""What the scroll bars of the flowchart mark: what is selected, findings, breakpoints, matches, where a run is."""

from __future__ import annotations

from collections.abc import Iterator

from PySide6.QtCore import QObject, Slot

from workbench.gui.canvas.content.canvas_state import findings_on
from workbench.gui.canvas.view.canvas_frame import CanvasFrame
from workbench.gui.control.context import WindowContext
from workbench.gui.control.running.run_marks import MARK_OF_STATUS
from workbench.gui.look.marked_bar import MARK_OF_SEVERITY, MarkKeeper, count_words
from workbench.gui.words.values import drawable_line
from workbench.model.layout.program import Layout
from workbench.model.program import StepId
from workbench.model.showing.marks_along import Cluster, Mark, MarkKind
from workbench.model.showing.words import plain_text

ORIGIN = "bar"
_HEAD_PX = 48.0
_MOST_TOLD = 3
_LONGEST = 60


class BarMarks(QObject):
    """Keeps the marks of both bars, and leads to what a mark stands for."""

    def __init__(self, frame: CanvasFrame, context: WindowContext) -> None:
        super().__init__(frame)
        self._frame = frame
        self._context = context
        self._layout: object = None
        self._keeper = MarkKeeper((frame.down, frame.across), self._placed)
        for bar in (frame.down, frame.across):
            bar.tell = self.words_of
            bar.mark_chosen.connect(self._on_mark_chosen)
        frame.view.view_moved.connect(self._on_view_moved)
        signals = (context.selection.selection_changed, context.breakpoints.changed, context.diagnosis.ready)
        for signal in (*signals, context.shown.marks_changed, context.find.changed):
            signal.connect(self._on_changed)

    @Slot()
    def _on_view_moved(self) -> None:
        """Only another layout puts marks elsewhere."""
        if self._frame.view.state.layout is not self._layout:
            self._layout = self._frame.view.state.layout
            self._keeper.later()

    @Slot(object)
    def _on_changed(self, _cause: object = None) -> None:
        self._keeper.later()

    def _placed(self) -> Iterator[tuple[Mark, ...] | None]:
        """All marks, down and across; None for a step that is not drawn."""
        layout = self._frame.view.state.layout
        known: dict[StepId, tuple[float, float] | None] = {}
        for kind, step in self._found():
            if step not in known:
                known[step] = centre_of(layout, step)
            place = known[step]
            yield None if place is None else (Mark(kind, place[1], step), Mark(kind, place[0], step))

    def _found(self) -> Iterator[tuple[MarkKind, StepId]]:
        """What is marked, and the step that it is in."""
        look, state, find = self._frame.view.look, self._frame.view.state, self._context.find
        yield from ((MarkKind.SELECTED, step) for step in self._context.selection.selected)
        for step, severities in state.findings.items():
            yield from ((MARK_OF_SEVERITY[severity], step) for severity in severities)
        yield from ((MarkKind.BREAKPOINT, step) for step in look.signs)
        for step, mark in tuple(look.marks.items()):
            if mark.status in MARK_OF_STATUS:
                yield MARK_OF_STATUS[mark.status], step
        if find.snapshot is state.snapshot:
            steps = (find.snapshot.step_at(match.span.start) for match in find.found.matches)
            yield from ((MarkKind.MATCH, step) for step in steps if step is not None)

    def words_of(self, cluster: Cluster) -> str:
        """What *cluster* stands for: how many there are, and the first of them."""
        state = self._frame.view.state
        steps = [StepId(str(step)) for step in dict.fromkeys(cluster.targets) if state.snapshot.has(StepId(str(step)))]
        lines = [self._line(cluster.kind, step) for step in steps[:_MOST_TOLD]]
        more = "…" if len(steps) > _MOST_TOLD or cluster.size > len(cluster.targets) else ""
        return "\n    ".join([count_words(cluster.kind, cluster.size), *lines, *filter(None, (more,))])

    def _line(self, kind: MarkKind, step: StepId) -> str:
        snapshot = self._frame.view.state.snapshot
        found = findings_on(snapshot, step, frozenset()) if kind in MARK_OF_SEVERITY.values() else ()
        messages = [each.finding.message for each in found if MARK_OF_SEVERITY[each.finding.severity] is kind]
        words = drawable_line(next(iter(messages), plain_text(snapshot.step(step))))
        return f"{snapshot.number(step)}  {words if len(words) <= _LONGEST else words[:_LONGEST] + '…'}"

    @Slot(object)
    def _on_mark_chosen(self, cluster: Cluster) -> None:
        """Go to the first step of *cluster*; whoever is at one of them already goes to the next."""
        state, selected = self._frame.view.state, self._context.selection.selected
        steps = [step for step in dict.fromkeys(cluster.targets) if state.snapshot.has(StepId(str(step)))]
        if steps:
            at = next((index for index, step in enumerate(steps) if step in selected), -1)
            step = StepId(str(steps[(at + 1) % len(steps)]))
            self._context.selection.reveal((step,), ORIGIN)


def centre_of(layout: Layout, step: StepId) -> tuple[float, float] | None:
    """Where the head of *step* is, as shares of the width and the height of *layout*; None where it is not drawn."""
    rect = layout.place_of(step)
    if rect is None:
        return None
    return (rect.x + rect.width / 2) / layout.width, (rect.y + min(rect.height, _HEAD_PX) / 2) / layout.height
