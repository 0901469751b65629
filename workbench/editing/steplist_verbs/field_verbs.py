"""What a step says and its other fields; the fields of the playbook itself."""

from __future__ import annotations

from workbench.editing.commands import Refusal, RenamePlaybook, SetPlaybookField, SetStepField, SetStepText
from workbench.editing.edit_plan import Draft, EditPlan, Fragment
from workbench.editing.refusals import no_such_playbook, no_words, refuse_steps
from workbench.editing.steplist_verbs.adding import refuse_named
from workbench.editing.steplist_verbs.data_text import DataText, data_text_of, node_of
from workbench.editing.steplist_verbs.fields import plain, remove_field, set_field
from workbench.editing.steplist_verbs.listing import is_group
from workbench.i18n import _
from workbench.model.loader.reading import TOP_FIELDS
from workbench.model.loader.step_reading import STEP_FIELDS, complaint
from workbench.model.program import Step
from workbench.model.snapshot import Snapshot
from workbench.syntax.data.nodes import DataNode, NodeKind
from workbench.syntax.steplists.elements import GROUP_LABEL_KEYS, LABEL_KEYS
from workbench.syntax.steplists.scan import is_broken, read_data
from workbench.syntax.text import Span

_GRAPH_ORDER = ("id", "title", "kind", "goal", "description", "required", "after", "allowed_tools")
_GROUP_ORDER = ("id", "title", "goal", "metadata", "guidance")


def refuse_words(snapshot: Snapshot, command: SetStepText) -> Refusal | None:
    """Why the words of the step cannot be changed."""
    refusal = refuse_steps(snapshot, (command.step,))
    if refusal or not command.text.strip():
        return refusal or no_words()
    return _refuse_damaged(snapshot, snapshot.step(command.step))


def _refuse_damaged(snapshot: Snapshot, step: Step) -> Refusal | None:
    node = node_of(snapshot, step)
    if node is None:
        return Refusal("damaged", _("This step has a syntax error. Fix it in the source first."))
    if node.kind is not NodeKind.MAPPING:
        return Refusal("no-fields", _("This step is not a mapping of fields. Change it in the source."))
    return None


def plan_words(snapshot: Snapshot, command: SetStepText) -> EditPlan:
    """The edit of the field that holds the words, in the way it is written."""
    step = snapshot.step(command.step)
    node = node_of(snapshot, step)
    assert node is not None
    names = GROUP_LABEL_KEYS[:-1] if is_group(step) else LABEL_KEYS[:-1]
    written = {key.text: value for key, value in node.entries}
    default = "goal" if snapshot.program.format.is_graph else "description"
    key = next((name for name in names if name in written), "title" if is_group(step) else default)
    text = command.text.strip()
    old = written.get(key)
    if old is not None and old.kind is NodeKind.SCALAR:
        text += old.text[len(old.text.rstrip("\n")) :]
    draft = Draft(snapshot.text)
    keep_ids(draft, snapshot, step)
    set_field(draft, data_text_of(snapshot, step.id), node, (key, text), _order(snapshot, step))
    return draft.finish(_("Edit step"))


def keep_ids(draft: Draft, snapshot: Snapshot, step: Step) -> None:
    """Say that the steps in the block of *step* stay who they are, whatever their words become."""
    start = snapshot.block_start(step.id)
    names = snapshot.block_ids[snapshot.where[step.id]]
    draft.replace(Span(start, start), Fragment("", ids=((0, names),)))


def _order(snapshot: Snapshot, step: Step) -> tuple[str, ...]:
    if is_group(step):
        return _GROUP_ORDER
    return _GRAPH_ORDER if snapshot.program.format.is_graph else STEP_FIELDS


def refuse_field(snapshot: Snapshot, command: SetStepField) -> Refusal | None:
    """Why the field cannot be set."""
    refusal = refuse_steps(snapshot, (command.step,)) or _refuse_name(command.field)
    if refusal:
        return refusal
    if command.value is None and command.field in ("id", "steps"):
        return Refusal("needed", _("A step needs {field}.").format(field=command.field))
    refusal = _refuse_damaged(snapshot, snapshot.step(command.step))
    if refusal is None and command.field in ("id", "parallel_group"):
        refusal = refuse_named(snapshot, (command.step,))
    if refusal or command.value is not None:
        return refusal or _refuse_value(command.field, command.value, is_top=False)
    return _refuse_merged(snapshot, snapshot.step(command.step), command.field)


