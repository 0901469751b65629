"""The assembly pane: in step with the text, the caret and the selection, without a stall."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtGui import QGuiApplication, QTextCursor
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from tests.gui.conftest import Windows
from workbench.editing.commands import EditText
from workbench.gui.assembly.assembly_panel import AssemblyPanel, RowsView
from workbench.gui.assembly.compiling import MOST_ROWS, CompiledRows, patches_between
from workbench.gui.shell.main_window import MainWindow
from workbench.model.assembly.compiling import Assembly, compile_assembly
from workbench.model.snapshot import derive
from workbench.syntax.change import TextEdit
from workbench.syntax.text import SourceText, Span

PLAYBOOK = "# Desk\n## Main\n### Triggers\n- When program starts\n### Steps\n- $x = 1\n- Tell user $x\n- Return $x\n"


@pytest.fixture
def panel(qtbot: QtBot, window: MainWindow) -> AssemblyPanel:
    """The assembly pane of a window that shows PLAYBOOK."""
    window.context.documents.open_text(PLAYBOOK)
    window.context.actions.action("pane.assembly").trigger()
    found = window.panes.panel("assembly")
    assert isinstance(found, AssemblyPanel)
    wait_for_text(qtbot, window, found)
    return found


def wait_for_text(qtbot: QtBot, window: MainWindow, panel: AssemblyPanel) -> None:
    """Wait until the pane shows the assembly of the document as it is."""
    text = compile_assembly(window.context.documents.snapshot).text
    qtbot.waitUntil(lambda: panel.view.editor.toPlainText() == text.rstrip("\n"))


def edit(window: MainWindow, old: str, new: str) -> None:
    """Replace *old* by *new* in the document."""
    start = window.context.documents.snapshot.text.index(old)
    window.context.documents.execute(EditText((TextEdit(Span(start, start + len(old)), new),)))


def marked(panel: AssemblyPanel) -> list[str]:
    """The rows that are marked."""
    assert panel.compiled is not None
    return [panel.compiled.rows[row] for row in panel.following.rows]


def click_row(panel: AssemblyPanel, words: str) -> None:
    """Put the caret of the assembly on the first row with *words*."""
    cursor = QTextCursor(panel.view.editor.document())
    cursor.setPosition(panel.view.editor.toPlainText().index(words))
    panel.view.editor.setTextCursor(cursor)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("$x = 1", "$x = 2"),
        ("- $x = 1\n", ""),
        ("- Return $x\n", "- Return $x\n### Notes\n- 🙂 kind\n"),
        ("# Desk", "# Shop"),
        ("### Steps", "- When asked\n### Steps"),
    ],
)
def test_an_edit_is_followed(qtbot: QtBot, window: MainWindow, panel: AssemblyPanel, old: str, new: str) -> None:
    edit(window, old, new)
    wait_for_text(qtbot, window, panel)


def test_edits_in_several_places_at_once_are_followed(qtbot: QtBot, window: MainWindow, panel: AssemblyPanel) -> None:
    snapshot = window.context.documents.snapshot
    places = [index for index in range(len(snapshot.text)) if snapshot.text.startswith("$x", index)]
    window.context.documents.execute(EditText(tuple(TextEdit(Span(at, at + 2), "$y") for at in places)))
    wait_for_text(qtbot, window, panel)


def test_the_rows_of_the_selected_step_are_marked(window: MainWindow, panel: AssemblyPanel) -> None:
    step = window.context.documents.snapshot.program.playbooks[0].steps[1]
    window.context.selection.select((step.id,), "canvas")
    assert marked(panel) == ['- 02:QUE Say(user, "$x")']


def test_the_rows_follow_the_caret_of_the_source(window: MainWindow, panel: AssemblyPanel) -> None:
    source = window.centre.source
    source.editor.place_caret(source.sync.positions.position(PLAYBOOK.index("## Main")))
    assert marked(panel)[0] == "## Main()"
    source.editor.place_caret(source.sync.positions.position(PLAYBOOK.index("Return")))
    assert marked(panel) == ["- 03:RET $x"]


def test_a_row_leads_to_its_step_and_its_line(window: MainWindow, panel: AssemblyPanel) -> None:
    click_row(panel, "03:RET")
    snapshot = window.context.documents.snapshot
    assert window.context.selection.selected == (snapshot.program.playbooks[0].steps[2].id,)
    assert snapshot.step_at(window.centre.source.sync.caret) == window.context.selection.selected[0]


def test_a_row_without_a_step_leads_to_its_line(window: MainWindow, panel: AssemblyPanel) -> None:
    click_row(panel, "## Main")
    assert window.centre.source.sync.caret == PLAYBOOK.index("## Main")


def test_nothing_is_compiled_while_nobody_looks(qtbot: QtBot, window: MainWindow) -> None:
    window.context.documents.open_text(PLAYBOOK)
    panel = window.panes.panel("assembly")
    assert isinstance(panel, AssemblyPanel)
    qtbot.wait(200)
    assert panel.compiled is None


def test_a_pane_that_comes_forward_before_it_is_made_compiles(qtbot: QtBot, open_window: Windows) -> None:
    fresh = open_window.fresh()
    fresh.context.documents.open_text(PLAYBOOK)
    fresh.panes.bring_forward("assembly")
    qtbot.waitUntil(lambda: fresh.panes.dock("assembly").is_filled)
    panel = fresh.panes.panel("assembly")
    assert isinstance(panel, AssemblyPanel)
    wait_for_text(qtbot, fresh, panel)


def test_step_lists_have_no_assembly_and_say_so(window: MainWindow, panel: AssemblyPanel) -> None:
    window.context.documents.open_text("name: rent\nsteps:\n  - id: a\n    type: prompt\n    prompt: hi\n")
    assert panel.currentWidget() is not panel.view.editor


def test_what_is_copied_is_what_is_selected(window: MainWindow, panel: AssemblyPanel) -> None:
    panel.view.editor.selectAll()
    panel.view.editor.copy()
    assert QGuiApplication.clipboard().text() == compile_assembly(window.context.documents.snapshot).text.rstrip("\n")


def test_the_assembly_is_saved(window: MainWindow, panel: AssemblyPanel, tmp_path: Path) -> None:
    path = tmp_path / "desk.pbasm"
    panel.saving.write(path)
    panel.saving.write(path)
    assert path.read_text(encoding="utf-8") == compile_assembly(window.context.documents.snapshot).text


def test_saved_assembly_opens_shows_and_compiles_to_itself(
    qtbot: QtBot, window: MainWindow, panel: AssemblyPanel, tmp_path: Path
) -> None:
    path = tmp_path / "desk.pbasm"
    panel.saving.write(path)
    text = path.read_text(encoding="utf-8")
    window.context.documents.open(path)
    qtbot.waitUntil(lambda: panel.view.editor.toPlainText() == text.rstrip("\n"))
    assert len(window.context.documents.snapshot.program.playbooks[0].steps) == 3


def test_scrolling_stays_where_it_is_while_something_else_is_edited(
    qtbot: QtBot, window: MainWindow, panel: AssemblyPanel
) -> None:
    window.context.documents.open_text("# A\n## M\n### Steps\n" + "".join(f"- $x{n} = {n}\n" for n in range(300)))
    wait_for_text(qtbot, window, panel)
    panel.view.editor.verticalScrollBar().setValue(200)
    first = panel.view.editor.firstVisibleBlock().text()
    edit(window, "- $x1 = 1\n", "")
    wait_for_text(qtbot, window, panel)
    assert panel.view.editor.firstVisibleBlock().text().partition(":")[2] == first.partition(":")[2]


KINDS = ["- 01:EXE a", "- 02:EXE a", "- 03:EXE b", "## M()", "", "  - 01.01:EXE 🙂"]
ROWS = st.lists(st.sampled_from(KINDS), min_size=1).map(tuple)


def compiled(rows: tuple[str, ...], before: tuple[str, ...]) -> CompiledRows:
    """*rows* as they come when *before* is shown."""
    patches = patches_between(before or rows[:MOST_ROWS], rows)
    return CompiledRows(derive(SourceText("")), rows, (), patches, Assembly("", ()))


@given(before=ROWS, after=ROWS)
def test_patches_lead_from_any_rows_to_any_others(
    qapp: QApplication, before: tuple[str, ...], after: tuple[str, ...]
) -> None:
    owner = QWidget()
    view = RowsView(owner)
    view.show_rows(compiled(before, ()))
    view.show_rows(compiled(after, before))
    view.show_rows(compiled(before, after))
    view.finish()
    assert view.editor.toPlainText() == "\n".join(before)


def test_a_long_assembly_comes_in_pieces_and_completely(qtbot: QtBot, window: MainWindow, panel: AssemblyPanel) -> None:
    text = "# A\n## M\n### Steps\n" + "".join(f"- $x{n} = {n}\n" for n in range(1000))
    window.context.documents.open_text(text)
    wait_for_text(qtbot, window, panel)
    edit(window, "- $x1 = 1\n", "- $a = 1\n- $b = 1\n")
    wait_for_text(qtbot, window, panel)
