"""The table of all actions: text, icon, keys, tooltip, menu, toolbar group, and what each needs."""

from __future__ import annotations

import enum
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from workbench.editing.commands import Command, DeleteSteps, DuplicateSteps, UnwrapStep, WrapForm, WrapSteps
from workbench.gui.control.pane_table import PANES
from workbench.i18n import _
from workbench.model.program import StepId

CommandOf = Callable[[tuple[StepId, ...]], Command]


class Need(enum.Enum):
    """What must be the case for an action to make sense."""

    DOCUMENT = enum.auto()
    UNDO = enum.auto()
    REDO = enum.auto()
    STEP = enum.auto()
    ONE_STEP = enum.auto()
    NO_RUN = enum.auto()
    RUN = enum.auto()
    PAUSED = enum.auto()
    GOING = enum.auto()
    RUN_KNOWN = enum.auto()


class Scope(enum.Enum):
    """Where a shortcut works: in the whole window, or only in panes that show steps (never while typing)."""

    WINDOW = enum.auto()
    STEPS = enum.auto()


class Spot(enum.Enum):
    """What the context menu of the flowchart is opened on."""

    STEP = enum.auto()
    GROUND = enum.auto()


class Menu(enum.Enum):
    """The menus, in order."""

    FILE = "file"
    EDIT = "edit"
    STEP = "step"
    VIEW = "view"
    RUN = "run"
    HELP = "help"
    NONE = "none"


@dataclass(frozen=True, slots=True)
class ActionSpec:
    """One thing a person can do.

    *group*: actions of one menu with different groups are set apart by a line. *toolbar*: the
    group of the toolbar, 0 = not there. *shortcuts*: as ``QKeySequence`` reads them.

    *command*: made of the selected steps, in source order and without those inside another one; whoever owns the
    selection then carries it out, so that a new command needs a row here and no code in the window. *is_written*: the
    words of the step that came of it are still to be written. *spots*: where it stands in the context menu of the
    flowchart, besides on a step for every action that needs one.
    """

    id: str
    text: str
    tooltip: str
    menu: Menu
    group: int = 0
    icon: str = ""
    shortcuts: tuple[str, ...] = ()
    toolbar: int = 0
    needs: frozenset[Need] = frozenset()
    scope: Scope = Scope.WINDOW
    is_switch: bool = False
    command: CommandOf | None = None
    is_written: bool = False
    spots: frozenset[Spot] = frozenset()

    def is_on(self, spot: Spot) -> bool:
        """Whether the context menu of the flowchart offers it there."""
        return spot in self.spots or (spot is Spot.STEP and not self.needs.isdisjoint(_NEED_STEPS))


_NEED_STEPS = frozenset({Need.STEP, Need.ONE_STEP})
_GROUND = frozenset({Spot.GROUND})
_EVERYWHERE = frozenset(Spot)
_DOCUMENT = frozenset({Need.DOCUMENT})
_STEP = frozenset({Need.DOCUMENT, Need.STEP})
_ONE_STEP = frozenset({Need.DOCUMENT, Need.ONE_STEP})


def _unwrapped(steps: tuple[StepId, ...]) -> Command:
    return UnwrapStep(steps[0])


_FILE = (
    ActionSpec("file.new", _("&New"), _("Create a new playbook"), Menu.FILE, 1, "new", ("Ctrl+N",), 1),
    ActionSpec("file.open", _("&Open…"), _("Open playbook"), Menu.FILE, 1, "open", ("Ctrl+O",), 1),
    ActionSpec("file.open-folder", _("Open &folder…"), _("Open a folder as a project"), Menu.FILE, 1, "folder"),
    ActionSpec("file.save", _("&Save"), _("Save playbook"), Menu.FILE, 2, "save", ("Ctrl+S",), 1, needs=_DOCUMENT),
    ActionSpec(
        *("file.save-as", _("Save &as…"), _("Save the playbook under a different name"), Menu.FILE, 2),
        shortcuts=("Ctrl+Shift+S",),
        needs=_DOCUMENT,
    ),
    ActionSpec(
        *("file.export-picture", _("&Export picture…"), _("Save the flowchart as a PNG or SVG picture"), Menu.FILE, 3),
        icon="picture",
        needs=_DOCUMENT,
    ),
    ActionSpec(
        *("file.save-assembly", _("Export asse&mbly…"), _("Save the compiled assembly to a file"), Menu.FILE, 3),
        icon="assembly",
        needs=_DOCUMENT,
    ),
    ActionSpec(
        *("file.close", _("&Close"), _("Close the playbook"), Menu.FILE, 4),
        shortcuts=("Ctrl+W",),
        needs=_DOCUMENT,
    ),
    ActionSpec("file.quit", _("&Quit"), _("Close the window"), Menu.FILE, 5, shortcuts=("Ctrl+Q",)),
)

