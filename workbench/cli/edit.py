"""The verbs of ``workbench edit``: their options, and the command that each one means."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from pathlib import Path

from workbench.cli.reading import kind_of_file, step_at
from workbench.cli.surgery_verbs import SURGERY
from workbench.cli.terminal import FINDINGS, FINE, Commands, add_command, complain, show_difference
from workbench.disk.files import absolute, project_folder, real_path
from workbench.editing.commands import (
    Command,
    DeleteSteps,
    DuplicateSteps,
    InsertStep,
    MoveSteps,
    Place,
    Refusal,
    RenamePlaybook,
    SetPlaybookField,
    SetStepField,
    SetStepText,
    TickSteps,
    UnwrapStep,
    WrapForm,
    WrapSteps,
)
from workbench.editing.document import Document
from workbench.editing.keeping.storage import load
from workbench.editing.references import lost_mentions
from workbench.errors import CannotRead
from workbench.i18n import _, ngettext, numeral
from workbench.model.loader.step_reading import takes_text, takes_texts
from workbench.model.program import Playbook, Section, SectionKind, Step, StepId
from workbench.model.snapshot import Snapshot
from workbench.syntax.data.nodes import NodeKind, plain_value
from workbench.syntax.data.yaml_reading import read_yaml

Build = Callable[[argparse.Namespace, Snapshot], Command]
BuildCommand = Callable[[argparse.Namespace, Snapshot], Command]


def add_verbs(verbs: Commands) -> None:
    """Add every verb to *verbs*."""
    insert = _verb(
        verbs, "insert", _("add a step"), 'edit desk.md insert "Tell user the result" --after Main:02', _insert
    )
    insert.add_argument("text", metavar="TEXT", help=_("text of the new step"))
    _add_place(insert)
    delete = _verb(
        verbs, "delete", _("delete steps with their children and comments"), "edit desk.md delete Main:03", _delete
    )
    _steps(delete)
    move = _verb(
        verbs,
        "move",
        _("move steps with their children and comments"),
        "edit desk.md move Main:04 --before Main:03",
        _move,
    )
    _steps(move)
    _add_place(move)
    text = _verb(
        verbs, "text", _("replace the text of a step"), 'edit desk.md text Main:02 "Ask user for $name"', _set_text
    )
    text.add_argument("step", metavar="STEP")
    text.add_argument("text", metavar="TEXT")
    _add_ticking(verbs)
    for verb in (insert, delete, move, *_add_shaping(verbs)):
        _add_update(verb)
    _add_renaming(verbs)
    _add_surgery(verbs)


def _add_surgery(verbs: Commands) -> None:
    for each in SURGERY:
        parser = _verb(verbs, each.name, str(each.description), each.example, each.build)
        each.options(parser)
        if each.renumbers:
            _add_update(parser)


def _add_shaping(verbs: Commands) -> tuple[argparse.ArgumentParser, ...]:
    """Add the verbs that copy steps or nest them otherwise; gives them."""
    duplicate = _verb(
        verbs,
        "duplicate",
        _("copy steps directly below"),
        "edit desk.md duplicate Main:02",
        _duplicate,
    )
    _steps(duplicate)
    wrap = _verb(
        verbs,
        "wrap",
        _("put steps under a new branch or loop"),
        'edit desk.md wrap Main:02 Main:03 --in if --text "If $total > 100"',
        _wrap,
    )
    _steps(wrap)
    wrap.add_argument("--in", dest="form", required=True, choices=[form.value for form in WrapForm])
    wrap.add_argument("--text", default="", help=_("text of the new step, such as “If $total > 100”"))
    unwrap = _verb(verbs, "unwrap", _("replace a step with its children"), "edit desk.md unwrap Main:02", _unwrap)
    unwrap.add_argument("step", metavar="STEP")
    return duplicate, wrap, unwrap


def _add_ticking(verbs: Commands) -> None:
    """Add the verbs for the boxes of checklists."""
    tick = _verb(verbs, "tick", _("tick steps of a checklist"), "edit opening.md tick Opening:02", _tick)
    untick = _verb(verbs, "untick", _("empty the boxes of steps"), "edit opening.md untick Opening:02", _untick)
    for verb in (tick, untick):
        _steps(verb)


def _add_renaming(verbs: Commands) -> None:
    """Add the verbs that leave every step where it is, and are not about its words."""
    field = _verb(
        verbs,
        "set",
        _("set a field of a step list or of one of its steps"),
        "edit checks.yaml set restart required false",
        _set_field,
    )
    field.add_argument("target", metavar="STEP-OR-PLAYBOOK")
    field.add_argument("field", metavar="FIELD")
    value = field.add_mutually_exclusive_group(required=True)
    words = _("a YAML value: 3, true, [a, b]; for a field that holds text, the text as it is")
    value.add_argument("value", nargs="?", metavar="VALUE", help=words)
    value.add_argument("--remove", action="store_true", help=_("remove the field"))
    rename = _verb(
        verbs,
        "rename-playbook",
        _("rename a playbook and update its calls"),
        "edit desk.md rename-playbook Main Start",
        _rename,
    )
    rename.add_argument("playbook", metavar="PLAYBOOK")
    rename.add_argument("name", metavar="NEW-NAME")


def _verb(verbs: Commands, name: str, description: str, example: str, build: Build) -> argparse.ArgumentParser:
    parser = add_command(verbs, name, description, example)
    add_dry_run(parser, default=argparse.SUPPRESS)
    parser.set_defaults(build_command=build)
    return parser


def add_dry_run(parser: argparse.ArgumentParser, default: object) -> None:
    """Add the option that changes nothing; it is understood before and behind the verb."""
    words = _("print the unified diff without changing the file")
    parser.add_argument("--dry-run", dest="is_dry_run", action="store_true", default=default, help=words)


def _add_update(parser: argparse.ArgumentParser) -> None:
    """Add the option that keeps prose true; for verbs that can change the numbers of steps."""
    words = _("also update references such as “step 5” that would become wrong")
    parser.add_argument("--update-references", dest="updates_references", action="store_true", help=words)


def _steps(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("steps", nargs="+", metavar="STEP")


def _add_place(parser: argparse.ArgumentParser) -> None:
    place = parser.add_mutually_exclusive_group(required=True)
    place.add_argument("--after", metavar="STEP", help=_("directly below STEP"))
    place.add_argument("--before", metavar="STEP", help=_("directly above STEP"))
    place.add_argument("--into", metavar="STEP", help=_("as the last child of STEP, or the last step of PLAYBOOK"))


def _insert(options: argparse.Namespace, snapshot: Snapshot) -> Command:
    return InsertStep(_place(options, snapshot, moved=()), options.text, updates_references=options.updates_references)


def _delete(options: argparse.Namespace, snapshot: Snapshot) -> Command:
    return DeleteSteps(_ids(options, snapshot), updates_references=options.updates_references)


def _move(options: argparse.Namespace, snapshot: Snapshot) -> Command:
    steps = _ids(options, snapshot)
    place = _place(options, snapshot, moved=steps)
    return MoveSteps(steps, place, updates_references=options.updates_references)


def _tick(options: argparse.Namespace, snapshot: Snapshot) -> Command:
    return TickSteps(_ids(options, snapshot), ticked=True)


def _untick(options: argparse.Namespace, snapshot: Snapshot) -> Command:
    return TickSteps(_ids(options, snapshot), ticked=False)


def _set_text(options: argparse.Namespace, snapshot: Snapshot) -> Command:
    return SetStepText(step_at(snapshot, options.step).id, options.text)


def _set_field(options: argparse.Namespace, snapshot: Snapshot) -> Command:
    value = None if options.remove else _value(options.field, options.value)
    if ":" in options.target:
        return SetStepField(step_at(snapshot, options.target).id, options.field, value)
    return SetPlaybookField(_playbook(snapshot, options.target).address, options.field, value)


def _value(field: str, text: str) -> object:
    """What *text* says in YAML; the text itself where it is none, and where *field* holds a text."""
    parse = read_yaml(text)
    if takes_text(field) or parse.root is None or parse.diagnostics:
        return text
    if takes_texts(field) and parse.root.kind is NodeKind.SEQUENCE:
        # an entry that YAML would take for a number or a truth is a text here
        return [item.text if item.kind is NodeKind.SCALAR else plain_value(item) for item in parse.root.items]
    return plain_value(parse.root)


def _duplicate(options: argparse.Namespace, snapshot: Snapshot) -> Command:
    return DuplicateSteps(_ids(options, snapshot), updates_references=options.updates_references)


def _wrap(options: argparse.Namespace, snapshot: Snapshot) -> Command:
    steps, form = _ids(options, snapshot), WrapForm(options.form)
    return WrapSteps(steps, form, options.text, updates_references=options.updates_references)


def _unwrap(options: argparse.Namespace, snapshot: Snapshot) -> Command:
    return UnwrapStep(step_at(snapshot, options.step).id, updates_references=options.updates_references)


def _rename(options: argparse.Namespace, snapshot: Snapshot) -> Command:
    return RenamePlaybook(_playbook(snapshot, options.playbook).address, options.name)


def _ids(options: argparse.Namespace, snapshot: Snapshot) -> tuple[StepId, ...]:
    return tuple(step_at(snapshot, address).id for address in options.steps)


def _place(options: argparse.Namespace, snapshot: Snapshot, moved: Sequence[StepId]) -> Place:
    """The place that the options name; steps about to be *moved* do not count as neighbours."""
    if options.after:
        step = step_at(snapshot, options.after)
        return _beside(snapshot, step, after=step.id)
    if options.before:
        step = step_at(snapshot, options.before)
        above = _last_before(snapshot.siblings(step.id), step, moved)
        return _beside(snapshot, step, after=above)
    if ":" in options.into:
        parent = step_at(snapshot, options.into)
        place = _beside(snapshot, parent, after=None)
        return Place(place.playbook, parent.id, _last(parent.children, moved), place.section)
    playbook = _playbook(snapshot, options.into)
    return Place(playbook.address, None, _last(_last_list(playbook), moved))


def _beside(snapshot: Snapshot, step: Step, after: StepId | None) -> Place:
    """A place among the siblings of *step*."""
    parent = snapshot.parent(step.id)
    section = snapshot.section_of(step.id)
    return Place(snapshot.playbook_of(step.id).address, parent.id if parent else None, after, section.kind)


def _last_before(siblings: Sequence[Step], step: Step, moved: Sequence[StepId]) -> StepId | None:
    position = next(index for index, sibling in enumerate(siblings) if sibling is step)
    return _last(siblings[:position], moved)


def _last(steps: Sequence[Step], moved: Sequence[StepId]) -> StepId | None:
    """The last of *steps* that stays where it is."""
    return next((step.id for step in reversed(steps) if step.id not in moved), None)


def _last_list(playbook: Playbook) -> tuple[Step, ...]:
    """The steps of the last section of steps."""
    sections: list[Section] = [section for section in playbook.sections if section.kind is SectionKind.STEPS]
    return sections[-1].steps if sections else ()


def _playbook(snapshot: Snapshot, name: str) -> Playbook:
    found = snapshot.program.playbook(name)
    if found is None:
        known = ", ".join(playbook.address for playbook in snapshot.program.playbooks)
        raise CannotRead(_("There is no playbook “{name}”. Playbooks here: {known}.").format(name=name, known=known))
    return found


def register(commands: Commands) -> None:
    """Add the command to *commands*."""
    parser = add_command(
        commands,
        "edit",
        _("edit the steps of a playbook file"),
        "edit playbooks/refund.md move Main:04 --before Main:03 --dry-run",
        _(
            "Steps are addressed as Playbook:02.01. Only the affected lines change. Exit code: 0 "
            "done, 1 refused (the reason is printed), 2 file or step not found."
        ),
    )
    parser.add_argument("file", type=Path, metavar="FILE")
    add_dry_run(parser, default=False)
    add_verbs(parser.add_subparsers(title=_("verbs"), metavar="VERB", required=True))
    parser.set_defaults(execute=execute)


def execute(options: argparse.Namespace) -> int:
    """Plan the edit, and print its diff or save it."""
    document = _open(options.file)
    build: BuildCommand = options.build_command
    command = build(options, document.snapshot)
    outcome = document.execute(command)
    if isinstance(outcome, Refusal):
        complain(outcome.message)
        return FINDINGS
    if options.is_dry_run:
        show_difference(options.file, outcome.before.text, outcome.after.text)
    elif document.is_dirty:
        document.save()
    for count, words in ((len(outcome.reference_fixes), _outdated), (outcome.lost_references, lost_mentions)):
        if count:
            complain(words(count))
    if isinstance(command, RenamePlaybook):
        _tell_left_behind(options.file, outcome.before, command.playbook)
    return FINE


def _tell_left_behind(file: Path, before: Snapshot, name: str) -> None:
    """Say where other files of the project have the *name* that a playbook of *file* had *before*."""
    from workbench.search.across import Project  # noqa: PLC0415 - no other verb looks at other files
    from workbench.search.symbols import symbol_named  # noqa: PLC0415 - likewise

    root = real_path(project_folder(file))
    path = real_path(absolute(file)).relative_to(root).as_posix()
    found = Project(root, {path: before.source}).usages(path, symbol_named(before, name))
    others = [each for each in found if each.file.path != path]
    count = sum(len(each.usages) for each in others)
    message = ngettext(
        "One place in other files keeps the old name ({files}); “workbench rename --symbol” changes all files "
        "together.",
        "{count} places in other files keep the old name ({files}); “workbench rename --symbol” changes all files "
        "together.",
        count,
    )
    if others:
        complain(message.format(count=numeral(count), files=", ".join(each.file.path for each in others)))


def _outdated(count: int) -> str:
    return ngettext(
        "One reference to a step number is now wrong; use --update-references to correct it.",
        "{count} references to step numbers are now wrong; use --update-references to correct them.",
        count,
    )


def _open(path: Path) -> Document:
    """The document in *path*; raises CannotRead for what is no text, since an edit could only damage it."""
    if load(path).is_binary:
        raise CannotRead(_("“{name}” is not a text file, so it cannot be edited.").format(name=path.name))
    return Document.open(path, wanted=kind_of_file(path))
