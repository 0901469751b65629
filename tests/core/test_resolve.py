"""When a sentence is a call: when it names a playbook or function that there is, and else never."""

from __future__ import annotations

import pytest

from tests.core.check import snapshot_of
from workbench.model.incremental.advancing import advance
from workbench.model.meaning import Branch, Call, Judge, Meaning
from workbench.syntax.change import TextChange, TextEdit
from workbench.syntax.text import Span

MEETING = "## Review($topic)\nmeeting: true\n### Steps\n- Return 1\n"
PYTHON = '```python\n@playbook\ndef archive_tickets(day):\n    """Put them away."""\n```\n'


def meaning_of(sentence: str, others: str = "", python: str = "") -> Meaning:
    """What *sentence* means as the only step of a playbook beside *others*."""
    text = f"# Desk\n{python}\n## Main\n### Steps\n- {sentence}\n\n{others}"
    return snapshot_of(text).program.playbooks[0].steps[0].meaning


PROSE = [
    "Start a Zoom meeting with the on-call lead",
    "Start a Zoom meeting with Bob",
    "Begin a meeting with Bob",
    "Hold a review meeting with Legal and Tax",
    "Call the on-call lead",
    "Call Bob",
    "Run the migration",
    "Start the database",
    "Execute the rollback",
    "Invoke the emergency plan",
    "Load the user's account",
]


@pytest.mark.parametrize("sentence", PROSE)
def test_prose_that_names_nothing_there_is_stays_a_step(sentence: str) -> None:
    assert isinstance(meaning_of(sentence), Judge)


@pytest.mark.parametrize("sentence", ["Then start a Zoom meeting with Bob", "$said = Hold a Zoom meeting with Bob"])
def test_a_meeting_that_no_playbook_is_for_is_no_call_behind_other_words_either(sentence: str) -> None:
    assert isinstance(meaning_of(sentence, MEETING), Judge)


def test_a_meeting_is_opened_only_by_a_playbook_that_is_a_meeting() -> None:
    zoom = "## Zoom($attendees)\n### Steps\n- Return 1\n"
    assert isinstance(meaning_of("Start a Zoom meeting with Bob", zoom), Judge)


SENTENCES = [
    "Start a review meeting with Legal and Tax",
    'Now open the review meeting with Legal about "prices".',
    "$verdict = Hold a review meeting with Legal and Tax",
]


@pytest.mark.parametrize("sentence", SENTENCES)
def test_a_sentence_that_names_a_meeting_there_is_is_its_call(sentence: str) -> None:
    call = meaning_of(sentence, MEETING)
    assert isinstance(call, Call)
    assert (call.target, call.is_resolved) == ("Review", True)
    assert call.arguments[-1].value.source.startswith('["Legal"')
    assert (call.result is not None) == sentence.startswith("$")


@pytest.mark.parametrize("who", ["Legal" + " and a" * 200 + "!", "Legal and 2 others", "Legal, ", "Legal,Tax"])
def test_a_meeting_with_what_is_no_row_of_names_stays_a_step(who: str) -> None:
    assert isinstance(meaning_of(f"Start a review meeting with {who}", MEETING), Judge)


def test_a_meeting_on_the_line_of_a_condition_is_its_call_too() -> None:
    sentence = "If $total > 5, start a review meeting with Legal"
    with_meeting, without = meaning_of(sentence, MEETING), meaning_of(sentence)
    assert isinstance(with_meeting, Branch)
    assert isinstance(with_meeting.action, Call)
    assert isinstance(without, Branch)
    assert isinstance(without.action, Judge)


@pytest.mark.parametrize("sentence", ["$total > 5, start a review meeting with Legal", ""])
def test_steps_become_calls_when_their_meeting_is_written_and_prose_when_it_goes(sentence: str) -> None:
    step = f"If {sentence}" if sentence else "Start a review meeting with Legal"
    before = snapshot_of(f"# Desk\n## Main\n### Steps\n- {step}\n\n")
    there = advance(before, TextChange((TextEdit(Span(len(before.text), len(before.text)), MEETING),)))
    gone = advance(there, TextChange((TextEdit(Span(len(before.text), len(there.text)), ""),)))
    kinds = [
        type(getattr(m, "action", m)) for m in (one.program.playbooks[0].steps[0].meaning for one in (there, gone))
    ]
    assert kinds == [Call, Judge]


NAMED = [
    ("Load the user's account", "LoadUserAccount"),
    ("Load the account of the user", "LoadUserAccount"),
    ("Archive all tickets", "archive_tickets"),
]


@pytest.mark.parametrize(("sentence", "name"), NAMED)
def test_a_sentence_with_every_word_of_a_name_is_a_call(sentence: str, name: str) -> None:
    call = meaning_of(sentence, "## LoadUserAccount\n### Steps\n- Return 1\n", PYTHON)
    assert isinstance(call, Call)
    assert (call.target, call.is_resolved) == (name, True)


VAGUE = [
    ("Archive the old support tickets", "ArchiveOldSalesTickets"),
    ("Send the report", "SendWeeklyReport"),
    ("Load the account", "LoadUserAccount"),
    ("Load user accounts quickly", "LoadUserAccount"),
    ("Load the user's account unless it is cached", "LoadUserAccount"),
    ("Load the user's account only once", "LoadUserAccount"),
    ("Remove the user's account", "LoadUserAccount"),
    ("Start a Zoom meeting with the on-call lead", "StartMeeting"),
]


@pytest.mark.parametrize(("sentence", "name"), VAGUE)
def test_a_sentence_that_only_resembles_a_name_stays_a_step(sentence: str, name: str) -> None:
    assert isinstance(meaning_of(sentence, f"## {name}\n### Steps\n- Return 1\n"), Judge)


@pytest.mark.parametrize("sentence", ["Zoom()", "Call Zoom()", "`Zoom($lead)`", "Run Zoom with: who=$lead"])
def test_what_is_written_as_a_call_is_one_whether_or_not_it_is_there(sentence: str) -> None:
    call = meaning_of(sentence)
    assert isinstance(call, Call)
    assert (call.target, call.is_resolved) == ("Zoom", False)