_EDIT = (
    ActionSpec(
        *("edit.undo", _("&Undo"), _("Undo the last change"), Menu.EDIT, 1, "undo", ("Ctrl+Z",), 2),
        needs=frozenset({Need.DOCUMENT, Need.UNDO}),
    ),
    ActionSpec(
        *("edit.redo", _("&Redo"), _("Redo the last undone change"), Menu.EDIT, 1, "redo"),
        shortcuts=("Ctrl+Y", "Ctrl+Shift+Z"),
        toolbar=2,
        needs=frozenset({Need.DOCUMENT, Need.REDO}),
    ),
    ActionSpec(
        *("edit.cut", _("Cu&t"), _("Cut the selected steps"), Menu.EDIT, 2, "cut", ("Ctrl+X",)),
        needs=_STEP,
        scope=Scope.STEPS,
    ),
    ActionSpec(
        *("edit.copy", _("&Copy"), _("Copy the selected steps as text"), Menu.EDIT, 2, "copy", ("Ctrl+C",)),
        needs=_STEP,
        scope=Scope.STEPS,
    ),
    ActionSpec(
        *("edit.paste", _("&Paste"), _("Paste the copied steps below the selected one"), Menu.EDIT, 2, "paste"),
        shortcuts=("Ctrl+V",),
        needs=_DOCUMENT,
        scope=Scope.STEPS,
        spots=_EVERYWHERE,
    ),
    ActionSpec(
        *("edit.select-all", _("Select &all"), _("Select all steps"), Menu.EDIT, 2),
        shortcuts=("Ctrl+A",),
        needs=_DOCUMENT,
        scope=Scope.STEPS,
        spots=_GROUND,
    ),
    ActionSpec(
        *("edit.find", _("&Find…"), _("Find steps by their text"), Menu.EDIT, 3, "search", ("Ctrl+F",), 5),
        needs=_DOCUMENT,
    ),
    ActionSpec(
        *("edit.palette", _("Command pa&lette…"), _("Find and run any command"), Menu.EDIT, 3, "palette"),
        shortcuts=("Ctrl+Shift+P",),
        toolbar=5,
    ),
    ActionSpec(
        *("edit.quick-fix", _("&Quick fix…"), _("Show fixes for the line or the selected step"), Menu.EDIT, 4, "bulb"),
        shortcuts=("Ctrl+.",),
        needs=_DOCUMENT,
    ),
    ActionSpec(
        *(
            "edit.fix-all",
            _("Apply all safe fi&xes…"),
            _("Apply every fix that cannot change the meaning"),
            Menu.EDIT,
            4,
        ),
        icon="bulb",
        needs=_DOCUMENT,
    ),
)

