"""The fold of the journal is the live state: runs with triggers, agents, meetings and thinking can be cut anywhere."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.conftest import examples
from tests.core.engine_driver import book, finished
from workbench.engine.backends.script import ScriptBackend
from workbench.engine.journal.codec import encoded
from workbench.engine.journal.events import RunEvent
from workbench.engine.journal.journal import Journal
from workbench.engine.options import RunOptions
from workbench.engine.ports import Answer, Purpose, Request, RequestKind
from workbench.engine.scripts import parse_script
from workbench.engine.starting import resume_run, start_run
from workbench.engine.state.fold import advance, fold
from workbench.model.snapshot import Snapshot

_STEPS = st.sampled_from(
    [
        "- $a = $a + 1",
        "- $a = 0",
        "- $b = $a * 2",
        "- Look around",
        "- $h = CreateAgent('Other', c=$a)\n- $d = $h.Work($a)",
        "- $d = Work($a)",
        "- $d = Other.Long()",
        "- SaveArtifact('note', '', $a)",
        "- SaveArtifact('note', '', 1)\n- $b = LoadArtifact('note')",
        "- SendMessage('Other', 'hi {$a}')",
        "- $m = Review(topic='t', attendees=['Other'])",
        "- $d = Solve($a)",
        "- $d = Weather($a)",
        "- $d = Broken()",
        "- If $a > 1\n  - $b = 3",
        "- Ask Ann for $a:int",
        "- CreatePlaybook('New', '- Return 3')\n- $d = New()\n- EndProgram()",
    ]
)
_REST = """
## Alarm
### Triggers
- When $a > 1
### Steps
- $seen = $a
- $a = 0
## Echo
### Triggers
- After calling Work
### Steps
- $b = 0
## First
### Triggers
- Before calling Work
### Steps
- $a = $a + 1
## Mind
### Triggers
- When the sky falls
### Steps
- $b = $a
## Mend
### Triggers
- When Broken fails
### Steps
- Return 4
## Broken
### Steps
- $a = 2
- $x = 1 / 0
## Solve($n)
Think about {$n}.
## Review
meeting: true
### Steps
- Say('meeting', 'hello')
- $said = WaitForMessage('meeting')
- Return $said
# Other
## Work($n)
public: true
### Steps
- $c = $n
- Return $n + 1
## Long
public: true
### Steps
- Return 'x' * 600
## Watch
### Triggers
- When $c > 0
### Steps
- $seen = true
- $c = 0
## Join
meeting: true
### Steps
- $heard = WaitForMessage('meeting')
- Say('meeting', 'yes')
# Ann:Human
"""
_FIRST = "# Book\n## Main\n### Steps\n- $a = 1\n- $b = 2\n"
_PROGRAMS = st.lists(_STEPS, min_size=1, max_size=6).map(
    lambda steps: book("", _FIRST + "\n".join(steps) + "\n- Return $b" + _REST)
)


class _Agreeable(ScriptBackend):
    """Answers every question by itself, always the same."""

    def __init__(self) -> None:
        super().__init__(parse_script("tools: {Weather: 3}"))

    def judge(self, request: Request) -> Answer:
        if request.kind is RequestKind.DECIDE:
            return Answer(decision=True)
        if request.purpose is Purpose.TRIGGERS:
            is_falling = dict(request.context).get("$a") == 2
            return Answer(values=tuple((field.name, is_falling) for field in request.fields))
        if request.purpose is Purpose.REACT:
            return _thought(request)
        return Answer(values=tuple((field.name, 2) for field in request.fields))


def _thought(request: Request) -> Answer:
    if "→" not in request.text:
        return Answer(values=(("action", "Other.Work"), ("arguments", {"n": 3})))
    return Answer(values=(("action", "done"), ("result", 5)))


@contextmanager
def _folder() -> Iterator[Path]:
    folder = Path(tempfile.mkdtemp())
    yield folder
    shutil.rmtree(folder)


def _played(snapshot: Snapshot, folder: Path) -> tuple[tuple[RunEvent, ...], Any]:
    journal = Journal(folder / "runs.sqlite")
    played = finished(start_run(snapshot, journal, _Agreeable(), RunOptions(max_steps=300)), journal)
    journal.close()
    return played.events, played.state


def _essence(events: tuple[RunEvent, ...]) -> list[object]:
    """*events* without what differs from run to run."""
    kept = [event for event in events if event.name not in {"run.resumed", "run.paused"}]
    varying = {"key": "", "pb_hash": "", "request": ""}
    return [(e.name, e.span, e.parent, e.step, {**encoded(e.payload), **varying}) for e in kept]


@settings(max_examples=examples(20))
@given(_PROGRAMS)
def test_the_fold_of_the_journal_is_the_live_state(snapshot: Snapshot) -> None:
    with _folder() as folder:
        events, state = _played(snapshot, folder)
    assert fold(events) == state
    assert state.is_over, state


@settings(max_examples=examples(8))
@given(_PROGRAMS)
def test_the_same_program_and_answers_give_the_same_events(snapshot: Snapshot) -> None:
    with _folder() as first, _folder() as second:
        assert _essence(_played(snapshot, first)[0]) == _essence(_played(snapshot, second)[0])


@settings(max_examples=examples(10))
@given(_PROGRAMS, st.data())
def test_a_fold_can_be_gone_on_with_from_any_point(snapshot: Snapshot, data: st.DataObject) -> None:
    with _folder() as folder:
        events, state = _played(snapshot, folder)
    cut = data.draw(st.integers(0, len(events) - 1))
    assert advance(fold(events[:cut]), events[cut:]) == state


@settings(max_examples=examples(25))
@given(_PROGRAMS, st.data())
def test_a_run_resumed_from_any_event_ends_as_it_would_have(snapshot: Snapshot, data: st.DataObject) -> None:
    with _folder() as folder:
        events, state = _played(snapshot, folder)
        cut = data.draw(st.integers(1, len(events) - 1))
        journal = Journal(folder / "cut.sqlite")
        journal.append(events[:cut])
        journal.keep(snapshot.source.encode())
        again = finished(resume_run(events[0].run, journal, _Agreeable()), journal)
        journal.close()
    assert _essence(again.events) == _essence(events)
    assert again.state.result == state.result
