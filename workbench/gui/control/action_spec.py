"""What an action is: what it says, where it is offered, what it needs."""

from __future__ import annotations

import enum
from collections.abc import Callable
from dataclasses import dataclass

from workbench.editing.commands import Command
from workbench.i18n import LazyText
from workbench.model.program import StepId

CommandOf = Callable[[tuple[StepId, ...]], Command]


class Need(enum.Enum):
    """What must be the case for an action to make sense.

    *RUN*: the run that is shown goes on in this window. *ANY_RUN*: here or elsewhere. *NO_RUN*: nowhere. *NOT_WATCHED*:
    not elsewhere. *FILE*: the document was saved.
    """

    DOCUMENT = enum.auto()
    FILE = enum.auto()
    UNDO = enum.auto()
    REDO = enum.auto()
    STEP = enum.auto()
    ONE_STEP = enum.auto()
    BOX = enum.auto()
    NO_RUN = enum.auto()
    RUN = enum.auto()
    ANY_RUN = enum.auto()
    NOT_WATCHED = enum.auto()
    SEVERAL_RUNS = enum.auto()
    WAITING = enum.auto()
    PAUSED = enum.auto()
    GOING = enum.auto()
    RUN_KNOWN = enum.auto()
    RESUMABLE = enum.auto()
    REPORT = enum.auto()
    PAST = enum.auto()
    HELD_RESULT = enum.auto()
    HELD_ANSWER = enum.auto()


class ShortcutScope(enum.Enum):
    """Where a shortcut works: in the whole window, in panes that show steps (never while typing), or in the source.

    There it comes before whatever else the keys mean in the window. DOCUMENT: in both, and in no other pane.
    """

    WINDOW = enum.auto()
    STEPS = enum.auto()
    SOURCE = enum.auto()
    DOCUMENT = enum.auto()


class Spot(enum.Enum):
    """What the context menu of the flowchart is opened on."""

    STEP = enum.auto()
    GROUND = enum.auto()


class Menu(enum.Enum):
    """The menus, in order. VERSIONS stands in FILE, SOURCE at the end of EDIT, OPERATIONS at the end of STEP."""

    FILE = "file"
    EDIT = "edit"
    STEP = "step"
    VIEW = "view"
    GO = "go"
    RUN = "run"
    HELP = "help"
    VERSIONS = "versions"
    SOURCE = "source"
    OPERATIONS = "operations"
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
    text: LazyText
    tooltip: LazyText
    menu: Menu
    group: int = 0
    icon: str = ""
    shortcuts: tuple[str, ...] = ()
    toolbar: int = 0
    needs: frozenset[Need] = frozenset()
    scope: ShortcutScope = ShortcutScope.WINDOW
    is_switch: bool = False
    command: CommandOf | None = None
    is_written: bool = False
    spots: frozenset[Spot] = frozenset()

    def is_on(self, spot: Spot) -> bool:
        """Whether the context menu of the flowchart offers it there."""
        return spot in self.spots or (spot is Spot.STEP and not self.needs.isdisjoint(_NEED_STEPS))


_NEED_STEPS = frozenset({Need.STEP, Need.ONE_STEP, Need.BOX})
