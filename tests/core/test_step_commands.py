"""The commands under a judged step: what they are, who may run them, and that the question stays open meanwhile."""

from __future__ import annotations

import io
from dataclasses import replace
from pathlib import Path

import pytest

from tests.core.engine_driver import Played, book, finished
from workbench.cli.running.prompt import ask
from workbench.engine.answers import AnswerRefused, checked
from workbench.engine.backends.person import PersonBackend
from workbench.engine.journal.journal import Journal
from workbench.engine.options import RunOptions
from workbench.engine.ports import Answer, CommandRun, Leave, Request, RequestKind, StepCommand
from workbench.engine.starting import resume_run, start_run
from workbench.model.shell_blocks import has_shell_blocks, shell_blocks
from workbench.tools.permissions import Permissions, Rule
from workbench.tools.values import Asking

STEPS = '- $word = "there"\n- Look\n  ```sh\n  echo hi {$word}\n  ```\n- Return 1\n'


class Asked:
    """A run of *steps* whose person is a test."""

    def __init__(self, folder: Path, steps: str = STEPS, *rules: Rule) -> None:
        self.journal = Journal(folder / "runs.sqlite")
        self.options = RunOptions(path=str(folder / "book.md"), policy=Permissions(rules=rules))
        self.run = start_run(book(steps), self.journal, PersonBackend(), self.options)

    def request(self, kind: RequestKind = RequestKind.JUDGE) -> Request:
        """What the person is asked next."""
        while (asked := self.run.pending) is None or not self.run.is_asking_person or asked.kind is not kind:
            assert not self.run.wait(0.005), self.run.halt
        return asked

    def say(self, request: Request, answer: Answer) -> None:
        """Answer *request*."""
        assert self.run.answer(request.id, answer)

    def allow(self, *, is_given: bool = True) -> None:
        """Give leave for the call that waits for it, or refuse it."""
        asked = self.request(RequestKind.APPROVE)
        assert asked.call is not None
        self.say(asked, Answer(text="No.", leave=Leave(is_given, asked.call.digest)))

    def end(self) -> Played:
        """The run, let go of or at its end."""
        self.run.leave()
        return finished(self.run, self.journal)


def commands(folder: Path, block: str, *rules: Rule) -> tuple[StepCommand, ...]:
    """Those of a step with *block* under it."""
    asked = Asked(folder, f'- $word = "there"\n- Look\n{block}- Return 1\n', *rules)
    found = asked.request().commands
    asked.end()
    return found


def test_whoever_judges_a_step_is_shown_the_command_under_it_with_its_placeholders_filled_in(tmp_path: Path) -> None:
    shell = StepCommand("echo hi there", "shell", {"command": "echo hi there"})
    assert commands(tmp_path, "  ```sh\n  echo hi {$word}\n  ```\n") == (shell,)


@pytest.mark.parametrize("language", ["sh", "bash", "shell", "console", "Bash title=x"])
def test_a_fence_of_a_shell_holds_a_command(language: str) -> None:
    [step] = book(f"- Look\n  ```{language}\n  df -h\n  ```\n").program.playbooks[0].steps
    assert shell_blocks(step) == ("df -h",)


def test_of_a_session_only_what_was_typed_is_a_command() -> None:
    [step] = book("- Look\n  ```console\n  $ df -h\n  /dev 91%\n  ```\n").program.playbooks[0].steps
    assert shell_blocks(step) == ("df -h",)


@pytest.mark.parametrize("steps", ["- Look\n  ```python\n  df\n  ```\n", "- $x = 1\n  ```sh\n  df\n  ```\n"])
def test_other_fences_and_those_under_exact_steps_are_no_commands(steps: str) -> None:
    assert not has_shell_blocks(book(steps).program)


@pytest.mark.parametrize(
    "written", ["a | b", "rm *.log", "A=1 b", "ls ~/x", "echo ${HOME}", "a\n  b", "df # all", "cp {a,b} c", "a && rm b"]
)
def test_what_only_a_shell_understands_can_only_be_copied(written: str, tmp_path: Path) -> None:
    [command] = commands(tmp_path, f"  ```sh\n  {written}\n  ```\n")
    shown = command.tool, command.text, command.problem.partition(".")[0]
    assert shown == (
        "",
        written.replace("\n  ", "\n"),
        "Only a shell can run this, and the tool sh is not allowed here",
    )


