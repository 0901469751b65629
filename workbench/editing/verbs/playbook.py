"""New playbooks, and new names for them."""

from __future__ import annotations

from workbench.editing.commands import AddPlaybook, Refusal, RenamePlaybook
from workbench.editing.edit_plan import Draft, EditPlan
from workbench.editing.geometry.headings import is_title, retitle, written_heading
from workbench.editing.geometry.room import heading_line, is_heading_spaced, playbook_end
from workbench.editing.geometry.siblings import Siblings, line_end_of
from workbench.editing.geometry.style import PLAIN, style_at
from workbench.editing.refusals import no_such_playbook
from workbench.i18n import _
from workbench.model.kinds import FileKind
from workbench.model.program import SectionKind
from workbench.model.snapshot import Snapshot
from workbench.search.calls import calls_of, offered, written_name
from workbench.syntax.blocks import BlockKind
from workbench.syntax.lines import span_in_title
from workbench.syntax.signatures import normalise_name
from workbench.syntax.text import Span


def refuse_add(snapshot: Snapshot, command: AddPlaybook) -> Refusal | None:
    """Why no playbook can be added under this name."""
    if command.after and snapshot.program.playbook(command.after) is None:
        return no_such_playbook(command.after)
    return _refuse_name(snapshot, command.name)


def plan_add(snapshot: Snapshot, command: AddPlaybook) -> EditPlan:
    """The edits that add a playbook with an empty list of steps."""
    text = snapshot.text
    stop = playbook_end(snapshot, command.after)
    at = snapshot.block_starts[stop]
    end = line_end_of(snapshot, at)
    playbooks = [playbook for playbook in snapshot.program.playbooks if not playbook.is_implied]
    above = end if at == 0 or text[at - 1] in "\r\n" else end * 2
    lead = (above if at else "") if above == end * 2 or not _is_blank_above(snapshot, stop) else ""
    if snapshot.program.kind is not FileKind.PROGRAM and snapshot.blocks:
        heading = _chapter(snapshot, command.name.strip(), end)
    else:
        steps = heading_line(snapshot, playbooks[0] if playbooks else None, SectionKind.STEPS)
        between = end if playbooks and is_heading_spaced(snapshot) else ""
        like = playbooks[0].heading if playbooks else None
        heading = f"{written_heading(2, command.name.strip(), end, like)}{end}{between}{steps}{end}"
    follows = end if stop < len(snapshot.blocks) and snapshot.blocks[stop].kind is not BlockKind.BLANK else ""
    draft = Draft(text)
    draft.replace(Span(at, at), lead + heading + follows)
    return draft.finish(_("Add playbook"))


def _chapter(snapshot: Snapshot, name: str, end: str) -> str:
    """The lines of a chapter like the others of a procedure, with a first step: without one it would only be read."""
    chapters = [each for each in snapshot.program.playbooks if not each.is_implied and each.heading is not None]
    near = next((each for each in reversed(chapters) if each.is_carried_out), chapters[-1] if chapters else None)
    like = near.heading if near else None
    blocks, at = snapshot.blocks, next((at for at, block in enumerate(snapshot.blocks) if block is like), -1)
    is_tight = like is not None and at + 1 < len(blocks) and blocks[at + 1].kind is not BlockKind.BLANK
    heading = written_heading(like.level if like else 2, name, end, like)
    around = near or next(iter(snapshot.program.playbooks), None)
    style = style_at(Siblings(snapshot, around, None, None, ()), 0) if around else PLAIN
    words = _("Check what is to be done first.")
    return f"{heading}{end}{'' if is_tight else end}{style.start}{words}{end}"


def _is_blank_above(snapshot: Snapshot, stop: int) -> bool:
    return stop > 0 and snapshot.blocks[stop - 1].kind is BlockKind.BLANK


def _refuse_name(snapshot: Snapshot, name: str, keeping: str = "") -> Refusal | None:
    title = name.strip()
    if "\n" in title or "\r" in title or "<!--" in title or not title:
        return Refusal("no-name", _("The name of a playbook must be on one line."))
    normal = normalise_name(title)
    if normal.problem:
        return Refusal("no-name", _("Calls use the name of the playbook, so it may contain only letters and digits."))
    taken = snapshot.program.playbook(normal.name) or snapshot.program.function(normal.name)
    if taken is not None and normal.name != keeping:
        return Refusal("name-taken", _("“{name}” already exists. Choose another name.").format(name=normal.name))
    return None


def refuse_rename(snapshot: Snapshot, command: RenamePlaybook) -> Refusal | None:
    """Why the playbook cannot be renamed so."""
    playbook = snapshot.program.playbook(command.playbook)
    if playbook is None:
        return no_such_playbook(command.playbook)
    if playbook.is_implied or playbook.heading is None:
        return Refusal("implied", _("These steps are directly under a title. Give them a heading first."))
    if span_in_title(playbook.heading, written_name(playbook)) is None:
        return Refusal("implied", _("There is a comment inside this name. Change it in the source."))
    if not is_title(playbook.heading, command.name.strip()):
        return Refusal("no-name", _("This name cannot be a heading. Choose another name."))
    return _refuse_name(snapshot, command.name, keeping=playbook.name)


def plan_rename(snapshot: Snapshot, command: RenamePlaybook) -> EditPlan:
    """The edits that rename the heading and every call."""
    playbook = snapshot.program.playbook(command.playbook)
    assert playbook is not None and playbook.heading is not None
    title, name = command.name.strip(), normalise_name(command.name).name
    draft = Draft(snapshot.text)
    for index, block in enumerate(snapshot.blocks):
        if block is playbook.heading:
            place = span_in_title(block, written_name(playbook))
            assert place is not None, "a name that a comment splits is refused"
            retitle(draft, block, snapshot.block_starts[index], place, title)
    for call in calls_of(snapshot, playbook, name) if name != playbook.name else ():
        draft.replace(call.span, call.insert)
    agent = snapshot.program.agent_of(playbook)
    assert agent is not None
    for span in offered(snapshot, agent, playbook.name):
        draft.replace(span, name)
    return draft.finish(_("Rename playbook"))
