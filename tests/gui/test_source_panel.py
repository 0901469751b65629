"""The source pane: typing edits the document exactly, and changes from elsewhere leave everything in place."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QTextCursor
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from tests.conftest import examples
from workbench.disk.places import Places
from workbench.editing.commands import DeleteSteps, EditText, MoveSteps, Place, SetStepText
from workbench.gui.control.context import window_context
from workbench.gui.control.running.run_marks import MarkStatus, RunMarks, StepMark
from workbench.gui.fixes.fix_preview import FixPreview
from workbench.gui.shell.main_window import MainWindow
from workbench.gui.source.editing.list_keys import after_enter
from workbench.gui.source.gutter_signs import SourceMenu
from workbench.gui.source.position_map import PositionMap
from workbench.gui.source.source_panel import SourcePanel
from workbench.gui.words.widget_text import shown
from workbench.model.program import Step
from workbench.syntax.change import TextChange, TextEdit
from workbench.syntax.text import LineIndex, Span

PLAYBOOK = "# Desk\n## Main\n### Steps\n- One\n- Two\n  - Two and a half\n- Three\n"


@pytest.fixture
def source(window: MainWindow) -> SourcePanel:
    """The source pane of a window that shows PLAYBOOK."""
    window.context.documents.open_text(PLAYBOOK)
    return window.centre.source


@pytest.fixture
def panel(qtbot: QtBot, own_places: Places) -> Iterator[SourcePanel]:
    """The source pane alone, which is faster."""
    owner = QObject()
    panel = SourcePanel(window_context(own_places, owner))
    qtbot.addWidget(panel)
    yield panel
    owner.deleteLater()


def steps(window: MainWindow) -> list[Step]:
    """All steps of the first playbook, in source order."""
    playbook = window.context.documents.snapshot.program.playbooks[0]
    return [step for top in playbook.steps for step in top.walk()]


def text_of(window: MainWindow) -> str:
    """The document's text."""
    return window.context.documents.snapshot.text


def put_caret(source: SourcePanel, words: str) -> None:
    """Put the caret behind *words*."""
    cursor = source.editor.document().find(words)
    cursor.clearSelection()
    source.editor.setTextCursor(cursor)


def check_agrees(source: SourcePanel) -> None:
    """The widget shows exactly the document's text."""
    text = source.context.documents.snapshot.text
    assert source.editor.toPlainText() == shown(text).replace("\u00a0", " ")


@pytest.mark.parametrize("count", [1, 60])
def test_the_room_for_the_text_is_the_same_whatever_its_length(count: int, panel: SourcePanel) -> None:
    panel.resize(300, 200)
    panel.show()
    width = panel.editor.viewport().width()
    panel.context.documents.open_text("- A step with several words that go on and on\n" * count)
    QApplication.processEvents()
    assert (panel.editor.viewport().width(), panel.editor.horizontalScrollBar().isVisible()) == (width, False)


def test_typing_edits_the_document(qtbot: QtBot, window: MainWindow, source: SourcePanel) -> None:
    put_caret(source, "One")
    qtbot.keyClicks(source.editor, " more")
    assert text_of(window) == PLAYBOOK.replace("One", "One more")
    assert steps(window)[0].text == "One more"


@pytest.mark.parametrize("line_end", ["\r\n", "\r", "\n"])
def test_line_ends_and_wide_characters_stay_as_they_are(qtbot: QtBot, window: MainWindow, line_end: str) -> None:
    before = PLAYBOOK.replace("One", "One 👩‍🚀 ü").replace("\n", line_end)
    window.context.documents.open_text(before)
    source = window.centre.source
    put_caret(source, "👩‍🚀 ü")
    qtbot.keyClicks(source.editor, "x")
    qtbot.keyClick(source.editor, Qt.Key.Key_Return, Qt.KeyboardModifier.ShiftModifier)
    assert text_of(window) == before.replace("👩‍🚀 ü", "👩‍🚀 üx" + line_end)


def test_characters_that_the_widget_does_not_know_survive_typing_beside_them(qtbot: QtBot, window: MainWindow) -> None:
    before = "- a\u00a0b\u2028c\ufeffd\udc80e\x0cf\x00g\n"
    window.context.documents.open_text(before)
    put_caret(window.centre.source, "g")
    qtbot.keyClicks(window.centre.source.editor, "!")
    assert text_of(window) == before.replace("g", "g!")


