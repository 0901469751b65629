"""The guide in the window: F1 wherever one is, pages with links and examples, search, printing, a report."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest
from PySide6.QtCore import Qt, QUrl
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication, QDialog, QListView, QWidget
from pytestqt.qtbot import QtBot

import workbench.gui
from workbench import __version__
from workbench.gui.assist.told_tip import ToldTip
from workbench.gui.control.action_table import ACTIONS
from workbench.gui.control.keys.keymap import with_keys
from workbench.gui.control.pane_table import PANES
from workbench.gui.help.help_panel import HelpPanel
from workbench.gui.problems.problems_panel import ProblemsPanel
from workbench.gui.shell.helping.shown_help import DIALOGS, HelpDialog, ProblemReportDialog
from workbench.gui.shell.main_window import MainWindow
from workbench.help.pages import LINK, example, guide_page, page_names
from workbench.help.topics import topic_of
from workbench.i18n import LANGUAGES, use_language
from workbench.model.checks.rules import rule_page

TEXT = "# Desk\n\n## Main\n\n### Steps\n\n- $n = 1\n- Repeat 3 times\n  - $n = $n + 1\n- Call Nobody()\n"


@pytest.fixture
def opened(qtbot: QtBot, window: MainWindow) -> MainWindow:
    """The real window, in front, with a playbook."""
    window.context.documents.open_text(TEXT)
    window.activateWindow()
    qtbot.waitActive(window)
    return window


def guide(window: MainWindow) -> HelpPanel:
    """The pane with the guide."""
    panel = window.panes.panel("help")
    assert isinstance(panel, HelpPanel)
    return panel


def shown(panel: HelpPanel) -> str:
    """The name of the section that *panel* shows."""
    page = panel.view.page
    assert page is not None
    assert panel.topic is not None
    return page.sections[panel.topic.section].name


def press_f1(qtbot: QtBot, window: MainWindow, widget: QWidget) -> str:
    """What F1 explains while *widget* has the keys."""
    widget.setFocus()
    qtbot.keyClick(widget, Qt.Key.Key_F1)
    return shown(guide(window))


def tip_of(window: MainWindow) -> ToldTip | None:
    """What is told in *window* at the moment."""
    return next((tip for tip in window.findChildren(ToldTip) if tip.isVisible()), None)


def test_a_key_tells_what_the_pointer_would_be_told(qtbot: QtBot, opened: MainWindow) -> None:
    context, view, editor = opened.context, opened.centre.canvas.view, opened.centre.source.editor
    said: list[str] = []
    opened.announcer.announced.connect(said.append)

    def press(widget: QWidget) -> str:
        widget.setFocus()
        qtbot.keyClick(widget, Qt.Key.Key_I, Qt.KeyboardModifier.ControlModifier)
        tip = tip_of(opened)
        return tip.toPlainText() if tip is not None else ""

    qtbot.waitUntil(lambda: context.documents.snapshot.is_diagnosed)
    assert press(view) == ""  # nothing is selected
    assert said[-1].startswith("Nothing is told here")
    context.selection.select((context.documents.snapshot.program.playbooks[0].steps[2].id,))
    assert press(view).startswith("03  Call\nCall Nobody()\n")  # and what is wrong with it
    qtbot.waitUntil(lambda: said[-1].startswith("03  Call"))
    qtbot.keyClick(view, Qt.Key.Key_Escape)
    assert (tip_of(opened), context.selection.selected != ()) == (None, True)
    editor.place_caret(TEXT.index("$n + 1"))
    words = press(editor)
    assert words.startswith("$n: number\nSet in ")
    assert press(editor) == words
    tip = tip_of(opened)
    assert tip is not None and tip.hasFocus()  # for who wants to scroll
    qtbot.keyClick(tip, Qt.Key.Key_Escape)
    assert (tip_of(opened), editor.hasFocus()) == (None, True)
    editor.place_caret(TEXT.index("3 times"))
    assert "Main:02 · Loop" in press(editor)  # off any word that is known: what the step does
    qtbot.keyClick(editor, Qt.Key.Key_Right)
    assert tip_of(opened) is None
    palette = opened.panes.panel("palette").findChild(QListView)
    palette.setCurrentIndex(palette.model().index(0, 0))
    assert press(palette).endswith("Drag onto the flowchart")  # the tip of any row


def test_f1_explains_the_block_the_caret_the_finding_and_the_pane(qtbot: QtBot, opened: MainWindow) -> None:
    context, canvas, editor = opened.context, opened.centre.canvas, opened.centre.source.editor
    loop = context.documents.snapshot.program.playbooks[0].steps[1]
    context.selection.select((loop.id,), "canvas")
    assert press_f1(qtbot, opened, canvas) == "repeat"
    assert guide(opened).view.hasFocus()
    qtbot.keyClick(guide(opened).view, Qt.Key.Key_Escape)
    assert canvas.isAncestorOf(QApplication.focusWidget()) or canvas.hasFocus()
    editor.place_caret(TEXT.index("Main"))
    assert press_f1(qtbot, opened, editor) == "playbook-heading"
    problems = opened.panes.panel("problems")
    assert isinstance(problems, ProblemsPanel)
    opened.panes.bring_forward("problems")
    qtbot.waitUntil(lambda: problems.model.rowCount() > 0)
    problems.list.setCurrentIndex(problems.model.index(0, 0))
    assert press_f1(qtbot, opened, problems.list) == "unknown-call"
    editor.place_caret(TEXT.index("Nobody") + 2)
    assert press_f1(qtbot, opened, editor) == "unknown-call"
    assert press_f1(qtbot, opened, opened.panes.panel("outline").focusProxy() or opened.panes.panel("outline")) in (
        "pane-outline"
    )


def test_f1_in_a_dialog_explains_it_beside_it(qtbot: QtBot, opened: MainWindow) -> None:
    opened.context.actions.action("run.breakpoints").trigger()
    dialog = QApplication.activeModalWidget()
    assert isinstance(dialog, QDialog)
    qtbot.waitUntil(lambda: dialog.focusWidget() is not None and dialog.isActiveWindow())
    qtbot.keyClick(dialog.focusWidget(), Qt.Key.Key_F1)
    beside = dialog.findChild(HelpDialog)
    assert isinstance(beside, HelpDialog)
    assert shown(beside.panel) == "breakpoints"
    qtbot.keyClick(beside.panel.view, Qt.Key.Key_Escape)
    assert not beside.isVisible()
    dialog.reject()


def test_links_lead_on_and_the_way_back_is_kept(qtbot: QtBot, opened: MainWindow) -> None:
    opened.context.help.explain("loops")
    panel = guide(opened)
    panel.view.anchorClicked.emit(QUrl("help:expressions"))
    panel.view.anchorClicked.emit(QUrl("help:endless-loop"))
    assert shown(panel) == "endless-loop"
    qtbot.keyClick(panel.view, Qt.Key.Key_Left, Qt.KeyboardModifier.AltModifier)
    assert shown(panel) == "expressions"
    assert panel.view.place > 0
    panel.back.click()
    assert shown(panel) == "loops"
    assert not panel.back.isEnabled()
    panel.forward.click()
    assert shown(panel) == "expressions"
    panel.view.anchorClicked.emit(QUrl("https://example.org/"))
    assert shown(panel) == "expressions"
    assert panel.view.loadResource(2, QUrl("https://example.org/a.png")) is None


def test_an_example_opens_as_a_new_document(opened: MainWindow) -> None:
    opened.context.help.explain("if")
    guide(opened).view.anchorClicked.emit(QUrl("copy:0"))
    assert QGuiApplication.clipboard().text() == example("if.md").text
    guide(opened).view.anchorClicked.emit(QUrl("open:0"))
    state = opened.context.documents.file_state
    assert state.path is None
    assert opened.context.documents.snapshot.text == example("if.md").text


def test_the_examples_of_a_rule_open_as_new_documents(opened: MainWindow) -> None:
    opened.context.help.explain("unknown-call")
    page = rule_page("unknown-call")
    assert page is not None
    for place, text in enumerate((page.before, page.after)):
        guide(opened).view.anchorClicked.emit(QUrl(f"open:{place}"))
        documents = opened.context.documents
        assert (documents.snapshot.text, documents.file_state.path) == (text, None)


def test_the_search_lists_sections_and_enter_opens_the_first(qtbot: QtBot, opened: MainWindow) -> None:
    panel = guide(opened)
    opened.context.help.explain("contents")
    panel.field.setFocus()
    qtbot.keyClicks(panel.field, "for each")
    qtbot.keyClick(panel.field, Qt.Key.Key_Return)
    assert shown(panel) == "for-each"
    panel.field.setText("xylophone")
    panel.search()
    assert panel.results.count() == 1
    qtbot.keyClick(panel.results, Qt.Key.Key_Escape)
    assert panel.pages.currentWidget() is panel.view


def test_words_are_found_in_the_page(qtbot: QtBot, opened: MainWindow) -> None:
    opened.context.help.explain("loops")
    panel = guide(opened)
    qtbot.keyClick(panel.view, Qt.Key.Key_F, Qt.KeyboardModifier.ControlModifier)
    assert panel.find_row.field.hasFocus()
    qtbot.keyClicks(panel.find_row.field, "break")
    assert panel.view.textCursor().selectedText().casefold() == "break"
    assert len(panel.view.extraSelections()) == 3
    first = panel.view.textCursor().position()
    panel.find_row.find_back()
    panel.find_row.find_next()
    assert panel.view.textCursor().position() == first
    qtbot.keyClick(panel.find_row.field, Qt.Key.Key_Escape)
    assert panel.view.extraSelections() == []


def test_keys_and_names_are_those_of_the_window(opened: MainWindow) -> None:
    opened.context.help.explain("keys")
    assert "Ctrl+Shift+F9" not in guide(opened).view.toPlainText()
    opened.context.settings.change(lambda settings: with_keys(settings, "run.start", ("Ctrl+Shift+F9",)))
    assert "Ctrl+Shift+F9" in guide(opened).view.toPlainText()
    opened.context.help.explain("runs")
    assert guide(opened).view.toPlainText().splitlines()[1].startswith("Ctrl+Shift+F9 runs the open playbook")
    assert "Fork from here…" in guide(opened).view.toPlainText()


def test_a_page_has_the_size_of_the_text_and_is_printed(opened: MainWindow, tmp_path: Path) -> None:
    opened.context.help.explain("loops")
    panel = guide(opened)
    before = panel.view.document().defaultFont().pixelSize()
    opened.context.actions.action("view.text-larger").trigger()
    assert panel.view.document().defaultFont().pixelSize() > before
    panel.print_button.click()
    assert panel.printer.paper is not None
    panel.printer.paper.setOutputFileName(str(tmp_path / "page.pdf"))
    dialog = panel.findChild(QDialog)
    assert isinstance(dialog, QDialog)
    dialog.done(QDialog.DialogCode.Accepted)
    assert (tmp_path / "page.pdf").read_bytes().startswith(b"%PDF")


def test_a_report_has_the_versions(opened: MainWindow) -> None:
    opened.context.actions.action("help.report").trigger()
    dialog = opened.findChild(ProblemReportDialog)
    assert isinstance(dialog, ProblemReportDialog)
    dialog.copy_button.click()
    said = QGuiApplication.clipboard().text()
    assert said.startswith(f"Playbook Workbench {__version__}\nPython 3")
    assert str(opened.context.places.log_dir) in said
    assert "Desk" not in said
    dialog.reject()


@pytest.mark.parametrize("language", sorted(LANGUAGES))
def test_pages_name_keys_and_commands_as_the_table_has_them(language: str) -> None:
    use_language(language)
    try:
        specs = {spec.id: spec for spec in ACTIONS}
        links = [match for name in page_names() for match in LINK.finditer(guide_page(name, language).text)]
        wrong = [
            link[0]
            for link in links
            if (link["kind"] == "key" and link["words"] not in specs[link["target"]].shortcuts)
            or (link["kind"] == "name" and link["words"] != str(specs[link["target"]].text).replace("&", ""))
        ]
        assert wrong == []
    finally:
        use_language("en")


def test_every_pane_and_every_dialog_has_a_topic() -> None:
    names = [f"pane-{pane.id}" for pane in PANES] + list(DIALOGS.values())
    assert [name for name in names if topic_of(name) is None] == []
    folder = Path(workbench.gui.__file__).parent
    trees = [ast.parse(path.read_text("utf-8")) for path in folder.rglob("*.py") if "(QDialog)" in path.read_text()]
    classes = [node for tree in trees for node in ast.walk(tree) if isinstance(node, ast.ClassDef)]
    dialogs = {each.name for each in classes if any(ast.unparse(base) == "QDialog" for base in each.bases)}
    assert dialogs == set(DIALOGS)


def test_the_pane_begins_with_the_contents_when_it_is_opened_by_hand(qtbot: QtBot, opened: MainWindow) -> None:
    assert guide(opened).view.page is None
    opened.context.actions.action("pane.help").trigger()
    qtbot.waitUntil(lambda: guide(opened).view.page is not None)
    assert shown(guide(opened)) == "contents"
