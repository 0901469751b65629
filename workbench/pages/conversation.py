"""What was asked, answered and said in a run, one after the other, as people read a conversation."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from workbench.engine.journal import approval_events as approval
from workbench.engine.journal import debug_events as debug
from workbench.engine.journal import fork_events as fork
from workbench.engine.journal import language_events as language
from workbench.engine.journal import model_events as model
from workbench.engine.journal import run_events as run
from workbench.engine.journal import steplist_events as steplist
from workbench.engine.journal import waiting_events as waiting
from workbench.engine.journal.events import RunEvent
from workbench.event_words import described
from workbench.i18n import N_, LazyText, _
from workbench.pages.page import heading, moment, safe, shown

STYLE = """
.talk { margin: .5rem 0 2rem } .talk div { border-left: 3px solid var(--line); margin: .4rem 0; padding: .1rem .8rem }
.talk .answered { border-color: var(--accent); background: var(--raised) } .talk .said { border-color: var(--good) }
.talk .wrong { border-color: var(--bad) } .talk p { margin: 0; overflow-wrap: anywhere; white-space: pre-wrap }
@media print { .talk div { break-inside: avoid } }
"""
_ASKED, _ANSWERED, _SAID, _TOLD, _WRONG = "asked", "answered", "said", "told", "wrong"
_KINDS: dict[type, tuple[str, LazyText]] = {
    run.InputAsked: (_ASKED, N_("asked")),
    run.InputGiven: (_ANSWERED, N_("answered")),
    run.Told: (_SAID, N_("said")),
    run.CallInDoubt: (_ASKED, N_("asked")),
    run.CallResolved: (_ANSWERED, N_("answered")),
    run.RunPaused: (_TOLD, N_("paused")),
    run.RunResumed: (_TOLD, N_("resumed")),
    debug.BreakpointHit: (_TOLD, N_("stopped at a breakpoint")),
    debug.StateEdited: (_ANSWERED, N_("changed by a person")),
    fork.RunForked: (_TOLD, N_("fork")),
    run.StepFailure: (_WRONG, N_("failed")),
    run.ToolError: (_WRONG, N_("failed")),
    run.RunFailure: (_WRONG, N_("failed")),
    approval.ApprovalAsked: (_ASKED, N_("asked for leave")),
    approval.ApprovalGranted: (_ANSWERED, N_("allowed")),
    approval.ApprovalDenied: (_ANSWERED, N_("refused")),
    model.JudgementHandedOver: (_TOLD, N_("handed over to a person")),
    language.MessageSent: (_SAID, N_("sent")),
    steplist.TurnTaken: (_SAID, N_("said")),
    steplist.CallBlocked: (_WRONG, N_("blocked")),
    waiting.MessageHeard: (_ANSWERED, N_("message")),
}


def conversation(events: Sequence[RunEvent]) -> str:
    """All that was asked, answered and said in *events*; empty where nothing was."""
    found = list(_said(events))
    lines = shown(found, _line, lambda words: f'<div class="muted">{words}</div>')
    return f'{heading(_("Conversation"))}<div class="talk">{lines}</div>' if found else ""


def _said(events: Sequence[RunEvent]) -> Iterator[tuple[RunEvent, str]]:
    """The events that belong to the conversation, with their words."""
    last = ""
    for event in events:
        if type(event.payload) not in _KINDS:
            continue
        words = _words(event)
        is_said_again = words == last and isinstance(event.payload, run.RunFailure)  # by the step that failed
        if (words and not is_said_again) or isinstance(event.payload, run.RunPaused | run.RunResumed):
            last = words
            yield event, words


def _line(said: tuple[RunEvent, str]) -> str:
    event, words = said
    kind, what = _KINDS[type(event.payload)]
    head = " · ".join(filter(None, (moment(event.at_ns)[11:19], event.step, _by(event), str(what))))
    return f'<div class="{kind}"><span class="muted">{safe(head)}</span><p>{safe(words)}</p></div>'


def _words(event: RunEvent) -> str:
    """What *event* says; of a turn only its words, since its calls stand among the deeds."""
    if isinstance(event.payload, steplist.TurnTaken):
        return event.payload.text
    if isinstance(event.payload, run.Told):
        return event.payload.text  # with its lines
    return described(event)


def _by(event: RunEvent) -> str:
    """Who answered, where that was a model; or to whom something is said."""
    match event.payload:
        case run.InputGiven(judge=judge):
            return judge
        case run.Told(target=target):
            return f"→ {target}" if target else ""
    return ""