def test_deleting_across_lines_edits_the_document(qtbot: QtBot, window: MainWindow, source: SourcePanel) -> None:
    put_caret(source, "One")
    qtbot.keyClick(source.editor, Qt.Key.Key_Delete)
    assert text_of(window) == PLAYBOOK.replace("One\n- Two", "One- Two")


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("- One", "- One\n- x"),
        ("  3) One", "  3) One\n  4) x"),
        ("- One\n- ", "- One\nx"),
        ("words", "words\nx"),
        ("  more", "  more\n  x"),
    ],
)
def test_enter_goes_on_with_the_list(qtbot: QtBot, panel: SourcePanel, before: str, after: str) -> None:
    panel.context.documents.open_text(before)
    panel.editor.moveCursor(QTextCursor.MoveOperation.End)
    qtbot.keyClick(panel.editor, Qt.Key.Key_Return)
    qtbot.keyClicks(panel.editor, "x")
    assert panel.context.documents.snapshot.text == after


def test_tab_and_shift_tab_nest_steps(qtbot: QtBot, panel: SourcePanel) -> None:
    panel.context.documents.open_text("- a\r\n- b\r\n\r\n- c\r\n")
    panel.editor.selectAll()
    qtbot.keyClick(panel.editor, Qt.Key.Key_Tab)
    assert panel.context.documents.snapshot.text == "  - a\r\n  - b\r\n\r\n  - c\r\n"
    panel.editor.selectAll()
    qtbot.keyClick(panel.editor, Qt.Key.Key_Backtab)
    assert panel.context.documents.snapshot.text == "- a\r\n- b\r\n\r\n- c\r\n"