def test_where_the_person_allows_sh_it_runs_what_only_a_shell_understands(tmp_path: Path) -> None:
    [command] = commands(tmp_path, "  ```sh\n  a | b\n  ```\n", Rule("sh", Asking.ALWAYS))
    assert command == StepCommand("a | b", "sh", {"script": "a | b"})


def test_a_command_that_the_permissions_forbid_can_only_be_copied(tmp_path: Path) -> None:
    [command] = commands(tmp_path, "  ```sh\n  df\n  ```\n", Rule("shell", Asking.FORBIDDEN))
    assert (command.tool, bool(command.problem)) == ("", True)


def test_a_command_is_run_under_leave_and_its_output_is_shown_with_the_open_question(tmp_path: Path) -> None:
    asked = Asked(tmp_path)
    first = asked.request()
    asked.say(first, Answer(run="echo hi there"))
    asked.allow()
    again = asked.request()
    asked.end()
    assert again == replace(first, ran=(CommandRun("echo hi there", "hi there"),))


def test_a_command_that_is_refused_leaves_the_question_open_with_the_reason(tmp_path: Path) -> None:
    asked = Asked(tmp_path)
    asked.say(asked.request(), Answer(run="echo hi there"))
    asked.allow(is_given=False)
    [ran] = asked.request().ran
    asked.end()
    assert (ran.is_error, "No." in ran.output) == (True, True)


def test_after_its_command_the_step_is_answered_as_ever(tmp_path: Path) -> None:
    asked = Asked(tmp_path)
    asked.say(asked.request(), Answer(run="echo hi there"))
    asked.allow()
    asked.say(asked.request(), Answer(text="seen"))
    played = finished(asked.run, asked.journal)
    assert (played.state.result, len(played.bodies("tool.call")), len(played.bodies("input.given"))) == (1, 1, 1)


def test_a_run_that_is_resumed_still_shows_the_output_and_runs_nothing_again(tmp_path: Path) -> None:
    asked = Asked(tmp_path)
    asked.say(asked.request(), Answer(run="echo hi there"))
    asked.allow()
    before = asked.request()
    asked.end()
    asked.run = resume_run(asked.run.id, asked.journal, PersonBackend(), asked.options)
    after = asked.request()
    assert (after, len(asked.end().bodies("tool.call"))) == (before, 1)


def test_nothing_runs_that_does_not_stand_under_the_step() -> None:
    request = Request(
        "q", RequestKind.JUDGE, "Main:01", "Look", commands=(StepCommand("df", "shell"), StepCommand("a | b"))
    )
    for text in ("rm x", "a | b"):
        with pytest.raises(AnswerRefused):
            checked(request, Answer(run=text))


def test_a_command_is_not_run_by_itself(tmp_path: Path) -> None:
    asked = Asked(tmp_path)
    asked.request()
    assert asked.end().bodies("tool.call") == []


def at_the_prompt(monkeypatch: pytest.MonkeyPatch, typed: str) -> Answer:
    """What is answered to a step with two commands, one of which was run, where *typed* is entered."""
    commands = (StepCommand("a | b", problem="Only a shell."), StepCommand("df", "shell"), StepCommand("ls", "shell"))
    ran = (CommandRun("df", "full\x1b[2J"),)
    monkeypatch.setattr("sys.stdin", io.StringIO(typed))
    return ask(Request("q", RequestKind.JUDGE, "Main:01", "Look", commands=commands, ran=ran))


@pytest.mark.parametrize(
    ("typed", "answer"),
    [
        ("run\n", Answer(run="df")),
        ("run 2\n", Answer(run="ls")),
        ("run 3\n\nseen\n", Answer(text="seen")),
        ("\nrun\n", Answer(text="run")),
    ],
)
def test_at_the_prompt_run_has_a_command_run(typed: str, answer: Answer, monkeypatch: pytest.MonkeyPatch) -> None:
    assert at_the_prompt(monkeypatch, typed) == answer


def test_the_prompt_shows_commands_and_what_was_printed(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    at_the_prompt(monkeypatch, "\nseen\n")
    shown = capsys.readouterr().out
    assert all(part in shown for part in ("    df\n", "    ls\n", "    a | b\n", "Only a shell.", "    full"))
    assert "\x1b" not in shown
