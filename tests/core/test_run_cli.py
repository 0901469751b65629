"""The commands run, resume and runs: exit codes, events as lines, and clear words."""

from __future__ import annotations

import json
import os
import pty
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import PATIENCE_S
from tests.core.cli_driver import Done, Terminal
from workbench.disk.places import Places
from workbench.engine.trust import python_digest
from workbench.library.store import PatternStore
from workbench.model.snapshot import derive
from workbench.settings import Settings, save_settings
from workbench.syntax.text import SourceText

_ROOT = Path(__file__).resolve().parents[2]
_PYTHON = """\
# B
```python
@playbook
def add(a, b=2):
    return a + b
```
## Main
### Steps
- $s = add(1)
- Return $s
"""


def _file(folder: Path, text: str, name: str = "book.md") -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def _steps(folder: Path, steps: str) -> Path:
    return _file(folder, "# Book\n## Main\n### Steps\n" + steps)


def _run(terminal: Terminal, path: Path, *more: object) -> Done:
    return terminal.run("run", path, "--json", "--store", path.parent / "store", *more)


def _events(done: Done) -> list[dict[str, Any]]:
    return [json.loads(line) for line in done.out.splitlines()]


def test_a_run_prints_its_events_as_json_lines_and_ends_well(tmp_path: Path, terminal: Terminal) -> None:
    done = _run(terminal, _steps(tmp_path, "- $a = 2\n- Return $a * 3\n"))
    events = _events(done)
    assert done.code == 0
    assert [event["seq"] for event in events] == list(range(len(events)))
    assert (events[-1]["type"], events[-1]["body"]["return"]) == ("run.completed", 6)
    assert {"step": "Main:01", "line": 4}.items() <= next(e for e in events if e["type"] == "step.entered").items()


def test_a_run_prints_one_readable_line_per_event(tmp_path: Path, terminal: Terminal) -> None:
    path = _steps(tmp_path, '- $a = 2\n- Tell user "a is {$a}"\n')
    done = terminal.run("run", path, "--store", tmp_path / "store")
    assert "Main:01            var.set           $a = 2" in done.out
    assert "a is 2" in done.out


@pytest.mark.parametrize(
    ("steps", "code", "words"),
    [
        ("- $a = 1\n- $b = $a / 0\n", 1, "Main:02 (line 5) failed"),
        ("- Ask user for $a\n", 3, "Main:01 needs an answer"),
        ("- Main()\n", 1, "call itself endlessly"),
    ],
)
def test_what_stops_a_run_gives_its_exit_code(
    steps: str, code: int, words: str, tmp_path: Path, terminal: Terminal
) -> None:
    done = _run(terminal, _steps(tmp_path, steps))
    assert done.code == code
    assert words in done.err


@pytest.mark.parametrize(
    ("text", "code", "words"),
    [
        ("", 1, "no playbook to run"),
        ("just words, no heading\n", 1, "no playbook to run"),
        ("# Book\n## Main($city)\n### Steps\n- Return $city\n", 2, "needs a value for city"),
    ],
)
def test_files_without_anything_to_run_say_so(
    text: str, code: int, words: str, tmp_path: Path, terminal: Terminal
) -> None:
    done = _run(terminal, _file(tmp_path, text))
    assert (done.code, words in done.err) == (code, True)


def test_files_that_cannot_be_read_end_with_two(tmp_path: Path, terminal: Terminal) -> None:
    binary = tmp_path / "binary.md"
    binary.write_bytes(bytes(range(256)) * 20)
    assert [_run(terminal, path).code for path in (tmp_path, tmp_path / "missing.md", binary)] == [2, 2, 2]


def test_a_script_that_is_missing_ends_with_two(tmp_path: Path, terminal: Terminal) -> None:
    done = _run(terminal, _steps(tmp_path, "- $a = 1\n"), "--script", tmp_path / "none.yaml")
    assert done.code == 2
    assert "none.yaml" in done.err


def test_settings_become_arguments_with_their_types(tmp_path: Path, terminal: Terminal) -> None:
    path = _file(tmp_path, "# Book\n## Main($n, $city, $zip:str)\n### Steps\n- Return [$n + 1, $city, $zip, $extra]\n")
    given = ("n=4", "$city=Oslo", "zip=0123", "extra=[1, true]")
    done = _run(terminal, path, *(word for setting in given for word in ("--set", setting)))
    assert _events(done)[-1]["body"]["return"] == [5, "Oslo", "0123", [1, True]]


