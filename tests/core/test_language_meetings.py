"""Meetings: a host, those who come, what is said to whom, what all of them see, and the end."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.core.engine_driver import Played, book, finished, play, scripted
from workbench.engine.journal.journal import Journal
from workbench.engine.options import RunOptions
from workbench.engine.starting import resume_run
from workbench.engine.state.fold import fold
from workbench.model.checks.families import check_markdown
from workbench.model.meaning import Judge
from workbench.model.sentences.classify import classify

_HOST = "# Host\n## Main\n### Steps\n- {call}\n- Return $r\n## Review($topic)\nmeeting: true\n### Steps\n{steps}"
_OTHERS = (
    "# Law\n## Join($topic)\nmeeting: true\n### Steps\n{law}"
    "# Tax\n## Attend\nmeeting: true\n### Steps\n{tax}"
    "# Busy\n## One\nmeeting: true\n### Steps\n- Return 1\n## Two\nmeeting: true\n### Steps\n- Return 2\n"
    "# Ann:Human\n"
)
_CALL = "$r = Review(topic='prices', attendees=['Law', 'Tax'])"
_ASK = "- Say('meeting', 'What about {$topic}?')\n- $said = WaitForMessage('meeting')\n- Return $said\n"
_LAW = "- $heard = WaitForMessage('meeting')\n- Say('meeting', 'Law: {$topic} are legal')\n"
_TAX = "- $heard = WaitForMessage('meeting')\n- Say('meeting', 'Tax: 7 percent')\n"


def _meet(folder: Path, steps: str = _ASK, call: str = _CALL, law: str = _LAW, tax: str = _TAX) -> Played:
    text = _HOST.format(call=call, steps=steps) + _OTHERS.format(law=law, tax=tax)
    return play(book("", text), folder)


def test_everyone_has_a_turn_and_the_host_hears_them(tmp_path: Path) -> None:
    played = _meet(tmp_path)
    assert played.run.result == [
        {"from": "Law", "text": "Law: prices are legal"},
        {"from": "Tax", "text": "Tax: 7 percent"},
    ], played.state.error
    assert fold(played.events) == played.state


def test_a_meeting_is_opened_everyone_invited_and_at_the_end_it_is_closed(tmp_path: Path) -> None:
    played = _meet(tmp_path)
    kinds = [event.name for event in played.events if event.name.startswith(("meeting", "message"))]
    assert kinds[:3] == ["meeting.opened", "meeting.invited", "meeting.invited"]
    assert kinds[-1] == "meeting.ended"
    assert kinds.count("meeting.ended") == 1
    assert [body["agent"] for body in played.bodies("meeting.turn")] == ["Law", "Tax", "Host"]


def test_a_sentence_opens_a_meeting(tmp_path: Path) -> None:
    call = 'Start a review meeting with Law and Tax about "prices"'
    assert len(_meet(tmp_path, call=call).bodies("message.sent")) == 3


def test_whoever_has_not_one_meeting_playbook_does_not_come(tmp_path: Path) -> None:
    played = _meet(tmp_path, call="$r = Review(topic='x', attendees=['Busy', 'Law', 'Ann'])")
    accepted = {body["agent"]: body["is_accepted"] for body in played.bodies("meeting.invited")}
    assert accepted == {"Busy": False, "Law": True, "Ann": True}
    reasons = [body["reason"] for body in played.bodies("meeting.invited")]
    assert reasons[0] == "it needs exactly one playbook for meetings, not 2"


def test_a_meeting_does_not_begin_without_whom_it_requires(tmp_path: Path) -> None:
    steps = "- Return 1\n"
    text = _HOST.format(call="$r = Review('x')", steps=steps).replace(
        "meeting: true\n", "meeting: true\nrequired_attendees: [Busy]\n", 1
    )
    played = play(book("", text + _OTHERS.format(law=_LAW, tax=_TAX)), tmp_path)
    assert "the meeting cannot start without Busy" in played.state.error


def test_something_said_to_one_is_not_heard_by_the_others(tmp_path: Path) -> None:
    steps = "- Say('meeting 100, agent 1001', 'only Law')\n- $said = WaitForMessage('meeting')\n- Return $said\n"
    law = "- $m = WaitForMessage('meeting')\n- Say('meeting 100, agent 1000', $m[0].text)\n"
    tax = "- $m = WaitForMessage('meeting')\n- Say('Host', len($m))\n"
    played = _meet(tmp_path, steps, law=law, tax=tax)
    assert played.run.result == [{"from": "Law", "text": "only Law"}]
    assert played.bodies("message.sent")[0]["to"] == ["Law"]


@pytest.mark.parametrize("word", ["meeting", "meeting 100", "Meeting 100", " meeting 100 "])
def test_a_meeting_is_meant_by_its_word_or_its_number(word: str, tmp_path: Path) -> None:
    played = _meet(tmp_path, steps=_ASK.replace("WaitForMessage('meeting')", f"WaitForMessage('{word}')"))
    assert [message["from"] for message in played.run.result] == ["Law", "Tax"]


def test_all_see_what_is_shared(tmp_path: Path) -> None:
    steps = "- SetMeetingState(price=5)\n- $said = WaitForMessage('meeting')\n- Return meeting.state.price\n"
    law = "- SetMeetingState('price', meeting.state.price + 1)\n- Say('meeting', meeting.topic)\n"
    tax = "- SetMeetingState('price', meeting.state.price * 2)\n"
    assert _meet(tmp_path, steps, law=law, tax=tax).run.result == 12


_SHARED = {
    "meeting.state.price = 5": 5,
    "self.current_meeting.shared_state.price = 5": 5,
    "Set meeting.state.price to 5": 5,
    "meeting.shared_state.price += 2": 5,
    "self.meeting.state.price = meeting.state.price + 2": 5,
}


@pytest.mark.parametrize("step", _SHARED)
def test_what_is_shared_is_set_by_a_step(step: str, tmp_path: Path) -> None:
    steps = f"- SetMeetingState(price=3)\n- {step}\n- Return self.current_meeting.shared_state.price\n"
    played = _meet(tmp_path, steps)
    assert (played.run.result, played.bodies("input.asked")) == (_SHARED[step], []), played.state.error


@pytest.mark.parametrize("step", ["meeting.state.price is high", "meeting.state.mood = rather good", "meeting starts"])
def test_what_is_not_exactly_shared_is_judged(step: str) -> None:
    assert classify(step, False) == Judge(step)


def test_a_trigger_hears_what_is_shared_in_the_meeting_of_its_agent(tmp_path: Path) -> None:
    law = _LAW + "- Say('meeting', 'more')\n## Notice\n### Triggers\n- When meeting.state.price > 4\n### Steps\n"
    law += "- Say('high: {meeting.state.price}')\n"
    steps = "- SetMeetingState(price=5)\n- $said = WaitForMessage('meeting')\n- Return 1\n"
    assert _meet(tmp_path, steps, law=law, tax="- Return 1\n").told() == ["high: 5"]


def test_what_every_meeting_is_given_is_no_unset_variable() -> None:
    text = "# A\n## Chat\nmeeting: true\n### Steps\n- Say('{$topic} {attendees}')\n- Return $topic\n"
    assert [each.code for each in check_markdown(book("", text))] == []


def test_a_meeting_is_no_unset_variable() -> None:
    text = _HOST.format(call=_CALL, steps="- meeting.state.price = 1\n- Return meeting.state.price\n")
    found = [each.code for each in check_markdown(book("", text + _OTHERS.format(law=_LAW, tax=_TAX)))]
    assert "unset-variable" not in found


def test_who_has_not_had_a_turn_has_one_before_the_meeting_ends(tmp_path: Path) -> None:
    played = _meet(tmp_path, "- Return 'done'\n", law="- Say('Law was here')\n", tax="- Say('Tax was here')\n")
    assert (played.told(), played.run.result) == (["Law was here", "Tax was here"], "done")


def test_several_rounds_are_several_turns(tmp_path: Path) -> None:
    steps = (
        "- Repeat 2 times\n  - Say('meeting', 'again')\n  - $said = WaitForMessage('meeting')\n"
        "- Return meeting.messages\n"
    )
    law = "- Repeat 2 times\n  - $m = WaitForMessage('meeting')\n  - Say('meeting', 'yes')\n"
    tax = "- $m = WaitForMessage('meeting')\n"
    said = _meet(tmp_path, steps, law=law, tax=tax).run.result
    assert [(each["from"], each["text"]) for each in said] == [  # type: ignore[attr-defined]
        *(("Host", "again"), ("Law", "yes")) * 2,
    ]


def test_a_person_is_asked_what_they_say(tmp_path: Path) -> None:
    steps = "- Say('meeting', 'well?')\n- Repeat 2 times\n"
    steps += "  - $said = WaitForMessage('meeting')\n  - Say('user', $said)\n"
    text = _HOST.format(call="$r = Review(topic='x', attendees=['Ann'])", steps=steps)
    answers = "answers: [{text: fine}, {values: {message: ''}}]"
    played = play(book("", text + _OTHERS.format(law=_LAW, tax=_TAX)), tmp_path, answers)
    assert [body["target"] for body in played.bodies("input.asked")] == ["Ann", "Ann"]
    assert played.told() == ['[{"from": "Ann", "text": "fine"}]', "[]"]
    assert fold(played.events) == played.state


def test_more_can_be_invited_later(tmp_path: Path) -> None:
    steps = "- InviteToMeeting('meeting', ['Tax'])\n- $said = WaitForMessage('meeting')\n- Return meeting.attendees\n"
    played = _meet(tmp_path, steps, call="$r = Review(topic='x', attendees=['Law'])")
    assert played.run.result == ["Law", "Tax"]


def test_a_meeting_that_is_over_cannot_be_spoken_to(tmp_path: Path) -> None:
    text = _HOST.format(call=_CALL + "\n- Say('meeting 100', 'hello')", steps="- Return 1\n")
    played = play(book("", text + _OTHERS.format(law=_LAW, tax=_TAX)), tmp_path)
    assert "there is no open meeting" in played.state.error


def test_a_meeting_goes_on_from_wherever_it_was_cut_off(tmp_path: Path) -> None:
    text = _HOST.format(call=_CALL, steps=_ASK) + _OTHERS.format(law=_LAW, tax=_TAX)
    snapshot = book("", text)
    whole = play(snapshot, tmp_path)
    for cut in range(1, len(whole.events), 4):
        folder = tmp_path / str(cut)
        folder.mkdir()
        journal = Journal(folder / "runs.sqlite")
        journal.append(whole.events[:cut])
        journal.keep(snapshot.source.encode())
        again = finished(resume_run(whole.run.id, journal, scripted(""), RunOptions()), journal)
        assert again.run.result == whole.run.result, again.state.error
        assert [event.name for event in again.events if event.name != "run.resumed"] == [
            event.name for event in whole.events
        ]
        journal.close()
