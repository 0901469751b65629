"""A step that goes far gives thousands of lines another number: what is in view has it at once, the rest soon."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PySide6.QtCore import QObject, Qt
from pytestqt.qtbot import QtBot

from tests.conftest import examples
from workbench.disk.places import Places
from workbench.editing.commands import DeleteSteps, EditText, MoveSteps, Place
from workbench.gui.control.context import WindowContext, window_context
from workbench.gui.source.source_panel import SourcePanel
from workbench.gui.words.widget_text import shown
from workbench.model.program import Step
from workbench.syntax.change import TextEdit
from workbench.syntax.text import Span

HEAD = "# Desk\n## Main\n### Steps\n"
COUNT = 300


def numbered(count: int = COUNT, line_end: str = "\n") -> str:
    """A list of *count* steps with numbers."""
    return (HEAD + "".join(f"{each}. Say {each} 🚀\n" for each in range(1, count + 1))).replace("\n", line_end)


@pytest.fixture
def panel(qtbot: QtBot, own_places: Places) -> Iterator[SourcePanel]:
    """The source pane alone, in view."""
    owner = QObject()
    panel = SourcePanel(window_context(own_places, owner))
    qtbot.addWidget(panel)
    panel.resize(400, 300)
    panel.show()
    yield panel
    owner.deleteLater()


def steps(context: WindowContext) -> tuple[Step, ...]:
    """The steps of the list."""
    return context.documents.snapshot.program.playbooks[0].steps


def move(context: WindowContext, step: int, after: int) -> None:
    """Put the step at one place behind that at another; the pane has followed."""
    found = steps(context)
    context.documents.execute(MoveSteps((found[step].id,), Place("Main", None, found[after].id)))
    context.documents.catch_up()


def lines_of(panel: SourcePanel) -> list[str]:
    """The lines that the document has."""
    text = shown(panel.context.documents.snapshot.text).replace("\u00a0", " ")
    return text.split("\n")


def check_view(panel: SourcePanel) -> None:
    """What is in view is what the document has."""
    lines = lines_of(panel)
    assert panel.editor.blockCount() == len(lines)
    for block, _rect in panel.editor.visible_blocks():
        assert block.text() == lines[block.blockNumber()]


def agrees(panel: SourcePanel) -> bool:
    """Whether the widget has all of the document's text."""
    return panel.editor.toPlainText().split("\n") == lines_of(panel)


@pytest.mark.parametrize("line_end", ["\n", "\r\n"])
def test_numbers_out_of_sight_follow_when_nobody_waits(panel: SourcePanel, qtbot: QtBot, line_end: str) -> None:
    panel.context.documents.open_text(numbered(line_end=line_end))
    move(panel.context, 1, COUNT - 20)
    check_view(panel)
    assert line_end == "\r\n" or not agrees(panel)
    panel.editor.verticalScrollBar().setValue(COUNT // 2)
    check_view(panel)
    qtbot.waitUntil(lambda: agrees(panel))
    assert panel.context.documents.snapshot.text.count(f"Say 2 🚀{line_end}{COUNT - 18}. ") == 1


def test_whoever_types_meets_the_text_as_it_is(panel: SourcePanel, qtbot: QtBot) -> None:
    panel.context.documents.open_text(numbered())
    move(panel.context, 1, COUNT - 20)
    head = panel.context.documents.snapshot.head_span(steps(panel.context)[200].id)
    cursor = panel.editor.textCursor()
    cursor.setPosition(panel.sync.positions.position(head.end))
    panel.editor.blockSignals(True)  # nobody has looked there yet
    panel.editor.setTextCursor(cursor)
    panel.editor.blockSignals(False)
    qtbot.keyClick(panel.editor, Qt.Key.Key_Return)
    assert agrees(panel)
    assert "\n201. Say 202 🚀\n202. \n" in panel.context.documents.snapshot.text


@settings(max_examples=examples(5))
@given(data=st.data())
def test_edits_while_numbers_wait_end_in_the_text_of_the_document(
    qtbot: QtBot, own_places: Places, data: st.DataObject
) -> None:
    owner = QObject()
    panel = SourcePanel(window_context(own_places, owner))
    panel.resize(400, 200)
    panel.show()
    documents, bar, place = panel.context.documents, panel.editor.verticalScrollBar(), st.integers(0, 60)
    documents.open_text(numbered(80))
    for _each in range(data.draw(st.integers(2, 6))):
        kind, at = (
            data.draw(st.sampled_from(["move", "move", "undo", "redo", "delete", "write", "look"])),
            data.draw(place),
        )
        if kind == "move":
            move(panel.context, at, data.draw(place))
        elif kind == "delete":
            documents.execute(DeleteSteps((steps(panel.context)[at].id,)))
        elif kind == "write":
            start = documents.snapshot.block_starts[at + 2]
            documents.execute(EditText((TextEdit(Span(start, start), data.draw(st.sampled_from(["- x\n", "1"]))),)))
        elif kind == "look":
            bar.setValue(at)
        else:
            getattr(documents, kind)()
        documents.catch_up()
        check_view(panel)
    qtbot.waitUntil(lambda: agrees(panel))
    panel.close()
    panel.deleteLater()
    owner.deleteLater()
