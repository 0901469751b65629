"""The elements of a process as values, and what each kind of step becomes: a task with its type, an event, a call."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple, TypeAlias

from workbench.model.layout.shapes import Rect
from workbench.model.meaning import (
    Action,
    Ask,
    Assign,
    Call,
    Condition,
    End,
    Group,
    Judge,
    Jump,
    Meaning,
    Return,
    Several,
    StepListEntry,
    StepListForm,
    Tell,
    Timing,
    TriggerEvent,
    Wait,
    Yield,
)
from workbench.model.program import Step
from workbench.model.steplists.program import fields_of
from workbench.pages.page import safe

Point = tuple[float, float]
GATEWAY = "exclusiveGateway"
ALL = "parallelGateway"
EVENT = "intermediateThrowEvent"
END = "endEvent"
START = "startEvent"
DIVERGING = (("gatewayDirection", "Diverging"),)
CONVERGING = (("gatewayDirection", "Converging"),)
JOIN_PX = 28.0
SIZES = {GATEWAY: 40.0, ALL: 40.0, EVENT: 32.0, END: 32.0, START: 32.0, "intermediateCatchEvent": 32.0}
"""How wide and high what is no rectangle is, in pixels."""


class Kind(NamedTuple):
    """What kind of element something becomes. *inside*: its XML; *attributes*: besides id and name."""

    tag: str
    inside: str = ""
    attributes: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Node:
    """An element that flows lead to and from. *rect*: its place; *documentation*: its lines of the source."""

    id: str
    kind: Kind
    name: str
    rect: Rect
    documentation: str = ""

    @property
    def is_round(self) -> bool:
        """True for events and gateways, whose names stand beside them."""
        return self.kind.tag in SIZES


class Flow(NamedTuple):
    """A way from one node to another. *condition*: XML; *points*: its line in the diagram."""

    id: str
    source: str
    target: str
    points: tuple[Point, ...]
    name: str = ""
    condition: str = ""
    is_default: bool = False


class Exit(NamedTuple):
    """An open end: a way from *node* to whatever comes next. *lane*: what it takes at the side, if anything.

    *back*: the lane of the loop whose next round it leads to, and how far down it turns there.
    """

    node: str
    name: str = ""
    condition: str = ""
    is_default: bool = False
    lane: float | None = None
    back: Point | None = None


class Remark(NamedTuple):
    """A text that nothing is done for, or a frame around steps that has no meaning of its own."""

    id: str
    text: str
    rect: Rect
    is_frame: bool = False


@dataclass(slots=True)
class Process:
    """One process. *lane*: the agent whose it is, empty where there is only one. *messages*: those that its triggers
    listen to, by their ids. *loose*: the nodes that stand in the node *any_order*, in any order.
    """

    id: str
    name: str
    lane: str = ""
    documentation: str = ""
    nodes: list[Node] = field(default_factory=list)
    flows: list[Flow] = field(default_factory=list)
    remarks: list[Remark] = field(default_factory=list)
    messages: dict[str, str] = field(default_factory=dict)
    loose: frozenset[str] = frozenset()
    any_order: str = ""


def centred(rect: Rect, tag: str) -> Rect:
    """The place of an element of *tag* in *rect*: all of it, or a small square in its middle."""
    if tag not in SIZES:
        return rect
    return around(rect.x + rect.width / 2, rect.y + rect.height / 2, SIZES[tag])


def around(x: float, y: float, size: float) -> Rect:
    """A square of *size* whose middle is at *x*, *y*."""
    return Rect(x - size / 2, y - size / 2, size, size)


def expression(tag: str, words: str, *, is_exact: bool) -> str:
    """The element *tag* with *words*: what is exact is formal, all else is a sentence for people."""
    formal = ' xsi:type="tFormalExpression"' if is_exact else ""
    return f"<{tag}{formal}>{safe(words)}</{tag}>"


def condition_of(condition: Condition | None, words: str = "") -> str:
    """*condition* of a flow or an event; *words* where there is none."""
    tag = "conditionExpression"
    if condition is None:
        return expression(tag, words, is_exact=False)
    return expression(tag, condition.text, is_exact=condition.test is not None)


def timer(timing: Timing, words: str) -> str:
    """The definition of a timer: exact where it counts seconds, else in *words*."""
    if timing.minute_of_day is None:
        seconds = f"PT{str(timing.delay_s).removesuffix('.0')}S"
        inside = (
            expression("timeCycle", f"R/{seconds}", is_exact=True)
            if timing.is_repeated
            else expression("timeDuration", seconds, is_exact=True)
        )
    else:
        inside = expression("timeCycle" if timing.is_repeated else "timeDate", words, is_exact=False)
    return f"<timerEventDefinition>{inside}</timerEventDefinition>"


_SCRIPT = (("scriptFormat", "text/x-playbook"),)
_UNSPECIFIED = (("implementation", "##unspecified"),)
_USER = Kind("userTask", "", _UNSPECIFIED)
_SERVICE = Kind("serviceTask", "", _UNSPECIFIED)
_KINDS: Mapping[type, Kind] = {
    Return: Kind(END),
    End: Kind(END, "<terminateEventDefinition/>"),
    Jump: Kind(EVENT),
    Ask: _USER,
    Tell: Kind("sendTask", "", _UNSPECIFIED),
    Yield: Kind("receiveTask", "", _UNSPECIFIED),
}


Called: TypeAlias = Callable[[str], str]
"""The process that the target of a call means, empty where none is one."""


def kind_of_step(step: Step, called: Called, *, is_by_people: bool) -> Kind:
    """What *step* becomes, where it is no decision, loop or trigger.

    *is_by_people*: whether sentences are for people alone, as in a procedure.
    """
    meaning = step.meaning
    if isinstance(meaning, Group) or (isinstance(meaning, StepListEntry) and meaning.form is StepListForm.GROUP):
        return Kind(EVENT)
    if isinstance(meaning, StepListEntry):
        if meaning.form in (StepListForm.TASK, StepListForm.APPROVAL):
            return _USER
        fields = fields_of(step)
        uses_tools = fields is not None and bool(fields.expected_tools)
        return _SERVICE if uses_tools else Kind("task")
    return kind_of_meaning(meaning, step.text, called, is_by_people=is_by_people)


def kind_of_meaning(meaning: Meaning, text: str, called: Called, *, is_by_people: bool) -> Kind:
    """What *meaning*, written as *text*, becomes."""
    match meaning:
        case Several():
            return _of_several(meaning, text, called, is_by_people=is_by_people)
        case Assign():
            return Kind("scriptTask", f"<script>{safe(text)}</script>", _SCRIPT)
        case Call():
            name = called(meaning.target)
            return Kind("callActivity", "", (("calledElement", name),)) if name else _SERVICE
        case Wait():
            return Kind("intermediateCatchEvent", timer(meaning.timing, meaning.text))
        case Judge(outputs=outputs, outcomes=outcomes):
            if is_by_people:
                return _USER
            return Kind("businessRuleTask", "", _UNSPECIFIED) if outputs or outcomes else Kind("task")
    return _KINDS.get(type(meaning), Kind("task"))


def _of_several(several: Several, text: str, called: Called, *, is_by_people: bool) -> Kind:
    """The kind of the part that asks, else of the first; where control goes in the end stands behind it."""
    asks = next((part for part in several.parts if isinstance(part, Ask)), several.parts[0])
    return kind_of_meaning(asks, text, called, is_by_people=is_by_people)


def kind_of_trigger(trigger: Step, message: str) -> Kind:
    """The start event of *trigger*; *message*: the id of the message that it listens to."""
    event = trigger.meaning
    if not isinstance(event, TriggerEvent):
        event = TriggerEvent(trigger.text)
    if event.is_start:
        return Kind(START)
    if event.timing is not None:
        return Kind(START, timer(event.timing, event.text))
    if event.hearing is not None:
        return Kind(START, f'<messageEventDefinition messageRef="{message}"/>')
    condition = event.condition
    is_exact = condition is not None and condition.test is not None
    return when(condition.text if condition is not None else event.text, is_exact=is_exact)


def when(words: str, *, is_exact: bool = False) -> Kind:
    """What begins when *words* hold."""
    inside = expression("condition", words, is_exact=is_exact)
    return Kind(START, f"<conditionalEventDefinition>{inside}</conditionalEventDefinition>")


def leaving(meaning: Meaning) -> Action | None:
    """What *meaning*, of one line, does in the end that leads elsewhere: a return, an end or a jump."""
    last = meaning.parts[-1] if isinstance(meaning, Several) else meaning
    return last if isinstance(last, Return | End | Jump) else None
