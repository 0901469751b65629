"""Sentences that open meetings and make agents, and the moments that triggers of meetings wait for."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.core.check import snapshot_of
from tests.core.engine_driver import Played, book, play
from workbench.engine.language.program.code import compile_playbook
from workbench.model.assembly.compiling import compile_assembly
from workbench.model.meaning import Ask, Branch, Call, Judge, Meaning, Tell
from workbench.model.sentences.classify import classify_trigger
from workbench.model.sentences.conditions import exact_condition

_PROGRAM = (
    "# Host\n## Main\n### Steps\n- {step}\n\n## ChatMeeting\nmeeting: true\n### Steps\n- Return meeting.topic\n"
    "# Guest\n## Talk\nmeeting: true\n### Steps\n- Say('Guest was here')\n"
    "# Tax Clerk\n## Join\n### Steps\n- Return 2\n"
    "# Alice:Human\n"
)


def _meaning(step: str, program: str = _PROGRAM) -> Meaning:
    meaning = snapshot_of(program.format(step=step)).program.playbooks[0].steps[0].meaning
    return meaning.action if isinstance(meaning, Branch) and meaning.action is not None else meaning


def _written(step: str) -> str:
    """The call that *step* is, as one writes it."""
    call = _meaning(step)
    assert isinstance(call, Call), call
    arguments = ", ".join(f"{each.name}={each.value.source}".removeprefix("=") for each in call.arguments)
    result = f"${call.result.name} = " if call.result else ""
    return f"{result}{call.target}({arguments})"


CALLS = {
    "Have a chat meeting with the Guest to agree on terms": (
        'ChatMeeting(topic="agree on terms", attendees=["Guest"])'
    ),
    "Have a chat meeting with Guest": 'ChatMeeting(attendees=["Guest"])',
    "Start a chat meeting with Guest agent.": 'ChatMeeting(attendees=["Guest"])',
    "Start and run a chat meeting with Alice and the guest": 'ChatMeeting(attendees=["Alice", "Guest"])',
    "Then hold the chat meeting with our tax clerk, Alice and Guest": (
        'ChatMeeting(attendees=["TaxClerk", "Alice", "Guest"])'
    ),
    "Start a chat meeting with agent 1001": 'ChatMeeting(attendees=["agent 1001"])',
    "Start a chat meeting with $guest": "ChatMeeting(attendees=[$guest])",
    "Start a chat meeting with Bob": 'ChatMeeting(attendees=["Bob"])',
    "$r = Have a chat meeting with Guest about $x": '$r = ChatMeeting(topic=$x, attendees=["Guest"])',
    'Open a chat meeting with Guest about "prices, and more"': (
        'ChatMeeting(topic="prices, and more", attendees=["Guest"])'
    ),
    "Start a chat meeting with Guest about prices and quality": (
        'ChatMeeting(topic="prices and quality", attendees=["Guest"])'
    ),
    "If 1 > 0, have a chat meeting with Guest": 'ChatMeeting(attendees=["Guest"])',
    "Create a Guest": 'CreateAgent("Guest")',
    "Create an agent Guest": 'CreateAgent("Guest")',
    "Then create a new tax clerk agent as $c": '$c = CreateAgent("TaxClerk")',
    "Create a Guest and store it in $g": '$g = CreateAgent("Guest")',
    "$g = Create another Guest": '$g = CreateAgent("Guest")',
}


@pytest.mark.parametrize("step", CALLS)
def test_a_sentence_that_says_all_of_a_call_is_that_call(step: str) -> None:
    assert _written(step) == CALLS[step]


PROSE = [
    "Start a chat meeting with Guest until all agree",
    "Start a chat meeting with Guest to agree on terms and return the result",
    "Start a chat meeting with Guest about prices, then end the program",
    "Start a chat meeting with Guest to agree on the $price",
    "Start a chat meeting with the user",
    "Start a chat meeting with everyone",
    "Start a chat meeting with Guest for 3 turns",
    "Start a price meeting with Guest",
    "Create a ticket",
    "Create an Alice",
    "Create a Guest called Ada",
    "Create a Guest and a Tax Clerk",
    "Create a Guest with name Ada",
    "Create a Guest if there is none",
]


@pytest.mark.parametrize("step", PROSE)
def test_a_sentence_that_says_more_or_something_else_is_judged_as_a_whole(step: str) -> None:
    meaning = _meaning(step)
    assert isinstance(meaning, Judge)
    assert meaning.text == step


def test_a_meeting_without_a_name_is_the_only_one_that_can_be_held() -> None:
    two = _PROGRAM.replace("# Tax Clerk\n## Join\n### Steps\n- Return 2\n", "")
    call = _meaning("Start a meeting with Guest", two)
    assert isinstance(call, Call)
    assert call.target == "ChatMeeting"


def test_a_meeting_without_a_name_is_judged_where_it_depends_on_who_speaks() -> None:
    assert isinstance(_meaning("Start a meeting with Guest"), Judge)


def test_a_meeting_is_judged_where_two_have_its_name() -> None:
    two = _PROGRAM.replace("## Talk", "## Chat")
    assert isinstance(_meaning("Start a chat meeting with Alice", two), Judge)


def _run(step: str, folder: Path) -> Played:
    return play(book("", _PROGRAM.format(step=step)), folder)


def test_what_a_meeting_is_for_is_its_topic(tmp_path: Path) -> None:
    played = _run("$r = Have a chat meeting with the Guest to agree on terms\n- Return $r", tmp_path)
    assert (played.run.result, played.told()) == ("agree on terms", ["Guest was here"])


def test_whoever_is_not_there_cannot_be_invited(tmp_path: Path) -> None:
    failed = _run("Start a chat meeting with Bob", tmp_path).state.error
    assert failed == (
        "Main:01 (line 4) failed: there is no agent or person called “Bob” to invite; "
        "there are Host, Guest, TaxClerk, Alice."
    )


def test_a_meeting_is_not_held_where_nobody_comes(tmp_path: Path) -> None:
    failed = _run("Start a chat meeting with the tax clerk", tmp_path).state.error
    assert failed == (
        "Main:01 (line 4) failed: nobody who was invited comes to the meeting "
        "(TaxClerk: it needs exactly one playbook for meetings, not 0)."
    )


_INVITED = (
    "# Host\n## Main\n### Steps\n- Review(attendees=['Law'])\n- Return 1\n"
    "## Review\nmeeting: true\n### Steps\n- Say('begun')\n- $x = 1\n- Return 1\n# Law\n"
)


def _invited(law: str, folder: Path) -> Played:
    return play(book("", _INVITED + law), folder)


def test_a_trigger_for_an_invitation_fires_once_when_its_agent_is_invited(tmp_path: Path) -> None:
    law = (
        "## Join\nmeeting: true\n### Steps\n- Say('joined')\n"
        "## Prepare\n### Triggers\n- When invited to a meeting\n### Steps\n- Say('prepared')\n"
    )
    played = _invited(law, tmp_path)
    assert (played.told(), played.bodies("input.asked")) == (["prepared", "begun", "joined"], [])
    assert [body["cause"] for body in played.bodies("trigger.fired")] == ["invited"]


@pytest.mark.parametrize("meeting", ["meeting: true\n", ""])
def test_a_playbook_that_begins_with_an_invitation_is_how_its_agent_takes_part(meeting: str, tmp_path: Path) -> None:
    law = f"## Join\n{meeting}### Triggers\n- When invited to a meeting\n### Steps\n- Say('joined')\n"
    played = _invited(law, tmp_path)
    assert (played.told(), played.bodies("trigger.fired")) == (["begun", "joined"], [])


def test_a_playbook_that_begins_with_an_invitation_is_meant_before_others_for_meetings(tmp_path: Path) -> None:
    law = (
        "## One\nmeeting: true\n### Steps\n- Say('one')\n"
        "## Two\nmeeting: true\n### Triggers\n- When you are invited to a meeting\n### Steps\n- Say('two')\n"
    )
    assert _invited(law, tmp_path).told() == ["begun", "two"]


def test_a_trigger_for_a_certain_meeting_waits_for_that(tmp_path: Path) -> None:
    law = "## Join\nmeeting: true\n### Steps\n- Say('joined')\n"
    for name in ("review", "price"):
        law += f"## For {name}\n### Triggers\n- When invited to a {name} meeting\n### Steps\n- Say('{name}')\n"
    assert _invited(law, tmp_path).told() == ["review", "begun", "joined"]


def test_a_trigger_of_an_agent_in_a_meeting_knows_its_meeting(tmp_path: Path) -> None:
    law = (
        "## Join\nmeeting: true\n### Steps\n- $n = 5\n- Say('state {meeting.state.seen}')\n"
        "## Notice\n### Triggers\n- When $n > 3\n### Steps\n- SetMeetingState(seen=$n)\n"
    )
    assert _invited(law, tmp_path).told() == ["begun", "state 5"]


def test_a_trigger_that_answers_an_invitation_knows_the_meeting(tmp_path: Path) -> None:
    law = (
        "## Join\nmeeting: true\n### Steps\n- Say('state {meeting.state.ready}')\n"
        "## Prepare\n### Triggers\n- When invited\n### Steps\n- SetMeetingState(ready=1)\n"
    )
    assert _invited(law, tmp_path).told() == ["begun", "state 1"]


MOMENTS = {
    "When invited": ("invited", ""),
    "When invited to a meeting": ("invited", ""),
    "On being invited to the meeting.": ("invited", ""),
    "Upon receiving a meeting invitation": ("invited", ""),
    "T1:EVT When the agent is invited to a meeting": ("invited", ""),
    "When you are invited to the price meeting": ("invited", "Price"),
    "At the end": ("end", ""),
    "At the very end of the conversation": ("end", ""),
    "Before ending program": ("end", ""),
    "Before the program ends": ("end", ""),
    "When the program is about to end": ("end", ""),
    "When the customer invited friends": ("", ""),
    "When invited to a meeting by Bob": ("", ""),
    "At the end of the month": ("", ""),
    "Before ending the call": ("", ""),
    "After the program ends": ("", ""),
}


@pytest.mark.parametrize("text", MOMENTS)
def test_a_moment_is_exact_where_its_words_are_plain(text: str) -> None:
    trigger = classify_trigger(text)
    assert (trigger.moment, trigger.subject) == MOMENTS[text]


@pytest.mark.parametrize(
    "text", ["When the agent starts running", "When this agent starts", "Once the program is started"]
)
def test_the_start_of_the_agent_is_a_start(text: str) -> None:
    assert classify_trigger(text).is_start


@pytest.mark.parametrize(
    ("condition", "is_exact"),
    [
        ('"no" in meeting.state.votes', True),
        ("meeting.state.yes is at least 3", True),
        ("not meeting.state.done and $n > 2", True),
        ("meeting is over", False),
        ("the meeting is over", False),
        ("they agree in e.g. two of these", False),
    ],
)
def test_what_a_meeting_keeps_is_a_value_in_conditions(condition: str, is_exact: bool) -> None:  # noqa: FBT001
    assert (exact_condition(condition) is not None) is is_exact


def test_a_person_of_the_program_is_asked_and_told_wherever_steps_are_read() -> None:
    program = '# A\n## Main\n### Steps\n- Ask Vera for $n\n- If $n, tell Vera "{$n}"\n# Vera:Human\n'
    asked, branch = (step.meaning for step in snapshot_of(program).program.playbooks[0].steps)
    assert isinstance(asked, Ask)
    assert isinstance(branch, Branch)
    assert isinstance(branch.action, Tell)
    assert (asked.target, branch.action.target) == ("Vera", "Vera")
    compiled = compile_assembly(snapshot_of(program)).text
    assert "- 01:EXE Ask Vera for $n" in compiled
    assert compile_assembly(snapshot_of(compiled)).text == compiled


def test_a_topic_with_bytes_that_are_no_text_is_judged() -> None:
    assert isinstance(_meaning("Hold a review meeting with Bob to agree on te\udcf1rms"), Judge)


def test_a_wait_for_an_agent_in_quotes_can_be_carried_out() -> None:
    snapshot = snapshot_of('# A\n## Main\n- 01:YLD for agent "Bob"\n')
    code = compile_playbook(snapshot.program.playbooks[0], snapshot)
    calls = [each.meaning for each in code.instructions if isinstance(each.meaning, Call)]
    assert [call.target for call in calls] == ["WaitForMessage"]
