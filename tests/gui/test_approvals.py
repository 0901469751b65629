"""Calls that wait for leave, in the window: what is shown of them, what can be said, and what comes of it."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible
from PySide6.QtWidgets import QApplication, QLineEdit, QPlainTextEdit
from pytestqt.qtbot import QtBot

from workbench.engine.journal.choices import RunStatus
from workbench.engine.ports import Answer, CallToAllow, Leave, LeaveScope, Request, RequestKind
from workbench.gui.forms.approval_form import ApprovalForm, Word
from workbench.gui.runs.run_panel import RunPanel
from workbench.gui.shell.main_window import MainWindow
from workbench.tools.values import Preview

ECHO = '# Desk\n\n## Main\n\n### Steps\n\n- $x = shell(["echo", "hi"])\n- Return $x\n'
WRITE = '# Desk\n\n## Main\n\n### Steps\n\n- write_file("a.txt", "new\\n")\n'
DIFFERENCE = "--- a/a.txt\n+++ b/a.txt\n@@ -1,2 +1,2 @@\n same\n-old\n+new"
TEXTS = {"type": "object", "properties": {"path": {"type": "string"}, "text": {"type": "string"}}}
CALL = CallToAllow(
    *("k", "write_file", "Playbook Workbench", {"path": "a.txt", "text": "one\r\ntwo\u2028"}, TEXTS, "d1"),
    Preview("Change a.txt", DIFFERENCE, is_difference=True),
)


def request_for(call: CallToAllow) -> Request:
    return Request("r", RequestKind.APPROVE, "Main:01", "May it?", call=call)


def form_for(qtbot: QtBot, call: CallToAllow = CALL) -> tuple[ApprovalForm, list[Answer]]:
    """A form on its own, and the answers that it gives."""
    form = ApprovalForm(request_for(call))
    qtbot.addWidget(form)
    form.show()
    answers: list[Answer] = []
    form.answered.connect(answers.append)
    return form, answers


class Waiting:
    """A real run of *text* in the folder *where*, that waits for leave."""

    def __init__(self, qtbot: QtBot, window: MainWindow, where: Path, text: str = ECHO) -> None:
        (where / "desk.md").write_text(text, encoding="utf-8")
        window.files.open_path(where / "desk.md")
        window.context.runs.start()
        panel = window.panes.panel("run")
        assert isinstance(panel, RunPanel)
        self.qtbot, self.window, self.panel = qtbot, window, panel
        qtbot.waitUntil(lambda: isinstance(panel.form, ApprovalForm))

    @property
    def form(self) -> ApprovalForm:
        assert isinstance(self.panel.form, ApprovalForm)
        return self.panel.form

    def finish(self) -> object:
        """What the run gives, once it is over."""
        runs = self.window.context.runs
        self.qtbot.waitUntil(lambda: not runs.is_running)
        assert runs.run is not None
        return runs.run.result

    @property
    def cards(self) -> list[tuple[str, str]]:
        """Text and outcome of all that was told."""
        return [(card.text, card.outcome) for card in self.panel.conversation.cards]


def test_a_call_is_shown_with_its_tool_who_offers_it_and_what_would_happen(qtbot: QtBot) -> None:
    form, _answers = form_for(qtbot)
    said = form.summary.text(), form.view.toPlainText(), form.accessibleName()
    assert said == ("Change a.txt", DIFFERENCE, "May write_file be called? It is offered by Playbook Workbench.")


def test_lines_that_come_and_go_are_coloured_and_the_names_of_the_files_are_not(qtbot: QtBot) -> None:
    form, _answers = form_for(qtbot)
    assert [mark.cursor.block().text() for mark in form.view.extraSelections()] == ["-old", "+new"]


def test_a_long_summary_is_shown_whole_where_it_scrolls(qtbot: QtBot) -> None:
    form, _answers = form_for(qtbot, CallToAllow("k", "sh", "x", {}, {}, "d", Preview("echo " + "a" * 4000)))
    assert form.view.toPlainText() == "echo " + "a" * 4000
    assert form.height() < 2000


def test_enter_allows_nothing_before_somebody_has_gone_to_a_button(qtbot: QtBot) -> None:
    form, answers = form_for(qtbot)
    form.take_focus()
    qtbot.waitUntil(form.buttons[Word.REFUSE.value].hasFocus)
    qtbot.keyClick(QApplication.focusWidget(), Qt.Key.Key_Return)
    assert answers == [Answer(leave=Leave(False, "d1"))]


def test_enter_in_the_note_goes_to_refuse(qtbot: QtBot) -> None:
    form, answers = form_for(qtbot)
    form.note.setFocus()
    qtbot.waitUntil(form.note.hasFocus)
    qtbot.keyClick(form.note, Qt.Key.Key_Return)
    assert form.buttons[Word.REFUSE.value].hasFocus()
    assert answers == []


def test_the_note_is_the_reason_of_a_refusal(qtbot: QtBot) -> None:
    form, answers = form_for(qtbot)
    form.note.setText(" Not on a Friday. ")
    form.buttons[Word.REFUSE.value].click()
    assert answers == [Answer(text="Not on a Friday.", leave=Leave(False, "d1"))]


def test_leave_for_the_run_is_for_the_run(qtbot: QtBot) -> None:
    form, answers = form_for(qtbot)
    form.buttons[Word.ALLOW_RUN.value].click()
    assert answers == [Answer(leave=Leave(True, "d1", scope=LeaveScope.RUN))]


def test_arguments_that_nobody_touched_stay_what_they_are(qtbot: QtBot) -> None:
    form, answers = form_for(qtbot)
    form.submit(Word.EDIT.value)
    form.submit(Word.ALLOW.value)
    assert answers == [Answer(leave=Leave(True, "d1"))]


def test_only_what_was_changed_in_an_argument_changes(qtbot: QtBot) -> None:
    form, _answers = form_for(qtbot)
    wanted: list[object] = []
    form.preview_wanted.connect(wanted.append)
    form.submit(Word.EDIT.value)
    assert form.fields is not None
    editor = form.fields.fields[1].field.editor
    assert isinstance(editor, QPlainTextEdit)
    editor.textCursor().insertText("zero ")
    form.submit(Word.ALLOW.value)
    assert wanted == [{"path": "a.txt", "text": "zero one\ntwo\u2028"}]


def test_changed_arguments_are_shown_before_they_are_allowed(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    waiting = Waiting(qtbot, window, tmp_path)
    form = waiting.form
    change(form, '["echo", "you"]')
    form.submit(Word.ALLOW.value)
    qtbot.waitUntil(lambda: form.summary.text() == "echo you")
    assert waiting.panel.form is form
    form.submit(Word.ALLOW.value)
    assert waiting.finish() == "you"
    assert ("Allowed", 'with changes: command=["echo", "you"]') in waiting.cards


def change(form: ApprovalForm, text: str) -> None:
    """Type *text* in place of the first argument."""
    form.submit(Word.EDIT.value)
    assert form.fields is not None
    editor = form.fields.fields[0].field.editor
    assert isinstance(editor, QLineEdit)
    editor.clear()
    editor.insert(text)


def test_changed_arguments_that_cannot_be_are_not_sent(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    waiting = Waiting(qtbot, window, tmp_path)
    change(waiting.form, "[1, 2]")
    waiting.form.submit(Word.ALLOW.value)
    assert waiting.window.context.runs.is_running
    assert waiting.form.fields is not None
    assert "must be of the type string" in waiting.form.fields.problem


def test_a_call_that_could_not_be_made_says_why(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    waiting = Waiting(qtbot, window, tmp_path, WRITE)
    change(waiting.form, "../b.txt")
    waiting.form.submit(Word.EDIT.value)
    qtbot.waitUntil(lambda: bool(waiting.form.problem.text()))
    assert not (tmp_path / "a.txt").exists()


@pytest.mark.parametrize(("word", "is_written"), [(Word.ALLOW, True), (Word.REFUSE, False)])
def test_what_is_allowed_is_done_and_what_is_refused_is_not(
    word: Word, is_written: bool, qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    waiting = Waiting(qtbot, window, tmp_path, WRITE)
    waiting.form.submit(word.value)
    waiting.finish()
    assert (tmp_path / "a.txt").exists() is is_written
    state = window.context.runs.state
    assert state is not None
    assert (state.status is RunStatus.COMPLETED) is is_written


def test_who_has_refused_and_why_stands_on_a_card(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    waiting = Waiting(qtbot, window, tmp_path)
    waiting.form.note.setText("Not on a Friday.")
    waiting.form.submit(Word.REFUSE.value)
    waiting.finish()
    assert ("Refused", "Not on a Friday.") in waiting.cards


def test_what_must_be_seen_and_all_buttons_are_in_view_in_a_small_window(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    window.resize(1000, 650)
    (tmp_path / "a.txt").write_text("old\n" * 40, "utf-8")
    form = Waiting(qtbot, window, tmp_path, WRITE).form
    window.panes.bring_forward("run")
    parts = (form.summary, *form.buttons.values())
    qtbot.waitUntil(lambda: all(part.visibleRegion().boundingRect().size() == part.size() for part in parts))
    assert form.view.visibleRegion().boundingRect().height() == form.view.height()


def test_a_screen_reader_is_told_what_is_asked(qtbot: QtBot) -> None:
    form, _answers = form_for(qtbot)
    found = QAccessible.queryAccessibleInterface(form)
    assert "write_file" in found.text(QAccessible.Text.Name)
    assert "Change a.txt" in found.text(QAccessible.Text.Description)
