"""Files of other programs in the window: an outline to read, a page that says what they are, nothing that changes them;
and what is offered in files that are written for people."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QTreeWidgetItem
from pytestqt.qtbot import QtBot

from tests.gui.conftest import Windows
from workbench.assist.openings import PLAIN, insertable
from workbench.editing.commands import EditText
from workbench.gui.look.label import Label
from workbench.gui.outline.outline_panel import OutlinePanel
from workbench.gui.shell.main_window import MainWindow
from workbench.gui.words.kinds import choices_in
from workbench.model.kinds import FileKind
from workbench.model.snapshot import derive
from workbench.syntax.change import TextEdit
from workbench.syntax.text import SourceText, Span

WORKFLOW = "on: [push]\njobs:\n  water:\n    runs-on: bed\n    steps:\n      - name: Pour\n        run: pour\n"
PROCEDURE = "# Tea\n\n## Steps\n\n1. Boil the water.\n"


@pytest.fixture
def shown(open_window: Windows) -> MainWindow:
    """A window with a workflow."""
    window = open_window()
    window.context.documents.open_text(WORKFLOW)
    return window


def outline(window: MainWindow) -> OutlinePanel:
    """Its outline."""
    return window.findChildren(OutlinePanel)[0]


def words(item: QTreeWidgetItem) -> list[object]:
    """What *item* says, and what stands below it."""
    return [item.text(0), *(words(item.child(place)) for place in range(item.childCount()))]


def test_the_outline_lists_what_has_a_name(shown: MainWindow) -> None:
    tree = outline(shown).foreign
    assert outline(shown).currentWidget() is tree
    found = [words(tree.topLevelItem(place)) for place in range(tree.topLevelItemCount())]
    assert found == [["on"], ["jobs", ["water", ["steps", ["Pour"]]]]]


def test_a_row_leads_to_its_place_in_the_text(shown: MainWindow, qtbot: QtBot) -> None:
    tree = outline(shown).foreign
    with qtbot.waitSignal(shown.context.selection.place_requested) as signal:
        tree.itemActivated.emit(tree.topLevelItem(1), 0)
    span: Span = signal.args[0]
    assert span.of(WORKFLOW) == "jobs:"


def test_the_outline_follows_when_typing_rests(shown: MainWindow, qtbot: QtBot) -> None:
    end = len(WORKFLOW)
    shown.context.documents.execute(EditText((TextEdit(Span(end, end), "name: Garden\n"),)))
    tree = outline(shown).foreign
    qtbot.waitUntil(lambda: tree.topLevelItemCount() == 3)


def test_the_page_says_what_the_file_is_and_what_can_be_done(shown: MainWindow) -> None:
    page = shown.centre.canvas.pages.foreign
    assert shown.centre.canvas.pages.currentWidget() is page
    said = page.findChildren(Label)
    assert any(
        "This is a GitHub workflow." in label.text() and "edit its text in the source." in label.text()
        for label in said
    )


def test_nothing_can_be_inserted_and_nothing_is_found(shown: MainWindow) -> None:
    snapshot = shown.context.documents.snapshot
    assert (insertable(snapshot.program), snapshot.diagnostics) == ((), ())


def test_a_playbook_that_is_opened_next_has_its_own_outline(shown: MainWindow) -> None:
    shown.context.documents.open_text("# D\n\n## Main\n\n- A\n")
    assert outline(shown).currentWidget() is outline(shown).page


def test_what_is_offered_in_a_procedure_leaves_it_one() -> None:
    program = derive(SourceText(PROCEDURE)).program
    for each in insertable(program):
        assert derive(SourceText(f"{PROCEDURE}2. {each.text}\n")).program.kind is FileKind.PROCEDURE
    assert {each.label for each in insertable(program)} >= {"Step", "If", "For each"}
    assert set(choices_in(program)) == PLAIN
