"""Operations on steps: in the menu, on the block and under Ctrl+., previewed as edits, each one undo."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QMenu
from pytestqt.qtbot import QtBot

from workbench.gui.fixes.fix_preview import FixPreview, LineSign
from workbench.gui.fixes.operations import OperationAction
from workbench.gui.shell.main_window import MainWindow

TEXT = "# Desk\n## Main\n### Steps\n- If $x > 3\n  - Tell user {$x}\n- Otherwise\n  - Look around\n- $y = 1; $x = 2\n"


def open_text(window: MainWindow, text: str = TEXT) -> None:
    """Show *text*."""
    window.context.documents.open_text(text)


def text_of(window: MainWindow) -> str:
    """The text of the document."""
    return window.context.documents.snapshot.text


def select(window: MainWindow, address: str) -> None:
    """Select the step at *address* on the flowchart."""
    step = window.context.documents.snapshot.at_address(address)
    assert step is not None
    window.context.selection.select((step.id,), "test")


def preview_of(window: MainWindow) -> FixPreview:
    """The preview that is open."""
    (found,) = [each for each in window.findChildren(FixPreview) if each.isVisible()]
    return found


def test_the_key_offers_what_can_be_done_and_previews_it(qtbot: QtBot, window: MainWindow) -> None:
    open_text(window)
    source = window.centre.source
    source.editor.setFocus()
    source.editor.place_caret(source.sync.positions.position(TEXT.index("If $x")))
    menu = source.findings.offer_fixes()
    assert isinstance(menu, QMenu)
    titles = [action.text().replace("&", "") for action in menu.actions() if isinstance(action, OperationAction)]
    assert titles == ["Disable", "Invert condition", "Swap branches"]
    next(action for action in menu.actions() if action.text() == "S&wap branches").trigger()
    menu.close()
    preview = preview_of(window)
    assert next(line.text for line in preview.lines if line.sign is LineSign.COMES) == "- If $x <= 3"
    before = window.context.documents.snapshot.at_address("Main:01.01")
    qtbot.keyClick(preview, Qt.Key.Key_Return)
    assert "- If $x <= 3\n  - Look around\n- Otherwise\n  - Tell user" in text_of(window)
    assert before is not None
    assert window.context.documents.snapshot.number(before.id) == "02.01"
    assert window.context.documents.document.undo_label == "Swap branches"
    window.context.actions.trigger("edit.undo")
    assert text_of(window) == TEXT


def test_the_menu_of_a_block_says_why_an_operation_cannot_be_done(window: MainWindow) -> None:
    open_text(window)
    select(window, "Main:03")
    menu = window.centre.canvas.tools.menu.menu()
    (inner,) = [each for each in menu.findChildren(QMenu) if each.title() == "Operations"]
    actions = {each.offer.spec.id: each for each in inner.actions() if isinstance(each, OperationAction)}
    assert actions["operation.split"].isEnabled()
    assert not actions["operation.swap"].isEnabled()
    assert "not a branch" in actions["operation.swap"].toolTip()
    actions["operation.split"].trigger()
    preview_of(window).apply()
    assert "- $y = 1\n- $x = 2\n" in text_of(window)
    menu.deleteLater()


def test_steps_are_disabled_and_enabled_by_the_actions_of_the_window(window: MainWindow) -> None:
    open_text(window)
    select(window, "Main:02.01")
    window.context.actions.trigger("operation.disable")
    assert "  <!-- disabled\n  - Look around\n  -->\n" in text_of(window)
    select(window, "Main:02")
    window.context.actions.trigger("operation.enable")
    assert text_of(window) == TEXT
    assert window.menuBar() is not None


def test_an_extracted_playbook_is_named_at_once(window: MainWindow) -> None:
    open_text(window)
    select(window, "Main:02.01")
    window.context.actions.trigger("operation.extract")
    assert text_of(window).endswith("## LookAround()\n### Steps\n- Look around\n")
    assert window.centre.canvas.tools.writing.editor.isVisible()
    assert window.centre.canvas.tools.writing.editor.toPlainText() == "LookAround"


def test_an_otherwise_is_added_with_words_to_be_written(window: MainWindow) -> None:
    open_text(window, TEXT.replace("- Otherwise\n  - Look around\n", ""))
    select(window, "Main:01")
    window.context.actions.trigger("operation.add-otherwise")
    assert "- Otherwise\n  - Do something\n" in text_of(window)
    assert window.centre.canvas.tools.writing.editor.toPlainText() == "Do something"