def test_undo_keys_in_the_source_take_back_in_the_document(
    qtbot: QtBot, window: MainWindow, source: SourcePanel
) -> None:
    put_caret(source, "One")
    qtbot.keyClicks(source.editor, "!")
    window.activateWindow()
    source.editor.setFocus()
    qtbot.keyClick(source.editor, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert text_of(window) == PLAYBOOK
    check_agrees(source)


def test_a_change_from_elsewhere_leaves_the_caret_in_its_words(window: MainWindow, source: SourcePanel) -> None:
    put_caret(source, "Two and")
    window.context.documents.execute(EditText((TextEdit(Span(0, 0), "<!-- new -->\n"),)))
    check_agrees(source)
    cursor = source.editor.textCursor()
    assert (cursor.block().text(), cursor.positionInBlock()) == ("  - Two and a half", len("  - Two and"))


def test_the_caret_follows_a_step_that_is_moved_on_the_canvas(window: MainWindow, source: SourcePanel) -> None:
    one, three = steps(window)[0], steps(window)[3]
    window.context.documents.execute(MoveSteps((three.id,), Place("Main")), (three.id,))
    window.context.documents.execute(DeleteSteps((one.id,)))
    check_agrees(source)
    assert source.editor.textCursor().block().text() == "- Three"


def test_a_change_above_does_not_scroll_what_is_read(window: MainWindow) -> None:
    documents = window.context.documents
    documents.open_text("# Desk\n## Main\n### Steps\n" + "".join(f"- Step {index}\n" for index in range(300)))
    editor = window.centre.source.editor
    editor.verticalScrollBar().setValue(200)
    top = editor.firstVisibleBlock().text()
    documents.execute(EditText((TextEdit(Span(0, 0), "<!-- new -->\n<!-- lines -->\n"),)))
    assert editor.firstVisibleBlock().text() == top


def test_lines_that_a_canvas_action_touched_flash(window: MainWindow, source: SourcePanel) -> None:
    window.context.documents.execute(SetStepText(steps(window)[3].id, "Third"))
    assert source.marks.flashed_lines == (6,)


def test_the_caret_selects_its_step_everywhere(window: MainWindow, source: SourcePanel) -> None:
    put_caret(source, "a half")
    assert window.context.selection.selected == (steps(window)[2].id,)


def test_a_selection_from_elsewhere_moves_the_caret(window: MainWindow, source: SourcePanel) -> None:
    window.context.selection.reveal((steps(window)[3].id,), "canvas")
    assert source.editor.textCursor().block().text() == "- Three"


def test_selected_text_selects_all_steps_that_it_touches(window: MainWindow, source: SourcePanel) -> None:
    put_caret(source, "One")
    cursor = source.editor.textCursor()
    cursor.movePosition(QTextCursor.MoveOperation.Down, QTextCursor.MoveMode.KeepAnchor, 2)
    source.editor.setTextCursor(cursor)
    assert window.context.selection.selected == tuple(step.id for step in steps(window)[:3])


def test_copied_text_is_the_documents(window: MainWindow, source: SourcePanel) -> None:
    window.context.documents.open_text("- a\u00a0b\r\n- c\r\n")
    source.editor.selectAll()
    source.editor.copy()
    assert QApplication.clipboard().text() == "- a\u00a0b\r\n- c\r\n"


def test_pasted_lines_get_the_documents_line_ends(window: MainWindow, source: SourcePanel) -> None:
    window.context.documents.open_text("- a\r\n- b\r\n")
    QApplication.clipboard().setText("- x\n- y\n")
    source.editor.paste()
    assert text_of(window) == "- x\r\n- y\r\n- a\r\n- b\r\n"


def test_problems_are_marked_on_their_lines(qtbot: QtBot, window: MainWindow) -> None:
    window.context.documents.open_text("# Desk\n## Main\n### Trigger\n- When program starts\n### Steps\n- $x = 1\n")
    gutter = window.centre.source.editor.gutter
    qtbot.waitUntil(lambda: 2 in gutter.problem_lines)


def test_the_context_menu_offers_the_fix_of_what_is_there(qtbot: QtBot, window: MainWindow) -> None:
    window.context.documents.open_text("# Desk\n## Main\n### Trigger\n- When program starts\n### Steps\n- $x = 1\n")
    source = window.centre.source
    qtbot.waitUntil(lambda: 2 in source.editor.gutter.problem_lines)
    findings = [each for each in window.context.documents.snapshot.diagnostics if each.fixes]
    menu = SourceMenu(window.context, source.editor).build(findings)
    menu.actions()[0].trigger()
    (preview,) = window.findChildren(FixPreview)
    preview.apply()
    assert "### Triggers\n" in text_of(window)
    check_agrees(source)


def test_a_change_on_disk_leaves_the_caret_alone(window: MainWindow, tmp_path: Path) -> None:
    path = tmp_path / "desk.md"
    path.write_text(PLAYBOOK)
    window.context.documents.open(path)
    source = window.centre.source
    source.editor.setFocus()
    put_caret(source, "Two and")
    path.write_text(PLAYBOOK.replace("One", "The first").replace("Three", "The last"))
    window.context.documents.check_disk()
    cursor = source.editor.textCursor()
    assert text_of(window) == path.read_text()
    assert (cursor.block().text(), cursor.positionInBlock()) == ("  - Two and a half", len("  - Two and"))


def test_the_line_that_runs_is_lit(window: MainWindow, source: SourcePanel) -> None:
    loop, inner = steps(window)[1], steps(window)[2]
    marks = {
        loop.id: StepMark(MarkStatus.RUNNING, started_ns=1),
        inner.id: StepMark(MarkStatus.WAITING, started_ns=2),
    }
    window.context.shown.marks = RunMarks(marks)
    window.context.shown.marks_changed.emit(window.context.shown.marks)
    assert source.marks.running_lines == (5,)
    assert statuses(source) == {4: "running", 5: "waiting"}


def statuses(source: SourcePanel) -> dict[int, str]:
    """How far the run is, by line, as the gutter is told."""
    found = {line: source.editor.gutter.status_of(line) for line in range(source.editor.blockCount())}
    return {line: word for line, word in found.items() if word is not None}


def test_what_a_run_marked_stays_with_its_lines(window: MainWindow, source: SourcePanel) -> None:
    inner = steps(window)[2]
    window.context.shown.marks = RunMarks({inner.id: StepMark(MarkStatus.WAITING, started_ns=2)})
    window.context.shown.marks_changed.emit(window.context.shown.marks)
    put_caret(source, "# Desk")
    for _line in range(2):
        source.editor.textCursor().insertText("\n")
    assert (statuses(source), source.marks.running_lines) == ({7: "waiting"}, (7,))
    while window.context.documents.document.can_undo:
        window.context.documents.undo()
    assert (statuses(source), source.marks.running_lines) == ({5: "waiting"}, (5,))


def test_fences_keep_their_state_from_line_to_line(window: MainWindow, source: SourcePanel) -> None:
    window.context.documents.open_text("- a\n```python\n# comment, no heading\n```\n# Heading\n")
    assert _formats(source, 2) == {"italic"}
    assert _formats(source, 4) == {"bold"}
    put_caret(source, "```python")
    source.editor.textCursor().deletePreviousChar()
    for _ in range(8):
        source.editor.textCursor().deletePreviousChar()
    assert _formats(source, 2) == {"bold"}


def _formats(source: SourcePanel, line: int) -> set[str]:
    formats = source.editor.document().findBlockByNumber(line).layout().formats()
    found = {"italic" for each in formats if each.format.fontItalic()}
    return found | {"bold" for each in formats if each.format.fontWeight() >= 700}


def test_long_documents_get_their_colours_where_they_are_looked_at(window: MainWindow) -> None:
    window.context.documents.open_text("# Desk\n## Main\n### Steps\n" + "- If $x > 1\n" * 6_000)
    source = window.centre.source
    document = source.editor.document()
    assert not document.findBlockByNumber(4_000).layout().formats()
    source.editor.verticalScrollBar().setValue(4_000)
    assert document.findBlockByNumber(4_000).layout().formats()


TEXT = st.text(alphabet="ab\r\n😀é\u2028\udc80 ", max_size=30)


@given(TEXT, st.data())
def test_offsets_and_positions_belong_to_each_other(text: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(text)))
    change = TextChange((TextEdit(Span(start, data.draw(st.integers(start, len(text)))), data.draw(TEXT)),))
    after = change.apply(text)
    positions = PositionMap(text)
    positions.change(change, after)
    assert [positions.line_span(line).start for line in range(positions.line_count)] == list(LineIndex.of(after).starts)
    assert positions.position(len(after)) == len(shown(after).encode("utf-16-le")) // 2
    halves = {index for index in range(1, len(after)) if after[index - 1 : index + 1] == "\r\n"}
    whole = (index for index in range(len(after) + 1) if index not in halves)
    assert all(positions.offset(positions.position(index)) == index for index in whole)


