"""Foreign text is shown as text: no markup, nothing that steers, nothing that nobody sees, whatever shows it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QAbstractItemModel, QAbstractListModel, QModelIndex, Qt
from PySide6.QtGui import QTextDocument
from PySide6.QtWidgets import QAbstractButton, QAbstractItemView, QApplication, QComboBox, QLabel, QMessageBox, QWidget
from pytestqt.qtbot import QtBot

from workbench.editing.commands import EditText
from workbench.gui.control.notices import Cause, Notice, NoticeKind
from workbench.gui.control.pane_table import PANES
from workbench.gui.files.project_panel import ProjectPanel
from workbench.gui.look.label import Label
from workbench.gui.problems.problems_panel import ProblemsPanel
from workbench.gui.runs.asked_before import TrustDialog
from workbench.gui.shell.main_window import MainWindow
from workbench.gui.words.values import drawable, tip
from workbench.syntax.change import TextEdit
from workbench.syntax.text import Span
from workbench.visible import hidden

NASTY = '<h1>Approved</h1><img src="pink.png"> \u202egnp \x1b[31m \u200bx & y'
PLAYBOOK = f"""\
# Desk {NASTY}
About {NASTY}
```python
@playbook
def look():
    return '''{NASTY}'''
```
## Main
### Steps
- Tell user "{NASTY}"
- $name = "{NASTY}"
- $found = look()
- If {NASTY} is nice
  - Nobody{NASTY}()
- Ask user for $y {NASTY}
### Notes
- {NASTY}
"""
STEP_LIST = f"""\
id: chores
name: {NASTY!r}
steps:
  - id: one
    description: {NASTY!r}
    hints: [{NASTY!r}]
    expected_tools: [{NASTY!r}, sweep]
  - id: one
    description: {NASTY!r}
    {NASTY!r}: 3
"""
RUNNING = f"""\
# Desk {NASTY}
## Main
### Steps
- $name = "{NASTY}"
- Tell user "{{$name}}"
- Ask user for $y {NASTY}
- Go to step 99
"""


def all_widgets() -> Iterator[QWidget]:
    """Every widget of the program, hidden ones too."""
    for top in QApplication.topLevelWidgets():
        yield top
        yield from top.findChildren(QWidget)


def cells(model: QAbstractItemModel, parent: QModelIndex | None = None, depth: int = 0) -> Iterator[QModelIndex]:
    """Every cell of *model*, with those inside others."""
    inside = QModelIndex() if parent is None else parent
    for row in range(min(model.rowCount(inside), 50)):
        columns = 1 if isinstance(model, QAbstractListModel) else model.columnCount(inside)
        for column in range(columns):
            index = model.index(row, column, inside)
            yield index
            if column == 0 and depth < 4:
                yield from cells(model, index, depth + 1)


def said(widget: QWidget) -> Iterator[tuple[str, Any]]:
    """What *widget* shows, with the name of where."""
    yield "tooltip", widget.toolTip()
    yield "title", widget.windowTitle()
    yield "name", widget.accessibleName()
    if isinstance(widget, QLabel):
        yield "label", widget.text()
    if isinstance(widget, QAbstractButton):
        yield "text", widget.text()
    if isinstance(widget, QMessageBox):
        yield "text", widget.text()
    for action in widget.actions():
        yield from (("text", action.text()), ("tooltip", action.toolTip()))
    model = widget.model() if isinstance(widget, QAbstractItemView | QComboBox) else None
    for index in cells(model) if model is not None else ():
        yield "cell", index.data(Qt.ItemDataRole.DisplayRole)
        yield "tooltip", index.data(Qt.ItemDataRole.ToolTipRole)
        yield "name", index.data(Qt.ItemDataRole.AccessibleTextRole)


def faults() -> list[str]:
    """Every place that shows text of the file as something else."""
    found = []
    for widget in all_widgets():
        where = f"{type(widget).__name__} in {type(widget.parent()).__name__}"
        is_markup = isinstance(widget, QLabel) and not isinstance(widget, Label) and "<" in widget.text()
        if is_markup and widget.textFormat() is not Qt.TextFormat.PlainText:
            found.append(f"{where}: may show markup: {widget.text()!r}")
        for kind, text in said(widget):
            if not isinstance(text, str):
                continue
            if list(hidden(text)):
                found.append(f"{where}: {kind} hides something: {text!r}")
            if kind == "tooltip" and "<h1>" in text:
                found.append(f"{where}: tooltip with markup: {text!r}")
    return found


def opened(window: MainWindow, qtbot: QtBot, path: Path, text: str) -> None:
    """Open *text* as *path*, with every pane filled and a step chosen."""
    path.write_text(text, encoding="utf-8")
    window.files.open_path(path)
    window.files.show_folder(path.parent)
    for pane in PANES:
        window.panes.panel(pane.id)
    window.context.selection.select(tuple(window.context.documents.snapshot.where)[:1])
    window.context.notices.noticed.emit(Notice(NoticeKind.ERROR, f"Could not read {NASTY}", Cause.PERSON))
    window.context.notices.tell(f"Saved {NASTY}")
    problems = window.panes.panel("problems")
    assert isinstance(problems, ProblemsPanel)
    qtbot.waitUntil(lambda: problems.model.rowCount() > 0)
    project = window.panes.panel("project")
    assert isinstance(project, ProjectPanel)
    qtbot.waitUntil(lambda: project.tree.model().rowCount(project.tree.rootIndex()) > 0)


@pytest.mark.parametrize(("ending", "text"), [("md", PLAYBOOK), ("yaml", STEP_LIST)])
def test_no_pane_shows_text_of_a_file_as_anything_but_text(
    ending: str, text: str, window: MainWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    opened(window, qtbot, tmp_path / f"<b>x\u202e & [*].{ending}", text)
    assert faults() == []


def test_no_pane_shows_what_a_run_says_as_anything_but_text(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    opened(window, qtbot, tmp_path / "run <b>.md", RUNNING)
    window.context.runs.start()
    qtbot.waitUntil(lambda: window.context.runs.request is not None)
    qtbot.wait(50)
    assert faults() == []


def test_a_file_is_named_as_text_where_its_changes_might_be_lost(
    window: MainWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    opened(window, qtbot, tmp_path / "<b>x\u202e.md", PLAYBOOK)
    window.context.documents.execute(EditText((TextEdit(Span(0, 0), "x"),)))
    window.close()
    assert faults() == []


def test_code_is_shown_with_signs_where_a_person_allows_it(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    opened(window, qtbot, tmp_path / "code.md", PLAYBOOK)
    window.context.runs.start()
    dialog = next(each for each in QApplication.topLevelWidgets() if isinstance(each, TrustDialog))
    assert "⟨U+202E⟩gnp" in dialog.code.toPlainText()
    assert faults() == []


@pytest.mark.parametrize("text", ["<b>bold</b>", "a & b", "x" * 300, "a < b", "two\nlines", "<img src=x>\nmore"])
def test_a_tooltip_says_its_text_to_the_letter(text: str) -> None:
    document = QTextDocument()
    shown = tip(text)
    document.setHtml(shown) if shown.startswith("<p ") else document.setPlainText(shown)
    assert document.toPlainText() == text


def test_bytes_that_are_no_characters_have_a_stand_in() -> None:
    assert drawable("caf\udce9 \x1b") == "caf\ufffd ⟨U+001B⟩"
