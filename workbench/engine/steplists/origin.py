"""What a run of a step list was begun with, and how it is had back from the journal."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from workbench.disk.files import real_path
from workbench.engine.journal.events import RunEvent
from workbench.engine.journal.fork_events import RunForked
from workbench.engine.journal.journal import Keeps
from workbench.engine.journal.run_events import RunCreated, StepListStart
from workbench.engine.options import RunOptions
from workbench.engine.steplists.places import StepListPlaces
from workbench.engine.steplists.plan_fold import PlanFold, canonical_playbook
from workbench.errors import RunFailed
from workbench.model.loader.loading import PlaybookLoadError, load_text
from workbench.model.loader.steplist import Playbook, playbook_from_json
from workbench.model.snapshot import Snapshot


def origin_of(playbook: Playbook, snapshot: Snapshot, journal: Keeps, options: RunOptions) -> RunCreated:
    """What the first event says of a run of *playbook*: how it was started, its values, and the text they are from."""
    return RunCreated(
        playbook=StepListPlaces(playbook, snapshot).name,
        path=str(real_path(Path(options.path))) if options.path else "",
        pb_hash=journal.keep(snapshot.source.encode()),
        script=options.script,
        arguments={},
        steplist=StepListStart(journal.keep(canonical_playbook(playbook)), not options.is_recording_only),
    )


def runnable(snapshot: Snapshot, path: str | Path = "") -> Playbook:
    """The step list in *snapshot*, of the file *path* where it has one. Raises RunFailed where it cannot be run."""
    try:
        return load_text(snapshot.text, Path(path) if path else None)
    except PlaybookLoadError as error:
        raise RunFailed(str(error)) from error


def new_plan(events: Sequence[RunEvent], journal: Keeps) -> PlanFold | None:
    """The plan of the run that *events* begin, before the first of them; None for runs of anything else.

    Raises StoreFailed where its list is lost.
    """
    created = events[0].payload
    if not isinstance(created, RunCreated) or created.steplist is None:
        return None
    texts = [created.steplist.plan_hash, *_later_plans(events)]
    lists = [playbook_from_json(json.loads(journal.kept(text))) for text in dict.fromkeys(texts)]
    playbook = playbook_from_json(json.loads(journal.kept(texts[-1])))
    return PlanFold(playbook, events[0].run, blocks=created.steplist.blocks, order=_order_of(lists))


def _later_plans(events: Sequence[RunEvent]) -> Iterator[str]:
    """The lists with which forks have gone on."""
    for event in events:
        if isinstance(event.payload, RunForked) and event.payload.text is not None:
            yield event.payload.text.plan_hash


def _order_of(lists: Iterable[Playbook]) -> tuple[str, ...]:
    """The steps of *lists*, each once: those that came to be later behind all others."""
    return tuple(dict.fromkeys(step.id for each in lists for step in each.steps))


def plan_of(events: Sequence[RunEvent], journal: Keeps) -> PlanFold | None:
    """The plan that *events* lead to; None for runs of anything else. Raises StoreFailed where its list is lost."""
    fold = new_plan(events, journal)
    if fold is not None:
        fold.take(events)
    return fold
