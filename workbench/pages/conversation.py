"""What was asked, answered and said in a run, one after the other, as people read a conversation."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from workbench.engine.journal import approval_events as approval
from workbench.engine.journal import language_events as language
from workbench.engine.journal import model_events as model
from workbench.engine.journal import run_events as run
from workbench.engine.journal import steplist_events as steplist
from workbench.engine.journal import waiting_events as waiting
from workbench.engine.journal.events import RunEvent
from workbench.event_words import described
from workbench.i18n import N_, LazyText, _
from workbench.pages.page import heading, moment, safe

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
    lines = "".join(_lines(events))
    return f'{heading(_("Conversation"))}<div class="talk">{lines}</div>' if lines else ""


def _lines(events: Sequence[RunEvent]) -> Iterator[str]:
    last = ""
    for event in events:
        found = _KINDS.get(type(event.payload))
        words = _words(event)
        if words and words == last and isinstance(event.payload, run.RunFailure):
            continue  # the step that failed has said so
        if found is not None and (words or isinstance(event.payload, run.RunPaused | run.RunResumed)):
            last = words
            kind, what = found
            head = " · ".join(filter(None, (moment(event.at_ns)[11:19], event.step, _by(event), str(what))))
            yield f'<div class="{kind}"><span class="muted">{safe(head)}</span><p>{safe(words)}</p></div>'


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
