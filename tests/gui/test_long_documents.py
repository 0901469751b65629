"""Long documents: what a gesture does not need at once comes when the changes rest."""

from __future__ import annotations

from collections.abc import Callable

from pytestqt.qtbot import QtBot

from workbench.editing.commands import MoveSteps, Place
from workbench.gui.inspector.inspector_panel import InspectorPanel
from workbench.gui.outline.outline_panel import OutlinePanel
from workbench.gui.shell.main_window import MainWindow

_TEXT = "# Desk\n\n## Main\n### Steps\n" + "".join(f"- step {number}\n" for number in range(1_200))


def test_the_outline_of_a_long_document_follows_when_its_changes_rest(
    open_window: Callable[[], MainWindow], qtbot: QtBot
) -> None:
    window = open_window()
    window.context.documents.open_text(_TEXT)
    steps = window.context.documents.snapshot.program.playbooks[0].steps
    outline = window.panes.panel("outline")
    assert isinstance(outline, OutlinePanel)
    window.context.documents.execute(MoveSteps((steps[1].id,), Place("Main", None, steps[1_000].id)))
    qtbot.waitUntil(lambda: outline.model.index_of(steps[1].id).row() == 1_000)
    assert outline.model.index_of(steps[2].id).row() == 1


def test_the_source_shows_a_step_that_went_far(open_window: Callable[[], MainWindow]) -> None:
    window = open_window()
    window.context.documents.open_text(_TEXT)
    steps = window.context.documents.snapshot.program.playbooks[0].steps
    window.context.documents.execute(MoveSteps((steps[1].id,), Place("Main", None, steps[1_000].id)))
    assert window.centre.source.editor.toPlainText() == window.context.documents.snapshot.text
    window.context.documents.undo()
    assert window.centre.source.editor.toPlainText() == _TEXT


def test_the_inspector_of_a_long_document_tells_the_new_number_when_its_changes_rest(
    open_window: Callable[[], MainWindow], qtbot: QtBot
) -> None:
    window = open_window()
    context = window.context
    context.documents.open_text("# Desk\n\n## Main\n### Steps\n" + "".join(f"- step {each}\n" for each in range(2_500)))
    steps = context.documents.snapshot.program.playbooks[0].steps
    inspector = window.panes.panel("inspector")
    assert isinstance(inspector, InspectorPanel)
    context.selection.select((steps[1].id,))
    qtbot.waitUntil(lambda: inspector.page.head.address.text() == "02")
    context.documents.execute(MoveSteps((steps[1].id,), Place("Main", None, steps[9].id)))
    qtbot.waitUntil(lambda: inspector.page.head.address.text() == "10")
