"""The verbs of editing, as data. What a command does to the text is in ``plan``.

A command names steps by id and playbooks by name, holds no live object, and may be built
by a widget, a test or the command line alike.
"""

from __future__ import annotations

import enum
from dataclasses import dataclass

from workbench.model.meaning import BranchForm, LoopForm, StepKind
from workbench.model.program import SectionKind, StepId
from workbench.syntax.change import TextEdit


@dataclass(frozen=True, slots=True)
class Place:
    """A position among siblings: in *playbook*, under *parent* (None: top level), after *after* (None: first).

    *section* says which list is meant at top level.
    """

    playbook: str
    parent: StepId | None = None
    after: StepId | None = None
    section: SectionKind = SectionKind.STEPS


CONDITION = "a condition holds"
ITEMS = "$item in the list"
"""What stands for words that a person has not written yet. It reads no variable, so nothing is wrong with it."""


class WrapForm(enum.Enum):
    """What a step can be wrapped in."""

    IF = "if"
    FOR_EACH = "for-each"
    WHILE = "while"


@dataclass(frozen=True, slots=True, kw_only=True)
class RenumbersSteps:
    """What the commands share that can change the numbers of steps.

    *updates_references*: also rewrite prose such as "step 5" that the command would falsify.
    """

    updates_references: bool = False


@dataclass(frozen=True, slots=True)
class EditText:
    """Raw edits of the source, as typed. Without a *label* it is typing, and joins what was typed just before."""

    edits: tuple[TextEdit, ...]
    label: str = ""


@dataclass(frozen=True, slots=True)
class InsertStep(RenumbersSteps):
    """A new step with *text* (one or more lines of the step language, no marker) at *place*."""

    place: Place
    text: str


@dataclass(frozen=True, slots=True)
class InsertLines(RenumbersSteps):
    """Steps from a piece of source (a paste, a pattern), re-indented and re-marked to fit *place*."""

    place: Place
    source: str


@dataclass(frozen=True, slots=True)
class DeleteSteps(RenumbersSteps):
    """Delete steps with their children and the comment lines directly above them."""

    steps: tuple[StepId, ...]


@dataclass(frozen=True, slots=True)
class MoveSteps(RenumbersSteps):
    """Move steps (with all they own) to *place*, in source order."""

    steps: tuple[StepId, ...]
    place: Place


@dataclass(frozen=True, slots=True)
class DuplicateSteps(RenumbersSteps):
    """Copy steps, with all they own, directly below the last of them."""

    steps: tuple[StepId, ...]


@dataclass(frozen=True, slots=True)
class SetStepText:
    """Replace the words of a step; its comments, fences and children stay."""

    step: StepId
    text: str


@dataclass(frozen=True, slots=True)
class TickSteps:
    """Tick the boxes of steps in a checklist, or empty them."""

    steps: tuple[StepId, ...]
    ticked: bool


@dataclass(frozen=True, slots=True)
class WrapSteps(RenumbersSteps):
    """Put sibling steps under a new branch or loop whose words are *text* (empty: a placeholder)."""

    steps: tuple[StepId, ...]
    form: WrapForm
    text: str = ""


@dataclass(frozen=True, slots=True)
class UnwrapStep(RenumbersSteps):
    """Replace a step by its children."""

    step: StepId


@dataclass(frozen=True, slots=True)
class ChangeKind:
    """Rewrite a step's words so that it becomes *kind*, keeping what they say."""

    step: StepId
    kind: StepKind


@dataclass(frozen=True, slots=True)
class AddTrigger:
    """Add a trigger, and the heading for triggers where there is none."""

    playbook: str
    text: str


@dataclass(frozen=True, slots=True)
class AddNote:
    """Add a note, and the heading for notes where there is none."""

    playbook: str
    text: str


@dataclass(frozen=True, slots=True)
class AddPlaybook:
    """Add an empty playbook called *name* after the playbook *after* (empty: at the end)."""

    name: str
    after: str = ""


@dataclass(frozen=True, slots=True)
class RenamePlaybook:
    """Rename a playbook and every call of it."""

    playbook: str
    name: str


@dataclass(frozen=True, slots=True)
class SetStepField:
    """Set one field of a step in a step list: text, a number, true or false, a list or a mapping; None takes it out."""

    step: StepId
    field: str
    value: object


