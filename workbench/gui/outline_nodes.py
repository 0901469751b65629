"""The outline of a program as nested keys: what stands under what, and what each row says."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass

from workbench.gui.canvas.box_content import comment_of
from workbench.gui.canvas.kind_words import icon_of, word_of
from workbench.i18n import _
from workbench.model.meaning import StepKind
from workbench.model.program import Agent, Playbook, Program, Section, SectionKind, Step, StepId
from workbench.model.snapshot import Snapshot

Value = Program | Agent | Playbook | Section | Step
Key = tuple[Hashable, ...]
Keyed = tuple[Key, Value]


@dataclass(frozen=True, slots=True)
class RowLook:
    """What one row shows. *kind*: of a step, None for headings; *number*: of a step."""

    text: str
    icon: str
    kind: StepKind | None = None
    number: str = ""
    tip: str = ""


def children_of(value: Value) -> list[Keyed]:
    """What stands directly under *value*, each with a key that is unique among its siblings."""
    match value:
        case Program():
            agents = [agent for agent in value.agents if agent.playbooks]
            if len(agents) == 1:
                return _named(agents[0].playbooks)
            return _named(agents)
        case Agent():
            return _named(value.playbooks)
        case Playbook():
            return _playbook_children(value)
        case Section():
            return _steps(value.steps)
    return _steps(value.children)


def _playbook_children(playbook: Playbook) -> list[Keyed]:
    """The steps where there is nothing else, otherwise the sections that hold any."""
    sections = [section for section in playbook.sections if section.steps]
    if all(section.kind is SectionKind.STEPS for section in sections):
        return _steps(playbook.steps)
    return [((section.kind.value, index), section) for index, section in enumerate(sections)]


def _named(values: tuple[Agent, ...] | tuple[Playbook, ...] | list[Agent]) -> list[Keyed]:
    counts: dict[str, int] = {}
    keyed: list[Keyed] = []
    for value in values:
        count = counts[value.name] = counts.get(value.name, 0) + 1
        keyed.append(((type(value).__name__, value.name, count), value))
    return keyed


def _steps(steps: tuple[Step, ...]) -> list[Keyed]:
    return [((step.id,), step) for step in steps]


def has_children(value: Value) -> bool:
    """True when something stands under *value*; as ``children_of``, but without looking at all of it."""
    if isinstance(value, Step):
        return bool(value.children)
    if isinstance(value, Section):
        return bool(value.steps)
    return bool(children_of(value))


def look_of(value: Value, snapshot: Snapshot) -> RowLook:
    """What the row of *value* shows."""
    match value:
        case Step():
            return _step_look(value, snapshot)
        case Agent():
            return RowLook(value.title or value.name, "person" if value.kind == "Human" else "workbench")
        case Playbook():
            return RowLook(value.title, "playbook", tip=value.description)
        case Section():
            word, name = _SECTIONS[value.kind]
            return RowLook(word, name)
    return RowLook("", "")


_SECTIONS = {
    SectionKind.DESCRIPTION: (_("Description"), "note"),
    SectionKind.TRIGGERS: (_("Triggers"), "trigger"),
    SectionKind.STEPS: (_("Steps"), "step"),
    SectionKind.NOTES: (_("Notes"), "note"),
    SectionKind.OTHER: (_("Other text"), "raw"),
}


def _step_look(step: Step, snapshot: Snapshot) -> RowLook:
    number = snapshot.number(step.id) if snapshot.has(step.id) else ""
    first_line = step.text.strip().partition("\n")[0]
    tip = "\n".join(part for part in (word_of(step.kind), step.text.strip(), comment_of(step)) if part)
    return RowLook(drawable(first_line), icon_of(step.kind), step.kind, number, drawable(tip))


def drawable(text: str) -> str:
    """*text* with a stand-in for bytes that are not characters."""
    return text.encode("utf-8", "replace").decode("utf-8")


def path_of(snapshot: Snapshot, step_id: StepId) -> list[Value]:
    """What the step stands in, from the outside in; the step itself is the last."""
    lineage = snapshot.lineage(step_id)
    playbook = snapshot.playbook_of(step_id)
    agent = next(agent for agent in snapshot.program.agents if playbook in agent.playbooks)
    section = next(section for section in playbook.sections if lineage[0] in section.steps)
    return [agent, playbook, section, *lineage]
