"""Python of a playbook that calls back: playbooks, other Python and what is built in, journaled as nested calls."""

from __future__ import annotations

import time
from pathlib import Path
from types import SimpleNamespace

import pytest

from tests.conftest import PATIENCE_S
from tests.core.engine_driver import Played, begin, book, finished, play, scripted, wait_for
from workbench.engine.backends import python_host
from workbench.engine.backends.person import PersonBackend
from workbench.engine.journal.choices import RunStatus
from workbench.engine.journal.codec import encoded
from workbench.engine.journal.journal import Journal
from workbench.engine.journal.lease import started_of
from workbench.engine.options import RunOptions
from workbench.engine.ports import Answer
from workbench.engine.starting import resume_run
from workbench.engine.state.fold import fold

_CODE = '''\
import asyncio
import math

FACTOR = 2

def helper(x):
    return x * FACTOR

@playbook
async def total(items):
    sums = 0
    for item in items:
        sums += await Price(item)
    return sums

@playbook
async def deep(n):
    """Python, a playbook, Python again."""
    return 1 + await Middle(n)

@playbook
async def inner(n):
    await Say("user", f"inner {n}")
    return helper(n) + math.floor(0.5)

@playbook
async def chain(n):
    return await inner(n) + 100

@playbook
def plain(n):
    return helper(n)

@playbook
async def both():
    return await asyncio.gather(Price(1), Price(2))

@playbook
async def refused():
    try:
        await Tax.Secret()
    except RuntimeError as error:
        return str(error)

@playbook
async def taxed(n):
    return await Tax.Rate(n) + await Rate(n)

@playbook
async def remember(value):
    await SaveArtifact("note", "a note", value)
    return await LoadArtifact("note")

@playbook
async def forever(n):
    return await forever(n + 1)

@playbook
async def asks():
    return await Question()

@playbook
async def read():
    return await LoadFile("note.txt") + await inner(1)

@playbook
def direct(n):
    return plain(n) + 1
'''
_PROGRAM = (
    "# B\n```python\n{code}```\n## Main\n### Steps\n{steps}"
    "## Price($item)\n### Steps\n- Return $item * 10\n"
    "## Middle($n)\n### Steps\n- $m = inner($n + 1)\n- Return $m * 10\n"
    "## Question\n### Steps\n- Ask user for $name\n- Return $name\n"
    "# Tax\n## Rate($n)\npublic: true\n### Steps\n- Return $n * 7\n## Secret\n### Steps\n- Return 1\n"
)


def _played(steps: str, folder: Path, script: str = "") -> Played:
    return play(book("", _PROGRAM.format(code=_CODE, steps=steps)), folder, script)


@pytest.mark.parametrize(
    ("call", "value"),
    [
        ("total([1, 2, 3])", 60),
        ("deep(3)", 81),
        ("chain(4)", 108),
        ("plain(4)", 8),
        ("direct(4)", 9),
        ("both()", [10, 20]),
        ("taxed(3)", 42),
        ("remember('x')", "x"),
    ],
)
def test_python_calls_what_a_playbook_can_call(call: str, value: object, tmp_path: Path) -> None:
    played = _played(f"- $r = {call}\n- Return $r\n", tmp_path)
    assert played.run.result == value, played.state.error
    assert fold(played.events) == played.state


def test_python_reads_files_and_a_script_answers_for_python_through_the_run(tmp_path: Path) -> None:
    (tmp_path / "note.txt").write_text("sun and ", encoding="utf-8")
    text = _PROGRAM.format(code=_CODE + "\n", steps="- $r = read()\n- Return $r\n")
    options = RunOptions(is_trusted=True, path=str(tmp_path / "book.md"))
    played = play(book("", text), tmp_path, "tools: {inner: rain}", options)
    assert played.run.result == "sun and rain", played.state.error


def test_what_python_calls_is_journaled_within_its_call(tmp_path: Path) -> None:
    played = _played("- $r = deep(3)\n", tmp_path)
    spans = {event.span: event for event in played.events if event.name in {"tool.call", "playbook.entered"}}
    calls = (event for event in played.events if event.name == "tool.call")
    inner = next(event for event in calls if encoded(event.payload)["tool"] == "inner")
    names = []
    span = inner.parent
    opened = {event.span: event for event in played.events if event.name == "step.entered"} | spans
    while span in opened:
        body = encoded(opened[span].payload)
        names.append(body.get("playbook") or body.get("tool") or opened[span].step)
        span = opened[span].parent
    assert names == ["Middle:01", "Middle", "deep", "Main:01", "Main"]
    assert played.told() == ["inner 4"]


