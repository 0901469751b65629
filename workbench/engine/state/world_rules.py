"""How the events of what a run makes change where it stands: agents, artifacts, playbooks, meetings."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from workbench.engine.journal import language_events as language
from workbench.engine.journal.choices import EntryCause
from workbench.engine.journal.events import RunEvent
from workbench.engine.journal.payload import EventPayload
from workbench.engine.state.live_run import LiveRun
from workbench.engine.state.watching import Entering


def _agent_created(fold: LiveRun, _event: RunEvent, created: language.AgentCreated) -> None:
    fold.agents[created.agent] = dict(created.state)
    fold.world.created[created.agent] = created.id
    fold.watching.firing[:0] = created.begins


def _artifact_saved(fold: LiveRun, _event: RunEvent, saved: language.ArtifactSaved) -> None:
    fold.world.keep(saved)
    if saved.variable and fold.frames:
        fold.agents.setdefault(fold.acting, {})[saved.variable] = saved.value
        fold.watching.change(fold.acting, saved.variable)
        if saved.variable in fold.top.parameters and fold.acting == fold.top.agent:
            fold.top.parameters[saved.variable] = saved.value


def _shared(fold: LiveRun, _event: RunEvent, shared: language.MeetingStateSet) -> None:
    fold.world.share(shared)
    meeting = fold.world.meetings[shared.meeting]
    for agent in (meeting.host, *meeting.joined):
        fold.watching.change(agent, "meeting")


def _meeting_opened(fold: LiveRun, _event: RunEvent, opened: language.MeetingOpened) -> None:
    fold.world.open(opened)
    fold.top.done += 1


def _meeting_invited(fold: LiveRun, _event: RunEvent, invited: language.MeetingInvited) -> None:
    fold.world.invite(invited)
    fold.top.done += 1


def _meeting_turn(fold: LiveRun, _event: RunEvent, turn: language.MeetingTurn) -> None:
    fold.frames = fold.world.turn(turn, fold.frames)
    fold.idle += 1
    if fold.frames:
        fold.agent = fold.top.agent
    if turn.enter:
        fold.watching.entering = Entering(turn.agent, turn.enter, EntryCause.MEETING, "", turn.meeting)


WORLD_RULES: dict[type[EventPayload], Callable[[LiveRun, RunEvent, Any], None]] = {
    language.AgentCreated: _agent_created,
    language.ArtifactSaved: _artifact_saved,
    language.PlaybookWritten: lambda fold, _event, playbook: fold.world.write(playbook),
    language.MeetingOpened: _meeting_opened,
    language.MeetingInvited: _meeting_invited,
    language.MeetingTurn: _meeting_turn,
    language.MeetingStateSet: _shared,
    language.MeetingEnded: lambda fold, _event, ended: fold.world.end(ended.meeting),
}
