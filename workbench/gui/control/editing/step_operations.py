"""The operations on steps, as actions: a menu in the menu *Step*, and what Ctrl+. offers with a preview."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from workbench.editing.commands import (
    AddOtherwise,
    ChangeLoop,
    Command,
    ConvertBranch,
    DisableSteps,
    EnableSteps,
    ExtractPlaybook,
    InlineCall,
    InvertCondition,
    JoinSteps,
    MakeExact,
    SortSteps,
    SplitStep,
    SwapBranches,
)
from workbench.gui.control.action_spec import ActionSpec, CommandOf, Menu, Need
from workbench.i18n import N_
from workbench.model.meaning import BranchForm, LoopForm
from workbench.model.program import StepId

_SOME = frozenset({Need.DOCUMENT, Need.STEP})
_ONE = frozenset({Need.DOCUMENT, Need.ONE_STEP})
_MENU = Menu.OPERATIONS


def _of_first(make: Callable[[StepId], Command]) -> CommandOf:
    """A command about the first of the selected steps."""

    def command(steps: tuple[StepId, ...]) -> Command:
        return make(steps[0])

    return command


def _branch(form: BranchForm) -> CommandOf:
    return _of_first(partial(ConvertBranch, form=form))


def _loop(form: LoopForm) -> CommandOf:
    return _of_first(partial(ChangeLoop, form=form))


STEP_OPERATIONS = (
    ActionSpec(
        *("operation.disable", N_("&Disable"), N_("Keep the selected steps as a comment in their place"), _MENU, 1),
        shortcuts=("Ctrl+/",),
        needs=_SOME,
        command=DisableSteps,
    ),
    ActionSpec(
        *(
            "operation.enable",
            N_("&Enable"),
            N_("Bring back what is disabled in or beside the selected steps"),
            _MENU,
            1,
        ),
        shortcuts=("Ctrl+Alt+/",),
        needs=_SOME,
        command=EnableSteps,
    ),
    ActionSpec(
        *("operation.split", N_("&Split"), N_("Make two steps of one that says two things"), _MENU, 2),
        needs=_ONE,
        command=_of_first(SplitStep),
    ),
    ActionSpec(
        *("operation.join", N_("&Join"), N_("Make one step of the selected ones"), _MENU, 2),
        needs=_SOME,
        command=JoinSteps,
    ),
    ActionSpec(
        *("operation.sort", N_("S&ort"), N_("Sort the selected steps by their text, or those inside one"), _MENU, 2),
        icon="sort",
        needs=_SOME,
        command=SortSteps,
    ),
    ActionSpec(
        *("operation.exact", N_("Write e&xactly"), N_("Write the sentence in its exact form"), _MENU, 2),
        needs=_ONE,
        command=_of_first(MakeExact),
    ),
    ActionSpec(
        *("operation.invert", N_("&Invert condition"), N_("Turn the condition of the branch round"), _MENU, 3),
        needs=_ONE,
        command=_of_first(InvertCondition),
    ),
    ActionSpec(
        *("operation.swap", N_("S&wap branches"), N_("Swap If and Otherwise, with the opposite condition"), _MENU, 3),
        needs=_ONE,
        command=_of_first(SwapBranches),
    ),
    ActionSpec(
        *("operation.add-otherwise", N_("&Add Otherwise"), N_("Add Otherwise to the decision"), _MENU, 3, "decision"),
        needs=_ONE,
        command=_of_first(AddOtherwise),
        is_written=True,
    ),
    ActionSpec(
        *("operation.to-if", N_("Change to I&f"), N_("Make the branch one with a condition of its own"), _MENU, 3),
        needs=_ONE,
        command=_branch(BranchForm.IF),
    ),
    ActionSpec(
        *(
            "operation.to-else-if",
            N_("Change to Else if"),
            N_("Make the branch an alternative to the one above"),
            _MENU,
            3,
        ),
        needs=_ONE,
        command=_branch(BranchForm.ELSE_IF),
    ),
    ActionSpec(
        *("operation.to-otherwise", N_("Change to Otherwise"), N_("Leave out a condition that is the opposite above")),
        *(_MENU, 3),
        needs=_ONE,
        command=_branch(BranchForm.OTHERWISE),
    ),
    ActionSpec(
        *(
            "operation.to-for-each",
            N_("Change to For eac&h"),
            N_("Make the loop one over a list, doing the same"),
            _MENU,
            4,
        ),
        needs=_ONE,
        command=_loop(LoopForm.FOR_EACH),
    ),
    ActionSpec(
        *(
            "operation.to-while",
            N_("Change to While"),
            N_("Make the loop one with a condition, doing the same"),
            _MENU,
            4,
        ),
        needs=_ONE,
        command=_loop(LoopForm.WHILE),
    ),
    ActionSpec(
        *("operation.to-until", N_("Change to &Until"), N_("Make the loop one with the opposite condition"), _MENU, 4),
        needs=_ONE,
        command=_loop(LoopForm.UNTIL),
    ),
    ActionSpec(
        *(
            "operation.to-repeat",
            N_("Change to &Repeat"),
            N_("Make the loop one that counts, doing the same"),
            _MENU,
            4,
        ),
        needs=_ONE,
        command=_loop(LoopForm.REPEAT),
    ),
    ActionSpec(
        *(
            "operation.extract",
            N_("Extract &playbook"),
            N_("Move the selected steps into a playbook and call it"),
            _MENU,
            5,
        ),
        icon="playbook",
        needs=_SOME,
        command=partial(ExtractPlaybook, name=""),
    ),
    ActionSpec(
        *("operation.inline", N_("In&line call"), N_("Put the steps of the playbook in place of its call"), _MENU, 5),
        icon="call",
        needs=_ONE,
        command=_of_first(InlineCall),
    ),
)
"""Each can be asked whether it can be done (``Document.can``), and what it would change (``plan``)."""
