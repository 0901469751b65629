"""What a dialog shows of two runs that are compared, made ready on a thread beside the window."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

from workbench.engine.comparing.comparing import compare, last_good
from workbench.engine.comparing.comparison import Comparison, Row
from workbench.engine.comparing.differences import Difference
from workbench.engine.journal.events import RunEvent, RunId
from workbench.engine.journal.run_list import RunSummary
from workbench.errors import StoreFailed, WorkbenchError
from workbench.gui.control.running.run_host import RunHost
from workbench.i18n import _
from workbench.model.snapshot import Snapshot
from workbench.pages.comparison_words import Told, only_words, place_words, summary_of, told

MOST_RUNS = 200
MOST_STEPS = 500
_MOST_OF_STEP = 20


@dataclass(frozen=True, slots=True)
class Choices:
    """The run that is looked at, and those of its file that it can be compared with, the newest first.

    *proposed*: the last that worked before it, else the run that it is a fork of, else the newest.
    """

    run: RunSummary
    others: tuple[RunSummary, ...]
    proposed: RunId | None


@dataclass(frozen=True, slots=True)
class Part:
    """One step, or the runs as a whole, in which the runs differ. *is_of_other*: only the other run came there."""

    title: str
    told: tuple[Told, ...]
    address: str = ""
    is_of_other: bool = False


@dataclass(frozen=True, slots=True)
class Compared:
    """Two runs compared, ready to be shown. *left_out*: so many more steps differ.

    *ran*, *other_ran*: their texts, None where one is lost.
    """

    comparison: Comparison
    summary: tuple[str, ...]
    parts: tuple[Part, ...]
    left_out: int
    ran: Snapshot | None
    other_ran: Snapshot | None


def choices_for(host: RunHost, run: RunId) -> Choices | WorkbenchError:
    """What *run* can be compared with, or why that is not known."""
    try:
        summaries = host.runs()
        own = next((each for each in summaries if each.id == run), None)
        if own is None:
            return StoreFailed(_("This run is not in the journal on this computer, so it cannot be shown."))
        others = [each for each in summaries if each.id != run and _are_of_one_file(own, each)]
        proposed = last_good(host.journal, run)
    except WorkbenchError as error:
        return error
    listed = [each for each in others if each.id == proposed] if proposed is not None else []
    source = own.fork.source if own.fork is not None else None
    if not listed:
        listed = [each for each in others if each.id == source] or others[:1]
    shown = others[:MOST_RUNS] if not listed or listed[0] in others[:MOST_RUNS] else [*others[: MOST_RUNS - 1], *listed]
    return Choices(own, tuple(shown), listed[0].id if listed else None)


def _are_of_one_file(one: RunSummary, other: RunSummary) -> bool:
    return one.path == other.path and (bool(one.path) or one.playbook == other.playbook)


def worked_before(host: RunHost, run: RunId) -> RunSummary | None:
    """The last run of the same file that was completed before *run*; None where there is none, or nobody can tell."""
    try:
        found = last_good(host.journal, run)
        return next((each for each in host.runs() if each.id == found), None)
    except WorkbenchError:
        return None  # whoever asks for the runs themselves is told why


def compared(host: RunHost, run: RunId, other: RunId) -> Compared | WorkbenchError:
    """*run* compared with *other*, or why that cannot be."""
    try:
        comparison = compare(host.journal, run, other)
        texts = _text_of(host, run), _text_of(host, other)
    except WorkbenchError as error:
        return error
    differing = comparison.differing
    parts = (
        *_whole(_("Runs as a whole"), comparison.differences),
        *map(_part, differing[:MOST_STEPS]),
        *_whole(_("Variables at the end"), comparison.values),
    )
    return Compared(comparison, summary_of(comparison), parts, max(0, len(differing) - MOST_STEPS), *texts)


def _text_of(host: RunHost, run: RunId) -> Snapshot | None:
    events: tuple[RunEvent, ...] = host.events(run)
    return host.text_of(events)


def _whole(title: str, differences: tuple[Difference, ...]) -> Iterator[Part]:
    mattering = tuple(told(each) for each in differences if each.matters)
    if mattering:
        yield Part(title, mattering)


def _part(row: Row) -> Part:
    words = " ".join(row.shown.text.split())
    only = "" if row.is_in_both else f" ({only_words(row)})"
    mattering = (told(each) for each in row.differences if each.matters)
    title = f"{place_words(row)}  {words}{only}".rstrip()
    return Part(title, tuple(islice(mattering, _MOST_OF_STEP)), row.shown.address, is_of_other=row.run is None)
