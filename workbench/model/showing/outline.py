"""What stands under what in the outline of a document: agents, playbooks, sections, steps."""

from __future__ import annotations

from collections.abc import Mapping

from workbench.i18n import N_, LazyText
from workbench.model.program import Agent, Playbook, Program, PythonFunction, Section, SectionKind, Step

OutlineValue = Program | Agent | Playbook | PythonFunction | Section | Step


def values_under(value: OutlineValue) -> tuple[OutlineValue, ...]:
    """What stands directly under *value*. For steps it is the very tuple that the program holds."""
    match value:
        case Step():
            return value.children
        case Section():
            return value.steps
        case Playbook():
            sections = shown_sections(value)
            return sections or value.steps
        case Agent():
            return (*value.playbooks, *value.functions)
        case PythonFunction():
            return ()
    agents = tuple(agent for agent in value.agents if agent.playbooks or agent.functions)
    return values_under(agents[0]) if len(agents) == 1 else agents


def shown_sections(playbook: Playbook) -> tuple[Section, ...]:
    """The sections that have a row: none where there are only steps."""
    sections = tuple(section for section in playbook.sections if section.steps)
    return () if all(section.kind is SectionKind.STEPS for section in sections) else sections


SECTION_WORDS: Mapping[SectionKind, LazyText] = {
    SectionKind.DESCRIPTION: N_("Description"),
    SectionKind.TRIGGERS: N_("Triggers"),
    SectionKind.STEPS: N_("Steps"),
    SectionKind.NOTES: N_("Notes"),
    SectionKind.OTHER: N_("Other text"),
}
