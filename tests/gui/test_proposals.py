"""What a model proposes stands in the form, to be accepted as it is or changed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from PySide6.QtWidgets import QLineEdit
from pytestqt.qtbot import QtBot

from workbench.engine.ports import Answer, Purpose, Request, RequestKind
from workbench.gui.look.label import Label
from workbench.gui.runs.request_form import RequestForm
from workbench.gui.runs.special_fields import TriggerChecks
from workbench.model.meaning import Variable

Shown = Callable[[Request], tuple[RequestForm, list[Answer]]]


@pytest.fixture
def shown(qtbot: QtBot) -> Shown:
    """Shows a question, and keeps what is answered."""

    def show(request: Request) -> tuple[RequestForm, list[Answer]]:
        form, answers = RequestForm(request), list[Answer]()
        qtbot.addWidget(form)
        form.answered.connect(answers.append)
        form.show()
        return form, answers

    return show


def judged(type_: str, value: Any) -> Request:
    """A step of which a model proposes that *value* comes out."""
    field = Variable("found", type=type_)
    return Request("q1", RequestKind.JUDGE, "Main:01", "Find it", (field,), proposal=Answer((("found", value),)))


def words_of(form: RequestForm) -> str:
    """All that is to be read in the form."""
    return "\n".join(label.text() for label in form.findChildren(Label))


@pytest.mark.parametrize(
    ("type_", "value"),
    [
        ("str", "two\nlines"),
        ("", "5"),
        ("", 5),
        ("int", 7),
        ("float", 2.5),
        ("bool", False),
        ("red|green", "green"),
        ("list[str]", ["one", "two, three"]),
        ("list", []),
        ("list", [1, "two", None]),
        ("dict", {"a": {"b": [1]}}),
        ("json", "a text"),
        ("int | None", None),
    ],
)
def test_what_is_accepted_is_what_was_proposed(shown: Shown, type_: str, value: Any) -> None:
    form, answers = shown(judged(type_, value))
    form.submit("done")
    assert [dict(answer.values)["found"] for answer in answers] == [value]


def test_what_is_changed_is_what_is_given(qtbot: QtBot, shown: Shown) -> None:
    form, answers = shown(judged("int", 7))
    editor = form.fields[0].editor
    assert isinstance(editor, QLineEdit) and editor.text() == "7"
    qtbot.keyClicks(editor, "0")
    form.submit("done")
    assert answers[0].values == (("found", 70),)


def test_the_form_says_that_a_model_proposes(shown: Shown) -> None:
    form, _answers = shown(judged("int", 7))
    assert "A model proposes what stands below. Accept it, or change it first." in words_of(form)


def test_of_a_condition_the_proposed_button_stands_out(shown: Shown) -> None:
    form, answers = shown(Request("q1", RequestKind.DECIDE, "Main:01", "Is it full?", proposal=Answer(decision=False)))
    assert [button.property("primary") for button in form.buttons.values()] == [None, "true"]
    form.submit("yes")
    assert answers[0].decision is True


def test_triggers_that_a_model_takes_for_the_case_are_ticked(shown: Shown) -> None:
    fields = (Variable("t1", type="bool"), Variable("t2", type="bool"))
    proposal = Answer((("t1", False), ("t2", True)))
    text = "Which?\nThe disk is full\nThe server is down"
    request = Request("q1", RequestKind.JUDGE, "Main:01", text, fields, purpose=Purpose.TRIGGERS, proposal=proposal)
    form, answers = shown(request)
    assert isinstance(form.special, TriggerChecks)
    form.submit("done")
    assert answers[0].values == (("t1", False), ("t2", True))


def test_who_is_asked_in_place_of_a_model_reads_why_and_what_it_said(shown: Shown) -> None:
    request = Request(
        "q1", RequestKind.JUDGE, "Main:01", "Find it", reason="It does not know.", said="I cannot see <the> disk."
    )
    form, _answers = shown(request)
    assert "A model handed this over to you: It does not know." in words_of(form)
    assert "It said: I cannot see <the> disk." in words_of(form)


def test_what_a_model_says_besides_is_kept_as_the_note(shown: Shown) -> None:
    form, answers = shown(Request("q1", RequestKind.JUDGE, "Main:01", "Page", proposal=Answer(text="Paged.")))
    form.submit("done")
    assert answers == [Answer(text="Paged.")]


@pytest.mark.parametrize(
    "proposed",
    [
        (("action", "lookup"), ("arguments", {"order": 1}), ("make", True)),
        (("action", "other tool"), ("arguments", {}), ("make", True)),
        (("action", "finish"), ("result", "Dear Ann")),
    ],
)
def test_the_turn_that_a_model_would_take_is_accepted_by_enter(
    proposed: tuple[tuple[str, Any], ...], shown: Shown
) -> None:
    choices = ("lookup", "done", "finish")
    request = Request(
        "turn1", RequestKind.JUDGE, "list:01", "Find", (), choices, (("tools", ["lookup"]),), purpose=Purpose.TURN
    )
    form, answers = shown(replace(request, proposal=Answer(proposed)))
    form.submit("done")
    assert answers[0].values == proposed
