"""Runs of step lists are killed, resumed, killed again, and gone on with: by a script, by tools, by a person.

Nothing may be lost, nothing may happen twice but what was said to be made again, and every run must come to its end.
"""

from __future__ import annotations

import json
import os
import pty
import random
import signal
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.conftest import DATA
from tests.core.steplist_cutting import Case, deed, essence, resumed, script_for, whole
from tests.loaded import start
from tests.soak.written import events_in
from workbench.engine.backends.script import ScriptedWalker
from workbench.engine.journal.events import RunEvent
from workbench.engine.journal.run_events import CallResolved, ToolCalled
from workbench.engine.ports import InDoubtChoice
from workbench.model.loader.loading import PlaybookLoadError, load_text
from workbench.model.snapshot import derive
from workbench.syntax.text import SourceText

ROOT = Path(__file__).resolve().parents[2]
LIST = """\
id: order
name: Order
steps:
  - {id: find, description: Find it, expected_tools: [lookup, search]}
  - {id: check, description: Check it, expected_tools: [policy]}
  - {id: gift, description: Send a gift, expected_tools: [gift], required: false}
  - {id: pay, description: Pay it back, expected_tools: [refund, mail, log], max_tool_calls: 3}
  - {id: tell, description: Tell the customer, validation: {required_result_keywords: [refunded]}}
"""
CALLS = """\
calls:
- {tool: lookup, args: {order: A-17}, result: found, batch: 1}
- {tool: refund, result: too early, batch: 1}
- {tool: search, batch: 1}
- {tool: search, error: the register is down}
- {tool: search, result: found, batch: 2}
- {tool: policy, result: allowed, batch: 2}
- {tool: refund, result: refunded 20, batch: 3}
- {tool: mail, batch: 3}
- {tool: log, batch: 3}
- {text: all is well}
- {text: You are refunded 20.}
"""
ENTRIES = (
    ("refund", "", "", "too early"),
    ("lookup", "order = A-17", "", "", "found"),
    ("search", "", "the register is down"),
    ("search", "", "", "found"),
    ("policy", "", "", "allowed"),
    ("skip", "not this time"),
    *((tool, "", "", f"{tool} done") for tool in ("refund", "mail", "log")),
    ("done", "all is well"),
    ("done", "You are refunded 20."),
)
_END_OF_INPUT = b"\x04"
_PATIENCE_S = 120
_MOST_RESUMES = 60


def scripts(number: int, folder: Path) -> Iterator[str]:
    """What is wrong after *number* kills of runs that a script walks, in batches."""
    return _killed(number, folder, Scripted)


def tools(number: int, folder: Path) -> Iterator[str]:
    """What is wrong after *number* kills of runs whose tools leave traces, each time with another answer."""
    return _killed(number, folder, Doing)


def entries(number: int, folder: Path) -> Iterator[str]:
    """What is wrong after *number* kills of runs that a person walks at a terminal."""
    return _killed(number, folder, Typed)


def cuts(number: int, folder: Path) -> Iterator[str]:
    """What is wrong where runs of all step lists of the tests are cut off after each event, *number* each at most."""
    for path in sorted(DATA.glob("*/*.yaml")) + sorted(DATA.glob("*/*.json")):
        snapshot = derive(SourceText.decode(path.read_bytes()))
        try:
            calls = script_for(load_text(snapshot.text))
        except PlaybookLoadError:
            continue
        case = Case(snapshot, lambda calls=calls: ScriptedWalker(calls))  # type: ignore[misc]
        uncut = whole(case)
        for count in range(1, min(number + 1, len(uncut.events))):
            if essence(resumed(uncut, count, case.walker())) != essence(uncut.events):
                yield f"{path.name}: cut after {count}, {uncut.events[count - 1].name}"


def _killed(number: int, folder: Path, kind: type[Bench]) -> Iterator[str]:
    chance = random.Random(f"{kind.__name__}{number}")
    undisturbed = kind.made(folder / "undisturbed", chance)
    undisturbed.go_on()
    expected = undisturbed.events()
    if expected[-1].name != "run.completed":
        yield "it does not end even when nobody disturbs it"
    left = number
    for count in range(number):
        if left <= 0:
            break
        bench = kind.made(folder / str(count), chance)
        left -= bench.kill_until_it_ends(left, len(expected))
        yield from (f"{count}: {fault}" for fault in bench.faults(expected))