LINES = st.lists(st.sampled_from(["- One", "  - In 😀", "", "## Main", "```", "text\u00a0é"]), max_size=8)


@settings(max_examples=examples(40))
@given(LINES, st.sampled_from(["\n", "\r\n", "\r"]), st.data())
def test_widget_and_document_agree_after_any_edits(
    panel: SourcePanel, lines: list[str], line_end: str, data: st.DataObject
) -> None:
    documents = panel.context.documents
    documents.open_text(line_end.join(lines))
    for _ in range(6):
        if data.draw(st.booleans()):
            _type(panel, data)
        else:
            length = len(documents.snapshot.text)
            start = data.draw(st.integers(0, length))
            span = Span(start, data.draw(st.integers(start, min(length, start + 9))))
            documents.execute(EditText((TextEdit(span, data.draw(st.sampled_from(["", "x", "\r", "\n", "a\r\nb"]))),)))
        check_agrees(panel)
    while documents.document.can_undo:
        documents.undo()
    assert documents.snapshot.text == line_end.join(lines)
    check_agrees(panel)


def _type(source: SourcePanel, data: st.DataObject) -> None:
    """Replace a stretch in the widget, as a key, a paste or a drop does."""
    last = source.editor.document().characterCount() - 1
    cursor = source.editor.textCursor()
    cursor.setPosition(data.draw(st.integers(0, last)))
    cursor.setPosition(data.draw(st.integers(0, last)), QTextCursor.MoveMode.KeepAnchor)
    ends = [source.editor.document().characterAt(at) for at in (cursor.anchor(), cursor.position())]
    if any("\udc00" <= end <= "\udfff" for end in ends):
        return  # no key leads into the middle of a wide character
    cursor.insertText(data.draw(st.sampled_from(["", "x", "- y\n", "\n", "😀"])))


@pytest.mark.parametrize("line", ["9" * 4_301 + ". x", "1234567890. x", "٣. x"])
def test_enter_behind_what_is_no_number_of_a_list_adds_no_number(line: str) -> None:
    assert after_enter(line, len(line)) is None


def test_the_end_of_what_is_pasted_is_in_view(source: SourcePanel, qapp: QApplication) -> None:
    source.editor.moveCursor(QTextCursor.MoveOperation.End)
    qapp.clipboard().setText("".join(f"- Step {number}\n" for number in range(200)))
    source.editor.paste()
    assert source.editor.viewport().rect().contains(source.editor.cursorRect())


def test_a_mark_that_turns_the_direction_has_a_stand_in(window: MainWindow) -> None:
    window.context.documents.open_text("# D\n- rm \u202egpj.exe\u2069\n")
    assert window.centre.source.editor.toPlainText() == "# D\n- rm \ufffdgpj.exe\ufffd\n"
    assert window.context.documents.snapshot.text == "# D\n- rm \u202egpj.exe\u2069\n"
