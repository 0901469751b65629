"""Puts the judges of a run around what decides about it, and keeps them with it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from workbench.engine.decider import Decider, Draft, Drafts
from workbench.engine.journal.events import RunEvent, RunId
from workbench.engine.journal.journal import Journal
from workbench.engine.journal.model_events import ModelAsked
from workbench.engine.journal.run_events import JudgesChosen, RunCreated
from workbench.engine.judges import JudgeKind, Judges, Limits
from workbench.engine.judging.asking import Asking, Bench, Recalled
from workbench.engine.judging.decider import Hears, JudgingDecider
from workbench.engine.judging.replaying import ReplayJudge
from workbench.engine.options import RunOptions
from workbench.engine.state.run_state import RunState
from workbench.model.shell_blocks import has_shell_blocks


def judged(
    inner: Decider,
    journal: Journal,
    options: RunOptions,
    events: Sequence[RunEvent] = (),
    recalled: Recalled | None = None,
) -> Decider:
    """*inner* with the judges of *options* around it; *inner* itself where a person or a script judges
    everything, and has no command to be run meanwhile.

    *events*: those that there are already. *recalled*: what has worked before.

    Raises StoreFailed where the run that is to be repeated is lost.
    """
    judges = options.judges
    was_judged = any(isinstance(event.payload, ModelAsked) for event in events)
    program = inner.snapshot.program
    may_run = not program.format.is_steplist and has_shell_blocks(program)
    if not judges.kinds & {JudgeKind.MODEL, JudgeKind.REPLAY} and not was_judged and not may_run:
        return inner
    replay = _replay(journal, judges, events) if JudgeKind.REPLAY in judges.kinds else None
    bench = Bench(judges, options.limits, options.client, recalled)
    return JudgingDecider(inner, Asking(inner, journal, bench), replay)


def _replay(journal: Journal, judges: Judges, events: Sequence[RunEvent]) -> ReplayJudge:
    replay = ReplayJudge(journal.check(RunId(judges.replay)))
    replay.catch_up(events)
    return replay


def hearing(decider: Decider, events: Sequence[RunEvent] = ()) -> Callable[[RunEvent], None] | None:
    """Who hears of the events beside the fold, after all of *events*; None where nobody needs them."""
    if not isinstance(decider, Hears):
        return None
    for event in events:
        decider.take(event)
    return decider.take


def with_judges(origin: RunCreated, options: RunOptions) -> RunCreated:
    """*origin*, which says who judges where that is not as usual."""
    judges = options.judges if options.judges != Judges() else None
    limits = options.limits if options.limits != Limits() else None
    return replace(origin, judges=judges, limits=limits)


def as_judged(options: RunOptions, origin: RunCreated) -> RunOptions:
    """*options* with the judges and limits that a run had."""
    return replace(options, judges=origin.judges or Judges(), limits=origin.limits or Limits())


def judges_changed(state: RunState, options: RunOptions) -> Drafts:
    """The event that a run goes on with others; nothing where they are the same."""
    origin = state.origin
    if (options.judges, options.limits) == (origin.judges or Judges(), origin.limits or Limits()):
        return ()
    return (Draft(JudgesChosen(options.judges, options.limits)),)
