"""Random programs that are forked at random events, and what must hold of each such fork."""

from __future__ import annotations

import random
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any

from tests.core.engine_driver import Played, book, finished
from tests.core.steplist_cutting import IN_MEMORY
from workbench.engine.audit.chain import check_chain
from workbench.engine.backends.script import ScriptBackend
from workbench.engine.expressions.data import canonical
from workbench.engine.forking.forking import fork_run, plan_fork
from workbench.engine.forking.plan import ForkWish
from workbench.engine.journal.codec import encoded
from workbench.engine.journal.events import RunEvent, RunId
from workbench.engine.journal.journal import Journal
from workbench.engine.journal.run_events import StepEntered
from workbench.engine.options import RunOptions
from workbench.engine.ports import Answer, Request, RequestKind
from workbench.engine.scripts import parse_script
from workbench.engine.starting import resume_run, start_run
from workbench.engine.state.fold import fold
from workbench.engine.state.frames import Frame
from workbench.model.snapshot import Snapshot, derive
from workbench.syntax.differences import common_length
from workbench.syntax.text import SourceText

_VALUES = ("1", "$a + 1", "[1, 2]", "'text'", "len([1])", "$b", "Other($b)", "Weather($a) + 1")
_TESTS = ("$a == 1", "$b == 2", "the sky is blue", "Weather($a) == 3")
_STEPS = ("Ask user for $a", 'Tell user "a is {$a}"', "Other($a)", "$b = Weather($a)", "Look around", "here = 4")
_HEADS = ("For each $x in [1, 2]", "Repeat 2 times", "While $b == 2, up to 2 times", "Otherwise")
_JUMPS = ("", "", "", "continue", "break", "Return $a", "Go to step 2")
_OTHER = "\n## Other($v)\n### Triggers\n- When $a == 3\n### Steps\n- there = $v\n- $c = there\n- Return $c\n"
_MOST_STEPS = 60


def random_program(chance: random.Random, jumps: Sequence[str] = _JUMPS) -> Snapshot:
    """A playbook with nested steps of many kinds, which calls another one and tools."""
    steps = "".join(_lines(chance, "", 2, jumps) for _step in range(chance.randint(1, 5)))
    return book(f"- $a = 1\n- $b = 2\n{steps}{_OTHER}")


def _lines(chance: random.Random, indent: str, depth: int, jumps: Sequence[str]) -> str:
    if depth == 0 or chance.random() < 0.5:
        return f"{indent}- {_step(chance)}\n"
    head = f"If {chance.choice(_TESTS)}" if chance.random() < 0.5 else chance.choice(_HEADS)
    inside = "".join(_lines(chance, indent + "  ", depth - 1, jumps) for _step in range(chance.randint(1, 3)))
    jump = chance.choice(jumps)
    return f"{indent}- {head}\n{inside}" + (f"{indent}  - {jump}\n" if jump else "")


def _step(chance: random.Random) -> str:
    is_assignment = chance.random() < 0.4
    return f"${chance.choice('ab')} = {chance.choice(_VALUES)}" if is_assignment else chance.choice(_STEPS)


class Agreeable(ScriptBackend):
    """Answers every question by itself, always the same, and remembers for which step it was asked."""

    def __init__(self) -> None:
        super().__init__(parse_script("tools: {Weather: 3}"))
        self.asked: list[str] = []

    def judge(self, request: Request) -> Answer:
        """An answer that only depends on the question."""
        self.asked.append(request.step)
        if request.kind is RequestKind.DECIDE:
            return Answer(decision=len(request.step) % 2 == 0)
        return Answer(values=tuple((field.name, 2) for field in request.fields))


_OPTIONS = RunOptions(max_steps=_MOST_STEPS)


def check_fork(chance: random.Random) -> list[str]:
    """What is wrong where a random program is forked at a random event."""
    snapshot, journal = random_program(chance), Journal(IN_MEMORY)
    whole = finished(start_run(snapshot, journal, Agreeable(), _OPTIONS), journal)
    last = len(whole.events) - 1 - whole.state.is_over
    seq = chance.randint(0, last)
    run = fork_run(journal, plan_fork(journal, ForkWish(whole.run.id, seq)))
    begun, backend = journal.read(run), Agreeable()
    again = finished(resume_run(run, journal, backend), journal)
    faults = [*faults_at_the_fork(whole.events, begun, seq), *_faults_afterwards(whole, again, seq, backend.asked)]
    faults += [f"{each}: {fault}" for each in (whole.run.id, run) for fault in check_chain(journal, each).faults]
    faults += [] if journal.check(whole.run.id) == whole.events else ["the run that was forked has changed"]
    journal.close()
    return [f"{snapshot.text!r} at {seq}: {fault}" for fault in faults]


def faults_at_the_fork(source: tuple[RunEvent, ...], begun: tuple[RunEvent, ...], seq: int) -> Iterator[str]:
    """What differs between the run of *source* at its event *seq*, and the fork that has only *begun*."""
    run = begun[0].run
    if begun[: seq + 1] != tuple(replace(event, run=run) for event in source[: seq + 1]):
        yield "the events before the fork are others"
    if [event.name for event in begun[seq + 1 :]] != ["run.forked"]:
        yield f"it begins with {[event.name for event in begun[seq + 1 :]]}"
    then, now = fold(source[: seq + 1]), fold(begun)
    if now.agents != then.agents:
        yield f"variables are {now.agents}, and were {then.agents}"
    frames = [[*map(_essence, state.frames)] for state in (then, now)]
    if frames[0] != frames[1]:
        yield f"the call stack is {frames[1]}, and was {frames[0]}"
    if (now.step_statuses, now.world, now.waiting) != (then.step_statuses, then.world, then.waiting):
        yield "steps, artifacts, meetings or messages are others"


