"""A person adds a model, tries it, has it propose in a real playbook, changes what it wants, and sets limits."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialog, QLineEdit, QPlainTextEdit
from pytestqt.qtbot import QtBot

from tests.journeys.person import Person
from tests.model_replies import Asked, Call, Reply
from tests.model_server import ModelServer
from workbench.engine.journal.approval_events import ApprovalGranted
from workbench.engine.journal.choices import RunStatus
from workbench.engine.journal.payload import EventPayload
from workbench.engine.journal.run_events import InputGiven, ToolResult
from workbench.engine.judges import JudgeKind
from workbench.engine.ports import RequestKind
from workbench.gui.forms.approval_form import ApprovalForm, Word
from workbench.gui.models.context_dialog import ContextDialog
from workbench.gui.models.judges_dialog import JudgesDialog
from workbench.gui.models.models_dialog import ModelsDialog
from workbench.gui.resume.resume_dialog import ResumeDialog
from workbench.gui.runs.asked_before import TrustDialog
from workbench.gui.runs.request_form import RequestForm
from workbench.gui.runs.run_panel import RunPanel
from workbench.gui.shell.main_window import MainWindow
from workbench.resources import sample_playbooks

PAGE = "Page the incident commander"
PROBES = {
    "Count from one": Reply(("one ", "two")),
    "look up the weather": Reply(calls=(Call("look_up_weather", {"city": "Paris"}),)),
}


class Model:
    """Pages once by a command, finds that everything holds, and has two ideas for the next time."""

    def __init__(self) -> None:
        self.has_paged = False

    def __call__(self, asked: Asked) -> Reply:
        """What it says to *asked*."""
        said = asked.messages[-1][1]
        for words, reply in PROBES.items():
            if words in said:
                return reply
        if PAGE in said and not self.has_paged:
            self.has_paged = True
            return Reply(calls=(Call("shell", {"command": ["echo", "paging Robin"]}),))
        properties = dict((asked.schema or {}).get("properties", {}))
        return Reply(data={name: _value(one) for name, one in properties.items()}) if properties else Reply("Done.")


def _value(schema: dict[str, Any]) -> object:
    return {"boolean": True, "array": ["alert earlier", "deploy slower"]}.get(str(schema.get("type")), "Done.")


class OnCall(Person):
    """Somebody on call, who lets a model propose."""

    def dialog(self, kind: type[QDialog]) -> Any:
        """The dialog of *kind* that is open."""

        def found() -> QDialog | None:
            return next(
                (one for one in QApplication.topLevelWidgets() if isinstance(one, kind) and one.isVisible()), None
            )

        self.qtbot.waitUntil(lambda: found() is not None)
        return found()

    def choose(self, action: str) -> None:
        """Choose *action* in the menu."""
        self.context.actions.action(action).trigger()

    @property
    def panel(self) -> RunPanel:
        """The pane of the run."""
        pane = self.window.panes.panel("run")
        assert isinstance(pane, RunPanel)
        return pane

    def add_model(self, url: str) -> list[str]:
        """Add the model behind *url*, and try it; what it can do."""
        self.choose("run.models")
        dialog: ModelsDialog = self.dialog(ModelsDialog)
        for line, text in ((dialog.form.name, "team"), (dialog.form.url, url), (dialog.form.model, "scripted")):
            QTest.keyClicks(line, text)
        for line in (dialog.form.input_usd, dialog.form.output_usd):
            QTest.keyClicks(line, "10")
        dialog.save_button.click()
        dialog.trial.button.click()
        self.qtbot.waitUntil(lambda: len(dialog.trial.lines) == 4)
        lines = [line.partition(" – ")[0] for line in dialog.trial.lines]
        dialog.reject()
        return lines

    def let_it_propose(self, requests: str) -> None:
        """Have the model propose, with a limit on *requests*."""
        self.choose("run.judges")
        dialog: JudgesDialog = self.dialog(JudgesDialog)
        dialog.usual.setCurrentIndex(dialog.usual.findData(JudgeKind.MODEL))
        dialog.proposes.click()
        QTest.keyClicks(dialog.limits.lines["requests"], requests)
        dialog.accept()

    def start(self) -> None:
        """Press Run, and allow the Python of the file."""
        self.choose("run.start")
        self.dialog(TrustDialog).allow_button.click()
        self.qtbot.waitUntil(lambda: self.context.runs.is_running)

    def resume(self, requests: str) -> None:
        """Go on with a run that has reached its limit, with a higher one."""
        self.choose("run.resume")
        dialog: ResumeDialog = self.dialog(ResumeDialog)
        dialog.limits.lines["requests"].setText(requests)
        dialog.resume_button.click()
        self.qtbot.waitUntil(lambda: self.context.runs.is_running)

    def go_on(self) -> list[str]:
        """Answer what is asked, accept what is proposed, change what is changed, to the end; what was proposed."""
        proposed = []
        while True:
            self.qtbot.waitUntil(lambda: self.panel.form is not None or not self.context.runs.is_running)
            form = self.panel.form
            if form is None:
                return proposed
            if isinstance(form, ApprovalForm):
                self._approve(form)
            else:
                proposed += self._answered(form)
            self.qtbot.waitUntil(lambda before=form: self.panel.form is not before)  # type: ignore[misc]

    def _approve(self, form: ApprovalForm) -> None:
        """Page Kim in place of Robin."""
        form.submit(Word.EDIT.value)
        assert form.fields is not None
        editor = form.fields.fields[0].field.editor
        assert isinstance(editor, QPlainTextEdit | QLineEdit)
        editor.selectAll()
        QTest.keyClicks(editor, '["echo", "paging Kim"]')
        form.submit(Word.EDIT.value)
        self.qtbot.waitUntil(lambda: "Kim" in form.summary.text())
        form.submit(Word.ALLOW.value)

    def _answered(self, form: RequestForm) -> list[str]:
        if form.request.kind is RequestKind.ASK:
            for field, text in zip(form.fields, _ANSWERS[form.request.step], strict=True):
                field.fill(text)
            form.submit("answer")
            return []
        assert form.request.proposal is not None
        if form.request.step == "Review:03":
            form.fields[0].fill("alert earlier\npractise")
        form.submit("yes" if form.request.kind is RequestKind.DECIDE else "done")
        return [form.request.step]


_ANSWERS = {"Main:01": ("checkout is down",), "Main:02": ("60", "no", "no")}


@pytest.fixture
def model() -> Iterator[ModelServer]:
    """The scripted model."""
    with ModelServer(Model()) as server:
        yield server


def what_was_changed(events: Sequence[EventPayload]) -> tuple[object, object]:
    """The arguments that were allowed in place of the model's, and the actions in place of those it proposed."""
    (granted,) = [one for one in events if isinstance(one, ApprovalGranted)]
    values = [one.answer["values"] for one in events if isinstance(one, InputGiven) and "values" in one.answer]
    return granted.arguments, next(each["actions"] for each in values if "actions" in each)


