"""What one step means: the values that classification yields and the engine executes.

Exact forms carry an ``Expression`` or a ``Template`` and are carried out by the runtime. Where that is None, and in a
``Judge``, a model or a person decides what the words ask for. Nothing is made exact by guessing.
"""

from __future__ import annotations

import enum
from dataclasses import dataclass
from typing import TYPE_CHECKING

from workbench.syntax.expressions import Expression, Template

if TYPE_CHECKING:
    from workbench.model.loader.steplist import PlaybookStep


class StepKind(enum.Enum):
    """How a step is drawn, and the ``kind`` of its node in the flow graph."""

    TRIGGER = "trigger"
    STEP = "step"
    ASK = "ask"
    TELL = "tell"
    ASSIGN = "assign"
    CALL = "call"
    DECISION = "decision"
    LOOP = "loop"
    RETURN = "return"
    END = "end"
    NOTE = "note"
    RAW = "raw"


class RouteKind(enum.Enum):
    """The kind of an edge, as in the flow graph."""

    NEXT = "next"
    YES = "yes"
    NO = "no"
    REPEAT = "repeat"
    CALL, JUMP, LINK = "call", "jump", "link"


@dataclass(frozen=True, slots=True)
class Variable:
    """A name that a step sets. *is_state*: written ``$name``, kept by the agent; otherwise local to the frame.

    *type* is as written: ``str``, ``list[int]``, or empty.
    """

    name: str
    is_state: bool = True
    type: str = ""


@dataclass(frozen=True, slots=True)
class Argument:
    """One argument of a call; *name* is empty for a positional one."""

    name: str
    value: Expression


@dataclass(frozen=True, slots=True)
class Judge:
    """A model or a person reads *text* and fills *outputs* (none: it is simply done).

    *outcomes*: the Return, End or Jump that the words also speak of; whoever judges says which of them follows, if any.
    """

    text: str
    outputs: tuple[Variable, ...] = ()
    outcomes: tuple[Action, ...] = ()


@dataclass(frozen=True, slots=True)
class Assign:
    """``$total = $price * 2``: the runtime evaluates *value*; *place*: which part of *target* it is, by its keys.

    *words*: of ``Set $status to done``; *value* is a word in them: that of a variable, or else itself.
    """

    target: Variable
    value: Expression
    place: Expression | None = None
    words: str = ""


@dataclass(frozen=True, slots=True)
class Ask:
    """``Ask user for $name``: a form with a field per variable (none: free text). *target*: who, if not the user."""

    text: str
    variables: tuple[Variable, ...] = ()
    target: str = ""


@dataclass(frozen=True, slots=True)
class Tell:
    """``Tell user "Hello {$name}"``. *template*: None where the wording is judged; *target*: who, if not the user."""

    text: str
    template: Template | None = None
    target: str = ""


@dataclass(frozen=True, slots=True)
class Call:
    """A call of a playbook or a tool; *result* receives what it returns.

    *is_resolved*: found from a sentence (*text*), not written as a call. *is_by_words*: it says the words of the name,
    not that something is called. *asked*: parameters whose values only whoever judges can find in it.
    """

    target: str
    arguments: tuple[Argument, ...] = ()
    result: Variable | None = None
    is_resolved: bool = False
    text: str = ""
    is_by_words: bool = False
    asked: tuple[Variable, ...] = ()


GOES_ON = "not: "
"""What the condition that ends a counted loop begins with where the loop was to go on *while* the rest is true."""


@dataclass(frozen=True, slots=True)
class Condition:
    """What a branch or loop asks. *test* is None where it is a judgement about *text*."""

    text: str
    test: Expression | None = None


class BranchForm(enum.Enum):
    """The word a branch begins with."""

    IF = "if"
    ELSE_IF = "else if"
    WHEN = "when"
    OTHERWISE = "otherwise"


@dataclass(frozen=True, slots=True)
class Branch:
    """One arm of a decision; its body is the step's children, or *action* when on the same line.

    *condition* is None for OTHERWISE only.
    """

    form: BranchForm
    condition: Condition | None
    action: Action | None = None


class LoopForm(enum.Enum):
    """How a loop counts."""

    WHILE = "while"
    UNTIL = "until"
    FOR_EACH = "for each"
    REPEAT = "repeat"


@dataclass(frozen=True, slots=True)
class Loop:
    """A loop around the step's children.

    WHILE and UNTIL use *condition* (asked before each round); FOR_EACH binds *variable* to
    each element of *items* (None: the list is a judgement, described by *text*); REPEAT runs
    *items* times.
    """

    form: LoopForm
    text: str
    condition: Condition | None = None
    variable: Variable | None = None
    items: Expression | None = None
    action: Action | None = None


@dataclass(frozen=True, slots=True)
class Return:
    """Leave the playbook with *value*; *text* where the value is a judgement; both empty: nothing."""

    value: Expression | None = None
    text: str = ""


@dataclass(frozen=True, slots=True)
class End:
    """End the program."""


class JumpForm(enum.Enum):
    """Where a jump goes."""

    BREAK = "break"
    CONTINUE = "continue"
    GO_TO = "go to"


@dataclass(frozen=True, slots=True)
class Jump:
    """``break``, ``continue``, ``go to step 2`` (*number* as written; *last*: in ``repeat steps 2-4``)."""

    form: JumpForm
    number: str = ""
    last: str = ""


@dataclass(frozen=True, slots=True)
class Yield:
    """A line of assembly that gives control back: *target* is ``call``, ``user``, ``agent 1001``, …

    Calls are made one after the other as they come, so that waiting for them is nothing to do.
    """

    target: str