def test_a_setting_without_a_value_is_a_usage_error(tmp_path: Path, terminal: Terminal) -> None:
    done = _run(terminal, _steps(tmp_path, "- $a = 1\n"), "--set", "n")
    assert (done.code, "NAME=VALUE" in done.err) == (2, True)


def test_another_playbook_can_be_the_beginning(tmp_path: Path, terminal: Terminal) -> None:
    path = _file(tmp_path, "# B\n## Main\n### Steps\n- Return 1\n## Other\n### Steps\n- Return 2\n")
    assert _events(_run(terminal, path, "--playbook", "Other"))[-1]["body"]["return"] == 2
    assert "It has: Main, Other" in _run(terminal, path, "--playbook", "Third").err


def test_python_runs_only_when_it_is_trusted(tmp_path: Path, terminal: Terminal) -> None:
    path = _file(tmp_path, _PYTHON)
    done = _run(terminal, path)
    assert done.code == 2
    assert "--trust" in done.err
    assert _events(_run(terminal, path, "--trust"))[-1]["body"]["return"] == 3


def test_python_that_was_trusted_in_the_window_runs(tmp_path: Path, terminal: Terminal, own_places: Places) -> None:
    save_settings(own_places, Settings().with_trust(python_digest(derive(SourceText(_PYTHON)).program)))
    assert _run(terminal, _file(tmp_path, _PYTHON)).code == 0


def test_a_run_that_waits_is_resumed_with_a_script(tmp_path: Path, terminal: Terminal) -> None:
    done = _run(terminal, _steps(tmp_path, "- $a = 1\n- Ask user for $b\n- Return [$a, $b]\n"))
    run = _events(done)[0]["run"]
    assert f"workbench resume {run} --store" in done.err
    script = _file(tmp_path, "answers: [{values: {b: 2}}]\n", "answers.yaml")
    store = tmp_path / "store"
    resumed = terminal.run("resume", run[:30], "--json", "--store", store, "--script", script)
    assert (resumed.code, _events(resumed)[-1]["body"]["return"]) == (0, [1, 2])


def test_resuming_with_the_whole_script_leaves_out_what_was_used(tmp_path: Path, terminal: Terminal) -> None:
    path = _steps(tmp_path, "- Ask user for $a\n- Ask user for $b\n- Return [$a, $b]\n")
    part = _file(tmp_path, "answers: [{values: {a: 1}}]\n", "part.yaml")
    whole = _file(tmp_path, "answers: [{values: {a: 1}}, {values: {b: 2}}]\n", "whole.yaml")
    run = _events(_run(terminal, path, "--script", part))[0]["run"]
    resumed = terminal.run("resume", run, "--json", "--store", tmp_path / "store", "--script", whole)
    assert _events(resumed)[-1]["body"]["return"] == [1, 2]


def test_a_run_that_is_over_or_unknown_cannot_be_resumed(tmp_path: Path, terminal: Terminal) -> None:
    run = _events(_run(terminal, _steps(tmp_path, "- $a = 1\n")))[0]["run"]
    over = terminal.run("resume", run, "--store", tmp_path / "store")
    unknown = terminal.run("resume", "zzz", "--store", tmp_path / "store")
    assert (over.code, "has ended" in over.err) == (1, True)
    assert (unknown.code, "zzz" in unknown.err) == (2, True)


def test_runs_are_listed(tmp_path: Path, terminal: Terminal) -> None:
    store = tmp_path / "store"
    assert "No runs yet" in terminal.run("runs", "--store", store).out
    _run(terminal, _steps(tmp_path, "- Ask user for $a\n"))
    assert "can be resumed" in terminal.run("runs", "--store", store).out
    (entry,) = terminal.run("runs", "--store", store, "--json").json
    assert (entry["playbook"], entry["status"], entry["is_resumable"]) == ("Main", "paused", True)


def test_a_damaged_store_ends_with_two(tmp_path: Path, terminal: Terminal) -> None:
    (tmp_path / "store").mkdir()
    (tmp_path / "store" / "runs.sqlite").write_bytes(b"this is no database " * 100)
    done = _run(terminal, _steps(tmp_path, "- $a = 1\n"))
    assert (done.code, "damaged" in done.err) == (2, True)


