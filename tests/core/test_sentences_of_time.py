"""Sentences about time and about messages: which are exact, and which are left to judgement."""

from __future__ import annotations

import pytest

from workbench.model.meaning import Hearing, Judge, Sender, Timing, Wait
from workbench.model.sentences.classify import classify, classify_trigger
from workbench.model.sentences.listening import normal

_EVERY_DAY = frozenset(range(7))
TIMES = {
    "After 5 minutes": Timing(300),
    "After 5 minutes.": Timing(300),
    "T2:EVT After 5 minutes": Timing(300),
    "In half an hour": Timing(1800),
    "After 1.5 hours have passed": Timing(5400),
    "When ten minutes have passed": Timing(600),
    "Once 2 h have elapsed since the start": Timing(7200),
    "30 seconds after the program starts": Timing(30),
    "**After** 5 minutes": Timing(300),
    "Every hour": Timing(3600, is_repeated=True),
    "Every 15 min": Timing(900, is_repeated=True),
    "Each two days": Timing(172800, is_repeated=True),
    "Once a week": Timing(604800, is_repeated=True),
    "Hourly": Timing(3600, is_repeated=True),
    "Daily": Timing(86400, is_repeated=True),
    "Daily at 9 am": Timing(0, 540, _EVERY_DAY, is_repeated=True),
    "Every day at 17:30": Timing(0, 1050, _EVERY_DAY, is_repeated=True),
    "Every Monday at 9:00": Timing(0, 540, frozenset({0}), is_repeated=True),
    "On weekdays at noon": Timing(0, 720, frozenset(range(5)), is_repeated=True),
    "At 9:00": Timing(0, 540),
    "At 9 o'clock": Timing(0, 540),
    "At 12 am": Timing(0, 0),
    "At 12 p.m.": Timing(0, 720),
    "At midnight": Timing(0, 0),
    "When it is 21:05": Timing(0, 1265),
}


@pytest.mark.parametrize("text", TIMES)
def test_a_trigger_of_the_clock_is_exact(text: str) -> None:
    trigger = classify_trigger(text)
    assert (trigger.timing, trigger.hearing, trigger.condition) == (TIMES[text], None, None)


@pytest.mark.parametrize(
    "text",
    ["After a while", "At 25:00", "At 9:75", "At 13 pm", "At 9", "Every now and then", "After 0 minutes",
     "Every 0 hours", "After 5 minutes, check the disk", "At the end", "Every 99999 days"],
)  # fmt: skip
def test_what_names_no_time_of_a_clock_is_judged(text: str) -> None:
    assert classify_trigger(text).timing is None


WAITS = {
    "Wait 10 minutes": Timing(600),
    "Wait for 10 minutes.": Timing(600),
    "wait for an hour": Timing(3600),
    "Pause for 30 s": Timing(30),
    "Sleep 2 seconds": Timing(2),
    "Wait until 9:00": Timing(0, 540),
    "Wait until noon": Timing(0, 720),
}


@pytest.mark.parametrize("text", WAITS)
def test_a_step_that_waits_is_exact(text: str) -> None:
    assert classify(text, False) == Wait(text, WAITS[text])


@pytest.mark.parametrize("text", ["Wait for the user", "Wait $n minutes", "Wait", "Wait until they are done"])
def test_a_wait_for_something_else_is_judged(text: str) -> None:
    assert isinstance(classify(text, False), Judge)


_USER, _ANY = Hearing(Sender.USER), Hearing(Sender.ANYONE)
HEARD = {
    "When user asks for refund": _USER,
    "When the user asks about an order": _USER,
    "As soon as user provides a pin": _USER,
    "When user is extremely frustrated": _USER,
    "T1:EVT When a customer complains": _USER,
    "When the user likes $city": _USER,
    'When the user says "hello"': Hearing(Sender.USER, ("hello",)),
    'When user types "yes" or "ok"': Hearing(Sender.USER, ("yes", "ok")),
    "When the message contains “refund”": Hearing(Sender.USER, ("refund",), is_within=True),
    "When a message arrives": Hearing(Sender.ANYONE, is_rest=True),
    "When the user says anything": Hearing(Sender.ANYONE, is_rest=True),
    "Upon receiving a message": Hearing(Sender.ANYONE, is_rest=True),
    "When no suitable playbook is found to help user": Hearing(Sender.ANYONE, is_rest=True),
    "Upon receiving message from Tax": Hearing(Sender.AGENT),
    "When another agent asks you for tax rate": Hearing(Sender.AGENT),
    "When Persona Simulator agent wants to talk with you": Hearing(Sender.AGENT),
    "When asked about opening hours": _ANY,
    "When a message about money arrives": _ANY,
}


@pytest.mark.parametrize("text", HEARD)
def test_a_trigger_about_messages_is_known_as_one(text: str) -> None:
    assert classify_trigger(text).hearing == HEARD[text]


@pytest.mark.parametrize(
    "text",
    ["When pigs fly", "When meeting phase changes", "When invited to a meeting", "When $user_count > 3", "At the start",
     "After calling Ask", "When the user's order is late", "When you need to get a secret about a country"],
)  # fmt: skip
def test_other_triggers_listen_to_no_message(text: str) -> None:
    assert classify_trigger(text).hearing is None


def test_exact_words_are_compared_without_case_and_marks() -> None:
    assert normal("  Hello   THERE!! ") == normal("hello there.") == "hello there"
