"""After its start a program that listens to messages goes on: it hears the next one, until nobody says any more."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from tests.conftest import PATIENCE_S
from tests.core.engine_driver import Played, begin, book, finished, play, scripted, wait_for
from tests.core.model_driver import MODEL, FakeModel, data, judge, options
from workbench.engine.audit.deeds import deeds_of
from workbench.engine.backends.person import NobodyBackend, PersonBackend
from workbench.engine.journal.choices import RunStatus
from workbench.engine.journal.journal import Journal
from workbench.engine.options import RunOptions
from workbench.engine.starting import resume_run
from workbench.errors import CannotRead
from workbench.model.snapshot import Snapshot

_SHOP = """# Shop
## Main
### Triggers
- When program starts
### Steps
- Say("Welcome")
- Return 1
## Refund
### Triggers
- When user asks for a refund
### Steps
- Say("Refunding: {$message}")
## Greet
### Triggers
- When user says "hello"
### Steps
- Say("Hello yourself")
"""
_REST = "## Other\n### Triggers\n- When a message arrives\n### Steps\n- Say('Heard {$message}')\n"


def _shop(more: str = "") -> Snapshot:
    return book("", _SHOP + more)


def _heard(played: Played) -> list[str]:
    return [body["text"] for body in played.bodies("message.heard")]


def _asked(played: Played) -> list[list[str]]:
    """The triggers that messages may have been meant for, question by question."""
    asked = [body for body in played.bodies("input.asked") if body.get("purpose") == "message"]
    return [[field["name"] for field in each["fields"]] for each in asked]


def test_the_run_hears_one_message_after_the_other_and_ends_with_the_last(tmp_path: Path) -> None:
    script = "messages:\n- hello\n- text: money back\n  triggers: [Refund]\n- Hello!\n"
    played = play(_shop(), tmp_path, script)
    assert played.told() == ["Welcome", "Hello yourself", "Refunding: money back", "Hello yourself"]
    assert (played.run.result, played.events[-2].name) == (1, "conversation.ended")


def test_exact_words_ask_nobody(tmp_path: Path) -> None:
    assert _asked(play(_shop(), tmp_path, "messages: [hello]")) == []


def test_all_triggers_that_are_a_judgement_are_asked_about_in_one_question(tmp_path: Path) -> None:
    more = "## Track\n### Triggers\n- When the user asks where an order is\n### Steps\n- Say('On its way')\n"
    script = "messages:\n- text: where is it, and I want money\n  triggers: [Refund, 'Track:T1']\n"
    played = play(_shop(more), tmp_path, script)
    assert _asked(played) == [["Refund_T1", "Track_T1"]]
    assert played.told()[1:] == ["Refunding: where is it, and I want money", "On its way"]


def test_the_answers_of_a_script_say_which_trigger_fits_too(tmp_path: Path) -> None:
    script = "messages: [money]\nanswers:\n- step: Refund:T1\n  values: {Refund_T1: true}\n"
    assert play(_shop(), tmp_path, script).told() == ["Welcome", "Refunding: money"]


def test_who_says_what_fits_nothing_is_told_what_there_is(tmp_path: Path) -> None:
    told = play(_shop(), tmp_path, "messages: [tell me a joke]").told()
    assert told[1].splitlines()[1:] == ["• When user asks for a refund", '• When user says "hello"']


def test_a_trigger_for_any_message_takes_what_no_other_does(tmp_path: Path) -> None:
    assert play(_shop(_REST), tmp_path, "messages: [hello, a joke]").told()[1:] == ["Hello yourself", "Heard a joke"]


def test_a_playbook_that_processes_messages_needs_no_trigger(tmp_path: Path) -> None:
    more = "## ProcessMessages($messages)\n### Steps\n- Say('{$messages[0][\"text\"]}!')\n"
    assert play(_shop(more), tmp_path, "messages: [a joke]").told()[1:] == ["a joke!"]


def test_the_same_words_fire_again(tmp_path: Path) -> None:
    assert play(_shop(), tmp_path, "messages: [hello, hello]").told()[1:] == ["Hello yourself"] * 2


def test_a_program_without_such_triggers_ends_as_before(tmp_path: Path) -> None:
    played = play("- Say('Hi')\n", tmp_path, "messages: [hello]")
    assert [event.name for event in played.events][-2:] == ["playbook.exited", "run.completed"]
    assert "goes_on" not in played.bodies("run.created")[0]


def test_a_chosen_playbook_is_carried_out_alone(tmp_path: Path) -> None:
    played = play(_shop(), tmp_path, "messages: [hello]", RunOptions(playbook="Refund", arguments={"message": "x"}))
    assert (played.told(), _heard(played)) == (["Refunding: x"], [])


def test_a_program_that_only_listens_begins_with_nothing(tmp_path: Path) -> None:
    text = "# B\n## Greet($name)\n### Triggers\n- When the user says 'hi'\n### Steps\n- Say('{$message}')\n"
    played = play(book("", text.replace("($name)", "")), tmp_path, "messages: [hi]")
    assert (played.told(), played.steps()) == (["hi"], ["Greet:01"])


def test_once_ends_where_a_message_would_be_waited_for(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "runs.sqlite")
    played = finished(begin(_shop(), journal, PersonBackend(), RunOptions(once=True)), journal)
    assert (played.told(), played.state.status) == (["Welcome"], RunStatus.COMPLETED)


def test_with_nobody_to_say_anything_the_run_ends(tmp_path: Path) -> None:
    text = _SHOP.replace("- When user asks for a refund", "- When user says 'refund'")
    journal = Journal(tmp_path / "runs.sqlite")
    assert finished(begin(book("", text), journal, NobodyBackend()), journal).state.status is RunStatus.COMPLETED


_EXACT = _SHOP.replace("- When user asks for a refund", '- When user says "refund"')


def test_a_waiting_run_says_so(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "runs.sqlite")
    run = begin(book("", _EXACT), journal, PersonBackend())
    wait_for(run, "wait.begun")
    assert (run.state.status, run.pending) == (RunStatus.LISTENING, None)
    assert journal.runs()[0].status is RunStatus.LISTENING
    run.stop()
    assert finished(run, journal).state.status is RunStatus.CANCELLED


def test_a_person_says_something_and_then_is_done(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "runs.sqlite")
    run = begin(book("", _EXACT), journal, PersonBackend())
    run.controls.mailbox.send("refund")
    wait_for(run, "wait.begun", 2)
    run.controls.mailbox.end()
    assert finished(run, journal).told() == ["Welcome", "Refunding: refund"]


def test_a_run_that_was_left_while_it_waited_waits_again(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "runs.sqlite")
    run = begin(book("", _EXACT), journal, PersonBackend())
    wait_for(run, "wait.begun")
    run.leave()
    assert run.wait(PATIENCE_S)
    again = resume_run(run.id, journal, PersonBackend())
    begun = wait_for(again, "wait.begun")
    assert (again.state.status, again.state.waiting.wait.span) == (RunStatus.LISTENING, begun[-1].span)
    assert journal.runs()[0].status is RunStatus.LISTENING
    again.controls.mailbox.send("hello")
    again.controls.mailbox.end()
    assert finished(again, journal).told() == ["Welcome", "Hello yourself"]


def test_a_pause_while_waiting_holds_at_once(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "runs.sqlite")
    run = begin(book("", _EXACT), journal, PersonBackend())
    wait_for(run, "wait.begun")
    run.pause()
    wait_for(run, "run.paused")
    assert run.state.status is RunStatus.PAUSED
    run.go_on()
    wait_for(run, "wait.begun")
    run.controls.mailbox.end()
    assert finished(run, journal).state.status is RunStatus.COMPLETED


def test_a_model_judges_which_trigger_a_message_is_meant_for(tmp_path: Path) -> None:
    model = FakeModel([data(Refund_T1=True)])
    played = judge(_shop(), tmp_path, model, options(model), scripted("messages: [money back please]"))
    assert played.told() == ["Welcome", "Refunding: money back please"]
    assert "money back please" in model.sent[0].messages[-1].text


def test_a_model_that_does_not_know_what_a_message_is_about_hands_over(tmp_path: Path) -> None:
    model = FakeModel([data(Refund_T1=None, cannot="it is unclear")])
    chosen = options(model, replace(MODEL, is_handing_over=True))
    script = "messages:\n- text: money\n  triggers: Refund\n"
    assert judge(_shop(), tmp_path, model, chosen, scripted(script)).told() == ["Welcome", "Refunding: money"]


_OFFICE = """# Office
## Main
### Triggers
- When program starts
### Steps
- SendMessage("Tax", "What is the rate?")
# Tax
## Rate
### Triggers
- When another agent asks for the rate
### Steps
- Say("19")
"""


def test_an_agent_hears_what_another_agent_has_sent_it(tmp_path: Path) -> None:
    script = "answers:\n- step: Rate:T1\n  values: {Rate_T1: true}\n"
    played = play(book("", _OFFICE), tmp_path, script)
    assert (played.told(), played.bodies("message.heard")[0]["to"]) == (["19"], "Tax")


def test_a_message_to_an_agent_that_fits_nothing_is_passed_over(tmp_path: Path) -> None:
    played = play(book("", _OFFICE), tmp_path)
    assert (played.told(), played.events[-1].name) == ([], "run.completed")


@pytest.mark.parametrize(
    ("script", "words"),
    [
        ("messages: hello", "must be a list"),
        ("messages:\n- txt: hello", "txt"),
        ("messages:\n- after: soon", "length of time"),
        ("clock: slow", "fast-forward"),
    ],
)
def test_a_script_says_what_is_wrong_with_its_messages(script: str, words: str, tmp_path: Path) -> None:
    with pytest.raises(CannotRead, match=words):
        play(_shop(), tmp_path, script)


def test_what_a_person_said_is_one_of_the_deeds_of_a_run(tmp_path: Path) -> None:
    deeds = deeds_of(play(_shop(), tmp_path, "messages: [hello]").events)
    assert [(deed.actor, deed.what, deed.arguments) for deed in deeds] == [("user", "message", '{"text": "hello"}')]
