"""Finding and replacing in the open document, in source and flowchart at once."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from workbench.editing.commands import EditText
from workbench.gui.shell.main_window import MainWindow
from workbench.model.snapshot import Snapshot
from workbench.syntax.change import TextEdit
from workbench.syntax.text import Span

CONTROL, SHIFT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier
ALT = Qt.KeyboardModifier.AltModifier
ENTER = Qt.Key.Key_Return
TEXT = """\
# Desk
## Main
### Steps
- Ask user for $name
- If $name is empty
  - Tell user "No name."
- Tell user "Hi {$name}."
"""


@pytest.fixture
def opened(window: MainWindow) -> MainWindow:
    window.context.documents.open_text(TEXT)
    return window


def snapshot_of(window: MainWindow) -> Snapshot:
    return window.context.documents.snapshot


def marked(window: MainWindow) -> list[str]:
    """What is marked in the source."""
    return [window.centre.source.marks._cursor(*each).selectedText() for each in window.centre.source.marks._found]


def blocks(window: MainWindow) -> dict[str, int]:
    """How often the flowchart says of each step that something was found in it."""
    roots = [root for root in snapshot_of(window).roots if root is not None]
    found = {step.text: window.centre.canvas.view.look.found(step.id) for root in roots for step in root.walk()}
    return {words: count for words, count in found.items() if count}


def test_what_is_found_is_counted_and_marked_in_source_and_flowchart(opened: MainWindow, qtbot: QtBot) -> None:
    qtbot.keyClick(opened.focusWidget(), Qt.Key.Key_F, CONTROL)
    bar, caret = opened.find_bar, opened.context.selection
    qtbot.keyClicks(bar.field, "NAME")
    assert bar.count.text() == "1 of 4"
    assert marked(opened) == ["name"] * 4
    assert blocks(opened) == {
        "Ask user for $name": 1,
        "If $name is empty": 1,
        'Tell user "No name."': 1,
        'Tell user "Hi {$name}."': 1,
    }
    assert opened.centre.source.editor.textCursor().selectedText() == "name"
    qtbot.keyClick(bar.field, Qt.Key.Key_F3)
    qtbot.keyClick(bar.field, ENTER)
    assert bar.count.text() == "3 of 4"
    assert snapshot_of(opened).step(caret.selected[0]).text == 'Tell user "No name."'
    qtbot.keyClick(bar.field, Qt.Key.Key_F3, SHIFT)
    qtbot.keyClick(bar.field, ENTER, SHIFT)
    qtbot.keyClick(bar.field, ENTER, SHIFT)
    assert bar.count.text() == "4 of 4"
    bar.word.click()
    bar.case.click()
    assert bar.count.text() == "No matches"
    opened.centre.canvas.tools.folding.toggle(snapshot_of(opened).program.playbooks[0].steps[1].id)
    bar.case.click()
    assert blocks(opened)["If $name is empty"] == 2, "a folded step counts what it hides"
    qtbot.keyClick(bar.field, Qt.Key.Key_Escape)
    assert not marked(opened) and not blocks(opened) and not bar.isVisible()


def test_what_is_selected_is_looked_for_and_several_lines_are_where(opened: MainWindow, qtbot: QtBot) -> None:
    bar, selection = opened.find_bar, opened.context.selection
    at = TEXT.index("user")
    selection.show_text(Span(at, at + 4))
    opened.context.actions.trigger("edit.find")
    assert (bar.field.text(), bar.count.text()) == ("user", "1 of 3")
    bar.close_bar()
    selection.show_text(Span(TEXT.index("- If"), len(TEXT)))
    opened.context.actions.trigger("edit.find")
    assert bar.inside.isChecked() and bar.count.text() == "1 of 2"
    opened.context.documents.execute(EditText((TextEdit(Span(0, 0), "<!-- user -->\n"),), "Comment"))
    assert len(opened.context.find.found.matches) == 2, "the part of the text moves with the edits above it"
    bar.inside.click()
    assert len(opened.context.find.found.matches) == 4


def test_replacing_goes_on_to_the_next_and_all_are_one_undo(opened: MainWindow, qtbot: QtBot) -> None:
    bar = opened.find_bar
    qtbot.keyClick(opened.focusWidget(), Qt.Key.Key_H, CONTROL)
    qtbot.keyClicks(bar.field, "name")
    bar.replacement.setFocus()
    qtbot.keyClicks(bar.replacement, "surname")
    qtbot.keyClick(bar.replacement, ENTER)
    assert snapshot_of(opened).text == TEXT.replace("name", "surname", 1)
    assert bar.count.text() == "2 of 4", "the next one is shown, behind what was put in"
    qtbot.keyClick(bar.replacement, ENTER, CONTROL | ALT)
    assert snapshot_of(opened).text == TEXT.replace("name", "surname").replace("surname", "sursurname", 1)
    opened.context.documents.undo()
    assert snapshot_of(opened).text == TEXT.replace("name", "surname", 1)
    opened.context.documents.undo()
    assert snapshot_of(opened).text == TEXT
    bar.keeping.click()
    bar.field.setText("user")
    bar.replacement.setText("Person")
    bar._on_changed()
    bar._on_replace_all()
    assert snapshot_of(opened).text == TEXT.replace("user", "person")


def test_the_source_takes_ctrl_h_for_replacing(opened: MainWindow, qtbot: QtBot) -> None:
    opened.centre.source.editor.setFocus()
    qtbot.keyClick(opened.focusWidget(), Qt.Key.Key_H, CONTROL)
    assert opened.find_bar.replacement.isVisible()
    assert snapshot_of(opened).text == TEXT


def test_expressions_are_looked_for_beside_the_window(opened: MainWindow, qtbot: QtBot) -> None:
    bar, find = opened.find_bar, opened.context.find
    opened.context.actions.trigger("edit.replace")
    bar.regex.click()
    for words, told in (("(user", "at character 1"), ("^- (\\w+) user", "")):
        bar.field.setText(words)
        with qtbot.waitSignal(find.changed):
            bar._on_changed()
        assert told in bar.problem.text()
    assert bar.count.text() == "1 of 2"
    bar.replacement.setText("- $1 the user")
    with qtbot.waitSignal(find.changed):
        bar._on_replace_all()
    assert snapshot_of(opened).text == TEXT.replace(" user", " the user").replace("  - Tell the user", "  - Tell user")
    find.stop()
