"""Folds the events of a run into the bars of its timeline."""

from __future__ import annotations

from collections.abc import Callable

from workbench.engine.journal.approval_events import ApprovalAsked, ApprovalDenied, ApprovalGranted
from workbench.engine.journal.choices import StepStatus
from workbench.engine.journal.events import RunEvent
from workbench.engine.journal.language_events import MessageSent, MessagesReceived
from workbench.engine.journal.model_events import (
    AnswerProposed,
    CommandOver,
    CommandWanted,
    JudgementHandedOver,
    ModelAnswered,
    ModelAsked,
)
from workbench.engine.journal.payload import EventPayload
from workbench.engine.journal.run_clock import RunClock
from workbench.engine.journal.run_events import (
    BranchTaken,
    CallInDoubt,
    CallResolved,
    InputAsked,
    InputGiven,
    PlaybookEntered,
    PlaybookExited,
    RunCancelled,
    RunCompleted,
    RunFailure,
    RunPaused,
    RunResumed,
    StepEntered,
    StepExited,
    StepFailure,
    ToolCalled,
    ToolError,
    ToolResult,
)
from workbench.engine.journal.steplist_events import CallBlocked, TurnAsked, TurnTaken
from workbench.engine.journal.waiting_events import ConversationEnded, MessageHeard, TimerDue, WaitBegun, WaitOver
from workbench.engine.ports import InDoubtChoice
from workbench.gui.control.running.run_folds import error_of, first_line
from workbench.gui.timeline.bars.bars import OPEN_NS, Bar, BarKind, BarStatus, BarTable, Planned, Tint
from workbench.gui.timeline.bars.columns import Message
from workbench.i18n import _
from workbench.model.meaning import StepKind
from workbench.vocabulary import waiting_words


