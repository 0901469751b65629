"""The source as a code editor: lines, brackets, what is drawn over the text, and the place in the status bar."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QObject, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QPlainTextEdit
from pytestqt.qtbot import QtBot

from workbench.disk.places import Places
from workbench.gui.control.action_spec import Need
from workbench.gui.control.context import window_context
from workbench.gui.shell.main_window import MainWindow
from workbench.gui.shell.status_bar import place_words
from workbench.gui.source.editing.overlay import guides
from workbench.gui.source.source_panel import SourcePanel
from workbench.syntax.text import Span

_ALT, _CTRL, _SHIFT = (
    Qt.KeyboardModifier.AltModifier,
    Qt.KeyboardModifier.ControlModifier,
    Qt.KeyboardModifier.ShiftModifier,
)


@pytest.fixture
def panel(qtbot: QtBot, own_places: Places) -> Iterator[SourcePanel]:
    """The source pane alone."""
    owner = QObject()
    panel = SourcePanel(window_context(own_places, owner))
    panel.context.actions.set_met(frozenset({Need.DOCUMENT}))
    qtbot.addWidget(panel)
    panel.resize(500, 400)
    panel.show()
    yield panel
    owner.deleteLater()


def text_of(panel: SourcePanel) -> str:
    """The document's text."""
    return panel.context.documents.snapshot.text


def put_caret(panel: SourcePanel, words: str) -> None:
    """Put the caret behind *words*."""
    panel.editor.place_caret(panel.sync.positions.position(text_of(panel).index(words) + len(words)))