def _essence(frame: Frame) -> Frame:
    """*frame*, whose calls under way are noted elsewhere in a fork."""
    return replace(frame, intents=tuple(replace(each, noted=None) for each in frame.intents))  # type: ignore[arg-type]


_BETWEEN = frozenset({"run.forked", "run.resumed", "run.paused"})


def _faults_afterwards(whole: Played, again: Played, seq: int, asked: list[str]) -> Iterator[str]:
    """What the fork did again, or otherwise than the run that it was forked from."""
    before = whole.events[: seq + 1]
    spans = {event.span for event in before if event.name == "step.entered"}
    for event in again.events[seq + 1 :]:
        if event.name == "step.entered" and event.span in spans:
            yield f"{event.step} is carried out again"
    later = [told(event) for event in again.events if event.name not in _BETWEEN]
    usual = [told(event) for event in whole.events]
    if later != usual:
        at = common_length(later, usual)
        yield f"it went on with {later[at : at + 1]}, and not with {usual[at : at + 1]}"
    answered = {event.span for event in before if event.name == "input.given"}
    open_ones = [each.step for each in before if each.name == "input.asked" and each.span not in answered][-1:]
    after = [event.step for event in whole.events[seq + 1 :] if event.name == "input.asked"]
    if asked not in (after, [*open_ones, *after]):
        yield f"it asked for {asked}, and not for {after}"
    ends = [(state.status, state.result, state.error) for state in (whole.state, again.state)]
    if ends[0] != ends[1]:
        yield f"it ended with {ends[1]}, and not with {ends[0]}"


_NEW = 'Tell user "new"'
_TOLD = (
    "text",
    "status",
    "name",
    "new",
    "taken",
    "round",
    "tool",
    "positional",
    "value",
    "answer",
    "playbook",
    "return",
)


def check_grown_fork(chance: random.Random) -> list[str]:
    """What is wrong where a random program goes on from a random event with a text in which steps were put in.

    The new steps do nothing that others depend on. So all that the run did, the fork does besides.
    """
    snapshot, journal = random_program(chance, jumps=("", "", "continue", "break", "Return $a")), Journal(IN_MEMORY)
    options = RunOptions(max_steps=50 * _MOST_STEPS)
    whole = finished(start_run(snapshot, journal, Agreeable(), options), journal)
    seq = chance.randint(0, len(whole.events) - 2)
    grown = derive(SourceText("".join(_grown(chance, line) for line in snapshot.text.splitlines(keepends=True))))
    plan = plan_fork(journal, ForkWish(whole.run.id, seq, text=grown))
    faults = [f"it is refused: {refusal}" for refusal in plan.refusals]
    faults += [f"{lost.step} is said to be lost" for lost in plan.lost]
    if plan.is_possible:
        again = finished(resume_run(fork_run(journal, plan), journal, Agreeable()), journal)
        faults += [f"{fault}" for fault in check_chain(journal, again.run.id).faults]
        begun = {name: fold(again.events[: seq + 2]).agents[name] for name in fold(whole.events[: seq + 1]).agents}
        faults += [] if begun == fold(whole.events[: seq + 1]).agents else ["variables are others"]
        usual, found = _without_new(whole.events, ()), _without_new(again.events, _new_steps(again.events))
        at = common_length(found, usual)
        faults += [] if found == usual else [f"it does {found[at : at + 1]}, and not {usual[at : at + 1]}"]
    journal.close()
    return [f"{snapshot.text!r} at {seq} with {grown.text!r}: {fault}" for fault in faults]


def _grown(chance: random.Random, line: str) -> str:
    """*line*, with a new step before it, where it is a step and one may stand there."""
    words = line.lstrip()
    may_grow = words.startswith("- ") and not words.startswith(("- Otherwise", "- When")) and chance.random() < 0.3
    return f"{line[: len(line) - len(words)]}- {_NEW}\n{line}" if may_grow else line


def _new_steps(events: Iterable[RunEvent]) -> frozenset[str]:
    entered = [each for each in events if isinstance(each.payload, StepEntered) and each.payload.text == _NEW]
    return frozenset(each.step for each in entered)


def _without_new(events: Iterable[RunEvent], new: Collection[str]) -> list[tuple[Any, ...]]:
    """What *events* tell of steps that are not *new*, wherever these stand. Until the text changes none is."""
    found = []
    is_grown = False
    for event in events:
        is_grown = is_grown or event.name == "run.forked"
        if event.name.startswith(("run.", "trigger.checked")) or (is_grown and event.step in new):
            continue
        body = encoded(event.payload)
        found.append((event.name, [canonical(body[name]) for name in _TOLD if name in body]))
    return found


def told(event: RunEvent) -> tuple[Any, ...]:
    """What *event* tells, whichever run does."""
    body = {name: value for name, value in encoded(event.payload).items() if name not in ("key", "request")}
    return event.name, event.step, event.span, event.parent, body


def new_fork(journal: Journal, source: RunId, **wish: Any) -> RunId:
    """A fork of *source* that has not begun to go on."""
    return fork_run(journal, plan_fork(journal, ForkWish(source, **wish)))
