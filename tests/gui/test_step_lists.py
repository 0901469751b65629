"""Step lists in the window: drawn, selected, edited by their fields, coloured."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QCheckBox, QLineEdit
from pytestqt.qtbot import QtBot

from tests.gui.canvas_driver import CanvasDriver
from workbench.editing.commands import MoveSteps, Place
from workbench.gui.inspector.inspector_panel import InspectorPanel
from workbench.gui.inspector.item_rows import ItemRows
from workbench.gui.shell.main_window import MainWindow
from workbench.model.program import Step

LIST = (
    "id: ops\nname: Ops\nsteps:\n"
    "  - id: look  # first\n    description: Look at it\n    expected_tools: [search_logs, query]\n"
    "  - id: mend\n    description: Mend it\n    required: false\n"
)
GRAPH = (
    "version: playbook.v2\nplaybook_id: g\ntitle: G\nstep_groups:\n- id: one\n  title: One\n  steps:\n"
    "  - id: a\n    goal: First\n    branches: [{label: small, next_step_id: b}]\n"
    "  - id: b\n    goal: Second\n    kind: task\n    after: [a]\n"
)


@pytest.fixture
def inspector(window: MainWindow) -> InspectorPanel:
    """The inspector of a window that shows LIST."""
    window.context.documents.open_text(LIST)
    panel = window.panes.panel("inspector")
    assert isinstance(panel, InspectorPanel)
    return panel


def steps(window: MainWindow) -> list[Step]:
    """All steps, in source order."""
    return [step for root in window.context.documents.snapshot.program.playbooks[0].steps for step in root.walk()]


def line_of(inspector: InspectorPanel, field: str) -> QLineEdit:
    """The editor of *field*."""
    editor = inspector.page.fields.fields[field].editor
    assert isinstance(editor, QLineEdit)
    return editor


def rows_of(inspector: InspectorPanel, field: str) -> ItemRows:
    """The editor of the list *field*."""
    editor = inspector.page.fields.fields[field].editor
    assert isinstance(editor, ItemRows)
    return editor


def test_a_tool_that_is_written_in_the_inspector_stands_in_the_file(
    qtbot: QtBot, window: MainWindow, inspector: InspectorPanel
) -> None:
    window.context.selection.select((steps(window)[0].id,), "test")
    rows = rows_of(inspector, "expected_tools")
    assert rows.items == ("search_logs", "query")
    qtbot.keyClicks(rows.spare, "restart")
    qtbot.keyClick(rows.spare, Qt.Key.Key_Return)
    text = window.context.documents.snapshot.text
    assert text == LIST.replace("[search_logs, query]", "[search_logs, query, restart]")
    window.context.documents.undo()
    assert window.context.documents.snapshot.text == LIST
    assert rows.items == ("search_logs", "query")


def test_tools_known_in_the_document_are_offered(window: MainWindow, inspector: InspectorPanel) -> None:
    window.context.selection.select((steps(window)[1].id,), "test")
    assert rows_of(inspector, "expected_tools").names.stringList() == ["query", "search_logs"]


def test_what_is_no_number_is_said_and_not_written(qtbot: QtBot, window: MainWindow, inspector: InspectorPanel) -> None:
    window.context.selection.select((steps(window)[0].id,), "test")
    line = line_of(inspector, "max_tool_calls")
    line.setText("many")
    qtbot.keyClick(line, Qt.Key.Key_Return)
    assert line.accessibleDescription().endswith("is not a whole number, such as 42.")
    assert window.context.documents.snapshot.text == LIST
    qtbot.keyClick(line, Qt.Key.Key_Escape)
    assert line.text() == ""


def test_a_tick_takes_the_field_out_again(qtbot: QtBot, window: MainWindow, inspector: InspectorPanel) -> None:
    window.context.selection.select((steps(window)[1].id,), "test")
    box = inspector.page.fields.fields["required"].editor
    assert isinstance(box, QCheckBox)
    assert not box.isChecked()
    box.click()
    assert window.context.documents.snapshot.text == LIST.replace("    required: false\n", "")


def test_markdown_has_no_section_of_fields(window: MainWindow, inspector: InspectorPanel) -> None:
    window.context.documents.open_text("# A\n## M\n### Steps\n- Do it\n")
    window.context.selection.select((steps(window)[0].id,), "test")
    assert inspector.page.fields.isHidden() or not inspector.page.fields.isVisibleTo(inspector.page)


def test_moving_a_step_keeps_its_comment_and_the_canvas_follows(window: MainWindow, inspector: InspectorPanel) -> None:
    first, second = steps(window)
    window.context.documents.execute(MoveSteps((second.id,), Place("ops")), ())
    assert [step.id for step in steps(window)] == [second.id, first.id]
    assert "  - id: look  # first\n" in window.context.documents.snapshot.text


def test_a_graph_shows_its_fields_and_what_leads_where(window: MainWindow, inspector: InspectorPanel) -> None:
    window.context.documents.open_text(GRAPH)
    window.context.selection.select((steps(window)[2].id,), "test")
    assert rows_of(inspector, "after").items == ("a",)
    assert ("Type", "a task for a person") in inspector.page.meaning.rows
    window.context.selection.select((steps(window)[1].id,), "test")
    assert ("small", "→ b") in inspector.page.meaning.rows


def test_dragging_a_box_reorders_the_lines_of_the_file(open_canvas: Callable[[str], CanvasDriver]) -> None:
    one, two = "- id: a\n  description: One\n", "# of two\n- id: b\n  description: Two\n"
    canvas = open_canvas(f"id: ops\nname: Ops\nsteps:\n{one}{two}")
    canvas.drag(canvas.at("Two"), canvas.above("One"))
    assert canvas.text == f"id: ops\nname: Ops\nsteps:\n{two}{one}"


def test_a_list_that_is_not_utf8_opens_and_is_saved_byte_for_byte(window: MainWindow, tmp_path: Path) -> None:
    path = tmp_path / "list.yaml"
    path.write_bytes(LIST.replace("Look at", "Caf\udce9").encode("utf-8", "surrogateescape"))
    window.files.open_path(path)
    for pane in ("inspector", "problems", "outline"):
        window.panes.panel(pane)
    window.context.selection.select((steps(window)[0].id,), "test")
    window.context.documents.execute(MoveSteps((steps(window)[1].id,), Place("ops")))
    window.files.save()
    assert sorted(path.read_bytes().splitlines()) == sorted(
        LIST.replace("Look at", "Caf\udce9").encode("utf-8", "surrogateescape").splitlines()
    )