@dataclass(frozen=True, slots=True)
class SetPlaybookField:
    """Set one field of a step list itself; None takes it out."""

    playbook: str
    field: str
    value: object


@dataclass(frozen=True, slots=True)
class SetFrontMatter:
    """Set one value of the front matter of a markdown file: text, or the texts in a list; None takes it out.

    *path*: its key, behind the keys that it stands in.
    """

    path: tuple[str, ...]
    value: str | tuple[str, ...] | None


@dataclass(frozen=True, slots=True)
class InvertCondition:
    """Turn the condition of a branch round: ``If $x > 3`` becomes ``If $x <= 3``. What stands below it stays."""

    step: StepId


@dataclass(frozen=True, slots=True)
class SwapBranches(RenumbersSteps):
    """Let *If* and *Otherwise* change their bodies, with the opposite condition: what is done stays the same."""

    step: StepId


@dataclass(frozen=True, slots=True)
class ConvertBranch:
    """Make a branch an IF, an ELSE_IF or an OTHERWISE; to and from OTHERWISE only where the meaning stays.

    *Else if* is asked only where the branches above do not hold, so between the two the meaning may change.
    """

    step: StepId
    form: BranchForm


@dataclass(frozen=True, slots=True)
class AddOtherwise(RenumbersSteps):
    """Add *Otherwise* to a decision, with a step of the words *text* in it (empty: a placeholder)."""

    step: StepId
    text: str = ""


@dataclass(frozen=True, slots=True)
class ChangeLoop(RenumbersSteps):
    """Make a loop one of another *form* that does the same; counters are added and taken out with it."""

    step: StepId
    form: LoopForm


@dataclass(frozen=True, slots=True)
class DisableSteps(RenumbersSteps):
    """Keep steps as a comment in their place, so that they are not carried out."""

    steps: tuple[StepId, ...]


@dataclass(frozen=True, slots=True)
class EnableSteps(RenumbersSteps):
    """Bring back what is disabled in or beside *steps*, and in the comment that stands on *line* (0: on none)."""

    steps: tuple[StepId, ...] = ()
    line: int = 0


@dataclass(frozen=True, slots=True)
class SplitStep(RenumbersSteps):
    """Make two steps of one that says several things; *at*: where in its words, None: where the first thing ends."""

    step: StepId
    at: int | None = None


@dataclass(frozen=True, slots=True)
class JoinSteps(RenumbersSteps):
    """Make one step of adjacent ones, which says what each of them said."""

    steps: tuple[StepId, ...]


@dataclass(frozen=True, slots=True)
class SortSteps(RenumbersSteps):
    """Bring adjacent steps into the order of their words; a single one: the steps inside it."""

    steps: tuple[StepId, ...]


@dataclass(frozen=True, slots=True)
class MakeExact:
    """Write a sentence that is judged, or carried out by its words, as its exact form."""

    step: StepId


@dataclass(frozen=True, slots=True)
class ExtractPlaybook(RenumbersSteps):
    """Move adjacent steps into a playbook of their own, and call it in their place.

    *name*: empty for one that follows from the words of the first step.
    """

    steps: tuple[StepId, ...]
    name: str = ""


@dataclass(frozen=True, slots=True)
class InlineCall(RenumbersSteps):
    """Put the steps of a playbook in place of a call of it; the playbook stays."""

    step: StepId


Command = (
    EditText
    | InsertStep
    | InsertLines
    | DeleteSteps
    | MoveSteps
    | DuplicateSteps
    | SetStepText
    | TickSteps
    | WrapSteps
    | UnwrapStep
    | ChangeKind
    | AddTrigger
    | AddNote
    | AddPlaybook
    | RenamePlaybook
    | SetStepField
    | SetPlaybookField
    | SetFrontMatter
    | InvertCondition
    | SwapBranches
    | ConvertBranch
    | AddOtherwise
    | ChangeLoop
    | DisableSteps
    | EnableSteps
    | SplitStep
    | JoinSteps
    | SortSteps
    | MakeExact
    | ExtractPlaybook
    | InlineCall
)


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why a command cannot be done now; shown beside the pointer, never raised."""

    code: str
    message: str
