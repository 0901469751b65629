"""Searching the project, going to places and back, and other names, in the real window."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest
from PySide6.QtCore import QModelIndex, Qt
from PySide6.QtWidgets import QInputDialog, QTreeView, QTreeWidgetItem, QWidget
from pytestqt.qtbot import QtBot

from workbench.editing.commands import EditText, RenamePlaybook
from workbench.gui.canvas.palette_panel import PalettePanel
from workbench.gui.look.tag_button import TagButton
from workbench.gui.outline.outline_panel import OutlinePanel
from workbench.gui.search.search_panel import SearchPanel
from workbench.gui.shell.go_actions import best, line_goals, step_goals
from workbench.gui.shell.main_window import MainWindow
from workbench.gui.source.breadcrumbs import Breadcrumbs
from workbench.model.snapshot import derive
from workbench.syntax.change import TextEdit
from workbench.syntax.text import SourceText, Span

CONTROL, ALT, SHIFT = (
    Qt.KeyboardModifier.ControlModifier,
    Qt.KeyboardModifier.AltModifier,
    Qt.KeyboardModifier.ShiftModifier,
)
DESK = "# Desk\n## Main\n- $total = Count($order)\n- Tell user $total\n!import part.md\n"
STEPS = "# Desk\n## Main\n- If $x > 1\n  - Tell user $x\n- End program\n"
PART = "## Count($order)\n- $total = 3\n- Return $total\n"


@pytest.fixture
def project(tmp_path: Path) -> Path:
    root = tmp_path / "project"
    root.mkdir()
    (root / "desk.md").write_text(DESK)
    (root / "part.md").write_text(PART)
    (root / "other.md").write_text("# Other\n## Main\n- $total = 1\n- Count it\n")
    return root


@pytest.fixture
def opened(window: MainWindow, project: Path) -> MainWindow:
    window.files.open_path(project / "desk.md")
    return window


def text_of(window: MainWindow) -> str:
    return window.context.documents.snapshot.text


def place(window: MainWindow, words: str) -> None:
    """Put the caret on *words* in the source."""
    at = text_of(window).index(words)
    window.context.selection.show_text(Span(at, at))


def at_caret(window: MainWindow) -> str:
    """The rest of the line behind the caret."""
    caret = window.context.selection.caret
    return text_of(window)[caret.start :].split("\n")[0]


def panel_of(window: MainWindow) -> SearchPanel:
    panel = window.panes.panel("search")
    assert isinstance(panel, SearchPanel)
    return panel


def shown(panel: SearchPanel) -> list[str]:
    """All rows of the tree, with their second column where there is one."""

    def walk(item: QTreeWidgetItem) -> list[str]:
        below = [row for at in range(item.childCount()) for row in walk(item.child(at))]
        return [" => ".join(filter(None, (item.text(0), item.text(1)))), *below]

    tree = panel.tree
    return [row for at in range(tree.topLevelItemCount()) for row in walk(tree.topLevelItem(at))]


def test_the_project_is_searched_and_changed_file_by_file(opened: MainWindow, qtbot: QtBot, project: Path) -> None:
    panel, search = panel_of(opened), opened.context.search
    opened.context.actions.trigger("edit.find-files")
    assert panel.nothing.title.text() == "Search the project"
    panel.field.setText("$total")
    with qtbot.waitSignal(search.ended):
        qtbot.keyClick(panel.field, Qt.Key.Key_Return)
    assert panel.told.text() == "5 matches in 3 files"
    assert shown(panel)[:4] == [
        "desk.md  ·  2 matches",
        "Main",
        "Main:01  - $total = Count($order)",
        "Main:02  - Tell user $total",
    ]
    panel.tree.itemClicked.emit(panel.tree.topLevelItem(1).child(0).child(0), 0)
    assert opened.context.documents.document.path == project / "other.md" and at_caret(opened) == "$total = 1"
    opened.context.actions.trigger("go.back")
    assert opened.context.documents.document.path == project / "desk.md"
    panel.replacement.setText("$sum")
    panel.replacement.textEdited.emit("$sum")
    assert "Main:02  - Tell user $total => - Tell user $sum" in shown(panel)
    panel.tree.topLevelItem(1).setCheckState(0, Qt.CheckState.Unchecked)
    panel.apply.click()
    assert text_of(opened) == DESK.replace("$total", "$sum") == (project / "desk.md").read_text()
    assert (project / "part.md").read_text() == PART.replace("$total", "$sum")
    assert "$total" in (project / "other.md").read_text()
    assert opened.context.documents.document.undo_label == "Replace in files"
    assert panel.nothing.title.text() == "Changed 4 places in 2 files"
    panel.undo.click()
    assert (project / "desk.md").read_text() == DESK and (project / "part.md").read_text() == PART
    qtbot.waitUntil(lambda: not search.is_searching)


def test_files_that_changed_meanwhile_are_refused(opened: MainWindow, qtbot: QtBot, project: Path) -> None:
    panel, search = panel_of(opened), opened.context.search
    panel.replacement.setText("x")
    panel.field.setText("$total")
    with qtbot.waitSignal(search.ended):
        panel.search()
    (project / "part.md").write_text("other")
    panel.apply.click()
    assert text_of(opened) == DESK == (project / "desk.md").read_text()
    assert "changed meanwhile" in opened.banners.banners[0].notice.text


def test_names_are_followed_listed_and_changed_everywhere(opened: MainWindow, qtbot: QtBot, project: Path) -> None:
    panel, names = panel_of(opened), opened.context.names
    place(opened, "Count(")
    opened.centre.source.setFocus()
    qtbot.keyClick(opened.focusWidget(), Qt.Key.Key_F12)
    qtbot.waitUntil(lambda: opened.context.documents.document.path == project / "part.md")
    assert at_caret(opened) == "Count($order)"
    with qtbot.waitSignal(names.usages_found):
        opened.context.actions.trigger("go.usages")
    assert panel.told.text() == "Usages of Count: 2 places in 2 files"
    assert not panel.apply.isVisibleTo(panel)
    place(opened, "$total = 3")
    opened.context.actions.trigger("edit.rename-symbol")
    dialog = next(each for each in opened.findChildren(QInputDialog) if each.isVisible())
    dialog.setTextValue("$sum")
    with qtbot.waitSignal(names.renaming_planned):
        dialog.accept()
    assert panel.apply.text() == "Rename $total to $sum"
    assert "Count:01  - $total = 3 => - $sum = 3" in shown(panel)
    panel.apply.click()
    assert (project / "desk.md").read_text() == DESK.replace("$total", "$sum")
    assert (project / "part.md").read_text() == PART.replace("$total", "$sum")
    assert "$total" in (project / "other.md").read_text()


def test_calls_in_other_folders_name_a_parameter_by_its_new_name(
    opened: MainWindow, qtbot: QtBot, project: Path
) -> None:
    far = "# Far\n## Main\n- $x = Desk.Count(order=1)\n!import ../desk.md\n"
    (project / "far").mkdir()
    (project / "far" / "far.md").write_text(far)
    opened.context.settings.change(partial(replace, project_folder=str(project)))
    opened.files.open_path(project / "part.md")
    place(opened, "$order")
    panel, names = panel_of(opened), opened.context.names
    symbol = names.symbol
    assert symbol is not None
    with qtbot.waitSignal(names.renaming_planned):
        names.plan_renaming(symbol, "$id")
    assert "Main:01  - $x = Desk.Count(order=1) => - $x = Desk.Count(id=1)" in shown(panel)
    panel.apply.click()
    assert (project / "far" / "far.md").read_text() == far.replace("order", "id")
    assert (project / "desk.md").read_text() == DESK.replace("$order", "$id")


def test_files_that_call_what_was_renamed_on_the_flowchart_are_shown(
    opened: MainWindow, qtbot: QtBot, project: Path
) -> None:
    opened.files.open_path(project / "part.md")
    names, panel = opened.context.names, panel_of(opened)
    opened.context.documents.execute(RenamePlaybook("Count", "Tally"))
    with qtbot.waitSignal(names.renaming_planned):
        pass
    assert panel.apply.text() == "Rename Count to Tally"
    assert shown(panel) == [
        "desk.md  ·  1 match", "Main", "Main:01  - $total = Count($order) => - $total = Tally($order)"
    ]  # fmt: skip
    assert (project / "desk.md").read_text() == DESK, "nothing is changed unasked"
    panel.apply.click()
    assert (project / "desk.md").read_text() == DESK.replace("Count", "Tally")
    assert text_of(opened) == PART.replace("Count", "Tally")


def test_one_goes_to_lines_and_steps_and_back_and_forward(opened: MainWindow, qtbot: QtBot) -> None:
    palette = opened.go.palette
    qtbot.keyClick(opened.focusWidget(), Qt.Key.Key_G, CONTROL)
    assert palette.field.text() == ":"
    palette.field.setText(":4:3")
    palette.field.textEdited.emit(":4:3")
    qtbot.keyClick(palette.field, Qt.Key.Key_Return)
    assert at_caret(opened) == "Tell user $total"
    assert opened.centre.source.editor.hasFocus()
    qtbot.keyClick(opened.focusWidget(), Qt.Key.Key_T, CONTROL)
    palette.field.setText("@count order")
    palette.field.textEdited.emit("@count order")
    qtbot.keyClick(palette.field, Qt.Key.Key_Return)
    assert at_caret(opened) == "$total = Count($order)"
    qtbot.keyClick(opened.focusWidget(), Qt.Key.Key_Left, CONTROL | ALT)
    assert at_caret(opened) == "Tell user $total"
    qtbot.keyClick(opened.focusWidget(), Qt.Key.Key_Right, CONTROL | ALT)
    assert at_caret(opened) == "$total = Count($order)"


def test_a_line_that_is_not_there_is_the_last_one_and_words_are_no_line() -> None:
    snapshot = derive(SourceText(DESK))
    (goal,) = line_goals(snapshot, "999")
    assert goal.span == Span(len(DESK), len(DESK))
    (goal,) = line_goals(snapshot, "2:99")
    assert goal.span == Span(DESK.index("\n- "), DESK.index("\n- "))
    assert not list(line_goals(snapshot, "x")) and not list(line_goals(snapshot, "0"))
    goals = list(step_goals(snapshot))
    assert [goal.words for goal in best("tell", goals)] == ["Tell user $total"]
    assert len(list(best("", goals))) == len(goals) and not list(best("zzz", goals))


def test_the_line_above_the_source_says_where_the_caret_is(window: MainWindow) -> None:
    window.context.documents.open_text(
        "# Desk\n## Main\n- If $x > 1\n  - Tell user $x\n- End program\n## Other\n- Wait\n"
    )
    crumbs = window.findChild(Breadcrumbs)
    assert crumbs is not None

    def told() -> list[str]:
        return [button.text() for button in crumbs.buttons if not button.isHidden()]

    place(window, "user")
    assert told() == ["Main", "If $x > 1", "Tell user $x"]
    crumbs.buttons[1].click()
    assert at_caret(window) == "If $x > 1" and told() == ["Main", "If $x > 1"]
    place(window, "Wait")
    assert told() == ["Other", "Wait"]
    window.context.documents.execute(RenamePlaybook("Other", "Another"))
    assert told() == ["Another", "Wait"]


def test_the_line_above_the_source_is_empty_where_the_caret_is_in_nothing(window: MainWindow) -> None:
    window.context.documents.open_text("---\ntitle: A\n---\n\n# A\n\n## Main\n\n- Do it\n")
    crumbs = window.centre.findChild(Breadcrumbs)
    assert isinstance(crumbs, Breadcrumbs)
    shown = [each for each in crumbs.findChildren(QWidget) if each.isVisibleTo(crumbs)]
    assert shown == [crumbs.buttons[0]]


def test_outline_palette_and_problems_are_filtered(window: MainWindow, qtbot: QtBot) -> None:
    window.context.documents.open_text(STEPS)
    outline, palette = window.panes.panel("outline"), window.panes.panel("palette")
    assert isinstance(outline, OutlinePanel) and isinstance(palette, PalettePanel)
    outline.filter.setText("TELL user")
    outline.filter.apply()
    assert outline.tree.model().index(0, 0).isValid()
    assert shown_rows(outline.tree) == ["Main", "If $x > 1", "Tell user $x"]
    window.context.documents.execute(
        EditText((TextEdit(Span(len(text_of(window)), len(text_of(window))), "- Tell user 2\n"),))
    )
    qtbot.waitUntil(lambda: shown_rows(outline.tree)[-1] == "Tell user 2")
    outline.filter.clear()
    outline.filter.apply()
    assert "End program" in shown_rows(outline.tree)
    palette.filter.setText("each")
    palette.filter.apply()
    rows = range(palette.list.count())
    assert [palette.list.item(row).text() for row in rows if not palette.list.isRowHidden(row)] == ["For each"]


TAGGED = """# Desk
tags: desk