def test_without_a_store_the_persons_own_is_used(tmp_path: Path, terminal: Terminal, own_places: Places) -> None:
    terminal.run("run", _steps(tmp_path, "- $a = 1\n"))
    assert own_places.runs_file.exists()


def test_a_run_with_calls_is_learned_from(tmp_path: Path, terminal: Terminal) -> None:
    _run(terminal, _file(tmp_path, _PYTHON), "--trust")
    patterns = PatternStore(tmp_path / "store" / "patterns.sqlite")
    (pattern,) = patterns.patterns()
    patterns.close()
    assert pattern.tool_sequence == ("add",)


def test_every_sample_runs_with_its_script(sample: Path, tmp_path: Path, terminal: Terminal) -> None:
    script = sample.with_suffix(".script.yaml")
    done = terminal.run("run", sample, "--script", script, "--trust", "--store", tmp_path / "store")
    assert done.code == 0, done.err


def test_a_person_at_the_terminal_is_asked(tmp_path: Path) -> None:
    path = _steps(tmp_path, "- Ask user for $n:int\n- If the moon is full\n  - Return $n + 1\n")
    code, shown = _typed(["run", str(path), "--store", str(tmp_path / "store")], ["many", "41", "yes"])
    assert code == 0
    assert "$n (int)" in shown
    assert "not a whole number" in shown
    assert "run.completed     42" in shown


def test_enter_at_the_terminal_goes_on_where_a_step_also_speaks_of_leaving(tmp_path: Path) -> None:
    path = _steps(tmp_path, "- Check the order and return\n- Look at it and return\n- Return 1\n")
    code, shown = _typed(["run", str(path), "--store", str(tmp_path / "store")], ["", "return"])
    assert code == 0
    assert "and-then (go on|return)" in shown
    assert "Main:02" in shown
    assert "Main:03" not in shown


def _typed(arguments: list[str], lines: list[str]) -> tuple[int, str]:
    """Exit code and screen of the command line with a person who types *lines*, each after a prompt."""
    pid, screen = pty.fork()
    if pid == 0:
        os.environ["PYTHONPATH"] = str(_ROOT)
        os.execv(sys.executable, [sys.executable, "-m", "workbench", *arguments])
    shown = ""
    seen = 0
    while (chunk := _read(screen)) is not None:
        shown += chunk
        if lines and shown[seen:].rstrip(" ").endswith(":"):
            seen = len(shown)
            os.write(screen, (lines.pop(0) + "\n").encode())
    os.close(screen)
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]), shown


def _read(screen: int) -> str | None:
    try:
        return os.read(screen, 4096).decode("utf-8", "replace") or None
    except OSError:
        return None


def test_an_interrupt_stops_the_run_and_its_python(tmp_path: Path) -> None:
    code = (
        f"import time\n@playbook\ndef hang():\n    open({str(tmp_path / 'begun')!r}, 'w').close()\n    time.sleep(60)\n"
    )
    path = _file(tmp_path, f"# B\n```python\n{code}```\n## Main\n### Steps\n- hang()\n")
    process = subprocess.Popen(
        [sys.executable, "-m", "workbench", "run", str(path), "--trust", "--json", "--store", str(tmp_path / "store")],
        env={**os.environ, "PYTHONPATH": str(_ROOT)},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    while not (tmp_path / "begun").exists():
        assert process.poll() is None
        time.sleep(0.01)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=PATIENCE_S)
    assert process.returncode == 130
    assert json.loads(out.splitlines()[-1])["type"] == "run.cancelled"
    assert "was stopped" in err


def test_a_setting_of_the_wrong_type_is_named(tmp_path: Path, terminal: Terminal) -> None:
    path = _file(tmp_path, "# Book\n## Main($n:int)\n### Steps\n- Return $n\n")
    done = _run(terminal, path, "--set", "n=many")
    assert (done.code, "The value of n does not fit" in done.err) == (2, True)


def test_a_library_that_cannot_be_used_does_not_spoil_the_run(tmp_path: Path, terminal: Terminal) -> None:
    (tmp_path / "store").mkdir()
    (tmp_path / "store" / "patterns.sqlite").write_bytes(b"this is no database " * 100)
    done = _run(terminal, _file(tmp_path, _PYTHON), "--trust")
    assert (done.code, "was not added to the library" in done.err) == (0, True)
