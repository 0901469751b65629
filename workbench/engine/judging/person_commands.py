"""Commands under a step that a person wants run before answering: a turn of the person in the loop of the question."""

from __future__ import annotations

from workbench.engine.decider import Consult, Decider, Decision, Draft, draft_at
from workbench.engine.journal.model_events import CommandOver, CommandWanted
from workbench.engine.judging.asking import Asking
from workbench.engine.judging.wishes import begun, drafted, within
from workbench.engine.ports import CommandRun, Request
from workbench.engine.state.fold import RunFold
from workbench.engine.state.judging import Judging


def wanted(asking: Asking, loop: Judging | None, request: Request, text: str) -> Draft:
    """The event that the person who is asked *request* wants its command *text* run."""
    command = next(each for each in request.commands if each.text == text and each.tool)
    payload = CommandWanted(request.id, command.text, command.tool, command.arguments)
    turn = len(loop.turns) + 1 if loop is not None else 1
    return draft_at(asking.place(request, loop, turn), payload, "user")


def next_for_person(inner: Decider, fold: RunFold, loop: Judging) -> Decision:
    """The call for the command, and once that is over the question again."""
    wish = loop.wish
    if wish is None:
        return (draft_at(within(loop), CommandOver(loop.request.id)),)
    return Consult(lambda _tell: (drafted(loop, begun(inner, fold, loop, wish)),))


def ran(loop: Judging) -> tuple[CommandRun, ...]:
    """What came of the commands that the person had run."""
    ended = ((turn.command, turn.results[0]) for turn in loop.turns if turn.command and turn.results)
    return tuple(CommandRun(text, str(came.value), came.is_error) for text, came in ended)
