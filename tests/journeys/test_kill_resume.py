"""Killed at any moment and resumed, a run performs no journaled effect twice and loses none."""

from __future__ import annotations

import json
import os
import random
import signal
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import PATIENCE_S
from tests.loaded import Program, start
from tests.soak import kills
from workbench.engine.journal.journal import Journal

_ROUNDS = 6

_PLAYBOOK = """\
# Book
```python
import pathlib, time

@playbook
def effect(number):
    with open({effects!r}, "a") as file:
        file.write(f"{{number}} begun\\n")
    time.sleep(60 if number == 1 and pathlib.Path("hold").exists() else 0.01)
    with open({effects!r}, "a") as file:
        file.write(f"{{number}} ended\\n")
    return number
```
## Main
### Steps
- $done = []
- $name = ""
- Ask user for $name
- For each $n in range({rounds})
  - $r = effect($n)
  - $done = $done + [$r]
- effect("last")
- Return [$name, $done]
"""


@dataclass(frozen=True, slots=True)
class Bench:
    """A playbook whose calls leave traces, and the command line that carries it out."""

    folder: Path

    @classmethod
    def made(cls, folder: Path) -> Bench:
        """A bench in *folder*."""
        text = _PLAYBOOK.format(effects=str(folder / "effects"), rounds=_ROUNDS)
        (folder / "book.md").write_text(text, encoding="utf-8")
        (folder / "answers.yaml").write_text("answers: [{values: {name: Ada}}]\n", encoding="utf-8")
        return cls(folder)

    def start(self) -> Program:
        """The run, going on."""
        arguments = ("run", "book.md", "--script", "answers.yaml", "--trust", "--json", "--store", "store")
        return self._process(*arguments)

    def resume(self, *more: str) -> tuple[int, list[dict[str, Any]]]:
        """Exit code and events of the resumed run."""
        process = self._process("resume", self.run_id(), "--json", "--store", "store", *more)
        out, _nothing = process.communicate(timeout=PATIENCE_S)
        return process.returncode, [json.loads(line) for line in out.splitlines()]

    def run_id(self) -> str:
        """The id of the only run."""
        journal = Journal(self.folder / "store" / "runs.sqlite")
        (summary,) = journal.runs()
        journal.close()
        return summary.id

    def effects(self) -> list[str]:
        """What the calls left behind."""
        path = self.folder / "effects"
        return path.read_text(encoding="utf-8").splitlines() if path.exists() else []

    def _process(self, *arguments: str) -> Program:
        return start(("workbench", *arguments), self.folder, os.environ, is_heard=arguments[0] != "run")


def _kill_after(process: Program, events: int, delay_s: float) -> None:
    """Kill *process*, and nothing else, a moment after its *events*-th event."""
    for _line in range(events):
        if not process.stdout.readline():
            break
    time.sleep(delay_s)
    process.kill()
    process.wait()
    process.stdout.close()


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(20))
def test_a_killed_run_completes_and_calls_nothing_twice(seed: int, tmp_path: Path) -> None:
    chance = random.Random(seed)
    bench = Bench.made(tmp_path)
    _kill_after(bench.start(), chance.randint(1, 55), chance.uniform(0, 0.03))
    code, events = bench.resume()
    if not events:  # it had completed before it was killed
        assert code == 1
    else:
        assert code == 0
        assert events[-1]["body"]["return"] == ["Ada", list(range(_ROUNDS))]
    expected = [f"{number} {word}" for number in [*range(_ROUNDS), "last"] for word in ("begun", "ended")]
    assert bench.effects() == expected


def _cut_off_inside_a_call(bench: Bench) -> None:
    """Kill the run together with its Python, while a call is going on."""
    (bench.folder / "hold").touch()
    process = bench.start()
    while len(bench.effects()) < 3:
        assert process.poll() is None
        time.sleep(0.01)  # it needs the machine more than the one that looks
    children = [child for task in Path(f"/proc/{process.pid}/task").iterdir() for child in _children(task)]
    process.kill()
    for child in children:
        os.kill(child, signal.SIGKILL)
    process.wait()
    process.stdout.close()
    (bench.folder / "hold").unlink()


def _children(task: Path) -> list[int]:
    return [int(child) for child in (task / "children").read_text(encoding="ascii").split()]


@pytest.mark.parametrize(
    ("choice", "returned"),
    [("done --value 7", [0, 7, 2, 3, 4, 5]), ("skip", [0, None, 2, 3, 4, 5]), ("again", [*range(6)])],
)
def test_a_call_cut_off_in_the_middle_is_in_doubt_and_decided(choice: str, returned: object, tmp_path: Path) -> None:
    bench = Bench.made(tmp_path)
    _cut_off_inside_a_call(bench)
    code, events = bench.resume("--in-doubt", *choice.split())
    assert code == 0
    assert events[-1]["body"]["return"] == ["Ada", returned]
    assert bench.effects().count("1 begun") == (2 if choice == "again" else 1)


def test_a_call_in_doubt_waits_for_a_person(tmp_path: Path) -> None:
    bench = Bench.made(tmp_path)
    _cut_off_inside_a_call(bench)
    code, events = bench.resume()
    assert code == 3
    assert [event["type"] for event in events[-2:]] == ["effect.in_doubt", "run.paused"]
    code, events = bench.resume("--in-doubt", "done")  # what it gave is asked for as well
    assert code == 3
    code, events = bench.resume("--in-doubt", "done", "--value", "null")
    assert code == 0
    assert bench.effects().count("1 begun") == 1


def test_a_killed_run_whose_python_calls_back_does_nothing_twice(tmp_path: Path) -> None:
    assert list(kills.nested(3, tmp_path)) == []


def test_two_machines_with_one_store_do_nothing_twice(tmp_path: Path) -> None:
    assert list(kills.machines(4, tmp_path)) == []
