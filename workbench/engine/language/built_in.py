"""What every agent can call without anyone having written it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
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
    PlaybookWritten,
)
from workbench.engine.journal.run_events import InputAsked, Told
from workbench.engine.language import meetings
from workbench.engine.language.program.book import Book, type_of, written_source
from workbench.engine.language.program.people import USER_WORDS, agent_meant, next_number, person_meant
from workbench.engine.language.turn import StepFailed, Turn
from workbench.engine.language.wording import asking
from workbench.engine.ports import Purpose, RequestKind
from workbench.engine.state.world import is_from
from workbench.errors import RunFailed
from workbench.i18n import _, numeral
from workbench.model.checks.calls import Around
from workbench.model.checks.empty import hollow_steps
from workbench.model.checks.families import check_markdown
from workbench.model.checks.nearest import Nearest
from workbench.model.kinds import FileKind
from workbench.model.meaning import Call, StepKind, Variable
from workbench.model.program import Agent
from workbench.model.snapshot import derive
from workbench.regex import regex
from workbench.syntax.diagnostics import Severity
from workbench.syntax.expressions import NAME
from workbench.syntax.signatures import normalise_name
from workbench.syntax.text import SourceText

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
    """``CreatePlaybook(name, text)``: *text* holds steps, or a whole playbook."""
    given = _given(("name", "text"), positional, named)
    name, text = normalise_name(str(_needed(given, "name"))).name, str(_needed(given, "text"))
    agent = type_of(turn.agent)
    made = _checked(turn, agent, name, text)
    if turn.book.resolve(agent, f"{agent}.{made}") is not None:
        raise StepFailed(_("there is already a playbook {name}.").format(name=made))
    return turn.giving(PlaybookWritten(agent, made, text), made)


def _checked(turn: Turn, agent: str, name: str, text: str) -> str:
    """The name of the playbook that *text* is; raises StepFailed with what is wrong in it."""
    source = written_source(agent, name, text)
    snapshot = derive(SourceText(source), wanted=FileKind.PROGRAM)
    program, playbooks = snapshot.program, snapshot.program.playbooks
    is_one = len(playbooks) == 1 and len(program.agents) == 1
    if not is_one or not (
        playbooks[0].description or any(each.kind is not StepKind.RAW for each in playbooks[0].steps)
    ):
        raise StepFailed(
            _("the text of {name} must contain one playbook; a list of steps is enough.").format(name=name)
        )
    added, lines = source.count("\n", 0, source.index(text)), snapshot.lines
    around = Around((*turn.book.program.agents, *_written(turn.book)), partial(_is_known, turn, agent))
    found = [
        (lines.line(each.span.start), each.message)
        for each in check_markdown(snapshot, around)
        if each.severity is Severity.ERROR or each.code == "branch-without-if"
    ]
    found += [
        (snapshot.line(each.id) - 1, _("“{text}” leads nowhere.").format(text=each.text))
        for each in hollow_steps(playbooks[0])
    ]
    if found:
        head = _("{name} was not made, because its text is not right:").format(name=playbooks[0].name)
        line = _("line {line}: {message}")
        told = [line.format(line=numeral(at + 1 - added), message=message) for at, message in sorted(found)]
        raise StepFailed("\n".join([head, *told]))
    return playbooks[0].name


def _written(book: Book) -> Iterator[Agent]:
    """The agents once more, with what the run has written for them."""
    for agent in book.program.agents:
        own = tuple(playbook for (owner, _name), playbook in book.written.items() if owner == agent.name)
        yield replace(agent, playbooks=own, functions=())


def _is_known(turn: Turn, agent: str, name: str) -> bool:
    """Whether *agent* can call a tool *name*; one of whom nobody can say it may be there."""
    try:
        return name in turn.book.made or turn.rules.tool_safety(agent, name) is not None
    except RunFailed:
        return True


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
    "InviteToMeeting": meetings.invite,
    "SetMeetingState": _set_meeting_state,
}
