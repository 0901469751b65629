"""Playbooks without steps: a call is chosen, its result is seen, and so on until there is a result."""

from __future__ import annotations

from typing import Any

from workbench.engine.decider import Decision, Draft
from workbench.engine.expressions.data import canonical
from workbench.engine.journal.language_events import CallChosen, CallObserved
from workbench.engine.journal.run_events import InputAsked
from workbench.engine.language.book import Book, type_of
from workbench.engine.language.calling import make_call
from workbench.engine.language.code import Think
from workbench.engine.language.leaving import return_from
from workbench.engine.language.turn import StepFailed, Turn
from workbench.engine.ports import Purpose, Request, RequestKind
from workbench.i18n import _
from workbench.model.meaning import Variable

DONE = "done"
_MOST_TURNS = 100
_ALWAYS = ("Say", "SaveArtifact", "LoadArtifact")


def think(turn: Turn) -> Decision:
    """The next question, call, or the end of the playbook at work."""
    answer = turn.frame.answer
    if not turn.frame.open:  # the step has been left on the way out
        assert answer is not None
        return (return_from(turn, answer["values"]["result"]),)
    step = turn.frame.open[-1]
    chosen = step.items[-1] if step.items else None
    if chosen is not None and not {"value", "error"} & chosen.keys():
        if answer is not None:
            return (turn.draft(CallObserved(answer["return"], pc=turn.frame.pc)),)
        return (_calling(turn, chosen),)
    if answer is None:
        return (_question(turn),)
    values = answer["values"]
    if values["action"] == DONE:
        return (return_from(turn, values["result"]),)
    if step.rounds >= _MOST_TURNS:
        raise StepFailed(_("it made {count} calls without finishing.").format(count=step.rounds))
    return (turn.draft(CallChosen(values["action"], values["arguments"], step.rounds + 1)),)


def _calling(turn: Turn, chosen: dict[str, Any]) -> Draft:
    made = make_call(turn, chosen["action"], [], dict(chosen["arguments"]))
    if made is None:
        raise StepFailed(_("there is nothing to call named {name}.").format(name=chosen["action"]))
    if isinstance(made.payload, InputAsked):
        raise StepFailed(_("only a playbook with steps can ask a person."))
    return made


def _question(turn: Turn) -> Draft:
    meaning = turn.at.meaning
    assert isinstance(meaning, Think)
    fields = (
        Variable("action", is_state=False, type="str"),
        Variable("arguments", is_state=False, type="dict"),
        Variable("result", is_state=False, type=meaning.result),
    )
    choices = (*tools_for(turn.book, turn.frame.agent, turn.frame.playbook), DONE)
    text = "\n".join([turn.frame.description or turn.at.text, *_history(turn)])
    request = Request(
        f"q{turn.state.next_seq}", RequestKind.JUDGE, turn.at.address, text, fields, choices, purpose=Purpose.REACT
    )
    return turn.opening(InputAsked.of(request))


def _history(turn: Turn) -> list[str]:
    """What was called before and what came of it, one line each."""
    lines = []
    for entry in turn.frame.open[-1].items or ():
        call = f"{entry['action']}({canonical(entry['arguments'])})"
        came = entry["error"] if "error" in entry else canonical(entry.get("value"))
        lines.append(f"{call} → {came}")
    return lines


def tools_for(book: Book, agent: str, playbook: str) -> tuple[str, ...]:
    """What a playbook without steps may call: its agent's playbooks and Python, and what others offer."""
    own = type_of(agent)
    names = []
    for each in book.program.agents:
        named = [*(one.name for one in each.playbooks), *(one.name for one in each.functions)]
        if each.name == own:
            names += [name for name in named if name != playbook]
        else:
            names += [f"{each.name}.{name}" for name in named if book.is_public(each.name, name)]
    return (*dict.fromkeys(names), *_ALWAYS)