def test_a_call_whose_result_is_not_kept_goes_on_after_it(tmp_path: Path) -> None:
    assert _played("- deep(1)\n- Return 'after'\n", tmp_path).run.result == "after"


def test_what_others_do_not_offer_is_an_exception_in_python(tmp_path: Path) -> None:
    result = _played("- $r = refused()\n- Return $r\n", tmp_path).run.result
    assert result is None or "not public" in str(result)


def test_python_that_calls_itself_for_ever_is_stopped(tmp_path: Path) -> None:
    assert "64 levels deep" in _played("- $r = forever(1)\n", tmp_path).state.error


def test_a_person_is_asked_by_a_playbook_that_python_calls(tmp_path: Path) -> None:
    played = _played("- $r = asks()\n- Return $r\n", tmp_path, "answers: [{values: {name: Ada}}]")
    assert played.run.result == "Ada", played.state.error


def test_a_playbook_that_fails_within_python_fails_the_run(tmp_path: Path) -> None:
    text = _PROGRAM.format(code=_CODE, steps="- $r = total([1])\n").replace("$item * 10", "$item / 0")
    assert "total failed: Price:01" in play(book("", text), tmp_path).state.error


def test_a_failure_that_is_waited_for_is_answered_within_python(tmp_path: Path) -> None:
    text = _PROGRAM.format(code=_CODE, steps="- $r = total([1, 2])\n- $s = plain(4)\n- Return [$r, $s]\n")
    text = text.replace("$item * 10", "$item / 0").replace(
        "# Tax\n", "## Instead\n### Triggers\n- When Price fails\n### Steps\n- Return 5\n# Tax\n"
    )
    played = play(book("", text), tmp_path)
    assert played.run.result == [10, 8], played.state.error


def test_python_that_was_left_because_a_playbook_failed_is_ended(tmp_path: Path) -> None:
    text = _PROGRAM.format(code=_CODE, steps="- $r = Outer()\n- $s = plain(4)\n- Return [$r, $s]\n")
    text = text.replace("$item * 10", "$item / 0").replace(
        "# Tax\n",
        "## Outer\n### Steps\n- $x = total([1])\n- Return $x\n"
        "## Instead\n### Triggers\n- When Outer fails\n### Steps\n- Return 5\n# Tax\n",
    )
    played = play(book("", text), tmp_path)
    assert played.run.result == [5, 8], played.state.error


@pytest.mark.parametrize(("choice", "result"), [("again", 60), ("done", 7)])
def test_a_run_cut_off_within_python_asks_about_the_call_and_nothing_else(
    choice: str, result: int, tmp_path: Path
) -> None:
    snapshot = book("", _PROGRAM.format(code=_CODE, steps="- $r = total([1, 2, 3])\n- Return $r\n"))
    whole = play(snapshot, tmp_path)
    entered = [index for index, event in enumerate(whole.events) if encoded(event.payload).get("playbook") == "Price"]
    folder = tmp_path / "cut"
    (folder / "calls").mkdir(parents=True)
    ledger = folder / "calls" / f"{whole.run.id}-0.jsonl"
    key = whole.bodies("tool.call")[0]["key"]
    ledger.write_text(f'{{"key": "{key}#1", "state": "begun"}}\n', encoding="utf-8")
    journal = Journal(folder / "runs.sqlite")
    journal.append(whole.events[: entered[2] + 2])
    journal.keep(snapshot.source.encode())
    answers = f"answers: [{{choice: {choice}, values: {{result: 7}}}}]"
    again = finished(resume_run(whole.run.id, journal, scripted(answers), RunOptions(is_trusted=True)), journal)
    assert (again.state.status, again.run.result) == (RunStatus.COMPLETED, result), again.state.error
    assert len(again.bodies("effect.in_doubt")) == 1
    assert fold(again.events) == again.state


