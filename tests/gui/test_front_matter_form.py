"""The inspector shows what a skill says of itself, and each value can be changed there."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLineEdit
from pytestqt.qtbot import QtBot

from workbench.gui.inspector.front_matter_page import FrontMatterFields, SentenceField
from workbench.gui.inspector.inspector_panel import InspectorPanel
from workbench.gui.inspector.item_rows import ItemRows
from workbench.gui.shell.main_window import MainWindow

BODY = "\n# Lost keys\n\n## Steps\n\n1. Ask the guard.\n2. Write a note.\n"
SKILL = """\
---
name: lost-keys  # as the folder
description: >-
  Finds lost keys.
  Use it for keys.
allowed-tools: Read, Bash(git *)
metadata:
  author: 'the guard'
---
"""
AGENT = """\
---
description: Finds keys.
tools:
  - read
  - search  # by words
user-invocable: true
handoffs:
  - agent: door
    prompt: Open it.
---
"""


@pytest.fixture
def inspector(window: MainWindow) -> InspectorPanel:
    panel = window.panes.panel("inspector")
    assert isinstance(panel, InspectorPanel)
    return panel


def form_of(window: MainWindow, inspector: InspectorPanel, front: str) -> FrontMatterFields:
    """The form of a file with *front*."""
    window.context.documents.open_text(front + BODY)
    assert inspector.currentWidget() is inspector.front
    return inspector.front.fields


def write(qtbot: QtBot, editor: object, words: str) -> None:
    """Put *words* into the line *editor*, and leave it."""
    assert isinstance(editor, QLineEdit)
    editor.setText(words)
    qtbot.keyClick(editor, Qt.Key.Key_Return)


def front(window: MainWindow) -> str:
    """What the document has in front."""
    return window.context.documents.snapshot.text.removesuffix(BODY)


def test_each_value_has_a_row_and_so_has_what_a_skill_usually_says(
    window: MainWindow, inspector: InspectorPanel
) -> None:
    fields = form_of(window, inspector, SKILL).fields
    assert {name: field.written for name, field in fields.items()} == {
        "name": "lost-keys",
        "description": "Finds lost keys. Use it for keys.",
        "allowed-tools": "Read, Bash(git *)",
        "license": "",
        "compatibility": "",
        "metadata.author": "the guard",
        "metadata: …": "",
    }


def test_an_agent_has_its_own_rows(window: MainWindow, inspector: InspectorPanel) -> None:
    assert list(form_of(window, inspector, AGENT).fields) == ["name", "description", "model", "tools", "user-invocable"]


def test_a_procedure_has_no_such_form(window: MainWindow, inspector: InspectorPanel) -> None:
    window.context.documents.open_text("---\ntitle: Keys\n---\n" + BODY)
    assert inspector.currentIndex() == 0


def test_a_selected_step_is_shown_instead(window: MainWindow, inspector: InspectorPanel) -> None:
    form_of(window, inspector, SKILL)
    window.context.selection.select((window.context.documents.snapshot.program.playbooks[0].steps[0].id,), "test")
    assert inspector.currentWidget() is inspector.page
    window.context.selection.select((), "test")
    assert inspector.currentWidget() is inspector.front


CHANGES = [
    ("name", "found-keys", "name: lost-keys  #", "name: found-keys  #"),
    ("allowed-tools", "Read Grep", "Read, Bash(git *)", "Read Grep"),
    ("license", "MIT: or so", "metadata:\n", 'license: "MIT: or so"\nmetadata:\n'),
    ("metadata.author", "it's me", "'the guard'", "'it''s me'"),
    ("metadata: …", "version: 2", "'the guard'\n", "'the guard'\n  version: \"2\"\n"),
    ("metadata.author", "", "metadata:\n  author: 'the guard'\n", ""),
    ("name", "", "lost-keys", '""'),
]


@pytest.mark.parametrize("change", CHANGES)
def test_a_value_is_changed_in_its_place_and_undone(
    qtbot: QtBot, window: MainWindow, inspector: InspectorPanel, change: tuple[str, str, str, str]
) -> None:
    field, words, old, new = change
    write(qtbot, form_of(window, inspector, SKILL).fields[field].editor, words)
    assert front(window) == SKILL.replace(old, new)
    window.context.documents.undo()
    assert front(window) == SKILL


def test_a_word_of_the_description_is_changed_in_its_line(
    qtbot: QtBot, window: MainWindow, inspector: InspectorPanel
) -> None:
    field = form_of(window, inspector, SKILL).fields["description"]
    assert isinstance(field, SentenceField)
    field.editor.setPlainText("Finds lost coats. Use it for keys.")
    qtbot.keyClick(field.editor, Qt.Key.Key_Return)
    assert front(window) == SKILL.replace("lost keys.", "lost coats.")


def test_a_tool_is_added_to_a_list(qtbot: QtBot, window: MainWindow, inspector: InspectorPanel) -> None:
    rows = form_of(window, inspector, AGENT).fields["tools"].editor
    assert isinstance(rows, ItemRows)
    write(qtbot, rows.spare, "edit")
    assert front(window) == AGENT.replace("# by words\n", "# by words\n  - edit\n")


def test_yes_stays_yes_or_no(qtbot: QtBot, window: MainWindow, inspector: InspectorPanel) -> None:
    write(qtbot, form_of(window, inspector, AGENT).fields["user-invocable"].editor, "false")
    assert front(window) == AGENT.replace("true", "false")


def test_an_entry_without_a_colon_is_asked_for(qtbot: QtBot, window: MainWindow, inspector: InspectorPanel) -> None:
    field = form_of(window, inspector, SKILL).fields["metadata: …"]
    write(qtbot, field.editor, "version 2")
    assert field.editor.accessibleDescription() == "Write a name, a colon and a value."
    assert front(window) == SKILL


def test_escape_takes_back_what_was_written(qtbot: QtBot, window: MainWindow, inspector: InspectorPanel) -> None:
    field = form_of(window, inspector, SKILL).fields["description"]
    assert isinstance(field, SentenceField)
    field.editor.setPlainText("Something else.")
    qtbot.keyClick(field.editor, Qt.Key.Key_Escape)
    assert field.written == "Finds lost keys. Use it for keys."


def test_saving_takes_what_is_being_written(window: MainWindow, inspector: InspectorPanel) -> None:
    editor = form_of(window, inspector, SKILL).fields["name"].editor
    assert isinstance(editor, QLineEdit)
    editor.setText("found-keys")
    assert window.context.documents.file_state.is_dirty
    window.context.documents.fields.settle()
    assert "name: found-keys" in front(window)


def test_a_finding_stands_at_its_value(qtbot: QtBot, window: MainWindow, inspector: InspectorPanel) -> None:
    form = form_of(window, inspector, SKILL.replace("lost-keys", "Lost_Keys"))
    said = "The name of a skill has only small letters a–z, digits, and single hyphens between them."
    qtbot.waitUntil(lambda: form.said_of(("name",)) == said)
    write(qtbot, form.fields["name"].editor, "lost-keys")
    qtbot.waitUntil(lambda: form.said_of(("name",)) == "")


def test_a_heading_that_holds_steps_is_called_a_group(window: MainWindow, inspector: InspectorPanel) -> None:
    window.context.documents.open_text(
        "# Keys\n\n## Steps\n\n### At home\n\n1. Look.\n2. Ask.\n\n### Outside\n\n1. Look.\n2. Ask.\n"
    )
    group = window.context.documents.snapshot.program.playbooks[0].steps[0]
    window.context.selection.select((group.id,), "test")
    assert inspector.page.meaning.rows == (("Holds", "the steps below it; nothing is done for the heading itself"),)
    assert inspector.page.head.kind.currentText() == "Group"


def test_text_between_steps_has_its_kind_as_the_title_and_no_menu(
    window: MainWindow, inspector: InspectorPanel
) -> None:
    window.context.documents.open_text("# Keys\n\n## Steps\n\n1. Look.\n\nBy the way.\n\n2. Ask.\n")
    text = next(root for root in window.context.documents.snapshot.roots if root and root.text == "By the way.")
    window.context.selection.select((text.id,), "test")
    assert inspector.page.head.address.text() == "Kept as written"
    assert inspector.page.head.kind.isHidden()
