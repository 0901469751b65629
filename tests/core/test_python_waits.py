"""Python that waits for a message of the person: who may say it, and what becomes of it when the run is cut off."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import DATA, PATIENCE_S
from tests.core.cutting import check_cut, run_whole, some_cuts
from tests.core.engine_driver import begin, book, finished, play, scripted, wait_for
from workbench.engine.backends.person import PersonBackend
from workbench.engine.journal.choices import RunStatus
from workbench.engine.journal.codec import encoded
from workbench.engine.journal.journal import Journal
from workbench.engine.options import RunOptions
from workbench.engine.ports import Answer, Purpose, Request, RequestKind
from workbench.engine.starting import resume_run
from workbench.engine.state.fold import fold

_ASKS = """# Desk
```python
@playbook
async def talk():
    first = await WaitForMessage("user")
    second = await self.WaitForMessage("user")
    return [first[0].content, second[0].sender, second[0].text, len(first)]
```
## Main
### Triggers
- When program starts
### Steps
- $r = talk()
- Return $r
"""
_LISTENS = (
    _ASKS
    + """## Greet
### Triggers
- When the user says "hello"
### Steps
- Say("Hello yourself")
"""
)
_TWO = ["one", "user", "two", 1]


@pytest.mark.parametrize("text", [_ASKS, _LISTENS])
@pytest.mark.parametrize("once", [True, False])
def test_a_script_answers_python_that_waits(text: str, once: bool, tmp_path: Path) -> None:  # noqa: FBT001 - a row
    script = "answers: [{values: {result: one}}, {text: two}]"
    played = play(book("", text), tmp_path, script, RunOptions(is_trusted=True, once=once))
    assert played.run.result == _TWO, played.state.error or played.run.halt
    assert fold(played.events) == played.state


def test_python_hears_the_messages_of_a_script_before_triggers_do(tmp_path: Path) -> None:
    played = play(book("", _LISTENS), tmp_path, "messages: [one, two, hello]")
    assert (played.run.result, played.told()) == (_TWO, ["Hello yourself"]), played.state.error


def test_a_person_answers_python_that_waits(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "runs.sqlite")
    run = begin(book("", _ASKS), journal, PersonBackend())
    for text in ("one", "two"):
        asked = encoded(wait_for(run, "input.asked")[-1].payload)
        assert (asked["text"], asked["kind"], asked["purpose"]) == ("Waiting for a message.", "ask", "wait")
        assert run.answer(asked["request"], Answer(values=(("result", text),)))
    assert finished(run, journal).run.result == _TWO


def test_python_hears_what_a_person_said_before_it_waits(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "runs.sqlite")
    run = begin(book("", _LISTENS), journal, PersonBackend(), RunOptions(is_trusted=True, message="one", once=True))
    asked = encoded(wait_for(run, "input.asked", 2)[-1].payload)
    assert run.answer(asked["request"], Answer(text="two"))
    assert finished(run, journal).run.result == _TWO


def test_a_run_that_is_let_go_of_while_python_waits_asks_only_about_the_call(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "runs.sqlite")
    run = begin(book("", _ASKS), journal, PersonBackend())
    wait_for(run, "input.asked")
    run.leave()
    assert run.wait(PATIENCE_S)
    script = "answers: [{choice: again}, {values: {result: one}}, {values: {result: two}}]"
    again = finished(resume_run(run.id, journal, scripted(script), RunOptions(is_trusted=True)), journal)
    assert again.run.result == _TWO, again.state.error or again.run.halt
    assert [body["how"] for body in again.bodies("effect.resolved")] == ["again"]
    assert fold(again.events) == again.state


def test_a_run_that_is_killed_while_python_waits_goes_on(tmp_path: Path) -> None:
    (tmp_path / "desk.md").write_text(_ASKS, encoding="utf-8")
    command = [sys.executable, "-m", "tests.core.test_python_waits", str(tmp_path)]
    child = subprocess.Popen(command, stdout=subprocess.PIPE, cwd=DATA.parents[1])
    assert child.stdout is not None
    with child.stdout:
        run = child.stdout.readline().decode().strip()
    os.kill(child.pid, signal.SIGKILL)
    child.wait(PATIENCE_S)
    journal = Journal(tmp_path / "runs.sqlite")
    script = "answers: [{choice: again}, {values: {result: one}}, {values: {result: two}}]"
    again = finished(resume_run(journal.find(run), journal, scripted(script)), journal)
    assert (again.state.status, again.run.result) == (RunStatus.COMPLETED, _TWO), again.state.error


def test_a_script_goes_on_behind_what_python_has_heard(tmp_path: Path) -> None:
    backend = scripted("messages: [one, two, hello]")
    whole = play(book("", _LISTENS), tmp_path, "messages: [one, two, hello]")
    heard = [at for at, event in enumerate(whole.events) if event.name == "input.given"]
    backend.catch_up(whole.events[: heard[0] + 1])
    wait = Request("q1", RequestKind.ASK, "Main:01", "", purpose=Purpose.WAIT)
    assert [backend.judge(wait).text for _ in range(2)] == ["two", "hello"]


def test_a_run_whose_python_sets_variables_waits_and_catches_can_be_cut(tmp_path: Path) -> None:
    whole = run_whole(DATA / "language" / "counter.md", tmp_path / "whole")
    assert whole.played.run.result == [["tea", "tea"], 6, 3, whole.played.state.agents["Counter"]["refused"]]
    for number, cut in enumerate(some_cuts(whole, 7)):
        check_cut(whole, cut, tmp_path / str(number))


def _begin_and_wait(folder: Path) -> None:
    """A run in *folder* whose Python waits; it prints its name and is killed."""
    journal = Journal(folder / "runs.sqlite")
    run = begin(book("", (folder / "desk.md").read_text("utf-8")), journal, PersonBackend())
    wait_for(run, "input.asked")
    print(run.id, flush=True)  # for whoever kills it
    run.wait(PATIENCE_S)


if __name__ == "__main__":
    _begin_and_wait(Path(sys.argv[1]))
