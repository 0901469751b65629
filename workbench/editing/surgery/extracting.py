"""Steps as a playbook of their own, with a call in their place.

What goes in and comes out follows from what is read and set. A variable with ``$`` belongs to the agent, so it is known
on both sides anyhow: it is passed where it surely has a value, so that the signature says what the playbook works on,
and given back where it is the one thing that comes of it. A name without ``$`` is known to its playbook only, so it has
to be passed, and no more than one can be given back.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from workbench.editing.commands import AddPlaybook, ExtractPlaybook, Refusal
from workbench.editing.edit_plan import Draft, EditPlan, Fragment
from workbench.editing.geometry.numbering import is_ordered
from workbench.editing.geometry.placing import NewItem, edit_list, item_from
from workbench.editing.geometry.siblings import Siblings, grouped, line_end_of, topmost, walk_ids
from workbench.editing.geometry.style import style_at
from workbench.editing.refusals import refuse_damage, refuse_steps
from workbench.editing.surgery.parts import refuse_scattered
from workbench.editing.verbs.playbook import plan_add, refuse_add
from workbench.i18n import _
from workbench.model.decisions import continues_chain
from workbench.model.kinds import FileKind
from workbench.model.meaning import Branch, Judge, Jump, JumpForm, Loop, Meaning, Return, StepKind, actions_of
from workbench.model.program import Agent, Playbook, Step
from workbench.model.snapshot import Snapshot
from workbench.model.step_facts import facts_of, own_facts
from workbench.regex import regex
from workbench.syntax.blocks import BlockKind
from workbench.syntax.masking import without_quotes
from workbench.syntax.signatures import normalise_name
from workbench.syntax.text import Span

_WORD = regex(r"(?<![\w$.{])[A-Za-z]{2,}(?![\w(.=\[])")
_MOST_WORDS = 3
_MOST_TRIED = 100


@dataclass(frozen=True, slots=True)
class _Passed:
    """What goes into the new playbook, and what comes out of it (empty: nothing). *leaves*: the caller returns it."""

    parameters: tuple[str, ...]
    result: str
    leaves: bool


def refuse(snapshot: Snapshot, command: ExtractPlaybook) -> Refusal | None:
    """Why the steps cannot have a playbook of their own."""
    refusal = refuse_steps(snapshot, command.steps) or refuse_damage(snapshot, command.steps)
    if refusal is not None:
        return refusal
    steps = topmost(snapshot, command.steps)
    if snapshot.program.kind is not FileKind.PROGRAM or snapshot.playbook_of(steps[0].id).is_implied:
        return Refusal("no-program", _("Only a program with playbooks of its own has playbooks that are called."))
    if any(step.item is None or step.kind in (StepKind.TRIGGER, StepKind.NOTE) for step in steps):
        return Refusal("not-a-step", _("Only steps of a list can be moved into a playbook."))
    refusal = refuse_scattered(snapshot, steps) or refuse_add(snapshot, AddPlaybook(_title(snapshot, command)))
    return refusal or _refuse_flow(snapshot, steps) or _refusal_in(_passed(snapshot, steps))


def _refusal_in(found: _Passed | Refusal) -> Refusal | None:
    return found if isinstance(found, Refusal) else None


def _refuse_flow(snapshot: Snapshot, steps: Sequence[Step]) -> Refusal | None:
    """Why what is carried out after *steps* would be something else."""
    siblings = snapshot.siblings(steps[0].id)
    first = siblings.index(steps[0])
    around = siblings[max(0, first - 1) : first + len(steps) + 1]
    inside = set(steps)
    for above, below in zip(around, around[1:], strict=False):
        if continues_chain(above, below) and (above in inside) != (below in inside):
            return Refusal("branches", _("Branches of one decision must stay together. Select all of them."))
    return refuse_jumps(steps)


def refuse_jumps(steps: Iterable[Step]) -> Refusal | None:
    """Why *steps* cannot stand elsewhere: they go to a step by its number, or leave a loop that they stand in."""
    for step in steps:
        if _jumps_out(step, is_in_loop=False):
            return Refusal(
                "jumps", _("“{text}” leads out of these steps, so it cannot be moved.").format(text=step.text)
            )
    return None


def _jumps_out(step: Step, *, is_in_loop: bool) -> bool:
    for action in _leaving(step):
        if isinstance(action, Jump) and (action.form is JumpForm.GO_TO or not is_in_loop):
            return True
    is_inside = is_in_loop or isinstance(step.meaning, Loop)
    return any(_jumps_out(child, is_in_loop=is_inside) for child in step.children)


def _leaving(step: Step) -> tuple[Meaning, ...]:
    """What *step* does by itself, and what may follow where that is judged."""
    actions = actions_of(step.meaning)
    outcomes = [outcome for one in actions if isinstance(one, Judge) for outcome in one.outcomes]
    return (*actions, *outcomes)


def returns_in(steps: Iterable[Step]) -> list[Step]:
    """The steps in *steps*, and below them, that leave the playbook."""
    inner = (each for step in steps for each in step.walk())
    return [each for each in inner if any(isinstance(action, Return) for action in _leaving(each))]


def agent_of(snapshot: Snapshot, playbook: Playbook) -> Agent:
    """The agent that *playbook* belongs to."""
    return next(agent for agent in snapshot.program.agents if playbook in agent.playbooks)


def _passed(snapshot: Snapshot, steps: Sequence[Step]) -> _Passed | Refusal:
    playbook = snapshot.playbook_of(steps[0].id)
    reads, sets = _read_first(steps), frozenset[str]().union(*(facts_of(step).sets for step in steps))
    known = _surely_set_above(snapshot, playbook, steps[0])
    loose = [name for name in reads if name[0] != "$" and name not in known and name in _set_in(playbook)]
    if loose:
        message = _("“{name}” may have no value yet, so it cannot be passed. Set it first.")
        return Refusal("no-value", message.format(name=loose[0]))
    parameters = tuple(name for name in reads if name in known)
    later = _read_elsewhere(snapshot, playbook, steps)
    if returns_in(steps):
        siblings = snapshot.siblings(steps[0].id)
        if snapshot.parent(steps[0].id) is not None or siblings[-1] is not steps[-1]:
            message = _("Some of these steps leave the playbook, so only the last steps of it can be moved with them.")
            return Refusal("leaves", message)
        return _Passed(parameters, "", leaves=True)
    wanted = sorted(sets & later)
    own = [name for name in wanted if name[0] != "$"]
    if len(own) > 1:
        names = ", ".join(own)
        message = _(
            "Several values are needed afterwards ({names}), and only one can be given back. Write them with $."
        )
        return Refusal("many-results", message.format(names=names))
    surely = [name for name in own or wanted if name in _surely_set(steps)]
    if own and not surely:
        message = _("“{name}” may have no value yet, so it cannot be passed. Set it first.")
        return Refusal("no-value", message.format(name=own[0]))
    return _Passed(parameters, surely[0] if len(surely) == 1 and (own or len(wanted) == 1) else "", leaves=False)


def _read_first(steps: Sequence[Step]) -> tuple[str, ...]:
    """What *steps* read that they have not surely set themselves, in the order in which it is read."""
    found: dict[str, None] = {}
    done: set[str] = set()
    for step in steps:
        for inner in step.walk():
            facts = own_facts(inner)
            bound = facts.sets if isinstance(inner.meaning, Loop) else frozenset()
            done |= bound
            found.update(dict.fromkeys(sorted((facts.read_names | facts.uses) - done)))
            if inner is step:
                done |= _surely_set((step,))
    return tuple(found)


def _surely_set(steps: Iterable[Step]) -> set[str]:
    """What *steps* set whatever happens: not in a branch or a loop."""
    plain = (step for step in steps if not isinstance(step.meaning, Branch | Loop))
    return {name for step in plain for name in own_facts(step).sets}


def _surely_set_above(snapshot: Snapshot, playbook: Playbook, step: Step) -> set[str]:
    """What has a value when *step* is reached: parameters, what steps above it set, and the loops around it."""
    known = {f"${each.name}" if each.is_state else each.name for each in playbook.parameters}
    for outer in snapshot.lineage(step.id):
        siblings = snapshot.siblings(outer.id)
        known |= _surely_set(siblings[: siblings.index(outer)])
        if outer is not step and isinstance(outer.meaning, Loop):
            known |= own_facts(outer).sets
    return known


def _set_in(playbook: Playbook) -> set[str]:
    return {name for step in playbook.steps for name in facts_of(step).sets} | {one.name for one in playbook.parameters}


def _read_elsewhere(snapshot: Snapshot, playbook: Playbook, steps: Sequence[Step]) -> frozenset[str]:
    """What is read outside of *steps*: of state anywhere in the agent, of other names in the playbook."""
    inside = {inner.id for step in steps for inner in step.walk()}
    found: set[str] = set()
    for other in agent_of(snapshot, playbook).playbooks:
        for root in (*other.triggers, *other.steps):
            for each in root.walk():
                facts = own_facts(each)
                names = facts.read_names | facts.uses if each.id not in inside else frozenset()
                found |= {name for name in names if name[0] == "$" or other is playbook}
    return frozenset(found)


def plan(snapshot: Snapshot, command: ExtractPlaybook) -> EditPlan | Refusal:
    """The edits that write the new playbook below this one, and the call in place of the steps."""
    steps = topmost(snapshot, command.steps)
    group, passed = grouped(snapshot, steps)[0], _passed(snapshot, steps)
    if isinstance(passed, Refusal):
        return passed
    title = _title(snapshot, command)
    name = normalise_name(title).name
    arguments = ", ".join(passed.parameters)
    call = f"{name}({arguments})"
    call = f"Return {call}" if passed.leaves else f"{passed.result} = {call}" if passed.result else call
    draft = Draft(snapshot.text)
    _add_playbook(draft, group.siblings, steps, (f"{title}({arguments})", passed.result))
    slot = min(group.indices)
    style = style_at(group.siblings, slot)
    edit_list(draft, group.siblings, slot, [NewItem(f"-{style.spacing}{style.box}{call}", "", "-")], group.indices)
    moved = frozenset(inner for step in steps for inner in walk_ids(snapshot, step))
    return replace(draft.finish(_("Extract playbook")), moved=moved)


def _title(snapshot: Snapshot, command: ExtractPlaybook) -> str:
    """The name of the new playbook as it is written: the one that was given, or one of the first step's words."""
    if command.name.strip():
        return command.name.strip()
    first = topmost(snapshot, command.steps)[0]
    words = _WORD.findall(without_quotes(first.text))[:_MOST_WORDS]
    name = normalise_name(" ".join(words)).name if words else "Part"
    number, title = 1, name
    while number < _MOST_TRIED and refuse_add(snapshot, AddPlaybook(title)) is not None:
        number += 1
        title = f"{name}{number}"
    return title


