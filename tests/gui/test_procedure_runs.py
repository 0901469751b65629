"""A procedure is run in the window: what is asked first, how each step went, and the report that is saved."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractScrollArea, QApplication, QFileDialog, QWidget
from pytestqt.qtbot import QtBot

from workbench.engine.options import RunOptions
from workbench.engine.ports import Answer, Purpose, Request, RequestKind
from workbench.engine.work import FOLLOWS, WENT
from workbench.gui.control.context import WindowContext
from workbench.gui.control.running.run_marks import MarkStatus
from workbench.gui.control.running.run_questions import ProcedureQuestion
from workbench.gui.look.label import Label
from workbench.gui.runs.asked_before import ProcedureDialog
from workbench.gui.runs.request_form import RequestForm
from workbench.gui.runs.run_header import ReportOffer
from workbench.gui.runs.run_panel import RunPanel
from workbench.gui.shell.main_window import MainWindow
from workbench.model.procedures.matter import StepLink, StepMatter, Table
from workbench.model.procedures.placeholders import Placeholder

LIFT = """# Slow lift

## Diagnosis

1. Read the panel of <lift-id>.
2. If it shows more than 40 seconds, open the doors.

## Mitigation

1. Change the fuse.
"""
WORK = Request("r", RequestKind.JUDGE, "Diagnosis:01", "Read it", (WENT,), purpose=Purpose.WORK)
AFTER = Request("r", RequestKind.ASK, "Diagnosis:01", "Read it", (FOLLOWS,), purpose=Purpose.AFTERWARDS)


def _form(qtbot: QtBot, request: Request) -> tuple[RequestForm, list[Answer]]:
    form = RequestForm(request)
    qtbot.addWidget(form)
    form.show()
    answers: list[Answer] = []
    form.answered.connect(answers.append)
    return form, answers


@pytest.mark.parametrize("how", ["done", "skip", "did not work"])
def test_a_button_says_how_a_step_went_and_the_note_goes_with_it(how: str, qtbot: QtBot) -> None:
    form, answers = _form(qtbot, WORK)
    form.note.setText("52 seconds")
    form.buttons[how].click()
    assert answers == [Answer((("how", how),), text="52 seconds")]


@pytest.mark.parametrize("follows", ["try again", "go on", "stop"])
def test_a_button_says_what_follows_a_step_that_did_not_work(follows: str, qtbot: QtBot) -> None:
    form, answers = _form(qtbot, AFTER)
    form.buttons[follows].click()
    assert answers == [Answer((("afterwards", follows),))]


def test_a_form_shows_where_the_step_stands_and_all_that_belongs_to_it(qtbot: QtBot) -> None:
    matter = StepMatter(
        ("Diagnosis", "Panel"), "Take **the key**.", ("You MUST wait",), (), (Table(("Floor",), (("4",),)),)
    )
    form, _answers = _form(qtbot, replace(WORK, matter=matter))
    assert form.matter.findChildren(Label)[0].text() == "Diagnosis › Panel"
    assert form.matter.words.splitlines() == ["Take the key.", "• You MUST wait", "Floor", "4"]


def _dialog(qtbot: QtBot, *placeholders: Placeholder) -> tuple[ProcedureDialog, list[RunOptions]]:
    chapters = (("Diagnosis", "Diagnosis"), ("FixIt", "Fix it"))
    dialog = ProcedureDialog(ProcedureQuestion("Slow lift", chapters, placeholders, RunOptions()))
    qtbot.addWidget(dialog)
    given: list[RunOptions] = []
    dialog.given.connect(given.append)
    return dialog, given


def test_chapters_and_values_are_chosen_before_a_procedure_starts(qtbot: QtBot) -> None:
    dialog, given = _dialog(qtbot, Placeholder("lift_id", "lift-id"), Placeholder("hours", "hours", default="72"))
    dialog.chapters[0].setChecked(False)
    dialog.values[0].field.fill("L7")
    dialog.accept()
    assert [(each.chapters, dict(each.arguments)) for each in given] == [(("FixIt",), {"lift_id": "L7", "hours": "72"})]


def test_a_value_can_be_left_empty_unless_it_is_required(qtbot: QtBot) -> None:
    dialog, given = _dialog(qtbot, Placeholder("lift_id", "lift-id"), Placeholder("desk", "desk", is_required=True))
    dialog.accept()
    assert given == []
    dialog.values[1].field.fill("front")
    dialog.accept()
    assert dict(given[0].arguments) == {"lift_id": "", "desk": "front"}


def test_without_a_chapter_there_is_nothing_to_run(qtbot: QtBot) -> None:
    dialog, _given = _dialog(qtbot)
    for box in dialog.chapters:
        box.setChecked(False)
    assert not dialog.run_button.isEnabled()


def _begun(qtbot: QtBot, context: WindowContext, panel: RunPanel) -> None:
    context.documents.open_text(LIFT)
    asked: list[ProcedureQuestion] = []
    context.runs.procedure_asked.connect(asked.append)
    context.runs.start()
    assert [each.name for each in asked[0].placeholders] == ["lift_id"]
    context.runs.start(asked[0].answered(("Diagnosis", "Mitigation"), {"lift_id": "L7"}))
    qtbot.waitUntil(lambda: panel.form is not None)


def _answer(qtbot: QtBot, panel: RunPanel, button: str, note: str = "") -> None:
    form = panel.form
    assert isinstance(form, RequestForm)
    form.note.setText(note)
    form.submit(button)
    qtbot.waitUntil(lambda: panel.form is not form)


def test_a_run_in_the_window_goes_through_all_chapters_and_counts_its_steps(
    qtbot: QtBot, context: WindowContext
) -> None:
    panel = RunPanel(context)
    qtbot.addWidget(panel)
    panel.show()
    _begun(qtbot, context, panel)
    for button in ("done", "yes", "did not work", "go on", "skip"):
        qtbot.waitUntil(lambda: panel.form is not None)
        _answer(qtbot, panel, button)
    qtbot.waitUntil(lambda: not context.runs.is_running)
    qtbot.waitUntil(lambda: panel.conversation.cards[-1].text == "Run completed")
    assert panel.conversation.cards[-1].outcome == "1 step done, 1 step skipped, 1 step did not work"


def test_the_report_of_a_run_is_saved_where_the_person_says(
    qtbot: QtBot, window: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "found.md"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_given: (str(file), ""))
    context, action = window.context, window.context.actions.action("run.report")
    assert not action.isEnabled()
    context.documents.open_text(LIFT)
    context.runs.start(RunOptions(chapters=("Mitigation",)))
    qtbot.waitUntil(lambda: context.runs.request is not None)
    request = context.runs.request
    assert request is not None
    context.runs.answer(request.id, Answer(text="it was dark"))
    qtbot.waitUntil(lambda: not context.runs.is_running)
    qtbot.waitUntil(action.isEnabled)
    action.trigger()
    assert "  > it was dark\n" in file.read_text("utf-8")


@pytest.fixture
def opened(qtbot: QtBot, window: MainWindow) -> MainWindow:
    """A window that has the keys."""
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    return window


def _asked(qtbot: QtBot, window: MainWindow) -> RequestForm:
    """The form of the question that waits in *window*."""
    panel = window.panes.panel("run")
    assert isinstance(panel, RunPanel)
    qtbot.waitUntil(lambda: isinstance(panel.form, RequestForm) and not panel.form.is_answered)
    assert isinstance(panel.form, RequestForm)
    return panel.form


def _first_asked(qtbot: QtBot, window: MainWindow) -> RequestForm:
    """The form of the first question of a run, which has the keys."""
    window.context.documents.open_text("# Slow lift\n\n## Mitigation\n\n1. Change the fuse.\n2. Close the doors.\n")
    window.panes.bring_forward("run")
    window.context.runs.start(RunOptions(chapters=("Mitigation",)))
    form = _asked(qtbot, window)
    qtbot.waitUntil(form.buttons["done"].hasFocus)
    return form


def _place(window: MainWindow, name: str) -> QWidget | None:
    """Where somebody works with the keys, as soon as it is seen."""
    if name == "source":
        return window.centre.source.editor
    if name == "canvas":
        return window.centre.canvas.view
    areas = window.panes.panel(name).findChildren(QAbstractScrollArea)
    seen = (each for each in areas if each.isVisible() and each.focusPolicy() & Qt.FocusPolicy.TabFocus)
    return next(seen, None)


@pytest.mark.parametrize("name", ["canvas", "source", "project", "timeline", "outline"])
def test_the_next_question_leaves_the_keys_where_somebody_went_with_them(
    name: str, qtbot: QtBot, opened: MainWindow, tmp_path: Path
) -> None:
    (tmp_path / "lift.md").write_text(LIFT)
    opened.files.show_folder(tmp_path)
    form = _first_asked(qtbot, opened)
    if name not in {"canvas", "source"}:
        opened.panes.bring_forward(name)
    qtbot.waitUntil(lambda: _place(opened, name) is not None)
    place = _place(opened, name)
    assert place is not None
    place.setFocus()
    qtbot.waitUntil(place.hasFocus)
    form.submit("done")
    assert _asked(qtbot, opened) is not form
    assert QApplication.focusWidget() is place


def test_the_next_question_takes_the_keys_where_the_last_one_had_them(qtbot: QtBot, opened: MainWindow) -> None:
    form = _first_asked(qtbot, opened)
    form.submit("done")
    following = _asked(qtbot, opened)
    qtbot.waitUntil(lambda: following.isAncestorOf(QApplication.focusWidget() or opened))


@pytest.mark.parametrize(("is_in_source", "answered"), [(True, False), (False, True)])
def test_the_letter_of_a_button_answers_but_not_from_a_text(
    is_in_source: bool, answered: bool, qtbot: QtBot, opened: MainWindow
) -> None:
    form = _first_asked(qtbot, opened)
    place = opened.centre.source.editor if is_in_source else opened.centre.canvas.view
    place.setFocus()
    qtbot.waitUntil(place.hasFocus)
    qtbot.keyClick(place, Qt.Key.Key_D, Qt.KeyboardModifier.AltModifier)
    qtbot.wait(200)  # a letter takes effect a little later
    assert form.is_answered is answered


@pytest.mark.parametrize(("values", "is_scrolled"), [(1, False), (6, False), (60, True)])
def test_the_start_is_as_high_as_what_it_asks_up_to_the_screen(values: int, is_scrolled: bool, qtbot: QtBot) -> None:
    many = tuple(Placeholder(f"v{each}", f"Value {each}", description="Of the lift") for each in range(values))
    dialog, _given = _dialog(qtbot, *many)
    dialog.show()
    assert (dialog.area.verticalScrollBar().maximum() > 0) is is_scrolled
    assert dialog.height() <= dialog.screen().availableSize().height()


def test_a_report_is_only_offered_when_the_run_is_over_and_says_so_far_before(
    qtbot: QtBot, window: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    titles: list[str] = []
    file = tmp_path / "so far.md"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *given: (titles.append(given[1]), (str(file), ""))[1])
    context, action = window.context, window.context.actions.action("run.report")
    panel = window.panes.panel("run")
    assert isinstance(panel, RunPanel)
    (offer,) = panel.findChildren(ReportOffer)
    context.documents.open_text(LIFT)
    context.runs.start(RunOptions(chapters=("Mitigation",)))
    qtbot.waitUntil(lambda: context.runs.request is not None and action.isEnabled())
    assert (action.text(), offer.isVisibleTo(panel)) == ("Sa&ve report so far…", False)
    action.trigger()
    assert (titles, "Not finished" in file.read_text("utf-8")) == (["Save report so far"], True)
    request = context.runs.request
    assert request is not None
    context.runs.answer(request.id, Answer(text="it was dark"))
    qtbot.waitUntil(lambda: action.text() == "Sa&ve report…")
    assert offer.isVisibleTo(panel)


def test_boxes_are_ticked_in_the_document_as_the_run_gets_on(qtbot: QtBot, context: WindowContext) -> None:
    context.documents.open_text("# Shop\n\n## Evening\n\n- [ ] lock the door\n- [ ] set the alarm\n")
    context.runs.start(RunOptions(chapters=("Evening",), ticks=True))
    for how in ("done", "skip"):
        qtbot.waitUntil(lambda: context.runs.request is not None)
        request = context.runs.request
        assert request is not None
        context.runs.answer(request.id, Answer((("how", how),)))
        qtbot.waitUntil(lambda asked=request: context.runs.request != asked)
    qtbot.waitUntil(lambda: not context.runs.is_running)
    assert context.documents.snapshot.text.endswith("- [x] lock the door\n- [ ] set the alarm\n")
    context.documents.undo()
    assert context.documents.snapshot.text.endswith("- [ ] lock the door\n- [ ] set the alarm\n")


def test_a_linked_playbook_can_be_gone_through_before_the_answer(qtbot: QtBot) -> None:
    link = StepLink("Drain the cellar", "drain.md", "drain.md")
    form, answers = _form(qtbot, replace(WORK, matter=StepMatter(("Response",), links=(link,))))
    form.matter.calls[0].click()
    assert answers == [Answer(call="drain.md")]


def test_a_link_of_a_step_can_be_opened_while_the_question_stays(qtbot: QtBot) -> None:
    link = StepLink("The maker", "https://example.com/lifts")
    form, answers = _form(qtbot, replace(WORK, matter=StepMatter(("Response",), links=(link,))))
    wanted: list[str] = []
    form.link_wanted.connect(wanted.append)
    form.matter.links[0].click()
    assert (wanted, answers, form.matter.calls) == (["https://example.com/lifts"], [], ())


def test_what_was_done_in_a_linked_playbook_is_marked_when_its_file_is_shown(
    qtbot: QtBot, context: WindowContext, tmp_path: Path
) -> None:
    (tmp_path / "lift.md").write_text("# Lift\n\n## Steps\n\n1. [Drain it](drain.md).\n2. Open the doors.\n")
    (tmp_path / "drain.md").write_text("# Drain\n\n## Steps\n\n1. Open the tap.\n2. Wait an hour.\n")
    context.documents.open(tmp_path / "lift.md")
    context.runs.start(RunOptions(chapters=("Steps",), path=str(tmp_path / "lift.md")))
    for answer in (Answer(call="drain.md"), Answer((("how", "done"),))):
        qtbot.waitUntil(lambda: context.runs.request is not None)
        request = context.runs.request
        assert request is not None
        context.runs.answer(request.id, answer)
        qtbot.waitUntil(lambda asked=request: context.runs.request not in {None, asked})
    context.documents.open(tmp_path / "drain.md")
    document, shown = context.documents.snapshot, context.shown
    first, second = document.program.playbooks[-1].steps
    qtbot.waitUntil(lambda: second.id in shown.marks)
    assert [shown.marks[each.id].status for each in (first, second)] == [MarkStatus.DONE, MarkStatus.WAITING]
    assert shown.steps.address_of(second.id) == "drain.md/Steps:02"
