"""Leave for calls: who is asked, what is shown, what may be said, and what the run makes of it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.core.approving import Asked, allow, allow_in_run, change, names_of, options_in, refuse, run_asked
from workbench.engine.answers import AnswerRefused, checked, fits
from workbench.engine.journal.choices import RunStatus
from workbench.engine.journal.journal import Journal
from workbench.engine.journal.run_events import ToolCalled
from workbench.engine.ports import Answer, CallToAllow, Leave, Request, RequestKind
from workbench.engine.starting import resume_run
from workbench.errors import InputNeeded
from workbench.tools.permissions import Rule
from workbench.tools.values import Asking, Preview

WRITE = '- write_file("a.txt", "hello")\n'
ECHO = '- $x = shell(["echo", "hi"])\n- Return $x\n'


def test_a_call_that_may_do_harm_asks_first_and_shows_what_would_happen(tmp_path: Path) -> None:
    person = Asked(allow)
    played = run_asked(WRITE, tmp_path, person)
    assert (tmp_path / "a.txt").read_text("utf-8") == "hello"
    assert names_of(played, "approval.") == ["approval.asked", "approval.granted", "approval.used"]
    assert person.calls[0].preview == Preview(
        "Write a new file a.txt", "--- a/a.txt\n+++ b/a.txt\n@@ -0,0 +1 @@\n+hello", True
    )


def test_a_command_is_shown_as_it_is_made(tmp_path: Path) -> None:
    person = Asked(allow)
    played = run_asked(ECHO, tmp_path, person)
    assert (person.calls[0].preview.summary, played.run.result) == ("echo hi", "hi")


def test_reading_in_the_project_is_not_asked_about(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("hello", "utf-8")
    person = Asked()
    played = run_asked('- $x = read_file("a.txt")\n- Return $x\n', tmp_path, person)
    assert (played.run.result, person.calls) == ("hello", [])


def test_a_refused_call_is_not_made_and_fails_its_step_with_the_reason(tmp_path: Path) -> None:
    played = run_asked(WRITE, tmp_path, Asked(refuse))
    assert not (tmp_path / "a.txt").exists()
    assert played.state.error == "Main:01 (line 4) failed: write_file failed: it was not allowed. Not on a Friday."


def test_a_refusal_can_be_answered_by_a_trigger(tmp_path: Path) -> None:
    text = "# Book\n## Main\n### Steps\n"
    triggers = '## Sorry\n### Triggers\n- When write_file fails\n### Steps\n- Return "not written"\n'
    played = run_asked(
        '- $x = write_file("a.txt", "hello")\n- Return $x\n' + triggers, tmp_path, Asked(refuse), before=text
    )
    assert played.run.result == "not written"


def test_changed_arguments_are_what_is_called_and_both_are_journaled(tmp_path: Path) -> None:
    played = run_asked(ECHO, tmp_path, Asked(change(command=["echo", "you"])))
    assert played.run.result == "you"
    assert played.bodies("tool.call")[0]["positional"] == [["echo", "hi"]]
    assert played.bodies("approval.granted")[0]["arguments"] == {"command": ["echo", "you"]}


def test_a_changed_call_that_is_not_as_it_was_shown_is_asked_about_again(tmp_path: Path) -> None:
    def shown_otherwise(call: CallToAllow) -> Answer:
        return Answer(leave=Leave(True, call.digest, {"command": ["echo", "you"]}, seen="of something else"))

    person = Asked(shown_otherwise, refuse)
    played = run_asked(ECHO, tmp_path, person)
    assert "approval.granted" not in names_of(played, "approval.")
    assert len(person.calls) == 2


def test_changed_arguments_that_are_forbidden_are_asked_about_again(tmp_path: Path) -> None:
    person = Asked(change(command=["echo", "no"]), refuse)
    options = options_in(tmp_path, Rule("shell", Asking.FORBIDDEN, "echo no"))
    played = run_asked(ECHO, tmp_path, person, options)
    assert "approval.granted" not in names_of(played, "approval.")
    assert len(person.calls) == 2


def test_allowed_for_the_run_is_the_same_command_only(tmp_path: Path) -> None:
    steps = '- shell(["echo", "a"])\n- shell(["echo", "a"])\n- shell(["echo", "b"])\n'
    person = Asked(allow_in_run)
    run_asked(steps, tmp_path, person)
    assert [call.preview.summary for call in person.calls] == ["echo a", "echo b"]


def test_once_in_a_run_is_asked_once(tmp_path: Path) -> None:
    person = Asked(allow)
    options = options_in(tmp_path, Rule("shell", Asking.ONCE))
    run_asked('- shell(["echo", "a"])\n' * 3, tmp_path, person, options)
    assert len(person.calls) == 1


def test_a_rule_lets_calls_through_unasked(tmp_path: Path) -> None:
    person = Asked()
    options = options_in(tmp_path, Rule("shell", Asking.NEVER, "echo **"))
    played = run_asked(ECHO, tmp_path, person, options)
    assert (played.run.result, names_of(played, "approval.")) == ("hi", [])


def test_the_project_makes_it_stricter_and_never_looser(tmp_path: Path) -> None:
    (tmp_path / "workbench.toml").write_text('[tools]\nask = ["clock"]\nforbid = ["shell"]\n', "utf-8")
    person = Asked(allow)
    options = options_in(tmp_path, Rule("shell", Asking.NEVER))
    played = run_asked("- $now = clock()\n" + ECHO, tmp_path, person, options)
    assert [call.tool for call in person.calls] == ["clock"]
    assert "it was not allowed" in played.state.error


@pytest.mark.parametrize(
    "before",
    [
        "---\ntools: [read_file]\n---\n# Book\n## Main\n### Steps\n",
        "# Book\n## Main\ntools: [read_file]\n### Steps\n",
    ],
)
def test_a_file_can_limit_the_tools_of_its_playbooks(tmp_path: Path, before: str) -> None:
    person = Asked(allow)
    options = options_in(tmp_path, Rule("shell", Asking.NEVER))
    played = run_asked(ECHO, tmp_path, person, options, before)
    assert "not among those that may be used here" in played.state.error
    assert person.calls == []


def test_a_name_of_the_file_wins_over_a_tool(tmp_path: Path) -> None:
    before = "# Book\n```python\n@playbook\ndef clock():\n    return 'noon'\n```\n## Main\n### Steps\n"
    options = options_in(tmp_path, is_trusted=True)
    played = run_asked("- $x = clock()\n- Return $x\n", tmp_path, Asked(), options, before)
    assert played.run.result == "noon"


def test_python_of_the_file_is_asked_about_where_the_person_wants_that(tmp_path: Path) -> None:
    before = "# Book\n```python\n@playbook\ndef pay(amount: int):\n    return amount\n```\n## Main\n### Steps\n"
    options = options_in(tmp_path, Rule("pay", Asking.ALWAYS), is_trusted=True)
    person = Asked(change(amount=7))
    played = run_asked("- $x = pay(70)\n- Return $x\n", tmp_path, person, options, before)
    assert (played.run.result, person.calls[0].preview.summary) == (7, "pay(amount=70)")


def test_without_anybody_the_run_waits_and_goes_on_later(tmp_path: Path) -> None:
    waiting = run_asked(WRITE, tmp_path, Asked())
    assert isinstance(waiting.run.halt, InputNeeded)
    journal = Journal(tmp_path / "runs.sqlite")
    person = Asked(allow)
    run = resume_run(waiting.run.id, journal, person, options_in(tmp_path))
    assert run.wait(60)
    assert (len(person.calls), run.state.status) == (1, RunStatus.COMPLETED)
    assert sum(event.name == "approval.asked" for event in journal.read(run.id)) == 1


def test_what_is_another_thing_by_now_is_asked_about_anew(tmp_path: Path) -> None:
    waiting = run_asked(WRITE, tmp_path, Asked())
    (tmp_path / "a.txt").write_text("somebody was quicker\n", "utf-8")
    person = Asked(refuse)
    run = resume_run(waiting.run.id, Journal(tmp_path / "runs.sqlite"), person, options_in(tmp_path))
    assert run.wait(60)
    assert [call.preview.summary for call in person.calls] == ["Change the file a.txt"]


def test_a_file_that_changes_while_leave_is_given_is_asked_about_again(tmp_path: Path) -> None:
    def meddle(call: CallToAllow) -> Answer:
        (tmp_path / "a.txt").write_text("somebody was quicker\n", "utf-8")
        return allow(call)

    person = Asked(meddle, refuse)
    played = run_asked(WRITE, tmp_path, person)
    assert (tmp_path / "a.txt").read_text("utf-8") == "somebody was quicker\n"
    assert "approval.expired" in names_of(played, "approval.")


def test_leave_that_is_too_old_is_asked_for_again(tmp_path: Path) -> None:
    person = Asked(allow, refuse)
    played = run_asked(WRITE, tmp_path, person, options_in(tmp_path, approval_limit_s=-1.0))
    assert names_of(played, "approval.")[:3] == ["approval.asked", "approval.expired", "approval.asked"]
    assert not (tmp_path / "a.txt").exists()


def test_a_call_that_cannot_be_made_at_all_is_not_asked_about(tmp_path: Path) -> None:
    person = Asked(allow)
    played = run_asked('- shell("echo a && echo b")\n', tmp_path, person)
    assert "No shell reads this command" in played.state.error
    assert person.calls == []


@pytest.fixture
def request_() -> Request:
    """A call that asks for leave."""
    schema = {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]}
    call = CallToAllow("k", "pay", "a server", {"n": 1}, schema, "digest", Preview("pay 1"))
    return Request("leave1", RequestKind.APPROVE, "Main:01", "May it?", call=call)


@pytest.mark.parametrize(
    "answer",
    [
        Answer(),
        Answer(decision=True, text="yes"),
        Answer(leave=Leave(True, "another digest")),
        Answer(leave=Leave(True, "digest", {"n": "many"})),
        Answer(leave=Leave(True, "digest", {})),
    ],
)
def test_an_answer_about_anything_else_is_none(request_: Request, answer: Answer) -> None:
    assert not fits(request_, "leave1", answer)
    with pytest.raises(AnswerRefused):
        checked(request_, answer)


def test_an_answer_about_the_call_is_taken(request_: Request) -> None:
    assert fits(request_, "leave1", Answer(leave=Leave(True, "digest", {"n": 2})))


def test_the_intent_says_that_it_asks(tmp_path: Path) -> None:
    played = run_asked(WRITE, tmp_path, Asked(allow))
    calls: list[Any] = [event.payload for event in played.events]
    assert [call.asks for call in calls if isinstance(call, ToolCalled)] == [True]
