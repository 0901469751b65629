"""Which part of a document is exported, the names that its steps have in a diagram, and what is to be told about it."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from workbench.disk.files import look_at
from workbench.errors import CannotRead
from workbench.i18n import _, ngettext, numeral
from workbench.model.program import Agent, Playbook, Program, PythonFunction, Step, StepId
from workbench.model.showing.words import plain_text
from workbench.model.snapshot import Snapshot
from workbench.syntax.diagnostics import Severity
from workbench.syntax.inline import plain_words
from workbench.visible import visible


@dataclass(frozen=True)
class Part:
    """What is exported. *snapshot*: the document, whose program holds no more than what was chosen; *whole*: all of it.

    *name*: of the file, *date*: when it was saved last, empty where it never was.
    """

    snapshot: Snapshot
    whole: Snapshot
    name: str
    date: str = ""

    @property
    def title(self) -> str:
        """What the part is called: the title of its only playbook or agent, else that of the file."""
        program = self.snapshot.program
        titles = [agent.title for agent in program.agents if agent.playbooks or agent.functions]
        is_one = len(program.playbooks) == 1 and not program.functions
        if is_one and (self.snapshot is not self.whole or not titles[0]):
            return playbook_title(program.playbooks[0])
        return (words(plain_words(titles[0])) if len(titles) == 1 else "") or words(self.name)

    @property
    def playbooks(self) -> tuple[tuple[str, Playbook], ...]:
        """The playbooks with the names that they have in a diagram, which are those of the whole file."""
        places = {_key(each): place for place, each in enumerate(self.whole.program.playbooks, 1)}
        return tuple((f"p{places[_key(each)]}", each) for each in self.snapshot.program.playbooks)

    @property
    def functions(self) -> tuple[tuple[str, PythonFunction], ...]:
        """The playbooks in Python with the names that they have in a diagram."""
        places = {id(each): place for place, each in enumerate(self.whole.program.functions, 1)}
        return tuple((f"f{places[id(each)]}", each) for each in self.snapshot.program.functions)


def _key(playbook: Playbook) -> tuple[int, str]:
    """What a playbook and the same one with fewer steps have in common, and no two of one file."""
    return id(playbook.heading), playbook.address


def part_of(whole: Snapshot, name: str, playbook: str = "", steps: Iterable[StepId] = ()) -> Part:
    """The part of *whole*, the file called *name*, with the *steps*, else the *playbook* or the agent of that name.

    All of it where neither is given. Raises CannotRead where the file is that of another program, and where it has
    no such playbook.
    """
    program = whole.program
    if program.foreign:
        message = _("“{name}”: {reason} It has no steps that could be drawn.")
        raise CannotRead(message.format(name=name, reason=program.foreign))
    chosen = [step for step in steps if whole.has(step)]
    if not playbook and not chosen:
        return Part(whole, whole, name)
    agents = _with_steps(whole, chosen) if chosen else _with_playbook(program, playbook)
    if not agents:
        known = ", ".join([each.address for each in program.playbooks]) or "–"
        message = _("“{name}” has no playbook called “{playbook}”. Playbooks here: {known}.")
        raise CannotRead(message.format(name=name, playbook=playbook, known=known))
    structure = replace(whole.structure, program=replace(program, agents=agents))
    return Part(replace(whole, structure=structure), whole, name)


def _with_playbook(program: Program, name: str) -> tuple[Agent, ...]:
    """The playbook called *name*, in its agent; else the agent of that name or title with all that it has."""
    for agent in program.agents:
        addressed = [each for each in agent.playbooks if each.address == name]
        found = addressed or [each for each in agent.playbooks if name in (each.name, each.title, each.written)]
        functions = tuple(each for each in agent.functions if each.name == name)
        if found or functions:
            return (replace(agent, playbooks=tuple(found[:1]), functions=() if found else functions),)
    return tuple(agent for agent in program.agents if name in (agent.name, agent.title))[:1]


def _with_steps(whole: Snapshot, chosen: Sequence[StepId]) -> tuple[Agent, ...]:
    """The agents with nothing but the steps *chosen*, each where it stands, with what is below it."""
    lineages = {step: whole.lineage(step) for step in chosen}
    outermost = {step for step, line in lineages.items() if not any(above.id in lineages for above in line[:-1])}
    found = []
    for agent in whole.program.agents:
        playbooks = tuple(filter(None, (_only(each, outermost) for each in agent.playbooks)))
        if playbooks:
            found.append(replace(agent, playbooks=playbooks, functions=()))
    return tuple(found)


def _only(playbook: Playbook, wanted: set[StepId]) -> Playbook | None:
    sections = []
    for section in playbook.sections:
        steps = tuple(step for root in section.steps for step in root.walk() if step.id in wanted)
        sections.append(replace(section, steps=steps))
    return replace(playbook, sections=tuple(sections)) if any(each.steps for each in sections) else None


def playbook_title(playbook: Playbook) -> str:
    """What a playbook is called, in one line."""
    return words(plain_words(playbook.title)) or words(playbook.name) or _("Playbook")


def step_words(step: Step) -> str:
    """The words of *step* in one line, without marks; signs for characters that nobody would see."""
    return words(plain_text(step))


def words(text: str) -> str:
    """*text* in one line that can stand anywhere: bytes that are no text and hidden characters have signs."""
    return " ".join(visible(text.encode("utf-8", "backslashreplace").decode()).split())


def steps_of(playbook: Playbook) -> Iterator[Step]:
    """All steps of *playbook*: triggers, steps and notes, with what is nested in them."""
    for roots in (playbook.triggers, playbook.steps, playbook.notes):
        for root in roots:
            yield from root.walk()


def step_names(part: Part) -> dict[StepId, str]:
    """What each step is called in a diagram: ``p1_02_01``, as its number in the text; ``p1_x1`` for what has none."""
    found: dict[StepId, str] = {}
    for name, playbook in part.playbooks:
        loose = 0
        for step in steps_of(playbook):
            number = part.whole.number(step.id).replace(".", "_")
            loose += not number
            found[step.id] = f"{name}_{number or f'x{loose}'}"
    return found


def date_of(path: Path) -> str:
    """The day on which the file *path* was saved last, of the world's time; empty where there is none."""
    edited = look_at(path).edited_s
    return dt.datetime.fromtimestamp(edited, dt.UTC).date().isoformat() if edited else ""


def notes_about(part: Part) -> tuple[str, ...]:
    """What whoever exports *part* should know: how much of the text could not be read, or that nothing is there."""
    found = []
    errors = sum(one.severity is Severity.ERROR for one in part.whole.diagnostics)
    if errors:
        message = ngettext(
            "“{name}” has {count} error. It is exported as far as it could be read.",
            "“{name}” has {count} errors. It is exported as far as it could be read.",
            errors,
        )
        found.append(message.format(name=part.name, count=numeral(errors)))
    if not any(each.steps or each.is_prompt for each in part.snapshot.program.playbooks):
        found.append(_("“{name}” has no steps to draw.").format(name=part.name))
    return tuple(found)
