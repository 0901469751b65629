"""What a person types becomes the same value at the prompt, in the form of a run, and in the inspector."""

from __future__ import annotations

import builtins
from typing import Any

import pytest
from PySide6.QtWidgets import QLineEdit, QPlainTextEdit
from pytestqt.qtbot import QtBot

from workbench.cli.running.prompt import ask
from workbench.engine.ports import Answer, Request, RequestKind
from workbench.engine.readings import Operand, Unlike
from workbench.gui.forms.field import RunField
from workbench.gui.inspector.inspector_panel import InspectorPanel
from workbench.gui.inspector.item_rows import ItemRows
from workbench.gui.runs.request_form import RequestForm
from workbench.gui.shell.main_window import MainWindow
from workbench.gui.words.values import tip
from workbench.model.meaning import Variable

LIST = "id: ops\nname: Ops\nsteps:\n  - id: look\n    description: Look at it\n"


def at_the_prompt(monkeypatch: pytest.MonkeyPatch, text: str, type_: str) -> Any:
    """The value after typing *text* in the terminal."""
    monkeypatch.setattr(builtins, "input", lambda _label: text)
    return dict(ask(Request("q", RequestKind.ASK, "Main:01", "How?", (Variable("x", type=type_),))).values)["x"]


def in_the_form(qtbot: QtBot, text: str, type_: str) -> Any:
    """The value after typing *text* in the form of a run."""
    field = RunField(Variable("x", type=type_))
    qtbot.addWidget(field)
    type_into(field.editor, text)
    return field.value()


def in_the_inspector(qtbot: QtBot, window: MainWindow, text: str, name: str) -> Any:
    """The value that typing *text* gives the field *name* of a step."""
    window.context.documents.open_text(LIST)
    panel = window.panes.panel("inspector")
    assert isinstance(panel, InspectorPanel)
    window.context.selection.select((window.context.documents.snapshot.program.playbooks[0].steps[0].id,), "test")
    field = panel.page.fields.fields[name]
    type_into(field.editor.spare if isinstance(field.editor, ItemRows) else field.editor, text)
    with qtbot.waitSignal(field.value_written) as written:
        field.apply()
    value = written.args[0].value
    return list(value) if isinstance(value, tuple) else value


def type_into(editor: object, text: str) -> None:
    """Put *text* into *editor*."""
    assert isinstance(editor, QLineEdit | QPlainTextEdit)
    editor.setText(text) if isinstance(editor, QLineEdit) else editor.setPlainText(text)


@pytest.mark.parametrize(
    ("text", "type_and_field", "value"),
    [
        ("a,b", "array expected_tools", ["a", "b"]),
        (" a, b ,", "list[str] uses", ["a", "b"]),
        ('["a, b", "c"]', "list expected_tools", ["a, b", "c"]),
        ("2,5", "float timeout_seconds", 2.5),
        ("2.5", "number timeout_seconds", 2.5),
        ("3", "int max_tool_calls", 3),
        ('{"a": [1, 2]}', "json metadata", {"a": [1, 2]}),
        ("look_twice", "str id", "look_twice"),
    ],
)
def test_three_entrances_read_alike(
    qtbot: QtBot, window: MainWindow, monkeypatch: pytest.MonkeyPatch, text: str, type_and_field: str, value: object
) -> None:
    type_, name = type_and_field.split()
    read = at_the_prompt(monkeypatch, text, type_), in_the_form(qtbot, text, type_)
    assert (*read, in_the_inspector(qtbot, window, text, name)) == (value, value, value)


def test_a_field_says_why_it_takes_a_number(qtbot: QtBot) -> None:
    reasons = (("n", "compared with 5 in Main:02"),)
    form = RequestForm(
        Request("q", RequestKind.ASK, "Main:01", "How?", (Variable("n", type="number"),), reasons=reasons)
    )
    qtbot.addWidget(form)
    assert form.fields[0].editor.toolTip() == tip("A number: compared with 5 in Main:02.")


def test_a_button_says_how_a_text_is_read(qtbot: QtBot) -> None:
    found = Unlike("$n + 1", Operand(Variable("n"), (), "7"), None, "7", 1)
    form = RequestForm(found.request("q", "Main:02"))
    qtbot.addWidget(form)
    assert form.fields == ()
    assert list(form.buttons) == ["number", "stop"]
    with qtbot.waitSignal(form.answered) as answered:
        form.buttons["number"].click()
    assert answered.args == [Answer((("reading", "number"),))]
