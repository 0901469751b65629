"""The form of a judgement whose words also speak of leaving: going on is chosen until somebody says otherwise."""

from __future__ import annotations

from pytestqt.qtbot import QtBot

from workbench.engine.outcomes import outcome_field
from workbench.engine.ports import Answer, Request, RequestKind
from workbench.gui.runs.request_form import RequestForm
from workbench.model.meaning import End, Return


def form_of(qtbot: QtBot) -> tuple[RequestForm, list[Answer]]:
    """The form, and what is answered in it."""
    fields = (outcome_field((Return(), End())),)
    form, answers = RequestForm(Request("q", RequestKind.JUDGE, "Main:01", "Check it and return", fields)), []
    qtbot.addWidget(form)
    form.answered.connect(answers.append)
    return form, answers


def test_a_form_answers_that_the_playbook_goes_on(qtbot: QtBot) -> None:
    form, answers = form_of(qtbot)
    form.submit("done")
    assert answers == [Answer((("and-then", "go on"),))]


def test_a_form_offers_what_may_follow(qtbot: QtBot) -> None:
    form, answers = form_of(qtbot)
    assert form.fields[0].type.choices == ("go on", "return", "end")
    form.fields[0].fill("end")
    form.submit("done")
    assert answers == [Answer((("and-then", "end"),))]