def _add_playbook(draft: Draft, siblings: Siblings, steps: Sequence[Step], wanted: tuple[str, str]) -> None:
    """Add to *draft* the new playbook with *steps*; *wanted*: its signature, and what it gives back."""
    snapshot, (signature, result) = siblings.snapshot, wanted
    written = plan_add(snapshot, AddPlaybook("Added", siblings.playbook.address)).change.edits[0]
    text = written.insert.replace("Added", signature, 1)
    end = line_end_of(snapshot, written.span.start)
    head = text.rstrip("\r\n") + end
    body = Fragment(head + (end if _is_spaced(snapshot, siblings.playbook) else ""))
    markers = _markers(snapshot, steps, len(steps) + bool(result))
    for index, step in enumerate(steps):
        fitted = replace(item_from(snapshot, step).fitted("", markers[index]), heads=())
        gap = _gap(siblings, step, end) if index < len(steps) - 1 else end
        body = body + fitted + Fragment(gap)
    if result:
        body = body + Fragment(f"{markers[-1]} Return {result}{end}")
    draft.replace(Span(written.span.start, written.span.start), body + Fragment(text[len(head) :]))


def _gap(siblings: Siblings, step: Step, end: str) -> str:
    """What stands between *step* and the next one: the same blank lines."""
    found = siblings.gap(siblings.index(step.id)).of(siblings.snapshot.text)
    return end * max(1, found.count("\n") or found.count("\r"))


def _markers(snapshot: Snapshot, steps: Sequence[Step], count: int) -> list[str]:
    """The markers of a list of *count* steps that is marked like the first of *steps*."""
    first = snapshot.marker(steps[0])
    own = [snapshot.marker(step) for step in steps if step.item is not None]
    if not is_ordered(first):
        return [*own, first][:count]
    width = len(first) - 1 if first.startswith("0") else 0
    is_counting = len(set(own)) > 1 or len(own) == 1
    return [f"{index + 1 if is_counting else 1:0{width}d}{first[-1]}" for index in range(count)]


def _is_spaced(snapshot: Snapshot, playbook: Playbook) -> bool:
    """True where an empty line stands between the heading of the steps and the first of them."""
    headings = [section.heading for section in playbook.sections if section.heading is not None]
    for at, block in enumerate(snapshot.blocks[:-1]):
        if any(block is heading for heading in headings):
            return snapshot.blocks[at + 1].kind is BlockKind.BLANK
    return False
