"""Pause, step, go on, stop, leave: from other threads, at any moment."""

from __future__ import annotations

import os
import time
from pathlib import Path

from tests.conftest import PATIENCE_S
from tests.core.engine_driver import begin, book, finished, scripted, wait_for
from workbench.engine.backends.person import PersonBackend
from workbench.engine.journal.choices import RunStatus
from workbench.engine.journal.journal import Journal
from workbench.engine.options import RunOptions
from workbench.engine.running.run import Run
from workbench.engine.starting import resume_run

_COUNTING = "- $n = 0\n- $n = $n + 1\n- $n = $n + 1\n- Return $n\n"


def _journal(folder: Path) -> Journal:
    return Journal(folder / "runs.sqlite")


def _paused(journal: Journal, steps: str = _COUNTING) -> Run:
    run = begin(steps, journal, PersonBackend(), RunOptions(start_paused=True))
    wait_for(run, "run.paused")
    return run


def test_a_run_that_starts_paused_carries_out_one_step_at_a_time(tmp_path: Path) -> None:
    journal = _journal(tmp_path)
    run = _paused(journal)
    for address in ("Main:01", "Main:02"):
        run.step()
        entered = [event.step for event in wait_for(run, "run.paused") if event.name == "step.entered"]
        assert entered == [address]
    run.go_on()
    assert finished(run, journal).run.result == 2


def test_a_paused_run_can_be_stopped(tmp_path: Path) -> None:
    journal = _journal(tmp_path)
    run = _paused(journal)
    run.stop()
    assert finished(run, journal).events[-1].name == "run.cancelled"


def test_stopping_while_a_person_is_asked_waits_for_no_answer(tmp_path: Path) -> None:
    journal = _journal(tmp_path)
    run = begin("- Ask user for $a\n", journal, PersonBackend())
    wait_for(run, "input.asked")
    run.stop()
    assert finished(run, journal).state.status is RunStatus.CANCELLED


def test_a_stopped_run_can_be_resumed(tmp_path: Path) -> None:
    journal = _journal(tmp_path)
    run = begin("- $a = 1\n- Ask user for $b\n- Return [$a, $b]\n", journal, PersonBackend())
    wait_for(run, "input.asked")
    run.stop()
    finished(run, journal)
    again = finished(resume_run(run.id, journal, scripted("answers: [{values: {b: 2}}]")), journal)
    assert again.run.result == [1, 2]
    assert again.steps() == ["Main:01", "Main:02", "Main:03"]


def test_a_run_that_is_left_is_paused_and_not_cancelled(tmp_path: Path) -> None:
    journal = _journal(tmp_path)
    run = begin("- Ask user for $b\n", journal, PersonBackend())
    wait_for(run, "input.asked")
    run.leave()
    assert finished(run, journal).state.status is RunStatus.PAUSED
    assert journal.runs()[0].is_resumable


def test_stop_kills_the_python_with_all_that_it_started(tmp_path: Path) -> None:
    code = (
        "import subprocess, pathlib\n@playbook\ndef hang():\n"
        "    child = subprocess.Popen(['sleep', '100'])\n"
        f"    pathlib.Path({str(tmp_path / 'pid')!r}).write_text(str(child.pid))\n    child.wait()\n"
    )
    text = f"# B\n```python\n{code}```\n## Main\n### Steps\n- hang()\n"
    journal = _journal(tmp_path)
    run = begin(book("", text), journal, PersonBackend(), RunOptions(is_trusted=True))
    while not (tmp_path / "pid").exists() or not (tmp_path / "pid").read_text():
        time.sleep(0.01)
    run.stop()
    events = finished(run, journal).events
    assert [event.name for event in events[-2:]] == ["run.cancelling", "run.cancelled"]
    assert _is_dead(int((tmp_path / "pid").read_text()))


def _is_dead(pid: int) -> bool:
    """True when *pid* is gone, or only waits for its parent to notice."""
    for _attempt in range(100 * PATIENCE_S):
        try:
            os.kill(pid, 0)
            state = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()[0]
        except (ProcessLookupError, FileNotFoundError):
            return True
        if state == "Z":
            return True
        time.sleep(0.01)
    return False


def test_the_handle_knows_where_the_run_stands(tmp_path: Path) -> None:
    journal = _journal(tmp_path)
    run = _paused(journal)
    assert (run.is_finished, run.result, run.state.status) == (False, None, RunStatus.PAUSED)
    run.go_on()
    assert run.wait(PATIENCE_S)
    assert (run.is_finished, run.result) == (True, 2)
