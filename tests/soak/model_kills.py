"""Runs that a model judges are killed: during a stream, between answer and event, in a tool, while leave is asked.

The model is not asked again for what is journaled, nothing is done twice but what was said to be made again, and every
run comes to its end.
"""

from __future__ import annotations

import os
import random
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from tests.model_replies import Asked, Call, Reply
from tests.model_server import ModelServer
from tests.soak.list_kills import ROOT
from tests.soak.written import events_in
from workbench.disk.places import HOME_VARIABLE
from workbench.engine.journal.events import RunEvent
from workbench.engine.journal.model_events import ModelAnswered, ModelAsked
from workbench.engine.journal.run_events import CallResolved, ToolCalled
from workbench.engine.ports import InDoubtChoice

_BOOK = '''# Book
```python
@playbook
def look(disk: str) -> int:
    """How full a disk is."""
    with open("effects", "a") as file:
        file.write(f"look {disk}\\n")
    return 91
```
## Main
### Steps
- Find out how full the disks are as $full:int
- If a disk is too full
  - Free some room
- Tell the team what was done, in $report
- Return $full
'''
_WRITE = "import sys, time; open('effects', 'a').write(f'shell {sys.argv[1]}\\n'); time.sleep(0.05)"
_PATIENCE_S = 120
_MOST_RESUMES = 60
_CHOICES = [each.value for each in InDoubtChoice]


def kills(number: int, folder: Path) -> Iterator[str]:
    """What is wrong after *number* kills."""
    chance = random.Random(f"models{number}")
    with ModelServer(lambda asked: _slowly(answered(asked))) as server:
        bench = Bench.made(folder / "undisturbed", chance, server.url)
        bench.go_on()
        events = len(bench.events())
        yield from (f"undisturbed: {fault}" for fault in bench.faults())
        left, count = number, 0
        while left > 0:
            bench = Bench.made(folder / str(count), chance, server.url)
            left -= bench.kill_until_it_ends(left, events)
            yield from (f"{count}: {fault}" for fault in bench.faults())
            count += 1


def answered(asked: Asked) -> Reply:
    """What the model says, by what it has been told."""
    question = asked.messages[0][1]
    results = sum(role == "tool" for role, _text in asked.messages)
    if "## Now: Main:01" in question and results < 3:
        disks = ("a", "b") if results == 0 else ("c",)
        return Reply(calls=[Call("look", {"disk": disk}) for disk in disks])
    if "## Now: Main:01" in question:
        return Reply(data={"full": 91})
    if "decision" in ((asked.schema or {}).get("properties") or {}):
        return Reply(data={"reason": "91 is too much " * 20, "decision": True})
    if "## Now: Main:02.01" in question and results < 2:
        return Reply(calls=[Call("shell", {"command": _command(f"free-{results + 1}")})])
    if asked.schema is not None:
        return Reply(data={"report": "All of it was freed. " * 40})
    return Reply("Freed, bit by bit. " * 40)


def _slowly(reply: Reply) -> Reply:
    """*reply* with a pause in its stream, long enough to be killed in."""
    goes_on = threading.Event()
    threading.Timer(0.12, goes_on.set).start()
    return replace(reply, waits=goes_on, pauses_after=3)


def _command(deed: str) -> list[str]:
    return [sys.executable, "-c", _WRITE, deed]


