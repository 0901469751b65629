"""The words and numbers of steps: from the text of a run, and what the author noted beside them."""

from __future__ import annotations

import os
import sys
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from workbench.i18n import _, ngettext, numeral
from workbench.model.meaning import Raw, StepKind
from workbench.model.program import Program, Step
from workbench.model.showing.words import plain_text, words_of
from workbench.model.snapshot import Snapshot
from workbench.syntax.inline import plain_words
from workbench.vocabulary import status_of_run

if TYPE_CHECKING:
    from workbench.engine.journal.lease import Owner
    from workbench.engine.journal.run_list import RunSummary
    from workbench.engine.state.judging import Used


NOW = sys.maxsize
"""The number of an event that has not happened yet."""


class RunWords:
    """Words for the steps of one run of *snapshot* (None: its text is not at hand).

    *earlier*: the texts that were carried out before, each with the number of the event from which on it was another.
    """

    def __init__(self, snapshot: Snapshot | None = None, earlier: Iterable[tuple[int, Snapshot | None]] = ()) -> None:
        parts = tuple(earlier)
        self._ends = [end for end, _text in parts]
        self._texts = (*(text for _end, text in parts), snapshot)
        self._known: dict[tuple[int, str], tuple[StepKind, str]] = {}

    def step_words(self, address: str, seq: int = NOW) -> tuple[StepKind, str]:
        """How the step at *address* was drawn when the event *seq* happened, and its words, kept."""
        key = bisect_right(self._ends, seq), address
        if key not in self._known:
            text = self._texts[key[0]]
            step = text.at_address(address) if text is not None and address else None
            self._known[key] = (step.kind, plain_text(step)) if step else (StepKind.STEP, "")
        return self._known[key]

    def step_kind(self, address: str, seq: int = NOW) -> StepKind:
        """How the step at *address* was drawn then."""
        return self.step_words(address, seq)[0]

    def step_text(self, address: str, seq: int = NOW) -> str:
        """The words of the step at *address* then."""
        return self.step_words(address, seq)[1]


def number_of(address: str) -> str:
    """``02.01`` of ``Main:02.01``."""
    return address.rpartition(":")[2]


def comment_of(step: Step) -> str:
    """The comment lines directly above *step*, as written."""
    item = step.item
    return step.block.text[item.owned.start : item.lines.start].strip() if item is not None else ""


def told_words(step: Step) -> str:
    """All words of *step* as they are read, and what its links lead to: for a tooltip."""
    if isinstance(step.meaning, Raw):
        return step.text
    words = words_of(step)
    links = dict.fromkeys((each.text, each.link) for each in words if each.link and each.link != each.text)
    told = "".join([each.text for each in words])
    return "\n".join([told, *(f"{text} → {link}" for text, link in links)])


def chapter_words(program: Program) -> str:
    """How many chapters of a procedure a run goes through, and which; empty for what has none."""
    chapters = [each for each in program.playbooks if each.is_chapter]
    done = [plain_words(each.title) for each in chapters if each.is_carried_out]
    if len(chapters) < 2:
        return ""
    if not done:
        return _("nothing of it is carried out")
    text = ngettext(
        "a run goes through {count} chapter of {all}", "a run goes through {count} chapters of {all}", len(done)
    ).format(all=numeral(len(chapters)))
    return f"{text}: {', '.join(done)}"


def file_name(path: str) -> str:
    """The name of the file at *path* from which something ran; empty stands for a text that was never saved."""
    return Path(path).name or _("a new playbook")


def moment_words(seq: int, count: int) -> str:
    """Which moment of a run is shown: after its event with the number *seq*, of *count* that count from 0."""
    return _("past moment, event {place} of {count}").format(place=numeral(seq), count=numeral(count - 1))


def summary_texts(summaries: Sequence[RunSummary]) -> list[str]:
    """Each run of a list on one line: when, what in which file, and how it ended.

    The time has seconds where another one of the list began in the same minute.
    """
    shared = Counter(moment_of(summary) for summary in summaries)
    moments = [moment_of(each, with_seconds=shared[moment_of(each)] > 1) for each in summaries]
    known = {str(each.id): moment for each, moment in zip(summaries, moments, strict=True)}
    return [_summary_text(*each, known) for each in zip(summaries, moments, strict=True)]


def _summary_text(summary: RunSummary, moment: str, known: Mapping[str, str]) -> str:
    status = str(status_of_run(summary.status, is_live=summary.is_live))
    # a goal has no file; what carries its playbook out is told by the goal
    file = "" if summary.is_cycle else file_name(summary.path)
    parts = (moment, file, summary.title, status, _fork_words(summary, known))
    return " · ".join(filter(None, parts))


def _fork_words(summary: RunSummary, known: Mapping[str, str]) -> str:
    fork = summary.fork
    if fork is None:
        return ""
    if not fork.source:
        return _("begun at a step")
    words = _("fork of the run of {moment}") if fork.source in known else _("fork of {run}")
    return words.format(moment=known.get(fork.source, ""), run=fork.source[:8])


def moment_of(summary: RunSummary, *, with_seconds: bool = False) -> str:
    """When a run began, on the clock of the person."""
    started = datetime.fromtimestamp(summary.started_ns / 1e9, UTC).astimezone()
    return started.strftime("%Y-%m-%d %H:%M:%S" if with_seconds else "%Y-%m-%d %H:%M")


def owner_words(owner: Owner) -> str:
    """Where a run goes on that can only be watched here."""
    if not owner.is_here:
        return _("only watched here: it goes on on {host}").format(host=owner.host)
    if owner.pid == os.getpid():
        return _("only watched here: it goes on in another window")
    return _("only watched here: it goes on in process {pid}").format(pid=owner.pid)


def used_words(used: Used) -> str:
    """What models have used, in a few words."""
    requests = ngettext("{count} request", "{count} requests", used.requests)
    tokens = ngettext("{count} token", "{count} tokens", used.tokens)
    return ", ".join(filter(None, (requests, tokens, f"${numeral(used.cost_usd, '.4f')}" if used.cost_usd else "")))
