"""Python of a playbook: in a child process, limited, and reported by line."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest

from tests.conftest import PATIENCE_S
from tests.core.engine_driver import book, finished, play, scripted
from workbench.engine.backends import python_host
from workbench.engine.backends.python_host import PythonCall, PythonCode, PythonFailed, PythonHost
from workbench.engine.journal.choices import RunStatus
from workbench.engine.journal.journal import Journal
from workbench.engine.options import RunOptions
from workbench.engine.starting import options_of, resume_run
from workbench.errors import NotTrusted
from workbench.i18n import use_language

_CODE = '''\
import asyncio
import dataclasses
import os
import subprocess
import sys
import time

@dataclasses.dataclass
class Point:
    x: int

@playbook
def add(a: int, b: int = 2) -> int:
    """The sum."""
    return a + b

@playbook()
async def later(x):
    await asyncio.sleep(0)
    return Point(x)

@playbook(public=True, triggers=["T1:CND When $is_broken is true"])
def boom():
    return 1 / 0

@playbook
def hang():
    time.sleep(60)

@playbook
def talk():
    print("from Python")
    subprocess.run(["echo", "from a child"])
    print("to the error stream", file=sys.stderr)

@playbook
def flood():
    for number in range(150_000):
        print("line", number)

@playbook
def leave():
    os._exit(3)

@playbook
def odd():
    return object()

@playbook
def environment():
    return sorted(os.environ)

@playbook
def question():
    return input("name?")
'''


@pytest.fixture
def host(tmp_path: Path) -> Iterator[PythonHost]:
    """A child with all the functions above."""
    made = _host(tmp_path, PATIENCE_S)
    yield made
    made.close()


def _host(folder: Path, time_limit_s: float) -> PythonHost:
    return PythonHost(PythonCode((_CODE,), (10,), folder, folder / "calls" / "a.jsonl", time_limit_s))


def _call(host: PythonHost, name: str, *positional: object, **named: object) -> object:
    return host.call(PythonCall(name, name, positional, tuple(named.items())), lambda text: None)


def test_functions_are_called_with_positional_and_named_values(host: PythonHost) -> None:
    assert (_call(host, "add", 1), _call(host, "add", 1, b=5)) == (3, 6)


def test_async_functions_and_records_work(host: PythonHost) -> None:
    assert _call(host, "later", 4) == {"x": 4}


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("boom", r"ZeroDivisionError: division by zero, in line 24 .*line 33 of the file"),
        ("add", "missing 1 required"),
        ("odd", "type object"),
        ("leave", "exit code 3"),
        ("nothing", "no @playbook function nothing"),
        ("question", "EOF"),
    ],
)
def test_what_goes_wrong_is_a_sentence_and_the_next_call_works(host: PythonHost, name: str, words: str) -> None:
    with pytest.raises(PythonFailed, match=words):
        _call(host, name)
    assert _call(host, "add", 1) == 3


@pytest.mark.parametrize(
    ("name", "words"), [("boom", "in Zeile 24 .*Zeile 33 der Datei"), ("odd", "weder Text"), ("nothing", "keine @play")]
)
def test_what_goes_wrong_is_told_in_the_language_of_the_person(tmp_path: Path, name: str, words: str) -> None:
    use_language("de")
    host = _host(tmp_path, PATIENCE_S)
    try:
        with pytest.raises(PythonFailed, match=words):
            _call(host, name)
    finally:
        use_language("en")
        host.close()


def test_python_that_hangs_is_stopped_and_the_next_call_works(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    host = _host(tmp_path, 1.0)
    with pytest.raises(PythonFailed, match="longer than 1 s "):
        _call(host, "hang")
    # a clock that stands still: however busy the machine is, the next call has time to start its process
    monkeypatch.setattr(python_host, "time", SimpleNamespace(monotonic=lambda: 0.0))
    assert _call(host, "add", 1) == 3
    host.close()


def test_code_that_does_not_load_says_in_which_line(tmp_path: Path) -> None:
    host = PythonHost(PythonCode(("x = 1\ny = $x\n",), (10,), tmp_path, tmp_path / "a.jsonl"))
    with pytest.raises(PythonFailed, match=r"SyntaxError.*line 2 .*line 11 of the file"):
        _call(host, "x")
    host.close()


def test_the_environment_of_the_child_is_bare(host: PythonHost, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SECRET_KEY", "x")
    names = _call(host, "environment")
    assert isinstance(names, list)
    assert "SECRET_KEY" not in names


def test_what_is_printed_becomes_output_events(tmp_path: Path) -> None:
    text = f"# B\n```python\n{_CODE}```\n## Main\n### Steps\n- talk()\n- flood()\n"
    played = play(book("", text), tmp_path)
    output = [body["text"] for body in played.bodies("tool.output")]
    assert all(words in "".join(output) for words in ("from Python", "from a child", "error stream", "left out"))
    assert sum(map(len, output)) < 1_100_000
    assert played.state.status is RunStatus.COMPLETED


def test_untrusted_python_does_not_run_and_the_run_waits(tmp_path: Path) -> None:
    text = f"# B\n```python\n{_CODE}```\n## Main\n### Steps\n- $a = 1\n- $s = add($a)\n- Return $s\n"
    played = play(book("", text), tmp_path, "", RunOptions())
    assert isinstance(played.run.halt, NotTrusted)
    assert played.bodies("tool.call") == []
    journal = Journal(tmp_path / "runs.sqlite")
    state = played.state
    allowed = RunOptions(playbook=options_of(state).playbook, is_trusted=True)
    assert finished(resume_run(played.run.id, journal, scripted(""), allowed), journal).run.result == 3


def test_a_run_gives_its_python_the_memory_that_it_was_started_with(tmp_path: Path) -> None:
    code = "@playbook\ndef take():\n    return len(bytearray(400 * 1024 * 1024))\n"
    text = f"# B\n```python\n{code}```\n## Main\n### Steps\n- take()\n"
    played = play(book("", text), tmp_path, "", RunOptions(is_trusted=True, python_memory_mb=200))
    assert "may use 200 MB" in played.state.error
    assert options_of(played.state).python_memory_mb == 200


def test_a_failing_function_fails_the_step_with_its_line(tmp_path: Path) -> None:
    played = play(book("", f"# B\n```python\n{_CODE}```\n## Main\n### Steps\n- boom()\n"), tmp_path)
    assert played.state.status is RunStatus.FAILED
    assert all(words in played.state.error for words in ("Main:01", "boom", "ZeroDivisionError", "line 26 of the file"))


def test_the_child_is_started_only_when_a_function_is_called(tmp_path: Path) -> None:
    play(book("", f"# B\n```python\n{_CODE}```\n## Main\n### Steps\n- $a = 1\n"), tmp_path)
    assert not (tmp_path / "calls").exists()


def test_a_script_stands_in_for_python_that_is_not_trusted(tmp_path: Path) -> None:
    text = f"# B\n```python\n{_CODE}```\n## Main\n### Steps\n- $s = add(1)\n- Return $s\n"
    assert play(book("", text), tmp_path, "tools: {add: 50}", RunOptions()).run.result == 50
