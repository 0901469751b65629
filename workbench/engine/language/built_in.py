"""What every agent can call without anyone having written it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from workbench.engine.decider import Draft
from workbench.engine.expressions.data import as_data
from workbench.engine.expressions.evaluation import format_value
from workbench.engine.journal.language_events import (
    AgentCreated,
    ArtifactLoaded,
    ArtifactSaved,
    MessageSent,
    MessagesReceived,
)
from workbench.engine.journal.run_events import InputAsked, Told
from workbench.engine.language import meetings
from workbench.engine.language.making import create_playbook
from workbench.engine.language.program.people import USER_WORDS, agent_meant, next_number, person_meant
from workbench.engine.language.turn import StepFailed, Turn
from workbench.engine.language.wording import asking
from workbench.engine.ports import Purpose, RequestKind
from workbench.engine.state.world import is_from
from workbench.i18n import _
from workbench.model.checks.nearest import Nearest
from workbench.model.meaning import Call, Variable
from workbench.model.sentences.calls import PLAN_AND_DO
from workbench.regex import regex
from workbench.syntax.expressions import NAME

SAY = "Say"
BY_NAME = ("SaveArtifact", "LoadArtifact")
"""What is first given the name of an artifact."""
_IS_NAME = regex(NAME)
_BuiltIn = Callable[[Turn, list[Any], dict[str, Any]], Draft]


def _given(names: tuple[str, ...], positional: list[Any], named: dict[str, Any]) -> dict[str, Any]:
    """The values by name; raises StepFailed where there are more than there are names."""
    if len(positional) > len(names):
        message = _("it is given too many values: {given} instead of {most}.")
        raise StepFailed(message.format(given=len(positional), most=len(names)))
    return {**dict(zip(names, positional, strict=False)), **named}


def _needed(given: dict[str, Any], name: str) -> Any:
    if name not in given:
        raise StepFailed(_("a value for {name} is missing.").format(name=name))
    return given[name]


def say(turn: Turn, positional: list[Any], named: dict[str, Any]) -> Draft:
    """``Say(target, message)``: to the user, a person, an agent, or a meeting."""
    if len(positional) == 1 and "message" not in named:
        positional = ["user", *positional]
    given = _given(("target", "message"), positional, named)
    text = format_value(given.get("message", ""))
    target = str(given.get("target", "user")).strip()
    if target.lower() in USER_WORDS and not _is_to_meeting(turn, target):
        return turn.giving(Told(text))
    person = person_meant(turn.book, target)
    if person:
        return turn.giving(Told(text, person))
    return meetings.said_in_meeting(turn, target, text) or _sent(turn, target, text)


def _is_to_meeting(turn: Turn, target: str) -> bool:
    return not target and bool(turn.frame.meeting)


def _sent(turn: Turn, target: str, text: str) -> Draft:
    agent = agent_meant(turn.state, turn.book, target)
    if not agent:
        raise StepFailed(_("there is no agent or person called “{name}” to tell.").format(name=target))
    return turn.giving(MessageSent(turn.agent, (agent,), text, 0))


def _send_message(turn: Turn, positional: list[Any], named: dict[str, Any]) -> Draft:
    given = _given(("target_agent_id", "message"), positional, named)
    return say(turn, [str(_needed(given, "target_agent_id")), _needed(given, "message")], {})


def _wait_for_message(turn: Turn, positional: list[Any], named: dict[str, Any]) -> Draft:
    """The messages from one source (an agent, a person, ``meeting``, or ``*``); none where nobody will send any."""
    given = _given(("source_agent_id",), positional, named)
    source = str(given.get("source_agent_id", "*")).strip() or "*"
    if source.lower() == "meeting" or source.lower().startswith("meeting "):
        source = f"meeting {meetings.meeting_meant(turn, source)}"
    elif source != "*":
        person = "" if source.lower() in USER_WORDS else person_meant(turn.book, source)
        if person or source.lower() in USER_WORDS:
            return _ask_person(turn, person)
        source = agent_meant(turn.state, turn.book, source) or source
    agent = turn.agent
    found = [each for each in turn.state.world.inboxes.get(agent, ()) if is_from(each, source)]
    other = None if found else meetings.turn_of_other(turn) or meetings.question_to_person(turn, source)
    if other is not None:
        return other
    messages = [{"from": each.sender, "text": each.text} for each in found]
    return turn.giving(MessagesReceived(agent, source, tuple(messages)), messages)


def _ask_person(turn: Turn, person: str) -> Draft:
    """A person's message is asked for."""
    meaning = turn.at.meaning
    is_kept = turn.is_inner or bool(turn.frame.intents) or (isinstance(meaning, Call) and meaning.result is not None)
    fields = (Variable("result", is_state=False, type="str"),) if is_kept else ()
    text = _("Waiting for a message.")
    request = replace(asking(turn, RequestKind.ASK, text, fields, person), purpose=Purpose.WAIT)
    return turn.opening(InputAsked.of(request))


