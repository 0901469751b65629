"""Completion, tips and signatures in the source pane."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QObject, Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from workbench.assist.tools import tools_of
from workbench.disk.places import Places
from workbench.editing.typing.carets import Caret
from workbench.gui.control.context import window_context
from workbench.gui.source.source_panel import SourcePanel
from workbench.model.snapshot import derive
from workbench.syntax.text import SourceText

PLAYBOOK = """# Desk
## Main
### Steps
- $summary = 1
- $süß = 2
- Tell user "👩‍🚀 {}"
-\x20
## Mitigate($x:int, $why)
### Steps
- Return $x
"""
_CTRL = Qt.KeyboardModifier.ControlModifier


@pytest.fixture
def panel(qtbot: QtBot, own_places: Places) -> Iterator[SourcePanel]:
    """The source pane alone, with PLAYBOOK."""
    owner = QObject()
    panel = SourcePanel(window_context(own_places, owner))
    qtbot.addWidget(panel)
    panel.context.documents.open_text(PLAYBOOK)
    panel.resize(600, 400)
    panel.show()
    yield panel
    owner.deleteLater()


def put_caret(panel: SourcePanel, words: str) -> None:
    """Put the caret behind *words*."""
    offset = panel.context.documents.snapshot.text.index(words) + len(words)
    panel.editor.place_caret(panel.sync.positions.position(offset))


def line_with(panel: SourcePanel, words: str) -> str:
    """The line of the document that has *words*."""
    return next(line for line in panel.context.documents.snapshot.text.splitlines() if words in line)


def test_a_variable_that_is_begun_is_completed_by_tab(panel: SourcePanel) -> None:
    put_caret(panel, "🚀 {")
    QTest.keyClicks(panel.editor, "$s")
    assert panel.editing.assistance.list.labels == ("$summary", "$süß", "$startup_message")
    QTest.keyClick(panel.editor, Qt.Key.Key_Down)
    QTest.keyClick(panel.editor, Qt.Key.Key_Tab)
    assert line_with(panel, "Tell user") == '- Tell user "👩‍🚀 {$süß}"'
    assert panel.editing.assistance.list.isHidden()


def test_a_completion_is_written_at_every_caret_and_taken_back_as_one(panel: SourcePanel) -> None:
    before = panel.context.documents.snapshot.text
    put_caret(panel, "🚀 {")
    carets, end = panel.editing.carets, len(before)
    carets.become((Caret(end, end), carets.latest))
    QTest.keyClicks(panel.editor, "$s")
    panel.editing.assistance.complete()
    QTest.keyClick(panel.editor, Qt.Key.Key_Return)
    text = panel.context.documents.snapshot.text
    assert text == before.replace("🚀 {", "🚀 {$startup_message") + "$startup_message"
    assert [each.head for each in carets.all] == [text.index("}", text.index("{$startup")), len(text)]
    panel.context.documents.undo()
    assert panel.context.documents.snapshot.text == before


def test_escape_closes_the_list_and_so_does_going_elsewhere(panel: SourcePanel) -> None:
    put_caret(panel, "🚀 {")
    QTest.keyClicks(panel.editor, "$s")
    QTest.keyClick(panel.editor, Qt.Key.Key_Escape)
    assert panel.editing.assistance.list.isHidden()
    QTest.keyClicks(panel.editor, "u")
    assert panel.editing.assistance.list.isVisible()
    put_caret(panel, "# Desk")
    assert panel.editing.assistance.list.isHidden()


def test_a_call_is_written_with_its_arguments_and_its_signature_is_shown(panel: SourcePanel) -> None:
    put_caret(panel, '{}"\n- ')
    QTest.keyClicks(panel.editor, "Mit")
    panel.editing.assistance.complete()
    QTest.keyClick(panel.editor, Qt.Key.Key_Return)
    assert line_with(panel, "Mit") == "- Mitigate($x, $why)"
    shown = panel.editing.assistance.signature.shown
    assert shown is not None and (shown.label, shown.active) == ("Mitigate($x:int, $why)", 0)
    QTest.keyClicks(panel.editor, "1, ")
    assert panel.editing.assistance.signature.shown is not None and panel.editing.assistance.signature.shown.active == 1
    QTest.keyClick(panel.editor, Qt.Key.Key_Escape)
    assert panel.editing.assistance.signature.isHidden()
    assert line_with(panel, "Mit") == "- Mitigate(1, , $why)"


def test_the_keys_of_the_source_complete_there(panel: SourcePanel) -> None:
    panel.context.actions.set_met(panel.context.actions.spec("source.complete").needs)
    put_caret(panel, '{}"\n- ')
    QTest.keyClick(panel.editor, Qt.Key.Key_Space, _CTRL)
    assert panel.editing.assistance.list.labels[:2] == ("Step", "Ask")
    QTest.keyClick(panel.editor, Qt.Key.Key_Return)
    assert panel.editor.textCursor().selectedText() == "Do something"


def test_tools_that_come_with_the_workbench_are_known_without_starting_any(own_places: Places) -> None:
    assert {"shell", "read_file"} <= {each.name for each in tools_of(None, derive(SourceText("")).program, own_places)}