def press(panel: SourcePanel, key: Qt.Key, modifiers: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> None:
    """Press *key* in the source."""
    QTest.keyClick(panel.editor, key, modifiers)


def test_lines_move_by_key_as_one_undo_each_and_steps_stay_what_they_are(panel: SourcePanel) -> None:
    panel.context.documents.open_text("- a\r\n- b\r\n- c")
    ids = {step.text: step.id for step in panel.context.documents.snapshot.program.playbooks[0].steps}
    put_caret(panel, "- c")
    press(panel, Qt.Key.Key_Up, _ALT)
    press(panel, Qt.Key.Key_Up, _ALT)
    assert text_of(panel) == "- c\r\n- a\r\n- b"
    assert {step.text: step.id for step in panel.context.documents.snapshot.program.playbooks[0].steps} == ids
    assert panel.sync.caret == 3
    press(panel, Qt.Key.Key_Down, _SHIFT | _ALT)
    press(panel, Qt.Key.Key_J, _CTRL)
    assert text_of(panel) == "- c\r\n- c a\r\n- b"
    for expected in ("- c\r\n- c\r\n- a\r\n- b", "- c\r\n- a\r\n- b", "- a\r\n- c\r\n- b", "- a\r\n- b\r\n- c"):
        panel.context.documents.undo()
        assert text_of(panel) == expected
        assert panel.editor.toPlainText() == expected.replace("\r\n", "\n")


def test_brackets_are_closed_typed_over_wrapped_and_taken_away_together(panel: SourcePanel) -> None:
    panel.context.documents.open_text("- Call \n")
    put_caret(panel, "Call ")
    QTest.keyClicks(panel.editor, 'F("a")')
    assert text_of(panel) == '- Call F("a")\n'
    QTest.keyClicks(panel.editor, "[")
    press(panel, Qt.Key.Key_Backspace)
    assert text_of(panel) == '- Call F("a")\n'
    panel.editor.place_caret(6, 2)
    QTest.keyClicks(panel.editor, "{")
    assert text_of(panel) == '- {Call} F("a")\n'
    assert panel.editor.textCursor().selectedText() == "Call"


def test_the_brackets_beside_the_caret_are_marked(panel: SourcePanel) -> None:
    panel.context.documents.open_text("- F(a[1])\n")
    put_caret(panel, "- F")
    assert panel.editing.overlay.brackets == (3, 8)
    put_caret(panel, "- ")
    assert panel.editing.overlay.brackets == ()
    panel.grab()


def test_tab_before_the_words_nests_the_step_with_all_that_it_owns(panel: SourcePanel) -> None:
    panel.context.documents.open_text("# D\n## Main\n### Steps\n1. a\n2. b\n   - c\n3. d\n")
    panel.editor.setFocus()
    put_caret(panel, "2. ")
    press(panel, Qt.Key.Key_Tab)
    assert text_of(panel) == "# D\n## Main\n### Steps\n1. a\n   - b\n     - c\n2. d\n"
    assert text_of(panel)[panel.sync.caret :].startswith("b\n")
    press(panel, Qt.Key.Key_Backtab, _SHIFT)
    assert text_of(panel) == "# D\n## Main\n### Steps\n1. a\n2. b\n   - c\n3. d\n"
    put_caret(panel, "### Steps\n1. ")
    press(panel, Qt.Key.Key_Tab)
    assert "\n  1. a\n" in text_of(panel)


def test_lines_are_wrapped_or_not_and_hidden_characters_shown_or_not_and_both_are_remembered(
    panel: SourcePanel,
) -> None:
    panel.context.documents.open_text("- a\u00a0b\u200bc\n\t- d\n  - e\n")
    press(panel, Qt.Key.Key_Z, _ALT)
    panel.context.actions.trigger("source.invisible")
    assert panel.editor.lineWrapMode() is QPlainTextEdit.LineWrapMode.NoWrap
    kept = panel.context.settings.current
    assert (kept.wraps_source, kept.shows_invisible) == (False, True)
    panel.grab()
    press(panel, Qt.Key.Key_Z, _ALT)
    assert panel.editor.lineWrapMode() is QPlainTextEdit.LineWrapMode.WidgetWidth


def test_guides_lead_from_a_line_to_what_is_set_in_below_it(panel: SourcePanel) -> None:
    panel.context.documents.open_text("- a\n  - b\n\n    - c\n  - d\n- e\n")
    QApplication.processEvents()
    blocks = [block for block, _rect in panel.editor.visible_blocks()]
    assert list(guides(blocks))[:6] == [(), (0,), (0, 2), (0, 2), (0,), ()]
    assert list(guides(blocks[3:]))[:2] == [(0, 2), (0,)]


@pytest.mark.parametrize(
    ("caret", "words"),
    [
        (Span(0, 0), "Ln 1, Col 1"),
        (Span(3, 5), "Ln 2, Col 3 (2 selected)"),
        (Span(0, 8), "Ln 3, Col 2 (8 selected, 3 lines)"),
    ],
)
def test_the_status_bar_says_where_the_caret_is(caret: Span, words: str) -> None:
    assert place_words("a\r\n👩b\r\ncd", caret) == words


PLAYBOOK = "# D\n## Main\n### Steps\n- If $a > 1\n  - b\n  - c\n- d\n\n## Other\n### Steps\n- e\n"


def shown_lines(panel: SourcePanel) -> list[str]:
    """The lines that can be seen."""
    QApplication.processEvents()
    return [block.text() for block, _rect in panel.editor.visible_blocks()]


def test_a_step_is_folded_and_stays_so_while_others_change_and_moves_as_a_whole(panel: SourcePanel) -> None:
    panel.context.documents.open_text(PLAYBOOK)
    put_caret(panel, "  - c")
    press(panel, Qt.Key.Key_Left, _ALT | _SHIFT)
    assert shown_lines(panel)[3:5] == ["- If $a > 1", "- d"]
    assert panel.editor.textCursor().block().text() == "- If $a > 1"
    panel.grab()
    put_caret(panel, "### Steps")
    press(panel, Qt.Key.Key_Return)
    QTest.keyClicks(panel.editor, "- new")
    assert shown_lines(panel)[3:6] == ["- new", "- If $a > 1", "- d"]
    put_caret(panel, "- If")
    press(panel, Qt.Key.Key_Down, _ALT)
    assert "- new\n- d\n- If $a > 1\n  - b\n  - c\n" in text_of(panel)
    put_caret(panel, "  - b")
    assert "  - b" in shown_lines(panel)


def test_a_section_is_folded_by_its_sign_and_all_are_at_once(panel: SourcePanel) -> None:
    panel.context.documents.open_text(PLAYBOOK)
    panel.editor.gutter.fold_clicked.emit(1)
    assert shown_lines(panel)[:4] == ["# D", "## Main", "", "## Other"]
    panel.context.actions.trigger("source.unfold-all")
    assert len(shown_lines(panel)) == 12
    panel.context.actions.trigger("source.fold-all")
    assert shown_lines(panel) == ["# D", "## Main", "", "## Other", ""]
    assert panel.editor.gutter.fold_of(1) is True
    assert panel.editor.gutter.fold_of(6) is None


def test_what_is_folded_is_folded_when_the_file_is_opened_again(panel: SourcePanel, tmp_path: Path) -> None:
    file = tmp_path / "a.md"
    file.write_text(PLAYBOOK, "utf-8")
    panel.context.documents.open(file)
    panel.editing.folds.toggle(3)
    panel.context.documents.close()
    file.write_text("<!-- new -->\n" + PLAYBOOK, "utf-8")
    panel.context.documents.open(file)
    assert panel.editing.folds.folded_lines == (4,)
    assert "  - b" not in shown_lines(panel)


LINES = "- a x\r\n- b x\r\n- c x 👩\r\n"


def test_what_is_typed_at_several_carets_is_one_undo(panel: SourcePanel) -> None:
    panel.context.documents.open_text(LINES)
    put_caret(panel, "- a")
    press(panel, Qt.Key.Key_Down, _CTRL | _ALT)
    press(panel, Qt.Key.Key_Down, _CTRL | _ALT)
    QTest.keyClicks(panel.editor, "!?")
    press(panel, Qt.Key.Key_Backspace)
    assert text_of(panel) == "- a! x\r\n- b! x\r\n- c! x 👩\r\n"
    assert panel.editor.toPlainText() == text_of(panel).replace("\r\n", "\n")
    press(panel, Qt.Key.Key_End)
    QTest.keyClicks(panel.editor, ".")
    assert text_of(panel) == "- a! x.\r\n- b! x.\r\n- c! x 👩.\r\n"
    panel.grab()
    press(panel, Qt.Key.Key_Escape)
    QTest.keyClicks(panel.editor, ";")
    assert text_of(panel).count(";") == 1
    for _undo in range(3):
        panel.context.documents.undo()
    assert text_of(panel) == LINES


def test_each_next_occurrence_is_selected_and_replaced_with_the_others(panel: SourcePanel) -> None:
    panel.context.documents.open_text(LINES)
    put_caret(panel, "- a x")
    for _key in range(4):
        press(panel, Qt.Key.Key_D, _CTRL)
    assert [caret.span for caret in panel.editing.carets.all] == [Span(4, 5), Span(11, 12), Span(18, 19)]
    panel.grab()
    press(panel, Qt.Key.Key_X, _CTRL)
    assert text_of(panel) == LINES.replace("x", "")
    QApplication.clipboard().setText("1\n2\n3")
    press(panel, Qt.Key.Key_V, _CTRL)
    assert text_of(panel) == "- a 1\r\n- b 2\r\n- c 3 👩\r\n"
    panel.context.documents.undo()
    assert text_of(panel) == LINES.replace("x", "")
    assert panel.editing.carets.others == []


def test_the_pointer_adds_carets_and_selects_columns(panel: SourcePanel) -> None:
    panel.context.documents.open_text(LINES)
    put_caret(panel, "- a")
    places = []
    for words in ("- b", "- c x"):
        cursor = panel.editor.textCursor()
        cursor.setPosition(panel.sync.positions.position(LINES.index(words) + len(words)))
        places.append(panel.editor.cursorRect(cursor).center())
    left = Qt.MouseButton.LeftButton
    QTest.mouseClick(panel.editor.viewport(), left, _ALT, places[0])
    assert [caret.head for caret in panel.editing.carets.all] == [3, 10]
    QTest.mouseClick(panel.editor.viewport(), left, Qt.KeyboardModifier.NoModifier, places[0])
    assert len(panel.editing.carets.all) == 1
    QTest.mousePress(panel.editor.viewport(), left, _ALT | _SHIFT, places[0])
    QTest.mouseMove(panel.editor.viewport(), places[1])
    QTest.mouseRelease(panel.editor.viewport(), left, _ALT | _SHIFT, places[1])
    assert [caret.span.of(LINES) for caret in panel.editing.carets.all] == [" x", " x"]


def test_keys_of_the_source_mean_there_what_they_mean_in_no_other_pane(window: MainWindow) -> None:
    window.context.documents.open_text("# D\n## Main\n### Steps\n- a\n  - b\n- c\n")
    source = window.centre.source
    window.activateWindow()
    source.editor.setFocus()
    put_caret(source, "- c")
    press(source, Qt.Key.Key_Up, _ALT)
    assert text_of(source).endswith("- a\n- c\n  - b\n")
    press(source, Qt.Key.Key_D, _CTRL)
    assert source.editor.textCursor().selectedText() == "c"
    assert text_of(source).count("- c") == 1
    press(source, Qt.Key.Key_Down, _CTRL | _ALT)
    assert window.status.place_label.text() == "Ln 6, Col 4 · 2 carets"
    press(source, Qt.Key.Key_Escape)
    assert "caret" not in window.status.place_label.text()
