"""Scroll bars with marks: they show where something is, say what, and lead there."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from tests.gui.canvas_driver import LEFT, NONE, CanvasDriver
from workbench.gui.canvas.view.canvas_view import visible_rect
from workbench.gui.control.running.run_marks import MarkStatus, RunMarks, StepMark
from workbench.gui.look.marked_bar import MarkedBar
from workbench.gui.look.theming import CONTRAST, apply_theme
from workbench.gui.source.source_panel import SourcePanel
from workbench.model.showing.marks_along import Cluster, MarkKind
from workbench.search.matching import Query

Open = Callable[[str], CanvasDriver]
STEPS = "".join(f"- Step {number}\n" for number in range(1, 101))
TEXT = f"# Agent\n## Main\n### Steps\n{STEPS}- If $nobody > 3\n  - Look for wood\n"


def cluster_of(bar: MarkedBar, kind: MarkKind) -> Cluster:
    """The first cluster of *kind* that *bar* shows."""
    bar.grab()
    return next(each for each in bar.clusters if each.kind is kind)


def click(bar: MarkedBar, cluster: Cluster) -> None:
    """Click on *cluster*."""
    at, middle = round(cluster.at_px), min(bar.width(), bar.height()) // 2
    is_down = bar.orientation() is Qt.Orientation.Vertical
    QTest.mouseClick(bar, LEFT, NONE, QPoint(middle, at) if is_down else QPoint(at, middle))


def test_the_bars_of_the_flowchart_mark_what_is_looked_for_and_lead_there(open_canvas: Open, qtbot: QtBot) -> None:
    canvas = open_canvas(TEXT)
    frame, context = canvas.panel.pages.frame, canvas.context
    context.breakpoints.toggle(canvas.step("Step 70"))
    context.find.look(Query("wood"))
    marks = {canvas.step("Step 30"): StepMark(MarkStatus.FAILED), canvas.step("Step 20"): StepMark(MarkStatus.DONE)}
    context.shown.marks_changed.emit(RunMarks(marks, frozenset(marks)))
    wanted = {MarkKind.SELECTED, MarkKind.BREAKPOINT, MarkKind.MATCH, MarkKind.WARNING, MarkKind.FAILED}
    qtbot.waitUntil(lambda: {mark.kind for mark in frame.down.marks} >= wanted)
    assert len(frame.across.marks) == len(frame.down.marks)
    assert frame.down.accessibleDescription().startswith("1 step failed, 1 breakpoint, ")
    assert frame.down.accessibleName()

    found = cluster_of(frame.down, MarkKind.BREAKPOINT)
    assert frame.down.words_at(found.at_px) == "1 breakpoint\n    70  Step 70"
    click(frame.down, found)
    assert canvas.selected == ["Step 70"]
    assert canvas.shows("Step 70")
    apply_theme(CONTRAST)
    click(frame.down, cluster_of(frame.down, MarkKind.FAILED))
    assert canvas.selected == ["Step 30"]
    assert "$nobody" in frame.down.words_at(cluster_of(frame.down, MarkKind.WARNING).at_px)


def test_the_bars_show_where_one_is_and_lead_elsewhere(open_canvas: Open, qtbot: QtBot) -> None:
    canvas = open_canvas(TEXT)
    frame = canvas.panel.pages.frame
    canvas.do("view.actual-size")
    assert frame.down.maximum() > 0
    frame.down.setValue(frame.down.maximum())
    seen, layout = visible_rect(canvas.view), canvas.panel.state.layout
    assert abs(seen.y + seen.height - layout.height) < 1
    assert round(sum(frame.down.handle()), 6) == frame.down.length_px
    canvas.view.verticalScrollBar().setValue(frame.down.maximum() + 50)  # beyond the end of the flowchart
    assert frame.down.value() == frame.down.maximum()
    canvas.context.breakpoints.toggle(canvas.step("Step 70"))
    qtbot.waitUntil(lambda: bool(frame.down.marks))
    assert cluster_of(frame.down, MarkKind.BREAKPOINT) in frame.down.clusters
    canvas.do("view.fit")
    assert frame.down.handle() == frame.across.handle() == (0.0, 0.0)
    frame.down.grab()
    assert frame.down.marks
    assert not frame.down.clusters  # where all is in view there is nothing to be led to
    assert not frame.down.accessibleDescription()
    canvas.do("view.actual-size")
    assert cluster_of(frame.down, MarkKind.BREAKPOINT)
    assert frame.down.accessibleDescription().startswith("1 breakpoint")


def test_the_bar_of_the_source_marks_lines_and_leads_to_them(open_canvas: Open, qtbot: QtBot) -> None:
    canvas = open_canvas(TEXT)
    panel = SourcePanel(canvas.context)
    panel.resize(400, 300)
    panel.show()
    bar = panel.editor.bar
    canvas.context.breakpoints.toggle(canvas.step("Step 70"))
    qtbot.waitUntil(lambda: {mark.kind for mark in bar.marks} >= {MarkKind.BREAKPOINT, MarkKind.WARNING})
    assert bar.words_at(cluster_of(bar, MarkKind.BREAKPOINT).at_px) == "1 breakpoint\n    73  - Step 70"
    click(bar, cluster_of(bar, MarkKind.BREAKPOINT))
    assert panel.editor.textCursor().blockNumber() == 72
    assert panel.editor.textCursor().block() in [block for block, _rect in panel.editor.visible_blocks()]
    panel.deleteLater()