class BarFold:
    """Keeps one BarTable up to date with a run. Nesting gives the lane: what opens inside lies one lower.

    *step_kind*: how the step at an address was drawn at an event. *planned*: what the run is held against.
    *open_keys*: of what is open, outermost first.
    """

    def __init__(self, step_kind: Callable[[str, int], StepKind], planned: Planned | None = None) -> None:
        self.table = BarTable()
        self.table.planned = planned
        self.step_kind = step_kind
        self.clock = RunClock()
        self.open_keys: list[str] = []
        self._tried: dict[str, int] = {}  # calls that were made more than once: how often
        self._sent: dict[tuple[str, str], int] = {}  # from whom to whom a message was sent last, and when
        self._doubtful_ns = 0  # when it was found that nobody knows whether a call was made
        self._unmet = ""  # the step whose condition has just been evaluated, and did not hold

    def take(self, event: RunEvent) -> None:
        """Add what *event* tells."""
        at_ns = self.clock.move_to(event)
        self.table.reach(at_ns)
        payload = event.payload
        what = type(payload)
        if what in _WAITING:
            self.mark_innermost(_WAITING[what], _awaited(payload), _JUDGES.get(what))
        if what in _OPENING:
            if not _is_of_person(payload):
                self._open(event, at_ns, _OPENING[what])
        elif what in _CLOSING:
            kind, status = _CLOSING[what]
            self._close(event, at_ns, kind, _ended(payload, status, was_met=event.step != self._unmet))
        elif what in _LEFT_OPEN:
            self._close_from(0, at_ns, _LEFT_OPEN[what])
        elif what in _OTHERS:
            self._take_other(event, at_ns)

    def _take_other(self, event: RunEvent, at_ns: int) -> None:
        match event.payload:
            case BranchTaken(taken=is_taken):
                self._unmet = "" if is_taken else event.step
            case CallBlocked():
                self._block(event, at_ns)
            case CallResolved() as resolved:
                self._resolve(event, resolved, at_ns)
            case TimerDue() if self.open_keys and self.open_keys[-1].startswith(str(BarKind.WAIT)):
                self._close_from(len(self.open_keys) - 1, at_ns, BarStatus.DONE)
            case MessageSent(sender=sender, to=to):
                self._sent.update(((sender, each), at_ns) for each in to)
            case MessagesReceived(agent=agent, source=source) if (source, agent) in self._sent:
                sent_ns, number = self._sent[source, agent], self.table.texts.number
                self.table.messages.append(Message(sent_ns, at_ns, number(source), number(agent)))

    def mark_innermost(self, status: BarStatus, note: str = "", judge: BarKind | None = None) -> None:
        """What is at work waits or goes on. *judge*: what a question is from then on, by whom it is put to."""
        if not self.open_keys:
            return
        if status is BarStatus.BLOCKED:
            self._doubtful_ns = self.clock.position_ns
        if judge is not None and self.open_keys[-1].startswith(str(BarKind.QUESTION)):
            self.table.turn(self.open_keys[-1], judge)
        self.table.mark(self.open_keys[-1], status, first_line(note))

    def _open(self, event: RunEvent, at_ns: int, kind: BarKind) -> None:
        """Begin a bar one lane below the innermost open one."""
        key = _key(kind, event)
        if key in self.open_keys:  # a resumed run enters again what it was cut off in
            self._close_from(self.open_keys.index(key), at_ns, BarStatus.STOPPED)
        is_waiting = kind in (BarKind.QUESTION, BarKind.WAIT)
        status = BarStatus.WAITING if is_waiting else BarStatus.RUNNING
        lane = len(self.open_keys)
        self.open_keys.append(key)
        tint = Tint(kind, status, self.step_kind(event.step, event.seq) if kind is BarKind.STEP else StepKind.STEP)
        agent = event.payload.agent if isinstance(event.payload, PlaybookEntered) else ""
        self.table.open(key, Bar(lane, 0, tint, at_ns, OPEN_NS, _name(event), event.step, event.seq), agent)
        if is_waiting:
            self.table.mark(key, status, first_line(_awaited(event.payload)))
        if isinstance(event.payload, TurnAsked):
            self.mark_innermost(BarStatus.RUNNING, judge=BarKind.JUDGEMENT)

    def _close(self, event: RunEvent, at_ns: int, kind: BarKind, status: BarStatus) -> None:
        """End the bar that *event* names, and whatever was left open inside it."""
        key, payload = _key(kind, event), event.payload
        if isinstance(payload, ModelAnswered):
            self.table.costs.add(at_ns, payload.input + payload.output, payload.cost_usd)
        if key in self.open_keys:
            depth = self.open_keys.index(key)
            # what is still open inside has no end of its own in the journal: it ends with the outer bar
            if self.open_keys[-1].startswith(str(BarKind.ATTEMPT)):
                self._close_from(len(self.open_keys) - 1, at_ns, status)  # the last attempt is how the call went
            self._close_from(depth + 1, at_ns, BarStatus.STOPPED if status is BarStatus.FAILED else BarStatus.DONE)
            self.open_keys.pop()
            self.table.close(key, at_ns, status, error_of(event))

    def _block(self, event: RunEvent, at_ns: int) -> None:
        """A call that was not made took no time, and is to be seen all the same."""
        key = f"{BarKind.CALL}:blocked:{event.seq}"
        tint = Tint(BarKind.CALL, BarStatus.BLOCKED)
        bar = Bar(len(self.open_keys), 0, tint, at_ns, OPEN_NS, _name(event), event.step, event.seq)
        self.table.open(key, bar)
        self.table.close(key, at_ns, BarStatus.BLOCKED, error_of(event))

    def _resolve(self, event: RunEvent, resolved: CallResolved, at_ns: int) -> None:
        """The call is made again, or is over."""
        if resolved.how is InDoubtChoice.AGAIN and self.open_keys:
            self._attempt(event, at_ns)
        else:
            is_skipped = resolved.how is InDoubtChoice.SKIP
            self._close(event, at_ns, BarKind.CALL, BarStatus.SKIPPED if is_skipped else BarStatus.DONE)

    def _attempt(self, event: RunEvent, at_ns: int) -> None:
        """A call is made once more: what was tried so far, and what is tried now, are bars in its own."""
        call = next((key for key in reversed(self.open_keys) if key.startswith(str(BarKind.CALL))), "")
        if not call:
            self.mark_innermost(BarStatus.RUNNING)
            return
        depth, tried = self.open_keys.index(call) + 1, self._tried.get(call, 0)
        self._close_from(depth, self._doubtful_ns, BarStatus.BLOCKED)
        number, index = self.table.open_bars[call]
        begun_ns = self.table.lanes[number].starts[index]
        if not tried and _is_free(self.table, depth, begun_ns):
            self._try(event, depth, begun_ns, 1)
            self._close_from(depth, self._doubtful_ns, BarStatus.BLOCKED)
        self._tried[call] = max(1, tried) + 1
        self.table.mark(call, BarStatus.RUNNING)
        self._try(event, depth, at_ns, self._tried[call])

    def _try(self, event: RunEvent, depth: int, at_ns: int, number: int) -> None:
        key, tint = f"{BarKind.ATTEMPT}:{event.seq}:{number}", Tint(BarKind.ATTEMPT, BarStatus.RUNNING)
        self.open_keys.append(key)
        self.table.open(key, Bar(depth, 0, tint, at_ns, OPEN_NS, str(number), event.step, event.seq))

    def _close_from(self, depth: int, at_ns: int, status: BarStatus) -> None:
        while len(self.open_keys) > depth:
            self.table.close(self.open_keys.pop(), at_ns, status)


