"""How the run of a procedure begins: which of its chapters are gone through, and what is put in where it is open."""

from __future__ import annotations

import getpass
from collections.abc import Mapping, Sequence
from typing import Any

from workbench.engine.language.program.book import PlaybookTarget
from workbench.errors import RunFailed
from workbench.i18n import _
from workbench.model.procedures.placeholders import Placeholder, is_usable, placeholders_of, with_defaults
from workbench.model.program import Agent, Parameter, Playbook, Program
from workbench.model.snapshot import Snapshot


def is_procedure(program: Program) -> bool:
    """Whether *program* has chapters, which a run goes through one after the other."""
    return any(playbook.is_chapter for playbook in program.playbooks)


def chapters_of(program: Program) -> tuple[Playbook, ...]:
    """The chapters of a procedure that a run goes through, in order."""
    return tuple(playbook for playbook in program.playbooks if playbook.is_chapter and playbook.is_carried_out)


def chosen_chapters(program: Program, names: Sequence[str]) -> tuple[PlaybookTarget, ...]:
    """The chapters called *names*, or all that are gone through; in their order. Raises RunFailed where there are none.

    A chapter that only explains can be chosen too, where it has something to do.
    """
    wanted = [_chapter(program, name) for name in names]
    found = tuple(
        PlaybookTarget(agent.name, playbook)
        for agent in program.agents
        for playbook in agent.playbooks
        if playbook.is_carried_out and (not names or playbook in wanted)
    )
    if not found:
        raise RunFailed(_("Nothing in this file is to be carried out: none of its chapters has a step."))
    return found


def _chapter(program: Program, name: str) -> Playbook:
    chapter = program.playbook(name) or next((each for each in program.playbooks if each.title == name), None)
    if chapter is not None and chapter.is_carried_out:
        return chapter
    known = ", ".join(each.title for each in chapters_of(program)) or _("none")
    if chapter is not None:
        message = _("The chapter “{name}” has no step to carry out. Chapters with steps: {names}.")
        raise RunFailed(message.format(name=chapter.title, names=known))
    message = _("There is no chapter {name} in this file. It has: {names}.")
    raise RunFailed(message.format(name=name, names=known))


def title_of(program: Program) -> str:
    """What the procedure *program* is called."""
    titles = (*(_title(agent) for agent in program.agents), *(each.title for each in chapters_of(program)))
    return next(filter(None, titles), "")


def _title(agent: Agent) -> str:
    return agent.title.strip()


def left_open(snapshot: Snapshot, names: Sequence[str] = ()) -> tuple[Placeholder, ...]:
    """What a run of the chapters called *names* (or of all) asks for: declared inputs, and what their text leaves open.

    Raises RunFailed where there is no such chapter.
    """
    titles = {each.playbook.title for each in chosen_chapters(snapshot.program, names)}
    return tuple(
        each
        for each in placeholders_of(snapshot)
        if each.is_declared or any(use.chapter in titles for use in each.uses)
    )


def as_parameters(placeholders: Sequence[Placeholder]) -> tuple[Parameter, ...]:
    """*placeholders* as parameters; only those that must have a value have no default."""
    return tuple(
        Parameter(each.name, type="str", default=None if each.is_required and not each.default else repr(each.default))
        for each in placeholders
    )


def values_given(snapshot: Snapshot, given: Mapping[str, Any]) -> dict[str, str]:
    """*given*, with the defaults of what is not given; without what is empty. Raises RunFailed for what is no value."""
    values = with_defaults(placeholders_of(snapshot), {name: str(value) for name, value in given.items()})
    for name, value in values.items():
        if not is_usable(value):
            raise RunFailed(why_unusable(name))
    return {name: value for name, value in values.items() if value}


def why_unusable(name: str) -> str:
    """Why a value with a line end or another unseen character cannot be put in for *name*."""
    message = _("The value of {name} has a line end or another invisible character, which could change a command.")
    return message.format(name=name)


def who() -> str:
    """The name of who is logged in; empty where the system does not tell."""
    try:
        return getpass.getuser()
    except (KeyError, OSError, ImportError):
        return ""