def _refuse_merged(snapshot: Snapshot, step: Step, field: str) -> Refusal | None:
    """Why a field cannot be taken out that comes from elsewhere."""
    node = node_of(snapshot, step)
    names = [key.text for key, _value in node.entries] if node is not None else []
    if "<<" in names and field not in names:
        return Refusal(
            "merged", _("This field is merged in with << from another place. Set it to a different value here instead.")
        )
    return None


def _refuse_name(name: str) -> Refusal | None:
    if not name.strip():
        return Refusal("no-field", _("A field needs a name."))
    if name in ("steps", "step_groups"):
        return Refusal("steps", _("Steps are inserted, moved and deleted one at a time."))
    return None


def plan_field(snapshot: Snapshot, command: SetStepField) -> EditPlan:
    """The edit of one field of a step; None as value takes it out."""
    step = snapshot.step(command.step)
    node = node_of(snapshot, step)
    assert node is not None
    draft = Draft(snapshot.text)
    keep_ids(draft, snapshot, step)
    _set(draft, data_text_of(snapshot, step.id), node, (command.field, command.value), _order(snapshot, step))
    return draft.finish(_("Change {field}").format(field=command.field))


def _set(draft: Draft, data: DataText, node: DataNode, field: tuple[str, object], order: tuple[str, ...]) -> None:
    name, value = field
    if value is None:
        remove_field(draft, data, node, name)
    else:
        set_field(draft, data, node, (name, plain(value)), order)


def refuse_playbook_field(snapshot: Snapshot, command: SetPlaybookField) -> Refusal | None:
    """Why the field of the playbook cannot be set."""
    if snapshot.program.playbook(command.playbook) is None:
        return no_such_playbook(command.playbook)
    refusal = _refuse_name(command.field)
    if refusal or command.value is None:
        return refusal
    return _refuse_value(command.field, command.value, is_top=True)


def _refuse_value(field: str, value: object, *, is_top: bool) -> Refusal | None:
    """Why the field cannot hold *value*, in the words of whoever loads the file."""
    words = complaint(field, plain(value), is_top=is_top)
    return Refusal("no-such-value", words) if words else None


def plan_playbook_field(snapshot: Snapshot, command: SetPlaybookField) -> EditPlan | Refusal:
    """The edit of one field of the playbook; None as value takes it out."""
    return _plan_top(snapshot, command.field, command.value, _("Change {field}").format(field=command.field))


def refuse_rename(snapshot: Snapshot, command: RenamePlaybook) -> Refusal | None:
    """Why the playbook cannot be renamed."""
    if snapshot.program.playbook(command.playbook) is None:
        return no_such_playbook(command.playbook)
    return None if command.name.strip() else Refusal("no-name", _("A playbook needs a name."))


def plan_rename(snapshot: Snapshot, command: RenamePlaybook) -> EditPlan | Refusal:
    """The edit of the name; the id stays, since plans and records refer to it."""
    is_titled = snapshot.program.format.is_graph and '"name"' not in snapshot.text and "\nname" not in snapshot.text
    return _plan_top(snapshot, "title" if is_titled else "name", command.name.strip(), _("Rename playbook"))


def _plan_top(snapshot: Snapshot, name: str, value: object, label: str) -> EditPlan | Refusal:
    parse = read_data(snapshot.text, is_json=snapshot.program.format.is_json)
    root = parse.root
    if is_broken(parse) or root is None or root.kind is not NodeKind.MAPPING:
        return Refusal("damaged", _("This file has a syntax error. Fix it in the source first."))
    draft = Draft(snapshot.text)
    order = ("playbook_id", "title", *(field for field in TOP_FIELDS if field not in ("steps", "step_groups")))
    _set(draft, DataText(snapshot.text, 0, snapshot.program.format.is_json), root, (name, value), order)
    return draft.finish(label)
