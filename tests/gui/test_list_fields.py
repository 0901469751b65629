"""A list in the inspector stays the list that it is: whatever is done to one item, the others keep every character."""

from __future__ import annotations

import json

import pytest
import yaml
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLineEdit
from pytestqt.qtbot import QtBot

from workbench.gui.inspector.inspector_panel import InspectorPanel
from workbench.gui.inspector.item_rows import ItemRows, Row
from workbench.gui.shell.main_window import MainWindow

ITEMS = ["line one\nline two", "  code: indented", "a,b", "\u00a0wide", "x\u2028y", '["json"]', "tab\there", "last"]
HEAD = "id: w\nname: W\nsteps:\n- id: one\n  description: x\n"
GRAPH = "version: playbook.v2\nplaybook_id: g\ntitle: G\nsteps:\n- id: one\n  goal: x\n"
FIELDS = [("hints", HEAD), ("expected_tools", HEAD), ("uses", HEAD), ("allowed_tools", GRAPH), ("after", GRAPH)]


def rows_of(window: MainWindow, field: str, head: str = HEAD) -> ItemRows:
    """The rows of *field* of a step, which holds ITEMS."""
    window.context.documents.open_text(f"{head}  {field}: {json.dumps(ITEMS)}\n")
    panel = window.panes.panel("inspector")
    assert isinstance(panel, InspectorPanel)
    window.context.selection.select((window.context.documents.snapshot.program.playbooks[0].steps[0].id,), "test")
    editor = panel.page.fields.fields[field].editor
    assert isinstance(editor, ItemRows)
    return editor


def kept(window: MainWindow, field: str) -> object:
    """What the document says of *field*."""
    return yaml.safe_load(window.context.documents.snapshot.text)["steps"][0].get(field)


def write(qtbot: QtBot, row: Row, words: str) -> None:
    """Type *words* at the end of *row*, and go on."""
    row.end(False) if isinstance(row, QLineEdit) else row.moveCursor(row.textCursor().MoveOperation.End)
    qtbot.keyClicks(row, words)
    qtbot.keyClick(row, Qt.Key.Key_Return)


@pytest.mark.parametrize(("field", "head"), FIELDS)
def test_changing_one_item_leaves_the_others_as_they_are(
    qtbot: QtBot, window: MainWindow, field: str, head: str
) -> None:
    for at in range(len(ITEMS)):
        write(qtbot, rows_of(window, field, head).rows[at], "!")
        assert kept(window, field) == [*ITEMS[:at], f"{ITEMS[at]}!", *ITEMS[at + 1 :]]


@pytest.mark.parametrize(("field", "head"), FIELDS)
def test_an_item_is_added_behind_the_others(qtbot: QtBot, window: MainWindow, field: str, head: str) -> None:
    write(qtbot, rows_of(window, field, head).spare, "new")
    assert kept(window, field) == [*ITEMS, "new"]


@pytest.mark.parametrize("field", ["hints", "expected_tools"])
def test_an_emptied_row_is_taken_out(qtbot: QtBot, window: MainWindow, field: str) -> None:
    rows = rows_of(window, field)
    rows.rows[2].clear()
    qtbot.keyClick(rows.rows[2], Qt.Key.Key_Return)
    assert kept(window, field) == [*ITEMS[:2], *ITEMS[3:]]
    assert rows.items == tuple(ITEMS[:2] + ITEMS[3:])


def test_the_last_item_takes_the_field_with_it(qtbot: QtBot, window: MainWindow) -> None:
    rows = rows_of(window, "uses")
    for row in rows.rows:
        row.clear()
    qtbot.keyClick(rows.rows[0], Qt.Key.Key_Return)
    assert kept(window, "uses") is None


def test_several_names_can_be_added_at_once_and_one_with_a_comma_as_json(qtbot: QtBot, window: MainWindow) -> None:
    rows = rows_of(window, "expected_tools")
    write(qtbot, rows.spare, "c, d")
    write(qtbot, rows.spare, '["e,f", 1]')
    assert kept(window, "expected_tools") == [*ITEMS, "c", "d", "e,f", "1"]


def test_a_sentence_can_have_lines(qtbot: QtBot, window: MainWindow) -> None:
    rows = rows_of(window, "hints")
    qtbot.keyClicks(rows.spare, "one, and")
    qtbot.keyClick(rows.spare, Qt.Key.Key_Return, Qt.KeyboardModifier.ShiftModifier)
    write(qtbot, rows.spare, "two")
    assert kept(window, "hints") == [*ITEMS, "one, and\ntwo"]


@pytest.mark.parametrize("field", ["hints", "expected_tools"])
def test_escape_takes_back_what_is_being_written(qtbot: QtBot, window: MainWindow, field: str) -> None:
    rows = rows_of(window, field)
    qtbot.keyClicks(rows.rows[0], "x")
    qtbot.keyClick(rows.rows[0], Qt.Key.Key_Escape)
    assert not rows.is_changed
    assert kept(window, field) == ITEMS


def test_what_is_refused_stays_in_its_row(qtbot: QtBot, window: MainWindow) -> None:
    rows = rows_of(window, "expected_tools")
    write(qtbot, rows.spare, '[" "]')
    assert (rows.spare.item, kept(window, "expected_tools")) == ('[" "]', ITEMS)


@pytest.mark.parametrize("field", ["hints", "expected_tools"])
def test_leaving_a_row_applies_it_and_stays_where_one_went(qtbot: QtBot, window: MainWindow, field: str) -> None:
    rows = rows_of(window, field)
    window.show()
    qtbot.waitExposed(window)
    rows.rows[3].setFocus()
    rows.rows[3].clear()
    fifth = rows.rows[4]
    fifth.setFocus()
    assert kept(window, field) == [*ITEMS[:3], *ITEMS[4:]]
    assert rows.rows[3] is fifth


@pytest.mark.parametrize("value", [1234567.25, 0.1, 30])
def test_a_number_is_shown_with_all_its_digits(window: MainWindow, value: float) -> None:
    window.context.documents.open_text(f"{HEAD}  timeout_seconds: {value}\n")
    panel = window.panes.panel("inspector")
    assert isinstance(panel, InspectorPanel)
    window.context.selection.select((window.context.documents.snapshot.program.playbooks[0].steps[0].id,), "test")
    line = panel.page.fields.fields["timeout_seconds"].editor
    assert isinstance(line, QLineEdit)
    assert float(line.text()) == value
