"""What the Python of an agent asks the run for: calls, the ``$`` variables of its agent, and who else there is."""

from __future__ import annotations

from typing import Any

from workbench.engine.decider import Draft
from workbench.engine.journal.run_events import PlaybookExited
from workbench.engine.language.calling import make_call
from workbench.engine.language.program.book import type_of
from workbench.engine.language.program.people import number_of
from workbench.engine.language.turn import StepFailed, Turn
from workbench.engine.ports import CalledBack, LookedUp, Seen, SetByTool
from workbench.i18n import _
from workbench.model.meaning import Variable

END = "EndProgram"


def for_python(turn: Turn, asked: CalledBack | SetByTool) -> Draft:
    """The event by which what Python asks for begins, or is done. Raises StepFailed."""
    if isinstance(asked, SetByTool):
        return _set(turn, asked)
    if asked.name == END:
        return Draft(PlaybookExited(turn.frame.playbook, None, is_ending=True), span=turn.frame.span)
    made = make_call(turn, asked.name, list(asked.positional), dict(asked.named))
    if made is None:
        raise StepFailed(_("there is nothing to call named {name}.").format(name=asked.name))
    return made


def _set(turn: Turn, asked: SetByTool) -> Draft:
    if not asked.name.isidentifier():
        raise StepFailed(_("“{name}” cannot be the name of a variable.").format(name=asked.name))
    return turn.set_variable(Variable(asked.name), asked.value)


def seen_by_python(turn: Turn, asked: LookedUp) -> Any:
    """What Python wants to know; of a variable a list with its value, which is empty where it is not set."""
    if asked.what is Seen.AGENTS:
        return _agents(turn)
    known = {**turn.state.agents.get(turn.agent, {})}
    if turn.agent == turn.frame.agent:  # what the step that calls sees under this name
        known |= turn.frame.parameters
    if asked.what is Seen.NAMES:
        return list(known)
    return [known[asked.name]] if asked.name in known else []


def _agents(turn: Turn) -> list[dict[str, Any]]:
    """All agents: those of the file, and those made in the run."""
    people = set(turn.book.people)
    names = dict.fromkeys(each.name for each in turn.book.program.agents if each.name not in people)
    return [
        {"key": key, "klass": type_of(key), "id": str(number_of(turn.state, turn.book, key))}
        for key in (*names, *turn.state.world.created)
    ]