def test_a_person_may_take_longer_than_python_may(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    passed_s = 0.0
    clock = SimpleNamespace(monotonic=lambda: time.monotonic() + passed_s)
    monkeypatch.setattr(python_host, "time", clock)
    journal = Journal(tmp_path / "runs.sqlite")
    text = _PROGRAM.format(code=_CODE, steps="- $r = asks()\n- Return $r\n")
    run = begin(book("", text), journal, PersonBackend(), RunOptions(is_trusted=True, python_timeout_s=PATIENCE_S))
    asked = wait_for(run, "input.asked")[-1]
    passed_s = 2 * PATIENCE_S
    assert run.answer(encoded(asked.payload)["request"], Answer(values=(("name", "Ada"),)))
    assert finished(run, journal).run.result == "Ada"


def test_a_stop_while_python_waits_for_a_playbook_ends_both(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "runs.sqlite")
    text = _PROGRAM.format(code=_CODE, steps="- $r = asks()\n- Return $r\n")
    run = begin(book("", text), journal, PersonBackend())
    wait_for(run, "input.asked")
    run.stop()
    assert finished(run, journal).state.status is RunStatus.CANCELLED


def test_a_run_that_is_let_go_of_while_a_person_is_asked_finishes_that_first(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "runs.sqlite")
    text = _PROGRAM.format(code=_CODE, steps="- $r = asks()\n- Return $r\n")
    run = begin(book("", text), journal, PersonBackend())
    wait_for(run, "input.asked")
    run.leave()
    assert run.wait(PATIENCE_S)
    answers = "answers: [{step: Question:01, values: {name: Ada}}, {choice: done, values: {result: Eve}}]"
    again = finished(resume_run(run.id, journal, scripted(answers), RunOptions(is_trusted=True)), journal)
    assert again.run.result == "Eve", again.state.error
    assert [body["how"] for body in again.bodies("effect.resolved")] == ["done"]


def test_python_that_was_ended_with_another_call_in_it_says_so(tmp_path: Path) -> None:
    code = (
        "import time\n\n@playbook\nasync def outer():\n    return await Middle()\n\n"
        f"@playbook\ndef hangs():\n    time.sleep({PATIENCE_S})\n"
    )
    text = (
        f"# B\n```python\n{code}```\n## Main\n### Steps\n- $r = outer()\n- Return $r\n## Middle\n### Steps\n"
        "- $x = hangs()\n- Return $x\n## Instead\n### Triggers\n- When hangs fails\n### Steps\n- Return 5\n"
    )
    played = play(book("", text), tmp_path, "", RunOptions(is_trusted=True, python_timeout_s=6.0))
    assert "outer failed: Its Python process has ended" in played.state.error


def test_a_stop_ends_what_python_has_sent_away(tmp_path: Path) -> None:
    code = (
        "import os, time\n\n@playbook\ndef away():\n    if os.fork() == 0:\n        os.setsid()\n"
        "        print(os.getpid(), flush=True)\n"
        f"    time.sleep({PATIENCE_S})\n"
    )
    journal = Journal(tmp_path / "runs.sqlite")
    run = begin(book("", f"# B\n```python\n{code}```\n## Main\n### Steps\n- away()\n"), journal, PersonBackend())
    printed = wait_for(run, "tool.output")[-1]
    run.stop()
    assert finished(run, journal).state.status is RunStatus.CANCELLED
    assert not started_of(int(encoded(printed.payload)["text"]))


_ENTRIES = (
    "# B\n```python\n"
    '@playbook(triggers=["T1:BGN At start"])\nasync def main():\n'
    '    await Say("user", "python started")\n    return 4\n\n'
    '@playbook(triggers=["T1:CND When $x > 4"])\nasync def alarm(x):\n    await Say("user", f"x is {x}")\n'
    "```\n## Also\n### Triggers\n- At start\n### Steps\n- $x = 5\n- $x = 6\n"
)


def test_python_that_has_triggers_starts_by_itself(tmp_path: Path) -> None:
    played = play(book("", _ENTRIES), tmp_path)
    assert (played.told(), played.run.result) == (["x is 5", "python started"], 4), played.state.error


def test_a_file_of_nothing_but_python_runs(tmp_path: Path) -> None:
    played = play(book("", _ENTRIES.partition("## Also")[0]), tmp_path)
    assert (played.told(), played.run.result) == (["python started"], 4), played.state.error