@dataclass(frozen=True, slots=True)
class Bench:
    """One run in *folder*, carried out by one process after the other."""

    folder: Path
    chance: random.Random

    @classmethod
    def made(cls, folder: Path, chance: random.Random) -> Bench:
        """A bench with the list, its script, and nothing run yet."""
        folder.mkdir(parents=True)
        (folder / "list.yaml").write_text(LIST, encoding="utf-8")
        (folder / "calls.yaml").write_text(CALLS, encoding="utf-8")
        return cls(folder, chance)

    def kill_until_it_ends(self, most: int, length: int) -> int:
        """Kill what carries the run out, *most* times at most, and let the last one end it; how often that was.

        *length*: how many events it has.
        """
        killed = 0
        for _turn in range(_MOST_RESUMES):
            if self.is_over():
                break
            is_killed = killed < most and (not killed or self.chance.random() < 0.5)
            if is_killed:
                self.go_on(self.chance.randint(0, length), self.chance.uniform(0, 0.03))
                killed += 1
            else:
                self.go_on()
        return max(1, killed)

    def go_on(self, events: int | None = None, delay_s: float = 0.0) -> None:
        """Begin or resume the run; kill it *delay_s* after so many *events* (None: let it be)."""
        raise NotImplementedError

    def faults(self, expected: Sequence[RunEvent]) -> Iterator[str]:
        """What is otherwise than in the run that nobody disturbed, which told *expected*."""
        found = self.events()
        if not found or found[-1].name != "run.completed":
            yield f"it cannot end: {found[-1].name if found else 'nothing was written'}"
        elif essence(found)[1:] != essence(expected)[1:]:  # the first tells where the file is
            told = [one[0] for one in essence(found)]
            yield f"it tells {Counter(told)} and not {Counter(one[0] for one in essence(expected))}"

    def words(self) -> tuple[str, ...]:
        """The words that begin the run, or go on with it."""
        found = self.events()
        begin = ("run", "list.yaml") if not found else ("resume", found[0].run)
        return ("workbench", *begin, "--store", "store")

    def is_over(self) -> bool:
        """Whether the run has ended."""
        found = self.events()
        return bool(found) and found[-1].name in ("run.completed", "run.failed")

    def events(self) -> tuple[RunEvent, ...]:
        """All that is written."""
        return events_in(self.folder / "store")

    def _follow(self, words: tuple[str, ...], events: int | None, delay_s: float) -> None:
        """Carry out *words*, which tells its events line by line, and kill it as ``go_on`` says."""
        process = start(words, self.folder, os.environ)
        if events is not None:
            for _event in range(events):
                if not process.stdout.readline():
                    break
            time.sleep(delay_s)
            process.kill()
        process.communicate(timeout=_PATIENCE_S)


class Scripted(Bench):
    """A run that a script walks."""

    def go_on(self, events: int | None = None, delay_s: float = 0.0) -> None:
        """Begin or resume the run by its script."""
        self._follow((*self.words(), "--script", "calls.yaml", "--json"), events, delay_s)


class Doing(Bench):
    """A run whose tools leave traces. What is said of a call in doubt differs from time to time."""

    def go_on(self, events: int | None = None, delay_s: float = 0.0) -> None:
        """Begin or resume the run with tools that do something."""
        choice = self.chance.choice(list(InDoubtChoice)).value
        self._follow(("tests.soak.doing", choice), events, delay_s)

    def faults(self, expected: Sequence[RunEvent]) -> Iterator[str]:
        """What was done more or less often than was decided."""
        found = self.events()
        if not found or found[-1].name != "run.completed":
            yield f"it cannot end: {found[-1].name if found else 'nothing was written'}"
            return
        path = self.folder / "effects"
        done = Counter(path.read_text("utf-8").splitlines() if path.exists() else ())
        calls = {event.span: event.payload for event in found if isinstance(event.payload, ToolCalled)}
        decided: dict[InDoubtChoice, Counter[str]] = {choice: Counter() for choice in InDoubtChoice}
        for event in found:
            if isinstance(event.payload, CallResolved):
                decided[event.payload.how][deed(calls[event.span].tool, {})] += 1
        for made in {deed(call.tool, {}) for call in calls.values()}:
            least = 1 - decided[InDoubtChoice.DONE][made]
            most = 1 + decided[InDoubtChoice.AGAIN][made] + decided[InDoubtChoice.SKIP][made]
            if not least <= done[made] <= most:
                yield f"{made} was done {done[made]} times, and should be from {least} to {most} times"


class Typed(Bench):
    """A run that a person walks at a terminal."""

    def go_on(self, events: int | None = None, delay_s: float = 0.0) -> None:
        """Begin or resume the run at a terminal; type what is asked for, and kill it after so many prompts."""
        prompts = None if events is None else self.chance.randint(0, 8)
        environment = {**os.environ, "PYTHONPATH": str(ROOT), "TERM": "dumb"}
        command = [sys.executable, "-m", *self.words()]
        given = sum(event.name == "input.given" for event in self.events())
        pid, screen = pty.fork()
        if pid == 0:
            os.chdir(self.folder)
            os.execve(command[0], command, environment)
        try:
            _type(screen, [line for entry in ENTRIES[given:] for line in entry], prompts)
            if prompts is not None:
                time.sleep(delay_s)
                os.kill(pid, signal.SIGKILL)
        finally:
            os.close(screen)
            os.waitpid(pid, 0)


def _type(screen: int, lines: list[str], prompts: int | None) -> None:
    """Type *lines*, one at each prompt on *screen*, until it is closed or so many *prompts* were answered."""
    shown, typed = b"", 0
    while prompts is None or typed < prompts:
        try:
            part = os.read(screen, 65_536)
        except OSError:  # the other side is closed
            return
        if not part:
            return
        shown += part
        if shown.rstrip(b"\r\n").endswith(b": ") and not shown.endswith(b"\n"):
            os.write(screen, f"{lines[typed]}\n".encode() if typed < len(lines) else _END_OF_INPUT)
            typed, shown = typed + 1, b""


def told(event: RunEvent) -> str:
    """*event* as the line that tells a parent process of it."""
    return json.dumps({"seq": event.seq, "type": event.name})