def test_a_model_proposes_in_a_run_that_a_person_steers(
    qtbot: QtBot, window: MainWindow, model: ModelServer, tmp_path: Path
) -> None:
    sample = next(path for path in sample_playbooks() if path.name == "incident-triage.md")
    file = tmp_path / sample.name
    file.write_bytes(sample.read_bytes())
    person = OnCall(qtbot, window)
    person.open(file)

    can = person.add_model(model.url)
    assert can == ["Reachable: yes", "Streaming: yes", "Tools: yes", "Answers by a schema: yes"]

    person.let_it_propose(requests="5")
    person.start()
    accepted = person.go_on()
    assert accepted[:2] == ["Main:05.01", "Main:05.02"]
    run = window.context.runs.run
    assert run is not None and run.halt is not None
    assert "limit 5" in str(run.halt)

    person.resume(requests="50")
    person.go_on()

    state = window.context.runs.state
    assert state is not None
    assert (state.status, state.result) == (RunStatus.COMPLETED, "mitigated")
    assert "$0." in person.panel.header.words
    events = [event.payload for event in window.context.runs.host.events(run.id)]
    assert what_was_changed(events) == ({"command": ["echo", "paging Kim"]}, ["alert earlier", "practise"])
    assert any(isinstance(one, ToolResult) and "paging Kim" in str(one.value) for one in events)

    person.choose("run.context")
    context: ContextDialog = person.dialog(ContextDialog)
    assert context.list.count() == state.used.requests
    assert "File a ticket" in context.text.toPlainText()
    context.reject()