def _is_free(table: BarTable, depth: int, from_ns: int) -> bool:
    """Whether nothing lies at *depth* from then on."""
    lane = table.lanes[depth] if depth < len(table.lanes) else None
    return lane is None or not len(lane) or OPEN_NS < lane.ends[-1] <= from_ns


def matters(what: type[EventPayload]) -> bool:
    """Whether events of this kind change bars, or the clock otherwise than by going on."""
    return what in _OPENING or what in _CLOSING or what in _WAITING or what in _LEFT_OPEN or what in _OTHERS


def _awaited(payload: EventPayload) -> str:
    """What is waited for."""
    match payload:
        case InputAsked(text=text):
            return text
        case CallInDoubt(text=text) | ApprovalAsked(text=text) | JudgementHandedOver(reason=text):
            return text
        case AnswerProposed():
            return _("A model proposes an answer")
        case WaitBegun(until_ns=until_ns, is_open=is_open):
            return waiting_words(until_ns, is_open=is_open)
        case _:
            return ""


def _ended(payload: EventPayload, status: BarStatus, *, was_met: bool) -> BarStatus:
    """How what *payload* ends went, where it says more than its type."""
    match payload:
        case StepExited(status=StepStatus.FAILED) | PlaybookExited(is_failed=True):
            return BarStatus.FAILED
        case StepExited(status=StepStatus.SKIPPED):
            return BarStatus.SKIPPED if was_met else BarStatus.NO
        case _:
            return status


def _is_of_person(payload: EventPayload) -> bool:
    """Whether *payload* begins the turn of a person, whose question is a bar already."""
    return isinstance(payload, TurnAsked) and payload.model == "person"


def _key(kind: BarKind, event: RunEvent) -> str:
    """What the two ends of a bar have in common."""
    return f"{kind}:{event.span or event.step}"


def _name(event: RunEvent) -> str:
    """What stands on the bar: the playbook, the tool; a step is named by its address."""
    match event.payload:
        case PlaybookEntered(playbook=name) | ToolCalled(tool=name) | CallBlocked(tool=name) if name:
            return name
        case ModelAsked(endpoint=endpoint, model=model):
            return model or endpoint
        case _:
            return event.step


_OPENING: dict[type[EventPayload], BarKind] = {
    PlaybookEntered: BarKind.PLAYBOOK,
    StepEntered: BarKind.STEP,
    ToolCalled: BarKind.CALL,
    InputAsked: BarKind.QUESTION,
    ApprovalAsked: BarKind.QUESTION,
    TurnAsked: BarKind.QUESTION,
    WaitBegun: BarKind.WAIT,
    ModelAsked: BarKind.MODEL,
}
_WAITING: dict[type[EventPayload], BarStatus] = {
    CallInDoubt: BarStatus.BLOCKED,
    ModelAsked: BarStatus.RUNNING,
    AnswerProposed: BarStatus.WAITING,
    JudgementHandedOver: BarStatus.WAITING,
    CommandWanted: BarStatus.RUNNING,
    CommandOver: BarStatus.WAITING,
}
"""What the innermost bar waits for from then on, or no longer."""
_JUDGES: dict[type[EventPayload], BarKind] = {
    ModelAsked: BarKind.JUDGEMENT,
    AnswerProposed: BarKind.QUESTION,
    JudgementHandedOver: BarKind.QUESTION,
}
_CLOSING: dict[type[EventPayload], tuple[BarKind, BarStatus]] = {
    PlaybookExited: (BarKind.PLAYBOOK, BarStatus.DONE),
    StepExited: (BarKind.STEP, BarStatus.DONE),
    StepFailure: (BarKind.STEP, BarStatus.FAILED),
    ToolResult: (BarKind.CALL, BarStatus.DONE),
    ToolError: (BarKind.CALL, BarStatus.FAILED),
    InputGiven: (BarKind.QUESTION, BarStatus.DONE),
    ApprovalGranted: (BarKind.QUESTION, BarStatus.DONE),
    ApprovalDenied: (BarKind.QUESTION, BarStatus.DONE),
    ModelAnswered: (BarKind.MODEL, BarStatus.DONE),
    TurnTaken: (BarKind.QUESTION, BarStatus.DONE),
    MessageHeard: (BarKind.WAIT, BarStatus.DONE),
    WaitOver: (BarKind.WAIT, BarStatus.DONE),
    ConversationEnded: (BarKind.WAIT, BarStatus.DONE),
}
_OTHERS = frozenset(
    {BranchTaken, CallBlocked, CallResolved, TimerDue, RunResumed, RunPaused, MessageSent, MessagesReceived}
)
_LEFT_OPEN: dict[type[EventPayload], BarStatus] = {
    RunCompleted: BarStatus.DONE,
    RunFailure: BarStatus.FAILED,
    RunCancelled: BarStatus.STOPPED,
}