def _create_agent(turn: Turn, positional: list[Any], named: dict[str, Any]) -> Draft:
    kind = str(positional[0]) if positional else str(named.pop("agent_klass", ""))
    if turn.book.agent(kind) is None:
        known = ", ".join(agent.name for agent in turn.book.program.agents)
        raise StepFailed(_("there is no agent “{name}” to create; there are {known}.").format(name=kind, known=known))
    if len(turn.state.frames) >= turn.rules.max_depth:
        message = _("call depth limit ({depth}) reached; {playbook} may call itself endlessly.")
        raise StepFailed(message.format(depth=len(turn.state.frames), playbook="CreateAgent"))
    number = next_number(turn.state, turn.book)
    agent = f"{kind}:{number}"
    state = {name: as_data(value) for name, value in named.items()}
    starts = {each.playbook: each.key_of(agent) for each in reversed(turn.book.watches.around("start", kind))}
    begins = tuple(reversed(starts.values()))
    return turn.giving(AgentCreated(agent, kind, number, state, begins), f"agent {number}")


def _save_artifact(turn: Turn, positional: list[Any], named: dict[str, Any]) -> Draft:
    given = _given(("name", "summary", "value"), positional, named)
    name = _artifact(_needed(given, "name"))
    variable = name if _IS_NAME.fullmatch(name) else ""
    saved = ArtifactSaved(name, str(given.get("summary", "")), _needed(given, "value"), variable)
    return turn.giving(saved, name)


def _artifact(written: object) -> str:
    """The name of an artifact, which is that of its variable: with or without the sign."""
    return str(written).strip().removeprefix("$")


def _load_artifact(turn: Turn, positional: list[Any], named: dict[str, Any]) -> Draft:
    name = str(_needed(_given(("artifact_name",), positional, named), "artifact_name"))
    artifacts = turn.state.world.artifacts
    name = name if name in artifacts else _artifact(name)
    if name not in artifacts:
        close = Nearest(artifacts).to(name)
        hint = _(" Did you mean {name}?").format(name=close) if close else ""
        raise StepFailed(_("there is no artifact “{name}”.").format(name=name) + hint)
    return turn.giving(ArtifactLoaded(name), artifacts[name].value)


def _create_playbook(turn: Turn, positional: list[Any], named: dict[str, Any]) -> Draft:
    """``CreatePlaybook(name, text)``, or with a ``plan``: *text* holds steps, a whole playbook, or a plan."""
    given = _given(("name", "text"), positional, named)
    text = given["plan"] if "plan" in given and "text" not in given else _needed(given, "text")
    return create_playbook(turn, str(_needed(given, "name")), text)


def _not_here(_turn: Turn, _positional: list[Any], _named: dict[str, Any]) -> Draft:
    """Raises StepFailed: a plan is made and carried out by a step, over several events."""
    raise StepFailed(_("a plan can only be made by a step of its own."))


def _set_meeting_state(turn: Turn, positional: list[Any], named: dict[str, Any]) -> Draft:
    if len(positional) == 2:
        named = {**named, str(positional[0]): positional[1]}
    return meetings.share(turn, named)


BUILT_IN: dict[str, _BuiltIn] = {
    SAY: say,
    "SendMessage": _send_message,
    "WaitForMessage": _wait_for_message,
    "CreateAgent": _create_agent,
    "SaveArtifact": _save_artifact,
    "LoadArtifact": _load_artifact,
    "CreatePlaybook": _create_playbook,
    PLAN_AND_DO: _not_here,
    "InviteToMeeting": meetings.invite,
    "SetMeetingState": _set_meeting_state,
}
