"""The words for how a step of a procedure went: on the buttons that say so, and on the cards that tell it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from workbench.engine.ports import Purpose
from workbench.engine.work import AFTERWARDS, HOW, Afterwards, Went, afterwards, went
from workbench.i18n import N_

Button = tuple[str, str, str]
"""Name, text, tooltip."""

_WENT = {
    Went.DONE: (N_("&Done"), N_("The step is done")),
    Went.SKIPPED: (N_("S&kip"), N_("Leave out this step, and all that stands below it")),
    Went.FAILED: (N_("Did &not work"), N_("The step was tried and did not work; you are asked what follows")),
}
_FOLLOWS = {
    Afterwards.AGAIN: (N_("&Try again"), N_("Ask for this step once more")),
    Afterwards.GO_ON: (N_("&Go on"), N_("Go on with the next step")),
    Afterwards.STOP: (N_("&Stop the run"), N_("End the run here; the report says why")),
}
_TOLD = {
    Went.DONE: N_("Done"),
    Went.SKIPPED: N_("Skipped"),
    Went.FAILED: N_("Did not work"),
    Afterwards.AGAIN: N_("Try again"),
    Afterwards.GO_ON: N_("Go on"),
    Afterwards.STOP: N_("Stop the run"),
}
FIELDS = {Purpose.WORK: HOW, Purpose.AFTERWARDS: AFTERWARDS}
"""The field of the question that its buttons answer."""


def work_buttons(purpose: Purpose) -> tuple[Button, ...]:
    """The buttons of a question about how a step went, or what follows."""
    if purpose is Purpose.WORK:
        return tuple((each.value, str(text), str(tip)) for each, (text, tip) in _WENT.items())
    return tuple((each.value, str(text), str(tip)) for each, (text, tip) in _FOLLOWS.items())


def work_told(answer: Mapping[str, Any]) -> str:
    """How a step went by *answer*, or what follows; empty where that was not the question."""
    said = went(answer) or afterwards(answer)
    return "" if said is None else str(_TOLD[said])
