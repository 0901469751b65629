"""Folds the events of a run into the bars of its timeline."""

from __future__ import annotations

from collections.abc import Callable

from workbench.engine.journal import events as event_types
from workbench.engine.journal.events import RunEvent
from workbench.gui.control.running.run_marks import error_of, first_line
from workbench.gui.timeline.bars.bars import OPEN_NS, Bar, BarKind, BarStatus, BarTable, Tint
from workbench.model.meaning import StepKind


class RunClock:
    """Where an event lies on the run's own time line, which never runs backwards.

    Durations come from the monotonic clock, so that a changed wall clock bends no bar. The
    time in which nobody carried the run out (from a crash, a stop or a closed window to the
    resume) takes no room; a pause does, since somebody was there.
    """

    def __init__(self) -> None:
        self._last_mono_ns: int | None = None
        self._is_held = False
        self.position_ns = 0

    def move_to(self, event: RunEvent) -> int:
        """The position of *event*, ns since the first one."""
        is_taken_up = event.type == event_types.RUN_RESUMED and not self._is_held
        if self._last_mono_ns is not None and not is_taken_up:
            self.position_ns += max(0, event.mono_ns - self._last_mono_ns)
        self._last_mono_ns = event.mono_ns
        self._is_held = event.type == event_types.RUN_PAUSED and not event.body.get("reason")
        return self.position_ns

    def position_at(self, mono_ns: int) -> int:
        """The position of the present, *mono_ns* on the monotonic clock."""
        return self.position_ns + max(0, mono_ns - (self._last_mono_ns or mono_ns))


class BarFold:
    """Keeps one BarTable up to date with a run. Nesting gives the lane: what opens inside lies one lower.

    *step_kind*: how the step at an address is drawn on the flowchart.
    """

    def __init__(self, step_kind: Callable[[str], StepKind]) -> None:
        self.table = BarTable()
        self._step_kind = step_kind
        self.clock = RunClock()
        self._open_keys: list[str] = []  # outermost first

    def take(self, event: RunEvent) -> None:
        """Add what *event* tells."""
        at_ns = self.clock.move_to(event)
        self.table.reach(at_ns)
        if event.type in _OPENING:
            if not _is_of_person(event):
                self._open(event, at_ns, _OPENING[event.type])
        elif event.type in _CLOSING:
            kind, status = _CLOSING[event.type]
            self._close(event, at_ns, kind, _ended(event, status))
        elif event.type == event_types.CALL_BLOCKED:
            self._block(event, at_ns)
        elif event.type == event_types.IN_DOUBT and self._open_keys:
            self.table.mark(self._open_keys[-1], BarStatus.BLOCKED, first_line(str(event.body.get("text", ""))))
        elif event.type == event_types.RESOLVED:
            self._resolve(event, at_ns)
        elif event.type in _LEFT_OPEN:
            self._close_from(0, at_ns, _LEFT_OPEN[event.type])

    def _open(self, event: RunEvent, at_ns: int, kind: BarKind) -> None:
        """Begin a bar one lane below the innermost open one."""
        key = _key(kind, event)
        if key in self._open_keys:  # a resumed run enters again what it was cut off in
            self._close_from(self._open_keys.index(key), at_ns, BarStatus.STOPPED)
        is_question = kind is BarKind.QUESTION
        status = BarStatus.WAITING if is_question else BarStatus.RUNNING
        lane = len(self._open_keys)
        self._open_keys.append(key)
        tint = Tint(kind, status, self._step_kind(event.step) if kind is BarKind.STEP else StepKind.STEP)
        self.table.open(key, Bar(lane, 0, tint, at_ns, OPEN_NS, _name(kind, event), event.step, event.seq))
        if is_question:
            self.table.mark(key, status, first_line(str(event.body.get("text", ""))))

    def _close(self, event: RunEvent, at_ns: int, kind: BarKind, status: BarStatus) -> None:
        """End the bar that *event* names, and whatever was left open inside it."""
        key = _key(kind, event)
        if key in self._open_keys:
            depth = self._open_keys.index(key)
            self._close_from(depth + 1, at_ns, BarStatus.STOPPED if status is BarStatus.FAILED else BarStatus.DONE)
            self._open_keys.pop()
            self.table.close(key, at_ns, status, error_of(event))

    def _block(self, event: RunEvent, at_ns: int) -> None:
        """A call that was not made took no time, and is to be seen all the same."""
        key = f"{BarKind.CALL}:blocked:{event.seq}"
        tint = Tint(BarKind.CALL, BarStatus.BLOCKED)
        bar = Bar(len(self._open_keys), 0, tint, at_ns, OPEN_NS, _name(BarKind.CALL, event), event.step, event.seq)
        self.table.open(key, bar)
        self.table.close(key, at_ns, BarStatus.BLOCKED, error_of(event))

    def _resolve(self, event: RunEvent, at_ns: int) -> None:
        """The call is made again, or is over."""
        if event.body.get("how") == "again" and self._open_keys:
            self.table.mark(self._open_keys[-1], BarStatus.RUNNING)
        else:
            is_skipped = event.body.get("how") == "skip"
            self._close(event, at_ns, BarKind.CALL, BarStatus.SKIPPED if is_skipped else BarStatus.DONE)

    def _close_from(self, depth: int, at_ns: int, status: BarStatus) -> None:
        while len(self._open_keys) > depth:
            self.table.close(self._open_keys.pop(), at_ns, status)


def _ended(event: RunEvent, status: BarStatus) -> BarStatus:
    """How what *event* ends went, where the event says more than its type."""
    if event.body.get("is_failed"):
        return BarStatus.FAILED
    return BarStatus.SKIPPED if event.body.get("status") == "skipped" else status


def _is_of_person(event: RunEvent) -> bool:
    """Whether *event* begins the turn of a person, whose question is a bar already."""
    return event.type == event_types.TURN_ASKED and event.body.get("model") == "person"


def _key(kind: BarKind, event: RunEvent) -> str:
    """What the two ends of a bar have in common."""
    return f"{kind}:{event.span or event.step}"


def _name(kind: BarKind, event: RunEvent) -> str:
    """What stands on the bar: the playbook, the tool; a step is named by its address."""
    if kind is BarKind.STEP:
        return event.step
    return str(event.body.get("playbook") or event.body.get("tool") or event.step)


_OPENING = {
    event_types.PLAYBOOK_ENTERED: BarKind.PLAYBOOK,
    event_types.STEP_ENTERED: BarKind.STEP,
    event_types.TOOL_CALL: BarKind.CALL,
    event_types.INPUT_ASKED: BarKind.QUESTION,
    event_types.TURN_ASKED: BarKind.QUESTION,
}
_CLOSING = {
    event_types.PLAYBOOK_EXITED: (BarKind.PLAYBOOK, BarStatus.DONE),
    event_types.STEP_EXITED: (BarKind.STEP, BarStatus.DONE),
    event_types.STEP_FAILED: (BarKind.STEP, BarStatus.FAILED),
    event_types.TOOL_RESULT: (BarKind.CALL, BarStatus.DONE),
    event_types.TOOL_ERROR: (BarKind.CALL, BarStatus.FAILED),
    event_types.INPUT_GIVEN: (BarKind.QUESTION, BarStatus.DONE),
    event_types.TURN_TAKEN: (BarKind.QUESTION, BarStatus.DONE),
}
_LEFT_OPEN = {
    event_types.RUN_COMPLETED: BarStatus.DONE,
    event_types.RUN_FAILED: BarStatus.FAILED,
    event_types.RUN_CANCELLED: BarStatus.STOPPED,
}
