"""The forms in which a person plans a step of a run, and allows what was made of the plan."""

from __future__ import annotations

from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from workbench.engine.language.making import ACCEPTED, PLAN
from workbench.engine.ports import Answer, Request, RequestKind
from workbench.gui.forms.matter_view import MadeView
from workbench.gui.runs.request_form import RequestForm
from workbench.gui.runs.special_fields import PlanFields

_LOOK = {"intent": "look", "condition": "$n", "checks": ["$n"], "otherwise": [{"intent": "wait"}]}
_GOAL = "Plan how to reach this goal: count\nIt may have 60 steps."
_MADE = "The run has made this, and goes on with it. Is that right?\n\n## Count()\n\n### Steps\n\n- $n = Own(2)\n"


def test_a_person_plans_in_rows_and_a_plan_without_steps_is_told(qtbot: QtBot) -> None:
    form = RequestForm(Request("q", RequestKind.JUDGE, "Main:01", _GOAL, (PLAN,)))
    qtbot.addWidget(form)
    fields = form.special
    assert isinstance(fields, PlanFields) and form.fields == ()
    answers: list[Answer] = []
    form.answered.connect(answers.append)
    form.submit("done")
    assert answers == [] and any("at least one step" in each.text() for each in fields.findChildren(QLabel))
    fields.title.setText("Count")
    fields.returns.setText("$n")
    fields.editor.add()
    fields.editor.fields.intent.setText("$n = Own(2)")
    fields.editor.fields.intent.textEdited.emit("$n = Own(2)")
    form.submit("done")
    (plan,) = [dict(each.values)["plan"] for each in answers]
    assert (plan["title"], plan["returns"], plan["steps"][0]["intent"]) == ("Count", "$n", "$n = Own(2)")


def test_a_plan_that_a_model_proposes_is_shown_as_steps_and_kept_whole(qtbot: QtBot) -> None:
    call = {"intent": "count", "call": "Own", "arguments": {"n": 2}}
    said = {"title": "Count", "description": "why", "steps": [_LOOK, call], "returns": "$n"}
    proposal = Answer(values=(("plan", said),))
    form = RequestForm(Request("q", RequestKind.JUDGE, "Main:01", _GOAL, (PLAN,), proposal=proposal))
    qtbot.addWidget(form)
    assert isinstance(form.special, PlanFields) and form.special.editor.path == (("steps", 0),)
    ((_name, plan),) = form.special.values()
    assert (plan["description"], plan["steps"][0]["checks"], plan["steps"][1]) == ("why", ["$n"], call)
    form.special.editor.show_steps(form.special.editor.steps, (("steps", 1),))
    assert form.special.editor.fields.call.currentText() == "Own"


def test_what_was_made_is_shown_below_the_question_and_a_person_may_say_why_not(qtbot: QtBot) -> None:
    form = RequestForm(Request("q", RequestKind.ASK, "Main:01", _MADE, (ACCEPTED,)))
    qtbot.addWidget(form)
    assert "- $n = Own(2)" in form.findChildren(MadeView)[0].words
    assert not form.note.isHidden()
    answers: list[Answer] = []
    form.answered.connect(answers.append)
    form.fields[0].fill("no")
    form.note.setText("count twice")
    form.submit("answer")
    assert [(dict(each.values), each.text) for each in answers] == [({"accepted": False}, "count twice")]