_STEPS = (
    ActionSpec(
        *("step.insert", _("&Insert step…"), _("Insert a step by typing"), Menu.STEP, 1, "plus", ("Tab", "/")),
        needs=_DOCUMENT,
        scope=Scope.STEPS,
        spots=_EVERYWHERE,
    ),
    ActionSpec(
        *("step.edit", _("&Edit text"), _("Edit the text of the selected step"), Menu.STEP, 1, "edit", ("F2",)),
        needs=_ONE_STEP,
        scope=Scope.STEPS,
    ),
    ActionSpec(
        *("step.duplicate", _("&Duplicate"), _("Copy the selected steps below"), Menu.STEP, 1, "duplicate"),
        shortcuts=("Ctrl+D",),
        needs=_STEP,
        command=DuplicateSteps,
    ),
    ActionSpec(
        *("step.delete", _("De&lete"), _("Delete the selected steps"), Menu.STEP, 1, "trash"),
        shortcuts=("Delete", "Backspace"),
        needs=_STEP,
        scope=Scope.STEPS,
        command=DeleteSteps,
    ),
    ActionSpec(
        *("step.move-up", _("Move &up"), _("Move the selected steps up"), Menu.STEP, 2, "up", ("Alt+Up",)),
        needs=_STEP,
    ),
    ActionSpec(
        *("step.move-down", _("Move d&own"), _("Move the selected steps down"), Menu.STEP, 2, "down", ("Alt+Down",)),
        needs=_STEP,
    ),
    ActionSpec(
        *("step.move-in", _("I&ndent (nest)"), _("Move the selected steps into the step above"), Menu.STEP, 2),
        icon="right",
        shortcuts=("Alt+Right",),
        needs=_STEP,
    ),
    ActionSpec(
        *("step.move-out", _("Ou&tdent"), _("Move the selected steps out of their parent"), Menu.STEP, 2),
        icon="left",
        shortcuts=("Alt+Left",),
        needs=_STEP,
    ),
    ActionSpec(
        *("step.wrap-if", _("Wrap in i&f"), _("Put the selected steps under a condition"), Menu.STEP, 3, "decision"),
        needs=_STEP,
        command=partial(WrapSteps, form=WrapForm.IF),
        is_written=True,
    ),
    ActionSpec(
        *("step.wrap-for-each", _("Wrap in fo&r each"), _("Repeat the selected steps for each item"), Menu.STEP, 3),
        icon="loop",
        needs=_STEP,
        command=partial(WrapSteps, form=WrapForm.FOR_EACH),
        is_written=True,
    ),
    ActionSpec(
        *(
            "step.wrap-while",
            _("Wrap in &while"),
            _("Repeat the selected steps while a condition is true"),
            Menu.STEP,
            3,
        ),
        icon="loop",
        needs=_STEP,
        command=partial(WrapSteps, form=WrapForm.WHILE),
        is_written=True,
    ),
    ActionSpec(
        *("step.unwrap", _("Unwra&p"), _("Replace the selected step with the steps inside it"), Menu.STEP, 3),
        needs=_ONE_STEP,
        command=_unwrapped,
    ),
    ActionSpec(
        *("step.add-trigger", _("Add tri&gger…"), _("Add a trigger to this playbook"), Menu.STEP, 4, "trigger"),
        needs=_DOCUMENT,
        spots=_GROUND,
    ),
    ActionSpec(
        *("step.add-note", _("&Add note…"), _("Add a note to this playbook"), Menu.STEP, 4, "note"),
        needs=_DOCUMENT,
        spots=_GROUND,
    ),
    ActionSpec(
        *("step.add-playbook", _("Add pla&ybook…"), _("Add a playbook to this file"), Menu.STEP, 4, "playbook"),
        needs=_DOCUMENT,
        spots=_GROUND,
    ),
    ActionSpec(
        *("step.rename-playbook", _("Rena&me playbook…"), _("Rename this playbook and update its calls"), Menu.STEP, 4),
        needs=_DOCUMENT,
    ),
)

