"""The actions of the menu *Step*: what can be done to steps, and to the playbook that they stand in."""

from __future__ import annotations

from functools import partial

from workbench.editing.commands import Command, DeleteSteps, DuplicateSteps, TickSteps, UnwrapStep, WrapForm, WrapSteps
from workbench.gui.control.action_spec import ActionSpec, Menu, Need, ShortcutScope, Spot
from workbench.i18n import N_
from workbench.model.program import StepId

_GROUND = frozenset({Spot.GROUND})
_EVERYWHERE = frozenset(Spot)
_DOCUMENT = frozenset({Need.DOCUMENT})
_STEP = frozenset({Need.DOCUMENT, Need.STEP})
_ONE_STEP = frozenset({Need.DOCUMENT, Need.ONE_STEP})
_BOX = frozenset({Need.DOCUMENT, Need.BOX})


def _unwrapped(steps: tuple[StepId, ...]) -> Command:
    return UnwrapStep(steps[0])


STEP_ACTIONS = (
    ActionSpec(
        *("step.insert", N_("&Insert step…"), N_("Insert a step by typing"), Menu.STEP, 1, "plus", ("Tab", "/")),
        needs=_DOCUMENT,
        scope=ShortcutScope.STEPS,
        spots=_EVERYWHERE,
    ),
    ActionSpec(
        *("step.edit", N_("&Edit text"), N_("Edit the text of the selected step"), Menu.STEP, 1, "edit", ("F2",)),
        needs=_ONE_STEP,
        scope=ShortcutScope.STEPS,
    ),
    ActionSpec(
        *("step.tick", N_("Tic&k"), N_("Tick the boxes of the selected steps"), Menu.STEP, 1, "box-ticked"),
        needs=_BOX,
        command=partial(TickSteps, ticked=True),
    ),
    ActionSpec(
        *("step.untick", N_("Empty &box"), N_("Empty the boxes of the selected steps"), Menu.STEP, 1, "box-empty"),
        needs=_BOX,
        command=partial(TickSteps, ticked=False),
    ),
    ActionSpec(
        *("step.duplicate", N_("&Duplicate"), N_("Copy the selected steps below"), Menu.STEP, 1, "duplicate"),
        shortcuts=("Ctrl+D",),
        needs=_STEP,
        command=DuplicateSteps,
    ),
    ActionSpec(
        *("step.delete", N_("De&lete"), N_("Delete the selected steps"), Menu.STEP, 1, "trash"),
        shortcuts=("Delete", "Backspace"),
        needs=_STEP,
        scope=ShortcutScope.STEPS,
        command=DeleteSteps,
    ),
    ActionSpec(
        *("step.move-up", N_("Move &up"), N_("Move the selected steps up"), Menu.STEP, 2, "up", ("Alt+Up",)),
        needs=_STEP,
    ),
    ActionSpec(
        *("step.move-down", N_("Move d&own"), N_("Move the selected steps down"), Menu.STEP, 2, "down", ("Alt+Down",)),
        needs=_STEP,
    ),
    ActionSpec(
        *("step.move-in", N_("I&ndent (nest)"), N_("Move the selected steps into the step above"), Menu.STEP, 2),
        icon="right",
        shortcuts=("Alt+Right",),
        needs=_STEP,
    ),
    ActionSpec(
        *("step.move-out", N_("Ou&tdent"), N_("Move the selected steps out of their parent"), Menu.STEP, 2),
        icon="left",
        shortcuts=("Alt+Left",),
        needs=_STEP,
    ),
    ActionSpec(
        *("step.wrap-if", N_("Wrap in i&f"), N_("Put the selected steps under a condition"), Menu.STEP, 3, "decision"),
        needs=_STEP,
        command=partial(WrapSteps, form=WrapForm.IF),
        is_written=True,
    ),
    ActionSpec(
        *("step.wrap-for-each", N_("Wrap in fo&r each"), N_("Repeat the selected steps for each item"), Menu.STEP, 3),
        icon="loop",
        needs=_STEP,
        command=partial(WrapSteps, form=WrapForm.FOR_EACH),
        is_written=True,
    ),
    ActionSpec(
        *(
            "step.wrap-while",
            N_("Wrap in &while"),
            N_("Repeat the selected steps while a condition is true"),
            Menu.STEP,
            3,
        ),
        icon="loop",
        needs=_STEP,
        command=partial(WrapSteps, form=WrapForm.WHILE),
        is_written=True,
    ),
    ActionSpec(
        *("step.unwrap", N_("Unwra&p"), N_("Replace the selected step with the steps inside it"), Menu.STEP, 3),
        needs=_ONE_STEP,
        command=_unwrapped,
    ),
    ActionSpec(
        *("step.add-trigger", N_("Add tri&gger…"), N_("Add a trigger to this playbook"), Menu.STEP, 4, "trigger"),
        needs=_DOCUMENT,
        spots=_GROUND,
    ),
    ActionSpec(
        *("step.add-note", N_("&Add note…"), N_("Add a note to this playbook"), Menu.STEP, 4, "note"),
        needs=_DOCUMENT,
        spots=_GROUND,
    ),
    ActionSpec(
        *("step.add-playbook", N_("Add pla&ybook…"), N_("Add a playbook to this file"), Menu.STEP, 4, "playbook"),
        needs=_DOCUMENT,
        spots=_GROUND,
    ),
    ActionSpec(
        *(
            "step.open-link",
            N_("Open call or t&he link"),
            N_("Show the playbook that the selected step calls, or the file that it links to"),
            Menu.STEP,
            5,
            "link",
        ),
        shortcuts=("Ctrl+Return",),
        needs=_ONE_STEP,
        scope=ShortcutScope.STEPS,
    ),
    ActionSpec(
        *("step.breakpoint", N_("&Set or remove breakpoint"), N_("Stop runs before the selected step, or no longer")),
        *(Menu.STEP, 6),
        icon="breakpoint",
        shortcuts=("F9",),
        needs=_ONE_STEP,
    ),
    ActionSpec(
        *("step.edit-breakpoint", N_("Breakpoint with a &condition…"), N_("Say when runs stop before the step")),
        *(Menu.STEP, 6),
        shortcuts=("Shift+F9",),
        needs=_ONE_STEP,
    ),
    ActionSpec(
        *("step.run-to", N_("Run to here"), N_("Continue the paused run, or start one, up to the selected step")),
        *(Menu.STEP, 6),
        shortcuts=("Ctrl+F10",),
        needs=_ONE_STEP | {Need.NOT_WATCHED},
    ),
    ActionSpec(
        *("step.fork", N_("Fork the run before this step…"), N_("Go on before the selected step, as a new run")),
        *(Menu.STEP, 6, "fork"),
        needs=_ONE_STEP | {Need.NO_RUN, Need.RUN_KNOWN},
    ),
    ActionSpec(
        *(
            "step.rename-playbook",
            N_("Rena&me playbook…"),
            N_("Rename this playbook and update its calls"),
            Menu.STEP,
            4,
        ),
        needs=_DOCUMENT,
    ),
)