@dataclass(frozen=True, slots=True)
class Bench:
    """One run in *folder*, carried out by one process after the other."""

    folder: Path
    chance: random.Random

    @classmethod
    def made(cls, folder: Path, chance: random.Random, url: str) -> Bench:
        """A bench with a playbook, a person's leave for its calls, an endpoint, and nothing run yet."""
        folder.mkdir(parents=True)
        (folder / "book.md").write_text(_BOOK, "utf-8")
        calls = [f"- {{tool: shell, args: {{command: {_command(f'free-{one}')!r}}}}}" for one in (1, 2)]
        (folder / "leave.yaml").write_text("approvals:\n" + "\n".join(calls) + "\n", "utf-8")
        bench = cls(folder, chance)
        bench.follow(["models", "add", "test", "--url", url, "--model", "small"], None, 0)
        return bench

    def kill_until_it_ends(self, most: int, length: int) -> int:
        """Kill what carries the run out, *most* times at most, and let the last one end it; how often that was."""
        killed = 0
        for _turn in range(_MOST_RESUMES):
            if self.is_over():
                break
            if killed < most and (not killed or self.chance.random() < 0.6):
                self.go_on(self.chance.randint(1, length), self.chance.uniform(0, 0.06))
                killed += 1
            else:
                self.go_on()
        return max(1, killed)

    def go_on(self, events: int | None = None, delay_s: float = 0.0) -> None:
        """Begin or resume the run; kill it *delay_s* after so many *events* (None: let it be)."""
        found = self.events()
        script = ["--script", "leave.yaml", "--trust", "--json", "--store", "store"]
        if not found:
            self.follow(["run", "book.md", "--model", "test", *script], events, delay_s)
            return
        choice = self.chance.choice(_CHOICES)
        value = ["--value", "null"] if choice == InDoubtChoice.DONE.value else []
        self.follow(["resume", found[0].run, "--in-doubt", choice, *value, *script], events, delay_s)

    def follow(self, command: list[str], events: int | None, delay_s: float) -> None:
        """Carry out *command*, which tells its events line by line, and kill it after so many."""
        process = subprocess.Popen(
            [sys.executable, "-m", "workbench", *command],
            cwd=self.folder,
            env={**os.environ, "PYTHONPATH": str(ROOT), HOME_VARIABLE: str(self.folder / "home")},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        assert process.stdout is not None
        if events is not None:
            for _event in range(events):
                if not process.stdout.readline():
                    break
            time.sleep(delay_s)
            process.kill()
        process.communicate(timeout=_PATIENCE_S)

    def is_over(self) -> bool:
        """Whether the run has ended."""
        found = self.events()
        return bool(found) and found[-1].name in ("run.completed", "run.failed")

    def events(self) -> tuple[RunEvent, ...]:
        """All that is written."""
        return events_in(self.folder / "store")

    def faults(self) -> Iterator[str]:
        """What happened that should not have, or did not that should have."""
        found = self.events()
        if not found or found[-1].name != "run.completed":
            yield f"it cannot end: {found[-1].name if found else 'nothing was written'}"
            return
        yield from _asked_twice(found)
        path = self.folder / "effects"
        done = Counter(path.read_text("utf-8").splitlines() if path.exists() else ())
        calls = {event.span: event.payload for event in found if isinstance(event.payload, ToolCalled)}
        decided: dict[InDoubtChoice, Counter[str]] = {choice: Counter() for choice in InDoubtChoice}
        for event in found:
            if isinstance(event.payload, CallResolved):
                decided[event.payload.how][_deed(calls[event.span])] += 1
        for made, wanted in Counter(map(_deed, calls.values())).items():
            least = wanted - decided[InDoubtChoice.DONE][made] - decided[InDoubtChoice.SKIP][made]
            most = wanted + decided[InDoubtChoice.AGAIN][made]
            if not least <= done[made] <= most:
                yield f"{made} was done {done[made]} times, and should be from {least} to {most} times"
            if wanted > 1:
                yield f"{made} was wanted {wanted} times"


def _asked_twice(events: tuple[RunEvent, ...]) -> Iterator[str]:
    """What a model was asked although its answer was journaled."""
    known: set[tuple[str, int]] = set()
    for event in events:
        match event.payload:
            case ModelAsked(request=request, turn=turn) if (request, turn) in known:
                yield f"{request} was asked again, turn {turn}"
            case ModelAnswered(request=request, turn=turn):
                known.add((request, turn))


def _deed(call: ToolCalled) -> str:
    named = dict(call.named)
    return f"look {named['disk']}" if call.tool == "look" else f"shell {named['command'][-1]}"