_VIEW = (
    ActionSpec(
        *("view.zoom-in", _("Zoom &in"), _("Zoom in"), Menu.VIEW, 1, "zoom-in", ("Ctrl++", "Ctrl+="), 4),
        needs=_DOCUMENT,
    ),
    ActionSpec(
        *("view.zoom-out", _("Zoom &out"), _("Zoom out"), Menu.VIEW, 1, "zoom-out", ("Ctrl+-",), 4),
        needs=_DOCUMENT,
    ),
    ActionSpec(
        *("view.fit", _("&Fit to window"), _("Show the whole flowchart"), Menu.VIEW, 1, "fit", ("Ctrl+0",), 4),
        needs=_DOCUMENT,
        spots=_GROUND,
    ),
    ActionSpec(
        *("view.actual-size", _("&Actual size"), _("Show the flowchart at 100 %"), Menu.VIEW, 1),
        shortcuts=("Ctrl+1",),
        needs=_DOCUMENT,
        spots=_GROUND,
    ),
    ActionSpec(
        *("view.fold", _("Fo&ld or unfold"), _("Fold or unfold the selected step"), Menu.VIEW, 2, "fold"),
        shortcuts=("Ctrl+Shift+.",),
        needs=_ONE_STEP,
    ),
    ActionSpec("view.fold-all", _("Fold all"), _("Fold every step"), Menu.VIEW, 2, needs=_DOCUMENT, spots=_GROUND),
    ActionSpec(
        "view.unfold-all", _("&Unfold all"), _("Unfold every step"), Menu.VIEW, 2, needs=_DOCUMENT, spots=_GROUND
    ),
    ActionSpec(
        *("view.minimap", _("&Minimap"), _("Show or hide the small map of the flowchart"), Menu.VIEW, 2),
        needs=_DOCUMENT,
        spots=_GROUND,
        is_switch=True,
    ),
    ActionSpec(
        *("view.theme-system", _("Use &system theme"), _("Use the system's light or dark theme"), Menu.VIEW, 4),
        is_switch=True,
    ),
    ActionSpec("view.theme-light", _("Li&ght theme"), _("Use the light theme"), Menu.VIEW, 4, "sun", is_switch=True),
    ActionSpec("view.theme-dark", _("&Dark theme"), _("Use the dark theme"), Menu.VIEW, 4, "moon", is_switch=True),
    ActionSpec(
        "view.text-larger", _("La&rger text"), _("Make all text larger"), Menu.VIEW, 5, shortcuts=("Ctrl+Alt++",)
    ),
    ActionSpec(
        "view.text-smaller", _("Small&er text"), _("Make all text smaller"), Menu.VIEW, 5, shortcuts=("Ctrl+Alt+-",)
    ),
    ActionSpec("view.next-pane", _("&Next pane"), _("Go to the next pane"), Menu.VIEW, 6, shortcuts=("Ctrl+F6",)),
    ActionSpec(
        *("view.previous-pane", _("&Previous pane"), _("Go to the previous pane"), Menu.VIEW, 6),
        shortcuts=("Ctrl+Shift+F6",),
    ),
    ActionSpec("view.reset-layout", _("Reset la&yout"), _("Put every pane back in its place"), Menu.VIEW, 6),
)

_RUN = (
    ActionSpec(
        *("run.start", _("&Run"), _("Run this playbook"), Menu.RUN, 1, "run", ("F5",), 3),
        needs=frozenset({Need.DOCUMENT, Need.NO_RUN}),
    ),
    ActionSpec(
        *("run.pause", _("&Pause"), _("Pause after the current step"), Menu.RUN, 1, "pause"),
        shortcuts=("F6",),
        toolbar=3,
        needs=frozenset({Need.RUN, Need.GOING}),
    ),
    ActionSpec(
        *("run.go-on", _("&Continue"), _("Continue the paused run"), Menu.RUN, 1, "run", ("F8",)),
        needs=frozenset({Need.RUN, Need.PAUSED}),
    ),
    ActionSpec(
        *("run.step", _("&Step"), _("Run one step, then pause"), Menu.RUN, 1, "step", ("F10",), 3),
        needs=frozenset({Need.DOCUMENT}),
    ),
    ActionSpec(
        *("run.stop", _("S&top"), _("Stop the run; you can resume it later"), Menu.RUN, 1, "stop", ("Shift+F5",), 3),
        needs=frozenset({Need.RUN}),
    ),
    ActionSpec(
        *(
            "run.record-only",
            _("Audit &only (do not block)"),
            _("Step lists: allow every call, record violations"),
            Menu.RUN,
            2,
        ),
        needs=frozenset({Need.NO_RUN}),
        is_switch=True,
    ),
    ActionSpec(
        *("run.export-audit", _("&Export audit…"), _("Save who did what in the run, as an HTML page or JSON lines")),
        *(Menu.RUN, 3, "export"),
        needs=frozenset({Need.RUN_KNOWN}),
    ),
)

_HELP = (
    ActionSpec(
        "help.shortcuts", _("&Keyboard shortcuts"), _("List all keyboard shortcuts"), Menu.HELP, 1, "keyboard", ("F1",)
    ),
    ActionSpec("help.welcome", _("&Welcome page"), _("Show the welcome page with samples"), Menu.HELP, 1),
    ActionSpec("help.about", _("&About Playbook Workbench"), _("Show version and licence"), Menu.HELP, 2, "info"),
)

_PANES = tuple(
    ActionSpec(f"pane.{pane.id}", str(pane.show), str(pane.show), Menu.NONE, icon=pane.icon) for pane in PANES
)

ACTIONS: tuple[ActionSpec, ...] = (*_FILE, *_EDIT, *_STEPS, *_VIEW, *_RUN, *_HELP, *_PANES)