## Main
### Steps
<!-- #review -->
- If $x > 1
  - Tell user one
- Tell user two <!-- #later -->
"""


def choose(button: TagButton, tag: str) -> list[str]:
    """Choose *tag* from the list of *button*; what the list shows."""
    button.list.aboutToShow.emit()
    entries = button.list.actions()
    next(each for each in entries if each.data() == tag).trigger()
    return [each.text() for each in entries]


def test_outline_and_find_bar_show_only_what_has_a_tag(window: MainWindow) -> None:
    window.context.documents.open_text(TAGGED)
    outline = window.panes.panel("outline")
    assert isinstance(outline, OutlinePanel)
    entries = choose(outline.tags, "review")
    assert entries == ["With or without tags", "#desk\t1", "#later\t1", "#review\t1"]
    outline.filter.apply()
    assert shown_rows(outline.tree) == ["Main", "If $x > 1", "Tell user one"]
    outline.filter.setText("two #desk")
    outline.filter.textEdited.emit("two #desk")
    outline.filter.apply()
    assert (shown_rows(outline.tree), outline.tags.tag) == (["Main", "Tell user two"], "")
    window.find_bar.open()
    window.find_bar.field.setText("tell")
    choose(window.find_bar.tags, "review")
    assert window.find_bar.count.text() == "1 of 1"
    window.find_bar.field.setText("")
    choose(window.find_bar.tags, "later")
    assert len(window.context.find.found.matches) == 1
    window.context.find.go_on()
    assert at_caret(window).startswith("Tell user two")
    window.find_bar.close_bar()
    assert window.context.find.query.is_empty


def shown_rows(tree: QTreeView) -> list[str]:
    """The words of all rows of *tree* that are not hidden."""

    def below(above: QModelIndex) -> list[str]:
        found = []
        for row in range(tree.model().rowCount(above)):
            index = tree.model().index(row, 0, above)
            found += [] if tree.isRowHidden(row, above) else [str(index.data()), *below(index)]
        return found

    return below(QModelIndex())
