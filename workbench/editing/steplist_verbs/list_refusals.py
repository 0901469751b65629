"""Why a command is refused in a step list: there is no such thing in one, or trying it changed something else."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from workbench.editing import commands
from workbench.editing.commands import Command, Refusal
from workbench.editing.refusals import would_merge
from workbench.editing.steplist_verbs.data_text import node_of
from workbench.editing.steplist_verbs.fields import plain
from workbench.i18n import N_, LazyText, _
from workbench.model.loader.steplist import PlaybookStep
from workbench.model.meaning import StepKind, StepListEntry
from workbench.model.program import Step
from workbench.model.snapshot import Snapshot
from workbench.regex import regex
from workbench.syntax.data.nodes import plain_value
from workbench.syntax.data.yaml_reading import read_yaml
from workbench.syntax.steplists.scan import read_data

_KEEPS = regex(r"[|>][0-9]?\+")


def why_not_in_a_list(command: Command) -> Refusal:
    """Why *command* is nothing for a step list."""
    return Refusal("not-in-a-list", str(_REASONS.get(type(command), N_("This is not available in a step list."))))


_REASONS: Mapping[type, LazyText] = {
    commands.TickSteps: N_("The steps of a step list have no boxes to tick."),
    commands.WrapSteps: N_("Step lists have no conditions or loops. Convert to markdown to use them."),
    commands.UnwrapStep: N_("There is nothing to unwrap: steps in a list do not contain other steps."),
    commands.ChangeKind: N_("All steps of a list are the same kind; they differ in their fields."),
    commands.AddTrigger: N_("Step lists have no triggers. Convert to markdown to use them."),
    commands.AddNote: N_("Step lists have no notes. Use the hints of a step or the description instead."),
    **dict.fromkeys(
        (
            commands.InvertCondition,
            commands.SwapBranches,
            commands.ConvertBranch,
            commands.AddOtherwise,
            commands.ChangeLoop,
        ),
        N_("Step lists have no conditions or loops. Convert to markdown to use them."),
    ),
    **dict.fromkeys(
        (commands.SplitStep, commands.JoinSteps),
        N_("A step of a list is more than its words: it has an id and fields of its own. Copy or delete it instead."),
    ),
    **dict.fromkeys(
        (commands.ExtractPlaybook, commands.InlineCall),
        N_("A step list cannot call another playbook. Convert to markdown to use playbooks."),
    ),
    commands.SortSteps: N_("Steps of a list are in the order in which they are carried out. Move them one by one."),
    commands.MakeExact: N_("Steps of a list are carried out by their fields, not by their words."),
    commands.AddPlaybook: N_("A step-list file holds one playbook. Put the other one in its own file."),
}


def why_lost(before: Snapshot, after: Snapshot, command: Command) -> Refusal | None:
    """Why *after* is not what *command* was to do: something else changed its meaning, or cannot be read any more."""
    if "*" in before.text and "&" in before.text and _loose_aliases(after) > _loose_aliases(before):
        message = _("An alias refers to this and must come after it. Change this in the source.")
        return Refusal("alias", message)
    if _changes_others(before, after, command):
        if "*" in before.text:
            message = _(
                "Other steps refer to this through an alias, so they would change too. Change it in the source."
            )
            return Refusal("alias", message)
        if _KEEPS.search(before.text):
            message = _("A text block here includes the blank lines below it (|+). Change this in the source.")
            return Refusal("kept-blanks", message)
        return would_merge()
    if _damage(after) > _damage(before) or not _is_as_meant(after, command):
        return would_merge()
    return None


def _is_as_meant(after: Snapshot, command: Command) -> bool:
    """True when a field that was set is read as what it was set to."""
    if isinstance(command, commands.SetStepField):
        node = node_of(after, after.step(command.step))
    elif isinstance(command, commands.SetPlaybookField):
        node = read_data(after.text, is_json=after.program.format.is_json).root
    else:
        return True
    found = node.get(command.field) if node is not None else None
    return command.value is None or (found is not None and plain_value(found) == plain(command.value))


def _loose_aliases(snapshot: Snapshot) -> int:
    found = read_yaml(snapshot.text).diagnostics
    return sum(one.code in ("unknown-alias", "circular-alias") for one in found)


def _changes_others(before: Snapshot, after: Snapshot, command: Command) -> bool:
    touched = getattr(command, "step", None)
    for root in after.roots:
        if root is None or root.kind is StepKind.RAW:
            continue
        for step in root.walk():
            old = before.find(step.id)
            if old is None or old is step or old.meaning == step.meaning:
                continue
            if step.id != touched and _said(old, before) != _said(step, before):
                return True
            if step.id == touched and _other_fields(old, command) != _other_fields(step, command):
                return True
    return False


def _said(step: Step, before: Snapshot) -> object:
    """What *step* means. A text without a final line end cannot keep whether its last block of text ends with one."""
    meaning = step.meaning
    if before.text[-1:] in ("\n", "\r") or not isinstance(meaning, StepListEntry) or meaning.step is None:
        return meaning
    return replace(meaning, step=replace(meaning.step, description=meaning.step.description.rstrip("\n")))


_STANDS_FOR = {"allowed_tools": "expected_tools", "goal": "description", "title": "description"}
"""What a step is read to have where it has these."""


def _other_fields(step: Step, command: Command) -> object:
    """The fields of *step* that *command* is not about."""
    meaning = step.meaning
    if not isinstance(meaning, StepListEntry) or meaning.step is None:
        return None
    field = getattr(command, "field", "description")
    names = [name for name in PlaybookStep.__dataclass_fields__ if name not in (field, _STANDS_FOR.get(field))]
    return [getattr(meaning.step, name) for name in names]


def _damage(snapshot: Snapshot) -> int:
    return sum(root is not None and root.kind is StepKind.RAW for root in snapshot.roots)