@dataclass(frozen=True, slots=True)
class Timing:
    """A time that a clock knows: *delay_s* from now, or the next *minute_of_day* (of one of *days*, 0 = Monday).

    *is_repeated*: again and again. Empty *days*: whichever comes.
    """

    delay_s: float = 0.0
    minute_of_day: int | None = None
    days: frozenset[int] = frozenset()
    is_repeated: bool = False


@dataclass(frozen=True, slots=True)
class Wait:
    """``Wait 10 minutes``: nothing happens until then."""

    text: str
    timing: Timing


@dataclass(frozen=True, slots=True)
class Several:
    """``Greet the user and ask for their $name``: *parts* in their order, two at least, none of them a judgement.

    Only the last can lead elsewhere, and none is a Several.
    """

    parts: tuple[Action, ...]


class StepListForm(enum.Enum):
    """What an element of a step list is: TASK is carried out by a person, APPROVAL waits for one."""

    STEP = "step"
    GROUP = "group"
    TASK = "task"
    APPROVAL = "approval"


@dataclass(frozen=True, slots=True)
class StepListBranch:
    """A way out of a step of a graph: to the step with the id *target*, when *label* holds."""

    label: str
    target: str


@dataclass(frozen=True, slots=True)
class StepListEntry:
    """An element of a step list. *step*: its fields as far as they can be read, None where it has no id.

    In a graph, *after*, *branches*: which steps it waits for and which it leads to, by their ids. *group*: the parallel
    group that it is in; *joins*: those that it waits for as a whole.
    """

    id: str
    step: PlaybookStep | None
    form: StepListForm = StepListForm.STEP
    after: tuple[str, ...] = ()
    branches: tuple[StepListBranch, ...] = ()
    group: str = ""
    joins: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Raw:
    """Kept word for word and not executed: a fence, a table, damaged text."""


@dataclass(frozen=True, slots=True)
class Group:
    """A heading that only holds steps: nothing is done but what stands below it; where *is_read*, not even that."""

    is_read: bool = False


class Sender(enum.Enum):
    """Whose messages a trigger listens to: the user's, those of agents, or all."""

    USER = "user"
    AGENT = "agent"
    ANYONE = "anyone"


@dataclass(frozen=True, slots=True)
class Hearing:
    """Which messages a trigger listens to.

    *words*: exactly these (*is_within*: those that contain them); without any, it is a judgement. *is_rest*: those that
    no other trigger takes.
    """

    sender: Sender
    words: tuple[str, ...] = ()
    is_within: bool = False
    is_rest: bool = False

    @property
    def is_judged(self) -> bool:
        """Whether somebody has to judge if it is meant."""
        return not self.words and not self.is_rest


BY_THEMSELVES = ("invited", "end")
"""The moments of triggers that wait for nothing that a program names."""


@dataclass(frozen=True, slots=True)
class TriggerEvent:
    """When a playbook starts by itself. *is_start*: at the beginning of the program.

    *moment*: ``after``, ``before`` or ``fails`` where it waits for a call of *subject*; ``invited`` where it waits for
    an invitation to a meeting, ``end`` for that of the program; else empty. *hearing*: of messages; *timing*: of the
    clock.
    """

    text: str
    is_start: bool = False
    condition: Condition | None = None
    moment: str = ""
    subject: str = ""
    hearing: Hearing | None = None
    timing: Timing | None = None


@dataclass(frozen=True, slots=True)
class Note:
    """A remark for whoever carries out the playbook."""

    text: str


Action = Judge | Assign | Ask | Tell | Call | Return | End | Jump | Yield | Wait | Several
"""What can also stand on one line with a condition: ``If $x > 3, return``."""

Meaning = Action | Branch | Loop | Raw | Group | TriggerEvent | Note | StepListEntry
"""One of these per step. The class says what is done, what it carries how exactly; the children are the body: *If
$total > 100* is ``Branch(IF, Condition("$total > 100", <expression>))``; *Thank them* is ``Judge("Thank them")``."""


def kind_of(meaning: Meaning) -> StepKind:
    """The kind that a step with *meaning* is drawn as; of parts, the one that leaves, else asks, else comes first."""
    if not isinstance(meaning, Several):
        return _KINDS.get(type(meaning), StepKind.STEP)
    kinds = [kind_of(part) for part in meaning.parts]
    if kinds[-1] in (StepKind.RETURN, StepKind.END):
        return kinds[-1]
    return StepKind.ASK if StepKind.ASK in kinds else kinds[0]


def parts_of(meaning: Meaning) -> tuple[Meaning, ...]:
    """*meaning*, or the parts that it has; the last one says where control goes."""
    return meaning.parts if isinstance(meaning, Several) else (meaning,)


def actions_of(meaning: Meaning) -> tuple[Meaning, ...]:
    """What is done on the step's own line, part by part; nothing where it only holds steps."""
    if isinstance(meaning, Branch | Loop):
        return () if meaning.action is None else parts_of(meaning.action)
    return () if isinstance(meaning, Group) else parts_of(meaning)


_KINDS: dict[type, StepKind] = {
    Assign: StepKind.ASSIGN,
    Ask: StepKind.ASK,
    Tell: StepKind.TELL,
    Call: StepKind.CALL,
    Branch: StepKind.DECISION,
    Loop: StepKind.LOOP,
    Return: StepKind.RETURN,
    End: StepKind.END,
    Raw: StepKind.RAW,
    TriggerEvent: StepKind.TRIGGER,
    Note: StepKind.NOTE,
}
