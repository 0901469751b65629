"""The outline: a tree that is patched, shares the selection, and stays open where it was."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QAbstractItemModel, QModelIndex, QObject, Qt
from PySide6.QtTest import QAbstractItemModelTester
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from workbench.editing.commands import DeleteSteps, EditText, InsertStep, MoveSteps, Place
from workbench.editing.document import Document
from workbench.gui.outline.outline_model import NUMBER, OutlineModel
from workbench.gui.outline.outline_panel import OutlinePanel
from workbench.gui.shell.main_window import MainWindow
from workbench.model.incremental.advancing import advance
from workbench.model.snapshot import Snapshot, derive
from workbench.syntax.change import TextChange, TextEdit
from workbench.syntax.text import SourceText, Span

PLAYBOOK = (
    "# Desk\n## Main\n### Triggers\n- At the start\n### Steps\n- One\n- If $x\n  - Two\n- Three\n## Other\n- Four\n"
)


@pytest.fixture
def outline(window: MainWindow) -> OutlinePanel:
    """The outline of a window that shows PLAYBOOK."""
    window.context.documents.open_text(PLAYBOOK)
    panel = window.panes.panel("outline")
    assert isinstance(panel, OutlinePanel)
    return panel


def rows(model: QAbstractItemModel, parent: QModelIndex | None = None, depth: int = 0) -> list[str]:
    """All rows below *parent*, indented by depth."""
    found: list[str] = []
    for row in range(model.rowCount(parent or QModelIndex())):
        index = model.index(row, 0, parent or QModelIndex())
        number = str(index.siblingAtColumn(NUMBER).data())
        found.append("  " * depth + f"{number} {index.data()}".strip())
        found += rows(model, index, depth + 1)
    return found


def step_named(window: MainWindow, words: str) -> str:
    """The id of the step with *words*."""
    snapshot = window.context.documents.snapshot
    return next(
        step.id
        for playbook in snapshot.program.playbooks
        for section in playbook.sections
        for top in section.steps
        for step in top.walk()
        if step.text == words
    )


def test_the_outline_has_playbooks_sections_and_steps(outline: OutlinePanel) -> None:
    assert rows(outline.model) == [
        "Main",
        "  Triggers",
        "    T1 At the start",
        "  Steps",
        "    01 One",
        "    02 If $x",
        "      02.01 Two",
        "    03 Three",
        "Other",
        "  01 Four",
    ]


def test_a_chosen_row_is_selected_everywhere(window: MainWindow, outline: OutlinePanel) -> None:
    outline.tree.setCurrentIndex(outline.model.index_of(step_named(window, "Two")))
    assert window.context.selection.selected == (step_named(window, "Two"),)
    assert window.centre.source.editor.textCursor().block().text() == "  - Two"


def test_the_outline_follows_the_selection(window: MainWindow, outline: OutlinePanel) -> None:
    window.context.selection.select((step_named(window, "Three"), step_named(window, "Four")), "canvas")
    chosen = [index.data() for index in outline.tree.selectionModel().selectedRows()]
    assert chosen == ["Three", "Four"]


def test_edits_patch_the_rows(window: MainWindow, outline: OutlinePanel) -> None:
    documents = window.context.documents
    documents.execute(MoveSteps((step_named(window, "Three"),), Place("Main")))
    documents.execute(InsertStep(Place("Main", step_named(window, "If $x")), "New"))
    documents.execute(DeleteSteps((step_named(window, "One"),)))
    assert rows(outline.model)[3:7] == ["  Steps", "    01 Three", "    02 If $x", "      02.01 New"]


def test_what_a_person_closed_stays_closed(window: MainWindow, outline: OutlinePanel) -> None:
    index = outline.model.index_of(step_named(window, "If $x"))
    outline.tree.collapse(index)
    window.context.documents.execute(MoveSteps((step_named(window, "If $x"),), Place("Main")))
    assert not outline.tree.isExpanded(outline.model.index_of(step_named(window, "If $x")))


def test_alt_and_arrows_reorder(qtbot: QtBot, window: MainWindow, outline: OutlinePanel) -> None:
    window.activateWindow()
    outline.tree.setFocus()
    outline.tree.setCurrentIndex(outline.model.index_of(step_named(window, "Three")))
    qtbot.keyClick(outline.tree, Qt.Key.Key_Up, Qt.KeyboardModifier.AltModifier)
    assert rows(outline.model)[5:8] == ["    02 Three", "    03 If $x", "      03.01 Two"]
    assert window.context.selection.selected == (step_named(window, "Three"),)


def test_a_document_without_playbooks_says_what_the_pane_is_for(window: MainWindow, outline: OutlinePanel) -> None:
    window.context.documents.open_text("only words\n")
    assert outline.currentWidget() is not outline.page


LINES = st.lists(
    st.sampled_from(
        ["# Desk", "# Bob:Human", "## Main", "## Other", "### Triggers", "### Notes", "- a", "  - b", "- $x = 1"]
    ),
    max_size=10,
)


@given(LINES, st.data())
def test_a_patched_model_is_the_model_made_anew(qtbot: QtBot, lines: list[str], data: st.DataObject) -> None:
    owner = QObject()
    snapshot = derive(SourceText("\n".join(lines)))
    model = OutlineModel(snapshot, owner)
    tester = QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Warning, owner)
    rows(model)
    for _ in range(4):
        snapshot = advance(snapshot, _some_change(snapshot, data))
        model.patch(snapshot)
        assert rows(model) == rows(OutlineModel(snapshot, owner))
    assert tester.model() is model
    owner.deleteLater()


def _some_change(snapshot: Snapshot, data: st.DataObject) -> TextChange:
    start = data.draw(st.integers(0, len(snapshot.text)))
    end = data.draw(st.integers(start, min(len(snapshot.text), start + 12)))
    return TextChange((TextEdit(Span(start, end), data.draw(st.sampled_from(["", "\n", "- c\n", "## Third\n", "x"]))),))


def test_an_edit_in_a_long_list_touches_few_rows(qtbot: QtBot, window: MainWindow, outline: OutlinePanel) -> None:
    documents = window.context.documents
    documents.open_text("# Desk\n## Main\n" + "".join(f"- Step {index}\n" for index in range(500)))
    removed: list[int] = []
    outline.model.rowsRemoved.connect(lambda parent, first, last: removed.append(last - first + 1))
    documents.execute(EditText((TextEdit(Span(20, 20), "- new\n"),)))
    assert sum(removed) <= 1


@pytest.mark.parametrize("places", [(1, 12), (12, 1), (3, 5)])
def test_a_step_that_moves_in_a_numbered_list_takes_only_its_own_row_along(
    qtbot: QtBot, places: tuple[int, int]
) -> None:
    lines = "".join(f"{each}. Step {each}\n   - inside\n" for each in range(1, 15))
    document, owner = Document.from_text(f"# Desk\n## Main\n{lines}"), QObject()
    model = OutlineModel(document.snapshot, owner)
    tester = QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Warning, owner)
    rows(model)
    removed: list[int] = []
    model.rowsRemoved.connect(lambda parent, first, last: removed.append(last - first + 1))
    steps = document.snapshot.program.playbooks[0].steps
    for _again in range(2):
        document.execute(MoveSteps((steps[places[0]].id,), Place("Main", None, steps[places[1]].id)))
        model.patch(document.snapshot)
        assert rows(model) == rows(OutlineModel(document.snapshot, owner))
        assert sum(removed) <= 2
        document.undo()
        model.patch(document.snapshot)
        assert rows(model) == rows(OutlineModel(document.snapshot, owner))
        removed.clear()
    assert tester.model() is model
    owner.deleteLater()


def test_numbers_give_way_to_words_where_the_pane_is_narrow(outline: OutlinePanel) -> None:
    outline.setParent(None)
    outline.show()
    for width, is_narrow in ((200, True), (400, False)):
        outline.resize(width, 300)
        QApplication.processEvents()
        assert outline.tree.isColumnHidden(NUMBER) is is_narrow
    outline.deleteLater()


PROMPTED = (
    "# Desk\n```python\n@playbook\ndef lookup(order):\n    '''Where it is.'''\n    return 1\n```\n"
    "## Greet\nexecution_mode: react\n\nBe kind.\n\n## Main\n### Steps\n- One\n"
)


def test_prompts_and_functions_are_named_as_what_they_are(window: MainWindow, outline: OutlinePanel) -> None:
    window.context.documents.open_text(PROMPTED)
    assert rows(outline.model) == ["prompt Greet", "Main", "  01 One", "Python lookup"]
    spoken = [outline.model.index(row, 0).data(Qt.ItemDataRole.AccessibleTextRole) for row in range(3)]
    assert spoken == ["Greet, prompt", "Main", "lookup, Python function"]


def test_a_function_leads_to_its_line(window: MainWindow, outline: OutlinePanel) -> None:
    window.context.documents.open_text(PROMPTED)
    shown: list[Span] = []
    window.context.selection.place_requested.connect(shown.append)
    outline.tree.activated.emit(outline.model.index(2, 0))
    assert [span.of(PROMPTED) for span in shown] == ["def lookup(order):"]
