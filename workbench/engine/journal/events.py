"""What happened in a run, as frozen values. A run is nothing but its events.

Every event is journaled before it is acted on; timeline, audit, resume and replay are
folds over the same events.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NewType

from workbench.engine.journal.codec import encoded, name_of
from workbench.engine.journal.payload import EventPayload

RunId = NewType("RunId", str)

VERSION = 1


@dataclass(frozen=True, slots=True)
class RunEvent:
    """One event. *seq* counts from 0 without gaps within a run.

    *payload*: what happened. *span*/*parent*: the open interval that this event begins, ends or
    lies in (``s12``; empty: the run itself). *step*: the address ``Main:02.01``, empty where none.
    *line*: 1-based line of the step in the text that the run executes, 0 where none. *at_ns*: UTC
    wall clock, ns since 1970; *mono_ns*: monotonic, for durations within one process.
    """

    run: RunId
    seq: int
    payload: EventPayload
    at_ns: int
    mono_ns: int
    span: str = ""
    parent: str = ""
    step: str = ""
    line: int = 0
    attempt: int = 1
    actor: str = "engine"

    @property
    def name(self) -> str:
        """What it is called in the journal, and wherever events are listed."""
        return name_of(self.payload)

    @property
    def type(self) -> str:
        """What it is called in the journal."""
        return name_of(self.payload)

    @property
    def body(self) -> Mapping[str, Any]:
        """What it says, as it stands in the journal."""
        return encoded(self.payload)


# What the bodies hold. ``pc``, wherever it stands, is the index of the next instruction: the
# machine's own business. Spans begin with playbook.entered, step.entered, input.asked and
# tool.call, and end with the event that answers them; the end of a run closes all that are open.

# playbook, agent, arguments, path, pb_hash (of the text that is carried out), and how it was started
RUN_CREATED = "run.created"
RUN_STARTED = "run.started"
RUN_PAUSED = "run.paused"  # reason, where it was not a person's wish
RUN_RESUMED = "run.resumed"
RUN_CANCELLING = "run.cancelling"
RUN_CANCELLED = "run.cancelled"  # every child process is dead
RUN_COMPLETED = "run.completed"  # return
RUN_FAILED = "run.failed"  # message
# playbook, agent, arguments, state (which arguments are ``$`` variables); step: of the call; where there is
# one: cause (interrupt, python, host, meeting), trigger, meeting, description (its placeholders filled in)
PLAYBOOK_ENTERED = "playbook.entered"
# playbook, return, is_ending (the program is being ended), artifact (a name), is_failed, handler
PLAYBOOK_EXITED = "playbook.exited"
STEP_ENTERED = "step.entered"  # text
STEP_EXITED = "step.exited"  # status (done, skipped), rounds (of a loop)
STEP_FAILED = "step.failed"  # message; ends the step's span
BRANCH_TAKEN = "branch.taken"  # taken
LOOP_ITERATION = "loop.iter"  # round (from 1), of (how many, where known), items (once, in the first round)
VARIABLE_SET = "var.set"  # name, scope (state, local), old (digest of the old value or null), new
INPUT_ASKED = "input.asked"  # request, kind, text, fields, choices
INPUT_GIVEN = "input.given"  # request, kind, answer (values or decision, and text)
TOLD = "say.told"  # text, target (where it is not the user), gives
TOOL_CALL = "tool.call"  # tool, agent, class (read, idempotent, unsafe), key, positional, named
TOOL_OUTPUT = "tool.output"  # text
TOOL_RESULT = "effect.result"  # value, recovered (a dead process made the call)
TOOL_ERROR = "effect.error"  # message
IN_DOUBT = "effect.in_doubt"  # as input.asked, and key
RESOLVED = "effect.resolved"  # how (done, again, skip), value, text


# ``gives``, wherever it stands, is what a call came to: the answer to the instruction at hand.
AGENT_CREATED = "agent.created"  # agent (key), kind, id, state, gives
MESSAGE_SENT = "message.sent"  # from, to (keys), text, meeting (0: none), gives
MESSAGE_RECEIVED = "message.received"  # agent, source, gives (the messages)
ARTIFACT_SAVED = "artifact.saved"  # name, summary, value, gives
ARTIFACT_LOADED = "artifact.loaded"  # name, gives
PLAYBOOK_WRITTEN = "playbook.written"  # agent, name, text, gives
TRIGGER_CHECKED = "trigger.checked"  # holds (changed truths by trigger), fire, is_judged
TRIGGER_FIRED = "trigger.fired"  # trigger, key, agent, playbook, cause
REACT_CHOSEN = "react.chosen"  # action, arguments, round
REACT_OBSERVED = "react.observed"  # value or error
MEETING_OPENED = "meeting.opened"  # meeting, host, playbook, topic, invited, home, frame
MEETING_INVITED = "meeting.invited"  # meeting, agent, playbook, is_accepted, reason, gives
MEETING_TURN = "meeting.turn"  # meeting, agent, to (a stack), enter (a playbook, where it begins), left
MEETING_STATE = "meeting.state"  # meeting, name, value, gives
MEETING_ENDED = "meeting.ended"  # meeting

# runs of step lists
PLAN_ADOPTED = "plan.adopted"  # digest (of the playbook), blocks (false: what is not kept is only noted), tools
PLAN_VIOLATION = "plan.violation"  # type, message, tool, blocked, count
PLAN_CONTROL = "plan.control"  # tool (complete_step, skip_step, task_complete), named
TURN_ASKED = "llm.request"  # turn, context, model
TURN_TAKEN = "llm.response"  # calls, text, model
CALL_BLOCKED = "tool.blocked"  # tool, named, violation, message, hints; the call was not made
CALL_CANCELLED = "tool.cancelled"  # tool, named, message; not made since one before it failed

FINAL = frozenset({RUN_CANCELLED, RUN_COMPLETED, RUN_FAILED})
