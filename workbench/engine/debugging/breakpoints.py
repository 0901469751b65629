"""Breakpoints as values, and as a person writes them.

``Main:04`` stops before that step, ``tool:refund`` before a call of the tool, ``result:refund`` before what it gave is
used (``$result`` in what stands behind), ``answer:Main:04`` before what that step is answered is used (``$answer``),
``error`` before a step fails, ``violation`` before a rule of a step list is
broken, ``cost:0.5`` once models have cost more than that (in US dollars).
Behind it may stand ``if $total > 100``, ``from 3`` (only from the third time on), ``to 5`` (only up to the fifth),
``every 2`` (only each second time), and ``log The total is {$total}``, which tells the text and does not stop.
"""

from __future__ import annotations

import enum
import math
from dataclasses import dataclass, replace

from workbench.errors import WorkbenchError
from workbench.i18n import _
from workbench.regex import regex
from workbench.syntax.expressions import ExpressionRefused, parse_expression


class StopKind(enum.Enum):
    """Before what a breakpoint stops."""

    STEP = "step"
    TOOL = "tool"
    RESULT = "result"
    ANSWER = "answer"
    ERROR = "error"
    VIOLATION = "violation"
    COST = "cost"


class NoBreakpoint(WorkbenchError):
    """A text is no breakpoint; the message says why."""


@dataclass(frozen=True, slots=True)
class Breakpoint:
    """Where a run stops, or tells something.

    *at*: the address of a step, the name of a tool, or how many US dollars. *condition*: the source of an expression
    that has to hold; empty for always. *from_hit*: the first hit that counts, from 1; *to_hit*: the last, 0 for no
    last one; *every*: of these, one out of so many. *log*: the text that is told instead of a stop; empty to stop.
    """

    kind: StopKind
    at: str = ""
    condition: str = ""
    from_hit: int = 1
    log: str = ""
    is_on: bool = True
    to_hit: int = 0
    every: int = 1

    def counts_at(self, hit: int) -> bool:
        """Whether it stops at the hit number *hit*."""
        return self.from_hit <= hit and (hit <= self.to_hit or not self.to_hit) and hit % self.every == 0

    @property
    def place(self) -> str:
        """What it waits for, as it is written."""
        if self.kind is StopKind.STEP:
            return self.at
        return f"{self.kind.value}:{self.at}" if self.at else self.kind.value

    def __str__(self) -> str:
        """The whole of it, as it is written."""
        parts = (
            self.place,
            f"if {self.condition}" if self.condition else "",
            f"from {self.from_hit}" if self.from_hit > 1 else "",
            f"to {self.to_hit}" if self.to_hit else "",
            f"every {self.every}" if self.every > 1 else "",
            f"log {self.log}" if self.log else "",
        )
        return " ".join(filter(None, parts))


Breakpoints = tuple[Breakpoint, ...]

_WRITTEN = regex(
    r"(?P<place>.+?)(?:\s+if\s+(?P<condition>(?:(?!\s+(?:(?:from|to|every)\s+\d+|log\s)).)+))?"
    r"(?:\s+from\s+(?P<hit>\d{1,9}))?(?:\s+to\s+(?P<last>\d{1,9}))?(?:\s+every\s+(?P<every>\d{1,9}))?"
    r"(?:\s+log\s+(?P<log>.+))?"
)
_OF_A_NAME = {kind.value: kind for kind in (StopKind.ERROR, StopKind.VIOLATION)}
_WITH_A_NAME = {kind.value: kind for kind in (StopKind.TOOL, StopKind.RESULT, StopKind.ANSWER, StopKind.COST)}
AT_STEPS = frozenset({StopKind.STEP, StopKind.ANSWER})
"""Those that wait for something of one step, at whose address they are."""


def parse_breakpoint(text: str) -> Breakpoint:
    """The breakpoint that *text* writes. Raises NoBreakpoint."""
    match = _WRITTEN.fullmatch(" ".join(text.split()))
    if match is None:
        message = _(
            "“{text}” is no breakpoint. Write for example Main:04, tool:refund, error or cost:0.5, and behind it "
            "“if $total > 100”, “from 3” or “log The total is {{$total}}”."
        )
        raise NoBreakpoint(message.format(text=text))
    found = _placed(match["place"])
    return checked(
        replace(
            found,
            condition=(match["condition"] or "").strip(),
            from_hit=max(1, int(match["hit"] or 1)),
            to_hit=int(match["last"] or 0),
            every=max(1, int(match["every"] or 1)),
            log=(match["log"] or "").strip(),
        )
    )


def _placed(place: str) -> Breakpoint:
    """The breakpoint that *place* names. Raises NoBreakpoint."""
    head, colon, rest = place.partition(":")
    if not colon:
        kind = _OF_A_NAME.get(place)
        if kind is not None:
            return Breakpoint(kind)
        message = _("“{place}” is no place to stop at. A step is written with its playbook: Main:04.")
        raise NoBreakpoint(message.format(place=place))
    kind = _WITH_A_NAME.get(head, StopKind.STEP)
    return Breakpoint(kind, place if kind is StopKind.STEP else rest)


def checked(breakpoint_: Breakpoint) -> Breakpoint:
    """*breakpoint_*, whose condition can be read, and whose amount is one. Raises NoBreakpoint."""
    if breakpoint_.condition:
        try:
            parse_expression(breakpoint_.condition)
        except ExpressionRefused as error:
            message = _("The condition “{condition}” cannot be read: {problem}")
            raise NoBreakpoint(message.format(condition=breakpoint_.condition, problem=error)) from error
    if breakpoint_.kind is StopKind.COST:
        amount_of(breakpoint_)
    return breakpoint_


def amount_of(breakpoint_: Breakpoint) -> float:
    """The US dollars of a breakpoint for cost. Raises NoBreakpoint."""
    try:
        amount = float(breakpoint_.at)
    except ValueError:
        amount = math.nan
    if not 0 <= amount < math.inf:
        raise NoBreakpoint(_("“{text}” is no amount of US dollars.").format(text=breakpoint_.at))
    return amount
